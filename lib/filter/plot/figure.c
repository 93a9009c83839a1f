/* figure.c: the sink of anim-plot --strip and --onion: where a clip puts the joints of its tree, pose by pose. */
#include "filter/plot/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "filter/mirror/mirror.h"
#include "filter/posing.h"
#include "filter/rename/rename.h"

#define NONE UINT32_MAX
#define MEMORY (8u << 20) /* of poses that wait there; the rest in a file */

struct figure {
	struct anim_sink sink;
	struct anim_plot_options options;
	struct anim_print print;
	struct plot_svg svg;
	struct anim_arena head, arena; /* of the clip's texts; of its points */
	struct anim_posing posing;
	struct anim_buffer kinds; /* uint8_t: of each node of the tree */
	bool left_handed, has_bones;
	struct figure_clip at_hand;
	bool in_clip;
	size_t clips, drawn;
	const char *missing; /* in the last clip without a figure */
	double (*places)[3]; /* of pose, joint; in the arena, as those that follow */
	double (*roots)[3];  /* of each sample */
	struct figure_joint *joints;
	uint32_t root; /* of these */
};

/* --- Which joints are drawn --- */

/* Left, right or neither, by the names of humans' bones; else by a word in the name; else as what carries it. */
static enum figure_side side_of(const char *name, enum figure_side above, bool *head, bool *hips)
{
	size_t length = strlen(name);
	char side;

	*head = *hips = false;
	for (int from = 0; from < ANIM_HUMANOID_COUNT; from++) {
		const char *bone = anim_humanoid_find((enum anim_humanoid)from, ANIM_HUMANOID_UNITY, name, length);

		if (bone == NULL)
			continue;
		*head = strcmp(bone, "Head") == 0;
		*hips = strcmp(bone, "Hips") == 0;
		return strncmp(bone, "Left", 4) == 0    ? FIGURE_LEFT
		       : strncmp(bone, "Right", 5) == 0 ? FIGURE_RIGHT
							: FIGURE_MIDDLE;
	}
	side = anim_side_of_name(name);
	return side == 'l' ? FIGURE_LEFT : side == 'r' ? FIGURE_RIGHT : above;
}

/* What the clip moves: bones, where the tree has any; nothing of two dimensions. */
static bool is_drawn(const struct figure *figure, uint32_t node)
{
	const struct anim_poses *poses = &figure->posing.poses;
	uint8_t kind = figure->kinds.data[node];

	return anim_poses_moves(poses, node) && !(poses->rests.items[node].has & ANIM_HAS_2D) &&
	       kind == (figure->has_bones ? ANIM_NODE_BONE : ANIM_NODE);
}

/* Next in the list; `hips`: set where it is the first of that name. */
static void add_joint(struct figure *figure, uint32_t node, uint32_t parent, uint32_t *hips)
{
	struct figure_clip *clip = &figure->at_hand;
	struct figure_joint *joint = &figure->joints[clip->count];
	enum figure_side above = parent == NONE ? FIGURE_MIDDLE : (enum figure_side)figure->joints[parent].side;
	const char *name = anim_node_own_name(anim_poses_path(&figure->posing.poses, node));
	bool is_hips;

	*joint = (struct figure_joint){.node = node, .parent = parent};
	joint->side = (uint8_t)side_of(name, above, &joint->head, &is_hips);
	*hips = is_hips && *hips == NONE ? (uint32_t)clip->count : *hips;
	clip->count++;
}

/*
 * A rig's first joint carries the figure and handles, which are no limbs: what hangs on it is cut off. Returns the joint that the
 * body hangs on, below the first; the hips, where they are that.
 */
static uint32_t cut_handles(struct figure_joint *joints, size_t count, uint32_t hips)
{
	uint32_t trunk = hips;

	while (joints[trunk].parent != NONE && joints[joints[trunk].parent].parent != NONE)
		trunk = joints[trunk].parent;
	for (uint32_t i = 0; i < count; i++) {
		joints[i].of_body = i == trunk || (joints[i].parent != NONE && joints[joints[i].parent].of_body);
		if (i == trunk || !joints[i].of_body)
			joints[i].parent = NONE;
	}
	return trunk;
}

