/* fold.c: rotations and positions of the target: factors for one bone, and several bones folded into one. */
#include "filter/retarget/fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "filter/common/posing.h"
#include "filter/filter.h"
#include "filter/select.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

static const double no_rotation[4] = {0, 0, 0, 1};

/* ======== Kinds of tracks ======== */

#define STILL 1e-5 /* radians, or of the skeleton's height: tracks that move less from the rest pose are not reported */

enum retarget_role retarget_role_of(const struct anim_track *track)
{
	static const char *const names[] = {"position", "rotation", "euler", "scale"};

	if (!anim_type_is_real(track->type) || !anim_track_is_transform(track) || track->n == 0)
		return ROLE_OTHER;
	for (int i = 0; i < 4; i++)
		if (strcmp(track->property, names[i]) == 0)
			return (enum retarget_role)(ROLE_POSITION + i);
	return ROLE_OTHER;
}

bool retarget_stays(const struct anim_track *track, enum retarget_role role, const struct anim_rest *rest,
		    double height, bool any_value)
{
	static const float none[4] = {0, 0, 0, 1}, one[3] = {1, 1, 1};
	double first[ANIM_COMPONENTS_MAX] = {0}, value[ANIM_COMPONENTS_MAX] = {0};
	double far = role == ROLE_POSITION ? STILL * fabs(height) : STILL;
	const float *at = role == ROLE_POSITION ? rest->position : role == ROLE_SCALE ? rest->scale : rest->rotation;
	float begin[4];

	if (role == ROLE_EULER || (retarget_is_rotation(role) && !anim_types[track->type].quaternion))
		return false;
	if (anim_types[track->type].components > 4 || (track->left != NULL && !anim_track_is_constant(track)))
		return false;
	if (track->flags & ANIM_REST_RELATIVE)
		at = role == ROLE_SCALE ? one : role == ROLE_POSITION ? none + 0 : none;
	anim_components(track->type, track->value, 0, first);
	if (any_value) {
		unsigned component = track->component == ANIM_WHOLE ? 0 : track->component;

		memset(begin, 0, sizeof begin);
		for (unsigned i = 0; i < anim_types[track->type].components && component + i < 4; i++)
			begin[component + i] = (float)first[i];
		at = begin;
	}
	if (track->component != ANIM_WHOLE && track->component > (role == ROLE_ROTATION ? 3 : 2))
		return false;
	at += track->component == ANIM_WHOLE ? 0 : track->component;
	for (size_t k = 0; k < track->n; k++) {
		bool straight = true, opposite = anim_types[track->type].quaternion;

		anim_components(track->type, track->value, k, value);
		for (unsigned i = 0; i < anim_types[track->type].components; i++) {
			straight = straight && fabs(value[i] - (double)at[i]) <= far;
			opposite = opposite && fabs(value[i] + (double)at[i]) <= far;
		}
		if (!straight && !opposite)
			return false;
	}
	return true;
}

/* ======== Factors ======== */

static const double *rotation_above(const struct retarget_side *side, uint32_t node)
{
	return anim_poses_rotation_above(&side->skeleton->poses, side->rotations, node);
}

/* Compute the factors that convert a node's quaternion to n, its rotation in the target's space: n = a q b. */
static void rotation_factors(const struct retarget_plan *plan, uint32_t node, bool relative, double a[4], double b[4])
{
	double back[4];

	anim_quat_conjugate_double(back, plan->facing);
	anim_quat_multiply_double(a, plan->facing,
				  relative ? plan->from.rotations[node] : rotation_above(&plan->from, node));
	anim_quat_from_to(b, plan->from.rotations[node], back);
}

