/* motion.h: how one model moves in one stack, and the keys that show it. Private to this folder. */
#ifndef ANIM_FORMAT_FBX_MOTION_H
#define ANIM_FORMAT_FBX_MOTION_H

#include "clip/keys.h"
#include "format/fbx/scene.h"
#include "math/quaternion.h"

/* From the file's axes to ours, for models at the top: component i is sign[i] times the file's component axis[i]. */
struct fbx_space {
	unsigned axis[3];
	double sign[3];
	double turn[4]; /* the same as a rotation */
	bool is_turned;
	double unit_m;
};

/* Three components of a property in a layer: each a run of spans, or a constant. */
struct fbx_channels {
	const struct fbx_layer *layer;
	const struct fbx_span *spans[3]; /* NULL: the constant */
	size_t counts[3];
	double constants[3];
	const struct fbx_span *weight; /* of the layer; NULL: its constant */
	size_t weight_count;
	size_t near[4]; /* the span that was asked for last, of each component and of the weight */
};

/* What drives a model's transform. Channels are borrowed, in the order of their layers. */
struct fbx_motion {
	const struct fbx_model *model;
	const struct fbx_space *space;
	bool is_top;
	double tick_s;
	int64_t start; /* of the clip */
	struct fbx_channels *channels[FBX_TRANSFORMS];
	size_t counts[FBX_TRANSFORMS];
	/* What scales the parent of a model that does not inherit that (FBX_OWN_SCALE); NULL: no matter. */
	const struct fbx_model *parent;
	struct fbx_channels *parent_channels;
	size_t parent_count;
	size_t *work_left; /* how much work fbx_motion_fit may add to that of the file's own keys, over all tracks */
};

/* A transform in metres and our axes. */
struct fbx_pose {
	double position[3], rotation[4], scale[3];
};

/* The transform at a time, in ticks; `before`: what comes before a step at that time. */
void fbx_motion_at(const struct fbx_motion *, double time, bool before, struct fbx_pose *);

/* True if the property shows one layer's curves alone, unchanged; *channels: those. */
bool fbx_motion_is_plain(const struct fbx_motion *, unsigned transform, const struct fbx_channels **channels);

/* True if the position depends on more than translations: pivots while the model turns or grows. */
bool fbx_motion_is_pivoted(const struct fbx_motion *);

/* True if pivots and offsets move the model, be it by the same at all times. */
bool fbx_motion_has_arm(const struct fbx_motion *);

/* True if the model does not inherit its parent's scale, and that is not 1 at all times. */
bool fbx_motion_is_compensated(const struct fbx_motion *);

/* The order of rotation that counts, and whether rotations are more than angles of it. */
enum anim_euler_order fbx_model_order(const struct fbx_model *);
bool fbx_model_is_turned(const struct fbx_model *);

/* Compute the rotations that the properties of the model stand for. */
void fbx_model_settle(struct fbx_model *);

/*
 * Append Hermite keys that show FBX_T, FBX_R (as quaternions) or FBX_S of the motion. They have the times of all keys of the
 * file that take part, and as many times between as are necessary. The keys have as many components as their type.
 * *off: the largest error, in degrees for rotations, otherwise in metres or factors. For a scale that undoes the scale of its
 * parent, it includes the shear that a scale cannot undo. Return 0 or -1.
 */
int fbx_motion_fit(const struct fbx_motion *, unsigned transform, struct anim_keys *, double *off, struct anim_error *);

/*
 * Append Hold keys of type ANIM_BOOL that show whether the first component of FBX_T differs from 0. Return 1; 0 if that changes
 * between the times of the file's keys; -1.
 */
int fbx_motion_steps(const struct fbx_motion *, struct anim_keys *, struct anim_error *);

/*
 * Append the keys of channels as they are: component i of the keys is factor[i] times component from[i], plus offset[i]. Return
 * 1; 0 if the components do not share their times and modes: nothing is appended; -1. `only`: a component alone, or -1.
 */
struct fbx_map {
	unsigned from[3];
	double factor[3], offset[3];
};
int fbx_channels_keys(const struct fbx_channels *, const struct fbx_map *, int only, double tick_s, int64_t start,
		      struct anim_keys *, struct anim_error *);

#endif
