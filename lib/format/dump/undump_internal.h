/* undump_internal.h: the parts of the reader of anim-dump's text; private to this folder. */
#ifndef ANIM_FORMAT_DUMP_UNDUMP_INTERNAL_H
#define ANIM_FORMAT_DUMP_UNDUMP_INTERNAL_H

#include "base/input.h"
#include "clip/sink.h"
#include "clip/track.h"
#include "stream/record.h"

#define UNDUMP_OTHERS_MAX (256 - ANIM_COLUMN_OTHERS)

/* A column of someone else's: `size` bytes at `at` of the track's others. */
struct undump_other {
	uint8_t id;
	size_t at, size;
};

/* A track as its lines tell it. */
struct undump_track {
	struct anim_track head;                       /* its columns are not set */
	unsigned present, prepared;                   /* bits of columns */
	struct anim_buffer column[ANIM_COLUMN_COUNT]; /* plain; of strings their lengths */
	struct anim_buffer strings;
	uint32_t block_keys[ANIM_COLUMN_COUNT];       /* of prepared ones */
	struct anim_buffer orders[ANIM_COLUMN_COUNT]; /* a byte for each lane, block after block */
	struct anim_buffer others;
	struct undump_other other[UNDUMP_OTHERS_MAX];
	size_t other_count;
};

struct undump {
	struct anim_lines lines;
	bool has_line;  /* one is at hand that was not read to its end */
	const char *at; /* in it */
	struct anim_sink *sink;
	struct anim_error *error;
	struct anim_place place;  /* where the record at hand begins */
	struct anim_order order;  /* of the records that came */
	struct anim_arena arena;  /* texts of the record at hand */
	struct anim_buffer text;  /* scratch */
	struct anim_buffer attrs; /* struct anim_attr of the record at hand */
	struct anim_buffer bytes; /* the record */
	struct undump_track track;
};

/* undump_text.c: words, numbers and texts at the cursor. Each returns 0 or -1 unless it says otherwise. */

/* Fails with the line and the column of `at`. -1. */
int undump_fail(struct undump *, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Gives an error without place that of the record at hand. -1. */
int undump_place(struct undump *);

int undump_begin_line(struct undump *); /* the one that was read is at hand: 0; -1: it is cut */
int undump_line(struct undump *);       /* sees to it that a line is at hand: 1; 0 at the input's end; -1 */
int undump_below(struct undump *); /* 1: the line at hand begins with a tab; 0: it does not, or there is none; -1 */
int undump_ended(struct undump *); /* nothing may follow in the line, which is done with */

bool undump_accept(struct undump *, const char *text); /* takes it where it stands */
int undump_expect(struct undump *, const char *text);
int undump_quoted(struct undump *, size_t limit, struct anim_buffer *);  /* appends what stands in quotes */
int undump_text(struct undump *, const char *before, const char **text); /* a name, in the arena */
/* A number of `names`, behind `before`. */
int undump_word(struct undump *, const char *before, const char *const *names, unsigned count, uint8_t *number);
/* Bits by their names, joined by commas, or "-". */
int undump_bits(struct undump *, const char *before, const char *const *names, unsigned count, unsigned *bits);
int undump_count(struct undump *, const char *before, uint64_t most, uint64_t *value);
int undump_float(struct undump *, float *);
int undump_double(struct undump *, double *);
int undump_floats(struct undump *, const char *before, float *numbers, int count);
int undump_rate(struct undump *, uint32_t *num, uint32_t *den);
int undump_attrs(struct undump *, struct anim_attrs *); /* the lines of attributes below a record */
/* Lines of hexadecimal digits behind `indent`, `size` bytes in all, appended. */
int undump_bytes(struct undump *, const char *indent, uint64_t size, struct anim_buffer *);

/* undump.c: counts the record in `bytes` and sees that it may stand here. */
int undump_record(struct undump *, struct anim_record *);

/* undump_track.c, undump_keys.c, undump_encode.c */
int undump_track_head(struct undump *); /* the line, the cursor behind "track" */
int undump_layout(struct undump *);     /* the lines "prepared" and "other" */
int undump_keys(struct undump *);       /* the line "columns" and the keys */
int undump_encode(struct undump *);     /* the record of all that into `bytes`; not checked */
void undump_track_clear(struct undump_track *);

#endif
