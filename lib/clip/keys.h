/* keys.h: the columns of a track all alike: numbers and strings in them, copies, orders; and a track that grows key by key. */
#ifndef ANIM_CLIP_KEYS_H
#define ANIM_CLIP_KEYS_H

#include "base/buffer.h"
#include "clip/sample.h"
#include "clip/track.h"

/* ---- One number out of a column, whatever its type; for code that is not in a hurry ---- */

/*
 * Component `component` (less than the type's components) of element k of a column of `type` (no string), as double: bools 0 or
 * 1, 64-bit integers rounded.
 */
double anim_component(enum anim_type type, const void *column, size_t k, unsigned component);

/* All components of element k. */
void anim_components(enum anim_type type, const void *column, size_t k, double *out);
/* Those of `count` elements from k on, behind each other. */
void anim_components_of(enum anim_type type, const void *column, size_t k, size_t count, double *out);

/* One component as a 64-bit integer, for types made of bools or integers; ulong keeps its bits. */
int64_t anim_component_integer(enum anim_type type, const void *column, size_t k, unsigned component);

/*
 * Stores a whole number, of which sign and size are told, as component `component` of one value of `type` (made of bools or
 * integers; a bool's byte begins as 0). False where it does not fit: it stays.
 */
bool anim_component_store(enum anim_type type, void *value, unsigned component, bool negative, uint64_t size);

/* The same for the whole number that a text begins with (as number.h reads them): its end, NULL where none fits. */
const char *anim_component_read(enum anim_type type, void *value, unsigned component, const char *text,
				const char *end);

/* ---- Strings of a track under construction ---- */

/* All-zero is empty: uint32_t length[n], uint64_t start[n], bytes. Owned. */
struct anim_texts {
	struct anim_buffer length, start, bytes;
};

size_t anim_texts_count(const struct anim_texts *);
/* Closes the string that was appended to texts->bytes from `start` on. 0, or -1 where it is longer than a text may be. */
int anim_texts_close(struct anim_texts *, size_t start, struct anim_error *);
int anim_texts_add(struct anim_texts *, const char *bytes, size_t length, struct anim_error *);
int anim_texts_add_null(struct anim_texts *, struct anim_error *);
void anim_texts_view(const struct anim_texts *, struct anim_strings *); /* borrowed until the next change */
void anim_texts_reset(struct anim_texts *);
void anim_texts_clear(struct anim_texts *);

/* True for texts that are Godot's source text of strings, names and paths: &"walk", NodePath("A/B"), "a" beside null. */
bool anim_texts_are_quoted(const struct anim_track *);
/* Appends the texts of such a track as what they mean; source text of other values stays as it is. 0 or -1. */
int anim_texts_unquote(struct anim_texts *, const struct anim_track *, struct anim_error *);
/* What the character behind a '\\' stands for in Godot's source text. */
char anim_texts_unescaped(char);

/* ---- Columns ---- */

/* What one key has in a column: components of so many bytes, as the stream stores them. */
struct anim_column_shape {
	unsigned components, width;
};

/* Of a track of this type; the value column of strings has none (0, 0). */
struct anim_column_shape anim_column_shape_of(enum anim_column, enum anim_type);
/* Their product: bytes of an element. */
size_t anim_column_size(enum anim_column, enum anim_type);

/* A copy with its texts and columns in the arena, ->record cleared. 0 or -1. */
int anim_track_copy(struct anim_track *out, const struct anim_track *, struct anim_arena *, struct anim_error *);

/* `out` becomes `count` keys of the track from `first` on: columns point into the track's, strings into `strings`. */
void anim_track_part(struct anim_track *out, struct anim_strings *strings, const struct anim_track *, size_t first,
		     size_t count);

/*
 * The keys by their times, equal ones in their order (ANIM_UNSORTED goes). -1 with ANIM_UNSUPPORTED where a time is not
 * finite.
 */
int anim_track_sorted(struct anim_track *out, const struct anim_track *, struct anim_arena *, struct anim_error *);

