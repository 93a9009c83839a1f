/* merge.c: the tracks of several clips side by side. */
#include "filter/cat/join_internal.h"

static int tell_replaced(struct anim_join_work *work, const struct anim_join_part *part,
			 const struct anim_store_track *track, struct anim_error *error)
{
	return anim_losses_add(
	    work->losses, ANIM_WARNING, NULL, "tracks are in more than one input; those of the last are kept", error,
	    "track '%.100s %.100s' of clip '%.100s' in %.100s is in a later input, too; that one is kept", track->node,
	    track->property, anim_store_clip(work->store, part->clip)->name, part->file);
}

/* Writes the tracks of a part that no later one has. */
static int write_part(struct anim_join_work *work, const struct anim_join_part *part, const uint32_t *identity,
		      const size_t *last, size_t number, struct anim_error *error)
{
	struct anim_track track;

	for (size_t i = 0; i < anim_store_tracks(work->store, part->clip); i++) {
		if (last[identity[i]] != number) {
			if (tell_replaced(work, part, anim_store_track_at(work->store, part->clip, i), error) != 0)
				return -1;
			continue;
		}
		if (anim_store_read(work->store, part->clip, i, &track, error) != 0 ||
		    anim_sink_track(work->next, &track, error) != 0)
			return -1;
	}
	return 0;
}

int anim_join_merge(struct anim_join_work *work, const struct anim_join_group *group, struct anim_error *error)
{
	struct anim_join_identities identities;
	const struct anim_join_part *part;
	size_t *last = NULL, number; /* last[identity]: the last part that has it */
	int result = anim_join_identify(&identities, work->store, group, error);

	if (result == 0)
		last = anim_arena_zeroed(&identities.arena, identities.count + 1, sizeof *last, error);
	if (last == NULL)
		result = -1;
	for (part = group->first, number = 0; result == 0 && part != NULL; part = part->next, number++)
		for (size_t i = 0; i < anim_store_tracks(work->store, part->clip); i++)
			last[identities.of[number][i]] = number;
	for (part = group->first, number = 0; result == 0 && part != NULL; part = part->next, number++)
		result = write_part(work, part, identities.of[number], last, number, error);
	anim_join_identities_clear(&identities);
	return result;
}
