/* dope.c: the sink of anim-plot --dope: when tracks, or what is folded into a node, have keys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "clip/keys.h"
#include "filter/filter.h"
#include "filter/plot/dope.h"

#define SHOWN 40      /* rows of a clip, unless all are */
#define TEXT_MOST 60u /* bytes of an event's text */

struct dope {
	struct anim_sink sink;
	struct anim_plot_options options;
	struct anim_print print;
	struct plot_svg svg;
	struct anim_arena head, texts; /* of the clip; of its rows */
	struct dope_clip at_hand;
	bool in_clip;
	size_t clips;            /* that were drawn */
	struct anim_buffer rows; /* struct dope_row */
	struct anim_map by_node; /* of rows that others are folded into */
};

static struct dope_row *rows_of(const struct dope *dope, size_t *count)
{
	*count = dope->rows.size / sizeof(struct dope_row);
	return (struct dope_row *)(void *)dope->rows.data;
}

static size_t columns_of(const struct anim_plot_options *options)
{
	return options->svg ? DOPE_SVG_COLUMNS : dope_terminal_columns(options);
}

/* --- Which row a track belongs to --- */

/* The bytes of the first `depth` names of a track's path, a bone's own being one. */
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

/* True where no more rows are drawn. */
static bool is_full(const struct dope *dope)
{
	return !dope->options.all && dope->rows.size >= SHOWN * sizeof(struct dope_row);
}

/* A row more; NULL on failure. */
static struct dope_row *add_row(struct dope *dope, const char *label, struct anim_error *error)
{
	size_t columns = columns_of(&dope->options);
	struct dope_row *row = anim_buffer_extend(&dope->rows, sizeof *row, error);

	if (row == NULL)
		return NULL;
	*row = (struct dope_row){.label = label};
	row->keyed = anim_arena_zeroed(&dope->texts, columns, sizeof *row->keyed, error);
	row->times = anim_arena_zeroed(&dope->texts, columns, sizeof *row->times, error);
	row->held = anim_arena_zeroed(&dope->texts, columns, sizeof *row->held, error);
	row->sampled = anim_arena_zeroed(&dope->texts, columns, sizeof *row->sampled, error);
	return row->keyed == NULL || row->times == NULL || row->held == NULL || row->sampled == NULL ? NULL : row;
}

/* The row of all that is folded into the track's node; NULL: it is not drawn. 0 or -1. */
static int folded_row(struct dope *dope, const struct anim_track *track, struct dope_row **row,
		      struct anim_error *error)
{
	unsigned depth = dope->options.depth;
	size_t length = depth == 0 ? 0 : folded_length(&dope->at_hand.clip.head, track, depth), count;
	struct dope_row *rows = rows_of(dope, &count);
	uint32_t number;
	const char *label;

	*row = NULL;
	if (anim_map_get(&dope->by_node, 0, track->node, length, &number))
		*row = &rows[number];
	if (*row != NULL || is_full(dope))
		return 0;
	label = length == 0 ? "all" : anim_arena_text(&dope->texts, track->node, length, error);
	*row = label == NULL ? NULL : add_row(dope, label, error);
	return *row == NULL ? -1 : anim_map_put(&dope->by_node, 0, label, length, (uint32_t)count, error);
}

/* The same for any track: events stand by themselves. */
static int row_of(struct dope *dope, const struct anim_track *track, struct dope_row **row, struct anim_error *error)
{
	const char *label;

	if (dope->options.folds && !anim_track_is_event(track))
		return folded_row(dope, track, row, error);
	*row = NULL;
	if (is_full(dope))
		return 0;
	label = anim_label_copy(&dope->texts, track->node, track->property, track->component, error);
	*row = label == NULL ? NULL : add_row(dope, label, error);
	return *row == NULL ? -1 : 0;
}

/* --- Keys --- */

static struct plot_columns spread(const struct dope *dope)
{
	return (struct plot_columns){.start_s = dope->at_hand.clip.start_s,
				     .end_s = dope->at_hand.clip.end_s,
				     .count = columns_of(&dope->options)};
}

static void mark_keys(struct dope_row *row, const struct plot_columns *columns, const struct anim_track *track)
{
	for (size_t k = 0; k < track->n; k++) {
		size_t c = plot_column_of(columns, (double)track->time[k]);

		if (c == columns->count)
			continue;
		if (!row->keyed[c] || track->time[k] < row->times[c])
			row->times[c] = track->time[k];
		row->keyed[c] = 1;
	}
}

static bool is_equal(const struct anim_track *track, size_t k)
{
	struct anim_text one, other;
	const void *a = anim_value_at(track, k, &one), *b = anim_value_at(track, k + 1, &other);

	return anim_value_equal(track->type, a, b);
}

/* The columns from one time to another, brought into the picture; those before *next are counted already. */
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

