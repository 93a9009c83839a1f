/* anim.h: reads animation files and streams, evaluates them as their engines do, and writes streams. See anim(3). */
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
 * Functions that can fail return 0, a count or a pointer on success, otherwise -1 or NULL. They then fill the
 * caller's struct anim_fault, which may be NULL. Clips, trees, nodes and tracks are numbered from 0, and a number
 * that is too high is a fault. Texts and attributes returned by a handle belong to it and stay valid until
 * anim_close, but the attributes of a track only until the next call.
 *
 * A handle or a writer may be used by one thread at a time, also for calls that only read. Different handles may be
 * used by different threads at the same time, because nothing else is shared. Threads that share a handle need a lock
 * around each call and the use of its results, and around anim_close. The library installs no handlers for
 * signals, for the end of the process or for forks.
 *
 * After a fork, a child may use the handles of its parent, if no other thread of the parent was in a call with them
 * at that moment. A writer belongs to the process that opened it. In a child, each call with it is a fault, and
 * anim_write_close only frees its memory. A file that was not committed stays as a temporary file if the process ends
 * without anim_write_close.
 *
 * Structs with a member `size` grow in later versions. Set it to the size of the struct and all other members to 0:
 * struct anim_clip_info info = {.size = sizeof info}. Texts are UTF-8. Times are in seconds on the time axis of the
 * clip.
 *
 * A NULL pointer that is not allowed, a size that no version of a struct has, a time that is not finite, a count
 * beyond a limit, and an array that is too small are faults of the call (ANIM_FAULT_CALL). Calls in the wrong order and
 * data that a stream cannot hold are also faults. `capacity` is the number of elements that the array before it has
 * room for. Functions without a fault return 0, NULL or -1 if the handle is NULL. Memory that was freed cannot be
 * recognised: do not use a handle after anim_close.
 */

#define ANIM_VERSION_MAJOR 1
#define ANIM_VERSION_MINOR 0

/* Return the version of the linked library, for example "1.0.0". */
ANIM_API const char *anim_version(void);

/* ---- Faults ---- */

enum anim_fault_code {
	ANIM_FAULT_NONE,
	ANIM_FAULT_INPUT,     /* the bytes are invalid */
	ANIM_FAULT_SYSTEM,    /* a system call failed */
	ANIM_FAULT_MEMORY,    /* out of memory */
	ANIM_FAULT_TOO_LARGE, /* beyond a limit */
	/* valid, but not supported for reading, playing or writing. The text contains a remedy. */
	ANIM_FAULT_UNSUPPORTED,
	ANIM_FAULT_CLOSED,    /* the reader of the output has closed it */
	ANIM_FAULT_STRICT,    /* the option strict made warnings errors, or nothing is left to write */
	ANIM_FAULT_CANCELLED, /* by the caller's progress function */
	ANIM_FAULT_CALL = 100 /* invalid use of a function: a number too high, an unknown word */
};

/* An error. Set it to all-zero before the call. On success it is unchanged. */
struct anim_fault {
	int code;              /* enum anim_fault_code */
	unsigned line, column; /* position in the file, from 1; 0: unknown */
	char text[1012];       /* one line, for example "walk.tscn:3:8: ..." */
};

/* ---- Files and streams ---- */

struct anim;

struct anim_options {
	size_t size;
	size_t memory; /* maximum bytes of tracks in memory (0: 64 MiB). The rest is in an unlinked file in $TMPDIR. */
	const char *format; /* "godot", "unity", ... as for anim-parse -f; NULL: detect it by content and name */
	const char *name;   /* for messages and for detecting the format; NULL: the path, or "-" without a path */
	int no_external;    /* do not open other files that it refers to */
	int keep_going;     /* leave out faulty clips with a warning instead of failing */
	const char *unit;   /* length unit of a BVH file: "cm", "m", "in", "cmu", metres; NULL: unchanged */
	int z_up;           /* a BVH file has Z up, not Y */
};

