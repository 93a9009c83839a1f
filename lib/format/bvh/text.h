/* text.h: the words of BVH that the reader and the writer share: channels, frame times, attributes. */
#ifndef ANIM_FORMAT_BVH_TEXT_H
#define ANIM_FORMAT_BVH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/quaternion.h"

/* Attributes. */
#define BVH_ATTR_CHANNELS "bvh.channels"     /* of a NODE, and of tracks: the joint's, in the file's order */
#define BVH_ATTR_END "bvh.end"               /* of a NODE: an End Site */
#define BVH_ATTR_NAME "bvh.name"             /* of a NODE: its name in the file, where the tree cannot have that */
#define BVH_ATTR_FRAME_TIME "bvh.frame_time" /* of a clip: as the file has it */
#define BVH_ATTR_UNIT "bvh.unit" /* of a clip: the file's, as anim_bvh_unit takes it; else values are unchanged */
#define BVH_ATTR_UP "bvh.up"     /* of a clip: "z" where Z is the file's vertical axis */

/* ---- Channels: number c < 3 is the position on axis c, number 3 + a the rotation about axis a; the axes are x y z ---- */

#define BVH_CHANNELS_MAX 6 /* of a joint: each once */
#define BVH_ROTATION 3     /* the first channel of a rotation */

struct bvh_channels {
	uint8_t items[BVH_CHANNELS_MAX], count;
};

/* Find "Xposition" in letters of either case. Return -1 for another word. */
int bvh_channel_find(const char *word, size_t length);
const char *bvh_channel_name(unsigned channel);

bool bvh_channels_have(const struct bvh_channels *, unsigned channel);
/* Return whether there are channels of positions, or of rotations. */
bool bvh_channels_have_any(const struct bvh_channels *, bool rotations);
/* Append the channel unless it is among them. */
void bvh_channels_add(struct bvh_channels *, unsigned channel);

/* Convert "Xposition Yposition ..." to channels and back. Return false for a text that no joint can have. */
#define BVH_CHANNELS_TEXT 80
bool bvh_channels_read(const char *text, struct bvh_channels *);
void bvh_channels_print(const struct bvh_channels *, char text[BVH_CHANNELS_TEXT]);

/* Return the order of the rotation's channels, missing ones at the end. */
enum anim_euler_order bvh_channels_order(const struct bvh_channels *);

/* Return which axis of a file with Z up is axis `axis` with Y up, or the reverse: y and z change places. */
unsigned bvh_other_axis(unsigned axis);
void bvh_channels_exchange_axes(struct bvh_channels *);
#define BVH_MIRRORED 2 /* the axis, with Y up, whose numbers have the other sign with Z up */

/* ---- Frame times ---- */

/*
 * Read a frame time. The rate is the one whose frame time, rounded to the digits of the text, is the text: a whole rate up to
 * 1000, the usual one of several, else the nearest; else n * 1000/1001, also where the text is one of 23.976, 29.97 and the
 * like; else the decimal's own. If none of them fits, the rate is 0/0 and *step_s the time. Return false for a text that is
 * not a number from 1e-9 to 1e9.
 */
bool bvh_frame_time_read(const char *text, size_t length, uint32_t *num, uint32_t *den, double *step_s);

/* Print a text that reads as this rate again, with the fewest decimals, at least 7. If the rate is 0, print the step. */
#define BVH_FRAME_TIME_TEXT 64
void bvh_frame_time_print(uint32_t num, uint32_t den, double step_s, char text[BVH_FRAME_TIME_TEXT]);

#endif
