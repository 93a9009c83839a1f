/* info.c: the sink of anim-info, and its forms --reach and --spark. */
#include "filter/info/info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "clip/print.h"
#include "filter/info/forms.h"
#include "filter/plot/plot.h"
#include "filter/select.h"

/* ======== How far joints reach ======== */

/* --- Measurement --- */

/*
 * In depth-first order of the moving nodes, the nodes below a joint are consecutive. A binary tree of boxes over this
 * order finds the farthest node: a box is skipped if its farthest corner is not farther than the result so far. So a
 * sample costs about n log n, however deep the tree is.
 */
struct info_box {
	double low[3], high[3];
	uint32_t node; /* the lowest number of a node in the box */
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

/*
 * Make the boxes as a binary heap. The boxes of single nodes, in depth-first order, begin at the power of two that is
 * large enough for all nodes.
 */
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
	for (size_t i = info->reach_leaves; i-- > 1;) {
		const struct info_box *a = &boxes[2 * i];
		const struct info_box *b = &boxes[2 * i + 1];
		struct info_box box = {.node = a->node < b->node ? a->node : b->node};

		for (int k = 0; k < 3; k++) {
			box.low[k] = fmin(a->low[k], b->low[k]);
			box.high[k] = fmax(a->high[k], b->high[k]);
		}
		boxes[i] = box;
	}
	return boxes;
}

struct search {
	const struct info_box *boxes;
	const double *at; /* the joint's transform */
	size_t from, to;  /* the nodes below the joint, in depth-first order */
	double reach;     /* the largest distance so far and its node, the lowest number if several are equal */
	uint32_t farthest;
};

/* Search the box of `count` nodes from `first` on. `most` is the distance of its farthest corner. */
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

/* Measure every joint against all nodes below it, and against the tree's first node, its root. */
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
		s.farthest = 0; /* an equal distance does not replace the earlier result */
		if (reach->below > 0)
			search(&s, 1, 0, info->reach_leaves, corner(&s.boxes[1], s.at));
		if (s.reach > reach->reach)
			reach->farthest = s.farthest;
		reach->reach = s.reach;
		reach->from_root =
		    fmax(reach->from_root, distance(s.at[3] - root[3], s.at[7] - root[7], s.at[11] - root[11]));
	}
}

/* Reserve a row for each node and the boxes, and compute the depth-first order of the moving nodes. Returns 0 or -1. */
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
	/* The order of a node, then for each child the orders of the child and the nodes below it. */
	for (size_t i = 0; i < count; i++) {
		uint32_t parent = anim_poses_parent(poses, anim_poses_moved(poses, i));
		bool is_below = parent != ANIM_POSE_NONE && anim_poses_moves(poses, parent);
		size_t *next = is_below ? &reaches[anim_poses_slot(poses, parent)].next : &roots;

		reaches[i].order = *next;
		reaches[i].next = *next + 1;
		*next += reaches[i].below + 1;
	}
	return 0;
}

