/* root.c: the tracks of two nodes, put aside until their clip ends, and what becomes of them. */
#include "filter/root/root.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "clip/sample.h"
#include "filter/affine.h"
#include "filter/convert/convert.h"
#include "filter/filter.h"
#include "filter/pose.h"
#include "filter/rename/rename.h"
#include "filter/root/internal.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define EXACT 1e-12 /* what products in double make of 0 */

/* Of the tracks that wait, those that move a node in one way: lanes, Euler angles and rotations count alike. */
struct held {
	struct anim_track track;
	bool root;
	enum root_part part;
};

struct root {
	struct anim_filter filter;
	struct anim_root_options options;
	struct anim_poses poses; /* the tree */
	struct anim_arena tree_arena;
	const char *tree_name; /* of its first node */
	bool found;            /* the two in the tree at hand */
	uint32_t root, hips;
	bool guesses;    /* nobody said which node the hips are */
	uint8_t *stands; /* of each node: bits of enum standing */
	struct anim_clip clip;
	bool in_clip;
	const struct anim_scope *scope; /* of the clip */
	struct anim_arena arena;        /* of the clip */
	struct anim_buffer held;        /* struct held, as they came */
	struct anim_buffer straight;    /* struct held, in straight lines */
	struct anim_buffer columns[ANIM_COLUMN_COUNT], root_columns[ANIM_COLUMN_COUNT], time;
	struct root_motion motion;
	const char *names[2]; /* of the hips and the root, as their tracks say; NULL: none came */
	size_t beside;        /* tracks of nodes below the root that the hips are not above */
};

/* ---- The two nodes ---- */

/* The hips themselves are in the hips, and not above them; likewise the root. */
enum standing { ABOVE_HIPS = 1, IN_HIPS = 2, IN_ROOT = 4 };

/* Where all nodes stand; parents come before their children. */
static void place_nodes(struct root *r)
{
	for (uint32_t n = 0; n < anim_poses_count(&r->poses); n++) {
		uint32_t parent = anim_poses_parent(&r->poses, n);

		r->stands[n] |= n == r->hips ? IN_HIPS : n == r->root ? IN_ROOT : 0;
		if (parent != ANIM_POSE_NONE)
			r->stands[n] |= r->stands[parent] & (IN_HIPS | IN_ROOT);
	}
}

/* By its path, else by its own name, else by that in any case; *several where a name says not which. */
static uint32_t find_by(const struct root *r, const char *name, bool *several)
{
	uint32_t found = ANIM_POSE_NONE;

	*several = false;
	if (strcmp(name, r->tree_name) == 0)
		return 0;
	for (uint32_t n = 0; n < anim_poses_count(&r->poses); n++)
		if (strcmp(anim_poses_path(&r->poses, n), name) == 0)
			return n;
	for (int loose = 0; loose < 2 && found == ANIM_POSE_NONE; loose++)
		for (uint32_t n = 0; n < anim_poses_count(&r->poses); n++) {
			const char *own = anim_node_own_name(anim_poses_path(&r->poses, n));

			if (loose ? strcasecmp(own, name) != 0 : strcmp(own, name) != 0)
				continue;
			*several = *several || found != ANIM_POSE_NONE;
			found = n;
		}
	return found;
}

static int find_node(const struct root *r, const char *name, uint32_t *out, struct anim_error *error)
{
	bool several;

	*out = find_by(r, name, &several);
	if (*out == ANIM_POSE_NONE)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "the tree has no node '%.80s'; anim-info --tree shows what it has", name);
	return several ? anim_fail(error, ANIM_UNSUPPORTED, "several nodes of the tree are called '%.80s': give a path",
				   name)
		       : 0;
}

