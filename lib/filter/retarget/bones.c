/* bones.c: skeletons as they are read, and the partners of their bones: by a map, by names of humanoids, by equal names. */
#include <string.h>

#include "base/text.h"
#include "filter/filter.h"
#include "filter/retarget/internal.h"

#define LISTED 6 /* names in a message */

/* ---- A tree that is read ---- */

void anim_skeleton_init(struct anim_skeleton *skeleton)
{
	memset(skeleton, 0, sizeof *skeleton);
	anim_poses_init(&skeleton->poses, 0);
}

void anim_skeleton_clear(struct anim_skeleton *skeleton)
{
	anim_poses_clear(&skeleton->poses);
	anim_buffer_clear(&skeleton->names);
	anim_store_free(skeleton->records);
	anim_arena_clear(&skeleton->arena);
	anim_skeleton_init(skeleton);
}

struct skeleton_sink {
	struct anim_sink sink;
	struct anim_skeleton *skeleton;
	uint32_t first;        /* of the tree at hand */
	const char *root_name; /* of that tree, in the skeleton's arena */
};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct skeleton_sink *s = (struct skeleton_sink *)sink;
	struct anim_skeleton *skeleton = s->skeleton;

	skeleton->trees++;
	skeleton->poses.axes = tree->axes;
	s->first = (uint32_t)anim_poses_count(&skeleton->poses);
	s->root_name = anim_arena_text(&skeleton->arena, tree->root_name, strlen(tree->root_name), error);
	if (s->root_name == NULL)
		return -1;
	return skeleton->records == NULL ? 0 : anim_sink_tree(anim_store_sink(skeleton->records), tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct skeleton_sink *s = (struct skeleton_sink *)sink;
	struct anim_skeleton *skeleton = s->skeleton;
	struct anim_skeleton_name name = {.own = strcmp(node->path, ".") == 0 ? s->root_name : NULL,
					  .vrm = anim_attrs_get(&node->attrs, "gltf.vrm"),
					  .kind = (enum anim_node_kind)node->kind};
	struct anim_node own = *node;

	if (own.parent != ANIM_NO_PARENT)
		own.parent += s->first;
	if (anim_poses_add(&skeleton->poses, &own, error) != 0 ||
	    (name.vrm != NULL && anim_text_keep(&name.vrm, &skeleton->arena, error) != 0) ||
	    anim_buffer_append(&skeleton->names, &name, sizeof name, error) != 0)
		return -1;
	return skeleton->records == NULL ? 0 : anim_sink_node(anim_store_sink(skeleton->records), node, error);
}

struct anim_sink *anim_skeleton_sink_new(struct anim_skeleton *skeleton, bool records, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.tree = on_tree, .node = on_node};
	struct skeleton_sink *sink = anim_sink_new(sizeof *sink, &ops, error);

	if (sink != NULL && records && (skeleton->records = anim_store_new(0, error)) == NULL) {
		anim_sink_free(&sink->sink);
		return NULL;
	}
	if (sink == NULL)
		return NULL;
	sink->skeleton = skeleton;
	return &sink->sink;
}

/* ---- Ways through a tree ---- */

static uint32_t parent_of(const struct retarget_side *side, uint32_t node)
{
	return anim_poses_parent(&side->skeleton->poses, node);
}

static const char *path_of(const struct retarget_side *side, uint32_t node)
{
	return anim_poses_path(&side->skeleton->poses, node);
}

const struct anim_skeleton_name *retarget_name_of(const struct retarget_side *side, uint32_t node)
{
	return (const struct anim_skeleton_name *)(const void *)side->skeleton->names.data + node;
}

const char *retarget_own_name(const struct retarget_side *side, uint32_t node)
{
	const char *name = retarget_name_of(side, node)->own;

	return name != NULL ? name : anim_node_own_name(path_of(side, node));
}

uint32_t retarget_above(const struct retarget_side *side, uint32_t node)
{
	do
		node = parent_of(side, node);
	while (node != ANIM_POSE_NONE && side->nodes[node].partner == ANIM_POSE_NONE);
	return node;
}

bool retarget_is_below(const struct retarget_side *side, uint32_t node, uint32_t above)
{
	while (node != ANIM_POSE_NONE && node != above)
		node = parent_of(side, node);
	return node == above;
}

