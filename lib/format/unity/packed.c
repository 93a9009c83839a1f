/* packed.c: bit-packed rotation curves of legacy clips (m_CompressedRotationCurves). */
#include "format/unity/clip.h"

#include <math.h>

#include "base/text.h"

#define QUAT_BITS 32u    /* m_BitSize is ignored */
#define TIME_STEPS 100.0 /* per second */

/* Check that the data are hexadecimal and contain `count` items. A width of 0 needs none. Returns 0 or -1. */
static int check_packed(const struct unity_packed *packed, struct anim_error *error)
{
	size_t bytes = packed->digits / 2;

	if (packed->bits > 32)
		return anim_fail(error, ANIM_BAD_INPUT, "m_BitSize %u is too large; the maximum is 32", packed->bits);
	if (packed->digits % 2 != 0)
		return anim_fail(error, ANIM_BAD_INPUT, "m_Data has an odd number of digits");
	for (size_t i = 0; i < packed->digits; i++)
		if (anim_hex_digit(packed->data[i]) < 0)
			return anim_fail(error, ANIM_BAD_INPUT, "m_Data is not hexadecimal");
	if (packed->bits > 0 && packed->count > (uint64_t)bytes * 8 / packed->bits)
		return anim_fail(error, ANIM_BAD_INPUT, "m_Data has %zu bytes, too few for %llu items of %u bits",
				 bytes, (unsigned long long)packed->count, packed->bits);
	return 0;
}

/* Return `width` bits from bit `at` on, lowest bit first. The data were checked to contain them. */
static uint32_t bits_at(const struct unity_packed *packed, uint64_t at, unsigned width)
{
	uint64_t value = 0;
	unsigned shift = (unsigned)(at % 8), have = 0;

	for (uint64_t byte = at / 8; have < shift + width; byte++, have += 8) {
		int high = anim_hex_digit(packed->data[2 * byte]), low = anim_hex_digit(packed->data[2 * byte + 1]);

		value |= (uint64_t)(unsigned)(high << 4 | low) << have;
	}
	return (uint32_t)((value >> shift) & (((uint64_t)1 << width) - 1));
}

/*
 * Read a quaternion. Three components have 9 or 10 bits. The largest one is computed from length 1, and its sign has
 * its own bit.
 */
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

int unity_packed_read(const struct unity_packed *times, const struct unity_packed *rotations, struct anim_arena *arena,
		      struct anim_track *track, struct anim_error *error)
{
	struct unity_packed quats = *rotations;
	size_t n = (size_t)quats.count;
	float *time, *value, *slopes;
	uint64_t steps = 0;

	quats.bits = QUAT_BITS;
	if (times->count != quats.count)
		return anim_fail(error, ANIM_BAD_INPUT, "m_Times has %llu items, but m_Values has %llu",
				 (unsigned long long)times->count, (unsigned long long)quats.count);
	/*
	 * The values are checked first. They need four bytes of text each, so the size of the text limits the
	 * allocation.
	 */
	if (check_packed(&quats, error) != 0 || check_packed(times, error) != 0)
		return -1;
	time = anim_arena_zeroed(arena, n, sizeof *time, error);
	value = anim_arena_zeroed(arena, n, 4 * sizeof *value, error);
	slopes = anim_arena_zeroed(arena, n, 4 * sizeof *slopes, error);
	if (time == NULL || value == NULL || slopes == NULL)
		return -1;
	/*
	 * Times count steps since the previous key, not since the start. Tools differ in this, but only this reading lets
	 * the few bits in real files cover the length of the clip.
	 */
	for (size_t i = 0; i < n; i++) {
		steps += bits_at(times, i * times->bits, times->bits);
		time[i] = (float)((double)steps / TIME_STEPS);
	}
	/* Rotations go the short way from the key before. */
	for (size_t i = 0; i < n; i++) {
		float *to = value + 4 * i;
		const float *from = i > 0 ? to - 4 : to;
		double dot = 0;

		unpack_quat(&quats, i * QUAT_BITS, to);
		for (unsigned j = 0; j < 4; j++)
			dot += (double)from[j] * to[j];
		for (unsigned j = 0; j < 4 && dot < 0; j++)
			to[j] = -to[j];
	}
	/* Slopes come from the neighbouring keys. */
	for (size_t i = 0; i < n; i++) {
		size_t before = i > 0 ? i - 1 : 0, after = i + 1 < n ? i + 1 : i;
		double duration = (double)time[after] - time[before];

		for (unsigned j = 0; j < 4; j++) {
			double change = (double)value[4 * after + j] - value[4 * before + j];

			slopes[4 * i + j] = duration > 0 ? (float)(change / duration) : 0;
		}
	}
	track->n = n;
	track->time = time;
	track->value = value;
	track->left = track->right = slopes;
	return 0;
}
