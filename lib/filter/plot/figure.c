/* figure.c: the view of poses, side by side or over each other: the positions of the joints of a tree in a clip. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "filter/common/posing.h"
#include "filter/compare/compare.h"
#include "filter/filter.h"
#include "filter/mirror/mirror.h"
#include "filter/plot/view.h"
#include "filter/rename/rename.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

#define NONE UINT32_MAX
#define STEPS 8           /* of the path of the root, from pose to pose */
#define MEMORY (8u << 20) /* of poses in memory, while the others are in a file */

enum side { MIDDLE, RIGHT, LEFT, SIDES };

/* A joint that is drawn. */
struct joint {
	uint32_t node;
	uint32_t parent; /* of the joints; UINT32_MAX: no drawn joint is above it */
	uint8_t side;    /* enum side */
	bool head, of_body;
};

/* A point on the page: x to the right and y up, in the unit of the tree. */
struct point {
	double x, y;
};

/*
 * One skeleton from the viewer's direction. Side by side, each pose is drawn as if the first skeleton's root were at
 * 0.
 */
struct body {
	const struct joint *joints;
	size_t count;
	const struct point *points; /* by pose, then joint */
	const struct point *path;   /* path of the root on the ground: STEPS per pose; pose i begins at i * STEPS */
};

/* A skeleton before its projection, in the arena. */
struct skeleton {
	struct anim_poses *poses;
	/* for each node, the node of the other skeleton; ANIM_POSE_NONE: none; NULL: only one skeleton */
	const uint32_t *partners;
	struct anim_poses *others;
	bool has_bones;
	bool flat;                /* in the plane, because more nodes move there than in space */
	const char *others_named; /* nodes of the other kind that move: "HUD, Lamp and 3 more", or "" */
	bool down;                /* its y axis points down */
	bool backward;            /* it faces -z at rest, as models of VRM 0, so it is turned around */
	bool lost;                /* some joint has a position that is not finite */
	double (*places)[3];      /* by pose, then joint */
	double (*roots)[3];       /* of each sample */
	struct joint *joints;
	size_t count;
	uint32_t root; /* index in `joints` */
};

struct figure {
	struct plot_view view;
	struct anim_arena arena; /* for the points of the clip */
	struct anim_posing posing;
	bool left_handed;
	struct skeleton skeletons[2];
	size_t drawn;        /* number of clips */
	const char *missing; /* what the last clip without a figure needs */

	/* the current clip */
	size_t poses, path_count;
	bool ready;  /* it has a figure */
	bool onion;  /* poses are over each other at their places; false: side by side */
	bool alone;  /* no body has more than one joint */
	bool unlike; /* the two files have different skeletons, so their joints have no errors */
	bool beside; /* each pose of the result is at the right of the source's */
	/* "only the result is drawn: ..." if the other file has muscles, otherwise NULL */
	const char *half;
	bool flat; /* in the plane, which is seen from the front */
	enum anim_plot_side side;
	const char *length_unit; /* "m" or "px" */
	/* of the file; of two files, the source and then the result, which is drawn over it */
	struct body bodies[2];
	unsigned count;
	const struct point *feet; /* by pose: the place on the ground of the first root, which is its own ground */
	struct point least, most; /* of all points, and of the paths if poses are over each other */
	double height;            /* of the first skeleton: from the ground to its highest joint */
	double travel;            /* of its root on the ground, from the first pose to the last */
	double step_s;            /* from pose to pose */
	/*
	 * For two files: the number of joints with errors, and beyond their limit. `worst` is the own name of the
	 * joint with the largest error, or NULL without errors.
	 */
	struct anim_compare_apart apart;
	const char *worst;
};

/* --- The joints that are drawn --- */

/*
 * Return left, right or neither. The names of human bones decide first, then a word in the name, then the side of
 * the parent.
 */
static enum side side_of(const char *name, enum side above, bool *head, bool *hips)
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
		return strncmp(bone, "Left", 4) == 0 ? LEFT : strncmp(bone, "Right", 5) == 0 ? RIGHT : MIDDLE;
	}
	side = anim_side_of_name(name);
	return side == 'l' ? LEFT : side == 'r' ? RIGHT : above;
}

/* Return true if the clip moves the node, or if the clip of the other skeleton moves its partner. */
static bool is_moved(const struct skeleton *skeleton, uint32_t node)
{
	uint32_t partner = skeleton->partners == NULL ? NONE : skeleton->partners[node];

	return anim_poses_moves(skeleton->poses, node) ||
	       (partner != NONE && anim_poses_moves(skeleton->others, partner));
}

/* Return one of the nodes that may move. For a single skeleton these are the nodes that its clip moves, otherwise all. */
static uint32_t node_of(const struct skeleton *skeleton, size_t i)
{
	return skeleton->partners == NULL ? anim_poses_moved(skeleton->poses, i) : (uint32_t)i;
}

/*
 * Return the joint of a node among the joints so far, which are in increasing order. Returns NONE if it is not a
 * joint.
 */
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

#define NAMED 3 /* nodes that are not drawn */

/* Append a joint to the list. Sets *hips if it is the first joint of this kind. */
static void add_joint(struct skeleton *skeleton, uint32_t node, uint32_t parent, uint32_t *hips)
{
	struct joint *joint = &skeleton->joints[skeleton->count];
	enum side above = parent == NONE ? MIDDLE : (enum side)skeleton->joints[parent].side;
	const char *name = anim_node_own_name(anim_poses_path(skeleton->poses, node));
	bool is_hips;

	*joint = (struct joint){.node = node, .parent = parent};
	joint->side = (uint8_t)side_of(name, above, &joint->head, &is_hips);
	*hips = is_hips && *hips == NONE ? (uint32_t)skeleton->count : *hips;
	skeleton->count++;
}

static bool is_below(const struct joint *joints, uint32_t joint, uint32_t trunk)
{
	while (joint != NONE && joint != trunk)
		joint = joints[joint].parent;
	return joint == trunk;
}

