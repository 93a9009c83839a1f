/* csv.c: the two sinks that print comma-separated values: one row for each key, or a table with one row for each time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/print.h"
#include "format/csv/csv.h"
#include "format/wide.h"

/* ---- One row for each key ---- */

#define COMPONENTS 16u /* of the largest type, and the number of value cells in every row */

struct csv_writer {
	struct anim_sink sink;
	struct anim_print print;
	struct anim_diagnostics *diagnostics;
	/* tree: the file of the last TREE, kept: the names of the current clip */
	struct anim_arena tree, kept;
	const char *tree_file, *clip, *player, *file; /* NULL: none yet */
	struct anim_texts texts;                      /* of the current track */
	struct anim_buffer before, after;             /* cells of each row of the current track */
	struct anim_cell_texts times, values;         /* of the current track */
};

static const char head[] = "clip,node,property,component,type,kind,key,time,interp,"
			   "v0,v1,v2,v3,v4,v5,v6,v7,v8,v9,v10,v11,v12,v13,v14,v15,source,player\n";

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct csv_writer *csv = (struct csv_writer *)sink;

	anim_arena_reset(&csv->tree);
	csv->tree_file = anim_arena_text(&csv->tree, tree->source_file, strlen(tree->source_file), error);
	return csv->tree_file == NULL ? -1 : 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct csv_writer *csv = (struct csv_writer *)sink;
	const char *player = anim_attrs_get(&clip->attrs, "player"), *file = anim_clip_file(clip, csv->tree_file);

	csv->print.error = error;
	if (csv->clip == NULL)
		anim_print_text(&csv->print, head);
	anim_arena_reset(&csv->kept);
	csv->clip = anim_arena_text(&csv->kept, clip->name, strlen(clip->name), error);
	csv->player =
	    anim_arena_text(&csv->kept, player == NULL ? "" : player, player == NULL ? 0 : strlen(player), error);
	csv->file = anim_arena_text(&csv->kept, file, strlen(file), error);
	return csv->clip == NULL || csv->player == NULL || csv->file == NULL || csv->print.failed ? -1 : 0;
}

static void text_cell(struct anim_print *print, const char *text)
{
	anim_print_csv(print, text, strlen(text));
	anim_print_text(print, ",");
}

/* File and player were added later and are therefore the last columns. An unknown name is an empty cell without quotes. */
static void optional_cell(struct anim_print *print, const char *text)
{
	anim_print_text(print, ",");
	if (text[0] != '\0')
		anim_print_csv(print, text, strlen(text));
}

_Static_assert(sizeof ",,,,,,,,,,,,,,," == COMPONENTS, "a comma between any two values");

/* A row has at most this room apart from the cells that are the same in all rows, and a text. */
#define ROW_MAX ((COMPONENTS + 4) * (ANIM_NUMBER_MAX + 1))
/* Cells up to this size, of all but the strangest names, are copied with the row. */
#define SAME_MAX 4096u

/* Append number, time and mode of key k. */
static char *put_key(struct csv_writer *csv, const struct anim_track *track, size_t k, char *at)
{
	const char *mode = anim_interp_names[anim_track_interp(track, k)];
	size_t length = strlen(mode);
	double time_s;

	at += anim_number_print_uint64(at, k);
	*at++ = ',';

	/* The time of a key is a float, of a sample the double of its grid, or empty if it is unknown. */
	if (track->time != NULL)
		at = anim_cell_texts_put(&csv->times, k, at);
	else if (time_s = anim_track_time(track, k), !isnan(time_s))
		at += anim_number_print_double(at, time_s);
	*at++ = ',';
	memcpy(at, mode, length);
	at[length] = ',';
	return at + length + 1;
}

static char *put_cells(const struct anim_buffer *cells, char *at)
{
	memcpy(at, cells->data, cells->size);
	return at + cells->size;
}

