/* resonite_names.h: the model's names of nodes and properties <-> Resonite's: slots by bare names, fields by theirs. */
#ifndef ANIM_CLIP_RESONITE_NAMES_H
#define ANIM_CLIP_RESONITE_NAMES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "clip/track.h"

/*
 * Reading. Position, Rotation, Scale, Active and BlendShape.NAME of the types of those fields become position, rotation,
 * scale, visible and blend_shape/NAME; a field that is called as the model calls one of these ("angle") becomes
 * "field:angle"; every other name, and those of other types, stays as it is (the name itself is returned, or a text in
 * the arena). NULL out of memory.
 */
const char *anim_resonite_property_read(const char *name, enum anim_type type, struct anim_arena *,
					struct anim_error *);

/* A slot's bare name as a node: "." for the empty one, which is the animation's root. Returns the name or a constant. */
const char *anim_resonite_node_read(const char *name);

/*
 * Writing: Resonite's name of a property (inverse of the above; euler and angle are Rotation too), with the lane's name
 * behind a dot for a component: "Position.x", "Euler.y". NULL out of memory.
 */
const char *anim_resonite_property(const char *property, uint8_t component, struct anim_arena *, struct anim_error *);

/* The type of the field that a property of the model is bound to in Resonite, or -1 where nothing is known. */
int anim_resonite_property_type(const char *property);

/*
 * The type of the slot's own field that Resonite finds by the property's name (Position, Rotation, Scale, Active), or -1:
 * blend shapes and whatever a component has are not found.
 */
int anim_resonite_field_type(const char *property);

/* What the name of a node depends on besides its path. Texts are borrowed. */
struct anim_resonite_names {
	bool from_godot;       /* "%Name" is the node Name */
	const char *source;    /* of the clip: where "A/Skeleton3D:Hips" is the bone Hips */
	bool bare_nodes;       /* nodes are slot names already, not paths */
	const char *root;      /* path of the animation's root in the tree */
	const char *root_name; /* of the tree; "" where there is none */
};

/* From the clip's head; root_name of the last tree (NULL: none came), used only where the clip belongs to it. */
void anim_resonite_names_init(struct anim_resonite_names *, const struct anim_clip *, const char *root_name);

/* The bare name of a node: the last of its path, a bone's own, the root's. In the arena; NULL out of memory. */
const char *anim_resonite_node(const struct anim_resonite_names *, const char *node, struct anim_arena *,
			       struct anim_error *);

#endif
