/* reader_clip.c: an animation's channels as tracks. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "format/gltf/reader.h"
#include "math/elementary.h"

#define PIECE_FLOATS ((size_t)16384)   /* of keys that are taken apart at once */
#define GROUP_FLOATS ((size_t)1 << 18) /* of morph targets that are gathered in one pass */
#define PARTS_MAX 3u                   /* of a CUBICSPLINE key: in-tangent, value, out-tangent */

/* The keys of one channel: `parts` times `width` floats each. */
struct keys {
	const struct gltf_sampler *sampler;
	const struct gltf_accessor *output;
	size_t n;
	unsigned parts;
	size_t width;
};

/* NULL: an error. */
static const struct gltf_sampler *sampler_of(struct gltf_reader *reader, const struct gltf_animation *animation,
					     const struct gltf_channel *channel)
{
	if (channel->sampler < animation->samplers.count)
		return GLTF_AT(&reader->asset, samplers, struct gltf_sampler,
			       animation->samplers.first + channel->sampler);
	anim_fail(reader->error, ANIM_BAD_INPUT, "a channel's sampler is not there");
	return NULL;
}

/* Puts the channel that is at fault in front of what is wrong. -1. */
static int in_channel(struct gltf_reader *reader, uint32_t animation, uint32_t channel)
{
	char why[sizeof reader->error->message];

	if (!anim_error_is_of_input(reader->error))
		return -1;
	snprintf(why, sizeof why, "%s", reader->error->message);
	return anim_fail(reader->error, reader->error->code, "animations[%" PRIu32 "].channels[%" PRIu32 "]: %.400s",
			 animation, channel, why);
}

int gltf_for_channels(struct gltf_reader *reader, uint32_t number, gltf_sampler_act *act, void *with)
{
	const struct gltf_animation *animation = GLTF_AT(&reader->asset, animations, struct gltf_animation, number);

	for (uint32_t i = 0; i < animation->channels.count; i++) {
		const struct gltf_channel *channel =
		    GLTF_AT(&reader->asset, channels, struct gltf_channel, animation->channels.first + i);
		const struct gltf_sampler *sampler;
		struct gltf_target target;

		if (gltf_target_find(reader, channel, &target) != 0)
			return in_channel(reader, number, i);
		if (target.goal == GLTF_GOAL_NONE)
			continue;
		sampler = sampler_of(reader, animation, channel);
		if (sampler == NULL || act(reader, sampler, with) != 0)
			return in_channel(reader, number, i);
	}
	return 0;
}

static const struct gltf_accessor *accessor_at(const struct gltf_reader *reader, uint32_t number)
{
	return GLTF_AT(&reader->asset, accessors, struct gltf_accessor, number);
}

/* ---- times ---- */

/* The times of an accessor into reader->time. 0 or -1. */
static int take_times(struct gltf_reader *reader, uint32_t number)
{
	const struct gltf_accessor *accessor = accessor_at(reader, number);
	struct anim_error *error = reader->error;
	const float *floats;
	float *out;

	if (reader->time_accessor == number)
		return 0;
	if (accessor->lanes != 1 || accessor->component != GLTF_F32)
		return anim_fail(error, ANIM_BAD_INPUT, "accessors[%" PRIu32 "]: times are floats, one a key", number);
	if (accessor->view == GLTF_NONE && accessor->count > 1)
		return anim_fail(error, ANIM_BAD_INPUT, "accessors[%" PRIu32 "]: times without data", number);
	reader->time_accessor = GLTF_NONE;
	reader->time.size = 0;
	out = anim_buffer_extend(&reader->time, accessor->count * sizeof *out, error);
	if (out == NULL)
		return -1;
	floats = gltf_accessor_floats(&reader->data, &reader->asset, number, 0, (size_t)accessor->count, out, error);
	if (floats == NULL)
		return -1;
	if (floats != out)
		memcpy(out, floats, accessor->count * sizeof *out);
	reader->time_accessor = number;
	return 0;
}

static int warn_of_times(struct gltf_reader *reader, uint32_t number, float first_s)
{
	if (first_s < 0 && gltf_warn(reader, "accessors of times begin before 0, which glTF does not allow",
				     "accessors[%" PRIu32 "]: times before 0, which glTF does not allow", number) != 0)
		return -1;
	return reader->times[number].unsorted ? gltf_warn(reader, "accessors of times are not sorted",
							  "accessors[%" PRIu32 "]: times that are not sorted", number)
					      : 0;
}

