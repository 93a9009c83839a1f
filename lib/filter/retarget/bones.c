/* bones.c: converts rotations of bones and the position of the hips to the muscles of Unity's humanoid clips. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "filter/bake.h"
#include "filter/filter.h"
#include "filter/resample.h"
#include "filter/retarget/body.h"
#include "filter/retarget/fold.h"
#include "filter/retarget/humanoid.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "math/vector.h"

#define RATE 60 /* samples a second of clips that have no rate */
#define BLOCK 64
#define NUMBERS_OF_PLACEMENT 7 /* three of a place, four of a rotation */
#define COLUMNS (95 + (1 + ANIM_MUSCLE_GOALS) * NUMBERS_OF_PLACEMENT)
#define LOST 0.5 /* degrees: smaller differences from the wanted rotations are not reported */

/* Units of curves: results of rounding, which are 0, and the range of curves that do not move. */
#define NOISE 1e-9
#define STILL 1e-6F

#define SETTINGS "unity.m_AnimationClipSettings."

/* A curve of the new clip, and the number of the pose that it has. */
struct column {
	char name[48];
	const char *kind;     /* the attribute unity.humanoid */
	const double *number; /* an angle of a muscle, or the value itself */
	enum anim_human_bone bone;
	unsigned axis;
	bool muscle;
};

enum site {
	SITE_OTHER,   /* the node moves no bone of a human */
	SITE_BONE,    /* a bone of a human */
	SITE_BETWEEN, /* between two such bones */
	SITE_STEM     /* the hips or a node above them, which places the whole body */
};

/*
 * Two filters with the baking filter between them. The front divides the tracks. Tracks that move bones are baked, and the
 * others wait in a store. The back, this struct, collects the samples of the bones and writes the clip at its end.
 */
struct bones {
	struct anim_filter filter;
	struct anim_retarget_options options; /* `to` is the skeleton, and the map is in the body */
	struct anim_skeleton own;             /* the stream's tree */
	struct anim_sink *own_sink;
	struct retarget_body source;
	bool made;                /* the source is known, and the members below */
	uint8_t *sites;           /* enum site of each node */
	uint32_t *inside, *slots; /* the nodes that are not SITE_OTHER, and their number in that list */
	size_t inside_count;
	/* Clips and their other tracks that are not written yet. */
	struct anim_store *others;
	size_t clip; /* the number of the current clip in that store */
	bool in_clip;
	size_t samples; /* of the current clip (0: no bone moves) */
	bool *touched;  /* nodes with a track */
	struct anim_grid grid;
	struct anim_muscle_pose pose;
	struct column columns[COLUMNS];
	unsigned column_count;
	bool selected[ANIM_HUMAN_BONES], rooted; /* bones whose muscles are written, and whether the body is written */
	struct anim_spool spool;                 /* for each block, for each column: its samples */
	struct anim_buffer rotations, block, values, keys;
	struct anim_buffer hinges; /* struct anim_muscle_hinge of each limb at each sample, a limb after the other */
	double worst[ANIM_HUMAN_BONES]; /* `off` in all clips so far */
	struct anim_arena arena;        /* as long as the source is known */
};

static struct anim_poses *poses_of(const struct bones *b)
{
	return &b->options.to->poses;
}

static const struct retarget_side *side_of(const struct bones *b)
{
	return &b->source.plan.to;
}

/* ---- The source ---- */

/* Find the bones of the source, and sort the nodes by their effect on the body. */
static int make_source(struct bones *b, struct anim_error *error)
{
	const struct retarget_side *side = side_of(b);

	if (b->made)
		return 0;
	b->made = true;
	if (retarget_body_make(&b->source, error) != 0)
		return -1;
	b->sites = anim_arena_zeroed(&b->arena, side->count + 1, sizeof *b->sites, error);
	b->inside = anim_arena_zeroed(&b->arena, side->count + 1, sizeof *b->inside, error);
	b->slots = anim_arena_zeroed(&b->arena, side->count + 1, sizeof *b->slots, error);
	b->touched = anim_arena_zeroed(&b->arena, side->count + 1, sizeof *b->touched, error);
	if (b->sites == NULL || b->inside == NULL || b->slots == NULL || b->touched == NULL)
		return -1;
	for (unsigned bone = 0; bone < ANIM_HUMAN_BONES; bone++)
		for (uint32_t n = side->bones[bone]; n != ANIM_POSE_NONE; n = anim_poses_parent(poses_of(b), n))
			b->sites[n] = SITE_BETWEEN;
	for (unsigned bone = 0; bone < ANIM_HUMAN_BONES; bone++)
		if (side->bones[bone] != ANIM_POSE_NONE)
			b->sites[side->bones[bone]] = SITE_BONE;
	for (uint32_t n = side->bones[ANIM_BONE_HIPS]; n != ANIM_POSE_NONE; n = anim_poses_parent(poses_of(b), n))
		b->sites[n] = SITE_STEM;
	b->inside_count = 0;
	for (uint32_t n = 0; n < side->count; n++)
		if (b->sites[n] != SITE_OTHER) {
			b->slots[n] = (uint32_t)b->inside_count;
			b->inside[b->inside_count++] = n;
		}
	return 0;
}

