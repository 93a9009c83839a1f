/* archive_read.c: reads selected parts of an archive: clips, tracks, the keys for a range of time. */
#include "stream/columns.h"
#include "stream/members.h"

#include <string.h>

#include "base/limits.h"
#include "clip/span.h"

/* ---- Keys of one column, from the blocks that contain them ---- */

/* A track of which only the head was read. */
struct track_head {
	const struct anim_archive_track *entry;
	struct anim_track track; /* without columns; texts in the arena of the archive */
	struct anim_track_rows rows;
};

#define PIECE 16384u /* keys of a plain column that are read at a time */

/* Keys first .. first + count - 1 of a numeric column. */
struct column_keys {
	const struct anim_archive_track *entry;
	const struct anim_archive_column *column;
	uint8_t form;
	struct anim_column_shape shape;
	size_t first, count;
};

static struct column_keys keys_of(const struct track_head *head, size_t row, size_t first, size_t count)
{
	uint8_t id = head->rows.row[row].id;

	return (struct column_keys){head->entry,
				    &head->entry->columns[row],
				    head->rows.row[row].form,
				    anim_column_shape_of((enum anim_column)id, head->track.type),
				    first,
				    count};
}

static size_t key_size(const struct column_keys *keys)
{
	return (size_t)keys->shape.components * keys->shape.width;
}

static int read_plain(struct anim_archive *archive, const struct column_keys *keys, struct anim_buffer *out,
		      struct anim_error *error)
{
	const struct anim_archive_block *block = &keys->column->blocks[0];
	struct anim_archive_place place = {block->member, block->inner};
	uint64_t size = key_size(keys);

	if (anim_members_advance(&archive->members, &place, keys->first * size, error) != 0)
		return -1;
	return anim_members_append(&archive->members, &place, keys->count * size, out, error);
}

/* Append the keys `from` to `to` (not included) of one block. */
static int read_block(struct anim_archive *archive, const struct column_keys *keys, size_t number, size_t from,
		      size_t to, struct anim_buffer *out, struct anim_error *error)
{
	const struct anim_archive_block *block = &keys->column->blocks[number];
	struct anim_archive_place place = {block->member, block->inner};
	size_t start = number * keys->entry->block_keys, left = keys->entry->n - start, size = key_size(keys);
	size_t count = left < keys->entry->block_keys ? left : keys->entry->block_keys;
	struct anim_record record = {.tag = "TRAK"};
	struct anim_cursor cursor;
	uint64_t stored;
	uint8_t *plain;
	int status;

	if (anim_members_advance(&archive->members, &place, 0, error) != 0)
		return -1;
	if (keys->form == ANIM_FORM_PREPARED) {
		stored = anim_form1_block_size(count, keys->shape);
	} else {
		/* The first number of a block on a lattice is its size. */
		struct anim_archive_place start_at = place;

		archive->scratch.size = 0;
		if (anim_members_append(&archive->members, &start_at, 4, &archive->scratch, error) != 0)
			return -1;
		stored = anim_lattice_block_bytes(archive->scratch.data);
		if (stored > anim_lattice_block_most(keys->entry->type, count))
			return anim_members_fail(&archive->members, start_at.member, error,
						 "a block of %llu bytes on a lattice", (unsigned long long)stored);
	}
	archive->scratch.size = 0;
	if (anim_members_append(&archive->members, &place, stored, &archive->scratch, error) != 0 ||
	    (plain = anim_buffer_extend(out, count * size, error)) == NULL)
		return -1;
	record.bytes = archive->scratch.data;
	anim_cursor_init(&cursor, &record, NULL, error);
	cursor.at = archive->scratch.data;
	cursor.end = cursor.at + archive->scratch.size;
	status = keys->form == ANIM_FORM_LATTICE ? anim_lattice_undo_block(&cursor, (enum anim_type)keys->entry->type,
									   count, (float *)(void *)plain)
						 : anim_form1_undo_block(&cursor, plain, count, keys->shape);
	if (status != 0)
		return anim_members_place(&archive->members, block->member, error);
	if (keys->column->id == ANIM_COLUMN_TIME && memcmp(plain, &block->time_s, sizeof block->time_s) != 0)
		return anim_members_fail(&archive->members, block->member, error,
					 "a block that does not begin at its time in iNDX");
	memmove(plain, plain + (from - start) * size, (to - from) * size);
	out->size -= (count - (to - from)) * size;
	return 0;
}

static int read_keys(struct anim_archive *archive, const struct column_keys *keys, struct anim_buffer *out,
		     struct anim_error *error)
{
	size_t at = keys->first, end = keys->first + keys->count;

