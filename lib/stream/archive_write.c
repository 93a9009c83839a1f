/* archive_write.c: the sink that writes an archive: records split into members, iNDX, END, the trailer. */
#include "stream/columns.h"
#include "stream/members.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- A TRAK as stored in an archive, and as it was before ---- */

struct packed_column {
	uint8_t id;
	bool in_blocks;
	size_t at;         /* in the record: its first byte or, if it is in blocks, its first block */
	size_t block_size; /* the distance between blocks, or 0 on a lattice, whose blocks begin with their sizes */
};

/* A TRAK whose numeric columns are prepared if this makes them smaller. All-zero is empty. Owned. */
struct packed_track {
	struct anim_buffer bytes; /* the complete record */
	struct anim_stretches stretches;
	struct packed_column columns[256];
	size_t column_count;
	bool in_blocks;           /* at least one column is */
	bool keeps_lattice;       /* set by the caller: columns on a lattice do not change */
	struct anim_buffer plain; /* record of a track that had none */
	struct anim_track_rows rows;
	struct anim_arena names; /* of the head that is decoded for the rows */
};

/* Positions in a row of the column table. */
#define ROW_FORM 1u
#define ROW_BYTES 8u

/* Append `size` bytes unchanged, and zeros to 8. */
static int put_plain(struct packed_track *packed, const void *bytes, size_t size, struct anim_error *error)
{
	struct anim_stretch stretch = {(size + 7) & ~(size_t)7, ANIM_DEFLATE_MATCHES, false};

	if (anim_buffer_append(&packed->bytes, bytes, size, error) != 0 ||
	    anim_buffer_align8(&packed->bytes, error) != 0)
		return -1;
	return anim_stretches_add(&packed->stretches, &stretch, error);
}

/* Blocks of codes with so many bits per byte or more are noise. They are stored, because Huffman codes save too little. */
#define NOISE_BITS (1024 * 76 / 10)

/*
 * Append a column on a lattice unchanged, with a stretch for each block. If there are several blocks, each begins a member,
 * so that a reader of a part inflates little else.
 */
static int put_lattice(struct packed_track *packed, struct packed_column *column, const struct anim_track *track,
		       const uint8_t *stored, uint64_t size, struct anim_error *error)
{
	struct anim_stretch stretch = {ANIM_LATTICE_HEAD, ANIM_DEFLATE_MATCHES, false};
	struct anim_entropy bytes;

	column->in_blocks = packed->in_blocks = true;
	column->at += ANIM_LATTICE_HEAD;
	if (anim_buffer_append(&packed->bytes, stored, (size_t)size, error) != 0)
		return -1;
	for (uint64_t at = ANIM_LATTICE_HEAD; at <= size; at += stretch.size) {
		if (anim_stretches_add(&packed->stretches, &stretch, error) != 0)
			return -1;
		if (at == size)
			break;
		stretch.size = anim_lattice_block_bytes(stored + at);
		memset(&bytes, 0, sizeof bytes);
		for (size_t i = 0; i < stretch.size; i++)
			bytes.count[stored[at + i]]++;
		stretch.way = anim_entropy_bits(&bytes, (uint32_t)stretch.size) >= (uint64_t)stretch.size * NOISE_BITS
				  ? ANIM_DEFLATE_STORED
				  : ANIM_DEFLATE_MATCHES;
		stretch.begins_member = track->n > ANIM_LATTICE_BLOCK_KEYS;
	}
	return 0;
}

/* Pack the column whose `size` bytes are at `stored`. Its row begins at `row_at` in the copied table. */
static int put_column(struct packed_track *packed, const struct anim_track *track, size_t row_at, const uint8_t *stored,
		      uint64_t size, struct anim_error *error)
{
	struct packed_column *column = &packed->columns[packed->column_count++];
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
		shape = anim_column_shape_of(column->id, track->type);
		values = track->column[column->id];
	}
	if (row[ROW_FORM] == ANIM_FORM_LATTICE && packed->keeps_lattice)
		return put_lattice(packed, column, track, stored, size, error);
	if (shape.components == 0)
		return put_plain(packed, stored, (size_t)size, error);
	if (anim_form1_gains(values, track->n, shape, &middle)) {
		column->in_blocks = packed->in_blocks = true;
		column->at += ANIM_FORM1_HEAD;
		column->block_size = anim_form1_block_size(ANIM_FORM1_BLOCK_KEYS, shape);
		status = anim_form1_encode(&packed->bytes, &packed->stretches, values, track->n, shape, &middle, error);
		packed_size = packed->bytes.size - (column->at - ANIM_FORM1_HEAD);
	} else {
		packed_size = (uint64_t)track->n * shape.components * shape.width;
		status = put_plain(packed, values, (size_t)packed_size, error);
	}
	if (status != 0)
		return -1;
	packed->bytes.data[row_at + ROW_FORM] = column->in_blocks ? ANIM_FORM_PREPARED : ANIM_FORM_PLAIN;
	memcpy(packed->bytes.data + row_at + ROW_BYTES, &packed_size, sizeof packed_size);
	return 0;
}

