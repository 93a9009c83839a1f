/* writer.c: the sink that gathers a skeleton and its motion and writes them at the end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "clip/rules.h"
#include "format/bvh/writer.h"
#include "math/elementary.h"

#define CHUNK 1024u /* samples converted at once */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct bvh_writer *writer = (struct bvh_writer *)sink;

	if (writer->has_clip)
		return 0;
	writer->bones.size = 0;
	anim_map_clear(&writer->paths);
	anim_arena_reset(&writer->kept);
	writer->root_name = tree->root_name;
	return anim_text_keep(&writer->root_name, &writer->kept, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct bvh_writer *writer = (struct bvh_writer *)sink;

	return writer->has_clip ? 0 : bvh_skeleton_add(writer, node, error);
}

/* What the options do not say is as in the file that the clip is from. */
static void choose_space(struct bvh_writer *writer)
{
	const struct anim_attrs *attrs = &writer->clip.attrs;
	const char *unit =
	    writer->options.bvh.unit != NULL ? writer->options.bvh.unit : anim_attrs_get(attrs, BVH_ATTR_UNIT);
	const char *up = anim_attrs_get(attrs, BVH_ATTR_UP);

	if (unit == NULL || !anim_bvh_unit(unit, &writer->unit))
		writer->unit = 1;
	writer->z_up = writer->options.bvh.up == ANIM_BVH_Z ||
		       (writer->options.bvh.up == ANIM_BVH_SOURCE && up != NULL && strcmp(up, "z") == 0);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct bvh_writer *writer = (struct bvh_writer *)sink;

	if (writer->has_clip)
		return anim_fail(error, ANIM_UNSUPPORTED, "a BVH file holds one clip");
	if ((clip->flags & ANIM_IN_TREE) == 0) { /* no joints: told as of a tree without them */
		writer->bones.size = 0;
		anim_map_clear(&writer->paths);
	}
	writer->has_clip = true;
	if (anim_clip_copy(&writer->clip, clip, &writer->kept, error) != 0)
		return -1;
	choose_space(writer);
	if (clip->loop != ANIM_LOOP_NONE &&
	    anim_diagnostics_note(writer->options.diagnostics, "clips' loop modes are not kept", error,
				  "bvh has no loop mode: %s of '%s' is not kept",
				  clip->loop == ANIM_LOOP_PINGPONG ? "ping-pong" : "the loop", clip->name) != 0)
		return -1;
	return bvh_skeleton_join(writer, error);
}

/* ---- Tracks ---- */

/* The joint that the track moves; NULL: none, or *memory fails. */
static struct bvh_bone *joint_of(struct bvh_writer *writer, const struct anim_track *track, struct anim_error *memory)
{
	const char *path = anim_tree_path(writer->clip.root, track->node, &writer->scratch, memory);
	uint32_t number;

	if (path == NULL || !anim_map_get(&writer->paths, 0, path, strlen(path), &number) ||
	    !bvh_bone_at(writer, number)->joint)
		return NULL;
	return bvh_bone_at(writer, number);
}

enum part { PART_NONE, PART_POSITION, PART_TURN, PART_SCALE };

/* What of a joint the track tells. */
static enum part part_of(const struct anim_track *track)
{
	if (!anim_type_is_real(track->type) || !anim_track_is_transform(track))
		return PART_NONE;
	if (strcmp(track->property, "position") == 0)
		return PART_POSITION;
	if (strcmp(track->property, "rotation") == 0 || strcmp(track->property, "euler") == 0)
		return PART_TURN;
	return strcmp(track->property, "scale") == 0 ? PART_SCALE : PART_NONE;
}

/* Fails where the track is no list of whole values. */
static int check_track(struct bvh_writer *writer, const struct anim_track *track, struct anim_error *error)
{
	unsigned components = anim_types[track->type].components;
	bool quaternion = strcmp(track->property, "rotation") == 0;

	if (track->component != ANIM_WHOLE || (track->flags & ANIM_REST_RELATIVE) != 0)
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%s' is %s; put 'anim-bake' before this",
				 writer->label,
				 track->component != ANIM_WHOLE ? "one component" : "relative to the rest");
	if (quaternion ? !anim_types[track->type].quaternion : components != 3)
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%s' is of %s", writer->label,
				 anim_types[track->type].name);
	if (track->kind != ANIM_RAW)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "bvh holds frames, track '%s' has keys; put 'anim-resample 30' before this",
				 writer->label);
	return 0;
}

/* All tracks lie on one grid; one sample stays. */
static int check_grid(struct bvh_writer *writer, const struct anim_track *track, struct anim_error *error)
{
	bool same = track->n == writer->frames && track->rate_num == writer->rate_num &&
		    track->rate_den == writer->rate_den && track->step_s == writer->step_s &&
		    track->start_s == writer->start_s;

	if (track->n > 1 && writer->has_grid && writer->frames > 1 && !same)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "track '%s' has other frames than those before it; put 'anim-resample 30' before this",
				 writer->label);
	if (writer->has_grid && track->n <= writer->frames)
		return 0;
	writer->has_grid = true;
	writer->frames = track->n;
	writer->start_s = track->start_s;
	writer->step_s = track->step_s;
	writer->rate_num = track->rate_num;
	writer->rate_den = track->rate_den;
	return 0;
}

