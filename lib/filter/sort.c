/* sort.c: keys out of order, brought into it. */
#include "filter/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

struct order {
	float time_s;
	uint32_t key;
};

/* By time, then by place: a stable order. */
static int compare(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	if (x->time_s != y->time_s)
		return x->time_s < y->time_s ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

struct sort {
	const struct order *order;
	size_t n;
	struct anim_arena *arena;
	struct anim_error *error;
	bool failed;
};

/* A copy of a column of `size` bytes an element in the new order; NULL stays NULL. */
static const void *permuted(struct sort *sort, const void *column, size_t size)
{
	size_t bytes;
	unsigned char *copy;

	if (column == NULL || sort->failed)
		return NULL;
	if (anim_size_multiply(size, sort->n, &bytes, sort->error) != 0 ||
	    (copy = anim_arena_alloc(sort->arena, bytes, sort->error)) == NULL) {
		sort->failed = true;
		return NULL;
	}
	for (size_t k = 0; k < sort->n; k++)
		memcpy(copy + k * size, (const unsigned char *)column + sort->order[k].key * size, size);
	return copy;
}

static void permute_strings(struct sort *sort, struct anim_track *out)
{
	struct anim_strings *strings;

	if (out->strings == NULL || sort->failed)
		return;
	strings = anim_arena_alloc(sort->arena, sizeof *strings, sort->error);
	if (strings == NULL) {
		sort->failed = true;
		return;
	}
	*strings = *out->strings;
	strings->length = permuted(sort, strings->length, sizeof *strings->length);
	strings->start = permuted(sort, strings->start, sizeof *strings->start);
	out->strings = strings;
}

static int tell(struct anim_losses *losses, const struct anim_track *track, struct anim_error *error)
{
	char label[256];

	(void)anim_track_label(track, label, sizeof label);
	return anim_losses_add(losses, ANIM_WARNING, NULL, "tracks had keys out of order and were sorted", error,
			       "track '%s' had keys out of order and was sorted", label);
}

int anim_track_sort(const struct anim_track *track, struct anim_track *out, struct anim_arena *arena,
		    struct anim_losses *losses, struct anim_error *error)
{
	size_t size = anim_types[track->type].size, lanes = anim_types[track->type].lanes;
	struct order *order = anim_arena_zeroed(arena, track->n, sizeof *order, error);
	struct sort sort = {order, track->n, arena, error, order == NULL};

	for (size_t k = 0; order != NULL && k < track->n; k++) {
		if (!isfinite(track->time[k]))
			return anim_fail(error, ANIM_UNSUPPORTED,
					 "track '%s %s': the time of key %zu is not a finite number", track->node,
					 track->property, k);
		order[k] = (struct order){track->time[k], (uint32_t)k};
	}
	if (order != NULL)
		qsort(order, track->n, sizeof *order, compare);
	*out = *track;
	out->record = NULL;
	out->flags &= ~ANIM_UNSORTED;
	out->time = permuted(&sort, track->time, sizeof *track->time);
	out->interps = permuted(&sort, track->interps, 1);
	out->value = permuted(&sort, track->value, size);
	out->left = permuted(&sort, track->left, size);
	out->right = permuted(&sort, track->right, size);
	out->left_x = permuted(&sort, track->left_x, lanes * sizeof *track->left_x);
	out->right_x = permuted(&sort, track->right_x, lanes * sizeof *track->right_x);
	out->ease = permuted(&sort, track->ease, sizeof *track->ease);
	out->weighted = permuted(&sort, track->weighted, 1);
	out->hint = permuted(&sort, track->hint, sizeof *track->hint);
	permute_strings(&sort, out);
	return sort.failed ? -1 : tell(losses, track, error);
}
