/*
 * generate_stream.c: makes the streams that archives are measured on, the same bytes each time.
 *   bench_generate_stream smooth BONES KEYS    baked positions and rotations, sums of sinusoids at 60 Hz
 *   bench_generate_stream noisy BONES KEYS     the same with noise of 0.001 on each number, as from cameras and sensors
 *   bench_generate_stream random BONES KEYS    numbers between -1 and 1 that have nothing to do with each other
 *   bench_generate_stream strings BONES KEYS   captions and event calls, a JSON object a key
 * Writes to stdout.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "math/elementary.h"
#include "stream/stream.h"

#define TURN 6.283185307179586
#define RATE_HZ 60
#define NOISE 0.001

enum set { SMOOTH, NOISY, RANDOM, STRINGS };

static void check(int status, const struct anim_error *error)
{
	if (status == 0)
		return;
	fprintf(stderr, "generate_stream: %s\n", error->message);
	exit(1);
}

/* Between -1 and 1; splitmix64. */
static double random_number(uint64_t *state)
{
	uint64_t z = *state += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return (double)(int64_t)(z ^ z >> 31) / 9223372036854775808.0;
}

/* One component of a bone's position (components 0 to 2) or rotation (3 to 6). No two frequencies have a period in common. */
static double component_at(unsigned bone, unsigned component, double t)
{
	double angle =
	    0.9 * anim_sin(TURN * t * (0.2071 + 0.010303 * (bone % 50))) + 0.3 * anim_sin(TURN * t * 0.7320508 + bone);
	double tilt = 0.5 * anim_sin(TURN * t * 0.11235813 + 0.3 * bone);

	switch (component) {
	case 3:
		return anim_sin(angle / 2) * anim_cos(tilt);
	case 4:
		return anim_sin(angle / 2) * anim_sin(tilt) * 0.8;
	case 5:
		return anim_sin(angle / 2) * anim_sin(tilt) * 0.6;
	case 6:
		return anim_cos(angle / 2);
	default:
		return 0.1 * bone + 0.5 * anim_sin(TURN * t * (0.3141593 + 0.0693147 * component) + bone + component) +
		       0.02 * anim_cos(TURN * t * 2.2360679 + component);
	}
}

static void raw_track(struct anim_sink *sink, enum set set, unsigned bone, bool rotation, size_t keys)
{
	const unsigned components = rotation ? 4 : 3;
	float *values = malloc(keys * components * sizeof *values);
	uint64_t seed = bone * 2 + rotation;
	struct anim_error error = {0};
	char node[64];
	struct anim_track track = {.kind = ANIM_RAW,
				   .type = rotation ? ANIM_FLOATQ : ANIM_FLOAT3,
				   .node = node,
				   .property = rotation ? "rotation" : "position",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = keys,
				   .rate_num = RATE_HZ,
				   .rate_den = 1,
				   .value = values};

	if (values == NULL)
		exit(1);
	snprintf(node, sizeof node, "Armature/Skeleton3D:bone%u", bone);
	for (size_t k = 0; k < keys; k++)
		for (unsigned i = 0; i < components; i++) {
			double noise = set == SMOOTH ? 0 : random_number(&seed);

			values[k * components + i] =
			    (float)(set == RANDOM ? noise
						  : component_at(bone, rotation ? 3 + i : i, (double)k / RATE_HZ) +
							NOISE * noise);
		}
	check(anim_sink_track(sink, &track, &error), &error);
	free(values);
}

/* Words in an order that does not repeat, in the shape that events and captions have. */
static size_t caption(char *out, size_t room, size_t key, uint64_t *seed)
{
	static const char *const words[] = {"step", "left",  "right", "jump", "land", "turn", "look", "wave",
					    "open", "close", "door",  "hand", "foot", "head", "wind", "water"};
	int used =
	    snprintf(out, room, "{\"method\":\"%s\",\"args\":[", words[(size_t)(8 + 8 * random_number(seed)) % 16]);

	for (size_t i = 0; i < 2 + key % 7; i++)
		used += snprintf(out + used, room - (size_t)used, "\"%s\",",
				 words[(size_t)(8 + 8 * random_number(seed)) % 16]);
	used += snprintf(out + used, room - (size_t)used, "%.4f]}", random_number(seed));
	return (size_t)used;
}

static void string_track(struct anim_sink *sink, unsigned number, size_t keys)
{
	uint32_t *length = malloc(keys * sizeof *length);
	uint64_t *start = malloc(keys * sizeof *start), seed = number;
	float *time = malloc(keys * sizeof *time);
	struct anim_buffer bytes = {0};
	struct anim_strings strings = {.length = length, .start = start};
	struct anim_error error = {0};
	char node[64], text[512];
	struct anim_track track = {.kind = ANIM_DISCRETE,
				   .type = ANIM_STRING,
				   .node = node,
				   .property = "@method",
				   .component = ANIM_WHOLE,
				   .n = keys,
				   .time = time,
				   .strings = &strings};

	if (length == NULL || start == NULL || time == NULL)
		exit(1);
	snprintf(node, sizeof node, "Stage/Actor%u", number);
	for (size_t k = 0; k < keys; k++) {
		time[k] = (float)((double)k / 7 + 0.01 * random_number(&seed));
		start[k] = bytes.size;
		length[k] = (uint32_t)caption(text, sizeof text, k, &seed);
		check(anim_buffer_append(&bytes, text, length[k], &error), &error);
	}
	strings.bytes = (const char *)bytes.data;
	strings.bytes_size = bytes.size;
	check(anim_sink_track(sink, &track, &error), &error);
	anim_buffer_clear(&bytes);
	free(length);
	free(start);
	free(time);
}

static void write_stream(enum set set, unsigned bones, size_t keys)
{
	struct anim_stream_writer_options options = {.own = NULL};
	struct anim_clip clip = {.end_s = (float)((double)(keys - 1) / (set == STRINGS ? 7 : RATE_HZ)),
				 .axes = ANIM_AXES_GODOT,
				 .name = "take",
				 .root = ".",
				 .source = "godot4"};
	struct anim_error error = {0};
	struct anim_output *output;
	struct anim_sink *sink;

	check(anim_output_open(&output, NULL, &error), &error);
	sink = anim_stream_writer_new(output, &options, &error);
	check(sink == NULL, &error);
	check(anim_sink_clip(sink, &clip, &error), &error);
	for (unsigned bone = 0; bone < bones; bone++) {
		if (set == STRINGS) {
			string_track(sink, bone, keys);
			continue;
		}
		raw_track(sink, set, bone, false, keys);
		raw_track(sink, set, bone, true, keys);
	}
	check(anim_sink_end(sink, &error), &error);
	check(anim_output_commit(output, &error), &error);
	anim_sink_free(sink);
	anim_output_free(output);
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"smooth", "noisy", "random", "strings"};
	unsigned bones, keys;
	int set = 0;

	while (argc == 4 && set < 4 && strcmp(argv[1], names[set]) != 0)
		set++;
	if (argc != 4 || set == 4 || (bones = (unsigned)atoi(argv[2])) == 0 || (keys = (unsigned)atoi(argv[3])) == 0) {
		fputs("usage: bench_generate_stream smooth|noisy|random|strings BONES KEYS\n", stderr);
		return 2;
	}
	write_stream((enum set)set, bones, keys);
	return 0;
}
