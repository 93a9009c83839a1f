/* retime.c: select clips, cut them, and change the times of their tracks: keys or samples, also backwards. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/number.h"
#include "clip/keys.h"
#include "filter/clips.h"
#include "filter/filter.h"
#include "filter/resample.h"
#include "filter/retime/cut.h"
#include "filter/retime/part.h"
#include "stream/store.h"

/* Source time `from_s` becomes `to_s`, and num/den source seconds become one second, backwards if `reverse` is set. */
struct retime_map {
	double from_s, to_s;
	uint32_t num, den;
	bool reverse;
};

/* --- Converting times, and values per second or in seconds --- */

/* Return the number of seconds that one source second becomes, negative if reversed. */
static double retime_scale(const struct retime_map *map)
{
	double scale = (double)map->den / (double)map->num;

	return map->reverse ? -scale : scale;
}

static double retime_time(const struct retime_map *map, double t)
{
	double elapsed = map->reverse ? map->from_s - t : t - map->from_s;

	return map->to_s + elapsed * (double)map->den / (double)map->num;
}

/*
 * Return the mode of the segment that ends at key k. For the first key, return the mode of the last segment, from which
 * a looping track continues.
 */
static enum anim_interp mode_before(const struct anim_track *track, size_t k)
{
	return anim_track_interp(track, k > 0 ? k - 1 : track->n - 1);
}

static bool is_slope(enum anim_interp mode)
{
	return mode == ANIM_HERMITE || mode == ANIM_WEIGHTED;
}

/* Convert slopes per second. `scale` has the sign of time. Tangents per segment only change their sign. */
static const void *map_slopes(const struct anim_track *track, const void *column, bool before, double scale,
			      struct anim_arena *arena, struct anim_error *error)
{
	const struct anim_type_info *info = &anim_types[track->type];
	uint8_t *out = anim_arena_zeroed(arena, track->n, info->size, error);

	for (size_t k = 0; out != NULL && k < track->n; k++) {
		enum anim_interp mode = before ? mode_before(track, k) : anim_track_interp(track, k);
		double components[ANIM_COMPONENTS_MAX], factor = is_slope(mode) ? scale : copysign(1, scale);

		memcpy(out + k * info->size, (const uint8_t *)column + k * info->size, info->size);
		if (!is_slope(mode) && mode != ANIM_TANGENT)
			continue;
		for (unsigned component = 0; component < info->components; component++)
			components[component] = anim_component(track->type, column, k, component) / factor;
		anim_value_store(track->type, components, out + k * info->size);
	}
	return out;
}

/* Convert handles of Bezier2D, which are in seconds. Shares of segments are unchanged. */
static const float *map_handles(const struct anim_track *track, const float *column, bool before, double scale,
				struct anim_arena *arena, struct anim_error *error)
{
	size_t components = anim_types[track->type].components;
	float *out = anim_arena_zeroed(arena, track->n, components * sizeof *out, error);

	for (size_t i = 0; out != NULL && i < track->n * components; i++) {
		enum anim_interp mode =
		    before ? mode_before(track, i / components) : anim_track_interp(track, i / components);

		out[i] = mode == ANIM_BEZIER_2D ? (float)((double)column[i] * scale) : column[i];
	}
	return out;
}

/* Convert times, slopes and handles. Changed columns are in the arena. Returns 0 or -1. */
static int retime_map_track(const struct retime_map *map, const struct anim_track *track, struct anim_track *out,
			    struct anim_arena *arena, struct anim_error *error)
{
	double scale = retime_scale(map);
	float *time;

	*out = *track;
	out->record = NULL;
	if (track->n == 0)
		return 0;
	if ((time = anim_arena_zeroed(arena, track->n, sizeof *time, error)) == NULL)
		return -1;
	for (size_t k = 0; k < track->n; k++) {
		time[k] = (float)retime_time(map, (double)track->time[k]);
		if (!isfinite(time[k]))
			return anim_fail(error, ANIM_UNSUPPORTED,
					 "track '%.100s %.100s': the new time of key %zu is not finite", track->node,
					 track->property, k);
	}
	out->time = time;
	if (scale == 1 || track->kind != ANIM_CURVE)
		return 0;
	if (track->left != NULL) {
		out->left = map_slopes(track, track->left, true, scale, arena, error);
		out->right = map_slopes(track, track->right, false, scale, arena, error);
		if (out->left == NULL || out->right == NULL)
			return -1;
	}
	if (track->left_x != NULL) {
		out->left_x = map_handles(track, track->left_x, true, scale, arena, error);
		out->right_x = map_handles(track, track->right_x, false, scale, arena, error);
		if (out->left_x == NULL || out->right_x == NULL)
			return -1;
	}
	return 0;
}

/* --- Raw tracks: cut at samples, reverse, change the rate --- */

/* Reverse the order of the samples. Values and tables of strings are in the arena. */
static int reverse_samples(const struct anim_track *track, struct anim_track *out, struct anim_arena *arena,
			   struct anim_error *error)
{
	size_t size = anim_types[track->type].size, last = track->n - 1;
	uint8_t *values;

