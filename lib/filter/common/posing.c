/* posing.c: sample the tracks of a clip into poses. */
#include "filter/common/posing.h"

#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "filter/common/components.h"

#define RATE 60.0          /* samples per second */
#define SAMPLES (1u << 20) /* maximum. In longer clips, samples are further apart */

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

static void forget_components(struct anim_posing *p)
{
	anim_store_free(p->components);
	p->components = NULL;
}

void anim_posing_begin_at(struct anim_posing *p, const struct anim_clip *clip, double start_s, double end_s,
			  size_t samples)
{
	forget_components(p);
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
	forget_components(p);
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

uint32_t anim_posing_node(struct anim_posing *p, const struct anim_clip *clip, const struct anim_track *track)
{
	static const char *const names[] = {"position", "rotation", "scale", "euler"};
	const unsigned components = anim_types[track->type].components;
	const bool single = track->component != ANIM_WHOLE;
	uint32_t node;
	bool flat, part;

	if (p->samples == 0 || !anim_track_is_transform(track) || !anim_play_can(track))
		return ANIM_POSE_NONE;
	node = anim_poses_find(&p->poses, clip->root, track->node);
	if (node == ANIM_POSE_NONE)
		return ANIM_POSE_NONE;

	/* a part of a transform or a component of one, in 2D for 2D nodes */
	flat = (p->poses.rests.items[node].has & ANIM_HAS_2D) != 0;
	if (strcmp(track->property, "angle") == 0)
		part = flat && !single && components == 1;
	else
		part = anim_text_is_one_of(track->property, names, ANIM_COUNT(names)) &&
		       (single || components > 2 || (flat && components == 2));
	return part ? node : ANIM_POSE_NONE;
}

/* Return the part of its node that the track moves, and set the source's step. Returns -1 if it is unknown. */
static int find_part(const struct anim_posing *p, uint32_t node, const struct anim_track *track, struct anim_source *s)
{
	const struct anim_type_info *info = &anim_types[track->type];
	const struct anim_rest *rest = &p->poses.rests.items[node];
	bool relative = (track->flags & ANIM_REST_RELATIVE) != 0, angle = strcmp(track->property, "angle") == 0;
	int part = (int)anim_pose_part_of(rest, track->property, info->components);

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
		/* Convert requested times to the times that the track's player uses, as anim-resample does. */
		for (size_t k = 0; k < size; k++)
			t[k] = p->times != NULL ? p->times[done + k]
						: fmin(p->start_s + (double)(done + k) * p->step_s, p->end_s);
		if (p->times != NULL)
			anim_sample_times(anim_source_first(s), t, size);
		result = anim_play_sample(s, t, size, values, error);
		for (size_t k = 0; k < size && result > 0; k++) {
			anim_components_to_float(numbers, values[k], components);
			if (anim_poses_put_value(&p->poses, node, part, numbers, components, error) != 0)
				result = -1;
		}
	}
	return result;
}

/* Put a source that gives all numbers of a part, and close it. Returns 0 or -1. */
static int put_source(struct anim_posing *p, struct anim_source *source, uint32_t node, enum anim_pose_part part,
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

	if (track->component != ANIM_WHOLE)
		return anim_components_keep(&p->components, clip, track, error);
	anim_play_open(&source, clip, track);
	part = find_part(p, node, track, &source);
	p->unsure = p->unsure || part < 0;
	if (part < 0)
		return 0;
	return put_source(p, &source, node, (enum anim_pose_part)part, error);
}

/* ---- Components ---- */

/* The components of a clip while they are joined. */
struct posing_joint {
	struct anim_posing *posing;
	struct anim_arena arena;
};

/* A duplicate, or a component that the part does not have. */
static int leave_unsure(void *context, const struct anim_track *track, struct anim_error *error)
{
	(void)track;
	(void)error;
	((struct posing_joint *)context)->posing->unsure = true;
	return 0;
}

/* Join the components of one property, from the first on, to a source of complete values. */
static int join_from(void *context, size_t from, uint8_t *done, struct anim_error *error)
{
	struct posing_joint *joint = context;
	struct anim_posing *p = joint->posing;
	const struct anim_clip *clip = anim_store_clip(p->components, 0);
	struct anim_component_group group = {.started = false};
	const struct anim_track *first;
	struct anim_source source;
	enum anim_pose_part part = ANIM_POSE_POSITION;
	unsigned components, known = 0;
	uint32_t node;
	bool euler, relative;

	anim_arena_reset(&joint->arena);
	if (anim_components_gather(p->components, from, done, &group, &joint->arena, leave_unsure, joint, error) != 0)
		return -1;
	if (!group.started)
		return 0;
	first = anim_components_first(&group);
	euler = strcmp(first->property, "euler") == 0;
	relative = (first->flags & ANIM_REST_RELATIVE) != 0;
	if (euler || strcmp(first->property, "rotation") == 0)
		part = ANIM_POSE_ROTATION;
	else if (strcmp(first->property, "scale") == 0)
		part = ANIM_POSE_SCALE;
	components = part == ANIM_POSE_ROTATION && !euler ? 4 : 3;
	node = anim_posing_node(p, clip, first);
	if (node == ANIM_POSE_NONE || anim_components_there(&group) > components || (euler && relative)) {
		p->unsure = true;
		return 0;
	}
	anim_components_source(&source, clip, &group, components);
	source.radians = true;
	source.unit_length = part == ANIM_POSE_ROTATION;
	source.rest = p->poses.rests.items[node];
	source.step = euler ? ANIM_STEP_EULER : ANIM_STEP_KEEP;
	if (relative)
		source.step = anim_step_from_rest(first->property, components);
	else
		known = anim_components_of_rest(&source.rest, first, source.fixed);
	for (unsigned i = known; i < source.count; i++)
		source.fixed[i] = anim_components_neutral(first->property, i);
	return put_source(p, &source, node, part, error);
}

int anim_posing_join(struct anim_posing *p, struct anim_error *error)
{
	struct posing_joint joint = {.posing = p};
	int result = p->components == NULL ? 0 : anim_components_join(p->components, join_from, &joint, error);

	anim_arena_clear(&joint.arena);
	forget_components(p);
	return result;
}

int anim_posing_clip(struct anim_posing *p, struct anim_store *store, size_t number, struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(store, number);

	for (size_t i = 0; i < anim_store_tracks(store, number); i++) {
		struct anim_track track;
		uint32_t node;

		if (anim_store_read(store, number, i, &track, error) != 0)
			return -1;
		node = (track.flags & ANIM_DISABLED) != 0 ? ANIM_POSE_NONE : anim_posing_node(p, clip, &track);
		if (node != ANIM_POSE_NONE && anim_posing_track(p, clip, &track, node, error) != 0)
			return -1;
	}
	return anim_posing_join(p, error) != 0 ? -1 : anim_poses_ready(&p->poses, error);
}

void anim_posing_clear(struct anim_posing *p)
{
	forget_components(p);
	anim_poses_clear(&p->poses);
}
