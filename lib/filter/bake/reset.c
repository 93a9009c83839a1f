/* reset.c: keeps the values of RESET clips by node and property. */
#include "filter/bake/reset.h"

#include <stdbool.h>
#include <string.h>

#include "clip/keys.h"
#include "clip/sample.h"

static size_t clip_count(const struct bake_resets *resets)
{
	return resets->clips.size / sizeof(struct anim_clip);
}

static const struct anim_clip *clip_at(const struct bake_resets *resets, size_t number)
{
	return (const struct anim_clip *)(const void *)resets->clips.data + number;
}

int bake_resets_begin(struct bake_resets *resets, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_clip copy;

	if (anim_clip_copy(&copy, clip, &resets->arena, error) != 0)
		return -1;
	return anim_buffer_append(&resets->clips, &copy, sizeof copy, error);
}

/* "node\0property", the key of the map; its length without the last NUL. NULL out of memory. */
static char *name_of(struct anim_arena *arena, const char *node, const char *property, size_t *length,
		     struct anim_error *error)
{
	size_t first = strlen(node) + 1, second = strlen(property);
	char *name = anim_arena_alloc(arena, first + second + 1, error);

	if (name == NULL)
		return NULL;
	memcpy(name, node, first);
	memcpy(name + first, property, second + 1);
	*length = first + second;
	return name;
}

/* The value of these names, made where there is none. NULL out of memory. */
static struct bake_reset_value *value_of(struct bake_resets *resets, const struct anim_track *track,
					 struct anim_error *error)
{
	static const struct bake_reset_value none;
	uint64_t scope = clip_count(resets) - 1;
	uint32_t number = (uint32_t)(resets->values.size / sizeof none);
	size_t length;
	char *name = name_of(&resets->arena, track->node, track->property, &length, error);

	if (name == NULL)
		return NULL;
	if (!anim_map_get(&resets->names, scope, name, length, &number) &&
	    (anim_buffer_append(&resets->values, &none, sizeof none, error) != 0 ||
	     anim_map_put(&resets->names, scope, name, length, number, error) != 0))
		return NULL;
	return (struct bake_reset_value *)(void *)resets->values.data + number;
}

/* One whole value of at most 4 lanes, or one of the first 4 lanes. */
static bool tells_lanes(const struct anim_track *track)
{
	unsigned first = track->component == ANIM_WHOLE ? 0 : track->component;

	return track->type != ANIM_STRING && track->n > 0 && !(track->flags & ANIM_DISABLED) &&
	       first + anim_types[track->type].lanes <= 4;
}

int bake_resets_add(struct bake_resets *resets, const struct anim_track *track, struct anim_error *error)
{
	const struct anim_clip *clip = clip_at(resets, clip_count(resets) - 1);
	unsigned first = track->component == ANIM_WHOLE ? 0 : track->component;
	struct anim_sample_state state = {0};
	_Alignas(16) uint8_t sample[128];
	double start_s = clip->start_s;
	struct bake_reset_value *value;
	uint8_t present;
	int result;

	if (!tells_lanes(track))
		return 0;
	result = anim_sample(clip, track, &start_s, 1, sample, &present, &state, error);
	anim_sample_state_clear(&state);
	if (result != 0 || !present)
		return result;
	if ((value = value_of(resets, track, error)) == NULL)
		return -1;
	for (unsigned i = 0; i < anim_types[track->type].lanes; i++) {
		value->value[first + i] = anim_lane(track->type, sample, 0, i);
		value->lanes |= 1u << (first + i);
	}
	value->flags = track->flags;
	if (track->component == ANIM_WHOLE)
		value->whole = anim_types[track->type].lanes;
	return 0;
}

static bool is_same(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Bytes of "library/" in a clip's name; 0 for one in the unnamed library. */
static size_t library_length(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash == NULL ? 0 : (size_t)(slash + 1 - name);
}

ptrdiff_t bake_resets_find(const struct bake_resets *resets, const struct anim_clip *clip)
{
	const char *player = anim_attrs_get(&clip->attrs, "player");
	ptrdiff_t found = -1;

	for (size_t i = 0; i < clip_count(resets); i++) {
		const struct anim_clip *reset = clip_at(resets, i);
		size_t length = library_length(reset->name);

		if (!is_same(player, anim_attrs_get(&reset->attrs, "player")))
			continue;
		if (length == 0)
			return (ptrdiff_t)i;
		if (length == library_length(clip->name) && memcmp(reset->name, clip->name, length) == 0)
			found = (ptrdiff_t)i;
	}
	return found;
}

int bake_resets_value(struct bake_resets *resets, ptrdiff_t number, const char *node, const char *property,
		      const struct bake_reset_value **value, struct anim_error *error)
{
	struct anim_arena scratch = {0};
	uint32_t at = 0;
	size_t length;
	bool known = false;
	char *name;

	if (number < 0)
		return 0;
	name = name_of(&scratch, node, property, &length, error);
	if (name != NULL)
		known = anim_map_get(&resets->names, (uint64_t)number, name, length, &at);
	anim_arena_clear(&scratch);
	if (name == NULL)
		return -1;
	if (known)
		*value = (const struct bake_reset_value *)(const void *)resets->values.data + at;
	return known;
}

void bake_resets_clear(struct bake_resets *resets)
{
	anim_buffer_clear(&resets->clips);
	anim_buffer_clear(&resets->values);
	anim_map_clear(&resets->names);
	anim_arena_clear(&resets->arena);
}
