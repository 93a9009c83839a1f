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

/*
 * Clips of one name belong together, of one player before others. "walk" is "lib/walk", too, where no other clip is called
 * just so: formats of one clip do not keep the library.
 */
enum naming { NAMING_PLAYER, NAMING_NAME, NAMING_LIBRARY_FIRST, NAMING_LIBRARY_SECOND, NAMINGS };

struct round {
	const struct anim_compare *c;
	unsigned naming;
};

static int key_of(void *context, int side, size_t number, struct anim_arena *keys, const char **key, size_t *length,
		  struct anim_error *error)
{
	const struct round *round = context;
	const struct anim_clip *clip = clip_at(round->c, side, number);
	const char *player = anim_attrs_get(&clip->attrs, "player"), *slash = strrchr(clip->name, '/');
	size_t a = strlen(clip->name) + 1, b = player == NULL ? 0 : strlen(player) + 1;
	char *both;

	*key = clip->name;
	*length = a;
	if (round->naming == NAMING_NAME)
		return 1;
	if (round->naming != NAMING_PLAYER) {
		bool has_library = (round->naming == NAMING_LIBRARY_FIRST) == (side == 0);

		*key = has_library && slash != NULL ? slash + 1 : clip->name;
		*length = strlen(*key) + 1;
		return has_library == (slash != NULL);
	}
	if ((both = anim_arena_alloc(keys, a + b, error)) == NULL)
		return -1;
	memcpy(both, clip->name, a);
	if (player != NULL)
		memcpy(both + a, player, b);
	*key = both;
	*length = a + b;
	return 1;
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
	anim_clip_names_print(&names, NULL, list, sizeof list);
	return anim_fail(
	    error, ANIM_BAD_INPUT,
	    "%s holds the clip '%.80s' alone, and %s none of that name, but %s; pick with -c, or --all-clips",
	    c->options.names[lone], clip_at(c, lone, clip)->name, c->options.names[!lone], list);
}

static int add_leftovers(struct anim_compare *c, int side, const size_t *partners, struct anim_error *error)
{
	for (size_t i = 0; i < clips_of(c, side); i++) {
		if (partners[i] != COMPARE_NONE || !counts_beside(c, side, i))
			continue;
		if (add_couple(c, side == 0 ? i : COMPARE_NONE, side == 0 ? COMPARE_NONE : i, error) != 0)
			return -1;
	}
	return 0;
}

/* Clips that found no namesake; RESET does not count beside others, nor do those of a side that is held against one clip. */
static int couple_rest(struct anim_compare *c, size_t *const partners[2], struct anim_error *error)
{
	size_t one[2], counts[2] = {counting(c, 0, &one[0]), counting(c, 1, &one[1])};
	bool all = c->options.all_clips, found[2];

	for (int side = 0; side < 2; side++)
		found[side] = counts[side] == 1 && partners[side][one[side]] != COMPARE_NONE;
	if (!all && (found[0] || found[1]))
		return 0;
	if (counts[0] == 1 && counts[1] == 1 && !found[0] && !found[1])
		return add_couple(c, one[0], one[1], error);
	for (int side = 0; side < 2 && !all; side++)
		if (counts[side] == 1 && counts[!side] > 1)
			return refuse_lone(c, side, one[side], error);
	for (int side = 0; side < 2; side++)
		if (add_leftovers(c, side, partners[side], error) != 0)
			return -1;
	return 0;
}

static int couple_namesakes(struct anim_compare *c, struct compare_pairing *p, struct anim_error *error)
{
	struct round *round = p->context;

	for (round->naming = 0; round->naming < NAMINGS; round->naming++) {
		if (round->naming ==
		    NAMING_NAME) /* of one name and one player nothing but their order tells clips apart */
			p->guesses = 0;
		if (compare_pair_up(p, error) != 0)
			return -1;
	}
	if (p->guesses > 0 &&
	    anim_losses_add(c->options.losses, ANIM_WARNING, NULL, NULL, error,
			    "%zu %s several others; these were matched in their order, pick with -c PLAYER:NAME",
			    p->guesses, p->guesses == 1 ? "clip's name fits" : "clips' names fit") != 0)
		return -1;
	for (size_t i = 0; i < p->counts[0]; i++)
		if (p->partners[0][i] != COMPARE_NONE && add_couple(c, i, p->partners[0][i], error) != 0)
			return -1;
	return 0;
}

int compare_couple_clips(struct anim_compare *c, struct anim_error *error)
{
	struct round round = {.c = c};
	struct compare_pairing pairing = {.counts = {clips_of(c, 0), clips_of(c, 1)}, .key = key_of, .context = &round};
	int result = 0;

	for (int side = 0; side < 2 && result == 0; side++) {
		pairing.partners[side] = malloc((pairing.counts[side] + 1) * sizeof(size_t));
		if (pairing.partners[side] == NULL)
			result = anim_fail_memory(error);
		for (size_t i = 0; i < pairing.counts[side] && result == 0; i++)
			pairing.partners[side][i] = COMPARE_NONE;
	}
	if (result == 0)
		result = couple_namesakes(c, &pairing, error);
	if (result == 0)
		result = couple_rest(c, pairing.partners, error);
	free(pairing.partners[0]);
	free(pairing.partners[1]);
	return result;
}
