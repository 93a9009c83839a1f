/* keys.c: a track that grows part by part. */
#include "filter/cat/keys.h"

#include <string.h>

#include "stream/track_record.h"

void anim_join_keys_reset(struct anim_join_keys *keys, enum anim_type type)
{
	keys->type = type;
	keys->n = 0;
	for (size_t id = 0; id < ANIM_COLUMN_COUNT; id++) {
		keys->column[id].size = 0;
		keys->has[id] = false;
	}
	anim_texts_reset(&keys->texts);
}

void anim_join_keys_clear(struct anim_join_keys *keys)
{
	for (size_t id = 0; id < ANIM_COLUMN_COUNT; id++)
		anim_buffer_clear(&keys->column[id]);
	anim_texts_clear(&keys->texts);
	memset(keys, 0, sizeof *keys);
}

static size_t width_of(const struct anim_join_keys *keys, enum anim_column id)
{
	struct anim_column_shape shape = anim_column_shape(id, keys->type);

	return (size_t)shape.lanes * shape.width;
}

/* Appends what key k (that of the growing track) has in a column that its source has not: what changes nothing. */
static int append_rest(struct anim_join_keys *keys, enum anim_column id, size_t k, struct anim_error *error)
{
	static const float third = 1.0f / 3.0f, one = 1.0f, zero = 0.0f;
	enum anim_interp mode = keys->column[ANIM_COLUMN_INTERP].data[k];
	size_t width = width_of(keys, id);
	uint8_t *to = anim_buffer_extend(&keys->column[id], width, error);
	const float *number = id == ANIM_COLUMN_EASE ? &one : mode == ANIM_WEIGHTED ? &third : &zero;

	if (to == NULL)
		return -1;
	memset(to, 0, width);
	if ((id == ANIM_COLUMN_LEFT || id == ANIM_COLUMN_RIGHT) && mode == ANIM_CUBIC_BEZIER)
		memcpy(to, keys->column[ANIM_COLUMN_VALUE].data + k * width, width);
	for (size_t at = 0;
	     at < width && (id == ANIM_COLUMN_EASE || id == ANIM_COLUMN_LEFT_X || id == ANIM_COLUMN_RIGHT_X);
	     at += sizeof *number)
		memcpy(to + at, number, sizeof *number);
	return 0;
}

/* Makes a column that a new part brings stand for the keys before it, too. */
static int begin_column(struct anim_join_keys *keys, enum anim_column id, struct anim_error *error)
{
	if (keys->has[id])
		return 0;
	keys->has[id] = true;
	for (size_t k = 0; k < keys->n; k++)
		if (append_rest(keys, id, k, error) != 0)
			return -1;
	return 0;
}

static int append_time(struct anim_join_keys *keys, double time_s, struct anim_error *error)
{
	float time = (float)time_s;

	return anim_buffer_append(&keys->column[ANIM_COLUMN_TIME], &time, sizeof time, error);
}

static int append_value(struct anim_join_keys *keys, const struct anim_track *track, size_t k, struct anim_error *error)
{
	size_t size = anim_types[track->type].size;
	const struct anim_strings *strings = track->strings;
	uint32_t null = ANIM_NULL_STRING;
	uint64_t start;

	if (track->type != ANIM_STRING)
		return anim_buffer_append(&keys->column[ANIM_COLUMN_VALUE], (const uint8_t *)track->value + k * size,
					  size, error);
	if (strings->length[k] != ANIM_NULL_STRING)
		return anim_texts_add(&keys->texts, strings->bytes + strings->start[k], strings->length[k], error);
	start = keys->texts.bytes.size;
	if (anim_buffer_append(&keys->texts.length, &null, sizeof null, error) != 0)
		return -1;
	return anim_buffer_append(&keys->texts.start, &start, sizeof start, error);
}

/* Appends time, value and mode; the other columns follow. */
static int append_key(struct anim_join_keys *keys, const struct anim_track *track, size_t k, double time_s,
		      struct anim_error *error)
{
	uint8_t mode = (uint8_t)anim_track_interp(track, k);

	if (append_time(keys, time_s, error) != 0 || append_value(keys, track, k, error) != 0)
		return -1;
	return anim_buffer_append(&keys->column[ANIM_COLUMN_INTERP], &mode, 1, error);
}

static bool is_optional(enum anim_column id)
{
	return id > ANIM_COLUMN_INTERP && id != ANIM_COLUMN_HINT;
}

