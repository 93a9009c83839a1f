/* resonite.h: names of nodes and properties in the model and in Resonite, and parts of the writers for it. */
#ifndef ANIM_CLIP_RESONITE_H
#define ANIM_CLIP_RESONITE_H

#include "base/map.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/track.h"

/*
 * Convert the name of a property that was read. Position, Rotation, Scale, Active and BlendShape.NAME, with the types
 * of those fields, become position, rotation, scale, visible and blend_shape/NAME. A field with the model's name of
 * one of them ("angle") becomes "field:angle". All other names, and names with other types, are unchanged. Returns
 * the name itself or a text in the arena, NULL if out of memory.
 */
const char *anim_resonite_property_read(const char *name, enum anim_type type, struct anim_arena *,
					struct anim_error *);

/* Return the name of a slot's field from which this name differs only in upper and lower case, or NULL. */
const char *anim_resonite_field_meant(const char *name);

/*
 * Convert the bare name of a slot to a node: "." for the empty name, which is the root of the animation. Returns the
 * name or a constant.
 */
const char *anim_resonite_node_read(const char *name);

/*
 * Return Resonite's name of a property (inverse of the above; euler and angle are also Rotation). A component has its
 * name after a dot: "Position.x", "Euler.y". NULL if out of memory.
 */
const char *anim_resonite_property(const char *property, uint8_t component, struct anim_arena *, struct anim_error *);

/*
 * Return the type of the slot's own field that Resonite finds by the name of the property (Position, Rotation, Scale,
 * Active), or -1. The name can also be Resonite's, which readers keep if the type is not the field's type. Resonite does
 * not find blend shapes and fields of components.
 */
int anim_resonite_field_type(const char *property);

/*
 * Return why an Animator of Resonite cannot bind a track to a field of a slot, as a phrase, or NULL if it can. Property and
 * type belong to the track that is written.
 */
const char *anim_resonite_unbound(const char *property, enum anim_type, uint8_t component);

/* The data, besides its path, on which the name of a node depends. Texts are borrowed. */
struct anim_resonite_names {
	bool from_godot;       /* "%Name" is the node Name */
	const char *source;    /* of the clip; decides whether "A/Skeleton3D:Hips" is the bone Hips */
	bool bare_nodes;       /* nodes are already slot names instead of paths */
	const char *root;      /* path in the tree of the root of the animation */
	const char *root_name; /* of the tree; "" without a tree */
};

/*
 * Initialise the names from the head of a clip. root_name is that of the last tree (NULL: none yet). It is used only
 * if the clip belongs to that tree.
 */
void anim_resonite_names_init(struct anim_resonite_names *, const struct anim_clip *, const char *root_name);

/*
 * Return the bare name of a node: the last name of its path, the name of a bone, or of the root. `is_bone`: the track
 * says that it is a bone (anim_bone_name). In the arena; NULL if out of memory.
 */
const char *anim_resonite_node(const struct anim_resonite_names *, const char *node, bool is_bone, struct anim_arena *,
			       struct anim_error *);

/* ---- Parts of every writer for Resonite besides the keys: the names of a track and the warnings ---- */

/* The first member of such a writer. The writer sets the members up to the clip; the others begin as zero. */
struct anim_resonite_target {
	struct anim_sink sink;
	const char *format; /* for example "animx" */
	struct anim_diagnostics *diagnostics;
	bool source_names; /* node and property stay unchanged */
	bool keep_double;  /* doubles of Godot stay doubles */

	/* The only clip. */
	bool in_clip, from_godot;
	float start_s, end_s;
	float last_s; /* time of the latest key of all tracks, from the start of the clip */
	enum anim_loop loop;

	struct anim_resonite_names names;
	const char *root_name; /* of the last tree, in the arena; NULL: none yet */
	struct anim_text_set seen;
	struct anim_arena arena;

	/* The current track. */
	char label[256]; /* for messages, for example "Box position" */
	struct anim_arena scratch;
};

void anim_resonite_target_clear(struct anim_resonite_target *);

/*
 * Called for each tree, for the clip, and for the end. The loop mode and autoplay of the clip are noted. A second
 * clip, or a clip that is too long, is refused. The end is refused if there was no clip or diagnostics forbid it.
 * Return 0 or -1.
 */
int anim_resonite_target_tree(struct anim_sink *, const struct anim_tree *, struct anim_error *);
int anim_resonite_target_clip(struct anim_resonite_target *, const struct anim_clip *, struct anim_error *);
int anim_resonite_target_end(const struct anim_resonite_target *, struct anim_error *);

/*
 * Begin a track; called first for each track. Returns 1 with a warning if it has no keys or is disabled, otherwise 0,
 * or -1.
 */
int anim_resonite_target_begin_track(struct anim_resonite_target *, const struct anim_track *, struct anim_error *);

/* Return the phrase for a track of this mode, for _refuse, or NULL if Resonite plays the mode. */
const char *anim_resonite_mode_phrase(enum anim_interp);
/* Fail with "track 'x' is <phrase>; animx cannot hold it". Returns -1. */
int anim_resonite_target_refuse(const struct anim_resonite_target *, const char *phrase, struct anim_error *);
/* Fail in this way if Resonite does not play the mode. Returns 0 or -1. */
int anim_resonite_target_check_mode(const struct anim_resonite_target *, enum anim_interp, struct anim_error *);

/* The following functions change a copy of the current track. New columns are in the scratch arena. */

/*
 * Make the times of keys relative to the start of the clip. Times before it, and times that are not numbers, are
 * refused. Times after its end give a warning. Returns 0 or -1.
 */
int anim_resonite_target_time_keys(struct anim_resonite_target *, struct anim_track *, struct anim_error *);
/* Convert samples to keys, Discrete or Curve, with such times, but without the warning. Returns 0 or -1. */
int anim_resonite_target_key_samples(struct anim_resonite_target *, struct anim_track *, enum anim_kind,
				     struct anim_error *);
/* Keep samples as samples. Returns false if their interval is too large. */
bool anim_resonite_target_keeps_samples(struct anim_resonite_target *, const struct anim_track *);
/* Warn about keys after the end of the clip, or about samples of unknown interval. Return 0 or -1. */
int anim_resonite_target_warn_of_end(struct anim_resonite_target *, const struct anim_track *, struct anim_error *);
int anim_resonite_target_warn_of_interval(struct anim_resonite_target *, struct anim_error *);

/*
 * Convert doubles to floats. Scalars of Godot are doubles only because its text has no floats, and every field that
 * they animate elsewhere is a float. A number too large for a float is refused: "track 'x': key 2 is <too_large>".
 * Returns 0 or -1.
 */
int anim_resonite_target_narrow(struct anim_resonite_target *, struct anim_track *, const char *too_large,
				struct anim_error *);
/*
 * Make the track of Active, which is a bool, Discrete if the track holds, unless the track came from Resonite as a
 * curve.
 */
void anim_resonite_target_switch_visible(const struct anim_resonite_target *, struct anim_track *, bool holds);

/*
 * Set the names of `written`, the form in which the track is written. Warn about names that collide, fields that do
 * not bind, axes and rest poses. Returns 0 or -1.
 */
int anim_resonite_target_track(struct anim_resonite_target *, const struct anim_track *source,
			       struct anim_track *written, struct anim_error *);

#endif
