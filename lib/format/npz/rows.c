/* rows.c: which axes of an array are frames, joints and numbers, its numbers frame by frame, and converted by item. */
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "format/npz/reader.h"

/* ---- The axes of an array ---- */

/* An axis of an array with more than one place: its size, and the distance of two places in the file, in numbers. */
struct axis {
	size_t size, step;
};

static bool is_count(size_t size, const uint16_t *counts)
{
	while (*counts != 0 && *counts != size)
		counts++;
	return *counts != 0;
}

static bool set_items(struct npz_rows *rows, size_t items, size_t step, const uint16_t *counts)
{
	rows->items = items;
	rows->item_step = step;
	return is_count(items, counts);
}

/* Return whether one or two axes are the numbers of a joint: 3, 4, 6 or 9, or 3 x 3, 3 x 2 or 2 x 3. */
static bool set_components(struct npz_rows *rows, const struct axis *axes, unsigned count, bool only_triples)
{
	size_t inner = count == 2 ? axes[1].size : 1, size = axes[0].size * inner;
	bool fits = count == 2 ? (axes[0].size == 2 || axes[0].size == 3) && (inner == 2 || inner == 3) && size > 4
			       : size == 3 || size == 4 || size == 6 || size == 9;

	if (!fits || (only_triples && size != 3))
		return false;
	rows->components = size;
	for (size_t i = 0; i < size; i++)
		rows->component_at[i] = i / inner * axes[0].step + (count == 2 ? i % inner * axes[1].step : 0);
	return true;
}

/* Match the axes besides the frames with joints and numbers, in this order or with the numbers first. */
static bool match(struct npz_rows *rows, const struct axis *axes, unsigned count, const uint16_t *counts,
		  bool only_triples, bool numbers_first)
{
	static const size_t sizes[] = {3, 6, 9, 4};

	if (count == 1) {
		/* Match a single axis with the numbers of all joints. The usual three numbers are tried first. */
		if (axes->size == NPZ_MOTION_X && is_count(NPZ_MOTION_X, counts)) {
			rows->components = 1;
			rows->component_at[0] = 0;
			return set_items(rows, NPZ_MOTION_X, axes->step, counts);
		}
		for (unsigned i = 0; i < (only_triples ? 1 : 4); i++) {
			const struct axis numbers = {sizes[i], axes->step};

			if (axes->size % sizes[i] == 0 && is_count(axes->size / sizes[i], counts))
				return set_components(rows, &numbers, 1, only_triples) &&
				       set_items(rows, axes->size / sizes[i], sizes[i] * axes->step, counts);
		}
		return false;
	}
	for (unsigned inner = 1; inner <= 2 && inner <= count; inner++) {
		const struct axis *joints = numbers_first ? axes + inner : axes;

		if (count - inner > 1 ||
		    !set_components(rows, numbers_first ? axes : axes + (count - inner), inner, only_triples))
			continue;
		if (count == inner ? set_items(rows, 1, 0, counts)
				   : set_items(rows, joints->size, joints->step, counts))
			return true;
	}
	return false;
}

int npz_rows_begin(struct npz_reader *reader, struct npy_array *array, const uint16_t *counts, bool only_triples,
		   struct npz_rows *rows)
{
	struct axis axes[NPY_DIMENSIONS_MAX];
	unsigned count = 0, free_axes;
	size_t step = 1;
	bool found = false;
	double numbers[4096];

