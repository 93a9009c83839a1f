/* sample.c: the values of a track: at given times, as its player shows them, and at its keys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/handle.h"
#include "clip/keys.h"
#include "filter/resample.h"

_Static_assert((int)ANIM_TIMES_COVER == (int)ANIM_END_COVER && (int)ANIM_TIMES_GRID == (int)ANIM_END_GRID &&
		   (int)ANIM_TIMES_FIT == (int)ANIM_END_FIT && (int)ANIM_TIMES_LOOP == (int)ANIM_END_LOOP,
	       "ends have the numbers of the grid's");

#define CHUNK 2048u /* times per call of the sampler */

/* ---- The times of a clip ---- */

int anim_parse_rate(const char *text, uint32_t *num, uint32_t *den, struct anim_fault *fault)
{
	struct anim_error error = {0};
	int result = text == NULL || num == NULL || den == NULL
			 ? api_misuse(&error, "anim_parse_rate: a pointer is NULL")
			 : anim_rate_parse(text, num, den, &error);

	return result != 0 ? api_fault(fault, &error) : 0;
}

static int lay_grid(struct anim_grid *grid, const struct anim *h, size_t number, uint32_t num, uint32_t den,
		    enum anim_times_end end, struct anim_error *error)
{
	const struct anim_clip *clip;

	if (api_check_clip(h, number, error) != 0)
		return -1;
	clip = anim_store_clip(h->store, number);
	if (num == 0 && den == 0) {
		num = clip->rate_num;
		den = clip->rate_den;
	}
	if (num == 0 || den == 0)
		return api_misuse(error, "clip '%s' has no rate of its own; give one", clip->name);
	if ((int)end < (int)ANIM_TIMES_COVER || (int)end > (int)ANIM_TIMES_LOOP)
		return api_misuse(error, "an end of number %d", (int)end);
	return anim_grid_of_clip(grid, clip, num, den, (enum anim_grid_end)end, error);
}

ptrdiff_t anim_clip_times(const struct anim *h, size_t clip, uint32_t num, uint32_t den, enum anim_times_end end,
			  double *times, size_t capacity, struct anim_fault *fault)
{
	struct anim_error error = {0};
	struct anim_grid grid;

	if (lay_grid(&grid, h, clip, num, den, end, &error) != 0)
		return api_fault(fault, &error);
	if (times == NULL)
		capacity = 0;
	anim_grid_times(&grid, 0, capacity < grid.count ? capacity : grid.count, times);
	return (ptrdiff_t)grid.count;
}

ptrdiff_t anim_clip_times_new(const struct anim *h, size_t clip, uint32_t num, uint32_t den, enum anim_times_end end,
			      double **times, struct anim_fault *fault)
{
	struct anim_error error = {0};
	struct anim_grid grid;

	if (times == NULL)
		return api_misuse(&error, "no place for the times"), api_fault(fault, &error);
	if (lay_grid(&grid, h, clip, num, den, end, &error) != 0)
		return api_fault(fault, &error);
	*times = grid.count < SIZE_MAX / sizeof **times ? malloc((grid.count + 1) * sizeof **times) : NULL;
	if (*times == NULL)
		return anim_fail_memory(&error), api_fault(fault, &error);
	anim_grid_times(&grid, 0, grid.count, *times);
	return (ptrdiff_t)grid.count;
}

/* ---- Numbers ---- */

/* An array to fill. One of the two pointers is set. */
struct numbers {
	double *doubles;
	float *floats;
	size_t capacity;
};

/* Store `count` numbers from index `first` on. */
static void put_numbers(struct numbers to, size_t first, const double *from, size_t count)
{
	if (to.doubles != NULL)
		memcpy(to.doubles + first, from, count * sizeof *from);
	for (size_t i = 0; i < count && to.floats != NULL; i++)
		to.floats[first + i] = (float)from[i];
}

