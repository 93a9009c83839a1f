/* track.c: chooses the tracks that can have fewer keys, and reduces one track. */
#include <math.h>
#include <string.h>

#include "clip/cubic.h"
#include "filter/reduce/run.h"
#include "math/elementary.h"

#define ROUNDS_MAX 32u /* of restoring keys; each restores at least one, and most tracks need none */
#define GROWN 16u      /* a part of the keys: if more are restored, other keys are chosen */
#define ATTEMPTS 3u
/*
 * The next limit as a part of the limit that the keys would have kept. It is at least half of the previous limit,
 * because a lower limit cuts lines more finely.
 */
#define LOWER 0.999

/* ---- The tracks, and the kinds of their errors ---- */

enum reduce_metric reduce_metric_of(const struct anim_track *track)
{
	if (anim_types[track->type].quaternion)
		return REDUCE_ANGLE;
	return strcmp(track->property, "position") == 0 && anim_track_is_transform(track) ? REDUCE_LENGTH
											  : REDUCE_LARGEST;
}

/* Return true for straight lines from key to key, as every player here draws them. */
static bool is_straight(const struct anim_track *track)
{
	if (track->kind == ANIM_RAW)
		return track->interp == ANIM_LINEAR && !isnan(anim_track_time(track, 0));
	if (track->kind != ANIM_CURVE)
		return false;
	if (track->interp == ANIM_LINEAR && track->ease == NULL)
		return true;
	for (size_t k = 0; k + 1 < track->n; k++)
		if (anim_track_interp(track, k) != ANIM_LINEAR || (track->ease != NULL && track->ease[k] != 1))
			return false;
	return true;
}

/*
 * Return true for increasing times within the clip. Samples increase as the first two do, and the last one may cover the end.
 */
static bool has_good_times(const struct anim_track *track, const struct anim_clip *clip)
{
	double before = (double)clip->start_s, end_s = (double)clip->end_s;

	if (track->kind != ANIM_RAW)
		return anim_times_are_sorted(track->time, track->n) && track->time[0] >= clip->start_s &&
		       track->time[track->n - 1] <= clip->end_s;
	for (size_t k = 0; k < track->n; k++) {
		double t;

		if (k == 2 && track->n > 4)
			k = track->n - 2;
		t = anim_track_time(track, k);
		if (!(t >= before) || (t > end_s && k + 1 < track->n))
			return false;
		before = t;
	}
	return true;
}

bool reduce_can(const struct anim_track *track, const struct anim_clip *clip, enum anim_rules rules)
{
	/* in Godot only Bezier tracks have slopes, and these are handles */
	bool curved = !anim_rules_are_godot(rules != ANIM_RULES_COUNT ? rules : track->rules);
	bool rotation_part = track->component != ANIM_WHOLE && strcmp(track->property, "rotation") == 0;
	/* samples of Euler angles may be blended as rotations; anim-bake converts them */
	bool angles = track->kind == ANIM_RAW && strcmp(track->property, "euler") == 0;

	return track->n > 1 && anim_type_is_real(track->type) &&
	       anim_types[track->type].components <= REDUCE_COMPONENTS && !rotation_part && !angles &&
	       !(track->flags & (ANIM_UNSORTED | ANIM_DISABLED)) &&
	       ((curved && reduce_is_curved(track)) || is_straight(track)) && has_good_times(track, clip);
}

bool reduce_is_regular(const struct anim_track *track)
{
	bool quaternion = anim_types[track->type].quaternion;
	double q[REDUCE_COMPONENTS];

	for (size_t k = 0; k < track->n; k++) {
		if (k > 0 && !(anim_track_time(track, k) > anim_track_time(track, k - 1)))
			return false;
		if (!quaternion)
			continue;
		anim_components(track->type, track->value, k, q);
		if (!(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-6))
			return false;
	}
	return true;
}

