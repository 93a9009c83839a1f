/* contact.c: find contacts, and the places of points during and near them. */
#include "filter/pin/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/pin/limb.h"

#define GAP_S 0.04   /* shorter interruptions of a contact are ignored */
#define SHORT_S 0.06 /* shorter contacts are ignored */
#define NEAR_S 1e-6  /* a given time means a sample that is this near */

/* Of the leg: an edge of a contact that is further from its place is left out, within these limits. */
#define EDGE 0.015
#define EDGE_S 0.15    /* of each side */
#define EDGE_SHARE 0.3 /* of the contact, of each side */
#define EDGE_ROUNDS 3

/* A foot moves from one place to the next as fast as this. */
#define TRAVEL 1.5       /* top speed of a smooth way by its mean speed */
#define TRAVEL_SPEED 0.6 /* legs per second, or ... */
#define OWN_SPEED 0.87   /* ... as a share of the foot's own top speed nearby */

/* Of a limb's bones: in the last per mille a millimetre is ten degrees of the knee. */
#define REACH 0.992
#define SHIFT 0.02 /* of the leg: a leg whose foot is moved as far does not stay straighter than that */

static struct pin_contact *contacts_of(const struct pin_motion *motion, enum pin_point point, size_t *count)
{
	*count = motion->contacts[point].size / sizeof(struct pin_contact);
	return (struct pin_contact *)(void *)motion->contacts[point].data;
}

void pin_measure(struct pin_motion *motion)
{
	motion->length = 0;
	motion->low[PIN_END] = motion->low[PIN_TIP] = (double)INFINITY;
	for (size_t k = 0; k < motion->count; k++) {
		const struct pin_sample *sample = &motion->samples[k];

		motion->length = fmax(motion->length, anim_vec3_distance(sample->root, sample->at[PIN_END]));
		for (int point = 0; point < PIN_POINTS; point++)
			motion->low[point] = fmin(motion->low[point], sample->at[point][1]);
	}
}

/* Return whether a point moves from one sample to another at most at this speed. */
static bool is_slow(const struct pin_motion *motion, enum pin_point point, size_t from, size_t to, double speed)
{
	return anim_vec3_distance(motion->samples[from].at[point], motion->samples[to].at[point]) <=
	       speed * (motion->times[to] - motion->times[from]);
}

/*
 * Return whether a point touches the ground at a sample: it is low, and slow before the sample, after it, or on the whole.
 * At 30 samples per second, a foot that lands is fast on one side.
 */
static bool is_on_ground(const struct pin_motion *motion, enum pin_point point, size_t k, double low, double speed)
{
	const size_t before = k > 0 ? k - 1 : k, after = k + 1 < motion->count ? k + 1 : k;

	return motion->samples[k].at[point][1] <= low && after > before &&
	       ((before < k && is_slow(motion, point, before, k, speed)) ||
		(after > k && is_slow(motion, point, k, after, speed)) || is_slow(motion, point, before, after, speed));
}

/* Add a contact, or extend the last one if the two are close. */
static int add(struct pin_motion *motion, enum pin_point point, size_t first, size_t last, struct anim_error *error)
{
	const struct pin_contact contact = {.first = first, .last = last};
	size_t count;
	struct pin_contact *contacts = contacts_of(motion, point, &count);

	if (count > 0 && (first <= contacts[count - 1].last + 1 ||
			  motion->times[first] - motion->times[contacts[count - 1].last] < GAP_S)) {
		/* a given contact can be inside another */
		if (contacts[count - 1].last < last)
			contacts[count - 1].last = last;
		return 0;
	}
	return anim_buffer_append(&motion->contacts[point], &contact, sizeof contact, error);
}

int pin_find_contacts(struct pin_motion *motion, enum pin_point point, double height, double speed,
		      struct anim_error *error)
{
	const double low = motion->low[point] + height * motion->length, slow = speed * motion->length;

	for (size_t k = 0; k < motion->count; k++) {
		const size_t first = k;

		while (k < motion->count && is_on_ground(motion, point, k, low, slow))
			k++;
		if (k > first && add(motion, point, first, k - 1, error) != 0)
			return -1;
	}