/* The largest time of an accessor, and whether they rise; looked at once. */
static int look_at_times(struct gltf_reader *reader, uint32_t number)
{
	struct gltf_times *times = &reader->times[number];
	const float *time;

	if (times->known)
		return 0;
	if (take_times(reader, number) != 0)
		return -1;
	time = (const float *)(const void *)reader->time.data;
	times->known = true;
	times->last_s = time[0];
	for (uint64_t i = 1; i < accessor_at(reader, number)->count; i++) {
		times->unsorted |= time[i] < time[i - 1];
		times->last_s = time[i] > times->last_s ? time[i] : times->last_s;
	}
	return warn_of_times(reader, number, time[0]);
}

/* ---- columns ---- */

/*
 * Takes lanes first .. first + count - 1 of all keys apart: value, left and right of lane l and key k go to place
 * (l - first) * lane_step + k * key_step of the columns. 0 or -1.
 */
static int gather(struct gltf_reader *reader, const struct keys *keys, size_t first, size_t count, size_t lane_step,
		  size_t key_step)
{
	static const unsigned column_of[PARTS_MAX] = {1, 0, 2}; /* in-tangent, value, out-tangent */
	const size_t key_floats = keys->parts * keys->width;
	const size_t most = key_floats < PIECE_FLOATS ? PIECE_FLOATS / key_floats : 1;
	const unsigned lanes = keys->output->lanes;
	float *out[PARTS_MAX], *room;

	reader->piece.size = 0;
	room = anim_buffer_extend(&reader->piece, most * key_floats * sizeof *room, reader->error);
	if (room == NULL)
		return -1;
	for (unsigned p = 0; p < keys->parts; p++) {
		reader->columns[p].size = 0;
		out[p] = anim_buffer_extend(&reader->columns[p], keys->n * count * sizeof *out[p], reader->error);
		if (out[p] == NULL)
			return -1;
	}
	for (size_t k = 0; k < keys->n;) {
		size_t now = keys->n - k < most ? keys->n - k : most;
		const float *piece =
		    gltf_accessor_floats(&reader->data, &reader->asset, keys->sampler->output, k * key_floats / lanes,
					 now * key_floats / lanes, room, reader->error);

		if (piece == NULL)
			return -1;
		for (size_t i = 0; i < now; i++, k++, piece += key_floats)
			for (unsigned p = 0; p < keys->parts; p++) {
				float *to = out[keys->parts == 1 ? 0 : column_of[p]] + k * key_step;
				const float *from = piece + p * keys->width + first;

				for (size_t lane = 0; lane < count; lane++)
					to[lane * lane_step] = from[lane];
			}
	}
	return 0;
}

/* The values as they lie there, where a key is one of them. NULL on error. */
static const float *borrow(struct gltf_reader *reader, const struct keys *keys)
{
	float *room;

	reader->columns[0].size = 0;
	room = anim_buffer_extend(&reader->columns[0], keys->n * keys->width * sizeof *room, reader->error);
	if (room == NULL)
		return NULL;
	return gltf_accessor_floats(&reader->data, &reader->asset, keys->sampler->output, 0, keys->n, room,
				    reader->error);
}

/* ---- tracks ---- */

/* The head of a track: names come from the caller. */
static void begin_track(const struct gltf_reader *reader, const struct keys *keys, struct anim_track *track)
{
	const float *time = (const float *)(const void *)reader->time.data;

	*track = (struct anim_track){.kind = ANIM_CURVE,
				     .type = ANIM_FLOAT,
				     .rules = ANIM_RULES_PLAIN,
				     .component = ANIM_WHOLE,
				     .interp = keys->sampler->interp,
				     .flags = reader->times[keys->sampler->input].unsorted ? ANIM_UNSORTED : 0,
				     .n = keys->n,
				     .time = time};
}

/* Columns that were gathered, from float `at` on. */
static void set_columns(const struct gltf_reader *reader, const struct keys *keys, size_t at, struct anim_track *track)
{
	track->value = (const float *)(const void *)reader->columns[0].data + at;
	if (keys->parts == 1)
		return;
	track->left = (const float *)(const void *)reader->columns[1].data + at;
	track->right = (const float *)(const void *)reader->columns[2].data + at;
}

