/* writer.h: the parts of the writer of Godot's files. Internal to format/godot. */
#ifndef ANIM_FORMAT_GODOT_WRITER_H
#define ANIM_FORMAT_GODOT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/map.h"
#include "clip/track.h"
#include "format/godot/animation.h"
#include "format/godot/print.h"
#include "format/godot/scene.h"
#include "stream/store.h"

/* ---- Literals and references ---- */

/* Enters an ext_resource of a file that is written into: literals refer to it. Texts are borrowed. 0 or -1. */
int godot_print_stands(struct godot_print *, const char *id, const char *uid, const char *path);

/* The [ext_resource] tags, a line each, of all that the file does not have yet. */
void godot_print_new_externals(struct godot_print *);

/* ---- Names ---- */

/* How a clip's names are to be read. */
struct godot_names {
	bool godot3;     /* the target is Godot 3 */
	bool from3;      /* the clip is Godot 2's or 3's */
	bool from_godot; /* any Godot's: nodes are spelled as they are to be */
	bool own_bones;  /* a ':' in a node parts its bone, whatever stands before it */
	bool from_unity;
	bool keep;    /* no renames */
	bool spatial; /* the node of the track at hand is known to be of three dimensions */
};

/*
 * A node's path with what Godot does not allow in names made '_', byte for byte, where the clip is of another engine;
 * bone: where in it that of a bone begins, NULL: nowhere. NULL out of memory.
 */
const char *godot_written_node(const struct godot_names *, const char *node, const char *bone, struct anim_arena *,
			       struct anim_error *);

/* The name of the bone in the track's node, NULL: it is none; and the node as it is written. */
const char *godot_written_track_node(const struct godot_names *, const struct anim_track *, struct anim_arena *,
				     struct anim_error *);

/*
 * The name of the blend shape that the track drives; where the clip is of another engine ':' is '_' in it, as Godot's
 * importer has it. NULL out of memory.
 */
const char *godot_written_shape(const struct godot_names *, const struct anim_track *, struct anim_arena *,
				struct anim_error *);

/*
 * The path of a track that is written as that type, in the arena: "A/B:position:x", "A/Skeleton3D:Hips", "Mesh:smile".
 * NULL out of memory.
 */
const char *godot_written_path(const struct godot_names *, const struct anim_track *, enum godot_track_type,
			       struct anim_arena *, struct anim_error *);

/* What stands behind the node in the path of a value or Bezier track: "position:x". NULL out of memory. */
const char *godot_written_property(const struct godot_names *, const struct anim_track *, struct anim_arena *,
				   struct anim_error *);

/* True for a track that no node of two dimensions has. */
bool godot_is_of_space(const struct anim_track *);

/* True where Godot has no property for the Unity component's that the track drives. */
bool godot_is_foreign(const struct godot_names *, const struct anim_track *);

/* ---- Tracks ---- */

/* What a track of the model becomes. */
struct godot_plan {
	enum godot_track_type type; /* UNKNOWN: Godot has no such track */
	int64_t interp, update;     /* the file's numbers; update of value tracks only */
	bool sprite;                /* references to sprites become numbers of frames */
	const char *why;            /* UNKNOWN: what it is that Godot does not have; static */
};

/* Pure: the same for the same track. */
void godot_plan_track(const struct godot_names *, const struct anim_track *, struct godot_plan *);

/* What the printing of a clip's tracks shares. Texts that are needed for one track lie in `scratch`. */
struct godot_track_out {
	struct godot_print *print;
	const struct godot_names *names;
	float start_s; /* of the clip */
	struct anim_arena *scratch;
	struct anim_error *error;
	const struct anim_map
	    *parameters; /* of Unity's events: bits by the method's name; set by the printing itself */
	size_t row;      /* of godot_call_rows, which of them is printed */
};

/* What stands behind `keys = `. box: the track of sizes that follows the positions of an AABB, or NULL. 0 or -1. */
int godot_print_keys(const struct godot_track_out *, const struct anim_track *, const struct godot_plan *,
		     const struct anim_track *box);

/*
 * The keys of method, audio and animation tracks; *bad counts those whose text is none, which are left
 * out. 0 or -1.
 */
int godot_print_event_keys(const struct godot_track_out *, const struct anim_track *, enum godot_track_type,
			   size_t *bad);
