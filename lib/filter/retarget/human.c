/* human.c: which nodes of a tree are the bones of a human: by what they are called, and by what hangs on what. */
#include <string.h>

#include "filter/retarget/internal.h"

#define HUMAN 5    /* bones that must be known */
#define WAY 64     /* nodes: so far above a bone of a limb the one before it is looked for */
#define PREFIXES 8 /* words that a prefix may have */

#define NONE ANIM_HUMAN_BONES /* of bones */

/* What is found out about one tree, by its nodes. */
struct naming {
	const struct retarget_side *side;
	struct anim_bone_guess *guesses;
	enum anim_human_bone *bones; /* what each node is; NONE */
	bool *above;                 /* of the doubtful: the lower one of its two hangs on it, so it is the upper one */
};

static uint32_t parent_of(const struct retarget_side *side, uint32_t node)
{
	return anim_poses_parent(&side->skeleton->poses, node);
}

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

		if (!anim_plain_name(&name, retarget_own_name(side, n)))
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
		const char *vrm = retarget_name_of(naming->side, n)->vrm;
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
		if (!anim_plain_name(&name, retarget_own_name(naming->side, n)) || name.length <= length ||
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
	return retarget_name_of(side, node)->kind == ANIM_NODE_BONE;
}

/* One node for each bone. One that does not hang on the bone before it is none; bones go before what hangs on them, else the first counts. */
static void choose_bones(struct naming *naming, struct retarget_side *side)
{
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		side->bones[b] = ANIM_POSE_NONE;
	for (uint32_t n = 0; n < side->count; n++) {
		enum anim_human_bone bone = naming->bones[n], before = bone == NONE ? NONE : bone_before(bone);

		if (before != NONE && find_above(naming, n, before) == ANIM_POSE_NONE)
			bone = naming->bones[n] = NONE;
		if (bone != NONE &&
		    (side->bones[bone] == ANIM_POSE_NONE || (is_joint(side, n) && !is_joint(side, side->bones[bone]))))
			side->bones[bone] = n;
	}
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

int retarget_name_bones(struct retarget_side *side, struct anim_arena *arena, struct anim_error *error)
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
	choose_bones(&naming, side);
	if ((told ? list_told(side, arena, error) : find_trunk(&naming, side, arena, error)) != 0)
		return -1;
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		known += side->bones[b] != ANIM_POSE_NONE;
	side->human = told || (known >= HUMAN && side->bones[ANIM_BONE_HIPS] != ANIM_POSE_NONE);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		if (side->human && side->bones[b] != ANIM_POSE_NONE)
			side->nodes[side->bones[b]].bone = anim_human_bone_name((enum anim_human_bone)b);
	return 0;
}
