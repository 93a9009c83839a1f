/* match.c: matches the clips of two inputs, and the tracks of two clips, by their names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/hash.h"
#include "clip/engine_names.h"
#include "clip/resonite.h"
#include "filter/clips.h"
#include "filter/compare/comparison.h"
#include "filter/filter.h"
#include "filter/retarget/retarget.h"

/* --- Matching of the elements of two lists by key. Elements with the same key are matched in order --- */

/* Two lists whose elements are matched by keys, in several rounds with different key functions. */
struct pairing {
	size_t counts[2];
	size_t *partners[2]; /* for each element; COMPARE_NONE: none yet */
	/*
	 * Returns the key of an element of a side, which lives in the arena or longer. Returns 1, 0 if the element
	 * takes no part in this round, or -1.
	 */
	int (*key)(void *context, int side, size_t number, struct anim_arena *, const char **key, size_t *length,
		   struct anim_error *);
	void *context;
	bool evenly;    /* match only keys that occur equally often on both sides */
	size_t guesses; /* number of elements that had several candidates */
};

/*
 * An element that takes part in a round, with the hash of its key. The key itself is built again only if several
 * elements share a hash, so a million elements need no more memory than this.
 */
struct keyed {
	uint64_t hash;
	uint32_t number, side;
};

/* An element with its key, for elements that share a hash. */
struct spelled {
	const char *key;
	size_t length;
	struct keyed element;
};

/* One round. */
struct pairing_round {
	struct pairing *pairing;
	struct anim_error *error;
	struct anim_arena keys;      /* for the current elements */
	struct anim_buffer elements; /* struct keyed */
	struct anim_buffer spelled;
};

static int list_side(struct pairing_round *round, unsigned side)
{
	const struct pairing *p = round->pairing;

	for (size_t i = 0; i < p->counts[side]; i++) {
		struct keyed element = {.number = (uint32_t)i, .side = side};
		const char *key;
		size_t length;
		int got;

		if (p->partners[side][i] != COMPARE_NONE)
			continue;
		anim_arena_reset(&round->keys);
		got = p->key(p->context, (int)side, i, &round->keys, &key, &length, round->error);
		if (got < 0)
			return -1;
		element.hash = got == 0 ? 0 : anim_hash(0, key, length);
		if (got == 1 && anim_buffer_append(&round->elements, &element, sizeof element, round->error) != 0)
			return -1;
	}
	return 0;
}

static int by_place(const struct keyed *a, const struct keyed *b)
{
	if (a->side != b->side)
		return a->side < b->side ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static int by_hash(const void *one, const void *other)
{
	const struct keyed *a = one, *b = other;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return by_place(a, b);
}

static int compare_keys(const struct spelled *a, const struct spelled *b)
{
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return memcmp(a->key, b->key, a->length);
}

static int by_key(const void *one, const void *other)
{
	const struct spelled *a = one, *b = other;
	int order = compare_keys(a, b);

	return order != 0 ? order : by_place(&a->element, &b->element);
}

/* Match the elements of one key. The first side's elements come before the second's, each in order. */
static void pair_group(struct pairing *p, const struct spelled *group, size_t count)
{
	size_t first = 0, second;

	while (first < count && group[first].element.side == 0)
		first++;
	second = count - first;
	for (size_t i = 0; i < first && i < second && (!p->evenly || first == second); i++) {
		size_t one = group[i].element.number, other = group[first + i].element.number;

		p->partners[0][one] = other;
		p->partners[1][other] = one;
		p->guesses += i + 1 < second;
	}
}

/* Match elements that share a hash. */
static int pair_run(struct pairing_round *round, const struct keyed *run, size_t count)
{
	const struct pairing *p = round->pairing;
	struct spelled *spelled;

	anim_arena_reset(&round->keys);
	round->spelled.size = 0;
	spelled = anim_buffer_extend(&round->spelled, count * sizeof *spelled, round->error);
	if (spelled == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		spelled[i].element = run[i];
		if (p->key(p->context, (int)run[i].side, run[i].number, &round->keys, &spelled[i].key,
			   &spelled[i].length, round->error) < 0)
			return -1;
	}
	qsort(spelled, count, sizeof *spelled, by_key);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && compare_keys(&spelled[i], &spelled[end]) == 0;)
			end++;
		pair_group(round->pairing, spelled + i, end - i);
	}
	return 0;
}

