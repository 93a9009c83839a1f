/* number.h: numbers to text and back, exact and independent of the locale. Hot paths use no strtod or printf. */
#ifndef ANIM_BASE_NUMBER_H
#define ANIM_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Read a number. The grammar is  -?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]*)?  read greedily from `text`: no leading '+', no
 * leading '.', no hex, no inf or nan. This is the grammar of Godot. JSON's is a subset, and the JSON reader checks
 * the rest. `end` is the end of the readable text; ANIM_INPUT_SLACK bytes after `end` must be readable, and the byte
 * at `end` must not continue a number (the slack of an input window is 0). Returns the first byte after the number,
 * or NULL if there is none. A value that overflows becomes infinity, a value that underflows becomes 0, and an
 * exponent without digits counts as 0.
 */
const char *anim_number_double(const char *text, const char *end, double *value); /* correctly rounded */
const char *anim_number_float(const char *text, const char *end, float *value);   /* correctly rounded in one step */

/*
 * Read a number as people type it: the grammar above, but it may begin with its point (".5", "-.5"), and an 'e' needs
 * digits after it. It is read from `length` bytes; no byte after them needs to be readable. A number longer than
 * ANIM_NUMBER_TYPED_MAX is not accepted. Returns its length, or 0 if there is none. Overflow is handled as above.
 */
#define ANIM_NUMBER_TYPED_MAX 63
size_t anim_number_typed(const char *text, size_t length, double *value);

/*
 * Read a number as Godot stores it in a float32 place: the correctly rounded double, rounded again to float32. This
 * is the fast path of the Godot reader.
 */
const char *anim_number_float_of_double(const char *text, const char *end, float *value);

/*
 * Read up to `count` numbers of a run "n, n, n", each as anim_number_float_of_double does. Each number except the
 * first follows one ',' and any blanks of " \t\r\n". Reading stops before any other text, before `end`, and at a
 * number that touches `end`, because it may continue in the next window. Stores the numbers and returns their count.
 * *next is the first unused byte: it is after the last complete number, and the ',' after that number counts as used
 * only if another number was read.
 */
size_t anim_number_floats(const char *text, const char *end, float *values, size_t count, const char **next);

/*
 * Like anim_number_floats, for a run "n n n" on one line, separated by blanks or tabs. A number counts only if a
 * blank, a line end or another control character follows it and its exponent has digits.
 */
size_t anim_number_row(const char *text, const char *end, float *values, size_t count, const char **next);

/* Read -?[0-9]+ into an int64, saturating as Godot does. Returns the end, or NULL without a digit. */
const char *anim_number_int64(const char *text, const char *end, int64_t *value);
const char *anim_number_uint64(const char *text, const char *end, uint64_t *value); /* NULL also on overflow */

/*
 * Read values that have no decimal: "inf", "-inf", "nan", or a NaN with its bits, "nan:7fc00000", with 8 digits for a
 * float and 16 for a double. Returns the end, or NULL if `text` begins with none of them.
 */
const char *anim_number_special_float(const char *text, const char *end, float *value);
const char *anim_number_special_double(const char *text, const char *end, double *value);

/*
 * Print the shortest decimal that reads back as the same number, and of several equally short ones the nearest. (One
 * float, 0x15ae43fd, gets one digit more, so that every float survives a reader that goes through double.) The
 * notation is plain, without exponent, for 1e-5 <= |x| < 1e16 (float: 1e-5 <= |x| < 1e10), and without a point if
 * there is no fraction ("1", "0.00001", "1000000000"). Otherwise there is one digit before the point and an exponent
 * without plus or leading zeros ("1.5e-7", "1e16", "3.4028235e38"). All of it is valid JSON and readable by Godot.
 * Zeros print as "0" and "-0"; inf and nan print as "inf", "-inf", "nan", so writers of formats without them must
 * check first. Buffers need ANIM_NUMBER_MAX bytes, any of which may be overwritten. The text is not terminated by
 * NUL. Returns the number of bytes.
 */
#define ANIM_NUMBER_MAX 40
size_t anim_number_print_float(char *buffer, float value);
size_t anim_number_print_double(char *buffer, double value);
size_t anim_number_print_int64(char *buffer, int64_t value);
size_t anim_number_print_uint64(char *buffer, uint64_t value);

/*
 * Like anim_number_print_double, for a number other than 0, inf and nan, with the digits of Grisu2, which Godot 4.5
 * and later print. `narrow`: the value is a float. Of 10,000 floats, 45 get a different text of the same length; of
 * 10,000 doubles, 14 do, 8 of them longer. The one float above also gets its extra digit here. The notation is plain
 * below 1e16.
 */
size_t anim_number_print_grisu2(char *buffer, double value, bool narrow);

/*
 * Print a column of up to ANIM_NUMBER_TEXTS floats, several at once, with the same result as anim_number_print_float.
 * `components` is the distance between the same component of two consecutive values, at least 1. A component that
 * does not change costs little.
 */
#define ANIM_NUMBER_TEXTS 256
struct anim_number_texts {
	char bytes[ANIM_NUMBER_TEXTS][16]; /* bytes after a text are undefined */
	uint8_t length[ANIM_NUMBER_TEXTS];
};
void anim_number_print_floats(const float *values, size_t count, size_t components, struct anim_number_texts *);

/* The same with the digits of Grisu2, for floats below 2^24. The texts of others are not specified. */
void anim_number_print_floats_grisu2(const float *values, size_t count, size_t components, struct anim_number_texts *);

#endif