	out->pre = track->post;
	out->post = track->pre;
	out->flags &= ~ANIM_LAST_AT_END;
	if (track->type == ANIM_STRING) {
		struct anim_strings *strings = anim_arena_alloc(arena, sizeof *strings, error);
		uint32_t *length = anim_arena_zeroed(arena, track->n, sizeof *length, error);
		uint64_t *start = anim_arena_zeroed(arena, track->n, sizeof *start, error);

		if (strings == NULL || length == NULL || start == NULL)
			return -1;
		*strings = *track->strings;
		for (size_t k = 0; k < track->n; k++) {
			length[k] = track->strings->length[last - k];
			start[k] = track->strings->start[last - k];
		}
		strings->length = length;
		strings->start = start;
		out->strings = strings;
		return 0;
	}
	if ((values = anim_arena_zeroed(arena, track->n, size, error)) == NULL)
		return -1;
	for (size_t k = 0; k < track->n; k++)
		memcpy(values + k * size, (const uint8_t *)track->value + (last - k) * size, size);
	out->value = values;
	return 0;
}

/*
 * Cut a Raw track, reverse it and convert its times. `range` NULL: keep all samples. String tables are in the arena.
 * Returns 0 or -1.
 */
static int retime_raw(const struct retime_map *map, const struct anim_range *range, const struct anim_track *track,
		      struct anim_track *out, struct anim_arena *arena, struct anim_error *error)
{
	struct anim_track part = *track;
	double first_s;

	/* Cut the samples. The start of the clip is a float. A sample at that time stays exactly there. */
	if (range != NULL) {
		struct anim_strings *strings = anim_arena_alloc(arena, sizeof *strings, error);
		struct anim_span span;

		if (strings == NULL)
			return -1;
		anim_span_of_raw(&span, track, range);
		anim_track_part(&part, strings, track, span.first, span.count);
		if ((float)part.start_s == range->start_s)
			part.start_s = (double)range->start_s;
	}
	*out = part;
	out->record = NULL;
	first_s = part.start_s;
	if (map->reverse && part.n > 1) {
		if (part.rate_num == 0 && !(part.step_s > 0))
			return anim_fail(
			    error, ANIM_UNSUPPORTED,
			    "%.100s %.100s: the time between the samples is not known; set it with " ANIM_OPTION(
				"retime", "rate"),
			    part.node, part.property);
		first_s = anim_track_time(&part, part.n - 1);
		/* A sample that holds until the next one begins at the time of the next one after reversing. */
		if (part.interp == ANIM_HOLD || !anim_type_is_real(part.type))
			first_s += anim_track_step(&part);
	}
	out->start_s = retime_time(map, first_s);
	if (map->reverse && part.n > 0 && reverse_samples(&part, out, arena, error) != 0)
		return -1;

	/* Convert the rate, or the step if the rate is unknown or becomes too large a fraction. */
	if (out->rate_num == 0) {
		out->step_s *= fabs(retime_scale(map));
	} else if (!anim_rate_reduce((uint64_t)out->rate_num * map->num, (uint64_t)out->rate_den * map->den,
				     &out->rate_num, &out->rate_den)) {
		out->step_s = anim_track_step(out) * fabs(retime_scale(map));
		out->rate_num = out->rate_den = 0;
	}
	if (!isfinite(out->start_s) || !isfinite(out->step_s))
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%.100s %.100s': the new times are not finite",
				 track->node, track->property);
	return 0;
}

/* --- Reversing keys: the sides of each key are exchanged --- */

bool retime_wraps(const struct anim_clip *clip, const struct anim_track *track)
{
	return track->kind != ANIM_RAW && anim_rules_are_godot(track->rules) && clip->loop != ANIM_LOOP_NONE &&
	       (track->flags & ANIM_LOOP_WRAP_KEYS) != 0 && track->interp != ANIM_BEZIER_2D;
}

/* Return whether the segment after key k only shows the value of that key. */
static bool reverse_holds(const struct anim_track *track, size_t k)
{
	if (anim_track_is_event(track))
		return false;
	if (track->kind == ANIM_DISCRETE || anim_track_interp(track, k) == ANIM_HOLD)
		return true;
	/* A transition of 0 holds the value in players that use transitions. */
	return track->ease != NULL && track->ease[k] == 0 && track->rules != ANIM_RULES_RESONITE &&
	       !(anim_rules_are_godot(track->rules) && track->interp == ANIM_BEZIER_2D);
}

static bool steps_component(const struct anim_track *track, size_t k, unsigned component)
{
	enum anim_interp mode;

	if (reverse_holds(track, k))
		return true;
	mode = track->kind == ANIM_CURVE ? anim_track_interp(track, k) : ANIM_HOLD;
	if (!is_slope(mode) || k + 1 >= track->n)
		return false;
	return !isfinite(anim_component(track->type, track->right, k, component)) ||
	       !isfinite(anim_component(track->type, track->left, k + 1, component));
}

