/* track.h: the model (value types, track, clip, tree, node) and its invariants. */
#ifndef ANIM_CLIP_TRACK_H
#define ANIM_CLIP_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* ---- The 40 value types: AnimX's table, which the stream shares ---- */

enum anim_type {
	ANIM_BOOL,
	ANIM_BOOL2,
	ANIM_BOOL3,
	ANIM_BOOL4,
	ANIM_BYTE,
	ANIM_USHORT,
	ANIM_UINT,
	ANIM_ULONG,
	ANIM_SBYTE,
	ANIM_SHORT,
	ANIM_INT,
	ANIM_LONG,
	ANIM_INT2,
	ANIM_INT3,
	ANIM_INT4,
	ANIM_UINT2,
	ANIM_UINT3,
	ANIM_UINT4,
	ANIM_LONG2,
	ANIM_LONG3,
	ANIM_LONG4,
	ANIM_FLOAT,
	ANIM_FLOAT2,
	ANIM_FLOAT3,
	ANIM_FLOAT4,
	ANIM_FLOATQ,
	ANIM_FLOAT2X2,
	ANIM_FLOAT3X3,
	ANIM_FLOAT4X4,
	ANIM_DOUBLE,
	ANIM_DOUBLE2,
	ANIM_DOUBLE3,
	ANIM_DOUBLE4,
	ANIM_DOUBLEQ,
	ANIM_DOUBLE2X2,
	ANIM_DOUBLE3X3,
	ANIM_DOUBLE4X4,
	ANIM_COLOR,
	ANIM_COLOR32,
	ANIM_STRING,
	ANIM_TYPE_COUNT
};

enum anim_scalar { /* what a component is made of */
		   ANIM_SCALAR_BOOL,
		   ANIM_SCALAR_U8,
		   ANIM_SCALAR_U16,
		   ANIM_SCALAR_U32,
		   ANIM_SCALAR_U64,
		   ANIM_SCALAR_I8,
		   ANIM_SCALAR_I16,
		   ANIM_SCALAR_I32,
		   ANIM_SCALAR_I64,
		   ANIM_SCALAR_F32,
		   ANIM_SCALAR_F64,
		   ANIM_SCALAR_TEXT
};

/*
 * One row a type. A value is `size` bytes: components x component_size, row-major for matrices, x y z w for quaternions. bool to
 * bool4 are ONE byte with component i in bit i (stored_components 1); a string has size 0, see struct anim_strings.
 */
struct anim_type_info {
	const char *name;
	uint8_t components, stored_components, component_size;
	uint8_t size;
	enum anim_scalar scalar;
	bool quaternion, matrix;
};

extern const struct anim_type_info anim_types[ANIM_TYPE_COUNT];

/* The type called `name` (as AnimX and AnimJ spell it), or -1. */
int anim_type_find(const char *name, size_t length);

/* The one-component type of a component of `type` (float3 -> float, floatQ -> float, bool4 -> bool, color32 -> byte). */
enum anim_type anim_type_of_component(enum anim_type type);

/* True for types made of float or double, color included. */
bool anim_type_is_real(enum anim_type type);

/* ---- Tracks, clips, trees, nodes ---- */