/* Pack the track. The packed track that was there before is replaced. */
static int pack_track(struct packed_track *packed, const struct anim_track *track, struct anim_error *error)
{
	const struct anim_record *record = track->record;
	const struct anim_track_rows *rows = &packed->rows;
	struct anim_record own;
	struct anim_track head;
	struct anim_cursor cursor;
	size_t row_at;

	packed->bytes.size = 0;
	packed->column_count = 0;
	packed->in_blocks = false;
	packed->stretches.items.size = 0;
	if (record == NULL) {
		packed->plain.size = 0;
		if (anim_encode_track(&packed->plain, track, error) != 0)
			return -1;
		anim_record_at(packed->plain.data, 0, &own);
		record = &own;
	}
	/* The head and the table of columns are copied. put_column changes its row in the copy. */
	anim_arena_reset(&packed->names);
	if (anim_record_track_head(record, &head, &packed->rows, &packed->names, error) != 0 ||
	    anim_buffer_reserve(&packed->bytes, record->size, error) != 0 ||
	    put_plain(packed, record->bytes, rows->size, error) != 0)
		return -1;
	anim_cursor_init(&cursor, record, NULL, error);
	cursor.at = record->bytes + rows->size;
	row_at = rows->size - rows->count * ANIM_COLUMN_ROW;
	for (size_t i = 0; i < rows->count; i++, row_at += ANIM_COLUMN_ROW) {
		const uint64_t size = rows->row[i].bytes;
		const uint8_t *stored;

		if (anim_cursor_borrow(&cursor, size, &stored) != 0 || anim_cursor_align8(&cursor) != 0 ||
		    put_column(packed, track, row_at, stored, size, error) != 0)
			return -1;
	}
	return anim_put_finish(&packed->bytes, 0, error);
}

static void clear_packed(struct packed_track *packed)
{
	anim_buffer_clear(&packed->bytes);
	anim_buffer_clear(&packed->plain);
	anim_buffer_clear(&packed->stretches.items);
	anim_arena_clear(&packed->names);
	packed->column_count = 0;
}

/* Deflate the bytes of a packed track in members, and add up their sizes. Returns 0 or -1. */
static int add_members(struct anim_deflater *deflater, struct anim_member *member, const struct packed_track *packed,
		       size_t *bytes, struct anim_error *error)
{
	const uint8_t *at = packed->bytes.data;

	for (size_t i = 0; i < anim_stretches_count(&packed->stretches); i++) {
		struct anim_stretch part = *anim_stretches_at(&packed->stretches, i);
		size_t left = part.size;

		for (; left > 0; left -= part.size, at += part.size) {
			size_t room = ANIM_MEMBER_MAX - member->plain_size;

			part.size = left < room ? left : room;
			memcpy(member->plain + member->plain_size, at, part.size);
			if (anim_stretches_add(&member->stretches, &part, error) != 0)
				return -1;
			member->plain_size += part.size;
			if (member->plain_size < ANIM_MEMBER_MAX)
				continue;
			anim_deflater_run(deflater, member);
			*bytes += member->packed_size;
			member->plain_size = member->stretches.items.size = 0;
		}
	}
	if (member->plain_size == 0)
		return 0;
	anim_deflater_run(deflater, member);
	*bytes += member->packed_size;
	return 0;
}

