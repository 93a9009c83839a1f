/* wide_writer.c: the sink that prints a clip as one table of comma-separated values: a row a time, a column a component. */
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "format/csv/csv.h"
#include "format/wide.h"

#define BLOCK_BYTES ((size_t)1 << 20) /* of cells that are printed between two visits of the spool */

struct csv_wide {
	struct anim_sink sink;
	struct anim_print print;
	struct anim_wide wide;
	struct anim_buffer block; /* the columns of some rows, each as wide as all of them are at most */
};

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_wide_clip(&((struct csv_wide *)sink)->wide, clip, "a table", error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_wide_add(&((struct csv_wide *)sink)->wide, track, error);
}

static void print_head(struct csv_wide *csv)
{
	anim_print_text(&csv->print, "time");
	for (size_t i = 0; i < anim_wide_column_count(&csv->wide); i++) {
		const char *name = anim_wide_name(&csv->wide, i);

		anim_print_text(&csv->print, ",");
		anim_print_csv(&csv->print, name, strlen(name));
	}
	anim_print_text(&csv->print, "\n");
}

static void print_cell(struct anim_print *print, enum anim_wide_scalar scalar, const uint8_t *cells, size_t row)
{
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

static int print_rows(struct csv_wide *csv, size_t first, size_t count, struct anim_error *error)
{
	const struct anim_wide_column *columns = anim_wide_columns(&csv->wide);
	size_t column_count = anim_wide_column_count(&csv->wide), stride = count * sizeof(double);

	for (size_t i = 0; i < column_count; i++)
		if (anim_wide_read(&csv->wide, i, first, count, csv->block.data + i * stride, error) != 0)
			return -1;
	for (size_t row = 0; row < count && !csv->print.failed; row++) {
		anim_print_double(&csv->print, anim_wide_times(&csv->wide)[first + row]);
		for (size_t i = 0; i < column_count; i++)
			print_cell(&csv->print, columns[i].scalar, csv->block.data + i * stride, row);
		anim_print_text(&csv->print, "\n");
	}
	return csv->print.failed ? -1 : 0;
}

static int print_table(struct csv_wide *csv, struct anim_error *error)
{
	size_t rows = anim_wide_rows(&csv->wide), columns = anim_wide_column_count(&csv->wide);
	size_t at_once = BLOCK_BYTES / sizeof(double) / (columns > 0 ? columns : 1), size;

	at_once = at_once < 1 ? 1 : at_once < rows ? at_once : rows;
	if (anim_size_multiply(at_once * sizeof(double), columns, &size, error) != 0 ||
	    anim_buffer_reserve(&csv->block, size, error) != 0)
		return -1;
	print_head(csv);
	for (size_t first = 0; first < rows; first += at_once)
		if (print_rows(csv, first, rows - first < at_once ? rows - first : at_once, error) != 0)
			return -1;
	return csv->print.failed ? -1 : 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct csv_wide *csv = (struct csv_wide *)sink;

	if (anim_wide_end(&csv->wide, error) != 0)
		return -1;
	csv->print.error = error;
	return print_table(csv, error);
}

static void free_csv(struct anim_sink *sink)
{
	struct csv_wide *csv = (struct csv_wide *)sink;

	anim_wide_clear(&csv->wide);
	anim_buffer_clear(&csv->block);
	free(csv);
}

struct anim_sink *anim_csv_wide_writer_new(struct anim_output *out, size_t memory_max,
					   struct anim_diagnostics *diagnostics, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = on_clip, .track = on_track, .end = on_end, .free = free_csv};
	struct csv_wide *csv = anim_sink_new(sizeof *csv, &ops, error);

	if (csv == NULL)
		return NULL;
	csv->print.out = out;
	anim_wide_init(&csv->wide, memory_max, diagnostics);
	return &csv->sink;
}