/* ---- Partners ---- */

static void join(struct retarget_plan *plan, uint32_t from, uint32_t to)
{
	plan->from.nodes[from].partner = to;
	plan->to.nodes[to].partner = from;
}

static bool is_free(const struct retarget_plan *plan, uint32_t from, uint32_t to)
{
	return plan->from.nodes[from].partner == ANIM_POSE_NONE && !plan->from.nodes[from].given &&
	       plan->to.nodes[to].partner == ANIM_POSE_NONE;
}

/*
 * The node of the target by its path or, where it is the only one of it, its name; its root by that, too. Beside a skeleton
 * stand meshes that are called like its bones: a mere name is a bone's first.
 */
static uint32_t find_target(const struct retarget_plan *plan, const char *name)
{
	struct anim_poses *poses = &plan->to.skeleton->poses;
	const struct anim_rest *rest = anim_rests_find(&poses->rests, ".", name), *bone = NULL;

	if (strchr(name, '/') == NULL && (rest == NULL || rest->kind != ANIM_NODE_BONE))
		bone = anim_rests_find_bone(&poses->rests, name);
	if (bone != NULL)
		rest = bone;
	if (rest == NULL)
		rest = anim_rests_find_name(&poses->rests, name);
	if (rest == NULL && plan->to.count > 0 && strcmp(retarget_own_name(&plan->to, 0), name) == 0)
		return 0;
	return rest == NULL ? ANIM_POSE_NONE : (uint32_t)(rest - poses->rests.items);
}

/* What the map says of the node; NULL: nothing. */
static const char *look_up(const struct retarget_plan *plan, uint32_t node)
{
	struct anim_rename_map *map = plan->options->map;
	const char *path = path_of(&plan->from, node), *name = retarget_own_name(&plan->from, node);
	const char *found = anim_rename_map_get_path(map, path, strlen(path));

	if (found == NULL) { /* names may hold a ':' */
		const char *slash = strrchr(path, '/');

		slash = slash == NULL ? path : slash + 1;
		found = anim_rename_map_get(map, slash, strlen(slash));
	}
	return found != NULL ? found : anim_rename_map_get(map, name, strlen(name));
}

/* What stands beside a bone and is called like it was not meant where the bone has the partner. */
static bool is_namesake(const struct retarget_plan *plan, uint32_t node, uint32_t to)
{
	uint32_t other = to == ANIM_POSE_NONE ? ANIM_POSE_NONE : plan->to.nodes[to].partner;

	return other != ANIM_POSE_NONE && retarget_name_of(&plan->from, node)->kind != ANIM_NODE_BONE &&
	       retarget_name_of(&plan->from, other)->kind == ANIM_NODE_BONE &&
	       strcmp(retarget_own_name(&plan->from, node), retarget_own_name(&plan->from, other)) == 0;
}

static int join_mapped_node(struct retarget_plan *plan, uint32_t node, struct anim_error *error)
{
	struct anim_diagnostics *told = plan->options->diagnostics;
	const char *name = look_up(plan, node);
	uint32_t to = name == NULL ? ANIM_POSE_NONE : find_target(plan, name);

	plan->from.nodes[node].given = name != NULL;
	if (name == NULL || is_namesake(plan, node, to))
		return 0;
	if (to != ANIM_POSE_NONE && plan->to.nodes[to].partner == ANIM_POSE_NONE) {
		join(plan, node, to);
		return 0;
	}
	if (anim_diagnostics_warn(told, "names of the map are no bones of the target, or taken", error,
				  "'%s' of the map is no bone of the target, or taken", name) != 0)
		return -1;
	return anim_diagnostics_name(told, error, "%s", name);
}

/* Bones first. */
static int join_mapped(struct retarget_plan *plan, struct anim_error *error)
{
	for (int bones = 1; bones >= 0 && plan->options->map != NULL; bones--)
		for (uint32_t n = 0; n < plan->from.count; n++)
			if ((retarget_name_of(&plan->from, n)->kind == ANIM_NODE_BONE) == bones &&
			    join_mapped_node(plan, n, error) != 0)
				return -1;
	return 0;
}

