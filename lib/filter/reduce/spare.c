/* spare.c: the keys of all tracks of a skeleton together: those come back that its poses miss, and those go that these can spare. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/reduce/internal.h"

/*
 * What a track may be off by itself says little of where its joint's points are: what it is off at one time may point the other
 * way than what the joints above it are off. So keys are tried here: without one, or with one instead of two, the poses of the
 * joint and of all that it carries are made anew from the key before to the one behind, and looked at. At the knots alone, and of
 * float32: it is the proof's to find out what is between.
 */
#define LOOPS 2u     /* in which keys are tried at other places, and others go then */
#define GAIN 0.999   /* what a place has to cost less by to be taken */
#define MENDINGS 64u /* times that poses are looked at for keys that are missing */
#define FOLDED 3u    /* keys that are tried to be one */
#define BEYOND 3u    /* keys tried behind one that a way does not reach */
#define CHAIN 64u    /* keys that are chosen anew at most before one of those that were there */
#define PARTS 10     /* numbers of a node: position, rotation, scale */
#define RIGID 1e-4   /* scales that are as near to 1 are it */

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
	size_t count;         /* of the knots */
	const float *allowed; /* of each: the part of its tolerance that a point may be off */
	struct member *members;
	size_t member_count, nodes, moving;
	uint32_t *slot; /* of each node: its number among those that move, ANIM_POSE_NONE of others */
	/* the tile: knots from the first on; of each node that moves, of each of its frames: */
	size_t first, frames, room; /* where it begins, how many it has, and has at most */
	float *parts, *source;      /* position, rotation and scale of both sides */
	double *local, *world;      /* transforms of the result */
	uint8_t *missed;            /* keys of these parts (bits) may be missing here */
	bool *rigid;                /* of each node: nothing is scaled */
	double *off;                /* of each frame: the largest part of its tolerance that a node is off, */
	uint32_t *worst;            /* and which one that is */
	uint8_t *changed;           /* of each frame: parts have, since its poses were made */
	double *trial;              /* of each node that moves: its transform with what is tried */
	bool *carried;              /* of each node: by the one at hand */
	uint32_t *below;            /* these, the node itself first */
	size_t below_count;
	/* the keys of the track at hand that are in the tile, one that stays on either side, all of one with slopes */
	struct reduce_run run;
	size_t capacity;
	double *time, *value;
	ptrdiff_t *frame;
	uint8_t *keep;
};

/* ---- Poses ---- */

static const unsigned part_from[] = {0, 3, 7}, part_numbers[] = {3, 4, 3};

static float *parts_at(const struct spare *s, float *parts, uint32_t node, size_t frame)
{
	return parts + (s->slot[node] * s->room + frame) * PARTS;
}

static double *transform_at(const struct spare *s, double *transforms, uint32_t node, size_t frame)
{
	return transforms + (s->slot[node] * s->room + frame) * ANIM_POSE_NUMBERS;
}

static uint32_t parent_of(const struct spare *s, uint32_t node)
{
	return anim_poses_parent(&s->scene->poses[1], node);
}

static const double *source_at(const struct spare *s, uint32_t node, size_t frame)
{
	return anim_poses_at(&s->scene->poses[0], node, frame);
}

/* The transform that a node's own is relative to; NULL: none. */
static const double *above(const struct spare *s, uint32_t node, size_t frame)
{
	uint32_t parent = parent_of(s, node);

	if (parent == ANIM_POSE_NONE)
		return NULL;
	return s->slot[parent] != ANIM_POSE_NONE ? transform_at(s, s->world, parent, frame)
						 : anim_poses_at(&s->scene->poses[1], parent, 0);
}

static void place(double out[ANIM_POSE_NUMBERS], const double *parent, const double *local)
{
	if (parent == NULL)
		memcpy(out, local, ANIM_POSE_NUMBERS * sizeof *out);
	else
		anim_pose_multiply(out, parent, local);
}

static void compose(double out[ANIM_POSE_NUMBERS], const float parts[PARTS])
{
	anim_pose_compose(out, parts, parts + part_from[ANIM_POSE_ROTATION], parts + part_from[ANIM_POSE_SCALE]);
}

