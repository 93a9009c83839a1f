/* merge.c: curves of single components under the target's rules, as one curve of them all with the keys of each. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/convert/exact.h"
#include "filter/convert/internal.h"

#define THIRD (1.0f / 3) /* the weight of a side that is not weighted */
#define COMPONENTS 3u    /* of what is merged */

/* Bits of a key that has handles of their own lengths. */
#define WEIGHTED_LEFT 1u
#define WEIGHTED_RIGHT 2u

/* What a component does between two neighbouring times. */
enum way { FLAT, STEPS, STRAIGHT, BENDS };

/* A component, or the number that it stays at. */
struct part {
	const struct anim_track *track; /* NULL: fixed */
	float fixed;
	size_t next; /* its first key behind the time at hand */
};

/* The key at hand; `left` and its like are of the segment before it. */
struct row {
	float value[COMPONENTS], left[COMPONENTS], right[COMPONENTS], left_x[COMPONENTS], right_x[COMPONENTS];
	uint8_t weighted, mode;
};

/* The columns as they grow; all have room for every key of every component. */
struct whole {
	struct part parts[COMPONENTS];
	float *time, *value, *left, *right, *left_x, *right_x;
	uint8_t *weighted, *modes;
	size_t n;
};

static float value_of(const struct anim_track *t, size_t k)
{
	return ((const float *)t->value)[k];
}

bool convert_may_merge(const struct convert *c, const struct anim_component_group *group)
{
	const struct anim_track *first = anim_components_first(group);

	if (!convert_stands_alone(c, first))
		return false;
	for (unsigned i = 0; i < ANIM_COMPONENTS_JOINED; i++) {
		const struct anim_track *t = &group->tracks[i];
		bool ends = t->pre != ANIM_EXTRAPOLATION_HOLD || t->post != ANIM_EXTRAPOLATION_HOLD;

		if (!group->there[i])
			continue;
		if (i >= COMPONENTS || t->type != ANIM_FLOAT || t->kind == ANIM_RAW || t->n == 0 ||
		    (t->flags & ANIM_UNSORTED) || t->flags != first->flags || t->pre != first->pre ||
		    t->post != first->post)
			return false;
		if (ends && (t->time[0] != first->time[0] || t->time[t->n - 1] != first->time[first->n - 1]))
			return false;
	}
	return true;
}

/* The earliest key that no component has passed; false where all are done. */
static bool next_time(const struct whole *w, float *at)
{
	bool found = false;

	for (unsigned i = 0; i < COMPONENTS; i++) {
		const struct part *p = &w->parts[i];

		if (p->track == NULL || p->next >= p->track->n || (found && p->track->time[p->next] >= *at))
			continue;
		*at = p->track->time[p->next];
		found = true;
	}
	return found;
}

/* Passes the component's keys at a time: how many. */
static size_t pass_keys(struct part *p, float at)
{
	size_t before = p->next;

	while (p->track != NULL && p->next < p->track->n && p->track->time[p->next] == at)
		p->next++;
	return p->next - before;
}

/* The slope of a handle that takes `share` of the seconds; a handle of no length has none. */
static float slope(double rise, double share, double seconds)
{
	double value = rise == 0 ? 0 : rise / (share * seconds);

	return isfinite(value) ? (float)value : 0;
}

/* The part of a component's segment between two times that do not both have keys of it. */
static void read_cut(const struct anim_track *t, size_t k, const float time_s[2], struct convert_component *l)
{
	double start = (double)t->time[k], length = (double)t->time[k + 1] - start;

	convert_cut_component(l, ((double)time_s[0] - start) / length, ((double)time_s[1] - start) / length);
}

/* Both handles of component i: the floats themselves of a segment that is not cut. */
static void put_handles(const struct anim_track *t, size_t k, unsigned i, const struct convert_component *l, bool whole,
			const float time_s[2], struct row *from, struct row *to)
{
	double seconds = (double)time_s[1] - (double)time_s[0];
	bool weighs = t->weighted != NULL && anim_track_interp(t, k) == ANIM_WEIGHTED;
	unsigned right = weighs ? t->weighted[k] & WEIGHTED_RIGHT : 0;
	unsigned left = weighs ? t->weighted[k + 1] & WEIGHTED_LEFT : 0;

	if (!whole && (right || left)) {
		right = WEIGHTED_RIGHT;
		left = WEIGHTED_LEFT;
	}
	from->weighted |= (uint8_t)right;
	to->weighted |= (uint8_t)left;
	if (whole) {
		from->right[i] = ((const float *)t->right)[k];
		to->left[i] = ((const float *)t->left)[k + 1];
		from->right_x[i] = right ? t->right_x[k] : THIRD;
		to->left_x[i] = left ? t->left_x[k + 1] : THIRD;
		return;
	}
	from->right[i] = slope(l->y[1] - l->y[0], l->x[1], seconds);
	to->left[i] = slope(l->y[3] - l->y[2], 1 - l->x[2], seconds);
	from->right_x[i] = right ? (float)fmin(fmax(l->x[1], 0), 1) : THIRD;
	to->left_x[i] = left ? (float)fmin(fmax(1 - l->x[2], 0), 1) : THIRD;
}

