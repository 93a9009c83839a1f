/* print.h: text to an output or a buffer. The first failure is kept, so that callers can check once at the end. */
#ifndef ANIM_BASE_PRINT_H
#define ANIM_BASE_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"
#include "base/output.h"

/*
 * `out` (or `buffer`, which is appended to) and `error` are borrowed. After a failure nothing more is written,
 * `failed` is set and *error is filled.
 */
struct anim_print {
	struct anim_output *out;
	struct anim_buffer *buffer; /* used instead of `out`, which is then NULL */
	struct anim_error *error;
	bool failed;
	bool crlf; /* line feeds become CR LF */
};

void anim_print_bytes(struct anim_print *, const void *bytes, size_t count);

/* Inlined, so that the compiler knows the length of a constant. */
static inline void anim_print_text(struct anim_print *print, const char *text)
{
	anim_print_bytes(print, text, strlen(text));
}

/* Print several texts in a row: anim_print_texts(print, "a", b, "c"). */
#define anim_print_texts(print, ...) anim_print_list(print, (const char *const[]){__VA_ARGS__, NULL})
void anim_print_list(struct anim_print *, const char *const *texts); /* up to NULL */

void anim_print_spaces(struct anim_print *, size_t count);

/*
 * Reserve room for `count` bytes, at most 64 KiB, for callers that print many small parts. Returns NULL after a failure.
 * Fill it, then advance by the bytes that were printed. Line feeds stay line feeds.
 */
char *anim_print_room(struct anim_print *, size_t count);
void anim_print_advance(struct anim_print *, size_t count);

/* Print shortest decimals as base/number.h does. Infinities and NaN print as "inf", "-inf", "nan". */
void anim_print_float(struct anim_print *, float value);
void anim_print_double(struct anim_print *, double value);

/* The same, but print a NaN with its bits, as anim_number_special_float and _double read it. */
void anim_print_exact_float(struct anim_print *, float value);
void anim_print_exact_double(struct anim_print *, double value);

void anim_print_int64(struct anim_print *, int64_t value);
void anim_print_uint64(struct anim_print *, uint64_t value);

/* Print `digits` lower-case hexadecimal digits of value, including leading zeros. */
void anim_print_hex(struct anim_print *, uint64_t value, unsigned digits);

/* Print the names of the set bits, separated by `between`. Bits without a name in `names` must not be set. */
void anim_print_bits(struct anim_print *, unsigned bits, const char *const *names, unsigned count, const char *between);

/* Print a JSON number: the shortest decimal of a float (`single`) or of a double; null if it is infinite or NaN. */
void anim_print_json_number(struct anim_print *, double value, bool single);

/*
 * Print a JSON string with its quotes. '"', '\' and control characters are escaped, UTF-8 is unchanged, other bytes
 * become the letters \xNN.
 */
void anim_print_json(struct anim_print *, const char *text, size_t length);

/* The same for a C string. NULL prints null. */
void anim_print_json_text(struct anim_print *, const char *text);

/*
 * Begin a further member of a JSON object: print a comma and the name, which must need no escapes. All variants
 * except the first also print the value.
 */
void anim_print_member(struct anim_print *, const char *name);
void anim_print_text_member(struct anim_print *, const char *name, const char *text); /* NULL prints null */
void anim_print_count_member(struct anim_print *, const char *name, uint64_t value);
void anim_print_bool_member(struct anim_print *, const char *name, bool value);
/* null if not there */
void anim_print_natural_member(struct anim_print *, const char *name, bool there, uint64_t value);
void anim_print_number_member(struct anim_print *, const char *name, double value, bool single);
/* Print "rate", {"num":30,"den":1}, or null for 0, 0. */
void anim_print_rate_member(struct anim_print *, uint32_t num, uint32_t den);
/* Print the names of the set bits as an array. The names must need no escapes. */
void anim_print_bits_member(struct anim_print *, const char *name, unsigned bits, const char *const *names,
			    unsigned count);

/*
 * Print a cell of comma-separated values (RFC 4180). It is quoted if it is empty or contains a quote, comma or line
 * end.
 */
void anim_print_csv(struct anim_print *, const char *text, size_t length);

#endif
