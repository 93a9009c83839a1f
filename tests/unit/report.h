/* report.h: records built by hand through the sinks of anim-info and anim-dump. */
#ifndef ANIM_TESTS_REPORT_H
#define ANIM_TESTS_REPORT_H

#include "base/buffer.h"
#include "filter/info/info.h"
#include "format/dump/dump.h"

#define REPORT_TEXT_MAX 16384

struct report {
	struct anim_output *out;
	struct anim_sink *sink;
	struct anim_diagnostics diagnostics;
	struct anim_error error;
	struct anim_buffer record;
	bool failed;
	char text[REPORT_TEXT_MAX];
};

void report_open_info(struct report *, enum anim_info_form);
void report_open_dump(struct report *);

/* Each passes something on unless the report failed before. */
void report_clip(struct report *, const struct anim_clip *);
void report_track(struct report *, const struct anim_track *);
void report_tree(struct report *); /* of Hero in hero.tscn */
void report_node(struct report *, const char *path, const char *type, unsigned kind, uint32_t parent);
void report_prog(struct report *);                     /* anim-resample with --rate 30 */
void report_unknown(struct report *, const char *tag); /* of the two bytes ca fe */

/* Ends the sink; its text, "" where it failed. */
const char *report_finish(struct report *);
void report_check(struct report *, const char *text); /* finishes and compares */

/* A clip "walk" of 1.5 s with ping-pong; a Linear float3 track of Box's scale with two keys. */
struct anim_clip report_make_clip(void);
struct anim_track report_make_track(void);

#endif
