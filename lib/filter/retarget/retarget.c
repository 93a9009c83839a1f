/* retarget.c: tracks brought to their bones' partners through constant factors; what waits for others does so until the clip's end. */
#include "filter/retarget/retarget.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "filter/feet.h"
#include "filter/filter.h"
#include "filter/posing.h"
#include "filter/retarget/internal.h"
#include "filter/select.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* A bone of a chain, from the one that has a partner upwards. Tracks are whole, of a rotation or angles and of a position; NULL: at rest. */
struct retarget_link {
	uint32_t node;
	const struct anim_track *rotation, *position;
};

struct retarget_fold {
	const struct retarget_plan *plan;
	const struct anim_clip *clip;
	const struct retarget_link *links; /* the first one's partner is what gets the track */
	size_t count;
	struct anim_keys *keys; /* of the track that comes out */
	double worst; /* out: how far what is between the keys is off, a bound: degrees, or the target's length */
};

/* ======== Chains of bones played together, as one bone's track ======== */

#define DEGREES 0.01 /* keys are added where rotations would be farther off between them */
#define LENGTH 1e-4  /* the same of positions, of the height of the target's hips */
#define DEPTH 12     /* halvings of what lies between two keys, at most */
#define INSIDE 15    /* samples between two keys that tell how far off it is */
#define MEASURED 0.8 /* of an error, so much is seen there at least: what is told is a bound */

/* A link's tracks, as their players show them. */
struct played {
	struct anim_source rotation, position;
	double before[4], behind[4]; /* its turn n is before q behind */
};

struct fold {
	struct retarget_fold *told;
	bool places; /* a position is wanted */
	struct played *links;
	double before[4], behind[4]; /* of the partner's rotation */
	struct anim_affine place;    /* of its position */
	double tolerance, last[4];
	unsigned components;
};

/* ---- Values ---- */

static const struct anim_rest *rest_of(const struct fold *f, uint32_t node)
{
	return &f->told->plan->from.skeleton->poses.rests.items[node];
}

static int begin(struct fold *f, struct anim_source *s, const struct anim_track *track, uint32_t node,
		 struct anim_error *error)
{
	unsigned components = anim_types[track->type].components;
	bool euler = strcmp(track->property, "euler") == 0, relative = (track->flags & ANIM_REST_RELATIVE) != 0;

	if (track->component != ANIM_WHOLE || (euler && relative) || !anim_play_can(track) ||
	    components != (strcmp(track->property, "rotation") == 0 ? 4 : 3))
		return anim_track_refuse(
		    track,
		    "cannot be joined with that of another bone, which the target lacks; put anim-bake before this",
		    error);
	anim_play_open(s, f->told->clip, track);
	if (euler)
		s->step = ANIM_STEP_EULER;
	if (relative) {
		s->step = anim_step_from_rest(track->property, components);
		s->rest = *rest_of(f, node);
	}
	anim_source_open(s, rest_of(f, node));
	return 0;
}

/* Quaternions of length 1 at so many times. */
static int turns_at(struct fold *f, size_t link, const double *t, size_t count, double (*out)[ANIM_COMPONENTS_MAX],
		    struct anim_error *error)
{
	struct anim_source *s = &f->links[link].rotation;

	if (f->told->links[link].rotation != NULL) {
		if (anim_source_sample(s, t, count, out, error) != 0)
			return -1;
		for (size_t k = 0; k < count; k++) {
			float q[4];

			anim_components_to_float(q, out[k], 4);
			anim_quat_unit_double(out[k], q);
		}
		return 0;
	}
	for (size_t k = 0; k < count; k++)
		anim_quat_unit_double(out[k], rest_of(f, f->told->links[link].node)->rotation);
	return 0;
}

static int places_at(struct fold *f, size_t link, const double *t, size_t count, double (*out)[ANIM_COMPONENTS_MAX],
		     struct anim_error *error)
{
	if (f->told->links[link].position != NULL)
		return anim_source_sample(&f->links[link].position, t, count, out, error);
	for (size_t k = 0; k < count; k++)
		for (unsigned i = 0; i < 3; i++)
			out[k][i] = (double)rest_of(f, f->told->links[link].node)->position[i];
	return 0;
}

/* The turns of all links, the topmost first, and what they are to the partner. */
static int rotations(struct fold *f, const double *t, size_t count, double (*out)[4], struct anim_error *error)
{
	double q[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}};

	for (size_t k = 0; k < count; k++)
		memcpy(out[k], f->before, sizeof f->before);
	for (size_t link = f->told->count; link-- > 0;) {
		if (f->told->links[link].rotation == NULL)
			continue;
		if (turns_at(f, link, t, count, q, error) != 0)
			return -1;
		for (size_t k = 0; k < count; k++) {
			anim_quat_multiply_double(out[k], out[k], f->links[link].before);
			anim_quat_multiply_double(out[k], out[k], q[k]);
			anim_quat_multiply_double(out[k], out[k], f->links[link].behind);
		}
	}
	for (size_t k = 0; k < count; k++)
		anim_quat_multiply_double(out[k], out[k], f->behind);
	return 0;
}

/* A point of a node's space in its parent's: scaled, turned, moved. */
static void lift(double v[4], const double position[3], const double turn[4], const float scale[3])
{
	double point[4] = {v[0] * (double)scale[0], v[1] * (double)scale[1], v[2] * (double)scale[2], 0};
	const double back[4] = {-turn[0], -turn[1], -turn[2], turn[3]};

	anim_quat_multiply_double(point, turn, point);
	anim_quat_multiply_double(point, point, back);
	for (unsigned i = 0; i < 3; i++)
		v[i] = point[i] + position[i];
}

static int positions(struct fold *f, const double *t, size_t count, double (*out)[4], struct anim_error *error)
{
	double p[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}}, q[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}};

	for (size_t link = 0; link < f->told->count; link++) {
		if (places_at(f, link, t, count, p, error) != 0 || turns_at(f, link, t, count, q, error) != 0)
			return -1;
		for (size_t k = 0; k < count; k++)
			if (link == 0)
				memcpy(out[k], p[k], 3 * sizeof(double));
			else
				lift(out[k], p[k], q[k], rest_of(f, f->told->links[link].node)->scale);
	}
	for (size_t k = 0; k < count; k++) {
		double v[3];

		memcpy(v, out[k], sizeof v);
		for (unsigned i = 0; i < 3; i++)
			out[k][i] = f->place.offset[i] + f->place.m[i][0] * v[0] + f->place.m[i][1] * v[1] +
				    f->place.m[i][2] * v[2];
	}
	return 0;
}

static int values_at(struct fold *f, const double *t, size_t count, double (*out)[4], struct anim_error *error)
{
	return f->places ? positions(f, t, count, out, error) : rotations(f, t, count, out, error);
}

/* ---- Keys ---- */

/* The value of a key as it is kept; the sign of quaternions follows the key before. */
static void keep_value(struct fold *f, const double value[4], float out[4])
{
	double along = 0;

	for (unsigned i = 0; i < 4; i++)
		along += f->last[i] * value[i];
	for (unsigned i = 0; i < f->components; i++) {
		f->last[i] = !f->places && along < 0 ? -value[i] : value[i];
		out[i] = (float)f->last[i];
	}
}

static int add_key(struct fold *f, float t, const double value[4], enum anim_interp interp, struct anim_error *error)
{
	float kept[4];

	keep_value(f, value, kept);
	return anim_keys_add(f->told->keys, t, kept, interp, error);
}

