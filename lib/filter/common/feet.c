/* feet.c: measure how far feet slide over the ground. */
#include "filter/common/feet.h"

#include <math.h>
#include <string.h>

#define FEET_NEAR 0.03 /* of the leg: a foot this close to its lowest position is on the ground, about 3 cm for a man */
#define FEET_SWING 0.01 /* of the leg: a foot this much above the other leg's foot is swinging */
#define FEET_FAST 0.5   /* of the leg in a second: a foot so much faster than the other leg's foot is swinging */
#define FEET_BRAKE 5.0  /* in a second: a foot whose speed falls by this share of itself is about to touch the ground */
#define ANKLE 0.25      /* of the leg: the largest height of an ankle */

/* A foot of the current tree. */
struct foot {
	uint32_t node, hip;
	double leg, lowest; /* the largest distance from the hip; the smallest height */
	double lift;        /* current height above the lowest */
	double x, z, speed; /* current place on the ground, and legs in a second from the place before */
	bool lands;         /* it is fast, but slowing down */
	double rest;        /* height at rest */
	bool right;
	bool toes;
};

/* Whether a node is a human upper leg. "LeftLeg" may also be the lower leg, for example below a thigh. */
enum leg { LEG_NONE, LEG_MAYBE, LEG_UPPER, LEG_GIVEN }; /* LEG_GIVEN, and + 1 on the right: the caller knows it */

static bool is_either(enum anim_human_bone bone, enum anim_human_bone left)
{
	return bone == left || bone == left + 1;
}

static struct foot *feet_of(const struct anim_feet *f, size_t *count)
{
	*count = f->feet.size / sizeof(struct foot);
	return (struct foot *)(void *)f->feet.data;
}

int anim_feet_node(struct anim_feet *f, const struct anim_node *node, const enum anim_human_bone *bone,
		   struct anim_error *error)
{
	struct anim_bone_guess guess = {.bones = {bone != NULL ? *bone : ANIM_HUMAN_BONES}};
	struct foot foot = {.node = (uint32_t)anim_poses_count(&f->posing.poses)};
	bool known = bone != NULL || anim_bone_of_name(&guess, anim_node_own_name(node->path));
	uint8_t leg = LEG_NONE;

	if (known && is_either(guess.bones[0], ANIM_BONE_UPPER_LEG))
		leg = bone != NULL     ? (uint8_t)(LEG_GIVEN + (*bone - ANIM_BONE_UPPER_LEG))
		      : guess.doubtful ? LEG_MAYBE
				       : LEG_UPPER;
	if (anim_poses_add(&f->posing.poses, node, error) != 0 ||
	    anim_buffer_append(&f->legs, &leg, sizeof leg, error) != 0)
		return -1;
	if (!known || (node->has & ANIM_HAS_2D) != 0 || /* pixels, not metres */
	    !(is_either(guess.bones[0], ANIM_BONE_FOOT) || is_either(guess.bones[0], ANIM_BONE_TOES)))
		return 0;
	/* The upper leg above the foot is the nearest certain one, otherwise the farthest possible one. */
	foot.hip = ANIM_POSE_NONE;
	for (uint32_t n = foot.node; n != ANIM_POSE_NONE; n = anim_poses_parent(&f->posing.poses, n)) {
		if (f->legs.data[n] != LEG_NONE)
			foot.hip = n;
		if (f->legs.data[n] >= LEG_UPPER)
			break;
	}
	foot.toes = is_either(guess.bones[0], ANIM_BONE_TOES);
	foot.rest = anim_poses_at(&f->posing.poses, foot.node, 0)[7]; /* no clip moves it yet */
	foot.right = (guess.bones[0] - ANIM_BONE_FOOT) % 2 != 0;
	return foot.hip == ANIM_POSE_NONE && bone == NULL ? 0 : anim_buffer_append(&f->feet, &foot, sizeof foot, error);
}

void anim_feet_tree(struct anim_feet *f)
{
	anim_poses_clear(&f->posing.poses);
	f->feet.size = f->legs.size = 0;
}

void anim_feet_clip(struct anim_feet *f, const struct anim_clip *clip)
{
	size_t count, kept = 0;
	struct foot *feet = feet_of(f, &count);

	/* A foot that is not below its leg has the leg that the caller gave, which may follow in the tree. */
	for (size_t i = 0; i < count; i++) {
		for (uint32_t n = 0; n < f->legs.size && feet[i].hip == ANIM_POSE_NONE; n++)
			if (f->legs.data[n] == LEG_GIVEN + feet[i].right)
				feet[i].hip = n;
		if (feet[i].hip != ANIM_POSE_NONE)
			feet[kept++] = feet[i];
	}
	f->feet.size = kept * sizeof *feet;
	f->follows = f->feet.size > 0;
	if (!f->follows)
		return;
	anim_posing_begin(&f->posing, clip);
	f->follows = f->posing.samples > 1;
}

/* Return whether the node is a foot or above one. */
static bool carries_foot(const struct anim_feet *f, uint32_t node)
{
	size_t count;
	const struct foot *feet = feet_of(f, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t above = feet[i].node;

		while (above != ANIM_POSE_NONE && above != node)
			above = anim_poses_parent(&f->posing.poses, above);
		if (above == node)
			return true;
	}
	return false;
}

int anim_feet_track(struct anim_feet *f, const struct anim_clip *clip, const struct anim_track *track,
		    struct anim_error *error)
{
	uint32_t node;