/*
 * Open a file of any format that anim-parse reads, or a stream (gzip is accepted). The path "-" is standard input.
 * The caller keeps the descriptor of anim_open_fd, and may free the bytes of anim_open_memory when it returns. The
 * bytes may be NULL if their size is 0. Everything is read and checked at once, except for the tracks of a stream in a
 * regular file: they are read when they are requested, so the file must stay unchanged until anim_close.
 */
ANIM_API struct anim *anim_open(const char *path, const struct anim_options *, struct anim_fault *);
ANIM_API struct anim *anim_open_fd(int fd, const struct anim_options *, struct anim_fault *);
ANIM_API struct anim *anim_open_memory(const void *bytes, size_t size, const struct anim_options *,
				       struct anim_fault *);
ANIM_API void anim_close(struct anim *); /* NULL is allowed */

/*
 * Return the messages of reading that are not faults, as lines that programs print: "walk.tscn: warning: ...", "note:
 * ...".
 */
ANIM_API size_t anim_message_count(const struct anim *);
ANIM_API const char *anim_message(const struct anim *, size_t number); /* NULL: the number is too high */
ANIM_API int anim_message_is_warning(const struct anim *, size_t number);

/* ---- Clips, tracks, nodes ---- */

struct anim_attribute {
	const char *key, *value;
};

/*
 * Numbers for the texts of the structs below. 0 means that nothing is said. A writer uses a number if the text is NULL or empty.
 */
enum anim_kind_id { ANIM_KIND_RAW = 1, ANIM_KIND_DISCRETE, ANIM_KIND_CURVE };
enum anim_type_id {
	ANIM_VALUE_BOOL = 1,
	ANIM_VALUE_BOOL2,
	ANIM_VALUE_BOOL3,
	ANIM_VALUE_BOOL4,
	ANIM_VALUE_BYTE,
	ANIM_VALUE_USHORT,
	ANIM_VALUE_UINT,
	ANIM_VALUE_ULONG,
	ANIM_VALUE_SBYTE,
	ANIM_VALUE_SHORT,
	ANIM_VALUE_INT,
	ANIM_VALUE_LONG,
	ANIM_VALUE_INT2,
	ANIM_VALUE_INT3,
	ANIM_VALUE_INT4,
	ANIM_VALUE_UINT2,
	ANIM_VALUE_UINT3,
	ANIM_VALUE_UINT4,
	ANIM_VALUE_LONG2,
	ANIM_VALUE_LONG3,
	ANIM_VALUE_LONG4,
	ANIM_VALUE_FLOAT,
	ANIM_VALUE_FLOAT2,
	ANIM_VALUE_FLOAT3,
	ANIM_VALUE_FLOAT4,
	ANIM_VALUE_FLOATQ,
	ANIM_VALUE_FLOAT2X2,
	ANIM_VALUE_FLOAT3X3,
	ANIM_VALUE_FLOAT4X4,
	ANIM_VALUE_DOUBLE,
	ANIM_VALUE_DOUBLE2,
	ANIM_VALUE_DOUBLE3,
	ANIM_VALUE_DOUBLE4,
	ANIM_VALUE_DOUBLEQ,
	ANIM_VALUE_DOUBLE2X2,
	ANIM_VALUE_DOUBLE3X3,
	ANIM_VALUE_DOUBLE4X4,
	ANIM_VALUE_COLOR,
	ANIM_VALUE_COLOR32,
	ANIM_VALUE_STRING
};
/* ANIM_MODE_OF_KEYS: each key has its own, see ANIM_KEY_MODES. */
enum anim_mode_id {
	ANIM_MODE_HOLD = 1,
	ANIM_MODE_LINEAR,
	ANIM_MODE_TANGENT,
	ANIM_MODE_CUBIC_BEZIER,
	ANIM_MODE_HERMITE,
	ANIM_MODE_WEIGHTED,
	ANIM_MODE_BEZIER_2D,
	ANIM_MODE_CUBIC_TIME,
	ANIM_MODE_CUBIC_UNIFORM,
	ANIM_MODE_LINEAR_ANGLE,
	ANIM_MODE_CUBIC_ANGLE,
	ANIM_MODE_OF_KEYS = 256
};
enum anim_player_id {
	ANIM_PLAYER_PLAIN = 1,
	ANIM_PLAYER_GODOT4,
	ANIM_PLAYER_GODOT3,
	ANIM_PLAYER_UNITY,
	ANIM_PLAYER_RESONITE
};
enum anim_outside_id { ANIM_OUTSIDE_HOLD = 1, ANIM_OUTSIDE_LOOP, ANIM_OUTSIDE_PING_PONG, ANIM_OUTSIDE_NONE };
enum anim_repeat_id { ANIM_REPEAT_NONE = 1, ANIM_REPEAT_WRAP, ANIM_REPEAT_PING_PONG };
enum anim_space_id { ANIM_SPACE_UNKNOWN = 1, ANIM_SPACE_GODOT, ANIM_SPACE_UNITY, ANIM_SPACE_RESONITE, ANIM_SPACE_GLTF };
enum anim_space2d_id { ANIM_SPACE2D_UNKNOWN = 1, ANIM_SPACE2D_GODOT, ANIM_SPACE2D_UNITY };