/* Measure a clip once, at its end, while its tree is known. Returns 0 or -1. */
static int reach_finish(struct info *info, struct anim_error *error)
{
	if (!info->reaching)
		return 0;
	info->reaching = false;
	if (anim_rests_check(&info->posing.poses.rests, error) != 0 || anim_posing_join(&info->posing, error) != 0)
		return -1;
	if (info->posing.samples == 0)
		return 0;
	if (info->posing.unsure)
		return anim_diagnostics_warn(
		    info->options.diagnostics, "clip", error,
		    "'%s': the positions of some nodes are not determined by the tracks; " ANIM_ADVICE(BAKE),
		    info->posed.name);
	info->placed = true;
	if (anim_poses_ready(&info->posing.poses, error) != 0 || order_nodes(info, error) != 0 ||
	    anim_poses_each(&info->posing.poses, measure, info, error) != 0)
		return -1;

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

/* 0 or -1 */
static int reach_begin(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	info->reaches.size = 0;
	info->reaching = true;
	info->placed = false;
	anim_arena_reset(&info->reach_texts);
	anim_arena_reset(&info->posed_texts);
	anim_posing_begin(&info->posing, clip);
	return anim_clip_copy(&info->posed, clip, &info->posed_texts, error);
}

/* --- As rows --- */

enum { NODE, FROM_ROOT, REACH, FARTHEST, COLUMNS };

/* Print the rows of the last clip. Returns 0 or -1. */
static int flush(struct info *info, struct anim_error *error)
{
	static const char *const head[COLUMNS] = {"node", "from root", "reach", "to"};
	size_t count, widths[COLUMNS] = {0};
	const struct info_reach *reaches = reaches_of(info, &count);
	const char *(*rows)[COLUMNS];

	info->rows.size = 0;
	if (info->in_clip && !info->placed)
		anim_print_text(&info->print, "  the positions of its nodes are unknown\n");
	rows = anim_buffer_extend(&info->rows, (count + 1) * sizeof *rows, error);
	if (rows == NULL)
		return -1;
	memcpy(rows[0], head, sizeof head);
	for (size_t i = 0; i < count; i++) {
		const struct info_reach *reach = &reaches[i];
		const char **cells = rows[i + 1];
		bool carries = reach->reach > 0;
		char text[TEXT_NUMBER_MAX];

		text_of_number(text, reach->reach, "");
		cells[NODE] = anim_safe_copy(&info->scratch, reach->node, error);
		cells[REACH] = carries ? anim_arena_text(&info->scratch, text, strlen(text), error) : "";
		cells[FARTHEST] = carries ? anim_safe_copy(&info->scratch, reach->to, error) : "";
		text_of_number(text, reach->from_root, "");
		cells[FROM_ROOT] = anim_arena_text(&info->scratch, text, strlen(text), error);
		for (int k = 0; k < COLUMNS; k++)
			if (cells[k] == NULL)
				return -1;
	}
	for (size_t i = 0; i <= count && count > 0; i++)
		text_widen(widths, rows[i], COLUMNS);
	for (size_t i = 0; i <= count && count > 0; i++) {
		int last = rows[i][REACH][0] == '\0' ? FROM_ROOT : FARTHEST;

		for (int j = 0; j <= last; j++) {
			anim_print_text(&info->print, "  ");
			text_print_cell(&info->print, rows[i][j], j == FARTHEST ? 0 : widths[j],
					j == REACH || j == FROM_ROOT);
		}
		anim_print_text(&info->print, "\n");
	}
	info->rows.size = 0;
	anim_arena_reset(&info->scratch);
	return info->print.failed ? -1 : 0;
}

static int reach_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	if (flush(info, error) != 0)
		return -1;
	info->in_clip = true;
	return info_print_heading(info, clip, error);
}

const struct info_form info_reach_form = {.clip = reach_clip, .end = flush};

/* --- As members of the JSON document --- */

/* ======== Tracks as small curves ======== */

enum { SPARK_NODE, PROPERTY, BLOCKS, VALUES, SPARK_COLUMNS };

#define KEPT 1000 /* rows that are printed together: aligned to the widest of them and of the rows before */

/* Return the number of blocks in a line: two fifths of its width. */
static size_t blocks_of(const struct info *info)
{
	size_t count = info->options.width * 2u / 5;

	return count < ANIM_SPARK_MOST ? count : ANIM_SPARK_MOST;
}

/* Print the waiting rows. */
static int flush_sparks(struct info *info, struct anim_error *error)
{
	const char *const *rows = (const char *const *)(const void *)info->rows.data;
	size_t count = info->rows.size / sizeof *rows;

	(void)error;
	for (size_t i = 0; i < count; i += SPARK_COLUMNS)
		text_widen(info->widths, rows + i, VALUES);
	for (size_t i = 0; i < count; i += SPARK_COLUMNS) {
		for (int cell = 0; cell < SPARK_COLUMNS; cell++) {
			anim_print_text(&info->print, "  ");
			text_print_cell(&info->print, rows[i + (size_t)cell], cell == VALUES ? 0 : info->widths[cell],
					false);
		}
		anim_print_text(&info->print, "\n");
	}
	info->rows.size = 0;
	anim_arena_reset(&info->scratch);
	return info->print.failed ? -1 : 0;
}