/* What component i does between two times: its value at the second, and its handles where it bends. */
static enum way read_part(const struct part *p, unsigned i, const float time_s[2], struct row *from, struct row *to)
{
	const struct anim_track *t = p->track;
	size_t k = p->next > 0 ? p->next - 1 : 0;
	struct convert_component component;
	enum anim_interp mode;
	bool whole;

	to->value[i] = from->value[i];
	if (t == NULL || p->next == 0 || p->next == t->n)
		return FLAT;
	mode = t->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(t, k);
	whole = t->time[k] == time_s[0] && t->time[k + 1] == time_s[1];
	if (!convert_read_segment(t, k, 0, &component) || mode == ANIM_HOLD || component.steps)
		return STEPS;
	if (!whole)
		read_cut(t, k, time_s, &component);
	to->value[i] = whole ? value_of(t, k + 1) : (float)component.y[3];
	if (mode == ANIM_LINEAR)
		return STRAIGHT;
	put_handles(t, k, i, &component, whole, time_s, from, to);
	return BENDS;
}

/* A component that does not bend, beside others that do. */
static void straighten(enum way way, unsigned i, const float time_s[2], struct row *from, struct row *to)
{
	double seconds = (double)time_s[1] - (double)time_s[0];
	float rise = slope((double)to->value[i] - (double)from->value[i], 1, seconds);

	if (way == BENDS)
		return;
	from->right[i] = way == STEPS ? INFINITY : way == STRAIGHT ? rise : 0;
	to->left[i] = way == STRAIGHT ? rise : 0;
}

/* The segment between two times; from->mode is set, `to` has what comes in. A step that leads nowhere is no step. */
static void read_segment(const struct whole *w, const float time_s[2], struct row *from, struct row *to)
{
	enum way ways[COMPONENTS], most = FLAT;
	bool steps = false, bends;

	for (unsigned i = 0; i < COMPONENTS; i++) {
		const struct part *p = &w->parts[i];

		ways[i] = read_part(p, i, time_s, from, to);
		if (ways[i] == STEPS &&
		    (p->track->time[p->next] > time_s[1] || value_of(p->track, p->next) == from->value[i]))
			ways[i] = FLAT;
		steps = steps || ways[i] == STEPS;
		most = ways[i] > most ? ways[i] : most;
	}
	bends = most == BENDS || (most == STRAIGHT && steps);
	from->mode = bends ? ANIM_WEIGHTED : most == STRAIGHT ? ANIM_LINEAR : ANIM_HOLD;
	for (unsigned i = 0; i < COMPONENTS && bends; i++)
		straighten(ways[i], i, time_s, from, to);
}

static void put_row(struct whole *w, float at, const struct row *row)
{
	size_t k = w->n++;

	w->time[k] = at;
	memcpy(w->value + COMPONENTS * k, row->value, sizeof row->value);
	memcpy(w->left + COMPONENTS * k, row->left, sizeof row->left);
	memcpy(w->right + COMPONENTS * k, row->right, sizeof row->right);
	memcpy(w->left_x + COMPONENTS * k, row->left_x, sizeof row->left_x);
	memcpy(w->right_x + COMPONENTS * k, row->right_x, sizeof row->right_x);
	w->weighted[k] = row->weighted;
	w->modes[k] = row->mode;
}

static void empty_row(struct row *row, const float value[COMPONENTS])
{
	memset(row, 0, sizeof *row);
	row->mode = ANIM_HOLD;
	memcpy(row->value, value, sizeof row->value);
	for (unsigned i = 0; i < COMPONENTS; i++)
		row->left_x[i] = row->right_x[i] = THIRD;
}

/*
 * The components' own keys at a time. Where one has several keys there, all that counts is the first, which ends what was
 * before, and the last: two keys are put.
 */
