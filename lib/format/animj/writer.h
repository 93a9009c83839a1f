/* writer.h: the parts of the AnimJ writer; private to this folder. */
#ifndef ANIM_FORMAT_ANIMJ_WRITER_H
#define ANIM_FORMAT_ANIMJ_WRITER_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/print.h"
#include "clip/resonite.h"
#include "format/animj/animj.h"

/* What is known of the clip. */
struct animj_clip {
	float start_s, end_s;
	enum anim_loop loop;
	bool from_godot;
};

/* The text of each key's time in the last track, for the next: tracks often share them. */
struct animj_times {
	struct anim_buffer cells;
};

/*
 * A track as it will be written: a copy of the model's with times from the clip's start and values in AnimJ's units.
 * Columns are borrowed from the source or in the writer's `scratch` arena.
 */
struct animj_track {
	struct anim_track track;
	const char *label; /* "Box position", for messages */
	const char *node, *property;
	float interval_s;
	bool has_interval;
};

struct animj_writer {
	struct anim_sink sink;
	struct anim_write_options options;
	struct anim_output *out;
	struct anim_arena scratch; /* of the track at hand */
	struct animj_clip clip;
	bool in_clip, has_duration;
	size_t tracks;
	float last_s; /* the latest key of all tracks, from the clip's start */
	struct anim_resonite_target target;
	struct animj_times times;
};

/*
 * The steps between the model and the text, in this order. 0 or -1.
 * modes: what AnimJ cannot play between keys is refused, eased keys that hold become Hold.
 * timing: sorted, from the clip's start; Raw gets its interval or becomes keys.
 * values: finite, percent and doubles converted; quaternions of zeros are warned of.
 */
int animj_modes(struct animj_writer *, struct animj_track *, struct anim_error *);
int animj_timing(struct animj_writer *, struct animj_track *, struct anim_error *);
int animj_values(struct animj_writer *, struct animj_track *, struct anim_error *);

/* Prints the keys, ',' between them, nothing around them. 0 or -1. */
int animj_keys(struct animj_writer *, const struct animj_track *, struct anim_error *);
void animj_times_clear(struct animj_times *);

#endif
