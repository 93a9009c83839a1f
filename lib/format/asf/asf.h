/* asf.h: reads the two files of Acclaim motion capture: the skeleton (.asf), and the motion for it (.amc). */
#ifndef ANIM_FORMAT_ASF_ASF_H
#define ANIM_FORMAT_ASF_ASF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/sink.h"
#include "format/read.h"

/* Return whether the bytes begin like a skeleton or like a motion. */
bool anim_asf_is(const uint8_t *bytes, size_t size);
bool anim_amc_is(const uint8_t *bytes, size_t size);

/*
 * Read a skeleton into the sink, but do not end the sink. Its bones become a tree of bones in their rest pose, without
 * a clip (warning). Return 0, or -1 with the line.
 */
int anim_asf_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/*
 * Read a motion into the sink, but do not end the sink. Its skeleton is options->asf, or the .asf beside it with the
 * same name, or with its beginning up to a '_'. There is one clip of source "asf": a Raw track `rotation` for each bone
 * that rotates, and `position` for the root and for each bone that moves. The sink receives nothing before the last line
 * has been read. Memory use depends on the bones and on one track. Return 0, or -1 with the line.
 */
int anim_amc_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

#endif
