/* resonite_target.h: what every writer for Resonite does with a track beside its keys: its names, and what must be told. */
#ifndef ANIM_CLIP_RESONITE_TARGET_H
#define ANIM_CLIP_RESONITE_TARGET_H

#include "base/text_set.h"
#include "clip/losses.h"
#include "clip/resonite_names.h"

/* The first four are the caller's; losses and format are borrowed. The rest begins all-zero. */
struct anim_resonite_target {
	const char *format; /* "animx" */
	struct anim_losses *losses;
	bool source_names; /* node and property stay as the stream has them */
	bool axes_keep;    /* no warning where the clip's axes are not Resonite's */
	struct anim_resonite_names names;
	enum anim_axes axes;
	const char *root_name; /* of the last tree, in the arena; NULL: none came */
	struct anim_text_set seen;
	struct anim_arena arena;
};

void anim_resonite_target_clear(struct anim_resonite_target *);

/* To be told of each tree, then of the clip, whose loop and autoplay are noted. 0 or -1. */
int anim_resonite_target_tree(struct anim_resonite_target *, const struct anim_tree *, struct anim_error *);
int anim_resonite_target_clip(struct anim_resonite_target *, const struct anim_clip *, struct anim_error *);

/*
 * Where the track has no keys or is disabled: warns, 1. Else 0, or -1. label: anim_track_label's.
 */
int anim_resonite_target_leaves_out(struct anim_resonite_target *, const struct anim_track *, const char *label,
				    struct anim_error *);

/*
 * Gives the names under which the track is written as `type`, in the arena of the caller, and warns of names that meet, of
 * fields that do not bind, of axes and of rests. 0 or -1.
 */
int anim_resonite_target_track(struct anim_resonite_target *, const struct anim_track *source, enum anim_type type,
			       const char *label, const char **node, const char **property, struct anim_arena *,
			       struct anim_error *);

#endif
