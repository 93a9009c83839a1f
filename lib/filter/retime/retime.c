/* retime.c: clips in other times: which clips, what becomes of their heads, and each track through its steps. */
#include "filter/retime/retime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "filter/clip_names.h"
#include "filter/filter.h"
#include "filter/retime/internal.h"
#include "filter/sort.h"

struct retime {
	struct anim_filter filter;
	struct anim_retime_options options;
	bool *fitted; /* one a pattern */
	struct anim_clip_names names;
	size_t changed, outside, resets; /* resets: that stay as they are */

	/* of the clip at hand */
	bool passing, dropping;
	struct anim_clip clip; /* as it came, texts copied */
	struct anim_arena clip_arena;
	struct anim_range range;
	bool cuts; /* the range is not all of the clip */
	struct retime_map map;
	float start_s, end_s; /* of the clip that it becomes */

	struct retime_cut cut;
	struct retime_keys turned, merged;
	struct anim_arena arena; /* of the track at hand */
};

/* RESET is a pose that other clips count on: only its own name asks for it. */
static bool is_wanted(struct retime *r, const struct anim_clip *clip)
{
	bool reset = anim_clip_is_reset(clip), wanted = r->options.clip_count == 0 && !reset;

	anim_clip_names_add(&r->names, clip);
	for (size_t i = 0; i < r->options.clip_count; i++) {
		enum anim_clip_match match = anim_clip_match(clip, r->options.clips[i]);

		r->fitted[i] |= match != ANIM_CLIP_OTHER;
		wanted |= match == ANIM_CLIP_EXACT || (match == ANIM_CLIP_BY_GLOB && !reset);
	}
	r->resets += reset && !wanted;
	return wanted;
}

static int leave_out(struct retime *r, const struct anim_clip *clip, struct anim_error *error)
{
	char start[ANIM_NUMBER_MAX + 1], end[ANIM_NUMBER_MAX + 1];

	start[anim_number_print_float(start, clip->start_s)] = '\0';
	end[anim_number_print_float(end, clip->end_s)] = '\0';
	r->dropping = true;
	r->outside++;
	return anim_losses_add(r->options.losses, ANIM_NOTE, NULL, "clips have no time in that range and were left out",
			       error, "clip '%.100s' is %s..%s s, outside the range, and was left out", clip->name,
			       start, end);
}

/*
 * The ratio of small whole numbers that is nearest to x but for what a float32 length cannot tell: the first of its
 * continued fraction. 1/1 where 32 bits hold none.
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

/* The speed that the options ask for; a pose has no length that could become another. */
static int find_speed(struct retime *r, double length_s, struct anim_error *error)
{
	struct retime_map *map = &r->map;

	map->num = r->options.speed_num > 0 ? r->options.speed_num : 1;
	map->den = r->options.speed_num > 0 ? r->options.speed_den : 1;
	if (!(r->options.duration_s > 0))
		return 0;
	if (length_s > 0)
		return find_ratio(length_s / r->options.duration_s, &map->num, &map->den)
			   ? 0
			   : anim_fail(error, ANIM_UNSUPPORTED, "clip '%.100s' cannot be made that much %s",
				       r->clip.name, length_s > r->options.duration_s ? "shorter" : "longer");
	return anim_losses_add(r->options.losses, ANIM_NOTE, NULL, "clips without length stay poses", error,
			       "clip '%.100s' has no length and stays a pose", r->clip.name);
}

static double snapped(const struct retime *r, double t)
{
	double num = r->options.snap_num, den = r->options.snap_den, start = (double)r->start_s;

	return num > 0 ? start + rint((t - start) * num / den) * den / num : t;
}

/* How far apart float32 times are near t. */
static double spacing(double t)
{
	int exponent;

	(void)frexp(t, &exponent);
	return ldexp(1, exponent - 24);
}

/* Times far from 0 are coarse: a clip may come to lie where its keys cannot be told apart. */
static int check_times(struct retime *r, double length_s, struct anim_error *error)
{
	double before = spacing(fmax(fabs((double)r->range.start_s), fabs((double)r->range.end_s)));
	double after = spacing(fmax(fabs((double)r->start_s), fabs((double)r->end_s)));

	if (!isfinite(r->start_s) || !isfinite(r->end_s))
		return anim_fail(error, ANIM_UNSUPPORTED, "clip '%.100s' would have no finite times", r->clip.name);
	if (length_s > 0 && r->options.snap_num == 0 && !(r->end_s > r->start_s))
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "clip '%.100s' would come to lie where times are too coarse for its length",
				 r->clip.name);
	if (after <= before || after < 1e-3)
		return 0;
	return anim_losses_add_error(r->options.losses, "clips come to lie where times are coarser", after / 2, "s",
				     error, "clip '%.100s' comes to lie where times are coarser", r->clip.name);
}

