/* heat.c: the view of errors: the error of each joint in each part of the time, in the order of the tree. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "filter/filter.h"
#include "filter/plot/panel.h"

#define NONE UINT32_MAX
#define SHOWN 40        /* rows of a clip, unless all are drawn */
#define SVG_COLUMNS 240 /* columns of an SVG */
#define NAME_MOST 32    /* characters of names in the terminal */
#define NUMBER 11       /* characters of the largest error at the end of a row */

#define LEVELS 8 /* from a hundredth of the limit to the limit, plus one level for errors beyond it */

/* A joint, or a track that moves no joint. */
struct row {
	char *label;   /* the joint's own name, or the node and property of a track, unchanged and owned */
	size_t number; /* for tracks: their position in the order */
	uint32_t parent, first_child, last, next; /* for joints; UINT32_MAX: none */
	unsigned depth;
	enum anim_unit unit;
	float *off; /* the largest error in each column */
	double worst, at_s, limit;
	double shell;            /* for joints: distance of the compared points from the joint; 0: a track */
	double last_s, last_off; /* for joints: the last reported distance */
	bool begun, hidden;
};

struct heat {
	struct plot_view view;
	struct anim_arena texts;   /* for the rows of the clip */
	struct anim_arena scratch; /* for the current track */
	size_t joints;             /* number of joints in the rows of the clip */
	size_t pairs;              /* number of pairs with a row so far */
	size_t off, beyond;        /* number of its tracks with an error, and with an error beyond the limit */
	struct anim_buffer rows;   /* struct row */
	struct anim_buffer order;  /* uint32_t: the drawn rows, from top to bottom */

	/* sums of the clip, set at its end */
	size_t joints_off, joints_beyond;
	double scale[ANIM_UNIT_COUNT];   /* the largest finite error of each unit */
	uint32_t worst[ANIM_UNIT_COUNT]; /* the row with this error; NONE: no row */
	bool limited[ANIM_UNIT_COUNT];   /* rows of this unit have a limit */
	double limit[ANIM_UNIT_COUNT];   /* the first of these limits */
};

static struct row *rows_of(const struct heat *heat, size_t *count)
{
	*count = heat->rows.size / sizeof(struct row);
	return (struct row *)(void *)heat->rows.data;
}

/* --- Levels --- */

/* Return the largest value of the scale of a row: its limit, or the largest error of its unit if it has none. */
static double scale_of(const struct heat *heat, const struct row *row)
{
	return row->limit > 0 ? row->limit : heat->scale[row->unit];
}

/* Return a level from 0 to LEVELS, or LEVELS + 1 beyond the limit. */
static unsigned level_of(const struct heat *heat, const struct row *row, double off)
{
	/* steps of a quarter of a power of ten, beginning at a hundredth */
	static const double parts[LEVELS] = {0.01, 0.017782794100389229, 0.031622776601683795, 0.056234132519034911,
					     0.1,  0.17782794100389229,  0.31622776601683794,  0.56234132519034907};
	double scale = scale_of(heat, row);
	unsigned level = 0;

	if ((row->limit > 0 && off > row->limit) || !isfinite(off))
		return LEVELS + 1;
	while (level < LEVELS && off > 0 && off >= parts[level] * scale)
		level++;
	return level;
}

/* --- Rows --- */

static size_t columns_of(const struct heat *heat)
{
	const struct plot_page *page = &heat->view.page;

	return page->options.svg ? SVG_COLUMNS : plot_row_columns(page, NAME_MOST, NUMBER);
}

static char *copy_of(const char *text, struct anim_error *error)
{
	size_t size = strlen(text) + 1;
	char *copy = anim_zeroed(size, error);

	return copy == NULL ? NULL : memcpy(copy, text, size);
}

static struct row *add_row(struct heat *heat, const char *label, enum anim_unit unit, struct anim_error *error)
{
	struct row *row = anim_buffer_extend(&heat->rows, sizeof *row, error);
	size_t columns = columns_of(heat);