int anim_archive_track_bytes(const struct anim_track *track, bool lattice, size_t *bytes, struct anim_error *error)
{
	struct packed_track packed = {.keeps_lattice = lattice};
	struct anim_deflater *deflater = anim_deflater_new(0, error);
	struct anim_member member = {0};
	int status = deflater == NULL || anim_deflater_thorough(deflater, error) != 0 ? -1 : 0;

	*bytes = 0;
	if (status == 0 && (status = anim_member_init(&member, error)) == 0 &&
	    (status = pack_track(&packed, track, error)) == 0)
		status = add_members(deflater, &member, &packed, bytes, error);
	anim_member_clear(&member);
	anim_deflater_free(deflater);
	clear_packed(&packed);
	return status;
}

double anim_archive_value_bytes(const struct anim_track *track)
{
	const struct anim_column_shape shape = anim_column_shape_of(ANIM_COLUMN_VALUE, track->type);
	struct anim_form1_choice choice;
	size_t keys = track->n < ANIM_FORM1_BLOCK_KEYS ? track->n : ANIM_FORM1_BLOCK_KEYS;

	if (keys == 0 || shape.components == 0)
		return 0;
	anim_form1_choose(&choice, track->value, keys, shape);
	if (choice.is_still || choice.repeats)
		return 0;
	return fmin(choice.plain_bits, choice.prepared_bits) / 8 * ((double)track->n / (double)keys);
}

/* Return the bytes of a row's column in plain form. */
static uint64_t plain_size(const struct anim_track *track, const struct anim_track_row *row)
{
	struct anim_column_shape shape;

	if (row->form == 0)
		return row->bytes;
	shape = anim_column_shape_of((enum anim_column)row->id, track->type);
	return (uint64_t)track->n * shape.components * shape.width;
}

int anim_track_plain(const struct anim_track *track, struct anim_buffer *out, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct anim_track head;
	struct anim_track_rows rows;
	const uint8_t *stored;
	uint8_t *table;
	bool prepared = false;

	out->size = 0;
	if (anim_record_track_head(track->record, &head, &rows, arena, error) != 0)
		return -1;
	for (size_t i = 0; i < rows.count; i++)
		prepared = prepared || rows.row[i].form != 0;
	if (!prepared)
		return 0;
	if (anim_buffer_append(out, track->record->bytes, rows.size, error) != 0)
		return -1;
	/* Each row of the table gets the plain form and its size. */
	table = out->data + out->size - rows.count * ANIM_COLUMN_ROW;
	for (size_t i = 0; i < rows.count; i++) {
		uint64_t size = plain_size(track, &rows.row[i]);

		table[i * ANIM_COLUMN_ROW + ROW_FORM] = 0;
		memcpy(table + i * ANIM_COLUMN_ROW + ROW_BYTES, &size, 8);
	}
	stored = track->record->bytes + rows.size;
	for (size_t i = 0; i < rows.count; i++) {
		const struct anim_track_row *row = &rows.row[i];
		const void *column = row->form == 0 ? stored : track->column[row->id];

		if (anim_buffer_append(out, column, (size_t)plain_size(track, row), error) != 0 ||
		    anim_buffer_align8(out, error) != 0)
			return -1;
		stored += (row->bytes + 7) & ~(uint64_t)7;
	}
	return anim_put_finish(out, 0, error);
}

/* ---- The contents of iNDX, collected while the archive is written ---- */

/*
 * All-zero is empty. It holds the bytes of iNDX with stream offsets instead of positions, and a list of these places:
 * 8 more bytes per position than iNDX takes.
 */
struct index_writer {
	struct anim_buffer fields; /* of clips and tracks, except the number of tracks of a clip */
	struct anim_buffer clips;  /* for each clip, the start of its tracks in `fields` and their number */
	struct anim_buffer places; /* size_t: places of positions in `fields` */
};

struct written_clip {
	size_t at, tracks_at; /* in `fields` */
	uint64_t tracks;
};

static int index_place(struct index_writer *index, uint64_t offset, struct anim_error *error)
{
	const size_t at = index->fields.size;
	const uint32_t inner = offset == ANIM_ARCHIVE_NOWHERE ? UINT32_MAX : 0;

	if (offset != ANIM_ARCHIVE_NOWHERE && anim_buffer_append(&index->places, &at, sizeof at, error) != 0)
		return -1;
	if (anim_buffer_append(&index->fields, &offset, sizeof offset, error) != 0)
		return -1;
	return anim_buffer_append(&index->fields, &inner, sizeof inner, error);
}

static int index_clip(struct index_writer *index, const struct anim_clip *clip, uint64_t at, uint64_t tree_at,
		      struct anim_error *error)
{
	struct written_clip entry = {index->fields.size, 0, 0};

