/* svg.c: panels as one SVG file: no script, no font or style from elsewhere, numbers by our own printer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "filter/plot/internal.h"
#include "filter/summary.h"

/* In pixels; a panel's picture lies LEFT from its left border and TOP from its upper one. */
#define PANEL_WIDE 240
#define PANEL_HIGH 120
#define ABREAST 4
#define LEFT 38
#define TOP 18
#define WIDE (PLOT_SVG_COLUMNS / 2)
#define HIGH 84
#define STRIP 24       /* of the errors, below the times */
#define TITLE_MAX 44   /* characters of a title, its unit and its lanes; what is longer is cut in the middle */
#define TITLE_LEAST 12 /* that stay of it */
#define WORDS_MOST 42  /* characters of a line of words */
#define LINE_HIGH 12
#define FLAT 2 /* tenths of a pixel that a line may be off */

/* Lines, keys, the source's wide ones, errors and what they may be. */
#define DASHES                                                                                 \
	".y{stroke-dasharray:60 20}.z{stroke-dasharray:20 20}.w{stroke-dasharray:60 20 15 20}" \
	".k{stroke-dasharray:none}"
#define CURVES                                                                                                \
	".e{text-anchor:end}tspan[class]{stroke:none}path.c{fill:none;stroke-width:12;stroke-linejoin:round}" \
	"path.k{fill:none;stroke-width:36;stroke-linecap:round}.p{stroke-width:50;opacity:.3}"                \
	".r{fill:none;stroke:#b0b;stroke-width:8}.t{fill:none;stroke:#b0b;stroke-width:5;stroke-dasharray:30 20}"

const char *const plot_svg_curves[2] = {
    CURVES ".x{stroke:#d33;fill:#d33}.y{stroke:#292;fill:#292}.z{stroke:#36d;fill:#36d}.w{stroke:#777;fill:#777}"
	   "@media print{" DASHES "}",
    CURVES ".x{stroke:#e69f00;fill:#e69f00}.y{stroke:#56b4e9;fill:#56b4e9}.z{stroke:#009e73;fill:#009e73}"
	   ".w{stroke:#cc79a7;fill:#cc79a7}" DASHES,
};

/* Of lanes, by their colours. */
static const char *const classes[] = {"x", "y", "z", "w"};

/* Whole pixels, or with a half. */
static void print_attribute(struct anim_print *print, const char *name, double value)
{
	anim_print_texts(print, " ", name, "=\"");
	anim_print_double(print, value);
	anim_print_text(print, "\"");
}

static void print_label(struct anim_print *print, double x, double y, double value)
{
	anim_print_text(print, "<text class=\"e\"");
	print_attribute(print, "x", x);
	print_attribute(print, "y", y);
	anim_print_text(print, ">");
	plot_svg_number(print, value, "");
	anim_print_text(print, "</text>");
}

/* --- A line through the columns: relative steps in tenths of a pixel, straight parts as one --- */

#define STEP_MOST 12                                       /* bytes: a letter and two numbers of up to four digits */
#define PATH_MOST ((3 * PLOT_SVG_COLUMNS + 1) * STEP_MOST) /* three points of a column */

struct pen {
	char path[PATH_MOST]; /* what is drawn so far */
	size_t size;
	bool down;
	long from_x, from_y;    /* where the last step ended */
	long x, y;              /* the last point, which is not printed yet */
	double lowest, highest; /* slopes from there that pass all points since */
	bool waits;
};

static void lay_pen(struct pen *pen)
{
	pen->size = 0;
	pen->down = pen->waits = false;
}

/* A number of tenths: there are many of them, and none is beyond the picture, of 2000 x 840. */
static char *print_tenths(char *at, long value)
{
	unsigned rest = (unsigned)(value < 0 ? -value : value);

	if (value < 0)
		*at++ = '-';
	if (rest >= 1000)
		*at++ = (char)('0' + rest / 1000);
	if (rest >= 100)
		*at++ = (char)('0' + rest / 100 % 10);
	if (rest >= 10)
		*at++ = (char)('0' + rest / 10 % 10);
	*at++ = (char)('0' + rest % 10);
	return at;
}

