/* print.c: prints numbers, strings, names, constructors and complete values in the spelling of each Godot version. */
#include "format/godot/print.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/number.h"

/* ---- Numbers: the shortest text, or a fixed number of digits as in older engines ---- */

/* The number 0.d1d2d3... * 10^point, without zeros at either end. */
struct decimal_text {
	char digits[ANIM_NUMBER_MAX];
	int count, point;
};

/* Split a printed number such as "-12.5e-3". It must not be 0. */
static void split_number(const char *text, size_t length, struct decimal_text *decimal)
{
	int64_t exponent = 0;
	bool fraction = false;

	decimal->count = decimal->point = 0;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == 'e' || text[i] == 'E') {
			i += text[i + 1] == '+' ? 2 : 1;
			anim_number_int64(text + i, text + length, &exponent);
			break;
		}
		if (text[i] == '.')
			fraction = true;
		if (!godot_is_digit(text[i]))
			continue;
		if (decimal->count > 0 || text[i] != '0')
			decimal->digits[decimal->count++] = text[i];
		decimal->point += fraction ? -(decimal->count == 0) : decimal->count > 0;
	}
	decimal->point += (int)exponent;
	while (decimal->count > 0 && decimal->digits[decimal->count - 1] == '0')
		decimal->count--;
}

#define POWER_EXACT 22    /* 10^22 is the largest power of ten that a double represents exactly */
#define SPLIT 134217729.0 /* 2^27 + 1: the constant of Veltkamp, which splits a double into two halves */

static void split(double x, double *high, double *low)
{
	double c = SPLIT * x;

	*high = c - (c - x);
	*low = x - *high;
}

/*
 * Return the sign of value - digits, where the digits are the shortest text of the value. It compares the exact product
 * (Dekker) of the value and a power of ten with the digits as an integer. Returns 0 if both are equal, or if the power
 * of ten is not exact.
 */
static int side_of(double value, const struct decimal_text *decimal)
{
	double whole = 0, power = 1, product, value_high, value_low, power_high, power_low, rest;
	int shift = decimal->count - decimal->point;

	if (shift <= 0 || shift > POWER_EXACT)
		return 0;
	for (int i = 0; i < decimal->count; i++)
		whole = whole * 10 + (decimal->digits[i] - '0');
	for (int i = 0; i < shift; i++)
		power *= 10;
	value = fabs(value);
	product = value * power;
	split(value, &value_high, &value_low);
	split(power, &power_high, &power_low);
	rest = ((value_high * power_high - product) + value_high * power_low + value_low * power_high) +
	       value_low * power_low;
	rest += product - whole;
	return (rest > 0) - (rest < 0);
}

/*
 * Round to `digits` digits, like printf in C: if the text is exactly in the middle, the value itself decides, then the
 * even digit.
 */
static void round_to(double value, struct decimal_text *decimal, int digits)
{
	bool up;

	if (decimal->count <= digits)
		return;
	up = decimal->digits[digits] >= '5';
	if (decimal->digits[digits] == '5' && decimal->count == digits + 1) {
		int side = side_of(value, decimal);

		up = side != 0 ? side > 0 : (decimal->digits[digits - 1] - '0') % 2 != 0;
	}
	decimal->count = digits;
	while (up && decimal->count > 0 && decimal->digits[decimal->count - 1] == '9')
		decimal->count--;
	if (up && decimal->count == 0) {
		decimal->digits[decimal->count++] = '1';
		decimal->point++;
	} else if (up) {
		decimal->digits[decimal->count - 1]++;
	}
	while (decimal->count > 1 && decimal->digits[decimal->count - 1] == '0')
		decimal->count--;
}

static char *put_digits(char *at, const char *bytes, int count)
{
	memcpy(at, bytes, (size_t)count);
	return at + count;
}

static char *put_zeros(char *at, int count)
{
	for (int i = 0; i < count; i++)
		*at++ = '0';
	return at;
}

/* Print d.ddde-05, with at least two digits in the exponent, and always with its sign. */
static char *put_scientific(char *at, const struct decimal_text *decimal)
{
	int exponent = decimal->point - 1, size = abs(exponent);

	*at++ = decimal->digits[0];
	if (decimal->count > 1)
		*at++ = '.';
	at = put_digits(at, decimal->digits + 1, decimal->count - 1);
	*at++ = 'e';
	*at++ = exponent < 0 ? '-' : '+';
	if (size >= 100)
		*at++ = (char)('0' + size / 100);
	*at++ = (char)('0' + size / 10 % 10);
	*at++ = (char)('0' + size % 10);
	return at;
}

