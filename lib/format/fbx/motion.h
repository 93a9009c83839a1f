/* motion.h: evaluates the motion of one model in one stack, and makes keys that show it. Private to this folder. */
#ifndef ANIM_FORMAT_FBX_MOTION_H
#define ANIM_FORMAT_FBX_MOTION_H

#include "clip/keys.h"
#include "format/fbx/scene.h"
#include "math/quaternion.h"

/*
 * Conversion from the axes of the file to Y up, for models at the top. Component i is sign[i] times component axis[i]
 * of the file.
 */
struct fbx_space {
	unsigned axis[3];
	double sign[3];
	double rotation[4]; /* the same conversion as a quaternion */
	bool is_rotated;
	double unit_m;
};

/* The three components of a property in one layer. Each is a list of spans or a constant. */
struct fbx_channels {
	const struct fbx_layer *layer;
	const struct fbx_span *spans[3]; /* NULL: constant */
	size_t counts[3];
	double constants[3];
	const struct fbx_span *weight; /* of the layer, or NULL if it is constant */
	size_t weight_count;
	size_t near[4]; /* index of the last span used, for each component and for the weight */
};

/*
 * The space of a node below which scales may be inherited along axes, or not at all. A chain of translations, rotations and
 * scales has other axes, because uneven scales shear it.
 */
struct fbx_frame {
	double scale[3], inherited[3]; /* the true scale along the node's own axes, and the inherited part of it */
	double off[3][3];              /* columns: the true axes, as seen from the axes that are written */
	double shown[3][3];            /* columns: the axes that are written, as seen from the root */
};

/* The inputs of a model's transform. Channels are borrowed and in the order of their layers. */
struct fbx_motion {
	const struct fbx_model *model;
	const struct fbx_space *space;
	bool is_top;
	double tick_s;
	int64_t start; /* of the clip, in ticks */
	struct fbx_channels *channels[FBX_TRANSFORMS];
	size_t counts[FBX_TRANSFORMS];
	/*
	 * The rotations and scales of all models above this one, from the top, if they change its scale in another way
	 * than by their matrices. If they also change its position, `is_moved` is set. Otherwise above_count is 0.
	 */
	const struct fbx_motion *above;
	size_t above_count;
	bool is_moved;
	double *sheared_deg; /* the largest angle between a true and a written axis, if above_count is not 0 */
	/* Work that fbx_motion_fit may add to that of the file's own keys, for all tracks together. */
	size_t *work_left;
};

/* A transform in metres, Y up. */
struct fbx_pose {
	double position[3], rotation[4], scale[3];
};

/* Evaluate the transform at a time in ticks. `before`: take the value before a step at that time. */
void fbx_motion_at(const struct fbx_motion *, double time, bool before, struct fbx_pose *);

/* Return true if the property is exactly the curves of one layer. *channels: these curves. */
bool fbx_motion_is_plain(const struct fbx_motion *, unsigned transform, const struct fbx_channels **channels);

/* Return true if the position depends on rotations or scales, because of pivots. */
bool fbx_motion_is_pivoted(const struct fbx_motion *);

/* Return true if pivots or offsets move the model, even if they do so by a constant distance. */
bool fbx_motion_has_arm(const struct fbx_motion *);

/* The frame of the root. */
extern const struct fbx_frame fbx_frame_root;

/*
 * Compute the frame of a node from the frame of its parent, its rotation, and its scale. Change the scale to the one
 * that a chain of translations, rotations and scales needs, as near as possible. Return the largest angle between a true
 * and a written axis, in degrees.
 */
double fbx_frame_below(const struct fbx_frame *parent, const struct fbx_model *, const double rotation[4],
		       double scale[3], struct fbx_frame *);

/* Change a position below a node, so that it is right below the axes that are written. */
void fbx_frame_move(const struct fbx_frame *parent, double position[3]);

/* Return the effective rotation order of the model, and whether its rotation is more than its three angles. */
enum anim_euler_order fbx_model_order(const struct fbx_model *);
bool fbx_model_is_rotated(const struct fbx_model *);

/*
 * Return the order of the model's angles if a track can keep them, otherwise -1. Angle i of the track is the model's
 * angle from[i] times sign[i], plus offset[i] in degrees.
 */
int fbx_model_angles(const struct fbx_model *, unsigned from[3], double sign[3], double offset[3]);

/* Compute the rotations around the model's own one, from its properties, its kind and the kind of its parent. */
void fbx_model_set_rotations(struct fbx_model *);

/*
 * Append Hermite keys that show FBX_T, FBX_R (as quaternions) or FBX_S of the motion. They have the times of all keys
 * of the file that take part, and as many times between as are necessary. The keys have as many components as their
 * type. *off: the largest error, in degrees for rotations, otherwise in metres or factors. Return 1, 0 (with nothing
 * appended) if models above take part and this is too much work, or -1 on error.
 */
int fbx_motion_fit(const struct fbx_motion *, unsigned transform, struct anim_keys *, double *off, struct anim_error *);

/*
 * Append Hold keys of type ANIM_BOOL that show whether the first component of FBX_T differs from 0. Return 1, 0 if
 * this changes between the times of the file's keys, or -1 on error.
 */
int fbx_motion_steps(const struct fbx_motion *, struct anim_keys *, struct anim_error *);

/*
 * Append the keys of channels without fitting. Component i of the keys is factor[i] times component from[i], plus
 * offset[i]. `only`: a single component, or -1 for all. Return 1, 0 (with nothing appended) if the components have
 * different times or modes, or -1 on error.
 */
struct fbx_map {
	unsigned from[3];
	double factor[3], offset[3];
};
int fbx_channels_keys(const struct fbx_channels *, const struct fbx_map *, int only, double tick_s, int64_t start,
		      struct anim_keys *, struct anim_error *);

#endif
