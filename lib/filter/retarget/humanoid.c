/* humanoid.c: converts the muscles of Unity's humanoid clips to rotations of bones and the position of the hips. */
#include "filter/retarget/humanoid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/limits.h"
#include "filter/common/affine.h"
#include "filter/common/posing.h"
#include "filter/filter.h"
#include "filter/resample.h"
#include "filter/retarget/body.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

#define RATE 60 /* samples a second of clips that say nothing of it */
#define BLOCK 64

/*
 * Largest error between keys: more keys are added until it is smaller, up to FINE samples a second. It is measured at
 * samples between the keys. Three or more show at least the share MEASURED of it.
 */
#define DEGREES 0.1
#define LENGTH 5e-4 /* relative to the height of the mass centre */
#define FINE 240
#define PARTS_MAX 16 /* a power of 2 */
#define MEASURED 0.8

#define AXES 3
#define ROOTS ANIM_MUSCLE_ROOTS
#define MUSCLES ((unsigned)ANIM_HUMAN_BONES * AXES)
#define COLUMNS (MUSCLES + ROOTS) /* numbers of the curves. Most numbers of muscles are unused. */

#define PLACE ((unsigned)ANIM_HUMAN_BONES)

#define SETTINGS "unity.m_AnimationClipSettings."

struct retarget_humanoid {
	const struct anim_retarget_options *options;
	/* Of the target, once a clip has asked for it: */
	bool made;
	struct retarget_body target;
	struct anim_affine back; /* from the tree's space to the space of the hips' parent */
	double hips_above[4];    /* the rotation of that */
	/* Of the clip at hand: */
	bool has, mirror;        /* it has curves, and swaps left and right */
	struct anim_grid coarse; /* samples at the clip's rate, which all get keys */
	struct anim_grid grid;   /* the samples, `parts` times as many */
	size_t parts;
	double worst[2]; /* largest error between keys so far: of rotations in degrees, and of the place */
	bool known[COLUMNS], moves[COLUMNS];          /* has a curve, has a curve that is not constant */
	enum anim_human_bone mover[ANIM_HUMAN_BONES]; /* the bone that is moved by a bone's muscles */
	bool moved[ANIM_HUMAN_BONES][AXES];           /* by axis, whether any muscle does */
	/* The tracks to be made, in order: of a bone's rotation, or (PLACE) the hips' place. */
	unsigned sent[PLACE + 1], sent_count;
	uint64_t places[COLUMNS]; /* of the samples, doubles, in the spool */
	struct anim_spool spool;
	struct anim_buffer keys, values, locals, marks;
	size_t others; /* ignored curves, without goals: translations, MotionT and MotionQ */
};

struct retarget_humanoid *retarget_humanoid_new(const struct anim_retarget_options *options, struct anim_error *error)
{
	struct retarget_humanoid *h = anim_zeroed(sizeof *h, error);

	if (h == NULL)
		return NULL;
	h->options = options;
	h->target.plan.options = options;
	anim_spool_init(&h->spool, options->store_memory);
	return h;
}

void retarget_humanoid_free(struct retarget_humanoid *h)
{
	if (h == NULL)
		return;
	retarget_plan_clear(&h->target.plan);
	anim_spool_clear(&h->spool);
	anim_buffer_clear(&h->keys);
	anim_buffer_clear(&h->values);
	anim_buffer_clear(&h->locals);
	anim_buffer_clear(&h->marks);
	free(h);
}

/* ---- Curves ---- */

bool retarget_is_humanoid_curve(const struct anim_track *track)
{
	const char *class = anim_attrs_get(&track->attrs, "unity.class");
	enum anim_human_bone bone;
	unsigned axis;

	if (anim_attrs_get(&track->attrs, "unity.humanoid") != NULL)
		return true;
	/* the spelling of scripts, which Unity's own clips do not use */
	return class != NULL && strcmp(class, "95") == 0 && anim_muscle_find(track->property, &bone, &axis);
}

bool retarget_humanoid_has(const struct retarget_humanoid *h)
{
	return h->has;
}

/* Return the column of a curve, or COLUMNS if the curve is unknown. *sign is the factor of its values. */
static unsigned column_of(const struct retarget_humanoid *h, const char *property, double *sign)
{
	static const bool turns_over[ROOTS] = {true, false, false, false, true, true, false};
	enum anim_human_bone bone;
	const unsigned root = anim_muscle_root(property);
	unsigned axis;

	*sign = root < ROOTS && h->mirror && turns_over[root] ? -1 : 1;
	if (root < ROOTS)
		return MUSCLES + root;
	if (!anim_muscle_find(property, &bone, &axis))
		return COLUMNS;
	if (h->mirror)
		bone = anim_muscle_mirror(bone, axis, sign);
	return (unsigned)bone * AXES + axis;
}

