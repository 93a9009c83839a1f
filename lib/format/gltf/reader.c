/* reader.c: anim_gltf_read. Reads the document and the bytes that its animations need, then sends the tree and the clips. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/named.h"
#include "base/path.h"
#include "base/text.h"
#include "format/gltf/data.h"
#include "format/gltf/gltf.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "stream/boundary.h"

/* The checked properties of an accessor of times. */
struct times {
	float last_s; /* the largest */
	bool known, unsorted;
};

/* A file that is being read. */
struct reader {
	struct anim_input *input;
	const struct anim_read_options *options;
	struct anim_error *error;
	const char *file, *base_name; /* of the source */
	struct gltf_container container;
	struct gltf_asset asset;
	struct gltf_data data;
	struct anim_location location; /* with NULLs for a pipe */
	struct anim_arena arena;       /* for the whole run */
	bool has_bin;                  /* there was a BIN chunk */
	struct anim_boundary guard;    /* before the sink of the clips */
	bool *left_out;                /* animations with errors, for keep_going */
	struct times *times;           /* by accessor */
	/* The current clip and its current channel. */
	struct anim_sink *sink;        /* the destination of the clip */
	float end_s;                   /* so far */
	struct anim_arena names;       /* of the clip's tracks */
	struct anim_map driven;        /* pairs of node and property */
	uint32_t time_accessor;        /* the accessor of the times in `time`, or GLTF_NONE */
	struct anim_buffer time;       /* float */
	struct anim_buffer columns[3]; /* value, left, right */
	struct anim_buffer piece;
};

/* ---- Messages ---- */

/* Warn about the file. `noun` is as for anim_diagnostics_add. Return 0 or -1. */
__attribute__((format(printf, 3, 4))) static int warn(struct reader *reader, const char *noun, const char *format, ...)
{
	const struct anim_place place = {.file = anim_input_name(reader->input), .at = ANIM_AT_FILE};
	char text[sizeof reader->error->message];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return anim_diagnostics_add(reader->options->diagnostics, ANIM_WARNING, &place, noun, reader->error, "%s",
				    text);
}

/* Leave out an animation with an error if keep_going is set. Return 0 or -1. */
static int leave_out(struct reader *reader, uint32_t number)
{
	char why[sizeof reader->error->message];

	if (!anim_error_is_of_input(reader->error) || reader->guard.failed)
		return -1;
	snprintf(why, sizeof why, "%s", reader->error->message);
	if (!reader->options->keep_going) {
		if (gltf_animation_count(&reader->asset) > 1)
			snprintf(reader->error->message, sizeof reader->error->message,
				 "%.400s; " ANIM_OPTION("parse", "keep-going") " leaves this clip out", why);
		return -1;
	}
	*reader->error = (struct anim_error){0};
	reader->left_out[number] = true;
	return warn(reader, NULL, "left out: %.400s", why);
}

/* ---- Targets: a channel drives a transform or weights of a node, or the property that a JSON pointer names ---- */

enum goal {
	GOAL_NONE,   /* nothing that is kept, for the reason in `why` */
	GOAL_WHOLE,  /* a property of `type`, or of 1 to 4 floats if `components` is 0 */
	GOAL_SHAPES, /* all weights of a node's mesh */
	GOAL_SHAPE,  /* only weight `shape` */
	GOAL_FACE,   /* the first component, which is an expression of a VRM animation */
	GOAL_FLAG,   /* a bool */
	GOAL_FOV     /* an angle, in radians in the file and degrees in the stream */
};

struct target {
	enum goal goal;
	uint32_t node;        /* or GLTF_NONE for the whole file, "." */
	const char *property; /* or NULL if the morph target or the expression gives the name */
	enum anim_type type;
	unsigned components; /* number of components of a value (0: any) */
	uint32_t shape;
	const char *why;  /* static: "left out, because of an unknown path" */
	bool is_harmless; /* GOAL_NONE: no player shows the channel */
};

static void set_path(const struct gltf_asset *asset, enum gltf_path path, uint32_t node, struct target *target)
{
	static const struct {
		const char *property;
		enum anim_type type;
		unsigned components;
	} paths[] = {[GLTF_TRANSLATION] = {"position", ANIM_FLOAT3, 3},
		     [GLTF_ROTATION] = {"rotation", ANIM_FLOATQ, 4},
		     [GLTF_SCALE] = {"scale", ANIM_FLOAT3, 3},
		     [GLTF_WEIGHTS] = {NULL, ANIM_FLOAT, 1}};
	const char *face = gltf_node_at(asset, node)->expression;

	*target = (struct target){.goal = path == GLTF_WEIGHTS ? GOAL_SHAPES : GOAL_WHOLE,
				  .node = node,
				  .property = paths[path].property,
				  .type = paths[path].type,
				  .components = paths[path].components};
	/* The weight of an expression is the position of its node. */
	if (face != NULL && path == GLTF_TRANSLATION) {
		target->goal = GOAL_FACE;
		target->property = face;
		target->type = ANIM_FLOAT;
	}
}

/*
 * Read digits up to '/' or the end, and move *at after them. Return GLTF_NONE without digits, or for a number that is
 * too large.
 */
static uint32_t read_number(const char **at)
{
	uint64_t value = 0;
	const char *from = *at;

	while (**at >= '0' && **at <= '9' && value < GLTF_NONE)
		value = value * 10 + (uint64_t)(*(*at)++ - '0');
	return *at == from || value >= GLTF_NONE || (**at != '/' && **at != '\0') ? GLTF_NONE : (uint32_t)value;
}

/* Return whether the last names of a pointer mean a bool. */
static bool is_flag(const char *pointer)
{
	static const char *const flags[] = {"/KHR_node_visibility/visible", "/KHR_node_selectability/selectable",
					    "/KHR_node_hoverability/hoverable"};

	for (size_t i = 0; i < ANIM_COUNT(flags); i++)
		if (anim_text_ends(pointer, flags[i]))
			return true;
	return false;
}

/* Keep the pointer as the property of the whole file. */
static void set_other(const char *pointer, struct target *target)
{
	*target = (struct target){.goal = is_flag(pointer) ? GOAL_FLAG : GOAL_WHOLE,
				  .node = GLTF_NONE,
				  .property = pointer,
				  .type = ANIM_FLOAT,
				  .components = is_flag(pointer) ? 1 : 0};
}

static void set_none(const char *why, struct target *target)
{
	*target = (struct target){.goal = GOAL_NONE, .node = GLTF_NONE, .why = why};
}

