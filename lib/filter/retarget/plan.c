/* plan.c: two skeletons side by side: the bones of humans, partners, and what rests make of a track. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "filter/filter.h"
#include "filter/retarget/internal.h"
#include "math/elementary.h"
#include "math/quaternion.h"

struct anim_skeleton_name {
	const char *own; /* of a tree's root, whose path says nothing; NULL: what the path ends with */
	const char *vrm; /* what a VRM animation calls the node; NULL: nothing */
	enum anim_node_kind kind;
};

#define NONE ANIM_HUMAN_BONES /* of bones */

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

static const struct anim_skeleton_name *name_of(const struct retarget_side *side, uint32_t node)
{
	return (const struct anim_skeleton_name *)(const void *)side->skeleton->names.data + node;
}

static const char *own_name(const struct retarget_side *side, uint32_t node)
{
	const char *name = name_of(side, node)->own;

	return name != NULL ? name : anim_node_own_name(path_of(side, node));
}

enum anim_human_bone retarget_bone(const struct retarget_side *side, const struct retarget_side *other, uint32_t node)
{
	const struct retarget_node *own = &side->nodes[node];

	return own->bone == NONE && own->partner != ANIM_POSE_NONE ? other->nodes[own->partner].bone : own->bone;
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

/* ======== Which nodes of a tree are the bones of a human ======== */

#define HUMAN 5    /* bones that must be known */
#define WAY 64     /* nodes: so far above a bone of a limb the one before it is looked for */
#define PREFIXES 8 /* words that a prefix may have */

/* What is found out about one tree, by its nodes. */
struct naming {
	const struct retarget_side *side;
	struct anim_bone_guess *guesses;
	enum anim_human_bone *bones; /* what each node is; NONE */
	bool *above;                 /* of the doubtful: the lower one of its two hangs on it, so it is the upper one */
};

/* The nearest node above that is this bone; ANIM_POSE_NONE: none is near. */
static uint32_t find_above(const struct naming *naming, uint32_t node, enum anim_human_bone bone)
{
	for (int i = 0; i < WAY && node != ANIM_POSE_NONE; i++) {
		node = parent_of(naming->side, node);
		if (node != ANIM_POSE_NONE && naming->bones[node] == bone)
			return node;
	}
	return ANIM_POSE_NONE;
}

/* ---- Names ---- */

/*
 * The text that most names of bones begin with, in plain form, as "mixamorig" or "bip01"; of several the shortest. In the
 * arena; NULL on failure.
 */
static const char *find_prefix(const struct retarget_side *side, struct anim_arena *arena, struct anim_error *error)
{
	struct anim_map votes = {0};
	const char *best = "", *text = best;
	uint32_t most = 0;

	for (uint32_t n = 0; n < side->count && text != NULL; n++) {
		struct anim_bone_guess guess;
		struct anim_plain_name name;
		unsigned words = 0;

		if (!anim_plain_name(&name, own_name(side, n)))
			continue;
		for (size_t i = 0; i < name.length && words < PREFIXES && text != NULL; i++) {
			uint32_t count = 0;

			if ((name.begins >> i & 1) == 0 || (words++, !anim_bone_guess(&guess, &name, i)))
				continue;
			text = anim_arena_text(arena, name.text, i, error);
			anim_map_get(&votes, 0, name.text, i, &count);
			if (text == NULL || anim_map_put(&votes, 0, text, i, ++count, error) != 0)
				text = NULL;
			else if (count > most || (count == most && i < strlen(best))) {
				most = count;
				best = text;
			}
		}
	}
	anim_map_clear(&votes);
	return text == NULL ? NULL : best;
}

/* What a VRM animation or model says of its nodes goes before their names. */
static bool guess_told(struct naming *naming)
{
	bool told = false;

	for (uint32_t n = 0; n < naming->side->count; n++) {
		const char *vrm = name_of(naming->side, n)->vrm;
		const char *bone =
		    vrm == NULL ? NULL : anim_humanoid_find(ANIM_HUMANOID_VRM, ANIM_HUMANOID_UNITY, vrm, strlen(vrm));

		naming->bones[n] = NONE;
		for (unsigned b = 0; b < ANIM_HUMAN_BONES && bone != NULL; b++)
			if (strcmp(anim_human_bone_name((enum anim_human_bone)b), bone) == 0)
				naming->bones[n] = (enum anim_human_bone)b;
		told |= vrm != NULL;
	}
	return told;
}

/* Those whose names mean one bone only, and what they make of others above. */
static int guess_names(struct naming *naming, struct anim_arena *arena, struct anim_error *error)
{
	const char *prefix = find_prefix(naming->side, arena, error);
	size_t length = prefix == NULL ? 0 : strlen(prefix);

	for (uint32_t n = 0; n < naming->side->count && prefix != NULL; n++) {
		struct anim_bone_guess *guess = &naming->guesses[n];
		struct anim_plain_name name;

		naming->bones[n] = NONE;
		if (!anim_plain_name(&name, own_name(naming->side, n)) || name.length <= length ||
		    memcmp(name.text, prefix, length) != 0 || !anim_bone_guess(guess, &name, length))
			continue;
		if (guess->doubtful)
			continue;
		naming->bones[n] = guess->bones[0];
		for (uint32_t i = 0, up = parent_of(naming->side, n); i < WAY && up != ANIM_POSE_NONE;
		     i++, up = parent_of(naming->side, up))
			naming->above[up] |=
			    naming->guesses[up].doubtful && naming->guesses[up].bones[1] == naming->bones[n];
	}
	return prefix == NULL ? -1 : 0;
}

/* "LeftShoulder" is the upper arm below a collar bone, and the collar bone above an upper arm. */
static void settle_doubts(struct naming *naming)
{
	for (uint32_t n = 0; n < naming->side->count; n++) {
		const struct anim_bone_guess *guess = &naming->guesses[n];
		bool lower = guess->lower;

		if (!guess->doubtful)
			continue;
		if (find_above(naming, n, guess->bones[0]) != ANIM_POSE_NONE)
			lower = true;
		else if (naming->above[n])
			lower = false;
		naming->bones[n] = guess->bones[lower];
	}
}

/* ---- Limbs ---- */

/* What a bone of a limb hangs on; NONE: on the trunk. */
static enum anim_human_bone bone_before(enum anim_human_bone bone)
{
	bool right = (bone - ANIM_BONE_SHOULDER) % 2 != 0;