	if (!f->follows)
		return 0;
	node = anim_posing_node(&f->posing, clip, track);
	if (node == ANIM_POSE_NONE || !carries_foot(f, node))
		return 0;
	return anim_posing_track(&f->posing, clip, track, node, error);
}

static void measure_feet(void *context, size_t k, size_t in_tile)
{
	struct anim_feet *f = context;
	size_t count;
	struct foot *feet = feet_of(f, &count);

	for (size_t i = 0; i < count; i++) {
		const double *at = anim_poses_at(&f->posing.poses, feet[i].node, in_tile);
		const double *hip = anim_poses_at(&f->posing.poses, feet[i].hip, in_tile);
		double x = at[3] - hip[3], y = at[7] - hip[7], z = at[11] - hip[11];

		feet[i].leg = fmax(k == 0 ? 0 : feet[i].leg, sqrt(x * x + y * y + z * z));
		feet[i].lowest = fmin(k == 0 ? (double)INFINITY : feet[i].lowest, at[7]);
	}
}

/*
 * Return whether the foot is on the ground: near its lowest position, and not above the foot of another leg. A foot
 * that swings past the other leg is also low, but faster than the foot on the ground.
 */
static bool is_on_ground(const struct foot *feet, size_t count, size_t i)
{
	if (!(feet[i].lift <= FEET_NEAR * feet[i].leg))
		return false;
	for (size_t k = 0; k < count; k++) {
		double above = (feet[i].lift - feet[k].lift) / feet[i].leg;

		if (feet[k].hip != feet[i].hip &&
		    (above > FEET_SWING || (above >= -FEET_SWING && feet[i].speed > feet[k].speed + FEET_FAST)))
			return false;
	}
	return true;
}

static void follow_feet(void *context, size_t k, size_t in_tile)
{
	struct anim_feet *f = context;
	struct anim_slide *slides = (struct anim_slide *)(void *)f->slides.data;
	size_t count;
	struct foot *feet = feet_of(f, &count);

	for (size_t i = 0; i < count; i++) {
		const double *at = anim_poses_at(&f->posing.poses, feet[i].node, in_tile);
		double before = feet[i].speed;

		feet[i].lift = at[7] - feet[i].lowest;
		feet[i].speed = k == 0 ? 0
				       : sqrt((at[3] - feet[i].x) * (at[3] - feet[i].x) +
					      (at[11] - feet[i].z) * (at[11] - feet[i].z)) /
					     (f->posing.step_s * feet[i].leg);
		feet[i].lands =
		    feet[i].speed > FEET_FAST && feet[i].speed < before * fmax(0, 1 - FEET_BRAKE * f->posing.step_s);
		feet[i].x = at[3];
		feet[i].z = at[11];
	}
	for (size_t i = 0; i < count; i++) {
		if (is_on_ground(feet, count, i) && (slides[i].on_ground || !feet[i].lands)) {
			/* Update the slide of a foot that is on the ground: its distance from the place of contact. */
			struct anim_slide *slide = &slides[i];
			double t = (double)k * f->posing.step_s;
			const double *at = anim_poses_at(&f->posing.poses, feet[i].node, in_tile);
			double away;

			if (!slide->on_ground) {
				slide->on_ground = true;
				slide->counted = false;
				slide->start_s = t;
				slide->x = at[3];
				slide->z = at[11];
			}
			away =
			    sqrt((at[3] - slide->x) * (at[3] - slide->x) + (at[11] - slide->z) * (at[11] - slide->z));
			if (away > (feet[i].leg * f->percent / 100)) {
				slide->count += !slide->counted;
				slide->counted = true;
				if (away > slide->size) {
					slide->size = away;
					slide->share = away / feet[i].leg;
					slide->from_s = slide->start_s;
					slide->to_s = t;
				}
			}
		} else
			slides[i].on_ground = false;
	}
}

int anim_feet_end(struct anim_feet *f, struct anim_error *error)
{
	size_t count;
	const struct foot *feet = feet_of(f, &count);
	struct anim_slide *slides;

	f->slides.size = 0;
	if (anim_rests_check(&f->posing.poses.rests, error) != 0 || anim_posing_join(&f->posing, error) != 0)
		return -1;
	if (!f->follows || f->posing.unsure)
		return 0;
	slides = anim_buffer_extend(&f->slides, count * sizeof *slides, error);
	if (slides == NULL)
		return -1;
	memset(slides, 0, count * sizeof *slides);
	for (size_t i = 0; i < count; i++)
		slides[i].node = anim_poses_path(&f->posing.poses, slides[i].number = feet[i].node);
	if (anim_poses_ready(&f->posing.poses, error) != 0 ||
	    anim_poses_each(&f->posing.poses, measure_feet, f, error) != 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		slides[i].lowest = feet[i].lowest;
		slides[i].lift = feet[i].lowest - feet[i].rest;
		slides[i].leg = feet[i].leg;

		/* The rest pose of other models, such as BVH, may be anywhere. */
		const struct foot *foot = &feet[i];

		slides[i].stood = !foot->toes && foot->rest >= 0 && foot->rest <= ANKLE * foot->leg;
	}
	return anim_poses_each(&f->posing.poses, follow_feet, f, error);
}

void anim_feet_clear(struct anim_feet *f)
{
	anim_posing_clear(&f->posing);
	anim_buffer_clear(&f->feet);
	anim_buffer_clear(&f->legs);
	anim_buffer_clear(&f->slides);
}
