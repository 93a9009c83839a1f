/* names.c: a set of names, to find those used twice. */
#include <search.h>
#include <string.h>

#include "filter/lint/find.h"

struct name {
	size_t size;
	char text[]; /* the parts, each with its NUL */
};

static int compare(const void *left, const void *right)
{
	const struct name *a = left, *b = right;
	size_t size = a->size < b->size ? a->size : b->size;
	int order = memcmp(a->text, b->text, size);

	return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

static struct name *join(const char *const parts[LINT_NAME_PARTS], struct anim_arena *arena, struct anim_error *error)
{
	size_t sizes[LINT_NAME_PARTS], size = 0;
	struct name *name;
	char *at;

	for (int i = 0; i < LINT_NAME_PARTS; i++)
		size += sizes[i] = strlen(parts[i]) + 1;
	name = anim_arena_alloc(arena, sizeof *name + size, error);
	if (name == NULL)
		return NULL;
	name->size = size;
	at = name->text;
	for (int i = 0; i < LINT_NAME_PARTS; at += sizes[i++])
		memcpy(at, parts[i], sizes[i]);
	return name;
}

int lint_names_add(struct lint_names *names, const char *const parts[LINT_NAME_PARTS], struct anim_error *error)
{
	struct name *name = join(parts, &names->texts, error), **found;

	if (name == NULL)
		return -1;
	found = tsearch(name, &names->tree, compare);
	if (found == NULL)
		return anim_fail_memory(error);
	return *found == name;
}

int lint_names_has(const struct lint_names *names, const char *const parts[LINT_NAME_PARTS], struct anim_error *error)
{
	struct anim_arena arena = {0};
	struct name *name = join(parts, &arena, error);
	int has = name == NULL ? -1 : tfind(name, &names->tree, compare) != NULL;

	anim_arena_clear(&arena);
	return has;
}

void lint_names_reset(struct lint_names *names)
{
	while (names->tree != NULL)
		tdelete(*(void **)names->tree, &names->tree, compare);
	anim_arena_reset(&names->texts);
}

void lint_names_clear(struct lint_names *names)
{
	lint_names_reset(names);
	anim_arena_clear(&names->texts);
}
