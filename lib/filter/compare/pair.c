/* pair.c: converts two clips to the same axes, matches their tracks and compares them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "clip/keys.h"
#include "clip/resonite.h"
#include "filter/compare/internal.h"
#include "filter/components.h"
#include "filter/filter.h"

/* --- Matching of the elements of two lists by key; elements with the same key are matched in order --- */

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
	struct compare_pairing *pairing;
	struct anim_error *error;
	struct anim_arena keys;      /* for the current elements */
	struct anim_buffer elements; /* struct keyed */
	struct anim_buffer spelled;
};

static int list_side(struct pairing_round *round, unsigned side)
{
	const struct compare_pairing *p = round->pairing;

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
static void pair_group(struct compare_pairing *p, const struct spelled *group, size_t count)
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
	const struct compare_pairing *p = round->pairing;
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

static int pair_runs(struct pairing_round *round)
{
	struct keyed *elements = (struct keyed *)(void *)round->elements.data;
	size_t count = round->elements.size / sizeof *elements;

	if (count > 0)
		qsort(elements, count, sizeof *elements, by_hash);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && elements[end].hash == elements[i].hash;)
			end++;
		if (elements[i].side != elements[end - 1].side && pair_run(round, elements + i, end - i) != 0)
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
	struct pairing_round round = {.pairing = p, .error = error};
	int result = 0;

	if (!is_any_left(p, 0) || !is_any_left(p, 1))
		return 0;
	for (unsigned side = 0; side < 2 && result == 0; side++)
		result = list_side(&round, side);
	if (result == 0)
		result = pair_runs(&round);
	anim_arena_clear(&round.keys);
	anim_buffer_clear(&round.elements);
	anim_buffer_clear(&round.spelled);
	return result;
}

/* --- Matching of the tracks of two clips by the names that different formats give them --- */

/*
 * The forms of the name of a node, the strictest first. In the GODOT forms, '_' replaces characters that Godot does
 * not allow in node names.
 */
enum form { FORM_TEXT, FORM_PATH, FORM_GODOT_PATH, FORM_NAME, FORM_GODOT_NAME };

/*
 * The spellings of a property: its own text with the same Unity component, then the names that Resonite and Godot 4
 * use.
 */
enum spelling { SPELLING_OWN, SPELLING_RESONITE, SPELLING_GODOT, SPELLING_GODOT_OTHER, SPELLINGS };

struct match_round {
	struct compare_view *views;
	enum form form;
	unsigned spelling;
};

/* Return the path in the tree, with a bone below its skeleton as below any other node. */
static const char *path_of(const struct compare_view *view, const struct compare_item *item, struct anim_arena *arena,
			   struct anim_error *error)
{
	struct anim_error inside = {0};
	char *path = anim_tree_path(view->head->root, item->node, arena, &inside);
	const char *bone = anim_bone_name(view->head->source, item->node, item->bone);

	if (path == NULL && inside.code != ANIM_OK) {
		*error = inside;
		return NULL;
	}
	if (path == NULL)
		return item->node;
	if (bone != NULL)
		path[strlen(path) - strlen(bone) - 1] = '/';
	return path;
}

static const char *node_of(const struct compare_view *view, enum form form, const struct compare_item *item,
			   struct anim_arena *arena, struct anim_error *error)
{
	struct anim_resonite_names names;
	const char *node;

	if (form == FORM_TEXT)
		return item->node;
	if (form == FORM_PATH || form == FORM_GODOT_PATH) {
		node = path_of(view, item, arena, error);
	} else {
		anim_resonite_names_init(&names, view->head, view->root_name);
		node = anim_resonite_node(&names, item->node, item->bone, arena, error);
	}
	return node == NULL || form == FORM_PATH || form == FORM_NAME ? node
								      : anim_godot_node(node, NULL, arena, error);
}

/*
 * Return the name of a property. Rotations of any spelling are one property in Resonite. A single component of a
 * matrix is a separate property.
 */
static const char *property_of(const struct match_round *match_round, const struct compare_item *item,
			       struct anim_arena *keys, struct anim_error *error)
{
	char class[16] = "";

