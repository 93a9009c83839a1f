/* reader.h: the parts of the AnimJ reader; private to this folder. */
#ifndef ANIM_FORMAT_ANIMJ_READER_H
#define ANIM_FORMAT_ANIMJ_READER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/json.h"
#include "clip/keys.h"
#include "format/animj/animj.h"
#include "stream/store.h"

/* Levels of nesting around an element of `keyframes`: document, tracks, track, data, keyframes. */
#define ANIMJ_DEPTH_OF_KEYS 5

/* Columns for the values of a key. */
enum { ANIMJ_VALUE, ANIMJ_LEFT, ANIMJ_RIGHT, ANIMJ_TIME, ANIMJ_COLUMN_COUNT };

/* Members of a key that were given. */
#define ANIMJ_HAS_LEFT 1u
#define ANIMJ_HAS_RIGHT 2u

#define ANIMJ_VALUE_MAX 32u /* bytes of a doubleQ or a long4; AnimJ has no matrices */
#define ANIMJ_SLOTS_MAX 13u /* numbers of a key: its time and three values of four components */

/*
 * The keys of the current track. The columns left and right exist from the first key with a tangent on, with zeros for
 * earlier keys.
 */
struct animj_columns {
	size_t n;
	struct anim_buffer column[ANIMJ_COLUMN_COUNT];
	struct anim_buffer interps, given; /* Curve: one mode and one set of ANIMJ_HAS_ bits per key */
	bool tangents;                     /* the columns left and right exist */
	bool string_tangents;              /* the track had some, which are not kept */
	struct anim_texts texts;           /* instead of the value column */
};

/* A number in the text of a key, and its destination. */
struct animj_slot {
	uint32_t start, end; /* in the text of the element */
	uint8_t column, component;
};

/* A converted key, and the numbers in its text. */
struct animj_key {
	uint8_t value[3][ANIMJ_VALUE_MAX]; /* by column */
	float time_s;
	uint8_t interp, given;
	struct animj_slot slots[ANIMJ_SLOTS_MAX];
	size_t slot_count; /* ANIMJ_SLOTS_MAX + 1: more than fit */
	bool odd;          /* it got a warning, which similar keys must also get */
	char unknown;      /* a member of its value that is a component in upper case, or 0 */
};

/*
 * The text of a key without its numbers. A key whose text differs from it only in numbers has the same members. To read
 * it, compare pieces of text and read the numbers between them.
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
	uint16_t tail, tail_length;           /* after the last number, up to the end of the key */
	uint16_t separator, separator_length; /* ',' and blanks before the next key; 0 bytes: unknown */
	struct animj_key row;                 /* values that no number in the text sets */
};

#define ANIMJ_TEMPLATES 4u
struct animj_templates {
	struct animj_template items[ANIMJ_TEMPLATES];
	size_t count, current, oldest;
	uint32_t batch; /* number of keys to read at once with the tokeniser */
	bool off;       /* use only the tokeniser */
};

/* The known properties of the current track. */
struct animj_track_head {
	int kind, type;        /* -1: not known yet */
	double interval_s;     /* rounded to float; 0: unknown */
	char *node, *property; /* in the arena `names`; NULL: none */
};

/* The place in the document, for messages. `json` has the key and the member. -1: not inside a track. */
struct animj_path {
	int64_t track;
	bool in_data;
	const char *component;
};

struct animj_reader {
	struct anim_json json; /* its place is the key */
	const struct anim_read_options *options;
	struct anim_error *error;
	struct anim_store *store;
	struct animj_path path;
	struct animj_columns columns;
	struct animj_track_head head;
	struct animj_templates templates;
	struct anim_buffer held;       /* data that came before its types */
	struct anim_arena kept, names; /* of the clip; of a track */
	char *clip_name;               /* NULL: none */
	double duration_s;             /* globalDuration rounded to float; below 0: none */
	double last_s;                 /* the latest key or sample of all tracks, rounded to float, at least 0 */
	/* the latest key; the latest sample of Raw tracks that is not the last of its track */
	double key_s, inner_s;
	struct anim_clip clip; /* settings known from the tracks: the rate */
	bool rates_differ;
	bool has_track_members; /* the document itself has members of a track */
};

/* reader.c: like anim_animj_read. Without templates the tokeniser reads all keys, so that tests can compare both. */
int animj_read(struct anim_input *, const struct anim_read_options *, bool templates, struct anim_sink *,
	       struct anim_error *);

/* Add a warning that begins with the path. `noun` is the same as for anim_diagnostics_add. Returns 0 or -1. */
int animj_warn(struct animj_reader *, const struct anim_place *, const char *noun, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Warn about a repeated member of an object, of which the last one is used. Returns 0 or -1. */
int animj_warn_of_repetition(struct animj_reader *, const struct anim_place *);

/* Fail with a message that begins with the path. Returns -1. */
#define animj_refuse(reader, place, ...) anim_json_refuse(&(reader)->json, place, (reader)->error, __VA_ARGS__)

/* reader_keys.c */

/* Read the array `keyframes` at the cursor into the columns. Returns 0 or -1. */
int animj_read_keyframes(struct animj_reader *);
/* Add tangent columns, with zeros for the existing keys. Returns 0 or -1. */
int animj_begin_tangents(struct animj_columns *, size_t value_size, struct anim_error *);
void animj_columns_reset(struct animj_columns *);

#endif