/*
 * Cut off the limbs of the first joint. The first joint of a rig carries the figure and handles, and handles are not
 * limbs. Returns the joint below the first one that carries the body. It may be the hips.
 */
static uint32_t cut_handles(struct joint *joints, size_t count, uint32_t hips)
{
	uint32_t trunk = hips, fork = NONE;

	while (joints[trunk].parent != NONE && joints[joints[trunk].parent].parent != NONE)
		trunk = joints[trunk].parent;
	/* In MikuMikuDance the spine is beside the hips, below joints that are at the knees or on the ground. */
	for (uint32_t i = 0; i < count && fork == NONE; i++)
		if (joints[i].head && !is_below(joints, i, hips))
			for (fork = hips; fork != NONE && !is_below(joints, i, fork);)
				fork = joints[fork].parent;
	if (fork != NONE && is_below(joints, trunk, fork))
		trunk = fork;
	for (uint32_t i = 0; i < count; i++) {
		joints[i].of_body = i == trunk || (joints[i].parent != NONE && joints[joints[i].parent].of_body);
		if (i == trunk || !joints[i].of_body)
			joints[i].parent = NONE;
	}
	for (uint32_t i = 0; i < count && fork != NONE; i++)
		if (joints[i].parent == fork)
			joints[i].parent = NONE;
	for (uint32_t above; fork != NONE; fork = above) {
		above = joints[fork].parent;
		joints[fork].parent = NONE;
	}
	return trunk;
}

/* Return the first joint that has children. */
static uint32_t first_carrier(const struct skeleton *skeleton)
{
	for (uint32_t i = 0; i < skeleton->count; i++)
		if (skeleton->joints[i].parent != NONE)
			return skeleton->joints[i].parent;
	return 0;
}

/* --- Positions --- */

static void place_sample(void *context, size_t sample, size_t in_tile)
{
	struct skeleton *skeleton = context;

	for (uint32_t i = 0; i < skeleton->count; i++) {
		const double *m = anim_poses_at(skeleton->poses, skeleton->joints[i].node, in_tile);
		const double around = skeleton->backward ? -1 : 1;
		const double at[3] = {around * m[3], skeleton->flat && skeleton->down ? -m[7] : m[7], around * m[11]};

		bool root = i == skeleton->root, pose = sample % STEPS == 0;

		if (pose)
			memcpy(skeleton->places[sample / STEPS * skeleton->count + i], at, sizeof at);
		if (root)
			memcpy(skeleton->roots[sample], at, sizeof at);
		skeleton->lost |= (pose || root) && !(isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]));
	}
}

/* Find out whether the figure faces -z at rest: its left joints are on the other side. Returns 0 or -1. */
static int find_backward(const struct figure *figure, struct skeleton *skeleton, struct anim_arena *arena,
			 struct anim_error *error)
{
	const struct anim_poses *poses = skeleton->poses;
	const size_t count = anim_poses_count(poses);
	double(*rotations)[4], (*places)[3] = anim_arena_zeroed(arena, count + 1, sizeof *places, error);
	double left[3] = {0};

	if (places == NULL || anim_poses_rotations(poses, &rotations, arena, error) != 0)
		return -1;
	for (uint32_t n = 0; n < count; n++) {
		const float *at = poses->rests.items[n].position;
		uint32_t above = anim_poses_parent(poses, n);

		for (unsigned i = 0; i < 3; i++)
			places[n][i] = (double)at[i];
		if (above == ANIM_POSE_NONE)
			continue;
		anim_quat_rotate_double(places[n], rotations[above], places[n]);
		anim_vec3_add(places[n], places[above], 1);
	}
	for (uint32_t i = 0; i < skeleton->count; i++)
		if (skeleton->joints[i].side != MIDDLE)
			anim_vec3_add(left, places[skeleton->joints[i].node],
				      skeleton->joints[i].side == LEFT ? 1 : -1);
	skeleton->backward = !figure->flat && fabs(left[0]) > fabs(left[2]) && (left[0] < 0) != figure->left_handed;
	return 0;
}

/*
 * Project a point without perspective. In the plane it is unchanged. The figure faces +z and its left is +x, or -x
 * in left-handed axes, so its left is at the right of the page when seen from the front. In the three-quarter view
 * the camera is 35 degrees to its left and looks down by 15 degrees.
 */
static struct point project(const struct figure *figure, double x, double y, double z)
{
	static const double cos_yaw = 0.8191520442889918, sin_yaw = 0.5735764363510460, cos_pitch = 0.9659258262890683,
			    sin_pitch = 0.2588190451025208;
	double left = figure->left_handed ? -x : x;

	if (figure->flat)
		return (struct point){x, y};
	if (figure->side == ANIM_PLOT_FRONT)
		return (struct point){left, y};
	if (figure->side == ANIM_PLOT_SIDE)
		return (struct point){z, y};
	return (struct point){left * cos_yaw + z * sin_yaw, y * cos_pitch - (z * cos_yaw - left * sin_yaw) * sin_pitch};
}

static void reach(struct figure *figure, struct point p)
{
	figure->least.x = fmin(figure->least.x, p.x);
	figure->least.y = fmin(figure->least.y, p.y);
	figure->most.x = fmax(figure->most.x, p.x);
	figure->most.y = fmax(figure->most.y, p.y);
}

/*
 * Return the height of the lowest joint of all poses, which is the ground. Set *height to the highest joint above
 * it.
 */
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

#define MUCH 2 /* a skeleton beside another is drawn in the same height if they differ by more than this factor */

/*
 * Project a skeleton onto the page, above the ground. Beside another, it has its own place and ground. Returns 0 or
 * -1.
 */
