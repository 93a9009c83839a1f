/* resample.c: convert curves to Raw tracks on one grid. */
#include "filter/resample.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/advice.h"
#include "base/limits.h"
#include "base/number.h"
#include "clip/keys.h"
#include "clip/rest.h"
#include "clip/rules.h"
#include "clip/sample.h"
#include "filter/clips.h"
#include "filter/common/components.h"
#include "filter/filter.h"
#include "math/elementary.h"
#include "math/lanes.h"
#include "math/quaternion.h"

/* --- The times at which a clip is sampled --- */

/* Return whether an end is on the grid: its distance from a sample is within the rounding of float32 times. */
static bool is_whole(double frames)
{
	double miss = fabs(frames - rint(frames));
	double allowed = fmax(1e-4, frames * 0x1p-23);

	return miss <= fmin(0.01, allowed);
}

/* Return the number of frames from the start to the last sample. *fit_s is the adjusted length of a frame, or 0. */
static double last_frame(double frames, enum anim_grid_end end, double length_s, double *fit_s)
{
	double whole = rint(frames);
	bool meets = is_whole(frames);

	*fit_s = 0;
	switch (end) {
	case ANIM_END_GRID:
		return meets ? whole : floor(frames);
	case ANIM_END_FIT:
		if (length_s > 0) {
			whole = fmax(whole, 1);
			*fit_s = meets ? 0 : length_s / whole;
		}
		return whole;
	case ANIM_END_LOOP:
		return fmax(meets ? whole - 1 : floor(frames), 0);
	case ANIM_END_COVER:
		break;
	}
	return meets ? whole : ceil(frames);
}

/*
 * Compute the grid for a looping clip that is played `loops` times (at least 1). A ping-pong clip is played forward and
 * back each time, and a clip that does not loop once.
 */
static int grid_of_loops(struct anim_grid *grid, const struct anim_clip *clip, uint32_t num, uint32_t den,
			 enum anim_grid_end end, unsigned loops, struct anim_error *error)
{
	double once_s = (double)clip->end_s - (double)clip->start_s,
	       passes = clip->loop == ANIM_LOOP_NONE || !(clip->end_s > clip->start_s) ? 1
			: clip->loop == ANIM_LOOP_PINGPONG                             ? 2.0 * loops
										       : loops;
	double length_s = once_s * passes, frames = length_s * num / den;
	double last = last_frame(frames, end, length_s, &grid->step_s);

	if (!(last < (double)ANIM_KEYS_MAX))
		return anim_fail(error, ANIM_TOO_LARGE,
				 "clip '%s' would take %.0f samples, more than %u; use a lower rate", clip->name,
				 last + 1, ANIM_KEYS_MAX);
	grid->start_s = clip->start_s;
	grid->end_s = passes > 1 ? clip->start_s + length_s : clip->end_s;
	grid->length_s = once_s;
	grid->passes = (unsigned)fmin(passes, UINT32_MAX);
	grid->back = clip->loop == ANIM_LOOP_PINGPONG;
	grid->rate_num = grid->step_s > 0 ? 0 : num;
	grid->rate_den = grid->step_s > 0 ? 0 : den;
	grid->count = (size_t)last + 1;
	grid->past_end = end == ANIM_END_COVER && last > frames && !is_whole(frames);
	return 0;
}

int anim_grid_of_clip(struct anim_grid *grid, const struct anim_clip *clip, uint32_t num, uint32_t den,
		      enum anim_grid_end end, struct anim_error *error)
{
	struct anim_clip once = *clip;

	once.loop = ANIM_LOOP_NONE;
	return grid_of_loops(grid, &once, num, den, end, 1, error);
}

static double step_of(const struct anim_grid *grid)
{
	return grid->rate_num > 0 ? (double)grid->rate_den / grid->rate_num : grid->step_s;
}

/* Return the time of sample k in the sequence of all passes, not past their end. */
static double grid_at(const struct anim_grid *grid, size_t k)
{
	double num = grid->rate_num, den = grid->rate_den;
	double at = grid->start_s + (grid->rate_num > 0 ? (double)k * den / num : (double)k * grid->step_s);

	return at < grid->end_s ? at : grid->end_s;
}

