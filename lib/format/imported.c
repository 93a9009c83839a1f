/* imported.c: how Godot's importer arranges and names the nodes of a file. */
#include "format/imported.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/text.h"

/*
 * Facts, checked with Godot 4.6.3: The scene gets a root of its own. The joints of a skin become bones of a Skeleton3D
 * below the parent of the topmost ones. So do all nodes between joints. Other nodes below a bone are below a
 * BoneAttachment3D with the bone's name. A mesh with a skin is a child of the skeleton. Names are unique in the whole
 * file: nodes get theirs in the order of the file, and bones after them.
 */

/* The state while nodes are placed. The arrays have an element for each node. */
struct importer {
	struct anim_import *import;
	struct anim_error *error;
	struct anim_map names; /* by IN_FILE, IN_PLACE and IN_SKELETON */
	uint32_t *set;         /* another node of its skeleton, or itself. ANIM_IMPORT_NONE: it is not a bone */
	uint32_t *depth;
	uint32_t *skeleton;   /* of the first node of a set: the place of the skeleton, or ANIM_IMPORT_NONE */
	uint32_t *attachment; /* of a bone: the place of its attachment, or ANIM_IMPORT_NONE */
	uint32_t *visited;    /* the last skin that visited it */
	uint64_t steps;       /* so far, of all skins */
};

static bool is_skinned(const struct anim_import_node *node)
{
	return node->has_mesh && node->skin != ANIM_IMPORT_NONE;
}

static struct anim_import_node *node_of(const struct importer *importer, uint32_t number)
{
	return number == ANIM_IMPORT_NONE ? NULL : &importer->import->nodes[number];
}

static struct anim_import_place *place_at(const struct importer *importer, uint32_t number)
{
	return anim_import_place(importer->import, number);
}

/* Return `count` times ANIM_IMPORT_NONE, in the arena, or NULL if out of memory. */
static uint32_t *make_numbers(const struct importer *importer, uint32_t count)
{
	uint32_t *numbers =
	    anim_arena_alloc(importer->import->arena, ((size_t)count + 1) * sizeof *numbers, importer->error);

	if (numbers != NULL)
		memset(numbers, 0xFF, ((size_t)count + 1) * sizeof *numbers);
	return numbers;
}

/* ---- Skeletons: sets of nodes ---- */

/* Return the first node of the set of a bone, and shorten the way to it. */
static uint32_t first_of(const struct importer *importer, uint32_t node)
{
	uint32_t *set = importer->set;

	for (; set[node] != node; node = set[node])
		set[node] = set[set[node]];
	return node;
}

static void join(const struct importer *importer, uint32_t a, uint32_t b)
{
	a = first_of(importer, a);
	b = first_of(importer, b);
	importer->set[a > b ? a : b] = a < b ? a : b;
}

static bool is_bone(const struct importer *importer, uint32_t node)
{
	return node != ANIM_IMPORT_NONE && importer->set[node] != ANIM_IMPORT_NONE;
}

/* Make the node a bone of the skin, once. Returns false if the skin has visited it already. */
static bool visit(struct importer *importer, uint32_t node, uint32_t skin, uint32_t joint)
{
	if (importer->visited[node] == skin)
		return false;
	importer->visited[node] = skin;
	importer->steps++;
	if (!is_bone(importer, node))
		importer->set[node] = node;
	join(importer, node, joint);
	return true;
}

/*
 * The joints of a skin become bones, and so do the nodes above them up to the level at which all of them have the same
 * parent. Returns 0 or -1.
 */
