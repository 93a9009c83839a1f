/* keys.c: generic access to the columns of a track, single numbers from them, and a track that grows key by key. */
#include "clip/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"

/* ---- Reading numbers from a column of any type ---- */

static const unsigned char *component_at(enum anim_type type, const void *column, size_t k, unsigned component)
{
	const struct anim_type_info *info = &anim_types[type];

	return (const unsigned char *)column + k * info->size + (size_t)component * info->component_size;
}

int64_t anim_component_integer(enum anim_type type, const void *column, size_t k, unsigned component)
{
	const unsigned char *at = component_at(type, column, k, anim_types[type].stored_components > 1 ? component : 0);
	union {
		uint16_t u16;
		uint32_t u32;
		int16_t i16;
		int32_t i32;
		int64_t i64;
	} number = {.i64 = 0};

	if (anim_types[type].scalar == ANIM_SCALAR_BOOL)
		return *at >> component & 1;
	memcpy(&number, at, anim_types[type].component_size);
	switch (anim_types[type].scalar) {
	case ANIM_SCALAR_U8:
		return *at;
	case ANIM_SCALAR_I8:
		return (int8_t)*at;
	case ANIM_SCALAR_U16:
		return number.u16;
	case ANIM_SCALAR_I16:
		return number.i16;
	case ANIM_SCALAR_U32:
		return number.u32;
	case ANIM_SCALAR_I32:
		return number.i32;
	default:
		return number.i64;
	}
}

double anim_component(enum anim_type type, const void *column, size_t k, unsigned component)
{
	const unsigned char *at = component_at(type, column, k, anim_types[type].stored_components > 1 ? component : 0);
	enum anim_scalar scalar = anim_types[type].scalar;

	if (scalar == ANIM_SCALAR_F32) {
		float number;

		memcpy(&number, at, sizeof number);
		return (double)number;
	}
	if (scalar == ANIM_SCALAR_F64) {
		double number;

		memcpy(&number, at, sizeof number);
		return number;
	}
	if (scalar == ANIM_SCALAR_U64)
		return (double)(uint64_t)anim_component_integer(type, column, k, component);
	return (double)anim_component_integer(type, column, k, component);
}

void anim_components(enum anim_type type, const void *column, size_t k, double *out)
{
	const struct anim_type_info *info = &anim_types[type];
	float number;

	if (info->scalar != ANIM_SCALAR_F32) {
		for (unsigned component = 0; component < info->components; component++)
			out[component] = anim_component(type, column, k, component);
		return;
	}
	for (unsigned component = 0; component < info->components; component++) {
		memcpy(&number, (const unsigned char *)column + k * info->size + component * sizeof number,
		       sizeof number);
		out[component] = (double)number;
	}
}

#define ROUND 16u /* numbers per step; compilers vectorise a constant number */

static void widen(const float *restrict numbers, size_t count, double *restrict out)
{
	size_t done = 0;

	for (; done + ROUND <= count; done += ROUND)
		for (size_t i = 0; i < ROUND; i++)
			out[done + i] = (double)numbers[done + i];
	for (; done < count; done++)
		out[done] = (double)numbers[done];
}

void anim_components_of(enum anim_type type, const void *column, size_t k, size_t count, double *out)
{
	size_t components = anim_types[type].components;

	if (anim_types[type].scalar == ANIM_SCALAR_F32)
		widen((const float *)column + k * components, count * components, out);
	else
		for (size_t i = 0; i < count; i++)
			anim_components(type, column, k + i, out + i * components);
}

bool anim_component_store(enum anim_type type, void *value, unsigned component, bool negative, uint64_t size)
{
	const struct anim_type_info *info = &anim_types[type];
	unsigned char *at =
	    (unsigned char *)value + (info->stored_components > 1 ? (size_t)component * info->component_size : 0);
	uint64_t half = (uint64_t)1 << (8 * info->component_size - 1);
	bool is_signed = info->scalar >= ANIM_SCALAR_I8 && info->scalar <= ANIM_SCALAR_I64;

	if (info->scalar == ANIM_SCALAR_BOOL) {
		if (size > 1 || (negative && size > 0))
			return false;
		*at |= (unsigned char)(size << component);
		return true;
	}
	if (negative ? size > (is_signed ? half : 0) : size > (is_signed ? half - 1 : half - 1 + half))
		return false;
	size = negative ? 0 - size : size;
	memcpy(at, &size, info->component_size);
	return true;
}

