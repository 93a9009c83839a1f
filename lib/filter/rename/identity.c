/* identity.c: tracks of a clip that were two things and are one under their new names. */
#include "filter/rename/identity.h"

#include <string.h>

/* 1: new in the set; 0 or -1. */
static int add(struct anim_buffer *text, struct anim_text_set *set, const struct anim_track *track,
	       struct anim_error *error)
{
	text->size = 0;
	if (anim_buffer_append(text, track->node, strlen(track->node) + 1, error) != 0 ||
	    anim_buffer_append(text, track->property, strlen(track->property) + 1, error) != 0 ||
	    anim_buffer_append(text, &track->component, 1, error) != 0)
		return -1;
	return anim_text_set_add(set, text->data, text->size, error);
}

int anim_identities_add(struct anim_identities *identities, const struct anim_track *track,
			const struct anim_track *renamed, struct anim_losses *losses, struct anim_error *error)
{
	struct anim_place nowhere = {.file = "", .at = ANIM_AT_FILE};
	int was_new = add(&identities->text, &identities->before, track, error), is_new;
	char label[200];

	is_new = was_new < 0 ? -1 : add(&identities->text, &identities->after, renamed, error);
	if (is_new < 0)
		return -1;
	if (is_new || !was_new)
		return 0;
	(void)anim_track_label(renamed, label, sizeof label);
	return anim_losses_add(losses, ANIM_WARNING, &nowhere,
			       "tracks drive what another track of their clip drives already, under their new names",
			       error, "two tracks of a clip drive '%s' under their new names", label);
}

void anim_identities_clear(struct anim_identities *identities)
{
	anim_text_set_clear(&identities->before);
	anim_text_set_clear(&identities->after);
	anim_buffer_clear(&identities->text);
}
