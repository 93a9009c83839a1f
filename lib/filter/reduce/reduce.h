/* reduce.h: fewer keys, with a proven bound of the error; for anim-reduce. */
#ifndef ANIM_FILTER_REDUCE_H
#define ANIM_FILTER_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/output.h"
#include "clip/caps.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "filter/compare/compare.h"
#include "stream/record.h"

/* The curves between the keys that stay. */
enum anim_reduce_keys {
	ANIM_REDUCE_LINEAR,
	ANIM_REDUCE_HERMITE, /* cubics with a slope on each side of a key, if the player has them; Godot's has not */
	ANIM_REDUCE_AUTO     /* cubics for Unity, whose keys have slopes in any case */
};

/* Limits for nodes that match a glob, for tracks separately and for joints in space. */
struct anim_reduce_override {
	char glob[256];
	struct anim_limits limits;
};

/*
 * Parse "*Hand*=0.2mm@5cm" or "Jaw=0.01mm,scale=1%" into an override that is all zero. Returns 0 or -1
 * (ANIM_BAD_INPUT).
 */
int anim_reduce_override_parse(struct anim_reduce_override *, const char *text, struct anim_error *);

/*
 * Counts the bytes of a clip in the file that will be written. `begin` returns a sink for the records of one clip (borrowed),
 * or NULL. `end` ends it, and returns its bytes, or 0 if the clip cannot be written.
 */
struct anim_measure {
	struct anim_sink *(*begin)(void *context, struct anim_error *);
	uint64_t (*end)(void *context);
	void *context;
	const struct anim_caps *caps; /* of the file's format (NULL: tracks are written unchanged) */
	/*
	 * The whole stream is written, with its provenance: at the end, the streams with and without changes are compared. If
	 * the first is not smaller, the other is passed on, and `prog->program` becomes NULL.
	 */
	bool whole;
	unsigned sample_hz; /* with `whole`: the stream is sampled at this rate before it is reduced (0: it is not) */
};

struct anim_reduce_options {
	struct anim_limits
	    limits; /* none: 1mm@10cm in space if a tree has the clip's nodes, and 0.1mm, 0.1deg and 0.1% for tracks */
	const struct anim_reduce_override
	    *overrides; /* borrowed; of those that match a node and have its limit, the last one applies */
	size_t override_count;
	enum anim_rules rules; /* the player that shows the result; ANIM_RULES_COUNT: the player of each track */
	enum anim_reduce_keys keys;
	bool loop;          /* keep the first two and the last two keys of each track */
	bool drop_constant; /* remove tracks that stay at the rest pose of their node */
	bool move;          /* allow new keys between existing ones, on the straight lines and arcs */
	bool fast;          /* choose the farthest key that fits, again and again, instead of the fewest keys */
	bool keep_euler;    /* keep Euler angles; false: convert them to rotations if these have no more keys */
	/*
	 * Choose the form of each track that needs the least room in the format of the rules, and leave a clip unchanged
	 * if it would have more bytes.
	 */
	bool smaller;
	struct anim_measure measure; /* required with `smaller`. `whole` requires `prog` and no `report` */
	size_t store_memory;
	struct anim_output *report; /* receives an array with a JSON object for each clip; borrowed; NULL: none */
	/*
	 * Receives the attribute `tol-sum` before the first record after the provenance: the error limit of this
	 * program and of the earlier reductions together, relative to the original source. Borrowed, as is the arena
	 * in which it grows. NULL: not recorded.
	 */
	struct anim_prog *prog;
	struct anim_arena *prog_arena;
	struct anim_diagnostics *diagnostics; /* required */
};

/*
 * Return a filter before `next` (owned, and freed on failure). Returns NULL on failure.
 *
 * Raw tracks and curves of straight lines, steps or cubics lose the keys that their player can spare within the
 * limit of their property. The remaining keys are keys of the source, including the first and the last, or with
 * `move` they are on its lines. The error between the keys is proven, not sampled: the result as it is written is
 * compared with the source at the keys of both, and the error between them has a computed bound. Other tracks stay
 * unchanged, and so do tracks that the player of the result cannot show within their limits. Both are reported, and
 * so are overrides that match nothing. A note for each clip has the numbers of keys (and of bytes, with `smaller`) before
 * and after, and the bound.
 */
struct anim_sink *anim_reduce_new(const struct anim_reduce_options *, struct anim_sink *next, struct anim_error *);

#endif
