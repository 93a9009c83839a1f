/* track.h: the model (value types, track, clip, tree, node) and its invariants. */
#ifndef ANIM_CLIP_TRACK_H
#define ANIM_CLIP_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* ---- The 40 value types: the table of AnimX, which the stream shares ---- */

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

/* The type of a component. */
enum anim_scalar {
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
 * One row per type. A value has `size` bytes: components x component_size, row-major for matrices, x y z w for
 * quaternions. bool to bool4 are ONE byte with component i in bit i (stored_components 1). A string has size 0, see
 * struct anim_strings.
 */
struct anim_type_info {
	const char *name;
	uint8_t components, stored_components, component_size;
	uint8_t size;
	enum anim_scalar scalar;
	bool quaternion, matrix;
};

extern const struct anim_type_info anim_types[ANIM_TYPE_COUNT];

/* Return the type called `name` (spelled as in AnimX and AnimJ), or -1. */
int anim_type_find(const char *name, size_t length);

/*
 * Return the one-component type of a component of `type` (float3 -> float, floatQ -> float, bool4 -> bool, color32 ->
 * byte).
 */
enum anim_type anim_type_of_component(enum anim_type type);

/* Return true for types made of float or double, including color. */
bool anim_type_is_real(enum anim_type type);

/* ---- Tracks, clips, trees, nodes ---- */

/* The numbers of all enums below are those of the stream (anim-stream(5)). */
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
	ANIM_INTERP_COLUMN = 255 /* each key has its own: column `interps` */
};

/* Track flags. */
#define ANIM_LOOP_WRAP_KEYS 1u /* Godot's loop_wrap */
#define ANIM_REST_RELATIVE 2u
#define ANIM_DEGREES 4u
#define ANIM_PERCENT 8u
#define ANIM_UNSORTED 16u /* times unsorted or not finite */
#define ANIM_DISABLED 32u
/* Raw: a last sample after the clip's end is the value at the end. In a stream this is an attribute, not a flag. */
#define ANIM_LAST_AT_END 64u
#define ANIM_LAST_AT_END_KEY "last_at_end"

/* Clip flags. */
#define ANIM_END_DERIVED 1u
#define ANIM_IN_TREE 2u

#define ANIM_WHOLE 255u /* `component` of a track that holds all components */

/* Attributes. Keys are unique and sorted by their bytes. Texts are NUL-terminated UTF-8. */
struct anim_attr {
	const char *key, *value;
};
struct anim_attrs {
	const struct anim_attr *items;
	size_t count;
};

const char *anim_attrs_get(const struct anim_attrs *, const char *key); /* NULL if it does not exist */

/* Return whether the attribute exists and has a line with this text, which ends with a line end. */
bool anim_attrs_list(const struct anim_attrs *, const char *key, const char *line);

/*
 * Copy attributes to the arena with `key` set to `value` (both copied), or without it if value is NULL. Returns 0 or
 * -1.
 */
int anim_attrs_with(struct anim_attrs *out, const struct anim_attrs *in, const char *key, const char *value,
		    struct anim_arena *, struct anim_error *);

/*
 * The strings of a track: n lengths (ANIM_NULL_STRING: null, no bytes), and the start of each in `bytes` (no NUL
 * between).
 */
#define ANIM_NULL_STRING 0xFFFFFFFFu
struct anim_strings {
	const uint32_t *length;
	const uint64_t *start;
	const char *bytes;   /* never NULL, even if all are empty */
	uint64_t bytes_size; /* of all */
};

struct anim_record; /* stream/record.h */

/* The columns of a track, by the numbers of the stream. anim-stream(5) lists the columns of each kind and mode. */
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
	ANIM_COLUMN_OTHERS = 128 /* columns from here on are ignored */
};
#define ANIM_COLUMN_COUNT 10

