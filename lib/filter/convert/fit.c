/* fit.c: a track whose keys play like the source under the target's rules, within a tolerance. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/progress.h"
#include "clip/cubic.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/convert/fit.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* ======== A Curve track that grows key by key ======== */

#define THIRD (1.0f / 3) /* length of a handle that is not weighted */

static void keys_reset(struct convert_keys *keys, enum anim_type type, enum anim_interp cubic, enum anim_interp even)
{
	struct anim_buffer *columns[] = {&keys->time,  &keys->mode,   &keys->value,   &keys->left,
					 &keys->right, &keys->left_x, &keys->right_x, &keys->weighted};

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		columns[i]->size = 0;
	keys->type = type;
	keys->cubic = cubic;
	keys->even = even;
	keys->arrives = keys->straight = false;
	keys->n = 0;
}

void convert_keys_clear(struct convert_keys *keys)
{
	struct anim_buffer *columns[] = {&keys->time,  &keys->mode,   &keys->value,   &keys->left,
					 &keys->right, &keys->left_x, &keys->right_x, &keys->weighted};

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		anim_buffer_clear(columns[i]);
}

void convert_controls(const struct convert_piece *piece, enum anim_interp cubic, double right[ANIM_COMPONENTS_MAX],
		      double left[ANIM_COMPONENTS_MAX], float *right_x, float *left_x)
{
	double duration = (double)piece->to_s - (double)piece->from_s;
	double first = piece->weighted ? piece->share[0] * duration : duration / 3;
	double last = piece->weighted ? piece->share[1] * duration : duration / 3;

	*right_x = (float)first;
	*left_x = (float)-last;
	if (cubic != ANIM_BEZIER_2D) {
		*right_x = piece->weighted ? (float)piece->share[0] : THIRD;
		*left_x = piece->weighted ? (float)piece->share[1] : THIRD;
	}
	for (int i = 0; i < ANIM_COMPONENTS_MAX; i++) {
		right[i] = piece->inner[0][i];
		left[i] = piece->inner[1][i];
		if (cubic == ANIM_CUBIC_BEZIER)
			continue;
		right[i] -= piece->from[i];
		left[i] -= piece->to[i];
		if (cubic == ANIM_BEZIER_2D)
			continue;
		right[i] = first > 0 ? right[i] / first : 0;
		left[i] = last > 0 ? left[i] / -last : 0;
	}
}

static int append(struct anim_buffer *column, enum anim_type type, const double components[ANIM_COMPONENTS_MAX],
		  struct anim_error *error)
{
	void *at = anim_buffer_extend(column, anim_types[type].size, error);

	if (at == NULL)
		return -1;
	anim_value_store(type, components, at);
	return 0;
}

int convert_keys_add(struct convert_keys *keys, const struct convert_piece *piece, struct anim_error *error)
{
	static const double none[ANIM_COMPONENTS_MAX];
	const double *rest = keys->cubic == ANIM_CUBIC_BEZIER ? piece->from : none;
	double right[ANIM_COMPONENTS_MAX], left[ANIM_COMPONENTS_MAX];
	float none_x = keys->cubic == ANIM_BEZIER_2D ? 0 : THIRD, right_x = none_x, next_x = none_x;
	float left_x = keys->arrives ? keys->arriving_x : none_x;
	uint8_t mode = (uint8_t)piece->mode, weighted = keys->arrives ? keys->arriving_weighted : 0;
	bool cubic = piece->mode == keys->cubic;

	keys->n++;
	if (keys->straight)
		return anim_buffer_append(&keys->time, &piece->from_s, sizeof piece->from_s, error) != 0 ||
			       anim_buffer_append(&keys->mode, &mode, 1, error) != 0
			   ? -1
			   : append(&keys->value, keys->type, piece->from, error);
	memcpy(right, rest, sizeof right);
	memcpy(left, rest, sizeof left);
	if (cubic)
		convert_controls(piece, keys->cubic, right, left, &right_x, &next_x);
	if (cubic && piece->weighted)
		weighted |= 2;
	if (anim_buffer_append(&keys->time, &piece->from_s, sizeof piece->from_s, error) != 0 ||
	    anim_buffer_append(&keys->mode, &mode, 1, error) != 0 ||
	    append(&keys->value, keys->type, piece->from, error) != 0 ||
	    append(&keys->left, keys->type, keys->arrives ? keys->arriving : rest, error) != 0 ||
	    append(&keys->right, keys->type, right, error) != 0 ||
	    anim_buffer_append(&keys->left_x, &left_x, sizeof left_x, error) != 0 ||
	    anim_buffer_append(&keys->right_x, &right_x, sizeof right_x, error) != 0 ||
	    anim_buffer_append(&keys->weighted, &weighted, 1, error) != 0)
		return -1;
	memcpy(keys->arriving, left, sizeof left);
	keys->arriving_x = next_x;
	keys->arriving_weighted = cubic && piece->weighted;
	keys->arrives = cubic;
	return 0;
}

/* Return whether handles have their own lengths. Weighted keys without such handles get the simpler mode. */
static bool simplify_handles(struct convert_keys *keys)
{
	uint8_t *mode = keys->mode.data, weighted = 0;

	if (keys->cubic != ANIM_WEIGHTED)
		return keys->cubic == ANIM_BEZIER_2D;
	for (size_t k = 0; k < keys->n; k++)
		weighted |= keys->weighted.data[k];
	if (weighted != 0)
		return true;
	for (size_t k = 0; k < keys->n; k++)
		mode[k] = mode[k] == ANIM_WEIGHTED ? (uint8_t)keys->even : mode[k];
	keys->cubic = keys->even;
	return false;
}

/* ======== Jumps inside the cubic rotations of Godot 3 ======== */

/*
 * Godot 3 interpolates cubic rotations with three slerps. The last slerp returns its start while its two ends are
 * nearly equal. When they no longer are, it begins with a jump of up to 0.8 degrees, or of 180 degrees.
 */

#define NOISE 5e-7     /* of the nearness: closer to 0 than this, its sign in float32 is uncertain */
#define NARROW 0x1p-12 /* share of a segment: the search stops at this width, whatever the keys are */
#define NOT_UNIT 2     /* factor for the bend, because the keys may not have length 1 */

/* One segment of the source. */
struct squad {
	struct anim_sampler sampler;
	struct anim_segment segment;
	float from[4], to[4], before[4], after[4];
	double bend; /* largest second derivative of the nearness by the weight */
	/* Results so far, from left to right: */
	/* The last certain sign (0: none), its weight, and the weight of the next certain opposite sign. */
	double side, change[2];
	double visited; /* the last weight */
	bool flickers;  /* its sign is uncertain */
	double leap;    /* size of the jump in degrees, also where rounding makes the curve flicker */
};

static double dot_at(const struct squad *q, double weight)
{
	return (double)anim_quat_cubic_slerp_dot(q->from, q->to, q->before, q->after, (float)weight);
}

/* Return how nearly equal the ends are. Above 0, the last slerp returns its start. */
static double nearness_at(const struct squad *q, double weight)
{
	return fabs(dot_at(q, weight)) - (double)ANIM_QUAT_NEAR;
}

static double weight_at(struct squad *q, float t)
{
	struct anim_segment segment;

	return q->sampler.rules->locate(&q->sampler, (double)t, &segment) ? segment.weight : 0;
}

