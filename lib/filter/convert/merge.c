/* merge.c: curves of components under the target's rules, merged to one curve with the keys of each. */
#include <math.h>
#include <string.h>

#include "clip/cubic.h"
#include "clip/keys.h"
#include "filter/convert/track.h"

#define THIRD (1.0f / 3) /* weight of a handle that is not weighted */
#define COMPONENTS 3u    /* number of components that are merged */

/* Bits of a key with handles that have their own lengths. */
#define WEIGHTED_LEFT 1u
#define WEIGHTED_RIGHT 2u

/* The shape of a component between two neighbouring times. */
enum shape { FLAT, STEPS, STRAIGHT, BENDS };

/* A component, or its constant value. */
struct joined_component {
	const struct anim_track *track; /* NULL: constant */
	float fixed;
	size_t next; /* its first key after the current time */
};

/* The current key. left, left_x and WEIGHTED_LEFT belong to the segment before it. */
struct joined_key {
	float value[COMPONENTS], left[COMPONENTS], right[COMPONENTS], left_x[COMPONENTS], right_x[COMPONENTS];
	uint8_t weighted, mode;
};

struct joined_track {
	struct joined_component parts[COMPONENTS];
	struct anim_keys *keys;
};

static float value_of(const struct anim_track *t, size_t k)
{
	return ((const float *)t->value)[k];
}

