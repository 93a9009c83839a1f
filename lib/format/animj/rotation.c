/* rotation.c: rotations as Resonite wants them: each on the side of the one before. */
#include <string.h>

#include "clip/lane.h"
#include "format/animj/values.h"

/* Dot products of neighbours in double, so that they are right for both types. */
static double dot(const struct anim_track *t, size_t a, size_t b)
{
	double sum = 0;

	for (unsigned i = 0; i < 4; i++)
		sum += anim_lane(t->type, t->value, a, i) * anim_lane(t->type, t->value, b, i);
	return sum;
}

/* The first key from 1 on that is on another side than the one before; n where there is none. */
static size_t first_flip(const struct anim_track *t)
{
	const float *q = t->value;

	for (size_t k = 1; k < t->n; k++) {
		const float *a = q + 4 * k - 4, *b = q + 4 * k;

		/* float suffices to see that nothing is near the border */
		if (t->type == ANIM_FLOATQ && a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] > 0.01f)
			continue;
		if (dot(t, k - 1, k) < 0)
			return k;
	}
	return t->n;
}

/* 0 - x: no -0 comes of it. */
static void negate(void *column, enum anim_type type, size_t k)
{
	float *floats = column;
	double *doubles = column;

	for (size_t i = 4 * k; i < 4 * k + 4; i++) {
		if (type == ANIM_FLOATQ)
			floats[i] = 0.0f - floats[i];
		else
			doubles[i] = 0.0 - doubles[i];
	}
}

/* Own copies of the columns, in which keys from `flip` on are brought to one side, tangents with their values. */
static int turn_signs(struct animj_writer *writer, struct anim_track *t, size_t flip, struct anim_error *error)
{
	void *copies[ANIMJ_COLUMNS] = {NULL};
	size_t bytes = t->n * anim_types[t->type].size;

	for (int c = 0; c < ANIMJ_COLUMNS; c++) {
		const void **column = animj_column(t, c);

		if (*column == NULL)
			continue;
		if ((copies[c] = anim_arena_alloc(&writer->scratch, bytes, error)) == NULL)
			return -1;
		*column = memcpy(copies[c], *column, bytes);
	}
	for (size_t k = flip; k < t->n; k++) {
		if (dot(t, k - 1, k) >= 0)
			continue;
		for (int c = 0; c < ANIMJ_COLUMNS; c++)
			if (copies[c] != NULL)
				negate(copies[c], t->type, k);
	}
	return 0;
}

/* A zero quaternion is no rotation; what Resonite makes of it is not known. */
static int warn_of_zeros(struct animj_writer *writer, const struct animj_track *track, struct anim_error *error)
{
	const struct anim_track *t = &track->track;
	size_t k = 0;

	while (k < t->n && anim_lane(t->type, t->value, k, 3) != 0)
		k++;
	for (; k < t->n; k++)
		if (dot(t, k, k) == 0)
			return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
					       "tracks hold quaternions of zeros, which are no rotations", error,
					       "track '%s': key %zu is a quaternion of zeros, which is no rotation",
					       track->label, k);
	return 0;
}

int animj_continuous(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;
	size_t flip;

	if (!anim_types[t->type].quaternion)
		return 0;
	if (warn_of_zeros(writer, track, error) != 0)
		return -1;
	if (t->kind == ANIM_DISCRETE || (flip = first_flip(t)) == t->n)
		return 0;
	return turn_signs(writer, t, flip, error);
}
