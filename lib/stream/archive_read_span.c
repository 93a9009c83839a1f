/* archive_read_span.c: some keys of a track, out of the blocks that hold them. */
#include <string.h>

#include "base/limits.h"
#include "stream/archive_read_internal.h"
#include "stream/form1_encode.h"

#define PIECE 16384u /* keys of a plain column looked at together */

/* Keys first .. first + count - 1 of a numeric column. */
struct keys {
	const struct anim_archive_track *entry;
	const struct anim_archive_column *column;
	uint8_t form;
	struct anim_column_shape shape;
	size_t first, count;
};

static struct keys keys_of(const struct anim_archive_head *head, size_t row, size_t first, size_t count)
{
	uint8_t id = head->rows.row[row].id;

	return (struct keys){head->entry,
			     &head->entry->columns[row],
			     head->rows.row[row].form,
			     anim_column_shape((enum anim_column)id, head->track.type),
			     first,
			     count};
}

static size_t key_size(const struct keys *keys)
{
	return (size_t)keys->shape.lanes * keys->shape.width;
}

static int read_plain(struct anim_archive *archive, const struct keys *keys, struct anim_buffer *out,
		      struct anim_error *error)
{
	const struct anim_archive_block *block = &keys->column->blocks[0];
	struct anim_archive_place place = {block->member, block->inner};
	uint64_t size = key_size(keys);

	if (anim_members_advance(&archive->members, &place, keys->first * size, error) != 0)
		return -1;
	return anim_members_append(&archive->members, &place, keys->count * size, out, error);
}

/* Appends the keys `from` to `to` (not included) of one block. */
static int read_block(struct anim_archive *archive, const struct keys *keys, size_t number, size_t from, size_t to,
		      struct anim_buffer *out, struct anim_error *error)
{
	const struct anim_archive_block *block = &keys->column->blocks[number];
	struct anim_archive_place place = {block->member, block->inner};
	size_t start = number * keys->entry->block_keys, left = keys->entry->n - start, size = key_size(keys);
	size_t count = left < keys->entry->block_keys ? left : keys->entry->block_keys;
	struct anim_record record = {.tag = "TRAK"};
	struct anim_cursor cursor;
	uint8_t *plain;

	archive->scratch.size = 0;
	if (anim_members_advance(&archive->members, &place, 0, error) != 0 ||
	    anim_members_append(&archive->members, &place, anim_form1_block_size(count, keys->shape), &archive->scratch,
				error) != 0 ||
	    (plain = anim_buffer_extend(out, count * size, error)) == NULL)
		return -1;
	record.bytes = archive->scratch.data;
	anim_cursor_init(&cursor, &record, NULL, error);
	cursor.at = archive->scratch.data;
	cursor.end = cursor.at + archive->scratch.size;
	if (anim_form1_undo_block(&cursor, plain, count, keys->shape) != 0)
		return anim_members_place(&archive->members, block->member, error);
	if (keys->column->id == ANIM_COLUMN_TIME && memcmp(plain, &block->time_s, sizeof block->time_s) != 0)
		return anim_members_fail(&archive->members, block->member, error,
					 "a block that does not begin at the time that iNDX tells");
	memmove(plain, plain + (from - start) * size, (to - from) * size);
	out->size -= (count - (to - from)) * size;
	return 0;
}

static int read_keys(struct anim_archive *archive, const struct keys *keys, struct anim_buffer *out,
		     struct anim_error *error)
{
	size_t at = keys->first, end = keys->first + keys->count;

