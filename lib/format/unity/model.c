/* model.c: clips inside models, which import settings (.meta) make of the takes of an FBX or glTF file. */
#include "format/unity/model.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/count.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/span.h"
#include "format/unity/event.h"
#include "format/unity/gltf.h"
#include "format/unity/names.h"

#define RECYCLED(id) ((id) / 100000) /* the class of an object in fileIDToRecycleName */
#define PREVIEW "__preview__"        /* begins the name of a hidden copy of a take (Unity 2018) */
#define NOT_MADE UINT32_MAX

enum { TYPE_NONE, TYPE_LEGACY, TYPE_GENERIC, TYPE_HUMANOID };

/* ---- The hash of a name: XXH64 with seed 0 (Yann Collet, public specification) ---- */

#define PRIME_1 0x9e3779b185ebca87u
#define PRIME_2 0xc2b2ae3d27d4eb4fu
#define PRIME_3 0x165667b19e3779f9u
#define PRIME_4 0x85ebca77c2b2ae63u
#define PRIME_5 0x27d4eb2f165667c5u

static uint64_t rotate(uint64_t x, unsigned bits)
{
	return x << bits | x >> (64 - bits);
}

static uint64_t read_le(const uint8_t *at, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)at[i] << (8 * i);
	return value;
}

static uint64_t round_of(uint64_t sum, uint64_t input)
{
	return rotate(sum + input * PRIME_2, 31) * PRIME_1;
}

/* Unity numbers the objects of a model by this hash of "Type:AnimationClip->NAME" and a number. */
static uint64_t hash_of(const void *bytes, size_t size)
{
	const uint8_t *at = bytes, *end = at + size;
	uint64_t hash = PRIME_5;

	if (size >= 32) {
		uint64_t sums[4] = {PRIME_1 + PRIME_2, PRIME_2, 0, 0 - PRIME_1};

		for (; end - at >= 32; at += 32)
			for (unsigned i = 0; i < 4; i++)
				sums[i] = round_of(sums[i], read_le(at + 8 * i, 8));
		hash = rotate(sums[0], 1) + rotate(sums[1], 7) + rotate(sums[2], 12) + rotate(sums[3], 18);
		for (unsigned i = 0; i < 4; i++)
			hash = (hash ^ round_of(0, sums[i])) * PRIME_1 + PRIME_4;
	}
	hash += size;
	for (; end - at >= 8; at += 8)
		hash = rotate(hash ^ round_of(0, read_le(at, 8)), 27) * PRIME_1 + PRIME_4;
	for (; end - at >= 4; at += 4)
		hash = rotate(hash ^ read_le(at, 4) * PRIME_1, 23) * PRIME_2 + PRIME_3;
	for (; at < end; at++)
		hash = rotate(hash ^ *at * PRIME_5, 11) * PRIME_1;
	hash = (hash ^ hash >> 33) * PRIME_2;
	hash = (hash ^ hash >> 29) * PRIME_3;
	return hash ^ hash >> 32;
}

/* ---- Import settings ---- */

/* An event of a clip. Its time is a fraction of the length. */
struct model_event {
	float time;
	const char *json;
};

/* A curve of a parameter of the Animator, on such a time axis. */
struct model_curve {
	const char *name;
	struct anim_track track;
};

/* A clip of the settings, or a complete take. Everything is in the run's arena. */
struct model_clip {
	const char *name, *take;
	int64_t id; /* internalID, 0: none */
	uint32_t line;
	bool is_whole;     /* the complete take */
	float first, last; /* frames */
	bool loops;
	int64_t wrap;            /* m_WrapMode of a legacy clip */
	struct anim_attrs attrs; /* the settings, as an .anim has them */
	const struct model_event *events;
	const struct model_curve *curves;
	size_t event_count, curve_count;
	uint32_t number_in_list; /* in the settings */
	unsigned effects;        /* a set of bits, the first for effects[0] */
	uint32_t number;         /* among the source's clips, or NOT_MADE */
};

struct unity_model {
	int64_t type, wrap; /* animationType, animationWrapMode */
	bool is_imported;   /* importAnimation */
	bool uses_file_scale, bakes_axes, keeps_top;
	float scale;              /* globalScale */
	const char *root_bone;    /* rootMotionBoneName, or "" */
	struct unity_gltf *gltf;  /* the settings of a glTF file, otherwise NULL */
	struct anim_buffer clips; /* struct model_clip */
	struct anim_buffer names; /* const char *: of the table */
	struct anim_map table;    /* (fileID, "") -> number in names */
	struct anim_map masked;   /* (number of a clip in the settings, path) -> 0: left out by its mask */
	struct anim_map mask;     /* (0, path) -> 0: the nodes of the model as Unity names them */

	/* the content of the model's file */
	bool is_read;
	const char *why;                                  /* the reason why it could not be read, otherwise NULL */
	struct anim_store *takes;                         /* its nodes, and its takes as clips */
	double unit_m;                                    /* its unit of length, 0: not an FBX file */
	struct anim_buffer nodes;                         /* struct anim_node, in the run's arena */
	uint32_t top;                                     /* number of the node that becomes the root, or 0 */
	uint32_t dropped;                                 /* number of the first node that is not kept because of it */
	struct anim_map by_name, by_id, by_hash, by_take; /* -> number in clips, of by_take: in takes */
};

static struct model_clip *clip_at(const struct unity_model *model, size_t number)
{
	return (struct model_clip *)(void *)model->clips.data + number;
}

static size_t clip_count(const struct unity_model *model)
{
	return model->clips.size / sizeof(struct model_clip);
}

static const struct anim_node *node_at(const struct unity_model *model, size_t number)
{
	return (const struct anim_node *)(const void *)model->nodes.data + number;
}

static size_t node_count(const struct unity_model *model)
{
	return model->nodes.size / sizeof(struct anim_node);
}

void unity_model_clear(struct unity_model *model)
{
	if (model == NULL)
		return;
	anim_buffer_clear(&model->clips);
	anim_buffer_clear(&model->names);
	anim_buffer_clear(&model->nodes);
	anim_map_clear(&model->table);
	anim_map_clear(&model->mask);
	anim_map_clear(&model->masked);
	anim_map_clear(&model->by_name);
	anim_map_clear(&model->by_id);
	anim_map_clear(&model->by_hash);
	anim_map_clear(&model->by_take);
	if (model->gltf != NULL)
		anim_map_clear(&model->gltf->clips);
	anim_store_free(model->takes);
}

/* Add an entry of a table of names. Returns 0 or -1. */
static int note_name(struct unity_run *run, struct unity_model *model, int64_t id, const char *name)
{
	uint32_t number = (uint32_t)(model->names.size / sizeof name);

	if (name[0] == '\0')
		return 0;
	name = unity_keep(run, name);
	if (name == NULL || anim_buffer_append(&model->names, &name, sizeof name, run->error) != 0)
		return -1;
	return anim_map_put(&model->table, (uint64_t)id, "", 0, number, run->error);
}

/* Settings of a clip that an .anim has as well, with "m_" before the name. */
static const char *const settings[] = {"orientationOffsetY",
				       "level",
				       "cycleOffset",
				       "hasAdditiveReferencePose",
				       "loopBlend",
				       "loopBlendOrientation",
				       "loopBlendPositionY",
				       "loopBlendPositionXZ",
				       "keepOriginalOrientation",
				       "keepOriginalPositionY",
				       "keepOriginalPositionXZ",
				       "heightFromFeet",
				       "mirror"};

