/* avatar.c: skeletons of humans: Avatars, import settings of models, and the nodes that they describe. */
#include "format/unity/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/path.h"
#include "base/text.h"
#include "math/elementary.h"

/* ---- The bones of a human, in the order of Avatars ---- */

static const char *const body_names[] = {
    "Hips",          "LeftUpperLeg", "RightUpperLeg", "LeftLowerLeg",  "RightLowerLeg",
    "LeftFoot",      "RightFoot",    "Spine",         "Chest",         "UpperChest",
    "Neck",          "Head",         "LeftShoulder",  "RightShoulder", "LeftUpperArm",
    "RightUpperArm", "LeftLowerArm", "RightLowerArm", "LeftHand",      "RightHand",
    "LeftToes",      "RightToes",    "LeftEye",       "RightEye",      "Jaw"};
#define BODY (ANIM_COUNT(body_names))
#define UPPER_CHEST 9 /* its place in the list. Unity 5.5 and earlier do not have it. */

static const char *const finger_names[] = {
    "ThumbProximal",    "ThumbIntermediate", "ThumbDistal",        "IndexProximal",      "IndexIntermediate",
    "IndexDistal",      "MiddleProximal",    "MiddleIntermediate", "MiddleDistal",       "RingProximal",
    "RingIntermediate", "RingDistal",        "LittleProximal",     "LittleIntermediate", "LittleDistal"};
#define FINGERS (ANIM_COUNT(finger_names))

/* The weights of twist: in an Avatar, in import settings, and the bone of either side that passes it on. */
static const struct {
	const char *member, *setting, *bone;
} twists[] = {{"m_ArmTwist", "armTwist", "UpperArm"},
	      {"m_ForeArmTwist", "foreArmTwist", "LowerArm"},
	      {"m_UpperLegTwist", "upperLegTwist", "UpperLeg"},
	      {"m_LegTwist", "legTwist", "LowerLeg"}};
#define TWISTS (ANIM_COUNT(twists))
#define USUAL_TWIST 0.5f

/* An Avatar or import settings that are being read. */
struct avatar_reading {
	struct unity_run *run;
	struct unity_source *source;
	struct unity_file *file;
	struct unity_avatar *avatar;
	struct anim_buffer nodes, humans; /* struct unity_avatar_node, struct unity_human */
	float twist[TWISTS];
	bool is_human; /* inside the description of the human of import settings */
};

/* Fail with the place of a node. Returns -1. */
#define fail_at(at, node, ...) (anim_fail((at)->run->error, ANIM_BAD_INPUT, __VA_ARGS__), place_error(at, node))

static int place_error(const struct avatar_reading *at, const struct unity_node *node)
{
	struct anim_place place;

	unity_place(at->file, node, &place);
	return anim_error_at(at->run->error, &place);
}

/* Get the components of a member. A missing one leaves the values unchanged. Returns 0 or -1. */
static int read_numbers(const struct avatar_reading *at, const struct unity_node *map, const char *key,
			unsigned components, float *to)
{
	float values[4] = {0};
	unsigned count = 0;
	int got = unity_vector(map, key, values, &count, at->run->error);

	if (got < 0)
		return place_error(at, unity_get(map, key));
	if (got == 0 || count < components)
		return 0;
	for (unsigned i = 0; i < components; i++)
		if (!isfinite(values[i]))
			return fail_at(at, unity_get(map, key), "'%s' is not finite", key);
	memcpy(to, values, components * sizeof *to);
	return 0;
}

/* Return the text of numbers, with commas between them, in the run's arena. NULL if out of memory. */
static const char *number_text(struct unity_run *run, const float *numbers, size_t count)
{
	char text[9 * (ANIM_NUMBER_MAX + 1)];
	size_t length = 0;

	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			text[length++] = ',';
		length += anim_number_print_float(text + length, numbers[i]);
	}
	return anim_arena_text(&run->arena, text, length, run->error);
}

/* ---- The bones of a human ---- */

/* Add a bone. `human` may contain blanks, as in "Left Thumb Proximal". Returns it, or NULL if out of memory. */
static struct unity_human *add_human(struct avatar_reading *at, const char *bone, const char *human)
{
	struct unity_human *added = anim_buffer_extend(&at->humans, sizeof *added, at->run->error);
	const char *kept = unity_keep(at->run, bone);
	char *name = anim_arena_text(&at->run->arena, human, strlen(human), at->run->error), *to = name;

	if (added == NULL || kept == NULL || name == NULL)
		return NULL;
	for (const char *from = human; *from != '\0'; from++)
		if (*from != ' ')
			*to++ = *from;
	*to = '\0';
	*added = (struct unity_human){.bone = kept, .human = name, .node = UNITY_NONE};
	return added;
}

