/* writer.h: the parts of the .anim writer. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_WRITER_H
#define ANIM_FORMAT_UNITY_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/map.h"
#include "clip/track.h"
#include "format/unity/names.h"
#include "format/unity/unity.h"
#include "format/unity/yaml.h"
#include "stream/store.h"

/* ---- The path of a curve in Unity's hierarchy for a node of the stream ---- */

/* The spelling of the nodes of a clip, by its source. */
enum unity_nodes {
	UNITY_NODES_PATHS, /* Unity's own: ':' and '%' are ordinary characters */
	UNITY_NODES_GODOT, /* "A/Skeleton3D:Hips" is a bone, "%Name" the one node of that name */
	UNITY_NODES_BARE,  /* AnimJ, AnimX: names of slots without a path */
	UNITY_NODES_OTHER  /* paths and bones */
};

/* All-zero is empty. */
struct unity_target {
	struct anim_buffer nodes; /* of the last tree: private */
	struct anim_map names;    /* their paths and last names */
	struct anim_arena arena;  /* for the texts of the nodes */
	bool in_tree;             /* the clip belongs to that tree */
	enum unity_nodes kind;
	const char *source; /* of the clip */
	const char *root;   /* path in the tree of the animation's root, in the arena, NULL: outside the tree */
};

/* ---- The writer ---- */

/* The destination of a track in the store. Texts are in the writer's `kept` arena. */
struct unity_plan {
	enum unity_list list;
	const char *path;
};

/* An event, and the place of its JSON in event_texts. */
struct unity_queued_event {
	float time_s;
	uint32_t length;
	size_t at, number;
};

/* A row of m_ClipBindingConstant. */
struct unity_generic_binding {
	uint32_t path, attribute; /* CRC-32 of the texts; transforms: 1 position, 2 rotation, 3 scale, 4 Euler */
	int32_t class_id, custom;
};

struct unity_writer {
	struct anim_sink sink;
	struct anim_error *error; /* of the current call */
	struct anim_write_options options;
	struct anim_output *out;
	struct anim_store *store;
	size_t clip;        /* its number there */
	bool borrows_store; /* it belongs to another writer */
	struct unity_target target;
	struct anim_arena kept, scratch; /* scratch: for the current track */
	struct anim_buffer plans;        /* struct unity_plan, one per track of the store */
	struct anim_buffer bindings;     /* struct unity_generic_binding */
	bool unknown_binding;            /* the row of a curve is not known, so no rows are written */
	bool root_moves;                 /* a curve rotates or moves the animated object itself */
	struct anim_text_set curves;     /* path, class and attribute of curves that are not from Unity */
	struct anim_text_set references; /* of PPtr keys */
	struct anim_buffer mapping;      /* the lines of pptrCurveMapping */
	struct anim_buffer events;       /* struct unity_queued_event */
	struct anim_buffer event_texts;
	size_t event_tracks;
	bool in_clip, is_unity;             /* is_unity: the clip came from Unity */
	const struct unity_kept *kept_clip; /* with --into: the clip in the file that this one replaces */
	bool keeps_tracks;                  /* with --into: its tracks are the file's own, so their lines stay */
	struct unity_writer *next;          /* of another clip for the same file */
	bool wrote_lists, wrote_events;     /* with --into: already written */
	bool crlf;                          /* with --into: lines end with CR LF */
	bool all_flags;                     /* for a version in which all float and PPtr curves have flags */
};

static inline const struct anim_clip *unity_writer_clip(const struct unity_writer *writer)
{
	return anim_store_clip(writer->store, writer->clip);
}

#define UNITY_REFERENCE_MAX 192u

/* Write key k of a string track as a Unity reference. If it is another text, writes "{fileID: 0}" and returns false. */
bool unity_reference_of(const struct anim_track *, size_t k, char out[UNITY_REFERENCE_MAX]);

/* Write the whole document: writer_print.c. Returns 0 or -1. */
int unity_document_print(struct unity_writer *);

/*
 * Print the clip's own data for a field of a file's document. Returns 1 if it was printed (all lists when the first is
 * requested), 0 if the clip has none for it, or -1.
 */
int unity_document_part(struct unity_writer *, const char *key);

/* ---- The sinks ---- */

/* A clip of the file. Texts are in the sink's arena. */
struct unity_kept {
	const char *name;
	uint32_t line; /* of its document */
	struct anim_attrs attrs;
	bool faulty, replaced;
	struct anim_store *store, *came; /* its tracks in the file, and the tracks of the clip that replaces it */
	const char *lost;                /* warning about data that replacing it would lose, NULL: none */
	struct anim_place place;
};

/* Create a writer. With store NULL it has its own store, otherwise it adds a clip to that one. NULL on failure. */
struct unity_writer *unity_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_store *,
				      struct anim_error *);

/* Create a sink that puts clips into the file in options->into, with one writer per clip. NULL on failure. */
struct anim_sink *unity_into_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

#endif
