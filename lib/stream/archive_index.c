/* archive_index.c: iNDX of an archive that is being written. */
#include "stream/archive_index.h"

#include <math.h>
#include <string.h>

#include "stream/form1_encode.h"
#include "stream/put.h"

struct clip_entry {
	size_t at, tracks_at; /* in `fields` */
	uint64_t tracks;
};

static int put_place(struct anim_index_writer *index, uint64_t offset, struct anim_error *error)
{
	const size_t at = index->fields.size;
	const uint32_t inner = offset == ANIM_ARCHIVE_NOWHERE ? UINT32_MAX : 0;

	if (offset != ANIM_ARCHIVE_NOWHERE && anim_buffer_append(&index->places, &at, sizeof at, error) != 0)
		return -1;
	if (anim_buffer_append(&index->fields, &offset, sizeof offset, error) != 0)
		return -1;
	return anim_buffer_append(&index->fields, &inner, sizeof inner, error);
}

int anim_index_clip(struct anim_index_writer *index, const struct anim_clip *clip, uint64_t at, uint64_t tree_at,
		    struct anim_error *error)
{
	struct clip_entry entry = {index->fields.size, 0, 0};

	if (anim_put_text(&index->fields, clip->name, error) != 0 ||
	    anim_buffer_append(&index->fields, &clip->start_s, 4, error) != 0 ||
	    anim_buffer_append(&index->fields, &clip->end_s, 4, error) != 0 || put_place(index, at, error) != 0 ||
	    put_place(index, tree_at, error) != 0)
		return -1;
	entry.tracks_at = index->fields.size;
	return anim_buffer_append(&index->clips, &entry, sizeof entry, error);
}

/* Of key k; that of a Raw track of unknown interval is its start. */
static double key_time(const struct anim_track *track, size_t k)
{
	double time_s = anim_track_time(track, k);

	return track->kind == ANIM_RAW && isnan(time_s) ? track->start_s : time_s;
}

static void widen(double range[2], double time_s)
{
	if (!isfinite(time_s))
		return;
	range[0] = time_s < range[0] ? time_s : range[0];
	range[1] = time_s > range[1] ? time_s : range[1];
}

/* Smallest and largest finite time; 0 and -1 where there is none. */
static void time_range(const struct anim_track *track, float stored[2])
{
	double range[2] = {INFINITY, -INFINITY};

	for (size_t k = 0; k < track->n && (track->flags & ANIM_UNSORTED); k++)
		widen(range, key_time(track, k));
	if (track->n > 0) {
		widen(range, key_time(track, 0));
		widen(range, key_time(track, track->n - 1));
	}
	stored[0] = range[0] <= range[1] ? (float)range[0] : 0;
	stored[1] = range[0] <= range[1] ? (float)range[1] : -1;
}

static int put_block(struct anim_index_writer *index, const struct anim_track *track, size_t first_key, uint64_t at,
		     struct anim_error *error)
{
	float time_s = track->n == 0 ? 0 : (float)key_time(track, first_key);

	return put_place(index, at, error) != 0 ? -1 : anim_buffer_append(&index->fields, &time_s, 4, error);
}

static int put_column(struct anim_index_writer *index, const struct anim_track *track,
		      const struct anim_packed_column *column, uint64_t at, struct anim_error *error)
{
	const size_t block_keys = ANIM_FORM1_BLOCK_KEYS;
	const struct anim_column_shape shape = {(unsigned)column->lanes, (unsigned)column->width};
	const size_t count = column->is_prepared ? (track->n + block_keys - 1) / block_keys : 1;
	const size_t step = column->is_prepared ? anim_form1_block_size(block_keys, shape) : 0;

	if (anim_buffer_append(&index->fields, &column->id, 1, error) != 0 ||
	    anim_put_varint(&index->fields, count, error) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (put_block(index, track, i * block_keys, at + column->at + i * step, error) != 0)
			return -1;
	return 0;
}

int anim_index_track(struct anim_index_writer *index, const struct anim_track *track,
		     const struct anim_packed_track *packed, uint64_t at, struct anim_error *error)
{
	const uint8_t type[2] = {(uint8_t)track->kind, (uint8_t)track->type};
	const uint32_t block_keys = packed->is_prepared ? ANIM_FORM1_BLOCK_KEYS : 0;
	struct anim_buffer *fields = &index->fields;
	struct clip_entry *clips = (struct clip_entry *)(void *)index->clips.data;
	float range[2];

	time_range(track, range);
	clips[index->clips.size / sizeof *clips - 1].tracks++;
	if (anim_buffer_append(fields, type, sizeof type, error) != 0 ||
	    anim_put_text(fields, track->node, error) != 0 || anim_put_text(fields, track->property, error) != 0 ||
	    anim_buffer_append(fields, &track->component, 1, error) != 0 ||
	    anim_put_varint(fields, track->n, error) != 0 ||
	    anim_buffer_append(fields, range, sizeof range, error) != 0 || put_place(index, at, error) != 0 ||
	    anim_buffer_append(fields, &block_keys, 4, error) != 0 ||
	    anim_put_varint(fields, packed->column_count, error) != 0)
		return -1;
	for (size_t i = 0; i < packed->column_count; i++)
		if (put_column(index, track, &packed->columns[i], at, error) != 0)
			return -1;
	return 0;
}

static void set_places(struct anim_index_writer *index,
		       struct anim_archive_place (*place)(void *context, uint64_t offset), void *context)
{
	const size_t *places = (const size_t *)(const void *)index->places.data;

	for (size_t i = 0; i < index->places.size / sizeof *places; i++) {
		uint8_t *field = index->fields.data + places[i];
		struct anim_archive_place at;
		uint64_t offset;

		memcpy(&offset, field, sizeof offset);
		at = place(context, offset);
		memcpy(field, &at.member, sizeof at.member);
		memcpy(field + sizeof at.member, &at.inner, sizeof at.inner);
	}
}

int anim_index_encode(struct anim_index_writer *index,
		      struct anim_archive_place (*place)(void *context, uint64_t offset), void *context,
		      struct anim_buffer *out, struct anim_error *error)
{
	const struct clip_entry *clips = (const struct clip_entry *)(const void *)index->clips.data;
	const size_t count = index->clips.size / sizeof *clips, start = out->size;

	set_places(index, place, context);
	if (anim_put_head(out, "iNDX", error) != 0 || anim_put_varint(out, count, error) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const size_t end = i + 1 < count ? clips[i + 1].at : index->fields.size;
		const uint8_t *fields = index->fields.data;

		if (anim_buffer_append(out, fields + clips[i].at, clips[i].tracks_at - clips[i].at, error) != 0 ||
		    anim_put_varint(out, clips[i].tracks, error) != 0 ||
		    anim_buffer_append(out, fields + clips[i].tracks_at, end - clips[i].tracks_at, error) != 0)
			return -1;
	}
	return anim_put_finish(out, start, error);
}

void anim_index_clear(struct anim_index_writer *index)
{
	anim_buffer_clear(&index->fields);
	anim_buffer_clear(&index->clips);
	anim_buffer_clear(&index->places);
}
