/* panel_svg.c: the panels of a clip, drawn as SVG. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filter/plot/panel.h"

/* All sizes are in pixels. The picture of a panel begins LEFT from its left border and TOP from its upper border. */
#define SVG_COLUMNS PLOT_PANEL_SVG_COLUMNS
#define SVG_BYTES 40000 /* size of a clip in bytes above which columns are merged, first two, */
#define SVG_MERGED 4    /* then four of them */
#define PANEL_WIDE 240
#define PANEL_HIGH 120
#define ABREAST 4
#define LEFT 38
#define TOP 18
#define WIDE (SVG_COLUMNS / 2)
#define HIGH 84
#define STRIP 24 /* height of the strip of errors, below the times */
#define TITLE_MAX \
	44 /* characters of a title with its unit and components, which is otherwise shortened in the middle */
#define TITLE_LEAST 12 /* characters of the title that always remain */
#define WORDS_MOST 42  /* characters per line of words */
#define LINE_HIGH 12
#define FLAT 2 /* largest error of a line, in tenths of a pixel */

/* Styles of lines, keys, the wide lines of the source, errors and their limits. */
#define DASHES                                                                                 \
	".y{stroke-dasharray:60 20}.z{stroke-dasharray:20 20}.w{stroke-dasharray:60 20 15 20}" \
	".k{stroke-dasharray:none}"
#define CURVES                                                                                                \
	".e{text-anchor:end}tspan[class]{stroke:none}path.c{fill:none;stroke-width:12;stroke-linejoin:round}" \
	"path.k{fill:none;stroke-width:36;stroke-linecap:round}.p{stroke-width:50;opacity:.3}"                \
	".r{fill:none;stroke:#b0b;stroke-width:8}.t{fill:none;stroke:#b0b;stroke-width:5;stroke-dasharray:30 20}"

const char plot_svg_axes[] =
    CURVES ".x{stroke:#d33;fill:#d33}.y{stroke:#292;fill:#292}.z{stroke:#36d;fill:#36d}.w{stroke:#777;fill:#777}"
	   "@media print{" DASHES "}";
const char plot_svg_safe[] =
    CURVES ".x{stroke:#e69f00;fill:#e69f00}.y{stroke:#56b4e9;fill:#56b4e9}.z{stroke:#009e73;fill:#009e73}"
	   ".w{stroke:#cc79a7;fill:#cc79a7}" DASHES;
/* The colours of the axes are lighter on a dark page. The other palette is light enough. */
const char plot_svg_axes_dark[] = ".r,.t{stroke:#f6f}.x{stroke:#f66}.y{stroke:#5c5}.z{stroke:#69f}.w{stroke:#aaa}";
const char plot_svg_safe_dark[] = ".r,.t{stroke:#f6f}";

/* Classes of components, by colour. */
static const char *const classes[] = {"x", "y", "z", "w"};

/* --- A line through the columns: relative steps in tenths of a pixel, with straight parts merged --- */

#define STEP_MOST 12                                  /* bytes: a letter and two numbers of up to four digits */
#define PATH_MOST ((3 * SVG_COLUMNS + 1) * STEP_MOST) /* three points per column */

struct pen {
	char path[PATH_MOST]; /* the path so far */
	size_t size;
	bool down;
	long from_x, from_y;    /* the end of the last step */
	long x, y;              /* the last point, which is not printed yet */
	double lowest, highest; /* range of slopes from there that pass near all points since */
	bool waits;
};

static void lay_pen(struct pen *pen)
{
	pen->size = 0;
	pen->down = pen->waits = false;
}

