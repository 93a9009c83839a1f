/* rotations.c: a filter in front of filters that work on whole transforms: Euler angles and components are converted. */
#include "filter/common/rotations.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "clip/caps.h"
#include "filter/convert/convert.h"
#include "filter/filter.h"

#define BIT(type) ((uint64_t)1 << (type))

struct rotations {
	struct anim_filter filter; /* its `next` is the conversion, which gets the Euler angles */
	struct anim_rotations_options options;
	struct anim_caps caps;
	bool is_godot;           /* the current clip */
	struct anim_sink *after; /* gets all other tracks: the conversion's next sink, owned by the conversion */
};

/* Return whether the track belongs to a Unity RectTransform, which rotates in the plane, component by component. */
static bool is_flat(const struct anim_track *track)
{
	const char *class = anim_attrs_get(&track->attrs, "unity.class");

	return class != NULL && strcmp(class, "224") == 0;
}

bool anim_rotations_concern(const struct anim_track *track)
{
	return strcmp(track->property, "euler") == 0 && anim_type_is_real(track->type) &&
	       anim_track_is_transform(track) && !is_flat(track) && track->n > 0 && !(track->flags & ANIM_DISABLED) &&
	       anim_types[track->type].components == (track->component == ANIM_WHOLE ? 3 : 1);
}

/* ---- Tracks that repeat ---- */

/* Gets the rotations of one period, and passes them on as a track that repeats. */
struct period {
	struct anim_sink sink;
	struct anim_sink *next;
	uint8_t pre, post;
};

static int period_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	const struct period *period = (const struct period *)sink;
	struct anim_track out = *track;

	out.pre = period->pre;
	out.post = period->post;
	return anim_sink_track(period->next, &out, error);
}

/* Convert one period of a track that repeats, because a clip can be played for hours after its keys. */
static int convert_period(struct rotations *r, const struct anim_track *track, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.track = period_track};
	struct anim_rests none = {0}, *rests = r->options.rests != NULL ? r->options.rests : &none;
	struct period *period = anim_sink_new(sizeof *period, &ops, error);
	struct anim_track once = *track;
	struct anim_clip clip = r->filter.clip;

	if (period == NULL)
		return -1;
	period->next = r->after;
	period->pre = track->pre;
	period->post = track->post;
	once.pre = once.post = ANIM_EXTRAPOLATION_HOLD;
	once.record = NULL;
	clip.start_s = track->time[0];
	clip.end_s = track->time[track->n - 1];
	clip.loop = ANIM_LOOP_NONE;
	clip.record = NULL;
	return anim_convert_tracks(&r->caps, r->options.diagnostics, rests, &clip, &once, 1, sizeof once, &period->sink,
				   error);
}

static int rotations_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct rotations *r = (struct rotations *)sink;
	/*
	 * Filters need a component of a transform in space together with the others. Clips from Godot keep the forms that
	 * their author chose.
	 */
	const bool part = track->component != ANIM_WHOLE && !r->is_godot && anim_type_is_real(track->type) &&
			  track->n > 0 && !(track->flags & ANIM_DISABLED) && anim_track_is_transform(track) &&
			  !is_flat(track) && anim_text_is_word("position rotation scale", track->property) &&
			  anim_convert_is_in_space(r->filter.next, track);
	/* a track that repeats its keys, so that converting one period is enough */
	const bool periodic = (track->pre == ANIM_EXTRAPOLATION_LOOP || track->post == ANIM_EXTRAPOLATION_LOOP) &&
			      track->pre <= ANIM_EXTRAPOLATION_LOOP && track->post <= ANIM_EXTRAPOLATION_LOOP &&
			      track->kind == ANIM_CURVE && track->component == ANIM_WHOLE && track->n > 1 &&
			      !anim_rules_are_godot(track->rules) &&
			      !(track->flags & (ANIM_UNSORTED | ANIM_REST_RELATIVE)) &&
			      track->time[0] < track->time[track->n - 1] && isfinite(track->time[0]) &&
			      isfinite(track->time[track->n - 1]);
	const bool own = r->options.foreign && r->is_godot;
	int fits = !own && (part || anim_rotations_concern(track)) ? 0 : 1;

	if (fits == 0 && !part && r->options.fits != NULL)
		fits = r->options.fits(r->after, track, error);
	if (fits < 0)
		return -1;
	if (fits == 0 && periodic)
		return convert_period(r, track, error);
	return anim_sink_track(fits == 0 ? r->filter.next : r->after, track, error);
}

static int rotations_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct rotations *r = (struct rotations *)sink;

	r->is_godot = anim_source_is_godot(clip->source);
	return anim_filter_keep(&r->filter, clip, error) != 0 ? -1 : anim_filter_clip(sink, clip, error);
}

struct anim_sink *anim_rotations_new(const struct anim_rotations_options *options, struct anim_sink *next,
				     struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = rotations_clip, .track = rotations_track};
	const struct anim_caps caps = {
	    .format = "rotations",
	    .kinds = 1u << ANIM_RAW | 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
	    .types = BIT(ANIM_FLOATQ) | BIT(ANIM_FLOAT) | BIT(ANIM_FLOAT3) | BIT(ANIM_DOUBLE) | BIT(ANIM_DOUBLE3),
	    .interps = 1u << ANIM_HOLD | 1u << ANIM_LINEAR | (options->hermite ? 1u << ANIM_HERMITE : 0),
	    .rules = ANIM_RULES_PLAIN,
	    .mixed_interps = true,
	    .whole_transforms = true,
	    .negative_times = true,
	    .raw_start = true,
	    .midway = true};
	struct rotations *r;
	struct anim_sink *conversion;

	if (options->keep || next == NULL)
		return next;
	conversion = anim_convert_new(&caps, options->tol > 0 ? options->tol / 100 : ANIM_TOLERANCE, false,
				      options->diagnostics, next, error);
	r = conversion == NULL ? NULL : anim_filter_new(sizeof *r, &ops, conversion, error);
	if (r == NULL)
		return NULL;
	if (options->rests != NULL)
		anim_convert_use_rests(conversion, options->rests);
	r->options = *options;
	r->caps = caps;
	r->after = next;
	return &r->filter.sink;
}
