/* rules_godot4.h: between the two files of Godot 4's rules. */
#ifndef ANIM_CLIP_RULES_GODOT4_H
#define ANIM_CLIP_RULES_GODOT4_H

#include "clip/rules.h"

int anim_godot4_blend(struct anim_sampler *, enum anim_interp, const struct anim_segment *, void *out,
		      struct anim_error *);

#endif