/* What part of its tolerance a node is off. */
static double off_at(const struct spare *s, uint32_t node, size_t frame, const double *result)
{
	const struct reduce_target *target = reduce_joints_target(s->joints, node);
	double off = anim_poses_distance(source_at(s, node, frame), result, target->shell_m, s->rigid[node]);

	return off > 0 ? off / target->tolerance_m : 0;
}

static double allowed_at(const struct spare *s, size_t frame)
{
	return (double)s->allowed[s->first + frame];
}

/* ---- The tile ---- */

/* One side's parts of a node, the rest's where they have no values. 0 or -1. */
static int take_parts(struct spare *s, int side, uint32_t node, float *out, struct anim_error *error)
{
	struct anim_poses *poses = &s->scene->poses[side];
	const struct anim_rest *rest = &poses->rests.items[node];
	const float *const rests[] = {rest->position, rest->rotation, rest->scale};

	for (int part = 0; part < ANIM_POSE_PARTS; part++) {
		unsigned numbers = part_numbers[part];
		const float *values;

		if (anim_poses_column(poses, node, (enum anim_pose_part)part, s->first, s->frames, &values, error) != 0)
			return -1;
		for (size_t f = 0; f < s->frames; f++)
			memcpy(parts_at(s, out, node, f) + part_from[part],
			       values != NULL ? values + numbers * f : rests[part], numbers * sizeof *out);
	}
	return 0;
}

static bool is_rigid(const struct spare *s, uint32_t node)
{
	uint32_t parent = parent_of(s, node);
	float most = 0;

	if (parent != ANIM_POSE_NONE && !s->rigid[parent])
		return false;
	if (s->slot[node] == ANIM_POSE_NONE)
		return anim_poses_motion(&s->scene->poses[1], node, 0)->rigid;
	for (size_t f = 0; f < s->frames; f++)
		for (unsigned i = 0; i < 3; i++)
			most = fmaxf(most, fabsf(parts_at(s, s->parts, node, f)[part_from[ANIM_POSE_SCALE] + i] - 1));
	return (double)most < RIGID;
}

/* A frame's poses, from the parts of all nodes, parents first; and which node is farthest off. */
static void place_all(struct spare *s, size_t frame)
{
	s->off[frame] = 0;
	for (uint32_t node = 0; node < s->nodes; node++) {
		double *local, *world, off;

		if (s->slot[node] == ANIM_POSE_NONE)
			continue;
		local = transform_at(s, s->local, node, frame);
		world = transform_at(s, s->world, node, frame);
		compose(local, parts_at(s, s->parts, node, frame));
		place(world, above(s, node, frame), local);
		off = off_at(s, node, frame, world);
		if (off > s->off[frame]) {
			s->off[frame] = off;
			s->worst[frame] = node;
		}
	}
}

/* ---- A track in the tile ---- */

static void add_key(struct spare *s, const struct member *member, size_t knot, const float *value)
{
	unsigned components = s->run.components;
	double *to = s->value + s->run.n * components;

	s->time[s->run.n] = s->knots[knot];
	s->frame[s->run.n] = (ptrdiff_t)knot - (ptrdiff_t)s->first;
	s->keep[s->run.n++] = (member->knots[knot] & STAYS) != 0;
	for (unsigned c = 0; c < components; c++)
		to[c] = (double)value[c];
}

/* The knot before the tile, or behind it, at which a key stays; `count` where there is none. */
static size_t beside(const struct spare *s, const struct member *member, bool behind)
{
	size_t knot = behind ? s->first + s->frames : s->first;

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
		s->frame[k] = (ptrdiff_t)knot - (ptrdiff_t)s->first;
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
	    add_keys(s, member, s->first, s->frames, error) != 0 ||
	    add_keys(s, member, beside(s, member, true), 1, error) != 0)
		return -1;
	for (size_t k = 1; k < s->run.n && member->aligned; k++)
		reduce_align(s->value + 4 * k, s->value + 4 * (k - 1));
	return 0;
}