static int project_body(struct figure *figure, const struct skeleton *skeleton, double ground, struct body *body,
			struct anim_error *error)
{
	const struct skeleton *placed = figure->beside ? skeleton : &figure->skeletons[0];
	double height, own = ground_of(placed, figure->poses, &height), zoom = figure->height / height;
	struct point *points =
	    anim_arena_zeroed(&figure->arena, figure->poses * skeleton->count, sizeof *points, error);
	struct point *path = anim_arena_zeroed(&figure->arena, figure->path_count, sizeof *path, error);

	if (points == NULL || path == NULL)
		return -1;
	if (!figure->beside || !(zoom > MUCH || zoom < 1.0 / MUCH) || !isfinite(zoom) || zoom == 0)
		zoom = 1;
	for (size_t i = 0; i < figure->path_count; i++) {
		path[i] = project(figure, zoom * skeleton->roots[i][0], ground, zoom * skeleton->roots[i][2]);
		if (figure->onion)
			reach(figure, path[i]);
	}
	for (size_t pose = 0; pose < figure->poses; pose++) {
		const double *root = placed->roots[pose * STEPS];
		double x = figure->onion ? 0 : root[0], z = figure->onion ? 0 : root[2];

		for (size_t i = 0; i < skeleton->count; i++) {
			const double *at = skeleton->places[pose * skeleton->count + i];

			points[pose * skeleton->count + i] =
			    project(figure, zoom * (at[0] - x), zoom * (at[1] - own) + ground, zoom * (at[2] - z));
			reach(figure, points[pose * skeleton->count + i]);
		}
	}
	*body = (struct body){skeleton->joints, skeleton->count, points, path};
	return 0;
}

/* --- The picture --- */

/* The transformation of points to the page, in dots or in tenths of a pixel, from the top left corner. */
struct stage {
	struct plot_page *page;
	const struct figure *figure;
	double scale, cell; /* scale: per unit of the tree; cell: distance between poses that are side by side */
	double high;
	struct plot_cell *cells; /* for a terminal */
	size_t columns, rows;
	bool open; /* for an SVG: a path is open and ends at x, y */
	long x, y;
};

enum ink { INK_GROUND, INK_SOURCE, INK_PATH, INK_MIDDLE, INK_RIGHT, INK_LEFT };

/* Return the number of places side by side, and the place of a body's pose. */
static size_t cells_of(const struct figure *figure)
{
	return figure->onion ? 1 : figure->poses * (figure->beside ? 2 : 1);
}

static size_t cell_of(const struct figure *figure, const struct body *body, size_t pose)
{
	return figure->onion ? 0 : figure->beside ? 2 * pose + (size_t)(body - figure->bodies) : pose;
}

/* Return a stage that is `wide` in total and at most `most` high. */
static struct stage stage_of(struct plot_page *page, const struct figure *figure, double wide, double most)
{
	bool onion = figure->onion;
	double across = fmax(figure->most.x - figure->least.x, 1e-9) * (onion ? 1 : 1.06);
	double down = fmax(figure->most.y - figure->least.y, 1e-9);
	struct stage stage = {.page = page, .figure = figure, .cell = wide / (double)cells_of(figure)};

	stage.scale = fmin(stage.cell / across, most / down);
	if (!onion) /* tall and narrow figures are at most one width apart */
		stage.cell = fmin(stage.cell, 2 * across * stage.scale);
	stage.high = down * stage.scale;
	return stage;
}

static double across(const struct stage *stage, size_t cell, double x)
{
	double middle = (stage->figure->least.x + stage->figure->most.x) / 2;

	return ((double)cell + 0.5) * stage->cell + (x - middle) * stage->scale;
}

static double down(const struct stage *stage, double y)
{
	return (stage->figure->most.y - y) * stage->scale;
}

/*
 * Return the place of a root on the ground at sample k, relative to a pose that is drawn side by side with others.
 * With NONE it is the original place.
 */
static struct point path_at(const struct figure *figure, const struct body *body, size_t k, size_t pose)
{
	const struct point *from;
	struct point p = body->path[k];

	if (pose == NONE)
		return p;
	from = &(figure->beside ? body : &figure->bodies[0])->path[pose * STEPS];
	return (struct point){p.x - from->x + figure->feet[pose].x, p.y - from->y + figure->feet[pose].y};
}

/* Return the first sample that is still inside the place of the pose on the page. */
static size_t path_start(const struct stage *stage, const struct body *body, size_t pose)
{
	size_t k = pose * STEPS, cell = cell_of(stage->figure, body, pose);

	for (; k > 0; k--) {
		struct point p = path_at(stage->figure, body, k - 1, pose);
		double x = across(stage, cell, p.x), y = down(stage, p.y);

		if (x < (double)cell * stage->cell || x > (double)(cell + 1) * stage->cell || y < 0 || y > stage->high)
			break;
	}
	return k;
}

/* Return true for the body that is drawn pale below the result. */
static bool is_source(const struct figure *figure, const struct body *body)
{
	return figure->count > 1 && !figure->beside && body == figure->bodies;
}

/*
 * Print "8 poses, one each 0.25 s; 1.7 m high, travels 2.3 m (1.3 m/s); 3 joints are off; worst: LeftFoot 3.2 mm at 1.433 s;
 * beyond the limit: 2".
 */
