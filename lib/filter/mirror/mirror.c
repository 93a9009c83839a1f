/* mirror.c: finds the mirror partner of each node, and converts tracks to the partners. */
#include "filter/mirror/mirror.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/advice.h"
#include "base/hash.h"
#include "base/text.h"
#include "filter/common/affine.h"
#include "filter/filter.h"
#include "filter/retarget/muscle.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

/* ======== Partners: given by the user, by name and by place ======== */

/* The side in a name, and the position of its word or letter. */
struct mirror_side {
	char side; /* 'l', 'r'; 0: none */
	size_t start, length;
};

static const double unrotated[4] = {0, 0, 0, 1};

#define UNKNOWN (ANIM_POSE_NONE - 1)
#define BESIDE 0.2 /* share of its length: a middle bone that points so far along the normal may have no mirror image */
#define ACROSS 0.7 /* the same: it certainly crosses the plane */
#define WAY 64     /* nodes: largest distance of hair or clothes from a human's bone */
#define NEAR 0.02  /* share of the extent: largest distance of a partner's rest position from the mirror image */

struct mirror_node {
	const char *name; /* without its path */
	struct mirror_side side;
	uint64_t key, bare;   /* of the name without its side; also without digits and separators */
	uint32_t child, next; /* ANIM_POSE_NONE: the last one */
	uint32_t partner;     /* UNKNOWN: not yet searched */
	bool spine;           /* a human's hips, spine, neck or head by its name */
	bool alone;   /* it has no partner, but it is part of a human's hair or clothes: it is its own partner */
	bool fitted;  /* `fit` is known */
	double at[3]; /* from its parent, along the tree's axes */
	/*
	 * The rotation, about the tree's axes, of the node's rest pose to the mirror image of its partner's. None in a
	 * symmetric rest pose.
	 */
	double fit[4];
};

/* All-zero is empty. */
struct mirror_pairs {
	const struct anim_poses *poses; /* borrowed, with every node in its rest pose */
	struct anim_rename_map *given;
	unsigned normal;           /* of the plane: 0 to 2 */
	double extent;             /* diagonal of the box around all nodes */
	struct mirror_node *nodes; /* one per node of the poses */
	bool sided;                /* some names have a side, so nodes without a side are in the middle */
	bool posed;                /* the rest pose is a pose of a clip */
	/* Largest distance between a rest position and its partner's mirror image, as a share of the extent. */
	double worst;
	uint32_t worst_node;
	double (*turn)[4]; /* of each node in its rest pose, along the tree's axes */
	uint32_t turned;   /* a node with a fit, or ANIM_POSE_NONE */
	uint32_t guessed;  /* a node with a fit whose rotation about the bone is a guess, or ANIM_POSE_NONE */
	struct anim_arena arena;
	struct anim_buffer way;
};

/* ---- Sides in names ---- */

static bool is_letter(char c)
{
	return isalpha((unsigned char)c) != 0;
}

/* Return the length of a word for a side that begins here, or 0. */
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
	if (strncmp(name, "左", 3) == 0 || strncmp(name, "右", 3) == 0) {
		*side = strncmp(name, "左", 3) == 0 ? 'l' : 'r';
		return 3;
	}
	*side = name[0] == 'L' || name[0] == 'l' ? 'l' : name[0] == 'R' || name[0] == 'r' ? 'r' : '\0';
	return *side != '\0';
}

/*
 * Find the side in a name such as "LeftArm", "upperarm_l", "Bip01 L Thigh", "Hand.R.001", "arm_joint_L__4_" or "左腕". A
 * single letter must be separate: "arm_L", "L.arm", "LArm", but not "armL" or "Lamp". at_end: the word must be at the end of
 * the name.
 */
static struct mirror_side side_of(const char *name, bool at_end)
{
	struct mirror_side found = {0};

	for (size_t at = 0; name[at] != '\0'; at++) {
		char side;
		size_t length = word_at(name + at, &side);
		const char *after = name + at + length;
		bool ends;

		if (length == 0 ||
		    !(at == 0 || !is_letter(name[at - 1]) ||
		      (islower((unsigned char)name[at - 1]) != 0 && isupper((unsigned char)name[at]) != 0)))
			continue;
		if (length > 1)
			ends = islower((unsigned char)*after) == 0 || islower((unsigned char)name[at]) != 0;
		else if (!is_letter(*after) && !isdigit((unsigned char)*after))
			ends = at == 0 ? *after != '\0'
				       : !isdigit((unsigned char)name[at - 1]) && !is_letter(name[at - 1]);
		else
			ends =
			    at == 0 && isupper((unsigned char)after[0]) != 0 && islower((unsigned char)after[1]) != 0;
		if (!ends || (at_end && *after != '\0') || (found.length > 1 && length == 1))
			continue;
		if (found.length <= 1 || length > 1)
			found = (struct mirror_side){side, at, length};
	}
	return found;
}

/*
 * Find the side in a name, also if nothing separates it: "lhand", "handleft". Then it must be a human bone's name with
 * this side.
 */
static struct mirror_side side_of_bone(const char *name)
{
	static const char *const words[] = {"left", "right", "l", "r"};
	struct mirror_side found = side_of(name, false);
	struct anim_bone_guess guess;
	size_t length = strlen(name);
	const char *bone;

	if (found.side != 0 || !anim_bone_of_name(&guess, name))
		return found;
	bone = anim_human_bone_name(guess.bones[0]);
	for (int i = 0; i < 8; i++) {
		const char *word = words[i / 2];
		size_t size = strlen(word), at = i % 2 == 0 ? 0 : length - size;

		if (length > size && strncasecmp(name + at, word, size) == 0 &&
		    strncmp(bone, word[0] == 'l' ? "Left" : "Right", strlen(word[0] == 'l' ? "Left" : "Right")) == 0)
			return (struct mirror_side){word[0], at, size};
	}
	return found;
}

