/* archive_track.c: a TRAK record as an archive holds it. */
#include "stream/archive_track.h"

#include <string.h>

#include "stream/form1_encode.h"
#include "stream/put.h"

#define ROW_FORM 1u
#define ROW_BYTES 8u

/* Appends `size` bytes as they are, and zeros to 8. */
static int put_plain(struct anim_packed_track *packed, const void *bytes, size_t size, struct anim_error *error)
{
	struct anim_stretch stretch = {(size + 7) & ~(size_t)7, ANIM_DEFLATE_MATCHES, false};

	if (anim_buffer_append(&packed->bytes, bytes, size, error) != 0 ||
	    anim_buffer_align8(&packed->bytes, error) != 0)
		return -1;
	return anim_stretches_add(&packed->stretches, &stretch, error);
}

/* Packs the column of row `i`, whose `size` bytes stand at `stored`. */
static int put_column(struct anim_packed_track *packed, const struct anim_track *track, size_t row_at,
		      const uint8_t *stored, uint64_t size, struct anim_error *error)
{
	struct anim_packed_column *column = &packed->columns[packed->column_count++];
	const uint8_t *row = packed->bytes.data + row_at;
	struct anim_column_shape shape = {0, 0};
	struct anim_form1_choice middle;
	const void *values = NULL;
	uint64_t packed_size;
	int status;

	memset(column, 0, sizeof *column);
	column->id = row[0];
	column->at = packed->bytes.size;
	if (column->id < ANIM_COLUMN_COUNT && track->n > 0) {
		shape = anim_column_shape(column->id, track->type);
		values = track->column[column->id];
	}
	if (shape.lanes == 0)
		return put_plain(packed, stored, (size_t)size, error);
	if (anim_form1_gains(values, track->n, shape, &middle)) {
		column->is_prepared = packed->is_prepared = true;
		column->at += ANIM_FORM1_HEAD;
		column->lanes = shape.lanes;
		column->width = shape.width;
		status = anim_form1_encode(&packed->bytes, &packed->stretches, values, track->n, shape, &middle, error);
		packed_size = packed->bytes.size - (column->at - ANIM_FORM1_HEAD);
	} else {
		packed_size = (uint64_t)track->n * shape.lanes * shape.width;
		status = put_plain(packed, values, (size_t)packed_size, error);
	}
	if (status != 0)
		return -1;
	packed->bytes.data[row_at + ROW_FORM] = column->is_prepared;
	memcpy(packed->bytes.data + row_at + ROW_BYTES, &packed_size, sizeof packed_size);
	return 0;
}

static int put_columns(struct anim_packed_track *packed, const struct anim_track *track,
		       const struct anim_record *record, const struct anim_track_rows *rows, struct anim_error *error)
{
	const size_t table_at = rows->size - rows->count * ANIM_COLUMN_ROW;
	struct anim_cursor cursor;

	anim_cursor_init(&cursor, record, NULL, error);
	cursor.at = record->bytes + rows->size;
	for (size_t i = 0; i < rows->count; i++) {
		const uint64_t size = rows->row[i].bytes;
		const uint8_t *stored;

		if (anim_cursor_take(&cursor, size, &stored) != 0 || anim_cursor_align8(&cursor) != 0 ||
		    put_column(packed, track, table_at + i * ANIM_COLUMN_ROW, stored, size, error) != 0)
			return -1;
	}
	return 0;
}

static int pack_record(struct anim_packed_track *packed, const struct anim_track *track,
		       const struct anim_record *record, struct anim_error *error)
{
	struct anim_track head;

	anim_arena_reset(&packed->names);
	if (anim_record_track_head(record, &head, &packed->rows, &packed->names, error) != 0 ||
	    anim_buffer_reserve(&packed->bytes, record->size, error) != 0 ||
	    put_plain(packed, record->bytes, packed->rows.size, error) != 0 ||
	    put_columns(packed, track, record, &packed->rows, error) != 0)
		return -1;
	return anim_put_finish(&packed->bytes, 0, error);
}

int anim_packed_track_make(struct anim_packed_track *packed, const struct anim_track *track, struct anim_error *error)
{
	struct anim_record own;

	packed->bytes.size = 0;
	packed->column_count = 0;
	packed->is_prepared = false;
	anim_stretches_reset(&packed->stretches);
	if (track->record != NULL)
		return pack_record(packed, track, track->record, error);
	packed->plain.size = 0;
	if (anim_encode_track(&packed->plain, track, error) != 0)
		return -1;
	anim_record_at(packed->plain.data, 0, &own);
	return pack_record(packed, track, &own, error);
}

void anim_packed_track_clear(struct anim_packed_track *packed)
{
	anim_buffer_clear(&packed->bytes);
	anim_buffer_clear(&packed->plain);
	anim_stretches_clear(&packed->stretches);
	anim_arena_clear(&packed->names);
	packed->column_count = 0;
}