static void print_step(struct pen *pen, long x, long y)
{
	long dx = x - pen->from_x, dy = y - pen->from_y;
	char letter = !pen->down ? 'M' : dx == 0 ? 'v' : dy == 0 ? 'h' : 'l', *at = pen->path + pen->size;

	*at++ = letter;
	if (letter != 'v')
		at = print_tenths(at, pen->down ? dx : x);
	if (letter == 'M' || (letter == 'l' && dy > 0))
		*at++ = ' ';
	if (letter != 'h')
		at = print_tenths(at, pen->down ? dy : y);
	pen->size = (size_t)(at - pen->path);
	pen->down = true;
	pen->from_x = x;
	pen->from_y = y;
}

static void flush_pen(struct pen *pen)
{
	if (pen->waits)
		print_step(pen, pen->x, pen->y);
	pen->waits = false;
}

static void begin_reach(struct pen *pen, long x, long y)
{
	double length = (double)(x - pen->from_x);

	pen->lowest = (double)(y - FLAT - pen->from_y) / length;
	pen->highest = (double)(y + FLAT - pen->from_y) / length;
}

/* A point goes on with the line that waits where all points since its start lie near to it. */
static void move_pen(struct pen *pen, long x, long y)
{
	double slope;

	if (!pen->down) {
		print_step(pen, x, y);
		return;
	}
	if (x == (pen->waits ? pen->x : pen->from_x) && y == (pen->waits ? pen->y : pen->from_y))
		return;
	slope = x > pen->from_x ? (double)(y - pen->from_y) / (double)(x - pen->from_x) : 0;
	if (pen->waits && (x == pen->x || slope < pen->lowest || slope > pen->highest))
		flush_pen(pen);
	if (x == pen->from_x) {
		flush_pen(pen);
		if (y != pen->from_y)
			print_step(pen, x, y);
		return;
	}
	if (!pen->waits) {
		begin_reach(pen, x, y);
	} else {
		double length = (double)(x - pen->from_x);
		double low = (double)(y - FLAT - pen->from_y) / length;
		double high = (double)(y + FLAT - pen->from_y) / length;

		pen->lowest = low > pen->lowest ? low : pen->lowest;
		pen->highest = high < pen->highest ? high : pen->highest;
	}
	pen->x = x;
	pen->y = y;
	pen->waits = true;
}

static void lift_pen(struct pen *pen)
{
	flush_pen(pen);
	pen->down = false;
}

static long tenths_down(const struct plot_panel *panel, double value)
{
	double at = (panel->top - value) / (panel->top - panel->bottom) * (HIGH * 10);

	return at > 0 ? at < HIGH * 10 ? (long)(at + 0.5) : HIGH * 10 : 0;
}

/* Columns that are drawn as one: where the line comes in and where it goes out, and between which heights it is. */
struct bar {
	long before, after, low, high;
};

/* False where the curve has a gap. */
static bool find_bar(const struct plot_panel *panel, const struct plot_lane *lane, size_t c, size_t count,
		     struct bar *bar)
{
	double least = (double)INFINITY, most = -(double)INFINITY;

	for (size_t i = c; i < c + count; i++) {
		least = lane->least[i] < least ? lane->least[i] : least;
		most = lane->most[i] > most ? lane->most[i] : most;
	}
	if (least > most)
		return false;
	bar->low = tenths_down(panel, least);
	bar->high = tenths_down(panel, most);
	bar->before = isfinite(lane->edge[c]) ? tenths_down(panel, lane->edge[c]) : bar->low;
	bar->after = isfinite(lane->edge[c + count]) ? tenths_down(panel, lane->edge[c + count]) : bar->low;
	return true;
}

/* It goes beyond its borders. */
static bool is_stroke(const struct bar *bar)
{
	return bar->low > (bar->before > bar->after ? bar->before : bar->after) + FLAT ||
	       bar->high < (bar->before < bar->after ? bar->before : bar->after) - FLAT;
}

