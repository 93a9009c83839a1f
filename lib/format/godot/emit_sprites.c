/* emit_sprites.c: Unity's references to sprites as frames of a sheet. */
#include <string.h>

#include "base/map.h"
#include "base/number.h"
#include "format/godot/emit_track.h"

/* Behind `"word": ` in a flow map, NULL where it is not there. The text has its NUL. */
static const char *member(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	return at == NULL ? NULL : at + strlen(word);
}

static bool index_of(const char *text, uint32_t *index)
{
	const char *at = member(text, ", index: ");
	uint32_t number = 0;
	size_t digits = 0;

	for (; at != NULL && at[digits] >= '0' && at[digits] <= '9' && digits < 9; digits++)
		number = number * 10 + (uint32_t)(at[digits] - '0');
	*index = number;
	return digits > 0;
}

/* The path of a reference; a JSON string without escapes, as file names are. "" where it tells none. */
static const char *path_of(const char *text, struct anim_arena *arena, struct anim_error *error)
{
	const char *at = member(text, ", path: \"");

	return at == NULL ? "" : anim_arena_text(arena, at, strcspn(at, "\""), error);
}

/* The text of key k with a NUL; "" for null. */
static const char *text_of(const struct anim_track *t, size_t k, struct anim_arena *arena, struct anim_error *error)
{
	uint32_t length = t->strings->length[k];

	return length == ANIM_NULL_STRING
		   ? ""
		   : anim_arena_text(arena, t->strings->bytes + t->strings->start[k], length, error);
}

const uint32_t *godot_sprite_frames(const struct anim_track *t, const char **sheet, struct anim_arena *arena,
				    struct anim_error *error)
{
	uint32_t *frames = anim_arena_zeroed(arena, t->n + 1, sizeof *frames, error), count = 0;
	struct anim_map seen = {0};
	bool indexed = true;

	*sheet = "";
	for (size_t k = 0; frames != NULL && k < t->n; k++) {
		const char *text = text_of(t, k, arena, error);
		uint32_t index;

		if (text == NULL)
			frames = NULL;
		else
			indexed = indexed && (index_of(text, &index) || text[0] == '\0');
		if (text != NULL && (*sheet)[0] == '\0' && (*sheet = path_of(text, arena, error)) == NULL)
			frames = NULL;
	}
	for (size_t k = 0; frames != NULL && k < t->n; k++) {
		const char *text = text_of(t, k, arena, error);

		if (text == NULL)
			frames = NULL;
		else if (indexed)
			index_of(text, &frames[k]);
		else if (!anim_map_get(&seen, 0, text, strlen(text), &frames[k])) {
			frames[k] = count;
			if (anim_map_put(&seen, 0, text, strlen(text), count++, error) != 0)
				frames = NULL;
		}
	}
	anim_map_clear(&seen);
	return frames;
}
