/* spare.c: the keys of all tracks of a skeleton together: those come back that its poses miss, and those go that these can spare. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/reduce/tile.h"

/*
 * What a track may be off by itself says little of where its joint's points are: what it is off at one time may point the other
 * way than what the joints above it are off. So keys are tried here: without one, or with one instead of two, the poses of the
 * joint and of all that it carries are made anew from the key before to the one behind, and looked at. At the knots alone, and of
 * float32: it is the proof's to find out what is between.
 */
#define LOOPS 2u /* in which keys are tried at other places, and others go then */
#define LOOPS_CUBIC 6u
#define GAIN 0.999   /* what a place has to cost less by to be taken */
#define MENDINGS 64u /* times that poses are looked at for keys that are missing */
#define CHAIN 64u    /* keys that are chosen anew at most before one of those that were there */

/* A track at a knot. */
enum { HAS = 1, STAYS = 2, FIXED = 4, STAYED = 8 };

/* A track whose keys may go. */
struct member {
	struct reduce_run kind; /* what it points to holds no longer */
	size_t track;
	struct reduce_share share;
	bool curved, aligned; /* it came with slopes; quaternions have the sign of the one before */
	uint8_t *knots;       /* HAS: it has a key there, STAYS: which stays, FIXED: whatever happens, STAYED: before */
};

struct spare {
	const struct reduce_scene *scene;
	const struct reduce_joints *joints;
	struct anim_arena arena;
	const double *knots;
	size_t count; /* of the knots */
	struct member *members;
	size_t member_count;
	struct reduce_tile tile;
	/* the keys of the track at hand that are in the tile, one that stays on either side, all of one with slopes */
	struct reduce_run run;
	size_t capacity;
	double *time, *value;
	ptrdiff_t *frame;
	uint8_t *keep;
};

/* ---- A track in the tile ---- */

static void add_key(struct spare *s, const struct member *member, size_t knot, const float *value)
{
	unsigned components = s->run.components;
	double *to = s->value + s->run.n * components;

	s->time[s->run.n] = s->knots[knot];
	s->frame[s->run.n] = (ptrdiff_t)knot - (ptrdiff_t)s->tile.first;
	s->keep[s->run.n++] = (member->knots[knot] & STAYS) != 0;
	for (unsigned c = 0; c < components; c++)
		to[c] = (double)value[c];
}

/* The knot before the tile, or behind it, at which a key stays; `count` where there is none. */
static size_t beside(const struct spare *s, const struct member *member, bool behind)
{
	size_t knot = behind ? s->tile.first + s->tile.frames : s->tile.first;

	while (behind ? knot < s->count : knot > 0) {
		if (member->knots[behind ? knot : knot - 1] & STAYS)
			return behind ? knot : knot - 1;
		knot = behind ? knot + 1 : knot - 1;
	}
	return s->count;
}

/* The source's values at knots that have a key. 0 or -1. */
static int add_keys(struct spare *s, const struct member *member, size_t first, size_t count, struct anim_error *error)
{
	const float *values;

	if (first == s->count)
		return 0;
	if (anim_poses_column(&s->scene->poses[0], member->share.node, member->share.part, first, count, &values,
			      error) != 0)
		return -1;
	for (size_t i = 0; i < count && values != NULL; i++)
		if (member->knots[first + i] & HAS)
			add_key(s, member, first + i, values + i * s->run.components);
	return 0;
}

/* All keys of a track that came with slopes. 0 or -1. */
static int load_curved(struct spare *s, struct member *member, struct anim_error *error)
{
	struct anim_track track;
	double *limits;
	size_t knot = 0;

	if (reduce_read_shared(s->scene, member->track, &member->share, true, &track, &s->run, &limits, error) != 0)
		return -1;
	for (size_t k = 0; k < s->run.n; k++) {
		knot = reduce_knot_from(s->knots, s->count, knot, s->run.time[k]);
		s->frame[k] = (ptrdiff_t)knot - (ptrdiff_t)s->tile.first;
		s->keep[k] = (member->knots[knot] & STAYS) != 0;
	}
	return 0;
}

