/* names.c: the names of nodes, the tree, and the bones of a model that a motion moves. */
#include <inttypes.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "format/mmd/mmd.h"
#include "format/mmd/reading.h"
#include "format/mmd/sjis.h"
#include "math/vector.h"

bool mmd_is_leg(const char *name)
{
	static const char *const legs[] = {"左足", "右足", "左ひざ", "右ひざ", "左足首", "右足首"};

	return anim_text_is_one_of(name, legs, ANIM_COUNT(legs));
}

/* ---- Names in paths ---- */

/* Return the name without characters that have a meaning in paths, made unique in its scope, or NULL. */
static const char *unique_name(struct anim_map *names, uint64_t scope, const char *name, struct anim_arena *arena,
			       struct anim_error *error)
{
	const char *base = name[0] == '\0' ? "bone" : name;

	if (strpbrk(name, "/:") != NULL || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		char *copy = anim_arena_text(arena, name, strlen(name), error);

		for (char *at = copy; at != NULL && *at != '\0'; at++)
			if (*at == '/' || *at == ':' || strspn(name, ".") == strlen(name))
				*at = '_';
		base = copy;
	}
	return base == NULL ? NULL : anim_read_unique_name(names, scope, base, arena, error);
}

int mmd_name_bones(struct mmd_model *model, struct anim_error *error)
{
	struct anim_map names = {0};
	int result = 0;

	for (uint32_t i = 0; i < mmd_bone_count(model) && result == 0; i++) {
		struct mmd_bone *bone = mmd_bone_at(model, i);

		bone->own = unique_name(&names, bone->parent == MMD_NONE ? 0 : (uint64_t)bone->parent + 1, bone->name,
					&model->arena, error);
		result = bone->own == NULL ? -1 : 0;
	}
	anim_map_clear(&names);
	return result;
}

int mmd_name_tracks(struct mmd_reading *reading)
{
	const struct mmd_section *bones = &reading->motion.bones, *ik = &reading->motion.ik;
	size_t count = mmd_track_count(bones), all = count + mmd_track_count(ik);
	struct anim_map names = {0};
	int result = 0;

	reading->own_names = anim_arena_zeroed(&reading->arena, all + 1, sizeof *reading->own_names, reading->error);
	if (reading->own_names == NULL)
		return -1;
	for (size_t i = 0; i < all && result == 0; i++) {
		const char *name = (i < count ? mmd_track_at(bones, i) : mmd_track_at(ik, i - count))->name;
		uint32_t bone;

		if (i >= count && anim_map_get(&bones->names, 0, name, strlen(name), &bone))
			reading->own_names[i] = reading->own_names[bone];
		else
			reading->own_names[i] = unique_name(&names, 0, name, &reading->arena, reading->error);
		result = reading->own_names[i] == NULL ? -1 : 0;
	}
	anim_map_clear(&names);
	return result;
}

/* The path is written backwards, from its end. */
const char *mmd_bone_path(const struct mmd_model *model, uint32_t bone, struct anim_buffer *path,
			  struct anim_error *error)
{
	size_t length = 0;
	char *end;

	for (uint32_t at = bone; at != MMD_NONE; at = mmd_bone_at(model, at)->parent) {
		length += strlen(mmd_bone_at(model, at)->own) + 1;
		if (length > ANIM_NAME_MAX) {
			anim_fail(error, ANIM_TOO_LARGE, "bone %" PRIu32 " has a path of more than %u bytes", bone,
				  ANIM_NAME_MAX);
			return NULL;
		}
	}
	path->size = 0;
	end = anim_buffer_extend(path, length, error);
	if (end == NULL)
		return NULL;
	end += length;
	for (uint32_t at = bone; at != MMD_NONE; at = mmd_bone_at(model, at)->parent) {
		size_t size = strlen(mmd_bone_at(model, at)->own);

		*--end = at == bone ? '\0' : '/';
		end -= size;
		memcpy(end, mmd_bone_at(model, at)->own, size);
	}
	return end;
}

/* ---- The tree of a model ---- */

/*
 * Add names, the bone that this bone copies, and the bone that IK moves to it (`ik`: the number of its chain + 1, or 0), as
 * attributes. Return 0 or -1.
 */
