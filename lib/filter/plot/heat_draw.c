/* heat_draw.c: rows of errors, in the terminal and as SVG. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filter/plot/heat.h"
#include "filter/summary.h"

#define NUMBER 11 /* characters of the largest error behind a row */

/* What people look for first. */
static const enum anim_unit units[] = {ANIM_UNIT_LENGTH, ANIM_UNIT_PIXELS, ANIM_UNIT_ANGLE, ANIM_UNIT_PLAIN};
#define UNITS (sizeof units / sizeof *units)

/* --- In words --- */

/* "3.2 mm" */
static void off_text(char out[2 * TEXT_NUMBER_MAX], enum anim_unit unit, double off)
{
	if (unit == ANIM_UNIT_LENGTH && off < 1)
		text_of_number(out, off * 1000, "mm");
	else
		text_of_number(out, off, anim_unit_names[unit]);
}

void plot_print_worst(struct anim_print *print, void (*print_name)(struct anim_print *, const char *), const char *name,
		      enum anim_unit unit, double off, double at_s, double shell)
{
	bool metres = unit == ANIM_UNIT_LENGTH;
	char text[2 * TEXT_NUMBER_MAX];

	print_name(print, name);
	off_text(text, unit, off);
	anim_print_texts(print, " ", text);
	text_of_number(text, at_s, "s");
	anim_print_texts(print, " at ", text);
	text_of_number(text, metres ? shell * 100 : shell, metres ? "cm" : anim_unit_names[unit]);
	if (shell > 0)
		anim_print_texts(print, " (of points ", text, " around the joint)");
}

void plot_print_safe(struct anim_print *print, const char *name)
{
	plot_print_name(print, name, text_width(name));
}

void plot_print_xml(struct anim_print *print, const char *name)
{
	plot_xml(print, name, strlen(name));
}

/* "12 joints, 3 tracks are off; worst: LeftFoot 3.2 mm at 1.433 s; limit 1 mm, 2 beyond" */
static void print_sums(struct anim_print *print, const struct heat_clip *clip,
		       void (*print_name)(struct anim_print *, const char *))
{
	size_t all = clip->joints + clip->tracks, shown = 0;
	bool first = true;

	if (clip->clip.apart.alone != NULL) {
		anim_print_text(print, clip->clip.apart.alone);
		return;
	}
	if (clip->joints > 0)
		plot_print_count(print, clip->joints, "joint", "joints");
	anim_print_text(print, clip->joints > 0 && clip->tracks > 0 ? " and " : "");
	if (clip->tracks > 0 || all == 0)
		plot_print_count(print, clip->tracks, "track", "tracks");
	anim_print_text(print, all == 1 ? " is off" : " are off");
	for (size_t i = 0; i < clip->count; i++)
		shown += clip->rows[clip->order[i]].worst > 0;
	if (shown < all) {
		anim_print_text(print, shown == 0 ? "" : "; these ");
		if (shown > 0)
			anim_print_uint64(print, shown);
		anim_print_text(print, shown == 0 ? " by next to nothing, --all shows them"
						  : " are farthest off, --all shows the others");
	}
	for (size_t u = 0; u < UNITS; u++) {
		const struct heat_row *row;

		if (clip->worst[units[u]] == UINT32_MAX)
			continue;
		row = &clip->rows[clip->worst[units[u]]];
		anim_print_text(print, first ? "; worst: " : ", ");
		plot_print_worst(print, print_name, row->label, row->unit, row->worst, row->at_s, row->shell);
		first = false;
	}
	if (clip->beyond > 0) {
		anim_print_text(print, "; beyond the limit: ");
		anim_print_uint64(print, clip->beyond);
	}
	plot_print_apart(print, &clip->clip);
}

/* --- In the terminal --- */

static size_t gutter_of(const struct anim_plot_options *options)
{
	return plot_terminal_gutter(options, 32);
}

/* A line that is too short for numbers has none behind its row; the heading tells the worst. */
static bool has_numbers(const struct anim_plot_options *options)
{
	return options->width >= gutter_of(options) + NUMBER + 6;
}

size_t heat_terminal_columns(const struct anim_plot_options *options)
{
	return plot_terminal_row(options, gutter_of(options) + (has_numbers(options) ? NUMBER + 2 : 1));
}

/* Nothing, four shades, and what is beyond. */
static unsigned shade_of(unsigned level)
{
	return level > HEAT_LEVELS ? 5 : (level + 1) / 2;
}