	if (anim_put_text(&index->fields, clip->name, error) != 0 ||
	    anim_buffer_append(&index->fields, &clip->start_s, 4, error) != 0 ||
	    anim_buffer_append(&index->fields, &clip->end_s, 4, error) != 0 || index_place(index, at, error) != 0 ||
	    index_place(index, tree_at, error) != 0)
		return -1;
	entry.tracks_at = index->fields.size;
	return anim_buffer_append(&index->clips, &entry, sizeof entry, error);
}

double anim_archive_key_time(const struct anim_track *track, size_t k)
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

void anim_archive_time_range(const struct anim_track *track, float stored[2])
{
	double range[2] = {INFINITY, -INFINITY};

	for (size_t k = 0; k < track->n && (track->flags & ANIM_UNSORTED); k++)
		widen(range, anim_archive_key_time(track, k));
	if (track->n > 0) {
		widen(range, anim_archive_key_time(track, 0));
		widen(range, anim_archive_key_time(track, track->n - 1));
	}
	stored[0] = range[0] <= range[1] ? (float)range[0] : 0;
	stored[1] = range[0] <= range[1] ? (float)range[1] : -1;
}

/* `packed` holds the record of the track, which begins at `at`. */
static int index_track(struct index_writer *index, const struct anim_track *track, const struct packed_track *packed,
		       uint64_t at, struct anim_error *error)
{
	const uint8_t type[2] = {(uint8_t)track->kind, (uint8_t)track->type};
	const uint32_t block_keys = packed->in_blocks ? ANIM_FORM1_BLOCK_KEYS : 0;
	struct anim_buffer *fields = &index->fields;
	struct written_clip *clips = (struct written_clip *)(void *)index->clips.data;
	float range[2];

	anim_archive_time_range(track, range);
	clips[index->clips.size / sizeof *clips - 1].tracks++;
	if (anim_buffer_append(fields, type, sizeof type, error) != 0 ||
	    anim_put_text(fields, track->node, error) != 0 || anim_put_text(fields, track->property, error) != 0 ||
	    anim_buffer_append(fields, &track->component, 1, error) != 0 ||
	    anim_put_varint(fields, track->n, error) != 0 ||
	    anim_buffer_append(fields, range, sizeof range, error) != 0 || index_place(index, at, error) != 0 ||
	    anim_buffer_append(fields, &block_keys, 4, error) != 0 ||
	    anim_put_varint(fields, packed->column_count, error) != 0)
		return -1;
	for (size_t i = 0; i < packed->column_count; i++) {
		const struct packed_column *column = &packed->columns[i];
		const size_t count = column->in_blocks ? (track->n + block_keys - 1) / block_keys : 1;

		if (anim_buffer_append(fields, &column->id, 1, error) != 0 ||
		    anim_put_varint(fields, count, error) != 0)
			return -1;
		for (size_t k = 0, place = column->at; k < count; k++) {
			float time_s = track->n == 0 ? 0 : (float)anim_archive_key_time(track, k * block_keys);

			if (index_place(index, at + place, error) != 0 ||
			    anim_buffer_append(fields, &time_s, 4, error) != 0)
				return -1;
			place += column->block_size > 0 || !column->in_blocks
				     ? column->block_size
				     : anim_lattice_block_bytes(packed->bytes.data + place);
		}
	}
	return 0;
}

/* Append iNDX. Offsets in its fields become positions of the pool's members, which are all written. */
static int encode_index(struct index_writer *index, const struct anim_member_pool *pool, struct anim_buffer *out,
			struct anim_error *error)
{
	const struct written_clip *clips = (const struct written_clip *)(const void *)index->clips.data;
	const size_t *places = (const size_t *)(const void *)index->places.data;
	const size_t count = index->clips.size / sizeof *clips, start = out->size;

