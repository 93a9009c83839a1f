/* world.c: the transforms of the nodes of a tree in a clip. */
#include <string.h>

#include "api/handle.h"
#include "base/advice.h"

struct want {
	const struct anim_poses *poses;
	ptrdiff_t node; /* ANIM_ALL_NODES: all */
	double *out;
};

static void store_pose(void *context, size_t sample, size_t in_tile)
{
	const struct want *want = context;
	size_t count = want->node < 0 ? anim_poses_count(want->poses) : 1;
	double *out = want->out + sample * count * ANIM_POSE_NUMBERS;

	for (size_t i = 0; i < count; i++)
		memcpy(out + i * ANIM_POSE_NUMBERS,
		       anim_poses_at(want->poses, (uint32_t)(want->node < 0 ? (ptrdiff_t)i : want->node), in_tile),
		       ANIM_POSE_NUMBERS * sizeof *out);
}

/* Put the tracks that move nodes into the values of their nodes. Returns 0 or -1. */
static int move(struct anim *h, struct anim_posing *posing, size_t number, struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(h->store, number);

	for (size_t i = 0; i < anim_store_tracks(h->store, number); i++) {
		uint32_t node;

		if (api_fetch(h, number, i, error) != 0)
			return -1;
		node = anim_posing_node(posing, clip, &h->track);
		if (node != ANIM_POSE_NONE && anim_posing_track(posing, clip, &h->track, node, error) != 0)
			return -1;
		if (posing->unsure)
			return anim_fail(
			    error, ANIM_UNSUPPORTED,
			    "track '%s %s' moves its node in a way that is known only after " ANIM_ADVICE_TO(PROGRAM,
													     "bake"),
			    h->track.node, h->track.property);
	}
	if (anim_posing_join(posing, error) != 0)
		return -1;
	if (posing->unsure)
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "components in clip '%s' move their nodes in a way that is known only after " ANIM_ADVICE_TO(
			PROGRAM, "bake"),
		    clip->name);
	return anim_poses_ready(&posing->poses, error);
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
	return anim_poses_each(&tree->posing.poses, store_pose, &want, error);
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
