/* binary_value.c: reads values of a binary Godot file completely or element by element, or skips them. */
#include <assert.h>

#include "base/count.h"
#include "base/number.h"
#include "format/godot/binary_internal.h"

/* ---- Type codes ---- */

enum code {
	CODE_NIL = 1,
	CODE_BOOL = 2,
	CODE_INT = 3,
	CODE_FLOAT = 4,
	CODE_STRING = 5,
	CODE_IMAGE = 21,
	CODE_NODE_PATH = 22,
	CODE_RID = 23,
	CODE_OBJECT = 24,
	CODE_INPUT_EVENT = 25,
	CODE_DICTIONARY = 26,
	CODE_ARRAY = 30,
	CODE_STRINGS = 34,
	CODE_INT64 = 40,
	CODE_DOUBLE = 41,
	CODE_CALLABLE = 42,
	CODE_SIGNAL = 43,
	CODE_STRING_NAME = 44
};

/* The format of a number in the file. A REAL is a float, or a double if the engine was built with doubles. */
enum number { NONE, BYTE, INT32, INT64, FLOAT, DOUBLE, REAL };

/*
 * Types whose values consist only of numbers: as many as a constructor has, or that many for each element of an array,
 * after their count.
 */
static const struct numbers {
	enum godot_type type;
	enum number number;
	uint8_t format; /* the first file format with this type */
} numbers[] = {
    [10] = {GODOT_VECTOR2, REAL, 0},
    [11] = {GODOT_RECT2, REAL, 0},
    [12] = {GODOT_VECTOR3, REAL, 0},
    [13] = {GODOT_PLANE, REAL, 0},
    [14] = {GODOT_QUATERNION, REAL, 0},
    [15] = {GODOT_AABB, REAL, 0},
    [16] = {GODOT_BASIS, REAL, 0},
    [17] = {GODOT_TRANSFORM3D, REAL, 0},
    [18] = {GODOT_TRANSFORM2D, REAL, 0},
    [20] = {GODOT_COLOR, FLOAT, 0},
    [31] = {GODOT_PACKED_BYTE, BYTE, 0},
    [32] = {GODOT_PACKED_INT32, INT32, 0},
    [33] = {GODOT_PACKED_FLOAT32, FLOAT, 0},
    [35] = {GODOT_PACKED_VECTOR3, REAL, 0},
    [36] = {GODOT_PACKED_COLOR, FLOAT, 0},
    [37] = {GODOT_PACKED_VECTOR2, REAL, 0},
    [45] = {GODOT_VECTOR2I, INT32, 4},
    [46] = {GODOT_RECT2I, INT32, 4},
    [47] = {GODOT_VECTOR3I, INT32, 4},
    [48] = {GODOT_PACKED_INT64, INT64, 4},
    [49] = {GODOT_PACKED_FLOAT64, DOUBLE, 4},
    [50] = {GODOT_VECTOR4, REAL, 4},
    [51] = {GODOT_VECTOR4I, INT32, 4},
    [52] = {GODOT_PROJECTION, REAL, 4},
    [53] = {GODOT_PACKED_VECTOR4, REAL, 6},
};

/* Return the type for a code, or NULL if the code is unknown, or newer than the format of the file. */
static const struct numbers *numbers_of(const struct godot_binary *binary, uint32_t code)
{
	if (code >= ANIM_COUNT(numbers) || numbers[code].number == NONE || numbers[code].format > binary->format)
		return NULL;
	return &numbers[code];
}

/* Return whether the format has the code of a type that is not in the table above. */
static bool has_code(const struct godot_binary *binary, uint32_t code)
{
	switch (code) {
	case CODE_IMAGE:
		return binary->format <= 3;
	case CODE_INPUT_EVENT:
		return binary->format <= 2;
	case CODE_CALLABLE:
	case CODE_SIGNAL:
	case CODE_STRING_NAME:
		return binary->format >= 4;
	default:
		return true;
	}
}

/* ---- Numbers ---- */

