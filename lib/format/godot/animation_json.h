/* animation_json.h: Godot values as JSON text, for the keys of event tracks. */
#ifndef ANIM_FORMAT_GODOT_ANIMATION_JSON_H
#define ANIM_FORMAT_GODOT_ANIMATION_JSON_H

#include "base/buffer.h"
#include "base/error.h"
#include "format/godot/text.h"

/* Appends the NUL-terminated JSON source as it is. 0 or -1. */
int godot_json_raw(struct anim_buffer *, const char *source, struct anim_error *);
/* Appends a string in quotes. */
int godot_json_text(struct anim_buffer *, const char *bytes, size_t length, struct anim_error *);
/* Appends the shortest text of a float32, null where it is not finite. */
int godot_json_float(struct anim_buffer *, float, struct anim_error *);
/*
 * Appends a value so that a reader can tell it exactly: null, bool, int, float (always with '.' or 'e'), string, array,
 * dictionary with string keys; anything else is {"godot":"source text"}.
 */
int godot_json_value(struct anim_buffer *, const struct godot_value *, struct anim_error *);

#endif
