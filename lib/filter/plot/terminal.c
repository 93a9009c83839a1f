/* terminal.c: panels as lines of characters: braille, half blocks or ASCII. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "filter/filter.h"
#include "filter/plot/internal.h"
#include "filter/summary.h"

#define ROWS 4                        /* characters that a panel is high */
#define GUTTER 10                     /* characters for the numbers at its left, and the line behind them */
#define OFF_MAX (TEXT_NUMBER_MAX + 8) /* bytes of the label of a strip of errors */
#define DOTS_MAX 4                    /* a character is high at most */

/* How many dots a character has; a dot is a bit of its pattern. */
static const struct cell {
	unsigned wide, high;
	uint8_t bits[2][DOTS_MAX]; /* of column, row */
	const char *line, *corner, *flat, *tick, *key;
} cells[] = {
    [ANIM_PLOT_BRAILLE] = {2, 4, {{1, 2, 4, 64}, {8, 16, 32, 128}}, "│", "└", "─", "┴", NULL},
    [ANIM_PLOT_BLOCK] = {1, 2, {{1, 2}, {0}}, "│", "└", "─", "┴", "•"},
    [ANIM_PLOT_ASCII] = {1, 2, {{1, 2}, {0}}, "|", "+", "-", "+", "*"},
};

struct picture {
	struct anim_print *print;
	const struct anim_plot_options *options;
	const struct cell *cell;
	size_t columns; /* characters between the line and the right border */
	struct anim_arena arena;
};

static size_t cells_of(const struct anim_plot_options *options)
{
	return options->width - GUTTER;
}

size_t plot_terminal_columns(const struct anim_plot_options *options)
{
	return cells_of(options) * cells[options->charset].wide;
}

size_t plot_terminal_gutter(const struct anim_plot_options *options, size_t most)
{
	size_t wanted = options->width * 3u / 10;

	return wanted < 10 ? 10 : wanted > most ? most : wanted;
}

size_t plot_terminal_row(const struct anim_plot_options *options, size_t taken)
{
	return options->width > taken + 4 ? options->width - taken : 4;
}

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

/* --- Dots --- */

/* The row of dots in which a value lies; 0 is the top. */
static unsigned row_of(const struct plot_panel *panel, double value, unsigned rows)
{
	return plot_row_of(panel->top, panel->bottom, value, rows);
}

void plot_print_dots(struct anim_print *print, enum anim_plot_charset charset, unsigned bits)
{
	static const char *const blocks[] = {" ", "▀", "▄", "█"}, *const letters[] = {" ", "'", ".", ":"};
	char text[4];

	if (charset == ANIM_PLOT_BRAILLE)
		anim_print_bytes(print, text, anim_utf8_encode(0x2800 + bits, text));
	else
		anim_print_text(print, charset == ANIM_PLOT_BLOCK ? blocks[bits] : letters[bits]);
}

void plot_dots_of(enum anim_plot_charset charset, unsigned *wide, unsigned *high)
{
	*wide = cells[charset].wide;
	*high = cells[charset].high;
}

unsigned plot_dot(enum anim_plot_charset charset, unsigned x, unsigned y)
{
	return cells[charset].bits[x][y];
}

/* Red, green, blue, grey; orange, sky, green, purple: numbers of the 256, and as they are. */
static const struct {
	const char *few, *many;
} colors[2][4] = {
    {{"\033[38;5;203m", "\033[38;2;235;85;85m"},
     {"\033[38;5;71m", "\033[38;2;80;170;80m"},
     {"\033[38;5;69m", "\033[38;2;90;135;240m"},
     {"\033[38;5;246m", "\033[38;2;150;150;150m"}},
    {{"\033[38;5;214m", "\033[38;2;230;159;0m"},
     {"\033[38;5;74m", "\033[38;2;86;180;233m"},
     {"\033[38;5;36m", "\033[38;2;0;158;115m"},
     {"\033[38;5;175m", "\033[38;2;204;121;167m"}},
};