static bool is_any_left(const struct pairing *p, int side)
{
	size_t i = 0;

	while (i < p->counts[side] && p->partners[side][i] != COMPARE_NONE)
		i++;
	return i < p->counts[side];
}

/* Run a round over the elements without a partner. Returns 0 or -1. */
static int pair_up(struct pairing *p, struct anim_error *error)
{
	struct pairing_round round = {.pairing = p, .error = error};
	struct keyed *elements;
	size_t count;
	int result = 0;

	if (!is_any_left(p, 0) || !is_any_left(p, 1))
		return 0;
	for (unsigned side = 0; side < 2 && result == 0; side++)
		result = list_side(&round, side);
	elements = (struct keyed *)(void *)round.elements.data;
	count = round.elements.size / sizeof *elements;
	if (count > 0)
		qsort(elements, count, sizeof *elements, by_hash);
	for (size_t i = 0, end; i < count && result == 0; i = end) {
		for (end = i + 1; end < count && elements[end].hash == elements[i].hash;)
			end++;
		if (elements[i].side != elements[end - 1].side)
			result = pair_run(&round, elements + i, end - i);
	}
	anim_arena_clear(&round.keys);
	anim_buffer_clear(&round.elements);
	anim_buffer_clear(&round.spelled);
	return result;
}

/* --- The pairs of clips of two inputs --- */

static const struct anim_clip *clip_at(const struct anim_compare *c, int side, size_t clip)
{
	return anim_store_clip(c->sides[side].store, clip);
}

static size_t clips_of(const struct anim_compare *c, int side)
{
	return anim_store_clips(c->sides[side].store);
}

/*
 * The rounds in which clips are matched: by name and player, then by name. "walk" also matches "lib/walk" if no
 * other clip is called exactly so, because formats with one clip per file do not keep the library.
 */
enum naming { NAMING_PLAYER, NAMING_NAME, NAMING_LIBRARY_FIRST, NAMING_LIBRARY_SECOND, NAMINGS };

struct naming_round {
	const struct anim_compare *c;
	unsigned naming;
};

static int key_of(void *context, int side, size_t number, struct anim_arena *keys, const char **key, size_t *length,
		  struct anim_error *error)
{
	const struct naming_round *round = context;
	const struct anim_clip *clip = clip_at(round->c, side, number);
	const char *player = anim_attrs_get(&clip->attrs, "player"), *slash = strrchr(clip->name, '/');

	*key = clip->name;
	*length = strlen(*key) + 1;
	if (round->naming == NAMING_NAME)
		return 1;
	if (round->naming != NAMING_PLAYER) {
		bool has_library = (round->naming == NAMING_LIBRARY_FIRST) == (side == 0);

		*key = has_library && slash != NULL ? slash + 1 : clip->name;
		*length = strlen(*key) + 1;
		return has_library == (slash != NULL);
	}
	*key = anim_key_join(keys, (const char *const[]){clip->name, player}, player == NULL ? 1 : 2, length, error);
	return *key == NULL ? -1 : 1;
}

/* Return whether a clip counts. RESET counts only if it is the only clip, or if all clips are requested. */
static bool counts_beside(const struct anim_compare *c, int side, size_t clip)
{
	return c->options.all_clips || clips_of(c, side) == 1 || !anim_clip_is_reset(clip_at(c, side, clip));
}

/* Return the number of clips that count, and the last of them. */
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
	const struct compare_couple couple = {{a, b}};

	return anim_buffer_append(&c->couples, &couple, sizeof couple, error);
}

/* Report a single clip if none of the several clips on the other side has its name. */
static int refuse_lone(const struct anim_compare *c, int lone, size_t clip, struct anim_error *error)
{
	struct anim_clip_names names = {.count = 0};
	char list[240];

	for (size_t i = 0; i < clips_of(c, !lone); i++)
		anim_clip_names_add(&names, clip_at(c, !lone, i));
	anim_clip_names_print(&names, NULL, list, sizeof list);
	return anim_fail(error, ANIM_BAD_INPUT,
			 "%s has only the clip '%.80s', and %s has no clip with that name, but has %s. Select a clip "
			 "with " ANIM_OPTION("diff", "clip") ", or use " ANIM_OPTION("diff", "all-clips"),
			 c->options.names[lone], clip_at(c, lone, clip)->name, c->options.names[!lone], list);
}