/* What the numbers are stored as, where it is not floats; and what an angle was called. */
static int put(struct gltf_reader *reader, const struct keys *keys, const char *pointer, struct anim_track *track)
{
	struct anim_attr attrs[2];
	size_t count = 0;
	char component[32];

	if (keys->output->component != GLTF_F32) {
		snprintf(component, sizeof component, "%" PRIu32 "%s", keys->output->component,
			 keys->output->normalized ? "" : " plain");
		attrs[count++] = (struct anim_attr){"gltf.component", component};
	}
	if (pointer != NULL)
		attrs[count++] = (struct anim_attr){"gltf.pointer", pointer};
	track->attrs = (struct anim_attrs){attrs, count};
	return anim_sink_track(reader->sink, track, reader->error);
}

static int put_whole(struct gltf_reader *reader, const struct keys *keys, const struct gltf_target *target,
		     struct anim_track *track)
{
	static const enum anim_type types[] = {ANIM_FLOAT, ANIM_FLOAT, ANIM_FLOAT2, ANIM_FLOAT3, ANIM_FLOAT4};

	track->type = target->lanes == 0 ? types[keys->output->lanes] : target->type;
	if (keys->parts == 1)
		track->value = borrow(reader, keys);
	else if (gather(reader, keys, 0, keys->width, 1, keys->width) == 0)
		set_columns(reader, keys, 0, track);
	return track->value == NULL ? -1 : put(reader, keys, NULL, track);
}

static int put_face(struct gltf_reader *reader, const struct keys *keys, struct anim_track *track)
{
	if (gather(reader, keys, 0, 1, 1, 1) != 0)
		return -1;
	set_columns(reader, keys, 0, track);
	return put(reader, keys, NULL, track);
}

/* Bools step, whatever the sampler says. */
static int put_flag(struct gltf_reader *reader, const struct keys *keys, struct anim_track *track)
{
	const float *values;
	uint8_t *flags;

	if (gather(reader, keys, 0, 1, 1, 1) != 0)
		return -1;
	values = (const float *)(const void *)reader->columns[0].data;
	reader->piece.size = 0;
	flags = anim_buffer_extend(&reader->piece, keys->n, reader->error);
	if (flags == NULL)
		return -1;
	for (size_t k = 0; k < keys->n; k++)
		flags[k] = values[k] != 0;
	track->kind = ANIM_DISCRETE;
	track->type = ANIM_BOOL;
	track->interp = ANIM_HOLD;
	track->value = flags;
	return put(reader, keys, NULL, track);
}

static int put_fov(struct gltf_reader *reader, const struct keys *keys, const char *pointer, struct anim_track *track)
{
	if (gather(reader, keys, 0, 1, 1, 1) != 0)
		return -1;
	for (unsigned p = 0; p < keys->parts; p++) {
		float *angle = (float *)(void *)reader->columns[p].data;

		for (size_t k = 0; k < keys->n; k++)
			angle[k] = (float)((double)angle[k] * (180 / ANIM_PI));
	}
	set_columns(reader, keys, 0, track);
	return put(reader, keys, pointer, track);
}

/* ---- morph targets ---- */

static const struct gltf_mesh *mesh_of(const struct gltf_reader *reader, uint32_t node)
{
	const struct gltf_node *of = GLTF_AT(&reader->asset, nodes, struct gltf_node, node);

	return GLTF_AT(&reader->asset, meshes, struct gltf_mesh, of->mesh);
}

/* "blend_shape/smile"; "blend_shape/morph_3" where the mesh tells no name. In the arena; NULL out of memory. */
static const char *shape_name(struct gltf_reader *reader, uint32_t node, size_t shape)
{
	const struct gltf_mesh *mesh = mesh_of(reader, node);
	const char *const *name = NULL;

	if (mesh != NULL && shape < mesh->names.count)
		name = GLTF_AT(&reader->asset, texts, const char *, mesh->names.first + shape);
	if (name != NULL && *name != NULL)
		return anim_arena_printf(&reader->names, reader->error, "blend_shape/%s", *name);
	return anim_arena_printf(&reader->names, reader->error, "blend_shape/morph_%zu", shape);
}

