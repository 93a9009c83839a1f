/* godot_lines.h: what the Godot reader, or another, makes of a text, as short lines. */
#ifndef ANIM_TESTS_GODOT_LINES_H
#define ANIM_TESTS_GODOT_LINES_H

#include "format/godot/godot.h"

/* A sink that writes what it is given as lines, validated, and behind them what was complained of. */
struct lines {
	struct anim_sink sink;
	char text[1 << 16];
	size_t size;
	int result; /* of the reader */
	struct anim_error error;
};

/* Reads the text as walk.tscn. The options' diagnostics are set and cleared here. */
void lines_read_with(struct lines *, const char *text, struct anim_read_options *);
struct lines *lines_read(const char *text); /* the same lines each time */

/* The same with another reader, for a file of that name. */
typedef int lines_reader(struct anim_input *, const struct anim_read_options *, struct anim_sink *,
			 struct anim_error *);
void lines_read_by(struct lines *, lines_reader *, const char *name, const char *text, struct anim_read_options *);
void lines_expect(const struct lines *, const char *text);

#define SCENE "[gd_scene format=3]\n"
#define ANIMATION(id) "[sub_resource type=\"Animation\" id=\"" id "\"]\n"
#define ROOT "[node name=\"Root\" type=\"Node3D\"]\n"
#define PLAYER "[node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\n"
#define TREE "tree Root from walk.tscn\nnode . Node3D\n"
#define NOTHING "warning: no animation in this file\n"

#endif
