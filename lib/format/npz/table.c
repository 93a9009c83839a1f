/* table.c: reads back the arrays that anim-emit npz writes: times, names and values. */
#include <math.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"
#include "format/npz/reader.h"

struct table {
	struct npz_reader *reader;
	struct anim_sink *sink;
	size_t rows, columns;
	struct anim_buffer times;  /* double */
	struct anim_buffer names;  /* texts, each with its NUL */
	struct anim_buffer starts; /* size_t: the beginning of each name */
	struct anim_buffer keys;   /* float: the times, if they are not on a grid */
	struct anim_track grid;    /* kind and times of all tracks */
};

/* A column's name: "Skeleton3D:Hips rotation.x". */
struct column_name {
	const char *node, *property; /* not ended by NUL */
	size_t node_length, property_length;
	int component; /* -1: the whole value */
};

static const char *name_at(const struct table *table, size_t column)
{
	const size_t *starts = (const size_t *)(const void *)table->starts.data;

	return (const char *)table->names.data + starts[column];
}

/* ---- The three arrays ---- */

/* Move to the array with this name. Return 0 or -1. */
static int expect(struct table *table, struct npy_array *array, const char *name)
{
	int more = npz_next_array(table->reader, array);

	if (more > 0 && strcmp(array->name, name) == 0)
		return 0;
	if (more > 0)
		return npy_refuse(array, "the arrays times, names and values must come in this order");
	return more < 0 ? -1 : anim_fail(table->reader->error, ANIM_BAD_INPUT, "the array '%s' is missing", name);
}

static int read_times(struct table *table, struct npy_array *array)
{
	double *times;

	if (array->kind > NPY_UNSIGNED || array->dimensions != 1 || array->count > ANIM_KEYS_MAX)
		return npy_refuse(array, "needs one time per row");
	table->rows = (size_t)array->count;
	for (size_t done = 0, part; done < table->rows; done += part) {
		part = table->rows - done < 4096 ? table->rows - done : 4096;
		times = anim_buffer_extend(&table->times, part * sizeof *times, array->error);
		if (times == NULL || npy_doubles(array, times, part) != 0)
			return -1;
		for (size_t i = 0; i < part; i++)
			if (!(fabs(times[i]) < 1e9))
				return npy_refuse(array, "time %zu is not a number of seconds", done + i);
	}
	return 0;
}

static int read_names(struct table *table, struct npy_array *array)
{
	/* names without bytes would cost memory that no byte of the file pays for */
	if (array->kind != NPY_TEXT || array->dimensions != 1 || array->count > ANIM_NPZ_NAMES_MAX ||
	    (array->item_size == 0 && array->count > 0))
		return npy_refuse(array, "needs one text per column");
	table->columns = (size_t)array->count;
	for (size_t i = 0; i < table->columns; i++) {
		size_t start = table->names.size;

		if (anim_buffer_append(&table->starts, &start, sizeof start, array->error) != 0 ||
		    npy_text(array, &table->names) != 0)
			return -1;
		if (table->names.size - start > ANIM_NAME_MAX)
			return npy_refuse(array, "a name of more than %u bytes", ANIM_NAME_MAX);
		if (anim_buffer_append(&table->names, "", 1, array->error) != 0)
			return -1;
	}
	return 0;
}

/* ---- The times of all tracks ---- */

static bool is_on_grid(const struct table *table, const struct anim_track *grid)
{
	const double *times = (const double *)(const void *)table->times.data;

	for (size_t k = 0; k < table->rows; k++)
		if (anim_track_time(grid, k) != times[k])
			return false;
	return true;
}

/* Use float times. They are exact if keys were written, whose times are floats. Return 0 or -1. */
static int use_keys(struct table *table)
{
	const double *times = (const double *)(const void *)table->times.data;
	struct anim_error *error = table->reader->error;
	bool is_rounded = false;
	float *keys = anim_buffer_extend(&table->keys, table->rows * sizeof *keys + 1, error);

	if (keys == NULL)
		return -1;
	for (size_t k = 0; k < table->rows; k++) {
		keys[k] = (float)times[k];
		is_rounded |= (double)keys[k] != times[k];
		if (k > 0 && keys[k] < keys[k - 1])
			return anim_fail(error, ANIM_BAD_INPUT, "time %zu is earlier than the one before it", k);
	}
	table->grid = (struct anim_track){.kind = ANIM_CURVE, .time = keys, .n = table->rows};
	return is_rounded ? anim_diagnostics_warn(table->reader->options->diagnostics, NULL, error,
						  "the times have no rate and are rounded to floats")
			  : 0;
}

