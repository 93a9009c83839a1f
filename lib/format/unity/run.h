/* run.h: one run of the reader: the files that it reads, and the players of clips in them. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_RUN_H
#define ANIM_FORMAT_UNITY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/path.h"
#include "clip/sink.h"
#include "format/read.h"
#include "format/unity/clip.h"
#include "format/unity/document.h"
#include "format/unity/unity.h"
#include "format/unity/yaml.h"

/* ---- Assets: a guid <-> the file that has it, through the .meta files of a project ---- */

/*
 * The .meta files of one project (or package, or folder). They are read only as far as guids are requested, folder by
 * folder: first the folder of the requesting file, then those below Assets and Packages, breadth first, names in byte
 * order. Links, and names that Unity ignores (.name, name~), are skipped. No folder is searched more than twice. Memory
 * holds 24 bytes per .meta file, the names of the folders, and the paths of all assets of a folder that was searched a
 * second time. If they are kept for the next file, it holds the paths of all assets, and each .meta file is read once.
 */
enum unity_root { UNITY_ROOT_PROJECT, UNITY_ROOT_PACKAGE, UNITY_ROOT_FOLDER };
struct unity_package;
struct unity_assets {
	struct anim_arena *arena; /* of the run */
	/* the archive with the assets, so that no folder is searched (NULL: the assets are files) */
	struct unity_package *package;
	enum unity_root root;        /* the kind of project.folder */
	struct anim_project project; /* folder NULL: not found */
	const char *own_folder;      /* real path; searched first */
	struct anim_buffer folders;  /* const char *: those found so far, relative to the project's; "" is itself */
	struct anim_buffer metas;    /* struct unity_meta */
	struct anim_map answers;     /* (0, guid) -> number in found; UINT32_MAX: not found */
	struct anim_buffer found;    /* const char *: paths relative to the project's folder */
	bool is_kept;                /* for the next file */
	size_t next;                 /* the folder to search next */
	size_t metas_max;            /* 0: UNITY_METAS_MAX; tests set less */
	bool truncated;              /* there were more */
	int refused;                 /* errno of the first folder or .meta file that could not be read, otherwise 0 */
	const char *refused_path;    /* relative to the project's folder, in the arena */
};

#define UNITY_METAS_MAX ((size_t)1 << 20) /* 24 MB of memory */
#define UNITY_FOLDERS_MAX ((size_t)1 << 18)
/* Limit below a file outside any project or package, because the folder may contain all files of a user. */
#define UNITY_LOOSE_FOLDERS_MAX ((size_t)1 << 12)

/*
 * Find the folder to search: the project, or the package (the nearest folder above with a package.json), or otherwise
 * the file's own folder and those in it. Returns 0 or -1.
 */
int unity_assets_init(struct unity_assets *, const struct anim_location *, struct anim_arena *, struct anim_error *);
void unity_assets_clear(struct unity_assets *);

/*
 * Find the path of the asset with this guid, relative to the project's folder ("Assets/run.anim"). Returns 1, 0 if
 * there is none, or -1.
 */
int unity_assets_find(struct unity_assets *, const char *guid, const char **path, struct anim_error *);

/* Get the guid in "<file>.meta". It is empty if the file does not exist or contains no guid. */
void unity_assets_guid_of(const char *file, char guid[ANIM_UNITY_GUID]);

/* An importer's member of a .meta file, as a document on the lines of the file. */
struct unity_meta_file {
	struct unity_file *file;
	struct anim_input *input;
	struct anim_buffer text;
};

/* Open the member of this importer, such as "ModelImporter". Returns 1, 0 if the file does not have it, or -1. */
int unity_meta_open(struct unity_meta_file *, struct anim_input *from, const char *importer, struct anim_error *);
void unity_meta_close(struct unity_meta_file *); /* after any result of _open */

/* Return true for the beginning of a .meta file of a model, of which the first bytes are needed. */
#define UNITY_META_HEAD ((size_t)4096)
bool unity_bytes_are_model(const void *bytes, size_t size);

