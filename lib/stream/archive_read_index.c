/* archive_read_index.c: iNDX -> what it says of clips, tracks and blocks. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "stream/archive.h"
#include "stream/cursor.h"
#include "stream/track_record.h"

/* The fewest bytes that an entry takes, so that a count can be checked against what is there. */
#define CLIP_LEAST (1 + 8 + 12 + 12 + 1)
#define TRACK_LEAST (5 + 1 + 8 + 12 + 4 + 1)
#define COLUMN_LEAST (2 + 16)
#define BLOCK_SIZE 16
_Static_assert(sizeof(struct anim_archive_block) == BLOCK_SIZE, "blocks are copied as they lie in the file");

struct index_reader {
	struct anim_cursor cursor;
	uint64_t limit;
	struct anim_archive_place record, last; /* of the clip or track before, and the last place in it */
};

/* A count of entries of at least `least` bytes each. */
static int read_count(struct anim_cursor *cursor, size_t least, size_t *count)
{
	const uint8_t *at = cursor->at;
	uint64_t value;

	if (anim_cursor_varint(cursor, &value) != 0)
		return -1;
	if (value > (uint64_t)(cursor->end - cursor->at) / least)
		return anim_cursor_fail(cursor, at, "iNDX counts more than it holds");
	*count = (size_t)value;
	return 0;
}

static int check_place(const struct index_reader *reader, const uint8_t *at, uint64_t member, uint32_t inner)
{
	if (member >= reader->limit || inner >= ANIM_MEMBER_MAX)
		return anim_cursor_fail(&reader->cursor, at, "iNDX points behind the archive's members");
	return 0;
}

static bool is_before(struct anim_archive_place a, struct anim_archive_place b)
{
	return a.member < b.member || (a.member == b.member && a.inner < b.inner);
}

/*
 * Clips, tracks and the blocks in them come in the stream's order: none twice, and none that overlap. Columns without bytes
 * lie where the next thing begins.
 */
static int check_order(struct index_reader *reader, const uint8_t *at, struct anim_archive_place place)
{
	if (!is_before(reader->record, place) || is_before(place, reader->last))
		return anim_cursor_fail(&reader->cursor, at, "a place in iNDX that lies before the one before");
	reader->last = place;
	return 0;
}

static int read_place(struct index_reader *reader, bool may_be_none, struct anim_archive_place *place)
{
	const uint8_t *at = reader->cursor.at;

	if (anim_cursor_get(&reader->cursor, &place->member, 8) != 0 ||
	    anim_cursor_get(&reader->cursor, &place->inner, 4) != 0)
		return -1;
	if (may_be_none && place->member == ANIM_ARCHIVE_NOWHERE && place->inner == UINT32_MAX)
		return 0;
	return check_place(reader, at, place->member, place->inner);
}

static int read_blocks(struct index_reader *reader, struct anim_archive_column *column)
{
	struct anim_cursor *cursor = &reader->cursor;
	const uint8_t *at;

	column->blocks = anim_arena_alloc(cursor->arena, column->block_count * BLOCK_SIZE, cursor->error);
	if (column->blocks == NULL || anim_cursor_take(cursor, (uint64_t)column->block_count * BLOCK_SIZE, &at) != 0)
		return -1;
	memcpy(column->blocks, at, column->block_count * BLOCK_SIZE);
	for (size_t i = 0; i < column->block_count; i++, at += BLOCK_SIZE) {
		const struct anim_archive_place place = {column->blocks[i].member, column->blocks[i].inner};

		if (check_place(reader, at, place.member, place.inner) != 0 || check_order(reader, at, place) != 0)
			return -1;
	}
	return 0;
}

/* That of a clip or a track. */
static int read_record_place(struct index_reader *reader, struct anim_archive_place *place)
{
	const uint8_t *at = reader->cursor.at;

	if (read_place(reader, false, place) != 0 || check_order(reader, at, *place) != 0)
		return -1;
	reader->record = *place;
	return 0;
}

/* A plain column is one block; a prepared one has as many as its keys fill. */
static bool count_fits(const struct anim_archive_track *track, const struct anim_archive_column *column)
{
	uint64_t keys = track->block_keys;

	return column->block_count == 1 ||
	       (keys > 0 && track->n > 0 && column->block_count == (track->n + keys - 1) / keys);
}

static int read_column(struct index_reader *reader, const struct anim_archive_track *track, int last_id,
		       struct anim_archive_column *column)
{
	struct anim_cursor *cursor = &reader->cursor;
	const uint8_t *at = cursor->at;

