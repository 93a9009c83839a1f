/* plan.c: match two skeletons: human bones, partners, and the factors that rest poses give. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/advice.h"
#include "filter/retarget/figure.h"
#include "filter/retarget/plan.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

#define NONE ANIM_HUMAN_BONES /* no bone */

/* ---- Ancestors ---- */

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

const char *retarget_attr(const struct retarget_side *side, uint32_t node, const char *key)
{
	return anim_attrs_get(&name_of(side, node)->attrs, key);
}

static const char *own_name(const struct retarget_side *side, uint32_t node)
{
	const char *name = name_of(side, node)->own;

	return name != NULL ? name : anim_node_own_name(path_of(side, node));
}

static bool is_dropped(const struct retarget_side *side, uint32_t node)
{
	return side->skeleton->dropped != NULL && side->skeleton->dropped[node];
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

uint32_t retarget_base(const struct retarget_plan *plan, uint32_t node)
{
	const bool human =
	    plan->from.human && plan->to.human && retarget_bone(&plan->from, &plan->to, node) != ANIM_HUMAN_BONES;
	uint32_t above = human ? retarget_above(&plan->to, plan->from.nodes[node].partner) : ANIM_POSE_NONE;

	above = above == ANIM_POSE_NONE ? above : plan->to.nodes[above].partner;
	return human && !retarget_is_below(&plan->from, above, node) ? above : retarget_above(&plan->from, node);
}

/* Parents have lower numbers than their children. */
uint32_t retarget_shared(const struct retarget_side *side, uint32_t a, uint32_t b)
{
	while (a != b && a != ANIM_POSE_NONE && b != ANIM_POSE_NONE)
		if (a > b)
			a = parent_of(side, a);
		else
			b = parent_of(side, b);
	return a == b ? a : ANIM_POSE_NONE;
}

bool retarget_is_below(const struct retarget_side *side, uint32_t node, uint32_t above)
{
	while (node != ANIM_POSE_NONE && node != above)
		node = parent_of(side, node);
	return node == above;
}

/* ======== Finding the human bones of a tree ======== */

#define HUMAN 5    /* minimum number of known bones */
#define WAY 64     /* nodes: maximum distance to the previous bone of a limb */
#define PREFIXES 8 /* maximum number of words in a prefix */

/* The bones of one tree, by node. */
struct naming {
	const struct retarget_side *side;
	struct anim_bone_guess *guesses;
	enum anim_human_bone *bones; /* the bone of each node, or NONE */
	bool *above; /* of ambiguous nodes: the lower one of the two candidates is below it, so it is the upper one */
};

/* Return the nearest ancestor that is this bone, or ANIM_POSE_NONE if it is missing or too far. */
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

/* Identify the nodes with unambiguous names, and use them to decide ambiguous names above. */
static int guess_names(struct naming *naming, struct anim_arena *arena, struct anim_error *error)
{
	/*
	 * The most common prefix of bone names in plain form, such as "mixamorig" or "bip01". If several are equally
	 * common, the shortest is returned. In the arena.
	 */
	struct anim_map votes = {0};
	const char *best = "", *text = best;
	uint32_t most = 0;

	for (uint32_t n = 0; n < naming->side->count && text != NULL; n++) {
		struct anim_bone_guess guess;
		struct anim_plain_name name;
		unsigned words = 0;

		if (is_dropped(naming->side, n) || !anim_plain_name(&name, own_name(naming->side, n)))
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
	const char *prefix = text == NULL ? NULL : best;
	size_t length = prefix == NULL ? 0 : strlen(prefix);

	for (uint32_t n = 0; n < naming->side->count && prefix != NULL; n++) {
		struct anim_bone_guess *guess = &naming->guesses[n];
		struct anim_plain_name name;

		naming->bones[n] = NONE;
		if (is_dropped(naming->side, n) || !anim_plain_name(&name, own_name(naming->side, n)) ||
		    name.length <= length || memcmp(name.text, prefix, length) != 0 ||
		    !anim_bone_guess(guess, &name, length))
			continue;
		if (guess->doubtful)
			continue;
		naming->bones[n] = guess->bones[0];
		for (uint32_t i = 0, up = parent_of(naming->side, n); i < WAY && up != ANIM_POSE_NONE;
		     i++, up = parent_of(naming->side, up))
			naming->above[up] |=
			    naming->guesses[up].doubtful && naming->guesses[up].bones[1] == naming->bones[n];
	}
	/* "LeftShoulder" is the upper arm below a collar bone, and the collar bone above an upper arm. */
	for (uint32_t n = 0; n < naming->side->count && prefix != NULL; n++) {
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
	return prefix == NULL ? -1 : 0;
}

/* ---- Limbs ---- */

/* Return the bone to which a bone of a limb is attached, or NONE if this is the trunk. */
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

bool retarget_is_apart(const struct retarget_plan *plan, uint32_t node)
{
	const uint32_t to = plan->from.nodes[node].partner, above = retarget_above(&plan->from, node);

	return plan->figures != NULL && to != ANIM_POSE_NONE && above != ANIM_POSE_NONE &&
	       bone_before(retarget_bone(&plan->from, &plan->to, node)) != NONE &&
	       !retarget_is_below(&plan->to, to, plan->from.nodes[above].partner) &&
	       retarget_is_below(&plan->from, node, retarget_base(plan, node));
}

/* ---- The trunk ---- */

/* Return the nearest common ancestor (or the node itself). If one node is missing, return the other. */
static uint32_t shared(const struct retarget_side *side, uint32_t a, uint32_t b)
{
	if (a == ANIM_POSE_NONE || b == ANIM_POSE_NONE)
		return a == ANIM_POSE_NONE ? b : a;
	return retarget_shared(side, a, b);
}

/* Return the node that carries the left and right limb of a kind. */
static uint32_t carrier_of(const struct retarget_side *side, enum anim_human_bone left)
{
	uint32_t a = side->bones[left], b = side->bones[left + 1];

	return a == ANIM_POSE_NONE || b == ANIM_POSE_NONE ? ANIM_POSE_NONE : shared(side, a, b);
}

/*
 * List the nodes from below `above` to `last`, parents first. The list is empty if `last` is not below `above`. Returns
 * 0, or -1 if out of memory.
 */
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

/*
 * Find spine and neck. They have any number of bones with any names: the spine is between the hips and the node that
 * carries the arms, the neck is between that node and the head.
 */
static int find_trunk(const struct naming *naming, struct retarget_side *side, struct anim_arena *arena,
		      struct anim_error *error)
{
	uint32_t chest = carrier_of(side, ANIM_BONE_SHOULDER), head, under, under_spine;

	if (chest == ANIM_POSE_NONE)
		chest = carrier_of(side, ANIM_BONE_UPPER_ARM);
	head = side->bones[ANIM_BONE_HEAD];
	/* Rigify numbers spine bones up to the head: it is the last spine bone above the chest. */
	for (uint32_t n = side->count; n-- > chest && head == ANIM_POSE_NONE && chest != ANIM_POSE_NONE;)
		if (n != chest && naming->bones[n] == ANIM_BONE_SPINE && retarget_is_below(side, n, chest))
			head = n;
	side->bones[ANIM_BONE_HEAD] = head;

	/*
	 * Find the hips: the lowest node with this name that carries legs and chest. If there is no such name, use the
	 * node that carries them, unless it is the tree's root. Without legs, the hips are found only by name.
	 */
	uint32_t legs = carrier_of(side, ANIM_BONE_UPPER_LEG), hips = ANIM_POSE_NONE;
	uint32_t all = shared(side, legs, chest != ANIM_POSE_NONE ? chest : side->bones[ANIM_BONE_HEAD]);

	side->centre = ANIM_POSE_NONE;
	if (all != ANIM_POSE_NONE) {
		/* In MikuMikuDance, the lower body carries the legs, beside the upper body, and the centre moves both. */
		for (uint32_t n = legs; n != ANIM_POSE_NONE && n != all && hips == ANIM_POSE_NONE;
		     n = parent_of(side, n))
			if (strcmp(own_name(side, n), "下半身") == 0)
				hips = n;
		for (uint32_t n = all; n != ANIM_POSE_NONE && hips != ANIM_POSE_NONE; n = parent_of(side, n))
			if (n == all || strcmp(own_name(side, n), "センター") == 0)
				side->centre = n;
		for (uint32_t n = all; n != ANIM_POSE_NONE && hips == ANIM_POSE_NONE; n = parent_of(side, n))
			if (naming->bones[n] == ANIM_BONE_HIPS)
				hips = n;
		if (hips == ANIM_POSE_NONE && legs != ANIM_POSE_NONE && parent_of(side, all) != ANIM_POSE_NONE)
			hips = all;
		side->bones[ANIM_BONE_HIPS] = hips;
	}

	if (side->bones[ANIM_BONE_HIPS] == ANIM_POSE_NONE || chest == ANIM_POSE_NONE)
		return 0;
	under = head == ANIM_POSE_NONE ? ANIM_POSE_NONE : parent_of(side, head);
	under_spine = side->centre == ANIM_POSE_NONE ? side->bones[ANIM_BONE_HIPS]
						     : shared(side, side->bones[ANIM_BONE_HIPS], chest);
	if (list_chain(side, under_spine, chest, &side->spine, arena, error) != 0 ||
	    list_chain(side, shared(side, chest, under), under, &side->neck, arena, error) != 0)
		return -1;
	if (side->spine.count > 0) {
		/* Choose the spine bones as in Unity: the first, the last and one in the middle. */
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
	if (side->neck.count > 0)
		side->bones[ANIM_BONE_NECK] = side->neck.nodes[0];
	return 0;
}

/* ---- All bones ---- */

/* Find the human bones of a tree and mark its nodes. Returns 0, or -1 if out of memory. */
static int name_bones(struct retarget_side *side, struct anim_arena *arena, struct anim_error *error)
{
	struct naming naming = {.side = side};
	unsigned known = 0;
	bool named = false;

	naming.guesses = anim_arena_zeroed(arena, side->count + 1, sizeof *naming.guesses, error);
	naming.bones = anim_arena_zeroed(arena, side->count + 1, sizeof *naming.bones, error);
	naming.above = anim_arena_zeroed(arena, side->count + 1, sizeof *naming.above, error);
	if (naming.guesses == NULL || naming.bones == NULL || naming.above == NULL)
		return -1;
	/*
	 * Use the bones that the file itself names: a VRM animation or model, or an avatar of Unity. They have priority
	 * over node names.
	 */
	for (uint32_t n = 0; n < side->count; n++) {
		const char *vrm = retarget_attr(side, n, "gltf.vrm"), *bone = retarget_attr(side, n, "unity.human");

		naming.bones[n] = NONE;
		if (is_dropped(side, n))
			continue;
		if (vrm != NULL)
			bone = anim_humanoid_find(ANIM_HUMANOID_VRM, ANIM_HUMANOID_UNITY, vrm, strlen(vrm));
		named |= vrm != NULL || bone != NULL;
		if (bone != NULL)
			naming.bones[n] = anim_human_bone_find(bone);
	}
	if (!named && guess_names(&naming, arena, error) != 0)
		return -1;
	/*
	 * Choose one node for each bone. A node that is not below the previous bone of its limb is rejected. Joints
	 * have priority over other nodes. Otherwise the first node is chosen.
	 */
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		side->bones[b] = ANIM_POSE_NONE;
	for (uint32_t n = 0; n < side->count && !named; n++) {
		/*
		 * Name the joint between an upper arm and a hand, or a thigh and a foot, if no name says that it is the
		 * lower bone: a second upper bone ("LeftArm" below "LeftUpperArm"), or else the only joint.
		 */
		const enum anim_human_bone bone = naming.bones[n], lower = bone_before(bone);
		uint32_t up, middle = parent_of(naming.side, n);

		if ((bone != ANIM_BONE_HAND && bone != ANIM_BONE_HAND + 1 && bone != ANIM_BONE_FOOT &&
		     bone != ANIM_BONE_FOOT + 1) ||
		    find_above(&naming, n, lower) != ANIM_POSE_NONE)
			continue;
		up = find_above(&naming, n, bone_before(lower));
		if (up == ANIM_POSE_NONE)
			continue;
		if (find_above(&naming, up, bone_before(lower)) != ANIM_POSE_NONE)
			naming.bones[up] = lower;
		else if (middle != up && parent_of(naming.side, middle) == up && naming.bones[middle] == NONE)
			naming.bones[middle] = lower;
	}
	for (uint32_t n = 0; n < side->count; n++) {
		enum anim_human_bone bone = naming.bones[n], before = bone == NONE ? NONE : bone_before(bone);

		if (before != NONE && find_above(&naming, n, before) == ANIM_POSE_NONE)
			bone = naming.bones[n] = NONE;
		if (bone != NONE &&
		    (side->bones[bone] == ANIM_POSE_NONE || (is_joint(side, n) && !is_joint(side, side->bones[bone]))))
			side->bones[bone] = n;
	}
	side->spine.nodes = anim_arena_zeroed(arena, 4, sizeof *side->spine.nodes, error);
	if (side->spine.nodes == NULL || (!named && find_trunk(&naming, side, arena, error) != 0))
		return -1;
	for (unsigned b = ANIM_BONE_SPINE; b <= ANIM_BONE_UPPER_CHEST && named; b++)
		if (side->bones[b] != ANIM_POSE_NONE)
			side->spine.nodes[side->spine.count++] = side->bones[b];
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		known += side->bones[b] != ANIM_POSE_NONE;
	side->human = named || (known >= HUMAN && side->bones[ANIM_BONE_HIPS] != ANIM_POSE_NONE);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		if (side->human && side->bones[b] != ANIM_POSE_NONE)
			side->nodes[side->bones[b]].bone = (enum anim_human_bone)b;
	return 0;
}

/* ======== Partners: by the map, by humanoid names, by equal names ======== */

#define LISTED 6 /* maximum number of names in a message */

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
 * Find a target node by its path, or by its name if that is unique. The root is also found by its own name. Meshes
 * beside a skeleton often have the names of its bones, so bones are searched first.
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

const char *retarget_mapped_name(struct anim_rename_map *map, const struct retarget_side *side, uint32_t node)
{
	const char *path = path_of(side, node), *slash = strrchr(path, '/'), *name = own_name(side, node);
	const char *found = anim_rename_map_get_path(map, path, strlen(path));

	slash = slash == NULL ? path : slash + 1; /* names may contain a ':' */
	if (found == NULL)
		found = anim_rename_map_get(map, slash, strlen(slash));
	return found != NULL ? found : anim_rename_map_get(map, name, strlen(name));
}

/* Return 'L' or 'R' if the name says on which side of a human the bone is, otherwise 0. */
static char side_of(const char *name)
{
	struct anim_bone_guess guess;
	const char *bone = anim_bone_of_name(&guess, name) ? anim_human_bone_name(guess.bones[guess.lower]) : "";

	return strncmp(bone, "Left", 4) == 0 || strncmp(bone, "Right", 5) == 0 ? bone[0] : '\0';
}

/* Warn if the map pairs a left bone with a right one, by their names. Returns 0 or -1. */
static int check_sides(struct retarget_plan *plan, const char *from, const char *to, struct anim_error *error)
{
	const char side = side_of(from);

	if (side == '\0' || side_of(to) == '\0' || side_of(to) == side)
		return 0;
	if (plan->crossed[0] == NULL) {
		plan->crossed[0] = from;
		plan->crossed[1] = to;
	}
	return anim_diagnostics_warn(
	    plan->options->diagnostics, "bone", error,
	    "'%s': paired by " ANIM_ADVICE(THE_MAP) " with the other side of the target" ANIM_DETAIL ", '%s'", from,
	    to);
}

static int join_mapped_node(struct retarget_plan *plan, uint32_t node, struct anim_error *error)
{
	struct anim_diagnostics *diagnostics = plan->options->diagnostics;
	const char *name = retarget_mapped_name(plan->options->map, &plan->from, node);
	uint32_t to = name == NULL ? ANIM_POSE_NONE : find_target(plan, name);

	plan->from.nodes[node].given = name != NULL;
	if (name == NULL)
		return 0;

	/* If the target's partner is already a bone with this node's name, the map meant the bone. */
	uint32_t other = to == ANIM_POSE_NONE ? ANIM_POSE_NONE : plan->to.nodes[to].partner;

	if (other != ANIM_POSE_NONE && name_of(&plan->from, node)->kind != ANIM_NODE_BONE &&
	    name_of(&plan->from, other)->kind == ANIM_NODE_BONE &&
	    strcmp(own_name(&plan->from, node), own_name(&plan->from, other)) == 0)
		return 0;

	if (to != ANIM_POSE_NONE && plan->to.nodes[to].partner == ANIM_POSE_NONE) {
		join(plan, node, to);
		return check_sides(plan, own_name(&plan->from, node), own_name(&plan->to, to), error);
	}
	if (to == ANIM_POSE_NONE && plan->not_found == NULL)
		plan->not_found = name;
	if (anim_diagnostics_warn(diagnostics, "name of " ANIM_ADVICE(THE_MAP), error,
				  "'%s': not a bone of the target, or matched already", name) != 0)
		return -1;
	return anim_diagnostics_name(diagnostics, error, "%s", name);
}

/*
 * Match two chains. With different lengths, the first and last bones are matched with each other. A single target bone
 * is matched with the last source bone, a single source bone with the first target bone.
 */
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

/* Map each own name of a side's nodes to its node, or to ANIM_POSE_NONE if several nodes have it. Returns 0 or -1. */
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

/*
 * Warn about bones whose partner is not below the partner of their parent. Their rotation is applied relative to the
 * other bone.
 */
static int check_parents(const struct retarget_plan *plan, struct anim_error *error)
{
	struct anim_diagnostics *diagnostics = plan->options->diagnostics;

	for (uint32_t n = 0; n < plan->from.count; n++) {
		uint32_t to = plan->from.nodes[n].partner, above = retarget_above(&plan->from, n);

		if (to == ANIM_POSE_NONE || above == ANIM_POSE_NONE || retarget_base(plan, n) != above ||
		    retarget_is_below(&plan->to, to, plan->from.nodes[above].partner))
			continue;
		if (anim_diagnostics_warn(diagnostics, "bone", error,
					  "'%s': another parent in the target, which is followed" ANIM_DETAIL
					  " (not below the partner of '%s')",
					  path_of(&plan->to, to), path_of(&plan->from, above)) != 0 ||
		    anim_diagnostics_name(diagnostics, error, "%s", anim_node_own_name(path_of(&plan->to, to))) != 0)
			return -1;
	}
	return 0;
}

/* Report the bones that get positions because they are not below the bone before them. */
static int note_apart(const struct retarget_plan *plan, struct anim_error *error)
{
	for (uint32_t n = 0; n < plan->from.count && !plan->same; n++) {
		const char *name, *above;

		if (!retarget_is_apart(plan, n))
			continue;
		name = anim_node_own_name(path_of(&plan->to, plan->from.nodes[n].partner));
		above =
		    anim_node_own_name(path_of(&plan->to, plan->from.nodes[retarget_above(&plan->from, n)].partner));
		if (anim_diagnostics_add(plan->options->diagnostics, ANIM_NOTE, NULL, "bone", error,
					 "'%s': not below '%s' in the target, so it got positions too", name,
					 above) != 0 ||
		    anim_diagnostics_name(plan->options->diagnostics, error, "%s", name) != 0)
			return -1;
	}
	return 0;
}

/* ---- Main bones ---- */

/*
 * Return whether a main bone has no partner. Main bones are hips, spine, arms and legs with hands and feet. A human moves
 * wrongly without one of them. Any bone of the spine may have the partner.
 */
static bool is_lonely(const struct retarget_side *side, unsigned b)
{
	bool joined = false;

	if (b > ANIM_BONE_SPINE && (b < ANIM_BONE_UPPER_ARM || b >= ANIM_BONE_TOES))
		return false;
	if (b != ANIM_BONE_SPINE)
		return side->bones[b] != ANIM_POSE_NONE && side->nodes[side->bones[b]].partner == ANIM_POSE_NONE;
	for (size_t i = 0; i < side->spine.count; i++)
		joined |= side->nodes[side->spine.nodes[i]].partner != ANIM_POSE_NONE;
	return side->spine.count > 0 && !joined;
}

/* List the side's main bones without a partner, in the arena. The list may be "". Returns NULL on failure. */
static const char *list_lonely(struct retarget_plan *plan, const struct retarget_side *side, struct anim_error *error)
{
	const char *list = "";
	unsigned count = 0;

	for (unsigned b = 0; b < ANIM_HUMAN_BONES && side->human && list != NULL; b++) {
		if (!is_lonely(side, b))
			continue;
		if (++count <= LISTED)
			list = anim_arena_printf(&plan->arena, error, "%s%s'%.40s'", list, count > 1 ? ", " : "",
						 own_name(side, side->bones[b]));
	}
	return count <= LISTED || list == NULL
		   ? list
		   : anim_arena_printf(&plan->arena, error, "%s and %u more", list, count - LISTED);
}

/* Return the file of a skeleton, or NULL if it is unknown. A clip comes from the file of the diagnostics. */
static const char *file_of(const struct retarget_plan *plan, bool of_clip)
{
	const struct anim_diagnostics *diagnostics = plan->options->diagnostics;

	if (!of_clip)
		return plan->options->to_name;
	if (plan->options->from != NULL || diagnostics == NULL || diagnostics->scope == NULL)
		return plan->options->from_name;
	return diagnostics->scope->file;
}

/* Return " of the target, hero.glb", in the arena, or without the name if it is unknown. Returns NULL on failure. */
static const char *owner_of(struct retarget_plan *plan, bool of_clip, struct anim_error *error)
{
	const char *file = file_of(plan, of_clip);

	return anim_arena_printf(&plan->arena, error, " of the %s%s%.200s%s", of_clip ? "clip's skeleton" : "target",
				 file != NULL ? " (" : "", file != NULL ? file : "", file != NULL ? ")" : "");
}

static int check_main(struct retarget_plan *plan, struct anim_error *error)
{
	const char *owners[2] = {owner_of(plan, true, error), owner_of(plan, false, error)};
	const char *from = list_lonely(plan, &plan->from, error), *to = list_lonely(plan, &plan->to, error), *line;
	const struct retarget_side *side;
	unsigned b = 0;

	if (from == NULL || to == NULL || owners[0] == NULL || owners[1] == NULL)
		return -1;
	if (plan->options->partial || (from[0] == '\0' && to[0] == '\0'))
		return 0;
	/* a line of a map, for the first of them */
	side = from[0] != '\0' ? &plan->from : &plan->to;
	while (b + 1 < ANIM_HUMAN_BONES && !is_lonely(side, b))
		b++;
	if (plan->not_found != NULL)
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "the target has no bone '%.80s', which " ANIM_OPTION("retarget", "map") " names; main bones have "
											    "no partner: %s%s%s%s%s",
		    plan->not_found, from, from[0] != '\0' ? owners[0] : "",
		    from[0] != '\0' && to[0] != '\0' ? "; " : "", to, to[0] != '\0' ? owners[1] : "");
	line = anim_arena_printf(&plan->arena, error, from[0] != '\0' ? "%.40s,BONE" : "BONE,%.40s",
				 own_name(side, side->bones[b]));
	if (line == NULL)
		return -1;
	return anim_fail(
	    error, ANIM_UNSUPPORTED,
	    "main bones have no partner: %s%s%s%s%s; pair them with " ANIM_OPTION_TO(
		"retarget", "map",
		"FILE") ", " ANIM_ADVICE_TO(MAP_LINES, "in lines such as '%s'") ", or use " ANIM_OPTION("retarget",
													"partial"),
	    from, from[0] != '\0' ? owners[0] : "", from[0] != '\0' && to[0] != '\0' ? "; " : "", to,
	    to[0] != '\0' ? owners[1] : "", line);
}

/*
 * Leave nodes that are not bones of a human, but carry some, without a partner. Their motion becomes a part of the motion of
 * these bones, because players of VRM animations move nothing else. Sets plan->folds if there are any. Returns 0 or -1.
 */
static int leave_others(struct retarget_plan *plan, struct anim_error *error)
{
	bool *carries = anim_arena_zeroed(&plan->arena, plan->from.count + 1, sizeof *carries, error);

	if (carries == NULL)
		return -1;
	for (uint32_t n = plan->from.count; n-- > 0;) {
		uint32_t above = parent_of(&plan->from, n);

		if (above != ANIM_POSE_NONE)
			carries[above] |= carries[n] || plan->from.nodes[n].bone != NONE;
		if (!carries[n] || plan->from.nodes[n].bone != NONE || plan->from.nodes[n].partner == ANIM_POSE_NONE)
			continue;
		plan->to.nodes[plan->from.nodes[n].partner].partner = ANIM_POSE_NONE;
		plan->from.nodes[n].partner = ANIM_POSE_NONE;
		plan->folds = true;
	}
	return 0;
}

/*
 * Find the partners and report names in the map that the target does not have. Returns 0 or -1. It is also an error if
 * no bone has a partner.
 */
static int find_partners(struct retarget_plan *plan, struct anim_error *error)
{
	struct anim_rests *rests[2] = {&plan->from.skeleton->poses.rests, &plan->to.skeleton->poses.rests};
	uint32_t joined = 0;
	bool humans;

	if (name_bones(&plan->from, &plan->arena, error) != 0 || name_bones(&plan->to, &plan->arena, error) != 0)
		return -1;
	/* Bones are matched before other nodes. */
	for (int bones = 1; bones >= 0 && plan->options->map != NULL; bones--)
		for (uint32_t n = 0; n < plan->from.count; n++)
			if ((name_of(&plan->from, n)->kind == ANIM_NODE_BONE) == bones &&
			    join_mapped_node(plan, n, error) != 0)
				return -1;
	humans = plan->from.human && plan->to.human;
	if (humans) {
		join_chain(plan, &plan->from.spine, &plan->to.spine);
		join_chain(plan, &plan->from.neck, &plan->to.neck);
		for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
			uint32_t from = plan->from.bones[b], to = plan->to.bones[b];

			if (from != ANIM_POSE_NONE && to != ANIM_POSE_NONE && is_free(plan, from, to))
				join(plan, from, to);
		}
	}

	/*
	 * Match nodes with the same path, or else with the same name if it is unique on both sides, or with the same
	 * name in Godot's spelling. Human bones are not matched in this way if both sides are humans, because different
	 * namings use the same word for different bones.
	 */
	struct anim_map names[2] = {{0}};
	int result = list_names(&plan->from, &names[0], error);

	if (result == 0)
		result = list_names(&plan->to, &names[1], error);
	for (uint32_t n = 0; n < plan->from.count && result == 0; n++) {
		const char *name = own_name(&plan->from, n);
		uint32_t to = anim_poses_find(&plan->to.skeleton->poses, ".", path_of(&plan->from, n)), only;

		if (to == ANIM_POSE_NONE && anim_map_get(&names[0], 0, name, strlen(name), &only) && only == n &&
		    anim_map_get(&names[1], 0, name, strlen(name), &only))
			to = only;
		if (to == ANIM_POSE_NONE) {
			const struct anim_rest *own = &rests[0]->items[n], *other;

			other = anim_rests_find_name(rests[1], own->path);
			if (other != NULL && anim_rests_find_name(rests[0], other->path) == own)
				to = (uint32_t)(other - rests[1]->items);
		}
		if (to != ANIM_POSE_NONE && is_free(plan, n, to) &&
		    (!humans || (plan->from.nodes[n].bone == NONE && plan->to.nodes[to].bone == NONE)))
			join(plan, n, to);
	}
	anim_map_clear(&names[0]);
	anim_map_clear(&names[1]);
	if (result != 0 || anim_rests_check(rests[0], error) != 0 || anim_rests_check(rests[1], error) != 0)
		return -1;

	plan->folds = false;
	if (plan->tpose && !plan->options->only_poseless && plan->from.human && leave_others(plan, error) != 0)
		return -1;
	for (uint32_t n = 0; n < plan->from.count; n++)
		joined += plan->from.nodes[n].partner != ANIM_POSE_NONE &&
			  (parent_of(&plan->from, n) != ANIM_POSE_NONE || plan->from.nodes[n].given ||
			   plan->from.nodes[n].bone != NONE || plan->from.count == 1);
	if (joined == 0)
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "no bone of the clip's skeleton has the name of a target bone; match them with " ANIM_OPTION_TO(
			"retarget", "map", "FILE"));
	return 0;
}

/* ======== Matching the poses of two skeletons: constant factors ======== */

#define TINY 1e-6       /* of a skeleton's size: shorter bones have no direction */
#define ALIKE_TURN 1e-9 /* 1 minus the cosine of half the angle: smaller rotations between rest poses are ignored */
#define ALIKE_WAY 1e-5  /* of a skeleton's size: smaller differences between offsets are ignored */
#define ALIKE 0.5       /* minimum correlation of positions for finding the facing direction */
#define BESIDE 0.1      /* of a bone's length: children closer to the axis do not define its twist */
#define HEIGHTS \
	0.5 /* of their height above the lowest bone: hips with a lower rest position are not above the ground */

#define USUAL_ANKLE 0.11 /* of a leg: the height of ankles above the ground */
#define POSED 15         /* degrees: bones of humans that are brought into another pose by less are not reported */

static const double no_rotation[4] = {0, 0, 0, 1};

/* ---- Nodes at rest ---- */

static void place_of(const struct retarget_side *side, uint32_t node, double out[3])
{
	const double *at = anim_poses_at(&side->skeleton->poses, node, 0);

	for (unsigned i = 0; i < 3; i++)
		out[i] = at[4 * i + 3];
}

static int begin_side(struct retarget_plan *plan, struct retarget_side *side, struct anim_skeleton *skeleton,
		      struct anim_error *error)
{
	size_t count = anim_poses_count(&skeleton->poses);

	side->skeleton = skeleton;
	side->count = (uint32_t)count;
	side->centre = ANIM_POSE_NONE;
	side->nodes = anim_arena_zeroed(&plan->arena, count + 1, sizeof *side->nodes, error);
	anim_poses_begin(&skeleton->poses, 1);
	if (side->nodes == NULL || anim_poses_ready(&skeleton->poses, error) != 0 ||
	    anim_poses_rotations(&skeleton->poses, &side->rotations, &plan->arena, error) != 0)
		return -1;
	for (uint32_t n = 0; n < count; n++) {
		side->nodes[n].partner = ANIM_POSE_NONE;
		side->nodes[n].bone = NONE;
		memcpy(side->nodes[n].fix, no_rotation, sizeof no_rotation);
	}
	return 0;
}

/* Compute the bounding box of all nodes, or of those with partners. */
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

/* Return the diagonal of the bounding box. */
static double size_of(const struct retarget_side *side, bool partners)
{
	double low[3], high[3], square = 0;

	box_of(side, partners, low, high);
	for (unsigned i = 0; i < 3; i++)
		square += (high[i] - low[i]) * (high[i] - low[i]);
	return sqrt(square);
}

/* ---- The facing direction ---- */

/* Compute the mean position of the nodes with partners. */
static void find_middle(const struct retarget_side *side, double out[3])
{
	double at[3], count = 0;

	memset(out, 0, 3 * sizeof *out);
	for (uint32_t n = 0; n < side->count; n++) {
		if (side->nodes[n].partner == ANIM_POSE_NONE)
			continue;
		place_of(side, n, at);
		count++;
		anim_vec3_add(out, at, 1);
	}
	for (unsigned i = 0; i < 3 && count > 0; i++)
		out[i] /= count;
}

/*
 * Return the number of quarter rotations about the vertical axis that match the positions best. Returns 0 if they do
 * not correlate.
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

/* Let the animation turn by quarter rotations about the vertical axis. */
static int face(struct retarget_plan *plan, unsigned quarters, struct anim_error *error)
{
	static const double half = 0.70710678118654752440;
	static const double rotations[4][4] = {{0, 0, 0, 1}, {0, half, 0, half}, {0, 1, 0, 0}, {0, half, 0, -half}};

	memcpy(plan->facing, rotations[quarters], sizeof plan->facing);
	if (quarters == 0)
		return 0;
	return anim_diagnostics_note(plan->options->diagnostics, "clip", error,
				     "the animation was rotated about the vertical axis, because the target faces "
				     "another direction at rest" ANIM_DETAIL ", by %u degrees",
				     quarters == 3 ? 90 : 90 * quarters);
}

/* ---- Matching the poses ---- */

/* The direction of a bone: the position of a child, or the mean of several. */
struct tail {
	double from[3], to[3]; /* sums of positions on both sides */
	unsigned count;
	uint32_t child, next; /* source bones: first child, next sibling; ANIM_POSE_NONE: none */
};

/*
 * Add each bone to the tail of its parent if it has the same parent on both sides. Returns one tail per source node, in
 * the arena, or NULL on failure.
 */
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
		place_of(&plan->from, n, from_at);
		place_of(&plan->to, to, to_at);

		tail->count++;
		for (unsigned i = 0; i < 3; i++) {
			tail->from[i] += from_at[i];
			tail->to[i] += to_at[i];
		}
	}
	return tails;
}

