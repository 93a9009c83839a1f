/* text_flat.c: plain arrays of numbers and vectors as one run of floats, and whose name a packed array has. */
#include <string.h>

#include "format/godot/text_internal.h"

#define WORD_LOOK 32 /* bytes that hold every array's name */

/* As many numbers as the window holds from the cursor on. 1, 0 where the element there is none that it holds whole, -1. */
static int run(struct godot_text *text, struct anim_buffer *floats, struct anim_error *error)
{
	const struct godot_lexer *lexer = &text->lexer;
	size_t count;

	if (lexer->at == lexer->end || (!godot_is_digit(*lexer->at) && *lexer->at != '-'))
		return 0;
	if (godot_number_run(text, floats, &count, error) != 0)
		return -1;
	if (count > 0)
		text->pending = false;
	return count > 0;
}

static int append(struct anim_buffer *floats, double number, struct anim_error *error)
{
	float value = (float)number;

	return anim_buffer_append(floats, &value, sizeof value, error);
}

/* One element of any kind. 0 or -1. */
static int element(struct godot_text *text, struct anim_arena *arena, struct anim_buffer *floats,
		   struct anim_error *error)
{
	struct godot_value value;
	double number;

	anim_arena_reset(arena);
	if (godot_text_value(text, arena, &value, error) != 0)
		return -1;
	if (value.type < GODOT_VECTOR2 || value.type > GODOT_COLOR)
		return append(floats, godot_value_number(&value, &number) ? number : 0, error);
	for (size_t i = 0; i < value.count; i++)
		if (append(floats, value.numbers[i], error) != 0)
			return -1;
	return 0;
}

int godot_text_flat(struct godot_text *text, struct anim_arena *arena, struct anim_buffer *floats,
		    struct anim_error *error)
{
	int status = godot_lexer_token(&text->lexer, error);

	if (status != '[')
		return status < 0 ? -1 : 0;
	status = godot_text_array(text, error);
	while (status == 1 && (status = godot_text_array_next(text, error)) == 1) {
		int taken = run(text, floats, error);

		if (taken < 0 || (taken == 0 && element(text, arena, floats, error) != 0))
			return -1;
	}
	return status < 0 ? -1 : 1;
}

int godot_text_spelling(struct godot_text *text, enum godot_spelling *spelling, struct anim_error *error)
{
	struct godot_lexer *lexer = &text->lexer;
	const struct godot_word *word;
	size_t length = 0;
	int c = godot_lexer_token(lexer, error);

	*spelling = GODOT_SPELLING_NONE;
	if (c < 0 || !godot_is_word_start(c))
		return c < 0 ? -1 : 0;
	if (godot_lexer_more(lexer, WORD_LOOK, error) < 0)
		return -1;
	while (lexer->at + length < lexer->end &&
	       (godot_is_word_start(lexer->at[length]) || godot_is_digit(lexer->at[length])))
		length++;
	word = godot_word_find((const char *)lexer->at, length);
	if (word == NULL || (word->kind != GODOT_WORD_PACKED && word->kind != GODOT_WORD_STRINGS))
		return 0;
	*spelling = strncmp(word->name, "Packed", 6) == 0 ? GODOT_SPELLING_4
		    : strncmp(word->name, "Pool", 4) == 0 ? GODOT_SPELLING_3
							  : GODOT_SPELLING_2;
	return 0;
}
