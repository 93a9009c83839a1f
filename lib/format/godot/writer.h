/* writer.h: declarations shared by the files of the Godot writer. Internal to format/godot. */
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

/*
 * Add an ext_resource of the file that is edited, so that literals can refer to it. Texts are borrowed. Returns 0 or
 * -1.
 */
int godot_print_add_existing(struct godot_print *, const char *id, const char *uid, const char *path);

/* ---- Names ---- */

/* How to interpret the names of a clip. */
struct godot_names {
	bool godot3;     /* the target is Godot 3 */
	bool from3;      /* the clip is from Godot 2 or 3 */
	bool from_godot; /* the clip is from any Godot, so nodes have their final spelling */
	bool own_bones;  /* a ':' in the path of a node always separates a bone */
	bool from_unity;
	bool keep;         /* do not rename */
	bool spatial;      /* the node of the current track is known to be 3-D */
	const char *below; /* path of the node of the edited file that has the nodes of the clip, or NULL */
};

/*
 * Return the path of a node. If the clip is from another engine, each byte that Godot does not allow in names becomes
 * '_'. `bone` points to the start of the bone name in `node`, or NULL. Returns NULL if out of memory.
 */
const char *godot_written_node(const struct godot_names *, const char *node, const char *bone, struct anim_arena *,
			       struct anim_error *);

/* Return the path of the node of the track, with its bone if it has one, as it is written. NULL if out of memory. */
const char *godot_written_track_node(const struct godot_names *, const struct anim_track *, struct anim_arena *,
				     struct anim_error *);

/* Return the path of a written node in the tree of its clip, which does not have the node `below`. */
const char *godot_source_node(const struct godot_names *, const char *written);

/*
 * Return the name of the blend shape of the track. If the clip is from another engine, ':' becomes '_', as the importer
 * of Godot does. Returns NULL if out of memory.
 */
const char *godot_written_shape(const struct godot_names *, const struct anim_track *, struct anim_arena *,
				struct anim_error *);

/*
 * Return the part after the node in the path of a value or Bezier track: "position:x". Returns NULL if out of memory.
 */
const char *godot_written_property(const struct godot_names *, const struct anim_track *, struct anim_arena *,
				   struct anim_error *);

/* Return true for a track that no 2-D node can have. */
bool godot_is_of_space(const struct anim_track *);

/* Return true if Godot has no property for the property of a Unity component that the track animates. */
bool godot_is_foreign(const struct godot_names *, const struct anim_track *);

/* ---- Tracks ---- */

/* The Godot track that a track of the model becomes. */
struct godot_plan {
	enum godot_track_type type; /* UNKNOWN: Godot has no such track */
	int64_t interp, update;     /* the numbers in the file; `update` only for value tracks */
	const char *why;            /* UNKNOWN: the feature that Godot lacks; a constant text */
};

/* Choose the type and the settings of a track. The result depends only on the arguments. */
void godot_plan_track(const struct godot_names *, const struct anim_track *, struct godot_plan *);

/* State shared while the tracks of a clip are printed. Texts needed for one track are in `scratch`. */
struct godot_track_out {
	struct godot_print *print;
	const struct godot_names *names;
	float start_s; /* start of the clip */
	struct anim_arena *scratch;
	struct anim_error *error;
	const struct anim_map
	    *parameters; /* of Unity events: bits of used parameters by method name; set during printing */
	size_t row;      /* the row of godot_call_rows that is printed */
};

/*
 * Print the value of `keys = `. box: the track of sizes that follows the positions of an AABB, or NULL. Returns 0 or
 * -1.
 */
int godot_print_keys(const struct godot_track_out *, const struct anim_track *, const struct godot_plan *,
		     const struct anim_track *box);

/*
 * Print the keys of method, audio and animation tracks. *bad counts keys whose text is not valid, which are omitted.
 * Returns 0 or -1.
 */
int godot_print_event_keys(const struct godot_track_out *, const struct anim_track *, enum godot_track_type,
			   size_t *bad);
/*
 * Set *rows to the number of tracks that a method track needs for its keys that are calls. It is 1 or 0 for other
 * tracks and for a track without keys. A Godot track holds one call per time: the loader inserts keys one by one, and a
 * key replaces an existing key whose time is equal according to is_equal_approx. Therefore the second call at a time is
 * written to a second track with the same path, which Godot plays like the first, and so on. *lost counts calls beyond
 * the maximum number of tracks. Markers have only one track, but *rows is the number that they would need. Returns 0 or
 * -1.
 */
