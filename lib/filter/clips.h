/* clips.h: clips by their names: which fit, those that are wanted, one alone, and a sink for each. */
#ifndef ANIM_FILTER_CLIPS_H
#define ANIM_FILTER_CLIPS_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/track.h"

/* --- Telling clips by name, and lists of names for messages --- */

enum anim_clip_fit { ANIM_CLIP_OTHER, ANIM_CLIP_BY_GLOB, ANIM_CLIP_EXACT };

/*
 * How `wanted` (NAME or PLAYER:NAME, or a glob for either) fits the clip. PLAYER is the whole path that attribute `player`
 * tells: a last name alone is not enough, so that what fits does not hang on what else is in the stream.
 */
enum anim_clip_fit anim_clip_match(const struct anim_clip *, const char *wanted);

/* True where the name is RESET, in whichever library: Godot's poses to go back to. */
bool anim_clip_is_reset(const struct anim_clip *);

/* The first names that came, shortened where they are long, and how many came. All-zero is empty. */
#define ANIM_CLIP_NAMES_KEPT 12
struct anim_clip_names {
	struct {
		char name[84], player[84];
	} kept[ANIM_CLIP_NAMES_KEPT];
	size_t count;
};

void anim_clip_names_add(struct anim_clip_names *, const struct anim_clip *);

/*
 * "idle, run, jump and 4 more", with players where names collide or what was wanted (may be NULL) has one; at most
 * `capacity` - 1 bytes and a NUL.
 */
void anim_clip_names_print(const struct anim_clip_names *, const char *wanted, char *out, size_t capacity);

/* Which clips are asked for: `count` patterns (borrowed), and what came so far. `fitted` is owned: free() clears it. */
struct anim_clips_wanted {
	const char *const *patterns;
	size_t count;
	bool *fitted; /* one a pattern: some clip fitted it */
	struct anim_clip_names names;
};

int anim_clips_wanted_init(struct anim_clips_wanted *, const char *const *patterns, size_t count, struct anim_error *);

/* A clip came: how the pattern that fits it best does. */
enum anim_clip_fit anim_clips_wanted_match(struct anim_clips_wanted *, const struct anim_clip *);

/* 0, or -1 with the names of the clips where a pattern fitted none. */
int anim_clips_wanted_check(const struct anim_clips_wanted *, struct anim_error *);

/* --- Keeps the clips that are wanted by name --- */

/*
 * A filter in front of `next` (owned, freed on failure too): passes on trees, and clips that one of the `count`
 * patterns (borrowed; NAME, PLAYER:NAME or globs) fits. end() fails, naming the clips, where a pattern fitted none.
 * NULL on failure.
 */
struct anim_sink *anim_clips_new(const char *const *patterns, size_t count, struct anim_sink *next,
				 struct anim_error *);

/*
 * Whether a clip of this name may fit one of the patterns: for a reader that can leave out what does not; a clip that it
 * leaves out counts as seen. (What may be PLAYER:NAME is looked at by its name alone, the player stands in the head.)
 */
bool anim_clips_may_fit(struct anim_sink *, const char *name);

/* --- One clip out of a stream, or one sink per clip, for targets that hold one --- */

struct anim_pick_options {
	/*
	 * -c: NAME or PLAYER:NAME, or a glob that only one fits; a name to the letter goes before a glob. NULL: the only
	 * one (RESET does not count beside another).
	 */
	const char *clip;
	bool each;           /* every clip, through make */
	const char *format;  /* for messages: "animj" */
	const char *suffix;  /* of its files, for messages; NULL: the format's name */
	size_t store_memory; /* for a RESET clip that must wait for what comes */
	struct anim_diagnostics *diagnostics;
	/*
	 * make gives the sink for a clip, once or (each) for every clip; pick frees it. finish is called after its end()
	 * succeeded, before the next make, to commit. With takes_tree a sink may take the nodes of the one before it, `last`, which
	 * it is given if both clips are of one tree (else NULL) and which is only freed after that; they do not come again then.
	 */
	struct anim_sink *(*make)(void *context, const struct anim_clip *, struct anim_sink *last, struct anim_error *);
	bool takes_tree;
	int (*finish)(void *context, struct anim_error *);
	/* Told of each TREE before the clips behind it; may be NULL. 0 or -1. */
	int (*saw_tree)(void *context, const struct anim_tree *, struct anim_error *);
	void *context;
};

/*
 * A sink. The chosen clip's tree and nodes go to its sink before it. No clip at all, a name that is not there, or
 * several where one was wanted: -1 from end (or earlier) with a message that names the clips and both ways out.
 */
struct anim_sink *anim_pick_new(const struct anim_pick_options *, struct anim_error *);

/* --- One sink for every clip of a stream, each with the provenance of all --- */

/*
 * A sink. For every clip `make` gives a sink, which gets the stream's prog records, the clip's tree and the clip, and is
 * ended; what else is called when, stands at struct anim_pick_options, of which make, finish, saw_tree, context, diagnostics and
 * store_memory count. A stream without clips fails at its end. NULL on failure.
 */
struct anim_sink *anim_split_new(const struct anim_pick_options *, struct anim_error *);

#endif