/* Load the segment at t. Returns 1, 0 if it is not a cubic rotation of Godot 3, or -1. */
static int open_squad(struct anim_source *source, float t, struct squad *q, struct anim_error *error)
{
	const struct anim_track *track = source->tracks[0];
	struct anim_cubic_keys keys;
	double angle;

	if (source->joined || track->rules != ANIM_RULES_GODOT3 || track->kind != ANIM_CURVE ||
	    track->type != ANIM_FLOATQ)
		return 0;
	if (anim_sampler_open(&q->sampler, source->clip, track, &source->states[0], error) != 0)
		return -1;
	if (!q->sampler.rules->locate(&q->sampler, (double)t, &q->segment) || q->segment.hold ||
	    anim_track_interp(track, q->segment.from) != ANIM_CUBIC_UNIFORM)
		return 0;
	anim_cubic_keys_load(track, &q->segment, &keys);
	anim_components_to_float(q->from, keys.from, 4);
	anim_components_to_float(q->to, keys.to, 4);
	anim_components_to_float(q->before, keys.before, 4);
	anim_components_to_float(q->after, keys.after, 4);
	/*
	 * Each end of the last slerp moves on a circle by its angle. Their dot product changes at most with the sum of
	 * the two speeds, so its second derivative is at most the square of this sum.
	 */
	angle = anim_acos(fabs((double)anim_quat_dot(q->from, q->to))) +
		anim_acos((double)anim_quat_dot(q->before, q->after));
	q->bend = NOT_UNIT * angle * angle;
	q->side = q->leap = 0;
	q->flickers = false;
	return 1;
}

/*
 * Record a possible jump between two weights. Its exact weight does not matter: float32 rounding makes the curve flicker
 * in this interval, so the jump counts at the weight at which it is largest.
 */
static void record_jump(struct squad *q, double low, double high)
{
	double weight = fmax(low, fmin(high, 0.5));
	double dot = dot_at(q, weight), angle = anim_acos(copysign((double)ANIM_QUAT_NEAR, dot) - 2 * NOISE);

	if (isfinite(dot))
		q->leap = fmax(q->leap, 4 * weight * (1 - weight) * angle * (180 / ANIM_PI));
}

/* Visit the next weight to the right. Returns true if its sign is certain and differs from the last certain one. */
static bool visit(struct squad *q, double weight, double nearness)
{
	double side = copysign(1, nearness);
	bool certain = fabs(nearness) > NOISE, changes = certain && q->side == -side;

	if (!certain || q->flickers)
		record_jump(q, q->visited, weight);
	q->visited = weight;
	q->flickers = !certain;
	if (!certain)
		return false;
	q->change[changes] = weight;
	q->side = side;
	return changes;
}

/*
 * Visit the necessary weights between two weights, and the second one, up to the first change of sign. If both ends
 * have the same sign, and are farther from 0 than the curve can bend, all weights between them have that sign.
 */
static bool find_change(struct squad *q, double low, double high, double at_low, double at_high)
{
	double middle = low + (high - low) / 2, reach = q->bend * (high - low) * (high - low) / 8, at_middle;
	bool differs = signbit(at_low) != signbit(at_high);

	if (reach < NOISE / 4 || high - low < NARROW ||
	    !(differs || fmin(fabs(at_low), fabs(at_high)) <= reach + NOISE))
		return visit(q, high, at_high);
	at_middle = nearness_at(q, middle);
	return find_change(q, low, middle, at_low, at_middle) || find_change(q, middle, high, at_middle, at_high);
}

/* Narrow the interval to the two neighbouring floats between which the sign changes. */
static bool narrow_down(struct squad *q, float *low, float *high)
{
	bool near = q->side < 0; /* before the change */

	while (nextafterf(*low, *high) < *high) {
		float middle = (float)((double)*low + ((double)*high - (double)*low) / 2);
		double weight = weight_at(q, middle);
		bool before =
		    weight <= q->change[0] || (weight < q->change[1] && (nearness_at(q, weight) >= 0) == near);

		*(before ? low : high) = middle;
	}
	return *low < *high;
}

/*
 * Find the first jump between two times in one segment of the source: the last slerp returns its start on one side of
 * it, and not on the other. Returns 1 and sets *low and *high to the neighbouring floats at the jump, 0 if there is
 * none, or -1. Sets *leap to the largest size of the jump in degrees, also where rounding alone may cause one.
 * Otherwise *leap is unchanged.
 */
static int squad_jump(struct anim_source *source, float *low, float *high, double *leap, struct anim_error *error)
{
	struct squad q;
	double first, last, at_first;
	int found = open_squad(source, *low, &q, error);
	bool changes;

	if (found != 1)
		return found;
	first = weight_at(&q, *low);
	last = weight_at(&q, *high);
	if (!(last > first))
		return 0;
	at_first = nearness_at(&q, first);
	q.visited = first;
	visit(&q, first, at_first);
	changes = find_change(&q, first, last, at_first, nearness_at(&q, last)) && narrow_down(&q, low, high);
	if (changes)
		record_jump(&q, q.change[0], q.change[1]);
	*leap = q.leap;
	return changes;
}

/* ======== Keys under the target's rules ======== */

#define DEPTH 32 /* largest number of halvings of one segment */
/*
 * Shorter segments are not halved, because Godot treats keys nearer than half of this as one. In seconds, multiplied by
 * the time if that is above 1.
 */
#define SHORT 2e-5
/* The same for other targets if the error exceeds FAR_OFF times the limit. Few floats are left at this distance. */
#define SHORTEST 1e-6
#define FAR_OFF 64
/*
 * Keys that a track may get in addition to BUDGET_EACH per segment: a track of few segments may need many. All tracks of a file
 * share CONVERT_SPARE keys beyond USUAL_EACH per segment.
 */
#define BUDGET 65536
#define BUDGET_EACH 64
#define USUAL_EACH 8

/*
 * Choose the representation nearest to the value before it: the sign of a quaternion, or the number of full rotations
 * of an angle. If the target has angles of rotations, convert the rotation to the nearest angles.
 */
static void align(const struct convert_pass *pass, const double near[ANIM_COMPONENTS_MAX],
		  double v[ANIM_COMPONENTS_MAX])
{
	double dot = 0;

	if (pass->fit->angles) {
		convert_nearest_angles(pass->fit, near, v);
		return;
	}
	if (pass->period > 0 && isfinite(v[0]) && isfinite(near[0]))
		v[0] += pass->period * rint((near[0] - v[0]) / pass->period);
	if (!anim_types[pass->fit->type].quaternion)
		return;
	for (int i = 0; i < 4; i++)
		dot += near[i] * v[i];
	for (int i = 0; i < 4 && dot < 0; i++)
		v[i] = 0.0 - v[i]; /* 0 stays 0, so that no sign appears that the source does not have */
}

static bool is_finite(const double v[ANIM_COMPONENTS_MAX], unsigned components)
{
	for (unsigned i = 0; i < components; i++)
		if (!(fabs(v[i]) <= (double)FLT_MAX))
			return false;
	return true;
}

/*
 * At a key's time, a player may still show the segment before the key. Then the value right after it counts. This is a
 * jump only if the change does not continue: a curve that leaves the key's value steadily changes as much again in the
 * same time.
 */
