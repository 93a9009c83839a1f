/* into.h: an existing file into which clips are put, shared by into.c and into_write.c. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_INTO_H
#define ANIM_FORMAT_GODOT_INTO_H

#include "base/edit.h"
#include "base/system.h"
#include "format/godot/document.h"
#include "format/godot/writer.h"

/* ---- The content of the file, and its edits ---- */

enum godot_edit_kind {
	GODOT_EDIT_DELETE,
	GODOT_EDIT_NUMBER,    /* of the header */
	GODOT_EDIT_EXTERNALS, /* tags of resources that new literals refer to */
	GODOT_EDIT_BODY,      /* a clip that replaces the content of an Animation */
	GODOT_EDIT_HEAD,      /* the properties before the tracks, if the `step` of the file is between them */
	GODOT_EDIT_TRACKS,
	GODOT_EDIT_ANIMATION, /* a clip as a sub_resource */
	GODOT_EDIT_ENTRY,     /* its entry in the dictionary of its library, or anims/NAME of its player */
	GODOT_EDIT_LIBRARY,   /* a library for new clips as a sub_resource */
	GODOT_EDIT_PLAYER     /* properties that give a player its new libraries */
};

struct godot_edit {
	struct anim_edit place;
	enum godot_edit_kind kind;
	bool first; /* ENTRY, PLAYER: nothing precedes it in its dictionary */
	uint32_t
	    /*
	     * BODY, HEAD, TRACKS: the clip, ANIMATION, ENTRY: number in `added`, LIBRARY, PLAYER: number in `homes`,
	     * NUMBER: the new number
	     */
	    what;
};

/* A player and library to which new clips are added. */
struct godot_home {
	const char *player, *library;         /* path in the scene, empty in a resource file, name */
	const struct godot_player *have;      /* NULL if it has neither libraries nor animations */
	const struct godot_library *existing; /* NULL if the library is created */
	uint32_t node;                        /* of the player, GODOT_NO_NODE if it is created */
	bool from_base;                       /* the player is only in the scene that this one inherits */
	uint64_t before;                      /* offset of the tag before which the Animations are inserted */
	uint64_t end;                         /* offset of the end of the properties of the player */
	size_t id;                            /* number of a library that is created */
	uint32_t first, last;                 /* the added clips, as numbers in `added`, or NO_NUMBER */
	uint32_t head, next;                  /* homes of the same player: the first, the next, NO_NUMBER */
	/* only in the first home of a player: the last, and the first with a library that is created, NO_NUMBER */
	uint32_t tail, made;
};

struct godot_added {
	uint32_t clip, home;
	size_t id;
	uint32_t next; /* next in its home, or NO_NUMBER */
};

#define NO_NUMBER UINT32_MAX

/* A clip for an Animation that another clip has replaced. */
struct godot_twin {
	size_t first, clip; /* in the store of the writer */
	const char *name;
};

/* A file that is written: the file into which clips are put, or a file that it refers to. */
struct godot_into_file {
	struct godot_document *document;
	const char *path;         /* the path for opening it */
	struct anim_stat info;    /* the state of the file when it was read */
	struct anim_buffer edits; /* array of struct godot_edit */
	long steps;               /* number of additional resources */
	struct godot_print print; /* the printing state, saved while the writer prints another file */
	struct godot_into_file *next;
};

struct godot_into {
	const struct anim_write_options *options;
	struct anim_diagnostics diagnostics; /* of reading the file, only errors in it are used */
	struct anim_read_options read;
	struct godot_context context;
	struct godot_document document;
	struct godot_into_file own, *file; /* file: the current file, to which the print of the writer belongs */
	struct anim_arena arena;
	struct anim_buffer cues; /* array of struct godot_cue: the clips that the file plays */
	uint32_t *next;          /* for each cue, the next cue with the same name, or NO_NUMBER */
	uint64_t *
	    /*
	     * for each node of the tree, and last for all nodes: the end of the properties, 0 if the node is not in
	     * this file
	     */
	    ends;
	/* the first cue of a name, in the scope of a player, 1 + its node, the cue of that player */
	struct anim_map by_name;
	struct anim_map nodes; /* of players, by their paths */
	struct anim_buffer homes, added;
	struct anim_buffer twins; /* array of struct godot_twin */
	/* the first home of a player, in its scope, 1 + its number, the home of each library */
	struct anim_map by_home;
	struct anim_text_set restricted; /* with --only: paths of players that keep only clips of the stream */
	struct anim_text_set restricted_libraries; /* ids of the libraries of these players */
	size_t last_id;                            /* last number tried for the id of a sub_resource */
	uint64_t below;                            /* offset of the tag of the first node, or of [resource] */
};

static inline const struct godot_cue *cue_at(const struct godot_into *into, size_t number)
{
	return (const struct godot_cue *)(const void *)into->cues.data + number;
}

static inline size_t cue_count(const struct godot_into *into)
{
	return into->cues.size / sizeof(struct godot_cue);
}

/* Return a section of the current file. */
static inline struct godot_section *section_at(const struct godot_into *into, size_t number)
{
	return (struct godot_section *)(void *)into->file->document->sections.data + number;
}

static inline size_t section_count(const struct godot_into *into)
{
	return into->file->document->sections.size / sizeof(struct godot_section);
}

static inline struct godot_home *home_at(const struct godot_into *into, size_t number)
{
	return (struct godot_home *)(void *)into->homes.data + number;
}

static inline struct godot_added *added_at(const struct godot_into *into, size_t number)
{
	return (struct godot_added *)(void *)into->added.data + number;
}

static inline size_t added_count(const struct godot_into *into)
{
	return into->added.size / sizeof(struct godot_added);
}

/* Open the current file. Returns 0 or -1. */
int godot_into_open(const struct godot_into *, struct anim_input **);

/*
 * Read the clips of the file that stay into writer->beside, if a clip of another engine needs them. Warn if they lack
 * parts of new clips. Call it after all clips have their players. Returns 0 or -1.
 */
int godot_into_read_beside(struct godot_into *, struct godot_writer *);

/* Write the current file with its edits. A file other than the edited one has its own output. Returns 0 or -1. */
int godot_into_write_file(struct godot_into *, struct godot_writer *);

#endif