/* The uppermost node whose name means hips, in any naming. 0 or -1. */
static int guess_hips(struct root *r, struct anim_error *error)
{
	for (uint32_t n = 0; n < anim_poses_count(&r->poses); n++) {
		const char *path = anim_poses_path(&r->poses, n);
		struct anim_plain_name name;
		struct anim_bone_guess guess;

		if (!anim_plain_name(&name, anim_node_own_name(path)))
			continue;
		for (size_t i = 0; i < name.length; i++)
			if ((name.begins >> i & 1) != 0 && anim_bone_guess(&guess, &name, i) &&
			    guess.bones[0] == ANIM_BONE_HIPS && !guess.doubtful) {
				r->hips = n;
				r->options.hips = path;
				return 0;
			}
	}
	return anim_fail(error, ANIM_UNSUPPORTED,
			 "no node of the tree is called as hips are; name the one that moves the body with --extract");
}

static int find_both(struct root *r, struct anim_error *error)
{
	if (anim_poses_count(&r->poses) == 0 || !(r->clip.flags & ANIM_IN_TREE))
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "clip '%s' has no tree that tells what stands above what; parse it with its model",
				 r->clip.name);
	if (r->found)
		return 0;
	if (r->guesses ? guess_hips(r, error) != 0 : find_node(r, r->options.hips, &r->hips, error) != 0)
		return -1;
	r->root = anim_poses_parent(&r->poses, r->hips);
	if (r->options.root != NULL && find_node(r, r->options.root, &r->root, error) != 0)
		return -1;
	if (r->root == ANIM_POSE_NONE)
		return anim_fail(error, ANIM_UNSUPPORTED, "'%.80s' is the tree's first node: nothing stands above it",
				 r->options.hips);
	r->stands = anim_arena_zeroed(&r->tree_arena, anim_poses_count(&r->poses), sizeof *r->stands, error);
	if (r->stands == NULL)
		return -1;
	for (uint32_t n = anim_poses_parent(&r->poses, r->hips); n != ANIM_POSE_NONE;
	     n = anim_poses_parent(&r->poses, n))
		r->stands[n] = ABOVE_HIPS;
	if (!(r->stands[r->root] & ABOVE_HIPS))
		return anim_fail(error, ANIM_UNSUPPORTED, "'%.80s' does not stand above '%.80s'", r->options.root,
				 r->options.hips);
	place_nodes(r);
	r->found = true;
	return 0;
}

static const struct anim_rest *rest_of(const struct root *r, uint32_t node)
{
	return &r->poses.rests.items[node];
}

/* The frames of the rests: of what is above the root, of the root, and between it and the hips. 0 or -1. */
static int place_rests(struct root *r, struct anim_error *error)
{
	struct root_motion *m = &r->motion;
	const struct anim_rest *rest;

	m->above = m->between = root_frame_none;
	for (uint32_t n = r->hips; n != ANIM_POSE_NONE; n = anim_poses_parent(&r->poses, n)) {
		struct root_frame own, *into = n == r->root             ? &m->rest
					       : r->stands[n] & IN_ROOT ? &m->between
									: &m->above;

		if (rest_of(r, n)->has & ANIM_HAS_2D)
			return anim_fail(error, ANIM_UNSUPPORTED, "'%.80s' is of two dimensions", rest_of(r, n)->path);
		if (n == r->hips)
			continue;
		root_frame_into(&own, &root_frame_none, rest_of(r, n));
		if (into == &m->rest)
			m->rest = own;
		else
			root_frame_join(into, &own, into);
	}
	for (int part = 0; part < ROOT_PARTS; part++) {
		rest = rest_of(r, part < ROOT_HIPS_POSITION ? r->root : r->hips);
		m->line[part] = (struct root_line){0};
		if (part == ROOT_POSITION || part == ROOT_HIPS_POSITION)
			for (int i = 0; i < 3; i++)
				m->line[part].rest[i] = (double)rest->position[i];
		else
			anim_quat_unit_double(m->line[part].rest, rest->rotation);
	}
	for (int i = 0; i < 3; i++)
		m->scale[i] = (double)rest_of(r, r->root)->scale[i];
	return 0;
}

/* ---- Tracks as they come ---- */

