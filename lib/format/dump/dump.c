/* dump.c: prints streams as exact text, with one line per record and per key, and reads them back. */
#include "format/dump/dump.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/count.h"
#include "base/input.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/print.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/print.h"
#include "clip/sink.h"
#include "clip/track.h"
#include "format/fields.h"
#include "stream/fields.h"
#include "stream/record.h"

/* ---- Printing: quoted texts, attributes, bytes ---- */

#define BYTES_A_LINE 32u

/* Print a text in quotes. It has the escapes \" and \\ and, for everything that is not safe to show, \n, \t and \xNN. */
static void dump_quoted(struct anim_print *print, const char *text, size_t length)
{
	char safe[32];
	size_t at = 0;

	anim_print_text(print, "\"");
	while (at < length) {
		size_t run = at, one;
		uint32_t code;

		while (run < length && text[run] >= ' ' && text[run] < 0x7f && text[run] != '"' && text[run] != '\\')
			run++;
		anim_print_bytes(print, text + at, run - at);
		at = run;
		if (at == length)
			break;
		one = anim_utf8_decode((const uint8_t *)text + at, length - at, &code);
		one = one == 0 ? 1 : one;
		/* Print one code point, or an invalid byte: unchanged if it is safe to show, otherwise escaped. */
		if (text[at] == '\n') {
			anim_print_text(print, "\\n");
		} else if (text[at] == '\t') {
			anim_print_text(print, "\\t");
		} else if (text[at] == '"' || text[at] == '\\') {
			anim_print_bytes(print, (const char[2]){'\\', text[at]}, 2);
		} else {
			anim_text_safe(safe, sizeof safe, text + at, one);
			anim_print_text(print, safe);
		}
		at += one;
	}
	anim_print_text(print, "\"");
}

/* Print lines "<indent>hh...\n" of 32 bytes each. */
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

/* ---- Printing: the keys of a track, one per line, and the layout of its record ---- */

/* Print a cell that anim_cell_put does not print: a text, or a NaN with its bits. */
static void dump_cell(struct anim_print *print, const struct anim_cell *cell)
{
	if (cell->kind == ANIM_CELL_FLOAT)
		anim_print_exact_float(print, cell->single);
	else if (cell->kind == ANIM_CELL_DOUBLE)
		anim_print_exact_double(print, cell->wide);
	else if (cell->text == NULL)
		anim_print_text(print, "null");
	else
		dump_quoted(print, cell->text, cell->length);
}

/* A row of the column table of a TRAK. */
struct dump_row {
	uint8_t id, form;
	uint64_t bytes;
};

/* A column that is present. */
struct dump_column {
	enum anim_column id;
	unsigned components;
	struct anim_cell_texts texts;
};

#define COMPONENTS_MAX 16u /* of the largest type */
#define LINE_MAX ((size_t)ANIM_COLUMN_COUNT * COMPONENTS_MAX * (ANIM_NUMBER_MAX + 1))

/*
 * Append element k of a column to the line from *room to `at`. A cell without a limit of its size is printed on its own,
 * and the line continues in new room. Returns the end, or NULL after a failure.
 */
static char *dump_element(struct anim_print *print, const struct anim_track *track, struct dump_column *column,
			  size_t k, char **room, char *at)
{
	for (unsigned component = 0; component < column->components; component++) {
		size_t i = k * column->components + component;
		struct anim_cell cell;

		if (component > 0)
			*at++ = ',';
		if (column->texts.values != NULL && !isnan(column->texts.values[i])) {
			at = anim_cell_texts_put(&column->texts, i, at);
			continue;
		}
		cell = anim_cell_at(track, column->id, k, component);
		if (cell.kind != ANIM_CELL_TEXT && cell.kind != ANIM_CELL_FLOAT &&
		    (cell.kind != ANIM_CELL_DOUBLE || !isnan(cell.wide))) {
			at = anim_cell_put(&cell, at);
			continue;
		}
		anim_print_advance(print, (size_t)(at - *room));
		dump_cell(print, &cell);
		at = *room = anim_print_room(print, LINE_MAX);
		if (at == NULL)
			return NULL;
	}
	return at;
}

/* Print the lines of a track after its attributes: the names of its columns, then the keys. Return 0 or -1. */
static int dump_columns(struct anim_print *print, const struct anim_track *track, struct dump_column *columns)
{
	unsigned present = anim_track_columns(track), count = 0;

	anim_print_text(print, present == 0 ? "\tcolumns" : "\tcolumns ");
	anim_print_bits(print, present, anim_column_names, ANIM_COLUMN_COUNT, " ");
	anim_print_text(print, "\n");
	for (enum anim_column id = 0; id < ANIM_COLUMN_COUNT; id++) {
		if ((present >> id & 1) == 0)
			continue;
		columns[count].id = id;
		columns[count].components = anim_cell_components(track, id);
		anim_cell_texts_begin(&columns[count++].texts, track, id);
	}
	for (size_t k = 0; k < track->n; k++) {
		char *room = anim_print_room(print, LINE_MAX), *at = room;

		for (unsigned i = 0; i < count && at != NULL; i++) {
			*at++ = i == 0 ? '\t' : ' ';
			at = dump_element(print, track, &columns[i], k, &room, at);
		}
		if (at == NULL)
			return -1;
		*at++ = '\n';
		anim_print_advance(print, (size_t)(at - room));
	}
	return print->failed ? -1 : 0;
}