	if (bone >= ANIM_BONE_FINGERS && bone < NONE)
		return (enum anim_human_bone)(ANIM_BONE_HAND + right);
	switch (bone - right) {
	case ANIM_BONE_LOWER_ARM:
	case ANIM_BONE_HAND:
	case ANIM_BONE_LOWER_LEG:
	case ANIM_BONE_FOOT:
	case ANIM_BONE_TOES:
		return (enum anim_human_bone)(bone - 2);
	default:
		return NONE;
	}
}

static bool is_joint(const struct retarget_side *side, uint32_t node)
{
	return name_of(side, node)->kind == ANIM_NODE_BONE;
}

/* ---- The trunk ---- */

/* The nearest node that both are, or hang on; of one alone itself. Parents have the lower numbers. */
static uint32_t shared(const struct retarget_side *side, uint32_t a, uint32_t b)
{
	if (a == ANIM_POSE_NONE || b == ANIM_POSE_NONE)
		return a == ANIM_POSE_NONE ? b : a;
	while (a != b && a != ANIM_POSE_NONE && b != ANIM_POSE_NONE)
		if (a > b)
			a = parent_of(side, a);
		else
			b = parent_of(side, b);
	return a == b ? a : ANIM_POSE_NONE;
}

/* What carries both limbs of a kind. */
static uint32_t carrier_of(const struct retarget_side *side, enum anim_human_bone left)
{
	uint32_t a = side->bones[left], b = side->bones[left + 1];

	return a == ANIM_POSE_NONE || b == ANIM_POSE_NONE ? ANIM_POSE_NONE : shared(side, a, b);
}

/*
 * The last node of that name that carries legs and chest; without one what carries them, unless that is the tree's root. A tree
 * without legs has its hips by their name.
 */
static void find_hips(const struct naming *naming, struct retarget_side *side, uint32_t chest)
{
	uint32_t legs = carrier_of(side, ANIM_BONE_UPPER_LEG), hips = ANIM_POSE_NONE;
	uint32_t all = shared(side, legs, chest != ANIM_POSE_NONE ? chest : side->bones[ANIM_BONE_HEAD]);

	if (all == ANIM_POSE_NONE)
		return;
	for (uint32_t n = all; n != ANIM_POSE_NONE && hips == ANIM_POSE_NONE; n = parent_of(side, n))
		if (naming->bones[n] == ANIM_BONE_HIPS)
			hips = n;
	if (hips == ANIM_POSE_NONE && legs != ANIM_POSE_NONE && parent_of(side, all) != ANIM_POSE_NONE)
		hips = all;
	side->bones[ANIM_BONE_HIPS] = hips;
}

/* The nodes from `last` up to below `above`, from above. 0, or -1 out of memory; empty where it does not hang on that. */
static int list_chain(const struct retarget_side *side, uint32_t above, uint32_t last, struct retarget_chain *chain,
		      struct anim_arena *arena, struct anim_error *error)
{
	size_t count = 0;
	uint32_t n;

	for (n = last; n != ANIM_POSE_NONE && n != above; n = parent_of(side, n))
		count++;
	if (last == ANIM_POSE_NONE || n != above || above == ANIM_POSE_NONE)
		return 0;
	chain->nodes = anim_arena_zeroed(arena, count + 1, sizeof *chain->nodes, error);
	if (chain->nodes == NULL)
		return -1;
	chain->count = count;
	for (n = last; n != above; n = parent_of(side, n))
		chain->nodes[--count] = n;
	return 0;
}

/* The spine as Unity has it: the first bone, the last, and one between. */
static void name_spine(struct retarget_side *side)
{
	const struct retarget_chain *spine = &side->spine;

	for (unsigned b = ANIM_BONE_SPINE; b <= ANIM_BONE_UPPER_CHEST; b++)
		side->bones[b] = ANIM_POSE_NONE;
	side->bones[ANIM_BONE_SPINE] = spine->nodes[0];
	if (spine->count > 1)
		side->bones[spine->count == 2 ? ANIM_BONE_CHEST : ANIM_BONE_UPPER_CHEST] =
		    spine->nodes[spine->count - 1];
	if (spine->count > 2)
		side->bones[ANIM_BONE_CHEST] = spine->nodes[(spine->count - 1) / 2];
}

/* Rigify goes on counting the spine to the head: the last bone that is called so above the chest. */
static int find_head(const struct naming *naming, struct retarget_side *side, uint32_t chest, struct anim_arena *arena,
		     struct anim_error *error)
{
	bool *above = anim_arena_zeroed(arena, side->count + 1, sizeof *above, error);

	for (uint32_t n = chest; n < side->count && above != NULL; n++) {
		uint32_t parent = parent_of(side, n);

		above[n] = n == chest || (parent != ANIM_POSE_NONE && above[parent]);
		if (above[n] && n != chest && naming->bones[n] == ANIM_BONE_SPINE)
			side->bones[ANIM_BONE_HEAD] = n;
	}
	return above == NULL ? -1 : 0;
}

/* Spines have any number of bones with any names: they are what is between the hips and what carries the arms, necks likewise. */
static int find_trunk(const struct naming *naming, struct retarget_side *side, struct anim_arena *arena,
		      struct anim_error *error)
{
	uint32_t chest = carrier_of(side, ANIM_BONE_SHOULDER), head, under;