/*
 * Add the clips without a namesake. RESET does not count beside others. If one clip of a side was matched and it is
 * the only one there, the other clips of the other side do not count.
 */
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
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < clips_of(c, side); i++) {
			if (partners[side][i] != COMPARE_NONE || !counts_beside(c, side, i))
				continue;
			if (add_couple(c, side == 0 ? i : COMPARE_NONE, side == 0 ? COMPARE_NONE : i, error) != 0)
				return -1;
		}
	}
	return 0;
}

static int couple_namesakes(struct anim_compare *c, struct pairing *p, struct anim_error *error)
{
	struct naming_round *round = p->context;

	for (round->naming = 0; round->naming < NAMINGS; round->naming++) {
		if (round->naming == NAMING_NAME) /* clips with the same name and player differ only in their order */
			p->guesses = 0;
		if (pair_up(p, error) != 0)
			return -1;
	}
	if (p->guesses > 0 &&
	    anim_diagnostics_warn(
		c->options.diagnostics, NULL, error,
		"%zu %s several others, and these were matched in order. Select one with " ANIM_OPTION_TO(
		    "diff", "clip", "PLAYER:NAME"),
		p->guesses, p->guesses == 1 ? "clip's name matches" : "clips' names match") != 0)
		return -1;
	for (size_t i = 0; i < p->counts[0]; i++)
		if (p->partners[0][i] != COMPARE_NONE && add_couple(c, i, p->partners[0][i], error) != 0)
			return -1;
	return 0;
}