/* Whether the track places its node: position, turns, in whatever form. */
static bool places(const struct anim_track *track, bool *turns)
{
	static const char *const properties[] = {"position", "rotation", "euler"};

	*turns = strcmp(track->property, "position") != 0;
	return anim_text_is_one_of(track->property, properties, 3);
}

static bool is_idle(const struct anim_track *track)
{
	return track->n == 0 || (track->flags & ANIM_DISABLED) || !anim_track_is_transform(track);
}

static int hold(struct root *r, const struct anim_track *track, bool root, bool turns, struct anim_error *error)
{
	struct held held = {.root = root, .part = (root ? ROOT_POSITION : ROOT_HIPS_POSITION) + (turns ? 1 : 0)};

	if (anim_track_copy(&held.track, track, &r->arena, error) != 0)
		return -1;
	if (r->names[root] == NULL)
		r->names[root] = held.track.node;
	return anim_buffer_append(&r->held, &held, sizeof held, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct root *r = (struct root *)sink;
	uint32_t node = is_idle(track) ? ANIM_POSE_NONE : anim_poses_find(&r->poses, r->clip.root, track->node);
	bool turns, place = places(track, &turns);

	if (anim_track_is_muscle(track, r->options.diagnostics, error) < 0 || anim_track_check_local(track, error) != 0)
		return -1;
	if (node == ANIM_POSE_NONE)
		return anim_filter_track(sink, track, error);
	if ((node == r->hips || node == r->root) && place)
		return hold(r, track, node == r->root, turns, error);
	if ((r->stands[node] & ABOVE_HIPS) && (place || strcmp(track->property, "scale") == 0))
		return anim_track_refuse(track,
					 node == r->root
					     ? "scales what the hips stand in"
					     : "moves what the hips stand in; only the root may move above them",
					 error);
	r->beside += place && (r->stands[node] & (IN_ROOT | IN_HIPS)) == IN_ROOT;
	return anim_filter_track(sink, track, error);
}

/* ---- Ways alone: constants, so that keys stay keys ---- */

static struct held *held_at(const struct anim_buffer *held, size_t i)
{
	return (struct held *)(void *)held->data + i;
}

static size_t held_count(const struct anim_buffer *held)
{
	return held->size / sizeof(struct held);
}

/* The hips' own way: the only track that is concerned, and one that goes through a matrix; NULL: more is to be done. */
static const struct anim_track *find_way(const struct root *r)
{
	const struct anim_track *way = NULL;

	if (r->options.yaw || r->options.loop)
		return NULL;
	for (size_t i = 0; i < held_count(&r->held); i++) {
		const struct held *held = held_at(&r->held, i);

		if (held->root || (held->part == ROOT_HIPS_POSITION && way != NULL))
			return NULL;
		if (held->part == ROOT_HIPS_POSITION)
			way = &held->track;
	}
	return way != NULL && way->component == ANIM_WHOLE && !(way->flags & ANIM_REST_RELATIVE) &&
		       anim_type_is_real(way->type) && anim_types[way->type].components == 3
		   ? way
		   : NULL;
}

static void set_affine(struct anim_affine *out, const double m[9], const double offset[3])
{
	*out = (struct anim_affine){.components = 3};
	for (int i = 0; i < 3; i++) {
		out->offset[i] = fabs(offset[i]) < EXACT ? 0 : offset[i];
		memcpy(out->m[i], m + 3 * i, 3 * sizeof *m);
	}
	anim_affine_snap(out);
}

/*
 * With K for the axes that are motion, h the hips' values, B h + b their place in the tree, x that at rest and A that of the
 * root's parent: the way is w = K (B h + b - x), the root's position its rest + A^-1 w, that of the hips h - B^-1 w.
 */
static void find_matrices(const struct root_motion *m, struct anim_affine *hips, struct anim_affine *root)
{
	double ways[9] = {0}, way[3], none[3], product[9], offset[3], x[3];

	root_frame_point(x, &m->hips, m->line[ROOT_HIPS_POSITION].rest);
	for (int i = 0; i < 3; i++) {
		way[i] = m->options->axes[i] ? m->hips.o[i] - x[i] : 0;
		for (int k = 0; k < 3 && m->options->axes[i]; k++)
			ways[3 * i + k] = m->hips.m[3 * i + k];
	}
	root_matrix_multiply(product, m->hips_inverse, ways);
	root_matrix_apply(offset, m->hips_inverse, way);
	for (int i = 0; i < 3; i++) {
		none[i] = -offset[i];
		for (int k = 0; k < 3; k++)
			product[3 * i + k] = (i == k) - product[3 * i + k];
	}
	set_affine(hips, product, none);
	root_matrix_multiply(product, m->above_inverse, ways);
	root_matrix_apply(offset, m->above_inverse, way);
	for (int i = 0; i < 3; i++)
		offset[i] += m->rest.o[i];
	set_affine(root, product, offset);
}

/* Both tracks, or neither where one of them does not go through its matrix. 1, 0 or -1. */
static int put_affines(struct root *r, const struct anim_affine *hips, const struct anim_affine *root,
		       const struct anim_track *way, struct anim_error *error)
{
	struct anim_track stays, goes;
	int done = anim_affine_track(hips, way, r->columns, &stays, error);

	if (done > 0 && !r->options.in_place)
		done = anim_affine_track(root, way, r->root_columns, &goes, error);
	if (done <= 0)
		return done;
	if (anim_sink_track(r->filter.next, &stays, error) != 0)
		return -1;
	if (r->options.in_place)
		return 1;
	goes.node = r->names[true];
	return anim_sink_track(r->filter.next, &goes, error) != 0 ? -1 : 1;
}

/* What the track puts the hips at, at a time, on their way. 1; 0: nothing; -1. */
static int way_at(struct root *r, const struct anim_affine *root, const struct anim_track *way, double t, double out[3],
		  struct anim_error *error)
{
	double numbers[3];
	int result = anim_sample_one(&r->clip, way, t, numbers, error);

	if (result <= 0)
		return result;
	for (int i = 0; i < 3; i++)
		out[i] = root->m[i][0] * numbers[0] + root->m[i][1] * numbers[1] + root->m[i][2] * numbers[2];
	root_matrix_apply(out, r->motion.above.m, out);
	return 1;
}

/* 1; 0 where the track's curves do not go through a matrix. */
static int put_ways(struct root *r, const struct anim_track *way, struct anim_error *error)
{
	struct root_motion *m = &r->motion;
	double ends[2][3] = {{0}}, squares = 0;
	struct anim_affine hips, root;

	if (root_motion_begin(m, error) != 0)
		return -1;
	find_matrices(m, &hips, &root);
	if (way_at(r, &root, way, (double)r->clip.start_s, ends[0], error) < 0 ||
	    way_at(r, &root, way, (double)r->clip.end_s, ends[1], error) < 0)
		return -1;
	for (int i = 0; i < 3; i++)
		squares += (ends[1][i] - ends[0][i]) * (ends[1][i] - ends[0][i]);
	m->way_m = sqrt(squares);
	return put_affines(r, &hips, &root, way, error);
}

/* ---- Straight lines ---- */

struct collector {
	struct anim_sink sink;
	struct root *r;
};

static int collect(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct root *r = ((struct collector *)sink)->r;
	uint32_t node = anim_poses_find(&r->poses, r->clip.root, track->node);
	bool turns;
	struct held held = {.root = node == r->root};

	if (!places(track, &turns) || anim_types[track->type].components != (turns ? 4 : 3))
		return anim_track_refuse(track, "is nothing that a root's motion is made of", error);
	held.part = (held.root ? ROOT_POSITION : ROOT_HIPS_POSITION) + (turns ? 1 : 0);
	if (anim_track_copy(&held.track, track, &r->arena, error) != 0)
		return -1;
	return anim_buffer_append(&r->straight, &held, sizeof held, error);
}

/* What waits as whole, absolute values with straight lines between them. 0 or -1. */
static int straighten(struct root *r, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.track = collect};
	static const struct anim_caps caps = {.format = "anim-root",
					      .kinds = 1u << ANIM_RAW | 1u << ANIM_CURVE,
					      .types = (uint64_t)1 << ANIM_FLOAT3 | (uint64_t)1 << ANIM_FLOATQ,
					      .interps = 1u << ANIM_LINEAR,
					      .rules = ANIM_RULES_PLAIN,
					      .raw_start = true,
					      .whole_transforms = true,
					      .regular = true};
	struct collector *collector = anim_sink_new(sizeof *collector, &ops, error);
	struct anim_sink *convert;
	int result;

	r->straight.size = 0;
	if (collector == NULL)
		return -1;
	collector->r = r;
	convert = anim_convert_new(&caps, ANIM_TOLERANCE, false, r->options.diagnostics, &collector->sink, error);
	if (convert == NULL)
		return -1;
	anim_convert_use_rests(convert, &r->poses.rests);
	result = anim_sink_clip(convert, &r->clip, error);
	for (size_t i = 0; i < held_count(&r->held) && result == 0; i++)
		result = anim_sink_track(convert, &held_at(&r->held, i)->track, error);
	if (result == 0)
		result = anim_sink_end(convert, error);
	anim_sink_free(convert);
	return result;
}