/* How far a value is from what is between two keys: degrees, or a distance. */
static double off_by(const struct fold *f, const double a[4], const double b[4], double share, const double value[4])
{
	double between[4], square = 0;
	float p[4], q[4];

	if (!f->places) {
		anim_quat_slerp_double(between, a, b, share);
		anim_components_to_float(p, between, 4);
		anim_components_to_float(q, value, 4);
		return anim_quat_angle(p, q) * (180 / ANIM_PI);
	}
	for (unsigned i = 0; i < 3; i++)
		square += (a[i] + (b[i] - a[i]) * share - value[i]) * (a[i] + (b[i] - a[i]) * share - value[i]);
	return sqrt(square);
}

static int measure(struct fold *f, double from_s, double to_s, const double a[4], const double b[4], double *off,
		   struct anim_error *error)
{
	double t[INSIDE], values[INSIDE][4] = {{0}};

	*off = 0;
	for (unsigned i = 0; i < INSIDE; i++)
		t[i] = from_s + (to_s - from_s) * (i + 1) / (INSIDE + 1);
	if (values_at(f, t, INSIDE, values, error) != 0)
		return -1;
	for (unsigned i = 0; i < INSIDE; i++)
		*off = fmax(*off, off_by(f, a, b, (i + 1.0) / (INSIDE + 1), values[i]) / MEASURED);
	return 0;
}

/* The keys from one time on, the one at the other left out. */
static int fit(struct fold *f, float from_s, float to_s, const double a[4], const double b[4], unsigned depth,
	       struct anim_error *error)
{
	float middle_s = from_s + (to_s - from_s) / 2;
	double off, middle[1][4] = {{0}}, t = (double)middle_s;

	if (measure(f, (double)from_s, (double)to_s, a, b, &off, error) != 0)
		return -1;
	if (off > f->tolerance && depth > 0 && middle_s > from_s && middle_s < to_s) {
		if (values_at(f, &t, 1, middle, error) != 0 ||
		    fit(f, from_s, middle_s, a, middle[0], depth - 1, error) != 0)
			return -1;
		return fit(f, middle_s, to_s, middle[0], b, depth - 1, error);
	}
	f->told->worst = fmax(f->told->worst, off);
	return add_key(f, from_s, a, ANIM_LINEAR, error);
}

/* ---- Times ---- */

/* Both parts of a link; position counts where one is wanted. */
static const struct anim_track *track_of(const struct fold *f, size_t i)
{
	const struct retarget_link *link = &f->told->links[i / 2];

	return i % 2 == 0 ? link->rotation : f->places ? link->position : NULL;
}

static struct anim_source *source_of(const struct fold *f, size_t i)
{
	return i % 2 == 0 ? &f->links[i / 2].rotation : &f->links[i / 2].position;
}

/* The first bone's own rotation does not move its place. */
static bool counts(const struct fold *f, size_t i)
{
	return track_of(f, i) != NULL && !(f->places && i == 0);
}