static void print_step(struct pen *pen, long x, long y)
{
	long dx = x - pen->from_x, dy = y - pen->from_y;
	char *at = pen->path + pen->size;
	size_t room = sizeof pen->path - pen->size;

	if (!pen->down)
		pen->size += (size_t)snprintf(at, room, "M%ld %ld", x, y);
	else if (dx == 0 || dy == 0)
		pen->size += (size_t)snprintf(at, room, "%c%ld", dx == 0 ? 'v' : 'h', dx == 0 ? dy : dx);
	else
		pen->size += (size_t)snprintf(at, room, dy > 0 ? "l%ld %ld" : "l%ld%ld", dx, dy);
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

/* Add a point. It extends the waiting line if all points since the start of the line are near it. */
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
		double length = (double)(x - pen->from_x);

		pen->lowest = (double)(y - FLAT - pen->from_y) / length;
		pen->highest = (double)(y + FLAT - pen->from_y) / length;
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

/* Columns that are drawn as one: heights at the left and right border, and the lowest and highest value. */
struct bar {
	long before, after, low, high;
};

/* Find the bar of `count` columns. Returns false if the curve has a gap there. */
static bool find_bar(const struct plot_panel *panel, const struct plot_component *component, size_t c, size_t count,
		     struct bar *bar)
{
	double least = (double)INFINITY, most = -(double)INFINITY;

	for (size_t i = c; i < c + count; i++) {
		least = component->least[i] < least ? component->least[i] : least;
		most = component->most[i] > most ? component->most[i] : most;
	}
	if (least > most)
		return false;
	bar->low = tenths_down(panel, least);
	bar->high = tenths_down(panel, most);
	bar->before = isfinite(component->edge[c]) ? tenths_down(panel, component->edge[c]) : bar->low;
	bar->after = isfinite(component->edge[c + count]) ? tenths_down(panel, component->edge[c + count]) : bar->low;
	return true;
}

/*
 * Draw a line from border to border, or a stroke from one end to the other if the values extend beyond the values at the
 * borders.
 */
static void draw_bar(struct pen *pen, const struct bar *bar, long x, long wide)
{
	bool stroke = bar->low > (bar->before > bar->after ? bar->before : bar->after) + FLAT ||
		      bar->high < (bar->before < bar->after ? bar->before : bar->after) - FLAT;

	if (!stroke) {
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

/* Draw a component, with `merged` columns as one. */
static void draw_component(struct plot_page *page, const struct plot_panel *panel, const struct plot_columns *columns,
			   const char *pale, unsigned component, size_t merged)
{
	long x = 0, wide = (long)merged * 5;
	struct bar bar;
	struct pen pen;

	lay_pen(&pen);
	for (size_t c = 0; c < columns->count; c += merged, x += wide)
		if (find_bar(panel, &columns->component[component], c, merged, &bar))
			draw_bar(&pen, &bar, x, wide);
		else
			lift_pen(&pen);
	lift_pen(&pen);
	anim_print_texts(&page->print, "<path class=\"c ", pale, classes[panel->colors[component]], "\" d=\"");
	anim_print_bytes(&page->print, pen.path, pen.size);
	anim_print_text(&page->print, "\"/>");
}

/* Return the distance from the upper border of the panel, rounded to half pixels. */
static double height_of(const struct plot_panel *panel, double value)
{
	return TOP + rint((panel->top - value) / (panel->top - panel->bottom) * HIGH * 2) / 2;
}

/* Return the number of bytes in the next line of a text, which is broken at a space. */
static size_t line_of(const char *text)
{
	size_t size = strlen(text), most = WORDS_MOST;

	if (size <= WORDS_MOST)
		return size;
	while (most > 0 && text[most] != ' ')
		most--;
	return most > 0 ? most : WORDS_MOST;
}

/*
 * Draw the errors on their own scale, up to the larger of the largest error and the limit. The limit is a line. The
 * error in words is below.
 */
static void draw_errors(struct plot_page *page, const struct plot_panel *panel, size_t merged)
{
	double scale = fmax(panel->worst, panel->limit);
	int y = TOP + HIGH + STRIP + 28;
	struct pen pen;

	lay_pen(&pen);
	plot_put(page, "<g transform=\"translate(%d %d)scale(.1)\"><path class=\"r\" d=\"", LEFT, TOP + HIGH + 18);
	for (size_t c = 0; c < panel->columns.count; c += merged) {
		double worst = 0;

		for (size_t i = c; i < c + merged; i++)
			worst = fmax(worst, (double)panel->error[i]);
		if (isfinite(worst))
			move_pen(&pen, (long)(c * 5 + merged * 5 / 2),
				 scale > 0 ? lrint((1 - fmin(worst / scale, 1)) * (STRIP * 10)) : STRIP * 10);
	}
	lift_pen(&pen);
	anim_print_bytes(&page->print, pen.path, pen.size);
	anim_print_text(&page->print, "\"/>");
	if (panel->limit > 0 && isfinite(scale))
		plot_put(page, "<path class=\"t\" d=\"M0 %ldh%d\"/>", lrint((1 - panel->limit / scale) * (STRIP * 10)),
			 WIDE * 10);
	plot_put(page, "</g><text x=\"%d\" y=\"%d\">", LEFT, y);
	plot_panel_off(page, panel);
	anim_print_text(&page->print, "</text>");
	for (const char *text = panel->description; *text != '\0';) {
		size_t size = line_of(text);

		plot_put(page, "<text x=\"%d\" y=\"%d\">%.*s</text>", LEFT, y += LINE_HIGH, (int)size, text);
		text += size + (text[size] == ' ');
	}
}

static void draw_panel(struct plot_page *page, const struct plot_sheet *sheet, const struct plot_panel *panel, size_t x,
		       size_t y, size_t merged)
{
	plot_put(page, "<g transform=\"translate(%zu %zu)\"><text y=\"12\"><title>", x, y);
	plot_name(page, panel->title);
	anim_print_texts(&page->print, panel->form, ": ");
	plot_panel_words(page, panel, false);
	anim_print_texts(&page->print, *panel->description == '\0' ? "" : "; ", panel->description, "</title>");

	/*
	 * Draw the title at the left border of the panel: node and property, the unit, and the components in the
	 * colours of their lines.
	 */
	unsigned named =
	    panel->columns.components > 1 && panel->columns.components <= 4 ? panel->columns.components : 0;
	size_t taken = strlen(panel->form) + (panel->flat ? 6 : 0);

	taken += *panel->unit != '\0' ? strlen(panel->unit) + 3 : 0;
	for (unsigned i = 0; i < named; i++)
		taken += strlen(panel->names[i]) + 1;
	plot_short(page, panel->title, taken + TITLE_LEAST < TITLE_MAX ? TITLE_MAX - taken : TITLE_LEAST);
	anim_print_text(&page->print, panel->form);
	if (*panel->unit != '\0')
		plot_put(page, " (%s)", panel->unit);
	anim_print_text(&page->print, panel->flat ? ", flat" : "");
	for (unsigned i = 0; i < named; i++)
		plot_put(page, " <tspan class=\"%s\">%s</tspan>", classes[panel->colors[i]], panel->names[i]);

	plot_put(page, "</text><path class=\"f\" d=\"M%d %dh%dv%dh-%dz\"/>", LEFT, TOP, WIDE, HIGH, WIDE);

	double step = plot_tick_step(panel->top - panel->bottom, 4);
	double lowest = step > 0 ? ceil(panel->bottom / step - 1e-9) : 0, tick;

	for (int i = 0; step > 0 && i < 6 && (tick = plot_tick(lowest + i, step)) <= panel->top; i++) {
		plot_put(page, "<text class=\"e\" x=\"%d\" y=\"", LEFT - 3);
		anim_print_double(&page->print, height_of(panel, tick) + 3);
		plot_number(page, "\">", tick, "", "</text>");
	}
	if (panel->bottom < 0 && panel->top > 0) {
		anim_print_text(&page->print, "<path class=\"o\" d=\"M38 ");
		anim_print_double(&page->print, height_of(panel, 0));
		anim_print_text(&page->print, "h200\"/>");
	}

	plot_svg_times(page, sheet->clip, panel->columns.end_s, 4, (const long[]){LEFT, TOP + HIGH, WIDE, 0});
	plot_put(page, "<g transform=\"translate(%d %d)scale(.1)\">", LEFT, TOP);
	for (unsigned i = 0; i < panel->source.components; i++)
		draw_component(page, panel, &panel->source, "p ", i, merged);
	for (unsigned i = 0; i < panel->columns.components; i++)
		draw_component(page, panel, &panel->columns, "", i, merged);

	/* Draw keys as dots, each with its time and values. */
	double length = panel->columns.end_s - panel->columns.start_s;

	for (size_t k = 0; k < panel->dots; k++) {
		const double *values = panel->dot_values + k * panel->columns.components;
		double t = panel->dot_times[k];
		long j = length > 0 ? lrint((t - panel->columns.start_s) / length * (WIDE * 10)) : 0;

		plot_number(page, "<g><title>", t, "s", ": ");
		for (unsigned i = 0; i < panel->columns.components; i++)
			plot_number(page, i > 0 ? ", " : "", values[i], "", "");
		anim_print_text(&page->print, "</title>");
		for (unsigned i = 0; i < panel->columns.components; i++)
			if (isfinite(values[i]))
				plot_put(page, "<path class=\"k %s\" d=\"M%ld %ldh0\"/>", classes[panel->colors[i]], j,
					 tenths_down(panel, values[i]));
		anim_print_text(&page->print, "</g>");
	}

	anim_print_text(&page->print, "</g>");
	if (panel->paired)
		draw_errors(page, panel, merged);
	anim_print_text(&page->print, "</g>\n");
}

/* Draw the panels with fewer and fewer columns until they are small enough. */
void plot_panels_draw(struct plot_page *page, const struct plot_sheet *sheet)
{
	size_t first = page->body.size, most = 0, high;

	for (size_t i = 0; i < sheet->count; i++) {
		const char *text = sheet->panels[i]->description;
		unsigned lines = 0;

		for (; *text != '\0'; lines++) {
			text += line_of(text);
			text += *text == ' ';
		}

		most = lines > most ? lines : most;
	}
	high = PANEL_HIGH + PLOT_SVG_GAP + (sheet->paired ? STRIP + 14 + LINE_HIGH * most : 0);
	for (size_t merged = 1; merged <= SVG_MERGED && !page->print.failed; merged *= 2) {
		page->body.size = first;
		for (size_t i = 0; i < sheet->count && (merged == SVG_MERGED || page->body.size - first < SVG_BYTES);
		     i++)
			draw_panel(page, sheet, sheet->panels[i],
				   PLOT_SVG_GAP + i % ABREAST * (PANEL_WIDE + PLOT_SVG_GAP),
				   page->high + i / ABREAST * high, merged);
		if (page->body.size - first < SVG_BYTES)
			break;
	}
	page->high += (sheet->count + ABREAST - 1) / ABREAST * high;
}