static int put_shape(struct gltf_reader *reader, const struct keys *keys, const struct gltf_target *target,
		     struct anim_track *track)
{
	track->property = shape_name(reader, target->node, target->shape);
	if (track->property == NULL || gather(reader, keys, 0, 1, 1, 1) != 0)
		return -1;
	set_columns(reader, keys, 0, track);
	return put(reader, keys, NULL, track);
}

/* As many at once as there is room for: all of them lie together, key by key. */
static int put_shapes(struct gltf_reader *reader, const struct keys *keys, const struct gltf_target *target,
		      struct anim_track *track)
{
	size_t group = GROUP_FLOATS / (keys->n * keys->parts), shapes = keys->width;

	if (group == 0)
		group = 1;
	for (size_t first = 0; first < shapes; first += group) {
		size_t count = shapes - first < group ? shapes - first : group;

		if (gather(reader, keys, first, count, keys->n, 1) != 0)
			return -1;
		for (size_t i = 0; i < count; i++) {
			track->property = shape_name(reader, target->node, first + i);
			set_columns(reader, keys, i * keys->n, track);
			if (track->property == NULL || put(reader, keys, NULL, track) != 0)
				return -1;
		}
	}
	return 0;
}

/* How many weights a key has; a node without a mesh has as many as there are values, 0 where those are none either. */
static size_t shape_count(const struct gltf_reader *reader, const struct keys *keys, uint32_t node)
{
	const struct gltf_mesh *mesh = mesh_of(reader, node);

	if (mesh != NULL && mesh->targets > 0)
		return mesh->targets;
	return keys->output->view == GLTF_NONE ? 0 : (size_t)(keys->output->count / (keys->n * keys->parts));
}

/* ---- a channel ---- */

/* The keys, once the accessors fit each other and what they drive. 0 or -1. */
static int find_keys(struct gltf_reader *reader, const struct gltf_sampler *sampler, const struct gltf_target *target,
		     struct keys *keys)
{
	const struct gltf_accessor *output = accessor_at(reader, sampler->output);
	uint64_t wanted;

	*keys = (struct keys){.sampler = sampler,
			      .output = output,
			      .n = (size_t)accessor_at(reader, sampler->input)->count,
			      .parts = sampler->interp == ANIM_HERMITE ? PARTS_MAX : 1,
			      .width = output->lanes};
	if (target->lanes != 0 && output->lanes != target->lanes)
		return anim_fail(reader->error, ANIM_BAD_INPUT,
				 "accessors[%" PRIu32 "]: values of %u numbers, %u are needed", sampler->output,
				 output->lanes, target->lanes);
	if (target->goal == GLTF_GOAL_SHAPES)
		keys->width = shape_count(reader, keys, target->node);
	if (keys->width == 0)
		return anim_fail(reader->error, ANIM_BAD_INPUT, "nodes[%" PRIu32 "] has no morph targets",
				 target->node);
	wanted = (uint64_t)keys->n * keys->parts * keys->width / output->lanes;
	if (output->count == wanted)
		return 0;
	return anim_fail(reader->error, ANIM_BAD_INPUT,
			 "accessors[%" PRIu32 "]: %" PRIu64 " values, %zu keys%s need %" PRIu64, sampler->output,
			 output->count, keys->n, keys->parts > 1 ? " of CUBICSPLINE" : "", wanted);
}

/* Whether nothing of the clip drives this yet. 1; 0 with a warning; -1. */
static int is_first(struct gltf_reader *reader, const struct gltf_target *target)
{
	const char *property = target->property;
	uint32_t before;

	if (property == NULL)
		property = target->goal == GLTF_GOAL_SHAPES
			       ? "weights"
			       : anim_arena_printf(&reader->names, reader->error, "weights/%" PRIu32, target->shape);
	if (property == NULL)
		return -1;
	if (!anim_map_get(&reader->driven, target->node, property, strlen(property), &before))
		return anim_map_put(&reader->driven, target->node, property, strlen(property), 1, reader->error) == 0
			   ? 1
			   : -1;
	return gltf_warn(reader, "channels drive what others of their animation drive; the first counts",
			 "a channel drives what another one of its animation drives; the first counts");
}

