/* rows.c: which axes of an array are frames, joints and numbers, and its numbers frame by frame. */
#include <string.h>

#include "base/limits.h"
#include "format/npz/internal.h"

/* An axis of an array with more than one place: its size, and the distance of two places in the file, in numbers. */
struct axis {
	size_t size, step;
};

/* List the axes. Axes of size 1 say nothing, but the last two of n x 1 x 3 x 3 stay together. Return their number. */
static unsigned list_axes(const struct npy_array *array, struct axis axes[NPY_DIMENSIONS_MAX])
{
	unsigned count = 0;
	size_t step = 1;

	for (unsigned k = 0; k < array->dimensions; k++) {
		unsigned i = array->by_columns ? k : array->dimensions - 1 - k;

		axes[i] = (struct axis){(size_t)array->shape[i], step};
		step *= (size_t)array->shape[i];
	}
	for (unsigned i = 0; i < array->dimensions; i++)
		if (axes[i].size != 1)
			axes[count++] = axes[i];
	return count;
}

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

/* Match a single axis with the numbers of all joints. The usual three numbers are tried first. */
static bool match_flat(struct npz_rows *rows, const struct axis *axis, const uint16_t *counts, bool only_triples)
{
	static const size_t sizes[] = {3, 6, 9, 4};

	if (axis->size == NPZ_MOTION_X && is_count(NPZ_MOTION_X, counts)) {
		rows->components = 1;
		rows->component_at[0] = 0;
		return set_items(rows, NPZ_MOTION_X, axis->step, counts);
	}
	for (unsigned i = 0; i < (only_triples ? 1 : 4); i++) {
		const struct axis numbers = {sizes[i], axis->step};

		if (axis->size % sizes[i] == 0 && is_count(axis->size / sizes[i], counts))
			return set_components(rows, &numbers, 1, only_triples) &&
			       set_items(rows, axis->size / sizes[i], sizes[i] * axis->step, counts);
	}
	return false;
}

/* Match the axes besides the frames with joints and numbers, in this order or with the numbers first. */
static bool match(struct npz_rows *rows, const struct axis *axes, unsigned count, const uint16_t *counts,
		  bool only_triples, bool numbers_first)
{
	if (count == 1)
		return match_flat(rows, axes, counts, only_triples);
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

/* Spool the numbers of a file that has them in another order. Return 0 or -1. */
static int spool_numbers(struct npz_reader *reader, struct npz_rows *rows)
{
	struct npy_array *array = rows->array;
	uint64_t count = array->count;
	double numbers[4096];

	if (count > UINT64_MAX / sizeof *numbers)
		return npy_refuse(array, "the shape is too large");
	rows->place = anim_spool_size(&reader->spool);
	if (anim_spool_begin(&reader->spool, count * sizeof *numbers, reader->error) != 0)
		return -1;
	for (size_t part; count > 0; count -= part) {
		part = count < 4096 ? (size_t)count : 4096;
		if (npy_doubles(array, numbers, part) != 0 ||
		    anim_spool_append(&reader->spool, numbers, part * sizeof *numbers, reader->error) != 0)
			return -1;
	}
	return 0;
}

int npz_rows_begin(struct npz_reader *reader, struct npy_array *array, const uint16_t *counts, bool only_triples,
		   struct npz_rows *rows)
{
	struct axis axes[NPY_DIMENSIONS_MAX];
	unsigned count = list_axes(array, axes), free_axes = count;
	bool found = false;

	if (array->kind == NPY_OBJECTS)
		return npy_refuse(array, NPZ_PICKLED);
	if (array->kind > NPY_UNSIGNED)
		return npy_refuse(array, "holds no numbers");
	/* A single rotation of 3 x 3, 3 x 2 or 2 x 3 could be mistaken for frames. */
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
	return rows->in_order || spool_numbers(reader, rows) == 0 ? 1 : -1;
}

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
