/* archive_read_track.c: one track of an archive: all of it, or only what a range of time needs. */
#include <string.h>

#include "stream/archive_read_internal.h"

#define HEAD_FIRST 1024u /* bytes of a TRAK that are tried as its head first */

bool anim_archive_track_agrees(const struct anim_archive_track *entry, const struct anim_track *track)
{
	return track->kind == entry->kind && track->type == entry->type && track->component == entry->component &&
	       track->n == entry->n && strcmp(track->node, entry->node) == 0 &&
	       strcmp(track->property, entry->property) == 0;
}

static int fail_disagrees(const struct anim_archive *archive, const struct anim_archive_track *entry,
			  struct anim_error *error)
{
	return anim_members_fail(&archive->members, entry->place.member, error,
				 "a TRAK that is not what iNDX says of it (%.100s %.100s)", entry->node,
				 entry->property);
}

static int push_whole(struct anim_archive *archive, const struct anim_archive_track *entry, struct anim_sink *sink,
		      struct anim_error *error)
{
	struct anim_archive_place place = entry->place;
	struct anim_record record;
	struct anim_track track;

	anim_arena_reset(&archive->arena);
	if (anim_archive_record(archive, &place, "TRAK", &record, error) != 0)
		return -1;
	if (anim_record_track(&record, &track, &archive->arena, error) != 0)
		return anim_members_place(&archive->members, entry->place.member, error);
	if (!anim_archive_track_agrees(entry, &track))
		return fail_disagrees(archive, entry, error);
	return anim_sink_track(sink, &track, error);
}

/* The head is as long as it is: more and more of the record is read until it is there. */
static int read_head(struct anim_archive *archive, struct anim_archive_head *head, struct anim_error *error)
{
	const struct anim_archive_place from = head->entry->place;
	struct anim_record record;
	uint64_t whole, have;
	int status;

	if (anim_archive_record_head(archive, &from, &record, error) != 0)
		return -1;
	if (memcmp(record.tag, "TRAK", 4) != 0)
		return anim_members_fail(&archive->members, from.member, error,
					 "iNDX points at %s where TRAK should be", record.tag);
	whole = ANIM_RECORD_HEAD + record.length;
	for (have = HEAD_FIRST;; have *= 4) {
		struct anim_archive_place place = from;

		have = have < whole ? have : whole;
		archive->record.size = 0;
		anim_arena_reset(&archive->arena);
		if (anim_members_append(&archive->members, &place, have, &archive->record, error) != 0)
			return -1;
		record.bytes = archive->record.data;
		record.length = have - ANIM_RECORD_HEAD;
		status = anim_record_track_head(&record, &head->track, &head->rows, &archive->arena, error);
		if (status == 0 || have == whole || (error != NULL && error->code != ANIM_BAD_INPUT))
			break;
	}
	return status == 0 ? 0 : anim_members_place(&archive->members, from.member, error);
}

/* The column's size and blocks, as its keys and its form must have them; not those of strings and of others' columns. */
static bool column_fits(const struct anim_archive_head *head, const struct anim_track_row *row,
			const struct anim_archive_column *column)
{
	const struct anim_archive_track *entry = head->entry;
	struct anim_column_shape shape;
	bool is_text = row->id == ANIM_COLUMN_VALUE && entry->type == ANIM_STRING;

	if (row->id != column->id)
		return false;
	if (row->id >= ANIM_COLUMN_COUNT || is_text)
		return column->block_count == 1;
	shape = anim_column_shape((enum anim_column)row->id, (enum anim_type)entry->type);
	if (row->form == 0)
		return column->block_count == 1 && row->bytes == entry->n * shape.lanes * shape.width;
	return entry->block_keys != 0 &&
	       column->block_count == (entry->n + entry->block_keys - 1) / entry->block_keys &&
	       row->bytes == anim_form1_column_size(entry->n, entry->block_keys, shape);
}

/* The first prepared column says itself of how many keys its blocks are. */
static int check_block_keys(struct anim_archive *archive, const struct anim_archive_head *head, uint64_t column_at,
			    struct anim_error *error)
{
	struct anim_archive_place place = head->entry->place;
	uint32_t said[2];

	archive->scratch.size = 0;
	if (anim_members_advance(&archive->members, &place, column_at, error) != 0 ||
	    anim_members_append(&archive->members, &place, sizeof said, &archive->scratch, error) != 0)
		return -1;
	memcpy(said, archive->scratch.data, sizeof said);
	if (said[0] != head->entry->block_keys || said[1] != 0)
		return fail_disagrees(archive, head->entry, error);
	return 0;
}

static int check_columns(struct anim_archive *archive, const struct anim_archive_head *head, struct anim_error *error)
{
	const struct anim_archive_track *entry = head->entry;
	uint64_t at = head->rows.size, first_prepared = 0;

	if (head->rows.count != entry->column_count)
		return fail_disagrees(archive, entry, error);
	for (size_t i = 0; i < head->rows.count; i++) {
		const struct anim_track_row *row = &head->rows.row[i];

		if (!column_fits(head, row, &entry->columns[i]))
			return fail_disagrees(archive, entry, error);
		if (row->form == 1 && first_prepared == 0)
			first_prepared = at;
		at += (row->bytes + 7) & ~(uint64_t)7;
	}
	return first_prepared == 0 ? 0 : check_block_keys(archive, head, first_prepared, error);
}

/* The span that the range needs; all keys where only the whole track can tell. */
static int find_span(struct anim_archive *archive, const struct anim_archive_head *head, const struct anim_range *range,
		     struct anim_span *span, struct anim_error *error)
{
	const struct anim_track *track = &head->track;
	struct anim_span_counts counts;

	*span = (struct anim_span){0, track->n};
	if (anim_span_follows_clip(track) || (track->flags & ANIM_UNSORTED) || track->n == 0)
		return 0;
	if (track->kind == ANIM_RAW) {
		anim_span_of_raw(span, track, range);
		return 0;
	}
	if (anim_archive_count(archive, head, range, &counts, error) != 0)
		return -1;
	anim_span_of_keys(span, track, range, &counts, (double)head->entry->first_s, (double)head->entry->last_s);
	return 0;
}

int anim_archive_push_track(struct anim_archive *archive, const struct anim_archive_track *entry,
			    const struct anim_range *range, struct anim_sink *sink, struct anim_error *error)
{
	struct anim_archive_head head = {.entry = entry};
	struct anim_track out;
	struct anim_span span;

	if (range == NULL)
		return push_whole(archive, entry, sink, error);
	if (read_head(archive, &head, error) != 0)
		return -1;
	if (!anim_archive_track_agrees(entry, &head.track))
		return fail_disagrees(archive, entry, error);
	if (check_columns(archive, &head, error) != 0 || find_span(archive, &head, range, &span, error) != 0)
		return -1;
	if (span.count == head.track.n)
		return push_whole(archive, entry, sink, error);
	if (anim_archive_read_span(archive, &head, &span, &out, error) != 0)
		return -1;
	return anim_sink_track(sink, &out, error);
}
