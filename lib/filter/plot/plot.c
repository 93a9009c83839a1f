/* plot.c: the view of curves: selects the tracks of a clip, draws a panel for each, and lists the others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/common/summary.h"
#include "filter/compare/compare.h"
#include "filter/filter.h"
#include "filter/plot/internal.h"
#include "filter/select.h"

#define ROUNDING 8e-7 /* of a float: several rounding steps, as computed values have them */

#define NOISE 0.02       /* of the largest error */
#define NOISE_SHARE 0.01 /* of a range */
#define NOTHING 1e-4     /* of the largest error, whatever the cause is */
#define NAMED 8          /* tracks that are listed by name instead of drawn */
#define SVG_DOTS 500     /* keys of a panel that are drawn one by one */
#define WAITING 4096     /* keys of a track that is copied until it is known whether it is drawn */

/* Names of tracks that are listed but not drawn. */
struct plot_list {
	struct anim_buffer text; /* "a = 1, b = 2" */
	size_t count, listed;    /* number of these tracks, and of names in the text */
};

/* The panels of a clip in the order in which they are drawn, and the numbers of the other tracks. */
struct plot_sheet {
	const struct plot_clip *clip;
	struct plot_panel **panels;
	size_t count, hidden; /* tracks that move (of a comparison: that differ): drawn, and not drawn */
	size_t off;           /* pairs that differ */
	bool paired;
	double worst[ANIM_UNIT_COUNT],
	    rest[ANIM_UNIT_COUNT]; /* errors: the largest, and the largest that is not drawn */
	bool limited;              /* the pairs have limits */
	size_t beyond;             /* pairs that exceed their limits */
	const char *cause;         /* the cause of all errors that are drawn; "" for none, or several */
	struct plot_list constant, texts, unplayed;
};

struct plot {
	struct plot_view view;
	struct anim_arena scratch; /* for the current track */
	struct plot_sheet sheet;
	size_t tracks;             /* number received so far */
	struct anim_buffer panels; /* struct plot_panel *, owned */
};

/* ======== Drawing panels ======== */

/* --- In words --- */

/*
 * Return 0 for a value that is only the rounding of float32. It is compared with the range of the component. All
 * components of a rotation come from one quaternion, so they are compared with the range of all of them.
 */
static double beside(const struct plot_panel *panel, unsigned component, double value)
{
	double range = panel->rotates ? panel->top - panel->bottom : panel->most[component] - panel->least[component];

	return fabs(value) < 1e-7 * range ? 0 : value;
}

/* Return the colour of a component. */
static unsigned ink_of(const struct plot_page *page, unsigned color)
{
	return (page->options.palette == ANIM_PLOT_SAFE ? PLOT_INK_SAFE : PLOT_INK_COMPONENTS) + color;
}

/* Print "off by 0.5 deg at 1 s", without the time if the error is 0. */
static void put_off(struct plot_page *page, const struct plot_panel *panel)
{
	plot_number(page, "off by ", panel->worst, panel->error_unit, "");
	if (panel->worst > 0)
		plot_number(page, " at ", panel->at_s, "s", "");
}

/* Print "x 0 .. 1, y 2 m, 3 keys; off by 0.5 deg at 1 s, limit 0.1 deg". */
static void put_words(struct plot_page *page, const struct plot_panel *panel, bool colored)
{
	unsigned last = panel->columns.components - 1; /* it may have no value, and then no unit */
	const char *unit = panel->least[last] <= panel->most[last] ? panel->unit : "";

	/* Print "x 0 .. 1, y 2". If `colored`, the names of the components have their colours. */
	for (unsigned component = 0; component < panel->columns.components; component++) {
		bool named = *panel->names[component] != '\0';
		double least, most;

		anim_print_text(&page->print, component > 0 ? ", " : "");
		if (named && colored)
			plot_ink(page, ink_of(page, panel->colors[component]));
		anim_print_text(&page->print, panel->names[component]);
		if (named && colored)
			plot_ink(page, PLOT_INK_NONE);
		anim_print_text(&page->print, named ? " " : "");
		if (!(panel->least[component] <= panel->most[component])) {
			anim_print_text(&page->print, "no value");
			continue;
		}
		least = beside(panel, component, panel->least[component]);
		most = beside(panel, component, panel->most[component]);
		plot_number(page, "", least, "", "");
		if (most > least)
			plot_number(page, " .. ", most, "", "");
	}

	anim_print_texts(&page->print, *unit == '\0' ? "" : " ", unit, panel->flat ? ", flat, " : ", ");
	plot_count(page, panel->keys, panel->samples ? "sample" : "key", panel->samples ? "samples" : "keys");
	anim_print_text(&page->print, panel->broken ? ", not all of them finite" : "");
	if (!panel->paired)
		return;
	anim_print_text(&page->print, "; ");
	put_off(page, panel);
	if (panel->limit > 0)
		plot_number(page, ", limit ", panel->limit, panel->error_unit, "");
}

/* Print "9 deg, 0.1 m, 1". Errors with a unit come first. */
static void put_errors(struct plot_page *page, const char *before, const double errors[ANIM_UNIT_COUNT])
{
	for (unsigned i = 1; i <= ANIM_UNIT_COUNT; i++) {
		unsigned unit = i % ANIM_UNIT_COUNT;

		if (!(errors[unit] > 0))
			continue;
		plot_number(page, before, errors[unit], anim_unit_names[unit], "");
		before = ", ";
	}
}

