/* dope.c: the dope sheet: the times of the keys of tracks, or of all tracks of a node. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/map.h"
#include "base/text.h"
#include "clip/keys.h"
#include "filter/compare/compare.h"
#include "filter/filter.h"
#include "filter/plot/panel.h"

#define SHOWN 40        /* rows of a clip, unless all are drawn */
#define SVG_COLUMNS 680 /* pixels of a row in an SVG */
#define NAME_MOST 40    /* characters of names in the terminal */
#define NUMBER 12       /* characters of the count at the end of a row */
#define NUMBERS 20      /* characters of two counts, which are printed without words if they are longer */
#define NUMBERS_SVG 22
#define GAP 14     /* pixels of a flag itself */
#define LETTER 6   /* pixels of a character of its text */
#define LETTERS 12 /* the text of the last flag is at its left if fewer characters have room at its right */
#define TITLES 500 /* largest number of keys in a row with times as tooltips */

/*
 * The files that have a key: one file or both, only the source, or only the result. The values are bits, so that a
 * column can have several.
 */
enum of { OF_ALL = 1, OF_SOURCE = 2, OF_RESULT = 4 };

/* One key of an event: its time, and the method or file that it names. */
struct event {
	double time_s;
	const char *text;
	enum of of; /* OF_ALL with different texts has a text such as "bark -> meow" */
	bool differs;
};

/* A track, or all tracks that are folded into one node. */
struct row {
	const char *label;
	uint32_t number;            /* number of tracks in it; of two files, the number in the result */
	size_t keys[2], samples[2]; /* of the source, if there is one, and of the file or the result */
	uint8_t *keyed;             /* for each column: the `enum of` bits of its keys */
	float *times[2];            /* for each of these columns: the time of the first key */
	/* for each column: the number of tracks that hold a value there between equal keys, and that have samples */
	uint32_t *held, *sampled;
	struct anim_buffer events; /* struct event, with texts in the arena of the clip */
};

struct dope {
	struct plot_view view;
	struct anim_arena texts;       /* for the rows of the clip */
	struct anim_buffer rows;       /* struct row */
	struct anim_map by_node;       /* rows into which tracks are folded, by node */
	struct anim_buffer moments[2]; /* struct moment: of the current tracks */
	/* sums of the clip: all tracks, the tracks that are not drawn, all keys, and the events that differ */
	size_t tracks, hidden, keys[2], differ;
};

static struct row *rows_of(const struct dope *dope, size_t *count)
{
	*count = dope->rows.size / sizeof(struct row);
	return (struct row *)(void *)dope->rows.data;
}

/* Return the characters of the counts at the end of a row, if there is room. The heading also has the counts. */
static size_t counts_of(const struct plot_page *page)
{
	return page->options.against ? NUMBERS : NUMBER;
}

static size_t columns_of(const struct dope *dope)
{
	const struct plot_page *page = &dope->view.page;

	return page->options.svg ? SVG_COLUMNS : plot_row_columns(page, NAME_MOST, counts_of(page));
}

/* --- The row of a track --- */

/* Return the number of bytes in the first `depth` names of a track's path. A bone's own name counts as one. */
static size_t folded_length(const struct anim_clip *clip, const struct anim_track *track, unsigned depth)
{
	const char *bone = anim_track_bone(clip->source, track), *at = track->node;

	for (; *at != '\0'; at++) {
		if (*at != '/' && (bone == NULL || at + 1 != bone))
			continue;
		if (depth-- <= 1)
			return (size_t)(at - track->node);
		if (bone != NULL && at + 1 == bone)
			break;
	}
	return strlen(track->node);
}

/* Add a row. Returns NULL on failure. */
static struct row *add_row(struct dope *dope, const char *label, struct anim_error *error)
{
	size_t columns = columns_of(dope);
	struct row *row = anim_buffer_extend(&dope->rows, sizeof *row, error);

	if (row == NULL)
		return NULL;
	*row = (struct row){.label = label};
	row->keyed = anim_arena_zeroed(&dope->texts, columns, sizeof *row->keyed, error);
	for (int side = 0; side < 2; side++)
		row->times[side] = anim_arena_zeroed(&dope->texts, columns, sizeof *row->times[side], error);
	row->held = anim_arena_zeroed(&dope->texts, columns, sizeof *row->held, error);
	row->sampled = anim_arena_zeroed(&dope->texts, columns, sizeof *row->sampled, error);
	return row->keyed == NULL || row->times[0] == NULL || row->times[1] == NULL || row->held == NULL ||
		       row->sampled == NULL
		   ? NULL
		   : row;
}