	if (keys->form == ANIM_FORM_PLAIN)
		return keys->count == 0 ? 0 : read_plain(archive, keys, out, error);
	while (at < end) {
		size_t block = at / keys->entry->block_keys, next = (block + 1) * keys->entry->block_keys;

		next = next < end ? next : end;
		if (read_block(archive, keys, block, at, next, out, error) != 0)
			return -1;
		at = next;
	}
	return 0;
}

/* ---- How many keys are before the range of time and inside it ---- */

/* Count the keys of a plain time column. It is read from its beginning to the first key after the range. */
static int count_plain(struct anim_archive *archive, const struct track_head *head, const struct anim_range *range,
		       struct anim_span_counts *counts, struct anim_error *error)
{
	struct anim_buffer *times = &archive->columns[ANIM_COLUMN_TIME];

	*counts = (struct anim_span_counts){0, 0, 0};
	for (size_t done = 0; done < head->track.n;) {
		size_t count = head->track.n - done < PIECE ? head->track.n - done : PIECE;
		struct column_keys keys = keys_of(head, 0, done, count);
		struct anim_span_counts here;

		times->size = 0;
		if (read_keys(archive, &keys, times, error) != 0)
			return -1;
		anim_span_count(&here, (const float *)(const void *)times->data, count, range);
		counts->before_start += here.before_start;
		counts->to_start += here.to_start;
		counts->to_end += here.to_end;
		if (here.to_end < count)
			break;
		done += count;
	}
	return 0;
}

/* Return the last block that begins before the limit, or (`with`) at it; block 0 if there is none. */
static size_t find_block(const struct anim_archive_column *column, float limit, bool with)
{
	size_t low = 0, high = column->block_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		float time_s = column->blocks[middle].time_s;

		if (time_s < limit || (with && time_s == limit))
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? low - 1 : 0;
}

/* Count the keys in one block, and all keys of the blocks before it. */
static int count_block(struct anim_archive *archive, const struct track_head *head, size_t block,
		       const struct anim_range *range, struct anim_span_counts *counts, struct anim_error *error)
{
	struct anim_buffer *times = &archive->columns[ANIM_COLUMN_TIME];
	size_t start = block * head->entry->block_keys, left = head->track.n - start;
	size_t count = left < head->entry->block_keys ? left : head->entry->block_keys;
	struct column_keys keys = keys_of(head, 0, start, count);

	times->size = 0;
	if (read_keys(archive, &keys, times, error) != 0)
		return -1;
	anim_span_count(counts, (const float *)(const void *)times->data, count, range);
	counts->before_start += start;
	counts->to_start += start;
	counts->to_end += start;
	return 0;
}

static int count_keys(struct anim_archive *archive, const struct track_head *head, const struct anim_range *range,
		      struct anim_span_counts *counts, struct anim_error *error)
{
	const struct anim_archive_column *column = head->entry->columns;
	struct anim_span_counts one;
	size_t before, to, end;

	/* Times can only be the first column. */
	if (head->rows.count == 0 || head->rows.row[0].id != ANIM_COLUMN_TIME)
		return anim_members_fail(&archive->members, head->entry->place.member, error,
					 "column 0 of a TRAK is missing");
	if (head->rows.row[0].form == ANIM_FORM_PLAIN)
		return count_plain(archive, head, range, counts, error);
	before = find_block(column, range->start_s, false);
	to = find_block(column, range->start_s, true);
	end = find_block(column, range->end_s, true);
	if (count_block(archive, head, before, range, counts, error) != 0)
		return -1;
	one = *counts;
	if (to != before && count_block(archive, head, to, range, &one, error) != 0)
		return -1;
	counts->to_start = one.to_start;
	if (end != to && count_block(archive, head, end, range, &one, error) != 0)
		return -1;
	counts->to_end = one.to_end;
	return 0;
}

/* ---- Some keys of all columns ---- */

/* Add string lengths, each within its limit. */
static int add_lengths(const struct anim_archive *archive, const struct track_head *head,
		       const struct anim_buffer *lengths, uint64_t *total, struct anim_error *error)
{
	const uint32_t *length = (const uint32_t *)(const void *)lengths->data;

	for (size_t i = 0; i < lengths->size / sizeof *length; i++) {
		if (length[i] == ANIM_NULL_STRING)
			continue;
		if (length[i] > ANIM_TEXT_MAX)
			return anim_members_fail(&archive->members, head->entry->place.member, error,
						 "a string of %lu bytes, at most %u are allowed",
						 (unsigned long)length[i], ANIM_TEXT_MAX);
		*total += length[i];
	}
	return 0;
}