static int describe(const struct mmd_model *model, uint32_t number, uint32_t ik, struct anim_node *node,
		    struct anim_arena *arena, struct anim_error *error)
{
	const struct mmd_bone *bone = mmd_bone_at(model, number);
	char ratio[ANIM_NUMBER_MAX + 1];

	if (strcmp(bone->own, bone->name) != 0 &&
	    anim_attrs_with(&node->attrs, &node->attrs, ANIM_MMD_NAME, bone->name, arena, error) != 0)
		return -1;
	if (bone->english[0] != '\0' &&
	    anim_attrs_with(&node->attrs, &node->attrs, "mmd.english", bone->english, arena, error) != 0)
		return -1;
	ratio[anim_number_print_float(ratio, bone->append_ratio)] = '\0';
	if ((bone->appends_rotation &&
	     anim_attrs_with(&node->attrs, &node->attrs, ANIM_MMD_FOLLOWS_ROTATION, ratio, arena, error) != 0) ||
	    (bone->appends_translation &&
	     anim_attrs_with(&node->attrs, &node->attrs, ANIM_MMD_FOLLOWS_POSITION, ratio, arena, error) != 0))
		return -1;
	if ((bone->appends_rotation || bone->appends_translation) &&
	    anim_attrs_with(&node->attrs, &node->attrs, ANIM_MMD_FOLLOWS, mmd_bone_at(model, bone->append_from)->name,
			    arena, error) != 0)
		return -1;
	if (ik == 0)
		return 0;
	return anim_attrs_with(&node->attrs, &node->attrs, ANIM_MMD_IK_MOVES,
			       mmd_bone_at(model, mmd_ik_at(model, ik - 1)->effector)->name, arena, error);
}

int mmd_push_model(struct mmd_model *model, double unit_m, const char *root_name, const char *source_file,
		   struct anim_sink *sink, struct anim_error *error)
{
	const struct anim_tree tree = {.axes = ANIM_AXES_GLTF, .root_name = root_name, .source_file = source_file};
	const struct anim_node root = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};
	uint32_t count = mmd_bone_count(model);
	struct anim_arena arena = {0}, scratch = {0};
	struct anim_buffer path = {0};
	uint32_t *order = anim_arena_zeroed(&arena, count + 1, sizeof *order, error);
	uint32_t *ik_of = anim_arena_zeroed(&arena, count + 1, sizeof *ik_of, error);
	int result = order == NULL || ik_of == NULL ? -1 : mmd_parents_first(model, NULL, order, error);

	for (size_t i = 0; i < mmd_ik_count(model) && result == 0; i++) {
		const struct mmd_ik *ik = mmd_ik_at(model, i);

		if (ik->goal != MMD_NONE && ik->effector != MMD_NONE)
			ik_of[ik->goal] = (uint32_t)i + 1;
	}
	if (result == 0)
		result = anim_sink_tree(sink, &tree, error);
	if (result == 0)
		result = anim_sink_node(sink, &root, error);
	for (uint32_t i = 0; i < count && result == 0; i++) {
		struct mmd_bone *bone = mmd_bone_at(model, order[i]);
		struct anim_node node = {.kind = ANIM_NODE_BONE,
					 .has = ANIM_HAS_POSITION,
					 .parent =
					     bone->parent == MMD_NONE ? 0 : mmd_bone_at(model, bone->parent)->node,
					 .rotation = {0, 0, 0, 1},
					 .scale = {1, 1, 1},
					 .path = mmd_bone_path(model, order[i], &path, error),
					 .type = ""};
		float offset[3];

		anim_arena_reset(&scratch);
		bone->node = i + 1; /* after the root */
		mmd_bone_offset(model, order[i], offset);
		for (size_t k = 0; k < 3; k++)
			node.position[k] = (float)((double)offset[k] * (k == 2 ? -unit_m : unit_m));
		if (node.path == NULL || describe(model, order[i], ik_of[order[i]], &node, &scratch, error) != 0 ||
		    anim_sink_node(sink, &node, error) != 0)
			result = -1;
	}
	anim_buffer_clear(&path);
	anim_arena_clear(&scratch);
	anim_arena_clear(&arena);
	return result;
}

/* ---- Binding ---- */