static void correct_after_key(const struct convert_pass *pass, const double after[ANIM_COMPONENTS_MAX],
			      const double farther[ANIM_COMPONENTS_MAX], double at[ANIM_COMPONENTS_MAX])
{
	unsigned components = anim_types[pass->fit->type].components;
	double size = 0, off = 0, more = 0;

	for (unsigned i = 0; i < components; i++) {
		size = fmax(size, fabs(at[i]));
		off = fmax(off, fabs(after[i] - at[i]));
		more = fmax(more, fabs(farther[i] - after[i]));
	}
	if (off > 1e-6 * fmax(size, 1e-6) && more < off / 4)
		memcpy(at, after, sizeof(double) * ANIM_COMPONENTS_MAX);
}

#define RIGHT (CONVERT_MORE - 1) /* largest number of samples for the value from a time on */

/* Set the times of these samples. Returns their number. */
static size_t place_right(const struct convert_pass *pass, float t, double times[RIGHT])
{
	times[0] = (double)t;
	times[1] = anim_time_just_after((double)t);
	times[2] = 2 * times[1] - (double)t;
	return anim_source_is_late(pass->fit->source) ? RIGHT : 1;
}

bool convert_asks_at_floats(const struct convert_fitting *fit)
{
	enum anim_rules rules[] = {anim_source_first(fit->source)->rules, fit->caps->rules};

	return rules[0] == ANIM_RULES_GODOT3 || rules[0] == ANIM_RULES_UNITY || rules[1] == ANIM_RULES_GODOT3 ||
	       rules[1] == ANIM_RULES_UNITY;
}

static bool is_for_godot(const struct convert_pass *pass)
{
	return anim_rules_are_godot(pass->fit->caps->rules);
}

#define ENLARGED 8 /* the extrapolation adds seven values, and the value at the end has its own rounding */

/*
 * Set the value that the curve approaches at the span's end. It differs from the value at the end if the curve jumps
 * there.
 */
static void set_end(const struct convert_pass *pass, struct convert_span *span, double end[ANIM_COMPONENTS_MAX])
{
	double limit = span->noise;

	if (anim_types[pass->fit->type].quaternion)
		anim_normalize(end);
	/*
	 * A constant span with another value at its end is a step, however small. Elsewhere a small jump may be a steep
	 * end, or the rounding of the samples, which the extrapolation enlarges.
	 */
	span->jumps = convert_deviation(&pass->measure, end, span->next) >
		      (span->constant ? limit : fmax(ENLARGED * limit, pass->fit->tolerance / 2));
	memcpy(span->piece.to, span->jumps ? end : span->next, sizeof span->piece.to);
}

/* A cubic rotation of Godot 3 flickers between two values at a jump, so its slope is unknown there. */
static bool flickers(const struct convert_pass *pass)
{
	const struct anim_track *track = anim_source_first(pass->fit->source);

	return track->rules == ANIM_RULES_GODOT3 && anim_types[track->type].quaternion;
}

/*
 * Extrapolate the end: its distance from the last sample is the distance of that sample from the one before it. If the
 * samples keep far from the end, the curve may bend in between, so a third sample is used to check an apparent jump. A
 * curve that flickers and jumps between two floats ends at the value of its last sample.
 */
static int find_end(struct convert_pass *pass, struct convert_span *span, const double before[ANIM_COMPONENTS_MAX],
		    struct anim_error *error)
{
	const double *last = span->v[CONVERT_POINTS - 1];
	double gap = (double)span->piece.to_s - span->t[CONVERT_POINTS - 1], t = (double)span->piece.to_s - 3 * gap;
	double end[ANIM_COMPONENTS_MAX], third[1][ANIM_COMPONENTS_MAX] = {{0}};

	align(pass, last, span->next);
	for (int i = 0; i < ANIM_COMPONENTS_MAX; i++)
		end[i] = last[i] + (last[i] - before[i]);
	set_end(pass, span, end);
	if (span->jumps && flickers(pass) &&
	    nextafterf((float)span->t[CONVERT_POINTS - 1], span->piece.to_s) >= span->piece.to_s) {
		memcpy(end, last, sizeof end);
		set_end(pass, span, end);
	}
	if (!span->jumps || span->constant || gap < SHORT / 2 || t < (double)span->piece.from_s)
		return 0;
	if (anim_source_sample(pass->fit->source, &t, 1, third, error) != 0)
		return -1;
	align(pass, before, third[0]);
	for (int i = 0; i < ANIM_COMPONENTS_MAX; i++)
		end[i] = 3 * (last[i] - before[i]) + third[0][i];
	set_end(pass, span, end);
	return 0;
}

#define STRIDE 8 /* samples between two that give a speed: neighbouring ones may differ by rounding alone */

/*
 * Return how much rounding alone can change the span's values. The source computes them from its keys, so that values
 * near zero have the rounding errors of the largest value between the keys. Godot also rounds the weights to float32: the
 * share of the time between two keys. Transitions and cubics make the values change much faster than the weight.
 */
static double noise_of(const struct convert_fitting *fit, struct convert_span *span)
{
	const struct anim_type_info *type = &anim_types[fit->type];
	bool godot = anim_rules_are_godot(anim_source_first(fit->source)->rules);
	double noise, size = span->size, most = 0;

	if (type->quaternion)
		return CONVERT_NOISE;
	for (int i = 0; i < CONVERT_POINTS; i++)
		for (unsigned component = 0; component < type->components; component++)
			size = convert_larger(size, fabs(span->v[i][component]));
	span->size = size;
	for (int i = 1; godot && i + STRIDE < CONVERT_POINTS; i += STRIDE) {
		const double *from = span->v[i], *to = span->v[i + STRIDE];
		double step = span->t[i + STRIDE] - span->t[i], change = 0;

		for (unsigned component = 0; component < type->components; component++)
			change = convert_larger(change, fabs(to[component] - from[component]));
		if (step > 0)
			most = convert_larger(most, change / step * (span->t[i + STRIDE] - span->begin_s));
	}
	noise = ((fit->keys->cubic == ANIM_BEZIER_2D) ? 32 : 8) * 0x1p-24 * span->size + 0x1p-24 * most;
	return fmax(noise * fit->unit, 1e-3 * fit->tolerance);
}

