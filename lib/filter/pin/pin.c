/* pin.c: the filter that pins limbs: its tracks, samples, and the tracks that it writes. */
#include "filter/pin/pin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/text.h"
#include "clip/keys.h"
#include "filter/common/posing.h"
#include "filter/convert/convert.h"
#include "filter/filter.h"
#include "filter/pin/contact.h"
#include "filter/pin/limb.h"
#include "filter/rename/rename.h"
#include "filter/resample.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define RATE 60        /* samples per second of clips without a rate */
#define EVEN 1e-3      /* scales that differ by a smaller share are equal */
#define LOWER_EASE 1.2 /* of the ease: hips that go down move the knees of nearly straight legs by much more */
#define APART_S 1e-5   /* a sample this close to a key is left out */

/* Roles of a node: it is above a point of a limb, or one, and a limb rotates it. */
enum { CARRIES = 1, ROTATES = 2 };

enum pin_bone { PIN_UPPER, PIN_LOWER, PIN_FOOT, PIN_BONES };

struct limb {
	uint32_t bone[PIN_BONES], tip; /* nodes. tip: of the foot, or ANIM_POSE_NONE */
	bool arm;
	double anatomy[3],
	    hinge[3]; /* axis of the knee in the space of the upper bone: at rest (or 0), and in the clip */
	struct pin_motion motion;
	struct anim_buffer samples; /* of the motion */
	bool moves;
};

/* A node whose track may change. */
struct joint {
	uint32_t node;
	bool rotates;                   /* its rotation changes, not its position */
	struct anim_buffer value;       /* of each sample: 3 or 4 floats */
	const struct anim_track *track; /* the plain track, or NULL */
};

/* One of the waiting tracks. */
struct held {
	struct anim_track track;
	uint32_t node;
	bool passed; /* `next` has it already */
};

struct pin {
	struct anim_filter filter;
	struct anim_pin_options options;
	struct anim_posing posing; /* with the tree */
	struct anim_buffer limbs;  /* struct limb, of the tree */
	uint32_t hips;
	uint8_t *roles;        /* of each node: CARRIES, ROTATES */
	uint32_t *rotation_of; /* of each node that a limb rotates: the number of its joint */
	bool found;            /* the limbs of the tree are known */
	const char *root;      /* name of the tree's root, in the arena */
	struct anim_arena tree_arena;
	/* Of the clip: */
	struct anim_clip clip;
	bool in_clip;
	const struct anim_scope *scope;
	struct anim_arena arena;
	struct anim_buffer held, plain; /* struct held, as they came and with plain values */
	struct anim_buffer times;       /* double: of the samples */
	struct anim_buffer lower;       /* double: how far the hips are lowered */
	struct anim_buffer joints;      /* struct joint */
	struct anim_map passed;         /* (node, property) -> the first complete track in `held` that was passed on */
	struct anim_map plain_of;       /* (node, property) -> the last track in `plain` */
	struct anim_keys keys;
	/* For the note: */
	size_t contacts;
	double slid[2], moved, lowered;
};

static struct limb *limbs_of(const struct pin *p, size_t *count)
{
	*count = p->limbs.size / sizeof(struct limb);
	return (struct limb *)(void *)p->limbs.data;
}

static struct held *held_of(const struct anim_buffer *buffer, size_t *count)
{
	*count = buffer->size / sizeof(struct held);
	return (struct held *)(void *)buffer->data;
}

static struct joint *joints_of(const struct pin *p, size_t *count)
{
	*count = p->joints.size / sizeof(struct joint);
	return (struct joint *)(void *)p->joints.data;
}

static double *lower_of(const struct pin *p)
{
	return (double *)(void *)p->lower.data;
}

static const double *times_of(const struct pin *p, size_t *count)
{
	*count = p->times.size / sizeof(double);
	return (const double *)(const void *)p->times.data;
}

/* ---- Limbs of the tree ---- */

static bool is_either(const struct anim_bone_guess *guess, enum anim_human_bone left)
{
	for (int i = 0; i < 1 + guess->doubtful; i++)
		if (guess->bones[i] == left || guess->bones[i] == left + 1)
			return true;
	return false;
}

static bool guess_of(const struct pin *p, uint32_t node, struct anim_bone_guess *guess)
{
	const char *path = anim_poses_path(&p->posing.poses, node);

	*guess = (struct anim_bone_guess){0};
	return !anim_poses_is_flat(&p->posing.poses, node) &&
	       anim_bone_of_name(guess, strcmp(path, ".") == 0 ? p->root : anim_node_own_name(path));
}

static bool is_toes(const struct pin *p, uint32_t node)
{
	struct anim_bone_guess guess;

	return guess_of(p, node, &guess) && is_either(&guess, ANIM_BONE_TOES);
}

/* Return the square of a node's distance from its parent at rest. */
static double away_of(const struct pin *p, uint32_t node)
{
	const float *at = p->posing.poses.rests.items[node].position;
	const double away[3] = {(double)at[0], (double)at[1], (double)at[2]};

	return anim_vec3_dot_double(away, away);
}

/*
 * Find the tips of all feet. The tip is the first child with a name of toes, otherwise the child that is farthest away, such as
 * the end site of motion capture. `feet`: of each node, the number of the limb that ends there, from 1 on, or 0.
 */
static void find_tips(struct pin *p, const uint32_t *feet)
{
	size_t count;
	struct limb *limbs = limbs_of(p, &count);

	for (uint32_t n = 0; n < anim_poses_count(&p->posing.poses); n++) {
		const uint32_t above = anim_poses_parent(&p->posing.poses, n);
		struct limb *limb = above == ANIM_POSE_NONE || feet[above] == 0 ? NULL : &limbs[feet[above] - 1];

		if (limb == NULL || limb->arm || (limb->tip != ANIM_POSE_NONE && is_toes(p, limb->tip)))
			continue;
		if (is_toes(p, n) || away_of(p, n) > (limb->tip != ANIM_POSE_NONE ? away_of(p, limb->tip) : 0))
			limb->tip = n;
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t node = limbs[i].tip != ANIM_POSE_NONE ? limbs[i].tip : limbs[i].bone[PIN_FOOT];

		for (; node != ANIM_POSE_NONE && !(p->roles[node] & CARRIES);
		     node = anim_poses_parent(&p->posing.poses, node))
			p->roles[node] |= CARRIES;
	}
}