/* Convert a time in the sequence of all passes to the time in its pass. */
static double fold(const struct anim_grid *grid, double at)
{
	double step = step_of(grid), length = grid->length_s, pass, into;

	/* A time that rounding puts just before the end of a pass belongs to the next pass. */
	pass = fmin(floor((at - grid->start_s + 1e-4 * fmin(step, length)) / length), grid->passes - 1.0);
	into = fmin(fmax(at - grid->start_s - pass * length, 0), length);
	return grid->start_s + (grid->back && fmod(pass, 2) == 1 ? length - into : into);
}

void anim_grid_times(const struct anim_grid *grid, size_t first, size_t count, double *t)
{
	for (size_t i = 0; i < count; i++)
		t[i] = grid_at(grid, first + i);
	for (size_t i = 0; i < count && grid->passes > 1; i++)
		t[i] = fold(grid, t[i]);
}

#define HALF_ROTATION 1e-3 /* closer to 0, the dot product of two rotations may have the wrong sign */
#define SURELY 1e-6        /* at this distance from 0, the sign is also correct in float32 */

static double product(const double a[4], const double b[4])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

int anim_grid_keep_way(const struct anim_grid *grid, struct anim_source *source, enum anim_type type, void *samples,
		       struct anim_error *error)
{
	double a[ANIM_COMPONENTS_MAX], b[ANIM_COMPONENTS_MAX], between[1][ANIM_COMPONENTS_MAX];
	const double *middle = between[0];

	for (size_t k = 1; k < grid->count; k++) {
		const float *v = (const float *)samples + 4 * (k - 1);
		const size_t absent = source->absent;
		double t, length, dot, side;
		int result;

		if (type == ANIM_FLOATQ) {
			anim_lanes p = anim_lanes_load(v) * anim_lanes_load(v + 4);

			if (!(fabsf(p[0] + p[1] + p[2] + p[3]) < 2 * (float)HALF_ROTATION))
				continue;
		}
		anim_components(type, samples, k - 1, a);
		anim_components(type, samples, k, b);
		if (!(fabs(product(a, b)) < HALF_ROTATION))
			continue;

		/* Sample the source between the two samples. */
		t = (grid_at(grid, k - 1) + grid_at(grid, k)) / 2;
		t = grid->passes > 1 ? fold(grid, t) : t;
		anim_sample_times(anim_source_first(source), &t, 1);
		result = anim_source_sample(source, &t, 1, between, error);
		if (result == 0 && source->absent != absent)
			result = 1;
		source->absent = absent;
		if (result != 0) {
			if (result < 0)
				return -1;
			continue;
		}

		/* Move b slightly, so that the shorter way from a passes the middle of the source's way. */
		length = sqrt(product(a, a) * product(b, b));
		dot = product(a, b) / length;
		side = product(middle, a) * product(middle, b) / (length * product(middle, middle));
		if (!(fabs(dot) < HALF_ROTATION) || !(fabs(side) > 0.1) || copysign(dot, dot * side) >= SURELY)
			continue;
		for (int i = 0; i < 4; i++)
			b[i] += (copysign(SURELY, side) - dot) * length / product(a, a) * a[i];
		anim_value_store(type, b, (uint8_t *)samples + k * anim_types[type].size);
	}
	return 0;
}

void anim_grid_track(const struct anim_grid *grid, const struct anim_track *like, struct anim_track *out)
{
	static const struct anim_track none;

	*out = none;
	out->kind = ANIM_RAW;
	out->type = like->type;
	out->rules = ANIM_RULES_PLAIN;
	out->node = like->node;
	out->property = like->property;
	out->component = like->component;
	out->flags = like->flags & ~(ANIM_LOOP_WRAP_KEYS | ANIM_UNSORTED | ANIM_LAST_AT_END);
	if (grid->past_end)
		out->flags |= ANIM_LAST_AT_END;
	out->attrs = like->attrs;
	out->n = grid->count;
	out->step_s = grid->step_s;
	out->rate_num = grid->rate_num;
	out->rate_den = grid->rate_den;
}

bool anim_rate_reduce(uint64_t n, uint64_t d, uint32_t *num, uint32_t *den)
{
	uint64_t a = n, b = d;

	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	if (n == 0 || d == 0 || n / a > UINT32_MAX || d / a > UINT32_MAX)
		return false;
	*num = (uint32_t)(n / a);
	*den = (uint32_t)(d / a);
	return true;
}

