/* exact.c: segments, whole or cut, that are the same curve under another mode, without loss. */
#include "filter/convert/exact.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "math/curve.h"

static const struct convert_component even = {.x = {0, 1.0 / 3, 2.0 / 3, 1}};

/* The share of segment k that a handle takes. */
static double share_of(const struct anim_track *track, const float *column, size_t k, unsigned component, int bit)
{
	if (track->weighted == NULL || column == NULL || !(track->weighted[k] & bit))
		return 1.0 / 3;
	return (double)column[k * anim_types[track->type].components + component];
}

bool convert_is_even(const struct convert_component *l)
{
	return fabs(l->x[1] - 1.0 / 3) < 1e-6 && fabs(l->x[2] - 2.0 / 3) < 1e-6;
}

static void hold(struct convert_component *l, double value)
{
	for (int i = 0; i < 4; i++)
		l->y[i] = value;
}

/* The inner points from the columns of tangents or handles. */
static void bend(const struct anim_track *track, enum anim_interp mode, size_t k, unsigned component,
		 struct convert_component *l)
{
	double duration = (double)track->time[k + 1] - (double)track->time[k];
	double right = anim_component(track->type, track->right, k, component);
	double left = anim_component(track->type, track->left, k + 1, component);

	l->steps = !isfinite(right) || !isfinite(left);
	if (l->steps) {
		hold(l, l->y[0]);
		return;
	}
	l->cubic = true;
	if (mode == ANIM_WEIGHTED) {
		l->x[1] = share_of(track, track->right_x, k, component, 2);
		l->x[2] = 1 - share_of(track, track->left_x, k + 1, component, 1);
	} else if (mode == ANIM_BEZIER_2D) {
		l->x[1] = (double)track->right_x[k] / duration;
		l->x[2] = 1 + (double)track->left_x[k + 1] / duration;
	}
	if (mode == ANIM_CUBIC_BEZIER) {
		l->y[1] = right;
		l->y[2] = left;
	} else if (mode == ANIM_BEZIER_2D) {
		l->y[1] = l->y[0] + right;
		l->y[2] = l->y[3] + left;
	} else if (mode == ANIM_TANGENT || convert_is_even(l)) {
		l->y[1] = l->y[0] + right * (mode == ANIM_TANGENT ? 1.0 / 3 : duration / 3);
		l->y[2] = l->y[3] - left * (mode == ANIM_TANGENT ? 1.0 / 3 : duration / 3);
	} else {
		l->y[1] = l->y[0] + right * l->x[1] * duration;
		l->y[2] = l->y[3] - left * (1 - l->x[2]) * duration;
	}
}

bool convert_read_segment(const struct anim_track *track, size_t k, unsigned component, struct convert_component *l)
{
	enum anim_interp mode = track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(track, k);

	*l = even;
	hold(l, anim_component(track->type, track->value, k, component));
	if (mode == ANIM_HOLD)
		return true;
	l->y[3] = anim_component(track->type, track->value, k + 1, component);
	if (track->ease != NULL && track->ease[k] != 1)
		return false;
	if (mode == ANIM_LINEAR) {
		l->y[1] = l->y[0] + (l->y[3] - l->y[0]) / 3;
		l->y[2] = l->y[3] - (l->y[3] - l->y[0]) / 3;
		return !anim_types[track->type].quaternion;
	}
	if (mode < ANIM_TANGENT || mode > ANIM_BEZIER_2D || track->left == NULL || track->right == NULL)
		return false;
	bend(track, mode, k, component, l);
	return true;
}

/* The polynomial's polar form: its value where all three are one. */
static double blossom(const double p[4], double u, double v, double w)
{
	double a = p[0] + (p[1] - p[0]) * u, b = p[1] + (p[2] - p[1]) * u, c = p[2] + (p[3] - p[2]) * u;

	a += (b - a) * v;
	b += (c - b) * v;
	return a + (b - a) * w;
}

/* The control values of the part from u to v. */
static void cut(double p[4], double u, double v)
{
	const double q[4] = {blossom(p, u, u, u), blossom(p, u, u, v), blossom(p, u, v, v), blossom(p, v, v, v)};

	memcpy(p, q, sizeof q);
}

void convert_cut_component(struct convert_component *l, double from, double to)
{
	bool is_even = convert_is_even(l);
	double u = is_even ? from : anim_bezier_parameter(l->x[0], l->x[1], l->x[2], l->x[3], from);
	double v = is_even ? to : anim_bezier_parameter(l->x[0], l->x[1], l->x[2], l->x[3], to);
	double start, length;

	cut(l->y, u, v);
	if (is_even)
		return;
	cut(l->x, u, v);
	start = l->x[0];
	length = l->x[3] - start;
	for (int i = 0; i < 4; i++)
		l->x[i] = (l->x[i] - start) / length;
}

