/* number_help.h: bits of numbers, random numbers and big integers for the tests of numbers. */
#ifndef ANIM_TESTS_NUMBER_HELP_H
#define ANIM_TESTS_NUMBER_HELP_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline uint64_t double_bits(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static inline double bits_double(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

static inline uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static inline float bits_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* splitmix64 */
static inline uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* A natural number below 2^4096, the lowest limb first. */
struct big {
	uint32_t limb[128];
};

static inline void big_set(struct big *big, uint64_t value)
{
	memset(big, 0, sizeof *big);
	big->limb[0] = (uint32_t)value;
	big->limb[1] = (uint32_t)(value >> 32);
}

static inline void big_multiply(struct big *big, uint32_t factor)
{
	uint64_t carry = 0;

	for (int i = 0; i < 128; i++) {
		carry += (uint64_t)big->limb[i] * factor;
		big->limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry != 0)
		abort();
}

/* Returns the rest. */
static inline uint32_t big_divide(struct big *big, uint32_t divisor)
{
	uint64_t rest = 0;

	for (int i = 127; i >= 0; i--) {
		rest = rest << 32 | big->limb[i];
		big->limb[i] = (uint32_t)(rest / divisor);
		rest %= divisor;
	}
	return (uint32_t)rest;
}

/* How many bits, 0 for 0. */
static inline int big_bits(const struct big *big)
{
	for (int i = 127; i >= 0; i--) {
		if (big->limb[i] != 0)
			return 32 * i + 32 - __builtin_clz(big->limb[i]);
	}
	return 0;
}

static inline int big_bit(const struct big *big, int at)
{
	return at < 0 ? 0 : big->limb[at / 32] >> at % 32 & 1;
}

/* Decimal digits with NUL; how many. The number is lost. */
static inline size_t big_text(struct big *big, char *text, size_t capacity)
{
	size_t at = capacity - 1;

	text[at] = '\0';
	do {
		if (at == 0)
			abort();
		text[--at] = (char)('0' + big_divide(big, 10));
	} while (big_bits(big) > 0);
	memmove(text, text + at, capacity - at);
	return capacity - at - 1;
}

#endif