/*
 * Read digits into *value, at most 10 of them after leading zeros. Returns the rest of the text, or NULL without a
 * digit.
 */
static const char *digits(const char *text, uint64_t *value, unsigned *count)
{
	*value = 0;
	for (*count = 0; *text >= '0' && *text <= '9'; text++, ++*count) {
		if (*value > UINT32_MAX)
			return NULL;
		*value = *value * 10 + (uint64_t)(*text - '0');
	}
	return *count > 0 ? text : NULL;
}

/*
 * Find the fraction that a double approximates: 29.97002997002997 is 30000/1001. It is the first convergent of the
 * continued fraction that rounds to the same double, otherwise the last one whose numbers fit 32 bits. Returns false if
 * the rate is not between 2^-9 and 2^32. Uses only integers, so that every machine finds the same fraction.
 */
static bool fraction_of(double rate, uint64_t *num, uint64_t *den)
{
	uint64_t n, d, n_before = 0, d_before = 1;
	int exponent;

	if (!(rate >= 0x1p-9 && rate < 0x1p32))
		return false;
	n = (uint64_t)ldexp(frexp(rate, &exponent), 53);
	d = UINT64_C(1) << (53 - exponent);
	*num = 1;
	*den = 0;
	while (d != 0 && (*den == 0 || (double)*num / (double)*den != rate)) {
		uint64_t whole = n / d, rest = n % d, next_n, next_d;

		if (whole > UINT32_MAX)
			break;
		next_n = whole * *num + n_before;
		next_d = whole * *den + d_before;
		if (next_n > UINT32_MAX || next_d > UINT32_MAX)
			break;
		n_before = *num, *num = next_n;
		d_before = *den, *den = next_d;
		n = d, d = rest;
	}
	return *num != 0 && *den != 0;
}

/*
 * Read "29.97", ".5" or "30000/1001" as num/den. Returns the rest of the text, or NULL if it is none of them. A decimal
 * of more than nine places is the fraction of its double.
 */
static const char *ratio(const char *text, uint64_t *num, uint64_t *den)
{
	const char *start = text;
	uint64_t part, whole = 0;
	unsigned count;
	double rate;

	*den = 1;
	*num = 0;
	if (*text != '.' && (text = digits(text, &whole, &count)) == NULL)
		return NULL;
	*num = whole;
	if (*text == '/')
		return digits(text + 1, den, &count);
	if (*text != '.')
		return text;
	count = (unsigned)strspn(text + 1, "0123456789");
	if (count == 0)
		return NULL;
	text += 1 + count;
	if (count > 9)
		return anim_number_typed(start, (size_t)(text - start), &rate) > 0 && fraction_of(rate, num, den)
			   ? text
			   : NULL;
	digits(text - count, &part, &count);
	while (count-- > 0)
		*den *= 10;
	if (__builtin_mul_overflow(whole, *den, num) || __builtin_add_overflow(*num, part, num))
		return NULL;
	return text;
}

int anim_rate_parse(const char *text, uint32_t *num, uint32_t *den, struct anim_error *error)
{
	uint64_t n, d;
	const char *rest;

	*num = *den = 0;
	if (strcmp(text, "source") == 0)
		return 0;
	rest = ratio(text, &n, &d);
	if (rest == NULL || (*rest != '\0' && strcmp(rest, "fps") != 0) || n == 0 || d == 0)
		return anim_fail(
		    error, ANIM_BAD_INPUT,
		    "'%s' is not a rate; write samples per second, such as 30, 29.97, 30000/1001 or 24fps, or source",
		    text);
	if (n == 1 && d > 1 && strchr(text, '/') != NULL)
		return anim_fail(error, ANIM_BAD_INPUT, "'%s' is %.2g samples per second; did you mean %" PRIu64 "?",
				 text, 1.0 / (double)d, d);
	if (!anim_rate_reduce(n, d, num, den))
		return anim_fail(error, ANIM_BAD_INPUT, "the rate '%s' has too many digits", text);
	return 0;
}

int anim_ratio_parse(const char *text, uint32_t *num, uint32_t *den)
{
	uint64_t n, d;
	const char *rest = ratio(text, &n, &d);

	return rest == NULL || *rest != '\0' || n == 0 || d == 0 || !anim_rate_reduce(n, d, num, den) ? -1 : 0;
}