/* The mask of the axes whose numbers differ by more than `rounding`. */
static unsigned axes_that_differ(const struct bvh_writer *writer, const float v[3], const float from[3],
				 double rounding)
{
	unsigned axes = 0;

	for (unsigned axis = 0; axis < 3; axis++)
		if (fabs((double)v[axis] - (double)from[axis]) > rounding)
			axes |= 1u << (writer->z_up ? bvh_other_axis(axis) : axis);
	return axes;
}

/* Angles of the order and in the space that the file has, where the track has others. */
static void turn(struct bvh_writer *writer, const struct bvh_bone *bone, const struct anim_track *track,
		 const double from[4], double angles[3])
{
	double unit = (track->flags & ANIM_DEGREES) != 0 ? ANIM_PI / 180 : 1,
	       q[4] = {from[0], from[1], from[2], from[3]};
	int order = anim_euler_order_find(anim_attrs_get(&track->attrs, "order"));

	if (!anim_types[track->type].quaternion) {
		const double given[3] = {from[0] * unit, from[1] * unit, from[2] * unit};

		anim_quat_from_euler_double(q, given, order < 0 ? ANIM_EULER_YXZ : (enum anim_euler_order)order);
	}
	bvh_skeleton_turn(writer, bone, q, q);
	anim_euler_near(angles, q, bone->order);
}

/* Whether the angles can stay as they are. */
static bool has_own_angles(const struct bvh_bone *bone, const struct anim_track *track)
{
	int order = anim_euler_order_find(anim_attrs_get(&track->attrs, "order"));

	return !anim_types[track->type].quaternion && bone->plain &&
	       bone->order == (order < 0 ? ANIM_EULER_YXZ : (enum anim_euler_order)order);
}

/* Sample k as the file has it; `angles` are those of the sample before, in radians, and become its own. */
static void convert(struct bvh_writer *writer, const struct bvh_bone *bone, const struct anim_track *track, size_t k,
		    double angles[3], float out[3])
{
	double v[ANIM_COMPONENTS_MAX];

	anim_components(track->type, track->value, k, v);
	if (strcmp(track->property, "position") == 0) {
		bvh_skeleton_position(writer, bone, v, out);
		return;
	}
	if (!has_own_angles(bone, track))
		turn(writer, bone, track, v, angles);
	for (int i = 0; i < 3; i++)
		out[i] = !has_own_angles(bone, track)         ? (float)(angles[i] * (180 / ANIM_PI))
			 : (track->flags & ANIM_DEGREES) != 0 ? (float)v[i]
							      : (float)(v[i] * (180 / ANIM_PI));
	bvh_skeleton_axes(writer, out);
}

/* So much of an offset's length, and so many degrees, may come of rounding on the way. */
static double rounding_of(const struct bvh_bone *bone, const struct bvh_column *column)
{
	double square = 0;

	for (int i = 0; i < 3; i++)
		square += (double)bone->offset[i] * (double)bone->offset[i];
	return column == &bone->moves ? 1e-6 * sqrt(square) : 1e-5;
}

/* All samples, as the file has them, into the spool. */
static int keep_samples(struct bvh_writer *writer, const struct bvh_bone *bone, const struct anim_track *track,
			struct bvh_column *column, struct anim_error *error)
{
	static const float no_turn[3];
	const float *from = column == &bone->moves ? bone->offset : no_turn;
	double angles[3] = {0, 0, 0}, rounding = rounding_of(bone, column);
	float part[CHUNK][3];

	column->there = true;
	column->n = track->n;
	column->place = anim_spool_size(&writer->motion);
	if (anim_spool_begin(&writer->motion, track->n * sizeof *part, error) != 0)
		return -1;
	for (size_t first = 0; first < track->n; first += CHUNK) {
		size_t count = track->n - first < CHUNK ? track->n - first : CHUNK;

		for (size_t k = 0; k < count; k++) {
			convert(writer, bone, track, first + k, angles, part[k]);
			column->axes |= axes_that_differ(writer, part[k], from, rounding);
			if (!isfinite(part[k][0]) || !isfinite(part[k][1]) || !isfinite(part[k][2]))
				return anim_fail(error, ANIM_UNSUPPORTED, "track '%s': sample %zu is no finite number",
						 writer->label, first + k);
		}
		if (anim_spool_append(&writer->motion, part, count * sizeof *part, error) != 0)
			return -1;
	}
	return 0;
}