static const char *glyph_of(const struct anim_plot_options *options, unsigned shade)
{
	static const char *const blocks[] = {" ", "░", "▒", "▓", "█", "X"}, *const letters[] = {" ", ".", ":",
												"=", "#", "X"};

	return options->charset == ANIM_PLOT_ASCII ? letters[shade] : blocks[shade];
}

static const char *color_of(const struct anim_plot_options *options, unsigned shade)
{
	static const char *const few[] = {
	    "", "\033[38;5;110m", "\033[38;5;74m", "\033[38;5;69m", "\033[38;5;33m", "\033[38;5;208m"};
	static const char *const many[] = {"",
					   "\033[38;2;150;175;205m",
					   "\033[38;2;115;160;215m",
					   "\033[38;2;80;140;225m",
					   "\033[38;2;45;115;235m",
					   "\033[38;2;245;120;30m"};

	if (options->color == ANIM_PLOT_PLAIN)
		return "";
	return options->color == ANIM_PLOT_RGB ? many[shade] : few[shade];
}

static void print_shade(struct anim_print *print, const struct anim_plot_options *options, unsigned shade,
			unsigned *last)
{
	if (shade != 0 && shade != *last)
		anim_print_text(print, color_of(options, *last = shade));
	anim_print_text(print, glyph_of(options, shade));
}

static void print_row(struct anim_print *print, const struct anim_plot_options *options, const struct heat_clip *clip,
		      const struct heat_row *row)
{
	size_t gutter = gutter_of(options) - 2, indent = row->depth < gutter / 3 ? row->depth : gutter / 3;
	const char *plain = options->color == ANIM_PLOT_PLAIN ? "" : "\033[0m";
	char text[2 * TEXT_NUMBER_MAX];
	unsigned last = 0;

	anim_print_spaces(print, indent);
	plot_print_name(print, row->label, gutter - indent);
	anim_print_texts(print, " ", plot_line_of(options->charset));
	for (size_t c = 0; c < clip->columns; c++)
		print_shade(print, options, shade_of(heat_level(clip, row, (double)row->off[c])), &last);
	off_text(text, row->unit, row->worst);
	anim_print_texts(print, last != 0 ? plain : "", plot_line_of(options->charset));
	if (has_numbers(options))
		anim_print_texts(print, " ", text);
	anim_print_text(print, "\n");
}

/* Something in the unit is off by no number. */
static bool is_infinite(const struct heat_clip *clip, enum anim_unit unit)
{
	return clip->worst[unit] != UINT32_MAX && !isfinite(clip->rows[clip->worst[unit]].worst);
}

/* What the shades of the terminal begin with, in parts of what they go up to. */
static const double shades[] = {0, 0.01, 0.0316, 0.1, 0.316};

/* Where a legend begins: below the picture, and farther left where it would not end in its line. */
static size_t legend_at(const struct anim_plot_options *options, enum anim_unit unit, double scale)
{
	size_t wide = 4, gutter = gutter_of(options);
	char text[2 * TEXT_NUMBER_MAX];

	for (unsigned shade = 1; shade <= 4; shade++) {
		off_text(text, unit, shades[shade] * scale);
		wide += strlen(text) + 4;
	}
	off_text(text, unit, scale);
	wide += strlen(text) + 4; /* behind "X above" */
	return options->width >= gutter + wide ? gutter : options->width > wide ? options->width - wide : 0;
}

/* What the shades stand for, in each unit that a row has. */
static void print_legend(struct anim_print *print, const struct anim_plot_options *options,
			 const struct heat_clip *clip)
{
	const char *plain = options->color == ANIM_PLOT_PLAIN ? "" : "\033[0m";

	for (size_t u = 0; u < UNITS; u++) {
		double scale = clip->limited[units[u]] ? clip->limit[units[u]] : clip->scale[units[u]];
		bool infinite = is_infinite(clip, units[u]);
		char text[2 * TEXT_NUMBER_MAX];

		if (clip->worst[units[u]] == UINT32_MAX || (!(scale > 0) && !infinite))
			continue;
		anim_print_spaces(print, legend_at(options, units[u], scale));
		for (unsigned shade = 1; shade <= 4 && scale > 0; shade++) {
			off_text(text, units[u], shades[shade] * scale);
			anim_print_texts(print, color_of(options, shade), glyph_of(options, shade), plain, " ", text,
					 "  ");
		}
		off_text(text, units[u], scale);
		if (!clip->limited[units[u]] && scale > 0)
			anim_print_texts(print, "to ", text, infinite ? "  " : "");
		if (clip->limited[units[u]] || infinite)
			anim_print_texts(print, color_of(options, 5), "X", plain,
					 clip->limited[units[u]] ? " above " : " no number",
					 clip->limited[units[u]] ? text : "");
		anim_print_text(print, "\n");
	}
}