static bool is_godot(const struct anim_track *track)
{
	return track->rules == ANIM_RULES_GODOT4 || track->rules == ANIM_RULES_GODOT3;
}

/* Before the first key or behind the last. */
static bool read_end(const struct anim_track *track, bool first, double to, unsigned component,
		     struct convert_component *l)
{
	if (is_godot(track) || (first ? track->pre : track->post) != ANIM_EXTRAPOLATION_HOLD ||
	    (first && to > (double)track->time[0]))
		return false;
	hold(l, anim_component(track->type, track->value, first ? 0 : track->n - 1, component));
	return true;
}

/* The component between two times, false where it is no single polynomial there. */
static bool read_component(const struct anim_track *track, unsigned component, double from, double to,
			   struct convert_component *l)
{
	double start, length;
	ptrdiff_t k;
	bool whole;

	*l = (struct convert_component){.x = {0, 1.0 / 3, 2.0 / 3, 1}};
	if (track->kind == ANIM_RAW || (track->flags & ANIM_UNSORTED) || track->n == 0)
		return false;
	k = anim_find_key(track->time, track->n, from);
	if (k < 0 || (size_t)k + 1 == track->n)
		return read_end(track, k < 0, to, component, l);
	start = (double)track->time[k];
	length = (double)track->time[k + 1] - start;
	whole = from == start && to == start + length;
	/* Which keys behind a cut Godot plays, the rules alone know. */
	if (to > start + length || (!whole && is_godot(track)) || !convert_read_segment(track, (size_t)k, component, l))
		return false;
	l->whole = whole;
	if (!whole)
		convert_cut_component(l, (from - start) / length, (to - start) / length);
	return true;
}

/* A share beyond the segment by no more than the rounding of floats ends at its end. */
static double inside(double share)
{
	return share > 1 && share < 1 + 1e-6 ? 1 : share;
}

/* Handles that the target can say: none beyond the segment, and slopes that are numbers. */
static bool set_shares(const struct convert_component *l, struct convert_piece *piece)
{
	double right = inside(l->x[1]), left = inside(1 - l->x[2]);
	double most = (double)FLT_MAX * ((double)piece->to_s - (double)piece->from_s);

	if (!(right >= 0 && right <= 1 && left >= 0 && left <= 1) || fabs(l->y[1] - l->y[0]) > right * most ||
	    fabs(l->y[2] - l->y[3]) > left * most)
		return false;
	piece->weighted = true;
	piece->share[0] = right;
	piece->share[1] = left;
	return true;
}

/* Brings the control values of a rotation to the side that the values of the piece are on. */
static void turn(struct convert_component components[4], const double from[4], const double to[4])
{
	double first = 0, last = 0;

	for (int i = 0; i < 4; i++) {
		first += from[i] * components[i].y[0];
		last += to[i] * components[i].y[3];
	}
	for (int i = 0; i < 4; i++) {
		components[i].y[1] = first < 0 ? 0.0 - components[i].y[1] : components[i].y[1];
		components[i].y[2] = last < 0 ? 0.0 - components[i].y[2] : components[i].y[2];
	}
}

static bool read_components(const struct convert_source *s, enum anim_type type, const struct convert_piece *piece,
			    struct convert_component components[ANIM_COMPONENTS_MAX])
{
	bool cubic = false;

	for (unsigned i = 0; i < anim_types[type].components; i++) {
		const struct anim_track *track = s->tracks[s->joined ? i : 0];

		if (track == NULL) {
			components[i] = even;
			hold(&components[i], s->fixed[i]);
			continue;
		}
		if (!read_component(track, s->joined ? 0 : i, (double)piece->from_s, (double)piece->to_s,
				    &components[i]))
			return false;
		/* Keys of rotations are of length 1, what lies between them in a component's curve is not. */
		if (anim_types[type].quaternion && (!components[i].whole || components[i].steps))
			return false;
		for (int k = 0; k < 4; k++)
			components[i].y[k] = convert_in_unit(s, track, components[i].y[k]);
		cubic = cubic || components[i].cubic;
	}
	return cubic;
}

bool convert_exact(const struct convert_source *s, enum anim_type type, bool uneven, struct convert_span *span)
{
	struct convert_component components[ANIM_COMPONENTS_MAX];
	unsigned count = anim_types[type].components;
	struct convert_piece *piece = &span->piece;

	if (s->step != CONVERT_KEEP || !read_components(s, type, piece, components))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!convert_is_even(&components[i]) && (!uneven || count > 1 || !set_shares(&components[i], piece)))
			return false;
	if (anim_types[type].quaternion)
		turn(components, piece->from, piece->to);
	for (unsigned i = 0; i < count; i++) {
		piece->inner[0][i] = components[i].y[1];
		piece->inner[1][i] = components[i].y[2];
		if (span->jumps && !anim_types[type].quaternion)
			piece->to[i] = components[i].y[3];
	}
	return true;
}