char anim_side_of_name(const char *name)
{
	return side_of_bone(name).side;
}

/*
 * Return a hash of the name without its side, and if `bare`, also without digits and separators. It is computed piece
 * by piece, without allocation.
 */
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

/* Return the fit of a node's parent. */
static const double *fit_above(const struct mirror_pairs *pairs, uint32_t node)
{
	uint32_t parent = anim_poses_parent(pairs->poses, node);

	return parent == ANIM_POSE_NONE ? unrotated : pairs->nodes[parent].fit;
}

/*
 * Return how far the nodes' positions, relative to their parents, are from being mirror images, as a share of the
 * extent.
 */
static double distance(const struct mirror_pairs *pairs, const struct mirror_node *a, const struct mirror_node *b)
{
	double square = 0, at[3];

	anim_quat_rotate_double(at, fit_above(pairs, (uint32_t)(a - pairs->nodes)), a->at);
	for (unsigned i = 0; i < 3; i++) {
		double off = (i == pairs->normal ? -at[i] : at[i]) - b->at[i];

		square += off * off;
	}
	return pairs->extent > 0 ? sqrt(square) / pairs->extent : 0;
}

/*
 * Return whether at least this share of the node's direction from its parent is along the plane's normal. Then its
 * mirror image points elsewhere.
 */
static bool lies_across(const struct mirror_pairs *pairs, const struct mirror_node *node, double share)
{
	double square = 0;

	for (unsigned i = 0; i < 3; i++)
		square += node->at[i] * node->at[i];
	return fabs(node->at[pairs->normal]) > share * sqrt(square);
}

/* Find the axis along which nodes with the same name on different sides are farthest apart. */
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

static void pairs_clear(struct mirror_pairs *pairs)
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

/* Return how good a partner b is for a. 0: not a partner. */
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
	if (a == b && is_near && a->side.side == 0) /* a node in the middle is its own partner rather than another's */
		return 4;
	if (a != b && is_near && (!sides || other))
		return 3;
	if (other && a->key == b->key)
		return 2;
	return a == b && (is_near ||
			  (a->side.side == 0 && pairs->sided && !lies_across(pairs, a, a->spine ? ACROSS : BESIDE)))
		   ? 1
		   : 0;
}

