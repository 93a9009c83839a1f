/* animation.h: the body of one Animation resource -> one clip in a store. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_ANIMATION_H
#define ANIM_FORMAT_GODOT_ANIMATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "clip/diagnostics.h"
#include "clip/keys.h"
#include "clip/track.h"
#include "format/godot/text.h"
#include "stream/store.h"

/* Maps ExtResource ids of the file to what they name, so that literals read Resource("uid", "path"). */
struct godot_externals;
/*
 * ExtResource("id") becomes Resource("uid", "path") where the file says what the id is. 1: what the value names is not there;
 * 0: it is, or that cannot be told (a pipe, a uid); -1: out of memory.
 */
int godot_externals_resolve(struct godot_externals *, struct godot_value *, struct anim_error *);

/* What is known of the animation's head when its body has been read. Texts live in the arena given. */
struct godot_animation {
	const char *resource_name; /* empty where the file gives none */
	float length_s;            /* as Godot stores it: at least 0.001 */
	int loop_mode;             /* 0 1 2 */
	bool is_godot3, is_godot2; /* by content: track types, names of packed arrays, order of properties */
	struct anim_attrs attrs;   /* CLIP attributes: godot.resource_name, godot.step */
	size_t tracks;             /* stored */
};

/*
 * Reads the properties up to the end of the section (the tag before was [sub_resource type="Animation"] or [resource]).
 * Begins a clip in the store (head provisional) and stores a TRAK for every track, markers last. What the engine passes
 * over is passed over too, with a warning; faults go to diagnostics with their place, the rest is read on, but the return is
 * 1: the clip is faulty (the caller drops it). 0 good, 1 faulty, -1 error (grammar, memory, too many faults).
 * is_godot3_file: the header's format <= 2; content decides where it says something.
 */
int godot_animation_read(struct godot_text *, struct godot_externals *, bool is_godot3_file, struct anim_store *,
			 struct anim_diagnostics *, struct anim_arena *, struct godot_animation *, struct anim_error *);

/* ---- The numbers and names that tracks have in files ---- */

enum godot_track_type {
	GODOT_TRACK_UNKNOWN,
	GODOT_TRACK_VALUE,
	GODOT_TRACK_POSITION,
	GODOT_TRACK_ROTATION,
	GODOT_TRACK_SCALE,
	GODOT_TRACK_BLEND_SHAPE,
	GODOT_TRACK_TRANSFORM,
	GODOT_TRACK_BEZIER,
	GODOT_TRACK_METHOD,
	GODOT_TRACK_AUDIO,
	GODOT_TRACK_ANIMATION,
	GODOT_TRACK_TYPE_COUNT
};

extern const char *const godot_track_type_names[GODOT_TRACK_TYPE_COUNT];

/* What a file's interp numbers mean. */
enum godot_interp {
	GODOT_INTERP_NEAREST,
	GODOT_INTERP_LINEAR,
	GODOT_INTERP_CUBIC,
	GODOT_INTERP_LINEAR_ANGLE,
	GODOT_INTERP_CUBIC_ANGLE
};

/* The number that kind and mode tell; another one is an attribute of the track. */
int64_t godot_told_interp(const struct anim_track *);

/* Of a value track; which number stands for trigger and capture depends on the engine. */
enum godot_update { GODOT_CONTINUOUS, GODOT_DISCRETE, GODOT_CAPTURE_4 = 2, GODOT_TRIGGER_3 = 2, GODOT_CAPTURE_3 = 3 };

/* ---- Paths ---- */

/* Texts live in the arena that was given, or are constant. */
struct godot_target {
	const char *node, *property;
	uint8_t component; /* ANIM_WHOLE, or the component */
	bool euler;        /* the property is `euler`: the track tells its order */
	bool degrees;
	bool spatial; /* it was called `translation`, as only nodes of three dimensions of Godot 3 have it */
	bool dotted;  /* the component was spelled `scale.x`, which Godot does not read */
};

/* Of a value or Bezier track whose keys have this type. 0 or -1. */
int godot_target_of_property(const char *path, enum anim_type, struct anim_arena *, struct godot_target *,
			     struct anim_error *);

/* Of a 3-D or event track: the whole path names a node or a bone. 0 or -1. */
int godot_target_of_node(const char *path, const char *property, struct anim_arena *, struct godot_target *,
			 struct anim_error *);

/* ---- The column of a value track ---- */

/*
 * All-zero is an empty column. Values are added one by one; the column takes the type of the first and changes where a
 * later one does not fit: ints and floats become floats, anything else becomes literals (Godot's source text).
 */
struct godot_column {
	size_t n;
	enum godot_type kind;       /* of the first value */
	enum godot_type last;       /* of the value added last */
	bool literal;               /* texts hold source text */
	const char *literal_name;   /* Variant type of the literals, "mixed" where they differ */
	bool blends;                /* two neighbours that Godot would interpolate between */
	bool wide, inexact;         /* ints beyond 32 bits; floats that are no shortest float32 */
	struct anim_buffer values;  /* while adding: bool 1 byte, int and float 8 bytes, else components of 4 bytes */
	struct anim_buffer integer; /* of a column with both ints and floats: one byte each, 1 for an int */
	struct anim_texts texts;
};