/* Read the strings of the span: n lengths, zeros to 8, the bytes of all. */
static int read_texts(struct anim_archive *archive, const struct track_head *head, size_t row,
		      const struct anim_span *span, struct anim_track *out, struct anim_error *error)
{
	struct column_keys lengths = keys_of(head, row, span->first, span->count), skipped;
	const struct anim_archive_block *block = &lengths.column->blocks[0];
	struct anim_archive_place place = {block->member, block->inner};
	struct anim_buffer *kept = &archive->columns[ANIM_COLUMN_VALUE];
	uint64_t before = 0, total = 0, at = 0, bytes_at = ((uint64_t)head->track.n * 4 + 7) & ~(uint64_t)7;
	const uint32_t *length;
	uint64_t *start;

	lengths.shape = (struct anim_column_shape){1, 4};
	archive->texts.size = 0;
	if (anim_buffer_reserve(kept, 1, error) != 0)
		return -1;
	/* The lengths before the span give the place of its first string. */
	skipped = lengths;
	for (skipped.first = 0; skipped.first < lengths.first; skipped.first += skipped.count) {
		skipped.count = lengths.first - skipped.first < PIECE ? lengths.first - skipped.first : PIECE;
		archive->scratch.size = 0;
		if (read_plain(archive, &skipped, &archive->scratch, error) != 0 ||
		    add_lengths(archive, head, &archive->scratch, &before, error) != 0)
			return -1;
	}
	if (read_keys(archive, &lengths, kept, error) != 0 || add_lengths(archive, head, kept, &total, error) != 0)
		return -1;
	if (bytes_at > head->rows.row[row].bytes || before + total > head->rows.row[row].bytes - bytes_at)
		return anim_members_fail(&archive->members, head->entry->place.member, error,
					 "a string column of %llu bytes, its lengths say more",
					 (unsigned long long)head->rows.row[row].bytes);
	if (total > 0 && (anim_members_advance(&archive->members, &place, bytes_at + before, error) != 0 ||
			  anim_members_append(&archive->members, &place, total, &archive->texts, error) != 0))
		return -1;
	archive->starts.size = 0;
	/* the array must also exist if there are no strings */
	if (anim_buffer_reserve(&archive->starts, 1, error) != 0 ||
	    (start = anim_buffer_extend(&archive->starts, span->count * sizeof *start, error)) == NULL)
		return -1;
	length = (const uint32_t *)(const void *)kept->data;
	for (size_t i = 0; i < span->count; i++) {
		start[i] = at;
		at += length[i] == ANIM_NULL_STRING ? 0 : length[i];
	}
	archive->strings = (struct anim_strings){
	    length, start, archive->texts.size == 0 ? "" : (const char *)archive->texts.data, total};
	out->strings = &archive->strings;
	return 0;
}

static int read_span(struct anim_archive *archive, const struct track_head *head, const struct anim_span *span,
		     struct anim_track *out, struct anim_error *error)
{
	enum anim_field field;
	unsigned present = 0;

	*out = head->track;
	out->record = NULL;
	out->n = span->count;
	if (span->first + span->count < head->track.n)
		out->flags &= ~ANIM_LAST_AT_END;
	if (out->kind == ANIM_RAW && span->first > 0)
		out->start_s = anim_track_time(&head->track, span->first);
	for (size_t row = 0; row < head->rows.count; row++) {
		uint8_t id = head->rows.row[row].id;
		struct column_keys keys;

		if (id >= ANIM_COLUMN_COUNT)
			continue;
		present |= 1u << id;
		archive->columns[id].size = 0;
		if (id == ANIM_COLUMN_VALUE && head->track.type == ANIM_STRING) {
			if (read_texts(archive, head, row, span, out, error) != 0)
				return -1;
			continue;
		}
		keys = keys_of(head, row, span->first, span->count);
		if (read_keys(archive, &keys, &archive->columns[id], error) != 0 ||
		    anim_buffer_reserve(&archive->columns[id], 1, error) != 0)
			return -1;
	}
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++)
		out->column[id] = present & 1u << id && (id != ANIM_COLUMN_VALUE || out->type != ANIM_STRING)
				      ? archive->columns[id].data
				      : NULL;
	if (anim_track_check_columns(out, present, &field, error) != 0)
		return anim_members_place(&archive->members, head->entry->place.member, error);
	return 0;
}

/* ---- One track ---- */

