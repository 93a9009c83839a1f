/* fold.c: chains of bones played together, as one bone's track. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "filter/posing.h"
#include "filter/retarget/internal.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define DEGREES 0.01 /* keys are added where rotations would be farther off between them */
#define LENGTH 1e-4  /* the same of positions, of the height of the target's hips */
#define DEPTH 12     /* halvings of what lies between two keys, at most */
#define INSIDE 15    /* samples between two keys that tell how far off it is */
#define MEASURED 0.8 /* of an error, so much is seen there at least: what is told is a bound */

/* A link's tracks, as their players show them. */
struct played {
	struct anim_source rotation, position;
	double before[4], behind[4]; /* its turn n is before q behind */
};

struct fold {
	struct retarget_fold *told;
	bool places; /* a position is wanted */
	struct played *links;
	double before[4], behind[4]; /* of the partner's rotation */
	struct anim_affine place;    /* of its position */
	double tolerance, last[4];
	unsigned components;
};

/* ---- Values ---- */

static const struct anim_rest *rest_of(const struct fold *f, uint32_t node)
{
	return &f->told->plan->from.skeleton->poses.rests.items[node];
}

static int begin(struct fold *f, struct anim_source *s, const struct anim_track *track, uint32_t node,
		 struct anim_error *error)
{
	unsigned components = anim_types[track->type].components;
	bool euler = strcmp(track->property, "euler") == 0, relative = (track->flags & ANIM_REST_RELATIVE) != 0;

	if (track->component != ANIM_WHOLE || (euler && relative) || !anim_play_can(track) ||
	    components != (strcmp(track->property, "rotation") == 0 ? 4 : 3))
		return anim_track_refuse(
		    track,
		    "cannot be joined with that of another bone, which the target lacks; put anim-bake before this",
		    error);
	anim_play_open(s, f->told->clip, track);
	if (euler)
		s->step = ANIM_STEP_EULER;
	if (relative) {
		s->step = anim_step_from_rest(track->property, components);
		s->rest = *rest_of(f, node);
	}
	anim_source_open(s, rest_of(f, node));
	return 0;
}

/* Quaternions of length 1 at so many times. */
static int turns_at(struct fold *f, size_t link, const double *t, size_t count, double (*out)[ANIM_COMPONENTS_MAX],
		    struct anim_error *error)
{
	struct anim_source *s = &f->links[link].rotation;

	if (f->told->links[link].rotation != NULL) {
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
		anim_quat_unit_double(out[k], rest_of(f, f->told->links[link].node)->rotation);
	return 0;
}

static int places_at(struct fold *f, size_t link, const double *t, size_t count, double (*out)[ANIM_COMPONENTS_MAX],
		     struct anim_error *error)
{
	if (f->told->links[link].position != NULL)
		return anim_source_sample(&f->links[link].position, t, count, out, error);
	for (size_t k = 0; k < count; k++)
		for (unsigned i = 0; i < 3; i++)
			out[k][i] = (double)rest_of(f, f->told->links[link].node)->position[i];
	return 0;
}

/* The turns of all links, the topmost first, and what they are to the partner. */
static int rotations(struct fold *f, const double *t, size_t count, double (*out)[4], struct anim_error *error)
{
	double q[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}};

	for (size_t k = 0; k < count; k++)
		memcpy(out[k], f->before, sizeof f->before);
	for (size_t link = f->told->count; link-- > 0;) {
		if (f->told->links[link].rotation == NULL)
			continue;
		if (turns_at(f, link, t, count, q, error) != 0)
			return -1;
		for (size_t k = 0; k < count; k++) {
			anim_quat_multiply_double(out[k], out[k], f->links[link].before);
			anim_quat_multiply_double(out[k], out[k], q[k]);
			anim_quat_multiply_double(out[k], out[k], f->links[link].behind);
		}
	}
	for (size_t k = 0; k < count; k++)
		anim_quat_multiply_double(out[k], out[k], f->behind);
	return 0;
}

/* A point of a node's space in its parent's: scaled, turned, moved. */
static void lift(double v[4], const double position[3], const double turn[4], const float scale[3])
{
	double point[4] = {v[0] * (double)scale[0], v[1] * (double)scale[1], v[2] * (double)scale[2], 0};
	const double back[4] = {-turn[0], -turn[1], -turn[2], turn[3]};

	anim_quat_multiply_double(point, turn, point);
	anim_quat_multiply_double(point, point, back);
	for (unsigned i = 0; i < 3; i++)
		v[i] = point[i] + position[i];
}

static int positions(struct fold *f, const double *t, size_t count, double (*out)[4], struct anim_error *error)
{
	double p[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}}, q[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}};

	for (size_t link = 0; link < f->told->count; link++) {
		if (places_at(f, link, t, count, p, error) != 0 || turns_at(f, link, t, count, q, error) != 0)
			return -1;
		for (size_t k = 0; k < count; k++)
			if (link == 0)
				memcpy(out[k], p[k], 3 * sizeof(double));
			else
				lift(out[k], p[k], q[k], rest_of(f, f->told->links[link].node)->scale);
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

static int values_at(struct fold *f, const double *t, size_t count, double (*out)[4], struct anim_error *error)
{
	return f->places ? positions(f, t, count, out, error) : rotations(f, t, count, out, error);
}

/* ---- Keys ---- */

/* The value of a key as it is kept; the sign of quaternions follows the key before. */
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
	return anim_keys_add(f->told->keys, t, kept, interp, error);
}

