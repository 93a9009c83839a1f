/* report.h: the findings of anim-lint, and how they are counted and printed. Private to lib/filter. */
#ifndef ANIM_FILTER_LINT_REPORT_H
#define ANIM_FILTER_LINT_REPORT_H

#include "base/print.h"
#include "filter/lint/checks.h"

/* One finding. Texts are borrowed. NULL if the finding is not about such an item. */
struct lint_finding {
	enum lint_kind kind;
	const struct anim_place *place; /* in the file, as its reader reported it */
	const char *clip, *node;
	const char *noun;               /* kind of the subject in `node`, or NULL for a node */
	const struct anim_track *track; /* its node, property and component */
	size_t key;                     /* the first key, counted from 0; LINT_NO_KEY: none */
	uint64_t count;                 /* number of occurrences, at least 1 */
	const char *message;
};

/* The state of the output: where findings are reported, and their counts. */
struct lint_report {
	struct anim_print print; /* its error is set at each call */
	struct anim_arena scratch;
	enum anim_lint_target target;
	const char *target_name;
	const struct lint_form *form;
	const struct anim_advisor *advisor;
	const char *version;
	const struct anim_lint_ignored *ignored;
	size_t ignored_count;
	const char *file;        /* the current file; owned by the sink */
	struct anim_buffer text; /* of a finding, if it is printed in quotes */
	uint64_t files, unreadable, clips, tracks, keys, findings, found[LINT_KIND_COUNT];
};

/*
 * The functions of an output format. Errors are stored in the report's print. `begin` is called before the first
 * finding. A report without findings calls it just before its end.
 */
struct lint_form {
	void (*begin)(struct lint_report *); /* may be NULL */
	void (*finding)(struct lint_report *, const struct lint_finding *);
	void (*end)(struct lint_report *); /* may be NULL */
};
extern const struct lint_form lint_sarif, lint_github;

void lint_report_init(struct lint_report *, struct anim_output *, const struct anim_lint_options *);
void lint_report_clear(struct lint_report *);
int lint_report_finding(struct lint_report *, const struct lint_finding *, struct anim_error *); /* 0 or -1 */
int lint_report_end(struct lint_report *, struct anim_error *); /* prints the end of the document */

#endif
