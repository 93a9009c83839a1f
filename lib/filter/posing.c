/* posing.c: tracks as they come by, sampled into the poses of their tree. */
#include "filter/posing.h"

#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "clip/keys.h"
#include "filter/components.h"

#define RATE 60.0          /* samples a second */
#define SAMPLES (1u << 20) /* at most; of longer clips they lie farther apart */

void anim_play_open(struct anim_source *s, const struct anim_clip *clip, const struct anim_track *track)
{
	memset(s, 0, sizeof *s);
	s->clip = clip;
	s->tracks[0] = track;
	s->count = 1;
	s->radians = true;
	s->order = (enum anim_euler_order)anim_track_order(track);
	s->unit_length = anim_types[track->type].quaternion;
}

int anim_play_sample(struct anim_source *s, const double *t, size_t count, double (*out)[ANIM_COMPONENTS_MAX],
		     struct anim_error *error)
{
	struct anim_error own = {0};

	if (anim_source_sample(s, t, count, out, &own) == 0)
		return 1;
	return own.code == ANIM_NO_MEMORY ? anim_fail_memory(error) : 0;
}

bool anim_play_can(const struct anim_track *track)
{
	return track->n > 0 && anim_type_is_real(track->type) && !(track->flags & ANIM_DISABLED) &&
	       !(track->kind == ANIM_RAW && track->n > 1 && track->rate_num == 0 && !(track->step_s > 0));
}

void anim_posing_begin_at(struct anim_posing *p, const struct anim_clip *clip, double start_s, double end_s,
			  size_t samples)
{
	p->unsure = false;
	p->samples = 0;
	p->step_s = 0;
	p->times = NULL;
	p->start_s = start_s;
	p->end_s = end_s;
	if (!(clip->flags & ANIM_IN_TREE) || anim_poses_count(&p->poses) == 0)
		return;
	p->samples = end_s > start_s ? samples : 1;
	if (p->samples > 1)
		p->step_s = (end_s - start_s) / (double)(p->samples - 1);
	anim_poses_begin(&p->poses, p->samples);
}

void anim_posing_begin_times(struct anim_posing *p, const double *times, size_t count)
{
	p->unsure = false;
	p->times = times;
	p->samples = count;
	anim_poses_begin(&p->poses, count);
}

void anim_posing_begin(struct anim_posing *p, const struct anim_clip *clip)
{
	double length_s = (double)clip->end_s - (double)clip->start_s, samples = floor(length_s * RATE) + 1;

	samples = samples < 2 ? 2 : samples > SAMPLES ? SAMPLES : samples;
	anim_posing_begin_at(p, clip, (double)clip->start_s, (double)clip->end_s, (size_t)samples);
}

/* A part of a transform, or a lane of one; of the plane where the node lies in it. */
static bool is_part(const struct anim_track *track, const struct anim_rest *rest)
{
	static const char *const names[] = {"position", "rotation", "scale", "euler"};
	bool lane = track->component != ANIM_WHOLE, flat = (rest->has & ANIM_HAS_2D) != 0;
	unsigned components = anim_types[track->type].components;

	if (strcmp(track->property, "angle") == 0)
		return flat && !lane && components == 1;
	return anim_text_is_one_of(track->property, names, ANIM_COUNT(names)) &&
	       (lane || components > 2 || (flat && components == 2));
}

uint32_t anim_posing_node(struct anim_posing *p, const struct anim_clip *clip, const struct anim_track *track)
{
	uint32_t node;

	if (p->samples == 0 || !anim_track_is_transform(track) || !anim_play_can(track))
		return ANIM_POSE_NONE;
	node = anim_poses_find(&p->poses, clip->root, track->node);
	return node == ANIM_POSE_NONE || is_part(track, &p->poses.rests.items[node]) ? node : ANIM_POSE_NONE;
}

/* What the track moves of its node, and how it is brought there; -1: nothing that is known. */
static int find_part(const struct anim_posing *p, uint32_t node, const struct anim_track *track, struct anim_source *s)
{
	const struct anim_type_info *info = &anim_types[track->type];
	const struct anim_rest *rest = &p->poses.rests.items[node];
	bool relative = (track->flags & ANIM_REST_RELATIVE) != 0, angle = strcmp(track->property, "angle") == 0;
	int part = (int)anim_pose_part_of(rest, track->property, info->components);

	if (track->component != ANIM_WHOLE)
		return -1;
	if (strcmp(track->property, "euler") == 0 && info->components == 3 && !relative) {
		s->step = ANIM_STEP_EULER;
		return ANIM_POSE_ROTATION;
	}
	if (part == ANIM_POSE_PARTS || (relative && info->components < 3) ||
	    (info->quaternion != (part == ANIM_POSE_ROTATION) && !angle))
		return -1;
	s->step = angle ? ANIM_STEP_ANGLE : s->step;
	if (relative) {
		s->step = anim_step_from_rest(track->property, info->components);
		s->rest = *rest;
	}
	return part;
}

/* Times that were asked for are brought to those that the track's player takes, as anim-resample does. */
static void times_from(const struct anim_posing *p, const struct anim_source *s, size_t first, size_t count, double *t)
{
	for (size_t k = 0; k < count; k++)
		t[k] = p->times != NULL ? p->times[first + k]
					: fmin(p->start_s + (double)(first + k) * p->step_s, p->end_s);
	if (p->times != NULL)
		anim_sample_times(anim_source_first(s), t, count);
}

static int put_samples(struct anim_posing *p, struct anim_source *s, uint32_t node, enum anim_pose_part part,
		       struct anim_error *error)
{
	double t[ANIM_SOURCE_SAMPLES], values[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}};
	unsigned components = part == ANIM_POSE_ROTATION ? 4
			      : s->joined                ? 3
							 : anim_types[anim_source_first(s)->type].components;
	float numbers[4];
	int result = 1;

	for (size_t done = 0, size; done < p->samples && result > 0; done += size) {
		size = p->samples - done < ANIM_SOURCE_SAMPLES ? p->samples - done : ANIM_SOURCE_SAMPLES;
		times_from(p, s, done, size, t);
		result = anim_play_sample(s, t, size, values, error);
		for (size_t k = 0; k < size && result > 0; k++) {
			anim_components_to_float(numbers, values[k], components);
			if (anim_poses_put_value(&p->poses, node, part, numbers, components, error) != 0)
				result = -1;
		}
	}
	return result;
}

int anim_posing_put(struct anim_posing *p, struct anim_source *source, uint32_t node, enum anim_pose_part part,
		    struct anim_error *error)
{
	int result;

	anim_source_open(source, &p->poses.rests.items[node]);
	if (anim_track_is_placed(anim_source_first(source)))
		anim_poses_set_apart(&p->poses, node);
	result = anim_poses_open(&p->poses, node, part, error);
	if (result > 0)
		result = put_samples(p, source, node, part, error);
	p->unsure = p->unsure || result == 0;
	anim_source_close(source);
	return result < 0 ? -1 : 0;
}

int anim_posing_track(struct anim_posing *p, const struct anim_clip *clip, const struct anim_track *track,
		      uint32_t node, struct anim_error *error)
{
	struct anim_source source;
	int part;

	anim_play_open(&source, clip, track);
	part = find_part(p, node, track, &source);
	p->unsure = p->unsure || part < 0;
	if (part < 0)
		return 0;
	return anim_posing_put(p, &source, node, (enum anim_pose_part)part, error);
}
