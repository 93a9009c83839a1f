/* keys.h: a track that grows part by part. Internal to cat_join. */
#ifndef ANIM_FILTER_CAT_KEYS_H
#define ANIM_FILTER_CAT_KEYS_H

#include "base/buffer.h"
#include "clip/check.h"
#include "clip/texts.h"

/* All-zero but for type is empty; `hint` and others' columns do not grow. Owned. */
struct anim_join_keys {
	enum anim_type type;
	size_t n;
	struct anim_buffer column[ANIM_COLUMN_COUNT]; /* by the numbers of the stream; the modes always stand */
	bool has[ANIM_COLUMN_COUNT];
	struct anim_texts texts;
	struct anim_strings strings;
};

void anim_join_keys_reset(struct anim_join_keys *, enum anim_type);
void anim_join_keys_clear(struct anim_join_keys *);

/* Appends keys from..to-1 of a track of the same type, their times moved by shift_s. 0 or -1. */
int anim_join_keys_add(struct anim_join_keys *, const struct anim_track *, size_t from, size_t to, double shift_s,
		       struct anim_error *);

/*
 * Appends key k once more, at time_s (not moved), with slopes and handles that rest: between two such keys of one value
 * the curve stands still in every mode, and beside one a cubic sees what it would see at the end of its track. 0 or -1.
 */
int anim_join_keys_rest(struct anim_join_keys *, const struct anim_track *, size_t k, double time_s,
			struct anim_error *);

/* Of Raw tracks: appends samples from..to-1; forgets those from n on. */
int anim_join_samples_add(struct anim_join_keys *, const struct anim_track *, size_t from, size_t to,
			  struct anim_error *);
void anim_join_samples_cut(struct anim_join_keys *, size_t n);

/* The columns and modes of `out`; borrowed until the next change. One mode for all keys stands once. */
void anim_join_keys_track(struct anim_join_keys *, struct anim_track *out);

#endif