/*
 * Append the sprites (struct unity_sprite) that a .meta file describes, with names in the arena and without the size of
 * the image. Returns 0, also if there are none, or -1.
 */
int unity_meta_sprites(struct anim_input *meta, struct anim_arena *, struct anim_buffer *sprites, struct anim_error *);

struct unity_run;
struct unity_source;
struct unity_model; /* model.h */

/* ---- Avatars: the skeleton of a model, and which of its nodes are bones of a human ---- */

#define UNITY_AVATAR 90

/* A node of a model in its T-pose. */
struct unity_avatar_node {
	const char *name;  /* NULL: unknown, or the root */
	const char *above; /* name of its parent in import settings */
	uint32_t parent;   /* a number, or UNITY_NONE */
	float position[3], rotation[4], scale[3];
};

/* A bone of a human. */
struct unity_human {
	const char *bone;   /* name of the node */
	const char *human;  /* "LeftUpperArm" */
	uint32_t node;      /* a number in the avatar, or UNITY_NONE */
	const char *parent; /* name of the node above, or NULL */
	/* The attributes unity.limits, unity.twist and unity.tpose, or NULL. The last one is for nodes in other poses. */
	const char *limits, *twist, *tpose;
};

/* Everything except the map is in the run's arena. */
struct unity_avatar {
	int64_t id;
	uint32_t line;
	const char *name;
	const struct unity_avatar_node *nodes;
	size_t node_count;
	const struct unity_human *humans;
	size_t human_count;
	struct anim_map by_bone;      /* (0, name of a node) -> number in humans */
	bool flat;                    /* the nodes have no parents */
	struct unity_reference other; /* the avatar of another model, if it has no bones of its own */
};

/* Read an Avatar (class 90) whose document was read. Adds it to the source. Returns 0 or -1. */
int unity_avatar_read(struct unity_run *, struct unity_source *, struct unity_file *, const struct unity_document *,
		      const struct unity_node *root);

/* Return true if the input is the .meta file of a model. */
bool unity_meta_is(struct anim_input *, struct anim_error *);

/* Read the import settings of a model. Adds its avatar to the source. Returns 0 or -1. */
int unity_meta_read(struct unity_run *, struct unity_source *, struct anim_input *);

/*
 * Return the bone of a human that a node is, by its name and the name of its parent (NULL: unknown). NULL if it is another
 * node.
 */
const struct unity_human *unity_avatar_human(const struct unity_avatar *, const char *bone, const char *parent);

/* Find the avatars of all Animators of a merged scene. Avatars that cannot be read count as missing. Returns 0 or -1. */
int unity_avatars_of_players(struct unity_run *, struct unity_source *);

/*
 * Get the avatar of a model whose import settings were read. Returns 1, 0 if it has no tree of nodes, or -1.
 */
int unity_avatar_of_model(struct unity_run *, struct unity_source *model, const struct unity_avatar **);

/*
 * Add the nodes of an avatar to the scene of a file, with new fileIDs from `seed` on. If `root` is not 0, it is a
 * Transform that represents the root of the avatar. Returns 0 or -1.
 */
int unity_avatar_place(struct unity_run *, struct unity_source *, const struct unity_avatar *, int64_t seed,
		       int64_t root);

/* Make the scene of a file without Transforms from its first avatar, if it has any. Returns 0 or -1. */
int unity_avatar_tree(struct unity_run *, struct unity_source *);

/* ---- Scenes: the GameObjects and Transforms of a prefab or scene, including prefab instances ---- */

#define UNITY_PREFAB_INSTANCE 1001
#define UNITY_SCENE_ROOTS 1660057539 /* SceneRoots: their order; files of older versions have none */

/*
 * The relation of a document to a prefab. For a "stripped" one: the object that it represents. For a complete one: the
 * instance that owns it, as before Unity 2018.3. All-zero: an object of the file itself.
 */