static int find_times(struct retime *r, struct anim_error *error)
{
	const struct anim_retime_options *options = &r->options;
	double length_s = (double)r->range.end_s - (double)r->range.start_s, end_s;

	if (find_speed(r, length_s, error) != 0)
		return -1;
	r->map.reverse = options->reverse;
	r->map.from_s = (double)(options->reverse ? r->range.end_s : r->range.start_s);
	r->map.to_s = (options->ranged ? 0 : (double)r->clip.start_s) + options->shift_s;
	end_s = r->map.to_s + length_s * (double)r->map.den / (double)r->map.num;
	if (options->duration_s > 0 && length_s > 0)
		end_s = r->map.to_s + options->duration_s;
	r->start_s = (float)r->map.to_s;
	r->end_s = (float)snapped(r, end_s);
	return check_times(r, length_s, error);
}

static void set_hint(const struct retime *r, struct anim_clip *out)
{
	if (r->options.rate_num > 0) {
		out->rate_num = r->options.rate_num;
		out->rate_den = r->options.rate_den;
	} else if (out->rate_num > 0) {
		retime_multiply_rate(&out->rate_num, &out->rate_den, r->map.num, r->map.den);
	}
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct retime *r = (struct retime *)sink;
	struct anim_clip out = *clip;

	r->dropping = false;
	r->passing = !is_wanted(r, clip);
	if (r->passing)
		return anim_filter_clip(sink, clip, error);
	r->range = (struct anim_range){clip->start_s, clip->end_s};
	if (r->options.ranged && !anim_range_of_clip(&r->range, clip, r->options.from_s, r->options.to_s))
		return leave_out(r, clip, error);
	r->changed++;
	r->cuts = !anim_range_is_whole(&r->range, clip);
	anim_arena_reset(&r->clip_arena);
	if (anim_clip_copy(&r->clip, clip, &r->clip_arena, error) != 0 || find_times(r, error) != 0)
		return -1;
	out.start_s = r->start_s;
	out.end_s = r->end_s;
	out.flags &= (uint8_t)(r->cuts ? ~ANIM_END_DERIVED : 0xff);
	out.record = NULL;
	set_hint(r, &out);
	return anim_filter_clip(sink, &out, error);
}

static int sort(struct retime *r, const struct anim_track *track, struct anim_track *out, struct anim_error *error)
{
	*out = *track;
	if (track->kind == ANIM_RAW || !(track->flags & ANIM_UNSORTED))
		return 0;
	return anim_track_sort(track, out, &r->arena, r->options.losses, error);
}

static int tell_error(struct retime *r, const struct anim_track *track, struct anim_error *error)
{
	bool rotation = anim_types[track->type].quaternion;

	return anim_losses_add_error(r->options.losses,
				     rotation ? "rotations were approximated" : "curves were approximated",
				     r->cut.worst, rotation ? "degrees" : "units", error,
				     "track '%.100s %.100s' was approximated", track->node, track->property);
}

static bool is_godot(const struct anim_track *track)
{
	return track->rules == ANIM_RULES_GODOT4 || track->rules == ANIM_RULES_GODOT3;
}

/* Godot's player does not see keys behind the clip's end; in the other order they would lie before its start. */
static int cut_keys(struct retime *r, const struct anim_track *track, struct anim_track *out, struct anim_error *error)
{
	bool all = r->options.reverse && retime_reverse_wants_alone(&r->clip, track);

	*out = *track;
	if (!r->cuts && !all && !(r->options.reverse && is_godot(track)))
		return 0;
	r->cut.clip = &r->clip;
	r->cut.range = r->range;
	r->cut.tol = r->options.tol;
	if (retime_cut(&r->cut, track, all, out, error) != 0)
		return -1;
	return r->cut.approximated ? tell_error(r, track, error) : 0;
}

static int cut_events(struct retime *r, const struct anim_track *track, struct anim_track *out,
		      struct anim_error *error)
{
	struct anim_strings *strings = anim_arena_alloc(&r->arena, sizeof *strings, error);
	struct anim_span span;
	struct anim_span_counts counts;