/* Print the number of tracks in words. */
static void put_counts(struct plot_page *page, const struct plot_sheet *sheet)
{
	const struct plot_apart *apart = &sheet->clip->apart;
	bool paired = sheet->paired;

	if (apart->alone != NULL) {
		anim_print_text(&page->print, apart->alone);
		return;
	}
	plot_count(page, paired ? sheet->off : sheet->count + sheet->hidden, paired ? "track is off" : "track moves",
		   paired ? "tracks are off" : "tracks move");
	if (paired)
		put_errors(page, ", by up to ", sheet->worst);
	if (sheet->hidden > 0 && paired && sheet->count == 1)
		plot_put(page, "; this one is farthest off, " ANIM_OPTION("plot", "all") " shows the others");
	else if (sheet->hidden > 0)
		plot_put(page, "; these %zu%s, " ANIM_OPTION("plot", "all") " shows the others", sheet->count,
			 paired ? " are farthest off" : " travel farthest");
	if (paired) {
		/* Print the number of errors beyond the limits, and the cause that all errors share. */
		if (sheet->limited && sheet->beyond == 0)
			anim_print_text(&page->print, "; all are within their limits");
		else if (sheet->limited)
			plot_put(page, "; %zu %s", sheet->beyond,
				 sheet->beyond == 1 ? "exceeds its limit" : "exceed their limits");
		if (*sheet->cause != '\0') {
			if (sheet->hidden > 0)
				anim_print_text(&page->print, "; all of these: ");
			else
				plot_put(page, "; all %zu: ", sheet->count);
			anim_print_text(&page->print, sheet->cause);
		}

		plot_apart(&page->print, apart);
	}
}

static void put_list(struct plot_page *page, const char *what, const struct plot_list *list)
{
	if (list->count > 0)
		plot_names(page, what, (const char *)list->text.data, list->text.size, list->count - list->listed);
}

/* --- In the terminal --- */

#define ROWS 4    /* height of a panel in characters */
#define GUTTER 10 /* characters for the numbers at its left, and the line after them */

static size_t characters_of(const struct plot_page *page)
{
	return page->options.width - GUTTER;
}

/* Draw the columns of a component. A character has one colour, the colour of its first component. */
static void draw_dots(const struct plot_page *page, const struct plot_panel *panel, const struct plot_columns *columns,
		      unsigned component, unsigned ink, struct plot_cell *cells)
{
	const struct plot_charset *charset = plot_charset(page);
	size_t wide = characters_of(page);

	for (size_t c = 0; c < columns->count; c++) {
		double least = columns->component[component].least[c], most = columns->component[component].most[c];
		unsigned first = plot_row_of(panel->top, panel->bottom, most, ROWS * charset->high);
		unsigned last = plot_row_of(panel->top, panel->bottom, least, ROWS * charset->high);

		for (unsigned y = first; least <= most && y <= last; y++) {
			struct plot_cell *out = &cells[y / charset->high * wide + c / charset->wide];

			out->ink = out->bits == 0 ? (uint8_t)ink : out->ink;
			out->bits |= charset->bits[c % charset->wide][y % charset->high];
		}
	}
}

/* Return the label of a row of characters: the tick in this row, or "". */
static void row_label(const struct plot_page *page, const struct plot_panel *panel, unsigned row,
		      char out[TEXT_NUMBER_MAX])
{
	double step = plot_tick_step(panel->top - panel->bottom, ROWS - 1);
	double highest = step > 0 ? floor(panel->top / step) : 0, tick;
	unsigned high = plot_charset(page)->high;

	out[0] = '\0';
	for (unsigned i = 0; step > 0 && i < 2 * ROWS && (tick = plot_tick(highest - i, step)) >= panel->bottom; i++)
		if (plot_row_of(panel->top, panel->bottom, tick, ROWS * high) / high == row)
			text_of_number(out, tick, "");
	if (strlen(out) > GUTTER - 2)
		out[0] = '\0';
}

static void put_row(struct plot_page *page, const char *label, const struct plot_cell *cells)
{
	plot_gutter(page, GUTTER, label, plot_charset(page)->line);
	plot_cells(page, cells, characters_of(page));
	anim_print_text(&page->print, "\n");
}

/*
 * Print "off 0.099", the value at the full height of the strip. It has one or two digits, if there is room. Values
 * below a centimetre are in mm.
 */
static void off_label(const struct plot_panel *panel, char out[TEXT_NUMBER_MAX + 8])
{
	bool small = panel->measure == ANIM_UNIT_LENGTH && panel->worst < 0.01;
	double value = panel->worst * (small ? 1000 : 1), scale = 10;
	char number[TEXT_NUMBER_MAX];

	strcpy(out, "off");
	if (!(value > 0) || !isfinite(value))
		return;
	for (; value * scale < 10 && scale < 1e9; scale *= 10)
		;
	for (int digits = 2; digits > 0; digits--, scale /= 10) {
		text_of_number(number, rint(value * scale) / scale, "");
		if (strlen(number) + (small ? 2 : 0) <= GUTTER - 5) {
			snprintf(out, TEXT_NUMBER_MAX + 8, "off %s%s", number, small ? "mm" : "");
			return;
		}
	}
}