static int read_line(struct root *r, const struct held *held, struct anim_error *error)
{
	const struct anim_track *track = &held->track;
	struct root_line *line = &r->motion.line[held->part];
	double *time = anim_arena_zeroed(&r->arena, track->n, sizeof *time, error), length;
	double(*value)[4] = anim_arena_zeroed(&r->arena, track->n, sizeof *value, error);
	bool turns = anim_types[track->type].quaternion;

	if (time == NULL || value == NULL)
		return -1;
	if (line->n > 0)
		return anim_track_refuse(track, "stands twice", error);
	for (size_t k = 0; k < track->n; k++) {
		time[k] = anim_track_time(track, k);
		anim_components(track->type, track->value, k, value[k]);
		length = sqrt(value[k][0] * value[k][0] + value[k][1] * value[k][1] + value[k][2] * value[k][2] +
			      value[k][3] * value[k][3]);
		if (turns && (!(length > 0) || isinf(length)))
			return anim_track_refuse(track, "has a key that is no rotation", error);
		for (int i = 0; turns && i < 4; i++)
			value[k][i] /= length;
	}
	line->n = track->n;
	line->time = time;
	line->value = (const double(*)[4])value;
	return 0;
}

/* The first of them, if all are samples at the same times. */
static const struct anim_track *find_samples(const struct root *r)
{
	const struct anim_track *first = &held_at(&r->straight, 0)->track;

	for (size_t i = 0; i < held_count(&r->straight); i++) {
		const struct anim_track *track = &held_at(&r->straight, i)->track;

		if (track->kind != ANIM_RAW || track->n != first->n || track->n == 0 ||
		    anim_track_time(track, 0) != anim_track_time(first, 0) ||
		    !(anim_track_time(track, track->n - 1) == anim_track_time(first, first->n - 1)))
			return NULL;
	}
	return first;
}

