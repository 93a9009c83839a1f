/* reader_keys.c: samples, keys and tangents of a track, and which half of a Curve key comes first. */
#include <float.h>
#include <string.h>

#include "format/animx/reader.h"

int animx_resize(struct anim_buffer *buffer, size_t n, size_t size, struct anim_error *error)
{
	size_t bytes;

	buffer->size = 0;
	if (anim_size_multiply(n, size, &bytes, error) != 0 || anim_buffer_reserve(buffer, bytes | 1, error) != 0)
		return -1;
	buffer->size = bytes;
	return 0;
}

static int warn_of_bools(struct animx_reader *reader, const struct anim_track *track, uint64_t offset,
			 struct anim_error *error)
{
	return animx_warn(reader, offset, "tracks have bools beyond 0 and 1, read as Resonite reads them", error,
			  "a track of %s has bools beyond 0 and 1, read as Resonite reads them",
			  anim_types[track->type].name);
}

/* The value column of the track from the buffer, bools brought to 0 and 1. */
static int set_values(struct animx_reader *reader, struct anim_track *track, uint64_t offset, struct anim_error *error)
{
	struct animx_columns *columns = &reader->columns;

	track->value = columns->value.data;
	if (animx_clean_bools(track->type, columns->value.data, track->n))
		return warn_of_bools(reader, track, offset, error);
	return 0;
}

int animx_read_samples(struct animx_reader *reader, struct anim_track *track, struct anim_error *error)
{
	struct animx_columns *columns = &reader->columns;
	uint64_t offset = reader->body.offset;

	if (track->type == ANIM_STRING) {
		track->strings = &columns->strings.strings;
		return animx_read_strings(&reader->body, track->n, ANIMX_UNKNOWN_ORDER, columns, error);
	}
	if (animx_body_block(&reader->body, &columns->value, track->n, anim_types[track->type].size, error) != 0 ||
	    anim_buffer_reserve(&columns->value, 1, error) != 0)
		return -1;
	return set_values(reader, track, offset, error);
}

/* Takes the pairs apart. 0 or -1. */
static int split_keys(struct animx_columns *columns, struct anim_track *track, enum animx_order order,
		      struct anim_error *error)
{
	size_t size = anim_types[track->type].size;

	if (animx_resize(&columns->time, track->n, sizeof(float), error) != 0 ||
	    animx_resize(&columns->value, track->n, size, error) != 0)
		return -1;
	if (order == ANIMX_VALUE_FIRST)
		animx_split(columns->pairs.data, track->n, size, sizeof(float), columns->value.data,
			    columns->time.data);
	else
		animx_split(columns->pairs.data, track->n, sizeof(float), size, columns->time.data,
			    columns->value.data);
	track->time = (const float *)(const void *)columns->time.data;
	track->value = columns->value.data;
	return 0;
}

void animx_narrow(const struct animx_reader *reader, bool first_likely, bool second_likely, bool *time_first,
		  bool *value_first)
{
	bool known = reader->order != ANIMX_UNKNOWN_ORDER;

	if (!*time_first || !*value_first || (!known && first_likely == second_likely))
		return;
	*time_first = known ? reader->order == ANIMX_TIME_FIRST : first_likely;
	*value_first = !*time_first;
}

/*
 * Which orders give times; where both do, likely times and clean bools speak for one. Bools that will be changed cannot
 * be read the other way later, so they leave no doubt.
 */
static void find_orders(const struct animx_reader *reader, const struct anim_track *track, bool *time_first,
			bool *value_first)
{
	const uint8_t *pairs = reader->columns.pairs.data;
	size_t n = track->n, size = anim_types[track->type].size, stride = size + sizeof(float);
	bool could_be_first = animx_are_times(pairs, n, stride), could_be_last;

	if (reader->order != ANIMX_UNKNOWN_ORDER || (reader->marked && could_be_first)) {
		could_be_last = n > 0 && animx_are_times(pairs + size, n, stride);
		*time_first = could_be_first && (reader->order != ANIMX_VALUE_FIRST || !could_be_last);
		*value_first = could_be_last && !*time_first;
		return;
	}
	animx_key_orders(track->type, pairs, n, time_first, value_first);
	if (*time_first && !(animx_are_bools(track->type, pairs + sizeof(float), n, stride) &&
			     animx_are_bools(track->type, pairs, n, stride)))
		*value_first = false;
}

static int read_fixed_keys(struct animx_reader *reader, struct anim_track *track, bool *time_first, bool *value_first,
			   float *other_end_s, struct anim_error *error)
{
	struct animx_columns *columns = &reader->columns;
	size_t size = anim_types[track->type].size, stride = size + sizeof(float);
	bool curve = track->kind == ANIM_CURVE;

	if (animx_body_block(&reader->body, &columns->pairs, track->n, stride, error) != 0)
		return -1;
	if (curve)
		find_orders(reader, track, time_first, value_first);
	if (*value_first)
		memcpy(other_end_s, columns->pairs.data + (track->n - 1) * stride + size, sizeof(float));
	return split_keys(columns, track, !curve || *time_first ? ANIMX_TIME_FIRST : ANIMX_VALUE_FIRST, error);
}