bool reduce_is_cubic(const struct anim_track *track, enum anim_rules rules, enum anim_reduce_keys keys)
{
	enum anim_rules player = rules != ANIM_RULES_COUNT ? rules : track->rules;

	if (reduce_is_curved(track))
		return true;
	return (keys == ANIM_REDUCE_HERMITE || (keys == ANIM_REDUCE_AUTO && player == ANIM_RULES_UNITY)) &&
	       !anim_rules_are_godot(player) && reduce_is_regular(track);
}

/* ---- Tracks whose keys already have slopes. Intervals that are not cubics stay ---- */

/*
 * Set the slopes of the cubic from key k to the next. Returns false if the interval is not a cubic: for a step, an
 * arc, a curve whose handles have their own lengths, and two keys at the same time.
 */
static bool slopes_between(const struct anim_track *track, size_t k, double *leaving, double *arriving)
{
	enum anim_interp mode = anim_track_interp(track, k);
	unsigned components = anim_types[track->type].components;
	double seconds = anim_track_time(track, k + 1) - anim_track_time(track, k), from[ANIM_COMPONENTS_MAX],
	       to[ANIM_COMPONENTS_MAX];
	bool straight = mode == ANIM_LINEAR && !anim_types[track->type].quaternion, finite = true;
	/* with its own length, a handle's curve is not a cubic in time */
	bool own_handle = mode == ANIM_WEIGHTED && track->weighted != NULL &&
			  ((track->right_x != NULL && (track->weighted[k] & 2)) ||
			   (track->left_x != NULL && (track->weighted[k + 1] & 1)));

	if (!(seconds > 0) || own_handle || (track->ease != NULL && track->ease[k] != 1))
		return false;
	if (!(straight || mode == ANIM_HERMITE || mode == ANIM_WEIGHTED || mode == ANIM_CUBIC_BEZIER))
		return false;
	anim_components(track->type, track->value, k, from);
	anim_components(track->type, track->value, k + 1, to);
	if (!straight) {
		anim_components(track->type, track->right, k, leaving);
		anim_components(track->type, track->left, k + 1, arriving);
	}
	for (unsigned c = 0; c < components; c++) {
		if (straight)
			leaving[c] = arriving[c] = (to[c] - from[c]) / seconds;
		if (mode == ANIM_CUBIC_BEZIER) {
			leaving[c] = 3 * (leaving[c] - from[c]) / seconds;
			arriving[c] = 3 * (to[c] - arriving[c]) / seconds;
		}
		finite = finite && isfinite(leaving[c]) && isfinite(arriving[c]);
	}
	return finite;
}

bool reduce_is_curved(const struct anim_track *track)
{
	double slopes[2][ANIM_COMPONENTS_MAX];

	if (track->kind != ANIM_CURVE || !anim_type_is_real(track->type) || track->interp == ANIM_LINEAR)
		return false;
	for (size_t k = 0; k + 1 < track->n; k++)
		if (anim_track_interp(track, k) != ANIM_LINEAR && slopes_between(track, k, slopes[0], slopes[1]))
			return true;
	return false;
}

bool reduce_is_all_curved(const struct anim_track *track)
{
	double slopes[2][ANIM_COMPONENTS_MAX];

	for (size_t k = 0; k + 1 < track->n; k++)
		if (!slopes_between(track, k, slopes[0], slopes[1]))
			return false;
	return reduce_is_curved(track);
}

/*
 * Return the largest value of a curve whose components have handles with their own lengths. It is inside the box of
 * their control values.
 */
static double largest_in_box(const struct anim_track *track, size_t k, bool length)
{
	double square = 0, most = 0;
	struct anim_cubic curve;

	for (unsigned c = 0; c < anim_types[track->type].components; c++) {
		double largest = 0;

		if (!anim_cubic_read(track, k, c, &curve))
			return 0;
		for (int i = 0; i < 4; i++)
			largest = fmax(largest, fabs(curve.y[i]));
		square += largest * largest;
		most = fmax(most, largest);
	}
	return length ? sqrt(square) : most;
}