static int spark_track(struct info *info, const struct anim_track *track, const struct summary *summary,
		       struct anim_error *error)
{
	const char **cells, *label;

	(void)summary;
	if (info->rows.size >= KEPT * SPARK_COLUMNS * sizeof *cells && flush_sparks(info, error) != 0)
		return -1;
	cells = anim_buffer_extend(&info->rows, SPARK_COLUMNS * sizeof *cells, error);
	if (cells == NULL)
		return -1;
	label = anim_label_copy(&info->scratch, "", track->property, track->component, error);
	cells[SPARK_NODE] = anim_safe_copy(&info->scratch, track->node, error);
	cells[PROPERTY] = label == NULL ? NULL : anim_safe_copy(&info->scratch, label, error);
	if (cells[SPARK_NODE] == NULL || cells[PROPERTY] == NULL)
		return -1;

	/* If the track cannot be played, the value cell says so. */
	struct anim_spark spark;

	cells[BLOCKS] = "";
	cells[VALUES] = anim_plot_refusal(track);
	if (cells[VALUES] != NULL)
		return 0;
	if (anim_track_is_constant(track)) {
		cells[VALUES] = text_of_first(track, &info->scratch, error);
		return cells[VALUES] == NULL ? -1 : 0;
	}
	if (anim_spark(&info->posed, track, blocks_of(info), &spark, error) != 0) {
		if (error->code != ANIM_UNSUPPORTED)
			return -1;
		*error = (struct anim_error){0};
		cells[VALUES] = "not played";
		return 0;
	}

	size_t count = blocks_of(info);
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const letters[] = {" ", "_", ".", ":", "-", "=", "+", "*", "#"};
	char text[4 * ANIM_SPARK_MOST], least[TEXT_NUMBER_MAX], most[TEXT_NUMBER_MAX];
	size_t size = 0;

	for (size_t c = 0; c < count; c++) {
		const char *block = info->options.utf8 ? blocks[spark.levels[c]] : letters[spark.levels[c]];

		memcpy(text + size, block, strlen(block));
		size += strlen(block);
	}
	cells[BLOCKS] = anim_arena_text(&info->scratch, text, size, error);

	/* "x 0 .. 1 m" */
	cells[VALUES] = "no value";
	if (spark.least <= spark.most) {
		text_of_number(least, spark.least, "");
		text_of_number(most, spark.most, spark.unit);
		cells[VALUES] = anim_arena_printf(&info->scratch, error, "%s%s%s .. %s", spark.component,
						  *spark.component == '\0' ? "" : " ", least, most);
	}
	return cells[BLOCKS] == NULL || cells[VALUES] == NULL ? -1 : 0;
}

static int spark_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	if (flush_sparks(info, error) != 0)
		return -1;
	memset(info->widths, 0, sizeof info->widths);
	if (info->clips > 1)
		anim_print_text(&info->print, "\n");
	if (info_print_clip(info, clip, error) != 0)
		return -1;
	anim_print_text(&info->print, "\n");
	anim_arena_reset(&info->posed_texts);
	return anim_clip_copy(&info->posed, clip, &info->posed_texts, error);
}

const struct info_form info_spark = {.clip = spark_clip, .track = spark_track, .end = flush_sparks};

/* ======== The sink, and functions that its forms share ======== */

/* --- anim-info --csv: a row for each track --- */

static const char head[] =
    "clip,player,node,property,component,type,kind,interp,rate,keys,first,last,min,max,bytes,flags,source\n";

static void cell(struct anim_print *print, const char *text)
{
	if (*text != '\0')
		anim_print_csv(print, text, strlen(text));
	anim_print_text(print, ",");
}

static void number_cell(struct anim_print *print, double value, bool single, bool there)
{
	if (there && single)
		anim_print_float(print, (float)value);
	else if (there)
		anim_print_double(print, value);
	anim_print_text(print, ",");
}