/* Sample the span and find out whether it is finite and constant, and how it ends. */
static int load(struct convert_pass *pass, struct convert_span *span, struct anim_error *error)
{
	double before[ANIM_COMPONENTS_MAX];
	unsigned components = anim_types[pass->fit->type].components;

	/* They are denser near the ends, where curves with handles bend most. */
	bool floats = convert_asks_at_floats(pass->fit);
	double low, high;
	double a = (double)span->piece.from_s, b = (double)span->piece.to_s;
	double first = convert_margin(pass->fit, a, span->starts), last = convert_margin(pass->fit, b, span->ends);

	/*
	 * These margins are for a long span. In a short span that is a complete segment, samples are closer to its
	 * ends, but not so close that the player takes them for the key at its end. A short span that was cut off
	 * before a key is sampled up to that key, as the player shows it.
	 */
	if (b - a < 3 * fmax(first, last)) {
		first = CONVERT_NEARER * convert_margin(pass->fit, a, false);
		last =
		    (span->starts || is_for_godot(pass)) ? CONVERT_NEARER * last : convert_margin(pass->fit, b, false);
	}
	low = a + first;
	high = b - last;
	if (convert_asks_at_floats(pass->fit)) {
		low = fmax(low, (double)nextafterf(span->piece.from_s, span->piece.to_s));
		high = fmin(high, (double)nextafterf(span->piece.to_s, span->piece.from_s));
	}
	if (low > high)
		low = high = fmax(a, fmin(b, (a + b) / 2));
	span->t[0] = (double)span->piece.from_s;
	for (int i = 1; i < CONVERT_POINTS; i++) {
		double u = (double)(i - 1) / (CONVERT_POINTS - 2), t = low + (high - low) * (u * u * (3 - 2 * u));

		span->t[i] = floats ? convert_smaller(high, convert_larger(low, (double)(float)t)) : t;
	}

	/* Sample the span, the time before its last sample, and its end. The value at its start is known. */
	double t[CONVERT_POINTS + CONVERT_MORE], (*right)[ANIM_COMPONENTS_MAX] = span->v + CONVERT_POINTS + 1;
	size_t count;

	memcpy(t, span->t, sizeof span->t);
	t[CONVERT_POINTS] =
	    fmax(2 * span->t[CONVERT_POINTS - 1] - (double)span->piece.to_s, (double)span->piece.from_s);
	count = place_right(pass, span->piece.to_s, t + CONVERT_POINTS + 1);
	if (anim_source_sample(pass->fit->source, t, CONVERT_POINTS + 1 + count, span->v, error) != 0)
		return -1;
	if (count > 1)
		correct_after_key(pass, right[1], right[2], right[0]);
	memcpy(span->v[0], span->piece.from, sizeof span->v[0]);
	memcpy(before, span->v[CONVERT_POINTS], sizeof span->v[0]);
	memcpy(span->next, right[0], sizeof span->next);

	span->finite = is_finite(span->v[0], components) && is_finite(span->next, components);
	span->constant = true;
	for (int i = 1; i < CONVERT_POINTS; i++) {
		align(pass, span->v[i - 1], span->v[i]);
		span->finite = span->finite && is_finite(span->v[i], components);
		for (unsigned component = 0; component < components && span->constant; component++)
			span->constant = (float)span->v[i][component] == (float)span->v[0][component];
	}
	align(pass, span->v[CONVERT_POINTS - 1], before);
	span->noise = noise_of(pass->fit, span);
	if (find_end(pass, span, before, error) != 0)
		return -1;
	if (span->constant)
		memcpy(span->piece.to, span->jumps ? span->v[0] : span->next, sizeof span->piece.to);
	return 0;
}

#define JUMP_S 0.1f /* length of the handles of a jump */

/*
 * Godot treats times within 1e-5 s of a key as the key's time. Right after a jump it may still play the jump's own
 * segment, far beyond its end. Handles that are much longer than the segment keep the value constant there.
 */
static void set_jump(enum anim_interp cubic, struct convert_piece *piece)
{
	double duration = (double)piece->to_s - (double)piece->from_s;

	piece->weighted = cubic == ANIM_BEZIER_2D && duration > 0;
	piece->share[0] = piece->share[1] = piece->weighted ? (double)JUMP_S / duration : 0;
}

/* Append the span with the mode of its piece. */
static int accept(struct convert_pass *pass, struct convert_span *span, double off, struct anim_error *error)
{
	const struct anim_buffer *breaks = pass->fit->breaks;
	const float *t = (const float *)(const void *)breaks->data;
	bool holds = span->piece.mode == ANIM_HOLD;

	/*
	 * The target holds its value before the first key and after the last, except for Godot 3, which plays nothing
	 * before the first key.
	 */
	pass->held = span->constant && !span->jumps;
	if (!(pass->first && pass->fit->caps->rules != ANIM_RULES_GODOT3 && pass->held && holds && !span->from_key) &&
	    convert_keys_add(pass->fit->keys, &span->piece, error) != 0)
		return -1;

	/* Add the key before a jump, one float before it. */
	if (span->jumps && !holds) {
		struct convert_piece piece = span->piece;

		piece.from_s = nextafterf(span->piece.to_s, span->piece.from_s);
		set_jump(pass->fit->keys->cubic, &piece);
		if (!(piece.from_s <= span->piece.from_s)) {
			memcpy(piece.from, span->piece.to, sizeof piece.from);
			memcpy(piece.to, span->piece.to, sizeof piece.to);
			memcpy(piece.inner[0], piece.from, sizeof piece.from);
			memcpy(piece.inner[1], piece.from, sizeof piece.from);
			if (pass->modes & 1u << ANIM_HOLD)
				piece.mode = ANIM_HOLD;
			if (convert_keys_add(pass->fit->keys, &piece, error) != 0)
				return -1;
		}
	}

	if (span->jumps)
		pass->fit->jump_s = (double)span->piece.to_s;
	/*
	 * At a key's time Resonite shows the value before the key, and at the clip's end this value stays. So a jump at the
	 * end is never shown if the target's curve only becomes steeper there.
	 */
	if (span->jumps && !span->constant && pass->fit->caps->rules == ANIM_RULES_RESONITE &&
	    !(span->piece.to_s < t[breaks->size / sizeof *t - 1]))
		off = fmax(off, convert_deviation(&pass->measure, span->piece.to, span->next));
	pass->fit->approximated = pass->fit->approximated || off > span->noise;
	pass->first = false;
	memcpy(pass->last, span->next, sizeof pass->last);
	return 1;
}

static int fit_span(struct convert_pass *pass, struct convert_span *span, int depth, struct anim_error *error);

/* Fit the part of a span between two of its times. */
static int fit_part(struct convert_pass *pass, const struct convert_span *span, float from, float to, int depth,
		    struct anim_error *error)
{
	struct convert_span part = {.prefers_linear = span->prefers_linear,
				    .range = span->range,
				    .size = span->size,
				    .begin_s = span->begin_s,
				    .k = span->k};

	if (!(to > from))
		return 1;
	part.piece.from_s = from;
	part.piece.to_s = to;
	part.starts = span->starts && from == span->piece.from_s;
	part.ends = span->ends && to == span->piece.to_s;
	part.from_key = span->from_key || from > span->piece.from_s;
	return fit_span(pass, &part, depth + 1, error);
}

/*
 * Return the difference of two values in the source's representation. For rotations it is computed from the four
 * components with their signs.
 */
static double leap_of(const struct convert_pass *pass, const double a[ANIM_COMPONENTS_MAX],
		      const double b[ANIM_COMPONENTS_MAX])
{
	double sum = 0;

	if (!anim_types[pass->fit->type].quaternion)
		return convert_deviation(&pass->measure, a, b);
	for (int i = 0; i < 4; i++)
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	return 2 * sqrt(sum) * (180 / ANIM_PI);
}

/* A jump must exceed the changes beside it by this factor; smaller jumps are found when the span is halved. */
#define JUMPS 1.5
#define STAYS 0.5 /* a jump keeps at least this share of its size between closer times */

/*
 * Find a jump between two samples that remains between two neighbouring floats, and set *low and *high to these.
 * Returns 1 if there is such a jump, 0 if not, and -1 on error.
 */
static int find_leap(struct convert_pass *pass, const struct convert_span *span, float *low, float *high,
		     struct anim_error *error)
{
	double leaps[CONVERT_POINTS + 1] = {0}; /* 0 before the first and after the last sample */
	double v[2][ANIM_COMPONENTS_MAX], at[1][ANIM_COMPONENTS_MAX] = {{0}}, leap, least, first, last;
	int widest = 1;