/* Print the error of each column as a height, relative to the largest error. */
static void put_strip(struct plot_page *page, const struct plot_panel *panel, struct plot_cell *cells)
{
	const struct plot_charset *charset = plot_charset(page);
	char label[TEXT_NUMBER_MAX + 8];

	for (size_t i = 0; i < characters_of(page); i++) {
		cells[i] = (struct plot_cell){.ink = (uint8_t)ink_of(page, 0)};
		for (unsigned x = 0; x < charset->wide && panel->worst > 0; x++) {
			double part = (double)panel->error[i * charset->wide + x] / panel->worst;
			unsigned dots = part > 0 ? (unsigned)fmin(ceil(part * charset->high), charset->high) : 0;

			for (unsigned y = 0; y < dots; y++)
				cells[i].bits |= charset->bits[x][charset->high - 1 - y];
		}
	}
	off_label(panel, label);
	put_row(page, label, cells);
}

static void put_panel(struct plot_page *page, const struct plot_panel *panel, struct plot_cell *cells)
{
	bool bold = page->options.color != ANIM_PLOT_PLAIN;
	char label[TEXT_NUMBER_MAX];

	anim_print_text(&page->print, bold ? "\033[1m" : "");
	plot_name(page, panel->title);
	anim_print_texts(&page->print, panel->form, bold ? "\033[0m: " : ": ");
	put_words(page, panel, true);
	anim_print_texts(&page->print, "\n", *panel->description == '\0' ? "" : "  ", panel->description,
			 *panel->description == '\0' ? "" : "\n");
	memset(cells, 0, ROWS * characters_of(page) * sizeof *cells);
	for (unsigned component = 0; component < panel->columns.components; component++)
		draw_dots(page, panel, &panel->columns, component, ink_of(page, panel->colors[component]), cells);
	for (unsigned component = 0; component < panel->source.components; component++)
		draw_dots(page, panel, &panel->source, component, ink_of(page, 3), cells);
	for (unsigned row = 0; row < ROWS; row++) {
		row_label(page, panel, row, label);
		put_row(page, label, cells + row * characters_of(page));
	}
	if (!panel->samples) {
		/* Print a dot under each column that has a key. */
		const struct plot_charset *charset = plot_charset(page);

		for (size_t i = 0; i < characters_of(page); i++) {
			cells[i] = (struct plot_cell){.ink = PLOT_INK_NONE};
			for (unsigned x = 0; x < charset->wide; x++)
				if (panel->keyed[i * charset->wide + x]) {
					cells[i].bits |= charset->bits[x][charset->wide == 2 ? 1 : 0];
					cells[i].glyph = charset->key;
				}
		}
		put_row(page, "keys", cells);
	}
	if (panel->paired)
		put_strip(page, panel, cells);
}

static void put_panels(struct plot_page *page, const struct plot_sheet *sheet)
{
	struct anim_arena arena = {0};
	struct plot_cell *cells =
	    anim_arena_zeroed(&arena, ROWS * characters_of(page), sizeof *cells, page->print.error);

	page->print.failed |= cells == NULL;
	for (size_t i = 0; i < sheet->count && !page->print.failed; i++)
		put_panel(page, sheet->panels[i], cells);
	if (sheet->count > 0)
		plot_times(page, sheet->clip, sheet->panels[0]->columns.end_s, GUTTER, characters_of(page));
	anim_arena_clear(&arena);
}

/* --- As SVG --- */

/* All sizes are in pixels. The picture of a panel begins LEFT from its left border and TOP from its upper border. */
#define SVG_COLUMNS 400 /* columns per panel: two per pixel */
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

static const char svg_axes[] =
    CURVES ".x{stroke:#d33;fill:#d33}.y{stroke:#292;fill:#292}.z{stroke:#36d;fill:#36d}.w{stroke:#777;fill:#777}"
	   "@media print{" DASHES "}";
static const char svg_safe[] =
    CURVES ".x{stroke:#e69f00;fill:#e69f00}.y{stroke:#56b4e9;fill:#56b4e9}.z{stroke:#009e73;fill:#009e73}"
	   ".w{stroke:#cc79a7;fill:#cc79a7}" DASHES;
/* The colours of the axes are lighter on a dark page. The other palette is light enough. */
static const char svg_axes_dark[] = ".r,.t{stroke:#f6f}.x{stroke:#f66}.y{stroke:#5c5}.z{stroke:#69f}.w{stroke:#aaa}";
static const char svg_safe_dark[] = ".r,.t{stroke:#f6f}";

/* Classes of components, by colour. */
static const char *const classes[] = {"x", "y", "z", "w"};

static size_t panel_columns(const struct plot_page *page)
{
	return page->options.svg ? SVG_COLUMNS : characters_of(page) * plot_charset(page)->wide;
}

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

/* Return true if the values extend beyond the values at the borders. */
static bool is_stroke(const struct bar *bar)
{
	return bar->low > (bar->before > bar->after ? bar->before : bar->after) + FLAT ||
	       bar->high < (bar->before < bar->after ? bar->before : bar->after) - FLAT;
}