/* All numbers below are the stream's (anim-stream(5)). */
enum anim_kind { ANIM_RAW, ANIM_DISCRETE, ANIM_CURVE };
enum anim_rules {
	ANIM_RULES_PLAIN,
	ANIM_RULES_GODOT4,
	ANIM_RULES_GODOT3,
	ANIM_RULES_UNITY,
	ANIM_RULES_RESONITE,
	ANIM_RULES_COUNT
};
enum anim_extrapolation {
	ANIM_EXTRAPOLATION_HOLD,
	ANIM_EXTRAPOLATION_LOOP,
	ANIM_EXTRAPOLATION_PINGPONG,
	ANIM_EXTRAPOLATION_NONE,
	ANIM_EXTRAPOLATION_COUNT
};
enum anim_loop { ANIM_LOOP_NONE, ANIM_LOOP_WRAP, ANIM_LOOP_PINGPONG, ANIM_LOOP_COUNT };
enum anim_axes {
	ANIM_AXES_UNKNOWN,
	ANIM_AXES_GODOT,
	ANIM_AXES_UNITY,
	ANIM_AXES_RESONITE,
	ANIM_AXES_GLTF,
	ANIM_AXES_COUNT
};
enum anim_axes2d { ANIM_AXES2D_UNKNOWN, ANIM_AXES2D_GODOT, ANIM_AXES2D_UNITY, ANIM_AXES2D_COUNT };
enum anim_interp {
	ANIM_HOLD,
	ANIM_LINEAR,
	ANIM_TANGENT,
	ANIM_CUBIC_BEZIER,
	ANIM_HERMITE,
	ANIM_WEIGHTED,
	ANIM_BEZIER_2D,
	ANIM_CUBIC_TIME,
	ANIM_CUBIC_UNIFORM,
	ANIM_LINEAR_ANGLE,
	ANIM_CUBIC_ANGLE,
	ANIM_INTERP_COUNT,
	ANIM_INTERP_COLUMN = 255 /* each key its own: column `interps` */
};

/* Track flags. */
#define ANIM_LOOP_WRAP_KEYS 1u /* Godot's loop_wrap */
#define ANIM_REST_RELATIVE 2u
#define ANIM_DEGREES 4u
#define ANIM_PERCENT 8u
#define ANIM_UNSORTED 16u /* times unsorted or not finite */
#define ANIM_DISABLED 32u

/* Clip flags. */
#define ANIM_END_DERIVED 1u
#define ANIM_IN_TREE 2u

#define ANIM_WHOLE 255u /* `component` of a track that holds the whole value */

/* Attributes: keys unique and sorted by their bytes; NUL-terminated, UTF-8. */
struct anim_attr {
	const char *key, *value;
};
struct anim_attrs {
	const struct anim_attr *items;
	size_t count;
};

const char *anim_attrs_get(const struct anim_attrs *, const char *key); /* NULL where it is not there */

/* A copy in the arena with `key` set to `value` (both copied), or without it where value is NULL. 0 or -1. */
int anim_attrs_with(struct anim_attrs *out, const struct anim_attrs *in, const char *key, const char *value,
		    struct anim_arena *, struct anim_error *);

/* The strings of a track: n lengths (ANIM_NULL_STRING: null, no bytes), and where each begins in `bytes` (no NUL between). */
#define ANIM_NULL_STRING 0xFFFFFFFFu
struct anim_strings {
	const uint32_t *length;
	const uint64_t *start;
	const char *bytes;   /* never NULL, not even where all are empty */
	uint64_t bytes_size; /* of all */
};

struct anim_record; /* stream/record.h */

/* The columns of a track, by the stream's numbers; anim-stream(5) tells which stand with which kind and mode. */
enum anim_column {
	ANIM_COLUMN_TIME,
	ANIM_COLUMN_VALUE,
	ANIM_COLUMN_INTERP,
	ANIM_COLUMN_LEFT,
	ANIM_COLUMN_RIGHT,
	ANIM_COLUMN_LEFT_X,
	ANIM_COLUMN_RIGHT_X,
	ANIM_COLUMN_EASE,
	ANIM_COLUMN_WEIGHTED,
	ANIM_COLUMN_HINT,
	ANIM_COLUMN_OTHERS = 128 /* from here on: passed over */
};
#define ANIM_COLUMN_COUNT 10

/*
 * A track. Columns are NULL or hold n elements, borrowed from a record or an arena; column numbers are the stream's.
 * Raw: no time; sample k is at start_s + k*rate_den/rate_num, or start_s + k*step_s; both 0: interval unknown.
 * Discrete: time, value. Curve: time, value, and what its modes need.
 */