static uint32_t best_of(const struct mirror_pairs *pairs, uint32_t node, uint32_t parent)
{
	const struct mirror_node *own = &pairs->nodes[node];
	uint32_t best = ANIM_POSE_NONE;
	unsigned high = 0;

	/* No other node is as good for a node in the middle without a side. This avoids a search among many nodes. */
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

/* ---- Rest poses that are not symmetric ---- */

/*
 * Motion capture often has a rest that no body can take: all bones along their own x axis. Then the rest alone does not show
 * which rotation is the mirror image of another one. The places of the children do: the mirrored parent must
 * bring each child to the mirror image of its partner's place.
 */
#define FIT_CHILDREN 64 /* of a node: a bone has fewer */
#define BENT 0.25       /* chord of directions: this far apart, they are of another pose, not of a lopsided one */
#define FITS 0.01       /* the same: largest distance of directions that agree */
#define FIT_BELOW 8     /* nodes: largest distance of such a node */
#define APART 0.2       /* sine of the smallest angle between two directions that determine a rotation */

/* The directions of a node's children, and the mirror images of their partners' directions. */
struct mirror_images {
	size_t count;
	double from[FIT_CHILDREN][3], to[FIT_CHILDREN][3];
};

/* Return the child of `other` that is the partner of `child` by its name, or NULL. */
static const struct mirror_node *namesake(const struct mirror_pairs *pairs, const struct mirror_node *child,
					  uint32_t node, uint32_t other)
{
	size_t count = 0;

	if (child->side.side == 0 && (node != other || !child->spine || !pairs->nodes[node].spine))
		return NULL;
	for (uint32_t n = pairs->nodes[other].child; n != ANIM_POSE_NONE && count++ < FIT_CHILDREN;
	     n = pairs->nodes[n].next) {
		const struct mirror_node *found = &pairs->nodes[n];

		if (found->key == child->key &&
		    (child->side.side == 0 ? found == child
					   : found->side.side != 0 && found->side.side != child->side.side))
			return found;
	}
	return NULL;
}

static void find_images(const struct mirror_pairs *pairs, uint32_t node, uint32_t other, struct mirror_images *images)
{
	size_t seen = 0;

	images->count = 0;
	for (uint32_t n = pairs->nodes[node].child; n != ANIM_POSE_NONE && seen++ < FIT_CHILDREN;
	     n = pairs->nodes[n].next) {
		const struct mirror_node *own = &pairs->nodes[n], *to = namesake(pairs, own, node, other);
		double lengths[2] = {anim_vec3_length_double(own->at),
				     to == NULL ? 0 : anim_vec3_length_double(to->at)};

		if (lengths[0] <= 1e-3 * pairs->extent || lengths[1] <= 0.5 * lengths[0] ||
		    lengths[1] >= 2 * lengths[0])
			continue;
		for (unsigned i = 0; i < 3; i++) {
			images->from[images->count][i] = own->at[i] / lengths[0];
			images->to[images->count][i] = (i == pairs->normal ? -to->at[i] : to->at[i]) / lengths[1];
		}
		images->count++;
	}
}

/* Return the largest distance between the rotated directions and the images. */
static double misfit(const struct mirror_images *images, const double fit[4])
{
	double worst = 0;

	for (size_t i = 0; i < images->count; i++) {
		double at[3];

		anim_quat_rotate_double(at, fit, images->from[i]);
		anim_vec3_subtract(at, at, images->to[i]);
		worst = fmax(worst, anim_vec3_length_double(at));
	}
	return worst;
}

/* Find the rotation from two directions that are not along one line. Returns false if all are along one line. */
static bool fit_two(const struct mirror_images *images, double fit[4])
{
	double widest = APART, rotations[2][4], back[4];
	size_t second = 0;

	for (size_t i = 1; i < images->count; i++) {
		double normal[3];

		anim_vec3_cross_double(normal, images->from[0], images->from[i]);
		if (anim_vec3_length_double(normal) > widest) {
			widest = anim_vec3_length_double(normal);
			second = i;
		}
	}
	if (second == 0)
		return false;
	for (int i = 0; i < 2; i++) {
		const double(*at)[3] = i == 0 ? images->from : images->to;
		double x[3], y[3], z[3];

		memcpy(x, at[0], sizeof x);
		anim_vec3_cross_double(z, x, at[second]);
		if (anim_vec3_unit(z) < APART / 2)
			return false;
		anim_vec3_cross_double(y, z, x);
		anim_quat_from_axes_double(rotations[i], x, y, z);
	}
	anim_quat_conjugate_double(back, rotations[0]);
	anim_quat_multiply_double(fit, rotations[1], back);
	return misfit(images, fit) <= BENT;
}

/*
 * Find the rotation of a node's rest pose from its children alone. If they are along one line, take the first of these
 * that fits: the rotation of the parent, of bones whose axes are all opposite (as Maya mirrors them), of the next node
 * below whose children determine it, or none. Then rotate the best of them the shortest way.
 */
static void fit_bent(struct mirror_pairs *pairs, uint32_t node, uint32_t other, const struct mirror_images *images,
		     const double above[4], double fit[4])
{
	double half[4] = {0}, back[4], turn[4], at[3], best = INFINITY;
	uint32_t at_node[2] = {node, other};
	struct mirror_images below;
	double choices[4][4] = {{above[0], above[1], above[2], above[3]}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}};
	bool guess = true;

	if (fit_two(images, fit))
		return;
	below.count = 0;
	half[pairs->normal] = 1;
	anim_quat_conjugate_double(back, pairs->turn[node]);
	anim_quat_multiply_double(choices[1], pairs->turn[other], back);
	anim_quat_multiply_double(choices[1], half, choices[1]);
	for (int i = 0; i < FIT_BELOW && !fit_two(&below, choices[2]); i++) {
		const struct mirror_node *to = NULL;
		uint32_t child = pairs->nodes[at_node[0]].child;

		for (size_t seen = 0; child != ANIM_POSE_NONE && seen < FIT_CHILDREN && to == NULL; seen++) {
			to = namesake(pairs, &pairs->nodes[child], at_node[0], at_node[1]);
			at_node[0] = to != NULL ? child : at_node[0];
			child = pairs->nodes[child].next;
		}
		if (to == NULL)
			break;
		at_node[1] = (uint32_t)(to - pairs->nodes);
		find_images(pairs, at_node[0], at_node[1], &below);
	}
	for (int i = 0; i < 4 && best > FITS; i++) {
		double off = misfit(images, choices[i]);

		if (off >= best)
			continue;
		best = off;
		memcpy(fit, choices[i], 4 * sizeof *fit);
		guess = (best > FITS || i == 3) && !pairs->posed;
	}
	anim_quat_rotate_double(at, fit, images->from[0]);
	anim_quat_between_double(turn, at, images->to[0]);
	anim_quat_multiply_double(fit, turn, fit);
	if (guess && pairs->guessed == ANIM_POSE_NONE)
		pairs->guessed = node;
}

/* Return whether a child of `node` is far from the mirror image of its namesake, and of all other children of `other`. */
static bool is_bent(const struct mirror_pairs *pairs, uint32_t node, uint32_t other)
{
	size_t seen[2] = {0};

	for (uint32_t n = pairs->nodes[node].child; n != ANIM_POSE_NONE && seen[0]++ < FIT_CHILDREN;
	     n = pairs->nodes[n].next) {
		const struct mirror_node *own = &pairs->nodes[n];
		double most = fmin(NEAR, BENT * anim_vec3_length_double(own->at) / pairs->extent);
		bool found = namesake(pairs, own, node, other) == NULL;

		seen[1] = 0;
		for (uint32_t k = pairs->nodes[other].child; k != ANIM_POSE_NONE && !found && seen[1]++ < FIT_CHILDREN;
		     k = pairs->nodes[k].next)
			found = distance(pairs, own, &pairs->nodes[k]) <= most;
		if (!found)
			return true;
	}
	return false;
}

/* Find the rotation of a node's rest pose to the mirror image of its partner's, and the same for the partner. */
static void fit_rest(struct mirror_pairs *pairs, uint32_t node, uint32_t other)
{
	const double *above = fit_above(pairs, node);
	struct mirror_node *own = &pairs->nodes[node];
	struct mirror_images images;
	bool bent = pairs->posed || memcmp(above, unrotated, sizeof unrotated) != 0;

	if (own->fitted)
		return;
	memcpy(own->fit, above, sizeof own->fit);
	find_images(pairs, node, other, &images);
	if (images.count > 0 && misfit(&images, above) > (bent ? 1e-6 : BENT) &&
	    (bent || is_bent(pairs, node, other)) && (own->spine || own->side.side != 0) &&
	    !anim_poses_is_flat(pairs->poses, node)) {
		fit_bent(pairs, node, other, &images, above, own->fit);
		if (misfit(&images, own->fit) > BENT)
			memcpy(own->fit, above, sizeof own->fit);
		else
			pairs->turned = node;
	}
	own->fitted = true;
	if (node == other)
		return;
	memcpy(pairs->nodes[other].fit, own->fit, sizeof own->fit);
	pairs->nodes[other].fit[pairs->normal] *= -1;
	pairs->nodes[other].fitted = true;
}

