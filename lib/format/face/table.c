/* table.c: face_table_read. A row of names, then one row of numbers per frame. */
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/face.h"
#include "format/face/take.h"

/* The content of a column. _TIME has an unknown unit. */
enum cell { CELL_VALUE, CELL_TIME, CELL_SECONDS, CELL_MILLISECONDS, CELL_FRAME, CELL_NOTHING };

struct column {
	enum cell cell;
	ptrdiff_t number; /* of a value, in the take */
};

struct table {
	struct face_take *take; /* borrowed */
	struct anim_lines lines;
	char separator;
	struct anim_buffer columns; /* struct column */
	bool has_gaps;              /* a cell was empty */
};

/* ---- Cells ---- */

/* A cell of a line without the blanks and quotes around it. */
struct slice {
	const char *at;
	size_t length;
};

/* Return the next cell of a line and move *at after its separator, or to NULL after the last cell. */
static struct slice next_cell(const char **at, const char *end, char separator)
{
	const char *begin = *at, *stop = memchr(begin, separator, (size_t)(end - begin));

	*at = stop == NULL ? NULL : stop + 1;
	stop = stop == NULL ? end : stop;
	while (begin < stop && (*begin == ' ' || *begin == '"'))
		begin++;
	while (begin < stop &&
	       (stop[-1] == ' ' || stop[-1] == '"' || stop[-1] == '\r' || stop[-1] == '\x1a' || stop[-1] == '\0'))
		stop--;
	return (struct slice){begin, (size_t)(stop - begin)};
}

/* Remove the group of a shape's name: "blendShapes.JawOpen" of Audio2Face-3D. */
static struct slice shape_name(struct slice cell)
{
	static const char group[] = "blendshapes.";
	size_t tail = cell.length;

	if (cell.length > sizeof group - 1 && strncasecmp(cell.at, group, sizeof group - 1) == 0)
		tail = sizeof group - 1;
	for (size_t i = 0; i < cell.length && tail == cell.length; i++)
		if (cell.at[i] == '.' && anim_face_guess(cell.at + i + 1, cell.length - i - 1) >= 0 &&
		    anim_face_guess(cell.at, cell.length) < 0)
			tail = i + 1;
	return tail == cell.length ? cell : (struct slice){cell.at + tail, cell.length - tail};
}

static bool is_name(struct slice cell, const char *name)
{
	size_t at = 0;

	for (size_t i = 0; i < cell.length; i++) {
		char c = cell.at[i];

		if (c == '_' || c == ' ')
			continue;
		if (name[at] == '\0' || (c | 0x20) != name[at])
			return false;
		at++;
	}
	return name[at] == '\0';
}

static bool is_one_of(struct slice cell, const char *const *names)
{
	while (*names != NULL && !is_name(cell, *names))
		names++;
	return *names != NULL;
}

static enum cell cell_of(struct slice name)
{
	static const char *const times[] = {"timecode", "time", "times", "timestamp", NULL};
	static const char *const seconds[] = {"seconds", "timesec", "times(s)", "time(s)", "timestamps", NULL};
	static const char *const milliseconds[] = {"timestampms", "timems", "ms", "milliseconds", NULL};
	static const char *const frames[] = {"frame", "framenumber", "frameindex", NULL};
	static const char *const nothing[] = {"blendshapecount", "", NULL};

	if (is_one_of(name, times))
		return CELL_TIME;
	if (is_one_of(name, seconds))
		return CELL_SECONDS;
	if (is_one_of(name, milliseconds))
		return CELL_MILLISECONDS;
	if (is_one_of(name, frames))
		return CELL_FRAME;
	return is_one_of(name, nothing) ? CELL_NOTHING : CELL_VALUE;
}

static char find_separator(const char *line, const char *end)
{
	static const char separators[] = ",;\t";

	for (const char *at = separators; *at != '\0'; at++)
		if (memchr(line, *at, (size_t)(end - line)) != NULL)
			return *at;
	return ',';
}

unsigned face_table_shapes(const char *at, size_t size)
{
	const char *end = memchr(at, '\n', size);
	unsigned shapes = 0;
	char separator;

	end = end == NULL ? at + size : end;
	separator = find_separator(at, end);
	while (at != NULL) {
		struct slice cell = shape_name(next_cell(&at, end, separator));

		shapes += anim_face_guess(cell.at, cell.length) >= 0;
	}
	return shapes;
}

/* ---- Rows ---- */

