/* archive_read_plain.c: tracks as they were before they were packed. */
#include "stream/archive_read_plain.h"

#include <string.h>

#include "stream/put.h"
#include "stream/track_record.h"

static bool has_prepared(const struct anim_track_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i].form != 0)
			return true;
	return false;
}

/* Bytes of a row's column when it is plain. */
static uint64_t plain_size(const struct anim_track *track, const struct anim_track_row *row)
{
	struct anim_column_shape shape;

	if (row->form == 0)
		return row->bytes;
	shape = anim_column_shape((enum anim_column)row->id, track->type);
	return (uint64_t)track->n * shape.lanes * shape.width;
}

/* The table in `out` gets the plain form and size of each row. */
static void set_table(const struct anim_track *track, const struct anim_track_rows *rows, struct anim_buffer *out)
{
	uint8_t *table = out->data + out->size - rows->count * ANIM_COLUMN_ROW;

	for (size_t i = 0; i < rows->count; i++) {
		uint64_t size = plain_size(track, &rows->row[i]);

		table[i * ANIM_COLUMN_ROW + 1] = 0;
		memcpy(table + i * ANIM_COLUMN_ROW + 8, &size, 8);
	}
}

static int append_columns(const struct anim_track *track, const struct anim_track_rows *rows, struct anim_buffer *out,
			  struct anim_error *error)
{
	const uint8_t *stored = track->record->bytes + rows->size;

	for (size_t i = 0; i < rows->count; i++) {
		const struct anim_track_row *row = &rows->row[i];
		const void *column = row->form == 0 ? stored : track->column[row->id];

		if (anim_buffer_append(out, column, (size_t)plain_size(track, row), error) != 0 ||
		    anim_buffer_align8(out, error) != 0)
			return -1;
		stored += (row->bytes + 7) & ~(uint64_t)7;
	}
	return 0;
}

int anim_track_plain(const struct anim_track *track, struct anim_buffer *out, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct anim_track head;
	struct anim_track_rows rows;

	out->size = 0;
	if (anim_record_track_head(track->record, &head, &rows, arena, error) != 0)
		return -1;
	if (!has_prepared(&rows))
		return 0;
	if (anim_buffer_append(out, track->record->bytes, rows.size, error) != 0)
		return -1;
	set_table(track, &rows, out);
	if (append_columns(track, &rows, out, error) != 0)
		return -1;
	return anim_put_finish(out, 0, error);
}
