/* document.h: one Godot file taken apart: resources by id, libraries, players, nodes. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_DOCUMENT_H
#define ANIM_FORMAT_GODOT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/path.h"
#include "format/godot/animation.h"
#include "format/godot/scene.h"
#include "format/read.h"

/* ---- What no stream holds ---- */

enum godot_lost_kind {
	GODOT_LOST_SCRIPT,
	GODOT_LOST_MESH,
	GODOT_LOST_SHAPE,
	GODOT_LOST_MATERIAL,
	GODOT_LOST_TEXTURE,
	GODOT_LOST_SCENE, /* that nodes are instances of */
	GODOT_LOST_EXTERNAL,
	GODOT_LOST_SUB,
	GODOT_LOST_SETTING, /* of a node */
	GODOT_LOST_GROUP,
	GODOT_LOST_CONNECTION,
	GODOT_LOST_KINDS
};

/* All-zero is nothing. */
struct godot_lost {
	size_t count[GODOT_LOST_KINDS];
};

/* ---- Other files ---- */

struct godot_context;
struct godot_document;

struct godot_external {
	const char *id, *path, *uid, *type; /* empty where the file gives none */
	bool played;                        /* an animation, a library or a player names it */
};

/* What a file says of its resources. All-zero is empty. */
struct godot_externals {
	struct anim_map ids;             /* of ext_resources -> number in items */
	struct anim_buffer items;        /* struct godot_external */
	struct anim_map subs;            /* ids of the sub_resources so far, of all types */
	struct anim_map looked;          /* paths of Resource("path") -> 1 there is no such file, 0 there may be */
	struct godot_context *context;   /* of the run; NULL: files are not looked for */
	struct godot_document *document; /* the file itself */
};

/* Texts are borrowed; an id that comes again replaces. 0 or -1. */
const struct godot_external *godot_externals_find(const struct godot_externals *, const char *id, size_t length);

/* The folder that res:// means, and below which alone files are opened: the file's own where no project.godot is found. */
struct godot_project {
	struct anim_project at;
	unsigned files; /* opened so far */
};

/* What an opened file is wanted for. */
enum godot_want { GODOT_WANT_ALL, GODOT_WANT_ANIMATIONS, GODOT_WANT_NODES };

/*
 * The document behind `path` as `from` writes it, read once and kept by the context. 1: *document; 0: it cannot be read and
 * *why (the context's) says why; -1: error.
 */
int godot_external_document(struct godot_context *, const struct godot_document *from, const char *path,
			    enum godot_want, struct godot_document **document, const char **why);

/* ---- Players and libraries ---- */

struct godot_parse;

enum godot_reference_kind {
	GODOT_REFERENCE_NONE,
	GODOT_REFERENCE_SUB,
	GODOT_REFERENCE_EXTERNAL,
	GODOT_REFERENCE_PATH /* Resource("res://x.tres"), perhaps with ::id */
};
struct godot_reference {
	enum godot_reference_kind kind;
	const char *id;                        /* or the path */
	const struct godot_document *document; /* whose ids these are */
	const char *file;                      /* path as written, of the base scene that has it; NULL: none */
	struct anim_place place;
};

/* A named reference: an animation of a library, or a library of a player. They lie in context->slots. */
struct godot_slot {
	const char *name;
	struct godot_reference to;
	uint64_t from, comma,
	    to_end;    /* offsets: the end of what is before it, the comma behind that (0: none), its own end */
	uint32_t next; /* number + 1, 0: the last */
};

/* Named references in the order of the file; a name that comes again replaces what it named. All-zero is empty. */
struct godot_slots {
	uint32_t first, last; /* number + 1, 0: none */
	uint64_t scope;       /* of context->names; 0 until the first comes */
	uint64_t insert;      /* offset behind the last entry of its dictionary; 0: the file gives it none */
};

struct godot_library {
	const char *id;
	struct godot_slots animations;
	bool used;
	size_t section; /* of an outline */
};

struct godot_player {
	uint32_t node;
	const char *root_node, *autoplay; /* as written, NULL */
	struct godot_slots libraries;     /* to AnimationLibrary */
	struct godot_slots own;           /* anims/NAME: to Animation */
	bool inherited;                   /* has libraries of a base scene */
	bool listed;                      /* among the document's players: it names a library or an animation */
	size_t section;                   /* of an outline */
	const char *path;                 /* from the root of a file that is written into */
	struct godot_player *next;        /* of the document, in the order of the file */
};

/* One clip to write: an animation under a name. `document` and `animation` tell which (document->animations). */
struct godot_cue {
	const char *name;
	const struct godot_player *player; /* NULL: none */
	const struct godot_document *document;
	size_t animation;
	const char *file; /* path as written, where the clip is another file's; else NULL */
};

/* Puts the reference under its name, which is borrowed; a name that was there keeps its place in the order. 0 or -1. */
int godot_slots_put(struct godot_context *, struct godot_slots *, struct godot_slot);

/* Reads the value at the cursor as a reference under the name, which is copied. 0 or -1. */
int godot_slot_read(struct godot_parse *, struct godot_slots *, const struct godot_string *name);

/* A dictionary of references at the cursor; anything else is passed over. 0 or -1. */
int godot_slots_read(struct godot_parse *, struct godot_slots *);

/* ---- One file ---- */