	if (chest == ANIM_POSE_NONE)
		chest = carrier_of(side, ANIM_BONE_UPPER_ARM);
	if (side->bones[ANIM_BONE_HEAD] == ANIM_POSE_NONE && chest != ANIM_POSE_NONE &&
	    find_head(naming, side, chest, arena, error) != 0)
		return -1;
	head = side->bones[ANIM_BONE_HEAD];
	find_hips(naming, side, chest);
	if (side->bones[ANIM_BONE_HIPS] == ANIM_POSE_NONE || chest == ANIM_POSE_NONE)
		return 0;
	under = head == ANIM_POSE_NONE ? ANIM_POSE_NONE : parent_of(side, head);
	if (list_chain(side, side->bones[ANIM_BONE_HIPS], chest, &side->spine, arena, error) != 0 ||
	    list_chain(side, shared(side, chest, under), under, &side->neck, arena, error) != 0)
		return -1;
	if (side->spine.count > 0)
		name_spine(side);
	if (side->neck.count > 0)
		side->bones[ANIM_BONE_NECK] = side->neck.nodes[0];
	return 0;
}

/* What a VRM animation or model says of them. */
static int list_told(struct retarget_side *side, struct anim_arena *arena, struct anim_error *error)
{
	side->spine.nodes = anim_arena_zeroed(arena, 4, sizeof *side->spine.nodes, error);
	for (unsigned b = ANIM_BONE_SPINE; b <= ANIM_BONE_UPPER_CHEST && side->spine.nodes != NULL; b++)
		if (side->bones[b] != ANIM_POSE_NONE)
			side->spine.nodes[side->spine.count++] = side->bones[b];
	return side->spine.nodes == NULL ? -1 : 0;
}

/* ---- All of it ---- */

/* Find the bones of a human in a tree, and mark its nodes with them. 0, or -1 out of memory. */
static int name_bones(struct retarget_side *side, struct anim_arena *arena, struct anim_error *error)
{
	struct naming naming = {.side = side};
	unsigned known = 0;
	bool told;

	naming.guesses = anim_arena_zeroed(arena, side->count + 1, sizeof *naming.guesses, error);
	naming.bones = anim_arena_zeroed(arena, side->count + 1, sizeof *naming.bones, error);
	naming.above = anim_arena_zeroed(arena, side->count + 1, sizeof *naming.above, error);
	if (naming.guesses == NULL || naming.bones == NULL || naming.above == NULL)
		return -1;
	told = guess_told(&naming);
	if (!told) {
		if (guess_names(&naming, arena, error) != 0)
			return -1;
		settle_doubts(&naming);
	}
	/* One node for each bone. One that does not hang on the bone before it is none; bones go before what hangs on them, else the first counts. */
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		side->bones[b] = ANIM_POSE_NONE;
	for (uint32_t n = 0; n < side->count; n++) {
		enum anim_human_bone bone = naming.bones[n], before = bone == NONE ? NONE : bone_before(bone);

		if (before != NONE && find_above(&naming, n, before) == ANIM_POSE_NONE)
			bone = naming.bones[n] = NONE;
		if (bone != NONE &&
		    (side->bones[bone] == ANIM_POSE_NONE || (is_joint(side, n) && !is_joint(side, side->bones[bone]))))
			side->bones[bone] = n;
	}
	if ((told ? list_told(side, arena, error) : find_trunk(&naming, side, arena, error)) != 0)
		return -1;
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		known += side->bones[b] != ANIM_POSE_NONE;
	side->human = told || (known >= HUMAN && side->bones[ANIM_BONE_HIPS] != ANIM_POSE_NONE);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		if (side->human && side->bones[b] != ANIM_POSE_NONE)
			side->nodes[side->bones[b]].bone = (enum anim_human_bone)b;
	return 0;
}

/* ======== The partners of their bones: by a map, by names of humanoids, by equal names ======== */

#define LISTED 6 /* names in a message */

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
	if (rest == NULL && plan->to.count > 0 && strcmp(own_name(&plan->to, 0), name) == 0)
		return 0;
	return rest == NULL ? ANIM_POSE_NONE : (uint32_t)(rest - poses->rests.items);
}

/* What the map says of the node; NULL: nothing. */
static const char *look_up(const struct retarget_plan *plan, uint32_t node)
{
	struct anim_rename_map *map = plan->options->map;
	const char *path = path_of(&plan->from, node), *name = own_name(&plan->from, node);
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

	return other != ANIM_POSE_NONE && name_of(&plan->from, node)->kind != ANIM_NODE_BONE &&
	       name_of(&plan->from, other)->kind == ANIM_NODE_BONE &&
	       strcmp(own_name(&plan->from, node), own_name(&plan->from, other)) == 0;
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

/* The own names of a side's nodes; ANIM_POSE_NONE is the number of one that several have. 0 or -1. */
static int list_names(const struct retarget_side *side, struct anim_map *names, struct anim_error *error)
{
	for (uint32_t n = 0, other; n < side->count; n++) {
		const char *name = own_name(side, n);
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
	const char *path = path_of(&plan->from, node), *name = own_name(&plan->from, node);
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

		if (to == ANIM_POSE_NONE || !is_free(plan, n, to))
			continue;
		/* A bone of a human on either side is none by its mere name: namings share words that mean other bones. */
		if (!(plan->from.human && plan->to.human) ||
		    (plan->from.nodes[n].bone == NONE && plan->to.nodes[to].bone == NONE))
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
						 own_name(side, side->bones[b]));
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

/*
 * Find the partners, and say what the map has and the target has not. 0, or -1 also if no bone has a partner, or main bones of a
 * human lack theirs.
 */
static int find_partners(struct retarget_plan *plan, struct anim_error *error)
{
	uint32_t joined = 0;

	if (name_bones(&plan->from, &plan->arena, error) != 0 || name_bones(&plan->to, &plan->arena, error) != 0)
		return -1;
	/* Bones first. */
	for (int bones = 1; bones >= 0 && plan->options->map != NULL; bones--)
		for (uint32_t n = 0; n < plan->from.count; n++)
			if ((name_of(&plan->from, n)->kind == ANIM_NODE_BONE) == bones &&
			    join_mapped_node(plan, n, error) != 0)
				return -1;
	if (plan->from.human && plan->to.human) {
		join_chain(plan, &plan->from.spine, &plan->to.spine);
		join_chain(plan, &plan->from.neck, &plan->to.neck);
		for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
			uint32_t from = plan->from.bones[b], to = plan->to.bones[b];

			if (from != ANIM_POSE_NONE && to != ANIM_POSE_NONE && is_free(plan, from, to))
				join(plan, from, to);
		}
	}
	if (join_equal(plan, error) != 0 || anim_rests_check(&plan->from.skeleton->poses.rests, error) != 0 ||
	    anim_rests_check(&plan->to.skeleton->poses.rests, error) != 0)
		return -1;
	for (uint32_t n = 0; n < plan->from.count; n++)
		joined += plan->from.nodes[n].partner != ANIM_POSE_NONE &&
			  (parent_of(&plan->from, n) != ANIM_POSE_NONE || plan->from.nodes[n].given ||
			   plan->from.nodes[n].bone != NONE || plan->from.count == 1);
	if (joined == 0)
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "no bone of the clip's skeleton is one of the target's by its name; --map FILE says which are");
	return check_main(plan, error) != 0 ? -1 : check_parents(plan, error);
}

/* ======== Two skeletons at rest, brought into one pose: constant factors ======== */

#define TINY 1e-6 /* of a skeleton's size: bones so short point nowhere */
#define ALIKE_TURN \
	1e-9 /* 1 less the cosine of half a turn: rests that are turned so little against each other are alike */
#define ALIKE_WAY 1e-5 /* of a skeleton's size: likewise the ways between nodes */
#define ALIKE 0.5      /* how far places must go along with each other to tell where a skeleton looks */
#define BESIDE \
	0.1 /* of a bone's length: what hangs so little beside it says nothing of how it is turned about itself */
#define HEIGHTS 0.5      /* of its height above its lowest bone: hips that rest lower than so stand on no ground */
#define UPRIGHT 0.7      /* of a leg: who stands upright has the hips so far above the ankles, at least */
#define NEAR_GROUND 0.05 /* of a leg: ankles that are farther below 0 stand on no ground */
#define ANKLE 0.11       /* of a leg: how high ankles are above the ground where neither skeleton says it */