static bool holds_at(const struct anim_track *track, float t)
{
	size_t low = 0, high = track->n;

	if (track->kind != ANIM_CURVE)
		return track->kind == ANIM_DISCRETE;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (track->time[middle] <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && anim_track_interp(track, low - 1) == ANIM_HOLD;
}

static int compare_floats(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* All times at which a track may bend, rising, none twice. */
static int find_breaks(const struct fold *f, struct anim_buffer *out, struct anim_error *error)
{
	struct anim_buffer own = {0};
	int result = 0;
	size_t count, kept = 0;
	float *times;

	for (size_t i = 0; i < 2 * f->told->count && result == 0; i++) {
		own.size = 0;
		if (counts(f, i) && (result = anim_source_breaks(source_of(f, i), &own, error)) == 0)
			result = anim_buffer_append(out, own.data, own.size, error);
	}
	anim_buffer_clear(&own);
	count = out->size / sizeof *times;
	times = (float *)(void *)out->data;
	if (result != 0 || count == 0)
		return result;
	qsort(times, count, sizeof *times, compare_floats);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || times[i] > times[kept - 1])
			times[kept++] = times[i];
	out->size = kept * sizeof *times;
	return 0;
}

/* The keys between two breaks. What steps does so at the second: it is followed up to just before. */
static int fit_break(struct fold *f, float from_s, float to_s, struct anim_error *error)
{
	double t[2] = {(double)from_s, (double)to_s}, values[2][4] = {{0}};
	bool some, all;

	/* Whether tracks step from this time on: some, all; how the first of its players may show what was before it. */
	some = false;
	all = true;
	for (size_t i = 0; i < 2 * f->told->count; i++) {
		bool holds = counts(f, i) && holds_at(track_of(f, i), from_s);

		some = some || holds;
		all = all && (holds || !counts(f, i));
	}
	if (some)
		t[0] = anim_time_just_behind(t[0]);
	if (some && !all) {
		to_s = nextafterf(to_s, from_s);
		t[1] = (double)to_s;
	}
	if (values_at(f, t, 2, values, error) != 0)
		return -1;
	if (all)
		return add_key(f, from_s, values[0], ANIM_HOLD, error);
	if (fit(f, from_s, to_s, values[0], values[1], DEPTH, error) != 0)
		return -1;
	return some && to_s > from_s ? add_key(f, to_s, values[1], ANIM_LINEAR, error) : 0;
}

static int run_breaks(struct fold *f, struct anim_track *out, struct anim_error *error)
{
	struct anim_buffer breaks = {0};
	int result = find_breaks(f, &breaks, error);
	const float *times = (const float *)(const void *)breaks.data;
	size_t count = breaks.size / sizeof *times;
	double t, value[1][4] = {{0}};

	for (size_t i = 0; i + 1 < count && result == 0; i++)
		result = fit_break(f, times[i], times[i + 1], error);
	if (result == 0 && count > 0) {
		t = (double)times[count - 1];
		result = values_at(f, &t, 1, value, error);
		if (result == 0)
			result = add_key(f, times[count - 1], value[0], ANIM_LINEAR, error);
	}
	anim_buffer_clear(&breaks);
	out->kind = ANIM_CURVE;
	return result;
}

/* ---- Samples ---- */

/* One of the tracks, where all have their samples at the same times; NULL: they do not. */
static const struct anim_track *find_grid(const struct fold *f)
{
	const struct anim_track *grid = NULL;

	for (size_t i = 0; i < 2 * f->told->count; i++) {
		const struct anim_track *track = track_of(f, i);

		if (!counts(f, i))
			continue;
		grid = grid == NULL ? track : grid;
		if (track->kind != ANIM_RAW || track->n != grid->n || track->start_s != grid->start_s ||
		    anim_track_step(track) != anim_track_step(grid))
			return NULL;
	}
	return grid;
}

static int run_samples(struct fold *f, const struct anim_track *grid, struct anim_track *out, struct anim_error *error)
{
	double before_s = 0, before[4] = {0}, value[1][4] = {{0}}, off;
	float kept[4];

	for (size_t k = 0; k < grid->n; k++) {
		double t = anim_track_time(grid, k);

		if (values_at(f, &t, 1, value, error) != 0)
			return -1;
		if (k > 0) {
			if (measure(f, before_s, t, before, value[0], &off, error) != 0)
				return -1;
			f->told->worst = fmax(f->told->worst, off);
		}
		keep_value(f, value[0], kept);
		if (anim_keys_add_sample(f->told->keys, kept, error) != 0)
			return -1;
		before_s = t;
		memcpy(before, value[0], sizeof before);
	}
	out->kind = ANIM_RAW;
	out->start_s = grid->start_s;
	out->step_s = grid->step_s;
	out->rate_num = grid->rate_num;
	out->rate_den = grid->rate_den;
	return 0;
}

/* ---- A chain ---- */

static int open_links(struct fold *f, struct anim_error *error)
{
	for (size_t i = 0; i < 2 * f->told->count; i++) {
		const struct retarget_link *link = &f->told->links[i / 2];
		struct played *played = &f->links[i / 2];
		const struct anim_track *track = track_of(f, i);

		if (track != NULL && begin(f, source_of(f, i), track, link->node, error) != 0)
			return -1;
		retarget_turn_factors(f->told->plan, link->node, false, played->before, played->behind);
	}
	return 0;
}

static int run(struct fold *f, enum anim_type type, struct anim_track *out, struct anim_error *error)
{
	const struct anim_track *grid;
	int result;

	f->links = anim_zeroed(f->told->count * sizeof *f->links, error);
	if (f->links == NULL)
		return -1;
	f->components = anim_types[type].components;
	f->told->worst = 0;
	anim_keys_reset(f->told->keys, type);
	out->type = type;
	out->rules = ANIM_RULES_PLAIN;
	out->component = ANIM_WHOLE;
	result = open_links(f, error);
	grid = result == 0 ? find_grid(f) : NULL;
	if (result == 0)
		result = grid != NULL ? run_samples(f, grid, out, error) : run_breaks(f, out, error);
	for (size_t i = 0; i < 2 * f->told->count; i++)
		anim_source_close(source_of(f, i));
	free(f->links);
	if (result == 0)
		anim_keys_finish(f->told->keys, out);
	if (out->kind == ANIM_RAW)
		out->interp = ANIM_LINEAR;
	return result;
}

/*
 * The rotation, or the position, of the partner: keys where any of the tracks has one, and more where they would be off between,
 * or the samples of all where those share their times. *out gets kind, type, rules and columns, which the keys own; 0 or -1.
 */
static int fold_rotation(struct retarget_fold *fold, struct anim_track *out, struct anim_error *error)
{
	struct fold f = {.told = fold, .tolerance = DEGREES};
	uint32_t to = fold->plan->from.nodes[fold->links[0].node].partner;

	retarget_back_factors(fold->plan, to, false, f.before, f.behind);
	return run(&f, ANIM_FLOATQ, out, error);
}

static int fold_position(struct retarget_fold *fold, struct anim_track *out, struct anim_error *error)
{
	struct fold f = {.told = fold, .places = true, .tolerance = LENGTH * fabs(fold->plan->to.height)};
	const struct retarget_side *side = &fold->plan->from;
	uint32_t node = fold->links[0].node, to = side->nodes[node].partner;
	struct retarget_place place = {.space = retarget_above(side, node)};
	double rest[4] = {0}, turn[4], at[3];

	for (size_t i = 0; i < fold->count; i++) {
		const struct anim_rest *own = rest_of(&f, fold->links[i].node);

		for (unsigned k = 0; k < 3; k++)
			at[k] = (double)own->position[k];
		anim_quat_unit_double(turn, own->rotation);
		if (i == 0)
			memcpy(rest, at, sizeof at);
		else
			lift(rest, at, turn, own->scale);
	}
	memcpy(place.rest, rest, sizeof place.rest);
	if (!retarget_position(fold->plan, &place, to, &f.place))
		return anim_fail(error, ANIM_UNSUPPORTED, "'%s' cannot be placed: a node above it is scaled to nothing",
				 anim_poses_path(&fold->plan->to.skeleton->poses, to));
	return run(&f, ANIM_FLOAT3, out, error);
}

/* ======== The filter ======== */

#define STILL 1e-5 /* radians, or of the skeleton's height: what moves no more than so from its rest says nothing */

#define SLIDES 0.0005 /* of a leg: what is told as nothing is not told */

enum role { ROLE_OTHER, ROLE_POSITION, ROLE_ROTATION, ROLE_EULER, ROLE_SCALE };

/* A track that waits in the store. */
struct waiting {
	enum role role; /* ROLE_OTHER: it waits no more */
	bool moves;     /* of a position: it leaves its rest */
	size_t number;
	uint32_t next; /* of the same node: its place in the list + 1; 0: none */
};

/* What a foot did in all clips so far. */
struct slid {
	double share;
	double height; /* of the lowest ankle above where it stands, of a leg */
	char name[64];
	bool measured; /* a foot was */
	bool stood;    /* and its height */
};

struct retarget {
	struct anim_filter filter;
	struct anim_retarget_options options;
	struct anim_skeleton own; /* the stream's tree */
	struct anim_sink *own_sink;
	struct retarget_plan plan;
	bool planned, sent;   /* the plan is made; the target's tree went on */
	bool identical;       /* the target is the stream's own tree, as far as it goes */
	bool open;            /* no hips are known: each clip's tracks say what carries its motion */
	bool *carries;        /* of the source's nodes: one with a partner is below */
	struct anim_clip out; /* the clip as it goes on */
	bool in_clip, known;  /* known: the clip's rests are */
	uint32_t *heads;      /* of each node of the source: place in `waiting` + 1 of the first that waits */
	struct anim_buffer waiting;
	struct anim_store *store;
	bool *turned;   /* of the target's bones: they have a rotation in this clip */
	bool any_turns; /* one of them has */
	struct anim_keys keys;
	struct retarget_humanoid *humanoid;
	/* Of a clip from Unity without rests, which may be a humanoid's: what came waits until that is known. */
	bool undecided;
	struct anim_store *aside;
	bool refused; /* a track moved a node, whose rest only a clip of another kind needs */
	struct anim_error refusal;
	struct anim_feet feet[2]; /* before and after */
	struct slid slid[2];
	struct anim_arena track_arena, plan_arena;
	struct anim_buffer columns[ANIM_COLUMN_COUNT];
};

/* ---- The plan ---- */

static int give_feet(struct anim_feet *feet, const struct retarget_side *side, const struct retarget_side *other,
		     struct anim_error *error)
{
	const struct anim_poses *poses = &side->skeleton->poses;

	anim_feet_tree(feet);
	for (uint32_t n = 0; n < side->count; n++) {
		const struct anim_rest *rest = &poses->rests.items[n];
		/* a foot of one side alone says nothing beside those of the other */
		enum anim_human_bone bone =
		    side->nodes[n].partner == ANIM_POSE_NONE ? ANIM_HUMAN_BONES : retarget_bone(side, other, n);
		struct anim_node node = {
		    .has = rest->has, .parent = anim_poses_parent(poses, n), .path = rest->path, .type = ""};

		node.parent = node.parent == ANIM_POSE_NONE ? ANIM_NO_PARENT : node.parent;
		memcpy(node.position, rest->position, sizeof node.position);
		memcpy(node.rotation, rest->rotation, sizeof node.rotation);
		memcpy(node.scale, rest->scale, sizeof node.scale);
		if (anim_feet_node(feet, &node, &bone, error) != 0)
			return -1;
	}
	return 0;
}

static int find_carriers(struct retarget *r, struct anim_error *error)
{
	const struct retarget_side *side = &r->plan.from;

	r->carries = anim_arena_zeroed(&r->plan_arena, side->count + 1, sizeof *r->carries, error);
	for (uint32_t n = side->count; n-- > 0 && r->carries != NULL;) {
		uint32_t parent = anim_poses_parent(&side->skeleton->poses, n);

		if (parent != ANIM_POSE_NONE && (r->carries[n] || side->nodes[n].partner != ANIM_POSE_NONE))
			r->carries[parent] = true;
	}
	return r->carries == NULL ? -1 : 0;
}

/* Partners have the same rests and the same paths. */
static bool are_identical(const struct retarget_plan *plan)
{
	for (uint32_t n = 0; n < plan->from.count; n++) {
		uint32_t to = plan->from.nodes[n].partner;

		if (to != ANIM_POSE_NONE && strcmp(anim_poses_path(&plan->from.skeleton->poses, n),
						   anim_poses_path(&plan->to.skeleton->poses, to)) != 0)
			return false;
	}
	return plan->same && plan->ratio == 1;
}

static int make_plan(struct retarget *r, struct anim_error *error)
{
	struct anim_skeleton *from = r->options.from != NULL ? r->options.from : &r->own;

	if (r->planned)
		return 0;
	r->planned = true;
	if (retarget_plan_make(&r->plan, from, error) != 0 || find_carriers(r, error) != 0)
		return -1;
	r->identical = r->options.from == NULL && are_identical(&r->plan);
	r->open = r->plan.hips == ANIM_POSE_NONE && !r->plan.same;
	if (!r->options.feet)
		return 0;
	return give_feet(&r->feet[0], &r->plan.from, &r->plan.to, error) != 0
		   ? -1
		   : give_feet(&r->feet[1], &r->plan.to, &r->plan.from, error);
}

/* ---- Names ---- */

static const char *path_of(const struct retarget_side *side, uint32_t node)
{
	return anim_poses_path(&side->skeleton->poses, node);
}

/* The node that a track drives, in a tree of another file by its name, too; ANIM_POSE_NONE: it is not known. */
static uint32_t find_node(struct retarget *r, const struct anim_track *track)
{
	if (!r->known)
		return ANIM_POSE_NONE;
	return (r->options.from != NULL ? anim_poses_find_loosely : anim_poses_find)(&r->plan.from.skeleton->poses,
										     r->filter.clip.root, track->node);
}

/* What stands behind the root in a path of the tree; NULL: it does not lie there. */
static const char *behind_root(const char *root, const char *path)
{
	size_t length = strlen(root);

	if (strcmp(root, ".") == 0)
		return path;
	if (strncmp(root, path, length) != 0 || (path[length] != '/' && path[length] != '\0'))
		return NULL;
	return path[length] == '\0' ? "." : path + length + 1;
}

/* The clip's own root where the target has it, and all that may move below; else the whole tree's. NULL out of memory. */
static const char *find_root(struct retarget *r, struct anim_error *error)
{
	struct anim_error none = {0};
	const char *root = anim_tree_path(r->filter.clip.root, ".", &r->filter.clip_arena, &none);

	if (r->identical)
		return r->filter.clip.root;
	if (root == NULL && none.code == ANIM_NO_MEMORY) {
		anim_fail_memory(error);
		return NULL;
	}
	if (root == NULL || anim_poses_find(&r->options.to->poses, ".", root) == ANIM_POSE_NONE)
		return ".";
	for (uint32_t t = 0; t < r->plan.to.count; t++)
		if (r->plan.to.nodes[t].partner != ANIM_POSE_NONE && behind_root(root, path_of(&r->plan.to, t)) == NULL)
			return ".";
	return r->filter.clip.root;
}

static bool is_bone_path(const struct retarget *r, uint32_t to)
{
	const struct anim_poses *poses = &r->options.to->poses;
	uint32_t above = anim_poses_parent(poses, to);

	return above != ANIM_POSE_NONE &&
	       anim_node_bone(anim_poses_path(poses, to), anim_poses_path(poses, above)) != NULL;
}

/* The track is the partner's now: its path, and that a ':' parts a bone where the clip's own format has none such. 0 or -1. */
static int name_track(struct retarget *r, struct anim_track *out, uint32_t node, uint32_t to, struct anim_error *error)
{
	const char *path = anim_poses_path(&r->options.to->poses, to);
	bool same = node != ANIM_POSE_NONE && strcmp(path_of(&r->plan.from, node), path) == 0;
	const char *root = anim_tree_path(r->out.root, ".", &r->track_arena, error);

	if (root == NULL)
		return -1;
	if (same && r->out.root == r->filter.clip.root && r->options.from == NULL)
		return 0;
	out->node = behind_root(root, path);
	out->record = NULL;
	if (out->node == NULL)
		return anim_track_refuse(out, "lies outside of the clip's root", error);
	if (!is_bone_path(r, to) || strncmp(r->filter.clip.source, "godot", 5) == 0)
		return 0;
	return anim_attrs_with(&out->attrs, &out->attrs, "godot.bone", "true", &r->track_arena, error);
}

/* ---- What a track says ---- */

static enum role role_of(const struct anim_track *track)
{
	static const char *const names[] = {"position", "rotation", "euler", "scale"};

	if (!anim_type_is_real(track->type) || !anim_track_is_transform(track) || track->n == 0)
		return ROLE_OTHER;
	for (int i = 0; i < 4; i++)
		if (strcmp(track->property, names[i]) == 0)
			return (enum role)(ROLE_POSITION + i);
	return ROLE_OTHER;
}

static bool is_turn(enum role role)
{
	return role == ROLE_ROTATION || role == ROLE_EULER;
}

/* A key's value and a rest's, of one part or a lane of it. */
static bool is_at(const struct anim_track *track, const double *value, const float *rest, double far)
{
	unsigned first = track->component == ANIM_WHOLE ? 0 : track->component;
	unsigned count = anim_types[track->type].components;
	bool straight = true, turned = anim_types[track->type].quaternion;

	for (unsigned i = 0; i < count; i++) {
		straight = straight && fabs(value[i] - (double)rest[first + i]) <= far;
		turned = turned && fabs(value[i] + (double)rest[first + i]) <= far;
	}
	return straight || turned;
}

/* It never leaves the rest, or (standing) one place: nothing would be seen of it. */
static bool stays(const struct retarget *r, const struct anim_track *track, uint32_t node, enum role role,
		  bool standing)
{
	static const float none[4] = {0, 0, 0, 1}, one[3] = {1, 1, 1};
	const struct anim_rest *rest = &r->plan.from.skeleton->poses.rests.items[node];
	double first[ANIM_COMPONENTS_MAX] = {0}, value[ANIM_COMPONENTS_MAX] = {0};
	double far = role == ROLE_POSITION ? STILL * fabs(r->plan.from.height) : STILL;
	const float *at = role == ROLE_POSITION ? rest->position : role == ROLE_SCALE ? rest->scale : rest->rotation;
	float begin[4];

	if (role == ROLE_EULER || (is_turn(role) && !anim_types[track->type].quaternion))
		return false;
	if (anim_types[track->type].components > 4 || (track->left != NULL && !anim_track_is_constant(track)))
		return false;
	if (track->flags & ANIM_REST_RELATIVE)
		at = role == ROLE_SCALE ? one : role == ROLE_POSITION ? none + 0 : none;
	anim_components(track->type, track->value, 0, first);
	if (standing) {
		unsigned lane = track->component == ANIM_WHOLE ? 0 : track->component;

		memset(begin, 0, sizeof begin);
		for (unsigned i = 0; i < anim_types[track->type].components && lane + i < 4; i++)
			begin[lane + i] = (float)first[i];
		at = begin;
	}
	if (track->component != ANIM_WHOLE && track->component > (role == ROLE_ROTATION ? 3 : 2))
		return false;
	for (size_t k = 0; k < track->n; k++) {
		anim_components(track->type, track->value, k, value);
		if (!is_at(track, value, at, far))
			return false;
	}
	return true;
}

/* ---- Out ---- */

static int send(struct retarget *r, const struct anim_track *track, struct anim_error *error)
{
	if (r->options.feet && r->known && anim_feet_track(&r->feet[1], &r->out, track, error) != 0)
		return -1;
	return anim_sink_track(r->filter.next, track, error);
}

static void mark_turned(struct retarget *r, uint32_t to)
{
	r->turned[to] = r->any_turns = true;
}

static int map_track(struct retarget *r, const struct anim_track *track, enum role role, uint32_t node, uint32_t to,
		     struct anim_track *out, struct anim_error *error)
{
	bool relative = (track->flags & ANIM_REST_RELATIVE) != 0, fits = true;
	struct anim_affine affine;
	double a[4], b[4];
	int done;

	if (role == ROLE_POSITION) {
		struct retarget_place place = {
		    .space = relative ? node : anim_poses_parent(&r->plan.from.skeleton->poses, node),
		    .relative = relative};

		for (unsigned i = 0; i < 3 && !relative; i++)
			place.rest[i] = (double)r->plan.from.skeleton->poses.rests.items[node].position[i];
		if (!retarget_position(&r->plan, &place, to, &affine))
			return anim_track_refuse(track, "has no place in the target: a node above is scaled to nothing",
						 error);
	} else {
		retarget_factors(&r->plan, node, to, relative, a, b);
		anim_affine_turn(&affine, a, b);
		anim_affine_snap(&affine);
	}
	if (role == ROLE_EULER)
		fits = anim_affine_angles(&affine);
	if (fits && track->component != ANIM_WHOLE)
		fits = anim_affine_lane(&affine, track->component);
	if (fits && anim_types[track->type].components != affine.components)
		return anim_track_refuse(
		    track, "has not the numbers of a node in space; two dimensions have no such rests", error);
	if (fits && anim_affine_is_none(&affine))
		return 0;
	done = fits ? anim_affine_track(&affine, track, r->columns, out, error) : 0;
	return done != 0
		   ? (done > 0 ? 0 : -1)
		   : anim_track_refuse(track, "cannot be brought over key by key; put anim-bake before this", error);
}

/* One track of a node becomes that of a bone of the target. */
static int send_mapped(struct retarget *r, const struct anim_track *track, enum role role, uint32_t node, uint32_t to,
		       struct anim_error *error)
{
	struct anim_track out = *track;

	if (is_turn(role))
		mark_turned(r, to);
	if ((role == ROLE_POSITION || is_turn(role)) && map_track(r, track, role, node, to, &out, error) != 0)
		return -1;
	return name_track(r, &out, node, to, error) != 0 ? -1 : send(r, &out, error);
}

/* ---- What is dropped ---- */

static int tell_dropped(struct retarget *r, const struct anim_track *track, uint32_t node, enum role role,
			struct anim_error *error)
{
	const char *name = anim_node_own_name(track->node);
	int result;

	if (node == ANIM_POSE_NONE)
		result = anim_diagnostics_warn(
		    r->options.diagnostics, "tracks of nodes whose rests are not known were dropped", error,
		    "'%s' is no node of the rests: its %s was dropped", track->node, track->property);
	else if (stays(r, track, node, role, role != ROLE_ROTATION))
		return 0;
	else if (r->plan.from.nodes[node].partner == ANIM_POSE_NONE)
		result = anim_diagnostics_warn(
		    r->options.diagnostics, "tracks of bones that the target lacks were dropped", error,
		    "'%s' is no bone of the target: its %s was dropped", name, track->property);
	else if (role == ROLE_SCALE)
		result = anim_diagnostics_warn(r->options.diagnostics, "scales were dropped; --scale keeps them", error,
					       "the scale of '%s' was dropped; --scale keeps it", name);
	else
		result = anim_diagnostics_warn(r->options.diagnostics,
					       "positions of bones were dropped, for the target has its own lengths; "
					       "--hips NAME keeps those of the "
					       "bone that carries the motion",
					       error,
					       "the position of '%s' was dropped, for the target has its own lengths; "
					       "--hips NAME keeps that of the "
					       "bone that carries the motion",
					       name);
	return result != 0 ? -1 : anim_diagnostics_name(r->options.diagnostics, error, "%s", name);
}

/* The hips, and what they hang on: where such a node is, all is. */
static bool bears_hips(const struct retarget *r, uint32_t node)
{
	return r->plan.hips != ANIM_POSE_NONE && retarget_is_below(&r->plan.from, r->plan.hips, node);
}

/* Below the head; in a skeleton without a head anywhere. */
static bool is_of_face(const struct retarget *r, uint32_t node)
{
	const struct retarget_side *side = &r->plan.from;
	bool any = false;

	for (uint32_t n = 0; n < side->count; n++) {
		if (retarget_bone(side, &r->plan.to, n) != ANIM_BONE_HEAD)
			continue;
		any = true;
		if (n != node && retarget_is_below(side, node, n))
			return true;
	}
	return !any;
}

static bool is_kept(const struct retarget *r, uint32_t node, enum role role)
{
	if (is_turn(role) || r->plan.same)
		return true;
	if (role == ROLE_SCALE)
		return r->options.scale;
	return bears_hips(r, node) || (r->options.keep_positions && is_of_face(r, node));
}

/* ---- What waits ---- */

/* A node without partner right above: its turns, and those above, go in front of this one's. */
static bool has_missing(const struct retarget *r, uint32_t node)
{
	uint32_t parent = anim_poses_parent(&r->plan.from.skeleton->poses, node);

	return parent != ANIM_POSE_NONE && r->plan.from.nodes[parent].partner == ANIM_POSE_NONE;
}

static bool must_wait(const struct retarget *r, uint32_t node, enum role role)
{
	if (r->open && role == ROLE_POSITION)
		return r->carries[node] || r->plan.from.nodes[node].partner != ANIM_POSE_NONE;
	if (r->plan.from.nodes[node].partner != ANIM_POSE_NONE)
		return has_missing(r, node) && (is_turn(role) || (role == ROLE_POSITION && bears_hips(r, node)));
	return r->carries[node] && (is_turn(role) || (role == ROLE_POSITION && bears_hips(r, node)));
}

static struct waiting *waiting_at(const struct retarget *r, uint32_t place)
{
	return (struct waiting *)(void *)r->waiting.data + place - 1;
}

static int keep_waiting(struct retarget *r, const struct anim_track *track, enum role role, uint32_t node,
			struct anim_error *error)
{
	struct waiting item = {.role = role, .next = r->heads[node]};

	item.moves = role == ROLE_POSITION && !stays(r, track, node, role, true);
	if (r->store == NULL) {
		r->store = anim_store_new(r->options.store_memory, error);
		if (r->store == NULL || anim_sink_clip(anim_store_sink(r->store), &r->filter.clip, error) != 0)
			return -1;
	}
	item.number = anim_store_tracks(r->store, 0);
	if (anim_sink_track(anim_store_sink(r->store), track, error) != 0 ||
	    anim_buffer_append(&r->waiting, &item, sizeof item, error) != 0)
		return -1;
	r->heads[node] = (uint32_t)(r->waiting.size / sizeof item);
	return 0;
}

static bool waits(const struct waiting *item, bool turns)
{
	return turns ? is_turn(item->role) : item->role == ROLE_POSITION;
}

/* So many tracks of the node wait that turn it, or place it. */
static size_t count_waiting(const struct retarget *r, uint32_t node, bool turns)
{
	size_t count = 0;

	for (uint32_t i = r->heads[node]; i != 0; i = waiting_at(r, i)->next)
		count += waits(waiting_at(r, i), turns);
	return count;
}

/* A chain from a bone upwards, to below the next with a partner. */
struct chain {
	struct anim_buffer nodes; /* uint32_t */
	size_t count;
	size_t turned, placed; /* nodes of it with such tracks; turned: the bone itself, too */
	uint32_t only;         /* the last one found that is turned */
};

static uint32_t chain_node(const struct chain *chain, size_t i)
{
	return ((const uint32_t *)(const void *)chain->nodes.data)[i];
}

static int find_chain(const struct retarget *r, uint32_t node, struct chain *chain, struct anim_error *error)
{
	const struct retarget_side *side = &r->plan.from;

	chain->count = chain->turned = chain->placed = chain->nodes.size = 0;
	do {
		bool turns = count_waiting(r, node, true) > 0;

		if (anim_buffer_append(&chain->nodes, &node, sizeof node, error) != 0)
			return -1;
		chain->turned += turns;
		chain->placed += chain->count > 0 && (turns || count_waiting(r, node, false) > 0);
		chain->only = turns ? node : chain->only;
		chain->count++;
		node = anim_poses_parent(&side->skeleton->poses, node);
	} while (node != ANIM_POSE_NONE && side->nodes[node].partner == ANIM_POSE_NONE);
	return 0;
}

/* The node's only track of this sort, copied; *out NULL where it has none. */
static int load(struct retarget *r, uint32_t node, bool turns, const struct anim_track **out, struct anim_error *error)
{
	struct anim_track read, *copy;

	*out = NULL;
	for (uint32_t i = r->heads[node]; i != 0; i = waiting_at(r, i)->next) {
		if (!waits(waiting_at(r, i), turns))
			continue;
		copy = anim_arena_zeroed(&r->track_arena, 1, sizeof *copy, error);
		if (copy == NULL || anim_store_read(r->store, 0, waiting_at(r, i)->number, &read, error) != 0 ||
		    anim_track_copy(copy, &read, &r->track_arena, error) != 0)
			return -1;
		if (*out != NULL)
			return anim_track_refuse(
			    copy,
			    "cannot be joined with that of another bone, which the target lacks, in "
			    "several tracks; put anim-bake before this",
			    error);
		*out = copy;
	}
	return 0;
}

static int tell_folded(struct retarget *r, const struct retarget_fold *fold, bool places, struct anim_error *error)
{
	const char *name = anim_node_own_name(path_of(&r->plan.from, fold->links[0].node));

	if (anim_diagnostics_add_error(r->options.diagnostics,
				       places ? "positions took up what bones above did that the target lacks"
					      : "rotations took up those of bones above that the target lacks",
				       fold->worst, places ? "units" : "degrees", error,
				       places
					   ? "the position of '%s' took up what bones above did that the target lacks"
					   : "the rotation of '%s' took up those of bones above that the target lacks",
				       name) != 0)
		return -1;
	return anim_diagnostics_name(r->options.diagnostics, error, "%s", name);
}

/* Several that move become one track. */
static int fold_chain(struct retarget *r, const struct chain *chain, bool places, struct anim_error *error)
{
	uint32_t node = chain_node(chain, 0), to = r->plan.from.nodes[node].partner;
	struct anim_track out = {.node = ".", .property = places ? "position" : "rotation"};
	struct retarget_link *links = anim_arena_zeroed(&r->track_arena, chain->count, sizeof *links, error);
	struct retarget_fold fold = {
	    .plan = &r->plan, .clip = &r->filter.clip, .links = links, .count = chain->count, .keys = &r->keys};

	for (size_t i = 0; i < chain->count && links != NULL; i++) {
		links[i].node = chain_node(chain, i);
		if ((!places || i > 0) && load(r, links[i].node, true, &links[i].rotation, error) != 0)
			return -1;
		if (places && load(r, links[i].node, false, &links[i].position, error) != 0)
			return -1;
	}
	if (links == NULL || (places ? fold_position : fold_rotation)(&fold, &out, error) != 0 ||
	    tell_folded(r, &fold, places, error) != 0 || name_track(r, &out, ANIM_POSE_NONE, to, error) != 0)
		return -1;
	if (!places)
		mark_turned(r, to);
	return send(r, &out, error);
}

/* The tracks of one node that wait, each for itself, to a bone. */
static int send_waiting(struct retarget *r, uint32_t node, bool turns, uint32_t to, struct anim_error *error)
{
	struct anim_track track;
	uint32_t place = 0;

	/* the list runs from the last to the first */
	for (size_t left = count_waiting(r, node, turns); left > 0; left--) {
		size_t skip = left;

		for (uint32_t i = r->heads[node]; i != 0 && skip > 0; i = waiting_at(r, i)->next)
			if (waits(waiting_at(r, i), turns) && --skip == 0)
				place = i;
		if (anim_store_read(r->store, 0, waiting_at(r, place)->number, &track, error) != 0 ||
		    send_mapped(r, &track, waiting_at(r, place)->role, node, to, error) != 0)
			return -1;
	}
	return 0;
}

/* A bone below some that the target lacks: what waits for it. */
static int finish_bone(struct retarget *r, uint32_t node, struct chain *chain, struct anim_error *error)
{
	uint32_t to = r->plan.from.nodes[node].partner;
	int result;

	if (find_chain(r, node, chain, error) != 0)
		return -1;
	result = chain->turned == 0   ? 0
		 : chain->turned == 1 ? send_waiting(r, chain->only, true, to, error)
				      : fold_chain(r, chain, false, error);
	anim_arena_reset(&r->track_arena);
	if (result == 0 && chain->placed > 0 && bears_hips(r, node))
		result = fold_chain(r, chain, true, error);
	else if (result == 0)
		result = send_waiting(r, node, false, to, error);
	anim_arena_reset(&r->track_arena);
	return result;
}

/* ---- What carries the motion of a clip ---- */

static bool has_moving(const struct retarget *r, uint32_t node)
{
	for (uint32_t i = r->heads[node]; i != 0; i = waiting_at(r, i)->next)
		if (waiting_at(r, i)->moves)
			return true;
	return false;
}

/*
 * The topmost bone that moves; of several beside each other the one that carries most. Where the target lacks it, the one below
 * it that the target has and that carries most.
 */
static int choose_hips(struct retarget *r, struct anim_error *error)
{
	const struct retarget_side *side = &r->plan.from;
	uint32_t *loads = anim_arena_zeroed(&r->filter.clip_arena, side->count + 1, sizeof *loads, error);
	uint32_t *tops = anim_arena_zeroed(&r->filter.clip_arena, side->count + 1, sizeof *tops, error);
	uint32_t best = ANIM_POSE_NONE;

	if (loads == NULL || tops == NULL)
		return -1;
	for (uint32_t n = side->count; n-- > 0;) {
		uint32_t above = anim_poses_parent(&side->skeleton->poses, n);

		loads[n] += side->nodes[n].partner != ANIM_POSE_NONE;
		if (above != ANIM_POSE_NONE)
			loads[above] += loads[n];
	}
	for (uint32_t n = 0; n < side->count; n++) { /* tops: the topmost above that moves, + 1 */
		uint32_t above = anim_poses_parent(&side->skeleton->poses, n);

		tops[n] = above != ANIM_POSE_NONE && tops[above] != 0 ? tops[above] : has_moving(r, n) ? n + 1 : 0;
		if (tops[n] == n + 1 && (best == ANIM_POSE_NONE || loads[n] > loads[best]))
			best = n;
	}
	for (uint32_t n = best; n < side->count; n++)
		if (tops[n] == best + 1 && side->nodes[n].partner != ANIM_POSE_NONE &&
		    (r->plan.hips == ANIM_POSE_NONE || loads[n] > loads[r->plan.hips]))
			r->plan.hips = n;
	retarget_measure(&r->plan);
	return 0;
}

/* Positions of the node that are none of what comes over. */
static int drop_waiting(struct retarget *r, uint32_t node, struct anim_error *error)
{
	struct anim_track track;

	for (uint32_t i = r->heads[node]; i != 0; i = waiting_at(r, i)->next) {
		struct waiting *item = waiting_at(r, i);

		if (item->role != ROLE_POSITION || is_kept(r, node, ROLE_POSITION))
			continue;
		item->role = ROLE_OTHER;
		if (item->moves && (anim_store_read(r->store, 0, item->number, &track, error) != 0 ||
				    tell_dropped(r, &track, node, ROLE_POSITION, error) != 0))
			return -1;
	}
	return 0;
}

static int finish_waiting(struct retarget *r, struct anim_error *error)
{
	struct chain chain = {.count = 0};
	int result = r->open && r->waiting.size > 0 ? choose_hips(r, error) : 0;

	for (uint32_t n = 0; n < r->plan.from.count && result == 0 && r->open && r->waiting.size > 0; n++)
		result = drop_waiting(r, n, error);
	for (uint32_t n = 0; n < r->plan.from.count && result == 0 && r->waiting.size > 0; n++) {
		if (r->plan.from.nodes[n].partner == ANIM_POSE_NONE)
			continue;
		if (has_missing(r, n))
			result = finish_bone(r, n, &chain, error);
		else if (r->heads[n] != 0)
			result = send_waiting(r, n, false, r->plan.from.nodes[n].partner, error);
	}
	if (r->open)
		r->plan.hips = ANIM_POSE_NONE;
	anim_buffer_clear(&chain.nodes);
	anim_store_free(r->store);
	r->store = NULL;
	r->waiting.size = 0;
	return result;
}

/* ---- Bones that stand still in the source's pose, which is not their own ---- */

static int pose_bone(struct retarget *r, uint32_t to, const float rotation[4], struct anim_error *error)
{
	const float time_s = r->filter.clip.start_s;
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = ANIM_FLOATQ,
				   .rules = ANIM_RULES_PLAIN,
				   .node = ".",
				   .property = "rotation",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = 1,
				   .time = &time_s,
				   .value = rotation};

	anim_arena_reset(&r->track_arena);
	return name_track(r, &track, ANIM_POSE_NONE, to, error) != 0 ? -1 : send(r, &track, error);
}

