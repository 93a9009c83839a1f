/* motion.c: what is seen when a clip plays: feet that slide over the ground, loops that jump from their end to their start. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "clip/keys.h"
#include "filter/lint/internal.h"
#include "filter/rename/rename.h"
#include "math/elementary.h"

/* ---- Numbers as they are told ---- */

/* To a thousandth: seconds, degrees. */
static const char *fixed_text(char out[ANIM_NUMBER_MAX + 1], double value)
{
	out[anim_number_print_float(out, (float)(anim_round(value * 1000) / 1000))] = '\0';
	return out;
}

/* To three digits: what may be of any size. */
static const char *short_text(char out[ANIM_NUMBER_MAX + 1], double value)
{
	double unit = 1;

	while (fabs(value) >= 1000 * unit && unit < 1e30)
		unit *= 10;
	while (fabs(value) < 100 * unit && unit > 1e-30)
		unit /= 10;
	out[anim_number_print_float(out, (float)(anim_round(value / unit) * unit))] = '\0';
	return out;
}

/* ---- Loops ---- */

#define SEAM_DEGREES 1  /* how far apart rotations may be */
#define SEAM_SHARE 0.01 /* and what is none, of the range of its values */
#define SEAM_NOISE 1e-5 /* of its size: what rounding may make of a value that stays */

/* A clip that goes there and back has no seam; of formats that do not say so, each may be meant to loop. */
static bool may_loop(const struct anim_clip *clip)
{
	bool says = strncmp(clip->source, "godot", 5) == 0 || strcmp(clip->source, "unity") == 0;

	return clip->end_s > clip->start_s && (clip->loop == ANIM_LOOP_WRAP || (clip->loop == ANIM_LOOP_NONE && !says));
}

static double range_of(const struct anim_track *track, unsigned component)
{
	double low = (double)INFINITY, high = -low;

	for (size_t k = 0; k < track->n; k++) {
		double v = anim_component(track->type, track->value, k, component);

		low = v < low ? v : low;
		high = v > high ? v : high;
	}
	return high - low;
}

static bool is_angle(const struct anim_track *track)
{
	return anim_track_is_transform(track) &&
	       (strcmp(track->property, "euler") == 0 || strcmp(track->property, "angle") == 0);
}

/* Degrees between two rotations, or between angles, whole turns aside. */
static double degrees_between(const struct anim_track *track, const double a[ANIM_COMPONENTS_MAX],
			      const double b[ANIM_COMPONENTS_MAX])
{
	float p[4], q[4];
	double most = 0;

	if (anim_types[track->type].quaternion) {
		anim_components_to_float(p, a, 4);
		anim_components_to_float(q, b, 4);
		return anim_quat_angle(p, q) * (180 / ANIM_PI);
	}
	for (unsigned i = 0; i < anim_types[track->type].components; i++) {
		double turn = b[i] - a[i];

		most = fmax(most, fabs(turn - ANIM_TAU * anim_round(turn / ANIM_TAU)));
	}
	return most * (180 / ANIM_PI);
}

/* The largest difference of a component; the range of that one, and the size of them all. */
static double difference(const struct anim_track *track, const double a[ANIM_COMPONENTS_MAX],
			 const double b[ANIM_COMPONENTS_MAX], double *range, double *size)
{
	double most = 0;

	*range = *size = 0;
	for (unsigned i = 0; i < anim_types[track->type].components; i++) {
		double off = fabs(b[i] - a[i]);

		*size = fmax(*size, fmax(fabs(a[i]), fabs(b[i])));
		if (off > most) {
			most = off;
			*range = range_of(track, i);
		}
	}
	return most;
}

static void tell_seam(const struct anim_track *track, double end_s, const double a[ANIM_COMPONENTS_MAX],
		      const double b[ANIM_COMPONENTS_MAX], struct lint_tallies *tallies)
{
	char size[ANIM_NUMBER_MAX + 1], end[ANIM_NUMBER_MAX + 1], share[ANIM_NUMBER_MAX + 1];
	double range, off, size_of;

	if (anim_types[track->type].quaternion || is_angle(track)) {
		off = degrees_between(track, a, b);
		if (off > SEAM_DEGREES)
			lint_count_detail(tallies, LINT_LOOP_SEAM, LINT_NO_KEY,
					  "%s degrees from its end, at %s s, to its start: ", fixed_text(size, off),
					  fixed_text(end, end_s));
		return;
	}
	off = difference(track, a, b, &range, &size_of);
	if (off > SEAM_SHARE * range && off > SEAM_NOISE * size_of)
		lint_count_detail(
		    tallies, LINT_LOOP_SEAM, LINT_NO_KEY,
		    "%s (%s %% of its range) from its end, at %s s, to its start: ", short_text(size, off),
		    fixed_text(share, anim_round(100 * off / range)), fixed_text(end, end_s));
}