/* Print without exponent from 1e-4 up to below 10^most. */
static char *put_decimal(char *at, const struct decimal_text *decimal, int most)
{
	int point = decimal->point, count = decimal->count;

	if (point <= -4 || point > most)
		return put_scientific(at, decimal);
	if (point <= 0) {
		at = put_zeros(put_digits(at, "0.", 2), -point);
		return put_digits(at, decimal->digits, count);
	}
	if (count <= point)
		return put_zeros(put_digits(at, decimal->digits, count), point - count);
	at = put_digits(at, decimal->digits, point);
	*at++ = '.';
	return put_digits(at, decimal->digits + point, count - point);
}

#define REAL_MAX 64 /* bytes of a number; all of them may be written */

/* Both notations are the same in this range, which contains most numbers of most files. */
#define PLAIN_FROM 1e-4
#define PLAIN_BELOW 1e15
#define TEXTS_BELOW 16777216.0f /* the limit of anim_number_print_floats_grisu2 */

/* ---- Spelling ---- */

void godot_print_clear(struct godot_print *print)
{
	anim_buffer_clear(&print->externals.items);
	anim_map_clear(&print->externals.by_path);
	anim_map_clear(&print->externals.by_id);
	anim_arena_clear(&print->externals.arena);
}

const char *godot_print_word(const struct godot_print *print, const struct godot_type_info *info)
{
	if (print->godot2 && info->name2 != NULL)
		return info->name2;
	return godot_print_is_3(print) ? info->name3 : info->name;
}

void godot_print_bytes(struct godot_print *print, const void *bytes, size_t count)
{
	if (!print->gathering)
		anim_print_bytes(&print->out, bytes, count);
}

void godot_print_text(struct godot_print *print, const char *text)
{
	godot_print_bytes(print, text, strlen(text));
}

void godot_print_number(struct godot_print *print, uint64_t number)
{
	char text[ANIM_NUMBER_MAX];

	godot_print_bytes(print, text, anim_number_print_uint64(text, number));
}

void godot_print_int(struct godot_print *print, int64_t value)
{
	char text[ANIM_NUMBER_MAX];

	godot_print_bytes(print, text, anim_number_print_int64(text, value));
}

/*
 * Print the number without a NUL, and return its size. With print->digits 0, the text reads back as the same number
 * (narrow: as the same float32). It has no exponent from 1e-4 to below 1e15, and is the same as in Godot 4.5 and later,
 * which is nearly always the shortest. Otherwise it is rounded to at most this many significant digits (up to 17) and
 * printed like %g in C. Godot 2 to 4.4 print like this with 6 digits. Zero has no sign. Special values are "inf",
 * "-inf", "nan". Only files of format 4 have -inf.
 */
static size_t print_real(const struct godot_print *print, char *text, double value, bool narrow)
{
	char shortest[ANIM_NUMBER_MAX + ANIM_NUMBER_MAX] = {0}, *at = text;
	unsigned digits = print->digits;
	struct decimal_text decimal;
	size_t length;

	if (narrow)
		value = (double)(float)value;
	if (value == 0 || value != value || isinf(value)) {
		const char *minus = print->needs_format4 ? "-inf" : "inf_neg";
		const char *word = value == 0 ? "0" : value != value ? "nan" : value < 0 ? minus : "inf";

		length = strlen(word);
		memcpy(text, word, length);
		return length;
	}
	if (digits == 0 && fabs(value) >= PLAIN_FROM && fabs(value) < PLAIN_BELOW)
		return anim_number_print_grisu2(text, value, narrow);
	length =
	    digits == 0 ? anim_number_print_grisu2(shortest, value, narrow) : anim_number_print_double(shortest, value);
	memset(shortest + length, 0, sizeof shortest - length);
	split_number(shortest, length, &decimal);
	if (digits > 0)
		round_to(value, &decimal, (int)digits);
	if (value < 0)
		*at++ = '-';
	return (size_t)(put_decimal(at, &decimal, digits > 0 ? (int)digits : 15) - text);
}