int godot_call_rows(const struct godot_track_out *, const struct anim_track *, size_t *rows, size_t *lost);
/* Print `markers = [...]`. *bad counts omitted markers. Returns 0 or -1. */
int godot_print_markers(const struct godot_track_out *, const struct anim_track *, size_t *bad);

/* Print Godot source text of one value, as the reader printed it, with its references as references of the file. */
void godot_print_literal(struct godot_print *, const char *source, size_t length);

/* ---- Nodes ---- */

/* How certain a class is. A more certain class replaces a less certain one. SPACE: only Node2D or Node3D is known. */
enum godot_class_source { GODOT_CLASS_DEFAULT, GODOT_CLASS_SPACE, GODOT_CLASS_GUESSED, GODOT_CLASS_KNOWN };

#define GODOT_NO_PARENT 0xFFFFFFFFu
struct godot_scene_node {
	const char *path, *name, *class; /* path "." for the root; for a bone "A/Skeleton3D:Hips" */
	enum godot_class_source source;
	uint32_t classes; /* a set of the classes that its tracks may still choose; 0 if the class is final */
	uint32_t parent;  /* number of the parent, for a bone of its skeleton; GODOT_NO_PARENT for the root */
	bool bone;
	bool orphan;                      /* a bone that does not occur in a tree, so that its parent is unknown */
	uint32_t bone_index, bone_parent; /* in its skeleton, or GODOT_NO_PARENT */
	uint32_t bones;                   /* for a skeleton: the number of its bones */
	uint8_t has;
	float position[3], rotation[4], scale[3];
	float motion_scale; /* of a Skeleton3D; 0 means not set, which is the same as 1 */
	const char *pose, *skew, *order, *attached, *rect; /* attributes, or NULL */
	bool disabled;
	bool unique;                  /* %name refers to it */
	bool above_flat, above_solid; /* some node directly below it is in the plane, or in space */
	/* blend shapes that tracks animate: number + 1 in `shapes`, or 0 */
	uint32_t first_shape, last_shape;
	/* number of the mesh with these shapes; number of frames of a sprite, or 0 */
	uint32_t mesh, frames;
};

/* A blend shape of a node. `next` is the next shape of the same node: number + 1, or 0. */
struct godot_shape {
	const char *name;
	uint32_t next;
};

/* The nodes of a scene. All-zero is empty. Texts are in the arena. */
struct godot_nodes {
	struct anim_buffer items; /* array of struct godot_scene_node, parents before children */
	struct anim_map by_path, by_unique;
	struct anim_arena arena;
	struct anim_buffer came;   /* for each NODE of the current tree, the node that it became; private */
	struct anim_buffer shapes; /* array of struct godot_shape */
	struct anim_map by_shape;  /* by node number and shape name */
	const char *root_name;     /* of the first tree; NULL if there was no tree */
	bool godot3;               /* classes have their names of Godot 3 */
};

static inline struct godot_shape *godot_shape_at(const struct godot_nodes *nodes, uint32_t number)
{
	return (struct godot_shape *)(void *)nodes->shapes.data + number;
}

static inline size_t godot_nodes_count(const struct godot_nodes *nodes)
{
	return nodes->items.size / sizeof(struct godot_scene_node);
}

static inline struct godot_scene_node *godot_nodes_at(const struct godot_nodes *nodes, uint32_t number)
{
	return (struct godot_scene_node *)(void *)nodes->items.data + number;
}

void godot_nodes_clear(struct godot_nodes *);

/* Return the node with this path, or GODOT_NO_PARENT. */
uint32_t godot_nodes_find(const struct godot_nodes *, const char *path);

/*
 * Add a NODE of the current tree. From later trees, only nodes with new paths are added. *written is the path in the
 * file, valid until the nodes are cleared. Returns 0 or -1.
 */
int godot_nodes_add(struct godot_nodes *, const struct godot_names *, const struct anim_node *, const char **written,
		    struct anim_error *);

/* Return true for a node path that is possible in a scene: below its root, without %Name, and not too deep. */
bool godot_nodes_can_be(const char *path);

/* ---- The writer ---- */

#define GODOT_LABEL_MAX 256u /* bytes of the name of a track in a message */

/* A clip of the store, and where it is played. Texts are in the arena `kept` of the writer. */
struct godot_written_clip {
	const char *player;         /* path of the AnimationPlayer in the scene */
	const char *root;           /* path in the scene of the node that it animates */
	const char *library, *name; /* "lib/walk" -> "lib", "walk" */
	/* in order of first occurrence; libraries are counted over all players */
	uint32_t player_number, library_number;
	const struct godot_player *plays; /* the player in the edited file; NULL if it does not exist yet */
	bool bound;                       /* it replaces an animation of an existing file */
	/* ids that its literals may use, if it was read from that file; otherwise NULL */
	const struct anim_map *subs;
	bool autoplay, in_library; /* in_library: its source is a file of a library */
	bool captures;             /* a track begins at the current value of the node */
	struct godot_names names;
	const struct anim_scope *scope;
	uint32_t group;  /* the clips with the same player and root, set by godot_writer_group */
	uint32_t beside; /* number + 1 of a clip of the edited file that its player also has, or 0 */
};

