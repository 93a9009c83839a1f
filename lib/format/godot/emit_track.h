/* emit_track.h: a track as Godot's properties tracks/N. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_EMIT_TRACK_H
#define ANIM_FORMAT_GODOT_EMIT_TRACK_H

#include "format/godot/emit_names.h"
#include "format/godot/emit_text.h"

/* What a track of the model becomes. */
struct godot_plan {
	enum godot_track_type type; /* UNKNOWN: Godot has no such track */
	int64_t interp, update;     /* the file's numbers; update of value tracks only */
	bool sprite;                /* references to sprites become numbers of frames */
	const char *why;            /* UNKNOWN: what it is that Godot does not have; static */
};

/* Pure: the same for the same track. */
void godot_plan_track(const struct godot_emit_names *, const struct anim_track *, struct godot_plan *);

/* What the printing of a clip's tracks shares. Texts that are needed for one track lie in `scratch`. */
struct godot_track_emit {
	struct godot_emit *emit;
	const struct godot_emit_names *names;
	float start_s; /* of the clip */
	struct anim_arena *scratch;
	struct anim_error *error;
};

/* The word of a constructor, "" for bools, numbers and strings; NULL where Godot has no such value. */
const char *godot_value_word(const struct godot_emit_names *, const struct anim_track *);

/* One value of a track that is no string: "Vector2(1, 2)", "1.0". */
void godot_emit_value(struct godot_emit *, const struct anim_track *, const char *word, size_t key);

/* All properties of track `number`. box: the track of sizes that follows the positions of an AABB, or NULL. 0 or -1. */
int godot_emit_track(const struct godot_track_emit *, size_t number, const struct anim_track *,
		     const struct anim_track *box);

/* The same but for what stands behind `keys = `, which the caller prints with its line feed. */
int godot_emit_track_head(const struct godot_track_emit *, size_t number, const struct anim_track *);

/* emit_keys.c: what stands behind `keys = `. 0 or -1. */
int godot_emit_keys(const struct godot_track_emit *, const struct anim_track *, const struct godot_plan *,
		    const struct anim_track *box);
/* A key's time as the target has it: from the clip's start. */
float godot_emit_time(const struct godot_track_emit *, const struct anim_track *, size_t key);
/* "times": PackedFloat32Array(0, 1), and "transitions", of the keys that `kept` marks (NULL: all). */
void godot_emit_times(const struct godot_track_emit *, const struct anim_track *, const uint8_t *kept);
void godot_emit_transitions(const struct godot_track_emit *, const struct anim_track *, const uint8_t *kept);

/*
 * emit_events.c: the keys of method, audio and animation tracks; *bad counts those whose text is none, which are left
 * out. 0 or -1.
 */
int godot_emit_event_keys(const struct godot_track_emit *, const struct anim_track *, enum godot_track_type,
			  size_t *bad);
/* `markers = [...]`. 0 or -1. */
int godot_emit_markers(const struct godot_track_emit *, const struct anim_track *, size_t *bad);

/*
 * emit_sprites.c: the frame of each key: the index of its reference, or, where one has none, its place in the order in
 * which the references first come. *sheet: the file of the first, "" where it is not known. NULL out of memory.
 */
const uint32_t *godot_sprite_frames(const struct anim_track *, const char **sheet, struct anim_arena *,
				    struct anim_error *);

#endif
