/* heat.c: the sink of anim-plot --heat: how far each joint is off in each part of the time, in the order of the tree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "filter/plot/heat.h"
#include "filter/pose.h"

#define NONE UINT32_MAX
#define SHOWN 40 /* rows of a clip, unless all are */

struct heat {
	struct anim_sink sink;
	struct anim_plot_options options;
	struct anim_print print;
	struct plot_svg svg;
	struct anim_arena head, texts; /* of the clip; of its rows */
	struct anim_arena scratch;     /* of the track at hand */
	struct heat_clip at_hand;
	bool in_clip;
	size_t couple;            /* of the clip at hand */
	size_t joints;            /* of its rows */
	size_t pairs;             /* that got a row so far */
	size_t off, beyond;       /* of its tracks, those that are off, and beyond their limit */
	size_t clips;             /* that were drawn */
	struct anim_buffer rows;  /* struct heat_row */
	struct anim_buffer order; /* uint32_t */
};

static struct heat_row *rows_of(const struct heat *heat, size_t *count)
{
	*count = heat->rows.size / sizeof(struct heat_row);
	return (struct heat_row *)(void *)heat->rows.data;
}

/* --- Levels --- */

double heat_scale(const struct heat_clip *clip, const struct heat_row *row)
{
	return row->limit > 0 ? row->limit : clip->scale[row->unit];
}

unsigned heat_level(const struct heat_clip *clip, const struct heat_row *row, double off)
{
	/* quarters of a power of ten, from a hundredth on */
	static const double parts[HEAT_LEVELS] = {
	    0.01, 0.017782794100389229, 0.031622776601683795, 0.056234132519034911,
	    0.1,  0.17782794100389229,  0.31622776601683794,  0.56234132519034907};
	double scale = heat_scale(clip, row);
	unsigned level = 0;

	if ((row->limit > 0 && off > row->limit) || !isfinite(off))
		return HEAT_LEVELS + 1;
	while (level < HEAT_LEVELS && off > 0 && off >= parts[level] * scale)
		level++;
	return level;
}

/* --- Rows --- */

static size_t columns_of(const struct anim_plot_options *options)
{
	return options->svg ? HEAT_SVG_COLUMNS : heat_terminal_columns(options);
}

static char *copy_of(const char *text, struct anim_error *error)
{
	size_t size = strlen(text) + 1;
	char *copy = anim_zeroed(size, error);

	return copy == NULL ? NULL : memcpy(copy, text, size);
}

static struct heat_row *add_row(struct heat *heat, const char *label, enum anim_unit unit, struct anim_error *error)
{
	struct heat_row *row = anim_buffer_extend(&heat->rows, sizeof *row, error);
	size_t columns = columns_of(&heat->options);

	if (row == NULL)
		return NULL;
	*row = (struct heat_row){.parent = NONE, .first_child = NONE, .last = NONE, .next = NONE, .unit = unit};
	row->off = anim_arena_zeroed(&heat->texts, columns, sizeof *row->off, error);
	row->label = row->off == NULL ? NULL : copy_of(label, error);
	if (row->label != NULL)
		return row;
	heat->rows.size -= sizeof *row;
	return NULL;
}

static void forget_rows(struct heat *heat)
{
	size_t count;
	struct heat_row *rows = rows_of(heat, &count);

	for (size_t i = 0; i < count; i++)
		free(rows[i].label);
	heat->rows.size = 0;
	anim_arena_reset(&heat->texts);
}

/*
 * Of the tracks with this unit and limit, of which no more than SHOWN can be drawn, the one that would have to go; NULL where there
 * is room.
 */
static struct heat_row *least_of(const struct heat *heat, enum anim_unit unit, double limit)
{
	size_t count, alike = 0;
	struct heat_row *rows = rows_of(heat, &count), *least = NULL;

	if (heat->options.all)
		return NULL;
	for (size_t i = heat->joints; i < count; i++)
		if (rows[i].unit == unit && rows[i].limit == limit) {
			alike++;
			least = least == NULL || rows[i].worst <= least->worst ? &rows[i] : least;
		}
	return alike < SHOWN ? NULL : least;
}