double reduce_largest_control(const struct anim_track *track, bool length)
{
	double most = 0;

	for (size_t k = 0; k + 1 < track->n; k++) {
		double slopes[2][ANIM_COMPONENTS_MAX], value[ANIM_COMPONENTS_MAX];
		double third = (anim_track_time(track, k + 1) - anim_track_time(track, k)) / 3;

		if (!slopes_between(track, k, slopes[0], slopes[1])) {
			most = fmax(most, largest_in_box(track, k, length));
			continue;
		}
		for (size_t end = 0; end < 2; end++) {
			double square = 0, largest = 0;

			anim_components(track->type, track->value, k + end, value);
			for (unsigned c = 0; c < anim_types[track->type].components; c++) {
				double number = value[c] + (end == 0 ? third : -third) * slopes[end][c];

				square += number * number;
				largest = fmax(largest, fabs(number));
			}
			most = fmax(most, length ? sqrt(square) : largest);
		}
	}
	return most;
}

/* Set the slopes of a run with the keys of such a track, in the memory of the work. Returns 0 or -1. */
static int read_slopes(struct reduce_work *work, const struct anim_track *track, struct reduce_run *run,
		       struct anim_error *error)
{
	size_t numbers = run->n * run->components * sizeof(double);
	double *leaving, *arriving;
	uint8_t *fixed;

	work->slopes.size = work->arriving.size = work->fixed.size = 0;
	leaving = anim_buffer_extend(&work->slopes, numbers, error);
	arriving = anim_buffer_extend(&work->arriving, numbers, error);
	fixed = anim_buffer_extend(&work->fixed, run->n, error);
	if (leaving == NULL || arriving == NULL || fixed == NULL)
		return -1;
	for (size_t k = 0; k + 1 < run->n; k++)
		fixed[k] =
		    !slopes_between(track, k, leaving + k * run->components, arriving + (k + 1) * run->components);
	run->leaving = leaving;
	run->arriving = arriving;
	run->fixed = fixed;
	return 0;
}

/* ---- Remaining keys ---- */

/* Append the remaining keys of straight lines, with the slopes of the curves that end and begin there. Returns 0 or -1. */
static int add_cubics(struct anim_keys *keys, const struct reduce_run *run, const uint8_t *keep,
		      struct anim_error *error)
{
	static const double none[ANIM_COMPONENTS_MAX];
	struct reduce_cubic cubics[2] = {{0}}; /* to a key, and from it */
	bool any = false;

	for (size_t k = reduce_first_kept(keep, run->n), next; k < run->n; k = next) {
		double numbers[3][ANIM_COMPONENTS_MAX] = {{0}};
		_Alignas(16) uint8_t values[3][ANIM_VALUE_MAX];
		const double *from[3] = {run->value + k * run->components, none, none};

		next = reduce_next_kept(keep, run->n, k);
		if (next < run->n)
			reduce_cubic_fit(run, k, next, &cubics[1]);
		from[1] = any ? cubics[0].arriving : none;
		from[2] = next < run->n ? cubics[1].leaving : none;
		for (int i = 0; i < 3; i++) {
			memcpy(numbers[i], from[i], run->components * sizeof(double));
			anim_value_store(keys->type, numbers[i], values[i]);
		}
		if (anim_keys_add(keys, (float)run->time[k], values[0], ANIM_HERMITE, error) != 0 ||
		    anim_keys_set(keys, ANIM_COLUMN_LEFT, values[1], error) != 0 ||
		    anim_keys_set(keys, ANIM_COLUMN_RIGHT, values[2], error) != 0)
			return -1;
		cubics[0] = cubics[1];
		any = true;
	}
	return 0;
}

/* Set the slope of the last key, which is the end of a new cubic or its beginning. Returns 0 or -1. */
static int set_slope(struct anim_keys *keys, const struct anim_track *track, const struct reduce_cubic *cubic,
		     bool leaving, struct anim_error *error)
{
	double numbers[ANIM_COMPONENTS_MAX] = {0};
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];
	uint8_t *mode = keys->column[ANIM_COLUMN_INTERP].data + keys->n - 1;

	memcpy(numbers, leaving ? cubic->leaving : cubic->arriving,
	       anim_types[track->type].components * sizeof *numbers);
	anim_value_store(keys->type, numbers, value);
	if (leaving && *mode != ANIM_WEIGHTED)
		*mode = ANIM_HERMITE;
	if (track->weighted != NULL)
		keys->column[ANIM_COLUMN_WEIGHTED].data[keys->n - 1] &= (uint8_t)(leaving ? ~2 : ~1);
	return anim_keys_set(keys, leaving ? ANIM_COLUMN_RIGHT : ANIM_COLUMN_LEFT, value, error);
}