static size_t pad8(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

/* Print the orders of the components, block after block. A prepared column has them in addition to its numbers. */
static void dump_prepared(struct anim_print *print, const struct anim_track *track, const struct dump_row *row,
			  const uint8_t *at)
{
	struct anim_column_shape shape = anim_column_shape_of((enum anim_column)row->id, track->type);
	uint32_t block_keys;

	memcpy(&block_keys, at, sizeof block_keys);
	at += 8;
	anim_print_texts(print, "\tprepared ", anim_column_names[row->id]);
	anim_print_text(print, " block=");
	anim_print_uint64(print, block_keys);
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

/* ---- Printing: the sink of anim-dump, which prints each record as lines of exact text ---- */

struct dump {
	struct anim_sink sink;
	struct anim_print print;
	struct anim_arena scratch;
	bool began;
	struct dump_column columns[ANIM_COLUMN_COUNT]; /* of the current track */
};

/* Return the printer of the sink for this call, after it has printed the line that begins the text. */
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

/* Print " name=value". */
static void dump_field(struct anim_print *print, const struct record_field *field, const void *record)
{
	const void *member = (const char *)record + field->offset;
	uint64_t number = field->size <= sizeof number ? record_field_number(field, record) : 0;
	const char *text;

	anim_print_texts(print, " ", field->name, "=");
	switch (field->kind) {
	case RECORD_FIELD_TEXT:
		text = *(const char *const *)member;
		dump_quoted(print, text, strlen(text));
		break;
	case RECORD_FIELD_WORD:
	case RECORD_FIELD_TYPE:
	case RECORD_FIELD_INTERP:
		text = record_field_word(field, record);
		anim_print_text(print, text == NULL ? "column" : text);
		break;
	case RECORD_FIELD_BITS:
		anim_print_bits(print, (unsigned)number, field->names, field->count, ",");
		anim_print_text(print, number == 0 ? "-" : "");
		break;
	case RECORD_FIELD_FLOATS:
		for (size_t i = 0; i < field->size / sizeof(float); i++) {
			anim_print_text(print, i > 0 ? "," : "");
			anim_print_exact_float(print, ((const float *)member)[i]);
		}
		break;
	case RECORD_FIELD_DOUBLE:
		anim_print_exact_double(print, *(const double *)member);
		break;
	case RECORD_FIELD_RATE:
		anim_print_uint64(print, ((const uint32_t *)member)[0]);
		anim_print_text(print, "/");
		anim_print_uint64(print, ((const uint32_t *)member)[1]);
		break;
	default:
		if (field->none != 0 && number == field->none)
			anim_print_text(print, "-");
		else
			anim_print_uint64(print, number);
	}
}

/* Print the line of a record and the lines of its attributes. Return 0 or -1. */
static int dump_record(struct anim_print *print, const char *word, const struct record_field *field, const void *record)
{
	const struct anim_attrs *attrs;

	anim_print_text(print, word);
	for (; field->kind != RECORD_FIELD_ATTRS; field++)
		if (!field->of_raw || ((const struct anim_track *)record)->kind == ANIM_RAW)
			dump_field(print, field, record);
	anim_print_text(print, "\n");
	attrs = (const struct anim_attrs *)(const void *)((const char *)record + field->offset);
	for (size_t i = 0; i < attrs->count; i++) {
		anim_print_text(print, "\tattr ");
		dump_quoted(print, attrs->items[i].key, strlen(attrs->items[i].key));
		anim_print_text(print, " ");
		dump_quoted(print, attrs->items[i].value, strlen(attrs->items[i].value));
		anim_print_text(print, "\n");
	}
	return print->failed ? -1 : 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return dump_record(begin(sink, error), "tree", record_tree_fields, tree);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return dump_record(begin(sink, error), "node", record_node_fields, node);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return dump_record(begin(sink, error), "clip", record_clip_fields, clip);
}

/*
 * Print the prepared columns of a track and the columns of other programs, from the column table of its record. The
 * record has been decoded before, so it is well-formed. Return 0 or -1.
 */
static int dump_layout(struct anim_print *print, const struct anim_track *track, struct anim_arena *scratch,
		       struct anim_error *error)
{
	struct anim_cursor table, columns;
	struct anim_attrs attrs;
	const char *name;
	const uint8_t *at;
	uint64_t rows, n;
	uint8_t kind;

	if (track->record == NULL)
		return 0;
	anim_cursor_init(&table, track->record, scratch, error);
	/* Move to the column table. */
	if (anim_cursor_get(&table, &kind, 1) != 0 || anim_cursor_borrow(&table, 1, &at) != 0 ||
	    anim_cursor_name(&table, &name) != 0 || anim_cursor_name(&table, &name) != 0 ||
	    anim_cursor_varint(&table, &n) != 0 || anim_cursor_borrow(&table, 6, &at) != 0 ||
	    anim_cursor_attrs(&table, &attrs) != 0 || anim_cursor_varint(&table, &rows) != 0 ||
	    anim_cursor_align8(&table) != 0 || (kind == ANIM_RAW && anim_cursor_borrow(&table, 24, &at) != 0))
		return -1;
	columns = table;
	if (anim_cursor_borrow(&columns, rows * ANIM_COLUMN_ROW, &at) != 0)
		return -1;
	for (uint64_t i = 0; i < rows; i++) {
		struct dump_row row;

		if (anim_cursor_borrow(&table, ANIM_COLUMN_ROW, &at) != 0)
			return -1;
		row.id = at[0];
		row.form = at[1];
		memcpy(&row.bytes, at + 8, sizeof row.bytes);
		if (anim_cursor_borrow(&columns, row.bytes, &at) != 0 || anim_cursor_align8(&columns) != 0)
			return -1;
		if (row.form == 1) {
			dump_prepared(print, track, &row, at);
		} else if (row.id >= ANIM_COLUMN_OTHERS) {
			anim_print_text(print, "\tother column=");
			anim_print_uint64(print, row.id);
			anim_print_text(print, " bytes=");
			anim_print_uint64(print, row.bytes);
			anim_print_text(print, "\n");
			dump_bytes(print, "\t\t", at, (size_t)row.bytes);
		}
	}
	return print->failed ? -1 : 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct dump *dump = (struct dump *)sink;
	struct anim_print *print = begin(sink, error);

	if (dump_record(print, "track", record_track_fields, track) != 0 ||
	    dump_layout(print, track, &dump->scratch, error) != 0)
		return -1;
	return dump_columns(print, track, dump->columns);
}

/* Print unknown records, and the index of an archive, as bytes. */
static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	if (strcmp(record->tag, "prog") == 0) {
		struct dump *dump = (struct dump *)sink;
		struct anim_prog prog;

		if (anim_record_prog(record, &prog, &dump->scratch, error) != 0)
			return -1;
		return dump_record(&dump->print, "prog", record_prog_fields, &prog);
	}
	anim_print_texts(print, "record tag=\"", record->tag, "\" bytes=");
	anim_print_uint64(print, record->length);
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

/* ---- Reading: the state of the reader ---- */

#define UNDUMP_OTHERS_MAX (256 - ANIM_COLUMN_OTHERS)

/* A column of another program: `size` bytes at offset `at` of the track's others. */
struct undump_other {
	uint8_t id;
	size_t at, size;
};

/* A track as its lines describe it. */
struct undump_track {
	struct anim_track head;     /* without its columns */
	unsigned present, prepared; /* bits of columns */
	struct record_element element[ANIM_COLUMN_COUNT];
	struct anim_buffer column[ANIM_COLUMN_COUNT]; /* the plain values, for strings their lengths */
	struct anim_buffer strings;
	uint32_t block_keys[ANIM_COLUMN_COUNT];       /* of prepared columns */
	struct anim_buffer orders[ANIM_COLUMN_COUNT]; /* one byte per component, block after block */
	struct anim_buffer others;
	struct undump_other other[UNDUMP_OTHERS_MAX];
	size_t other_count;
};

struct undump {
	struct anim_lines lines;
	bool has_line;  /* the current line has not been read to its end */
	const char *at; /* the cursor in the current line */
	struct anim_sink *sink;
	struct anim_error *error;
	struct anim_place place;   /* beginning of the current record */
	struct anim_order order;   /* checks the order of the records */
	struct anim_arena arena;   /* texts of the current record */
	struct anim_buffer text;   /* scratch */
	struct anim_buffer attrs;  /* struct anim_attr, of the current record */
	struct anim_buffer bytes;  /* the record */
	struct anim_record record; /* the record in `bytes` */
	struct undump_track track;
};

/* ---- Reading: words, numbers and quoted texts ---- */

#define WORD_MAX 40   /* maximum bytes of a word in a message */
#define WORDS_MAX 400 /* maximum bytes of the expected words in a message */

/* Fail with the line and the column of `at`. Return -1. */
__attribute__((format(printf, 3, 4))) static int fail(struct undump *undump, const char *at, const char *format, ...)
{
	struct anim_place place = anim_lines_place(&undump->lines, at);
	va_list arguments;

	va_start(arguments, format);
	anim_fail_va(undump->error, ANIM_BAD_INPUT, &place, format, arguments);
	va_end(arguments);
	return -1;
}

/* Begin the line that was read. Return 0, or -1 if it is cut off. */
static int begin_line(struct undump *undump)
{
	undump->at = undump->lines.at;
	if (!undump->lines.is_whole)
		return fail(undump, undump->lines.end, "the text is cut off: its last line has no line feed");
	undump->has_line = true;
	return 0;
}

/* Read a line unless the current one is unfinished. Return 1, 0 at the end of the input, or -1. */
static int next_line(struct undump *undump)
{
	int got;

	if (undump->has_line)
		return 1;
	got = anim_lines_next(&undump->lines, undump->error);
	if (got <= 0)
		return got;
	return begin_line(undump) != 0 ? -1 : 1;
}

/* Return 1 if the current line begins with a tab, 0 if it does not or at the end of the input, or -1. */
static int is_below(struct undump *undump)
{
	int got = next_line(undump);

	return got == 1 ? *undump->lines.at == '\t' : got;
}

/* End the line. Fail if it contains more text. */
static int end_line(struct undump *undump)
{
	if (undump->at != undump->lines.end)
		return fail(undump, undump->at,
			    *undump->at == '\r' ? "a carriage return; lines must end with a line feed only"
						: "the line should end here");
	undump->has_line = false;
	return 0;
}

/* Skip the text if it is at the cursor, and return whether it is. */
static bool accept(struct undump *undump, const char *text)
{
	size_t length = strlen(text);

	if ((size_t)(undump->lines.end - undump->at) < length || memcmp(undump->at, text, length) != 0)
		return false;
	undump->at += length;
	return true;
}

static int expect(struct undump *undump, const char *text)
{
	return accept(undump, text) ? 0 : fail(undump, undump->at, "'%s' is expected", text);
}

/* Return the byte that two lower-case hexadecimal digits at `at` form, or -1. */
static int hex_byte(const char *at, const char *end)
{
	static const char digits[] = "0123456789abcdef";
	const char *high = end - at < 2 ? NULL : memchr(digits, at[0], 16);
	const char *low = high == NULL ? NULL : memchr(digits, at[1], 16);

	return low == NULL ? -1 : (int)((high - digits) << 4 | (low - digits));
}

/* Append a quoted text without its quotes. */
static int read_quoted(struct undump *undump, size_t limit, struct anim_buffer *out)
{
	const char *begin = undump->at, *end = undump->lines.end;
	size_t start = out->size;

	/* `data` must not be NULL, even for an empty text. */
	if (expect(undump, "\"") != 0 || anim_buffer_reserve(out, 1, undump->error) != 0)
		return -1;
	for (;;) {
		const char *run = undump->at, *at;
		char meant, letter;
		int byte;

		while (undump->at < end && *undump->at != '"' && *undump->at != '\\')
			undump->at++;
		if (anim_buffer_append(out, run, (size_t)(undump->at - run), undump->error) != 0)
			return -1;
		if (undump->at == end)
			return fail(undump, begin, "the closing quote of the text is missing");
		if (*undump->at == '"')
			break;
		/* Read the escape sequence at the cursor. */
		at = undump->at;
		letter = undump->lines.end - at < 2 ? '\0' : at[1];
		byte = letter == 'x' ? hex_byte(at + 2, undump->lines.end) : -1;
		meant = letter == 'n' ? '\n' : letter == 't' ? '\t' : letter;
		if (byte >= 0)
			meant = (char)byte;
		else if (letter == '\0' || strchr("\"\\nt", letter) == NULL)
			return fail(undump, at, "unknown escape; known are \\\" \\\\ \\n \\t \\xNN");
		undump->at += byte >= 0 ? 4 : 2;
		if (anim_buffer_append(out, &meant, 1, undump->error) != 0)
			return -1;
	}
	undump->at++;
	if (out->size - start > limit)
		return fail(undump, begin, "a text of %zu bytes, at most %zu are allowed", out->size - start, limit);
	if (anim_utf8_prefix(out->data + start, out->size - start) != out->size - start)
		return fail(undump, begin, "the text is not UTF-8, or holds a NUL");
	return 0;
}

/* Read a quoted text into the arena. */
static int read_text(struct undump *undump, size_t limit, const char **text)
{
	undump->text.size = 0;
	if (read_quoted(undump, limit, &undump->text) != 0)
		return -1;
	*text = anim_arena_text(&undump->arena, (const char *)undump->text.data, undump->text.size, undump->error);
	return *text == NULL ? -1 : 0;
}

/* Find the number of a word among the names. Otherwise fail with `field` in the message. */
static int find_word(struct undump *undump, const char *field, const char *const *names, unsigned count,
		     uint8_t *number)
{
	char shown[WORD_MAX], list[WORDS_MAX];
	const char *word;
	size_t length;

	word = undump->at;
	while (undump->at < undump->lines.end && strchr(" ,\t", *undump->at) == NULL)
		undump->at++;
	length = (size_t)(undump->at - word);
	for (unsigned i = 0; i < count; i++)
		if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0) {
			*number = (uint8_t)i;
			return 0;
		}
	anim_text_safe(shown, sizeof shown, word, length);
	anim_text_list(list, sizeof list, names, count);
	return fail(undump, word, "%s'%s' is not one of %s", field, shown, list);
}

/* Read the names of bits, joined by commas, or "-". */
static int read_bits(struct undump *undump, const char *field, const char *const *names, unsigned count, unsigned *bits)
{
	*bits = 0;
	if (accept(undump, "-"))
		return 0;
	do {
		const char *word = undump->at;
		uint8_t number;

		if (find_word(undump, field, names, count, &number) != 0)
			return -1;
		if (*bits >> number != 0)
			return fail(undump, word, "repeated, or out of order");
		*bits |= 1u << number;
	} while (accept(undump, ","));
	return 0;
}

static int read_count(struct undump *undump, const char *before, uint64_t most, uint64_t *value)
{
	const char *number, *end;

	if (expect(undump, before) != 0)
		return -1;
	number = undump->at;
	end = anim_number_uint64(number, undump->lines.end, value);
	if (end == NULL || *value > most)
		return fail(undump, number, "a whole number from 0 to %llu is expected", (unsigned long long)most);
	undump->at = end;
	return 0;
}

/* Read a double if `wide` is set, otherwise a float, so that each is rounded only once. */
static int read_number(struct undump *undump, bool wide, void *number)
{
	const char *at = undump->at, *line_end = undump->lines.end;
	const char *end =
	    wide ? anim_number_special_double(at, line_end, number) : anim_number_special_float(at, line_end, number);
	bool is_special = end != NULL;

	if (!is_special)
		end = wide ? anim_number_double(at, line_end, number) : anim_number_float(at, line_end, number);
	if (end == NULL)
		return fail(undump, at, "a number is expected");
	if (!is_special && !isfinite(wide ? *(double *)number : (double)*(float *)number))
		return fail(undump, at, "too large for a %s", wide ? "double" : "float");
	undump->at = end;
	return 0;
}

/* Read the lines of attributes below a record. */
static int read_attrs(struct undump *undump, struct anim_attrs *attrs)
{
	int below;

	undump->attrs.size = 0;
	attrs->count = 0;
	while ((below = is_below(undump)) == 1 && accept(undump, "\tattr ")) {
		struct anim_attr *attr;

		if (attrs->count++ == ANIM_ATTRS_MAX)
			return fail(undump, undump->lines.at, "more than %u attributes", ANIM_ATTRS_MAX);
		attr = anim_buffer_extend(&undump->attrs, sizeof *attr, undump->error);
		if (attr == NULL || read_text(undump, ANIM_NAME_MAX, &attr->key) != 0 || expect(undump, " ") != 0 ||
		    read_text(undump, ANIM_TEXT_MAX, &attr->value) != 0 || end_line(undump) != 0)
			return -1;
	}
	attrs->items = (const struct anim_attr *)(const void *)undump->attrs.data;
	return below < 0 ? -1 : 0;
}

/* Append `size` bytes from lines of hexadecimal digits after `indent`. */
static int read_bytes(struct undump *undump, const char *indent, uint64_t size, struct anim_buffer *out)
{
	while (size > 0) {
		int below = is_below(undump);

		if (below < 0)
			return -1;
		if (below == 0 || !accept(undump, indent)) {
			anim_fail(undump->error, ANIM_BAD_INPUT,
				  size == 1 ? "%llu byte is missing" : "%llu bytes are missing",
				  (unsigned long long)size);
			return anim_error_at(undump->error, &undump->place);
		}
		do {
			int number = hex_byte(undump->at, undump->lines.end);
			uint8_t byte = (uint8_t)number;

			if (number < 0)
				return fail(undump, undump->at, "two hexadecimal digits are expected");
			undump->at += 2;
			if (anim_buffer_append(out, &byte, 1, undump->error) != 0)
				return -1;
			size--;
		} while (size > 0 && undump->at < undump->lines.end);
		if (end_line(undump) != 0)
			return -1;
	}
	return 0;
}

/* ---- Reading: the line of a record ---- */

/* Read a field whose member is an integer. `label` is its name in messages. */
static int read_natural(struct undump *undump, const struct record_field *field, const char *label, uint64_t *number)
{
	const char *begin = undump->at;
	unsigned bits = 0;
	uint8_t word = ANIM_INTERP_COLUMN;
	int found, result = 0;

	switch (field->kind) {
	case RECORD_FIELD_TYPE:
		while (undump->at < undump->lines.end && *undump->at != ' ')
			undump->at++;
		found = anim_type_find(begin, (size_t)(undump->at - begin));
		*number = (uint64_t)found;
		return found < 0 ? fail(undump, begin, "not a value type") : 0;
	case RECORD_FIELD_KEYS:
		return read_count(undump, "", ANIM_KEYS_MAX, number);
	case RECORD_FIELD_NATURAL:
		*number = field->none;
		return accept(undump, "-") ? 0 : read_count(undump, "", field->none - 1, number);
	case RECORD_FIELD_BITS:
		result = read_bits(undump, label, field->names, field->count, &bits);
		*number = bits;
		return result;
	case RECORD_FIELD_INTERP:
		if (!accept(undump, "column"))
			result = find_word(undump, label, anim_interp_names, ANIM_INTERP_COUNT, &word);
		break;
	default:
		result = find_word(undump, label, field->names, field->count, &word);
	}
	*number = word;
	return result;
}

/* Read " name=value" into the member. */
static int read_field(struct undump *undump, const struct record_field *field, void *record)
{
	void *member = (char *)record + field->offset;
	float *floats = member;
	uint32_t *rate = member;
	uint64_t number;
	char before[16];

	snprintf(before, sizeof before, " %s=", field->name);
	if (expect(undump, before) != 0)
		return -1;
	switch (field->kind) {
	case RECORD_FIELD_TEXT:
		return read_text(undump, ANIM_NAME_MAX, member);
	case RECORD_FIELD_FLOATS:
		for (size_t i = 0; i < field->size / sizeof *floats; i++)
			if ((i > 0 && expect(undump, ",") != 0) || read_number(undump, false, &floats[i]) != 0)
				return -1;
		return 0;
	case RECORD_FIELD_DOUBLE:
		return read_number(undump, true, member);
	case RECORD_FIELD_RATE: {
		uint64_t num, den;

		if (read_count(undump, "", UINT32_MAX, &num) != 0 || read_count(undump, "/", UINT32_MAX, &den) != 0)
			return -1;
		rate[0] = (uint32_t)num;
		rate[1] = (uint32_t)den;
		return 0;
	}
	default:
		if (read_natural(undump, field, before + 1, &number) != 0)
			return -1;
		record_field_set(field, record, number);
		return 0;
	}
}

/* Read the rest of a record's line, then its attributes. */
static int read_fields(struct undump *undump, const struct record_field *field, void *record)
{
	for (; field->kind != RECORD_FIELD_ATTRS; field++)
		if ((!field->of_raw || ((const struct anim_track *)record)->kind == ANIM_RAW) &&
		    read_field(undump, field, record) != 0)
			return -1;
	if (end_line(undump) != 0)
		return -1;
	return read_attrs(undump, (struct anim_attrs *)(void *)((char *)record + field->offset));
}

/* ---- Reading: the layout of a track's record ---- */

/* Read "prepared COLUMN block=KEYS ORDERS..." after the first word. */
static int read_prepared(struct undump *undump)
{
	struct undump_track *track = &undump->track;
	const char *at = undump->at;
	struct anim_column_shape shape;
	uint64_t keys, blocks;
	uint8_t id;

	if (find_word(undump, "", anim_column_names, ANIM_COLUMN_COUNT, &id) != 0)
		return -1;
	shape = anim_column_shape_of((enum anim_column)id, track->head.type);
	if (track->prepared >> id != 0 || track->other_count > 0)
		return fail(undump, at, "columns are not in order");
	if (shape.components == 0 || track->head.n == 0)
		return fail(undump, at, "a column that cannot be prepared");
	if (read_count(undump, " block=", ANIM_FORM1_KEYS_MOST, &keys) != 0)
		return -1;
	if (keys < ANIM_FORM1_KEYS_LEAST)
		return fail(undump, at, "a block has at least %u keys", ANIM_FORM1_KEYS_LEAST);
	track->prepared |= 1u << id;
	track->block_keys[id] = (uint32_t)keys;
	track->orders[id].size = 0;
	blocks = (track->head.n + keys - 1) / keys;
	for (uint64_t i = 0; i < blocks; i++) {
		/* Read the orders of one block. */
		for (unsigned k = 0; k < shape.components; k++) {
			uint64_t order;
			uint8_t byte;
			if (read_count(undump, k == 0 ? " " : ",", 3, &order) != 0)
				return -1;
			byte = (uint8_t)order;
			if (anim_buffer_append(&track->orders[id], &byte, 1, undump->error) != 0)
				return -1;
		}
	}
	return end_line(undump);
}

/* Read "other column=ID bytes=COUNT" after the first word, then the bytes. */
static int read_other_column(struct undump *undump)
{
	struct undump_track *track = &undump->track;
	const char *at = undump->at;
	struct undump_other *other;
	uint64_t id, size;

	if (read_count(undump, " column=", 255, &id) != 0)
		return -1;
	if (id < ANIM_COLUMN_OTHERS || (track->other_count > 0 && id <= track->other[track->other_count - 1].id))
		return fail(undump, at, "columns of other programs are %d to 255, in ascending order",
			    ANIM_COLUMN_OTHERS);
	if (read_count(undump, " bytes=", INT64_MAX, &size) != 0 || end_line(undump) != 0)
		return -1;
	other = &track->other[track->other_count++];
	*other = (struct undump_other){.id = (uint8_t)id, .at = track->others.size, .size = (size_t)size};
	return read_bytes(undump, "\t\t", size, &track->others);
}

/* Read the lines "prepared" and "other". */
static int read_layout(struct undump *undump)
{
	struct undump_track *track = &undump->track;
	int below;

	track->prepared = 0;
	track->other_count = 0;
	track->others.size = 0;
	while ((below = is_below(undump)) == 1) {
		int result;

		if (accept(undump, "\tprepared "))
			result = read_prepared(undump);
		else if (accept(undump, "\tother"))
			result = read_other_column(undump);
		else
			return 0;
		if (result != 0)
			return -1;
	}
	return below;
}

/* ---- Reading: the keys of a track, one per line, into columns ---- */

/* Read "columns NAME...". */
static int read_names(struct undump *undump)
{
	struct undump_track *track = &undump->track;
	int below = is_below(undump);

	if (below < 0)
		return -1;
	if (below == 0 || !accept(undump, "\tcolumns")) {
		anim_fail(undump->error, ANIM_BAD_INPUT, "the line 'columns' of the track is missing");
		return anim_error_at(undump->error, &undump->place);
	}
	track->present = 0;
	while (accept(undump, " ")) {
		const char *at = undump->at;
		uint8_t id;

		if (find_word(undump, "", anim_column_names, ANIM_COLUMN_COUNT, &id) != 0)
			return -1;
		if (track->present >> id != 0)
			return fail(undump, at, "repeated, or out of order");
		if (track->head.type == ANIM_STRING && id >= ANIM_COLUMN_LEFT && id <= ANIM_COLUMN_RIGHT_X)
			return fail(undump, at, "strings have no such column");
		track->present |= 1u << id;
	}
	if (track->prepared & ~track->present)
		return fail(undump, undump->at, "a prepared column is missing");
	return end_line(undump);
}

static int read_component(struct undump *undump, enum anim_type type, uint8_t *value, unsigned component)
{
	const struct anim_type_info *info = &anim_types[type];
	const char *end;

	if (info->scalar == ANIM_SCALAR_F32 || info->scalar == ANIM_SCALAR_F64)
		return read_number(undump, info->scalar == ANIM_SCALAR_F64, value + component * info->component_size);
	end = anim_component_read(type, value, component, undump->at, undump->lines.end);
	if (end == NULL)
		return fail(undump, undump->at, "a whole number that %s can hold is expected", info->name);
	undump->at = end;
	return 0;
}

static int read_cell(struct undump *undump, const struct record_element *element, struct anim_buffer *column)
{
	uint64_t number;
	uint8_t mode;

	switch (element->kind) {
	case RECORD_ELEMENT_TEXT: {
		uint32_t length = ANIM_NULL_STRING;
		size_t start = undump->track.strings.size;

		if (!accept(undump, "null")) {
			if (read_quoted(undump, ANIM_TEXT_MAX, &undump->track.strings) != 0)
				return -1;
			length = (uint32_t)(undump->track.strings.size - start);
		}
		return anim_buffer_append(&undump->track.column[ANIM_COLUMN_VALUE], &length, sizeof length,
					  undump->error);
	}
	case RECORD_ELEMENT_NUMBERS: { /* Read the components of an element, joined by commas. */
		uint8_t *value = anim_buffer_extend(column, element->size, undump->error);

		if (value == NULL)
			return -1;
		memset(value, 0, element->size);
		for (unsigned component = 0; component < element->components; component++)
			if ((component > 0 && expect(undump, ",") != 0) ||
			    read_component(undump, element->type, value, component) != 0)
				return -1;
		return 0;
	}
	case RECORD_ELEMENT_INTERP:
		if (find_word(undump, "", anim_interp_names, ANIM_INTERP_COUNT, &mode) != 0)
			return -1;
		return anim_buffer_append(column, &mode, 1, undump->error);
	default:
		if (read_count(undump, "", element->most, &number) != 0)
			return -1;
		return anim_buffer_append(column, &number, element->size, undump->error);
	}
}

static int read_key(struct undump *undump)
{
	const char *between = "\t";
	int below = is_below(undump);

	if (below < 0)
		return -1;
	if (below == 0) {
		anim_fail(undump->error, ANIM_BAD_INPUT, "fewer lines of keys than keys=%zu says",
			  undump->track.head.n);
		return anim_error_at(undump->error, &undump->place);
	}
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++) {
		if ((undump->track.present >> id & 1) == 0)
			continue;
		if (expect(undump, between) != 0 ||
		    read_cell(undump, &undump->track.element[id], &undump->track.column[id]) != 0)
			return -1;
		between = " ";
	}
	return end_line(undump);
}