#define MIDDLE_FINGER (ANIM_BONE_FINGERS + 12) /* the first bone of the left one */

static const double no_turn[4] = {0, 0, 0, 1};

/* ---- Vectors and turns ---- */

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normalize(double q[4])
{
	double length = sqrt(dot(q, q) + q[3] * q[3]);

	for (unsigned i = 0; i < 4; i++)
		q[i] /= length;
}

/* The shortest turn from one direction to the other; of opposite ones about any axis across. */
static void turn_between(double out[4], const double a[3], const double b[3])
{
	double size = sqrt(dot(a, a) * dot(b, b)), cosine = dot(a, b);

	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
	out[3] = size + cosine;
	if (out[3] < 1e-12 * size) {
		bool x = fabs(a[0]) < fabs(a[1]);

		out[0] = x ? 0 : -a[2];
		out[1] = x ? a[2] : 0;
		out[2] = x ? -a[1] : a[0];
		out[3] = 0;
	}
	normalize(out);
}

static double angle_between(const double a[3], const double b[3])
{
	double cosine = dot(a, b) / sqrt(dot(a, a) * dot(b, b));

	return anim_acos(fmin(fmax(cosine, -1), 1));
}

/* ---- Nodes at rest ---- */

static const struct anim_rest *rest_of(const struct retarget_side *side, uint32_t node)
{
	return &side->skeleton->poses.rests.items[node];
}

static void place_of(const struct retarget_side *side, uint32_t node, double out[3])
{
	const double *at = anim_poses_at(&side->skeleton->poses, node, 0);

	for (unsigned i = 0; i < 3; i++)
		out[i] = at[4 * i + 3];
}

static const double *turn_above(const struct retarget_side *side, uint32_t node)
{
	return anim_poses_turn_above(&side->skeleton->poses, side->turns, node);
}

static const double *fix_above(const struct retarget_side *side, uint32_t node)
{
	uint32_t parent = parent_of(side, node);

	return parent == ANIM_POSE_NONE ? no_turn : side->nodes[parent].fix;
}

static int begin_side(struct retarget_plan *plan, struct retarget_side *side, struct anim_skeleton *skeleton,
		      struct anim_error *error)
{
	size_t count = anim_poses_count(&skeleton->poses);

	side->skeleton = skeleton;
	side->count = (uint32_t)count;
	side->nodes = anim_arena_zeroed(&plan->arena, count + 1, sizeof *side->nodes, error);
	anim_poses_begin(&skeleton->poses, 1);
	if (side->nodes == NULL || anim_poses_ready(&skeleton->poses, error) != 0 ||
	    anim_poses_turns(&skeleton->poses, &side->turns, &plan->arena, error) != 0)
		return -1;
	for (uint32_t n = 0; n < count; n++) {
		side->nodes[n].partner = ANIM_POSE_NONE;
		side->nodes[n].bone = NONE;
		memcpy(side->nodes[n].fix, no_turn, sizeof no_turn);
	}
	return 0;
}

/* The box around all nodes, or those with partners. */
static void box_of(const struct retarget_side *side, bool partners, double low[3], double high[3])
{
	double at[3];
	bool any = false;

	for (unsigned i = 0; i < 3; i++)
		low[i] = high[i] = 0;
	for (uint32_t n = 0; n < side->count; n++) {
		if (partners && side->nodes[n].partner == ANIM_POSE_NONE)
			continue;
		place_of(side, n, at);
		for (unsigned i = 0; i < 3; i++) {
			low[i] = any ? fmin(low[i], at[i]) : at[i];
			high[i] = any ? fmax(high[i], at[i]) : at[i];
		}
		any = true;
	}
}

/* Its diagonal. */
static double size_of(const struct retarget_side *side, bool partners)
{
	double low[3], high[3], square = 0;

	box_of(side, partners, low, high);
	for (unsigned i = 0; i < 3; i++)
		square += (high[i] - low[i]) * (high[i] - low[i]);
	return sqrt(square);
}

/* ---- The hips ---- */

/* The source's node whose partner, or itself, is this bone of a human; ANIM_POSE_NONE: there is none. */
static uint32_t find_human(const struct retarget_plan *plan, enum anim_human_bone bone)
{
	for (uint32_t n = 0; n < plan->from.count; n++) {
		const struct retarget_node *node = &plan->from.nodes[n];

		if (node->partner != ANIM_POSE_NONE &&
		    (node->bone == bone || plan->to.nodes[node->partner].bone == bone))
			return n;
	}
	return ANIM_POSE_NONE;
}

/* The one that --hips names, else that of a human; ANIM_POSE_NONE: none is known. */
static int choose_hips(struct retarget_plan *plan, struct anim_error *error)
{
	const char *name = plan->options->hips;
	struct anim_rests *rests = &plan->from.skeleton->poses.rests;
	const struct anim_rest *rest;

	plan->hips = find_human(plan, ANIM_BONE_HIPS);
	if (name == NULL)
		return 0;
	rest = anim_rests_find(rests, ".", name);
	if (rest == NULL)
		rest = anim_rests_find_bone(rests, name);
	if (rest == NULL)
		rest = anim_rests_find_name(rests, name);
	plan->hips = rest == NULL ? ANIM_POSE_NONE : (uint32_t)(rest - rests->items);
	if (rest == NULL || plan->from.nodes[plan->hips].partner == ANIM_POSE_NONE)
		return anim_fail(error, ANIM_UNSUPPORTED, "--hips: '%s' is %s", name,
				 rest == NULL ? "not a bone of the clip's skeleton"
					      : "not a bone of the target; --map FILE pairs it");
	return 0;
}

/* ---- Where the skeletons look ---- */

/* The middle of the places with partners. */
static void find_middle(const struct retarget_side *side, double out[3])
{
	double at[3], count = 0;

	memset(out, 0, 3 * sizeof *out);
	for (uint32_t n = 0; n < side->count; n++) {
		if (side->nodes[n].partner == ANIM_POSE_NONE)
			continue;
		place_of(side, n, at);
		count++;
		for (unsigned i = 0; i < 3; i++)
			out[i] += at[i];
	}
	for (unsigned i = 0; i < 3 && count > 0; i++)
		out[i] /= count;
}

/*
 * Quarter turns about the vertical axis from one to the other: those that bring the places best together, where they go
 * along at all.
 */
