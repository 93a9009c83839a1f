/* squad.h: where a cubic rotation of Godot 3 jumps by itself. Internal to convert. */
#ifndef ANIM_FILTER_CONVERT_SQUAD_H
#define ANIM_FILTER_CONVERT_SQUAD_H

#include "filter/convert/source.h"

/*
 * Between two times in one segment of the source, its last slerp stays at its start for one part and not for the other:
 * 1 with *low and *high the neighbouring floats where that changes first; 0 where it does not, -1. *leap: how far the
 * curve jumps there at the most, degrees, or flickers where it hardly comes so near; else as it was.
 */
int convert_squad_jump(struct convert_source *, float *low, float *high, double *leap, struct anim_error *);

#endif
