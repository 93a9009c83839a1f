/*
 * fuzz_filter.c: any stream, its CRCs made right, goes through every filter and writer: each refuses it with a message, or
 * what comes out reads back, the same twice.
 */
#include <stdio.h>

#include "crcs.h"
#include "filter/axes/axes.h"
#include "filter/delta.h"
#include "filter/info/info.h"
#include "filter/mirror/mirror.h"
#include "filter/pin/pin.h"
#include "filter/reduce/reduce.h"
#include "filter/resample.h"
#include "filter/retarget/retarget.h"
#include "filter/root/root.h"
#include "format/animj/animj.h"
#include "format/dump/dump.h"
#include "fuzz.h"

#define SECONDS_MAX 10 /* clips are cut to this: a long one is many samples, which finds no more */
#define RATE 7

/* What a target is tried with; `choice` is drawn from the bytes, so that the same input does the same. */
struct trial {
	struct anim_diagnostics diagnostics;
	struct anim_output *output;
	struct anim_error error;
	unsigned choice;
	struct anim_skeleton *skeleton; /* a tree to bring clips onto */
};

typedef struct anim_sink *make_sink(struct trial *);

static struct anim_sink *stream_writer(struct trial *trial)
{
	static const struct anim_stream_writer_options plain;
	struct anim_sink *writer = anim_stream_writer_new(trial->output, &plain, &trial->error);

	DEMAND(writer != NULL);
	return writer;
}

static struct anim_sink *make_resample(struct trial *trial)
{
	struct anim_resample_options options = {.rate_num = RATE,
						.rate_den = 1,
						.end = (enum anim_grid_end)(trial->choice & 3),
						.all = (trial->choice & 4) != 0,
						.diagnostics = &trial->diagnostics};

	return anim_resample_new(&options, stream_writer(trial), &trial->error);
}

static struct anim_sink *make_axes(struct trial *trial)
{
	struct anim_axes_options options = {.target = trial->choice & 1 ? ANIM_AXES_UNITY : ANIM_AXES_GODOT,
					    .from = trial->choice & 2 ? ANIM_AXES_GODOT : ANIM_AXES_UNITY,
					    .mirror = trial->choice & 4 ? ANIM_MIRROR_Z : ANIM_MIRROR_X,
					    .from2d = trial->choice & 2 ? ANIM_AXES2D_GODOT : ANIM_AXES2D_UNITY,
					    .ppu = ANIM_AXES_PPU,
					    .diagnostics = &trial->diagnostics};

	if (trial->choice & 8)
		options.target2d = trial->choice & 1 ? ANIM_AXES2D_UNITY : ANIM_AXES2D_GODOT;
	return anim_axes_new(&options, stream_writer(trial), &trial->error);
}

static struct anim_sink *make_animj(struct trial *trial)
{
	struct anim_write_options options = {.pretty = trial->choice & 1,
					     .raw_as_curve = (trial->choice & 2) != 0,
					     .keep_double = (trial->choice & 4) != 0,
					     .source_names = (trial->choice & 8) != 0,
					     .diagnostics = &trial->diagnostics};

	return anim_animj_writer_new(trial->output, &options, &trial->error);
}

static struct anim_sink *make_root(struct trial *trial)
{
	static const char *const names[] = {"Hip", "n1", "A", "B"};
	struct anim_root_options options = {.hips = names[trial->choice & 3],
					    .axes = {true, (trial->choice & 4) != 0, true},
					    .yaw = (trial->choice & 8) != 0,
					    .in_place = (trial->choice & 16) != 0,
					    .loop = (trial->choice & 32) != 0,
					    .tolerance_m = 0.01,
					    .tolerance_deg = 1,
					    .diagnostics = &trial->diagnostics};

	return anim_root_humanoid_new(&options, anim_root_new(&options, stream_writer(trial), &trial->error),
				      &trial->error);
}