/* Keep a setting as an attribute of the clip, unless it is the default. Returns 0 or -1. */
static int keep_setting(struct unity_run *run, struct model_clip *clip, const char *name, const char *text)
{
	const struct anim_attrs before = clip->attrs;
	char path[80];
	const struct unity_clip_field *row;

	snprintf(path, sizeof path, UNITY_ATTR_PREFIX UNITY_SETTINGS ".m_%s", name);
	path[sizeof UNITY_ATTR_PREFIX UNITY_SETTINGS ".m_" - 1] -= 'a' - 'A';
	row = unity_clip_field_find(path + sizeof UNITY_ATTR_PREFIX - 1);
	if (text[0] == '\0' || row == NULL || (row->value != NULL && strcmp(row->value, text) == 0))
		return 0;
	return anim_attrs_with(&clip->attrs, &before, path, text, &run->arena, run->error);
}

/* Effects of the engine besides playing the curves. */
static const struct {
	const char *key, *text;
} effects[] = {
    {"loopBlend", "curves are read without blending the end into the start (loop pose)"},
    {"cycleOffset", "curves are read without the offset of the cycle"},
    {"mirror", "curves are read without being mirrored by the engine"},
    {"hasAdditiveReferencePose", "curves are read without subtracting the reference pose of an additive layer"},
};

#define EFFECT_BODY_MASK (1u << ANIM_COUNT(effects))
#define EFFECT_OTHER_MASK (2u << ANIM_COUNT(effects))

/* Read the events of a clip. Missing and invalid numbers are 0. Returns 0 or -1. */
static int read_events(struct unity_run *run, struct model_clip *clip, const struct unity_node *list)
{
	const struct unity_node *item = unity_items(list);
	struct anim_buffer json = {0};
	struct model_event *events;

	if (item == NULL)
		return 0;
	events = anim_arena_zeroed(&run->arena, list->count, sizeof *events, run->error);
	clip->events = events;
	for (; events != NULL && item != NULL; item = item->next) {
		struct unity_event event = {.function = unity_text(item, "functionName", ""),
					    .data = unity_text(item, "data", "")};
		struct unity_reference reference = {0};
		struct model_event *to = &events[clip->event_count++];

		(void)unity_float(item, "time", &to->time, NULL);
		(void)unity_float(item, "floatParameter", &event.number, NULL);
		(void)unity_int64(item, "intParameter", &event.integer, NULL);
		(void)unity_int64(item, "messageOptions", &event.options, NULL);
		if (unity_reference_read(unity_get(item, "objectReferenceParameter"), &reference, NULL) > 0) {
			event.file_id = reference.file_id;
			event.type = reference.type;
			event.guid = reference.guid[0] != '\0' ? reference.guid : NULL;
		}
		json.size = 0;
		if (unity_event_print(&event, &json, run->error) != 0)
			break;
		to->json = anim_arena_text(&run->arena, (const char *)json.data, json.size, run->error);
		if (to->json == NULL || !isfinite(to->time))
			to->time = 0;
		if (to->json == NULL)
			break;
	}
	anim_buffer_clear(&json);
	return events == NULL || item != NULL ? -1 : 0;
}

/* Read the curves of parameters. Returns 0 or -1. */
static int read_curves(struct unity_run *run, struct model_clip *clip, const struct unity_node *list)
{
	const struct unity_node *item = unity_items(list);
	struct model_curve *curves;

	if (item == NULL)
		return 0;
	curves = anim_arena_zeroed(&run->arena, list->count, sizeof *curves, run->error);
	if (curves == NULL)
		return -1;
	clip->curves = curves;
	for (; item != NULL; item = item->next) {
		const struct unity_node *keys = unity_get(unity_get(item, "curve"), "m_Curve");
		const char *name = unity_text(item, "name", unity_text(item, "attribute", ""));
		struct model_curve *to = &curves[clip->curve_count];
		struct anim_track track;

		if (keys == NULL || keys->kind != UNITY_KEYS || keys->keys->n == 0 || keys->keys->type != ANIM_FLOAT ||
		    name[0] == '\0' || strlen(name) > ANIM_NAME_MAX)
			continue;
		track = *keys->keys;
		track.kind = ANIM_CURVE;
		track.node = ".";
		track.property = "";
		track.component = ANIM_WHOLE;
		to->name = unity_keep(run, name);
		if (to->name == NULL || anim_track_copy(&to->track, &track, &run->arena, run->error) != 0)
			return -1;
		clip->curve_count++;
	}
	return 0;
}

#define MASK_OWN 0 /* maskType: made from this model. 1: from another asset, 3: none. */
#define MASK_COPIED 1

/*
 * Note the nodes that the mask of the next clip leaves out, and masks that are not applied. The first mask also gives the
 * paths of all nodes of the model. Returns 0 or -1.
 */
static int read_mask(struct unity_run *run, struct unity_model *model, const struct unity_node *item,
		     unsigned *clip_effects)
{
	const struct unity_node *list = unity_get(item, "transformMask"), *node;
	const char *body = unity_text(item, "bodyMask", "");
	struct unity_reference other = {0};
	int64_t type = -1, weight;
	size_t digits = strlen(body);

	for (node = model->mask.count > 0 ? NULL : unity_items(list); node != NULL; node = node->next) {
		const char *path = unity_keep(run, unity_text(node, "path", ""));

		if (path == NULL || anim_map_put(&model->mask, 0, path, strlen(path), 0, run->error) != 0)
			return -1;
	}
	(void)unity_int64(item, "maskType", &type, NULL);
	if (type == MASK_COPIED && unity_reference_read(unity_get(item, "maskSource"), &other, NULL) > 0 &&
	    other.file_id != 0)
		*clip_effects |= EFFECT_OTHER_MASK;
	if (type != MASK_OWN)
		return 0;
	/* a part of the body has 8 digits, "01000000" or "00000000" */
	for (size_t i = 0; digits % 8 == 0 && i < digits; i += 8)
		if (body[i + 1] == '0')
			*clip_effects |= EFFECT_BODY_MASK;
	for (node = unity_items(list); node != NULL; node = node->next) {
		const char *path = unity_text(node, "path", "");

		weight = 1;
		if (path[0] == '\0' || unity_int64(node, "weight", &weight, NULL) <= 0 || weight != 0)
			continue;
		path = unity_keep(run, path);
		*clip_effects |= EFFECT_BODY_MASK;
		if (path == NULL ||
		    anim_map_put(&model->masked, clip_count(model), path, strlen(path), 0, run->error) != 0)
			return -1;
	}
	return 0;
}

static int read_clip(struct unity_run *run, struct unity_source *source, struct unity_model *model,
		     const struct unity_node *item)
{
	struct model_clip clip = {.line = item->line, .number = NOT_MADE};
	float reference = 0;
	int64_t loops = 0;

	clip.name = unity_keep(run, unity_text(item, "name", ""));
	clip.take = unity_keep(run, unity_text(item, "takeName", ""));
	if (clip.name == NULL || clip.take == NULL)
		return -1;
	(void)unity_int64(item, "internalID", &clip.id, NULL);
	(void)unity_int64(item, "loopTime", &loops, NULL);
	(void)unity_int64(item, "wrapMode", &clip.wrap, NULL);
	clip.loops = loops != 0;
	if (unity_float(item, "firstFrame", &clip.first, NULL) < 0 ||
	    unity_float(item, "lastFrame", &clip.last, NULL) < 0 || !isfinite(clip.first) || !isfinite(clip.last))
		return unity_say(run, source, ANIM_WARNING, item->line, "clip",
				 "'%s' is left out: its frames are not numbers", clip.name);
	for (size_t i = 0; i < ANIM_COUNT(settings); i++)
		if (keep_setting(run, &clip, settings[i], unity_text(item, settings[i], "")) != 0)
			return -1;
	/* The pose is on the grid of the frames. Its time is kept in frames until the rate is known. */
	if (unity_float(item, "additiveReferencePoseFrame", &reference, NULL) > 0 && reference != 0 &&
	    keep_setting(run, &clip, "additiveReferencePoseTime", unity_text(item, "additiveReferencePoseFrame", "")) !=
		0)
		return -1;
	clip.number_in_list = (uint32_t)clip_count(model);
	for (unsigned i = 0; i < ANIM_COUNT(effects); i++) {
		float value = 0;

		if (unity_float(item, effects[i].key, &value, NULL) > 0 && value != 0)
			clip.effects |= 1u << i;
	}
	if (read_events(run, &clip, unity_get(item, "events")) != 0 ||
	    read_curves(run, &clip, unity_get(item, "curves")) != 0 || read_mask(run, model, item, &clip.effects) != 0)
		return -1;
	return anim_buffer_append(&model->clips, &clip, sizeof clip, run->error);
}