struct anim_track {
	enum anim_kind kind;
	enum anim_type type; /* of a component track: the component's own type */
	enum anim_rules rules;
	const char *node, *property;
	uint8_t component, pre, post, interp;
	unsigned flags;
	size_t n;
	double start_s, step_s;
	uint32_t rate_num, rate_den;
	union {
		const void *column[ANIM_COLUMN_COUNT]; /* the same by number, for what is done to all of them alike */
		struct {
			const float *time;
			const void *value;             /* NULL for strings */
			const uint8_t *interps;        /* where interp is ANIM_INTERP_COLUMN */
			const void *left, *right;      /* value type */
			const float *left_x, *right_x; /* components as the value */
			const float *ease;
			const uint8_t *weighted;
			const uint32_t *hint;
		};
	};
	const struct anim_strings *strings; /* the values of string tracks */
	struct anim_attrs attrs;
	/* Set while unchanged: a stream writer copies its bytes. Clear it when you change anything. */
	const struct anim_record *record;
};

struct anim_clip {
	float start_s, end_s;
	uint8_t loop, axes, axes2d, flags;
	uint32_t rate_num, rate_den; /* 0, 0: none */
	const char *name, *root, *source;
	struct anim_attrs attrs;
	const struct anim_record *record;
};

struct anim_tree {
	uint8_t axes, axes2d;
	const char *root_name, *source_file;
	struct anim_attrs attrs;
	const struct anim_record *record;
};

enum anim_node_kind {
	ANIM_NODE,
	ANIM_NODE_BONE,
	ANIM_NODE_CAMERA,
	ANIM_NODE_LIGHT,
	ANIM_NODE_MESH,
	ANIM_NODE_KIND_COUNT
};
#define ANIM_HAS_POSITION 1u
#define ANIM_HAS_ROTATION 2u
#define ANIM_HAS_SCALE 4u
#define ANIM_HAS_2D 8u
#define ANIM_NO_PARENT 0xFFFFFFFFu

struct anim_node {
	uint8_t kind, has;
	uint32_t parent; /* number among the tree's nodes, smaller than its own; ANIM_NO_PARENT in the first */
	float position[3], rotation[4], scale[3];
	const char *path, *type;
	struct anim_attrs attrs;
	const struct anim_record *record;
};

/*
 * The invariants of anim-stream(5), which reader and writer both hold: enum ranges, which columns stand with which kind and
 * mode, which modes go with which type, finite sorted times, bool bits, sorted attributes, names' UTF-8 and length, Raw's
 * numbers. 0, or -1 with ANIM_BAD_INPUT and a message that names the field.
 */
int anim_track_validate(const struct anim_track *, struct anim_error *);
int anim_clip_validate(const struct anim_clip *, bool tree_before, struct anim_error *);
int anim_tree_validate(const struct anim_tree *, struct anim_error *);
int anim_node_validate(const struct anim_node *, uint32_t number, struct anim_error *);

/* Puts a copy in the arena in the text's (an absent one becomes empty) or the attributes' place. 0 or -1. */
int anim_text_keep(const char **text, struct anim_arena *, struct anim_error *);
int anim_attrs_keep(struct anim_attrs *, struct anim_arena *, struct anim_error *);

/* Copies with all texts in the arena, ->record cleared; for heads that must outlive the call that brought them. 0 or -1. */
int anim_clip_copy(struct anim_clip *out, const struct anim_clip *, struct anim_arena *, struct anim_error *);
int anim_tree_copy(struct anim_tree *out, const struct anim_tree *, struct anim_arena *, struct anim_error *);
int anim_node_copy(struct anim_node *out, const struct anim_node *, struct anim_arena *, struct anim_error *);

/*
 * The path in the tree of a track's node: `node` seen from the clip's `root` ("." in either is the root itself, "A/.." is
 * undone, a leading "/" is dropped, ".:Hips" is a bone of the root). NULL where it leaves the tree or there is no memory.
 */
