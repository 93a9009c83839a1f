/* dope_draw.c: rows of keys, in the terminal and as SVG. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filter/plot/dope.h"
#include "filter/summary.h"

#define NUMBER 12  /* characters of the count behind a row */
#define TITLES 500 /* keys of a row that tell their times */

static struct plot_columns spread(const struct dope_clip *clip)
{
	return (struct plot_columns){.start_s = clip->clip.start_s, .end_s = clip->clip.end_s, .count = clip->columns};
}

/* What a column has: a key before a part that holds before samples. */
enum mark { MARK_NONE, MARK_SAMPLES, MARK_HELD, MARK_KEY };

static enum mark mark_at(const struct dope_row *row, size_t c)
{
	if (row->keyed[c])
		return MARK_KEY;
	if (row->held[c] > 0 && row->held[c] + row->sampled[c] == row->number)
		return MARK_HELD;
	return row->sampled[c] > 0 ? MARK_SAMPLES : MARK_NONE;
}

/* "5 tracks, 23 keys; these 40 rows are the first, --all shows the others" */
static void print_sums(struct anim_print *print, const struct dope_clip *clip)
{
	plot_print_count(print, clip->tracks, "track", "tracks");
	anim_print_text(print, ", ");
	plot_print_count(print, clip->keys, "key", "keys");
	if (clip->hidden == 0)
		return;
	anim_print_text(print, "; these are the first ");
	plot_print_count(print, clip->count, "row", "rows");
	anim_print_text(print, ", --all shows the others");
}

static void print_row_count(struct anim_print *print, const struct dope_row *row)
{
	if (row->keys > 0 || row->samples == 0)
		plot_print_count(print, row->keys, "key", "keys");
	else
		plot_print_count(print, row->samples, "sample", "samples");
}

/* --- In the terminal --- */

static size_t gutter_of(const struct anim_plot_options *options)
{
	return plot_terminal_gutter(options, 40);
}

size_t dope_terminal_columns(const struct anim_plot_options *options)
{
	return plot_terminal_row(options, gutter_of(options) + NUMBER + 2);
}

static const char *color_of(const struct anim_plot_options *options, enum mark mark)
{
	static const char *const few[] = {"", "\033[38;5;245m", "\033[38;5;137m", "\033[38;5;214m"};
	static const char *const many[] = {"", "\033[38;2;140;140;140m", "\033[38;2;165;130;80m",
					   "\033[38;2;240;165;30m"};

	if (options->color == ANIM_PLOT_PLAIN)
		return "";
	return options->color == ANIM_PLOT_RGB ? many[mark] : few[mark];
}

static void print_marks(struct anim_print *print, const struct anim_plot_options *options, const struct dope_clip *clip,
			const struct dope_row *row)
{
	static const char *const wide[] = {" ", "─", "━", "◆"}, *const letters[] = {" ", "-", "=", "*"};
	enum mark last = MARK_NONE;

	for (size_t c = 0; c < clip->columns; c++) {
		enum mark mark = mark_at(row, c);

		if (mark != MARK_NONE && mark != last)
			anim_print_text(print, color_of(options, last = mark));
		anim_print_text(print, options->charset == ANIM_PLOT_ASCII ? letters[mark] : wide[mark]);
	}
	if (last != MARK_NONE && options->color != ANIM_PLOT_PLAIN)
		anim_print_text(print, "\033[0m");
}

/* Flags with what they say, as far as there is room up to the next. */
static void print_flags(struct anim_print *print, const struct anim_plot_options *options, const struct dope_clip *clip,
			const struct dope_row *row)
{
	const struct dope_event *events = (const struct dope_event *)(const void *)row->events.data;
	size_t count = row->events.size / sizeof *events, at = 0;
	const struct plot_columns columns = spread(clip);

	for (size_t i = 0; i < count; i++) {
		size_t c = plot_column_of(&columns, events[i].time_s);
		size_t next = i + 1 < count ? plot_column_of(&columns, events[i + 1].time_s) : clip->columns;

		if (c < at || next <= c) /* out of order: no place for it here */
			continue;
		anim_print_spaces(print, c - at);
		anim_print_texts(print, color_of(options, MARK_KEY), options->charset == ANIM_PLOT_ASCII ? ">" : "▸",
				 options->color == ANIM_PLOT_PLAIN ? "" : "\033[0m");
		plot_print_name(print, events[i].text, next - c - 1);
		at = next;
	}
	anim_print_spaces(print, clip->columns - at);
}

