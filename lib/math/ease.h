/* ease.h: Godot's transition curves. */
#ifndef ANIM_MATH_EASE_H
#define ANIM_MATH_EASE_H

/*
 * Math::ease: x is clamped to 0..1; curve 1 is linear, above 1 slow at the start, 0..1 slow at the end, below 0 slow
 * at both; 0 stays at 0.
 */
double anim_ease(double x, double curve);

#endif
