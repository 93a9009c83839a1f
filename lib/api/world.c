/* world.c: the transforms of the nodes of a tree in a clip. */
#include <string.h>

#include "api/internal.h"
#include "filter/components.h"

struct want {
	const struct anim_poses *poses;
	ptrdiff_t node; /* ANIM_ALL_NODES: all */
	double *out;
};

static void take(void *context, size_t sample, size_t in_tile)
{
	const struct want *want = context;
	size_t count = want->node < 0 ? anim_poses_count(want->poses) : 1;
	double *out = want->out + sample * count * ANIM_POSE_NUMBERS;

	for (size_t i = 0; i < count; i++)
		memcpy(out + i * ANIM_POSE_NUMBERS,
		       anim_poses_at(want->poses, (uint32_t)(want->node < 0 ? (ptrdiff_t)i : want->node), in_tile),
		       ANIM_POSE_NUMBERS * sizeof *out);
}

/* The state of putting the tracks of a clip into the poses of its tree. */
struct movement {
	struct anim_posing *posing;
	const struct anim_clip *clip;
	struct anim_store *lanes; /* tracks of single components, until all of a node have arrived; NULL: none */
	struct anim_arena arena;
};

static int refuse(const struct anim_track *track, struct anim_error *error)
{
	return anim_fail(error, ANIM_UNSUPPORTED,
			 "track '%s %s' moves its node in a way that is only known after anim-bake", track->node,
			 track->property);
}

static int stray(void *context, const struct anim_track *track, struct anim_error *error)
{
	(void)context;
	return refuse(track, error);
}

/* Set the components without a track: from the rest pose, otherwise to values that change nothing. */
static void fill(struct anim_source *source, const struct anim_track *first)
{
	bool relative = (first->flags & ANIM_REST_RELATIVE) != 0;
	unsigned known = relative ? 0 : anim_components_of_rest(&source->rest, first, source->fixed);

	for (unsigned i = known; i < source->count; i++)
		source->fixed[i] = anim_components_neutral(first->property, i);
}

/* Join the components of one property, from the first on, to a source of complete values. */
static int join(void *context, size_t from, uint8_t *done, struct anim_error *error)
{
	struct movement *m = context;
	struct anim_component_group group = {.started = false};
	const struct anim_track *first;
	struct anim_source source;
	enum anim_pose_part part = ANIM_POSE_POSITION;
	unsigned components;
	uint32_t node;
	bool euler;

	anim_arena_reset(&m->arena);
	if (anim_components_gather(m->lanes, from, done, &group, &m->arena, stray, NULL, error) != 0)
		return -1;
	if (!group.started)
		return 0;
	first = anim_components_first(&group);
	euler = strcmp(first->property, "euler") == 0;
	if (euler || strcmp(first->property, "rotation") == 0)
		part = ANIM_POSE_ROTATION;
	else if (strcmp(first->property, "scale") == 0)
		part = ANIM_POSE_SCALE;
	components = part == ANIM_POSE_ROTATION && !euler ? 4 : 3;
	if (anim_components_there(&group) > components || (euler && (first->flags & ANIM_REST_RELATIVE)))
		return refuse(first, error);
	node = anim_posing_node(m->posing, m->clip, first);
	anim_components_source(&source, m->clip, &group, components);
	source.radians = true;
	source.unit_length = part == ANIM_POSE_ROTATION;
	source.rest = m->posing->poses.rests.items[node];
	source.step = euler ? ANIM_STEP_EULER : ANIM_STEP_KEEP;
	if (first->flags & ANIM_REST_RELATIVE)
		source.step = anim_step_from_rest(first->property, components);
	fill(&source, first);
	if (anim_posing_put(m->posing, &source, node, part, error) != 0)
		return -1;
	return m->posing->unsure ? refuse(first, error) : 0;
}

/*
 * Put the tracks that move nodes into the values of their nodes. Tracks of single components are kept for later.
 * Returns 0 or -1.
 */
static int put_tracks(struct anim *h, struct movement *m, size_t number, struct anim_error *error)
{
	for (size_t i = 0; i < anim_store_tracks(h->store, number); i++) {
		int result;
		uint32_t node;

		if (api_fetch(h, number, i, error) != 0)
			return -1;
		node = anim_posing_node(m->posing, m->clip, &h->track);
		if (node == ANIM_POSE_NONE)
			continue;
		if (h->track.component != ANIM_WHOLE)
			result = anim_components_keep(&m->lanes, m->clip, &h->track, error);
		else
			result = anim_posing_track(m->posing, m->clip, &h->track, node, error);
		if (result == 0 && m->posing->unsure)
			result = refuse(&h->track, error);
		if (result != 0)
			return -1;
	}
	return m->lanes == NULL ? 0 : anim_components_join(m->lanes, join, m, error);
}

static int move(struct anim *h, struct anim_posing *posing, size_t number, struct anim_error *error)
{
	struct movement m = {.posing = posing, .clip = anim_store_clip(h->store, number)};
	int result = put_tracks(h, &m, number, error);

	anim_store_free(m.lanes);
	anim_arena_clear(&m.arena);
	return result != 0 ? -1 : anim_poses_ready(&posing->poses, error);
}

static int pose(struct anim *h, size_t number, ptrdiff_t node, const double *times, size_t count, double *out,
		size_t capacity, struct anim_error *error)
{
	struct api_tree *tree;
	size_t width;
	struct want want = {.node = node, .out = out};

	if (api_check_clip(h, number, error) != 0)
		return -1;
	tree = api_tree_of_clip(h, number);
	if (tree == NULL || anim_poses_count(&tree->posing.poses) == 0)
		return anim_fail(error, ANIM_UNSUPPORTED, "clip '%s' has no nodes; a scene has them",
				 anim_store_clip(h->store, number)->name);
	if (node >= (ptrdiff_t)anim_poses_count(&tree->posing.poses) || node < ANIM_ALL_NODES)
		return api_misuse(error, "node %td: there are %zu, counted from 0", node,
				  anim_poses_count(&tree->posing.poses));
	width = (node < 0 ? anim_poses_count(&tree->posing.poses) : 1) * ANIM_POSE_NUMBERS;
	if (api_check_room(capacity, count, width, error) != 0 || api_check_times(times, count, out, error) != 0)
		return -1;
	want.poses = &tree->posing.poses;
	anim_posing_begin_times(&tree->posing, times, count);
	if (count == 0)
		return 0;
	if (move(h, &tree->posing, number, error) != 0)
		return -1;
	return anim_poses_each(&tree->posing.poses, take, &want, error);
}

int anim_world(struct anim *h, size_t clip, ptrdiff_t node, const double *times, size_t count, double *transforms,
	       size_t capacity, struct anim_fault *fault)
{
	struct anim_error error = {0};

	if (pose(h, clip, node, times, count, transforms, capacity, &error) == 0)
		return 0;
	if (h != NULL && error.code != ANIM_FAULT_CALL)
		anim_error_in_file(&error, h->name);
	return api_fault(fault, &error);
}