/* ---- Samples of bones ---- */

static int read_part(struct bones *b, uint32_t node, enum anim_pose_part part, size_t first, size_t count,
		     const float *rest, unsigned numbers, float *out, struct anim_error *error)
{
	const float *values;

	if (anim_poses_column(poses_of(b), node, part, first, count, &values, error) != 0)
		return -1;
	for (size_t k = 0; k < count; k++)
		memcpy(out + k * numbers, values != NULL ? values + k * numbers : rest, numbers * sizeof *out);
	return 0;
}

/* Compute the transforms of the hips in the tree's space, at some samples, from the nodes above them. */
static int read_hips(struct bones *b, size_t first, size_t count, double (*out)[ANIM_POSE_NUMBERS],
		     struct anim_error *error)
{
	float places[3 * BLOCK], rotations[4 * BLOCK], scales[3 * BLOCK];
	bool begun = false;

	for (size_t i = 0; i < b->inside_count; i++) {
		uint32_t node = b->inside[i];
		const struct anim_rest *rest = retarget_rest(side_of(b), node);

		if (b->sites[node] != SITE_STEM)
			continue;
		if (read_part(b, node, ANIM_POSE_POSITION, first, count, rest->position, 3, places, error) != 0 ||
		    read_part(b, node, ANIM_POSE_ROTATION, first, count, rest->rotation, 4, rotations, error) != 0 ||
		    read_part(b, node, ANIM_POSE_SCALE, first, count, rest->scale, 3, scales, error) != 0)
			return -1;
		for (size_t k = 0; k < count; k++) {
			double own[ANIM_POSE_NUMBERS];

			anim_pose_compose(own, places + 3 * k, rotations + 4 * k, scales + 3 * k);
			if (begun)
				anim_pose_multiply(own, out[k], own);
			memcpy(out[k], own, sizeof own);
		}
		begun = true;
	}
	return 0;
}

/* ---- Poses ---- */

/* Set the wanted pose of the body at sample k of a block, in the root's space. */
static void set_pose(struct bones *b, size_t k, const double hips[ANIM_POSE_NUMBERS])
{
	const struct retarget_body *source = &b->source;
	const double(*rotations)[4] = (const double(*)[4])(const void *)b->rotations.data;
	double back[4];

	for (unsigned i = 0; i < source->body.count; i++) {
		enum anim_human_bone bone = source->body.order[i];

		memcpy(b->pose.wanted[bone], rotations[b->slots[source->plan.to.bones[bone]] * BLOCK + k],
		       sizeof b->pose.wanted[bone]);
	}
	anim_quat_conjugate_double(back, source->root_turn);
	for (unsigned i = 0; i < 3; i++)
		b->pose.hips[i] = hips[4 * i + 3];
	retarget_mirror_place(source, b->pose.hips);
	anim_vec3_subtract(b->pose.hips, b->pose.hips, source->root_place);
	anim_quat_rotate_double(b->pose.hips, back, b->pose.hips);
}

/* Let the sign of a rotation follow the pose before, because its four numbers are curves. */
static void follow(struct anim_muscle_placement *now, const double before[4])
{
	double dot = 0;

	for (unsigned i = 0; i < 4; i++)
		dot += now->turn[i] * before[i];
	for (unsigned i = 0; i < 4 && dot < 0; i++)
		now->turn[i] = -now->turn[i];
}

static struct anim_muscle_hinge *hinges_of(struct bones *b, unsigned limb, size_t k)
{
	return (struct anim_muscle_hinge *)(void *)b->hinges.data + limb * b->samples + k;
}