static void put_words(struct plot_page *page, const struct figure *figure)
{
	const struct anim_compare_apart *apart = &figure->apart;

	if (figure->count == 0) {
		anim_print_text(&page->print, figure->view.clip.apart.alone);
		return;
	}
	anim_print_text(&page->print, figure->alone ? "a single joint, " : "");
	plot_count(page, figure->poses, figure->alone ? "place" : "pose", figure->alone ? "places" : "poses");
	if (figure->poses > 1)
		plot_number(page, ", one each ", figure->step_s, "s", "");
	if (!figure->alone)
		plot_number(page, "; ", figure->height, figure->length_unit, " high");
	plot_number(page, figure->alone ? "; travels " : ", travels ", figure->travel, figure->length_unit, "");
	if (figure->travel > 0 && figure->poses > 1)
		plot_number(page, " (", figure->travel / (figure->step_s * (double)(figure->poses - 1)),
			    figure->length_unit, "/s)");
	if (*figure->skeletons[0].others_named != '\0') {
		anim_print_text(&page->print, figure->flat ? "; not drawn, because they move in space: "
							   : "; not drawn, because they move in the plane: ");
		plot_name(page, figure->skeletons[0].others_named);
	}
	if (figure->half != NULL)
		anim_print_texts(&page->print, "; ", figure->half);
	if (figure->count == 1)
		return;
	if (figure->unlike) {
		anim_print_text(&page->print, "; the skeletons differ");
		anim_print_text(&page->print, figure->beside ? ": source at the left, result at the right" : "");
		return;
	}
	anim_print_text(&page->print, "; ");
	plot_count(page, apart->off, "joint is off", "joints are off");
	if (figure->worst != NULL) {
		anim_print_text(&page->print, "; worst: ");
		plot_worst(page, figure->worst, apart->unit, apart->worst_off, apart->at_s, apart->shell);
	}
	if (apart->beyond > 0)
		plot_put(page, "; beyond the limit: %zu", (size_t)apart->beyond);
	plot_apart(&page->print, &figure->view.clip.apart);
}

static double time_of(const struct figure *figure, size_t pose)
{
	return figure->view.clip.start_s + (double)pose * figure->step_s;
}

/* --- Lines: dots in a terminal, paths in tenths of a pixel in an SVG --- */

#define ROWS 24   /* largest height of figures in characters */
#define HIGH 3000 /* in tenths of a pixel */
#define DOT 60    /* width of a single joint */
#define SWAY 60   /* largest motion of a root without a trail */
#define MARGIN 26 /* pixels above the figure, for heads */

static const char light[] = ".l,.r,.m,.p{fill:none;stroke-linecap:round;stroke-linejoin:round}.l{stroke:#e69f00}"
			    ".r{stroke:#2f8fd0}.m{stroke:#777}.p{stroke:#3a9a5c;stroke-width:18;stroke-dasharray:1 45}"
			    ".b{fill:none;stroke:#888;stroke-linecap:round;stroke-linejoin:round}.e{fill:#888}"
			    ".g{stroke:#aaa;stroke-width:8}.d{fill:#777}";
static const char dark[] = ".r{stroke:#56b4e9}.m{stroke:#b5b5b5}.d{fill:#b5b5b5}.g{stroke:#666}.p{stroke:#5fc287}";

static const char *const classes[] = {
    [INK_GROUND] = "g", [INK_SOURCE] = "b", [INK_PATH] = "p", [INK_MIDDLE] = "m", [INK_RIGHT] = "r", [INK_LEFT] = "l"};

static void put_dot(struct stage *stage, long x, long y, enum ink ink)
{
	const struct plot_charset *charset = plot_charset(stage->page);
	unsigned wide = charset->wide, high = charset->high;
	struct plot_cell *cell;

	if (x < 0 || y < 0 || (size_t)x >= stage->columns * wide || (size_t)y >= stage->rows * high)
		return;
	cell = &stage->cells[(size_t)y / high * stage->columns + (size_t)x / wide];
	cell->ink = (uint8_t)(PLOT_INK_FIGURE + ink);
	cell->bits |= charset->bits[(size_t)x % wide][(size_t)y % high];
}

/*
 * Draw a line over the existing picture. In a terminal the source is dotted, so that it can be recognised without
 * colours.
 */
static void put_line(struct stage *stage, enum ink ink, double x0, double y0, double x1, double y1)
{
	double steps = ceil(fmax(fabs(x1 - x0), fabs(y1 - y0)));

	for (double i = 0; stage->cells != NULL && i <= steps; i += ink == INK_SOURCE ? 2 : 1) {
		double part = steps > 0 ? i / steps : 0;

		put_dot(stage, lrint(x0 + (x1 - x0) * part), lrint(y0 + (y1 - y0) * part), ink);
	}
	if (stage->cells != NULL)
		return;
	if (!stage->open)
		plot_put(stage->page, "<path class=\"%s\" d=\"", classes[ink]);
	if (!stage->open || lrint(x0) != stage->x || lrint(y0) != stage->y)
		plot_put(stage->page, "M%ld %ld", lrint(x0), lrint(y0));
	stage->x = lrint(x1);
	stage->y = lrint(y1);
	stage->open = true;
	plot_put(stage->page, "L%ld %ld", stage->x, stage->y);
}

static void end_lines(struct stage *stage)
{
	if (stage->open)
		anim_print_text(&stage->page->print, "\"/>");
	stage->open = false;
}

/* --- A figure --- */

/* Draw the limbs of one side, or of all sides (SIDES). */
static void draw_limbs(struct stage *stage, const struct body *body, size_t pose, size_t cell, enum side side,
		       enum ink ink)
{
	const struct point *points = body->points + pose * body->count;

	for (uint32_t i = 0; i < body->count; i++) {
		uint32_t above = body->joints[i].parent;

		if ((side != SIDES && body->joints[i].side != side) || (above == NONE && body->count > 1))
			continue;
		above = above == NONE ? i : above;
		put_line(stage, ink, across(stage, cell, points[above].x), down(stage, points[above].y),
			 across(stage, cell, points[i].x), down(stage, points[i].y));
	}
	end_lines(stage);
}

/*
 * Return the end of a head, if the skeleton has it: the farthest child that is neither left nor right. Otherwise
 * returns NONE.
 */
static uint32_t end_of(const struct body *body, const struct point *points, uint32_t head, double *length)
{
	uint32_t end = NONE;

	*length = 0;
	for (uint32_t i = 0; i < body->count; i++) {
		double dx = points[i].x - points[head].x, dy = points[i].y - points[head].y;

		if (body->joints[i].parent != head || body->joints[i].side != MIDDLE ||
		    sqrt(dx * dx + dy * dy) <= *length)
			continue;
		*length = sqrt(dx * dx + dy * dy);
		end = i;
	}
	return end;
}

