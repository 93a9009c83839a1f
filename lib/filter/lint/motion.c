/* motion.c: what is seen when a clip plays: feet that slide over the ground, loops that jump from their end to their start. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "clip/keys.h"
#include "clip/source.h"
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

/* ---- Tracks as their player shows them ---- */

/* A whole track in radians, a rotation as quaternion of length 1. */
static void open_source(struct anim_source *s, const struct anim_clip *clip, const struct anim_track *track)
{
	int order = anim_euler_order_find(anim_attrs_get(&track->attrs, "order"));

	memset(s, 0, sizeof *s);
	s->clip = clip;
	s->tracks[0] = track;
	s->count = 1;
	s->radians = true;
	s->order = order < 0 ? ANIM_EULER_YXZ : (enum anim_euler_order)order;
	s->unit_length = anim_types[track->type].quaternion;
}

/* Out of memory is the only failure: what cannot be played is told elsewhere. 1, 0 where it cannot, -1. */
static int sample(struct anim_source *s, const double *t, size_t count, double (*out)[ANIM_COMPONENTS_MAX],
		  struct anim_error *error)
{
	struct anim_error own = {0};

	if (anim_source_sample(s, t, count, out, &own) == 0)
		return 1;
	return own.code == ANIM_NO_MEMORY ? anim_fail_memory(error) : 0;
}

static bool is_played(const struct anim_track *track)
{
	return track->n > 0 && anim_type_is_real(track->type) && !(track->flags & ANIM_DISABLED) &&
	       !(track->kind == ANIM_RAW && track->n > 1 && track->rate_num == 0 && !(track->step_s > 0));
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
	for (unsigned i = 0; i < anim_types[track->type].components; i++)
		most = fmax(most, fabs(remainder(b[i] - a[i], ANIM_TAU)));
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

	if (!may_loop(clip) || !is_played(track) || track->property[0] == '@')
		return 0;
	open_source(&source, clip, track);
	anim_source_open(&source, NULL);
	result = sample(&source, times, 2, values, error);
	anim_source_close(&source);
	if (result > 0)
		tell_seam(track, (double)clip->end_s, values[0], values[1], tallies);
	return result < 0 ? -1 : 0;
}

/* ---- Feet: where the tree puts them, at so many samples ---- */

#define FEET_RATE 60.0          /* samples a second */
#define FEET_SAMPLES (1u << 20) /* at most; of longer clips they lie farther apart */
#define FEET_NEAR 0.03          /* of the leg: so near to its lowest a foot stands, about 3 cm of a man's */
#define FEET_SWING 0.01         /* of the leg: so much above the other leg's it swings */

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
	struct foot foot = {.node = (uint32_t)anim_poses_count(&m->poses)};

	if (anim_poses_add(&m->poses, node, error) != 0)
		return -1;
	if (!ends_in(name, "Foot") && !ends_in(name, "Toes"))
		return 0;
	foot.hip = hip_of(&m->poses, foot.node);
	return foot.hip == ANIM_POSE_NONE ? 0 : anim_buffer_append(&m->feet, &foot, sizeof foot, error);
}

void lint_motion_tree(struct lint_motion *m)
{
	anim_poses_clear(&m->poses);
	m->feet.size = 0;
}

void lint_motion_clip(struct lint_motion *m, const struct anim_clip *clip)
{
	double length_s = (double)clip->end_s - (double)clip->start_s, samples = floor(length_s * FEET_RATE) + 1;

	m->samples = 0;
	m->unsure = false;
	if (m->feet.size == 0 || !(clip->flags & ANIM_IN_TREE) || !(length_s > 0))
		return;
	m->samples = samples < 2 ? 2 : samples > FEET_SAMPLES ? FEET_SAMPLES : (size_t)samples;
	m->step_s = length_s / (double)(m->samples - 1);
	anim_poses_begin(&m->poses, m->samples);
}

/* A foot hangs on the node. */
static bool carries_foot(const struct lint_motion *m, uint32_t node)
{
	size_t count;
	const struct foot *feet = feet_of(m, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t above = feet[i].node;

		while (above != ANIM_POSE_NONE && above != node)
			above = anim_poses_parent(&m->poses, above);
		if (above == node)
			return true;
	}
	return false;
}

/* What the track moves of its node, and how it is brought there; -1: nothing that is known. */
static int find_part(const struct lint_motion *m, uint32_t node, const struct anim_track *track, struct anim_source *s)
{
	static const char *const parts[ANIM_POSE_PARTS] = {"position", "rotation", "scale"};
	const struct anim_type_info *info = &anim_types[track->type];
	int part = 0;

	if (track->component != ANIM_WHOLE)
		return -1;
	if (strcmp(track->property, "euler") == 0 && info->components == 3 && !(track->flags & ANIM_REST_RELATIVE)) {
		s->step = ANIM_STEP_EULER;
		return ANIM_POSE_ROTATION;
	}
	while (part < ANIM_POSE_PARTS && strcmp(track->property, parts[part]) != 0)
		part++;
	if (part == ANIM_POSE_PARTS || info->quaternion != (part == ANIM_POSE_ROTATION) ||
	    info->components != (part == ANIM_POSE_ROTATION ? 4 : 3))
		return -1;
	if (track->flags & ANIM_REST_RELATIVE) {
		s->step = anim_step_from_rest(track->property, info->components);
		s->rest = m->poses.rests.items[node];
	}
	return part;
}