bool unity_model_wants(const char *name)
{
	return anim_text_is_word(
	    "fileIDToRecycleName internalIDToNameTable importAnimation animationType clipAnimations "
	    "animationWrapMode globalScale useFileScale bakeAxisConversion preserveHierarchy "
	    "rootMotionBoneName animations meshes",
	    name);
}

int unity_model_field(struct unity_run *run, struct unity_source *source, const struct unity_field *field)
{
	struct unity_model *model = source->model;
	const struct unity_node *node = field->node, *entry;
	int64_t number = 0, class_id;

	if (model == NULL) {
		model = source->model = anim_arena_zeroed(&run->arena, 1, sizeof *model, run->error);
		if (model == NULL)
			return -1;
		model->is_imported = true;
		model->scale = 1;
		model->root_bone = "";
	}
	if (field->is_item && strcmp(field->name, "clipAnimations") == 0)
		return read_clip(run, source, model, node);
	/* {first: {74: ID}, second: NAME} */
	if (field->is_item && strcmp(field->name, "internalIDToNameTable") == 0) {
		entry = unity_get(node, "first");
		entry = entry == NULL || entry->kind != UNITY_MAP ? NULL : entry->first;
		if (entry == NULL || !unity_parse_id(entry->key, strlen(entry->key), &class_id) ||
		    class_id != UNITY_CLIP_CLASS || !unity_parse_id(entry->text, strlen(entry->text), &number))
			return 0;
		return note_name(run, model, number, unity_text(node, "second", ""));
	}
	/* "7400000: walk", as before Unity 2019 */
	if (strcmp(field->name, "fileIDToRecycleName") == 0) {
		for (entry = node->kind == UNITY_MAP ? node->first : NULL; entry != NULL; entry = entry->next)
			if (unity_parse_id(entry->key, strlen(entry->key), &number) &&
			    RECYCLED(number) == UNITY_CLIP_CLASS && note_name(run, model, number, entry->text) != 0)
				return -1;
		return 0;
	}
	if (strcmp(field->name, "rootMotionBoneName") == 0) {
		model->root_bone = unity_keep(run, node->text);
		return model->root_bone == NULL ? -1 : 0;
	}
	if (strcmp(field->name, "globalScale") == 0) {
		if (unity_number_float(node->text, node->text + node->length, &model->scale) == NULL ||
		    !isfinite(model->scale) || model->scale <= 0)
			model->scale = 1;
		return 0;
	}
	if (!unity_parse_id(node->text, node->length, &number))
		return 0;
	if (strcmp(field->name, "animationType") == 0)
		model->type = number;
	else if (strcmp(field->name, "animationWrapMode") == 0)
		model->wrap = number;
	else if (strcmp(field->name, "importAnimation") == 0)
		model->is_imported = number != 0;
	else if (strcmp(field->name, "useFileScale") == 0)
		model->uses_file_scale = number != 0;
	else if (strcmp(field->name, "bakeAxisConversion") == 0)
		model->bakes_axes = number != 0;
	else if (strcmp(field->name, "preserveHierarchy") == 0)
		model->keeps_top = number != 0;
	return 0;
}

int unity_model_gltf(struct unity_run *run, struct unity_source *source, struct anim_input *meta)
{
	struct unity_model *model = anim_arena_zeroed(&run->arena, 1, sizeof *model, run->error);
	struct unity_gltf *gltf = anim_arena_zeroed(&run->arena, 1, sizeof *gltf, run->error);
	struct unity_avatar *avatar = anim_arena_zeroed(&run->arena, 1, sizeof *avatar, run->error);
	const int64_t id = UNITY_AVATAR * (int64_t)100000;

	if (model == NULL || gltf == NULL || avatar == NULL)
		return -1;
	model->gltf = gltf;
	source->model = model;
	if (unity_gltf_read(run, meta, gltf) != 0)
		return -1;
	if (gltf->package == UNITY_GLTF_OTHER) {
		unity_model_clear(model);
		source->model = NULL;
		return 0;
	}
	model->type = gltf->method == UNITY_GLTF_LEGACY ? TYPE_LEGACY : TYPE_GENERIC;
	model->is_imported = gltf->method != UNITY_GLTF_NO_CLIPS;
	model->scale = gltf->scale;
	model->root_bone = "";
	/* an avatar without a skeleton, which gets the nodes of the file */
	avatar->id = id;
	return unity_item_add(run, source, &source->avatars, &avatar, sizeof avatar, id, UNITY_ID_AVATAR) == NULL ? -1
														  : 0;
}

/* ---- The file of the model ---- */

/* Keep a copy of each node. */
struct node_copying {
	struct unity_run *run;
	struct unity_model *model;
	bool failed;
};

static bool copy_node(void *context, struct anim_node *node)
{
	struct node_copying *at = context;
	struct anim_node copy;

	at->failed = at->failed || anim_node_copy(&copy, node, &at->run->arena, at->run->error) != 0 ||
		     anim_buffer_append(&at->model->nodes, &copy, sizeof copy, at->run->error) != 0;
	return false;
}

/*
 * Find the only node at the top, which becomes the root of the model in Unity, so that paths begin below it. MotionBuilder's
 * cameras do not count, and bones stay. A node that moves stays if it carries the motion of the root, or of a human.
 */
static void find_top(struct unity_model *model)
{
	const struct anim_node *top;
	uint32_t known, number = 0;
	bool moves = false; /* in a take */

	for (uint32_t i = 1; i < node_count(model); i++) {
		const struct anim_node *node = node_at(model, i);

		if (node->parent != 0 || node->kind == ANIM_NODE_CAMERA || strcmp(node->path, "Camera Switcher") == 0)
			continue;
		if (number != 0)
			return;
		number = i;
	}
	if (number == 0)
		return;
	top = node_at(model, number);
	if (top->kind == ANIM_NODE_BONE || model->keeps_top)
		return;
	if (anim_map_get(&model->mask, 0, top->path, strlen(top->path), &known))
		return;
	for (size_t i = 0; i < anim_store_clips(model->takes) && model->mask.count < 2 && !moves; i++)
		for (size_t k = 0; k < anim_store_tracks(model->takes, i) && !moves; k++)
			moves = strcmp(anim_store_track_at(model->takes, i, k)->node, top->path) == 0;
	if (moves &&
	    (model->type == TYPE_HUMANOID || (model->type == TYPE_GENERIC && strcmp(model->root_bone, top->path) == 0)))
		return;
	model->top = model->dropped = number;
}

/* Return the number of the node with this path, or 0. */
static uint32_t number_of(const struct anim_map *numbers, const char *path)
{
	uint32_t number = 0;

	return anim_map_get(numbers, 0, path, strlen(path), &number) ? number : 0;
}