/* Compute the factors that convert n to the quaternion of a target's bone: q' = a n b. */
static void back_factors(const struct retarget_plan *plan, uint32_t to, bool relative, double a[4], double b[4])
{
	double from[4];

	/* Relative values count from the target's own rest pose, which may differ from the matched pose. */
	if (relative)
		anim_quat_unit_double(from, retarget_rest(&plan->to, to)->rotation);
	else
		memcpy(from, no_rotation, sizeof from);
	anim_quat_multiply_double(from, rotation_above(&plan->to, to), from);
	anim_quat_conjugate_double(a, from);
	memcpy(b, plan->to.rotations[to], sizeof plan->to.rotations[to]);
}

void retarget_factors(const struct retarget_plan *plan, uint32_t node, uint32_t to, bool relative, double a[4],
		      double b[4])
{
	double in[2][4], out[2][4];

	rotation_factors(plan, node, relative, in[0], in[1]);
	back_factors(plan, to, relative, out[0], out[1]);
	anim_quat_multiply_double(a, out[0], in[0]);
	anim_quat_multiply_double(b, in[1], out[1]);
}

bool retarget_posed(const struct retarget_plan *plan, uint32_t to, float rotation[4])
{
	double q[4], own[4];
	bool changed = false;

	anim_quat_from_to(q, rotation_above(&plan->to, to), plan->to.rotations[to]);
	anim_quat_unit_double(own, retarget_rest(&plan->to, to)->rotation);
	for (unsigned i = 0; i < 4; i++) {
		changed = changed || fabs(q[i] - own[i]) > 1e-9;
		rotation[i] = (float)q[i];
	}
	return changed;
}

/* Compute the basis of a node at rest (ANIM_POSE_NONE: of the tree) after a rotation. */
static void basis_of(const struct retarget_side *side, uint32_t node, const double turn[4], struct anim_affine *out)
{
	anim_affine_basis(out, node == ANIM_POSE_NONE ? NULL : anim_poses_at(&side->skeleton->poses, node, 0));
	for (unsigned column = 0; column < 3 && memcmp(turn, no_rotation, sizeof no_rotation) != 0; column++) {
		double axis[3] = {out->m[0][column], out->m[1][column], out->m[2][column]};

		anim_quat_rotate_double(axis, turn, axis);
		for (unsigned row = 0; row < 3; row++)
			out->m[row][column] = axis[row];
	}
}

static bool is_hips(const struct retarget_plan *plan, uint32_t to)
{
	return plan->hips != ANIM_POSE_NONE && plan->from.nodes[plan->hips].partner == to;
}

uint32_t retarget_placed(const struct retarget_plan *plan, uint32_t to)
{
	return is_hips(plan, to) && plan->to.centre != ANIM_POSE_NONE ? plan->to.centre : to;
}

bool retarget_position(const struct retarget_plan *plan, const struct retarget_place *place, uint32_t bone,
		       struct anim_affine *out)
{
	const uint32_t to = retarget_placed(plan, bone);
	bool hips = is_hips(plan, bone);
	const float *own = retarget_rest(&plan->to, to)->position;
	double at[3];
	struct anim_affine back;

	basis_of(&plan->from, place->space, plan->facing, out);
	for (unsigned i = 0; i < 9; i++)
		out->m[i / 3][i % 3] *= plan->ratio;
	basis_of(&plan->to, place->relative ? to : anim_poses_parent(&plan->to.skeleton->poses, to),
		 retarget_fix_above(&plan->to, to), &back);
	if (!anim_affine_invert(&back))
		return false;
	anim_affine_join(out, &back, out);
	anim_affine_snap(out);
	for (unsigned i = 0; i < 3; i++) {
		at[i] = place->relative ? 0 : (double)own[i];
		for (unsigned k = 0; k < 3 && hips; k++)
			at[i] += back.m[i][k] * plan->lift[k];
	}
	anim_affine_about(out, place->rest, at);
	return true;
}

/* ======== Combining a chain of bones into one track ======== */