static int begin_clip(struct retarget_humanoid *h, const struct anim_clip *clip, struct anim_error *error)
{
	static const char *const settings[] = {"m_CycleOffset", "m_HeightFromFeet", "m_Level", "m_LoopBlend",
					       "m_OrientationOffsetY"};
	const char *mirror = anim_attrs_get(&clip->attrs, SETTINGS "m_Mirror");
	uint32_t num = clip->rate_num, den = clip->rate_den;

	h->has = true;
	h->mirror = mirror != NULL && strcmp(mirror, "0") != 0;
	h->others = 0;
	memset(h->known, 0, sizeof h->known);
	anim_spool_truncate(&h->spool, 0);
	if (num == 0 || den == 0) {
		num = RATE;
		den = 1;
	}
	if (anim_grid_of_clip(&h->coarse, clip, num, den, ANIM_END_COVER, error) != 0)
		return -1;
	if (h->coarse.count > ANIM_SAMPLES_MAX)
		return anim_fail(
		    error, ANIM_TOO_LARGE,
		    "the humanoid clip '%s' of %.9g s would take %zu samples, more than %u; " ANIM_ADVICE(CUT_TIME),
		    clip->name, (double)clip->end_s - (double)clip->start_s, h->coarse.count, ANIM_SAMPLES_MAX);
	h->worst[0] = h->worst[1] = 0;
	h->parts = 2;
	while (h->parts < PARTS_MAX && (double)num / den * (double)h->parts < FINE)
		h->parts *= 2;
	while (h->parts > 1 && (h->coarse.count > ANIM_SAMPLES_MAX / h->parts || num > UINT32_MAX / h->parts))
		h->parts /= 2;
	if (anim_grid_of_clip(&h->grid, clip, num * (uint32_t)h->parts, den, ANIM_END_COVER, error) != 0)
		return -1;

	/* Report settings of the clip that move the body in Unity, and are ignored here. */
	for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++) {
		char key[sizeof SETTINGS + 32];
		const char *value;

		snprintf(key, sizeof key, SETTINGS "%s", settings[i]);
		value = anim_attrs_get(&clip->attrs, key);
		if (value == NULL || strcmp(value, "0") == 0)
			continue;
		if (anim_diagnostics_warn(h->options->diagnostics, "setting of a humanoid clip", error, "'%s': ignored",
					  settings[i]) != 0 ||
		    anim_diagnostics_name(h->options->diagnostics, error, "%s", settings[i]) != 0)
			return -1;
	}
	return 0;
}

/* The track's values at all samples, to the spool. One without a value, or not a number, counts as 0. */
static int keep_samples(struct retarget_humanoid *h, const struct anim_clip *clip, const struct anim_track *track,
			double sign, bool *moves, struct anim_error *error)
{
	const bool narrow = anim_types[track->type].component_size == sizeof(float);
	double t[BLOCK], kept[BLOCK], values[BLOCK] = {0};
	float floats[BLOCK] = {0};
	uint8_t present[BLOCK];
	double first = 0;
	struct anim_sample_state state = {0};
	int result = 0;

	*moves = false;
	for (size_t k = 0; k < h->grid.count && result == 0; k += BLOCK) {
		size_t count = h->grid.count - k < BLOCK ? h->grid.count - k : BLOCK;

		anim_grid_times(&h->grid, k, count, t);
		anim_sample_times(track, t, count);
		result = anim_sample(clip, track, t, count, narrow ? (void *)floats : (void *)values, present, &state,
				     error);
		for (size_t i = 0; i < count && result == 0; i++) {
			double value = narrow ? (double)floats[i] : values[i];

			kept[i] = present[i] && isfinite(value) ? sign * value : 0;
			first = k + i == 0 ? kept[0] : first;
			*moves = *moves || kept[i] != first;
		}
		if (result == 0)
			result = anim_spool_append(&h->spool, kept, count * sizeof *kept, error);
	}
	anim_sample_state_clear(&state);
	return result;
}

int retarget_humanoid_track(struct retarget_humanoid *h, const struct anim_clip *clip, const struct anim_track *track,
			    struct anim_error *error)
{
	const char *kind = anim_attrs_get(&track->attrs, "unity.humanoid");
	double sign;
	unsigned column;