/*
 * Find the node of a glTF file that becomes the root: UnityGLTF drops nodes from the top on that have one child, as long as
 * they show nothing and the child does not move. Returns 0 or -1.
 */
static int find_gltf_top(struct unity_run *run, struct unity_model *model)
{
	struct anim_map numbers = {0};
	struct {
		uint32_t children, child;
		bool moves;
	} * nodes;
	int result;

	if (!model->gltf->drops_roots || model->type == TYPE_LEGACY)
		return 0;
	nodes = anim_arena_zeroed(&run->arena, node_count(model) + 1, sizeof *nodes, run->error);
	result = nodes == NULL ? -1 : 0;
	for (uint32_t i = 1; i < node_count(model) && result == 0; i++) {
		const struct anim_node *node = node_at(model, i);

		nodes[node->parent].children++;
		nodes[node->parent].child = i;
		result = anim_map_put(&numbers, 0, node->path, strlen(node->path), i, run->error);
	}
	for (size_t i = 0; i < anim_store_clips(model->takes) && result == 0; i++)
		for (size_t k = 0; k < anim_store_tracks(model->takes, i); k++)
			nodes[number_of(&numbers, anim_store_track_at(model->takes, i, k)->node)].moves = true;
	for (uint32_t at = 0; result == 0 && nodes[at].children == 1 && !nodes[nodes[at].child].moves;
	     at = model->top) {
		enum anim_node_kind kind = node_at(model, at)->kind;

		if (kind != ANIM_NODE && kind != ANIM_NODE_BONE)
			break;
		model->top = nodes[at].child;
		model->dropped = 1;
	}
	anim_map_clear(&numbers);
	return result;
}

/*
 * Record the fileID of a clip. An object of an FBX file is the n-th one of its name, and an object of a glTF file has a name of
 * its own, which the package makes. Returns 0 or -1.
 */
static int put_hash(struct unity_run *run, struct unity_model *model, const char *name, uint32_t repeat,
		    uint32_t number)
{
	const char *fast = model->gltf != NULL && model->gltf->package == UNITY_GLTF_FAST ? "animations/" : "";
	const char *text =
	    model->gltf == NULL || repeat == 0
		? anim_arena_printf(&run->arena, run->error, "Type:AnimationClip->%s%s%" PRIu32, fast, name, repeat)
	    : *fast != '\0'
		? anim_arena_printf(&run->arena, run->error, "Type:AnimationClip->%s%s_%" PRIu32 "0", fast, name,
				    repeat - 1)
		: anim_arena_printf(&run->arena, run->error, "Type:AnimationClip->%s (%" PRIu32 ")0", name, repeat);
	uint32_t known;
	uint64_t id;

	if (text == NULL)
		return -1;
	id = hash_of(text, strlen(text));
	return anim_map_get(&model->by_hash, id, "", 0, &known)
		   ? 0
		   : anim_map_put(&model->by_hash, id, "", 0, number, run->error);
}

/* Return how often the name came before, in *repeat. Returns 0 or -1. */
static int count_name(struct unity_run *run, struct anim_map *names, const char *name, uint32_t *repeat)
{
	if (!anim_map_get(names, 0, name, strlen(name), repeat))
		*repeat = 0;
	return anim_map_put(names, 0, name, strlen(name), *repeat + 1, run->error);
}

/* Add a complete take as a clip. Returns 0 or -1. */
static int add_whole(struct unity_run *run, struct unity_model *model, const char *take)
{
	struct model_clip clip = {.name = take, .take = take, .is_whole = true, .number = NOT_MADE};

	if (model->gltf != NULL) {
		clip.loops = unity_gltf_loops(model->gltf, take);
		clip.wrap = clip.loops ? UNITY_WRAP_LOOP : 0;
	}
	return anim_buffer_append(&model->clips, &clip, sizeof clip, run->error);
}

/* Index the clips, which are the complete takes if the settings have none. Returns 0 or -1. */
static int index_clips(struct unity_run *run, struct unity_model *model)
{
	struct anim_map names = {0}, takes = {0};
	bool has_list = model->clips.size > 0;
	uint32_t known, repeat;
	int result = 0;

	for (size_t i = anim_store_clips(model->takes); i-- > 0 && result == 0;) {
		const char *take = anim_store_clip(model->takes, i)->name;

		result = anim_map_put(&model->by_take, 0, take, strlen(take), (uint32_t)i, run->error);
	}
	for (size_t i = 0; i < anim_store_clips(model->takes) && !has_list && result == 0; i++)
		result = add_whole(run, model, anim_store_clip(model->takes, i)->name);
	for (uint32_t i = 0; i < clip_count(model) && result == 0; i++) {
		const struct model_clip *clip = clip_at(model, i);
		size_t length = strlen(clip->name);

		if (!anim_map_get(&model->by_name, 0, clip->name, length, &known))
			result = anim_map_put(&model->by_name, 0, clip->name, length, i, run->error);
		if (result == 0 && clip->id != 0 && !anim_map_get(&model->by_id, (uint64_t)clip->id, "", 0, &known))
			result = anim_map_put(&model->by_id, (uint64_t)clip->id, "", 0, i, run->error);
		if (result == 0 && (count_name(run, &names, clip->name, &repeat) != 0 ||
				    put_hash(run, model, clip->name, repeat, i) != 0 ||
				    count_name(run, &takes, clip->take, &repeat) != 0))
			result = -1;
		if (result == 0 && strcmp(clip->name, clip->take) != 0)
			result = put_hash(run, model, clip->take, repeat, i);
	}
	anim_map_clear(&names);
	anim_map_clear(&takes);
	return result;
}

/* Read the file of a model into its store. `shown`: its name for messages. Returns 0, also with model->why, or -1. */
static int read_input(struct unity_run *run, struct unity_source *source, struct anim_input *input, const char *shown,
		      bool own)
{
	static const struct anim_sink_ops no_ops = {.tree = NULL};
	struct anim_sink nothing = {.ops = &no_ops};
	struct anim_diagnostics *diagnostics = run->options->diagnostics;
	const struct anim_read_other *other = run->options->other;
	const struct anim_scope *scope = diagnostics->scope;
	struct unity_model *model = source->model;
	struct node_copying copying = {.run = run, .model = model};
	struct anim_read_options options = *run->options;
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, UNITY_META_HEAD, &at, run->error);
	int result;

	if (size >= 0 && (other == NULL || !other->is(at, (size_t)size))) {
		model->why = anim_bytes_begin(at, (size_t)size, "version https://git-lfs")
				 ? "a Git LFS pointer, not the file itself; run 'git lfs pull'"
				 : "not a model in a format that is read";
		return 0;
	}
	options.file_unit_m = &model->unit_m;
	options.clip_count = NULL;
	options.keep_root = model->gltf != NULL;
	if (!own) {
		options.bind_rests = options.godot_paths = false;
		options.source_name = anim_path_last(shown);
	}
	model->takes = anim_store_new(run->options->store_memory, run->error);
	if (size < 0 || model->takes == NULL || anim_diagnostics_enter(diagnostics, shown, NULL, run->error) == NULL)
		return -1;
	result = other->read(input, &options, anim_store_sink(model->takes), run->error);
	diagnostics->scope = scope;
	if (result == 0) {
		if (anim_store_replay_changed(model->takes, copy_node, &copying, &nothing, run->error) != 0 ||
		    copying.failed || index_clips(run, model) != 0)
			return -1;
		if (model->bakes_axes &&
		    unity_say(
			run, source, ANIM_NOTE, 0, "model",
			"axes are not baked into the nodes (bakeAxisConversion); the node at the top turns them") != 0)
			return -1;
		if (model->type == TYPE_HUMANOID && clip_count(model) > 0 && run->options->muscles == NULL &&
		    unity_say(run, source, ANIM_NOTE, 0, "model",
			      "a human, whose clips are read as rotations of bones, not as muscles") != 0)
			return -1;
		if (model->gltf != NULL && find_gltf_top(run, model) != 0)
			return -1;
		if (model->gltf == NULL && !options.godot_paths)
			find_top(model);
	}
	if (result == 0 || own || !anim_error_is_of_input(run->error))
		return result;
	model->why = unity_keep(run, run->error->message);
	*run->error = (struct anim_error){0};
	return model->why == NULL ? -1 : 0;
}