	if (row == NULL)
		return NULL;
	*row = (struct row){.parent = NONE, .first_child = NONE, .last = NONE, .next = NONE, .unit = unit};
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
	struct row *rows = rows_of(heat, &count);

	for (size_t i = 0; i < count; i++)
		free(rows[i].label);
	heat->rows.size = 0;
	anim_arena_reset(&heat->texts);
}

/*
 * Return the track with this unit and limit that the next one would replace, because at most SHOWN can be drawn.
 * Returns NULL if there is room.
 */
static struct row *least_of(const struct heat *heat, enum anim_unit unit, double limit)
{
	size_t count, alike = 0;
	struct row *rows = rows_of(heat, &count), *least = NULL;

	if (heat->view.page.options.all)
		return NULL;
	for (size_t i = heat->joints; i < count; i++)
		if (rows[i].unit == unit && rows[i].limit == limit) {
			alike++;
			least = least == NULL || rows[i].worst <= least->worst ? &rows[i] : least;
		}
	return alike < SHOWN ? NULL : least;
}

static int by_number(const void *a, const void *b)
{
	const struct row *one = a, *other = b;

	return one->number < other->number ? -1 : one->number > other->number;
}

/*
 * Return the next row in an order in which each row comes before its children. Only joints have children. Returns
 * NONE after the last row below the root of `row`.
 */
static uint32_t next_row(const struct row *rows, uint32_t row)
{
	if (rows[row].first_child != NONE)
		return rows[row].first_child;
	while (row != NONE && rows[row].next == NONE)
		row = rows[row].parent;
	return row == NONE ? NONE : rows[row].next;
}

/* Order by error relative to the scale, largest first. */
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

/*
 * Hide rows whose errors are all below a hundredth of their scale. Of the others, hide all but the rows with the
 * largest errors. Returns 0 or -1.
 */
static int choose_rows(struct heat *heat, struct anim_error *error)
{
	size_t count, off = 0;
	struct row *rows = rows_of(heat, &count);
	struct ranked *ranked;

	if (heat->view.page.options.all || count == 0)
		return 0;
	ranked = anim_arena_zeroed(&heat->texts, count, sizeof *ranked, error);
	if (ranked == NULL)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		rows[i].hidden = true;
		if (level_of(heat, &rows[i], rows[i].worst) > 0)
			ranked[off++] = (struct ranked){rows[i].worst / fmax(scale_of(heat, &rows[i]), 1e-300), i};
	}
	qsort(ranked, off, sizeof *ranked, by_part);
	for (size_t i = 0; i < off && i < SHOWN; i++)
		rows[ranked[i].row].hidden = false;
	return 0;
}

/* Order the rows: joints below their parents, then tracks. Returns 0 or -1. */
static int order_rows(struct heat *heat, struct anim_error *error)
{
	size_t count;
	const struct row *rows = rows_of(heat, &count);

	heat->order.size = 0;
	for (uint32_t root = 0; root < count; root++)
		for (uint32_t i = rows[root].parent == NONE ? root : NONE; i != NONE; i = next_row(rows, i)) {
			if (!rows[i].hidden && anim_buffer_append(&heat->order, &i, sizeof i, error) != 0)
				return -1;
		}
	return 0;
}

