/* anim.h: animation files and streams read, evaluated as their engines would show them, and written. See anim(3). */
#ifndef ANIM_H
#define ANIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ANIM_API __attribute__((visibility("default")))
#else
#define ANIM_API
#endif

/*
 * Rules of the whole header.
 *
 * Functions that can fail return 0, a count or a pointer where they did not, else -1 or NULL, and fill the caller's struct
 * anim_fault, which may be NULL. Clips, trees, nodes and tracks are numbered from 0; a number that is too high is a fault, too.
 * What a handle gives (texts, attributes) is the handle's: until anim_close, but for the attributes of a track, which stay
 * until the next call. A handle is one thread's at a time; different handles are any threads'. Nothing else is shared.
 *
 * Structs with a member `size` grow in later versions: set it to the struct's own size, all else to 0: struct
 * anim_clip_info info = {.size = sizeof info}. Texts are UTF-8. Times are seconds on the clip's own axis.
 *
 * A pointer that is NULL without being allowed to, a time that is not finite and an array that is too small are faults of the
 * call (ANIM_FAULT_CALL). `capacity` is the number of elements that the array before it has room for. Functions without a
 * fault return 0, NULL or -1 if the handle is NULL.
 */

#define ANIM_VERSION_MAJOR 1
#define ANIM_VERSION_MINOR 0

/* The version of the library that is linked with, as "1.0.0". */
ANIM_API const char *anim_version(void);

/* ---- Faults ---- */

enum anim_fault_code {
	ANIM_FAULT_NONE,
	ANIM_FAULT_INPUT,       /* the bytes are not what they should be */
	ANIM_FAULT_SYSTEM,      /* a system call failed */
	ANIM_FAULT_MEMORY,      /* there is no more of it */
	ANIM_FAULT_TOO_LARGE,   /* beyond a limit */
	ANIM_FAULT_UNSUPPORTED, /* well-formed, but not read, not played or not written; the text names the way round */
	ANIM_FAULT_CLOSED,      /* the reader of what is written has gone */
	ANIM_FAULT_CALL = 100   /* a call that makes no sense: a number too high, an unknown word */
};

/* What went wrong. All-zero before the call; not touched where all is well. */
struct anim_fault {
	int code;              /* enum anim_fault_code */
	unsigned line, column; /* of the file, from 1; 0: not known */
	char text[1012];       /* one line: "walk.tscn:3:8: ..." */
};

/* ---- A file, or a stream ---- */

struct anim;

struct anim_options {
	size_t size;
	size_t memory; /* bytes of tracks that are kept in memory, the rest in an unlinked file of $TMPDIR; 0: 64 MiB */
	const char *format; /* "godot", "unity", ... as anim-parse -f has it; NULL: by content and name */
	const char *name;   /* in messages, and for what is told by it; NULL: the path; "-" where there is none */
	int no_external;    /* other files that it refers to are not opened */
	int keep_going;     /* faulty clips are left out, with a warning, instead of failing */
	const char
	    *unit; /* of motion capture (BVH), which does not tell: "cm", "m", "in", "cmu", metres; NULL: as it is */
	int z_up;  /* of motion capture: Z points up, not Y */
};

/*
 * Opens a file of any format that anim-parse reads, or a stream (gzip too); path "-" is standard input. Of anim_open_fd the
 * descriptor stays the caller's; of anim_open_memory the bytes may go when it returns. All is read and checked, but for
 * the tracks of a stream in a regular file: those are read when they are asked for, and must lie there until anim_close.
 */
ANIM_API struct anim *anim_open(const char *path, const struct anim_options *, struct anim_fault *);
ANIM_API struct anim *anim_open_fd(int fd, const struct anim_options *, struct anim_fault *);
ANIM_API struct anim *anim_open_memory(const void *bytes, size_t size, const struct anim_options *,
				       struct anim_fault *);
ANIM_API void anim_close(struct anim *); /* NULL is allowed */

/* What reading told that was no fault: lines as programs print them, "walk.tscn: warning: ...", "note: ...". */
ANIM_API size_t anim_message_count(const struct anim *);
ANIM_API const char *anim_message(const struct anim *, size_t number); /* NULL: the number is too high */
ANIM_API int anim_message_is_warning(const struct anim *, size_t number);

