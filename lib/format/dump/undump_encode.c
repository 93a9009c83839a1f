/* undump_encode.c: a track's lines as its record: forms, modes and columns as they are told, none of it chosen anew. */
#include <string.h>

#include "format/dump/undump_internal.h"
#include "stream/fields.h"

static int put_prepared(struct undump *undump, unsigned id)
{
	struct undump_track *track = &undump->track;
	struct anim_column_shape shape = anim_column_shape((enum anim_column)id, track->head.type);
	const uint8_t *keys = track->column[id].data, *orders = track->orders[id].data;
	const uint32_t head[2] = {track->block_keys[id], 0};

	if (anim_buffer_append(&undump->bytes, head, sizeof head, undump->error) != 0)
		return -1;
	for (size_t done = 0; done < track->head.n; done += head[0]) {
		size_t count = track->head.n - done < head[0] ? track->head.n - done : head[0];
		uint64_t size = anim_form1_column_size(count, head[0], shape) - sizeof head;
		uint8_t *block = anim_buffer_extend(&undump->bytes, (size_t)size, undump->error);

		if (block == NULL)
			return -1;
		anim_form1_prepare_block(block, keys, count, shape, orders);
		keys += count * shape.lanes * shape.width;
		orders += shape.lanes;
	}
	return 0;
}

static int put_column(struct undump *undump, unsigned id)
{
	struct undump_track *track = &undump->track;
	struct anim_buffer *bytes = &undump->bytes, *column = &track->column[id];

	if (track->prepared >> id & 1)
		return put_prepared(undump, id);
	if (anim_buffer_append(bytes, column->data, column->size, undump->error) != 0)
		return -1;
	if (id != ANIM_COLUMN_VALUE || track->head.type != ANIM_STRING || track->head.n == 0)
		return 0;
	if (anim_buffer_align8(bytes, undump->error) != 0)
		return -1;
	return anim_buffer_append(bytes, track->strings.data, track->strings.size, undump->error);
}

/* Fills the row of a column that begins at `start` and ends here, and pads it. */
static int end_column(struct undump *undump, size_t row_at, unsigned id, bool prepared, size_t start)
{
	uint8_t row[ANIM_COLUMN_ROW] = {(uint8_t)id, prepared};
	uint64_t size = undump->bytes.size - start;

	memcpy(row + 8, &size, sizeof size);
	memcpy(undump->bytes.data + row_at, row, sizeof row);
	return anim_buffer_align8(&undump->bytes, undump->error);
}

int undump_encode(struct undump *undump)
{
	struct undump_track *track = &undump->track;
	struct anim_buffer *bytes = &undump->bytes;
	unsigned columns = (unsigned)__builtin_popcount(track->present) + (unsigned)track->other_count;
	size_t row_at, start;
	void *table;

	if (anim_put_track_fields(bytes, &track->head, columns, undump->error) != 0)
		return -1;
	row_at = bytes->size;
	table = anim_buffer_extend(bytes, columns * ANIM_COLUMN_ROW, undump->error);
	if (table == NULL)
		return -1;
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++) {
		if ((track->present >> id & 1) == 0)
			continue;
		start = bytes->size;
		if (put_column(undump, id) != 0 ||
		    end_column(undump, row_at, id, (track->prepared >> id & 1) != 0, start) != 0)
			return -1;
		row_at += ANIM_COLUMN_ROW;
	}
	for (size_t i = 0; i < track->other_count; i++) {
		const struct undump_other *other = &track->other[i];
		const uint8_t *from = other->size == 0 ? NULL : track->others.data + other->at;

		start = bytes->size;
		if (anim_buffer_append(bytes, from, other->size, undump->error) != 0 ||
		    end_column(undump, row_at, other->id, false, start) != 0)
			return -1;
		row_at += ANIM_COLUMN_ROW;
	}
	return anim_put_finish(bytes, 0, undump->error);
}
