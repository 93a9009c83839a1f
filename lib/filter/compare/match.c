/* match.c: which tracks of two clips are the same one, by the names that different formats give it. */
#include <stdio.h>
#include <string.h>

#include "clip/engine_names.h"
#include "clip/resonite.h"
#include "filter/compare/internal.h"

/* The forms of a node's name, the strictest first. */
enum form { FORM_TEXT, FORM_PATH, FORM_NAME };

/* The same of a property's: its own text, of the same Unity component; what Resonite calls it; what Godot 4 does. */
enum spelling { SPELLING_OWN, SPELLING_RESONITE, SPELLING_GODOT, SPELLING_GODOT_OTHER, SPELLINGS };

struct round {
	struct compare_view *views;
	enum form form;
	unsigned spelling;
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

/* Rotations of any spelling are one property in Resonite; a lone lane of a matrix is one of its own. */
static const char *property_of(const struct round *round, const struct compare_item *item, struct anim_arena *keys,
			       struct anim_error *error)
{
	char class[16] = "";

	if (round->spelling == SPELLING_OWN)
		return item->property;
	if (round->spelling == SPELLING_RESONITE)
		return anim_resonite_property(item->property, item->component, keys, error);
	snprintf(class, sizeof class, "%.*s", (int)strcspn(item->kind, " "), item->kind);
	return anim_godot4_property(item->property, class, round->spelling == SPELLING_GODOT_OTHER, keys, error);
}

static int key_of(void *context, int side, size_t number, struct anim_arena *keys, const char **out, size_t *length,
		  struct anim_error *error)
{
	const struct round *round = context;
	const struct compare_view *view = &round->views[side];
	size_t count, a, b, c;
	const struct compare_item *item = compare_items(view, &count) + number;
	bool own = round->spelling == SPELLING_OWN;
	const char *node = node_of(view, round->form, item->node, keys, error);
	const char *property = property_of(round, item, keys, error), *kind = own ? item->kind : "";
	char *key;

	if (node == NULL || property == NULL)
		return -1;
	a = strlen(node) + 1;
	b = strlen(property) + 1;
	c = strlen(kind) + 1;
	if ((key = anim_arena_alloc(keys, a + b + c + 2, error)) == NULL)
		return -1;
	memcpy(key, node, a);
	memcpy(key + a, property, b);
	memcpy(key + a + b, kind, c);
	key[a + b + c] = (char)item->component;
	key[a + b + c + 1] = own && item->joined;
	*length = a + b + c + 2;
	*out = key;
	return 1;
}

static void match_by_index(struct compare_pairing *p)
{
	for (size_t i = 0; i < p->counts[0] && i < p->counts[1]; i++)
		p->partners[0][i] = p->partners[1][i] = i;
}

/* The lists of both views, nobody paired yet. */
static int begin(struct compare_pairing *p, struct compare_view views[2], struct anim_error *error)
{
	for (int side = 0; side < 2; side++) {
		compare_items(&views[side], &p->counts[side]);
		views[side].partners.size = 0;
		p->partners[side] =
		    anim_buffer_extend(&views[side].partners, (p->counts[side] + 1) * sizeof(size_t), error);
		if (p->partners[side] == NULL)
			return -1;
		for (size_t i = 0; i < p->counts[side]; i++)
			p->partners[side][i] = COMPARE_NONE;
	}
	return 0;
}

int compare_match(struct compare_view views[2], enum anim_compare_match match, size_t *guesses,
		  struct anim_error *error)
{
	enum form first = match == ANIM_MATCH_NAME ? FORM_NAME : FORM_TEXT;
	enum form last = match == ANIM_MATCH_PATH ? FORM_PATH : FORM_NAME;
	struct round round = {.views = views};
	struct compare_pairing pairing = {.key = key_of, .context = &round};

	*guesses = 0;
	if (begin(&pairing, views, error) != 0)
		return -1;
	if (match == ANIM_MATCH_INDEX)
		match_by_index(&pairing);
	for (round.form = first; round.form <= last && match != ANIM_MATCH_INDEX; round.form++) {
		pairing.guesses = 0;
		for (round.spelling = 0; round.spelling < SPELLINGS; round.spelling++) {
			/* One own name among several that became one in the other format: their order tells. */
			pairing.evenly = round.spelling == SPELLING_OWN;
			if (compare_pair_up(&pairing, error) != 0)
				return -1;
		}
	}
	*guesses = round.form > FORM_NAME ? pairing.guesses : 0; /* of one path the tracks' order tells them apart */
	return 0;
}
