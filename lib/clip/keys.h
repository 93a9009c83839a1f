/* keys.h: generic access to the columns of a track (numbers, strings, copies, orders), and a growing track. */
#ifndef ANIM_CLIP_KEYS_H
#define ANIM_CLIP_KEYS_H

#include "base/buffer.h"
#include "clip/sample.h"
#include "clip/track.h"

/* ---- Reading numbers from a column of any type, for code that need not be fast ---- */

/*
 * Return component `component` (less than the type's components) of element k of a column of `type` (not a string) as
 * a double. Bools are 0 or 1, 64-bit integers are rounded.
 */
double anim_component(enum anim_type type, const void *column, size_t k, unsigned component);

/* Get all components of element k. */
void anim_components(enum anim_type type, const void *column, size_t k, double *out);
/* Get all components of `count` elements from k on, one element after another. */
void anim_components_of(enum anim_type type, const void *column, size_t k, size_t count, double *out);

/* Return one component as a 64-bit integer, for types made of bools or integers. A ulong keeps its bits. */
int64_t anim_component_integer(enum anim_type type, const void *column, size_t k, unsigned component);

/*
 * Store an integer, given as sign and magnitude, as component `component` of one value of `type` (made of bools or
 * integers; the byte of bools must begin as 0). Returns false, without a change, if it does not fit.
 */
bool anim_component_store(enum anim_type type, void *value, unsigned component, bool negative, uint64_t size);

/*
 * The same for the integer at the beginning of a text (read as in number.h). Returns its end, or NULL if there is no
 * integer that fits.
 */
const char *anim_component_read(enum anim_type type, void *value, unsigned component, const char *text,
				const char *end);

/* ---- Strings of a track under construction ---- */

/* All-zero is empty: uint32_t length[n], uint64_t start[n], bytes. Owned. */
struct anim_texts {
	struct anim_buffer length, start, bytes;
};

size_t anim_texts_count(const struct anim_texts *);
/*
 * End the string whose bytes were appended to texts->bytes from `start` on. Returns 0, or -1 if it is longer than a
 * text may be.
 */
int anim_texts_close(struct anim_texts *, size_t start, struct anim_error *);
int anim_texts_add(struct anim_texts *, const char *bytes, size_t length, struct anim_error *);
int anim_texts_add_null(struct anim_texts *, struct anim_error *);
void anim_texts_view(const struct anim_texts *, struct anim_strings *); /* borrowed until the next change */
void anim_texts_reset(struct anim_texts *);
void anim_texts_clear(struct anim_texts *);

/*
 * Return true if the texts are Godot's source text of strings, names and paths: &"walk", NodePath("A/B"), "a"; null
 * may also occur.
 */
bool anim_texts_are_quoted(const struct anim_track *);
/* Append the texts of such a track, decoded. Source text of other values is unchanged. Returns 0 or -1. */
int anim_texts_unquote(struct anim_texts *, const struct anim_track *, struct anim_error *);
/* Return the character that a '\\' and this character stand for in Godot's source text. */
char anim_texts_unescaped(char);

/* ---- Columns ---- */

/* The elements of one key in a column: the number of components and the bytes of each, as the stream stores them. */
struct anim_column_shape {
	unsigned components, width;
};

/* Return the shape of a column for a track of this type. The value column of strings has none (0, 0). */
struct anim_column_shape anim_column_shape_of(enum anim_column, enum anim_type);
/* Return the product: the bytes of an element. */
size_t anim_column_size(enum anim_column, enum anim_type);

/* Copy a track. Its texts and columns are in the arena, and ->record is cleared. Returns 0 or -1. */
int anim_track_copy(struct anim_track *out, const struct anim_track *, struct anim_arena *, struct anim_error *);

/*
 * Set `out` to `count` keys of the track from `first` on. Its columns point into the track's, its strings into
 * `strings`.
 */
void anim_track_part(struct anim_track *out, struct anim_strings *strings, const struct anim_track *, size_t first,
		     size_t count);

/*
 * Sort the keys by time; equal times keep their order (ANIM_UNSORTED is cleared). Returns 0, or -1 with
 * ANIM_UNSUPPORTED if a time is not finite.
 */
