/* dope_draw.c: rows of keys, in the terminal and as SVG. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filter/plot/dope.h"
#include "filter/summary.h"

#define NUMBER 12  /* characters of the count behind a row */
#define NUMBERS 20 /* of two counts: where they are longer with their words, they stand without them */
#define GAP 14     /* pixels of a flag itself */
#define LETTER 6   /* of a character of its text */
#define LETTERS 12 /* so many have room at the right of the last flag, or it stands at its left */
#define TITLES 500 /* keys of a row that tell their times */

static struct plot_columns spread(const struct dope_clip *clip)
{
	return (struct plot_columns){.start_s = clip->clip.start_s, .end_s = clip->clip.end_s, .count = clip->columns};
}

/* What a column has: a key before a part that holds before samples; of two files, one that both have before the others. */
enum mark { MARK_NONE, MARK_SAMPLES, MARK_HELD, MARK_SOURCE, MARK_RESULT, MARK_KEY };

static enum mark mark_at(const struct dope_row *row, size_t c)
{
	if (row->keyed[c])
		return row->keyed[c] & DOPE_OF_ALL      ? MARK_KEY
		       : row->keyed[c] & DOPE_OF_RESULT ? MARK_RESULT
							: MARK_SOURCE;
	if (row->held[c] > 0 && row->held[c] + row->sampled[c] == row->number)
		return MARK_HELD;
	return row->sampled[c] > 0 ? MARK_SAMPLES : MARK_NONE;
}

/*
 * "5 keys", of two files "12 -> 5 keys" where they differ, "12 keys -> 37 samples"; samples are told of both. Without words where it
 * would be longer than `most` characters.
 */
static void print_numbers(struct anim_print *print, const size_t number[2], const bool sampled[2], bool paired,
			  size_t most)
{
	static const char *const words[2][2] = {{" keys", " key"}, {" samples", " sample"}};
	const char *before = words[sampled[0]][number[0] == 1], *after = words[sampled[1]][number[1] == 1];
	char text[96], *second = text;

	paired = paired && (number[0] != number[1] || sampled[0] || sampled[1]);
	if (paired)
		second += snprintf(text, sizeof text, "%zu%s -> ", number[0], sampled[0] == sampled[1] ? "" : before);
	snprintf(second, sizeof text - (size_t)(second - text), "%zu%s", number[1], after);
	if (paired && strlen(text) > most)
		snprintf(text, sizeof text, "%zu -> %zu", number[0], number[1]);
	anim_print_text(print, text);
}

/* "5 tracks, 23 keys; these are the first 40 rows, --all shows the others" */
static void print_sums(struct anim_print *print, const struct dope_clip *clip)
{
	if (clip->clip.apart.alone != NULL) {
		anim_print_text(print, clip->clip.apart.alone);
		return;
	}
	plot_print_count(print, clip->tracks, "track", "tracks");
	anim_print_text(print, ", ");
	print_numbers(print, clip->keys, (const bool[2]){false, false}, clip->paired && clip->keys[0] > 0, SIZE_MAX);
	plot_print_apart(print, &clip->clip);
	if (clip->differ > 0) {
		anim_print_text(print, "; ");
		plot_print_count(print, clip->differ, "event differs", "events differ");
	}
	if (clip->hidden == 0)
		return;
	anim_print_text(print, "; these are the first ");
	plot_print_count(print, clip->count, "row", "rows");
	anim_print_text(print, ", --all shows the others");
}

/* The keys of a row on both sides, or the samples of a side without keys. */
static void print_row_count(struct anim_print *print, const struct dope_clip *clip, const struct dope_row *row,
			    size_t most)
{
	size_t number[2];
	bool sampled[2];

	for (int side = 0; side < 2; side++) {
		sampled[side] = row->keys[side] == 0 && row->samples[side] > 0;
		number[side] = sampled[side] ? row->samples[side] : row->keys[side];
	}
	print_numbers(print, number, sampled, clip->paired, most);
}

/* --- In the terminal --- */

static size_t gutter_of(const struct anim_plot_options *options)
{
	return plot_terminal_gutter(options, 40);
}

/* Characters of the counts behind a row; 0: a line is too short for them, and the heading tells how many there are. */
static size_t counts_of(const struct anim_plot_options *options)
{
	size_t wide = options->against ? NUMBERS : NUMBER;

	return options->width >= gutter_of(options) + wide + 6 ? wide : 0;
}

size_t dope_terminal_columns(const struct anim_plot_options *options)
{
	size_t counts = counts_of(options);

	return plot_terminal_row(options, gutter_of(options) + (counts > 0 ? counts + 2 : 1));
}

