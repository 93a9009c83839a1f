/* dope.c: the sink of anim-plot --dope: when tracks, or what is folded into a node, have keys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "clip/keys.h"
#include "filter/compare/compare.h"
#include "filter/filter.h"
#include "filter/plot/dope.h"

#define SHOWN 40 /* rows of a clip, unless all are */

struct dope {
	struct anim_sink sink;
	struct anim_plot_options options;
	struct anim_print print;
	struct plot_svg svg;
	struct anim_arena head, texts; /* of the clip; of its rows */
	struct dope_clip at_hand;
	bool in_clip;
	size_t couple;                 /* of the clip at hand, of two files */
	size_t clips;                  /* that were drawn */
	struct anim_buffer rows;       /* struct dope_row */
	struct anim_map by_node;       /* of rows that others are folded into */
	struct anim_buffer moments[2]; /* struct moment: of the tracks at hand */
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
	for (int side = 0; side < 2; side++)
		row->times[side] = anim_arena_zeroed(&dope->texts, columns, sizeof *row->times[side], error);
	row->held = anim_arena_zeroed(&dope->texts, columns, sizeof *row->held, error);
	row->sampled = anim_arena_zeroed(&dope->texts, columns, sizeof *row->sampled, error);
	return row->keyed == NULL || row->times[0] == NULL || row->times[1] == NULL || row->held == NULL ||
		       row->sampled == NULL
		   ? NULL
		   : row;
}

/* The row of all that is folded into the track's node; NULL: it is not drawn. 0 or -1. */
static int folded_row(struct dope *dope, const struct anim_clip *clip, const struct anim_track *track,
		      struct dope_row **row, struct anim_error *error)
{
	unsigned depth = dope->options.depth;
	size_t length = depth == 0 ? 0 : folded_length(clip, track, depth), count;
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

/* The same for any track, which stands for the component: events stand by themselves. */
static int row_of(struct dope *dope, const struct anim_clip *clip, const struct anim_track *track, uint8_t component,
		  struct dope_row **row, struct anim_error *error)
{
	const char *label;