static void sum_up(struct heat *heat)
{
	size_t count;
	const struct row *rows = rows_of(heat, &count);

	for (int unit = 0; unit < ANIM_UNIT_COUNT; unit++)
		heat->worst[unit] = NONE;
	for (uint32_t i = 0; i < count; i++) {
		const struct row *row = &rows[i];

		if (row->worst > (heat->worst[row->unit] == NONE ? 0 : rows[heat->worst[row->unit]].worst))
			heat->worst[row->unit] = i;

		/*
		 * The value up to which a scale extends. If an error of the row is infinite, it is the largest finite
		 * one.
		 */
		double worst = isfinite(row->worst) ? row->worst : 0;

		for (size_t c = 0; c < columns_of(heat) && !isfinite(row->worst); c++)
			worst = isfinite(row->off[c]) ? fmax(worst, (double)row->off[c]) : worst;
		heat->scale[row->unit] = fmax(heat->scale[row->unit], worst);

		if (row->limit > 0 && !heat->limited[row->unit]) {
			heat->limited[row->unit] = true;
			heat->limit[row->unit] = row->limit;
		}
		heat->joints_beyond += i < heat->joints && row->limit > 0 && row->worst > row->limit;
		heat->joints_off += i < heat->joints && row->worst > 0;
	}
}

/* --- In words --- */

/* The units in the order in which people need them. */
static const enum anim_unit units[] = {ANIM_UNIT_LENGTH, ANIM_UNIT_PIXELS, ANIM_UNIT_ANGLE, ANIM_UNIT_PLAIN};
#define UNITS (sizeof units / sizeof *units)

static const struct row *drawn(const struct heat *heat, size_t i)
{
	size_t count;

	return &rows_of(heat, &count)[((const uint32_t *)(const void *)heat->order.data)[i]];
}

static const struct row *worst_of(const struct heat *heat, enum anim_unit unit)
{
	size_t count;

	return heat->worst[unit] == NONE ? NULL : &rows_of(heat, &count)[heat->worst[unit]];
}

/* Print "12 joints, 3 tracks are off; worst: LeftFoot 3.2 mm at 1.433 s; limit 1 mm, 2 beyond". */
static void put_sums(struct heat *heat, size_t count)
{
	struct plot_page *page = &heat->view.page;
	const struct plot_apart *apart = &heat->view.clip.apart;
	size_t all = heat->joints_off + heat->off, shown = 0, beyond = heat->joints_beyond + heat->beyond;
	bool first = true;

	if (apart->alone != NULL) {
		anim_print_text(&page->print, apart->alone);
		return;
	}
	if (heat->joints_off > 0)
		plot_count(page, heat->joints_off, "joint", "joints");
	anim_print_text(&page->print, heat->joints_off > 0 && heat->off > 0 ? " and " : "");
	if (heat->off > 0 || all == 0)
		plot_count(page, heat->off, "track", "tracks");
	anim_print_text(&page->print, all == 1 ? " is off" : " are off");
	for (size_t i = 0; i < count; i++)
		shown += drawn(heat, i)->worst > 0;
	if (shown < all && shown == 0)
		plot_put(page, " by very little, " ANIM_OPTION("plot", "all") " shows them");
	else if (shown < all)
		plot_put(page, "; these %zu are farthest off, " ANIM_OPTION("plot", "all") " shows the others", shown);
	for (size_t u = 0; u < UNITS; u++) {
		const struct row *row = worst_of(heat, units[u]);

		if (row == NULL)
			continue;
		anim_print_text(&page->print, first ? "; worst: " : ", ");
		plot_worst(page, row->label, row->unit, row->worst, row->at_s, row->shell);
		first = false;
	}
	if (beyond > 0)
		plot_put(page, "; beyond the limit: %zu", beyond);
	plot_apart(&page->print, apart);
}

/* Return true if the largest error in the unit is not finite. */
static bool is_infinite(const struct heat *heat, enum anim_unit unit)
{
	return worst_of(heat, unit) != NULL && !isfinite(worst_of(heat, unit)->worst);
}

/* --- In the terminal: blank, four shades, and a mark beyond the limit --- */

static const char *const blocks[] = {" ", "░", "▒", "▓", "█", "X"}, *const letters[] = {" ", ".", ":", "=", "#", "X"};