/*
 * Return the rotation about a bone's direction that matches its children, such as legs or shoulders, best with the
 * source's positions. Returns 0 if the children are too close to the axis or do not correlate.
 */
static double find_twist(const struct retarget_plan *plan, uint32_t node, const struct tail *tails,
			 const double from[3])
{
	uint32_t to = plan->from.nodes[node].partner;
	double size = anim_vec3_length_double(from), axis[3], back[4], own[3], heads[2][3], at[3], u[3], v[3];
	double along = 0, across = 0, sizes[2] = {0};

	anim_quat_conjugate_double(back, plan->facing);
	for (unsigned i = 0; i < 3; i++)
		axis[i] = from[i] / size;
	anim_quat_rotate_double(own, back, axis);
	place_of(&plan->from, node, heads[0]);
	place_of(&plan->to, to, heads[1]);
	for (uint32_t n = tails[node].child; n != ANIM_POSE_NONE; n = tails[n].next) {
		place_of(&plan->from, n, at);
		anim_vec3_subtract(u, at, heads[0]);
		anim_vec3_add(u, own, -anim_vec3_dot_double(own, u));
		anim_quat_rotate_double(u, plan->facing, u);
		place_of(&plan->to, plan->from.nodes[n].partner, at);
		anim_vec3_subtract(v, at, heads[1]);
		anim_quat_rotate_double(v, plan->to.nodes[to].fix, v);
		anim_vec3_add(v, axis, -anim_vec3_dot_double(axis, v));
		along += anim_vec3_dot_double(u, v);
		anim_vec3_cross_double(at, v, u);
		across += anim_vec3_dot_double(axis, at);
		sizes[0] += anim_vec3_dot_double(u, u);
		sizes[1] += anim_vec3_dot_double(v, v);
	}
	if (!(sqrt(sizes[0]) > BESIDE * size) ||
	    !(sqrt(along * along + across * across) > ALIKE * sqrt(sizes[0] * sizes[1])))
		return 0;
	return anim_atan2(across, along);
}

