/* number_internal.h: parts shared by the files of base/number.h: parsed decimals, powers of ten, 128-bit products. */
#ifndef ANIM_BASE_NUMBER_INTERNAL_H
#define ANIM_BASE_NUMBER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A number as it was written. `first`..`last` are its digits and its point, borrowed from the text. */
struct anim_decimal {
	uint64_t mantissa; /* the first 19 significant digits, or all if there are fewer */
	int64_t exponent;  /* the number is mantissa * 10^exponent; if truncated, up to one unit of it more */
	int64_t unit;      /* the number is all digits as one integer * 10^unit */
	const char *first, *last;
	bool truncated; /* digits other than 0 are missing in the mantissa */
};

/* An IEEE binary format: the stored bits of its mantissa and the bias of its exponent. */
struct anim_binary_format {
	int mantissa_bits, bias;
};

extern const struct anim_binary_format anim_binary32, anim_binary64;

/* Return the bits of the nearest number of this format, ties to even, without sign. Any decimal is allowed. */
uint64_t anim_decimal_round(const struct anim_binary_format *, const struct anim_decimal *);

/* Fill `mantissa`, `exponent` and `truncated` from `unit`, `first` and `last`, for more than 19 digits. */
void anim_decimal_cut(struct anim_decimal *);

/* 10^i as integers, and as doubles for the exact powers. */
extern const uint64_t anim_power10_uint64[20];
extern const double anim_power10_double[23];

/*
 * 10^q for ANIM_POWER_MIN <= q <= ANIM_POWER_MAX as 128 bits high:low, rounded down, with the top bit set. So 10^q =
 * (high * 2^64 + low + r) * 2^(anim_floor_log2_power10(q) - 127) with 0 <= r < 1, and r = 0 exactly if 0 <= q <= 55.
 */
struct anim_power {
	uint64_t high, low;
};

#define ANIM_POWER_MIN (-342)
#define ANIM_POWER_MAX 324
#define ANIM_POWER_EXACT_MAX 55
extern const struct anim_power anim_powers[ANIM_POWER_MAX - ANIM_POWER_MIN + 1];

/* Return floor(log2(10^q)) for each q of the table. The factor is log2(10) * 2^19. */
static inline int anim_floor_log2_power10(int q)
{
	return (q * 1741647) >> 19;
}

struct anim_product {
	uint64_t high, low;
};

/* Return the 128-bit product of two 64-bit numbers. */
static inline struct anim_product anim_multiply(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__) && !defined(ANIM_NO_INT128)
	__extension__ unsigned __int128 product = (unsigned __int128)a * b;

	return (struct anim_product){(uint64_t)(product >> 64), (uint64_t)product};
#else
	uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
	uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;

	return (struct anim_product){a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)low};
#endif
}

/* Load eight bytes. The first is in the lowest bits. */
static inline uint64_t anim_load8(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof word);
	return word;
}

static inline void anim_store8(char *at, uint64_t word)
{
	memcpy(at, &word, sizeof word);
}

/* anim_number_print_grisu2 by its own steps for every number. */
size_t anim_number_grisu2_plain(char *buffer, double value, bool narrow);

struct anim_number_texts;

/*
 * anim_number_floats and anim_number_row as a plain loop, and with AVX2 (NULL if the compiler or the processor does
 * not support it).
 */
typedef size_t anim_number_floats_function(const char *, const char *, float *, size_t, const char **);
anim_number_floats_function anim_number_floats_plain, anim_number_row_plain;
anim_number_floats_function *anim_number_floats_wide(void), *anim_number_row_wide(void);

/* anim_number_print_floats as a plain loop, and with AVX2 (NULL as above). */
typedef void anim_number_texts_function(const float *, size_t, size_t, struct anim_number_texts *);
anim_number_texts_function anim_number_texts_plain;
anim_number_texts_function *anim_number_texts_wide(void);

#endif
