/* info.h: a sink that sums up what flows into it, for anim-info. */
#ifndef ANIM_FILTER_INFO_H
#define ANIM_FILTER_INFO_H

#include <stdbool.h>

#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "stream/archive.h"

/* --- A sink that sums up what flows into it, for anim-info --- */

enum anim_info_form {
	ANIM_INFO_TABLE,
	ANIM_INFO_CLIPS,
	ANIM_INFO_TREE,
	ANIM_INFO_JSON,
	ANIM_INFO_CSV,
	ANIM_INFO_REACH,
	ANIM_INFO_SPARK
};

struct anim_info_options {
	enum anim_info_form form;
	bool reach; /* measure how far joints reach: for ANIM_INFO_REACH, and a member of ANIM_INFO_JSON's clips */
	size_t memory_max; /* what may wait in memory of that, in bytes; the rest in a file */
	bool files;        /* each clip of the table tells its file */
	bool color;        /* the table may use bold and faint letters */
	bool utf8;         /* ANIM_INFO_SPARK may use blocks, else letters */
	unsigned width;    /* of its lines, in characters */
	struct anim_diagnostics *diagnostics;
};

/*
 * Prints to the output (borrowed, not committed) as it goes, the sums in end(). NULL on failure. What is held is the
 * table of one clip or one tree, about 200 bytes a row. The forms are described in anim-info(1).
 */
struct anim_sink *anim_info_new(struct anim_output *, const struct anim_info_options *, struct anim_error *);

/* --- Shows what an archive's index says, for anim-pack --list --- */

/*
 * Prints a line for each clip and, under it, one for each track: node, property, type, kind, keys, times, columns aligned
 * within the clip. The output is borrowed. 0 or -1.
 */
int anim_archive_list(const struct anim_archive_index *, struct anim_output *, struct anim_error *);

#endif