/* Draw round heads in an SVG. They extend from the joint to its end, if it is known. */
static void draw_heads(struct stage *stage, const struct body *body, size_t pose, size_t cell)
{
	const struct point *points = body->points + pose * body->count;
	bool source = is_source(stage->figure, body);

	for (uint32_t i = 0; i < body->count && stage->cells == NULL; i++) {
		double radius = stage->figure->height * 0.05, length, part;
		uint32_t above = body->joints[i].parent, end = end_of(body, points, i, &length);
		struct point p = points[i], toward;

		if (!body->joints[i].head || above == NONE)
			continue;
		if (length < radius) { /* no end, or seen from above */
			end = NONE;
			length = fmax(sqrt((p.x - points[above].x) * (p.x - points[above].x) +
					   (p.y - points[above].y) * (p.y - points[above].y)),
				      1e-9);
		}
		toward = end == NONE ? (struct point){p.x - points[above].x, p.y - points[above].y}
				     : (struct point){points[end].x - p.x, points[end].y - p.y};
		radius = end == NONE ? radius : length * 0.58; /* covers the round end of its line */
		part = end == NONE ? 0.7 * radius / length : 0.5;
		plot_put(stage->page, "<circle class=\"%c\" cx=\"%ld\" cy=\"%ld\" r=\"%ld\"/>", source ? 'e' : 'd',
			 lrint(across(stage, cell, p.x + toward.x * part)), lrint(down(stage, p.y + toward.y * part)),
			 lrint(radius * stage->scale * (source ? 1.2 : 1)));
	}
}

/* Draw the path of the root up to a pose that is drawn side by side with others, or all of it (NONE). */
static void draw_trail(struct stage *stage, const struct body *body, size_t pose)
{
	size_t first = pose == NONE ? 0 : path_start(stage, body, pose);
	size_t cell = pose == NONE ? 0 : cell_of(stage->figure, body, pose);
	size_t last = pose == NONE ? stage->figure->path_count - 1 : pose * STEPS;

	/* The trail of a root that sways by some pixels would look like dirt. */
	const struct point *path = body->path;
	double distance = 0;

	for (size_t k = 1; k < stage->figure->path_count; k++)
		distance = fmax(distance, fmax(fabs(path[k].x - path[0].x), fabs(path[k].y - path[0].y)));
	if (stage->cells == NULL && !(distance * stage->scale > SWAY))
		return;

	for (size_t k = first; k < last; k++) {
		struct point a = path_at(stage->figure, body, k, pose), b = path_at(stage->figure, body, k + 1, pose);

		put_line(stage, INK_PATH, across(stage, cell, a.x), down(stage, a.y), across(stage, cell, b.x),
			 down(stage, b.y));
	}
	end_lines(stage);
}

/* Draw a pose, with the farthest parts first. A source is wide and pale. */
static void draw_pose(struct stage *stage, const struct body *body, size_t pose)
{
	const struct figure *figure = stage->figure;
	bool source = is_source(figure, body), svg = stage->cells == NULL, from_right = figure->side == ANIM_PLOT_SIDE;
	double age = !figure->onion || figure->poses == 1 ? 1 : (double)pose / (double)(figure->poses - 1);
	long width = figure->alone ? DOT : lrint(fmin(fmax(figure->height * stage->scale * 0.016, 16), 40));
	size_t cell = cell_of(figure, body, pose);

	if (svg) {
		plot_put(stage->page, "<g stroke-width=\"%ld\"", source ? 3 * width : width);
		if (figure->onion || source)
			plot_put(stage->page, " opacity=\".%02ld\"", lrint((30 + 69 * age) * (source ? 0.4 : 1)));
		plot_number(stage->page, "><title>", time_of(figure, pose), "s", "</title>");
	}
	if (source) {
		draw_limbs(stage, body, pose, cell, SIDES, INK_SOURCE);
		draw_heads(stage, body, pose, cell);
	} else {
		draw_limbs(stage, body, pose, cell, from_right ? LEFT : RIGHT, from_right ? INK_LEFT : INK_RIGHT);
		draw_limbs(stage, body, pose, cell, MIDDLE, INK_MIDDLE);
		draw_heads(stage, body, pose, cell);
		draw_limbs(stage, body, pose, cell, from_right ? RIGHT : LEFT, from_right ? INK_RIGHT : INK_LEFT);
	}
	anim_print_text(&stage->page->print, svg ? "</g>\n" : "");
}

static void draw_poses(struct stage *stage)
{
	const struct figure *figure = stage->figure;

	/* From above, a line is not the ground of figures at several places. Their path is drawn instead. */
	if (!figure->onion || figure->side != ANIM_PLOT_THREE_QUARTER) {
		/*
		 * The height of the ground line. From above, feet that are nearer than the root are below it on the
		 * page, so the line is below all of them.
		 */
		const struct body *first = &stage->figure->bodies[0];
		double ground = stage->figure->feet[0].y;

		for (size_t i = 0;
		     stage->figure->side == ANIM_PLOT_THREE_QUARTER && i < stage->figure->poses * first->count; i++)
			ground = fmin(ground, first->points[i].y);
		long y = lrint(down(stage, ground));
		long wide = lrint(stage->cell * (double)cells_of(stage->figure));

		if (stage->cells == NULL)
			plot_put(stage->page, "<path class=\"g\" d=\"M0 %ldh%ld\"/>", y, wide);
		for (long x = 0; stage->cells != NULL && x < wide; x += 2)
			put_dot(stage, x, y, INK_GROUND);
	}
	for (const struct body *body = figure->bodies; body < figure->bodies + figure->count; body++) {
		bool trails = !is_source(figure, body);

		if (figure->onion && trails)
			draw_trail(stage, body, NONE);
		for (size_t pose = 0; pose < figure->poses; pose++) {
			if (!figure->onion && trails)
				draw_trail(stage, body, pose);
			draw_pose(stage, body, pose);
		}
	}
}

