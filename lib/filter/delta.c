/* delta.c: differences from a pose, by constant matrices. */
#include "filter/delta.h"

#include <math.h>
#include <string.h>

#include "base/advice.h"
#include "clip/keys.h"
#include "clip/rest.h"
#include "clip/rules.h"
#include "clip/sample.h"
#include "filter/common/affine.h"
#include "filter/filter.h"

#define NUMBERS 4 /* maximum number of components of a difference */

const char *const anim_delta_orders[] = {"own", "parent", NULL};
const char *const anim_delta_scales[] = {"difference", "ratio", "offset", NULL};

/* ---- The pose at the start of a file ---- */

struct pose_sink {
	struct anim_sink sink;
	struct anim_delta_pose *pose;
	struct anim_clip clip;
	unsigned clips;
};

static const char *key_of(const struct anim_track *track, struct anim_arena *arena, size_t *length,
			  struct anim_error *error)
{
	const char *const texts[] = {track->node, track->property};

	return anim_key_join(arena, texts, 2, length, error);
}

static int pose_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct pose_sink *s = (struct pose_sink *)sink;

	if (s->clips++ == 0)
		s->pose->axes = clip->axes;
	return s->clips > 1 ? 0 : anim_clip_copy(&s->clip, clip, &s->pose->arena, error);
}

static int pose_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct pose_sink *s = (struct pose_sink *)sink;
	uint32_t number = (uint32_t)(s->pose->numbers.size / sizeof(double));
	double value[NUMBERS];
	const char *key;
	size_t length;
	int found;

	if (anim_track_check_local(track, error) != 0)
		return -1;
	if (s->clips != 1 || !anim_type_is_real(track->type) || anim_types[track->type].components > NUMBERS ||
	    track->n == 0)
		return 0;
	found = anim_sample_one(&s->clip, track, (double)s->clip.start_s, value, error);
	if (found <= 0)
		return found;
	key = key_of(track, &s->pose->arena, &length, error);
	if (key == NULL || anim_map_put(&s->pose->values, track->component, key, length, number, error) != 0)
		return -1;
	return anim_buffer_append(&s->pose->numbers, value, sizeof value, error);
}

struct anim_sink *anim_delta_pose_sink_new(struct anim_delta_pose *pose, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = pose_clip, .track = pose_track};
	struct pose_sink *sink = anim_sink_new(sizeof *sink, &ops, error);

	if (sink == NULL)
		return NULL;
	sink->pose = pose;
	return &sink->sink;
}

void anim_delta_pose_clear(struct anim_delta_pose *pose)
{
	anim_map_clear(&pose->values);
	anim_buffer_clear(&pose->numbers);
	anim_arena_clear(&pose->arena);
}

/* ---- References ---- */

struct delta {
	struct anim_filter filter;
	struct anim_delta_options options; /* order and scale: of the current clip */
	enum anim_delta_order order;
	enum anim_delta_scale scale;
	struct anim_rests rests;
	struct anim_arena track_arena;
	struct anim_buffer columns[ANIM_COLUMN_COUNT];
};

static bool is_scale(const struct anim_track *track)
{
	return strcmp(track->property, "scale") == 0 && anim_track_is_transform(track);
}

/*
 * Get the rest value of a track. Returns 1, or 0 if the tree does not have the node in this form. Values relative to
 * the rest pose use the identity, and values outside of transforms use 0. If the rest pose lacks a part, as joints of
 * BVH lack a rotation, the defaults are position 0, no rotation and scale 1. Poses of the tree show the same defaults.
 */
static int rest_of(struct delta *d, const struct anim_track *track, double out[NUMBERS])
{
	unsigned components = anim_types[track->type].components;
	const struct anim_rest *found;
	struct anim_rest rest;
	uint8_t value[ANIM_VALUE_MAX];

	if (track->flags & ANIM_REST_RELATIVE) {
		for (unsigned i = 0; i < components; i++)
			out[i] = is_scale(track) || (anim_types[track->type].quaternion && i == 3);
		return 1;
	}
	if (!(anim_track_is_transform(track) && (is_scale(track) || strcmp(track->property, "position") == 0 ||
						 strcmp(track->property, "rotation") == 0)))
		return 1;
	found = anim_rests_find(&d->rests, d->filter.clip.root, track->node);
	if (found == NULL)
		return 0;
	rest = *found;
	rest.has |= ANIM_HAS_POSITION | ANIM_HAS_ROTATION | ANIM_HAS_SCALE;
	if (!anim_rest_value(&rest, track, value))
		return 0;
	anim_components(track->type, value, 0, out);
	return 1;
}