static int print_row(struct csv_writer *csv, const struct anim_track *track, size_t k)
{
	struct anim_print *print = &csv->print;
	size_t components = csv->values.components, same = csv->before.size + csv->after.size;
	bool at_once = same <= SAME_MAX && track->type != ANIM_STRING;
	struct anim_cell cell;
	char *room, *at;

	if (!at_once)
		anim_print_bytes(print, csv->before.data, csv->before.size);
	room = at = anim_print_room(print, ROW_MAX + (at_once ? same : 0));
	if (room == NULL)
		return -1;
	if (at_once)
		at = put_cells(&csv->before, at);
	at = put_key(csv, track, k, at);
	for (size_t i = k * components, end = i + components; i < end; i++) {
		if (csv->values.values != NULL) {
			at = anim_cell_texts_put(&csv->values, i, at);
		} else {
			cell = anim_cell_at(track, ANIM_COLUMN_VALUE, k, (unsigned)(i - k * components));
			at = anim_cell_put(&cell, at);
		}
		*at++ = ',';
	}
	at--;
	if (at_once)
		at = put_cells(&csv->after, at);
	anim_print_advance(print, (size_t)(at - room));
	if (at_once)
		return 0;

	/* An empty string has quotes, null is an empty cell. */
	if (track->type == ANIM_STRING && cell.text != NULL)
		anim_print_csv(print, cell.text, cell.length);
	anim_print_bytes(print, csv->after.data, csv->after.size);
	return print->failed ? -1 : 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct csv_writer *csv = (struct csv_writer *)sink;
	struct anim_track plain = *track;
	struct anim_strings strings;
	struct anim_print *print = &csv->print;
	int gone = anim_diagnostics_gate(csv->diagnostics, track, true, error);

	print->error = error;
	if (gone != 0)
		return gone < 0 ? -1 : 0;
	if (anim_texts_are_quoted(track)) {
		anim_texts_reset(&csv->texts);
		if (anim_texts_unquote(&csv->texts, track, error) != 0)
			return -1;
		anim_texts_view(&csv->texts, &strings);
		plain.strings = &strings;
		track = &plain;
	}

	/* The cells before the number of a key, and those after its values, are the same in all rows. */
	struct anim_print before = {.buffer = &csv->before, .error = error};
	struct anim_print after = {.buffer = &csv->after, .error = error};
	unsigned components = anim_cell_components(track, ANIM_COLUMN_VALUE);

	csv->before.size = csv->after.size = 0;
	text_cell(&before, csv->clip);
	text_cell(&before, track->node);
	text_cell(&before, track->property);
	if (track->component != ANIM_WHOLE)
		anim_print_uint64(&before, track->component);
	anim_print_text(&before, ",");
	text_cell(&before, anim_types[track->type].name);
	text_cell(&before, anim_kind_names[track->kind]);
	anim_print_text(&after, &",,,,,,,,,,,,,,,"[components - 1]);
	optional_cell(&after, csv->file);
	optional_cell(&after, csv->player);
	anim_print_text(&after, "\n");
	print->failed |= before.failed || after.failed;

	anim_cell_texts_begin(&csv->times, track, track->time != NULL ? ANIM_COLUMN_TIME : ANIM_COLUMN_VALUE);
	anim_cell_texts_begin(&csv->values, track, ANIM_COLUMN_VALUE);
	for (size_t k = 0; k < track->n; k++)
		if (print_row(csv, track, k) != 0)
			return -1;
	return print->failed ? -1 : 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct csv_writer *csv = (struct csv_writer *)sink;

	if (csv->clip == NULL)
		return anim_fail_no_clip(error);
	return anim_diagnostics_check(csv->diagnostics, error);
}

static void free_csv(struct anim_sink *sink)
{
	struct csv_writer *csv = (struct csv_writer *)sink;

	anim_arena_clear(&csv->tree);
	anim_arena_clear(&csv->kept);
	anim_texts_clear(&csv->texts);
	anim_buffer_clear(&csv->before);
	anim_buffer_clear(&csv->after);
	free(csv);
}

struct anim_sink *anim_csv_writer_new(struct anim_output *out, struct anim_diagnostics *diagnostics,
				      struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .clip = on_clip, .track = on_track, .end = on_end, .free = free_csv};
	struct csv_writer *csv = anim_zeroed(sizeof *csv, error);

	if (csv == NULL)
		return NULL;
	csv->sink.ops = &ops;
	csv->print.out = out;
	csv->diagnostics = diagnostics;
	return &csv->sink;
}

/* ---- One row for each time, one column for each component of each track ---- */

#define BLOCK_BYTES ((size_t)1 << 20) /* size of the cells that are printed between two reads of the spool */

struct csv_wide {
	struct anim_sink sink;
	struct anim_print print;
	struct anim_wide wide;
	struct anim_buffer block; /* the columns of some rows, each with room for the widest cells */
};

static int wide_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_wide_clip(&((struct csv_wide *)sink)->wide, clip, "a table", error);
}

static int wide_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_wide_add(&((struct csv_wide *)sink)->wide, track, error);
}

