/* lists.c: the lists of tracks by which Resonite's Animators bind, and how two clips differ in theirs. */
#include <stdio.h>
#include <string.h>

#include "base/advice.h"
#include "base/map.h"
#include "clip/resonite.h"
#include "filter/filter.h"
#include "filter/lint/checks.h"

/* A track of a list: its node, property and type. */
struct item {
	const char *key; /* "node\0property\0type" */
	uint32_t size, property;
};

/* A kept list: the position of its items, and the clip that it came from. */
struct list {
	size_t first, count;
	const char *clip, *file;
};

static const struct item *items_of(const struct anim_buffer *buffer)
{
	return (const struct item *)(const void *)buffer->data;
}

static size_t item_count(const struct anim_buffer *buffer)
{
	return buffer->size / sizeof(struct item);
}

int lint_lists_add(struct lint_lists *lists, const struct anim_resonite_names *names, const struct anim_track *track,
		   struct anim_error *error)
{
	const char *node =
	    anim_resonite_node(names, track->node, anim_track_is_bone(track), &lists->current_texts, error);
	const char *property = anim_resonite_property(track->property, track->component, &lists->current_texts, error);
	const char *type = anim_types[track->type].name;
	struct item item;
	size_t length;
	bool binds;

	if (node == NULL || property == NULL)
		return -1;
	/* After a track that does not bind to a field, the next track is bound to the wrong field. */
	binds = anim_resonite_unbound(track->property, track->type, track->component) == NULL;
	if (binds)
		lists->shifting = lists->unbound;
	else if (lists->unbound++ == 0)
		lists->first = item_count(&lists->current);
	item.key = anim_key_join(&lists->current_texts, (const char *const[]){node, property, type}, 3, &length, error);
	if (item.key == NULL)
		return -1;
	item.size = (uint32_t)length + 1;
	item.property = (uint32_t)strlen(node) + 1;
	return anim_buffer_append(&lists->current, &item, sizeof item, error);
}

/*
 * Assign the tracks that no list has yet to this list. With `keep` the tracks are also stored in their order. Returns 0
 * or -1.
 */
static int own(struct lint_lists *lists, uint32_t list, bool keep, struct anim_error *error)
{
	const struct item *items = items_of(&lists->current);
	uint32_t owner;

	for (size_t i = 0; i < item_count(&lists->current); i++) {
		struct item item = items[i];
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

/* Print "'Hips' 'Rotation'", cut if it is long. */
static void print_item(const struct item *item, char out[128])
{
	if (item == NULL)
		snprintf(out, 128, "none");
	else
		snprintf(out, 128, "'%.50s' '%.50s'", item->key, item->key + item->property);
}

int lint_lists_check(struct lint_lists *lists, const char *clip, const char *file, const char **order_fault,
		     const char **list_fault, struct anim_arena *arena, struct anim_error *error)
{
	const struct item *items = items_of(&lists->current), *kept;
	const struct list *list = NULL;
	size_t count = item_count(&lists->current), at = 0;
	uint32_t number = 0;
	char name[128], earlier_name[128];

	*order_fault = *list_fault = NULL;
	if (lists->shifting > 0) {
		print_item(&items[lists->first], name);
		*order_fault = anim_arena_printf(
		    arena, error,
		    "Resonite finds no field for %s%s, which shifts the following tracks; " ANIM_ADVICE_TO(
			PROGRAM, "emit") " writes such tracks last",
		    name, lists->shifting > 1 ? " and others" : "");
		if (*order_fault == NULL)
			return -1;
	}

	/* Look for an earlier list with a track of this one. The first list of these tracks is kept. */
	for (size_t i = 0; i < count && list == NULL; i++)
		if (anim_map_get(&lists->owners, 0, items[i].key, items[i].size, &number))
			list = (const struct list *)(const void *)lists->lists.data + number;
	if (list == NULL) {
		struct list new = {item_count(&lists->kept), count, NULL, NULL};

		if (count == 0)
			return 0;
		new.clip = anim_arena_text(&lists->texts, clip, strlen(clip), error);
		new.file = anim_arena_text(&lists->texts, file, strlen(file), error);
		number = (uint32_t)(lists->lists.size / sizeof(struct list));
		if (new.clip == NULL || new.file == NULL || own(lists, number, true, error) != 0)
			return -1;
		return anim_buffer_append(&lists->lists, &new, sizeof new, error);
	}

	/* Report the first difference. */
	kept = items_of(&lists->kept) + list->first;
	while (at < count && at < list->count && items[at].size == kept[at].size &&
	       memcmp(items[at].key, kept[at].key, items[at].size) == 0)
		at++;
	if (at == count && at == list->count)
		return 0;
	print_item(at < count ? &items[at] : NULL, name);
	print_item(at < list->count ? &kept[at] : NULL, earlier_name);
	*list_fault = anim_arena_printf(
	    arena, error,
	    "its tracks differ from those of '%.80s' (%.120s) from number %zu on: %s instead of %s; an Animator that "
	    "plays both needs equal lists: " ANIM_ADVICE(SAME_TRACKS),
	    list->clip, list->file, at + 1, name, earlier_name);
	return *list_fault == NULL ? -1 : own(lists, number, false, error);
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
