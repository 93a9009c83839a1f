/* yaml.h: nodes, numbers and texts of UnityYAML, and lookups in nodes. Internal to format/unity. */
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
 * A node. Everything is borrowed from the arena that it was read into, and the columns of keys from the file. Texts are
 * UTF-8 without NUL, and NUL-terminated.
 */
struct unity_node {
	enum unity_kind kind;
	bool quoted;                           /* a scalar in quotes, or a block text */
	const char *key;                       /* its name in a map; items of a list have the key of the list */
	const char *text;                      /* of a scalar, without quotes and escapes; "" for all others */
	size_t length;                         /* of text */
	uint32_t line, column;                 /* the beginning of its value in the file, from 1 */
	size_t count;                          /* number of members, items or keys */
	const struct unity_node *first, *next; /* members or items in the order of the file */
	const struct anim_track *keys;         /* UNITY_KEYS: type, mode and columns are set */
};

/*
 * Return the member with this name, or the last one if there are two. Returns NULL if it does not exist, or if the node
 * is NULL or not a map.
 */
const struct unity_node *unity_get(const struct unity_node *, const char *key);

/* Return the first item of a list. NULL if it has none, or if the node is NULL or not a list. */
const struct unity_node *unity_items(const struct unity_node *);

/* Return the text of a member that is a scalar, or `otherwise` if it does not exist. */
const char *unity_text(const struct unity_node *, const char *key, const char *otherwise);

/*
 * Get the number of a member. Returns 1. Returns 0 if the member does not exist or is empty; *value is unchanged.
 * Returns -1 if it is not a number of that kind. The error then names the member and its text, without a place, because
 * only the caller knows the file (unity_place). Integers have 64 bits, of either sign.
 */
int unity_float(const struct unity_node *, const char *key, float *value, struct anim_error *);
int unity_int64(const struct unity_node *, const char *key, int64_t *value, struct anim_error *);

/*
 * Get the components x y z w (or r g b a) of a member that is a map of numbers. *count is 1..4, up to the last one in
 * the map. Returns the same values.
 */
int unity_vector(const struct unity_node *, const char *key, float values[4], unsigned *count, struct anim_error *);

/* A reference {fileID: 11400000, guid: 0123456789abcdef0123456789abcdef, type: 2}. */
struct unity_reference {
	int64_t file_id;
	char guid[33]; /* 32 lower-case hexadecimal digits, or empty: in the same file */
	int type;
};

/* Read a node that is a reference. Returns 1, 0 if it is NULL or empty, or -1 if it is something different. */
int unity_reference_read(const struct unity_node *, struct unity_reference *, struct anim_error *);

/*
 * Return a node as Unity writes it in one line: {fileID: 0}, [1, 2], a scalar with quotes if necessary. NULL if out of
 * memory. Unity's own spelling is preserved byte for byte. Keys have none (UNITY_KEYS: "[]").
 */
const char *unity_flow_text(const struct unity_node *, struct anim_arena *, struct anim_error *);

/*
 * Read a decimal integer as Unity writes ids: int64, or uint64 read as the int64 with the same bits. Returns false if
 * it is not one.
 */
bool unity_parse_id(const char *text, size_t length, int64_t *id);

/* ---- Numbers ---- */

#define UNITY_NUMBER_MAX 4096 /* characters of a number; a longer text is not one */

/*
 * Read the number that begins at `text`: decimals ([+-] digits[.digits] or .digits, with an exponent), correctly
 * rounded; IEEE-754 bits (0x and 8 digits of binary32 or 16 of binary64, and a decimal in parentheses, which is
 * ignored); Infinity, inf, .inf, 1.#INF, nan, .nan, 1.#QNAN, 1.#IND, nan(ind) and the infinity sign in any case.
 * Returns the first byte after it, or NULL if there is none.
 */
const char *unity_number_float(const char *text, const char *end, float *value);

/* ---- Printing ---- */

/*
 * Print the shortest decimal that reads back as the same float: plain for 1e-9 <= |x| < 1e10 ("-0.0000000053916693"),
 * otherwise with an exponent ("2.5444438e-15", "3.4028235e+38"); "-0", "Infinity", "-Infinity", "NaN". May write to all
 * ANIM_NUMBER_MAX bytes of `out`. Returns the number of bytes, at most UNITY_FLOAT_MAX.
 */
#define UNITY_FLOAT_MAX 24u
size_t unity_format_float(char *out, float value);

/*
 * Print a text as the value of a key: plain, or in single quotes if YAML would read a plain one differently, or in
 * double quotes if it has control characters or is not ASCII ("\u65E5"). It is never broken over lines.
 */
void unity_put_scalar(struct anim_print *, const char *text);

/* Print a value whose text an attribute kept: flow maps ("{x: 0, y: 1}") unchanged, everything else as a scalar. */
void unity_put_kept(struct anim_print *, const char *text);

#endif