bool convert_can_merge(const struct anim_component_group *group)
{
	const struct anim_track *first = anim_components_first(group);

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

/* Find the earliest key that is not yet passed. Returns false after the last key. */
static bool next_time(const struct joined_track *w, float *at)
{
	bool found = false;

	for (unsigned i = 0; i < COMPONENTS; i++) {
		const struct joined_component *p = &w->parts[i];

		if (p->track == NULL || p->next >= p->track->n || (found && p->track->time[p->next] >= *at))
			continue;
		*at = p->track->time[p->next];
		found = true;
	}
	return found;
}

/* Return the slope of a handle with a length of `share` of the seconds. A handle without length has slope 0. */
static float slope(double rise, double share, double seconds)
{
	double value = rise == 0 ? 0 : rise / (share * seconds);

	return isfinite(value) ? (float)value : 0;
}

/* Set both handles of component i. A segment that is not cut keeps its floats exactly. */
static void put_handles(const struct anim_track *t, size_t k, unsigned i, const struct anim_cubic *l, bool whole,
			const float time_s[2], struct joined_key *from, struct joined_key *to)
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

/*
 * Read the segment between two times: set from->mode, and the left handles of `to`. A step to the same value is not a
 * step.
 */
static void read_segment(const struct joined_track *w, const float time_s[2], struct joined_key *from,
			 struct joined_key *to)
{
	enum shape shapes[COMPONENTS], most = FLAT;
	bool steps = false, bends;

	for (unsigned i = 0; i < COMPONENTS; i++) {
		const struct joined_component *p = &w->parts[i];

		/*
		 * The shape of component i between two times. Sets its value at the second time, and its handles if it
		 * is curved.
		 */
		const struct anim_track *t = p->track;
		size_t k = p->next > 0 ? p->next - 1 : 0;
		struct anim_cubic component;
		enum anim_interp mode;
		bool whole;

		to->value[i] = from->value[i];
		if (t == NULL || p->next == 0 || p->next == t->n) {
			shapes[i] = FLAT;
		} else {
			mode = t->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(t, k);
			whole = t->time[k] == time_s[0] && t->time[k + 1] == time_s[1];
			if (!anim_cubic_read(t, k, 0, &component) || mode == ANIM_HOLD || component.steps) {
				shapes[i] = STEPS;
			} else {
				if (!whole) {
					/* Cut the component's segment at the two times, because it does not have keys at both. */
					double start = (double)t->time[k], length = (double)t->time[k + 1] - start;

					anim_cubic_cut(&component, ((double)time_s[0] - start) / length,
						       ((double)time_s[1] - start) / length);
				}
				to->value[i] = whole ? value_of(t, k + 1) : (float)component.y[3];
				if (mode == ANIM_LINEAR) {
					shapes[i] = STRAIGHT;
				} else {
					put_handles(t, k, i, &component, whole, time_s, from, to);
					shapes[i] = BENDS;
				}
			}
		}

		if (shapes[i] == STEPS &&
		    (p->track->time[p->next] > time_s[1] || value_of(p->track, p->next) == from->value[i]))
			shapes[i] = FLAT;
		steps = steps || shapes[i] == STEPS;
		most = shapes[i] > most ? shapes[i] : most;
	}
	bends = most == BENDS || (most == STRAIGHT && steps);
	from->mode = bends ? ANIM_WEIGHTED : most == STRAIGHT ? ANIM_LINEAR : ANIM_HOLD;
	for (unsigned i = 0; i < COMPONENTS && bends; i++) {
		enum shape shape = shapes[i];
		double seconds = (double)time_s[1] - (double)time_s[0];
		float rise = slope((double)to->value[i] - (double)from->value[i], 1, seconds);

		if (shape == BENDS)
			continue;
		from->right[i] = shape == STEPS ? INFINITY : shape == STRAIGHT ? rise : 0;
		to->left[i] = shape == STRAIGHT ? rise : 0;
	}
}

static int put_row(struct joined_track *w, float at, const struct joined_key *row, struct anim_error *error)
{
	if (anim_keys_add(w->keys, at, row->value, (enum anim_interp)row->mode, error) != 0 ||
	    anim_keys_set(w->keys, ANIM_COLUMN_LEFT, row->left, error) != 0 ||
	    anim_keys_set(w->keys, ANIM_COLUMN_RIGHT, row->right, error) != 0 ||
	    anim_keys_set(w->keys, ANIM_COLUMN_LEFT_X, row->left_x, error) != 0 ||
	    anim_keys_set(w->keys, ANIM_COLUMN_RIGHT_X, row->right_x, error) != 0)
		return -1;
	return anim_keys_set(w->keys, ANIM_COLUMN_WEIGHTED, &row->weighted, error);
}

static void empty_row(struct joined_key *row, const float value[COMPONENTS])
{
	memset(row, 0, sizeof *row);
	row->mode = ANIM_HOLD;
	memcpy(row->value, value, sizeof row->value);
	for (unsigned i = 0; i < COMPONENTS; i++)
		row->left_x[i] = row->right_x[i] = THIRD;
}

/*
 * Add the components' own keys at a time. If a component has several keys there, only the first, which ends the segment
 * before, and the last count: two keys are added. Returns 0 or -1.
 */
static int meet_keys(struct joined_track *w, float at, struct joined_key *row, struct anim_error *error)
{
	struct joined_key last = *row;
	bool twice = false;

	for (unsigned i = 0; i < COMPONENTS; i++) {
		struct joined_component *p = &w->parts[i];
		size_t first = p->next;

		/* Pass the component's keys at a time. */
		size_t before = p->next;

		while (p->track != NULL && p->next < p->track->n && p->track->time[p->next] == at)
			p->next++;
		size_t keys = p->next - before;

		if (keys == 0)
			continue;
		row->value[i] = value_of(p->track, first);
		last.value[i] = value_of(p->track, p->next - 1);
		twice = twice || keys > 1;
	}
	if (!twice)
		return 0;
	row->mode = ANIM_HOLD;
	if (put_row(w, at, row, error) != 0)
		return -1;
	empty_row(row, last.value);
	return 0;
}

int convert_merge(struct convert *c, const struct anim_component_group *group, const double fixed[COMPONENTS],
		  const struct anim_track *like, struct anim_error *error)
{
	struct anim_track out = *like;
	struct joined_track w = {.keys = &c->steps};
	struct joined_key row, to;
	float time_s[2] = {0}, start[COMPONENTS];
	uint8_t *modes, weighted = 0;
	bool cubic = false, discrete = true;

	for (unsigned i = 0; i < COMPONENTS; i++) {
		w.parts[i].track = group->there[i] ? &group->tracks[i] : NULL;
		w.parts[i].fixed = (float)fixed[i];
		start[i] = w.parts[i].track != NULL ? value_of(w.parts[i].track, 0) : w.parts[i].fixed;
		discrete = discrete && (w.parts[i].track == NULL || w.parts[i].track->kind == ANIM_DISCRETE);
	}
	anim_keys_reset(&c->steps, ANIM_FLOAT3);
	empty_row(&row, start);
	if (next_time(&w, &time_s[0])) {
		if (meet_keys(&w, time_s[0], &row, error) != 0)
			return -1;
		while (next_time(&w, &time_s[1])) {
			empty_row(&to, row.value);
			read_segment(&w, time_s, &row, &to);
			if (put_row(&w, time_s[0], &row, error) != 0)
				return -1;
			row = to;
			if (meet_keys(&w, time_s[1], &row, error) != 0)
				return -1;
			time_s[0] = time_s[1];
		}
		row.mode = w.keys->n > 0 ? w.keys->column[ANIM_COLUMN_INTERP].data[w.keys->n - 1] : ANIM_HOLD;
		if (put_row(&w, time_s[0], &row, error) != 0)
			return -1;
	}

	/* The last key gets the mode of the segment before it. If no handle is weighted, the cubics become Hermite. */
	modes = w.keys->column[ANIM_COLUMN_INTERP].data;
	for (size_t k = 0; k < w.keys->n; k++)
		weighted |= w.keys->column[ANIM_COLUMN_WEIGHTED].data[k];
	for (size_t k = 0; k < w.keys->n; k++) {
		cubic = cubic || modes[k] == ANIM_WEIGHTED;
		if (modes[k] == ANIM_WEIGHTED && weighted == 0)
			modes[k] = ANIM_HERMITE;
	}
	out.rules = c->caps.rules;
	out.flags = anim_components_first(group)->flags;
	out.kind = discrete && (c->caps.kinds & 1u << ANIM_DISCRETE) ? ANIM_DISCRETE : ANIM_CURVE;
	anim_keys_finish(w.keys, &out);
	if (!cubic)
		out.left = out.right = NULL;
	if (!cubic || weighted == 0) {
		out.left_x = out.right_x = NULL;
		out.weighted = NULL;
	}
	return anim_sink_track(c->filter.next, &out, error);
}
