/* gltf.h: reads and writes glTF 2.0: .gltf, .glb, and .vrma, which is a GLB. */
#ifndef ANIM_FORMAT_GLTF_GLTF_H
#define ANIM_FORMAT_GLTF_GLTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/input.h"
#include "clip/caps.h"
#include "clip/sink.h"
#include "format/read.h"
#include "format/write.h"

/* Return whether the bytes begin a GLB, or JSON with an asset. */
bool anim_gltf_is(const uint8_t *bytes, size_t size);

/*
 * Read one file, also from a pipe, in one pass. Send its TREE and NODEs, then its clips, but do not end the sink. Keys
 * are exactly those of the accessors, with integers decoded to floats. Meshes, materials and images are skipped, and
 * image files never opened.
 *
 * A clip lasts from 0 to its largest time. It has axes gltf, source "gltf" and no loop. Tracks are Curves under plain
 * rules: Hold (STEP), Linear, or Hermite (CUBICSPLINE, with the in-tangent as `left` and the out-tangent as `right`).
 * Each morph target has a track `blend_shape/NAME`. `visible` and other bools are Discrete. Properties of
 * KHR_animation_pointer outside nodes have the pointer as their name, on node ".". An exception is the yfov of a
 * camera, which becomes `fov` in degrees on the first node with that camera. An expression of a VRM animation is
 * `expression/NAME` on ".".
 *
 * Attributes of NODEs: gltf.node (its index), gltf.name (if the name in the path differs), gltf.vrm (the bone of a
 * human, or lookAt), gltf.expression, gltf.look_offset, gltf.hidden. Attributes of TRAKs: gltf.component (for integers: "5122", or "5122
 * plain" if they are not normalised), gltf.pointer (for fov).
 *
 * Return 0, or -1 with the error. The sink receives only complete clips. With keep_going, clips with errors are left
 * out with a warning.
 */
int anim_gltf_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/*
 * Describe the content of a file other than nodes and animations: "2 meshes, a material and a skin". The text is empty
 * if there is none, or if anim-tools wrote the file. Return 0 or -1.
 */
int anim_gltf_describe(struct anim_input *, size_t store_memory, struct anim_held *, struct anim_error *);

/*
 * Return sinks for any number of clips (for a .vrma: one), as write.h describes. The output is borrowed and not
 * committed. Put filter/convert with anim_gltf_caps before them. Tracks must be Raw, Discrete or Curve with one mode
 * for all keys (Hold, Linear or Hermite), and their times must increase from the clip's start. Data that glTF cannot
 * store, or that need an option that is not set, are reported to diagnostics. With options->into.file the clips are put
 * into that file, .gltf or .glb, whatever its name is.
 */
extern const struct anim_caps anim_gltf_caps;
struct anim_sink *anim_gltf_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);
struct anim_sink *anim_glb_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);
struct anim_sink *anim_vrma_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/* Check that the file can be opened. The writer reads its document later. Return 0 or -1. */
int anim_gltf_into(struct anim_write_options *, struct anim_error *);

/*
 * Append a file's name as a URI, in which all bytes except letters, digits and "-._~" are percent-encoded:
 * "my%20walk.bin". Return 0 or -1.
 */
int anim_gltf_uri(struct anim_buffer *, const char *name, struct anim_error *);

#endif
