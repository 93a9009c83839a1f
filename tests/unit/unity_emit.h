/* unity_emit.h: a .anim in the making, for the tests of its writer. */
#ifndef ANIM_TESTS_UNITY_EMIT_H
#define ANIM_TESTS_UNITY_EMIT_H

#include "format/unity/unity.h"

#define EMIT_TEXT_MAX 65536

/* Options and clip may be changed between start and the first node or track. */
struct unity_emit {
	struct anim_write_options options;
	struct anim_clip clip;
	struct anim_diagnostics diagnostics;
	struct anim_error error;
	struct anim_output *out;
	struct anim_sink *sink;
	bool failed, in_clip;
	char text[EMIT_TEXT_MAX];
};

/* A clip "walk" of 1 s from Godot, in Unity's axes. */
void emit_start(struct unity_emit *);

/* A node of the tree; the first one begins it and should be the root. */
void emit_node(struct unity_emit *, enum anim_node_kind, uint32_t parent, const char *path, const char *type);
void emit_track(struct unity_emit *, const struct anim_track *);

/* Ends the document; its text, "" where it failed. Diagnostics stay until discard. */
const char *emit_finish(struct unity_emit *);
void emit_discard(struct unity_emit *);

/* Finish and discard; the text must hold these lines, or must not; the failure must have this message. */
void emit_check(struct unity_emit *, const char *lines);
void emit_check_error(struct unity_emit *, const char *message);

/* The message of diagnostic i, "" where there are fewer. */
const char *emit_diagnostic(const struct unity_emit *, size_t i);

/* A track of the property with the columns; Linear, or Hold where it is Discrete. Node "A/Box". */
struct anim_track emit_make(enum anim_kind, enum anim_type, const char *property, size_t n, const float *time,
			    const void *value);

#endif