/* Read the file of the model once. Returns 1, 0 with *why, or -1. */
static int read_takes(struct unity_run *run, struct unity_source *source, const char **why)
{
	struct unity_model *model = source->model;
	struct unity_opened asset;
	const char *shown;
	int got = 1;

	if (!model->is_read && source->path != NULL) {
		got = unity_asset_open(run, source->path, false, &asset, &shown, &model->why);
		if (got > 0 && read_input(run, source, asset.input, shown, false) != 0)
			got = -1;
		unity_asset_close(&asset);
		model->is_read = true;
	}
	*why = model->why;
	return got < 0 ? -1 : model->why == NULL;
}

/* ---- The parts of takes ---- */

/* A clip of a model that is being made. */
struct model_cutting {
	struct unity_run *run;
	const struct unity_source *source;
	const struct unity_model *model;
	const struct model_clip *clip;
	struct anim_sink *sink;
	double from_s, to_s, length_s; /* the part of the take */
	double lengths;                /* factor of lengths */
	bool flips;                    /* to the axes of Unity */
	struct anim_keys keys;
};

/* Return the path of a node without the node that became the root. */
static const char *path_of(const struct unity_model *model, const char *path)
{
	const char *top = model->top == 0 ? "" : node_at(model, model->top)->path;
	size_t length = strlen(top);

	if (length == 0 || strncmp(path, top, length) != 0)
		return path;
	return path[length] == '\0' ? "." : path[length] == '/' ? path + length + 1 : path;
}

/* A 0 that is mirrored stays +0: adding 0 changes -0 to 0, and adding -0 changes nothing. */
static void multiply(float *values, size_t count, unsigned components, const double *factors)
{
	for (size_t k = 0; k < count; k++)
		for (unsigned i = 0; i < components; i++)
			values[k * components + i] =
			    (float)((double)values[k * components + i] * factors[i]) + (factors[i] < 0 ? 0.0f : -0.0f);
}

/*
 * Multiply values and slopes by the factors from axes and units of the reader to Unity's. Unity mirrors x, which reverses
 * rotations about the other axes.
 */
static void convert_keys(struct model_cutting *at, const struct anim_track *track)
{
	static const enum anim_column columns[] = {ANIM_COLUMN_VALUE, ANIM_COLUMN_LEFT, ANIM_COLUMN_RIGHT};
	bool is_position = strcmp(track->property, "position") == 0,
	     is_rotation = strcmp(track->property, "rotation") == 0 || strcmp(track->property, "euler") == 0;
	unsigned components = anim_types[track->type].components;
	double sign = at->flips ? -1 : 1, factors[4] = {1, 1, 1, 1};

	if (!(is_position ? at->flips || at->lengths != 1 : is_rotation && at->flips) ||
	    anim_types[track->type].scalar != ANIM_SCALAR_F32 || components > 4)
		return;
	if (is_position) {
		factors[0] = sign * at->lengths;
		factors[1] = factors[2] = at->lengths;
	} else {
		factors[1] = factors[2] = sign;
	}
	if (track->component != ANIM_WHOLE)
		factors[0] = factors[track->component < 4 ? track->component : 3];
	for (size_t i = 0; i < ANIM_COUNT(columns); i++) {
		struct anim_buffer *column = &at->keys.column[columns[i]];

		multiply((float *)(void *)column->data, column->size / sizeof(float) / components, components, factors);
	}
}

/* Return the distance from an end of the part within which a key is at that end: times are floats. */
static double same_s(double time_s)
{
	return fmax(1e-6, fabs(time_s) * (double)FLT_EPSILON);
}

/* Push the part of a track, on the time axis of the clip. Returns 0 or -1. */
static int cut_track(struct model_cutting *at, const struct anim_track *track)
{
	const char *path = path_of(at->model, track->node);
	uint32_t known;
	const struct anim_range range = {(float)at->from_s, (float)at->to_s};
	struct anim_span span = {0, track->n};
	struct anim_track out = *track;

	/* of a human, a mask means muscles and the nodes that no muscle moves */
	if (!at->clip->is_whole && at->model->type != TYPE_HUMANOID &&
	    anim_map_get(&at->model->masked, at->clip->number_in_list, path, strlen(path), &known))
		return 0;
	if (track->kind != ANIM_RAW && track->n > 0 && !(track->flags & ANIM_UNSORTED)) {
		anim_span_of_track(&span, track, &range);
		/* Drop the keys beyond keys that are at the ends of the part, unless segments need other keys. */
		if (anim_span_reach(track) == 0) {
			while (span.count > 1 &&
			       (double)track->time[span.first + 1] < at->from_s + same_s(at->from_s)) {
				span.first++;
				span.count--;
			}
			while (span.count > 1 &&
			       (double)track->time[span.first + span.count - 2] > at->to_s - same_s(at->to_s))
				span.count--;
		}
	}
	anim_keys_reset(&at->keys, track->type);
	if (anim_keys_add_part(&at->keys, track, span.first, span.count, -at->from_s, at->run->error) != 0)
		return -1;
	convert_keys(at, track);
	anim_keys_finish(&at->keys, &out);
	if (track->kind == ANIM_RAW)
		out.start_s -= at->from_s;
	out.node = path;
	out.record = NULL;
	return anim_sink_track(at->sink, &out, at->run->error);
}

/* Push a curve of a parameter, whose times are fractions of the length. Returns 0 or -1. */
static int put_curve(struct model_cutting *at, const struct model_curve *curve, struct anim_arena *arena)
{
	struct anim_track track = curve->track;
	struct unity_meaning meaning;
	struct anim_attr attrs[3];
	float *time_s = anim_arena_alloc(arena, track.n * sizeof *time_s, at->run->error);
	float *slopes[2];
	size_t count = 0;

	if (time_s == NULL || unity_name_read(UNITY_ANIMATOR, curve->name, false, &meaning, arena, at->run->error) != 0)
		return -1;
	for (size_t k = 0; k < track.n; k++)
		time_s[k] = (float)((double)track.time[k] * at->length_s);
	track.time = time_s;
	for (unsigned side = 0; side < 2; side++) {
		const float *from = side == 0 ? track.left : track.right;

		slopes[side] = anim_arena_alloc(arena, track.n * sizeof **slopes, at->run->error);
		if (slopes[side] == NULL)
			return -1;
		for (size_t k = 0; k < track.n && from != NULL; k++)
			slopes[side][k] = at->length_s > 0 ? (float)((double)from[k] / at->length_s) : 0;
	}
	track.left = track.left == NULL ? NULL : slopes[0];
	track.right = track.right == NULL ? NULL : slopes[1];
	if (meaning.keep_attribute)
		attrs[count++] = (struct anim_attr){UNITY_ATTR_ATTRIBUTE, curve->name};
	if (meaning.keep_class)
		attrs[count++] = (struct anim_attr){UNITY_ATTR_CLASS, "95"};
	if (meaning.humanoid != NULL)
		attrs[count++] = (struct anim_attr){UNITY_ATTR_HUMANOID, meaning.humanoid};
	track.property = meaning.property;
	track.component = meaning.component;
	track.flags = meaning.flags;
	track.rules = ANIM_RULES_UNITY;
	track.attrs = (struct anim_attrs){attrs, count};
	if (!anim_times_are_sorted(track.time, track.n))
		track.flags |= ANIM_UNSORTED;
	return anim_sink_track(at->sink, &track, at->run->error);
}