static int load_track(struct spare *s, struct member *member, struct anim_error *error)
{
	if (member->curved)
		return load_curved(s, member, error);
	s->run = member->kind;
	s->run.n = 0;
	s->run.time = s->time;
	s->run.value = s->value;
	if (add_keys(s, member, beside(s, member, false), 1, error) != 0 ||
	    add_keys(s, member, s->tile.first, s->tile.frames, error) != 0 ||
	    add_keys(s, member, beside(s, member, true), 1, error) != 0)
		return -1;
	for (size_t k = 1; k < s->run.n && member->aligned; k++)
		reduce_align(s->value + 4 * k, s->value + 4 * (k - 1));
	return 0;
}

/* What stays of the track at hand goes back to its knots in the tile. */
static void store_track(const struct spare *s, struct member *member)
{
	for (size_t k = 0; k < s->run.n; k++) {
		uint8_t *knot = member->knots + ((ptrdiff_t)s->tile.first + s->frame[k]);

		*knot = (uint8_t)((*knot & ~STAYS) | (s->keep[k] ? STAYS : 0));
	}
}

static size_t next_kept(const struct spare *s, size_t k)
{
	return reduce_next_kept(s->keep, s->run.n, k);
}

static size_t first_kept(const struct spare *s)
{
	return reduce_first_kept(s->keep, s->run.n);
}

/* ---- What is between two keys ---- */

/* From key a to key b of the track at hand; b may be none, behind the last. */
struct way {
	size_t a, b;
	struct reduce_cubic cubic;
};

static struct way way_between(const struct spare *s, size_t a, size_t b)
{
	struct way way = {.a = a, .b = b};

	if (s->run.cubic && b < s->run.n)
		reduce_cubic_fit(&s->run, a, b, &way.cubic);
	return way;
}

/* The frames of it that are in the tile, from key a's own on. */
static size_t frames_of(const struct spare *s, const struct way *way, size_t *first)
{
	ptrdiff_t from = s->frame[way->a], to = way->b < s->run.n ? s->frame[way->b] : (ptrdiff_t)s->tile.frames;

	from = from < 0 ? 0 : from;
	to = to < (ptrdiff_t)s->tile.frames ? to : (ptrdiff_t)s->tile.frames;
	*first = (size_t)from;
	return to > from ? (size_t)(to - from) : 0;
}

/* A node's parts with the track's value on the way. */
static void show(const struct spare *s, const struct member *member, const struct way *way, size_t frame,
		 float parts[REDUCE_PARTS])
{
	const float *now = reduce_tile_parts(&s->tile, member->share.node, frame);
	double value[REDUCE_COMPONENTS], slope[REDUCE_COMPONENTS], t = s->knots[s->tile.first + frame];
	double weight = 0;

	if (parts != now)
		memcpy(parts, now, REDUCE_PARTS * sizeof *parts);
	if (way->b < s->run.n)
		weight = (t - s->run.time[way->a]) / (s->run.time[way->b] - s->run.time[way->a]);
	if (s->run.cubic && weight > 0)
		reduce_cubic_at(&way->cubic, s->run.components, t, value, slope);
	else
		reduce_between(&s->run, way->a, weight > 0 ? way->b : way->a, weight, value);
	for (unsigned c = 0; c < s->run.components; c++)
		parts[reduce_part_from[member->share.part] + c] = (float)value[c];
}

/*
 * The same of all frames of a way that lies in the tile, the middle first, where most of what fails does; as soon as it is not
 * below `most`, INFINITY.
 */
static double cost_along(struct spare *s, const struct member *member, const struct way *way, double most)
{
	size_t first, count = frames_of(s, way, &first);
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		size_t frame = first + (i + count / 2) % count;
		float parts[REDUCE_PARTS];

		if (frame == first && s->keep[way->a]) /* nothing else than before */
			continue;
		show(s, member, way, frame, parts);
		sum += reduce_tile_cost(&s->tile, frame, parts);
		if (!(sum < most))
			return (double)INFINITY;
	}
	return sum;
}