/* The row of a track that is farther off than one that is kept, in its place. NULL on failure. */
static struct heat_row *replace_row(struct heat *heat, struct heat_row *row, const char *label,
				    struct anim_error *error)
{
	char *copy = copy_of(label, error);

	if (copy == NULL)
		return NULL;
	free(row->label);
	row->label = copy;
	memset(row->off, 0, columns_of(&heat->options) * sizeof *row->off);
	return row;
}

static int by_number(const void *a, const void *b)
{
	const struct heat_row *one = a, *other = b;

	return one->number < other->number ? -1 : one->number > other->number;
}

static void link_row(struct heat_row *rows, uint32_t number)
{
	struct heat_row *parent = &rows[rows[number].parent];

	rows[number].depth = parent->depth + 1;
	if (parent->first_child == NONE)
		parent->first_child = number;
	else
		rows[parent->last].next = number;
	parent->last = number;
}

/* The row after this one where each stands before its children: of joints alone; NONE behind the last below `row`'s root. */
static uint32_t row_behind(const struct heat_row *rows, uint32_t row)
{
	if (rows[row].first_child != NONE)
		return rows[row].first_child;
	while (row != NONE && rows[row].next == NONE)
		row = rows[row].parent;
	return row == NONE ? NONE : rows[row].next;
}

/* Farthest off first, against what may be off. */
struct ranked {
	double part;
	uint32_t row;
};

static int by_part(const void *a, const void *b)
{
	const struct ranked *one = a, *other = b;

	if (one->part != other->part)
		return one->part > other->part ? -1 : 1;
	return one->row < other->row ? -1 : 1;
}

/* Hides what is not off by a hundredth of what may be and, of the rest, all but those that are farthest off. 0 or -1. */
static int choose_rows(struct heat *heat, struct anim_error *error)
{
	size_t count, off = 0;
	struct heat_row *rows = rows_of(heat, &count);
	struct ranked *ranked;

	if (heat->options.all || count == 0)
		return 0;
	ranked = anim_arena_zeroed(&heat->texts, count, sizeof *ranked, error);
	if (ranked == NULL)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		rows[i].hidden = true;
		if (heat_level(&heat->at_hand, &rows[i], rows[i].worst) > 0)
			ranked[off++] =
			    (struct ranked){rows[i].worst / fmax(heat_scale(&heat->at_hand, &rows[i]), 1e-300), i};
	}
	qsort(ranked, off, sizeof *ranked, by_part);
	for (size_t i = 0; i < off && i < SHOWN; i++)
		rows[ranked[i].row].hidden = false;
	return 0;
}

/* Joints below those that carry them, then tracks. 0 or -1. */
static int order_rows(struct heat *heat, struct anim_error *error)
{
	size_t count;
	const struct heat_row *rows = rows_of(heat, &count);

	heat->order.size = 0;
	for (uint32_t root = 0; root < count; root++)
		for (uint32_t i = rows[root].parent == NONE ? root : NONE; i != NONE; i = row_behind(rows, i)) {
			if (!rows[i].hidden && anim_buffer_append(&heat->order, &i, sizeof i, error) != 0)
				return -1;
		}
	return 0;
}

/* What a scale goes up to: of a row that is infinitely off somewhere, the largest of its other parts. */
static double finite_worst(const struct heat *heat, const struct heat_row *row)
{
	double worst = isfinite(row->worst) ? row->worst : 0;

	for (size_t c = 0; c < columns_of(&heat->options) && !isfinite(row->worst); c++)
		worst = isfinite(row->off[c]) ? fmax(worst, (double)row->off[c]) : worst;
	return worst;
}