static unsigned stepping_components(const struct anim_track *track, size_t k)
{
	unsigned count = 0;

	for (unsigned component = 0; component < anim_types[track->type].components; component++)
		count += steps_component(track, k, component);
	return count;
}

static bool steps_all(const struct anim_track *track, size_t k)
{
	return reverse_holds(track, k) || stepping_components(track, k) == anim_types[track->type].components;
}

/* Return whether the track's blends favour the first of the two keys: texts in Godot, bools and planes in Godot 3. */
static bool is_lopsided(const struct anim_track *track)
{
	const char *variant = anim_attrs_get(&track->attrs, "godot.variant");

	if (track->kind != ANIM_CURVE || !anim_rules_are_godot(track->rules) || track->interp == ANIM_HOLD ||
	    anim_track_is_event(track))
		return false;
	if (track->type == ANIM_STRING)
		return true;
	return track->rules == ANIM_RULES_GODOT3 && (anim_types[track->type].scalar == ANIM_SCALAR_BOOL ||
						     (variant != NULL && strcmp(variant, "Plane") == 0));
}

/* Return whether all segments must first be converted so that they do not depend on neighbours. */
static bool retime_reverse_wants_alone(const struct anim_clip *clip, const struct anim_track *track)
{
	bool cubics = track->kind == ANIM_CURVE && (anim_track_has_interp(track, ANIM_CUBIC_TIME) ||
						    anim_track_has_interp(track, ANIM_CUBIC_UNIFORM) ||
						    anim_track_has_interp(track, ANIM_CUBIC_ANGLE));

	if (is_lopsided(track))
		return true;
	if (!cubics)
		return false;
	if (retime_wraps(clip, track) && clip->loop == ANIM_LOOP_PINGPONG)
		return true;
	for (size_t k = 0; k < track->n; k++)
		if (reverse_holds(track, k))
			return true;
	return false;
}

struct reversal {
	struct retime_keys *keys;
	const struct anim_track *track;
	bool wraps;
	float last_s;
	struct anim_error *error;
};

/* Load key k with its sides exchanged, and with the mode of the segment that begins there after reversing. */
static void load_reversed(const struct anim_track *track, size_t k, struct retime_key *key)
{
	size_t before = k > 0 ? k - 1 : track->n - 1;
	struct retime_key own;

	retime_key_load(track, k, &own);
	*key = own;
	memcpy(key->left, own.right, sizeof key->left);
	memcpy(key->right, own.left, sizeof key->right);
	memcpy(key->left_x, own.right_x, sizeof key->left_x);
	memcpy(key->right_x, own.left_x, sizeof key->right_x);
	key->weighted = (uint8_t)((own.weighted & 1) << 1 | (own.weighted & 2) >> 1);
	key->mode = track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(track, before);
	/*
	 * x^c reversed is 1 - (1 - x)^c, which is transition 1/c. Transitions that bend at both ends are symmetric, and
	 * their numbers are negative.
	 */
	key->ease = track->ease == NULL ? 1 : track->ease[before];
	if (key->ease > 0 && track->ease != NULL)
		key->ease = (float)(1 / (double)key->ease);
}

/* Give the key the values of the key before the segment, in all components that hold. */
static void set_held(const struct anim_track *track, size_t segment, struct retime_key *key)
{
	double components[ANIM_COMPONENTS_MAX] = {0};

	if (steps_all(track, segment)) {
		anim_value_copy(track, segment, &key->value);
		return;
	}
	anim_components(track->type, &key->value, 0, components);
	for (unsigned component = 0; component < anim_types[track->type].components; component++)
		if (steps_component(track, segment, component))
			components[component] = anim_component(track->type, track->value, segment, component);
	anim_value_store(track->type, components, &key->value);
}

static bool end_holds(const struct anim_track *track, uint8_t ends)
{
	return ends == ANIM_EXTRAPOLATION_HOLD || track->rules == ANIM_RULES_RESONITE ||
	       anim_rules_are_godot(track->rules);
}

/*
 * Add key k. If components step there, add a second key with their values from this time on. The last key's value up to
 * the clip's end is then shown from the clip's start.
 */
static int add_reversed(const struct reversal *r, size_t k)
{
	const struct anim_track *track = r->track;
	/* The segment that ends at key k and begins there after reversing, or -1. */
	ptrdiff_t before = k > 0 ? (ptrdiff_t)k - 1 : r->wraps ? (ptrdiff_t)track->n - 1 : -1;
	bool steps =
	    before >= 0 && (steps_all(track, (size_t)before) || stepping_components(track, (size_t)before) > 0);
	/* The value of key k is not visible after reversing if the segments on both sides step. */
	bool hidden = (k + 1 < track->n || r->wraps) && steps_all(track, k) &&
		      (before >= 0 ? steps_all(track, (size_t)before) : end_holds(track, track->pre));
	struct retime_key key, twin;

	load_reversed(track, k, &key);
	twin = key;
	if (steps) {
		bool later = k + 1 == track->n && !r->wraps && end_holds(track, track->post) && key.time_s < r->last_s;

		set_held(track, (size_t)before, &twin);
		/* Components that step at the twin hold until its time. If the twin comes later, all components do. */
		for (unsigned component = 0; component < anim_types[track->type].components; component++)
			if (is_slope(key.mode) && (later || steps_component(track, (size_t)before, component)))
				key.right[component] = INFINITY;
		key.time_s = later ? r->last_s : key.time_s;
	}
	if (!hidden && retime_keys_add(r->keys, track, &key, r->error) != 0)
		return -1;
	if (!steps || (!hidden && anim_value_equal(track->type, &key.value, &twin.value)))
		return 0;
	return retime_keys_add(r->keys, track, &twin, r->error);
}

