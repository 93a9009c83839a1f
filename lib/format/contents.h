/* contents.h: the contents of a file, and the part that another file does not have. */
#ifndef ANIM_FORMAT_CONTENTS_H
#define ANIM_FORMAT_CONTENTS_H

#include "base/buffer.h"
#include "base/input.h"
#include "format/read.h"

/* All-zero is empty. */
struct anim_contents {
	bool with_tracks;                        /* set before reading: also compare tracks */
	struct anim_buffer clips, nodes, tracks; /* private items with texts in the arena */
	struct anim_map track_names;
	struct anim_held held;
	struct anim_arena arena;
};

/*
 * Read the contents of a file. `name` is its base name, after which clips without a name are called. Files that it refers
 * to are not read. A file that no reader knows is empty. If it is to be compared with a successor, read that first and
 * set held.successor. Returns 0 or -1.
 */
int anim_contents_read(struct anim_contents *, const char *path, const char *name, const struct anim_input_options *,
		       size_t store_memory, struct anim_error *);

/*
 * Print the contents of the first file that a new file with the second contents does not have: "1 clip (walk), 3 nodes (Hips, Spine,
 * Head), 2 scripts and a mesh, a uid". The text is empty if there is nothing. A clip that the first file has twice must
 * be in the second twice. Tracks may have other names, but a clip must not have fewer of them. Returns 0 or -1.
 */
int anim_contents_lost(const struct anim_contents *, const struct anim_contents *now, char *text, size_t capacity,
		       struct anim_error *);

/* The same for tracks alone: "2 tracks (Hips position, Hips rotation)". */
int anim_contents_lost_tracks(const struct anim_contents *, const struct anim_contents *now, char *text,
			      size_t capacity, struct anim_error *);

void anim_contents_clear(struct anim_contents *);

#endif