static void sum_up(struct heat *heat)
{
	struct heat_clip *sums = &heat->at_hand;
	size_t count;
	const struct heat_row *rows = rows_of(heat, &count);

	for (int unit = 0; unit < ANIM_UNIT_COUNT; unit++)
		sums->worst[unit] = NONE;
	for (uint32_t i = 0; i < count; i++) {
		const struct heat_row *row = &rows[i];

		if (row->worst > (sums->worst[row->unit] == NONE ? 0 : rows[sums->worst[row->unit]].worst))
			sums->worst[row->unit] = i;
		sums->scale[row->unit] = fmax(sums->scale[row->unit], finite_worst(heat, row));
		if (row->limit > 0 && !sums->limited[row->unit]) {
			sums->limited[row->unit] = true;
			sums->limit[row->unit] = row->limit;
		}
		sums->beyond += i < heat->joints && row->limit > 0 && row->worst > row->limit;
		sums->joints += i < heat->joints && row->worst > 0;
	}
	sums->beyond += heat->beyond;
	sums->tracks = heat->off;
}

/* --- A clip --- */

static int finish_clip(struct heat *heat, struct anim_error *error)
{
	struct heat_clip *clip = &heat->at_hand;
	struct heat_row *rows;
	size_t count;

	if (!heat->in_clip)
		return 0;
	heat->in_clip = false;
	heat->print.error = error;
	rows = rows_of(heat, &count);
	if (count > heat->joints)
		qsort(rows + heat->joints, count - heat->joints, sizeof *rows, by_number);
	sum_up(heat);
	if (choose_rows(heat, error) != 0 || order_rows(heat, error) != 0)
		return -1;
	clip->rows = rows;
	clip->order = (const uint32_t *)(const void *)heat->order.data;
	clip->count = heat->order.size / sizeof *clip->order;
	clip->columns = columns_of(&heat->options);
	if (heat->options.svg)
		heat_svg_clip(&heat->svg, &heat->options, clip, error);
	else
		heat_terminal_clip(&heat->print, &heat->options, clip, heat->clips == 0);
	heat->clips++;
	return heat->print.failed || heat->svg.failed ? -1 : 0;
}

/* What is told is of this clip. 1; 0 where nothing of it is drawn; -1. */
static int begin_clip(struct heat *heat, size_t couple, const struct anim_clip *clip, struct anim_error *error)
{
	int begun;

	if (heat->couple == couple)
		return heat->in_clip;
	if (finish_clip(heat, error) != 0)
		return -1;
	heat->couple = couple;
	heat->joints = heat->off = heat->beyond = 0;
	forget_rows(heat);
	heat->at_hand = (struct heat_clip){.count = 0};
	begun = plot_clip_begin(&heat->at_hand.clip, clip, &heat->options, &heat->head, error);
	heat->in_clip = begun > 0;
	return begun;
}

/* --- What a comparison tells --- */

int anim_heat_joint(void *sink, const struct anim_compare_joint *joint, struct anim_error *error)
{
	struct heat *heat = sink;
	int begun = begin_clip(heat, joint->couple, joint->clip, error);
	struct heat_row *row;
	size_t count;

	if (begun <= 0)
		return begun;
	row = add_row(heat, anim_node_own_name(joint->path), joint->unit, error);
	if (row == NULL)
		return -1;
	row->parent = joint->parent;
	row->limit = joint->limit;
	row->shell = joint->shell;
	heat->joints = joint->number + 1;
	if (joint->parent != NONE)
		link_row(rows_of(heat, &count), joint->number);
	return 0;
}

/* Between the last distance and this one it goes straight: each column in between has the larger of its ends. */
static void fill(const struct heat *heat, struct heat_row *row, double t, double off)
{
	const struct plot_columns columns = {.start_s = heat->at_hand.clip.start_s,
					     .end_s = heat->at_hand.clip.end_s,
					     .count = columns_of(&heat->options)};
	double from = fmax(row->last_s, columns.start_s), to = fmin(t, columns.end_s), length = t - row->last_s;
	size_t last;

	if (!(from <= to))
		return;
	last = plot_column_of(&columns, to);
	for (size_t c = plot_column_of(&columns, from); c <= last && c < columns.count; c++) {
		double low = fmax(from, plot_column_time(&columns, c)),
		       high = fmin(to, plot_column_time(&columns, c + 1));
		double first = length > 0 ? row->last_off + (off - row->last_off) * (low - row->last_s) / length : off;
		double second =
		    length > 0 ? row->last_off + (off - row->last_off) * (high - row->last_s) / length : off;

		row->off[c] = fmaxf(row->off[c], (float)fmax(first, second));
	}
}

