/* resonite.c: what Resonite cannot hold, or plays otherwise than it is meant. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clip/resonite.h"
#include "filter/lint/find.h"

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void check_mode(const struct anim_track *track, size_t k, struct lint_tallies *tallies)
{
	enum anim_interp interp = anim_track_interp(track, k);
	struct lint_tally *first;

	if (interp > ANIM_CUBIC_BEZIER && (first = lint_count(tallies, LINT_MODE, k)) != NULL)
		snprintf(first->detail, sizeof first->detail, "%s", anim_interp_names[interp]);
	if (track->ease != NULL && interp != ANIM_HOLD && track->ease[k] != 1 && k + 1 < track->n)
		lint_count(tallies, LINT_EASE, k);
}

/* A Godot scalar that came in as double is bound to a field of float. */
static void check_range(const struct anim_track *track, struct lint_tallies *tallies)
{
	if (track->type != ANIM_DOUBLE || (track->rules != ANIM_RULES_GODOT4 && track->rules != ANIM_RULES_GODOT3))
		return;
	for (size_t k = 0; k < track->n; k++) {
		double value = ((const double *)track->value)[k];

		if (isfinite(value) && fabs(value) > (double)FLT_MAX)
			lint_count(tallies, LINT_VALUE_RANGE, k);
	}
}

/*
 * The type of the field that Resonite would bind the track to, or -1. The readers of its own formats leave the field's
 * name as it is where the type is not the field's.
 */
static int field_type(const struct anim_track *track, struct anim_arena *arena, struct anim_error *error)
{
	static const enum anim_type types[] = {ANIM_FLOAT3, ANIM_FLOATQ, ANIM_BOOL, ANIM_FLOAT};
	int type = anim_resonite_property_type(track->property);

	for (size_t i = 0; i < sizeof types / sizeof *types && type < 0; i++) {
		const char *model = anim_resonite_property_read(track->property, types[i], arena, error);

		if (model == NULL)
			return -2;
		if (anim_resonite_property_type(model) == (int)types[i])
			type = (int)types[i];
	}
	return type;
}

static int check_field(const struct anim_track *track, struct lint_tallies *tallies, struct anim_arena *arena,
		       struct anim_error *error)
{
	int type = field_type(track, arena, error);
	bool whole = track->component == ANIM_WHOLE;
	struct lint_tally *tally;

	if (type < -1)
		return -1;
	if (type < 0 || (whole && (int)track->type == type))
		return 0;
	tally = lint_count(tallies, LINT_FIELD_TYPE, LINT_NO_KEY);
	if (tally != NULL)
		snprintf(tally->detail, sizeof tally->detail, "it is %s, Resonite's field is %s",
			 whole ? anim_types[track->type].name : "one lane", anim_types[type].name);
	return 0;
}

static void check_head(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies)
{
	struct lint_tally *tally;

	if (track->before != ANIM_ENDS_HOLD || track->after != ANIM_ENDS_HOLD)
		lint_count(tallies, LINT_ENDS, LINT_NO_KEY);
	if (track->flags & ANIM_REST_RELATIVE)
		lint_count(tallies, LINT_REST_RELATIVE, LINT_NO_KEY);
	if (track->flags & ANIM_DISABLED)
		lint_count(tallies, LINT_DISABLED, LINT_NO_KEY);
	if (!anim_types[track->type].matrix || strcmp(clip->source, "animx") == 0)
		return;
	tally = lint_count(tallies, LINT_TYPE, LINT_NO_KEY);
	if (tally != NULL)
		snprintf(tally->detail, sizeof tally->detail, "%s", anim_types[track->type].name);
}

