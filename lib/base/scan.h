/* scan.h: inline helpers of text readers for hot paths. */
#ifndef ANIM_BASE_SCAN_H
#define ANIM_BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/number_internal.h"

/* ---- The digits of a number, eight at a time ---- */

static inline bool anim_is_digit(char c)
{
	return (unsigned char)(c - '0') <= 9;
}

/*
 * Mark each byte of c ^ '0' that is not a digit by its top bit. A byte y is not a digit if y + 0x76 or y itself has
 * the top bit set. A carry can only spoil bytes after the first marked byte.
 */
static inline uint64_t anim_mark_others(uint64_t digits)
{
	return ((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u;
}

/* Return the number made of eight digits 0..9. The first digit is in the lowest byte. */
static inline uint64_t anim_join_eight(uint64_t digits)
{
	digits = digits * 10 + (digits >> 8);
	return ((digits & 0x000000ff000000ffu) * (((uint64_t)1000000 << 32) + 100) +
		((digits >> 16) & 0x000000ff000000ffu) * (((uint64_t)10000 << 32) + 1)) >>
	       32;
}

/* Append the digits at `at` to *mantissa, which wraps if there are more than it can hold. Returns their end. */
static inline const char *anim_scan_digits(const char *at, uint64_t *mantissa)
{
	uint64_t digits = anim_load8(at) ^ 0x3030303030303030u, others = anim_mark_others(digits);
	unsigned count;

	while (others == 0) {
		*mantissa = *mantissa * 100000000 + anim_join_eight(digits);
		at += 8;
		digits = anim_load8(at) ^ 0x3030303030303030u;
		others = anim_mark_others(digits);
	}
	count = (unsigned)__builtin_ctzll(others) / 8;
	*mantissa = *mantissa * anim_power10_uint64[count] + anim_join_eight(digits << (56 - 8 * count) << 8);
	return at + count;
}

/*
 * Read [eE][+-]?[0-9]* at `at` and add it to *exponent. A value too large for any number stays too large. Returns the
 * end.
 */
static inline const char *anim_scan_exponent(const char *at, int64_t *exponent)
{
	const int64_t huge = INT64_C(1) << 60;
	bool negative = *++at == '-';
	int64_t value = 0;

	at += *at == '-' || *at == '+';
	for (; anim_is_digit(*at); at++)
		value = value < huge / 16 ? value * 10 + (*at - '0') : huge;
	*exponent += negative ? -value : value;
	return at;
}

/* Read an unsigned number: the grammar of base/number.h without '-'. Returns NULL without a digit. */
static inline const char *anim_scan_decimal(const char *at, struct anim_decimal *decimal)
{
	uint64_t mantissa = 0;
	int64_t exponent = 0;
	size_t count;

	decimal->first = at;
	if (!anim_is_digit(*at))
		return NULL;
	do
		mantissa = mantissa * 10 + (uint64_t)(*at++ - '0');
	while (anim_is_digit(*at));
	count = (size_t)(at - decimal->first);
	if (*at == '.') {
		const char *fraction = ++at;

		at = anim_scan_digits(at, &mantissa);
		exponent = fraction - at;
		count += (size_t)(at - fraction);
	}
	decimal->last = at;
	if ((*at | 0x20) == 'e')
		at = anim_scan_exponent(at, &exponent);
	decimal->mantissa = mantissa;
	decimal->exponent = decimal->unit = exponent;
	decimal->truncated = false;
	if (__builtin_expect(count > 19, 0))
		anim_decimal_cut(decimal);
	return at;
}

/*
 * W. D. Clinger, "How to read floating point numbers accurately" (1990): if the mantissa and the power of ten are
 * both exact doubles, one division or product gives the correctly rounded result.
 */
static inline bool anim_decimal_is_easy(const struct anim_decimal *decimal)
{
	return decimal->mantissa <= (UINT64_C(1) << 53) && decimal->exponent >= -22 && decimal->exponent <= 22 &&
	       !decimal->truncated;
}

static inline double anim_decimal_easy_value(const struct anim_decimal *decimal)
{
	double mantissa = (double)(int64_t)decimal->mantissa;

	return decimal->exponent < 0 ? mantissa / anim_power10_double[-decimal->exponent]
				     : mantissa * anim_power10_double[decimal->exponent];
}

/* Return the nearest double. */
static inline double anim_decimal_double(const struct anim_decimal *decimal)
{
	uint64_t bits;
	double value;

	if (__builtin_expect(anim_decimal_is_easy(decimal), 1))
		return anim_decimal_easy_value(decimal);
	bits = anim_decimal_round(&anim_binary64, decimal);
	memcpy(&value, &bits, sizeof value);
	return value;
}

/*
 * Return the nearest float, infinity beyond the largest. A double rounded to float32 equals the float32 of its
 * decimal, unless rounding to double hit the midpoint of two floats. Easy values are within float32's normal range.
 */
static inline float anim_decimal_float(const struct anim_decimal *decimal)
{
	uint64_t wide_bits;
	uint32_t bits;
	double wide;
	float value;

	if (__builtin_expect(anim_decimal_is_easy(decimal), 1)) {
		wide = anim_decimal_easy_value(decimal);
		memcpy(&wide_bits, &wide, sizeof wide_bits);
		if (__builtin_expect((wide_bits & 0x1fffffff) != 0x10000000, 1))
			return (float)wide;
	}
	bits = (uint32_t)anim_decimal_round(&anim_binary32, decimal);
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* ---- Short texts compared eight bytes at a time, for readers that expect a certain text ---- */

/* Return whether `length` bytes are equal. Eight bytes after them must be readable in both texts. */
static inline bool anim_same_text(const uint8_t *at, const uint8_t *text, size_t length)
{
	uint64_t different = 0;

	for (; length > 8; length -= 8, at += 8, text += 8)
		different |= anim_load8((const char *)at) ^ anim_load8((const char *)text);
	if (length == 0)
		return different == 0;
	return ((anim_load8((const char *)at) ^ anim_load8((const char *)text)) << (64 - 8 * length) | different) == 0;
}

#endif