static int print_rows(struct csv_wide *csv, size_t first, size_t count, struct anim_error *error)
{
	const struct anim_wide_column *columns = anim_wide_columns(&csv->wide);
	size_t column_count = anim_wide_column_count(&csv->wide), stride = count * sizeof(double);

	for (size_t i = 0; i < column_count; i++)
		if (anim_wide_read(&csv->wide, i, first, count, csv->block.data + i * stride, error) != 0)
			return -1;
	for (size_t row = 0; row < count && !csv->print.failed; row++) {
		anim_print_double(&csv->print, anim_wide_times(&csv->wide)[first + row]);
		for (size_t i = 0; i < column_count; i++) {
			struct anim_print *print = &csv->print;
			enum anim_wide_scalar scalar = columns[i].scalar;
			const uint8_t *cells = csv->block.data + i * stride;

			anim_print_text(print, ",");
			if (scalar <= ANIM_WIDE_SMALL)
				anim_print_float(print, ((const float *)(const void *)cells)[row]);
			else if (scalar == ANIM_WIDE_DOUBLE)
				anim_print_double(print, ((const double *)(const void *)cells)[row]);
			else if (scalar == ANIM_WIDE_SIGNED)
				anim_print_int64(print, ((const int64_t *)(const void *)cells)[row]);
			else
				anim_print_uint64(print, ((const uint64_t *)(const void *)cells)[row]);
		}
		anim_print_text(&csv->print, "\n");
	}
	return csv->print.failed ? -1 : 0;
}

static int wide_end(struct anim_sink *sink, struct anim_error *error)
{
	struct csv_wide *csv = (struct csv_wide *)sink;
	size_t rows, columns, at_once, size;

	if (anim_wide_end(&csv->wide, error) != 0)
		return -1;
	csv->print.error = error;
	rows = anim_wide_rows(&csv->wide);
	columns = anim_wide_column_count(&csv->wide);
	at_once = BLOCK_BYTES / sizeof(double) / (columns > 0 ? columns : 1);
	at_once = at_once < 1 ? 1 : at_once < rows ? at_once : rows;
	if (anim_size_multiply(at_once * sizeof(double), columns, &size, error) != 0 ||
	    anim_buffer_reserve(&csv->block, size, error) != 0)
		return -1;
	anim_print_text(&csv->print, "time");
	for (size_t i = 0; i < anim_wide_column_count(&csv->wide); i++) {
		const char *name = anim_wide_name(&csv->wide, i);

		anim_print_text(&csv->print, ",");
		anim_print_csv(&csv->print, name, strlen(name));
	}
	anim_print_text(&csv->print, "\n");
	for (size_t first = 0; first < rows; first += at_once)
		if (print_rows(csv, first, rows - first < at_once ? rows - first : at_once, error) != 0)
			return -1;
	return csv->print.failed ? -1 : 0;
}

static void free_wide(struct anim_sink *sink)
{
	struct csv_wide *csv = (struct csv_wide *)sink;

	anim_wide_clear(&csv->wide);
	anim_buffer_clear(&csv->block);
	free(csv);
}

struct anim_sink *anim_csv_wide_writer_new(struct anim_output *out, size_t memory_max,
					   struct anim_diagnostics *diagnostics, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .clip = wide_clip, .track = wide_track, .end = wide_end, .free = free_wide};
	struct csv_wide *csv = anim_sink_new(sizeof *csv, &ops, error);

	if (csv == NULL)
		return NULL;
	csv->print.out = out;
	anim_wide_init(&csv->wide, memory_max, diagnostics);
	return &csv->sink;
}

/* ---- Recognising both ---- */

/*
 * Return whether a line is like "time,Skeleton3D:Hips position.x": after the time a column name with a blank between
 * node and property.
 */
static bool is_wide(const uint8_t *bytes, size_t size)
{
	static const char begin[] = "time,";
	const uint8_t *name = bytes + sizeof begin - 1, *end;

	if (!anim_bytes_begin(bytes, size, begin))
		return false;
	size -= sizeof begin - 1;
	end = memchr(name, ',', size);
	return memchr(name, ' ', end == NULL ? size : (size_t)(end - name)) != NULL;
}

bool anim_csv_is(const uint8_t *bytes, size_t size)
{
	const uint8_t *end = memchr(bytes, '\n', size);

	if (is_wide(bytes, size))
		return true;
	return end != NULL &&
	       anim_text_find(bytes, (size_t)(end - bytes), ",node,property,component,type,kind,") != NULL;
}