/* How far a value is from what is between two keys: degrees, or a distance. */
static double off_by(const struct fold *f, const double a[4], const double b[4], double share, const double value[4])
{
	double between[4], square = 0;
	float p[4], q[4];

	if (!f->places) {
		anim_quat_slerp_double(between, a, b, share);
		anim_components_to_float(p, between, 4);
		anim_components_to_float(q, value, 4);
		return anim_quat_angle(p, q) * (180 / ANIM_PI);
	}
	for (unsigned i = 0; i < 3; i++)
		square += (a[i] + (b[i] - a[i]) * share - value[i]) * (a[i] + (b[i] - a[i]) * share - value[i]);
	return sqrt(square);
}

static int measure(struct fold *f, double from_s, double to_s, const double a[4], const double b[4], double *off,
		   struct anim_error *error)
{
	double t[INSIDE], values[INSIDE][4] = {{0}};

	*off = 0;
	for (unsigned i = 0; i < INSIDE; i++)
		t[i] = from_s + (to_s - from_s) * (i + 1) / (INSIDE + 1);
	if (values_at(f, t, INSIDE, values, error) != 0)
		return -1;
	for (unsigned i = 0; i < INSIDE; i++)
		*off = fmax(*off, off_by(f, a, b, (i + 1.0) / (INSIDE + 1), values[i]) / MEASURED);
	return 0;
}

/* The keys from one time on, the one at the other left out. */
static int fit(struct fold *f, float from_s, float to_s, const double a[4], const double b[4], unsigned depth,
	       struct anim_error *error)
{
	float middle_s = from_s + (to_s - from_s) / 2;
	double off, middle[1][4] = {{0}}, t = (double)middle_s;

	if (measure(f, (double)from_s, (double)to_s, a, b, &off, error) != 0)
		return -1;
	if (off > f->tolerance && depth > 0 && middle_s > from_s && middle_s < to_s) {
		if (values_at(f, &t, 1, middle, error) != 0 ||
		    fit(f, from_s, middle_s, a, middle[0], depth - 1, error) != 0)
			return -1;
		return fit(f, middle_s, to_s, middle[0], b, depth - 1, error);
	}
	f->told->worst = fmax(f->told->worst, off);
	return add_key(f, from_s, a, ANIM_LINEAR, error);
}

/* ---- Times ---- */

/* Both parts of a link; position counts where one is wanted. */
static const struct anim_track *track_of(const struct fold *f, size_t i)
{
	const struct retarget_link *link = &f->told->links[i / 2];

	return i % 2 == 0 ? link->rotation : f->places ? link->position : NULL;
}

static struct anim_source *source_of(const struct fold *f, size_t i)
{
	return i % 2 == 0 ? &f->links[i / 2].rotation : &f->links[i / 2].position;
}

/* The first bone's own rotation does not move its place. */
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

/* Whether tracks step from this time on: some, all; how the first of its players may show what was before it. */
static void look_at_steps(const struct fold *f, float t, bool *some, bool *all)
{
	*some = false;
	*all = true;
	for (size_t i = 0; i < 2 * f->told->count; i++) {
		bool holds = counts(f, i) && holds_at(track_of(f, i), t);

		*some = *some || holds;
		*all = *all && (holds || !counts(f, i));
	}
}

static int compare_floats(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* All times at which a track may bend, rising, none twice. */
static int find_breaks(const struct fold *f, struct anim_buffer *out, struct anim_error *error)
{
	struct anim_buffer own = {0};
	int result = 0;
	size_t count, kept = 0;
	float *times;

	for (size_t i = 0; i < 2 * f->told->count && result == 0; i++) {
		own.size = 0;
		if (counts(f, i) && (result = anim_source_breaks(source_of(f, i), &own, error)) == 0)
			result = anim_buffer_append(out, own.data, own.size, error);
	}
	anim_buffer_clear(&own);
	count = out->size / sizeof *times;
	times = (float *)(void *)out->data;
	if (result != 0 || count == 0)
		return result;
	qsort(times, count, sizeof *times, compare_floats);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || times[i] > times[kept - 1])
			times[kept++] = times[i];
	out->size = kept * sizeof *times;
	return 0;
}

