/* named.c: the names of bytes in memory that inputs and outputs of a thread open in place of files. */
#include "base/named.h"

#include <string.h>

static _Thread_local struct anim_named *names;
static _Thread_local size_t name_count;

void anim_named_use(struct anim_named *named, size_t count)
{
	names = named;
	name_count = named == NULL ? 0 : count;
}

bool anim_named_is(const char *path)
{
	return names != NULL && strncmp(path, ANIM_NAMED, strlen(ANIM_NAMED)) == 0;
}

struct anim_named *anim_named_find(const char *path, bool is_output)
{
	for (size_t i = 0; i < name_count; i++)
		if (names[i].is_output == is_output && strcmp(names[i].name, path) == 0)
			return &names[i];
	return NULL;
}