/* Return whether the node is a bone, not a human's, somewhere below one: hair, clothes, accessories. */
static bool is_accessory(const struct mirror_pairs *pairs, uint32_t node)
{
	struct anim_bone_guess guess;

	if (pairs->poses->rests.items[node].kind != ANIM_NODE_BONE ||
	    anim_bone_of_name(&guess, pairs->nodes[node].name) || is_in_list(pairs, pairs->nodes[node].name))
		return false;
	for (int i = 0; i < WAY && node != ANIM_POSE_NONE; i++, node = anim_poses_parent(pairs->poses, node))
		if (anim_bone_of_name(&guess, pairs->nodes[node].name))
			return true;
	return false;
}

/*
 * Find the partner of a node, which may be the node itself. Their parents must also be partners. Candidates, best
 * first:
 * - pairs from the user,
 * - names that differ only in their side,
 * - the same without digits,
 * - the node itself, if its name has no side,
 * - another node, unless both names have the same side,
 * - names that differ only in their side, wherever they are,
 * - the node itself, if its name has no side, other names have one, and it does not cross the plane.
 *
 * The second to fifth kind need rest poses that are mirror images to 2 % of the extent. *partner is ANIM_POSE_NONE if
 * no node matches. The search starts at the nearest ancestor with a known partner, without recursion, because trees may
 * be deep. Returns 0 or -1.
 */
static int pairs_find(struct mirror_pairs *pairs, uint32_t node, uint32_t *partner, struct anim_error *error)
{
	pairs->way.size = 0;
	for (uint32_t n = node; n != ANIM_POSE_NONE && pairs->nodes[n].partner == UNKNOWN;
	     n = anim_poses_parent(pairs->poses, n))
		if (anim_buffer_append(&pairs->way, &n, sizeof n, error) != 0)
			return -1;
	for (size_t i = pairs->way.size / sizeof node; i > 0; i--) {
		uint32_t n = ((const uint32_t *)(const void *)pairs->way.data)[i - 1], best = ANIM_POSE_NONE;
		uint32_t parent = anim_poses_parent(pairs->poses, n);
		uint32_t other = parent == ANIM_POSE_NONE ? ANIM_POSE_NONE : pairs->nodes[parent].partner;
		double off;

		/* The parent's partner is known. Partners must choose each other. */
		if (parent == ANIM_POSE_NONE)
			best = n;
		else if (other != ANIM_POSE_NONE)
			best = best_of(pairs, n, other);
		if (best != ANIM_POSE_NONE && parent != ANIM_POSE_NONE && best_of(pairs, best, parent) != n)
			best = ANIM_POSE_NONE;
		pairs->nodes[n].alone = best == ANIM_POSE_NONE && is_accessory(pairs, n);
		pairs->nodes[n].partner = pairs->nodes[n].alone ? n : best;
		if (best != ANIM_POSE_NONE)
			fit_rest(pairs, n, best);
		if (best == ANIM_POSE_NONE || parent == ANIM_POSE_NONE)
			continue;
		off = distance(pairs, &pairs->nodes[n], &pairs->nodes[best]);
		if (off > pairs->worst) {
			pairs->worst = off;
			pairs->worst_node = n;
		}
	}
	*partner = pairs->nodes[node].partner;
	return 0;
}

/* ======== Tracks converted to the nodes' partners, by constant matrices ======== */

#define LOPSIDED 0.001 /* share of the extent: a larger difference is reported */
#define FOLDED 0.05    /* of its size: a larger difference is seen, because children of the node turn with it */

struct mirror {
	struct anim_filter filter;
	struct anim_mirror_options options;
	struct anim_poses own, *poses; /* the stream's tree; the tree that is used */
	struct mirror_pairs pairs;
	bool ready;
	struct anim_arena arena, track_arena;
	struct anim_buffer columns[ANIM_COLUMN_COUNT];
};

/* ---- Rest poses ---- */

/* If the rest of a human is not a pose, the sides of its bones are not left and right. Then the plane is at x. */
static int choose_normal(struct mirror_pairs *pairs, struct anim_error *error)
{
	uint32_t partner;

	for (uint32_t n = 0; n < anim_poses_count(pairs->poses) && pairs->normal != 0; n++)
		if (pairs->nodes[n].spine && pairs_find(pairs, n, &partner, error) != 0)
			return -1;
	if (pairs->posed || pairs->turned == ANIM_POSE_NONE || pairs->normal == 0)
		return 0;
	pairs->normal = 0;
	pairs->worst = 0;
	pairs->turned = pairs->guessed = ANIM_POSE_NONE;
	for (uint32_t n = 0; n < anim_poses_count(pairs->poses); n++) {
		pairs->nodes[n].partner = UNKNOWN;
		pairs->nodes[n].fitted = false;
		memcpy(pairs->nodes[n].fit, unrotated, sizeof pairs->nodes[n].fit);
	}
	return 0;
}

