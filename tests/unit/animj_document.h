/* animj_document.h: an AnimJ document in the making, for the tests of its writer. */
#ifndef ANIM_TESTS_ANIMJ_DOCUMENT_H
#define ANIM_TESTS_ANIMJ_DOCUMENT_H

#include "format/animj/animj.h"

#define ANIMJ_TEXT_MAX 65536

/* Options, clip and root name may be changed between start and the first track. */
struct animj_document {
	struct anim_write_options options;
	struct anim_clip clip;
	const char *root_name; /* NULL: no tree */
	struct anim_diagnostics diagnostics;
	struct anim_error error;
	struct anim_output *out;
	struct anim_sink *sink;
	bool failed;
	char text[ANIMJ_TEXT_MAX];
};

extern const float animj_two_times[2]; /* 0, 0.5 */

/* A clip "walk" of 1 s from Godot, in Resonite's axes. */
void animj_start(struct animj_document *);

/* Writes tree and clip, once; add does it where it was not done. */
void animj_document_open(struct animj_document *);
void animj_add(struct animj_document *, const struct anim_track *);

/* Ends the document; its text, "" where it failed. Diagnostics stay until discard. */
const char *animj_finish(struct animj_document *);
void animj_discard(struct animj_document *);

/* Finish, check and discard: the keyframes of the only track; the message of the failure. */
void animj_check_keys(struct animj_document *, const char *keys);
void animj_check_error(struct animj_document *, const char *message);

/* The message of diagnostic i, "" where there are fewer. */
const char *animj_diagnostic(const struct animj_document *, size_t i);

/* A track of A/Box with the columns; Linear, or Hold where it is Discrete. */
struct anim_track animj_make(enum anim_kind, enum anim_type, const char *property, size_t n, const float *time,
			     const void *value);

#endif
