/* reader_json.h: values as jsmn's tokens, checked for what jsmn lets through; private. */
#ifndef ANIM_FORMAT_ANIMJ_READER_JSON_H
#define ANIM_FORMAT_ANIMJ_READER_JSON_H

#include "format/animj/reader.h"

/* A token of jsmn's: a primitive is a number, true, false or null; a string's text is without its quotes. */
enum animj_token_type { ANIMJ_OBJECT, ANIMJ_ARRAY, ANIMJ_STRING, ANIMJ_PRIMITIVE };
struct animj_token {
	enum animj_token_type type;
	uint32_t start, end; /* in json.text */
};

/* `json.text` holds values with ',' between them, blanks around them allowed. Tokens and checks them; 0 or -1. */
int animj_tokenise(struct animj_reader *, struct anim_error *);

/*
 * Reads values with ',' between them by hand and refuses what is wrong in them. `begin` is the place of the first byte in
 * the document, `depth` the nesting around them; the path is on the first. 0 where nothing is, or -1.
 */
int animj_explain(struct animj_reader *, const uint8_t *from, size_t size, const struct anim_place *begin,
		  unsigned depth, struct anim_error *);

struct animj_token animj_token(const struct animj_json *, size_t token);

/* The token behind a value and all that is inside it. */
size_t animj_behind(const struct animj_json *, size_t token);

/* "a number", "an object" ... */
const char *animj_token_name(const struct animj_json *, size_t token);

const uint8_t *animj_token_text(const struct animj_json *, size_t token);
size_t animj_token_size(const struct animj_json *, size_t token);

/* Whether a token is the word null, and whether it is a number. */
bool animj_is_null(const struct animj_json *, size_t token);
bool animj_is_number(const struct animj_json *, size_t token);
/* Whether a name, as it is spelled in the text, is this one; escapes in it are decoded. */
bool animj_is_named(const struct animj_json *, size_t token, const char *name);

#endif