/* The first that carries others. */
static uint32_t first_carrier(const struct figure_clip *clip)
{
	for (uint32_t i = 0; i < clip->count; i++)
		if (clip->joints[i].parent != NONE)
			return clip->joints[i].parent;
	return 0;
}

/* The list of those that are drawn, and of them the one whose way is. 0 or -1. */
static int find_joints(struct figure *figure, struct anim_error *error)
{
	const struct anim_poses *poses = &figure->posing.poses;
	size_t nodes = anim_poses_count(poses);
	uint32_t *joint_of = anim_arena_zeroed(&figure->arena, nodes + 1, sizeof *joint_of, error), hips = NONE;
	struct figure_clip *clip = &figure->at_hand;

	figure->joints = anim_arena_zeroed(&figure->arena, nodes + 1, sizeof *figure->joints, error);
	if (joint_of == NULL || figure->joints == NULL)
		return -1;
	for (uint32_t node = 0; node < nodes; node++) {
		uint32_t above = anim_poses_parent(poses, node);

		joint_of[node] = is_drawn(figure, node) ? (uint32_t)clip->count : NONE;
		if (joint_of[node] != NONE)
			add_joint(figure, node, above == NONE ? NONE : joint_of[above], &hips);
	}
	clip->joints = figure->joints;
	figure->root = hips == NONE ? first_carrier(clip) : cut_handles(figure->joints, clip->count, hips);
	return 0;
}

/* --- Where they are --- */

static void look(void *context, size_t sample, size_t in_tile)
{
	struct figure *figure = context;
	const struct figure_clip *clip = &figure->at_hand;

	for (uint32_t i = 0; i < clip->count; i++) {
		const double *at = anim_poses_at(&figure->posing.poses, clip->joints[i].node, in_tile);

		for (int axis = 0; axis < 3; axis++) {
			if (sample % FIGURE_STEPS == 0)
				figure->places[sample / FIGURE_STEPS * clip->count + i][axis] = at[4 * axis + 3];
			if (i == figure->root)
				figure->roots[sample][axis] = at[4 * axis + 3];
		}
	}
}

/* 0 or -1. */
static int place_joints(struct figure *figure, struct anim_error *error)
{
	struct figure_clip *clip = &figure->at_hand;
	size_t samples = figure->posing.samples;

	clip->poses = (samples - 1) / FIGURE_STEPS + 1;
	clip->path_count = samples;
	clip->step_s = figure->posing.step_s * FIGURE_STEPS;
	figure->places = anim_arena_zeroed(&figure->arena, clip->poses * clip->count, sizeof *figure->places, error);
	figure->roots = anim_arena_zeroed(&figure->arena, samples, sizeof *figure->roots, error);
	if (figure->places == NULL || figure->roots == NULL)
		return -1;
	return anim_posing_each(&figure->posing, look, figure, error);
}

/*
 * As it is looked at, without perspective. It faces +z, its left is +x, in left-handed axes -x: from the front that is at the
 * right of the page. Three quarters: the camera goes 35 degrees to its left and looks down by 15.
 */
static struct figure_point project(const struct figure *figure, double x, double y, double z)
{
	static const double cos_yaw = 0.8191520442889918, sin_yaw = 0.5735764363510460, cos_pitch = 0.9659258262890683,
			    sin_pitch = 0.2588190451025208;
	double left = figure->left_handed ? -x : x;

	if (figure->options.side == ANIM_PLOT_FRONT)
		return (struct figure_point){left, y};
	if (figure->options.side == ANIM_PLOT_SIDE)
		return (struct figure_point){z, y};
	return (struct figure_point){left * cos_yaw + z * sin_yaw,
				     y * cos_pitch - (z * cos_yaw - left * sin_yaw) * sin_pitch};
}

static void reach(struct figure_clip *clip, struct figure_point p)
{
	clip->least.x = fmin(clip->least.x, p.x);
	clip->least.y = fmin(clip->least.y, p.y);
	clip->most.x = fmax(clip->most.x, p.x);
	clip->most.y = fmax(clip->most.y, p.y);
}