/* Set the target for "/nodes/N/...". `at` is after "/nodes/". */
static void set_node(const struct gltf_asset *asset, const char *pointer, const char *at, struct target *target)
{
	static const char *const names[] = {"/translation", "/rotation", "/scale", "/weights"};
	uint32_t node = read_number(&at);

	if (gltf_node_at(asset, node) == NULL) {
		set_none("left out, because the pointer refers to a missing node", target);
		return;
	}
	set_other(pointer, target);
	for (size_t i = 0; i < ANIM_COUNT(names); i++)
		if (strcmp(at, names[i]) == 0)
			set_path(asset, (enum gltf_path)i, node, target);
	if (strcmp(at, "/extensions/KHR_node_visibility/visible") == 0) {
		target->node = node;
		target->property = "visible";
	}
	at = anim_text_after(at, "/weights/");
	if (at == NULL)
		return;
	set_path(asset, GLTF_WEIGHTS, node, target);
	target->goal = GOAL_SHAPE;
	target->shape = read_number(&at);
	if (target->shape == GLTF_NONE || *at != '\0')
		set_other(pointer, target);
}

static void set_pointer(const struct gltf_asset *asset, const char *pointer, struct target *target)
{
	const char *at = pointer == NULL ? NULL : anim_text_after(pointer, "/nodes/"), *camera, *mesh, *from;
	uint32_t number, node = GLTF_NONE;

	if (pointer == NULL || pointer[0] != '/') {
		set_none("no pointer; left out", target);
		return;
	}
	if (at != NULL) {
		set_node(asset, pointer, at, target);
		return;
	}
	set_other(pointer, target);
	/* Properties of cameras and meshes belong to their first node. */
	camera = anim_text_after(pointer, "/cameras/");
	mesh = anim_text_after(pointer, "/meshes/");
	from = camera != NULL ? camera : mesh;
	number = from == NULL ? GLTF_NONE : read_number(&from);
	if (camera != NULL && number < asset->cameras)
		node = *GLTF_AT(asset, camera_nodes, uint32_t, number);
	if (mesh != NULL && gltf_mesh_at(asset, number) != NULL)
		node = gltf_mesh_at(asset, number)->node;
	if (node != GLTF_NONE && camera != NULL && strcmp(from, "/perspective/yfov") == 0)
		*target = (struct target){
		    .goal = GOAL_FOV, .node = node, .property = "fov", .type = ANIM_FLOAT, .components = 1};
	if (node != GLTF_NONE && mesh != NULL && strcmp(from, "/weights") == 0)
		set_path(asset, GLTF_WEIGHTS, node, target);
}

/* Find the target of a channel. A missing node is an error. Return 0 or -1. */
static int find_target(struct reader *reader, const struct gltf_channel *channel, struct target *target)
{
	if (channel->path == GLTF_PATH_OTHER)
		set_none("left out, because of an unknown path", target);
	else if (channel->path == GLTF_POINTER)
		set_pointer(&reader->asset, channel->pointer, target);
	else if (channel->node == GLTF_NONE)
		set_none("no node; left out", target);
	else if (gltf_node_at(&reader->asset, channel->node) == NULL)
		return anim_fail(reader->error, ANIM_BAD_INPUT, "node %" PRIu32 " is missing", channel->node);
	else
		set_path(&reader->asset, channel->path, channel->node, target);
	if (reader->asset.import.places.size > 0 && target->node < reader->asset.import.node_count &&
	    target->goal == GOAL_WHOLE && anim_import_is_skinned(&reader->asset.import, target->node) &&
	    anim_text_is_word("position rotation scale", target->property)) {
		set_none("left out, because a skeleton moves the skinned mesh", target);
		target->is_harmless = true;
	}
	return 0;
}

/* ---- Samplers of an animation ---- */

/* Return the sampler of a channel. If it is missing, fail and return NULL. */
static const struct gltf_sampler *sampler_of(struct reader *reader, const struct gltf_animation *animation,
					     const struct gltf_channel *channel)
{
	if (channel->sampler < animation->samplers.count)
		return GLTF_AT(&reader->asset, samplers, struct gltf_sampler,
			       animation->samplers.first + channel->sampler);
	anim_fail(reader->error, ANIM_BAD_INPUT, "its sampler is missing");
	return NULL;
}

/* Put the channel in front of the error message. Return -1. */
static int in_channel(struct reader *reader, uint32_t animation, uint32_t channel)
{
	char why[sizeof reader->error->message];

	if (!anim_error_is_of_input(reader->error))
		return -1;
	snprintf(why, sizeof why, "%s", reader->error->message);
	return anim_fail(reader->error, reader->error->code, "animations[%" PRIu32 "].channels[%" PRIu32 "]: %.400s",
			 animation, channel, why);
}

/* Call `act` for the sampler of every kept channel. Return 0, or -1 with the channel in the message. */
static int for_samplers(struct reader *reader, uint32_t number,
			int (*act)(struct reader *, const struct gltf_sampler *))
{
	const struct gltf_animation *animation = gltf_animation_at(&reader->asset, number);

	for (uint32_t i = 0; i < animation->channels.count; i++) {
		const struct gltf_channel *channel =
		    GLTF_AT(&reader->asset, channels, struct gltf_channel, animation->channels.first + i);
		const struct gltf_sampler *sampler;
		struct target target;

		if (find_target(reader, channel, &target) != 0)
			return in_channel(reader, number, i);
		if (target.goal == GOAL_NONE && !target.is_harmless) /* its times count for the length of the clip */
			continue;
		sampler = sampler_of(reader, animation, channel);
		if (sampler == NULL || act(reader, sampler) != 0)
			return in_channel(reader, number, i);
	}
	return 0;
}

static int want(struct reader *reader, const struct gltf_sampler *sampler)
{
	if (gltf_accessor_want(&reader->data, &reader->asset, sampler->input, false, reader->error) != 0)
		return -1;
	return gltf_accessor_want(&reader->data, &reader->asset, sampler->output, false, reader->error);
}

static int unpack(struct reader *reader, const struct gltf_sampler *sampler)
{
	if (gltf_accessor_unpack(&reader->data, &reader->asset, sampler->input, reader->error) != 0)
		return -1;
	return gltf_accessor_unpack(&reader->data, &reader->asset, sampler->output, reader->error);
}

static int for_animations(struct reader *reader, int (*act)(struct reader *, const struct gltf_sampler *))
{
	for (uint32_t i = 0; i < gltf_animation_count(&reader->asset); i++)
		if (!reader->left_out[i] && for_samplers(reader, i, act) != 0 && leave_out(reader, i) != 0)
			return -1;
	return 0;
}

