/* gltf.h: import settings of glTF files, which packages for Unity read. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_GLTF_H
#define ANIM_FORMAT_UNITY_GLTF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "format/unity/run.h"

/* The packages, by the guid of the script that imports. */
enum unity_gltf_package { UNITY_GLTF_OTHER, UNITY_GLTF_KHRONOS, UNITY_GLTF_FAST };

/* The import settings of one file. */
struct unity_gltf {
	enum unity_gltf_package package;
	int64_t method; /* which clips are made */
	bool loops, loops_by_clip, drops_roots;
	float scale;           /* of lengths */
	struct anim_map clips; /* (0, name) -> whether the clip loops. Owned */
};

/* Values of `method`. */
#define UNITY_GLTF_NO_CLIPS 0
#define UNITY_GLTF_LEGACY 1
#define UNITY_GLTF_GENERIC 2

/* Read the settings in a .meta file. Returns 0 or -1. Clear `clips` in both cases. */
int unity_gltf_read(struct unity_run *, struct anim_input *meta, struct unity_gltf *);

/* Return whether the clip with this name loops. */
bool unity_gltf_loops(const struct unity_gltf *, const char *clip);

#endif
