/* animation.h: reads the body of one Animation resource into one clip of a store. Internal to format/godot. */
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

/*
 * Maps the ExtResource ids of the file to the files that they mean, so that literals can contain Resource("uid",
 * "path").
 */
struct godot_externals;
/*
 * Replace ExtResource("id") by Resource("uid", "path") if the file declares the id. Returns 1 if the resource does not
 * exist, 0 if it exists or this cannot be determined (input from a pipe, or a uid), -1 if out of memory.
 */
int godot_externals_resolve(struct godot_externals *, struct godot_value *, struct anim_error *);

/* A value track of numbers or vectors of one Animation. */
struct godot_number_track {
	const char *path;
	bool ints;      /* its first key is an int, or a vector of ints */
	bool fractions; /* without rounding, it shows values that are not whole */
	const struct godot_number_track *next;
};

/* The head of an animation, known after its body has been read. Texts are in the arena of the caller. */
struct godot_animation {
	const char *resource_name; /* empty if the file gives none */
	float length_s;            /* as Godot stores it: at least 0.001 */
	int loop_mode;             /* 0 1 2 */
	bool is_godot3, is_godot2; /* by content: track types, names of packed arrays, order of properties */
	struct anim_attrs attrs;   /* CLIP attributes: godot.resource_name, godot.step */
	size_t tracks;             /* number of tracks stored */
	size_t settings;           /* number of properties that scripts or users added: metadata, a script */
	const struct godot_number_track *numbers;
};

/*
 * Read the properties up to the end of the section. The tag before it was [sub_resource type="Animation"] or
 * [resource]. Begins a clip in the store with a provisional head, and stores a TRAK for every track, with the markers
 * last. Properties that the engine skips are skipped with a warning. Errors in the content go to the diagnostics with
 * their place, and reading continues. Returns 0 if the clip is good, 1 if it has errors (the caller drops it), -1 on an
 * error of grammar, memory or too many errors. is_godot3_file: the format in the header is at most 2. The content
 * decides if it is unambiguous.
 */
int godot_animation_read(struct godot_text *, struct godot_externals *, bool is_godot3_file, struct anim_store *,
			 struct anim_diagnostics *, struct anim_arena *, struct godot_animation *, struct anim_error *);

/*
 * Return 1 if a user added the property to a resource of any type: metadata or a script, whose value is read into the
 * arena. Otherwise 0, or -1.
 */
int godot_is_added(struct godot_text *, struct anim_arena *, const char *property);

/* ---- Numbers and names of tracks in files ---- */

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

/* The meaning of the interp numbers of a file. */
enum godot_interp {
	GODOT_INTERP_NEAREST,
	GODOT_INTERP_LINEAR,
	GODOT_INTERP_CUBIC,
	GODOT_INTERP_LINEAR_ANGLE,
	GODOT_INTERP_CUBIC_ANGLE
};

/*
 * Return the interp number that follows from kind and mode. A different number in the file is an attribute of the
 * track.
 */
int64_t godot_default_interp(const struct anim_track *);

/* The update mode of a value track. The numbers of trigger and capture depend on the engine. */
enum godot_update { GODOT_CONTINUOUS, GODOT_DISCRETE, GODOT_CAPTURE_4 = 2, GODOT_TRIGGER_3 = 2, GODOT_CAPTURE_3 = 3 };

/* ---- Paths ---- */

/* The target of a track. Texts are in the arena of the caller, or constant. */
struct godot_target {
	const char *node, *property;
	uint8_t component; /* ANIM_WHOLE, or a component */
	bool euler;        /* the property is `euler`: the track has an order of rotation */
	bool degrees;
	bool spatial; /* it was called `translation`, a name that only 3-D nodes of Godot 3 use */
	bool dotted;  /* the component was spelled `scale.x`, which Godot does not read */
};

/* Set the target from the path of a value or Bezier track whose keys have this type. Returns 0 or -1. */
int godot_target_of_property(const char *path, enum anim_type, struct anim_arena *, struct godot_target *,
			     struct anim_error *);

