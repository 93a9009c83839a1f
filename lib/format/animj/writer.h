/* writer.h: the parts of the AnimJ writer; private to this folder. */
#ifndef ANIM_FORMAT_ANIMJ_WRITER_H
#define ANIM_FORMAT_ANIMJ_WRITER_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/print.h"
#include "format/animj/animj.h"

/* What is known of the clip; texts are in the writer's `kept` arena. */
struct animj_clip {
	float start_s, end_s;
	enum anim_loop loop;
	enum anim_axes axes;
	bool from_godot;
	bool colon_is_bone;    /* "A/Skeleton3D:Hips" is the bone Hips */
	bool bare_nodes;       /* nodes are slot names already, not paths */
	const char *root;      /* path of the animation's root in the tree */
	const char *root_name; /* of the tree; "" where there is none */
};

/* A set of texts that were seen, by open addressing; all-zero is empty. */
struct animj_seen {
	const char **texts;
	uint32_t *hashes;
	size_t capacity, count;
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
	struct anim_animj_options options;
	struct anim_output *out;
	struct anim_arena kept, scratch;
	struct animj_clip clip;
	bool in_clip, has_duration;
	size_t tracks;
	float last_s; /* the latest key of all tracks, from the clip's start */
	struct animj_seen seen;
	struct animj_times times;
	char *root_name; /* of the last tree, in `kept` */
};

/* 1: not seen before and now kept in the set (copied into the arena); 0: seen; -1 no memory. */
int animj_seen_add(struct animj_seen *, const char *text, size_t length, struct anim_arena *, struct anim_error *);
void animj_seen_clear(struct animj_seen *);

/*
 * Fills node and property by the table of names, warns where two meet in one name or the property cannot be bound.
 * 0 or -1.
 */
int animj_name(struct animj_writer *, struct animj_track *, const struct anim_track *source, struct anim_error *);

/* The bare name of a node: the last of its path, a bone's own, the root's. In the arena; NULL out of memory. */
const char *animj_node_name(const struct animj_clip *, const char *node, struct anim_arena *, struct anim_error *);

/* Resonite's name of a property, in the arena; NULL out of memory. */
const char *animj_property_name(const char *property, uint8_t component, struct anim_arena *, struct anim_error *);

/* The type of the field that a property is bound to in Resonite, or -1 where nothing is known. */
int animj_property_type(const char *property);

/*
 * The steps between the model and the text, in this order. 0 or -1.
 * modes: what AnimJ cannot play between keys is refused, eased keys that hold become Hold.
 * timing: sorted, from the clip's start; Raw gets its interval or becomes keys.
 * values: finite, percent and doubles converted, quaternions made continuous.
 */
int animj_modes(struct animj_writer *, struct animj_track *, struct anim_error *);
int animj_timing(struct animj_writer *, struct animj_track *, struct anim_error *);
int animj_values(struct animj_writer *, struct animj_track *, struct anim_error *);

/* Prints the keys, ',' between them, nothing around them. 0 or -1. */
int animj_keys(struct animj_writer *, const struct animj_track *, struct anim_error *);
void animj_times_clear(struct animj_times *);

#endif
