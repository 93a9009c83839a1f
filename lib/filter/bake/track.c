/* track.c: what a track becomes, and its samples. */
#include <string.h>

#include "filter/bake/internal.h"
#include "filter/resample.h"

#define LABEL_MAX 256u /* bytes of a track's name in a message */

/* Three angles in a type that says so. */
static bool is_euler(const struct anim_track *track)
{
	return strcmp(track->property, "euler") == 0 && anim_type_is_real(track->type) &&
	       anim_types[track->type].lanes == 3 && track->component == ANIM_WHOLE && anim_track_is_transform(track);
}

/* The step that makes a value relative to the rest absolute; CONVERT_KEEP for what is no such value. */
static enum convert_step step_from_rest(const struct anim_track *track)
{
	unsigned lanes = anim_types[track->type].lanes;

	if (!(track->flags & ANIM_REST_RELATIVE) || !anim_type_is_real(track->type) || track->component != ANIM_WHOLE)
		return CONVERT_KEEP;
	if (strcmp(track->property, "rotation") == 0 && lanes == 4)
		return CONVERT_REST_ROTATION;
	if (strcmp(track->property, "position") == 0 && lanes == 3)
		return CONVERT_REST_POSITION;
	return strcmp(track->property, "scale") == 0 && lanes == 3 ? CONVERT_REST_SCALE : CONVERT_KEEP;
}

enum convert_step bake_step(const struct anim_track *track, const struct anim_rest *rest)
{
	if (is_euler(track))
		return CONVERT_EULER;
	return rest != NULL ? step_from_rest(track) : CONVERT_KEEP;
}

/* What `like` is called and made of behind the step. 0 or -1. */
static int renamed(struct bake *b, enum convert_step step, const struct anim_track *like, struct anim_track *out,
		   struct anim_error *error)
{
	struct anim_attrs before;

	*out = *like;
	out->record = NULL;
	if (step == CONVERT_KEEP)
		return 0;
	out->flags &= ~(ANIM_REST_RELATIVE | ANIM_DEGREES);
	if (step != CONVERT_EULER)
		return 0;
	out->property = "rotation";
	out->type = ANIM_FLOATQ;
	if (anim_attrs_with(&out->attrs, &like->attrs, "order", NULL, &b->scratch, error) != 0)
		return -1;
	before = out->attrs;
	return anim_attrs_with(&out->attrs, &before, "godot.type", NULL, &b->scratch, error);
}

/* All samples of the grid into b->samples. 0 or -1. */
static int take_samples(struct bake *b, struct convert_source *source, enum anim_type type, struct anim_error *error)
{
	const struct anim_grid *grid = anim_resample_grid(b->filter.next);
	size_t size = anim_types[type].size, bytes;
	double t[CONVERT_SAMPLES], values[CONVERT_SAMPLES][ANIM_LANES_MAX] = {{0}};

	b->samples.size = 0;
	if (anim_size_multiply(grid->count, size, &bytes, error) != 0 ||
	    anim_buffer_extend(&b->samples, bytes, error) == NULL)
		return -1;
	for (size_t done = 0; done < grid->count; done += CONVERT_SAMPLES) {
		size_t count = grid->count - done < CONVERT_SAMPLES ? grid->count - done : CONVERT_SAMPLES;

		anim_grid_times(grid, done, count, t);
		anim_sample_times(convert_source_first(source), t, count);
		if (convert_sample(source, t, count, values, error) != 0)
			return -1;
		for (size_t k = 0; k < count; k++)
			anim_value_store(type, values[k], b->samples.data + (done + k) * size);
	}
	return 0;
}

/* True where no track of the source takes values between those of its keys. */
static bool only_steps(const struct convert_source *source)
{
	for (unsigned i = 0; i < source->count; i++)
		if (source->tracks[i] != NULL && !anim_track_steps(source->tracks[i]))
			return false;
	return true;
}

static int tell_absent(struct bake *b, const struct anim_track *like, size_t absent, struct anim_error *error)
{
	char label[LABEL_MAX];

	if (anim_rest_is_reset(like))
		return anim_rest_tell_reset(b->options.losses, like, error);
	anim_track_label(like, label, sizeof label);
	return anim_losses_add(
	    b->options.losses, ANIM_WARNING, NULL,
	    "tracks have no value in parts of their clip; their rests or first values were put there", error,
	    "track '%s' has no value at %zu samples; its rest or first value was put there", label, absent);
}

int bake_sample(struct bake *b, struct convert_source *source, const struct anim_track *like, struct anim_error *error)
{
	const struct anim_rest *rest = bake_rest(b, like->node);
	struct anim_track named, out;
	int result;

	if (renamed(b, source->step, like, &named, error) != 0)
		return -1;
	convert_source_open(source, rest);
	result = take_samples(b, source, named.type, error);
	convert_source_close(source);
	if (result != 0 || (source->absent > 0 && tell_absent(b, &named, source->absent, error) != 0))
		return -1;
	anim_grid_track(anim_resample_grid(b->filter.next), &named, &out);
	out.interp = anim_type_is_real(named.type) && !only_steps(source) ? ANIM_LINEAR : ANIM_HOLD;
	out.value = b->samples.data;
	return anim_sink_track(b->tidy, &out, error);
}

/* A track that only steps: its own keys, each through the step, for the resampling filter. */
static int step_keys(struct bake *b, const struct convert_source *source, const struct anim_track *track,
		     struct anim_error *error)
{
	double lanes[ANIM_LANES_MAX] = {0};
	_Alignas(16) uint8_t value[128];
	struct anim_track named, out;

	if (renamed(b, source->step, track, &named, error) != 0)
		return -1;
	anim_keys_reset(&b->steps, named.type);
	for (size_t k = 0; k < track->n; k++) {
		convert_element(source, k, lanes);
		anim_value_store(named.type, lanes, value);
		if (anim_keys_add(&b->steps, track->time[k], value, ANIM_HOLD, error) != 0)
			return -1;
	}
	anim_keys_finish_steps(&b->steps, &named, &out);
	return anim_sink_track(b->filter.next, &out, error);
}

static int tell_relative(struct bake *b, const struct anim_track *track, struct anim_error *error)
{
	char label[LABEL_MAX];

	anim_track_label(track, label, sizeof label);
	return anim_losses_add(
	    b->options.losses, ANIM_WARNING, NULL,
	    "tracks are relative to rest poses that are not known; they stay relative; --rest FILE tells them", error,
	    "track '%s' is relative to a rest pose that is not known; it stays relative; give one "
	    "with --rest FILE",
	    label);
}

int bake_whole(struct bake *b, const struct anim_track *track, struct anim_error *error)
{
	const struct anim_rest *rest = bake_rest(b, track->node);
	struct convert_source source = {.clip = &b->clip,
					.tracks = {track},
					.count = 1,
					.step = bake_step(track, rest),
					.order = (enum anim_euler_order)anim_track_order(track),
					.radians = is_euler(track)};

	if (source.step == CONVERT_KEEP) {
		if (rest == NULL && step_from_rest(track) != CONVERT_KEEP && tell_relative(b, track, error) != 0)
			return -1;
		return anim_sink_track(b->filter.next, track, error);
	}
	if (rest != NULL)
		source.rest = *rest;
	if (track->kind != ANIM_RAW && anim_track_steps(track))
		return step_keys(b, &source, track, error);
	return bake_sample(b, &source, track, error);
}