/*
 * Append the remaining keys of a track with slopes. They keep these slopes and their modes, except next to removed
 * keys. Returns 0 or -1.
 */
static int add_curved(struct anim_keys *keys, const struct anim_track *track, const struct reduce_run *run,
		      const uint8_t *keep, struct anim_error *error)
{
	struct reduce_cubic cubic;
	bool fitted = false; /* the curve that ends at the key is new */

	for (size_t k = reduce_first_kept(keep, run->n), next; k < run->n; k = next) {
		if (anim_keys_add_part(keys, track, k, 1, 0, error) != 0 ||
		    (fitted && set_slope(keys, track, &cubic, false, error) != 0))
			return -1;
		next = reduce_next_kept(keep, run->n, k);
		fitted = next < run->n && next > k + 1;
		if (!fitted)
			continue;
		reduce_cubic_fit(run, k, next, &cubic);
		if (set_slope(keys, track, &cubic, true, error) != 0)
			return -1;
	}
	return 0;
}

/* ---- One track ---- */

static int reserve(struct anim_buffer *buffer, size_t count, size_t size, struct anim_error *error)
{
	size_t bytes;

	buffer->size = 0;
	return anim_size_multiply(count, size, &bytes, error) != 0 || anim_buffer_extend(buffer, bytes, error) == NULL
		   ? -1
		   : 0;
}

bool reduce_changes_sign(const struct reduce_run *run)
{
	for (size_t k = 0; k + 1 < run->n; k++)
		if (reduce_is_apart(run->value + 4 * k, run->value + 4 * k + 4))
			return true;
	return false;
}

/* ---- New keys between the track's own ---- */

#define ANGLE_WIDE (10 * ANIM_PI / 180)
#define PIECES_MAX 64u

/*
 * Return true for rotations along arcs. Pieces of an arc are arcs, but pieces of a chord that is normalised are not
 * chords.
 */
static bool has_arcs(const struct anim_clip *clip, const struct anim_track *track)
{
	return anim_types[track->type].quaternion && !anim_rules_blend_components(clip, track->rules) &&
	       !reduce_is_curved(track) && reduce_can(track, clip, ANIM_RULES_COUNT) && reduce_is_regular(track);
}

struct reduce_cut reduce_cut_of(const struct reduce_work *work, const struct anim_clip *clip,
				const struct anim_track *track, enum anim_rules rules, bool cubic, double limit)
{
	struct reduce_cut cut = {.wide = (double)INFINITY, .pieces = 1};
	enum anim_rules player = rules != ANIM_RULES_COUNT ? rules : track->rules;

	if (!(limit > 0))
		return cut;
	/* the error of the chord of one piece is then a tenth of the limit, or less than 0.0015 degrees */
	if ((cubic || anim_rules_blend_components(clip, player)) && has_arcs(clip, track))
		cut.wide = fmin(anim_pow(limit / (10 * reduce_angle_surplus(1, 1)), 1.0 / 3), ANGLE_WIDE);
	/* on straight lines and arcs, keys can be anywhere */
	if (work->move && !cubic &&
	    (anim_types[track->type].quaternion
		 ? has_arcs(clip, track)
		 : !reduce_is_curved(track) && reduce_can(track, clip, ANIM_RULES_COUNT)))
		cut.pieces = REDUCE_PIECES;
	return cut;
}

/*
 * Return the number of pieces into which the interval from key k to the next is cut. At the seam of a loop it has as
 * few as possible.
 */
