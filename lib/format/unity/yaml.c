/* yaml.c: nodes, numbers and texts of UnityYAML. */
#include "format/unity/yaml.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/scan.h"
#include "base/text.h"
#include "format/unity/unity.h"

/* ---- Numbers in every spelling that Unity reads ---- */

/* Return the end of the word if the text begins with it in upper or lower case, otherwise NULL. */
static const char *word(const char *at, const char *end, const char *lower)
{
	for (; *lower != '\0'; at++, lower++) {
		char c = at < end ? *at : '\0';

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c != *lower)
			return NULL;
	}
	return at;
}

static float from_bits(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Read infinity and nan without their sign. The longer words come first. */
static const char *special(const char *at, const char *end, float *value)
{
	static const struct {
		const char *word;
		uint32_t bits;
	} words[] = {
	    {"infinity", 0x7f800000}, {".infinity", 0x7f800000},    {"inf", 0x7f800000},      {".inf", 0x7f800000},
	    {"1.#inf", 0x7f800000},   {"\xe2\x88\x9e", 0x7f800000}, {"nan(ind)", 0x7fc00000}, {"nan", 0x7fc00000},
	    {".nan", 0x7fc00000},     {"1.#qnan", 0x7fc00000},      {"1.#snan", 0x7fc00000},  {"1.#ind", 0x7fc00000},
	};

	for (size_t i = 0; i < ANIM_COUNT(words); i++) {
		const char *next = word(at, end, words[i].word);

		if (next == NULL)
			continue;
		while (words[i].word[0] == '1' && next < end && *next == '0')
			next++; /* skip printf's padding: 1.#INF00 */
		*value = from_bits(words[i].bits);
		return next;
	}
	return NULL;
}

static const char *hex(const char *at, const char *end, float *value)
{
	uint64_t bits = 0; /* of the digits, modulo 2^64 */
	size_t count = 0;
	const char *close;
	double wide;
	int digit;

	for (; at + 2 + count < end && (digit = anim_hex_digit(at[2 + count])) >= 0; count++)
		bits = bits << 4 | (uint64_t)digit;

	if (count != 8 && count != 16)
		return NULL;
	if (count == 8) {
		*value = from_bits((uint32_t)bits);
	} else {
		memcpy(&wide, &bits, sizeof wide);
		*value = (float)wide;
	}
	at += 2 + count;
	if (at == end || *at != '(')
		return at;
	close = memchr(at, ')', (size_t)(end - at));
	return close == NULL ? NULL : close + 1;
}

/* Read a decimal, and return its end, or NULL for other texts. */
static const char *decimal(const char *at, const char *end, float *value)
{
	/* base/number.h requires a digit first, and zeros at the end */
	char copy[1 + UNITY_NUMBER_MAX + ANIM_INPUT_SLACK];
	const char *next = at, *point;
	size_t digits, length;

	while (next < end && anim_is_digit(*next))
		next++;
	digits = (size_t)(next - at);
	if (next < end && *next == '.') {
		point = next++;
		while (next < end && anim_is_digit(*next))
			next++;
		digits += (size_t)(next - point) - 1;
	}
	if (digits == 0)
		return NULL;
	if (next < end && (*next | 0x20) == 'e') {
		next++;
		next += next < end && (*next == '+' || *next == '-');
		if (next == end || !anim_is_digit(*next))
			return NULL;
		while (next < end && anim_is_digit(*next))
			next++;
	}
	length = (size_t)(next - at);
	if (length > UNITY_NUMBER_MAX)
		return NULL;
	copy[0] = '0';
	memcpy(copy + 1, at, length);
	memset(copy + 1 + length, 0, ANIM_INPUT_SLACK);
	return anim_number_float(copy, copy + 1 + length, value) == NULL ? NULL : next;
}

const char *unity_number_float(const char *text, const char *end, float *value)
{
	bool sign = text < end && (*text == '-' || *text == '+');
	const char *at = text + sign, *next;

	if (at == end)
		return NULL;
	if (!sign && end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x')
		return hex(at, end, value);
	next = special(at, end, value);
	if (next == NULL)
		next = decimal(at, end, value);
	if (next != NULL && *text == '-')
		*value = -*value;
	return next;
}

/* ---- Lookups ---- */

const struct unity_node *unity_get(const struct unity_node *node, const char *key)
{
	const struct unity_node *found = NULL;

	if (node == NULL || node->kind != UNITY_MAP)
		return NULL;
	for (const struct unity_node *member = node->first; member != NULL; member = member->next)
		if (strcmp(member->key, key) == 0)
			found = member;
	return found;
}

const struct unity_node *unity_items(const struct unity_node *node)
{
	return node != NULL && node->kind == UNITY_LIST ? node->first : NULL;
}

const char *unity_text(const struct unity_node *node, const char *key, const char *otherwise)
{
	const struct unity_node *member = unity_get(node, key);

	return member != NULL && member->kind == UNITY_SCALAR ? member->text : otherwise;
}

static bool is_empty(const struct unity_node *node)
{
	return node == NULL || (node->kind == UNITY_SCALAR && node->length == 0);
}

static int not_a(const struct unity_node *node, const char *what, struct anim_error *error)
{
	if (node->kind != UNITY_SCALAR)
		return anim_fail(error, ANIM_BAD_INPUT, "%s is not %s", node->key, what);
	return anim_fail(error, ANIM_BAD_INPUT, "%s is not %s: '%.*s'", node->key, what,
			 (int)(node->length < 64 ? node->length : 64), node->text);
}

/* Returns 1, 0 if the node is NULL or empty, or -1. */
static int to_float(const struct unity_node *node, float *value, struct anim_error *error)
{
	const char *end;
	float read;

	if (is_empty(node))
		return 0;
	end = node->text + node->length;
	if (node->kind != UNITY_SCALAR || unity_number_float(node->text, end, &read) != end)
		return not_a(node, "a number", error);
	*value = read;
	return 1;
}

int unity_float(const struct unity_node *node, const char *key, float *value, struct anim_error *error)
{
	return to_float(unity_get(node, key), value, error);
}

int unity_int64(const struct unity_node *node, const char *key, int64_t *value, struct anim_error *error)
{
	const struct unity_node *member = unity_get(node, key);

	if (is_empty(member))
		return 0;
	if (member->kind != UNITY_SCALAR || !unity_parse_id(member->text, member->length, value))
		return not_a(member, "an integer", error);
	return 1;
}

int unity_vector(const struct unity_node *node, const char *key, float values[4], unsigned *count,
		 struct anim_error *error)
{
	static const char names[2][5] = {"xyzw", "rgba"};
	const struct unity_node *member = unity_get(node, key);

	*count = 0;
	if (is_empty(member))
		return 0;
	if (member->kind != UNITY_MAP)
		return not_a(member, "a map of components", error);
	for (unsigned i = 0; i < 4; i++)
		for (int spelling = 0; spelling < 2; spelling++) {
			const char name[2] = {names[spelling][i], '\0'};
			const struct unity_node *component = unity_get(member, name);

			if (to_float(component, &values[i], error) < 0)
				return -1;
			if (component != NULL)
				*count = i + 1;
		}
	return *count == 0 ? not_a(member, "a map of components", error) : 1;
}

int unity_reference_read(const struct unity_node *node, struct unity_reference *reference, struct anim_error *error)
{
	const struct unity_node *guid = unity_get(node, "guid");
	int64_t type = 0;

	*reference = (struct unity_reference){0};
	if (is_empty(node))
		return 0;
	if (node->kind != UNITY_MAP || unity_get(node, "fileID") == NULL)
		return not_a(node, "a reference {fileID: ...}", error);
	if (unity_int64(node, "fileID", &reference->file_id, error) < 0 || unity_int64(node, "type", &type, error) < 0)
		return -1;
	if (!is_empty(guid)) {
		if (guid->kind != UNITY_SCALAR || !anim_unity_guid_is(guid->text))
			return not_a(guid, "32 hexadecimal digits", error);
		for (int i = 0; i < 32; i++) {
			char c = guid->text[i];

			reference->guid[i] = (char)(c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c);
		}
	}
	reference->type = type >= INT32_MIN && type <= INT32_MAX ? (int)type : 0;
	return 1;
}

/* Numbers are read unsigned first: those beyond int64 have the same bits as the negative number that Unity stores. */
bool unity_parse_id(const char *text, size_t length, int64_t *id)
{
	bool negative = length > 0 && *text == '-';
	size_t at = length > 0 && (*text == '-' || *text == '+');
	uint64_t magnitude = 0;

	if (at == length)
		return false;
	for (; at < length; at++) {
		unsigned digit = (unsigned)(text[at] - '0');

		if (digit > 9 || magnitude > (UINT64_MAX - digit) / 10)
			return false;
		magnitude = magnitude * 10 + digit;
	}
	if (negative && magnitude > (uint64_t)INT64_MAX + 1)
		return false;
	*id = (int64_t)(negative ? 0 - magnitude : magnitude);
	return true;
}

/* ---- Nodes and scalars as Unity writes them ---- */

/* Return true if YAML would not read the text back as a plain scalar of this text. */
static bool needs_quotes(const char *text, size_t length, bool inside)
{
	char first = length > 0 ? text[0] : ' ', second = length > 1 ? text[1] : ' ';

	if (strchr("@`%&*!|>'\"{}[],#", first) != NULL)
		return true;
	if ((first == '-' || first == '?' || first == ':') && second == ' ')
		return true;
	if (first == ' ' || text[length - 1] == ' ' || text[length - 1] == ':')
		return true;
	for (size_t i = 0; i + 1 < length; i++)
		if ((text[i] == ':' && text[i + 1] == ' ') || (text[i] == ' ' && text[i + 1] == '#'))
			return true;
	return inside && strpbrk(text, "{}[],") != NULL;
}

static void print_escaped_code(struct anim_print *print, uint32_t code)
{
	char plain = (char)code;

	if (code == '"' || code == '\\')
		anim_print_text(print, code == '"' ? "\\\"" : "\\\\");
	else if (code == '\n' || code == '\t' || code == '\r')
		anim_print_text(print, code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r");
	else if (code >= 0x20 && code < 0x7f)
		anim_print_bytes(print, &plain, 1);
	else {
		unsigned digits = code < 0x100 ? 2 : code < 0x10000 ? 4 : 8;
		static const char hex[] = "0123456789ABCDEF";
		char text[10] = {'\\', digits == 2 ? 'x' : digits == 4 ? 'u' : 'U'};

		/* Print \xNN, \uNNNN or \UNNNNNNNN, by the number of digits, because YAML has no surrogate pairs. */
		for (unsigned i = 0; i < digits; i++)
			text[2 + i] = hex[code >> 4 * (digits - 1 - i) & 15];
		anim_print_bytes(print, text, 2 + digits);
	}
}

/*
 * Print a scalar as Unity writes it: plain, or in single quotes if YAML would read a plain one differently, or in
 * double quotes with escapes (\u65E5) if it has control characters or is not ASCII. More texts need quotes inside { }
 * and [ ].
 */
static void print_scalar(struct anim_print *print, const char *text, size_t length, bool inside)
{
	bool needs_escapes = false;

	for (size_t i = 0; i < length && !needs_escapes; i++)
		needs_escapes = (unsigned char)text[i] < 0x20 || (unsigned char)text[i] >= 0x7f;
	if (length == 0)
		return;
	if (needs_escapes) {
		anim_print_text(print, "\"");
		for (size_t i = 0; i < length;) {
			uint32_t code;
			size_t size = anim_utf8_decode((const uint8_t *)text + i, length - i, &code);

			print_escaped_code(print, size == 0 ? 0xfffd : code);
			i += size == 0 ? 1 : size;
		}
		anim_print_text(print, "\"");
	} else if (needs_quotes(text, length, inside)) {
		anim_print_text(print, "'");
		for (size_t i = 0; i < length; i++) {
			if (text[i] == '\'')
				anim_print_text(print, "'");
			anim_print_bytes(print, text + i, 1);
		}
		anim_print_text(print, "'");
	} else
		anim_print_bytes(print, text, length);
}

/* The depth has the limit of the reader, which also applies to trees from other sources. Returns 0 or -1. */
static int print_node(struct anim_print *print, const struct unity_node *node, unsigned depth)
{
	bool map = node->kind == UNITY_MAP;

	if (depth > ANIM_NESTING_YAML)
		return anim_fail(print->error, ANIM_TOO_LARGE, "nested more than %d deep", ANIM_NESTING_YAML);
	if (node->kind == UNITY_SCALAR) {
		print_scalar(print, node->text, node->length, true);
		return 0;
	}
	anim_print_text(print, map ? "{" : "[");
	for (const struct unity_node *member = node->first; member != NULL; member = member->next) {
		if (member != node->first)
			anim_print_text(print, ", ");
		if (map) {
			print_scalar(print, member->key, strlen(member->key), true);
			anim_print_text(print, ": ");
		}
		if (print_node(print, member, depth + 1) != 0)
			return -1;
	}
	anim_print_text(print, map ? "}" : "]");
	return 0;
}

const char *unity_flow_text(const struct unity_node *node, struct anim_arena *arena, struct anim_error *error)
{
	struct anim_buffer buffer = {0};
	struct anim_print print = {.buffer = &buffer, .error = error};
	const char *text = NULL;

	if (print_node(&print, node, 0) == 0 && !print.failed)
		text = anim_arena_text(arena, (const char *)buffer.data, buffer.size, error);
	anim_buffer_clear(&buffer);
	return text;
}

/* ---- Numbers and texts on an output ---- */

/* Smaller numbers have an exponent. This is the largest negative power of ten that is written without one. */
#define PLAIN_EXPONENT_MIN 9

static size_t copy(char *out, const char *text)
{
	size_t length = strlen(text);

	memcpy(out, text, length);
	return length;
}

/* Print numbers for which base/number uses an exponent, without their sign. */
static size_t put_scientific(char *out, float size)
{
	char text[ANIM_NUMBER_MAX] = "", *at = out;
	size_t length = anim_number_print_float(text, size);
	const char *e = memchr(text, 'e', length);
	size_t mantissa = e == NULL ? length : (size_t)(e - text);
	unsigned exponent = 0;

	for (size_t i = mantissa; i < length; i++)
		if (text[i] >= '0' && text[i] <= '9')
			exponent = 10 * exponent + (unsigned)(text[i] - '0');
	/* The digits "d.ddd" of a small number become "0.000dddd". */
	if (e != NULL && e[1] == '-' && exponent <= PLAIN_EXPONENT_MIN) {
		*at++ = '0';
		*at++ = '.';
		for (unsigned i = 1; i < exponent; i++)
			*at++ = '0';
		for (size_t i = 0; i < mantissa; i++)
			if (text[i] != '.')
				*at++ = text[i];
		return (size_t)(at - out);
	}
	memcpy(at, text, mantissa);
	at += mantissa;
	if (e != NULL) {
		*at++ = 'e';
		*at++ = e[1] == '-' ? '-' : '+';
		at += anim_number_print_uint64(at, exponent);
	}
	return (size_t)(at - out);
}

size_t unity_format_float(char *out, float value)
{
	float size = fabsf(value);
	size_t sign;

	if ((size > 1e-5f && size < 1e10f) || size == 0)
		return anim_number_print_float(out, value);
	sign = signbit(value) != 0;
	if (isnan(value))
		return copy(out, "NaN");
	*out = '-';
	if (isinf(value))
		return sign + copy(out + sign, "Infinity");
	return sign + put_scientific(out + sign, fabsf(value));
}

void unity_put_scalar(struct anim_print *print, const char *text)
{
	print_scalar(print, text, strlen(text), false);
}

/* Return the end of a quoted text, or NULL if its closing quote is missing. */
static const char *end_of_quotes(const char *at)
{
	char quote = *at++;

	while (*at >= ' ' && *at <= '~' && *at != quote)
		at += 1 + (*at == '\\' && quote == '"' && at[1] >= ' ');
	return *at == quote ? at + 1 : NULL;
}

/*
 * Return true for a flow map of printable ASCII that nothing ends early: words, numbers, texts in quotes, and maps and
 * lists of them.
 */
static bool is_flow_map(const char *text)
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw"
				   "xyz0123456789_+-.,: {}[]";
	size_t depth = 0;

	if (text[0] != '{')
		return false;
	for (const char *at = text; at != NULL && *at != '\0';) {
		if (*at == '"' || *at == '\'') {
			at = end_of_quotes(at);
			continue;
		}
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		if (strchr(good, *at) == NULL || (depth == 0) != (at[1] == '\0'))
			return false;
		at++;
	}
	return depth == 0;
}

void unity_put_kept(struct anim_print *print, const char *text)
{
	if (is_flow_map(text))
		anim_print_text(print, text);
	else
		unity_put_scalar(print, text);
}