int anim_track_sorted(struct anim_track *out, const struct anim_track *, struct anim_arena *, struct anim_error *);

/*
 * Make a track from one component of a track whose components are all stored (no bools, no strings), in the type of
 * the component. Returns 0 or -1.
 */
int anim_track_pick_component(struct anim_track *out, const struct anim_track *, unsigned component, enum anim_type,
			      struct anim_arena *, struct anim_error *);

/* Return one element of the value column. For strings, this is a struct anim_text in *text. */
const void *anim_value_at(const struct anim_track *, size_t k, struct anim_text *text);
bool anim_value_equal(enum anim_type, const void *a, const void *b);

/*
 * Return true if keys are events at their times, instead of values that hold until the next key: properties that
 * begin with '@', and trigger tracks of Godot before 4.
 */
bool anim_track_is_event(const struct anim_track *);

/* Return true if the track has no values between those of its keys: it is Discrete, or every key holds. */
bool anim_track_steps(const struct anim_track *);

/*
 * A track that grows. All-zero is empty. Time, value and mode are always present (Raw: only the value). Other columns
 * are present from the first key that sets an element in them. Earlier keys, and later keys without an element, get a
 * neutral element: an ease of 1, handles of a third of a Weighted segment, slopes of 0, Bezier controls at the value.
 */
struct anim_keys {
	enum anim_type type;
	size_t n;
	unsigned present; /* bits of the present columns besides time, value, mode */
	struct anim_buffer column[ANIM_COLUMN_COUNT];
	struct anim_texts texts;
	struct anim_strings strings;
};

void anim_keys_reset(struct anim_keys *, enum anim_type);
void anim_keys_clear(struct anim_keys *);

/* Reserve room for n keys in time, value, mode and these further columns. Returns 0 or -1. */
int anim_keys_reserve(struct anim_keys *, unsigned columns, size_t n, struct anim_error *);

/* Add these further columns, with neutral elements for all keys so far. Returns 0 or -1. */
int anim_keys_widen(struct anim_keys *, unsigned columns, struct anim_error *);

/*
 * Add `count` keys of one mode that the caller wrote into reserved room after the last keys: their time, value and
 * every further column that is present.
 */
void anim_keys_grow(struct anim_keys *, size_t count, enum anim_interp);

/* Append a key. `value` is one element of the type (strings: struct anim_text). Returns 0 or -1. */
int anim_keys_add(struct anim_keys *, float time_s, const void *value, enum anim_interp, struct anim_error *);
/* The same for a string, whose bytes were appended to keys->texts.bytes from `start` on. */
int anim_keys_add_text(struct anim_keys *, float time_s, size_t start, enum anim_interp, struct anim_error *);
/* Append a sample of a Raw track. Returns 0 or -1. */
int anim_keys_add_sample(struct anim_keys *, const void *value, struct anim_error *);
/* Set the last key's element in a further column. Returns 0 or -1. */
int anim_keys_set(struct anim_keys *, enum anim_column, const void *element, struct anim_error *);

/*
 * Append keys first .. first + count - 1 of a track of the same type, with all their columns except the editor's
 * hints, and their times moved by shift_s. For a Raw track, append the samples. Returns 0 or -1.
 */
int anim_keys_add_part(struct anim_keys *, const struct anim_track *, size_t first, size_t count, double shift_s,
		       struct anim_error *);

/* Return the time or the value of key k, borrowed until the next change. */
float anim_keys_time(const struct anim_keys *, size_t k);
const void *anim_keys_value(const struct anim_keys *, size_t k, struct anim_text *);

/* Remove the keys from n on. */
void anim_keys_cut(struct anim_keys *, size_t n);

/*
 * Set the columns and the mode of `out`, whose kind is already set. A mode common to all keys is stored once. The
 * columns are borrowed until the next change. ->record is cleared, the rest of `out` is unchanged.
 */
void anim_keys_finish(struct anim_keys *, struct anim_track *out);

/* Set `out` to the Discrete track of these keys, with names, rules, ends and attributes of `like`. */
void anim_keys_finish_steps(struct anim_keys *, const struct anim_track *like, struct anim_track *out);

#endif
