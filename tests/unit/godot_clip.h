/* godot_clip.h: reads the body of one Animation and describes its tracks as lines of text; for tests. */
#ifndef ANIM_TESTS_GODOT_CLIP_H
#define ANIM_TESTS_GODOT_CLIP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A body (the properties below [resource]), the `format` of its file (1 or 2 makes it an old one) and what comes of it:
 *   PATH PROPERTY[.COMPONENT] TYPE KIND[/MODE] RULES [FLAG ...] {KEY=VALUE ...}: TIME[*EASE]=VALUE[~HANDLES][#HINT] ...
 * a line a track. warning: the first message, with its place, NULL for none; result: of godot_animation_read.
 */
struct godot_clip_case {
	const char *body, *tracks, *warning;
	int format, result;
};

/* Checks the cases, each from memory and in windows of one byte. */
void check_godot_clips(const struct godot_clip_case *, size_t count);
#define CHECK_CLIPS(table) check_godot_clips(table, sizeof(table) / sizeof(table)[0])

/* The clip's head after reading a body of format 3: "LENGTH LOOP 'NAME' {ATTRIBUTES} GENERATION". Owned by the next call. */
const char *godot_clip_head(const char *body, int format);

#endif
