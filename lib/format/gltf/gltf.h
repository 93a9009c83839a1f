/* gltf.h: glTF 2.0: .gltf, .glb, and .vrma, which is a GLB. */
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

/* True where the window begins a GLB, or JSON that speaks of an asset. */
bool anim_gltf_is(const uint8_t *bytes, size_t size);

/*
 * Reads one file in one pass, from a pipe as from a file: its TREE and NODEs, then its clips, keys exactly as the accessors
 * have them (integers decoded to floats); no end. Meshes, materials and images are passed over, images never opened.
 *
 * A clip runs from 0 to its largest time, axes gltf, source "gltf", no loop. Tracks are Curves under plain rules: Hold (STEP),
 * Linear, Hermite (CUBICSPLINE; left the in-tangent, right the out-tangent); `blend_shape/NAME` for each morph target;
 * `visible` and other bools Discrete; what KHR_animation_pointer names beside nodes has the pointer as its property, on node
 * ".", but for a camera's yfov: `fov` in degrees of the first node with that camera. An expression of a VRM animation is
 * `expression/NAME` on ".".
 *
 * Attributes: NODE gltf.node (its index), gltf.name (where the name in the path is another), gltf.vrm (the bone of a human,
 * or lookAt), gltf.look_offset, gltf.hidden; TRAK gltf.component (of integers: "5122"; "5122 plain" where they are not normalised), gltf.pointer (of fov).
 *
 * 0, or -1 with the error: nothing but whole clips reaches the sink, with keep_going clips at fault are left out with a
 * warning.
 */
int anim_gltf_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

/* What a file holds beside nodes and animation: "2 meshes, a material and a skin"; empty: nothing, or a file of ours. 0 or -1. */
int anim_gltf_describe(struct anim_input *, size_t store_memory, size_t *clips, char *text, size_t capacity,
		       struct anim_error *);

/*
 * Sinks for any number of clips (a .vrma: one), as write.h has them; the output is borrowed and not committed. Put
 * filter/convert with anim_gltf_caps before them: Raw, Discrete and Curve tracks of one mode each, Hold, Linear or Hermite,
 * whose times rise from the clip's start on. What has no place in glTF, or belongs to an option that is not set, goes to
 * diagnostics. With options->into.file the clips go into that file, .gltf or .glb, whatever it is called.
 */
extern const struct anim_caps anim_gltf_caps;
struct anim_sink *anim_gltf_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);
struct anim_sink *anim_glb_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);
struct anim_sink *anim_vrma_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/* Whether the file can be opened at all: its own document is looked at when the writer begins. 0 or -1. */
int anim_gltf_into(struct anim_write_options *, struct anim_error *);

/* Appends a file's name as a URI, in which most bytes are written by their numbers: "my%20walk.bin". 0 or -1. */
int anim_gltf_uri(struct anim_buffer *, const char *name, struct anim_error *);

#endif