	if (!h->has && begin_clip(h, clip, error) != 0)
		return -1;
	column = column_of(h, track->property, &sign);
	if (column == COLUMNS) {
		h->others += kind == NULL || strcmp(kind, "goal") != 0;
		return 0;
	}
	if (h->known[column] || !anim_play_can(track) || track->component != ANIM_WHOLE ||
	    anim_types[track->type].components != 1)
		return 0;
	h->places[column] = anim_spool_size(&h->spool);
	if (anim_spool_begin(&h->spool, h->grid.count * sizeof(double), error) != 0)
		return -1;
	h->known[column] = true;
	return keep_samples(h, clip, track, sign, &h->moves[column], error);
}

/* ---- The target ---- */

/* Compute the transform from the tree's space to the space of the hips' parent. */
static int find_way_back(struct retarget_humanoid *h, struct anim_error *error)
{
	const struct retarget_side *side = &h->target.plan.to;
	const struct anim_poses *poses = &side->skeleton->poses;
	uint32_t hips = side->bones[ANIM_BONE_HIPS], above = anim_poses_parent(poses, hips);
	const double *at = above == ANIM_POSE_NONE ? NULL : anim_poses_at(poses, above, 0);
	double origin[3] = {0};
	static const double zero[3];

	memcpy(h->hips_above, anim_poses_rotation_above(poses, side->rotations, hips), sizeof h->hips_above);
	anim_affine_basis(&h->back, at);
	for (unsigned i = 0; i < 3 && at != NULL; i++)
		origin[i] = at[4 * i + 3];
	if (!anim_affine_invert(&h->back))
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "the hips of the target cannot be placed: a node above them is scaled to 0");
	anim_affine_snap(&h->back);
	anim_affine_about(&h->back, origin, zero);
	return 0;
}

/* ---- Rotations ---- */

/* Report muscles that move, of bones that the target lacks and no other bone replaces. */
static int report_lacking(struct retarget_humanoid *h, struct anim_error *error)
{
	struct anim_diagnostics *diagnostics = h->options->diagnostics;

	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		const char *name = anim_human_bone_name((enum anim_human_bone)b);
		bool moves = false;

		for (unsigned i = 0; i < AXES; i++)
			moves = moves || (h->known[b * AXES + i] && h->moves[b * AXES + i]);
		if (!moves || h->mover[b] != ANIM_HUMAN_BONES)
			continue;
		if (anim_diagnostics_warn(diagnostics, "bone", error,
					  "'%s': missing in the target; the muscles were left out", name) != 0 ||
		    anim_diagnostics_name(diagnostics, error, "%s", name) != 0)
			return -1;
	}
	return 0;
}

static bool is_moved(const struct retarget_humanoid *h, enum anim_human_bone bone)
{
	return h->moved[bone][0] || h->moved[bone][1] || h->moved[bone][2];
}

static int read_column(struct retarget_humanoid *h, unsigned column, size_t first, size_t count, double *out,
		       struct anim_error *error)
{
	return anim_spool_copy(&h->spool, h->places[column] + first * sizeof *out, out, count * sizeof *out, error);
}

/* The angles of a bone at some samples. */
static int read_angles(struct retarget_humanoid *h, enum anim_human_bone bone, size_t first, size_t count,
		       double (*out)[AXES], struct anim_error *error)
{
	double values[BLOCK];

	memset(out, 0, count * sizeof *out);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++)
		for (unsigned i = 0; i < AXES && h->mover[b] == bone; i++) {
			if (!h->known[b * AXES + i])
				continue;
			if (read_column(h, b * AXES + i, first, count, values, error) != 0)
				return -1;
			for (size_t k = 0; k < count; k++)
				out[k][i] += anim_muscle_angle(&h->target.body.bones[b].joint, (enum anim_human_bone)b,
							       i, values[k]);
		}
	return 0;
}

/* Return the bone that takes a part of a bone's twist in this clip, or ANIM_HUMAN_BONES. */
static enum anim_human_bone twists(const struct retarget_humanoid *h, enum anim_human_bone bone)
{
	enum anim_human_bone below = anim_muscle_twists(&h->target.body, bone);

	return below != ANIM_HUMAN_BONES && h->moved[bone][0] && is_moved(h, below) ? below : ANIM_HUMAN_BONES;
}