static const char *color_of(const struct picture *p, unsigned color)
{
	if (p->options->color == ANIM_PLOT_PLAIN)
		return "";
	return p->options->color == ANIM_PLOT_RGB ? colors[p->options->palette][color].many
						  : colors[p->options->palette][color].few;
}

/* A character has one colour: that of the first of its lanes. */
struct character {
	uint8_t bits;
	int8_t color;
};

/* A lane of these columns; `lines`: ROWS of characters. */
static void draw_lane(const struct picture *p, const struct plot_panel *panel, const struct plot_columns *columns,
		      unsigned lane, int8_t color, struct character *lines)
{
	unsigned wide = p->cell->wide, high = p->cell->high;

	for (size_t c = 0; c < columns->count; c++) {
		double least = columns->lane[lane].least[c], most = columns->lane[lane].most[c];
		unsigned first = row_of(panel, most, ROWS * high), last = row_of(panel, least, ROWS * high);
		const uint8_t *bits = p->cell->bits[c % wide];

		for (unsigned y = first; least <= most && y <= last; y++) {
			struct character *out = &lines[y / high * p->columns + c / wide];

			out->color = out->bits == 0 ? color : out->color;
			out->bits |= bits[y % high];
		}
	}
}

static void draw_lanes(const struct picture *p, const struct plot_panel *panel, struct character *lines)
{
	for (size_t i = 0; i < ROWS * p->columns; i++)
		lines[i] = (struct character){0, -1};
	for (unsigned lane = 0; lane < panel->columns.lanes; lane++)
		draw_lane(p, panel, &panel->columns, lane, (int8_t)panel->colors[lane], lines);
	for (unsigned lane = 0; panel->paired && lane < panel->source.lanes; lane++)
		draw_lane(p, panel, &panel->source, lane, 3, lines);
}

/* Empty characters at the end of a line are cut off. */
static void print_characters(struct picture *p, const struct character *line)
{
	size_t count = p->columns;
	int color = -1;

	while (count > 0 && line[count - 1].bits == 0)
		count--;
	for (size_t i = 0; i < count; i++) {
		if (line[i].bits != 0 && line[i].color != color)
			anim_print_text(p->print, color_of(p, (unsigned)(color = line[i].color)));
		plot_print_dots(p->print, p->options->charset, line[i].bits);
	}
	anim_print_text(p->print, color >= 0 && p->options->color != ANIM_PLOT_PLAIN ? "\033[0m\n" : "\n");
}

/* --- Numbers at the left --- */

/* A label up to the line itself where it has to be. */
static void print_gutter(struct anim_print *print, size_t gutter, const char *label, const char *line)
{
	size_t width = strlen(label);

	anim_print_spaces(print, width < gutter - 2 ? gutter - 2 - width : 0);
	anim_print_texts(print, label, width < gutter - 1 ? " " : "", line);
}

/* The tick that falls on a row of characters, as text; "" where none does. */
static void row_label(const struct plot_panel *panel, unsigned high, unsigned row, char out[TEXT_NUMBER_MAX])
{
	double step = plot_tick_step(panel->top - panel->bottom, ROWS - 1);
	double highest = step > 0 ? floor(panel->top / step) : 0, tick;

	out[0] = '\0';
	for (unsigned i = 0; step > 0 && i < 2 * ROWS && (tick = plot_tick(highest - i, step)) >= panel->bottom; i++)
		if (row_of(panel, tick, ROWS * high) / high == row)
			text_of_number(out, tick, "");
	if (strlen(out) > GUTTER - 2)
		out[0] = '\0';
}

/* --- A panel --- */

static const char *safe(struct picture *p, const char *text)
{
	const char *out = anim_safe_copy(&p->arena, text, p->print->error);

	p->print->failed |= out == NULL;
	return out == NULL ? "" : out;
}

void plot_print_count(struct anim_print *print, size_t count, const char *one, const char *many)
{
	anim_print_uint64(print, count);
	anim_print_texts(print, " ", count == 1 ? one : many);
}