/*
 * Add the limb that ends at a node, if it has a name of a foot or hand. A second end of the same bones, such as the foot
 * below an ankle, is not one.
 */
static int add_limb(struct pin *p, uint32_t node, const struct anim_bone_guess *guess, uint32_t *feet,
		    struct anim_error *error)
{
	const bool arm = is_either(guess, ANIM_BONE_HAND);
	const enum anim_human_bone upper = arm ? ANIM_BONE_UPPER_ARM : ANIM_BONE_UPPER_LEG,
				   lower = arm ? ANIM_BONE_LOWER_ARM : ANIM_BONE_LOWER_LEG;
	struct limb limb = {.bone = {ANIM_POSE_NONE, ANIM_POSE_NONE, node}, .tip = ANIM_POSE_NONE, .arm = arm};

	if ((!arm && !is_either(guess, ANIM_BONE_FOOT)) || (arm && p->options.contacts == NULL))
		return 0;

	/* Find the two bones above. A shoulder can have the name of an upper arm, so the nearest ones count. */
	for (uint32_t n = anim_poses_parent(&p->posing.poses, node);
	     n != ANIM_POSE_NONE && limb.bone[PIN_UPPER] == ANIM_POSE_NONE;
	     n = anim_poses_parent(&p->posing.poses, n)) {
		struct anim_bone_guess other;

		if (!guess_of(p, n, &other))
			continue;
		if (limb.bone[PIN_LOWER] == ANIM_POSE_NONE && (is_either(&other, lower) || is_either(&other, upper)))
			limb.bone[PIN_LOWER] = n;
		else if (is_either(&other, upper))
			limb.bone[PIN_UPPER] = n;
	}
	if (limb.bone[PIN_UPPER] == ANIM_POSE_NONE)
		return 0;
	for (int b = 0; b < PIN_BONES; b++)
		if (p->roles[limb.bone[b]] & ROTATES)
			return 0;
	for (int b = 0; b < PIN_BONES; b++) {
		p->roles[limb.bone[b]] |= ROTATES;
		p->rotation_of[limb.bone[b]] = (uint32_t)(p->limbs.size / sizeof limb * PIN_BONES) + (uint32_t)b;
	}
	if (anim_buffer_append(&p->limbs, &limb, sizeof limb, error) != 0)
		return -1;
	feet[node] = (uint32_t)(p->limbs.size / sizeof limb);
	return 0;
}

/* Compute the way at rest from a node to one below it. */
static void way_at_rest(const struct pin *p, double (*rotations)[4], uint32_t from, uint32_t to, double out[3])
{
	memset(out, 0, 3 * sizeof *out);
	for (; to != from && to != ANIM_POSE_NONE; to = anim_poses_parent(&p->posing.poses, to)) {
		const float *place = p->posing.poses.rests.items[to].position;
		double step[3] = {(double)place[0], (double)place[1], (double)place[2]};

		anim_quat_rotate_double(step, anim_poses_rotation_above(&p->posing.poses, rotations, to), step);
		anim_vec3_add(out, step, 1);
	}
}

#define HANGS 0.7        /* cosine: legs at rest point down, otherwise the rest says nothing */
#define LEAST_ACROSS 0.2 /* sine: a foot that points along its leg says nothing of the knee */

/* Find the hinges that the rest pose suggests: knees bend so that feet point forward, and elbows the other way. */
static int find_anatomy(struct pin *p, struct anim_error *error)
{
	double forward[3] = {0}, (*rotations)[4];
	size_t count;
	struct limb *limbs = limbs_of(p, &count);

	if (anim_poses_rotations(&p->posing.poses, &rotations, &p->tree_arena, error) != 0)
		return -1;
	for (size_t i = 0; i < 2 * count; i++) {
		struct limb *limb = &limbs[i % count];
		double upper[3], foot[3], back[4], length;

		/* all legs first, because their feet give the body's forward */
		if (limb->arm != (i >= count) || (!limb->arm && limb->tip == ANIM_POSE_NONE))
			continue;
		way_at_rest(p, rotations, limb->bone[PIN_UPPER], limb->bone[PIN_LOWER], upper);
		length = anim_vec3_length_double(upper);
		if (!limb->arm) {
			way_at_rest(p, rotations, limb->bone[PIN_FOOT], limb->tip, foot);
			if (!(-upper[1] > HANGS * length))
				continue;
			forward[0] += foot[0];
			forward[2] += foot[2];
		}
		anim_vec3_cross_double(limb->anatomy, limb->arm ? upper : foot, limb->arm ? forward : upper);
		length *= sqrt(limb->arm ? anim_vec3_dot_double(forward, forward) : anim_vec3_dot_double(foot, foot));
		anim_quat_conjugate_double(back, rotations[limb->bone[PIN_UPPER]]);
		anim_quat_rotate_double(limb->anatomy, back, limb->anatomy);
		length = anim_vec3_length_double(limb->anatomy) > LEAST_ACROSS * length
			     ? 1 / anim_vec3_length_double(limb->anatomy)
			     : 0;
		for (int c = 0; c < 3; c++)
			limb->anatomy[c] *= length;
	}
	return 0;
}

/* ---- Waiting tracks ---- */

/* Return whether a track may be replaced: the rotation of a bone of a limb, or the position of the hips. */
static bool may_change(const struct pin *p, uint32_t node, const struct anim_track *track)
{
	return (node == p->hips && strcmp(track->property, "position") == 0) ||
	       ((p->roles[node] & ROTATES) != 0 && strcmp(track->property, "rotation") == 0);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	static const char *const properties[] = {"position", "rotation", "scale", "euler"};
	struct pin *p = (struct pin *)sink;
	struct held held = {.node = ANIM_POSE_NONE};

	if (p->limbs.size > 0 && anim_play_can(track) && anim_text_is_one_of(track->property, properties, 4) &&
	    anim_track_is_transform(track))
		held.node = anim_poses_find(&p->posing.poses, p->clip.root, track->node);
	if (anim_track_is_muscle(track, p->options.diagnostics, error) < 0)
		return -1;
	if (held.node == ANIM_POSE_NONE || !(p->roles[held.node] & CARRIES))
		return anim_filter_track(sink, track, error);
	if (anim_track_check_local(track, error) != 0 || anim_track_copy(&held.track, track, &p->arena, error) != 0 ||
	    (held.track.flags & ANIM_DISABLED) != 0)
		return -1;
	held.passed = !may_change(p, held.node, track);
	if (anim_buffer_append(&p->held, &held, sizeof held, error) != 0)
		return -1;
	return held.passed ? anim_filter_track(sink, track, error) : 0;
}