static unsigned find_quarters(const struct retarget_plan *plan)
{
	double middle[2][3], a[3], b[3], along = 0, across = 0, sizes[2] = {0};

	find_middle(&plan->from, middle[0]);
	find_middle(&plan->to, middle[1]);
	for (uint32_t n = 0; n < plan->from.count; n++) {
		if (plan->from.nodes[n].partner == ANIM_POSE_NONE)
			continue;
		place_of(&plan->from, n, a);
		place_of(&plan->to, plan->from.nodes[n].partner, b);
		for (unsigned i = 0; i < 3; i++) {
			a[i] -= middle[0][i];
			b[i] -= middle[1][i];
		}
		along += a[0] * b[0] + a[2] * b[2];
		across += b[0] * a[2] - b[2] * a[0];
		sizes[0] += a[0] * a[0] + a[2] * a[2];
		sizes[1] += b[0] * b[0] + b[2] * b[2];
	}
	if (!(sqrt(along * along + across * across) > ALIKE * sqrt(sizes[0] * sizes[1])))
		return 0;
	if (fabs(along) >= fabs(across))
		return along >= 0 ? 0 : 2;
	return across > 0 ? 1 : 3;
}

static int face(struct retarget_plan *plan, struct anim_error *error)
{
	static const double half = 0.70710678118654752440;
	static const double turns[4][4] = {{0, 0, 0, 1}, {0, half, 0, half}, {0, 1, 0, 0}, {0, half, 0, -half}};
	unsigned quarters = find_quarters(plan);

	memcpy(plan->facing, turns[quarters], sizeof plan->facing);
	if (quarters == 0)
		return 0;
	return anim_diagnostics_note(
	    plan->options->diagnostics, "clips were turned, for the target looks elsewhere", error,
	    "the target looks elsewhere at rest: all was turned by %u degrees about the vertical axis",
	    quarters == 3 ? 90 : 90 * quarters);
}

/* ---- One pose ---- */

/* Where a bone points to: the place of a node below it, or the middle of several. */
struct tail {
	double from[3], to[3]; /* sums of places on either side */
	unsigned count;
	bool told;            /* it is the one that counts of several */
	uint32_t child, next; /* bones of the source right below, and beside; ANIM_POSE_NONE: no more */
};

static void point_to(struct tail *tail, const double from[3], const double to[3])
{
	tail->count++;
	for (unsigned i = 0; i < 3; i++) {
		tail->from[i] += from[i];
		tail->to[i] += to[i];
	}
}

/* Of the bones that carry several, the one that they point to. */
static bool is_told(const struct retarget_plan *plan, uint32_t node, uint32_t child)
{
	static const enum anim_human_bone told[][2] = {{ANIM_BONE_SPINE, ANIM_BONE_NECK},
						       {ANIM_BONE_UPPER_CHEST, ANIM_BONE_NECK},
						       {ANIM_BONE_CHEST, ANIM_BONE_NECK},
						       {ANIM_BONE_HAND, MIDDLE_FINGER},
						       {ANIM_BONE_HAND + 1, MIDDLE_FINGER + 1}};
	enum anim_human_bone a = retarget_bone(&plan->to, &plan->from, plan->from.nodes[node].partner);
	enum anim_human_bone b = retarget_bone(&plan->to, &plan->from, plan->from.nodes[child].partner);

	for (unsigned i = 0; i < sizeof told / sizeof *told; i++)
		if (a == told[i][0] && b == told[i][1])
			return true;
	return false;
}

/* The hips of a human point to what carries the arms: the first bone of the spine may be short, and anywhere. */
static void point_hips(const struct retarget_plan *plan, struct tail *tails)
{
	const struct retarget_chain *spine = plan->from.spine.count > 0 ? &plan->from.spine : &plan->to.spine;
	const struct retarget_side *side = spine == &plan->from.spine ? &plan->from : &plan->to;
	double at[2][3];

	for (size_t i = spine->count; i-- > 0 && plan->hips != ANIM_POSE_NONE;) {
		uint32_t node = spine->nodes[i], other = side->nodes[node].partner;

		if (other == ANIM_POSE_NONE)
			continue;
		place_of(side, node, at[side == &plan->to]);
		place_of(side == &plan->to ? &plan->from : &plan->to, other, at[side != &plan->to]);
		tails[plan->hips].count = 0;
		memset(tails[plan->hips].from, 0, sizeof at[0]);
		memset(tails[plan->hips].to, 0, sizeof at[1]);
		point_to(&tails[plan->hips], at[0], at[1]);
		return;
	}
}

/* Adds each bone to the tail of the one above, where that is so on both sides. In the arena, one a node of the source; NULL on failure. */
static struct tail *find_tails(struct retarget_plan *plan, struct anim_error *error)
{
	struct tail *tails = anim_arena_zeroed(&plan->arena, plan->from.count + 1, sizeof *tails, error);

	for (uint32_t n = 0; n < plan->from.count && tails != NULL; n++) {
		uint32_t to = plan->from.nodes[n].partner, above = retarget_above(&plan->from, n);
		struct tail *tail;
		double from_at[3], to_at[3];

		tails[n].child = tails[n].next = ANIM_POSE_NONE;
		if (to == ANIM_POSE_NONE || above == ANIM_POSE_NONE ||
		    retarget_above(&plan->to, to) != plan->from.nodes[above].partner)
			continue;
		tail = &tails[above];
		tails[n].next = tail->child;
		tail->child = n;
		if (tail->told)
			continue;
		if (is_told(plan, above, n)) {
			tail->told = true;
			tail->count = 0;
			memset(tail->from, 0, sizeof tail->from);
			memset(tail->to, 0, sizeof tail->to);
		}
		place_of(&plan->from, n, from_at);
		place_of(&plan->to, to, to_at);
		point_to(tail, from_at, to_at);
	}
	if (tails != NULL)
		point_hips(plan, tails);
	return tails;
}

/* Where the bone and its partner point, in the target's space. False where one points nowhere. */
static bool directions(const struct retarget_plan *plan, uint32_t node, const struct tail *tail, const double sizes[2],
		       double from[3], double to[3])
{
	double heads[2][3];

	place_of(&plan->from, node, heads[0]);
	place_of(&plan->to, plan->from.nodes[node].partner, heads[1]);
	for (unsigned i = 0; i < 3; i++) {
		from[i] = tail->from[i] / tail->count - heads[0][i];
		to[i] = tail->to[i] / tail->count - heads[1][i];
	}
	anim_quat_rotate_double(from, plan->facing, from);
	return sqrt(dot(from, from)) > TINY * sizes[0] && sqrt(dot(to, to)) > TINY * sizes[1];
}

/*
 * True for what stands above a skeleton and says where in its scene that is: in a tree that tells its bones all nodes that are
 * none, else the root; but what the map or a naming of humans calls a bone is one.
 */
static bool is_scene(const struct retarget_plan *plan, uint32_t to, bool has_joints)
{
	const struct retarget_node *node = &plan->to.nodes[to];

	if (node->bone != NONE || plan->from.nodes[node->partner].given || is_joint(&plan->to, to))
		return false;
	return has_joints || parent_of(&plan->to, to) == ANIM_POSE_NONE;
}