struct anim_clip_info {
	size_t size;
	const char *name;
	double start_s, end_s;
	const char *loop;            /* "none", "wrap", "ping-pong" */
	const char *axes;            /* "godot", "unity", "resonite", "gltf" or "unknown" */
	const char *axes2d;          /* for two dimensions: "godot", "unity" or "unknown" */
	const char *source;          /* source engine: "godot4", "unity", ...; empty: unknown */
	const char *root;            /* path in the tree of the node to which the tracks' nodes are relative */
	uint32_t rate_num, rate_den; /* frames per second as a fraction; 0, 0: the clip has none */
	size_t tracks;
	ptrdiff_t tree; /* the number of its tree; -1: none */
	const struct anim_attribute *attributes;
	size_t attribute_count;
	int loop_id, axes_id, axes2d_id; /* enum anim_repeat_id, anim_space_id, anim_space2d_id */
};

#define ANIM_TRACK_REST_RELATIVE 2u /* values are relative to the rest pose */
#define ANIM_TRACK_DEGREES 4u
#define ANIM_TRACK_PERCENT 8u
#define ANIM_TRACK_UNSORTED 16u
#define ANIM_TRACK_DISABLED 32u /* the player does not show it */
#define ANIM_ALL_COMPONENTS (-1)

struct anim_track_info {
	size_t size;
	const char *node, *property;
	const char *kind; /* "Raw" (samples at a rate), "Discrete" (steps) or "Curve" (keys with interpolation modes) */
	const char *type; /* "float3", "floatQ" (x y z w), "bool", "string", ...: all 40 are in anim-stream(5) */
	const char *mode; /* mode between keys: "Hold", "Linear", "Hermite", ... (empty: each key has its own) */
	const char *rules;      /* the player whose rules apply: "plain", "godot4", "godot3", "unity", "resonite" */
	const char *pre, *post; /* before the first and after the last key: "hold", "loop", "ping-pong", "none" */
	int component;          /* component of the property, or ANIM_ALL_COMPONENTS */
	unsigned components;    /* numbers per value, 1 to 16 */
	unsigned flags;
	int is_rotation; /* a quaternion */
	size_t keys;     /* or samples */
	double start_s;  /* Raw tracks: time of the first sample */
	double step_s;   /* Raw tracks: time between samples */
	/* Raw tracks: exact samples per second; 0, 0: use step_s, or unknown if that is also 0 */
	uint32_t rate_num, rate_den;
	int kind_id, type_id, mode_id, rules_id, pre_id, post_id; /* of kind, type, ...: see the enums above */
};