int lint_seam(const struct anim_clip *clip, const struct anim_track *track, struct lint_tallies *tallies,
	      struct anim_error *error)
{
	/* At its very end a player of loops may show the start already. */
	const double times[2] = {(double)clip->start_s, (double)nextafterf(clip->end_s, clip->start_s)};
	double values[2][ANIM_COMPONENTS_MAX] = {{0}};
	struct anim_source source;
	int result;

	if (!may_loop(clip) || !anim_play_can(track) || track->property[0] == '@')
		return 0;
	anim_play_open(&source, clip, track);
	anim_source_open(&source, NULL);
	result = anim_play_sample(&source, times, 2, values, error);
	anim_source_close(&source);
	if (result > 0)
		tell_seam(track, (double)clip->end_s, values[0], values[1], tallies);
	return result < 0 ? -1 : 0;
}

/* ---- Feet: where the tree puts them, at so many samples ---- */

#define FEET_NEAR 0.03  /* of the leg: so near to its lowest a foot stands, about 3 cm of a man's */
#define FEET_SWING 0.01 /* of the leg: so much above the other leg's it swings */

/* One foot of the tree at hand. */
struct foot {
	uint32_t node, hip;
	double leg, lowest; /* its largest distance from the hip; its least height */
	double lift;        /* how far above that it is */
};

/* The name that Unity has for the bone, whoever named it; NULL where it is none of a human. */
static const char *humanoid_name(const char *path)
{
	size_t length = strlen(path), own = length;
	const char *name = NULL;

	while (own > 0 && path[own - 1] != '/' && path[own - 1] != ':')
		own--;
	for (int from = 0; from < ANIM_HUMANOID_COUNT && name == NULL; from++)
		name = anim_humanoid_find((enum anim_humanoid)from, ANIM_HUMANOID_UNITY, path + own, length - own);
	return name;
}

static bool ends_in(const char *name, const char *end)
{
	size_t length = name == NULL ? 0 : strlen(name), tail = strlen(end);

	return length >= tail && strcmp(name + length - tail, end) == 0;
}

/* The foot's upper leg, above it; ANIM_POSE_NONE: there is none. */
static uint32_t hip_of(const struct anim_poses *poses, uint32_t node)
{
	while (node != ANIM_POSE_NONE && !ends_in(humanoid_name(anim_poses_path(poses, node)), "UpperLeg"))
		node = anim_poses_parent(poses, node);
	return node;
}

static struct foot *feet_of(const struct lint_motion *m, size_t *count)
{
	*count = m->feet.size / sizeof(struct foot);
	return (struct foot *)(void *)m->feet.data;
}

int lint_motion_node(struct lint_motion *m, const struct anim_node *node, struct anim_error *error)
{
	const char *name = humanoid_name(node->path);
	struct foot foot = {.node = (uint32_t)anim_poses_count(&m->posing.poses)};

	if (anim_poses_add(&m->posing.poses, node, error) != 0)
		return -1;
	if (!ends_in(name, "Foot") && !ends_in(name, "Toes"))
		return 0;
	foot.hip = hip_of(&m->posing.poses, foot.node);
	return foot.hip == ANIM_POSE_NONE ? 0 : anim_buffer_append(&m->feet, &foot, sizeof foot, error);
}

void lint_motion_tree(struct lint_motion *m)
{
	anim_poses_clear(&m->posing.poses);
	m->feet.size = 0;
}

void lint_motion_clip(struct lint_motion *m, const struct anim_clip *clip)
{
	m->follows = m->feet.size > 0;
	if (!m->follows)
		return;
	anim_posing_begin(&m->posing, clip);
	m->follows = m->posing.samples > 1;
}

/* A foot hangs on the node. */
static bool carries_foot(const struct lint_motion *m, uint32_t node)
{
	size_t count;
	const struct foot *feet = feet_of(m, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t above = feet[i].node;

		while (above != ANIM_POSE_NONE && above != node)
			above = anim_poses_parent(&m->posing.poses, above);
		if (above == node)
			return true;
	}
	return false;
}

int lint_motion_track(struct lint_motion *m, const struct anim_clip *clip, const struct anim_track *track,
		      struct anim_error *error)
{
	uint32_t node;

	if (!m->follows)
		return 0;
	node = anim_posing_node(&m->posing, clip, track);
	if (node == ANIM_POSE_NONE || !carries_foot(m, node))
		return 0;
	return anim_posing_track(&m->posing, clip, track, node, error);
}