static int put_events(struct model_cutting *at)
{
	struct anim_track track = {.kind = ANIM_DISCRETE,
				   .type = ANIM_STRING,
				   .node = ".",
				   .property = "@event",
				   .component = ANIM_WHOLE,
				   .rules = ANIM_RULES_UNITY};
	const struct model_clip *clip = at->clip;

	if (clip->event_count == 0)
		return 0;
	anim_keys_reset(&at->keys, ANIM_STRING);
	for (size_t i = 0; i < clip->event_count; i++) {
		const struct anim_text text = {clip->events[i].json, (uint32_t)strlen(clip->events[i].json)};

		if (anim_keys_add(&at->keys, (float)((double)clip->events[i].time * at->length_s), &text, ANIM_HOLD,
				  at->run->error) != 0)
			return -1;
	}
	anim_keys_finish(&at->keys, &track);
	if (!anim_times_are_sorted(track.time, track.n))
		track.flags |= ANIM_UNSORTED;
	return anim_sink_track(at->sink, &track, at->run->error);
}

/* Set the part of the take, and the head of the clip. Reports effects that are not applied. Returns 0 or -1. */
static int make_head(struct model_cutting *at, const struct anim_clip *take, struct anim_clip *head)
{
	const struct model_clip *clip = at->clip;
	const char *frame =
	    anim_attrs_get(&clip->attrs, UNITY_ATTR_PREFIX UNITY_SETTINGS ".m_AdditiveReferencePoseTime");
	double rate = take->rate_den == 0 ? 30 : (double)take->rate_num / take->rate_den;
	struct anim_attrs before = clip->attrs;
	char text[ANIM_NUMBER_MAX + 1];
	float number = 0;

	at->from_s = clip->is_whole ? (double)take->start_s : (double)clip->first / rate;
	at->to_s = clip->is_whole ? (double)take->end_s : fmax((double)clip->last, (double)clip->first) / rate;
	at->length_s = at->to_s - at->from_s;
	/* The times of keys are floats, so a key at the start gets the time 0. */
	at->from_s = (double)(float)at->from_s;
	*head = *take;
	head->start_s = 0;
	head->end_s = (float)at->length_s;
	head->flags &= (uint8_t)~ANIM_END_DERIVED;
	head->name = clip->name[0] != '\0' ? clip->name : take->name;
	head->attrs = clip->attrs;
	head->record = NULL;
	head->loop = clip->loops ? ANIM_LOOP_WRAP : ANIM_LOOP_NONE;
	if (frame != NULL && unity_number_float(frame, frame + strlen(frame), &number) != NULL) {
		text[unity_format_float(text, (float)(((double)number - (double)clip->first) / rate))] = '\0';
		if (anim_attrs_with(&head->attrs, &before,
				    UNITY_ATTR_PREFIX UNITY_SETTINGS ".m_AdditiveReferencePoseTime", text,
				    &at->run->arena, at->run->error) != 0)
			return -1;
	}
	for (unsigned i = 0; i < ANIM_COUNT(effects); i++)
		if ((clip->effects & 1u << i) != 0 &&
		    unity_say(at->run, at->source, ANIM_NOTE, clip->line, "clip", "%s", effects[i].text) != 0)
			return -1;
	if ((clip->effects & EFFECT_BODY_MASK) != 0 && at->model->type == TYPE_HUMANOID &&
	    unity_say(at->run, at->source, ANIM_NOTE, clip->line, "clip",
		      "all parts of the body are read, even parts that a mask leaves out") != 0)
		return -1;
	if ((clip->effects & EFFECT_OTHER_MASK) != 0 &&
	    unity_say(at->run, at->source, ANIM_NOTE, clip->line, "clip",
		      "all nodes are read, because the mask is in another file") != 0)
		return -1;
	if (at->model->type != TYPE_LEGACY)
		return 0;
	before = head->attrs;
	head->loop = (uint8_t)unity_loop_of_wrap(clip->wrap != 0 ? clip->wrap : at->model->wrap);
	return anim_attrs_with(&head->attrs, &before, UNITY_ATTR_PREFIX "m_Legacy", "1", &at->run->arena,
			       at->run->error);
}

/*
 * Find the take of a clip: by its name, or the only one. Returns 1, 0 if not found, or -1. *number: in the store.
 */
static int find_take(struct unity_run *run, const struct unity_source *source, const struct model_clip *clip,
		     uint32_t *number)
{
	const struct unity_model *model = source->model;

	/* the takes of a glTF file are its clips, of which several can have one name */
	if (model->gltf != NULL) {
		*number = (uint32_t)(clip - clip_at(model, 0));
		return 1;
	}
	if (anim_map_get(&model->by_take, 0, clip->take, strlen(clip->take), number))
		return 1;
	if (anim_store_clips(model->takes) != 1)
		return 0;
	*number = 0;
	if (unity_say(run, source, ANIM_NOTE, clip->line, "clip",
		      "'%s': the file has no take '%s', so its only one is used", clip->name, clip->take) != 0)
		return -1;
	return 1;
}

/* Push a clip. `head` is set before (a store keeps its own copy). Returns 0 or -1. */
static int put_clip(struct model_cutting *at, uint32_t take, struct anim_clip *head)
{
	const struct unity_model *model = at->model;
	struct anim_arena arena = {0};
	struct anim_track track;
	int result = anim_sink_clip(at->sink, head, at->run->error);

	for (size_t i = 0; i < anim_store_tracks(model->takes, take) && result == 0; i++) {
		result = anim_store_read(model->takes, take, i, &track, at->run->error);
		if (result == 0)
			result = cut_track(at, &track);
	}
	for (size_t i = 0; i < at->clip->curve_count && result == 0; i++)
		result = put_curve(at, &at->clip->curves[i], &arena);
	if (result == 0)
		result = put_events(at);
	anim_keys_clear(&at->keys);
	anim_arena_clear(&arena);
	return result;
}

/* ---- The nodes of a model ---- */

/* Return the factor from lengths of the reader, which are metres, to Unity's. */
static double lengths_of(const struct unity_model *model)
{
	return model->uses_file_scale || !(model->unit_m > 0) ? (double)model->scale
							      : (double)model->scale / model->unit_m;
}

/* Return whether the root of the tree replaces the node. */
static bool is_dropped(const struct unity_model *model, size_t number)
{
	return number > 0 && number >= model->dropped && number <= model->top;
}

#define SAME_ROTATION 0.999999999 /* the cosine of half an angle that shows no difference */

/* Add the avatar's facts about a bone. Returns the number of attributes, sorted by their keys. */
static size_t add_human(const struct unity_avatar *avatar, const struct anim_node *node, const char *above,
			struct anim_attr attrs[4])
{
	const struct unity_human *human =
	    avatar == NULL ? NULL : unity_avatar_human(avatar, anim_path_last(node->path), above);
	const float *q = node->rotation, *rest;
	size_t count = 0;

	if (human == NULL)
		return 0;
	attrs[count++] = (struct anim_attr){"unity.human", human->human};
	if (human->limits != NULL)
		attrs[count++] = (struct anim_attr){"unity.limits", human->limits};
	if (human->tpose != NULL && human->node != UNITY_NONE) {
		rest = avatar->nodes[human->node].rotation;
		if (fabs((double)q[0] * (double)rest[0] - (double)q[1] * (double)rest[1] -
			 (double)q[2] * (double)rest[2] + (double)q[3] * (double)rest[3]) < SAME_ROTATION)
			attrs[count++] = (struct anim_attr){"unity.tpose", human->tpose};
	}
	if (human->twist != NULL)
		attrs[count++] = (struct anim_attr){"unity.twist", human->twist};
	return count;
}

