/* resonite.h: the model's names of nodes and properties <-> Resonite's, and what the writers for Resonite share. */
#ifndef ANIM_CLIP_RESONITE_H
#define ANIM_CLIP_RESONITE_H

#include "base/map.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
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
 * Writing: Resonite's name of a property (inverse of the above; euler and angle are Rotation too), with the component's name
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

/*
 * The bare name of a node: the last of its path, a bone's own, the root's. told: it is a bone's (anim_bone_name). In the arena;
 * NULL out of memory.
 */
const char *anim_resonite_node(const struct anim_resonite_names *, const char *node, bool told, struct anim_arena *,
			       struct anim_error *);

/* ---- What every writer for Resonite does with a track beside its keys: its names, and what must be told ---- */

/* The first member of such a writer. The writer sets the members up to the clip, zero is right for the others. */
struct anim_resonite_target {
	struct anim_sink sink;
	const char *format; /* "animx" */
	struct anim_diagnostics *diagnostics;
	bool source_names; /* node and property stay as the stream has them */
	bool keep_double;  /* Godot's doubles stay doubles */

	/* The one clip. */
	bool in_clip, from_godot;
	float start_s, end_s;
	float last_s; /* the latest key of all tracks, from the clip's start */
	enum anim_loop loop;

	struct anim_resonite_names names;
	const char *root_name; /* of the last tree, in the arena; NULL: none came */
	struct anim_text_set seen;
	struct anim_arena arena;

	/* The track at hand. */
	char label[256]; /* "Box position", for messages */
	struct anim_arena scratch;
};

void anim_resonite_target_clear(struct anim_resonite_target *);

/*
 * To be told of each tree; then of the clip, whose loop and autoplay are noted: a second one is refused, and one that is
 * too long; then of the end, refused where no clip came or diagnostics forbid it. 0 or -1.
 */
int anim_resonite_target_tree(struct anim_sink *, const struct anim_tree *, struct anim_error *);
int anim_resonite_target_clip(struct anim_resonite_target *, const struct anim_clip *, struct anim_error *);
int anim_resonite_target_end(const struct anim_resonite_target *, struct anim_error *);

/* To be told of each track first. Where it has no keys or is disabled: warns, 1. Else 0, or -1. */
int anim_resonite_target_begin_track(struct anim_resonite_target *, const struct anim_track *, struct anim_error *);

/* What a track of this mode is, for _refuse; NULL where Resonite plays it. */
const char *anim_resonite_mode_phrase(enum anim_interp);
/* "track 'x' is <phrase>; animx cannot hold it". -1. */
int anim_resonite_target_refuse(const struct anim_resonite_target *, const char *phrase, struct anim_error *);
/* So for a mode that Resonite does not play. 0 or -1. */
int anim_resonite_target_check_mode(const struct anim_resonite_target *, enum anim_interp, struct anim_error *);

/* What follows changes a copy of the track at hand; new columns are in the scratch arena. */

/*
 * The times of keys from the clip's start; those before it, or that are no numbers, are refused, those behind its end are
 * warned of. 0 or -1.
 */
int anim_resonite_target_time_keys(struct anim_resonite_target *, struct anim_track *, struct anim_error *);
/* Samples become keys, Discrete or Curve, with such times, but no warning. 0 or -1. */
int anim_resonite_target_key_samples(struct anim_resonite_target *, struct anim_track *, enum anim_kind,
				     struct anim_error *);
/* Samples stay what they are; false where their interval is too large. */
bool anim_resonite_target_keeps_samples(struct anim_resonite_target *, const struct anim_track *);
/* Warn of keys behind the clip's end, and of samples whose interval is not known. 0 or -1. */
int anim_resonite_target_warn_of_end(struct anim_resonite_target *, const struct anim_track *, struct anim_error *);
int anim_resonite_target_warn_of_interval(struct anim_resonite_target *, struct anim_error *);

/*
 * Godot's scalars are doubles only because its text is: every field that they drive elsewhere is a float. One that is
 * beyond floats is refused: "track 'x': key 2 is <too_large>". 0 or -1.
 */
int anim_resonite_target_narrow(struct anim_resonite_target *, struct anim_track *, const char *too_large,
				struct anim_error *);
/* Active is a bool that switches: no curve where the track holds, but where Resonite had one. */
void anim_resonite_target_switch_visible(const struct anim_resonite_target *, struct anim_track *, bool holds);

/*
 * Gives `written`, as which the track is written, its names, and warns of names that meet, of fields that do not bind, of
 * axes and of rests. 0 or -1.
 */
int anim_resonite_target_track(struct anim_resonite_target *, const struct anim_track *source,
			       struct anim_track *written, struct anim_error *);

#endif