const char *anim_component_read(enum anim_type type, void *value, unsigned component, const char *text, const char *end)
{
	bool negative = text < end && *text == '-';
	uint64_t size;
	const char *after = anim_number_uint64(text + negative, end, &size);

	return after != NULL && anim_component_store(type, value, component, negative, size) ? after : NULL;
}

/* ---- Strings of a track, one after another ---- */

size_t anim_texts_count(const struct anim_texts *texts)
{
	return texts->length.size / sizeof(uint32_t);
}

int anim_texts_close(struct anim_texts *texts, size_t start, struct anim_error *error)
{
	uint32_t length;
	uint64_t at = start;

	if (texts->bytes.size - start > ANIM_TEXT_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "a key of more than 16 MiB of text");
	length = (uint32_t)(texts->bytes.size - start);
	if (anim_buffer_append(&texts->length, &length, sizeof length, error) != 0)
		return -1;
	return anim_buffer_append(&texts->start, &at, sizeof at, error);
}

int anim_texts_add(struct anim_texts *texts, const char *bytes, size_t length, struct anim_error *error)
{
	size_t start = texts->bytes.size;

	if (length > 0 && anim_buffer_append(&texts->bytes, bytes, length, error) != 0)
		return -1;
	return anim_texts_close(texts, start, error);
}

int anim_texts_add_null(struct anim_texts *texts, struct anim_error *error)
{
	static const uint32_t length = ANIM_NULL_STRING;
	uint64_t at = texts->bytes.size;

	if (anim_buffer_append(&texts->length, &length, sizeof length, error) != 0)
		return -1;
	return anim_buffer_append(&texts->start, &at, sizeof at, error);
}

void anim_texts_view(const struct anim_texts *texts, struct anim_strings *strings)
{
	static const uint32_t no_length;
	static const uint64_t no_start;
	bool empty = texts->length.size == 0;

	strings->length = empty ? &no_length : (const uint32_t *)(const void *)texts->length.data;
	strings->start = empty ? &no_start : (const uint64_t *)(const void *)texts->start.data;
	strings->bytes = texts->bytes.size == 0 ? "" : (const char *)texts->bytes.data;
	strings->bytes_size = texts->bytes.size;
}

void anim_texts_reset(struct anim_texts *texts)
{
	texts->length.size = texts->start.size = texts->bytes.size = 0;
}

void anim_texts_clear(struct anim_texts *texts)
{
	anim_buffer_clear(&texts->length);
	anim_buffer_clear(&texts->start);
	anim_buffer_clear(&texts->bytes);
}

bool anim_texts_are_quoted(const struct anim_track *track)
{
	static const char *const kinds[] = {"StringName", "NodePath", "Nil", "Object", "mixed"};
	const char *literal = track->type == ANIM_STRING ? anim_attrs_get(&track->attrs, "literal") : NULL;

	for (size_t i = 0; literal != NULL && i < ANIM_COUNT(kinds); i++)
		if (strcmp(literal, kinds[i]) == 0)
			return true;
	return false;
}

char anim_texts_unescaped(char c)
{
	static const char escapes[] = "n\nt\tr\rb\bf\fa\av\v";

	for (const char *e = escapes; *e != '\0'; e += 2)
		if (c == *e)
			return e[1];
	return c;
}

/* Find the text between the quotes of the source text of one string, name or path. Returns false for other texts. */
static bool find_quoted(const char **bytes, size_t *length)
{
	static const struct {
		const char *before, *after;
	} forms[] = {{"\"", "\""}, {"&\"", "\""}, {"NodePath(\"", "\")"}};

	for (size_t i = 0; i < ANIM_COUNT(forms); i++) {
		size_t before = strlen(forms[i].before), after = strlen(forms[i].after);

		if (*length < before + after || memcmp(*bytes, forms[i].before, before) != 0 ||
		    memcmp(*bytes + *length - after, forms[i].after, after) != 0)
			continue;
		*bytes += before;
		*length -= before + after;
		return true;
	}
	return false;
}

