/* pairs.c: partners by what was given, by name and by place. */
#include "filter/mirror/pairs.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"

#define UNKNOWN (ANIM_POSE_NONE - 1)
#define BESIDE 0.2 /* of its length: a middle bone whose way leads so much along the normal may be none */
#define ACROSS 0.7 /* the same: it surely lies across the plane */
#define NEAR 0.02  /* of the extent: how far a partner's rest may be from the mirror image */

struct mirror_node {
	const char *name; /* its own */
	struct mirror_side side;
	uint64_t key, bare;   /* of the name without its side; without its digits and what parts them, too */
	uint32_t child, next; /* ANIM_POSE_NONE: no more */
	uint32_t partner;     /* UNKNOWN: not looked for yet */
	double at[3];         /* from its parent, in the tree's axes */
};

/* ---- Sides in names ---- */

static bool is_letter(char c)
{
	return isalpha((unsigned char)c) != 0;
}

/* Bytes of a word for a side that begins here; 0: none does. */
static size_t word_at(const char *name, char *side)
{
	if (strncasecmp(name, "left", 4) == 0) {
		*side = 'l';
		return 4;
	}
	if (strncasecmp(name, "right", 5) == 0) {
		*side = 'r';
		return 5;
	}
	*side = name[0] == 'L' || name[0] == 'l' ? 'l' : name[0] == 'R' || name[0] == 'r' ? 'r' : '\0';
	return *side != '\0';
}

/* Nothing runs into the word from the left: the name begins, no letter stands there, or capitals begin with it. */
static bool begins_here(const char *name, size_t at)
{
	return at == 0 || !is_letter(name[at - 1]) ||
	       (islower((unsigned char)name[at - 1]) != 0 && isupper((unsigned char)name[at]) != 0);
}

/* A letter alone must be set off: "arm_L", "L.arm", "LArm", but neither "armL" nor "Lamp". */
static bool ends_here(const char *name, size_t at, size_t length)
{
	const char *behind = name + at + length;

	if (length > 1)
		return islower((unsigned char)*behind) == 0 || islower((unsigned char)name[at]) != 0;
	if (!is_letter(*behind) && !isdigit((unsigned char)*behind))
		return at == 0 ? *behind != '\0' : !isdigit((unsigned char)name[at - 1]) && !is_letter(name[at - 1]);
	return at == 0 && isupper((unsigned char)behind[0]) != 0 && islower((unsigned char)behind[1]) != 0;
}

struct mirror_side mirror_side_of(const char *name, bool at_end)
{
	struct mirror_side found = {0};

	for (size_t at = 0; name[at] != '\0'; at++) {
		char side;
		size_t length = word_at(name + at, &side);

		if (length == 0 || !begins_here(name, at) || !ends_here(name, at, length) ||
		    (at_end && name[at + length] != '\0') || (found.length > 1 && length == 1))
			continue;
		if (found.length <= 1 || length > 1)
			found = (struct mirror_side){side, at, length};
	}
	return found;
}

char anim_side_of_name(const char *name)
{
	return mirror_side_of(name, false).side;
}

const char *mirror_other_side(const char *name, struct mirror_side side, struct anim_arena *arena,
			      struct anim_error *error)
{
	const char *other = side.side == 'l' ? "right" : "left";
	char word[6];
	size_t length = side.length == 1 ? 1 : strlen(other);

	for (size_t i = 0; i < length; i++) {
		char like = name[side.start + (i < side.length ? i : side.length - 1)];

		word[i] = isupper((unsigned char)like) != 0 ? (char)toupper((unsigned char)other[i]) : other[i];
	}
	return anim_arena_printf(arena, error, "%.*s%.*s%s", (int)side.start, name, (int)length, word,
				 name + side.start + side.length);
}

/* Of the name without its side; bare: without digits and what parts words. Piece by piece, so that it needs no memory. */
static uint64_t key_of(const struct mirror_node *node, bool bare)
{
	uint64_t hash = 0;
	char piece[64];
	size_t length = 0;

	for (size_t i = 0; node->name[i] != '\0'; i++) {
		char c = node->name[i];

		if (i == node->side.start && node->side.length > 0) {
			i += node->side.length - 1;
			c = '*';
		} else if (bare && (isdigit((unsigned char)c) != 0 || strchr("_.- ", c) != NULL)) {
			continue;
		}
		piece[length++] = c;
		if (length < sizeof piece)
			continue;
		hash = anim_hash(hash, piece, length);
		length = 0;
	}
	return anim_hash(hash, piece, length);
}

/* ---- Places ---- */