	if (keys->form == 0)
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

/* The place of the time column in the table, which stands first where it stands; -1 without it. */
static int check_has_times(const struct anim_archive *archive, const struct anim_archive_head *head,
			   struct anim_error *error)
{
	if (head->rows.count > 0 && head->rows.row[0].id == ANIM_COLUMN_TIME)
		return 0;
	return anim_members_fail(&archive->members, head->entry->place.member, error, "column 0 of a TRAK is missing");
}

/* A plain time column is read from its beginning to the first key behind the range. */
static int count_plain(struct anim_archive *archive, const struct anim_archive_head *head,
		       const struct anim_range *range, struct anim_span_counts *counts, struct anim_error *error)
{
	struct anim_buffer *times = &archive->columns[ANIM_COLUMN_TIME];

	*counts = (struct anim_span_counts){0, 0, 0};
	for (size_t done = 0; done < head->track.n;) {
		size_t count = head->track.n - done < PIECE ? head->track.n - done : PIECE;
		struct keys keys = keys_of(head, 0, done, count);
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

/* The last block that begins before the limit, or (`with`) at it too; block 0 where none does. */
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

/* The counts as far as one block tells them, with all keys of the blocks before it. */
static int count_block(struct anim_archive *archive, const struct anim_archive_head *head, size_t block,
		       const struct anim_range *range, struct anim_span_counts *counts, struct anim_error *error)
{
	struct anim_buffer *times = &archive->columns[ANIM_COLUMN_TIME];
	size_t start = block * head->entry->block_keys, left = head->track.n - start;
	size_t count = left < head->entry->block_keys ? left : head->entry->block_keys;
	struct keys keys = keys_of(head, 0, start, count);

	times->size = 0;
	if (read_keys(archive, &keys, times, error) != 0)
		return -1;
	anim_span_count(counts, (const float *)(const void *)times->data, count, range);
	counts->before_start += start;
	counts->to_start += start;
	counts->to_end += start;
	return 0;
}

int anim_archive_count(struct anim_archive *archive, const struct anim_archive_head *head,
		       const struct anim_range *range, struct anim_span_counts *counts, struct anim_error *error)
{
	const struct anim_archive_column *column = head->entry->columns;
	struct anim_span_counts one;
	size_t before, to, end;

	if (check_has_times(archive, head, error) != 0)
		return -1;
	if (head->rows.row[0].form == 0)
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

/* Adds up string lengths, each within its limit. */
static int add_lengths(const struct anim_archive *archive, const struct anim_archive_head *head,
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

/* Bytes of the strings before the span. */
static int skip_texts(struct anim_archive *archive, const struct anim_archive_head *head, struct keys lengths,
		      uint64_t *before, struct anim_error *error)
{
	size_t end = lengths.first;

	*before = 0;
	for (lengths.first = 0; lengths.first < end; lengths.first += lengths.count) {
		lengths.count = end - lengths.first < PIECE ? end - lengths.first : PIECE;
		archive->scratch.size = 0;
		if (read_plain(archive, &lengths, &archive->scratch, error) != 0 ||
		    add_lengths(archive, head, &archive->scratch, before, error) != 0)
			return -1;
	}
	return 0;
}

static int set_starts(struct anim_archive *archive, size_t count, uint64_t total, struct anim_track *out,
		      struct anim_error *error)
{
	const uint32_t *length = (const uint32_t *)(const void *)archive->columns[ANIM_COLUMN_VALUE].data;
	uint64_t at = 0, *start;

	archive->starts.size = 0;
	if (anim_buffer_reserve(&archive->starts, 1, error) != 0) /* no strings are an array too */
		return -1;
	start = anim_buffer_extend(&archive->starts, count * sizeof *start, error);
	if (start == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		start[i] = at;
		at += length[i] == ANIM_NULL_STRING ? 0 : length[i];
	}
	archive->strings = (struct anim_strings){
	    length, start, archive->texts.size == 0 ? "" : (const char *)archive->texts.data, total};
	out->strings = &archive->strings;
	return 0;
}

/* The strings of the span: n lengths, zeros to 8, the bytes of all. */
static int read_texts(struct anim_archive *archive, const struct anim_archive_head *head, size_t row,
		      const struct anim_span *span, struct anim_track *out, struct anim_error *error)
{
	struct keys lengths = keys_of(head, row, span->first, span->count);
	const struct anim_archive_block *block = &lengths.column->blocks[0];
	struct anim_archive_place place = {block->member, block->inner};
	struct anim_buffer *kept = &archive->columns[ANIM_COLUMN_VALUE];
	uint64_t before, total = 0, bytes_at = ((uint64_t)head->track.n * 4 + 7) & ~(uint64_t)7;

	lengths.shape = (struct anim_column_shape){1, 4};
	archive->texts.size = 0;
	if (anim_buffer_reserve(kept, 1, error) != 0 || skip_texts(archive, head, lengths, &before, error) != 0 ||
	    read_keys(archive, &lengths, kept, error) != 0 || add_lengths(archive, head, kept, &total, error) != 0)
		return -1;
	if (bytes_at > head->rows.row[row].bytes || before + total > head->rows.row[row].bytes - bytes_at)
		return anim_members_fail(&archive->members, head->entry->place.member, error,
					 "a string column of %llu bytes, its lengths say more",
					 (unsigned long long)head->rows.row[row].bytes);
	if (total > 0 && (anim_members_advance(&archive->members, &place, bytes_at + before, error) != 0 ||
			  anim_members_append(&archive->members, &place, total, &archive->texts, error) != 0))
		return -1;
	return set_starts(archive, span->count, total, out, error);
}

static void set_columns(struct anim_track *out, struct anim_buffer columns[ANIM_COLUMN_COUNT], unsigned present)
{
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++)
		out->column[id] = present & 1u << id && (id != ANIM_COLUMN_VALUE || out->type != ANIM_STRING)
				      ? columns[id].data
				      : NULL;
}

static int read_columns(struct anim_archive *archive, const struct anim_archive_head *head,
			const struct anim_span *span, struct anim_track *out, unsigned *present,
			struct anim_error *error)
{
	*present = 0;
	for (size_t row = 0; row < head->rows.count; row++) {
		uint8_t id = head->rows.row[row].id;
		struct keys keys;

		if (id >= ANIM_COLUMN_COUNT)
			continue;
		*present |= 1u << id;
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
	return 0;
}

int anim_archive_read_span(struct anim_archive *archive, const struct anim_archive_head *head,
			   const struct anim_span *span, struct anim_track *out, struct anim_error *error)
{
	enum anim_field field;
	unsigned present;

	*out = head->track;
	out->record = NULL;
	out->n = span->count;
	if (out->kind == ANIM_RAW && span->first > 0)
		out->start_s = anim_track_time(&head->track, span->first);
	if (read_columns(archive, head, span, out, &present, error) != 0)
		return -1;
	set_columns(out, archive->columns, present);
	if (anim_track_check_columns(out, present, &field, error) != 0)
		return anim_members_place(&archive->members, head->entry->place.member, error);
	return 0;
}
