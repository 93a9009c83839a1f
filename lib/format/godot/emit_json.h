/* emit_json.h: a cursor over the JSON of an event key, and its values as Godot writes them. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_EMIT_JSON_H
#define ANIM_FORMAT_GODOT_EMIT_JSON_H

#include "format/godot/emit_text.h"

/* Texts that are taken live in the arena. `failed`: there was no memory, *error is filled. */
struct godot_json {
	const char *begin, *at, *end;
	struct anim_arena *arena;
	struct anim_error *error;
	bool failed;
};

/* Each takes one thing at the cursor and is true, or is false where it is something else; then the cursor is of no use. */
bool godot_json_take(struct godot_json *, char); /* false leaves the cursor before what is there instead */
bool godot_json_string(struct godot_json *, const char **text, size_t *length);
bool godot_json_number_text(struct godot_json *, const char **text, size_t *length);
bool godot_json_number(struct godot_json *, double *value);
bool godot_json_skip(struct godot_json *); /* a value of any kind */

/* The next member of an object whose brace was taken; *first true before the first. False behind the closing brace too. */
bool godot_json_member(struct godot_json *, bool *first, const char **name);

/* The value at the cursor as Godot's source text; nesting beyond ANIM_NESTING_JSON is refused. */
bool godot_json_emit(struct godot_json *, struct godot_emit *);

#endif