/* Keep nodes and bones in the avatar, and index the bones by the names of their nodes. Returns 0 or -1. */
static int keep(struct avatar_reading *at)
{
	const struct unity_avatar_node *nodes = (const struct unity_avatar_node *)at->nodes.data;
	struct unity_avatar *avatar = at->avatar;
	struct unity_human *humans = (struct unity_human *)at->humans.data;
	size_t count = at->humans.size / sizeof *humans;

	for (size_t i = 0; i < count; i++) {
		const char *side = anim_text_after(humans[i].human, "Left");
		uint32_t above;

		/* Arms and legs get their weights of twist, unless these are the usual ones. */
		side = side != NULL ? side : anim_text_after(humans[i].human, "Right");
		for (size_t k = 0; k < TWISTS && side != NULL; k++) {
			if (strcmp(side, twists[k].bone) != 0 || at->twist[k] == USUAL_TWIST)
				continue;
			humans[i].twist = number_text(at->run, &at->twist[k], 1);
			if (humans[i].twist == NULL)
				return -1;
		}
		/* Bones whose nodes are known have a T-pose and a parent. The root of a model has any name in a scene. */
		if (humans[i].node == UNITY_NONE)
			continue;
		above = nodes[humans[i].node].parent;
		if (above != UNITY_NONE && nodes[above].parent != UNITY_NONE)
			humans[i].parent = nodes[above].name;
		humans[i].tpose = number_text(at->run, nodes[humans[i].node].rotation, 4);
		if (humans[i].tpose == NULL)
			return -1;
	}
	avatar->nodes = unity_keep_items(at->run, &at->nodes);
	avatar->node_count = at->nodes.size / sizeof *avatar->nodes;
	avatar->humans = unity_keep_items(at->run, &at->humans);
	avatar->human_count = at->humans.size / sizeof *avatar->humans;
	if (avatar->nodes == NULL || avatar->humans == NULL)
		return -1;
	for (size_t i = avatar->human_count; i-- > 0;) {
		const char *bone = avatar->humans[i].bone;

		if (anim_map_put(&avatar->by_bone, 0, bone, strlen(bone), (uint32_t)i, at->run->error) != 0)
			return -1;
	}
	return 0;
}

const struct unity_human *unity_avatar_human(const struct unity_avatar *avatar, const char *bone, const char *parent)
{
	const struct unity_human *human;
	uint32_t number;

	if (!anim_map_get(&avatar->by_bone, 0, bone, strlen(bone), &number))
		return NULL;
	human = &avatar->humans[number];
	return human->parent == NULL || parent == NULL || strcmp(human->parent, parent) == 0 ? human : NULL;
}

/* ---- Avatars (class 90) ---- */

/* Old versions have no level "data" below a member. */
static const struct unity_node *member(const struct unity_node *map, const char *key)
{
	const struct unity_node *node = unity_get(map, key), *data = unity_get(node, "data");

	return data != NULL ? data : node;
}

/* Read an array of 32-bit integers, which Unity writes as hexadecimal digits, the lowest byte first. Returns 0 or -1. */
static int read_integers(const struct avatar_reading *at, const struct unity_node *map, const char *key,
			 struct anim_buffer *out)
{
	const struct unity_node *node = unity_get(map, key);
	size_t digits = 0;

	out->size = 0;
	if (node == NULL || node->kind != UNITY_SCALAR)
		return 0;
	while (anim_hex_digit(node->text[digits]) >= 0)
		digits++;
	if (digits != node->length || digits % 8 != 0)
		return fail_at(at, node, "%s: not an array of 32-bit integers in hexadecimal digits", key);
	for (size_t i = 0; i < digits; i += 8) {
		const char *text = node->text + i;
		uint32_t bits = 0;
		int32_t number;

		for (unsigned k = 0; k < 8; k++)
			bits |= (uint32_t)anim_hex_digit(text[k]) << (4 * (k ^ 1));
		number = (int32_t)bits;
		if (anim_buffer_append(out, &number, sizeof number, at->run->error) != 0)
			return -1;
	}
	return 0;
}

/* An Avatar's arrays. */
struct avatar_arrays {
	struct avatar_reading *at;
	const struct unity_node *root, *avatar, *human; /* the document, its m_Avatar and m_Human */
	struct anim_buffer parents, axes;               /* int32_t: of the nodes of a skeleton */
	struct anim_buffer ids;                         /* int32_t */
	struct anim_buffer places;                      /* int32_t: the node of each human node */
	struct anim_buffer limits;                      /* const struct unity_node *: of m_AxesArray */
	struct anim_map paths;                          /* (CRC-32, "") -> index in texts */
	struct anim_buffer texts;                       /* const char *: of the document's arena */
};