int anim_rate_check(uint32_t num, uint32_t den, struct anim_diagnostics *diagnostics, struct anim_error *error)
{
	if (num >= den)
		return 0;
	return anim_diagnostics_warn(diagnostics, NULL, error,
				     "the rate is %.3g samples per second: one sample every %.3g seconds",
				     (double)num / den, (double)den / num);
}

/* --- The filter --- */

#define CHUNK 2048u       /* samples taken at once */
#define KEPT_TIMES 65536u /* maximum number of points for which times are computed once for all tracks */

struct resample {
	struct anim_filter filter;
	struct anim_resample_options options;
	struct anim_grid grid;
	struct anim_rests rests;
	double size;                /* of the tree, compared with a human, or 0: not yet measured */
	struct anim_buffer samples; /* of the current track */
	struct anim_keys steps;
	struct anim_buffer times; /* of the grid, if it is not too long to keep */
	double t[CHUNK];
	uint8_t present[CHUNK];
};

/* Return the times of `count` (at most CHUNK) samples from `first` on, as the track's player uses them. */
static const double *times_from(struct resample *r, const struct anim_track *track, size_t first, size_t count)
{
	if (r->times.size > 0)
		memcpy(r->t, (const double *)(const void *)r->times.data + first, count * sizeof *r->t);
	else
		anim_grid_times(&r->grid, first, count, r->t);
	anim_sample_times(track, r->t, count);
	return r->t;
}

static int begin_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct resample *r = (struct resample *)sink;
	struct anim_clip out = *clip;
	uint32_t num, den;

	num = r->options.rate_num > 0 ? r->options.rate_num : clip->rate_num;
	den = r->options.rate_num > 0 ? r->options.rate_den : clip->rate_den;
	if (num == 0 || den == 0)
		return anim_fail(error, ANIM_BAD_INPUT, "clip '%s' has no rate of its own; " ANIM_ADVICE(GIVE_RATE),
				 clip->name);
	if (anim_filter_keep(&r->filter, clip, error) != 0)
		return -1;
	if ((r->options.loops == 0
		 ? anim_grid_of_clip(&r->grid, clip, num, den, r->options.end, error)
		 : grid_of_loops(&r->grid, clip, num, den, r->options.end, r->options.loops, error)) != 0)
		return -1;
	if (!r->options.trust_size && r->grid.count > ANIM_SAMPLES_MAX)
		return anim_fail(error, ANIM_TOO_LARGE,
				 "clip '%s' of %.9g s would take %zu samples, more than %u; allow it with " ANIM_OPTION(
				     "resample", "trust-size"),
				 clip->name, (double)clip->end_s - (double)clip->start_s, r->grid.count,
				 ANIM_SAMPLES_MAX);

	/* Compute the times once for all tracks if they are not too many to keep. */
	double *t;

	r->times.size = 0;
	if (r->grid.count <= KEPT_TIMES) {
		if ((t = anim_buffer_extend(&r->times, r->grid.count * sizeof *t, error)) == NULL)
			return -1;
		anim_grid_times(&r->grid, 0, r->grid.count, t);
	}

	/* A RESET clip is a pose that other clips return to. It is not played to its end, so no note is needed. */
	if (r->grid.past_end && !anim_clip_is_reset(clip) &&
	    anim_diagnostics_note(r->options.diagnostics, "clip", error,
				  "'%s': no sample at the end; the last sample has the final pose", clip->name) != 0)
		return -1;

	out.start_s = 0;
	out.end_s = (float)(r->grid.end_s - r->grid.start_s);
	out.loop = r->options.loops > 0 ? ANIM_LOOP_NONE : clip->loop;
	out.rate_num = r->grid.rate_num;
	out.rate_den = r->grid.rate_den;
	out.flags &= (uint8_t)~ANIM_END_DERIVED;
	out.record = NULL;
	return anim_sink_clip(r->filter.next, &out, error);
}

static int add_step(struct resample *r, const struct anim_track *track, size_t k, double at, struct anim_error *error)
{
	struct anim_text text;

	return anim_keys_add(&r->steps, (float)at, anim_value_at(track, k, &text), ANIM_HOLD, error);
}

/* Add the keys of a forward pass, from key `first` to the last. */
static int steps_there(struct resample *r, const struct anim_track *track, size_t first, double offset,
		       struct anim_error *error)
{
	bool event = anim_track_is_event(track);