/* Between neighbours that are equal the track holds. */
static void mark_held(struct dope_row *row, const struct plot_columns *columns, const struct anim_track *track)
{
	size_t next = 0;

	for (size_t k = 0; k + 1 < track->n; k++)
		if (is_equal(track, k))
			count_columns(row->held, columns, (double)track->time[k], (double)track->time[k + 1], &next);
}

static void mark_samples(struct dope_row *row, const struct plot_columns *columns, const struct anim_track *track)
{
	size_t next = 0;

	row->samples += track->n;
	count_columns(row->sampled, columns, anim_track_time(track, 0), anim_track_time(track, track->n - 1), &next);
}

/* --- Events --- */

/* The first text of a JSON object that is not empty, without its quotes; all of what is none. */
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

/* What a flag says: of a method its name, of a sound its file's. */
static const char *flag_text(struct dope *dope, const struct anim_text *event, struct anim_error *error)
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
	if (length > TEXT_MOST)
		length = anim_utf8_prefix(slash, TEXT_MOST);
	return anim_arena_text(&dope->texts, slash, length, error);
}

static int add_events(struct dope *dope, struct dope_row *row, const struct plot_columns *columns,
		      const struct anim_track *track, struct anim_error *error)
{
	size_t last = columns->count;

	for (size_t k = 0; k < track->n; k++) {
		struct dope_event event = {.time_s = (double)track->time[k]};
		struct anim_text text;
		size_t c = plot_column_of(columns, event.time_s);

		if (c == columns->count || c == last) /* one flag a column */
			continue;
		last = c;
		anim_value_at(track, k, &text);
		event.text = flag_text(dope, &text, error);
		if (event.text == NULL || anim_buffer_append(&row->events, &event, sizeof event, error) != 0)
			return -1;
	}
	return 0;
}

/* --- The sink --- */

static void forget_clip(struct dope *dope)
{
	size_t count;
	struct dope_row *rows = rows_of(dope, &count);

	for (size_t i = 0; i < count; i++)
		anim_buffer_clear(&rows[i].events);
	dope->rows.size = 0;
	anim_map_clear(&dope->by_node);
	anim_arena_reset(&dope->texts);
	dope->in_clip = false;
}

static int finish_clip(struct dope *dope, struct anim_error *error)
{
	struct dope_clip *clip = &dope->at_hand;

	if (!dope->in_clip)
		return 0;
	dope->print.error = error;
	clip->rows = rows_of(dope, &clip->count);
	clip->columns = columns_of(&dope->options);
	if (dope->options.svg)
		dope_svg_clip(&dope->svg, &dope->options, clip, error);
	else
		dope_terminal_clip(&dope->print, &dope->options, clip, dope->clips == 0);
	dope->clips++;
	forget_clip(dope);
	return dope->print.failed || dope->svg.failed ? -1 : 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct dope *dope = (struct dope *)sink;
	int begun;

	if (finish_clip(dope, error) != 0)
		return -1;
	dope->at_hand = (struct dope_clip){.count = 0};
	begun = plot_clip_begin(&dope->at_hand.clip, clip, &dope->options, &dope->head, error);
	dope->in_clip = begun > 0;
	return begun < 0 ? -1 : 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct dope *dope = (struct dope *)sink;
	struct plot_columns columns = spread(dope);
	struct dope_row *row;

	if (!dope->in_clip || track->n == 0)
		return 0;
	if (row_of(dope, track, &row, error) != 0)
		return -1;
	dope->at_hand.tracks++;
	dope->at_hand.keys += track->kind == ANIM_RAW ? 0 : track->n;
	if (row == NULL) {
		dope->at_hand.hidden++;
		return 0;
	}
	row->number++;
	if (track->kind == ANIM_RAW) {
		mark_samples(row, &columns, track);
		return 0;
	}
	row->keys += track->n;
	if (anim_track_is_event(track) && track->type == ANIM_STRING)
		return add_events(dope, row, &columns, track, error);
	mark_keys(row, &columns, track);
	mark_held(row, &columns, track);
	return 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct dope *dope = (struct dope *)sink;

	if (anim_diagnostics_check(dope->options.diagnostics, error) != 0 || finish_clip(dope, error) != 0)
		return -1;
	dope->print.error = error;
	if (dope->options.svg)
		plot_svg_end(&dope->svg, &dope->print, dope_svg_light, dope_svg_dark);
	return dope->print.failed ? -1 : 0;
}

static void on_free(struct anim_sink *sink)
{
	struct dope *dope = (struct dope *)sink;

	forget_clip(dope);
	anim_buffer_clear(&dope->rows);
	anim_buffer_clear(&dope->svg.body);
	anim_arena_clear(&dope->head);
	anim_arena_clear(&dope->texts);
	free(dope);
}

struct anim_sink *plot_dope_new(struct anim_output *out, const struct anim_plot_options *options,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {NULL, NULL, on_clip, on_track, NULL, on_end, on_free};
	struct dope *dope = anim_sink_new(sizeof *dope, &ops, error);

	if (dope == NULL)
		return NULL;
	dope->options = *options;
	dope->print.out = out;
	return &dope->sink;
}