static size_t integers(const struct anim_buffer *buffer)
{
	return buffer->size / sizeof(int32_t);
}

static int32_t integer(const struct anim_buffer *buffer, size_t i)
{
	return ((const int32_t *)(const void *)buffer->data)[i];
}

/* Read the parents and axes of a skeleton. A parent must be an earlier node, which excludes cycles. */
static int read_skeleton(struct avatar_arrays *a, const struct unity_node *skeleton)
{
	const struct unity_node *node = unity_items(unity_get(skeleton, "m_Node"));
	struct anim_error *error = a->at->run->error;

	a->parents.size = a->axes.size = 0;
	for (int64_t i = 0; node != NULL; node = node->next, i++) {
		int64_t parent = -1, axes = -1;
		int32_t numbers[2];

		if (unity_int64(node, "m_ParentId", &parent, error) < 0 ||
		    unity_int64(node, "m_AxesId", &axes, error) < 0)
			return place_error(a->at, node);
		if (parent < -1 || parent >= i)
			return fail_at(a->at, node, "m_ParentId %lld of node %lld is not an earlier node",
				       (long long)parent, (long long)i);
		numbers[0] = (int32_t)parent;
		numbers[1] = axes < -1 || axes > INT32_MAX ? INT32_MAX : (int32_t)axes;
		if (anim_buffer_append(&a->parents, &numbers[0], sizeof *numbers, error) != 0 ||
		    anim_buffer_append(&a->axes, &numbers[1], sizeof *numbers, error) != 0)
			return -1;
	}
	return 0;
}

static int read_transform(const struct avatar_reading *at, const struct unity_node *item,
			  struct unity_avatar_node *node)
{
	return read_numbers(at, item, "t", 3, node->position) != 0 ||
		       read_numbers(at, item, "q", 4, node->rotation) != 0 ||
		       read_numbers(at, item, "s", 3, node->scale) != 0
		   ? -1
		   : 0;
}

