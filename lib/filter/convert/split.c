/* split.c: a track of several lanes as tracks of one lane each. */
#include <string.h>

#include "clip/lane.h"
#include "filter/convert/internal.h"

/* One lane of a column of `size` bytes a lane; NULL stays NULL. 0 or -1. */
static int pick_lane(struct convert *c, const void *column, const struct anim_track *t, unsigned lane, size_t size,
		     const void **out, struct anim_error *error)
{
	const unsigned char *from = column;
	size_t stride = anim_types[t->type].lanes * size;
	unsigned char *picked;

	*out = NULL;
	if (column == NULL)
		return 0;
	picked = anim_arena_zeroed(&c->scratch, t->n, size, error);
	for (size_t k = 0; picked != NULL && k < t->n; k++)
		memcpy(picked + k * size, from + k * stride + lane * size, size);
	*out = picked;
	return picked != NULL ? 0 : -1;
}

int convert_split(struct convert *c, const struct anim_track *t, struct anim_error *error)
{
	bool wide = anim_types[t->type].scalar == ANIM_SCALAR_F64;
	size_t size = wide ? sizeof(double) : sizeof(float);

	for (unsigned lane = 0; lane < anim_types[t->type].lanes; lane++) {
		struct anim_track one = *t;
		const void *left_x, *right_x;

		one.record = NULL;
		one.component = (uint8_t)lane;
		one.type = wide ? ANIM_DOUBLE : ANIM_FLOAT;
		if (pick_lane(c, t->value, t, lane, size, &one.value, error) != 0 ||
		    pick_lane(c, t->left, t, lane, size, &one.left, error) != 0 ||
		    pick_lane(c, t->right, t, lane, size, &one.right, error) != 0 ||
		    pick_lane(c, t->left_x, t, lane, sizeof(float), &left_x, error) != 0 ||
		    pick_lane(c, t->right_x, t, lane, sizeof(float), &right_x, error) != 0)
			return -1;
		one.left_x = left_x;
		one.right_x = right_x;
		if (convert_whole(c, &one, error) != 0)
			return -1;
	}
	return 0;
}