static struct plot_cell shade(const struct plot_page *page, unsigned number)
{
	return (struct plot_cell){.ink = (uint8_t)(number > 0 ? PLOT_INK_SHADES + number - 1 : PLOT_INK_NONE),
				  .glyph = page->options.charset == ANIM_PLOT_ASCII ? letters[number] : blocks[number]};
}

/* Print a shade and the text after it. */
static void put_sample(struct plot_page *page, unsigned number, enum anim_unit unit, double off, const char *before)
{
	const struct plot_cell cell = shade(page, number);

	plot_cells(page, &cell, 1);
	plot_off(page, before, unit, off);
	anim_print_text(&page->print, number < 5 ? "  " : "");
}

/* Print the meaning of the shades in a unit. */
static void put_shades(struct plot_page *page, enum anim_unit unit, double scale, bool limited, bool infinite)
{
	static const double shades[] = {0.01, 0.0316, 0.1, 0.316};
	const struct plot_cell none = shade(page, 5);

	for (unsigned i = 1; i <= 4 && scale > 0; i++)
		put_sample(page, i, unit, shades[i - 1] * scale, " ");
	if (limited)
		put_sample(page, 5, unit, scale, " above ");
	else if (scale > 0)
		plot_off(page, "to ", unit, scale);
	if (infinite && !limited) {
		anim_print_text(&page->print, scale > 0 ? "  " : "");
		plot_cells(page, &none, 1);
		anim_print_text(&page->print, " no number");
	}
}

static void put_rows(struct heat *heat, size_t count)
{
	struct plot_page *page = &heat->view.page;
	struct plot_cell *cells = anim_arena_zeroed(&heat->texts, columns_of(heat), sizeof *cells, page->print.error);

	page->print.failed |= cells == NULL;
	if (page->print.failed || count == 0)
		return;
	for (size_t i = 0; i < count; i++) {
		const struct row *row = drawn(heat, i);
		size_t columns = columns_of(heat);

		for (size_t c = 0; c < columns; c++) {
			unsigned level = level_of(heat, row, (double)row->off[c]);

			cells[c] = shade(page, level > LEVELS ? 5 : (level + 1) / 2);
		}
		plot_row(page, row->label, row->depth, NAME_MOST, cells, columns);
		if (plot_row_has(page, NAME_MOST, NUMBER))
			plot_off(page, " ", row->unit, row->worst);
		anim_print_text(&page->print, "\n");
	}
	plot_times(page, &heat->view.clip, heat->view.clip.end_s, plot_row_gutter(page, NAME_MOST), columns_of(heat));
	for (size_t u = 0; u < UNITS; u++) {
		/* Print a line of shades below the picture. It begins farther left if it would not fit. */
		enum anim_unit unit = units[u];
		struct plot_page plain = {.options = page->options};
		bool limited = heat->limited[unit], infinite = is_infinite(heat, unit);
		double scale = limited ? heat->limit[unit] : heat->scale[unit];
		size_t gutter = plot_row_gutter(page, NAME_MOST), wide;

		if (heat->worst[unit] == NONE || (!(scale > 0) && !infinite))
			continue;
		plain.options.color = ANIM_PLOT_PLAIN;
		plain.options.charset = ANIM_PLOT_ASCII;
		plain.print = (struct anim_print){.buffer = &plain.body, .error = page->print.error};
		put_shades(&plain, unit, scale, limited, infinite);
		wide = plain.body.size;
		anim_print_spaces(&page->print, page->options.width >= gutter + wide ? gutter
						: page->options.width > wide         ? page->options.width - wide
										     : 0);
		page->print.failed |= plain.print.failed;
		plot_page_close(&plain);
		put_shades(page, unit, scale, limited, infinite);
		anim_print_text(&page->print, "\n");
	}
}

/* --- As SVG --- */

#define LABEL 170 /* pixels of names */
#define CELL 3    /* width of a cell */
#define ROW 14
#define WIDE (SVG_COLUMNS * CELL)