static int add_meant(struct anim_texts *texts, const char *bytes, size_t length, struct anim_error *error)
{
	size_t start = texts->bytes.size;
	char *out;

	if (length == 4 && memcmp(bytes, "null", 4) == 0)
		return anim_texts_add_null(texts, error);
	if (!find_quoted(&bytes, &length) || length == 0)
		return anim_texts_add(texts, bytes, length, error);
	if ((out = anim_buffer_extend(&texts->bytes, length, error)) == NULL)
		return -1;
	for (size_t i = 0; i < length; i++)
		*out++ = bytes[i] == '\\' && i + 1 < length ? anim_texts_unescaped(bytes[++i]) : bytes[i];
	texts->bytes.size = (size_t)(out - (char *)texts->bytes.data);
	return anim_texts_close(texts, start, error);
}

int anim_texts_unquote(struct anim_texts *texts, const struct anim_track *track, struct anim_error *error)
{
	const struct anim_strings *from = track->strings;

	for (size_t k = 0; k < track->n; k++)
		if (from->length[k] == ANIM_NULL_STRING
			? anim_texts_add_null(texts, error) != 0
			: add_meant(texts, from->bytes + from->start[k], from->length[k], error) != 0)
			return -1;
	return 0;
}

/* ---- Columns ---- */

#define BIT(id) (1u << (id))

struct anim_column_shape anim_column_shape_of(enum anim_column id, enum anim_type type)
{
	const struct anim_type_info *info = &anim_types[type];

	switch (id) {
	case ANIM_COLUMN_VALUE:
	case ANIM_COLUMN_LEFT:
	case ANIM_COLUMN_RIGHT:
		return (struct anim_column_shape){info->stored_components, info->component_size};
	case ANIM_COLUMN_LEFT_X:
	case ANIM_COLUMN_RIGHT_X:
		return (struct anim_column_shape){info->components, 4};
	case ANIM_COLUMN_INTERP:
	case ANIM_COLUMN_WEIGHTED:
		return (struct anim_column_shape){1, 1};
	default:
		return (struct anim_column_shape){1, 4};
	}
}

size_t anim_column_size(enum anim_column id, enum anim_type type)
{
	struct anim_column_shape shape = anim_column_shape_of(id, type);

	return (size_t)shape.components * shape.width;
}

/*
 * Copy a column: key i of the copy is key order[i], or first + i without an order. NULL stays NULL. Returns 0 or -1.
 */
static int gather(const void **column, size_t size, const uint32_t *order, size_t first, size_t n,
		  struct anim_arena *arena, struct anim_error *error)
{
	const uint8_t *from = *column;
	uint8_t *to;
	size_t bytes;

	if (from == NULL)
		return 0;
	if (anim_size_multiply(size, n, &bytes, error) != 0 || (to = anim_arena_alloc(arena, bytes, error)) == NULL)
		return -1;
	if (order == NULL)
		memcpy(to, from + first * size, bytes);
	else
		for (size_t i = 0; i < n; i++)
			memcpy(to + i * size, from + order[i] * size, size);
	*column = to;
	return 0;
}

/* Copy all columns of `out`, which still belong to another track. */
static int gather_all(struct anim_track *out, const uint32_t *order, size_t n, struct anim_arena *arena,
		      struct anim_error *error)
{
	const void *length, *start;
	struct anim_strings *strings;

	for (enum anim_column id = ANIM_COLUMN_TIME; id < ANIM_COLUMN_COUNT; id++)
		if (gather(&out->column[id], anim_column_size(id, out->type), order, 0, n, arena, error) != 0)
			return -1;
	out->n = n;
	out->record = NULL;
	if (out->strings == NULL)
		return 0;
	length = out->strings->length;
	start = out->strings->start;
	strings = anim_arena_alloc(arena, sizeof *strings, error);
	if (strings == NULL || gather(&length, sizeof(uint32_t), order, 0, n, arena, error) != 0 ||
	    gather(&start, sizeof(uint64_t), order, 0, n, arena, error) != 0)
		return -1;
	*strings = *out->strings;
	strings->length = length;
	strings->start = start;
	out->strings = strings;
	return 0;
}