/* Solve the pose of a sample, and put the numbers of its columns into a block, BLOCK apart. */
static void solve_sample(struct bones *b, size_t sample, float *out)
{
	const struct anim_muscle_body *body = &b->source.body;

	for (unsigned limb = 0; limb < ANIM_MUSCLE_LIMBS; limb++)
		b->pose.hinges[limb] = *hinges_of(b, limb, sample);
	anim_muscle_solve(body, &b->pose);
	if (b->rooted) {
		struct anim_muscle_placement root = b->pose.root, goals[ANIM_MUSCLE_GOALS];

		memcpy(goals, b->pose.goals, sizeof goals);
		anim_muscle_place(body, &b->pose);
		follow(&b->pose.root, root.turn);
		for (unsigned i = 0; i < ANIM_MUSCLE_GOALS; i++)
			follow(&b->pose.goals[i], goals[i].turn);
	}
	/* the twist of shoulders, which have no such muscle, is in the upper arms */
	for (unsigned bone = 0; bone < ANIM_HUMAN_BONES; bone++)
		if ((bone < ANIM_BONE_SHOULDER || bone >= ANIM_BONE_UPPER_ARM) && b->selected[bone])
			b->worst[bone] = fmax(b->worst[bone], b->pose.off[bone]);
	for (unsigned c = 0; c < b->column_count; c++) {
		const struct column *column = &b->columns[c];
		double number = *column->number;

		if (column->muscle)
			number =
			    anim_muscle_value(&body->bones[column->bone].joint, column->bone, column->axis, number);
		out[c * BLOCK] = isfinite(number) && fabs(number) >= NOISE ? (float)number : 0;
	}
}

/* Go through all samples. `block`: write their numbers into it and append it to the spool. NULL: only keep their hinges. */
static int go_through(struct bones *b, float *block, struct anim_error *error)
{
	double hips[BLOCK][ANIM_POSE_NUMBERS];

	memset(&b->pose, 0, sizeof b->pose);
	b->pose.root.turn[3] = 1;
	b->pose.chosen = block != NULL;
	for (size_t first = 0; first < b->samples; first += BLOCK) {
		size_t count = b->samples - first < BLOCK ? b->samples - first : BLOCK;

		/* Compute the rotations of all nodes that matter in the root's space, at some samples. */
		double(*rotations)[4] = (double(*)[4])(void *)b->rotations.data, back[4];
		const float *values;

		anim_quat_conjugate_double(back, b->source.root_turn);
		for (size_t i = 0; i < b->inside_count; i++) {
			uint32_t node = b->inside[i], parent = anim_poses_parent(poses_of(b), node);
			const float *rest = retarget_rest(side_of(b), node)->rotation;
			double(*own)[4] = rotations + i * BLOCK;
			const double(*above)[4] =
			    parent == ANIM_POSE_NONE
				? NULL
				: (const double(*)[4])(rotations + (size_t)b->slots[parent] * BLOCK);

			if (anim_poses_column(poses_of(b), node, ANIM_POSE_ROTATION, first, count, &values, error) != 0)
				return -1;
			for (size_t k = 0; k < count; k++) {
				double turn[4];

				anim_quat_unit_double(turn, values != NULL ? values + 4 * k : rest);
				retarget_mirror_rotation(&b->source, turn);
				anim_quat_product(own[k], above == NULL ? back : above[k], turn);
			}
		}
		if (read_hips(b, first, count, hips, error) != 0)
			return -1;

		for (size_t k = 0; k < count; k++) {
			set_pose(b, k, hips[k]);
			if (block != NULL) {
				solve_sample(b, first + k, block + k);
				continue;
			}
			anim_muscle_solve(&b->source.body, &b->pose);
			for (unsigned limb = 0; limb < ANIM_MUSCLE_LIMBS; limb++)
				*hinges_of(b, limb, first + k) = b->pose.hinges[limb];
		}
		if (block != NULL && anim_spool_append(&b->spool, block, b->block.size, error) != 0)
			return -1;
	}
	return 0;
}

