/* animation_internal.h: what the files that read one Animation resource share. Private to animation*.c. */
#ifndef ANIM_FORMAT_GODOT_ANIMATION_INTERNAL_H
#define ANIM_FORMAT_GODOT_ANIMATION_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/godot/animation.h"
#include "format/godot/animation_column.h"
#include "format/godot/animation_path.h"
#include "format/godot/track_type.h"

/* One track but for its keys; kept until the track is stored. */
struct godot_track_head {
	enum godot_track_type type;
	struct anim_place place; /* of the property that made it */
	const char *path;        /* text of the NodePath, in the caller's arena; empty until it came */
	int64_t interp;
	int64_t compressed; /* number in _compression, -1: its keys are plain */
	bool loop_wrap, imported, disabled, has_blend, use_blend;
};

/*
 * The keys of the one track that has been read and not stored yet; buffers are reused from track to track.
 * 3-D tracks: lane[0] holds the values (transform: lane[0..2] position, rotation, scale). Bezier: lane[0] value, [1] left,
 * [2] right, [3] left_x, [4] right_x. Value tracks: column. Events: column.texts alone.
 */
#define GODOT_NO_TRACK SIZE_MAX
#define GODOT_LANES 5
struct godot_track_keys {
	size_t track; /* number of the track they belong to, or GODOT_NO_TRACK */
	size_t n;
	int64_t update;           /* value tracks: as in the file */
	struct anim_buffer raw;   /* scratch: numbers as the file has them */
	struct anim_buffer time;  /* float[n] */
	struct anim_buffer ease;  /* float[n], or empty where every transition is 1 */
	struct anim_buffer modes; /* uint32_t[n] handle modes, or empty */
	struct anim_buffer lane[GODOT_LANES];
	struct godot_column column;
};

struct godot_compressed_page {
	const uint8_t *bytes;
	size_t size;
	double time_s;
};

/* _compression, whole: every compressed track has a share of each page. */
struct godot_compression {
	bool enabled;
	struct anim_arena arena;   /* holds the pages' bytes */
	struct anim_buffer bounds; /* float[6] each: position, size */
	struct anim_buffer pages;  /* struct godot_compressed_page each */
	uint32_t fps;
	uint64_t keys_left; /* decoding stops here: pages may lie about shared bytes */
};

struct godot_clip_reader {
	struct godot_text *text;
	struct godot_externals *externals;
	struct anim_store *store;
	struct anim_losses *losses;
	struct anim_arena *arena; /* the caller's; outlives the clip */
	struct godot_animation *clip;
	struct anim_error *error;
	struct anim_place place;        /* of the property being read */
	struct anim_arena element;      /* the value being read; reset for each */
	struct anim_arena names;        /* names and attributes of the track being stored; reset for each */
	struct anim_buffer heads;       /* struct godot_track_head each */
	size_t stored;                  /* tracks below this number have been stored */
	struct godot_track_keys keys;   /* of one track not stored yet */
	struct godot_track_keys marker; /* markers, stored last */
	struct godot_compression compression;
	enum godot_spelling spelling; /* of the packed array read last */
	int generation;               /* 2, 3, 4; 0: not decided yet */
	bool old_file;                /* the header says format 1 or 2 */
	bool saw_3d, saw_transform, saw_loop_mode, saw_imported_first, saw_cont;
	bool faulty;
};

/* A warning at the property being read; `many` as in anim_losses_add. 0 or -1. */
int godot_warn(struct godot_clip_reader *, const char *many, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A fault there: the clip will be dropped. 0 or -1. */
int godot_fault(struct godot_clip_reader *, const char *many, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The track's path for messages. */
static inline const char *godot_head_label(const struct godot_track_head *head)
{
	return head->path[0] != '\0' ? head->path : "a track without path";
}

/* 2, 3 or 4: whose semantics the clip has; decided once, before the first track is stored. */
int godot_generation(struct godot_clip_reader *);

/* animation_convert.c: what Godot's Variant makes of a value where another type is wanted. */
double godot_to_double(const struct godot_value *);
int64_t godot_to_int(const struct godot_value *);
bool godot_to_bool(const struct godot_value *);
const char *godot_to_text(const struct godot_value *);
bool godot_exact_float32(double); /* the shortest text of (float)x is the number x */

/* The value at the cursor into r->element, which is reset first. 0 or -1. */
int godot_read_element(struct godot_clip_reader *, struct godot_value *);
/* The numbers of the array at the cursor as float32, replacing what is in the buffer. 0; 1 it is no array (taken); -1. */
int godot_read_floats(struct godot_clip_reader *, struct anim_buffer *);
/* Calls `take` for each element of the array at the cursor, packed ones too. 0; 1 it is no array (taken); -1. */
int godot_read_elements(struct godot_clip_reader *,
			int (*take)(struct godot_clip_reader *, const struct godot_value *, void *), void *context);
/* Element i of an array or packed array as a value of its own. */
void godot_array_element(const struct godot_value *array, size_t i, struct godot_value *element);
size_t godot_array_count(const struct godot_value *array); /* 0 for anything else */

/*
 * animation_reference.c: ExtResource("id") inside the value becomes Resource("uid", "path") where the file says what the
 * id is; a warning where what is named is not there. 0 or -1.
 */
int godot_check_references(struct godot_clip_reader *, struct godot_value *);

/* Keys at the cursor -> r->keys (replacing what was there), for a track of that kind. 0 or -1. */
int godot_read_keys(struct godot_clip_reader *, const struct godot_track_head *);       /* dispatches on the type */
int godot_read_value_keys(struct godot_clip_reader *, const struct godot_track_head *); /* animation_value.c */
int godot_read_event_keys(struct godot_clip_reader *, const struct godot_track_head *); /* animation_events.c */
int godot_read_markers(struct godot_clip_reader *);                                     /* into r->marker */
int godot_read_compression(struct godot_clip_reader *);                                 /* animation_compressed.c */
/* Decodes compressed track head->compressed into r->keys. 0 or -1. */
int godot_decode_compressed(struct godot_clip_reader *, const struct godot_track_head *);

void godot_keys_reset(struct godot_track_keys *);
void godot_keys_clear(struct godot_track_keys *);
/* Keeps `count` float32 transitions as r->keys.ease, or drops them where all are 1. */
void godot_keys_ease(struct godot_track_keys *);

/* What only some tracks say about themselves. */
struct godot_track_notes {
	const char *variant, *literal, *update;
	bool order;
	bool spatial; /* a lane of `translation` */
};

/* Names and component of the target, and what else it says. */
void godot_target_apply(const struct godot_target *, struct anim_track *, struct godot_track_notes *);

/*
 * Fills in what every Godot track has (rules, flags, times, attributes) and sends the track to the store. The caller has
 * set kind, type, names, component, interp and value columns. A name beyond the limit is a fault. 0 or -1.
 */
int godot_track_emit(struct godot_clip_reader *, const struct godot_track_head *, const struct godot_track_keys *,
		     struct anim_track *, const struct godot_track_notes *);

/* Stores a track with its keys (of r->keys, or none). 0 or -1. */
int godot_track_store(struct godot_clip_reader *, const struct godot_track_head *, struct godot_track_keys *);
int godot_value_store(struct godot_clip_reader *, const struct godot_track_head *, struct godot_track_keys *);
int godot_event_store(struct godot_clip_reader *, const struct godot_track_head *, struct godot_track_keys *);
int godot_marker_store(struct godot_clip_reader *);

#endif
