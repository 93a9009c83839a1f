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

enum anim_lint_level { ANIM_LINT_NOTE, ANIM_LINT_WARNING, ANIM_LINT_ERROR };

/* What is looked for; how scripts know it (`id`) stays as it is. Texts are sentences, `text` what a track's findings say. */
struct anim_lint_rule {
	const char *id;
	enum anim_lint_level level;
	const char *brief, *help, *text;
};
#define ANIM_LINT_RULES_MAX 44
extern const struct anim_lint_rule anim_lint_rules[ANIM_LINT_RULES_MAX]; /* the last one's id is NULL */

/* No finding of that rule is told, or with a glob only none whose file, clip or node it fits (anim_glob_match). */
struct anim_lint_ignored {
	unsigned rule; /* its number in anim_lint_rules */
	const char *glob;
};

/* How findings are told: a line each, one JSON document, SARIF 2.1.0, the commands of a workflow on GitHub. */
enum anim_lint_form { ANIM_LINT_TEXT, ANIM_LINT_JSON, ANIM_LINT_SARIF, ANIM_LINT_GITHUB };

struct anim_lint_options {
	enum anim_lint_target target;
	enum anim_lint_form form;
	const char *version; /* of the program, for SARIF; outlives the sink */
	bool loop_seam;      /* look at the seam of clips that loop */
	bool feet;           /* look for feet that slide farther than so much of their leg */
	unsigned feet_percent;
	size_t memory_max;                       /* what may wait in memory of them, in bytes; the rest in a file */
	const struct anim_lint_ignored *ignored; /* outlive the sink */
	size_t ignored_count;
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