/* --- The page --- */

/* Print the time of each pose below it, if there is room. */
static void put_times(const struct stage *stage)
{
	struct plot_page *page = stage->page;
	double free_from = 0;
	size_t end = 0;

	for (size_t pose = 0; pose < stage->figure->poses; pose++) {
		double middle = ((double)pose + 0.5) * stage->cell * (stage->figure->beside ? 2 : 1);
		double t = time_of(stage->figure, pose);
		char text[TEXT_NUMBER_MAX];
		size_t at, half;

		if (stage->cells == NULL && middle / 10 >= free_from) {
			plot_put(page, "<text class=\"v\" x=\"%ld\" y=\"%zu\">", PLOT_SVG_GAP + lrint(middle / 10),
				 page->high + 14);
			plot_number(page, "", t, "s", "</text>");
			free_from = middle / 10 + 44;
		} else if (stage->cells != NULL) {
			text_of_number(text, t, "s");
			at = (size_t)(middle / plot_charset(page)->wide);
			half = strlen(text) / 2;
			plot_label(page, text, at > half ? at - half : 0, &end);
		}
	}
	anim_print_text(&page->print, "\n");
}

static void put_figure(struct plot_page *page, struct figure *figure)
{
	struct stage stage;

	if (page->options.svg) {
		stage = stage_of(page, figure, (PLOT_SVG_WIDE - 2 * PLOT_SVG_GAP) * 10, HIGH);
		plot_put(page, "<g transform=\"translate(%d %zu)scale(.1)\">", PLOT_SVG_GAP, page->high + MARGIN);
		draw_poses(&stage);
		anim_print_text(&page->print, "</g>\n");
		page->high += (size_t)(stage.high / 10) + MARGIN + 4;
	} else {
		const struct plot_charset *charset = plot_charset(page);

		stage =
		    stage_of(page, figure, (double)(page->options.width * charset->wide - 1), ROWS * charset->high - 1);
		stage.columns = page->options.width;
		stage.rows = (size_t)lrint(stage.high) / charset->high + 1;
		stage.cells = anim_arena_zeroed(&figure->arena, stage.rows * stage.columns, sizeof *stage.cells,
						page->print.error);
		page->print.failed |= stage.cells == NULL;
		if (page->print.failed)
			return;
		draw_poses(&stage);
		for (size_t row = 0; row < stage.rows; row++) {
			plot_cells(page, stage.cells + row * stage.columns, stage.columns);
			anim_print_text(&page->print, "\n");
		}
	}
	if (!figure->onion)
		put_times(&stage);
	page->high += PLOT_SVG_GAP + (figure->onion ? 0 : 20);
}

/* --- A clip --- */

/* Report why a clip has no figure. Returns 0 or -1. */
static int report_missing(struct figure *figure, const char *what, struct anim_error *error)
{
	figure->missing = what;
	return anim_diagnostics_warn(figure->view.page.options.diagnostics, NULL, error, "clip '%s' has no figure: %s",
				     figure->view.clip.head.name, what);
}

/* Find the joints of the skeletons, and the side from which they are viewed. Returns 0 or -1. */
static int find_figure(struct figure *figure, struct anim_error *error)
{
	bool y_down = figure->view.clip.head.axes2d == ANIM_AXES2D_GODOT;

	for (unsigned i = 0; i < figure->count; i++) {
		figure->skeletons[i].down = y_down;

		/* Make the list of drawn joints, and choose the joint whose path is drawn. */
		struct skeleton *skeleton = &figure->skeletons[i];
		const struct anim_poses *poses = skeleton->poses;
		size_t count = skeleton->partners == NULL ? poses->moving : anim_poses_count(poses);
		uint32_t hips = NONE;

		skeleton->joints = anim_arena_zeroed(&figure->arena, count + 1, sizeof *skeleton->joints, error);
		if (skeleton->joints == NULL)
			return -1;

		/*
		 * Choose between space and the plane. More nodes must move in the plane to choose it. Then choose
		 * bones, if there are any.
		 */
		size_t moved[2] = {0};

		for (size_t k = 0; k < count; k++)
			if (is_moved(skeleton, node_of(skeleton, k)))
				moved[anim_poses_is_flat(skeleton->poses, node_of(skeleton, k))]++;
		skeleton->flat = moved[1] > moved[0];
		skeleton->has_bones = skeleton->poses->has_bones[skeleton->flat];

		/* List the names of the nodes that move in the plane if space is drawn, and the reverse. */
		size_t found = 0;
		const char *out = "";

		for (size_t k = 0; k < count && out != NULL; k++) {
			uint32_t node = node_of(skeleton, k);

			if (!is_moved(skeleton, node) || anim_poses_is_flat(skeleton->poses, node) == skeleton->flat)
				continue;
			if (found++ < NAMED)
				out = anim_arena_printf(&figure->arena, error, "%s%s%s", out, found > 1 ? ", " : "",
							anim_node_own_name(anim_poses_path(skeleton->poses, node)));
		}
		if (found > NAMED && out != NULL)
			out = anim_arena_printf(&figure->arena, error, "%s and %zu more", out, found - NAMED);
		skeleton->others_named = out;
		if (out == NULL)
			return -1;

		for (size_t k = 0; k < count; k++) {
			uint32_t node = node_of(skeleton, k), above = anim_poses_parent(poses, node);
			uint8_t kind = skeleton->poses->rests.items[node].kind;

			if (anim_poses_is_flat(skeleton->poses, node) == skeleton->flat && is_moved(skeleton, node) &&
			    kind == (skeleton->has_bones ? ANIM_NODE_BONE : ANIM_NODE))
				add_joint(skeleton, node, above == NONE ? NONE : joint_of(skeleton, above), &hips);
		}
		skeleton->root =
		    hips == NONE ? first_carrier(skeleton) : cut_handles(skeleton->joints, skeleton->count, hips);
	}
	figure->flat = figure->skeletons[0].flat;
	figure->side = figure->flat ? ANIM_PLOT_FRONT : figure->view.page.options.side;
	figure->length_unit = figure->flat && y_down ? "px" : "m";
	return 0;
}