/* Store values k .. k + count - 1 of a column in the type of the track, from index `first` on. */
static void put_values(struct numbers to, size_t first, const struct anim_track *track, const void *column, size_t k,
		       size_t count)
{
	unsigned components = anim_types[track->type].components;
	double some[64 * ANIM_COMPONENTS_MAX];

	/* Store numbers that are already floats. */
	if (to.floats != NULL && anim_types[track->type].scalar == ANIM_SCALAR_F32) {
		memcpy(to.floats + first, (const float *)column + k * components, (count * components) * sizeof(float));
		return;
	}

	for (size_t done = 0, size; done < count; done += size) {
		size = count - done < 64 ? count - done : 64;
		anim_components_of(track->type, column, k + done, size, some);
		put_numbers(to, first + done * components, some, size * components);
	}
}

/*
 * Return how many of the first times are consecutive sample times of a Raw track, from sample *first on. They need no
 * player. Rotations stored as angles do, because their values go through quaternions.
 */
static size_t own_times(const struct anim_track *track, const double *t, size_t count, size_t *first)
{
	double num = track->rate_num, den = track->rate_den, start = track->start_s, at;
	size_t own = 0;

	if (track->kind != ANIM_RAW || track->rate_num == 0 || count == 0 || anim_track_is_captured(track) ||
	    (track->interp != ANIM_HOLD && anim_types[track->type].scalar != ANIM_SCALAR_F32))
		return 0;
	at = rint((t[0] - start) * num / den);
	if (!(at >= 0 && at < (double)track->n))
		return 0;
	*first = (size_t)at;
	if (count > track->n - *first)
		count = track->n - *first;
	while (own < count && t[own] == start + (double)(*first + own) * den / num)
		own++;
	return own;
}

/*
 * Replace values that the player does not set by the rest pose, otherwise by the first value that it sets, otherwise
 * by the first key.
 */
static void fill(struct anim *h, struct numbers to, size_t count, const uint8_t *present)
{
	unsigned components = anim_types[h->track.type].components;
	struct api_tree *tree = api_tree_of_clip(h, h->clip_number);
	const struct anim_clip *clip = anim_store_clip(h->store, h->clip_number);
	const struct anim_rest *rest =
	    tree == NULL ? NULL : anim_rests_find(&tree->posing.poses.rests, clip->root, h->track.node);
	_Alignas(16) uint8_t filler[ANIM_VALUE_MAX];
	double number[ANIM_COMPONENTS_MAX];
	size_t first = 0;

	while (first < count && !present[first])
		first++;
	if (anim_rest_filler(rest, &h->track, filler) == ANIM_FILLER_FIRST && first < count) {
		for (unsigned i = 0; i < components; i++)
			number[i] = to.doubles != NULL ? to.doubles[first * components + i]
						       : (double)to.floats[first * components + i];
	} else {
		anim_components(h->track.type, filler, 0, number);
	}
	for (size_t k = 0; k < count; k++)
		if (!present[k])
			put_numbers(to, k * components, number, components);
}

/* Play all times from `first` on. `present` says for each whether the player sets a value. */
static int play(struct anim *h, const double *times, size_t first, size_t count, struct numbers to, uint8_t *present,
		struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(h->store, h->clip_number);
	const struct anim_type_info *type = &anim_types[h->track.type];
	bool straight = to.floats != NULL && type->scalar == ANIM_SCALAR_F32;
	double t[CHUNK];

	h->values.size = 0;
	if (!straight && anim_buffer_extend(&h->values, CHUNK * type->size, error) == NULL)
		return -1;
	for (size_t done = first, size; done < count; done += size) {
		size = count - done < CHUNK ? count - done : CHUNK;
		memcpy(t, times + done, size * sizeof *t);
		anim_sample_times(&h->track, t, size);
		if (anim_sample(clip, &h->track, t, size,
				straight ? (void *)(to.floats + done * type->components) : h->values.data,
				present + done, &h->state, error) != 0)
			return anim_error_in_file(error, h->name);
		if (!straight)
			put_values(to, done * type->components, &h->track, h->values.data, 0, size);
	}
	return 0;
}

static const void *array_of(struct numbers to)
{
	return to.doubles != NULL ? (const void *)to.doubles : to.floats;
}

