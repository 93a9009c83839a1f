/* output_attributes.c: copies extended attributes, including access control lists, from one file to another. */
#include "base/output_internal.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__

#include <sys/types.h>
#include <sys/xattr.h>

/*
 * Return the names, each with its NUL, in *size bytes owned by the caller. Returns NULL if there are none or they
 * cannot be read.
 */
static char *list_names(int file, size_t *size)
{
	ssize_t length = flistxattr(file, NULL, 0);
	char *names = length <= 0 ? NULL : malloc((size_t)length);

	if (names != NULL)
		length = flistxattr(file, names, (size_t)length);
	*size = length < 0 ? 0 : (size_t)length;
	if (*size > 0)
		return names;
	free(names);
	return NULL;
}

static bool copy_one(int from, int to, const char *name)
{
	ssize_t size = fgetxattr(from, name, NULL, 0);
	char *value = size < 0 ? NULL : malloc((size_t)size + 1);
	bool done = value != NULL && (size = fgetxattr(from, name, value, (size_t)size)) >= 0 &&
		    fsetxattr(to, name, value, (size_t)size, 0) == 0;

	free(value);
	return done;
}

char *anim_copy_attributes(int from, int to)
{
	size_t size, own_size;
	char *names = list_names(from, &size), *own = list_names(to, &own_size), *lost = NULL;

	/* A folder may give its files an access control list that the old file did not have. */
	for (size_t at = 0; at < own_size; at += strlen(own + at) + 1) {
		bool found = false;

		for (size_t other = 0; other < size && !found; other += strlen(names + other) + 1)
			found = strcmp(names + other, own + at) == 0;
		if (!found)
			(void)fremovexattr(to, own + at);
	}
	for (size_t at = 0; at < size; at += strlen(names + at) + 1) {
		const char *name = names + at;
		/* the system itself gives these to every file, and most users may not set them */
		bool is_of_system = strncmp(name, "security.", 9) == 0 || strncmp(name, "trusted.", 8) == 0;

		if (!copy_one(from, to, name) && !is_of_system && lost == NULL)
			lost = strdup(name);
	}
	free(names);
	free(own);
	return lost;
}

#else

char *anim_copy_attributes(int from, int to)
{
	(void)from;
	(void)to;
	return NULL;
}

#endif
