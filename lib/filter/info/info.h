/* info.h: a sink that summarises a stream, for anim-info. */
#ifndef ANIM_FILTER_INFO_H
#define ANIM_FILTER_INFO_H

#include <stdbool.h>

#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "stream/archive.h"

enum anim_info_form {
	ANIM_INFO_TABLE,
	ANIM_INFO_CLIPS,
	ANIM_INFO_TREE,
	ANIM_INFO_BONES,
	ANIM_INFO_JSON,
	ANIM_INFO_CSV,
	ANIM_INFO_CSV_CLIPS,
	ANIM_INFO_REACH,
	ANIM_INFO_SPARK
};

struct anim_info_options {
	enum anim_info_form form;
	/* Measure how far joints reach: for ANIM_INFO_REACH, and as a member of the clips of ANIM_INFO_JSON. */
	bool reach;
	bool bones; /* find the bones of a human: for ANIM_INFO_BONES, and as members of the trees of ANIM_INFO_JSON */
	size_t memory_max;     /* largest size in memory of the data for that, in bytes; more is stored in a file */
	const char **encoding; /* compression of the current file (anim_read_options), or NULL if it has none */
	bool files;            /* show the file of each clip in the table */
	bool color;            /* the table may use bold and faint letters */
	bool utf8;             /* ANIM_INFO_SPARK may use block characters, otherwise letters */
	unsigned width;        /* width of the lines of ANIM_INFO_SPARK, in characters */
	struct anim_diagnostics *diagnostics;
};

/*
 * Return a sink that prints to the output (borrowed, not committed), or NULL on failure. It prints as records arrive,
 * and the totals in end(). In memory it keeps the table of one clip or one tree, about 200 bytes per row. The forms are
 * described in anim-info(1).
 */
struct anim_sink *anim_info_new(struct anim_output *, const struct anim_info_options *, struct anim_error *);

/* --- The index of an archive, for anim-pack --list --- */

/*
 * Print a line for each clip and, below it, a line for each error bound and for each track: node, property, type, kind, keys and times. Columns
 * are aligned within the clip. The output is borrowed. Returns 0 or -1.
 */
int anim_archive_list(const struct anim_archive_index *, struct anim_output *, struct anim_error *);

#endif