/* Compute the curves of all samples, in blocks in the spool. Returns 0 or -1. */
static int make_blocks(struct bones *b, struct anim_error *error)
{
	const size_t block_floats = (size_t)b->column_count * BLOCK;
	double *times;
	float *block;

	b->rotations.size = b->block.size = b->hinges.size = 0;
	if (anim_buffer_extend(&b->rotations, b->inside_count * BLOCK * 4 * sizeof(double), error) == NULL ||
	    anim_buffer_extend(&b->hinges, b->samples * ANIM_MUSCLE_LIMBS * sizeof(struct anim_muscle_hinge), error) ==
		NULL ||
	    (block = anim_buffer_extend(&b->block, block_floats * sizeof *block, error)) == NULL)
		return -1;
	memset(block, 0, block_floats * sizeof *block);
	anim_spool_truncate(&b->spool, 0);
	if (anim_spool_begin(&b->spool, (b->samples + BLOCK - 1) / BLOCK * block_floats * sizeof *block, error) != 0)
		return -1;
	if (go_through(b, NULL, error) != 0)
		return -1;

	/* Let the twists of all limbs follow each other. */
	b->values.size = 0;
	times = anim_buffer_extend(&b->values, b->samples * 5 * sizeof *times, error);
	if (times == NULL)
		return -1;
	anim_grid_times(&b->grid, 0, b->samples, times);
	for (unsigned limb = 0; limb < ANIM_MUSCLE_LIMBS; limb++)
		anim_muscle_smooth(hinges_of(b, limb, 0), times, b->samples, times + b->samples);
	return go_through(b, block, error);
}

/* ---- The curves of a clip ---- */

/* Return whether the clip moves the node of a bone, or a node between it and the bone above. */
static bool is_animated(const struct bones *b, enum anim_human_bone bone)
{
	int above = b->source.body.bones[bone].joint.parent;
	uint32_t end = above < 0 ? ANIM_POSE_NONE : side_of(b)->bones[above];

	for (uint32_t n = side_of(b)->bones[bone]; n != end && n != ANIM_POSE_NONE;
	     n = anim_poses_parent(poses_of(b), n))
		if (b->touched[n])
			return true;
	return false;
}

static struct column *add_column(struct bones *b, const char *kind, const double *number)
{
	struct column *column = &b->columns[b->column_count++];

	*column = (struct column){.kind = kind, .number = number};
	return column;
}

/* Add the seven curves of a place and a rotation. */
static void add_placement(struct bones *b, const char *name, const char *kind,
			  const struct anim_muscle_placement *placement)
{
	for (unsigned i = 0; i < NUMBERS_OF_PLACEMENT; i++) {
		struct column *column = add_column(b, kind, i < 3 ? &placement->place[i] : &placement->turn[i - 3]);

		snprintf(column->name, sizeof column->name, "%s%c.%c", name, i < 3 ? 'T' : 'Q',
			 "xyzw"[i < 3 ? i : i - 3]);
	}
}

static int send_column(struct bones *b, unsigned number, struct anim_error *error)
{
	const struct column *column = &b->columns[number];
	const struct anim_attr attrs[] = {{"unity.class", "95"}, {"unity.humanoid", column->kind}};
	struct anim_track track = {.kind = ANIM_RAW,
				   .type = ANIM_FLOAT,
				   .rules = ANIM_RULES_PLAIN,
				   .node = ".",
				   .property = column->name,
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = b->samples,
				   .start_s = b->grid.start_s,
				   .step_s = b->grid.step_s,
				   .rate_num = b->grid.rate_num,
				   .rate_den = b->grid.rate_den,
				   .attrs = {attrs, sizeof attrs / sizeof *attrs}};
	float *values, *times;
	bool still;

	b->values.size = b->keys.size = 0;
	values = anim_buffer_extend(&b->values, b->samples * sizeof *values, error);
	times = anim_buffer_extend(&b->keys, b->samples * sizeof *times, error);
	if (values == NULL || times == NULL)
		return -1;

	/* Copy the samples of a column. still is set if they are all equal, except for rounding. */
	for (size_t first = 0; first < b->samples; first += BLOCK) {
		size_t count = b->samples - first < BLOCK ? b->samples - first : BLOCK;
		uint64_t at = ((uint64_t)(first / BLOCK) * b->column_count + number) * BLOCK * sizeof *values;

		if (anim_spool_copy(&b->spool, at, values + first, count * sizeof *values, error) != 0)
			return -1;
	}
	still = true;
	for (size_t k = 1; k < b->samples && still; k++)
		still = fabsf(values[k] - values[0]) < STILL;

	track.value = values;
	if (still || b->grid.past_end) {
		/* Fill the times of all samples, of which the last is at the clip's end. */
		double t[BLOCK];

		for (size_t k = 0; k < b->grid.count; k++) {
			if (k % BLOCK == 0)
				anim_grid_times(&b->grid, k, b->grid.count - k < BLOCK ? b->grid.count - k : BLOCK, t);
			times[k] = (float)t[k % BLOCK];
		}

		track.kind = ANIM_CURVE;
		track.n = still ? 1 : b->samples;
		track.time = times;
		track.start_s = track.step_s = 0;
		track.rate_num = track.rate_den = 0;
	}
	return anim_sink_track(b->filter.next, &track, error);
}