/* ---- Times ---- */

/* Read the times of an accessor into reader->time. Return 0 or -1. */
static int read_times(struct reader *reader, uint32_t number)
{
	const struct gltf_accessor *accessor = gltf_accessor_at(&reader->asset, number);
	struct anim_error *error = reader->error;
	const float *floats;
	float *out;

	if (reader->time_accessor == number)
		return 0;
	if (accessor->components != 1 || accessor->component != GLTF_F32)
		return anim_fail(error, ANIM_BAD_INPUT, "accessors[%" PRIu32 "]: times must be floats, one per key",
				 number);
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

/* ---- Columns ---- */

#define PIECE_FLOATS ((size_t)16384)   /* of keys that are split into columns at once */
#define GROUP_FLOATS ((size_t)1 << 18) /* of morph targets that are gathered in one pass */
#define PARTS_MAX 3u                   /* of a CUBICSPLINE key: in-tangent, value, out-tangent */

/* The keys of one channel, each with `parts` times `width` floats. */
struct keys {
	const struct gltf_sampler *sampler;
	const struct gltf_accessor *output;
	size_t n;
	unsigned parts;
	size_t width;
};

/*
 * Gather components first .. first + count - 1 of all keys. Value, left and right of component c and key k go to
 * element (c - first) * component_step + k * key_step of the columns. Return 0 or -1.
 */
static int gather(struct reader *reader, const struct keys *keys, size_t first, size_t count, size_t component_step,
		  size_t key_step)
{
	static const unsigned column_of[PARTS_MAX] = {1, 0, 2}; /* in-tangent, value, out-tangent */
	const size_t key_floats = keys->parts * keys->width;
	const size_t most = key_floats < PIECE_FLOATS ? PIECE_FLOATS / key_floats : 1;
	const unsigned components = keys->output->components;
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
		const float *piece = gltf_accessor_floats(&reader->data, &reader->asset, keys->sampler->output,
							  k * key_floats / components, now * key_floats / components,
							  room, reader->error);

		if (piece == NULL)
			return -1;
		for (size_t i = 0; i < now; i++, k++, piece += key_floats)
			for (unsigned p = 0; p < keys->parts; p++) {
				float *to = out[keys->parts == 1 ? 0 : column_of[p]] + k * key_step;
				const float *from = piece + p * keys->width + first;

				for (size_t component = 0; component < count; component++)
					to[component * component_step] = from[component];
			}
	}
	return 0;
}

/* ---- Tracks ---- */

/* Set the columns of the track to the gathered columns, from float `at` on. */
static void set_columns(const struct reader *reader, const struct keys *keys, size_t at, struct anim_track *track)
{
	track->value = (const float *)(const void *)reader->columns[0].data + at;
	if (keys->parts == 1)
		return;
	track->left = (const float *)(const void *)reader->columns[1].data + at;
	track->right = (const float *)(const void *)reader->columns[2].data + at;
}

/* Send the track with attributes for the component type, if it is not float, and for the pointer of an angle. */
static int put(struct reader *reader, const struct keys *keys, const char *pointer, struct anim_track *track)
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

/* Send one component: an expression, a weight, or an angle in radians, which becomes degrees. Return 0 or -1. */
static int put_single(struct reader *reader, const struct keys *keys, const char *angle, struct anim_track *track)
{
	if (gather(reader, keys, 0, 1, 1, 1) != 0)
		return -1;
	for (unsigned p = 0; angle != NULL && p < keys->parts; p++) {
		float *values = (float *)(void *)reader->columns[p].data;

		for (size_t k = 0; k < keys->n; k++)
			values[k] = (float)((double)values[k] * (180 / ANIM_PI));
	}
	set_columns(reader, keys, 0, track);
	return put(reader, keys, angle, track);
}

/* ---- Weights of morph targets ---- */

static const struct gltf_mesh *mesh_of(const struct reader *reader, uint32_t node)
{
	const struct gltf_node *of = gltf_node_at(&reader->asset, node);

	return gltf_mesh_at(&reader->asset, of->mesh);
}

/*
 * Return "blend_shape/smile", or "blend_shape/morph_3" if the mesh has no name for it, in the arena. Return NULL if out
 * of memory.
 */
static const char *shape_name(struct reader *reader, uint32_t node, size_t shape)
{
	const struct gltf_mesh *mesh = mesh_of(reader, node);
	const char *const *name = NULL;

	if (mesh != NULL && shape < mesh->names.count)
		name = GLTF_AT(&reader->asset, texts, const char *, mesh->names.first + shape);
	if (name != NULL && *name != NULL)
		return anim_arena_printf(&reader->names, reader->error, "blend_shape/%s", *name);
	return anim_arena_printf(&reader->names, reader->error, "blend_shape/morph_%zu", shape);
}

/* Send all weights, as many in one pass as memory allows, because the file has them together, key by key. */
static int put_shapes(struct reader *reader, const struct keys *keys, uint32_t node, struct anim_track *track)
{
	size_t group = GROUP_FLOATS / (keys->n * keys->parts), shapes = keys->width, count;

	for (size_t first = 0; first < shapes; first += count) {
		count = group == 0 ? 1 : shapes - first < group ? shapes - first : group;

		if (gather(reader, keys, first, count, keys->n, 1) != 0)
			return -1;
		for (size_t i = 0; i < count; i++) {
			track->property = shape_name(reader, node, first + i);
			set_columns(reader, keys, i * keys->n, track);
			if (track->property == NULL || put(reader, keys, NULL, track) != 0)
				return -1;
		}
	}
	return 0;
}

/* ---- Channels ---- */

/* Set the keys, and check that the accessors match each other and the target. Return 0 or -1. */
static int find_keys(struct reader *reader, const struct gltf_sampler *sampler, const struct target *target,
		     struct keys *keys)
{
	const struct gltf_accessor *output = gltf_accessor_at(&reader->asset, sampler->output);
	uint64_t wanted;