/* Draw a stroke from one end to the other, or a line from border to border. */
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
	put_off(page, panel);
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
	put_words(page, panel, false);
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
static void draw_panels(struct plot_page *page, const struct plot_sheet *sheet)
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

/* --- A clip --- */

/* ======== From tracks to panels ======== */

/* --- Names of tracks that are not drawn --- */

static int add_name(struct plot *plot, struct plot_list *names, const char *label, const char *value,
		    struct anim_error *error)
{
	const char *pieces[] = {names->listed > 0 ? ", " : "", anim_safe_copy(&plot->scratch, label, error), value};

	names->count++;
	if (names->listed == NAMED && !plot->view.page.options.all)
		return 0;
	names->listed++;
	if (pieces[1] == NULL)
		return -1;
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
		if (anim_buffer_append_text(&names->text, pieces[i], error) != 0)
			return -1;
	return 0;
}

/* --- How far a track travels from key to key, in metres, radians, hundreds of pixels or its own numbers --- */

const char *plot_unit_of(const struct anim_clip *clip, const struct anim_track *track, enum anim_plot_rotation rotation)
{
	const char *property = track->property;

	if (anim_types[track->type].quaternion)
		return rotation == ANIM_PLOT_QUAT ? "" : "deg";
	if (track->flags & ANIM_PERCENT)
		return "%";
	if (!anim_track_is_transform(track))
		return "";
	if (anim_property_is_angle(property))
		return "deg";
	if (strcmp(property, "position") != 0)
		return "";
	return clip->axes2d == ANIM_AXES2D_GODOT && anim_types[track->type].components == 2 ? "px" : "m";
}

static double weight_of(const struct anim_track *track, const char *unit)
{
	if (anim_types[track->type].quaternion)
		return 2; /* a rotation by a small angle changes the quaternion by half of the angle */
	if (track->flags & ANIM_DEGREES)
		return 3.14159265358979323846 / 180;
	return strcmp(unit, "px") == 0 || strcmp(unit, "%") == 0 ? 0.01 : 1;
}

/*
 * Return the distance travelled from key to key. q and -q are the same rotation. Differences that are not finite are
 * ignored.
 */
static double distance_of(const struct anim_track *track, bool *finite)
{
	unsigned components = anim_types[track->type].components;
	double keys[2][ANIM_COMPONENTS_MAX], distance = 0;

	*finite = true;
	anim_components(track->type, track->value, 0, keys[0]);
	for (size_t k = 1; k < track->n; k++) {
		const double *at = keys[k % 2], *before = keys[(k - 1) % 2];
		double same = 0, other = 0;

		anim_components(track->type, track->value, k, keys[k % 2]);
		for (unsigned i = 0; i < components; i++) {
			bool known = isfinite(at[i] - before[i]);

			same += known ? fabs(at[i] - before[i]) : 0;
			other += known ? fabs(at[i] + before[i]) : 0;
			*finite = *finite && known;
		}
		distance += anim_types[track->type].quaternion ? fmin(same, other) : same;
	}
	return distance;
}

/* --- The panels that are kept --- */

static struct plot_panel **panels_of(const struct plot *plot, size_t *count)
{
	*count = plot->panels.size / sizeof(struct plot_panel *);
	return (struct plot_panel **)(void *)plot->panels.data;
}

static void panel_free(struct plot_panel *panel)
{
	anim_arena_clear(&panel->arena);
	free(panel);
}

/* Return the panel that the next one would replace, or NULL if there is room. */
static struct plot_panel **least_of(const struct plot *plot)
{
	size_t count;
	struct plot_panel **panels = panels_of(plot, &count), **least = panels;

	if (plot->view.page.options.all || count < ANIM_PLOT_SHOWN)
		return NULL;
	for (size_t i = 1; i < count; i++)
		if (panels[i]->distance < (*least)->distance ||
		    (panels[i]->distance == (*least)->distance && panels[i]->number > (*least)->number))
			least = &panels[i];
	return least;
}

static int keep(struct plot *plot, struct plot_panel *panel, struct anim_error *error)
{
	struct plot_panel **least = least_of(plot);

	if (least == NULL)
		return anim_buffer_append(&plot->panels, &panel, sizeof panel, error);
	panel_free(*least);
	*least = panel;
	return 0;
}

/* --- From a track to a panel --- */

static void mark_keys(struct plot_panel *panel, const struct anim_track *track)
{
	bool rises = (track->flags & ANIM_UNSORTED) == 0;

	panel->keys += track->n;
	panel->samples = track->kind == ANIM_RAW;
	for (size_t k = 0, next; k < track->n && !panel->samples; k = next) {
		size_t c = plot_column_of(&panel->columns, (double)track->time[k]);

		next = k + 1;
		if (c == panel->columns.count)
			continue;
		panel->keyed[c] = 1;
		if (rises) { /* the other keys of the column mark the same column */
			/*
			 * The first key after key k that is not before t. The time of key k is before t, and times
			 * increase.
			 */
			double t = plot_column_time(&panel->columns, c + 1);
			size_t at = k + 1 + (size_t)(anim_find_key(track->time + k + 1, track->n - k - 1, t) + 1);

			while (at > k + 1 && (double)track->time[at - 1] >= t)
				at--;
			next = at;
		}
	}
}