/* ---- Matrices ---- */

static int map_track(struct delta *d, const struct anim_track *track, struct anim_affine *out, struct anim_error *error)
{
	double r[NUMBERS] = {0};

	*out = (struct anim_affine){.components = anim_types[track->type].components};

	/* Find the pose's value of the track. */
	double t = d->options.from == ANIM_DELTA_TIME   ? d->options.time_s
		   : d->options.from == ANIM_DELTA_LAST ? (double)d->filter.clip.end_s
							: (double)d->filter.clip.start_s;
	int found;

	if (d->options.from == ANIM_DELTA_REST) {
		found = rest_of(d, track, r);
	} else if (d->options.from == ANIM_DELTA_POSE) {
		const struct anim_delta_pose *pose = d->options.pose;
		uint32_t number;
		size_t length;
		const char *key = key_of(track, &d->track_arena, &length, error);

		if (key == NULL)
			return -1;
		found = anim_map_get(&pose->values, track->component, key, length, &number);
		if (found)
			memcpy(r, (const double *)(const void *)pose->numbers.data + number, sizeof r);
		else
			found = rest_of(d, track, r);
	} else {
		found = anim_sample_one(&d->filter.clip, track, t, r, error);
	}
	if (found == 0)
		return anim_track_refuse(track, "has no value in the reference pose", error);
	if (found < 0)
		return -1;

	if (anim_types[track->type].quaternion) {
		static const double none[4] = {0, 0, 0, 1};
		double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);

		if (!(length > 0) || isinf(length))
			return anim_track_refuse(track, "is not a valid rotation in the reference pose", error);
		for (unsigned i = 0; i < 4; i++)
			r[i] *= (i < 3 && !d->options.apply ? -1 : 1) / length;
		anim_affine_rotation(out, d->order == ANIM_DELTA_OWN ? r : none, d->order == ANIM_DELTA_OWN ? none : r);
		return 0;
	}
	if (is_scale(track) && d->scale != ANIM_DELTA_DIFFERENCE) {
		for (unsigned i = 0; i < out->components; i++) {
			if (r[i] == 0 && !d->options.apply)
				return anim_track_refuse(track, "has scale 0 in the reference pose", error);
			out->m[i][i] = d->options.apply ? r[i] : 1 / r[i];
			out->offset[i] = d->scale == ANIM_DELTA_RATIO ? 0 : d->options.apply ? r[i] : -1;
		}
		return 0;
	}
	for (unsigned i = 0; i < out->components; i++) {
		out->m[i][i] = 1;
		out->offset[i] = d->options.apply ? r[i] : -r[i];
	}
	return 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct delta *d = (struct delta *)sink;
	struct anim_affine affine;
	struct anim_track out;
	int done = anim_track_is_muscle(track, d->options.diagnostics, error);

	anim_arena_reset(&d->track_arena);
	if (done < 0 || anim_track_check_local(track, error) != 0)
		return -1;
	if (done > 0 || !(anim_type_is_real(track->type) && anim_types[track->type].components <= NUMBERS &&
			  track->n > 0 && !anim_track_steps(track) && !anim_track_is_event(track)))
		return anim_filter_track(sink, track, error);
	if (anim_track_is_transform(track) &&
	    (strcmp(track->property, "euler") == 0 ||
	     (strcmp(track->property, "rotation") == 0 && !anim_types[track->type].quaternion)))
		return anim_track_refuse(track, "has no difference key by key; " ANIM_ADVICE(BAKE), error);
	if (map_track(d, track, &affine, error) != 0)
		return -1;
	done = anim_affine_track(&affine, track, d->columns, &out, error);
	if (done == 0)
		return anim_track_refuse(track, "has no difference key by key; " ANIM_ADVICE(BAKE), error);
	return done < 0 ? -1 : anim_filter_track(sink, &out, error);
}