/* ---- What becomes of them ---- */

static int put_part(struct root *r, enum root_part part, const struct anim_track *samples, struct anim_error *error)
{
	const struct root_pose *poses = (const struct root_pose *)(const void *)r->motion.poses.data;
	bool turns = part == ROOT_ROTATION || part == ROOT_HIPS_ROTATION, root = part < ROOT_HIPS_POSITION;
	unsigned components = turns ? 4 : 3;
	struct anim_buffer *values = &r->columns[ANIM_COLUMN_VALUE];
	struct anim_track out = {.kind = ANIM_CURVE, .component = ANIM_WHOLE, .interp = ANIM_LINEAR};

	if (samples != NULL) {
		out = *samples;
		out.record = NULL;
		out.attrs = (struct anim_attrs){0};
		out.interp = ANIM_LINEAR;
	}
	values->size = r->time.size = 0;
	for (size_t k = 0; k < r->motion.poses.size / sizeof *poses; k++) {
		float time = (float)poses[k].time, numbers[4];

		anim_components_to_float(numbers, poses[k].part[part], components);
		if (anim_buffer_append(values, numbers, components * sizeof *numbers, error) != 0 ||
		    anim_buffer_append(&r->time, &time, sizeof time, error) != 0)
			return -1;
		out.n = k + 1;
	}
	out.type = turns ? ANIM_FLOATQ : ANIM_FLOAT3;
	out.node = r->names[root];
	out.property = turns ? "rotation" : "position";
	out.time = samples != NULL ? NULL : (const float *)(const void *)r->time.data;
	out.value = values->data;
	return anim_sink_track(r->filter.next, &out, error);
}