static int make_ready(struct mirror *m, struct anim_error *error)
{
	size_t count;

	if (m->ready)
		return 0;
	m->ready = true;
	anim_poses_begin(m->poses, 1);
	if (anim_poses_ready(m->poses, error) != 0)
		return -1;
	/* Prepare the nodes, and find the plane if it is not given. */
	count = anim_poses_count(m->poses);
	pairs_clear(&m->pairs);
	m->pairs.poses = m->poses;
	m->pairs.given = m->options.pairs;
	m->pairs.posed = m->options.posed;
	m->pairs.turned = m->pairs.guessed = ANIM_POSE_NONE;
	m->pairs.nodes = anim_arena_zeroed(&m->pairs.arena, count + 1, sizeof *m->pairs.nodes, error);
	if (m->pairs.nodes == NULL || anim_poses_rotations(m->poses, &m->pairs.turn, &m->pairs.arena, error) != 0)
		return -1;
	for (uint32_t n = 0; n < count; n++) {
		struct anim_bone_guess guess;
		struct mirror_node *node = &m->pairs.nodes[n];
		uint32_t parent = anim_poses_parent(m->pairs.poses, n);

		node->name = anim_node_own_name(anim_poses_path(m->pairs.poses, n));
		node->side = side_of_bone(node->name);
		node->spine = anim_bone_of_name(&guess, node->name) && guess.bones[0] <= ANIM_BONE_HEAD;
		m->pairs.sided |= node->side.side != 0;
		node->key = key_of(node, false);
		node->bare = key_of(node, true);
		node->partner = UNKNOWN;
		node->child = node->next = ANIM_POSE_NONE;
		memcpy(node->fit, unrotated, sizeof node->fit);
		if (parent == ANIM_POSE_NONE)
			continue;
		node->next = m->pairs.nodes[parent].child;
		m->pairs.nodes[parent].child = n;
	}

	double low[3], high[3];

	for (uint32_t n = 0; n < anim_poses_count(m->pairs.poses); n++) {
		uint32_t parent = anim_poses_parent(m->pairs.poses, n);
		const double *at = anim_poses_at(m->pairs.poses, n, 0);

		for (unsigned i = 0; i < 3; i++) {
			double place = at[4 * i + 3];

			m->pairs.nodes[n].at[i] = parent == ANIM_POSE_NONE
						      ? place
						      : place - anim_poses_at(m->pairs.poses, parent, 0)[4 * i + 3];
			low[i] = n == 0 || place < low[i] ? place : low[i];
			high[i] = n == 0 || place > high[i] ? place : high[i];
		}
	}
	for (unsigned i = 0; i < 3 && anim_poses_count(m->pairs.poses) > 0; i++)
		m->pairs.extent += (high[i] - low[i]) * (high[i] - low[i]);
	m->pairs.extent = sqrt(m->pairs.extent);

	if (m->options.plane != ANIM_MIRROR_FIND)
		m->pairs.normal = (unsigned)(m->options.plane - ANIM_MIRROR_NORMAL_X);
	if (m->options.plane != ANIM_MIRROR_FIND)
		return 0;
	return find_normal(&m->pairs, error) != 0 ? -1 : choose_normal(&m->pairs, error);
}

/* Return the node that a track animates, or ANIM_POSE_NONE. In the tree of another file it is also found by name. */
static uint32_t find_node(struct mirror *m, const struct anim_track *track)
{
	return (m->options.rests != NULL ? anim_poses_find_loosely : anim_poses_find)(m->poses, m->filter.clip.root,
										      track->node);
}

/* ---- Matrices ---- */

/* Return the rotation of a node's rest pose, or of its parent's, to the mirror image of its partner's. */
static const double *fit_of(const struct mirror *m, uint32_t node, uint32_t partner, bool own)
{
	if (m->pairs.nodes[node].alone && node == partner)
		return unrotated;
	return own ? m->pairs.nodes[node].fit : fit_above(&m->pairs, node);
}

/* Values relative to the rest pose are already in the bone's own axes. */
static void map_rotation(const struct mirror *m, uint32_t node, uint32_t partner, bool relative,
			 struct anim_affine *out)
{
	const double *to =
	    relative ? m->pairs.turn[partner] : anim_poses_rotation_above(m->poses, m->pairs.turn, partner);
	struct anim_affine mirror, in, back;
	double inverse[4], from[4], own[4];

	anim_quat_multiply_double(own, fit_of(m, node, partner, true), m->pairs.turn[node]);
	anim_quat_multiply_double(from, fit_of(m, node, partner, false),
				  anim_poses_rotation_above(m->poses, m->pairs.turn, node));
	anim_quat_conjugate_double(inverse, own);
	anim_affine_rotation(&in, relative ? own : from, inverse);
	anim_affine_mirror(&mirror, m->pairs.normal);
	anim_quat_conjugate_double(inverse, to);
	anim_affine_rotation(&back, inverse, m->pairs.turn[partner]);
	anim_affine_join(out, &mirror, &in);
	anim_affine_join(out, &back, out);
	anim_affine_snap(out);
}

/* Set the basis of a node in its rest pose, or of its parent. */
static void basis_of(const struct mirror *m, uint32_t node, bool own, struct anim_affine *out)
{
	uint32_t from = own ? node : anim_poses_parent(m->poses, node);

	anim_affine_basis(out, from == ANIM_POSE_NONE ? NULL : anim_poses_at(m->poses, from, 0));
}

/*
 * Return whether the node's rotations appear reversed in the tree's plane, because an odd number of its ancestors is
 * mirrored.
 */
static bool is_turned_over(const struct mirror *m, uint32_t node)
{
	struct anim_affine basis;

	basis_of(m, node, false, &basis);
	return basis.m[0][0] * basis.m[1][1] < basis.m[0][1] * basis.m[1][0];
}