static void find_range(struct plot_panel *panel)
{
	panel->bottom = (double)INFINITY;
	panel->top = -(double)INFINITY;
	for (unsigned i = 0; i < panel->columns.components; i++) {
		panel->least[i] = (double)INFINITY;
		panel->most[i] = -(double)INFINITY;
		plot_component_widen(&panel->columns.component[i], panel->columns.count, &panel->least[i],
				     &panel->most[i]);
		panel->bottom = fmin(panel->bottom, panel->least[i]);
		panel->top = fmax(panel->top, panel->most[i]);
	}
	for (unsigned i = 0; i < panel->source.components; i++)
		plot_component_widen(&panel->source.component[i], panel->source.count, &panel->bottom, &panel->top);
	if (!(panel->bottom <= panel->top))
		panel->bottom = panel->top = 0;
}

static void name_components(struct plot_panel *panel, const struct anim_track *track, const struct plot_curve *curve)
{
	static const char *const forms[][2] = {
	    [ANIM_PLOT_ROTVEC] = {" vector", " as rotation vector"},
	    [ANIM_PLOT_QUAT] = {" quaternion", " as quaternion"},
	    [ANIM_PLOT_EULER] = {" Euler angles", " as Euler angles"},
	    [ANIM_PLOT_ANGLE] = {" angle", " as rotation angle"},
	};
	/* the number of components of the source, which may be larger or smaller */
	unsigned own = panel->columns.components, others = panel->source.components;

	panel->rotates = curve->rotates;
	panel->form = curve->rotates ? forms[curve->rotation][strcmp(track->property, "rotation") != 0] : "";
	for (unsigned i = 0; i < own || i < others; i++) {
		bool alone = own == 1;
		unsigned component = track->component != ANIM_WHOLE && alone ? track->component : i;

		panel->names[i] = alone ? "" : anim_component_name(track->property, i);
		panel->colors[i] = (uint8_t)(curve->rotation == ANIM_PLOT_ANGLE && curve->rotates ? 3 : component % 4);
	}
}

/* Find the values that are shown at the keys. A rotation continues from the value at the start of its column. */
static int find_dots(struct plot_panel *panel, struct plot_curve *curve, const struct anim_track *track,
		     struct anim_error *error)
{
	unsigned components = panel->columns.components;

	panel->dot_times = anim_arena_zeroed(&panel->arena, track->n, sizeof *panel->dot_times, error);
	panel->dot_values = anim_arena_zeroed(&panel->arena, track->n * components, sizeof *panel->dot_values, error);
	if (panel->dot_times == NULL || panel->dot_values == NULL)
		return -1;
	for (size_t k = 0; k < track->n; k++) {
		double t = (double)track->time[k], v[1][PLOT_COMPONENTS] = {{0}};
		size_t c = plot_column_of(&panel->columns, t);

		if (c == panel->columns.count)
			continue;
		for (unsigned i = 0; i < components; i++)
			curve->last[i] = panel->columns.component[i].edge[c];
		if (plot_curve_at(curve, &t, 1, v, error) != 0)
			return -1;
		panel->dot_times[panel->dots] = t;
		memcpy(panel->dot_values + panel->dots++ * components, v[0], components * sizeof v[0][0]);
	}
	return 0;
}

static int fill_panel(struct plot *plot, struct plot_panel *panel, const struct anim_track *track,
		      struct anim_error *error)
{
	struct anim_source play = {.clip = &plot->view.clip.head, .tracks = {track}, .count = 1};
	size_t columns = panel_columns(&plot->view.page);
	struct plot_curve curve;
	double end = plot->view.clip.end_s;
	int result;

	if (end <= plot->view.clip.start_s && !plot->view.page.options.range.given)
		end = fmax(end, anim_track_time(track, track->n - 1));
	anim_source_open(&play, NULL);

	panel->rounding = anim_types[track->type].scalar == ANIM_SCALAR_F32 ? ROUNDING : 0;
	panel->unit = plot_unit_of(&plot->view.clip.head, track, plot->view.page.options.rotation);
	panel->title = anim_label_copy(&panel->arena, track->node, track->property, track->component, error);
	panel->property = anim_arena_text(&panel->arena, track->property, strlen(track->property), error);
	result = panel->title == NULL || panel->property == NULL ? -1 : 0;

	if (result == 0)
		result = plot_curve_open(&curve, &play, plot->view.page.options.rotation, error);
	if (result == 0)
		result = plot_columns_init(&panel->columns, plot->view.clip.start_s, end, columns, curve.components,
					   &panel->arena, error);
	if (result == 0)
		result = plot_measure(&curve, &panel->columns, error);
	if (result == 0 && (panel->keyed = anim_arena_zeroed(&panel->arena, columns, 1, error)) == NULL)
		result = -1;
	if (result == 0 && plot->view.page.options.svg && track->n <= SVG_DOTS && track->kind != ANIM_RAW)
		result = find_dots(panel, &curve, track, error);
	anim_source_close(&play);
	if (result != 0)
		return -1;
	mark_keys(panel, track);
	find_range(panel);
	name_components(panel, track, &curve);
	return 0;
}

