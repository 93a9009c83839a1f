/* motion_scale.c: applies Skeleton3D.motion_scale, by which the engine multiplies keys of bone positions. */
#include <stdint.h>
#include <string.h>

#include "format/godot/animation.h"

#define COMPONENTS 3

/*
 * For each component, two bits of the hint of a key: the number in the file is the rounded quotient or a neighbouring
 * float.
 */
enum neighbour { SAME, ABOVE, BELOW, NEIGHBOURS };
#define NEIGHBOUR_BITS 2

bool godot_is_scaled(const struct anim_track *t)
{
	return t->type == ANIM_FLOAT3 && t->component == ANIM_WHOLE && t->rules != ANIM_RULES_GODOT3 &&
	       !(t->flags & ANIM_REST_RELATIVE) && strcmp(t->property, "position") == 0 && strchr(t->node, ':') != NULL;
}

/* Return the next float away from zero (ABOVE) or towards zero (BELOW). */
static float moved(float number, enum neighbour where)
{
	uint32_t bits;

	memcpy(&bits, &number, sizeof bits);
	bits += where == ABOVE ? 1u : where == BELOW ? UINT32_MAX : 0u;
	memcpy(&number, &bits, sizeof number);
	return number;
}

/*
 * Return which neighbour of the quotient the number is. If the product is too small to preserve the number, this is
 * SAME.
 */
static enum neighbour find_neighbour(float number, float product, float scale)
{
	float quotient = product / scale;

	for (enum neighbour where = SAME; where < NEIGHBOURS; where++) {
		float tried = moved(quotient, where);

		if (memcmp(&tried, &number, sizeof tried) == 0)
			return where;
	}
	return SAME;
}

/*
 * Return a number whose product with the scale is `product`: the recorded neighbour if possible, otherwise the nearest.
 */
static float divide(float product, float scale, enum neighbour noted)
{
	const enum neighbour order[] = {noted, SAME, ABOVE, BELOW};
	float quotient = product / scale;

	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		float tried = moved(quotient, order[i]);

		if (tried * scale == product)
			return tried;
	}
	return quotient;
}

static int copy_head(struct anim_track *out, const struct anim_track *t, float **values, struct anim_arena *arena,
		     struct anim_error *error)
{
	*out = *t;
	out->record = NULL;
	out->hint = NULL;
	*values = anim_arena_zeroed(arena, t->n * COMPONENTS + 1, sizeof **values, error);
	out->value = *values;
	return *values == NULL ? -1 : 0;
}

int godot_positions_multiply(struct anim_track *out, const struct anim_track *t, float scale, struct anim_arena *arena,
			     struct anim_error *error)
{
	const float *from = t->value;
	uint32_t *hints = anim_arena_zeroed(arena, t->n + 1, sizeof *hints, error), any = 0;
	float *to;

	if (hints == NULL || copy_head(out, t, &to, arena, error) != 0)
		return -1;
	for (size_t i = 0; i < t->n * COMPONENTS; i++) {
		to[i] = from[i] * scale;
		hints[i / COMPONENTS] |= (uint32_t)find_neighbour(from[i], to[i], scale)
					 << NEIGHBOUR_BITS * (i % COMPONENTS);
		any |= hints[i / COMPONENTS];
	}
	out->hint = any != 0 ? hints : NULL;
	return 0;
}

int godot_positions_divide(struct anim_track *out, const struct anim_track *t, float scale, struct anim_arena *arena,
			   struct anim_error *error)
{
	const float *from = t->value;
	float *to;

	if (copy_head(out, t, &to, arena, error) != 0)
		return -1;
	for (size_t i = 0; i < t->n * COMPONENTS; i++) {
		uint32_t noted = t->hint == NULL ? SAME : t->hint[i / COMPONENTS] >> NEIGHBOUR_BITS * (i % COMPONENTS);

		to[i] = divide(from[i], scale, (enum neighbour)(noted & (NEIGHBOURS)));
	}
	return 0;
}
