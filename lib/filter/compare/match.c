/* match.c: which tracks of two clips are the same one, by the names that different formats give it. */
#include <string.h>

#include "base/map.h"
#include "clip/resonite_names.h"
#include "filter/compare/internal.h"

/* The forms of a node's name, the strictest first. */
enum form { FORM_TEXT, FORM_PATH, FORM_NAME };

/* One round over what has no partner yet. */
struct round {
	enum form form;
	bool kinds; /* Unity's components must agree, too */
	struct anim_arena keys;
	struct anim_map map;      /* key -> the first item of the second side that is left */
	struct anim_buffer queue; /* uint32_t: for each of its items the next one of the same key, plus 1 */
};

/* The path in the tree, a bone below its skeleton as below any node. */
static const char *path_of(const struct compare_view *view, const char *node, struct anim_arena *arena,
			   struct anim_error *error)
{
	struct anim_error inside = {0};
	char *path = anim_tree_path(view->head->root, node, arena, &inside);

	if (path == NULL && inside.code != ANIM_OK) {
		*error = inside;
		return NULL;
	}
	if (path == NULL)
		return node;
	for (char *at = path; strcmp(view->head->source, "unity") != 0 && (at = strchr(at, ':')) != NULL;)
		*at = '/';
	return path;
}

static const char *node_of(const struct compare_view *view, enum form form, const char *node, struct anim_arena *arena,
			   struct anim_error *error)
{
	struct anim_resonite_names names;

	if (form == FORM_TEXT)
		return node;
	if (form == FORM_PATH)
		return path_of(view, node, arena, error);
	anim_resonite_names_init(&names, view->head, view->root_name);
	return anim_resonite_node(&names, node, arena, error);
}

/* Rotations of any spelling are one property; a lone lane of a matrix is one of its own. */
static const char *key_of(struct round *round, const struct compare_view *view, const struct compare_item *item,
			  size_t *length, struct anim_error *error)
{
	const char *node = node_of(view, round->form, item->node, &round->keys, error);
	const char *property = anim_resonite_property(item->property, item->component, &round->keys, error);
	const char *kind = round->kinds ? item->kind : "";
	size_t a, b, c = strlen(kind);
	char *key;

	if (node == NULL || property == NULL)
		return NULL;
	a = strlen(node) + 1;
	b = strlen(property) + 1;
	if ((key = anim_arena_alloc(&round->keys, a + b + c + 1, error)) == NULL)
		return NULL;
	memcpy(key, node, a);
	memcpy(key + a, property, b);
	memcpy(key + a + b, kind, c + 1);
	*length = a + b + c;
	return key;
}

/* Lists what is left of the second side, so that of several of one key the first comes out first. */
static int list_second(struct round *round, const struct compare_view *view, struct anim_error *error)
{
	size_t count, length;
	struct compare_item *items = compare_items(view, &count);
	uint32_t *next = anim_buffer_extend(&round->queue, (count + 1) * sizeof *next, error);

	for (size_t i = count; next != NULL && i-- > 0;) {
		const char *key;
		uint32_t after;

		if (items[i].partner != COMPARE_NONE)
			continue;
		if ((key = key_of(round, view, &items[i], &length, error)) == NULL)
			return -1;
		next[i] = anim_map_get(&round->map, 0, key, length, &after) ? after : 0;
		if (anim_map_put(&round->map, 0, key, length, (uint32_t)i + 1, error) != 0)
			return -1;
	}
	return next == NULL ? -1 : 0;
}

static int take_first(struct round *round, struct compare_view views[2], size_t *guesses, struct anim_error *error)
{
	const uint32_t *next = (const uint32_t *)(const void *)round->queue.data;
	size_t counts[2], length;
	struct compare_item *a = compare_items(&views[0], &counts[0]), *b = compare_items(&views[1], &counts[1]);

	for (size_t i = 0; i < counts[0]; i++) {
		const char *key;
		uint32_t number;

		if (a[i].partner != COMPARE_NONE)
			continue;
		if ((key = key_of(round, &views[0], &a[i], &length, error)) == NULL)
			return -1;
		if (!anim_map_get(&round->map, 0, key, length, &number) || number == 0)
			continue;
		a[i].partner = number - 1;
		b[number - 1].partner = i;
		*guesses += round->form == FORM_NAME && next[number - 1] != 0;
		if (anim_map_put(&round->map, 0, key, length, next[number - 1], error) != 0)
			return -1;
	}
	return 0;
}

static int match_round(struct compare_view views[2], enum form form, bool kinds, size_t *guesses,
		       struct anim_error *error)
{
	struct round round = {.form = form, .kinds = kinds};
	int result = list_second(&round, &views[1], error);

	if (result == 0)
		result = take_first(&round, views, guesses, error);
	anim_arena_clear(&round.keys);
	anim_map_clear(&round.map);
	anim_buffer_clear(&round.queue);
	return result;
}

static void match_by_index(struct compare_view views[2])
{
	size_t counts[2];
	struct compare_item *a = compare_items(&views[0], &counts[0]), *b = compare_items(&views[1], &counts[1]);

	for (size_t i = 0; i < counts[0] && i < counts[1]; i++)
		a[i].partner = b[i].partner = i;
}

int compare_match(struct compare_view views[2], enum anim_compare_match match, size_t *guesses,
		  struct anim_error *error)
{
	enum form first = match == ANIM_MATCH_NAME ? FORM_NAME : FORM_TEXT;
	enum form last = match == ANIM_MATCH_PATH ? FORM_PATH : FORM_NAME;

	*guesses = 0;
	if (match == ANIM_MATCH_INDEX) {
		match_by_index(views);
		return 0;
	}
	for (enum form form = first; form <= last; form++)
		for (int loose = 0; loose < 2; loose++)
			if (match_round(views, form, loose == 0, guesses, error) != 0)
				return -1;
	return 0;
}