struct anim_tree_info {
	size_t size;
	const char *root_name, *file; /* of the root node, of the source file (may be empty) */
	const char *axes, *axes2d;
	size_t nodes;
	const struct anim_attribute *attributes;
	size_t attribute_count;
	int axes_id, axes2d_id; /* enum anim_space_id, anim_space2d_id */
};

#define ANIM_NODE_HAS_POSITION 1u
#define ANIM_NODE_HAS_ROTATION 2u
#define ANIM_NODE_HAS_SCALE 4u
#define ANIM_NODE_HAS_2D 8u /* it is two-dimensional */

struct anim_node_info {
	size_t size;
	/* names from the root on, separated by '/', with ':' before a bone; "." is the root */
	const char *path;
	const char *name; /* its last part */
	const char *kind; /* "node", "bone", "camera", "light", "mesh" */
	const char *type; /* type in the engine, may be empty */
	ptrdiff_t parent; /* number of the parent, smaller than its own; -1: the root */
	unsigned has;     /* parts of the rest pose in the file. Other parts are 0, no rotation, 1. */
	float position[3], rotation[4], scale[3];
	const struct anim_attribute *attributes;
	size_t attribute_count;
};

ANIM_API size_t anim_clip_count(const struct anim *);
ANIM_API size_t anim_tree_count(const struct anim *);

/* Fill the struct, whose size must be set. Returns 0 or -1. */
ANIM_API int anim_get_clip(const struct anim *, size_t clip, struct anim_clip_info *, struct anim_fault *);
ANIM_API int anim_get_track(const struct anim *, size_t clip, size_t track, struct anim_track_info *,
			    struct anim_fault *);
ANIM_API int anim_get_tree(const struct anim *, size_t tree, struct anim_tree_info *, struct anim_fault *);
ANIM_API int anim_get_node(const struct anim *, size_t tree, size_t node, struct anim_node_info *, struct anim_fault *);

/*
 * Get the attributes of a track, sorted by key. *items is valid until the next call on the handle. Returns their
 * number, or -1.
 */
ANIM_API ptrdiff_t anim_get_track_attributes(struct anim *, size_t clip, size_t track,
					     const struct anim_attribute **items, struct anim_fault *);

/*
 * Return the number of the clip, track or node, or -1 if there is none. anim_find_track finds the next track from
 * `from` on, because components can have tracks of their own.
 */
ANIM_API ptrdiff_t anim_find_clip(const struct anim *, const char *name);
ANIM_API ptrdiff_t anim_find_track(const struct anim *, size_t clip, size_t from, const char *node,
				   const char *property);
/*
 * The same by the name of a bone or node, the last part of `node`: "Hips" finds the track of "Armature/Skeleton3D:Hips".
 * property NULL: any.
 */
ANIM_API ptrdiff_t anim_find_named(const struct anim *, size_t clip, size_t from, const char *name,
				   const char *property);
ANIM_API ptrdiff_t anim_find_node(const struct anim *, size_t tree, const char *path);
/* Return the node of the clip's tree that a track with this node animates. */
ANIM_API ptrdiff_t anim_find_driven(const struct anim *, size_t clip, const char *node);

/* ---- Values ---- */

/*
 * How sampling ends if the end of the clip is not a sample time. COVER: add a sample at or after the end, with the
 * value at the end. GRID: stop at the last sample before it. FIT: adjust the rate. LOOP: no sample at the end.
 */
enum anim_times_end { ANIM_TIMES_COVER, ANIM_TIMES_GRID, ANIM_TIMES_FIT, ANIM_TIMES_LOOP };