struct unity_stand_in {
	int64_t instance; /* the PrefabInstance */
	int64_t source;   /* fileID in the prefab */
};

struct unity_object {
	int64_t id;
	const char *name; /* NULL: not known */
	uint32_t line;
	uint32_t transform; /* number; UNITY_NONE: none in this file */
	bool inactive, removed;
	bool stripped;      /* represents an object that was not found */
	int32_t kind_class; /* class of the component that makes it a camera, a light or a mesh; 0: none */
	const int64_t *components;
	size_t component_count;
	const struct unity_avatar *avatar; /* of its Animator, or NULL */
	struct unity_stand_in stand_in;
};

struct unity_transform {
	int64_t id, object, parent; /* fileIDs; parent 0: a root */
	const int64_t *children;    /* as the document lists them */
	size_t child_count;
	int64_t sibling; /* position among its siblings; UNITY_LAST: not known */
	uint32_t line;
	uint32_t number; /* among the NODEs, once written; UNITY_NONE: it is not one */
	bool is_rect, removed, stripped;
	bool is_bare; /* the file has only a GameObject, not its Transform */
	uint8_t has;
	float position[3], rotation[4], scale[3];
	struct unity_stand_in stand_in;
};
#define UNITY_NONE UINT32_MAX
#define UNITY_LAST INT64_MAX

/* A change that an instance makes to an object of its prefab. */
struct unity_change {
	int64_t target; /* fileID in the prefab */
	const char *property, *value;
	struct unity_reference reference;
};

/* A component or object that an instance adds to an object of its prefab. */
struct unity_addition {
	int64_t target, added; /* fileIDs: in the prefab, in this file */
};

struct unity_instance {
	int64_t id, parent; /* parent: a Transform; 0: a root */
	uint32_t line;
	struct unity_reference prefab;
	const struct unity_change *changes;
	size_t change_count;
	const int64_t *removed; /* fileIDs in the prefab */
	size_t removed_count;
	const struct unity_addition *additions;
	size_t addition_count;
	uint32_t root; /* the Transform that replaced it; UNITY_NONE before */
	bool in_full;  /* the file has the objects themselves, with all changes of the instance */
};

/* All-zero is empty. Texts and lists are in the run's arena. */
struct unity_scene {
	struct anim_buffer objects, transforms, instances;
	struct anim_map stand_ins;       /* (instance, fileID in the prefab) -> index in stand_in_ids */
	struct anim_buffer stand_in_ids; /* int64_t: fileIDs of the stripped objects */
	struct anim_buffer roots;        /* int64_t: SceneRoots, in their order */
	bool merged;                     /* the instances were replaced by their prefabs */
};

/* Replace instances by their prefabs, as far as those are found. Returns 0 or -1. */
int unity_scene_merge(struct unity_run *, struct unity_source *);

/* Return true for components whose class determines the kind of a NODE. */
bool unity_kind_is(int32_t class_id);

static inline struct unity_object *unity_object_at(const struct unity_scene *scene, size_t number)
{
	return (struct unity_object *)scene->objects.data + number;
}

static inline struct unity_transform *unity_transform_at(const struct unity_scene *scene, size_t number)
{
	return (struct unity_transform *)scene->transforms.data + number;
}

/* Return the object with this fileID in the file, or NULL. It is borrowed until something is added. */
struct unity_object *unity_object_of(const struct unity_source *, int64_t id);
struct unity_transform *unity_transform_of(const struct unity_source *, int64_t id);

static inline size_t unity_object_count(const struct unity_scene *scene)
{
	return scene->objects.size / sizeof(struct unity_object);
}

static inline size_t unity_transform_count(const struct unity_scene *scene)
{
	return scene->transforms.size / sizeof(struct unity_transform);
}

/* Return true if there are nodes for a TREE. */
bool unity_scene_has_tree(const struct unity_scene *);

