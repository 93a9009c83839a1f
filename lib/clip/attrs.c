/* attrs.c: attributes, sorted lists of key and value. */
#include <string.h>

#include "base/limits.h"
#include "clip/track.h"

/* The first place whose key is not before `key`. */
static size_t lower_bound(const struct anim_attrs *attrs, const char *key)
{
	size_t low = 0, high = attrs->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(attrs->items[middle].key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool holds_at(const struct anim_attrs *attrs, size_t at, const char *key)
{
	return at < attrs->count && strcmp(attrs->items[at].key, key) == 0;
}

const char *anim_attrs_get(const struct anim_attrs *attrs, const char *key)
{
	size_t at = lower_bound(attrs, key);

	return holds_at(attrs, at, key) ? attrs->items[at].value : NULL;
}

int anim_attrs_with(struct anim_attrs *out, const struct anim_attrs *in, const char *key, const char *value,
		    struct anim_arena *arena, struct anim_error *error)
{
	size_t at = lower_bound(in, key), old = holds_at(in, at, key), new = value != NULL;
	size_t count = in->count - old + new;
	struct anim_attr *items = anim_arena_alloc(arena, (count + 1) * sizeof *items, error);

	if (items == NULL)
		return -1;
	if (count > ANIM_ATTRS_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "more than %u attributes", ANIM_ATTRS_MAX);
	if (at > 0)
		memcpy(items, in->items, at * sizeof *items);
	if (value != NULL) {
		items[at].key = anim_arena_text(arena, key, strlen(key), error);
		items[at].value = anim_arena_text(arena, value, strlen(value), error);
		if (items[at].key == NULL || items[at].value == NULL)
			return -1;
	}
	if (in->count > at + old)
		memcpy(items + at + new, in->items + at + old, (in->count - at - old) * sizeof *items);
	out->items = items;
	out->count = count;
	return 0;
}
