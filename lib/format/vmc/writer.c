/* writer.c: anim_vmc_writer_new: the frames of a clip as datagrams of the VMC protocol. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/arena.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/sample.h"
#include "format/vmc/names.h"
#include "format/vmc/osc.h"
#include "format/vmc/vmc.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "stream/store.h"

#define BIT(type) ((uint64_t)1 << (type))

const struct anim_caps anim_vmc_caps = {.format = "vmc",
					.kinds = 1u << ANIM_RAW | 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					.types = BIT(ANIM_FLOAT) | BIT(ANIM_FLOAT3) | BIT(ANIM_FLOATQ),
					.interps = 1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE,
					.rules = ANIM_RULES_PLAIN,
					.mixed_interps = true,
					.whole_transforms = true,
					.ends = true,
					.negative_times = true,
					.raw_start = true,
					.frames = true};

#define SMALL 1400u                   /* bytes of a datagram that networks do not split */
#define LARGE 65000u                  /* less than the largest datagram */
#define TILE_FLOATS ((size_t)1 << 16) /* numbers that are sorted by frame at once */

/* The numbers of a track in the spool, in all frames. */
struct column {
	uint64_t place;
	size_t width; /* numbers in a frame, or 0 without a track */
	size_t at;    /* of its first number in the tile */
};
/* A bone, or the root. */
struct body {
	bool there, has_rest;
	float position[3], rotation[4]; /* of the rest pose */
	struct column moves, rotates;
};
struct expression {
	const char *name; /* in the arena */
	struct column column;
};

struct writer {
	struct anim_sink sink;
	struct anim_output *out; /* borrowed */
	struct anim_write_options options;
	struct anim_arena kept, scratch;
	struct anim_map paths; /* of the tree: path -> bone */
	struct body bones[VMC_BONES], root;
	struct anim_buffer expressions; /* struct expression */
	struct anim_text_set sent;      /* the names of expressions in VRM 0.x */
	bool has_clip;
	struct anim_clip clip;
	struct anim_store *tracks;
	struct anim_spool spool;
	struct anim_buffer times; /* double: of the frames */
	struct anim_buffer values, present, tile, bundle;
	double start_s, step_s;
	size_t frames, width;
};

static const struct body still = {.rotation = {0, 0, 0, 1}};

/* ---- Nodes ---- */