/* Discrete keys may stand in disorder and before 0: kept, with a warning. */
static int check_times(struct animx_reader *reader, struct anim_track *track, uint64_t offset, struct anim_error *error)
{
	bool negative = false;

	for (size_t k = 0; k < track->n; k++) {
		float time = track->time[k];

		if (!(time >= -FLT_MAX && time <= FLT_MAX))
			return animx_body_fail(&reader->body, offset, error,
					       "the time of key %zu of this track is not a finite number", k);
		negative |= time < 0;
		if (k > 0 && time < track->time[k - 1])
			track->flags |= ANIM_UNSORTED;
	}
	if (negative &&
	    animx_warn(reader, offset, "tracks have keys before 0, which Resonite refuses", error,
		       "track '%s' '%s' has keys before 0, which Resonite refuses", track->node, track->property) != 0)
		return -1;
	if ((track->flags & ANIM_UNSORTED) == 0)
		return 0;
	return animx_warn(reader, offset, "tracks have keys out of order", error,
			  "track '%s' '%s' has keys out of order", track->node, track->property);
}

/* What this track says of the order of the whole file. */
static int settle(struct animx_reader *reader, bool time_first, bool value_first, uint64_t offset,
		  struct anim_error *error)
{
	enum animx_order order = time_first ? ANIMX_TIME_FIRST : ANIMX_VALUE_FIRST;

	if (time_first && value_first)
		return 0;
	if (!time_first && !value_first)
		return animx_body_fail(&reader->body, offset, error,
				       "keys of a Curve whose times are not finite, negative or decreasing, whether "
				       "they come before the values or behind them");
	if (reader->forced && reader->order != order)
		return animx_body_fail(&reader->body, offset, error,
				       "keys of a Curve whose times are not finite, negative or decreasing if they are "
				       "read %s first, as --key-order says",
				       reader->order == ANIMX_TIME_FIRST ? "time" : "value");
	if (reader->order != ANIMX_UNKNOWN_ORDER && reader->order != order)
		return animx_body_fail(&reader->body, offset, error,
				       "keys of a Curve that have the %s first, those of a track before have the %s "
				       "first",
				       time_first ? "time" : "value", time_first ? "value" : "time");
	reader->order = order;
	return 0;
}

int animx_read_keys(struct animx_reader *reader, struct anim_track *track, bool *doubtful, float *other_end_s,
		    struct anim_error *error)
{
	struct animx_columns *columns = &reader->columns;
	uint64_t offset = reader->body.offset;
	bool time_first = true, value_first = false, curve = track->kind == ANIM_CURVE;
	int result;

	if (track->type != ANIM_STRING)
		result = read_fixed_keys(reader, track, &time_first, &value_first, other_end_s, error);
	else if (curve && track->n > 0)
		result = animx_read_string_keys(reader, track->n, &time_first, &value_first, other_end_s, error);
	else
		result = animx_read_strings(&reader->body, track->n, ANIMX_TIME_FIRST, columns, error);
	if (result != 0)
		return -1;
	*doubtful = time_first && value_first;
	if (curve && track->n > 0 && settle(reader, time_first, value_first, offset, error) != 0)
		return -1;
	if (anim_buffer_reserve(&columns->time, 1, error) != 0)
		return -1;
	track->time = (const float *)(const void *)columns->time.data;
	if (track->type == ANIM_STRING)
		track->strings = &columns->strings.strings;
	else if (set_values(reader, track, offset, error) != 0)
		return -1;
	return curve ? 0 : check_times(reader, track, offset, error);
}

/* Strings have no tangents in the model, nor anywhere a meaning. */
static int pass_over_tangents(struct animx_reader *reader, const struct anim_track *track, struct anim_error *error)
{
	struct animx_columns passed = {0};
	uint64_t offset = reader->body.offset;
	int result = animx_read_strings(&reader->body, 2 * track->n, ANIMX_UNKNOWN_ORDER, &passed, error);

	animx_strings_clear(&passed.strings);
	if (result != 0 || track->n == 0)
		return result;
	return animx_warn(reader, offset, "tracks of strings have tangents, which mean nothing and are dropped", error,
			  "track '%s' '%s' of strings has tangents, which mean nothing and are dropped", track->node,
			  track->property);
}

int animx_read_tangents(struct animx_reader *reader, struct anim_track *track, struct anim_error *error)
{
	struct animx_columns *columns = &reader->columns;
	size_t size = anim_types[track->type].size;
	uint64_t offset = reader->body.offset;
	bool changed;

	if (track->type == ANIM_STRING)
		return pass_over_tangents(reader, track, error);
	if (animx_body_block(&reader->body, &columns->pairs, track->n, 2 * size, error) != 0 ||
	    animx_resize(&columns->left, track->n, size, error) != 0 ||
	    animx_resize(&columns->right, track->n, size, error) != 0)
		return -1;
	animx_split(columns->pairs.data, track->n, size, size, columns->left.data, columns->right.data);
	track->left = columns->left.data;
	track->right = columns->right.data;
	changed = animx_clean_bools(track->type, columns->left.data, track->n);
	changed |= animx_clean_bools(track->type, columns->right.data, track->n);
	return changed ? warn_of_bools(reader, track, offset, error) : 0;
}

int animx_swap_keys(struct animx_reader *reader, struct anim_track *track, struct anim_error *error)
{
	struct animx_columns *columns = &reader->columns;
	size_t size = anim_types[track->type].size;

	track->record = NULL;
	if (track->type == ANIM_STRING) {
		if (animx_swap_strings(reader, track, error) != 0)
			return -1;
		track->strings = &columns->strings.strings;
		track->time = (const float *)(const void *)columns->time.data;
		return 0;
	}
	if (animx_resize(&columns->pairs, track->n, size + sizeof(float), error) != 0)
		return -1;
	animx_join(columns->pairs.data, track->n, sizeof(float), size, track->time, track->value);
	return split_keys(columns, track, ANIMX_VALUE_FIRST, error);
}
