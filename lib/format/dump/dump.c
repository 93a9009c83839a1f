/* dump.c: tracks as text, a line a key. */
#include "format/dump/dump.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/print.h"
#include "base/text.h"
#include "clip/print.h"
#include "clip/track.h"
#include "stream/fields.h"
#include "stream/record.h"

/* --- Words, numbers and quoted texts of anim-dump --- */

#define BYTES_A_LINE 32u

/* " name=" */
static void dump_name(struct anim_print *print, const char *name)
{
	anim_print_texts(print, " ", name, "=");
}

/* One code point, or a byte that is none: as it is where it is safe to show, else escaped. */
static void quote_one(struct anim_print *print, const char *text, size_t length)
{
	char safe[32];

	if (*text == '\n')
		anim_print_text(print, "\\n");
	else if (*text == '\t')
		anim_print_text(print, "\\t");
	else if (*text == '"' || *text == '\\')
		anim_print_bytes(print, (const char[2]){'\\', *text}, 2);
	else {
		anim_text_safe(safe, sizeof safe, text, length);
		anim_print_text(print, safe);
	}
}

static bool is_plain(char c)
{
	return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

/* "text" in quotes: \" \\ and, for all that is not safe to show, \n, \t, \xNN. */
static void dump_quoted(struct anim_print *print, const char *text, size_t length)
{
	size_t at = 0;

	anim_print_text(print, "\"");
	while (at < length) {
		size_t run = at, one;
		uint32_t code;

		while (run < length && is_plain(text[run]))
			run++;
		anim_print_bytes(print, text + at, run - at);
		at = run;
		if (at == length)
			break;
		one = anim_utf8_decode((const uint8_t *)text + at, length - at, &code);
		one = one == 0 ? 1 : one;
		quote_one(print, text + at, one);
		at += one;
	}
	anim_print_text(print, "\"");
}

/* " name=..." with a quoted text, a word, a whole number. */
static void dump_text(struct anim_print *print, const char *name, const char *text)
{
	dump_name(print, name);
	dump_quoted(print, text, strlen(text));
}

static void dump_word(struct anim_print *print, const char *name, const char *word)
{
	anim_print_texts(print, " ", name, "=", word);
}

static void dump_count(struct anim_print *print, const char *name, uint64_t value)
{
	dump_name(print, name);
	anim_print_uint64(print, value);
}

/* " name=a,b,c" of the names whose bits are set, "-" where there is none. */
static void dump_bits(struct anim_print *print, const char *name, unsigned bits, const char *const *names,
		      unsigned count)
{
	dump_name(print, name);
	anim_print_bits(print, bits, names, count, ",");
	anim_print_text(print, bits == 0 ? "-" : "");
}

/* "\tattr "key" "value"\n" each. */
static void dump_attrs(struct anim_print *print, const struct anim_attrs *attrs)
{
	for (size_t i = 0; i < attrs->count; i++) {
		anim_print_text(print, "\tattr ");
		dump_quoted(print, attrs->items[i].key, strlen(attrs->items[i].key));
		anim_print_text(print, " ");
		dump_quoted(print, attrs->items[i].value, strlen(attrs->items[i].value));
		anim_print_text(print, "\n");
	}
}

/* "<indent>hh...\n", 32 bytes a line. */
static void dump_bytes(struct anim_print *print, const char *indent, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (i % BYTES_A_LINE == 0)
			anim_print_text(print, indent);
		anim_print_hex(print, bytes[i], 2);
		if (i % BYTES_A_LINE == BYTES_A_LINE - 1 || i + 1 == size)
			anim_print_text(print, "\n");
	}
}

/* --- The keys of a track, one a line, and how its record keeps them --- */

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

/* What the column holds of key k, components joined by commas. */
static void dump_element(struct anim_print *print, const struct anim_track *track, enum anim_column column, size_t k)
{
	unsigned components = anim_cell_components(track, column);

	for (unsigned component = 0; component < components; component++) {
		struct anim_cell cell = anim_cell_at(track, column, k, component);

		anim_print_text(print, component > 0 ? "," : "");
		dump_cell(print, &cell);
	}
}