int lint_resonite(const struct anim_track *track, const struct anim_clip *clip, struct lint_tallies *tallies,
		  struct anim_arena *arena, struct anim_error *error)
{
	check_head(track, clip, tallies);
	if (track->n == 0)
		return 0;
	for (size_t k = 0; track->kind == ANIM_CURVE && k < track->n; k++)
		check_mode(track, k, tallies);
	if (anim_types[track->type].quaternion)
		lint_turns(track, tallies);
	check_range(track, tallies);
	return starts_with(track->property, "@") ? 0 : check_field(track, tallies, arena, error);
}

/* A track of a list: its node, property and type. */
struct lint_item {
	const char *key; /* "node\0property\0type" */
	uint32_t size, property;
};

/* A list that is kept: where its items lie, and whose it is. */
struct lint_list {
	size_t first, count;
	const char *clip, *file;
};

static const struct lint_item *items_of(const struct anim_buffer *buffer)
{
	return (const struct lint_item *)(const void *)buffer->data;
}

static size_t item_count(const struct anim_buffer *buffer)
{
	return buffer->size / sizeof(struct lint_item);
}

static bool same_item(const struct lint_item *a, const struct lint_item *b)
{
	return a->size == b->size && memcmp(a->key, b->key, a->size) == 0;
}

/* What binds to a field behind one that does not is bound to the wrong one. */
static void count_shifts(struct lint_lists *lists, const struct anim_track *track)
{
	bool binds = track->component == ANIM_WHOLE && anim_resonite_field_type(track->property) == (int)track->type;

	if (binds)
		lists->shifting = lists->unbound;
	else if (lists->unbound++ == 0)
		lists->first = item_count(&lists->current);
}

int lint_lists_add(struct lint_lists *lists, const struct anim_resonite_names *names, const struct anim_track *track,
		   struct anim_error *error)
{
	const char *node = anim_resonite_node(names, track->node, &lists->current_texts, error);
	const char *property = anim_resonite_property(track->property, track->component, &lists->current_texts, error);
	const char *type = anim_types[track->type].name;
	struct lint_item item;
	size_t sizes[3];
	char *key;

	if (node == NULL || property == NULL)
		return -1;
	count_shifts(lists, track);
	sizes[0] = strlen(node) + 1;
	sizes[1] = strlen(property) + 1;
	sizes[2] = strlen(type) + 1;
	key = anim_arena_alloc(&lists->current_texts, sizes[0] + sizes[1] + sizes[2], error);
	if (key == NULL)
		return -1;
	memcpy(key, node, sizes[0]);
	memcpy(key + sizes[0], property, sizes[1]);
	memcpy(key + sizes[0] + sizes[1], type, sizes[2]);
	item = (struct lint_item){key, (uint32_t)(sizes[0] + sizes[1] + sizes[2]), (uint32_t)sizes[0]};
	return anim_buffer_append(&lists->current, &item, sizeof item, error);
}

/* "'Hips' 'Rotation'", cut where it is long. */
static void print_item(const struct lint_item *item, char out[128])
{
	if (item == NULL)
		snprintf(out, 128, "none");
	else
		snprintf(out, 128, "'%.50s' '%.50s'", item->key, item->key + item->property);
}

int lint_lists_order(struct lint_lists *lists, struct anim_arena *arena, const char **fault, struct anim_error *error)
{
	const struct lint_item *items = items_of(&lists->current);
	char name[128], text[320];

	*fault = NULL;
	if (lists->shifting == 0)
		return 0;
	print_item(&items[lists->first], name);
	snprintf(text, sizeof text,
		 "Resonite finds no field for %s%s and shifts those behind; anim-emit writes such tracks last", name,
		 lists->shifting > 1 ? " and others" : "");
	*fault = anim_arena_text(arena, text, strlen(text), error);
	return *fault == NULL ? -1 : 0;
}