/* Read the nodes of the model: their names, and their transforms in the pose of the avatar. */
static int read_nodes(struct avatar_arrays *a)
{
	const struct unity_node *skeleton = member(a->avatar, "m_AvatarSkeleton");
	const struct unity_node *pose = member(a->avatar, "m_AvatarSkeletonPose"), *item;
	struct avatar_reading *at = a->at;

	if (read_skeleton(a, skeleton) != 0 || read_integers(at, skeleton, "m_ID", &a->ids) != 0)
		return -1;
	if (pose == NULL) /* an Avatar of an old version has only this pose */
		pose = member(a->avatar, "m_DefaultPose");
	item = unity_items(unity_get(pose, "m_X"));
	if (integers(&a->parents) == 0)
		return fail_at(at, a->root, "the Avatar has no skeleton");
	if (integers(&a->ids) != integers(&a->parents) || item == NULL ||
	    unity_get(pose, "m_X")->count != integers(&a->parents))
		return fail_at(at, a->root, "the Avatar has %zu nodes, but %zu ids and %zu transforms",
			       integers(&a->parents), integers(&a->ids),
			       item == NULL ? (size_t)0 : unity_get(pose, "m_X")->count);
	for (size_t i = 0; item != NULL; item = item->next, i++) {
		struct unity_avatar_node node = {
		    .parent = (uint32_t)integer(&a->parents, i), .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
		const char *name = NULL;
		uint32_t path;

		/* the last name of the path with this CRC-32, if it is known */
		if (anim_map_get(&a->paths, (uint32_t)integer(&a->ids, i), "", 0, &path))
			name = anim_path_last(((const char *const *)(const void *)a->texts.data)[path]);
		if (name != NULL && name[0] != '\0' && (node.name = unity_keep(at->run, name)) == NULL)
			return -1;
		if (read_transform(at, item, &node) != 0 ||
		    anim_buffer_append(&at->nodes, &node, sizeof node, at->run->error) != 0)
			return -1;
	}
	return 0;
}

static struct unity_avatar_node *node_at(const struct avatar_arrays *a, size_t number)
{
	return (struct unity_avatar_node *)(void *)a->at->nodes.data + number;
}

/*
 * Give the bones of the human the rotations of its T-pose. The pose begins at the root of the human's skeleton, so the
 * first levels of both skeletons differ, and keep the pose of the model, which is the same in the space of the root.
 */
static int read_pose(struct avatar_arrays *a)
{
	const struct unity_node *list = unity_get(member(a->human, "m_SkeletonPose"), "m_X"), *item = unity_items(list);

	if (item != NULL && list->count != integers(&a->parents))
		return fail_at(a->at, list, "the human has %zu nodes, but %zu transforms", integers(&a->parents),
			       list->count);
	for (size_t i = 0; item != NULL; item = item->next, i++) {
		struct unity_avatar_node pose = {.rotation = {0, 0, 0, 1}};

		if (read_transform(a->at, item, &pose) != 0)
			return -1;
		if (integer(&a->parents, i) > 0)
			memcpy(node_at(a, (size_t)integer(&a->places, i))->rotation, pose.rotation,
			       sizeof pose.rotation);
	}
	return 0;
}

/* Read the skeleton of the human, and the node of the model that each of its nodes is. */
static int read_human_skeleton(struct avatar_arrays *a)
{
	const struct unity_node *skeleton = member(a->human, "m_Skeleton"), *item;
	const struct unity_node *axes = unity_get(skeleton, "m_AxesArray");
	size_t nodes = a->at->nodes.size / sizeof(struct unity_avatar_node);

	if (read_skeleton(a, skeleton) != 0 ||
	    read_integers(a->at, a->avatar, "m_HumanSkeletonIndexArray", &a->places) != 0)
		return -1;
	if (integers(&a->places) != integers(&a->parents))
		return fail_at(a->at, a->root, "the human has %zu nodes, but m_HumanSkeletonIndexArray has %zu",
			       integers(&a->parents), integers(&a->places));
	for (size_t i = 0; i < integers(&a->places); i++)
		if (integer(&a->places, i) < 0 || (size_t)integer(&a->places, i) >= nodes)
			return fail_at(a->at, a->root, "m_HumanSkeletonIndexArray has %d, but there are %zu nodes",
				       (int)integer(&a->places, i), nodes);
	for (item = unity_items(axes); item != NULL; item = item->next)
		if (anim_buffer_append(&a->limits, &item, sizeof item, a->at->run->error) != 0)
			return -1;
	for (size_t i = 0; i < integers(&a->axes); i++)
		if (integer(&a->axes, i) >= 0 && (size_t)integer(&a->axes, i) >= a->limits.size / sizeof item)
			return fail_at(a->at, axes != NULL ? axes : a->root,
				       "m_AxesId %d of node %zu is not in m_AxesArray", (int)integer(&a->axes, i), i);
	return 0;
}

/* Add the node that is a bone of the human, by its number in the skeleton of the human. -1: the human lacks the bone. */
static int add_bone(const struct avatar_arrays *a, const struct unity_node *list, int32_t number, const char *side,
		    const char *human)
{
	const struct unity_node *const *all = (const struct unity_node *const *)(const void *)a->limits.data, *limit;
	const struct unity_avatar_node *node;
	struct unity_human *added;
	float numbers[6] = {0};
	int32_t axes;
	char name[40];

	if (number < -1 || number >= (int32_t)integers(&a->places))
		return fail_at(a->at, list, "%s has node %d, but the human has %zu nodes", list->key, (int)number,
			       integers(&a->places));
	if (number < 0)
		return 0;
	node = node_at(a, (size_t)integer(&a->places, (size_t)number));
	if (node->name == NULL)
		return 0;
	snprintf(name, sizeof name, "%s%s", side, human);
	added = add_human(a->at, node->name, name);
	if (added == NULL)
		return -1;
	added->node = (uint32_t)integer(&a->places, (size_t)number);

	/* The limits of a bone are in degrees. An Avatar has them in radians. */
	axes = integer(&a->axes, (size_t)number);
	limit = axes < 0 ? NULL : unity_get(all[axes], "m_Limit");
	if (limit == NULL)
		return 0;
	if (read_numbers(a->at, limit, "m_Min", 3, numbers) != 0 ||
	    read_numbers(a->at, limit, "m_Max", 3, numbers + 3) != 0)
		return -1;
	for (unsigned i = 0; i < 6; i++)
		numbers[i] = (float)((double)numbers[i] * (180 / ANIM_PI));
	added->limits = number_text(a->at->run, numbers, 6);
	return added->limits == NULL ? -1 : 0;
}

static int read_body(struct avatar_arrays *a)
{
	const struct unity_node *list = unity_get(a->human, "m_HumanBoneIndex");
	size_t count;

	if (read_integers(a->at, a->human, "m_HumanBoneIndex", &a->ids) != 0)
		return -1;
	count = integers(&a->ids);
	if (count != 0 && count != BODY && count != BODY - 1)
		return fail_at(a->at, list, "m_HumanBoneIndex has %zu bones, not %zu or %zu", count, BODY - 1, BODY);
	for (size_t i = 0; i < count; i++) {
		size_t name = count < BODY && i >= UPPER_CHEST ? i + 1 : i;

		if (add_bone(a, list, integer(&a->ids, i), "", body_names[name]) != 0)
			return -1;
	}
	return 0;
}

static int read_hand(struct avatar_arrays *a, const char *key, const char *side)
{
	const struct unity_node *hand = member(a->human, key), *list = unity_get(hand, "m_HandBoneIndex");

	if (read_integers(a->at, hand, "m_HandBoneIndex", &a->ids) != 0)
		return -1;
	if (integers(&a->ids) != 0 && integers(&a->ids) != FINGERS)
		return fail_at(a->at, list, "m_HandBoneIndex has %zu bones, not %zu", integers(&a->ids), FINGERS);
	for (size_t i = 0; i < integers(&a->ids); i++)
		if (add_bone(a, list, integer(&a->ids, i), side, finger_names[i]) != 0)
			return -1;
	return 0;
}

static int read_avatar(struct avatar_arrays *a)
{
	const struct unity_node *table = unity_get(a->root, "m_TOS"), *row = table == NULL ? NULL : table->first;
	struct anim_error *error = a->at->run->error;

	if (a->avatar == NULL)
		return fail_at(a->at, a->root, "the Avatar has no m_Avatar");
	/* Read m_TOS, the paths by their CRC-32: "ID: PATH", or in old versions a map of both. */
	for (; row != NULL; row = row->next) {
		const char *id = row->kind == UNITY_MAP ? unity_text(row, "first", "") : row->key;
		const char *path = row->kind == UNITY_MAP ? unity_text(row, "second", "") : row->text;
		uint32_t index = (uint32_t)(a->texts.size / sizeof path);
		int64_t number;

		if (unity_parse_id(id, strlen(id), &number) &&
		    (anim_buffer_append(&a->texts, &path, sizeof path, error) != 0 ||
		     anim_map_put(&a->paths, (uint32_t)number, "", 0, index, error) != 0))
			return -1;
	}
	if (read_nodes(a) != 0)
		return -1;
	a->human = member(a->avatar, "m_Human");
	if (read_human_skeleton(a) != 0 || read_pose(a) != 0 || read_body(a) != 0 ||
	    read_hand(a, "m_LeftHand", "Left") != 0 || read_hand(a, "m_RightHand", "Right") != 0)
		return -1;
	for (size_t i = 0; i < TWISTS; i++) {
		const struct unity_node *twist = unity_get(a->human, twists[i].member);

		if (unity_float(a->human, twists[i].member, &a->at->twist[i], error) < 0)
			return place_error(a->at, twist);
		if (!isfinite(a->at->twist[i]))
			return fail_at(a->at, twist, "'%s' is not finite", twists[i].member);
	}
	return keep(a->at);
}

static struct avatar_reading begin(struct unity_run *run, struct unity_source *source, struct unity_file *file,
				   struct unity_avatar *avatar)
{
	struct avatar_reading at = {.run = run, .source = source, .file = file, .avatar = avatar};

	for (size_t i = 0; i < TWISTS; i++)
		at.twist[i] = USUAL_TWIST;
	return at;
}

/* Add the avatar to its file if it was read, and free the buffers. Returns 0 or -1. */
static int finish(struct avatar_reading *at, int result)
{
	struct unity_avatar *avatar = at->avatar;

	if (result == 0 && unity_item_add(at->run, at->source, &at->source->avatars, &avatar, sizeof avatar, avatar->id,
					  UNITY_ID_AVATAR) == NULL)
		result = -1;
	if (result != 0)
		anim_map_clear(&avatar->by_bone);
	anim_buffer_clear(&at->nodes);
	anim_buffer_clear(&at->humans);
	return result;
}

int unity_avatar_read(struct unity_run *run, struct unity_source *source, struct unity_file *file,
		      const struct unity_document *document, const struct unity_node *root)
{
	struct unity_avatar *avatar = anim_arena_zeroed(&run->arena, 1, sizeof *avatar, run->error);
	struct avatar_reading at = begin(run, source, file, avatar);
	struct avatar_arrays arrays = {.at = &at, .root = root, .avatar = unity_get(root, "m_Avatar")};
	int result;

	if (avatar == NULL)
		return -1;
	avatar->id = document->id;
	avatar->line = document->line;
	avatar->name = unity_keep(run, unity_text(root, "m_Name", ""));
	result = finish(&at, avatar->name == NULL ? -1 : read_avatar(&arrays));
	anim_buffer_clear(&arrays.parents);
	anim_buffer_clear(&arrays.axes);
	anim_buffer_clear(&arrays.ids);
	anim_buffer_clear(&arrays.places);
	anim_buffer_clear(&arrays.limits);
	anim_map_clear(&arrays.paths);
	anim_buffer_clear(&arrays.texts);
	return result;
}

/* ---- Import settings of a model (.meta) ---- */

#define IMPORTER "ModelImporter"

static bool is_wanted(void *context, const char *name)
{
	static const char *const names[] = {"humanDescription",
					    "lastHumanDescriptionAvatarSource",
					    "human",
					    "skeleton",
					    "armTwist",
					    "foreArmTwist",
					    "upperLegTwist",
					    "legTwist"};

	struct avatar_reading *at = context;

	/* The description of a human has a globalScale as well, which is not the scale of the model. */
	if (strcmp(name, "meshes") == 0 || strcmp(name, "humanDescription") == 0)
		at->is_human = name[0] == 'h';
	if (strcmp(name, "globalScale") == 0 && at->is_human)
		return false;
	return anim_text_is_one_of(name, names, ANIM_COUNT(names)) || unity_model_wants(name);
}

/* Read a bone of the human. Its limits count only if somebody changed them. */
static int read_human(struct avatar_reading *at, const struct unity_node *item)
{
	const char *bone = unity_text(item, "boneName", ""), *name = unity_text(item, "humanName", "");
	const struct unity_node *limit = unity_get(item, "limit");
	struct unity_human *human;
	float numbers[9] = {0};
	int64_t modified = 0;
	bool centred;

	if (bone[0] == '\0' || name[0] == '\0')
		return 0;
	human = add_human(at, bone, name);
	if (human == NULL)
		return -1;
	if (unity_int64(limit, "modified", &modified, at->run->error) < 0)
		return place_error(at, unity_get(limit, "modified"));
	if (modified == 0)
		return 0;
	if (read_numbers(at, limit, "min", 3, numbers) != 0 || read_numbers(at, limit, "max", 3, numbers + 3) != 0 ||
	    read_numbers(at, limit, "value", 3, numbers + 6) != 0)
		return -1;
	centred = numbers[6] == 0 && numbers[7] == 0 && numbers[8] == 0;
	human->limits = number_text(at->run, numbers, centred ? 6 : 9);
	return human->limits == NULL ? -1 : 0;
}

static int read_field(struct avatar_reading *at, const struct unity_field *field)
{
	struct unity_avatar_node node = {.parent = UNITY_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};

	if (strcmp(field->name, "human") == 0)
		return field->is_item ? read_human(at, field->node) : 0;
	if (strcmp(field->name, "skeleton") == 0) {
		if (!field->is_item)
			return 0;
		/* The parent of a node is only a name, which is found when all nodes are known. */
		node.name = unity_keep(at->run, unity_text(field->node, "name", ""));
		node.above = unity_keep(at->run, unity_text(field->node, "parentName", ""));
		if (node.name == NULL || node.above == NULL ||
		    read_numbers(at, field->node, "position", 3, node.position) != 0 ||
		    read_numbers(at, field->node, "rotation", 4, node.rotation) != 0 ||
		    read_numbers(at, field->node, "scale", 3, node.scale) != 0)
			return -1;
		return anim_buffer_append(&at->nodes, &node, sizeof node, at->run->error);
	}
	if (unity_model_wants(field->name))
		return unity_model_field(at->run, at->source, field);
	if (strcmp(field->name, "lastHumanDescriptionAvatarSource") == 0) {
		if (unity_reference_read(field->node, &at->avatar->other, NULL) <= 0)
			at->avatar->other = (struct unity_reference){0};
		return 0;
	}
	for (size_t i = 0; i < TWISTS; i++)
		if (strcmp(field->name, twists[i].setting) == 0 && field->node->text[0] != '\0') {
			const char *end = field->node->text + field->node->length;

			if (unity_number_float(field->node->text, end, &at->twist[i]) != end || !isfinite(at->twist[i]))
				return fail_at(at, field->node, "'%s' is not a number", field->name);
		}
	return 0;
}

/*
 * Find the nodes of bones, and the parents of nodes, by name. The first node with a name counts. Old settings have no
 * names of parents.
 */
static int find_nodes(struct avatar_reading *at)
{
	struct unity_avatar_node *nodes = (struct unity_avatar_node *)at->nodes.data;
	struct unity_human *humans = (struct unity_human *)at->humans.data;
	size_t count = at->nodes.size / sizeof *nodes;
	struct anim_map numbers = {0};
	int result = 0;

	for (size_t i = count; i-- > 0 && result == 0;)
		result = anim_map_put(&numbers, 0, nodes[i].name, strlen(nodes[i].name), (uint32_t)i, at->run->error);
	at->avatar->flat = count > 1;
	for (size_t i = 0; i < count && result == 0; i++) {
		at->avatar->flat &= nodes[i].above[0] == '\0';
		if (!anim_map_get(&numbers, 0, nodes[i].above, strlen(nodes[i].above), &nodes[i].parent))
			nodes[i].parent = UNITY_NONE;
	}
	for (size_t i = 0; i < at->humans.size / sizeof *humans; i++)
		if (!anim_map_get(&numbers, 0, humans[i].bone, strlen(humans[i].bone), &humans[i].node))
			humans[i].node = UNITY_NONE;
	anim_map_clear(&numbers);
	return result;
}

int unity_meta_read(struct unity_run *run, struct unity_source *source, struct anim_input *input)
{
	struct unity_avatar *avatar = anim_arena_zeroed(&run->arena, 1, sizeof *avatar, run->error);
	struct unity_meta_file meta;
	struct avatar_reading at = begin(run, source, NULL, avatar);
	struct anim_arena scratch = {0};
	struct unity_document document;
	struct unity_field field;
	int got;

	if (avatar == NULL)
		return -1;
	avatar->id = UNITY_AVATAR * (int64_t)100000;
	avatar->name = run->base_name;
	got = unity_meta_open(&meta, input, IMPORTER, run->error);
	at.file = meta.file;
	if (got > 0) {
		got = unity_file_next(at.file, &document);
		unity_clip_want(at.file, is_wanted, &at);
		unity_clip_enter(at.file, "humanDescription animations meshes");
	}
	while (got > 0 && (got = unity_clip_next(at.file, &scratch, &field)) > 0) {
		if (read_field(&at, &field) != 0)
			got = -1;
		anim_arena_reset(&scratch);
	}
	anim_arena_clear(&scratch);
	if (got == 0)
		got = find_nodes(&at);
	if (got == 0)
		got = keep(&at);
	got = finish(&at, got);
	unity_meta_close(&meta);
	return got;
}

bool unity_meta_is(struct anim_input *input, struct anim_error *error)
{
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, UNITY_META_HEAD, &at, error);

	return size > 0 && unity_bytes_are_model(at, (size_t)size);
}

