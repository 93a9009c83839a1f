/* plain.c: columns that were prepared for compression become plain again. */
#include "filter/plain.h"

#include "filter/filter.h"
#include "stream/archive.h"

struct plain {
	struct anim_filter filter;
	struct anim_buffer bytes; /* of the record made */
	struct anim_arena arena;
};

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct plain *plain = (struct plain *)sink;
	struct anim_track out = *track;
	struct anim_record record;

	if (track->record == NULL)
		return anim_filter_track(sink, track, error);
	anim_arena_reset(&plain->arena);
	if (anim_track_plain(track, &plain->bytes, &plain->arena, error) != 0)
		return -1;
	if (plain->bytes.size == 0)
		return anim_filter_track(sink, track, error);
	anim_record_at(plain->bytes.data, track->record->offset, &record);
	out.record = &record;
	return anim_filter_track(sink, &out, error);
}

static void on_free(struct anim_sink *sink)
{
	struct plain *plain = (struct plain *)sink;

	anim_buffer_clear(&plain->bytes);
	anim_arena_clear(&plain->arena);
	anim_filter_free(sink);
}

struct anim_sink *anim_plain_new(struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {anim_filter_tree,   anim_filter_node, anim_filter_clip, on_track,
						 anim_filter_record, anim_filter_end,  on_free};
	struct plain *plain = anim_filter_new(sizeof *plain, &ops, next, error);

	return plain == NULL ? NULL : &plain->filter.sink;
}
