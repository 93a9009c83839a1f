/* rename.h: other names for nodes, properties and clips. */
#ifndef ANIM_FILTER_RENAME_H
#define ANIM_FILTER_RENAME_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/input.h"
#include "base/map.h"
#include "base/output.h"
#include "clip/diagnostics.h"
#include "clip/face.h"
#include "clip/sink.h"

/* --- Expressions s/ERE/TEXT/, as in sed, on names --- */

struct anim_expression_part;

/* A parsed expression. All-zero is empty. Clear it after parsing. */
struct anim_expression {
	regex_t regex;
	bool compiled, all; /* all: flag g */
	struct anim_expression_part *parts;
	size_t part_count;
	struct anim_arena arena;
};

/*
 * Parse "s/ERE/TEXT/flags". The delimiter may be any ASCII byte except a letter, a digit, a blank or '\'. ERE is an
 * extended regular expression of regcomp. In TEXT, \1 to \9 are the groups and & is the whole match. A '\' before any
 * other byte except letters and digits gives that byte. The flags are g (every match) and i (ignore case).
 * Returns 0, or -1 with a message.
 */
int anim_expression_parse(struct anim_expression *, const char *text, struct anim_error *);
void anim_expression_clear(struct anim_expression *);

/*
 * Apply the expression. Returns 1 if it matched: `out` is then the new name, with a NUL. Returns 0 if it did not match
 * and leaves `out` unchanged. Returns -1 on error.
 */
int anim_expression_apply(const struct anim_expression *, const char *name, struct anim_buffer *out,
			  struct anim_error *);

/* Return whether the expression leaves a match in a name of the path after the first one, as it has no flag g. -1 on error. */
int anim_expression_matches_later(const struct anim_expression *, const char *path, struct anim_error *);

/* --- A map from old to new names, read from CSV files --- */

/* All-zero is empty. */
struct anim_rename_map {
	struct anim_map numbers; /* name -> number of its row */
	struct anim_buffer rows; /* old and new names, and whether each row was used */
	struct anim_arena arena;
	size_t longest; /* bytes of the longest name */
};

/*
 * Read "from,to" lines (RFC 4180: fields in double quotes may contain commas, line feeds and doubled quotes). Lines end
 * with LF or CRLF. A first line "from,to" or "old,new" is a heading. Empty lines are skipped. Names are compared byte
 * by byte. May be called for several files. Returns 0, or -1 with the place if a line does not have two fields, a field
 * is empty, or a name has two different new names.
 */
int anim_rename_map_read(struct anim_rename_map *, struct anim_input *, struct anim_error *);
void anim_rename_map_clear(struct anim_rename_map *);

/* Return the new name, or NULL if the map has no row for the name. Marks the row as used. */
const char *anim_rename_map_get(struct anim_rename_map *, const char *name, size_t length);

/*
 * Like anim_rename_map_get, for a path and the rows that contain a '/' ("./A" matches only a node A directly below the
 * root).
 */
const char *anim_rename_map_get_path(struct anim_rename_map *, const char *path, size_t length);

/* Write a note about the rows that were not used. Returns 0 or -1. */
int anim_rename_map_report(const struct anim_rename_map *, struct anim_diagnostics *, struct anim_error *);

/* --- Paths by their CRC-32, the only form that Unity players keep --- */

/* All-zero is empty. */
struct anim_crc_names {
	struct anim_map by_crc;   /* the four bytes of a CRC -> number of its path */
	struct anim_buffer paths; /* const char * */
	struct anim_buffer
	    nodes; /* const char *: the path of each NODE of the current tree. Bones are below their parents. */
	struct anim_arena arena;
};

/*
 * Add a path and all its ends that begin after a '/', because the animation's root may be at any of these nodes. If
 * several paths have the same CRC, the first one is kept. Returns 0 or -1.
 */
int anim_crc_names_add(struct anim_crc_names *, const char *path, struct anim_error *);

/* Add each line of a text as a path. Returns 0 or -1. */
int anim_crc_names_read(struct anim_crc_names *, struct anim_input *, struct anim_error *);

/*
 * Return a sink that adds the paths of all incoming nodes and tracks to the names (borrowed). Returns NULL on failure.
 */
struct anim_sink *anim_crc_names_sink_new(struct anim_crc_names *, struct anim_error *);

/*
 * Return whether the node is a CRC: a decimal number of 32 bits, alone or after "path_", which asset rippers write.
 * Sets *path to the path with that CRC, to "." for the CRC of the empty path, or to NULL if the CRC is unknown.
 */
bool anim_crc_names_find(const struct anim_crc_names *, const char *node, const char **path);

void anim_crc_names_clear(struct anim_crc_names *);

/* --- Names of human bones in engines, VRM and motion capture --- */