	*keys = (struct keys){.sampler = sampler,
			      .output = output,
			      .n = (size_t)gltf_accessor_at(&reader->asset, sampler->input)->count,
			      .parts = sampler->interp == ANIM_HERMITE ? PARTS_MAX : 1,
			      .width = output->components};
	if (target->components != 0 && output->components != target->components)
		return anim_fail(reader->error, ANIM_BAD_INPUT,
				 "accessors[%" PRIu32 "]: its values have %u numbers, but %u are needed",
				 sampler->output, output->components, target->components);
	/* For a node without a mesh, the number of weights follows from the number of values, and is 0 without values. */
	if (target->goal == GOAL_SHAPES) {
		const struct gltf_mesh *mesh = mesh_of(reader, target->node);

		keys->width = mesh != NULL && mesh->targets > 0 ? mesh->targets
			      : output->view == GLTF_NONE       ? 0
								: (size_t)(output->count / (keys->n * keys->parts));
	}
	if (keys->width == 0)
		return anim_fail(reader->error, ANIM_BAD_INPUT, "nodes[%" PRIu32 "] has no morph targets",
				 target->node);
	wanted = (uint64_t)keys->n * keys->parts * keys->width / output->components;
	if (output->count == wanted)
		return 0;
	return anim_fail(reader->error, ANIM_BAD_INPUT,
			 "accessors[%" PRIu32 "]: %" PRIu64 " values, but %zu keys%s need %" PRIu64, sampler->output,
			 output->count, keys->n, keys->parts > 1 ? " of CUBICSPLINE" : "", wanted);
}

/* Return 1 if no other channel of the clip drives this target, 0 after a warning if one does, or -1. */
static int is_first(struct reader *reader, const struct target *target)
{
	const char *property = target->property;
	uint32_t before;

	if (property == NULL)
		property = target->goal == GOAL_SHAPES
			       ? "weights"
			       : anim_arena_printf(&reader->names, reader->error, "weights/%" PRIu32, target->shape);
	if (property == NULL)
		return -1;
	if (!anim_map_get(&reader->driven, target->node, property, strlen(property), &before))
		return anim_map_put(&reader->driven, target->node, property, strlen(property), 1, reader->error) == 0
			   ? 1
			   : -1;
	return warn(reader, "channel", "left out, because an earlier one of the animation drives the same property");
}

/*
 * Return the path of the target, in the scene that Godot's importer makes if there is one. That scene has only the
 * nodes of the file's scene. Return NULL on failure.
 */
static const char *path_of(struct reader *reader, const struct target *target)
{
	struct anim_import *import = &reader->asset.import;
	const struct anim_import_node *node;
	uint32_t place;

	if (import->places.size == 0)
		return gltf_tree_path(&reader->asset, target->node, reader->error);
	node = &import->nodes[target->node];
	place = target->goal == GOAL_SHAPES || target->goal == GOAL_SHAPE ? node->shapes
		: target->goal == GOAL_WHOLE && target->components > 1    ? node->place
									  : node->element;
	if ((gltf_node_at(&reader->asset, target->node)->is_outside || anim_import_place(import, place)->dropped) &&
	    warn(reader, "track", "'%.100s': the node is not in the scene that Godot imports", node->imported_name) !=
		0)
		return NULL;
	return anim_import_path(import, place, reader->error);
}

static int put_track(struct reader *reader, const struct gltf_channel *channel, const struct target *target,
		     const struct keys *keys)
{
	static const enum anim_type types[] = {ANIM_FLOAT, ANIM_FLOAT, ANIM_FLOAT2, ANIM_FLOAT3, ANIM_FLOAT4};
	float *room;
	bool is_face = target->goal == GOAL_FACE;
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = ANIM_FLOAT,
				   .rules = ANIM_RULES_PLAIN,
				   .node = ".",
				   .property = target->property,
				   .component = ANIM_WHOLE,
				   .interp = keys->sampler->interp,
				   .flags = reader->times[keys->sampler->input].unsorted ? ANIM_UNSORTED : 0,
				   .n = keys->n,
				   .time = (const float *)(const void *)reader->time.data};

	if (target->node != GLTF_NONE && !is_face)
		track.node = path_of(reader, target);
	if (is_face)
		track.property = anim_arena_printf(&reader->names, reader->error, "expression/%s", target->property);
	else if (target->goal == GOAL_SHAPE)
		track.property = shape_name(reader, target->node, target->shape);
	if (track.node == NULL || (track.property == NULL && target->goal != GOAL_SHAPES))
		return -1;
	switch (target->goal) {
	case GOAL_SHAPES:
		return put_shapes(reader, keys, target->node, &track);
	case GOAL_FLAG: { /* Send a bool track. Bools are Discrete with any interpolation of the sampler. */
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
		track.kind = ANIM_DISCRETE;
		track.type = ANIM_BOOL;
		track.interp = ANIM_HOLD;
		track.value = flags;
		return put(reader, keys, NULL, &track);
	}
	case GOAL_SHAPE:
	case GOAL_FACE:
		return put_single(reader, keys, NULL, &track);
	case GOAL_FOV:
		return put_single(reader, keys, channel->pointer, &track);
	default:
		track.type = target->components == 0 ? types[keys->output->components] : target->type;
		if (keys->parts == 1) {
			/* Borrow the values without copying if the file stores floats. */
			reader->columns[0].size = 0;
			room = anim_buffer_extend(&reader->columns[0], keys->n * keys->width * sizeof *room,
						  reader->error);
			track.value = room == NULL
					  ? NULL
					  : gltf_accessor_floats(&reader->data, &reader->asset, keys->sampler->output,
								 0, keys->n, room, reader->error);
		} else if (gather(reader, keys, 0, keys->width, 1, keys->width) == 0) {
			set_columns(reader, keys, 0, &track);
		}
		return track.value == NULL ? -1 : put(reader, keys, NULL, &track);
	}
}

static int write_channel(struct reader *reader, const struct gltf_animation *animation,
			 const struct gltf_channel *channel)
{
	const struct anim_place place = {.file = anim_input_name(reader->input), .at = ANIM_AT_FILE};
	const struct gltf_sampler *sampler;
	struct target target;
	struct keys keys;
	int first;
	const struct gltf_node *node;
	const struct gltf_view *view;

	if (find_target(reader, channel, &target) != 0)
		return -1;
	if (target.goal == GOAL_NONE)
		return anim_diagnostics_add(reader->options->diagnostics, target.is_harmless ? ANIM_NOTE : ANIM_WARNING,
					    &place, "channel", reader->error, "%s", target.why);
	sampler = sampler_of(reader, animation, channel);
	if (sampler == NULL || find_keys(reader, sampler, &target, &keys) != 0)
		return -1;
	first = is_first(reader, &target);
	if (first <= 0)
		return first;
	/* Warn of properties that the format forbids but that can be read. */
	node = gltf_node_at(&reader->asset, target.node);
	view = gltf_view_at(&reader->asset, keys.output->view);
	if (node != NULL && node->is_matrix && target.goal == GOAL_WHOLE &&
	    warn(reader, "node", "nodes[%" PRIu32 "]: animated with a matrix, which is decomposed", target.node) != 0)
		return -1;
	if (keys.sampler->is_odd &&
	    warn(reader, "sampler", "an unknown interpolation (known: STEP, LINEAR, CUBICSPLINE) counts as LINEAR") !=
		0)
		return -1;
	if (view != NULL && view->stride != 0 && view->packed == GLTF_NONE &&
	    warn(reader, "accessor", "accessors[%" PRIu32 "]: a byteStride, which glTF does not allow for animation",
		 keys.sampler->output) != 0)
		return -1;
	if (read_times(reader, sampler->input) != 0)
		return -1;
	return put_track(reader, channel, &target, &keys);
}