/* A stroke from one end to the other, or a line from border to border. */
static void draw_bar(struct pen *pen, const struct bar *bar, long x, long wide)
{
	if (!is_stroke(bar)) {
		move_pen(pen, x, bar->before);
		move_pen(pen, x + wide, bar->after);
		return;
	}
	if (!pen->down)
		move_pen(pen, x, bar->before);
	x += wide / 2;
	if (pen->from_y - bar->high < bar->low - pen->from_y) {
		move_pen(pen, x, bar->high);
		move_pen(pen, x, bar->low);
	} else {
		move_pen(pen, x, bar->low);
		move_pen(pen, x, bar->high);
	}
}

/* Of PLOT_SVG_COLUMNS so many are drawn as one: how many of the columns that there are. */
static size_t merged_of(const struct plot_columns *columns, unsigned merged)
{
	size_t count = merged * columns->count / PLOT_SVG_COLUMNS;

	return count > 0 ? count : 1;
}

#define BYTES_OF_STROKE 12
#define BYTES_OF_LINE 6

/* A line goes on until it has bent by more than it may be off. */
static size_t size_of_lane(const struct plot_panel *panel, const struct plot_lane *lane, size_t count)
{
	size_t size = 1;
	long step = 0;
	struct bar bar;

	for (size_t c = 0; c < panel->columns.count; c += count) {
		if (!find_bar(panel, lane, c, count, &bar))
			continue;
		if (is_stroke(&bar)) {
			size += BYTES_OF_STROKE;
		} else if (labs(bar.after - bar.before - step) > FLAT) {
			size += BYTES_OF_LINE;
			step = bar.after - bar.before;
		}
	}
	return size;
}

size_t plot_svg_size(const struct plot_panel *panel, unsigned merged)
{
	size_t count = merged_of(&panel->columns, merged), size = 0;

	for (unsigned i = 0; i < panel->columns.lanes; i++)
		size += size_of_lane(panel, &panel->columns.lane[i], count);
	return size;
}

static void draw_lane(struct anim_print *print, const struct plot_panel *panel, const struct plot_columns *columns,
		      const char *pale, unsigned lane, unsigned merged)
{
	size_t count = merged_of(columns, merged);
	long wide = (long)(count * (PLOT_SVG_COLUMNS / columns->count)) * 5, x = 0;
	struct bar bar;
	struct pen pen;

	lay_pen(&pen);
	for (size_t c = 0; c < columns->count; c += count, x += wide)
		if (find_bar(panel, &columns->lane[lane], c, count, &bar))
			draw_bar(&pen, &bar, x, wide);
		else
			lift_pen(&pen);
	lift_pen(&pen);
	anim_print_texts(print, "<path class=\"c ", pale, classes[panel->colors[lane]], "\" d=\"");
	anim_print_bytes(print, pen.path, pen.size);
	anim_print_text(print, "\"/>");
}

/* --- A panel --- */

static long tenths_across(const struct plot_panel *panel, double t)
{
	double length = panel->columns.end_s - panel->columns.start_s;

	return length > 0 ? lrint((t - panel->columns.start_s) / length * (WIDE * 10)) : 0;
}

/* Keys as dots, each with its time and values. */
static void draw_keys(struct anim_print *print, const struct plot_panel *panel)
{
	for (size_t k = 0; k < panel->dots; k++) {
		const double *values = panel->dot_values + k * panel->columns.lanes;

		anim_print_text(print, "<g><title>");
		plot_svg_number(print, panel->dot_times[k], "s: ");
		for (unsigned i = 0; i < panel->columns.lanes; i++) {
			anim_print_text(print, i > 0 ? ", " : "");
			plot_svg_number(print, values[i], "");
		}
		anim_print_text(print, "</title>");
		for (unsigned i = 0; i < panel->columns.lanes; i++) {
			char text[96];

			if (!isfinite(values[i]))
				continue;
			snprintf(text, sizeof text, "<path class=\"k %s\" d=\"M%ld %ldh0\"/>",
				 classes[panel->colors[i]], tenths_across(panel, panel->dot_times[k]),
				 tenths_down(panel, values[i]));
			anim_print_text(print, text);
		}
		anim_print_text(print, "</g>");
	}
}

static double height_of(const struct plot_panel *panel, double value)
{
	return TOP + rint((panel->top - value) / (panel->top - panel->bottom) * HIGH * 2) / 2;
}