int anim_join_keys_add(struct anim_join_keys *keys, const struct anim_track *track, size_t from, size_t to,
		       double shift_s, struct anim_error *error)
{
	for (enum anim_column id = ANIM_COLUMN_TIME; id < ANIM_COLUMN_COUNT; id++)
		if (is_optional(id) && anim_track_column(track, id) != NULL && begin_column(keys, id, error) != 0)
			return -1;
	for (size_t k = from; k < to; k++)
		if (append_key(keys, track, k, (double)track->time[k] + shift_s, error) != 0)
			return -1;
	for (enum anim_column id = ANIM_COLUMN_TIME; id < ANIM_COLUMN_COUNT; id++) {
		const uint8_t *column = is_optional(id) ? anim_track_column(track, id) : NULL;
		size_t width = width_of(keys, id);

		if (column != NULL &&
		    anim_buffer_append(&keys->column[id], column + from * width, (to - from) * width, error) != 0)
			return -1;
		for (size_t k = from; k < to && column == NULL && keys->has[id]; k++)
			if (append_rest(keys, id, keys->n + (k - from), error) != 0)
				return -1;
	}
	keys->n += to - from;
	return 0;
}

int anim_join_keys_rest(struct anim_join_keys *keys, const struct anim_track *track, size_t k, double time_s,
			struct anim_error *error)
{
	if (append_key(keys, track, k, time_s, error) != 0)
		return -1;
	for (enum anim_column id = ANIM_COLUMN_TIME; id < ANIM_COLUMN_COUNT; id++)
		if (keys->has[id] && append_rest(keys, id, keys->n, error) != 0)
			return -1;
	keys->n++;
	return 0;
}

int anim_join_samples_add(struct anim_join_keys *keys, const struct anim_track *track, size_t from, size_t to,
			  struct anim_error *error)
{
	for (size_t k = from; k < to; k++, keys->n++)
		if (append_value(keys, track, k, error) != 0)
			return -1;
	return 0;
}

void anim_join_samples_cut(struct anim_join_keys *keys, size_t n)
{
	uint64_t end;

	if (n >= keys->n)
		return;
	if (keys->type == ANIM_STRING) {
		memcpy(&end, keys->texts.start.data + n * sizeof end, sizeof end);
		keys->texts.length.size = n * sizeof(uint32_t);
		keys->texts.start.size = n * sizeof(uint64_t);
		keys->texts.bytes.size = (size_t)end;
	}
	keys->column[ANIM_COLUMN_VALUE].size = n * anim_types[keys->type].size;
	keys->n = n;
}

/* Where a column begins; a column without keys stands, too. */
static const void *begin_of(const struct anim_buffer *column)
{
	static const double none;

	return column->size > 0 ? (const void *)column->data : &none;
}

static const void *column_or_null(const struct anim_join_keys *keys, enum anim_column id)
{
	return keys->has[id] ? begin_of(&keys->column[id]) : NULL;
}

void anim_join_keys_track(struct anim_join_keys *keys, struct anim_track *out)
{
	const uint8_t *modes = keys->column[ANIM_COLUMN_INTERP].data;
	bool mixed = false;

	for (size_t k = 1; k < keys->n && out->kind != ANIM_RAW; k++)
		mixed = mixed || modes[k] != modes[0];
	out->n = keys->n;
	out->record = NULL;
	out->time = out->kind == ANIM_RAW ? NULL : begin_of(&keys->column[ANIM_COLUMN_TIME]);
	out->value = keys->type == ANIM_STRING ? NULL : begin_of(&keys->column[ANIM_COLUMN_VALUE]);
	out->interps = mixed ? modes : NULL;
	if (out->kind != ANIM_RAW && keys->n > 0)
		out->interp = mixed ? ANIM_INTERP_COLUMN : modes[0];
	else if (out->interp == ANIM_INTERP_COLUMN)
		out->interp = ANIM_HOLD;
	out->left = column_or_null(keys, ANIM_COLUMN_LEFT);
	out->right = column_or_null(keys, ANIM_COLUMN_RIGHT);
	out->left_x = column_or_null(keys, ANIM_COLUMN_LEFT_X);
	out->right_x = column_or_null(keys, ANIM_COLUMN_RIGHT_X);
	out->ease = column_or_null(keys, ANIM_COLUMN_EASE);
	out->weighted = column_or_null(keys, ANIM_COLUMN_WEIGHTED);
	out->hint = NULL;
	anim_texts_view(&keys->texts, &keys->strings);
	out->strings = keys->type == ANIM_STRING ? &keys->strings : NULL;
}