static unsigned pieces_of(const struct reduce_run *run, size_t k, const struct reduce_cut *cut)
{
	bool last = k + 1 == run->n, stays = run->seam && (k == 0 || k + 2 == run->n);
	double pieces = last || !(cut->wide < ANIM_PI) ? 1 : ceil(reduce_angle_between(run, k) / cut->wide);
	unsigned least = last || stays ? 1 : cut->pieces;

	return pieces > PIECES_MAX ? PIECES_MAX : pieces < least ? least : (unsigned)pieces;
}

/* Add key k and its pieces, if float32 can represent their times. Returns their number. */
static size_t add_pieces(const struct reduce_run *run, size_t k, unsigned pieces, double *time, double *value)
{
	double from_s = run->time[k], next_s = k + 1 < run->n ? run->time[k + 1] : from_s;
	unsigned components = run->components;
	size_t count = 1;

	time[0] = from_s;
	memcpy(value, run->value + components * k, components * sizeof *value);
	for (unsigned i = 1; i < pieces; i++) {
		float t = (float)(from_s + (next_s - from_s) * i / pieces);

		if (!(t > (float)time[count - 1] && t < (float)next_s))
			continue;
		time[count] = (double)t;
		reduce_between(run, k, k + 1, (time[count] - from_s) / (next_s - from_s), value + components * count);
		if (run->metric == REDUCE_ANGLE)
			reduce_normalise(value + components * count, 1);
		count++;
	}
	return count;
}

/* Add keys on lines and arcs. Returns 0 or -1. */
static int cut_lines(struct reduce_work *work, struct reduce_run *run, const struct reduce_cut *cut,
		     struct anim_error *error)
{
	size_t total = 0, count = 0;
	struct reduce_run lines = *run;
	double *time, *value;

	for (size_t k = 0; k < run->n; k++)
		total += pieces_of(run, k, cut);
	if (reserve(&work->cut_time, total, sizeof *time, error) != 0 ||
	    reserve(&work->cut_value, total, run->components * sizeof *value, error) != 0)
		return -1;
	lines.by_component = false;
	run->time = time = (double *)(void *)work->cut_time.data;
	run->value = value = (double *)(void *)work->cut_value.data;
	for (size_t k = 0; k < lines.n; k++)
		count +=
		    add_pieces(&lines, k, pieces_of(&lines, k, cut), time + count, value + count * run->components);
	run->n = count;
	return 0;
}

/* ---- As numbers ---- */

/* Return the value that a node shows without such a track. Returns NULL if it is not known or not needed. */
static const double *rest_of(struct reduce_work *work, const struct anim_clip *clip, const struct anim_track *track)
{
	const struct anim_rest *rest = work->rests == NULL || !(clip->flags & ANIM_IN_TREE)
					   ? NULL
					   : anim_rests_find(work->rests, clip->root, track->node);
	_Alignas(16) uint8_t value[ANIM_VALUE_MAX];

	if (rest == NULL || !anim_rest_value(rest, track, value))
		return NULL;
	anim_components(track->type, value, 0, work->rest);
	return work->rest;
}

int reduce_read(struct reduce_work *work, const struct anim_clip *clip, const struct anim_track *track,
		enum reduce_metric metric, enum anim_rules rules, bool cubic, struct reduce_cut cut,
		struct reduce_run *run, double **limits, struct anim_error *error)
{
	unsigned components = anim_types[track->type].components;
	bool curved = reduce_is_curved(track), rotates = metric == REDUCE_ANGLE && !curved;
	double *time, *value;