/*
 * A property that a clip of a group animates, and that must have a value in its other clips. `next` is the next part of
 * the group: number + 1, or 0.
 */
struct godot_part {
	uint32_t next;
	uint32_t clip, track; /* the track in RESET, otherwise the first */
	uint32_t seen;        /* 1 + the number of the last clip that was found to animate it */
	bool foreign;         /* a clip from another engine animates it */
	bool reset;
	bool listed; /* it is in the list of its group, as the first of its parts with this name */
};

/* ---- Sprites of Unity ---- */

struct godot_writer;

#define GODOT_FRAMES_MAX 65536u /* a sheet cannot have more frames */

/* The sprites that a node shows in all clips of the file. Texts are in the arena `kept` of the writer. */
struct godot_sheet {
	const char *node; /* its path in the scene */
	const struct anim_scope *scope;
	const char *image, *other; /* Unity's path of the first image, and of the first different one, or NULL */
	uint32_t grid[2];          /* columns and rows of the first image */
	float region[4], offset[2], pixels_per_unit; /* of the first sprite, with an offset whose y points down */
	bool control;                                /* a UI Image instead of a sprite */
	bool parts;                                  /* some sprites are parts of an image */
	bool blank;                                  /* some keys show nothing */
	bool unplaced;                               /* for some sprites, the part of the image is unknown */
	bool irregular;                              /* some sprites are not cells of the grid */
	bool moves;                                  /* the offset differs */
};

/* Return true for a track of references to sprites. */
bool godot_is_sprites(const struct anim_track *);

/* Send the tracks that may show the sprites of a track to the writer. Returns 0 or -1. */
int godot_sprites_add(struct godot_writer *, const struct anim_track *, struct anim_error *);

/* Return true for such a track. */
bool godot_is_sprite_part(const struct anim_track *);

/* Return 1 if such a track of the clip is written, which may change it, 0 if its node does not need it, or -1. */
int godot_sprite_wants(struct godot_writer *, size_t clip, struct anim_track *);

/* Print the properties of a node that shows sprites. */
void godot_sprite_print(struct godot_writer *, const struct godot_scene_node *);

/* Report how the sprites are written and which are lost, after all clips have come. Returns 0 or -1. */
int godot_sprites_report(struct godot_writer *);

/* ---- AnimationTrees ---- */

/* A property of the tree that has a number. */
struct godot_graph_value {
	const char *path;
	double value;
};

/* The node that plays the graph of the options. All-zero: no node. */
struct godot_graph_tree {
	const char *node; /* path of the player, or NULL without a graph */
	const char *top_type;
	size_t top, script;        /* numbers of resources */
	struct anim_buffer values; /* struct godot_graph_value */
};

/* Return how many resources the graph needs, 0 without one. */
size_t godot_graph_count(struct godot_writer *);
/* Print the resources of the graph, if the options have one. Returns 0 or -1. */
int godot_graph_write(struct godot_writer *, struct godot_graph_tree *);
/* Print the node, after all others. */
void godot_graph_node(struct godot_writer *, const struct godot_graph_tree *);

/* ---- The state ---- */

struct godot_into;

struct godot_writer {
	struct anim_sink sink;
	struct anim_error *error; /* of the current call */
	struct anim_write_options options;
	struct godot_into *into; /* the edited file; NULL if the clips make a new file */
	/*
	 * It holds the nodes of the edited file and the clips that stay, to find which parts they animate. It writes
	 * nothing. In it, `beside` is this writer. NULL if no clip needs it.
	 */
	struct godot_writer *beside;
	struct anim_store *store;
	struct godot_print print;
	struct anim_arena scratch, kept; /* scratch: for the current track */
	struct anim_buffer clips;        /* struct godot_written_clip for each clip of the store */
	struct godot_nodes nodes;        /* of scenes */
	struct anim_map taken;           /* by library: names of clips -> the number to append to the next equal name */
	struct anim_text_set reported;   /* names that have been reported or counted, after one byte for their kind */
	struct anim_map spaces;          /* by clip: nodes that are 3-D according to a track */
	struct anim_buffer sheets;       /* struct godot_sheet */
	struct anim_map sheet_numbers;   /* by path of the node */
	struct anim_map groups;          /* players, and players with a library, in order of first occurrence */
	struct anim_buffer parts;        /* struct godot_part */
	struct anim_buffer part_lists;   /* by group: the numbers + 1 of its first and last part, or 0 */
	struct anim_map by_part;         /* by group */
	uint32_t players, libraries, part_groups;
	uint32_t *player_from;    /* by number of the player: its first clip in the order */
	uint32_t *player_library; /* by number of the player: how many libraries precede it */
	struct godot_names names; /* of the current tree or clip */
	bool in_tree;
};