/* ---- From a reference to an avatar ---- */

#define COPIES_MAX 8 /* models that copy the avatar of another model */

static struct unity_avatar *avatar_at(const struct unity_source *source, size_t number)
{
	return ((struct unity_avatar **)(void *)source->avatars.data)[number];
}

/*
 * Find the avatar of a reference in this file. A model that copies its avatar leads to another one. Returns 1, 0 if it
 * cannot be read, or -1.
 */
static int find_avatar(struct unity_run *run, struct unity_source *from, const struct unity_reference *reference,
		       const struct unity_avatar **out)
{
	struct unity_reference to = *reference;

	for (unsigned copies = 0; copies < COPIES_MAX && to.file_id != 0; copies++) {
		struct unity_source *source;
		const char *path, *why;
		uint32_t number;
		int got = unity_source_find(run, from, to.guid, &source, &path, &why);

		if (got <= 0 || !unity_id_get(source, to.file_id, UNITY_ID_AVATAR, &number))
			return got < 0 ? -1 : 0;
		*out = avatar_at(source, number);
		if ((*out)->human_count > 0 || (*out)->other.file_id == 0)
			return 1;
		from = source;
		to = (*out)->other;
	}
	return 0;
}

int unity_avatar_of_model(struct unity_run *run, struct unity_source *model, const struct unity_avatar **avatar)
{
	const struct unity_reference reference = {.file_id = UNITY_AVATAR * (int64_t)100000};
	struct unity_avatar *own = model->avatars.size == 0 ? NULL : avatar_at(model, 0);
	int got = find_avatar(run, model, &reference, avatar);

	if (got > 0 && (*avatar)->node_count > 0)
		return !(*avatar)->flat;
	if (got < 0 || own == NULL || own->node_count > 0)
		return got < 0 ? -1 : 0;
	*avatar = own;
	return unity_model_nodes(run, model, own);
}