/* Rotations of a bone relative to the node right above it, at `count` samples. */
static int read_locals(struct retarget_humanoid *h, enum anim_human_bone bone, size_t first, size_t count,
		       struct anim_error *error)
{
	double(*locals)[4] = (double(*)[4])(void *)h->locals.data;
	int parent = h->target.body.bones[bone].joint.parent;
	bool takes = parent >= 0 && twists(h, (enum anim_human_bone)parent) == bone;
	double own = twists(h, bone) != ANIM_HUMAN_BONES ? 1 - h->target.body.bones[bone].joint.twist : 1;
	double taken = takes ? h->target.body.bones[parent].joint.twist : 0;
	double angles[BLOCK][AXES], above[BLOCK][AXES];

	if (!is_moved(h, bone)) {
		for (size_t k = 0; k < count; k++)
			memcpy(locals[k * ANIM_HUMAN_BONES + bone], h->target.body.bones[bone].rest, sizeof *locals);
		return 0;
	}
	if (read_angles(h, bone, first, count, angles, error) != 0 ||
	    (takes && read_angles(h, (enum anim_human_bone)parent, first, count, above, error) != 0))
		return -1;
	for (size_t k = 0; k < count; k++) {
		angles[k][0] *= own;
		anim_muscle_rotation(&h->target.body, bone, angles[k], takes ? taken * above[k][0] : 0,
				     locals[k * ANIM_HUMAN_BONES + bone]);
	}
	return 0;
}

/* Convert from the root's space to the space of the hips' parent. */
static void place_hips(const struct retarget_humanoid *h, double place[3], double turn[4])
{
	double at[3], back[4];

	anim_quat_rotate_double(at, h->target.root_turn, place);
	anim_vec3_add(at, h->target.root_place, 1);
	retarget_mirror_place(&h->target, at);
	for (unsigned i = 0; i < 3; i++)
		place[i] =
		    h->back.offset[i] + h->back.m[i][0] * at[0] + h->back.m[i][1] * at[1] + h->back.m[i][2] * at[2];
	anim_quat_conjugate_double(back, h->hips_above);
	anim_quat_multiply_double(turn, h->target.root_turn, turn);
	retarget_mirror_rotation(&h->target, turn);
	anim_quat_multiply_double(turn, back, turn);
}

/* ---- Blocks: all bones at some samples, which the spool keeps until each bone's track is made ---- */

#define TRACK_FLOATS (4 * (size_t)BLOCK) /* of one track in a block, also for places, which have an unused number */

static size_t block_floats(const struct retarget_humanoid *h)
{
	return h->sent_count * TRACK_FLOATS;
}

static bool has_roots(const struct retarget_humanoid *h, unsigned first, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (h->known[MUSCLES + first + i])
			return true;
	return false;
}

static int make_block(struct retarget_humanoid *h, size_t first, size_t count, float *out, struct anim_error *error)
{
	double(*locals)[4] = (double(*)[4])(void *)h->locals.data;
	double roots[ROOTS][BLOCK];
	const bool rooted = has_roots(h, 0, ROOTS);

	for (unsigned i = 0; i < h->target.body.count; i++)
		if (read_locals(h, h->target.body.order[i], first, count, error) != 0)
			return -1;
	/* without curves, RootT is 0, and RootQ does not rotate */
	for (unsigned i = 0; i < ROOTS; i++) {
		for (size_t k = 0; k < count; k++)
			roots[i][k] = i == ROOTS - 1 ? 1 : 0;
		if (h->known[MUSCLES + i] && read_column(h, MUSCLES + i, first, count, roots[i], error) != 0)
			return -1;
	}
	for (size_t k = 0; k < count; k++) {
		double(*own)[4] = locals + k * ANIM_HUMAN_BONES;
		const double at[3] = {roots[0][k], roots[1][k], roots[2][k]};
		const double q[4] = {roots[3][k], roots[4][k], roots[5][k], roots[6][k]};
		double place[4] = {0}, turn[4];

		if (rooted)
			anim_muscle_hips(&h->target.body, own, at, q, place, turn);
		for (unsigned i = 0; i < h->target.body.count; i++)
			retarget_mirror_rotation(&h->target, own[h->target.body.order[i]]);
		if (rooted) {
			place_hips(h, place, turn);
			memcpy(own[ANIM_BONE_HIPS], turn, sizeof turn);
		}
		for (unsigned t = 0; t < h->sent_count; t++) {
			const double *value = h->sent[t] == PLACE ? place : own[h->sent[t]];

			for (unsigned i = 0; i < 4; i++)
				out[t * TRACK_FLOATS + 4 * k + i] = (float)value[i];
		}
	}
	return 0;
}

