/* figure.c: the sink of anim-plot --strip and --onion: where a clip puts the joints of its tree, pose by pose. */
#include "filter/plot/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/compare/compare.h"
#include "filter/filter.h"
#include "filter/mirror/mirror.h"
#include "filter/posing.h"
#include "filter/rename/rename.h"

#define NONE UINT32_MAX
#define MEMORY (8u << 20) /* of poses that wait there; the rest in a file */

/* What a skeleton is before it is looked at; in the arena. */
struct skeleton {
	struct anim_poses *poses;
	const uint32_t *partners; /* of each node the other skeleton's; ANIM_POSE_NONE: none; NULL: there is no other */
	struct anim_poses *others;
	bool has_bones;
	bool flat;           /* of the plane, as no joint in space is */
	bool down;           /* its y goes down */
	bool lost;           /* some joint stands at no finite place */
	double (*places)[3]; /* of pose, joint */
	double (*roots)[3];  /* of each sample */
	struct figure_joint *joints;
	size_t count;
	uint32_t root; /* of these */
};

struct figure {
	struct anim_sink sink;
	struct anim_plot_options options;
	struct anim_print print;
	struct plot_svg svg;
	struct anim_arena head, arena; /* of the clip's texts; of its points */
	struct anim_posing posing;
	bool left_handed;
	struct figure_clip at_hand;
	struct skeleton skeletons[2];
	bool in_clip;
	size_t couple; /* of the clip at hand, of two files */
	bool ready;    /* which is to be printed when all is told of it */
	size_t clips, drawn;
	const char *missing; /* in the last clip without a figure */
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

/* The clip moves it, or the other skeleton's clip its partner. */
static bool is_moved(const struct skeleton *skeleton, uint32_t node)
{
	uint32_t partner = skeleton->partners == NULL ? NONE : skeleton->partners[node];

	return anim_poses_moves(skeleton->poses, node) ||
	       (partner != NONE && anim_poses_moves(skeleton->others, partner));
}

/* The nodes that may be moved: of a lone skeleton those that its clip moves, else all. */
static size_t looked_at(const struct skeleton *skeleton)
{
	return skeleton->partners == NULL ? skeleton->poses->moving : anim_poses_count(skeleton->poses);
}

static uint32_t node_of(const struct skeleton *skeleton, size_t i)
{
	return skeleton->partners == NULL ? anim_poses_moved(skeleton->poses, i) : (uint32_t)i;
}

/* The joint of a node among those found so far, which rise; NONE: it is none. */
static uint32_t joint_of(const struct skeleton *skeleton, uint32_t node)
{
	size_t low = 0, high = skeleton->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (skeleton->joints[middle].node < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low < skeleton->count && skeleton->joints[low].node == node ? (uint32_t)low : NONE;
}

/* What is moved in space or, where nothing is, in the plane: of that, bones, where it has any. */
static void choose_kind(struct skeleton *skeleton)
{
	size_t count = looked_at(skeleton);

	skeleton->flat = true;
	for (size_t i = 0; i < count; i++)
		skeleton->flat = skeleton->flat && (anim_poses_is_flat(skeleton->poses, node_of(skeleton, i)) ||
						    !is_moved(skeleton, node_of(skeleton, i)));
	skeleton->has_bones = skeleton->poses->has_bones[skeleton->flat];
}

static bool is_drawn(const struct skeleton *skeleton, uint32_t node)
{
	uint8_t kind = skeleton->poses->rests.items[node].kind;

	return anim_poses_is_flat(skeleton->poses, node) == skeleton->flat && is_moved(skeleton, node) &&
	       kind == (skeleton->has_bones ? ANIM_NODE_BONE : ANIM_NODE);
}

/* Next in the list; `hips`: set where it is the first of that name. */
static void add_joint(struct skeleton *skeleton, uint32_t node, uint32_t parent, uint32_t *hips)
{
	struct figure_joint *joint = &skeleton->joints[skeleton->count];
	enum figure_side above = parent == NONE ? FIGURE_MIDDLE : (enum figure_side)skeleton->joints[parent].side;
	const char *name = anim_node_own_name(anim_poses_path(skeleton->poses, node));
	bool is_hips;

	*joint = (struct figure_joint){.node = node, .parent = parent};
	joint->side = (uint8_t)side_of(name, above, &joint->head, &is_hips);
	*hips = is_hips && *hips == NONE ? (uint32_t)skeleton->count : *hips;
	skeleton->count++;
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
static uint32_t first_carrier(const struct skeleton *skeleton)
{
	for (uint32_t i = 0; i < skeleton->count; i++)
		if (skeleton->joints[i].parent != NONE)
			return skeleton->joints[i].parent;
	return 0;
}

/* The list of those that are drawn, and of them the one whose way is. 0 or -1. */
static int find_joints(struct skeleton *skeleton, struct anim_arena *arena, struct anim_error *error)
{
	const struct anim_poses *poses = skeleton->poses;
	size_t count = looked_at(skeleton);
	uint32_t hips = NONE;

	skeleton->joints = anim_arena_zeroed(arena, count + 1, sizeof *skeleton->joints, error);
	if (skeleton->joints == NULL)
		return -1;
	choose_kind(skeleton);
	for (size_t i = 0; i < count; i++) {
		uint32_t node = node_of(skeleton, i), above = anim_poses_parent(poses, node);

		if (is_drawn(skeleton, node))
			add_joint(skeleton, node, above == NONE ? NONE : joint_of(skeleton, above), &hips);
	}
	skeleton->root = hips == NONE ? first_carrier(skeleton) : cut_handles(skeleton->joints, skeleton->count, hips);
	return 0;
}

/* --- Where they are --- */

static void look(void *context, size_t sample, size_t in_tile)
{
	struct skeleton *skeleton = context;

	for (uint32_t i = 0; i < skeleton->count; i++) {
		const double *m = anim_poses_at(skeleton->poses, skeleton->joints[i].node, in_tile);
		const double at[3] = {m[3], skeleton->flat && skeleton->down ? -m[7] : m[7], m[11]};

		bool root = i == skeleton->root, pose = sample % FIGURE_STEPS == 0;

		if (pose)
			memcpy(skeleton->places[sample / FIGURE_STEPS * skeleton->count + i], at, sizeof at);
		if (root)
			memcpy(skeleton->roots[sample], at, sizeof at);
		skeleton->lost |= (pose || root) && !(isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]));
	}
}

/* 0 or -1. */
static int place_joints(struct figure *figure, struct skeleton *skeleton, struct anim_error *error)
{
	const struct figure_clip *clip = &figure->at_hand;

	skeleton->places =
	    anim_arena_zeroed(&figure->arena, clip->poses * skeleton->count, sizeof *skeleton->places, error);
	skeleton->roots = anim_arena_zeroed(&figure->arena, clip->path_count, sizeof *skeleton->roots, error);
	if (skeleton->places == NULL || skeleton->roots == NULL)
		return -1;
	return anim_poses_each(skeleton->poses, look, skeleton, error);
}

/*
 * As it is looked at, without perspective; what is flat as it is. It faces +z, its left is +x, in left-handed axes -x: from the front that is at the
 * right of the page. Three quarters: the camera goes 35 degrees to its left and looks down by 15.
 */
static struct figure_point project(const struct figure *figure, double x, double y, double z)
{
	static const double cos_yaw = 0.8191520442889918, sin_yaw = 0.5735764363510460, cos_pitch = 0.9659258262890683,
			    sin_pitch = 0.2588190451025208;
	double left = figure->left_handed ? -x : x;