	if (reserve(&work->time, track->n, sizeof *time, error) != 0 ||
	    reserve(&work->value, track->n * components, sizeof *value, error) != 0)
		return -1;
	time = (double *)(void *)work->time.data;
	value = (double *)(void *)work->value.data;
	anim_track_times(track, time);
	anim_components_of(track->type, track->value, 0, track->n, value);
	if (rotates)
		reduce_normalise(value, track->n);
	*run = (struct reduce_run){.metric = metric,
				   .components = components,
				   .by_component = anim_rules_blend_components(clip, rules),
				   .cubic = cubic,
				   .n = track->n,
				   .time = time,
				   .value = value,
				   .pieces = cut.pieces,
				   .rest = rest_of(work, clip, track),
				   .seam = work->seam};
	run->cut = cut.pieces > 1;
	for (size_t k = 0; k + 1 < run->n && rotates && cut.wide < ANIM_PI && !run->cut; k++)
		run->cut = reduce_angle_between(run, k) > cut.wide;
	if (run->cut && track->kind == ANIM_RAW)
		cut.pieces = REDUCE_PIECES;
	/*
	 * a rotation has an arc between its two quaternions, but no chord, so such keys get the sign of their
	 * neighbour
	 */
	run->cut = run->cut || (rotates && cut.wide < ANIM_PI && reduce_changes_sign(run));
	for (size_t k = 1; k < track->n && rotates && (cubic || run->cut); k++)
		if (!anim_rules_blend_components(clip, track->rules))
			reduce_align(value + 4 * k, value + 4 * (k - 1));
	if (rotates && run->rest != NULL)
		reduce_align(work->rest, value);
	if ((run->cut && cut_lines(work, run, &cut, error) != 0) ||
	    (curved && read_slopes(work, track, run, error) != 0) ||
	    reserve(&work->limit, run->n, sizeof **limits, error) != 0)
		return -1;
	run->limit = *limits = (double *)(void *)work->limit.data;
	return 0;
}

/* Return the largest absolute value. */
static double largest_of(const double *numbers, size_t count)
{
	double most[REDUCE_ROUND] = {0};
	size_t done = 0;

	for (; done + REDUCE_ROUND <= count; done += REDUCE_ROUND)
		for (size_t i = 0; i < REDUCE_ROUND; i++)
			most[i] = fabs(numbers[done + i]) > most[i] ? fabs(numbers[done + i]) : most[i];
	for (; done < count; done++)
		most[0] = fmax(fabs(numbers[done]), most[0]);
	for (size_t i = 1; i < REDUCE_ROUND; i++)
		most[0] = fmax(most[i], most[0]);
	return most[0];
}

/*
 * Return a lower limit for rotations at a key between two intervals, because the bound between keys is larger than
 * the error at the keys.
 */
static inline double limit_between(float before, float after, double limit)
{
	double angle = (double)(before > after ? before : after), result = angle + 2 * limit;
	/* the cosine of a quarter of the rotation, or less, and the part that the sines of larger errors add */
	double cosine = 1 - (result * result + limit * limit) / 32;

	return (limit - reduce_angle_surplus(angle, result)) * cosine * 0.9999 - 1e-7;
}

/* Set the limits of rotations. */
static void lower_limits(const struct reduce_run *run, double limit, double *restrict limits)
{
	const float *angle = run->angle;

	for (size_t k = 0, done; k < run->n; k += done) {
		done = k > 0 && k + REDUCE_ROUND < run->n ? REDUCE_ROUND : 1;
		for (size_t i = 0; i < REDUCE_ROUND && done > 1; i++)
			limits[k + i] = limit_between(angle[k + i - 1], angle[k + i], limit);
		if (done == 1)
			limits[k] = limit_between(k > 0 ? angle[k - 1] : 0, k + 1 < run->n ? angle[k] : 0, limit);
	}
}

/* Copy the times and values of the remaining keys, and return their number. Values have `size` bytes. */
ANIM_INLINE size_t copy_kept(const struct reduce_run *run, const uint8_t *keep, const uint8_t *values, size_t size,
			     float *time, uint8_t *value)
{
	const double *times = run->time;
	size_t n = run->n, count = 0;

	for (size_t k = 0; k < n; k++) {
		time[count] = (float)times[k];
		memcpy(value + size * count, values + size * k, size);
		count += keep[k];
	}
	return count;
}