/* Whether the parts' own tracks, or what is taken from them, make the hips turn otherwise. */
static bool is_turned(const struct root *r)
{
	bool turned = r->options.yaw || r->options.loop;

	for (size_t i = 0; i < held_count(&r->held); i++)
		turned = turned || held_at(&r->held, i)->part == ROOT_ROTATION;
	return turned;
}

static int check_even(const struct root *r, struct anim_error *error)
{
	if (r->motion.above.even && r->motion.rest.even && r->motion.between.even)
		return 0;
	return anim_fail(error, ANIM_UNSUPPORTED,
			 "'%.80s' stands in what is scaled differently along its axes, so turns would shear it",
			 r->options.hips);
}

static int put_lines(struct root *r, struct anim_error *error)
{
	const struct anim_track *samples;
	struct root_motion *m = &r->motion;
	bool turned = is_turned(r), moves_root = !r->options.in_place && !r->options.fold;
	int result = turned ? check_even(r, error) : 0;

	if (result != 0 || straighten(r, error) != 0)
		return -1;
	for (size_t i = 0; i < held_count(&r->straight) && result == 0; i++)
		result = read_line(r, held_at(&r->straight, i), error);
	if (result != 0 || held_count(&r->straight) == 0)
		return result;
	samples = find_samples(r);
	m->samples = samples != NULL;
	m->start_s = samples != NULL ? anim_track_time(samples, 0) : (double)r->clip.start_s;
	m->end_s = samples != NULL ? anim_track_time(samples, samples->n - 1) : (double)r->clip.end_s;
	if (root_motion_begin(m, error) != 0 || root_motion_make(m, error) != 0)
		return -1;
	if (moves_root)
		result = put_part(r, ROOT_POSITION, samples, error);
	if (result == 0 && moves_root && r->options.yaw)
		result = put_part(r, ROOT_ROTATION, samples, error);
	if (result == 0)
		result = put_part(r, ROOT_HIPS_POSITION, samples, error);
	if (result == 0 && (turned || m->line[ROOT_HIPS_ROTATION].n > 0))
		result = put_part(r, ROOT_HIPS_ROTATION, samples, error);
	return result;
}

/* ---- What is told ---- */

static int tell(struct root *r, struct anim_error *error)
{
	const struct root_motion *m = &r->motion;
	struct anim_diagnostics *diagnostics = r->options.diagnostics;
	double degree = 180 / ANIM_PI;

	if (!r->options.fold &&
	    anim_diagnostics_note(diagnostics, NULL, error,
				  "%s %.4g m and %.4g degrees; between keys it is at most %.2g mm and %.2g degrees off",
				  r->options.in_place ? "taken away:" : "the root goes", m->way_m, m->yaw_rad * degree,
				  m->bound_m * 1000, m->bound_rad * degree) != 0)
		return -1;
	if (r->options.fold &&
	    anim_diagnostics_note(diagnostics, NULL, error,
				  "the root is at rest; between keys the hips are at most %.2g mm and %.2g degrees off",
				  m->bound_m * 1000, m->bound_rad * degree) != 0)
		return -1;
	if (r->options.loop &&
	    anim_diagnostics_note(
		diagnostics, NULL, error,
		"the hips ended %.4g m and %.4g degrees from where they began; that is spread over the clip", m->gap_m,
		m->gap_rad * degree) != 0)
		return -1;
	if (!isnan(m->lost_s) &&
	    anim_diagnostics_warn(
		diagnostics, NULL, error,
		"at %.6g s the hips are upside down, so that their yaw is not to be told; the one before holds",
		m->lost_s) != 0)
		return -1;
	if (r->beside > 0 && !r->options.in_place)
		return anim_diagnostics_note(diagnostics, NULL, error,
					     "%zu tracks of other nodes below the root go along with it", r->beside);
	return 0;
}