/* Report that bones of the target (the first, how many, most degrees) were brought into the pose of the source. */
static int note_posed(const struct retarget_plan *plan, unsigned posed, uint32_t first, double most,
		      struct anim_error *error)
{
	char more[32] = "";

	if (posed == 0 || plan->options->implied)
		return 0;
	if (posed > 1)
		snprintf(more, sizeof more, " and %u more", posed - 1);
	return anim_diagnostics_note(
	    plan->options->diagnostics, "clip", error,
	    "the rest pose of the target was matched to the rest pose of the source" ANIM_DETAIL
	    ": '%s'%s %s in another direction, by up to %.0f degrees",
	    anim_node_own_name(retarget_rest(&plan->to, first)->path), more, posed > 1 ? "point" : "points", most);
}

/*
 * Match the target's rest pose to the source's pose, as Godot's importer does. From the root down, each bone of the
 * target is rotated by the shortest way to the direction of its partner if the angle exceeds the limit. Its children
 * follow. Nodes above the skeleton are unchanged.
 *
 * Unlike Godot, a bone is also rotated about its direction if its children are further away than the limit. Humans have
 * frames instead, see pose_humans.
 */
static int pose(struct retarget_plan *plan, struct anim_error *error)
{
	const double limit = (double)plan->options->silhouette_degrees * (ANIM_PI / 180);
	double way[4], from[3], to[3];
	const double sizes[2] = {size_of(&plan->from, false), size_of(&plan->to, false)};
	const struct tail *tails = find_tails(plan, error);
	bool has_joints = false;
	unsigned posed = 0;
	double most = 0; /* radians */
	uint32_t first = 0;

	for (uint32_t t = 0; t < plan->to.count; t++)
		has_joints |= is_joint(&plan->to, t);
	for (uint32_t t = 0; t < plan->to.count && tails != NULL; t++) {
		struct retarget_node *node = &plan->to.nodes[t];
		uint32_t n = node->partner;
		double angle, about;

		memcpy(node->fix, retarget_fix_above(&plan->to, t), sizeof node->fix);
		if (n == ANIM_POSE_NONE || tails[n].count == 0)
			continue;

		/*
		 * If the tree marks bones, these are all other nodes, otherwise only the root. A node that the map or a
		 * humanoid naming uses is a bone.
		 */
		if (node->bone == NONE && !plan->from.nodes[node->partner].given && !is_joint(&plan->to, t)) {
			if (has_joints || parent_of(&plan->to, t) == ANIM_POSE_NONE)
				continue;
		}

		/* Compute the directions of the bone and its partner in the target's space. */
		const struct tail *tail = &tails[n];
		double heads[2][3];

		place_of(&plan->from, n, heads[0]);
		place_of(&plan->to, plan->from.nodes[n].partner, heads[1]);
		for (unsigned i = 0; i < 3; i++) {
			from[i] = tail->from[i] / tail->count - heads[0][i];
			to[i] = tail->to[i] / tail->count - heads[1][i];
		}
		anim_quat_rotate_double(from, plan->facing, from);
		if (!(anim_vec3_length_double(from) > TINY * sizes[0]) ||
		    !(anim_vec3_length_double(to) > TINY * sizes[1]))
			continue;

		anim_quat_rotate_double(to, node->fix, to);
		angle = anim_vec3_angle(to, from);
		if (angle > limit) {
			anim_quat_between_double(way, to, from);
			anim_quat_multiply_double(node->fix, way, node->fix);
			anim_quat_normalize_double(node->fix);
		}
		about = find_twist(plan, n, tails, from);
		if (fabs(about) > limit) {
			memcpy(way, (const double[4]){0, 0, 0, anim_cos(about / 2)}, sizeof way);
			anim_vec3_add(way, from, anim_sin(about / 2) / anim_vec3_length_double(from));
			anim_quat_multiply_double(node->fix, way, node->fix);
			anim_quat_normalize_double(node->fix);
		}
		angle = fmax(angle, fabs(about));
		if (!(angle > limit))
			continue;
		first = posed++ == 0 ? t : first;
		most = fmax(most, angle);
	}
	for (uint32_t t = 0; t < plan->to.count; t++)
		anim_quat_multiply_double(plan->to.rotations[t], plan->to.nodes[t].fix, plan->to.rotations[t]);
	return tails == NULL ? -1 : note_posed(plan, posed, first, most * (180 / ANIM_PI), error);
}