	if (array->kind == NPY_OBJECTS)
		return npy_refuse(array, NPZ_PICKLED);
	if (array->kind > NPY_UNSIGNED)
		return npy_refuse(array, "holds no numbers");
	/* List the axes. Axes of size 1 say nothing. */
	for (unsigned k = 0; k < array->dimensions; k++) {
		unsigned i = array->by_columns ? k : array->dimensions - 1 - k;

		axes[i] = (struct axis){(size_t)array->shape[i], step};
		step *= (size_t)array->shape[i];
	}
	for (unsigned i = 0; i < array->dimensions; i++)
		if (axes[i].size != 1)
			axes[count++] = axes[i];
	free_axes = count;
	/* A single rotation of 3 x 3, 3 x 2 or 2 x 3 could be mistaken for frames, so its axes stay together. */
	if (!only_triples && array->dimensions > 2 && count >= 2) {
		uint64_t outer = array->shape[array->dimensions - 2], inner = array->shape[array->dimensions - 1];

		if (outer >= 2 && outer <= 3 && inner >= 2 && inner <= 3 && outer * inner >= 6)
			free_axes = count - 2;
	}
	*rows = (struct npz_rows){.array = array};
	/* Frames come first, or else last (MDM), or else between joints and numbers, or there is only one. */
	for (unsigned pass = 0; pass < 2 && !found; pass++)
		for (unsigned i = 0; i <= free_axes && !found; i++) {
			unsigned time = i == free_axes ? count : i == 0 ? 0 : free_axes - i;
			struct axis others[NPY_DIMENSIONS_MAX];
			unsigned left = 0;

			for (unsigned k = 0; k < count; k++)
				if (k != time)
					others[left++] = axes[k];
			rows->frames = time < count ? axes[time].size : 1;
			rows->frame_step = time < count ? axes[time].step : 0;
			found = match(rows, others, left, counts, only_triples, pass == 1);
		}
	if (!found)
		return 0;
	if (rows->frames > ANIM_KEYS_MAX)
		return npy_refuse(array, "more than %u frames", ANIM_KEYS_MAX);
	rows->width = rows->items * rows->components;
	rows->in_order = (rows->frames <= 1 || rows->frame_step == rows->width) &&
			 (rows->items == 1 || rows->item_step == rows->components);
	for (size_t i = 0; i < rows->components; i++)
		rows->in_order &= rows->component_at[i] == i;
	if (rows->in_order)
		return 1;
	/* Spool the numbers of a file that has them in another order. */
	if (array->count > UINT64_MAX / sizeof *numbers)
		return npy_refuse(array, "the shape is too large");
	rows->place = anim_spool_size(&reader->spool);
	if (anim_spool_begin(&reader->spool, array->count * sizeof *numbers, reader->error) != 0)
		return -1;
	for (uint64_t left = array->count, part; left > 0; left -= part) {
		part = left < ANIM_COUNT(numbers) ? left : ANIM_COUNT(numbers);
		if (npy_doubles(array, numbers, (size_t)part) != 0 ||
		    anim_spool_append(&reader->spool, numbers, (size_t)part * sizeof *numbers, reader->error) != 0)
			return -1;
	}
	return 1;
}

/* ---- Numbers frame by frame ---- */

/* Copy numbers that are `step` apart in the spool to places that are `to_step` apart. Return 0 or -1. */
static int copy_run(struct npz_reader *reader, uint64_t place, size_t step, size_t count, double *to, size_t to_step)
{
	double window[4096];
	size_t most = sizeof window / sizeof *window, part;

	for (; count > 0; count -= part, place += part * step * sizeof *window) {
		part = step == 0 ? count : (most - 1) / step + 1;
		part = part < count ? part : count;
		if (anim_spool_copy(&reader->spool, place, window, ((part - 1) * step + 1) * sizeof *window,
				    reader->error) != 0)
			return -1;
		for (size_t i = 0; i < part; i++, to += to_step)
			*to = window[i * step];
	}
	return 0;
}

int npz_rows_tile(struct npz_reader *reader, const struct npz_rows *rows, size_t first, size_t frames)
{
	size_t numbers = frames * rows->width;
	double *to;

	reader->tile.size = 0;
	if (!rows->in_order) {
		to = anim_buffer_extend(&reader->tile, numbers * sizeof *to, reader->error);
		if (to == NULL)
			return -1;
		for (size_t i = 0; i < rows->items; i++)
			for (size_t c = 0; c < rows->components; c++, to++)
				if (copy_run(reader,
					     rows->place + (first * rows->frame_step + i * rows->item_step +
							    rows->component_at[c]) *
							       sizeof *to,
					     rows->frame_step, frames, to, rows->width) != 0)
					return -1;
		return 0;
	}
	/* The tile grows as numbers arrive, because the shape may promise more than the file has. */
	for (size_t done = 0, part; done < numbers; done += part) {
		part = numbers - done < 65536 ? numbers - done : 65536;
		to = anim_buffer_extend(&reader->tile, part * sizeof *to, reader->error);
		if (to == NULL || npy_doubles(rows->array, to, part) != 0)
			return -1;
	}
	return 0;
}

/* ---- Blocks: rotations and positions arrive in tiles of frames and are read back item by item ---- */

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