	if (match_round->spelling == SPELLING_OWN)
		return item->property;
	if (match_round->spelling == SPELLING_RESONITE)
		return anim_resonite_property(item->property, item->component, keys, error);
	snprintf(class, sizeof class, "%.*s", (int)strcspn(item->kind, " "), item->kind);
	return anim_godot4_property(item->property, class, match_round->spelling == SPELLING_GODOT_OTHER, keys, error);
}

static int match_key_of(void *context, int side, size_t number, struct anim_arena *keys, const char **out,
			size_t *length, struct anim_error *error)
{
	const struct match_round *match_round = context;
	const struct compare_view *view = &match_round->views[side];
	size_t count;
	const struct compare_item *item = compare_items(view, &count) + number;
	bool own = match_round->spelling == SPELLING_OWN;
	const char *node = node_of(view, match_round->form, item, keys, error);
	const char *property = property_of(match_round, item, keys, error), *kind = own ? item->kind : "";
	char part[16];

	if (node == NULL || property == NULL)
		return -1;
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

int compare_match(struct compare_view views[2], enum anim_compare_match match, size_t *guesses,
		  struct anim_error *error)
{
	enum form first = match == ANIM_MATCH_NAME ? FORM_NAME : FORM_TEXT;
	enum form last = match == ANIM_MATCH_PATH ? FORM_GODOT_PATH : FORM_GODOT_NAME;
	struct match_round match_round = {.views = views};
	struct compare_pairing pairing = {.key = match_key_of, .context = &match_round};

	*guesses = 0;
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
			if (compare_pair_up(&pairing, error) != 0)
				return -1;
		}
	}
	/* tracks with the same path are matched in order */
	*guesses = match_round.form > FORM_NAME ? pairing.guesses : 0;
	return 0;
}

/* --- Items, prepared to be played in units that both sides share --- */

/*
 * Copy a stored track, so that it outlives the next call of the store, by decoding its record again. Returns 0 or
 * -1.
 */
static int keep_track(struct compare_view *view, size_t number, struct anim_track *out, struct anim_error *error)
{
	struct anim_record record;
	struct anim_track track;
	uint8_t *bytes;

	if (anim_store_read(view->side->store, view->clip, number, &track, error) != 0)
		return -1;
	if ((bytes = anim_arena_alloc(&view->arena, track.record->size, error)) == NULL)
		return -1;
	memcpy(bytes, track.record->bytes, track.record->size);
	anim_record_at(bytes, track.record->offset, &record);
	return anim_record_track(&record, out, &view->arena, error);
}

static int read_tracks(struct compare_source *s, struct compare_view *view, const struct compare_item *item,
		       struct anim_error *error)
{
	unsigned highest = 0;

	anim_arena_reset(&view->arena);
	s->play.joined = item->joined;
	for (unsigned i = 0; i < ANIM_COMPONENTS_JOINED; i++) {
		if (item->tracks[i] == COMPARE_NO_TRACK)
			continue;
		if ((item->joined
			 ? keep_track(view, item->tracks[i], &s->tracks[i], error)
			 : anim_store_read(view->side->store, view->clip, item->tracks[i], &s->tracks[i], error)) != 0)
			return -1;
		s->play.tracks[i] = &s->tracks[i];
		highest = i;
	}
	s->play.count = highest + 1;
	s->first = anim_source_first(&s->play);
	return 0;
}

/* Find the rest value of a component without a track. Returns false if the tree has none. */
static bool rest_component(const struct anim_rest *rest, const struct anim_track *like, unsigned component, double *out)
{
	double values[ANIM_COMPONENTS_JOINED];

	if (component >= anim_components_of_rest(rest, like, values))
		return false;
	*out = values[component];
	return true;
}

/*
 * Complete the components of a value if only some have tracks. The others get their rest value, or else a value that
 * changes nothing.
 */