static float read_float(const uint8_t *at, bool big)
{
	uint32_t bits = godot_read_u32(at, big);
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

static double read_double(const uint8_t *at, bool big)
{
	uint64_t bits = godot_read_u64(at, big);
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

static enum number stored_as(const struct godot_binary *binary, enum number number)
{
	return number != REAL ? number : binary->wide ? DOUBLE : FLOAT;
}

static unsigned width_of(const struct godot_binary *binary, enum number number)
{
	switch (stored_as(binary, number)) {
	case BYTE:
		return 1;
	case INT64:
	case DOUBLE:
		return 8;
	default:
		return 4;
	}
}

/*
 * Return how many of `count` numbers of this width are in the window, at least one. Returns 0 with an error if the file
 * ends earlier, or on failure.
 */
static size_t visible(struct godot_binary *binary, size_t count, unsigned width)
{
	ssize_t got = godot_frame_more(binary->in, width);
	size_t there;

	if (got < (ssize_t)width) {
		godot_binary_bytes(binary, width); /* sets the error */
		return 0;
	}
	there = (size_t)(binary->in->end - binary->in->at) / width;
	return there < count ? there : count;
}

/*
 * Copy floats. Most keys are floats, so each byte order has its own loop. The loop for the usual byte order is a plain
 * copy.
 */
static inline void copy_floats(const uint8_t *at, bool big, size_t count, float *out)
{
	for (size_t i = 0; i < count; i++)
		out[i] = read_float(at + 4 * i, big);
}

/* Convert numbers from `at` on to floats, for the keys of a track. */
static void to_floats(const uint8_t *at, enum number number, bool big, size_t count, float *out)
{
	if (number == FLOAT && !big)
		copy_floats(at, false, count, out);
	else if (number == FLOAT)
		copy_floats(at, true, count, out);
	else if (number == BYTE)
		for (size_t i = 0; i < count; i++)
			out[i] = at[i];
	else if (number == INT32)
		for (size_t i = 0; i < count; i++)
			out[i] = (float)(int32_t)godot_read_u32(at + 4 * i, big);
	else if (number == INT64)
		for (size_t i = 0; i < count; i++)
			out[i] = (float)(int64_t)godot_read_u64(at + 8 * i, big);
	else
		for (size_t i = 0; i < count; i++)
			out[i] = (float)read_double(at + 8 * i, big);
}

/*
 * Convert numbers from `at` on to items of a value: int64_t for packed ints, otherwise double. Bytes are not handled
 * here.
 */
static void to_items(const uint8_t *at, enum number number, bool big, bool packed, size_t count, void *out)
{
	int64_t *whole = out;
	double *real = out;

	for (size_t i = 0; i < count; i++) {
		if (number == INT32 && packed)
			whole[i] = (int32_t)godot_read_u32(at + 4 * i, big);
		else if (number == INT64)
			whole[i] = (int64_t)godot_read_u64(at + 8 * i, big);
		else if (number == INT32)
			real[i] = (int32_t)godot_read_u32(at + 4 * i, big);
		else if (number == DOUBLE)
			real[i] = read_double(at + 8 * i, big);
		else
			real[i] = read_float(at + 4 * i, big);
	}
}

/* Return the number of padding bytes after packed bytes, up to a multiple of four. */
static unsigned padding(enum number number, uint64_t count)
{
	return number == BYTE ? (unsigned)(-count & 3) : 0;
}

/* Read and check the count of a packed array. Returns 0 or -1. */
static int packed_count(struct godot_binary *binary, const struct numbers *kind, uint32_t *count)
{
	unsigned size = godot_types[kind->type].numbers * width_of(binary, kind->number);

	return godot_binary_count(binary, size, "elements of an array", count);
}

/* Read `count` numbers into the arena, window by window. Returns NULL on failure. */
static void *read_items(struct godot_binary *binary, struct anim_arena *arena, const struct numbers *kind, size_t count)
{
	enum number number = stored_as(binary, kind->number);
	unsigned width = width_of(binary, number), size = number == BYTE ? 1 : 8;
	struct anim_buffer *items = &binary->text;
	void *kept;

	items->size = 0;
	for (size_t left = count, some; left > 0; left -= some) {
		void *out;

		some = visible(binary, left, width);
		out = some == 0 ? NULL : anim_buffer_extend(items, some * size, binary->error);
		if (out == NULL)
			return NULL;
		if (number == BYTE)
			memcpy(out, binary->in->at, some);
		else
			to_items(binary->in->at, number, binary->big, godot_type_is_packed(kind->type), some, out);
		binary->in->at += some * width;
	}
	kept = anim_arena_alloc(arena, items->size + 1, binary->error);
	if (kept != NULL && items->size > 0)
		memcpy(kept, items->data, items->size);
	return kept;
}

static int read_numbers(struct godot_binary *binary, struct anim_arena *arena, const struct numbers *kind,
			struct godot_value *value)
{
	bool packed = godot_type_is_packed(kind->type);
	uint32_t count = 1;
	void *items;

	if (packed && packed_count(binary, kind, &count) != 0)
		return -1;
	value->type = kind->type;
	value->count = (size_t)count * godot_types[kind->type].numbers;
	if (arena == NULL)
		return godot_binary_pass(binary, (uint64_t)count * godot_types[kind->type].numbers *
							 width_of(binary, kind->number) +
						     padding(kind->number, count));
	items = read_items(binary, arena, kind, value->count);
	if (items == NULL)
		return -1;
	value->numbers = packed ? NULL : items;
	value->items = packed ? items : NULL;
	return godot_binary_pass(binary, padding(kind->number, count));
}

/* ---- Texts ---- */

/* Append a text of `size` bytes to binary->text, up to a NUL, without a byte order mark. Returns 0 or -1. */
static int append_text(struct godot_binary *binary, uint32_t size)
{
	const uint8_t *at, *nul;
	size_t length = size;

	if (godot_binary_fits(binary, size, 1, "bytes of a text") != 0)
		return -1;
	if (size > ANIM_TEXT_MAX)
		return godot_binary_fail(binary, ANIM_TOO_LARGE, "a text is longer than %u bytes", ANIM_TEXT_MAX);
	at = godot_binary_bytes(binary, size);
	if (at == NULL)
		return -1;
	nul = memchr(at, '\0', size);
	if (nul != NULL)
		length = (size_t)(nul - at);
	if (length >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) {
		at += 3;
		length -= 3;
	}
	return anim_buffer_append(&binary->text, at, length, binary->error);
}

static int keep_text(struct godot_binary *binary, struct anim_arena *arena, const struct anim_place *place,
		     struct godot_string *string)
{
	if (godot_lexer_repair(binary->lexer, &binary->text, 0, place) != 0)
		return -1;
	string->bytes = anim_arena_text(arena, (const char *)binary->text.data, binary->text.size, binary->error);
	string->length = binary->text.size;
	return string->bytes != NULL ? 0 : -1;
}

int godot_binary_string(struct godot_binary *binary, struct anim_arena *arena, struct godot_string *string)
{
	struct anim_place place;
	uint32_t size;

	godot_binary_place(binary, &place);
	binary->text.size = 0;
	if (godot_binary_u32(binary, &size) != 0 || append_text(binary, size) != 0)
		return -1;
	return keep_text(binary, arena, &place, string);
}

#define INLINE_NAME 0x80000000u

/* Append a name to binary->text. Returns 0 or -1. */
static int append_name(struct godot_binary *binary)
{
	size_t count;
	const struct godot_string *strings = godot_binary_strings(binary, &count);
	uint32_t name;

	if (godot_binary_u32(binary, &name) != 0)
		return -1;
	if ((name & INLINE_NAME) && binary->format >= 2)
		return append_text(binary, name & ~INLINE_NAME);
	if (name >= count)
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "name %u is not in the table of %zu", (unsigned)name,
					 count);
	return anim_buffer_append(&binary->text, strings[name].bytes, strings[name].length, binary->error);
}

int godot_binary_name(struct godot_binary *binary, struct anim_arena *arena, struct godot_string *string)
{
	struct anim_place place;

	godot_binary_place(binary, &place);
	binary->text.size = 0;
	return append_name(binary) != 0 ? -1 : keep_text(binary, arena, &place, string);
}

static int skip_text(struct godot_binary *binary)
{
	uint32_t size;

	return godot_binary_u32(binary, &size) != 0 ? -1 : godot_binary_pass(binary, size);
}

/* Append a separator and one part of a path. */
static int append_part(struct godot_binary *binary, const char *before)
{
	if (anim_buffer_append_text(&binary->text, before, binary->error) != 0 || append_name(binary) != 0)
		return -1;
	if (binary->text.size > ANIM_NAME_MAX)
		return godot_binary_fail(binary, ANIM_TOO_LARGE, "a path is longer than %u bytes", ANIM_NAME_MAX);
	return 0;
}

static unsigned read_u16(const uint8_t *at, bool big)
{
	return big ? (unsigned)(at[0] << 8 | at[1]) : (unsigned)(at[1] << 8 | at[0]);
}

/*
 * Read a path into binary->text. The file has the counts of names and subnames, then these. In formats below 3, the
 * last subname is the property, which is stored separately. Returns 0 or -1.
 */
static int read_path(struct godot_binary *binary)
{
	const uint8_t *at = godot_binary_bytes(binary, 4);
	bool has_property = binary->format < 3, absolute;
	unsigned names, subnames;

	if (at == NULL)
		return -1;
	names = read_u16(at, binary->big);
	subnames = read_u16(at + 2, binary->big) & 0x7fff;
	absolute = (read_u16(at + 2, binary->big) & 0x8000) != 0;
	binary->text.size = 0;
	for (unsigned i = 0; i < names; i++)
		if (append_part(binary, i > 0 || absolute ? "/" : "") != 0)
			return -1;
	for (unsigned i = 0; i < subnames + has_property; i++) {
		if (append_part(binary, ":") != 0)
			return -1;
		if (i == subnames && binary->text.data[binary->text.size - 1] == ':')
			binary->text.size--; /* the property is empty */
	}
	return 0;
}

/* ---- Resources ---- */

enum object { OBJECT_NIL, OBJECT_INLINE, OBJECT_INTERNAL, OBJECT_EXTERNAL };

/* Set the value to null, as in the engine, because the resource does not exist or follows later. */
static int nothing_there(struct godot_binary *binary, struct godot_value *value)
{
	value->type = GODOT_NIL;
	godot_note(&binary->lexer->oddities.lost_references, &value->place);
	return 0;
}

/* Read a reference to a resource. Missing resources are reported even if the value is skipped. */
static int read_object(struct godot_binary *binary, struct anim_arena *arena, struct godot_value *value)
{
	struct anim_arena scratch = {0};
	const struct godot_binary_external *externals;
	const struct godot_binary_resource *resources;
	char digits[ANIM_NUMBER_MAX];
	uint32_t kind, number, at;
	size_t count;
	int result = -1;

	if (arena == NULL) /* messages have the place of the reference, not of the type code */
		godot_binary_place(binary, &value->place);
	if (godot_binary_u32(binary, &kind) != 0)
		return -1;
	switch (kind) {
	case OBJECT_NIL:
		return 0;
	case OBJECT_INLINE:
		value->type = GODOT_RESOURCE;
		value->text2 = (struct godot_string){"", 0};
		if (skip_text(binary) == 0)
			result = godot_binary_string(binary, arena != NULL ? arena : &scratch, &value->text);
		anim_arena_clear(&scratch);
		return result;
	case OBJECT_INTERNAL:
		resources = godot_binary_resources(binary, &count);
		if (godot_binary_u32(binary, &number) != 0)
			return -1;
		at = number;
		if ((binary->flags & GODOT_NAMED_IDS) && number >= count)
			return godot_binary_fail(binary, ANIM_BAD_INPUT, "resource %u of %zu is not in the file",
						 (unsigned)number, count);
		if (!(binary->flags & GODOT_NAMED_IDS) &&
		    !anim_map_get(&binary->ids, 0, digits, anim_number_print_int64(digits, number), &at))
			return nothing_there(binary, value);
		if (at + 1 >= (binary->stage == GODOT_STAGE_RESOURCES ? binary->next : count))
			return nothing_there(binary, value);
		value->type = GODOT_SUB_RESOURCE;
		value->text = resources[at].id;
		return 0;
	case OBJECT_EXTERNAL:
		externals = godot_binary_externals(binary, &count);
		if (godot_binary_u32(binary, &number) != 0)
			return -1;
		if (number >= count)
			return nothing_there(binary, value);
		value->type = GODOT_EXT_RESOURCE;
		value->text = externals[number].id;
		return 0;
	default:
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "an object of the unknown type %u", (unsigned)kind);
	}
}