	/* the sample after which the curve changes most, unless the changes beside it are similar */
	for (int i = 1; i < CONVERT_POINTS; i++) {
		leaps[i] = leap_of(pass, span->v[i - 1], span->v[i]);
		widest = leaps[i] > leaps[widest] ? i : widest;
	}
	leap = leaps[widest];
	if (!(leap > JUMPS * fmax(leaps[widest - 1], leaps[widest + 1])))
		return 0;
	least = fmax(STAYS * leap, 2 * convert_limit(pass, span));
	memcpy(v, &span->v[widest - 1], sizeof v);
	*low = fmaxf((float)span->t[widest - 1], span->piece.from_s);
	*high = fminf((float)span->t[widest], span->piece.to_s);
	while (leap >= least && nextafterf(*low, *high) < *high) {
		float middle = (float)((double)*low + ((double)*high - (double)*low) / 2);
		double t = (double)middle;

		if (anim_source_sample(pass->fit->source, &t, 1, at, error) != 0)
			return -1;
		align(pass, v[0], at[0]);
		first = leap_of(pass, v[0], at[0]);
		last = leap_of(pass, at[0], v[1]);
		leap = fmax(first, last);
		memcpy(v[first < last ? 0 : 1], at[0], sizeof at[0]);
		*(first < last ? low : high) = middle;
	}
	return leap >= least && *low < *high;
}

/*
 * Find a jump inside the span that comes from the source's player, however brief: *low and *high are neighbouring
 * floats. float32 rounding makes such a jump flicker, so it is reported even if the target can represent it. Times that
 * the player takes for a key's time are not part of the span, and changes within the limit are not jumps. Returns 1, 0
 * or -1.
 */
static int find_own_jump(struct convert_pass *pass, const struct convert_span *span, float *low, float *high,
			 struct anim_error *error)
{
	double first = (double)span->piece.from_s, last = (double)span->piece.to_s, limit = convert_limit(pass, span);
	int found;

	first += CONVERT_NEARER * convert_margin(pass->fit, first, span->starts);
	last -= CONVERT_NEARER * convert_margin(pass->fit, last, span->ends);
	if (!(first < last))
		return 0;
	*high = (float)first;
	do {
		double leap = 0;

		*low = *high;
		*high = (float)last;
		found = squad_jump(pass->fit->source, low, high, &leap, error);
		if (leap > limit) {
			pass->fit->leap = fmax(pass->fit->leap, leap);
			pass->fit->approximated = true;
			return found;
		}
	} while (found == 1);
	return found;
}

/* Accept a span that cannot be cut with the mode that has the smallest error, and measure that error completely. */
static int accept_uncut(struct convert_pass *pass, struct convert_span *span, struct anim_error *error)
{
	double off;
	int found;

	pass->closely = true;
	found = convert_choose(pass, span, &off, error);
	pass->closely = false;
	return found < 0 ? -1 : accept(pass, span, off, error);
}

/* Fit a span that starts with the value pass->last. Returns 1, 0 if the pass cannot, or -1. */
static int fit_span(struct convert_pass *pass, struct convert_span *span, int depth, struct anim_error *error)
{
	double a = (double)span->piece.from_s, b = (double)span->piece.to_s, middle = (a + b) / 2, off = 0;
	double near = CONVERT_NEARER * convert_margin(pass->fit, b, true), shortest;
	float low, high;
	int found, jumps, result;
	bool uncut;

	/* the span cannot be cut if its ends are neighbouring floats, or if the source's player takes them for the same time */
	uncut = nextafterf(span->piece.from_s, span->piece.to_s) >= span->piece.to_s ||
		(span->starts && span->ends && b - a <= near);
	if (span->ends && is_for_godot(pass) && fmin(middle, b - near) > a)
		middle = fmin(middle, b - near);

	memcpy(span->piece.from, pass->last, sizeof span->piece.from);
	if (load(pass, span, error) != 0)
		return -1;
	if (depth == 0)
		span->range = convert_range(span);
	if (!span->finite || uncut) {
		/*
		 * Accept a span that cannot be cut, or that is not finite. A linear piece shows the next value at its
		 * end, even if the player is late by one key.
		 */
		struct convert_piece *piece = &span->piece;
		bool leaps = span->finite &&
			     convert_deviation(&pass->measure, piece->from, span->next) > convert_limit(pass, span);
		bool holds =
		    pass->modes == 1u << ANIM_HOLD || !span->finite || convert_source_holds(pass, span->piece.from_s);

		pass->fit->not_finite = pass->fit->not_finite || !span->finite;
		span->constant = !span->finite;
		span->jumps = false;
		memcpy(piece->to, span->next, sizeof piece->to);
		memcpy(piece->inner[0], piece->from, sizeof piece->from);
		memcpy(piece->inner[1], piece->to, sizeof piece->to);
		if (holds && (pass->modes & 1u << ANIM_HOLD))
			piece->mode = ANIM_HOLD;
		else
			piece->mode = pass->modes & 1u << ANIM_LINEAR ? ANIM_LINEAR : pass->fit->keys->cubic;
		if (leaps && piece->mode == pass->fit->keys->cubic)
			set_jump(piece->mode, piece);
		if (leaps)
			pass->fit->jump_s = (double)piece->to_s;
		return accept(pass, span, 0, error);
	}
	jumps = find_own_jump(pass, span, &low, &high, error);
	if (jumps < 0)
		return -1;
	found = jumps == 0 ? convert_choose(pass, span, &off, error) : 0;
	if (found != 0)
		return found < 0 ? -1 : accept(pass, span, off, error);
	if (!pass->splits)
		return 0;

	/* The smallest distances are used only for large errors. */
	shortest = !is_for_godot(pass) && (jumps == 0 ? off : (double)INFINITY) > FAR_OFF * convert_limit(pass, span)
		       ? SHORTEST
		       : SHORT;

	if (!(depth < DEPTH) || !(pass->budget > 0) || !(b - a >= shortest * fmax(1, fabs(b))))
		return accept_uncut(pass, span, error);

	found = jumps == 0 ? find_leap(pass, span, &low, &high, error) : 1;
	if (found < 0)
		return -1;
	if (found == 0)
		low = high = (float)(span->cut_s > 0 ? span->cut_s : middle);
	if (found == 0 && !(low > span->piece.from_s && low < span->piece.to_s))
		return accept_uncut(pass, span, error);
	/* Fit both parts. At a jump these are the part before it, the jump itself, and the part after it. */
	pass->budget -= pass->budget > 1 ? 2 : 1;
	result = fit_part(pass, span, span->piece.from_s, low, depth, error);
	if (result == 1)
		result = fit_part(pass, span, low, high, depth, error);
	return result == 1 ? fit_part(pass, span, high, span->piece.to_s, depth, error) : result;
}

/* Add the key at the end, if the segment before it does not already imply it. */
static int add_last(struct convert_pass *pass, float t, struct anim_error *error)
{
	struct convert_piece piece = {.from_s = t, .to_s = t};

	if (pass->held && pass->fit->keys->n > 0 && !anim_source_is_key(pass->fit->source, t))
		return 1;
	piece.mode = pass->modes & 1u << ANIM_HOLD     ? ANIM_HOLD
		     : pass->modes & 1u << ANIM_LINEAR ? ANIM_LINEAR
						       : pass->fit->keys->cubic;
	memcpy(piece.from, pass->last, sizeof piece.from);
	memcpy(piece.to, pass->last, sizeof piece.to);
	if (piece.mode == pass->fit->keys->cubic) {
		piece.mode = ANIM_INTERP_COUNT; /* no segment, so no slopes; the mode is set below */
		if (convert_keys_add(pass->fit->keys, &piece, error) != 0)
			return -1;
		pass->fit->keys->mode.data[pass->fit->keys->n - 1] = (uint8_t)pass->fit->keys->cubic;
		return 1;
	}
	return convert_keys_add(pass->fit->keys, &piece, error) != 0 ? -1 : 1;
}

