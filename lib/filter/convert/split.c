/* split.c: a track of several components as tracks of one component each. */
#include "filter/convert/internal.h"

int convert_split(struct convert *c, const struct anim_track *t, struct anim_error *error)
{
	bool wide = anim_types[t->type].scalar == ANIM_SCALAR_F64;
	struct anim_track one;

	for (unsigned component = 0; component < anim_types[t->type].components; component++)
		if (anim_track_pick_component(&one, t, component, wide ? ANIM_DOUBLE : ANIM_FLOAT, &c->scratch,
					      error) != 0 ||
		    convert_whole(c, &one, error) != 0)
			return -1;
	return 0;
}