/*
 * A track. Columns are NULL or hold n elements, borrowed from a record or an arena. Column numbers are those of the
 * stream. Raw: no time; sample k is at start_s + k*rate_den/rate_num, or start_s + k*step_s; if both are 0, the
 * interval is unknown. Discrete: time, value. Curve: time, value, and the columns that its modes need.
 */
struct anim_track {
	enum anim_kind kind;
	enum anim_type type; /* for a component track: the type of the component */
	enum anim_rules rules;
	const char *node, *property;
	uint8_t component, pre, post, interp;
	unsigned flags;
	size_t n;
	double start_s, step_s;
	uint32_t rate_num, rate_den;
	union {
		/* the same by number, for code that handles all of them alike */
		const void *column[ANIM_COLUMN_COUNT];
		struct {
			const float *time;
			const void *value;             /* NULL for strings */
			const uint8_t *interps;        /* if interp is ANIM_INTERP_COLUMN */
			const void *left, *right;      /* of the value type */
			const float *left_x, *right_x; /* the same components as the value */
			const float *ease;
			const uint8_t *weighted;
			const uint32_t *hint;
		};
	};
	const struct anim_strings *strings; /* the values of string tracks */
	struct anim_attrs attrs;
	/* Set while unchanged, so that a stream writer copies its bytes. Clear it when you change anything. */
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
	uint32_t parent; /* number of an earlier node of the tree; ANIM_NO_PARENT for the first node */
	float position[3], rotation[4], scale[3];
	const char *path, *type;
	struct anim_attrs attrs;
	const struct anim_record *record;
};

/*
 * Check the invariants of anim-stream(5), which reader and writer both keep: enum ranges, the columns of each kind
 * and mode, the modes of each type, finite sorted times, bool bits, sorted attributes, the UTF-8 and length of names,
 * the numbers of Raw tracks. Returns 0, or -1 with ANIM_BAD_INPUT and a message that names the field.
 */
int anim_track_validate(const struct anim_track *, struct anim_error *);
int anim_clip_validate(const struct anim_clip *, bool tree_before, struct anim_error *);
int anim_tree_validate(const struct anim_tree *, struct anim_error *);
int anim_node_validate(const struct anim_node *, uint32_t number, struct anim_error *);

/* Replace the text (NULL becomes empty) or the attributes with a copy in the arena. Returns 0 or -1. */
int anim_text_keep(const char **text, struct anim_arena *, struct anim_error *);
int anim_attrs_keep(struct anim_attrs *, struct anim_arena *, struct anim_error *);

/*
 * Copy a head that must outlive the call that passed it. All texts are in the arena, ->record is cleared. Returns 0
 * or -1.
 */
int anim_clip_copy(struct anim_clip *out, const struct anim_clip *, struct anim_arena *, struct anim_error *);
int anim_tree_copy(struct anim_tree *out, const struct anim_tree *, struct anim_arena *, struct anim_error *);
int anim_node_copy(struct anim_node *out, const struct anim_node *, struct anim_arena *, struct anim_error *);

/*
 * Return the path in the tree of a track's node: `node` relative to the `root` of the clip. "." in either is the root
 * itself, "A/.." is resolved, a leading "/" is dropped, ".:Hips" is a bone of the root. Returns NULL if the path
 * leaves the tree or if out of memory.
 */
char *anim_tree_path(const char *root, const char *node, struct anim_arena *, struct anim_error *);
/* The same, with NULL in *path if the path leaves the tree. Returns 0, or -1 if out of memory. */
int anim_tree_path_find(const char *root, const char *node, const char **path, struct anim_arena *,
			struct anim_error *);
/*
 * Return the name that a track of a clip with this `root` uses for the node of this path. Points into the path or the
 * arena. NULL if out of memory.
 */
const char *anim_tree_name(const char *root, const char *path, struct anim_arena *, struct anim_error *);

/*
 * Return the time of key or sample k, in seconds on the time axis of the clip. NaN for a Raw track of unknown
 * interval.
 */