struct collector {
	struct anim_sink sink;
	struct pin *p;
};

static int collect(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct pin *p = ((struct collector *)sink)->p;
	struct held held = {.node = anim_poses_find(&p->posing.poses, p->clip.root, track->node)};
	struct anim_track whole = *track;

	/*
	 * Write the keys of a track that repeats as often as the clip needs them. The last key of a period is a float
	 * before the first one of the next, so that the track can jump there.
	 */
	if (track->pre == ANIM_EXTRAPOLATION_LOOP || track->post == ANIM_EXTRAPOLATION_LOOP) {
		const double first = (double)track->time[0], last = (double)track->time[track->n - 1],
			     period = last - first;
		const double before =
				 track->pre == ANIM_EXTRAPOLATION_LOOP ? (first - (double)p->clip.start_s) / period : 0,
			     after =
				 track->post == ANIM_EXTRAPOLATION_LOOP ? ((double)p->clip.end_s - last) / period : 0;
		const double from = -ceil(fmax(0, before)), to = ceil(fmax(0, after));

		if ((to - from + 1) * (double)track->n > ANIM_SAMPLES_MAX)
			return anim_track_refuse(track, "repeats too often; " ANIM_ADVICE(CUT_TIME), error);
		anim_keys_reset(&p->keys, track->type);
		for (double k = from; k <= to; k++) {
			const float end = (float)(last + k * period), same = k < to ? nextafterf(end, -INFINITY) : end;

			if (anim_keys_add_part(&p->keys, track, 0, track->n - 1, k * period, error) != 0 ||
			    anim_keys_add_part(&p->keys, track, track->n - 1, 1, (double)same - last, error) != 0)
				return -1;
		}
		whole.pre = whole.post = ANIM_EXTRAPOLATION_HOLD;
		whole.record = NULL;
		anim_keys_finish(&p->keys, &whole);
	}

	if (anim_track_copy(&held.track, &whole, &p->arena, error) != 0)
		return -1;
	return anim_buffer_append(&p->plain, &held, sizeof held, error);
}

/* Make complete, absolute values whose segments do not depend on other keys. Returns 0 or -1. */
static int make_plain(struct pin *p, struct anim_diagnostics *diagnostics, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.track = collect};
	struct anim_caps caps = {.format = "anim-pin",
				 .kinds = 1u << ANIM_RAW | 1u << ANIM_CURVE,
				 .types = (uint64_t)1 << ANIM_FLOAT3 | (uint64_t)1 << ANIM_FLOATQ,
				 .interps =
				     1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE | 1u << ANIM_WEIGHTED,
				 .rules = ANIM_RULES_PLAIN,
				 .mixed_interps = true,
				 .raw_start = true,
				 .whole_transforms = true,
				 .regular = true,
				 .midway = true};
	struct collector *collector = anim_sink_new(sizeof *collector, &ops, error);
	size_t count;
	const struct held *held = held_of(&p->held, &count);

	p->plain.size = 0;
	if (collector == NULL)
		return -1;
	collector->p = p;
	/* keys that repeat are repeated here, so that a long clip is not converted as a whole */
	caps.ends = true;
	for (size_t i = 0; i < count; i++)
		caps.ends = caps.ends && held[i].track.pre <= ANIM_EXTRAPOLATION_LOOP &&
			    held[i].track.post <= ANIM_EXTRAPOLATION_LOOP;
	return anim_convert_tracks(&caps, diagnostics, &p->posing.poses.rests, &p->clip, held, count, sizeof *held,
				   &collector->sink, error);
}

/* ---- The times of the samples ---- */

/* Return the tracks' common samples, or NULL if they have none. */
static const struct anim_track *find_samples(const struct pin *p)
{
	const struct anim_track *first = NULL;
	size_t count;
	const struct held *plain = held_of(&p->plain, &count);

	for (size_t i = 0; i < count; i++) {
		const struct anim_track *track = &plain[i].track;

		if (!may_change(p, plain[i].node, track))
			continue;
		first = first == NULL ? track : first;
		if (track->kind != ANIM_RAW || track->n != first->n || track->n < 2 ||
		    anim_track_time(track, 0) != anim_track_time(first, 0) ||
		    anim_track_time(track, track->n - 1) != anim_track_time(first, first->n - 1))
			return NULL;
	}
	return first;
}

/* Choose the samples of the tracks if they are common, otherwise the clip's grid and all keys. Returns 0 or -1. */
static int choose_times(struct pin *p, const struct anim_track **samples, struct anim_error *error)
{
	const struct anim_clip *clip = &p->clip;
	const bool rated = clip->rate_num != 0 && clip->rate_den != 0;
	size_t count, kept = 0;
	const struct held *plain = held_of(&p->plain, &count);
	struct anim_grid grid;
	double *t;

	p->times.size = 0;
	*samples = find_samples(p);
	if (*samples != NULL) {
		t = anim_buffer_extend(&p->times, (*samples)->n * sizeof *t, error);
		if (t != NULL)
			anim_track_times(*samples, t);
		return t == NULL ? -1 : 0;
	}

	if (anim_grid_of_clip(&grid, clip, rated ? clip->rate_num : RATE, rated ? clip->rate_den : 1, ANIM_END_COVER,
			      error) != 0)
		return -1;
	if (grid.count > ANIM_SAMPLES_MAX)
		return anim_fail(error, ANIM_TOO_LARGE,
				 "clip '%s' of %.9g s would take %zu samples, more than %u; " ANIM_ADVICE(CUT_TIME),
				 clip->name, (double)clip->end_s - (double)clip->start_s, grid.count, ANIM_SAMPLES_MAX);
	t = anim_buffer_extend(&p->times, grid.count * sizeof *t, error);
	if (t == NULL)
		return -1;
	anim_grid_times(&grid, 0, grid.count, t);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < plain[i].track.n && may_change(p, plain[i].node, &plain[i].track); k++) {
			const double key = anim_track_time(&plain[i].track, k);

			if (key >= (double)clip->start_s && key <= (double)clip->end_s &&
			    anim_buffer_append(&p->times, &key, sizeof key, error) != 0)
				return -1;
		}

	/* Drop samples of the grid that are next to a key. Keys are exact floats, so others are of the grid. */
	t = (double *)(void *)p->times.data;
	count = p->times.size / sizeof *t;
	qsort(t, count, sizeof *t, anim_compare_doubles);
	for (size_t k = 0; k < count; k++) {
		const bool is_key = (double)(float)t[k] == t[k];

		if (kept > 0 && t[k] == t[kept - 1])
			continue;
		if (kept > 0 && t[k] - t[kept - 1] < APART_S) {
			if (is_key && (double)(float)t[kept - 1] != t[kept - 1])
				t[kept - 1] = t[k];
			else if (is_key)
				t[kept++] = t[k];
			continue;
		}
		t[kept++] = t[k];
	}
	p->times.size = kept * sizeof *t;
	return 0;
}

