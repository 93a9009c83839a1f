/* keys_columns.c: the columns of a run of keys while they grow. */
#include "format/unity/keys_columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

void unity_columns_reset(struct unity_columns *columns)
{
	for (int i = 0; i < UNITY_COLUMN_COUNT; i++)
		columns->column[i].size = 0;
	columns->hints.size = columns->modes.size = columns->versions.size = 0;
	columns->n = 0;
	columns->lanes = 0;
	columns->with = 0;
	columns->version = 1;
	columns->line = 0;
}

void unity_columns_clear(struct unity_columns *columns)
{
	for (int i = 0; i < UNITY_COLUMN_COUNT; i++)
		anim_buffer_clear(&columns->column[i]);
	anim_buffer_clear(&columns->hints);
	anim_buffer_clear(&columns->modes);
	anim_buffer_clear(&columns->versions);
}

/* Makes the column n elements of `size` bytes long, with `byte` in the new ones. */
static int fill(struct anim_buffer *column, size_t n, size_t size, int byte, struct anim_error *error)
{
	size_t added = n * size - column->size;

	if (anim_buffer_reserve(column, added, error) != 0)
		return -1;
	if (added > 0)
		memset(column->data + column->size, byte, added);
	column->size += added;
	return 0;
}

static int fill_weights(struct anim_buffer *column, size_t count, struct anim_error *error)
{
	size_t first = column->size / sizeof(float);
	float *weights;

	if (anim_buffer_reserve(column, (count - first) * sizeof(float), error) != 0)
		return -1;
	weights = (float *)(void *)column->data;
	for (size_t i = first; i < count; i++)
		weights[i] = UNITY_WEIGHT;
	column->size = count * sizeof(float);
	return 0;
}

int unity_columns_widen(struct unity_columns *columns, unsigned with, struct anim_error *error)
{
	unsigned added = with & ~columns->with;
	size_t n = columns->n;

	if (added & UNITY_WITH_WEIGHTS &&
	    (fill_weights(&columns->column[UNITY_LEFT_X], n * columns->lanes, error) != 0 ||
	     fill_weights(&columns->column[UNITY_RIGHT_X], n * columns->lanes, error) != 0))
		return -1;
	if (added & UNITY_WITH_HINTS && fill(&columns->hints, n, sizeof(uint32_t), 0, error) != 0)
		return -1;
	if (added & UNITY_WITH_MODES && fill(&columns->modes, n, 1, 0, error) != 0)
		return -1;
	if (added & UNITY_WITH_VERSIONS && fill(&columns->versions, n, 1, columns->version, error) != 0)
		return -1;
	columns->with |= added;
	return 0;
}

int unity_columns_reserve(struct unity_columns *columns, size_t more, struct anim_error *error)
{
	size_t row = columns->lanes * sizeof(float);
	int floats = columns->with & UNITY_WITH_WEIGHTS ? UNITY_COLUMN_COUNT : UNITY_LEFT_X;

	for (int i = 0; i < floats; i++)
		if (anim_buffer_reserve(&columns->column[i], more * (i == UNITY_TIME ? sizeof(float) : row), error) !=
		    0)
			return -1;
	if (columns->with & UNITY_WITH_HINTS &&
	    anim_buffer_reserve(&columns->hints, more * sizeof(uint32_t), error) != 0)
		return -1;
	if (columns->with & UNITY_WITH_MODES && anim_buffer_reserve(&columns->modes, more, error) != 0)
		return -1;
	return columns->with & UNITY_WITH_VERSIONS ? anim_buffer_reserve(&columns->versions, more, error) : 0;
}

void unity_columns_drop(struct unity_columns *columns)
{
	size_t n = --columns->n;

	for (int i = 0; i < UNITY_COLUMN_COUNT; i++)
		if (i < UNITY_LEFT_X || columns->with & UNITY_WITH_WEIGHTS)
			columns->column[i].size = n * (i == UNITY_TIME ? 1 : columns->lanes) * sizeof(float);
	if (columns->with & UNITY_WITH_HINTS)
		columns->hints.size = n * sizeof(uint32_t);
	if (columns->with & UNITY_WITH_MODES)
		columns->modes.size = n;
	if (columns->with & UNITY_WITH_VERSIONS)
		columns->versions.size = n;
}

static const float *floats_of(const struct unity_columns *columns, enum unity_column column)
{
	return (const float *)(const void *)columns->column[column].data;
}

static bool any_weight(const struct unity_columns *columns)
{
	for (size_t i = 0; i < columns->n * columns->lanes; i++)
		if (floats_of(columns, UNITY_LEFT_X)[i] != UNITY_WEIGHT ||
		    floats_of(columns, UNITY_RIGHT_X)[i] != UNITY_WEIGHT)
			return true;
	return false;
}

/* Any byte other than `byte`. */
static bool any_other(const struct anim_buffer *column, uint8_t byte)
{
	for (size_t i = 0; i < column->size; i++)
		if (column->data[i] != byte)
			return true;
	return false;
}

static void set_versions(struct unity_columns *columns)
{
	struct unity_keys *keys = &columns->keys;

	if (!(columns->with & UNITY_WITH_VERSIONS) || columns->n == 0)
		return;
	keys->version = columns->versions.data[0];
	if (!any_other(&columns->versions, columns->versions.data[0]))
		return;
	keys->versions = columns->versions.data;
	for (size_t i = 0; i < columns->n; i++)
		if (keys->versions[i] < keys->version)
			keys->version = keys->versions[i];
}

void unity_columns_finish(struct unity_columns *columns)
{
	struct unity_keys *keys = &columns->keys;

	*keys = (struct unity_keys){.n = columns->n,
				    .lanes = columns->n > 0 ? columns->lanes : 0,
				    .version = columns->version,
				    .line = columns->line};
	keys->time = floats_of(columns, UNITY_TIME);
	keys->value = floats_of(columns, UNITY_VALUE);
	keys->left = floats_of(columns, UNITY_LEFT);
	keys->right = floats_of(columns, UNITY_RIGHT);
	if (columns->with & UNITY_WITH_WEIGHTS && any_weight(columns)) {
		keys->left_x = floats_of(columns, UNITY_LEFT_X);
		keys->right_x = floats_of(columns, UNITY_RIGHT_X);
	}
	if (columns->with & UNITY_WITH_MODES && any_other(&columns->modes, 0))
		keys->weighted = columns->modes.data;
	if (columns->with & UNITY_WITH_HINTS && any_other(&columns->hints, 0))
		keys->hint = (const uint32_t *)(const void *)columns->hints.data;
	set_versions(columns);
}

struct unity_columns *unity_columns_take(struct unity_columns_pool *pool, struct anim_error *error)
{
	if (pool->used == pool->count) {
		struct unity_columns **items = realloc(pool->items, (pool->count + 1) * sizeof(struct unity_columns *));
		struct unity_columns *added = calloc(1, sizeof *added);

		if (items != NULL)
			pool->items = items;
		if (items == NULL || added == NULL) {
			free(added);
			anim_fail_memory(error);
			return NULL;
		}
		pool->items[pool->count++] = added;
	}
	unity_columns_reset(pool->items[pool->used]);
	return pool->items[pool->used++];
}

void unity_columns_release(struct unity_columns_pool *pool)
{
	pool->used = 0;
}

void unity_columns_pool_clear(struct unity_columns_pool *pool)
{
	for (size_t i = 0; i < pool->count; i++) {
		unity_columns_clear(pool->items[i]);
		free(pool->items[i]);
	}
	free(pool->items);
	*pool = (struct unity_columns_pool){0};
}