/*
 * Read a rate as anim-resample accepts it: "30", "29.97", "30000/1001", "24fps"; "source" is 0/0. A decimal with more
 * than nine places becomes the fraction that rounds to the same double: "29.97002997002997" is 30000/1001. Returns 0
 * with the fraction in lowest terms, or -1.
 */
ANIM_API int anim_parse_rate(const char *text, uint32_t *num, uint32_t *den, struct anim_fault *);

/*
 * Get the increasing times at which anim-resample samples a clip at num/den samples per second (0, 0: the clip's own
 * rate), from its start on. Up to `capacity` times are stored; `times` may be NULL if that is 0. Returns the number
 * of times, or -1.
 */
ANIM_API ptrdiff_t anim_clip_times(const struct anim *, size_t clip, uint32_t num, uint32_t den, enum anim_times_end,
				   double *times, size_t capacity, struct anim_fault *);

/* Return the same times in *times, which the caller frees with anim_free. Returns their number, or -1. */
ANIM_API ptrdiff_t anim_clip_times_new(const struct anim *, size_t clip, uint32_t num, uint32_t den,
				       enum anim_times_end, double **times, struct anim_fault *);

/*
 * Evaluate a track as its player does, at any times; increasing times are fastest. Values are stored one time after
 * another, all components of the track for each. present (NULL: not wanted) is 1 for each time at which the player
 * sets a value. It is 0 if the player sets nothing: the value is then the rest pose of the node, otherwise the first
 * value that the player does set, otherwise the value of the first key. At the times of anim_clip_times the values
 * equal those of anim-resample. The floats are the rounded doubles. Bools are 0 or 1. values has room for `capacity`
 * numbers, present for `count`. Returns 0 or -1.
 */
ANIM_API int anim_sample_doubles(struct anim *, size_t clip, size_t track, const double *times, size_t count,
				 double *values, size_t capacity, unsigned char *present, struct anim_fault *);
ANIM_API int anim_sample_floats(struct anim *, size_t clip, size_t track, const double *times, size_t count,
				float *values, size_t capacity, unsigned char *present, struct anim_fault *);

/*
 * The same for tracks of strings. The texts end with NUL, so the part of a string after a NUL of its own is not
 * visible. NULL is a null string or no value. The texts stay valid until the next call on the handle. texts has room
 * for `count`. Returns 0 or -1.
 */
ANIM_API int anim_sample_texts(struct anim *, size_t clip, size_t track, const double *times, size_t count,
			       const char **texts, struct anim_fault *);

/* The parts of the keys of a track. */
enum anim_key_part {
	ANIM_KEY_TIMES,  /* one number per key, also for Raw tracks */
	ANIM_KEY_VALUES, /* one number per component */
	ANIM_KEY_LEFT,   /* per component: slopes, handles or control points before and after the key, by its mode */
	ANIM_KEY_RIGHT,
	ANIM_KEY_LEFT_X,
	ANIM_KEY_RIGHT_X,
	ANIM_KEY_EASE, /* one number per key */
	ANIM_KEY_MODES /* one number per key: enum anim_mode_id, from this key to the next */
};

/* Fill numbers[keys x numbers per key]. Returns 1, 0 if the track has no such part, or -1. */
ANIM_API int anim_key_doubles(struct anim *, size_t clip, size_t track, enum anim_key_part, double *numbers,
			      size_t capacity, struct anim_fault *);
ANIM_API int anim_key_floats(struct anim *, size_t clip, size_t track, enum anim_key_part, float *numbers,
			     size_t capacity, struct anim_fault *);
/* Fill texts[keys] from a track of strings, with the rules of anim_sample_texts. Returns 0 or -1. */
ANIM_API int anim_key_texts(struct anim *, size_t clip, size_t track, const char **texts, size_t capacity,
			    struct anim_fault *);
/*
 * Fill modes[keys] with the mode from each key to the next. The texts are constants of the library. Returns 0 or -1.
 */
