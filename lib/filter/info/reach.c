/* reach.c: anim-info --reach: how far joints carry what hangs on them, and how far they are from the root, while a clip plays. */
#include <math.h>
#include <string.h>

#include "clip/print.h"
#include "filter/info/internal.h"

/* --- What is measured --- */

/*
 * What hangs on a joint is a run of the moving nodes in depth-first order. Boxes around halves of halves of that order lead to the
 * farthest node of a run: a box whose farthest corner is no farther than what is known is passed over. So a sample costs about
 * n log n, however deep the tree is.
 */
struct info_box {
	double low[3], high[3];
	uint32_t node; /* the least number of a node in it */
};

static struct info_reach *reaches_of(const struct info *info, size_t *count)
{
	*count = info->reaches.size / sizeof(struct info_reach);
	return (struct info_reach *)(void *)info->reaches.data;
}

static double distance(double x, double y, double z)
{
	return sqrt(x * x + y * y + z * z);
}

static double corner(const struct info_box *box, const double at[ANIM_POSE_NUMBERS])
{
	double off[3];

	for (int i = 0; i < 3; i++)
		off[i] = fmax(fabs(at[4 * i + 3] - box->low[i]), fabs(box->high[i] - at[4 * i + 3]));
	return distance(off[0], off[1], off[2]);
}

static struct info_box join(const struct info_box *a, const struct info_box *b)
{
	struct info_box box = {.node = a->node < b->node ? a->node : b->node};

	for (int i = 0; i < 3; i++) {
		box.low[i] = fmin(a->low[i], b->low[i]);
		box.high[i] = fmax(a->high[i], b->high[i]);
	}
	return box;
}

/* Boxes as a binary heap: those of single nodes, in depth-first order, begin at the power of two that holds them. */
static struct info_box *make_boxes(struct info *info, size_t in_tile)
{
	struct info_box *boxes = (struct info_box *)(void *)info->reach_boxes.data;
	const struct anim_poses *poses = &info->posing.poses;
	size_t count;
	const struct info_reach *reaches = reaches_of(info, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t node = anim_poses_moved(poses, i);
		const double *at = anim_poses_at(poses, node, in_tile);

		boxes[info->reach_leaves + reaches[i].order] =
		    (struct info_box){{at[3], at[7], at[11]}, {at[3], at[7], at[11]}, node};
	}
	for (size_t i = info->reach_leaves; i-- > 1;)
		boxes[i] = join(&boxes[2 * i], &boxes[2 * i + 1]);
	return boxes;
}

struct search {
	const struct info_box *boxes;
	const double *at; /* the joint's transform */
	size_t from, to;  /* what hangs on it, in depth-first order */
	double reach;     /* the most so far, and where; of the same the least number */
	uint32_t farthest;
};

/* The box of the nodes from `first` on, `count` of them; `most`: its farthest corner. */
static void search(struct search *s, size_t box, size_t first, size_t count, double most)
{
	double left, right;

	if (first >= s->to || first + count <= s->from ||
	    !(most > s->reach || (most == s->reach && s->boxes[box].node < s->farthest)))
		return;
	if (count == 1) {
		s->reach = most;
		s->farthest = s->boxes[box].node;
		return;
	}
	count /= 2;
	left = corner(&s->boxes[2 * box], s->at);
	right = corner(&s->boxes[2 * box + 1], s->at);
	if (!(left < right))
		search(s, 2 * box, first, count, left);
	search(s, 2 * box + 1, first + count, count, right);
	if (left < right)
		search(s, 2 * box, first, count, left);
}

/* Every joint against all below it, and against the tree's root, its first node. */
static void measure(void *context, size_t sample, size_t in_tile)
{
	struct info *info = context;
	const struct anim_poses *poses = &info->posing.poses;
	const double *root = anim_poses_at(poses, 0, in_tile);
	size_t count;
	struct info_reach *reaches = reaches_of(info, &count);
	struct search s = {.boxes = count > 0 ? make_boxes(info, in_tile) : NULL};

	(void)sample;
	for (size_t i = 0; i < count; i++) {
		struct info_reach *reach = &reaches[i];

		s.at = anim_poses_at(poses, anim_poses_moved(poses, i), in_tile);
		s.from = reach->order + 1;
		s.to = reach->order + reach->below + 1;
		s.reach = reach->reach;
		s.farthest = 0; /* what is as far as before is no farther */
		if (reach->below > 0)
			search(&s, 1, 0, info->reach_leaves, corner(&s.boxes[1], s.at));
		if (s.reach > reach->reach)
			reach->farthest = s.farthest;
		reach->reach = s.reach;
		reach->from_root =
		    fmax(reach->from_root, distance(s.at[3] - root[3], s.at[7] - root[7], s.at[11] - root[11]));
	}
}