/* What of the way between two places lies across an axis of length 1. */
static void across_axis(double out[3], const double axis[3], const double head[3], const double tail[3])
{
	double along = 0;

	for (unsigned i = 0; i < 3; i++)
		along += axis[i] * (tail[i] - head[i]);
	for (unsigned i = 0; i < 3; i++)
		out[i] = tail[i] - head[i] - along * axis[i];
}

/*
 * The angle about where a bone points that brings what else hangs on it, the legs or the shoulders, closest to the source's
 * places. 0 where too little hangs beside the axis, or not alike.
 */
static double find_twist(const struct retarget_plan *plan, uint32_t node, const struct tail *tails,
			 const double from[3])
{
	uint32_t to = plan->from.nodes[node].partner;
	double size = sqrt(dot(from, from)), axis[3], back[4], own[3], heads[2][3], at[3], u[3], v[3];
	double along = 0, across = 0, sizes[2] = {0};

	anim_quat_conjugate_double(back, plan->facing);
	for (unsigned i = 0; i < 3; i++)
		axis[i] = from[i] / size;
	anim_quat_rotate_double(own, back, axis);
	place_of(&plan->from, node, heads[0]);
	place_of(&plan->to, to, heads[1]);
	for (uint32_t n = tails[node].child; n != ANIM_POSE_NONE; n = tails[n].next) {
		place_of(&plan->from, n, at);
		across_axis(u, own, heads[0], at);
		anim_quat_rotate_double(u, plan->facing, u);
		place_of(&plan->to, plan->from.nodes[n].partner, at);
		for (unsigned i = 0; i < 3; i++)
			at[i] -= heads[1][i];
		anim_quat_rotate_double(at, plan->to.nodes[to].fix, at);
		across_axis(v, axis, (const double[3]){0}, at);
		along += dot(u, v);
		for (unsigned i = 0; i < 3; i++)
			across += axis[i] * (v[(i + 1) % 3] * u[(i + 2) % 3] - v[(i + 2) % 3] * u[(i + 1) % 3]);
		sizes[0] += dot(u, u);
		sizes[1] += dot(v, v);
	}
	if (!(sqrt(sizes[0]) > BESIDE * size) ||
	    !(sqrt(along * along + across * across) > ALIKE * sqrt(sizes[0] * sizes[1])))
		return 0;
	return anim_atan2(across, along);
}

/* Turns the node about the axis. */
static void twist(struct retarget_node *node, const double axis[3], double angle)
{
	double size = sqrt(dot(axis, axis)), sine = anim_sin(angle / 2), way[4] = {0, 0, 0, anim_cos(angle / 2)};

	for (unsigned i = 0; i < 3; i++)
		way[i] = axis[i] / size * sine;
	anim_quat_multiply_double(node->fix, way, node->fix);
	normalize(node->fix);
}

/* Thighs, shins, upper arms and forearms are straight ways from joint to joint; elsewhere skeletons only place joints differently. */
static bool is_limb(const struct retarget_plan *plan, uint32_t to)
{
	enum anim_human_bone bone = retarget_bone(&plan->to, &plan->from, to);

	return (bone >= ANIM_BONE_UPPER_ARM && bone < ANIM_BONE_HAND) ||
	       (bone >= ANIM_BONE_UPPER_LEG && bone < ANIM_BONE_FOOT);
}

/*
 * As Godot's importer does it: from the root down each bone of the target is turned by the shortest way to where its partner
 * points, if it points elsewhere by more than the limit; what is below goes along. What is above the skeleton stays. As that one
 * does not, limbs have a smaller limit, and a bone is turned about where it points, if others that hang on it are elsewhere by more than the limit: a rest
 * that lies on its side, as some motion capture has it, is else met with legs and shoulders turned out.
 */
static int pose(struct retarget_plan *plan, struct anim_error *error)
{
	const double limits[2] = {(double)plan->options->silhouette_degrees * (ANIM_PI / 180),
				  (double)plan->options->limb_degrees * (ANIM_PI / 180)};
	double way[4], from[3], to[3];
	const double sizes[2] = {size_of(&plan->from, false), size_of(&plan->to, false)};
	const struct tail *tails = find_tails(plan, error);
	bool has_joints = false;
	unsigned posed = 0;
	double most = 0; /* radians */
	uint32_t first = 0;
	char more[32] = "";

	for (uint32_t t = 0; t < plan->to.count; t++)
		has_joints |= is_joint(&plan->to, t);
	for (uint32_t t = 0; t < plan->to.count && tails != NULL; t++) {
		struct retarget_node *node = &plan->to.nodes[t];
		uint32_t n = node->partner;
		double angle, about;

		memcpy(node->fix, fix_above(&plan->to, t), sizeof node->fix);
		if (n == ANIM_POSE_NONE || tails[n].count == 0 || is_scene(plan, t, has_joints) ||
		    !directions(plan, n, &tails[n], sizes, from, to))
			continue;
		anim_quat_rotate_double(to, node->fix, to);
		angle = angle_between(to, from);
		if (angle > limits[is_limb(plan, t)]) {
			turn_between(way, to, from);
			anim_quat_multiply_double(node->fix, way, node->fix);
			normalize(node->fix);
		}
		about = find_twist(plan, n, tails, from);
		if (fabs(about) > limits[0])
			twist(node, from, about);
		angle = fmax(angle, fabs(about));
		if (!(angle > limits[0]))
			continue;
		first = posed++ == 0 ? t : first;
		most = fmax(most, angle);
	}
	for (uint32_t t = 0; t < plan->to.count; t++)
		anim_quat_multiply_double(plan->to.turns[t], plan->to.nodes[t].fix, plan->to.turns[t]);
	if (tails == NULL || posed == 0)
		return tails == NULL ? -1 : 0;
	if (posed > 1)
		snprintf(more, sizeof more, " and %u more", posed - 1);
	return anim_diagnostics_note(
	    plan->options->diagnostics, "targets rest in another pose than what is brought onto them", error,
	    "the target rests in another pose: '%s'%s %s elsewhere, by up to %.0f degrees; what is "
	    "done there is done from the pose of the source",
	    anim_node_own_name(rest_of(&plan->to, first)->path), more, posed > 1 ? "point" : "points",
	    most * (180 / ANIM_PI));
}

/* ---- Heights ---- */

/* A side's legs at rest, the mean of both. */
struct legs {
	double length; /* of thigh and shin */
	double drop;   /* how far below the hips they begin, along the body */
	double ankle;  /* height of the ankles, if that is known: */
	bool known;    /* the skeleton stands upright at rest, and not with its hips at 0 */
};

