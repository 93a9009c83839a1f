/* scene_instance.h: one prefab instance, and finding what has a fileID. Internal to format/unity/scene_*.c. */
#ifndef ANIM_FORMAT_UNITY_SCENE_INSTANCE_H
#define ANIM_FORMAT_UNITY_SCENE_INSTANCE_H

#include "format/unity/read_run.h"
#include "format/unity/scene.h"

/* One instance while it is put in place. */
struct unity_merging {
	struct unity_run *run;
	struct unity_source *source;
	struct unity_instance *instance; /* of the source; their buffer does not grow */
	int64_t placeholder;             /* the GameObject that was made where the prefab cannot be read, else 0 */
};

/* What has this fileID in a file, if anything has. Borrowed until something is added. */
bool unity_scene_transform(const struct unity_source *, int64_t id, struct unity_transform **);
bool unity_scene_object(const struct unity_source *, int64_t id, struct unity_object **);
bool unity_scene_player(const struct unity_source *, int64_t id, struct unity_player **);

/* The Transform of that id, added where there is none; a stand-in becomes one. NULL out of memory. */
struct unity_transform *unity_scene_add(const struct unity_merging *, int64_t id, struct anim_error *);

/* Puts the instance's prefab in its place, with what it changes; what cannot be read is warned of. 0 or -1. */
int unity_scene_join(struct unity_merging *, struct anim_error *);

#endif