/* ---- Feet ---- */

/* The ankles' heights mean something where it is known how high they are when they stand. */
static void watch_height(struct slid *slid, const struct retarget_side *side, const struct retarget_side *other,
			 const struct anim_slide *slide)
{
	enum anim_human_bone bone = retarget_bone(side, other, slide->number);
	double height = (slide->lowest - side->ankle) / side->height;

	if (!(side->ankle > 0) || (bone != ANIM_BONE_FOOT && bone != ANIM_BONE_FOOT + 1))
		return;
	slid->height = slid->stood ? fmin(slid->height, height) : height;
	slid->stood = true;
}

static int watch_feet(struct retarget *r, struct anim_error *error)
{
	const struct retarget_side *sides[2] = {&r->plan.from, &r->plan.to};

	for (int i = 0; i < 2; i++) {
		const struct anim_slide *slides;
		struct anim_feet *feet = &r->feet[i];

		if (anim_feet_end(feet, error) != 0)
			return -1;
		slides = (const struct anim_slide *)(const void *)feet->slides.data;
		r->slid[i].measured |= feet->slides.size > 0;
		for (size_t k = 0; k < feet->slides.size / sizeof *slides; k++) {
			watch_height(&r->slid[i], sides[i], sides[1 - i], &slides[k]);
			if (slides[k].share > r->slid[i].share) {
				r->slid[i].share = slides[k].share;
				anim_text_safe(r->slid[i].name, sizeof r->slid[i].name,
					       anim_node_own_name(slides[k].node),
					       strlen(anim_node_own_name(slides[k].node)));
			}
		}
	}
	return 0;
}