/*
 * Return the row of any track, or of all tracks that are folded into its node. It is NULL if the row is not drawn. The track
 * is the first of the tracks of a value, and `component` belongs to the value. Events are never folded. Returns 0 or -1.
 */
static int row_of(struct dope *dope, const struct anim_clip *clip, const struct anim_track *track, uint8_t component,
		  struct row **row, struct anim_error *error)
{
	unsigned depth = dope->view.page.options.depth;
	bool folds = dope->view.page.options.folds && !anim_track_is_event(track);
	size_t length = !folds || depth == 0 ? 0 : folded_length(clip, track, depth), count;
	struct row *rows = rows_of(dope, &count);
	uint32_t number;
	const char *label;

	*row = NULL;
	if (folds && anim_map_get(&dope->by_node, 0, track->node, length, &number))
		*row = &rows[number];
	if (*row != NULL || (!dope->view.page.options.all && count >= SHOWN))
		return 0;
	if (!folds)
		label = anim_label_copy(&dope->texts, track->node, track->property, component, error);
	else
		label = length == 0 ? "all" : anim_arena_text(&dope->texts, track->node, length, error);
	*row = label == NULL ? NULL : add_row(dope, label, error);
	if (*row == NULL)
		return -1;
	return folds ? anim_map_put(&dope->by_node, 0, label, length, (uint32_t)count, error) : 0;
}

/* --- Keys --- */

static struct plot_columns spread(const struct dope *dope)
{
	return (struct plot_columns){
	    .start_s = dope->view.clip.start_s, .end_s = dope->view.clip.end_s, .count = columns_of(dope)};
}

static void mark_key(struct row *row, const struct plot_columns *columns, double time_s, enum of of)
{
	size_t c = plot_column_of(columns, time_s);

	if (c == columns->count)
		return;
	for (int side = 0; side < 2; side++) {
		unsigned mine = (unsigned)(OF_ALL | (side == 0 ? OF_SOURCE : OF_RESULT));

		if ((of & mine) && (!(row->keyed[c] & mine) || (float)time_s < row->times[side][c]))
			row->times[side][c] = (float)time_s;
	}
	row->keyed[c] |= (uint8_t)of;
}

/* Count the columns from one time to another, clipped to the picture. Columns before *next are already counted. */
static void count_columns(uint32_t *counts, const struct plot_columns *columns, double from, double to, size_t *next)
{
	size_t first, last;

	if (!(to >= columns->start_s && from <= columns->end_s))
		return;
	first = plot_column_of(columns, fmax(from, columns->start_s));
	last = plot_column_of(columns, fmin(to, columns->end_s));
	for (size_t c = first < *next ? *next : first; c <= last && c < columns->count; c++)
		counts[c]++;
	*next = last + 1 > *next ? last + 1 : *next;
}

/* Mark the columns in which the track holds, because the keys before and after are equal. */
static void mark_held(struct row *row, const struct plot_columns *columns, const struct anim_track *track,
		      double shift_s)
{
	size_t next = 0;

	for (size_t k = 0; k + 1 < track->n; k++) {
		struct anim_text one, other;
		const void *a = anim_value_at(track, k, &one), *b = anim_value_at(track, k + 1, &other);

		if (anim_value_equal(track->type, a, b))
			count_columns(row->held, columns, (double)track->time[k] + shift_s,
				      (double)track->time[k + 1] + shift_s, &next);
	}
}

static void mark_samples(struct row *row, const struct plot_columns *columns, const struct anim_track *track,
			 double shift_s)
{
	size_t next = 0;

	count_columns(row->sampled, columns, anim_track_time(track, 0) + shift_s,
		      anim_track_time(track, track->n - 1) + shift_s, &next);
}

/* --- Events --- */

/*
 * Find the first text in a JSON object that is not empty, without its quotation marks. Without such a text, the
 * event stays complete.
 */
static void find_text(const char **text, size_t *length)
{
	static const char value[] = "\":\"";
	const char *at = *text, *end = *text + *length;

	while ((at = memchr(at, '"', (size_t)(end - at))) != NULL) {
		const char *from = at + 3, *to = from;

		if (end - at < 4 || memcmp(at, value, 3) != 0) {
			at++;
			continue;
		}
		while (to < end && *to != '"')
			to += *to == '\\' && to + 1 < end ? 2 : 1;
		if (to > from) {
			*text = from;
			*length = (size_t)((to < end ? to : end) - from);
			return;
		}
		at = from;
	}
}