static const char *color_of(const struct anim_plot_options *options, enum mark mark)
{
	static const char *const few[] = {
	    "", "\033[38;5;245m", "\033[38;5;137m", "\033[38;5;245m", "\033[38;5;71m", "\033[38;5;214m"};
	static const char *const many[] = {"",
					   "\033[38;2;140;140;140m",
					   "\033[38;2;165;130;80m",
					   "\033[38;2;140;140;140m",
					   "\033[38;2;80;170;80m",
					   "\033[38;2;240;165;30m"};

	if (options->color == ANIM_PLOT_PLAIN)
		return "";
	return options->color == ANIM_PLOT_RGB ? many[mark] : few[mark];
}

static const char *glyph_of(const struct anim_plot_options *options, enum mark mark)
{
	static const char *const wide[] = {" ", "─", "━", "◇", "+", "◆"}, *const letters[] = {" ", "-", "=",
											      "o", "+", "*"};

	return options->charset == ANIM_PLOT_ASCII ? letters[mark] : wide[mark];
}

static void print_marks(struct anim_print *print, const struct anim_plot_options *options, const struct dope_clip *clip,
			const struct dope_row *row)
{
	enum mark last = MARK_NONE;

	for (size_t c = 0; c < clip->columns; c++) {
		enum mark mark = mark_at(row, c);

		if (mark != MARK_NONE && mark != last)
			anim_print_text(print, color_of(options, last = mark));
		anim_print_text(print, glyph_of(options, mark));
	}
	if (last != MARK_NONE && options->color != ANIM_PLOT_PLAIN)
		anim_print_text(print, "\033[0m");
}

/* Which files an event is of, as a mark. */
static enum mark mark_of(const struct dope_event *event)
{
	return event->of == DOPE_OF_SOURCE ? MARK_SOURCE : event->of == DOPE_OF_RESULT ? MARK_RESULT : MARK_KEY;
}

static const char *flag_of(const struct anim_plot_options *options, const struct dope_event *event)
{
	if (event->differs)
		return event->of == DOPE_OF_SOURCE ? "-" : event->of == DOPE_OF_RESULT ? "+" : "!";
	return options->charset == ANIM_PLOT_ASCII ? ">" : "▸";
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
		anim_print_texts(print, color_of(options, mark_of(&events[i])), flag_of(options, &events[i]),
				 options->color == ANIM_PLOT_PLAIN ? "" : "\033[0m");
		plot_print_name(print, events[i].text, next - c - 1);
		at = next;
	}
	anim_print_spaces(print, clip->columns - at);
}

/* What keys and flags of two files stand for, in one line or as many as they need. */
static void print_legend(struct anim_print *print, const struct anim_plot_options *options,
			 const struct dope_clip *clip)
{
	static const char *const words[] = {" in both", " source alone", " result alone", "- + ! events differ"};
	static const enum mark marks[] = {MARK_KEY, MARK_SOURCE, MARK_RESULT, MARK_NONE};
	const char *plain = options->color == ANIM_PLOT_PLAIN ? "" : "\033[0m";
	int count = clip->differ > 0 ? 4 : 3;
	size_t lengths[4], indent = gutter_of(options), whole = indent - 2, at = 0;

	for (int i = 0; i < count; i++) {
		lengths[i] = strlen(words[i]) + (marks[i] != MARK_NONE);
		whole += 2 + lengths[i];
	}
	indent = whole > options->width ? 0 : indent;
	for (int i = 0; i < count; i++) {
		if (at > 0 && at + 2 + lengths[i] > options->width) {
			anim_print_text(print, "\n");
			at = 0;
		}
		anim_print_spaces(print, at > 0 ? 2 : indent);
		at += (at > 0 ? 2 : indent) + lengths[i];
		if (marks[i] != MARK_NONE)
			anim_print_texts(print, color_of(options, marks[i]), glyph_of(options, marks[i]), plain);
		anim_print_text(print, words[i]);
	}
	anim_print_text(print, "\n");
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
		anim_print_text(print, plot_line_of(options->charset));
		if (counts_of(options) > 0) {
			anim_print_text(print, " ");
			print_row_count(print, clip, &clip->rows[i], NUMBERS);
		}
		anim_print_text(print, "\n");
	}
	if (clip->count > 0)
		plot_terminal_axis(print, options, &clip->clip.head, clip->clip.start_s, clip->clip.end_s, gutter,
				   clip->columns);
	if (clip->paired && clip->count > 0)
		print_legend(print, options, clip);
}

/* --- As SVG --- */

#define LABEL 190
#define LABEL_MOST 31 /* characters */
#define ROW 16

