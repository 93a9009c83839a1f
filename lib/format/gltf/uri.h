/* uri.h: what a buffer's `uri` holds: bytes in base64, or the name of a file. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_URI_H
#define ANIM_FORMAT_GLTF_URI_H

#include "base/json.h"
#include "format/gltf/asset.h"

/*
 * Takes the string at the cursor: a data URI's bytes go to the spool (NULL: they are checked and passed over), another one
 * is percent-decoded into the arena. *head: the bytes of the text in front of the base64, with the quote. 0 or -1.
 */
int gltf_take_uri(struct anim_json *, struct gltf_buffer *, struct anim_spool *data, struct anim_arena *, size_t *head,
		  struct anim_error *);

#endif