/* Return the label of a flag: the name of a method, or the file name of a sound. */
const char *plot_flag_text(struct anim_arena *arena, const struct anim_text *event, struct anim_error *error)
{
	const char *text = event->bytes, *slash;
	size_t length = event->length;

	if (length == ANIM_NULL_STRING)
		return "";
	find_text(&text, &length);
	while (length > 0 && strchr("\\\")", text[length - 1]) != NULL)
		length--;
	for (slash = text + length; slash > text && slash[-1] != '/';)
		slash--;
	length -= (size_t)(slash - text);
	if (length > PLOT_FLAG_MOST)
		length = anim_utf8_prefix(slash, PLOT_FLAG_MOST);
	return anim_arena_text(arena, slash, length, error);
}

/* Add an event. A column has one flag, except for events that differ. Returns 0 or -1. */
static int add_event(struct row *row, const struct plot_columns *columns, const struct event *event,
		     struct anim_error *error)
{
	size_t count = row->events.size / sizeof *event, c = plot_column_of(columns, event->time_s);
	struct event *last = count == 0 ? NULL : (struct event *)(void *)row->events.data + count - 1;
	bool crowded = last != NULL && plot_column_of(columns, last->time_s) == c;

	if (c == columns->count || (crowded && !event->differs))
		return 0;
	if (!crowded || last->differs)
		return anim_buffer_append(&row->events, event, sizeof *event, error);
	*last = *event;
	return 0;
}

/* --- Keys of two files --- */

/* A key, with its time on the axis of the source. */
struct moment {
	double time_s;
	const struct anim_track *track;
	size_t key;
};

static int by_time(const void *a, const void *b)
{
	const struct moment *one = a, *other = b;

	if (one->time_s != other->time_s)
		return one->time_s < other->time_s ? -1 : 1;
	return one->key < other->key ? -1 : one->key > other->key;
}

/*
 * Return the keys of a side in order of time. Each time occurs once, except for events. Samples are not keys.
 * Returns NULL without keys, or on failure.
 */
static const struct moment *gather_keys(struct anim_buffer *out, const struct anim_source *play, double shift_s,
					size_t *count, struct anim_error *error)
{
	struct moment *moments;
	size_t kept = 0;

	out->size = *count = 0;
	for (unsigned i = 0; play != NULL && i < play->count; i++) {
		const struct anim_track *track = play->tracks[i];

		for (size_t k = 0; track != NULL && track->kind != ANIM_RAW && k < track->n; k++) {
			const struct moment moment = {(double)track->time[k] + shift_s, track, k};

			if (isfinite(moment.time_s) && anim_buffer_append(out, &moment, sizeof moment, error) != 0)
				return NULL;
		}
	}
	moments = (struct moment *)(void *)out->data;
	*count = out->size / sizeof *moments;
	if (*count == 0)
		return NULL;
	qsort(moments, *count, sizeof *moments, by_time);
	for (size_t i = 0; i < *count; i++)
		if (i == 0 || moments[i].track->type == ANIM_STRING || moments[i].time_s != moments[kept - 1].time_s)
			moments[kept++] = moments[i];
	*count = kept;
	return moments;
}

/*
 * Go through the keys of both sides in order of time. If the source has samples, the keys of the result have no
 * counterpart. Returns 0 or -1.
 */