/* ---- A clip ---- */

static int find_end(struct reader *reader, const struct gltf_sampler *sampler)
{
	uint32_t number = sampler->input;
	struct times *times = &reader->times[number];
	const float *time;

	/* Find the largest time of an accessor and whether the times increase, only once for each accessor. */
	if (!times->known) {
		if (read_times(reader, number) != 0)
			return -1;
		time = (const float *)(const void *)reader->time.data;
		times->known = true;
		times->last_s = time[0];
		for (uint64_t i = 1; i < gltf_accessor_at(&reader->asset, number)->count; i++) {
			times->unsorted |= time[i] < time[i - 1];
			times->last_s = time[i] > times->last_s ? time[i] : times->last_s;
		}
		if (time[0] < 0 &&
		    warn(reader, "accessor", "accessors[%" PRIu32 "]: times before 0, which glTF does not allow",
			 number) != 0)
			return -1;
		if (reader->times[number].unsorted &&
		    warn(reader, "accessor", "accessors[%" PRIu32 "]: times are not sorted", number) != 0)
			return -1;
	}
	if (reader->times[sampler->input].last_s > reader->end_s)
		reader->end_s = reader->times[sampler->input].last_s;
	return 0;
}

/* Send an animation and all its tracks. Return 0 or -1. */
static int write_clip(struct reader *reader, uint32_t number, struct anim_sink *sink)
{
	const struct gltf_animation *animation = gltf_animation_at(&reader->asset, number);
	struct anim_clip clip = {.axes = ANIM_AXES_GLTF,
				 .flags = ANIM_IN_TREE | ANIM_END_DERIVED,
				 .name = animation->name,
				 .root = ".",
				 .loop = animation->loops ? ANIM_LOOP_WRAP : ANIM_LOOP_NONE,
				 .source = "gltf"};
	const struct anim_attr unnamed = {GLTF_UNNAMED, animation->name}, loop = {GLTF_LOOP_NAME, animation->own};

	if (animation->is_unnamed)
		clip.attrs = (struct anim_attrs){&unnamed, 1};
	else if (animation->name != animation->own)
		clip.attrs = (struct anim_attrs){&loop, 1};
	anim_arena_reset(&reader->names);
	anim_map_clear(&reader->driven);
	reader->sink = sink;
	reader->end_s = 0;
	if (for_samplers(reader, number, find_end) != 0)
		return -1;
	clip.end_s = reader->end_s;
	if (anim_sink_clip(sink, &clip, reader->error) != 0)
		return -1;
	for (uint32_t i = 0; i < animation->channels.count; i++)
		if (write_channel(
			reader, animation,
			GLTF_AT(&reader->asset, channels, struct gltf_channel, animation->channels.first + i)) != 0)
			return in_channel(reader, number, i);
	return 0;
}

/* Send the heads of the animations, without their lengths, and the names of their tracks. Return 0 or -1. */
static int write_heads(struct reader *reader, struct anim_sink *sink)
{
	for (uint32_t i = 0; i < gltf_animation_count(&reader->asset); i++) {
		const struct gltf_animation *animation = gltf_animation_at(&reader->asset, i);
		const struct anim_clip clip = {.axes = ANIM_AXES_GLTF,
					       .flags = ANIM_IN_TREE | ANIM_END_DERIVED,
					       .name = animation->name,
					       .root = ".",
					       .source = "gltf"};

		if (anim_sink_clip(sink, &clip, reader->error) != 0)
			return -1;
		for (uint32_t k = 0; k < animation->channels.count && sink->ops->track != NULL; k++) {
			struct anim_track track = {.type = ANIM_FLOAT, .rules = ANIM_RULES_PLAIN, .node = "."};
			struct target target;

			if (find_target(
				reader,
				GLTF_AT(&reader->asset, channels, struct gltf_channel, animation->channels.first + k),
				&target) != 0)
				return -1;
			if (target.goal == GOAL_NONE)
				continue;
			if (target.node != GLTF_NONE && target.goal != GOAL_FACE)
				track.node = path_of(reader, &target);
			track.property = target.property != NULL      ? target.property
					 : target.goal == GOAL_SHAPES ? "weights"
								      : shape_name(reader, target.node, target.shape);
			if (track.node == NULL || track.property == NULL ||
			    anim_sink_track(sink, &track, reader->error) != 0)
				return -1;
		}
	}
	return 0;
}

static int write_clips(struct reader *reader, struct anim_sink *next)
{
	struct anim_sink *sink = anim_boundary_init(&reader->guard, NULL, NULL, NULL, next);
	struct anim_store *store;
	int result;

	for (uint32_t i = 0; i < gltf_animation_count(&reader->asset); i++) {
		if (reader->left_out[i])
			continue;
		if (!reader->options->keep_going) {
			if (write_clip(reader, i, sink) != 0 && leave_out(reader, i) != 0)
				return -1;
			continue;
		}
		/* Store the clip first, because errors are complete only at its end. */
		store = anim_store_new(reader->options->store_memory, reader->error);
		result = store == NULL ? -1 : write_clip(reader, i, anim_store_sink(store));
		if (result == 0)
			result = anim_store_replay(store, 0, NULL, sink, reader->error);
		else if (store != NULL)
			result = leave_out(reader, i);
		anim_store_free(store);
		if (result != 0)
			return -1;
	}
	return 0;
}

/* ---- Rest poses of joints from the inverse bind matrices of their skins ---- */

/*
 * An inverse bind matrix transforms from the space of the mesh to the space of the joint, in the pose in which the mesh
 * was bound. The file does not define the space of the mesh, which need not be the world. So only the joints relative
 * to each other are known: joint j in its parent p is matrix(p) inverse(matrix(j)). A joint without a joint above it
 * keeps its node's transform.
 */

struct binding {
	struct reader *reader;
	const struct gltf_skin *skin;
	uint32_t *joint; /* for each node its number among the skin's joints, counted from 1 (0: none) */
	bool *is_set;    /* for each node */
};

