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

/* ---- Where a node of the stream lies in Unity's hierarchy, as the path of a curve ---- */

/* How the nodes of a clip are written, by its source. */
enum unity_nodes {
	UNITY_NODES_PATHS, /* Unity's own: ':' and '%' are letters like others */
	UNITY_NODES_GODOT, /* "A/Skeleton3D:Hips" is a bone, "%Name" the one node of that name */
	UNITY_NODES_BARE,  /* AnimJ, AnimX: bare names of slots */
	UNITY_NODES_OTHER  /* paths and bones */
};

/* All-zero is empty. */
struct unity_target {
	struct anim_buffer nodes; /* of the last tree: private */
	struct anim_map names;    /* their paths and last names */
	struct anim_arena arena;  /* of the nodes' texts */
	bool in_tree;             /* the clip belongs to that tree */
	enum unity_nodes kind;
	const char *source; /* of the clip */
	const char *root;   /* path in the tree of the animation's root, in the arena; NULL: outside of it */
};

/* ---- The writer ---- */

/* Where a track of the store goes. Texts are in the writer's `kept` arena. */
struct unity_plan {
	enum unity_list list;
	const char *path;
	const char *property; /* the track's, or what it is called in Unity */
	int64_t class_hint;
};

/* One event and where its JSON lies in event_texts. */
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
	struct anim_error *error; /* of the call that is at work */
	struct anim_write_options options;
	struct anim_output *out;
	struct anim_store *store;
	size_t clip;        /* its number there */
	bool borrows_store; /* it is another writer's */
	struct unity_target target;
	struct anim_arena kept, scratch; /* scratch: of the track at hand */
	struct anim_buffer plans;        /* struct unity_plan, one a track of the store */
	struct anim_buffer bindings;     /* struct unity_generic_binding */
	bool unknown_binding;            /* a curve whose row is not known: no rows are written */
	bool root_moves;                 /* a curve turns or moves the animated object itself */
	struct anim_text_set curves;     /* path, class and attribute of those from elsewhere */
	struct anim_text_set references; /* of PPtr keys */
	struct anim_buffer mapping;      /* the lines of pptrCurveMapping */
	struct anim_buffer events;       /* struct unity_queued_event */
	struct anim_buffer event_texts;
	size_t event_tracks;
	bool in_clip, is_unity;             /* is_unity: the clip came from Unity */
	const struct unity_kept *kept_clip; /* of a file that the clip is put into: the one whose place it takes */
	bool keeps_tracks;                  /* in it: its tracks are the file's own, whose lines stay */
	struct unity_writer *next;          /* of another clip that is put into it */
	bool wrote_lists, wrote_events;     /* in it */
	bool crlf;                          /* its lines end so */
	bool all_flags;                     /* of a version whose float and PPtr curves all have flags */
};

static inline const struct anim_clip *unity_writer_clip(const struct unity_writer *writer)
{
	return anim_store_clip(writer->store, writer->clip);
}

#define UNITY_REFERENCE_MAX 192u

/* Key k of a string track as a reference of Unity's; "{fileID: 0}" and false where it is a text, but none. */
bool unity_reference_of(const struct anim_track *, size_t k, char out[UNITY_REFERENCE_MAX]);

/* The whole document: writer_print.c. 0 or -1. */
int unity_document_print(struct unity_writer *);

/* What the clip has to say in a field of a file's document: 1 printed (lists all where the first is asked for), 0 nothing, -1. */
int unity_document_part(struct unity_writer *, const char *key);

#endif