/* Place the skeletons at the samples. Returns 0 or -1. */
static int place_figure(struct figure *figure, struct anim_error *error)
{
	if (figure->skeletons[0].count == 0)
		return report_missing(figure, "it moves no bones", error);
	/* a single joint has no pose that could be drawn side by side with others */
	figure->alone = figure->skeletons[0].count == 1 && figure->skeletons[1].count <= 1;
	figure->onion = figure->view.page.options.onion || figure->alone;
	figure->beside = figure->unlike && !figure->onion;
	for (unsigned i = 0; i < figure->count; i++) {
		struct skeleton *own = &figure->skeletons[i];

		if (find_backward(figure, own, &figure->arena, error) != 0)
			return -1;
		/* skeletons over each other are turned around together */
		own->backward = figure->unlike ? own->backward : figure->skeletons[0].backward;

		/* Place the joints of a skeleton. */
		own->places = anim_arena_zeroed(&figure->arena, figure->poses * own->count, sizeof *own->places, error);
		own->roots = anim_arena_zeroed(&figure->arena, figure->path_count, sizeof *own->roots, error);
		if (own->places == NULL || own->roots == NULL)
			return -1;
		if (anim_poses_each(own->poses, place_sample, own, error) != 0)
			return -1;
	}

	/* Project all skeletons. */
	const struct skeleton *first = &figure->skeletons[0];
	struct point *feet = anim_arena_zeroed(&figure->arena, figure->poses, sizeof *feet, error);
	double ground = ground_of(first, figure->poses, &figure->height), x, z, travel;

	if (feet == NULL)
		return -1;
	figure->least = (struct point){(double)INFINITY, (double)INFINITY};
	figure->most = (struct point){-(double)INFINITY, -(double)INFINITY};
	for (size_t pose = 0; pose < figure->poses; pose++) {
		const double *root = first->roots[pose * STEPS];

		feet[pose] = project(figure, figure->onion ? root[0] : 0, ground, figure->onion ? root[2] : 0);
		reach(figure, feet[pose]);
	}
	for (unsigned i = 0; i < figure->count; i++)
		if (project_body(figure, &figure->skeletons[i], ground, &figure->bodies[i], error) != 0)
			return -1;
	/* The distance on the ground from the first sample to the last. Rounding counts as 0. */
	x = first->roots[figure->path_count - 1][0] - first->roots[0][0];
	z = first->roots[figure->path_count - 1][2] - first->roots[0][2];
	travel = sqrt(x * x + z * z);
	figure->travel = travel > 1e-5 * figure->height ? travel : 0;
	figure->feet = feet;

	if (figure->skeletons[0].lost || figure->skeletons[1].lost || !isfinite(figure->most.x - figure->least.x) ||
	    !isfinite(figure->most.y - figure->least.y))
		return report_missing(figure, "the position of a joint is not finite", error);
	if (figure->alone && !(figure->travel > 0) && figure->apart.off == 0)
		return report_missing(figure, "its only joint does not move", error);
	figure->ready = true;
	return 0;
}

/* Allocate the samples of the current clip, STEPS from pose to pose. */
static void count_samples(struct figure *figure, size_t samples)
{
	double length = figure->view.clip.end_s - figure->view.clip.start_s;

	figure->path_count = samples;
	figure->poses = (samples - 1) / STEPS + 1;
	figure->step_s = samples > 1 ? length / (double)(figure->poses - 1) : 0;
	memset(figure->skeletons, 0, sizeof figure->skeletons);
	anim_arena_reset(&figure->arena);
}

static int finish(struct plot_view *view, struct anim_error *error)
{
	struct figure *figure = (struct figure *)view;
	struct anim_posing *posing = &figure->posing;
	bool lone = view->clip.apart.alone != NULL; /* a clip that only one file has cannot be compared */

	if (!view->page.options.against) {
		if (anim_rests_check(&posing->poses.rests, error) != 0 || anim_posing_join(posing, error) != 0)
			return -1;
		if (posing->samples == 0)
			return report_missing(
			    figure, "the input has no node tree. Use the scene or file from which it was made", error);
		if (posing->unsure)
			return report_missing(
			    figure, "several tracks set the same position, rotation or scale; " ANIM_ADVICE(BAKE),
			    error);
		count_samples(figure, posing->samples);
		figure->count = 1;
		figure->skeletons[0].poses = &posing->poses;
		if (anim_poses_ready(&posing->poses, error) != 0 || find_figure(figure, error) != 0 ||
		    place_figure(figure, error) != 0)
			return -1;
	}
	if (!figure->ready && !lone)
		return 0;
	figure->drawn++;
	plot_heading(&view->page, &view->clip);
	put_words(&view->page, figure);
	plot_line_end(&view->page);
	if (!lone)
		put_figure(&view->page, figure);
	return 0;
}

static bool is_left_handed(uint8_t axes)
{
	return axes == ANIM_AXES_UNITY || axes == ANIM_AXES_RESONITE;
}

/* --- Two files --- */

/* Return the first tree's node for each node of the second tree. Returns NULL on failure. */
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

#define UNLIKE 0.1 /* difference of a bone's length, if the median is the same */

/*
 * Find out whether the skeletons differ: most joints of one have no partner, or joints of a body have other lengths,
 * whatever the unit is. Returns 0 or -1.
 */