static bool holds_along(struct spare *s, const struct member *member, const struct way *way)
{
	return cost_along(s, member, way, (double)INFINITY) < (double)INFINITY;
}

/* The parts alone, where that is. */
static void take_values_along(struct spare *s, const struct member *member, const struct way *way)
{
	size_t first, count = frames_of(s, way, &first);

	for (size_t frame = first; frame < first + count; frame++) {
		float *parts = reduce_tile_parts(&s->tile, member->share.node, frame), before[REDUCE_PARTS];

		memcpy(before, parts, sizeof before);
		show(s, member, way, frame, parts);
		s->tile.changed[frame] |= memcmp(before, parts, sizeof before) != 0;
	}
}

/* Of all keys that stay. */
static void take_values(struct spare *s, const struct member *member)
{
	size_t a = first_kept(s), b;
	struct way way;

	for (; a < s->run.n; a = b) {
		b = next_kept(s, a);
		way = way_between(s, a, b);
		take_values_along(s, member, &way);
	}
}

static void go_along(struct spare *s, const struct member *member, const struct way *way)
{
	size_t first, count = frames_of(s, way, &first);

	for (size_t frame = first; frame < first + count; frame++) {
		show(s, member, way, frame, reduce_tile_parts(&s->tile, member->share.node, frame));
		reduce_tile_place(&s->tile, frame);
	}
}

/* ---- Keys that go ---- */

static bool is_in_tile(const struct spare *s, size_t a, size_t b)
{
	return b < s->run.n && s->frame[a] >= 0 && s->frame[b] < (ptrdiff_t)s->tile.frames;
}

static bool is_fixed(const struct spare *s, const struct member *member, size_t k)
{
	return (member->knots[(ptrdiff_t)s->tile.first + s->frame[k]] & FIXED) != 0;
}

/* From key a by key k to key b. */
struct turn {
	struct way to, from;
};

/* What it costs, as cost_along; where that is not below `most` the turn is not whole. */
static double cost_around(struct spare *s, const struct member *member, struct turn *turn, size_t a, size_t k, size_t b,
			  double most)
{
	double cost;

	turn->from = way_between(s, k, b);
	cost = cost_along(s, member, &turn->from, most);
	if (!(cost < most))
		return cost;
	turn->to = way_between(s, a, k);
	return cost + cost_along(s, member, &turn->to, most - cost);
}

/* Nothing stays between a and b but the key k. */
static void take(struct spare *s, const struct member *member, const struct turn *turn)
{
	size_t a = turn->to.a, k = turn->to.b, b = turn->from.b;

	go_along(s, member, &turn->to);
	go_along(s, member, &turn->from);
	memset(s->keep + a + 1, 0, b - a - 1);
	s->keep[k] = 1;
}

/* Whether the way to a key that may be new holds, and its own place. */
static bool reaches(struct spare *s, const struct member *member, size_t a, size_t k)
{
	const struct way at = {.a = k, .b = s->run.n};
	struct way way;
	float parts[REDUCE_PARTS];

	if (!s->keep[k]) {
		show(s, member, &at, (size_t)s->frame[k], parts);
		if (!(reduce_tile_cost(&s->tile, (size_t)s->frame[k], parts) < (double)INFINITY))
			return false;
	}
	way = way_between(s, a, k);
	return holds_along(s, member, &way);
}

/* The farthest key up to the last that a way reaches, looked for from a guess on by doubling and halving; `a` itself: none. */
static size_t farthest(struct spare *s, const struct member *member, size_t a, size_t guess, size_t last)
{
	size_t good = a, bad = last + 1, step = guess;

	while (good < last && bad == last + 1) {
		size_t k = last - good < step ? last : good + step;

		if (reaches(s, member, a, k)) {
			good = k;
			step *= 2;
		} else {
			bad = k;
		}
	}
	while (bad - good > 1) {
		size_t k = good + (bad - good) / 2;

		if (reaches(s, member, a, k))
			good = k;
		else
			bad = k;
	}
	return good;
}

