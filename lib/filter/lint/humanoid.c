/* humanoid.c: problems of Unity's humanoid curves: muscles far beyond their range or that jump, and incomplete goals. */
#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "filter/common/posing.h"
#include "filter/lint/checks.h"
#include "filter/retarget/muscle.h"
#include "math/elementary.h"

/*
 * Unity's own clips of motion capture bend joints up to 34 degrees beyond the range of a muscle. A joint that bends farther is
 * usually a mistake of the program that made the curve.
 */
#define BEYOND 45.0

/*
 * A joint that rotates farther from one key to the next, within a frame of 20 per second, jumps. In dances the fastest arms
 * twist by 30 degrees in a thirtieth of a second.
 */
#define JUMP 45.0
#define JUMP_S 0.0501

#define PARTS 4 /* points of a segment at which a muscle is measured */

/* Hands and feet have goals: a position (T) and a rotation (Q). The body has the same two. */
static const char *const places[LINT_PLACES] = {"Root", "LeftFoot", "RightFoot", "LeftHand", "RightHand"};
static const char *const components[] = {"T.x", "T.y", "T.z", "Q.x", "Q.y", "Q.z", "Q.w"};
#define ALL 0x7fu

/* Record a curve of a goal or the body. Returns false if it has another name. */
static bool record_goal(struct lint_humanoid *humanoid, const char *name)
{
	for (size_t place = 0; place < LINT_PLACES; place++)
		for (unsigned i = 0; i < ANIM_COUNT(components); i++) {
			const char *rest = anim_text_after(name, places[place]);

			if (rest == NULL || strcmp(rest, components[i]) != 0)
				continue;
			humanoid->parts[place] |= (uint8_t)(1u << i);
			return true;
		}
	return false;
}

/* A muscle, and its value that is farthest beyond its range so far. */
struct muscle {
	enum anim_human_bone bone;
	unsigned axis;
	double beyond; /* in degrees, 0 if it never leaves its range */
	double value, at_s;
	size_t jumps, jump_key; /* number of jumps, and the key after the largest, ... */
	double jump, jump_s;    /* ... which has this size in degrees, and is at this time */
};

static double degrees_of(const struct muscle *muscle, double value)
{
	return anim_muscle_angle(NULL, muscle->bone, muscle->axis, value) * (180 / ANIM_PI);
}

/* Record whether the value jumps from the key before to key k. */
static void record_jump(struct muscle *muscle, const struct anim_track *track, size_t k, double before, double value)
{
	double from = anim_track_time(track, k - 1), to = anim_track_time(track, k);
	double jump = fabs(degrees_of(muscle, value) - degrees_of(muscle, before));

	if (!(to > from) || to - from > JUMP_S || !(jump > JUMP) || anim_track_interp(track, k - 1) == ANIM_HOLD)
		return;
	muscle->jumps++;
	if (jump <= muscle->jump)
		return;
	muscle->jump = jump;
	muscle->jump_key = k;
	muscle->jump_s = to;
}

/* Play the muscle at its keys and between them. Returns 1, 0 if it cannot be played, or -1. */
static int play_muscle(struct muscle *muscle, const struct anim_clip *clip, const struct anim_track *track,
		       struct anim_error *error)
{
	struct anim_source source;
	double before = 0;
	int result = 1;

	if (!anim_play_can(track) || (track->flags & ANIM_UNSORTED))
		return 0;
	anim_play_open(&source, clip, track);
	anim_source_open(&source, NULL);
	for (size_t k = 0; k < track->n && result == 1; k++) {
		double from = anim_track_time(track, k), times[PARTS], values[PARTS][ANIM_COMPONENTS_MAX] = {{0}};
		double to = k + 1 < track->n ? anim_track_time(track, k + 1) : from;

		for (int i = 0; i < PARTS; i++)
			times[i] = from + (to - from) * i / PARTS;
		result = isfinite(to - from) ? anim_play_sample(&source, times, PARTS, values, error) : 0;
		for (int i = 0; i < PARTS && result == 1; i++) {
			double value = values[i][0];
			double beyond = fabs(degrees_of(muscle, value)) - fabs(degrees_of(muscle, value < 0 ? -1 : 1));

			if (!(beyond > muscle->beyond) || !isfinite(beyond))
				continue;
			muscle->beyond = beyond;
			muscle->value = value;
			muscle->at_s = times[i];
		}
		if (k > 0 && result == 1)
			record_jump(muscle, track, k, before, values[0][0]);
		before = values[0][0];
	}
	anim_source_close(&source);
	return result;
}