/* Fail at a byte of the line. Return -1. */
__attribute__((format(printf, 3, 4))) static int refuse(struct table *table, const char *at, const char *format, ...)
{
	struct anim_place place = anim_lines_place(&table->lines, at);
	va_list args;

	va_start(args, format);
	anim_fail_va(table->take->error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	return -1;
}

static int refuse_cell(struct table *table, struct slice cell, const char *wanted)
{
	char shown[64];

	anim_text_safe(shown, sizeof shown, cell.at, cell.length);
	return refuse(table, cell.at, "'%s' is not %s", shown, wanted);
}

static int read_head(struct table *table)
{
	const char *at;
	int more = anim_lines_next(&table->lines, table->take->error);

	if (more <= 0)
		return more < 0 ? -1 : anim_fail(table->take->error, ANIM_BAD_INPUT, "the first line has no names");
	at = table->lines.at;
	if (anim_bytes_begin(at, (size_t)(table->lines.end - at), "\xef\xbb\xbf"))
		at += 3;
	table->separator = find_separator(at, table->lines.end);
	while (at != NULL) {
		struct slice name = shape_name(next_cell(&at, table->lines.end, table->separator));
		struct column column = {.cell = cell_of(name), .number = -1};

		if (anim_utf8_prefix(name.at, name.length) != name.length)
			return refuse(table, name.at, "a name that is not UTF-8");
		if (name.length > ANIM_NAME_MAX / 2)
			return refuse(table, name.at, "a name of more than %u bytes", ANIM_NAME_MAX / 2);
		if (column.cell == CELL_VALUE)
			column.number = face_take_add(table->take, name.at, name.length);
		if (column.cell == CELL_VALUE && column.number < 0) {
			const struct anim_place place = anim_lines_place(&table->lines, name.at);

			return anim_error_at(table->take->error, &place);
		}
		if (anim_buffer_append(&table->columns, &column, sizeof column, table->take->error) != 0)
			return -1;
	}
	return 0;
}

static bool is_clock(const struct column *column)
{
	return column->cell != CELL_VALUE && column->cell != CELL_NOTHING;
}

/* Return a number with a decimal comma as one with a point, in `copy`, if cells are not separated by commas. */
static struct slice with_point(const struct table *table, struct slice cell, char copy[ANIM_NUMBER_TYPED_MAX + 1])
{
	char *comma;

	if (table->separator == ',' || cell.length > ANIM_NUMBER_TYPED_MAX || memchr(cell.at, ',', cell.length) == NULL)
		return cell;
	memcpy(copy, cell.at, cell.length);
	comma = memchr(copy, ',', cell.length);
	*comma = '.';
	return (struct slice){copy, cell.length};
}

/* Read the time of a row. The first row decides how times are counted. Return 0 or -1. */
static int read_time(struct table *table, const struct column *column, struct slice cell, struct face_time *time)
{
	struct face_take *take = table->take;
	char copy[ANIM_NUMBER_TYPED_MAX + 1];
	enum face_clock clock;
	struct slice number;

	number = with_point(table, cell, copy);
	if (!face_time_read(number.at, number.length, &clock, time))
		return refuse_cell(table, cell, "a time");
	take->has_unit = column->cell != CELL_TIME;
	if (column->cell == CELL_MILLISECONDS)
		time->seconds /= 1000;
	if (column->cell == CELL_FRAME) {
		clock = FACE_FRAMES;
		*time = (struct face_time){.frames = time->seconds};
	}
	if (take->frames == 0) {
		take->clock = clock;
		if (clock == FACE_TIMECODE)
			take->timecode = anim_arena_text(&take->texts, cell.at, cell.length, take->error);
		return clock == FACE_TIMECODE && take->timecode == NULL ? -1 : 0;
	}
	return clock == take->clock ? 0 : refuse_cell(table, cell, "a time like those before it");
}

static int read_row(struct table *table)
{
	const struct column *column = (const struct column *)(const void *)table->columns.data,
			    *end = column + table->columns.size / sizeof *column;
	struct face_time time = {0};
	const char *at = table->lines.at;

	for (; column < end; column++) {
		char copy[ANIM_NUMBER_TYPED_MAX + 1];
		struct slice cell, number;
		double value;

		if (at == NULL)
			return refuse(table, table->lines.end, "the row has fewer cells than the first line");
		cell = next_cell(&at, table->lines.end, table->separator);
		if (is_clock(column) && read_time(table, column, cell, &time) != 0)
			return -1;
		if (column->cell != CELL_VALUE)
			continue;
		if (cell.length == 0) {
			table->has_gaps = true;
			continue;
		}
		number = with_point(table, cell, copy);
		if (anim_number_typed(number.at, number.length, &value) != number.length ||
		    !(value > -1e30 && value < 1e30))
			return refuse_cell(table, cell, "a number");
		face_take_row(table->take)[column->number] = (float)value;
	}
	if (at != NULL)
		return refuse(table, at, "the row has more cells than the first line");
	return face_take_end_frame(table->take, time);
}

/* Read the rows after the first line. Return 0 or -1. */
static int read_rows(struct table *table)
{
	struct column *columns = (struct column *)(void *)table->columns.data, *clock = NULL;
	size_t count = table->columns.size / sizeof *columns;
	int more;

	/* The first column with times gives the times, or else the first one with numbers of frames. */
	for (size_t i = 0; i < count; i++)
		if (is_clock(&columns[i]) &&
		    (clock == NULL || (clock->cell == CELL_FRAME && columns[i].cell != CELL_FRAME)))
			clock = &columns[i];
	for (size_t i = 0; i < count; i++)
		if (is_clock(&columns[i]) && &columns[i] != clock)
			columns[i].cell = CELL_NOTHING;

	while ((more = anim_lines_next(&table->lines, table->take->error)) > 0) {
		const char *at = table->lines.at;

		/* Old editors end a text with Ctrl-Z, and some programs with NULs. */
		while (at < table->lines.end && (*at == ' ' || *at == '\r' || *at == '\x1a' || *at == '\0'))
			at++;
		if (at < table->lines.end && read_row(table) != 0)
			return -1;
	}
	if (more == 0 && table->has_gaps)
		return anim_diagnostics_warn(table->take->options->diagnostics, NULL, table->take->error,
					     "empty cells get the value of the row before them");
	return more;
}

int face_table_read(struct face_take *take)
{
	struct table table = {.take = take, .lines = {.input = take->input}};
	int result = read_head(&table);

	if (result == 0)
		result = read_rows(&table);
	anim_buffer_clear(&table.columns);
	return result;
}