static const char light[] = ".s{fill:none;stroke-width:12}.a{stroke:#e6eefa}.b{stroke:#cdddf5}.c{stroke:#afc9ee}"
			    ".d{stroke:#8fb2e6}.e{stroke:#6d99dc}.g{stroke:#4c7fcf}.i{stroke:#2f64bb}"
			    ".j{stroke:#1a499c}.x{stroke:#e8590c}.m{fill:none;stroke:#111;stroke-width:1.5}"
			    ".n{fill:#888}.q{fill:#f6f6f8}";
static const char dark[] = ".a{stroke:#23314a}.b{stroke:#273d61}.c{stroke:#2d4b7b}.d{stroke:#345c9b}.e{stroke:#4272ba}"
			   ".g{stroke:#578dd6}.i{stroke:#7caceb}.j{stroke:#b3d2fb}.x{stroke:#ff8a4c}.m{stroke:#fff}"
			   ".q{fill:#222226}";

/*
 * Draw a square for each level with the value at which it begins. If all errors are infinite, draw only the last
 * square.
 */
static void draw_legend(struct heat *heat, enum anim_unit unit, long y)
{
	static const char classes[] = "abcdegijx";
	static const double from[] = {0.01, 0.0178, 0.0316, 0.0562, 0.1, 0.178, 0.316, 0.562, 1};
	struct plot_page *page = &heat->view.page;
	double scale = heat->limited[unit] ? heat->limit[unit] : heat->scale[unit];
	int first = scale > 0 ? 0 : LEVELS;

	for (int level = first; level <= LEVELS; level++) {
		bool beyond = level == LEVELS, infinite = is_infinite(heat, unit) && !heat->limited[unit];
		bool square = !beyond || heat->limited[unit] || infinite;
		int x = LABEL + (level - first) * 90;

		if (square)
			plot_put(page, "<path class=\"s %c\" d=\"M%d %ldh14\"/>", classes[level], x, y);
		plot_put(page, "<text x=\"%d\" y=\"%ld\">", square ? x + 18 : x, y + 4);
		if (scale > 0)
			plot_off(page, !beyond ? "" : square ? "above " : "to ", unit, from[level] * scale);
		anim_print_texts(&page->print, beyond && infinite ? scale > 0 ? ", or no number" : "no number" : "",
				 "</text>");
	}
	anim_print_text(&page->print, "\n");
}