static void count_cell(struct anim_print *print, uint64_t count)
{
	anim_print_uint64(print, count);
	anim_print_text(print, ",");
}

/* Copy the parts of the clip that its rows show. */
static int csv_copy_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	const char *player = anim_attrs_get(&clip->attrs, "player"), *file = anim_clip_file(clip, info->tree_file);

	anim_arena_reset(&info->scratch);
	info->clip = *clip;
	info->clip_name = anim_arena_text(&info->scratch, clip->name, strlen(clip->name), error);
	info->clip_player = player == NULL ? "" : anim_arena_text(&info->scratch, player, strlen(player), error);
	info->clip_file = anim_arena_text(&info->scratch, file, strlen(file), error);
	return info->clip_name == NULL || info->clip_player == NULL || info->clip_file == NULL || info->print.failed
		   ? -1
		   : 0;
}

static int csv_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	if (info->clips == 1)
		anim_print_text(&info->print, head);
	return csv_copy_clip(info, clip, error);
}

/* Print the smallest and the largest number of all components. */
static void range_cells(struct anim_print *print, const struct anim_track *track, const struct summary *summary)
{
	const struct anim_type_info *info = &anim_types[track->type];
	double least = summary->least[0], most = summary->most[0];

	for (unsigned i = 1; summary->has_range && i < info->components; i++) {
		least = summary->least[i] < least ? summary->least[i] : least;
		most = summary->most[i] > most ? summary->most[i] : most;
	}
	number_cell(print, least, info->scalar == ANIM_SCALAR_F32, summary->has_range);
	number_cell(print, most, info->scalar == ANIM_SCALAR_F32, summary->has_range);
}

static int csv_track(struct info *info, const struct anim_track *track, const struct summary *summary,
		     struct anim_error *error)
{
	struct anim_print *print = &info->print;
	double rate = 0;

	(void)error;
	cell(print, info->clip_name);
	cell(print, info->clip_player);
	cell(print, track->node);
	cell(print, track->property);
	if (track->component != ANIM_WHOLE)
		anim_print_uint64(print, track->component);
	anim_print_text(print, ",");
	cell(print, anim_types[track->type].name);
	cell(print, anim_kind_names[track->kind]);
	cell(print, summary->interp == ANIM_INTERP_COLUMN ? "mixed" : anim_interp_names[summary->interp]);
	/* samples per second of Raw tracks */
	if (track->kind == ANIM_RAW && track->rate_num != 0)
		rate = (double)track->rate_num / (double)track->rate_den;
	else if (track->kind == ANIM_RAW && track->step_s != 0)
		rate = 1 / track->step_s;
	number_cell(print, rate, false, rate != 0);
	count_cell(print, track->n);
	number_cell(print, summary->first_s, track->kind != ANIM_RAW, summary->has_times);
	number_cell(print, summary->last_s, track->kind != ANIM_RAW, summary->has_times);
	range_cells(print, track, summary);
	count_cell(print, summary->bytes);
	anim_print_bits(print, track->flags, anim_track_flag_names, ANIM_TRACK_FLAG_COUNT, " ");
	anim_print_text(print, ",");
	if (info->clip_file[0] != '\0')
		anim_print_csv(print, info->clip_file, strlen(info->clip_file));
	anim_print_text(print, "\n");
	return print->failed ? -1 : 0;
}

static int csv_end(struct info *info, struct anim_error *error)
{
	(void)error;
	if (info->clips == 0)
		anim_print_text(&info->print, head);
	return info->print.failed ? -1 : 0;
}

static const struct info_form info_csv = {.clip = csv_clip, .track = csv_track, .end = csv_end};

/* --- anim-info -l --csv: a row for each clip, once all its tracks have arrived --- */

static const char clip_head[] = "clip,player,start,end,duration,rate,loop,tracks,keys,bytes,axes,source\n";

