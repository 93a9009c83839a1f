/* clip.h: read one AnimationClip document into a clip of a store. Internal to format/unity. */
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

#define UNITY_PIXELS_PER_UNIT 100.0f /* the default of the importer */

/* A sprite of an image, as the .meta file of the image describes it. */
struct unity_sprite {
	int64_t file_id;
	const char *name; /* NULL if the sprite is the whole image */
	int64_t index;    /* in the list of the file, from 0, or -1 if it is unknown */
	float rect[4];    /* x and y from the lower left corner of the image, width, height (0 if unknown) */
	float pivot[2];   /* the point at the origin of its node, in widths and heights from the lower left corner */
	float pixels_per_unit;
	uint32_t image[2]; /* size of the image, or 0 if it is unknown */
};

/* The asset of another file that a reference leads to. It is valid until the next call. */
struct unity_asset {
	const char *path;                  /* relative to the root of the project: "Assets/run.png" */
	const struct unity_sprite *sprite; /* NULL for any other asset */
};

/* Options for reading a clip. All except `base_name`, `store`, `arena` and `diagnostics` may be NULL. */
struct unity_clip_options {
	const char *base_name; /* name of a clip without m_Name */
	struct anim_store *store;
	struct anim_arena *arena; /* gets the texts of struct unity_clip, and must live as long as it */
	struct anim_diagnostics *diagnostics;
	/*
	 * Called for every key of a PPtr curve whose reference has a guid (32 lower-case hexadecimal digits). Returns 1
	 * if the asset was found, 0 if it is unknown (the reference stays unchanged), or -1.
	 */
	int (*resolve)(void *context, const char *guid, int64_t file_id, struct unity_asset *, struct anim_error *);
	void *resolve_context;
};

/* A clip in the store. */
struct unity_clip {
	int64_t id;      /* of the document: 7400000 in an .anim */
	uint32_t line;   /* of the document */
	bool legacy;     /* played by an Animation component, not by an Animator */
	int64_t wrap;    /* m_WrapMode: 0 (ask the component), 1 once, 2 loop, 4 ping-pong, 8 clamp for ever */
	bool faulty;     /* it has errors and is not in the store */
	size_t clip;     /* number in the store */
	size_t humanoid; /* number of tracks that need an avatar */
	/*
	 * The head, complete except for `player`, `file`, `root` (which is ".") and ANIM_IN_TREE. The head in the store
	 * is provisional: replay the clip with this one. If a legacy clip has wrap 0, the loop is none, but its
	 * component may set another one: see unity_loop_of_wrap.
	 */
	struct anim_clip head;
};

/*
 * Read the document (class 74) whose head the file just returned. This begins a clip in the store, stores its tracks in
 * the order of the file (rotation, Euler, position, scale, float, PPtr curves; the editor's curves if there are no
 * others; events last), and fills *clip. Errors in the input go to the diagnostics with their place, and reading
 * continues if possible. Then clip->faulty is set, and the clip is removed from the store. Such entries stay
 * ANIM_FAULT; with --keep-going the caller makes them warnings. Returns 0, or -1 if the run cannot continue (memory,
 * I/O, too many errors).
 */
int unity_clip_read(struct unity_file *, const struct unity_document *, const struct unity_clip_options *,
		    struct unity_clip *, struct anim_error *);

/* ---- Bit-packed rotation curves of legacy clips ---- */

/*
 * A packed vector as in the file: `digits` hexadecimal digits, two per byte. Bits start at the least significant one.
 */
struct unity_packed {
	uint64_t count; /* m_NumItems */
	unsigned bits;  /* m_BitSize, at most 32; rotations have 32, whatever the file says */
	const char *data;
	size_t digits;
};

/*
 * Read the keys of a packed curve. The columns are in the arena: n, time, value (unit quaternions) and both slopes.
 * Times are sums of steps of 1/100 s. Each rotation gets the sign of its predecessor. Slopes per second are central
 * differences, one-sided at the ends, and 0 if no time passes. Returns 0, or -1 with ANIM_BAD_INPUT without a place if
 * the data are not hexadecimal, contain fewer items than they declare, or have two different lengths.
 */
int unity_packed_read(const struct unity_packed *times, const struct unity_packed *rotations, struct anim_arena *,
		      struct anim_track *, struct anim_error *);

#endif