/* The chain's keys stay instead of all from its first up to key b. */
static void take_chain(struct spare *s, const struct member *member, const size_t *chain, size_t count, size_t b)
{
	memset(s->keep + chain[0] + 1, 0, b - chain[0] - 1);
	for (size_t i = 0; i < count; i++) {
		struct way way = way_between(s, chain[i], i + 1 < count ? chain[i + 1] : b);

		s->keep[chain[i]] = 1;
		go_along(s, member, &way);
	}
}

/*
 * From key to key as far as they reach, as long as that may lead to one that stays with fewer of them: that is as many keys on
 * as the chain is long, and one. Returns where the next chain is to begin.
 */
static size_t reach_on(struct spare *s, const struct member *member, size_t from, size_t last)
{
	size_t chain[CHAIN], count = 1, old = next_kept(s, from), aim;

	chain[0] = from;
	while (count < CHAIN && old < last) {
		size_t a = chain[count - 1], to;

		aim = next_kept(s, old);
		if (aim > last || is_fixed(s, member, old))
			break;
		if (reaches(s, member, a, aim)) {
			take_chain(s, member, chain, count, aim);
			return aim;
		}
		to = farthest(s, member, a, old > a ? old - a : 1, aim - 1);
		if (to < old || to == a)
			break;
		chain[count++] = to;
		old = aim;
	}
	return old;
}

static void choose_anew(struct spare *s, const struct member *member)
{
	size_t from, last;

	from = last = first_kept(s);
	while (from < s->run.n && s->frame[from] < 0)
		from = next_kept(s, from);
	for (size_t k = from; k < s->run.n && s->frame[k] < (ptrdiff_t)s->tile.frames; k = next_kept(s, k))
		last = k;
	while (from < last)
		from = reach_on(s, member, from, last);
}

/* Each key goes to the place beside its own where it costs less: others may go then. */
static void shift(struct spare *s, const struct member *member)
{
	size_t a = first_kept(s), k = next_kept(s, a), b;

	for (; k < s->run.n && (b = next_kept(s, k)) < s->run.n; a = k, k = b) {
		struct turn best;
		size_t old = k;
		double least;

		if (!is_in_tile(s, a, b) || is_fixed(s, member, k))
			continue;
		s->keep[k] = 0;
		least = GAIN * cost_around(s, member, &best, a, k, b, (double)INFINITY);
		for (int i = 0; i < 4; i++) {
			size_t far = i < 2 ? 1 : (b - a) / 6, m = i % 2 == 0 ? old - far : old + far;
			struct turn turn;
			double cost;

			if (far == 0 || (i > 1 && far == 1) || m <= a || m >= b)
				continue;
			cost = cost_around(s, member, &turn, a, m, b, least);
			if (!(cost < least))
				continue;
			least = cost;
			best = turn;
			k = m;
		}
		s->keep[k] = 1;
		if (k != old)
			take(s, member, &best);
	}
}

/* Each of the tracks at a time. 0 or -1. */
static int try_tracks(struct spare *s, void (*with)(struct spare *, const struct member *), struct anim_error *error)
{
	for (size_t i = 0; i < s->member_count && s->scene->budget->trials > 0; i++) {
		struct member *member = &s->members[i];

		if (load_track(s, member, error) != 0)
			return -1;
		reduce_tile_take(&s->tile, member->share.node);
		with(s, member);
		store_track(s, member);
	}
	return 0;
}

static int leave_out_all(struct spare *s, struct anim_error *error)
{
	unsigned loops = LOOPS;

	for (size_t i = 0; i < s->member_count; i++)
		loops = s->members[i].kind.cubic ? LOOPS_CUBIC : loops;
	if (try_tracks(s, choose_anew, error) != 0)
		return -1;
	for (unsigned loop = 0; loop < loops && !s->scene->fast && s->scene->budget->trials > 0; loop++)
		if (try_tracks(s, shift, error) != 0 || try_tracks(s, choose_anew, error) != 0)
			return -1;
	return 0;
}