/* The keys between two breaks. What steps does so at the second: it is followed up to just before. */
static int fit_break(struct fold *f, float from_s, float to_s, struct anim_error *error)
{
	double t[2] = {(double)from_s, (double)to_s}, values[2][4] = {{0}};
	bool some, all;

	look_at_steps(f, from_s, &some, &all);
	if (some)
		t[0] = anim_time_just_behind(t[0]);
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

static int run_breaks(struct fold *f, struct anim_track *out, struct anim_error *error)
{
	struct anim_buffer breaks = {0};
	int result = find_breaks(f, &breaks, error);
	const float *times = (const float *)(const void *)breaks.data;
	size_t count = breaks.size / sizeof *times;
	double t, value[1][4] = {{0}};

	for (size_t i = 0; i + 1 < count && result == 0; i++)
		result = fit_break(f, times[i], times[i + 1], error);
	if (result == 0 && count > 0) {
		t = (double)times[count - 1];
		result = values_at(f, &t, 1, value, error);
		if (result == 0)
			result = add_key(f, times[count - 1], value[0], ANIM_LINEAR, error);
	}
	anim_buffer_clear(&breaks);
	out->kind = ANIM_CURVE;
	return result;
}

/* ---- Samples ---- */

/* One of the tracks, where all have their samples at the same times; NULL: they do not. */
static const struct anim_track *find_grid(const struct fold *f)
{
	const struct anim_track *grid = NULL;

	for (size_t i = 0; i < 2 * f->told->count; i++) {
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

static int run_samples(struct fold *f, const struct anim_track *grid, struct anim_track *out, struct anim_error *error)
{
	double before_s = 0, before[4] = {0}, value[1][4] = {{0}}, off;
	float kept[4];

	for (size_t k = 0; k < grid->n; k++) {
		double t = anim_track_time(grid, k);

		if (values_at(f, &t, 1, value, error) != 0)
			return -1;
		if (k > 0) {
			if (measure(f, before_s, t, before, value[0], &off, error) != 0)
				return -1;
			f->told->worst = fmax(f->told->worst, off);
		}
		keep_value(f, value[0], kept);
		if (anim_keys_add_sample(f->told->keys, kept, error) != 0)
			return -1;
		before_s = t;
		memcpy(before, value[0], sizeof before);
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
	for (size_t i = 0; i < 2 * f->told->count; i++) {
		const struct retarget_link *link = &f->told->links[i / 2];
		struct played *played = &f->links[i / 2];
		const struct anim_track *track = track_of(f, i);

		if (track != NULL && begin(f, source_of(f, i), track, link->node, error) != 0)
			return -1;
		retarget_turn_factors(f->told->plan, link->node, false, played->before, played->behind);
	}
	return 0;
}

static int run(struct fold *f, enum anim_type type, struct anim_track *out, struct anim_error *error)
{
	const struct anim_track *grid;
	int result;

	f->links = anim_zeroed(f->told->count * sizeof *f->links, error);
	if (f->links == NULL)
		return -1;
	f->components = anim_types[type].components;
	f->told->worst = 0;
	anim_keys_reset(f->told->keys, type);
	out->type = type;
	out->rules = ANIM_RULES_PLAIN;
	out->component = ANIM_WHOLE;
	result = open_links(f, error);
	grid = result == 0 ? find_grid(f) : NULL;
	if (result == 0)
		result = grid != NULL ? run_samples(f, grid, out, error) : run_breaks(f, out, error);
	for (size_t i = 0; i < 2 * f->told->count; i++)
		anim_source_close(source_of(f, i));
	free(f->links);
	if (result == 0)
		anim_keys_finish(f->told->keys, out);
	if (out->kind == ANIM_RAW)
		out->interp = ANIM_LINEAR;
	return result;
}

int retarget_fold_rotation(struct retarget_fold *fold, struct anim_track *out, struct anim_error *error)
{
	struct fold f = {.told = fold, .tolerance = DEGREES};
	uint32_t to = fold->plan->from.nodes[fold->links[0].node].partner;

	retarget_back_factors(fold->plan, to, false, f.before, f.behind);
	return run(&f, ANIM_FLOATQ, out, error);
}

int retarget_fold_position(struct retarget_fold *fold, struct anim_track *out, struct anim_error *error)
{
	struct fold f = {.told = fold, .places = true, .tolerance = LENGTH * fabs(fold->plan->to.height)};
	const struct retarget_side *side = &fold->plan->from;
	uint32_t node = fold->links[0].node, to = side->nodes[node].partner;
	struct retarget_place place = {.space = retarget_above(side, node)};
	double rest[4] = {0}, turn[4], at[3];

	for (size_t i = 0; i < fold->count; i++) {
		const struct anim_rest *own = rest_of(&f, fold->links[i].node);

		for (unsigned k = 0; k < 3; k++)
			at[k] = (double)own->position[k];
		anim_quat_unit_double(turn, own->rotation);
		if (i == 0)
			memcpy(rest, at, sizeof at);
		else
			lift(rest, at, turn, own->scale);
	}
	memcpy(place.rest, rest, sizeof place.rest);
	if (!retarget_position(fold->plan, &place, to, &f.place))
		return anim_fail(error, ANIM_UNSUPPORTED, "'%s' cannot be placed: a node above it is scaled to nothing",
				 anim_poses_path(&fold->plan->to.skeleton->poses, to));
	return run(&f, ANIM_FLOAT3, out, error);
}
