/* yaml.h: nodes, numbers and texts of UnityYAML, and looking things up in them. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_YAML_H
#define ANIM_FORMAT_UNITY_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/number.h"
#include "base/print.h"

enum unity_kind { UNITY_SCALAR, UNITY_MAP, UNITY_LIST, UNITY_KEYS };

struct anim_track;

/*
 * A node; everything is borrowed from the arena that it was read into, the columns of keys from the file. Texts are
 * UTF-8 without NUL, and have a NUL behind them.
 */
struct unity_node {
	enum unity_kind kind;
	bool quoted;                           /* a scalar in quotes, or a block text */
	const char *key;                       /* its name in a map; items of a list bear that of the list */
	const char *text;                      /* a scalar's, without quotes and escapes; "" for all others */
	size_t length;                         /* of text */
	uint32_t line, column;                 /* where its value begins in the file, from 1 */
	size_t count;                          /* of the members or items; of keys: how many */
	const struct unity_node *first, *next; /* members or items in the order of the file */
	const struct anim_track *keys;         /* UNITY_KEYS: type, mode and columns are told */
};

/* The member of that name, the last one where it is there twice; NULL where there is none, or the node is NULL or no map. */
const struct unity_node *unity_get(const struct unity_node *, const char *key);

/* The first item of a list; NULL where it has none, or the node is NULL or no list. */
const struct unity_node *unity_items(const struct unity_node *);

/* The text of a member that is a scalar; `otherwise` where there is none. */
const char *unity_text(const struct unity_node *, const char *key, const char *otherwise);

/*
 * The number of a member. 1; 0 where there is no such member, or it is empty: *value is left as it was; -1 where it is
 * there and is no number of that kind: the error's message names the member and its text, without a place (the caller
 * knows the file; unity_place). Integers have 64 bits, of either sign.
 */
int unity_float(const struct unity_node *, const char *key, float *value, struct anim_error *);
int unity_int64(const struct unity_node *, const char *key, int64_t *value, struct anim_error *);

/* The components x y z w (or r g b a) of a member that is a map of numbers: *count is the last one there, 1..4. As above. */
int unity_vector(const struct unity_node *, const char *key, float values[4], unsigned *count, struct anim_error *);

/* A reference {fileID: 11400000, guid: 0123456789abcdef0123456789abcdef, type: 2}. */
struct unity_reference {
	int64_t file_id;
	char guid[33]; /* 32 lower-case hexadecimal digits, or empty: in the same file */
	int type;
};

/* A node that is a reference. 1; 0 where it is NULL or empty; -1 where it is something else. */
int unity_reference_read(const struct unity_node *, struct unity_reference *, struct anim_error *);

/*
 * A node as Unity writes it in one line: {fileID: 0}, [1, 2], a scalar quoted where it must be. NULL out of memory.
 * Unity's own spelling comes back byte for byte; keys have none (UNITY_KEYS: "[]").
 */
const char *unity_flow_text(const struct unity_node *, struct anim_arena *, struct anim_error *);

/* A decimal integer as Unity writes ids: int64, or uint64 taken as the int64 of the same bits. False where it is none. */
bool unity_parse_id(const char *text, size_t length, int64_t *id);

/* ---- Numbers ---- */

#define UNITY_NUMBER_MAX 4096 /* characters of a number; a longer text is none */

/*
 * Reads the number that begins at `text`: decimals ([+-] digits[.digits] or .digits, with an exponent), correctly rounded;
 * IEEE-754 bits (0x and 8 digits of binary32 or 16 of binary64, and a decimal in parentheses that does not count); Infinity,
 * inf, .inf, 1.#INF, nan, .nan, 1.#QNAN, 1.#IND, nan(ind) and the infinity sign in any case. Returns the first byte behind it,
 * NULL where there is none.
 */
const char *unity_number_float(const char *text, const char *end, float *value);

/* ---- Printing ---- */

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
