/* reader_text.h: windows of a JSON text, places in it, and how its strings and numbers are spelled; private. */
#ifndef ANIM_FORMAT_ANIMJ_READER_TEXT_H
#define ANIM_FORMAT_ANIMJ_READER_TEXT_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/input.h"

/*
 * The cursor is `at`; at..end is what is left of the window, zero bytes follow it. Lines are counted late, when a
 * place is asked for or the window moves.
 */
struct animj_text {
	struct anim_input *input;
	const uint8_t *window, *at, *end;
	uint64_t offset;  /* of window[0] */
	uint64_t counted; /* newlines before this offset are in `line` */
	uint64_t
	    line_start; /* offset of the line that holds `counted`; may wrap below 0 in a text cut out of another */
	uint32_t line;
};

#define ANIMJ_END (-1)
#define ANIMJ_ERROR (-2)

void animj_text_init(struct animj_text *, struct anim_input *);
/* A text that was cut out of another and began at `place` there. */
void animj_text_init_inside(struct animj_text *, struct anim_input *, const struct anim_place *place);

/* Makes `want` bytes visible from the cursor on, unless the input ends before. Returns how many there are, or -1. */
ssize_t animj_more(struct animj_text *, size_t want, struct anim_error *);

/* The byte at the cursor, ANIMJ_END or ANIMJ_ERROR. */
static inline int animj_byte(struct animj_text *text, struct anim_error *error)
{
	ssize_t got;

	if (text->at < text->end)
		return *text->at;
	got = animj_more(text, 1, error);
	return got > 0 ? *text->at : got == 0 ? ANIMJ_END : ANIMJ_ERROR;
}

/* Passes over blanks; then as animj_byte. */
int animj_blank(struct animj_text *, struct anim_error *);

/* The place of the cursor. */
void animj_place(struct animj_text *, struct anim_place *);

/*
 * Appends the bytes of one value at the cursor (its brackets and strings as they are; it is not checked otherwise) and
 * moves behind it. `depth` is the nesting around it. Capitals of True and False become small, *capitals counts them. 0,
 * ANIMJ_CUT where the input ends inside it, ANIMJ_DEEP where it is nested deeper than JSON may be (its bytes up to the
 * bracket that is too much were appended), -1 on error or where it is larger than a limit.
 */
#define ANIMJ_CUT 1
#define ANIMJ_DEEP 2
int animj_take_text(struct animj_text *, struct anim_buffer *, unsigned depth, size_t *capitals, struct anim_error *);

/* Newlines among `size` bytes. */
size_t animj_count_lines(const uint8_t *at, size_t size);

/* The end of the number at `at` by JSON's grammar, NULL where there is none or what follows belongs to no number. */
const uint8_t *animj_number_end(const uint8_t *at, const uint8_t *end);

#endif