/* The tracks that no list has yet are this one's from now on; with `keep` they are kept in its order, too. 0 or -1. */
static int own(struct lint_lists *lists, uint32_t list, bool keep, struct anim_error *error)
{
	const struct lint_item *items = items_of(&lists->current);
	uint32_t owner;

	for (size_t i = 0; i < item_count(&lists->current); i++) {
		struct lint_item item = items[i];
		bool owned = anim_map_get(&lists->owners, 0, item.key, item.size, &owner);

		if (owned && !keep)
			continue;
		item.key = anim_arena_text(&lists->texts, item.key, item.size, error);
		if (item.key == NULL ||
		    (!owned && anim_map_put(&lists->owners, 0, item.key, item.size, list, error) != 0) ||
		    (keep && anim_buffer_append(&lists->kept, &item, sizeof item, error) != 0))
			return -1;
	}
	return 0;
}

static int keep_list(struct lint_lists *lists, const char *clip, const char *file, struct anim_error *error)
{
	uint32_t number = (uint32_t)(lists->lists.size / sizeof(struct lint_list));
	struct lint_list list = {item_count(&lists->kept), item_count(&lists->current),
				 anim_arena_text(&lists->texts, clip, strlen(clip), error),
				 anim_arena_text(&lists->texts, file, strlen(file), error)};

	if (list.clip == NULL || list.file == NULL || own(lists, number, true, error) != 0)
		return -1;
	return anim_buffer_append(&lists->lists, &list, sizeof list, error);
}

/* The earlier list that has a track of this one, or NULL. */
static const struct lint_list *related(const struct lint_lists *lists)
{
	const struct lint_item *items = items_of(&lists->current);
	uint32_t owner;

	for (size_t i = 0; i < item_count(&lists->current); i++)
		if (anim_map_get(&lists->owners, 0, items[i].key, items[i].size, &owner))
			return (const struct lint_list *)(const void *)lists->lists.data + owner;
	return NULL;
}

/* "its tracks are not those of clip 'idle' (idle.animj) from number 3 on: ..." */
static const char *difference(const struct lint_lists *lists, const struct lint_list *list, size_t at,
			      struct anim_arena *arena, struct anim_error *error)
{
	const struct lint_item *here = at < item_count(&lists->current) ? items_of(&lists->current) + at : NULL;
	const struct lint_item *there = at < list->count ? items_of(&lists->kept) + list->first + at : NULL;
	char names[2][128], text[700];

	print_item(here, names[0]);
	print_item(there, names[1]);
	snprintf(text, sizeof text,
		 "its tracks are not those of '%.80s' (%.120s) from number %zu on: %s here, %s there; an Animator that "
		 "plays both needs one list: anim-emit --same-tracks --each",
		 list->clip, list->file, at + 1, names[0], names[1]);
	return anim_arena_text(arena, text, strlen(text), error);
}

int lint_lists_compare(struct lint_lists *lists, const char *clip, const char *file, struct anim_arena *arena,
		       const char **fault, struct anim_error *error)
{
	const struct lint_list *list = related(lists);
	size_t count = item_count(&lists->current), at = 0;

	*fault = NULL;
	if (list == NULL)
		return count == 0 ? 0 : keep_list(lists, clip, file, error);
	while (at < count && at < list->count &&
	       same_item(items_of(&lists->current) + at, items_of(&lists->kept) + list->first + at))
		at++;
	if (at == count && at == list->count)
		return 0;
	*fault = difference(lists, list, at, arena, error);
	if (*fault == NULL)
		return -1;
	return own(lists, (uint32_t)(list - (const struct lint_list *)(const void *)lists->lists.data), false, error);
}

void lint_lists_reset(struct lint_lists *lists)
{
	lists->current.size = 0;
	lists->unbound = lists->shifting = 0;
	anim_arena_reset(&lists->current_texts);
}

void lint_lists_clear(struct lint_lists *lists)
{
	anim_map_clear(&lists->owners);
	anim_buffer_clear(&lists->lists);
	anim_buffer_clear(&lists->kept);
	anim_buffer_clear(&lists->current);
	anim_arena_clear(&lists->texts);
	anim_arena_clear(&lists->current_texts);
}
