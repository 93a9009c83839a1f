/* mmd.h: reads and writes motions of MikuMikuDance (.vmd), and reads the skeletons of models (.pmx, .pmd). */
#ifndef ANIM_FORMAT_MMD_MMD_H
#define ANIM_FORMAT_MMD_MMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/sink.h"
#include "format/read.h"
#include "format/write.h"

/*
 * The length of MikuMikuDance's unit in metres, if no option sets another. Readers convert to this length and to the
 * axes of glTF, which mirror Z.
 */
#define ANIM_MMD_UNIT_M 0.08

/*
 * How a motion is in a clip, for a writer. All keys are at whole frames of 1/30 s, except inserted ones.
 * - A bone is a node. Its name in the file is the last part of the path, or the attribute ANIM_MMD_NAME of the node if
 *   the path cannot contain the name.
 * - `position` is a float3 Curve. A segment is Weighted if a curve of it is not a line, otherwise Linear.
 * - `rotation` is a floatQ Curve of Linear keys. A segment whose curve is not a line has inserted keys. Then the track
 *   has a column of hints: the bytes x1, y1, x2, y2 of the curve that ends at the key, the first in the lowest bits, or
 *   ANIM_MMD_INSERTED.
 * - The attribute ANIM_MMD_CURVES of `rotation` has the other curves, if some of them is not MikuMikuDance's line 20 20
 *   107 107 and the position does not have them: 24 hexadecimal digits for each key that was not inserted, which are the
 *   bytes x1 y1 x2 y2 of X, of Y and of Z.
 */
#define ANIM_MMD_NAME "mmd.name"
#define ANIM_MMD_CURVES "mmd.curves"
#define ANIM_MMD_INSERTED 0xFFFFFFFFu
/*
 * With a model, a motion has been played: the tracks include the motion that the model adds to the keys of its bones. These
 * attributes of nodes and tracks describe it, so that a writer can subtract it.
 * - The node of a bone that copies another one has the name of that bone, and the ratio of the rotation, of the position, or
 *   of both.
 * - The node of a goal of IK has the name of the bone that IK moves there.
 * - The track of a bone that only IK moves has the name of the goal. Bones of legs have no such attribute, because players
 *   move them differently.
 * - The track of a morph that moves bones has "bones", or "also" if it does more than that.
 */
#define ANIM_MMD_FOLLOWS "mmd.follows"
#define ANIM_MMD_FOLLOWS_ROTATION "mmd.follows_rotation"
#define ANIM_MMD_FOLLOWS_POSITION "mmd.follows_position"
#define ANIM_MMD_IK_MOVES "mmd.ik_moves"
#define ANIM_MMD_IK_OF "mmd.ik_of"
#define ANIM_MMD_MORPH "mmd.morph"
#define ANIM_MMD_MODEL "mmd.model" /* attribute of the clip: the name of the model in the motion */

/* The nodes of cameras and lights, and their properties besides transforms. */
#define ANIM_MMD_TARGET "camera_target" /* `position` and `euler` in the order YXZ */
#define ANIM_MMD_CAMERA "camera"        /* below it: `position`, whose z is minus the distance, and `fov` in degrees */
#define ANIM_MMD_LIGHT "light"          /* `color` and `direction`, both float3 */
#define ANIM_MMD_SHADOW_MODE "shadow_mode"         /* int, on the light */
#define ANIM_MMD_SHADOW_DISTANCE "shadow_distance" /* float, on the light: the number of the file */
#define ANIM_MMD_IK "ik"                           /* bool, on the bone */
#define ANIM_MMD_PHYSICS "physics"                 /* bool, on the bone */

/* Return whether the bytes begin like such a file. */
bool anim_pmx_is(const uint8_t *bytes, size_t size);
bool anim_pmd_is(const uint8_t *bytes, size_t size);

/*
 * Read a motion into the sink, but do not end the sink. There is one clip of source "mmd". If its model is known, which
 * is options->model or the only .pmx or .pmd file in the folder of the motion, the tree is the skeleton of the
 * model, and bones that IK, other bones or morphs move have Raw tracks, sampled as MikuMikuDance plays them. Other
 * tracks have the keys of the file. Memory use depends on the number of keys. Return 0, or -1 with the byte.
 */
int anim_vmd_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/* Only components, angles and values relative to rest poses are converted. */
extern const struct anim_caps anim_vmd_caps;

/*
 * Return a sink for exactly one clip. Keys of lines and of curves that MikuMikuDance has, at whole frames, stay unchanged.
 * Other tracks are sampled 30 times a second. The tree gives the rest poses. The output is borrowed and not committed.
 * Return NULL on failure.
 */
struct anim_sink *anim_vmd_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/* Read the skeleton of a model into the sink as a tree without a clip (warning). Return 0, or -1 with the byte. */
int anim_mmd_model_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

#endif