/*
 * What float32 makes of nothing: beside what the lane itself ranges over; of a rotation, whose lanes come of one quaternion,
 * beside what all of them do.
 */
static double beside(const struct plot_panel *panel, unsigned lane, double value)
{
	double range = panel->turns ? panel->top - panel->bottom : panel->most[lane] - panel->least[lane];

	return fabs(value) < 1e-7 * range ? 0 : value;
}

/* A lane in words. `color`, `plain`: around its name. */
static void print_lane(struct anim_print *print, const struct plot_panel *panel, unsigned lane, const char *color,
		       const char *plain)
{
	const char *name = panel->names[lane];
	char number[TEXT_NUMBER_MAX];
	double least, most;

	anim_print_texts(print, lane > 0 ? ", " : "", *name == '\0' ? "" : color, name, *name == '\0' ? "" : plain,
			 *name == '\0' ? "" : " ");
	if (!(panel->least[lane] <= panel->most[lane])) {
		anim_print_text(print, "no value");
		return;
	}
	least = beside(panel, lane, panel->least[lane]);
	most = beside(panel, lane, panel->most[lane]);
	text_of_number(number, least, "");
	anim_print_text(print, number);
	if (most > least) {
		text_of_number(number, most, "");
		anim_print_texts(print, " .. ", number);
	}
}

void plot_print_off(struct anim_print *print, const struct plot_panel *panel)
{
	char number[TEXT_NUMBER_MAX];

	text_of_number(number, panel->worst, panel->error_unit);
	anim_print_texts(print, "off by ", number);
	text_of_number(number, panel->at_s, "s");
	anim_print_texts(print, panel->worst > 0 ? " at " : "", panel->worst > 0 ? number : "");
}

static void print_rest_of_words(struct anim_print *print, const struct plot_panel *panel)
{
	unsigned last = panel->columns.lanes - 1; /* of which there may be no value, which has no unit */
	const char *unit = panel->least[last] <= panel->most[last] ? panel->unit : "";
	char number[TEXT_NUMBER_MAX];

	anim_print_texts(print, *unit == '\0' ? "" : " ", unit, panel->flat ? ", flat, " : ", ");
	plot_print_count(print, panel->keys, panel->samples ? "sample" : "key", panel->samples ? "samples" : "keys");
	anim_print_text(print, panel->broken ? ", not all of them finite" : "");
	if (!panel->paired)
		return;
	anim_print_text(print, "; ");
	plot_print_off(print, panel);
	text_of_number(number, panel->limit, panel->error_unit);
	anim_print_texts(print, panel->limit > 0 ? ", limit " : "", panel->limit > 0 ? number : "");
}

void plot_print_words(struct anim_print *print, const struct plot_panel *panel)
{
	for (unsigned i = 0; i < panel->columns.lanes; i++)
		print_lane(print, panel, i, "", "");
	print_rest_of_words(print, panel);
	if (panel->paired && *panel->fault != '\0')
		anim_print_texts(print, "; ", panel->fault);
}

/* The same in words. */
static void print_title(struct picture *p, const struct plot_panel *panel)
{
	const char *plain = p->options->color == ANIM_PLOT_PLAIN ? "" : "\033[0m";

	anim_print_texts(p->print, *plain == '\0' ? "" : "\033[1m", safe(p, panel->title), plain, ": ");
	for (unsigned i = 0; i < panel->columns.lanes; i++)
		print_lane(p->print, panel, i, color_of(p, panel->colors[i]), plain);
	print_rest_of_words(p->print, panel);
	anim_print_text(p->print, "\n");
	if (panel->paired && *panel->fault != '\0')
		anim_print_texts(p->print, "  ", panel->fault, "\n");
}