static void fill_components(struct compare_source *s, const struct anim_rest *rest, const struct anim_rest *fallback)
{
	const char *property = s->first->property;
	bool euler = strcmp(property, "euler") == 0, rotation = strcmp(property, "rotation") == 0;
	unsigned least = rotation                                                                       ? 4
			 : euler || strcmp(property, "scale") == 0 || strcmp(property, "position") == 0 ? 3
													: 0;

	if ((rest != NULL ? rest->has : fallback != NULL ? fallback->has : 0) & ANIM_HAS_2D)
		least = least == 3 && !euler ? 2 : least;
	s->components = s->play.count > least ? s->play.count : least;
	s->play.count = s->components;
	for (unsigned i = 0; i < s->components; i++) {
		bool known = s->play.tracks[i] != NULL;

		s->play.fixed[i] = (rotation && i == 3) || strcmp(property, "scale") == 0 ? 1 : 0;
		known = known || rest_component(rest, s->first, i, &s->play.fixed[i]) ||
			rest_component(fallback, s->first, i, &s->play.fixed[i]);
		s->known |= known ? 1u << i : 0;
	}
}

/* Convert rotations of all spellings to quaternions. */
static void choose_step(struct compare_source *s)
{
	const char *property = s->first->property;
	bool real = anim_type_is_real(s->first->type) && anim_track_is_transform(s->first);

	s->angle = true;
	if (real && strcmp(property, "euler") == 0 && s->components == 3)
		s->play.step = ANIM_STEP_EULER;
	else if (real && strcmp(property, "angle") == 0 && s->components == 1)
		s->play.step = ANIM_STEP_ANGLE;
	else
		s->angle =
		    real && s->components == 4 &&
		    (anim_types[s->first->type].quaternion || (s->play.joined && strcmp(property, "rotation") == 0));
	s->play.unit_length = s->angle && s->play.step == ANIM_STEP_KEEP && s->play.joined;
	s->play.radians = s->angle;
	if (!s->angle)
		return;
	s->components = 4;
	s->known = 15;
}

int compare_source_open(struct compare_source *s, struct compare_view *view, const struct compare_item *item,
			const struct anim_rest *fallback, struct anim_error *error)
{
	const struct anim_rest *rest = anim_rests_find(view->rests, view->head->root, item->node);

	memset(s, 0, sizeof *s);
	if (anim_rests_check(view->rests, error) != 0 || read_tracks(s, view, item, error) != 0)
		return -1;
	s->play.clip = view->head;
	s->play.order = (enum anim_euler_order)anim_track_order(s->first);
	s->play.fraction = true;
	s->play.bytes = s->first->type == ANIM_COLOR32;
	s->text = s->first->type == ANIM_STRING;
	s->relative = (s->first->flags & ANIM_REST_RELATIVE) != 0;
	if (s->text)
		return 0;
	s->components = anim_types[s->first->type].components;
	s->known = (1u << s->components) - 1;
	if (item->joined) {
		s->known = 0;
		fill_components(s, s->relative ? NULL : rest, s->relative ? NULL : fallback);
	}
	s->logic = anim_types[s->first->type].scalar == ANIM_SCALAR_BOOL ||
		   (strcmp(s->first->property, "visible") == 0 && s->components == 1);
	choose_step(s);
	anim_source_open(&s->play, rest != NULL ? rest : fallback);
	return 0;
}

bool compare_make_absolute(struct compare_source *s, const struct anim_rest *rest)
{
	static const unsigned needs[] = {ANIM_HAS_POSITION, ANIM_HAS_ROTATION, ANIM_HAS_SCALE};
	enum anim_step step = anim_step_from_rest(s->first->property, s->components);

	if (step == ANIM_STEP_KEEP || rest == NULL || !(rest->has & needs[step - ANIM_STEP_REST_POSITION]))
		return false;
	s->play.rest = *rest;
	s->play.step = step;
	return true;
}

/* --- Two clips: convert them to the same axes, match their tracks and compare them --- */

static enum anim_unit unit_of(const struct compare_source *s, const struct anim_clip *clip)
{
	if (s->text)
		return ANIM_UNIT_KEYS;
	if (s->angle)
		return ANIM_UNIT_ANGLE;
	if (strcmp(s->first->property, "position") != 0 || !anim_track_is_transform(s->first))
		return ANIM_UNIT_PLAIN;
	return s->components == 2 && clip->axes2d == ANIM_AXES2D_GODOT ? ANIM_UNIT_PIXELS : ANIM_UNIT_LENGTH;
}