/* ---- The modes of cubics, and the passes over a track ---- */

/* Return the target's mode for cubics with handles of a third of the segment, or ANIM_INTERP_COUNT if it has none. */
static enum anim_interp even_cubic(const struct convert_fitting *fit)
{
	static const enum anim_interp cubics[] = {ANIM_CUBIC_BEZIER, ANIM_HERMITE, ANIM_WEIGHTED, ANIM_BEZIER_2D};
	bool single = anim_types[fit->type].components == 1;

	for (size_t i = 0; i < sizeof cubics / sizeof *cubics; i++)
		if ((fit->caps->interps & 1u << cubics[i]) && (cubics[i] != ANIM_BEZIER_2D || single))
			return cubics[i];
	return ANIM_INTERP_COUNT;
}

/*
 * Return the target's mode for handles of any length if the source is one component with such handles, which have their own
 * times, otherwise even_cubic.
 */
static enum anim_interp best_cubic(const struct convert_fitting *fit)
{
	const struct anim_track *track = anim_source_first(fit->source);

	if (anim_types[fit->type].components == 1 && !fit->source->joined && track->kind == ANIM_CURVE &&
	    (anim_track_has_interp(track, ANIM_WEIGHTED) || anim_track_has_interp(track, ANIM_BEZIER_2D))) {
		if (fit->caps->interps & 1u << ANIM_WEIGHTED)
			return ANIM_WEIGHTED;
		if (fit->caps->interps & 1u << ANIM_BEZIER_2D)
			return ANIM_BEZIER_2D;
	}
	return even_cubic(fit);
}

/* ---- Segments of Euler angles whose error is known without samples ---- */

/* Return whether the pass may make Linear rotations of Euler angles without samples. */
static bool makes_rotations(const struct convert_pass *pass)
{
	const struct anim_source *s = pass->fit->source;
	bool has_all = s->joined ? s->count == 3 : anim_types[anim_source_first(s)->type].components == 3;

	return s->step == ANIM_STEP_EULER && has_all && s->radians && !s->unit_length && s->factor == 0 &&
	       anim_types[pass->fit->type].quaternion && (pass->modes & 1u << ANIM_LINEAR) && !anim_source_is_late(s);
}

/* Set the value at break k, which is sampled together with the values at the next ones. Returns 0 or -1. */
static int sample_ahead(struct convert_pass *pass, size_t k, double v[ANIM_COMPONENTS_MAX], struct anim_error *error)
{
	const struct anim_buffer *breaks = pass->fit->breaks;
	const float *t = (const float *)(const void *)breaks->data;
	size_t rest = breaks->size / sizeof *t - k;
	double times[ANIM_SOURCE_SAMPLES];

	if (!(k >= pass->ahead_first && k < pass->ahead_first + pass->ahead_count)) {
		pass->ahead_first = k;
		pass->ahead_count = rest < ANIM_SOURCE_SAMPLES ? rest : ANIM_SOURCE_SAMPLES;
		for (size_t i = 0; i < pass->ahead_count; i++)
			times[i] = (double)t[k + i];
		if (anim_source_sample(pass->fit->source, times, pass->ahead_count, pass->ahead, error) != 0)
			return -1;
	}
	memcpy(v, pass->ahead[k - pass->ahead_first], sizeof pass->ahead[0]);
	return 0;
}

/*
 * Record the additional error close to the ends of a segment, because players of Godot show the end there: that distance times the
 * speed. Returns false if a player cannot distinguish the ends.
 */
static bool add_beside(struct convert_fitting *fit, const struct convert_piece *piece)
{
	double seconds = (double)piece->to_s - (double)piece->from_s,
	       at = (double)piece->to_s - (double)fit->source->clip->start_s;
	double reach =
	    anim_rules_reach(anim_source_first(fit->source)->rules, at) + anim_rules_reach(fit->caps->rules, at);

	if (!(reach > 0))
		return true;
	if (!(seconds > CONVERT_APART * reach))
		return false;
	convert_add_beside(fit, reach, seconds, piece->from, piece->to);
	return true;
}

/* Get the source's value in the middle. Returns 1 if it is too far from the middle of a Linear rotation, 0 if not, or -1. */
static int is_bent(struct convert_pass *pass, const struct convert_piece *piece, double middle_s,
		   double at[ANIM_COMPONENTS_MAX], struct anim_error *error)
{
	double between[ANIM_COMPONENTS_MAX] = {0}, values[1][ANIM_COMPONENTS_MAX] = {{0}};

	if (anim_source_sample(pass->fit->source, &middle_s, 1, values, error) != 0)
		return -1;
	align(pass, piece->from, values[0]);
	memcpy(at, values[0], sizeof values[0]);
	for (int i = 0; i < 4; i++)
		between[i] = piece->from[i] + piece->to[i];
	anim_normalize(between);
	return is_finite(at, 4) &&
	       convert_deviation(&pass->measure, between, at) > CONVERT_MEASURED * pass->fit->tolerance;
}

/* Fit a part of the segment after break k by samples. Returns 1, 0 if the pass cannot, or -1. */
static int fit_sampled(struct convert_pass *pass, size_t k, float from_s, float to_s, int depth,
		       struct anim_error *error)
{
	const float *t = (const float *)(const void *)pass->fit->breaks->data;
	struct convert_span span = {.prefers_linear = pass->linear,
				    .starts = from_s == t[k],
				    .ends = to_s == t[k + 1],
				    .begin_s = (double)t[k],
				    .k = k};

	span.piece.from_s = from_s;
	span.piece.to_s = to_s;
	span.from_key = k > 0 || from_s > t[k] || anim_source_is_key(pass->fit->source, t[0]);
	return fit_span(pass, &span, depth, error);
}

/*
 * Add a part of the segment after break k as Linear rotations without samples, as far as the angles of the source prove their
 * error. `from_s` and `to_s` are its times, and `to` its value at the end. Returns 1, 0 if the pass cannot, or -1.
 */
static int fit_rotation(struct convert_pass *pass, size_t k, float from_s, float to_s,
			const double to[ANIM_COMPONENTS_MAX], int depth, struct anim_error *error)
{
	struct convert_fitting *fit = pass->fit;
	struct convert_piece piece = {.from_s = from_s, .to_s = to_s, .mode = ANIM_LINEAR};
	double bound = convert_bound_rotation(fit, k, (double)from_s, (double)to_s), at[ANIM_COMPONENTS_MAX];
	double middle_s = ((double)from_s + (double)to_s) / 2;
	float middle = (float)middle_s;
	bool constant = true;
	int bent;

	memcpy(piece.from, pass->last, sizeof piece.from);
	memcpy(piece.to, to, sizeof piece.to);
	align(pass, piece.from, piece.to);
	for (unsigned i = 0; i < 4; i++)
		constant = constant && (float)piece.from[i] == (float)piece.to[i];
	/* A constant may be a held key. If the players of Godot cannot distinguish the ends, samples are needed. */
	if (is_finite(piece.to, 4) && middle > from_s && middle < to_s && bound <= CONVERT_MEASURED * fit->tolerance &&
	    !(constant && (pass->modes & 1u << ANIM_HOLD) && convert_source_holds(pass, from_s)) &&
	    add_beside(fit, &piece)) {
		if (convert_keys_add(fit->keys, &piece, error) != 0)
			return -1;
		fit->bound = fmax(fit->bound, bound);
		fit->approximated = fit->approximated || bound > CONVERT_NOISE;
		pass->first = false;
		pass->held = constant;
		memcpy(pass->last, piece.to, sizeof pass->last);
		return 1;
	}
	bent = isfinite(bound) && pass->splits && depth < DEPTH && pass->budget > 0 &&
		       (double)to_s - (double)from_s > SHORT * fmax(1, fabs((double)to_s))
		   ? is_bent(pass, &piece, (double)middle, at, error)
		   : 0;
	if (bent < 0)
		return -1;
	if (bent) {
		int result;

		pass->budget -= pass->budget > 1 ? 2 : 1;
		result = fit_rotation(pass, k, from_s, middle, at, depth + 1, error);
		return result == 1 ? fit_rotation(pass, k, middle, to_s, to, depth + 1, error) : result;
	}

	fit->known->data[k] = 0;
	return fit_sampled(pass, k, from_s, to_s, depth, error);
}