	for (size_t k = first; k < track->n; k++) {
		double at = (double)track->time[k] - r->grid.start_s;

		if (track->time[k] > r->filter.clip.end_s || (event && at < 0))
			continue;
		if (add_step(r, track, k, offset + fmax(at, 0), error) != 0)
			return -1;
	}
	return 0;
}

/*
 * Add the keys of a backward pass. A value holds until the player passes its own key. Events at a reversal fire once,
 * with the pass that leads there.
 */
static int steps_back(struct resample *r, const struct anim_track *track, size_t first, double offset,
		      struct anim_error *error)
{
	bool event = anim_track_is_event(track);

	for (size_t k = track->n; k-- > first + !event;) {
		double at = (double)track->time[k] - r->grid.start_s;

		if (track->time[k] > r->filter.clip.end_s || at < 0 ||
		    (event && (at == 0 || track->time[k] == r->filter.clip.end_s)))
			continue;
		if (add_step(r, track, event ? k : k - 1, offset + r->grid.length_s - at, error) != 0)
			return -1;
	}
	return 0;
}

static int sample_changes(struct resample *r, const struct anim_track *track, struct anim_sample_state *state,
			  struct anim_error *error)
{
	size_t size = track->type == ANIM_STRING ? sizeof(struct anim_text) : anim_types[track->type].size;

	r->samples.size = 0;
	if (anim_buffer_extend(&r->samples, CHUNK * size, error) == NULL)
		return -1;
	for (size_t done = 0; done < r->grid.count;) {
		size_t count = r->grid.count - done < CHUNK ? r->grid.count - done : CHUNK;
		const double *t = times_from(r, track, done, count);

		if (anim_sample(&r->filter.clip, track, t, count, r->samples.data, r->present, state, error) != 0)
			return -1;

		/* Add a key for each sample that differs from the previous one. */
		struct anim_text text;

		for (size_t i = 0; i < count; i++) {
			const void *value = r->samples.data + i * size;

			if (!r->present[i])
				continue;
			if (r->steps.n > 0 &&
			    anim_value_equal(track->type, anim_keys_value(&r->steps, r->steps.n - 1, &text), value))
				continue;
			if (anim_keys_add(&r->steps, (float)(grid_at(&r->grid, done + i) - r->grid.start_s), value,
					  ANIM_HOLD, error) != 0)
				return -1;
		}

		done += count;
	}
	return 0;
}

static bool repeats(uint8_t ends)
{
	return ends == ANIM_EXTRAPOLATION_LOOP || ends == ANIM_EXTRAPOLATION_PINGPONG;
}

/* Warn that the player never reaches a key. */
static int report_empty(struct resample *r, const struct anim_track *track, struct anim_error *error)
{
	return anim_diagnostics_warn(r->options.diagnostics, "track", error,
				     "'%s %s': never a value inside the clip; left out", track->node, track->property);
}

static int step_track(struct resample *r, const struct anim_track *track, struct anim_error *error)
{
	struct anim_sample_state state = {0};
	struct anim_track out;
	bool again = r->grid.passes > 1 && (repeats(track->pre) || repeats(track->post));
	bool as_keys = anim_track_steps(track) && track->kind != ANIM_RAW && !(track->flags & ANIM_UNSORTED) && !again;
	int result;

	anim_keys_reset(&r->steps, track->type);
	if (as_keys) {
		/*
		 * Add the keys that the clip shows, pass by pass, with times from 0: the keys inside, and the key that
		 * holds at the start. An event before the clip never fires.
		 */
		size_t first = 0;

		while (!anim_track_is_event(track) && first + 1 < track->n &&
		       track->time[first + 1] <= r->filter.clip.start_s)
			first++;
		result = 0;
		for (unsigned pass = 0; pass < r->grid.passes && result == 0; pass++)
			result = (r->grid.back && pass % 2 == 1 ? steps_back : steps_there)(
			    r, track, first, pass * r->grid.length_s, error);
	} else {
		result = sample_changes(r, track, &state, error);
		anim_sample_state_clear(&state);
	}
	if (result != 0)
		return -1;
	if (r->steps.n == 0)
		return report_empty(r, track, error);
	anim_keys_finish_steps(&r->steps, track, &out);
	if (!as_keys || r->grid.passes > 1)
		out.pre = out.post = ANIM_EXTRAPOLATION_HOLD;
	return anim_sink_track(r->filter.next, &out, error);
}