/*
 * Choose the unit and the limit by the side that knows them. In Resonite a Position of two numbers is a field like
 * any other.
 */
static void choose_limit(const struct anim_compare *c, const struct compare_source s[2], struct compare_row *row)
{
	const struct anim_clip *clips[2] = {s[0].play.clip, s[1].play.clip};
	enum anim_unit units[2] = {unit_of(&s[0], clips[0]), unit_of(&s[1], clips[1])};
	int known = units[0] == ANIM_UNIT_PLAIN && units[1] != ANIM_UNIT_PLAIN ? 1 : 0;

	row->unit = units[known];
	row->limit = anim_limits_find(&c->options.limits, row->unit, row->items[known]->property);
}

/* Return the components that both sides know, and note components that only one side has. */
static unsigned common_components(const struct compare_source s[2], struct compare_row *row)
{
	unsigned common = s[0].known & s[1].known, tracks[2] = {0, 0};

	for (int side = 0; side < 2; side++) {
		for (unsigned i = 0; i < s[side].components && !s[side].angle; i++) {
			bool there =
			    !s[side].play.joined || (i < ANIM_COMPONENTS_JOINED && s[side].play.tracks[i] != NULL);

			tracks[side] |= there ? 1u << i : 0;
		}
	}
	if (((tracks[0] | tracks[1]) & ~common) != 0) {
		row->status = COMPARE_DIFFERS;
		row->note = "the other side lacks some components";
	}
	return common;
}

/* If only one side is relative to its rest pose, convert it to the other's form. */
static void settle_rests(struct compare_source s[2], const struct anim_rest *const rests[2], struct compare_row *row)
{
	if (s[0].relative == s[1].relative)
		return;
	if (!compare_make_absolute(&s[s[0].relative ? 0 : 1], rests[s[0].relative ? 0 : 1]))
		row->note = "relative to an unknown rest pose";
}

/* Count a track that no player plays as a difference, so that the others can still be compared. */
static int leave_unplayed(struct anim_compare *c, const struct compare_source s[2], struct compare_row *row,
			  struct anim_error *error)
{
	bool unknown = false;

	if (error->code != ANIM_UNSUPPORTED)
		return -1;
	for (int i = 0; i < 2; i++)
		for (unsigned k = 0; k < s[i].play.count; k++)
			unknown = unknown || compare_has_no_times(s[i].play.tracks[k]);
	row->status = COMPARE_TYPES;
	row->note = unknown ? "the interval of its samples is unknown. Set it with anim-retime --rate"
			    : anim_arena_text(&c->notes, error->message,
					      anim_utf8_prefix(error->message, strlen(error->message)), error);
	if (row->note == NULL)
		return -1;
	*error = (struct anim_error){0};
	return 0;
}

static int show(struct anim_compare *c, struct compare_source s[2], unsigned components, const struct compare_row *row,
		struct anim_error *error)
{
	struct compare_error_source errors;
	const struct anim_compare_shown shown = {.couple = c->couple,
						 .plays = {&s[0].play, &s[1].play},
						 .node = row->items[0]->node,
						 .property = row->items[0]->property,
						 .component = compare_component(row->items[0]),
						 .unit = row->unit,
						 .worst = row->worst,
						 .at_s = row->at_s,
						 .limit = row->limit,
						 .errors = &errors};

	if (!compare_error_source_init(&errors, &c->measure, s, components, row->unit))
		return 0;
	return c->options.show(c->options.show_context, &shown, error);
}

/* Compare the values of both sides, after their types have been found equal. Returns 0 or -1. */
static int compare_values(struct anim_compare *c, struct compare_source s[2], const struct anim_rest *const rests[2],
			  struct compare_row *row, struct anim_error *error)
{
	unsigned components;

	settle_rests(s, rests, row);
	components = common_components(s, row);
	if (compare_measure(&c->measure, s, components, row, error) != 0)
		return -1;
	return c->options.show == NULL ? 0 : show(c, s, components, row, error);
}