/* ---- Values that no track can hold ---- */

/* Read a value of which only a word is kept. Returns 0 or -1. */
static int read_other(struct godot_binary *binary, uint32_t code, struct godot_value *value)
{
	static const struct {
		uint32_t code;
		const char *text, *word;
	} others[] = {{CODE_IMAGE, "Image()", "Image"},
		      {CODE_RID, "RID()", "RID"},
		      {CODE_INPUT_EVENT, "InputEvent()", "InputEvent"},
		      {CODE_CALLABLE, "Callable()", "Callable"},
		      {CODE_SIGNAL, "Signal()", "Signal"}};
	uint32_t kind, size;

	for (size_t i = 0; i < ANIM_COUNT(others); i++)
		if (others[i].code == code) {
			value->type = GODOT_OTHER;
			value->text = (struct godot_string){others[i].text, strlen(others[i].text)};
			value->text2 = (struct godot_string){others[i].word, strlen(others[i].word)};
		}
	switch (code) {
	case CODE_IMAGE:
		if (godot_binary_u32(binary, &kind) != 0)
			return -1;
		if (kind == 0)
			return 0;
		if (kind > 3)
			return godot_binary_fail(binary, ANIM_BAD_INPUT, "an image of the unknown type %u",
						 (unsigned)kind);
		if ((kind == 1 && godot_binary_pass(binary, 16) != 0) || godot_binary_u32(binary, &size) != 0)
			return -1;
		return godot_binary_pass(binary, (uint64_t)size + padding(BYTE, size));
	case CODE_RID:
		return godot_binary_pass(binary, 4);
	case CODE_INPUT_EVENT:
		return godot_binary_pass(binary, binary->format == 2 ? 4 : 0);
	default:
		return 0;
	}
}