char *anim_tree_path(const char *root, const char *node, struct anim_arena *, struct anim_error *);
/* The way back: what a track of a clip under `root` calls the node of that path. Of the path or in the arena; NULL out of memory. */
const char *anim_tree_name(const char *root, const char *path, struct anim_arena *, struct anim_error *);

/* The time of key or sample k, in seconds on the clip's axis; NaN for a Raw track of unknown interval. */
double anim_track_time(const struct anim_track *, size_t k);
/* Those of all its keys or samples. */
void anim_track_times(const struct anim_track *, double *times);

/* The seconds from one sample of a Raw track to the next; 0: unknown. */
double anim_track_step(const struct anim_track *);

/* The mode of the segment that key k opens. */
enum anim_interp anim_track_interp(const struct anim_track *, size_t k);

/*
 * False for a field of a Unity component that is only called as the model calls a part of a transform ("position"): its
 * attribute unity.class is neither Transform's (4) nor RectTransform's (224).
 */
bool anim_track_is_transform(const struct anim_track *);

/* The attribute of tracks that tell where their nodes are in the space that the tree stands in, and its value. */
#define ANIM_ATTR_SPACE "space"
#define ANIM_SPACE_ROOT "root"
/* Such a track, as anim-bake --world makes them: no node above moves it, and the rest below a parent is not its own. */
bool anim_track_is_placed(const struct anim_track *);

/*
 * True for angles of motion capture (Raw `euler` with the attribute bvh.channels): they jump where they wrap and flip, so that
 * between two samples the rotation turns the short way from one to the other, whatever its angles do.
 */
bool anim_track_is_turned(const struct anim_track *);

/* What stands behind the last '/' or ':' of a node's path: "Hips" of "A/Skeleton3D:Hips". Points into it. */
const char *anim_node_own_name(const char *path);

/*
 * True where two paths end in one name: own names are the same, or all behind the last '/' is but for a ':' that is a '_' in the
 * other, as Godot spells "mixamorig:Hips", below a skeleton or not.
 */
bool anim_node_same_name(const char *a, const char *b);

/*
 * What a ':' in a node's path is. Godot parts a bone from its skeleton by it, and its names have no other: in clips of its own
 * (source "godot...", or none) all behind the first ':' is a bone. In clips of other engines a ':' is a letter of a name
 * ("mixamorig:Hips"), but for the first one behind the last '/' where what stands before it is called as Godot calls
 * skeletons of itself ("Skeleton3D", "%Name"), or where `told` (attribute godot.bone of the track). The bone's name, "Hips"
 * of "A/Skeleton3D:Hips", points into `node`; NULL: it is none of a skeleton.
 */
const char *anim_bone_name(const char *source, const char *node, bool told);
/* True where the track itself tells that its node is a bone of a skeleton: attribute godot.bone. */
bool anim_track_is_bone(const struct anim_track *);
/* The name of the bone that the track moves; NULL: none. source: the clip's. */
const char *anim_track_bone(const char *source, const struct anim_track *);
/*
 * The same of a NODE, which no source is needed for: its parent (a path, "" of none) is the skeleton that stands before the
 * ':', or another bone of it; of a node whose name has a ':' it is what stands before the last '/'.
 */
const char *anim_node_bone(const char *path, const char *parent);

/* True where any key has this mode. */
bool anim_track_has_interp(const struct anim_track *, enum anim_interp);

bool anim_interp_is_cubic(enum anim_interp); /* by its neighbours: those of Godot */
bool anim_rules_are_godot(enum anim_rules);  /* 3 or 4 */

/* The source file's base name: the clip's own, or that of its TREE (NULL: none); "" where neither is known. Borrowed. */
const char *anim_clip_file(const struct anim_clip *, const char *tree_file);