/* ---- Clips, tracks, nodes ---- */

struct anim_attribute {
	const char *key, *value;
};

struct anim_clip_info {
	size_t size;
	const char *name;
	double start_s, end_s;
	const char *loop;            /* "none", "wrap", "ping-pong" */
	const char *axes;            /* "godot", "unity", "resonite", "gltf", "unknown" */
	const char *axes2d;          /* of two dimensions: "godot", "unity", "unknown" */
	const char *source;          /* the engine that it is from: "godot4", "unity", ...; empty: not known */
	const char *root;            /* path in the tree of the node that the tracks' nodes are counted from */
	uint32_t rate_num, rate_den; /* frames a second as a fraction; 0, 0: the clip does not say */
	size_t tracks;
	ptrdiff_t tree; /* the number of its tree; -1: none */
	const struct anim_attribute *attributes;
	size_t attribute_count;
};

#define ANIM_TRACK_REST_RELATIVE 2u /* values count from the node's rest */
#define ANIM_TRACK_DEGREES 4u
#define ANIM_TRACK_PERCENT 8u
#define ANIM_TRACK_UNSORTED 16u
#define ANIM_TRACK_DISABLED 32u /* its player does not show it */
#define ANIM_ALL_COMPONENTS (-1)

struct anim_track_info {
	size_t size;
	const char *node, *property;
	const char *kind;       /* "Raw": samples at a rate; "Discrete": steps; "Curve": keys with modes */
	const char *type;       /* "float3", "floatQ" (x y z w), "bool", "string", ...: anim-stream(5) has all 40 */
	const char *mode;       /* between keys: "Hold", "Linear", "Hermite", ...; empty: each key has its own */
	const char *rules;      /* whose player: "plain", "godot4", "godot3", "unity", "resonite" */
	const char *pre, *post; /* before the first key and behind the last: "hold", "loop", "ping-pong", "none" */
	int component;          /* of the property that the track is for; ANIM_ALL_COMPONENTS: the whole value */
	unsigned components;    /* numbers of a value, 1 to 16 */
	unsigned flags;
	int is_rotation;             /* a quaternion */
	size_t keys;                 /* or samples */
	double start_s;              /* of Raw tracks: the first sample's time, */
	double step_s;               /* how far they are apart, */
	uint32_t rate_num, rate_den; /* and that as samples a second, exactly; 0, 0: step_s tells; all 0: not known */
};

struct anim_tree_info {
	size_t size;
	const char *root_name, *file; /* of the root node, of the source's file; may be empty */
	const char *axes, *axes2d;
	size_t nodes;
	const struct anim_attribute *attributes;
	size_t attribute_count;
};

#define ANIM_NODE_HAS_POSITION 1u
#define ANIM_NODE_HAS_ROTATION 2u
#define ANIM_NODE_HAS_SCALE 4u
#define ANIM_NODE_HAS_2D 8u /* it lies in two dimensions */

struct anim_node_info {
	size_t size;
	const char *path; /* names from the root on with '/' between them, ':' before a bone; the root itself is "." */
	const char *name; /* its last part */
	const char *kind; /* "node", "bone", "camera", "light", "mesh" */
	const char *type; /* what the engine calls it; may be empty */
	ptrdiff_t parent; /* number of the node above, smaller than its own; -1: the root */
	unsigned has;     /* which parts of the rest the file tells; the others are 0, no rotation, 1 */
	float position[3], rotation[4], scale[3];
	const struct anim_attribute *attributes;
	size_t attribute_count;
};

ANIM_API size_t anim_clip_count(const struct anim *);
ANIM_API size_t anim_tree_count(const struct anim *);

/* Each fills the struct whose size is set. 0 or -1. */
ANIM_API int anim_get_clip(const struct anim *, size_t clip, struct anim_clip_info *, struct anim_fault *);
ANIM_API int anim_get_track(const struct anim *, size_t clip, size_t track, struct anim_track_info *,
			    struct anim_fault *);
ANIM_API int anim_get_tree(const struct anim *, size_t tree, struct anim_tree_info *, struct anim_fault *);
ANIM_API int anim_get_node(const struct anim *, size_t tree, size_t node, struct anim_node_info *, struct anim_fault *);