/* ---- Arrays and dictionaries ---- */

static int too_deep(struct godot_binary *binary)
{
	return godot_binary_fail(binary, ANIM_TOO_LARGE, "more than %d containers are open", ANIM_NESTING_GODOT);
}

/*
 * Read the number of elements or pairs. The first bit means that the container is shared; it is ignored. Returns 0 or
 * -1.
 */
static int container_count(struct godot_binary *binary, uint32_t code, uint32_t *count)
{
	if (godot_binary_u32(binary, count) != 0)
		return -1;
	*count &= 0x7fffffff;
	return godot_binary_fits(binary, *count, code == CODE_ARRAY ? 4 : 8,
				 code == CODE_ARRAY ? "elements of an array" : "entries of a dictionary");
}

/* Copy the collected items into the arena as the items of the value. Returns 0 or -1. */
static int keep_items(struct godot_binary *binary, struct anim_arena *arena, const void *items, size_t size,
		      struct godot_value *value)
{
	value->items = anim_arena_alloc(arena, size + 1, binary->error);
	if (value->items != NULL && size > 0)
		memcpy(value->items, items, size);
	return value->items != NULL ? 0 : -1;
}

static int read_container(struct godot_binary *binary, uint32_t code, struct anim_arena *arena,
			  struct godot_value *value, unsigned nesting)
{
	size_t base = binary->values.size;
	struct godot_value element;
	uint32_t count;

