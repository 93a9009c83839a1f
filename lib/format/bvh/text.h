/* text.h: the vocabulary of BVH that the reader and the writer share: channels, frame times, attributes. */
#ifndef ANIM_FORMAT_BVH_TEXT_H
#define ANIM_FORMAT_BVH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/quaternion.h"

/* Attributes. */
#define BVH_ATTR_CHANNELS \
	"bvh.channels"           /* of a NODE and of tracks: the channels of the joint, in the order of the file */
#define BVH_ATTR_END "bvh.end"   /* of a NODE: an End Site */
#define BVH_ATTR_NAME "bvh.name" /* of a NODE: its name in the file, if the tree cannot use it */
#define BVH_ATTR_FRAME_TIME "bvh.frame_time" /* of a clip: the text in the file */
#define BVH_ATTR_UNIT \
	"bvh.unit" /* of a clip: the unit of the file, as anim_bvh_unit reads it (without it, values are unchanged) */
#define BVH_ATTR_UP "bvh.up" /* of a clip: "z" if Z is the file's vertical axis */

/* ---- Channels: number c < 3 is the position on axis c, number 3 + a the rotation about axis a. The axes are x y z. ---- */

#define BVH_CHANNELS_MAX 6 /* of a joint, which has each channel at most once */
#define BVH_ROTATION 3     /* the first channel of a rotation */

struct bvh_channels {
	uint8_t items[BVH_CHANNELS_MAX], count;
};

extern const char *const bvh_channel_names[BVH_CHANNELS_MAX]; /* "Xposition" ... */

/* Find a channel by its name in letters of either case. Return -1 for another word. */
int bvh_channel_find(const char *word, size_t length);

bool bvh_channels_have(const struct bvh_channels *, unsigned channel);
/* Return whether there are position channels or, with `rotations`, rotation channels. */
bool bvh_channels_have_any(const struct bvh_channels *, bool rotations);
/* Append the channel if it is not in the list yet. */
void bvh_channels_add(struct bvh_channels *, unsigned channel);

/* Convert "Xposition Yposition ..." to channels and back. Return false for a text that cannot be the channels of a joint. */
#define BVH_CHANNELS_TEXT 80
bool bvh_channels_read(const char *text, struct bvh_channels *);
void bvh_channels_print(const struct bvh_channels *, char text[BVH_CHANNELS_TEXT]);

/* Return the order of the rotation channels. Missing channels count as the last ones. */
enum anim_euler_order bvh_channels_order(const struct bvh_channels *);

/* Return the axis of a Z-up file that corresponds to axis `axis` of a Y-up file, or the reverse: y and z are exchanged. */
unsigned bvh_other_axis(unsigned axis);
void bvh_channels_exchange_axes(struct bvh_channels *);
#define BVH_MIRRORED 2 /* the Y-up axis whose numbers change their sign in a Z-up file */

/* ---- Frame times ---- */

/*
 * Read a frame time into *step_s, and find a rate whose frame time, rounded to the digits of the text, equals the text: a
 * usual whole rate, then 24, 30, 48, 60 or 120 * 1000/1001. With four digits or so, any whole rate up to 1000 and any
 * n * 1000/1001 counts. A text of one digit is not a rounding. The last choice is the exact rate of the decimal. If it
 * cannot be stored either, the rate is 0/0. Return false for a text that is not a number from 1e-9 to 1e9.
 */
bool bvh_frame_time_read(const char *text, size_t length, uint32_t *num, uint32_t *den, double *step_s);

#define BVH_FRAME_TIME_TEXT 64 /* more than the length of a frame time, with its NUL */

#endif
