/* select.c: keeps the tracks that are asked for. */
#include "filter/select/select.h"

#include <string.h>

#include "filter/filter.h"
#include "filter/select/constant.h"
#include "stream/record.h"
#include "stream/store.h"

#define HELD_MEMORY ((size_t)256 * 1024)

struct select {
	struct anim_filter filter;
	struct anim_select_options options;
	bool clip_fits; /* the clip at hand fits the patterns for clips */
	bool held;      /* its head waits for the first track that passes */
	bool empty;     /* no track of it came so far */
	bool dropping;  /* the last known record did not pass: unknown ones go with it */
	/* The head that waits, with the unknown records behind it. */
	struct anim_log log;
	struct anim_arena arena; /* of a head, or a track, that is decoded here */
	size_t tracks_kept;
};

static int hold(struct select *select, const uint8_t *bytes, size_t size, struct anim_error *error)
{
	if (anim_log_begin(&select->log, size, error) != 0)
		return -1;
	return anim_log_append(&select->log, bytes, size, error);
}

static int hold_clip(struct select *select, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_buffer record = {0};
	int result;

	anim_log_truncate(&select->log, 0);
	if (clip->record != NULL)
		return hold(select, clip->record->bytes, clip->record->size, error);
	result = anim_encode_clip(&record, clip, true, error);
	if (result == 0)
		result = hold(select, record.data, record.size, error);
	anim_buffer_clear(&record);
	return result;
}

static int pass_held(struct select *select, const struct anim_record *record, struct anim_error *error)
{
	struct anim_clip clip;

	if (memcmp(record->tag, "CLIP", 4) != 0)
		return anim_filter_record(&select->filter.sink, record, error);
	anim_arena_reset(&select->arena);
	if (anim_record_clip(record, true, &clip, &select->arena, error) != 0)
		return -1;
	return anim_filter_clip(&select->filter.sink, &clip, error);
}

/* The head that waits goes on, and what stood behind it. */
static int release(struct select *select, struct anim_error *error)
{
	uint64_t size = anim_log_size(&select->log), at = 0;
	struct anim_record record;

	select->held = false;
	while (at < size) {
		const uint8_t *bytes = anim_log_read(&select->log, at, ANIM_RECORD_HEAD, error);

		if (bytes == NULL)
			return -1;
		anim_record_at(bytes, at, &record);
		bytes = anim_log_read(&select->log, at, record.size, error);
		if (bytes == NULL)
			return -1;
		anim_record_at(bytes, at, &record);
		if (pass_held(select, &record, error) != 0)
			return -1;
		at += record.size;
	}
	return 0;
}

/* True where a clip that came without tracks passes: nothing was taken out of it. */
static bool wants_empty(const struct select *select)
{
	return select->options.clips.count == 0 || select->clip_fits != select->options.invert;
}

/* The clip at hand is over. */
static int close_clip(struct select *select, struct anim_error *error)
{
	bool pass = select->held && select->empty && wants_empty(select);

	if (pass)
		return release(select, error);
	select->held = false;
	return 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct select *select = (struct select *)sink;

	if (close_clip(select, error) != 0)
		return -1;
	select->dropping = false;
	return anim_filter_tree(sink, tree, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct select *select = (struct select *)sink;

	if (close_clip(select, error) != 0)
		return -1;
	select->clip_fits = anim_patterns_fit_clip(&select->options.clips, clip);
	select->held = select->empty = true;
	select->dropping = false;
	return hold_clip(select, clip, error);
}

/* The columns of a track that may have come without them. */
static int is_constant(struct select *select, const struct anim_track *track, bool *constant, struct anim_error *error)
{
	struct anim_track whole = *track;

	anim_arena_reset(&select->arena);
	if (track->record != NULL && anim_record_track(track->record, &whole, &select->arena, error) != 0)
		return -1;
	*constant = anim_track_is_constant(&whole);
	return 0;
}

static int fits(struct select *select, const struct anim_track *track, bool *result, struct anim_error *error)
{
	const struct anim_select_options *options = &select->options;

	*result = select->clip_fits && (options->kinds == 0 || options->kinds >> track->kind & 1) &&
		  (options->types == 0 || options->types >> track->type & 1) && track->n >= options->min_keys &&
		  anim_patterns_fit_node(&options->nodes, track) &&
		  anim_patterns_fit_property(&options->properties, track);
	return *result && options->constant ? is_constant(select, track, result, error) : 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct select *select = (struct select *)sink;
	bool fit;

	select->empty = false;
	if (fits(select, track, &fit, error) != 0)
		return -1;
	select->dropping = fit == select->options.invert;
	if (select->dropping)
		return 0;
	select->tracks_kept++;
	if (select->held && release(select, error) != 0)
		return -1;
	return anim_filter_track(sink, track, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct select *select = (struct select *)sink;

	if (memcmp(record->tag, "iNDX", 4) == 0) {
		if (close_clip(select, error) != 0)
			return -1;
		select->dropping = false;
	}
	if (select->dropping)
		return 0;
	return select->held ? hold(select, record->bytes, record->size, error)
			    : anim_filter_record(sink, record, error);
}

static int tell_empty(const struct select *select, struct anim_error *error)
{
	static const char text[] = "no track fits; anim-info tells what there is";

	if (select->options.require)
		return anim_fail(error, ANIM_BAD_INPUT, "%s", text);
	return anim_losses_add(select->options.losses, ANIM_NOTE, NULL, NULL, error, "%s", text);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct select *select = (struct select *)sink;

	if (close_clip(select, error) != 0 || (select->tracks_kept == 0 && tell_empty(select, error) != 0))
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct select *select = (struct select *)sink;

	anim_log_clear(&select->log);
	anim_arena_clear(&select->arena);
	anim_filter_free(sink);
}

struct anim_sink *anim_select_new(const struct anim_select_options *options, struct anim_sink *next,
				  struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree,   anim_filter_node, on_clip, on_track,
						 on_record, on_end,           on_free};
	struct select *select = anim_filter_new(sizeof *select, &ops, next, error);

	if (select == NULL)
		return NULL;
	select->options = *options;
	anim_log_init(&select->log, HELD_MEMORY);
	return &select->filter.sink;
}
