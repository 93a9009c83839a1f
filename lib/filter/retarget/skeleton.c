/* skeleton.c: read the tree of a skeleton. */
#include <string.h>

#include "filter/common/posing.h"
#include "filter/retarget/figure.h"

#define WAITING ((size_t)64 << 10) /* bytes of a store in memory, which continues in a temporary file */

void anim_skeleton_init(struct anim_skeleton *skeleton)
{
	memset(skeleton, 0, sizeof *skeleton);
	anim_poses_init(&skeleton->poses, 0);
}

void anim_skeleton_clear(struct anim_skeleton *skeleton)
{
	anim_poses_clear(&skeleton->poses);
	anim_buffer_clear(&skeleton->names);
	anim_store_free(skeleton->records);
	anim_store_free(skeleton->clips);
	anim_arena_clear(&skeleton->arena);
	anim_skeleton_init(skeleton);
}

int anim_skeleton_human(struct anim_skeleton *skeleton, uint32_t bones[ANIM_HUMAN_BONES], struct anim_error *error)
{
	const struct anim_retarget_options options = {.to = skeleton};
	struct retarget_plan plan = {.options = &options};
	int found = retarget_find_human(&plan, error) != 0 ? -1 : plan.to.human;

	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		bones[b] = found > 0 ? plan.to.bones[b] : ANIM_POSE_NONE;
	retarget_plan_clear(&plan);
	return found;
}

#define TPOSE 15 /* degrees: arms and legs in a T-pose are within this angle, as --silhouette says for retargets */

int anim_skeleton_doubt(struct anim_skeleton *skeleton, struct anim_error *error)
{
	const struct anim_retarget_options options = {.to = skeleton};
	struct retarget_plan plan = {.options = &options};
	struct retarget_figure figure;
	int doubt = -1;

	if (retarget_find_human(&plan, error) == 0 &&
	    retarget_figure_make(&figure, &plan.to, NULL, &plan.arena, error) == 0)
		doubt = !figure.complete                           ? 0
			: !retarget_figure_judge(&figure)          ? 2
			: retarget_figure_is_tpose(&figure, TPOSE) ? 0
								   : 1;
	retarget_plan_clear(&plan);
	return doubt;
}

struct skeleton_sink {
	struct anim_sink sink;
	struct anim_skeleton *skeleton;
	uint32_t first;        /* first node of the current tree */
	const char *root_name; /* of the current tree, in the skeleton's arena */
};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct skeleton_sink *s = (struct skeleton_sink *)sink;
	struct anim_skeleton *skeleton = s->skeleton;

	skeleton->trees++;
	skeleton->poses.axes = tree->axes;
	s->first = (uint32_t)anim_poses_count(&skeleton->poses);
	s->root_name = anim_arena_text(&skeleton->arena, tree->root_name, strlen(tree->root_name), error);
	skeleton->file = anim_arena_text(&skeleton->arena, tree->source_file, strlen(tree->source_file), error);
	if (s->root_name == NULL || skeleton->file == NULL)
		return -1;
	return skeleton->records == NULL ? 0 : anim_sink_tree(anim_store_sink(skeleton->records), tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct skeleton_sink *s = (struct skeleton_sink *)sink;
	struct anim_skeleton *skeleton = s->skeleton;
	struct anim_skeleton_name name = {.own = strcmp(node->path, ".") == 0 ? s->root_name : NULL,
					  .attrs = node->attrs,
					  .kind = (enum anim_node_kind)node->kind};
	struct anim_node own = *node;

	if (own.parent != ANIM_NO_PARENT)
		own.parent += s->first;
	if (anim_poses_add(&skeleton->poses, &own, error) != 0 ||
	    anim_attrs_keep(&name.attrs, &skeleton->arena, error) != 0 ||
	    anim_buffer_append(&skeleton->names, &name, sizeof name, error) != 0)
		return -1;
	return skeleton->records == NULL ? 0 : anim_sink_node(anim_store_sink(skeleton->records), node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_store *clips = ((struct skeleton_sink *)sink)->skeleton->clips;

	return clips == NULL ? 0 : anim_sink_clip(anim_store_sink(clips), clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct anim_store *clips = ((struct skeleton_sink *)sink)->skeleton->clips;

	return clips == NULL ? 0 : anim_sink_track(anim_store_sink(clips), track, error);
}

int anim_skeleton_keep_clips(struct anim_skeleton *skeleton, struct anim_error *error)
{
	skeleton->clips = anim_store_new(WAITING, error);
	return skeleton->clips == NULL ? -1 : 0;
}

/* Replace the rests by the values of the only sample. */
static int set_rests(struct anim_poses *poses, struct anim_error *error)
{
	bool below = false; /* a node above in the list has left its rest */

	for (uint32_t n = 0; n < anim_poses_count(poses); n++) {
		struct anim_rest *rest = &poses->rests.items[n];
		const float *place, *turn;

		if (anim_poses_column(poses, n, ANIM_POSE_POSITION, 0, 1, &place, error) != 0)
			return -1;
		if (place != NULL && below)
			memcpy(rest->position, place, sizeof rest->position);
		below = below || (place != NULL && memcmp(place, rest->position, sizeof rest->position) != 0);
		if (anim_poses_column(poses, n, ANIM_POSE_ROTATION, 0, 1, &turn, error) != 0)
			return -1;
		below = below || (turn != NULL && memcmp(turn, rest->rotation, sizeof rest->rotation) != 0);
		if (turn != NULL)
			memcpy(rest->rotation, turn, sizeof rest->rotation);
	}
	return 0;
}

int anim_skeleton_pose(struct anim_skeleton *skeleton, double time_s, struct anim_error *error)
{
	struct anim_posing posing = {.poses = skeleton->poses}; /* moved, and back below */
	int result;

	if (skeleton->clips == NULL || anim_store_clips(skeleton->clips) == 0)
		return anim_fail(error, ANIM_UNSUPPORTED, "has no clip, so no pose at a time");
	anim_posing_begin_times(&posing, &time_s, 1);
	result = anim_posing_clip(&posing, skeleton->clips, 0, error);
	if (result == 0)
		result = set_rests(&posing.poses, error);
	anim_poses_rest_again(&posing.poses);
	anim_poses_begin(&posing.poses, 1);
	anim_store_free(posing.components);
	skeleton->poses = posing.poses;
	return result;
}

struct anim_sink *anim_skeleton_sink_new(struct anim_skeleton *skeleton, bool records, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track};
	struct skeleton_sink *sink = anim_sink_new(sizeof *sink, &ops, error);

	if (sink != NULL && records && (skeleton->records = anim_store_new(WAITING, error)) == NULL) {
		anim_sink_free(&sink->sink);
		return NULL;
	}
	if (sink == NULL)
		return NULL;
	sink->skeleton = skeleton;
	return &sink->sink;
}