/* Find the grid that gives exactly these times: a rate, or a step. Otherwise the times become keys. Return 0 or -1. */
static int find_grid(struct table *table)
{
	const double *times = (const double *)(const void *)table->times.data;
	static const double tolerances[] = {ANIM_READ_RATE_FLOAT, 1e-9}; /* 29.97 can be 2997/100 */
	struct anim_track *grid = &table->grid;
	double step_s;

	*grid = (struct anim_track){.kind = ANIM_RAW, .n = table->rows};
	if (table->rows < 2 || !(times[1] > times[0]))
		return use_keys(table);
	step_s = times[1] - times[0];
	grid->start_s = times[0];
	for (size_t i = 0; i < ANIM_COUNT(tolerances) && 1 / step_s <= 1e6; i++)
		if (anim_read_rate(1 / step_s, tolerances[i], &grid->rate_num, &grid->rate_den) &&
		    is_on_grid(table, grid))
			return 0;
	grid->rate_num = grid->rate_den = 0;
	grid->step_s = step_s;
	return is_on_grid(table, grid) ? 0 : use_keys(table);
}

/* ---- Columns become tracks ---- */

/* Find the beginning of the property: at a usual name, because names of nodes may contain blanks, or after the last blank. */
static const char *find_property(const char *name)
{
	static const char *const usual[] = {" position", " rotation", " scale",        " euler",
					    " angle",    " visible",  " blend_shape/", " expression/"};

	for (const char *at = strchr(name, ' '); at != NULL; at = strchr(at + 1, ' '))
		for (size_t i = 0; i < ANIM_COUNT(usual); i++) {
			const char *end = anim_text_after(at, usual[i]);

			if (end != NULL && (end[-1] == '/' || *end == '\0' || *end == '.'))
				return at + 1;
		}
	name = strrchr(name, ' ');
	return name == NULL ? NULL : name + 1;
}

static int find_component(const char *suffix)
{
	static const char letters[] = "xyzw", colours[] = "rgba";
	const char *at;
	int number = 0;

	if (suffix[0] != '\0' && suffix[1] == '\0') {
		if ((at = strchr(letters, suffix[0])) != NULL)
			return (int)(at - letters);
		if ((at = strchr(colours, suffix[0])) != NULL)
			return (int)(at - colours);
	}
	for (at = suffix; *at >= '0' && *at <= '9' && number < 16; at++)
		number = number * 10 + (*at - '0');
	return at > suffix && *at == '\0' && number < 16 ? number : -1;
}

/* Split a column's name. Return false if it is not one of these names. */
static bool split_name(const char *text, struct column_name *name)
{
	const char *property = find_property(text), *dot;

	if (property == NULL)
		return false;
	name->node = text;
	name->node_length = (size_t)(property - text) - 1;
	name->property = property;
	name->property_length = strlen(property);
	name->component = -1;
	dot = strrchr(property, '.');
	if (dot == NULL || strncmp(property, "blend_shape/", 12) == 0 || strncmp(property, "expression/", 11) == 0)
		return true;
	name->component = find_component(dot + 1);
	if (name->component >= 0)
		name->property_length = (size_t)(dot - property);
	return true;
}

/* Return the type of a value with so many components, or -1. */
static int type_of(const struct column_name *name, size_t count, bool is_double)
{
	bool is_rotation = name->property_length == 8 && memcmp(name->property, "rotation", 8) == 0;
	bool is_colour = count == 4 && strncmp(name->property + name->property_length, ".r", 2) == 0;

	switch (count) {
	case 1:
		return is_double ? ANIM_DOUBLE : ANIM_FLOAT;
	case 2:
		return is_double ? ANIM_DOUBLE2 : ANIM_FLOAT2;
	case 3:
		return is_double ? ANIM_DOUBLE3 : ANIM_FLOAT3;
	case 4:
		if (is_colour && !is_double)
			return ANIM_COLOR;
		if (is_rotation)
			return is_double ? ANIM_DOUBLEQ : ANIM_FLOATQ;
		return is_double ? ANIM_DOUBLE4 : ANIM_FLOAT4;
	case 9:
		return is_double ? ANIM_DOUBLE3X3 : ANIM_FLOAT3X3;
	case 16:
		return is_double ? ANIM_DOUBLE4X4 : ANIM_FLOAT4X4;
	default:
		return -1;
	}
}