/* ---- Heights ---- */

/* Return twice the mean length of the thighs with partners, about a leg, or 0 if a human side lacks one. */
static double thighs_of(const struct retarget_side *side, const struct retarget_side *other)
{
	double sum = 0, at[2][3];
	unsigned joints = 0;

	for (uint32_t n = 0; n < side->count && side->human && other->human; n++) {
		const uint32_t above = retarget_above(side, n);
		const enum anim_human_bone bone =
		    side->nodes[n].partner == ANIM_POSE_NONE ? NONE : retarget_bone(side, other, n);

		if ((bone != ANIM_BONE_LOWER_LEG && bone != ANIM_BONE_LOWER_LEG + 1) || above == ANIM_POSE_NONE ||
		    retarget_bone(side, other, above) != bone_before(bone))
			continue;
		place_of(side, n, at[0]);
		place_of(side, above, at[1]);
		anim_vec3_subtract(at[0], at[0], at[1]);
		sum += anim_vec3_length_double(at[0]);
		joints++;
	}
	return joints == 2 ? sum : 0;
}

/*
 * The heights of humans follow from the length of the legs: on straight legs, the hips are so high that the ankles have their
 * height above the ground. Without legs, hips that are about as low as the feet at rest are raised by their height above the
 * lowest bone.
 */