/*
 * Reverse the order of the keys without changing their times. Sides are exchanged, and steps move to their new start.
 * Slopes and handles keep their signs. last_s: the clip's last time. Returns 0 or -1.
 */
static int retime_reverse(struct retime_keys *keys, const struct anim_clip *clip, const struct anim_track *track,
			  float last_s, struct anim_track *out, struct anim_error *error)
{
	/* A ping-pong clip returns the same way, so the outermost keys hold beyond its ends. */
	bool wraps = retime_wraps(clip, track) && clip->loop == ANIM_LOOP_WRAP;
	const struct reversal r = {keys, track, wraps, last_s, error};
	/* Keys between straight lines keep all their numbers. */
	bool only_lines = track->kind == ANIM_CURVE && track->interp == ANIM_LINEAR && track->ease == NULL &&
			  track->left == NULL && track->right == NULL && track->left_x == NULL &&
			  track->right_x == NULL && track->weighted == NULL && track->type != ANIM_STRING &&
			  !anim_track_is_event(track);

	if (retime_keys_begin(keys, track, error) != 0)
		return -1;
	if (only_lines) { /* in room that was reserved */
		size_t size = anim_types[track->type].size, last = track->n - 1;
		struct anim_buffer *times = &keys->keys.column[ANIM_COLUMN_TIME];
		struct anim_buffer *values = &keys->keys.column[ANIM_COLUMN_VALUE];
		float *time = (float *)(void *)(times->data + times->size);

		for (size_t k = 0; k < track->n; k++) {
			time[k] = track->time[last - k];
			memcpy(values->data + values->size + k * size,
			       (const uint8_t *)track->value + (last - k) * size, size);
		}
		anim_keys_grow(&keys->keys, track->n, ANIM_LINEAR);
	} else {
		for (size_t k = track->n; k-- > 0;)
			if (add_reversed(&r, k) != 0)
				return -1;
	}
	retime_keys_track(keys, track, out);
	out->pre = track->post;
	out->post = track->pre;
	return 0;
}

/* --- The filter --- */

struct retime {
	struct anim_filter filter;
	struct anim_retime_options options;
	struct anim_clips_wanted wanted;
	const struct anim_time_range *asked; /* NULL: the complete clip */
	const char *name;                    /* new name of the clip, or NULL */
	size_t changed, outside, resets;     /* resets: number of unchanged RESET clips */
	char outer[160];                     /* the first clip outside the range, with its times */

	/* of the current clip */
	bool passing, dropping, chosen; /* chosen: `passing` was set before the clip */
	struct anim_range range;
	bool cuts;  /* the range is not the complete clip */
	bool loops; /* the range is a loop that was found */
	struct retime_map map;
	float start_s, end_s; /* of the resulting clip */

	struct anim_cutter cut;
	struct retime_keys reversed, merged;
	struct anim_arena arena; /* for the current track */
};

/*
 * Return whether the clip is selected. RESET is a pose that other clips depend on, so it is selected only by its exact
 * name.
 */
static bool is_wanted(struct retime *r, const struct anim_clip *clip)
{
	enum anim_clip_fit fit = anim_clips_wanted_match(&r->wanted, clip);
	bool reset = anim_clip_is_reset(clip), asked = fit != ANIM_CLIP_OTHER || r->options.clip_count == 0;
	bool wanted = fit == ANIM_CLIP_EXACT || (asked && !reset);

	r->resets += reset && !wanted;
	return wanted;
}

/*
 * Find the ratio of small integers that is nearest to x within the precision of a float32 length. It is the first such
 * convergent of the continued fraction of x. Returns false if 32 bits are too few.
 */
static bool find_ratio(double x, uint32_t *num, uint32_t *den)
{
	double n0 = 0, n1 = 1, d0 = 1, d1 = 0, rest = x;

	for (int i = 0; i < 64; i++) {
		double whole = floor(rest), n = whole * n1 + n0, d = whole * d1 + d0;

		if (!(n <= (double)UINT32_MAX) || !(d <= (double)UINT32_MAX))
			return false;
		n0 = n1;
		d0 = d1;
		n1 = n;
		d1 = d;
		if (n > 0 && fabs(n / d - x) <= x * 0x1p-25)
			break;
		rest = 1 / (rest - whole);
	}
	*num = (uint32_t)n1;
	*den = (uint32_t)d1;
	return *num > 0 && *den > 0;
}