static const char *above_or_below(double height)
{
	return height < 0 ? "below" : "above";
}

static int tell_feet(struct retarget *r, struct anim_error *error)
{
	const struct slid *before = &r->slid[0], *after = &r->slid[1];
	char heights[128] = "";

	if (!after->measured)
		return 0;
	if (before->stood && after->stood)
		snprintf(heights, sizeof heights,
			 "; the lowest foot is %.1f %% of a leg %s the ground, before %.1f %% %s",
			 100 * fabs(after->height), above_or_below(after->height), 100 * fabs(before->height),
			 above_or_below(before->height));
	if (before->share < SLIDES && after->share < SLIDES && fabs(after->height) < SLIDES)
		return 0;
	return anim_diagnostics_note(r->options.diagnostics, NULL, error,
				     "feet slide on the ground by at most %.1f %% of a leg ('%s'), before by %.1f %%%s",
				     100 * after->share, r->slid[after->share > 0].name, 100 * before->share, heights);
}

/* ---- Clips ---- */

/* ---- Humanoid clips ---- */

static int send_humanoid(void *context, struct anim_track *track, uint32_t to, struct anim_error *error)
{
	struct retarget *r = context;

	anim_arena_reset(&r->track_arena);
	if (name_track(r, track, ANIM_POSE_NONE, to, error) != 0)
		return -1;
	/* the source has no feet whose way could be compared */
	return anim_sink_track(r->filter.next, track, error);
}

