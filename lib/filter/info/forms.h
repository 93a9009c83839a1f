/* forms.h: the state of anim-info, which its output forms share. Private to lib/filter. */
#ifndef ANIM_FILTER_INFO_FORMS_H
#define ANIM_FILTER_INFO_FORMS_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/print.h"
#include "filter/common/posing.h"
#include "filter/common/summary.h"
#include "filter/filter.h"
#include "filter/info/info.h"
#include "filter/retarget/retarget.h"
#include "stream/record.h"

struct info;

/*
 * The functions of one form. `tree`, `node` and `track` may be NULL. `end` is called once, after the last record. All
 * return 0 or -1.
 */
struct info_form {
	int (*tree)(struct info *, const struct anim_tree *, struct anim_error *);
	int (*node)(struct info *, const struct anim_node *, struct anim_error *);
	int (*clip)(struct info *, const struct anim_clip *, struct anim_error *);
	int (*track)(struct info *, const struct anim_track *, const struct summary *, struct anim_error *);
	int (*end)(struct info *, struct anim_error *);
};

/* Number of records with an unknown tag. After INFO_TAGS tags, all other tags are counted together as "...". */
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
	struct anim_print print;  /* prints to `out`; its error is set at each call */
	struct anim_arena kept;   /* memory that is kept until the end */
	struct anim_buffer progs; /* struct anim_prog, with texts in `kept` */
	struct info_tag tags[INFO_TAGS];
	size_t tag_count;
	const char *tree_file; /* source file of the last TREE, in `kept`; NULL: no tree so far */
	uint64_t trees, nodes, bones, clips, tracks, keys, bytes, humanoid;
	/* of the current clip, or of the last clip */
	uint64_t clip_tracks, clip_keys, clip_bytes, clip_humanoid;

	/* for the table and the tree: rows wait until the widest is known */
	struct anim_arena scratch;
	struct anim_buffer rows;
	size_t widths[4]; /* of the columns of rows that are printed before the clip ends */

	/* for the JSON: trees wait in memory until all clips are written */
	struct anim_output *tree_out;
	bool in_clip, in_tree;
	uint64_t tree_nodes;

	/* for --reach and --spark: the current clip, and the measurements of the last clip by node */
	struct anim_posing posing;
	struct anim_clip posed; /* a copy of the current clip */
	struct anim_arena posed_texts, reach_texts;
	struct anim_buffer reaches; /* struct info_reach, of nodes that move */
	struct anim_buffer reach_boxes;
	size_t reach_leaves;
	bool reaching, placed; /* not yet measured; all of it was posed */

	/* for --bones: the last tree */
	struct anim_skeleton skeleton;
	struct anim_sink *skeleton_sink;

	/* for the CSV */
	const char *clip_name, *clip_player, *clip_file; /* in the scratch arena */
	struct anim_clip clip;                           /* its numbers, without its texts */
};

/* The largest distance of a joint from the root, and from the joint to the farthest joint below it. */
struct info_reach {
	double from_root, reach;
	uint32_t farthest;     /* the farthest joint below it; valid if reach is not 0 */
	const char *node, *to; /* paths of the joint and of the farthest one */
	size_t order, below;   /* order among the nodes that move, depth first; number of nodes below it */
	size_t next;           /* next child, used while children are sorted */
};

/* Print the clip's name and settings, without a line feed. Returns 0 or -1. */
int info_print_clip(struct info *, const struct anim_clip *, struct anim_error *);
/* Like info_print_clip, on its own line, after an empty line if it is not the first clip. Returns 0 or -1. */
int info_print_heading(struct info *, const struct anim_clip *, struct anim_error *);

/* Keep the tree for --bones. They return 0 or -1. */
int info_bones_tree(struct info *, const struct anim_tree *, struct anim_error *);
int info_bones_node(struct info *, const struct anim_node *, struct anim_error *);
/*
 * Find the nodes of the human bones in that tree, as anim_skeleton_human does. *named: the file itself names them. Returns 1, 0 if it
 * is not a human, or -1.
 */
int info_bones_find(struct info *, uint32_t bones[ANIM_HUMAN_BONES], bool *named, struct anim_error *);
/* Print them as members of that tree's object. */
void info_bones_json(struct info *, struct anim_print *, struct anim_error *);

extern const struct info_form info_table, info_clips, info_tree, info_bones, info_reach_form, info_spark;

#endif