#define DEGREES 0.01 /* maximum error of rotations between keys; more keys are added if necessary */
#define LENGTH 1e-4  /* the same for positions, relative to the height of the target's hips */
#define DEPTH 12     /* maximum number of halvings between two keys */
#define INSIDE 15    /* samples between two keys that measure the error */
#define MEASURED 0.8 /* fraction of the error that the samples show at least, so that the reported error is a bound */

/* A link's tracks as their players show them. */
struct played {
	struct anim_source rotation, position;
	double before[4], after[4]; /* the rotation n of the link is before * q * after */
};

struct fold {
	struct retarget_fold *task;
	bool places; /* compute a position */
	struct played *links;
	double before[4], after[4]; /* of the partner's rotation */
	struct anim_affine place;   /* of its position */
	double tolerance, last[4];
	unsigned components;
};

/* ---- Values ---- */

/* Compute unit quaternions at `count` times. */
static int quaternions_at(struct fold *f, size_t link, const double *t, size_t count,
			  double (*out)[ANIM_COMPONENTS_MAX], struct anim_error *error)
{
	struct anim_source *s = &f->links[link].rotation;

	if (f->task->links[link].rotation != NULL) {
		if (anim_source_sample(s, t, count, out, error) != 0)
			return -1;
		for (size_t k = 0; k < count; k++) {
			float q[4];

			anim_components_to_float(q, out[k], 4);
			anim_quat_unit_double(out[k], q);
		}
		return 0;
	}
	for (size_t k = 0; k < count; k++)
		anim_quat_unit_double(out[k], retarget_rest(&f->task->plan->from, f->task->links[link].node)->rotation);
	return 0;
}

/* Transform a point from a node's space to its parent's: scale, rotate, move. */
static void lift(double v[4], const double position[3], const double turn[4], const float scale[3])
{
	double point[4] = {v[0] * (double)scale[0], v[1] * (double)scale[1], v[2] * (double)scale[2], 0};
	const double back[4] = {-turn[0], -turn[1], -turn[2], turn[3]};

	anim_quat_multiply_double(point, turn, point);
	anim_quat_multiply_double(point, point, back);
	for (unsigned i = 0; i < 3; i++)
		v[i] = point[i] + position[i];
}

/* Compute the product of all links' rotations, topmost first, and convert it to the partner's rotation. */
static int rotations_at(struct fold *f, const double *t, size_t count, double (*out)[4], struct anim_error *error)
{
	double q[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}};

	for (size_t k = 0; k < count; k++)
		memcpy(out[k], f->before, sizeof f->before);
	for (size_t link = f->task->count; link-- > 0;) {
		if (f->task->links[link].rotation == NULL)
			continue;
		if (quaternions_at(f, link, t, count, q, error) != 0)
			return -1;
		for (size_t k = 0; k < count; k++) {
			double n[4];

			anim_quat_multiply_double(n, f->links[link].before, q[k]);
			anim_quat_multiply_double(n, n, f->links[link].after);
			if (f->task->links[link].back)
				anim_quat_conjugate_double(n, n);
			anim_quat_multiply_double(out[k], out[k], n);
		}
	}
	for (size_t k = 0; k < count; k++)
		anim_quat_multiply_double(out[k], out[k], f->after);
	return 0;
}

/* Compute the partner's rotation or position at `count` times. */
static int values_at(struct fold *f, const double *t, size_t count, double (*out)[4], struct anim_error *error)
{
	double p[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}}, q[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}};

	if (!f->places)
		return rotations_at(f, t, count, out, error);
	for (size_t link = 0; link < f->task->count; link++) {
		const struct anim_rest *rest = retarget_rest(&f->task->plan->from, f->task->links[link].node);
		const bool moves = f->task->links[link].position != NULL;
		const double *own = f->task->links[link].at;

		for (size_t k = 0; k < count && !moves; k++)
			for (unsigned i = 0; i < 3; i++)
				p[k][i] = own[i];
		if (moves && anim_source_sample(&f->links[link].position, t, count, p, error) != 0)
			return -1;
		if (quaternions_at(f, link, t, count, q, error) != 0)
			return -1;
		for (size_t k = 0; k < count; k++)
			if (link == 0)
				memcpy(out[k], p[k], 3 * sizeof(double));
			else
				lift(out[k], p[k], q[k], rest->scale);
	}
	for (size_t k = 0; k < count; k++) {
		double v[3];

		memcpy(v, out[k], sizeof v);
		for (unsigned i = 0; i < 3; i++)
			out[k][i] = f->place.offset[i] + f->place.m[i][0] * v[0] + f->place.m[i][1] * v[1] +
				    f->place.m[i][2] * v[2];
	}
	return 0;
}

