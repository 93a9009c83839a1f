/* document.h: one Godot text file taken apart: resources by id, libraries, players, nodes. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_DOCUMENT_H
#define ANIM_FORMAT_GODOT_DOCUMENT_H

#include "format/godot/external.h"
#include "format/godot/library.h"
#include "format/godot/lost.h"
#include "format/godot/scene.h"
#include "format/read.h"

/* One run of the reader: what all its files share. */
struct godot_context {
	const struct anim_read_options *options;
	const char *base_name; /* of the source without suffix: names what has no name */
	struct anim_store *store;
	struct anim_arena arena;    /* all texts and nodes of the documents */
	struct anim_map names;      /* slots by name (scope: slots->scope), class names (scope 0) */
	struct anim_buffer slots;   /* struct godot_slot */
	struct anim_buffer classes; /* const char *: class names, each once */
	uint64_t scopes;            /* given out */
	size_t instanced_nodes;
	struct godot_project project;
	struct godot_document *documents; /* every file opened; the first is the run's own */
};

/* One Animation resource. The clip is the store's; a faulty one has none. */
struct godot_clip {
	const char *id; /* empty for [resource] */
	struct godot_animation head;
	size_t clip;
	bool faulty, used, replaced;
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
	unsigned depth; /* 0: the run's own */
	bool reading;
	const char *why; /* it could not be read; else NULL */
	struct godot_externals externals;
	struct godot_lost lost;       /* but ext_resources: what of them is played is known at the end */
	struct anim_map ids;          /* of sub_resources: (scope, id) -> number */
	struct anim_buffer clips;     /* struct godot_clip */
	struct anim_buffer libraries; /* struct godot_library */
	struct godot_tree tree;
	struct godot_player *players, **last_player;
	bool has_resource;              /* [resource] came */
	size_t main_clip, main_library; /* number + 1, 0: none */
	struct godot_document *next;
};

/* A document while it is read. */
struct godot_parse {
	struct godot_context *context;
	struct godot_document *document;
	struct godot_text *text;
	struct anim_arena scratch; /* values; reset at each property */
};

#define GODOT_SCOPE_ANIMATION 1u
#define GODOT_SCOPE_LIBRARY 2u

struct godot_clip *godot_document_clip(const struct godot_document *, size_t number);
struct godot_library *godot_document_library(const struct godot_document *, size_t number);

/*
 * Reads the input into the document. Faults of grammar go to the losses with their place and reading goes on. 0, or -1:
 * trouble that stops the run, or an input that is no such file.
 */
int godot_document_read(struct godot_context *, struct godot_document *, struct anim_input *, struct anim_error *);
void godot_document_clear(struct godot_document *);

/* What of the document, which was read to its end, no stream holds. */
void godot_document_lost(const struct godot_document *, struct godot_lost *);

/* A message about a place of the document. 0 or -1. */
int godot_document_say(const struct godot_context *, const struct godot_document *, enum anim_severity,
		       const struct anim_place *, const char *many, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

/* Copies a text into the arena; NULL out of memory. */
const char *godot_keep(struct godot_context *, const struct godot_string *, struct anim_error *);

/* scene_read.c: reads a [node] with its properties. 0 or -1. */
int godot_scene_node(struct godot_parse *, const struct godot_tag *, struct anim_error *);

#endif
