/* step.h: tracks that only step, cut to a clip or made from samples. Internal to the filters. */
#ifndef ANIM_FILTER_STEP_H
#define ANIM_FILTER_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "clip/sample.h"
#include "clip/track.h"

/* Columns of a Discrete track that grows key by key. All-zero is empty. */
struct anim_steps {
	struct anim_buffer time, value, length, start, bytes;
	struct anim_strings strings;
	size_t n;
};

void anim_steps_reset(struct anim_steps *);
void anim_steps_clear(struct anim_steps *);

/* Appends a key; `value` is one element of the type (strings: struct anim_text). 0 or -1. */
int anim_steps_add(struct anim_steps *, enum anim_type, float time, const void *value, struct anim_error *);

/* Makes `out` the Discrete track of these keys, with names, rules and attributes of `like`; borrowed from the steps. */
void anim_steps_track(struct anim_steps *, const struct anim_track *like, struct anim_track *out);

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

#endif