enum anim_humanoid {
	ANIM_HUMANOID_UNITY,  /* HumanBodyBones: LeftUpperArm */
	ANIM_HUMANOID_GODOT,  /* SkeletonProfileHumanoid: the same except for the thumb */
	ANIM_HUMANOID_MIXAMO, /* mixamorig:LeftArm */
	ANIM_HUMANOID_VRM,    /* VRM 1.0: leftUpperArm */
	ANIM_HUMANOID_VRM0,   /* VRM 0.x: the same except for the thumb */
	ANIM_HUMANOID_CMU,    /* Carnegie Mellon's BVH: LowerBack, LeftArm */
	ANIM_HUMANOID_ROKOKO, /* Rokoko's Newton: LeftThigh */
	ANIM_HUMANOID_NEURON, /* Perception Neuron: Mixamo names without the prefix */
	ANIM_HUMANOID_SMPL,   /* SMPL, SMPL-H and SMPL-X: left_shoulder */
	ANIM_HUMANOID_MMD,    /* MikuMikuDance: 左腕 */
	ANIM_HUMANOID_COUNT,
	ANIM_HUMANOID_AUTO =
	    ANIM_HUMANOID_COUNT /* only as `from`: the bones are found in the tree, as anim-retarget does */
};

/* Names of the namings in lower case, with NULL at the end. */
extern const char *const anim_humanoid_names[];

/*
 * Return the name in `to` of the bone that `from` calls `name`. Returns NULL if `name` is not such a bone or if `to`
 * does not have it. Names must match exactly, with two exceptions. Mixamo names may have a prefix such as "mixamorig:",
 * "mixamorig_" or "mixamorig1:", or none. All other names may contain blanks ("Left Thumb Proximal").
 */
const char *anim_humanoid_find(enum anim_humanoid from, enum anim_humanoid to, const char *name, size_t length);

/*
 * Human bones, parents before children. Of each pair, only the left bone has a constant. The right bone is the next
 * number.
 */
enum anim_human_bone {
	ANIM_BONE_HIPS,
	ANIM_BONE_SPINE,
	ANIM_BONE_CHEST,
	ANIM_BONE_UPPER_CHEST,
	ANIM_BONE_NECK,
	ANIM_BONE_HEAD,
	ANIM_BONE_JAW,
	ANIM_BONE_EYE,
	ANIM_BONE_SHOULDER = ANIM_BONE_EYE + 2,
	ANIM_BONE_UPPER_ARM = ANIM_BONE_SHOULDER + 2,
	ANIM_BONE_LOWER_ARM = ANIM_BONE_UPPER_ARM + 2,
	ANIM_BONE_HAND = ANIM_BONE_LOWER_ARM + 2,
	ANIM_BONE_UPPER_LEG = ANIM_BONE_HAND + 2,
	ANIM_BONE_LOWER_LEG = ANIM_BONE_UPPER_LEG + 2,
	ANIM_BONE_FOOT = ANIM_BONE_LOWER_LEG + 2,
	ANIM_BONE_TOES = ANIM_BONE_FOOT + 2,
	ANIM_BONE_FINGERS = ANIM_BONE_TOES + 2, /* five fingers of three bones each, thumb first */
	ANIM_HUMAN_BONES = ANIM_BONE_FINGERS + 30
};

/* Return Unity's name of the bone. */
const char *anim_human_bone_name(enum anim_human_bone);
enum anim_human_bone anim_human_bone_find(const char *name); /* ANIM_HUMAN_BONES: none has it */

/*
 * Return the bones of a part of a human, as bits 1 << bone, or 0 if the word is not a part: head, spine, hips, arms, hands, fingers,
 * legs, feet, face, upper-body or lower-body, or one side of a pair, as in left-arm. Arms and hands include fingers.
 */
uint64_t anim_human_part(const char *word);
#define ANIM_HUMAN_PARTS "head, spine, hips, arms, hands, fingers, legs, feet, face, upper-body, lower-body, left-arm"

/* Return the bone's name in a naming, or NULL if the naming lacks it. */
const char *anim_humanoid_name(enum anim_human_bone, enum anim_humanoid);

/* A name in lower case, without its side and without separators between words. */
struct anim_plain_name {
	char text[64];
	size_t length;
	uint64_t begins; /* bit i: a word begins at text[i] */
	char side;       /* 'l', 'r', or 0 if the name has no side */
};

/*
 * Convert a name to plain form: "Bip01 L UpperArm" becomes "bip01upperarm", 'l'. Returns false if nothing is left or
 * the rest is too long.
 */
bool anim_plain_name(struct anim_plain_name *, const char *name);

/*
 * The bone that a name means. An ambiguous name has two candidates, the upper bone first. The children decide between
 * them.
 */
struct anim_bone_guess {
	enum anim_human_bone bones[2];
	bool doubtful; /* there are two candidates */
	bool lower;    /* choose the second candidate if nothing decides */
};

/*
 * Find the bone that the name from text[skip] on (after a prefix) means in any naming. Returns false if it means none.
 */
bool anim_bone_guess(struct anim_bone_guess *, const struct anim_plain_name *, size_t skip);

/* Find the bone that a name means, skipping as few words at its start as possible. Returns false if it means none. */
bool anim_bone_of_name(struct anim_bone_guess *, const char *name);

/* --- Names of the shapes of a face --- */