static int report_absent(struct resample *r, const struct anim_track *track, size_t absent, const char *what,
			 struct anim_error *error)
{
	return anim_diagnostics_warn(
	    r->options.diagnostics, "track", error,
	    "'%s %s': no value in parts of the clip; the rest value or the first value was used" ANIM_DETAIL
	    " (at %zu of %zu samples: %s)",
	    track->node, track->property, absent, r->grid.count, what);
}

/* Sample all points into r->samples. Returns 0 or -1. */
static int raw_values(struct resample *r, const struct anim_track *track, struct anim_error *error)
{
	const size_t size = anim_types[track->type].size;
	struct anim_source source = {.clip = &r->filter.clip, .tracks = {track}, .count = 1};
	struct anim_sample_state state = {0};
	struct anim_buffer present = {0};
	size_t bytes, count, absent = 0;
	int result = 0;

	r->samples.size = 0;
	if (anim_size_multiply(r->grid.count, size, &bytes, error) != 0 ||
	    anim_buffer_extend(&r->samples, bytes, error) == NULL ||
	    anim_buffer_extend(&present, r->grid.count, error) == NULL)
		result = -1;
	for (size_t done = 0; done < r->grid.count && result == 0; done += count) {
		count = r->grid.count - done < CHUNK ? r->grid.count - done : CHUNK;
		result = anim_sample(&r->filter.clip, track, times_from(r, track, done, count), count,
				     r->samples.data + done * size, present.data + done, &state, error);
		for (size_t i = 0; i < count && result == 0; i++)
			absent += !present.data[done + i];
	}
	anim_sample_state_clear(&state);
	if (result == 0 && absent > 0) {
		/* Set samples that the player would not set to the node's rest value, otherwise to the track's first. */
		_Alignas(16) uint8_t filler[ANIM_VALUE_MAX];
		uint8_t *values = r->samples.data;
		const struct anim_rest *rest = r->filter.clip.flags & ANIM_IN_TREE
						   ? anim_rests_find(&r->rests, r->filter.clip.root, track->node)
						   : NULL;
		enum anim_filler from = anim_rest_filler(rest, track, filler);
		size_t first = 0;

		while (first < r->grid.count && !present.data[first])
			first++;
		if (from == ANIM_FILLER_FIRST && first < r->grid.count)
			memcpy(filler, values + first * size, size);
		for (size_t k = 0; k < r->grid.count; k++)
			if (!present.data[k])
				memcpy(values + k * size, filler, size);
		result = from == ANIM_FILLER_RESET
			     ? anim_rest_report_reset(r->options.diagnostics, track, error)
			     : report_absent(r, track, absent,
					     from == ANIM_FILLER_REST ? "its rest value" : "its first value", error);
	}
	anim_buffer_clear(&present);
	if (result != 0 || !anim_types[track->type].quaternion || anim_track_steps(track))
		return result;

	anim_source_open(&source, NULL);
	result = anim_grid_keep_way(&r->grid, &source, track->type, r->samples.data, error);
	anim_source_close(&source);
	return result;
}

/*
 * Sample a string at every point. *absent counts points where the player has no value. They get the first key's value.
 */
static int raw_texts(struct resample *r, const struct anim_track *track, size_t *absent, struct anim_error *error)
{
	struct anim_sample_state state = {0};
	struct anim_text text;
	int result = 0;

	*absent = 0;
	anim_keys_reset(&r->steps, track->type);
	for (size_t k = 0; k < r->grid.count && result == 0; k++) {
		result = anim_sample(&r->filter.clip, track, times_from(r, track, k, 1), 1, &text, r->present, &state,
				     error);
		if (result == 0 && !r->present[0]) {
			/* A text that the player would not set, or a blank one. */
			if (track->n == 0)
				text = (struct anim_text){NULL, ANIM_NULL_STRING};
			else if (anim_rest_is_blanked(track))
				text = (struct anim_text){"", 0};
			else
				anim_value_at(track, 0, &text);
			*absent += track->n > 0;
		}
		if (result == 0)
			result = anim_keys_add_sample(&r->steps, &text, error);
	}
	anim_sample_state_clear(&state);
	return result;
}

