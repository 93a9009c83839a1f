/* document.h: a Unity text file document by document, AnimationClips field by field. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_DOCUMENT_H
#define ANIM_FORMAT_UNITY_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/input.h"
#include "format/unity/yaml.h"

struct unity_file;

/* A document's own line, "--- !u!74 &7400000 stripped". */
struct unity_document {
	int32_t class_id; /* 74: AnimationClip; where the line has none, by the type's name below it; -1: not known */
	int64_t id;       /* fileID; one beyond int64 wraps, as unity_int64 has it; 0 where the line has none */
	bool stripped;
	uint32_t line; /* of "---", from 1 */
};

/*
 * Opens a file on an input, which is borrowed and must stay. Refuses by name, before anything is parsed: empty files,
 * binary assets, asset bundles, Git LFS pointers, the text of a symbolic link, UTF-16, files without "--- " lines. 0 or
 * -1. A NUL byte and the marks of a merge conflict are refused where they are met, by any function below.
 */
int unity_file_open(struct unity_file **, struct anim_input *, struct anim_error *);
void unity_file_close(struct unity_file *); /* NULL is allowed; the input stays open */

/*
 * The next document, what is left of the one before skipped unread. 1; 0 at the end of the file, or where a fault before
 * was one of the whole file; -1. Errors of all functions here: ANIM_BAD_INPUT, ANIM_TOO_LARGE and ANIM_UNSUPPORTED, with
 * a place, are faults of this document alone, the next one can be asked for; other codes end the run.
 */
int unity_file_next(struct unity_file *, struct unity_document *);

/* True after a fault of the whole file (a NUL byte, a merge conflict): there is nothing more to be read. */
bool unity_file_is_broken(const struct unity_file *);

/*
 * Reads the document whole: *root is the node of its type ("GameObject"), a map of its fields; a scalar without text
 * where there is nothing below. Curves are lists of maps here. Call it or unity_clip_next, once after unity_file_next.
 * Everything lives in the arena. 0 or -1.
 */
int unity_document_tree(struct unity_file *, struct anim_arena *, const struct unity_node **root);

/* A field of an AnimationClip, or one item of a field that is a list. */
struct unity_field {
	const char *name; /* m_RotationCurves */
	bool is_item;
	size_t item;                   /* from 0 */
	const struct unity_node *node; /* the field's value, or the item; its key is the field's name */
};

/*
 * Before unity_clip_next: which fields are read. wanted(context, name) is asked when every field before that one has
 * been handed out; one that is not wanted is passed over unread. NULL: all.
 */
void unity_clip_want(struct unity_file *, bool (*wanted)(void *context, const char *name), void *context);

/* Behind unity_clip_want: where this field is a map, its own fields are asked for and handed out in its place. */
void unity_clip_enter(struct unity_file *, const char *name);

/*
 * The next field of the document in the order of the file: 1, 0 at its end, -1. A list hands out its items one by one,
 * an empty list itself (is_item false). Lists under "m_Curve" are nodes of kind UNITY_KEYS; their columns stay until the
 * next call. Nodes and names live in the arena, which the caller may reset between calls.
 */
int unity_clip_next(struct unity_file *, struct anim_arena *, struct unity_field *);

/* Reads keys by libfyaml too: the plain way, kept as the test of the fast one. */
void unity_file_slow(struct unity_file *);

/* The place of a node, for messages. */
void unity_place(const struct unity_file *, const struct unity_node *, struct anim_place *);

#endif
