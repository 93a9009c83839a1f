/* model.h: clips inside models, which import settings (.meta) cut from the takes of an FBX file. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_MODEL_H
#define ANIM_FORMAT_UNITY_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/unity/run.h"

/* Return true for members of ModelImporter that unity_model_field reads. */
bool unity_model_wants(const char *name);

/* Take a member of ModelImporter, or an item of it, into the settings of the source. Returns 0 or -1. */
int unity_model_field(struct unity_run *, struct unity_source *, const struct unity_field *);

/*
 * Read the import settings of a glTF file into the source, which has no model if the package that imports it is not known.
 * Returns 0 or -1.
 */
int unity_model_gltf(struct unity_run *, struct unity_source *, struct anim_input *meta);

/*
 * Find the clip with this fileID in a source with settings, and make it if it is asked for the first time. Its number among
 * the source's clips is known as UNITY_ID_CLIP from then on. The file of the model is read once, with options->other. Returns
 * 1, 0 with *why (the run's) if it is not found, or -1.
 */
int unity_model_clip(struct unity_run *, struct unity_source *, int64_t id, uint32_t *number, const char **why);

/*
 * Give an avatar without a skeleton the nodes of the model's file, in the axes of Unity. Returns 1, 0 if they cannot be read,
 * or -1.
 */
int unity_model_nodes(struct unity_run *, struct unity_source *, struct unity_avatar *);

/* Return whether Unity makes clips of the takes of the model with these settings. */
bool unity_model_has_clips(const struct unity_source *);

/*
 * Write the nodes of a model and the clips that its settings cut, in the axes of its format. `file`: its name in the tree.
 * Returns 0 or -1.
 */
int unity_model_write(struct unity_run *, struct unity_source *, struct anim_input *, const char *file,
		      struct anim_sink *);

void unity_model_clear(struct unity_model *); /* NULL is allowed */

#endif
