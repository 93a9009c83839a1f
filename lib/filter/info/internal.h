/* internal.h: what the forms of anim-info share; private to lib/filter. */
#ifndef ANIM_FILTER_INFO_INTERNAL_H
#define ANIM_FILTER_INFO_INTERNAL_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/print.h"
#include "filter/filter.h"
#include "filter/info/info.h"
#include "filter/posing.h"
#include "filter/summary.h"
#include "stream/record.h"

struct info;

/* One way to show what flows by. `tree`, `node` and `track` may be NULL; end comes once, after the last record. 0 or -1. */
struct info_form {
	int (*tree)(struct info *, const struct anim_tree *, struct anim_error *);
	int (*node)(struct info *, const struct anim_node *, struct anim_error *);
	int (*clip)(struct info *, const struct anim_clip *, struct anim_error *);
	int (*track)(struct info *, const struct anim_track *, const struct summary *, struct anim_error *);
	int (*end)(struct info *, struct anim_error *);
};

/* How many records of a tag that is not ours; the tags beyond INFO_TAGS are counted together as "...". */
#define INFO_TAGS 32
struct info_tag {
	char tag[5];
	uint64_t count;
};

struct info {
	struct anim_sink sink;
	const struct info_form *form;
	struct anim_info_options options;
	struct anim_output *out;
	struct anim_print print;  /* on `out`; its error is set at each call */
	struct anim_arena kept;   /* what lives to the end */
	struct anim_buffer progs; /* struct anim_prog, texts in `kept` */
	struct info_tag tags[INFO_TAGS];
	size_t tag_count;
	const char *tree_file; /* of the last TREE, in `kept`; NULL: none came */
	uint64_t trees, nodes, bones, clips, tracks, keys, bytes, humanoid;
	/* of the clip that goes on, or has just ended */
	uint64_t clip_tracks, clip_keys, clip_bytes, clip_humanoid;

	/* of the table and the tree: rows that wait for the widest */
	struct anim_arena scratch;
	struct anim_buffer rows;
	size_t widths[4]; /* of the columns of rows that are printed before the clip ends */

	/* of the JSON: trees wait in memory until the clips are out */
	struct anim_output *tree_out;
	bool in_clip, in_tree;
	uint64_t tree_nodes;

	/* of --reach and --spark: the clip at hand; and what was measured of the one that is over, by node */
	struct anim_posing posing;
	struct anim_clip posed; /* a copy */
	struct anim_arena posed_texts, reach_texts;
	struct anim_buffer reaches; /* struct info_reach, of nodes that move */
	struct anim_buffer reach_boxes;
	size_t reach_leaves;
	bool reaching, placed; /* it is not measured yet; all of it was */

	/* of the CSV */
	const char *clip_name, *clip_player, *clip_file; /* in the scratch arena */
};

/* How far a joint is from the root, and the farthest below it from the joint, at the most. */
struct info_reach {
	double from_root, reach;
	uint32_t farthest;     /* which that is, where reach is not 0 */
	const char *node, *to; /* their paths */
	size_t order, below;   /* among the nodes that move, depth first; how many hang on it */
	size_t next;           /* of its children, while they are put in order */
};

/* The clip's name and settings, without the end of the line. 0 or -1. */
int info_print_clip(struct info *, const struct anim_clip *, struct anim_error *);
/* The same on a line of its own, after an empty line if it is not the first clip. 0 or -1. */
int info_print_heading(struct info *, const struct anim_clip *, struct anim_error *);

/* A number for people: at most 4 decimals, small ones as they are. Needs ANIM_NUMBER_MAX bytes; ends with NUL. */
size_t info_number(char *out, double value);

/* "<count> <one>" or "<count> <many>". */
void info_count(struct anim_print *, uint64_t count, const char *one, const char *many);

extern const struct info_form info_table, info_clips, info_tree, info_reach_form, info_spark;

#endif
