/* document.h: read a Unity text file by documents, and AnimationClips by fields. Internal to format/unity. */
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

#define UNITY_CLIP_CLASS 74 /* AnimationClip */

/* The first line of a document, "--- !u!74 &7400000 stripped". */
struct unity_document {
	/* if the line has none, found by the name of the type below it; -1: not known */
	int32_t class_id;
	int64_t id; /* fileID; a number beyond int64 wraps, as in unity_int64; 0 if the line has none */
	bool stripped;
	uint32_t line; /* of "---", from 1 */
};

/*
 * Open a file on an input, which is borrowed and must stay open. Before parsing anything, it refuses these with a
 * specific message: empty files, binary assets, asset bundles, Git LFS pointers, the text of a symbolic link, UTF-16,
 * files without "--- " lines. Returns 0 or -1. All functions below refuse a NUL byte and the marks of a merge conflict
 * when they reach them.
 */
int unity_file_open(struct unity_file **, struct anim_input *, struct anim_error *);
void unity_file_close(struct unity_file *); /* NULL is allowed; the input stays open */

/*
 * Go to the next document, and skip the unread rest of the one before. Returns 1, or 0 at the end of the file or after
 * an error of the whole file, or -1. For all functions here, the errors ANIM_BAD_INPUT, ANIM_TOO_LARGE and
 * ANIM_UNSUPPORTED with a place concern only this document, so the next one can be read. Other codes end the run.
 */
int unity_file_next(struct unity_file *, struct unity_document *);

/* Return true after an error of the whole file (a NUL byte, a merge conflict). Nothing more can be read. */
bool unity_file_is_broken(const struct unity_file *);

/*
 * Read the document completely. *root is the node of its type ("GameObject"): a map of its fields, or a scalar without
 * text if it is empty. Curves are lists of maps here. Call either this or unity_clip_next, once after unity_file_next.
 * Everything is in the arena. Returns 0 or -1.
 */
int unity_document_tree(struct unity_file *, struct anim_arena *, const struct unity_node **root);

/* A field of an AnimationClip, or one item of a field that is a list. */
struct unity_field {
	const char *name; /* for example m_RotationCurves */
	bool is_item;
	size_t item;                   /* from 0 */
	const struct unity_node *node; /* the value of the field, or the item; its key is the name of the field */
};

/*
 * Set, before unity_clip_next, which fields to read. wanted(context, name) is called after every earlier field was
 * returned. A field that is not wanted is skipped unread. NULL: read all.
 */
void unity_clip_want(struct unity_file *, bool (*wanted)(void *context, const char *name), void *context);

/*
 * After unity_clip_want: if a field with one of these names (with blanks between them) is a map, its own fields are filtered and
 * returned instead of it.
 */
void unity_clip_enter(struct unity_file *, const char *names);

/*
 * Get the next field of the document, in the order of the file. Returns 1, 0 at its end, or -1. The items of a list are
 * returned one by one; an empty list is returned itself (is_item false). Lists under "m_Curve" are nodes of kind
 * UNITY_KEYS, whose columns are valid until the next call. Nodes and names are in the arena, which the caller may reset
 * between calls.
 */
int unity_clip_next(struct unity_file *, struct anim_arena *, struct unity_field *);

/* Read keys with libfyaml as well. This is the plain way, kept to test the fast one. */
void unity_file_slow(struct unity_file *);

/* Get the place of a node, for messages. */
void unity_place(const struct unity_file *, const struct unity_node *, struct anim_place *);

#endif
