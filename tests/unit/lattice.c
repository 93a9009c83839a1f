/* lattice.c: values on lattices, encoded and decoded again; damaged columns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stream/lattice.h"
#include "stream/record.h"
#include "tap.h"

#define MOST 9000u

static uint32_t state = 1;

/* Return a number from -1 to 1. */
static double noise(void)
{
	state = state * 1664525u + 1013904223u;
	return (double)(state >> 8) / (1 << 23) - 1;
}

static void fill(float *values, enum anim_type type, size_t n, double rough)
{
	unsigned components = anim_types[type].components;

	for (size_t k = 0; k < n; k++) {
		double a = (double)k / 50, half = 1.2 * sin(a), square = 0;
		double q[4] = {0.6 * sin(half), 0.8 * sin(half), rough * noise(), cos(half)};

		for (int i = 0; i < 4; i++)
			square += q[i] * q[i];
		for (unsigned i = 0; i < components; i++)
			values[k * components + i] =
			    (float)(anim_types[type].quaternion ? q[i] / sqrt(square)
								: 3 * sin(a * (i + 1)) + rough * noise() + i);
	}
}

static struct anim_track track_of(enum anim_type type, const float *values, size_t n)
{
	return (struct anim_track){.kind = ANIM_RAW,
				   .type = type,
				   .node = "A",
				   .property = anim_types[type].quaternion ? "rotation" : "position",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = n,
				   .rate_num = 30,
				   .rate_den = 1,
				   .value = values};
}

/* Decode an encoded track as one of version 2. Returns 0 or -1. */
static int decode(const struct anim_buffer *bytes, struct anim_track *out, struct anim_arena *arena,
		  struct anim_error *error)
{
	static struct anim_record record;

	anim_arena_reset(arena);
	anim_record_at(bytes->data, 0, &record);
	record.version = ANIM_STREAM_VERSION_LATTICE;
	return anim_record_track(&record, out, arena, error);
}

/* The largest error, as a part of the largest that the step allows. */
static double error_of(enum anim_type type, const float *a, const float *b, size_t n, double step)
{
	unsigned components = anim_types[type].components;
	double most = 0;

	for (size_t k = 0; k < n; k++) {
		double square = 0, other = 0;

		for (unsigned i = 0; i < components; i++) {
			double off = (double)a[k * components + i] - (double)b[k * components + i];
			double sum = (double)a[k * components + i] + (double)b[k * components + i];

			most = anim_types[type].quaternion ? most : fmax(most, (fabs(off) - 3e-7) / (step / 2));
			square += off * off;
			other += sum * sum;
		}
		/* |p - q| = 2 sin(angle / 4), and an angle is at most 4 sqrt(3) / 2 steps */
		if (anim_types[type].quaternion)
			most = fmax(most, (4 * asin(sqrt(fmin(square, other)) / 2) - 5e-7) / (2 * sqrt(3.0) * step));
	}
	return most;
}

TEST(round_trip, "a reader decodes the values that the encoder returned, and they are within the step")
{
	static const enum anim_type types[] = {ANIM_FLOAT,  ANIM_FLOAT2, ANIM_FLOAT3,
					       ANIM_FLOAT4, ANIM_FLOATQ, ANIM_COLOR};
	static const size_t counts[] = {1, 2, 3, 300, MOST};
	static float source[4 * MOST];
	struct anim_buffer bytes = {0}, values = {0};
	struct anim_arena arena = {0};

	for (size_t t = 0; t < sizeof types / sizeof *types; t++)
		for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
			for (int i = 0; i < 4; i++) {
				float step = (float)pow(10, -1 - i), steps[2] = {step, step};
				struct anim_track track = track_of(types[t], source, counts[c]), out;
				size_t size = counts[c] * anim_types[types[t]].size;

				fill(source, types[t], counts[c], 0.03);
				CHECK(anim_lattice_encode(&track, steps, NULL, 0, &bytes, &values, NULL) == 1);
				CHECK(values.size == size && decode(&bytes, &out, &arena, NULL) == 0);
				CHECK(memcmp(out.value, values.data, size) == 0);
				CHECK(error_of(types[t], source, out.value, counts[c], (double)step) <= 1);
			}
	anim_buffer_clear(&bytes);
	anim_buffer_clear(&values);
	anim_arena_clear(&arena);
}