static void draw_heights(struct anim_print *print, const struct plot_panel *panel)
{
	double step = plot_tick_step(panel->top - panel->bottom, 4);
	double lowest = step > 0 ? ceil(panel->bottom / step - 1e-9) : 0, tick;

	for (int i = 0; step > 0 && i < 6 && (tick = plot_tick(lowest + i, step)) <= panel->top; i++)
		print_label(print, LEFT - 3, height_of(panel, tick) + 3, tick);
	if (panel->bottom < 0 && panel->top > 0) {
		anim_print_text(print, "<path class=\"o\" d=\"M38 ");
		anim_print_double(print, height_of(panel, 0));
		anim_print_text(print, "h200\"/>");
	}
}

/* The errors on a scale of their own, to the larger of the largest and the limit, which is a line. */
static void draw_errors(struct anim_print *print, const struct plot_panel *panel, unsigned merged)
{
	double scale = fmax(panel->worst, panel->limit);
	struct pen pen;
	char text[128];

	lay_pen(&pen);
	snprintf(text, sizeof text, "<g transform=\"translate(%d %d)scale(.1)\"><path class=\"r\" d=\"", LEFT,
		 TOP + HIGH + 18);
	anim_print_text(print, text);
	for (size_t c = 0; c < panel->columns.count; c += merged) {
		double worst = 0;

		for (size_t i = c; i < c + merged; i++)
			worst = fmax(worst, (double)panel->error[i]);
		if (isfinite(worst))
			move_pen(&pen, (long)(c * 5 + merged * 5 / 2),
				 scale > 0 ? lrint((1 - fmin(worst / scale, 1)) * (STRIP * 10)) : STRIP * 10);
	}
	lift_pen(&pen);
	anim_print_bytes(print, pen.path, pen.size);
	anim_print_text(print, "\"/>");
	if (panel->limit > 0 && isfinite(scale)) {
		snprintf(text, sizeof text, "<path class=\"t\" d=\"M0 %ldh%d\"/>",
			 lrint((1 - panel->limit / scale) * (STRIP * 10)), WIDE * 10);
		anim_print_text(print, text);
	}
	anim_print_text(print, "</g>");
	snprintf(text, sizeof text, "<text x=\"%d\" y=\"%d\">", LEFT, TOP + HIGH + STRIP + 28);
	anim_print_text(print, text);
	plot_print_off(print, panel);
	anim_print_text(print, "</text>");
}

/* The bytes of the next line of a text, broken at a space. */
static size_t line_of(const char *text)
{
	size_t size = strlen(text), most = WORDS_MOST;

	if (size <= WORDS_MOST)
		return size;
	while (most > 0 && text[most] != ' ')
		most--;
	return most > 0 ? most : WORDS_MOST;
}

static unsigned lines_of(const char *text)
{
	unsigned lines = 0;

	for (; *text != '\0'; lines++) {
		text += line_of(text);
		text += *text == ' ';
	}
	return lines;
}

/* What the errors are like, below them. */
static void draw_fault(struct anim_print *print, const char *text)
{
	int y = TOP + HIGH + STRIP + 28;
	char head[64];

	while (*text != '\0') {
		size_t size = line_of(text);

		y += LINE_HIGH;
		snprintf(head, sizeof head, "<text x=\"%d\" y=\"%d\">", LEFT, y);
		anim_print_text(print, head);
		plot_xml(print, text, size);
		anim_print_text(print, "</text>");
		text += size + (text[size] == ' ');
	}
}

/* Node and property from the panel's left border on, the unit, the lanes in the colours of their lines. */
static void draw_title(struct anim_print *print, const struct plot_panel *panel)
{
	unsigned named = panel->columns.lanes > 1 && panel->columns.lanes <= 4 ? panel->columns.lanes : 0;
	size_t taken = (panel->flat ? 6 : 0) + (*panel->unit != '\0' ? strlen(panel->unit) + 3 : 0);

	for (unsigned i = 0; i < named; i++)
		taken += strlen(panel->names[i]) + 1;
	plot_xml_short(print, panel->title, taken + TITLE_LEAST < TITLE_MAX ? TITLE_MAX - taken : TITLE_LEAST);
	if (*panel->unit != '\0')
		anim_print_texts(print, " (", panel->unit, ")");
	anim_print_text(print, panel->flat ? ", flat" : "");
	for (unsigned i = 0; i < named; i++)
		anim_print_texts(print, " <tspan class=\"", classes[panel->colors[i]], "\">", panel->names[i],
				 "</tspan>");
}

