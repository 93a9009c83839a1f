/* emit_names.h: node, property and component of a track as a NodePath. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_EMIT_NAMES_H
#define ANIM_FORMAT_GODOT_EMIT_NAMES_H

#include "clip/track.h"
#include "format/godot/emit.h"
#include "format/godot/track_type.h"

/* How a clip's names are to be read. */
struct godot_emit_names {
	bool godot3;     /* the target is Godot 3 */
	bool from3;      /* the clip is Godot 2's or 3's */
	bool from_godot; /* any Godot's: nodes are spelled as they are to be */
	bool own_bones;  /* a ':' in a node parts its bone, whatever stands before it */
	bool from_unity;
	bool keep;    /* no renames */
	bool spatial; /* the node of the track at hand is known to be of three dimensions */
};

/*
 * The path of a track that is written as that type, in the arena: "A/B:position:x", "A/Skeleton3D:Hips", "Mesh:smile".
 * NULL out of memory.
 */
const char *godot_emit_track_path(const struct godot_emit_names *, const struct anim_track *, enum godot_track_type,
				  struct anim_arena *, struct anim_error *);

/*
 * A node's path with what Godot does not allow in names made '_', byte for byte, where the clip is of another engine;
 * bone: where in it that of a bone begins, NULL: nowhere. NULL out of memory.
 */
const char *godot_emit_node(const struct godot_emit_names *, const char *node, const char *bone, struct anim_arena *,
			    struct anim_error *);

/* The name of the bone in the track's node, NULL: it is none; and the node as it is written. */
const char *godot_emit_bone(const struct godot_emit_names *, const struct anim_track *);
const char *godot_emit_track_node(const struct godot_emit_names *, const struct anim_track *, struct anim_arena *,
				  struct anim_error *);

/*
 * The name of the blend shape that the track drives; where the clip is of another engine ':' is '_' in it, as Godot's
 * importer has it. NULL out of memory.
 */
const char *godot_emit_shape(const struct godot_emit_names *, const struct anim_track *, struct anim_arena *,
			     struct anim_error *);

/*
 * What the property (its whole text, without a component) is called in the target, where the clip is of the other Godot
 * or of Unity; else the text itself. NULL out of memory.
 */
const char *godot_emit_rename(const struct godot_emit_names *, const struct anim_track *, struct anim_arena *,
			      struct anim_error *);

/* True where Godot has no property for the Unity component's that the track drives. */
bool godot_emit_is_foreign(const struct godot_emit_names *, const struct anim_track *);

#endif