TEST(changes, "a change moves a value by its number of steps")
{
	static const struct anim_lattice_change changes[] = {{7, 1, 1}, {7, 1, 1}, {8500, 0, -3}};
	static float source[3 * MOST];
	const float steps[2] = {0.25f, 0.25f};
	struct anim_buffer bytes = {0}, values = {0}, plain = {0};
	struct anim_track track = track_of(ANIM_FLOAT3, source, MOST);
	const float *changed, *nearest;

	fill(source, ANIM_FLOAT3, MOST, 0.03);
	CHECK(anim_lattice_encode(&track, steps, NULL, 0, &bytes, &plain, NULL) == 1);
	CHECK(anim_lattice_encode(&track, steps, changes, 3, &bytes, &values, NULL) == 1);
	changed = (const float *)(const void *)values.data;
	nearest = (const float *)(const void *)plain.data;
	CHECK(fabs((double)(changed[22] - nearest[22]) - 0.5) < 1e-6);
	CHECK(fabs((double)(changed[25500] - nearest[25500]) + 0.75) < 1e-6);
	CHECK(memcmp(changed + 23, nearest + 23, 25477 * sizeof *changed) == 0);
	anim_buffer_clear(&bytes);
	anim_buffer_clear(&values);
	anim_buffer_clear(&plain);
}

TEST(refused, "values that are not finite or too far for the step have no lattice")
{
	float source[6] = {0, 1, 2, INFINITY, 4, 5}, steps[1] = {0.1f};
	struct anim_track track = track_of(ANIM_FLOAT, source, 6);
	struct anim_buffer bytes = {0}, values = {0};

	CHECK(anim_lattice_encode(&track, steps, NULL, 0, &bytes, &values, NULL) == 0);
	source[3] = 3e30f;
	CHECK(anim_lattice_encode(&track, steps, NULL, 0, &bytes, &values, NULL) == 0);
	source[3] = 3;
	CHECK(anim_lattice_encode(&track, steps, NULL, 0, &bytes, &values, NULL) == 1);
	track.type = ANIM_DOUBLE;
	CHECK(!anim_lattice_can(ANIM_DOUBLE) && !anim_lattice_can(ANIM_FLOAT4X4) && !anim_lattice_can(ANIM_STRING));
	CHECK(anim_lattice_encode(&track, steps, NULL, 0, &bytes, &values, NULL) == 0);
	anim_buffer_clear(&bytes);
	anim_buffer_clear(&values);
}

TEST(damaged, "a column with any changed byte is refused with its place, or decodes to as many values")
{
	static float source[4 * 300];
	const float steps[1] = {1e-3f};
	struct anim_buffer bytes = {0}, values = {0};
	struct anim_track track = track_of(ANIM_FLOATQ, source, 300), out;
	struct anim_arena arena = {0};
	size_t refused = 0;

	fill(source, ANIM_FLOATQ, 300, 0.03);
	CHECK(anim_lattice_encode(&track, steps, NULL, 0, &bytes, &values, NULL) == 1);
	for (size_t at = ANIM_RECORD_HEAD; at < bytes.size; at++)
		for (int bit = 0; bit < 8; bit++) {
			struct anim_error error = {0};
			int status;

			bytes.data[at] ^= (uint8_t)(1 << bit);
			status = decode(&bytes, &out, &arena, &error);
			CHECK(status == 0 || (error.message[0] != '\0' && error.offset <= bytes.size));
			refused += status != 0;
			bytes.data[at] ^= (uint8_t)(1 << bit);
		}
	CHECK(refused > bytes.size);
	anim_buffer_clear(&bytes);
	anim_buffer_clear(&values);
	anim_arena_clear(&arena);
}
