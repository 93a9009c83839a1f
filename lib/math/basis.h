/* basis.h: rotation, scale and shear as matrices, row-major: m[3 * row + column]; the columns are the axes. */
#ifndef ANIM_MATH_BASIS_H
#define ANIM_MATH_BASIS_H

#include <stdbool.h>

void anim_basis_from_quat(float m[9], const float q[4]); /* of any length but 0: treated as normalised */

/*
 * Invert a basis in place; its rows are `stride` numbers apart. Returns false, with m unchanged, if it has no
 * inverse.
 */
bool anim_basis_invert(double *m, unsigned stride);

/*
 * Compute Godot's Basis::get_quaternion, for matrices that are rotations: w is positive if the trace is. Godot's
 * cubics start from the sign that it chooses.
 */
void anim_quat_from_basis_godot(float q[4], const float m[9]);

/* Compute Godot's get_rotation_quaternion, which orthonormalises first. */
void anim_basis_rotation(float q[4], const float m[9]);

/*
 * Convert a 4x4 matrix: rows of basis and origin, the last row 0 0 0 1 (Godot's Transform3D). Shear is lost. The
 * rotation has length 1, also if axes have length 0.
 */
void anim_transform_decompose(float position[3], float rotation[4], float scale[3], const float m[16]);
void anim_transform_compose(float m[16], const float position[3], const float rotation[4], const float scale[3]);

/* An affine transform in double precision: rows of basis and origin. */
struct anim_rows {
	double row[3][4];
};

/* Return the product: b is applied first. */
struct anim_rows anim_rows_multiply(const struct anim_rows *a, const struct anim_rows *b);
/* Invert in place. Returns false, with the transform unchanged, if it has no inverse. */
bool anim_rows_invert(struct anim_rows *);
/* Return the transform of a position, a rotation (4 numbers) and a scale, composed in float. */
struct anim_rows anim_rows_compose(const float *position, const float *rotation, const float *scale);

/* Compute the rotation of a transform of three rows of four numbers: of its axes, each with length 1. */
void anim_rows_rotation(double q[4], const double *rows);

/* Interpolate like Godot's Transform3D::interpolate_with, and like 3.x between two Basis. */
void anim_transform_interpolate(float out[16], const float from[16], const float to[16], float weight);
void anim_basis_interpolate(float out[9], const float from[9], const float to[9], float weight);

/*
 * Interpolate 3x3 matrices (columns x axis, y axis, origin, the last row 0 0 1) like Transform2D::interpolate_with of
 * Godot 4 and 3.6. Earlier versions of 3.x lost the skew.
 */
void anim_transform2d_interpolate(float out[9], const float from[9], const float to[9], float weight);

#endif