int anim_track_copy(struct anim_track *out, const struct anim_track *track, struct anim_arena *arena,
		    struct anim_error *error)
{
	struct anim_strings *strings;

	*out = *track;
	if (anim_text_keep(&out->node, arena, error) != 0 || anim_text_keep(&out->property, arena, error) != 0 ||
	    anim_attrs_keep(&out->attrs, arena, error) != 0 || gather_all(out, NULL, track->n, arena, error) != 0)
		return -1;
	if (out->strings == NULL)
		return 0;
	strings = (struct anim_strings *)out->strings; /* now in the arena */
	strings->bytes = anim_arena_text(arena, strings->bytes, (size_t)strings->bytes_size, error);
	return strings->bytes == NULL ? -1 : 0;
}

static const void *element_at(const void *column, size_t keys, size_t size)
{
	return column == NULL ? NULL : (const uint8_t *)column + keys * size;
}

void anim_track_part(struct anim_track *out, struct anim_strings *strings, const struct anim_track *track, size_t first,
		     size_t count)
{
	*out = *track;
	out->record = NULL;
	out->n = count;
	if (first + count < track->n)
		out->flags &= ~ANIM_LAST_AT_END;
	if (track->kind == ANIM_RAW && first > 0)
		out->start_s = anim_track_time(track, first);
	for (enum anim_column id = ANIM_COLUMN_TIME; id < ANIM_COLUMN_COUNT; id++)
		out->column[id] = element_at(track->column[id], first, anim_column_size(id, track->type));
	if (track->strings == NULL)
		return;
	*strings = *track->strings;
	strings->length = element_at(strings->length, first, sizeof *strings->length);
	strings->start = element_at(strings->start, first, sizeof *strings->start);
	out->strings = strings;
}

struct place {
	float time_s;
	uint32_t key;
};

/* Compare by time, then by position, for a stable order. */
static int compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->time_s != y->time_s)
		return x->time_s < y->time_s ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

int anim_track_sorted(struct anim_track *out, const struct anim_track *track, struct anim_arena *arena,
		      struct anim_error *error)
{
	struct place *places = anim_arena_zeroed(arena, track->n, sizeof *places, error);
	uint32_t *order = anim_arena_zeroed(arena, track->n, sizeof *order, error);

	if (places == NULL || order == NULL)
		return -1;
	for (size_t k = 0; k < track->n; k++) {
		if (!isfinite(track->time[k]))
			return anim_fail(error, ANIM_UNSUPPORTED,
					 "track '%s %s': the time of key %zu is not a finite number", track->node,
					 track->property, k);
		places[k] = (struct place){track->time[k], (uint32_t)k};
	}
	qsort(places, track->n, sizeof *places, compare);
	for (size_t k = 0; k < track->n; k++)
		order[k] = places[k].key;
	*out = *track;
	if (gather_all(out, order, track->n, arena, error) != 0)
		return -1;
	out->flags &= ~ANIM_UNSORTED;
	return 0;
}

int anim_track_pick_component(struct anim_track *out, const struct anim_track *track, unsigned component,
			      enum anim_type type, struct anim_arena *arena, struct anim_error *error)
{
	*out = *track;
	out->record = NULL;
	out->component = (uint8_t)component;
	out->type = type;
	for (enum anim_column id = ANIM_COLUMN_TIME; id < ANIM_COLUMN_COUNT; id++) {
		struct anim_column_shape shape = anim_column_shape_of(id, track->type);
		const uint8_t *from = track->column[id];
		uint8_t *to;

		if (from == NULL || shape.components < 2)
			continue;
		to = anim_arena_zeroed(arena, track->n, shape.width, error);
		if (to == NULL)
			return -1;
		for (size_t k = 0; k < track->n; k++)
			memcpy(to + k * shape.width, from + (k * shape.components + component) * shape.width,
			       shape.width);
		out->column[id] = to;
	}
	return 0;
}

void anim_keys_reset(struct anim_keys *keys, enum anim_type type)
{
	keys->type = type;
	keys->n = 0;
	keys->present = 0;
	for (size_t id = 0; id < ANIM_COLUMN_COUNT; id++)
		keys->column[id].size = 0;
	anim_texts_reset(&keys->texts);
}