static int find_unlike(struct figure *figure, const struct anim_compare_world *world, struct anim_error *error)
{
	const struct anim_rest *rests[2] = {world->poses[0]->rests.items, world->poses[1]->rests.items};
	const struct skeleton *first = &figure->skeletons[0];
	size_t shared = 0, count = 0, off = 0;
	double *ratios = anim_arena_zeroed(&figure->arena, first->count + 1, sizeof *ratios, error);

	if (ratios == NULL)
		return -1;
	for (size_t k = 0; k < first->count; k++) {
		uint32_t n = first->joints[k].node, partner = world->partners[n];
		double square[2] = {0};

		if (partner == NONE)
			continue;
		shared++;
		for (int i = 0; i < 3; i++) {
			square[0] += (double)rests[0][n].position[i] * (double)rests[0][n].position[i];
			square[1] += (double)rests[1][partner].position[i] * (double)rests[1][partner].position[i];
		}
		/* other nodes of a scene can be at any place, for example at their first key */
		if ((first->has_bones || first->joints[k].of_body) && square[0] > 0 && square[1] > 0)
			ratios[count++] = sqrt(square[1] / square[0]);
	}
	if (count > 0)
		qsort(ratios, count, sizeof *ratios, anim_compare_doubles);
	for (size_t i = 0; i < count; i++)
		off += fabs(ratios[i] / ratios[count / 2] - 1) > UNLIKE;
	figure->unlike = 2 * shared < first->count || 2 * shared < figure->skeletons[1].count || 4 * off > count;
	return 0;
}

int anim_figure_world(void *sink, const struct anim_compare_world *world, struct anim_error *error)
{
	struct figure *figure = sink;
	const struct plot_clip *clip = &figure->view.clip;
	const uint32_t *inverse;

	if (plot_view_pair(&figure->view, world->couple, world->clip, error) != 0)
		return -1;
	if (!figure->view.in_clip)
		return 0;
	figure->left_handed = is_left_handed(world->poses[0]->axes);
	count_samples(figure, clip->end_s > clip->start_s ? (figure->view.page.options.poses - 1) * STEPS + 1 : 1);
	inverse = invert(figure, world, error);
	if (inverse == NULL)
		return -1;

	/*
	 * Place both clips at times that are evenly distributed from the first to the last, like anim_posing_begin_at.
	 * Times are relative to the start of the clip.
	 */
	double *times = anim_arena_zeroed(&figure->arena, figure->path_count, sizeof *times, error);
	double start = figure->view.clip.start_s - (double)world->clip->start_s,
	       length = figure->view.clip.end_s - figure->view.clip.start_s;

	if (times == NULL)
		return -1;
	for (size_t k = 0; k < figure->path_count; k++)
		times[k] = start + (k == 0 ? 0 : length * (double)k / (double)(figure->path_count - 1));
	if (anim_compare_place(world, times, figure->path_count, error) != 0)
		return -1;

	if (world->has_muscles[0] || world->has_muscles[1]) {
		bool result = world->has_muscles[0];

		figure->half =
		    result ? "only the result is drawn: muscles of the source cannot be drawn without their avatar"
			   : "only the source is drawn: muscles of the result cannot be drawn without their avatar";
		figure->count = 1;
		figure->skeletons[0].poses = world->poses[result];
		return find_figure(figure, error) != 0 ? -1 : place_figure(figure, error);
	}
	figure->count = 2;
	figure->skeletons[0].poses = figure->skeletons[1].others = world->poses[0];
	figure->skeletons[1].poses = figure->skeletons[0].others = world->poses[1];
	figure->skeletons[0].partners = world->partners;
	figure->skeletons[1].partners = inverse;
	if (find_figure(figure, error) != 0 || find_unlike(figure, world, error) != 0)
		return -1;

	const char *name;

	figure->apart = world->apart[figure->flat];
	if (figure->apart.worst != NONE) {
		name = anim_node_own_name(anim_poses_path(world->poses[0], figure->apart.worst));
		figure->worst = anim_arena_text(&figure->arena, name, strlen(name), error);
		if (figure->worst == NULL)
			return -1;
	}

	return place_figure(figure, error);
}

/* --- The view --- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct figure *figure = (struct figure *)sink;

	(void)error;
	anim_poses_clear(&figure->posing.poses);
	figure->left_handed = is_left_handed(tree->axes);
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_poses_add(&((struct figure *)sink)->posing.poses, node, error);
}

static void begin(struct plot_view *view)
{
	struct figure *figure = (struct figure *)view;

	figure->ready = false;
	figure->count = 0;
	figure->unlike = false;
	figure->half = NULL;
	figure->apart.off = 0;
	figure->worst = NULL;
	if (!view->page.options.against)
		anim_posing_begin_at(&figure->posing, &view->clip.head, view->clip.start_s, view->clip.end_s,
				     (size_t)(view->page.options.poses - 1) * STEPS + 1);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct figure *figure = (struct figure *)sink;
	const struct anim_clip *clip = &figure->view.clip.head;
	uint32_t node = anim_posing_node(&figure->posing, clip, track);

	return node == ANIM_POSE_NONE ? 0 : anim_posing_track(&figure->posing, clip, track, node, error);
}

static int on_end(struct plot_view *view, struct anim_error *error)
{
	struct figure *figure = (struct figure *)view;

	if (view->clips == 0 || figure->drawn > 0)
		return 0;
	return anim_fail(error, ANIM_BAD_INPUT, "clip '%s' has no figure%s: %s", view->clip.head.name,
			 view->clips > 1 ? ", like all other clips" : "", figure->missing);
}

static void on_open(struct plot_view *view)
{
	anim_poses_init(&((struct figure *)view)->posing.poses, MEMORY);
}

static void on_free(struct plot_view *view)
{
	struct figure *figure = (struct figure *)view;

	anim_posing_clear(&figure->posing);
	anim_arena_clear(&figure->arena);
}

const struct plot_kind plot_figure = {.size = sizeof(struct figure),
				      .light = {light, light},
				      .dark = {dark, dark},
				      .open = on_open,
				      .begin = begin,
				      .finish = finish,
				      .end = on_end,
				      .free = on_free,
				      .tree = on_tree,
				      .node = on_node,
				      .track = on_track};