/* Add the track's own values. If its lines or arcs were cut, add the values of the run. */
static int add_straight(struct anim_keys *keys, const struct anim_track *track, const struct reduce_run *run,
			const uint8_t *keep, struct anim_error *error)
{
	size_t size = anim_types[track->type].size, count = 0;
	double numbers[ANIM_COMPONENTS_MAX] = {0};
	_Alignas(16) uint8_t cut[ANIM_VALUE_MAX];
	uint8_t *value;
	float *time;

	if (anim_keys_reserve(keys, 0, run->n, error) != 0)
		return -1;
	time = (float *)(void *)keys->column[ANIM_COLUMN_TIME].data;
	value = keys->column[ANIM_COLUMN_VALUE].data;
	for (size_t k = 0; k < run->n && run->cut; k++) {
		if (!keep[k])
			continue;
		memcpy(numbers, run->value + run->components * k, run->components * sizeof *numbers);
		anim_value_store(track->type, numbers, cut);
		time[count] = (float)run->time[k];
		memcpy(value + size * count++, cut, size);
	}
	if (!run->cut)
		count = size == 12   ? copy_kept(run, keep, track->value, 12, time, value)
			: size == 16 ? copy_kept(run, keep, track->value, 16, time, value)
				     : copy_kept(run, keep, track->value, size, time, value);
	anim_keys_grow(keys, count, ANIM_LINEAR);
	return 0;
}

int reduce_build(struct reduce_work *work, const struct anim_track *track, const struct reduce_run *run,
		 const uint8_t *keep, enum anim_rules rules, struct anim_track *out, struct anim_error *error)
{
	int added;

	anim_keys_reset(&work->keys, track->type);
	if (!run->cubic)
		added = add_straight(&work->keys, track, run, keep, error);
	else if (run->leaving != NULL)
		added = add_curved(&work->keys, track, run, keep, error);
	else
		added = add_cubics(&work->keys, run, keep, error);
	if (added != 0)
		return -1;
	*out = *track;
	out->kind = ANIM_CURVE;
	out->start_s = out->step_s = 0;
	out->rate_num = out->rate_den = 0;
	if (rules != ANIM_RULES_COUNT)
		out->rules = rules;
	memset(out->column, 0, sizeof out->column);
	anim_keys_finish(&work->keys, out);
	return 0;
}

/* ---- Keys and their proof ---- */

/* Set the limit of each key, and the angles between keys. Returns 0 or -1. */
static int limit_keys(struct reduce_work *work, struct reduce_run *run, double limit, double *limits,
		      struct anim_error *error)
{
	double before = 1, lower;
	float *angle;

	if (run->metric != REDUCE_ANGLE) {
		/* reduced by the rounding error of float32 for values between the keys */
		lower = limit - 4 * 0x1p-24 * largest_of(run->value, run->n * run->components);
		for (size_t k = 0; k < run->n; k++)
			limits[k] = lower;
	} else if (run->leaving != NULL) {
		/* cubics may be shorter than rotations */
		for (size_t k = 0; k < run->n; k++) {
			double after = k + 1 < run->n && !run->fixed[k] ? reduce_cubic_least(run, k) : 1;

			limits[k] = limit * fmin(before, after) * 0.999 - 1e-7;
			before = after;
		}
	} else {
		if (reserve(&work->angle, run->n, sizeof *angle, error) != 0)
			return -1;
		run->angle = angle = (float *)(void *)work->angle.data;
		reduce_angles(run, angle);
		lower_limits(run, limit, limits);
	}
	return 0;
}

size_t reduce_count_kept(const uint8_t *keep, size_t n)
{
	size_t count = 0, k = 0;
	uint64_t eight;

	/* for eight bytes of 0 or 1, the highest byte of this product is their sum */
	for (; k + sizeof eight <= n; k += sizeof eight) {
		memcpy(&eight, keep + k, sizeof eight);
		count += eight * 0x0101010101010101u >> 56;
	}
	for (; k < n; k++)
		count += keep[k];
	return count;
}

/*
 * Restore keys until the bound is within the limit, at the latest when all are restored. Returns the bound before
 * any was restored.
 */