/* Get a value as components, and Euler angles as a quaternion, because players turn along the short way. */
static void value_at(const struct anim_track *track, const void *column, size_t k, double out[ANIM_COMPONENTS_MAX])
{
	double angles[ANIM_COMPONENTS_MAX] = {0};

	anim_components(track->type, column, k, out);
	if (strcmp(track->property, "euler") != 0 || anim_types[track->type].components != 3)
		return;
	for (int i = 0; i < 3; i++)
		angles[i] = out[i] * ((track->flags & ANIM_DEGREES) != 0 ? ANIM_PI / 180 : 1);
	anim_quat_from_euler_double(out, angles, (enum anim_euler_order)anim_track_order(track));
}

/* Return how fast the value changes from a key to the next one, or 0 at the ends. */
static double speed_at(const struct anim_track *track, enum anim_type type, size_t k)
{
	double a[ANIM_COMPONENTS_MAX] = {0}, b[ANIM_COMPONENTS_MAX] = {0};

	if (k + 1 >= track->n)
		return 0;
	value_at(track, track->value, k, a);
	value_at(track, track->value, k + 1, b);
	return anim_values_apart(type, a, b) / fmax(anim_track_time(track, k + 1) - anim_track_time(track, k), 1e-9);
}

#define JUMP 4 /* a jump is this many times as fast as the motion before and after it, or a value that was held */

/* An error between two samples may be this many times as large as one that lasts, and is not seen for less than a frame of 60/s. */
#define BRIEFLY 10
#define FRAME_S (1 / 59.0)

/*
 * Report the visible error of a track with fewer samples than keys, by its keys: a player interpolates the two samples around
 * each. Curves with fewer keys are smooth between samples, and not measured, to sample in half the time. An error between
 * two samples that a jump separates is only noted, because samples of every rate have it.
 */
