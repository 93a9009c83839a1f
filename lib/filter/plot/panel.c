/* panel.c: a panel in words, and drawn in a terminal. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filter/common/summary.h"
#include "filter/plot/panel.h"

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

void plot_panel_off(struct plot_page *page, const struct plot_panel *panel)
{
	plot_number(page, "off by ", panel->worst, panel->error_unit, "");
	if (panel->worst > 0)
		plot_number(page, " at ", panel->at_s, "s", "");
}

void plot_panel_words(struct plot_page *page, const struct plot_panel *panel, bool colored)
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
	plot_panel_off(page, panel);
	if (panel->limit > 0)
		plot_number(page, ", limit ", panel->limit, panel->error_unit, "");
}

/* --- In the terminal --- */

#define ROWS 4    /* height of a panel in characters */
#define GUTTER 10 /* characters for the numbers at its left, and the line after them */

static size_t characters_of(const struct plot_page *page)
{
	return page->options.width - GUTTER;
}

size_t plot_panel_columns(const struct plot_page *page)
{
	return page->options.svg ? PLOT_PANEL_SVG_COLUMNS : characters_of(page) * plot_charset(page)->wide;
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
	plot_panel_words(page, panel, true);
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

void plot_panels_print(struct plot_page *page, const struct plot_sheet *sheet)
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