void retarget_measure(struct retarget_plan *plan)
{
	const uint32_t hips = plan->hips == ANIM_POSE_NONE ? plan->hips : plan->from.nodes[plan->hips].partner;
	double raise[2], at[2][3] = {{0}};
	const double thighs[2] = {thighs_of(&plan->from, &plan->to), thighs_of(&plan->to, &plan->from)};

	for (unsigned i = 0; i < 2; i++) {
		struct retarget_side *side = i == 0 ? &plan->from : &plan->to;
		double low[3], high[3];
		struct retarget_stand stand;

		if (hips != ANIM_POSE_NONE)
			place_of(side, i == 0 ? plan->hips : hips, at[i]);
		if (plan->figures != NULL) {
			retarget_figure_stand(&plan->figures[i], i == 1, &stand);
			side->height = stand.legs;
			side->ankle = stand.ankle;
			raise[i] = stand.ankle + stand.legs + stand.drop - at[i][1];
			continue;
		}
		side->height = thighs[0] > 0 && thighs[1] > 0 ? thighs[i] : size_of(side, true);
		box_of(side, true, low, high);
		raise[i] = hips != ANIM_POSE_NONE && at[i][1] < HEIGHTS * (at[i][1] - low[1]) ? -low[1] : 0;
	}
	plan->ratio = plan->from.height > 0 && plan->to.height > 0 ? plan->to.height / plan->from.height : 1;
	memcpy(plan->lift, (const double[3]){0, raise[1] - raise[0] * plan->ratio, 0}, sizeof plan->lift);
	if (plan->known == NULL)
		return;
	/* the same bones keep their places, so the rest of one side alone shows the ground */
	if (plan->known == &plan->figures[0])
		plan->to.ankle = plan->from.ankle * plan->ratio;
	else
		plan->from.ankle = plan->to.ankle / plan->ratio;
	anim_quat_rotate_double(at[0], plan->facing, at[0]);
	for (unsigned k = 0; k < 3; k++)
		plan->lift[k] = at[0][k] * plan->ratio - at[1][k];
}