static double snapped(const struct retime *r, double t)
{
	double num = r->options.snap_num, den = r->options.snap_den, start = (double)r->start_s;

	return num > 0 ? start + rint((t - start) * num / den) * den / num : t;
}

/* Return the distance between float32 times near t. */
static double spacing(double t)
{
	int exponent;

	(void)frexp(t, &exponent);
	return ldexp(1, exponent - 24);
}

static int find_times(struct retime *r, struct anim_error *error)
{
	const struct anim_retime_options *options = &r->options;
	const char *name = r->filter.clip.name;
	double length_s = (double)r->range.end_s - (double)r->range.start_s, end_s, before, after;

	r->map.num = options->speed_num > 0 ? options->speed_num : 1;
	r->map.den = options->speed_num > 0 ? options->speed_den : 1;
	if (options->duration_s > 0 && length_s > 0 &&
	    !find_ratio(length_s / options->duration_s, &r->map.num, &r->map.den))
		return anim_fail(error, ANIM_UNSUPPORTED, "clip '%.100s' cannot be made that much %s", name,
				 length_s > options->duration_s ? "shorter" : "longer");
	/* A pose has no length, so a duration does not apply to it. */
	if (options->duration_s > 0 && !(length_s > 0) &&
	    anim_diagnostics_note(options->diagnostics, "clip", error, "'%.100s': no length, so still a pose", name) !=
		0)
		return -1;
	r->map.reverse = options->reverse;
	r->map.from_s = (double)(options->reverse ? r->range.end_s : r->range.start_s);
	r->map.to_s = (r->asked != NULL ? 0 : (double)r->filter.clip.start_s) + options->shift_s;
	end_s = r->map.to_s + length_s * (double)r->map.den / (double)r->map.num;
	if (options->duration_s > 0 && length_s > 0)
		end_s = r->map.to_s + options->duration_s;
	r->start_s = (float)r->map.to_s;
	r->end_s = (float)snapped(r, end_s);
	/* Times far from 0 are coarse. Reject a new time at which the clip's keys could not be distinguished. */
	before = spacing(fmax(fabs((double)r->range.start_s), fabs((double)r->range.end_s)));
	after = spacing(fmax(fabs((double)r->start_s), fabs((double)r->end_s)));
	if (!isfinite(r->start_s) || !isfinite(r->end_s))
		return anim_fail(error, ANIM_UNSUPPORTED, "clip '%.100s': the new times are not finite", name);
	if (length_s > 0 && r->options.snap_num == 0 && !(r->end_s > r->start_s))
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "clip '%.100s': the new times are too large to represent its length", name);
	if (after <= before || after < 1e-3)
		return 0;
	return anim_diagnostics_add_error(r->options.diagnostics, "clip", after / 2, "s", error,
					  "'%.100s': less precise times after the change", name);
}

/* Find the range that is asked for. Returns 1, 0 if the clip does not overlap it, or -1. */
static int find_range(const struct retime *r, const struct anim_clip *clip, struct anim_range *out,
		      struct anim_error *error)
{
	struct anim_clip rated = *clip; /* without a rate of its own the clip has the given one */

	*out = (struct anim_range){clip->start_s, clip->end_s};
	if (r->asked == NULL)
		return 1;
	rated.rate_num = clip->rate_num > 0 ? clip->rate_num : r->options.rate_num;
	rated.rate_den = clip->rate_num > 0 ? clip->rate_den : r->options.rate_den;
	return anim_range_of_clip(out, &rated, r->asked, error);
}