/* Of chains of different lengths first with first, last with last; a single bone of the source goes with the first of several. */
static void join_chain(struct retarget_plan *plan, const struct retarget_chain *from, const struct retarget_chain *to)
{
	const struct retarget_chain *longer = from->count > to->count ? from : to;
	size_t few = from->count < to->count ? from->count : to->count;

	for (size_t i = 0; i < few; i++) {
		size_t far = few > 1 ? (2 * i * (longer->count - 1) + few - 1) / (2 * (few - 1))
				     : (longer == from ? from->count - 1 : 0);
		uint32_t a = from->nodes[longer == from ? far : i], b = to->nodes[longer == from ? i : far];

		if (is_free(plan, a, b))
			join(plan, a, b);
	}
}

static void join_humans(struct retarget_plan *plan)
{
	join_chain(plan, &plan->from.spine, &plan->to.spine);
	join_chain(plan, &plan->from.neck, &plan->to.neck);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		uint32_t from = plan->from.bones[b], to = plan->to.bones[b];

		if (from != ANIM_POSE_NONE && to != ANIM_POSE_NONE && is_free(plan, from, to))
			join(plan, from, to);
	}
}

/* What both sides call a bone of a human is none by its mere name, for namings share words that mean other bones. */
static bool has_meaning(const struct retarget_plan *plan, uint32_t from, uint32_t to)
{
	return plan->from.human && plan->to.human &&
	       (plan->from.nodes[from].bone != NULL || plan->to.nodes[to].bone != NULL);
}

/* The own names of a side's nodes; ANIM_POSE_NONE is the number of one that several have. 0 or -1. */
static int list_names(const struct retarget_side *side, struct anim_map *names, struct anim_error *error)
{
	for (uint32_t n = 0, other; n < side->count; n++) {
		const char *name = retarget_own_name(side, n);
		size_t length = strlen(name);
		bool known = anim_map_get(names, 0, name, length, &other);

		if (anim_map_put(names, 0, name, length, known ? ANIM_POSE_NONE : n, error) != 0)
			return -1;
	}
	return 0;
}

/* The node of the same name in Godot's spelling. */
static uint32_t find_spelled(const struct retarget_plan *plan, uint32_t node)
{
	struct anim_rests *from = &plan->from.skeleton->poses.rests, *to = &plan->to.skeleton->poses.rests;
	const struct anim_rest *other = anim_rests_find_name(to, from->items[node].path);

	return other == NULL || anim_rests_find_name(from, other->path) != &from->items[node]
		   ? ANIM_POSE_NONE
		   : (uint32_t)(other - to->items);
}

/* The node of the same path, else of the same name, where no other has it on either side; ANIM_POSE_NONE: there is none. */
static uint32_t find_equal(const struct retarget_plan *plan, uint32_t node, const struct anim_map names[2])
{
	const char *path = path_of(&plan->from, node), *name = retarget_own_name(&plan->from, node);
	uint32_t to = anim_poses_find(&plan->to.skeleton->poses, ".", path), only;

	if (to == ANIM_POSE_NONE && anim_map_get(&names[0], 0, name, strlen(name), &only) && only == node &&
	    anim_map_get(&names[1], 0, name, strlen(name), &only))
		to = only;
	return to != ANIM_POSE_NONE ? to : find_spelled(plan, node);
}

static int join_equal(struct retarget_plan *plan, struct anim_error *error)
{
	struct anim_map names[2] = {{0}};
	int result = list_names(&plan->from, &names[0], error);

	if (result == 0)
		result = list_names(&plan->to, &names[1], error);
	for (uint32_t n = 0; n < plan->from.count && result == 0; n++) {
		uint32_t to = find_equal(plan, n, names);

		if (to != ANIM_POSE_NONE && is_free(plan, n, to) && !has_meaning(plan, n, to))
			join(plan, n, to);
	}
	anim_map_clear(&names[0]);
	anim_map_clear(&names[1]);
	return result;
}