static int pair_keys(struct dope *dope, struct row *row, const struct moment *const moments[2], const size_t counts[2],
		     bool sampled, bool events, struct anim_error *error)
{
	const struct plot_columns columns = spread(dope);

	for (size_t i = 0, k = 0; i < counts[0] || k < counts[1];) {
		const struct moment *a = i < counts[0] ? &moments[0][i] : NULL,
				    *b = k < counts[1] ? &moments[1][k] : NULL;
		double t = a == NULL ? b->time_s : a->time_s, u = b == NULL ? t : b->time_s;
		bool together = a != NULL && b != NULL &&
				fabs(t - u) <= anim_compare_epsilon(a->track->rules, b->track->rules, fmin(t, u));
		const struct moment *const both[2] = {together || b == NULL || (a != NULL && t < u) ? a : NULL,
						      together || a == NULL || u < t ? b : NULL};

		i += both[0] != NULL;
		k += both[1] != NULL;

		/* Add an event of one side (the other is NULL), or of both sides at one time. */
		if (events) {
			struct event event = {.of = both[1] == NULL ? OF_SOURCE : both[0] == NULL ? OF_RESULT : OF_ALL};
			struct anim_text texts[2];
			const char *says[2] = {NULL, NULL};

			for (int side = 0; side < 2; side++) {
				if (both[side] == NULL)
					continue;
				anim_value_at(both[side]->track, both[side]->key, &texts[side]);
				if ((says[side] = plot_flag_text(&dope->texts, &texts[side], error)) == NULL)
					return -1;
			}
			event.time_s = both[both[0] == NULL]->time_s;
			event.text = says[says[0] == NULL];
			event.differs = event.of != OF_ALL || !anim_value_equal(ANIM_STRING, &texts[0], &texts[1]);
			dope->differ += event.differs;
			if (event.of == OF_ALL && strcmp(says[0], says[1]) != 0)
				event.text = anim_arena_printf(&dope->texts, error, "%s -> %s", says[0], says[1]);
			if ((event.text == NULL || row == NULL ? -(event.text == NULL)
							       : add_event(row, &columns, &event, error)) != 0)
				return -1;
		}

		if (!events && row != NULL)
			mark_key(row, &columns, both[both[0] == NULL]->time_s,
				 both[1] == NULL               ? OF_SOURCE
				 : both[0] == NULL && !sampled ? OF_RESULT
							       : OF_ALL);
	}
	return 0;
}

static const struct anim_track *first_of(const struct anim_compare_keys *shown, int side)
{
	return shown->plays[side] == NULL ? NULL : anim_source_first(shown->plays[side]);
}

/* --- The marks --- */

/*
 * The mark of a column. A key has priority over a hold, and a hold over samples. Of two files, a key in both has
 * priority over the others.
 */
enum mark { MARK_NONE, MARK_SAMPLES, MARK_HELD, MARK_SOURCE, MARK_RESULT, MARK_KEY };

static enum mark mark_at(const struct row *row, size_t c)
{
	if (row->keyed[c])
		return row->keyed[c] & OF_ALL ? MARK_KEY : row->keyed[c] & OF_RESULT ? MARK_RESULT : MARK_SOURCE;
	if (row->held[c] > 0 && row->held[c] + row->sampled[c] == row->number)
		return MARK_HELD;
	return row->sampled[c] > 0 ? MARK_SAMPLES : MARK_NONE;
}

/*
 * Print "5 keys". For two files, print "12 -> 5 keys" if they differ, or "12 keys -> 37 samples". Numbers of samples
 * are printed for both files. The words are left out if the text would be longer than `most` characters.
 */
static void put_numbers(struct plot_page *page, const size_t number[2], const bool sampled[2], bool paired, size_t most)
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
	plot_name(page, text);
}

/* Print "5 tracks, 23 keys; these are the first 40 rows, --all shows the others". */
static void put_sums(struct dope *dope, size_t count)
{
	struct plot_page *page = &dope->view.page;
	const struct plot_apart *apart = &dope->view.clip.apart;

	if (apart->alone != NULL) {
		anim_print_text(&page->print, apart->alone);
		return;
	}
	plot_count(page, dope->tracks, "track, ", "tracks, ");
	put_numbers(page, dope->keys, (const bool[2]){false, false}, page->options.against && dope->keys[0] > 0,
		    SIZE_MAX);
	plot_apart(&page->print, apart);
	if (dope->differ > 0) {
		anim_print_text(&page->print, "; ");
		plot_count(page, dope->differ, "event differs", "events differ");
	}
	if (dope->hidden == 0)
		return;
	anim_print_text(&page->print, "; these are the first ");
	plot_count(page, count, "row, " ANIM_OPTION("plot", "all") " shows the others",
		   "rows, " ANIM_OPTION("plot", "all") " shows the others");
}

/* Print the number of keys of a row on both sides, or of samples on a side without keys. */
static void put_count(struct plot_page *page, const struct row *row, size_t most)
{
	size_t number[2];
	bool sampled[2];

	for (int side = 0; side < 2; side++) {
		sampled[side] = row->keys[side] == 0 && row->samples[side] > 0;
		number[side] = sampled[side] ? row->samples[side] : row->keys[side];
	}
	put_numbers(page, number, sampled, page->options.against, most);
}

/* --- In the terminal --- */

static struct plot_cell glyph_of(const struct plot_page *page, enum mark mark)
{
	static const char *const wide[] = {" ", "─", "━", "◇", "+", "◆"}, *const letters[] = {" ", "-", "=",
											      "o", "+", "*"};

