/* internal.h: what the parts of anim-reduce share. */
#ifndef ANIM_FILTER_REDUCE_INTERNAL_H
#define ANIM_FILTER_REDUCE_INTERNAL_H

#include "base/buffer.h"
#include "clip/keys.h"
#include "filter/pose.h"
#include "filter/reduce/reduce.h"

/* What an error of a value is. */
enum reduce_metric {
	REDUCE_LENGTH,  /* the distance of two points */
	REDUCE_LARGEST, /* the component that is farthest off */
	REDUCE_TURN     /* the angle between two rotations, in radians */
};

#define REDUCE_COMPONENTS 4

/* The keys of a track, with straight lines between them, as numbers. All borrowed. */
struct reduce_run {
	enum reduce_metric metric;
	unsigned components;
	bool by_component; /* REDUCE_TURN: the target's player blends component by component, not along the arc */
	size_t n;
	const double *time;
	const double *value;   /* n times the components */
	const double *limit;   /* of each key: what may be off there */
	const uint8_t *forced; /* of each key: it stays */
};

/* Marks the keys that stay: the fewest, to half a percent, or with `fast` a few percent more. 0 or -1. */
int reduce_choose(const struct reduce_run *, bool fast, uint8_t *keep, struct anim_error *);

/* How far the result is off, proven; and the largest error seen, and when. */
struct reduce_proof {
	double bound, seen, at_s;
};

/* Told of the time between two looks what the bound is there. 0 or -1. */
typedef int reduce_span(void *context, double from, double to, double bound, struct anim_error *);

/*
 * Holds a result, as it is written, against its source: each under its own rules, at the keys of both, and bounds what is
 * between. `keep` is set for source keys between which the bound is above the limit, *more says so. 0 or -1.
 */
int reduce_prove(const struct anim_clip *, const struct anim_track *source, const struct anim_track *result,
		 enum reduce_metric, double limit, uint8_t *keep, bool *more, struct reduce_proof *, reduce_span *,
		 void *context, struct anim_error *);

/*
 * What may come to the error of two rotations between two times, where it is known at both, when the rotations turn by so many
 * radians between these: they run along arcs or chords of them, whose points are not met at the same time.
 */
double reduce_turn_surplus(double source_angle, double result_angle);

/* ---- One track ---- */

/* What is reused from track to track. All-zero is empty. */
struct reduce_work {
	struct anim_buffer time, value, limit, forced, keep;
	struct anim_keys keys;
};
void reduce_work_clear(struct reduce_work *);

struct reduce_job {
	const struct anim_clip *clip;
	enum anim_rules rules; /* ANIM_RULES_COUNT: the track's */
	double limit;          /* in the metric's unit; above 0 */
	bool fast;
	reduce_span *told; /* NULL: nobody */
	void *context;
};

/* Whether a track of the clip can have fewer keys: straight lines between them, and numbers that have a metric. */
bool reduce_can(const struct anim_track *, const struct anim_clip *);

/* Its metric, and the limit that its property has, in its own unit; of rotations in radians. */
enum reduce_metric reduce_limit(const struct anim_track *, const struct anim_clip *, const struct anim_limits *,
				double *limit);

/* Such a track with fewer keys, in the memory of the work until it is used again, and what is proven of it. 0 or -1. */
int reduce_track(struct reduce_work *, const struct reduce_job *, const struct anim_track *, enum reduce_metric,
		 struct anim_track *out, struct reduce_proof *, struct anim_error *);

/* ---- The joints of a clip: what each of its tracks may be off, so that no point near a joint is farther off in space ---- */

/*
 * Of nodes one below the other, each off by so much, a point below all is off by no more than the sum: the ones above are
 * rigid, whatever their error, and carry the point as far as they did. A turn that is off by an angle moves a point at a
 * distance d from its joint by 2 sin(angle / 2) d, and scales above multiply it all.
 */
struct reduce_joints;

/* For the tree's nodes (borrowed) and a clip whose tracks the store has. NULL on failure. */
struct reduce_joints *reduce_joints_new(struct anim_poses *, const struct anim_clip *, struct anim_store *,
					double tolerance_m, double shell_m, struct anim_error *);
void reduce_joints_free(struct reduce_joints *);

/* Whether a track moves a joint; then, where it can have fewer keys, *limit is what it may be off with `scale` 1. */
bool reduce_joints_limit(const struct reduce_joints *, size_t track, double *limit);

/* A run over all tracks begins; `scale` multiplies the limits. */
void reduce_joints_begin(struct reduce_joints *, double scale);
/* Takes the spans of a track (reduce_span); the context is from reduce_joints_track. */
void *reduce_joints_track(struct reduce_joints *, size_t track);
int reduce_joints_span(void *context, double from, double to, double bound, struct anim_error *);
/* The run has ended: how far a point may be off, where and when. */
double reduce_joints_bound(struct reduce_joints *, const char **joint, double *at_s);

#endif