/* Return how many keys the track may get in addition. */
static size_t budget_of(const struct convert_fitting *fit)
{
	const size_t segments = fit->breaks->size / sizeof(float);
	const size_t most = BUDGET_EACH * segments + BUDGET, share = USUAL_EACH * segments + *fit->spare;

	return most < share ? most : share;
}

static int run_once(struct convert_pass *pass, struct anim_error *error)
{
	struct convert_fitting *fit = pass->fit;
	const float *t = (const float *)(const void *)fit->breaks->data;
	size_t n = fit->breaks->size / sizeof *t;
	bool rotations = makes_rotations(pass);
	double to[ANIM_COMPONENTS_MAX];
	static const double none[ANIM_COMPONENTS_MAX];
	int result = 1;

	fit->approximated = false;
	fit->leap = fit->solver = fit->jump_s = fit->bound = fit->beside = fit->beside_s = 0;
	keys_reset(fit->keys, fit->type, best_cubic(fit), even_cubic(fit));
	fit->known->size = 0;
	if (anim_buffer_extend(fit->known, n, error) == NULL)
		return -1;
	memset(fit->known->data, 0, n);
	pass->first = true;
	pass->held = false;
	pass->linear = anim_source_blends_linearly(fit->source);
	pass->budget = budget_of(fit);

	/* Get the value from t on. */
	double times[RIGHT], values[RIGHT][ANIM_COMPONENTS_MAX] = {{0}};
	size_t count = place_right(pass, t[0], times);

	if (anim_source_sample(pass->fit->source, times, count, values, error) != 0)
		return -1;
	if (count > 1)
		correct_after_key(pass, values[1], values[2], values[0]);
	memcpy(pass->last, values[0], sizeof values[0]);

	if (fit->angles)
		convert_nearest_angles(fit, none, pass->last);
	for (size_t k = 0; k + 1 < n && result == 1; k++) {
		if (k % 16 == 0 && anim_progress_report(error) != 0)
			return -1;
		pass->budget = pass->spares ? BUDGET_EACH : pass->budget;
		fit->known->data[k] = rotations;
		if (!rotations)
			result = fit_sampled(pass, k, t[k], t[k + 1], 0, error);
		else if ((result = sample_ahead(pass, k + 1, to, error)) == 0)
			result = fit_rotation(pass, k, t[k], t[k + 1], to, 0, error);
	}
	return result == 1 ? add_last(pass, t[n - 1], error) : result;
}

/*
 * Fill the keys. Some curves exceed any budget, for example one that oscillates thousands of times between two keys.
 * They get few keys, because many would not represent them either.
 */
static int run_pass(struct convert_pass *pass, struct anim_error *error)
{
	struct convert_fitting *fit = pass->fit;
	const size_t usual = USUAL_EACH * (fit->breaks->size / sizeof(float));
	size_t used;
	int result;

	fit->exhausted = pass->spares = false;
	result = run_once(pass, error);
	if (result != 1)
		return result;
	used = budget_of(fit) - pass->budget;
	*fit->spare -= used > usual ? used - usual : 0;
	if (pass->budget > 0)
		return result;
	fit->exhausted = pass->spares = true;
	return run_once(pass, error);
}

/* ---- Cubics that are copied key by key ---- */

/* Return whether a player computes cubics exactly. Godot's player solves for a time, even for even cubics. */
static bool is_exact(enum anim_rules rules)
{
	return rules == ANIM_RULES_PLAIN || rules == ANIM_RULES_UNITY || rules == ANIM_RULES_RESONITE;
}

bool convert_is_inside(const struct convert_fitting *fit, const struct anim_track *track, bool whole)
{
	const struct anim_clip *clip = fit->source->clip;
	bool lasts = clip->end_s > clip->start_s;
	float first = track->time[0], last = track->time[track->n - 1];

	if (track->pre != ANIM_EXTRAPOLATION_HOLD || track->post != ANIM_EXTRAPOLATION_HOLD)
		return false;
	if (whole && !(first == clip->start_s && (!lasts || last == clip->end_s)))
		return false;
	return first >= clip->start_s && (!lasts || last <= clip->end_s);
}

static bool is_direct(const struct convert_fitting *fit, enum anim_interp cubic)
{
	const struct anim_source *s = fit->source;
	const struct anim_track *track = s->tracks[0];
	unsigned modes;

	if (s->joined || s->step != ANIM_STEP_KEEP || track->kind != ANIM_CURVE || track->n < 2)
		return false;
	if ((track->flags & ANIM_UNSORTED) || track->ease != NULL || !is_exact(track->rules) ||
	    !convert_is_inside(fit, track, cubic == ANIM_BEZIER_2D))
		return false;
	if (track->interp < ANIM_TANGENT || track->interp > ANIM_WEIGHTED ||
	    (track->interp == ANIM_TANGENT && track->rules != ANIM_RULES_RESONITE))
		return false;
	/* The target must have this mode and play it exactly. For Godot each piece is checked (read_piece). */
	modes = 1u << ANIM_HOLD | 1u << cubic;
	if (cubic == ANIM_BEZIER_2D)
		return anim_rules_are_godot(fit->caps->rules) && anim_types[fit->type].components == 1;
	return (cubic == ANIM_CUBIC_BEZIER || cubic == ANIM_HERMITE) && is_exact(fit->caps->rules) &&
	       fit->caps->mixed_interps && (fit->caps->interps & modes) == modes;
}

/* Minimum length of a segment, in margins around a key, so that some samples are outside these margins. */
#define MARGINS 4

/*
 * Read the segment that key k begins. Returns false if it is not a cubic of the target, or not the same in all
 * components.
 */
static bool read_piece(const struct convert_fitting *fit, enum anim_interp cubic, size_t k, struct convert_piece *piece)
{
	const struct anim_track *track = fit->source->tracks[0];
	unsigned components = anim_types[fit->type].components, held = 0;
	struct anim_cubic component;

	piece->from_s = track->time[k];
	piece->to_s = track->time[k + 1];
	if (!(piece->to_s > piece->from_s))
		return false;
	for (unsigned i = 0; i < components; i++) {
		if (!anim_cubic_read(track, k, i, &component) || !anim_cubic_is_even(&component))
			return false;
		held += component.steps;
		for (int point = 0; point < 4; point++) {
			component.y[point] = anim_source_in_unit(fit->source, track, component.y[point]);
			if (!(fabs(component.y[point]) <= (double)FLT_MAX))
				return false;
		}
		piece->from[i] = component.y[0];
		piece->inner[0][i] = component.y[1];
		piece->inner[1][i] = component.y[2];
		piece->to[i] = component.y[3];
	}
	piece->mode = held == 0 ? cubic : ANIM_HOLD;
	if (cubic == ANIM_BEZIER_2D)
		/* Godot's player must show it within the tolerance, at all times at which it would be sampled. */
		return held == 0 &&
		       (double)piece->to_s - (double)piece->from_s >
			   MARGINS * convert_margin(fit, (double)piece->to_s, true) &&
		       convert_solver_off(fit, piece) <= CONVERT_MEASURED * fit->tolerance;
	return held == 0 || held == components;
}