static void csv_clip_row(struct info *info)
{
	struct anim_print *print = &info->print;
	const struct anim_clip *clip = &info->clip;
	const double rate = clip->rate_num != 0 ? (double)clip->rate_num / (double)clip->rate_den : 0;

	cell(print, info->clip_name);
	cell(print, info->clip_player);
	number_cell(print, (double)clip->start_s, true, true);
	number_cell(print, (double)clip->end_s, true, true);
	number_cell(print, (double)clip->end_s - (double)clip->start_s, true, true);
	number_cell(print, rate, false, rate != 0);
	cell(print, anim_loop_names[clip->loop]);
	count_cell(print, info->clip_tracks);
	count_cell(print, info->clip_keys);
	count_cell(print, info->clip_bytes);
	cell(print, anim_axes_names[clip->axes]);
	if (info->clip_file[0] != '\0')
		anim_print_csv(print, info->clip_file, strlen(info->clip_file));
	anim_print_text(print, "\n");
}

static int csv_clips_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	if (info->clips == 1)
		anim_print_text(&info->print, clip_head);
	else
		csv_clip_row(info);
	return csv_copy_clip(info, clip, error);
}

static int csv_clips_end(struct info *info, struct anim_error *error)
{
	(void)error;
	if (info->clips == 0)
		anim_print_text(&info->print, clip_head);
	else
		csv_clip_row(info);
	return info->print.failed ? -1 : 0;
}

static const struct info_form info_csv_clips = {.clip = csv_clips_clip, .end = csv_clips_end};

/* --- anim-info --json: one document, with clips as they arrive, followed by trees and everything else --- */

static void floats_member(struct anim_print *print, const char *name, const float *numbers, int count, bool there)
{
	anim_print_member(print, name);
	for (int i = 0; there && i < count; i++) {
		anim_print_text(print, i == 0 ? "[" : ",");
		anim_print_json_number(print, (double)numbers[i], true);
	}
	anim_print_text(print, there ? "]" : "null");
}

/* Return the print to which trees are collected. */
static struct anim_print tree_print(struct info *info, struct anim_error *error)
{
	struct anim_print print = {.error = error};

	print.failed = info->tree_out == NULL && anim_output_open_memory(&info->tree_out, error) != 0;
	print.out = info->tree_out;
	return print;
}

/* Print the end of the list of nodes, and the bones of a human. */
static void end_tree(struct info *info, struct anim_print *print, const char *end, struct anim_error *error)
{
	anim_print_text(print, info->tree_nodes > 0 ? "\n]" : "]");
	if (info->options.bones)
		info_bones_json(info, print, error);
	anim_print_text(print, end);
}

static int json_tree(struct info *info, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_print print = tree_print(info, error);

	if (info->in_tree)
		end_tree(info, &print, "},", error);
	anim_print_text(&print, "\n{\"root\":");
	anim_print_json_text(&print, tree->root_name);
	anim_print_text_member(&print, "source", tree->source_file);
	anim_print_text_member(&print, "axes", anim_axes_names[tree->axes]);
	anim_print_text_member(&print, "axes2d", anim_axes2d_names[tree->axes2d]);
	anim_print_attrs_member(&print, &tree->attrs);
	anim_print_member(&print, "nodes");
	anim_print_text(&print, "[");
	info->in_tree = true;
	info->tree_nodes = 0;
	if (info->options.bones && info_bones_tree(info, tree, error) != 0)
		return -1;
	return print.failed ? -1 : 0;
}

static int json_node(struct info *info, const struct anim_node *node, struct anim_error *error)
{
	struct anim_print print = tree_print(info, error);

	anim_print_text(&print, info->tree_nodes > 0 ? ",\n{\"path\":" : "\n{\"path\":");
	anim_print_json_text(&print, node->path);
	anim_print_text_member(&print, "type", node->type);
	anim_print_text_member(&print, "kind", anim_node_kind_names[node->kind]);
	anim_print_natural_member(&print, "parent", info->tree_nodes > 0, node->parent);
	floats_member(&print, "position", node->position, 3, (node->has & ANIM_HAS_POSITION) != 0);
	floats_member(&print, "rotation", node->rotation, 4, (node->has & ANIM_HAS_ROTATION) != 0);
	floats_member(&print, "scale", node->scale, 3, (node->has & ANIM_HAS_SCALE) != 0);
	anim_print_bool_member(&print, "two_dimensional", (node->has & ANIM_HAS_2D) != 0);
	anim_print_attrs_member(&print, &node->attrs);
	anim_print_text(&print, "}");
	info->tree_nodes++;
	if (info->options.bones && info_bones_node(info, node, error) != 0)
		return -1;
	return print.failed ? -1 : 0;
}