/* ---- Clips ---- */

/*
 * Set the settings that make Unity show the body in the place of the bones. A clip of bones has no use for them, so their
 * values in the source mean nothing.
 */
static int dress_head(struct bones *b, struct anim_clip *head, struct anim_error *error)
{
	static const struct anim_attr settings[] = {{SETTINGS "m_LoopBlendOrientation", "1"},
						    {SETTINGS "m_LoopBlendPositionY", "1"},
						    {SETTINGS "m_LoopBlendPositionXZ", "1"},
						    {SETTINGS "m_KeepOriginalOrientation", "1"},
						    {SETTINGS "m_KeepOriginalPositionY", "1"},
						    {SETTINGS "m_KeepOriginalPositionXZ", "1"},
						    {SETTINGS "m_HeightFromFeet", NULL},
						    {SETTINGS "m_Level", NULL},
						    {SETTINGS "m_Mirror", NULL},
						    {SETTINGS "m_OrientationOffsetY", NULL},
						    {"unity.m_HasGenericRootTransform", NULL},
						    {"unity.m_Legacy", NULL}};

	head->rate_num = b->grid.rate_num;
	head->rate_den = b->grid.rate_den;
	head->record = NULL;
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (anim_attrs_with(&head->attrs, &head->attrs, settings[i].key, settings[i].value,
				    &b->filter.clip_arena, error) != 0)
			return -1;
	return 0;
}

/*
 * Send the clip and its other tracks. Clips of bones can have curves of the same names, with the motion of their root,
 * which the new curves replace.
 */
