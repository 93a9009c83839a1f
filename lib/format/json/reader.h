/* reader.h: the parts of the reader of JSON lines; private to this folder. */
#ifndef ANIM_FORMAT_JSON_READER_H
#define ANIM_FORMAT_JSON_READER_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/input.h"
#include "clip/sink.h"
#include "clip/track.h"
#include "stream/record.h"

#define JSONL_MEMBERS_MAX 20u

/* The columns of the track at hand; of strings their lengths stand as the values. */
struct jsonl_columns {
	unsigned present;
	size_t n[ANIM_COLUMN_COUNT];
	struct anim_buffer column[ANIM_COLUMN_COUNT];
	struct anim_buffer starts, bytes; /* of strings */
	struct anim_strings strings;
};

struct jsonl_reader {
	struct anim_lines lines;
	const char *at;
	struct anim_sink *sink;
	struct anim_error *error;
	struct anim_place place; /* of the object at hand */
	uint32_t nodes;          /* of the last tree */
	bool tree;               /* one came */
	enum anim_stage stage;   /* what the last record was */
	struct anim_arena arena;
	struct anim_buffer text, attrs;
	struct jsonl_columns columns;
};

/* The values of an object's members by the number of their name: where each begins, NULL where it is not there. */
struct jsonl_object {
	const char *at, *value[JSONL_MEMBERS_MAX];
	const char *const *names; /* NULL at the end */
};

/* reader_text.c: values at the cursor. Each returns 0 or -1 unless it says otherwise. */

int jsonl_fail(struct jsonl_reader *, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
int jsonl_place(struct jsonl_reader *); /* gives an error without place that of the object at hand. -1 */

void jsonl_blanks(struct jsonl_reader *);
bool jsonl_accept(struct jsonl_reader *, char byte); /* blanks, then the byte, where it stands */
int jsonl_expect(struct jsonl_reader *, char byte);
int jsonl_skip(struct jsonl_reader *, unsigned depth); /* a value of any kind, checked */
/* The next element of an array whose '[' was taken: 1 with the cursor on it, 0 behind ']', -1. *first: true at first. */
int jsonl_next_element(struct jsonl_reader *, bool *first);
bool jsonl_accept_null(struct jsonl_reader *);
int jsonl_string(struct jsonl_reader *, size_t limit, struct anim_buffer *); /* appended */
int jsonl_text(struct jsonl_reader *, size_t limit, const char **text);      /* in the arena */
int jsonl_float(struct jsonl_reader *, float *);
int jsonl_double(struct jsonl_reader *, double *);
int jsonl_count(struct jsonl_reader *, uint64_t most, uint64_t *);
int jsonl_word(struct jsonl_reader *, const char *const *names, unsigned count, uint8_t *number);
/* Finds the members, each value checked, and goes behind the '}'. Others than those named are refused, and any twice. */
int jsonl_members(struct jsonl_reader *, const char *const *names, struct jsonl_object *);

/* reader_fields.c: members of an object; one that is not there leaves what stands in the result. */

int jsonl_needs(struct jsonl_reader *, const struct jsonl_object *, unsigned member);
int jsonl_text_of(struct jsonl_reader *, const struct jsonl_object *, unsigned member, const char **);
int jsonl_word_of(struct jsonl_reader *, const struct jsonl_object *, unsigned member, const char *const *names,
		  unsigned count, uint8_t *number);
int jsonl_bits_of(struct jsonl_reader *, const struct jsonl_object *, unsigned member, const char *const *names,
		  unsigned count, unsigned *bits);
int jsonl_float_of(struct jsonl_reader *, const struct jsonl_object *, unsigned member, float *);
int jsonl_double_of(struct jsonl_reader *, const struct jsonl_object *, unsigned member, double *);
int jsonl_count_of(struct jsonl_reader *, const struct jsonl_object *, unsigned member, uint64_t most, uint64_t *);
int jsonl_floats_of(struct jsonl_reader *, const struct jsonl_object *, unsigned member, float *, unsigned count);
int jsonl_rate_of(struct jsonl_reader *, const struct jsonl_object *, unsigned member, uint32_t *num, uint32_t *den);
int jsonl_attrs_of(struct jsonl_reader *, const struct jsonl_object *, unsigned member, struct anim_attrs *);

/* reader_track.c, reader_columns.c */
int jsonl_read_track(struct jsonl_reader *);
int jsonl_read_columns(struct jsonl_reader *,
		       struct anim_track *); /* the object at the cursor; sets the columns and n */
void jsonl_columns_clear(struct jsonl_columns *);

#endif