/* Write all blocks to the spool. *place is the position of the first. */
static int make_blocks(struct retarget_humanoid *h, uint64_t *place, struct anim_error *error)
{
	float *block;

	h->values.size = h->locals.size = 0;
	block = anim_buffer_extend(&h->values, block_floats(h) * sizeof *block, error);
	if (block == NULL ||
	    anim_buffer_extend(&h->locals, (size_t)BLOCK * ANIM_HUMAN_BONES * 4 * sizeof(double), error) == NULL)
		return -1;
	memset(block, 0, block_floats(h) * sizeof *block);
	memset(h->locals.data, 0, h->locals.size);
	*place = anim_spool_size(&h->spool);
	if (anim_spool_begin(&h->spool, (h->grid.count + BLOCK - 1) / BLOCK * block_floats(h) * sizeof *block, error) !=
	    0)
		return -1;
	for (size_t first = 0; first < h->grid.count; first += BLOCK) {
		size_t count = h->grid.count - first < BLOCK ? h->grid.count - first : BLOCK;

		if (make_block(h, first, count, block, error) != 0 ||
		    anim_spool_append(&h->spool, block, block_floats(h) * sizeof *block, error) != 0)
			return -1;
	}
	return 0;
}

/* ---- Tracks ---- */

/* Return how far sample k is from the straight way between two others, in degrees or units. */
static double off_way(const float *values, bool places, size_t from, size_t to, size_t k)
{
	const double weight = (double)(k - from) / (double)(to - from);
	const float *a = values + 4 * from, *b = values + 4 * to, *own = values + 4 * k;
	double squares = 0;
	float way[4];

	if (!places) {
		anim_quat_slerp(way, a, b, (float)weight);
		return (double)anim_quat_angle(way, own) * (180 / ANIM_PI);
	}
	for (unsigned i = 0; i < 3; i++) {
		double off = (double)a[i] + weight * ((double)b[i] - (double)a[i]) - (double)own[i];

		squares += off * off;
	}
	return sqrt(squares);
}

/*
 * Mark the samples between two others that need keys: the middle, until the error is small. Curves can have corners, so half
 * of the time may still have half of the error `before`, and a single sample may show half of it.
 */
static void mark_keys(const float *values, bool places, size_t from, size_t to, double limit, double before,
		      uint8_t *marks, double *worst)
{
	const size_t middle = from + (to - from) / 2;
	double off = to - from > 1 ? 0 : before / 2;

	for (size_t k = from + 1; k < to; k++)
		off = fmax(off, off_way(values, places, from, to, k) / (to - from > 2 ? MEASURED : 0.5));
	if (off <= limit || middle == from) {
		*worst = fmax(*worst, off);
		return;
	}
	marks[middle] = 1;
	mark_keys(values, places, from, middle, limit, off, marks, worst);
	mark_keys(values, places, middle, to, limit, off, marks, worst);
}

/*
 * Make one of the tracks from the blocks in the spool. It is sampled at the clip's rate if that needs no more keys, and if the
 * clip ends at a sample. The track is valid until the next call. Returns 0 or -1.
 */
static int make_track(struct retarget_humanoid *h, uint64_t blocks, unsigned number, struct anim_track *track,
		      struct anim_error *error)
{
	const bool places = h->sent[number] == PLACE;
	const unsigned numbers = places ? 3 : 4;
	const double limit = places ? LENGTH * h->target.body.scale : DEGREES;
	const size_t last = h->grid.count - 1;
	double times[BLOCK];
	float *values, *keys;
	uint8_t *marks;

	*track = (struct anim_track){.kind = ANIM_RAW,
				     .type = places ? ANIM_FLOAT3 : ANIM_FLOATQ,
				     .rules = ANIM_RULES_PLAIN,
				     .node = ".",
				     .property = places ? "position" : "rotation",
				     .component = ANIM_WHOLE,
				     .interp = ANIM_LINEAR};
	h->values.size = h->keys.size = h->marks.size = 0;
	values = anim_buffer_extend(&h->values, (h->grid.count + BLOCK) * 4 * sizeof *values, error);
	keys = anim_buffer_extend(&h->keys, h->grid.count * sizeof *keys, error);
	marks = anim_buffer_extend(&h->marks, h->grid.count, error);
	if (values == NULL || keys == NULL || marks == NULL)
		return -1;
	for (size_t first = 0; first < h->grid.count; first += BLOCK) {
		size_t block = first / BLOCK * block_floats(h) + number * TRACK_FLOATS;

		if (anim_spool_copy(&h->spool, blocks + block * sizeof *values, values + 4 * first,
				    TRACK_FLOATS * sizeof *values, error) != 0)
			return -1;
	}
	/* the sign of quaternions follows the one before */
	for (size_t k = 1; k < h->grid.count && !places; k++) {
		float *own = values + 4 * k;
		const bool other = anim_quat_dot(own - 4, own) < 0;

		for (unsigned i = 0; i < 4 && other; i++)
			own[i] = -own[i];
	}