static double certify(const struct reduce_job *job, const struct anim_track *track, const struct reduce_run *run,
		      uint8_t *keep, struct reduce_proof *proof)
{
	bool more = true, arcs = !anim_rules_blend_components(job->clip, track->rules);
	double first = 0;

	for (unsigned round = 0; more; round++) {
		if (round == ROUNDS_MAX)
			memset(keep, 1, run->n);
		if (run->cubic)
			reduce_cubic_prove(run, arcs, job->limit, keep, &more, proof);
		else
			reduce_prove(run, track, arcs, job->limit, keep, &more, proof);
		first = round == 0 ? proof->bound : first;
	}
	return first;
}

/* The number of keys that were chosen, their error, and the number of keys after enough are restored. */
struct attempt {
	size_t chosen, proven;
	double bound;
};

/*
 * Choose keys under a limit, and prove that they keep the limit of the job. A track at its rest value has no keys
 * and needs no proof. Returns 0 or -1.
 */
static int try_limit(struct reduce_work *work, const struct reduce_job *job, const struct anim_track *track,
		     enum reduce_metric metric, double limit, struct reduce_run *run, struct reduce_proof *proof,
		     struct attempt *attempt, struct anim_error *error)
{
	enum anim_rules rules = job->rules != ANIM_RULES_COUNT ? job->rules : track->rules;
	struct reduce_cut cut = reduce_cut_of(work, job->clip, track, rules, job->cubic, limit);
	double *limits;

	if (reduce_read(work, job->clip, track, metric, rules, job->cubic, cut, run, &limits, error) != 0 ||
	    reserve(&work->keep, run->n, 1, error) != 0 || limit_keys(work, run, limit, limits, error) != 0 ||
	    reduce_choose(run, job->fast, work->keep.data, error) != 0)
		return -1;
	*proof = (struct reduce_proof){.bound = job->limit};
	*attempt = (struct attempt){.chosen = reduce_count_kept(work->keep.data, run->n)};
	if (attempt->chosen == 0)
		return 0;
	attempt->bound = certify(job, track, run, work->keep.data, proof);
	attempt->proven = reduce_count_kept(work->keep.data, run->n);
	return 0;
}

int reduce_track(struct reduce_work *work, const struct reduce_job *job, const struct anim_track *track,
		 enum reduce_metric metric, struct anim_track *out, struct reduce_proof *proof,
		 struct anim_error *error)
{
	double limit = job->limit, best = limit;
	size_t fewest = SIZE_MAX;
	struct attempt attempt;
	struct reduce_run run;

	/*
	 * If intervals are similar, as for a joint that rotates uniformly, each can exceed the limit slightly and
	 * get a key back. Then a lower limit from the beginning may need fewer keys.
	 */
	for (unsigned i = 0; i < ATTEMPTS; i++) {
		if (try_limit(work, job, track, metric, limit, &run, proof, &attempt, error) != 0)
			return -1;
		if (attempt.proven < fewest) {
			fewest = attempt.proven;
			best = limit;
		}
		if (attempt.proven <= attempt.chosen + attempt.chosen / GROWN || proof->bound > job->limit)
			break;
		limit *= fmax(LOWER * job->limit / attempt.bound, 0.5);
	}
	if (attempt.proven > fewest && try_limit(work, job, track, metric, best, &run, proof, &attempt, error) != 0)
		return -1;
	out->n = 0;
	if (memchr(work->keep.data, 1, run.n) == NULL) /* it stays at its rest value, within the limit */
		return 0;
	return reduce_build(work, track, &run, work->keep.data, job->rules, out, error);
}

void reduce_work_clear(struct reduce_work *work)
{
	anim_buffer_clear(&work->time);
	anim_buffer_clear(&work->value);
	anim_buffer_clear(&work->limit);
	anim_buffer_clear(&work->angle);
	anim_buffer_clear(&work->keep);
	anim_buffer_clear(&work->slopes);
	anim_buffer_clear(&work->arriving);
	anim_buffer_clear(&work->cut_time);
	anim_buffer_clear(&work->cut_value);
	anim_buffer_clear(&work->fixed);
	anim_keys_clear(&work->keys);
}