/* ---- The plan ---- */

/*
 * Return whether the offset from the parent is the same on both sides, scaled by the ratio, and the rotations are
 * equal.
 */
static bool rests_alike(const struct retarget_plan *plan, uint32_t node, double limit)
{
	uint32_t to = plan->from.nodes[node].partner, above = parent_of(&plan->from, node);
	uint32_t to_above = above == ANIM_POSE_NONE ? above : plan->from.nodes[above].partner;
	double from_at[3], to_at[3], from_up[3] = {0}, to_up[3] = {0};

	if (parent_of(&plan->to, to) != to_above || (to_above == ANIM_POSE_NONE && above != ANIM_POSE_NONE))
		return false;
	if (1 - fabs(anim_quat_dot_double(plan->from.rotations[node], plan->to.rotations[to])) > ALIKE_TURN)
		return false;
	place_of(&plan->from, node, from_at);
	place_of(&plan->to, to, to_at);
	if (above != ANIM_POSE_NONE) {
		place_of(&plan->from, above, from_up);
		place_of(&plan->to, to_above, to_up);
	}
	for (unsigned i = 0; i < 3; i++)
		if (fabs((to_at[i] - to_up[i]) - (from_at[i] - from_up[i]) * plan->ratio) > limit)
			return false;
	return true;
}