/*
 * Fill the keys without playing the tracks, in cases in which a fit would give the same result. Every segment must be a
 * cubic that is even in time, or be held in all components. Both players must use the same formula for such curves, and
 * all keys must be inside the clip. The target may also be Godot's player of Bezier tracks: then its solver must be
 * accurate enough, no segment may be held, and the outer keys must be the clip's ends. `cubic` is the target's mode for
 * even cubics. Returns 1, 0 if a condition is not met (the keys must not be used then), or -1.
 */
static int fit_directly(struct convert_fitting *fit, enum anim_interp cubic, struct anim_error *error)
{
	const struct anim_track *track = fit->source->tracks[0];
	struct convert_piece piece = {0}, last = {.mode = ANIM_HOLD};

	fit->approximated = false;
	fit->leap = fit->solver = fit->jump_s = 0;
	keys_reset(fit->keys, fit->type, cubic, cubic);
	if (!is_direct(fit, cubic))
		return 0;
	for (size_t k = 0; k + 1 < track->n; k++) {
		if (!read_piece(fit, cubic, k, &piece))
			return 0;
		if (convert_keys_add(fit->keys, &piece, error) != 0)
			return -1;
	}
	/* the last key begins no segment */
	last.from_s = track->time[track->n - 1];
	for (unsigned i = 0; i < anim_types[fit->type].components; i++) {
		double v = anim_component(track->type, track->value, track->n - 1, i);

		last.from[i] = anim_source_in_unit(fit->source, track, v);
		if (!(fabs(last.from[i]) <= (double)FLT_MAX))
			return 0;
	}
	return convert_keys_add(fit->keys, &last, error) != 0 ? -1 : 1;
}

/* Fit for a target with one mode per track: use the simplest mode that needs no more keys, otherwise the best mode. */
static int run_single(struct convert_pass *pass, unsigned cubic, struct anim_error *error)
{
	unsigned has = pass->fit->caps->interps;
	const unsigned tries[] = {has & 1u << ANIM_HOLD, has & 1u << ANIM_LINEAR, cubic};
	int result = 0;

	for (size_t i = 0; i < sizeof tries / sizeof *tries && result == 0; i++) {
		pass->modes = tries[i];
		if (tries[i] == 1u << ANIM_BEZIER_2D)
			result = fit_directly(pass->fit, ANIM_BEZIER_2D, error);
		if (tries[i] != 0 && result == 0)
			result = run_pass(pass, error);
	}
	if (result != 0 || pass->fit->rigid)
		return result;
	pass->modes = cubic != 0 ? cubic : has & 1u << ANIM_LINEAR;
	pass->splits = true;
	return pass->modes != 0 ? run_pass(pass, error) : 0;
}

/*
 * Return the period of angles that the source's player wraps: values that differ by full rotations are equal. Returns 0
 * if there is none. Also 0 for other numbers that it wraps, such as degrees, which it wraps at 6.28 like radians: for
 * these the wrapped value is the correct one.
 */
static double period_of(const struct anim_source *source)
{
	const struct anim_track *track = anim_source_first(source);

	if (source->joined || source->step != ANIM_STEP_KEEP || track->kind != ANIM_CURVE ||
	    !(strcmp(track->property, "angle") == 0 ||
	      (strcmp(track->property, "euler") == 0 && track->component != ANIM_WHOLE)) ||
	    (!anim_track_has_interp(track, ANIM_LINEAR_ANGLE) && !anim_track_has_interp(track, ANIM_CUBIC_ANGLE)))
		return 0;
	return (track->flags & ANIM_DEGREES) ? 0 : ANIM_TAU;
}

/* Fit the keys. Returns 1, 0 if no mode represents the source, or -1. */
static int fit_keys(struct convert_fitting *fit, struct anim_error *error)
{
	enum anim_interp best = best_cubic(fit);
	unsigned cubic = best < ANIM_INTERP_COUNT ? 1u << best : 0;
	struct convert_pass pass = {.fit = fit, .period = period_of(fit->source)};
	int result;

	fit->period = pass.period;
	result = fit->caps->mixed_interps && !fit->angles ? fit_directly(fit, even_cubic(fit), error) : 0;
	fit->direct = result == 1;
	if (result != 0)
		return result;
	if (anim_source_breaks(fit->source, fit->breaks, error) != 0)
		return -1;
	pass.measure = (struct convert_meter){.fit = fit, .clip = *fit->source->clip, .period = pass.period};
	pass.measure.clip.attrs = (struct anim_attrs){NULL, 0};
	if (!fit->caps->mixed_interps) {
		result = run_single(&pass, cubic, error);
	} else {
		pass.modes = (fit->caps->interps & (1u << ANIM_HOLD | 1u << ANIM_LINEAR)) | cubic;
		pass.splits = (pass.modes & ~(1u << ANIM_HOLD)) != 0;
		result = pass.modes != 0 ? run_pass(&pass, error) : 0;
	}
	anim_sample_state_clear(&pass.measure.state);
	return result;
}

int convert_fit(struct convert_fitting *fit, struct anim_track *out, double *bound, struct anim_error *error)
{
	int result;

	keys_reset(fit->keys, fit->type, ANIM_HERMITE, ANIM_HERMITE);
	result = fit->angles ? convert_fit_straight(fit, bound, error) : 0;
	if (result == 0) {
		*bound = -1;
		result = fit_keys(fit, error);
	}

	if (result == 1) {
		/* If all keys have one mode, it is stored once. */
		struct convert_keys *keys = fit->keys;
		const uint8_t *mode = keys->mode.data;
		bool same = true, cubic = false, handles;

		/* The last key begins no segment. With the mode of the key before it, a track of one mode keeps one mode. */
		if (keys->n > 1)
			keys->mode.data[keys->n - 1] = keys->mode.data[keys->n - 2];
		handles = simplify_handles(keys);
		for (size_t k = 0; k < keys->n; k++) {
			same = same && mode[k] == mode[0];
			cubic = cubic || mode[k] == keys->cubic;
		}
		out->kind = ANIM_CURVE;
		out->type = keys->type;
		out->n = keys->n;
		out->time = (const float *)(const void *)keys->time.data;
		out->value = keys->value.data;
		out->interp = same ? mode[0] : ANIM_INTERP_COLUMN;
		out->interps = same ? NULL : mode;
		out->left = cubic ? keys->left.data : NULL;
		out->right = cubic ? keys->right.data : NULL;
		out->left_x = cubic && handles ? (const float *)(const void *)keys->left_x.data : NULL;
		out->right_x = cubic && handles ? (const float *)(const void *)keys->right_x.data : NULL;
		out->weighted = cubic && handles && keys->cubic == ANIM_WEIGHTED ? keys->weighted.data : NULL;
	}
	return result;
}
