/* view.c: what all views share: the page, as lines of characters or SVG, the clip, and two clips in words. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/text.h"
#include "clip/span.h"
#include "filter/compare/compare.h"
#include "filter/filter.h"
#include "filter/plot/view.h"

/* --- Texts --- */

void plot_put(struct plot_page *page, const char *format, ...)
{
	char text[256], advised[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	anim_advice_print(page->options.advisor, text, advised, sizeof advised);
	anim_print_text(&page->print, advised);
}

void plot_number(struct plot_page *page, const char *before, double value, const char *unit, const char *after)
{
	char number[TEXT_NUMBER_MAX];

	text_of_number(number, value, unit);
	anim_print_texts(&page->print, before, number, after);
}

void plot_count(struct plot_page *page, size_t count, const char *one, const char *many)
{
	plot_put(page, "%zu %s", count, count == 1 ? one : many);
}

/*
 * Print a text as XML. Characters that XML cannot hold or that change the direction, and bytes that are not UTF-8,
 * become U+FFFD.
 */
static void put_xml(struct anim_print *print, const char *text, size_t size)
{
	const uint8_t *at = (const uint8_t *)text, *end = at + size;

	while (at < end) {
		uint32_t code = 0;
		size_t length = anim_utf8_decode(at, (size_t)(end - at), &code);

		/* A character that changes the direction would also reverse the text after a name. */
		bool held = length > 0 && (code >= 32 || code == '\t' || code == '\n' || code == '\r') &&
			    code != 0xFFFE && code != 0xFFFF &&
			    !((code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069));

		if (!held)
			anim_print_text(print, "\xEF\xBF\xBD");
		else if (code == '<' || code == '>' || code == '&' || code == '"')
			anim_print_text(print, code == '<'   ? "&lt;"
					       : code == '>' ? "&gt;"
					       : code == '&' ? "&amp;"
							     : "&quot;");
		else
			anim_print_bytes(print, at, length);
		at += length > 0 ? length : 1;
	}
}

void plot_name(struct plot_page *page, const char *name)
{
	const char *text;

	if (page->options.svg) {
		put_xml(&page->print, name, strlen(name));
		return;
	}
	anim_arena_reset(&page->scratch);
	text = anim_safe_copy(&page->scratch, name, page->print.error);
	page->print.failed |= text == NULL;
	anim_print_text(&page->print, text == NULL ? "" : text);
}

/* Return the number of bytes in the first `count` characters of a text. */
static size_t bytes_of(const char *text, size_t count)
{
	size_t size = strlen(text), at = 0;

	for (uint32_t code; count > 0 && at < size; count--) {
		size_t length = anim_utf8_decode((const uint8_t *)text + at, size - at, &code);

		at += length > 0 ? length : 1;
	}
	return at;
}

static size_t characters_of(const char *text)
{
	size_t count = 0;

	while (text[bytes_of(text, count)] != '\0')
		count++;
	return count;
}

/*
 * Return `text` in at most `most` characters, in the arena. First the names of the nodes above are shortened. Then
 * the node's own name is shortened in its middle, so that its side, its number and its property remain. Returns NULL
 * on failure.
 */
static const char *shorten(struct anim_arena *arena, const char *text, size_t most, const char *dots,
			   struct anim_error *error)
{
	const char *property = strrchr(text, ' '), *own = property == NULL ? text + strlen(text) : property, *end = own;
	size_t mark = characters_of(dots), all = characters_of(text), name, rest, room;

	while (own > text && own[-1] != '/' && own[-1] != ':')
		own--;
	name = characters_of(own);
	if (all <= most || most <= mark)
		return anim_arena_text(arena, text, bytes_of(text, most), error);
	if (own > text && name + mark <= most) {
		room = most - mark - name;
		return anim_arena_printf(arena, error, "%.*s%s%s", (int)bytes_of(text, room < 4 ? 0 : room), text, dots,
					 own);
	}
	rest = characters_of(end);
	rest = rest + mark + 4 <= most ? rest : 0;
	room = most - mark - rest;
	return anim_arena_printf(arena, error, "%.*s%s%s", (int)bytes_of(own, room - room / 2), own, dots,
				 own + bytes_of(own, name - room / 2 - rest));
}

void plot_short(struct plot_page *page, const char *name, size_t width)
{
	const char *text, *shown;

	anim_arena_reset(&page->scratch);
	if (page->options.svg) {
		shown = shorten(&page->scratch, name, width, "…", page->print.error);
		put_xml(&page->print, shown == NULL ? "" : shown, shown == NULL ? 0 : strlen(shown));
		page->print.failed |= shown == NULL;
		return;
	}
	text = shown = anim_safe_copy(&page->scratch, name, page->print.error);
	for (size_t kept = width; shown != NULL && text_width(shown) > width; kept--)
		shown = shorten(&page->scratch, text, kept, "..", page->print.error);
	page->print.failed |= shown == NULL;
	if (shown != NULL)
		text_print_cell(&page->print, shown, width, false);
}

/* --- Colours and characters --- */

/* Numbers in the palette of 256 colours, and red, green and blue. */
static const struct {
	uint8_t few, many[3];
} inks[PLOT_INKS] = {
    [PLOT_INK_COMPONENTS] = {203, {235, 85, 85}},
    {71, {80, 170, 80}},
    {69, {90, 135, 240}},
    {246, {150, 150, 150}},
    [PLOT_INK_SAFE] = {214, {230, 159, 0}},
    {74, {86, 180, 233}},
    {36, {0, 158, 115}},
    {175, {204, 121, 167}},
    [PLOT_INK_SHADES] = {110, {150, 175, 205}},
    {74, {115, 160, 215}},
    {69, {80, 140, 225}},
    {33, {45, 115, 235}},
    {208, {245, 120, 30}},
    [PLOT_INK_MARKS] = {245, {140, 140, 140}},
    {137, {165, 130, 80}},
    {245, {140, 140, 140}},
    {71, {80, 170, 80}},
    {214, {240, 165, 30}},
    [PLOT_INK_FIGURE] = {240, {95, 95, 95}},
    {244, {125, 125, 125}},
    {71, {80, 170, 80}},
    {250, {185, 185, 185}},
    {74, {86, 180, 233}},
    {214, {230, 159, 0}},
};

void plot_ink(struct plot_page *page, unsigned ink)
{
	if (page->options.color == ANIM_PLOT_PLAIN)
		return;
	if (ink == PLOT_INK_NONE)
		anim_print_text(&page->print, "\033[0m");
	else if (page->options.color == ANIM_PLOT_256)
		plot_put(page, "\033[38;5;%um", inks[ink].few);
	else
		plot_put(page, "\033[38;2;%u;%u;%um", inks[ink].many[0], inks[ink].many[1], inks[ink].many[2]);
}

static const struct plot_charset charsets[] = {
    [ANIM_PLOT_BRAILLE] = {2, 4, {{1, 2, 4, 64}, {8, 16, 32, 128}}, "│", "└", "─", "┴", NULL},
    [ANIM_PLOT_BLOCK] = {1, 2, {{1, 2}, {0}}, "│", "└", "─", "┴", "•"},
    [ANIM_PLOT_ASCII] = {1, 2, {{1, 2}, {0}}, "|", "+", "-", "+", "*"},
};

const struct plot_charset *plot_charset(const struct plot_page *page)
{
	return &charsets[page->options.charset];
}

static bool is_empty(const struct plot_cell *cell)
{
	return cell->bits == 0 && cell->glyph == NULL;
}

void plot_cells(struct plot_page *page, const struct plot_cell *cells, size_t count)
{
	unsigned ink = PLOT_INK_NONE;

	while (count > 0 && is_empty(&cells[count - 1]))
		count--;
	for (size_t i = 0; i < count; i++) {
		if (!is_empty(&cells[i]) && cells[i].ink != PLOT_INK_NONE && cells[i].ink != ink)
			plot_ink(page, ink = cells[i].ink);

		const struct plot_cell *cell = &cells[i];
		static const char *const blocks[] = {" ", "▀", "▄", "█"}, *const letters[] = {" ", "'", ".", ":"};
		char text[4];

		if (cell->glyph != NULL)
			anim_print_text(&page->print, cell->glyph);
		else if (page->options.charset == ANIM_PLOT_BRAILLE)
			anim_print_bytes(&page->print, text, anim_utf8_encode(0x2800u + cell->bits, text));
		else
			anim_print_text(&page->print, page->options.charset == ANIM_PLOT_BLOCK ? blocks[cell->bits]
											       : letters[cell->bits]);
	}
	if (ink != PLOT_INK_NONE)
		plot_ink(page, PLOT_INK_NONE);
}

void plot_gutter(struct plot_page *page, size_t gutter, const char *label, const char *line)
{
	size_t width = strlen(label);

	anim_print_spaces(&page->print, width < gutter - 2 ? gutter - 2 - width : 0);
	anim_print_texts(&page->print, label, width < gutter - 1 ? " " : "", line);
}

/* --- Rows in a terminal --- */

size_t plot_row_gutter(const struct plot_page *page, size_t name_most)
{
	size_t wanted = page->options.width * 3u / 10;

	return wanted < 10 ? 10 : wanted > name_most ? name_most : wanted;
}

bool plot_row_has(const struct plot_page *page, size_t name_most, size_t after)
{
	return page->options.width >= plot_row_gutter(page, name_most) + after + 6;
}

size_t plot_row_columns(const struct plot_page *page, size_t name_most, size_t after)
{
	size_t taken = plot_row_gutter(page, name_most) + (plot_row_has(page, name_most, after) ? after + 2 : 1);

	return page->options.width > taken + 4 ? page->options.width - taken : 4;
}

void plot_row(struct plot_page *page, const char *name, size_t depth, size_t name_most, const struct plot_cell *cells,
	      size_t columns)
{
	size_t gutter = plot_row_gutter(page, name_most) - 2, indent = depth < gutter / 3 ? depth : gutter / 3;
	const char *line = plot_charset(page)->line;

	anim_print_spaces(&page->print, indent);
	plot_short(page, name, gutter - indent);
	anim_print_texts(&page->print, " ", line);
	if (cells == NULL)
		return;
	plot_cells(page, cells, columns);
	anim_print_text(&page->print, line);
}

/* --- The time below a picture --- */

double plot_tick_step(double range, double most)
{
	double over = 1, under = 1e12; /* whole numbers, so that neither is rounded */

	if (!(range > 0) || !isfinite(range))
		return 0;
	for (; range / (over / under * 10) > most; under = fmax(under / 10, 1))
		over *= under > 1 ? 1 : 10;
	for (int i = 0; range / (over / under) > most; i++)
		over *= i % 3 == 1 ? 2.5 : 2;
	return over / under;
}

double plot_tick(double number, double step)
{
	return step < 1 && step > 0 ? number / rint(1 / step) : number * step;
}

/* The time axis below pictures, in seconds or frames: its range and its numbers. */
struct axis {
	double start, end, step, first; /* first: the number of the first step; step 0: only the start is shown */
	bool frames;
};

static struct axis axis_of(const struct plot_page *page, const struct anim_clip *clip, double start_s, double end_s,
			   double ticks_most)
{
	struct axis axis = {.frames = page->options.frames && clip->rate_num != 0};
	double rate = axis.frames ? (double)clip->rate_num / (double)clip->rate_den : 1;

	axis.start = (axis.frames ? start_s - (double)clip->start_s : start_s) * rate;
	axis.end = axis.start + (end_s - start_s) * rate;
	axis.step = plot_tick_step((end_s - start_s) * rate, ticks_most);
	if (axis.frames && axis.step > 0)
		axis.step = fmax(1, axis.step);
	axis.first = axis.step > 0 ? ceil(axis.start / axis.step - 1e-9) : 0;
	return axis;
}

/* Return the position of a tick in 0..1, or more than 1 after the last tick. */
static double tick_of(const struct axis *axis, unsigned i, double *value)
{
	*value = axis->step > 0 ? plot_tick(axis->first + i, axis->step) : axis->start;
	if (axis->step <= 0)
		return i == 0 ? 0 : 2;
	return *value > axis->end + 1e-9 * axis->step ? 2 : fmax((*value - axis->start) / (axis->end - axis->start), 0);
}

/* Return the character of a tick, or `columns` after the last tick. */
static size_t tick_column(const struct axis *axis, unsigned i, size_t columns, double *value)
{
	double at = tick_of(axis, i, value) * (double)columns;

	if (at > 1.5 * (double)columns)
		return columns;
	return at < (double)(columns - 1) ? (size_t)at : columns - 1;
}

void plot_label(struct plot_page *page, const char *text, size_t at, size_t *end)
{
	if (at < *end + (*end > 0))
		return;
	anim_print_spaces(&page->print, at - *end);
	anim_print_text(&page->print, text);
	*end = at + strlen(text);
}

void plot_times(struct plot_page *page, const struct plot_clip *clip, double end_s, size_t gutter, size_t columns)
{
	const struct plot_charset *charset = plot_charset(page);
	struct axis axis = axis_of(page, &clip->head, clip->start_s, end_s, fmax(1, floor((double)columns / 10)));
	size_t end = 0, at;
	double value;

	plot_gutter(page, gutter, "", charset->corner);
	for (size_t i = 0, column = 0; column < columns; column++) {
		bool here = tick_column(&axis, (unsigned)i, columns, &value) == column;

		anim_print_text(&page->print, here ? charset->tick : charset->flat);
		i += here;
	}
	anim_print_text(&page->print, "\n");
	plot_gutter(page, gutter, axis.frames ? "frame" : "s", " ");
	for (unsigned i = 0; (at = tick_column(&axis, i, columns, &value)) < columns; i++) {
		char number[TEXT_NUMBER_MAX];
		size_t length;

		text_of_number(number, value, "");
		length = strlen(number);
		plot_label(page, number, at + length > columns && columns > length ? columns - length : at, &end);
	}
	anim_print_text(&page->print, "\n");
}

void plot_svg_times(struct plot_page *page, const struct plot_clip *clip, double end_s, double most, const long box[4])
{
	struct axis axis = axis_of(page, &clip->head, clip->start_s, end_s, most);
	double at, value;

	for (unsigned i = 0; (at = tick_of(&axis, i, &value)) <= 1; i++) {
		long x = box[0] + lrint(at * (double)box[2]);

		plot_put(page, "<path class=\"o\" d=\"M%ld %ldv%ld\"/><text class=\"v\" x=\"%ld\" y=\"%ld\">", x,
			 box[1], box[3] + 3, x, box[1] + box[3] + 13);
		plot_number(page, "", value, i > 0 || axis.frames ? "" : "s",
			    i == 0 && axis.frames ? " frames</text>" : "</text>");
	}
}

/* --- Lines of words --- */

/* The length of a line in an SVG, for the widest font that systems use as system-ui. */
struct page_font {
	size_t most; /* characters */
	int high;    /* pixels from line to line */
};
static const struct page_font heading_font = {130, 17}, line_font = {176, 13};

/*
 * Return the number of bytes in the first line of an escaped text. The line is broken after its last space, or
 * inside a word if it has no space.
 */
static size_t first_line(const char *text, size_t size, size_t most)
{
	size_t at = 0, broken = 0;

	for (size_t wide = 0; at < size;) {
		uint32_t code = 0;
		const char *end = text[at] == '&' ? memchr(text + at, ';', size - at) : NULL;
		size_t length = end != NULL ? (size_t)(end - text) - at + 1
					    : anim_utf8_decode((const uint8_t *)text + at, size - at, &code);

		wide += code < 0x1100 ? 1 : 2; /* East Asian characters are twice as wide */
		if (wide > most)
			return broken > 0 ? broken : at;
		at += length > 0 ? length : 1;
		broken = text[at - 1] == ' ' ? at : broken;
	}
	return size;
}

void plot_heading(struct plot_page *page, const struct plot_clip *clip)
{
	bool bold = page->options.color != ANIM_PLOT_PLAIN && !page->options.svg;

	if (page->options.svg)
		plot_put(page, "<text class=\"h\" x=\"%d\" y=\"%zu\">", PLOT_SVG_GAP, page->high + 18);
	else
		anim_print_texts(&page->print, page->clips > 0 ? "\n" : "", bold ? "\033[1m" : "");
	page->text = page->body.size;
	page->heading = true;
	page->high += PLOT_SVG_HEADING;
	page->clips++;
	plot_name(page, *clip->head.name == '\0' ? "(no name)" : clip->head.name);
	plot_number(page, bold ? "\033[0m: " : ": ", (double)clip->head.end_s - (double)clip->head.start_s, "s", ", ");
}

void plot_line(struct plot_page *page)
{
	if (page->options.svg)
		plot_put(page, "<text x=\"%d\" y=\"%zu\">", PLOT_SVG_GAP, page->high + 12);
	page->text = page->body.size;
	page->heading = false;
	page->high += 16;
}

void plot_line_end(struct plot_page *page)
{
	const struct page_font font = page->heading ? heading_font : line_font;
	struct anim_print *print = &page->print;
	struct anim_buffer text = {0};
	size_t start = page->text, line;

	if (!page->options.svg || print->failed) {
		anim_print_text(print, "\n");
		return;
	}
	if (anim_buffer_append(&text, page->body.data + start, page->body.size - start, print->error) != 0) {
		print->failed = true;
		return;
	}
	page->body.size = start;
	for (size_t at = 0; at < text.size; at += line) {
		line = first_line((const char *)text.data + at, text.size - at, font.most);
		if (at > 0)
			plot_put(page, "<tspan x=\"%d\" dy=\"%d\">", PLOT_SVG_GAP, font.high);
		anim_print_bytes(print, text.data + at, line);
		anim_print_text(print, at > 0 ? "</tspan>" : "");
		page->high += at > 0 ? (size_t)font.high : 0;
	}
	anim_print_text(print, "</text>\n");
	anim_buffer_clear(&text);
}

void plot_names(struct plot_page *page, const char *what, const char *names, size_t size, size_t more)
{
	plot_line(page);
	anim_print_texts(&page->print, what, ": ");
	if (page->options.svg)
		put_xml(&page->print, names, size);
	else
		anim_print_bytes(&page->print, names, size);
	if (more > 0)
		plot_put(page, " and %zu more", more);
	plot_line_end(page);
}

/* --- The file --- */

static const char style[] =
    "<style>text{font:10px system-ui,sans-serif;fill:#333}.h{font-size:13px;font-weight:600}.f{fill:none;stroke:#ccc}"
    ".o{stroke:#ccc;stroke-width:.5}.v{text-anchor:middle}";
static const char dark[] = "@media(prefers-color-scheme:dark){svg{background:#1b1b1b}text{fill:#ddd}.f,.o{stroke:#555}";

void plot_page_close(struct plot_page *page)
{
	anim_buffer_clear(&page->body);
	anim_arena_clear(&page->scratch);
}

/* --- Views: sinks that draw clips in one way --- */

static int finish_clip(struct plot_view *view, struct anim_error *error)
{
	int result = 0;

	view->page.print.error = error;
	if (view->in_clip)
		result = view->kind->finish(view, error);
	view->in_clip = false;
	return result != 0 || view->page.print.failed ? -1 : 0;
}

/* Begin a clip, after drawing the previous one. Returns 0 or -1. */
static int view_begin(struct plot_view *view, const struct anim_clip *clip, struct anim_error *error)
{
	int begun;

	if (finish_clip(view, error) != 0)
		return -1;

	/* Begin with a clip: copy its head, with its texts in the arena, and find the selected part of it. */
	const struct anim_plot_options *options = &view->page.options;
	struct plot_clip *out = &view->clip;
	struct anim_range range;
	int overlaps;

	*out = (struct plot_clip){.start_s = (double)clip->start_s,
				  .end_s = fmax((double)clip->end_s, (double)clip->start_s)};
	anim_arena_reset(&view->head);
	if (anim_clip_copy(&out->head, clip, &view->head, error) != 0) {
		begun = -1;
	} else if (!options->range.given) {
		begun = 1;
	} else if ((overlaps = anim_range_of_clip(&range, clip, &options->range, error)) < 0) {
		begun = -1;
	} else if (overlaps == 0) {
		begun = anim_diagnostics_note(options->diagnostics, NULL, error,
					      "clip '%s' is outside the time range of " ANIM_OPTION("plot", "time"),
					      clip->name);
	} else {
		out->start_s = (double)range.start_s;
		out->end_s = (double)range.end_s;
		begun = 1;
	}

	view->in_clip = begun > 0;
	view->clips += begun > 0;
	if (view->kind->begin != NULL)
		view->kind->begin(view);
	return begun < 0 ? -1 : 0;
}

int plot_view_pair(struct plot_view *view, size_t couple, const struct anim_clip *clip, struct anim_error *error)
{
	if (view->couple == couple)
		return 0;
	view->couple = couple;
	return view_begin(view, clip, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return view_begin((struct plot_view *)sink, clip, error);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct plot_view *view = (struct plot_view *)sink;

	if (finish_clip(view, error) != 0)
		return -1;
	return view->kind->tree == NULL ? 0 : view->kind->tree(sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	const struct plot_kind *kind = ((struct plot_view *)sink)->kind;

	return kind->node == NULL ? 0 : kind->node(sink, node, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct plot_view *view = (struct plot_view *)sink;

	return view->in_clip ? view->kind->track(sink, track, error) : 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct plot_view *view = (struct plot_view *)sink;
	const struct anim_plot_options *options = &view->page.options;

	if (anim_diagnostics_check(options->diagnostics, error) != 0 || finish_clip(view, error) != 0)
		return -1;
	if (view->clips == 0 && !options->range.given && /* a clip outside the range has its own note */
	    anim_diagnostics_note(options->diagnostics, NULL, error, "the input has no clips to draw") != 0)
		return -1;
	if (view->kind->end != NULL && view->kind->end(view, error) != 0)
		return -1;

	/* Write an SVG, with the style of the view on a light and on a dark page. */
	if (!view->page.options.svg || view->page.print.failed)
		return view->page.print.failed ? -1 : 0;
	view->page.print.out = view->page.out;
	view->page.print.buffer = NULL;
	plot_put(&view->page,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %zu\" width=\"%d\" height=\"%zu\">\n",
		 PLOT_SVG_WIDE, view->page.high + PLOT_SVG_GAP, PLOT_SVG_WIDE, view->page.high + PLOT_SVG_GAP);
	anim_print_texts(&view->page.print, "<!-- anim-plot -->\n", style, view->kind->light[options->palette], dark,
			 view->kind->dark[options->palette], "}</style>\n");
	anim_print_bytes(&view->page.print, view->page.body.data, view->page.body.size);
	anim_print_text(&view->page.print, "</svg>\n");
	return view->page.print.failed ? -1 : 0;
}

static void on_free(struct anim_sink *sink)
{
	struct plot_view *view = (struct plot_view *)sink;

	view->kind->free(view);
	plot_page_close(&view->page);
	anim_arena_clear(&view->head);
	free(view);
}

struct anim_sink *anim_plot_new(struct anim_output *out, const struct anim_plot_options *options,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, NULL, on_end, on_free};
	static const struct plot_kind *const kinds[] = {[ANIM_PLOT_CURVES] = &plot_curves,
							[ANIM_PLOT_HEAT] = &plot_heat,
							[ANIM_PLOT_DOPE] = &plot_dope,
							[ANIM_PLOT_FIGURE] = &plot_figure};
	const struct plot_kind *kind = kinds[options->view];
	struct plot_view *view = anim_sink_new(kind->size, &ops, error);

	if (view == NULL)
		return NULL;
	view->kind = kind;
	view->page.options = *options;
	view->page.out = out;
	view->page.print.out = options->svg ? NULL : out;
	view->page.print.buffer = options->svg ? &view->page.body : NULL;
	if (kind->open != NULL)
		kind->open(view);
	return &view->sink;
}

/* --- Two clips --- */

static const char *const sides[] = {"only in the source", "only in the result"};

int plot_apart_of(struct plot_apart *apart, const struct anim_compare_clips *clips, struct anim_arena *arena,
		  struct anim_error *error)
{
	const struct anim_clip *source = clips->heads[0], *result = clips->heads[1];

	*apart = (struct plot_apart){.lengths_differ = clips->lengths_differ,
				     .loops_differ = clips->loops_differ,
				     .lone = {clips->lone[0], clips->lone[1]},
				     .texts = clips->texts,
				     .unlike = clips->unlike};
	for (int side = 0; side < 2; side++) {
		if (clips->heads[!side] == NULL)
			apart->alone = sides[side];
		if (clips->lone[side] == 0)
			continue;

		size_t count = clips->lone[side];
		const char *out = "";

		for (size_t i = 0; i < count && i < ANIM_COMPARE_NAMED && out != NULL; i++) {
			const char *name = anim_safe_copy(arena, clips->named[side][i], error);

			out = name == NULL ? NULL
					   : anim_arena_printf(arena, error, "%s%s%s", out, i > 0 ? ", " : "", name);
		}
		apart->named[side] =
		    out == NULL || count <= ANIM_COMPARE_NAMED
			? out
			: anim_arena_printf(arena, error, "%s and %zu more", out, count - ANIM_COMPARE_NAMED);

		if (apart->named[side] == NULL)
			return -1;
	}
	if (source != NULL)
		apart->loops[0] = (enum anim_loop)source->loop;
	if (result != NULL) {
		apart->loops[1] = (enum anim_loop)result->loop;
		apart->length_s = (double)result->end_s - (double)result->start_s;
	}
	return 0;
}

int anim_plot_clips(void *sink, const struct anim_compare_clips *clips, struct anim_error *error)
{
	struct plot_view *view = sink;

	if (plot_view_pair(view, clips->couple, clips->heads[clips->heads[0] == NULL], error) != 0)
		return -1;
	return plot_apart_of(&view->clip.apart, clips, &view->head, error);
}

static void put_tracks(struct anim_print *print, size_t count, const char *one, const char *many, const char *where)
{
	if (count == 0)
		return;
	anim_print_text(print, "; ");
	anim_print_uint64(print, count);
	anim_print_texts(print, count == 1 ? one : many, where);
}

void plot_apart(struct anim_print *print, const struct plot_apart *apart)
{
	static const char *const loops[] = {[ANIM_LOOP_NONE] = "is played once",
					    [ANIM_LOOP_WRAP] = "loops",
					    [ANIM_LOOP_PINGPONG] = "plays back and forth"};
	char length[TEXT_NUMBER_MAX];

	if (apart->loops_differ)
		anim_print_texts(print, "; the source ", loops[apart->loops[0]], ", the result ",
				 loops[apart->loops[1]]);
	text_of_number(length, apart->length_s, "s");
	if (apart->lengths_differ)
		anim_print_texts(print, "; the result lasts ", length);
	for (int side = 0; side < 2; side++)
		put_tracks(print, apart->lone[side], " track is ", " tracks are ", sides[side]);
	put_tracks(print, apart->texts, " track of texts differs", " tracks of texts differ", "");
	put_tracks(print, apart->unlike, " track cannot be compared", " tracks cannot be compared", "");
}

void plot_lone(struct plot_page *page, const struct plot_apart *apart)
{
	for (int side = 0; side < 2; side++)
		if (apart->named[side] != NULL)
			plot_names(page, sides[side], apart->named[side], strlen(apart->named[side]), 0);
}

void plot_off(struct plot_page *page, const char *before, enum anim_unit unit, double off)
{
	bool small = unit == ANIM_UNIT_LENGTH && off < 1;

	plot_number(page, before, small ? off * 1000 : off, small ? "mm" : anim_unit_names[unit], "");
}

void plot_worst(struct plot_page *page, const char *name, enum anim_unit unit, double off, double at_s, double shell)
{
	bool metres = unit == ANIM_UNIT_LENGTH;

	plot_name(page, name);
	plot_off(page, " ", unit, off);
	plot_number(page, " at ", at_s, "s", "");
	if (shell > 0)
		plot_number(page, " (of points ", metres ? shell * 100 : shell, metres ? "cm" : anim_unit_names[unit],
			    " around the joint)");
}
