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

/* Columns that a key's values go to. */
enum { ANIMJ_VALUE, ANIMJ_LEFT, ANIMJ_RIGHT, ANIMJ_TIME, ANIMJ_COLUMN_COUNT };

/* Members of a key. */
#define ANIMJ_HAS_LEFT 1u
#define ANIMJ_HAS_RIGHT 2u

#define ANIMJ_VALUE_MAX 32u /* bytes of a doubleQ or a long4: no matrices here */
#define ANIMJ_SLOTS_MAX 13u /* numbers of a key: its time and three values of four components */

/* The keys of the track being read. left, right stand from the first key with a tangent on, zeros before it. */
struct animj_columns {
	size_t n;
	struct anim_buffer column[ANIMJ_COLUMN_COUNT];
	struct anim_buffer interps, given; /* of Curve: a mode and ANIMJ_HAS_ bits a key */
	bool tangents;                     /* left and right stand */
	bool string_tangents;              /* there were some, which are not kept */
	struct anim_texts texts;           /* in place of the value column */
};

/* A number of a key in its text: where it goes. */
struct animj_slot {
	uint32_t start, end; /* in the element's text */
	uint8_t column, component;
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

/* Where in the document, for messages, beside the key and the member, which `json` has. -1: not inside one. */
struct animj_path {
	int64_t track;
	bool in_data;
	const char *component;
};

struct animj_reader {
	struct anim_json json; /* its place: the key */
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

/* Warns with the path in front of it; `many` as anim_diagnostics_add has it. 0 or -1. */
int animj_warn(struct animj_reader *, const struct anim_place *, const char *many, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Warns of a member that came before in the same object; the last one counts. 0 or -1. */
int animj_warn_of_twice(struct animj_reader *, const struct anim_place *);

/* Fails with the path in front. -1. */
#define animj_refuse(reader, place, ...) anim_json_refuse(&(reader)->json, place, (reader)->error, __VA_ARGS__)

/* reader_keys.c */

/* The array `keyframes` at the cursor, into the columns. 0 or -1. */
int animj_read_keyframes(struct animj_reader *);
/* Tangent columns from now on, with zeros for the keys that are there. 0 or -1. */
int animj_begin_tangents(struct animj_columns *, size_t value_size, struct anim_error *);
void animj_columns_reset(struct animj_columns *);

#endif
