/* sort.c: keys out of order, brought into it. */
#include "filter/sort.h"

#include "clip/keys.h"

int anim_track_sort(const struct anim_track *track, struct anim_track *out, struct anim_arena *arena,
		    struct anim_losses *losses, struct anim_error *error)
{
	char label[256];

	(void)anim_track_label(track, label, sizeof label);
	if (anim_track_sorted(out, track, arena, error) != 0)
		return -1;
	return anim_losses_add(losses, ANIM_WARNING, NULL, "tracks had keys out of order and were sorted", error,
			       "track '%s' had keys out of order and was sorted", label);
}