ANIM_API int anim_key_modes(struct anim *, size_t clip, size_t track, const char **modes, size_t capacity,
			    struct anim_fault *);

/*
 * Compute the transforms of the nodes of the clip's tree, in the space of the tree. For each time and each node (or
 * one node, if `node` is its number), 12 doubles are stored: three rows of the basis, each followed by its component
 * of the origin. `transforms` has room for `capacity` doubles. A node without tracks has its rest pose, and so has a
 * component without a track if other components have one. The angle of a two-dimensional node becomes a rotation
 * about z, and its z is that of the rest pose; skew is ignored. Returns 0 or -1, also if the clip has no tree or
 * moves a node in an unknown way.
 */
#define ANIM_ALL_NODES (-1)
ANIM_API int anim_world(struct anim *, size_t clip, ptrdiff_t node, const double *times, size_t count,
			double *transforms, size_t capacity, struct anim_fault *);

/* ---- Writing a stream ---- */

struct anim_writer;

struct anim_writer_options {
	size_t size;
	const char *program, *version; /* the writing program, for the provenance of the stream; NULL: not recorded */
};

/*
 * Begin a stream. A file gets its name only at anim_write_commit, and does not appear without it. It may replace a
 * stream, but a file with other content is an error. The caller keeps a descriptor, and bytes are written to it as they
 * come. The order is: trees with their nodes, clips with their tracks. A clip belongs to the last tree before it. After a
 * failure only anim_write_close may be called.
 */
ANIM_API struct anim_writer *anim_write_open(const char *path, const struct anim_writer_options *, struct anim_fault *);
ANIM_API struct anim_writer *anim_write_open_fd(int fd, const struct anim_writer_options *, struct anim_fault *);

/*
 * Write the data of the struct that the corresponding reading function fills. Counts (tracks, nodes, components) are
 * ignored. NULL texts are empty or the default: no loop, axes "unknown", rules "plain", ends "hold". The clip belongs
 * to the last tree unless its `tree` is -1. `has` says which parts of a node's rest pose are written.
 */
ANIM_API int anim_write_tree(struct anim_writer *, const struct anim_tree_info *, struct anim_fault *);
ANIM_API int anim_write_node(struct anim_writer *, const struct anim_node_info *, struct anim_fault *);
ANIM_API int anim_write_clip(struct anim_writer *, const struct anim_clip_info *, struct anim_fault *);

/*
 * The keys of a track. Raw tracks have only values, at the rate of the info. Other tracks have times, and their kind
 * is "Discrete" or "Curve". A Curve has one mode for all keys: "Hold", "Linear", or "Hermite" with slopes (value per
 * second) before and after each key. All arrays have `keys` (of the info) elements; values and slopes have all
 * components for each. Values are in doubles, or in floats if doubles is NULL, or in texts.
 */
struct anim_key_data {
	size_t size;
	const double *times;
	const double *doubles;
	const float *floats;
	const double *left, *right;
	const char *const *texts; /* for type "string" (NULL is a null string) */
};
ANIM_API int anim_write_track(struct anim_writer *, const struct anim_track_info *, const struct anim_key_data *,
			      const struct anim_attribute *attributes, size_t attribute_count, struct anim_fault *);

/*
 * Copy from a handle, byte for byte: a tree with its nodes, a clip with its tracks, or a single track. To change a
 * part of a clip, use anim_get_clip, anim_write_clip, then copy the remaining tracks. Returns 0 or -1.
 */
ANIM_API int anim_copy_tree(struct anim_writer *, struct anim *, size_t tree, struct anim_fault *);
ANIM_API int anim_copy_clip(struct anim_writer *, struct anim *, size_t clip, struct anim_fault *);
ANIM_API int anim_copy_track(struct anim_writer *, struct anim *, size_t clip, size_t track, struct anim_fault *);

