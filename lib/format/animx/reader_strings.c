/* reader_strings.c: strings, which may be null, and keys of strings in either order. */
#include <string.h>

#include "base/limits.h"
#include "format/animx/reader.h"

void animx_strings_clear(struct animx_strings *strings)
{
	anim_buffer_clear(&strings->lengths);
	anim_buffer_clear(&strings->starts);
	anim_buffer_clear(&strings->bytes);
}

static int read_string(struct animx_body *body, struct animx_strings *strings, struct anim_error *error)
{
	uint64_t offset = body->offset, start = strings->bytes.size;
	uint32_t length = ANIM_NULL_STRING;
	uint8_t present;

	if (animx_body_read(body, &present, 1, error) != 0)
		return -1;
	if (present > 1)
		return animx_body_fail(body, offset, error, "%u where a string begins: 1 for a string, 0 for none",
				       present);
	if (present == 1 && animx_body_text(body, ANIM_TEXT_MAX, &strings->bytes, &length, error) != 0)
		return -1;
	if (anim_buffer_append(&strings->lengths, &length, sizeof length, error) != 0)
		return -1;
	return anim_buffer_append(&strings->starts, &start, sizeof start, error);
}

static int read_time(struct animx_body *body, struct anim_buffer *times, struct anim_error *error)
{
	float time;

	if (animx_body_read(body, &time, sizeof time, error) != 0)
		return -1;
	return anim_buffer_append(times, &time, sizeof time, error);
}

int animx_read_strings(struct animx_body *body, size_t n, enum animx_order order, struct animx_columns *columns,
		       struct anim_error *error)
{
	struct animx_strings *strings = &columns->strings;

	columns->time.size = strings->lengths.size = strings->starts.size = strings->bytes.size = 0;
	for (size_t k = 0; k < n; k++) {
		if (order == ANIMX_TIME_FIRST && read_time(body, &columns->time, error) != 0)
			return -1;
		if (read_string(body, strings, error) != 0)
			return -1;
		if (order == ANIMX_VALUE_FIRST && read_time(body, &columns->time, error) != 0)
			return -1;
	}
	/* None of the pointers may be NULL, not even where there are no strings. */
	if (anim_buffer_reserve(&strings->lengths, 1, error) != 0 ||
	    anim_buffer_reserve(&strings->starts, 1, error) != 0 || anim_buffer_reserve(&strings->bytes, 1, error) != 0)
		return -1;
	strings->strings = (struct anim_strings){.length = (const uint32_t *)(const void *)strings->lengths.data,
						 .start = (const uint64_t *)(const void *)strings->starts.data,
						 .bytes = (const char *)strings->bytes.data,
						 .bytes_size = strings->bytes.size};
	return 0;
}

static bool fits(const struct animx_columns *columns, size_t n)
{
	return animx_are_times(columns->time.data, n, sizeof(float));
}

/* Reads from the mark in one order: 1 where that can be, 0 where it cannot, -1 where reading failed for another reason. */
static int try_order(struct animx_reader *reader, size_t n, enum animx_order order, struct anim_error *error)
{
	int result;

	if (animx_body_rewind(&reader->body, error) != 0)
		return -1;
	result = animx_read_strings(&reader->body, n, order, &reader->columns, error);
	if (result == 0)
		return fits(&reader->columns, n);
	return error->code == ANIM_BAD_INPUT ? 0 : -1;
}

/* What reading in one order came to. */
struct trial {
	int fits; /* as try_order returns */
	bool likely;
	uint64_t end; /* of the keys, in the body */
	float last_s;
};

static struct trial try_it(struct animx_reader *reader, size_t n, enum animx_order order, struct anim_error *error)
{
	struct trial trial = {.fits = try_order(reader, n, order, error), .end = reader->body.offset};
	const uint8_t *times = reader->columns.time.data;

	if (trial.fits == 1) {
		trial.likely = animx_are_likely_times(times, n, sizeof(float));
		memcpy(&trial.last_s, times + (n - 1) * sizeof(float), sizeof(float));
	}
	return trial;
}

/* Both orders read: where they end at different bytes one must be chosen now, for all that follows hangs on it. */
static void choose(const struct animx_reader *reader, const struct trial *first, const struct trial *second,
		   bool *time_first, bool *value_first)
{
	*time_first = *value_first = true;
	if (reader->order == ANIMX_UNKNOWN_ORDER && reader->marked)
		*value_first = false;
	animx_narrow(reader, first->likely, second->likely, time_first, value_first);
	if (first->end == second->end || !*time_first || !*value_first)
		return;
	*value_first = false;
}

/* Leaves the columns in the order that is taken; neither is where nothing fits. 0 or -1. */
static int try_orders(struct animx_reader *reader, size_t n, bool *time_first, bool *value_first, float *other_end_s,
		      struct anim_error *error)
{
	struct trial second = try_it(reader, n, ANIMX_VALUE_FIRST, error), first;

	if (second.fits < 0)
		return -1;
	memset(error, 0, sizeof *error);
	first = try_it(reader, n, ANIMX_TIME_FIRST, error);
	if (first.fits < 0)
		return -1;
	*time_first = first.fits == 1;
	*value_first = second.fits == 1;
	*other_end_s = second.last_s;
	if (*time_first && *value_first)
		choose(reader, &first, &second, time_first, value_first);
	if (*time_first)
		return 0;
	if (*value_first)
		return try_order(reader, n, ANIMX_VALUE_FIRST, error) == 1 ? 0 : -1;
	return error->code != ANIM_OK ? -1 : 0;
}

int animx_read_string_keys(struct animx_reader *reader, size_t n, bool *time_first, bool *value_first,
			   float *other_end_s, struct anim_error *error)
{
	struct anim_error found = {0};
	int result;

	animx_body_mark(&reader->body);
	result = try_orders(reader, n, time_first, value_first, other_end_s, &found);
	animx_body_unmark(&reader->body);
	if (result != 0 && error != NULL)
		*error = found;
	return result;
}

/* The strings as a file has them, each behind its time. */
static int write_strings(struct anim_buffer *to, const struct anim_track *track, struct anim_error *error)
{
	for (size_t k = 0; k < track->n; k++) {
		uint32_t length = track->strings->length[k], left = length;
		uint8_t head[1 + ANIMX_VARINT_MAX] = {length != ANIM_NULL_STRING};
		size_t size = 1;

		if (anim_buffer_append(to, &track->time[k], sizeof *track->time, error) != 0)
			return -1;
		for (; length != ANIM_NULL_STRING && left > 127; left >>= 7)
			head[size++] = (uint8_t)(left | 128);
		if (length != ANIM_NULL_STRING)
			head[size++] = (uint8_t)left;
		if (anim_buffer_append(to, head, size, error) != 0)
			return -1;
		if (length != ANIM_NULL_STRING && length > 0 &&
		    anim_buffer_append(to, track->strings->bytes + track->strings->start[k], length, error) != 0)
			return -1;
	}
	return 0;
}

int animx_swap_strings(struct animx_reader *reader, const struct anim_track *track, struct anim_error *error)
{
	struct anim_buffer *bytes = &reader->columns.pairs;
	struct anim_input *input = NULL;
	struct animx_body body;
	int result;

	bytes->size = 0;
	if (write_strings(bytes, track, error) != 0 ||
	    anim_input_open_memory(&input, bytes->data, bytes->size, anim_input_name(reader->body.input), error) != 0)
		return -1;
	animx_body_init(&body, input);
	result = animx_read_strings(&body, track->n, ANIMX_VALUE_FIRST, &reader->columns, error);
	animx_body_clear(&body);
	anim_input_close(input);
	return result;
}