/* ---- Keys that are missed ---- */

/* A track that is constant, or at its rest, gets its two ends. 0 or -1. */
static int unfold(struct spare *s, struct member *member, struct anim_error *error)
{
	size_t first = 0, last = s->count - 1, staying = 0;

	for (size_t k = 0; k < s->count; k++)
		staying += (member->knots[k] & STAYS) != 0;
	if (staying > 1)
		return 0;
	while (!(member->knots[first] & HAS))
		first++;
	while (!(member->knots[last] & HAS))
		last--;
	member->knots[first] |= STAYS;
	member->knots[last] |= STAYS;
	return load_track(s, member, error);
}

/* The key nearest to a frame that does not stay; `n`: none between those that do. */
static size_t nearest(const struct spare *s, size_t frame)
{
	size_t found = s->run.n, least = SIZE_MAX;

	for (size_t k = 0; k < s->run.n; k++) {
		ptrdiff_t off = s->frame[k] - (ptrdiff_t)frame;
		size_t distance = (size_t)(off < 0 ? -off : off);

		if (s->keep[k]) {
			if (off >= 0)
				break;
			found = s->run.n;
			least = SIZE_MAX;
		} else if (distance < least) {
			least = distance;
			found = k;
		}
	}
	return found;
}

/* 0 or -1. */
static int bring_back(struct spare *s, struct member *member, struct anim_error *error)
{
	const uint8_t *missed = reduce_tile_missed(&s->tile, member->share.node),
		      part = (uint8_t)(1 << member->share.part);
	bool any = false;

	for (size_t f = 0; f < s->tile.frames && !any; f++)
		any = missed[f] & part;
	if (!any)
		return 0;
	if (load_track(s, member, error) != 0 || unfold(s, member, error) != 0)
		return -1;
	for (size_t f = 0; f < s->tile.frames; f++) {
		size_t k = missed[f] & part ? nearest(s, f) : s->run.n;

		if (k < s->run.n)
			s->keep[k] = 1;
	}
	take_values(s, member);
	store_track(s, member);
	return 0;
}

static int mend(struct spare *s, struct anim_error *error)
{
	for (unsigned round = 0; round < MENDINGS && reduce_tile_find_missed(&s->tile); round++)
		for (size_t i = 0; i < s->member_count; i++)
			if (bring_back(s, &s->members[i], error) != 0)
				return -1;
	return 0;
}

/* ---- Tile by tile ---- */

static int begin_tile(struct spare *s, struct anim_error *error)
{
	if (reduce_tile_load(&s->tile, error) != 0)
		return -1;
	/* keys that the tile before shares with this one have changed since the poses were made */
	for (size_t i = 0; i < s->member_count && s->tile.first > 0; i++) {
		if (load_track(s, &s->members[i], error) != 0)
			return -1;
		take_values(s, &s->members[i]);
	}
	reduce_tile_begin(&s->tile);
	return mend(s, error);
}

/* A track's keys at the knots, from what was chosen, or back. 0 or -1. */
static int map_keys(struct spare *s, struct member *member, struct reduce_chosen *chosen, bool back,
		    struct anim_error *error)
{
	size_t knot = 0, before = SIZE_MAX;
	struct anim_track track;
	struct reduce_run run;
	double *limits;