/* One run of the reader: what all its files share. */
struct godot_context {
	const struct anim_read_options *options;
	struct anim_error *error;
	const char *base_name; /* of the source without suffix: names what has no name */
	struct anim_store *store;
	struct anim_arena arena;    /* all texts and nodes of the documents */
	struct anim_map names;      /* slots by name (scope: slots->scope), class names (scope 0) */
	struct anim_buffer slots;   /* struct godot_slot */
	struct anim_buffer classes; /* const char *: class names, each once */
	uint64_t scopes;            /* given out */
	struct anim_map made;       /* file names -> number in `makes` */
	struct anim_buffer makes;   /* const char *: what stands for such a file */
	size_t instanced_nodes;
	bool outline; /* Animations are not read: it is noted where they stand, as all sections */
	struct godot_project project;
	struct godot_document *documents; /* every file opened; the first is the run's own */
};

static inline struct godot_slot *godot_slot_at(const struct godot_context *context, uint32_t number)
{
	return (struct godot_slot *)context->slots.data + number;
}

/* Reads the run's own input into its document. 0, or -1: the error, or faults. */
int godot_context_read(struct godot_context *, struct anim_input *);
/* Faults that cannot be left out end the run; they were reported one by one. 0 or -1. */
int godot_context_check(const struct godot_context *);
void godot_context_clear(struct godot_context *);

/* Properties of an Animation that a writer writes, in offsets. */
struct godot_run {
	uint64_t before; /* the end of what is before them */
	uint64_t from, to;
	bool tracks; /* one of them is a track's */
};

/* One Animation resource. The clip is the store's; a faulty one has none, nor has any of an outline. */
struct godot_clip {
	const char *id; /* empty for [resource] */
	struct godot_animation head;
	size_t clip;
	bool faulty, used, replaced;
	size_t section, first_run, runs; /* of an outline: runs of properties that a writer writes, of document->runs */
};

/* A tag and the properties behind it, of an outline. */
struct godot_section {
	uint64_t tag, body, end; /* offsets: of its '[', behind its ']', behind its last value */
	char name[32];
	uint32_t node; /* of a [node]: its number in the tree; else GODOT_NO_NODE */
};

enum godot_document_kind { GODOT_FRAGMENT, GODOT_SCENE, GODOT_RESOURCE_FILE };

/* All-zero before reading. */
struct godot_document {
	const char *shown; /* for messages */
	struct anim_location location;
	enum godot_want want;
	enum godot_document_kind kind;
	const char *resource_type; /* of [gd_resource] */
	int format;
	unsigned depth;   /* 0: the run's own */
	struct stat info; /* of another file, of an outline */
	bool gzip;        /* it was */
	bool reading;
	const char *why; /* it could not be read; else NULL */
	struct godot_externals externals;
	struct godot_lost lost;       /* but ext_resources: what of them is played is known at the end */
	struct anim_map ids;          /* of sub_resources: (scope, id) -> number */
	struct anim_buffer clips;     /* struct godot_clip */
	struct anim_buffer libraries; /* struct godot_library */
	struct anim_buffer sections;  /* struct godot_section, of an outline */
	struct anim_buffer runs;      /* struct godot_run */
	bool name_keys, string_keys;  /* keys of libraries that are StringNames, Strings */
	bool load_steps;              /* the head has them */
	struct godot_tree tree;
	struct godot_player *players, **last_player;
	bool has_resource;              /* [resource] came */
	size_t main_clip, main_library; /* number + 1, 0: none */
	struct godot_document *next;
};

/* A document while it is read. */
struct godot_parse {
	struct godot_context *context;
	struct anim_error *error; /* the context's */
	struct godot_document *document;
	struct godot_text *text;
	struct anim_arena scratch; /* values; reset at each property */
};

#define GODOT_SCOPE_ANIMATION 1u
#define GODOT_SCOPE_LIBRARY 2u

size_t godot_section_last(const struct godot_document *); /* the number of the section being read, of an outline */
void godot_section_node(struct godot_document *, uint32_t node); /* that it is of this node; nothing where it is none */
struct godot_clip *godot_document_clip(const struct godot_document *, size_t number);
struct godot_library *godot_document_library(const struct godot_document *, size_t number);

#define GODOT_LEFT_TEXT 320 /* bytes that any text of it fits in */

/* What of the document, which was read to its end, no stream holds: "2 scripts, a mesh and 3 ext_resources", or empty. */
void godot_document_left(const struct godot_document *, char text[GODOT_LEFT_TEXT]);

/* A message about a place of the document. 0 or -1. */
int godot_document_say(const struct godot_context *, const struct godot_document *, enum anim_severity,
		       const struct anim_place *, const char *many, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* The same of what is being read; a fault stands alone. The name of the last: anim_diagnostics_name. */
#define godot_parse_warn(parse, ...) godot_document_say((parse)->context, (parse)->document, ANIM_WARNING, __VA_ARGS__)
#define godot_parse_fault(parse, place, ...) \
	godot_document_say((parse)->context, (parse)->document, ANIM_FAULT, place, NULL, __VA_ARGS__)
#define godot_parse_name(parse, ...) \
	anim_diagnostics_name((parse)->context->options->diagnostics, (parse)->error, __VA_ARGS__)

/* Copies a text into the arena; NULL out of memory. */
const char *godot_keep(struct godot_context *, const struct godot_string *);

/*
 * Reads the outline of the context's own document, and what is played where, as anim_godot_read lists it: `cues` (struct
 * godot_cue). 0; -1 also for a file with faults.
 */
int godot_outline_read(struct godot_context *, struct anim_input *, struct anim_buffer *cues);

/* The player's path from the root of the scene; in the arena, NULL out of memory. */
const char *godot_player_path(const struct godot_document *, const struct godot_player *, struct anim_arena *,
			      struct anim_error *);

/* Reads a [node] with its properties. 0 or -1. */
int godot_node_read(struct godot_parse *, const struct godot_tag *);

#endif
