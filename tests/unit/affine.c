/* affine.c: tracks through a matrix. */
#include <string.h>

#include "filter/common/affine.h"
#include "tap.h"

#define KEYS 37

/* Numbers of all sizes, and zeros of both signs. */
static void fill(float *out, size_t n)
{
	uint32_t seed = 1;

	for (size_t i = 0; i < n; i++) {
		seed = seed * 1664525u + 1013904223u;
		out[i] = i % 11 == 0 ? -0.0f : (float)(int32_t)seed * (i % 3 == 0 ? 0x1p-31f : 0x1p-50f);
	}
}

/* Number by number, as the matrix is written. */
static void plain(const struct anim_affine *a, bool moves, const float *in, float *out)
{
	for (size_t k = 0; k < KEYS; k++)
		for (unsigned row = 0; row < a->components; row++) {
			double sum = moves ? a->offset[row] : 0;

			for (unsigned column = 0; column < a->components; column++)
				sum += a->m[row][column] * (double)in[a->components * k + column];
			out[a->components * k + row] = (float)sum;
		}
}

TEST(affine_floats, "values and slopes of floats become the same bits many at a time as one by one")
{
	static const double turn[4] = {0.1, -0.7, 0.3, 0.6403124237432849}, other[4] = {0.5, 0.5, -0.5, 0.5};
	float values[4 * KEYS], slopes[4 * KEYS], times[KEYS], want[4 * KEYS];
	struct anim_buffer columns[ANIM_COLUMN_COUNT] = {{0}};
	struct anim_affine affine;
	struct anim_error error;
	struct anim_track track = {.kind = ANIM_CURVE, .interp = ANIM_HERMITE, .component = ANIM_WHOLE, .n = KEYS}, out;

	fill(values, 4 * KEYS);
	fill(slopes, 4 * KEYS);
	fill(times, KEYS);
	track.time = times;
	track.value = values;
	track.left = track.right = slopes;
	for (unsigned components = 3; components <= 4; components++) {
		size_t size = components * KEYS * sizeof(float);

		anim_affine_rotation(&affine, turn, other);
		affine.components = components;
		affine.offset[1] = 0.25;
		track.type = components == 4 ? ANIM_FLOATQ : ANIM_FLOAT3;
		CHECK(anim_affine_track(&affine, &track, columns, &out, &error) == 1);
		plain(&affine, true, values, want);
		CHECK(memcmp(out.value, want, size) == 0);
		plain(&affine, false, slopes, want);
		CHECK(memcmp(out.left, want, size) == 0 && memcmp(out.right, want, size) == 0);
		for (unsigned row = 0; row < components; row++) { /* what leaves the range is seen in each of them */
			affine.offset[row] += 0x1p128;
			CHECK(anim_affine_track(&affine, &track, columns, &out, &error) == -1);
			affine.offset[row] -= 0x1p128;
		}
	}
	for (int i = 0; i < ANIM_COLUMN_COUNT; i++)
		anim_buffer_clear(&columns[i]);
}
