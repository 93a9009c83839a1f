/* document.h: the parts of one Godot file: resources by id, libraries, players, nodes. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_DOCUMENT_H
#define ANIM_FORMAT_GODOT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/path.h"
#include "base/system.h"
#include "format/godot/animation.h"
#include "format/godot/scene.h"
#include "format/read.h"

/* ---- Parts of a file that no stream can hold ---- */

enum godot_lost_kind {
	GODOT_LOST_SCRIPT,
	GODOT_LOST_MESH,
	GODOT_LOST_SHAPE,
	GODOT_LOST_MATERIAL,
	GODOT_LOST_TEXTURE,
	GODOT_LOST_SCENE, /* scenes that nodes are instances of */
	GODOT_LOST_EXTERNAL,
	GODOT_LOST_SUB,
	GODOT_LOST_SETTING, /* a property of a node */
	GODOT_LOST_GROUP,
	GODOT_LOST_CONNECTION,
	GODOT_LOST_ADDED, /* metadata or a script of an animation or a library */
	GODOT_LOST_KINDS
};

/* The number of such parts, by kind. All-zero means none. */
struct godot_lost {
	size_t count[GODOT_LOST_KINDS];
};

/* ---- Other files ---- */

struct godot_context;
struct godot_document;

struct godot_external {
	const char *id, *path, *uid, *type; /* empty if the file gives none */
	bool played;                        /* an animation, a library or a player refers to it */
};

/* The resources that a file declares. All-zero is empty. */
struct godot_externals {
	struct anim_map ids;      /* ids of ext_resources -> number in items */
	struct anim_buffer items; /* array of struct godot_external */
	struct anim_map subs;     /* ids of the sub_resources read so far, of all types */
	/* paths of Resource("path") -> 1 if the file is missing, 0 if it may exist */
	struct anim_map looked;
	struct godot_context *context;   /* NULL: files are not looked for */
	struct godot_document *document; /* the file itself */
};

/* Return the ext_resource of an id, or NULL. If an id occurs twice, the later one counts. */
const struct godot_external *godot_externals_find(const struct godot_externals *, const char *id, size_t length);

/*
 * The folder that res:// means. Only files below it are opened. It is the folder of the file itself if no project.godot
 * is found.
 */
struct godot_project {
	struct anim_project at;
	unsigned files; /* number of files opened so far */
};

/* The parts that are needed from an opened file. */
enum godot_want { GODOT_WANT_ALL, GODOT_WANT_ANIMATIONS, GODOT_WANT_NODES };

/*
 * Find the document of `path`, as `from` spells it. Each file is read once and kept by the context. Returns 1 with
 * *document set, 0 if the file cannot be read, with the reason in *why (owned by the context), or -1 on error.
 */
int godot_external_document(struct godot_context *, const struct godot_document *from, const char *path,
			    enum godot_want, struct godot_document **document, const char **why);

/* ---- Players and libraries ---- */

struct godot_parse;

enum godot_reference_kind {
	GODOT_REFERENCE_NONE,
	GODOT_REFERENCE_SUB,
	GODOT_REFERENCE_EXTERNAL,
	GODOT_REFERENCE_PATH /* Resource("res://x.tres"), which may end in ::id */
};
struct godot_reference {
	enum godot_reference_kind kind;
	const char *id;                        /* or the path */
	const struct godot_document *document; /* the document to which the id belongs */
	/* path of the base scene that has the reference, as written, or NULL */
	const char *file;
	struct anim_place place;
};

/* A named reference: an animation of a library, or a library of a player. All of them are in context->slots. */
struct godot_slot {
	const char *name;
	struct godot_reference to;
	/* offsets: the end of the item before it, the comma after that item (or 0), the end of the reference */
	uint64_t from, comma, to_end;
	uint32_t next; /* number + 1; 0 for the last */
};

/*
 * Named references in the order of the file. A reference whose name exists already replaces the earlier one. All-zero
 * is empty.
 */
struct godot_slots {
	uint32_t first, last; /* number + 1, or 0 */
	uint64_t scope;       /* scope in context->names; 0 until the first reference is added */
	uint64_t insert;      /* offset after the last entry of its dictionary; 0 if the file has no dictionary */
};

