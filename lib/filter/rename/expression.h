/* expression.h: s/ERE/TEXT/ as sed has it, on names. */
#ifndef ANIM_FILTER_RENAME_EXPRESSION_H
#define ANIM_FILTER_RENAME_EXPRESSION_H

#include <regex.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/buffer.h"

struct anim_expression_part;

/* All-zero is none; what parse has filled is to be cleared. */
struct anim_expression {
	regex_t regex;
	bool compiled, all; /* all: flag g */
	struct anim_expression_part *parts;
	size_t part_count;
	struct anim_arena arena;
};

/*
 * "s/ERE/TEXT/flags": any byte but a letter, a digit, a blank, '\' or one beyond ASCII in place of '/'; ERE as
 * regcomp's extended ones; in TEXT \1 to \9 and & stand for what was matched, a '\' before a byte that is no letter or
 * digit for that byte; flags g (every match) and i (any case). 0, or -1 with a message that says what is wrong.
 */
int anim_expression_parse(struct anim_expression *, const char *text, struct anim_error *);
void anim_expression_clear(struct anim_expression *);

/* 1: it matched, `out` is the name it makes of it, with a NUL; 0: it did not, `out` is not touched; -1. */
int anim_expression_apply(const struct anim_expression *, const char *name, struct anim_buffer *out,
			  struct anim_error *);

#endif
