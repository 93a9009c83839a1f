/* rests.c: two skeletons at rest, brought into one pose, and what follows for their bones: constant factors. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filter/retarget/internal.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define TINY 1e-6   /* of a skeleton's size: bones so short point nowhere */
#define ALIKE 0.5   /* how far places must go along with each other to tell where a skeleton looks */
#define HEIGHTS 0.5 /* of its height above its lowest bone: hips that rest lower than so stand on no ground */

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

static uint32_t parent_of(const struct retarget_side *side, uint32_t node)
{
	return anim_poses_parent(&side->skeleton->poses, node);
}

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
	uint32_t parent = parent_of(side, node);

	return parent == ANIM_POSE_NONE ? no_turn : side->nodes[parent].turn;
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
	if (side->nodes == NULL || anim_poses_ready(&skeleton->poses, error) != 0)
		return -1;
	for (uint32_t n = 0; n < count; n++) {
		double own[4];

		side->nodes[n].partner = ANIM_POSE_NONE;
		memcpy(side->nodes[n].fix, no_turn, sizeof no_turn);
		anim_quat_unit_double(own, rest_of(side, n)->rotation);
		if (parent_of(side, n) == ANIM_POSE_NONE)
			memcpy(side->nodes[n].turn, own, sizeof own);
		else
			anim_quat_multiply_double(side->nodes[n].turn, turn_above(side, n), own);
	}
	return 0;
}

/* Diagonal of the box around all nodes. */
static double size_of(const struct retarget_side *side)
{
	double low[3] = {0}, high[3] = {0}, at[3], square = 0;

	for (uint32_t n = 0; n < side->count; n++) {
		place_of(side, n, at);
		for (unsigned i = 0; i < 3; i++) {
			low[i] = n == 0 ? at[i] : fmin(low[i], at[i]);
			high[i] = n == 0 ? at[i] : fmax(high[i], at[i]);
		}
	}
	for (unsigned i = 0; i < 3; i++)
		square += (high[i] - low[i]) * (high[i] - low[i]);
	return sqrt(square);
}

/* ---- The hips ---- */

/* The source's node whose partner, or itself, is this bone of a human; ANIM_POSE_NONE: there is none. */
static uint32_t find_human(const struct retarget_plan *plan, const char *bone)
{
	for (uint32_t n = 0; n < plan->from.count; n++) {
		const struct retarget_node *node = &plan->from.nodes[n];

		if (node->partner == ANIM_POSE_NONE)
			continue;
		if ((node->bone != NULL && strcmp(node->bone, bone) == 0) ||
		    (plan->to.nodes[node->partner].bone != NULL &&
		     strcmp(plan->to.nodes[node->partner].bone, bone) == 0))
			return n;
	}
	return ANIM_POSE_NONE;
}