static void measure_feet(void *context, size_t k, size_t in_tile)
{
	struct lint_motion *m = context;
	size_t count;
	struct foot *feet = feet_of(m, &count);

	for (size_t i = 0; i < count; i++) {
		const double *at = anim_poses_at(&m->posing.poses, feet[i].node, in_tile);
		const double *hip = anim_poses_at(&m->posing.poses, feet[i].hip, in_tile);
		double x = at[3] - hip[3], y = at[7] - hip[7], z = at[11] - hip[11];

		feet[i].leg = fmax(k == 0 ? 0 : feet[i].leg, sqrt(x * x + y * y + z * z));
		feet[i].lowest = fmin(k == 0 ? (double)INFINITY : feet[i].lowest, at[7]);
	}
}

/* How far above its lowest each foot is. */
static void lift_feet(struct lint_motion *m, size_t in_tile)
{
	size_t count;
	struct foot *feet = feet_of(m, &count);

	for (size_t i = 0; i < count; i++)
		feet[i].lift = anim_poses_at(&m->posing.poses, feet[i].node, in_tile)[7] - feet[i].lowest;
}

/* Near its lowest, and not above the foot of another leg: one that swings past that is low, too. */
static bool stands(const struct foot *feet, size_t count, size_t i)
{
	if (!(feet[i].lift <= FEET_NEAR * feet[i].leg))
		return false;
	for (size_t k = 0; k < count; k++)
		if (feet[k].hip != feet[i].hip && feet[k].lift < feet[i].lift - FEET_SWING * feet[i].leg)
			return false;
	return true;
}

/* The foot is on the ground at a place: how far that is from where it came down. */
static void follow_foot(struct lint_slide *slide, double leg, double limit, double t, const double *at)
{
	double away;

	if (!slide->stands) {
		slide->stands = true;
		slide->counted = false;
		slide->start_s = t;
		slide->x = at[3];
		slide->z = at[11];
	}
	away = sqrt((at[3] - slide->x) * (at[3] - slide->x) + (at[11] - slide->z) * (at[11] - slide->z));
	if (!(away > limit))
		return;
	slide->count += !slide->counted;
	slide->counted = true;
	if (away > slide->size) {
		slide->size = away;
		slide->share = away / leg;
		slide->from_s = slide->start_s;
		slide->to_s = t;
	}
}

static void follow_feet(void *context, size_t k, size_t in_tile)
{
	struct lint_motion *m = context;
	struct lint_slide *slides = (struct lint_slide *)(void *)m->slides.data;
	size_t count;
	const struct foot *feet = feet_of(m, &count);

	lift_feet(m, in_tile);
	for (size_t i = 0; i < count; i++) {
		if (stands(feet, count, i))
			follow_foot(&slides[i], feet[i].leg, feet[i].leg * m->percent / 100,
				    (double)k * m->posing.step_s,
				    anim_poses_at(&m->posing.poses, feet[i].node, in_tile));
		else
			slides[i].stands = false;
	}
}

int lint_motion_end(struct lint_motion *m, struct anim_error *error)
{
	size_t count;
	const struct foot *feet = feet_of(m, &count);
	struct lint_slide *slides;

	m->slides.size = 0;
	if (!m->follows || m->posing.unsure)
		return 0;
	slides = anim_buffer_extend(&m->slides, count * sizeof *slides, error);
	if (slides == NULL)
		return -1;
	memset(slides, 0, count * sizeof *slides);
	for (size_t i = 0; i < count; i++)
		slides[i].node = anim_poses_path(&m->posing.poses, feet[i].node);
	if (anim_poses_ready(&m->posing.poses, error) != 0 || anim_posing_each(&m->posing, measure_feet, m, error) != 0)
		return -1;
	return anim_posing_each(&m->posing, follow_feet, m, error);
}

const char *lint_slide_text(const struct lint_slide *slide, double start_s, char out[LINT_SLIDE_TEXT])
{
	char size[ANIM_NUMBER_MAX + 1], share[ANIM_NUMBER_MAX + 1], from[ANIM_NUMBER_MAX + 1], to[ANIM_NUMBER_MAX + 1];

	snprintf(out, LINT_SLIDE_TEXT, "it slides %s on the ground, %s %% of its leg, from %s s to %s s",
		 short_text(size, slide->size), fixed_text(share, anim_round(100 * slide->share)),
		 fixed_text(from, start_s + slide->from_s), fixed_text(to, start_s + slide->to_s));
	return out;
}

void lint_motion_clear(struct lint_motion *m)
{
	anim_poses_clear(&m->posing.poses);
	anim_buffer_clear(&m->feet);
	anim_buffer_clear(&m->slides);
}
