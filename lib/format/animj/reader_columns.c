/* reader_columns.c: the keys of the AnimJ track being read, as columns. */
#include <string.h>

#include "base/limits.h"
#include "format/animj/reader.h"

void animj_columns_reset(struct animj_columns *columns)
{
	columns->n = 0;
	columns->tangents = columns->string_tangents = false;
	for (int i = 0; i < ANIMJ_COLUMN_COUNT; i++)
		columns->column[i].size = 0;
	columns->interps.size = columns->given.size = 0;
	columns->strings.length.size = columns->strings.start.size = columns->strings.bytes.size = 0;
}

void animj_columns_clear(struct animj_columns *columns)
{
	for (int i = 0; i < ANIMJ_COLUMN_COUNT; i++)
		anim_buffer_clear(&columns->column[i]);
	anim_buffer_clear(&columns->interps);
	anim_buffer_clear(&columns->given);
	anim_buffer_clear(&columns->strings.length);
	anim_buffer_clear(&columns->strings.start);
	anim_buffer_clear(&columns->strings.bytes);
}

int animj_begin_tangents(struct animj_columns *columns, size_t size, struct anim_error *error)
{
	size_t bytes;

	if (anim_size_multiply(columns->n, size, &bytes, error) != 0)
		return -1;
	columns->tangents = true;
	for (int i = ANIMJ_LEFT; i <= ANIMJ_RIGHT && bytes > 0; i++) {
		void *zeros = anim_buffer_extend(&columns->column[i], bytes, error);

		if (zeros == NULL)
			return -1;
		memset(zeros, 0, bytes);
	}
	return 0;
}

static int add_values(struct animj_columns *columns, size_t size, const struct animj_key *key, struct anim_error *error)
{
	for (int i = ANIMJ_VALUE; i <= (columns->tangents ? ANIMJ_RIGHT : ANIMJ_VALUE); i++)
		if (anim_buffer_append(&columns->column[i], key->value[i], size, error) != 0)
			return -1;
	return 0;
}

int animj_add_key(struct animj_columns *columns, const struct animj_track_head *head, const struct animj_key *key,
		  struct anim_error *error)
{
	size_t size = anim_types[head->type].size;

	if (columns->n == ANIM_KEYS_MAX)
		return anim_fail(error, ANIM_TOO_LARGE, "a track of more than %u keys", ANIM_KEYS_MAX);
	if (key->given != 0 && size > 0 && !columns->tangents && animj_begin_tangents(columns, size, error) != 0)
		return -1;
	if (size > 0 && add_values(columns, size, key, error) != 0)
		return -1;
	columns->n++;
	if (head->kind == ANIM_RAW)
		return 0;
	if (anim_buffer_append(&columns->column[ANIMJ_TIME], &key->time_s, sizeof key->time_s, error) != 0)
		return -1;
	if (head->kind == ANIM_DISCRETE)
		return 0;
	if (anim_buffer_append(&columns->interps, &key->interp, 1, error) != 0)
		return -1;
	return anim_buffer_append(&columns->given, &key->given, 1, error);
}
