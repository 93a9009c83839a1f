/* block.c: rotations and positions of frames, which arrive in tiles and are read back item by item. */
#include <string.h>

#include "base/limits.h"
#include "format/npz/internal.h"

struct npz_block *npz_block_begin(struct npz_reader *reader, struct npy_array *array, size_t items, size_t frames)
{
	struct npz_block *block = &reader->blocks[reader->block_count];

	if (reader->block_count == NPZ_BLOCKS_MAX) {
		npy_refuse(array, "too many arrays of rotations");
		return NULL;
	}
	reader->block_count++;
	*block = (struct npz_block){
	    .items = items, .frames = frames, .tile_frames = frames, .place = anim_spool_size(&reader->spool)};
	return block;
}

int npz_block_append(struct npz_reader *reader, size_t items, size_t frames)
{
	size_t size = frames * items * 4 * sizeof(float);

	if (anim_spool_begin(&reader->spool, size, reader->error) != 0)
		return -1;
	return anim_spool_append(&reader->spool, reader->run.data, size, reader->error);
}

int npz_block_gather(struct npz_reader *reader, const struct npz_block *block, size_t item)
{
	const size_t value = 4 * sizeof(float);
	float *values;

	reader->values.size = 0;
	values = anim_buffer_extend(&reader->values, block->frames * value + 1, reader->error);
	if (values == NULL)
		return -1;
	for (size_t first = 0, frames; first < block->frames; first += frames, values += 4 * frames) {
		size_t left = block->frames - first;

		frames = left < block->tile_frames ? left : block->tile_frames;
		if (anim_spool_copy(&reader->spool, block->place + (first * block->items + frames * item) * value,
				    values, frames * value, reader->error) != 0)
			return -1;
	}
	return 0;
}