static int sample(struct anim *h, size_t clip, size_t track, const double *times, size_t count, struct numbers to,
		  uint8_t *present, struct anim_error *error)
{
	size_t first = 0, own;

	if (api_fetch(h, clip, track, error) != 0 ||
	    api_check_room(to.capacity, count, anim_types[h->track.type].components, error) != 0 ||
	    api_check_times(times, count, array_of(to), error) != 0)
		return -1;
	if (h->track.type == ANIM_STRING)
		return api_misuse(error, "track '%s %s' has texts, not numbers", h->track.node, h->track.property);
	h->present.size = 0;
	if (present == NULL && (present = anim_buffer_extend(&h->present, count + 1, error)) == NULL)
		return -1;
	own = own_times(&h->track, times, count, &first);
	if (own > 0) {
		put_values(to, 0, &h->track, h->track.value, first, own);
		memset(present, 1, own);
	}
	if (play(h, times, own, count, to, present, error) != 0)
		return -1;
	if (count > 0 && memchr(present, 0, count) != NULL)
		fill(h, to, count, present);
	return 0;
}

int anim_sample_doubles(struct anim *h, size_t clip, size_t track, const double *times, size_t count, double *values,
			size_t capacity, unsigned char *present, struct anim_fault *fault)
{
	struct anim_error error = {0};

	struct numbers to = {.doubles = values, .capacity = capacity};

	return sample(h, clip, track, times, count, to, present, &error) != 0 ? api_fault(fault, &error) : 0;
}

int anim_sample_floats(struct anim *h, size_t clip, size_t track, const double *times, size_t count, float *values,
		       size_t capacity, unsigned char *present, struct anim_fault *fault)
{
	struct anim_error error = {0};

	struct numbers to = {.floats = values, .capacity = capacity};

	return sample(h, clip, track, times, count, to, present, &error) != 0 ? api_fault(fault, &error) : 0;
}

/* ---- Keys ---- */

static const enum anim_column columns[] = {
    [ANIM_KEY_TIMES] = ANIM_COLUMN_TIME,    [ANIM_KEY_VALUES] = ANIM_COLUMN_VALUE,
    [ANIM_KEY_LEFT] = ANIM_COLUMN_LEFT,     [ANIM_KEY_RIGHT] = ANIM_COLUMN_RIGHT,
    [ANIM_KEY_LEFT_X] = ANIM_COLUMN_LEFT_X, [ANIM_KEY_RIGHT_X] = ANIM_COLUMN_RIGHT_X,
    [ANIM_KEY_EASE] = ANIM_COLUMN_EASE};

static int mode_of(const struct anim_track *track, size_t k)
{
	return track->kind == ANIM_DISCRETE ? ANIM_HOLD : (int)anim_track_interp(track, k);
}

/* Store a column of floats, whatever the type of the track. */
static void put_column(struct numbers to, const float *column, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put_numbers(to, i, &(double){(double)column[i]}, 1);
}

static int keys(struct anim *h, size_t clip, size_t number, enum anim_key_part part, struct numbers to,
		struct anim_error *error)
{
	const struct anim_track *track;
	unsigned components;
	const void *column;

	if ((int)part < (int)ANIM_KEY_TIMES || (int)part > (int)ANIM_KEY_MODES)
		return api_misuse(error, "a part of keys of number %d", (int)part);
	if (api_fetch(h, clip, number, error) != 0)
		return -1;
	track = &h->track;
	if (track->type == ANIM_STRING && part == ANIM_KEY_VALUES)
		return api_misuse(error, "track '%s %s' has texts, not numbers", track->node, track->property);
	column = part == ANIM_KEY_MODES ? NULL : track->column[columns[part]];
	if (part != ANIM_KEY_TIMES && part != ANIM_KEY_MODES && column == NULL)
		return 0;
	components = part == ANIM_KEY_TIMES || part == ANIM_KEY_EASE || part == ANIM_KEY_MODES
			 ? 1
			 : anim_types[track->type].components;
	if (api_check_room(array_of(to) == NULL ? 0 : to.capacity, track->n, components, error) != 0)
		return -1;
	if (part == ANIM_KEY_TIMES) {
		for (size_t k = 0; k < track->n; k++)
			put_numbers(to, k, &(double){anim_track_time(track, k)}, 1);
	} else if (part == ANIM_KEY_MODES) {
		for (size_t k = 0; k < track->n; k++)
			put_numbers(to, k, &(double){mode_of(track, k) + 1}, 1);
	} else if (part == ANIM_KEY_EASE)
		put_column(to, column, track->n);
	else if (part == ANIM_KEY_LEFT_X || part == ANIM_KEY_RIGHT_X)
		put_column(to, column, track->n * components);
	else
		put_values(to, 0, track, column, 0, track->n);
	return 1;
}