/* ---- The column of a value track ---- */

/*
 * The values of a value track. All-zero is an empty column. Values are added one by one. The column has the type of its
 * first value and changes it if a later value does not fit: ints and floats become floats, other mixtures become
 * literals (Godot source text).
 */
struct godot_column {
	size_t n;
	enum godot_type kind;       /* type of the first value */
	enum godot_type last;       /* type of the value added last */
	bool literal;               /* texts hold source text */
	const char *literal_name;   /* Variant type of the literals, "mixed" if they differ */
	bool blends;                /* Godot would interpolate between two neighbouring values */
	bool starts_with_ints;      /* a vector of ints came first, then one of floats, and all are floats by now */
	bool is_held;               /* vectors of ints and of floats are mixed, which Godot does not interpolate */
	bool wide, inexact;         /* ints beyond 32 bits; floats that are not the shortest text of a float32 */
	struct anim_buffer values;  /* while adding: bool 1 byte, int and float 8 bytes, others components of 4 bytes */
	struct anim_buffer integer; /* if the column has both ints and floats: one byte per value, 1 for an int */
	struct anim_texts texts;
};

/* ---- Declarations shared by the files that read one Animation ---- */

/* One track without its keys. It is kept until the track is stored. */
struct godot_track_head {
	enum godot_track_type type;
	struct anim_place place; /* of the property that created it */
	const char *path;        /* text of the NodePath, in the arena of the caller; empty until it has been read */
	int64_t interp;
	int64_t compressed; /* number in _compression, or -1 if its keys are not compressed */
	bool loop_wrap, imported, disabled, has_blend, use_blend;
};

/*
 * The keys of the only track that has been read but not stored. The buffers are reused from track to track. 3-D tracks:
 * component[0] holds the values (transform tracks: component[0..2] position, rotation, scale). Bezier tracks:
 * component[0] value, [1] left, [2] right, [3] left_x, [4] right_x. Value tracks: column. Event tracks: only
 * column.texts.
 */
#define GODOT_NO_TRACK SIZE_MAX
#define GODOT_COMPONENTS 5
struct godot_track_keys {
	size_t track; /* number of the track to which the keys belong, or GODOT_NO_TRACK */
	size_t n;
	int64_t update;           /* value tracks: the number in the file */
	struct anim_buffer raw;   /* temporary: numbers as read from the file */
	struct anim_buffer time;  /* float[n] */
	struct anim_buffer ease;  /* float[n], or empty if every transition is 1 */
	struct anim_buffer modes; /* uint32_t[n] handle modes, or empty */
	struct anim_buffer component[GODOT_COMPONENTS];
	struct godot_column column;
};

struct godot_compressed_page {
	const uint8_t *bytes;
	size_t size;
	double time_s;
};

/* The content of _compression. Every compressed track has a part of each page. */
struct godot_compression {
	bool enabled;
	struct anim_arena arena;   /* holds the bytes of the pages */
	struct anim_buffer bounds; /* float[6] per track: position, size */
	struct anim_buffer pages;  /* array of struct godot_compressed_page */
	uint32_t fps;
	uint64_t keys_left; /* decoding stops at 0: damaged pages could refer to the same bytes again and again */
};

struct godot_clip_reader {
	struct godot_text *text;
	struct godot_externals *externals;
	struct anim_store *store;
	struct anim_diagnostics *diagnostics;
	struct anim_arena *arena; /* of the caller; outlives the clip */
	struct godot_animation *clip;
	struct anim_error *error;
	struct anim_place place;        /* of the property being read */
	struct anim_arena element;      /* holds the value being read; reset for each value */
	struct anim_arena names;        /* holds names and attributes of the track being stored; reset for each track */
	struct anim_buffer heads;       /* array of struct godot_track_head */
	size_t stored;                  /* all tracks below this number have been stored */
	struct godot_track_keys keys;   /* of the track that is not stored yet */
	struct godot_track_keys marker; /* markers, which are stored last */
	struct godot_compression compression;
	enum godot_spelling spelling; /* of the packed array read last */
	int generation;               /* Godot 2, 3 or 4; 0 if not decided yet */
	bool old_file;                /* the header has format 1 or 2 */
	bool saw_3d, saw_transform, saw_loop_mode, saw_imported_first, saw_cont;
	bool faulty;
};