struct godot_library {
	const char *id;
	struct godot_slots animations;
	bool used;
	size_t section; /* only in an outline */
};

struct godot_player {
	uint32_t node;
	const char *root_node, *autoplay; /* as written, or NULL */
	struct godot_slots libraries;     /* references to AnimationLibrary */
	struct godot_slots own;           /* anims/NAME: references to Animation */
	bool inherited;                   /* it has libraries of a base scene */
	bool by_name;                     /* a library is a property of its own: libraries/NAME, since Godot 4.6 */
	/* it is in the list of players of the document, because it refers to a library or an animation */
	bool listed;
	size_t section;            /* only in an outline */
	const char *path;          /* path from the root; only in a file that is edited */
	struct godot_player *next; /* next player of the document, in the order of the file */
};

/* One clip to write: an animation under a name. The animation is number `animation` of the clips of `document`. */
struct godot_cue {
	const char *name;
	const struct godot_player *player; /* may be NULL */
	const struct godot_document *document;
	size_t animation;
	const char *file; /* path as written, if the clip is in another file; otherwise NULL */
};

/* Read the value at the cursor, of a property of a player, into the player. Returns 0 or -1. */
int godot_player_read(struct godot_parse *, struct godot_player *, const char *property);

/*
 * Copy the player of a base scene, whose path is spelled `file`, to the player of the scene that inherits it. Returns 0
 * or -1.
 */
int godot_player_inherit(struct godot_parse *, struct godot_player *, const struct godot_player *base,
			 const char *file);

/* ---- One file ---- */

/* The state that all files of one run of the reader share. */
struct godot_context {
	const struct anim_read_options *options;
	struct anim_error *error;
	const char *base_name; /* file name of the source without suffix: the name of clips and roots that have none */
	struct anim_store *store;
	struct anim_arena arena;    /* holds all texts and nodes of the documents */
	struct anim_map names;      /* slots by name (scope: slots->scope), class names (scope 0) */
	struct anim_buffer slots;   /* array of struct godot_slot */
	struct anim_buffer classes; /* array of const char *: class names, each once */
	uint64_t scopes;            /* number of scopes used so far */
	struct anim_map made;       /* file names -> number in `makes` */
	struct anim_buffer makes;   /* array of const char *: the path of the imported or remapped file, or NULL */
	size_t instanced_nodes;
	bool outline; /* positions of sections and properties are recorded, and Animations are not read */
	struct godot_project project;
	struct godot_document *documents; /* all opened files; the first is the input of the run */
};

static inline struct godot_slot *godot_slot_at(const struct godot_context *context, uint32_t number)
{
	return (struct godot_slot *)context->slots.data + number;
}

/*
 * Read the input of the run into its document. Returns 0 or -1. The input may have errors: the error then gives their
 * number.
 */
int godot_context_read(struct godot_context *, struct anim_input *);
/* Return 0, or -1 if there are errors that cannot be skipped. They have been reported one by one. */
int godot_context_check(const struct godot_context *);
void godot_context_clear(struct godot_context *);

/* Consecutive properties of an Animation that the writer replaces, as offsets. */
struct godot_run {
	uint64_t before; /* the end of the item before them */
	uint64_t from, to;
	bool tracks; /* one of them belongs to a track */
};

/* One Animation resource. */
struct godot_clip {
	const char *id; /* empty for [resource] */
	struct godot_animation head;
	/* the clip in the store, unless it is faulty. In an outline, the clip of the stream that replaces it. */
	size_t clip;
	bool faulty, replaced;
	unsigned used; /* the number of names under which players and libraries play it */
	/* only in an outline: number of its section, and its runs of properties in document->runs */
	size_t section, first_run, runs;
};

/* A tag with the properties after it, in an outline. */
struct godot_section {
	uint64_t tag, body, end; /* offsets: of the '[' of the tag, after its ']', after its last value */
	char name[32];
	uint32_t node; /* the number in the tree if it is a [node], otherwise GODOT_NO_NODE */
};