int anim_key_doubles(struct anim *h, size_t clip, size_t track, enum anim_key_part part, double *numbers,
		     size_t capacity, struct anim_fault *fault)
{
	struct anim_error error = {0};
	int result = keys(h, clip, track, part, (struct numbers){.doubles = numbers, .capacity = capacity}, &error);

	return result < 0 ? api_fault(fault, &error) : result;
}

int anim_key_floats(struct anim *h, size_t clip, size_t track, enum anim_key_part part, float *numbers, size_t capacity,
		    struct anim_fault *fault)
{
	struct anim_error error = {0};
	int result = keys(h, clip, track, part, (struct numbers){.floats = numbers, .capacity = capacity}, &error);

	return result < 0 ? api_fault(fault, &error) : result;
}

int anim_key_modes(struct anim *h, size_t clip, size_t track, const char **modes, size_t capacity,
		   struct anim_fault *fault)
{
	struct anim_error error = {0};

	if (api_fetch(h, clip, track, &error) != 0 ||
	    api_check_room(modes == NULL ? 0 : capacity, h->track.n, 1, &error) != 0)
		return api_fault(fault, &error);
	for (size_t k = 0; k < h->track.n; k++)
		modes[k] = anim_interp_names[mode_of(&h->track, k)];
	return 0;
}

/* ---- Texts ---- */

static int fetch_texts(struct anim *h, size_t clip, size_t track, struct anim_error *error)
{
	if (api_fetch(h, clip, track, error) != 0)
		return -1;
	if (h->track.type != ANIM_STRING)
		return api_misuse(error, "track '%s %s' has numbers, not texts", h->track.node, h->track.property);
	anim_arena_reset(&h->texts);
	return 0;
}

static int keep_text(struct anim *h, const struct anim_text *text, const char **kept, struct anim_error *error)
{
	*kept = NULL;
	if (text->bytes == NULL || text->length == ANIM_NULL_STRING)
		return 0;
	*kept = anim_arena_text(&h->texts, text->bytes, text->length, error);
	return *kept == NULL ? -1 : 0;
}

int anim_sample_texts(struct anim *h, size_t clip, size_t track, const double *times, size_t count, const char **texts,
		      struct anim_fault *fault)
{
	struct anim_error error = {0};
	int result = api_check_times(times, count, texts, &error) != 0 ? -1 : fetch_texts(h, clip, track, &error);

	for (size_t k = 0; k < count && result == 0; k++) {
		double t = times[k];
		struct anim_text shown;
		uint8_t present;

		anim_sample_times(&h->track, &t, 1);
		if (anim_sample(anim_store_clip(h->store, h->clip_number), &h->track, &t, 1, &shown, &present,
				&h->state, &error) != 0) {
			result = anim_error_in_file(&error, h->name);
		} else {
			if (!present)
				shown = (struct anim_text){NULL, ANIM_NULL_STRING};
			result = keep_text(h, &shown, &texts[k], &error);
		}
	}
	return result != 0 ? api_fault(fault, &error) : 0;
}

int anim_key_texts(struct anim *h, size_t clip, size_t track, const char **texts, size_t capacity,
		   struct anim_fault *fault)
{
	struct anim_error error = {0};
	int result = fetch_texts(h, clip, track, &error);
	struct anim_text text;

	if (result == 0)
		result = api_check_room(texts == NULL ? 0 : capacity, h->track.n, 1, &error);
	for (size_t k = 0; result == 0 && k < h->track.n; k++)
		result = keep_text(h, anim_value_at(&h->track, k, &text), &texts[k], &error);
	return result != 0 ? api_fault(fault, &error) : 0;
}