	return (struct plot_cell){.ink = (uint8_t)(mark == MARK_NONE ? PLOT_INK_NONE : PLOT_INK_MARKS + mark - 1),
				  .glyph = page->options.charset == ANIM_PLOT_ASCII ? letters[mark] : wide[mark]};
}

/* Print flags with their texts, as far as there is room before the next flag. */
static void put_flags(struct dope *dope, const struct row *row)
{
	struct plot_page *page = &dope->view.page;
	const struct event *events = (const struct event *)(const void *)row->events.data;
	size_t count = row->events.size / sizeof *events, at = 0, end = columns_of(dope);
	const struct plot_columns columns = spread(dope);
	const char *same = page->options.charset == ANIM_PLOT_ASCII ? ">" : "▸";

	for (size_t i = 0; i < count; i++) {
		const struct event *event = &events[i];
		size_t c = plot_column_of(&columns, event->time_s);
		size_t next = i + 1 < count ? plot_column_of(&columns, events[i + 1].time_s) : end;
		struct plot_cell flag = glyph_of(page, event->of == OF_SOURCE   ? MARK_SOURCE
						       : event->of == OF_RESULT ? MARK_RESULT
										: MARK_KEY);

		if (c < at || next <= c) /* out of order, so it has no place here */
			continue;
		flag.glyph = !event->differs ? same : event->of == OF_SOURCE ? "-" : event->of == OF_RESULT ? "+" : "!";
		anim_print_spaces(&page->print, c - at);
		plot_cells(page, &flag, 1);
		plot_short(page, event->text, next - c - 1);
		at = next;
	}
	anim_print_spaces(&page->print, end - at);
	anim_print_text(&page->print, plot_charset(page)->line);
}

/* Print the meaning of the keys and flags of two files, in as many lines as necessary. */
static void put_legend(struct dope *dope)
{
	static const char *const words[] = {" in both", " source only", " result only", "- + ! events differ"};
	static const enum mark marks[] = {MARK_KEY, MARK_SOURCE, MARK_RESULT, MARK_NONE};
	struct plot_page *page = &dope->view.page;
	int count = dope->differ > 0 ? 4 : 3;
	size_t lengths[4], indent = plot_row_gutter(page, NAME_MOST), whole = indent - 2, at = 0;

	for (int i = 0; i < count; i++) {
		lengths[i] = strlen(words[i]) + (marks[i] != MARK_NONE);
		whole += 2 + lengths[i];
	}
	indent = whole > page->options.width ? 0 : indent;
	for (int i = 0; i < count; i++) {
		struct plot_cell glyph = glyph_of(page, marks[i]);

		if (at > 0 && at + 2 + lengths[i] > page->options.width) {
			anim_print_text(&page->print, "\n");
			at = 0;
		}
		anim_print_spaces(&page->print, at > 0 ? 2 : indent);
		at += (at > 0 ? 2 : indent) + lengths[i];
		plot_cells(page, &glyph, marks[i] != MARK_NONE);
		anim_print_text(&page->print, words[i]);
	}
	anim_print_text(&page->print, "\n");
}

static void put_rows(struct dope *dope, const struct row *rows, size_t count)
{
	struct plot_page *page = &dope->view.page;
	size_t columns = columns_of(dope);
	struct plot_cell *cells = anim_arena_zeroed(&dope->texts, columns, sizeof *cells, page->print.error);

	page->print.failed |= cells == NULL;
	for (size_t i = 0; i < count && !page->print.failed; i++) {
		bool events = rows[i].events.size > 0;

		for (size_t c = 0; c < columns; c++)
			cells[c] = glyph_of(page, mark_at(&rows[i], c));
		plot_row(page, rows[i].label, 0, NAME_MOST, events ? NULL : cells, columns);
		if (events)
			put_flags(dope, &rows[i]);
		if (plot_row_has(page, NAME_MOST, counts_of(page))) {
			anim_print_text(&page->print, " ");
			put_count(page, &rows[i], NUMBERS);
		}
		anim_print_text(&page->print, "\n");
	}
	if (count > 0)
		plot_times(page, &dope->view.clip, dope->view.clip.end_s, plot_row_gutter(page, NAME_MOST), columns);
	if (page->options.against && count > 0)
		put_legend(dope);
}

/* --- As SVG --- */

#define LABEL 190
#define LABEL_MOST 31 /* characters */
#define ROW 16

