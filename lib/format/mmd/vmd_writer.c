/* vmd_writer.c: the sink that writes a motion of MikuMikuDance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/map.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/face.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "format/mmd/channels.h"
#include "format/mmd/mmd.h"
#include "format/mmd/pose.h"
#include "format/mmd/sjis.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"
#include "stream/store.h"

#define MODEL_BYTES 20
#define IK_BYTES 20
#define LABEL_MAX 256u
#define NONE SIZE_MAX
#define CAMERA_NAME "カメラ・照明" /* of the model, in motions of a camera */
#define VIEW_DEG 30                /* of a camera without a track of its angle: MikuMikuDance's */

#define BIT(type) ((uint64_t)1 << (type))

/* Return the name of the morph that a track animates, or NULL. */
static const char *morph_of(const struct anim_track *track)
{
	const char *name = anim_text_after(track->property, "blend_shape/");
	const char *expression = anim_text_after(track->property, "expression/");
	int shape = expression == NULL ? -1 : anim_face_find(ANIM_FACE_VRM, expression, strlen(expression));

	if (shape >= 0 && anim_face_name(ANIM_FACE_MMD, (unsigned)shape) != NULL)
		return anim_face_name(ANIM_FACE_MMD, (unsigned)shape);
	return name != NULL ? name : expression;
}

/* Return whether a motion has a place for the property of a track. */
static bool has_place(const struct anim_track *track)
{
	static const char *const known[] = {"position",
					    "rotation",
					    "euler",
					    "angle",
					    "visible",
					    "fov",
					    "color",
					    "direction",
					    ANIM_MMD_IK,
					    ANIM_MMD_PHYSICS,
					    ANIM_MMD_SHADOW_MODE,
					    ANIM_MMD_SHADOW_DISTANCE};

	return track->type != ANIM_STRING &&
	       (morph_of(track) != NULL || anim_text_is_one_of(track->property, known, ANIM_COUNT(known)));
}

/* Return whether the conversion passes the track on unchanged. The writer itself samples curves that a motion does not have. */
static bool is_unchanged(const struct anim_track *track)
{
	const struct anim_type_info *type = &anim_types[track->type];

	if (strcmp(track->property, "euler") == 0)
		return strcmp(anim_node_own_name(track->node), ANIM_MMD_TARGET) == 0;
	return track->component == ANIM_WHOLE &&
	       (track->flags & (ANIM_REST_RELATIVE | ANIM_PERCENT | ANIM_UNSORTED)) == 0 &&
	       strcmp(track->property, "angle") != 0 && !(type->components == 2 && anim_track_is_transform(track));
}

const struct anim_caps anim_vmd_caps = {.format = "vmd",
					.kinds = 1u << ANIM_RAW | 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					.types = BIT(ANIM_FLOAT) | BIT(ANIM_FLOAT3) | BIT(ANIM_FLOATQ) |
						 BIT(ANIM_BOOL) | BIT(ANIM_INT) | BIT(ANIM_DOUBLE) | BIT(ANIM_DOUBLE3) |
						 BIT(ANIM_DOUBLEQ),
					.interps = 1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE,
					.rules = ANIM_RULES_PLAIN,
					.mixed_interps = true,
					.whole_transforms = true,
					.only_space = true,
					.ends = true,
					.negative_times = true,
					.raw_start = true,
					.holds = has_place,
					.unchanged = is_unchanged};

/* ---- The writer ---- */

/* A node of the tree. Texts are in the writer's arena. */
struct node {
	const char *name; /* in the file */
	const char *path;
	double position[3];   /* at rest */
	double above[4];      /* the rotation of its parent at rest, in the tree's space */
	double rotation[4];   /* the same of the node itself */
	bool rotated, camera; /* rotated: one of these is a rotation */
	const char *follows;  /* the name of the bone of which it copies a part, or NULL */
	double ratios[2];     /* of the position and the rotation that it copies */
	bool copies[2];
	bool is_goal, keeps_ik; /* of IK of the model, which stays on */
};

/* The tracks of a bone, a morph or another thing, by their numbers in the store. */
struct thing {
	const char *node; /* its path, or the name of a morph */
	size_t tracks[3];
};
enum { POSITION, ROTATION, PHYSICS };

/* Records of a section. Each run in the spool has the records of one thing. */
struct run {
	uint64_t place, size;
};
struct section {
	struct anim_buffer runs;
	uint32_t count;
};
enum { BONES, MORPHS, CAMERAS, LIGHTS, SHADOWS, SWITCHES, SECTIONS };

struct writer {
	struct anim_sink sink;
	struct anim_output *out;
	struct anim_diagnostics *diagnostics;
	struct anim_arena kept, scratch;
	struct anim_buffer nodes; /* struct node, of the last tree */
	struct anim_map paths;    /* their paths -> their numbers */
	struct anim_map by_name;  /* their names -> their numbers */
	struct anim_store *store; /* the clip and its tracks, or NULL */
	struct anim_clip clip;
	struct anim_buffer bones, morphs;    /* struct thing */
	struct anim_map bones_by, morphs_by; /* their names -> their numbers */
	struct anim_text_set names;          /* the bytes of names in the section */
	struct anim_spool spool;
	struct section sections[SECTIONS];
	struct anim_buffer frames;
	struct anim_track copies[4]; /* of the tracks that are read together */
	struct vmd_channel channels[4];
	bool has_japanese; /* some name of a bone is Japanese, as the names of the usual bones */
	size_t sampled;    /* tracks that were not at whole frames */
	size_t store_memory;
	bool has_skeleton; /* bones of the tree are below others */
};

static const struct node *node_at(const struct writer *writer, size_t number)
{
	return (const struct node *)(const void *)writer->nodes.data + number;
}

static struct thing *thing_at(const struct anim_buffer *things, size_t number)
{
	return (struct thing *)(void *)things->data + number;
}

static size_t thing_count(const struct anim_buffer *things)
{
	return things->size / sizeof(struct thing);
}