#define CUT_AT_END_S 0.05 /* a range may leave its clip by this, as a rounded time or another frame does */

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct retime *r = (struct retime *)sink;
	struct anim_clip out = *clip;
	int overlaps = 1;

	r->dropping = false;
	if (!r->chosen)
		r->passing = !is_wanted(r, clip);
	if (r->passing)
		return anim_filter_clip(sink, clip, error);
	if ((overlaps = find_range(r, clip, &r->range, error)) < 0)
		return -1;
	if (overlaps == 0) {
		char start[ANIM_NUMBER_MAX + 1], end[ANIM_NUMBER_MAX + 1];

		start[anim_number_print_float(start, clip->start_s)] = '\0';
		end[anim_number_print_float(end, clip->end_s)] = '\0';
		r->dropping = true;
		if (r->outside++ == 0) {
			const unsigned num = clip->rate_num, den = clip->rate_den;
			int used = snprintf(r->outer, sizeof r->outer, "'%.80s' has the times %s..%s s", clip->name,
					    start, end);

			if (num > 0)
				snprintf(r->outer + used, sizeof r->outer - (size_t)used, " and the frames 0 to %.0f",
					 round(((double)clip->end_s - (double)clip->start_s) * num / den));
		}
		return anim_diagnostics_note(r->options.diagnostics, "clip", error,
					     "'%.100s' (%s..%s s): left out, outside the range", clip->name, start,
					     end);
	}
	if (r->asked != NULL && !r->asked->frames && isfinite(r->asked->from) &&
	    r->asked->from < (double)clip->start_s - CUT_AT_END_S &&
	    anim_diagnostics_note(r->options.diagnostics, "clip", error,
				  "'%.100s': the start comes after the start of the range" ANIM_DETAIL ", at %.6g s",
				  clip->name, (double)clip->start_s) != 0)
		return -1;
	if (r->asked != NULL && !r->asked->frames && isfinite(r->asked->to) &&
	    r->asked->to > (double)clip->end_s + CUT_AT_END_S &&
	    anim_diagnostics_note(r->options.diagnostics, "clip", error,
				  "'%.100s': the end comes before the end of the range" ANIM_DETAIL ", at %.6g s",
				  clip->name, (double)clip->end_s) != 0)
		return -1;
	r->changed++;
	r->cuts = !anim_range_is_whole(&r->range, clip);
	if (anim_filter_keep(&r->filter, clip, error) != 0 || find_times(r, error) != 0)
		return -1;
	out.name = r->name != NULL ? r->name : clip->name;
	out.start_s = r->start_s;
	out.end_s = r->end_s;
	out.loop = r->options.sets_loop ? (uint8_t)r->options.loop : r->loops ? (uint8_t)ANIM_LOOP_WRAP : clip->loop;
	out.flags &= (uint8_t)(r->cuts ? ~ANIM_END_DERIVED : 0xff);
	out.record = NULL;
	if (r->options.rate_num > 0) {
		out.rate_num = r->options.rate_num;
		out.rate_den = r->options.rate_den;
	} else if (out.rate_num > 0) {
		anim_rate_reduce((uint64_t)out.rate_num * r->map.num, (uint64_t)out.rate_den * r->map.den,
				 &out.rate_num, &out.rate_den);
	}
	return anim_filter_clip(sink, &out, error);
}

/*
 * Cut a track with keys to the range. Godot's player ignores keys after the clip's end. Reversed, they would be before its
 * start, so they are cut off.
 */
static int cut_keys(struct retime *r, const struct anim_track *track, struct anim_track *out, struct anim_error *error)
{
	bool all = r->options.reverse && retime_reverse_wants_alone(&r->filter.clip, track);
	bool rotation = anim_types[track->type].quaternion;

	*out = *track;
	if (anim_track_is_event(track)) {
		struct anim_strings *strings = anim_arena_alloc(&r->arena, sizeof *strings, error);
		struct anim_span_counts counts;

		if (strings == NULL || track->n == 0 || !r->cuts)
			return strings == NULL ? -1 : 0;
		anim_span_count(&counts, track->time, track->n, &r->range);
		anim_track_part(out, strings, track, counts.before_start, counts.to_end - counts.before_start);
		return 0;
	}
	if (!r->cuts && !all && !(r->options.reverse && anim_rules_are_godot(track->rules)))
		return 0;
	r->cut.clip = &r->filter.clip;
	r->cut.range = r->range;
	r->cut.tol = r->options.tol;
	if (retime_cut_track(&r->cut, track, all, out, error) != 0)
		return -1;
	if (!r->cut.approximated)
		return 0;
	return anim_diagnostics_add_error(r->options.diagnostics, rotation ? "rotation" : "curve", r->cut.worst,
					  rotation ? "degrees" : "units", error, "'%.100s %.100s': approximated",
					  track->node, track->property);
}