static const char light[] = ".k{fill:#d98a00;stroke:#9a6200;stroke-width:.6}.b{stroke:#ecd09a;stroke-width:5}"
			    ".s{stroke:#bbb;stroke-width:1.5}.n{fill:#888}.q{fill:#f6f6f8}"
			    ".g,.g text{fill:#c2410c}.g path{stroke:#c2410c}.w{fill:#c9c9c9}.w text{fill:#888;"
			    "text-decoration:line-through}.w path{stroke:#aaa;fill:#ccc}.i{fill:#1f9d55;stroke:#14713c;"
			    "stroke-width:.6}.i text{fill:#14713c;stroke:none}.i path{stroke:#14713c;fill:#1f9d55}";
static const char dark[] = ".k{fill:#ffbf4d;stroke:#5c4310}.b{stroke:#66552f}.s{stroke:#777}.q{fill:#222226}"
			   ".g,.g text{fill:#ff9f6b}.g path{stroke:#ff8a4c}.w{fill:#555}.w text{fill:#999}"
			   ".w path{stroke:#777;fill:#666}.i{fill:#4cc38a;stroke:#123d28}.i text{fill:#7fe0b0}"
			   ".i path{stroke:#4cc38a;fill:#4cc38a}";

/* Draw the columns that have a mark as one path of strokes. */
static void draw_bars(struct plot_page *page, const struct row *row, enum mark mark, long y)
{
	bool any = false;

	for (size_t from = 0, to; from < SVG_COLUMNS; from = to + (to == from)) {
		/* a bar continues below keys, so that it reaches from one key to the next */
		for (to = from;
		     to < SVG_COLUMNS &&
		     (mark == MARK_HELD ? row->held[to] + row->sampled[to] == row->number && row->held[to] > 0
					: row->sampled[to] > 0);)
			to++;
		if (to == from)
			continue;
		if (!any)
			plot_put(page, "<path class=\"%c\" d=\"", mark == MARK_HELD ? 'b' : 's');
		plot_put(page, "M%zu %ldh%zu", LABEL + from, y, to - from);
		any = true;
	}
	anim_print_text(&page->print, any ? "\"/>" : "");
}

/* Draw diamonds for the columns whose keys have any of these bits, at the times that they have on one side. */
static void draw_keys(struct dope *dope, const struct row *row, int side, unsigned of, const char *class, long size,
		      long y)
{
	struct plot_page *page = &dope->view.page;
	const struct plot_columns columns = spread(dope);
	double length = columns.end_s - columns.start_s;
	bool titled = row->keys[side] <= TITLES, any = false;
	long last = 0;

	for (size_t c = 0; c < SVG_COLUMNS; c++) {
		double t = (double)row->times[side][c];
		long x = LABEL + lrint(length > 0 ? (t - columns.start_s) / length * SVG_COLUMNS : 0);

		if (!(row->keyed[c] & of))
			continue;
		if (titled || !any)
			plot_put(page, "<path class=\"%s\" d=\"M%ld %ld", class, x, y - size);
		else
			plot_put(page, "m%ld 0", x - last);
		plot_put(page, "l%ld %ld-%ld %ld-%ld-%ldz", size, size, size, size, size, size);
		if (titled)
			plot_number(page, "\"><title>", t, "s", "</title></path>");
		any = true;
		last = x;
	}
	anim_print_text(&page->print, any && !titled ? "\"/>" : "");
}

/*
 * Draw a row. Keys of a source are below the others, large and pale. Keys that only the result has, have another
 * colour.
 */
