/* convert_exact.h: segments that are the same curve under another mode, without loss. Internal to convert. */
#ifndef ANIM_FILTER_CONVERT_EXACT_H
#define ANIM_FILTER_CONVERT_EXACT_H

#include "clip/blend.h"

/*
 * The inner control values of the cubic Bezier polynomial, even in time, that the segment from key k to key k + 1 is:
 * Hermite, CubicBezier, Tangent, Weighted with handles of a third, Bezier2D with both handles at a third of the
 * segment. False for others.
 */
bool convert_exact(const struct anim_track *, size_t k, double inner[2][ANIM_LANES_MAX]);

#endif