/* Adds one leg, by its nodes from the hips down; `up` is where the body points. */
static void add_leg(const struct retarget_side *side, const uint32_t nodes[4], const double up[3], struct legs *legs)
{
	double at[4][3], way[3], length = 0;

	for (unsigned i = 0; i < 4; i++)
		place_of(side, nodes[i], at[i]);
	for (unsigned i = 0; i < 3; i++) {
		for (unsigned k = 0; k < 3; k++)
			way[k] = at[i + 1][k] - at[i][k];
		if (i == 0)
			legs->drop -= dot(way, up) / 2;
		else
			length += sqrt(dot(way, way));
	}
	legs->length += length / 2;
	legs->ankle += at[3][1] / 2;
	legs->known &= at[0][1] - at[3][1] > UPRIGHT * length && at[3][1] > -NEAR_GROUND * length;
}

/* Where the body points at rest: from the hips to what carries the arms, else straight up. */
static void body_axis(const struct retarget_side *side, uint32_t hips, uint32_t chest, double up[3])
{
	double from[3], length;

	memcpy(up, (const double[3]){0, 1, 0}, 3 * sizeof *up);
	if (chest == ANIM_POSE_NONE)
		return;
	place_of(side, hips, from);
	place_of(side, chest, up);
	for (unsigned i = 0; i < 3; i++)
		up[i] -= from[i];
	length = sqrt(dot(up, up));
	for (unsigned i = 0; i < 3; i++)
		up[i] = length > 0 ? up[i] / length : i == 1;
}

/* False where not both sides have both legs. */
static bool find_legs(const struct retarget_plan *plan, struct legs legs[2])
{
	static const enum anim_human_bone bones[] = {ANIM_BONE_UPPER_LEG, ANIM_BONE_LOWER_LEG, ANIM_BONE_FOOT};
	static const enum anim_human_bone chests[] = {ANIM_BONE_UPPER_CHEST, ANIM_BONE_CHEST, ANIM_BONE_SPINE};
	uint32_t hips = plan->hips, chest = ANIM_POSE_NONE, from[4] = {hips}, to[4] = {plan->from.nodes[hips].partner};
	double up[2][3];

	for (unsigned i = 0; i < 3 && chest == ANIM_POSE_NONE; i++)
		chest = find_human(plan, chests[i]);
	body_axis(&plan->from, hips, chest, up[0]);
	body_axis(&plan->to, to[0], chest == ANIM_POSE_NONE ? chest : plan->from.nodes[chest].partner, up[1]);
	legs[0] = legs[1] = (struct legs){.known = true};
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned k = 1; k < 4; k++) {
			from[k] = find_human(plan, (enum anim_human_bone)(bones[k - 1] + i));
			if (from[k] == ANIM_POSE_NONE)
				return false;
			to[k] = plan->from.nodes[from[k]].partner;
		}
		add_leg(&plan->from, from, up[0], &legs[0]);
		add_leg(&plan->to, to, up[1], &legs[1]);
	}
	return legs[0].length > 0 && legs[1].length > 0;
}

/*
 * The legs say how large a human is. On straight legs the hips are as high as puts the ankles where they are at rest; where only
 * one of the rests says where that is, it does so for both, for motion capture has its hips at 0 at rest, or lies on its side.
 */
static void stand_on_legs(struct retarget_plan *plan, const struct legs legs[2])
{
	struct retarget_side *sides[2] = {&plan->from, &plan->to};
	const uint32_t hips[2] = {plan->hips, plan->from.nodes[plan->hips].partner};

	for (unsigned i = 0; i < 2; i++) {
		const struct legs *known = legs[i].known ? &legs[i] : &legs[1 - i];
		double ankle = known->known ? known->ankle / known->length : ANKLE, at[3];

		place_of(sides[i], hips[i], at);
		sides[i]->height = legs[i].length;
		sides[i]->ankle = ankle * legs[i].length;
		sides[i]->raise = sides[i]->ankle + legs[i].length + legs[i].drop - at[1];
	}
}

/* Hips that rest about as low as the feet stand as high above the ground as above those. */
static void stand_on_lowest(struct retarget_side *side, uint32_t hips)
{
	double at[3], low[3], high[3], above;

	side->height = size_of(side, true);
	side->raise = 0;
	if (hips == ANIM_POSE_NONE)
		return;
	place_of(side, hips, at);
	box_of(side, true, low, high);
	above = at[1] - low[1];
	side->raise = at[1] < HEIGHTS * above ? above - at[1] : 0;
}

void retarget_measure(struct retarget_plan *plan)
{
	struct legs legs[2];

	if (plan->hips != ANIM_POSE_NONE && find_legs(plan, legs)) {
		stand_on_legs(plan, legs);
	} else {
		stand_on_lowest(&plan->from, plan->hips);
		stand_on_lowest(&plan->to,
				plan->hips == ANIM_POSE_NONE ? plan->hips : plan->from.nodes[plan->hips].partner);
	}
	plan->ratio = plan->from.height > 0 && plan->to.height > 0 ? plan->to.height / plan->from.height : 1;
}

/* ---- All of it ---- */

/* The way from the node above, on both sides: as long and as directed as the ratio has it, and both turned alike. */
static bool rests_alike(const struct retarget_plan *plan, uint32_t node, double limit)
{
	uint32_t to = plan->from.nodes[node].partner, above = parent_of(&plan->from, node);
	double from_at[3], to_at[3], from_up[3] = {0}, to_up[3] = {0}, same = 0;

	if (parent_of(&plan->to, to) != (above == ANIM_POSE_NONE ? ANIM_POSE_NONE : plan->from.nodes[above].partner))
		return false;
	for (unsigned i = 0; i < 4; i++)
		same += plan->from.turns[node][i] * plan->to.turns[to][i];
	if (1 - fabs(same) > ALIKE_TURN)
		return false;
	place_of(&plan->from, node, from_at);
	place_of(&plan->to, to, to_at);
	if (above != ANIM_POSE_NONE) {
		place_of(&plan->from, above, from_up);
		place_of(&plan->to, plan->from.nodes[above].partner, to_up);
	}
	for (unsigned i = 0; i < 3; i++)
		if (fabs((to_at[i] - to_up[i]) - (from_at[i] - from_up[i]) * plan->ratio) > limit)
			return false;
	return true;
}

