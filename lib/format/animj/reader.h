/* reader.h: the parts of the AnimJ reader; private to this folder. */
#ifndef ANIM_FORMAT_ANIMJ_READER_H
#define ANIM_FORMAT_ANIMJ_READER_H

#include "base/arena.h"
#include "base/buffer.h"
#include "format/animj/animj.h"
#include "format/animj/reader_text.h"
#include "stream/store.h"

/* Levels of nesting around an element of `keyframes`: document, tracks, track, data, keyframes. */
#define ANIMJ_DEPTH_OF_KEYS 5

/* Columns that a key's values go to. */
enum { ANIMJ_VALUE, ANIMJ_LEFT, ANIMJ_RIGHT, ANIMJ_TIME, ANIMJ_COLUMN_COUNT };

/* Members of a key. */
#define ANIMJ_HAS_LEFT 1u
#define ANIMJ_HAS_RIGHT 2u

#define ANIMJ_VALUE_MAX 32u /* bytes of a doubleQ or a long4: no matrices here */
#define ANIMJ_SLOTS_MAX 13u /* numbers of a key: its time and three values of four lanes */

/* One element of a string column; `start` in the column's bytes. */
struct animj_strings {
	struct anim_buffer length, start, bytes;
};

/* The keys of the track being read. left, right stand from the first key with a tangent on, zeros before it. */
struct animj_columns {
	size_t n;
	struct anim_buffer column[ANIMJ_COLUMN_COUNT];
	struct anim_buffer interps, given; /* of Curve: a mode and ANIMJ_HAS_ bits a key */
	bool tangents;                     /* left and right stand */
	bool string_tangents;              /* there were some, which are not kept */
	struct animj_strings strings;      /* in place of the value column */
};

/* A number of a key in its text: where it goes. */
struct animj_slot {
	uint32_t start, end; /* in the element's text */
	uint8_t column, lane;
};

/* A key as it was converted, and the numbers it was made of. */
struct animj_key {
	uint8_t value[3][ANIMJ_VALUE_MAX]; /* by column */
	float time_s;
	uint8_t interp, given;
	struct animj_slot slots[ANIMJ_SLOTS_MAX];
	size_t slot_count; /* ANIMJ_SLOTS_MAX + 1: more than there is room for */
	bool odd;          /* it was warned of: others like it are to be too */
};

/*
 * The text of a key without its numbers. A key whose text differs from it in nothing but numbers has the same members:
 * it is read by comparing pieces of text and reading numbers between them.
 */
#define ANIMJ_TEMPLATE_TEXT 1024u
struct animj_piece {
	uint16_t at, length; /* text before the number */
	uint8_t column, offset;
};
struct animj_template {
	uint8_t text[ANIMJ_TEMPLATE_TEXT + 8];
	struct animj_piece pieces[ANIMJ_SLOTS_MAX];
	size_t count;
	uint16_t tail, tail_length;           /* behind the last number, to the key's end */
	uint16_t separator, separator_length; /* ',' and blanks before the next key; 0 bytes: not known */
	struct animj_key row;                 /* what no number of the text sets */
};

#define ANIMJ_TEMPLATES 4u
struct animj_templates {
	struct animj_template items[ANIMJ_TEMPLATES];
	size_t count, current, oldest;
	uint32_t batch; /* keys to be read at once by way of tokens */
	bool off;       /* tokens only */
};

/* What is known of the track being read. */
struct animj_track_head {
	int kind, type;        /* -1: not known yet */
	double interval_s;     /* a float's; 0: unknown */
	char *node, *property; /* in the arena `names`; NULL: none */
};

/* jsmn's tokens of some values, reused; seen by reader_json.c alone. */
struct animj_json {
	struct anim_buffer text; /* whole values with ',' between them, as in the document; slack behind */
	struct anim_buffer tokens;
	size_t count;
	struct anim_place begin; /* the place of text.data[0] */
	size_t capitals;         /* True and False that were made lower case in `text` */
	size_t known_at;         /* the byte of `text` whose place was told last */
	size_t known_line;       /* lines before that byte */
	size_t line_start;       /* the byte where its line begins; 0: it is on the first */
};

/* Where in the document, for messages. -1: not inside one. Members are NULL or borrowed names. */
struct animj_path {
	int64_t track, key;
	bool in_data;
	const char *member, *lane;
	char unknown[40]; /* a member's name, safe to show */
};

struct animj_reader {
	const struct anim_read_options *options;
	struct animj_text *text;
	struct anim_store *store;
	struct animj_path path;
	struct animj_json json;
	struct animj_columns columns;
	struct animj_track_head head;
	struct animj_templates templates;
	struct anim_buffer name; /* of the member just read; NUL behind it */
	struct anim_buffer scalar;
	struct anim_buffer held;       /* data that came before its types */
	struct anim_arena kept, names; /* of the clip; of a track */
	char *clip_name;               /* NULL: none */
	double duration_s;             /* of globalDuration, a float's; below 0: none */
	double last_s;                 /* the latest key or sample of all tracks, a float's, at least 0 */
	double key_s, inner_s;         /* the latest key; the latest sample of Raw tracks that is not a track's last */
	struct anim_clip clip;         /* what tracks tell of it: the rate */
	bool rates_differ;
	bool has_track_members; /* the document itself has what a track has */
};

