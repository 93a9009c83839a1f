/* compare.h: how far two animations are apart when both are played, track by track; for anim-diff. */
#ifndef ANIM_FILTER_COMPARE_H
#define ANIM_FILTER_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/source.h"
#include "filter/axes/axes.h"

/* What an error is measured in. */
enum anim_unit {
	ANIM_UNIT_PLAIN,  /* the property's own numbers; percentages count as fractions */
	ANIM_UNIT_LENGTH, /* metres: positions */
	ANIM_UNIT_PIXELS, /* positions of Godot's two dimensions */
	ANIM_UNIT_ANGLE,  /* degrees: rotations, Euler and 2-D angles */
	ANIM_UNIT_KEYS,   /* texts: how many keys are not the same */
	ANIM_UNIT_TIME,   /* seconds: the lengths of clips */
	ANIM_UNIT_COUNT
};
extern const char *const anim_unit_names[ANIM_UNIT_COUNT]; /* "", "m", "px", "deg", "keys", "s" */

/* One bound on errors: for the properties that fit the glob (empty: all) and errors in the unit (any: in their own). */
struct anim_limit {
	char property[128];
	bool any_unit;
	enum anim_unit unit;
	double value;
};

#define ANIM_LIMITS_MAX 32u /* told by --max, over all of them */
/* The property, in limits and rows, of nodes that are compared where their tree puts them. */
#define ANIM_LIMIT_WORLD "world"

/* All-zero: nothing may be off. */
struct anim_limits {
	struct anim_limit items[ANIM_LIMITS_MAX];
	size_t count;
	bool world;     /* one of them is of points at a distance: 1mm@10cm */
	double shell_m; /* that distance: the radius of a sphere around each joint */
};

/*
 * Adds "0.1mm,0.05deg", "position=0.1mm,scale=1%", "1mm@10cm": mm cm m px, deg rad, %, ms s; a bare number is in the errors'
 * own unit. 0, or -1 (ANIM_BAD_INPUT) with a message that says what it looks like.
 */
int anim_limits_parse(struct anim_limits *, const char *text, struct anim_error *);

/* "10cm", "0.1m": metres. 0, or -1 (ANIM_BAD_INPUT). */
int anim_length_parse(double *metres, const char *text, struct anim_error *);

/* The bound for a property: a named one before one of its unit before a bare one; of equals the last. False: none is told. */
bool anim_limits_tell(const struct anim_limits *, enum anim_unit, const char *property, double *value);
/* The same; 0 where none is told. */
double anim_limits_find(const struct anim_limits *, enum anim_unit, const char *property);

enum anim_compare_match {
	ANIM_MATCH_ANY,   /* by path, and what is left then by name */
	ANIM_MATCH_PATH,  /* the whole path of the node */
	ANIM_MATCH_NAME,  /* its last name alone, a bone's own */
	ANIM_MATCH_INDEX, /* the first with the first, and so on */
};

/* Two values that were compared, as both are played; borrowed for the call. */
struct anim_compare_shown {
	size_t couple; /* of clips, from 1 on */
	struct anim_source *plays[2];
	const char *node, *property;
	uint8_t component;
	enum anim_unit unit;
	double worst, at_s, limit; /* of the errors, the largest; at_s on the first side's axis */
	const struct compare_error_source *errors;
};

/*
 * How far apart they are at up to 4 times, seconds from the clips' starts, where the second is played so much later; of sides[0]
 * and sides[1], which may be the same. 0 or -1.
 */
int anim_compare_errors(const struct anim_compare_shown *, const int sides[2], const double *t, unsigned count,
			double later_s, double *off, struct anim_error *);

/* A node of the first side that is compared where its tree puts it; borrowed for the call. */
struct anim_compare_joint {
	size_t couple;                /* of clips, from 1 on */
	const struct anim_clip *clip; /* the first side's */
	const char *path;
	uint32_t number, parent; /* from 0 on; the nearest above it that is compared, UINT32_MAX: none */
	enum anim_unit unit;     /* metres; pixels in Godot's plane */
	double limit, shell;     /* shell: how far around it points are */
};

/* The keys of one value on both sides, or of what one side has alone; borrowed for the call. */
struct anim_compare_keys {
	size_t couple; /* of clips, from 1 on */
	const struct anim_clip *clips[2];
	const struct anim_source *plays[2]; /* their tracks; NULL: that side has none. Texts are what they mean */
	const char *node, *property;        /* the first side's, if it has it */
	uint8_t component;
};

/* Times no farther from t are one: what float32 and the players of two tracks cannot tell apart. */
double anim_compare_hair(enum anim_rules, enum anim_rules, double t);

struct anim_poses;