/*
 * Return whether one skeleton is a scaled copy of the other. If it is, set the ratio of the sizes, so that the motion
 * is unchanged.
 */
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

#define UNLIKE 10 /* times: humans differ less in size. Wrong units differ by 100 or 39, or by 56 for cmu. */

/* ---- Humans ---- */

/* Report that the axes of the source's bones do not come from its rest. */
static int note_axes(const struct retarget_plan *plan, const char *how, struct anim_error *error)
{
	return anim_diagnostics_note(
	    plan->options->diagnostics, "clip", error,
	    "the rest of the skeleton is not a pose, so the axes of bones were %s; if they are wrong, name a T-pose "
	    "with " ANIM_OPTION_TO("retarget", "from", "FILE@SECONDS"),
	    how);
}

/* Compute the frames of the source: from its rest, or from its motion, which is reported. */
static int find_source_frames(struct retarget_plan *plan, bool by_direction, struct anim_error *error)
{
	struct retarget_figure *from = &plan->figures[0];
	bool guessed;

	if (from->posed || from->samples == 0) {
		retarget_frames_of_rest(from, by_direction);
		return 0;
	}
	if (retarget_frames_of_motion(from, &guessed, &plan->arena, error) != 0)
		return -1;
	return note_axes(plan, guessed ? "guessed from the motion" : "found in the motion", error);
}

/* Compute the frames of both sides. Reports guesses. */
static int find_frames(struct retarget_plan *plan, struct anim_error *error)
{
	struct retarget_figure *from = &plan->figures[0], *to = &plan->figures[1];
	const double limit = (double)plan->options->silhouette_degrees;
	const bool tposes[2] = {retarget_figure_is_tpose(from, limit), retarget_figure_is_tpose(to, limit)};
	const bool by_direction = !(tposes[0] && tposes[1]);

	if (plan->to.skeleton->bound != NULL &&
	    anim_diagnostics_note(plan->options->diagnostics, "clip", error,
				  "the target does not rest in a T-pose, so the axes of its bones were taken from the "
				  "pose in which its skin was bound") != 0)
		return -1;
	/* If both have the same bones, the rest of one side shows the frames of both: a T-pose, or else a pose. */
	plan->known = NULL;
	if (by_direction && (from->posed || to->posed) && retarget_figures_same(from, to))
		plan->known = tposes[0] || !to->posed ? from : to;
	if (plan->known != NULL) {
		retarget_frames_of_rest(plan->known, by_direction);
		retarget_frames_copy(plan->known, plan->known == to ? from : to);
		return from->posed ? 0 : note_axes(plan, "taken from the target, which has the same bones", error);
	}
	if (find_source_frames(plan, by_direction, error) != 0)
		return -1;
	if (!to->posed && !from->posed && retarget_figures_alike(from, to)) {
		retarget_frames_copy(from, to);
		return 0;
	}
	if (!to->posed && !(to->bodied && to->standing) && plan->crossed[0] != NULL)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 ANIM_ADVICE(THE_MAP) " pairs '%.80s' with '%.80s', which is on the other side, so the "
						      "rest of the target is "
						      "not a pose of a human",
				 plan->crossed[0], plan->crossed[1]);
	if (!to->posed && !(to->bodied && to->standing))
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "the rest of the target is not a pose of a human; name a file with a T-pose, or a "
		    "time at which a clip of it shows one, with " ANIM_OPTION_TO("retarget", "to", "FILE@SECONDS"));
	retarget_frames_of_rest(to, by_direction);
	return to->posed ? 0
			 : anim_diagnostics_warn(plan->options->diagnostics, "clip", error,
						 "the target hardly rests in a pose of a human, so its bones may be "
						 "rotated; check the result, or " ANIM_ADVICE(NAME_TPOSE));
}

/* Return whether the source rests in a T-pose that faces z, with its feet on the ground. */
static bool is_ready(const struct retarget_plan *plan)
{
	const struct retarget_figure *from = &plan->figures[0];
	struct retarget_stand stand;

	if (plan->options->only_poseless)
		return from->posed;
	retarget_figure_stand(from, false, &stand);
	return retarget_figure_is_tpose(from, (double)plan->options->silhouette_degrees) && from->body[3] > 0.9999 &&
	       stand.rests;
}

/* Bring the target into the pose of the source, so that partners have the same orientation in their frames. */
static int pose_humans(struct retarget_plan *plan, struct anim_error *error)
{
	struct retarget_figure *from = &plan->figures[0], *to = &plan->figures[1];
	const double limit = (double)plan->options->silhouette_degrees;
	double turned[4], most = 0;
	unsigned posed = 0, quarters;
	uint32_t first = 0;

	if (plan->tpose) {
		/*
		 * Put the target, a copy of the source, into a T-pose. A foot that is below 0 in the motion is on the
		 * ground, so the ankle of the T-pose has the usual height.
		 */
		struct retarget_stand stand;

		if (find_source_frames(plan, !retarget_figure_is_tpose(from, limit), error) != 0)
			return -1;
		retarget_figure_stand(from, false, &stand);
		if (stand.ankle < 0)
			stand.ankle = USUAL_ANKLE * stand.legs;
		if (retarget_figure_to_tpose(from, &plan->to, to, stand.ankle, &plan->arena, error) != 0 ||
		    anim_diagnostics_note(plan->options->diagnostics, "clip", error,
					  "the rest of the skeleton became a T-pose on the ground, which players "
					  "expect; the motion is the same") != 0)
			return -1;
	} else if (find_frames(plan, error) != 0) {
		return -1;
	}
	quarters = to->facing - from->facing;
	if (face(plan, (to->mirrored ? -quarters : quarters) % 4, error) != 0)
		return -1;
	memcpy(turned, plan->facing, sizeof turned);
	retarget_frames_mirror(to, turned);
	anim_quat_multiply_double(turned, turned, from->body);
	for (uint32_t t = 0; t < plan->to.count; t++) {
		struct retarget_node *node = &plan->to.nodes[t];
		uint32_t n = node->partner;
		double *fix = node->fix, angle, same;

		memcpy(fix, retarget_fix_above(&plan->to, t), sizeof node->fix);
		if (n == ANIM_POSE_NONE || from->slots[n] < 0 || to->slots[t] < 0)
			continue;
		angle = retarget_figure_fix(from, from->slots[n], to, to->slots[t], turned, fix);
		/* neighbours with the same sign keep the signs of keys */
		same = anim_quat_dot_double(fix, retarget_fix_above(&plan->to, t));
		for (unsigned i = 0; i < 4 && same < 0; i++)
			fix[i] = -fix[i];
		first = angle > POSED && posed == 0 ? t : first;
		posed += angle > POSED;
		most = fmax(most, angle);
	}
	for (uint32_t t = 0; t < plan->to.count; t++)
		anim_quat_multiply_double(plan->to.rotations[t], plan->to.nodes[t].fix, plan->to.rotations[t]);
	return from->posed && !plan->tpose ? note_posed(plan, posed, first, most, error) : 0;
}