/* ---- What the files that read one Animation share ---- */

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
 * 3-D tracks: component[0] holds the values (transform: component[0..2] position, rotation, scale). Bezier: component[0] value,
 * [1] left, [2] right, [3] left_x, [4] right_x. Value tracks: column. Events: column.texts alone.
 */
#define GODOT_NO_TRACK SIZE_MAX
#define GODOT_COMPONENTS 5
struct godot_track_keys {
	size_t track; /* number of the track they belong to, or GODOT_NO_TRACK */
	size_t n;
	int64_t update;           /* value tracks: as in the file */
	struct anim_buffer raw;   /* scratch: numbers as the file has them */
	struct anim_buffer time;  /* float[n] */
	struct anim_buffer ease;  /* float[n], or empty where every transition is 1 */
	struct anim_buffer modes; /* uint32_t[n] handle modes, or empty */
	struct anim_buffer component[GODOT_COMPONENTS];
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
	struct anim_diagnostics *diagnostics;
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

/* At the property being read; `many` as in anim_diagnostics_add. With a fault the clip will be dropped. 0 or -1. */
int godot_say(struct godot_clip_reader *, enum anim_severity, const char *many, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define godot_warn(reader, ...) godot_say(reader, ANIM_WARNING, __VA_ARGS__)
#define godot_fault(reader, ...) godot_say(reader, ANIM_FAULT, __VA_ARGS__)

/* The track's path for messages. */
static inline const char *godot_head_label(const struct godot_track_head *head)
{
	return head->path[0] != '\0' ? head->path : "a track without path";
}

/* 2, 3 or 4: whose semantics the clip has; decided once, before the first track is stored. */
int godot_generation(struct godot_clip_reader *);

/* Godot's is_equal_approx in double: keys of calls at such times are one to it, the last. */
bool godot_equal_times(double a, double b);

/* The value at the cursor into r->element, which is reset first. 0 or -1. */
int godot_read_element(struct godot_clip_reader *, struct godot_value *);
/* The numbers of the array at the cursor as float32, replacing what is in the buffer. 0; 1 it is no array (taken); -1. */
int godot_read_floats(struct godot_clip_reader *, struct anim_buffer *);
typedef int godot_take(struct godot_clip_reader *, const struct godot_value *, void *context);
/* Call `take` for each element of the array at the cursor, of packed arrays also. 0; 1 it is no array (taken); -1. */
int godot_read_elements(struct godot_clip_reader *, godot_take *take, void *context);
/* Call `take` with each key of the dictionary at the cursor, which is at its value then. 0; 1 it is no dictionary; -1. */
int godot_read_entries(struct godot_clip_reader *, godot_take *take, void *context);

/* How the keys of some types of track are read and stored; tracks of types that are not known have none. */
struct godot_keys_reader {
	/* Keys at the cursor -> reader->keys, which is empty. 0 or -1. */
	int (*read)(struct godot_clip_reader *, const struct godot_track_head *);
	/* Stores a track with its keys. 0 or -1. */
	int (*store)(struct godot_clip_reader *, const struct godot_track_head *, struct godot_track_keys *);
};

extern const struct godot_keys_reader godot_value_keys, godot_row_keys, godot_bezier_keys;

void godot_keys_reset(struct godot_track_keys *);

/* What only some tracks say about themselves. */
struct godot_track_notes {
	const char *variant, *literal, *update;
	bool order;
	bool spatial; /* a component of `translation` */
};

/* Names and component of the target, and what else it says. */
void godot_target_apply(const struct godot_target *, struct anim_track *, struct godot_track_notes *);

/*
 * Fills in what every Godot track has (rules, flags, times, attributes) and sends the track to the store. The caller has
 * set kind, type, names, component, interp and value columns. A name beyond the limit is a fault. 0 or -1.
 */
int godot_track_emit(struct godot_clip_reader *, const struct godot_track_head *, const struct godot_track_keys *,
		     struct anim_track *, const struct godot_track_notes *);

/* ---- motion_scale.c: keys of bones' positions in units of their skeleton's motion_scale <-> metres ---- */

/* Return whether the engine multiplies values of such a track by the scale: whole positions of a bone, but not Godot 3's. */
bool godot_is_scaled(const struct anim_track *);

/*
 * Copy the track to `out` with each position multiplied, in float32 as the engine does. Several keys of a file may have one
 * product: the hint column then keeps which one it was. Columns lie in the arena. 0 or -1.
 */
int godot_positions_multiply(struct anim_track *out, const struct anim_track *, float scale, struct anim_arena *,
			     struct anim_error *);

/* Undo it: copy the track to `out` with the keys that the engine multiplies to these positions. 0 or -1. */
int godot_positions_divide(struct anim_track *out, const struct anim_track *, float scale, struct anim_arena *,
			   struct anim_error *);

#endif