	if (dope->options.folds && !anim_track_is_event(track))
		return folded_row(dope, clip, track, row, error);
	*row = NULL;
	if (is_full(dope))
		return 0;
	label = anim_label_copy(&dope->texts, track->node, track->property, component, error);
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

static void mark_key(struct dope_row *row, const struct plot_columns *columns, double time_s, enum dope_of of)
{
	size_t c = plot_column_of(columns, time_s);

	if (c == columns->count)
		return;
	for (int side = 0; side < 2; side++) {
		unsigned mine = (unsigned)(DOPE_OF_ALL | (side == 0 ? DOPE_OF_SOURCE : DOPE_OF_RESULT));

		if ((of & mine) && (!(row->keyed[c] & mine) || (float)time_s < row->times[side][c]))
			row->times[side][c] = (float)time_s;
	}
	row->keyed[c] |= (uint8_t)of;
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
static void mark_held(struct dope_row *row, const struct plot_columns *columns, const struct anim_track *track,
		      double shift_s)
{
	size_t next = 0;

	for (size_t k = 0; k + 1 < track->n; k++)
		if (is_equal(track, k))
			count_columns(row->held, columns, (double)track->time[k] + shift_s,
				      (double)track->time[k + 1] + shift_s, &next);
}

static void mark_samples(struct dope_row *row, const struct plot_columns *columns, const struct anim_track *track,
			 double shift_s)
{
	size_t next = 0;

	count_columns(row->sampled, columns, anim_track_time(track, 0) + shift_s,
		      anim_track_time(track, track->n - 1) + shift_s, &next);
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

/* One flag a column, but for what is not the same. 0 or -1. */
static int add_event(struct dope_row *row, const struct plot_columns *columns, const struct dope_event *event,
		     struct anim_error *error)
{
	size_t count = row->events.size / sizeof *event, c = plot_column_of(columns, event->time_s);
	struct dope_event *last = count == 0 ? NULL : (struct dope_event *)(void *)row->events.data + count - 1;
	bool crowded = last != NULL && plot_column_of(columns, last->time_s) == c;

	if (c == columns->count || (crowded && !event->differs))
		return 0;
	if (!crowded || last->differs)
		return anim_buffer_append(&row->events, event, sizeof *event, error);
	*last = *event;
	return 0;
}

static int add_events(struct dope *dope, struct dope_row *row, const struct plot_columns *columns,
		      const struct anim_track *track, struct anim_error *error)
{
	for (size_t k = 0; k < track->n; k++) {
		struct dope_event event = {.time_s = (double)track->time[k], .of = DOPE_OF_ALL};
		struct anim_text text;

		anim_value_at(track, k, &text);
		event.text = plot_flag_text(&dope->texts, &text, error);
		if (event.text == NULL || add_event(row, columns, &event, error) != 0)
			return -1;
	}
	return 0;
}

/* --- Keys of two files --- */

/* A key, on the source's axis. */
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

/* When a side has keys, rising, each time once but for events; its samples are none. NULL where there are none, or on failure. */
static const struct moment *gather(struct anim_buffer *out, const struct anim_source *play, double shift_s,
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

/* An event of one side, or of both at one time (the other NULL where there is none). 0 or -1. */
static int pair_events(struct dope *dope, struct dope_row *row, const struct plot_columns *columns,
		       const struct moment *const both[2], struct anim_error *error)
{
	struct dope_event event = {.of = both[1] == NULL   ? DOPE_OF_SOURCE
					 : both[0] == NULL ? DOPE_OF_RESULT
							   : DOPE_OF_ALL};
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
	event.differs = event.of != DOPE_OF_ALL || !anim_value_equal(ANIM_STRING, &texts[0], &texts[1]);
	dope->at_hand.differ += event.differs;
	if (event.of == DOPE_OF_ALL && strcmp(says[0], says[1]) != 0)
		event.text = anim_arena_printf(&dope->texts, error, "%s -> %s", says[0], says[1]);
	return event.text == NULL || row == NULL ? -(event.text == NULL) : add_event(row, columns, &event, error);
}

/* Goes through the keys of both in time; of a source that is samples the result's stand for themselves. 0 or -1. */
static int pair_keys(struct dope *dope, struct dope_row *row, const struct moment *const moments[2],
		     const size_t counts[2], bool sampled, bool events, struct anim_error *error)
{
	const struct plot_columns columns = spread(dope);

	for (size_t i = 0, k = 0; i < counts[0] || k < counts[1];) {
		const struct moment *a = i < counts[0] ? &moments[0][i] : NULL,
				    *b = k < counts[1] ? &moments[1][k] : NULL;
		double t = a == NULL ? b->time_s : a->time_s, u = b == NULL ? t : b->time_s;
		bool together = a != NULL && b != NULL &&
				fabs(t - u) <= anim_compare_hair(a->track->rules, b->track->rules, fmin(t, u));
		const struct moment *const both[2] = {together || b == NULL || (a != NULL && t < u) ? a : NULL,
						      together || a == NULL || u < t ? b : NULL};

		i += both[0] != NULL;
		k += both[1] != NULL;
		if (events && pair_events(dope, row, &columns, both, error) != 0)
			return -1;
		if (!events && row != NULL)
			mark_key(row, &columns, both[both[0] == NULL]->time_s,
				 both[1] == NULL               ? DOPE_OF_SOURCE
				 : both[0] == NULL && !sampled ? DOPE_OF_RESULT
							       : DOPE_OF_ALL);
	}
	return 0;
}

static const struct anim_track *first_of(const struct anim_compare_keys *shown, int side)
{
	return shown->plays[side] == NULL ? NULL : anim_source_first(shown->plays[side]);
}

/* What stands between the keys: of the result. */
static void mark_between(struct dope_row *row, const struct plot_columns *columns, const struct anim_source *play,
			 double shift_s)
{
	for (unsigned i = 0; play != NULL && i < play->count; i++) {
		const struct anim_track *track = play->tracks[i];

		if (track == NULL || track->n == 0)
			continue;
		row->number++;
		if (track->kind == ANIM_RAW)
			mark_samples(row, columns, track, shift_s);
		else
			mark_held(row, columns, track, shift_s);
	}
}

static int draw_keys(struct dope *dope, const struct anim_compare_keys *shown, struct anim_error *error)
{
	double shift_s = (double)shown->clips[0]->start_s - (double)shown->clips[1]->start_s;
	const struct anim_track *tracks[2] = {first_of(shown, 0), first_of(shown, 1)};
	int side = tracks[0] == NULL;
	const struct plot_columns columns = spread(dope);
	const struct moment *moments[2];
	size_t counts[2];
	struct dope_row *row;
	bool sampled = tracks[0] != NULL && tracks[0]->kind == ANIM_RAW;
	bool events = tracks[side]->type == ANIM_STRING && anim_track_is_event(tracks[side]);

	if (row_of(dope, shown->clips[side], tracks[side], shown->component, &row, error) != 0)
		return -1;
	dope->at_hand.hidden += row == NULL;
	for (side = 0; side < 2; side++) {
		moments[side] = gather(&dope->moments[side], shown->plays[side], side * shift_s, &counts[side], error);
		if (error->code != ANIM_OK)
			return -1;
		dope->at_hand.keys[side] += counts[side];
		if (row == NULL || tracks[side] == NULL)
			continue;
		row->keys[side] += counts[side];
		row->samples[side] += tracks[side]->kind == ANIM_RAW ? tracks[side]->n : 0;
	}
	if (row != NULL && !events)
		mark_between(row, &columns, shown->plays[1], shift_s);
	return pair_keys(dope, row, moments, counts, sampled, events, error);
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

/* 1; 0 where nothing of it is drawn; -1. */
static int begin_clip(struct dope *dope, const struct anim_clip *clip, struct anim_error *error)
{
	int begun;

	if (finish_clip(dope, error) != 0)
		return -1;
	dope->at_hand = (struct dope_clip){.paired = dope->options.against};
	begun = plot_clip_begin(&dope->at_hand.clip, clip, &dope->options, &dope->head, error);
	dope->in_clip = begun > 0;
	return begun;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return begin_clip((struct dope *)sink, clip, error) < 0 ? -1 : 0;
}

static int begin_pair(struct dope *dope, size_t couple, const struct anim_clip *clip, struct anim_error *error)
{
	if (dope->couple == couple)
		return 0;
	dope->couple = couple;
	return begin_clip(dope, clip, error) < 0 ? -1 : 0;
}

int anim_dope_keys(void *sink, const struct anim_compare_keys *shown, struct anim_error *error)
{
	struct dope *dope = sink;

	if (begin_pair(dope, shown->couple, shown->clips[0], error) != 0)
		return -1;
	if (!dope->in_clip)
		return 0;
	dope->at_hand.tracks++;
	return draw_keys(dope, shown, error);
}

int anim_dope_clips(void *sink, const struct anim_compare_clips *clips, struct anim_error *error)
{
	struct dope *dope = sink;

	if (begin_pair(dope, clips->couple, plot_clip_shown(clips), error) != 0)
		return -1;
	return plot_clip_apart(&dope->at_hand.clip, clips, &dope->head, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct dope *dope = (struct dope *)sink;
	struct plot_columns columns = spread(dope);
	struct dope_row *row;

	if (!dope->in_clip || track->n == 0)
		return 0;
	if (row_of(dope, &dope->at_hand.clip.head, track, track->component, &row, error) != 0)
		return -1;
	dope->at_hand.tracks++;
	dope->at_hand.keys[1] += track->kind == ANIM_RAW ? 0 : track->n;
	if (row == NULL) {
		dope->at_hand.hidden++;
		return 0;
	}
	row->number++;
	if (track->kind == ANIM_RAW) {
		row->samples[1] += track->n;
		mark_samples(row, &columns, track, 0);
		return 0;
	}
	row->keys[1] += track->n;
	if (anim_track_is_event(track) && track->type == ANIM_STRING)
		return add_events(dope, row, &columns, track, error);
	for (size_t k = 0; k < track->n; k++) /* of one file, whose keys have no others */
		mark_key(row, &columns, (double)track->time[k], DOPE_OF_ALL);
	mark_held(row, &columns, track, 0);
	return 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct dope *dope = (struct dope *)sink;

	if (anim_diagnostics_check(dope->options.diagnostics, error) != 0 || finish_clip(dope, error) != 0 ||
	    plot_tell_none(&dope->options, dope->clips, error) != 0)
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
	for (int side = 0; side < 2; side++)
		anim_buffer_clear(&dope->moments[side]);
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
