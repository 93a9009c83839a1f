/* text_dictionary.c: dictionaries that have been read: doubled keys, look-up; and plain questions to values. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "format/godot/text_internal.h"

struct numbered_key {
	const struct godot_value *key;
	size_t pair;
};

static int compare_size(size_t a, size_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_bytes(const void *a, size_t a_size, const void *b, size_t b_size)
{
	size_t size = a_size < b_size ? a_size : b_size;
	int order = size > 0 ? memcmp(a, b, size) : 0;

	return order != 0 ? order : compare_size(a_size, b_size);
}

static int compare_strings(const struct godot_string *a, const struct godot_string *b)
{
	return compare_bytes(a->bytes, a->length, b->bytes, b->length);
}

/* A StringName is the same key as the String. */
static enum godot_type key_class(enum godot_type type)
{
	return type == GODOT_STRING_NAME ? GODOT_STRING : type;
}

static size_t item_size(enum godot_type type)
{
	return type == GODOT_PACKED_BYTE ? 1 : 8;
}

static int compare_keys(const struct godot_value *a, const struct godot_value *b);

static int compare_lists(const struct godot_value *a, size_t a_count, const struct godot_value *b, size_t b_count)
{
	int order = compare_size(a_count, b_count);

	for (size_t i = 0; order == 0 && i < a_count; i++)
		order = compare_keys(&a[i], &b[i]);
	return order;
}

static int compare_string_lists(const struct godot_value *a, const struct godot_value *b)
{
	const struct godot_string *x = a->items, *y = b->items;
	int order = compare_size(a->count, b->count);

	for (size_t i = 0; order == 0 && i < a->count; i++)
		order = compare_strings(&x[i], &y[i]);
	return order;
}

/* A total order of values whose 0 is equality of keys: same type (no 1 == 1.0), same bits. */
static int compare_keys(const struct godot_value *a, const struct godot_value *b)
{
	enum godot_type type = key_class(a->type);
	int order = compare_size(type, key_class(b->type));

	if (order != 0)
		return order;
	switch (type) {
	case GODOT_NIL:
		return 0;
	case GODOT_BOOL:
		return a->boolean - b->boolean;
	case GODOT_INT:
		return a->integer < b->integer ? -1 : a->integer > b->integer;
	case GODOT_FLOAT:
		return memcmp(&a->number, &b->number, sizeof a->number);
	case GODOT_ARRAY:
		return compare_lists(a->items, a->count, b->items, b->count);
	case GODOT_DICTIONARY:
		return compare_lists(a->items, 2 * a->count, b->items, 2 * b->count);
	case GODOT_PACKED_STRING:
		return compare_string_lists(a, b);
	default:
		if (type >= GODOT_VECTOR2 && type <= GODOT_COLOR)
			return compare_bytes(a->numbers, a->count * 8, b->numbers, b->count * 8);
		if (type >= GODOT_PACKED_BYTE && type <= GODOT_PACKED_COLOR)
			return compare_bytes(a->items, a->count * item_size(type), b->items,
					     b->count * item_size(type));
		order = compare_strings(&a->text, &b->text);
		return order != 0 ? order : compare_strings(&a->text2, &b->text2);
	}
}

static int by_key_and_pair(const void *a, const void *b)
{
	const struct numbered_key *x = a, *y = b;
	int order = compare_keys(x->key, y->key);

	return order != 0 ? order : compare_size(x->pair, y->pair);
}

/* The pairs that stay are moved together; those marked in `gone` (their `pair` there) are left out. */
static size_t close_up(struct godot_value *items, size_t pairs, const bool *gone)
{
	size_t kept = 0;

	for (size_t i = 0; i < pairs; i++)
		if (!gone[i]) {
			memmove(&items[2 * kept], &items[2 * i], 2 * sizeof *items);
			kept++;
		}
	return kept;
}

int godot_dictionary_settle(struct godot_value *items, size_t *pairs, struct anim_error *error)
{
	struct numbered_key *keys;
	bool *gone;
	size_t i, first = 0;
	int result = -1;

	if (*pairs < 2)
		return 0;
	keys = malloc(*pairs * sizeof *keys);
	gone = calloc(*pairs, sizeof *gone);
	if (keys == NULL || gone == NULL) {
		anim_fail_memory(error);
		goto done;
	}
	for (i = 0; i < *pairs; i++)
		keys[i] = (struct numbered_key){&items[2 * i], i};
	qsort(keys, *pairs, sizeof *keys, by_key_and_pair);
	for (i = 1; i < *pairs; i++) {
		if (compare_keys(keys[i].key, keys[first].key) != 0) {
			first = i;
			continue;
		}
		items[2 * keys[first].pair + 1] = items[2 * keys[i].pair + 1];
		gone[keys[i].pair] = true;
	}
	*pairs = close_up(items, *pairs, gone);
	result = 0;
done:
	free(keys);
	free(gone);
	return result;
}

bool godot_value_is_name(const struct godot_value *value)
{
	return value->type == GODOT_STRING || value->type == GODOT_STRING_NAME;
}

bool godot_value_is_array(const struct godot_value *value)
{
	return value->type == GODOT_ARRAY || (value->type >= GODOT_PACKED_BYTE && value->type <= GODOT_PACKED_COLOR);
}

bool godot_string_is(const struct godot_string *string, const char *text)
{
	size_t length = strlen(text);

	return string->length == length && (length == 0 || memcmp(string->bytes, text, length) == 0);
}

const struct godot_value *godot_dictionary_get(const struct godot_value *dictionary, const char *key)
{
	const struct godot_value *items = dictionary->items;

	if (dictionary->type != GODOT_DICTIONARY)
		return NULL;
	for (size_t i = 0; i < dictionary->count; i++)
		if (key_class(items[2 * i].type) == GODOT_STRING && godot_string_is(&items[2 * i].text, key))
			return &items[2 * i + 1];
	return NULL;
}

const struct godot_value *godot_tag_get(const struct godot_tag *tag, const char *key)
{
	for (size_t i = tag->count; i > 0; i--)
		if (strcmp(tag->attributes[i - 1].key, key) == 0)
			return &tag->attributes[i - 1].value;
	return NULL;
}

bool godot_value_number(const struct godot_value *value, double *number)
{
	switch (value->type) {
	case GODOT_BOOL:
		*number = value->boolean;
		return true;
	case GODOT_INT:
		*number = (double)value->integer;
		return true;
	case GODOT_FLOAT:
		*number = value->number;
		return true;
	default:
		return false;
	}
}