	size_t count, kept = 0;
	struct pin_contact *contacts = contacts_of(motion, point, &count);

	for (size_t i = 0; i < count; i++)
		if (motion->times[contacts[i].last] - motion->times[contacts[i].first] >= SHORT_S)
			contacts[kept++] = contacts[i];
	motion->contacts[point].size = kept * sizeof *contacts;

	return 0;
}

/* Return the number of the first sample that is not earlier, or the count. */
static size_t find_sample(const struct pin_motion *motion, double time_s)
{
	size_t low = 0, high = motion->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (motion->times[middle] < time_s)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int pin_add_contact(struct pin_motion *motion, enum pin_point point, double from_s, double to_s,
		    struct anim_error *error)
{
	const size_t first = find_sample(motion, from_s - NEAR_S), last = find_sample(motion, to_s + NEAR_S);

	return last > first ? add(motion, point, first, last - 1, error) : 0;
}

/* ---- Places ---- */

static void set_mean(const struct pin_motion *motion, enum pin_point point, struct pin_contact *contact)
{
	const double count = (double)(contact->last - contact->first + 1);

	memset(contact->place, 0, sizeof contact->place);
	for (size_t k = contact->first; k <= contact->last; k++)
		for (int i = 0; i < 3; i++)
			contact->place[i] += motion->samples[k].at[point][i] / count;
}

/* Raise a point to its lowest height, about the other point and at the same distance from it. */
static void raise(double point[3], const double about[3], double low)
{
	double away[3], level, up;

	if (!(point[1] < low))
		return;
	anim_vec3_subtract(away, point, about);
	up = low - about[1];
	level = anim_vec3_dot_double(away, away) - up * up;
	point[1] = low;
	if (!(level > 0) || !(away[0] * away[0] + away[2] * away[2] > 0))
		return;
	level = sqrt(level / (away[0] * away[0] + away[2] * away[2]));
	point[0] = about[0] + level * away[0];
	point[2] = about[2] + level * away[2];
}

/*
 * Give a contact the right distance from the other point. The contacts of that point count if they began before and overlap
 * with this one. *next is the first contact that ends after this one begins.
 */
static void fit(struct pin_motion *motion, enum pin_point point, struct pin_contact *contact, size_t *next)
{
	size_t count;
	const struct pin_contact *others = contacts_of(motion, 1 - point, &count);

	while (*next < count && others[*next].last < contact->first)
		++*next;
	for (size_t i = *next; i < count && others[i].first <= contact->first; i++) {
		const struct pin_contact *other = &others[i];
		const bool before =
		    other->first < contact->first || (other->first == contact->first && point == PIN_TIP);
		const struct pin_sample *sample = &motion->samples[contact->first];

		if (before) {
			/* Move a place so that it is at this distance from another. */
			double length = anim_vec3_distance(sample->at[PIN_END], sample->at[PIN_TIP]);
			double d[3], size;

			anim_vec3_subtract(d, contact->place, other->place);
			size = anim_vec3_length_double(d);
			for (int k = 0; k < 3 && size > 0; k++)
				contact->place[k] = other->place[k] + d[k] * length / size;

			raise(contact->place, other->place, motion->low[point]);
		}
	}
}

static double last_of(const struct pin_motion *motion, const struct pin_contact *contact)
{
	return motion->times[contact->last] - motion->times[contact->first];
}

/* Return how far a point is from its place at a sample of a contact. */
static double off_place(const struct pin_motion *motion, enum pin_point point, const struct pin_contact *contact,
			size_t k)
{
	return anim_vec3_distance(motion->samples[k].at[point], contact->place);
}

/* Leave out the edges of a contact at which the point is not at its place yet, or not any more. */
static void trim_edges(const struct pin_motion *motion, enum pin_point point, struct pin_contact *contact)
{
	const double most = fmin(EDGE_S, EDGE_SHARE * last_of(motion, contact));
	const double from = motion->times[contact->first] + most, to = motion->times[contact->last] - most;

	for (int round = 0; round < EDGE_ROUNDS; round++) {
		const size_t first = contact->first, last = contact->last;

		while (motion->times[contact->first + 1] <= from &&
		       motion->times[contact->last] - motion->times[contact->first + 1] >= SHORT_S &&
		       off_place(motion, point, contact, contact->first) > EDGE * motion->length)
			contact->first++;
		while (contact->last > 0 && motion->times[contact->last - 1] >= to &&
		       motion->times[contact->last - 1] - motion->times[contact->first] >= SHORT_S &&
		       off_place(motion, point, contact, contact->last) > EDGE * motion->length)
			contact->last--;
		if (contact->first == first && contact->last == last)
			break;
		set_mean(motion, point, contact);
	}
}

/*
 * Shorten two contacts until the point has the time to go from one to the other, at the end that is further from its
 * place. Returns whether it has.
 */
static bool part(const struct pin_motion *motion, enum pin_point point, struct pin_contact *from,
		 struct pin_contact *to, double ease_s)
{
	/* The time that a point needs from the place of one contact to the place of the next. */
	double speed = TRAVEL_SPEED * motion->length;
	size_t k = from->last;

	while (k > from->first && motion->times[from->last] - motion->times[k] < ease_s)
		k--;
	for (; k < to->last && motion->times[k] - motion->times[to->first] < ease_s; k++) {
		const double step = motion->times[k + 1] - motion->times[k];

		if (step > 0)
			speed = fmax(speed, OWN_SPEED *
						anim_vec3_distance(motion->samples[k].at[point],
								   motion->samples[k + 1].at[point]) /
						step);
	}
	const double needed = speed > 0 ? TRAVEL * anim_vec3_distance(from->place, to->place) / speed : 0;

	while (motion->times[to->first] - motion->times[from->last] < needed) {
		const bool can_from = from->last > from->first &&
				      motion->times[from->last - 1] - motion->times[from->first] >= SHORT_S,
			   can_to = to->first < to->last &&
				    motion->times[to->last] - motion->times[to->first + 1] >= SHORT_S;

		if (!can_from && !can_to)
			return false;
		if (can_from &&
		    (!can_to || off_place(motion, point, from, from->last) >= off_place(motion, point, to, to->first)))
			from->last--;
		else
			to->first++;
	}
	return true;
}

/* Give the contacts of a point the time that it needs between them. The shorter one of two that are too near is left out. */
static void part_contacts(struct pin_motion *motion, enum pin_point point, double ease_s)
{
	size_t count, kept = 0;
	struct pin_contact *contacts = contacts_of(motion, point, &count);

	for (size_t i = 0; i < count; i++) {
		bool dropped = false;

		while (kept > 0 && !dropped) {
			const struct pin_contact before = contacts[kept - 1], own = contacts[i];

			if (part(motion, point, &contacts[kept - 1], &contacts[i], ease_s))
				break;
			contacts[kept - 1] = before;
			contacts[i] = own;
			dropped = last_of(motion, &own) <= last_of(motion, &before);
			kept -= dropped ? 0 : 1;
		}
		if (!dropped)
			contacts[kept++] = contacts[i];
	}
	motion->contacts[point].size = kept * sizeof *contacts;
}

void pin_choose_places(struct pin_motion *motion, double ease_s)
{
	size_t count[PIN_POINTS], at[PIN_POINTS] = {0}, next[PIN_POINTS] = {0};
	struct pin_contact *contacts[PIN_POINTS];

	for (int point = 0; point < PIN_POINTS; point++) {
		contacts[point] = contacts_of(motion, (enum pin_point)point, &count[point]);
		for (size_t i = 0; i < count[point]; i++)
			set_mean(motion, (enum pin_point)point, &contacts[point][i]);
		for (size_t i = 0; i < count[point] && motion->found; i++)
			trim_edges(motion, (enum pin_point)point, &contacts[point][i]);
		if (motion->found)
			part_contacts(motion, (enum pin_point)point, ease_s);
		contacts[point] = contacts_of(motion, (enum pin_point)point, &count[point]);
	}
	while (at[PIN_END] < count[PIN_END] || at[PIN_TIP] < count[PIN_TIP]) {
		const bool tip = at[PIN_END] == count[PIN_END] ||
				 (at[PIN_TIP] < count[PIN_TIP] &&
				  contacts[PIN_TIP][at[PIN_TIP]].first < contacts[PIN_END][at[PIN_END]].first);

		fit(motion, tip ? PIN_TIP : PIN_END, &contacts[tip][at[tip]], &next[tip]);
		at[tip]++;
	}
}

/* ---- Places of points ---- */

/* How far a point is moved, and to which degree it is held: 1 during a contact. */
struct hold {
	double by[3], weight;
};

static void hold_edge(const struct pin_motion *motion, enum pin_point point, const struct pin_contact *contact,
		      size_t edge, double away_s, double ease_s, struct hold *out)
{
	double by[3];

	out->weight = ease_s > 0 ? pin_fall(away_s / ease_s) : 0;
	anim_vec3_subtract(by, contact->place, motion->samples[edge].at[point]);
	for (int i = 0; i < 3; i++)
		out->by[i] = out->weight * by[i];
}

#define NEARLY (1 - 1e-6) /* the other point of the foot wins if it touches */

/* Find how sample k of a point is held. *next is the first contact that does not end before it. */
static struct hold hold_of(const struct pin_motion *motion, enum pin_point point, size_t k, size_t *next, double ease_s)
{
	size_t count;
	const struct pin_contact *contacts = contacts_of(motion, point, &count);
	const double t = motion->times[k];
	struct hold hold = {{0}, 0};
	double gap, after = (double)INFINITY, before = (double)INFINITY;

	while (*next < count && contacts[*next].last < k)
		++*next;
	if (*next < count && contacts[*next].first <= k) {
		anim_vec3_subtract(hold.by, contacts[*next].place, motion->samples[k].at[point]);
		hold.weight = 1;
		return hold;
	}
	if (*next > 0)
		after = t - motion->times[contacts[*next - 1].last];
	if (*next < count)
		before = motion->times[contacts[*next].first] - t;
	if (motion->found && after + before < 2 * ease_s) {
		/* The point is on its way from a contact to the next: its moves at both edges, one after the other. */
		const struct pin_contact *contact = &contacts[*next - 1];
		const double part = pin_fall(after / (after + before));

		hold.weight = NEARLY;
		for (int i = 0; i < 3; i++)
			hold.by[i] =
			    NEARLY *
			    (part * (contact[0].place[i] - motion->samples[contact[0].last].at[point][i]) +
			     (1 - part) * (contact[1].place[i] - motion->samples[contact[1].first].at[point][i]));
		return hold;
	}
	gap = fmin(ease_s, (after + before) / 2);
	if (after < before && after < gap)
		hold_edge(motion, point, &contacts[*next - 1], contacts[*next - 1].last, after, gap, &hold);
	else if (before < gap)
		hold_edge(motion, point, &contacts[*next], contacts[*next].first, before, gap, &hold);
	return hold;
}

void pin_place_points(struct pin_motion *motion, double ease_s)
{
	size_t next[PIN_POINTS] = {0};

	for (size_t k = 0; k < motion->count; k++) {
		struct pin_sample *sample = &motion->samples[k];
		struct hold holds[PIN_POINTS] = {{{0}, 0}, {{0}, 0}};

		memcpy(sample->to, sample->at, sizeof sample->to);
		holds[PIN_END] = hold_of(motion, PIN_END, k, &next[PIN_END], ease_s);
		if (motion->has_tip)
			holds[PIN_TIP] = hold_of(motion, PIN_TIP, k, &next[PIN_TIP], ease_s);
		sample->moves = holds[PIN_END].weight > 0 || holds[PIN_TIP].weight > 0;
		if (!sample->moves)
			continue;
		if (motion->has_tip) {
			/* Combine the holds of both points of a foot, which stay at the same distance. */
			const struct hold *end = &holds[PIN_END], *tip = &holds[PIN_TIP];
			const double loose = (1 - end->weight) + (1 - tip->weight),
				     length = anim_vec3_distance(sample->at[PIN_END], sample->at[PIN_TIP]);
			double away[3], size;

			for (int i = 0; i < 3; i++) {
				sample->to[PIN_END][i] += end->by[i] + (1 - end->weight) * tip->by[i];
				sample->to[PIN_TIP][i] += tip->by[i] + (1 - tip->weight) * end->by[i];
			}
			anim_vec3_subtract(away, sample->to[PIN_TIP], sample->to[PIN_END]);
			size = anim_vec3_length_double(away);
			for (int i = 0; i < 3 && size > 0; i++) {
				away[i] /= size;
				if (loose > 0)
					sample->to[PIN_END][i] += away[i] * (size - length) * (1 - end->weight) / loose;
				sample->to[PIN_TIP][i] = sample->to[PIN_END][i] + away[i] * length;
			}
			raise(sample->to[PIN_TIP], sample->to[PIN_END], motion->low[PIN_TIP]);
			raise(sample->to[PIN_END], sample->to[PIN_TIP], motion->low[PIN_END]);

			continue;
		}
		anim_vec3_add(sample->to[PIN_END], holds[PIN_END].by, 1);
		sample->to[PIN_END][1] = fmax(sample->to[PIN_END][1], motion->low[PIN_END]);
	}
}

/* ---- Lowering ---- */

/* Return how far a leg must be lowered to reach its place. */
static double lack_of(const struct pin_sample *sample, double leg)
{
	const double bones =
	    anim_vec3_distance(sample->root, sample->middle) + anim_vec3_distance(sample->middle, sample->at[PIN_END]);
	const double straighter = fmax(0, anim_vec3_distance(sample->root, sample->at[PIN_END]) - REACH * bones);
	const double shift = anim_vec3_distance(sample->to[PIN_END], sample->at[PIN_END]);
	const double reach = REACH * bones + straighter * pin_fall(shift / (SHIFT * leg));
	double away[3], level;

	if (!sample->moves)
		return 0;
	anim_vec3_subtract(away, sample->root, sample->to[PIN_END]);
	level = away[0] * away[0] + away[2] * away[2];
	level = level < reach * reach ? sqrt(reach * reach - level) : 0;
	return fmax(0, away[1] - level);
}

int pin_lower_body(struct pin_motion *const legs[], size_t leg_count, double ease_s, double most, double *lower,
		   struct anim_error *error)
{
	const size_t count = leg_count > 0 ? legs[0]->count : 0;
	double *wide = anim_zeroed(count * sizeof *wide + 1, error);
	size_t *queue = anim_zeroed(count * sizeof *queue + 1, error);
	bool any = false;

	for (size_t k = 0; k < count && queue != NULL && wide != NULL; k++) {
		lower[k] = 0;
		for (size_t i = 0; i < leg_count; i++)
			lower[k] = fmax(lower[k], fmin(most, lack_of(&legs[i]->samples[k], legs[i]->length)));
		any = any || lower[k] > 0;
	}
	if (any && queue != NULL && wide != NULL) {
		/* Replace each number by the largest of those within `ease_s`. */
		size_t head = 0, tail = 0, next = 0;

		for (size_t k = 0; k < count; k++) {
			for (; next < count && legs[0]->times[next] <= legs[0]->times[k] + ease_s; next++) {
				while (tail > head && lower[queue[tail - 1]] <= lower[next])
					tail--;
				queue[tail++] = next;
			}
			while (legs[0]->times[queue[head]] < legs[0]->times[k] - ease_s)
				head++;
			wide[k] = lower[queue[head]];
		}

		/* Replace each by the mean of those within `ease_s`. */
		const double *times = legs[0]->times;
		double sum = 0;

		head = next = 0;
		for (size_t k = 0; k < count; k++) {
			for (; next < count && times[next] <= times[k] + ease_s; next++)
				sum += wide[next];
			for (; times[head] < times[k] - ease_s; head++)
				sum -= wide[head];
			lower[k] = sum / (double)(next - head);
		}
		for (size_t k = 0; k < count; k++) {
			lower[k] = lower[k] > 1e-9 * most ? lower[k] : 0; /* the sum's rounding */
			for (size_t i = 0; i < leg_count && lower[k] > 0; i++)
				legs[i]->samples[k].moves = true;
		}
	}
	any = queue != NULL && wide != NULL;
	free(wide);
	free(queue);
	return any ? 0 : -1;
}