/* One skeleton is the other in another size: with the ratio of the sizes all is as it was. */
static bool are_same(struct retarget_plan *plan)
{
	double sizes[2] = {size_of(&plan->from, true), size_of(&plan->to, true)}, before = plan->ratio;

	if (sizes[0] > 0 && sizes[1] > 0)
		plan->ratio = sizes[1] / sizes[0];
	for (uint32_t n = 0; n < plan->from.count; n++)
		if (plan->from.nodes[n].partner != ANIM_POSE_NONE && !rests_alike(plan, n, ALIKE_WAY * sizes[1])) {
			plan->ratio = before;
			return false;
		}
	return true;
}

int retarget_plan_make(struct retarget_plan *plan, struct anim_skeleton *from, struct anim_error *error)
{
	if (begin_side(plan, &plan->from, from, error) != 0 ||
	    begin_side(plan, &plan->to, plan->options->to, error) != 0 || find_partners(plan, error) != 0)
		return -1;
	if (choose_hips(plan, error) != 0 || face(plan, error) != 0 || pose(plan, error) != 0)
		return -1;
	retarget_measure(plan);
	plan->same = are_same(plan);
	if (plan->same)
		plan->from.raise = plan->to.raise = 0;
	return 0;
}

/* The bones that the map gives to Unity's names. A map that has hips has all bones: then no name is guessed. */
static int map_bones(struct retarget_plan *plan, struct anim_error *error)
{
	struct retarget_side *side = &plan->to;
	const char *hips = anim_human_bone_name(ANIM_BONE_HIPS);

	if (plan->options->map != NULL && anim_rename_map_get(plan->options->map, hips, strlen(hips)) != NULL)
		for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
			side->bones[b] = ANIM_POSE_NONE;

	for (unsigned b = 0; b < ANIM_HUMAN_BONES && plan->options->map != NULL; b++) {
		const char *human = anim_human_bone_name((enum anim_human_bone)b);
		const char *name = anim_rename_map_get(plan->options->map, human, strlen(human));
		uint32_t to = name == NULL ? ANIM_POSE_NONE : find_target(plan, name);

		if (name == NULL)
			continue;
		if (to == ANIM_POSE_NONE)
			return anim_fail(error, ANIM_UNSUPPORTED,
					 "the target has no bone '%s', which --map names for %s", name, human);
		for (unsigned other = 0; other < ANIM_HUMAN_BONES; other++)
			if (side->bones[other] == to)
				side->bones[other] = ANIM_POSE_NONE;
		side->bones[b] = to;
	}
	return 0;
}

int retarget_find_human(struct retarget_plan *plan, struct anim_error *error)
{
	if (begin_side(plan, &plan->to, plan->options->to, error) != 0 ||
	    name_bones(&plan->to, &plan->arena, error) != 0 || map_bones(plan, error) != 0)
		return -1;
	return anim_rests_check(&plan->to.skeleton->poses.rests, error);
}

void retarget_plan_clear(struct retarget_plan *plan)
{
	const struct anim_retarget_options *options = plan->options;

	anim_arena_clear(&plan->arena);
	*plan = (struct retarget_plan){.options = options};
}

/* ---- Factors ---- */

void retarget_turn_factors(const struct retarget_plan *plan, uint32_t node, bool relative, double a[4], double b[4])
{
	double back[4];

	anim_quat_conjugate_double(back, plan->facing);
	anim_quat_multiply_double(a, plan->facing, relative ? plan->from.turns[node] : turn_above(&plan->from, node));
	anim_quat_conjugate_double(b, plan->from.turns[node]);
	anim_quat_multiply_double(b, b, back);
}

void retarget_back_factors(const struct retarget_plan *plan, uint32_t to, bool relative, double a[4], double b[4])
{
	double from[4];

	/* what is relative turns from the own rest, which may be another than the pose */
	if (relative)
		anim_quat_unit_double(from, rest_of(&plan->to, to)->rotation);
	else
		memcpy(from, no_turn, sizeof from);
	anim_quat_multiply_double(from, turn_above(&plan->to, to), from);
	anim_quat_conjugate_double(a, from);
	memcpy(b, plan->to.turns[to], sizeof plan->to.turns[to]);
}

void retarget_factors(const struct retarget_plan *plan, uint32_t node, uint32_t to, bool relative, double a[4],
		      double b[4])
{
	double in[2][4], out[2][4];

	retarget_turn_factors(plan, node, relative, in[0], in[1]);
	retarget_back_factors(plan, to, relative, out[0], out[1]);
	anim_quat_multiply_double(a, out[0], in[0]);
	anim_quat_multiply_double(b, in[1], out[1]);
}

bool retarget_posed(const struct retarget_plan *plan, uint32_t to, float rotation[4])
{
	double back[4], q[4], own[4];
	bool changed = false;

	anim_quat_conjugate_double(back, turn_above(&plan->to, to));
	anim_quat_multiply_double(q, back, plan->to.turns[to]);
	anim_quat_unit_double(own, rest_of(&plan->to, to)->rotation);
	for (unsigned i = 0; i < 4; i++) {
		changed = changed || fabs(q[i] - own[i]) > 1e-9;
		rotation[i] = (float)q[i];
	}
	return changed;
}

/* The basis of a node at rest (ANIM_POSE_NONE: the tree's own), turned. */
static void basis_of(const struct retarget_side *side, uint32_t node, const double turn[4], struct anim_affine *out)
{
	anim_affine_basis(out, node == ANIM_POSE_NONE ? NULL : anim_poses_at(&side->skeleton->poses, node, 0));
	for (unsigned column = 0; column < 3 && memcmp(turn, no_turn, sizeof no_turn) != 0; column++) {
		double axis[3] = {out->m[0][column], out->m[1][column], out->m[2][column]};

		anim_quat_rotate_double(axis, turn, axis);
		for (unsigned row = 0; row < 3; row++)
			out->m[row][column] = axis[row];
	}
}

bool retarget_position(const struct retarget_plan *plan, const struct retarget_place *place, uint32_t to,
		       struct anim_affine *out)
{
	bool hips = plan->hips != ANIM_POSE_NONE && plan->from.nodes[plan->hips].partner == to;
	double raise = hips ? plan->to.raise - plan->from.raise * plan->ratio : 0;
	const float *own = rest_of(&plan->to, to)->position;
	double at[3];
	struct anim_affine back;

	basis_of(&plan->from, place->space, plan->facing, out);
	for (unsigned i = 0; i < 9; i++)
		out->m[i / 3][i % 3] *= plan->ratio;
	basis_of(&plan->to, place->relative ? to : parent_of(&plan->to, to), fix_above(&plan->to, to), &back);
	if (!anim_affine_invert(&back))
		return false;
	anim_affine_join(out, &back, out);
	anim_affine_snap(out);
	for (unsigned i = 0; i < 3; i++)
		at[i] = (place->relative ? 0 : (double)own[i]) + back.m[i][1] * raise;
	anim_affine_about(out, place->rest, at);
	return true;
}