static void meet_keys(struct whole *w, float at, struct row *row)
{
	struct row last = *row;
	bool twice = false;

	for (unsigned i = 0; i < COMPONENTS; i++) {
		struct part *p = &w->parts[i];
		size_t first = p->next, keys = pass_keys(p, at);

		if (keys == 0)
			continue;
		row->value[i] = value_of(p->track, first);
		last.value[i] = value_of(p->track, p->next - 1);
		twice = twice || keys > 1;
	}
	if (!twice)
		return;
	row->mode = ANIM_HOLD;
	put_row(w, at, row);
	empty_row(row, last.value);
}

static void merge(struct whole *w)
{
	struct row row, to;
	float time_s[2], start[COMPONENTS];

	for (unsigned i = 0; i < COMPONENTS; i++)
		start[i] = w->parts[i].track != NULL ? value_of(w->parts[i].track, 0) : w->parts[i].fixed;
	empty_row(&row, start);
	if (!next_time(w, &time_s[0]))
		return;
	meet_keys(w, time_s[0], &row);
	while (next_time(w, &time_s[1])) {
		empty_row(&to, row.value);
		read_segment(w, time_s, &row, &to);
		put_row(w, time_s[0], &row);
		row = to;
		meet_keys(w, time_s[1], &row);
		time_s[0] = time_s[1];
	}
	row.mode = w->n > 0 ? w->modes[w->n - 1] : ANIM_HOLD;
	put_row(w, time_s[0], &row);
}

/* The last key's mode is that of the segment before it; handles that are nowhere weighted make plain cubics. */
static void put_columns(const struct convert *c, struct whole *w, struct anim_track *out)
{
	bool same = true, cubic = false, discrete = true;
	uint8_t weighted = 0;

	for (size_t k = 0; k < w->n; k++)
		weighted |= w->weighted[k];
	for (size_t k = 0; k < w->n; k++) {
		if (w->modes[k] == ANIM_WEIGHTED && weighted == 0)
			w->modes[k] = ANIM_HERMITE;
		same = same && w->modes[k] == w->modes[0];
		cubic = cubic || w->modes[k] == ANIM_HERMITE || w->modes[k] == ANIM_WEIGHTED;
	}
	for (unsigned i = 0; i < COMPONENTS; i++)
		discrete = discrete && (w->parts[i].track == NULL || w->parts[i].track->kind == ANIM_DISCRETE);
	out->kind = discrete && (c->caps.kinds & 1u << ANIM_DISCRETE) ? ANIM_DISCRETE : ANIM_CURVE;
	out->n = w->n;
	out->time = w->time;
	out->value = w->value;
	out->interp = same || discrete ? w->modes[0] : ANIM_INTERP_COLUMN;
	out->interps = same || discrete ? NULL : w->modes;
	out->left = cubic ? w->left : NULL;
	out->right = cubic ? w->right : NULL;
	out->left_x = cubic && weighted ? w->left_x : NULL;
	out->right_x = cubic && weighted ? w->right_x : NULL;
	out->weighted = cubic && weighted ? w->weighted : NULL;
}

static int make_room(struct convert *c, struct whole *w, struct anim_error *error)
{
	float **columns[] = {&w->value, &w->left, &w->right, &w->left_x, &w->right_x};
	size_t n = 0;

	for (unsigned i = 0; i < COMPONENTS; i++)
		n += w->parts[i].track != NULL ? w->parts[i].track->n : 0;
	w->time = anim_arena_zeroed(&c->scratch, n, sizeof *w->time, error);
	w->weighted = anim_arena_zeroed(&c->scratch, n, 1, error);
	w->modes = anim_arena_zeroed(&c->scratch, n, 1, error);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if ((*columns[i] = anim_arena_zeroed(&c->scratch, n, COMPONENTS * sizeof(float), error)) == NULL)
			return -1;
	return w->time == NULL || w->weighted == NULL || w->modes == NULL ? -1 : 0;
}

int convert_merge(struct convert *c, const struct anim_component_group *group,
		  const double fixed[ANIM_COMPONENTS_JOINED], const struct anim_track *like, struct anim_error *error)
{
	const struct anim_track *first = anim_components_first(group);
	struct anim_track out = *like;
	struct whole w = {.n = 0};

	for (unsigned i = 0; i < COMPONENTS; i++) {
		w.parts[i].track = group->there[i] ? &group->tracks[i] : NULL;
		w.parts[i].fixed = (float)fixed[i];
	}
	if (make_room(c, &w, error) != 0)
		return -1;
	merge(&w);
	out.type = ANIM_FLOAT3;
	out.rules = c->caps.rules;
	out.flags = first->flags;
	out.record = NULL;
	put_columns(c, &w, &out);
	return anim_sink_track(c->next, &out, error);
}