/* Move keys to whole frames. If several keys move to the same frame, only the last one is kept. */
static int snap(struct retime *r, struct anim_track *track, struct anim_track *out, struct anim_error *error)
{
	float *time = anim_arena_zeroed(&r->arena, track->n, sizeof *time, error);
	const float *exact = track->time;

	*out = *track;
	if (time == NULL)
		return -1;
	for (size_t k = 0; k < track->n; k++)
		time[k] = (float)snapped(r, (double)exact[k]);
	track->time = time;
	if (retime_keys_begin(&r->merged, track, error) != 0)
		return -1;
	for (size_t k = 0; k < track->n; k++) {
		struct retime_key key;
		bool met = k + 1 < track->n && time[k] == time[k + 1] && exact[k] != exact[k + 1];

		if (met && !anim_track_is_event(track))
			continue;
		retime_key_load(track, k, &key);
		if (retime_keys_add(&r->merged, track, &key, error) != 0)
			return -1;
	}
	if (r->merged.keys.n == track->n) {
		*out = *track;
		return 0;
	}
	retime_keys_track(&r->merged, track, out);
	return anim_diagnostics_warn(r->options.diagnostics, "track", error,
				     "'%.100s %.100s': several keys in one frame; the last one was kept", track->node,
				     track->property);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct retime *r = (struct retime *)sink;
	struct anim_track sorted = *track, part, reversed, mapped, last;

	if (r->dropping)
		return 0;
	if (r->passing)
		return anim_filter_track(sink, track, error);
	anim_arena_reset(&r->arena);
	if (track->kind == ANIM_RAW) {
		struct anim_track timed = *track, out;

		if (timed.rate_num == 0 && !(timed.step_s > 0) && r->options.rate_num > 0) {
			timed.rate_num = r->options.rate_num;
			timed.rate_den = r->options.rate_den;
			timed.step_s = 0;
		}
		if ((float)timed.start_s == r->range.start_s) /* a float: an archive's part may have been cut there */
			timed.start_s = (double)r->range.start_s;
		if (retime_raw(&r->map, r->cuts ? &r->range : NULL, &timed, &out, &r->arena, error) != 0)
			return -1;
		return anim_filter_track(&r->filter.sink, &out, error);
	}
	if ((track->flags & ANIM_UNSORTED) &&
	    anim_track_sort(track, &sorted, &r->arena, r->options.diagnostics, error) != 0)
		return -1;
	if (cut_keys(r, &sorted, &part, error) != 0)
		return -1;
	reversed = part;
	if (r->options.reverse && part.n > 0 &&
	    retime_reverse(&r->reversed, &r->filter.clip, &part, r->range.end_s, &reversed, error) != 0)
		return -1;
	if (reversed.time != part.time)
		retime_keys_clear(&r->cut.keys); /* saves one copy of a large track */
	if (retime_map_track(&r->map, &reversed, &mapped, &r->arena, error) != 0)
		return -1;
	last = mapped;
	if (r->options.snap_num > 0 && mapped.n > 0 && snap(r, &mapped, &last, error) != 0)
		return -1;
	return anim_filter_track(sink, &last, error);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	((struct retime *)sink)->dropping = false;
	return anim_filter_tree(sink, tree, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return ((struct retime *)sink)->dropping ? 0 : anim_filter_record(sink, record, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct retime *r = (struct retime *)sink;

	if (anim_clips_wanted_check(&r->wanted, error) != 0)
		return -1;
	if (r->changed == 0 && r->outside > 0)
		return anim_fail(error, ANIM_BAD_INPUT, "no clip overlaps the range; %s", r->outer);
	if (r->changed == 0 && r->resets > 0 && r->options.clip_count == 0 &&
	    anim_diagnostics_note(r->options.diagnostics, NULL, error,
				  "RESET is the only clip and was not changed; use " ANIM_OPTION_TO(
				      "retime", "clip", "RESET") " to change it") != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct retime *r = (struct retime *)sink;

	free(r->wanted.fitted);
	anim_arena_clear(&r->arena);
	retime_cut_clear(&r->cut);
	retime_keys_clear(&r->reversed);
	retime_keys_clear(&r->merged);
	anim_filter_free(sink);
}

/* --- Several parts, and parts that are found: each clip is kept, and pushed once for each part --- */

struct parts {
	struct anim_filter filter; /* in front of the retime */
	struct anim_store *store;
	struct anim_posing posing;      /* with the tree, for a search */
	struct retime_loop loop;        /* of the current part. Its end is NaN if the part is not a loop */
	const struct anim_scope *scope; /* of the clip */
	struct anim_arena arena;        /* of names */
};

/* Search the range that is asked for, and ask for the part that was found instead. Returns 0 or -1. */
static int find_part(struct parts *parts, struct anim_time_range *found, struct anim_error *error)
{
	struct retime *r = (struct retime *)parts->filter.next;
	const struct anim_clip *clip = anim_store_clip(parts->store, 0);
	const struct retime_loop *loop = &parts->loop;
	char way[64] = "in place";
	struct anim_range range;
	int result = find_range(r, clip, &range, error);

	parts->loop = (struct retime_loop){.end_s = (double)NAN, .carrier = ANIM_POSE_NONE};
	if (result <= 0)
		return result;
	if (r->options.find_loop) {
		if ((result = retime_find_loop(&parts->posing, parts->store, &range, &parts->loop, error)) < 0)
			return -1;
		if (result == 0)
			return anim_diagnostics_warn(r->options.diagnostics, "clip", error,
						     "'%.100s': not cut, because no loop was found", clip->name);
		*found = (struct anim_time_range){true, false, parts->loop.start_s, parts->loop.end_s};
	} else {
		double before_s, after_s;

		if ((result = retime_find_motion(&parts->posing, parts->store, &range, r->options.trim_m,
						 r->options.trim_shell_m, &range, error)) < 0)
			return -1;
		if (result == 0)
			return anim_diagnostics_warn(r->options.diagnostics, "clip", error,
						     "'%.100s': not cut, because nothing moves", clip->name);
		before_s = (double)range.start_s - (double)clip->start_s;
		after_s = (double)clip->end_s - (double)range.end_s;
		if (anim_diagnostics_note(r->options.diagnostics, "clip", error,
					  "'%.100s': cut to the part that moves" ANIM_DETAIL
					  ", without %.6g s before it and %.6g s after it",
					  clip->name, before_s, after_s) != 0)
			return -1;
		*found = (struct anim_time_range){true, false, (double)range.start_s, (double)range.end_s};
	}
	r->asked = found;
	if (!r->options.find_loop)
		return 0;
	if (loop->travels)
		snprintf(way, sizeof way, "travelling %.3g times its size", loop->way / loop->size);
	return anim_diagnostics_note(
	    r->options.diagnostics, NULL, error,
	    "clip '%.100s' loops from %.6g to %.6g s, %s; before it was closed, joints at its ends "
	    "were at most %.1f %% of its size apart, and their speeds differed by at most %.0f %% "
	    "per second",
	    clip->name, loop->start_s, loop->end_s, way, 100 * loop->gap / loop->size, 100 * loop->rush / loop->size);
}

/* Push the kept clip once for each part, or once if it passes unchanged. */
static int push_parts(struct parts *parts, struct anim_error *error)
{
	struct retime *r = (struct retime *)parts->filter.next;
	const struct anim_scope *scope = r->options.diagnostics->scope;
	size_t count = r->options.range_count > 0 ? r->options.range_count : 1;
	bool searches = r->options.find_loop || r->options.trim_m > 0;
	const struct anim_clip *clip;
	int result = 0;

	if (parts->store == NULL)
		return 0;
	clip = anim_store_clip(parts->store, 0);
	r->options.diagnostics->scope = parts->scope;
	r->chosen = true;
	r->passing = !is_wanted(r, clip);
	for (size_t i = 0; i < count && result == 0 && !(i > 0 && r->passing); i++) {
		size_t capacity = strlen(clip->name) + 24;
		char *name = anim_arena_alloc(&parts->arena, capacity, error);
		struct anim_time_range found;

		if (name == NULL)
			return -1;
		snprintf(name, capacity, "%s-%zu", clip->name, i + 1);
		r->name = count > 1 ? name : NULL;
		r->asked = r->options.range_count > 0 ? &r->options.ranges[i] : NULL;
		if (searches && !r->passing)
			result = find_part(parts, &found, error);
		r->loops = r->options.find_loop && !isnan(parts->loop.end_s);
		if (result == 0)
			result = anim_store_replay(parts->store, 0, NULL, &r->filter.sink, error);
		parts->loop.end_s = (double)NAN;
	}
	r->options.diagnostics->scope = scope;
	anim_store_free(parts->store);
	parts->store = NULL;
	anim_arena_reset(&parts->arena);
	return result;
}

static int parts_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return push_parts((struct parts *)sink, error) != 0 ? -1 : anim_filter_tree(sink, tree, error);
}

static int parts_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct parts *parts = (struct parts *)sink;
	size_t memory = ((struct retime *)parts->filter.next)->options.store_memory;

	if (push_parts(parts, error) != 0 || (parts->store = anim_store_new(memory, error)) == NULL)
		return -1;
	parts->scope = ((struct retime *)parts->filter.next)->options.diagnostics->scope;
	return anim_sink_clip(anim_store_sink(parts->store), clip, error);
}

static int parts_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(anim_store_sink(((struct parts *)sink)->store), track, error);
}

