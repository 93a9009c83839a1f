/* print.h: numbers and texts spelled as Unity's YAML has them. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_PRINT_H
#define ANIM_FORMAT_UNITY_PRINT_H

#include "base/number.h"
#include "base/print.h"

/*
 * The shortest decimal that reads back as the same float: plain for 1e-9 <= |x| < 1e10 ("-0.0000000053916693"), else
 * with an exponent ("2.5444438e-15", "3.4028235e+38"); "-0", "Infinity", "-Infinity", "NaN". Any of the ANIM_NUMBER_MAX
 * bytes of `out` may be written to. Returns the number of bytes, at most UNITY_FLOAT_MAX.
 */
#define UNITY_FLOAT_MAX 24u
size_t unity_format_float(char *out, float value);

void unity_put_float(struct anim_print *, float value);

/*
 * A text as the value of a key: plain, in single quotes where YAML would read a plain one otherwise, in double quotes
 * where it has control characters or is not ASCII ("\u65E5"). Never broken over lines.
 */
void unity_put_scalar(struct anim_print *, const char *text);

/* A value of which an attribute kept the text: flow maps ("{x: 0, y: 1}") as they are, all else as scalars. */
void unity_put_kept(struct anim_print *, const char *text);

#endif
