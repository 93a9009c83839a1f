/* lost.c: counts what a file holds beside nodes and animation. */
#include "format/godot/lost.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* True where the class is of that kind, which "2D" or "3D" may follow. */
static bool ends(const char *type, const char *with)
{
	size_t length = strlen(type), size = strlen(with);

	if (length > 2 && (strcmp(type + length - 2, "2D") == 0 || strcmp(type + length - 2, "3D") == 0))
		length -= 2;
	return length >= size && memcmp(type + length - size, with, size) == 0;
}

/* By the names of Godot's classes: BoxMesh, ConvexPolygonShape3D, ShaderMaterial, CompressedTexture2D. */
enum godot_lost_kind godot_lost_resource(const char *type, bool external)
{
	if (ends(type, "Script"))
		return GODOT_LOST_SCRIPT;
	if (ends(type, "Mesh"))
		return GODOT_LOST_MESH;
	if (ends(type, "Shape"))
		return GODOT_LOST_SHAPE;
	if (ends(type, "Material"))
		return GODOT_LOST_MATERIAL;
	if (ends(type, "Texture"))
		return GODOT_LOST_TEXTURE;
	if (strcmp(type, "PackedScene") == 0)
		return GODOT_LOST_SCENE;
	return external ? GODOT_LOST_EXTERNAL : GODOT_LOST_SUB;
}

bool godot_lost_is_kept(const char *property)
{
	static const char *const kept[] = {"unique_name_in_owner", "hframes", "mesh", "script", NULL};
	size_t i = 0;

	while (kept[i] != NULL && strcmp(kept[i], property) != 0)
		i++;
	return kept[i] != NULL;
}

void godot_lost_print(const struct godot_lost *lost, char text[GODOT_LOST_TEXT])
{
	static const struct {
		const char *one, *many;
	} words[GODOT_LOST_KINDS] = {
	    [GODOT_LOST_SCRIPT] = {"a script", "scripts"},
	    [GODOT_LOST_MESH] = {"a mesh", "meshes"},
	    [GODOT_LOST_SHAPE] = {"a shape", "shapes"},
	    [GODOT_LOST_MATERIAL] = {"a material", "materials"},
	    [GODOT_LOST_TEXTURE] = {"a texture", "textures"},
	    [GODOT_LOST_SCENE] = {"an instanced scene", "instanced scenes"},
	    [GODOT_LOST_EXTERNAL] = {"an ext_resource", "ext_resources"},
	    [GODOT_LOST_SUB] = {"a sub_resource", "sub_resources"},
	    [GODOT_LOST_SETTING] = {"a setting of a node", "settings of nodes"},
	    [GODOT_LOST_GROUP] = {"a node's groups", "nodes' groups"},
	    [GODOT_LOST_CONNECTION] = {"a connection", "connections"},
	};
	size_t used = 0, kinds = 0, shown = 0;

	text[0] = '\0';
	for (size_t i = 0; i < GODOT_LOST_KINDS; i++)
		kinds += lost->count[i] > 0;
	for (size_t i = 0; i < GODOT_LOST_KINDS; i++) {
		const char *between = shown == 0 ? "" : shown + 1 == kinds ? " and " : ", ";

		if (lost->count[i] == 0)
			continue;
		if (lost->count[i] == 1)
			used += (size_t)snprintf(text + used, GODOT_LOST_TEXT - used, "%s%s", between, words[i].one);
		else
			used += (size_t)snprintf(text + used, GODOT_LOST_TEXT - used, "%s%zu %s", between,
						 lost->count[i], words[i].many);
		assert(used < GODOT_LOST_TEXT); /* eleven kinds of at most 20 digits and 17 letters */
		shown++;
	}
}