static int send_others(struct bones *b, const struct anim_clip *head, struct anim_error *error)
{
	struct anim_track track;

	if (b->column_count == 0)
		return anim_store_replay(b->others, b->clip, head, b->filter.next, error);
	if (anim_sink_clip(b->filter.next, head, error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_tracks(b->others, b->clip); i++)
		if (anim_store_read(b->others, b->clip, i, &track, error) != 0 ||
		    (!retarget_is_humanoid_curve(&track) && anim_sink_track(b->filter.next, &track, error) != 0))
			return -1;
	return 0;
}

/* Report a clip that moves no bone. It may be humanoid already, for example. */
static int report_unmoved(struct bones *b, const char *name, struct anim_error *error)
{
	struct anim_diagnostics *diagnostics = b->options.diagnostics;
	struct anim_track track;
	bool moves = false, humanoid = false;

	for (size_t i = 0; i < anim_store_tracks(b->others, b->clip) && !moves; i++) {
		if (anim_store_read(b->others, b->clip, i, &track, error) != 0)
			return -1;
		moves = retarget_role_of(&track) != ROLE_OTHER;
		humanoid = humanoid || retarget_is_humanoid_curve(&track);
	}
	if (moves)
		return anim_diagnostics_warn(diagnostics, "clip", error,
					     "'%s': unchanged, because no bone of a human moves", name);
	if (humanoid)
		return anim_diagnostics_note(diagnostics, "clip", error, "'%s': humanoid already; unchanged", name);
	return anim_diagnostics_note(diagnostics, "clip", error, "'%s': unchanged, because no bones move", name);
}

static int finish_clip(struct bones *b, struct anim_error *error)
{
	struct anim_clip head;

	if (!b->in_clip)
		return 0;
	b->in_clip = false;
	head = *anim_store_clip(b->others, b->clip);
	b->column_count = 0;

	/* Compute the muscles of the current clip. */
	if (b->samples > 0) {
		const struct anim_clip *baked = &b->filter.clip;

		if (anim_poses_ready(poses_of(b), error) != 0 ||
		    anim_grid_of_clip(&b->grid, &head, baked->rate_num, baked->rate_den, ANIM_END_COVER, error) != 0)
			return -1;
		assert(b->grid.count == b->samples);

		static const char *const goals[ANIM_MUSCLE_GOALS] = {"LeftFoot", "RightFoot", "LeftHand", "RightHand"};

		/*
		 * Choose the bones whose muscles are written. Muscles without curves are 0 in Unity, and the place of
		 * the body as well, so a clip that moves hips, spine or legs gets all of the body. Other clips, such as
		 * of hands, get the bones that they move.
		 */
		const struct anim_muscle_body *body = &b->source.body;

		memset(b->selected, 0, sizeof b->selected);
		b->rooted = false;
		for (unsigned bone = 0; bone < ANIM_HUMAN_BONES; bone++) {
			b->selected[bone] = body->bones[bone].joint.known && is_animated(b, (enum anim_human_bone)bone);
			b->rooted = b->rooted || ((bone <= ANIM_BONE_UPPER_CHEST ||
						   (bone >= ANIM_BONE_UPPER_LEG && bone < ANIM_BONE_TOES)) &&
						  b->selected[bone]);
		}
		for (unsigned bone = 0; bone < ANIM_HUMAN_BONES && b->rooted; bone++)
			b->selected[bone] =
			    b->selected[bone] ||
			    ((bone < ANIM_BONE_JAW || (bone >= ANIM_BONE_SHOULDER && bone < ANIM_BONE_FINGERS)) &&
			     body->bones[bone].joint.known);
		for (unsigned bone = ANIM_BONE_UPPER_ARM; bone < ANIM_BONE_LOWER_ARM; bone++) {
			bool *arm = b->selected + bone;

			arm[0] = arm[2] = arm[4] = arm[0] || arm[2] || arm[4];
		}

		for (unsigned bone = 0; bone < ANIM_HUMAN_BONES; bone++)
			for (unsigned axis = 0; axis < 3 && b->selected[bone]; axis++) {
				struct column *column;

				if ((anim_muscle_axes((enum anim_human_bone)bone) >> axis & 1) == 0)
					continue;
				column = add_column(b, "muscle", &b->pose.angles[bone][axis]);
				column->muscle = true;
				column->bone = (enum anim_human_bone)bone;
				column->axis = axis;
				anim_muscle_name(column->bone, axis, column->name, sizeof column->name);
			}
		if (b->rooted) {
			add_placement(b, "Root", "root", &b->pose.root);
			for (unsigned i = 0; i < ANIM_MUSCLE_GOALS; i++)
				add_placement(b, goals[i], "goal", &b->pose.goals[i]);
		}

		if (make_blocks(b, error) != 0 || dress_head(b, &head, error) != 0)
			return -1;
	}

	if (b->samples == 0 && report_unmoved(b, head.name, error) != 0)
		return -1;
	if (send_others(b, &head, error) != 0)
		return -1;
	for (unsigned c = 0; c < b->column_count; c++)
		if (send_column(b, c, error) != 0)
			return -1;
	if (++b->clip < anim_store_clips(b->others))
		return 0;
	anim_store_free(b->others);
	b->others = NULL;
	b->clip = 0;
	return 0;
}

/* ---- The back ---- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct bones *b = (struct bones *)sink;

	if (finish_clip(b, error) != 0)
		return -1;
	if (b->options.to == &b->own) {
		retarget_plan_clear(&b->source.plan);
		anim_arena_reset(&b->arena);
		b->made = false;
	}
	anim_skeleton_clear(&b->own);
	return anim_sink_tree(b->own_sink, tree, error) != 0 ? -1 : anim_filter_tree(sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct bones *b = (struct bones *)sink;

	return anim_sink_node(b->own_sink, node, error) != 0 ? -1 : anim_filter_node(sink, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct bones *b = (struct bones *)sink;

	if (finish_clip(b, error) != 0 || anim_filter_keep(&b->filter, clip, error) != 0)
		return -1;
	b->in_clip = true;
	b->samples = 0;
	for (size_t i = 0; b->made && i < b->inside_count; i++)
		b->touched[b->inside[i]] = false;
	return 0;
}

static uint32_t find_node(const struct bones *b, const struct anim_clip *clip, const char *node)
{
	return b->options.to == &b->own ? anim_poses_find(poses_of(b), clip->root, node)
					: anim_poses_find_loosely(poses_of(b), clip->root, node);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct bones *b = (struct bones *)sink;
	uint32_t node = find_node(b, &b->filter.clip, track->node);

	assert(b->made && node != ANIM_POSE_NONE);

	/* Report that the bone below a node rotates in its place. Bones below then are in slightly other positions. */
	if (b->sites[node] == SITE_BETWEEN) {
		const char *name = anim_node_own_name(track->node);

		if (!retarget_stays(track, retarget_role_of(track), retarget_rest(side_of(b), node),
				    b->source.body.scale, false)) {
			if (anim_diagnostics_note(b->options.diagnostics, "bone", error,
						  "'%s': no muscle, so the next bone turns instead", name) != 0)
				return -1;
			if (anim_diagnostics_name(b->options.diagnostics, error, "%s", name) != 0)
				return -1;
		}
	}

	/* Keep the samples of a track that the baking filter made. */
	struct anim_poses *poses = poses_of(b);
	enum anim_pose_part part =
	    anim_pose_part_of(&poses->rests.items[node], track->property, anim_types[track->type].components);
	int opened;

	if (track->kind != ANIM_RAW || track->component != ANIM_WHOLE || part == ANIM_POSE_PARTS || track->n == 0 ||
	    !anim_type_is_real(track->type) || (b->samples > 0 && track->n != b->samples))
		return anim_diagnostics_track(b->options.diagnostics, track, error,
					      "left out, because the values are not vectors");
	if (b->samples == 0)
		anim_poses_begin(poses, track->n);
	b->samples = track->n;
	opened = anim_poses_open(poses, node, part, error);
	if (opened <= 0)
		return opened;
	b->touched[node] = true;
	if (track->type == ANIM_FLOATQ || track->type == ANIM_FLOAT3)
		return anim_poses_put(poses, track->value, track->n * anim_types[track->type].components, error);
	for (size_t k = 0; k < track->n; k++) {
		double value[ANIM_COMPONENTS_MAX] = {0};
		float numbers[4];

		anim_components(track->type, track->value, k, value);
		anim_components_to_float(numbers, value, 4);
		if (anim_poses_put_value(poses, node, part, numbers, anim_types[track->type].components, error) != 0)
			return -1;
	}
	return 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct bones *b = (struct bones *)sink;

	if (finish_clip(b, error) != 0)
		return -1;

	/* Report the bone whose rotations differ most from the wanted rotations. */
	unsigned worst = 0, others = 0;
	double degrees[ANIM_HUMAN_BONES];
	char more[64] = "";

	for (unsigned bone = 0; bone < ANIM_HUMAN_BONES; bone++) {
		degrees[bone] = 2 * (90 - anim_acos(b->worst[bone]) * (180 / ANIM_PI));
		worst = degrees[bone] > degrees[worst] ? bone : worst;
	}
	for (unsigned bone = 0; bone < ANIM_HUMAN_BONES; bone++)
		others += bone != worst && degrees[bone] > LOST;
	if (!(degrees[worst] <= LOST)) {
		if (others > 0)
			snprintf(more, sizeof more, ", and %u other bone%s by less", others, others == 1 ? "" : "s");
		if (anim_diagnostics_warn(b->options.diagnostics, NULL, error,
					  "no muscle reaches some rotations: %s is up to %.1f degrees off%s",
					  anim_human_bone_name((enum anim_human_bone)worst), degrees[worst], more) != 0)
			return -1;
	}
	if (anim_rests_check(&poses_of(b)->rests, error) != 0)
		return -1;

	if (b->source.map != NULL && anim_rename_map_report(b->source.map, b->options.diagnostics, error) != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct bones *b = (struct bones *)sink;

	retarget_plan_clear(&b->source.plan);
	anim_sink_free(b->own_sink);
	anim_skeleton_clear(&b->own);
	anim_store_free(b->others);
	anim_spool_clear(&b->spool);
	anim_buffer_clear(&b->rotations);
	anim_buffer_clear(&b->block);
	anim_buffer_clear(&b->values);
	anim_buffer_clear(&b->keys);
	anim_buffer_clear(&b->hinges);
	anim_arena_clear(&b->arena);
	anim_filter_free(sink);
}

/* ======== The front ======== */

struct front {
	struct anim_filter filter; /* next: the baking filter, which owns the back */
	struct bones *bones;
	bool known; /* the rest poses of the clip's nodes are known */
};

static int front_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct front *front = (struct front *)sink;
	struct bones *b = front->bones;
	struct anim_clip rated = *clip;

	front->known =
	    b->options.from != NULL || ((clip->flags & ANIM_IN_TREE) != 0 && anim_poses_count(&b->own.poses) > 0);
	if (front->known &&
	    (anim_clip_in_axes(clip, poses_of(b)->axes, "the skeleton is", error) != 0 || make_source(b, error) != 0))
		return -1;
	if (rated.rate_num == 0 || rated.rate_den == 0) {
		rated.rate_num = RATE;
		rated.rate_den = 1;
		rated.record = NULL;
	}

	/* Put a clip into the store, after the baking filter has finished the clip before. */
	return anim_filter_keep(&front->filter, clip, error) != 0 || anim_filter_clip(sink, &rated, error) != 0
		   ? -1
		   : (b->others == NULL && (b->others = anim_store_new(b->options.store_memory, error)) == NULL
			  ? -1
			  : anim_sink_clip(anim_store_sink(b->others), clip, error));
}

