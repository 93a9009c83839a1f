/* text.h: the pieces of anim-dump's text; private to lib/filter. */
#ifndef ANIM_FILTER_DUMP_TEXT_H
#define ANIM_FILTER_DUMP_TEXT_H

#include "base/arena.h"
#include "base/print.h"
#include "clip/track.h"

/* " name=" */
void dump_name(struct anim_print *, const char *name);

/* "text" in quotes: \" \\ and, for all that is not safe to show, \n, \t, \xNN. */
void dump_quoted(struct anim_print *, const char *text, size_t length);

/* " name=..." with a quoted text, a word, a whole number. */
void dump_text(struct anim_print *, const char *name, const char *text);
void dump_word(struct anim_print *, const char *name, const char *word);
void dump_count(struct anim_print *, const char *name, uint64_t value);

/* " name=a,b,c" of the names whose bits are set, "-" where there is none. */
void dump_bits(struct anim_print *, const char *name, unsigned bits, const char *const *names, unsigned count);

/* "\tattr "key" "value"\n" each. */
void dump_attrs(struct anim_print *, const struct anim_attrs *);

/* "<indent>hh...\n", 32 bytes a line. */
void dump_bytes(struct anim_print *, const char *indent, const uint8_t *bytes, size_t size);

/* The lines of a track behind its attributes: how its record keeps the columns, then the keys. 0 or -1. */
int dump_columns(struct anim_print *, const struct anim_track *);
int dump_layout(struct anim_print *, const struct anim_track *, struct anim_arena *scratch, struct anim_error *);

#endif