const char dope_svg_light[] =
    ".k{fill:#d98a00;stroke:#9a6200;stroke-width:.6}.b{stroke:#ecd09a;stroke-width:5}"
    ".s{stroke:#bbb;stroke-width:1.5}.n{fill:#888}.q{fill:#f6f6f8}"
    ".g,.g text{fill:#c2410c}.g path{stroke:#c2410c}.w{fill:#c9c9c9}.w text{fill:#888;"
    "text-decoration:line-through}.w path{stroke:#aaa;fill:#ccc}.i{fill:#1f9d55;stroke:#14713c;"
    "stroke-width:.6}.i text{fill:#14713c;stroke:none}.i path{stroke:#14713c;fill:#1f9d55}";
const char dope_svg_dark[] = ".k{fill:#ffbf4d;stroke:#5c4310}.b{stroke:#66552f}.s{stroke:#777}.q{fill:#222226}"
			     ".g,.g text{fill:#ff9f6b}.g path{stroke:#ff8a4c}.w{fill:#555}.w text{fill:#999}"
			     ".w path{stroke:#777;fill:#666}.i{fill:#4cc38a;stroke:#123d28}.i text{fill:#7fe0b0}"
			     ".i path{stroke:#4cc38a;fill:#4cc38a}";

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

/* Diamonds of those columns whose keys are of any of these, at the times that they have on one side. */
static void draw_keys(struct anim_print *print, const struct dope_clip *clip, const struct dope_row *row, int side,
		      unsigned of, const char *class, long size, long y)
{
	const struct plot_columns columns = spread(clip);
	double length = columns.end_s - columns.start_s;
	bool tells = row->keys[side] <= TITLES, any = false;
	long last = 0;
	char text[128], diamond[64];

	snprintf(diamond, sizeof diamond, "l%ld %ld-%ld %ld-%ld-%ldz", size, size, size, size, size, size);
	for (size_t c = 0; c < clip->columns; c++) {
		double t = (double)row->times[side][c];
		long x = LABEL + lrint(length > 0 ? (t - columns.start_s) / length * (double)clip->columns : 0);

		if (!(row->keyed[c] & of))
			continue;
		if (tells || !any)
			snprintf(text, sizeof text, "<path class=\"%s\" d=\"M%ld %ld%s", class, x, y - size, diamond);
		else
			snprintf(text, sizeof text, "m%ld 0%s", x - last, diamond);
		anim_print_text(print, text);
		if (tells) {
			anim_print_text(print, "\"><title>");
			plot_svg_number(print, t, "s");
			anim_print_text(print, "</title></path>");
		}
		any = true;
		last = x;
	}
	anim_print_text(print, any && !tells ? "\"/>" : "");
}

/* The source's behind, large and pale; those that the result alone has in a colour of their own. */
static void draw_all_keys(struct anim_print *print, const struct dope_clip *clip, const struct dope_row *row, long y)
{
	if (clip->paired)
		draw_keys(print, clip, row, 0, DOPE_OF_ALL | DOPE_OF_SOURCE, "w", 6, y);
	draw_keys(print, clip, row, 1, DOPE_OF_ALL, "k", clip->paired ? 3 : 4, y);
	if (clip->paired)
		draw_keys(print, clip, row, 1, DOPE_OF_RESULT, "i", 3, y);
}

/* Where a flag's text stands: as many characters as have room between what is left of it and the next flag. */
struct room {
	long x;
	size_t most;
	bool on_left; /* of the flag, whose text ends there */
};

/* The last flag's text is on its left where there is more room. */
static struct room room_of(size_t c, size_t busy, size_t next, bool last)
{
	size_t right = next > c + GAP ? (next - c - GAP) / LETTER : 0,
	       left = c > busy + GAP ? (c - busy - GAP) / LETTER : 0;

	if (last && right < LETTERS && left > right)
		return (struct room){LABEL + (long)c - 3, left, true};
	return (struct room){LABEL + (long)c + 8, right, false};
}

static void draw_flag(struct anim_print *print, const struct dope_event *event, const struct room *room, size_t c,
		      long y)
{
	static const char *const ofs[] = {[DOPE_OF_ALL] = "g", [DOPE_OF_SOURCE] = "g w", [DOPE_OF_RESULT] = "g i"};
	static const char *const says[] = {[DOPE_OF_ALL] = "other on both sides: ",
					   [DOPE_OF_SOURCE] = "in the source alone: ",
					   [DOPE_OF_RESULT] = "in the result alone: "};
	char text[160];

	anim_print_texts(print, "<g class=\"", ofs[event->of], "\"><title>");
	plot_svg_number(print, event->time_s, "s: ");
	anim_print_text(print, event->differs ? says[event->of] : "");
	plot_xml(print, event->text, strlen(event->text));
	snprintf(text, sizeof text, "</title><path d=\"M%zu %ldv-12l6 3-6 3\"/>", LABEL + c, y + 6);
	anim_print_text(print, text);
	if (room->most > 0 && *event->text != '\0') {
		snprintf(text, sizeof text, "<text%s x=\"%ld\" y=\"%ld\">", room->on_left ? " text-anchor=\"end\"" : "",
			 room->x, y + 4);
		anim_print_text(print, text);
		plot_xml_short(print, event->text, room->most);
		anim_print_text(print, "</text>");
	}
	anim_print_text(print, "</g>");
}

