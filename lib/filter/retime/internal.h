/* internal.h: what the parts of retime share; private to lib/filter/retime*.c. */
#ifndef ANIM_FILTER_RETIME_INTERNAL_H
#define ANIM_FILTER_RETIME_INTERNAL_H

#include "clip/keys.h"
#include "clip/rules.h"
#include "clip/span.h"
#include "filter/retime/retime.h"

/* Source time `from_s` becomes `to_s`, and num/den seconds one second; backwards where `reverse` is set. */
struct retime_map {
	double from_s, to_s;
	uint32_t num, den;
	bool reverse;
};

/* Seconds that one second of the source becomes, negative backwards. */
double retime_scale(const struct retime_map *);
double retime_time(const struct retime_map *, double t);

/* num/den *= by_num/by_den in lowest terms; false (and unchanged) where 32 bits cannot hold that. */
bool retime_multiply_rate(uint32_t *num, uint32_t *den, uint32_t by_num, uint32_t by_den);

/* A value of any type, and room to find it in. */
union retime_value {
	double align;
	struct anim_text text;
	uint8_t bytes[128];
};

/* A key with all that may stand beside it. */
struct retime_key {
	float time_s;
	enum anim_interp mode;
	union retime_value value;
	double left[ANIM_LANES_MAX], right[ANIM_LANES_MAX];
	float left_x[ANIM_LANES_MAX], right_x[ANIM_LANES_MAX];
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

/* Between two times where a track has no key. */
struct retime_window {
	double start_s, end_s;
	ptrdiff_t opens, closes; /* the keys that stand at its ends, -1: none */
};

/* Making the part of a track. All-zero before the first; `work` is reused. */
struct retime_cut {
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
	double end[ANIM_LANES_MAX]; /* what its curve comes to */
	bool has_end;               /* ... and a key must say so where none stands */
	enum anim_interp end_mode;
	/* Found: */
	bool approximated;
	double worst; /* degrees of rotations, else the value's unit */
};

void retime_cut_clear(struct retime_cut *);

/*
 * The part of a Curve or Discrete track (sorted, no events) for the range. all: every segment becomes one that stands alone
 * and can be played backwards. Borrowed from the work and the track until the next call. 0 or -1.
 */
int retime_cut(struct retime_cut *, const struct anim_track *, bool all, struct anim_track *out, struct anim_error *);

/* piece.c: the keys of one window but the one that closes it. 0 or -1. */
int retime_piece(struct retime_cut *, const struct retime_window *, struct anim_error *);

/* True where segments of this mode can be cut without keys in between them. */
bool retime_piece_is_exact(const struct retime_cut *, enum anim_interp);

/* Appends a key behind the last piece. */
int retime_append(struct retime_cut *, struct retime_key *, struct anim_error *);

/* The value at t; false where there is none, or it failed (*result -1). */
bool retime_value_at(struct retime_cut *, double t, union retime_value *, int *result, struct anim_error *);

/* fit.c: a window by straight pieces within the tolerance, and one of what only steps by a key at each change. */
int retime_fit(struct retime_cut *, const struct retime_window *, enum anim_interp mode, struct anim_error *);
int retime_fit_steps(struct retime_cut *, const struct retime_window *, struct anim_error *);

/*
 * reverse.c: the keys in the other order, their times as they were, sides exchanged, and what steps moved to where
 * it begins then; slopes and handles keep their signs. last_s: the clip's last moment. 0 or -1.
 */
int retime_reverse(struct retime_keys *, const struct anim_clip *, const struct anim_track *, float last_s,
		   struct anim_track *out, struct anim_error *);

/* True where it needs all segments to stand alone first. */
bool retime_reverse_wants_alone(const struct anim_clip *, const struct anim_track *);

/* True where Godot's player goes on from the last key to the first one. */
bool retime_wraps(const struct anim_clip *, const struct anim_track *);

/* map.c: times, slopes and handles through the map; columns in the arena where they change. 0 or -1. */
int retime_map_track(const struct retime_map *, const struct anim_track *, struct anim_track *out, struct anim_arena *,
		     struct anim_error *);

/* raw.c: a Raw track's part, its order and times. `range` NULL: all of it. 0 or -1. */
int retime_raw(const struct retime_map *, const struct anim_range *range, const struct anim_track *,
	       struct anim_track *out, struct anim_arena *, struct anim_error *);

#endif