int unity_avatars_of_players(struct unity_run *run, struct unity_source *source)
{
	for (size_t i = 0; i < unity_player_count(source); i++) {
		const struct unity_player player = *unity_player_at(source, i);
		struct unity_object *object = unity_object_of(source, player.object);
		int got;

		if (player.removed || player.avatar.file_id == 0 || object == NULL)
			continue;
		got = find_avatar(run, player.home, &player.avatar, &object->avatar);
		if (got < 0)
			return -1;
	}
	return 0;
}

/* ---- The nodes of an avatar as objects of a scene ---- */

static bool is_taken(const struct unity_source *source, int64_t id)
{
	uint32_t number;

	return unity_id_get(source, id, UNITY_ID_OBJECT, &number) ||
	       unity_id_get(source, id, UNITY_ID_TRANSFORM, &number);
}

int unity_avatar_place(struct unity_run *run, struct unity_source *source, const struct unity_avatar *avatar,
		       int64_t seed, int64_t root)
{
	int64_t *ids = anim_arena_zeroed(&run->arena, avatar->node_count + 1, sizeof *ids, run->error);
	const int64_t first = seed & INT64_MAX;
	bool has_root = root == 0, are_free = first > 0 && avatar->node_count <= (uint64_t)(INT64_MAX - first);

	if (ids == NULL)
		return -1;

	/*
	 * All ids come first, because a parent may follow its child. They are consecutive if no object or Transform of the
	 * file has one of them. Otherwise the search starts after the last one that was made, so that it passes each taken
	 * fileID only once.
	 */
	for (size_t i = 0; i < avatar->node_count && are_free; i++)
		are_free = !is_taken(source, first + (int64_t)i);
	for (size_t i = 0; i < avatar->node_count; i++) {
		if (avatar->nodes[i].parent == UNITY_NONE && !has_root) {
			ids[i] = root;
			has_root = true;
		} else if (are_free) {
			ids[i] = first + (int64_t)i;
		} else {
			do
				source->made_id++;
			while (is_taken(source, source->made_id));
			ids[i] = source->made_id;
		}
	}
	for (size_t i = 0; i < avatar->node_count; i++) {
		const struct unity_avatar_node *node = &avatar->nodes[i];
		const struct unity_object object = {.id = ids[i], .name = node->name, .transform = UNITY_NONE};
		struct unity_transform transform = {.id = ids[i],
						    .object = ids[i],
						    .parent = node->parent == UNITY_NONE ? root : ids[node->parent],
						    .sibling = (int64_t)i,
						    .number = UNITY_NONE,
						    .has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE};

		if (ids[i] == root)
			continue;
		memcpy(transform.position, node->position, sizeof transform.position);
		memcpy(transform.rotation, node->rotation, sizeof transform.rotation);
		memcpy(transform.scale, node->scale, sizeof transform.scale);
		if (unity_item_add(run, source, &source->scene.objects, &object, sizeof object, object.id,
				   UNITY_ID_OBJECT) == NULL ||
		    unity_item_add(run, source, &source->scene.transforms, &transform, sizeof transform, transform.id,
				   UNITY_ID_TRANSFORM) == NULL)
			return -1;
	}
	return 0;
}

