/* lost.h: counts what a file holds beside nodes and animation, which no stream holds. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_LOST_H
#define ANIM_FORMAT_GODOT_LOST_H

#include <stdbool.h>
#include <stddef.h>

enum godot_lost_kind {
	GODOT_LOST_SCRIPT,
	GODOT_LOST_MESH,
	GODOT_LOST_SHAPE,
	GODOT_LOST_MATERIAL,
	GODOT_LOST_TEXTURE,
	GODOT_LOST_SCENE, /* that nodes are instances of */
	GODOT_LOST_EXTERNAL,
	GODOT_LOST_SUB,
	GODOT_LOST_SETTING, /* of a node */
	GODOT_LOST_GROUP,
	GODOT_LOST_CONNECTION,
	GODOT_LOST_KINDS
};

/* All-zero is nothing. */
struct godot_lost {
	size_t count[GODOT_LOST_KINDS];
};

/* What a resource of that type counts as: "BoxShape3D" as a shape, any other as an ext_resource or a sub_resource. */
enum godot_lost_kind godot_lost_resource(const char *type, bool external);

/* True where a node's property of that name comes back out of a stream, or is counted as the resource that it names. */
bool godot_lost_is_kept(const char *property);

#define GODOT_LOST_TEXT 320 /* bytes that any text of it fits in */

/* "2 scripts, a mesh and 3 ext_resources"; empty where nothing is. */
void godot_lost_print(const struct godot_lost *, char text[GODOT_LOST_TEXT]);

#endif