/* Report once for each unit that limits were given, but none for this difference, with an example of one. */
static int report_no_limit(struct anim_compare *c, const struct compare_row *row, struct anim_error *error)
{
	static const struct {
		const char *what, *limit;
	} units[ANIM_UNIT_COUNT] = {[ANIM_UNIT_PLAIN] = {"plain numbers", "1%"},
				    [ANIM_UNIT_LENGTH] = {"positions", "0.1mm"},
				    [ANIM_UNIT_PIXELS] = {"pixels", "0.1px"},
				    [ANIM_UNIT_ANGLE] = {"rotations", "0.05deg"}};
	const struct compare_item *item = row->items[0] != NULL ? row->items[0] : row->items[1];

	if (row->status != COMPARE_DIFFERS || row->limit > 0 || c->options.limits.count == 0 ||
	    c->options.limits_joints || units[row->unit].what == NULL || (c->reported >> row->unit & 1))
		return 0;
	c->reported |= 1u << row->unit;
	return anim_diagnostics_note(c->options.diagnostics, NULL, error,
				     "--max has no limit for %s such as '%s %s'. Add '%s' or '%s=%s'",
				     units[row->unit].what, item->node, item->property, units[row->unit].limit,
				     item->property, units[row->unit].limit);
}

/*
 * Return true for a position or scale in space that stays in a plane. Unity has no other form of Godot's
 * two-dimensional values.
 */
static bool stays_flat(const struct compare_source *s)
{
	const struct anim_track *track = s->first;

	if (s->play.joined || s->components != 3 || track->type != ANIM_FLOAT3 || !anim_track_is_transform(track) ||
	    (strcmp(track->property, "position") != 0 && strcmp(track->property, "scale") != 0))
		return false;
	for (size_t k = 0; k < track->n; k++)
		if (anim_component(track->type, track->value, k, 2) != anim_component(track->type, track->value, 0, 2))
			return false;
	return true;
}

static int compare_sources(struct anim_compare *c, struct compare_source s[2], const struct anim_rest *const rests[2],
			   struct compare_row *row, struct anim_error *error)
{
	const struct anim_clip *clips[2] = {s[0].play.clip, s[1].play.clip};

	/* Convert a value in space that stays in its plane to the two components of the other side. */
	for (int i = 0; i < 2; i++)
		if (!s[0].text && !s[1].text && s[!i].components == 2 && stays_flat(&s[i])) {
			s[i].components = 2;
			s[i].known &= 3;
		}
	choose_limit(c, s, row);
	if (s[0].text != s[1].text ||
	    (!s[0].text && (s[0].angle != s[1].angle || s[0].components != s[1].components))) {
		row->status = COMPARE_TYPES;
		row->note = anim_arena_printf(&c->notes, error, "%s against %s", anim_types[s[0].first->type].name,
					      anim_types[s[1].first->type].name);
		return row->note == NULL ? -1 : 0;
	}
	if (s[0].text) {
		if (compare_texts(clips, s[0].first, s[1].first, row, error) != 0)
			return -1;
	} else if (compare_values(c, s, rests, row, error) != 0) {
		return leave_unplayed(c, s, row, error);
	}
	if (row->status != COMPARE_DIFFERS)
		row->status = row->worst == 0            ? COMPARE_SAME
			      : row->worst <= row->limit ? COMPARE_WITHIN
							 : COMPARE_DIFFERS;
	return report_no_limit(c, row, error);
}

static int compare_items_of(struct anim_compare *c, struct compare_view views[2], struct compare_row *row,
			    struct anim_error *error)
{
	const struct anim_rest *rests[2];
	struct compare_source s[2];
	int result = 0;

	memset(s, 0, sizeof s);
	for (int i = 0; i < 2; i++)
		rests[i] = anim_rests_find(views[i].rests, views[i].head->root, row->items[i]->node);
	for (int i = 0; i < 2 && result == 0; i++) {
		result = compare_source_open(&s[i], &views[i], row->items[i], rests[!i], error);
		if (result != 0)
			anim_error_in_file(error, c->options.names[i]);
	}
	if (result == 0 && anim_track_is_placed(s[0].first) != anim_track_is_placed(s[1].first))
		row->note = "one is in the space of the tree's root. Use --world to compare positions in space";
	if (result == 0)
		result = compare_sources(c, s, rests, row, error);
	for (int i = 0; i < 2; i++)
		anim_source_close(&s[i].play);
	return result;
}