void dope_terminal_clip(struct anim_print *print, const struct anim_plot_options *options, const struct dope_clip *clip,
			bool first)
{
	size_t gutter = gutter_of(options);

	anim_print_text(print, first ? "" : "\n");
	plot_terminal_heading(print, options, &clip->clip);
	print_sums(print, clip);
	anim_print_text(print, "\n");
	for (size_t i = 0; i < clip->count && !print->failed; i++) {
		plot_print_name(print, clip->rows[i].label, gutter - 2);
		anim_print_texts(print, " ", plot_line_of(options->charset));
		if (clip->rows[i].events.size > 0)
			print_flags(print, options, clip, &clip->rows[i]);
		else
			print_marks(print, options, clip, &clip->rows[i]);
		anim_print_texts(print, plot_line_of(options->charset), " ");
		print_row_count(print, &clip->rows[i]);
		anim_print_text(print, "\n");
	}
	if (clip->count > 0)
		plot_terminal_axis(print, options, &clip->clip, gutter, clip->columns);
}

/* --- As SVG --- */

#define LABEL 190
#define LABEL_MOST 31 /* characters */
#define ROW 16

const char dope_svg_light[] = ".k{fill:#d98a00;stroke:#9a6200;stroke-width:.6}.b{stroke:#ecd09a;stroke-width:5}"
			      ".s{stroke:#bbb;stroke-width:1.5}.n{fill:#888}.q{fill:#f6f6f8}.v{text-anchor:middle}"
			      ".g{fill:#c2410c;stroke:#c2410c}.u{fill:#c2410c}";
const char dope_svg_dark[] = ".k{fill:#ffbf4d;stroke:#5c4310}.b{stroke:#66552f}.s{stroke:#777}.q{fill:#222226}"
			     ".g{fill:#ff8a4c;stroke:#ff8a4c}.u{fill:#ff9f6b}";

/* The columns that have a mark, as one path of strokes. */
static void draw_bars(struct anim_print *print, const struct dope_clip *clip, const struct dope_row *row,
		      enum mark mark, long y)
{
	char text[96];
	bool any = false;

	for (size_t from = 0, to; from < clip->columns; from = to) {
		/* a bar goes on below keys, so that it reaches from one to the other */
		for (to = from;
		     to < clip->columns &&
		     (mark == MARK_HELD ? row->held[to] + row->sampled[to] == row->number && row->held[to] > 0
					: row->sampled[to] > 0);)
			to++;
		if (to == from) {
			to++;
			continue;
		}
		snprintf(text, sizeof text, "%sM%zu %ldh%zu",
			 any                 ? ""
			 : mark == MARK_HELD ? "<path class=\"b\" d=\""
					     : "<path class=\"s\" d=\"",
			 LABEL + from, y, to - from);
		anim_print_text(print, text);
		any = true;
	}
	anim_print_text(print, any ? "\"/>" : "");
}

static void draw_keys(struct anim_print *print, const struct dope_clip *clip, const struct dope_row *row, long y)
{
	static const char diamond[] = "l4 4-4 4-4-4z";
	const struct plot_columns columns = spread(clip);
	double length = columns.end_s - columns.start_s;
	bool tells = row->keys <= TITLES, any = false;
	long last = 0;
	char text[96];

	for (size_t c = 0; c < clip->columns; c++) {
		double at = length > 0 ? ((double)row->times[c] - columns.start_s) / length * (double)clip->columns : 0;
		long x = LABEL + lrint(at);

		if (!row->keyed[c])
			continue;
		if (tells || !any)
			snprintf(text, sizeof text, "<path class=\"k\" d=\"M%ld %ld%s", x, y - 4, diamond);
		else
			snprintf(text, sizeof text, "m%ld 0%s", x - last, diamond);
		anim_print_text(print, text);
		if (tells) {
			anim_print_text(print, "\"><title>");
			plot_svg_number(print, (double)row->times[c], "s");
			anim_print_text(print, "</title></path>");
		}
		any = true;
		last = x;
	}
	anim_print_text(print, any && !tells ? "\"/>" : "");
}

