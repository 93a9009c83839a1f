/* members.h: what JSON says of a track or its attributes, wherever it is printed. */
#ifndef ANIM_CLIP_MEMBERS_H
#define ANIM_CLIP_MEMBERS_H

#include "base/print.h"
#include "clip/track.h"

/* The object's further member "attributes": an object of texts. */
void anim_print_attrs_member(struct anim_print *, const struct anim_attrs *);

/* The object's first members: node, property, component (null: the whole value), kind, type. */
void anim_print_track_members(struct anim_print *, const struct anim_track *);

#endif