static int add_skin(struct importer *importer, uint32_t skin, struct anim_buffer *tops)
{
	const uint32_t *joints = importer->import->skins[skin].joints;
	uint32_t count_of_joints = importer->import->skins[skin].count;
	uint32_t level = UINT32_MAX, first = ANIM_IMPORT_NONE;
	size_t count;
	bool same = false;

	for (uint32_t i = 0; i < count_of_joints; i++)
		level = importer->depth[joints[i]] < level ? importer->depth[joints[i]] : level;
	tops->size = 0;
	for (uint32_t i = 0; i < count_of_joints; i++) {
		uint32_t node = joints[i];
		bool is_new;

		if (importer->depth[node] == UINT32_MAX) /* it is not in the tree */
			continue;
		first = first == ANIM_IMPORT_NONE ? node : first;
		while ((is_new = visit(importer, node, skin, first)) && importer->depth[node] > level)
			node = node_of(importer, node)->parent;
		if (is_new && anim_buffer_append(tops, &node, sizeof node, importer->error) != 0)
			return -1;
	}
	for (count = tops->size / sizeof(uint32_t); count > 0 && !same;) {
		uint32_t *top = (uint32_t *)(void *)tops->data, parent = node_of(importer, top[0])->parent;
		size_t kept = 0;

		same = true;
		for (size_t i = 0; i < count; i++)
			same = same && node_of(importer, top[i])->parent == parent;
		for (size_t i = 0; i < count && !same; i++)
			if (visit(importer, node_of(importer, top[i])->parent, skin, first))
				top[kept++] = node_of(importer, top[i])->parent;
		count = kept;
		if (importer->steps > ANIM_GLTF_SKIN_STEPS)
			return anim_fail(importer->error, ANIM_TOO_LARGE, "the skins have too many joints");
	}
	return 0;
}

/*
 * Below a bone, the nodes above a joint of any skin become bones. Adjacent skeletons become one, and so do skeletons
 * that are siblings. Returns 0 or -1.
 */
static int join_skeletons(struct importer *importer)
{
	uint32_t all = importer->import->node_count, *tops = make_numbers(importer, all + 1);
	bool *leads = anim_zeroed((size_t)all + 1, importer->error);

	for (uint32_t i = importer->import->order_count; i-- > 0 && leads != NULL && tops != NULL;) {
		const struct anim_import_node *node = node_of(importer, importer->import->order[i]);

		leads[importer->import->order[i]] |= node->is_joint;
		if (leads[importer->import->order[i]] && node->parent != ANIM_IMPORT_NONE)
			leads[node->parent] = true;
	}
	for (uint32_t i = 0; i < importer->import->order_count && leads != NULL && tops != NULL; i++) {
		uint32_t node = importer->import->order[i], parent = node_of(importer, node)->parent,
			 *top = &tops[parent == ANIM_IMPORT_NONE ? all : parent];

		if (!is_bone(importer, node) && leads[node] && is_bone(importer, parent))
			importer->set[node] = node;
		if (!is_bone(importer, node))
			continue;
		if (is_bone(importer, parent))
			join(importer, node, parent);
		else if (*top != ANIM_IMPORT_NONE)
			join(importer, node, *top);
		else
			*top = node;
	}
	free(leads);
	return leads == NULL || tops == NULL ? -1 : 0;
}

/* ---- Names ---- */

/* Copy a name, and replace each of the bytes in `refused` by '_'. Returns NULL if out of memory. */
static char *clean(const struct importer *importer, const char *name, const char *refused)
{
	char *copy = anim_arena_text(importer->import->arena, name, strlen(name), importer->error);

	for (char *at = copy; at != NULL && *at != '\0'; at++)
		if (strchr(refused, *at) != NULL)
			*at = '_';
	return copy;
}

/* The scopes of names, with a number: the file, the nodes below a place, the bones of a set. The last number per name. */
#define IN_FILE (uint64_t)0
#define IN_PLACE ((uint64_t)1 << 32)
#define IN_SKELETON ((uint64_t)2 << 32)
#define LAST_NUMBER ((uint64_t)4 << 32)

/* Return true if the scope has the name. Bones also avoid the names of nodes. */
static bool is_taken(const struct importer *importer, uint64_t scope, const char *name)
{
	uint32_t known;

	return anim_map_get(&importer->names, scope, name, strlen(name), &known) ||
	       ((scope & IN_SKELETON) != 0 && anim_map_get(&importer->names, IN_FILE, name, strlen(name), &known));
}

