/* attribute.h: sets one attribute of every clip. */
#ifndef ANIM_FILTER_ATTRIBUTE_H
#define ANIM_FILTER_ATTRIBUTE_H

#include "clip/sink.h"

/*
 * A filter in front of `next` (owned, freed on failure too): all is passed on, clips with `key` set to `value` (both
 * borrowed). NULL on failure.
 */
struct anim_sink *anim_attribute_new(const char *key, const char *value, struct anim_sink *next, struct anim_error *);

#endif