/* What the format does not allow, but can be read. 0 or -1. */
static int warn_of_channel(struct gltf_reader *reader, const struct gltf_target *target, const struct keys *keys)
{
	const struct gltf_node *node = GLTF_AT(&reader->asset, nodes, struct gltf_node, target->node);
	const struct gltf_view *view = GLTF_AT(&reader->asset, views, struct gltf_view, keys->output->view);

	if (node != NULL && node->is_matrix && target->goal == GLTF_GOAL_WHOLE &&
	    gltf_warn(reader, "nodes are animated that have a matrix, which is taken apart",
		      "nodes[%" PRIu32 "] is animated and has a matrix, which is taken apart", target->node) != 0)
		return -1;
	if (view == NULL || view->stride == 0 || view->packed != GLTF_NONE)
		return 0;
	return gltf_warn(reader, "accessors of animation have a byteStride, which glTF does not allow",
			 "accessors[%" PRIu32 "]: a byteStride, which glTF does not allow for animation",
			 keys->sampler->output);
}

static int put_track(struct gltf_reader *reader, const struct gltf_channel *channel, const struct gltf_target *target,
		     const struct keys *keys)
{
	bool is_face = target->goal == GLTF_GOAL_FACE;
	struct anim_track track;

	begin_track(reader, keys, &track);
	track.node = target->node == GLTF_NONE || is_face
			 ? "."
			 : gltf_tree_path(&reader->tree, &reader->asset, target->node, reader->error);
	track.property = target->property;
	if (is_face)
		track.property = anim_arena_printf(&reader->names, reader->error, "expression/%s", target->property);
	if (track.node == NULL || (is_face && track.property == NULL))
		return -1;
	switch (target->goal) {
	case GLTF_GOAL_SHAPES:
		return put_shapes(reader, keys, target, &track);
	case GLTF_GOAL_SHAPE:
		return put_shape(reader, keys, target, &track);
	case GLTF_GOAL_FACE:
		return put_face(reader, keys, &track);
	case GLTF_GOAL_FLAG:
		return put_flag(reader, keys, &track);
	case GLTF_GOAL_FOV:
		return put_fov(reader, keys, channel->pointer, &track);
	default:
		return put_whole(reader, keys, target, &track);
	}
}

static int write_channel(struct gltf_reader *reader, const struct gltf_animation *animation,
			 const struct gltf_channel *channel)
{
	const struct gltf_sampler *sampler;
	struct gltf_target target;
	struct keys keys;
	int first;

	if (gltf_target_find(reader, channel, &target) != 0)
		return -1;
	if (target.goal == GLTF_GOAL_NONE)
		return gltf_warn(reader, target.why, "%s", target.why);
	sampler = sampler_of(reader, animation, channel);
	if (sampler == NULL || find_keys(reader, sampler, &target, &keys) != 0)
		return -1;
	first = is_first(reader, &target);
	if (first <= 0)
		return first;
	if (warn_of_channel(reader, &target, &keys) != 0 || take_times(reader, sampler->input) != 0)
		return -1;
	return put_track(reader, channel, &target, &keys);
}

/* ---- the clip ---- */

static int find_end(struct gltf_reader *reader, const struct gltf_sampler *sampler, void *with)
{
	float *end_s = with;

	if (look_at_times(reader, sampler->input) != 0)
		return -1;
	if (reader->times[sampler->input].last_s > *end_s)
		*end_s = reader->times[sampler->input].last_s;
	return 0;
}

int gltf_clip_write(struct gltf_reader *reader, uint32_t number, const char *name, struct anim_sink *sink)
{
	const struct gltf_animation *animation = GLTF_AT(&reader->asset, animations, struct gltf_animation, number);
	struct anim_clip clip = {.axes = ANIM_AXES_GLTF,
				 .flags = ANIM_IN_TREE | ANIM_END_DERIVED,
				 .name = name,
				 .root = ".",
				 .source = "gltf"};
	struct anim_attr unnamed = {GLTF_UNNAMED, name};

	if (animation->name == NULL || animation->name[0] == '\0')
		clip.attrs = (struct anim_attrs){&unnamed, 1};
	anim_arena_reset(&reader->names);
	anim_map_clear(&reader->driven);
	reader->sink = sink;
	if (gltf_for_channels(reader, number, find_end, &clip.end_s) != 0 ||
	    anim_sink_clip(sink, &clip, reader->error) != 0)
		return -1;
	for (uint32_t i = 0; i < animation->channels.count; i++)
		if (write_channel(
			reader, animation,
			GLTF_AT(&reader->asset, channels, struct gltf_channel, animation->channels.first + i)) != 0)
			return in_channel(reader, number, i);
	return 0;
}