/* How far the nodes' places, each seen from its parent, are from being mirror images; of the extent. */
static double distance(const struct mirror_pairs *pairs, const struct mirror_node *a, const struct mirror_node *b)
{
	double square = 0;

	for (unsigned i = 0; i < 3; i++) {
		double off = (i == pairs->normal ? -a->at[i] : a->at[i]) - b->at[i];

		square += off * off;
	}
	return pairs->extent > 0 ? sqrt(square) / pairs->extent : 0;
}

/* So much of the way from its parent, and more, leads through the plane: its mirror image points elsewhere. */
static bool lies_across(const struct mirror_pairs *pairs, const struct mirror_node *node, double share)
{
	double square = 0;

	for (unsigned i = 0; i < 3; i++)
		square += node->at[i] * node->at[i];
	return fabs(node->at[pairs->normal]) > share * sqrt(square);
}

bool mirror_pairs_across(const struct mirror_pairs *pairs, uint32_t node)
{
	return pairs->sided && pairs->nodes[node].side.side == 0 && lies_across(pairs, &pairs->nodes[node], ACROSS);
}

static void place_nodes(struct mirror_pairs *pairs)
{
	double low[3], high[3];

	for (uint32_t n = 0; n < anim_poses_count(pairs->poses); n++) {
		uint32_t parent = anim_poses_parent(pairs->poses, n);
		const double *at = anim_poses_at(pairs->poses, n, 0);

		for (unsigned i = 0; i < 3; i++) {
			double place = at[4 * i + 3];

			pairs->nodes[n].at[i] = parent == ANIM_POSE_NONE
						    ? place
						    : place - anim_poses_at(pairs->poses, parent, 0)[4 * i + 3];
			low[i] = n == 0 || place < low[i] ? place : low[i];
			high[i] = n == 0 || place > high[i] ? place : high[i];
		}
	}
	for (unsigned i = 0; i < 3 && anim_poses_count(pairs->poses) > 0; i++)
		pairs->extent += (high[i] - low[i]) * (high[i] - low[i]);
	pairs->extent = sqrt(pairs->extent);
}

/* Which axis most lies between the two nodes of names that differ in their side. */
static int find_normal(struct mirror_pairs *pairs, struct anim_error *error)
{
	struct anim_map lefts = {0};
	double sum[3] = {0};
	int result = 0;

	for (uint32_t n = 0; n < anim_poses_count(pairs->poses) && result == 0; n++)
		if (pairs->nodes[n].side.side == 'l')
			result = anim_map_put(&lefts, 0, &pairs->nodes[n].key, sizeof pairs->nodes[n].key, n, error);
	for (uint32_t n = 0, left; n < anim_poses_count(pairs->poses) && result == 0; n++) {
		const struct mirror_node *node = &pairs->nodes[n];
		double between[3], length = 0;

		if (node->side.side != 'r' || !anim_map_get(&lefts, 0, &node->key, sizeof node->key, &left))
			continue;
		for (unsigned i = 0; i < 3; i++) {
			between[i] = anim_poses_at(pairs->poses, n, 0)[4 * i + 3] -
				     anim_poses_at(pairs->poses, left, 0)[4 * i + 3];
			length += between[i] * between[i];
		}
		for (unsigned i = 0; i < 3 && length > 0; i++)
			sum[i] += fabs(between[i]) / sqrt(length);
	}
	anim_map_clear(&lefts);
	pairs->normal = sum[1] > sum[0] && sum[1] >= sum[2] ? 1 : sum[2] > sum[0] ? 2 : 0;
	return result;
}

static void enter(struct mirror_pairs *pairs, uint32_t n)
{
	struct mirror_node *node = &pairs->nodes[n];
	uint32_t parent = anim_poses_parent(pairs->poses, n);

	node->name = anim_node_own_name(anim_poses_path(pairs->poses, n));
	node->side = mirror_side_of(node->name, false);
	pairs->sided |= node->side.side != 0;
	node->key = key_of(node, false);
	node->bare = key_of(node, true);
	node->partner = UNKNOWN;
	node->child = node->next = ANIM_POSE_NONE;
	if (parent == ANIM_POSE_NONE)
		return;
	node->next = pairs->nodes[parent].child;
	pairs->nodes[parent].child = n;
}

int mirror_pairs_begin(struct mirror_pairs *pairs, const struct anim_poses *poses,
		       const struct anim_mirror_options *options, struct anim_error *error)
{
	size_t count = anim_poses_count(poses);

	mirror_pairs_clear(pairs);
	pairs->poses = poses;
	pairs->given = options->pairs;
	pairs->nodes = anim_arena_zeroed(&pairs->arena, count + 1, sizeof *pairs->nodes, error);
	if (pairs->nodes == NULL)
		return -1;
	for (uint32_t n = 0; n < count; n++)
		enter(pairs, n);
	place_nodes(pairs);
	if (options->plane != ANIM_MIRROR_FIND)
		pairs->normal = (unsigned)(options->plane - ANIM_MIRROR_NORMAL_X);
	return options->plane != ANIM_MIRROR_FIND ? 0 : find_normal(pairs, error);
}