/* ---- Tracks ---- */

enum role { ROLE_OTHER, ROLE_POSITION, ROLE_ROTATION, ROLE_EULER, ROLE_ANGLE, ROLE_SKEW };

static enum role role_of(const struct anim_track *track)
{
	static const char *const names[] = {"position", "rotation", "euler", "angle", "skew"};

	if (!anim_type_is_real(track->type) || !anim_track_is_transform(track))
		return ROLE_OTHER;
	for (int i = 0; i < 5; i++)
		if (strcmp(track->property, names[i]) == 0)
			return (enum role)(ROLE_POSITION + i);
	return ROLE_OTHER;
}

/* Find the matrix for a track's values. Returns 1, 0 if they cannot be mirrored key by key, or -1. */
static int find_affine(struct mirror *m, const struct anim_track *track, uint32_t node, uint32_t partner,
		       struct anim_affine *out, struct anim_error *error)
{
	bool relative = (track->flags & ANIM_REST_RELATIVE) != 0, fits = true;
	enum role role = role_of(track);

	if (role == ROLE_POSITION) {
		double from[3], to[3];
		struct anim_affine back;

		basis_of(m, node, relative, out);
		for (unsigned k = 0; k < 3; k++) {
			double column[3] = {out->m[0][k], out->m[1][k], out->m[2][k]};

			anim_quat_rotate_double(column, fit_of(m, node, partner, relative), column);
			for (unsigned i = 0; i < 3; i++)
				out->m[i][k] = column[i];
		}
		basis_of(m, partner, relative, &back);
		if (!anim_affine_invert(&back))
			return anim_track_refuse(track, "cannot be mirrored, because a node above it has scale 0",
						 error);
		for (unsigned i = 0; i < 3; i++) {
			out->m[m->pairs.normal][i] = -out->m[m->pairs.normal][i];
			from[i] = (double)m->poses->rests.items[node].position[i];
			to[i] = (double)m->poses->rests.items[partner].position[i];
		}
		anim_affine_join(out, &back, out);
		anim_affine_snap(out);
		if (!relative)
			anim_affine_about(out, from, to);
	}

	if (role == ROLE_ROTATION || role == ROLE_EULER)
		map_rotation(m, node, partner, relative, out);
	if (role == ROLE_EULER)
		fits = anim_affine_angles(out);
	if (role == ROLE_ANGLE || role == ROLE_SKEW) {
		if (m->pairs.normal == 2)
			return anim_track_refuse(track, "is two-dimensional and cannot be mirrored along z", error);

		/*
		 * In two dimensions a = rest + n, with the rotation n away from the rest pose, becomes a' = rest' - n,
		 * in the units of the track. If the ancestors of only one of the two nodes mirror it, n keeps its sign.
		 */
		double unit = track->flags & ANIM_DEGREES ? 360 / ANIM_TAU : 1;
		double sign = is_turned_over(m, node) == is_turned_over(m, partner) ? -1 : 1, rest[2];

		for (int i = 0; i < 2; i++) {
			const float *q = m->poses->rests.items[i == 0 ? node : partner].rotation;

			rest[i] = (double)(float)(2 * anim_atan2((double)q[2], (double)q[3]) * unit);
		}
		*out = (struct anim_affine){.components = 1, .m = {{sign}}};
		if (strcmp(track->property, "angle") == 0 && !(track->flags & ANIM_REST_RELATIVE))
			out->offset[0] = rest[1] - sign * rest[0];
	} else if (fits && track->component != ANIM_WHOLE) {
		fits = anim_affine_component(out, track->component);
	} else if (fits && anim_types[track->type].components == 2 && m->pairs.normal < 2) {
		/* Reduce the matrix to two dimensions, if it keeps their plane. */
		if (out->components != 3 || out->m[0][2] != 0 || out->m[1][2] != 0 || out->m[2][0] != 0 ||
		    out->m[2][1] != 0) {
			fits = false;
		} else {
			out->components = 2;
			fits = true;
		}
	}
	if (fits && anim_types[track->type].components != out->components)
		return anim_track_refuse(track, "has a number of components that cannot be mirrored", error);
	return fits;
}

int anim_mirror_fits(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct mirror *m = (struct mirror *)sink;
	struct anim_affine affine;
	uint32_t node, partner = ANIM_POSE_NONE;

	if (make_ready(m, error) != 0)
		return -1;
	node = find_node(m, track);
	if (node != ANIM_POSE_NONE && pairs_find(&m->pairs, node, &partner, error) != 0)
		return -1;
	if (partner == ANIM_POSE_NONE)
		return 1;
	map_rotation(m, node, partner, (track->flags & ANIM_REST_RELATIVE) != 0, &affine);
	return anim_affine_angles(&affine);
}

static bool parts(char c)
{
	return c == '/' || c == ':' || c == '%';
}

/*
 * Return the path of the track with the node's partner: the names that are also in the tree are replaced by those of
 * the partner. NULL on failure.
 */
static const char *name_partner(struct mirror *m, const struct anim_track *track, uint32_t node, uint32_t partner,
				struct anim_error *error)
{
	const char *name = track->node, *own = anim_poses_path(m->poses, node);
	size_t i = strlen(name), k = strlen(own), begin = i, count = 0;

	if (node == partner)
		return track->node;

	/* Both paths end with the same names from `begin` on, which is the end if the last names differ. */
	while (i > 0 && k > 0 && name[i - 1] == own[k - 1]) {
		i--;
		k--;
		if ((i == 0 || parts(name[i - 1])) && (k == 0 || parts(own[k - 1])))
			begin = i;
	}
	if (track->node[begin] == '\0') {
		anim_track_refuse(track, "moves the clip's root node, whose partner is outside the clip", error);
		return NULL;
	}
	for (i = begin; name[i] != '\0'; i++)
		count += parts(name[i]);

