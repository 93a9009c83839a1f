/* track.h: the state of the convert filter, and the conversion of one track. */
#ifndef ANIM_FILTER_CONVERT_TRACK_H
#define ANIM_FILTER_CONVERT_TRACK_H

#include "base/map.h"
#include "clip/engine_names.h"
#include "filter/common/components.h"
#include "filter/convert/convert.h"
#include "filter/convert/fit.h"
#include "filter/filter.h"
#include "stream/store.h"

struct convert {
	struct anim_filter filter;
	struct anim_caps caps;
	double tol, tol_deg; /* tol_deg: of rotations */
	bool asked;          /* the user asked for these tolerances */
	bool strict;
	struct anim_diagnostics *diagnostics;
	struct anim_rests rests;
	struct anim_rests *other_rests;      /* used for nodes that `rests` does not have; NULL: none; borrowed */
	struct anim_arena scratch;           /* memory for the current track */
	bool foreign;                        /* the current track is not from Godot */
	struct anim_engine_property meaning; /* of the current track's numbers in the target */
	const struct anim_scope *scope;      /* of the clip, for messages when its components are joined */
	size_t spare;                        /* see CONVERT_SPARE */
	bool in_clip;
	bool reported_muscles;         /* in this clip */
	size_t roots;                  /* humanoid curves of this clip that are not muscles, such as root motion */
	bool is_gone;                  /* the target's engine lacks the property of the current track */
	struct anim_store *components; /* component tracks of the clip, joined at its end; NULL: none */
	struct convert_keys keys;
	struct anim_keys steps;
	struct anim_buffer breaks, known, samples;
	struct anim_texts texts; /* of the current output track */
	/* For targets of Euler angles: the order of each node, and of the current track. */
	struct anim_map orders;
	struct anim_arena order_names;
	enum anim_euler_order order;
};

/* The form that a track is converted to. */
struct convert_target {
	const char *property;
	enum anim_type type;
	enum anim_step step;
	bool became_rotation; /* Euler or 2-D angles become quaternions, which a warning reports */
	bool rigid;           /* convert only if no keys are added */
};

/* Convert a track that is sorted, complete, not disabled and not empty. Returns 0 or -1. */
int convert_whole(struct convert *, const struct anim_track *, struct anim_error *);

/*
 * Convert a source with one step and send it to the next sink. `like` has the node and the attributes. Returns 0, -1,
 * or 1 if the target is rigid and more keys are needed. In that case nothing was sent.
 */
int convert_track(struct convert *, struct anim_source *, const struct anim_track *like, const struct convert_target *,
		  struct anim_error *);

/*
 * Set c->order for a track of a rotation or of Euler angles: the order of the first track that animated its node. A target
 * that has only Euler angles has one order per node. Returns 0 or -1.
 */
int convert_choose_order(struct convert *, const struct anim_track *, struct anim_error *);

/*
 * Pass on a finished track. Source text that the target does not read is replaced by its value.
 * Returns 0 or -1.
 */
int convert_put(struct convert *, const struct anim_track *, struct anim_error *);

/*
 * Return whether the last sample has the value at the end of the clip, and the target's player would show it only after
 * the end. Then samples become keys, with the last one at the end.
 */
bool convert_ends_early(const struct convert *, const struct anim_track *);

/*
 * Return whether the track is a part of a transform in space, which has one form in all clips that the target plays.
 * Clips from Godot keep the forms that their author chose.
 */
bool convert_has_one_form(struct convert *, const struct anim_track *);

/* Return the rest pose of a track's node, from the stream or from other_rests, or NULL if it is unknown. */
const struct anim_rest *convert_rest(struct convert *, const char *node);

/* ---- merge.c ---- */

/*
 * Return whether components that do not depend on each other can be merged: floats with keys, and with the same flags and
 * ends.
 */
bool convert_can_merge(const struct anim_component_group *);

/*
 * Merge such components to one track of three with the keys of each, and pass it on. `fixed` has the values of the missing
 * ones. `like` has the node, the property and the attributes. Returns 0 or -1.
 */
int convert_merge(struct convert *, const struct anim_component_group *, const double fixed[3],
		  const struct anim_track *like, struct anim_error *);

#endif