/* The names of the model, unchanged and cut at 15 bytes of Shift-JIS, as in a motion. */
struct known_names {
	struct anim_map whole, cut;
	struct anim_arena arena;
};

#define AMBIGUOUS (MMD_NONE - 1)

/* Put a cut name. A form that several names have finds none of them. Return 0 or -1. */
static int put_cut(struct known_names *known, const unsigned char *bytes, size_t size, uint32_t number,
		   struct anim_error *error)
{
	const char *kept = anim_arena_text(&known->arena, (const char *)bytes, size, error);
	uint32_t other;

	if (kept == NULL)
		return -1;
	if (anim_map_get(&known->cut, 0, kept, size, &other))
		number = AMBIGUOUS;
	return anim_map_put(&known->cut, 0, kept, size, number, error);
}

/* Add a name of the model. Of equal names, the last one counts. Return 0 or -1. */
static int add_name(struct known_names *known, const char *name, uint32_t number, struct anim_error *error)
{
	unsigned char bytes[MMD_NAME_BYTES], whole[MMD_NAME_BYTES + 1];
	bool lacks;
	size_t size = anim_sjis_from_utf8(name, bytes, sizeof bytes, &lacks), fits = MMD_NAME_BYTES;

	if (anim_map_put(&known->whole, 0, name, strlen(name), number, error) != 0)
		return -1;
	if (size <= MMD_NAME_BYTES)
		return 0;
	if (bytes[MMD_NAME_BYTES - 1] != 0)
		return put_cut(known, bytes, fits, number, error);
	/* A character of two bytes is cut: programs write its first byte, or a zero. */
	anim_sjis_from_utf8(name, whole, sizeof whole, &lacks);
	if (put_cut(known, bytes, fits - 1, number, error) != 0)
		return -1;
	return put_cut(known, whole, fits, number, error);
}

static void clear_names(struct known_names *known)
{
	anim_map_clear(&known->whole);
	anim_map_clear(&known->cut);
	anim_arena_clear(&known->arena);
}

/* Return the number of the name in the model, or MMD_NONE. */
static uint32_t find_name(const struct known_names *known, const struct mmd_track *track)
{
	uint32_t number;

	if (anim_map_get(&known->whole, 0, track->name, strlen(track->name), &number))
		return number;
	if (track->raw_size < MMD_NAME_BYTES - 1 ||
	    !anim_map_get(&known->cut, 0, track->raw, track->raw_size, &number) || number == AMBIGUOUS)
		return MMD_NONE;
	return number;
}

static int note_unknown(struct mmd_reading *reading, const struct mmd_track *track)
{
	struct anim_diagnostics *diagnostics = reading->options->diagnostics;
	int result = anim_diagnostics_note(diagnostics, "name", reading->error,
					   "'%s' of the motion: missing in the model; left out", track->name);

	return result != 0 ? -1 : anim_diagnostics_name(diagnostics, reading->error, "%s", track->name);
}

/* Count the names of tracks with several keys. Most motions also have a key for every other bone of their model. */
struct names_seen {
	size_t all, missing;
};

static void count_name(struct names_seen *seen, const struct mmd_track *track, bool missing)
{
	if (track->count < 2)
		return;
	seen->all++;
	seen->missing += missing;
}

static int bind_bones(struct mmd_reading *reading, struct known_names *known, struct names_seen *seen)
{
	for (uint32_t i = 0; i < mmd_bone_count(&reading->model); i++)
		if (add_name(known, mmd_bone_at(&reading->model, i)->name, i, reading->error) != 0)
			return -1;
	for (uint32_t i = 0; i < mmd_track_count(&reading->motion.bones); i++) {
		const struct mmd_track *track = mmd_track_at(&reading->motion.bones, i);
		uint32_t bone = find_name(known, track);

		count_name(seen, track, bone == MMD_NONE);
		if (bone != MMD_NONE)
			reading->bound[bone].track = i;
		else if (note_unknown(reading, track) != 0)
			return -1;
	}
	return 0;
}

/* Return an array of MMD_NONE, or NULL. */
static uint32_t *numbers(struct mmd_reading *reading, size_t count)
{
	uint32_t *items = anim_arena_zeroed(&reading->arena, count + 1, sizeof *items, reading->error);

	for (size_t i = 0; i < count && items != NULL; i++)
		items[i] = MMD_NONE;
	return items;
}