	if (reduce_read_shared(s->scene, member->track, &member->share, true, &track, &run, &limits, error) != 0)
		return -1;
	member->kind = run;
	member->curved = reduce_is_curved(&track);
	member->aligned =
	    run.metric == REDUCE_TURN && run.cubic && !anim_rules_blend_lanes(s->scene->clip, track.rules);
	for (size_t k = 0; k < run.n; k++) {
		uint8_t *at;

		knot = reduce_knot_from(s->knots, s->count, knot, run.time[k]);
		at = &member->knots[knot];
		if (back && !(*at & FIXED))
			chosen->keep[k] = (*at & STAYS) != 0;
		if (!back)
			*at |= (uint8_t)(HAS | (chosen->keep[k] ? STAYS | STAYED : 0) |
					 (knot == before || (run.seam && (k < 2 || k + 2 >= run.n)) ? FIXED : 0));
		before = knot;
	}
	s->capacity = member->curved && run.n > s->capacity ? run.n : s->capacity;
	chosen->count = reduce_count_kept(chosen->keep, run.n);
	return 0;
}

/* From each key that stays to the next, where one of both did not stay before, or one between did. */
static void touch(const struct spare *s, const struct member *member, uint8_t *touched)
{
	bool other = false;

	for (size_t from = 0, k = 0; k < s->count; k++) {
		bool stays = member->knots[k] & STAYS, last = k + 1 == s->count;

		other = other || stays != ((member->knots[k] & STAYED) != 0);
		if (!stays && !last)
			continue;
		if (other)
			memset(touched + from, 1, k - from + last);
		other = stays && !(member->knots[k] & STAYED);
		from = k;
	}
}

/* Tracks of joints that can have fewer keys. 0 or -1. */
static int find_members(struct spare *s, struct reduce_chosen *chosen, struct anim_error *error)
{
	size_t tracks = anim_store_tracks(s->scene->store, 0);

	s->members = anim_arena_zeroed(&s->arena, tracks + 1, sizeof *s->members, error);
	for (size_t i = 0; i < tracks && s->members != NULL; i++) {
		struct member *member = &s->members[s->member_count];

		if (chosen[i].keep == NULL || !reduce_joints_limit(s->joints, i, &member->share) ||
		    !member->share.can || !(member->share.limit > 0))
			continue;
		member->track = i;
		member->knots = anim_arena_zeroed(&s->arena, s->count, 1, error);
		if (member->knots == NULL || map_keys(s, member, &chosen[i], false, error) != 0)
			return -1;
		s->member_count++;
	}
	return s->members == NULL ? -1 : 0;
}

static int make_room(struct spare *s, struct anim_error *error)
{
	size_t keys = s->capacity > s->tile.room + 2 ? s->capacity : s->tile.room + 2;

	s->time = anim_arena_zeroed(&s->arena, keys, sizeof *s->time, error);
	s->value = anim_arena_zeroed(&s->arena, keys, REDUCE_COMPONENTS * sizeof *s->value, error);
	s->frame = anim_arena_zeroed(&s->arena, keys, sizeof *s->frame, error);
	s->keep = anim_arena_zeroed(&s->arena, keys, 1, error);
	return s->time == NULL || s->value == NULL || s->frame == NULL || s->keep == NULL ? -1 : 0;
}

int reduce_spare(const struct reduce_scene *scene, const struct reduce_joints *joints, const double *knots,
		 size_t count, const float *allowed, bool sparing, struct reduce_chosen *chosen, uint8_t *touched,
		 struct anim_error *error)
{
	struct spare s = {.scene = scene, .joints = joints, .knots = knots, .count = count};
	int result;

	result = reduce_tile_init(&s.tile, scene, joints, allowed, count, &s.arena, error) != 0 ||
			 find_members(&s, chosen, error) != 0 || make_room(&s, error) != 0
		     ? -1
		     : 0;
	for (bool last = false; result == 0 && !last; s.tile.first += s.tile.room / 2) {
		s.tile.frames = count - s.tile.first < s.tile.room ? count - s.tile.first : s.tile.room;
		last = s.tile.first + s.tile.frames == count;
		result = begin_tile(&s, error);
		if (result == 0 && sparing)
			result = leave_out_all(&s, error);
	}
	for (size_t i = 0; i < s.member_count && result == 0; i++) {
		touch(&s, &s.members[i], touched);
		result = map_keys(&s, &s.members[i], &chosen[s.members[i].track], true, error);
	}
	anim_arena_clear(&s.arena);
	return result;
}