static inline struct godot_written_clip *godot_writer_clip(const struct godot_writer *writer, size_t clip)
{
	return (struct godot_written_clip *)(void *)writer->clips.data + clip;
}

/* Return true if the file is a new scene. */
static inline bool godot_writes_nodes(const struct godot_writer *writer)
{
	return writer->options.scene && writer->into == NULL;
}

/* Add a warning or a note without a place. Returns 0 or -1. */
#define godot_writer_warn(writer, noun, ...) \
	anim_diagnostics_warn((writer)->options.diagnostics, noun, (writer)->error, __VA_ARGS__)
#define godot_writer_note(writer, noun, ...) \
	anim_diagnostics_note((writer)->options.diagnostics, noun, (writer)->error, __VA_ARGS__)

/* Create the nodes that the track needs. Returns 0 or -1. */
int godot_writer_need(struct godot_writer *, const struct anim_track *, const struct godot_plan *);

/*
 * Print the properties of the Animation of the clip, which follow its tag. BODY omits the name and the step, because an
 * animation that is replaced keeps its own. Returns 0 or -1.
 */
enum godot_write { GODOT_WRITE_ALL, GODOT_WRITE_BODY, GODOT_WRITE_HEAD, GODOT_WRITE_TRACKS };
int godot_writer_animation(struct godot_writer *, size_t clip, enum godot_write);

/* Find the parts that the clips of each player animate. Call it after all clips have their players. Returns 0 or -1. */
int godot_writer_group(struct godot_writer *);

/*
 * Find a part that new clips of the player animate, but not this clip of the edited file (its number in `beside`).
 * Returns 1 with the name of the track and its clip, 0 if the clip has all parts, or -1.
 */
int godot_writer_lacks(struct godot_writer *, size_t clip, char label[GODOT_LABEL_MAX], size_t *from);

/* Print the complete file. Returns 0 or -1. */
int godot_writer_document(struct godot_writer *);

/* ---- Editing an existing file; some functions are also used for new files ---- */

/* Print a clip as sub_resource `number`, with its tag and its Animation. Returns 0 or -1. */
int godot_writer_sub(struct godot_writer *, size_t clip, size_t number);

/*
 * Print the entry of a clip in the dictionary of its library; in Godot 3, the property of its player. Without a line
 * break.
 */
void godot_writer_entry(struct godot_writer *, size_t clip, size_t number);
void godot_writer_own(struct godot_writer *, size_t clip, size_t number);

/*
 * Copy a name, and replace characters that Godot does not allow in names of animations and libraries by '_'. *changed
 * is set if there are any. Returns NULL if out of memory.
 */
char *godot_writer_clean(struct godot_writer *, const char *text, size_t length, bool *changed);

/* Print `prefix/name = ` for a property of a player. */
void godot_writer_named(struct godot_writer *, const char *prefix, const char *name);

/*
 * Read the outline of the file options->into.file, and set the spelling of `print`. The options must outlive it.
 * Returns NULL on failure. godot_into_free accepts NULL.
 */
struct godot_into *godot_into_new(const struct anim_write_options *, struct godot_print *, struct anim_error *);
void godot_into_free(struct godot_into *);

/*
 * Accept the next clip, which has number `clip` in the writer. Decides whether it replaces an animation, and in which
 * file. The writer prints this file until the next clip arrives. Returns 0 or -1.
 */
int godot_into_clip(struct godot_into *, struct godot_writer *, struct godot_written_clip *, size_t clip,
		    struct anim_error *);

/*
 * Return the factor by which the engine multiplies positions of this node of the clip in the file, or 0 if the file has
 * no nodes.
 */
float godot_into_motion_scale(const struct godot_into *, const struct godot_written_clip *, const char *node);

/*
 * Write the file with the clips of the writer to the output of the writer. New clips are added in the given order. Each
 * other file that holds some of the clips is written to the output that options->into.follow opens. Returns 0 or -1.
 */
int godot_into_write(struct godot_into *, struct godot_writer *, const uint32_t *order, size_t count,
		     struct anim_error *);

#endif