/* A model without morphs may be one that had only its bones saved. */
static int bind_morphs(struct mmd_reading *reading, struct known_names *known, struct names_seen *seen)
{
	for (uint32_t i = 0; i < mmd_morph_count(&reading->model); i++)
		if (add_name(known, mmd_morph_at(&reading->model, i)->name, i, reading->error) != 0)
			return -1;
	for (uint32_t i = 0; i < mmd_track_count(&reading->motion.morphs); i++) {
		const struct mmd_track *track = mmd_track_at(&reading->motion.morphs, i);

		reading->morph_of[i] = find_name(known, track);
		if (mmd_morph_count(&reading->model) == 0)
			continue;
		count_name(seen, track, reading->morph_of[i] == MMD_NONE);
		if (reading->morph_of[i] == MMD_NONE && note_unknown(reading, track) != 0)
			return -1;
	}
	return 0;
}

/*
 * Bring the keys of a bone with a fixed axis onto this axis, as MikuMikuDance does when it loads a motion: the angle and
 * its sign stay.
 */
static void fix_axis(const struct mmd_section *bones, const struct mmd_track *track, const float axis[3])
{
	for (size_t k = 0; k < track->count; k++) {
		struct mmd_bone_key *key = (void *)(bones->keys.data + (track->first + k) * bones->key_size);
		float sine = anim_vec3_length(key->rotation), sign = anim_vec3_dot(key->rotation, axis) < 0 ? -1 : 1;

		for (size_t i = 0; i < 3; i++)
			key->rotation[i] = sine * sign * axis[i];
		if (anim_vec3_length(axis) == 0)
			key->rotation[3] = 1;
	}
}

int mmd_bind(struct mmd_reading *reading)
{
	uint32_t count = mmd_bone_count(&reading->model);
	struct known_names bones = {0}, morphs = {0};
	struct names_seen seen = {0};
	uint32_t *of_bone;
	int result = -1;

	reading->bound = anim_arena_zeroed(&reading->arena, count + 1, sizeof *reading->bound, reading->error);
	reading->morph_of = numbers(reading, mmd_track_count(&reading->motion.morphs));
	reading->switch_of = numbers(reading, mmd_ik_count(&reading->model));
	if (reading->bound == NULL || reading->morph_of == NULL || reading->switch_of == NULL)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		reading->bound[i].track = MMD_NONE;
	if (bind_bones(reading, &bones, &seen) != 0 || bind_morphs(reading, &morphs, &seen) != 0)
		goto done;

	/* Warn if so many names are missing that the motion is for another model. */
	if (seen.missing * 4 > seen.all &&
	    anim_diagnostics_warn(
		reading->options->diagnostics, NULL, reading->error,
		"%zu of the %zu names that the motion moves are missing in the model; if it is the wrong one, "
		"set it with " ANIM_OPTION_TO("parse", "model", "FILE"),
		seen.missing, seen.all) != 0)
		goto done;

	/* Find the switch of each chain, by the name of its goal. */
	of_bone = numbers(reading, count);
	if (of_bone == NULL)
		goto done;
	for (uint32_t i = 0; i < mmd_track_count(&reading->motion.ik); i++) {
		uint32_t bone = find_name(&bones, mmd_track_at(&reading->motion.ik, i));

		if (bone != MMD_NONE)
			of_bone[bone] = i;
	}
	for (size_t i = 0; i < mmd_ik_count(&reading->model); i++)
		if (mmd_ik_at(&reading->model, i)->goal != MMD_NONE)
			reading->switch_of[i] = of_bone[mmd_ik_at(&reading->model, i)->goal];

	for (uint32_t i = 0; i < count; i++)
		if (mmd_bone_at(&reading->model, i)->has_axis && reading->bound[i].track != MMD_NONE)
			fix_axis(&reading->motion.bones, mmd_track_at(&reading->motion.bones, reading->bound[i].track),
				 mmd_bone_at(&reading->model, i)->axis);
	result = 0;
done:
	clear_names(&bones);
	clear_names(&morphs);
	return result;
}
