/* values.c: values in AnimJ's types and units: finite, floats, 0..1. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "format/animj/values.h"

const void **animj_column(struct anim_track *t, int i)
{
	return i == 0 ? &t->value : i == 1 ? &t->left : &t->right;
}

int animj_map_columns(struct animj_writer *writer, struct anim_track *t, size_t size, animj_map *map,
		      struct anim_error *error)
{
	for (int c = 0; c < ANIMJ_COLUMNS; c++) {
		const void *from = *animj_column(t, c);
		size_t bytes;
		void *to;

		if (from == NULL)
			continue;
		if (anim_size_multiply(t->n, size, &bytes, error) != 0 ||
		    (to = anim_arena_alloc(&writer->scratch, bytes, error)) == NULL)
			return -1;
		map(to, from, t->n);
		*animj_column(t, c) = to;
	}
	return 0;
}

/* Lanes looked at before a loop asks whether all was well: a constant count is what -O2 vectorises. */
#define BLOCK 64

/* True where a number of the block is infinite or NaN: its exponent bits are all set. */
static bool has_bad_float(const float *floats)
{
	uint32_t bits[BLOCK], bad = 0;

	memcpy(bits, floats, sizeof bits);
	for (int i = 0; i < BLOCK; i++)
		bad |= (bits[i] & 0x7f800000u) == 0x7f800000u;
	return bad != 0;
}

/* The first of `count` lanes that is no finite number, or count. */
static size_t first_bad(const void *column, enum anim_scalar scalar, size_t count)
{
	const float *floats = column;
	const double *doubles = column;
	size_t i = 0;

	while (scalar == ANIM_SCALAR_F32 && i + BLOCK <= count && !has_bad_float(floats + i))
		i += BLOCK;
	for (; i < count; i++)
		if (scalar == ANIM_SCALAR_F32 ? !isfinite(floats[i]) : !isfinite(doubles[i]))
			return i;
	return count;
}

static int check_finite(struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;
	const struct anim_type_info *info = &anim_types[t->type];
	size_t count = t->n * info->lanes;

	for (int c = 0; c < ANIMJ_COLUMNS && anim_type_is_real(t->type); c++) {
		const void *column = *animj_column(t, c);
		size_t bad = column == NULL ? count : first_bad(column, info->scalar, count);

		if (bad < count)
			return anim_fail(error, ANIM_UNSUPPORTED,
					 "track '%s': key %zu is not a finite number, and JSON has no other",
					 track->label, bad / info->lanes);
	}
	return 0;
}

static void narrow(void *to, const void *from, size_t n)
{
	const double *wide = from;
	float *narrowed = to;

	for (size_t k = 0; k < n; k++)
		narrowed[k] = (float)wide[k];
}

static void divide_by_100(void *to, const void *from, size_t n)
{
	const float *percent = from;
	float *fraction = to;

	for (size_t k = 0; k < n; k++)
		fraction[k] = (float)((double)percent[k] / 100);
}

/* Godot's scalars are doubles only because its text is: every field that they drive elsewhere is a float. */
static int narrow_doubles(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;

	if (t->type != ANIM_DOUBLE || !writer->clip.from_godot || writer->options.keep_double)
		return 0;
	if (animj_map_columns(writer, t, sizeof(float), narrow, error) != 0)
		return -1;
	t->type = ANIM_FLOAT;
	return check_finite(track, error);
}

/* Active is a bool that switches: no curve, but where Resonite had one. */
static void switch_visible(struct animj_writer *writer, struct anim_track *t)
{
	if (writer->options.source_names || t->rules == ANIM_RULES_RESONITE || t->kind != ANIM_CURVE ||
	    t->type != ANIM_BOOL || strcmp(t->property, "visible") != 0 || anim_track_has_interp(t, ANIM_LINEAR))
		return;
	t->kind = ANIM_DISCRETE;
	t->interp = ANIM_HOLD;
	t->interps = NULL;
}

static bool is_zero(const struct anim_track *t, size_t k)
{
	for (unsigned i = 0; i < 4; i++)
		if (anim_lane(t->type, t->value, k, i) != 0)
			return false;
	return true;
}

/* A zero quaternion is no rotation; what Resonite makes of it is not known. */
static int warn_of_zeros(struct animj_writer *writer, const struct animj_track *track, struct anim_error *error)
{
	const struct anim_track *t = &track->track;
	size_t k = 0;

	while (k < t->n && (anim_lane(t->type, t->value, k, 3) != 0 || !is_zero(t, k)))
		k++;
	if (k == t->n)
		return 0;
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
			       "tracks hold quaternions of zeros, which are no rotations", error,
			       "track '%s': key %zu is a quaternion of zeros, which is no rotation", track->label, k);
}

int animj_values(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;

	if (check_finite(track, error) != 0 || narrow_doubles(writer, track, error) != 0)
		return -1;
	if (t->type == ANIM_FLOAT && (t->flags & ANIM_PERCENT) != 0 && !writer->options.source_names &&
	    animj_map_columns(writer, t, sizeof(float), divide_by_100, error) != 0)
		return -1;
	switch_visible(writer, t);
	return anim_types[t->type].quaternion ? warn_of_zeros(writer, track, error) : 0;
}