/* Read the line "columns" and the keys. */
static int read_keys(struct undump *undump)
{
	struct undump_track *track = &undump->track;
	int below;

	if (read_names(undump) != 0)
		return -1;
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++) {
		track->element[id] = record_element_of((enum anim_column)id, track->head.type);
		track->column[id].size = 0;
	}
	track->strings.size = 0;
	for (size_t k = 0; k < track->head.n; k++)
		if (read_key(undump) != 0)
			return -1;
	below = is_below(undump);
	if (below == 1)
		return fail(undump, undump->at, "more lines of keys than keys=%zu says", track->head.n);
	return below;
}

/* ---- Reading: a track's lines into a record with exactly the forms, modes and columns of the text ---- */

static int put_column(struct undump *undump, unsigned id)
{
	struct undump_track *track = &undump->track;
	struct anim_buffer *bytes = &undump->bytes, *column = &track->column[id];

	if (track->prepared >> id & 1) {
		struct anim_column_shape shape = anim_column_shape_of((enum anim_column)id, track->head.type);
		const uint8_t *keys = column->data, *orders = track->orders[id].data;
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
			keys += count * shape.components * shape.width;
			orders += shape.components;
		}
		return 0;
	}
	if (anim_buffer_append(bytes, column->data, column->size, undump->error) != 0)
		return -1;
	if (id != ANIM_COLUMN_VALUE || track->head.type != ANIM_STRING || track->head.n == 0)
		return 0;
	if (anim_buffer_align8(bytes, undump->error) != 0)
		return -1;
	return anim_buffer_append(bytes, track->strings.data, track->strings.size, undump->error);
}