static int read_columns(struct table *table, struct npy_array *array, const struct column_name *name, size_t count)
{
	struct npz_reader *reader = table->reader;
	size_t numbers = table->rows * count;
	const double *from;
	bool is_double = false;
	struct anim_track track;
	size_t size;
	void *to;

	reader->tile.size = 0;
	if (anim_buffer_reserve(&reader->tile, numbers * sizeof(double) + 1, reader->error) != 0 ||
	    npy_doubles(array, (double *)(void *)reader->tile.data, numbers) != 0)
		return -1;
	if (name->property_length == 5 &&
	    (memcmp(name->property, "euler", 5) == 0 || memcmp(name->property, "angle", 5) == 0))
		return anim_diagnostics_warn(
		    reader->options->diagnostics, "column", reader->error,
		    "'%.80s': left out, because npz files do not say the unit and the order of angles; " ANIM_ADVICE(
			BAKE),
		    name->node);

	from = (const double *)(const void *)reader->tile.data;
	for (size_t i = 0; i < numbers && !is_double; i++)
		is_double = !isnan(from[i]) && (double)(float)from[i] != from[i];
	track = table->grid;
	anim_arena_reset(&reader->texts);
	track.type = (enum anim_type)type_of(name, count, is_double);
	track.component = count == 1 && name->component >= 0 ? (uint8_t)name->component : ANIM_WHOLE;
	track.interp = ANIM_LINEAR;
	track.node = anim_arena_text(&reader->texts, name->node, name->node_length, reader->error);
	track.property = anim_arena_text(&reader->texts, name->property, name->property_length, reader->error);
	if (track.node == NULL || track.property == NULL)
		return -1;
	/* Arrange columns as values: component by component in `from`, value by value in reader->values. */
	size = is_double ? sizeof(double) : sizeof(float);
	reader->values.size = 0;
	to = anim_buffer_extend(&reader->values, numbers * size + 1, reader->error);
	if (to == NULL)
		return -1;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < table->rows; k++) {
			double value = from[i * table->rows + k];

			if (is_double)
				((double *)to)[k * count + i] = value;
			else
				((float *)to)[k * count + i] = (float)value;
		}
	track.value = reader->values.data;
	return anim_sink_track(table->sink, &track, reader->error);
}

static int read_values(struct table *table, struct npy_array *array)
{
	if (array->kind > NPY_UNSIGNED || array->dimensions != 2 || array->shape[0] != table->rows ||
	    array->shape[1] != table->columns)
		return npy_refuse(array, "needs one row per time and one column per name");
	if (!array->by_columns && table->rows > 1 && table->columns > 1)
		return npy_refuse(array, "must be in Fortran order: numpy.asfortranarray");
	for (size_t column = 0, count; column < table->columns; column += count) {
		struct column_name name, other;

		if (!split_name(name_at(table, column), &name))
			return npy_refuse(array, "the name of column %zu is not 'NODE PROPERTY'", column);
		/* Count the columns that are the components 0, 1, 2 ... of one value. */
		for (count = 1; name.component == 0 && column + count < table->columns && count < 16; count++)
			if (!split_name(name_at(table, column + count), &other) || other.component != (int)count ||
			    other.node_length != name.node_length || other.property_length != name.property_length ||
			    memcmp(name.node, other.node, name.node_length) != 0 ||
			    memcmp(name.property, other.property, name.property_length) != 0)
				break;
		if (type_of(&name, count, false) < 0)
			count = 1;
		if (read_columns(table, array, &name, count) != 0)
			return -1;
	}
	return 0;
}

static int push_clip(struct table *table)
{
	struct npz_reader *reader = table->reader;
	const double *times = (const double *)(const void *)table->times.data;
	const char *file = anim_read_source_file(reader->options, reader->input);
	struct anim_clip clip = {.name = anim_read_base_name(file, &reader->texts, reader->error),
				 .root = ".",
				 .source = "npz",
				 .rate_num = table->grid.rate_num,
				 .rate_den = table->grid.rate_den};

	if (clip.name == NULL)
		return -1;
	if (table->rows > 0) {
		clip.start_s = (float)times[0];
		clip.end_s = (float)times[table->rows - 1];
	}
	return anim_sink_clip(table->sink, &clip, reader->error);
}

int npz_read_table(struct npz_reader *reader, struct npy_array *array, struct anim_sink *sink)
{
	struct table table = {.reader = reader, .sink = sink};
	int result = -1;

	if (read_times(&table, array) == 0 && expect(&table, array, "names") == 0 && read_names(&table, array) == 0 &&
	    find_grid(&table) == 0 && expect(&table, array, "values") == 0 && push_clip(&table) == 0 &&
	    read_values(&table, array) == 0) {
		result = zip_next(&reader->zip);
		if (result > 0)
			result = anim_fail(reader->error, ANIM_BAD_INPUT, "another file after the array 'values'");
	}
	anim_buffer_clear(&table.times);
	anim_buffer_clear(&table.names);
	anim_buffer_clear(&table.starts);
	anim_buffer_clear(&table.keys);
	return result;
}