void anim_keys_clear(struct anim_keys *keys)
{
	for (size_t id = 0; id < ANIM_COLUMN_COUNT; id++)
		anim_buffer_clear(&keys->column[id]);
	anim_texts_clear(&keys->texts);
	memset(keys, 0, sizeof *keys);
}

int anim_keys_reserve(struct anim_keys *keys, unsigned columns, size_t n, struct anim_error *error)
{
	size_t bytes;

	columns |= BIT(ANIM_COLUMN_TIME) | BIT(ANIM_COLUMN_VALUE) | BIT(ANIM_COLUMN_INTERP);
	for (enum anim_column id = ANIM_COLUMN_TIME; id < ANIM_COLUMN_COUNT; id++)
		if ((columns & BIT(id)) &&
		    (anim_size_multiply(anim_column_size(id, keys->type), n, &bytes, error) != 0 ||
		     anim_buffer_reserve(&keys->column[id], bytes, error) != 0))
			return -1;
	return 0;
}

/* Append the neutral element of a column for key k. */
static int append_neutral(struct anim_keys *keys, enum anim_column id, size_t k, struct anim_error *error)
{
	static const float third = 1.0f / 3.0f, one = 1.0f, zero = 0.0f;
	enum anim_interp mode = keys->column[ANIM_COLUMN_INTERP].data[k];
	size_t size = anim_column_size(id, keys->type);
	uint8_t *to = anim_buffer_extend(&keys->column[id], size, error);
	const float *number = id == ANIM_COLUMN_EASE ? &one : mode == ANIM_WEIGHTED ? &third : &zero;
	bool floats = id == ANIM_COLUMN_EASE || id == ANIM_COLUMN_LEFT_X || id == ANIM_COLUMN_RIGHT_X;

	if (to == NULL)
		return -1;
	memset(to, 0, size);
	if ((id == ANIM_COLUMN_LEFT || id == ANIM_COLUMN_RIGHT) && mode == ANIM_CUBIC_BEZIER)
		memcpy(to, keys->column[ANIM_COLUMN_VALUE].data + k * size, size);
	for (size_t at = 0; at < size && floats; at += sizeof *number)
		memcpy(to + at, number, sizeof *number);
	return 0;
}

/* Add a column, with neutral elements for the first n keys. */
static int add_column(struct anim_keys *keys, enum anim_column id, size_t n, struct anim_error *error)
{
	if (keys->present & BIT(id))
		return 0;
	keys->present |= BIT(id);
	for (size_t k = 0; k < n; k++)
		if (append_neutral(keys, id, k, error) != 0)
			return -1;
	return 0;
}

int anim_keys_widen(struct anim_keys *keys, unsigned columns, struct anim_error *error)
{
	for (enum anim_column id = ANIM_COLUMN_LEFT; columns >> id != 0; id++)
		if ((columns & BIT(id)) && add_column(keys, id, keys->n, error) != 0)
			return -1;
	return 0;
}

void anim_keys_grow(struct anim_keys *keys, size_t count, enum anim_interp interp)
{
	struct anim_buffer *modes = &keys->column[ANIM_COLUMN_INTERP];
	unsigned columns = keys->present | BIT(ANIM_COLUMN_TIME) | BIT(ANIM_COLUMN_VALUE) | BIT(ANIM_COLUMN_INTERP);

	memset(modes->data + modes->size, (int)interp, count);
	for (enum anim_column id = ANIM_COLUMN_TIME; columns >> id != 0; id++)
		if (columns & BIT(id))
			keys->column[id].size += count * anim_column_size(id, keys->type);
	keys->n += count;
}

static int append_value(struct anim_keys *keys, const void *value, struct anim_error *error)
{
	const struct anim_text *text = value;
	uint64_t start = keys->texts.bytes.size;

	if (keys->type != ANIM_STRING)
		return anim_buffer_append(&keys->column[ANIM_COLUMN_VALUE], value, anim_types[keys->type].size, error);
	if (anim_buffer_append(&keys->texts.length, &text->length, sizeof text->length, error) != 0 ||
	    anim_buffer_append(&keys->texts.start, &start, sizeof start, error) != 0)
		return -1;
	return anim_buffer_append(&keys->texts.bytes, text->bytes, text->length == ANIM_NULL_STRING ? 0 : text->length,
				  error);
}