/* ---- Keys ---- */

/* Convert the value of a key to its stored form. The sign of a quaternion follows the previous key. */
static void keep_value(struct fold *f, const double value[4], float out[4])
{
	double along = 0;

	for (unsigned i = 0; i < 4; i++)
		along += f->last[i] * value[i];
	for (unsigned i = 0; i < f->components; i++) {
		f->last[i] = !f->places && along < 0 ? -value[i] : value[i];
		out[i] = (float)f->last[i];
	}
}

static int add_key(struct fold *f, float t, const double value[4], enum anim_interp interp, struct anim_error *error)
{
	float kept[4];

	keep_value(f, value, kept);
	return anim_keys_add(f->task->keys, t, kept, interp, error);
}

/* Add the keys from one time up to another, without the key at the end. */
static int fit(struct fold *f, float from_s, float to_s, const double a[4], const double b[4], unsigned depth,
	       struct anim_error *error)
{
	const double begin_s = (double)from_s, end_s = (double)to_s;
	float middle_s = from_s + (to_s - from_s) / 2;
	double off = 0, middle[1][4] = {{0}}, t = (double)middle_s, times[INSIDE], values[INSIDE][4] = {{0}};

	/* Measure the error of interpolating between the two keys: in degrees, or a distance. */
	for (unsigned i = 0; i < INSIDE; i++)
		times[i] = begin_s + (end_s - begin_s) * (i + 1) / (INSIDE + 1);
	if (values_at(f, times, INSIDE, values, error) != 0)
		return -1;
	for (unsigned i = 0; i < INSIDE; i++) {
		const double share = (i + 1.0) / (INSIDE + 1), *value = values[i];
		double between[4], square = 0;
		float p[4], q[4];

		if (f->places) {
			for (unsigned k = 0; k < 3; k++)
				square += (a[k] + (b[k] - a[k]) * share - value[k]) *
					  (a[k] + (b[k] - a[k]) * share - value[k]);
			off = fmax(off, sqrt(square) / MEASURED);
		} else {
			anim_quat_slerp_double(between, a, b, share);
			anim_components_to_float(p, between, 4);
			anim_components_to_float(q, value, 4);
			off = fmax(off, anim_quat_angle(p, q) * (180 / ANIM_PI) / MEASURED);
		}
	}
	if (off > f->tolerance && depth > 0 && middle_s > from_s && middle_s < to_s) {
		if (values_at(f, &t, 1, middle, error) != 0 ||
		    fit(f, from_s, middle_s, a, middle[0], depth - 1, error) != 0)
			return -1;
		return fit(f, middle_s, to_s, middle[0], b, depth - 1, error);
	}
	f->task->worst = fmax(f->task->worst, off);
	return add_key(f, from_s, a, ANIM_LINEAR, error);
}

/* ---- Times ---- */

/*
 * Return the rotation (even i) or the position (odd i) of a link. The position is used only if a position is computed.
 */
static const struct anim_track *track_of(const struct fold *f, size_t i)
{
	const struct retarget_link *link = &f->task->links[i / 2];

	return i % 2 == 0 ? link->rotation : f->places ? link->position : NULL;
}

static struct anim_source *source_of(const struct fold *f, size_t i)
{
	return i % 2 == 0 ? &f->links[i / 2].rotation : &f->links[i / 2].position;
}

