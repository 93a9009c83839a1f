/* identity.c: which tracks of several clips are the same one. */
#include <string.h>

#include "base/map.h"
#include "filter/cat/join_internal.h"

/* Equal (node, property, component) of a clip are told apart by their order. */
struct name {
	size_t part, seen; /* how many there were in the part that was looked at last */
	uint32_t *numbers; /* identity of the first, second ...; in the arena */
	size_t capacity;
};

struct work {
	struct anim_join_identities *identities;
	struct anim_map names; /* "node\0property" in the scope of its component -> number of the name */
	struct name *name;     /* one a name */
	size_t name_capacity;
	struct anim_error *error;
};

static void *grown(struct anim_arena *arena, const void *old, size_t count, size_t size, struct anim_error *error)
{
	void *moved = anim_arena_zeroed(arena, 2 * count + 4, size, error);

	if (moved != NULL && count > 0)
		memcpy(moved, old, count * size);
	return moved;
}

static struct name *name_of(struct work *work, const struct anim_store_track *track)
{
	struct anim_arena *arena = &work->identities->arena;
	size_t node = strlen(track->node) + 1, property = strlen(track->property);
	char *key = anim_arena_alloc(arena, node + property + 1, work->error);
	uint32_t number;

	if (key == NULL)
		return NULL;
	memcpy(key, track->node, node);
	memcpy(key + node, track->property, property);
	if (anim_map_get(&work->names, track->component, key, node + property, &number))
		return &work->name[number];
	number = (uint32_t)work->names.count;
	if (number == work->name_capacity) {
		work->name = grown(arena, work->name, work->name_capacity, sizeof *work->name, work->error);
		work->name_capacity = 2 * work->name_capacity + 4;
	}
	if (work->name == NULL ||
	    anim_map_put(&work->names, track->component, key, node + property, number, work->error) != 0)
		return NULL;
	return &work->name[number];
}

static int identify(struct work *work, const struct anim_store_track *track, size_t part, uint32_t *identity)
{
	struct name *name = name_of(work, track);
	size_t at;

	if (name == NULL)
		return -1;
	if (name->part != part + 1)
		name->seen = 0;
	name->part = part + 1;
	at = name->seen++;
	if (at >= name->capacity) {
		name->numbers =
		    grown(&work->identities->arena, name->numbers, name->capacity, sizeof *name->numbers, work->error);
		if (name->numbers == NULL)
			return -1;
		name->capacity = 2 * name->capacity + 4;
	}
	if (name->numbers[at] == 0)
		name->numbers[at] = (uint32_t)++work->identities->count;
	*identity = name->numbers[at] - 1;
	return 0;
}

static int identify_all(struct work *work, const struct anim_store *store, const struct anim_join_group *group)
{
	struct anim_join_identities *identities = work->identities;
	size_t number = 0;

	identities->of = anim_arena_zeroed(&identities->arena, group->count, sizeof *identities->of, work->error);
	if (identities->of == NULL)
		return -1;
	for (const struct anim_join_part *part = group->first; part != NULL; part = part->next, number++) {
		size_t count = anim_store_tracks(store, part->clip);
		uint32_t *of = anim_arena_zeroed(&identities->arena, count + 1, sizeof *of, work->error);

		identities->of[number] = of;
		for (size_t i = 0; of != NULL && i < count; i++)
			if (identify(work, anim_store_track_at(store, part->clip, i), number, &of[i]) != 0)
				return -1;
		if (of == NULL)
			return -1;
	}
	return 0;
}

int anim_join_identify(struct anim_join_identities *identities, const struct anim_store *store,
		       const struct anim_join_group *group, struct anim_error *error)
{
	struct work work = {.identities = identities, .error = error};
	int result;

	memset(identities, 0, sizeof *identities);
	result = identify_all(&work, store, group);
	anim_map_clear(&work.names);
	return result;
}

void anim_join_identities_clear(struct anim_join_identities *identities)
{
	anim_arena_clear(&identities->arena);
	memset(identities, 0, sizeof *identities);
}