/* A bone below the partner of another than the one above it: its turn is taken for one about that. */
static int check_parents(const struct retarget_plan *plan, struct anim_error *error)
{
	struct anim_diagnostics *told = plan->options->diagnostics;

	for (uint32_t n = 0; n < plan->from.count; n++) {
		uint32_t to = plan->from.nodes[n].partner, above = retarget_above(&plan->from, n);

		if (to == ANIM_POSE_NONE || above == ANIM_POSE_NONE ||
		    retarget_is_below(&plan->to, to, plan->from.nodes[above].partner))
			continue;
		if (anim_diagnostics_warn(told, "bones hang on other bones in the target, and turn with those instead",
					  error,
					  "'%s' hangs on another bone in the target than on the partner of '%s', and "
					  "turns with that instead",
					  path_of(&plan->to, to), path_of(&plan->from, above)) != 0 ||
		    anim_diagnostics_name(told, error, "%s", anim_node_own_name(path_of(&plan->to, to))) != 0)
			return -1;
	}
	return 0;
}

/* ---- Main bones ---- */

static bool has_partner(const struct retarget_side *side, uint32_t node)
{
	return node == ANIM_POSE_NONE || side->nodes[node].partner != ANIM_POSE_NONE;
}

static bool has_joined(const struct retarget_side *side, const struct retarget_chain *chain)
{
	for (size_t i = 0; i < chain->count; i++)
		if (has_partner(side, chain->nodes[i]))
			return true;
	return chain->count == 0;
}

/* Hips, spine, arms and legs with their hands and feet: without one of these a human moves wrongly. */
static bool is_main(unsigned bone)
{
	return bone <= ANIM_BONE_SPINE || (bone >= ANIM_BONE_UPPER_ARM && bone < ANIM_BONE_TOES);
}

/* The side's main bones without a partner, as a list in the arena; "" where there are none. NULL on failure. */
static const char *list_lonely(struct retarget_plan *plan, const struct retarget_side *side, struct anim_error *error)
{
	const char *list = "";
	unsigned count = 0;

	for (unsigned b = 0; b < ANIM_HUMAN_BONES && side->human && list != NULL; b++) {
		if (!is_main(b) ||
		    (b == ANIM_BONE_SPINE ? has_joined(side, &side->spine) : has_partner(side, side->bones[b])))
			continue;
		if (++count <= LISTED)
			list = anim_arena_printf(&plan->arena, error, "%s%s'%.40s'", list, count > 1 ? ", " : "",
						 retarget_own_name(side, side->bones[b]));
	}
	return count <= LISTED || list == NULL
		   ? list
		   : anim_arena_printf(&plan->arena, error, "%s and %u more", list, count - LISTED);
}

static int check_main(struct retarget_plan *plan, struct anim_error *error)
{
	const char *from = list_lonely(plan, &plan->from, error), *to = list_lonely(plan, &plan->to, error);

	if (from == NULL || to == NULL)
		return -1;
	if (plan->options->partial || (from[0] == '\0' && to[0] == '\0'))
		return 0;
	return anim_fail(error, ANIM_UNSUPPORTED,
			 "main bones have no partner: %s%s%s%s%s; pair them with --map FILE, or use --partial", from,
			 from[0] != '\0' ? " of the clip's skeleton" : "", from[0] != '\0' && to[0] != '\0' ? "; " : "",
			 to, to[0] != '\0' ? " of the target" : "");
}

int retarget_find_partners(struct retarget_plan *plan, struct anim_error *error)
{
	uint32_t joined = 0;

	if (retarget_name_bones(&plan->from, &plan->arena, error) != 0 ||
	    retarget_name_bones(&plan->to, &plan->arena, error) != 0 || join_mapped(plan, error) != 0)
		return -1;
	if (plan->from.human && plan->to.human)
		join_humans(plan);
	if (join_equal(plan, error) != 0 || anim_rests_check(&plan->from.skeleton->poses.rests, error) != 0 ||
	    anim_rests_check(&plan->to.skeleton->poses.rests, error) != 0)
		return -1;
	for (uint32_t n = 0; n < plan->from.count; n++)
		joined += plan->from.nodes[n].partner != ANIM_POSE_NONE &&
			  (parent_of(&plan->from, n) != ANIM_POSE_NONE || plan->from.nodes[n].given ||
			   plan->from.nodes[n].bone != NULL || plan->from.count == 1);
	if (joined == 0)
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "no bone of the clip's skeleton is one of the target's by its name; --map FILE says which are");
	return check_main(plan, error) != 0 ? -1 : check_parents(plan, error);
}