/* Return the node of a path in the tree, or NULL. */
static const struct node *find_node(const struct writer *writer, const char *path)
{
	uint32_t number;

	return anim_map_get(&writer->paths, 0, path, strlen(path), &number) ? node_at(writer, number) : NULL;
}

static const char *const leg_ik[] = {"左足ＩＫ", "右足ＩＫ", "左つま先ＩＫ", "右つま先ＩＫ"};

/* ---- Tree and clip ---- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;

	(void)tree;
	(void)error;
	if (writer->store != NULL)
		return 0; /* of another clip */
	writer->nodes.size = 0;
	writer->has_skeleton = false;
	anim_map_clear(&writer->paths);
	anim_map_clear(&writer->by_name);
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	static const double none[4] = {0, 0, 0, 1};
	static const char *const ratio_keys[2] = {ANIM_MMD_FOLLOWS_POSITION, ANIM_MMD_FOLLOWS_ROTATION};
	struct writer *writer = (struct writer *)sink;
	const char *follows = anim_attrs_get(&node->attrs, ANIM_MMD_FOLLOWS);
	size_t number = writer->nodes.size / sizeof(struct node);
	const char *name = anim_attrs_get(&node->attrs, ANIM_MMD_NAME), *path;
	struct node own = {.camera = node->kind == ANIM_NODE_CAMERA};
	const struct node *parent;
	double q[4];

	if (writer->store != NULL)
		return 0; /* of another clip */
	parent = node->parent == ANIM_NO_PARENT ? NULL : node_at(writer, node->parent);
	path = anim_arena_text(&writer->kept, node->path, strlen(node->path), error);
	name = name != NULL ? name : anim_node_own_name(node->path);
	own.name = anim_arena_text(&writer->kept, name, strlen(name), error);
	own.path = path;
	memcpy(own.above, parent == NULL ? none : parent->rotation, sizeof own.above);
	anim_quat_unit_double(q, node->rotation);
	anim_quat_multiply_double(own.rotation, own.above, q);
	own.rotated = fabs(own.rotation[3]) < 1 - 1e-12 || fabs(own.above[3]) < 1 - 1e-12;
	for (unsigned i = 0; i < 3; i++)
		own.position[i] = (double)node->position[i];
	writer->has_skeleton |= node->kind == ANIM_NODE_BONE && node->parent > 0;

	/* The attributes of a bone of a model: see mmd.h. */
	own.is_goal = anim_attrs_get(&node->attrs, ANIM_MMD_IK_MOVES) != NULL;
	for (unsigned i = 0; i < 2 && follows != NULL; i++) {
		const char *ratio = anim_attrs_get(&node->attrs, ratio_keys[i]);

		own.copies[i] = ratio != NULL && anim_number_typed(ratio, strlen(ratio), &own.ratios[i]) > 0;
	}
	if (path != NULL && own.name != NULL && follows != NULL)
		own.follows = anim_arena_text(&writer->kept, follows, strlen(follows), error);

	if (path == NULL || own.name == NULL || (follows != NULL && own.follows == NULL) ||
	    anim_buffer_append(&writer->nodes, &own, sizeof own, error) != 0 ||
	    anim_map_put(&writer->by_name, 0, own.name, strlen(own.name), (uint32_t)number, error) != 0)
		return -1;
	return anim_map_put(&writer->paths, 0, path, strlen(path), (uint32_t)number, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct writer *writer = (struct writer *)sink;

	if (writer->store != NULL)
		return anim_fail(error, ANIM_UNSUPPORTED, "a motion holds one clip, but there is another, '%.200s'",
				 clip->name);
	writer->store = anim_store_new(writer->store_memory, error);
	if (writer->store == NULL || anim_clip_copy(&writer->clip, clip, &writer->kept, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(writer->store), clip, error);
}

/* ---- Tracks ---- */

/* Return the thing of a name, which is added if it is new, or NULL if out of memory. */
static struct thing *get_thing(struct writer *writer, struct anim_buffer *things, struct anim_map *map,
			       const char *name, struct anim_error *error)
{
	struct thing thing = {.tracks = {NONE, NONE, NONE}};
	uint32_t number = (uint32_t)thing_count(things);

	if (anim_map_get(map, 0, name, strlen(name), &number))
		return thing_at(things, number);
	thing.node = anim_arena_text(&writer->kept, name, strlen(name), error);
	if (thing.node == NULL || anim_buffer_append(things, &thing, sizeof thing, error) != 0 ||
	    anim_map_put(map, 0, thing.node, strlen(thing.node), number, error) != 0)
		return NULL;
	return thing_at(things, number);
}

static int leave_out(struct writer *writer, const struct anim_track *track, struct anim_error *error)
{
	return anim_diagnostics_drop(writer->diagnostics, track,
				     "left out, because a motion has only bones, morphs and a camera", error);
}

/* Return whether a track has whole numbers, rotations or places over time, which a channel can hold. */
static bool fits_channel(const struct anim_track *track)
{
	unsigned components = anim_types[track->type].components;

	return track->type != ANIM_STRING && (components == 1 || components == 3 || components == 4) &&
	       track->component == ANIM_WHOLE && track->n > 0 && (track->flags & ANIM_DISABLED) == 0 &&
	       !(track->kind == ANIM_RAW && track->n > 1 && !(anim_track_step(track) > 0));
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	static const char *const scene[] = {ANIM_MMD_TARGET, ANIM_MMD_TARGET "/" ANIM_MMD_CAMERA, ANIM_MMD_LIGHT};
	struct writer *writer = (struct writer *)sink;
	unsigned components = anim_types[track->type].components;
	const char *morph = morph_of(track), *bones = anim_attrs_get(&track->attrs, ANIM_MMD_MORPH);
	const char *path, *goal = anim_attrs_get(&track->attrs, ANIM_MMD_IK_OF);
	const struct node *node;
	uint32_t goal_node;
	bool numbers =
	    anim_type_is_real(track->type) && fits_channel(track) && (track->flags & ANIM_REST_RELATIVE) == 0;
	bool rotates = strcmp(track->property, "rotation") == 0, moves = strcmp(track->property, "position") == 0;
	bool physics = strcmp(track->property, ANIM_MMD_PHYSICS) == 0 && track->type == ANIM_BOOL;
	struct anim_error none = {0};
	struct thing *thing = NULL;
	size_t number = anim_store_tracks(writer->store, 0), slot = physics ? PHYSICS : rotates ? ROTATION : POSITION;

	anim_arena_reset(&writer->scratch);
	path = anim_tree_path(writer->clip.root, track->node, &writer->scratch, &none);
	if (path == NULL)
		path = track->node;
	node = find_node(writer, path);

	/* Tracks of the camera, the light and switches are found in the store later. */
	if (anim_text_is_one_of(track->node, scene, ANIM_COUNT(scene)) || strcmp(track->property, ANIM_MMD_IK) == 0 ||
	    (strcmp(track->property, "visible") == 0 && strcmp(track->node, ".") == 0) ||
	    (node != NULL && node->camera))
		return track->n == 0 ? 0 : anim_sink_track(anim_store_sink(writer->store), track, error);

	/* The motion that a morph or IK gives to bones is in the tracks of these bones. */
	if (morph != NULL && bones != NULL && strcmp(bones, "bones") == 0)
		return anim_diagnostics_note(writer->diagnostics, "morph", error,
					     "'%.80s': left out, because the bones that it moves have its motion",
					     morph);
	if (morph != NULL && bones != NULL) {
		anim_diagnostics_leave_out(writer->diagnostics);
		return anim_diagnostics_warn(
		    writer->diagnostics, "morph", error,
		    "'%.80s': left out, because it also changes other things than bones, which have its motion", morph);
	}
	if (goal != NULL && anim_map_get(&writer->by_name, 0, goal, strlen(goal), &goal_node)) {
		((struct node *)(void *)writer->nodes.data)[goal_node].keeps_ik = true;
		return anim_diagnostics_note(writer->diagnostics, "bone", error,
					     "'%.80s': left out, because IK of the model moves the bone",
					     anim_node_own_name(path));
	}

	if (numbers && morph != NULL && components == 1)
		thing = get_thing(writer, &writer->morphs, &writer->morphs_by, morph, error);
	else if (physics || (numbers && anim_track_is_transform(track) &&
			     ((rotates && components == 4) || (moves && components == 3))))
		thing = get_thing(writer, &writer->bones, &writer->bones_by, path, error);
	else
		return track->n == 0 || anim_track_only_shows(track) ? 0 : leave_out(writer, track, error);
	if (thing == NULL)
		return -1;
	if (thing->tracks[slot] != NONE)
		return anim_diagnostics_track(writer->diagnostics, track, error,
					      "left out, because another one has the same name");
	thing->tracks[slot] = number;
	return anim_sink_track(anim_store_sink(writer->store), track, error);
}

/* ---- Bytes ---- */

static void put_u32(uint8_t *at, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

static void put_floats(uint8_t *at, const float *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t bits;

		memcpy(&bits, values + i, sizeof bits);
		put_u32(at + 4 * i, bits);
	}
}

/* Begin the records of a thing. */
static int begin_run(struct writer *writer, unsigned section, size_t count, size_t size, struct anim_error *error)
{
	struct run run = {.place = anim_spool_size(&writer->spool), .size = (uint64_t)count * size};
	struct section *own = &writer->sections[section];

	if (count > UINT32_MAX - own->count)
		return anim_fail(error, ANIM_TOO_LARGE, "a motion cannot have more than %u keys", UINT32_MAX);
	own->count += (uint32_t)count;
	if (anim_buffer_append(&own->runs, &run, sizeof run, error) != 0)
		return -1;
	return anim_spool_begin(&writer->spool, run.size, error);
}

/*
 * Make the bytes of a name. Returns 1, 0 if the name cannot be written, which is reported, or -1. Names of one section must
 * differ.
 */
static int make_name(struct writer *writer, const char *name, uint8_t out[MMD_NAME_BYTES], struct anim_error *error)
{
	bool lacks;
	size_t size = anim_sjis_from_utf8(name, out, MMD_NAME_BYTES, &lacks);
	int is_new;

	if (lacks)
		return anim_diagnostics_warn(writer->diagnostics, "name", error,
					     "'%.80s': left out, because Shift-JIS lacks some characters", name) != 0
			   ? -1
			   : 0;
	if (size > MMD_NAME_BYTES && (anim_diagnostics_warn(writer->diagnostics, "name", error,
							    "'%.80s': cut at 15 bytes of Shift-JIS", name) != 0 ||
				      anim_diagnostics_name(writer->diagnostics, error, "'%.80s'", name) != 0))
		return -1;
	is_new = anim_text_set_add(&writer->names, out, MMD_NAME_BYTES, error);
	if (is_new == 0 &&
	    anim_diagnostics_warn(
		writer->diagnostics, "name", error,
		"'%.80s': left out, because another name has the same first bytes; " ANIM_ADVICE(SHORTEN), name) != 0)
		return -1;
	return is_new;
}

/* ---- Channels ---- */

/* Read a track of the store into a channel (NONE: none). */
static int fill_channel(struct writer *writer, unsigned channel, size_t number, struct anim_error *error)
{
	struct anim_track read;

	writer->channels[channel].keys.size = 0;
	writer->channels[channel].curved = writer->channels[channel].sampled = false;
	if (number == NONE)
		return 0;
	if (anim_store_read(writer->store, 0, number, &read, error) != 0)
		return -1;
	if (!fits_channel(&read))
		return leave_out(writer, &read, error);
	if (anim_track_copy(&writer->copies[channel], &read, &writer->scratch, error) != 0)
		return -1;
	return vmd_channel_fill(&writer->channels[channel], anim_store_clip(writer->store, 0), &writer->copies[channel],
				error);
}

/* Collect the frames of the first channels. Returns their number, 0 without a key, or -1. */
static ssize_t join_channels(struct writer *writer, size_t count, struct anim_error *error)
{
	struct vmd_channel *channels[4] = {NULL};

	for (size_t i = 0; i < count; i++)
		channels[i] = &writer->channels[i];
	if (vmd_channels_join(channels, count, &writer->frames, error) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		writer->sampled += channels[i]->sampled && vmd_channel_count(channels[i]) > 1;
	return (ssize_t)(writer->frames.size / sizeof(uint32_t));
}

static uint32_t frame_at(const struct writer *writer, size_t k)
{
	return ((const uint32_t *)(const void *)writer->frames.data)[k];
}

/* ---- Switches ---- */

/* The IK of a bone, the whole model (name NULL), or the physics of a bone (also NULL). */
struct switched {
	const char *name;
	struct anim_track track; /* without a track, n is 0: then IK is off, and the others are on */
	size_t next;             /* the first key after the last frame */
};

/* Read a track of the store (NONE: none). Returns 0 or -1. */
static int read_switch(struct writer *writer, struct switched *item, size_t number, struct anim_error *error)
{
	struct anim_track read;

	if (number != NONE && (anim_store_read(writer->store, 0, number, &read, error) != 0 ||
			       anim_track_copy(&item->track, &read, &writer->scratch, error) != 0))
		return -1;
	if (item->track.time == NULL || item->track.type != ANIM_BOOL)
		item->track.n = 0;
	return 0;
}

/*
 * Return whether a switch is on at a frame. Frames are asked for in their order. Before the first key, a switch has the
 * value of that key.
 */
static bool is_on(const struct writer *writer, struct switched *item, uint32_t frame)
{
	const struct anim_track *track = &item->track;

	if (track->n == 0)
		return item->name == NULL;
	while (item->next < track->n &&
	       ((double)track->time[item->next] - (double)writer->clip.start_s) * MMD_RATE <= (double)frame + 0.5)
		item->next++;
	return ((const uint8_t *)track->value)[item->next == 0 ? 0 : item->next - 1] != 0;
}

/* ---- Bones ---- */

#define BONE_BYTES 111

/* Convert from the axes of glTF, which mirror Z, and metres. */
static void put_place(uint8_t *at, const double place[3])
{
	const float out[3] = {(float)(place[0] / ANIM_MMD_UNIT_M), (float)(place[1] / ANIM_MMD_UNIT_M),
			      (float)(-place[2] / ANIM_MMD_UNIT_M)};

	put_floats(at, out, 3);
}

/* Print a rotation. At rest, a bone has no rotation in MikuMikuDance, whatever rotation it has in the tree. */
static void put_rotation(uint8_t *at, const struct node *node, const float rotation[4])
{
	float out[4] = {-rotation[0], -rotation[1], rotation[2], rotation[3]};
	double q[4], back[4], length = 0;

	for (unsigned i = 0; i < 4; i++)
		length += (double)rotation[i] * (double)rotation[i];
	if (fabs(length - 1) > 1e-5 || (node != NULL && node->rotated)) {
		anim_quat_unit_double(q, rotation);
		if (node != NULL) {
			anim_quat_conjugate_double(back, node->rotation);
			anim_quat_multiply_double(q, node->above, q);
			anim_quat_multiply_double(q, q, back);
		}
		for (unsigned i = 0; i < 4; i++)
			out[i] = (float)(i < 2 ? -q[i] : q[i]);
	}
	for (unsigned i = 0; i < 4; i++)
		out[i] = out[i] == 0 ? 0 : out[i];
	put_floats(at, out, 4);
}

#define COPIES_MAX 16u   /* bones that copy each other in a chain */
#define COPIED_ONLY 1e-6 /* largest own motion of a bone that only copies another one: rounding of floats */
#define SOURCE 2u        /* the channel of the copied bone */

/*
 * Find the bone whose motion a bone copies in the end, through bones that copy it themselves, and the ratios on the way.
 * Returns the number of ratios. 0: none, or the chain is a loop.
 */
static unsigned find_source(const struct writer *writer, const struct node *node, unsigned slot,
			    const struct node **source, double ratios[COPIES_MAX])
{
	unsigned count = 0;
	uint32_t number;

	*source = node;
	while ((*source)->copies[slot]) {
		const char *name = (*source)->follows;

		if (count == COPIES_MAX || !anim_map_get(&writer->by_name, 0, name, strlen(name), &number))
			return 0;
		ratios[count++] = (*source)->ratios[slot];
		*source = node_at(writer, number);
	}
	return count;
}

/* Subtract the copied part of a position or a rotation. The last ratio is the one of the bone beside the source. */
static void subtract_copy(float own[4], const float copied[4], const struct node *source, bool rotates,
			  const double *ratios, unsigned count)
{
	double q[4], p[4];

	if (!rotates) {
		double ratio = 1;

		while (count > 0)
			ratio *= ratios[--count];
		for (unsigned i = 0; i < 3; i++)
			own[i] = (float)((double)own[i] - ratio * ((double)copied[i] - source->position[i]));
		return;
	}
	anim_quat_unit_double(q, own);
	anim_quat_unit_double(p, copied);
	while (count > 0)
		mmd_rotation_power(p, p, ratios[--count]);
	anim_quat_conjugate_double(p, p);
	anim_quat_product(q, q, p);
	for (unsigned i = 0; i < 4; i++)
		own[i] = (float)q[i];
}

/* A bone that copies another one does so again when the motion is played. Leave its own motion, which may be none. */
static int subtract_copies(struct writer *writer, const struct node *node, unsigned slot, struct anim_error *error)
{
	struct vmd_channel *own = &writer->channels[slot], *copied = &writer->channels[SOURCE];
	struct vmd_channel *both[2] = {own, copied};
	double ratios[COPIES_MAX], most = 0;
	const struct node *source;
	unsigned count = node == NULL ? 0 : find_source(writer, node, slot, &source, ratios);
	struct anim_buffer keys = {0};
	size_t cursors[2] = {0};
	uint32_t number;
	int result = 0;

	if (count == 0 || vmd_channel_count(own) == 0 ||
	    !anim_map_get(&writer->bones_by, 0, source->path, strlen(source->path), &number))
		return 0;
	if (fill_channel(writer, SOURCE, thing_at(&writer->bones, number)->tracks[slot], error) != 0 ||
	    vmd_channels_join(both, 2, &writer->frames, error) != 0)
		return -1;
	for (size_t k = 0; k < writer->frames.size / sizeof(uint32_t) && result == 0; k++) {
		struct vmd_key key = {0}, from = {.value = {0, 0, 0, 1}};

		vmd_channel_at(own, frame_at(writer, k), &cursors[0], &key);
		if (!vmd_channel_at(copied, frame_at(writer, k), &cursors[1], &from))
			break;
		subtract_copy(key.value, from.value, source, slot == ROTATION, ratios, count);
		for (unsigned i = 0; i < 3; i++)
			most = fmax(most, fabs((double)key.value[i] - (slot == ROTATION ? 0 : node->position[i])));
		result = anim_buffer_append(&keys, &key, sizeof key, error);
	}
	if (result == 0 && keys.size > 0) {
		own->keys.size = 0;
		if (most > COPIED_ONLY)
			result = anim_buffer_append(&own->keys, keys.data, keys.size, error);
	}
	anim_buffer_clear(&keys);
	return result;
}

/* Write the keys of a bone at all frames. `kept`: the curves of its position as text, or NULL. Return 0 or -1. */
static int write_bone_keys(struct writer *writer, const struct node *node, const uint8_t name[MMD_NAME_BYTES],
			   const char *kept, struct switched *physics, struct anim_error *error)
{
	size_t count = writer->frames.size / sizeof(uint32_t), cursors[2] = {0, 0};

	if (begin_run(writer, BONES, count, BONE_BYTES, error) != 0)
		return -1;
	for (size_t k = 0; k < count; k++) {
		struct vmd_key position = {.curves = {vmd_line, vmd_line, vmd_line}}, rotation = position;
		uint8_t record[BONE_BYTES] = {0}, row[32] = {0};
		uint32_t frame = frame_at(writer, k);
		double place[3];
		bool is_physical;

		rotation.value[3] = 1;
		memcpy(record, name, MMD_NAME_BYTES);
		put_u32(record + 15, frame);
		/* A position is relative to the rest pose, in axes of the tree. */
		if (vmd_channel_at(&writer->channels[POSITION], frame, &cursors[POSITION], &position)) {
			for (unsigned i = 0; i < 3; i++)
				place[i] = (double)position.value[i] - (node == NULL ? 0 : node->position[i]);
			if (node != NULL && node->rotated)
				anim_quat_rotate_double(place, node->above, place);
			for (unsigned i = 0; i < 3; i++)
				place[i] = place[i] == 0 ? 0 : place[i];
			put_place(record + 19, place);
		}
		vmd_channel_at(&writer->channels[ROTATION], frame, &cursors[ROTATION], &rotation);
		put_rotation(record + 31, vmd_channel_count(&writer->channels[ROTATION]) > 0 ? node : NULL,
			     rotation.value);

		/*
		 * The curves of X, Y, Z and the rotation are a row of 16 bytes, and three copies, each shifted by one more
		 * byte. Bytes 2 and 3 of the first row are the switch of physics.
		 */
		for (unsigned c = 0; c < 4; c++) {
			const struct mmd_curve *curve = c < 3 ? &position.curves[c] : &rotation.curves[0];
			uint8_t points[4] = {curve->x1, curve->y1, curve->x2, curve->y2};

			for (unsigned i = 0; i < 4 && kept != NULL && c < 3; i++) { /* the reader kept these as text */
				const char *digits = kept + 24 * k + 8 * c + 2 * i;

				points[i] =
				    (uint8_t)((anim_hex_digit(digits[0]) * 16 + anim_hex_digit(digits[1])) & 127);
			}
			for (unsigned i = 0; i < 4; i++)
				row[4 * i + c] = points[i];
		}
		for (unsigned i = 0; i < 4; i++)
			memcpy(record + 47 + 16 * i, row + i, 16);
		is_physical = is_on(writer, physics, frame);
		record[49] = is_physical ? 0 : MMD_NO_PHYSICS_1;
		record[50] = is_physical ? 0 : MMD_NO_PHYSICS_2;
		if (anim_spool_append(&writer->spool, record, sizeof record, error) != 0)
			return -1;
	}
	return 0;
}

static int write_bone(struct writer *writer, const struct thing *bone, struct anim_error *error)
{
	const struct node *node = find_node(writer, bone->node);
	const char *kept = NULL;
	struct switched physics = {.name = NULL};
	uint8_t name[MMD_NAME_BYTES];
	ssize_t count;
	int made;

	anim_arena_reset(&writer->scratch);
	made = make_name(writer, node != NULL ? node->name : anim_node_own_name(bone->node), name, error);
	if (made <= 0)
		return made;
	writer->has_japanese |= name[0] >= 0x80;
	for (unsigned i = 0; i < 2; i++)
		if (fill_channel(writer, i, bone->tracks[i], error) != 0 ||
		    subtract_copies(writer, node, i, error) != 0)
			return -1;
	if (bone->tracks[ROTATION] != NONE)
		kept = anim_attrs_get(&writer->copies[ROTATION].attrs, ANIM_MMD_CURVES);
	count = join_channels(writer, 2, error);
	if (count < 0)
		return -1;
	if (kept != NULL &&
	    (strlen(kept) != 24 * (size_t)count || strspn(kept, "0123456789abcdef") != strlen(kept) ||
	     vmd_channel_count(&writer->channels[ROTATION]) != (size_t)count || writer->channels[ROTATION].sampled))
		kept = NULL;
	if (read_switch(writer, &physics, bone->tracks[PHYSICS], error) != 0)
		return -1;
	return write_bone_keys(writer, node, name, kept, &physics, error);
}

/* ---- Morphs ---- */

#define MORPH_BYTES 23

static int write_morph(struct writer *writer, const struct thing *morph, struct anim_error *error)
{
	uint8_t record[MORPH_BYTES] = {0};
	ssize_t count;
	int made;

	anim_arena_reset(&writer->scratch);
	made = make_name(writer, morph->node, record, error);
	if (made <= 0)
		return made;
	if (fill_channel(writer, 0, morph->tracks[0], error) != 0 || (count = join_channels(writer, 1, error)) < 0 ||
	    begin_run(writer, MORPHS, (size_t)count, MORPH_BYTES, error) != 0)
		return -1;
	for (size_t k = 0; k < (size_t)count; k++) {
		const struct vmd_key *key = vmd_channel_key(&writer->channels[0], k);

		put_u32(record + 15, key->frame);
		put_floats(record + 19, key->value, 1);
		if (anim_spool_append(&writer->spool, record, sizeof record, error) != 0)
			return -1;
	}
	return 0;
}

/* ---- The camera ---- */

#define CAMERA_BYTES 61
enum { TARGET, ANGLES, DISTANCE, VIEW };

static size_t find_track(const struct writer *writer, const char *node, const char *property)
{
	ptrdiff_t found = node == NULL ? -1 : anim_store_find(writer->store, 0, 0, node, property);

	return found < 0 ? NONE : (size_t)found;
}

static int write_camera_keys(struct writer *writer, struct anim_error *error)
{
	size_t count = writer->frames.size / sizeof(uint32_t), cursors[4] = {0};
	float before[3] = {0};

	if (begin_run(writer, CAMERAS, count, CAMERA_BYTES, error) != 0)
		return -1;
	for (size_t k = 0; k < count; k++) {
		const struct vmd_key none = {.curves = {vmd_line, vmd_line, vmd_line}};
		struct vmd_key keys[4] = {none, none, none, none};
		struct mmd_curve curves[6];
		uint8_t record[CAMERA_BYTES] = {0};
		float angles[3] = {0}, distance;
		double place[3];

		keys[VIEW].value[0] = VIEW_DEG;
		for (unsigned i = 0; i < 4; i++)
			vmd_channel_at(&writer->channels[i], frame_at(writer, k), &cursors[i], &keys[i]);
		distance = (float)(-(double)keys[DISTANCE].value[2] / ANIM_MMD_UNIT_M);
		if (vmd_channel_count(&writer->channels[ANGLES]) > 0) { /* angles or a rotation in the axes of glTF */
			const float *value = keys[ANGLES].value;
			double q[4], own[3] = {(double)value[0], (double)value[1], (double)value[2]};

			if (writer->channels[ANGLES].components == 4) {
				anim_quat_unit_double(q, value);
				anim_euler_from_quat_double(own, q, ANIM_EULER_YXZ);
			}
			angles[0] = (float)own[0];
			angles[1] = (float)own[1];
			angles[2] = (float)-own[2];
		}
		/* angles do not jump by whole rotations */
		for (unsigned i = 0; i < 3 && k > 0 && writer->channels[ANGLES].components == 4; i++)
			angles[i] -=
			    (float)(2 * ANIM_PI * rint(((double)angles[i] - (double)before[i]) / (2 * ANIM_PI)));
		memcpy(before, angles, sizeof before);
		for (unsigned i = 0; i < 3; i++) {
			place[i] = (double)keys[TARGET].value[i];
			curves[i] = keys[TARGET].curves[i];
			angles[i] = angles[i] == 0 ? 0 : angles[i];
		}
		curves[3] = vmd_line;
		for (unsigned i = 3; i-- > 0;)
			if (memcmp(&keys[ANGLES].curves[i], &vmd_line, sizeof vmd_line) != 0)
				curves[3] = keys[ANGLES].curves[i];
		curves[4] = keys[DISTANCE].curves[2];
		curves[5] = keys[VIEW].curves[0];
		put_u32(record, frame_at(writer, k));
		put_floats(record + 4, &distance, 1);
		put_place(record + 8, place);
		put_floats(record + 20, angles, 3);
		for (unsigned i = 0; i < 6; i++) {
			const uint8_t bytes[4] = {curves[i].x1, curves[i].x2, curves[i].y1, curves[i].y2};

			memcpy(record + 32 + 4 * i, bytes, sizeof bytes);
		}
		put_u32(record + 56, (uint32_t)fmin(fmax(rint((double)keys[VIEW].value[0]), 1), 179));
		if (anim_spool_append(&writer->spool, record, sizeof record, error) != 0)
			return -1;
	}
	return 0;
}

static int write_camera(struct writer *writer, struct anim_error *error)
{
	static const char *const properties[] = {"position", "rotation", "fov"};
	static const char target[] = ANIM_MMD_TARGET, camera[] = ANIM_MMD_TARGET "/" ANIM_MMD_CAMERA;
	const char *other = NULL;
	size_t tracks[4] = {find_track(writer, target, "position"), find_track(writer, target, "euler"),
			    find_track(writer, camera, "position"), find_track(writer, camera, "fov")};
	ssize_t count;

	if (tracks[TARGET] == NONE && tracks[ANGLES] == NONE && tracks[VIEW] == NONE) {
		/* a camera of another program */
		for (size_t i = 0; i < anim_store_tracks(writer->store, 0) && other == NULL; i++) {
			const struct anim_store_track *track = anim_store_track_at(writer->store, 0, i);
			const struct node *node = find_node(writer, track->node);

			if (node != NULL && node->camera &&
			    anim_text_is_one_of(track->property, properties, ANIM_COUNT(properties)))
				other = track->node;
		}
		if (other == NULL)
			return 0;
		tracks[TARGET] = find_track(writer, other, "position");
		tracks[ANGLES] = find_track(writer, other, "rotation");
		tracks[DISTANCE] = NONE;
		tracks[VIEW] = find_track(writer, other, "fov");
		if (strchr(other, '/') != NULL &&
		    anim_diagnostics_warn(
			writer->diagnostics, NULL, error,
			"the camera '%.80s' is below other nodes, whose motion is not a part of its own", other) != 0)
			return -1;
	}
	anim_arena_reset(&writer->scratch);
	for (unsigned i = 0; i < 4; i++)
		if (fill_channel(writer, i, tracks[i], error) != 0)
			return -1;
	count = join_channels(writer, 4, error);
	if (count <= 0)
		return (int)count;
	if (thing_count(&writer->bones) > 0 &&
	    anim_diagnostics_warn(writer->diagnostics, NULL, error,
				  "the motion has bones and a camera; MikuMikuDance reads cameras only from motions of "
				  "their own, so write the camera into a separate file") != 0)
		return -1;
	return write_camera_keys(writer, error);
}

/* ---- Lights, shadows and switches ---- */

static int write_light(struct writer *writer, struct anim_error *error)
{
	size_t tracks[2] = {find_track(writer, ANIM_MMD_LIGHT, "color"),
			    find_track(writer, ANIM_MMD_LIGHT, "direction")};
	size_t cursors[2] = {0};
	ssize_t count;

	anim_arena_reset(&writer->scratch);
	if (fill_channel(writer, 0, tracks[0], error) != 0 || fill_channel(writer, 1, tracks[1], error) != 0 ||
	    (count = join_channels(writer, 2, error)) < 0 || begin_run(writer, LIGHTS, (size_t)count, 28, error) != 0)
		return -1;
	for (size_t k = 0; k < (size_t)count; k++) {
		struct vmd_key color = {.value = {0.6F, 0.6F, 0.6F}}, direction = {.value = {-0.5F, -1, -0.5F}};
		uint8_t record[28];

		vmd_channel_at(&writer->channels[0], frame_at(writer, k), &cursors[0], &color);
		vmd_channel_at(&writer->channels[1], frame_at(writer, k), &cursors[1], &direction);
		direction.value[2] = direction.value[2] == 0 ? 0 : -direction.value[2];
		put_u32(record, frame_at(writer, k));
		put_floats(record + 4, color.value, 3);
		put_floats(record + 16, direction.value, 3);
		if (anim_spool_append(&writer->spool, record, sizeof record, error) != 0)
			return -1;
	}
	return 0;
}

static int write_shadow(struct writer *writer, struct anim_error *error)
{
	size_t cursor = 0;
	ssize_t count;

	anim_arena_reset(&writer->scratch);
	if (fill_channel(writer, 0, find_track(writer, ANIM_MMD_LIGHT, ANIM_MMD_SHADOW_DISTANCE), error) != 0 ||
	    fill_channel(writer, 1, find_track(writer, ANIM_MMD_LIGHT, ANIM_MMD_SHADOW_MODE), error) != 0 ||
	    (count = join_channels(writer, 1, error)) < 0 || begin_run(writer, SHADOWS, (size_t)count, 9, error) != 0)
		return -1;
	for (size_t k = 0; k < (size_t)count; k++) {
		const struct vmd_key *key = vmd_channel_key(&writer->channels[0], k);
		struct vmd_key own = {.value = {1}};
		uint8_t record[9];

		vmd_channel_at(&writer->channels[1], key->frame, &cursor, &own);
		put_u32(record, key->frame);
		record[4] = (uint8_t)fmin(fmax((double)own.value[0], 0), 255);
		put_floats(record + 5, key->value, 1);
		if (anim_spool_append(&writer->spool, record, sizeof record, error) != 0)
			return -1;
	}
	return 0;
}

/* Add a switch, with the track of this number (NONE: none). */
static int add_switch(struct writer *writer, struct anim_buffer *list, const char *name, size_t number,
		      struct anim_error *error)
{
	struct switched item = {.name = name};

	return read_switch(writer, &item, number, error) != 0 ? -1
							      : anim_buffer_append(list, &item, sizeof item, error);
}

/* List the switch of the whole model, then the switches of IK. */
static int list_switches(struct writer *writer, struct anim_buffer *list, struct anim_error *error)
{
	int result = add_switch(writer, list, NULL, find_track(writer, ".", "visible"), error);
	bool has_ik, rotates_legs = false;

	for (size_t i = 0; i < anim_store_tracks(writer->store, 0) && result == 0; i++) {
		const struct anim_store_track *track = anim_store_track_at(writer->store, 0, i);
		const struct node *node = find_node(writer, track->node);
		const char *name = node == NULL ? anim_node_own_name(track->node) : node->name;

		if (strcmp(track->property, ANIM_MMD_IK) == 0)
			result = add_switch(writer, list, name, i, error);
	}
	/* if the model has played the motion, all its IK has, except for bones that were left out */
	for (size_t i = 0; i < writer->nodes.size / sizeof(struct node) && result == 0; i++)
		if (strcmp(writer->clip.source, "mmd") == 0 && node_at(writer, i)->is_goal &&
		    !node_at(writer, i)->keeps_ik)
			result = add_switch(writer, list, node_at(writer, i)->name, NONE, error);

	/*
	 * If the motion rotates the legs themselves, IK would move them a second time. A motion that was read without a
	 * model has no skeleton.
	 */
	has_ik = list->size > sizeof(struct switched);
	for (size_t i = 0; !has_ik && i < thing_count(&writer->bones) && !rotates_legs; i++) {
		const struct thing *bone = thing_at(&writer->bones, i);
		const struct node *node = find_node(writer, bone->node);

		rotates_legs = bone->tracks[ROTATION] != NONE &&
			       (strcmp(writer->clip.source, "mmd") != 0 || writer->has_skeleton) &&
			       mmd_is_leg(node == NULL ? anim_node_own_name(bone->node) : node->name);
	}
	for (size_t i = 0; rotates_legs && i < 4 && result == 0; i++)
		result = add_switch(writer, list, leg_ik[i], NONE, error);
	return result;
}

static int write_switches(struct writer *writer, struct anim_error *error)
{
	struct anim_buffer list = {0};
	struct switched *items;
	int result;
	size_t count;

	anim_arena_reset(&writer->scratch);
	anim_text_set_reset(&writer->names);
	result = list_switches(writer, &list, error);
	items = (struct switched *)(void *)list.data;
	count = list.size / sizeof *items;
	/* Collect the frames at which something is switched. */
	writer->frames.size = 0;
	for (size_t i = 0; i < count && result == 0; i++)
		for (size_t k = 0; k < items[i].track.n && result == 0; k++) {
			double at = ((double)items[i].track.time[k] - (double)writer->clip.start_s) * MMD_RATE;
			uint32_t frame = (uint32_t)fmin(fmax(rint(at), 0), UINT32_MAX);

			result = anim_buffer_append(&writer->frames, &frame, sizeof frame, error);
		}
	if (result == 0 && writer->frames.size == 0 && count > 1)
		result = anim_buffer_append(&writer->frames, &(const uint32_t){0}, sizeof(uint32_t), error);
	vmd_frames_sort(&writer->frames);
	for (size_t k = 0; k < writer->frames.size / sizeof(uint32_t) && result == 0; k++) {
		uint32_t frame = frame_at(writer, k);
		uint8_t head[9], record[IK_BYTES + 1];

		put_u32(head, frame);
		head[4] = is_on(writer, &items[0], frame);
		put_u32(head + 5, (uint32_t)count - 1);
		result = begin_run(writer, SWITCHES, 1, sizeof head + (count - 1) * sizeof record, error);
		if (result == 0)
			result = anim_spool_append(&writer->spool, head, sizeof head, error);
		for (size_t i = 1; i < count && result == 0; i++) {
			bool lacks;

			anim_sjis_from_utf8(items[i].name, record, IK_BYTES, &lacks);
			record[IK_BYTES] = is_on(writer, &items[i], frame);
			result = anim_spool_append(&writer->spool, record, sizeof record, error);
		}
	}
	anim_buffer_clear(&list);
	return result;
}

/* ---- The file ---- */

static int write_section(struct writer *writer, const struct section *section, struct anim_error *error)
{
	const struct run *runs = (const struct run *)(const void *)section->runs.data;
	uint8_t bytes[4096];

	put_u32(bytes, section->count);
	if (anim_output_write(writer->out, bytes, 4, error) != 0)
		return -1;
	for (size_t i = 0; i < section->runs.size / sizeof *runs; i++)
		for (uint64_t done = 0; done < runs[i].size;) {
			size_t size = runs[i].size - done < sizeof bytes ? (size_t)(runs[i].size - done) : sizeof bytes;

			if (anim_spool_copy(&writer->spool, runs[i].place + done, bytes, size, error) != 0 ||
			    anim_output_write(writer->out, bytes, size, error) != 0)
				return -1;
			done += size;
		}
	return 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	static const char signature[30] = "Vocaloid Motion Data 0002";
	struct writer *writer = (struct writer *)sink;
	const char *model = anim_attrs_get(&writer->clip.attrs, ANIM_MMD_MODEL);
	uint8_t name[MODEL_BYTES] = {0};
	bool lacks;

	if (writer->store == NULL)
		return anim_fail_no_clip(error);
	for (size_t i = 0; i < thing_count(&writer->bones); i++)
		if (write_bone(writer, thing_at(&writer->bones, i), error) != 0)
			return -1;
	if (thing_count(&writer->bones) > 1 && !writer->has_japanese) {
		if (anim_diagnostics_warn(
			writer->diagnostics, "bone", error,
			"no name of MikuMikuDance, whose models have other bones; " ANIM_ADVICE(OTHER_NAMES)) != 0)
			return -1;
		anim_diagnostics_repeat(writer->diagnostics, thing_count(&writer->bones) - 1);
	}
	anim_text_set_reset(&writer->names);
	for (size_t i = 0; i < thing_count(&writer->morphs); i++)
		if (write_morph(writer, thing_at(&writer->morphs, i), error) != 0)
			return -1;
	if (write_camera(writer, error) != 0 || write_light(writer, error) != 0 || write_shadow(writer, error) != 0 ||
	    write_switches(writer, error) != 0)
		return -1;
	if (writer->sampled > 0) {
		if (anim_diagnostics_note(
			writer->diagnostics, "track", error,
			"sampled 30 times a second, because MikuMikuDance has whole frames and other curves") != 0)
			return -1;
		anim_diagnostics_repeat(writer->diagnostics, writer->sampled - 1);
	}
	if (anim_diagnostics_check(writer->diagnostics, error) != 0)
		return -1;

	/* The signature and the name of the model are before the sections. */
	if (model == NULL)
		model = thing_count(&writer->bones) + thing_count(&writer->morphs) == 0 &&
				writer->sections[CAMERAS].count + writer->sections[LIGHTS].count > 0
			    ? CAMERA_NAME
			    : writer->clip.name;
	anim_sjis_from_utf8(model, name, MODEL_BYTES - 1, &lacks);
	if (anim_output_write(writer->out, signature, sizeof signature, error) != 0 ||
	    anim_output_write(writer->out, name, sizeof name, error) != 0)
		return -1;
	for (unsigned i = 0; i < SECTIONS; i++)
		if (write_section(writer, &writer->sections[i], error) != 0)
			return -1;
	return 0;
}

static void on_free(struct anim_sink *sink)
{
	struct writer *writer = (struct writer *)sink;

	anim_store_free(writer->store);
	anim_arena_clear(&writer->kept);
	anim_arena_clear(&writer->scratch);
	anim_buffer_clear(&writer->nodes);
	anim_buffer_clear(&writer->bones);
	anim_buffer_clear(&writer->morphs);
	anim_buffer_clear(&writer->frames);
	anim_map_clear(&writer->paths);
	anim_map_clear(&writer->by_name);
	anim_map_clear(&writer->bones_by);
	anim_map_clear(&writer->morphs_by);
	anim_text_set_clear(&writer->names);
	anim_spool_clear(&writer->spool);
	for (unsigned i = 0; i < SECTIONS; i++)
		anim_buffer_clear(&writer->sections[i].runs);
	for (unsigned i = 0; i < 4; i++)
		vmd_channel_clear(&writer->channels[i]);
	free(writer);
}

struct anim_sink *anim_vmd_writer_new(struct anim_output *out, const struct anim_write_options *options,
				      struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct writer *writer = anim_sink_new(sizeof *writer, &ops, error);

	if (writer == NULL)
		return NULL;
	writer->out = out;
	writer->diagnostics = options->diagnostics;
	writer->store_memory = options->store_memory;
	anim_spool_init(&writer->spool, options->store_memory);
	return &writer->sink;
}