double anim_track_time(const struct anim_track *, size_t k);
/* The same, but a last sample that has the value at the end of the clip (ANIM_LAST_AT_END) counts at that end. */
double anim_track_shown_s(const struct anim_track *, size_t k, const struct anim_clip *);
/* Get the times of all keys or samples. */
void anim_track_times(const struct anim_track *, double *times);

/* Return the seconds from one sample of a Raw track to the next; 0: unknown. */
double anim_track_step(const struct anim_track *);

/* Return the mode of the segment that begins at key k. */
enum anim_interp anim_track_interp(const struct anim_track *, size_t k);

/*
 * Return false for a field of a Unity component that only has the name of a part of a transform in the model
 * ("position"): its attribute unity.class is neither Transform (4) nor RectTransform (224).
 */
bool anim_track_is_transform(const struct anim_track *);

/* Return true for angles: "euler", and "angle" of nodes in two dimensions. */
bool anim_property_is_angle(const char *property);

/* Return a full turn in the unit of the track if its values are angles, otherwise 0. */
double anim_track_full_turn(const struct anim_track *);

/* Return true if the track is the visibility of a node and never hides it, so that a player shows the same without the track. */
bool anim_track_only_shows(const struct anim_track *);

/* Return true if the track is a blend shape or an expression: a weight, which needs no node. */
bool anim_track_is_shape(const struct anim_track *);

/* Return true if the track is a blend shape or an expression that is always 0. */
bool anim_track_is_unset(const struct anim_track *);

/* The attribute of tracks with the placement of their nodes in the space of the tree, and its value. */
#define ANIM_ATTR_SPACE "space"
#define ANIM_SPACE_ROOT "root"
/*
 * Return whether it is such a track, as made by anim-bake --world. Parents do not move its node, and the node's rest
 * pose below a parent does not apply.
 */
bool anim_track_is_placed(const struct anim_track *);

/*
 * Return true for angles of motion capture (Raw `euler` with the attribute bvh.channels). They jump when they wrap
 * and flip. Between two samples the rotation takes the shorter arc, whatever its angles do.
 */
bool anim_track_is_captured(const struct anim_track *);

/* Return the part of a node's path after the last '/' or ':': "Hips" of "A/Skeleton3D:Hips". Points into it. */
const char *anim_node_own_name(const char *path);

/*
 * Return true if two paths end in the same name. Either the parts after the last '/' or ':' are equal, or the parts
 * after the last '/' are equal in Godot's spelling, which has "mixamorig_Hips" for "mixamorig:Hips" and "Foot_L" for
 * "Foot.L", below a skeleton or not.
 */
bool anim_node_same_name(const char *a, const char *b);

/*
 * Return the bone's name, "Hips" of "A/Skeleton3D:Hips", which points into `node`, or NULL if it is not a bone of a
 * skeleton. In Godot a ':' separates a bone from its skeleton, and names contain no ':'. So in Godot clips (source
 * "godot...", or none), everything after the first ':' is a bone. In clips of other engines a ':' is a character of a
 * name ("mixamorig:Hips"). The exception is the first ':' after the last '/', if the part before it is a default name
 * of a Godot skeleton ("Skeleton3D", "%Name"), or if `is_bone` (the track has the attribute godot.bone).
 */
const char *anim_bone_name(const char *source, const char *node, bool is_bone);
/* Return true if the track itself says that its node is a bone of a skeleton: attribute godot.bone. */
bool anim_track_is_bone(const struct anim_track *);
/* Return the name of the bone that the track moves, or NULL. source: of the clip. */
const char *anim_track_bone(const char *source, const struct anim_track *);
/*
 * The same for a NODE, without a source. The parent of a bone (a path, "" for none) is the skeleton before the ':',
 * or another bone of it. The parent of another node whose name contains a ':' is the part before the last '/'.
 */
const char *anim_node_bone(const char *path, const char *parent);

/* Return true if any key has this mode. */
bool anim_track_has_interp(const struct anim_track *, enum anim_interp);