#define COARSE 100 /* times farther than rounding, 1 mm of a human: compressed clips move bones by less */

static int front_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct front *front = (struct front *)sink;
	struct bones *b = front->bones;
	enum retarget_role role = retarget_role_of(track);
	uint32_t node =
	    role == ROLE_OTHER || !front->known ? ANIM_POSE_NONE : find_node(b, &front->filter.clip, track->node);
	const enum site site = node == ANIM_POSE_NONE ? SITE_OTHER : (enum site)b->sites[node];

	if (anim_track_check_local(track, error) != 0)
		return -1;
	if (role != ROLE_OTHER && !front->known)
		return anim_track_refuse(
		    track,
		    "moves a node whose rest pose is unknown; set it with " ANIM_OPTION_TO("retarget", "from", "FILE"),
		    error);
	if (site == SITE_OTHER) {
		if (node != ANIM_POSE_NONE &&
		    retarget_stays(track, role, retarget_rest(side_of(b), node), b->source.body.scale, false))
			return 0;
		if (role != ROLE_OTHER &&
		    anim_diagnostics_note(
			b->options.diagnostics, "track", error,
			"'%s %s': no muscle moves the node, so the track stays, for a node with the same path",
			anim_node_own_name(track->node), track->property) != 0)
			return -1;
		return anim_sink_track(anim_store_sink(b->others), track, error);
	}
	if (site != SITE_STEM && (role == ROLE_POSITION || role == ROLE_SCALE)) {
		/* Report a track that has no place in a humanoid clip, if it moves. */
		const char *name = anim_node_own_name(track->node);
		int result;

		if (retarget_stays(track, role, retarget_rest(side_of(b), node), COARSE * b->source.body.scale, true))
			return 0;
		result =
		    role == ROLE_SCALE
			? anim_diagnostics_warn(b->options.diagnostics, "bone", error,
						"'%s': the scale was dropped, because humanoid clips have none", name)
			: anim_diagnostics_warn(
			      b->options.diagnostics, "bone", error,
			      "'%s': the position was dropped, because humanoid clips have rotations only", name);
		return result != 0 ? -1 : anim_diagnostics_name(b->options.diagnostics, error, "%s", name);
	}
	return anim_filter_track(sink, track, error);
}