/*
 * Push the nodes, of which the one at the top may become the root. `poses`: in the T-pose of the avatar, on which muscles
 * are based, and not in the pose of the file. Returns 0 or -1.
 */
static int put_nodes(struct unity_run *run, struct unity_source *source, const char *file, bool poses,
		     struct anim_sink *sink)
{
	static const double places[3] = {-1, 1, 1}, factors[4] = {1, -1, -1, 1};
	struct anim_map names = {0};
	const struct unity_model *model = source->model;
	const struct unity_avatar *avatar = NULL;
	struct anim_tree tree = {.axes = ANIM_AXES_GLTF, .root_name = run->base_name, .source_file = file};
	double lengths = lengths_of(model);
	uint32_t *numbers = anim_arena_zeroed(&run->arena, node_count(model) + 1, sizeof *numbers, run->error),
		 next = 0;

	int result = numbers == NULL || unity_avatar_of_model(run, source, &avatar) < 0 ? -1 : 0;

	/* Index the nodes of the avatar by their names. Of several with one name, none is known. */
	for (uint32_t i = 0; poses && result == 0 && i < avatar->node_count; i++) {
		const char *name = avatar->nodes[i].name;
		uint32_t known;

		if (name != NULL)
			result = anim_map_put(&names, 0, name, strlen(name),
					      anim_map_get(&names, 0, name, strlen(name), &known) ? UNITY_NONE : i,
					      run->error);
	}
	if (result == 0)
		result = anim_sink_tree(sink, &tree, run->error);
	for (size_t i = 0; i < node_count(model) && result == 0; i++) {
		/* The root of the file gets the transform of the node that replaces it. */
		struct anim_node node = *node_at(model, i == 0 ? model->top : i);
		struct anim_attr attrs[4];
		const char *above = NULL, *name;
		uint32_t number;
		size_t count;

		if (i == 0 && model->top != 0) {
			node.path = ".";
			node.parent = ANIM_NO_PARENT;
		}
		if (is_dropped(model, i))
			continue;
		if (i > 0) {
			above = anim_path_last(node_at(model, node.parent)->path);
			node.parent = numbers[node.parent];
			node.path = path_of(model, node.path);
		}
		for (unsigned k = 0; k < 3; k++)
			node.position[k] = (float)((double)node.position[k] * lengths);
		name = anim_path_last(node.path);
		if (poses && i > 0 && anim_map_get(&names, 0, name, strlen(name), &number) && number != UNITY_NONE) {
			memcpy(node.position, avatar->nodes[number].position, sizeof node.position);
			memcpy(node.rotation, avatar->nodes[number].rotation, sizeof node.rotation);
			memcpy(node.scale, avatar->nodes[number].scale, sizeof node.scale);
			multiply(node.position, 1, 3, places);
			multiply(node.rotation, 1, 4, factors);
		}
		count = add_human(avatar, &node, node.parent == 0 ? NULL : above, attrs);
		if (count > 0 && node.attrs.count == 0)
			node.attrs = (struct anim_attrs){attrs, count};
		numbers[i] = next++;
		node.record = NULL;
		result = anim_sink_node(sink, &node, run->error);
	}
	anim_map_clear(&names);
	return result;
}

/* ---- Clips of humans as muscles ---- */

/* A sink after a filter that owns its next sink. It keeps the nodes from `next` unless they are wanted. */
struct model_outlet {
	struct anim_sink sink;
	struct anim_sink *next;
	bool wants_nodes;
};

static int outlet_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct model_outlet *outlet = (struct model_outlet *)sink;

	return outlet->wants_nodes ? anim_sink_tree(outlet->next, tree, error) : 0;
}

static int outlet_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct model_outlet *outlet = (struct model_outlet *)sink;

	return outlet->wants_nodes ? anim_sink_node(outlet->next, node, error) : 0;
}

static int outlet_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_sink_clip(((struct model_outlet *)sink)->next, clip, error);
}

static int outlet_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(((struct model_outlet *)sink)->next, track, error);
}

/* Return the filter that makes muscles of clips of bones, with its end in front of `next` (borrowed). NULL on failure. */
static struct anim_sink *muscles_before(struct unity_run *run, struct anim_sink *next, bool wants_nodes)
{
	static const struct anim_sink_ops ops = {
	    .tree = outlet_tree, .node = outlet_node, .clip = outlet_clip, .track = outlet_track};
	struct model_outlet *outlet = anim_sink_new(sizeof *outlet, &ops, run->error);

	if (outlet == NULL)
		return NULL;
	outlet->next = next;
	outlet->wants_nodes = wants_nodes;
	return run->options->muscles(run->options, &outlet->sink, run->error);
}

/* Return 1 if clips of the model become muscles, 0 if they keep their bones, or -1. A human without an avatar is reported. */
static int makes_muscles(struct unity_run *run, struct unity_source *source)
{
	const struct unity_avatar *avatar = NULL;

	if (run->options->muscles == NULL || source->model->type != TYPE_HUMANOID)
		return 0;
	if (unity_avatar_of_model(run, source, &avatar) < 0)
		return -1;
	if (avatar != NULL && avatar->human_count > 0)
		return 1;
	return unity_say(run, source, ANIM_WARNING, 0, "model",
			 "a human whose avatar was not found, so its clips are read as rotations of bones") != 0
		   ? -1
		   : 0;
}

/*
 * Put a clip into the store of the run as muscles. The filter gets the skeleton first. Returns 1, 0 with *why, or -1.
 */
static int put_muscles(struct model_cutting *at, struct unity_source *source, uint32_t take, struct anim_clip *head,
		       const char **why)
{
	struct unity_run *run = at->run;
	struct anim_sink *filter = muscles_before(run, at->sink, false);
	struct anim_clip bones = *head;
	int result = filter == NULL ? -1 : 0;

	at->sink = filter;
	at->flips = false;
	bones.axes = ANIM_AXES_GLTF;
	bones.flags |= ANIM_IN_TREE;
	if (result != 0 || put_nodes(run, source, "", true, filter) != 0 || put_clip(at, take, &bones) != 0 ||
	    anim_sink_end(filter, run->error) != 0)
		result = -1;
	anim_sink_free(filter);
	if (result == 0)
		return 1;
	if (!anim_error_is_of_input(run->error))
		return -1;
	*why =
	    anim_arena_printf(&run->arena, NULL, "clip '%.200s': no muscles: %s", at->clip->name, run->error->message);
	*run->error = (struct anim_error){0};
	return *why == NULL ? anim_fail_memory(run->error) : 0;
}