/* Fail if import settings have no skeleton. Returns 0 or -1. */
static int check_skeleton(struct unity_run *run, const struct unity_source *source, const struct unity_avatar *avatar)
{
	if (avatar->node_count == 0 && avatar->other.file_id != 0)
		anim_fail(run->error, ANIM_UNSUPPORTED,
			  "the model has the avatar of another one (guid %s), which was not found", avatar->other.guid);
	else if (avatar->node_count == 0)
		anim_fail(run->error, ANIM_UNSUPPORTED,
			  "the import settings have no skeleton: the model is not a humanoid; read the model itself");
	else if (avatar->flat)
		anim_fail(run->error, ANIM_UNSUPPORTED,
			  "the skeleton has no parents, as in Unity 5 and earlier; read the model itself");
	else
		return 0;
	return anim_error_in_file(run->error, source->shown);
}

int unity_avatar_tree(struct unity_run *run, struct unity_source *source)
{
	size_t count = source->avatars.size / sizeof(struct unity_avatar *);
	const struct unity_avatar *avatar;
	struct unity_reference self = {0};

	if (count == 0 || unity_transform_count(&source->scene) > 0 || source->scene.instances.size > 0)
		return 0;
	avatar = avatar_at(source, 0);
	self.file_id = avatar->id;
	if (find_avatar(run, source, &self, &avatar) < 0 || check_skeleton(run, source, avatar) != 0)
		return -1;
	if (count > 1 &&
	    unity_say(run, source, ANIM_WARNING, 0, NULL, "%zu Avatars in the file; the tree is the first one, '%s'",
		      count, avatar->name) != 0)
		return -1;
	if (unity_avatar_place(run, source, avatar, 1, 0) != 0)
		return -1;

	/* Name the root after the model. Unity calls it "Model(Clone)". */
	for (size_t i = 0; i < unity_transform_count(&source->scene); i++) {
		const struct unity_transform *transform = unity_transform_at(&source->scene, i);
		struct unity_object *object = unity_object_of(source, transform->object);
		size_t length;
		if (transform->parent != 0)
			continue;
		object->avatar = avatar;
		if (object->name == NULL || object->name[0] == '\0')
			object->name = avatar->name;
		length = strlen(object->name);
		if (anim_text_ends(object->name, "(Clone)"))
			object->name =
			    anim_arena_text(&run->arena, object->name, length - strlen("(Clone)"), run->error);
		if (object->name == NULL)
			return -1;
	}
	return 0;
}
