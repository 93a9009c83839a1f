/* direct.h: tracks that are curves of the target as they stand, key for key. Internal to convert. */
#ifndef ANIM_FILTER_CONVERT_DIRECT_H
#define ANIM_FILTER_CONVERT_DIRECT_H

#include "filter/convert/fit.h"

/*
 * Fills the keys without playing anything, where a fit would find the same: every segment is a cubic that is even in
 * time, or is held in all components, both players play such curves by the same formula, and all keys lie inside the clip.
 * `cubic` is how the target writes cubics that are even in time. 1, 0 where the track is not so (the keys are not
 * usable then), -1.
 */
int convert_direct(struct convert_fit *, enum anim_interp cubic, struct anim_error *);

#endif