/* Write TREE and NODEs of a merged scene. Returns 0 or -1. */
int unity_scene_write(struct unity_run *, struct unity_source *, const char *source_file, struct anim_sink *);

/* Return its name in a path. If it has none, `made` gets one: "?4711". */
#define UNITY_NAME_MADE 24
const char *unity_transform_name(const struct unity_source *, const struct unity_transform *,
				 char made[UNITY_NAME_MADE]);

/* ---- Players: components, controllers, timelines, and the clips that they lead to ---- */

/* Classes of documents that lead to clips. */
#define UNITY_CONTROLLER 91
#define UNITY_ANIMATION 111
#define UNITY_BLEND_TREE 206
#define UNITY_OVERRIDE_CONTROLLER 221
#define UNITY_DIRECTOR 320
#define UNITY_STATE 1102
#define UNITY_STATE_MACHINE 1107

/*
 * A document that leads to clips or to other such documents: its references, in its order. They are in the run's arena.
 */
struct unity_links {
	int64_t id;
	uint32_t line;
	bool is_top;      /* a controller or timeline: listed by itself if no player leads to it */
	bool is_override; /* refs[0] is the controller, followed by pairs: a clip of it, and its replacement */
	bool used;
	struct unity_reference *refs;
	size_t count;
};

/* The object on which a track of a timeline plays. */
struct unity_track_binding {
	struct unity_reference track;
	int64_t target; /* an Animator or a GameObject of the same file; 0: none */
};

/* An Animation, Animator or PlayableDirector component. */
struct unity_player {
	int64_t id, object; /* its GameObject */
	uint32_t line;
	int64_t wrap;              /* m_WrapMode of an Animation, otherwise 0 */
	bool removed;              /* a prefab instance removed it */
	struct unity_source *home; /* the file that contains its references */
	struct unity_reference *refs;
	size_t count;
	struct unity_track_binding *bindings;
	size_t binding_count;
	struct unity_reference avatar; /* of an Animator */
};

/* The place of a clip on a track of a timeline. */
struct unity_placement {
	int64_t asset; /* the script that plays the clip */
	uint32_t line;
	const char *name; /* in the run's arena */
	float start_s, clip_in_s, duration_s, speed;
	bool fades;             /* its weight changes at an end */
	bool is_state, mirrors; /* of a state, which is not on a timeline: start_s and duration_s mean nothing */
	float cycle_offset;
};

/* All-zero is empty. */
struct unity_players {
	struct anim_buffer links;      /* struct unity_links */
	struct anim_buffer players;    /* struct unity_player, in the order of the file */
	struct anim_buffer placements; /* struct unity_placement */
};

/*
 * Make the part of a clip (a number in `home`) that a timeline plays, on its time axis, in the store of the run. *made: its
 * number in `source`. Returns 0 or -1.
 */
int unity_timeline_place(struct unity_run *, const struct unity_placement *, const struct unity_source *home,
			 size_t number, struct unity_source *source, size_t *made);

/* ---- The run ---- */

/* Data shared by all files of a run. */
struct unity_run {
	const struct anim_read_options *options;
	struct anim_error *error;
	const char *base_name; /* of the source without suffix: the default name */
	struct anim_store *store;
	struct anim_arena arena; /* all texts of the files */
	struct unity_assets assets;
	struct unity_index *index;      /* lends the assets, NULL: they belong to the run */
	struct anim_map sheets;         /* (0, path of an asset) -> number of its sheet */
	struct anim_buffer sheet_items; /* struct unity_sheet */
	struct unity_source *sources;   /* every file opened; the first is the run's own */
	struct anim_map lost;           /* (fileID, guid or file) -> 0: references that were reported */
	bool is_pipe;                   /* the run's own file has no place in a folder */
	bool is_graph;                  /* the structure of a controller is read, which has the settings of states */
	bool own_clips;                 /* read only the clips in the run's own file, without its nodes */
	unsigned files;                 /* number of other files opened so far */
	size_t copied;                  /* number of nodes that prefab instances added so far */
};