/* reader.c: anim_animj_read; without templates all keys are read by tokens, for tests of both ways. */
int animj_read(struct anim_input *, const struct anim_read_options *, bool templates, struct anim_sink *,
	       struct anim_error *);

/* reader_message.c */

/* The place of the cursor, and of a byte of json.text. */
struct anim_place animj_here(struct animj_reader *);
struct anim_place animj_json_place(struct animj_reader *, const uint8_t *at);
/* json.text is empty from now on and begins at the cursor. */
void animj_json_begin(struct animj_reader *);

/* The path's member is the one of this name, which is copied as far as there is room. */
void animj_path_name(struct animj_reader *, const uint8_t *name, size_t size);

/* Fails with the path in front of the message. -1. */
int animj_refuse(struct animj_reader *, const struct anim_place *, struct anim_error *, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Warns with the path in front of it; `many` as anim_losses_add has it. 0 or -1. */
int animj_warn(struct animj_reader *, const struct anim_place *, const char *many, struct anim_error *,
	       const char *format, ...) __attribute__((format(printf, 5, 6)));

/*
 * Fails with "',' or ']' is needed, found 'x'", or with what is better known of at..end (comments, NaN, quotes): the
 * document's bytes from the place on, none at its end. -1.
 */
int animj_unexpected(struct animj_reader *, const struct anim_place *, const uint8_t *at, const uint8_t *end,
		     const char *needed, struct anim_error *);
/* Fails with a word or number that JSON does not have. -1. */
int animj_bad_word(struct animj_reader *, const struct anim_place *, const uint8_t *at, size_t size,
		   struct anim_error *);
/* animj_unexpected for the cursor, or the error that reading met. */
int animj_unexpected_here(struct animj_reader *, const char *needed, struct anim_error *);

/* reader_walk.c: the document's frame, by hand: objects, arrays and scalars outside keyframes. */

/* The next member of an object whose '{' is taken: 1 with its name in reader->name and the cursor on the value, 0 behind
 * '}', -1. *first is true before the first call. */
int animj_next_member(struct animj_reader *, bool *first, struct anim_error *);
/* The next element of an array whose '[' is taken: 1 with the cursor on it, 0 behind ']', -1. */
int animj_next_element(struct animj_reader *, bool *first, struct anim_error *);
/* Takes the opening bracket, or refuses: "what needs an object". 0 or -1. */
int animj_expect(struct animj_reader *, char bracket, const char *what, struct anim_error *);
/* A string, decoded into the buffer with a NUL behind it, or null (*is_null). 0 or -1. */
int animj_take_string(struct animj_reader *, struct anim_buffer *, bool *is_null, const char *what,
		      struct anim_error *);
int animj_take_number(struct animj_reader *, double *value, const char *what, struct anim_error *);
/* Takes "null" where it stands at the cursor: 1 taken, 0 something else, -1. */
int animj_take_null(struct animj_reader *, struct anim_error *);
/* Passes over a value of any kind, checked; `depth` is the nesting around it. 0 or -1. */
int animj_skip(struct animj_reader *, unsigned depth, struct anim_error *);

/* reader_values.c, with tokens of reader->json */

/*
 * The value at a token as the type has it: its bytes at `out`, a string appended to the columns. Its numbers are logged in
 * key->slots for `column`. 0 or -1.
 */
int animj_value(struct animj_reader *, size_t token, struct animj_key *, int column, struct anim_error *);
int animj_time(struct animj_reader *, size_t token, struct animj_key *, struct anim_error *);

/* reader_track.c, reader_keys.c, reader_fast.c */
int animj_read_track(struct animj_reader *, struct anim_error *);
int animj_read_keyframes(struct animj_reader *, struct anim_error *);
/* reader_finish.c: the columns and the head as a track in the store; the place is the track's. 0 or -1. */
int animj_finish_track(struct animj_reader *, const struct anim_place *, struct anim_error *);

/* reader_columns.c: appends a key to the columns. 0 or -1. */
int animj_add_key(struct animj_columns *, const struct animj_track_head *, const struct animj_key *,
		  struct anim_error *);
/* Tangent columns from now on, with zeros for the keys that are there. 0 or -1. */
int animj_begin_tangents(struct animj_columns *, size_t value_size, struct anim_error *);
void animj_columns_reset(struct animj_columns *);
void animj_columns_clear(struct animj_columns *);

/* reader_fast.c: takes the text of a key as a template; its slots count from there. */
void animj_learn(struct animj_templates *, enum anim_type, const uint8_t *text, size_t size, const struct animj_key *);
/* The text between that key and the next. */
void animj_learn_separator(struct animj_templates *, const uint8_t *text, size_t size);
/*
 * Reads keys by templates from the cursor on, which is on the first byte of a key. Returns how many; *behind tells that
 * the cursor is behind the last one instead of on the next. -1 on error.
 */
ptrdiff_t animj_fast_keys(struct animj_reader *, bool *behind, struct anim_error *);

#endif
