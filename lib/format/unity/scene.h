/* scene.h: the GameObjects and Transforms of a prefab or scene, including prefab instances. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_SCENE_H
#define ANIM_FORMAT_UNITY_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/map.h"
#include "clip/sink.h"
#include "format/unity/avatar.h"
#include "format/unity/yaml.h"

struct unity_run;
struct unity_source;

#define UNITY_PREFAB_INSTANCE 1001
#define UNITY_SCENE_ROOTS 1660057539 /* SceneRoots: their order (not in older versions) */

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
	uint32_t transform; /* number, UNITY_NONE: none in this file */
	bool inactive, removed;
	bool stripped;      /* represents an object that was not found */
	int32_t kind_class; /* class of the component that makes it a camera, a light or a mesh, 0: none */
	const int64_t *components;
	size_t component_count;
	const struct unity_avatar *avatar; /* of its Animator, or NULL */
	struct unity_stand_in stand_in;
};

struct unity_transform {
	int64_t id, object, parent; /* fileIDs, parent 0: a root */
	const int64_t *children;    /* as the document lists them */
	size_t child_count;
	int64_t sibling; /* position among its siblings, UNITY_LAST: not known */
	uint32_t line;
	uint32_t number; /* among the NODEs, once written, UNITY_NONE: it is not one */
	bool is_rect, removed, stripped;
	bool is_bare; /* the file has only a GameObject, not its Transform */
	uint8_t has;
	float position[3], rotation[4], scale[3];
	float rect[5][2]; /* of a RectTransform that has them: in the order of unity_rect_names */
	bool has_rect;
	struct unity_stand_in stand_in;
};
extern const char *const unity_rect_names[5];
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
	int64_t id, parent; /* parent: a Transform, 0: a root */
	uint32_t line;
	struct unity_reference prefab;
	const struct unity_change *changes;
	size_t change_count;
	const int64_t *removed; /* fileIDs in the prefab */
	size_t removed_count;
	const struct unity_addition *additions;
	size_t addition_count;
	uint32_t root; /* the Transform that replaced it, UNITY_NONE before */
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

#endif
