/* clip.h: one AnimationClip document -> one clip in a store. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_CLIP_H
#define ANIM_FORMAT_UNITY_CLIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The loop of a legacy clip by m_WrapMode, its own or that of the Animation component that plays it. */
enum anim_loop unity_loop_of_wrap(int64_t wrap);

/* --- Between clip.c and clip_curves.c --- */

/* A scalar or flow map of the document that becomes an attribute; texts in the caller's arena. */
struct unity_clip_text {
	const char *path, *text;
	size_t number; /* in the file */
};

/* What the clip's own members are made of, as the file has it. */
struct unity_clip_told {
	const char *name;
	bool legacy, loop_time, has_start, has_stop;
	bool has_any;             /* field */
	bool has_first, has_last; /* m_ObjectHideFlags and m_Events, which Unity always writes */
	float rate_hz, start_s, stop_s;
};

struct unity_clip_reader {
	struct unity_file *file;
	const struct unity_clip_options *options;
	struct unity_clip *clip;
	struct anim_error *error;
	struct anim_arena item; /* of the field or item that is being read */
	struct unity_clip_told told;
	struct anim_buffer texts; /* struct unity_clip_text */
	size_t curves;            /* of the runtime lists so far */
	float last_s;             /* last key of any curve, 0 before there is one */
	struct anim_keys events;
};

/*
 * A fault at a node: told, counted, the clip is no good any more, reading goes on. 0 or -1. The second takes the error
 * that a call has just filled; what is no fault of the input is passed on.
 */
int unity_clip_fault(struct unity_clip_reader *, const struct unity_node *, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int unity_clip_fault_again(struct unity_clip_reader *, const struct unity_node *);

/* A warning or note at a node, merged by `many`. 0 or -1. */
int unity_clip_say(struct unity_clip_reader *, enum anim_severity, const struct unity_node *, const char *many,
		   const char *one, ...) __attribute__((format(printf, 5, 6)));

/* Numbers of a member, which stay as they are where it is missing or a fault. 0 or -1. */
int unity_clip_float(struct unity_clip_reader *, const struct unity_node *, const char *key, float *);
int unity_clip_integer(struct unity_clip_reader *, const struct unity_node *, const char *key, int64_t *);

/* A list of the clip, which becomes tracks item by item. */
struct unity_clip_list {
	const char *name;
	bool is_curves; /* played by the engine; where there are none the editor's stand in for them */
	int (*item)(struct unity_clip_reader *, const struct unity_node *); /* takes one; 0 or -1 */
};

/* NULL where no list is called so. */
const struct unity_clip_list *unity_clip_list(const char *name);

/* Stores the events that came as a track. 0 or -1. */
int unity_clip_store_events(struct unity_clip_reader *);

/* --- Bit-packed columns --- */

#define UNITY_PACKED_QUAT_BITS 32u

/* A packed vector as the file has it: `digits` hexadecimal digits, two a byte, bits from the least significant on. */
struct unity_packed {
	uint64_t count; /* m_NumItems */
	unsigned bits;  /* m_BitSize, at most 32 */
	const char *data;
	size_t digits;
};

/*
 * Each checks that the data are hexadecimal and hold `count` items (a width of 0 needs no data, so that a caller must
 * bound the count itself before it allocates). 0, or -1 with ANIM_BAD_INPUT and no place.
 */
int unity_packed_check(const struct unity_packed *, struct anim_error *);
int unity_packed_times(const struct unity_packed *, float *time_s,
		       struct anim_error *);                                           /* steps of 1/100 s, added up */
int unity_packed_quats(const struct unity_packed *, float *xyzw, struct anim_error *); /* 32 bits each, normalised */

/*
 * n quaternions: each sign made that of its neighbour before, then the slope of each component per second by central
 * differences, one-sided at the ends, 0 where no time passes.
 */
void unity_packed_slopes(const float *time_s, float *xyzw, float *slopes, size_t n);

/* --- Rates --- */

/*
 * The fraction that is meant: n/1001 for the rates of NTSC, else the simplest one whose float32 is the rate. False, and
 * 0/0, where none with terms of 32 bits is (the rate is not positive, not finite, or far from 1).
 */
bool unity_rate_fraction(float rate_hz, uint32_t *num, uint32_t *den);

#endif
