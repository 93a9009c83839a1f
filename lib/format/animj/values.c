/* values.c: values in AnimJ's types and units: floats, 0..1, continuous quaternions. */
#include <math.h>
#include <string.h>

#include "format/animj/writer.h"
#include "math/quaternion.h"

/* Value and the two tangent columns go through the same steps. */
#define COLUMNS 3
static const void **column_of(struct anim_track *t, int i)
{
	return i == 0 ? &t->value : i == 1 ? &t->left : &t->right;
}

static bool has_real_columns(const struct anim_track *t)
{
	return anim_type_is_real(t->type);
}

/* The first of `count` lanes that is no finite number, or count. The plain sum tells in one pass that there is none. */
static size_t first_bad_float(const float *lanes, size_t count)
{
	float sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += lanes[i] * 0.0f;
	for (size_t i = 0; sum != 0 && i < count; i++)
		if (!isfinite(lanes[i]))
			return i;
	return count;
}

static size_t first_bad_double(const double *lanes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(lanes[i]))
			return i;
	return count;
}

static int check_finite(struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;
	const struct anim_type_info *info = &anim_types[t->type];
	size_t count = t->n * info->lanes, bad = count;

	for (int i = 0; has_real_columns(t) && i < COLUMNS && bad == count; i++) {
		const void *column = *column_of(t, i);

		if (column == NULL)
			continue;
		bad = info->scalar == ANIM_SCALAR_F32 ? first_bad_float(column, count) : first_bad_double(column, count);
	}
	if (bad == count)
		return 0;
	return anim_fail(error, ANIM_UNSUPPORTED, "track '%s': key %zu is not a finite number, and JSON has no other",
			 track->label, bad / info->lanes);
}

/* double -> float, lane by lane; a number that float cannot hold is an error. */
static int narrow(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;

	for (int c = 0; c < COLUMNS; c++) {
		const double *wide = *column_of(t, c);
		float *copy;

		if (wide == NULL)
			continue;
		if ((copy = anim_arena_alloc(&writer->scratch, t->n * sizeof *copy, error)) == NULL)
			return -1;
		for (size_t k = 0; k < t->n; k++)
			copy[k] = (float)wide[k];
		*column_of(t, c) = copy;
	}
	t->type = ANIM_FLOAT;
	return check_finite(track, error);
}

/* 0..100 -> 0..1. */
static int divide_percent(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;

	for (int c = 0; c < COLUMNS; c++) {
		const float *percent = *column_of(t, c);
		float *copy;

		if (percent == NULL)
			continue;
		if ((copy = anim_arena_alloc(&writer->scratch, t->n * sizeof *copy, error)) == NULL)
			return -1;
		for (size_t k = 0; k < t->n; k++)
			copy[k] = (float)((double)percent[k] / 100);
		*column_of(t, c) = copy;
	}
	return 0;
}

/* Consecutive quaternions on one side, for Resonite blends their components. */

static bool float_flips(const float *q, const float *before)
{
	return (double)q[0] * before[0] + (double)q[1] * before[1] + (double)q[2] * before[2] + (double)q[3] * before[3] < 0;
}

static size_t first_flip_float(const float *q, size_t n)
{
	for (size_t k = 1; k < n; k++)
		if (float_flips(q + 4 * k, q + 4 * k - 4))
			return k;
	return n;
}

static void negate_floats(float *q, const float *from)
{
	for (int i = 0; i < 4; i++)
		q[i] = -from[i];
}

static int make_floats_continuous(struct animj_writer *writer, struct anim_track *t, struct anim_error *error)
{
	size_t flip = first_flip_float(t->value, t->n);
	float *copies[COLUMNS] = {NULL};

	if (flip == t->n)
		return 0;
	for (int c = 0; c < COLUMNS; c++) {
		if (*column_of(t, c) == NULL)
			continue;
		if ((copies[c] = anim_arena_alloc(&writer->scratch, t->n * 16, error)) == NULL)
			return -1;
		memcpy(copies[c], *column_of(t, c), t->n * 16);
		*column_of(t, c) = copies[c];
	}
	for (size_t k = flip; k < t->n; k++) {
		if (!float_flips(copies[0] + 4 * k, copies[0] + 4 * k - 4))
			continue;
		for (int c = 0; c < COLUMNS; c++)
			if (copies[c] != NULL)
				negate_floats(copies[c] + 4 * k, copies[c] + 4 * k);
	}
	return 0;
}