static int put_aside(struct retarget *r, const struct anim_track *track, struct anim_error *error)
{
	if (r->aside == NULL) {
		r->aside = anim_store_new(r->options.store_memory, error);
		if (r->aside == NULL || anim_sink_clip(anim_store_sink(r->aside), &r->filter.clip, error) != 0)
			return -1;
	}
	return anim_sink_track(anim_store_sink(r->aside), track, error);
}

/* The clip is a humanoid's: its bones are the target's, and what moves other nodes is none of them. */
static int become_humanoid(struct retarget *r, struct anim_error *error)
{
	r->out.flags |= ANIM_IN_TREE;
	r->out.root = ".";
	r->out.record = NULL;
	if (anim_attrs_with(&r->out.attrs, &r->out.attrs, "unity.m_AnimationClipSettings.m_Mirror", NULL,
			    &r->filter.clip_arena, error) != 0)
		return -1;
	if (!r->refused)
		return 0;
	return anim_diagnostics_warn(
	    r->options.diagnostics, "humanoid clips have tracks of other nodes, which were left out", error,
	    "the tracks of other nodes in the humanoid clip were left out, because their rest poses are unknown");
}

/* A clip whose kind is now known goes on. */
static int decide(struct retarget *r, struct anim_error *error)
{
	struct anim_store *aside = r->aside;
	int result = 0;

	if (!r->undecided)
		return 0;
	r->undecided = false;
	r->aside = NULL;
	if (retarget_humanoid_has(r->humanoid))
		result = become_humanoid(r, error);
	else if (r->refused) {
		*error = r->refusal;
		result = -1;
	}
	if (result == 0 && aside != NULL)
		result = anim_store_replay(aside, 0, &r->out, r->filter.next, error);
	else if (result == 0)
		result = anim_sink_clip(r->filter.next, &r->out, error);
	anim_store_free(aside);
	return result;
}

