/* split.c: a track of several lanes as tracks of one lane each. */
#include "filter/convert/internal.h"

int convert_split(struct convert *c, const struct anim_track *t, struct anim_error *error)
{
	bool wide = anim_types[t->type].scalar == ANIM_SCALAR_F64;
	struct anim_track one;

	for (unsigned lane = 0; lane < anim_types[t->type].lanes; lane++)
		if (anim_track_pick_lane(&one, t, lane, wide ? ANIM_DOUBLE : ANIM_FLOAT, &c->scratch, error) != 0 ||
		    convert_whole(c, &one, error) != 0)
			return -1;
	return 0;
}