	for (size_t i = 0; i < index->places.size / sizeof *places; i++) {
		uint8_t *field = index->fields.data + places[i];
		struct anim_archive_place at;
		uint64_t offset;

		memcpy(&offset, field, sizeof offset);
		at = anim_member_pool_place(pool, offset);
		memcpy(field, &at.member, sizeof at.member);
		memcpy(field + sizeof at.member, &at.inner, sizeof at.inner);
	}
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

/* ---- The sink ---- */

struct archive_writer {
	struct anim_sink sink;
	struct anim_output *output;
	struct anim_member_pool *pool;
	struct index_writer index;
	struct packed_track packed;
	struct anim_order order;
	bool no_provenance;
	bool lattice;              /* columns on a lattice are kept, which needs version 2 */
	struct anim_buffer bounds; /* the record of their errors, for the end of the archive */
	uint64_t offset;           /* in the inflated stream */
	uint64_t tree_at;          /* of the last TREE */
	bool dropping; /* a known record was dropped: unknown ones are also dropped until the next known one */
	struct anim_buffer small; /* the record being encoded */
};

/* Begin a new member if the current one is not empty. */
static int cut(struct archive_writer *writer, struct anim_error *error)
{
	if (anim_member_pool_current(writer->pool)->plain_size == 0)
		return 0;
	return anim_member_pool_submit(writer->pool, error);
}

/* Add the bytes of one stretch to the current member and to as many new ones as needed. */
static int add_stretch(struct archive_writer *writer, const uint8_t *bytes, const struct anim_stretch *stretch,
		       struct anim_error *error)
{
	struct anim_stretch part = *stretch;
	size_t left = stretch->size;

	if (stretch->begins_member && cut(writer, error) != 0)
		return -1;
	writer->offset += left;
	while (left > 0) {
		struct anim_member *member = anim_member_pool_current(writer->pool);
		size_t room = ANIM_MEMBER_MAX - member->plain_size;

		part.size = left < room ? left : room;
		memcpy(member->plain + member->plain_size, bytes, part.size);
		if (anim_stretches_add(&member->stretches, &part, error) != 0)
			return -1;
		member->plain_size += part.size;
		bytes += part.size;
		left -= part.size;
		part.begins_member = false;
		if (member->plain_size == ANIM_MEMBER_MAX && cut(writer, error) != 0)
			return -1;
	}
	return 0;
}

static int add_bytes(struct archive_writer *writer, const uint8_t *bytes, size_t size, struct anim_error *error)
{
	const struct anim_stretch stretch = {size, ANIM_DEFLATE_MATCHES, false};

	return add_stretch(writer, bytes, &stretch, error);
}

/* Write the head of the stream before its first record, or alone if END is the only record. */
static int begin(struct archive_writer *writer, struct anim_error *error)
{
	uint8_t head[ANIM_STREAM_HEAD];

	memcpy(head, anim_stream_head, sizeof head);
	if (writer->lattice)
		head[6] = ANIM_STREAM_VERSION_LATTICE;
	return writer->offset > 0 ? 0 : add_bytes(writer, head, sizeof head, error);
}

/* Check that a record is allowed here, and count it. */
static int count_record(struct archive_writer *writer, const char *tag, uint64_t length, struct anim_error *error)
{
	return begin(writer, error) != 0 ? -1 : anim_order_next(&writer->order, tag, length, error);
}

static int add_record(struct archive_writer *writer, const struct anim_record *record, struct anim_error *error)
{
	if (count_record(writer, record->tag, record->length, error) != 0)
		return -1;
	return add_bytes(writer, record->bytes, record->size, error);
}

static int write_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct archive_writer *writer = (struct archive_writer *)sink;
	struct anim_record record;

	writer->dropping = false;
	if (begin(writer, error) != 0 || anim_tree_record(&record, tree, &writer->small, error) != 0)
		return -1;
	writer->tree_at = writer->offset;
	return add_record(writer, &record, error);
}

static int write_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct archive_writer *writer = (struct archive_writer *)sink;
	struct anim_record record;

	writer->dropping = false;
	if (anim_node_record(&record, node, writer->order.nodes, &writer->small, error) != 0)
		return -1;
	return add_record(writer, &record, error);
}

static int write_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct archive_writer *writer = (struct archive_writer *)sink;
	uint64_t tree_at = clip->flags & ANIM_IN_TREE ? writer->tree_at : ANIM_ARCHIVE_NOWHERE;
	struct anim_record record;

	writer->dropping = false;
	if (begin(writer, error) != 0 ||
	    anim_clip_record(&record, clip, writer->order.tree, &writer->small, error) != 0 ||
	    index_clip(&writer->index, clip, writer->offset, tree_at, error) != 0)
		return -1;
	return add_record(writer, &record, error);
}

