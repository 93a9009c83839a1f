/* print.h: text onto an output or behind a buffer's; the first failure is kept, so that callers may look once at the end. */
#ifndef ANIM_BASE_PRINT_H
#define ANIM_BASE_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/output.h"

/*
 * `out` (or `buffer`, behind what it holds) and `error` are borrowed. After a failure nothing more is written, `failed` is set
 * and *error filled.
 */
struct anim_print {
	struct anim_output *out;
	struct anim_buffer *buffer; /* instead of `out`, which is NULL then */
	struct anim_error *error;
	bool failed;
	bool crlf; /* line feeds become CR LF */
};

void anim_print_bytes(struct anim_print *, const void *bytes, size_t count);
void anim_print_text(struct anim_print *, const char *text);
/* Several, one behind the other: anim_print_texts(print, "a", b, "c"). */
#define anim_print_texts(print, ...) anim_print_list(print, (const char *const[]){__VA_ARGS__, NULL})
void anim_print_list(struct anim_print *, const char *const *texts); /* up to NULL */

void anim_print_spaces(struct anim_print *, size_t count);

/* Shortest decimals as base/number.h prints them; inf and nan as "inf", "-inf", "nan". */
void anim_print_float(struct anim_print *, float value);
void anim_print_double(struct anim_print *, double value);

/* The same, but a NaN with its bits, as anim_number_special_float and _double read it. */
void anim_print_exact_float(struct anim_print *, float value);
void anim_print_exact_double(struct anim_print *, double value);

void anim_print_int64(struct anim_print *, int64_t value);
void anim_print_uint64(struct anim_print *, uint64_t value);

/* `digits` lower-case hexadecimal digits of value, leading zeros included. */
void anim_print_hex(struct anim_print *, uint64_t value, unsigned digits);

/* The names of the bits that are set, with `between` between them; none but those of `names` is set. */
void anim_print_bits(struct anim_print *, unsigned bits, const char *const *names, unsigned count, const char *between);

/* A JSON number, the shortest decimal of a float (`single`) or of a double; null where it is infinite or NaN. */
void anim_print_json_number(struct anim_print *, double value, bool single);

/* A JSON string with its quotes: '"', '\' and control characters escaped, UTF-8 as it is, other bytes as the letters \xNN. */
void anim_print_json(struct anim_print *, const char *text, size_t length);

/* The same for a C string; NULL prints null. */
void anim_print_json_text(struct anim_print *, const char *text);

/* A further member of a JSON object: a comma, the name (which needs no escapes) and, but for the first, the value. */
void anim_print_member(struct anim_print *, const char *name);
void anim_print_text_member(struct anim_print *, const char *name, const char *text); /* NULL: null */
void anim_print_count_member(struct anim_print *, const char *name, uint64_t value);
void anim_print_bool_member(struct anim_print *, const char *name, bool value);
void anim_print_natural_member(struct anim_print *, const char *name, bool there, uint64_t value); /* or null */
void anim_print_number_member(struct anim_print *, const char *name, double value, bool single);
/* "rate", {"num":30,"den":1}; null for 0, 0. */
void anim_print_rate_member(struct anim_print *, uint32_t num, uint32_t den);
/* The names of the bits that are set, as an array; none of them needs escapes. */
void anim_print_bits_member(struct anim_print *, const char *name, unsigned bits, const char *const *names,
			    unsigned count);

/* A cell of comma-separated values (RFC 4180): in quotes where it holds a quote, comma or line end, or is empty. */
void anim_print_csv(struct anim_print *, const char *text, size_t length);

#endif