	/* Append the end of the partner's path that has as many separators. */
	const char *path = anim_poses_path(m->poses, partner);
	const char *at = path + strlen(path);

	while (at > path && !(parts(at[-1]) && count-- == 0))
		at--;
	return anim_arena_printf(&m->track_arena, error, "%.*s%s", (int)begin, track->node, at);
}

/* Return the property for the other side, for example of "blend_shape/mouthSmile_L". NULL on failure. */
static const char *name_shape(struct mirror *m, const char *property, struct anim_error *error)
{
	const char *shape = anim_text_after(property, "blend_shape/");
	struct mirror_side side = {0};

	if (shape != NULL)
		side = side_of(shape, true);
	if (side.side == 0)
		return property;
	side.start += (size_t)(shape - property);

	/*
	 * The name with the word of the other side, in the same language and with the same capitals. In the arena. NULL
	 * on failure.
	 */
	const char *other = side.side == 'l' ? "right" : "left";
	char word[6];
	size_t length = side.length == 1 ? 1 : strlen(other);

	if (side.length == 3)
		return anim_arena_printf(&m->track_arena, error, "%.*s%s%s", (int)side.start, property,
					 side.side == 'l' ? "右" : "左", property + side.start + side.length);
	for (size_t i = 0; i < length; i++) {
		char like = property[side.start + (i < side.length ? i : side.length - 1)];

		word[i] = isupper((unsigned char)like) != 0 ? (char)toupper((unsigned char)other[i]) : other[i];
	}
	return anim_arena_printf(&m->track_arena, error, "%.*s%.*s%s", (int)side.start, property, (int)length, word,
				 property + side.start + side.length);
}

/* ---- Curves of Unity's humanoid ---- */

/*
 * Get the name and the sign of the mirrored curve of the body, a foot or a hand. A place has the other sign of x, and a
 * rotation the other signs of y and z. The own axes of feet and hands differ from their mirror image by half a turn about
 * y or z, so that the curves of their rotations change places. Returns false for other curves.
 */
static bool mirror_place(const char *property, char *name, size_t capacity, double *sign)
{
	static const struct {
		const char *name, *other, *to; /* `to`: the new curves of x, y, z and w of the rotation */
		signed char sign[4];
	} places[] = {
	    {"Root", "Root", "xyzw", {1, -1, -1, 1}},          {"Motion", "Motion", "xyzw", {1, -1, -1, 1}},
	    {"LeftFoot", "RightFoot", "zwxy", {1, 1, 1, 1}},   {"RightFoot", "LeftFoot", "zwxy", {1, 1, 1, 1}},
	    {"LeftHand", "RightHand", "yxwz", {-1, -1, 1, 1}}, {"RightHand", "LeftHand", "yxwz", {-1, -1, 1, 1}}};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const char *rest = anim_text_after(property, places[i].name), *axis;

		if (rest == NULL || strlen(rest) != 3 || (rest[0] != 'T' && rest[0] != 'Q') || rest[1] != '.' ||
		    (axis = strchr(rest[0] == 'T' ? "xyz" : "xyzw", rest[2])) == NULL)
			continue;
		if (rest[0] == 'T') {
			*sign = *axis == 'x' ? -1 : 1;
			snprintf(name, capacity, "%s%s", places[i].other, rest);
		} else {
			*sign = places[i].sign[strlen("xyzw") - strlen(axis)];
			snprintf(name, capacity, "%sQ.%c", places[i].other,
				 places[i].to[strlen("xyzw") - strlen(axis)]);
		}
		return true;
	}
	return false;
}

/* Mirror a curve of a humanoid. Returns 1, 0 if it is not one, or -1. */
static int mirror_humanoid(struct mirror *m, const struct anim_track *track, struct anim_track *out,
			   struct anim_error *error)
{
	struct anim_affine affine = {.components = 1};
	enum anim_human_bone bone;
	unsigned axis;
	char name[64];

	if (strcmp(track->node, ".") != 0 || anim_types[track->type].components != 1 ||
	    track->component != ANIM_WHOLE || !anim_type_is_real(track->type))
		return 0;
	if (anim_muscle_find(track->property, &bone, &axis)) {
		bone = anim_muscle_mirror(bone, axis, &affine.m[0][0]);
		anim_muscle_name(bone, axis, name, sizeof name);
	} else if (!mirror_place(track->property, name, sizeof name, &affine.m[0][0])) {
		return 0;
	}
	if (anim_affine_track(&affine, track, m->columns, out, error) < 0)
		return -1;
	out->record = NULL;
	out->property = anim_arena_text(&m->track_arena, name, strlen(name), error);
	return out->property == NULL ? -1 : 1;
}

