/* number.h: numbers <-> text, exact and without locale; no strtod or printf in a hot path. */
#ifndef ANIM_BASE_NUMBER_H
#define ANIM_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reading. The grammar is  -?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]*)?  read greedily from `text` (Godot's; JSON's is part of
 * it, its reader checks the rest): no leading '+', no leading '.', no hex, no inf or nan. `end` is the end of what may be read;
 * ANIM_INPUT_SLACK bytes behind `end` must be readable, and the byte at `end` must not continue a number (the slack of
 * an input window is 0). Returns the first byte behind the number, NULL where there is none. A value that
 * overflows becomes infinity, one that underflows 0; an exponent without digits counts as 0.
 */
const char *anim_number_double(const char *text, const char *end, double *value); /* correctly rounded */
const char *anim_number_float(const char *text, const char *end, float *value);   /* correctly rounded, once */

/*
 * A number as people type one: of that grammar, or beginning with its point (".5", "-.5"), and digits behind its 'e'. Read
 * from `length` bytes, behind which nothing need be readable; of more than ANIM_NUMBER_TYPED_MAX none is. Returns its length,
 * 0 where there is none. Overflow as above.
 */
#define ANIM_NUMBER_TYPED_MAX 63
size_t anim_number_typed(const char *text, size_t length, double *value);

/*
 * As Godot stores a number in a float32 place: the correctly rounded double, rounded again to float32. This is the
 * fast path of the Godot reader.
 */
const char *anim_number_float_of_double(const char *text, const char *end, float *value);

/*
 * The same as anim_number_float_of_double for a run "n, n, n": parses up to `count` numbers, each but the first behind
 * one ',' and any blanks of " \t\r\n". Stops before anything else, before `end`, and where a number touches `end` (it may
 * go on in the next window). Stores what it read, returns how many; *next is the first byte not used (behind the last
 * whole number: the ',' after it is not taken unless the number behind it was).
 */
size_t anim_number_floats(const char *text, const char *end, float *values, size_t count, const char **next);

/*
 * The same for a run "n n n" on one line, with blanks or tabs between: a number counts only where a blank, a line end or
 * another control character is behind it, and its exponent has digits.
 */
size_t anim_number_row(const char *text, const char *end, float *values, size_t count, const char **next);

/* -?[0-9]+ into int64, saturating as Godot does. Returns the end, NULL where there is no digit. */
const char *anim_number_int64(const char *text, const char *end, int64_t *value);
const char *anim_number_uint64(const char *text, const char *end, uint64_t *value); /* NULL on overflow too */

/*
 * What no decimal tells: "inf", "-inf", "nan" and a NaN's bits, "nan:7fc00000", with 8 digits for a float and 16 for a
 * double. Return the end, NULL where none of them stands at `text`.
 */
const char *anim_number_special_float(const char *text, const char *end, float *value);
const char *anim_number_special_double(const char *text, const char *end, double *value);

/*
 * Printing: the shortest decimal that reads back as the same number, nearest to it where several are equally short
 * (one float, 0x15ae43fd, takes a digit more than that, so that all of them survive a reader that goes through double).
 * Plain notation without exponent for 1e-5 <= |x| < 1e16, float for 1e-5 <= |x| < 1e10, and no point where there is no
 * fraction ("1", "0.00001", "1000000000"); else one digit before the point and an exponent without plus or leading
 * zeros ("1.5e-7", "1e16", "3.4028235e38"): all of it JSON, and read by Godot. "0" and "-0"; inf and nan print as
 * "inf", "-inf", "nan" (writers that cannot hold them must check first). Buffers need ANIM_NUMBER_MAX bytes, any of
 * which may be written to; not terminated by NUL. Returns the number of bytes.
 */
#define ANIM_NUMBER_MAX 40
size_t anim_number_print_float(char *buffer, float value);
size_t anim_number_print_double(char *buffer, double value);
size_t anim_number_print_int64(char *buffer, int64_t value);
size_t anim_number_print_uint64(char *buffer, uint64_t value);

/*
 * The same for a number other than 0, inf and nan (narrow: a float's) with the digits of Grisu2, which Godot 4.5 and later
 * print: of 10,000 floats 45 have another text, as long; of 10,000 doubles 14, 8 of them longer. The one
 * float that takes a digit more does here, too. Plain below 1e16.
 */
size_t anim_number_print_grisu2(char *buffer, double value, bool narrow);

/*
 * The same as anim_number_print_float for a column of up to ANIM_NUMBER_TEXTS floats, several at once. `components` is how far
 * apart the same component of two values is, at least 1: a component that rests costs little.
 */
#define ANIM_NUMBER_TEXTS 256
struct anim_number_texts {
	char bytes[ANIM_NUMBER_TEXTS][16]; /* what is behind a text is not defined */
	uint8_t length[ANIM_NUMBER_TEXTS];
};
void anim_number_print_floats(const float *values, size_t count, size_t components, struct anim_number_texts *);

#endif
