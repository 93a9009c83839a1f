/* unity.h: reader of .anim .controller .overrideController .prefab .unity .asset .playable as text, writer of .anim. */
#ifndef ANIM_FORMAT_UNITY_UNITY_H
#define ANIM_FORMAT_UNITY_UNITY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/input.h"
#include "base/output.h"
#include "clip/caps.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"
#include "format/read.h"
#include "format/write.h"

/*
 * Read one file into the sink: TREE and NODEs if it has GameObjects, then its clips and those that its players lead to,
 * without end(). Returns 0, or -1 with an error, or -1 after faults in the diagnostics; the error then has their
 * number. Only complete clips reach the sink.
 */
int anim_unity_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/*
 * Return true if the window begins such a file: %YAML or %TAG lines, comments, then "--- !u!", whatever comes before.
 */
bool anim_unity_is(const uint8_t *bytes, size_t size);

/*
 * Describe the contents of a file other than animation clips: "3 GameObjects and 2 MonoBehaviours", or an empty text if
 * there is nothing else. Returns 0 or -1.
 */
int anim_unity_describe(struct anim_input *, size_t store_memory, struct anim_held *, struct anim_error *);

/*
 * Read a .unitypackage into the sink, without end(). Each clip in it is read once, without nodes, in the order of the
 * paths of the assets. With options->asset, the assets whose path matches are read instead like unpacked files: with
 * their nodes and with the clips that they lead to. References to other assets are followed inside the package. The
 * attribute `file` of a clip, or the source of its TREE, is the path in the package. Returns 0 or -1.
 */
int anim_unity_package_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *,
			    struct anim_error *);

/*
 * Read a model with import settings of Unity beside it ("Hero.fbx.meta"): its nodes, and the clips that Unity makes of its
 * takes. The model itself is read with options->other. Returns 0 or -1. Returns 1 if the
 * settings make no clips, and nothing was read.
 */
int anim_unity_model_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *,
			  struct anim_error *);

/*
 * Read a glTF file with import settings of the package UnityGLTF beside it ("Hero.glb.meta"), whose clips loop as the settings
 * say. `other` reads the file itself. Returns 0 or -1. Returns 1 without such settings, and nothing was read.
 */
int anim_unity_gltf_read(struct anim_input *, const struct anim_read_options *, const struct anim_read_other *other,
			 struct anim_sink *, struct anim_error *);

struct anim_graph;

/*
 * Read the structure of the first AnimatorController in a file into an empty graph. Returns 1, 0 if the file has none, or -1.
 * Clear the graph in all cases.
 */
int anim_unity_graph(struct anim_input *, const struct anim_read_options *, struct anim_graph *, struct anim_error *);

/* ---- Writing ---- */

/* The capabilities of the writer. */
extern const struct anim_caps anim_unity_caps;

/*
 * Create a sink for exactly one clip. A second clip is an error: the caller chooses (filter/pick.h). end() writes one
 * AnimationClip document of version 6, which editors from 5.5 on load. It fails if no clip came or diagnostics forbid
 * it. Unity's own fields that are kept in attributes of the clip and its tracks are written back in their original
 * places.
 *
 * Keys of Hermite and Weighted curves are written unchanged. Hold becomes infinite slopes. Linear becomes the slope of
 * the line on both sides. Euler angles in radians become degrees, and blend shapes that are fractions become percent.
 * Types and modes that the format cannot store are errors (ANIM_UNSUPPORTED): put filter/convert with anim_unity_caps
 * before the sink. Tracks without a Unity curve are dropped with a warning. The output is borrowed and not committed.
 * Returns NULL on failure.
 */
struct anim_sink *anim_unity_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/* 32 hexadecimal digits and a NUL, by which Unity identifies assets. */
#define ANIM_UNITY_GUID 33

/* Return true for 32 hexadecimal digits. */
bool anim_unity_guid_is(const char *text);

/*
 * Make the guid of a clip in a file: FNV-1a of 128 bits over the name of the file, a zero byte and the name of the
 * clip. The same names always give the same guid.
 */
void anim_unity_guid(const char *file, const char *clip, char guid[ANIM_UNITY_GUID]);

/*
 * Open PATH.meta for an .anim at PATH, and write a .meta file that gives it this guid. The caller commits it. guid
 * NULL: the guid is made from the clip and the path of the file below the nearest folder that contains Assets/
 * ("Assets/hero/walk.anim"), or the last name of the path if no such folder exists. If the file already exists with
 * exactly these bytes, *out is NULL and the result is 0. If it has other bytes, it is an error unless `force`. Returns
 * 0, or -1 with *out to free.
 */
int anim_unity_meta_open(struct anim_output **out, const char *path, const char *guid, const char *clip, bool force,
			 struct anim_error *);

/* Check that the file that options->into names can be read. Returns 0 or -1. */
int anim_unity_into(struct anim_write_options *, struct anim_error *);

#endif
