/* keys_columns.h: the columns of a run of keys while they grow, and a pool of them. Internal to document*.c and keys*.c. */
#ifndef ANIM_FORMAT_UNITY_KEYS_COLUMNS_H
#define ANIM_FORMAT_UNITY_KEYS_COLUMNS_H

#include <stdbool.h>

#include "base/buffer.h"
#include "format/unity/keys.h"
#include "format/unity/yaml.h"

/* What is a column of floats. */
enum unity_column { UNITY_TIME, UNITY_VALUE, UNITY_LEFT, UNITY_RIGHT, UNITY_LEFT_X, UNITY_RIGHT_X, UNITY_COLUMN_COUNT };

/* What one key has besides time, value and slopes. */
struct unity_key_rest {
	uint32_t hint;
	uint8_t weighted, version;
};

/* Columns that are only there once a key needs them; those before it are then filled in. */
enum { UNITY_WITH_WEIGHTS = 1, UNITY_WITH_HINTS = 2, UNITY_WITH_MODES = 4, UNITY_WITH_VERSIONS = 8 };

/* All-zero but for `version` (unity_columns_reset) is empty. */
struct unity_columns {
	struct unity_keys keys; /* the view, set by unity_columns_finish */
	size_t n;
	unsigned lanes;  /* of the first key */
	unsigned with;   /* UNITY_WITH_...: which columns there are */
	uint8_t version; /* of the first key */
	uint32_t line;
	struct anim_buffer column[UNITY_COLUMN_COUNT], hints, modes, versions;
};

void unity_columns_reset(struct unity_columns *); /* keeps the memory */
void unity_columns_clear(struct unity_columns *);

/* Makes the columns of UNITY_WITH_... that are not there yet. 0 or -1. */
int unity_columns_widen(struct unity_columns *, unsigned with, struct anim_error *);

/* Room for `more` keys behind n in every column there is. 0 or -1. */
int unity_columns_reserve(struct unity_columns *, size_t more, struct anim_error *);

/*
 * Appends the key that the map describes: members that are not there are 0, weights 1/3. 0; -1 with a message and in *culprit
 * the node that it is about.
 */
int unity_columns_add(struct unity_columns *, const struct unity_node *, const struct unity_node **culprit,
		      struct anim_error *);

/* Takes the last key away again. */
void unity_columns_drop(struct unity_columns *);

/* Fills `keys`; a column that no key needed is left out of it. */
void unity_columns_finish(struct unity_columns *);

/* All-zero is empty. The first `used` belong to nodes that are still borrowed. */
struct unity_columns_pool {
	struct unity_columns **items;
	size_t count, used;
};

struct unity_columns *unity_columns_take(struct unity_columns_pool *,
					 struct anim_error *); /* empty; NULL out of memory */
void unity_columns_release(struct unity_columns_pool *);       /* all */
void unity_columns_pool_clear(struct unity_columns_pool *);

#endif