void mirror_pairs_clear(struct mirror_pairs *pairs)
{
	anim_arena_clear(&pairs->arena);
	anim_buffer_clear(&pairs->way);
	memset(pairs, 0, sizeof *pairs);
}

/* ---- Partners ---- */

static bool is_given(const struct mirror_pairs *pairs, const char *from, const char *to)
{
	const char *name = anim_rename_map_get(pairs->given, from, strlen(from));

	return name != NULL && strcmp(name, to) == 0;
}

static bool is_in_list(const struct mirror_pairs *pairs, const char *name)
{
	return pairs->given != NULL && anim_rename_map_get(pairs->given, name, strlen(name)) != NULL;
}

/* How good a partner b is for a; 0: none. */
static unsigned rank(const struct mirror_pairs *pairs, const struct mirror_node *a, const struct mirror_node *b)
{
	bool is_near = distance(pairs, a, b) <= NEAR, sides = a->side.side != 0 && b->side.side != 0;
	bool other = sides && a->side.side != b->side.side;

	if (pairs->given != NULL && (is_given(pairs, a->name, b->name) || is_given(pairs, b->name, a->name)))
		return 7;
	if (is_in_list(pairs, a->name) || is_in_list(pairs, b->name))
		return 0;
	if (other && is_near && a->key == b->key)
		return 6;
	if (other && is_near && a->bare == b->bare)
		return 5;
	if (a == b && is_near && a->side.side == 0) /* what is in the middle is its own before it is another's */
		return 4;
	if (a != b && is_near && (!sides || other))
		return 3;
	if (other && a->key == b->key)
		return 2;
	return a == b && (is_near || (a->side.side == 0 && pairs->sided && !lies_across(pairs, a, BESIDE))) ? 1 : 0;
}

static uint32_t best_of(const struct mirror_pairs *pairs, uint32_t node, uint32_t parent)
{
	const struct mirror_node *own = &pairs->nodes[node];
	uint32_t best = ANIM_POSE_NONE;
	unsigned high = 0;

	/* No other is as good for what is in the middle and has no side, however many there are. */
	if (pairs->given == NULL && own->side.side == 0 && anim_poses_parent(pairs->poses, node) == parent &&
	    distance(pairs, own, own) <= NEAR)
		return node;
	for (uint32_t n = pairs->nodes[parent].child; n != ANIM_POSE_NONE; n = pairs->nodes[n].next) {
		unsigned rated = rank(pairs, &pairs->nodes[node], &pairs->nodes[n]);

		if (rated > high || (rated == high && rated > 0 &&
				     distance(pairs, &pairs->nodes[node], &pairs->nodes[n]) <
					 distance(pairs, &pairs->nodes[node], &pairs->nodes[best]))) {
			best = n;
			high = rated;
		}
	}
	return best;
}

/* The parent's partner is known. Who chooses another is none. */
static void settle(struct mirror_pairs *pairs, uint32_t node)
{
	uint32_t parent = anim_poses_parent(pairs->poses, node), best = ANIM_POSE_NONE;
	uint32_t other = parent == ANIM_POSE_NONE ? ANIM_POSE_NONE : pairs->nodes[parent].partner;
	double off;

	if (parent == ANIM_POSE_NONE)
		best = node;
	else if (other != ANIM_POSE_NONE)
		best = best_of(pairs, node, other);
	if (best != ANIM_POSE_NONE && parent != ANIM_POSE_NONE && best_of(pairs, best, parent) != node)
		best = ANIM_POSE_NONE;
	pairs->nodes[node].partner = best;
	if (best == ANIM_POSE_NONE || parent == ANIM_POSE_NONE)
		return;
	off = distance(pairs, &pairs->nodes[node], &pairs->nodes[best]);
	if (off > pairs->worst) {
		pairs->worst = off;
		pairs->worst_node = node;
	}
}

/* From the nearest node above whose partner is known, down: trees may be deep. */
int mirror_pairs_find(struct mirror_pairs *pairs, uint32_t node, uint32_t *partner, struct anim_error *error)
{
	pairs->way.size = 0;
	for (uint32_t n = node; n != ANIM_POSE_NONE && pairs->nodes[n].partner == UNKNOWN;
	     n = anim_poses_parent(pairs->poses, n))
		if (anim_buffer_append(&pairs->way, &n, sizeof n, error) != 0)
			return -1;
	for (size_t i = pairs->way.size / sizeof node; i > 0; i--)
		settle(pairs, ((const uint32_t *)(const void *)pairs->way.data)[i - 1]);
	*partner = pairs->nodes[node].partner;
	return 0;
}