enum godot_document_kind { GODOT_FRAGMENT, GODOT_SCENE, GODOT_RESOURCE_FILE };

/* All-zero is the state before reading. */
struct godot_document {
	const char *shown; /* name in messages */
	struct anim_location location;
	enum godot_want want;
	enum godot_document_kind kind;
	const char *resource_type; /* the type in [gd_resource] */
	bool has_uid;
	int format;
	unsigned depth;        /* 0 for the input of the run */
	struct anim_stat info; /* only for another file in an outline */
	bool gzip;             /* the file is compressed with gzip */
	bool is_binary;        /* its outline has no positions, so it cannot be edited */
	bool reading;
	const char *why; /* the reason why it could not be read; otherwise NULL */
	struct godot_externals externals;
	/* without ext_resources, because it is known only at the end which of them are played */
	struct godot_lost lost;
	struct anim_held *held;       /* NULL, or the description that settings are added to */
	struct anim_map ids;          /* of sub_resources: (scope, id) -> number */
	struct anim_buffer clips;     /* array of struct godot_clip */
	struct anim_buffer libraries; /* array of struct godot_library */
	struct anim_buffer sections;  /* array of struct godot_section, in an outline */
	struct anim_buffer runs;      /* array of struct godot_run */
	bool name_keys, string_keys;  /* libraries have keys that are StringNames; that are Strings */
	bool load_steps;              /* the header has load_steps */
	struct godot_tree tree;
	struct godot_player *players, **last_player;
	bool has_resource;              /* [resource] has been read */
	size_t main_clip, main_library; /* number + 1, or 0 */
	struct godot_document *next;
};

/* A document during reading. */
struct godot_parse {
	struct godot_context *context;
	struct anim_error *error; /* of the context */
	struct godot_document *document;
	struct godot_text *text;
	struct anim_arena scratch; /* holds values; reset for each property */
};

#define GODOT_SCOPE_ANIMATION 1u
#define GODOT_SCOPE_LIBRARY 2u

/* Record that the current section is of this node. Does nothing without an outline. */
void godot_section_node(struct godot_document *, uint32_t node);
struct godot_clip *godot_document_clip(const struct godot_document *, size_t number);
struct godot_library *godot_document_library(const struct godot_document *, size_t number);

#define GODOT_LEFT_TEXT 360 /* bytes; enough for every such text */

/*
 * Describe the parts of the document that no stream can hold: "2 scripts, a mesh and 3 ext_resources", or empty. The
 * document must have been read to its end. Parts that the successor of document->held has are left out, but with a
 * successor, references to files of clips count. Returns 0 or -1.
 */
int godot_document_left(const struct godot_document *, char text[GODOT_LEFT_TEXT], struct anim_error *);

/* Add a message about a place of the document. Returns 0 or -1. */
int godot_document_report(const struct godot_context *, const struct godot_document *, enum anim_severity,
			  const struct anim_place *, const char *noun, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/*
 * Add a message about the document that is being read. Errors are never merged. godot_parse_name adds a name to the
 * last message, as anim_diagnostics_name does.
 */
#define godot_parse_warn(parse, ...) \
	godot_document_report((parse)->context, (parse)->document, ANIM_WARNING, __VA_ARGS__)
#define godot_parse_fault(parse, place, ...) \
	godot_document_report((parse)->context, (parse)->document, ANIM_FAULT, place, NULL, __VA_ARGS__)
#define godot_parse_name(parse, ...) \
	anim_diagnostics_name((parse)->context->options->diagnostics, (parse)->error, __VA_ARGS__)

/* Copy a text into the arena. Returns NULL if out of memory. */
const char *godot_keep(struct godot_context *, const struct godot_string *);

/*
 * Read the outline of the document of the context, and append to `cues` (struct godot_cue) every clip with its player,
 * in the order in which anim_godot_read writes them. Returns 0, or -1, also if the file has errors.
 */
int godot_outline_read(struct godot_context *, struct anim_input *, struct anim_buffer *cues);

/* Read a [node] with its properties. Returns 0 or -1. */
int godot_node_read(struct godot_parse *, const struct godot_tag *);

#endif
