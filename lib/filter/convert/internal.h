/* internal.h: the filter's state and its parts. Internal to convert. */
#ifndef ANIM_FILTER_CONVERT_INTERNAL_H
#define ANIM_FILTER_CONVERT_INTERNAL_H

#include "clip/keys.h"
#include "filter/components.h"
#include "filter/convert/convert.h"
#include "filter/convert/fit.h"
#include "stream/store.h"

struct convert {
	struct anim_sink sink;
	struct anim_caps caps;
	double tol;
	bool strict;
	struct anim_diagnostics *diagnostics;
	struct anim_sink *next;
	struct anim_rests rests;
	struct anim_rests *other_rests;        /* for nodes that those do not have; NULL: none; borrowed */
	struct anim_arena clip_arena, scratch; /* scratch: of the track at hand */
	struct anim_clip clip;                 /* the head as it came */
	const struct anim_scope *scope;        /* of the clip, for what is said when its components are joined */
	bool in_clip;
	struct anim_store *components; /* component tracks of the clip, to be joined at its end; NULL: none */
	struct convert_keys keys;
	struct anim_keys steps;
	struct anim_buffer breaks, samples;
	struct anim_texts texts; /* of the track that goes on */
};

/* What a track becomes. */
struct convert_target {
	const char *property;
	enum anim_type type;
	enum convert_step step;
	bool became_rotation; /* Euler or 2-D angles are quaternions now: warned of */
	bool rigid;           /* only if no keys are added */
};

/* choose.c: whether and how a whole track is to change. */
bool convert_fits(struct convert *, const struct anim_track *);
bool convert_is_godot(enum anim_rules);
bool convert_is_angle(
    const struct anim_track *); /* of Euler or 2-D angles, whole or a component, of floats or doubles */
bool convert_is_component(const struct convert *, const struct anim_track *); /* a component that is to be joined */
/* A component, to be joined or not, that moves whatever the others do: the target's curve of it alone is part of the whole. */
bool convert_stands_alone(const struct convert *, const struct anim_track *);
/* Of a target of whole transforms: a part of a transform, but for the fields that Unity gives RectTransforms alone. */
bool convert_is_whole_part(const struct convert *, const struct anim_track *);
unsigned convert_flags(const struct anim_caps *, const struct anim_track *); /* those that may stay on it */
bool convert_needs_rest(enum convert_step);
/* How curves of this track become Bezier2D tracks of its components: NEVER, ALWAYS, or AUTO: where the whole needs more keys. */
enum anim_bezier convert_split_mode(const struct convert *, const struct anim_track *, const struct convert_target *);
/* The steps for one track of this node, property, type and flags: how many targets (0: it cannot be held), at most 3. */
unsigned convert_targets(struct convert *, const struct anim_track *, struct convert_target targets[3]);
/* The type itself, or the one of floats with as many components (color32: color); -1 where the target has neither. */
int convert_type(const struct anim_caps *, enum anim_type);

/*
 * track.c: a source through one step, out to the next sink. `like` has node and attributes. 0, -1, or 1 where the
 * target is rigid and more keys are needed: nothing was sent then.
 */
int convert_track(struct convert *, struct convert_source *, const struct anim_track *like,
		  const struct convert_target *, struct anim_error *);

/* join.c: keeps a component track until the clip's end; joins all that were kept. 0 or -1. */
int convert_keep_component(struct convert *, const struct anim_track *, struct anim_error *);
int convert_join(struct convert *, struct anim_error *);
/*
 * A whole of two components for a target of three: the third is the rest's, else 0 (scale 1); else the track as it is. 0 or -1.
 */
int convert_widen(struct convert *, const struct anim_track *, struct anim_track *out, struct anim_error *);

/*
 * merge.c: joins components that are curves of the target already, without loss: a key of any component cuts the others. `fixed`:
 * what components without track show, in the unit of the others; `like` has node, property and attributes. 0 or -1.
 */
bool convert_may_merge(const struct convert *, const struct anim_component_group *);
int convert_merge(struct convert *, const struct anim_component_group *, const double fixed[ANIM_COMPONENTS_JOINED],
		  const struct anim_track *like, struct anim_error *);

/* split.c: the components of a track of 2 to 4 components, each through convert_whole. 0 or -1. */
int convert_split(struct convert *, const struct anim_track *, struct anim_error *);

/* convert.c: passes on a track that is ready; source text that its target does not read becomes what it means. 0 or -1. */
int convert_put(struct convert *, const struct anim_track *, struct anim_error *);

/* convert.c: a whole track, sorted, that is neither disabled nor empty. 0 or -1. */
int convert_whole(struct convert *, const struct anim_track *, struct anim_error *);
/* Sets what the step needs of the tree; without it the values stay as they are, warned of. 0 or -1. */
int convert_prepare_rest(struct convert *, struct convert_source *, const struct anim_track *, struct convert_target *,
			 struct anim_error *);
/* The rest of a track's node, in the stream or elsewhere; NULL where nothing tells. */
const struct anim_rest *convert_rest(struct convert *, const char *node);

#endif