void heat_terminal_clip(struct anim_print *print, const struct anim_plot_options *options, const struct heat_clip *clip,
			bool first)
{
	anim_print_text(print, first ? "" : "\n");
	plot_terminal_heading(print, options, &clip->clip);
	print_sums(print, clip, plot_print_safe);
	anim_print_text(print, "\n");
	for (size_t i = 0; i < clip->count && !print->failed; i++)
		print_row(print, options, clip, &clip->rows[clip->order[i]]);
	if (clip->count > 0) {
		plot_terminal_axis(print, options, &clip->clip.head, clip->clip.start_s, clip->clip.end_s,
				   gutter_of(options), clip->columns);
		print_legend(print, options, clip);
	}
	plot_terminal_lone(print, &clip->clip);
}

/* --- As SVG --- */

#define LABEL 170 /* pixels of names */
#define CELL 3    /* of a cell, across */
#define ROW 14
#define WIDE (HEAT_SVG_COLUMNS * CELL)

const char heat_svg_light[] = ".s{fill:none;stroke-width:12}.a{stroke:#e6eefa}.b{stroke:#cdddf5}.c{stroke:#afc9ee}"
			      ".d{stroke:#8fb2e6}.e{stroke:#6d99dc}.g{stroke:#4c7fcf}.i{stroke:#2f64bb}"
			      ".j{stroke:#1a499c}.x{stroke:#e8590c}.m{fill:none;stroke:#111;stroke-width:1.5}"
			      ".n{fill:#888}.q{fill:#f6f6f8}";
const char heat_svg_dark[] =
    ".a{stroke:#23314a}.b{stroke:#273d61}.c{stroke:#2d4b7b}.d{stroke:#345c9b}.e{stroke:#4272ba}"
    ".g{stroke:#578dd6}.i{stroke:#7caceb}.j{stroke:#b3d2fb}.x{stroke:#ff8a4c}.m{stroke:#fff}"
    ".q{fill:#222226}";

/* The cells of a row that have one level, as one path of strokes. */
static void draw_level(struct anim_print *print, const struct heat_clip *clip, const struct heat_row *row,
		       unsigned level, long y)
{
	static const char classes[] = " abcdegijx";
	size_t from = 0, to = 0, behind = 0;
	char text[96];
	bool any = false;

	for (; from < clip->columns; from = to) {
		bool is = heat_level(clip, row, (double)row->off[from]) == level;

		for (to = from + 1; to < clip->columns && (heat_level(clip, row, (double)row->off[to]) == level) == is;)
			to++;
		if (!is)
			continue;
		if (!any)
			snprintf(text, sizeof text, "<path class=\"s %c\" d=\"M%zu %ldh%zu", classes[level],
				 LABEL + from * CELL, y, (to - from) * CELL);
		else
			snprintf(text, sizeof text, "m%zu 0h%zu", (from - behind) * CELL, (to - from) * CELL);
		anim_print_text(print, text);
		any = true;
		behind = to;
	}
	anim_print_text(print, any ? "\"/>" : "");
}

static void print_row_title(struct anim_print *print, const struct heat_row *row)
{
	char text[2 * TEXT_NUMBER_MAX];

	anim_print_text(print, "<title>");
	plot_xml(print, row->label, strlen(row->label));
	off_text(text, row->unit, row->worst);
	anim_print_texts(print, ": off by ", text);
	text_of_number(text, row->at_s, "s");
	anim_print_texts(print, " at ", text, "</title>");
}

/* A frame around the cell in which a unit's largest error lies. */
static void draw_worst(struct anim_print *print, const struct heat_clip *clip, const struct heat_row *row, long y)
{
	const struct plot_columns columns = {
	    .start_s = clip->clip.start_s, .end_s = clip->clip.end_s, .count = clip->columns};
	size_t c = plot_column_of(&columns, row->at_s);
	char text[96];

	if (c >= clip->columns)
		return;
	snprintf(text, sizeof text, "<path class=\"m\" d=\"M%zu %ldh%dv%dh-%dz\"/>", LABEL + c * CELL - 2, y - ROW / 2,
		 CELL + 4, ROW, CELL + 4);
	anim_print_text(print, text);
}

