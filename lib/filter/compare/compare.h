/* compare.h: the error between two animations when both are played, track by track, for anim-diff. */
#ifndef ANIM_FILTER_COMPARE_H
#define ANIM_FILTER_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/source.h"
#include "filter/axes/axes.h"

/* The unit of an error. */
enum anim_unit {
	ANIM_UNIT_PLAIN,  /* the property's own numbers, with percentages as fractions */
	ANIM_UNIT_LENGTH, /* metres, for positions */
	ANIM_UNIT_PIXELS, /* pixels, for two-dimensional positions of Godot */
	ANIM_UNIT_ANGLE,  /* degrees, for rotations, Euler and 2-D angles */
	ANIM_UNIT_KEYS,   /* for texts: the number of keys that differ */
	ANIM_UNIT_TIME,   /* seconds, for the lengths of clips */
	ANIM_UNIT_COUNT
};
extern const char *const anim_unit_names[ANIM_UNIT_COUNT]; /* "", "m", "px", "deg", "keys", "s" */

/*
 * One limit for errors: for properties that match the glob (empty: all), and errors in the unit (any: in their own).
 */
struct anim_limit {
	char property[128];
	bool any_unit;
	enum anim_unit unit;
	double value;
};

#define ANIM_LIMITS_MAX 32u /* limits in all --max options together */
/* The name of the property, in limits and rows, for nodes that are compared in space. */
#define ANIM_LIMIT_WORLD "world"

/* If all-zero, no error is allowed. */
struct anim_limits {
	struct anim_limit items[ANIM_LIMITS_MAX];
	size_t count;
	bool world;     /* one of them is for points at a distance: 1mm@10cm */
	double shell_m; /* this distance: the radius of a sphere around each joint */
};

/*
 * Add limits such as "0.1mm,0.05deg", "position=0.1mm,scale=1%" or "1mm@10cm". Units are mm cm m px, deg rad, %, ms
 * s. A number without unit is in the unit of the errors. Returns 0, or -1 (ANIM_BAD_INPUT) with a message that shows
 * the form.
 */
int anim_limits_parse(struct anim_limits *, const char *text, struct anim_error *);

/* Parse a length such as "10cm" or "0.1m", in metres. Returns 0 or -1 (ANIM_BAD_INPUT). */
int anim_length_parse(double *metres, const char *text, struct anim_error *);

/*
 * Find the limit for a property. A limit for the property has priority, then one for its unit, then a number without
 * unit. Of equal ones, the last has priority. Returns false if no limit applies.
 */
bool anim_limits_get(const struct anim_limits *, enum anim_unit, const char *property, double *value);
/* Return the limit as above, or 0 if no limit applies. */
double anim_limits_find(const struct anim_limits *, enum anim_unit, const char *property);

enum anim_compare_match {
	ANIM_MATCH_ANY,   /* by path, then the remaining ones by name */
	ANIM_MATCH_PATH,  /* the complete path of the node */
	ANIM_MATCH_NAME,  /* only its last name, which is the own name of a bone */
	ANIM_MATCH_INDEX, /* the first with the first, and so on */
};

/* Two values that were compared, both as their engines play them. Borrowed for the call. */
struct anim_compare_shown {
	size_t couple; /* number of the pair of clips, from 1 on */
	struct anim_source *plays[2];
	const char *node, *property;
	uint8_t component;
	enum anim_unit unit;
	double worst, at_s, limit; /* the largest error, its time on the axis of the first side, and its limit */
	const struct compare_error_source *errors;
};

/*
 * Measure the error at up to 4 times, in seconds from the starts of the clips. sides[0] is compared with sides[1],
 * which may be the same. The second one is played `later_s` seconds later. Returns 0 or -1.
 */
int anim_compare_errors(const struct anim_compare_shown *, const int sides[2], const double *t, unsigned count,
			double later_s, double *off, struct anim_error *);

/* A node of the first side that is compared in space. Borrowed for the call. */
struct anim_compare_joint {
	size_t couple;                /* number of the pair of clips, from 1 on */
	const struct anim_clip *clip; /* of the first side */
	const char *path;
	uint32_t number,
	    parent;          /* number from 0 on, and number of the nearest compared node above (UINT32_MAX: none) */
	enum anim_unit unit; /* metres, or pixels in Godot's plane */
	double limit, shell; /* shell: distance of the points from the node */
};

/* The keys of one value on both sides, or of a value that only one side has. Borrowed for the call. */
struct anim_compare_keys {
	size_t couple; /* number of the pair of clips, from 1 on */
	const struct anim_clip *clips[2];
	const struct anim_source *plays[2]; /* their tracks; NULL: none on this side. Texts are unquoted */
	const char *node, *property;        /* of the first side, if it has them */
	uint8_t component;
};

/*
 * Return the largest distance from t at which two times count as one. float32 and the players of two tracks cannot
 * distinguish such times.
 */
double anim_compare_epsilon(enum anim_rules, enum anim_rules, double t);

struct anim_poses;