/* ---- Samples ---- */

static int index_track(struct anim_map *map, const struct held *held, size_t number, struct anim_error *error)
{
	const char *property = held->track.property;

	return anim_map_put(map, held->node, property, strlen(property), (uint32_t)number, error);
}

/* Sample all tracks. The original plays instead of a plain track if it stays and is complete. Returns 0 or -1. */
static int sample_tracks(struct pin *p, struct anim_error *error)
{
	size_t count, plain_count, held_count;
	const struct held *plain = held_of(&p->plain, &plain_count), *held = held_of(&p->held, &held_count);
	const double *times = times_of(p, &count);

	anim_map_clear(&p->passed);
	for (size_t i = held_count; i-- > 0;)
		if (held[i].passed && held[i].track.component == ANIM_WHOLE &&
		    index_track(&p->passed, &held[i], i, error) != 0)
			return -1;
	anim_posing_begin_times(&p->posing, times, count);
	for (size_t i = 0; i < plain_count; i++) {
		const char *property = plain[i].track.property;
		const struct anim_track *track = &plain[i].track;
		uint32_t number, node;

		if (anim_map_get(&p->passed, plain[i].node, property, strlen(property), &number))
			track = &held[number].track;
		node = anim_posing_node(&p->posing, &p->clip, track);
		if (node != ANIM_POSE_NONE && anim_posing_track(&p->posing, &p->clip, track, node, error) != 0)
			return -1;
	}
	return anim_posing_join(&p->posing, error) != 0 ? -1 : anim_poses_ready(&p->posing.poses, error);
}

static void place_of(const struct pin *p, uint32_t node, size_t in_tile, double out[3])
{
	const double *at = anim_poses_at(&p->posing.poses, node, in_tile);

	for (int i = 0; i < 3; i++)
		out[i] = at[4 * i + 3];
}

/* Get the rotation of a node in space. Returns false if it is sheared, mirrored or scaled unevenly. */
static bool rotation_of(const struct pin *p, uint32_t node, size_t in_tile, double out[4])
{
	static const double none[4] = {0, 0, 0, 1};
	const double *at = node == ANIM_POSE_NONE ? NULL : anim_poses_at(&p->posing.poses, node, in_tile);
	double axes[3][3], sizes[3], side[3];
	float basis[9], q[4];

	memcpy(out, none, sizeof none);
	if (at == NULL)
		return true;
	for (int c = 0; c < 3; c++) {
		for (int i = 0; i < 3; i++)
			axes[c][i] = at[4 * i + c];
		sizes[c] = anim_vec3_length_double(axes[c]);
	}
	anim_vec3_cross_double(side, axes[0], axes[1]);
	if (!(sizes[0] > 0) || !(anim_vec3_dot_double(side, axes[2]) > 0) ||
	    fabs(sizes[1] - sizes[0]) > EVEN * sizes[0] || fabs(sizes[2] - sizes[0]) > EVEN * sizes[0])
		return false;
	for (int i = 0; i < 9; i++)
		basis[i] = (float)(axes[i % 3][i / 3] / sizes[i % 3]);
	anim_quat_from_basis_godot(q, basis);
	anim_quat_unit_double(out, q);
	return true;
}

/* Measure all limbs at a sample. */
static void measure_sample(void *context, size_t k, size_t in_tile)
{
	struct pin *p = context;
	size_t count;
	struct limb *limbs = limbs_of(p, &count);

	for (size_t i = 0; i < count; i++) {
		struct limb *limb = &limbs[i];
		struct pin_sample *sample = &limb->motion.samples[k];

		place_of(p, limb->bone[PIN_UPPER], in_tile, sample->root);
		place_of(p, limb->bone[PIN_LOWER], in_tile, sample->middle);
		place_of(p, limb->bone[PIN_FOOT], in_tile, sample->at[PIN_END]);
		place_of(p, limb->motion.has_tip ? limb->tip : limb->bone[PIN_FOOT], in_tile, sample->at[PIN_TIP]);
		rotation_of(p, limb->bone[PIN_UPPER], in_tile, sample->turn);
	}
}

/* ---- Contacts ---- */

static bool names_node(const struct pin *p, const char *bone, uint32_t node)
{
	const char *path = node == ANIM_POSE_NONE ? NULL : anim_poses_path(&p->posing.poses, node);

	return path != NULL && (strcmp(path, bone) == 0 || strcmp(anim_node_own_name(path), bone) == 0);
}

static int add_given(struct pin *p, struct limb *limb, struct anim_error *error)
{
	const struct anim_buffer *items = &p->options.contacts->items;
	struct anim_pin_contact *contacts = (struct anim_pin_contact *)(void *)items->data;

	for (size_t i = 0; i < items->size / sizeof *contacts; i++) {
		const bool tip = names_node(p, contacts[i].bone, limb->tip);

		if (!tip && !names_node(p, contacts[i].bone, limb->bone[PIN_FOOT]))
			continue;
		contacts[i].used = true;
		if (pin_add_contact(&limb->motion, tip ? PIN_TIP : PIN_END,
				    contacts[i].from_s + (double)p->clip.start_s,
				    contacts[i].to_s + (double)p->clip.start_s, error) != 0)
			return -1;
	}
	return 0;
}