static struct anim_sink *make_pin(struct trial *trial)
{
	const struct anim_pin_options options = {.height = trial->choice & 1 ? 0.05 : 10,
						 .speed = trial->choice & 2 ? 0.4 : 100,
						 .ease_s = trial->choice & 4 ? 0.1 : 0,
						 .lower = trial->choice & 8 ? 0.05 : 0,
						 .diagnostics = &trial->diagnostics};

	return anim_pin_new(&options, stream_writer(trial), &trial->error);
}

static struct anim_sink *make_mirror(struct trial *trial)
{
	struct anim_mirror_options options = {.plane = (enum anim_mirror_plane)(trial->choice & 3),
					      .diagnostics = &trial->diagnostics};

	return anim_mirror_new(&options, stream_writer(trial), &trial->error);
}

static struct anim_sink *make_delta(struct trial *trial)
{
	struct anim_delta_options options = {.from = (enum anim_delta_from)(trial->choice & 3),
					     .order = trial->choice & 4 ? ANIM_DELTA_OWN : ANIM_DELTA_PARENT,
					     .scale = (enum anim_delta_scale)((trial->choice >> 3) % 3),
					     .diagnostics = &trial->diagnostics};

	return anim_delta_new(&options, stream_writer(trial), &trial->error);
}

static struct anim_sink *make_retarget(struct trial *trial)
{
	struct anim_retarget_options options = {.from = trial->choice & 1 ? trial->skeleton : NULL,
						.to = trial->skeleton,
						.silhouette_degrees = trial->choice & 2 ? 15 : 180,
						.keep_positions = (trial->choice & 4) != 0,
						.scale = (trial->choice & 8) != 0,
						.feet = (trial->choice & 16) != 0,
						.diagnostics = &trial->diagnostics};

	return anim_retarget_new(&options, stream_writer(trial), &trial->error);
}

static struct anim_sink *make_muscles(struct trial *trial)
{
	struct anim_retarget_options options = {.silhouette_degrees = trial->choice & 2 ? 15 : 180,
						.diagnostics = &trial->diagnostics};

	return anim_muscles_new(&options, stream_writer(trial), &trial->error);
}

static struct anim_sink *make_reduce(struct trial *trial)
{
	struct anim_reduce_options options = {.rules = (enum anim_rules)(trial->choice % (ANIM_RULES_COUNT + 1)),
					      .keys = (enum anim_reduce_keys)((trial->choice >> 3) % 3),
					      .fast = (trial->choice & 64) != 0,
					      .diagnostics = &trial->diagnostics};

	return anim_reduce_new(&options, stream_writer(trial), &trial->error);
}

static struct anim_sink *make_info(struct trial *trial)
{
	struct anim_info_options options = {.form = (enum anim_info_form)(trial->choice % 3),
					    .diagnostics = &trial->diagnostics};

	return anim_info_new(trial->output, &options, &trial->error);
}

static struct anim_sink *make_dump(struct trial *trial)
{
	return anim_dump_new(trial->output, &trial->error);
}

/* Cuts clips to SECONDS_MAX on their way to `next`. */
static int short_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_clip copy = *clip;

	copy.record = NULL;
	if (copy.end_s - copy.start_s > SECONDS_MAX)
		copy.end_s = copy.start_s + SECONDS_MAX;
	if (copy.rate_num / 1000 > copy.rate_den) {
		copy.rate_num = RATE;
		copy.rate_den = 1;
	}
	return anim_sink_clip(((struct recode *)sink)->next, &copy, error);
}