static int leave_out(struct bvh_writer *writer, const struct anim_track *track, const char *many, const char *why,
		     struct anim_error *error)
{
	anim_diagnostics_leave_out(writer->options.diagnostics);
	return anim_diagnostics_track(writer->options.diagnostics, track, many, error, "%s", why);
}

/* A scale that stays at its rest is in the offsets. */
static int leave_scale(struct bvh_writer *writer, const struct bvh_bone *bone, const struct anim_track *track,
		       struct anim_error *error)
{
	bool moves = track->component != ANIM_WHOLE || anim_types[track->type].components != 3;
	double v[ANIM_COMPONENTS_MAX];

	for (size_t k = 0; !moves && k < track->n; k++) {
		anim_components(track->type, track->value, k, v);
		for (int i = 0; i < 3; i++)
			moves |=
			    !(fabs(v[i] - (double)bone->node.scale[i]) <= 1e-4 * fabs((double)bone->node.scale[i]));
	}
	if (!moves)
		return 0;
	return leave_out(writer, track, "tracks of scales are left out; joints of bvh have none",
			 "of a scale is left out; joints of bvh have none", error);
}

static int add_track(struct bvh_writer *writer, struct bvh_bone *bone, enum part part, const struct anim_track *track,
		     struct anim_error *error)
{
	struct bvh_column *column = part == PART_POSITION ? &bone->moves : &bone->turns;
	int order = anim_euler_order_find(anim_attrs_get(&track->attrs, "order"));

	if (column->there)
		return leave_out(writer, track, "tracks move what another one moves already; they are left out",
				 "moves what another one moves already, and is left out", error);
	if (check_track(writer, track, error) != 0 || check_grid(writer, track, error) != 0)
		return -1;
	if (part == PART_TURN && !bone->order_told && order >= 0)
		bone->order = (enum anim_euler_order)order;
	return track->n == 0 ? 0 : keep_samples(writer, bone, track, column, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct bvh_writer *writer = (struct bvh_writer *)sink;
	struct anim_error memory = {0};
	enum part part = part_of(track);
	struct bvh_bone *bone;

	anim_arena_reset(&writer->scratch);
	anim_track_label(track, writer->label, sizeof writer->label);
	bone = joint_of(writer, track, &memory);
	if (memory.code == ANIM_NO_MEMORY)
		return anim_fail_memory(error);
	if ((track->flags & ANIM_DISABLED) != 0)
		return leave_out(writer, track, "disabled tracks are left out", "is disabled and left out", error);
	if (bone == NULL || part == PART_NONE)
		return leave_out(writer, track, "tracks are no position or rotation of a joint; they are left out",
				 "is no position or rotation of a joint, and is left out", error);
	if (part == PART_SCALE)
		return leave_scale(writer, bone, track, error);
	return add_track(writer, bone, part, track, error);
}

/* A clip without tracks is a pose for as long as it lasts. */
static void make_grid(struct bvh_writer *writer)
{
	const struct anim_clip *clip = &writer->clip;
	const char *told = anim_attrs_get(&clip->attrs, BVH_ATTR_FRAME_TIME);
	double step_s, frames;

	if (!writer->has_grid && (told == NULL || !bvh_frame_time_read(told, strlen(told), &writer->rate_num,
								       &writer->rate_den, &writer->step_s))) {
		writer->rate_num = clip->rate_num;
		writer->rate_den = clip->rate_den;
	}
	if (writer->rate_num == 0 && !(writer->step_s > 0)) {
		writer->rate_num = 30;
		writer->rate_den = 1;
	}
	if (writer->has_grid)
		return;
	step_s = writer->rate_num > 0 ? (double)writer->rate_den / (double)writer->rate_num : writer->step_s;
	frames = ((double)clip->end_s - (double)clip->start_s) / step_s;
	writer->frames = frames < 1e9 ? (size_t)rint(frames) + 1 : 1;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct bvh_writer *writer = (struct bvh_writer *)sink;

	if (!writer->has_clip)
		return anim_fail(error, ANIM_BAD_INPUT, "there is no clip to write");
	if (anim_diagnostics_check(writer->options.diagnostics, error) != 0)
		return -1;
	make_grid(writer);
	bvh_skeleton_channels(writer);
	return bvh_print(writer, error);
}

static void on_free(struct anim_sink *sink)
{
	struct bvh_writer *writer = (struct bvh_writer *)sink;

	anim_arena_clear(&writer->kept);
	anim_arena_clear(&writer->scratch);
	anim_buffer_clear(&writer->bones);
	anim_map_clear(&writer->paths);
	anim_spool_clear(&writer->motion);
	free(writer);
}

struct anim_sink *anim_bvh_writer_new(struct anim_output *out, const struct anim_write_options *options,
				      struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct bvh_writer *writer = anim_sink_new(sizeof *writer, &ops, error);

	if (writer == NULL)
		return NULL;
	writer->options = *options;
	writer->print.out = out;
	writer->unit = 1;
	anim_spool_init(&writer->motion, options->store_memory);
	return &writer->sink;
}
