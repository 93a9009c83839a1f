/* animx_round.c: every type, kind and mode, written and read back, in every encoding and order. */
#include <stdio.h>
#include <string.h>

#include "animx_help.h"
#include "stream/record.h"
#include "tap.h"

#define KEYS 5

static const float times[KEYS] = {0, 0.25f, 0.5f, 0.75f, 1};
static const uint32_t lengths[KEYS] = {3, ANIM_NULL_STRING, 0, 4, 200};
static const uint64_t starts[KEYS] = {0, 0, 3, 3, 7};
static const struct anim_strings strings = {
    lengths, starts,
    "onefour"
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",
    207};

/* Bytes that are values of any type: no NaN, no bool beyond its bits; quaternions need not be unit. */
static void fill(enum anim_type type, unsigned seed, uint8_t *column)
{
	size_t size = KEYS * anim_types[type].size;

	for (size_t i = 0; i < size; i++) {
		seed = seed * 1103515245u + 12345u;
		column[i] = (uint8_t)(seed >> 16);
	}
	for (size_t i = 0; i < size && anim_types[type].scalar == ANIM_SCALAR_BOOL; i++)
		column[i] &= (uint8_t)((1u << anim_types[type].components) - 1);
	for (size_t i = anim_types[type].component_size - 1; i < size && anim_type_is_real(type);
	     i += anim_types[type].component_size)
		column[i] = 0xbf; /* about -1 */
}

struct columns {
	uint8_t value[KEYS * 128], left[KEYS * 128], right[KEYS * 128], modes[KEYS];
	char name[32];
};

/* kind, and for a Curve the mode of all keys, or each its own. */
static struct anim_track make(enum anim_type type, enum anim_kind kind, uint8_t interp, struct columns *columns)
{
	struct anim_track track = {.kind = kind,
				   .type = type,
				   .rules = ANIM_RULES_RESONITE,
				   .node = "Node",
				   .property = columns->name,
				   .component = ANIM_WHOLE,
				   .interp = interp,
				   .n = KEYS,
				   .time = kind == ANIM_RAW ? NULL : times,
				   .value = type == ANIM_STRING ? NULL : columns->value,
				   .strings = type == ANIM_STRING ? &strings : NULL};

	snprintf(columns->name, sizeof columns->name, "%s %d %u", anim_types[type].name, (int)kind, interp);
	fill(type, type + 1u, columns->value);
	fill(type, type + 77u, columns->left);
	fill(type, type + 777u, columns->right);
	for (int k = 0; k < KEYS; k++)
		columns->modes[k] = (uint8_t)(type == ANIM_STRING ? k % 2 : k % 4);
	if (kind == ANIM_RAW) {
		track.rate_num = 30;
		track.rate_den = 1;
	}
	if (interp == ANIM_INTERP_COLUMN)
		track.interps = columns->modes;
	if (type != ANIM_STRING && interp >= ANIM_TANGENT) {
		track.left = columns->left;
		track.right = columns->right;
	}
	return track;
}

/* Equal as the stream has them, byte for byte. */
static void check_same(const struct anim_track *track, struct animx_trial *read, const char *what)
{
	struct anim_buffer a = {0}, b = {0};
	struct anim_track back;

	if (CHECKF(anim_store_tracks(read->store, 0) == 1 && anim_store_read(read->store, 0, 0, &back, NULL) == 0, "%s",
		   what)) {
		back.record = NULL;
		CHECKF(anim_encode_track(&a, track, &read->error) == 0 &&
			   anim_encode_track(&b, &back, &read->error) == 0,
		       "%s: %s", what, read->error.message);
		CHECKF(a.size == b.size && memcmp(a.data, b.data, a.size) == 0, "%s came back otherwise", what);
	}
	anim_buffer_clear(&a);
	anim_buffer_clear(&b);
}

static void check_round(const struct anim_track *track, const struct anim_write_options *options)
{
	const struct anim_clip clip = {.end_s = 1, .name = "c", .root = ".", .source = "animx"};
	struct animx_trial written = {0}, read = {0};
	const uint8_t *bytes;
	size_t size;

	if (CHECKF(animx_write(&written, options, &clip, track, 1), "%s: %s", track->property, written.error.message)) {
		bytes = anim_output_memory(written.out, &size);
		if (CHECKF(animx_read_bytes(&read, bytes, size), "%s: %s", track->property, read.error.message))
			check_same(track, &read, track->property);
	}
	animx_clear(&written);
	animx_clear(&read);
}

static void check_encodings(const struct anim_track *track)
{
	for (int encoding = 0; encoding < ANIM_ANIMX_ENCODING_COUNT; encoding++)
		check_round(track, &(struct anim_write_options){.encoding = (enum anim_animx_encoding)encoding});
}

TEST(animx_round_raw, "Raw and Discrete tracks of all 40 types come back byte for byte from each encoding")
{
	static struct columns columns;

	for (int type = 0; type < ANIM_TYPE_COUNT; type++) {
		struct anim_track raw = make((enum anim_type)type, ANIM_RAW, ANIM_LINEAR, &columns), discrete;

		check_encodings(&raw);
		discrete = make((enum anim_type)type, ANIM_DISCRETE, ANIM_HOLD, &columns);
		check_encodings(&discrete);
	}
}

TEST(animx_round_curve, "Curve tracks of all 40 types and all modes come back byte for byte from each encoding")
{
	static const uint8_t modes[] = {ANIM_HOLD, ANIM_LINEAR, ANIM_TANGENT, ANIM_CUBIC_BEZIER, ANIM_INTERP_COLUMN};
	static struct columns columns;

	for (int type = 0; type < ANIM_TYPE_COUNT; type++)
		for (size_t i = 0; i < sizeof modes; i++) {
			bool bends = modes[i] == ANIM_TANGENT || modes[i] == ANIM_CUBIC_BEZIER;
			struct anim_track track;

			if (type == ANIM_STRING && bends)
				continue;
			track = make((enum anim_type)type, ANIM_CURVE, modes[i], &columns);
			check_encodings(&track);
		}
}

TEST(animx_round_value_first, "a file with the value first is read as what it was, where the times tell")
{
	const struct anim_write_options options = {.key_order = ANIM_ANIMX_VALUE_TIME};
	static struct columns columns;

	for (int type = 0; type < ANIM_TYPE_COUNT; type++) {
		struct anim_track track = make((enum anim_type)type, ANIM_CURVE, ANIM_LINEAR, &columns);

		/* Read from its other end, a small integer is as good a time as any. */
		if (anim_type_is_real((enum anim_type)type) || type == ANIM_STRING)
			check_round(&track, &options);
	}
}

TEST(animx_round_chunks, "a track of more than one LZ4 chunk and more than one window comes back")
{
	enum { MANY = 300000 };
	static float many_times[MANY], values[3 * MANY];
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = ANIM_FLOAT3,
				   .rules = ANIM_RULES_RESONITE,
				   .node = "Node",
				   .property = "position",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = MANY,
				   .time = many_times,
				   .value = values};

	for (int k = 0; k < MANY; k++) {
		many_times[k] = (float)k / 128;
		for (int i = 0; i < 3; i++)
			values[3 * k + i] = (float)((k * 79 + i) % 1000) - 1001;
	}
	check_encodings(&track);
}