static void draw_rows(struct heat *heat, size_t count)
{
	struct plot_page *page = &heat->view.page;
	const struct plot_clip *clip = &heat->view.clip;
	long high = (long)count * ROW;

	plot_put(page, "<g transform=\"translate(%d %zu)\">\n", PLOT_SVG_GAP, page->high + 4);
	for (size_t i = 0; i < count; i++) {
		const struct row *row = drawn(heat, i);
		long y = (long)i * ROW + ROW / 2;
		int indent = row->depth < 12 ? (int)row->depth * 5 : 60;

		plot_put(page, "<g><text x=\"%d\" y=\"%ld\"><title>", indent, y + 4);
		plot_name(page, row->label);
		plot_off(page, ": off by ", row->unit, row->worst);
		plot_number(page, " at ", row->at_s, "s", "</title>");
		plot_short(page, row->label, (size_t)(LABEL - 6 - indent) / 6);
		plot_put(page, "</text><rect class=\"q\" x=\"%d\" y=\"%ld\" width=\"%d\" height=\"%d\"/>", LABEL, y - 6,
			 WIDE, 12);
		for (unsigned level = 1; level <= LEVELS + 1; level++) {
			/* Draw the cells of a row that have one level, as one path of strokes. */
			static const char classes[] = " abcdegijx";
			size_t from = 0, to = 0, end = 0;
			bool any = false;

			for (; from < SVG_COLUMNS; from = to) {
				bool is = level_of(heat, row, (double)row->off[from]) == level;

				for (to = from + 1;
				     to < SVG_COLUMNS && (level_of(heat, row, (double)row->off[to]) == level) == is;)
					to++;
				if (!is)
					continue;
				if (!any)
					plot_put(page, "<path class=\"s %c\" d=\"M%zu %ldh%zu", classes[level],
						 LABEL + from * CELL, y, (to - from) * CELL);
				else
					plot_put(page, "m%zu 0h%zu", (from - end) * CELL, (to - from) * CELL);
				any = true;
				end = to;
			}
			anim_print_text(&page->print, any ? "\"/>" : "");
		}
		plot_put(page, "<text class=\"n\" x=\"%d\" y=\"%ld\">", LABEL + WIDE + 8, y + 4);
		plot_off(page, "", row->unit, row->worst);
		anim_print_text(&page->print, "</text></g>\n");
	}
	if (count > 0)
		plot_svg_times(page, clip, clip->end_s, 12, (const long[]){LABEL, 0, WIDE, high});
	for (size_t i = 0; i < count; i++)
		for (size_t u = 0; u < UNITS; u++)
			if (worst_of(heat, units[u]) == drawn(heat, i)) {
				/* Draw a frame around the cell with the largest error of a unit. */
				const struct plot_columns columns = {
				    .start_s = clip->start_s, .end_s = clip->end_s, .count = SVG_COLUMNS};
				size_t c = plot_column_of(&columns, drawn(heat, i)->at_s);

				if (c < SVG_COLUMNS)
					plot_put(&heat->view.page, "<path class=\"m\" d=\"M%zu %ldh%dv%dh-%dz\"/>",
						 LABEL + c * CELL - 2, ((long)i * ROW + ROW / 2) - ROW / 2, CELL + 4,
						 ROW, CELL + 4);
			}
	high += 26;
	for (size_t u = 0; u < UNITS; u++)
		if (heat->worst[units[u]] != NONE) {
			draw_legend(heat, units[u], high);
			high += ROW + 2;
		}
	anim_print_text(&page->print, "</g>\n");
	page->high += (size_t)high + PLOT_SVG_GAP;
}

/* --- A clip --- */

static int finish(struct plot_view *view, struct anim_error *error)
{
	struct heat *heat = (struct heat *)view;
	struct row *rows;
	size_t count;

	rows = rows_of(heat, &count);
	if (count > heat->joints)
		qsort(rows + heat->joints, count - heat->joints, sizeof *rows, by_number);
	sum_up(heat);
	if (choose_rows(heat, error) != 0 || order_rows(heat, error) != 0)
		return -1;
	count = heat->order.size / sizeof(uint32_t);
	plot_heading(&view->page, &view->clip);
	put_sums(heat, count);
	plot_line_end(&view->page);
	if (view->page.options.svg)
		draw_rows(heat, count);
	else
		put_rows(heat, count);
	plot_lone(&view->page, &view->clip.apart);
	return 0;
}

static void begin(struct plot_view *view)
{
	struct heat *heat = (struct heat *)view;

	heat->joints = heat->off = heat->beyond = heat->joints_off = heat->joints_beyond = 0;
	memset(heat->scale, 0, sizeof heat->scale);
	memset(heat->limited, 0, sizeof heat->limited);
	forget_rows(heat);
}

/* --- Results of a comparison --- */

int anim_heat_joint(void *sink, const struct anim_compare_joint *joint, struct anim_error *error)
{
	struct heat *heat = sink;
	struct row *row;
	size_t count;

	if (plot_view_pair(&heat->view, joint->couple, joint->clip, error) != 0)
		return -1;
	if (!heat->view.in_clip)
		return 0;
	row = add_row(heat, anim_node_own_name(joint->path), joint->unit, error);
	if (row == NULL)
		return -1;
	row->parent = joint->parent;
	row->limit = joint->limit;
	row->shell = joint->shell;
	heat->joints = joint->number + 1;
	if (joint->parent != NONE) {
		struct row *rows = rows_of(heat, &count);
		uint32_t number = joint->number;
		struct row *parent = &rows[rows[number].parent];

		rows[number].depth = parent->depth + 1;
		if (parent->first_child == NONE)
			parent->first_child = number;
		else
			rows[parent->last].next = number;
		parent->last = number;
	}
	return 0;
}