static void draw_row(struct anim_print *print, const struct heat_clip *clip, uint32_t number, long y)
{
	const struct heat_row *row = &clip->rows[number];
	int indent = row->depth < 12 ? (int)row->depth * 5 : 60;
	char text[2 * TEXT_NUMBER_MAX];

	snprintf(text, sizeof text, "<g><text x=\"%d\" y=\"%ld\">", indent, y + 4);
	anim_print_text(print, text);
	print_row_title(print, row);
	plot_xml_short(print, row->label, (size_t)(LABEL - 6 - indent) / 6);
	snprintf(text, sizeof text, "</text><rect class=\"q\" x=\"%d\" y=\"%ld\" width=\"%d\" height=\"%d\"/>", LABEL,
		 y - 6, WIDE, 12);
	anim_print_text(print, text);
	for (unsigned level = 1; level <= HEAT_LEVELS + 1; level++)
		draw_level(print, clip, row, level, y);
	snprintf(text, sizeof text, "<text class=\"n\" x=\"%d\" y=\"%ld\">", LABEL + WIDE + 8, y + 4);
	anim_print_text(print, text);
	off_text(text, row->unit, row->worst);
	anim_print_texts(print, text, "</text></g>\n");
}

/* A square for each level, with what it begins at; where nothing is off by a number, the last one alone. */
static void draw_legend(struct anim_print *print, const struct heat_clip *clip, enum anim_unit unit, long y)
{
	static const char classes[] = "abcdegijx";
	static const double from[] = {0.01, 0.0178, 0.0316, 0.0562, 0.1, 0.178, 0.316, 0.562, 1};
	double scale = clip->limited[unit] ? clip->limit[unit] : clip->scale[unit];
	char text[2 * TEXT_NUMBER_MAX + 96];
	int first = scale > 0 ? 0 : HEAT_LEVELS;

	for (int level = first; level <= HEAT_LEVELS; level++) {
		bool beyond = level == HEAT_LEVELS, infinite = is_infinite(clip, unit) && !clip->limited[unit];
		bool square = !beyond || clip->limited[unit] || infinite;
		const char *before = !beyond ? "" : square ? "above " : "to ";
		int x = LABEL + (level - first) * 90;

		snprintf(text, sizeof text, "<path class=\"s %c\" d=\"M%d %ldh14\"/>", classes[level], x, y);
		anim_print_text(print, square ? text : "");
		snprintf(text, sizeof text, "<text x=\"%d\" y=\"%ld\">", square ? x + 18 : x, y + 4);
		anim_print_text(print, text);
		off_text(text, unit, from[level] * scale);
		if (scale > 0)
			anim_print_texts(print, before, text, beyond && infinite ? ", or " : "");
		anim_print_texts(print, beyond && infinite ? "no number" : "", "</text>");
	}
	anim_print_text(print, "\n");
}

void heat_svg_clip(struct plot_svg *svg, const struct anim_plot_options *options, const struct heat_clip *clip,
		   struct anim_error *error)
{
	struct anim_print print = {.buffer = &svg->body, .error = error, .failed = svg->failed};
	long high = (long)clip->count * ROW;
	struct plot_axis axis;
	char text[96];

	plot_svg_heading(svg, &print, &clip->clip);
	print_sums(&print, clip, plot_print_xml);
	plot_svg_text_end(svg, &print);
	snprintf(text, sizeof text, "<g transform=\"translate(%d %zu)\">\n", PLOT_SVG_GAP, svg->high + 4);
	anim_print_text(&print, text);
	for (size_t i = 0; i < clip->count; i++)
		draw_row(&print, clip, clip->order[i], (long)i * ROW + ROW / 2);
	if (clip->count > 0) {
		plot_axis_of(&axis, options, &clip->clip.head, clip->clip.start_s, clip->clip.end_s, 12);
		plot_svg_times(&print, &axis, LABEL, 0, WIDE, high);
	}
	for (size_t i = 0; i < clip->count; i++)
		for (size_t u = 0; u < UNITS; u++)
			if (clip->worst[units[u]] == clip->order[i])
				draw_worst(&print, clip, &clip->rows[clip->order[i]], (long)i * ROW + ROW / 2);
	high += 26;
	for (size_t u = 0; u < UNITS; u++)
		if (clip->worst[units[u]] != UINT32_MAX) {
			draw_legend(&print, clip, units[u], high);
			high += ROW + 2;
		}
	anim_print_text(&print, "</g>\n");
	svg->high += (size_t)high + PLOT_SVG_GAP;
	plot_svg_lone(svg, &print, &clip->clip);
	svg->failed = print.failed;
}