static size_t *partners_of(const struct compare_view *view)
{
	return (size_t *)(void *)view->partners.data;
}

static bool is_placed(const struct compare_view *view, size_t item)
{
	return view->placed.size > 0 && view->placed.data[item];
}

int compare_add_row(struct anim_compare *c, const struct compare_row *row, struct anim_error *error)
{
	c->statuses[row->status]++;
	if (row->status == COMPARE_SAME && !c->options.all_tracks && !c->options.json)
		return 0;
	return anim_buffer_append(&c->rows, row, sizeof *row, error);
}

static int compare_all(struct anim_compare *c, struct compare_view views[2], struct anim_error *error)
{
	size_t counts[2];
	const struct compare_item *items[2] = {compare_items(&views[0], &counts[0]),
					       compare_items(&views[1], &counts[1])};

	for (size_t i = 0; i < counts[0]; i++) {
		size_t partner = partners_of(&views[0])[i];
		struct compare_row row = {.status = COMPARE_ONLY_A, .items = {&items[0][i], NULL}};

		if (is_placed(&views[0], i))
			continue;
		if (partner != COMPARE_NONE) {
			row.status = COMPARE_SAME;
			row.items[1] = &items[1][partner];
			if (compare_items_of(c, views, &row, error) != 0)
				return -1;
		}
		if (compare_add_row(c, &row, error) != 0)
			return -1;
	}
	for (size_t i = 0; i < counts[1]; i++) {
		const struct compare_row row = {.status = COMPARE_ONLY_B, .items = {NULL, &items[1][i]}};

		if (partners_of(&views[1])[i] == COMPARE_NONE && !is_placed(&views[1], i) &&
		    compare_add_row(c, &row, error) != 0)
			return -1;
	}
	return 0;
}

/* Report an item of each side, or of one side only (the other is NULL), to the viewer. Returns 0 or -1. */
static int show_keys(struct anim_compare *c, struct compare_view views[2], const struct compare_item *const items[2],
		     struct anim_error *error)
{
	const struct compare_item *first = items[items[0] == NULL];
	struct anim_compare_keys shown = {.couple = c->couple,
					  .clips = {views[0].head, views[1].head},
					  .node = first->node,
					  .property = first->property,
					  .component = compare_component(first)};
	struct anim_texts texts[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
	struct anim_strings strings[2];
	struct compare_source s[2];
	int result = 0;

	memset(s, 0, sizeof s);
	for (int i = 0; i < 2 && result == 0; i++) {
		if (items[i] == NULL)
			continue;
		result = compare_source_open(&s[i], &views[i], items[i], NULL, error);
		if (result == 0 && s[i].text)
			result = compare_unquote(s[i].first, &s[i].tracks[0], &texts[i], &strings[i], error);
		if (result != 0)
			anim_error_in_file(error, c->options.names[i]);
		shown.plays[i] = &s[i].play;
	}
	if (result == 0)
		result = c->options.show_keys(c->options.show_context, &shown, error);
	for (int i = 0; i < 2; i++) {
		anim_source_close(&s[i].play);
		anim_texts_clear(&texts[i]);
	}
	return result;
}

static int show_all_keys(struct anim_compare *c, struct compare_view views[2], struct anim_error *error)
{
	size_t counts[2];
	const struct compare_item *items[2] = {compare_items(&views[0], &counts[0]),
					       compare_items(&views[1], &counts[1])};

	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < counts[side]; i++) {
			size_t partner = partners_of(&views[side])[i];
			const struct compare_item *couple[2] = {NULL, NULL};

			couple[side] = &items[side][i];
			if (side == 1 && partner != COMPARE_NONE)
				continue;
			if (partner != COMPARE_NONE)
				couple[1] = &items[1][partner];
			if (show_keys(c, views, couple, error) != 0)
				return -1;
		}
	return 0;
}

/* Return true if the lengths of clips differ by more than the rounding of float32. */
static bool lengths_differ(const struct anim_compare *c, const struct anim_clip *a, const struct anim_clip *b)
{
	double one = (double)a->end_s - (double)a->start_s, other = (double)b->end_s - (double)b->start_s;

	return fabs(one - other) >
	       anim_limits_find(&c->options.limits, ANIM_UNIT_TIME, "") + 1e-6 * fmax(1, fmax(one, other));
}

