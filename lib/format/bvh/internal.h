/* internal.h: what the reader and the writer share: channels, units, frame times, and text as the reader takes it. */
#ifndef ANIM_FORMAT_BVH_INTERNAL_H
#define ANIM_FORMAT_BVH_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/input.h"
#include "math/quaternion.h"

/* Attributes. */
#define BVH_ATTR_CHANNELS "bvh.channels"     /* of a NODE, and of tracks: the joint's, in the file's order */
#define BVH_ATTR_END "bvh.end"               /* of a NODE: an End Site */
#define BVH_ATTR_NAME "bvh.name"             /* of a NODE: what the file calls it, where the tree cannot */
#define BVH_ATTR_FRAME_TIME "bvh.frame_time" /* of a clip: as the file has it */
#define BVH_ATTR_UNIT "bvh.unit" /* of a clip: the file's, as anim_bvh_unit takes it; else values are as they were */
#define BVH_ATTR_UP "bvh.up"     /* of a clip: "z" where the file's Y axis was another */

/* ---- Channels: number c moves along axis c, number 3 + a turns about axis a; the axes are x y z ---- */

#define BVH_CHANNELS_MAX 6 /* of a joint: each once */
#define BVH_TURNS 3        /* the first of those that turn */

struct bvh_channels {
	uint8_t items[BVH_CHANNELS_MAX], count;
};

/* "Xposition" in letters of either case; -1 for another word. */
int bvh_channel_find(const char *word, size_t length);
const char *bvh_channel_name(unsigned channel);

bool bvh_channels_have(const struct bvh_channels *, unsigned channel);
void bvh_channels_add(struct bvh_channels *, unsigned channel); /* where it is not there yet */

/* "Xposition Yposition ..." <-> channels. False for what no joint can have. */
#define BVH_CHANNELS_TEXT 80
bool bvh_channels_read(const char *text, struct bvh_channels *);
void bvh_channels_print(const struct bvh_channels *, char text[BVH_CHANNELS_TEXT]);

/* The order of the channels that turn, those that are missing behind the others. */
enum anim_euler_order bvh_channels_order(const struct bvh_channels *);

/* The axis that axis `axis` of a file whose Z points up is called with Y up, and back; y and z: one of them changes sign. */
unsigned bvh_other_axis(unsigned axis);
void bvh_channels_turn_up(struct bvh_channels *);
#define BVH_MIRRORED 2 /* the axis, with Y up, whose numbers have the other sign with Z up */

/* ---- Frame times ---- */

/*
 * The rate whose frame time, rounded to the digits of the text, is the text: a whole one up to 1000, of several the usual
 * one, else the nearest; else n * 1000/1001, also where the text is one of 23.976, 29.97 and the like; else the decimal's
 * own, and where that does not fit, *step_s alone. False for a text that is no number from 1e-9 to 1e9.
 */
bool bvh_frame_time_read(const char *text, size_t length, uint32_t *num, uint32_t *den, double *step_s);

/* A text that reads as this rate again, of the fewest digits but 7 behind the point at least. Rate 0: of the step. */
#define BVH_FRAME_TIME_TEXT 64
void bvh_frame_time_print(uint32_t num, uint32_t den, double step_s, char text[BVH_FRAME_TIME_TEXT]);

/* ---- A file as words and numbers; lines count for messages alone ---- */

#define BVH_WORD_MAX 512 /* bytes of a word or number */

/* All-zero but for `input` is before the first byte. */
struct bvh_scan {
	struct anim_input *input;
	const char *begin, *at, *end; /* the window, and what is next in it */
	bool last;                    /* nothing is behind the window */
	uint32_t line;                /* before the one at hand */
	uint64_t line_start;          /* its first byte's offset */
};

/* The place of `at`, which lies in the window. */
struct anim_place bvh_scan_place(const struct bvh_scan *, const char *at);
/* Fails with that place. Returns -1. */
int bvh_scan_fail(const struct bvh_scan *, const char *at, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Passes over a byte order mark. 0 or -1. */
int bvh_scan_mark(struct bvh_scan *, struct anim_error *);

/* The next word, a brace by itself being one: 1, borrowed until the next call; 0 at the end of the file; -1. */
int bvh_scan_word(struct bvh_scan *, const char **word, size_t *length, struct anim_error *);

/* The rest of the line, or what stands before a '{', without blanks around. 0, borrowed likewise; -1 beyond `most` bytes. */
int bvh_scan_line(struct bvh_scan *, size_t most, const char **text, size_t *length, struct anim_error *);

/* Fills in up to `count` numbers; *done, where fewer are left. 0, or -1 at what is none. */
int bvh_scan_floats(struct bvh_scan *, float *values, size_t count, size_t *done, struct anim_error *);

#endif