static int report_asymmetry(struct mirror *m, struct anim_error *error)
{
	if (m->ready && m->pairs.turned != ANIM_POSE_NONE && !m->pairs.posed &&
	    anim_diagnostics_add(
		m->options.diagnostics, m->pairs.guessed == ANIM_POSE_NONE ? ANIM_NOTE : ANIM_WARNING, NULL, NULL,
		error,
		m->pairs.guessed == ANIM_POSE_NONE
		    ? "the rest pose is not symmetric, so bones such as '%s' are mirrored by their places"
		    : "the rest pose is not symmetric, so bones are mirrored by their places, and the rotation "
		      "of '%s' about itself is a guess; to choose a time with a symmetric pose, "
		      "use " ANIM_OPTION_TO("mirror", "rest", "FILE@SECONDS"),
		anim_poses_path(m->poses, m->pairs.guessed == ANIM_POSE_NONE ? m->pairs.turned : m->pairs.guessed)) !=
		0)
		return -1;
	if (m->pairs.worst < LOPSIDED)
		return 0;
	return anim_diagnostics_add(
	    m->options.diagnostics, m->pairs.worst < FOLDED ? ANIM_NOTE : ANIM_WARNING, NULL, NULL, error,
	    "the rest pose is not symmetric: '%s' and its partner differ by %.2g %% of its size; this difference "
	    "remains",
	    anim_poses_path(m->poses, m->pairs.worst_node), 100 * m->pairs.worst);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct mirror *m = (struct mirror *)sink;
	struct anim_track out = *track;
	uint32_t node, partner;
	int humanoid;

	anim_arena_reset(&m->track_arena);
	humanoid = mirror_humanoid(m, track, &out, error);
	if (humanoid > 0)
		return anim_filter_track(sink, &out, error);
	if (humanoid < 0 || make_ready(m, error) != 0 ||
	    anim_track_is_muscle(track, m->options.diagnostics, error) < 0 || anim_track_check_local(track, error) != 0)
		return -1;
	node = find_node(m, track);
	if (node == ANIM_POSE_NONE && role_of(track) != ROLE_OTHER)
		return anim_track_refuse(track,
					 m->options.rests != NULL
					     ? "moves a node that the file with the rest poses does not have"
					     : "moves a node whose rest pose is unknown; set it with " ANIM_OPTION_TO(
						   "bake", "rest", "FILE"),
					 error);
	if (node != ANIM_POSE_NONE) {
		if (pairs_find(&m->pairs, node, &partner, error) != 0)
			return -1;
		if (partner == ANIM_POSE_NONE) {
			/*
			 * Whether the node is a middle bone by its name, but crosses the plane in its rest pose. Then
			 * its rest pose is not its own mirror image.
			 */
			return anim_track_refuse(
			    track,
			    (m->pairs.sided && m->pairs.nodes[node].side.side == 0 &&
			     lies_across(&m->pairs, &m->pairs.nodes[node], ACROSS))
				? "moves a node without a partner that crosses the mirror plane in its rest pose; name "
				  "its partner with " ANIM_OPTION_TO(
				      "mirror", "pairs",
				      "FILE") ", or use a symmetric rest pose with " ANIM_OPTION_TO("mirror", "rest",
												    "FILE")
				: "moves a node that has no partner by name or place; name it with " ANIM_OPTION_TO(
				      "mirror", "pairs", "FILE"),
			    error);
		}
		if (m->pairs.nodes[node].alone &&
		    anim_diagnostics_warn(
			m->options.diagnostics, "track", error,
			"'%s %s': mirrored in place, without a partner; name one with " ANIM_OPTION_TO("mirror",
												       "pairs", "FILE"),
			track->node, track->property) != 0)
			return -1;

		struct anim_affine affine;
		int done;

		out = *track;
		if (role_of(track) != ROLE_OTHER) {
			done = find_affine(m, track, node, partner, &affine, error);
			if (done > 0)
				done = anim_affine_track(&affine, track, m->columns, &out, error);
			if (done == 0)
				return anim_track_refuse(track, "cannot be mirrored key by key; " ANIM_ADVICE(BAKE),
							 error);
			if (done < 0)
				return -1;
		}

		out.node = name_partner(m, track, node, partner, error);
	}
	out.property = name_shape(m, track->property, error);
	if (out.node == NULL || out.property == NULL)
		return -1;
	out.record =
	    out.node == track->node && out.property == track->property && node == ANIM_POSE_NONE ? track->record : NULL;
	return anim_filter_track(sink, &out, error);
}

/* ---- The sink ---- */

/* Report and forget the facts about the stream's own tree, because another tree follows. */
static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct mirror *m = (struct mirror *)sink;

	if (m->options.rests == NULL) {
		if (report_asymmetry(m, error) != 0)
			return -1;
		pairs_clear(&m->pairs);
		anim_arena_reset(&m->arena);
		m->ready = false;
	}
	return anim_filter_tree(sink, tree, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct mirror *m = (struct mirror *)sink;

	if (anim_clip_in_axes(clip, m->poses->axes, "the rests are", error) != 0 ||
	    anim_filter_keep(&m->filter, clip, error) != 0)
		return -1;
	return anim_filter_clip(sink, clip, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct mirror *m = (struct mirror *)sink;

	if (report_asymmetry(m, error) != 0 || anim_rests_check(&m->poses->rests, error) != 0)
		return -1;
	if (m->ready && m->options.pairs != NULL &&
	    anim_rename_map_report(m->options.pairs, m->options.diagnostics, error) != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct mirror *m = (struct mirror *)sink;

	pairs_clear(&m->pairs);
	anim_arena_clear(&m->arena);
	anim_arena_clear(&m->track_arena);
	for (int i = 0; i < ANIM_COLUMN_COUNT; i++)
		anim_buffer_clear(&m->columns[i]);
	anim_filter_free(sink);
}

struct anim_sink *anim_mirror_new(const struct anim_mirror_options *options, struct anim_sink *next,
				  struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct mirror *m = anim_filter_new(sizeof *m, &ops, next, error);

	if (m == NULL)
		return NULL;
	m->options = *options;
	anim_poses_init(&m->own, 0);
	m->filter.poses = &m->own;
	m->poses = options->rests != NULL ? options->rests : &m->own;
	return &m->filter.sink;
}