int anim_keys_add_sample(struct anim_keys *keys, const void *value, struct anim_error *error)
{
	if (append_value(keys, value, error) != 0)
		return -1;
	keys->n++;
	return 0;
}

/* Add the time, the mode and the further columns of a key. */
static int add_rest(struct anim_keys *keys, float time_s, enum anim_interp interp, struct anim_error *error)
{
	uint8_t mode = (uint8_t)interp;

	if (anim_buffer_append(&keys->column[ANIM_COLUMN_TIME], &time_s, sizeof time_s, error) != 0 ||
	    anim_buffer_append(&keys->column[ANIM_COLUMN_INTERP], &mode, 1, error) != 0)
		return -1;
	for (enum anim_column id = ANIM_COLUMN_LEFT; keys->present >> id != 0; id++)
		if ((keys->present & BIT(id)) && append_neutral(keys, id, keys->n, error) != 0)
			return -1;
	keys->n++;
	return 0;
}

int anim_keys_add(struct anim_keys *keys, float time_s, const void *value, enum anim_interp interp,
		  struct anim_error *error)
{
	return append_value(keys, value, error) != 0 ? -1 : add_rest(keys, time_s, interp, error);
}

int anim_keys_add_text(struct anim_keys *keys, float time_s, size_t start, enum anim_interp interp,
		       struct anim_error *error)
{
	return anim_texts_close(&keys->texts, start, error) != 0 ? -1 : add_rest(keys, time_s, interp, error);
}

int anim_keys_set(struct anim_keys *keys, enum anim_column id, const void *element, struct anim_error *error)
{
	size_t size = anim_column_size(id, keys->type);

	if (add_column(keys, id, keys->n, error) != 0)
		return -1;
	memcpy(keys->column[id].data + (keys->n - 1) * size, element, size);
	return 0;
}

int anim_keys_add_part(struct anim_keys *keys, const struct anim_track *track, size_t first, size_t count,
		       double shift_s, struct anim_error *error)
{
	bool raw = track->kind == ANIM_RAW;

	for (size_t k = first; k < first + count; k++) {
		uint8_t mode = raw ? 0 : (uint8_t)anim_track_interp(track, k);
		float time_s = raw ? 0 : (float)((double)track->time[k] + shift_s);
		struct anim_text text;

		if (append_value(keys, anim_value_at(track, k, &text), error) != 0)
			return -1;
		if (!raw && (anim_buffer_append(&keys->column[ANIM_COLUMN_TIME], &time_s, sizeof time_s, error) != 0 ||
			     anim_buffer_append(&keys->column[ANIM_COLUMN_INTERP], &mode, 1, error) != 0))
			return -1;
	}
	for (enum anim_column id = ANIM_COLUMN_LEFT; id < ANIM_COLUMN_HINT && !raw; id++) {
		const uint8_t *column = track->column[id];
		size_t size = anim_column_size(id, keys->type);

		if (column != NULL &&
		    (add_column(keys, id, keys->n, error) != 0 ||
		     anim_buffer_append(&keys->column[id], column + first * size, count * size, error) != 0))
			return -1;
		for (size_t k = 0; k < count && column == NULL && (keys->present & BIT(id)); k++)
			if (append_neutral(keys, id, keys->n + k, error) != 0)
				return -1;
	}
	keys->n += count;
	return 0;
}

float anim_keys_time(const struct anim_keys *keys, size_t k)
{
	return ((const float *)(const void *)keys->column[ANIM_COLUMN_TIME].data)[k];
}

const void *anim_keys_value(const struct anim_keys *keys, size_t k, struct anim_text *text)
{
	struct anim_strings strings;

	if (keys->type != ANIM_STRING)
		return keys->column[ANIM_COLUMN_VALUE].data + k * anim_types[keys->type].size;
	anim_texts_view(&keys->texts, &strings);
	text->length = strings.length[k];
	text->bytes = strings.bytes + strings.start[k];
	return text;
}

