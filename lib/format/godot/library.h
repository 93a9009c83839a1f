/* library.h: players and animation libraries: which animation plays under which name. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_LIBRARY_H
#define ANIM_FORMAT_GODOT_LIBRARY_H

#include "format/godot/text.h"

struct godot_context;
struct godot_document;
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
	uint32_t next; /* number + 1, 0: the last */
};

/* Named references in the order of the file; a name that comes again replaces what it named. All-zero is empty. */
struct godot_slots {
	uint32_t first, last; /* number + 1, 0: none */
	uint64_t scope;       /* of context->names; 0 until the first comes */
};

struct godot_library {
	const char *id;
	struct godot_slots animations;
	bool used;
};

struct godot_player {
	uint32_t node;
	const char *root_node, *autoplay; /* as written, NULL */
	struct godot_slots libraries;     /* to AnimationLibrary */
	struct godot_slots own;           /* anims/NAME: to Animation */
	bool inherited;                   /* has libraries of a base scene */
	bool listed;                      /* among the document's players: it names a library or an animation */
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

/* True for the properties of a player: libraries, libraries/NAME, anims/NAME, root_node, autoplay. */
bool godot_player_is(const char *property);

/* Reads the value at the cursor into the player of the node. 0 or -1. */
int godot_player_read(struct godot_parse *, uint32_t node, const char *property, struct anim_error *);

/* The player of a base scene, written as `file`, is the node's in the scene that inherits it. 0 or -1. */
int godot_player_inherit(struct godot_parse *, uint32_t node, const struct godot_player *base, const char *file,
			 struct anim_error *);

/* Reads the properties of an AnimationLibrary to the end of the section. 0 or -1. */
int godot_library_read(struct godot_parse *, struct godot_library *, struct anim_error *);

/*
 * Appends to `cues` (struct godot_cue) every clip of the document in the order in which they are written: players, libraries that no player
 * has, animations that nothing refers to. Follows references into other files; what is missing is warned of. 0 or -1.
 */
int godot_library_cues(struct godot_context *, struct godot_document *, struct anim_buffer *cues, struct anim_error *);

#endif
