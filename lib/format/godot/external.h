/* external.h: references to other files: ext_resources, res:// paths, what may be opened. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_EXTERNAL_H
#define ANIM_FORMAT_GODOT_EXTERNAL_H

#include "base/buffer.h"
#include "base/map.h"
#include "base/path.h"
#include "format/godot/animation.h"

struct godot_context;
struct godot_document;

struct godot_external {
	const char *path, *uid, *type; /* empty where the file gives none */
	bool played;                   /* an animation, a library or a player names it */
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
int godot_externals_add(struct godot_externals *, const char *id, const struct godot_external *, struct anim_error *);
const struct godot_external *godot_externals_find(const struct godot_externals *, const char *id, size_t length);
/* Finds it and notes that it is played. */
const struct godot_external *godot_externals_play(struct godot_externals *, const char *id, size_t length);
int godot_externals_add_sub(struct godot_externals *, const char *id, struct anim_error *); /* borrowed; 0 or -1 */
void godot_externals_clear(struct godot_externals *);

#define GODOT_NO_SUCH_FILE "no such file"

/* The folder that res:// means, and below which alone files are opened: the file's own where no project.godot is found. */
struct godot_project {
	struct anim_project at;
	unsigned files; /* opened so far */
};

/* Fills the location of the run's own input (NULLs for a pipe) and its project. 0 or -1. */
int godot_locate(struct godot_context *, struct anim_input *, struct anim_location *, struct anim_error *);

/*
 * Where `path`, as `from` writes it, leads: res:// from the project's folder, else from the folder of `from`. 1: the
 * location and how the file is called in messages; 0: nowhere it may, *why says why; -1: out of memory.
 */
int godot_resolve(struct godot_context *, const struct godot_document *from, const char *path, struct anim_location *,
		  const char **shown, const char **why, struct anim_error *);

/* What an opened file is wanted for. */
enum godot_want { GODOT_WANT_ALL, GODOT_WANT_ANIMATIONS, GODOT_WANT_NODES };

/*
 * The document behind `path` as `from` writes it, read once and kept by the context. 1: *document; 0: it cannot be read and
 * *why (the context's) says why; -1: error.
 */
int godot_external_document(struct godot_context *, const struct godot_document *from, const char *path,
			    enum godot_want, struct godot_document **document, const char **why, struct anim_error *);

#endif