static int write_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct archive_writer *writer = (struct archive_writer *)sink;
	struct packed_track *packed = &writer->packed;
	const uint8_t *at;

	writer->dropping = false;
	if (pack_track(packed, track, error) != 0 ||
	    count_record(writer, "TRAK", packed->bytes.size - ANIM_RECORD_HEAD, error) != 0 ||
	    index_track(&writer->index, track, packed, writer->offset, error) != 0)
		return -1;
	at = packed->bytes.data;
	for (size_t i = 0; i < anim_stretches_count(&packed->stretches); i++) {
		const struct anim_stretch *stretch = anim_stretches_at(&packed->stretches, i);

		if (add_stretch(writer, at, stretch, error) != 0)
			return -1;
		at += stretch->size;
	}
	return 0;
}

/* Records keep their meaning, but not their positions and sizes, so records that describe these are dropped. */
static int write_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct archive_writer *writer = (struct archive_writer *)sink;
	bool describes = record->tag[1] >= 'A' && record->tag[1] <= 'Z';

	if (anim_record_is(record, "prog"))
		writer->dropping = writer->no_provenance;
	if (anim_record_is(record, "iNDX"))
		writer->dropping = true;
	if (anim_record_is(record, ANIM_BOUNDS_TAG) && writer->lattice) {
		writer->bounds.size = 0;
		return anim_buffer_append(&writer->bounds, record->bytes, record->size, error);
	}
	return writer->dropping || describes ? 0 : add_record(writer, record, error);
}

static int write_end(struct anim_sink *sink, struct anim_error *error)
{
	struct archive_writer *writer = (struct archive_writer *)sink;
	uint8_t trailer[ANIM_TRAILER_SIZE];
	struct anim_record record;
	uint64_t member;

	/* iNDX begins a member. Its position in the file is known only now. */
	if (begin(writer, error) != 0 || cut(writer, error) != 0 || anim_member_pool_finish(writer->pool, error) != 0)
		return -1;
	member = anim_member_pool_place(writer->pool, writer->offset).member;
	writer->small.size = 0;
	if (encode_index(&writer->index, writer->pool, &writer->small, error) != 0)
		return -1;
	anim_record_at(writer->small.data, 0, &record);
	if (add_record(writer, &record, error) != 0)
		return -1;
	if (writer->bounds.size > 0) {
		anim_record_at(writer->bounds.data, 0, &record);
		if (add_record(writer, &record, error) != 0)
			return -1;
	}
	if (anim_end_record(&record, &writer->order, &writer->small, error) != 0 ||
	    add_record(writer, &record, error) != 0 || cut(writer, error) != 0 ||
	    anim_member_pool_finish(writer->pool, error) != 0)
		return -1;
	memcpy(trailer, anim_archive_trailer, sizeof trailer);
	memcpy(trailer + ANIM_TRAILER_OFFSET_AT, &member, sizeof member);
	return anim_output_write(writer->output, trailer, sizeof trailer, error);
}

static void free_writer(struct anim_sink *sink)
{
	struct archive_writer *writer = (struct archive_writer *)sink;

	anim_member_pool_free(writer->pool);
	anim_buffer_clear(&writer->index.fields);
	anim_buffer_clear(&writer->index.clips);
	anim_buffer_clear(&writer->index.places);
	clear_packed(&writer->packed);
	anim_buffer_clear(&writer->bounds);
	anim_buffer_clear(&writer->small);
	free(writer);
}

int anim_archive_writer_lattice(struct anim_sink *sink, struct anim_error *error)
{
	struct archive_writer *writer = (struct archive_writer *)sink;

	writer->lattice = writer->packed.keeps_lattice = true;
	return anim_member_pool_thorough(writer->pool, error);
}

struct anim_sink *anim_archive_writer_new(struct anim_output *output, const struct anim_archive_writer_options *options,
					  struct anim_error *error)
{
	static const struct anim_sink_ops ops = {write_tree,   write_node, write_clip, write_track,
						 write_record, write_end,  free_writer};
	struct archive_writer *writer = anim_zeroed(sizeof *writer, error);

	if (writer == NULL)
		return NULL;
	writer->sink.ops = &ops;
	writer->output = output;
	writer->no_provenance = options->no_provenance;
	writer->pool = anim_member_pool_new(output, options->jobs > 0 ? options->jobs : 1, options->level, error);
	if (writer->pool == NULL) {
		free_writer(&writer->sink);
		return NULL;
	}
	return &writer->sink;
}