int compare_match_clips(struct anim_compare *c, struct anim_error *error)
{
	struct naming_round round = {.c = c};
	struct pairing pairing = {.counts = {clips_of(c, 0), clips_of(c, 1)}, .key = key_of, .context = &round};
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

/* --- Matching of the tracks of two clips by the names that different formats give them --- */

/*
 * The forms of the name of a node, the strictest first. In the GODOT forms, '_' replaces characters that Godot does
 * not allow in node names. FORM_HUMAN: the bone of a human, so that takes with other names of the bones match.
 */
enum form { FORM_TEXT, FORM_PATH, FORM_GODOT_PATH, FORM_NAME, FORM_GODOT_NAME, FORM_HUMAN };

/*
 * The spellings of a property: its own text with the same Unity component, then the names that Resonite and Godot 4
 * use.
 */
enum spelling { SPELLING_OWN, SPELLING_RESONITE, SPELLING_GODOT, SPELLING_GODOT_OTHER, SPELLINGS };

#define ALIKE 0.99996 /* cosine of half of the angle between rests that are alike: a degree */

struct match_round {
	struct compare_view *views;
	enum form form;
	unsigned spelling;
	struct anim_skeleton skeletons[2]; /* for FORM_HUMAN */
	struct anim_buffer bones[2];       /* uint8_t: for each item, the bone that it moves or ANIM_HUMAN_BONES */
};

/* List the bones of a human that the items move, found in the tree or, without a tree, by their names. Returns 0 or -1. */
static int list_bones(struct match_round *match_round, int side, struct anim_error *error)
{
	const struct compare_view *view = &match_round->views[side];
	struct anim_skeleton *skeleton = &match_round->skeletons[side];
	struct anim_sink *sink = anim_skeleton_sink_new(skeleton, false, error);
	uint32_t bones[ANIM_HUMAN_BONES];
	size_t count;
	const struct compare_item *items = compare_items(view, &count);
	uint8_t *of = anim_buffer_extend(&match_round->bones[side], count + 1, error);
	int result = sink == NULL || of == NULL ? -1 : 0;

	if (result == 0 && view->tree > 0)
		result = anim_store_replay_tree(view->trees->store, view->tree - 1, sink, error) != 0 ||
				 anim_skeleton_human(skeleton, bones, error) < 0
			     ? -1
			     : 0;
	for (size_t i = 0; i < count && result == 0; i++) {
		struct anim_bone_guess guess;
		unsigned bone = ANIM_HUMAN_BONES;

		if (view->tree > 0) {
			const uint32_t node = anim_poses_find(&skeleton->poses, view->head->root, items[i].node);

			for (bone = 0; bone < ANIM_HUMAN_BONES && (node == ANIM_POSE_NONE || bones[bone] != node);)
				bone++;
		} else if (anim_bone_of_name(&guess, anim_node_own_name(items[i].node))) {
			bone = guess.bones[guess.lower];
		}
		of[i] = (uint8_t)bone;
	}
	anim_sink_free(sink);
	return result;
}

/* Return the name of an item's node in a form. Returns NULL if out of memory. */
static const char *node_of(const struct compare_view *view, enum form form, const struct compare_item *item,
			   struct anim_arena *arena, struct anim_error *error)
{
	struct anim_resonite_names names;
	struct anim_error inside = {0};
	const char *node, *bone;
	char *path;

	if (form == FORM_TEXT)
		return item->node;
	if (form == FORM_PATH || form == FORM_GODOT_PATH) {
		/* The path in the tree, with a bone below its skeleton as below any other node. */
		path = anim_tree_path(view->head->root, item->node, arena, &inside);
		bone = anim_bone_name(view->head->source, item->node, item->bone);
		if (path == NULL && inside.code != ANIM_OK) {
			*error = inside;
			return NULL;
		}
		if (path != NULL && bone != NULL)
			path[strlen(path) - strlen(bone) - 1] = '/';
		node = path == NULL ? item->node : path;
	} else {
		anim_resonite_names_init(&names, view->head, view->root_name);
		node = anim_resonite_node(&names, item->node, item->bone, arena, error);
	}
	return node == NULL || form == FORM_PATH || form == FORM_NAME ? node
								      : anim_godot_node(node, NULL, arena, error);
}

static int match_key_of(void *context, int side, size_t number, struct anim_arena *keys, const char **out,
			size_t *length, struct anim_error *error)
{
	const struct match_round *match_round = context;
	const struct compare_view *view = &match_round->views[side];
	size_t count;
	const struct compare_item *item = compare_items(view, &count) + number;
	bool own = match_round->spelling == SPELLING_OWN, human = match_round->form == FORM_HUMAN;
	const unsigned bone = human ? match_round->bones[side].data[number] : ANIM_HUMAN_BONES;
	const char *node = bone < ANIM_HUMAN_BONES ? anim_human_bone_name((enum anim_human_bone)bone)
			   : human                 ? ""
						   : node_of(view, match_round->form, item, keys, error);
	const char *property = item->property, *kind = own ? item->kind : "";
	char part[16], class[16] = "";

	/* Rotations of any spelling are one property in Resonite. A single component of a matrix is a separate property. */
	if (match_round->spelling == SPELLING_RESONITE) {
		property = anim_resonite_property(item->property, item->component, keys, error);
	} else if (!own) {
		snprintf(class, sizeof class, "%.*s", (int)strcspn(item->kind, " "), item->kind);
		property = anim_godot4_property(item->property, class, match_round->spelling == SPELLING_GODOT_OTHER,
						keys, error);
	}
	if (node == NULL || property == NULL)
		return -1;
	if (human && bone == ANIM_HUMAN_BONES)
		return 0;
	snprintf(part, sizeof part, "%u%s", item->component, own && item->joined ? " joined" : "");
	*out = anim_key_join(keys, (const char *const[]){node, property, kind, part}, 4, length, error);
	return *out == NULL ? -1 : 1;
}

/*
 * Return true if both lists have the same names in the same order. Then each item is the partner of the item at the
 * same place.
 */
static bool are_alike(const struct compare_view views[2])
{
	size_t counts[2], i = 0;
	const struct compare_item *a = compare_items(&views[0], &counts[0]), *b = compare_items(&views[1], &counts[1]);

	while (i < counts[0] && counts[0] == counts[1] && strcmp(a[i].node, b[i].node) == 0 &&
	       strcmp(a[i].property, b[i].property) == 0 && strcmp(a[i].kind, b[i].kind) == 0 &&
	       a[i].component == b[i].component && a[i].joined == b[i].joined)
		i++;
	return i == counts[0] && i == counts[1];
}

/*
 * Match the remaining items by the bones of humans that they move. Counts these pairs, and the pairs whose nodes have other axes at
 * rest. Returns 0 or -1.
 */
static int match_humans(struct match_round *match_round, struct pairing *pairing, struct compare_matches *matches,
			struct anim_error *error)
{
	bool *matched;
	int result = 0;

	if (!is_any_left(pairing, 0) || !is_any_left(pairing, 1))
		return 0;
	if ((matched = anim_zeroed(pairing->counts[0] + 1, error)) == NULL)
		return -1;
	for (size_t i = 0; i < pairing->counts[0]; i++)
		matched[i] = pairing->partners[0][i] != COMPARE_NONE;
	match_round->form = FORM_HUMAN;
	for (int side = 0; side < 2; side++) {
		anim_skeleton_init(&match_round->skeletons[side]);
		result = result == 0 ? list_bones(match_round, side, error) : result;
	}
	for (match_round->spelling = 0; match_round->spelling < SPELLINGS && result == 0; match_round->spelling++) {
		pairing->evenly = match_round->spelling == SPELLING_OWN;
		result = pair_up(pairing, error);
	}
	for (size_t i = 0; i < pairing->counts[0] && result == 0; i++) {
		const size_t places[2] = {i, pairing->partners[0][i]};
		const float *rests[2] = {NULL, NULL};
		double dot = 0;
		size_t count;

		if (matched[i] || places[1] == COMPARE_NONE)
			continue;
		matches->humans++;
		for (int side = 0; side < 2 && match_round->views[side].tree > 0; side++) {
			struct anim_poses *poses = &match_round->skeletons[side].poses;
			const struct compare_view *view = &match_round->views[side];
			const uint32_t node =
			    anim_poses_find(poses, view->head->root, compare_items(view, &count)[places[side]].node);

			rests[side] = node == ANIM_POSE_NONE ? NULL : poses->rests.items[node].rotation;
		}
		for (int k = 0; k < 4 && rests[0] != NULL && rests[1] != NULL; k++)
			dot += (double)rests[0][k] * (double)rests[1][k];
		matches->unlike += rests[0] != NULL && rests[1] != NULL && fabs(dot) < ALIKE;
	}
	for (int side = 0; side < 2; side++) {
		anim_skeleton_clear(&match_round->skeletons[side]);
		anim_buffer_clear(&match_round->bones[side]);
	}
	free(matched);
	return result;
}

int compare_match_tracks(struct compare_view views[2], enum anim_compare_match match, struct compare_matches *matches,
			 struct anim_error *error)
{
	enum form first = match == ANIM_MATCH_NAME ? FORM_NAME : FORM_TEXT;
	enum form last = match == ANIM_MATCH_PATH ? FORM_GODOT_PATH : FORM_GODOT_NAME;
	struct match_round match_round = {.views = views};
	struct pairing pairing = {.key = match_key_of, .context = &match_round};

	*matches = (struct compare_matches){0};
	/* Make the lists of both views, without partners. */
	for (int side = 0; side < 2; side++) {
		compare_items(&views[side], &pairing.counts[side]);
		views[side].partners.size = 0;
		pairing.partners[side] =
		    anim_buffer_extend(&views[side].partners, (pairing.counts[side] + 1) * sizeof(size_t), error);
		if (pairing.partners[side] == NULL)
			return -1;
		for (size_t i = 0; i < pairing.counts[side]; i++)
			pairing.partners[side][i] = COMPARE_NONE;
	}
	if (match == ANIM_MATCH_INDEX || (first == FORM_TEXT && are_alike(views))) {
		for (size_t i = 0; i < pairing.counts[0] && i < pairing.counts[1]; i++)
			pairing.partners[0][i] = pairing.partners[1][i] = i;
	}
	for (match_round.form = first; match_round.form <= last && match != ANIM_MATCH_INDEX; match_round.form++) {
		pairing.guesses = match_round.form > FORM_NAME ? pairing.guesses : 0;
		for (match_round.spelling = 0; match_round.spelling < SPELLINGS; match_round.spelling++) {
			/* If several names of one format became one name in the other, their order decides. */
			pairing.evenly = match_round.spelling == SPELLING_OWN;
			if (pair_up(&pairing, error) != 0)
				return -1;
		}
	}
	/* tracks with the same path are matched in order */
	matches->guesses = match_round.form > FORM_NAME ? pairing.guesses : 0;
	return last == FORM_GODOT_NAME && match != ANIM_MATCH_INDEX
		   ? match_humans(&match_round, &pairing, matches, error)
		   : 0;
}