/*
 * Copy the track, or measure it at once if it is long. Measuring takes longer than copying, so tracks that others
 * replace are not measured. Long tracks are not copied.
 */
static int copy_or_fill(struct plot *plot, struct plot_panel *panel, const struct anim_track *track,
			struct anim_error *error)
{
	struct anim_track *copy;

	if (plot->view.page.options.all || track->n > WAITING)
		return fill_panel(plot, panel, track, error);
	copy = anim_arena_zeroed(&panel->arena, 1, sizeof *copy, error);
	panel->waiting = copy;
	return copy == NULL ? -1 : anim_track_copy(copy, track, &panel->arena, error);
}

/* List a track that no player plays, so that the others can be drawn. Returns 0 or -1. */
static int list_failed(struct plot *plot, const char *label, struct anim_error *error)
{
	if (error->code != ANIM_UNSUPPORTED)
		return -1;
	*error = (struct anim_error){0};
	plot->sheet.hidden--;
	return add_name(plot, &plot->sheet.unplayed, label, "", error);
}

/* --- The end of a clip --- */

static int by_distance(const void *a, const void *b)
{
	const struct plot_panel *one = *(struct plot_panel *const *)a, *other = *(struct plot_panel *const *)b;

	if (one->distance != other->distance)
		return one->distance > other->distance ? -1 : 1;
	return one->number < other->number ? -1 : 1;
}

/* Return the largest range of the panels of this property. */
static double largest_of(const struct plot_sheet *sheet, const char *property)
{
	double largest = 0;

	for (size_t i = 0; i < sheet->count; i++) {
		double range = sheet->panels[i]->top - sheet->panels[i]->bottom;

		if (strcmp(sheet->panels[i]->property, property) == 0 && range > largest)
			largest = range;
	}
	return largest;
}

/* Forget the clip, but keep the memory of its lists. */
static void forget_clip(struct plot *plot)
{
	struct plot_list *lists[] = {&plot->sheet.constant, &plot->sheet.texts, &plot->sheet.unplayed};
	size_t count;
	struct plot_panel **panels = panels_of(plot, &count);

	for (size_t i = 0; i < count; i++)
		panel_free(panels[i]);
	plot->panels.size = 0;
	plot->tracks = 0;
	plot->sheet = (struct plot_sheet){
	    .constant = plot->sheet.constant, .texts = plot->sheet.texts, .unplayed = plot->sheet.unplayed};
	for (size_t i = 0; i < 3; i++)
		lists[i]->text.size = lists[i]->count = lists[i]->listed = 0;
}

/*
 * Return true if an error has no known cause and is tiny compared with the largest error of its unit, or as a part
 * of a range. An error that exceeds its limit is never noise.
 */
static bool is_noise(const struct plot_sheet *sheet, const struct plot_panel *panel, double largest)
{
	double worst = sheet->worst[panel->measure];

	if (panel->limit > 0 && panel->worst > panel->limit)
		return false;
	if (panel->named)
		return panel->worst < NOTHING * worst;
	return panel->worst < NOISE * worst ||
	       (panel->share > 0 && panel->share < NOISE_SHARE && panel->share < NOISE * largest);
}

/* Count noise instead of drawing it, unless the user selected tracks or a time. */
static void drop_noise(struct plot *plot)
{
	struct plot_sheet *sheet = &plot->sheet;
	double largest = 0;
	size_t count, kept = 0;
	struct plot_panel **panels = panels_of(plot, &count);

	if (plot->view.page.options.all || plot->view.page.options.picked || plot->view.page.options.range.given)
		return;
	for (size_t i = 0; i < count; i++)
		largest = fmax(largest, panels[i]->named ? panels[i]->share : 0);
	for (size_t i = 0; i < count; i++)
		if (is_noise(sheet, panels[i], largest)) {
			sheet->rest[panels[i]->measure] = fmax(sheet->rest[panels[i]->measure], panels[i]->worst);
			panel_free(panels[i]);
		} else {
			panels[kept++] = panels[i];
		}
	plot->panels.size = kept * sizeof *panels;
}