void anim_heat_apart(void *sink, uint32_t number, double t_s, double off)
{
	struct heat *heat = sink;
	size_t count;
	struct heat_row *row = rows_of(heat, &count);
	double t = t_s + (double)heat->at_hand.clip.head.start_s;

	if (!heat->in_clip || number >= count)
		return;
	row += number;
	if (!row->begun)
		row->last_s = t;
	row->begun = true;
	if (off > 0 || row->last_off > 0)
		fill(heat, row, t, off);
	if (off > row->worst) {
		row->worst = off;
		row->at_s = t;
	}
	row->last_s = t;
	row->last_off = off;
}

int anim_heat_pair(void *sink, const struct anim_compare_shown *shown, struct anim_error *error)
{
	struct heat *heat = sink;
	int begun = begin_clip(heat, shown->couple, shown->plays[0]->clip, error);
	struct heat_row *row;
	char *label;

	if (begun <= 0 || (shown->worst == 0 && !heat->options.all))
		return begun < 0 ? -1 : 0;
	heat->off += shown->worst > 0;
	heat->beyond += shown->limit > 0 && shown->worst > shown->limit;
	row = least_of(heat, shown->unit, shown->limit);
	if (row != NULL && shown->worst <= row->worst)
		return 0;
	anim_arena_reset(&heat->scratch);
	label = anim_label_copy(&heat->scratch, shown->node, shown->property, shown->component, error);
	if (label != NULL)
		row = row == NULL ? add_row(heat, label, shown->unit, error) : replace_row(heat, row, label, error);
	if (label == NULL || row == NULL)
		return -1;
	row->number = ++heat->pairs;
	row->worst = shown->worst;
	row->at_s = shown->at_s;
	row->limit = shown->limit;
	return plot_errors(heat->at_hand.clip.start_s, heat->at_hand.clip.end_s, columns_of(&heat->options), shown,
			   row->off, error);
}

int anim_heat_clips(void *sink, const struct anim_compare_clips *clips, struct anim_error *error)
{
	struct heat *heat = sink;
	int begun = begin_clip(heat, clips->couple, plot_clip_shown(clips), error);

	return begun <= 0 ? begun : plot_clip_apart(&heat->at_hand.clip, clips, &heat->head, error);
}

/* --- The sink --- */

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct heat *heat = (struct heat *)sink;

	if (anim_diagnostics_check(heat->options.diagnostics, error) != 0 || finish_clip(heat, error) != 0 ||
	    plot_tell_none(&heat->options, heat->clips, error) != 0)
		return -1;
	heat->print.error = error;
	if (heat->options.svg)
		plot_svg_end(&heat->svg, &heat->print, heat_svg_light, heat_svg_dark);
	return heat->print.failed ? -1 : 0;
}

static void on_free(struct anim_sink *sink)
{
	struct heat *heat = (struct heat *)sink;

	forget_rows(heat);
	anim_buffer_clear(&heat->rows);
	anim_buffer_clear(&heat->order);
	anim_buffer_clear(&heat->svg.body);
	anim_arena_clear(&heat->head);
	anim_arena_clear(&heat->texts);
	anim_arena_clear(&heat->scratch);
	free(heat);
}

struct anim_sink *plot_heat_new(struct anim_output *out, const struct anim_plot_options *options,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.end = on_end, .free = on_free};
	struct heat *heat = anim_sink_new(sizeof *heat, &ops, error);

	if (heat == NULL)
		return NULL;
	heat->options = *options;
	heat->print.out = out;
	return &heat->sink;
}
