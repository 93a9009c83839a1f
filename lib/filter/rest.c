/* rest.c: the rest transforms of a tree's nodes, by path. */
#include "filter/rest.h"

#include <stdlib.h>
#include <string.h>

int anim_rests_add(struct anim_rests *rests, const struct anim_node *node, struct anim_error *error)
{
	struct anim_rest *rest;

	if (rests->count == rests->capacity) {
		size_t capacity = rests->capacity > 0 ? 2 * rests->capacity : 64;
		struct anim_rest *moved = reallocarray(rests->items, capacity, sizeof *moved);

		if (moved == NULL)
			return anim_fail_memory(error);
		rests->items = moved;
		rests->capacity = capacity;
	}
	rest = &rests->items[rests->count];
	rest->path = anim_arena_text(&rests->arena, node->path, strlen(node->path), error);
	if (rest->path == NULL)
		return -1;
	rest->has = node->has;
	memcpy(rest->position, node->position, sizeof rest->position);
	memcpy(rest->rotation, node->rotation, sizeof rest->rotation);
	memcpy(rest->scale, node->scale, sizeof rest->scale);
	rests->count++;
	return 0;
}

void anim_rests_clear(struct anim_rests *rests)
{
	free(rests->items);
	anim_arena_clear(&rests->arena);
	anim_arena_clear(&rests->scratch);
	memset(rests, 0, sizeof *rests);
}

const struct anim_rest *anim_rests_find(struct anim_rests *rests, const char *root, const char *node)
{
	const char *path;

	anim_arena_reset(&rests->scratch);
	path = anim_tree_path(root, node, &rests->scratch, NULL);
	for (size_t i = 0; path != NULL && i < rests->count; i++) {
		size_t at = (rests->last + i) % rests->count;

		if (strcmp(rests->items[at].path, path) != 0)
			continue;
		rests->last = at;
		return &rests->items[at];
	}
	return NULL;
}

/* The lanes of one property of a rest; *count of them. NULL where it is none of the three or not set. */
static const float *lanes_of(const struct anim_rest *rest, const char *property, unsigned *count)
{
	*count = strcmp(property, "rotation") == 0 ? 4 : 3;
	if (strcmp(property, "position") == 0)
		return rest->has & ANIM_HAS_POSITION ? rest->position : NULL;
	if (strcmp(property, "rotation") == 0)
		return rest->has & ANIM_HAS_ROTATION ? rest->rotation : NULL;
	if (strcmp(property, "scale") == 0)
		return rest->has & ANIM_HAS_SCALE ? rest->scale : NULL;
	return NULL;
}

bool anim_rests_value(struct anim_rests *rests, const char *root, const struct anim_track *track, void *value)
{
	const struct anim_rest *rest = anim_rests_find(rests, root, track->node);
	const struct anim_type_info *type = &anim_types[track->type];
	unsigned count, first = track->component == ANIM_WHOLE ? 0 : track->component;
	const float *lanes = rest != NULL ? lanes_of(rest, track->property, &count) : NULL;

	if (lanes == NULL || (track->flags & ANIM_REST_RELATIVE) || first + type->lanes > count)
		return false;
	for (unsigned i = 0; i < type->lanes; i++) {
		double wide = lanes[first + i];

		if (type->scalar == ANIM_SCALAR_F32)
			memcpy((float *)value + i, &lanes[first + i], sizeof(float));
		else if (type->scalar == ANIM_SCALAR_F64)
			memcpy((double *)value + i, &wide, sizeof wide);
		else
			return false;
	}
	return true;
}