static void find_below(struct spare *s, uint32_t node)
{
	memset(s->carried, 0, s->nodes * sizeof *s->carried);
	s->carried[node] = true;
	s->below[0] = node;
	s->below_count = 1;
	for (uint32_t other = node + 1; other < s->nodes; other++) {
		uint32_t parent = parent_of(s, other);

		if (parent == ANIM_POSE_NONE || !s->carried[parent])
			continue;
		s->carried[other] = true;
		s->below[s->below_count++] = other;
	}
}

/* What stays of the track at hand goes back to its knots in the tile. */
static void store_track(const struct spare *s, struct member *member)
{
	for (size_t k = 0; k < s->run.n; k++) {
		uint8_t *knot = member->knots + ((ptrdiff_t)s->first + s->frame[k]);

		*knot = (uint8_t)((*knot & ~STAYS) | (s->keep[k] ? STAYS : 0));
	}
}

static size_t next_kept(const struct spare *s, size_t k)
{
	return reduce_next_kept(s->keep, s->run.n, k);
}

static size_t first_kept(const struct spare *s)
{
	return s->run.n > 0 && s->keep[0] ? 0 : next_kept(s, 0);
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
	ptrdiff_t from = s->frame[way->a], to = way->b < s->run.n ? s->frame[way->b] : (ptrdiff_t)s->frames;

	from = from < 0 ? 0 : from;
	to = to < (ptrdiff_t)s->frames ? to : (ptrdiff_t)s->frames;
	*first = (size_t)from;
	return to > from ? (size_t)(to - from) : 0;
}

/* A node's parts with the track's value on the way. */
static void show(const struct spare *s, const struct member *member, const struct way *way, size_t frame,
		 float parts[PARTS])
{
	const float *now = parts_at(s, s->parts, member->share.node, frame);
	double value[REDUCE_COMPONENTS], slope[REDUCE_COMPONENTS], t = s->knots[s->first + frame];
	double weight = way->b < s->run.n ? (t - s->run.time[way->a]) / (s->run.time[way->b] - s->run.time[way->a]) : 0;

	if (parts != now)
		memcpy(parts, now, PARTS * sizeof *parts);
	if (s->run.cubic && weight > 0)
		reduce_cubic_at(&way->cubic, s->run.components, t, value, slope);
	else
		reduce_between(&s->run, way->a, weight > 0 ? way->b : way->a, weight, value);
	for (unsigned c = 0; c < s->run.components; c++)
		parts[part_from[member->share.part] + c] = (float)value[c];
}

/*
 * What the points that the node carries are off with another transform of its own, as one number: the largest count most of all.
 * INFINITY where one is farther off than it may be.
 */
static double cost_at(struct spare *s, size_t frame, const double *local)
{
	double most = allowed_at(s, frame), sum = 0;

	for (size_t i = 0; i < s->below_count; i++) {
		uint32_t node = s->below[i];
		double *out = s->trial + s->slot[node] * ANIM_POSE_NUMBERS, part;

		if (i == 0)
			place(out, above(s, node, frame), local);
		else
			anim_pose_multiply(out, s->trial + s->slot[parent_of(s, node)] * ANIM_POSE_NUMBERS,
					   transform_at(s, s->local, node, frame));
		part = off_at(s, node, frame, out) / most;
		if (!(part <= 1))
			return (double)INFINITY;
		sum += part * part * part * part;
	}
	return sum;
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
		double local[ANIM_POSE_NUMBERS];
		float parts[PARTS];

		if (frame == first && s->keep[way->a]) /* nothing else than before */
			continue;
		show(s, member, way, frame, parts);
		compose(local, parts);
		sum += cost_at(s, frame, local);
		if (!(sum < most))
			return (double)INFINITY;
	}
	return sum;
}

static bool holds_along(struct spare *s, const struct member *member, const struct way *way)
{
	return cost_along(s, member, way, (double)INFINITY) < (double)INFINITY;
}

/* The parts alone, of all keys that stay. */
static void take_values(struct spare *s, const struct member *member)
{
	for (size_t a = first_kept(s), b; a < s->run.n; a = b) {
		struct way way;
		size_t first, count;

		b = next_kept(s, a);
		way = way_between(s, a, b);
		count = frames_of(s, &way, &first);
		for (size_t frame = first; frame < first + count; frame++) {
			float *parts = parts_at(s, s->parts, member->share.node, frame), before[PARTS];

			memcpy(before, parts, sizeof before);
			show(s, member, &way, frame, parts);
			s->changed[frame] |= memcmp(before, parts, sizeof before) != 0;
		}
	}
}