static void draw_flags(struct anim_print *print, const struct dope_clip *clip, const struct dope_row *row, long y)
{
	const struct dope_event *events = (const struct dope_event *)(const void *)row->events.data;
	size_t count = row->events.size / sizeof *events;
	const struct plot_columns columns = spread(clip);
	char text[160];

	for (size_t i = 0; i < count; i++) {
		size_t c = plot_column_of(&columns, events[i].time_s);
		size_t next = i + 1 < count ? plot_column_of(&columns, events[i + 1].time_s) : clip->columns + 100;

		anim_print_text(print, "<g><title>");
		plot_svg_number(print, events[i].time_s, "s: ");
		plot_xml(print, events[i].text, strlen(events[i].text));
		snprintf(text, sizeof text,
			 "</title><path class=\"g\" d=\"M%zu %ldv-12l6 3-6 3\"/><text class=\"u\" x=\"%zu\" y=\"%ld\">",
			 LABEL + c, y + 6, LABEL + c + 8, y + 4);
		anim_print_text(print, text);
		if (next > c + 16)
			plot_xml_short(print, events[i].text, (next - c - 10) / 5);
		anim_print_text(print, "</text></g>");
	}
}

static void draw_row(struct anim_print *print, const struct dope_clip *clip, const struct dope_row *row, long y)
{
	char text[160];

	snprintf(text, sizeof text, "<text y=\"%ld\"><title>", y + 4);
	anim_print_text(print, text);
	plot_xml(print, row->label, strlen(row->label));
	anim_print_text(print, "</title>");
	plot_xml_short(print, row->label, LABEL_MOST);
	anim_print_text(print, "</text>");
	draw_bars(print, clip, row, MARK_SAMPLES, y);
	draw_bars(print, clip, row, MARK_HELD, y);
	draw_keys(print, clip, row, y);
	draw_flags(print, clip, row, y);
	snprintf(text, sizeof text, "<text class=\"n\" x=\"%d\" y=\"%ld\">", LABEL + DOPE_SVG_COLUMNS + 10, y + 4);
	anim_print_text(print, text);
	print_row_count(print, row);
	anim_print_text(print, "</text>\n");
}

void dope_svg_clip(struct plot_svg *svg, const struct anim_plot_options *options, const struct dope_clip *clip,
		   struct anim_error *error)
{
	struct anim_print print = {.buffer = &svg->body, .error = error, .failed = svg->failed};
	long high = (long)clip->count * ROW;
	char text[96];

	plot_svg_heading(svg, &print, &clip->clip);
	print_sums(&print, clip);
	snprintf(text, sizeof text, "</text>\n<g transform=\"translate(%d %zu)\">\n", PLOT_SVG_GAP, svg->high + 4);
	anim_print_text(&print, text);
	for (size_t i = 0; i < clip->count; i++) {
		snprintf(text, sizeof text, "<path class=\"q\" d=\"M%d %zuh%dv%dh-%dz\"/>", LABEL, i * ROW + 1,
			 DOPE_SVG_COLUMNS, ROW - 2, DOPE_SVG_COLUMNS);
		anim_print_text(&print, text);
	}
	if (clip->count > 0)
		plot_svg_times(&print, options, &clip->clip, LABEL, DOPE_SVG_COLUMNS, high);
	for (size_t i = 0; i < clip->count; i++)
		draw_row(&print, clip, &clip->rows[i], (long)i * ROW + ROW / 2);
	anim_print_text(&print, "</g>\n");
	svg->high += (size_t)high + 20 + PLOT_SVG_GAP;
	svg->failed = print.failed;
}