struct anim_sink *anim_muscles_new(const struct anim_retarget_options *options, struct anim_sink *next,
				   struct anim_error *error)
{
	static const struct anim_sink_ops back_ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	static const struct anim_sink_ops front_ops = {.clip = front_clip, .track = front_track};
	const struct anim_bake_options bake = {.all = true,
					       .rests = options->from != NULL ? &options->from->poses.rests : NULL,
					       .diagnostics = options->diagnostics};
	struct bones *b = next == NULL ? NULL : anim_filter_new(sizeof *b, &back_ops, next, error);
	struct anim_sink *baker;
	struct front *front;

	if (b == NULL)
		return NULL;
	anim_skeleton_init(&b->own);
	anim_spool_init(&b->spool, options->store_memory);
	b->options = *options;
	b->options.to = options->from != NULL ? options->from : &b->own;
	b->options.map = NULL;
	b->source.plan.options = &b->options;
	b->source.is_source = true;
	b->source.map = options->map;
	b->own_sink = anim_skeleton_sink_new(&b->own, false, error);
	if (b->own_sink == NULL) {
		on_free(&b->filter.sink);
		return NULL;
	}

	baker = anim_bake_new(&bake, &b->filter.sink, error);
	front = baker == NULL ? NULL : anim_filter_new(sizeof *front, &front_ops, baker, error);
	if (front == NULL)
		return NULL;
	front->bones = b;
	return &front->filter.sink;
}