static int finish(struct plot_view *view, struct anim_error *error)
{
	struct plot *plot = (struct plot *)view;
	struct plot_sheet *sheet = &plot->sheet;

	/* Measure the copied tracks, now that the drawn tracks are known. */
	size_t count, kept = 0;
	struct plot_panel **panels = panels_of(plot, &count);
	int result = 0;

	for (size_t i = 0; i < count; i++) {
		struct plot_panel *panel = panels[i];

		if (result != 0 || panel->waiting == NULL || fill_panel(plot, panel, panel->waiting, error) == 0) {
			panels[kept++] = panel;
			continue;
		}
		result = list_failed(plot, panel->title, error);
		panel_free(panel);
	}
	plot->panels.size = kept * sizeof *panels;
	if (result != 0)
		return -1;

	sheet->clip = &view->clip;
	sheet->paired = view->page.options.against;
	if (sheet->paired)
		drop_noise(plot);
	sheet->panels = panels_of(plot, &sheet->count);
	if (!view->page.options.all && sheet->count > 0)
		qsort(sheet->panels, sheet->count, sizeof *sheet->panels, by_distance);
	sheet->hidden -= sheet->count;
	sheet->cause = sheet->paired ? plot_shared_cause(sheet->panels, sheet->count) : "";
	for (size_t i = 0; i < sheet->count; i++) {
		struct plot_panel *panel = sheet->panels[i];

		panel->description = ""; /* a cause that all tracks share is printed once */
		if (sheet->paired && plot_join_description(panel, *sheet->cause != '\0', error) != 0)
			return -1;

		/*
		 * A track is drawn as flat if it moves by less than a millionth of the others of its property, or only
		 * by the rounding of floats.
		 */
		double range = panel->top - panel->bottom, middle = panel->bottom + range / 2;
		double least = fmax(1e-6 * largest_of(sheet, panel->property),
				    panel->rounding * fmax(fabs(panel->top), fabs(panel->bottom)));

		panel->flat = !(range > least);
		if (!panel->flat)
			continue;
		least = least > 0 ? least : 1;
		panel->bottom = middle - least / 2;
		panel->top = middle + least / 2;
	}

	plot_heading(&view->page, sheet->clip);
	put_counts(&view->page, sheet);
	plot_line_end(&view->page);
	if (view->page.options.svg)
		draw_panels(&view->page, sheet);
	else
		put_panels(&view->page, sheet);
	if (sheet->paired && sheet->hidden > 0) {
		plot_line(&view->page);
		plot_count(&view->page, sheet->hidden, "more is off by at most ", "more are off by at most ");
		put_errors(&view->page, "", sheet->rest);
		plot_line_end(&view->page);
	}
	plot_lone(&view->page, &sheet->clip->apart);
	put_list(&view->page, "constant", &sheet->constant);
	put_list(&view->page, "texts", &sheet->texts);
	put_list(&view->page, "not played", &sheet->unplayed);

	forget_clip(plot);
	return 0;
}

/* --- The sink --- */

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct plot *plot = (struct plot *)sink;
	const char *label, *why;

	plot->tracks++;
	if (track->n == 0)
		return 0;
	anim_arena_reset(&plot->scratch);
	label = anim_label_copy(&plot->scratch, track->node, track->property, track->component, error);
	if (label == NULL)
		return -1;
	why = anim_plot_refusal(track);
	if (why != NULL && track->type == ANIM_STRING && (track->flags & ANIM_DISABLED) == 0)
		return add_name(plot, &plot->sheet.texts, label, "", error);
	if (why != NULL) {
		const char *reason = anim_arena_printf(&plot->scratch, error, " (%s)", why);

		return reason == NULL ? -1 : add_name(plot, &plot->sheet.unplayed, label, reason, error);
	}
	if (anim_track_is_constant(track)) {
		const char *value = "";

		if (plot->sheet.constant.listed < NAMED || plot->view.page.options.all)
			value = text_of_first(track, &plot->scratch, error);
		if (value != NULL && *value != '\0')
			value = anim_arena_printf(&plot->scratch, error, " = %s", value);
		return value == NULL ? -1 : add_name(plot, &plot->sheet.constant, label, value, error);
	}

	bool finite;
	double distance =
	    distance_of(track, &finite) *
	    weight_of(track, plot_unit_of(&plot->view.clip.head, track, plot->view.page.options.rotation));
	struct plot_panel **least = least_of(plot), *panel;

	plot->sheet.hidden++;
	if (least != NULL && distance <= (*least)->distance)
		return 0;
	panel = anim_zeroed(sizeof *panel, error);
	if (panel == NULL)
		return -1;
	panel->distance = distance;
	panel->number = plot->tracks;
	panel->broken = !finite;
	if (copy_or_fill(plot, panel, track, error) == 0)
		return keep(plot, panel, error);
	panel_free(panel);
	return list_failed(plot, label, error);
}

static void on_free(struct plot_view *view)
{
	struct plot *plot = (struct plot *)view;

	forget_clip(plot);
	anim_buffer_clear(&plot->panels);
	anim_buffer_clear(&plot->sheet.constant.text);
	anim_buffer_clear(&plot->sheet.unplayed.text);
	anim_buffer_clear(&plot->sheet.texts.text);
	anim_arena_clear(&plot->scratch);
}

const struct plot_kind plot_curves = {.size = sizeof(struct plot),
				      .light = {svg_axes, svg_safe},
				      .dark = {svg_axes_dark, svg_safe_dark},
				      .finish = finish,
				      .free = on_free,
				      .track = on_track};

/* --- Two curves and their error --- */

#define LOOKS 4 /* times in a column at which the error is measured, besides its keys */

int plot_errors(const struct plot_clip *clip, size_t count, const struct anim_compare_shown *shown, float *out,
		struct anim_error *error)
{
	const struct plot_columns columns = {.start_s = clip->start_s, .end_s = clip->end_s, .count = count};
	double start = (double)shown->plays[0]->clip->start_s, off[LOOKS], t[LOOKS];
	size_t worst = plot_column_of(&columns, shown->at_s);