/* The contents of one file. All-zero before reading. */
struct unity_source {
	const char *shown; /* name for messages */
	const char *path;  /* relative to the project's folder; NULL: the run's own */
	char guid[ANIM_UNITY_GUID];
	unsigned depth;             /* 0: the run's own */
	bool reading;               /* it, or a file that it refers to, is being read */
	const char *why;            /* the reason why it could not be read, otherwise NULL */
	struct anim_map ids;        /* (fileID, family) -> number; families: UNITY_ID_... */
	struct anim_buffer clips;   /* struct unity_source_clip */
	struct anim_buffer avatars; /* struct unity_avatar * */
	struct unity_model *model;  /* the import settings of a model, otherwise NULL */
	struct unity_players players;
	struct unity_scene scene;
	int64_t made_id; /* the last fileID that was looked for because another one was taken */
	struct unity_source *next;
};

static inline struct unity_player *unity_player_at(const struct unity_source *source, size_t number)
{
	return (struct unity_player *)source->players.players.data + number;
}

static inline size_t unity_player_count(const struct unity_source *source)
{
	return source->players.players.size / sizeof(struct unity_player);
}

struct unity_player *unity_player_of(const struct unity_source *, int64_t id); /* NULL: not found */

/* Families of ids. The same id may name a clip in one family, and a component in another. */
#define UNITY_ID_CLIP "clip"
#define UNITY_ID_LINKS "links"
#define UNITY_ID_OBJECT "object"
#define UNITY_ID_TRANSFORM "transform"
#define UNITY_ID_INSTANCE "instance"
#define UNITY_ID_PLAYER "player"
/* Lights by their m_Type, in place of the class. They are negative, so that no class of Unity has these numbers. */
#define UNITY_SPOT_LIGHT (-1)
#define UNITY_DIRECTIONAL_LIGHT (-2)
#define UNITY_ID_COMPONENT "component" /* -> its class, or a type of light */
#define UNITY_ID_SCRIPT "script"
#define UNITY_ID_PLACED "placed"
#define UNITY_ID_AVATAR "avatar"

bool unity_id_get(const struct unity_source *, int64_t id, const char *family, uint32_t *number);
int unity_id_put(struct unity_source *, int64_t id, const char *family, uint32_t number, struct anim_error *);

/*
 * Append an item to a buffer of the source, and record its number there under its id. Returns the copy, or NULL if out
 * of memory.
 */
void *unity_item_add(struct unity_run *, struct unity_source *, struct anim_buffer *items, const void *item,
		     size_t size, int64_t id, const char *family);

/* An AnimationClip of a file. */
struct unity_source_clip {
	struct unity_clip clip;
	bool used;
};

static inline struct unity_source_clip *unity_source_clip_at(const struct unity_source *source, size_t number)
{
	return (struct unity_source_clip *)source->clips.data + number;
}

/*
 * Read the file into the source. Returns 0, or -1 for a problem that stops the run, or an input that is not such a
 * file.
 */
int unity_source_read(struct unity_run *, struct unity_source *, struct anim_input *);

/*
 * Read one asset of the package into the sink like a file of its own, without end(). own_clips: only the clips in it,
 * without nodes. Returns 0 or -1.
 */