/* A dot under each column with a key. */
static void print_keys(struct picture *p, const struct plot_panel *panel, struct character *line)
{
	for (size_t i = 0; i < p->columns; i++) {
		line[i] = (struct character){0, -1};
		for (unsigned x = 0; x < p->cell->wide; x++)
			if (panel->keyed[i * p->cell->wide + x])
				line[i].bits |= p->cell->bits[x][p->cell->wide == 2 ? 1 : 0];
	}
	print_gutter(p->print, GUTTER, "keys", p->cell->line);
	if (p->cell->wide == 2) {
		print_characters(p, line);
		return;
	}
	for (size_t i = 0, last = p->columns; i < last; i++) {
		while (last > i && line[last - 1].bits == 0)
			last--;
		if (i < last)
			anim_print_text(p->print, line[i].bits ? p->cell->key : " ");
	}
	anim_print_text(p->print, "\n");
}

/* "off 0.099", what the strip is high: one or two digits where there is room, below a centimetre in mm. */
static void off_label(const struct plot_panel *panel, char out[OFF_MAX])
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
			snprintf(out, OFF_MAX, "off %s%s", number, small ? "mm" : "");
			return;
		}
	}
}

/* The error of each column as a height, against the largest. */
static void print_errors(struct picture *p, const struct plot_panel *panel, struct character *line)
{
	char label[OFF_MAX];

	for (size_t i = 0; i < p->columns; i++) {
		line[i] = (struct character){0, 0};
		for (unsigned x = 0; x < p->cell->wide && panel->worst > 0; x++) {
			double part = (double)panel->error[i * p->cell->wide + x] / panel->worst;
			unsigned dots = part > 0 ? (unsigned)fmin(ceil(part * p->cell->high), p->cell->high) : 0;

			for (unsigned y = 0; y < dots; y++)
				line[i].bits |= p->cell->bits[x][p->cell->high - 1 - y];
		}
	}
	off_label(panel, label);
	print_gutter(p->print, GUTTER, label, p->cell->line);
	print_characters(p, line);
}

static void print_panel(struct picture *p, const struct plot_panel *panel)
{
	struct character *lines = anim_arena_alloc(&p->arena, ROWS * p->columns * sizeof *lines, p->print->error);
	char label[TEXT_NUMBER_MAX];

	p->print->failed |= lines == NULL;
	if (p->print->failed)
		return;
	print_title(p, panel);
	draw_lanes(p, panel, lines);
	for (unsigned row = 0; row < ROWS; row++) {
		row_label(panel, p->cell->high, row, label);
		print_gutter(p->print, GUTTER, label, p->cell->line);
		print_characters(p, lines + row * p->columns);
	}
	if (!panel->samples)
		print_keys(p, panel, lines);
	if (panel->paired)
		print_errors(p, panel, lines);
	anim_arena_reset(&p->arena);
}

/* --- The time below the panels --- */

void plot_axis_of(struct plot_axis *axis, const struct anim_plot_options *options, const struct anim_clip *clip,
		  double start_s, double end_s, double ticks_most)
{
	double rate = 1, range;

	axis->frames = options->frames && clip->rate_num != 0;
	if (axis->frames)
		rate = (double)clip->rate_num / (double)clip->rate_den;
	axis->start = (axis->frames ? start_s - (double)clip->start_s : start_s) * rate;
	range = (end_s - start_s) * rate;
	axis->end = axis->start + range;
	axis->step = plot_tick_step(range, ticks_most);
	if (axis->frames && axis->step > 0)
		axis->step = fmax(1, axis->step);
	axis->first = axis->step > 0 ? ceil(axis->start / axis->step - 1e-9) : 0;
}

double plot_axis_tick(const struct plot_axis *axis, unsigned i, double *value)
{
	double t = axis->step > 0 ? plot_tick(axis->first + i, axis->step) : axis->start;

	*value = t;
	if (axis->step <= 0)
		return i == 0 ? 0 : 2;
	return t > axis->end + 1e-9 * axis->step ? 2 : fmax((t - axis->start) / (axis->end - axis->start), 0);
}

/* The character under which tick i stands; `columns` behind the last. */
static size_t tick_column(const struct plot_axis *axis, unsigned i, size_t columns, double *value)
{
	double at = plot_axis_tick(axis, i, value) * (double)columns;

	if (at > 1.5 * (double)columns)
		return columns;
	return at < (double)(columns - 1) ? (size_t)at : columns - 1;
}