	*out = *track;
	if (strings == NULL || track->n == 0 || !r->cuts)
		return strings == NULL ? -1 : 0;
	anim_span_count(&counts, track->time, track->n, &r->range);
	span = (struct anim_span){counts.before_start, counts.to_end - counts.before_start};
	anim_track_part(out, strings, track, span.first, span.count);
	return 0;
}

/* Keys to whole frames; where several come to one, the last of them stays. */
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
	return anim_losses_add(r->options.losses, ANIM_WARNING, NULL,
			       "tracks had several keys in one frame; the last of each frame stays", error,
			       "track '%.100s %.100s' had several keys in one frame; the last of each frame stays",
			       track->node, track->property);
}

static int change_keys(struct retime *r, const struct anim_track *track, struct anim_error *error)
{
	struct anim_track part, turned, mapped, last;
	bool event = anim_track_is_event(track);

	if ((event ? cut_events(r, track, &part, error) : cut_keys(r, track, &part, error)) != 0)
		return -1;
	turned = part;
	if (r->options.reverse && part.n > 0 &&
	    retime_reverse(&r->turned, &r->clip, &part, r->range.end_s, &turned, error) != 0)
		return -1;
	if (turned.time != part.time)
		retime_keys_clear(&r->cut.keys); /* one copy less of a large track */
	if (retime_map_track(&r->map, &turned, &mapped, &r->arena, error) != 0)
		return -1;
	last = mapped;
	if (r->options.snap_num > 0 && mapped.n > 0 && snap(r, &mapped, &last, error) != 0)
		return -1;
	return anim_filter_track(&r->filter.sink, &last, error);
}

static int change_raw(struct retime *r, const struct anim_track *track, struct anim_error *error)
{
	struct anim_track timed = *track, out;

	if (timed.rate_num == 0 && !(timed.step_s > 0) && r->options.rate_num > 0) {
		timed.rate_num = r->options.rate_num;
		timed.rate_den = r->options.rate_den;
		timed.step_s = 0;
	}
	if (retime_raw(&r->map, r->cuts ? &r->range : NULL, &timed, &out, &r->arena, error) != 0)
		return -1;
	return anim_filter_track(&r->filter.sink, &out, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct retime *r = (struct retime *)sink;
	struct anim_track sorted;

	if (r->dropping)
		return 0;
	if (r->passing)
		return anim_filter_track(sink, track, error);
	anim_arena_reset(&r->arena);
	if (track->kind == ANIM_RAW)
		return change_raw(r, track, error);
	return sort(r, track, &sorted, error) != 0 ? -1 : change_keys(r, &sorted, error);
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
	char list[320];

	for (size_t i = 0; i < r->options.clip_count; i++) {
		if (r->fitted[i])
			continue;
		anim_clip_names_print(&r->names, r->options.clips[i], list, sizeof list);
		return anim_fail(error, ANIM_BAD_INPUT, "no clip is called '%.100s'; there %s%s", r->options.clips[i],
				 r->names.count == 0 ? "is none at all" : "are: ", list);
	}
	if (r->changed == 0 && r->outside > 0)
		return anim_fail(error, ANIM_BAD_INPUT,
				 "no clip has any time in that range; anim-info tells where they lie");
	if (r->changed == 0 && r->resets > 0 && r->options.clip_count == 0 &&
	    anim_losses_add(r->options.losses, ANIM_NOTE, NULL, NULL, error,
			    "there is no clip but RESET, which stays; -c RESET changes it") != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct retime *r = (struct retime *)sink;

	free(r->fitted);
	anim_arena_clear(&r->clip_arena);
	anim_arena_clear(&r->arena);
	retime_cut_clear(&r->cut);
	retime_keys_clear(&r->turned);
	retime_keys_clear(&r->merged);
	anim_filter_free(sink);
}

struct anim_sink *anim_retime_new(const struct anim_retime_options *options, struct anim_sink *next,
				  struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree,   anim_filter_node, on_clip, on_track,
						 on_record, on_end,           on_free};
	struct retime *r = anim_filter_new(sizeof *r, &ops, next, error);

	if (r == NULL)
		return NULL;
	r->options = *options;
	r->fitted = calloc(options->clip_count + 1, sizeof *r->fitted);
	if (r->fitted == NULL) {
		anim_fail_memory(error);
		anim_sink_free(&r->filter.sink);
		return NULL;
	}
	return &r->filter.sink;
}