/* End the stream and give a file its name. Returns 0. On failure, returns -1 and removes the file. */
ANIM_API int anim_write_commit(struct anim_writer *, struct anim_fault *);
ANIM_API void anim_write_close(struct anim_writer *); /* removes a file that was not committed, NULL is allowed */

/* ---- Converting and filtering ---- */

enum anim_level { ANIM_LEVEL_NOTE, ANIM_LEVEL_WARNING, ANIM_LEVEL_FAULT };

/* A message, valid during the call of the function that gets it. */
struct anim_message_info {
	size_t size;
	enum anim_level level;
	const char *text;      /* the line that a program prints, without the name of the program */
	const char *file;      /* NULL: not about a file */
	const char *clip;      /* NULL: not about one clip */
	const char *subject;   /* the first track, node or other thing with the problem. NULL: unknown */
	unsigned line, column; /* in the file, from 1. 0: unknown */
	size_t count;          /* number of tracks, nodes or other things with the problem */
	double worst;          /* the largest error, in `unit` */
	const char *unit;      /* for example "degrees". NULL: no error is known */
};

/* An input of a conversion: a path, bytes, a handle or a descriptor. All are borrowed. */
struct anim_convert_source {
	size_t size;
	const char *path;
	const void *bytes;
	size_t byte_count;
	const char *name; /* of the bytes or the descriptor. Its suffix helps to detect the format. NULL: "input" */
	struct anim *handle;
	/* 1: it is not converted itself. Files in memory that refer to its name, and options with that value, find it. */
	int is_aside;
	int has_fd, fd; /* has_fd is 1: the descriptor is read from its position to its end, into memory */
};

/*
 * A conversion. `part` is for an output in memory of several files (NULL: it is one file). It is called at the end with each
 * further file, such as the .bin of a glTF file, or if `bytes` is NULL, with every file. If `name` is a pattern such as
 * "%c.animj", each clip becomes a file. The bytes are valid until the function returns.
 */
struct anim_conversion {
	size_t size;
	const struct anim_convert_source *sources; /* of equal sizes. Several become one file, as with anim convert */
	size_t source_count;
	const char *output; /* a path, or NULL */
	void **bytes;       /* memory instead of a path. Free it with anim_free */
	size_t *byte_count;
	const char *name; /* of the memory or the descriptor. Its suffix or the option "format" chooses the format */
	/* Options of anim-convert(1) by their long names, {"rate", "30"}. The value of a flag is NULL. */
	const struct anim_attribute *options;
	size_t option_count;
	/* May be NULL. progress is called while sources are read and worked on. It returns 0, or another number to cancel. */
	void (*message)(void *context, const struct anim_message_info *);
	int (*progress)(void *context, uint64_t read_bytes, uint64_t source_bytes);
	void *context;
	void (*part)(void *context, const char *name, const void *bytes, size_t byte_count);
	int has_fd, fd; /* has_fd is 1: the descriptor gets the output after everything else has succeeded */
};

/*
 * Convert like anim-convert(1), to the same bytes. Nothing is printed. An existing output is replaced only if everything
 * succeeds and the program would replace it. Of the files that bytes refer to, the buffers of glTF files are found among
 * the sources aside, and no others are read. Returns 0 or -1.
 */
ANIM_API int anim_convert(const struct anim_conversion *, struct anim_fault *);
ANIM_API void anim_free(void *bytes); /* NULL is allowed */

/*
 * Apply a filter of anim-filter(1) and its like: "axes", "bake", "delta", "filter", "mirror", "pin", "reduce", "rename",
 * "resample", "retarget", "retime" or "root". The options have the long names of its page. An option without a name
 * (NULL) is an operand, such as the target of "axes". Returns a new handle or NULL. The old one is unchanged. Messages of
 * the filter are lost.
 */
ANIM_API struct anim *anim_apply(struct anim *, const char *filter, const struct anim_attribute *options,
				 size_t option_count, struct anim_fault *);

#ifdef __cplusplus
}
#endif

#endif