/*
 * *rows: how many tracks a method track is written as, for its keys that are calls; 1 or 0 of others and of one without keys. A track of Godot's holds one call a
 * time: its loader puts keys in one by one, each in the place of one at a time that is_equal_approx of its own. Of
 * calls at one time the second goes into a second track of the same path, which Godot plays like the first, and so on.
 * *lost: those for which there is no further track. Of markers, which have one track, how many there would have to be. 0 or -1.
 */
int godot_call_rows(const struct godot_track_out *, const struct anim_track *, size_t *rows, size_t *lost);
/* `markers = [...]`. 0 or -1. */
int godot_print_markers(const struct godot_track_out *, const struct anim_track *, size_t *bad);

/*
 * The frame of each key: the index of its reference, or, where one has none, its place in the order in
 * which the references first come. *sheet: the file of the first, "" where it is not known. NULL out of memory.
 */
const uint32_t *godot_sprite_frames(const struct anim_track *, const char **sheet, struct anim_arena *,
				    struct anim_error *);

/* ---- Nodes ---- */

/* How sure a class is; a surer one takes its place. SPACE: only whether it is Node2D or Node3D. */
enum godot_class_source { GODOT_CLASS_DEFAULT, GODOT_CLASS_SPACE, GODOT_CLASS_GUESSED, GODOT_CLASS_TOLD };

#define GODOT_NO_PARENT 0xFFFFFFFFu
struct godot_scene_node {
	const char *path, *name, *class; /* path "." for the root; of a bone "A/Skeleton3D:Hips" */
	enum godot_class_source source;
	uint32_t classes; /* a set of what the class may still become for its tracks; 0: it stays */
	uint32_t parent;  /* number of the node (of a bone: of its skeleton); GODOT_NO_PARENT for the root */
	bool bone;
	bool orphan;                      /* a bone that no tree tells of, so that its parent is not known */
	uint32_t bone_index, bone_parent; /* in its skeleton; GODOT_NO_PARENT: none */
	uint32_t bones;                   /* of a skeleton: how many */
	uint8_t has;
	float position[3], rotation[4], scale[3];
	float motion_scale;              /* of a Skeleton3D; 0: nothing said, which is 1 */
	const char *pose, *skew, *order; /* attributes, NULL */
	bool disabled;
	bool unique;                      /* %name finds it */
	uint32_t first_shape, last_shape; /* blend shapes that tracks drive: number + 1 in `shapes`, 0: none */
	uint32_t mesh, frames;            /* number of the mesh that has them; frames of a sprite; 0: none */
};

/* A blend shape of a node's; `next` of the same node: number + 1, 0: none. */
struct godot_shape {
	const char *name;
	uint32_t next;
};

/* All-zero is empty. Texts lie in the arena. */
struct godot_nodes {
	struct anim_buffer items; /* struct godot_scene_node, parents before children */
	struct anim_map by_path, by_unique;
	struct anim_arena arena;
	struct anim_buffer came;   /* each NODE of the tree at hand: what became of it; private */
	struct anim_buffer shapes; /* struct godot_shape */
	struct anim_map by_shape;  /* of a node's number and the shape's name */
	const char *root_name;     /* of the first tree; NULL: none came */
	bool godot3;               /* classes are written as Godot 3 has them */
};

static inline struct godot_shape *godot_shape_at(const struct godot_nodes *nodes, uint32_t number)
{
	return (struct godot_shape *)(void *)nodes->shapes.data + number;
}

void godot_nodes_clear(struct godot_nodes *);

struct godot_scene_node *godot_nodes_at(const struct godot_nodes *, uint32_t number);
/* The node of this path, or GODOT_NO_PARENT. */
uint32_t godot_nodes_find(const struct godot_nodes *, const char *path);

size_t godot_nodes_count(const struct godot_nodes *);

/*
 * A NODE of the tree at hand; of a later tree what is new is added. *written: the path that it is written under, until
 * the nodes are cleared. 0 or -1.
 */
int godot_nodes_add(struct godot_nodes *, const struct godot_names *, const struct anim_node *, const char **written,
		    struct anim_error *);

/* True for paths of nodes that a scene can have: down from its root, without %Name, not too deep. */
bool godot_nodes_can_be(const char *path);

/* ---- The writer ---- */

#define GODOT_LABEL_MAX 256u /* bytes of a track's name in a message */