/*
 * One component of a track whose components are all stored (no bools, no strings), as a track of the component's type. 0 or -1.
 */
int anim_track_pick_component(struct anim_track *out, const struct anim_track *, unsigned component, enum anim_type,
			      struct anim_arena *, struct anim_error *);

/* One element of the value column (strings: a struct anim_text in *text, returned). */
const void *anim_value_at(const struct anim_track *, size_t k, struct anim_text *text);
bool anim_value_equal(enum anim_type, const void *a, const void *b);

/*
 * True where keys happen at their moments instead of holding until the next: properties that begin with '@', and what
 * Godot before 4 calls a trigger.
 */
bool anim_track_is_event(const struct anim_track *);

/* True where the track takes no value between those of its keys: Discrete, or every key holds. */
bool anim_track_steps(const struct anim_track *);

/*
 * A track that grows. All-zero is empty. Time, value and mode stand always (Raw: the value alone); the other columns from
 * where a key first has something in them: the keys before it, and those after it that say nothing, get there what
 * changes nothing (an ease of 1, handles of a third of a Weighted segment, slopes of 0, Bezier controls at the value).
 */
struct anim_keys {
	enum anim_type type;
	size_t n;
	unsigned stands; /* bits of the columns beside time, value, mode */
	struct anim_buffer column[ANIM_COLUMN_COUNT];
	struct anim_texts texts;
	struct anim_strings strings;
};

void anim_keys_reset(struct anim_keys *, enum anim_type);
void anim_keys_clear(struct anim_keys *);

/* Room for so many keys in time, value, mode and these further columns. 0 or -1. */
int anim_keys_reserve(struct anim_keys *, unsigned columns, size_t n, struct anim_error *);

/* Makes these further columns stand, as if every key so far had something in them. 0 or -1. */
int anim_keys_widen(struct anim_keys *, unsigned columns, struct anim_error *);

/*
 * Counts in `count` keys of one mode that the caller wrote behind the last ones, into room that was reserved: their time,
 * value and every further column that stands.
 */
void anim_keys_grow(struct anim_keys *, size_t count, enum anim_interp);

/* Appends a key; `value` is one element of the type (strings: struct anim_text). 0 or -1. */
int anim_keys_add(struct anim_keys *, float time_s, const void *value, enum anim_interp, struct anim_error *);
/* The same of a string, whose bytes were appended to keys->texts.bytes from `start` on. */
int anim_keys_add_text(struct anim_keys *, float time_s, size_t start, enum anim_interp, struct anim_error *);
/* Appends a Raw track's sample. 0 or -1. */
int anim_keys_add_sample(struct anim_keys *, const void *value, struct anim_error *);
/* Sets what the last key has in a further column. 0 or -1. */
int anim_keys_set(struct anim_keys *, enum anim_column, const void *element, struct anim_error *);

/*
 * Appends keys first .. first + count - 1 of a track of the same type with all their columns but the editor's notes, their
 * times moved by shift_s; of a Raw track the samples. 0 or -1.
 */
int anim_keys_add_part(struct anim_keys *, const struct anim_track *, size_t first, size_t count, double shift_s,
		       struct anim_error *);

/* What was added as key k; borrowed until the next change. */
float anim_keys_time(const struct anim_keys *, size_t k);
const void *anim_keys_value(const struct anim_keys *, size_t k, struct anim_text *);

/* Forgets the keys from n on. */
void anim_keys_cut(struct anim_keys *, size_t n);

/*
 * The columns and the mode of `out`, whose kind is told; one mode for all keys stands once. Borrowed until the next change.
 * ->record is cleared, the rest of `out` stays.
 */
void anim_keys_finish(struct anim_keys *, struct anim_track *out);

/* `out` becomes the Discrete track of these keys, with names, rules, ends and attributes of `like`. */
void anim_keys_finish_steps(struct anim_keys *, const struct anim_track *like, struct anim_track *out);

#endif
