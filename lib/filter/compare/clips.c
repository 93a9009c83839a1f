/* clips.c: which clips of two inputs are held against each other. */
#include <stdlib.h>
#include <string.h>

#include "filter/clip_names.h"
#include "filter/compare/internal.h"

static const struct anim_clip *clip_at(const struct anim_compare *c, int side, size_t clip)
{
	return anim_store_clip(c->sides[side].store, clip);
}

static size_t clips_of(const struct anim_compare *c, int side)
{
	return anim_store_clips(c->sides[side].store);
}

static bool have_one_player(const struct anim_clip *a, const struct anim_clip *b)
{
	const char *one = anim_attrs_get(&a->attrs, "player"), *other = anim_attrs_get(&b->attrs, "player");

	return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

/* The clip of the second side that bears the name and is not taken; one of the same player before others. */
static size_t namesake(const struct anim_compare *c, const struct anim_clip *clip, const uint8_t *taken)
{
	size_t found = COMPARE_NONE;

	for (size_t i = 0; i < clips_of(c, 1); i++) {
		const struct anim_clip *other = clip_at(c, 1, i);

		if (taken[i] || strcmp(clip->name, other->name) != 0)
			continue;
		if (have_one_player(clip, other))
			return i;
		found = found == COMPARE_NONE ? i : found;
	}
	return found;
}

/* RESET counts only where it is alone, or all are wanted. */
static bool counts_beside(const struct anim_compare *c, int side, size_t clip)
{
	return c->options.all_clips || clips_of(c, side) == 1 || !anim_clip_is_reset(clip_at(c, side, clip));
}

/* How many clips count, and the last of them. */
static size_t counting(const struct anim_compare *c, int side, size_t *the_one)
{
	size_t count = 0, all = clips_of(c, side);

	*the_one = 0;
	for (size_t i = 0; i < all; i++) {
		if (!counts_beside(c, side, i))
			continue;
		count++;
		*the_one = i;
	}
	return count;
}

static int add_couple(struct anim_compare *c, size_t a, size_t b, struct anim_error *error)
{
	const struct couple couple = {{a, b}};

	return anim_buffer_append(&c->couples, &couple, sizeof couple, error);
}

/* A lone clip none of many is called like. */
static int refuse_lone(const struct anim_compare *c, int lone, size_t clip, struct anim_error *error)
{
	struct anim_clip_names names = {.count = 0};
	char list[240];

	for (size_t i = 0; i < clips_of(c, !lone); i++)
		anim_clip_names_add(&names, clip_at(c, !lone, i));
	anim_clip_names_print(&names, list, sizeof list);
	return anim_fail(
	    error, ANIM_BAD_INPUT,
	    "%s holds the clip '%.80s' alone, and %s none of that name, but %s; pick with -c, or --all-clips",
	    c->options.names[lone], clip_at(c, lone, clip)->name, c->options.names[!lone], list);
}

static int add_leftovers(struct anim_compare *c, int side, const uint8_t *taken, struct anim_error *error)
{
	for (size_t i = 0; i < clips_of(c, side); i++) {
		if (taken[i] || !counts_beside(c, side, i))
			continue;
		if (add_couple(c, side == 0 ? i : COMPARE_NONE, side == 0 ? COMPARE_NONE : i, error) != 0)
			return -1;
	}
	return 0;
}

/* Clips that found no namesake; RESET does not count beside others, nor do those of a side that is held against one clip. */
static int couple_rest(struct anim_compare *c, uint8_t *const taken[2], struct anim_error *error)
{
	size_t one[2], counts[2] = {counting(c, 0, &one[0]), counting(c, 1, &one[1])};
	bool all = c->options.all_clips, found[2];

	for (int side = 0; side < 2; side++)
		found[side] = counts[side] == 1 && taken[side][one[side]];
	if (!all && (found[0] || found[1]))
		return 0;
	if (counts[0] == 1 && counts[1] == 1 && !found[0] && !found[1])
		return add_couple(c, one[0], one[1], error);
	for (int side = 0; side < 2 && !all; side++)
		if (counts[side] == 1 && counts[!side] > 1)
			return refuse_lone(c, side, one[side], error);
	for (int side = 0; side < 2; side++)
		if (add_leftovers(c, side, taken[side], error) != 0)
			return -1;
	return 0;
}

int compare_couple_clips(struct anim_compare *c, struct anim_error *error)
{
	uint8_t *taken[2] = {calloc(clips_of(c, 0) + 1, 1), calloc(clips_of(c, 1) + 1, 1)};
	int result = taken[0] == NULL || taken[1] == NULL ? anim_fail_memory(error) : 0;

	for (size_t i = 0; result == 0 && i < clips_of(c, 0); i++) {
		size_t other = namesake(c, clip_at(c, 0, i), taken[1]);

		if (other == COMPARE_NONE)
			continue;
		taken[0][i] = taken[1][other] = 1;
		result = add_couple(c, i, other, error);
	}
	if (result == 0)
		result = couple_rest(c, taken, error);
	free(taken[0]);
	free(taken[1]);
	return result;
}