/* ---- The plan ---- */

int retarget_plan_make(struct retarget_plan *plan, struct anim_skeleton *from, struct anim_error *error)
{
	memcpy(plan->facing, no_rotation, sizeof plan->facing);
	if (begin_side(plan, &plan->from, from, error) != 0 ||
	    begin_side(plan, &plan->to, plan->options->to, error) != 0 || find_partners(plan, error) != 0 ||
	    check_main(plan, error) != 0 || check_parents(plan, error) != 0)
		return -1;

	/* Choose the node that --hips names, otherwise a human's hips, otherwise ANIM_POSE_NONE. */
	const char *name = plan->options->hips;
	struct anim_rests *rests = &plan->from.skeleton->poses.rests;
	const struct anim_rest *rest;

	plan->hips = ANIM_POSE_NONE;
	for (uint32_t n = plan->from.count; n-- > 0;) {
		const struct retarget_node *node = &plan->from.nodes[n];

		if (node->partner != ANIM_POSE_NONE &&
		    (node->bone == ANIM_BONE_HIPS || plan->to.nodes[node->partner].bone == ANIM_BONE_HIPS))
			plan->hips = n;
	}
	if (name != NULL) {
		rest = anim_rests_find(rests, ".", name);
		if (rest == NULL)
			rest = anim_rests_find_bone(rests, name);
		if (rest == NULL)
			rest = anim_rests_find_name(rests, name);
		plan->hips = rest == NULL ? ANIM_POSE_NONE : (uint32_t)(rest - rests->items);
		if (rest == NULL || plan->from.nodes[plan->hips].partner == ANIM_POSE_NONE)
			return anim_fail(error, ANIM_UNSUPPORTED, ANIM_OPTION("retarget", "hips") ": '%s' is %s", name,
					 rest == NULL ? "not a bone of the clip's skeleton"
						      : "not a bone of the target; match it with " ANIM_OPTION_TO(
							    "retarget", "map", "FILE"));
	}

	/* Make the figures of both sides if both have the bones of a human. */
	struct retarget_figure *figures = anim_arena_zeroed(&plan->arena, 2, sizeof *figures, error);

	if (figures == NULL || retarget_figure_make(&figures[0], &plan->from, &plan->to, &plan->arena, error) != 0 ||
	    retarget_figure_make(&figures[1], &plan->to, &plan->from, &plan->arena, error) != 0)
		return -1;
	if (figures[0].complete && figures[1].complete && plan->hips != ANIM_POSE_NONE) {
		for (unsigned i = 0; i < 2; i++)
			retarget_figure_judge(&figures[i]);
		plan->figures = figures;
	}

	for (unsigned i = 0; i < 2 && plan->figures != NULL; i++)
		retarget_frames_of_rest(&plan->figures[i], false);
	retarget_measure(plan);
	plan->same = plan->tpose ? plan->figures == NULL || (is_ready(plan) && !plan->folds) : are_same(plan);
	plan->waits = !plan->same && plan->figures != NULL && !(plan->tpose && is_ready(plan));
	if (note_apart(plan, error) != 0)
		return -1;
	return plan->waits ? 0 : retarget_plan_match(plan, error);
}

int retarget_plan_match(struct retarget_plan *plan, struct anim_error *error)
{
	plan->waits = false;
	if (!plan->same && !(plan->tpose && is_ready(plan)) &&
	    (plan->figures != NULL ? pose_humans(plan, error) != 0
				   : face(plan, find_quarters(plan), error) != 0 || pose(plan, error) != 0))
		return -1;
	if (!plan->same)
		retarget_measure(plan);
	if (plan->same || (plan->figures == NULL && (plan->same = are_same(plan))))
		memset(plan->lift, 0, sizeof plan->lift);
	if (!plan->same && !plan->tpose && plan->figures == NULL && plan->hips != ANIM_POSE_NONE && plan->from.human &&
	    plan->to.human &&
	    anim_diagnostics_note(plan->options->diagnostics, "clip", error,
				  "not all of the legs and arms have partners, so the size of the motion, "
				  "%.3g of the source, is a guess",
				  plan->ratio) != 0)
		return -1;

	/*
	 * Warn of a target that is much larger than the source: its positions are probably in another length unit. The
	 * motion of a larger source is scaled down, which is right whatever its unit is.
	 */
	const char *file = file_of(plan, false), *dot = file == NULL ? NULL : strrchr(file, '.');
	const bool has_unit = dot != NULL && (strcasecmp(dot, ".bvh") == 0 || strcasecmp(dot, ".amc") == 0);

	if (!(plan->ratio > UNLIKE))
		return 0;
	return anim_diagnostics_warn(
	    plan->options->diagnostics, NULL, error,
	    "the target%s%.200s%s is %.0f times as large as the source; if its length unit is wrong, %s",
	    file != NULL ? " (" : "", file != NULL ? file : "", file != NULL ? ")" : "", plan->ratio,
	    has_unit ? "set it with " ANIM_OPTION("retarget", "unit") : "convert it in the program that made it");
}

int retarget_find_human(struct retarget_plan *plan, struct anim_error *error)
{
	if (begin_side(plan, &plan->to, plan->options->to, error) != 0 ||
	    name_bones(&plan->to, &plan->arena, error) != 0)
		return -1;
	/* The bones that the map gives to Unity's names. A map that has hips has all bones: then no name is guessed. */
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
			return anim_fail(
			    error, ANIM_UNSUPPORTED,
			    "the target has no bone '%s', which " ANIM_OPTION("retarget", "map") " names for %s", name,
			    human);
		for (unsigned other = 0; other < ANIM_HUMAN_BONES; other++)
			if (side->bones[other] == to)
				side->bones[other] = ANIM_POSE_NONE;
		side->bones[b] = to;
		if (check_sides(plan, human, own_name(side, to), error) != 0)
			return -1;
	}

	return anim_rests_check(&plan->to.skeleton->poses.rests, error);
}

void retarget_plan_clear(struct retarget_plan *plan)
{
	const struct anim_retarget_options *options = plan->options;
	const bool tpose = plan->tpose;

	anim_arena_clear(&plan->arena);
	*plan = (struct retarget_plan){.options = options, .tpose = tpose};
}
