/* rename_help.h: trees and tracks through the filters of anim-rename into a capture. */
#ifndef ANIM_TESTS_RENAME_HELP_H
#define ANIM_TESTS_RENAME_HELP_H

#include "capture.h"
#include "filter/rename/rename.h"

struct rename_run {
	struct anim_diagnostics diagnostics;
	struct capture out;
	struct anim_sink *filter;
	struct anim_clip clip; /* what rename_run_clip sends; may be changed before */
	uint32_t nodes;        /* sent so far */
	struct anim_expression expressions[4];
	struct anim_rename_map map;
	struct anim_rename_options options;
};

/* Zeroes the run; its options may be filled then. */
void rename_run_init(struct rename_run *);
void rename_run_expression(struct rename_run *, const char *text);
void rename_run_map(struct rename_run *, const char *csv);
void rename_run_open(struct rename_run *); /* the filter of the options */
void rename_run_bones(struct rename_run *,
		      const char *path); /* the filter that makes bones, with the options' selection */

void rename_run_tree(struct rename_run *);
/* A node with its number as position x; the first one is the root. */
void rename_run_node(struct rename_run *, const char *path, unsigned kind, uint32_t parent);
void rename_run_clip(struct rename_run *); /* in the tree, if one was sent */
void rename_run_track(struct rename_run *, const char *node,
		      const char *property); /* one float, of a component but for 'visible' */
void rename_run_end(struct rename_run *);
void rename_run_close(struct rename_run *);

/* Checks that the node, or the track's node, of this number came out under this path, below the parent of that path. */
void rename_run_has_node(const struct rename_run *, size_t number, const char *path, const char *parent);
void rename_run_has_track(const struct rename_run *, size_t number, const char *node);
/* Checks that there was this one warning, or none (NULL). */
void rename_run_warned(const struct rename_run *, const char *message);

#endif
