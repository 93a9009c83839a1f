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
#include "clip/sink.h"

/* --- S/ERE/TEXT/ as sed has it, on names --- */

struct anim_expression_part;

/* All-zero is none; what parse has filled is to be cleared. */
struct anim_expression {
	regex_t regex;
	bool compiled, all; /* all: flag g */
	struct anim_expression_part *parts;
	size_t part_count;
	struct anim_arena arena;
};

/*
 * "s/ERE/TEXT/flags": any byte but a letter, a digit, a blank, '\' or one beyond ASCII in place of '/'; ERE as
 * regcomp's extended ones; in TEXT \1 to \9 and & stand for what was matched, a '\' before a byte that is no letter or
 * digit for that byte; flags g (every match) and i (any case). 0, or -1 with a message that says what is wrong.
 */
int anim_expression_parse(struct anim_expression *, const char *text, struct anim_error *);
void anim_expression_clear(struct anim_expression *);

/* 1: it matched, `out` is the name it makes of it, with a NUL; 0: it did not, `out` is not touched; -1. */
int anim_expression_apply(const struct anim_expression *, const char *name, struct anim_buffer *out,
			  struct anim_error *);

/* --- A list of names and what each becomes, as a CSV file has it --- */

/* All-zero is empty. */
struct anim_rename_map {
	struct anim_map numbers; /* name -> number of its row */
	struct anim_buffer rows; /* names, what they become, and whether they were asked for */
	struct anim_arena arena;
	size_t longest; /* bytes of the longest name */
};

/*
 * Reads "from,to" lines (RFC 4180: fields in double quotes may hold commas, line feeds and doubled quotes; line ends
 * LF or CRLF); a first line of "from,to" or "old,new" is a head, empty lines are passed over. Names to the letter.
 * May be called for several files. 0, or -1 with the place: other than two fields, an empty one, a name that becomes
 * two things.
 */
int anim_rename_map_read(struct anim_rename_map *, struct anim_input *, struct anim_error *);
void anim_rename_map_clear(struct anim_rename_map *);

/* What the name becomes, NULL where the map does not say. The row is met then. */
const char *anim_rename_map_get(struct anim_rename_map *, const char *name, size_t length);

/* The same of a path, by the rows that hold a '/' ("./A" is A below the root and nowhere else). */
const char *anim_rename_map_get_path(struct anim_rename_map *, const char *path, size_t length);

/* A note of the rows that nothing met. 0 or -1. */
int anim_rename_map_tell(const struct anim_rename_map *, struct anim_diagnostics *, struct anim_error *);

/* --- Paths by their CRC-32, which is all that Unity's players know of them --- */

/* All-zero is empty. */
struct anim_crc_names {
	struct anim_map by_crc;   /* the four bytes of a CRC -> number of its path */
	struct anim_buffer paths; /* const char * */
	struct anim_buffer nodes; /* const char *: of each NODE of the tree at hand, with bones below their parents */
	struct anim_arena arena;
};

/*
 * Adds a path, and what is left of it without its first names, for any of these may be the animation's root. Of several
 * with one CRC the first counts. 0 or -1.
 */
int anim_crc_names_add(struct anim_crc_names *, const char *path, struct anim_error *);

/* Adds the lines of a text: one path a line. 0 or -1. */
int anim_crc_names_read(struct anim_crc_names *, struct anim_input *, struct anim_error *);

/* A sink that adds the paths of all nodes and tracks that come to the names (borrowed). NULL on failure. */
struct anim_sink *anim_crc_names_sink_new(struct anim_crc_names *, struct anim_error *);

/*
 * True where the node is a CRC: a decimal number of 32 bits, alone or behind "path_", as rippers write it. *path is the
 * path of that CRC, "." for that of the empty one, or NULL where it is not known.
 */
bool anim_crc_names_find(const struct anim_crc_names *, const char *node, const char **path);

void anim_crc_names_clear(struct anim_crc_names *);

/* --- What the bones of a human are called by engines, VRM and motion capture --- */

enum anim_humanoid {
	ANIM_HUMANOID_UNITY,  /* HumanBodyBones: LeftUpperArm */
	ANIM_HUMANOID_GODOT,  /* SkeletonProfileHumanoid: the same but for the thumb */
	ANIM_HUMANOID_MIXAMO, /* mixamorig:LeftArm */
	ANIM_HUMANOID_VRM,    /* VRM 1.0: leftUpperArm */
	ANIM_HUMANOID_VRM0,   /* VRM 0.x: the same but for the thumb */
	ANIM_HUMANOID_CMU,    /* Carnegie Mellon's BVH: LowerBack, LeftArm */
	ANIM_HUMANOID_ROKOKO, /* Rokoko's Newton: LeftThigh */
	ANIM_HUMANOID_NEURON, /* Perception Neuron: Mixamo's without the prefix */
	ANIM_HUMANOID_COUNT
};

/* In lower case, NULL at the end. */
extern const char *const anim_humanoid_names[];

/*
 * What `to` calls the bone that `from` calls `name`; NULL where it is none of the bones, or where `to` has no such
 * bone. Names are those to the letter, but Mixamo's may stand with or without "mixamorig:", "mixamorig_",
 * "mixamorig1:" and the like; all others' with blanks in them ("Left Thumb Proximal").
 */
const char *anim_humanoid_find(enum anim_humanoid from, enum anim_humanoid to, const char *name, size_t length);

/* Bones of a human, parents before children. Of a pair the left one is named, the right one is the next. */
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
	ANIM_BONE_FINGERS = ANIM_BONE_TOES + 2, /* five of three bones each, the thumb first */
	ANIM_HUMAN_BONES = ANIM_BONE_FINGERS + 30
};