static int parts_end(struct anim_sink *sink, struct anim_error *error)
{
	return push_parts((struct parts *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void parts_free(struct anim_sink *sink)
{
	struct parts *parts = (struct parts *)sink;

	anim_store_free(parts->store);
	anim_store_free(parts->posing.components);
	anim_arena_clear(&parts->arena);
	anim_filter_free(sink); /* clears the poses */
}

struct anim_sink *anim_retime_new(const struct anim_retime_options *options, struct anim_sink *next,
				  struct anim_error *error)
{
	static const struct anim_sink_ops parts_ops = {parts_tree, NULL,      parts_clip, parts_track,
						       NULL,       parts_end, parts_free};
	static const struct anim_sink_ops ops = {on_tree, NULL, on_clip, on_track, on_record, on_end, on_free};
	struct retime *r = anim_filter_new(sizeof *r, &ops, next, error);
	struct parts *parts;

	if (r == NULL)
		return NULL;
	r->options = *options;
	r->asked = options->range_count > 0 ? options->ranges : NULL;
	if (anim_clips_wanted_init(&r->wanted, options->clips, options->clip_count, error) != 0) {
		anim_sink_free(&r->filter.sink);
		return NULL;
	}
	if (options->range_count < 2 && !options->find_loop && !(options->trim_m > 0))
		return &r->filter.sink;
	if ((parts = anim_filter_new(sizeof *parts, &parts_ops, &r->filter.sink, error)) == NULL)
		return NULL;
	anim_poses_init(&parts->posing.poses, options->store_memory);
	parts->loop.end_s = (double)NAN;
	if (!options->find_loop && !(options->trim_m > 0))
		return &parts->filter.sink;
	parts->filter.poses = &parts->posing.poses;
	if (options->find_loop) {
		struct anim_sink *closer = retime_closer_new(&parts->posing, &parts->loop, r->filter.next, error);

		r->filter.next = closer;
		if (closer == NULL) {
			anim_sink_free(&parts->filter.sink);
			return NULL;
		}
	}
	return &parts->filter.sink;
}