	/* Choose the keys among the samples: all at the clip's rate, and more between them if necessary. */
	memset(marks, 0, h->grid.count);
	marks[last] = 1;
	for (size_t k = 0; k < last; k += h->parts) {
		marks[k] = 1;
		mark_keys(values, places, k, k + h->parts < last ? k + h->parts : last, limit, 0, marks,
			  &h->worst[places]);
	}
	for (size_t k = 0; k <= last; k++)
		track->n += marks[k];
	for (size_t k = 0, kept = 0; k < h->grid.count; k++) {
		if (k % BLOCK == 0)
			anim_grid_times(&h->grid, k, h->grid.count - k < BLOCK ? h->grid.count - k : BLOCK, times);
		if (!marks[k])
			continue;
		keys[kept] = (float)times[k % BLOCK];
		memmove(values + numbers * kept++, values + 4 * k, numbers * sizeof *values);
	}
	track->value = values;
	if (track->n == h->coarse.count && !h->coarse.past_end) {
		track->start_s = h->coarse.start_s;
		track->step_s = h->coarse.step_s;
		track->rate_num = h->coarse.rate_num;
		track->rate_den = h->coarse.rate_den;
	} else {
		track->kind = ANIM_CURVE;
		track->time = keys;
	}
	return 0;
}

int retarget_humanoid_finish(struct retarget_humanoid *h, retarget_send *send, void *context, struct anim_error *error)
{
	uint64_t blocks;

	if (!h->has)
		return 0;
	h->has = false;
	if (!h->made && (retarget_body_make(&h->target, error) != 0 || find_way_back(h, error) != 0))
		return -1;
	h->made = true;
	if (h->others > 0 &&
	    anim_diagnostics_warn(
		h->options->diagnostics, "humanoid clip", error,
		"translations of bones (TDOF), MotionT and MotionQ are not supported and were left out" ANIM_DETAIL
		" (%zu curves)",
		h->others) != 0)
		return -1;

	/* Find the bones that the clip's muscles move. If the target lacks a bone, its muscles move another bone. */
	memset(h->moved, 0, sizeof h->moved);
	for (unsigned b = 0; b < ANIM_HUMAN_BONES; b++) {
		enum anim_human_bone mover = (enum anim_human_bone)b;

		while (mover != ANIM_HUMAN_BONES && !h->target.body.bones[mover].joint.known)
			mover = anim_muscle_instead(mover);
		h->mover[b] = mover;
		for (unsigned i = 0; i < AXES && mover != ANIM_HUMAN_BONES; i++)
			h->moved[mover][i] = h->moved[mover][i] || h->known[b * AXES + i];
	}

	/* Choose the tracks: the hips' place and rotation if the clip has the body's, and bones that muscles move. */
	h->sent_count = 0;
	if (has_roots(h, 0, 3))
		h->sent[h->sent_count++] = PLACE;
	for (unsigned i = 0; i < h->target.body.count; i++) {
		enum anim_human_bone bone = h->target.body.order[i];

		if (is_moved(h, bone) || (bone == ANIM_BONE_HIPS && has_roots(h, 0, ROOTS)))
			h->sent[h->sent_count++] = bone;
	}
	if (report_lacking(h, error) != 0 || make_blocks(h, &blocks, error) != 0)
		return -1;
	for (unsigned number = 0; number < h->sent_count; number++) {
		const unsigned bone = h->sent[number] == PLACE ? ANIM_BONE_HIPS : h->sent[number];
		struct anim_track track;

		if (make_track(h, blocks, number, &track, error) != 0 ||
		    send(context, &track, h->target.plan.to.bones[bone], error) != 0)
			return -1;
	}
	return anim_diagnostics_note(
	    h->options->diagnostics, NULL, error,
	    "between its keys, rotations are at most %.2g degrees off, and the hips %.2g %% of their height",
	    h->worst[0], 100 * h->worst[1] / h->target.body.scale);
}