/*
 * Add a message about the property being read. `noun` is as in anim_diagnostics_add. With the severity ANIM_FAULT, the
 * clip will be dropped. Returns 0 or -1.
 */
int godot_report(struct godot_clip_reader *, enum anim_severity, const char *noun, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define godot_warn(reader, ...) godot_report(reader, ANIM_WARNING, __VA_ARGS__)
#define godot_fault(reader, ...) godot_report(reader, ANIM_FAULT, __VA_ARGS__)

/* Return the path of the track, for messages. */
static inline const char *godot_head_label(const struct godot_track_head *head)
{
	return head->path[0] != '\0' ? head->path : "a track without path";
}

/*
 * Return 2, 3 or 4: the Godot version whose rules the clip follows. It is decided once, before the first track is
 * stored.
 */
int godot_generation(struct godot_clip_reader *);

/*
 * Compare times as Godot's is_equal_approx does, in double. If two calls have equal times, Godot keeps only the last.
 */
bool godot_equal_times(double a, double b);

/* Read the value at the cursor into reader->element, which is reset first. Returns 0 or -1. */
int godot_read_element(struct godot_clip_reader *, struct godot_value *);
/*
 * Read the numbers of the array at the cursor as float32, and replace the content of the buffer. Returns 0, 1 if the
 * value is not an array (it is then consumed), or -1.
 */
int godot_read_floats(struct godot_clip_reader *, struct anim_buffer *);
typedef int godot_visit(struct godot_clip_reader *, const struct godot_value *, void *context);
/*
 * Call `visit` for each element of the array at the cursor, which may be packed. Returns 0, 1 if the value is not an
 * array (it is then consumed), or -1.
 */
int godot_read_elements(struct godot_clip_reader *, godot_visit *visit, void *context);
/*
 * Call `visit` with each key of the dictionary at the cursor. The cursor is then at the value of that key. Returns 0, 1
 * if the value is not a dictionary, or -1.
 */
int godot_read_entries(struct godot_clip_reader *, godot_visit *visit, void *context);

/* Functions that read and store the keys of some types of track. Unknown types have none. */
struct godot_keys_reader {
	/* Read the keys at the cursor into reader->keys, which is empty. Returns 0 or -1. */
	int (*read)(struct godot_clip_reader *, const struct godot_track_head *);
	/* Store a track with its keys. Returns 0 or -1. */
	int (*store)(struct godot_clip_reader *, const struct godot_track_head *, struct godot_track_keys *);
};

extern const struct godot_keys_reader godot_value_keys, godot_row_keys, godot_bezier_keys;

void godot_keys_reset(struct godot_track_keys *);

/* Store the texts of the keys as a track of events of the node, named `property`. Returns 0 or -1. */
int godot_events_store(struct godot_clip_reader *, const struct godot_track_head *, const struct godot_track_keys *,
		       const char *property);

/* ---- motion_scale.c: bone positions in units of the motion_scale of their skeleton <-> metres ---- */

/*
 * Return whether the engine multiplies values of such a track by the scale: vector tracks of bone positions, except in
 * Godot 3.
 */
bool godot_is_scaled(const struct anim_track *);

/*
 * Copy the track to `out` with each position multiplied by the scale, in float32 as the engine does. Several keys of a
 * file can have the same product. The hint column then records which key it was. Columns are in the arena. Returns 0 or
 * -1.
 */
int godot_positions_multiply(struct anim_track *out, const struct anim_track *, float scale, struct anim_arena *,
			     struct anim_error *);

/*
 * Undo godot_positions_multiply: copy the track to `out` with the keys that the engine multiplies to these positions.
 * Returns 0 or -1.
 */
int godot_positions_divide(struct anim_track *out, const struct anim_track *, float scale, struct anim_arena *,
			   struct anim_error *);

#endif
