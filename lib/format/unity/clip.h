/* clip.h: one AnimationClip document -> one clip in a store. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_CLIP_H
#define ANIM_FORMAT_UNITY_CLIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/number.h"
#include "clip/diagnostics.h"
#include "clip/keys.h"
#include "format/unity/document.h"
#include "format/unity/names.h"
#include "stream/store.h"

/* What a reference to an asset of another file means. Texts live until the next call. */
struct unity_asset {
	const char *path;   /* below the project's root: "Assets/run.png" */
	const char *sprite; /* the name of a sub-sprite, NULL for any other asset */
	int64_t index;      /* of the sub-sprite in its file, from 0; -1: not known */
};

/* What one clip is read with. All but `base_name`, `store`, `arena` and `diagnostics` may be NULL. */
struct unity_clip_options {
	const char *base_name; /* name of a clip without m_Name */
	struct anim_store *store;
	struct anim_arena *arena; /* gets the texts of struct unity_clip; they live as long as it does */
	struct anim_diagnostics *diagnostics;
	/*
	 * Called for every key of a PPtr curve whose reference has a guid (32 lower-case hexadecimal digits). 1: found;
	 * 0: unknown, the reference stays as it is; -1: error.
	 */
	int (*resolve)(void *context, const char *guid, int64_t file_id, struct unity_asset *, struct anim_error *);
	void *resolve_context;
};

/* One clip as it lies in the store. */
struct unity_clip {
	int64_t id;      /* of the document: 7400000 in an .anim */
	uint32_t line;   /* of the document */
	bool legacy;     /* played by an Animation component, else by an Animator */
	int64_t wrap;    /* m_WrapMode: 0 (ask the component), 1 once, 2 loop, 4 ping-pong, 8 clamp for ever */
	bool faulty;     /* not in the store */
	size_t clip;     /* number in the store */
	size_t humanoid; /* tracks that need an avatar */
	/*
	 * The head, complete but for `player`, `file`, `root` (it is ".") and ANIM_IN_TREE. The store holds a provisional
	 * one: replay with this. For a legacy clip whose wrap is 0 the loop is none; its component may know better:
	 * unity_loop_of_wrap.
	 */
	struct anim_clip head;
};

/*
 * Reads the document (class 74) whose head the file just returned: begins a clip in the store, stores its tracks as they
 * come (rotation, Euler, position, scale, float, PPtr curves; where there are none at all the editor's; events last),
 * and fills *clip. Faults go to the diagnostics with their place, the rest of the document is read on where it can be, but
 * then clip->faulty is set and the clip is taken out of the store again. What it complained of stays ANIM_FAULT: the
 * caller makes warnings of it under --keep-going. 0, or -1 where the run cannot go on (memory, I/O, too many faults).
 */
int unity_clip_read(struct unity_file *, const struct unity_document *, const struct unity_clip_options *,
		    struct unity_clip *, struct anim_error *);

/* ---- Bit-packed rotation curves of legacy clips ---- */

/* A packed vector as the file has it: `digits` hexadecimal digits, two a byte, bits from the least significant on. */
struct unity_packed {
	uint64_t count; /* m_NumItems */
	unsigned bits;  /* m_BitSize, at most 32; of rotations 32, whatever is told */
	const char *data;
	size_t digits;
};

/*
 * The keys of a packed curve, columns in the arena: n, time, value (unit quaternions) and both slopes. Times are steps of
 * 1/100 s that are added up. Each rotation gets the sign of its neighbour before, then slopes a second by central
 * differences, one-sided at the ends, 0 where no time passes. 0, or -1 with ANIM_BAD_INPUT and no place where the data are
 * not hexadecimal, hold fewer items than they say, or are of two lengths.
 */
int unity_packed_read(const struct unity_packed *times, const struct unity_packed *rotations, struct anim_arena *,
		      struct anim_track *, struct anim_error *);

#endif
