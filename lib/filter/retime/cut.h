/* cut.h: cut a track to a range, and tracks that grow key by key. Private to retime. */
#ifndef ANIM_FILTER_RETIME_CUT_H
#define ANIM_FILTER_RETIME_CUT_H

#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/retime/retime.h"

/* Room for a value of any type. */
union retime_value {
	double align;
	struct anim_text text;
	uint8_t bytes[ANIM_VALUE_MAX];
};

/* A key with the values of all columns. */
struct retime_key {
	float time_s;
	enum anim_interp mode;
	union retime_value value;
	double left[ANIM_COMPONENTS_MAX], right[ANIM_COMPONENTS_MAX];
	float left_x[ANIM_COMPONENTS_MAX], right_x[ANIM_COMPONENTS_MAX];
	float ease;
	uint8_t weighted;
};

/* Load key k of a track. */
void retime_key_load(const struct anim_track *, size_t k, struct retime_key *);

/* A track that grows key by key, with the columns that it needs. All-zero is empty. */
struct retime_keys {
	struct anim_keys keys;
	bool bends, reaches, weighs; /* the modes: any with tangents, any with handle times, any with weights */
};

/* Empty the track and reserve as many keys as `like` has. Returns 0 or -1. */
int retime_keys_begin(struct retime_keys *, const struct anim_track *like, struct anim_error *);
void retime_keys_clear(struct retime_keys *);
int retime_keys_add(struct retime_keys *, const struct anim_track *like, const struct retime_key *,
		    struct anim_error *);

/* Return the track of these keys, with all other members from `like`. Borrowed from both. Editor notes are dropped. */
void retime_keys_track(struct retime_keys *, const struct anim_track *like, struct anim_track *out);

/* The state of cutting a track. All-zero before the first cut. Reused for all tracks. */
struct anim_cutter {
	const struct anim_clip *clip; /* the original clip */
	struct anim_range range;
	double tol;
	bool unroll; /* write repetitions as keys even if the range is the complete clip */
	struct retime_keys keys;
	struct anim_buffer windows;
	struct anim_arena texts; /* for values that are found on the way */
	struct anim_sample_state state;
	const struct anim_track *track;
	struct anim_sampler sampler;
	/* The previous piece's effect on the next key. */
	struct retime_key arriving; /* left, left_x, bit 1 of weighted */
	bool arrives;
	double end[ANIM_COMPONENTS_MAX]; /* the value at the end of its curve */
	bool has_end;                    /* a key with this value must be added if it is missing */
	enum anim_interp end_mode;
	/* Results: */
	bool approximated;
	double worst; /* in degrees for rotations, otherwise in the value's unit */
};

void retime_cut_clear(struct anim_cutter *);

/*
 * Cut a Curve or Discrete track (sorted, not of events) to the range. all: convert every segment to one that does not
 * depend on its neighbours and can be played backwards. The result is borrowed from the cutter and the track until the
 * next call. Returns 0 or -1.
 */
int retime_cut_track(struct anim_cutter *, const struct anim_track *, bool all, struct anim_track *out,
		     struct anim_error *);

/* Return whether Godot's player blends from the last key to the first one. */
bool retime_wraps(const struct anim_clip *, const struct anim_track *);

#endif
