/* godot.h: reads Godot's text scenes and resources (.tscn .escn .tres; Godot 2, 3 and 4). */
#ifndef ANIM_FORMAT_GODOT_H
#define ANIM_FORMAT_GODOT_H

#include <stdbool.h>

#include "base/input.h"
#include "clip/sink.h"
#include "format/read.h"

/*
 * Reads one file into the sink: TREE and NODEs where it is a scene, then its clips; no end. 0, or -1: the error, or
 * faults in losses (then the error says how many). Nothing but whole clips reaches the sink.
 */
int anim_godot_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/*
 * What a file holds that no stream does, in words: "2 scripts, a mesh and 3 ext_resources", "a resource of type Theme";
 * empty where that is nothing but nodes and animation. 0; -1 also where the file has faults.
 */
int anim_godot_describe(struct anim_input *, size_t store_memory, char *text, size_t capacity, struct anim_error *);

/* True where the window begins such a file (blanks and comments, then [gd_scene or [gd_resource, or a fragment's [sub_resource ...). */
bool anim_godot_is(const uint8_t *bytes, size_t size);

#endif