struct unity_package_item;
int unity_asset_read(struct unity_package *, const struct unity_package_item *, bool own_clips,
		     const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/*
 * Read a model of the package as its import settings say, without end(). The input is the model. Returns 0 or -1.
 * Returns 1 if its settings make no clips, and nothing was read.
 */
int unity_asset_read_model(struct unity_package *, const struct unity_package_item *, struct anim_input *,
			   const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/* Find the project, package or folder of the run's own file, and the guid of this file. Returns 0 or -1. */
int unity_project_find(struct unity_run *, const struct anim_input *);
/* An asset that was opened: a file, or a part of the package. */
struct unity_opened {
	struct anim_input *input;
	int fd; /* -1: a part of the package */
};

/*
 * Open an asset, or its .meta file, by the path of the asset below the project. Returns 1 with *shown, its name for
 * messages. Returns 0 with *why, or -1. Call unity_asset_close in all cases.
 */
int unity_asset_open(struct unity_run *, const char *path, bool meta, struct unity_opened *, const char **shown,
		     const char **why);
void unity_asset_close(struct unity_opened *);
/* Open the .meta file beside a file of the user. Returns 1, 0 if it cannot be read, or -1. Close it in the same way. */
int unity_settings_open(struct unity_run *, const struct anim_input *, struct unity_opened *);

/* Open an input for a file that is open, and report it to options->opened. Returns 0 or -1. */
int unity_input_open(struct unity_run *, struct anim_input **, int fd, const char *shown);

/* Free the memory that a run uses for assets and their sprites. */
void unity_assets_forget(struct unity_run *);

/* Find the asset of a PPtr curve's reference: struct unity_clip_options.resolve; the context is the run. */
int unity_asset_resolve(void *run, const char *guid, int64_t file_id, struct unity_asset *, struct anim_error *);

/*
 * Find the file with this guid, which is read once and kept by the run. If the guid is empty or its own, the result is
 * `from` itself. Returns 1 and *out. Returns 0 if it cannot be read: then *path is its path if it was found, otherwise
 * NULL, and *why (the run's) is the reason. Returns -1 on error.
 */
int unity_source_find(struct unity_run *, struct unity_source *from, const char *guid, struct unity_source **out,
		      const char **path, const char **why);

/*
 * Find the clip of a reference in a file. Returns 1 with the file that has it and its number there. Returns 0 with *why or
 * NULL, or -1.
 */
int unity_clip_of(struct unity_run *, struct unity_source *from, const struct unity_reference *,
		  struct unity_source **home, uint32_t *clip, const char **why);

/* A clip to write. */
struct unity_cue {
	struct unity_source *source;       /* file of the clip */
	size_t clip;                       /* in source->clips */
	const struct unity_player *player; /* NULL: none; becomes invalid when the source gets more players */
	int64_t object;                    /* GameObject that it animates, if there is a player */
};

/*
 * Append every clip to `cues` (struct unity_cue) in the order in which they are written. First come clips by the
 * players in the order of the file, each clip once per player. Then come clips of controllers and timelines without a
 * player, then clips without a reference. References into other files are followed, and missing files give a warning.
 * *named: there was a reference. Returns 0 or -1.
 */
int unity_list_cues(struct unity_run *, struct unity_source *, struct anim_buffer *cues, bool *named);
/* Append only the clips without a reference so far. Returns 0 or -1. */
int unity_list_unused_clips(struct unity_run *, struct unity_source *, struct anim_buffer *cues);

/* Read a file, at most ANIM_TEXT_MAX bytes. A longer one is cut. Returns 0 or -1. */
int unity_text_read(struct anim_input *, struct anim_buffer *, struct anim_error *);

/* Return true for files of models, which contain clips and nodes in other formats. */
bool unity_is_model(const char *path);

/* Return the place of an unsuccessful search: "below the project". */
const char *unity_where(const struct unity_run *);

/*
 * Add a message about a line of a file, or about the file if the line is 0. With --keep-going, faults are warnings.
 * Returns 0 or -1.
 */
int unity_say(const struct unity_run *, const struct unity_source *, enum anim_severity, uint32_t line,
	      const char *noun, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Name the subject of the last message: see anim_diagnostics_name. */
#define unity_say_name(run, ...) anim_diagnostics_name((run)->options->diagnostics, (run)->error, __VA_ARGS__)

/* Return a copy in the run's arena, or NULL if out of memory. */
const char *unity_keep(struct unity_run *, const char *text);
/* Do the same for the contents of a buffer. */
void *unity_keep_items(struct unity_run *, const struct anim_buffer *);

#endif
