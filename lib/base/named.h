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
	char *own_name;   /* of a part, owned */
	uint8_t *written; /* out: the bytes of an output, set by its commit, owned. NULL: none */
};

/* The names of a thread. Each is an allocation of its own, so that more can be added while outputs are open. */
struct anim_named_set {
	struct anim_named **items;
	size_t count, capacity;
	bool takes_parts; /* outputs of unknown names are added, with names that this set owns */
};

/* Append a name (borrowed). Returns NULL if out of memory. */
struct anim_named *anim_named_add(struct anim_named_set *, const char *name, bool is_output);
void anim_named_clear(struct anim_named_set *); /* also frees the written bytes */

/*
 * Let inputs and outputs of this thread open these names (borrowed) in place of files until the next call. NULL: no names.
 */
void anim_named_use(struct anim_named_set *);

/* Return the bytes that the path names, or NULL. */
struct anim_named *anim_named_find(const char *path, bool is_output);

/* Return the same for an output, which is added if the set takes parts. */
struct anim_named *anim_named_output(const char *path);

/* Return the input that a file in memory refers to: its name is the last part of the path. NULL: none. */
const struct anim_named *anim_named_aside(const char *path);

/* Return whether the path is such a name, even if it is unknown, or their folder. No file has such a path. */
bool anim_named_is(const char *path);

#endif
