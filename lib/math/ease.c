/* ease.c: Godot's transition curves. */
#include "math/ease.h"
#include "math/elementary.h"

double anim_ease(double x, double curve)
{
	x = x < 0 ? 0 : x > 1 ? 1 : x;
	if (curve >= 1)
		return anim_pow(x, curve);
	if (curve > 0)
		return 1 - anim_pow(1 - x, 1 / curve);
	if (!(curve < 0))
		return 0;
	if (x < 0.5)
		return anim_pow(x * 2, -curve) * 0.5;
	return (1 - anim_pow(1 - (x - 0.5) * 2, -curve)) * 0.5 + 0.5;
}
