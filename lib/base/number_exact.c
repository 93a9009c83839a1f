/* number_exact.c: a decimal against a binary number, in integers; the last resort of number_parse.c. */
#include <assert.h>

#include "base/number_internal.h"

/*
 * A midpoint of two doubles has at most 767 significant digits: of more than 800 it only matters whether there are
 * others than 0 behind, for which one digit 1 stands.
 */
#define DIGITS_MAX 800

/* Both sides are about equal and one of them is 801 digits (2661 bits) or 55 bits * 5^1142 (2707 bits) at most. */
#define LIMBS_MAX 96

struct big {
	uint32_t limb[LIMBS_MAX]; /* the lowest first */
	size_t count;             /* the highest of them is not 0 */
};

static void push(struct big *a, uint32_t limb)
{
	assert(a->count < LIMBS_MAX);
	a->limb[a->count++] = limb;
}

static void multiply_add(struct big *a, uint32_t factor, uint32_t addend)
{
	uint64_t carry = addend;

	for (size_t i = 0; i < a->count; i++) {
		carry += (uint64_t)a->limb[i] * factor;
		a->limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry != 0)
		push(a, (uint32_t)carry);
}

static void multiply_power5(struct big *a, int64_t n)
{
	for (; n >= 13; n -= 13)
		multiply_add(a, 1220703125, 0);
	for (; n > 0; n--)
		multiply_add(a, 5, 0);
}

static void shift_left(struct big *a, int64_t bits)
{
	size_t limbs = (size_t)(bits / 32);

	if (bits % 32 != 0)
		multiply_add(a, UINT32_C(1) << bits % 32, 0);
	if (a->count == 0)
		return;
	assert(a->count + limbs <= LIMBS_MAX);
	memmove(a->limb + limbs, a->limb, a->count * sizeof *a->limb);
	memset(a->limb, 0, limbs * sizeof *a->limb);
	a->count += limbs;
}

static int compare(const struct big *a, const struct big *b)
{
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	for (size_t i = a->count; i-- > 0;) {
		if (a->limb[i] != b->limb[i])
			return a->limb[i] < b->limb[i] ? -1 : 1;
	}
	return 0;
}

/* The decimal's digits as an integer; returns the power of ten that goes with it. */
static int64_t read_digits(const struct anim_decimal *decimal, struct big *a)
{
	int64_t left = 0;
	int taken = 0;
	bool more = false;

	a->count = 0;
	for (const char *at = decimal->first; at < decimal->last; at++) {
		if (*at == '.' || (taken == 0 && *at == '0'))
			continue;
		if (taken < DIGITS_MAX) {
			multiply_add(a, 10, (uint32_t)(*at - '0'));
			taken++;
		} else {
			left++;
			more = more || *at != '0';
		}
	}
	if (!more)
		return decimal->unit + left;
	multiply_add(a, 10, 1);
	return decimal->unit + left - 1;
}

int anim_decimal_compare(const struct anim_decimal *decimal, uint64_t odd, int exponent)
{
	struct big a, b = {{(uint32_t)odd, (uint32_t)(odd >> 32)}, odd >> 32 != 0 ? 2 : 1};
	int64_t power = read_digits(decimal, &a);

	/* digits * 5^power * 2^power against odd * 2^exponent, all exponents made positive */
	if (power >= 0)
		multiply_power5(&a, power);
	else
		multiply_power5(&b, -power);
	if (power >= exponent)
		shift_left(&a, power - exponent);
	else
		shift_left(&b, exponent - power);
	return compare(&a, &b);
}