/* The attributes of a track, by their keys; *items until the next call on the handle. How many, or -1. */
ANIM_API ptrdiff_t anim_get_track_attributes(struct anim *, size_t clip, size_t track,
					     const struct anim_attribute **items, struct anim_fault *);

/* The number, or -1 where there is none. Of tracks the next one from `from` on: components have tracks of their own. */
ANIM_API ptrdiff_t anim_find_clip(const struct anim *, const char *name);
ANIM_API ptrdiff_t anim_find_track(const struct anim *, size_t clip, size_t from, const char *node,
				   const char *property);
ANIM_API ptrdiff_t anim_find_node(const struct anim *, size_t tree, const char *path);
/* The node of the clip's tree that a track drives. */
ANIM_API ptrdiff_t anim_find_driven(const struct anim *, size_t clip, const char *node);

/* ---- Values ---- */

/* Where the clip's end is no sample: one at or past it, taken at the end; the last before it; a bent rate; none at the end. */
enum anim_times_end { ANIM_TIMES_COVER, ANIM_TIMES_GRID, ANIM_TIMES_FIT, ANIM_TIMES_LOOP };

/*
 * Read a rate as anim-resample accepts it: "30", "29.97", "30000/1001", "24fps"; "source" is 0/0. A decimal with more than nine places becomes the
 * fraction that rounds to the same double: "29.97002997002997" is 30000/1001. 0 with the fraction in lowest terms, or -1.
 */
ANIM_API int anim_parse_rate(const char *text, uint32_t *num, uint32_t *den, struct anim_fault *);

/*
 * The times at which anim-resample samples a clip at num/den samples a second (0, 0: the clip's own rate), rising, from its
 * start. Up to `capacity` are stored (times may be NULL where that is 0). How many there are, or -1.
 */
ANIM_API ptrdiff_t anim_clip_times(const struct anim *, size_t clip, uint32_t num, uint32_t den, enum anim_times_end,
				   double *times, size_t capacity, struct anim_fault *);

/*
 * What the track's player shows at these times, which may be any; rising ones are fastest. Values lie behind each other, the
 * track's components for each time. present (NULL: not wanted): for each time 1, or 0 where the player sets nothing and
 * the value is the node's rest, else the first of the values that it does set, else the first key's. At the times of
 * anim_clip_times the values are anim-resample's. The floats are the doubles rounded. Bools are 0 or 1. values has room for
 * `capacity` numbers, present for `count`. 0 or -1.
 */
ANIM_API int anim_sample_doubles(struct anim *, size_t clip, size_t track, const double *times, size_t count,
				 double *values, size_t capacity, unsigned char *present, struct anim_fault *);
ANIM_API int anim_sample_floats(struct anim *, size_t clip, size_t track, const double *times, size_t count,
				float *values, size_t capacity, unsigned char *present, struct anim_fault *);

/*
 * The same for tracks of strings. The texts end with NUL (what they hold behind one of their own is not seen), NULL is a null
 * string or none at all; they stay until the next call on the handle. texts has room for `count`.
 */
ANIM_API int anim_sample_texts(struct anim *, size_t clip, size_t track, const double *times, size_t count,
			       const char **texts, struct anim_fault *);

/* What the keys of a track hold. */
enum anim_key_part {
	ANIM_KEY_TIMES,  /* one number a key, of Raw tracks too */
	ANIM_KEY_VALUES, /* components */
	ANIM_KEY_LEFT,   /* components: slopes, handles or controls before and behind the key, by its mode */
	ANIM_KEY_RIGHT,
	ANIM_KEY_LEFT_X,
	ANIM_KEY_RIGHT_X,
	ANIM_KEY_EASE /* one number a key */
};

/* Fill numbers[keys x numbers of a key]. 1; 0 if the track has no such part; -1. */
ANIM_API int anim_key_doubles(struct anim *, size_t clip, size_t track, enum anim_key_part, double *numbers,
			      size_t capacity, struct anim_fault *);
ANIM_API int anim_key_floats(struct anim *, size_t clip, size_t track, enum anim_key_part, float *numbers,
			     size_t capacity, struct anim_fault *);