/* The first bone's own rotation does not change its position. */
static bool counts(const struct fold *f, size_t i)
{
	return track_of(f, i) != NULL && !(f->places && i == 0);
}

static bool holds_at(const struct anim_track *track, float t)
{
	size_t low = 0, high = track->n;

	if (track->kind != ANIM_CURVE)
		return track->kind == ANIM_DISCRETE;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (track->time[middle] <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && anim_track_interp(track, low - 1) == ANIM_HOLD;
}

static int compare_floats(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* Add the keys between two breaks. A stepping track changes at the second break, so it is sampled just before it. */
static int fit_break(struct fold *f, float from_s, float to_s, struct anim_error *error)
{
	double t[2] = {(double)from_s, (double)to_s}, values[2][4] = {{0}};
	bool some, all;

	/*
	 * Find out whether some or all tracks step from this time on. At exactly this time, a player may still show
	 * the old value, so the first sample is just after it.
	 */
	some = false;
	all = true;
	for (size_t i = 0; i < 2 * f->task->count; i++) {
		bool holds = counts(f, i) && holds_at(track_of(f, i), from_s);

		some = some || holds;
		all = all && (holds || !counts(f, i));
	}
	if (some)
		t[0] = anim_time_just_after(t[0]);
	if (some && !all) {
		to_s = nextafterf(to_s, from_s);
		t[1] = (double)to_s;
	}
	if (values_at(f, t, 2, values, error) != 0)
		return -1;
	if (all)
		return add_key(f, from_s, values[0], ANIM_HOLD, error);
	if (fit(f, from_s, to_s, values[0], values[1], DEPTH, error) != 0)
		return -1;
	return some && to_s > from_s ? add_key(f, to_s, values[1], ANIM_LINEAR, error) : 0;
}

/* Add keys at all times at which a track may bend, and between them if the error would be too large. */
static int run_breaks(struct fold *f, struct anim_track *out, struct anim_error *error)
{
	struct anim_buffer breaks = {0}, own = {0};
	double t, value[1][4] = {{0}};
	size_t count, kept = 0;
	int result = 0;
	float *times;

	for (size_t i = 0; i < 2 * f->task->count && result == 0; i++) {
		own.size = 0;
		if (counts(f, i) && (result = anim_source_breaks(source_of(f, i), &own, error)) == 0)
			result = anim_buffer_append(&breaks, own.data, own.size, error);
	}
	anim_buffer_clear(&own);

	/* in ascending order, without duplicates */
	count = result == 0 ? breaks.size / sizeof *times : 0;
	times = (float *)(void *)breaks.data;
	if (count > 0)
		qsort(times, count, sizeof *times, compare_floats);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || times[i] > times[kept - 1])
			times[kept++] = times[i];
	for (size_t i = 0; i + 1 < kept && result == 0; i++)
		result = fit_break(f, times[i], times[i + 1], error);
	if (result == 0 && kept > 0) {
		t = (double)times[kept - 1];
		result = values_at(f, &t, 1, value, error);
		if (result == 0)
			result = add_key(f, times[kept - 1], value[0], ANIM_LINEAR, error);
	}
	anim_buffer_clear(&breaks);
	out->kind = ANIM_CURVE;
	return result;
}

/* ---- Samples ---- */

/* Return one of the tracks if all have samples at the same times, otherwise NULL. */
static const struct anim_track *find_grid(const struct fold *f)
{
	const struct anim_track *grid = NULL;

	for (size_t i = 0; i < 2 * f->task->count; i++) {
		const struct anim_track *track = track_of(f, i);

		if (!counts(f, i))
			continue;
		grid = grid == NULL ? track : grid;
		if (track->kind != ANIM_RAW || track->n != grid->n || track->start_s != grid->start_s ||
		    anim_track_step(track) != anim_track_step(grid))
			return NULL;
	}
	return grid;
}

/* The result is exact at every sample, which is as much as the source knows. So no error is measured between them. */
static int run_samples(struct fold *f, const struct anim_track *grid, struct anim_track *out, struct anim_error *error)
{
	double value[1][4] = {{0}};
	float kept[4];

	for (size_t k = 0; k < grid->n; k++) {
		double t = anim_track_time(grid, k);

		if (values_at(f, &t, 1, value, error) != 0)
			return -1;
		keep_value(f, value[0], kept);
		if (anim_keys_add_sample(f->task->keys, kept, error) != 0)
			return -1;
	}
	out->kind = ANIM_RAW;
	out->start_s = grid->start_s;
	out->step_s = grid->step_s;
	out->rate_num = grid->rate_num;
	out->rate_den = grid->rate_den;
	return 0;
}

/* ---- A chain ---- */

static int open_links(struct fold *f, struct anim_error *error)
{
	for (size_t i = 0; i < 2 * f->task->count; i++) {
		const struct retarget_link *link = &f->task->links[i / 2];
		struct played *played = &f->links[i / 2];
		const struct anim_track *track = track_of(f, i);
		struct anim_source *s = source_of(f, i);
		if (track != NULL) {
			unsigned components = anim_types[track->type].components;
			bool euler = strcmp(track->property, "euler") == 0,
			     relative = (track->flags & ANIM_REST_RELATIVE) != 0;

			if (track->component != ANIM_WHOLE || (euler && relative) || !anim_play_can(track) ||
			    components != (strcmp(track->property, "rotation") == 0 ? 4 : 3))
				return anim_track_refuse(
				    track,
				    "cannot be combined with the track of a bone that the target lacks; " ANIM_ADVICE(
					BAKE),
				    error);
			anim_play_open(s, f->task->clip, track);
			if (euler)
				s->step = ANIM_STEP_EULER;
			if (relative) {
				s->step = anim_step_from_rest(track->property, components);
				s->rest = *retarget_rest(&f->task->plan->from, link->node);
			}
			anim_source_open(s, retarget_rest(&f->task->plan->from, link->node));
		}

		rotation_factors(f->task->plan, link->node, false, played->before, played->after);
	}
	return 0;
}

static int run(struct fold *f, enum anim_type type, struct anim_track *out, struct anim_error *error)
{
	const struct anim_track *grid;
	int result;

	f->links = anim_zeroed(f->task->count * sizeof *f->links, error);
	if (f->links == NULL)
		return -1;
	f->components = anim_types[type].components;
	f->task->worst = 0;
	anim_keys_reset(f->task->keys, type);
	out->type = type;
	out->rules = ANIM_RULES_PLAIN;
	out->component = ANIM_WHOLE;
	result = open_links(f, error);
	grid = result == 0 ? find_grid(f) : NULL;
	if (result == 0)
		result = grid != NULL ? run_samples(f, grid, out, error) : run_breaks(f, out, error);
	for (size_t i = 0; i < 2 * f->task->count; i++)
		anim_source_close(source_of(f, i));
	free(f->links);
	if (result == 0)
		anim_keys_finish(f->task->keys, out);
	if (out->kind == ANIM_RAW)
		out->interp = ANIM_LINEAR;
	return result;
}

int retarget_fold_rotation(struct retarget_fold *fold, struct anim_track *out, struct anim_error *error)
{
	struct fold f = {.task = fold, .tolerance = DEGREES};
	uint32_t to = fold->plan->from.nodes[fold->links[0].node].partner;

	back_factors(fold->plan, to, false, f.before, f.after);
	return run(&f, ANIM_FLOATQ, out, error);
}

/*
 * Give the links of a limb the lengths of the target, in the source's space, up to the hips. Computes the place in the
 * target's tree at which the limb ends if the source is at rest. Returns false if the chain does not go up to the hips.
 */
static bool follow_limb(struct retarget_fold *fold, double end[3])
{
	const struct retarget_plan *plan = fold->plan;
	uint32_t below = plan->from.nodes[fold->links[0].node].partner;
	size_t hips = 0;

	while (hips < fold->count && fold->links[hips].node != plan->hips)
		hips++;
	if (hips == 0 || hips == fold->count)
		return false;
	memcpy(end, plan->lift, sizeof plan->lift);
	for (size_t i = 1; i <= hips; i++) {
		const uint32_t above = plan->from.nodes[fold->links[i].node].partner;
		struct anim_affine back;
		double way[3];

		memset(fold->links[i - 1].at, 0, sizeof way);
		fold->links[i - 1].position = NULL;
		if (above == ANIM_POSE_NONE)
			continue;
		for (unsigned k = 0; k < 3; k++)
			way[k] = anim_poses_at(&plan->to.skeleton->poses, below, 0)[4 * k + 3] -
				 anim_poses_at(&plan->to.skeleton->poses, above, 0)[4 * k + 3];
		anim_quat_rotate_double(way, plan->to.nodes[above].fix, way);
		anim_vec3_add(end, way, 1);
		anim_quat_rotate_back(way, plan->facing, way);
		basis_of(&plan->from, fold->links[i].node, no_rotation, &back);
		if (!anim_affine_invert(&back))
			return false;
		for (unsigned k = 0; k < 3; k++)
			fold->links[i - 1].at[k] = anim_vec3_dot_double(back.m[k], way) / plan->ratio;
		below = above;
	}
	for (unsigned k = 0; k < 3; k++)
		end[k] += anim_poses_at(&plan->to.skeleton->poses, below, 0)[4 * k + 3];
	return true;
}

int retarget_fold_position(struct retarget_fold *fold, struct anim_track *out, struct anim_error *error)
{
	struct fold f = {.task = fold, .places = true, .tolerance = LENGTH * fabs(fold->plan->to.height)};
	const struct retarget_side *side = &fold->plan->from;
	uint32_t node = fold->links[0].node, to = side->nodes[node].partner;
	struct retarget_place place = {.space = fold->space};
	double rest[4] = {0}, turn[4], end[3];
	struct anim_affine back;
	bool limb;

	for (size_t i = 0; i < fold->count; i++)
		for (unsigned k = 0; k < 3; k++)
			fold->links[i].at[k] = (double)retarget_rest(side, fold->links[i].node)->position[k];
	limb = fold->limb && follow_limb(fold, end);
	for (size_t i = 0; i < fold->count; i++) {
		const struct anim_rest *own = retarget_rest(side, fold->links[i].node);

		anim_quat_unit_double(turn, own->rotation);
		if (i == 0)
			memcpy(rest, fold->links[i].at, sizeof fold->links[i].at);
		else
			lift(rest, fold->links[i].at, turn, own->scale);
	}
	memcpy(place.rest, rest, sizeof place.rest);
	if (!retarget_position(fold->plan, &place, to, &f.place))
		return anim_fail(error, ANIM_UNSUPPORTED, "'%s' cannot be placed: a node above it has scale 0",
				 anim_poses_path(&fold->plan->to.skeleton->poses, to));
	if (limb) {
		/* in the space of the target's parent, which could be inverted above */
		const uint32_t above = anim_poses_parent(&fold->plan->to.skeleton->poses, to);
		double own[3];

		basis_of(&fold->plan->to, above, retarget_fix_above(&fold->plan->to, to), &back);
		anim_affine_invert(&back);
		for (unsigned k = 0; k < 3 && above != ANIM_POSE_NONE; k++)
			end[k] -= anim_poses_at(&fold->plan->to.skeleton->poses, above, 0)[4 * k + 3];
		for (unsigned k = 0; k < 3; k++)
			own[k] = anim_vec3_dot_double(back.m[k], end);
		anim_affine_about(&f.place, place.rest, own);
	}
	return run(&f, ANIM_FLOAT3, out, error);
}
