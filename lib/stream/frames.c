/* frames.c: numbers by frame and by column. */
#include "stream/frames.h"

#include <string.h>

#define TILE_FLOATS ((size_t)1 << 17) /* numbers that are sorted by column at once */
#define TILE_FRAMES ((size_t)8)       /* minimum of a tile, for any number of columns */

void anim_frames_init(struct anim_frames *frames, size_t memory_max)
{
	*frames = (struct anim_frames){.width = 0};
	anim_spool_init(&frames->spool, memory_max);
}

void anim_frames_clear(struct anim_frames *frames)
{
	anim_spool_clear(&frames->spool);
	anim_buffer_clear(&frames->tile);
	anim_buffer_clear(&frames->run);
}

/* Append the tile to the spool, column by column. Return 0 or -1. */
static int end_tile(struct anim_frames *frames, struct anim_error *error)
{
	const float *from = (const float *)(const void *)frames->tile.data;
	size_t size = frames->tile.size, width = frames->width, count;
	float *to;

	if (size == 0)
		return 0;
	count = size / (width * sizeof *to);
	frames->run.size = frames->tile.size = 0;
	to = anim_buffer_extend(&frames->run, size, error);
	if (to == NULL)
		return -1;
	for (size_t i = 0; i < width; i++)
		for (size_t k = 0; k < count; k++)
			*to++ = from[k * width + i];
	return anim_spool_begin(&frames->spool, size, error) != 0
		   ? -1
		   : anim_spool_append(&frames->spool, frames->run.data, size, error);
}

float *anim_frames_add(struct anim_frames *frames, struct anim_error *error)
{
	size_t size = frames->width * sizeof(float);
	float *row;

	if (frames->count == 0) {
		size_t most = frames->width == 0 ? 0 : TILE_FLOATS / frames->width;

		frames->tile_frames = most > TILE_FRAMES ? most : TILE_FRAMES;
	}
	if (frames->tile.size == frames->tile_frames * size && end_tile(frames, error) != 0)
		return NULL;
	if (anim_buffer_reserve(&frames->tile, size + 1, error) != 0)
		return NULL;
	row = (float *)(void *)(frames->tile.data + frames->tile.size);
	memset(row, 0, size);
	frames->tile.size += size;
	frames->count++;
	return row;
}

int anim_frames_end(struct anim_frames *frames, struct anim_error *error)
{
	int result = end_tile(frames, error);

	anim_buffer_clear(&frames->tile);
	return result;
}

int anim_frames_copy(struct anim_frames *frames, size_t column, size_t n, float *to, size_t stride,
		     struct anim_error *error)
{
	size_t part;

	for (size_t at = 0; at < frames->count; at += part) {
		size_t left = frames->count - at, size;
		const float *run;

		part = left < frames->tile_frames ? left : frames->tile_frames;
		size = part * n * sizeof *run;
		frames->run.size = 0;
		run = anim_buffer_extend(&frames->run, size, error);
		if (run == NULL || anim_spool_copy(&frames->spool, (at * frames->width + part * column) * sizeof *run,
						   frames->run.data, size, error) != 0)
			return -1;
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < part; k++)
				to[(at + k) * stride + i] = *run++;
	}
	return 0;
}
