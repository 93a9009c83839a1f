/* direct.c: tracks that are curves of the target as they stand, key for key. */
#include "filter/convert/direct.h"

#include <float.h>
#include <math.h>

#include "clip/keys.h"
#include "filter/convert/exact.h"

/* Players that compute a cubic as what it is; Godot's solve for a time even where none is to be found. */
static bool is_exact(enum anim_rules rules)
{
	return rules == ANIM_RULES_PLAIN || rules == ANIM_RULES_UNITY || rules == ANIM_RULES_RESONITE;
}

/* The outer keys hold, and nothing of the track lies outside the clip. */
static bool is_inside(const struct convert_fit *fit, const struct anim_track *track)
{
	const struct anim_clip *clip = fit->source->clip;
	bool lasts = clip->end_s > clip->start_s;

	if (track->pre != ANIM_EXTRAPOLATION_HOLD || track->post != ANIM_EXTRAPOLATION_HOLD)
		return false;
	return track->time[0] >= clip->start_s && (!lasts || track->time[track->n - 1] <= clip->end_s);
}

static bool is_direct(const struct convert_fit *fit, enum anim_interp cubic)
{
	const struct convert_source *s = fit->source;
	const struct anim_track *track = s->tracks[0];
	unsigned modes = 1u << ANIM_HOLD | 1u << cubic;

	if (s->joined || s->step != CONVERT_KEEP || track->kind != ANIM_CURVE || track->n < 2)
		return false;
	if ((track->flags & ANIM_UNSORTED) || track->ease != NULL || !is_exact(track->rules) ||
	    !is_exact(fit->caps->rules) || !is_inside(fit, track))
		return false;
	if (track->interp < ANIM_TANGENT || track->interp > ANIM_WEIGHTED ||
	    (track->interp == ANIM_TANGENT && track->rules != ANIM_RULES_RESONITE))
		return false;
	return (cubic == ANIM_CUBIC_BEZIER || cubic == ANIM_HERMITE) && fit->caps->mixed_interps &&
	       (fit->caps->interps & modes) == modes;
}

/* The segment that key k opens: 1, 0 where it is no cubic of the target or not the same in all components. */
static int read_piece(const struct convert_fit *fit, enum anim_interp cubic, size_t k, struct convert_piece *piece)
{
	const struct anim_track *track = fit->source->tracks[0];
	unsigned components = anim_types[fit->type].components, held = 0;
	struct convert_component component;

	piece->from_s = track->time[k];
	piece->to_s = track->time[k + 1];
	if (!(piece->to_s > piece->from_s))
		return 0;
	for (unsigned i = 0; i < components; i++) {
		if (!convert_read_segment(track, k, i, &component) || !convert_is_even(&component))
			return 0;
		held += component.steps;
		for (int point = 0; point < 4; point++) {
			component.y[point] = convert_in_unit(fit->source, track, component.y[point]);
			if (!(fabs(component.y[point]) <= (double)FLT_MAX))
				return 0;
		}
		piece->from[i] = component.y[0];
		piece->inner[0][i] = component.y[1];
		piece->inner[1][i] = component.y[2];
		piece->to[i] = component.y[3];
	}
	piece->mode = held == 0 ? cubic : ANIM_HOLD;
	return held == 0 || held == components;
}

/* The last key, which opens no segment. 1, 0, -1. */
static int add_last(struct convert_fit *fit, struct anim_error *error)
{
	const struct anim_track *track = fit->source->tracks[0];
	struct convert_piece piece = {.from_s = track->time[track->n - 1], .mode = ANIM_HOLD};

	for (unsigned i = 0; i < anim_types[fit->type].components; i++) {
		double v = anim_component(track->type, track->value, track->n - 1, i);

		piece.from[i] = convert_in_unit(fit->source, track, v);
		if (!(fabs(piece.from[i]) <= (double)FLT_MAX))
			return 0;
	}
	return convert_keys_add(fit->keys, &piece, error) != 0 ? -1 : 1;
}

int convert_direct(struct convert_fit *fit, enum anim_interp cubic, struct anim_error *error)
{
	struct convert_piece piece = {0};
	int result = is_direct(fit, cubic);

	convert_keys_reset(fit->keys, fit->type, cubic, cubic);
	for (size_t k = 0; result == 1 && k + 1 < fit->source->tracks[0]->n; k++) {
		result = read_piece(fit, cubic, k, &piece);
		if (result == 1 && convert_keys_add(fit->keys, &piece, error) != 0)
			result = -1;
	}
	return result == 1 ? add_last(fit, error) : result;
}