static void draw_flags(struct anim_print *print, const struct dope_clip *clip, const struct dope_row *row, long y)
{
	const struct dope_event *events = (const struct dope_event *)(const void *)row->events.data;
	size_t count = row->events.size / sizeof *events, busy = 0;
	const struct plot_columns columns = spread(clip);

	for (size_t i = 0; i < count; i++) {
		size_t c = plot_column_of(&columns, events[i].time_s);
		size_t next = i + 1 < count ? plot_column_of(&columns, events[i + 1].time_s) : clip->columns;
		struct room room = room_of(c, busy, next, i + 1 == count);

		draw_flag(print, &events[i], &room, c, y);
		if (room.most > 0 && !room.on_left)
			busy = c + GAP +
			       LETTER * (strlen(events[i].text) < room.most ? strlen(events[i].text) : room.most);
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
	draw_all_keys(print, clip, row, y);
	draw_flags(print, clip, row, y);
	snprintf(text, sizeof text, "<text class=\"n\" x=\"%d\" y=\"%ld\">", LABEL + DOPE_SVG_COLUMNS + 10, y + 4);
	anim_print_text(print, text);
	print_row_count(print, clip, row, SIZE_MAX);
	anim_print_text(print, "</text>\n");
}

/* What the diamonds of two files stand for. */
static void draw_legend(struct plot_svg *svg, struct anim_print *print)
{
	static const struct {
		const char *class, *words;
		int size, x;
	} keys[] = {{"w", "the source's", 6, 0},
		    {"k", "the result's, where the source has one", 3, 100},
		    {"i", "in the result alone", 3, 320}};
	char text[160];

	snprintf(text, sizeof text, "<g transform=\"translate(%d %zu)\">", PLOT_SVG_GAP + LABEL, svg->high);
	anim_print_text(print, text);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		int size = keys[i].size, x = keys[i].x;

		snprintf(text, sizeof text,
			 "<path class=\"%s\" d=\"M%d %dl%d %d-%d %d-%d-%dz\"/><text x=\"%d\" y=\"4\">", keys[i].class,
			 x, -size, size, size, size, size, size, size, x + 10);
		anim_print_texts(print, text, keys[i].words, "</text>");
	}
	anim_print_text(print, "</g>\n");
	svg->high += 20;
}

void dope_svg_clip(struct plot_svg *svg, const struct anim_plot_options *options, const struct dope_clip *clip,
		   struct anim_error *error)
{
	struct anim_print print = {.buffer = &svg->body, .error = error, .failed = svg->failed};
	long high = (long)clip->count * ROW;
	struct plot_axis axis;
	char text[96];

	plot_svg_heading(svg, &print, &clip->clip);
	print_sums(&print, clip);
	plot_svg_text_end(svg, &print);
	snprintf(text, sizeof text, "<g transform=\"translate(%d %zu)\">\n", PLOT_SVG_GAP, svg->high + 4);
	anim_print_text(&print, text);
	for (size_t i = 0; i < clip->count; i++) {
		snprintf(text, sizeof text, "<path class=\"q\" d=\"M%d %zuh%dv%dh-%dz\"/>", LABEL, i * ROW + 1,
			 DOPE_SVG_COLUMNS, ROW - 2, DOPE_SVG_COLUMNS);
		anim_print_text(&print, text);
	}
	if (clip->count > 0) {
		plot_axis_of(&axis, options, &clip->clip.head, clip->clip.start_s, clip->clip.end_s, 12);
		plot_svg_times(&print, &axis, LABEL, 0, DOPE_SVG_COLUMNS, high);
	}
	for (size_t i = 0; i < clip->count; i++)
		draw_row(&print, clip, &clip->rows[i], (long)i * ROW + ROW / 2);
	anim_print_text(&print, "</g>\n");
	svg->high += (size_t)high + 20 + PLOT_SVG_GAP;
	if (clip->paired && clip->count > 0)
		draw_legend(svg, &print);
	svg->failed = print.failed;
}
