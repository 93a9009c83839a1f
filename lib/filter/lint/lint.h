/* lint.h: a sink that finds problems in clips, for all players or for one, for anim-lint. */
#ifndef ANIM_FILTER_LINT_H
#define ANIM_FILTER_LINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/output.h"
#include "clip/caps.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

enum anim_lint_target {
	ANIM_LINT_ANY,
	ANIM_LINT_RESONITE,
	ANIM_LINT_UNITY,
	ANIM_LINT_GODOT,
	ANIM_LINT_GLTF,
	ANIM_LINT_FBX,
	ANIM_LINT_VMD,
	ANIM_LINT_COUNT
};

/* Names of the targets. NULL for ANIM_LINT_ANY. */
extern const char *const anim_lint_targets[ANIM_LINT_COUNT];

enum anim_lint_level { ANIM_LINT_NOTE, ANIM_LINT_WARNING, ANIM_LINT_ERROR };

/*
 * A kind of problem. Scripts use the `id`, so it never changes. Texts are sentences. `text` is the message of a track's
 * findings.
 */
struct anim_lint_rule {
	const char *id;
	enum anim_lint_level level;
	const char *brief, *help, *text;
};
#define ANIM_LINT_RULES_MAX 52
extern const struct anim_lint_rule anim_lint_rules[ANIM_LINT_RULES_MAX]; /* the last one's id is NULL */

/*
 * Do not report findings of the rule. With a glob, only findings whose file, clip or node matches it (anim_glob_match)
 * are ignored.
 */
struct anim_lint_ignored {
	unsigned rule; /* index in anim_lint_rules */
	const char *glob;
};

/* Output format: one line per finding, one JSON document, SARIF 2.1.0, or workflow commands of GitHub. */
enum anim_lint_form { ANIM_LINT_TEXT, ANIM_LINT_JSON, ANIM_LINT_SARIF, ANIM_LINT_GITHUB };

struct anim_lint_options {
	enum anim_lint_target target;
	enum anim_lint_form form;
	const struct anim_advisor *advisor; /* words for remedies (borrowed) */
	const char *version;                /* of the program, for SARIF; must outlive the sink */
	/* capabilities of the target's writer (borrowed), to report the errors of a conversion, or NULL */
	const struct anim_caps *caps;
	bool loop_seam; /* check the loop point of looping clips */
	bool feet;      /* report feet that slide, float or sink farther than feet_percent of the leg length */
	unsigned feet_percent;
	size_t memory_max; /* largest size in memory of the feet's data, in bytes; more is stored in a file */
	const struct anim_lint_ignored *ignored; /* must outlive the sink */
	size_t ignored_count;
};

/*
 * Return a sink that prints findings to the output (borrowed, not committed), or NULL on failure. It prints findings as
 * they are found, and the totals of a document in end(). In memory it keeps the findings of one track and the clip
 * names of a file. For Resonite it also keeps the tracks of all files, and for Unity and Godot the tracks of a clip and
 * the nodes of a tree, about 200 bytes each. The findings are described in anim-lint(1).
 */
struct anim_sink *anim_lint_new(struct anim_output *, const struct anim_lint_options *, struct anim_error *);

/*
 * Begin and end the records of a file. The name is copied. At the end of a file, the reader's errors and warnings
 * become findings. If `failure` is not NULL, it says why the file could not be read to its end. It becomes a finding if
 * it is about the file's contents (anim_lint_is_fault), otherwise the caller reports it. Returns 0 or -1.
 */
int anim_lint_begin_file(struct anim_sink *, const char *name, struct anim_error *);
int anim_lint_end_file(struct anim_sink *, const struct anim_diagnostics *, const struct anim_error *failure,
		       struct anim_error *);

/* Return whether a read error is about the contents of the file, and not about opening it or about memory. */
bool anim_lint_is_fault(const struct anim_error *);

uint64_t anim_lint_findings(const struct anim_sink *); /* number of findings so far */
bool anim_lint_is_broken(const struct anim_sink *); /* the sink's own output failed: no more findings can be reported */

#endif