/* A clip of the store: where it is played. Texts lie in the writer's `kept` arena. */
struct godot_written_clip {
	const char *player;                     /* path of the AnimationPlayer in the scene */
	const char *root;                       /* path in the scene of what it animates */
	const char *library, *name;             /* "lib/walk" -> "lib", "walk" */
	uint32_t player_number, library_number; /* in the order in which they first come; libraries of all players */
	const struct godot_player *plays;       /* it in the file that it is put into; NULL: none there yet */
	bool bound;                             /* it takes the place of an animation of a file that is there */
	const struct anim_map *subs;            /* ids that its literals may name: it came from that file; else NULL */
	bool autoplay, captures;                /* captures: a track begins from where the node is */
	struct godot_names names;
	const struct anim_scope *scope;
};

struct godot_into;

struct godot_writer {
	struct anim_sink sink;
	struct anim_error *error; /* of the call that is at work */
	struct anim_write_options options;
	struct godot_into *into; /* a file that the clips are put into; NULL: they are a file by themselves */
	struct anim_store *store;
	struct godot_print print;
	struct anim_arena scratch, kept; /* scratch: of the track at hand */
	struct anim_buffer clips;        /* struct godot_written_clip, one a clip of the store */
	struct godot_nodes nodes;        /* of scenes */
	struct anim_map taken;           /* by library: names of clips -> the next number of another one's */
	struct anim_text_set told;       /* names that were told of or counted, behind a byte for their kind */
	struct anim_map spaces;          /* by clip: nodes that a track tells to be of three dimensions */
	struct anim_map groups;          /* players, and players with a library, by when they came */
	uint32_t players, libraries;
	uint32_t *player_from;    /* by the player's number: its first clip in the order */
	uint32_t *player_library; /* and how many libraries are before it */
	struct godot_names names; /* of the tree or the clip at hand */
	bool in_tree;
};

static inline struct godot_written_clip *godot_writer_clip(const struct godot_writer *writer, size_t clip)
{
	return (struct godot_written_clip *)(void *)writer->clips.data + clip;
}

/* What is told of no place. 0 or -1. */
#define godot_writer_warn(writer, many, ...) \
	anim_diagnostics_warn((writer)->options.diagnostics, many, (writer)->error, __VA_ARGS__)
#define godot_writer_note(writer, many, ...) \
	anim_diagnostics_note((writer)->options.diagnostics, many, (writer)->error, __VA_ARGS__)

/* The nodes that the track needs. 0 or -1. */
int godot_writer_need(struct godot_writer *, const struct anim_track *, const struct godot_plan *);

/*
 * The properties of the clip's Animation, as they stand behind its tag: all in a new one; in one that is replaced not its
 * name and step, which are the file's. 0 or -1.
 */
enum godot_write { GODOT_WRITE_ALL, GODOT_WRITE_BODY, GODOT_WRITE_HEAD, GODOT_WRITE_TRACKS };
int godot_writer_animation(struct godot_writer *, size_t clip, enum godot_write);

/* The whole file. 0 or -1. */
int godot_writer_document(struct godot_writer *);

/* ---- Into a file that is there: also parts of a whole one ---- */

/* The tag of a sub_resource of that number, and its line's end; a clip's with all of its Animation. The latter: 0 or -1. */
void godot_writer_sub_tag(struct godot_print *, const char *type, size_t number);
int godot_writer_sub(struct godot_writer *, size_t clip, size_t number);

/* A clip's entry in the dictionary of its library; in Godot 3, the property of its player. Without a line's end. */
void godot_writer_entry(struct godot_writer *, size_t clip, size_t number);
void godot_writer_own(struct godot_writer *, size_t clip, size_t number);

/* `prefix/name = ` of a player. */
void godot_writer_named(struct godot_writer *, const char *prefix, const char *name);

/*
 * Reads what stands where in the file that options->into names, which stay, and sets how `print` spells. NULL on failure;
 * godot_into_free allows NULL.
 */
struct godot_into *godot_into_new(const struct anim_write_options *, struct godot_print *, struct anim_error *);
void godot_into_free(struct godot_into *);

/*
 * A clip came, the writer's of that number: whether it takes an animation's place, and of which file, which the writer
 * prints until the next one comes. 0 or -1.
 */
int godot_into_clip(struct godot_into *, struct godot_writer *, struct godot_written_clip *, size_t clip,
		    struct anim_error *);

/* Return what the engine multiplies positions of this node of the clip by in the file; 0: the file has no nodes. */
float godot_into_motion_scale(const struct godot_into *, const struct godot_written_clip *, const char *node);

/*
 * The file with the writer's clips in it, those that are new to it in the order given, to the writer's output; and the
 * others that hold some of them, each to what options->into.follow opens. 0 or -1.
 */
int godot_into_write(struct godot_into *, struct godot_writer *, const uint32_t *order, size_t count,
		     struct anim_error *);

#endif
