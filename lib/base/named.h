/* named.h: bytes in memory with the names of files, for calls of the library that read or write memory. */
#ifndef ANIM_BASE_NAMED_H
#define ANIM_BASE_NAMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Such a name begins with this, so that no file has it and its base name is the caller's. The rest has no slash.
 */
#define ANIM_NAMED "memory:/"

struct anim_named {
	const char *name;     /* with ANIM_NAMED */
	const uint8_t *bytes; /* of an input, borrowed */
	size_t size;
	bool is_output;
	uint8_t *written; /* out: the bytes of an output, set by its commit. The caller frees them. NULL: none */
};

/*
 * Let inputs and outputs of this thread open these names (borrowed) in place of files, until the next call. NULL: no names.
 */
void anim_named_use(struct anim_named *, size_t count);

/* Return the bytes that the path names, or NULL. */
struct anim_named *anim_named_find(const char *path, bool is_output);

/* Return whether the path is such a name, even if it is unknown. */
bool anim_named_is(const char *path);

#endif