bool anim_interp_is_cubic(enum anim_interp);   /* Godot's modes that use neighbouring keys */
bool anim_rules_are_godot(enum anim_rules);    /* 3 or 4 */
bool anim_source_is_godot(const char *source); /* of a clip: any version */

/* The attribute of a clip that is called after its file: the name that it has in the file. */
#define ANIM_ATTR_OLD_NAME "old_name"

/* The attribute of a renamed clip that a controller may play: the name that it has in its file. */
#define ANIM_ATTR_FIRST_NAME "first_name"

/*
 * The attribute of a node that is a RectTransform of Unity: x and y of its m_AnchorMin, m_AnchorMax, m_AnchoredPosition,
 * m_SizeDelta and m_Pivot, with blanks between the numbers.
 */
#define ANIM_ATTR_RECT "unity.rect"

/* The attribute of a clip that is made of a state of a controller: the name of the state. */
#define ANIM_ATTR_STATE "state"

/* The attribute of a clip of an AnimationLibrary in a file of its own: "true". */
#define ANIM_ATTR_GODOT_LIBRARY "godot.library"

/*
 * Return the base name of the source file: of the clip itself, or of its TREE (NULL: none); "" if neither is known.
 * Borrowed.
 */
const char *anim_clip_file(const struct anim_clip *, const char *tree_file);

/*
 * Print the property and component as people read them: "position.x", "Skeleton3D:Hips position". Returns the same as
 * snprintf.
 */
size_t anim_track_label(const struct anim_track *, char *out, size_t capacity);
/* Return the name of component `component` of a property: x y z w, r g b a for colours, otherwise its number. */
const char *anim_component_name(const char *property, unsigned component);

/* The names of the enums above, as anim-dump prints them. The names of flags begin with bit 0. */
#define ANIM_TRACK_FLAG_COUNT 7
#define ANIM_CLIP_FLAG_COUNT 2
#define ANIM_NODE_HAS_COUNT 4
extern const char *const anim_kind_names[];
extern const char *const anim_rules_names[];
extern const char *const anim_extrapolation_names[];
extern const char *const anim_loop_names[]; /* terminated by NULL */
extern const char *const anim_axes_names[];
extern const char *const anim_axes2d_names[];
extern const char *const anim_interp_names[];
extern const char *const anim_node_kind_names[];
extern const char *const anim_track_flag_names[ANIM_TRACK_FLAG_COUNT];
extern const char *const anim_clip_flag_names[ANIM_CLIP_FLAG_COUNT];
extern const char *const anim_node_has_names[ANIM_NODE_HAS_COUNT];

/* ---- The invariants, with the field that violates them, so that a decoder can find its position ---- */

/* Fields of all records. The fields of columns come last: ANIM_FIELD_COLUMN + id. */
enum anim_field {
	ANIM_FIELD_RECORD, /* no single field: several that contradict each other */
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
 * Check a record. Return 0, or -1 with ANIM_BAD_INPUT, a message, and *field set. The head of a track is everything
 * except its columns. Columns: bit i of `present` says that column i is present (with n = 0 a present column may have
 * no elements). Call anim_track_check_columns only after the head was valid.
 */
int anim_track_check_head(const struct anim_track *, enum anim_field *field, struct anim_error *);
int anim_track_check_columns(const struct anim_track *, unsigned present, enum anim_field *field, struct anim_error *);
int anim_clip_check(const struct anim_clip *, bool tree_before, enum anim_field *field, struct anim_error *);
int anim_tree_check(const struct anim_tree *, enum anim_field *field, struct anim_error *);
int anim_node_check(const struct anim_node *, uint32_t number, enum anim_field *field, struct anim_error *);

/*
 * Return true if all times are finite and none is smaller than the previous one, so that ANIM_UNSORTED is not needed.
 */
bool anim_times_are_sorted(const float *time, size_t n);

/* Return the bits of the columns that a track has (pointers set), and with n = 0 also of those that it must have. */
unsigned anim_track_columns(const struct anim_track *);

#endif