/* Print the beginning of the document, or the end of the last clip. */
static void next_clip(struct info *info, bool more)
{
	if (info->in_clip) {
		anim_print_text(&info->print, info->clip_tracks > 0 ? "\n]" : "]");
		anim_print_count_member(&info->print, "keys", info->clip_keys);
		anim_print_count_member(&info->print, "bytes", info->clip_bytes);
		anim_print_count_member(&info->print, "humanoid", info->clip_humanoid);
		if (info->options.reach) {
			/* Print the measurements as members of a clip's object. */
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
		anim_print_text(&info->print, "}");
	} else {
		anim_print_text(&info->print, "{\"clips\":[");
	}
	anim_print_text(&info->print, more && info->in_clip ? "," : "");
	info->in_clip = true;
}

static int json_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_print *print = &info->print;

	(void)error;
	next_clip(info, true);
	anim_print_text(print, "\n{\"name\":");
	anim_print_json_text(print, clip->name);
	anim_print_text_member(print, "root", clip->root);
	anim_print_text_member(print, "source", clip->source);
	if (info->options.encoding != NULL && *info->options.encoding != NULL)
		anim_print_text_member(print, "encoding", *info->options.encoding);
	anim_print_number_member(print, "start", (double)clip->start_s, true);
	anim_print_number_member(print, "end", (double)clip->end_s, true);
	anim_print_bool_member(print, "end_derived", (clip->flags & ANIM_END_DERIVED) != 0);
	anim_print_text_member(print, "loop", anim_loop_names[clip->loop]);
	anim_print_text_member(print, "axes", anim_axes_names[clip->axes]);
	anim_print_text_member(print, "axes2d", anim_axes2d_names[clip->axes2d]);
	anim_print_rate_member(print, clip->rate_num, clip->rate_den);
	anim_print_natural_member(print, "tree", (clip->flags & ANIM_IN_TREE) != 0 && info->trees > 0, info->trees - 1);
	anim_print_attrs_member(print, &clip->attrs);
	anim_print_member(print, "tracks");
	anim_print_text(print, "[");
	return print->failed ? -1 : 0;
}

static void range_member(struct anim_print *print, const char *name, const double *components,
			 const struct anim_track *track, const struct summary *summary)
{
	bool floats = anim_types[track->type].scalar == ANIM_SCALAR_F32;

	anim_print_member(print, name);
	for (unsigned i = 0; summary->has_range && i < anim_types[track->type].components; i++) {
		anim_print_text(print, i == 0 ? "[" : ",");
		anim_print_json_number(print, components[i], floats);
	}
	anim_print_text(print, summary->has_range ? "]" : "null");
}

static int json_track(struct info *info, const struct anim_track *track, const struct summary *summary,
		      struct anim_error *error)
{
	struct anim_print *print = &info->print;
	bool mixed = summary->interp == ANIM_INTERP_COLUMN;
	double nothing;

	(void)error;
	anim_print_text(print, info->clip_tracks > 1 ? ",\n{" : "\n{");
	anim_print_track_members(print, track);
	anim_print_text_member(print, "interp", mixed ? "mixed" : anim_interp_names[summary->interp]);
	anim_print_text_member(print, "rules", anim_rules_names[track->rules]);
	anim_print_text_member(print, "before", anim_extrapolation_names[track->pre]);
	anim_print_text_member(print, "after", anim_extrapolation_names[track->post]);
	anim_print_bits_member(print, "flags", track->flags, anim_track_flag_names, ANIM_TRACK_FLAG_COUNT);
	anim_print_bool_member(print, "eased", summary->eased);
	anim_print_count_member(print, "keys", track->n);
	nothing = (double)NAN;
	if (track->kind == ANIM_RAW) {
		anim_print_number_member(print, "start", track->start_s, false);
		anim_print_number_member(print, "step", track->step_s, false);
		anim_print_rate_member(print, track->rate_num, track->rate_den);
	}
	anim_print_number_member(print, "first", summary->has_times ? summary->first_s : nothing, false);
	anim_print_number_member(print, "last", summary->has_times ? summary->last_s : nothing, false);
	range_member(print, "min", summary->least, track, summary);
	range_member(print, "max", summary->most, track, summary);
	anim_print_count_member(print, "bytes", summary->bytes);
	anim_print_attrs_member(print, &track->attrs);
	anim_print_text(print, "}");
	return print->failed ? -1 : 0;
}