	if (anim_cursor_get(cursor, &column->id, 1) != 0 || read_count(cursor, BLOCK_SIZE, &column->block_count) != 0)
		return -1;
	if (column->id <= last_id)
		return anim_cursor_fail(cursor, at, "column %d after column %d in iNDX", column->id, last_id);
	if (!count_fits(track, column))
		return anim_cursor_fail(cursor, at, "column %d in %zu blocks in iNDX, %llu keys have others",
					column->id, column->block_count, (unsigned long long)track->n);
	return read_blocks(reader, column);
}

static int read_columns(struct index_reader *reader, struct anim_archive_track *track)
{
	struct anim_cursor *cursor = &reader->cursor;
	int last_id = -1;

	if (read_count(cursor, COLUMN_LEAST, &track->column_count) != 0)
		return -1;
	track->columns = anim_arena_zeroed(cursor->arena, track->column_count, sizeof *track->columns, cursor->error);
	if (track->columns == NULL)
		return -1;
	for (size_t i = 0; i < track->column_count; i++) {
		if (read_column(reader, track, last_id, &track->columns[i]) != 0)
			return -1;
		last_id = track->columns[i].id;
	}
	return 0;
}

static int check_track(const struct anim_cursor *cursor, const uint8_t *at, const struct anim_archive_track *track)
{
	uint32_t keys = track->block_keys;

	if (track->kind > ANIM_CURVE || track->type >= ANIM_TYPE_COUNT ||
	    (track->component != ANIM_WHOLE && track->component > 15) || track->n > ANIM_KEYS_MAX)
		return anim_cursor_fail(cursor, at, "iNDX tells of a track that cannot be");
	if (!isfinite(track->first_s) || !isfinite(track->last_s))
		return anim_cursor_fail(cursor, at, "a time in iNDX that is not finite");
	if (keys != 0 && (keys < ANIM_FORM1_KEYS_LEAST || keys > ANIM_FORM1_KEYS_MOST))
		return anim_cursor_fail(cursor, at, "iNDX tells of blocks of %lu keys", (unsigned long)keys);
	return 0;
}

static int read_track(struct index_reader *reader, struct anim_archive_track *track)
{
	struct anim_cursor *cursor = &reader->cursor;
	const uint8_t *at = cursor->at;

	if (anim_cursor_get(cursor, &track->kind, 1) != 0 || anim_cursor_get(cursor, &track->type, 1) != 0 ||
	    anim_cursor_name(cursor, &track->node) != 0 || anim_cursor_name(cursor, &track->property) != 0 ||
	    anim_cursor_get(cursor, &track->component, 1) != 0 || anim_cursor_varint(cursor, &track->n) != 0 ||
	    anim_cursor_get(cursor, &track->first_s, 4) != 0 || anim_cursor_get(cursor, &track->last_s, 4) != 0 ||
	    read_record_place(reader, &track->place) != 0 || anim_cursor_get(cursor, &track->block_keys, 4) != 0 ||
	    check_track(cursor, at, track) != 0)
		return -1;
	return read_columns(reader, track);
}

static int read_clip(struct index_reader *reader, struct anim_archive_clip *clip)
{
	struct anim_cursor *cursor = &reader->cursor;
	const uint8_t *at = cursor->at;

	if (anim_cursor_name(cursor, &clip->name) != 0 || anim_cursor_get(cursor, &clip->start_s, 4) != 0 ||
	    anim_cursor_get(cursor, &clip->end_s, 4) != 0)
		return -1;
	if (!isfinite(clip->start_s) || !isfinite(clip->end_s) || clip->end_s < clip->start_s)
		return anim_cursor_fail(cursor, at, "iNDX tells of a clip that cannot be");
	if (read_record_place(reader, &clip->place) != 0 || read_place(reader, true, &clip->tree) != 0 ||
	    read_count(cursor, TRACK_LEAST, &clip->track_count) != 0)
		return -1;
	clip->tracks = anim_arena_zeroed(cursor->arena, clip->track_count, sizeof *clip->tracks, cursor->error);
	if (clip->tracks == NULL)
		return -1;
	for (size_t i = 0; i < clip->track_count; i++)
		if (read_track(reader, &clip->tracks[i]) != 0)
			return -1;
	return 0;
}

int anim_archive_index_decode(struct anim_archive_index *index, const struct anim_record *record, uint64_t limit,
			      struct anim_arena *arena, struct anim_error *error)
{
	struct index_reader reader = {.limit = limit};

	anim_cursor_init(&reader.cursor, record, arena, error);
	if (read_count(&reader.cursor, CLIP_LEAST, &index->clip_count) != 0)
		return -1;
	index->clips = anim_arena_zeroed(arena, index->clip_count, sizeof *index->clips, error);
	if (index->clips == NULL)
		return -1;
	for (size_t i = 0; i < index->clip_count; i++)
		if (read_clip(&reader, &index->clips[i]) != 0)
			return -1;
	return anim_cursor_done(&reader.cursor);
}