/* The height of the lowest joint of all poses, on which the ground lies; and how far the highest is above it. */
static double ground_of(const struct figure *figure, double *height)
{
	double least = (double)INFINITY, most = -(double)INFINITY;

	for (size_t i = 0; i < figure->at_hand.poses * figure->at_hand.count; i++) {
		least = fmin(least, figure->places[i][1]);
		most = fmax(most, figure->places[i][1]);
	}
	*height = most - least;
	return least;
}

/* On the ground, from the first sample to the last; rounding is none. */
static double travel_of(const struct figure_clip *clip, const double (*roots)[3])
{
	const double *last = roots[clip->path_count - 1];
	double x = last[0] - roots[0][0], z = last[2] - roots[0][2], travel = sqrt(x * x + z * z);

	return travel > 1e-5 * clip->height ? travel : 0;
}

/* 0 or -1. */
static int project_all(struct figure *figure, struct anim_error *error)
{
	struct figure_clip *clip = &figure->at_hand;
	struct figure_point *points =
	    anim_arena_zeroed(&figure->arena, clip->poses * clip->count, sizeof *points, error);
	struct figure_point *path = anim_arena_zeroed(&figure->arena, clip->path_count, sizeof *path, error);
	struct figure_point *feet = anim_arena_zeroed(&figure->arena, clip->poses, sizeof *feet, error);
	double ground = ground_of(figure, &clip->height);
	const double(*roots)[3] = (const double(*)[3])figure->roots;

	if (points == NULL || path == NULL || feet == NULL)
		return -1;
	clip->least = (struct figure_point){(double)INFINITY, (double)INFINITY};
	clip->most = (struct figure_point){-(double)INFINITY, -(double)INFINITY};
	for (size_t i = 0; i < clip->path_count; i++) {
		path[i] = project(figure, roots[i][0], ground, roots[i][2]);
		if (clip->onion)
			reach(clip, path[i]);
	}
	for (size_t pose = 0; pose < clip->poses; pose++) {
		const double *root = roots[pose * FIGURE_STEPS];
		double x = clip->onion ? 0 : root[0], z = clip->onion ? 0 : root[2];

		feet[pose] = project(figure, root[0] - x, ground, root[2] - z);
		reach(clip, feet[pose]);
		for (size_t i = 0; i < clip->count; i++) {
			const double *at = figure->places[pose * clip->count + i];

			points[pose * clip->count + i] = project(figure, at[0] - x, at[1], at[2] - z);
			reach(clip, points[pose * clip->count + i]);
		}
	}
	clip->travel = travel_of(clip, roots);
	clip->points = points;
	clip->path = path;
	clip->feet = feet;
	return 0;
}

/* --- A clip --- */

/* What is missing where a clip has no figure. 0 or -1. */
static int tell_missing(struct figure *figure, const char *what, struct anim_error *error)
{
	figure->missing = what;
	return anim_diagnostics_warn(figure->options.diagnostics, NULL, error, "clip '%s' has no figure: %s",
				     figure->at_hand.clip.head.name, what);
}

static int draw(struct figure *figure, struct anim_error *error)
{
	struct figure_clip *clip = &figure->at_hand;

	if (place_joints(figure, error) != 0 || project_all(figure, error) != 0)
		return -1;
	if (!isfinite(clip->most.x - clip->least.x) || !isfinite(clip->most.y - clip->least.y))
		return tell_missing(figure, "its joints stand at no finite place", error);
	if (clip->count == 1 && !(clip->travel > 0))
		return tell_missing(figure, "its one joint stays where it is", error);
	figure->print.error = error;
	if (figure->options.svg)
		figure_svg_clip(&figure->svg, &figure->options, clip, error);
	else
		figure_terminal_clip(&figure->print, &figure->options, clip, figure->drawn == 0);
	figure->drawn++;
	return figure->print.failed || figure->svg.failed ? -1 : 0;
}