	if (nesting >= ANIM_NESTING_GODOT)
		return too_deep(binary);
	if (container_count(binary, code, &count) != 0)
		return -1;
	value->type = code == CODE_ARRAY ? GODOT_ARRAY : GODOT_DICTIONARY;
	value->count = count;
	for (uint64_t left = (uint64_t)count * (code == CODE_ARRAY ? 1 : 2); left > 0; left--)
		if (godot_binary_value_read(binary, arena, &element, nesting + 1) != 0 ||
		    (arena != NULL &&
		     anim_buffer_append(&binary->values, &element, sizeof element, binary->error) != 0))
			return -1;
	if (arena == NULL)
		return 0;
	if (keep_items(binary, arena, binary->values.data + base, binary->values.size - base, value) != 0)
		return -1;
	binary->values.size = base;
	return code == CODE_ARRAY ? 0 : godot_dictionary_unique(value->items, &value->count, binary->error);
}

static int read_strings(struct godot_binary *binary, struct anim_arena *arena, struct godot_value *value)
{
	struct anim_buffer strings = {0};
	struct godot_string string;
	uint32_t count = 0;
	int result = godot_binary_count(binary, 4, "elements of an array", &count);

	value->type = GODOT_PACKED_STRING;
	value->count = count;
	for (uint32_t i = 0; i < count && result == 0; i++) {
		if (arena == NULL) {
			result = skip_text(binary);
			continue;
		}
		result = godot_binary_string(binary, arena, &string);
		if (result == 0)
			result = anim_buffer_append(&strings, &string, sizeof string, binary->error);
	}
	if (result == 0 && arena != NULL && count > 0)
		result = keep_items(binary, arena, strings.data, strings.size, value);
	anim_buffer_clear(&strings);
	return result;
}