/* The whole stream through the sink: 0, or -1 with the error. */
static int run(make_sink *make, const uint8_t *data, size_t size, struct trial *trial)
{
	struct anim_sink_ops ops;
	struct recode shorten;
	int result;

	memset(&trial->error, 0, sizeof trial->error);
	memset(&trial->diagnostics, 0, sizeof trial->diagnostics);
	DEMAND(anim_output_open_memory(&trial->output, NULL) == 0);
	recode_init(&shorten, make(trial));
	DEMAND(shorten.next != NULL);
	ops = *shorten.sink.ops;
	ops.clip = short_clip;
	shorten.sink.ops = &ops;
	result = pump_bytes(data, size, &shorten.sink, &trial->error);
	DEMAND(result == 0 || (trial->error.code != ANIM_OK && trial->error.message[0] != '\0'));
	anim_sink_free(shorten.next);
	anim_diagnostics_clear(&trial->diagnostics);
	return result;
}

/* What a filter writes is a stream. */
static void check_reads_back(const uint8_t *bytes, size_t size)
{
	struct anim_output *again;
	struct anim_error error = {0};

	DEMAND(anim_output_open_memory(&again, NULL) == 0);
	DEMAND(rewrite_bytes(bytes, size, NULL, true, again, &error) == 0);
	anim_output_free(again);
}

/* Twice; `then` (or NULL) gets what came out. */
static void check(make_sink *make, make_sink *then, const uint8_t *data, size_t size, unsigned choice)
{
	struct trial first = {.choice = choice}, second = {.choice = choice};
	const uint8_t *a, *b;
	size_t a_size, b_size;

	if (run(make, data, size, &first) == 0) {
		DEMAND(run(make, data, size, &second) == 0);
		a = anim_output_memory(first.output, &a_size);
		b = anim_output_memory(second.output, &b_size);
		DEMAND(a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0));
		if (then != NULL) {
			check_reads_back(a, a_size);
			check(then, NULL, a, a_size, choice >> 4);
		}
		anim_output_free(second.output);
	}
	anim_output_free(first.output);
}

/* Other rests, and other names of some, on the way to `next`. */
static int other_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct anim_node other = *node;
	char path[512];

	other.record = NULL;
	other.rotation[0] = node->rotation[1];
	other.rotation[1] = -node->rotation[0];
	other.position[1] = node->position[1] * 2;
	snprintf(path, sizeof path, "%.500s_", node->path);
	if ((node->path[0] ^ node->parent) % 3 == 1)
		other.path = path;
	return anim_sink_node(((struct recode *)sink)->next, &other, error);
}

/* Clips of the stream on a skeleton like its own. */
static void check_retarget(const uint8_t *data, size_t size, unsigned choice)
{
	struct anim_skeleton skeleton;
	struct anim_error error = {0};
	struct trial first = {.choice = choice, .skeleton = &skeleton};
	struct anim_sink_ops ops;
	struct recode change;
	const uint8_t *bytes;
	size_t written;

	anim_skeleton_init(&skeleton);
	recode_init(&change, anim_skeleton_sink_new(&skeleton, true, &error));
	DEMAND(change.next != NULL);
	ops = *change.sink.ops;
	ops.node = other_node;
	change.sink.ops = &ops;
	if (pump_bytes(data, size, &change.sink, &error) == 0) {
		if (run(make_retarget, data, size, &first) == 0) {
			bytes = anim_output_memory(first.output, &written);
			check_reads_back(bytes, written);
		}
		anim_output_free(first.output);
	}
	anim_sink_free(change.next);
	anim_skeleton_clear(&skeleton);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *right = with_crcs(data, size);
	unsigned choice = anim_crc32(0, data, size);

	check(make_resample, make_animj, right, size, choice);
	check(make_axes, make_animj, right, size, choice);
	check(make_root, make_animj, right, size, choice);
	check(make_mirror, NULL, right, size, choice);
	check(make_pin, NULL, right, size, choice);
	check(make_delta, NULL, right, size, choice);
	check_retarget(right, size, choice);
	check(make_muscles, make_animj, right, size, choice);
	check(make_reduce, NULL, right, size, choice);
	check(make_animj, NULL, right, size, choice);
	check(make_info, NULL, right, size, choice);
	check(make_dump, NULL, right, size, choice);
	free(right);
	return 0;
}