/* Return Unity's name of the bone. */
const char *anim_human_bone_name(enum anim_human_bone);

/* A name in lower case, without its side and without what parts its words. */
struct anim_plain_name {
	char text[64];
	size_t length;
	uint64_t begins; /* bit i: a word begins at text[i] */
	char side;       /* 'l', 'r', 0: none */
};

/* Bring a name into plain form: "Bip01 L UpperArm" is "bip01upperarm", 'l'. False if nothing is left of it, or too much. */
bool anim_plain_name(struct anim_plain_name *, const char *name);

/* The bone that a name means. If it may mean two, the one above comes first, and what hangs on what decides. */
struct anim_bone_guess {
	enum anim_human_bone bones[2];
	bool doubtful; /* there are two */
	bool lower;    /* the second one, if nothing decides */
};

/* Find the bone that the name means in any naming, from text[skip] on (behind a prefix). False: none. */
bool anim_bone_guess(struct anim_bone_guess *, const struct anim_plain_name *, size_t skip);

/* The same of a name as it stands, behind as few of its words as can be. */
bool anim_bone_of_name(struct anim_bone_guess *, const char *name);

/* --- Other names for nodes, properties and clips --- */

/* What expressions and the map are applied to. */
enum anim_rename_on {
	ANIM_RENAME_NODE,     /* the path of a node as a whole */
	ANIM_RENAME_NAME,     /* each name of that path on its own */
	ANIM_RENAME_PROPERTY, /* as the stream has it, without the component: "blend_shape/Smile" */
	ANIM_RENAME_CLIP,
	ANIM_RENAME_ON_COUNT
};
extern const char *const anim_rename_on_names[]; /* NULL at the end */

/* Globs (anim_glob_match) on the names as they come; of a kind one must fit, none given: all do. Borrowed. */
struct anim_rename_selection {
	const char *const *nodes, *const *properties, *const *clips; /* clips: also PLAYER:NAME */
	size_t node_count, property_count, clip_count;
};

/* All-zero but for diagnostics changes nothing. Everything is borrowed for the filter's life. */
struct anim_rename_options {
	enum anim_rename_on on;
	const struct anim_expression *expressions; /* applied in order */
	size_t expression_count;
	struct anim_rename_map *map;      /* NULL: none; its rows are marked */
	const struct anim_crc_names *crc; /* NULL: none */
	bool humanoid;                    /* names of bones, from one engine's to another's */
	enum anim_humanoid from, to;
	struct anim_rename_selection select;
	struct anim_diagnostics *diagnostics;
};

/*
 * A filter in front of `next` (owned, freed on failure too). First CRCs of nodes become paths, then names go through
 * the map, then through the humanoid's names, then through the expressions. A row of the map with a '/' is a path and
 * moves all that is below it; one without is the name of a node wherever it stands (also behind the ':' of a bone).
 * Where an expression changes no more than the last name of a path, what is below follows. Nodes of the tree and the
 * roots of clips are renamed as tracks are, unless properties or clips are selected: then tracks are turned to other
 * nodes and the tree stays. Warns where nothing matched and where two tracks of a clip become one. NULL on failure.
 */
struct anim_sink *anim_rename_new(const struct anim_rename_options *, struct anim_sink *next, struct anim_error *);

/* --- What renaming would do, as a list --- */

/*
 * Two sinks with the filters that rename between them: what comes in at the front is compared with what comes out at
 * the back, clip by clip and track by track, whose order the filters keep.
 */
struct anim_rename_list;

struct anim_rename_list *anim_rename_list_new(struct anim_error *); /* NULL on failure */
void anim_rename_list_free(struct anim_rename_list *);              /* after both sinks; NULL is allowed */

/* In front of `next` (owned, freed on failure too). NULL on failure. */
struct anim_sink *anim_rename_list_front(struct anim_rename_list *, struct anim_sink *next, struct anim_error *);

/*
 * The last sink: its end writes a line "old -> new" for each name of a node, property or clip that changed, once, in
 * the order of the stream, the arrows below each other. `out` is borrowed and not committed. NULL on failure.
 */
struct anim_sink *anim_rename_list_back(struct anim_rename_list *, struct anim_output *out,
					const struct anim_diagnostics *, struct anim_error *);

/* --- Nodes that tracks move become bones of a skeleton --- */

/* Everything is borrowed for the filter's life. */
struct anim_bones_options {
	const char *path; /* of the skeleton, from the animation's root; not empty, no ':' */
	struct anim_rename_selection select;
	size_t store_memory; /* bytes of clips that may wait in memory */
	struct anim_diagnostics *diagnostics;
};

/*
 * A filter in front of `next` (owned, freed on failure too). Tracks of position, rotation, Euler angles and scale
 * that are selected go to "PATH:Name". Where any of their nodes is below PATH, only those are meant; else where any
 * is below the node above PATH, only those; else all. Nodes on the way to PATH, cameras, lights, meshes, and nodes of
 * two dimensions or of a canvas stay what they are. In the tree these nodes become bones, with what is between them
 * and the skeleton, and what is below them and has no more than a transform; rests stay. What else stands below a
 * bone, and tracks of a bone's node that are no transform, go below "PATH/Name", a BoneAttachment3D. A ':' in a
 * bone's name becomes '_', as Godot's importers have it. Clips wait in a store until their tree is over; records of
 * unknown tags behind them go on before the tree. Warns where no track is a bone's, and where two tracks become one. NULL on
 * failure.
 */
struct anim_sink *anim_bones_new(const struct anim_bones_options *, struct anim_sink *next, struct anim_error *);

#endif