/* Fill texts[keys] from a track of strings, as anim_sample_texts does. 0 or -1. */
ANIM_API int anim_key_texts(struct anim *, size_t clip, size_t track, const char **texts, size_t capacity,
			    struct anim_fault *);
/* Fill modes[keys] with the mode of each key up to the next: constants of the library. 0 or -1. */
ANIM_API int anim_key_modes(struct anim *, size_t clip, size_t track, const char **modes, size_t capacity,
			    struct anim_fault *);

/*
 * Where the clip puts the nodes of its tree, in the space that the tree stands in: for each time, for each node (or for one,
 * where `node` is its number), 12 doubles (transforms has room for `capacity` doubles): three rows of the basis, each with that row's part of the origin behind it.
 * A node without tracks stands at its rest, a component without one where others have theirs, too. One of two dimensions has its
 * angle as a turn about z, and z as it rests; skew is not looked at. 0 or -1: also where the
 * clip has no tree, or moves a node in a way that is not known.
 */
#define ANIM_ALL_NODES (-1)
ANIM_API int anim_world(struct anim *, size_t clip, ptrdiff_t node, const double *times, size_t count,
			double *transforms, size_t capacity, struct anim_fault *);

/* ---- Writing a stream ---- */

struct anim_writer;

struct anim_writer_options {
	size_t size;
	const char *program, *version; /* who writes, for the stream's provenance; NULL: not told */
};

/*
 * Begins a stream. Of a file nothing is seen under its name before anim_write_commit, and nothing at all without it; a
 * descriptor stays the caller's and is written as bytes come. Order: trees with their nodes, clips with their tracks; a clip
 * is of the last tree before it. After a failure only anim_write_close may follow.
 */
ANIM_API struct anim_writer *anim_write_open(const char *path, const struct anim_writer_options *, struct anim_fault *);
ANIM_API struct anim_writer *anim_write_open_fd(int fd, const struct anim_writer_options *, struct anim_fault *);

/*
 * Each takes what the struct of its reading counterpart says; counts (tracks, nodes, components) are not looked at, NULL texts
 * are empty or the default: no loop, axes "unknown", rules "plain", ends "hold". The clip is of the last tree unless its
 * `tree` is -1. `has` says which parts of a node's rest are told.
 */
ANIM_API int anim_write_tree(struct anim_writer *, const struct anim_tree_info *, struct anim_fault *);
ANIM_API int anim_write_node(struct anim_writer *, const struct anim_node_info *, struct anim_fault *);
ANIM_API int anim_write_clip(struct anim_writer *, const struct anim_clip_info *, struct anim_fault *);

/*
 * The keys of a track. Raw: values alone, at info's rate. Else times, and the kind is "Discrete" or "Curve"; a Curve's mode is
 * one for all: "Hold", "Linear", or "Hermite" with slopes (value by second) before and behind each key. All have `keys` (of
 * the info) elements; values and slopes components each. Doubles, or floats where doubles is NULL, or texts.
 */
struct anim_key_data {
	size_t size;
	const double *times;
	const double *doubles;
	const float *floats;
	const double *left, *right;
	const char *const *texts; /* of type "string"; NULL is a null string */
};
ANIM_API int anim_write_track(struct anim_writer *, const struct anim_track_info *, const struct anim_key_data *,
			      const struct anim_attribute *attributes, size_t attribute_count, struct anim_fault *);

/*
 * What a handle has, byte for byte: a tree with its nodes, a clip with its tracks, a track alone. 0 or -1. For a clip of which
 * something changes: anim_get_clip, anim_write_clip, then the tracks that stay.
 */
ANIM_API int anim_copy_tree(struct anim_writer *, struct anim *, size_t tree, struct anim_fault *);
ANIM_API int anim_copy_clip(struct anim_writer *, struct anim *, size_t clip, struct anim_fault *);
ANIM_API int anim_copy_track(struct anim_writer *, struct anim *, size_t clip, size_t track, struct anim_fault *);

/* Ends the stream, and gives a file its name. 0 or -1: then nothing is there. */
ANIM_API int anim_write_commit(struct anim_writer *, struct anim_fault *);
ANIM_API void anim_write_close(struct anim_writer *); /* NULL is allowed; without commit nothing is left of a file */

#ifdef __cplusplus
}
#endif

#endif