/* ---- Any value ---- */

/*
 * Read a float or double. A text file of Godot 4 has all digits of a double, so float_is_exact32 must be the same for
 * both kinds of files. A text file of older engines has six digits, so every float counts as exact.
 */
static int read_real(struct godot_binary *binary, bool is_double, struct godot_value *value)
{
	bool wide = is_double || binary->wide;
	const uint8_t *at = godot_binary_bytes(binary, wide ? 8 : 4);

	if (at == NULL)
		return -1;
	value->type = GODOT_FLOAT;
	value->number = wide ? read_double(at, binary->big) : (double)read_float(at, binary->big);
	value->float_is_exact32 = (!wide && binary->format <= 3) || godot_exact_float32(value->number);
	return 0;
}

static int read_int(struct godot_binary *binary, uint32_t code, struct godot_value *value)
{
	const uint8_t *at = godot_binary_bytes(binary, code == CODE_INT64 ? 8 : 4);

	if (at == NULL)
		return -1;
	value->type = code == CODE_BOOL ? GODOT_BOOL : GODOT_INT;
	value->integer =
	    code == CODE_INT64 ? (int64_t)godot_read_u64(at, binary->big) : (int32_t)godot_read_u32(at, binary->big);
	value->boolean = code == CODE_BOOL && value->integer != 0;
	if (code == CODE_BOOL)
		value->integer = 0;
	return 0;
}

int godot_binary_value_read(struct godot_binary *binary, struct anim_arena *arena, struct godot_value *value,
			    unsigned nesting)
{
	const struct numbers *kind;
	uint32_t code;

	*value = (struct godot_value){0};
	godot_binary_place(binary, &value->place);
	if (godot_binary_u32(binary, &code) != 0)
		return -1;
	kind = numbers_of(binary, code);
	if (kind != NULL)
		return read_numbers(binary, arena, kind, value);
	switch (has_code(binary, code) ? code : 0) {
	case CODE_NIL:
		return 0;
	case CODE_BOOL:
	case CODE_INT:
	case CODE_INT64:
		if (arena == NULL)
			return godot_binary_pass(binary, code == CODE_INT64 ? 8 : 4);
		return read_int(binary, code, value);
	case CODE_FLOAT:
	case CODE_DOUBLE:
		if (arena == NULL)
			return godot_binary_pass(binary, code == CODE_DOUBLE || binary->wide ? 8 : 4);
		return read_real(binary, code == CODE_DOUBLE, value);
	case CODE_STRING:
	case CODE_STRING_NAME:
		value->type = code == CODE_STRING ? GODOT_STRING : GODOT_STRING_NAME;
		return arena == NULL ? skip_text(binary) : godot_binary_string(binary, arena, &value->text);
	case CODE_STRINGS:
		return read_strings(binary, arena, value);
	case CODE_NODE_PATH:
		value->type = GODOT_NODE_PATH;
		if (read_path(binary) != 0)
			return -1;
		return arena == NULL ? 0 : keep_text(binary, arena, &value->place, &value->text);
	case CODE_OBJECT:
		return read_object(binary, arena, value);
	case CODE_ARRAY:
	case CODE_DICTIONARY:
		return read_container(binary, code, arena, value, nesting);
	case CODE_IMAGE:
	case CODE_RID:
	case CODE_INPUT_EVENT:
	case CODE_CALLABLE:
	case CODE_SIGNAL:
		return read_other(binary, code, value);
	default:
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "a value of the unknown type %u in format %u",
					 (unsigned)code, binary->format);
	}
}

