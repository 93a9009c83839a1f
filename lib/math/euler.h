/* euler.h: rotations as three angles about the axes, in the six orders. */
#ifndef ANIM_MATH_EULER_H
#define ANIM_MATH_EULER_H

/*
 * Named as Godot names them, in the order of its numbers: ABC is the matrix product A B C, so C turns first. Unity's
 * fixed order (z, then x, then y) is YXZ, Godot's default too.
 */
enum anim_euler_order {
	ANIM_EULER_XYZ,
	ANIM_EULER_XZY,
	ANIM_EULER_YXZ,
	ANIM_EULER_YZX,
	ANIM_EULER_ZXY,
	ANIM_EULER_ZYX,
	ANIM_EULER_ORDER_COUNT
};

extern const char *const anim_euler_order_names[ANIM_EULER_ORDER_COUNT];
int anim_euler_order_find(const char *name); /* "YXZ" -> ANIM_EULER_YXZ; -1 for another text or NULL */

/* Angles in radians about x, y, z (in that order whatever the order of turning); computed in double, rounded once. */
void anim_quat_from_euler(float q[4], const float angles[3], enum anim_euler_order);
void anim_quat_from_euler_double(double q[4], const double angles[3], enum anim_euler_order);

/*
 * The angles of a rotation of any length but 0; the middle one within a quarter turn. Where it is a quarter turn
 * (gimbal lock) the angle of the last axis is 0.
 */
void anim_euler_from_quat_double(double angles[3], const double q[4], enum anim_euler_order);

#endif