void anim_heat_apart(void *sink, uint32_t number, double t_s, double off)
{
	struct heat *heat = sink;
	size_t count;
	struct row *row = rows_of(heat, &count);
	double t = t_s + (double)heat->view.clip.head.start_s;

	if (!heat->view.in_clip || number >= count)
		return;
	row += number;
	if (!row->begun)
		row->last_s = t;
	row->begun = true;
	if (off > 0 || row->last_off > 0) {
		/*
		 * Fill the columns between the last distance and this one. The distance changes linearly, so each
		 * column has the larger of the values at its ends.
		 */
		const struct plot_columns columns = {
		    .start_s = heat->view.clip.start_s, .end_s = heat->view.clip.end_s, .count = columns_of(heat)};
		double from = fmax(row->last_s, columns.start_s), to = fmin(t, columns.end_s), length = t - row->last_s;
		size_t last;

		if (from <= to) {
			last = plot_column_of(&columns, to);
			for (size_t c = plot_column_of(&columns, from); c <= last && c < columns.count; c++) {
				double low = fmax(from, plot_column_time(&columns, c)),
				       high = fmin(to, plot_column_time(&columns, c + 1));
				double first =
				    length > 0 ? row->last_off + (off - row->last_off) * (low - row->last_s) / length
					       : off;
				double second =
				    length > 0 ? row->last_off + (off - row->last_off) * (high - row->last_s) / length
					       : off;

				row->off[c] = fmaxf(row->off[c], (float)fmax(first, second));
			}
		}
	}
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
	struct row *row;
	char *label;

	if (plot_view_pair(&heat->view, shown->couple, shown->plays[0]->clip, error) != 0)
		return -1;
	if (!heat->view.in_clip || (shown->worst == 0 && !heat->view.page.options.all))
		return 0;
	heat->off += shown->worst > 0;
	heat->beyond += shown->limit > 0 && shown->worst > shown->limit;
	row = least_of(heat, shown->unit, shown->limit);
	if (row != NULL && shown->worst <= row->worst)
		return 0;
	anim_arena_reset(&heat->scratch);
	label = anim_label_copy(&heat->scratch, shown->node, shown->property, shown->component, error);
	if (label == NULL)
		return -1;
	if (row == NULL) {
		if ((row = add_row(heat, label, shown->unit, error)) == NULL)
			return -1;
	} else { /* replace a track with a smaller error */
		if ((label = copy_of(label, error)) == NULL)
			return -1;
		free(row->label);
		row->label = label;
		memset(row->off, 0, columns_of(heat) * sizeof *row->off);
	}
	row->number = ++heat->pairs;
	row->worst = shown->worst;
	row->at_s = shown->at_s;
	row->limit = shown->limit;
	return plot_errors(&heat->view.clip, columns_of(heat), shown, row->off, error);
}

static void on_free(struct plot_view *view)
{
	struct heat *heat = (struct heat *)view;

	forget_rows(heat);
	anim_buffer_clear(&heat->rows);
	anim_buffer_clear(&heat->order);
	anim_arena_clear(&heat->texts);
	anim_arena_clear(&heat->scratch);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	(void)sink;
	(void)track;
	(void)error;
	return 0; /* pairs are drawn instead */
}

const struct plot_kind plot_heat = {.size = sizeof(struct heat),
				    .light = {light, light},
				    .dark = {dark, dark},
				    .begin = begin,
				    .finish = finish,
				    .free = on_free,
				    .track = on_track};
