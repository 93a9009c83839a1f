/* pairing.c: pairs the elements of two lists that have one key; of several of one key the first with the first. */
#include "base/map.h"
#include "filter/compare/internal.h"

/* What the map tells of a key. */
enum scope { SCOPE_LEFT, SCOPE_COUNT_FIRST, SCOPE_COUNT_SECOND };

/* One round. */
struct round {
	struct compare_pairing *pairing;
	struct anim_error *error;
	struct anim_arena keys;
	struct anim_map map; /* SCOPE_LEFT: the first element of the second list that is left, plus 1 */
	struct anim_buffer queue;
	uint32_t *next; /* in the queue: for each of the second list the next one of the same key, plus 1 */
};

/* The key of an element that has no partner yet: 1; 0: it takes no part; -1. */
static int key_of(struct round *round, int side, size_t number, const char **key, size_t *length)
{
	const struct compare_pairing *p = round->pairing;

	if (p->partners[side][number] != COMPARE_NONE)
		return 0;
	return p->key(p->context, side, number, &round->keys, key, length, round->error);
}

static uint32_t get(const struct round *round, enum scope scope, const char *key, size_t length)
{
	uint32_t value;

	return anim_map_get(&round->map, scope, key, length, &value) ? value : 0;
}

static int count_keys(struct round *round, int side)
{
	enum scope scope = side == 0 ? SCOPE_COUNT_FIRST : SCOPE_COUNT_SECOND;

	for (size_t i = 0; i < round->pairing->counts[side]; i++) {
		const char *key;
		size_t length;
		int got = key_of(round, side, i, &key, &length);

		if (got < 0 || (got == 1 && anim_map_put(&round->map, scope, key, length,
							 get(round, scope, key, length) + 1, round->error) != 0))
			return -1;
	}
	return 0;
}

static int list_second(struct round *round)
{
	for (size_t i = round->pairing->counts[1]; i-- > 0;) {
		const char *key;
		size_t length;
		int got = key_of(round, 1, i, &key, &length);

		if (got < 0)
			return -1;
		if (got == 0)
			continue;
		round->next[i] = get(round, SCOPE_LEFT, key, length);
		if (anim_map_put(&round->map, SCOPE_LEFT, key, length, (uint32_t)i + 1, round->error) != 0)
			return -1;
	}
	return 0;
}

static bool is_even(const struct round *round, const char *key, size_t length)
{
	return get(round, SCOPE_COUNT_FIRST, key, length) == get(round, SCOPE_COUNT_SECOND, key, length);
}

static int take_first(struct round *round)
{
	struct compare_pairing *p = round->pairing;

	for (size_t i = 0; i < p->counts[0]; i++) {
		const char *key;
		size_t length;
		uint32_t number;
		int got = key_of(round, 0, i, &key, &length);

		if (got < 0)
			return -1;
		if (got == 0 || (number = get(round, SCOPE_LEFT, key, length)) == 0 ||
		    (p->evenly && !is_even(round, key, length)))
			continue;
		p->partners[0][i] = number - 1;
		p->partners[1][number - 1] = i;
		p->guesses += round->next[number - 1] != 0;
		if (anim_map_put(&round->map, SCOPE_LEFT, key, length, round->next[number - 1], round->error) != 0)
			return -1;
	}
	return 0;
}

static bool is_any_left(const struct compare_pairing *p, int side)
{
	size_t i = 0;

	while (i < p->counts[side] && p->partners[side][i] != COMPARE_NONE)
		i++;
	return i < p->counts[side];
}

int compare_pair_up(struct compare_pairing *p, struct anim_error *error)
{
	struct round round = {.pairing = p, .error = error};
	int result = 0;

	if (!is_any_left(p, 0) || !is_any_left(p, 1))
		return 0;
	round.next = anim_buffer_extend(&round.queue, p->counts[1] * sizeof *round.next, error);
	if (round.next == NULL)
		result = -1;
	for (int side = 0; side < 2 && result == 0 && p->evenly; side++)
		result = count_keys(&round, side);
	if (result == 0)
		result = list_second(&round) != 0 ? -1 : take_first(&round);
	anim_arena_clear(&round.keys);
	anim_map_clear(&round.map);
	anim_buffer_clear(&round.queue);
	return result;
}