/* ---- The sink ---- */

static size_t word_of(const char *const *words, const char *text, size_t length)
{
	size_t i = 0;

	while (words[i] != NULL && (strlen(words[i]) != length || memcmp(words[i], text, length) != 0))
		i++;
	return i;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct delta *d = (struct delta *)sink;
	const char *attribute = anim_attrs_get(&clip->attrs, ANIM_ATTR_DELTA), *text = NULL;
	struct anim_clip out;

	if (d->options.pose != NULL && anim_clip_in_axes(clip, d->options.pose->axes, "the pose is", error) != 0)
		return -1;
	if (anim_filter_keep(&d->filter, clip, error) != 0)
		return -1;
	d->order = d->options.order;
	d->scale = d->options.scale;
	if (attribute != NULL && !d->options.apply)
		return anim_fail(error, ANIM_UNSUPPORTED, "clip '%s' already holds differences", clip->name);

	if (d->options.from == ANIM_DELTA_TIME && d->options.time_s > (double)clip->end_s &&
	    anim_diagnostics_note(
		d->options.diagnostics, "clip", error,
		"'%s': the end comes before the time of the pose, so the last pose is used" ANIM_DETAIL ", at %.6g s",
		clip->name, (double)clip->end_s) != 0)
		return -1;

	/*
	 * Warn about a clip without the attribute. Other programs do not write it. A user who gives --order or --for
	 * knows what the clip holds and needs no warning.
	 */
	if (attribute == NULL && d->options.apply && !d->options.given &&
	    anim_diagnostics_warn(
		d->options.diagnostics, "clip", error,
		"'%s': not marked as differences, but applied to the pose as such; give the kind with " ANIM_OPTION(
		    "delta", "order") " or " ANIM_OPTION("delta", "for"),
		clip->name) != 0)
		return -1;

	/* Read the conventions from a clip's attribute. */
	if (attribute != NULL && !d->options.given) {
		size_t length = strcspn(attribute, ",");
		size_t order = word_of(anim_delta_orders, attribute, length), scale = ANIM_DELTA_SCALE_COUNT;

		if (attribute[length] == ',')
			scale = word_of(anim_delta_scales, attribute + length + 1, strlen(attribute + length + 1));
		if (order == ANIM_DELTA_ORDER_COUNT || scale == ANIM_DELTA_SCALE_COUNT)
			return anim_fail(error, ANIM_UNSUPPORTED,
					 "clip '%s' holds differences of an unknown kind ('%.40s')", clip->name,
					 attribute);
		d->order = (enum anim_delta_order)order;
		d->scale = (enum anim_delta_scale)scale;
	}

	if (!d->options.apply)
		text = anim_arena_printf(&d->filter.clip_arena, error, "%s,%s", anim_delta_orders[d->order],
					 anim_delta_scales[d->scale]);
	if (text == NULL && !d->options.apply)
		return -1;
	out = d->filter.clip;
	if (anim_attrs_with(&out.attrs, &clip->attrs, ANIM_ATTR_DELTA, text, &d->filter.clip_arena, error) != 0)
		return -1;
	return anim_filter_clip(sink, &out, error);
}

static void on_free(struct anim_sink *sink)
{
	struct delta *d = (struct delta *)sink;

	anim_arena_clear(&d->track_arena);
	for (int i = 0; i < ANIM_COLUMN_COUNT; i++)
		anim_buffer_clear(&d->columns[i]);
	anim_filter_free(sink);
}

struct anim_sink *anim_delta_new(const struct anim_delta_options *options, struct anim_sink *next,
				 struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = on_clip, .track = on_track, .free = on_free};
	struct delta *d = anim_filter_new(sizeof *d, &ops, next, error);

	if (d == NULL)
		return NULL;
	d->filter.rests = &d->rests;
	d->options = *options;
	return &d->filter.sink;
}
