/* avatar.h: the skeleton of a model, and which of its nodes are bones of a human. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_AVATAR_H
#define ANIM_FORMAT_UNITY_AVATAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "format/unity/document.h"
#include "format/unity/yaml.h"

struct unity_run;
struct unity_source;

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

#endif