/* Room for a row each and for the boxes, and the depth-first order of the nodes that move. 0 or -1. */
static int order_nodes(struct info *info, struct anim_error *error)
{
	const struct anim_poses *poses = &info->posing.poses;
	size_t count = poses->moving, roots = 0;
	struct info_reach *reaches;
	struct info_box *boxes;

	if (count == 0)
		return 0;
	info->reach_leaves = 1;
	while (info->reach_leaves < count)
		info->reach_leaves *= 2;
	info->reach_boxes.size = 0;
	reaches = anim_buffer_extend(&info->reaches, count * sizeof *reaches, error);
	boxes = anim_buffer_extend(&info->reach_boxes, 2 * info->reach_leaves * sizeof *boxes, error);
	if (reaches == NULL || boxes == NULL)
		return -1;
	memset(reaches, 0, count * sizeof *reaches);
	for (size_t i = 0; i < 2 * info->reach_leaves; i++)
		boxes[i] =
		    (struct info_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, UINT32_MAX};
	for (size_t i = count; i-- > 0;) {
		uint32_t parent = anim_poses_parent(poses, anim_poses_moved(poses, i));

		if (parent != ANIM_POSE_NONE && anim_poses_moves(poses, parent))
			reaches[anim_poses_slot(poses, parent)].below += reaches[i].below + 1;
	}
	for (size_t i = 0; i < count;
	     i++) { /* a node's own place, then the places of each child and what is below it */
		uint32_t parent = anim_poses_parent(poses, anim_poses_moved(poses, i));
		bool hangs = parent != ANIM_POSE_NONE && anim_poses_moves(poses, parent);
		size_t *next = hangs ? &reaches[anim_poses_slot(poses, parent)].next : &roots;

		reaches[i].order = *next;
		reaches[i].next = *next + 1;
		*next += reaches[i].below + 1;
	}
	return 0;
}

/* The rows' paths. 0 or -1. */
static int name_nodes(struct info *info, struct anim_error *error)
{
	const struct anim_poses *poses = &info->posing.poses;
	size_t count;
	struct info_reach *reaches = reaches_of(info, &count);

	for (size_t i = 0; i < count; i++) {
		const char *path = anim_poses_path(poses, anim_poses_moved(poses, i));
		const char *to = anim_poses_path(poses, reaches[i].farthest);

		reaches[i].node = anim_arena_text(&info->reach_texts, path, strlen(path), error);
		reaches[i].to = anim_arena_text(&info->reach_texts, to, strlen(to), error);
		if (reaches[i].node == NULL || reaches[i].to == NULL)
			return -1;
	}
	return 0;
}

int info_reach_settle(struct info *info, struct anim_error *error)
{
	if (!info->reaching)
		return 0;
	info->reaching = false;
	if (anim_rests_check(&info->posing.poses.rests, error) != 0)
		return -1;
	if (info->posing.samples == 0)
		return 0;
	if (info->posing.unsure)
		return anim_diagnostics_warn(
		    info->options.diagnostics, "clips have tracks that say where nodes stand in part alone", error,
		    "tracks of '%s' say where nodes stand in part alone: put 'anim-bake' before this",
		    info->posed.name);
	info->placed = true;
	if (anim_poses_ready(&info->posing.poses, error) != 0 || order_nodes(info, error) != 0 ||
	    anim_poses_each(&info->posing.poses, measure, info, error) != 0)
		return -1;
	return name_nodes(info, error);
}

int info_reach_begin(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	info->reaches.size = 0;
	info->reaching = true;
	info->placed = false;
	anim_arena_reset(&info->reach_texts);
	anim_arena_reset(&info->posed_texts);
	anim_posing_begin(&info->posing, clip);
	return anim_clip_copy(&info->posed, clip, &info->posed_texts, error);
}

