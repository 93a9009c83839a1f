/* lint.h: a sink that looks for what would go wrong, in any player or in one, and tells of it, for anim-lint. */
#ifndef ANIM_FILTER_LINT_H
#define ANIM_FILTER_LINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

enum anim_lint_target {
	ANIM_LINT_ANY,
	ANIM_LINT_RESONITE,
	ANIM_LINT_UNITY,
	ANIM_LINT_GODOT,
	ANIM_LINT_GLTF,
	ANIM_LINT_COUNT
};

/* Their names; NULL for any. */
extern const char *const anim_lint_targets[ANIM_LINT_COUNT];

/* How scripts know the kinds of findings; NULL-terminated. */
extern const char *const anim_lint_kinds[];

struct anim_lint_options {
	enum anim_lint_target target;
	bool json;      /* one document instead of a line for each finding */
	bool loop_seam; /* look at the seam of clips that loop */
	bool feet;      /* look for feet that slide farther than so much of their leg */
	unsigned feet_percent;
	size_t memory_max; /* what may wait in memory of them, in bytes; the rest in a file */
	uint64_t ignored;  /* kinds that are no finding: 1 << number in anim_lint_kinds */
};

/*
 * Prints to the output (borrowed, not committed) as it goes, the sums of the document in end(). What is held is one
 * track's findings and the names of a file's clips, for Resonite of all files' tracks, of a clip's tracks and, for Unity and
 * Godot, of a tree's nodes, about 200 bytes each. NULL on failure. The findings are described in anim-lint(1).
 */
struct anim_sink *anim_lint_new(struct anim_output *, const struct anim_lint_options *, struct anim_error *);

/*
 * Around what flows in from each file; the name is copied. At its end what the reader told becomes findings: its faults
 * and warnings, and where `failure` is not NULL, why the file could not be read to its end, unless that is no matter of
 * its contents (anim_lint_is_fault): then the caller tells of it. 0 or -1.
 */
int anim_lint_begin_file(struct anim_sink *, const char *name, struct anim_error *);
int anim_lint_end_file(struct anim_sink *, const struct anim_diagnostics *, const struct anim_error *failure,
		       struct anim_error *);

/* True where an error of reading is the file's: what it holds, not that it cannot be opened or no memory is left. */
bool anim_lint_is_fault(const struct anim_error *);

uint64_t anim_lint_findings(const struct anim_sink *); /* how many there were so far */
bool anim_lint_is_broken(const struct anim_sink *);    /* its own output failed: nothing can be told any more */

#endif
