/* into.h: what is done to a Godot file that clips are put into. Internal to into.c and into_write.c. */
#ifndef ANIM_FORMAT_GODOT_INTO_H
#define ANIM_FORMAT_GODOT_INTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/edit.h"
#include "format/godot/document.h"
#include "format/godot/writer.h"

enum godot_edit_kind {
	GODOT_EDIT_DELETE,
	GODOT_EDIT_NUMBER,    /* of the head */
	GODOT_EDIT_EXTERNALS, /* tags of what new literals refer to */
	GODOT_EDIT_BODY,      /* a clip in the place of what an Animation holds */
	GODOT_EDIT_HEAD,      /* what is before its tracks, where the file's step is between */
	GODOT_EDIT_TRACKS,
	GODOT_EDIT_ANIMATION, /* a clip as a sub_resource */
	GODOT_EDIT_ENTRY,     /* it in a dictionary of its library, or anims/NAME of its player */
	GODOT_EDIT_LIBRARY,   /* a library for new clips as a sub_resource */
	GODOT_EDIT_PLAYER     /* what makes a player have the libraries that are new */
};

struct godot_edit {
	struct anim_edit place;
	enum godot_edit_kind kind;
	bool first; /* ENTRY, PLAYER: nothing is before it in its dictionary */
	uint32_t
	    what; /* BODY, HEAD, TRACKS: the clip; ANIMATION, ENTRY: of `added`; LIBRARY, PLAYER: of `homes`; NUMBER */
};

/* Where clips that the file does not have are added. */
struct godot_home {
	const char *player, *library;       /* path in the scene, empty in a resource file; name */
	const struct godot_player *have;    /* NULL: it has neither libraries nor animations */
	const struct godot_library *stands; /* NULL: it is made */
	uint32_t node;                      /* of the player; GODOT_NO_NODE: it is made */
	uint64_t before;                    /* offset of the tag before which the Animations stand */
	uint64_t end;                       /* offset of the end of the player's properties */
	size_t id;                          /* number of a library that is made */
	uint32_t first, last;               /* of `added`, NO_NUMBER: the clips that are added */
	uint32_t head, next;                /* of the same player: the first, the next; NO_NUMBER */
	uint32_t tail, made;                /* of the first: the last, and the first that does not stand; NO_NUMBER */
};

struct godot_added {
	uint32_t clip, home;
	size_t id;
	uint32_t next; /* in its home: its number, NO_NUMBER */
};

#define NO_NUMBER UINT32_MAX

/* A file that is written: the one that clips are put into, or one that it refers to. */
struct godot_into_file {
	struct godot_document *document;
	const char *path;         /* by which it is opened */
	struct stat info;         /* of it when it was read */
	struct anim_buffer edits; /* struct godot_edit */
	long steps;               /* how many resources more there are than before */
	struct godot_print print; /* how it is printed, while the writer prints another one */
	struct godot_into_file *next;
};

struct godot_into {
	const struct anim_write_options *options;
	struct anim_diagnostics diagnostics; /* of reading the file: only its faults are of interest */
	struct anim_read_options read;
	struct godot_context context;
	struct godot_document document;
	struct godot_into_file own, *file; /* file: the one at hand, which the writer's print is of */
	struct anim_arena arena;
	struct anim_buffer cues; /* struct godot_cue: what the file plays */
	uint32_t *next;          /* of each cue: the next of the same name, NO_NUMBER */
	uint64_t *
	    ends; /* of each node of the tree, and behind them of all: the end of its properties; 0: it has none here */
	struct anim_map by_name; /* the first cue of a name; in the scope of a player, 1 + its node, its own */
	struct anim_map nodes;   /* of players, by their paths */
	struct anim_buffer homes, added;
	struct anim_map by_home; /* the first home of a player; in its scope, 1 + its number, that of each library */
	struct anim_text_set touched; /* with --only: paths of players whose clips are to be the stream's alone */
	struct anim_text_set touched_libraries; /* ids of what these play */
	size_t last_id;                         /* of sub_resources, given out or looked at */
	uint64_t below;                         /* offset of the tag of the first node, or of the resource */
	long steps;                             /* how many resources more there are than before */
};

static inline const struct godot_cue *godot_into_cue(const struct godot_into *into, size_t number)
{
	return (const struct godot_cue *)(const void *)into->cues.data + number;
}

static inline size_t godot_into_cues(const struct godot_into *into)
{
	return into->cues.size / sizeof(struct godot_cue);
}

/* Of the file at hand. */
static inline struct godot_section *godot_into_section(const struct godot_into *into, size_t number)
{
	return (struct godot_section *)(void *)into->file->document->sections.data + number;
}

static inline size_t godot_into_sections(const struct godot_into *into)
{
	return into->file->document->sections.size / sizeof(struct godot_section);
}

static inline struct godot_home *godot_into_home(const struct godot_into *into, size_t number)
{
	return (struct godot_home *)(void *)into->homes.data + number;
}

static inline struct godot_added *godot_into_added(const struct godot_into *into, size_t number)
{
	return (struct godot_added *)(void *)into->added.data + number;
}

static inline size_t godot_into_additions(const struct godot_into *into)
{
	return into->added.size / sizeof(struct godot_added);
}

/* Fails with the name of the file at hand in front. Returns -1. */
int godot_into_fail(const struct godot_into *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Opens the file at hand once more. 0 or -1. */
int godot_into_open(const struct godot_into *, struct anim_input **);

/* The file at hand with its edits done. 0 or -1. */
int godot_into_copy(struct godot_into *, struct godot_writer *);

#endif