/* ---- The sink ---- */

static int finish_clip(struct root *r, struct anim_error *error)
{
	const struct anim_scope *scope = r->options.diagnostics->scope;
	const struct anim_track *way;
	int done = 0;

	if (!r->in_clip)
		return 0;
	r->in_clip = false;
	if (held_count(&r->held) == 0)
		return 0;
	r->options.diagnostics->scope = r->scope;
	for (int root = 0; root < 2; root++) {
		const char *path = anim_poses_path(&r->poses, root ? r->root : r->hips);

		if (r->names[root] == NULL &&
		    (r->names[root] = anim_tree_name(r->clip.root, path, &r->arena, error)) == NULL)
			return -1;
	}
	if (place_rests(r, error) != 0)
		return -1;
	if ((way = find_way(r)) != NULL)
		done = put_ways(r, way, error);
	for (size_t i = 0; i < held_count(&r->held) && done > 0; i++)
		if (held_at(&r->held, i)->part == ROOT_HIPS_ROTATION &&
		    anim_sink_track(r->filter.next, &held_at(&r->held, i)->track, error) != 0)
			done = -1;
	if (done == 0)
		done = put_lines(r, error);
	if (done < 0 || tell(r, error) != 0)
		return -1;
	r->options.diagnostics->scope = scope;
	return 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct root *r = (struct root *)sink;

	if (finish_clip(r, error) != 0)
		return -1;
	anim_arena_reset(&r->tree_arena);
	r->found = false;
	r->tree_name = tree->root_name;
	if (anim_text_keep(&r->tree_name, &r->tree_arena, error) != 0)
		return -1;
	return anim_filter_tree(sink, tree, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct root *r = (struct root *)sink;

	if (finish_clip(r, error) != 0)
		return -1;
	anim_arena_reset(&r->arena);
	r->held.size = 0;
	r->names[0] = r->names[1] = NULL;
	r->beside = 0;
	r->scope = r->options.diagnostics->scope;
	r->in_clip = true;
	if (anim_clip_copy(&r->clip, clip, &r->arena, error) != 0 || find_both(r, error) != 0)
		return -1;
	return anim_filter_clip(sink, clip, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return finish_clip((struct root *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct root *r = (struct root *)sink;

	anim_arena_clear(&r->tree_arena);
	anim_arena_clear(&r->arena);
	anim_buffer_clear(&r->held);
	anim_buffer_clear(&r->straight);
	anim_buffer_clear(&r->time);
	anim_buffer_clear(&r->motion.poses);
	for (int i = 0; i < ANIM_COLUMN_COUNT; i++) {
		anim_buffer_clear(&r->columns[i]);
		anim_buffer_clear(&r->root_columns[i]);
	}
	anim_filter_free(sink);
}

struct anim_sink *anim_root_new(const struct anim_root_options *options, struct anim_sink *next,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct root *r = anim_filter_new(sizeof *r, &ops, next, error);

	if (r == NULL)
		return NULL;
	r->options = *options;
	r->guesses = options->hips == NULL;
	r->motion.options = &r->options;
	anim_poses_init(&r->poses, 0);
	r->filter.poses = &r->poses;
	return &r->filter.sink;
}