/* "position.x", "Skeleton3D:Hips position": property and component as people read them; snprintf's return. */
size_t anim_track_label(const struct anim_track *, char *out, size_t capacity);
/* The name of component `component` of a property: x y z w, r g b a for colours, else its number. */
const char *anim_component_name(const char *property, unsigned component);

/* The names of the enums above, as anim-dump prints them; those of the flags from bit 0 on. */
#define ANIM_TRACK_FLAG_COUNT 6
#define ANIM_CLIP_FLAG_COUNT 2
#define ANIM_NODE_HAS_COUNT 4
extern const char *const anim_kind_names[];
extern const char *const anim_rules_names[];
extern const char *const anim_extrapolation_names[];
extern const char *const anim_loop_names[]; /* NULL behind the last */
extern const char *const anim_axes_names[];
extern const char *const anim_axes2d_names[];
extern const char *const anim_interp_names[];
extern const char *const anim_node_kind_names[];
extern const char *const anim_track_flag_names[ANIM_TRACK_FLAG_COUNT];
extern const char *const anim_clip_flag_names[ANIM_CLIP_FLAG_COUNT];
extern const char *const anim_node_has_names[ANIM_NODE_HAS_COUNT];

/* ---- The invariants, told with the field that breaks them, so that a decoder can name its place ---- */

/* Fields of all records; those of columns come last, ANIM_FIELD_COLUMN + id. */
enum anim_field {
	ANIM_FIELD_RECORD, /* no single field: several that do not go together */
	ANIM_FIELD_KIND,
	ANIM_FIELD_TYPE,
	ANIM_FIELD_NODE,
	ANIM_FIELD_PROPERTY,
	ANIM_FIELD_KEYS,
	ANIM_FIELD_COMPONENT,
	ANIM_FIELD_RULES,
	ANIM_FIELD_FLAGS,
	ANIM_FIELD_PRE,
	ANIM_FIELD_POST,
	ANIM_FIELD_INTERP,
	ANIM_FIELD_ATTRS,
	ANIM_FIELD_START,
	ANIM_FIELD_STEP,
	ANIM_FIELD_RATE,
	ANIM_FIELD_END,
	ANIM_FIELD_LOOP,
	ANIM_FIELD_AXES,
	ANIM_FIELD_AXES2D,
	ANIM_FIELD_NAME,
	ANIM_FIELD_ROOT,
	ANIM_FIELD_SOURCE,
	ANIM_FIELD_PARENT,
	ANIM_FIELD_TRANSFORM,
	ANIM_FIELD_COLUMN
};

#define ANIM_FIELD_COUNT (ANIM_FIELD_COLUMN + ANIM_COLUMN_COUNT)

/* Names of columns 0 to 9, as anim-dump prints them. */
extern const char *const anim_column_names[ANIM_COLUMN_COUNT];

/*
 * Each returns 0, or -1 with ANIM_BAD_INPUT, a message, and *field set. The head of a track is all but its columns;
 * columns: bit i of `present` says that column i stands (with n = 0 a column may stand without elements). Columns are
 * only looked at after the head was found right.
 */
int anim_track_check_head(const struct anim_track *, enum anim_field *field, struct anim_error *);
int anim_track_check_columns(const struct anim_track *, unsigned present, enum anim_field *field, struct anim_error *);
int anim_clip_check(const struct anim_clip *, bool tree_before, enum anim_field *field, struct anim_error *);
int anim_tree_check(const struct anim_tree *, enum anim_field *field, struct anim_error *);
int anim_node_check(const struct anim_node *, uint32_t number, enum anim_field *field, struct anim_error *);

/* True where all are finite and none is smaller than the one before it: no ANIM_UNSORTED is needed. */
bool anim_times_are_sorted(const float *time, size_t n);

/* Bits of the columns that a track has (pointers set), with n = 0 also those that it must have. */
unsigned anim_track_columns(const struct anim_track *);

#endif