/*
 * Create a filter that writes to `next` (owned, also freed on failure). It renames blend shapes and expressions from one
 * naming of a face to another. Expressions are tracks of the root, so a blend shape that becomes one moves to ".". A
 * shape without an exact counterpart keeps its name, with a warning. Returns NULL on failure.
 */
struct anim_sink *anim_rename_face_new(enum anim_face_naming from, enum anim_face_naming to, struct anim_diagnostics *,
				       struct anim_sink *next, struct anim_error *);

/* --- New names for nodes, properties and clips --- */

/* The names to which expressions and the map are applied. */
enum anim_rename_on {
	ANIM_RENAME_NODE,     /* the complete path of a node */
	ANIM_RENAME_NAME,     /* each name in that path separately */
	ANIM_RENAME_PROPERTY, /* the name in the stream, without the component: "blend_shape/Smile" */
	ANIM_RENAME_CLIP,
	ANIM_RENAME_ON_COUNT
};
extern const char *const anim_rename_on_names[]; /* NULL at the end */

/*
 * Globs (anim_glob_match) that are matched with the old names. One glob of each group must match. An empty group
 * matches all. Borrowed.
 */
struct anim_rename_selection {
	const char *const *nodes, *const *properties, *const *clips; /* clips: also PLAYER:NAME */
	size_t node_count, property_count, clip_count;
};

/* All-zero except for diagnostics changes nothing. Everything is borrowed while the filter exists. */
struct anim_rename_options {
	enum anim_rename_on on;
	const struct anim_expression *expressions; /* applied in order */
	size_t expression_count;
	struct anim_rename_map *map;      /* NULL: no map. Used rows are marked. */
	const struct anim_crc_names *crc; /* NULL: none */
	bool humanoid;                    /* rename bones from one engine's names to another's */
	enum anim_humanoid from, to;
	struct anim_rename_selection select;
	struct anim_diagnostics *diagnostics;
};

/*
 * Create a renaming filter that writes to `next` (owned, also freed on failure). It replaces CRCs of nodes by paths,
 * then applies the map, the humanoid names and the expressions, in this order. A map row with a '/' is a path and moves
 * the whole subtree. A row without '/' renames every node with this name, including a bone after its ':'. If an
 * expression changes only the last name of a path, the paths of the nodes below change with it. Nodes of the tree and
 * roots of clips are renamed like tracks. If properties or clips are selected, the tree is unchanged and only tracks
 * get new nodes. Warns if nothing matched or if two tracks of a clip get the same name. Returns NULL on failure.
 */
struct anim_sink *anim_rename_new(const struct anim_rename_options *, struct anim_sink *next, struct anim_error *);

/* --- A list of the names that would change --- */

/*
 * The list for two sinks around the renaming filters. It compares the input of the front sink with the input of the
 * back sink, clip by clip and track by track. The filters must keep their order.
 */
struct anim_rename_list;

struct anim_rename_list *anim_rename_list_new(struct anim_error *); /* NULL on failure */
void anim_rename_list_free(struct anim_rename_list *); /* call after both sinks are freed; NULL is allowed */

/* Create the sink that writes to the filters, `next` (owned, also freed on failure). Returns NULL on failure. */
struct anim_sink *anim_rename_list_front(struct anim_rename_list *, struct anim_sink *next, struct anim_error *);

/*
 * Create the last sink. At the end it writes one line "old -> new" for each changed name of a node, property or clip,
 * in stream order and with aligned arrows. Each line appears once. `out` is borrowed and not committed. Returns NULL on
 * failure.
 */
struct anim_sink *anim_rename_list_back(struct anim_rename_list *, struct anim_output *out,
					const struct anim_diagnostics *, struct anim_error *);

/* --- Converting animated nodes to bones of a skeleton --- */

/* Everything is borrowed while the filter exists. */
struct anim_bones_options {
	const char *path; /* of the skeleton, from the animation's root; not empty, without ':' */
	struct anim_rename_selection select;
	size_t store_memory; /* maximum bytes of waiting clips in memory */
	struct anim_diagnostics *diagnostics;
};

/*
 * Create a filter that writes to `next` (owned, also freed on failure). It moves the selected tracks of position,
 * rotation, Euler angles and scale to "PATH:Name". If any of their nodes is below PATH, only these nodes are converted.
 * Otherwise, if any is below the parent of PATH, only these are. Otherwise all are. Nodes between the root and PATH,
 * cameras, lights, meshes, 2D nodes and canvas nodes are unchanged.
 *
 * In the tree, the converted nodes become bones, as do all nodes between them and the skeleton and all plain transforms
 * below them. Rest poses are kept. Other nodes below a bone move below "PATH/Name", a BoneAttachment3D. So do tracks of
 * a bone's node that do not animate its transform. A ':' in a bone's name becomes '_', as in Godot's importers.
 *
 * Clips wait in a store until their tree is complete. Records of unknown tags after a clip are passed on before the
 * tree. Warns if no track belongs to a bone and if two tracks get the same name. Returns NULL on failure.
 */
struct anim_sink *anim_bones_new(const struct anim_bones_options *, struct anim_sink *next, struct anim_error *);

#endif
