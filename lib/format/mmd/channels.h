/* channels.h: the keys of a track at whole frames, for the writer of motions. Internal to format/mmd. */
#ifndef ANIM_FORMAT_MMD_CHANNELS_H
#define ANIM_FORMAT_MMD_CHANNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "clip/track.h"
#include "format/mmd/motion.h"

/* The curve that MikuMikuDance gives to new keys, a line. */
static const struct mmd_curve vmd_line = {20, 20, 107, 107};

/* A key. The curves, one of each component, shape the segment that ends at it. A rotation has one curve. */
struct vmd_key {
	uint32_t frame;
	float value[4];
	struct mmd_curve curves[3];
};

/* The keys of a track. All-zero is a track that does not exist. */
struct vmd_channel {
	const struct anim_track *track; /* borrowed */
	const struct anim_clip *clip;
	unsigned components; /* 1, 3, or 4 of a rotation */
	bool hints;          /* a rotation's column of hints has its curves: see mmd.h */
	struct anim_buffer keys;
	bool sampled, curved; /* curved: some curve is not a line */
};

void vmd_channel_clear(struct vmd_channel *);

/*
 * Copy the keys of a track if they are at whole frames and if its segments can be written, otherwise sample it. Returns 0, or
 * -1 if the clip is too long or if out of memory.
 */
int vmd_channel_fill(struct vmd_channel *, const struct anim_clip *, const struct anim_track *, struct anim_error *);

static inline size_t vmd_channel_count(const struct vmd_channel *channel)
{
	return channel->keys.size / sizeof(struct vmd_key);
}

static inline struct vmd_key *vmd_channel_key(const struct vmd_channel *channel, size_t k)
{
	return (struct vmd_key *)(void *)channel->keys.data + k;
}

/* Sort frames (uint32_t) and remove repetitions. */
void vmd_frames_sort(struct anim_buffer *frames);

/*
 * Collect the frames of all channels, in order. A channel with curves that would get a key between its own is sampled. Returns 0 or
 * -1.
 */
int vmd_channels_join(struct vmd_channel *const *, size_t count, struct anim_buffer *frames, struct anim_error *);

/*
 * Get the key at a frame, which may be between two keys of lines. *cursor is 0 at first, and frames ascend. Returns false if the
 * track does not exist.
 */
bool vmd_channel_at(const struct vmd_channel *, uint32_t frame, size_t *cursor, struct vmd_key *);

#endif
