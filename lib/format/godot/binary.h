/* binary.h: a binary Godot file as a source of tags, properties and values, like text.h. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_BINARY_H
#define ANIM_FORMAT_GODOT_BINARY_H

#include "format/godot/text.h"

/*
 * A binary file that gives the same items as a text file of the same content, in the same order: [gd_scene] or
 * [gd_resource], [ext_resource]s, [sub_resource]s, then [resource], or the [node]s and [connection]s that a PackedScene
 * holds in one value. The functions work like the functions of text.h with the same names.
 */
struct godot_binary;
struct godot_lexer;

/*
 * Open a binary file. The input, the error and the lexer are borrowed. The lexer repairs texts and counts oddities.
 * Returns 0 or -1.
 */
int godot_binary_new(struct godot_binary **, struct anim_input *, struct godot_lexer *, struct anim_error *);
void godot_binary_free(struct godot_binary *);

int godot_binary_tag(struct godot_binary *, struct godot_tag *);
int godot_binary_property(struct godot_binary *, const char **name, struct anim_place *);
int godot_binary_value(struct godot_binary *, struct anim_arena *, struct godot_value *);
int godot_binary_skip(struct godot_binary *);
/*
 * Like godot_text_floats, but only for packed arrays. Returns 0 for a plain array, which the caller must read element
 * by element.
 */
int godot_binary_floats(struct godot_binary *, struct anim_buffer *floats, enum godot_spelling *);
/*
 * Enter the container at the cursor, to read its elements one by one. Returns 1, 0 if the value does not have that
 * type, or -1.
 */
int godot_binary_enter(struct godot_binary *, enum godot_type);
/*
 * Move to the next element, or in a dictionary to the value of the next key (`key` is NULL for an array). Returns 1, 0
 * after the last element, or -1.
 */
int godot_binary_next(struct godot_binary *, struct anim_arena *, struct godot_value *key);
void godot_binary_place(const struct godot_binary *, struct anim_place *);

/* Move to the next resource after an error. Returns 1, 0 if nothing is left, or -1 if reading cannot continue. */
int godot_binary_recover(struct godot_binary *);
/* Return whether the error concerns only one resource, so that the others can be read. */
bool godot_binary_can_continue(const struct godot_binary *);

#endif