static int json_end(struct info *info, struct anim_error *error)
{
	struct anim_print *print = &info->print;
	const uint8_t *text = NULL;
	size_t size = 0;

	next_clip(info, false);
	anim_print_text(print, info->clips > 0 ? "\n]" : "]");
	anim_print_member(&info->print, "trees");
	anim_print_text(&info->print, "[");
	if (info->tree_out != NULL)
		text = anim_output_memory(info->tree_out, &size);
	anim_print_bytes(&info->print, text, size);
	if (info->in_tree)
		end_tree(info, print, "}\n", error);
	anim_print_text(&info->print, "]");

	const struct anim_prog *progs = (const struct anim_prog *)(const void *)info->progs.data;
	size_t count = info->progs.size / sizeof *progs;

	anim_print_member(print, "programs");
	anim_print_text(print, "[");
	for (size_t i = 0; i < count; i++) {
		anim_print_text(print, i > 0 ? ",\n{\"program\":" : "\n{\"program\":");
		anim_print_json_text(print, progs[i].program);
		anim_print_text_member(print, "version", progs[i].version);
		anim_print_attrs_member(print, &progs[i].attrs);
		anim_print_text(print, "}");
	}
	anim_print_text(print, count > 0 ? "\n]" : "]");

	anim_print_member(&info->print, "other_records");
	for (size_t i = 0; i < info->tag_count; i++) {
		anim_print_text(&info->print, i == 0 ? "{" : ",");
		anim_print_json_text(&info->print, info->tags[i].tag);
		anim_print_text(&info->print, ":");
		anim_print_uint64(&info->print, info->tags[i].count);
	}
	anim_print_text(&info->print, info->tag_count == 0 ? "{}" : "}");
	anim_print_member(print, "totals");
	anim_print_text(print, "{\"clips\":");
	anim_print_uint64(print, info->clips);
	anim_print_count_member(print, "tracks", info->tracks);
	anim_print_count_member(print, "keys", info->keys);
	anim_print_count_member(print, "bytes", info->bytes);
	anim_print_count_member(print, "trees", info->trees);
	anim_print_count_member(print, "nodes", info->nodes);
	anim_print_count_member(print, "bones", info->bones);
	anim_print_count_member(print, "humanoid", info->humanoid);
	anim_print_text(print, "}}\n");
	return print->failed ? -1 : 0;
}

static const struct info_form info_json = {json_tree, json_node, json_clip, json_track, json_end};

/* --- The sink of anim-info: counts records, and passes them to the form --- */

static struct info *info_of(struct anim_sink *sink, struct anim_error *error)
{
	struct info *info = (struct info *)sink;

	info->print.error = error;
	return info;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct info *info = info_of(sink, error);