/* The errors of nodes. */
struct anim_compare_apart {
	size_t off, beyond;     /* number of nodes with an error, and with an error beyond their limit */
	uint32_t worst;         /* the node with the largest error, on the first side; ANIM_POSE_NONE: none */
	enum anim_unit unit;    /* unit of this error */
	double worst_off, at_s; /* the error, and its time on the axis of the first side */
	double shell;           /* distance of the compared points from the node */
};

/* Two clips whose nodes are placed in space. Borrowed for the call. */
struct anim_compare_world {
	size_t couple;                /* number of the pair of clips, from 1 on */
	const struct anim_clip *clip; /* of the first side */
	struct anim_poses *poses[2];  /* ready; their times are undefined until anim_compare_place */
	const uint32_t *partners; /* for each node of the first side, its node of the second; ANIM_POSE_NONE: none */
	bool has_muscles[2];      /* curves of Unity's humanoid, which move bones that only its avatar knows */
	struct anim_compare_apart apart[2]; /* nodes in space and nodes in the plane */
	void *context;                      /* owned by the comparison */
};

/*
 * Move the poses of both sides to these times, which increase, in seconds from the starts of the clips. Returns 0 or
 * -1.
 */
int anim_compare_place(const struct anim_compare_world *, const double *times, size_t count, struct anim_error *);

#define ANIM_COMPARE_NAMED 8 /* tracks of a side that are listed by name */

/* Two clips with the results that belong to no pair of tracks. Borrowed for the call. */
struct anim_compare_clips {
	size_t couple;                    /* from 1 on */
	const struct anim_clip *heads[2]; /* NULL: this side has no such clip, and no other member is set */
	bool lengths_differ, loops_differ;
	size_t lone[2]; /* tracks that only this side has, whatever they move */
	const char *named[2][ANIM_COMPARE_NAMED];
	size_t texts,
	    unlike; /* text tracks that differ, and tracks whose types cannot be compared. Not set with show_keys */
};

struct anim_compare_options {
	/*
	 * Called for each pair of numbers that was compared by time, in order. May be NULL, like all functions here.
	 * Returns 0 or -1.
	 */
	int (*show)(void *context, const struct anim_compare_shown *, struct anim_error *);
	/*
	 * Called for all tracks, whose values are then not compared: first the tracks of the first side in order,
	 * then the tracks that only the second side has.
	 */
	int (*show_keys)(void *context, const struct anim_compare_keys *, struct anim_error *);
	/* Called for each joint before the pairs of a clip. Parents come first. Returns 0 or -1. */
	int (*show_joint)(void *context, const struct anim_compare_joint *, struct anim_error *);
	/*
	 * Called with show_joint, then, for the error of one joint at increasing times from the starts of the clips.
	 * It changes linearly between them.
	 */
	void (*show_apart)(void *context, uint32_t number, double t_s, double off);
	/* Called for two clips after their joints, if both have positions in space. Returns 0 or -1. */
	int (*show_world)(void *context, const struct anim_compare_world *, struct anim_error *);
	/* Called for each pair of clips, after all other calls for it. Returns 0 or -1. */
	int (*show_clips)(void *context, const struct anim_compare_clips *, struct anim_error *);
	void *show_context;   /* for all of these */
	const char *names[2]; /* of the two inputs, for people */
	enum anim_compare_match match;
	uint32_t rate_num, rate_den; /* of the grid between the keys */
	bool all_clips;              /* a clip that only one side has is a difference */
	bool axes_keep;              /* compare numbers unchanged, whatever the axes are */
	enum anim_mirror mirror;
	double ppu;
	struct anim_limits limits;
	size_t store_memory; /* for each side */
	bool world;          /* compare nodes in space instead of the tracks that move them */
	bool world_if_known; /* do this for clips that have a tree on at least one side */
	bool world_besides;  /* with one of these: compare the tracks that move nodes as well */
	bool json, color;
	bool all_tracks;    /* the table also has the tracks that do not differ */
	bool limits_joints; /* the caller uses limits only for joints: no note for tracks without a limit */
	bool quiet;         /* print nothing for clips that do not differ */
	struct anim_diagnostics *diagnostics;
	const struct anim_advisor *advisor; /* words for remedies (borrowed) */
};

struct anim_compare;

/* Return a comparison. The options are copied, and names and diagnostics are borrowed. Returns NULL on failure. */
struct anim_compare *anim_compare_new(const struct anim_compare_options *, struct anim_error *);
void anim_compare_free(struct anim_compare *); /* NULL is allowed */

/*
 * Return the sink of the first (0) or the second (1) input. Both are stored, because tracks can be matched only when
 * the names of all tracks are known. The sinks belong to the comparison, and freeing them does nothing.
 */
struct anim_sink *anim_compare_input(struct anim_compare *, int side);

/*
 * Run the comparison after both inputs have ended: match clips and tracks, and play both sides at the keys of both
 * and on the grid, each by its own rules. Prints the result (anim-diff(1)) to the output (borrowed, not committed).
 * Sets *differ if any error exceeds its limit or anything exists on one side only. Returns 0 or -1.
 */
int anim_compare_run(struct anim_compare *, struct anim_output *, bool *differ, struct anim_error *);

#endif