static void print_ticks(struct anim_print *print, const struct plot_axis *axis, size_t columns)
{
	size_t column, behind = 0;
	double value;

	for (unsigned i = 0; (column = tick_column(axis, i, columns, &value)) < columns; i++) {
		char number[TEXT_NUMBER_MAX];
		size_t length, at;

		text_of_number(number, value, "");
		length = strlen(number);
		at = column + length > columns && columns > length ? columns - length : column;
		if (at < behind + (behind > 0))
			continue;
		anim_print_spaces(print, at - behind);
		anim_print_text(print, number);
		behind = at + length;
	}
	anim_print_text(print, "\n");
}

void plot_terminal_axis(struct anim_print *print, const struct anim_plot_options *options, const struct anim_clip *clip,
			double start_s, double end_s, size_t gutter, size_t columns)
{
	const struct cell *cell = &cells[options->charset];
	struct plot_axis axis;
	double value;

	plot_axis_of(&axis, options, clip, start_s, end_s, fmax(1, floor((double)columns / 10)));
	print_gutter(print, gutter, "", cell->corner);
	for (size_t i = 0, column = 0; column < columns; column++) {
		bool here = tick_column(&axis, (unsigned)i, columns, &value) == column;

		anim_print_text(print, here ? cell->tick : cell->flat);
		i += here;
	}
	anim_print_text(print, "\n");
	print_gutter(print, gutter, axis.frames ? "frame" : "s", " ");
	print_ticks(print, &axis, columns);
}

/* --- Names at the left --- */

const char *plot_line_of(enum anim_plot_charset charset)
{
	return cells[charset].line;
}

/* The bytes of the first `count` characters of a text. */
static size_t bytes_of(const char *text, size_t count)
{
	size_t size = strlen(text), at = 0;

	for (uint32_t code; count > 0 && at < size; count--)
		at += anim_utf8_decode((const uint8_t *)text + at, size - at, &code);
	return at;
}

void plot_print_name(struct anim_print *print, const char *name, size_t width)
{
	struct anim_arena arena = {0};
	const char *text = anim_safe_copy(&arena, name, print->error), *shown = text;
	size_t characters = 0, kept = width + 1;

	print->failed |= text == NULL;
	while (text != NULL && text[bytes_of(text, characters)] != '\0')
		characters++;
	while (shown != NULL && text_width(shown) > width && kept-- > 0) { /* more of its end, which tells more */
		size_t head = kept > 2 ? (kept - 2) / 3 : kept;
		size_t tail = kept > 2 ? characters - (kept - 2 - head) : characters;

		shown = anim_arena_printf(&arena, print->error, "%.*s%s%s", (int)bytes_of(text, head), text,
					  kept > 2 ? ".." : "", text + bytes_of(text, tail));
	}
	print->failed |= shown == NULL;
	if (!print->failed)
		text_print_cell(print, shown, width, false);
	anim_arena_clear(&arena);
}

/* --- A clip --- */

/* "constant: a = 1, b = 2 and 3 more" */
static void print_names(struct anim_print *print, const char *what, const struct plot_names *names)
{
	if (names->count == 0)
		return;
	anim_print_texts(print, what, ": ");
	anim_print_bytes(print, names->text.data, names->text.size);
	if (names->count > names->told) {
		anim_print_text(print, " and ");
		anim_print_uint64(print, names->count - names->told);
		anim_print_text(print, " more");
	}
	anim_print_text(print, "\n");
}

static const char *const sides[] = {"in the source alone", "in the result alone"};

static void print_tracks(struct anim_print *print, size_t count, const char *one, const char *many)
{
	if (count == 0)
		return;
	anim_print_text(print, "; ");
	plot_print_count(print, count, one, many);
}