/* Return false for formats whose clips do not say whether they loop. */
static bool has_loop_mode(const struct anim_clip *clip)
{
	static const char *const silent[] = {"animj", "animx", "bvh", "gltf"};

	return !anim_text_is_one_of(clip->source, silent, ANIM_COUNT(silent));
}

/* Return true if the loop modes differ, unless one of two formats cannot express the mode. */
static bool loops_differ(const struct anim_clip *a, const struct anim_clip *b)
{
	const struct anim_clip *once = a->loop == ANIM_LOOP_NONE ? a : b->loop == ANIM_LOOP_NONE ? b : NULL;

	return a->loop != b->loop && (once == NULL || has_loop_mode(once) || strcmp(a->source, b->source) == 0);
}

/* Find the tracks that exist on one side only. Returns 0 or -1. */
static int find_lone(struct anim_compare *c, struct compare_view views[2], struct anim_compare_clips *out,
		     struct anim_error *error)
{
	for (int side = 0; side < 2 && c->options.show_clips != NULL; side++) {
		size_t count;
		const struct compare_item *items = compare_items(&views[side], &count);

		for (size_t i = 0; i < count; i++) {
			size_t number = out->lone[side];

			if (partners_of(&views[side])[i] != COMPARE_NONE)
				continue;
			out->lone[side]++;
			if (number >= ANIM_COMPARE_NAMED)
				continue;
			out->named[side][number] = compare_label(&items[i], true, &c->notes, error);
			if (out->named[side][number] == NULL)
				return -1;
		}
	}
	return 0;
}

static int warn_of_guesses(const struct anim_compare *c, const char *clip, size_t guesses, struct anim_error *error)
{
	if (guesses == 0)
		return 0;
	return anim_diagnostics_warn(
	    c->options.diagnostics, NULL, error,
	    "clip '%s': the last names of %zu %s match several others, and these were matched in order", clip, guesses,
	    guesses == 1 ? "track" : "tracks");
}

static bool is_in_world(const struct anim_compare *c, const struct compare_view views[2])
{
	return c->options.world || (c->options.world_if_known && (views[0].tree > 0 || views[1].tree > 0));
}

int compare_clips(struct anim_compare *c, const struct couple *couple, struct compare_view views[2],
		  struct compare_pair *pair, struct anim_error *error)
{
	size_t guesses;

	c->rows.size = 0;
	memset(c->statuses, 0, sizeof c->statuses);
	anim_arena_reset(&c->notes);
	for (int i = 0; i < 2; i++)
		if (compare_view_open(&views[i], &c->sides[i], couple->clips[i], error) != 0)
			return -1;
	for (int i = 0; i < 4; i++)
		if (compare_convert_axes(c, views, i % 2, i >= 2, error) != 0)
			return -1;
	if (compare_match(views, c->options.match, &guesses, error) != 0 ||
	    warn_of_guesses(c, views[0].head->name, guesses, error) != 0 ||
	    find_lone(c, views, &pair->clips, error) != 0 ||
	    (is_in_world(c, views) && compare_world(c, views, error) != 0))
		return -1;
	if ((c->options.show_keys != NULL ? show_all_keys : compare_all)(c, views, error) != 0)
		return -1;
	for (int i = 0; i < 2; i++)
		pair->clips.heads[i] = views[i].head;
	pair->rows = (struct compare_row *)(void *)c->rows.data;
	pair->count = c->rows.size / sizeof *pair->rows;
	memcpy(pair->statuses, c->statuses, sizeof pair->statuses);
	for (size_t i = 0; i < pair->count; i++)
		pair->clips.texts += pair->rows[i].unit == ANIM_UNIT_KEYS && pair->rows[i].status == COMPARE_DIFFERS;
	pair->clips.unlike = pair->statuses[COMPARE_TYPES];
	pair->clips.lengths_differ = lengths_differ(c, views[0].head, views[1].head);
	pair->clips.loops_differ = loops_differ(views[0].head, views[1].head);
	return 0;
}