int godot_binary_value_skip(struct godot_binary *binary, unsigned nesting)
{
	struct godot_value value;

	return godot_binary_value_read(binary, NULL, &value, nesting);
}

/* ---- The value at the cursor, with the functions of text.h ---- */

int godot_binary_value(struct godot_binary *binary, struct anim_arena *arena, struct godot_value *value)
{
	binary->pending = false;
	return godot_binary_value_read(binary, arena, value, binary->depth);
}

int godot_binary_skip(struct godot_binary *binary)
{
	binary->pending = false;
	return godot_binary_value_skip(binary, binary->depth);
}

/*
 * Return the type code of the value at the cursor, which does not move. Returns 0, which is not a code, if the file
 * ends earlier or reading failed.
 */
static uint32_t code_ahead(struct godot_binary *binary)
{
	ssize_t got = godot_frame_more(binary->in, 4);

	return got >= 4 ? godot_read_u32(binary->in->at, binary->big) : 0;
}

int godot_binary_floats(struct godot_binary *binary, struct anim_buffer *floats, enum godot_spelling *spelling)
{
	uint32_t code = code_ahead(binary), count;
	const struct numbers *kind = numbers_of(binary, code);
	enum number number;
	unsigned width;

	if (code != CODE_STRINGS && (kind == NULL || !godot_type_is_packed(kind->type)))
		return 0;
	*spelling = binary->format <= 1 ? GODOT_SPELLING_2 : binary->format <= 3 ? GODOT_SPELLING_3 : GODOT_SPELLING_4;
	if (kind == NULL || godot_types[kind->type].numbers != 1)
		return 0;
	binary->pending = false;
	number = stored_as(binary, kind->number);
	width = width_of(binary, number);
	if (godot_binary_pass(binary, 4) != 0 || packed_count(binary, kind, &count) != 0)
		return -1;
	/* the size of the file is known, and the count fits into it */
	if (godot_frame_left(binary->in) != UINT64_MAX &&
	    anim_buffer_reserve(floats, count * sizeof(float), binary->error) != 0)
		return -1;
	for (size_t left = count, some; left > 0; left -= some) {
		float *out;

		some = visible(binary, left, width);
		out = some == 0 ? NULL : anim_buffer_extend(floats, some * sizeof *out, binary->error);
		if (out == NULL)
			return -1;
		to_floats(binary->in->at, number, binary->big, some, out);
		binary->in->at += some * width;
	}
	return godot_binary_pass(binary, padding(number, count)) != 0 ? -1 : 1;
}

int godot_binary_enter(struct godot_binary *binary, enum godot_type type)
{
	uint32_t code = type == GODOT_ARRAY ? CODE_ARRAY : CODE_DICTIONARY, count;

	if (code_ahead(binary) != code)
		return binary->in->failed ? -1 : 0;
	if (binary->depth == ANIM_NESTING_GODOT)
		return too_deep(binary);
	binary->pending = false;
	if (godot_binary_pass(binary, 4) != 0 || container_count(binary, code, &count) != 0)
		return -1;
	binary->levels[binary->depth++] = (struct godot_binary_level){count, type == GODOT_DICTIONARY};
	return 1;
}

int godot_binary_next(struct godot_binary *binary, struct anim_arena *arena, struct godot_value *key)
{
	struct godot_binary_level *level = &binary->levels[binary->depth - 1];

	assert(binary->depth > 0 && level->is_dictionary == (key != NULL));
	if (binary->pending && godot_binary_skip(binary) != 0)
		return -1;
	if (level->left == 0) {
		binary->depth--;
		return 0;
	}
	if (key != NULL && godot_binary_value_read(binary, arena, key, binary->depth) != 0)
		return -1;
	level->left--;
	binary->pending = true;
	return 1;
}

int godot_binary_leave_value(struct godot_binary *binary)
{
	if (binary->pending && godot_binary_skip(binary) != 0)
		return -1;
	for (; binary->depth > 0; binary->depth--) {
		struct godot_binary_level *level = &binary->levels[binary->depth - 1];

		for (uint64_t left = (uint64_t)level->left * (level->is_dictionary ? 2 : 1); left > 0; left--)
			if (godot_binary_value_skip(binary, binary->depth) != 0)
				return -1;
	}
	return 0;
}