/*
 * Return the name if it is free in the scope, otherwise the first free one of "name2", "name3", or of "name_2",
 * "name_3" for a bone. Returns NULL if out of memory.
 */
static const char *unique(struct importer *importer, uint64_t scope, const char *name)
{
	const char *between = (scope & IN_SKELETON) != 0 ? "_" : "", *own = name;
	struct anim_error *error = importer->error;
	uint32_t number = 1;

	if (name != NULL && is_taken(importer, scope, name)) {
		(void)anim_map_get(&importer->names, LAST_NUMBER | scope, name, strlen(name), &number);
		do
			own = anim_arena_printf(importer->import->arena, error, "%s%s%u", name, between,
						(unsigned)++number);
		while (own != NULL && is_taken(importer, scope, own));
		if (own == NULL ||
		    anim_map_put(&importer->names, LAST_NUMBER | scope, name, strlen(name), number, error) != 0)
			return NULL;
	}
	return own == NULL || anim_map_put(&importer->names, scope, own, strlen(own), 0, error) != 0 ? NULL : own;
}

/* Name the nodes that are not bones, in the order of the file. Returns 0 or -1. */
static int name_nodes(struct importer *importer)
{
	for (uint32_t i = 0; i < importer->import->node_count; i++) {
		struct anim_import_node *node = node_of(importer, i);
		bool is_fbx = importer->import->is_fbx;
		const char *name = node->name;

		if (is_bone(importer, i))
			continue;
		if (name == NULL || name[0] == '\0') {
			name = node->has_mesh ? "Mesh" : !node->has_camera ? "Node" : is_fbx ? "Camera3D" : "Camera";
			/* For FBX, the importer makes such a name unique twice, such as "Node2" and "Node32". */
			if (is_fbx)
				name = unique(importer, IN_FILE, name);
			if (name == NULL)
				return -1;
		}
		node->imported_name = unique(importer, IN_FILE, clean(importer, name, ".:@/\"%"));
		if (node->imported_name == NULL)
			return -1;
	}
	return 0;
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

/* Name the bones: skeleton by skeleton, each from its top down. Returns 0 or -1. */
static int name_bones(struct importer *importer)
{
	struct anim_buffer tops = {0}, stack = {0};
	int result = 0;

	/* Sets have the number of their first node. Each has its tops in the order of the file. */
	for (uint32_t i = 0; i < importer->import->node_count && result == 0; i++) {
		const struct anim_import_node *node = node_of(importer, i);
		uint64_t key = is_bone(importer, i) ? (uint64_t)first_of(importer, i) << 32 | i : 0;

		if (is_bone(importer, i) && !is_bone(importer, node->parent))
			result = anim_buffer_append(&tops, &key, sizeof key, importer->error);
	}
	if (tops.size > sizeof(uint64_t))
		qsort(tops.data, tops.size / sizeof(uint64_t), sizeof(uint64_t), compare_keys);
	for (size_t i = 0; i < tops.size / sizeof(uint64_t) && result == 0; i++) {
		uint32_t node = (uint32_t)((const uint64_t *)(void *)tops.data)[i];

		result = anim_buffer_append(&stack, &node, sizeof node, importer->error);
		while (stack.size > 0 && result == 0) {
			struct anim_import_node *bone;
			const char *name;

			stack.size -= sizeof node;
			memcpy(&node, stack.data + stack.size, sizeof node);
			bone = node_of(importer, node);
			name = bone->name == NULL || bone->name[0] == '\0' ? "bone" : bone->name;
			bone->imported_name =
			    unique(importer, IN_SKELETON | first_of(importer, node), clean(importer, name, ":/"));
			if (bone->imported_name == NULL)
				result = -1;
			for (uint32_t k = bone->last_child; k != ANIM_IMPORT_NONE && result == 0;
			     k = node_of(importer, k)->before)
				if (is_bone(importer, k))
					result = anim_buffer_append(&stack, &k, sizeof k, importer->error);
		}
	}
	anim_buffer_clear(&tops);
	anim_buffer_clear(&stack);
	return result;
}

/* In FBX, bones get their names first. Other nodes avoid these names and the names of the skins. Returns 0 or -1. */
static int reserve_names(struct importer *importer)
{
	for (uint32_t i = 0; i < importer->import->node_count; i++) {
		const char *name = is_bone(importer, i) ? node_of(importer, i)->imported_name : NULL;

		if (name != NULL &&
		    anim_map_put(&importer->names, IN_FILE, name, strlen(name), 0, importer->error) != 0)
			return -1;
	}
	for (uint32_t i = 0; i < importer->import->skin_count; i++)
		if (unique(importer, IN_FILE, "Skin") == NULL)
			return -1;
	return 0;
}

/* ---- Places ---- */

/*
 * Add a place below `folder`, moved by `above`. The name becomes unique there, as for any new child in Godot. Returns
 * its number, or ANIM_IMPORT_NONE if out of memory.
 */
static uint32_t add_place(struct importer *importer, enum anim_import_kind kind, uint32_t folder, uint32_t above,
			  const char *name, uint32_t node)
{
	struct anim_import_place place = {.name = name, .folder = folder, .above = above, .node = node, .kind = kind};
	uint32_t number = (uint32_t)(importer->import->places.size / sizeof(struct anim_import_place));

	if (kind != ANIM_IMPORT_BONE && folder != ANIM_IMPORT_NONE)
		place.name = unique(importer, IN_PLACE | folder, name);
	if (place.name == NULL ||
	    anim_buffer_append(&importer->import->places, &place, sizeof place, importer->error) != 0)
		return ANIM_IMPORT_NONE;
	return number;
}

/*
 * Return an attachment of the bone for a node, or ANIM_IMPORT_NONE if out of memory. In glTF, it has the name of the
 * bone and is created once. In FBX, each node has one of its own name.
 */
static uint32_t attach(struct importer *importer, uint32_t bone, const struct anim_import_node *node)
{
	uint32_t *made = &importer->attachment[bone], place = node_of(importer, bone)->place;
	const char *name = (importer->import->is_fbx ? node : node_of(importer, bone))->imported_name;

	if (*made == ANIM_IMPORT_NONE || importer->import->is_fbx)
		*made = add_place(importer, ANIM_IMPORT_ATTACHMENT, place_at(importer, place)->folder, place,
				  clean(importer, name, ".:@/\"%"), bone);
	return *made;
}

/* Place a bone, and its skeleton before its first bone. A mesh, camera or light of the node becomes a node below it. */
static int place_bone(struct importer *importer, uint32_t number, uint32_t above)
{
	struct anim_import_node *node = node_of(importer, number);
	uint32_t *skeleton = &importer->skeleton[first_of(importer, number)], inner;

	if (*skeleton == ANIM_IMPORT_NONE)
		*skeleton = add_place(importer, ANIM_IMPORT_SKELETON, above, above, "Skeleton3D", ANIM_IMPORT_NONE);
	if (*skeleton == ANIM_IMPORT_NONE)
		return -1;
	node->place = add_place(importer, ANIM_IMPORT_BONE, *skeleton,
				is_bone(importer, node->parent) ? node_of(importer, node->parent)->place : *skeleton,
				node->imported_name, number);
	node->element = node->shapes = *skeleton;
	if (node->place == ANIM_IMPORT_NONE)
		return -1;
	if ((!node->has_mesh || node->skin != ANIM_IMPORT_NONE) && !node->has_camera && node->light == NULL)
		return 0;
	inner = attach(importer, number, node);
	if (inner != ANIM_IMPORT_NONE)
		inner = add_place(importer, ANIM_IMPORT_CONTENT, inner, inner,
				  clean(importer, node->imported_name, ".:@/\"%"), number);
	node->element = node->shapes = inner;
	return inner == ANIM_IMPORT_NONE ? -1 : 0;
}

/* Return the place below which a node is added, or ANIM_IMPORT_NONE if out of memory. */
static uint32_t parent_place(struct importer *importer, const struct anim_import_node *node)
{
	const struct anim_import_node *parent;

	if (node->parent == ANIM_IMPORT_NONE)
		return 0;
	parent = node_of(importer, node->parent);
	if (!is_bone(importer, node->parent) ||
	    (!importer->import->is_fbx && place_at(importer, parent->element)->kind == ANIM_IMPORT_CONTENT))
		return parent->element;
	return attach(importer, node->parent, node);
}

/*
 * Place a node that is not a bone. A mesh with a skin is placed later, below its skeleton. If it has children, they
 * stay below a node without the mesh.
 */
static int place_node(struct importer *importer, uint32_t number)
{
	struct anim_import_node *node = node_of(importer, number);
	uint32_t above;

	if (is_skinned(node) && node->last_child == ANIM_IMPORT_NONE)
		return 0;
	above = parent_place(importer, node);
	if (above != ANIM_IMPORT_NONE)
		node->place = add_place(importer, ANIM_IMPORT_NODE, above, above, node->imported_name, number);
	node->element = node->shapes = node->place;
	return node->place == ANIM_IMPORT_NONE ? -1 : 0;
}

static int place_all(struct importer *importer)
{
	bool single = importer->import->has_single_root && importer->import->order_count > 0 &&
		      importer->import->order[0] == 0 && !is_bone(importer, 0);

	if (add_place(importer, ANIM_IMPORT_ROOT, ANIM_IMPORT_NONE, ANIM_IMPORT_NONE, "",
		      single ? 0 : ANIM_IMPORT_NONE) == ANIM_IMPORT_NONE)
		return -1;
	for (uint32_t i = 0; i < importer->import->order_count; i++) {
		uint32_t number = importer->import->order[i], above;
		struct anim_import_node *node = node_of(importer, number);
		int result;

		if (single && number == 0) {
			node->place = node->element = node->shapes = 0;
			continue;
		}
		if (!is_bone(importer, number)) {
			result = place_node(importer, number);
		} else {
			above = is_bone(importer, node->parent) ? 0 : parent_place(importer, node);
			result = above == ANIM_IMPORT_NONE ? -1 : place_bone(importer, number, above);
		}
		if (result != 0)
			return -1;
	}
	/* Place the meshes with skins. One without joints stays at its node. */
	for (uint32_t i = 0; i < importer->import->node_count; i++) {
		struct anim_import_node *node = node_of(importer, i);
		const struct anim_import_skin *skin;
		uint32_t joint = ANIM_IMPORT_NONE, skeleton = 0;

		if (!node->is_placed || !is_skinned(node))
			continue;
		skin = &importer->import->skins[node->skin];
		for (uint32_t k = 0; k < skin->count && !is_bone(importer, joint); k++)
			joint = skin->joints[k];
		if (is_bone(importer, joint))
			skeleton = importer->skeleton[first_of(importer, joint)];
		node->shapes = add_place(importer, ANIM_IMPORT_SKINNED, skeleton, skeleton,
					 clean(importer, node->imported_name, ".:@/\"%"), i);
		if (node->shapes == ANIM_IMPORT_NONE)
			return -1;
		if (node->element == ANIM_IMPORT_NONE)
			node->element = node->place = node->shapes;
	}
	return 0;
}

/* ---- Suffixes of names by which the importer makes other nodes ---- */

/*
 * Return the length of the name before the suffix, which follows '-' or '_' and precedes any digits, blanks and '_'.
 * *rest is the length with the suffix. Returns 0 if the name does not have the suffix.
 */
static size_t before_suffix(const char *name, const char *suffix, size_t *rest)
{
	size_t length = strlen(name), size = strlen(suffix);

	while (length > 0 && (strchr("0123456789_", name[length - 1]) != NULL || (unsigned char)name[length - 1] <= 32))
		length--;
	*rest = length;
	if (length <= size + 1 || (name[length - size - 1] != '-' && name[length - size - 1] != '_') ||
	    strncasecmp(name + length - size, suffix, size) != 0)
		return 0;
	return length - size - 1;
}

/* Remove a suffix from the name of the place, or mark a place that is not imported. Returns 0 or -1. */
static int apply_suffix(struct importer *importer, uint32_t number)
{
	static const struct {
		const char *suffix;
		bool meshes; /* only meshes */
		bool free;   /* only if no node beside it has the name */
		bool drops;
	} suffixes[] = {{"noimp", .drops = true},
			{"colonly", .meshes = true},
			{"convcolonly", .meshes = true},
			{"col", .meshes = true, .free = true},
			{"convcol", .meshes = true, .free = true},
			{"navmesh", .meshes = true},
			{"occ", .meshes = true, .free = true},
			{"occonly", .meshes = true, .drops = true},
			{.suffix = "vehicle"},
			{.suffix = "wheel"}};
	struct anim_import_place *place = place_at(importer, number);
	const struct anim_import_node *node = node_of(importer, place->node);
	bool is_mesh = node != NULL && node->has_mesh && node->shapes == number;

	for (size_t i = 0; i < ANIM_COUNT(suffixes); i++) {
		size_t rest, length = before_suffix(place->name, suffixes[i].suffix, &rest);
		const char *name;

		if (length == 0 || (suffixes[i].meshes && !is_mesh))
			continue;
		place->dropped = suffixes[i].drops;
		if (place->dropped)
			return 0;
		name = anim_arena_printf(importer->import->arena, importer->error, "%.*s%s", (int)length, place->name,
					 place->name + rest);
		if (name == NULL)
			return -1;
		if (suffixes[i].free && is_taken(importer, IN_PLACE | place->folder, name))
			return 0;
		place->name = name;
		return anim_map_put(&importer->names, IN_PLACE | place->folder, name, strlen(name), 0, importer->error);
	}
	return 0;
}

/* ---- The whole ---- */

static int make_all(struct importer *importer)
{
	uint32_t all = importer->import->node_count;
	struct anim_buffer tops = {0};
	int result;
	uint32_t count;

	importer->set = make_numbers(importer, all);
	importer->depth = make_numbers(importer, all);
	importer->skeleton = make_numbers(importer, all);
	importer->attachment = make_numbers(importer, all);
	importer->visited = make_numbers(importer, all);
	if (importer->set == NULL || importer->depth == NULL || importer->skeleton == NULL ||
	    importer->attachment == NULL || importer->visited == NULL)
		return -1;
	for (uint32_t i = 0; i < importer->import->order_count; i++) {
		uint32_t parent = node_of(importer, importer->import->order[i])->parent;

		importer->depth[importer->import->order[i]] =
		    parent == ANIM_IMPORT_NONE ? 0 : importer->depth[parent] + 1;
	}
	for (uint32_t i = 0; i < all; i++) {
		struct anim_import_node *node = node_of(importer, i);

		node->place = node->element = node->shapes = node->last_child = node->before = ANIM_IMPORT_NONE;
	}
	for (uint32_t i = 0; i < all; i++) {
		struct anim_import_node *node = node_of(importer, i);

		if (!node->is_placed || node->parent == ANIM_IMPORT_NONE)
			continue;
		node->before = node_of(importer, node->parent)->last_child;
		node_of(importer, node->parent)->last_child = i;
	}
	result = 0;
	for (uint32_t i = 0; i < importer->import->skin_count && result == 0; i++)
		result = add_skin(importer, i, &tops);
	anim_buffer_clear(&tops);
	if (result != 0 || join_skeletons(importer) != 0 || unique(importer, IN_FILE, "Skeleton3D") == NULL)
		return -1;
	if ((importer->import->is_fbx && (name_bones(importer) != 0 || reserve_names(importer) != 0)) ||
	    name_nodes(importer) != 0 || (!importer->import->is_fbx && name_bones(importer) != 0))
		return -1;
	if (place_all(importer) != 0)
		return -1;
	count = (uint32_t)(importer->import->places.size / sizeof(struct anim_import_place));
	for (uint32_t i = 1; i < count; i++) {
		struct anim_import_place *place = place_at(importer, i);

		if (place->kind != ANIM_IMPORT_BONE && place->kind != ANIM_IMPORT_SKELETON &&
		    apply_suffix(importer, i) != 0)
			return -1;
		place->dropped |= place_at(importer, place->folder)->dropped;
	}
	return 0;
}

int anim_import_make(struct anim_import *import, struct anim_error *error)
{
	struct importer importer = {.import = import, .error = error};
	int result = make_all(&importer);

	anim_map_clear(&importer.names);
	return result;
}

void anim_import_clear(struct anim_import *import)
{
	anim_buffer_clear(&import->places);
	anim_buffer_clear(&import->path);
}

bool anim_import_is_skinned(const struct anim_import *import, uint32_t number)
{
	const struct anim_import_node *node = &import->nodes[number];

	return is_skinned(node) && node->place == node->shapes;
}

const char *anim_import_path(struct anim_import *import, uint32_t number, struct anim_error *error)
{
	const struct anim_import_place *at;
	size_t length = 0;
	char *end;

	for (uint32_t i = number; (at = anim_import_place(import, i))->folder != ANIM_IMPORT_NONE; i = at->folder)
		length += strlen(at->name) + 1;
	if (length > ANIM_NAME_MAX + 1) {
		anim_fail(error, ANIM_TOO_LARGE, "a path of more than %u bytes", ANIM_NAME_MAX);
		return NULL;
	}
	if (length == 0)
		return ".";
	import->path.size = 0;
	end = anim_buffer_extend(&import->path, length, error);
	if (end == NULL)
		return NULL;
	end += length;
	*--end = '\0';
	for (uint32_t i = number;; i = at->folder) {
		size_t size;

		at = anim_import_place(import, i);
		size = strlen(at->name);
		end -= size;
		memcpy(end, at->name, size);
		if (end == (char *)import->path.data)
			return end;
		*--end = at->kind == ANIM_IMPORT_BONE ? ':' : '/';
	}
}

int anim_import_write(struct anim_import *import, anim_import_write_node *write, void *context, struct anim_sink *sink,
		      struct anim_error *error)
{
	uint32_t count = (uint32_t)(import->places.size / sizeof(struct anim_import_place));
	int result = 0;

	for (uint32_t i = 0; i < count && result == 0; i++) {
		const struct anim_import_place *place = anim_import_place(import, i);
		const struct anim_import_node *from =
		    place->node == ANIM_IMPORT_NONE ? NULL : &import->nodes[place->node];
		struct anim_attr attr = {"godot.bone", from == NULL ? "" : from->imported_name};
		struct anim_node node = {.parent = place->above == ANIM_IMPORT_NONE ? ANIM_NO_PARENT : place->above,
					 .rotation = {0, 0, 0, 1},
					 .scale = {1, 1, 1},
					 .type = ""};

		node.path = anim_import_path(import, i, error);
		if (node.path == NULL)
			return -1;
		if (place->kind == ANIM_IMPORT_SKELETON) {
			node.type = "Skeleton3D";
		} else if (place->kind == ANIM_IMPORT_ATTACHMENT) {
			node.type = "BoneAttachment3D";
			node.attrs = (struct anim_attrs){&attr, 1};
		} else if (place->kind == ANIM_IMPORT_BONE) {
			node.kind = ANIM_NODE_BONE;
		} else if (from != NULL && (place->kind != ANIM_IMPORT_NODE || from->shapes == i)) {
			node.kind = from->has_camera      ? ANIM_NODE_CAMERA
				    : from->light != NULL ? ANIM_NODE_LIGHT
				    : from->has_mesh      ? ANIM_NODE_MESH
							  : ANIM_NODE;
			node.type = node.kind == ANIM_NODE_LIGHT ? from->light : "";
		}
		if (from != NULL && (place->kind == ANIM_IMPORT_BONE || place->kind == ANIM_IMPORT_NODE ||
				     place->kind == ANIM_IMPORT_ROOT))
			result = write(context, place->node, &node, error);
		else
			result = anim_sink_node(sink, &node, error);
	}
	return result;
}
