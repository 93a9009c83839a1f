/* named.c: the names of bytes in memory that inputs and outputs of a thread open in place of files. */
#include "base/named.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"

static _Thread_local struct anim_named_set *names;

void anim_named_use(struct anim_named_set *set)
{
	names = set;
}

struct anim_named *anim_named_add(struct anim_named_set *set, const char *name, bool is_output)
{
	struct anim_named *item = calloc(1, sizeof *item);

	if (item == NULL)
		return NULL;
	if (set->count == set->capacity) {
		size_t capacity = 2 * set->capacity + 8;
		struct anim_named **items = realloc(set->items, capacity * sizeof *items);

		if (items == NULL) {
			free(item);
			return NULL;
		}
		set->items = items;
		set->capacity = capacity;
	}
	*item = (struct anim_named){.name = name, .bytes = (const uint8_t *)"", .is_output = is_output};
	set->items[set->count++] = item;
	return item;
}

void anim_named_clear(struct anim_named_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		free(set->items[i]->written);
		free(set->items[i]->own_name);
		free(set->items[i]);
	}
	free(set->items);
	*set = (struct anim_named_set){.items = NULL};
}

bool anim_named_is(const char *path)
{
	size_t length = strlen(ANIM_NAMED);

	return names != NULL && (strncmp(path, ANIM_NAMED, length) == 0 ||
				 (strlen(path) == length - 1 && strncmp(path, ANIM_NAMED, length - 1) == 0));
}

struct anim_named *anim_named_find(const char *path, bool is_output)
{
	for (size_t i = 0; names != NULL && i < names->count; i++)
		if (names->items[i]->is_output == is_output && strcmp(names->items[i]->name, path) == 0)
			return names->items[i];
	return NULL;
}

struct anim_named *anim_named_output(const char *path)
{
	struct anim_named *found = anim_named_find(path, true);
	char *name;

	if (found != NULL || names == NULL || !names->takes_parts || (name = strdup(path)) == NULL)
		return found;
	found = anim_named_add(names, name, true);
	if (found == NULL)
		free(name);
	else
		found->own_name = name;
	return found;
}

const struct anim_named *anim_named_aside(const char *path)
{
	const char *last = anim_path_last(path);

	for (size_t i = 0; names != NULL && i < names->count; i++)
		if (!names->items[i]->is_output && strcmp(names->items[i]->name + strlen(ANIM_NAMED), last) == 0)
			return names->items[i];
	return NULL;
}