/* ---- The end of a clip ---- */

static int finish_clip(struct retarget *r, struct anim_error *error)
{
	bool known = r->in_clip && r->known, in_clip = r->in_clip;
	float rotation[4];

	r->in_clip = false;
	if (in_clip && (decide(r, error) != 0 || retarget_humanoid_finish(r->humanoid, send_humanoid, r, error) != 0))
		return -1;
	if (!known)
		return 0;
	if (finish_waiting(r, error) != 0)
		return -1;
	for (uint32_t t = 0; t < r->plan.to.count && r->any_turns; t++)
		if (!r->turned[t] && retarget_posed(&r->plan, t, rotation) && pose_bone(r, t, rotation, error) != 0)
			return -1;
	return r->options.feet ? watch_feet(r, error) : 0;
}

static int send_tree(struct retarget *r, struct anim_error *error)
{
	if (r->sent)
		return 0;
	r->sent = true;
	return anim_store_replay_trees(r->options.to->records, r->filter.next, error);
}

static int begin_clip(struct retarget *r, struct anim_error *error)
{
	if (make_plan(r, error) != 0)
		return -1;
	r->heads = anim_arena_zeroed(&r->filter.clip_arena, r->plan.from.count + 1, sizeof *r->heads, error);
	r->turned = anim_arena_zeroed(&r->filter.clip_arena, r->plan.to.count + 1, sizeof *r->turned, error);
	if (r->heads == NULL || r->turned == NULL)
		return -1;
	r->any_turns = false;
	r->out.root = find_root(r, error);
	r->out.flags |= ANIM_IN_TREE;
	r->out.record = NULL;
	return r->out.root == NULL ? -1 : 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct retarget *r = (struct retarget *)sink;
	const struct anim_skeleton *from = r->options.from;

	if (finish_clip(r, error) != 0 || send_tree(r, error) != 0 ||
	    anim_clip_in_axes(clip, r->options.to->poses.axes, "the target's rests are", error) != 0 ||
	    (from != NULL && anim_clip_in_axes(clip, from->poses.axes, "the rests are", error) != 0))
		return -1;
	if (anim_filter_keep(&r->filter, clip, error) != 0)
		return -1;
	r->in_clip = true;
	r->out = r->filter.clip;
	r->known = from != NULL || ((clip->flags & ANIM_IN_TREE) != 0 && anim_poses_count(&r->own.poses) > 0);
	if (r->known && begin_clip(r, error) != 0)
		return -1;
	if (!r->known)
		r->out.flags &= (uint8_t)~ANIM_IN_TREE;
	for (int i = 0; i < 2 && r->known && r->options.feet; i++)
		anim_feet_clip(&r->feet[i], i == 0 ? &r->filter.clip : &r->out);
	r->refused = false;
	r->undecided = !r->known && strncmp(clip->source, "unity", 5) == 0;
	if (r->undecided)
		return 0;
	return anim_filter_clip(sink, &r->out, error);
}

