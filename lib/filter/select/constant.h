/* constant.h: whether a track ever changes. */
#ifndef ANIM_FILTER_SELECT_CONSTANT_H
#define ANIM_FILTER_SELECT_CONSTANT_H

#include <stdbool.h>

#include "clip/track.h"

/*
 * True where the track shows one value for all time: its keys have equal values (-0 is 0; q and -q are not equal, NaN is
 * no value), and no slope or handle moves it between them. A track without keys shows nothing that could change; events
 * (properties that begin with '@') happen, so that one key is enough not to be constant.
 */
bool anim_track_is_constant(const struct anim_track *);

#endif
