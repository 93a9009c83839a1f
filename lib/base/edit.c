/* edit.c: parts shared by all edits of files. */
#include "base/edit.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const struct anim_edit *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void anim_edits_sort(struct anim_buffer *edits, size_t size)
{
	if (edits->size > 0)
		qsort(edits->data, edits->size / size, size, compare);
}

int anim_edit_pass(struct anim_input *input, uint64_t count, struct anim_output *out, struct anim_error *error)
{
	while (count > 0) {
		const uint8_t *at;
		ssize_t size = anim_input_peek(input, 1, &at, error);

		if (size < 0)
			return -1;
		if (size == 0)
			return anim_fail(error, ANIM_BAD_INPUT, "it changed while it was read");
		if ((uint64_t)size > count)
			size = (ssize_t)count;
		if (out != NULL && anim_output_write(out, at, (size_t)size, error) != 0)
			return -1;
		anim_input_skip(input, (size_t)size);
		count -= (uint64_t)size;
	}
	return 0;
}