	if (figure->at_hand.flat)
		return (struct figure_point){x, y};
	if (figure->at_hand.side == ANIM_PLOT_FRONT)
		return (struct figure_point){left, y};
	if (figure->at_hand.side == ANIM_PLOT_SIDE)
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
static double ground_of(const struct skeleton *skeleton, size_t poses, double *height)
{
	double least = (double)INFINITY, most = -(double)INFINITY;

	for (size_t i = 0; i < poses * skeleton->count; i++) {
		least = fmin(least, skeleton->places[i][1]);
		most = fmax(most, skeleton->places[i][1]);
	}
	*height = most - least;
	return least;
}

/* On the ground, from the first sample to the last; rounding is none. */
static double travel_of(const struct figure_clip *clip, const struct skeleton *skeleton)
{
	const double *first = skeleton->roots[0], *last = skeleton->roots[clip->path_count - 1];
	double x = last[0] - first[0], z = last[2] - first[2], travel = sqrt(x * x + z * z);

	return travel > 1e-5 * clip->height ? travel : 0;
}

/* One of them onto the page, above the ground. 0 or -1. */
static int project_body(struct figure *figure, const struct skeleton *skeleton, double ground, struct figure_body *body,
			struct anim_error *error)
{
	struct figure_clip *clip = &figure->at_hand;
	struct figure_point *points =
	    anim_arena_zeroed(&figure->arena, clip->poses * skeleton->count, sizeof *points, error);
	struct figure_point *path = anim_arena_zeroed(&figure->arena, clip->path_count, sizeof *path, error);