static void draw_row(struct dope *dope, const struct row *row, long y)
{
	struct plot_page *page = &dope->view.page;
	bool paired = page->options.against;

	plot_put(page, "<text y=\"%ld\"><title>", y + 4);
	plot_name(page, row->label);
	anim_print_text(&page->print, "</title>");
	plot_short(page, row->label, LABEL_MOST);
	anim_print_text(&page->print, "</text>");
	draw_bars(page, row, MARK_SAMPLES, y);
	draw_bars(page, row, MARK_HELD, y);
	if (paired)
		draw_keys(dope, row, 0, OF_ALL | OF_SOURCE, "w", 6, y);
	draw_keys(dope, row, 1, OF_ALL, "k", paired ? 3 : 4, y);
	if (paired)
		draw_keys(dope, row, 1, OF_RESULT, "i", 3, y);

	const struct event *events = (const struct event *)(const void *)row->events.data;
	size_t count = row->events.size / sizeof *events, busy = 0;
	const struct plot_columns columns = spread(dope);

	for (size_t i = 0; i < count; i++) {
		size_t c = plot_column_of(&columns, events[i].time_s), said = strlen(events[i].text);
		size_t next = i + 1 < count ? plot_column_of(&columns, events[i + 1].time_s) : SVG_COLUMNS;
		/* Characters that have room at the right of the flag and at its left. */
		size_t right = next > c + GAP ? (next - c - GAP) / LETTER : 0,
		       left = c > busy + GAP ? (c - busy - GAP) / LETTER : 0;
		bool on_left = i + 1 == count && right < LETTERS && left > right;
		size_t most = on_left ? left : right;
		const struct event *event = &events[i];
		static const char *const ofs[] = {[OF_ALL] = "g", [OF_SOURCE] = "g w", [OF_RESULT] = "g i"};
		static const char *const says[] = {[OF_ALL] = "different on both sides: ",
						   [OF_SOURCE] = "only in the source: ",
						   [OF_RESULT] = "only in the result: "};

		plot_put(&dope->view.page, "<g class=\"%s\"><title>", ofs[event->of]);
		plot_number(&dope->view.page, "", event->time_s, "s", ": ");
		anim_print_text(&dope->view.page.print, event->differs ? says[event->of] : "");
		plot_name(&dope->view.page, event->text);
		plot_put(&dope->view.page, "</title><path d=\"M%zu %ldv-12l6 3-6 3\"/>", LABEL + c, y + 6);
		if (most > 0 && *event->text != '\0') {
			plot_put(&dope->view.page, "<text%s x=\"%ld\" y=\"%ld\">",
				 on_left ? " text-anchor=\"end\"" : "", LABEL + (long)c + (on_left ? -3 : 8), y + 4);
			plot_short(&dope->view.page, event->text, most);
			anim_print_text(&dope->view.page.print, "</text>");
		}
		anim_print_text(&dope->view.page.print, "</g>");

		if (most > 0 && !on_left)
			busy = c + GAP + LETTER * (said < most ? said : most);
	}

	plot_put(page, "<text class=\"n\" x=\"%d\" y=\"%ld\">", LABEL + SVG_COLUMNS + 10, y + 4);
	put_count(page, row, NUMBERS_SVG);
	anim_print_text(&page->print, "</text>\n");
}

static void draw_rows(struct dope *dope, const struct row *rows, size_t count)
{
	struct plot_page *page = &dope->view.page;
	const struct plot_clip *clip = &dope->view.clip;
	long high = (long)count * ROW;

	plot_put(page, "<g transform=\"translate(%d %zu)\">\n", PLOT_SVG_GAP, page->high + 4);
	for (size_t i = 0; i < count; i++)
		plot_put(page, "<path class=\"q\" d=\"M%d %zuh%dv%dh-%dz\"/>", LABEL, i * ROW + 1, SVG_COLUMNS, ROW - 2,
			 SVG_COLUMNS);
	if (count > 0)
		plot_svg_times(page, clip, clip->end_s, 12, (const long[]){LABEL, 0, SVG_COLUMNS, high});
	for (size_t i = 0; i < count; i++)
		draw_row(dope, &rows[i], (long)i * ROW + ROW / 2);
	anim_print_text(&page->print, "</g>\n");
	page->high += (size_t)high + 20 + PLOT_SVG_GAP;
	if (page->options.against && count > 0) {
		/* Draw the meaning of the diamonds of two files. */
		static const struct {
			const char *class, *words;
			int size, x;
		} keys[] = {{"w", "the source's", 6, 0},
			    {"k", "the result's, also in the source", 3, 100},
			    {"i", "only in the result", 3, 320}};

		plot_put(page, "<g transform=\"translate(%d %zu)\">", PLOT_SVG_GAP + LABEL, page->high);
		for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
			int size = keys[i].size, x = keys[i].x;

			plot_put(page,
				 "<path class=\"%s\" d=\"M%d %dl%d %d-%d %d-%d-%dz\"/><text x=\"%d\" y=\"4\">%s</text>",
				 keys[i].class, x, -size, size, size, size, size, size, size, x + 10, keys[i].words);
		}
		anim_print_text(&page->print, "</g>\n");
		page->high += 20;
	}
}

/* --- The view --- */

static void forget_clip(struct plot_view *view)
{
	struct dope *dope = (struct dope *)view;
	size_t count;
	struct row *rows = rows_of(dope, &count);

	for (size_t i = 0; i < count; i++)
		anim_buffer_clear(&rows[i].events);
	dope->rows.size = 0;
	anim_map_clear(&dope->by_node);
	anim_arena_reset(&dope->texts);
	dope->tracks = dope->hidden = dope->keys[0] = dope->keys[1] = dope->differ = 0;
}

