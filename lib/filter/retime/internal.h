/* internal.h: what the parts of retime share. */
#ifndef ANIM_FILTER_RETIME_INTERNAL_H
#define ANIM_FILTER_RETIME_INTERNAL_H

#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/retime/retime.h"

/* A value of any type, and room to find it in. */
union retime_value {
	double align;
	struct anim_text text;
	uint8_t bytes[ANIM_VALUE_MAX];
};

/* A key with all that may stand beside it. */
struct retime_key {
	float time_s;
	enum anim_interp mode;
	union retime_value value;
	double left[ANIM_COMPONENTS_MAX], right[ANIM_COMPONENTS_MAX];
	float left_x[ANIM_COMPONENTS_MAX], right_x[ANIM_COMPONENTS_MAX];
	float ease;
	uint8_t weighted;
};

/* Key k of a track. */
void retime_key_load(const struct anim_track *, size_t k, struct retime_key *);

/* A track that grows key by key, with the columns that it needs. All-zero is empty. */
struct retime_keys {
	struct anim_keys keys;
	bool bends, reaches, weighs; /* some mode demands tangents, has handles with times, may have weights */
};

/* Empty, with room for as many keys as the track has. 0 or -1. */
int retime_keys_begin(struct retime_keys *, const struct anim_track *like, struct anim_error *);
void retime_keys_clear(struct retime_keys *);
int retime_keys_add(struct retime_keys *, const struct anim_track *like, const struct retime_key *,
		    struct anim_error *);

/* The track of these keys, all else as in `like`; borrowed from both. The editor's notes are dropped. */
void retime_keys_track(struct retime_keys *, const struct anim_track *like, struct anim_track *out);

/* Making the part of a track. All-zero before the first; `work` is reused. */
struct anim_cutter {
	const struct anim_clip *clip; /* as it came */
	struct anim_range range;
	double tol;
	bool unroll; /* what repeats becomes keys even where the range is all of the clip */
	struct retime_keys keys;
	struct anim_buffer windows;
	struct anim_arena texts; /* of values found on the way */
	struct anim_sample_state state;
	const struct anim_track *track;
	struct anim_sampler sampler;
	/* What the piece before says of the key to come. */
	struct retime_key arriving; /* left, left_x, bit 1 of weighted */
	bool arrives;
	double end[ANIM_COMPONENTS_MAX]; /* what its curve comes to */
	bool has_end;                    /* ... and a key must say so where none stands */
	enum anim_interp end_mode;
	/* Found: */
	bool approximated;
	double worst; /* degrees of rotations, else the value's unit */
};

void retime_cut_clear(struct anim_cutter *);

/*
 * The part of a Curve or Discrete track (sorted, no events) for the range. all: every segment becomes one that stands alone
 * and can be played backwards. Borrowed from the work and the track until the next call. 0 or -1.
 */
int retime_cut_track(struct anim_cutter *, const struct anim_track *, bool all, struct anim_track *out,
		     struct anim_error *);

/* True where Godot's player goes on from the last key to the first one. */
bool retime_wraps(const struct anim_clip *, const struct anim_track *);

#endif