/* Read the inverse bind matrix of a joint, which is column-major in the file. Return 0 or -1. */
static int read_matrix(const struct binding *b, uint32_t joint, struct anim_rows *out)
{
	struct reader *reader = b->reader;
	float room[16];
	const float *columns =
	    gltf_accessor_floats(&reader->data, &reader->asset, b->skin->binds, joint, 1, room, reader->error);

	if (columns == NULL)
		return -1;
	for (int i = 0; i < 12; i++)
		out->row[i / 4][i % 4] = (double)columns[i % 4 * 4 + i / 4];
	return 0;
}

static int bind_joint(struct binding *b, uint32_t node, uint32_t joint)
{
	struct gltf_node *at = gltf_node_at(&b->reader->asset, node);
	struct anim_rows own, parent, of, local;
	/* the transform from the node's parent to the nearest joint above the node, and the number of that joint */
	struct anim_rows between = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
	float rows[16] = {[15] = 1}, before[4], near = 0;
	bool finite = true;
	uint32_t above = 0; /* counted from 1 (0: no joint is above the node) */

	for (unsigned i = 0; at->parent != GLTF_NONE && i <= ANIM_GLTF_BETWEEN_JOINTS_MAX; i++) {
		above = b->joint[at->parent];
		if (above != 0)
			break;
		at = gltf_node_at(&b->reader->asset, at->parent);
		of = anim_rows_compose(at->position, at->rotation, at->scale);
		between = anim_rows_multiply(&of, &between);
	}
	if (above == 0)
		return 0;
	at = gltf_node_at(&b->reader->asset, node);
	if (read_matrix(b, joint, &own) != 0 || read_matrix(b, above - 1, &parent) != 0)
		return -1;
	b->is_set[node] = true;
	if (anim_rows_invert(&own) && anim_rows_invert(&between)) {
		local = anim_rows_multiply(&parent, &own);
		local = anim_rows_multiply(&between, &local);
		for (int i = 0; i < 12; i++) {
			rows[i] = (float)local.row[i / 4][i % 4];
			finite = finite && isfinite(rows[i]);
		}
		if (finite) {
			/* Of the two quaternions of a rotation, use the one that is nearer to the node's own. */
			memcpy(before, at->rotation, sizeof before);
			anim_transform_decompose(at->position, at->rotation, at->scale, rows);
			for (int i = 0; i < 4; i++)
				near += before[i] * at->rotation[i];
			for (int i = 0; i < 4 && near < 0; i++)
				at->rotation[i] = -at->rotation[i];
			return 0;
		}
	}
	return warn(b->reader, "node", "an inverse bind matrix without inverse; the node's own rest pose is used");
}

/* Set the rest poses of joints, once all matrices have been read. Return 0 or -1. */
static int bind_skins(struct reader *reader)
{
	size_t count = gltf_node_count(&reader->asset);
	struct binding b = {.reader = reader};
	const uint32_t *nodes;
	struct gltf_run joints;
	bool any = false;
	int result = -1;

	b.joint = anim_zeroed((count + 1) * sizeof *b.joint, reader->error);
	b.is_set = anim_zeroed((count + 1) * sizeof *b.is_set, reader->error);
	if (b.joint != NULL && b.is_set != NULL)
		result = 0;
	for (uint32_t i = 0; result == 0 && (b.skin = GLTF_AT(&reader->asset, skins, struct gltf_skin, i)) != NULL;
	     i++) {
		if (b.skin->binds == GLTF_NONE)
			continue;
		any = true;
		result = gltf_accessor_unpack(&reader->data, &reader->asset, b.skin->binds, reader->error);
		/* The first skin of a node determines its rest pose. */
		joints = b.skin->joints;
		nodes = GLTF_AT(&reader->asset, joints, uint32_t, joints.first);
		for (uint32_t k = 0; k < joints.count && result == 0; k++)
			b.joint[nodes[k]] = k + 1;
		for (uint32_t k = 0; k < joints.count && result == 0; k++)
			if (b.joint[nodes[k]] == k + 1 && !b.is_set[nodes[k]])
				result = bind_joint(&b, nodes[k], k);
		for (uint32_t k = 0; k < joints.count; k++)
			b.joint[nodes[k]] = 0;
	}
	if (result == 0 && !any)
		result = warn(reader, NULL, "no skin has inverse bind matrices; the nodes' own rest poses are used");
	free(b.joint);
	free(b.is_set);
	return result;
}

/* ---- External buffers: only regular files in the file's folder and the folders below it ---- */

static int refuse_uri(struct reader *reader, uint32_t number, const char *why)
{
	const char *uri = gltf_buffer_at(&reader->asset, number)->uri;
	char shown[160];

	anim_text_safe(shown, sizeof shown, uri, strlen(uri));
	return anim_fail(reader->error, ANIM_BAD_INPUT, "buffers[%" PRIu32 "]: '%s': %s", number, shown, why);
}

/* Open the file of a buffer, and set *shown to its name in messages. Return the descriptor or -1. */
static int open_file(struct reader *reader, uint32_t number, const char **shown)
{
	const char *uri = gltf_buffer_at(&reader->asset, number)->uri, *real;
	const char *why = reader->options->no_external    ? "other files are not followed"
			  : reader->location.real == NULL ? "the input is a pipe, so its folder is unknown"
			  : uri[0] == '\0'                ? "the name of the file is empty"
			  : uri[0] == '/' || uri[strcspn(uri, ":/?#")] == ':' ? "only relative paths are followed"
									      : NULL;
	int found, fd = -1;

	if (why != NULL)
		return refuse_uri(reader, number, why);
	*shown = anim_path_join(&reader->arena, reader->location.shown_folder, uri, reader->error);
	found = *shown == NULL ? -1 : anim_path_real(&reader->arena, *shown, &real, reader->error);
	if (found < 0)
		return -1;
	if (found == 0 && !anim_path_is_refused(errno))
		why = errno == ENOENT ? ANIM_NO_SUCH_FILE : "it cannot be reached";
	else if (found > 0 && !anim_path_is_below(real, reader->location.folder))
		why = "it lies outside the file's folder";
	else if (found > 0)
		fd = anim_open_regular(real, &why);
	if (fd >= 0)
		return fd;
	if (why != NULL)
		return refuse_uri(reader, number, why);
	anim_fail_system(reader->error, "cannot open");
	return anim_error_in_file(reader->error, *shown);
}