	if (points == NULL || path == NULL)
		return -1;
	for (size_t i = 0; i < clip->path_count; i++) {
		path[i] = project(figure, skeleton->roots[i][0], ground, skeleton->roots[i][2]);
		if (clip->onion)
			reach(clip, path[i]);
	}
	for (size_t pose = 0; pose < clip->poses; pose++) {
		const double *root = figure->skeletons[0].roots[pose * FIGURE_STEPS];
		double x = clip->onion ? 0 : root[0], z = clip->onion ? 0 : root[2];

		for (size_t i = 0; i < skeleton->count; i++) {
			const double *at = skeleton->places[pose * skeleton->count + i];

			points[pose * skeleton->count + i] = project(figure, at[0] - x, at[1], at[2] - z);
			reach(clip, points[pose * skeleton->count + i]);
		}
	}
	*body = (struct figure_body){skeleton->joints, skeleton->count, points, path};
	return 0;
}

/* 0 or -1. */
static int project_all(struct figure *figure, struct anim_error *error)
{
	struct figure_clip *clip = &figure->at_hand;
	const struct skeleton *first = &figure->skeletons[0];
	struct figure_point *feet = anim_arena_zeroed(&figure->arena, clip->poses, sizeof *feet, error);
	double ground = ground_of(first, clip->poses, &clip->height);

	if (feet == NULL)
		return -1;
	clip->least = (struct figure_point){(double)INFINITY, (double)INFINITY};
	clip->most = (struct figure_point){-(double)INFINITY, -(double)INFINITY};
	for (size_t pose = 0; pose < clip->poses; pose++) {
		const double *root = first->roots[pose * FIGURE_STEPS];

		feet[pose] = project(figure, clip->onion ? root[0] : 0, ground, clip->onion ? root[2] : 0);
		reach(clip, feet[pose]);
	}
	for (unsigned i = 0; i < clip->count; i++)
		if (project_body(figure, &figure->skeletons[i], ground, &clip->bodies[i], error) != 0)
			return -1;
	clip->travel = travel_of(clip, first);
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

/* The skeletons' joints, and from where these are looked at. 0 or -1. */
static int find_figure(struct figure *figure, struct anim_error *error)
{
	struct figure_clip *clip = &figure->at_hand;
	bool down = clip->clip.head.axes2d == ANIM_AXES2D_GODOT;

	for (unsigned i = 0; i < clip->count; i++) {
		figure->skeletons[i].down = down;
		if (find_joints(&figure->skeletons[i], &figure->arena, error) != 0)
			return -1;
	}
	clip->flat = figure->skeletons[0].flat;
	clip->side = clip->flat ? ANIM_PLOT_FRONT : figure->options.side;
	clip->length_unit = clip->flat && down ? "px" : "m";
	return 0;
}

/* The skeletons are placed at the samples, their joints are found. 0 or -1. */
static int draw(struct figure *figure, struct anim_error *error)
{
	struct figure_clip *clip = &figure->at_hand;

	if (figure->skeletons[0].count == 0)
		return tell_missing(figure, "it moves no bones", error);
	/* a lone joint has no poses to stand side by side */
	clip->alone = figure->skeletons[0].count == 1 && figure->skeletons[1].count <= 1;
	clip->onion = figure->options.onion || clip->alone;
	for (unsigned i = 0; i < clip->count; i++)
		if (place_joints(figure, &figure->skeletons[i], error) != 0)
			return -1;
	if (project_all(figure, error) != 0)
		return -1;
	if (figure->skeletons[0].lost || figure->skeletons[1].lost || !isfinite(clip->most.x - clip->least.x) ||
	    !isfinite(clip->most.y - clip->least.y))
		return tell_missing(figure, "its joints stand at no finite place", error);
	if (clip->alone && !(clip->travel > 0) && clip->apart.off == 0)
		return tell_missing(figure, "its one joint stays where it is", error);
	figure->ready = true;
	return 0;
}

/* What was drawn. 0 or -1. */
static int print_figure(struct figure *figure, struct anim_error *error)
{
	const struct figure_clip *clip = &figure->at_hand;

	if (!figure->ready)
		return 0;
	figure->ready = false;
	figure->print.error = error;
	if (figure->options.svg)
		figure_svg_clip(&figure->svg, clip, error);
	else
		figure_terminal_clip(&figure->print, &figure->options, clip, figure->drawn == 0);
	figure->drawn++;
	return figure->print.failed || figure->svg.failed ? -1 : 0;
}

/* Samples of the clip at hand, FIGURE_STEPS from pose to pose. */
static void count_samples(struct figure *figure, size_t samples)
{
	struct figure_clip *clip = &figure->at_hand;
	double length = clip->clip.end_s - clip->clip.start_s;

	clip->path_count = samples;
	clip->poses = (samples - 1) / FIGURE_STEPS + 1;
	clip->step_s = samples > 1 ? length / (double)(clip->poses - 1) : 0;
	memset(figure->skeletons, 0, sizeof figure->skeletons);
	anim_arena_reset(&figure->arena);
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
	count_samples(figure, figure->posing.samples);
	figure->at_hand.count = 1;
	figure->skeletons[0].poses = &figure->posing.poses;
	if (anim_poses_ready(&figure->posing.poses, error) != 0 || find_figure(figure, error) != 0 ||
	    draw(figure, error) != 0)
		return -1;
	return print_figure(figure, error);
}

static bool is_left_handed(uint8_t axes)
{
	return axes == ANIM_AXES_UNITY || axes == ANIM_AXES_RESONITE;
}

/* --- Two of them --- */

/* Of each node of the second tree the first's. NULL on failure. */
static uint32_t *invert(struct figure *figure, const struct anim_compare_world *world, struct anim_error *error)
{
	size_t first = anim_poses_count(world->poses[0]), second = anim_poses_count(world->poses[1]);
	uint32_t *inverse = anim_arena_zeroed(&figure->arena, second + 1, sizeof *inverse, error);

	if (inverse == NULL)
		return NULL;
	memset(inverse, 0xff, (second + 1) * sizeof *inverse);
	for (uint32_t node = 0; node < first; node++)
		if (world->partners[node] != NONE)
			inverse[world->partners[node]] = node;
	return inverse;
}

/* Evenly from the first time to the last, as anim_posing_begin_at has them; from the clip's start. 0 or -1. */
static int place_both(struct figure *figure, const struct anim_compare_world *world, struct anim_error *error)
{
	const struct figure_clip *clip = &figure->at_hand;
	double *times = anim_arena_zeroed(&figure->arena, clip->path_count, sizeof *times, error);
	double start = clip->clip.start_s - (double)world->clip->start_s,
	       length = clip->clip.end_s - clip->clip.start_s;

	if (times == NULL)
		return -1;
	for (size_t k = 0; k < clip->path_count; k++)
		times[k] = start + (k == 0 ? 0 : length * (double)k / (double)(clip->path_count - 1));
	return anim_compare_place(world, times, clip->path_count, error);
}

/* How far those are apart that are drawn. 0 or -1. */
static int tell_apart(struct figure *figure, const struct anim_compare_world *world, struct anim_error *error)
{
	struct figure_clip *clip = &figure->at_hand;
	const char *name;

	clip->apart = world->apart[clip->flat];
	if (clip->apart.worst == NONE)
		return 0;
	name = anim_node_own_name(anim_poses_path(world->poses[0], clip->apart.worst));
	clip->worst = anim_arena_text(&figure->arena, name, strlen(name), error);
	return clip->worst == NULL ? -1 : 0;
}

int anim_figure_world(void *sink, const struct anim_compare_world *world, struct anim_error *error)
{
	struct figure *figure = sink;
	struct figure_clip *clip = &figure->at_hand;
	const uint32_t *inverse;
	int begun;

	*clip = (struct figure_clip){.count = 2};
	figure->couple = world->couple;
	begun = plot_clip_begin(&clip->clip, world->clip, &figure->options, &figure->head, error);
	if (begun <= 0)
		return begun;
	figure->clips++;
	figure->left_handed = is_left_handed(world->poses[0]->axes);
	count_samples(figure,
		      clip->clip.end_s > clip->clip.start_s ? (figure->options.poses - 1) * FIGURE_STEPS + 1 : 1);
	inverse = invert(figure, world, error);
	if (inverse == NULL || place_both(figure, world, error) != 0)
		return -1;
	figure->skeletons[0].poses = figure->skeletons[1].others = world->poses[0];
	figure->skeletons[1].poses = figure->skeletons[0].others = world->poses[1];
	figure->skeletons[0].partners = world->partners;
	figure->skeletons[1].partners = inverse;
	if (find_figure(figure, error) != 0 || tell_apart(figure, world, error) != 0)
		return -1;
	return draw(figure, error);
}

int anim_figure_clips(void *sink, const struct anim_compare_clips *clips, struct anim_error *error)
{
	struct figure *figure = sink;
	struct plot_clip *clip = &figure->at_hand.clip;
	int begun;

	if (figure->couple != clips->couple) { /* a clip of one file alone has no figure to be held against */
		figure->at_hand = (struct figure_clip){.count = 0};
		begun = plot_clip_begin(clip, plot_clip_shown(clips), &figure->options, &figure->head, error);
		figure->ready = begun > 0;
		if (begun <= 0)
			return begun;
		figure->clips++;
	}
	return plot_clip_apart(clip, clips, &figure->head, error) != 0 ? -1 : print_figure(figure, error);
}

/* --- The sink --- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct figure *figure = (struct figure *)sink;

	if (finish_clip(figure, error) != 0)
		return -1;
	anim_poses_clear(&figure->posing.poses);
	figure->left_handed = is_left_handed(tree->axes);
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_poses_add(&((struct figure *)sink)->posing.poses, node, error);
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

	if (finish_clip(figure, error) != 0 || anim_diagnostics_check(figure->options.diagnostics, error) != 0 ||
	    plot_tell_none(&figure->options, figure->clips, error) != 0)
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
