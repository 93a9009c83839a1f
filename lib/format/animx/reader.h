/* reader.h: the parts of the AnimX reader; private to this folder. */
#ifndef ANIM_FORMAT_ANIMX_READER_H
#define ANIM_FORMAT_ANIMX_READER_H

#include "base/arena.h"
#include "clip/track.h"
#include "format/animx/body.h"
#include "format/animx/keys.h"
#include "stream/store.h"

/* Which half of the Curve keys comes first, as far as it is known. */
enum animx_order { ANIMX_UNKNOWN_ORDER, ANIMX_TIME_FIRST, ANIMX_VALUE_FIRST };

/* Strings being read; `strings` points into the buffers once all are there. */
struct animx_strings {
	struct anim_buffer lengths, starts, bytes;
	struct anim_strings strings;
};

/* The track at hand; the buffers are reused. */
struct animx_columns {
	struct anim_buffer pairs, time, value, left, right, interps;
	struct animx_strings strings;
};

struct animx_reader {
	struct animx_body body;
	const struct anim_read_options *options;
	struct anim_store *store;
	struct anim_arena names;   /* of the track at hand */
	struct anim_buffer doubts; /* a byte a track: 1 where it was read time first and might be value first as well */
	struct animx_columns columns;
	uint32_t version;
	enum animx_order order;
	float duration_s;        /* as the file's head has it */
	bool forced;             /* `order` is what the user says */
	bool marked;             /* the track at hand is: see animx_read_keys */
	bool doubtful;           /* there is a 1 in `doubts` */
	float duration_end_s[2]; /* the latest key of the doubtful tracks, if time or value comes first */
	float same_end_s[2];     /* the end of the first of them */
	bool ends_differ[2];     /* others end elsewhere */
	size_t doubts_count;
	float time_first_s, value_first_s; /* the end of all tracks, if the doubtful ones are read so */
};

/* Reads the next track into the store. 0 or -1. */
int animx_read_track(struct animx_reader *, struct anim_error *);

/*
 * reader_keys.c: n keys of a track whose type, kind, node and property are set. 0 or -1.
 * keys: Discrete and Curve. A Curve whose keys have a mode each though all are the same is marked: its keys are read time
 * first where that can be. Resonite's own and this writer's canonical form has one mode for all. *doubtful where both orders read, *other_end_s is then the last time if the value comes first.
 */
int animx_read_samples(struct animx_reader *, struct anim_track *, struct anim_error *);
int animx_read_keys(struct animx_reader *, struct anim_track *, bool *doubtful, float *other_end_s,
		    struct anim_error *);
int animx_read_tangents(struct animx_reader *, struct anim_track *, struct anim_error *);

/* The keys of a doubtful track (which was read time first) read value first. Columns are the reader's. 0 or -1. */
int animx_swap_keys(struct animx_reader *, struct anim_track *, struct anim_error *);

/* Where both orders read, leaves the file's where it is known, else the likelier, if there is one. */
void animx_narrow(const struct animx_reader *, bool first_likely, bool second_likely, bool *time_first,
		  bool *value_first);

/* reader_strings.c: n strings, with their times before or behind them or (unknown order) without. Times are not looked at. */
int animx_read_strings(struct animx_body *, size_t n, enum animx_order, struct animx_columns *, struct anim_error *);
void animx_strings_clear(struct animx_strings *);

/* Curve keys of strings in the order that can be. 0 or -1. */
int animx_read_string_keys(struct animx_reader *, size_t n, bool *time_first, bool *value_first, float *other_end_s,
			   struct anim_error *);

/* The strings of a doubtful track read value first, into the reader's columns. 0 or -1. */
int animx_swap_strings(struct animx_reader *, const struct anim_track *, struct anim_error *);

/* A warning about the track, at a byte of the body; `many` as for anim_losses_add. 0 or -1. */
int animx_warn(struct animx_reader *, uint64_t offset, const char *many, struct anim_error *, const char *one, ...)
    __attribute__((format(printf, 5, 6)));

/* Makes room for n elements of `size` bytes, none of them set. 0 or -1. */
int animx_resize(struct anim_buffer *, size_t n, size_t size, struct anim_error *);

#endif
