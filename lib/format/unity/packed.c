/* packed.c: integers and quaternions out of Unity's bit-packed vectors. */
#include "format/unity/packed.h"

#include <math.h>

#define TIME_STEPS 100.0 /* a second */

/* The digit's value, above 15 for none. */
static unsigned digit(char c)
{
	unsigned letter = ((unsigned char)c | 0x20u) - 'a';

	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	return letter < 6 ? letter + 10 : 16;
}

int unity_packed_check(const struct unity_packed *packed, struct anim_error *error)
{
	size_t bytes = packed->digits / 2;

	if (packed->bits > 32)
		return anim_fail(error, ANIM_BAD_INPUT, "an m_BitSize of %u, at most 32 are possible", packed->bits);
	if (packed->digits % 2 != 0)
		return anim_fail(error, ANIM_BAD_INPUT, "m_Data with an odd number of digits");
	for (size_t i = 0; i < packed->digits; i++)
		if (digit(packed->data[i]) > 15)
			return anim_fail(error, ANIM_BAD_INPUT, "m_Data that is not hexadecimal");
	if (packed->bits > 0 && packed->count > (uint64_t)bytes * 8 / packed->bits)
		return anim_fail(error, ANIM_BAD_INPUT, "m_Data of %zu bytes for %llu items of %u bits", bytes,
				 (unsigned long long)packed->count, packed->bits);
	return 0;
}

static unsigned byte_at(const struct unity_packed *packed, uint64_t byte)
{
	return digit(packed->data[2 * byte]) << 4 | digit(packed->data[2 * byte + 1]);
}

/* `width` bits from bit `at` on, the first of them the lowest. The data were checked to hold them. */
static uint32_t bits_at(const struct unity_packed *packed, uint64_t at, unsigned width)
{
	uint64_t value = 0;
	unsigned shift = (unsigned)(at % 8), have = 0;

	for (uint64_t byte = at / 8; have < shift + width; byte++, have += 8)
		value |= (uint64_t)byte_at(packed, byte) << have;
	return (uint32_t)((value >> shift) & (((uint64_t)1 << width) - 1));
}

int unity_packed_times(const struct unity_packed *packed, float *time_s, struct anim_error *error)
{
	uint64_t steps = 0;

	if (unity_packed_check(packed, error) != 0)
		return -1;
	for (uint64_t i = 0; i < packed->count; i++) {
		steps += bits_at(packed, i * packed->bits, packed->bits);
		time_s[i] = (float)((double)steps / TIME_STEPS);
	}
	return 0;
}

/* Three of the components in 9 or 10 bits; the largest is what is missing to length 1, its sign a bit of its own. */
static void unpack_quat(const struct unity_packed *packed, uint64_t at, float xyzw[4])
{
	uint32_t flags = bits_at(packed, at, 3);
	unsigned dropped = flags & 3;
	double q[4] = {0}, sum = 0, length;

	at += 3;
	for (unsigned j = 0; j < 4; j++) {
		unsigned width = j == (dropped + 1) % 4 ? 9 : 10;

		if (j == dropped)
			continue;
		q[j] = bits_at(packed, at, width) / (0.5 * ((1u << width) - 1)) - 1;
		sum += q[j] * q[j];
		at += width;
	}
	q[dropped] = sqrt(sum < 1 ? 1 - sum : 0);
	if (flags & 4)
		q[dropped] = -q[dropped];
	length = sqrt(sum + q[dropped] * q[dropped]);
	for (unsigned j = 0; j < 4; j++)
		xyzw[j] = (float)(q[j] / length);
}

int unity_packed_quats(const struct unity_packed *packed, float *xyzw, struct anim_error *error)
{
	struct unity_packed quats = *packed;

	quats.bits = UNITY_PACKED_QUAT_BITS;
	if (unity_packed_check(&quats, error) != 0)
		return -1;
	for (uint64_t i = 0; i < quats.count; i++)
		unpack_quat(&quats, i * UNITY_PACKED_QUAT_BITS, xyzw + 4 * i);
	return 0;
}

static void make_continuous(float *xyzw, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		float *to = xyzw + 4 * i;
		const float *from = to - 4;
		double dot = 0;

		for (unsigned j = 0; j < 4; j++)
			dot += (double)from[j] * to[j];
		for (unsigned j = 0; j < 4 && dot < 0; j++)
			to[j] = -to[j];
	}
}

void unity_packed_slopes(const float *time_s, float *xyzw, float *slopes, size_t n)
{
	make_continuous(xyzw, n);
	for (size_t i = 0; i < n; i++) {
		size_t before = i > 0 ? i - 1 : 0, after = i + 1 < n ? i + 1 : i;
		double duration = (double)time_s[after] - time_s[before];

		for (unsigned j = 0; j < 4; j++) {
			double change = (double)xyzw[4 * after + j] - xyzw[4 * before + j];

			slopes[4 * i + j] = duration > 0 ? (float)(change / duration) : 0;
		}
	}
}