void anim_keys_cut(struct anim_keys *keys, size_t n)
{
	uint64_t end;

	if (n >= keys->n)
		return;
	if (keys->type == ANIM_STRING) {
		memcpy(&end, keys->texts.start.data + n * sizeof end, sizeof end);
		keys->texts.length.size = n * sizeof(uint32_t);
		keys->texts.start.size = n * sizeof(uint64_t);
		keys->texts.bytes.size = (size_t)end;
	}
	for (enum anim_column id = ANIM_COLUMN_TIME; id < ANIM_COLUMN_COUNT; id++)
		if (keys->column[id].size > 0)
			keys->column[id].size = n * anim_column_size(id, keys->type);
	keys->n = n;
}

void anim_keys_finish(struct anim_keys *keys, struct anim_track *out)
{
	static const double none;
	const uint8_t *modes = keys->column[ANIM_COLUMN_INTERP].data;
	unsigned present = keys->present | BIT(ANIM_COLUMN_VALUE);
	bool raw = out->kind == ANIM_RAW, mixed = !raw && keys->n > 1 && memcmp(modes, modes + 1, keys->n - 1) != 0;

	if (!raw && keys->n > 0)
		out->interp = mixed ? ANIM_INTERP_COLUMN : modes[0];
	else if (out->interp == ANIM_INTERP_COLUMN)
		out->interp = ANIM_HOLD;
	present |= raw ? 0 : BIT(ANIM_COLUMN_TIME);
	present |= mixed ? BIT(ANIM_COLUMN_INTERP) : 0;
	present &= keys->type == ANIM_STRING ? ~BIT(ANIM_COLUMN_VALUE) : ~0u;
	/* A column without keys is also present. */
	for (size_t id = 0; id < ANIM_COLUMN_COUNT; id++)
		out->column[id] = !(present & BIT(id))        ? NULL
				  : keys->column[id].size > 0 ? (const void *)keys->column[id].data
							      : &none;
	out->n = keys->n;
	out->type = keys->type;
	out->record = NULL;
	anim_texts_view(&keys->texts, &keys->strings);
	out->strings = keys->type == ANIM_STRING ? &keys->strings : NULL;
}

void anim_keys_finish_steps(struct anim_keys *keys, const struct anim_track *like, struct anim_track *out)
{
	*out = (struct anim_track){.kind = ANIM_DISCRETE,
				   .rules = like->rules,
				   .node = like->node,
				   .property = like->property,
				   .component = like->component,
				   .pre = like->pre,
				   .post = like->post,
				   .interp = ANIM_HOLD,
				   .flags = like->flags & ~ANIM_UNSORTED,
				   .attrs = like->attrs};
	anim_keys_finish(keys, out);
}

const void *anim_value_at(const struct anim_track *track, size_t k, struct anim_text *text)
{
	if (track->type != ANIM_STRING)
		return (const uint8_t *)track->value + k * anim_types[track->type].size;
	text->length = track->strings->length[k];
	text->bytes = track->strings->bytes + track->strings->start[k];
	return text;
}

bool anim_value_equal(enum anim_type type, const void *a, const void *b)
{
	const struct anim_text *x = a, *y = b;

	if (type != ANIM_STRING)
		return memcmp(a, b, anim_types[type].size) == 0;
	if (x->length != y->length)
		return false;
	/* An empty text may have no bytes at all, and memcmp must not get a NULL pointer. */
	return x->length == ANIM_NULL_STRING || x->length == 0 || memcmp(x->bytes, y->bytes, x->length) == 0;
}

bool anim_track_is_event(const struct anim_track *track)
{
	const char *update;

	if (track->property[0] == '@' ||
	    track->kind != ANIM_DISCRETE) /* before the attribute, which has to be searched */
		return track->property[0] == '@';
	update = anim_attrs_get(&track->attrs, "godot.update");
	return update != NULL && strcmp(update, "trigger") == 0;
}

bool anim_track_steps(const struct anim_track *track)
{
	if (track->kind != ANIM_CURVE || track->interp != ANIM_INTERP_COLUMN)
		return track->kind == ANIM_DISCRETE || track->interp == ANIM_HOLD;
	for (size_t k = 0; k < track->n; k++)
		if (track->interps[k] != ANIM_HOLD)
			return false;
	return true;
}