void godot_print_real(struct godot_print *print, double value, bool narrow)
{
	char text[REAL_MAX];

	godot_print_bytes(print, text, print_real(print, text, value, narrow));
}

void godot_print_float(struct godot_print *print, double value, bool narrow)
{
	char text[REAL_MAX + 2];
	size_t length = print_real(print, text, value, narrow), i = 0;

	while (i < length && strchr(".einf", text[i]) == NULL)
		i++;
	if (i == length) {
		memcpy(text + length, ".0", 2);
		length += 2;
	}
	godot_print_bytes(print, text, length);
}

void godot_print_run(struct godot_print *print, bool first, const float *values, size_t count, size_t components)
{
	char text[2048], *at = text;
	struct anim_number_texts texts;

	for (size_t i = 0; i < count; i++) {
		size_t n = i % ANIM_NUMBER_TEXTS;
		float size = fabsf(values[i]);

		if (n == 0 && print->digits == 0)
			anim_number_print_floats_grisu2(values + i,
							count - i < ANIM_NUMBER_TEXTS ? count - i : ANIM_NUMBER_TEXTS,
							components, &texts);
		if (i > 0 || !first) {
			memcpy(at, ", ", 2);
			at += 2;
		}
		if (print->digits == 0 && size >= (float)PLAIN_FROM && size < TEXTS_BELOW) {
			memcpy(at, texts.bytes[n], sizeof texts.bytes[n]);
			at += texts.length[n];
		} else {
			at += print_real(print, at, (double)values[i], true);
		}
		if (at > text + sizeof text - (REAL_MAX + 2)) {
			godot_print_bytes(print, text, (size_t)(at - text));
			at = text;
		}
	}
	godot_print_bytes(print, text, (size_t)(at - text));
}

void godot_print_reals(struct godot_print *print, const char *word, const float *values, size_t count)
{
	godot_print_format(print, "%s%(", word);
	godot_print_run(print, true, values, count, 1);
	godot_print_format(print, "%)");
}

/*
 * Return how a byte is written inside quotes, or NULL if it is unchanged. The escapes \a and \v of Godot are not used,
 * because its own reader loses them.
 */
static const char *escape_of(char c, bool multiline)
{
	static const char from[] = "\\\"\b\t\n\f\r'";
	static const char *const to[] = {"\\\\", "\\\"", "\\b", "\\t", "\\n", "\\f", "\\r", "\\'"};
	const char *found = memchr(from, c, multiline ? 2 : sizeof from - 1);

	return found != NULL ? to[found - from] : NULL;
}

void godot_print_quoted(struct godot_print *print, const char *bytes, size_t length, bool multiline)
{
	size_t plain = 0;
	bool crlf = print->out.crlf;

	print->out.crlf = false;
	godot_print_text(print, "\"");
	for (size_t i = 0; i < length; i++) {
		const char *escape = escape_of(bytes[i], multiline);

		if (escape == NULL)
			continue;
		godot_print_bytes(print, bytes + plain, i - plain);
		godot_print_text(print, escape);
		plain = i + 1;
	}
	godot_print_bytes(print, bytes + plain, length - plain);
	godot_print_text(print, "\"");
	print->out.crlf = crlf;
}

void godot_print_format(struct godot_print *print, const char *format, ...)
{
	bool old = godot_print_is_3(print),
	     names = print->version == ANIM_GODOT_4_5 || print->version == ANIM_GODOT_4_6;
	va_list args;

	va_start(args, format);
	for (size_t plain; *format != '\0'; format += plain) {
		const char *text;
		bool opens, is_name;
		char kind;

		plain = strcspn(format, "%");
		godot_print_bytes(print, format, plain);
		if (format[plain] == '\0')
			continue;
		kind = format[plain + 1];
		switch (kind) {
		case 'u':
			godot_print_number(print, va_arg(args, size_t));
			break;
		case 'd':
			godot_print_int(print, va_arg(args, int64_t));
			break;
		case 'f':
			godot_print_float(print, va_arg(args, double), true);
			break;
		case '(':
		case ')':
		case '[':
		case ']':
			/* Godot 3 has a blank inside brackets. */
			opens = kind == '(' || kind == '[';
			godot_print_text(print, old && !opens ? " " : "");
			godot_print_bytes(print, &kind, 1);
			godot_print_text(print, old && opens ? " " : "");
			break;
		default:
			text = va_arg(args, const char *);
			is_name = kind == 'n' || (kind == 'k' && names);
			if (is_name && !old)
				godot_print_text(print, "&");
			if (kind == 's')
				godot_print_text(print, text);
			else
				godot_print_quoted(print, text, strlen(text), kind != 'q' && !is_name);
		}
		plain += 2;
	}
	va_end(args);
}