#define HEAD_FIRST 1024u /* bytes of a TRAK that are first tried as its head */

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
				 "a TRAK that differs from iNDX (%.100s %.100s)", entry->node, entry->property);
}

/*
 * Read and decode the record at the position, and advance it. `tag` is as for anim_archive_record, `order` as for
 * anim_record_decode.
 */
static int read_record(struct anim_archive *archive, struct anim_archive_place *place, const char *tag,
		       const struct anim_order *order, struct anim_record *record, struct anim_decoded *decoded,
		       struct anim_error *error)
{
	const uint64_t member = place->member;

	if (anim_archive_record(archive, place, tag, record, error) != 0)
		return -1;
	if (anim_record_decode(decoded, record, order, &archive->arena, error) != 0)
		return anim_members_place(&archive->members, member, error);
	return 0;
}

static int push_whole(struct anim_archive *archive, const struct anim_archive_track *entry, struct anim_sink *sink,
		      struct anim_error *error)
{
	struct anim_archive_place place = entry->place;
	struct anim_decoded decoded;
	struct anim_record record;

	if (read_record(archive, &place, "TRAK", NULL, &record, &decoded, error) != 0)
		return -1;
	if (!anim_archive_track_agrees(entry, &decoded.track))
		return fail_disagrees(archive, entry, error);
	return anim_decoded_push(&decoded, sink, error);
}