static int read_file(struct reader *reader, uint32_t number)
{
	struct anim_input *input = NULL;
	const char *shown = NULL;
	const struct anim_named *named =
	    reader->location.real != NULL ? NULL : anim_named_aside(gltf_buffer_at(&reader->asset, number)->uri);
	int fd = named != NULL ? -1 : open_file(reader, number, &shown), result;
	uint64_t read;

	if (fd < 0 && named == NULL)
		return -1;
	if (named != NULL)
		shown = named->name;
	result = named != NULL ? anim_input_open_memory(&input, named->bytes, named->size, shown, reader->error)
			       : anim_read_open(reader->options, fd, shown, &input, reader->error);
	if (result == 0)
		result = gltf_data_keep(&reader->data, number, input, &read, reader->error);
	if (result == 0 && gltf_spans_find(&reader->data.spans, number, UINT64_MAX)->to > read)
		result = anim_fail(reader->error, ANIM_BAD_INPUT,
				   "the file has %" PRIu64 " bytes, but buffers[%" PRIu32 "] should have %" PRIu64,
				   read, number, gltf_buffer_at(&reader->asset, number)->length);
	if (result != 0)
		anim_error_in_file(reader->error, shown);
	anim_input_close(input);
	if (fd >= 0)
		close(fd);
	return result;
}

/* Return whether animations need bytes of the buffer that are not in the document. */
static bool is_wanted(const struct reader *reader, uint32_t number)
{
	return !gltf_buffer_at(&reader->asset, number)->is_data &&
	       gltf_spans_find(&reader->data.spans, number, UINT64_MAX) != NULL;
}

/* ---- The chunks of a GLB after the JSON ---- */

static int refuse_chunk(struct reader *reader, const char *what)
{
	const struct anim_place place = {.file = anim_input_name(reader->input),
					 .at = ANIM_AT_BYTE,
					 .offset = anim_input_offset(reader->input) - GLTF_CHUNK_HEAD_BYTES};

	return anim_fail_at(reader->error, ANIM_BAD_INPUT, &place, "%s", what);
}

static int read_chunks(struct reader *reader)
{
	const struct gltf_buffer *buffer = gltf_buffer_at(&reader->asset, 0);
	uint32_t type;
	uint64_t size;
	bool extra, other = false;
	int more;

	while ((more = gltf_container_next(&reader->container, &type, &size, &extra, reader->error)) == 1) {
		uint64_t read = 0;

		if (type == GLTF_CHUNK_JSON)
			return refuse_chunk(reader, "a second JSON chunk");
		if (type == GLTF_CHUNK_BIN && (reader->has_bin || other))
			return refuse_chunk(reader, reader->has_bin ? "a second BIN chunk"
								    : "the BIN chunk is not the second one");
		other |= type != GLTF_CHUNK_BIN;
		reader->has_bin |= type == GLTF_CHUNK_BIN;
		if (type == GLTF_CHUNK_BIN && buffer != NULL && buffer->uri == NULL && is_wanted(reader, 0)) {
			if (buffer->length > size)
				return anim_fail(reader->error, ANIM_BAD_INPUT,
						 "buffers[0] has %" PRIu64 " bytes, but the BIN chunk has %" PRIu64,
						 buffer->length, size);
			if (gltf_data_keep(&reader->data, 0, reader->input, &read, reader->error) != 0)
				return -1;
		}
		if (gltf_container_skip(&reader->container, size - read, reader->error) != 0)
			return -1;
	}
	if (more == 0 && extra)
		return warn(reader, NULL,
			    "there are bytes after the %" PRIu64 " that the GLB should have; they are ignored",
			    reader->container.length);
	return more;
}

/* ---- The file ---- */

static int read_document(struct reader *reader)
{
	if (gltf_container_open(&reader->container, reader->input, reader->error) != 0 ||
	    gltf_asset_read(&reader->asset, &reader->container, &reader->data.spool, reader->error) != 0)
		return -1;
	reader->asset.keeps_root = reader->options->keep_root;
	if (gltf_tree_make(&reader->asset, reader->error) != 0)
		return -1;
	return reader->options->godot_paths && !reader->asset.is_vrm ? gltf_tree_import(&reader->asset, reader->error)
								     : 0;
}

static int read_data(struct reader *reader)
{
	reader->left_out = anim_arena_zeroed(&reader->arena, gltf_animation_count(&reader->asset) + 1,
					     sizeof *reader->left_out, reader->error);
	reader->times = anim_arena_zeroed(&reader->arena, GLTF_COUNT(&reader->asset, accessors, struct gltf_accessor),
					  sizeof *reader->times, reader->error);
	if (reader->left_out == NULL || reader->times == NULL || for_animations(reader, want) != 0)
		return -1;
	/* Request the inverse bind matrices of all skins. */
	if (reader->options->bind_rests) {
		const struct gltf_skin *skin;

		for (uint32_t i = 0; (skin = GLTF_AT(&reader->asset, skins, struct gltf_skin, i)) != NULL; i++) {
			if (skin->binds == GLTF_NONE)
				continue;
			if (gltf_accessor_want(&reader->data, &reader->asset, skin->binds, true, reader->error) != 0)
				return -1;
			if (gltf_accessor_at(&reader->asset, skin->binds)->count < skin->joints.count)
				return anim_fail(
				    reader->error, ANIM_BAD_INPUT,
				    "skins[%" PRIu32 "]: %" PRIu64 " inverse bind matrices, but %" PRIu32 " joints", i,
				    gltf_accessor_at(&reader->asset, skin->binds)->count, skin->joints.count);
		}
	}
	gltf_spans_sort(&reader->data.spans);
	if (reader->container.is_glb && read_chunks(reader) != 0)
		return -1;
	if (anim_locate(&reader->location, reader->input, &reader->arena, reader->error) != 0)
		return -1;
	/* Read the external buffers that animations need. */
	for (uint32_t i = 0; i < GLTF_COUNT(&reader->asset, buffers, struct gltf_buffer); i++) {
		const struct gltf_buffer *buffer = gltf_buffer_at(&reader->asset, i);

		if (!is_wanted(reader, i) || (i == 0 && buffer->uri == NULL && reader->has_bin))
			continue;
		if (buffer->uri == NULL)
			return anim_fail(reader->error, ANIM_BAD_INPUT, "buffers[%" PRIu32 "] has no data", i);
		if (read_file(reader, i) != 0)
			return -1;
	}
	if (reader->options->bind_rests && bind_skins(reader) != 0)
		return -1;
	return for_animations(reader, unpack);
}

