/* mode.c: the mode that a target writes cubics in. */
#include "filter/convert/fit.h"

/* The source is one component with a curve whose handles have times of their own. */
static bool is_uneven(const struct convert_fit *fit)
{
	const struct anim_track *track = convert_source_first(fit->source);

	return anim_types[fit->type].components == 1 && !fit->source->joined && track->kind == ANIM_CURVE &&
	       (anim_track_has_interp(track, ANIM_WEIGHTED) || anim_track_has_interp(track, ANIM_BEZIER_2D));
}

enum anim_interp convert_even_cubic(const struct convert_fit *fit)
{
	static const enum anim_interp cubics[] = {ANIM_CUBIC_BEZIER, ANIM_HERMITE, ANIM_WEIGHTED, ANIM_BEZIER_2D};
	bool single = anim_types[fit->type].components == 1;

	for (size_t i = 0; i < sizeof cubics / sizeof *cubics; i++)
		if ((fit->caps->interps & 1u << cubics[i]) && (cubics[i] != ANIM_BEZIER_2D || single))
			return cubics[i];
	return ANIM_INTERP_COUNT;
}

enum anim_interp convert_best_cubic(const struct convert_fit *fit)
{
	static const enum anim_interp handles[] = {ANIM_WEIGHTED, ANIM_BEZIER_2D};

	for (size_t i = 0; i < sizeof handles / sizeof *handles && is_uneven(fit); i++)
		if (fit->caps->interps & 1u << handles[i])
			return handles[i];
	return convert_even_cubic(fit);
}