/* The lines of a track behind its attributes: how its record keeps the columns, then the keys. 0 or -1. */
static int dump_columns(struct anim_print *print, const struct anim_track *track)
{
	unsigned present = anim_track_columns(track);

	anim_print_text(print, present == 0 ? "\tcolumns" : "\tcolumns ");
	anim_print_bits(print, present, anim_column_names, ANIM_COLUMN_COUNT, " ");
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
struct dump_row {
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

static int get_row(struct anim_cursor *cursor, struct dump_row *row)
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

/* The orders of the components, block after block: what a prepared column has beside its numbers. */
static void dump_prepared(struct anim_print *print, const struct anim_track *track, const struct dump_row *row,
			  const uint8_t *at)
{
	struct anim_column_shape shape = anim_column_shape_of((enum anim_column)row->id, track->type);
	uint32_t block_keys;

	memcpy(&block_keys, at, sizeof block_keys);
	at += 8;
	anim_print_texts(print, "\tprepared ", anim_column_names[row->id]);
	dump_count(print, "block", block_keys);
	for (size_t k = 0; k < track->n && !print->failed; k += block_keys) {
		size_t keys = track->n - k < block_keys ? track->n - k : block_keys;

		for (unsigned i = 0; i < shape.components; i++) {
			anim_print_text(print, i == 0 ? " " : ",");
			anim_print_uint64(print, at[i]);
		}
		at += pad8(shape.components) + pad8(keys * shape.components * shape.width);
	}
	anim_print_text(print, "\n");
}

static void dump_other(struct anim_print *print, const struct dump_row *row, const uint8_t *at)
{
	anim_print_text(print, "\tother");
	dump_count(print, "column", row->id);
	dump_count(print, "bytes", row->bytes);
	anim_print_text(print, "\n");
	dump_bytes(print, "\t\t", at, (size_t)row->bytes);
}

static int dump_layout(struct anim_print *print, const struct anim_track *track, struct anim_arena *scratch,
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
		struct dump_row row;

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

/* --- The sink of anim-dump: each record as lines of exact text --- */

struct dump {
	struct anim_sink sink;
	struct anim_print print;
	struct anim_arena scratch;
	bool began;
};

/* The sink's printer for this call, behind the line that begins the text. */
static struct anim_print *begin(struct anim_sink *sink, struct anim_error *error)
{
	struct dump *dump = (struct dump *)sink;

	dump->print.error = error;
	if (!dump->began)
		anim_print_text(&dump->print, "anim-dump 1\n");
	dump->began = true;
	anim_arena_reset(&dump->scratch);
	return &dump->print;
}

static void dump_floats(struct anim_print *print, const char *name, const float *numbers, int count)
{
	dump_name(print, name);
	for (int i = 0; i < count; i++) {
		anim_print_text(print, i > 0 ? "," : "");
		anim_print_exact_float(print, numbers[i]);
	}
}

static void dump_rate(struct anim_print *print, uint32_t num, uint32_t den)
{
	dump_count(print, "rate", num);
	anim_print_text(print, "/");
	anim_print_uint64(print, den);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	anim_print_text(print, "tree");
	dump_text(print, "root", tree->root_name);
	dump_text(print, "source", tree->source_file);
	dump_word(print, "axes", anim_axes_names[tree->axes]);
	dump_word(print, "axes2d", anim_axes2d_names[tree->axes2d]);
	anim_print_text(print, "\n");
	dump_attrs(print, &tree->attrs);
	return print->failed ? -1 : 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	anim_print_text(print, "node");
	dump_text(print, "path", node->path);
	dump_text(print, "type", node->type);
	dump_word(print, "kind", anim_node_kind_names[node->kind]);
	dump_bits(print, "has", node->has, anim_node_has_names, ANIM_NODE_HAS_COUNT);
	if (node->parent == ANIM_NO_PARENT)
		dump_word(print, "parent", "-");
	else
		dump_count(print, "parent", node->parent);
	dump_floats(print, "position", node->position, 3);
	dump_floats(print, "rotation", node->rotation, 4);
	dump_floats(print, "scale", node->scale, 3);
	anim_print_text(print, "\n");
	dump_attrs(print, &node->attrs);
	return print->failed ? -1 : 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	anim_print_text(print, "clip");
	dump_text(print, "name", clip->name);
	dump_text(print, "root", clip->root);
	dump_text(print, "source", clip->source);
	dump_floats(print, "start", &clip->start_s, 1);
	dump_floats(print, "end", &clip->end_s, 1);
	dump_word(print, "loop", anim_loop_names[clip->loop]);
	dump_word(print, "axes", anim_axes_names[clip->axes]);
	dump_word(print, "axes2d", anim_axes2d_names[clip->axes2d]);
	dump_bits(print, "flags", clip->flags, anim_clip_flag_names, ANIM_CLIP_FLAG_COUNT);
	dump_rate(print, clip->rate_num, clip->rate_den);
	anim_print_text(print, "\n");
	dump_attrs(print, &clip->attrs);
	return print->failed ? -1 : 0;
}

static void dump_head(struct anim_print *print, const struct anim_track *track)
{
	bool by_key = track->interp == ANIM_INTERP_COLUMN;

	anim_print_text(print, "track");
	dump_text(print, "node", track->node);
	dump_text(print, "property", track->property);
	if (track->component == ANIM_WHOLE)
		dump_word(print, "component", "-");
	else
		dump_count(print, "component", track->component);
	dump_word(print, "kind", anim_kind_names[track->kind]);
	dump_word(print, "type", anim_types[track->type].name);
	dump_word(print, "rules", anim_rules_names[track->rules]);
	dump_bits(print, "flags", track->flags, anim_track_flag_names, ANIM_TRACK_FLAG_COUNT);
	dump_word(print, "before", anim_extrapolation_names[track->pre]);
	dump_word(print, "after", anim_extrapolation_names[track->post]);
	dump_word(print, "interp", by_key ? "column" : anim_interp_names[track->interp]);
	dump_count(print, "keys", track->n);
	if (track->kind == ANIM_RAW) {
		dump_name(print, "start");
		anim_print_exact_double(print, track->start_s);
		dump_name(print, "step");
		anim_print_exact_double(print, track->step_s);
		dump_rate(print, track->rate_num, track->rate_den);
	}
	anim_print_text(print, "\n");
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct dump *dump = (struct dump *)sink;
	struct anim_print *print = begin(sink, error);

	dump_head(print, track);
	dump_attrs(print, &track->attrs);
	if (dump_layout(print, track, &dump->scratch, error) != 0)
		return -1;
	return dump_columns(print, track);
}

static int on_prog(struct dump *dump, const struct anim_record *record, struct anim_error *error)
{
	struct anim_print *print = &dump->print;
	struct anim_prog prog;

	if (anim_record_prog(record, &prog, &dump->scratch, error) != 0)
		return -1;
	anim_print_text(print, "prog");
	dump_text(print, "program", prog.program);
	dump_text(print, "version", prog.version);
	anim_print_text(print, "\n");
	dump_attrs(print, &prog.attrs);
	return print->failed ? -1 : 0;
}

/* Records that are not known, and the index of an archive: as bytes. */
static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	if (strcmp(record->tag, "prog") == 0)
		return on_prog((struct dump *)sink, record, error);
	anim_print_text(print, "record");
	dump_text(print, "tag", record->tag);
	dump_count(print, "bytes", record->length);
	anim_print_text(print, "\n");
	dump_bytes(print, "\t", record->bytes + ANIM_RECORD_HEAD, (size_t)record->length);
	return print->failed ? -1 : 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	anim_print_text(print, "end\n");
	return print->failed ? -1 : 0;
}

static void free_dump(struct anim_sink *sink)
{
	struct dump *dump = (struct dump *)sink;

	anim_arena_clear(&dump->scratch);
	free(dump);
}

struct anim_sink *anim_dump_new(struct anim_output *out, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, free_dump};
	struct dump *dump = anim_sink_new(sizeof *dump, &ops, error);

	if (dump == NULL)
		return NULL;
	dump->print.out = out;
	return &dump->sink;
}

struct anim_sink *anim_dump_writer_new(struct anim_output *output, const struct anim_write_options *options,
				       struct anim_error *error)
{
	(void)options;
	return anim_dump_new(output, error);
}