/* Make a clip in the store of the run. Returns 1, 0 with *why, or -1. */
static int make_clip(struct unity_run *run, struct unity_source *source, struct model_clip *clip, const char **why)
{
	struct unity_model *model = source->model;
	struct model_cutting at = {.run = run,
				   .source = source,
				   .model = model,
				   .clip = clip,
				   .sink = anim_store_sink(run->store),
				   .lengths = lengths_of(model),
				   .flips = true};
	struct unity_source_clip made = {.clip = {.line = clip->line, .legacy = model->type == TYPE_LEGACY}};
	uint32_t take;
	int got = find_take(run, source, clip, &take);

	if (got <= 0) {
		*why = anim_arena_printf(&run->arena, run->error, "clip '%.200s': the file has no moving take '%.200s'",
					 clip->name, clip->take);
		return got < 0 || *why == NULL ? -1 : 0;
	}
	if (make_head(&at, anim_store_clip(model->takes, take), &made.clip.head) != 0)
		return -1;
	made.clip.wrap = clip->wrap != 0 ? clip->wrap : model->wrap;
	made.clip.head.axes = ANIM_AXES_UNITY;
	made.clip.head.axes2d = ANIM_AXES2D_UNITY;
	made.clip.head.flags &= (uint8_t)~ANIM_IN_TREE;
	made.clip.head.root = ".";
	made.clip.clip = anim_store_clips(run->store);
	got = makes_muscles(run, source);
	if (got > 0)
		got = put_muscles(&at, source, take, &made.clip.head, why);
	else if (got == 0)
		got = put_clip(&at, take, &made.clip.head) != 0 ? -1 : 1;
	if (got <= 0)
		return got;
	clip->number = (uint32_t)(source->clips.size / sizeof made);
	return anim_buffer_append(&source->clips, &made, sizeof made, run->error) != 0 ? -1 : 1;
}

/* Return the name that the settings have for a fileID, without the mark of a preview, or NULL. */
static const char *name_of(const struct unity_model *model, int64_t id)
{
	uint32_t number;
	const char *name, *rest;

	if (!anim_map_get(&model->table, (uint64_t)id, "", 0, &number))
		return NULL;
	name = ((const char *const *)(const void *)model->names.data)[number];
	rest = anim_text_after(name, PREVIEW);
	return rest != NULL ? rest : name;
}

/* Find the clip of a fileID. Returns 1, 0 with *why, or -1. */
static int find_clip(struct unity_run *run, struct unity_model *model, int64_t id, uint32_t *number, const char **why)
{
	const char *name = name_of(model, id);
	uint32_t take;

	if (name != NULL && anim_map_get(&model->by_name, 0, name, strlen(name), number))
		return 1;
	if (name != NULL && anim_map_get(&model->by_take, 0, name, strlen(name), &take)) {
		*number = (uint32_t)clip_count(model);
		return add_whole(run, model, anim_store_clip(model->takes, take)->name) != 0 ||
			       anim_map_put(&model->by_name, 0, name, strlen(name), *number, run->error) != 0
			   ? -1
			   : 1;
	}
	if (anim_map_get(&model->by_id, (uint64_t)id, "", 0, number) ||
	    anim_map_get(&model->by_hash, (uint64_t)id, "", 0, number))
		return 1;
	*why = name == NULL
		   ? "neither its import settings nor its takes have such a clip"
		   : anim_arena_printf(&run->arena, run->error, "it has neither a clip nor a take '%.200s'", name);
	return *why == NULL ? -1 : 0;
}

int unity_model_clip(struct unity_run *run, struct unity_source *source, int64_t id, uint32_t *number, const char **why)
{
	struct unity_model *model = source->model;
	int got;

	if (unity_id_get(source, id, UNITY_ID_CLIP, number))
		return 1;
	got = read_takes(run, source, why);
	if (got == 0 && name_of(model, id) != NULL) {
		*why = anim_arena_printf(&run->arena, run->error, "clip '%.200s': %s", name_of(model, id), *why);
		return *why == NULL ? -1 : 0;
	}
	if (got > 0 && !model->is_imported) {
		*why = "its import settings import no animation";
		return 0;
	}
	if (got > 0)
		got = find_clip(run, model, id, number, why);
	if (got <= 0)
		return got;
	if (clip_at(model, *number)->number == NOT_MADE)
		got = make_clip(run, source, clip_at(model, *number), why);
	if (got <= 0)
		return got;
	*number = clip_at(model, *number)->number;
	return unity_id_put(source, id, UNITY_ID_CLIP, *number, run->error) != 0 ? -1 : 1;
}

/* ---- A model that is read itself ---- */

bool unity_model_has_clips(const struct unity_source *source)
{
	const struct unity_model *model = source->model;

	return model != NULL && model->is_imported && (clip_count(model) > 0 || model->type != TYPE_NONE);
}

/* Push the clips of a model that is read itself. Returns 0 or -1. */
static int put_clips(struct unity_run *run, struct unity_source *source, struct anim_sink *sink)
{
	struct unity_model *model = source->model;

	for (size_t i = 0; i < clip_count(model); i++) {
		struct model_clip *clip = clip_at(model, i);
		struct model_cutting at = {.run = run,
					   .source = source,
					   .model = model,
					   .clip = clip,
					   .sink = sink,
					   .lengths = lengths_of(model)};
		struct anim_clip head;
		uint32_t take;
		int got = find_take(run, source, clip, &take);

		if (got == 0)
			got = unity_say(run, source, ANIM_WARNING, clip->line, "clip",
					"'%s' is left out: the file has no moving take '%s'", clip->name, clip->take);
		else if (got > 0)
			got = make_head(&at, anim_store_clip(model->takes, take), &head) != 0
				  ? -1
				  : put_clip(&at, take, &head);
		if (got < 0)
			return -1;
	}
	return 0;
}

int unity_model_write(struct unity_run *run, struct unity_source *source, struct anim_input *input, const char *file,
		      struct anim_sink *sink)
{
	struct anim_sink *filter = NULL;
	int got = read_input(run, source, input, anim_input_name(input), true) != 0 ? -1 : makes_muscles(run, source);

	if (got < 0)
		return -1;
	if (run->options->clip_count != NULL)
		*run->options->clip_count = clip_count(source->model);
	if (got > 0 && (filter = muscles_before(run, sink, true)) == NULL)
		return -1;
	if (filter != NULL)
		sink = filter;
	got = put_nodes(run, source, file, filter != NULL, sink) != 0 || put_clips(run, source, sink) != 0 ? -1 : 0;
	if (got == 0 && filter != NULL)
		got = anim_sink_end(filter, run->error);
	anim_sink_free(filter);
	return got;
}

/* ---- The nodes of a model as the skeleton of an avatar ---- */

int unity_model_nodes(struct unity_run *run, struct unity_source *source, struct unity_avatar *avatar)
{
	struct unity_model *model = source->model;
	struct unity_avatar_node *nodes;
	const char *why;
	double lengths;
	int got = model == NULL || source->path == NULL ? 0 : read_takes(run, source, &why);

	if (got <= 0 || node_count(model) == 0)
		return got < 0 ? -1 : 0;
	nodes = anim_arena_zeroed(&run->arena, node_count(model), sizeof *nodes, run->error);
	if (nodes == NULL)
		return -1;
	lengths = lengths_of(model);
	for (size_t i = 0; i < node_count(model); i++) {
		const struct anim_node *from = node_at(model, i);
		struct unity_avatar_node *to = &nodes[avatar->node_count];
		const double factors[4] = {1, -1, -1, 1}, places[3] = {-lengths, lengths, lengths};

		/* The node at the top that becomes the root has the number of the root. */
		if (is_dropped(model, i))
			continue;
		/* Parents are numbers of the file, of which the one at the top has become the root. */
		*to = (struct unity_avatar_node){.name = i == 0 ? NULL : anim_path_last(from->path),
						 .above = "",
						 .parent = i == 0                       ? UNITY_NONE
							   : from->parent == model->top ? 0
											: from->parent};
		if (i > 0 && model->top != 0 && from->parent > model->top)
			to->parent -= model->top - model->dropped + 1;
		memcpy(to->position, from->position, sizeof to->position);
		memcpy(to->rotation, from->rotation, sizeof to->rotation);
		memcpy(to->scale, from->scale, sizeof to->scale);
		multiply(to->position, 1, 3, places);
		multiply(to->rotation, 1, 4, factors);
		avatar->node_count++;
	}
	avatar->nodes = nodes;
	avatar->flat = false;
	return 1;
}