void godot_print_sub_id(struct godot_print *print, const char *prefix, size_t number)
{
	if (godot_print_is_3(print))
		godot_print_number(print, number);
	else
		godot_print_format(print, "\"%s_%u\"", prefix, number);
}

void godot_print_sub(struct godot_print *print, const char *prefix, size_t number)
{
	godot_print_format(print, "SubResource%(");
	godot_print_sub_id(print, prefix, number);
	godot_print_format(print, "%)");
}

void godot_print_sub_tag(struct godot_print *print, const char *type, size_t number)
{
	godot_print_format(print, "[sub_resource type=\"%s\" id=", type);
	godot_print_sub_id(print, type, number);
	godot_print_text(print, print->godot2 ? "]\n\n" : "]\n");
}

/* Return the class of a referenced file, from its suffix. */
static const char *class_of_file(const char *path)
{
	static const char *const suffixes[][2] = {
	    {".png", "Texture2D"},   {".jpg", "Texture2D"},   {".jpeg", "Texture2D"},   {".webp", "Texture2D"},
	    {".svg", "Texture2D"},   {".bmp", "Texture2D"},   {".tga", "Texture2D"},    {".wav", "AudioStream"},
	    {".ogg", "AudioStream"}, {".mp3", "AudioStream"}, {".tscn", "PackedScene"}, {".scn", "PackedScene"},
	    {".glb", "PackedScene"}, {".gd", "Script"}};
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot != NULL && i < ANIM_COUNT(suffixes); i++)
		if (strcmp(dot, suffixes[i][0]) == 0)
			return suffixes[i][1];
	return "Resource";
}

void godot_print_new_externals(struct godot_print *print)
{
	const struct godot_print_external *item =
	    (const struct godot_print_external *)(const void *)print->externals.items.data;

	for (size_t left = print->externals.items.size / sizeof *item; left > 0; left--, item++) {
		const char *class = class_of_file(item->path);

		if (item->id != NULL)
			continue;
		if (godot_print_is_3(print)) {
			godot_print_format(print, "[ext_resource path=%q type=\"%s\" id=%u]\n", item->path,
					   strcmp(class, "Texture2D") == 0 ? "Texture" : class, item->number);
			continue;
		}
		godot_print_format(print, "[ext_resource type=\"%s\"", class);
		if (item->uid[0] != '\0')
			godot_print_format(print, " uid=%q", item->uid);
		godot_print_format(print, " path=%q id=\"%u\"]\n", item->path, item->number);
	}
}

/* ---- Values ---- */

#define BASE64_FROM 65 /* bytes; from this size on, Godot writes an array as base64, but only in files of format 4 */

static void print_base64(struct godot_print *print, const uint8_t *bytes, size_t size)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char four[4];
	uint32_t bits;

	godot_print_text(print, "\"");
	for (size_t i = 0; i < size; i += 3) {
		bits = (uint32_t)bytes[i] << 16;
		bits |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
		bits |= i + 2 < size ? (uint32_t)bytes[i + 2] : 0;
		for (int k = 0; k < 4; k++)
			four[k] = alphabet[bits >> (18 - 6 * k) & 63];
		if (i + 2 >= size)
			four[3] = '=';
		if (i + 1 >= size)
			four[2] = '=';
		godot_print_bytes(print, four, sizeof four);
	}
	godot_print_text(print, "\"");
}

static void print_string(struct godot_print *print, const struct godot_string *string, bool multiline)
{
	godot_print_quoted(print, string->bytes, string->length, multiline);
}

/* Print word("text") or word("text", "text2"). */
static void print_call(struct godot_print *print, const char *word, const struct godot_string *first,
		       const struct godot_string *second)
{
	godot_print_format(print, "%s%(", word);
	print_string(print, first, false);
	if (second != NULL) {
		godot_print_text(print, ", ");
		print_string(print, second, false);
	}
	godot_print_format(print, "%)");
}