static int write_all(struct reader *reader, struct anim_sink *sink)
{
	const struct anim_place place = {.file = anim_input_name(reader->input), .at = ANIM_AT_FILE};

	if (gltf_tree_write(&reader->asset, reader->file, reader->base_name, sink, reader->error) != 0)
		return -1;
	if (gltf_animation_count(&reader->asset) == 0)
		return warn(reader, NULL, "no animation in this file");
	if (reader->asset.is_vrm && gltf_animation_count(&reader->asset) > 1 &&
	    anim_diagnostics_add(reader->options->diagnostics, ANIM_NOTE, &place, NULL, reader->error,
				 "it has %u animations, but VRM players show only the first one",
				 gltf_animation_count(&reader->asset)) != 0)
		return -1;
	if (gltf_name_animations(&reader->asset, reader->base_name, reader->error) != 0)
		return -1;
	if (reader->options->clip_count != NULL)
		*reader->options->clip_count = gltf_animation_count(&reader->asset);
	return (reader->options->outline ? write_heads : write_clips)(reader, sink);
}

static void clear(struct reader *reader)
{
	gltf_asset_clear(&reader->asset);
	gltf_data_clear(&reader->data);
	anim_arena_clear(&reader->arena);
	anim_arena_clear(&reader->names);
	anim_map_clear(&reader->driven);
	anim_buffer_clear(&reader->time);
	for (int i = 0; i < 3; i++)
		anim_buffer_clear(&reader->columns[i]);
	anim_buffer_clear(&reader->piece);
}

int anim_gltf_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		   struct anim_error *error)
{
	struct reader reader = {.input = input, .options = options, .error = error, .time_accessor = GLTF_NONE};
	int result = -1;

	anim_spool_init(&reader.data.spool, options->store_memory);
	reader.file = anim_read_source_file(options, input);
	reader.base_name = anim_read_base_name(reader.file, &reader.arena, error);
	if (reader.base_name != NULL)
		result = read_document(&reader);
	if (result == 0 && !options->outline)
		result = read_data(&reader);
	if (result == 0)
		result = write_all(&reader, sink);
	if (result != 0 && anim_error_is_of_input(error))
		anim_error_in_file(error, anim_input_name(input));
	clear(&reader);
	return result;
}

/* ---- Other content of a file ---- */

int anim_gltf_describe(struct anim_input *input, size_t store_memory, struct anim_held *held, struct anim_error *error)
{
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options options = {.diagnostics = &diagnostics};
	struct reader reader = {.input = input, .options = &options, .error = error};
	const struct gltf_asset *asset = &reader.asset;
	int result;

	anim_spool_init(&reader.data.spool, store_memory);
	result = read_document(&reader);
	held->clips = result != 0 ? 0 : gltf_animation_count(asset);
	if (result == 0) {
		/* these programs write skins without a mesh, and events as extras of animations */
		bool ours = asset->generator != NULL && strcmp(asset->generator, GLTF_GENERATOR) == 0;
		uint32_t meshes = 0, extras = asset->extras;
		int vrm = asset->is_vrm ? anim_held_part(held, "VRMC_vrm_animation", error) : 0;
		/* Our writer's meshes for blend shapes have no surface: all vertices are at the origin. */
		for (uint32_t i = 0; i < GLTF_COUNT(asset, meshes, struct gltf_mesh); i++) {
			uint32_t at = gltf_mesh_at(asset, i)->positions;

			meshes += at == GLTF_NONE || at >= GLTF_COUNT(asset, accessors, struct gltf_accessor) ||
				  gltf_accessor_at(asset, at)->view != GLTF_NONE;
		}
		for (uint32_t i = 0; i < gltf_animation_count(asset) && !ours; i++)
			extras += gltf_animation_at(asset, i)->extras_text.to != 0;

		const struct {
			const char *one, *many;
			uint32_t count;
		} kinds[] = {
		    {"a mesh", "meshes", meshes},
		    {"a material", "materials", asset->materials},
		    {"a texture", "textures", asset->textures},
		    {"an image", "images", asset->images},
		    {"a skin", "skins", ours && meshes == 0 ? 0 : GLTF_COUNT(asset, skins, struct gltf_skin)},
		    {"a camera", "cameras", asset->cameras},
		    /* only a file that replaces this one can lose the bones of a human, because clips keep them */
		    {"an extension", "extensions", asset->others + (vrm > 0 && held->successor != NULL)},
		    {"a copyright", "copyrights", asset->copyrights},
		    {"an object with extras", "objects with extras", extras},
		};
		size_t used = 0, left = 0, shown = 0;

		held->text[0] = '\0';
		for (size_t i = 0; i < ANIM_COUNT(kinds); i++)
			left += kinds[i].count > 0;
		for (size_t i = 0; i < ANIM_COUNT(kinds) && used < sizeof held->text; i++) {
			if (kinds[i].count == 0)
				continue;
			used += (size_t)snprintf(held->text + used, sizeof held->text - used, "%s",
						 shown == 0  ? ""
						 : left == 1 ? " and "
							     : ", ");
			if (used < sizeof held->text && kinds[i].count == 1)
				used +=
				    (size_t)snprintf(held->text + used, sizeof held->text - used, "%s", kinds[i].one);
			else if (used < sizeof held->text)
				used += (size_t)snprintf(held->text + used, sizeof held->text - used, "%" PRIu32 " %s",
							 kinds[i].count, kinds[i].many);
			shown++;
			left--;
		}
		result = vrm < 0 ? -1 : 0;
	} else if (result != 0) {
		anim_error_in_file(error, anim_input_name(input));
	}
	clear(&reader);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

/* ---- Recognition ---- */

static size_t skip_blanks(const uint8_t *bytes, size_t size, size_t at)
{
	while (at < size && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n'))
		at++;
	return at;
}

/* Thousands of accessors can precede the asset, so the names of other first members of a document are also accepted. */
bool anim_gltf_is(const uint8_t *bytes, size_t size)
{
	static const char *const first[] = {
	    "\"accessors\"", "\"animations\"",         "\"bufferViews\"",
	    "\"buffers\"",   "\"extensionsRequired\"", "\"extensionsUsed\"",
	};
	size_t at = skip_blanks(bytes, size, anim_bytes_begin(bytes, size, "\xef\xbb\xbf") ? 3 : 0);

	if (anim_bytes_begin(bytes, size, "glTF"))
		return true;
	if (at == size || bytes[at] != '{')
		return false;
	at = skip_blanks(bytes, size, at + 1);
	for (size_t i = 0; i < ANIM_COUNT(first); i++)
		if (anim_bytes_begin(bytes + at, size - at, first[i]))
			return true;
	return anim_text_find(bytes, size, "\"asset\"") != NULL;
}
