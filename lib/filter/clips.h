/* clips.h: select clips by name, one clip of a stream, or one sink per clip. */
#ifndef ANIM_FILTER_CLIPS_H
#define ANIM_FILTER_CLIPS_H

#include <stdbool.h>
#include <stddef.h>

#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "clip/track.h"

/* --- Matching clips by name, and lists of names for messages --- */

enum anim_clip_fit { ANIM_CLIP_OTHER, ANIM_CLIP_BY_GLOB, ANIM_CLIP_EXACT };

/*
 * Match the clip with `wanted`: NAME or PLAYER:NAME, or a glob for either. PLAYER is the complete path in attribute
 * `player`. Its last name is not enough, so the result does not depend on the rest of the stream.
 */
enum anim_clip_fit anim_clip_match(const struct anim_clip *, const char *wanted);

/* Return whether the clip is named RESET, in any library. This is Godot's pose to return to. */
bool anim_clip_is_reset(const struct anim_clip *);

/* The first names of a list, shortened if they are long, and the number of all names. All-zero is empty. */
#define ANIM_CLIP_NAMES_KEPT 12
struct anim_clip_names {
	struct {
		char name[84], player[84];
	} kept[ANIM_CLIP_NAMES_KEPT];
	size_t count;
};

void anim_clip_names_add(struct anim_clip_names *, const struct anim_clip *);

/*
 * Print "idle, run, jump and 4 more". Players are included if names are equal or `wanted` (may be NULL) has a player.
 * Writes at most `capacity` - 1 bytes and a NUL.
 */
void anim_clip_names_print(const struct anim_clip_names *, const char *wanted, char *out, size_t capacity);

/*
 * The `count` requested patterns (borrowed) and the clips so far. A pattern NAME#2 matches the second clip that NAME
 * matches. `fitted` is owned; clear it with free(). `first` is the number of the first pattern that matched the last
 * clip, or `count`.
 */
struct anim_clips_wanted {
	const char *const *patterns;
	size_t count;
	size_t *fitted; /* for each pattern: so many clips matched it, without its number */
	struct anim_clip_names names;
	size_t first;
};

int anim_clips_wanted_init(struct anim_clips_wanted *, const char *const *patterns, size_t count, struct anim_error *);

/* Record a clip and return the best match of any pattern. */
enum anim_clip_fit anim_clips_wanted_match(struct anim_clips_wanted *, const struct anim_clip *);

/* Return 0, or -1 with the names of the clips if a pattern matched none. */
int anim_clips_wanted_check(const struct anim_clips_wanted *, struct anim_error *);

/* --- A filter that keeps clips by name --- */

/*
 * Create a filter that writes to `next` (owned, also freed on failure). It passes on trees, and clips that match one of
 * the `count` patterns (borrowed; NAME, PLAYER:NAME or globs). If a pattern matched no clip, end() fails and names the
 * clips. Returns NULL on failure.
 */
struct anim_sink *anim_clips_new(const char *const *patterns, size_t count, struct anim_sink *next,
				 struct anim_error *);

/*
 * Return whether a clip with this name may match a pattern. A reader can then skip other clips, which still count as
 * seen. For a pattern that may be PLAYER:NAME, only the name is checked, because the player is in the clip's head.
 */
bool anim_clips_may_fit(struct anim_sink *, const char *name);

/* --- One clip of a stream, or one sink per clip, for targets that hold one clip --- */

struct anim_pick_options {
	/*
	 * -c: NAME, PLAYER:NAME or NAME#2, or a glob that matches one clip. An exact name has priority over globs. NULL: the
	 * only clip, not counting RESET if there are others.
	 */
	const char *clip;
	bool each;           /* use every clip, each with its own sink from make */
	const char *format;  /* for messages: "animj" */
	const char *suffix;  /* suffix of its files for messages; NULL: the format's name */
	size_t store_memory; /* for a RESET clip that must wait for later clips */
	struct anim_diagnostics *diagnostics;
	/*
	 * make returns the sink for a clip, once or (each) for every clip. The pick frees it. finish is called after
	 * its end() succeeded and before the next make, to commit. With takes_tree, a sink may take over the nodes of
	 * the previous sink, `last`. make gets `last` if both clips have the same tree, otherwise NULL. `last` is freed
	 * after that, and the nodes are not sent again.
	 */
	struct anim_sink *(*make)(void *context, const struct anim_clip *, struct anim_sink *last, struct anim_error *);
	bool takes_tree;
	int (*finish)(void *context, struct anim_error *);
	/* Called for each TREE before its clips; may be NULL. Returns 0 or -1. */
	int (*on_tree)(void *context, const struct anim_tree *, struct anim_error *);
	void *context;
};

/*
 * Create a sink for the selected clip. Its tree and nodes are sent before it. If there is no clip, no clip with the
 * name, or several clips, end() fails (or an earlier call) with a message that names the clips and both remedies.
 */
struct anim_sink *anim_pick_new(const struct anim_pick_options *, struct anim_error *);

/* --- One sink for every clip of a stream, each with the complete provenance --- */

/*
 * Create a sink that opens a sink with `make` for every clip. That sink gets the stream's prog records, the clip's tree
 * and the clip, and is then ended. See struct anim_pick_options for the calls. Of its members, make, finish, on_tree,
 * context, diagnostics and store_memory are used. A stream without clips fails at its end. Returns NULL on failure.
 */
struct anim_sink *anim_split_new(const struct anim_pick_options *, struct anim_error *);

#endif
