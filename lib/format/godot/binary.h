/* binary.h: a binary Godot file as a source of tags, properties and values, as text.h has them. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_BINARY_H
#define ANIM_FORMAT_GODOT_BINARY_H

#include "format/godot/text.h"

/*
 * What a text of the same content has, in its order: [gd_scene] or [gd_resource], [ext_resource]s, [sub_resource]s, and
 * [resource] or the [node]s and [connection]s that a PackedScene holds in one value. The functions are those of text.h.
 */
struct godot_binary;
struct godot_lexer;

/* Input, error and lexer, which repairs texts and counts oddities, are borrowed. 0 or -1. */
int godot_binary_new(struct godot_binary **, struct anim_input *, struct godot_lexer *, struct anim_error *);
void godot_binary_free(struct godot_binary *);

int godot_binary_tag(struct godot_binary *, struct godot_tag *);
int godot_binary_property(struct godot_binary *, const char **name, struct anim_place *);
int godot_binary_value(struct godot_binary *, struct anim_arena *, struct godot_value *);
int godot_binary_skip(struct godot_binary *);
/* As godot_text_floats, of packed arrays alone: a plain one is to be walked; 0. */
int godot_binary_floats(struct godot_binary *, struct anim_buffer *floats, enum godot_spelling *);
/* 1 the value at the cursor is a container of that type and walked from here on, 0 it is not, -1. */
int godot_binary_enter(struct godot_binary *, enum godot_type);
/* To the next element, or in a dictionary to the value of the next key (NULL: it is an array). 1, 0 behind the last, -1. */
int godot_binary_next(struct godot_binary *, struct anim_arena *, struct godot_value *key);
void godot_binary_place(const struct godot_binary *, struct anim_place *);

/* After an error: whether reading can go on, at the resource behind. 1, 0 nothing is left, -1 it cannot. */
int godot_binary_recover(struct godot_binary *);
/* Whether the error is of one resource, so that the others can be read. */
bool godot_binary_goes_on(const struct godot_binary *);

#endif