/* ---- Tracks ---- */

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct retarget *r = (struct retarget *)sink;
	enum role role = role_of(track);
	uint32_t node = find_node(r, track);

	anim_arena_reset(&r->track_arena);
	if (anim_track_check_local(track, error) != 0)
		return -1;
	if (retarget_is_humanoid(track) && (r->known || r->undecided))
		return retarget_humanoid_track(r->humanoid, &r->filter.clip, track, error);
	if (role == ROLE_OTHER && r->undecided)
		return put_aside(r, track, error);
	if (role == ROLE_OTHER) {
		/* What is no part of a transform goes along with its node. */
		uint32_t to = node == ANIM_POSE_NONE ? ANIM_POSE_NONE : r->plan.from.nodes[node].partner;
		struct anim_track out = *track;

		if (anim_track_is_muscle(track, r->options.diagnostics, error) < 0 ||
		    (to != ANIM_POSE_NONE && name_track(r, &out, node, to, error) != 0))
			return -1;
		return send(r, &out, error);
	}
	if (!r->known) {
		struct anim_error refusal = {0};

		anim_track_refuse(track, "moves a node whose rest is not known; --from FILE names a file that has it",
				  &refusal);
		if (!r->refused)
			r->refusal = refusal;
		r->refused = true;
		if (r->undecided)
			return 0;
		*error = refusal;
		return -1;
	}
	if (r->options.feet && anim_feet_track(&r->feet[0], &r->filter.clip, track, error) != 0)
		return -1;
	if (node == ANIM_POSE_NONE) /* in a scene that is part of this one: neither tree has it */
		return r->identical ? send(r, track, error) : tell_dropped(r, track, node, role, error);
	if (must_wait(r, node, role)) {
		bool missing = r->plan.from.nodes[node].partner == ANIM_POSE_NONE;

		return missing && stays(r, track, node, role, false) ? 0 : keep_waiting(r, track, role, node, error);
	}
	if (r->plan.from.nodes[node].partner == ANIM_POSE_NONE || !is_kept(r, node, role))
		return tell_dropped(r, track, node, role, error);
	return send_mapped(r, track, role, node, r->plan.from.nodes[node].partner, error);
}

/* ---- The sink ---- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct retarget *r = (struct retarget *)sink;

	if (finish_clip(r, error) != 0)
		return -1;
	if (r->options.from == NULL) {
		retarget_plan_clear(&r->plan);
		anim_arena_reset(&r->plan_arena);
		r->planned = false;
	}
	anim_skeleton_clear(&r->own);
	return anim_sink_tree(r->own_sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(((struct retarget *)sink)->own_sink, node, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct retarget *r = (struct retarget *)sink;
	const struct anim_skeleton *from = r->options.from != NULL ? r->options.from : &r->own;

	if (finish_clip(r, error) != 0 || send_tree(r, error) != 0 || tell_feet(r, error) != 0 ||
	    anim_rests_check(&from->poses.rests, error) != 0 ||
	    anim_rests_check(&r->options.to->poses.rests, error) != 0)
		return -1;
	if (r->options.map != NULL && anim_rename_map_tell(r->options.map, r->options.diagnostics, error) != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct retarget *r = (struct retarget *)sink;

	retarget_plan_clear(&r->plan);
	anim_sink_free(r->own_sink);
	anim_skeleton_clear(&r->own);
	anim_store_free(r->store);
	anim_store_free(r->aside);
	retarget_humanoid_free(r->humanoid);
	anim_buffer_clear(&r->waiting);
	anim_keys_clear(&r->keys);
	for (int i = 0; i < 2; i++)
		anim_feet_clear(&r->feet[i]);
	anim_arena_clear(&r->track_arena);
	anim_arena_clear(&r->plan_arena);
	for (int i = 0; i < ANIM_COLUMN_COUNT; i++)
		anim_buffer_clear(&r->columns[i]);
	anim_filter_free(sink);
}

struct anim_sink *anim_retarget_new(const struct anim_retarget_options *options, struct anim_sink *next,
				    struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct retarget *r = anim_filter_new(sizeof *r, &ops, next, error);

	if (r == NULL)
		return NULL;
	r->options = *options;
	r->plan.options = &r->options;
	anim_skeleton_init(&r->own);
	for (int i = 0; i < 2; i++)
		anim_poses_init(&r->feet[i].posing.poses, options->store_memory);
	r->own_sink = anim_skeleton_sink_new(&r->own, false, error);
	r->humanoid = r->own_sink == NULL ? NULL : retarget_humanoid_new(&r->options, error);
	if (r->humanoid == NULL) {
		on_free(&r->filter.sink);
		return NULL;
	}
	return &r->filter.sink;
}