/* Check a curve by its name, which formats without classes keep. Returns 1 if it is humanoid, 0 if not, or -1. */
static int check_name(struct lint_humanoid *humanoid, const struct anim_clip *clip, const struct anim_track *track,
		      struct lint_tallies *tallies, struct anim_arena *arena, struct anim_error *error)
{
	struct muscle muscle = {.beyond = 0};
	const char *name = track->component == ANIM_WHOLE
			       ? track->property
			       : anim_arena_printf(arena, error, "%s.%s", track->property,
						   anim_component_name(track->property, track->component));
	char at[LINT_NUMBER], value[LINT_NUMBER], beyond[LINT_NUMBER], jump[LINT_NUMBER];

	if (name == NULL)
		return -1;
	if (!anim_muscle_find(name, &muscle.bone, &muscle.axis))
		return record_goal(humanoid, name);
	humanoid->legs = humanoid->legs || (muscle.bone >= ANIM_BONE_UPPER_LEG && muscle.bone < ANIM_BONE_FOOT);
	humanoid->moves = true;
	if (play_muscle(&muscle, clip, track, error) < 0)
		return -1;
	if (muscle.beyond > BEYOND)
		lint_count_detail(tallies, LINT_MUSCLE_RANGE, LINT_NO_KEY,
				  "at %s s it is %s, %s degrees beyond its range; ", lint_fixed(at, muscle.at_s),
				  lint_fixed(value, muscle.value), lint_fixed(beyond, anim_round(muscle.beyond)));
	if (muscle.jumps > 0)
		lint_count_detail(tallies, LINT_MUSCLE_JUMP, muscle.jump_key, "at %s s it turns by %s degrees; ",
				  lint_fixed(at, muscle.jump_s), lint_fixed(jump, anim_round(muscle.jump)));
	tallies->of[LINT_MUSCLE_JUMP].count += muscle.jumps - (muscle.jumps > 0);
	return 1;
}

int lint_humanoid_track(struct lint_humanoid *humanoid, const struct anim_clip *clip, const struct anim_track *track,
			struct lint_tallies *tallies, struct anim_arena *arena, struct anim_error *error)
{
	const char *kind = anim_attrs_get(&track->attrs, "unity.humanoid");
	bool single = anim_types[track->type].components == 1 && anim_type_is_real(track->type);
	int found = 0;

	if (strcmp(track->node, ".") == 0 && single)
		found = check_name(humanoid, clip, track, tallies, arena, error);
	if (found < 0)
		return -1;
	humanoid->moves = humanoid->moves || (kind != NULL && strcmp(kind, "root") != 0);
	found = found || kind != NULL;
	humanoid->curves += (uint64_t)found;
	return found;
}

int lint_humanoid_goals(const struct lint_humanoid *humanoid, enum anim_lint_target target, const char **fault,
			struct anim_arena *arena, struct anim_error *error)
{
	bool feet = humanoid->parts[1] != 0 || humanoid->parts[2] != 0;

	*fault = NULL;
	if (!humanoid->moves)
		return 0;
	if (target == ANIM_LINT_UNITY && humanoid->legs && !feet)
		*fault =
		    "it moves the legs, but has no goals of the feet (LeftFootT, LeftFootQ, ...); leave Foot IK of "
		    "its state off";
	for (size_t place = 0; place < LINT_PLACES && *fault == NULL; place++) {
		unsigned missing = ALL & ~(unsigned)humanoid->parts[place], i = 0;

		if (humanoid->parts[place] == 0 || missing == 0)
			continue;
		while (!(missing >> i & 1))
			i++;
		*fault = anim_arena_printf(
		    arena, error, "some curves of %sT and %sQ are missing, such as %s%s; Unity needs all seven",
		    places[place], places[place], places[place], components[i]);
		return *fault == NULL ? -1 : 0;
	}
	return 0;
}