/* How far nodes are apart. */
struct anim_compare_apart {
	size_t off, beyond;     /* how many are off; are beyond their limit */
	uint32_t worst;         /* the one that is farthest off, on the first side; ANIM_POSE_NONE: none is off */
	enum anim_unit unit;    /* of that */
	double worst_off, at_s; /* how far, and when on the first side's axis */
	double shell;           /* of points so far around it */
};

/* Two clips where their trees put their nodes; borrowed for the call. */
struct anim_compare_world {
	size_t couple;                /* of clips, from 1 on */
	const struct anim_clip *clip; /* the first side's */
	struct anim_poses *poses[2];  /* ready; at times that nobody asked for, until anim_compare_place */
	const uint32_t *partners;     /* of each node of the first side the second's; ANIM_POSE_NONE: it has none */
	struct anim_compare_apart apart[2]; /* nodes in space; nodes in the plane */
	void *context;                      /* the comparison's own */
};

/* Brings the poses of both to these rising times, in seconds from the clips' starts. 0 or -1. */
int anim_compare_place(const struct anim_compare_world *, const double *times, size_t count, struct anim_error *);

#define ANIM_COMPARE_NAMED 8 /* tracks of a side that are told by their names */

/* Two clips, and of them what is told of no pair; borrowed for the call. */
struct anim_compare_clips {
	size_t couple;                    /* from 1 on */
	const struct anim_clip *heads[2]; /* NULL: that side has no such clip, and nothing else is told */
	bool lengths_differ, loops_differ;
	size_t lone[2]; /* tracks that one side has alone, whatever they move */
	const char *named[2][ANIM_COMPARE_NAMED];
	size_t texts,
	    unlike; /* tracks of texts that differ; of types that cannot be compared. Unknown with show_keys */
};

struct anim_compare_options {
	/* Told of each pair of numbers that was compared by its times, in their order; NULL: nobody is. 0 or -1. */
	int (*show)(void *context, const struct anim_compare_shown *, struct anim_error *);
	/* Told of all tracks, whose values are not compared then: the first side's in their order, then what the second has alone. */
	int (*show_keys)(void *context, const struct anim_compare_keys *, struct anim_error *);
	/* Before the pairs of a clip: told of each joint, those above first. NULL: nobody is. 0 or -1. */
	int (*show_joint)(void *context, const struct anim_compare_joint *, struct anim_error *);
	/* Then of how far one is apart at rising times, from the clips' starts; in between it goes straight. With show_joint. */
	void (*show_apart)(void *context, uint32_t number, double t_s, double off);
	/* Told of two clips after their joints, where both are placed by trees. NULL: nobody is. 0 or -1. */
	int (*show_world)(void *context, const struct anim_compare_world *, struct anim_error *);
	/* Told of each couple of clips when all else was told of it. NULL: nobody is. 0 or -1. */
	int (*show_clips)(void *context, const struct anim_compare_clips *, struct anim_error *);
	void *show_context;   /* of all of these */
	const char *names[2]; /* of the two inputs, for people */
	enum anim_compare_match match;
	uint32_t rate_num, rate_den; /* of the grid between the keys */
	bool all_clips;              /* clips that only one has count, too */
	bool axes_keep;              /* numbers are compared as they are, whatever the axes */
	enum anim_mirror mirror;
	double ppu;
	struct anim_limits limits;
	size_t store_memory; /* of each side */
	bool world;          /* nodes where their tree puts them, in the place of the tracks that move them */
	bool world_if_known; /* the same for clips that have a tree, on one side at least */
	bool json, color;
	bool all_tracks;    /* the table has the tracks without a difference, too */
	bool limits_joints; /* who looks on holds joints alone to the limits: tracks that have none are not told of */
	bool quiet;         /* it has nothing of clips without a difference */
	struct anim_diagnostics *diagnostics;
};

struct anim_compare;

/* The options are copied, names and diagnostics are borrowed. NULL on failure. */
struct anim_compare *anim_compare_new(const struct anim_compare_options *, struct anim_error *);
void anim_compare_free(struct anim_compare *); /* NULL is allowed */

/*
 * Where the first (0) and the second (1) input flow to. Both are kept in stores: which tracks belong together is known
 * only when the names of all are. The sinks belong to the comparison; freeing them does nothing.
 */
struct anim_sink *anim_compare_input(struct anim_compare *, int side);

/*
 * After both inputs have ended: pairs clips and tracks, plays both sides at the keys of either and on the grid, each by
 * its own rules, and prints what was found (anim-diff(1)) to the output (borrowed, not committed). *differ is set
 * where anything is farther off than its limit or stands on one side alone. 0 or -1.
 */
int anim_compare_run(struct anim_compare *, struct anim_output *, bool *differ, struct anim_error *);

#endif
