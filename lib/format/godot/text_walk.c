/* text_walk.c: values taken piece by piece: skipped, or dictionaries and arrays element by element. */
#include <assert.h>
#include <string.h>

#include "format/godot/text_internal.h"

/* Behind a word's or number's text: the brackets that belong to it. */
static int skip_brackets_behind(struct godot_text *text, const struct godot_word *word, bool is_known,
				const struct anim_place *place, struct anim_error *error)
{
	int c;

	if (word != NULL && (word->kind == GODOT_WORD_ARRAY || word->kind == GODOT_WORD_DICTIONARY) &&
	    godot_typed_begin(text, NULL, NULL, error) != 0)
		return -1;
	if (word != NULL && (word->kind == GODOT_WORD_ARRAY || word->kind == GODOT_WORD_DICTIONARY))
		return godot_lexer_skip_brackets(&text->lexer, 1, NULL, error);
	if (godot_word_is_constant(word))
		return 0;
	c = godot_lexer_token(&text->lexer, error);
	if (c < 0)
		return -1;
	if (c != '(')
		return anim_fail_at(error, ANIM_BAD_INPUT, place,
				    is_known ? "expected '(' behind this word" : "unknown word");
	text->lexer.at++;
	return godot_lexer_skip_brackets(&text->lexer, 1, NULL, error);
}