	if (reach_finish(info, error) != 0)
		return -1;
	anim_poses_clear(&info->posing.poses);
	info->trees++;
	info->tree_file = anim_arena_text(&info->kept, tree->source_file, strlen(tree->source_file), error);
	if (info->tree_file == NULL)
		return -1;
	return info->form->tree == NULL ? 0 : info->form->tree(info, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct info *info = info_of(sink, error);

	if (info->options.reach && anim_poses_add(&info->posing.poses, node, error) != 0)
		return -1;
	info->nodes++;
	info->bones += node->kind == ANIM_NODE_BONE;
	return info->form->node == NULL ? 0 : info->form->node(info, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct info *info = info_of(sink, error);

	if (reach_finish(info, error) != 0)
		return -1;
	info->clips++;
	if (info->form->clip(info, clip, error) != 0 || (info->options.reach && reach_begin(info, clip, error) != 0))
		return -1;
	info->clip_tracks = info->clip_keys = info->clip_bytes = info->clip_humanoid = 0;
	return 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct info *info = info_of(sink, error);
	struct summary summary;

	summary_of(track, &summary);
	info->tracks++;
	info->keys += track->n;
	info->bytes += summary.bytes;
	info->clip_tracks++;
	info->clip_keys += track->n;
	info->clip_bytes += summary.bytes;
	if (anim_attrs_get(&track->attrs, "unity.humanoid") != NULL) {
		info->humanoid++;
		info->clip_humanoid++;
	}

	/* 0 or -1 */
	if (info->options.reach) {
		uint32_t node = anim_posing_node(&info->posing, &info->posed, track);

		if (node != ANIM_POSE_NONE && anim_posing_track(&info->posing, &info->posed, track, node, error) != 0)
			return -1;
	}

	return info->form->track == NULL ? 0 : info->form->track(info, track, &summary, error);
}

/* Return the entry of a tag. The last entry counts all tags without their own. */
static struct info_tag *tag_of(struct info *info, const char *tag)
{
	size_t i = 0;

	while (i < info->tag_count && strcmp(info->tags[i].tag, tag) != 0)
		i++;
	if (i >= INFO_TAGS - 1) {
		i = INFO_TAGS - 1;
		tag = "...";
	}
	if (i >= info->tag_count) {
		memcpy(info->tags[i].tag, tag, strlen(tag) + 1);
		info->tag_count = i + 1;
	}
	return &info->tags[i];
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct info *info = info_of(sink, error);

	if (strcmp(record->tag, "prog") == 0) {
		struct anim_prog *prog = anim_buffer_extend(&info->progs, sizeof *prog, error);

		return prog == NULL ? -1 : anim_record_prog(record, prog, &info->kept, error);
	}
	tag_of(info, record->tag)->count++;
	return 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct info *info = info_of(sink, error);

	if (reach_finish(info, error) != 0 || anim_diagnostics_check(info->options.diagnostics, error) != 0)
		return -1;
	return info->form->end(info, error);
}

static void free_info(struct anim_sink *sink)
{
	struct info *info = (struct info *)sink;

	anim_output_free(info->tree_out);
	anim_buffer_clear(&info->progs);
	anim_buffer_clear(&info->rows);
	anim_posing_clear(&info->posing);
	anim_sink_free(info->skeleton_sink);
	anim_skeleton_clear(&info->skeleton);
	anim_buffer_clear(&info->reaches);
	anim_buffer_clear(&info->reach_boxes);
	anim_arena_clear(&info->posed_texts);
	anim_arena_clear(&info->reach_texts);
	anim_arena_clear(&info->kept);
	anim_arena_clear(&info->scratch);
	free(info);
}

struct anim_sink *anim_info_new(struct anim_output *out, const struct anim_info_options *options,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, free_info};
	static const struct info_form *const forms[] = {
	    [ANIM_INFO_TABLE] = &info_table, [ANIM_INFO_CLIPS] = &info_clips, [ANIM_INFO_TREE] = &info_tree,
	    [ANIM_INFO_JSON] = &info_json,   [ANIM_INFO_CSV] = &info_csv,     [ANIM_INFO_REACH] = &info_reach_form,
	    [ANIM_INFO_SPARK] = &info_spark, [ANIM_INFO_BONES] = &info_bones, [ANIM_INFO_CSV_CLIPS] = &info_csv_clips};
	struct info *info = anim_sink_new(sizeof *info, &ops, error);

	if (info == NULL)
		return NULL;
	info->options = *options;
	anim_poses_init(&info->posing.poses, options->memory_max);
	anim_skeleton_init(&info->skeleton);
	info->out = info->print.out = out;
	info->form = forms[options->form];
	return &info->sink;
}
