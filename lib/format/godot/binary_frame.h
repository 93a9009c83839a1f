/* binary_frame.h: the bytes of a binary Godot file, plain or out of compressed blocks. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_BINARY_FRAME_H
#define ANIM_FORMAT_GODOT_BINARY_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/input.h"

/* How the blocks of a file that begins with RSCC are packed. */
enum godot_packing { GODOT_FASTLZ, GODOT_DEFLATE, GODOT_ZSTD, GODOT_GZIP, GODOT_BROTLI };

/* Blocks back to back, each packed by itself: all inflate to block_size bytes but the last, which may be empty. */
struct godot_blocks {
	enum godot_packing packing;
	uint32_t block_size, total;
	size_t count, next;      /* blocks; the number of the one that comes next in the input */
	struct anim_buffer size; /* uint32_t: packed bytes of each */
	struct anim_buffer out;  /* what the window shows */
	void *zstd;              /* the decoder's context, NULL until it is needed */
};

/*
 * A cursor over the bytes: at..end is the window. Offsets count as the file's own do: from its first byte where it is plain,
 * from the first inflated one where it is packed. Without input it is a window over memory that does not move.
 */
struct godot_frame {
	struct anim_input *input;
	struct anim_error *error;
	const uint8_t *window, *at, *end;
	uint64_t offset;             /* of window[0] */
	struct godot_blocks *blocks; /* NULL: plain */
	bool failed;                 /* what lies around the content is damaged, or the input is */
};

/* Reads the magic and, of a packed file, the sizes of its blocks. 0 or -1. */
int godot_frame_open(struct godot_frame *, struct anim_input *, struct anim_error *);
void godot_frame_clear(struct godot_frame *);

static inline uint64_t godot_frame_position(const struct godot_frame *frame)
{
	return frame->offset + (uint64_t)(frame->at - frame->window);
}

/* Bytes behind the cursor; UINT64_MAX where that cannot be told. */
uint64_t godot_frame_left(const struct godot_frame *);

/* Makes `want` bytes visible from the cursor on, unless the content ends before. Returns how many there are, or -1. */
ssize_t godot_frame_more(struct godot_frame *, size_t want);

/* Moves on to an offset at or behind the cursor; blocks in between are not inflated. 1, 0 the content ends before, -1. */
int godot_frame_seek(struct godot_frame *, uint64_t offset);

/* What stands behind the content. */
struct godot_frame_end {
	bool marked; /* the mark that should be there, if any */
	bool more;   /* other bytes */
};

/* Goes to the input's end. 0 or -1. */
int godot_frame_finish(struct godot_frame *, struct godot_frame_end *);

#endif
