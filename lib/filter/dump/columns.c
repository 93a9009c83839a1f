/* columns.c: the keys of a track, one a line, and how its record keeps them. */
#include <string.h>

#include "clip/print.h"
#include "filter/dump/text.h"
#include "stream/fields.h"

static void dump_cell(struct anim_print *print, const struct anim_cell *cell)
{
	switch (cell->kind) {
	case ANIM_CELL_FLOAT:
		anim_print_exact_float(print, cell->single);
		break;
	case ANIM_CELL_DOUBLE:
		anim_print_exact_double(print, cell->wide);
		break;
	case ANIM_CELL_INTEGER:
		anim_print_int64(print, cell->whole);
		break;
	case ANIM_CELL_BOOL:
	case ANIM_CELL_NATURAL:
		anim_print_uint64(print, cell->natural);
		break;
	case ANIM_CELL_WORD:
		anim_print_text(print, cell->text);
		break;
	case ANIM_CELL_TEXT:
		if (cell->text == NULL)
			anim_print_text(print, "null");
		else
			dump_quoted(print, cell->text, cell->length);
	}
}

/* What the column holds of key k, lanes joined by commas. */
static void dump_element(struct anim_print *print, const struct anim_track *track, enum anim_column column, size_t k)
{
	unsigned lanes = anim_cell_lanes(track, column);

	for (unsigned lane = 0; lane < lanes; lane++) {
		struct anim_cell cell = anim_cell_at(track, column, k, lane);

		anim_print_text(print, lane > 0 ? "," : "");
		dump_cell(print, &cell);
	}
}

int dump_columns(struct anim_print *print, const struct anim_track *track)
{
	unsigned present = anim_track_columns(track);

	anim_print_text(print, "\tcolumns");
	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++) {
		if ((present >> i & 1) == 0)
			continue;
		anim_print_text(print, " ");
		anim_print_text(print, anim_column_names[i]);
	}
	anim_print_text(print, "\n");
	for (size_t k = 0; k < track->n && !print->failed; k++) {
		const char *between = "\t";

		for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++) {
			if ((present >> i & 1) == 0)
				continue;
			anim_print_text(print, between);
			dump_element(print, track, (enum anim_column)i, k);
			between = " ";
		}
		anim_print_text(print, "\n");
	}
	return print->failed ? -1 : 0;
}

/* A row of the column table of a TRAK. */
struct row {
	uint8_t id, form;
	uint64_t bytes;
};

/* Moves the cursor to the column table; *rows is how many it has. The record was decoded before, so it is well-formed. */
static int find_table(struct anim_cursor *cursor, uint64_t *rows)
{
	struct anim_attrs attrs;
	const char *name;
	const uint8_t *at;
	uint64_t n;
	uint8_t kind;

	if (anim_cursor_get(cursor, &kind, 1) != 0 || anim_cursor_take(cursor, 1, &at) != 0 ||
	    anim_cursor_name(cursor, &name) != 0 || anim_cursor_name(cursor, &name) != 0 ||
	    anim_cursor_varint(cursor, &n) != 0 || anim_cursor_take(cursor, 6, &at) != 0 ||
	    anim_cursor_attrs(cursor, &attrs) != 0 || anim_cursor_varint(cursor, rows) != 0 ||
	    anim_cursor_align8(cursor) != 0)
		return -1;
	return kind == ANIM_RAW ? anim_cursor_take(cursor, 24, &at) : 0;
}

static int get_row(struct anim_cursor *cursor, struct row *row)
{
	const uint8_t *at;

	if (anim_cursor_take(cursor, ANIM_COLUMN_ROW, &at) != 0)
		return -1;
	row->id = at[0];
	row->form = at[1];
	memcpy(&row->bytes, at + 8, sizeof row->bytes);
	return 0;
}

static size_t pad8(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

/* The orders of the lanes, block after block: what a prepared column has beside its numbers. */
static void dump_prepared(struct anim_print *print, const struct anim_track *track, const struct row *row,
			  const uint8_t *at)
{
	struct anim_column_shape shape = anim_column_shape((enum anim_column)row->id, track->type);
	uint32_t block_keys;

	memcpy(&block_keys, at, sizeof block_keys);
	at += 8;
	anim_print_text(print, "\tprepared ");
	anim_print_text(print, anim_column_names[row->id]);
	dump_count(print, "block", block_keys);
	for (size_t k = 0; k < track->n && !print->failed; k += block_keys) {
		size_t keys = track->n - k < block_keys ? track->n - k : block_keys;

		for (unsigned i = 0; i < shape.lanes; i++) {
			anim_print_text(print, i == 0 ? " " : ",");
			anim_print_uint64(print, at[i]);
		}
		at += pad8(shape.lanes) + pad8(keys * shape.lanes * shape.width);
	}
	anim_print_text(print, "\n");
}

static void dump_other(struct anim_print *print, const struct row *row, const uint8_t *at)
{
	anim_print_text(print, "\tother");
	dump_count(print, "column", row->id);
	dump_count(print, "bytes", row->bytes);
	anim_print_text(print, "\n");
	dump_bytes(print, "\t\t", at, (size_t)row->bytes);
}

int dump_layout(struct anim_print *print, const struct anim_track *track, struct anim_arena *scratch,
		struct anim_error *error)
{
	struct anim_cursor table, columns;
	const uint8_t *at;
	uint64_t rows;

	if (track->record == NULL)
		return 0;
	anim_cursor_init(&table, track->record, scratch, error);
	if (find_table(&table, &rows) != 0)
		return -1;
	columns = table;
	if (anim_cursor_take(&columns, rows * ANIM_COLUMN_ROW, &at) != 0)
		return -1;
	for (uint64_t i = 0; i < rows; i++) {
		struct row row;

		if (get_row(&table, &row) != 0 || anim_cursor_take(&columns, row.bytes, &at) != 0 ||
		    anim_cursor_align8(&columns) != 0)
			return -1;
		if (row.form == 1)
			dump_prepared(print, track, &row, at);
		else if (row.id >= ANIM_COLUMN_OTHERS)
			dump_other(print, &row, at);
	}
	return print->failed ? -1 : 0;
}