static int finish(struct plot_view *view, struct anim_error *error)
{
	struct dope *dope = (struct dope *)view;
	size_t count;
	const struct row *rows = rows_of(dope, &count);

	(void)error;
	plot_heading(&view->page, &view->clip);
	put_sums(dope, count);
	plot_line_end(&view->page);
	if (view->page.options.svg)
		draw_rows(dope, rows, count);
	else
		put_rows(dope, rows, count);
	return 0;
}

int anim_dope_keys(void *sink, const struct anim_compare_keys *shown, struct anim_error *error)
{
	struct dope *dope = sink;

	if (plot_view_pair(&dope->view, shown->couple, shown->clips[0], error) != 0)
		return -1;
	if (!dope->view.in_clip)
		return 0;
	dope->tracks++;

	double shift_s = (double)shown->clips[0]->start_s - (double)shown->clips[1]->start_s;
	const struct anim_track *tracks[2] = {first_of(shown, 0), first_of(shown, 1)};
	int side = tracks[0] == NULL;
	const struct plot_columns columns = spread(dope);
	const struct moment *moments[2];
	size_t counts[2];
	struct row *row;
	bool sampled = tracks[0] != NULL && tracks[0]->kind == ANIM_RAW;
	bool events = tracks[side]->type == ANIM_STRING && anim_track_is_event(tracks[side]);

	if (row_of(dope, shown->clips[side], tracks[side], shown->component, &row, error) != 0)
		return -1;
	dope->hidden += row == NULL;
	for (side = 0; side < 2; side++) {
		moments[side] =
		    gather_keys(&dope->moments[side], shown->plays[side], side * shift_s, &counts[side], error);
		if (error->code != ANIM_OK)
			return -1;
		dope->keys[side] += counts[side];
		if (row == NULL || tracks[side] == NULL)
			continue;
		row->keys[side] += counts[side];
		row->samples[side] += tracks[side]->kind == ANIM_RAW ? tracks[side]->n : 0;
	}
	if (row != NULL && !events) {
		/* Mark the holds and samples between the keys of the result. */
		for (unsigned i = 0; shown->plays[1] != NULL && i < shown->plays[1]->count; i++) {
			const struct anim_track *track = shown->plays[1]->tracks[i];

			if (track == NULL || track->n == 0)
				continue;
			row->number++;
			if (track->kind == ANIM_RAW)
				mark_samples(row, &columns, track, shift_s);
			else
				mark_held(row, &columns, track, shift_s);
		}
	}
	return pair_keys(dope, row, moments, counts, sampled, events, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct dope *dope = (struct dope *)sink;
	struct plot_columns columns = spread(dope);
	struct row *row;

	if (track->n == 0)
		return 0;
	if (row_of(dope, &dope->view.clip.head, track, track->component, &row, error) != 0)
		return -1;
	dope->tracks++;
	dope->keys[1] += track->kind == ANIM_RAW ? 0 : track->n;
	if (row == NULL) {
		dope->hidden++;
		return 0;
	}
	row->number++;
	if (track->kind == ANIM_RAW) {
		row->samples[1] += track->n;
		mark_samples(row, &columns, track, 0);
		return 0;
	}
	row->keys[1] += track->n;
	if (anim_track_is_event(track) && track->type == ANIM_STRING) {
		for (size_t k = 0; k < track->n; k++) {
			struct event event = {.time_s = (double)track->time[k], .of = OF_ALL};
			struct anim_text text;

			anim_value_at(track, k, &text);
			event.text = plot_flag_text(&dope->texts, &text, error);
			if (event.text == NULL || add_event(row, &columns, &event, error) != 0)
				return -1;
		}
		return 0;
	}
	for (size_t k = 0; k < track->n; k++) /* there is only one file, so its keys have no counterparts */
		mark_key(row, &columns, (double)track->time[k], OF_ALL);
	mark_held(row, &columns, track, 0);
	return 0;
}

static void on_free(struct plot_view *view)
{
	struct dope *dope = (struct dope *)view;

	forget_clip(view);
	for (int side = 0; side < 2; side++)
		anim_buffer_clear(&dope->moments[side]);
	anim_buffer_clear(&dope->rows);
	anim_arena_clear(&dope->texts);
}

const struct plot_kind plot_dope = {.size = sizeof(struct dope),
				    .light = {light, light},
				    .dark = {dark, dark},
				    .begin = forget_clip,
				    .finish = finish,
				    .free = on_free,
				    .track = on_track};