/* The size of the head is unknown, so more and more of the record is read until the head is complete. */
static int read_head(struct anim_archive *archive, struct track_head *head, struct anim_error *error)
{
	const struct anim_archive_place from = head->entry->place;
	struct anim_record record;
	uint64_t whole, have;
	int status;

	if (anim_archive_record_head(archive, &from, &record, error) != 0)
		return -1;
	if (!anim_record_is(&record, "TRAK"))
		return anim_members_fail(&archive->members, from.member, error, "iNDX points at %s instead of TRAK",
					 record.tag);
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

/*
 * Check the size and the blocks of the column against its keys and its form. Columns of strings and unknown columns
 * are not checked.
 */
static bool column_fits(const struct track_head *head, const struct anim_track_row *row,
			const struct anim_archive_column *column)
{
	const struct anim_archive_track *entry = head->entry;
	struct anim_column_shape shape;
	bool is_text = row->id == ANIM_COLUMN_VALUE && entry->type == ANIM_STRING;

	if (row->id != column->id)
		return false;
	if (row->id >= ANIM_COLUMN_COUNT || is_text)
		return column->block_count == 1;
	shape = anim_column_shape_of((enum anim_column)row->id, (enum anim_type)entry->type);
	if (row->form == ANIM_FORM_PLAIN)
		return column->block_count == 1 && row->bytes == entry->n * shape.components * shape.width;
	return entry->block_keys != 0 &&
	       column->block_count == (entry->n + entry->block_keys - 1) / entry->block_keys &&
	       (row->form == ANIM_FORM_LATTICE ||
		row->bytes == anim_form1_column_size(entry->n, entry->block_keys, shape));
}

static int check_columns(struct anim_archive *archive, const struct track_head *head, struct anim_error *error)
{
	const struct anim_archive_track *entry = head->entry;
	struct anim_archive_place place = entry->place;
	uint64_t at = head->rows.size, first_prepared = 0;
	uint32_t said[2];

	if (head->rows.count != entry->column_count)
		return fail_disagrees(archive, entry, error);
	for (size_t i = 0; i < head->rows.count; i++) {
		const struct anim_track_row *row = &head->rows.row[i];

		if (!column_fits(head, row, &entry->columns[i]))
			return fail_disagrees(archive, entry, error);
		if (row->form != ANIM_FORM_PLAIN && first_prepared == 0)
			first_prepared = at;
		at += (row->bytes + 7) & ~(uint64_t)7;
	}
	if (first_prepared == 0)
		return 0;
	/* The first prepared column stores the keys per block itself. */
	archive->scratch.size = 0;
	if (anim_members_advance(&archive->members, &place, first_prepared, error) != 0 ||
	    anim_members_append(&archive->members, &place, sizeof said, &archive->scratch, error) != 0)
		return -1;
	memcpy(said, archive->scratch.data, sizeof said);
	return said[0] != entry->block_keys || said[1] != 0 ? fail_disagrees(archive, entry, error) : 0;
}

/* Find the span for the range: all keys if it depends on them. */
static int find_span(struct anim_archive *archive, const struct track_head *head, const struct anim_range *range,
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
	if (count_keys(archive, head, range, &counts, error) != 0)
		return -1;
	anim_span_of_keys(span, track, range, &counts, (double)head->entry->first_s, (double)head->entry->last_s);
	return 0;
}

static int push_track(struct anim_archive *archive, const struct anim_archive_track *entry,
		      const struct anim_range *range, struct anim_sink *sink, struct anim_error *error)
{
	struct track_head head = {.entry = entry};
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
	if (read_span(archive, &head, &span, &out, error) != 0)
		return -1;
	return anim_sink_track(sink, &out, error);
}

/* ---- All selected parts, clip after clip ---- */

/*
 * Push the records with one tag from the position on. Unknown records between them are skipped. The first record with
 * another known tag ends the sequence.
 */
static int push_run(struct anim_archive *archive, struct anim_archive_place place, const char *tag,
		    struct anim_sink *sink, struct anim_error *error)
{
	struct anim_order order = {.nodes = 0};
	struct anim_decoded decoded;
	struct anim_record record;

	for (;;) {
		if (anim_archive_record_head(archive, &place, &record, error) != 0)
			return -1;
		if (anim_record_is(&record, tag)) {
			order.nodes++;
			if (read_record(archive, &place, NULL, &order, &record, &decoded, error) != 0 ||
			    anim_decoded_push(&decoded, sink, error) != 0)
				return -1;
			continue;
		}
		if (record.tag[0] < 'a' || anim_record_is(&record, "iNDX"))
			return 0;
		if (anim_members_advance(&archive->members, &place, record.size, error) != 0)
			return -1;
	}
}

/* Push the head of the clip, which must match the index, and the wanted tracks. */
static int push_clip(struct anim_archive *archive, const struct anim_archive_wanted *wanted,
		     const struct anim_archive_clip *entry, struct anim_sink *sink, struct anim_error *error)
{
	const struct anim_order order = {.tree = entry->tree.member != ANIM_ARCHIVE_NOWHERE};
	struct anim_archive_place place = entry->place;
	bool ranged = wanted != NULL && wanted->range.given;
	struct anim_decoded decoded;
	struct anim_record record;
	struct anim_range range;
	struct anim_clip clip;
	int overlaps = 0;

	if (read_record(archive, &place, "CLIP", &order, &record, &decoded, error) != 0)
		return -1;
	clip = decoded.clip;
	if (strcmp(clip.name, entry->name) != 0 || clip.start_s != entry->start_s || clip.end_s != entry->end_s ||
	    ((clip.flags & ANIM_IN_TREE) != 0) != order.tree)
		return anim_members_fail(&archive->members, entry->place.member, error,
					 "a CLIP that differs from iNDX");
	if (anim_decoded_push(&decoded, sink, error) != 0 ||
	    (ranged && (overlaps = anim_range_of_clip(&range, &clip, &wanted->range, error)) < 0))
		return -1;
	ranged = overlaps > 0 && !anim_range_is_whole(&range, &clip);
	for (size_t i = 0; i < entry->track_count; i++) {
		const struct anim_archive_track *track = &entry->tracks[i];

		if (wanted != NULL && wanted->track != NULL &&
		    !wanted->track(wanted->context, track->node, track->property))
			continue;
		if (push_track(archive, track, ranged ? &range : NULL, sink, error) != 0)
			return -1;
	}
	return 0;
}

int anim_archive_read(struct anim_archive *archive, const struct anim_archive_wanted *wanted, struct anim_sink *sink,
		      struct anim_error *error)
{
	struct anim_archive_place start = {0, 0}, last_tree = {ANIM_ARCHIVE_NOWHERE, 0};
	struct anim_decoded decoded;
	struct anim_record record;

	if (anim_archive_stream_head(archive, &start, error) != 0 || push_run(archive, start, "prog", sink, error) != 0)
		return -1;
	for (size_t i = 0; i < archive->index.clip_count; i++) {
		const struct anim_archive_clip *entry = &archive->index.clips[i];
		bool has_tree = entry->tree.member != ANIM_ARCHIVE_NOWHERE;

		if (wanted != NULL && wanted->clip != NULL && !wanted->clip(wanted->context, entry->name))
			continue;
		if (has_tree && (entry->tree.member != last_tree.member || entry->tree.inner != last_tree.inner)) {
			struct anim_archive_place place = last_tree = entry->tree;

			if (read_record(archive, &place, "TREE", NULL, &record, &decoded, error) != 0 ||
			    anim_decoded_push(&decoded, sink, error) != 0 ||
			    push_run(archive, place, "NODE", sink, error) != 0)
				return -1;
		}
		if (push_clip(archive, wanted, entry, sink, error) != 0)
			return -1;
	}
	return 0;
}
