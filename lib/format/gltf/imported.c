/* imported.c: the nodes of a document as the importer of Godot arranges and names them. */
#include "format/gltf/asset.h"

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
	struct gltf_asset *asset;
	struct anim_error *error;
	const uint32_t *order; /* the nodes of the tree, parents first */
	uint32_t count;        /* of `order` */
	struct anim_map names; /* by IN_FILE, IN_PLACE and IN_SKELETON */
	uint32_t *set;         /* another node of its skeleton, or itself. GLTF_NONE: it is not a bone */
	uint32_t *depth;
	uint32_t *skeleton;   /* of the first node of a set: the place of the skeleton, or GLTF_NONE */
	uint32_t *attachment; /* of a bone: the place of its attachment, or GLTF_NONE */
	uint32_t *visited;    /* the last skin that visited it */
	uint64_t steps;       /* so far, of all skins */
};

static struct gltf_node *node_of(const struct importer *importer, uint32_t number)
{
	return gltf_node_at(importer->asset, number);
}

static struct gltf_place *place_at(const struct importer *importer, uint32_t number)
{
	return GLTF_AT(importer->asset, places, struct gltf_place, number);
}

/* Return `count` times GLTF_NONE, in the arena of the asset, or NULL if out of memory. */
static uint32_t *make_numbers(const struct importer *importer, uint32_t count)
{
	uint32_t *numbers =
	    anim_arena_alloc(&importer->asset->arena, ((size_t)count + 1) * sizeof *numbers, importer->error);

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
	return node != GLTF_NONE && importer->set[node] != GLTF_NONE;
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
static int take_skin(struct importer *importer, uint32_t skin, struct anim_buffer *tops)
{
	struct gltf_run run = GLTF_AT(importer->asset, skins, struct gltf_skin, skin)->joints;
	const uint32_t *joints = GLTF_AT(importer->asset, joints, uint32_t, run.first);
	uint32_t level = UINT32_MAX, first = GLTF_NONE;
	size_t count;
	bool same = false;

	for (uint32_t i = 0; i < run.count; i++)
		level = importer->depth[joints[i]] < level ? importer->depth[joints[i]] : level;
	tops->size = 0;
	for (uint32_t i = 0; i < run.count; i++) {
		uint32_t node = joints[i];
		bool is_new;

		if (importer->depth[node] == UINT32_MAX) /* it is not in the tree */
			continue;
		first = first == GLTF_NONE ? node : first;
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
 * Below a bone, the nodes above a joint of any skin become bones. Skeletons that touch become one, and so do skeletons
 * that are siblings. Returns 0 or -1.
 */
static int join_skeletons(struct importer *importer)
{
	uint32_t all = gltf_node_count(importer->asset), *tops = make_numbers(importer, all + 1);
	bool *leads = anim_zeroed((size_t)all + 1, importer->error);

	for (uint32_t i = importer->count; i-- > 0 && leads != NULL && tops != NULL;) {
		const struct gltf_node *node = node_of(importer, importer->order[i]);

		leads[importer->order[i]] |= node->is_joint;
		if (leads[importer->order[i]] && node->parent != GLTF_NONE)
			leads[node->parent] = true;
	}
	for (uint32_t i = 0; i < importer->count && leads != NULL && tops != NULL; i++) {
		uint32_t node = importer->order[i], parent = node_of(importer, node)->parent,
			 *top = &tops[parent == GLTF_NONE ? all : parent];

		if (!is_bone(importer, node) && leads[node] && is_bone(importer, parent))
			importer->set[node] = node;
		if (!is_bone(importer, node))
			continue;
		if (is_bone(importer, parent))
			join(importer, node, parent);
		else if (*top != GLTF_NONE)
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
	char *copy = anim_arena_text(&importer->asset->arena, name, strlen(name), importer->error);

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
			own = anim_arena_printf(&importer->asset->arena, error, "%s%s%u", name, between,
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
	if (unique(importer, IN_FILE, "Skeleton3D") == NULL)
		return -1;
	for (uint32_t i = 0; i < gltf_node_count(importer->asset); i++) {
		struct gltf_node *node = node_of(importer, i);
		const char *name = node->name;

		if (is_bone(importer, i))
			continue;
		if (name == NULL || name[0] == '\0')
			name = node->mesh != GLTF_NONE ? "Mesh" : node->camera != GLTF_NONE ? "Camera" : "Node";
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

static int compare_numbers(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

	return (one > other) - (one < other);
}

/* Push the nodes that are bones on the stack, the last in the order of the file first. Returns 0 or -1. */
static int push_sorted(struct importer *importer, const uint32_t *nodes, uint32_t count, struct anim_buffer *stack)
{
	size_t start = stack->size;
	uint32_t *pushed;

	for (uint32_t i = 0; i < count; i++)
		if (is_bone(importer, nodes[i]) &&
		    anim_buffer_append(stack, &nodes[i], sizeof *nodes, importer->error) != 0)
			return -1;
	pushed = (uint32_t *)(void *)(stack->data + start);
	count = (uint32_t)((stack->size - start) / sizeof *pushed);
	if (count > 1)
		qsort(pushed, count, sizeof *pushed, compare_numbers);
	for (uint32_t i = 0; i < count / 2; i++) {
		uint32_t other = pushed[count - 1 - i];

		pushed[count - 1 - i] = pushed[i];
		pushed[i] = other;
	}
	return 0;
}

/* Name the bones: skeleton by skeleton, each from its top down. Returns 0 or -1. */
static int name_bones(struct importer *importer)
{
	struct anim_buffer tops = {0}, stack = {0};
	int result = 0;

	/* Sets have the number of their first node. Each has its tops in the order of the file. */
	for (uint32_t i = 0; i < gltf_node_count(importer->asset) && result == 0; i++) {
		const struct gltf_node *node = node_of(importer, i);
		uint64_t key = is_bone(importer, i) ? (uint64_t)first_of(importer, i) << 32 | i : 0;

		if (is_bone(importer, i) && !is_bone(importer, node->parent))
			result = anim_buffer_append(&tops, &key, sizeof key, importer->error);
	}
	if (tops.size > sizeof(uint64_t))
		qsort(tops.data, tops.size / sizeof(uint64_t), sizeof(uint64_t), compare_keys);
	for (size_t i = 0; i < tops.size / sizeof(uint64_t) && result == 0; i++) {
		uint32_t node = (uint32_t)((const uint64_t *)(void *)tops.data)[i];

		result = push_sorted(importer, &node, 1, &stack);
		while (stack.size > 0 && result == 0) {
			struct gltf_node *bone;
			const char *name;

			stack.size -= sizeof node;
			memcpy(&node, stack.data + stack.size, sizeof node);
			bone = node_of(importer, node);
			name = bone->name == NULL || bone->name[0] == '\0' ? "bone" : bone->name;
			bone->imported_name =
			    unique(importer, IN_SKELETON | first_of(importer, node), clean(importer, name, ":/"));
			result = bone->imported_name == NULL
				     ? -1
				     : push_sorted(importer,
						   GLTF_AT(importer->asset, indices, uint32_t, bone->children.first),
						   bone->children.count, &stack);
		}
	}
	anim_buffer_clear(&tops);
	anim_buffer_clear(&stack);
	return result;
}

/* ---- Places ---- */

/*
 * Add a place below `folder`, moved by `above`. The name becomes unique there, as for any new child in Godot. Returns
 * its number, or GLTF_NONE if out of memory.
 */
static uint32_t add_place(struct importer *importer, enum gltf_place_kind kind, uint32_t folder, uint32_t above,
			  const char *name, uint32_t node)
{
	struct gltf_place place = {.name = name, .folder = folder, .above = above, .node = node, .kind = kind};
	uint32_t number = GLTF_COUNT(importer->asset, places, struct gltf_place);

	if (kind != GLTF_PLACE_BONE && folder != GLTF_NONE)
		place.name = unique(importer, IN_PLACE | folder, name);
	if (place.name == NULL ||
	    anim_buffer_append(&importer->asset->places, &place, sizeof place, importer->error) != 0)
		return GLTF_NONE;
	return number;
}

/* Return the attachment of the bone, which is created once, or GLTF_NONE if out of memory. */
static uint32_t attach(struct importer *importer, uint32_t bone)
{
	uint32_t *made = &importer->attachment[bone], place = node_of(importer, bone)->place;

	if (*made == GLTF_NONE)
		*made = add_place(importer, GLTF_PLACE_ATTACHMENT, place_at(importer, place)->folder, place,
				  clean(importer, node_of(importer, bone)->imported_name, ".:@/\"%"), bone);
	return *made;
}

/* Place a bone, and its skeleton before its first bone. A mesh, camera or light of the node becomes a node below it. */
static int place_bone(struct importer *importer, uint32_t number, uint32_t above)
{
	struct gltf_node *node = node_of(importer, number);
	uint32_t *skeleton = &importer->skeleton[first_of(importer, number)], inner;

	if (*skeleton == GLTF_NONE)
		*skeleton = add_place(importer, GLTF_PLACE_SKELETON, above, above, "Skeleton3D", GLTF_NONE);
	if (*skeleton == GLTF_NONE)
		return -1;
	node->place = add_place(importer, GLTF_PLACE_BONE, *skeleton,
				is_bone(importer, node->parent) ? node_of(importer, node->parent)->place : *skeleton,
				node->imported_name, number);
	node->element = node->shapes = *skeleton;
	if (node->place == GLTF_NONE)
		return -1;
	if ((node->mesh == GLTF_NONE || node->skin != GLTF_NONE) && node->camera == GLTF_NONE && !node->is_light)
		return 0;
	inner = attach(importer, number);
	if (inner != GLTF_NONE)
		inner = add_place(importer, GLTF_PLACE_CONTENT, inner, inner,
				  clean(importer, node->imported_name, ".:@/\"%"), number);
	node->element = node->shapes = inner;
	return inner == GLTF_NONE ? -1 : 0;
}

/* Return the place below which a node is added, or GLTF_NONE if out of memory. */
static uint32_t parent_place(struct importer *importer, const struct gltf_node *node)
{
	const struct gltf_node *parent;

	if (node->parent == GLTF_NONE)
		return 0;
	parent = node_of(importer, node->parent);
	if (!is_bone(importer, node->parent) || place_at(importer, parent->element)->kind == GLTF_PLACE_CONTENT)
		return parent->element;
	return attach(importer, node->parent);
}

/*
 * Place a node that is not a bone. A mesh with a skin is placed later, below its skeleton. If it has children, they
 * stay below a node without the mesh.
 */
static int place_node(struct importer *importer, uint32_t number)
{
	struct gltf_node *node = node_of(importer, number);
	uint32_t above;

	if (gltf_is_skinned(node) && node->children.count == 0)
		return 0;
	above = parent_place(importer, node);
	if (above != GLTF_NONE)
		node->place = add_place(importer, GLTF_PLACE_NODE, above, above, node->imported_name, number);
	node->element = node->shapes = node->place;
	return node->place == GLTF_NONE ? -1 : 0;
}

/* Place the meshes with skins. One without joints stays at its node. */
static int place_skinned(struct importer *importer)
{
	for (uint32_t i = 0; i < gltf_node_count(importer->asset); i++) {
		struct gltf_node *node = node_of(importer, i);
		const struct gltf_skin *skin;
		uint32_t joint = GLTF_NONE, skeleton = 0;

		if (node->path_name == NULL || !gltf_is_skinned(node))
			continue;
		skin = GLTF_AT(importer->asset, skins, struct gltf_skin, node->skin);
		for (uint32_t k = 0; skin != NULL && k < skin->joints.count && !is_bone(importer, joint); k++)
			joint = *GLTF_AT(importer->asset, joints, uint32_t, skin->joints.first + k);
		if (is_bone(importer, joint))
			skeleton = importer->skeleton[first_of(importer, joint)];
		node->shapes = add_place(importer, GLTF_PLACE_SKINNED, skeleton, skeleton,
					 clean(importer, node->imported_name, ".:@/\"%"), i);
		if (node->shapes == GLTF_NONE)
			return -1;
		if (node->element == GLTF_NONE)
			node->element = node->place = node->shapes;
	}
	return 0;
}

static int place_all(struct importer *importer)
{
	bool single = false;

	for (uint32_t i = 0; i < GLTF_COUNT(importer->asset, used, const char *); i++)
		single |= strcmp(*GLTF_AT(importer->asset, used, const char *, i), "GODOT_single_root") == 0;
	single = single && importer->count > 0 && importer->order[0] == 0 && !is_bone(importer, 0);

	if (add_place(importer, GLTF_PLACE_ROOT, GLTF_NONE, GLTF_NONE, "", single ? 0 : GLTF_NONE) == GLTF_NONE)
		return -1;
	for (uint32_t i = 0; i < importer->count; i++) {
		uint32_t number = importer->order[i], above;
		struct gltf_node *node = node_of(importer, number);
		int result;

		if (single && number == 0) {
			node->place = node->element = node->shapes = 0;
			continue;
		}
		if (!is_bone(importer, number)) {
			result = place_node(importer, number);
		} else {
			above = is_bone(importer, node->parent) ? 0 : parent_place(importer, node);
			result = above == GLTF_NONE ? -1 : place_bone(importer, number, above);
		}
		if (result != 0)
			return -1;
	}
	return place_skinned(importer);
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
	struct gltf_place *place = place_at(importer, number);
	const struct gltf_node *node = node_of(importer, place->node);
	bool is_mesh = node != NULL && node->mesh != GLTF_NONE && node->shapes == number;

	for (size_t i = 0; i < ANIM_COUNT(suffixes); i++) {
		size_t rest, length = before_suffix(place->name, suffixes[i].suffix, &rest);
		const char *name;

		if (length == 0 || (suffixes[i].meshes && !is_mesh))
			continue;
		place->dropped = suffixes[i].drops;
		if (place->dropped)
			return 0;
		name = anim_arena_printf(&importer->asset->arena, importer->error, "%.*s%s", (int)length, place->name,
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

static int apply_suffixes(struct importer *importer)
{
	uint32_t count = GLTF_COUNT(importer->asset, places, struct gltf_place);

	for (uint32_t i = 1; i < count; i++) {
		struct gltf_place *place = place_at(importer, i);

		if (place->kind != GLTF_PLACE_BONE && place->kind != GLTF_PLACE_SKELETON &&
		    apply_suffix(importer, i) != 0)
			return -1;
		place->dropped |= place_at(importer, place->folder)->dropped;
	}
	return 0;
}

/* ---- The whole ---- */

static int make_all(struct importer *importer)
{
	uint32_t all = gltf_node_count(importer->asset);
	struct anim_buffer tops = {0};
	int result;

	importer->set = make_numbers(importer, all);
	importer->depth = make_numbers(importer, all);
	importer->skeleton = make_numbers(importer, all);
	importer->attachment = make_numbers(importer, all);
	importer->visited = make_numbers(importer, all);
	if (importer->set == NULL || importer->depth == NULL || importer->skeleton == NULL ||
	    importer->attachment == NULL || importer->visited == NULL)
		return -1;
	for (uint32_t i = 0; i < importer->count; i++) {
		uint32_t parent = node_of(importer, importer->order[i])->parent;

		importer->depth[importer->order[i]] = parent == GLTF_NONE ? 0 : importer->depth[parent] + 1;
	}
	for (uint32_t i = 0; i < all; i++)
		node_of(importer, i)->place = node_of(importer, i)->element = node_of(importer, i)->shapes = GLTF_NONE;
	result = 0;
	for (uint32_t i = 0; i < GLTF_COUNT(importer->asset, skins, struct gltf_skin) && result == 0; i++)
		result = take_skin(importer, i, &tops);
	anim_buffer_clear(&tops);
	if (result != 0 || join_skeletons(importer) != 0 || name_nodes(importer) != 0 || name_bones(importer) != 0)
		return -1;
	return place_all(importer) != 0 ? -1 : apply_suffixes(importer);
}

int gltf_imported_make(struct gltf_asset *asset, const uint32_t *order, uint32_t count, struct anim_error *error)
{
	struct importer importer = {.asset = asset, .error = error, .order = order, .count = count};
	int result = make_all(&importer);

	anim_map_clear(&importer.names);
	return result;
}