static int finish_clip(struct figure *figure, struct anim_error *error)
{
	if (!figure->in_clip)
		return 0;
	figure->in_clip = false;
	figure->clips++;
	if (anim_rests_check(&figure->posing.poses.rests, error) != 0)
		return -1;
	if (figure->posing.samples == 0)
		return tell_missing(
		    figure, "no tree of nodes tells where its bones stand; the scene or file that it was made of may",
		    error);
	if (figure->posing.unsure)
		return tell_missing(figure, "tracks say where nodes stand in part alone: put 'anim-bake' before this",
				    error);
	anim_arena_reset(&figure->arena);
	if (anim_poses_ready(&figure->posing.poses, error) != 0 || find_joints(figure, error) != 0)
		return -1;
	if (figure->at_hand.count == 0)
		return tell_missing(figure, "it moves no bones", error);
	/* a lone joint has no poses to stand side by side */
	figure->at_hand.onion = figure->options.onion || figure->at_hand.count == 1;
	return draw(figure, error);
}

/* --- The sink --- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct figure *figure = (struct figure *)sink;

	if (finish_clip(figure, error) != 0)
		return -1;
	anim_poses_clear(&figure->posing.poses);
	figure->kinds.size = 0;
	figure->has_bones = false;
	figure->left_handed = tree->axes == ANIM_AXES_UNITY || tree->axes == ANIM_AXES_RESONITE;
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct figure *figure = (struct figure *)sink;

	figure->has_bones = figure->has_bones || node->kind == ANIM_NODE_BONE;
	if (anim_buffer_append(&figure->kinds, &node->kind, 1, error) != 0)
		return -1;
	return anim_poses_add(&figure->posing.poses, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct figure *figure = (struct figure *)sink;
	const struct plot_clip *begun = &figure->at_hand.clip;
	int result;

	if (finish_clip(figure, error) != 0)
		return -1;
	figure->at_hand = (struct figure_clip){.count = 0};
	result = plot_clip_begin(&figure->at_hand.clip, clip, &figure->options, &figure->head, error);
	figure->in_clip = result > 0;
	anim_posing_begin_at(&figure->posing, clip, begun->start_s, begun->end_s,
			     (size_t)(figure->options.poses - 1) * FIGURE_STEPS + 1);
	return result < 0 ? -1 : 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct figure *figure = (struct figure *)sink;
	const struct anim_clip *clip = &figure->at_hand.clip.head;
	uint32_t node;

	if (!figure->in_clip)
		return 0;
	node = anim_posing_node(&figure->posing, clip, track);
	return node == ANIM_POSE_NONE ? 0 : anim_posing_track(&figure->posing, clip, track, node, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct figure *figure = (struct figure *)sink;

	if (finish_clip(figure, error) != 0 || anim_diagnostics_check(figure->options.diagnostics, error) != 0)
		return -1;
	if (figure->clips > 0 && figure->drawn == 0)
		return anim_fail(error, ANIM_BAD_INPUT, "clip '%s' has no figure%s: %s", figure->at_hand.clip.head.name,
				 figure->clips > 1 ? ", nor has any other" : "", figure->missing);
	figure->print.error = error;
	if (figure->options.svg)
		plot_svg_end(&figure->svg, &figure->print, figure_svg_light, figure_svg_dark);
	return figure->print.failed ? -1 : 0;
}

static void on_free(struct anim_sink *sink)
{
	struct figure *figure = (struct figure *)sink;

	anim_poses_clear(&figure->posing.poses);
	anim_buffer_clear(&figure->kinds);
	anim_buffer_clear(&figure->svg.body);
	anim_arena_clear(&figure->head);
	anim_arena_clear(&figure->arena);
	free(figure);
}

struct anim_sink *plot_figure_new(struct anim_output *out, const struct anim_plot_options *options,
				  struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, NULL, on_end, on_free};
	struct figure *figure = anim_sink_new(sizeof *figure, &ops, error);

	if (figure == NULL)
		return NULL;
	figure->options = *options;
	figure->print.out = out;
	anim_poses_init(&figure->posing.poses, MEMORY);
	return &figure->sink;
}