/* By its name; else the first with a partner that carries several such, else the first. */
static uint32_t find_hips(const struct retarget_plan *plan, struct anim_error *error, bool *failed)
{
	uint32_t hips = find_human(plan, "Hips"), first = ANIM_POSE_NONE;
	struct anim_buffer below = {0}; /* how many with partners are next below each */
	uint32_t *counts = anim_buffer_extend(&below, plan->from.count * sizeof *counts, error);

	*failed = counts == NULL;
	if (counts != NULL)
		memset(counts, 0, plan->from.count * sizeof *counts);
	for (uint32_t n = plan->from.count; n-- > 0 && counts != NULL;) {
		uint32_t above = retarget_above(&plan->from, n);

		if (plan->from.nodes[n].partner == ANIM_POSE_NONE)
			continue;
		first = counts[n] > 1 || first == ANIM_POSE_NONE || counts[first] < 2 ? n : first;
		if (above != ANIM_POSE_NONE)
			counts[above]++;
	}
	anim_buffer_clear(&below);
	return hips != ANIM_POSE_NONE ? hips : first;
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

/* The node whose place, or the middle of those whose places, a bone points to. */
struct tail {
	double from[3], to[3]; /* sums of places on either side */
	unsigned count;
	bool told; /* it is the one that counts of several */
};

/* Of the bones that carry several, the one that they point to. */
static bool is_told(const struct retarget_plan *plan, uint32_t node, uint32_t child)
{
	static const char *const told[][2] = {{"Hips", "Spine"},
					      {"UpperChest", "Neck"},
					      {"Chest", "Neck"},
					      {"LeftHand", "LeftMiddleProximal"},
					      {"RightHand", "RightMiddleProximal"}};
	const char *a = plan->to.nodes[plan->from.nodes[node].partner].bone;
	const char *b = plan->to.nodes[plan->from.nodes[child].partner].bone;

	a = a != NULL ? a : plan->from.nodes[node].bone;
	b = b != NULL ? b : plan->from.nodes[child].bone;
	for (unsigned i = 0; i < sizeof told / sizeof *told && a != NULL && b != NULL; i++)
		if (strcmp(a, told[i][0]) == 0 && strcmp(b, told[i][1]) == 0)
			return true;
	return false;
}

/* Adds each bone to the tail of the one above, where that is so on both sides. In the arena, one a node of the source; NULL on failure. */
static struct tail *find_tails(struct retarget_plan *plan, struct anim_error *error)
{
	struct tail *tails = anim_arena_zeroed(&plan->arena, plan->from.count + 1, sizeof *tails, error);

	for (uint32_t n = 0; n < plan->from.count && tails != NULL; n++) {
		uint32_t to = plan->from.nodes[n].partner, above = retarget_above(&plan->from, n);
		struct tail *tail;
		double from_at[3], to_at[3];

		if (to == ANIM_POSE_NONE || above == ANIM_POSE_NONE ||
		    retarget_above(&plan->to, to) != plan->from.nodes[above].partner)
			continue;
		tail = &tails[above];
		if (tail->told)
			continue;
		if (is_told(plan, above, n))
			*tail = (struct tail){.told = true};
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

static bool is_joint(const struct retarget_side *side, uint32_t node)
{
	return ((const struct anim_skeleton_name *)(const void *)side->skeleton->names.data)[node].kind ==
	       ANIM_NODE_BONE;
}

/*
 * True for what stands above a skeleton and says where in its scene that is: in a tree that tells its bones all nodes that are
 * none, else the root; but what the map or a naming of humans calls a bone is one.
 */
static bool is_scene(const struct retarget_plan *plan, uint32_t to, bool has_joints)
{
	const struct retarget_node *node = &plan->to.nodes[to];

	if (node->bone != NULL || plan->from.nodes[node->partner].given || is_joint(&plan->to, to))
		return false;
	return has_joints || parent_of(&plan->to, to) == ANIM_POSE_NONE;
}

struct poses_told {
	unsigned bones;
	double most; /* radians */
	uint32_t first;
};

/*
 * As Godot's importer does it: from the root down each bone of the target is turned by the shortest way to where its partner
 * points, if it points elsewhere by more than the limit; what is below goes along. What is above the skeleton stays.
 */
static int pose(struct retarget_plan *plan, struct poses_told *told, struct anim_error *error)
{
	double limit = (double)plan->options->silhouette_degrees * (ANIM_PI / 180), way[4], from[3], to[3];
	const double sizes[2] = {size_of(&plan->from), size_of(&plan->to)};
	const struct tail *tails = find_tails(plan, error);
	bool has_joints = false;

	for (uint32_t t = 0; t < plan->to.count; t++)
		has_joints |= is_joint(&plan->to, t);
	for (uint32_t t = 0; t < plan->to.count && tails != NULL; t++) {
		struct retarget_node *node = &plan->to.nodes[t];
		uint32_t n = node->partner;
		double angle;

		memcpy(node->fix, fix_above(&plan->to, t), sizeof node->fix);
		if (n == ANIM_POSE_NONE || tails[n].count == 0 || is_scene(plan, t, has_joints) ||
		    !directions(plan, n, &tails[n], sizes, from, to))
			continue;
		anim_quat_rotate_double(to, node->fix, to);
		angle = angle_between(to, from);
		if (!(angle > limit))
			continue;
		turn_between(way, to, from);
		anim_quat_multiply_double(node->fix, way, node->fix);
		normalize(node->fix);
		told->first = told->bones++ == 0 ? t : told->first;
		told->most = fmax(told->most, angle);
	}
	for (uint32_t t = 0; t < plan->to.count; t++)
		anim_quat_multiply_double(plan->to.nodes[t].turn, plan->to.nodes[t].fix, plan->to.nodes[t].turn);
	return tails == NULL ? -1 : 0;
}

static int tell_poses(const struct retarget_plan *plan, const struct poses_told *told, struct anim_error *error)
{
	const char *name = anim_node_own_name(rest_of(&plan->to, told->first)->path);
	char more[32] = "";

	if (told->bones == 0)
		return 0;
	if (told->bones > 1)
		snprintf(more, sizeof more, " and %u more", told->bones - 1);
	return anim_diagnostics_note(
	    plan->options->diagnostics, "targets rest in another pose than what is brought onto them", error,
	    "the target rests in another pose: '%s'%s %s elsewhere, by up to %.0f degrees; what is "
	    "done there is done from the pose of the source",
	    name, more, told->bones > 1 ? "point" : "points", told->most * (180 / ANIM_PI));
}

/* ---- Heights ---- */

static double lowest_of(const struct retarget_side *side)
{
	double low = (double)INFINITY, at[3];

	for (uint32_t n = 0; n < side->count; n++) {
		if (side->nodes[n].partner == ANIM_POSE_NONE)
			continue;
		place_of(side, n, at);
		low = fmin(low, at[1]);
	}
	return low;
}

/* Hips that rest about as low as the feet, as motion capture has them at 0, stand as high above the ground as above those. */
static void measure(struct retarget_side *side, uint32_t hips)
{
	double at[3], above;

	place_of(side, hips, at);
	above = at[1] - lowest_of(side);
	side->raise = at[1] < HEIGHTS * above ? above - at[1] : 0;
	side->height = at[1] + side->raise;
}

/* ---- All of it ---- */

static bool rests_alike(const struct retarget_plan *plan, uint32_t node)
{
	uint32_t to = plan->from.nodes[node].partner, above = parent_of(&plan->from, node);
	const struct anim_rest *a = rest_of(&plan->from, node), *b = rest_of(&plan->to, to);
	uint32_t wanted = above == ANIM_POSE_NONE ? ANIM_POSE_NONE : plan->from.nodes[above].partner;

	return parent_of(&plan->to, to) == wanted && memcmp(a->position, b->position, sizeof a->position) == 0 &&
	       memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0 &&
	       memcmp(a->scale, b->scale, sizeof a->scale) == 0;
}

static bool are_same(const struct retarget_plan *plan)
{
	for (uint32_t n = 0; n < plan->from.count; n++)
		if (plan->from.nodes[n].partner != ANIM_POSE_NONE && !rests_alike(plan, n))
			return false;
	return true;
}

int retarget_plan_make(struct retarget_plan *plan, struct anim_skeleton *from, struct anim_error *error)
{
	struct poses_told told = {0};
	bool failed;

	plan->ratio = 1;
	if (begin_side(plan, &plan->from, from, error) != 0 ||
	    begin_side(plan, &plan->to, plan->options->to, error) != 0 || retarget_find_partners(plan, error) != 0)
		return -1;
	plan->hips = find_hips(plan, error, &failed);
	if (failed || face(plan, error) != 0 || pose(plan, &told, error) != 0 || tell_poses(plan, &told, error) != 0)
		return -1;
	measure(&plan->from, plan->hips);
	measure(&plan->to, plan->from.nodes[plan->hips].partner);
	if (plan->from.height > 0 && plan->to.height > 0)
		plan->ratio = plan->to.height / plan->from.height;
	plan->same = are_same(plan);
	return 0;
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
	anim_quat_multiply_double(a, plan->facing,
				  relative ? plan->from.nodes[node].turn : turn_above(&plan->from, node));
	anim_quat_conjugate_double(b, plan->from.nodes[node].turn);
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
	memcpy(b, plan->to.nodes[to].turn, sizeof plan->to.nodes[to].turn);
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
	anim_quat_multiply_double(q, back, plan->to.nodes[to].turn);
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
	const double *at = node == ANIM_POSE_NONE ? NULL : anim_poses_at(&side->skeleton->poses, node, 0);

	*out = (struct anim_affine){.components = 3};
	for (unsigned column = 0; column < 3; column++) {
		double axis[3];

		for (unsigned row = 0; row < 3; row++)
			axis[row] = at == NULL ? row == column : at[4 * row + column];
		if (memcmp(turn, no_turn, sizeof no_turn) != 0)
			anim_quat_rotate_double(axis, turn, axis);
		for (unsigned row = 0; row < 3; row++)
			out->m[row][column] = axis[row];
	}
}

bool retarget_position(const struct retarget_plan *plan, const struct retarget_place *place, uint32_t to,
		       struct anim_affine *out)
{
	double raise = plan->from.nodes[plan->hips].partner == to ? plan->to.raise - plan->from.raise * plan->ratio : 0;
	const float *own = rest_of(&plan->to, to)->position;
	struct anim_affine back;

	basis_of(&plan->from, place->space, plan->facing, out);
	for (unsigned i = 0; i < 9; i++)
		out->m[i / 3][i % 3] *= plan->ratio;
	basis_of(&plan->to, place->relative ? to : parent_of(&plan->to, to), fix_above(&plan->to, to), &back);
	if (!anim_affine_invert(&back))
		return false;
	anim_affine_join(out, &back, out);
	anim_affine_snap(out);
	for (unsigned i = 0; i < 3; i++) {
		out->offset[i] = (place->relative ? 0 : (double)own[i]) + back.m[i][1] * raise;
		for (unsigned k = 0; k < 3; k++)
			out->offset[i] -= out->m[i][k] * place->rest[k];
	}
	return true;
}