static void go_along(struct spare *s, const struct member *member, const struct way *way)
{
	size_t first, count = frames_of(s, way, &first);

	for (size_t frame = first; frame < first + count; frame++) {
		float *parts = parts_at(s, s->parts, member->share.node, frame);

		show(s, member, way, frame, parts);
		compose(transform_at(s, s->local, member->share.node, frame), parts);
		for (size_t i = 0; i < s->below_count; i++)
			place(transform_at(s, s->world, s->below[i], frame), above(s, s->below[i], frame),
			      transform_at(s, s->local, s->below[i], frame));
	}
}

/* ---- Keys that go ---- */

static bool is_in_tile(const struct spare *s, size_t a, size_t b)
{
	return b < s->run.n && s->frame[a] >= 0 && s->frame[b] < (ptrdiff_t)s->frames;
}

static bool is_fixed(const struct spare *s, const struct member *member, size_t k)
{
	return (member->knots[(ptrdiff_t)s->first + s->frame[k]] & FIXED) != 0;
}

/* Few keys, all in the tile: the first alone may do. */
static void fold(struct spare *s, const struct member *member)
{
	size_t a = first_kept(s), last = a, kept = 0;
	struct way way = way_between(s, a, s->run.n);

	for (size_t k = a; k < s->run.n; k = next_kept(s, k)) {
		last = k;
		kept++;
	}
	if (kept < 2 || kept > FOLDED || !is_in_tile(s, a, last) || s->first + s->frames < s->count || s->run.seam ||
	    !holds_along(s, member, &way))
		return;
	go_along(s, member, &way);
	memset(s->keep + a + 1, 0, s->run.n - a - 1);
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
	double local[ANIM_POSE_NUMBERS];
	float parts[PARTS];

	if (!s->keep[k]) {
		show(s, member, &at, (size_t)s->frame[k], parts);
		compose(local, parts);
		if (!(cost_at(s, (size_t)s->frame[k], local) < (double)INFINITY))
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
	/* what fits is no matter of less or more alone */
	for (size_t k = bad + 1; k <= last && k < bad + BEYOND; k++)
		if (reaches(s, member, a, k))
			good = k;
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
	size_t from = first_kept(s), last = from;

	fold(s, member);
	while (from < s->run.n && s->frame[from] < 0)
		from = next_kept(s, from);
	for (size_t k = from; k < s->run.n && s->frame[k] < (ptrdiff_t)s->frames; k = next_kept(s, k))
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
	for (size_t i = 0; i < s->member_count; i++) {
		struct member *member = &s->members[i];

		if (load_track(s, member, error) != 0)
			return -1;
		find_below(s, member->share.node);
		with(s, member);
		store_track(s, member);
	}
	return 0;
}

static int leave_out_all(struct spare *s, struct anim_error *error)
{
	if (try_tracks(s, choose_anew, error) != 0)
		return -1;
	for (unsigned loop = 0; loop < LOOPS && !s->scene->fast; loop++)
		if (try_tracks(s, shift, error) != 0 || try_tracks(s, choose_anew, error) != 0)
			return -1;
	return 0;
}

/* ---- Keys that are missed ---- */

/* How far a node would be off if a part of one that carries it, or of itself, were the source's. */
static double off_without(const struct spare *s, uint32_t node, uint32_t blamed, unsigned part, size_t frame,
			  const double suffix[ANIM_POSE_NUMBERS])
{
	double local[ANIM_POSE_NUMBERS], whole[ANIM_POSE_NUMBERS], out[ANIM_POSE_NUMBERS];
	float parts[PARTS];

	memcpy(parts, parts_at(s, s->parts, blamed, frame), sizeof parts);
	memcpy(parts + part_from[part], parts_at(s, s->source, blamed, frame) + part_from[part],
	       part_numbers[part] * sizeof *parts);
	compose(local, parts);
	anim_pose_multiply(whole, local, suffix);
	place(out, above(s, blamed, frame), whole);
	return off_at(s, node, frame, out);
}

/* All from a node up of which a part is another than the source's. */
static bool blame_all(struct spare *s, uint32_t node, size_t frame)
{
	bool any = false;

	for (uint32_t up = node; up != ANIM_POSE_NONE && s->slot[up] != ANIM_POSE_NONE; up = parent_of(s, up))
		for (unsigned part = 0; part < ANIM_POSE_PARTS; part++) {
			if (memcmp(parts_at(s, s->parts, up, frame) + part_from[part],
				   parts_at(s, s->source, up, frame) + part_from[part],
				   part_numbers[part] * sizeof *s->parts) == 0)
				continue;
			s->missed[s->slot[up] * s->room + frame] |= (uint8_t)(1 << part);
			any = true;
		}
	return any;
}

/* Of the nodes from one up, the one of which a part does the most for it being too far off is to have a key of that. */
static bool blame(struct spare *s, uint32_t node, size_t frame)
{
	double suffix[ANIM_POSE_NUMBERS] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, least = s->off[frame] - 1e-6;
	uint32_t found = ANIM_POSE_NONE;
	unsigned found_part = 0;

	for (uint32_t up = node; up != ANIM_POSE_NONE && s->slot[up] != ANIM_POSE_NONE; up = parent_of(s, up)) {
		double next[ANIM_POSE_NUMBERS];

		for (unsigned part = 0; part < ANIM_POSE_PARTS; part++) {
			double off = off_without(s, node, up, part, frame, suffix);

			if (off < least) {
				least = off;
				found = up;
				found_part = part;
			}
		}
		anim_pose_multiply(next, transform_at(s, s->local, up, frame), suffix);
		memcpy(suffix, next, sizeof suffix);
	}
	if (found == ANIM_POSE_NONE)
		return blame_all(s, node, frame);
	s->missed[s->slot[found] * s->room + frame] |= (uint8_t)(1 << found_part);
	return true;
}

/* Where a node is farther off than it may be, and than one is at the frames beside. True where a key may be missing. */
static bool find_missed(struct spare *s)
{
	bool any = false;

	for (size_t f = 0; f < s->frames; f++)
		if (s->changed[f])
			place_all(s, f);
	memset(s->changed, 0, s->frames);
	memset(s->missed, 0, s->moving * s->room);
	for (size_t f = 0; f < s->frames; f++) {
		double most = allowed_at(s, f);

		if (s->off[f] > most && (f == 0 || s->off[f] / most > s->off[f - 1] / allowed_at(s, f - 1)) &&
		    (f + 1 == s->frames || s->off[f] / most >= s->off[f + 1] / allowed_at(s, f + 1)))
			any = blame(s, s->worst[f], f) || any;
	}
	return any;
}

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
	const uint8_t *missed = s->missed + s->slot[member->share.node] * s->room,
		      part = (uint8_t)(1 << member->share.part);
	bool any = false;

	for (size_t f = 0; f < s->frames && !any; f++)
		any = missed[f] & part;
	if (!any)
		return 0;
	if (load_track(s, member, error) != 0 || unfold(s, member, error) != 0)
		return -1;
	for (size_t f = 0; f < s->frames; f++) {
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
	for (unsigned round = 0; round < MENDINGS && find_missed(s); round++)
		for (size_t i = 0; i < s->member_count; i++)
			if (bring_back(s, &s->members[i], error) != 0)
				return -1;
	return 0;
}

/* ---- Tile by tile ---- */

static int begin_tile(struct spare *s, struct anim_error *error)
{
	if (anim_poses_tile(&s->scene->poses[0], s->first, s->frames, error) != 0)
		return -1;
	for (uint32_t node = 0; node < s->nodes; node++)
		if (s->slot[node] != ANIM_POSE_NONE &&
		    (take_parts(s, 0, node, s->source, error) != 0 || take_parts(s, 1, node, s->parts, error) != 0))
			return -1;
	/* keys that the tile before shares with this one have changed since the poses were made */
	for (size_t i = 0; i < s->member_count && s->first > 0; i++) {
		if (load_track(s, &s->members[i], error) != 0)
			return -1;
		take_values(s, &s->members[i]);
	}
	for (uint32_t node = 0; node < s->nodes; node++)
		s->rigid[node] = is_rigid(s, node);
	memset(s->changed, 1, s->frames);
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
	    run.metric == REDUCE_TURN && run.cubic && !reduce_blends_components(s->scene->clip, track.rules);
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
	chosen->count = 0;
	for (size_t k = 0; k < run.n; k++)
		chosen->count += chosen->keep[k];
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

static int number_nodes(struct spare *s, struct anim_error *error)
{
	s->slot = anim_arena_zeroed(&s->arena, s->nodes + 1, sizeof *s->slot, error);
	for (uint32_t node = 0; node < s->nodes && s->slot != NULL; node++)
		s->slot[node] =
		    anim_poses_moves(&s->scene->poses[0], node) || anim_poses_moves(&s->scene->poses[1], node)
			? (uint32_t)s->moving++
			: ANIM_POSE_NONE;
	return s->slot == NULL ? -1 : 0;
}

static int make_room(struct spare *s, struct anim_error *error)
{
	size_t tile =
	    s->scene->poses[0].tile < s->scene->poses[1].tile ? s->scene->poses[0].tile : s->scene->poses[1].tile;
	size_t samples = (s->room = tile < s->count ? tile : s->count) * (s->moving + 1);
	size_t keys = s->capacity > s->room + 2 ? s->capacity : s->room + 2;

	s->parts = anim_arena_zeroed(&s->arena, samples, PARTS * sizeof *s->parts, error);
	s->source = anim_arena_zeroed(&s->arena, samples, PARTS * sizeof *s->source, error);
	s->local = anim_arena_zeroed(&s->arena, samples, ANIM_POSE_NUMBERS * sizeof *s->local, error);
	s->world = anim_arena_zeroed(&s->arena, samples, ANIM_POSE_NUMBERS * sizeof *s->world, error);
	s->missed = anim_arena_zeroed(&s->arena, samples, 1, error);
	s->rigid = anim_arena_zeroed(&s->arena, s->nodes, sizeof *s->rigid, error);
	s->off = anim_arena_zeroed(&s->arena, s->room, sizeof *s->off, error);
	s->worst = anim_arena_zeroed(&s->arena, s->room, sizeof *s->worst, error);
	s->changed = anim_arena_zeroed(&s->arena, s->room, 1, error);
	s->trial = anim_arena_zeroed(&s->arena, s->moving + 1, ANIM_POSE_NUMBERS * sizeof *s->trial, error);
	s->carried = anim_arena_zeroed(&s->arena, s->nodes, sizeof *s->carried, error);
	s->below = anim_arena_zeroed(&s->arena, s->nodes, sizeof *s->below, error);
	s->time = anim_arena_zeroed(&s->arena, keys, sizeof *s->time, error);
	s->value = anim_arena_zeroed(&s->arena, keys, REDUCE_COMPONENTS * sizeof *s->value, error);
	s->frame = anim_arena_zeroed(&s->arena, keys, sizeof *s->frame, error);
	s->keep = anim_arena_zeroed(&s->arena, keys, 1, error);
	return s->parts == NULL || s->source == NULL || s->local == NULL || s->world == NULL || s->missed == NULL ||
		       s->rigid == NULL || s->off == NULL || s->worst == NULL || s->changed == NULL ||
		       s->trial == NULL || s->carried == NULL || s->below == NULL || s->time == NULL ||
		       s->value == NULL || s->frame == NULL || s->keep == NULL
		   ? -1
		   : 0;
}

int reduce_spare(const struct reduce_scene *scene, const struct reduce_joints *joints, const double *knots,
		 size_t count, const float *allowed, bool sparing, struct reduce_chosen *chosen, uint8_t *touched,
		 struct anim_error *error)
{
	struct spare s = {.scene = scene, .joints = joints, .knots = knots, .count = count, .allowed = allowed};
	int result;

	s.nodes = anim_poses_count(&scene->poses[0]);
	result =
	    number_nodes(&s, error) != 0 || find_members(&s, chosen, error) != 0 || make_room(&s, error) != 0 ? -1 : 0;
	for (bool last = false; result == 0 && !last; s.first += s.room / 2) {
		s.frames = count - s.first < s.room ? count - s.first : s.room;
		last = s.first + s.frames == count;
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