/* Print number i of a constructor, or item i of a packed array. */
static void print_item(struct godot_print *print, const struct godot_value *value, size_t i)
{
	const struct godot_type_info *info = &godot_types[value->type];

	if (!godot_type_is_packed(value->type) && anim_type_is_real(info->type))
		godot_print_real(print, value->numbers[i], true);
	else if (!godot_type_is_packed(value->type))
		godot_print_int(print, (int64_t)value->numbers[i]);
	else if (value->type == GODOT_PACKED_BYTE)
		godot_print_int(print, ((const uint8_t *)value->items)[i]);
	else if (info->element == GODOT_INT)
		godot_print_int(print, ((const int64_t *)value->items)[i]);
	else if (info->element == GODOT_STRING)
		print_string(print, &((const struct godot_string *)value->items)[i], false);
	else
		godot_print_real(print, ((const double *)value->items)[i], value->type != GODOT_PACKED_FLOAT64);
}

static void print_value(struct godot_print *, const struct godot_value *);

/* Print an array or a dictionary. */
static void print_container(struct godot_print *print, const struct godot_value *value)
{
	const struct godot_value *items = value->items;
	bool is_typed = value->literal_type.length > 0;

	if (is_typed) {
		godot_print_format(print, "%s%[", godot_types[value->type].name);
		godot_print_bytes(print, value->literal_type.bytes, value->literal_type.length);
		godot_print_format(print, "%]%(");
	}
	if (value->type == GODOT_ARRAY) {
		godot_print_format(print, "%[");
		for (size_t i = 0; i < value->count; i++) {
			godot_print_text(print, i > 0 ? ", " : "");
			print_value(print, &items[i]);
		}
		godot_print_format(print, "%]");
	} else {
		for (size_t i = 0; i < value->count; i++) {
			godot_print_text(print, i == 0 ? "{\n" : ",\n");
			print_value(print, &items[2 * i]);
			godot_print_text(print, ": ");
			print_value(print, &items[2 * i + 1]);
		}
		godot_print_text(print, value->count == 0 ? "{}" : "\n}");
	}
	if (is_typed)
		godot_print_format(print, "%)");
}

/*
 * Print the value as Godot 4.5 and later do, with keys in their order and UTF-8 unchanged. References to sub_resources
 * stay SubResource("id").
 */
static void print_value(struct godot_print *print, const struct godot_value *value)
{
	switch (value->type) {
	case GODOT_NIL:
		godot_print_text(print, "null");
		break;
	case GODOT_BOOL:
		godot_print_text(print, value->boolean ? "true" : "false");
		break;
	case GODOT_INT:
		godot_print_int(print, value->integer);
		break;
	case GODOT_FLOAT:
		godot_print_float(print, value->number, false);
		break;
	case GODOT_STRING_NAME:
		godot_print_text(print, "&");
		/* fall through */
	case GODOT_STRING:
		print_string(print, &value->text, value->type == GODOT_STRING);
		break;
	case GODOT_NODE_PATH:
		print_call(print, "NodePath", &value->text, NULL);
		break;
	case GODOT_SUB_RESOURCE:
		print_call(print, "SubResource", &value->text, NULL);
		break;
	case GODOT_EXT_RESOURCE:
		print_call(print, "ExtResource", &value->text, NULL);
		break;
	case GODOT_RESOURCE:
		if (value->text2.length == 0)
			print_call(print, "Resource", &value->text, NULL);
		else
			print_call(print, "Resource", &value->text2, &value->text);
		break;
	case GODOT_ARRAY:
	case GODOT_DICTIONARY:
		print_container(print, value);
		break;
	case GODOT_OTHER:
		godot_print_bytes(print, value->text.bytes, value->text.length);
		break;
	default:
		godot_print_format(print, "%s%(", godot_types[value->type].name);
		if (value->type == GODOT_PACKED_BYTE && value->count >= BASE64_FROM)
			print_base64(print, value->items, value->count);
		else
			for (size_t i = 0; i < value->count; i++) {
				godot_print_text(print, i > 0 ? ", " : "");
				print_item(print, value, i);
			}
		godot_print_format(print, "%)");
	}
}

int godot_value_print(const struct godot_value *value, struct anim_buffer *out, struct anim_error *error)
{
	struct godot_print print = {
	    .out = {.buffer = out, .error = error}, .version = ANIM_GODOT_4_5, .needs_format4 = true};

	print_value(&print, value);
	return print.out.failed ? -1 : 0;
}