static void draw_panel(struct anim_print *print, const struct anim_plot_options *options, const struct plot_clip *clip,
		       const struct plot_panel *panel, size_t x, size_t y, unsigned merged)
{
	struct plot_axis axis;
	char text[128];

	snprintf(text, sizeof text, "<g transform=\"translate(%zu %zu)\"><text y=\"12\"><title>", x, y);
	anim_print_text(print, text);
	plot_xml(print, panel->title, strlen(panel->title));
	anim_print_text(print, ": ");
	plot_print_words(print, panel);
	anim_print_text(print, "</title>");
	draw_title(print, panel);
	snprintf(text, sizeof text, "</text><path class=\"f\" d=\"M%d %dh%dv%dh-%dz\"/>", LEFT, TOP, WIDE, HIGH, WIDE);
	anim_print_text(print, text);
	draw_heights(print, panel);
	plot_axis_of(&axis, options, &clip->head, panel->columns.start_s, panel->columns.end_s, 4);
	plot_svg_times(print, &axis, LEFT, TOP + HIGH, WIDE, 0);
	snprintf(text, sizeof text, "<g transform=\"translate(%d %d)scale(.1)\">", LEFT, TOP);
	anim_print_text(print, text);
	for (unsigned i = 0; i < panel->source.lanes; i++)
		draw_lane(print, panel, &panel->source, "p ", i, merged);
	for (unsigned i = 0; i < panel->columns.lanes; i++)
		draw_lane(print, panel, &panel->columns, "", i, merged);
	draw_keys(print, panel);
	anim_print_text(print, "</g>");
	if (panel->paired) {
		draw_errors(print, panel, merged);
		draw_fault(print, panel->fault);
	}
	anim_print_text(print, "</g>\n");
}

/* --- The file --- */

static size_t most_lines(const struct plot_clip *clip)
{
	size_t most = 0;

	for (size_t i = 0; i < clip->count; i++) {
		size_t lines = lines_of(clip->panels[i]->fault);

		most = lines > most ? lines : most;
	}
	return most;
}

static void draw_rest(struct plot_svg *svg, struct anim_print *print, const struct plot_clip *clip)
{
	plot_svg_line(svg, print);
	plot_print_rest(print, clip);
	plot_svg_text_end(svg, print);
}

void plot_svg_clip(struct plot_svg *svg, const struct anim_plot_options *options, const struct plot_clip *clip,
		   struct anim_error *error)
{
	struct anim_print print = {.buffer = &svg->body, .error = error, .failed = svg->failed};
	size_t high = PANEL_HIGH + PLOT_SVG_GAP + (clip->paired ? STRIP + 14 + LINE_HIGH * most_lines(clip) : 0);
	size_t first, rows = (clip->count + ABREAST - 1) / ABREAST;

	plot_svg_heading(svg, &print, clip);
	plot_print_counts(&print, clip);
	plot_svg_text_end(svg, &print);
	first = svg->body.size;
	for (unsigned merged = clip->merged; merged <= PLOT_SVG_MERGED && !print.failed; merged *= 2) {
		svg->body.size = first;
		for (size_t i = 0;
		     i < clip->count && (merged == PLOT_SVG_MERGED || svg->body.size - first < PLOT_SVG_BYTES); i++)
			draw_panel(&print, options, clip, clip->panels[i],
				   PLOT_SVG_GAP + i % ABREAST * (PANEL_WIDE + PLOT_SVG_GAP),
				   svg->high + i / ABREAST * high, merged);
		if (svg->body.size - first < PLOT_SVG_BYTES)
			break;
	}
	svg->high += rows * high;
	if (clip->paired && clip->hidden > 0)
		draw_rest(svg, &print, clip);
	plot_svg_lone(svg, &print, clip);
	plot_svg_names(svg, &print, "constant", clip->constant);
	plot_svg_names(svg, &print, "texts", clip->texts);
	plot_svg_names(svg, &print, "not played", clip->unplayed);
	svg->failed = print.failed;
}