void plot_print_apart(struct anim_print *print, const struct plot_clip *clip)
{
	static const char *const loops[] = {[ANIM_LOOP_NONE] = "is played once",
					    [ANIM_LOOP_WRAP] = "loops",
					    [ANIM_LOOP_PINGPONG] = "goes there and back"};
	const struct plot_apart *apart = &clip->apart;
	char number[TEXT_NUMBER_MAX];

	if (apart->loops_differ)
		anim_print_texts(print, "; the source ", loops[clip->head.loop], ", the result ", loops[apart->loop]);
	text_of_number(number, apart->length_s, "s");
	if (apart->lengths_differ)
		anim_print_texts(print, "; the result lasts ", number);
	for (int side = 0; side < 2; side++) {
		print_tracks(print, apart->lone[side], "track is ", "tracks are ");
		anim_print_text(print, apart->lone[side] > 0 ? sides[side] : "");
	}
	print_tracks(print, apart->texts, "track of texts differs", "tracks of texts differ");
	print_tracks(print, apart->unlike, "track cannot be compared", "tracks cannot be compared");
}

/* "a position, b scale and 3 more"; NULL on failure. */
static const char *name_lone(const char *const *names, size_t count, struct anim_arena *arena, struct anim_error *error)
{
	const char *out = "";

	for (size_t i = 0; i < count && i < ANIM_COMPARE_NAMED && out != NULL; i++) {
		const char *name = anim_safe_copy(arena, names[i], error);

		out = name == NULL ? NULL : anim_arena_printf(arena, error, "%s%s%s", out, i > 0 ? ", " : "", name);
	}
	return out == NULL || count <= ANIM_COMPARE_NAMED
		   ? out
		   : anim_arena_printf(arena, error, "%s and %zu more", out, count - ANIM_COMPARE_NAMED);
}

const struct anim_clip *plot_clip_shown(const struct anim_compare_clips *clips)
{
	return clips->heads[clips->heads[0] == NULL];
}

int plot_clip_apart(struct plot_clip *clip, const struct anim_compare_clips *clips, struct anim_arena *arena,
		    struct anim_error *error)
{
	const struct anim_clip *result = clips->heads[1];

	clip->apart = (struct plot_apart){.lengths_differ = clips->lengths_differ,
					  .loops_differ = clips->loops_differ,
					  .lone = {clips->lone[0], clips->lone[1]},
					  .texts = clips->texts,
					  .unlike = clips->unlike};
	for (int side = 0; side < 2; side++) {
		if (clips->heads[!side] == NULL)
			clip->apart.alone = sides[side];
		if (clips->lone[side] == 0)
			continue;
		clip->apart.named[side] = name_lone(clips->named[side], clips->lone[side], arena, error);
		if (clip->apart.named[side] == NULL)
			return -1;
	}
	if (result != NULL) {
		clip->apart.loop = (enum anim_loop)result->loop;
		clip->apart.length_s = (double)result->end_s - (double)result->start_s;
	}
	return 0;
}

void plot_terminal_lone(struct anim_print *print, const struct plot_clip *clip)
{
	for (int side = 0; side < 2; side++)
		if (clip->apart.named[side] != NULL)
			anim_print_texts(print, sides[side], ": ", clip->apart.named[side], "\n");
}

void plot_svg_lone(struct plot_svg *svg, struct anim_print *print, const struct plot_clip *clip)
{
	for (int side = 0; side < 2; side++) {
		if (clip->apart.named[side] == NULL)
			continue;
		plot_svg_line(svg, print);
		anim_print_texts(print, sides[side], ": ");
		plot_xml(print, clip->apart.named[side], strlen(clip->apart.named[side]));
		plot_svg_text_end(svg, print);
	}
}

/* "9 deg, 0.1 m, 1": those of a unit before those without. */
static void print_errors_by_unit(struct anim_print *print, const char *before, const double errors[ANIM_UNIT_COUNT])
{
	for (unsigned i = 1; i <= ANIM_UNIT_COUNT; i++) {
		unsigned unit = i % ANIM_UNIT_COUNT;
		char number[TEXT_NUMBER_MAX];

		if (!(errors[unit] > 0))
			continue;
		text_of_number(number, errors[unit], anim_unit_names[unit]);
		anim_print_texts(print, before, number);
		before = ", ";
	}
}