/* Lower the hips so that all legs reach their places, and choose the side on which each limb bends. */
static int lower_hips(struct pin *p, struct anim_error *error)
{
	size_t count, samples, leg_count = 0;
	struct limb *limbs = limbs_of(p, &count);
	struct pin_motion **legs = anim_arena_zeroed(&p->arena, count + 1, sizeof(struct pin_motion *), error);
	double longest = 0, *lower;

	times_of(p, &samples);
	p->lower.size = 0;
	lower = anim_buffer_extend(&p->lower, samples * sizeof *lower, error);
	if (legs == NULL || lower == NULL)
		return -1;
	memset(lower, 0, samples * sizeof *lower);
	for (size_t i = 0; i < count; i++)
		if (!limbs[i].arm) {
			longest = fmax(longest, limbs[i].motion.length);
			legs[leg_count++] = &limbs[i].motion;
		}
	if (p->hips != ANIM_POSE_NONE && leg_count > 0 && p->options.lower > 0 &&
	    pin_lower_body(legs, leg_count, LOWER_EASE * p->options.ease_s, p->options.lower * longest, lower, error) !=
		0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (pin_choose_sides(&limbs[i].motion, limbs[i].hinge, lower, error) != 0)
			return -1;
	return 0;
}

/* ---- New values ---- */

/* Return the joint of a node, which is added with the values that its track has. Returns NULL on failure. */
static int add_joint(struct pin *p, uint32_t node, bool rotates, struct anim_error *error)
{
	struct joint joint = {.node = node, .rotates = rotates};
	const enum anim_pose_part part = rotates ? ANIM_POSE_ROTATION : ANIM_POSE_POSITION;
	const struct anim_rest *rest = &p->posing.poses.rests.items[node];
	const char *property = rotates ? "rotation" : "position";
	const unsigned width = rotates ? 4 : 3;
	size_t count, plain_count;
	const struct held *plain = held_of(&p->plain, &plain_count);
	uint32_t number;
	float *values;

	times_of(p, &count);
	if (anim_map_get(&p->plain_of, node, property, strlen(property), &number))
		joint.track = &plain[number].track;
	values = anim_buffer_extend(&joint.value, count * width * sizeof *values, error);
	if (values == NULL)
		return -1;
	for (size_t k = 0, size; k < count; k += size) {
		const float *column;

		size = count - k < 4096 ? count - k : 4096;
		if (anim_poses_column(&p->posing.poses, node, part, k, size, &column, error) != 0) {
			anim_buffer_clear(&joint.value);
			return -1;
		}
		for (size_t i = 0; i < size; i++)
			memcpy(values + (k + i) * width,
			       column != NULL ? column + i * width
			       : rotates      ? rest->rotation
					      : rest->position,
			       width * sizeof *values);
	}
	if (anim_buffer_append(&p->joints, &joint, sizeof joint, error) == 0)
		return 0;
	anim_buffer_clear(&joint.value);
	return -1;
}

static void clear_joints(struct pin *p)
{
	size_t count;
	struct joint *joints = joints_of(p, &count);

	for (size_t i = 0; i < count; i++)
		anim_buffer_clear(&joints[i].value);
	p->joints.size = 0;
}

/*
 * Change a local rotation. The node is rotated by `own` in space, and its parent by `above`. `parent` is the rotation of
 * the parent before: q' = parent^-1 above^-1 own parent q.
 */
static void change_rotation(float q[4], const double parent[4], const double above[4], const double own[4])
{
	double change[4], back[4], old[4];

	anim_quat_conjugate_double(back, above);
	anim_quat_multiply_double(change, back, own);
	anim_quat_multiply_double(change, change, parent);
	anim_quat_conjugate_double(back, parent);
	anim_quat_multiply_double(change, back, change);
	for (int i = 0; i < 4; i++)
		old[i] = (double)q[i];
	anim_quat_multiply_double(change, change, old);
	for (int i = 0; i < 4; i++)
		q[i] = (float)change[i];
}

static void note_move(struct pin *p, const double before[3], const double after[3])
{
	double d[3];

	anim_vec3_subtract(d, after, before);
	p->moved = fmax(p->moved, anim_vec3_length_double(d));
}

static float *value_of(const struct pin *p, size_t joint, size_t k)
{
	size_t count;
	const struct joint *joints = joints_of(p, &count);

	return (float *)(void *)joints[joint].value.data + k * (joints[joint].rotates ? 4 : 3);
}

/* Move a limb at a sample. Its parents were rotated as before. Stores the new positions of its points. */
static bool move_limb(struct pin *p, size_t number, size_t k, size_t in_tile)
{
	static const double none[4] = {0, 0, 0, 1};
	size_t count;
	struct limb *limb = &limbs_of(p, &count)[number];
	struct pin_sample *sample = &limb->motion.samples[k];
	const double *above[PIN_BONES], *own[PIN_BONES];
	double q[4], parent[PIN_BONES][4], foot[4], from[3], to[3];
	struct pin_reach reach;

	if (!rotation_of(p, limb->bone[PIN_UPPER], in_tile, q))
		return false;
	for (int b = 0; b < PIN_BONES; b++)
		if (!rotation_of(p, anim_poses_parent(&p->posing.poses, limb->bone[b]), in_tile, parent[b]))
			return false;
	pin_limb_reach(sample, limb->hinge, lower_of(p)[k], &reach);
	memcpy(foot, none, sizeof foot);
	if (limb->motion.has_tip) {
		anim_vec3_subtract(from, sample->at[PIN_TIP], sample->at[PIN_END]);
		anim_vec3_subtract(to, sample->to[PIN_TIP], sample->to[PIN_END]);
		anim_quat_between_double(foot, from, to);
		anim_quat_rotate_double(from, foot, from);
		for (int i = 0; i < 3; i++)
			sample->to[PIN_TIP][i] = reach.end[i] + from[i];
		note_move(p, sample->at[PIN_TIP], sample->to[PIN_TIP]);
	}
	memcpy(sample->to[PIN_END], reach.end, sizeof reach.end);
	note_move(p, sample->middle, reach.middle);
	note_move(p, sample->at[PIN_END], reach.end);
	above[PIN_UPPER] = none;
	own[PIN_UPPER] = above[PIN_LOWER] = reach.upper;
	own[PIN_LOWER] = above[PIN_FOOT] = reach.lower;
	own[PIN_FOOT] = foot;
	for (int b = 0; b < PIN_BONES; b++)
		change_rotation(value_of(p, number * PIN_BONES + (size_t)b, k), parent[b], above[b], own[b]);
	return true;
}

struct mover {
	struct pin *p;
	bool uneven; /* a node is scaled unevenly */
};

static void move(void *context, size_t k, size_t in_tile)
{
	struct mover *mover = context;
	struct pin *p = mover->p;
	size_t count;
	const struct limb *limbs = limbs_of(p, &count);

	for (size_t i = 0; i < count; i++)
		if (limbs[i].motion.samples[k].moves && !move_limb(p, i, k, in_tile))
			mover->uneven = true;
	if (lower_of(p)[k] > 0) {
		/* Lower the hips at a sample: a translation in space, in the space of their parent. */
		const uint32_t above = anim_poses_parent(&p->posing.poses, p->hips);
		const double *at = above == ANIM_POSE_NONE ? NULL : anim_poses_at(&p->posing.poses, above, in_tile);
		double down[3] = {0, -lower_of(p)[k], 0}, q[4], size = 1;
		float *value = value_of(p, count * PIN_BONES, k);

		rotation_of(p, above, in_tile, q);
		if (at != NULL)
			size = sqrt(at[0] * at[0] + at[4] * at[4] + at[8] * at[8]);
		anim_quat_conjugate_double(q, q);
		anim_quat_rotate_double(down, q, down);
		for (int i = 0; i < 3; i++)
			value[i] = (float)((double)value[i] + down[i] / size);
		p->lowered = fmax(p->lowered, lower_of(p)[k]);
	}
}

/* ---- New tracks ---- */

/* Return whether a joint's value changes at a sample. */
static bool changes_at(const struct pin *p, size_t joint, size_t k)
{
	size_t count;
	const struct limb *limbs = limbs_of(p, &count);

	return joint < count * PIN_BONES ? limbs[joint / PIN_BONES].motion.samples[k].moves : lower_of(p)[k] > 0;
}

static bool changes(const struct pin *p, size_t joint)
{
	size_t count;

	times_of(p, &count);
	for (size_t k = 0; k < count; k++)
		if (changes_at(p, joint, k))
			return true;
	return false;
}

/*
 * Append the samples from *k on that are before `until_s`, and set *k to the first that is not. They are appended only if
 * `all`. Returns 0 or -1.
 */
static int add_samples(struct pin *p, size_t joint, size_t *k, double until_s, bool all, struct anim_error *error)
{
	size_t count;
	const double *times = times_of(p, &count);

	for (; *k < count && times[*k] < until_s; ++*k)
		if (all && anim_keys_add(&p->keys, (float)times[*k], value_of(p, joint, *k), ANIM_LINEAR, error) != 0)
			return -1;
	return 0;
}

/* Return whether a joint changes at a sample from k on, up to the time `to_s`. */
static bool changes_until(const struct pin *p, size_t joint, size_t k, double to_s)
{
	size_t count;
	const double *times = times_of(p, &count);

	for (; k < count && times[k] <= to_s; k++)
		if (changes_at(p, joint, k))
			return true;
	return false;
}

/* Make the keys of a curve: its own ones, and samples in each segment that changes. Returns 0 or -1. */
static int make_keys(struct pin *p, size_t joint, const struct anim_track *track, struct anim_error *error)
{
	size_t k = 0, count;
	const double *times = times_of(p, &count);

	for (size_t i = 0; i < track->n; i++) {
		const double t = anim_track_time(track, i),
			     next = i + 1 < track->n ? anim_track_time(track, i + 1) : (double)INFINITY;
		bool whole;

		if (i == 0 && add_samples(p, joint, &k, t, changes_until(p, joint, k, t), error) != 0)
			return -1;
		whole = changes_until(p, joint, k, next);
		if (whole && k < count && times[k] == t) {
			if (add_samples(p, joint, &k, nextafter(t, (double)INFINITY), true, error) != 0)
				return -1;
		} else if (track->kind != ANIM_RAW ? anim_keys_add_part(&p->keys, track, i, 1, 0, error) != 0
						   : anim_keys_add(&p->keys, (float)t, anim_value_at(track, i, NULL),
								   ANIM_LINEAR, error) != 0)
			return -1;
		if (add_samples(p, joint, &k, next, whole, error) != 0)
			return -1;
	}
	return 0;
}

/* Write the new track of a joint. samples: the common samples of all tracks, or NULL. */
static int put_joint(struct pin *p, size_t number, const struct anim_track *samples, struct anim_error *error)
{
	size_t count;
	const struct joint *joint = &joints_of(p, &count)[number];
	struct anim_track out = {.kind = ANIM_CURVE,
				 .type = joint->rotates ? ANIM_FLOATQ : ANIM_FLOAT3,
				 .property = joint->rotates ? "rotation" : "position",
				 .component = ANIM_WHOLE,
				 .interp = ANIM_LINEAR};
	size_t sample_count, k = 0;

	times_of(p, &sample_count);
	if (joint->track != NULL)
		out = *joint->track;
	else if ((out.node = anim_tree_name(p->clip.root, anim_poses_path(&p->posing.poses, joint->node), &p->arena,
					    error)) == NULL)
		return -1;
	out.record = NULL;
	if (samples != NULL) {
		const struct anim_track own = out;

		out = *samples;
		out.type = own.type;
		out.node = own.node;
		out.property = own.property;
		out.attrs = own.attrs;
		out.interp = ANIM_LINEAR;
		out.value = joint->value.data;
		out.record = NULL;
		return anim_sink_track(p->filter.next, &out, error);
	}
	anim_keys_reset(&p->keys, out.type);
	if (joint->track == NULL ? add_samples(p, number, &k, (double)INFINITY, true, error) != 0
				 : make_keys(p, number, joint->track, error) != 0)
		return -1;
	out.kind = ANIM_CURVE;
	out.start_s = out.step_s = 0;
	out.rate_num = out.rate_den = 0;
	anim_keys_finish(&p->keys, &out);
	return anim_sink_track(p->filter.next, &out, error);
}

/* Pass on the waiting tracks that do not change. */
static int pass_unchanged(struct pin *p, struct anim_error *error)
{
	size_t count, joint_count;
	const struct held *held = held_of(&p->held, &count);

	joints_of(p, &joint_count);
	for (size_t i = 0; i < count; i++) {
		const bool rotation = strcmp(held[i].track.property, "rotation") == 0;

		if (held[i].passed ||
		    (joint_count > 0 && changes(p, rotation ? p->rotation_of[held[i].node] : joint_count - 1)))
			continue;
		if (anim_sink_track(p->filter.next, &held[i].track, error) != 0)
			return -1;
	}
	return 0;
}

/* ---- The note ---- */

/* Measure how far the points of a limb are away from the start of their contacts, before and after. */
static void measure_slides(struct pin *p, const struct pin_motion *motion)
{
	for (int point = 0; point < PIN_POINTS; point++) {
		const struct pin_contact *contacts =
		    (const struct pin_contact *)(const void *)motion->contacts[point].data;
		const size_t count = motion->contacts[point].size / sizeof *contacts;

		p->contacts += count;
		for (size_t i = 0; i < count; i++)
			for (size_t k = contacts[i].first; k <= contacts[i].last; k++) {
				const struct pin_sample *from = &motion->samples[contacts[i].first],
							*to = &motion->samples[k];
				double d[3];

				anim_vec3_subtract(d, to->at[point], from->at[point]);
				p->slid[0] = fmax(p->slid[0], anim_vec3_length_double(d));
				anim_vec3_subtract(d, to->to[point], from->to[point]);
				p->slid[1] = fmax(p->slid[1], anim_vec3_length_double(d));
			}
	}
}

/* ---- The sink ---- */

/*
 * Find the contacts. Returns 1, 0 if the clip cannot be pinned or has none, or -1. Tracks are converted for that, which is
 * reported later, if they change.
 */
static int find_contacts(struct pin *p, const struct anim_track **samples, struct anim_error *error)
{
	struct anim_diagnostics unreported = {0};
	size_t count, sample_count;
	struct limb *limbs = limbs_of(p, &count);
	int result = make_plain(p, &unreported, error);
	const double *times;
	bool any = false;

	anim_diagnostics_clear(&unreported);
	if (result != 0 || choose_times(p, samples, error) != 0)
		return -1;
	times = times_of(p, &sample_count);
	if (sample_count > ANIM_SAMPLES_MAX / count) /* all are in memory for each limb */
		return anim_fail(
		    error, ANIM_TOO_LARGE,
		    "clip '%s' has %zu samples for %zu limbs, more than %u together; " ANIM_ADVICE(CUT_TIME),
		    p->clip.name, sample_count, count, ANIM_SAMPLES_MAX);
	if (sample_tracks(p, error) != 0)
		return -1;
	if (p->posing.unsure)
		return anim_diagnostics_warn(p->options.diagnostics, "clip", error,
					     "not pinned: a bone above the feet has several tracks of one kind");
	for (size_t i = 0; i < count; i++) {
		struct pin_motion *motion = &limbs[i].motion;

		limbs[i].samples.size = motion->contacts[PIN_END].size = motion->contacts[PIN_TIP].size = 0;
		motion->times = times;
		motion->count = sample_count;
		motion->has_tip = limbs[i].tip != ANIM_POSE_NONE;
		motion->samples = anim_buffer_extend(&limbs[i].samples, sample_count * sizeof *motion->samples, error);
		if (motion->samples == NULL)
			return -1;
	}
	if (anim_poses_each(&p->posing.poses, measure_sample, p, error) != 0)
		return -1;

	/* Find the contacts of all limbs, and the places of their points. */
	for (size_t i = 0; i < count; i++) {
		struct pin_motion *motion = &limbs[i].motion;

		pin_measure(motion);
		pin_find_hinge(motion, limbs[i].anatomy, limbs[i].hinge);
		if (p->options.contacts != NULL
			? add_given(p, &limbs[i], error) != 0
			: pin_find_contacts(motion, PIN_END, p->options.height, p->options.speed, error) != 0 ||
			      (motion->has_tip &&
			       pin_find_contacts(motion, PIN_TIP, p->options.height, p->options.speed, error) != 0))
			return -1;
		any = any || motion->contacts[PIN_END].size + motion->contacts[PIN_TIP].size > 0;
		motion->found = p->options.contacts == NULL;
		pin_choose_places(motion, p->options.ease_s);
		pin_place_points(motion, p->options.ease_s);
	}

	if (any)
		return 1;
	if (p->options.contacts != NULL)
		return anim_diagnostics_warn(
		    p->options.diagnostics, "clip", error,
		    "unchanged, because none of the contacts of " ANIM_OPTION("pin", "contacts") " is in the clip");
	return anim_diagnostics_note(
	    p->options.diagnostics, "clip", error,
	    "no foot touches the ground; use " ANIM_OPTION("pin", "height") " and " ANIM_OPTION(
		"pin", "speed") " to find more contacts, or " ANIM_OPTION("pin", "contacts"));
}

/* Pin the clip. Returns 1, 0 if its tracks stay, or -1. */
static int pin_clip(struct pin *p, struct anim_error *error)
{
	const struct anim_track *samples;
	struct mover mover = {.p = p};
	int result = find_contacts(p, &samples, error);

	if (result <= 0)
		return result;
	p->moved = p->lowered = 0;
	if (make_plain(p, p->options.diagnostics, error) != 0 || lower_hips(p, error) != 0)
		return -1;

	/* Joints are in the order of limbs and their bones, and the hips come last. */
	size_t count, plain_count, joint_count;
	const struct limb *limbs = limbs_of(p, &count);
	const struct held *plain = held_of(&p->plain, &plain_count);

	anim_map_clear(&p->plain_of);
	for (size_t i = 0; i < plain_count; i++)
		if (index_track(&p->plain_of, &plain[i], i, error) != 0)
			return -1;
	for (size_t i = 0; i < count; i++)
		for (int b = 0; b < PIN_BONES; b++)
			if (add_joint(p, limbs[i].bone[b], true, error) != 0)
				return -1;
	if (p->hips != ANIM_POSE_NONE && add_joint(p, p->hips, false, error) != 0)
		return -1;
	if (anim_poses_each(&p->posing.poses, move, &mover, error) != 0)
		return -1;

	if (mover.uneven)
		return anim_diagnostics_warn(p->options.diagnostics, "clip", error,
					     "not pinned: bones of a limb are scaled unevenly or mirrored");
	samples = samples == NULL ? NULL : find_samples(p);
	if (pass_unchanged(p, error) != 0)
		return -1;
	joints_of(p, &joint_count);
	for (size_t i = 0; i < joint_count; i++)
		if (changes(p, i) && put_joint(p, i, samples, error) != 0)
			return -1;

	double longest = 0;

	p->contacts = 0;
	p->slid[0] = p->slid[1] = 0;
	for (size_t i = 0; i < count; i++) {
		measure_slides(p, &limbs[i].motion);
		longest = fmax(longest, limbs[i].motion.length);
	}
	longest = longest > 0 ? longest / 100 : 1;
	if (anim_diagnostics_note(p->options.diagnostics, NULL, error,
				  "pinned %zu contact%s; feet slid by at most %.1f %% of a leg and now slide by "
				  "%.1f %%; joints moved by at most "
				  "%.1f %%, and the hips were lowered by at most %.1f %%",
				  p->contacts, p->contacts == 1 ? "" : "s", p->slid[0] / longest, p->slid[1] / longest,
				  p->moved / longest, p->lowered / longest) != 0)
		return -1;

	return 1;
}

static int finish_clip(struct pin *p, struct anim_error *error)
{
	const struct anim_scope *scope = p->options.diagnostics->scope;
	int done = 0;

	if (!p->in_clip)
		return 0;
	p->in_clip = false;
	p->options.diagnostics->scope = p->scope;
	if (p->held.size > 0)
		done = pin_clip(p, error);
	clear_joints(p);
	if (done == 0 && pass_unchanged(p, error) != 0)
		done = -1;
	p->options.diagnostics->scope = scope;
	return done < 0 ? -1 : 0;
}

static void clear_limbs(struct pin *p)
{
	size_t count;
	struct limb *limbs = limbs_of(p, &count);

	for (size_t i = 0; i < count; i++) {
		anim_buffer_clear(&limbs[i].samples);
		for (int point = 0; point < PIN_POINTS; point++)
			anim_buffer_clear(&limbs[i].motion.contacts[point]);
	}
	p->limbs.size = 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct pin *p = (struct pin *)sink;

	if (finish_clip(p, error) != 0)
		return -1;
	clear_limbs(p);
	anim_arena_reset(&p->tree_arena);
	p->found = false;
	p->root = anim_arena_text(&p->tree_arena, tree->root_name, strlen(tree->root_name), error);
	return p->root == NULL ? -1 : anim_filter_tree(sink, tree, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct pin *p = (struct pin *)sink;

	if (finish_clip(p, error) != 0)
		return -1;
	anim_arena_reset(&p->arena);
	p->held.size = 0;
	p->scope = p->options.diagnostics->scope;
	if (anim_poses_count(&p->posing.poses) == 0 || !(clip->flags & ANIM_IN_TREE))
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "clip '%s' has no node tree; read it from the scene or prefab that plays it, or " ANIM_ADVICE(
			ADD_TREE),
		    clip->name);

	if (!p->found) {
		const size_t count = anim_poses_count(&p->posing.poses);
		uint32_t *feet;

		p->found = true;
		p->hips = ANIM_POSE_NONE;
		p->roles = anim_arena_zeroed(&p->tree_arena, count + 1, sizeof *p->roles, error);
		p->rotation_of = anim_arena_zeroed(&p->tree_arena, count + 1, sizeof *p->rotation_of, error);
		feet = anim_arena_zeroed(&p->tree_arena, count + 1, sizeof *feet, error);
		if (p->roles == NULL || p->rotation_of == NULL || feet == NULL)
			return -1;
		for (uint32_t n = 0; n < count; n++) {
			struct anim_bone_guess guess;

			if (!guess_of(p, n, &guess))
				continue;
			if (p->hips == ANIM_POSE_NONE && guess.bones[0] == ANIM_BONE_HIPS)
				p->hips = n;
			if (add_limb(p, n, &guess, feet, error) != 0)
				return -1;
		}
		find_tips(p, feet);
		if (p->hips != ANIM_POSE_NONE && !(p->roles[p->hips] & CARRIES))
			p->hips = ANIM_POSE_NONE;
		if (find_anatomy(p, error) != 0)
			return -1;
	}

	if (p->limbs.size == 0)
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "no feet: no nodes have names of legs, such as LeftUpLeg, LeftLeg and LeftFoot below each "
		    "other; if the tree has legs, " ANIM_ADVICE(RENAME_NODES));
	p->in_clip = true;
	return anim_clip_copy(&p->clip, clip, &p->arena, error) != 0 ? -1 : anim_filter_clip(sink, clip, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct pin *p = (struct pin *)sink;

	if (finish_clip(p, error) != 0)
		return -1;

	/* Name contacts of bones that no clip has. */
	if (p->options.contacts != NULL) {
		const struct anim_buffer *items = &p->options.contacts->items;
		const struct anim_pin_contact *contacts = (const struct anim_pin_contact *)(const void *)items->data;

		for (size_t i = 0; i < items->size / sizeof *contacts; i++)
			if (!contacts[i].used &&
			    (anim_diagnostics_add(p->options.diagnostics, ANIM_WARNING, &contacts[i].place, "contact",
						  error,
						  "'%s': not in the skeleton, which has no such foot, toes or hand",
						  contacts[i].bone) != 0 ||
			     anim_diagnostics_name(p->options.diagnostics, error, "%s", contacts[i].bone) != 0))
				return -1;
	}

	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct pin *p = (struct pin *)sink;

	clear_limbs(p);
	clear_joints(p);
	anim_buffer_clear(&p->limbs);
	anim_buffer_clear(&p->joints);
	anim_buffer_clear(&p->held);
	anim_buffer_clear(&p->plain);
	anim_buffer_clear(&p->times);
	anim_buffer_clear(&p->lower);
	anim_map_clear(&p->passed);
	anim_map_clear(&p->plain_of);
	anim_keys_clear(&p->keys);
	anim_arena_clear(&p->tree_arena);
	anim_arena_clear(&p->arena);
	anim_filter_free(sink);
}

struct anim_sink *anim_pin_new(const struct anim_pin_options *options, struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct pin *p = anim_filter_new(sizeof *p, &ops, next, error);

	if (p == NULL)
		return NULL;
	p->options = *options;
	anim_poses_init(&p->posing.poses, 0);
	p->filter.poses = &p->posing.poses;
	return &p->filter.sink;
}