static void forget_bones(struct writer *w)
{
	anim_map_clear(&w->paths);
	for (int i = 0; i < VMC_BONES; i++)
		w->bones[i] = still;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct writer *w = (struct writer *)sink;

	(void)tree;
	(void)error;
	if (!w->has_clip)
		forget_bones(w);
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct writer *w = (struct writer *)sink;
	int bone = vmc_bone_of(node->path, &node->attrs);
	const char *path;

	if (w->has_clip || bone < 0 || w->bones[bone].there)
		return 0;
	w->bones[bone].there = w->bones[bone].has_rest = true;
	memcpy(w->bones[bone].position, node->position, sizeof node->position);
	memcpy(w->bones[bone].rotation, node->rotation, sizeof node->rotation);
	path = anim_arena_text(&w->kept, node->path, strlen(node->path), error);
	return path == NULL ? -1 : anim_map_put(&w->paths, 0, path, strlen(path), (uint32_t)bone, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct writer *w = (struct writer *)sink;

	if (w->has_clip)
		return anim_fail(error, ANIM_UNSUPPORTED, "a take of VMC holds one clip");
	if ((clip->flags & ANIM_IN_TREE) == 0)
		forget_bones(w);
	w->has_clip = true;
	if (anim_clip_copy(&w->clip, clip, &w->kept, error) != 0 ||
	    anim_diagnostics_playback(w->options.diagnostics, clip, "VMC", false, "", error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(w->tracks), clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct writer *w = (struct writer *)sink;
	int gone = anim_diagnostics_gate(w->options.diagnostics, track, false, error);

	if (gone != 0)
		return gone < 0 ? -1 : 0;
	return anim_sink_track(anim_store_sink(w->tracks), track, error);
}

/* ---- Tracks become columns ---- */

/* Find the frames: the samples of the first transform, otherwise the rate of the clip. Return 0 or -1. */
static int find_frames(struct writer *w, struct anim_error *error)
{
	const struct anim_clip *clip = &w->clip;
	double length_s = (double)clip->end_s - (double)clip->start_s, *times;

	w->step_s = clip->rate_num > 0 ? (double)clip->rate_den / (double)clip->rate_num : 1.0 / 30;
	w->start_s = (double)clip->start_s;
	w->frames =
	    length_s / w->step_s < ANIM_SAMPLES_MAX ? (size_t)anim_round(length_s / w->step_s) + 1 : ANIM_SAMPLES_MAX;
	for (size_t i = 0; i < anim_store_tracks(w->tracks, 0); i++) {
		const struct anim_store_track *track = anim_store_track_at(w->tracks, 0, i);

		if (track->kind != ANIM_RAW || track->n < 2)
			continue;
		w->step_s = track->rate_num > 0 ? (double)track->rate_den / (double)track->rate_num : track->step_s;
		w->start_s = track->start_s;
		w->frames = track->n;
		break;
	}
	if (w->frames >= ANIM_SAMPLES_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "%zu frames; at most %u are allowed", w->frames,
				 ANIM_SAMPLES_MAX);
	times = anim_buffer_extend(&w->times, w->frames * sizeof *times, error);
	for (size_t k = 0; k < w->frames && times != NULL; k++)
		times[k] = w->start_s + (double)k * w->step_s;
	return times == NULL ? -1 : 0;
}

static int keep_column(struct writer *w, const struct anim_track *track, struct column *column,
		       struct anim_error *error)
{
	size_t width = anim_types[track->type].components, size = w->frames * width * sizeof(float);
	const void *values = track->value;

	if (track->kind != ANIM_RAW || track->n != w->frames || track->start_s != w->start_s ||
	    anim_track_step(track) != w->step_s) { /* not at the times of the frames */
		struct anim_sample_state state = {.track = NULL};
		void *sampled;
		uint8_t *present;
		int result;

		w->values.size = w->present.size = 0;
		sampled = anim_buffer_extend(&w->values, size, error);
		present = anim_buffer_extend(&w->present, w->frames, error);
		if (sampled == NULL || present == NULL)
			return -1;
		result = anim_sample(&w->clip, track, (const double *)(const void *)w->times.data, w->frames, sampled,
				     present, &state, error);
		anim_sample_state_clear(&state);
		if (result != 0)
			return -1;
		values = sampled;
	}
	*column = (struct column){.place = anim_spool_size(&w->spool), .width = width, .at = w->width};
	w->width += width;
	return anim_spool_begin(&w->spool, size, error) != 0 ? -1 : anim_spool_append(&w->spool, values, size, error);
}

/* Return the root or the bone that the track moves, or NULL. */
static struct body *body_of(struct writer *w, const struct anim_track *track)
{
	struct anim_error none = {0};
	const char *path = anim_tree_path(w->clip.root, track->node, &w->scratch, &none);
	uint32_t bone;
	int named;

	if (path == NULL)
		return NULL;
	if (strcmp(track->node, ".") == 0)
		return &w->root;
	if (anim_map_get(&w->paths, 0, path, strlen(path), &bone))
		return &w->bones[bone];
	named = (w->clip.flags & ANIM_IN_TREE) ? -1 : vmc_bone_of(track->node, &track->attrs);
	if (named >= 0)
		w->bones[named].there = true;
	return named < 0 ? NULL : &w->bones[named];
}

static int keep_track(struct writer *w, const struct anim_track *track, struct anim_error *error)
{
	const char *expression = anim_text_after(track->property, "expression/");
	bool rotation = strcmp(track->property, "rotation") == 0, position = strcmp(track->property, "position") == 0;
	struct expression new = {.name = expression};
	struct body *body;
	struct column *column;

	anim_arena_reset(&w->scratch);
	if (expression != NULL && track->type == ANIM_FLOAT) {
		int is_new;

		expression = vmc_expression_vrm0(expression);
		is_new = anim_text_set_add(&w->sent, expression, strlen(expression), error);
		if (is_new <= 0)
			return is_new < 0
				   ? -1
				   : anim_diagnostics_drop(
					 w->options.diagnostics, track,
					 "left out, because another expression has the same name in VRM 0.x", error);
		new.name = anim_arena_text(&w->kept, expression, strlen(expression), error);
		if (new.name == NULL || keep_column(w, track, &new.column, error) != 0)
			return -1;
		return anim_buffer_append(&w->expressions, &new, sizeof new, error);
	}
	if (!rotation && !position)
		return anim_diagnostics_drop(w->options.diagnostics, track,
					     "left out, because VMC has only bones and expressions", error);
	body = body_of(w, track);
	column = body == NULL ? NULL : rotation ? &body->rotates : &body->moves;
	if (column == NULL || column->width != 0 || track->type != (rotation ? ANIM_FLOATQ : ANIM_FLOAT3))
		return anim_diagnostics_drop(
		    w->options.diagnostics, track,
		    "left out, because the node is not a human bone; " ANIM_ADVICE_TO(NAME_BONES, "vrm"), error);
	return keep_column(w, track, column, error);
}

/* ---- Frames become datagrams ---- */

/* Write the bundle as a datagram of the take, unless it has no messages. Return 0 or -1. */
static int end_bundle(struct writer *w, double time_s, struct anim_error *error)
{
	uint8_t head[ANIM_VMC_HEAD];

	if (w->bundle.size == VMC_OSC_BUNDLE)
		return 0;
	anim_vmc_head_write(head, (uint64_t)anim_round(time_s * 1e9), (uint32_t)w->bundle.size);
	if (anim_output_write(w->out, head, sizeof head, error) != 0 ||
	    anim_output_write(w->out, w->bundle.data, w->bundle.size, error) != 0)
		return -1;
	return vmc_osc_begin(&w->bundle, error);
}

static int send(struct writer *w, double time_s, const struct vmc_osc_out *message, struct anim_error *error)
{
	size_t before = w->bundle.size, most = w->options.one_packet ? LARGE : SMALL;

	if (vmc_osc_append(&w->bundle, message, error) != 0)
		return -1;
	if (w->bundle.size <= most || before == VMC_OSC_BUNDLE)
		return 0;
	w->bundle.size = before;
	return end_bundle(w, time_s, error) != 0 ? -1 : vmc_osc_append(&w->bundle, message, error);
}

static int send_body(struct writer *w, double time_s, const struct body *body, const char *name, const float *row,
		     struct anim_error *error)
{
	float place[7];
	double q[4];

	memcpy(place, body->moves.width > 0 ? row + body->moves.at : body->position, 3 * sizeof *place);
	memcpy(place + 3, body->rotates.width > 0 ? row + body->rotates.at : body->rotation, 4 * sizeof *place);
	/* Receivers expect rotations of length 1. */
	if (fabs(anim_quat_dot(place + 3, place + 3) - 1) > 1e-5) {
		anim_quat_unit_double(q, place + 3);
		for (int i = 0; i < 4; i++)
			place[3 + i] = (float)q[i];
	}
	return send(w, time_s,
		    &(struct vmc_osc_out){.address = body == &w->root ? "/VMC/Ext/Root/Pos" : "/VMC/Ext/Bone/Pos",
					  .text = name,
					  .values = place,
					  .count = 7},
		    error);
}

static int send_frame(struct writer *w, double time_s, const float *row, struct anim_error *error)
{
	const struct expression *expressions = (const struct expression *)(const void *)w->expressions.data;
	size_t count = w->expressions.size / sizeof *expressions;
	const float clock = (float)time_s;

	if (send_body(w, time_s, &w->root, "root", row, error) != 0)
		return -1;
	for (int i = 0; i < VMC_BONES; i++)
		if (w->bones[i].there && send_body(w, time_s, &w->bones[i], vmc_bones[i].name, row, error) != 0)
			return -1;
	for (size_t i = 0; i < count; i++)
		if (send(w, time_s,
			 &(struct vmc_osc_out){.address = "/VMC/Ext/Blend/Val",
					       .text = expressions[i].name,
					       .values = row + expressions[i].column.at,
					       .count = 1},
			 error) != 0)
			return -1;
	if ((count > 0 && send(w, time_s, &(struct vmc_osc_out){.address = "/VMC/Ext/Blend/Apply"}, error) != 0) ||
	    send(w, time_s, &(struct vmc_osc_out){.address = "/VMC/Ext/OK", .has_int = true, .number = 1}, error) !=
		0 ||
	    send(w, time_s, &(struct vmc_osc_out){.address = "/VMC/Ext/T", .values = &clock, .count = 1}, error) != 0)
		return -1;
	return end_bundle(w, time_s, error);
}

/* Copy the numbers of a column from frame `first` on into the rows of the tile. Return 0 or -1. */
static int fill_column(struct writer *w, const struct column *column, size_t first, size_t rows,
		       struct anim_error *error)
{
	size_t size = rows * column->width * sizeof(float);
	float *tile = (float *)(void *)w->tile.data, *numbers;

	if (column->width == 0)
		return 0;
	w->values.size = 0;
	numbers = anim_buffer_extend(&w->values, size, error);
	if (numbers == NULL || anim_spool_copy(&w->spool, column->place + first * column->width * sizeof(float),
					       numbers, size, error) != 0)
		return -1;
	for (size_t k = 0; k < rows; k++)
		memcpy(tile + k * w->width + column->at, numbers + k * column->width, column->width * sizeof *tile);
	return 0;
}

static int write_frames(struct writer *w, struct anim_error *error)
{
	const struct expression *expressions = (const struct expression *)(const void *)w->expressions.data;
	size_t most = TILE_FLOATS / (w->width + 1) + 1;

	if (anim_output_write(w->out, ANIM_VMC_MAGIC, sizeof ANIM_VMC_MAGIC - 1, error) != 0 ||
	    vmc_osc_begin(&w->bundle, error) != 0 ||
	    anim_buffer_extend(&w->tile, most * w->width * sizeof(float) + 1, error) == NULL)
		return -1;
	for (size_t first = 0; first < w->frames; first += most) {
		size_t rows = w->frames - first < most ? w->frames - first : most;

		for (int i = -1; i < VMC_BONES; i++) {
			const struct body *body = i < 0 ? &w->root : &w->bones[i];

			if (fill_column(w, &body->moves, first, rows, error) != 0 ||
			    fill_column(w, &body->rotates, first, rows, error) != 0)
				return -1;
		}
		for (size_t i = 0; i < w->expressions.size / sizeof *expressions; i++)
			if (fill_column(w, &expressions[i].column, first, rows, error) != 0)
				return -1;
		for (size_t k = 0; k < rows; k++)
			if (send_frame(w, (double)(first + k) * w->step_s,
				       (const float *)(const void *)w->tile.data + k * w->width, error) != 0)
				return -1;
	}
	return 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct writer *w = (struct writer *)sink;
	struct anim_track track;
	size_t unplaced = 0;
	bool any = false;

	if (!w->has_clip)
		return anim_fail_no_clip(error);
	if (find_frames(w, error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_tracks(w->tracks, 0); i++)
		if (anim_store_read(w->tracks, 0, i, &track, error) != 0 || keep_track(w, &track, error) != 0)
			return -1;
	for (int i = 0; i < VMC_BONES; i++) {
		any |= w->bones[i].there;
		unplaced += w->bones[i].there && !w->bones[i].has_rest && w->bones[i].moves.width == 0;
	}
	if (unplaced > 0 &&
	    anim_diagnostics_warn(
		w->options.diagnostics, NULL, error,
		"%zu bones have the position 0,0,0, because the input has no skeleton: players that move "
		"bones show a collapsed figure",
		unplaced) != 0)
		return -1;
	if (!any && w->expressions.size == 0)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "vmc needs nodes with names of human bones; " ANIM_ADVICE_TO(NAME_BONES, "unity"));
	if (anim_diagnostics_check(w->options.diagnostics, error) != 0)
		return -1;
	return write_frames(w, error);
}

static void on_free(struct anim_sink *sink)
{
	struct writer *w = (struct writer *)sink;

	anim_store_free(w->tracks);
	anim_spool_clear(&w->spool);
	anim_map_clear(&w->paths);
	anim_text_set_clear(&w->sent);
	anim_arena_clear(&w->kept);
	anim_arena_clear(&w->scratch);
	anim_buffer_clear(&w->expressions);
	anim_buffer_clear(&w->times);
	anim_buffer_clear(&w->values);
	anim_buffer_clear(&w->present);
	anim_buffer_clear(&w->tile);
	anim_buffer_clear(&w->bundle);
	free(w);
}

struct anim_sink *anim_vmc_writer_new(struct anim_output *out, const struct anim_write_options *options,
				      struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct writer *w = anim_sink_new(sizeof *w, &ops, error);

	if (w == NULL)
		return NULL;
	w->out = out;
	w->options = *options;
	w->root = still;
	forget_bones(w);
	anim_spool_init(&w->spool, options->store_memory);
	w->tracks = anim_store_new(options->store_memory, error);
	if (w->tracks == NULL) {
		on_free(&w->sink);
		return NULL;
	}
	return &w->sink;
}
