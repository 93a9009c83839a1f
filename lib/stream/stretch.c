/* stretch.c: runs of bytes, each with the way it is best deflated. */
#include "stream/stretch.h"

int anim_stretches_add(struct anim_stretches *stretches, const struct anim_stretch *stretch, struct anim_error *error)
{
	size_t count = anim_stretches_count(stretches);
	struct anim_stretch *last = (struct anim_stretch *)(void *)stretches->items.data;

	if (stretch->size == 0)
		return 0;
	if (count > 0 && !stretch->begins_member && stretch->way != ANIM_DEFLATE_RUNS) {
		last += count - 1;
		if (last->way == stretch->way) {
			last->size += stretch->size;
			return 0;
		}
	}
	return anim_buffer_append(&stretches->items, stretch, sizeof *stretch, error);
}

size_t anim_stretches_count(const struct anim_stretches *stretches)
{
	return stretches->items.size / sizeof(struct anim_stretch);
}

const struct anim_stretch *anim_stretches_at(const struct anim_stretches *stretches, size_t i)
{
	return (const struct anim_stretch *)(const void *)stretches->items.data + i;
}

void anim_stretches_reset(struct anim_stretches *stretches)
{
	stretches->items.size = 0;
}

void anim_stretches_clear(struct anim_stretches *stretches)
{
	anim_buffer_clear(&stretches->items);
}