int info_reach_track(struct info *info, const struct anim_track *track, struct anim_error *error)
{
	uint32_t node = anim_posing_node(&info->posing, &info->posed, track);

	return node == ANIM_POSE_NONE ? 0 : anim_posing_track(&info->posing, &info->posed, track, node, error);
}

/* --- As rows --- */

enum { NODE, FROM_ROOT, REACH, FARTHEST, COLUMNS };

/* The cells of a node, in the scratch arena. 0 or -1. */
static int fill_row(struct info *info, const struct info_reach *reach, const char *cells[COLUMNS],
		    struct anim_error *error)
{
	bool carries = reach->reach > 0;
	char text[TEXT_NUMBER_MAX];

	text_of_number(text, reach->reach, "");
	cells[NODE] = anim_safe_copy(&info->scratch, reach->node, error);
	cells[REACH] = carries ? anim_arena_text(&info->scratch, text, strlen(text), error) : "";
	cells[FARTHEST] = carries ? anim_safe_copy(&info->scratch, reach->to, error) : "";
	text_of_number(text, reach->from_root, "");
	cells[FROM_ROOT] = anim_arena_text(&info->scratch, text, strlen(text), error);
	for (int i = 0; i < COLUMNS; i++)
		if (cells[i] == NULL)
			return -1;
	return 0;
}

static void print_row(struct anim_print *print, const char *const cells[COLUMNS], const size_t widths[COLUMNS])
{
	int last = cells[REACH][0] == '\0' ? FROM_ROOT : FARTHEST;

	for (int i = 0; i <= last; i++) {
		anim_print_text(print, "  ");
		text_print_cell(print, cells[i], i == FARTHEST ? 0 : widths[i], i == REACH || i == FROM_ROOT);
	}
	anim_print_text(print, "\n");
}

/* The rows of the clip that is over. 0 or -1. */
static int flush(struct info *info, struct anim_error *error)
{
	static const char *const head[COLUMNS] = {"node", "from root", "reach", "to"};
	size_t count, widths[COLUMNS] = {0};
	const struct info_reach *reaches = reaches_of(info, &count);
	const char *(*rows)[COLUMNS];

	info->rows.size = 0;
	if (info->in_clip && !info->placed)
		anim_print_text(&info->print, "  where its nodes stand is not known\n");
	rows = anim_buffer_extend(&info->rows, (count + 1) * sizeof *rows, error);
	if (rows == NULL)
		return -1;
	memcpy(rows[0], head, sizeof head);
	for (size_t i = 0; i < count; i++)
		if (fill_row(info, &reaches[i], rows[i + 1], error) != 0)
			return -1;
	for (size_t i = 0; i <= count && count > 0; i++)
		text_widen(widths, rows[i], COLUMNS);
	for (size_t i = 0; i <= count && count > 0; i++)
		print_row(&info->print, rows[i], widths);
	info->rows.size = 0;
	anim_arena_reset(&info->scratch);
	return info->print.failed ? -1 : 0;
}

static int reach_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	if (flush(info, error) != 0)
		return -1;
	info->in_clip = true;
	if (info->clips > 1)
		anim_print_text(&info->print, "\n");
	if (info_print_clip(info, clip, error) != 0)
		return -1;
	anim_print_text(&info->print, "\n");
	return info->print.failed ? -1 : 0;
}

const struct info_form info_reach_form = {.clip = reach_clip, .end = flush};

/* --- In the document --- */

void info_reach_member(struct info *info)
{
	struct anim_print *print = &info->print;
	size_t count;
	const struct info_reach *reaches = reaches_of(info, &count);

	anim_print_member(print, "reach");
	anim_print_text(print, info->placed ? "[" : "null");
	for (size_t i = 0; i < count; i++) {
		anim_print_text(print, i > 0 ? ",\n{\"node\":" : "\n{\"node\":");
		anim_print_json_text(print, reaches[i].node);
		anim_print_number_member(print, "from_root", reaches[i].from_root, false);
		anim_print_number_member(print, "reach", reaches[i].reach, false);
		anim_print_text_member(print, "farthest", reaches[i].reach > 0 ? reaches[i].to : NULL);
		anim_print_text(print, "}");
	}
	anim_print_text(print, info->placed ? "]" : "");
}