/* Pad a column from `start` to the end of the bytes, and fill in its row. */
static int end_column(struct undump *undump, size_t row_at, unsigned id, bool prepared, size_t start)
{
	uint8_t row[ANIM_COLUMN_ROW] = {(uint8_t)id, prepared};
	uint64_t size = undump->bytes.size - start;

	memcpy(row + 8, &size, sizeof size);
	memcpy(undump->bytes.data + row_at, row, sizeof row);
	return anim_buffer_align8(&undump->bytes, undump->error);
}

/* Encode the track into `bytes`, without checking it. */
static int encode_track(struct undump *undump)
{
	struct undump_track *track = &undump->track;
	struct anim_buffer *bytes = &undump->bytes;
	unsigned columns = (unsigned)__builtin_popcount(track->present) + (unsigned)track->other_count;
	size_t row_at, start;

	if (anim_put_track_fields(bytes, &track->head, columns, undump->error) != 0)
		return -1;
	row_at = bytes->size;
	if (anim_buffer_extend(bytes, columns * ANIM_COLUMN_ROW, undump->error) == NULL)
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

/* ---- Reading: the whole text, record by record ---- */

/* Count the record in `bytes`, whose encoding had this result, and check that it is allowed here. */
static int next_record(struct undump *undump, int encoded)
{
	struct anim_record *record = &undump->record;

	if (encoded == 0)
		anim_record_at(undump->bytes.data, 0, record);
	if (encoded == 0 && anim_order_next(&undump->order, record->tag, record->length, undump->error) == 0)
		return 0;
	return anim_error_at(undump->error, &undump->place);
}

/* Do the same, and pass the decoded record on. */
static int put_record(struct undump *undump, const struct anim_decoded *decoded, int encoded)
{
	return next_record(undump, encoded) != 0 ? -1 : anim_decoded_push(decoded, undump->sink, undump->error);
}

static int read_prog(struct undump *undump)
{
	struct anim_decoded decoded = {.record = &undump->record};

	if (read_fields(undump, record_prog_fields, &decoded.prog) != 0)
		return -1;
	return put_record(undump, &decoded, anim_encode_prog(&undump->bytes, &decoded.prog, undump->error));
}

static int read_tree(struct undump *undump)
{
	struct anim_decoded decoded = {.record = &undump->record, .tree = {.record = &undump->record}};

	if (read_fields(undump, record_tree_fields, &decoded.tree) != 0)
		return -1;
	return put_record(undump, &decoded, anim_encode_tree(&undump->bytes, &decoded.tree, undump->error));
}

static int read_node(struct undump *undump)
{
	struct anim_decoded decoded = {.record = &undump->record, .node = {.record = &undump->record}};
	uint32_t number = undump->order.nodes;

	if (read_fields(undump, record_node_fields, &decoded.node) != 0)
		return -1;
	return put_record(undump, &decoded, anim_encode_node(&undump->bytes, &decoded.node, number, undump->error));
}

static int read_clip(struct undump *undump)
{
	struct anim_decoded decoded = {.record = &undump->record, .clip = {.record = &undump->record}};
	bool tree = undump->order.tree;

	if (read_fields(undump, record_clip_fields, &decoded.clip) != 0)
		return -1;
	return put_record(undump, &decoded, anim_encode_clip(&undump->bytes, &decoded.clip, tree, undump->error));
}

static int read_track(struct undump *undump)
{
	struct anim_track track;

	undump->track.head = (struct anim_track){.n = 0};
	if (read_fields(undump, record_track_fields, &undump->track.head) != 0 || read_layout(undump) != 0 ||
	    read_keys(undump) != 0 || encode_track(undump) != 0 || next_record(undump, 0) != 0)
		return -1;
	if (anim_record_track(&undump->record, &track, &undump->arena, undump->error) != 0)
		return anim_error_at(undump->error, &undump->place);
	return anim_sink_track(undump->sink, &track, undump->error);
}

/* Read an unknown record or the index of an archive, which a stream can hold without their content being known. */
static int read_other(struct undump *undump)
{
	const struct anim_decoded decoded = {.record = &undump->record};
	const char *at = undump->at, *tag;
	uint64_t size;

	if (expect(undump, " tag=") != 0 || read_text(undump, ANIM_NAME_MAX, &tag) != 0)
		return -1;
	if (strlen(tag) != 4 || !anim_tag_is((const uint8_t *)tag) || tag[0] < 'a' || strcmp(tag, "prog") == 0)
		return fail(undump, at + 1, "not the tag of a record that is shown as bytes");
	if (read_count(undump, " bytes=", INT64_MAX, &size) != 0 || end_line(undump) != 0 ||
	    anim_put_head(&undump->bytes, tag, undump->error) != 0 ||
	    read_bytes(undump, "\t", size, &undump->bytes) != 0 ||
	    anim_put_finish(&undump->bytes, 0, undump->error) != 0)
		return -1;
	return put_record(undump, &decoded, 0);
}

static const struct {
	const char *word;
	int (*read)(struct undump *);
} records[] = {{"prog", read_prog}, {"tree", read_tree},   {"node", read_node},
	       {"clip", read_clip}, {"track", read_track}, {"record", read_other}};

/* Read a record, which the first word of its line names. Return 1, 0 for the last line, or -1. */
static int read_record(struct undump *undump)
{
	int got = next_line(undump);

	if (got < 0)
		return -1;
	if (got == 0)
		return fail(undump, undump->lines.end, "the text is cut off: the line 'end' is missing");
	if (accept(undump, "end"))
		return end_line(undump);
	undump->place = anim_lines_place(&undump->lines, undump->at);
	undump->bytes.size = 0;
	anim_arena_reset(&undump->arena);
	for (size_t i = 0; i < ANIM_COUNT(records); i++)
		if (accept(undump, records[i].word))
			return records[i].read(undump) != 0 ? -1 : 1;
	return fail(undump, undump->at, "unknown record");
}

static int read_first_line(struct undump *undump)
{
	static const char begin[] = "anim-dump ";
	uint64_t version;
	int got = anim_lines_next(&undump->lines, undump->error);

	if (got < 0)
		return -1;
	if (got == 0)
		return anim_fail(undump->error, ANIM_BAD_INPUT, "the input is empty");
	if (!anim_bytes_begin(undump->lines.at, (size_t)(undump->lines.end - undump->lines.at), begin))
		return fail(undump, undump->lines.at, "not the text of anim-dump, which begins 'anim-dump 1'");
	if (begin_line(undump) != 0 || read_count(undump, begin, UINT32_MAX, &version) != 0)
		return -1;
	if (version != 1) {
		undump->place = anim_lines_place(&undump->lines, undump->lines.at);
		anim_fail(undump->error, ANIM_UNSUPPORTED,
			  "version %llu of this text: it needs a newer version of these programs",
			  (unsigned long long)version);
		return anim_error_at(undump->error, &undump->place);
	}
	return end_line(undump);
}

int anim_undump(struct anim_input *input, struct anim_sink *sink, struct anim_error *error)
{
	struct undump undump = {.lines = {.input = input}, .sink = sink, .error = error};
	int result = read_first_line(&undump) == 0 ? 1 : -1;

	while (result == 1)
		result = read_record(&undump);
	if (result == 0 && (result = next_line(&undump)) == 1)
		result = fail(&undump, undump.at, "text after the line 'end'");

	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++) {
		anim_buffer_clear(&undump.track.column[i]);
		anim_buffer_clear(&undump.track.orders[i]);
	}
	anim_buffer_clear(&undump.track.strings);
	anim_buffer_clear(&undump.track.others);
	anim_buffer_clear(&undump.text);
	anim_buffer_clear(&undump.attrs);
	anim_buffer_clear(&undump.bytes);
	anim_arena_clear(&undump.arena);
	return result == 0 ? 0 : anim_error_in_file(error, anim_input_name(input));
}

int anim_dump_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		   struct anim_error *error)
{
	(void)options;
	return anim_undump(input, sink, error);
}