static int put_samples(struct lint_motion *m, struct anim_source *s, int part, struct anim_error *error)
{
	double t[ANIM_SOURCE_SAMPLES], values[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}};
	unsigned components = part == ANIM_POSE_ROTATION ? 4 : 3;
	float numbers[4];
	int result = 1;

	for (size_t done = 0, size; done < m->samples && result > 0; done += size) {
		size = m->samples - done < ANIM_SOURCE_SAMPLES ? m->samples - done : ANIM_SOURCE_SAMPLES;
		for (size_t k = 0; k < size; k++)
			t[k] = fmin((double)s->clip->start_s + (double)(done + k) * m->step_s, (double)s->clip->end_s);
		result = sample(s, t, size, values, error);
		for (size_t k = 0; k < size && result > 0; k++) {
			anim_components_to_float(numbers, values[k], components);
			if (anim_poses_put(&m->poses, numbers, components, error) != 0)
				result = -1;
		}
	}
	return result;
}

int lint_motion_track(struct lint_motion *m, const struct anim_clip *clip, const struct anim_track *track,
		      struct anim_error *error)
{
	struct anim_source source;
	uint32_t node;
	int part, result;

	if (m->samples == 0 || !anim_track_is_transform(track) || !is_played(track))
		return 0;
	node = anim_poses_find(&m->poses, clip->root, track->node);
	if (node == ANIM_POSE_NONE || !carries_foot(m, node))
		return 0;
	open_source(&source, clip, track);
	part = find_part(m, node, track, &source);
	m->unsure = m->unsure || part < 0;
	if (part < 0)
		return 0;
	anim_source_open(&source, &m->poses.rests.items[node]);
	result = anim_poses_open(&m->poses, node, (enum anim_pose_part)part, error);
	if (result > 0)
		result = put_samples(m, &source, part, error);
	m->unsure = m->unsure || result == 0;
	anim_source_close(&source);
	return result < 0 ? -1 : 0;
}

/* Calls `look` for each sample in order, with its place in the tile at hand. 0 or -1. */
static int look_at_feet(struct lint_motion *m, void (*look)(struct lint_motion *, size_t sample, size_t in_tile),
			struct anim_error *error)
{
	size_t tile = m->poses.tile;

	for (size_t first = 0; first < m->samples; first += tile) {
		size_t size = m->samples - first < tile ? m->samples - first : tile;

		if (anim_poses_tile(&m->poses, first, size, error) != 0)
			return -1;
		for (size_t k = 0; k < size; k++)
			look(m, first + k, k);
	}
	return 0;
}

static void measure_feet(struct lint_motion *m, size_t k, size_t in_tile)
{
	size_t count;
	struct foot *feet = feet_of(m, &count);

	for (size_t i = 0; i < count; i++) {
		const double *at = anim_poses_at(&m->poses, feet[i].node, in_tile);
		const double *hip = anim_poses_at(&m->poses, feet[i].hip, in_tile);
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
		feet[i].lift = anim_poses_at(&m->poses, feet[i].node, in_tile)[7] - feet[i].lowest;
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

static void follow_feet(struct lint_motion *m, size_t k, size_t in_tile)
{
	struct lint_slide *slides = (struct lint_slide *)(void *)m->slides.data;
	size_t count;
	const struct foot *feet = feet_of(m, &count);

	lift_feet(m, in_tile);
	for (size_t i = 0; i < count; i++) {
		if (stands(feet, count, i))
			follow_foot(&slides[i], feet[i].leg, feet[i].leg * m->percent / 100, (double)k * m->step_s,
				    anim_poses_at(&m->poses, feet[i].node, in_tile));
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
	if (m->samples == 0 || m->unsure)
		return 0;
	slides = anim_buffer_extend(&m->slides, count * sizeof *slides, error);
	if (slides == NULL)
		return -1;
	memset(slides, 0, count * sizeof *slides);
	for (size_t i = 0; i < count; i++)
		slides[i].node = anim_poses_path(&m->poses, feet[i].node);
	if (anim_poses_ready(&m->poses, error) != 0 || look_at_feet(m, measure_feet, error) != 0)
		return -1;
	return look_at_feet(m, follow_feet, error);
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
	anim_poses_clear(&m->poses);
	anim_buffer_clear(&m->feet);
	anim_buffer_clear(&m->slides);
}