	for (size_t c = 0; c < count; c++) {
		double from = plot_column_time(&columns, c) - start, to = plot_column_time(&columns, c + 1) - start;

		for (unsigned i = 0; i < LOOKS; i++)
			t[i] = from + (to - from) * i / (LOOKS - 1);
		if (anim_compare_errors(shown, (const int[]){0, 1}, t, LOOKS, 0, off, error) != 0)
			return -1;
		for (unsigned i = 0; i < LOOKS; i++)
			out[c] = fmaxf(out[c], (float)off[i]);
	}
	if (worst < count) /* the picture includes the peak that the text reports */
		out[worst] = (float)shown->worst;
	return 0;
}

/*
 * Measure the columns of one side. `first` is the curve whose first key is the origin of both sides. NULL means this
 * curve.
 */
static int measure_side(struct plot *plot, struct plot_panel *panel, struct anim_source *play, double shift,
			const struct plot_curve *first, struct plot_curve *curve, struct plot_columns *columns,
			struct anim_error *error)
{
	size_t count = panel_columns(&plot->view.page);

	if (plot_curve_open(curve, play, plot->view.page.options.rotation, error) != 0)
		return -1;
	if (first != NULL)
		memcpy(curve->first, first->first, sizeof curve->first);
	if (plot_columns_init(columns, plot->view.clip.start_s + shift, plot->view.clip.end_s + shift, count,
			      curve->components, &panel->arena, error) != 0)
		return -1;
	return plot_measure(curve, columns, error);
}

static int fill_pair(struct plot *plot, struct plot_panel *panel, const struct anim_compare_shown *shown,
		     struct anim_error *error)
{
	const struct anim_track *track = anim_source_first(shown->plays[1]);
	struct plot_curve curves[2];
	double shift = (double)shown->plays[1]->clip->start_s - (double)shown->plays[0]->clip->start_s;

	panel->paired = true;
	panel->title = anim_label_copy(&panel->arena, shown->node, shown->property, shown->component, error);
	panel->property = panel->title;
	panel->measure = shown->unit;
	panel->error_unit = anim_unit_names[shown->unit];
	panel->unit = shown->unit == ANIM_UNIT_ANGLE && plot->view.page.options.rotation == ANIM_PLOT_QUAT
			  ? ""
			  : panel->error_unit;
	if (panel->title == NULL ||
	    measure_side(plot, panel, shown->plays[0], 0, NULL, &curves[0], &panel->source, error) != 0 ||
	    measure_side(plot, panel, shown->plays[1], shift, &curves[0], &curves[1], &panel->columns, error) != 0)
		return -1;
	panel->error = anim_arena_zeroed(&panel->arena, panel->columns.count, sizeof *panel->error, error);
	panel->keyed = anim_arena_zeroed(&panel->arena, panel->columns.count, 1, error);
	if (panel->error == NULL || panel->keyed == NULL ||
	    plot_errors(&plot->view.clip, panel->source.count, shown, panel->error, error) != 0)
		return -1;
	for (unsigned i = 0; i < shown->plays[1]->count; i++)
		if (shown->plays[1]->tracks[i] != NULL)
			mark_keys(panel, shown->plays[1]->tracks[i]);
	if (plot_describe(panel, &plot->view.clip, shown, error) != 0)
		return -1;
	find_range(panel);
	name_components(panel, track, &curves[1]);
	if (plot->view.page.options.svg && shown->plays[1]->count == 1 && track->n <= SVG_DOTS &&
	    track->kind != ANIM_RAW)
		return find_dots(panel, &curves[1], track, error);
	return 0;
}

int anim_plot_pair(void *sink, const struct anim_compare_shown *shown, struct anim_error *error)
{
	struct plot *plot = sink;
	struct plot_panel **least, *panel;
	double weight = shown->unit == ANIM_UNIT_ANGLE    ? 3.14159265358979323846 / 180
			: shown->unit == ANIM_UNIT_PIXELS ? 0.01
							  : 1;

	if (plot_view_pair(&plot->view, shown->couple, shown->plays[0]->clip, error) != 0)
		return -1;
	plot->tracks++;
	plot->sheet.limited |= shown->limit > 0;
	plot->sheet.beyond += shown->limit > 0 && shown->worst > shown->limit;
	if (!plot->view.in_clip || (shown->worst == 0 && !plot->view.page.options.all))
		return 0;
	plot->sheet.off += shown->worst > 0;
	plot->sheet.hidden++;
	plot->sheet.worst[shown->unit] = fmax(plot->sheet.worst[shown->unit], shown->worst);
	least = least_of(plot);
	if (least != NULL) {
		bool stays = shown->worst * weight <= (*least)->distance;
		double *rest = &plot->sheet.rest[stays ? shown->unit : (*least)->measure];

		*rest = fmax(*rest, stays ? shown->worst : (*least)->worst);
		if (stays)
			return 0;
	}
	panel = anim_zeroed(sizeof *panel, error);
	if (panel == NULL)
		return -1;
	panel->distance = shown->worst * weight;
	panel->number = plot->tracks;
	panel->worst = shown->worst;
	panel->at_s = shown->at_s;
	panel->limit = shown->limit;
	if (fill_pair(plot, panel, shown, error) == 0)
		return keep(plot, panel, error);
	panel_free(panel);
	return -1;
}