static int report_between(struct resample *r, const struct anim_track *track, struct anim_error *error)
{
	bool euler = strcmp(track->property, "euler") == 0 && anim_types[track->type].components == 3;
	enum anim_type type = euler ? ANIM_DOUBLEQ : track->type;
	bool rotation = anim_types[type].quaternion;
	const char *unit = rotation ? "degrees" : "units";
	double size = 1, tree = 1, step_s = step_of(&r->grid), worst[2] = {0}; /* worst: elsewhere, beside a jump */
	const struct anim_clip *clip = &r->filter.clip;
	double clip_hz = clip->rate_num > 0 ? (double)clip->rate_num / clip->rate_den : 0;
	double faster_hz =
	    clip_hz * step_s > 1 ? clip_hz : 2 / step_s; /* the same for all tracks, so that they are one message */
	size_t first = 0, end;

	if (!anim_type_is_real(type) || anim_track_steps(track) || r->grid.passes > 1 || r->grid.count < 2 ||
	    track->n <= r->grid.count || (track->flags & ANIM_UNSORTED) || strcmp(track->property, "angle") == 0 ||
	    (strcmp(track->property, "euler") == 0 && !euler))
		return 0;

	/*
	 * The size of the tree's skeleton in its unit, compared with a human in metres, and at least 1: the largest
	 * distance between joints is 0.4 m in a leg. So the limit of a visible error is the same in files of centimetres.
	 */
	for (size_t i = 0; i < r->rests.count && r->size == 0; i++)
		for (unsigned axis = 0; axis < 3 && strchr(r->rests.items[i].path, '/') != NULL; axis++)
			tree = fmax(tree, fabs((double)r->rests.items[i].position[axis]) / 0.4);
	r->size = r->size == 0 ? tree : r->size;
	if (!rotation)
		size = r->size;

	/* the keys first..end - 1 between two samples */
	for (; first < track->n; first = end) {
		double i = floor((anim_track_time(track, first) - r->grid.start_s) / step_s), off = 0;
		double a[ANIM_COMPONENTS_MAX] = {0}, b[ANIM_COMPONENTS_MAX] = {0};
		bool jumps = false;

		for (end = first + 1; i >= 0 && i + 1 < (double)r->grid.count && end < track->n; end++)
			if (floor((anim_track_time(track, end) - r->grid.start_s) / step_s) != i)
				break;
		if (!(i >= 0) || i + 1 >= (double)r->grid.count)
			continue;
		value_at(track, r->samples.data, (size_t)i, a);
		value_at(track, r->samples.data, (size_t)i + 1, b);
		for (size_t k = first; k < end; k++) {
			double at = (anim_track_time(track, k) - r->grid.start_s) / step_s - i;
			double key[ANIM_COMPONENTS_MAX] = {0}, shown[ANIM_COMPONENTS_MAX] = {0};

			value_at(track, track->value, k, key);
			if (rotation)
				anim_quat_slerp_double(shown, a, b, at);
			for (unsigned c = 0; !rotation && c < anim_types[type].components; c++)
				shown[c] = a[c] + (b[c] - a[c]) * at;
			off = fmax(off, anim_values_apart(type, shown, key));
		}
		if (anim_diagnostics_tolerates(r->options.diagnostics, off / size, unit))
			continue;
		/* whether the source jumps between two keys: samples of every rate change that */
		for (size_t k = first > 0 ? first - 1 : 0; k < end && !jumps; k++) {
			double speed = speed_at(track, type, k), before = k > 0 ? speed_at(track, type, k - 1) : 0;

			jumps = speed > 0 && (anim_track_interp(track, k) == ANIM_HOLD ||
					      speed > JUMP * fmax(before, speed_at(track, type, k + 1)));
		}
		worst[jumps] = fmax(worst[jumps], off);
	}
	if (!(worst[0] > 0 || worst[1] > 0))
		return 0;
	if (anim_diagnostics_add_error(r->options.diagnostics, rotation ? "rotation" : "track",
				       step_s < FRAME_S ? 0 : worst[0] / size / BRIEFLY, unit, error,
				       "'%s %s': too fast for this rate; " ANIM_ADVICE_TO(FASTER, "%.4g"), track->node,
				       track->property, faster_hz) != 0)
		return -1;
	anim_diagnostics_off(r->options.diagnostics, worst[0], unit);
	if (worst[1] > 0)
		anim_diagnostics_peak(r->options.diagnostics, worst[1], step_s);
	return 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct resample *r = (struct resample *)sink;
	struct anim_track out;
	size_t absent = 0;
	int gone = anim_diagnostics_gate(r->options.diagnostics, track, track->kind == ANIM_RAW, error);

	if (gone != 0)
		return gone < 0 ? -1 : 0;
	if (!r->options.all && track->kind != ANIM_RAW &&
	    (anim_track_steps(track) || track->type == ANIM_STRING || track->type <= ANIM_BOOL4))
		return step_track(r, track, error);
	if (track->type != ANIM_STRING ? raw_values(r, track, error) != 0 : raw_texts(r, track, &absent, error) != 0)
		return -1;
	if (track->type == ANIM_STRING && absent == r->grid.count && !anim_rest_is_blanked(track))
		return report_empty(r, track, error);
	if (absent > 0 && report_absent(r, track, absent,
					anim_rest_is_blanked(track) ? "an empty text" : "its first value", error) != 0)
		return -1;
	anim_grid_track(&r->grid, track, &out);
	out.interp = anim_type_is_real(track->type) && !anim_track_steps(track) ? ANIM_LINEAR : ANIM_HOLD;
	out.value = r->samples.data;
	if (track->type == ANIM_STRING)
		anim_keys_finish(&r->steps, &out);
	else if (report_between(r, track, error) != 0)
		return -1;
	return anim_sink_track(r->filter.next, &out, error);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	((struct resample *)sink)->size = 0;
	return anim_filter_tree(sink, tree, error);
}

static void on_free(struct anim_sink *sink)
{
	struct resample *r = (struct resample *)sink;

	anim_buffer_clear(&r->samples);
	anim_buffer_clear(&r->times);
	anim_keys_clear(&r->steps);
	anim_filter_free(sink);
}

const struct anim_grid *anim_resample_grid(const struct anim_sink *sink)
{
	return &((const struct resample *)sink)->grid;
}

struct anim_sink *anim_resample_new(const struct anim_resample_options *options, struct anim_sink *next,
				    struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .clip = begin_clip, .track = on_track, .free = on_free};
	struct resample *r = anim_filter_new(sizeof *r, &ops, next, error);

	if (r == NULL)
		return NULL;
	r->filter.rests = &r->rests;
	r->options = *options;
	return &r->filter.sink;
}