static void print_beyond(struct anim_print *print, size_t count)
{
	anim_print_text(print, "; ");
	plot_print_count(print, count, "is beyond its limit", "are beyond their limits");
}

/* Against the limits, and what all errors come from. */
static void print_verdict(struct anim_print *print, const struct plot_clip *clip)
{
	if (clip->limited && clip->beyond == 0)
		anim_print_text(print, "; none is beyond its limit");
	else if (clip->limited)
		print_beyond(print, clip->beyond);
	if (*clip->cause != '\0') {
		anim_print_text(print, clip->hidden > 0 ? "; all of these: " : "; all ");
		if (clip->hidden == 0) {
			anim_print_uint64(print, clip->count);
			anim_print_text(print, ": ");
		}
		anim_print_text(print, clip->cause);
	}
}

void plot_print_rest(struct anim_print *print, const struct plot_clip *clip)
{
	plot_print_count(print, clip->hidden, "more is off by at most ", "more are off by at most ");
	print_errors_by_unit(print, "", clip->rest);
}

void plot_print_counts(struct anim_print *print, const struct plot_clip *clip)
{
	if (clip->apart.alone != NULL) {
		anim_print_text(print, clip->apart.alone);
		return;
	}
	plot_print_count(print, clip->paired ? clip->off : clip->count + clip->hidden,
			 clip->paired ? "track is off" : "track moves",
			 clip->paired ? "tracks are off" : "tracks move");
	if (clip->paired)
		print_errors_by_unit(print, ", by up to ", clip->worst);
	if (clip->hidden > 0 && clip->paired && clip->count == 1) {
		anim_print_text(print, "; this one is farthest off, --all shows the others");
	} else if (clip->hidden > 0) {
		anim_print_text(print, "; these ");
		anim_print_uint64(print, clip->count);
		anim_print_texts(print, clip->paired ? " are farthest off" : " travel farthest",
				 ", --all shows the others");
	}
	if (clip->paired) {
		print_verdict(print, clip);
		plot_print_apart(print, clip);
	}
}

void plot_terminal_heading(struct anim_print *print, const struct anim_plot_options *options,
			   const struct plot_clip *clip)
{
	bool bold = options->color != ANIM_PLOT_PLAIN;
	struct anim_arena arena = {0};
	char number[TEXT_NUMBER_MAX];
	const char *name = anim_safe_copy(&arena, clip->head.name, print->error);

	print->failed |= name == NULL;
	text_of_number(number, (double)clip->head.end_s - (double)clip->head.start_s, "s");
	anim_print_texts(print, bold ? "\033[1m" : "", name == NULL || *name == '\0' ? "(no name)" : name,
			 bold ? "\033[0m: " : ": ", number, ", ");
	anim_arena_clear(&arena);
}

void plot_terminal_clip(struct anim_print *print, const struct anim_plot_options *options, const struct plot_clip *clip,
			bool first)
{
	struct picture p = {
	    .print = print, .options = options, .cell = &cells[options->charset], .columns = cells_of(options)};

	anim_print_text(print, first ? "" : "\n");
	plot_terminal_heading(print, options, clip);
	plot_print_counts(print, clip);
	anim_print_text(print, "\n");
	for (size_t i = 0; i < clip->count && !print->failed; i++)
		print_panel(&p, clip->panels[i]);
	if (clip->count > 0)
		plot_terminal_axis(print, options, &clip->head, clip->panels[0]->columns.start_s,
				   clip->panels[0]->columns.end_s, GUTTER, p.columns);
	if (clip->paired && clip->hidden > 0) {
		plot_print_rest(print, clip);
		anim_print_text(print, "\n");
	}
	plot_terminal_lone(print, clip);
	print_names(print, "constant", clip->constant);
	print_names(print, "texts", clip->texts);
	print_names(print, "not played", clip->unplayed);
	anim_arena_clear(&p.arena);
}
