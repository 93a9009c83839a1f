/* axes.c: conversion of axes between engines: columns of tracks, nodes, and the filter. */
#include "filter/axes/axes.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/advice.h"
#include "base/buffer.h"
#include "base/count.h"
#include "base/input.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/caps.h"
#include "clip/keys.h"
#include "clip/rest.h"
#include "clip/rules.h"
#include "clip/track.h"
#include "filter/filter.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/*
 * Component i of the result is the source's component from[i] * factor[i] / divisor[i] + offset[i]. The offset is not
 * added to slopes and to offsets of handles.
 */
struct axes_map {
	unsigned components; /* of the result */
	uint8_t from[ANIM_COMPONENTS_MAX];
	double factor[ANIM_COMPONENTS_MAX], divisor[ANIM_COMPONENTS_MAX], offset[ANIM_COMPONENTS_MAX];
};

/* The buffers of the columns that axes_map_track makes. */
enum { AXES_VALUE, AXES_LEFT, AXES_RIGHT, AXES_LEFT_X, AXES_RIGHT_X, AXES_COLUMNS };

/* Facts about a node from the tree, in addition to its rest pose. */
struct axes_node {
	bool turned;       /* a camera or light in space: its object is rotated by 180 degrees about Y */
	bool below_turned; /* a child of such a node, which must keep its place */
	bool flat;         /* two-dimensional */
};

struct axes {
	struct anim_filter filter;
	struct anim_axes_options options;
	bool flat; /* the target is two-dimensional */

	/* of the tree */
	bool changes_tree;        /* its axes differ from the target's */
	bool flattens_tree;       /* Unity nodes that may be two-dimensional become so */
	bool is_2d;               /* a file of Unity that is two-dimensional */
	bool has_solids;          /* bones, meshes or lights */
	bool mirrors, lacks;      /* some tree or clip so far was mirrored, or named no axes */
	struct anim_rests rests;  /* the nodes by their paths */
	struct anim_buffer nodes; /* struct axes_node, in the order of rests.items */
	struct anim_arena node_arena;

	/* of the clip */
	bool changes_clip, clip_is_2d;
	bool in_plane, in_space;        /* its tracks so far move something in the plane z = 0, or leave it */
	const struct anim_scope *scope; /* for messages about the clip after its tracks */
	uint8_t from;                   /* the clip's axes before the change; unknown after the change was reported */

	struct anim_buffer columns[AXES_COLUMNS]; /* of the current track */
	struct anim_arena track_arena;
};

/* The result for a track. */
enum axes_verdict { AXES_FAILED = -1, AXES_PASS, AXES_CHANGED, AXES_DROPPED };

/* Largest tilt of a rotation that still counts as a rotation about z: in components of a quaternion, or in radians. */
#define AXES_LEAN 1e-6

/* ======== The columns of a track: components exchanged, negated, scaled, moved ======== */

/* The meaning of a property's components if it is part of a node's transform. */
enum axes_meaning { AXES_NOTHING, AXES_POINT, AXES_QUATERNION, AXES_EULER, AXES_MATRIX, AXES_SCALE, AXES_ANGLE };

/* --- The nodes that tracks animate --- */

/* Return the node that a track animates, or NULL if it is not in the tree. */
static const struct axes_node *find(struct axes *a, const char *node)
{
	const struct anim_rest *rest =
	    (a->filter.clip.flags & ANIM_IN_TREE) != 0 ? anim_rests_find(&a->rests, a->filter.clip.root, node) : NULL;

	return rest == NULL ? NULL : (const struct axes_node *)(const void *)a->nodes.data + (rest - a->rests.items);
}

/*
 * Remove the last name from a path. A path of one name becomes ".", the clip's root. Returns false if it has no parent.
 */
static bool go_up(char *path)
{
	char *slash = strrchr(path, '/');

	if (strcmp(path, ".") == 0)
		return false;
	if (slash == NULL)
		memcpy(path, ".", 2);
	else
		*slash = '\0';
	return *path != '\0';
}

static bool is_camera_or_light(uint8_t kind)
{
	return kind == ANIM_NODE_CAMERA || kind == ANIM_NODE_LIGHT;
}

/* Return a writable copy of at least two bytes. NULL if out of memory, which end() reports. */
static char *copy_path(struct axes *a, const char *node)
{
	size_t size = strlen(node) + 2;
	char *path = anim_arena_zeroed(&a->track_arena, size, 1, NULL);

	a->rests.lacked_memory |= path == NULL;
	return path == NULL ? NULL : memcpy(path, node, size - 2);
}

/* Return the node that a track animates, or its nearest ancestor that is in the tree. */
static const struct axes_node *find_nearest(struct axes *a, const char *node)
{
	const struct axes_node *found = find(a, node);
	char *path = found == NULL && (a->filter.clip.flags & ANIM_IN_TREE) != 0 ? copy_path(a, node) : NULL;

	while (found == NULL && path != NULL && go_up(path))
		found = find(a, path);
	return found;
}

/*
 * Return whether a node looks the other way in the other engine: a camera or light in space. If it is not in the tree, the
 * other scene says that, or the clip has curves of a camera or light there.
 */
static bool is_turned(struct axes *a, const char *node)
{
	const struct axes_node *own = find(a, node);
	const struct anim_rest *rest;

	if (own != NULL)
		return own->turned;
	if (a->options.mirror != ANIM_MIRROR_X)
		return false;
	rest =
	    a->options.scene == NULL ? NULL : anim_rests_find_either(a->options.scene, NULL, a->filter.clip.root, node);
	return rest != NULL ? is_camera_or_light(rest->kind) && !(rest->has & ANIM_HAS_2D)
			    : anim_attrs_list(&a->filter.clip.attrs, ANIM_ATTR_LOOKS, node);
}

/* --- Columns through a map of components --- */

/* Start with a map that changes no component. */
static void map_init(struct axes_map *map, unsigned components)
{
	map->components = components;
	for (unsigned i = 0; i < ANIM_COMPONENTS_MAX; i++) {
		map->from[i] = (uint8_t)i;
		map->factor[i] = map->divisor[i] = 1;
		map->offset[i] = 0;
	}
}

/* Reduce the map to one component. *component becomes its new index. Returns false if the map drops it. */
static bool axes_map_pick(struct axes_map *map, uint8_t *component)
{
	unsigned i = 0;

	while (i < map->components && map->from[i] != *component)
		i++;
	if (i == map->components)
		return false;
	map->components = 1;
	map->from[0] = 0;
	map->factor[0] = map->factor[i];
	map->divisor[0] = map->divisor[i];
	map->offset[0] = map->offset[i];
	*component = (uint8_t)i;
	return true;
}

/* Return whether components keep their places and change at most their signs. */
static bool only_flips(const struct axes_map *map, unsigned components)
{
	for (unsigned i = 0; i < map->components; i++)
		if (map->from[i] != i || fabs(map->factor[i]) != 1 || map->divisor[i] != 1)
			return false;
	return map->components == components;
}

/*
 * Return the zero that is added to a component: 0 for a mirrored one, so that its zeros never become -0, otherwise -0,
 * which keeps the signs of zeros.
 */
static float zero_of(const struct axes_map *map, unsigned component)
{
	return map->factor[component] < 0 ? 0.0f : -0.0f;
}

/* Map the components of one value. `from` and `to` may be equal. Returns false if a number exceeds a float. */
static bool axes_map_floats(const struct axes_map *map, const float *from, float *to)
{
	float out[ANIM_COMPONENTS_MAX] = {0};
	bool finite = true;

	for (unsigned i = 0; i < map->components; i++) {
		out[i] = (float)((double)from[map->from[i]] * map->factor[i] / map->divisor[i]) + zero_of(map, i);
		finite = finite && isfinite(out[i]);
	}
	memcpy(to, out, map->components * sizeof *out);
	return finite;
}

/* to = from times the sign of each component. Exact, also for infinities. */
static void flip_floats(const struct axes_map *map, float *restrict to, const float *restrict from, size_t n)
{
	float sign[ANIM_COMPONENTS_MAX], zero[ANIM_COMPONENTS_MAX];

	for (unsigned i = 0; i < map->components; i++) {
		sign[i] = (float)map->factor[i];
		zero[i] = zero_of(map, i);
	}
	if (map->components == 3) {
		for (size_t k = 0; k < n; k++)
			for (unsigned i = 0; i < 3; i++)
				to[3 * k + i] = from[3 * k + i] * sign[i] + zero[i];
	} else if (map->components == 4) {
		for (size_t k = 0; k < n; k++)
			for (unsigned i = 0; i < 4; i++)
				to[4 * k + i] = from[4 * k + i] * sign[i] + zero[i];
	} else {
		for (size_t k = 0; k < n; k++)
			for (unsigned i = 0; i < map->components; i++)
				to[map->components * k + i] = from[map->components * k + i] * sign[i] + zero[i];
	}
}

/* Return room for n elements of `size` bytes, which the caller fills. NULL on failure. */
static void *room(struct anim_buffer *buffer, size_t n, size_t size, struct anim_error *error)
{
	size_t bytes;

	buffer->size = 0;
	return anim_size_multiply(n, size, &bytes, error) != 0 ? NULL : anim_buffer_extend(buffer, bytes, error);
}

/* Replace *column by its image. NULL stays NULL. */
static int map_column(const struct axes_map *map, const struct anim_track *track, struct anim_buffer *buffer,
		      const void **column, struct anim_error *error)
{
	const struct anim_type_info *type = &anim_types[track->type];
	const float *restrict floats = *column;
	const double *restrict doubles = *column;
	void *to;

	if (*column == NULL || track->n == 0)
		return 0;
	if ((to = room(buffer, track->n, (size_t)map->components * type->component_size, error)) == NULL)
		return -1;
	*column = to;
	if (type->scalar == ANIM_SCALAR_F64) {
		double *restrict out = to;

		for (size_t k = 0; k < track->n; k++)
			for (unsigned i = 0; i < map->components; i++)
				*out++ =
				    doubles[type->components * k + map->from[i]] * map->factor[i] / map->divisor[i] +
				    (double)zero_of(map, i);
	} else if (only_flips(map, type->components)) {
		flip_floats(map, to, floats, track->n);
	} else {
		float *restrict out = to;

		for (size_t k = 0; k < track->n; k++)
			for (unsigned i = 0; i < map->components; i++)
				*out++ = (float)((double)floats[type->components * k + map->from[i]] * map->factor[i] /
						 map->divisor[i]) +
					 zero_of(map, i);
	}
	return 0;
}

/* Weights and times of handles move with their components, and have no sign. */
static int map_times(const struct axes_map *map, const struct anim_track *track, struct anim_buffer *buffer,
		     const float **column, struct anim_error *error)
{
	unsigned components = anim_types[track->type].components;
	float *to;

	if (*column == NULL || track->n == 0 || only_flips(map, components))
		return 0;
	if ((to = room(buffer, track->n, map->components * sizeof *to, error)) == NULL)
		return -1;
	for (size_t k = 0; k < track->n; k++)
		for (unsigned i = 0; i < map->components; i++)
			to[map->components * k + i] = (*column)[components * k + map->from[i]];
	*column = to;
	return 0;
}

static void add_offset(const struct axes_map *map, const struct anim_track *track, struct anim_buffer *buffer, size_t k)
{
	bool doubles = anim_types[track->type].scalar == ANIM_SCALAR_F64;

	for (unsigned i = 0; i < map->components; i++) {
		size_t at = map->components * k + i;
		float *number = (float *)(void *)buffer->data + at;

		if (map->offset[i] == 0) /* adding 0 would change the sign of -0 */
			continue;
		if (doubles)
			((double *)(void *)buffer->data)[at] += map->offset[i];
		else
			*number = (float)((double)*number + map->offset[i]);
	}
}

/*
 * Map the columns of `track` into the buffers. Its type has floats or doubles, and as many components as the map reads.
 * *out is a copy of *track that gets the new columns and the type `type`. Returns 0 or -1.
 */
static int axes_map_track(const struct axes_map *map, const struct anim_track *track, enum anim_type type,
			  struct anim_buffer columns[AXES_COLUMNS], struct anim_track *out, struct anim_error *error)
{
	bool moves = false;

	for (unsigned i = 0; i < map->components; i++)
		moves = moves || map->offset[i] != 0;
	out->record = NULL;
	out->type = type;
	if (map_column(map, track, &columns[AXES_VALUE], &out->value, error) != 0 ||
	    map_column(map, track, &columns[AXES_LEFT], &out->left, error) != 0 ||
	    map_column(map, track, &columns[AXES_RIGHT], &out->right, error) != 0 ||
	    map_times(map, track, &columns[AXES_LEFT_X], &out->left_x, error) != 0 ||
	    map_times(map, track, &columns[AXES_RIGHT_X], &out->right_x, error) != 0)
		return -1;
	if (moves) {
		/* Values are moved, and also the handles of CubicBezier, which are stored as values. */
		for (size_t k = 0; k < track->n; k++) {
			add_offset(map, track, &columns[AXES_VALUE], k);
			if (track->left == NULL)
				continue;
			if (anim_track_interp(track, k > 0 ? k - 1 : 0) == ANIM_CUBIC_BEZIER)
				add_offset(map, track, &columns[AXES_LEFT], k);
			if (anim_track_interp(track, k) == ANIM_CUBIC_BEZIER)
				add_offset(map, track, &columns[AXES_RIGHT], k);
		}
	}
	return 0;
}

/* --- A rotation about z alone as one angle with the opposite sign, as Godot counts it --- */

/* Warn about the track, with its name and `one`. Returns 0 or -1, which are AXES_PASS and AXES_FAILED. */
static int warn(struct axes *a, const struct anim_track *track, const char *what, struct anim_error *error)
{
	return anim_diagnostics_warn(a->options.diagnostics, "track", error, "'%s %s': %s", track->node,
				     track->property, what);
}

/* Warn that the track also rotates about x or y. Returns AXES_PASS. */
static enum axes_verdict axes_stays_in_space(struct axes *a, const struct anim_track *track, struct anim_error *error)
{
	return warn(a, track, "unchanged, because rotations about x or y are not possible in two dimensions", error);
}

/* Return whether a component of the column is always near 0. Infinite slopes only mark steps and do not count. */
static bool is_still(const struct anim_track *track, const void *column, unsigned component, double most)
{
	for (size_t k = 0; column != NULL && k < track->n; k++) {
		double number = fabs(anim_component(track->type, column, k, component));

		if (number > most && isfinite(number))
			return false;
	}
	return true;
}

static bool rotates_in_plane(const struct anim_track *track, double most)
{
	for (unsigned component = 0; component < 2; component++)
		if (!is_still(track, track->value, component, most) || !is_still(track, track->left, component, most) ||
		    !is_still(track, track->right, component, most))
			return false;
	return true;
}

/* Set the names of an angle track. It has no `order` attribute. */
static int name_angle(struct axes *a, const struct anim_track *track, struct anim_track *out, struct anim_error *error)
{
	out->property = "angle";
	out->component = ANIM_WHOLE;
	if (anim_attrs_get(&track->attrs, "order") == NULL)
		return 0;
	return anim_attrs_with(&out->attrs, &track->attrs, "order", NULL, &a->track_arena, error);
}

/*
 * Convert a rotation, or Euler angles of three components, that rotates only about z to one angle with the opposite
 * sign. Returns AXES_PASS with a warning if it also rotates about x or y, or if an angle cannot follow the same curve.
 */
static enum axes_verdict axes_angle_of_euler(struct axes *a, const struct anim_track *track, struct anim_track *out,
					     struct anim_error *error)
{
	double most = track->flags & ANIM_DEGREES ? AXES_LEAN * 180 / ANIM_PI : AXES_LEAN;
	struct axes_map map;

	map_init(&map, 1);
	map.factor[0] = -1;
	if (track->component == ANIM_WHOLE) {
		if (!rotates_in_plane(track, most))
			return axes_stays_in_space(a, track, error);
		map.from[0] = 2;
	}
	if (axes_map_track(&map, track, anim_type_of_component(track->type), a->columns, out, error) != 0)
		return AXES_FAILED;
	return name_angle(a, track, out, error) != 0 ? AXES_FAILED : AXES_CHANGED;
}

/*
 * Between keys an angle follows the same curve as a quaternion if the track holds its value or if both interpolate
 * linearly. That is so if the quaternion's player takes the shorter way at constant speed.
 */
static bool goes_evenly(const struct axes *a, const struct anim_track *track)
{
	bool evenly = track->ease == NULL && !anim_rules_blend_components(&a->filter.clip, track->rules);

	if (track->kind != ANIM_CURVE)
		return evenly || track->kind == ANIM_DISCRETE || track->n < 2;
	for (size_t k = 0; k + 1 < track->n; k++) {
		enum anim_interp interp = anim_track_interp(track, k);

		if (interp != ANIM_HOLD && (interp != ANIM_LINEAR || !evenly))
			return false;
	}
	return true;
}

/* Do the same for a rotation of four components. Each angle is unwrapped to be nearest to the angle before it. */
static enum axes_verdict axes_angle_of_rotation(struct axes *a, const struct anim_track *track, struct anim_track *out,
						struct anim_error *error)
{
	const bool doubles = anim_types[track->type].scalar == ANIM_SCALAR_F64;
	double angle = 0, before;
	void *angles;

	if (!rotates_in_plane(track, AXES_LEAN))
		return axes_stays_in_space(a, track, error);
	if (!goes_evenly(a, track))
		return warn(
		    a, track,
		    "unchanged, because one angle cannot follow curves or single components exactly; " ANIM_ADVICE_TO(
			SAMPLE, "30"),
		    error);
	angles = track->n == 0
		     ? NULL
		     : room(&a->columns[AXES_VALUE], track->n, doubles ? sizeof(double) : sizeof(float), error);
	if (track->n > 0 && angles == NULL)
		return AXES_FAILED;
	for (size_t k = 0; k < track->n; k++) {
		before = isfinite(angle) ? angle : 0;
		angle = 0.0 - 2 * anim_atan2(anim_component(track->type, track->value, k, 2),
					     anim_component(track->type, track->value, k, 3));
		angle = angle + ANIM_TAU * anim_round((before - angle) / ANIM_TAU);
		if (doubles)
			((double *)angles)[k] = angle;
		else
			((float *)angles)[k] = (float)angle;
	}
	if (track->n > 0)
		out->value = angles;
	out->record = NULL;
	out->type = anim_type_of_component(track->type);
	out->left = out->right = NULL;
	out->left_x = out->right_x = out->ease = NULL;
	out->weighted = NULL;
	return name_angle(a, track, out, error) != 0 ? AXES_FAILED : AXES_CHANGED;
}

/* --- Two dimensions: Godot's pixels with +Y down, Unity's units with +Y up --- */

static const struct {
	const char *property;
	enum axes_meaning meaning;
	bool own; /* Unity also has it, with three components */
} flat_meanings[] = {
    {"position", AXES_POINT, true},
    {"global_position", AXES_POINT, false},
    {"transform:origin", AXES_POINT, false},
    {"scale", AXES_SCALE, true},
    {"angle", AXES_ANGLE, false},
    {"global_rotation", AXES_ANGLE, false},
    {"skew", AXES_ANGLE, false},
    {"global_skew", AXES_ANGLE, false},
    {"euler", AXES_EULER, true},
    {"rotation", AXES_QUATERNION, true},
    {"transform", AXES_MATRIX, false},
    {"global_transform", AXES_MATRIX, false},
};

/* Convert component i from Unity's units to pixels, or from pixels to units. */
static void scale_component(const struct axes *a, struct axes_map *map, unsigned i)
{
	if (a->options.target2d == ANIM_AXES2D_GODOT)
		map->factor[i] *= a->options.ppu;
	else
		map->divisor[i] = a->options.ppu;
}

/* Make the map of a two-dimensional point. */
static void flat_point(const struct axes *a, struct axes_map *map)
{
	map_init(map, 2);
	map->factor[1] = -1;
	scale_component(a, map, 0);
	scale_component(a, map, 1);
}

static bool is_of_space(const struct axes *a)
{
	return a->filter.clip.axes == ANIM_AXES_GODOT || a->filter.clip.axes == ANIM_AXES_GLTF;
}

/*
 * Find out whether a track with three Unity components, or with one component of any engine, belongs to a
 * two-dimensional node. Unity's nodes do not say whether they are two-dimensional. Nodes that are not in the tree are
 * assumed to be, because the user asked for two dimensions. Godot's tracks do say, except for a single component of a
 * position. By default, only clips of Godot have doubtful ones: FBX has components of three-dimensional nodes.
 */
static int is_flat(struct axes *a, const struct anim_track *track, enum axes_meaning meaning, bool *flat,
		   struct anim_error *error)
{
	const struct axes_node *nearest = find_nearest(a, track->node);
	bool doubtful = is_of_space(a) && meaning == AXES_POINT && track->component != ANIM_WHOLE &&
			(!a->options.by_default || anim_source_is_godot(a->filter.clip.source));

	*flat = nearest != NULL          ? nearest->flat
		: !a->options.by_default ? doubtful || !is_of_space(a)
					 : doubtful || a->clip_is_2d;
	if (nearest != NULL || !doubtful)
		return 0;
	return warn(a, track, "a single component of a node that is not in the tree was treated as two-dimensional",
		    error);
}

static bool is_zero(const struct anim_track *track, unsigned component)
{
	size_t k = 0;

	while (k < track->n && anim_component(track->type, track->value, k, component) == 0)
		k++;
	return k == track->n;
}

/* Warn that z of the positions, in component `component`, is dropped. */
static int warn_of_depth(struct axes *a, const struct anim_track *track, unsigned component, struct anim_error *error)
{
	if (is_zero(track, component))
		return 0;
	return warn(a, track, "the depth (z) was dropped; use z_index for the draw order in Godot", error);
}

static enum axes_verdict apply(struct axes *a, const struct axes_map *map, const struct anim_track *track,
			       enum anim_type type, struct anim_track *out, struct anim_error *error)
{
	return axes_map_track(map, track, type, a->columns, out, error) != 0 ? AXES_FAILED : AXES_CHANGED;
}

/* Convert a single component. Drops Unity's components that do not exist in two dimensions. */
static enum axes_verdict change_component(struct axes *a, const struct anim_track *track, enum axes_meaning meaning,
					  bool from_unity, struct anim_track *out, struct anim_error *error)
{
	struct axes_map map;

	if (meaning == AXES_POINT && track->component < 2) {
		flat_point(a, &map);
		axes_map_pick(&map, &out->component);
		return apply(a, &map, track, track->type, out, error);
	}
	if (!from_unity || (meaning == AXES_SCALE && track->component < 2))
		return AXES_PASS;
	if (meaning == AXES_EULER && track->component == 2)
		return axes_angle_of_euler(a, track, out, error);
	if (meaning == AXES_POINT)
		return warn_of_depth(a, track, 0, error) != 0 ? AXES_FAILED : AXES_DROPPED;
	if (meaning == AXES_SCALE || (meaning != AXES_QUATERNION && is_zero(track, 0)))
		return AXES_DROPPED;
	return axes_stays_in_space(a, track, error);
}

/* Convert a track that is two-dimensional by its type alone. */
static enum axes_verdict change_whole(struct axes *a, const struct anim_track *track, enum axes_meaning meaning,
				      struct anim_track *out, struct anim_error *error)
{
	const char *variant = anim_attrs_get(&track->attrs, "godot.variant");
	unsigned components = anim_types[track->type].components;
	struct axes_map map;

	if (meaning == AXES_POINT && components == 2) {
		flat_point(a, &map);
	} else if (meaning == AXES_ANGLE && components == 1) {
		/*
		 * Godot wraps degrees at 6.28, as it wraps radians, if it interpolates the short way. It wraps to 0 and
		 * above, so a mirrored track cannot do the same.
		 */
		if ((track->flags & ANIM_DEGREES) && anim_rules_are_godot(track->rules) && track->n >= 2 &&
		    (anim_track_has_interp(track, ANIM_LINEAR_ANGLE) ||
		     anim_track_has_interp(track, ANIM_CUBIC_ANGLE)) &&
		    warn(a, track,
			 "degrees that Godot wraps at 6.28, so the error after mirroring is up to 6.28 "
			 "degrees; " ANIM_ADVICE_TO(SAMPLE, "30"),
			 error) != 0)
			return AXES_FAILED;
		map_init(&map, 1);
		map.factor[0] = -1;
	} else if (meaning == AXES_MATRIX && components == 9 && variant != NULL &&
		   strcmp(variant, "Transform2D") == 0) {
		/* Columns x, y and origin, and a last row 0 0 1, between two mirrors of y. */
		map_init(&map, 9);
		map.factor[1] = map.factor[3] = map.factor[5] = map.factor[7] = -1;
		scale_component(a, &map, 2);
		scale_component(a, &map, 5);
	} else {
		return AXES_PASS;
	}
	return apply(a, &map, track, track->type, out, error);
}

static enum axes_verdict flat_track(struct axes *a, const struct anim_track *track, struct anim_track *out,
				    struct anim_error *error)
{
	size_t row = 0, count = sizeof flat_meanings / sizeof *flat_meanings;
	bool to_godot = a->options.target2d == ANIM_AXES2D_GODOT, flat = false,
	     component = track->component != ANIM_WHOLE;
	unsigned components = anim_types[track->type].components;
	enum axes_meaning meaning;

	while (row < count && strcmp(track->property, flat_meanings[row].property) != 0)
		row++;
	if (row == count || !anim_track_is_transform(track))
		return AXES_PASS;
	meaning = flat_meanings[row].meaning;
	if (!anim_type_is_real(track->type)) {
		/* Godot's integers (Vector2i) cannot store scaled values */
		if (track->type == ANIM_STRING || meaning != AXES_POINT || components != 2)
			return AXES_PASS;
		return warn(a, track, "integers, which cannot be scaled, stay unchanged", error);
	}
	if (!component && (components < 3 || !flat_meanings[row].own || !to_godot))
		return change_whole(a, track, meaning, out, error);
	if (meaning != AXES_ANGLE && is_flat(a, track, meaning, &flat, error) != 0)
		return AXES_FAILED;
	if (!flat)
		return AXES_PASS;
	if (component)
		return change_component(a, track, meaning, to_godot, out, error);

	/* Convert a Unity track of three components. */
	struct axes_map map;

	if (meaning == AXES_EULER)
		return axes_angle_of_euler(a, track, out, error);
	if (meaning == AXES_QUATERNION)
		return axes_angle_of_rotation(a, track, out, error);
	if (meaning == AXES_SCALE)
		map_init(&map, 2);
	else
		flat_point(a, &map);
	if (meaning == AXES_POINT && warn_of_depth(a, track, 2, error) != 0)
		return AXES_FAILED;
	return apply(a, &map, track, track->type == ANIM_FLOAT3 ? ANIM_FLOAT2 : ANIM_DOUBLE2, out, error);
}

/* --- Three dimensions: a mirror, and a rotation of 180 degrees for objects that look along the opposite Z --- */

static const struct {
	const char *property;
	enum axes_meaning meaning;
	unsigned components;
	bool global; /* not relative to the parent node */
} space_meanings[] = {
    {"position", AXES_POINT, 3, false},         {"global_position", AXES_POINT, 3, true},
    {"transform:origin", AXES_POINT, 3, false}, {"rotation", AXES_QUATERNION, 4, false},
    {"quaternion", AXES_QUATERNION, 4, false},  {"euler", AXES_EULER, 3, false},
    {"global_rotation", AXES_EULER, 3, true},   {"transform", AXES_MATRIX, 0, false},
    {"global_transform", AXES_MATRIX, 0, true}, {"basis", AXES_MATRIX, 0, false},
    {"global_basis", AXES_MATRIX, 0, true},
};

/* Return element i of the mirror's diagonal, 1 beyond the axes. */
static double mirror_of(const struct axes *a, unsigned i)
{
	return i == (a->options.mirror == ANIM_MIRROR_X ? 0u : 2u) ? -1 : 1;
}

/* Return element i of the diagonal of a rotation by 180 degrees about Y. */
static double half_rotation_of(unsigned i)
{
	return i == 0 || i == 2 ? -1 : 1;
}

/* Make the map of a three-dimensional point. */
static void space_point(const struct axes *a, bool below_turned, struct axes_map *map)
{
	map_init(map, 3);
	for (unsigned i = 0; i < 3; i++)
		map->factor[i] = mirror_of(a, i) * (below_turned ? half_rotation_of(i) : 1);
}

/* Component i becomes the old component from[i], times sign[i]. */
static void permute(struct axes_map *map, const uint8_t from[4], const double sign[4])
{
	const struct axes_map old = *map;

	for (unsigned i = 0; i < 4; i++) {
		map->from[i] = old.from[from[i]];
		map->factor[i] = old.factor[from[i]] * sign[i];
	}
}

/*
 * Conjugation by the mirror F keeps the rotation about the mirrored axis and reverses the other two. Let h = (0, 1, 0,
 * 0) be the rotation by 180 degrees about Y. A node that looks the other way gets F q F h, and a node below it gets
 * h^-1 F q F. Applying either twice restores q, because the mirror also reverses h.
 */
static void space_rotation(const struct axes *a, bool below_turned, bool turned, struct axes_map *map)
{
	static const uint8_t other_end[4] = {2, 3, 0, 1};

	map_init(map, 4);
	for (unsigned i = 0; i < 3; i++)
		map->factor[i] = -mirror_of(a, i);
	if (turned)
		permute(map, other_end, (const double[4]){-1, 1, 1, -1});
	if (below_turned)
		permute(map, other_end, (const double[4]){-1, -1, 1, 1});
}

/*
 * Moving a rotation by 180 degrees about Y past rotations about X and Z reverses them, and it is added to the rotation
 * about Y. So it can come from either side of the three rotations, whatever their order.
 */
static void map_euler(const struct axes *a, const struct anim_track *track, bool left, bool right, struct axes_map *map)
{
	int known = anim_euler_order_find(anim_attrs_get(&track->attrs, "order"));
	const char *order = anim_euler_order_names[known < 0 ? ANIM_EULER_YXZ : known];
	const char *y = strchr(order, 'Y');

	map_init(map, 3);
	for (unsigned i = 0; i < 3; i++)
		map->factor[i] = -mirror_of(a, i);
	for (const char *axis = order; *axis != '\0'; axis++)
		if ((axis < y && left) || (axis > y && right))
			map->factor[*axis - 'X'] *= -1;
	if (left != right)
		map->offset[1] = track->flags & ANIM_DEGREES ? 180 : ANIM_PI;
}

static void space_matrix(const struct axes *a, unsigned components, bool left, bool right, struct axes_map *map)
{
	unsigned width = components == 16 ? 4 : 3;

	map_init(map, components);
	for (unsigned i = 0; i < components; i++) {
		unsigned row = i / width, column = i % width;

		map->factor[i] = mirror_of(a, row) * mirror_of(a, column);
		map->factor[i] *= (left ? half_rotation_of(row) : 1) * (right ? half_rotation_of(column) : 1);
	}
}

/*
 * Find out whether one component of a property belongs to a node in space. A single component does not say, so the tree
 * must.
 */
static int is_spatial_component(struct axes *a, const struct anim_track *track, enum axes_meaning meaning,
				bool *spatial, struct anim_error *error)
{
	const struct axes_node *nearest = find_nearest(a, track->node);
	bool left_handed = a->filter.clip.axes == ANIM_AXES_UNITY || a->filter.clip.axes == ANIM_AXES_RESONITE;

	/*
	 * Unity tracks of nodes that are not in the tree were assumed to be two-dimensional when two dimensions were
	 * converted.
	 */
	*spatial = nearest != NULL ? !nearest->flat : !(left_handed && a->filter.clip.axes2d == ANIM_AXES2D_GODOT);
	if (meaning != AXES_POINT || !*spatial || find(a, track->node) != NULL ||
	    (track->rules != ANIM_RULES_GODOT4 && track->rules != ANIM_RULES_GODOT3))
		return 0;
	return warn(a, track, "a single component of a node that is not in the tree was treated as three-dimensional",
		    error);
}

static enum axes_verdict space_track(struct axes *a, const struct anim_track *track, struct anim_track *out,
				     struct anim_error *error)
{
	const struct anim_type_info *type = &anim_types[track->type];
	size_t row = 0, count = sizeof space_meanings / sizeof *space_meanings;
	enum axes_meaning meaning;
	struct axes_map map;
	bool holds;

	/* Find the meaning of the property, if a mirror changes it. */
	while (row < count && strcmp(track->property, space_meanings[row].property) != 0)
		row++;
	if (row == count || !anim_type_is_real(track->type) || !anim_track_is_transform(track))
		return AXES_PASS;
	meaning = space_meanings[row].meaning;
	if (meaning == AXES_MATRIX)
		holds = type->matrix && type->components > 4 && anim_attrs_get(&track->attrs, "godot.variant") == NULL;
	else if (track->component == ANIM_WHOLE)
		holds = type->components == space_meanings[row].components;
	else if (is_spatial_component(a, track, meaning, &holds, error) != 0)
		return AXES_FAILED;
	if (!holds)
		return AXES_PASS;

	/*
	 * Find out whether a rotation of 180 degrees about Y is multiplied on the left and the right. A value relative to
	 * the rest pose has the rotation of its node on both sides.
	 */
	const struct axes_node *own = find(a, track->node);
	const bool right = is_turned(a, track->node);
	char *path = own == NULL ? copy_path(a, track->node) : NULL;
	bool left = own != NULL ? own->below_turned : path != NULL && go_up(path) && is_turned(a, path);

	left = track->flags & ANIM_REST_RELATIVE ? right : left && !space_meanings[row].global;
	if (meaning == AXES_POINT)
		space_point(a, left, &map);
	else if (meaning == AXES_QUATERNION)
		space_rotation(a, left, right, &map);
	else if (meaning == AXES_EULER)
		map_euler(a, track, left, right, &map);
	else
		space_matrix(a, type->components, left, right, &map);
	if (track->component != ANIM_WHOLE && !axes_map_pick(&map, &out->component))
		return AXES_PASS;

	/* Pass a track that stays unchanged. */
	bool same = out->component == track->component && only_flips(&map, type->components);

	for (unsigned i = 0; i < map.components; i++)
		same = same && map.factor[i] == 1 && map.offset[i] == 0;
	return same ? AXES_PASS : apply(a, &map, track, track->type, out, error);
}

/* ======== Nodes, and the filter itself ======== */

/* --- Nodes of the tree from one engine's axes to another's --- */

#define POSE_COMPONENTS 10 /* position, rotation, scale */

/* The conversion of a node's own transform. */
struct change {
	struct axes_map point, rotation;
};

/* Read "px py pz qx qy qz qw sx sy sz". Returns 1, 0 if the text has another form, or -1 if out of memory. */
static int read_pose(struct axes *a, const char *pose, float numbers[POSE_COMPONENTS], struct anim_error *error)
{
	size_t length = strlen(pose);
	char *padded = anim_arena_zeroed(&a->node_arena, length + ANIM_INPUT_SLACK, 1, error);
	const char *at = padded;

	if (padded == NULL)
		return -1;
	memcpy(padded, pose, length);
	for (unsigned i = 0; i < POSE_COMPONENTS; i++) {
		while (*at == ' ')
			at++;
		if ((at = anim_number_float(at, padded + length, &numbers[i])) == NULL)
			return 0;
	}
	return 1;
}

static int set_attr(struct axes *a, struct anim_node *out, const char *key, const char *value, struct anim_error *error)
{
	struct anim_attrs attrs = out->attrs;

	return anim_attrs_with(&out->attrs, &attrs, key, value, &a->node_arena, error);
}

/* Convert the attribute godot.pose. An attribute that is not a pose stays unchanged. */
static int change_pose(struct axes *a, const struct change *change, struct anim_node *out, struct anim_error *error)
{
	const char *pose = anim_attrs_get(&out->attrs, "godot.pose");
	char text[POSE_COMPONENTS * (ANIM_NUMBER_MAX + 1)], *to = text;
	float numbers[POSE_COMPONENTS];
	int status = pose == NULL ? 0 : read_pose(a, pose, numbers, error);

	if (status <= 0)
		return status;
	if (!axes_map_floats(&change->point, numbers, numbers) ||
	    !axes_map_floats(&change->rotation, numbers + 3, numbers + 3))
		return 0;
	for (unsigned i = 0; i < POSE_COMPONENTS; i++) {
		to += anim_number_print_float(to, numbers[i]);
		*to++ = i + 1 < POSE_COMPONENTS ? ' ' : '\0';
	}
	return set_attr(a, out, "godot.pose", text, error);
}

static int change_transform(const struct change *change, struct anim_node *out, struct anim_error *error)
{
	bool finite = true;

	if (out->has & ANIM_HAS_POSITION)
		finite = axes_map_floats(&change->point, out->position, out->position);
	if (out->has & ANIM_HAS_ROTATION)
		axes_map_floats(&change->rotation, out->rotation, out->rotation);
	return finite
		   ? 0
		   : anim_fail(error, ANIM_BAD_INPUT, "the position of node '%s' is too large for a float", out->path);
}

static int change_in_space(struct axes *a, const struct axes_node *known, struct anim_node *out,
			   struct anim_error *error)
{
	/* These Godot classes have no place, whatever their parents are. */
	static const char *const placeless[] = {
	    "Node", "AnimationPlayer", "AnimationTree", "AudioStreamPlayer", "Timer", "Tween"};
	static const float identity[4] = {0, 0, 0, 1};
	const bool rotates = known->turned || known->below_turned;
	struct change change;

	space_point(a, known->below_turned, &change.point);
	space_rotation(a, known->below_turned, known->turned, &change.rotation);
	/* A node without a stored rotation has none, so a rotation of 180 degrees must be stored. */
	if (rotates && !(out->has & ANIM_HAS_ROTATION) &&
	    (out->has != 0 || !anim_text_is_one_of(out->type, placeless, ANIM_COUNT(placeless)))) {
		out->has |= ANIM_HAS_ROTATION;
		memcpy(out->rotation, identity, sizeof identity);
	}
	if (!(out->has & (ANIM_HAS_POSITION | ANIM_HAS_ROTATION)))
		return 0;
	out->record = NULL;
	if (change_transform(&change, out, error) != 0)
		return -1;
	/* If the rotation became the identity and the node stores nothing else, an earlier conversion has added it. */
	bool restored = rotates && out->has == ANIM_HAS_ROTATION;

	for (unsigned i = 0; i < 4; i++)
		restored = restored && out->rotation[i] == identity[i];
	if (restored) {
		out->has = 0;
		memcpy(out->rotation, identity, sizeof identity);
	}
	return change_pose(a, &change, out, error);
}

/* Drop the parts of a Unity node that two dimensions do not have, and convert the others. */
static int change_in_plane(struct axes *a, struct anim_node *out, struct anim_error *error)
{
	struct change change;
	const char *skew, *opposite;

	out->record = NULL;
	if (!(out->has & ANIM_HAS_2D)) {
		out->has |= ANIM_HAS_2D;
		out->position[2] = out->rotation[0] = out->rotation[1] = 0;
		out->scale[2] = 1;
	}
	flat_point(a, &change.point);
	map_init(&change.rotation, 4);
	change.rotation.factor[2] = -1;
	if (change_transform(&change, out, error) != 0 || change_pose(a, &change, out, error) != 0)
		return -1;
	/* The attribute godot.skew has the opposite sign. */
	skew = anim_attrs_get(&out->attrs, "godot.skew");
	if (skew == NULL || *skew == '\0')
		return 0;
	opposite = *skew == '-' ? skew + 1 : anim_arena_printf(&a->node_arena, error, "-%s", skew);
	return opposite == NULL ? -1 : set_attr(a, out, "godot.skew", opposite, error);
}

/* --- The filter: which trees, nodes, clips and tracks change --- */

int anim_axes_find(const char *name, enum anim_axes *axes, enum anim_axes2d *axes2d)
{
	static const char *const flat[] = {[ANIM_AXES2D_GODOT] = "godot2d", [ANIM_AXES2D_UNITY] = "unity2d"};

	*axes = ANIM_AXES_UNKNOWN;
	*axes2d = ANIM_AXES2D_UNKNOWN;
	for (int i = ANIM_AXES_GODOT; i < ANIM_AXES_COUNT; i++)
		if (strcasecmp(anim_axes_names[i], name) == 0)
			*axes = (enum anim_axes)i;
	for (int i = ANIM_AXES2D_GODOT; i < ANIM_AXES2D_COUNT; i++)
		if (strcasecmp(flat[i], name) == 0)
			*axes2d = (enum anim_axes2d)i;
	return *axes == ANIM_AXES_UNKNOWN && *axes2d == ANIM_AXES2D_UNKNOWN ? -1 : 0;
}

static bool is_left_handed(enum anim_axes axes)
{
	return axes == ANIM_AXES_UNITY || axes == ANIM_AXES_RESONITE;
}

bool anim_axes_differ(enum anim_axes a, enum anim_axes b)
{
	return a != ANIM_AXES_UNKNOWN && b != ANIM_AXES_UNKNOWN && is_left_handed(a) != is_left_handed(b);
}

/* Take the target from the first tree or clip. */
static void follow(struct axes *a, unsigned found)
{
	if (a->options.follows && a->options.target == ANIM_AXES_UNKNOWN)
		a->options.target = (enum anim_axes)found;
}

/*
 * Find out whether a tree or clip in these axes must change, and replace the axes by the target's. Returns 1 or 0, or
 * -1 with a message if its axes are unknown.
 */
static int resolve(struct axes *a, uint8_t *axes, uint8_t *axes2d, const char *what, const char *name,
		   struct anim_error *error)
{
	unsigned found = a->flat ? *axes2d : *axes;
	bool differs;

	a->lacks = a->lacks || found == 0;
	if (found == 0)
		found = a->flat ? (unsigned)a->options.from2d : (unsigned)a->options.from;
	if (found == 0 && a->options.by_default)
		return 0;
	if (found == 0)
		return anim_fail(error, ANIM_BAD_INPUT,
				 "%s '%s' does not say which %saxes it is in; set them with " ANIM_OPTION_TO(
				     "axes", "from", "godot%s") " (or another)",
				 what, name, a->flat ? "two-dimensional " : "", a->flat ? "2d" : "");
	if (a->flat) {
		*axes2d = (uint8_t)a->options.target2d;
		return found != (unsigned)a->options.target2d;
	}
	*axes = (uint8_t)a->options.target;
	differs = anim_axes_differ((enum anim_axes)found, a->options.target);
	a->mirrors = a->mirrors || differs;
	return differs;
}

/* Return whether a two-dimensional file of Unity has these attributes and is still in Unity's axes. */
static bool is_2d(const struct anim_attrs *attrs, unsigned axes2d)
{
	return axes2d == ANIM_AXES2D_UNITY && anim_attrs_get(attrs, ANIM_ATTR_2D) != NULL;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_tree out = *tree;
	int changes;

	follow(a, tree->axes);
	a->is_2d = is_2d(&tree->attrs, tree->axes2d);
	changes =
	    a->is_2d && !a->flat ? 0 : resolve(a, &out.axes, &out.axes2d, "the tree of", tree->source_file, error);

	if (changes < 0)
		return -1;
	anim_rests_clear(&a->rests);
	a->nodes.size = 0;
	a->has_solids = false;
	a->changes_tree = changes == 1;
	a->flattens_tree = a->flat && a->changes_tree && a->options.target2d == ANIM_AXES2D_GODOT &&
			   (a->is_2d || !a->options.by_default);
	if (out.axes != tree->axes || out.axes2d != tree->axes2d)
		out.record = NULL;
	return anim_filter_tree(sink, &out, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	/*
	 * Unity has no two-dimensional nodes. A node may be meant as one if it has a class that two-dimensional scenes
	 * consist of, or no class, like a scene's own root. Meshes and lights stay in space.
	 */
	static const char *const flat_classes[] = {"", "Transform", "RectTransform", "SpriteRenderer", "Camera"};
	struct axes *a = (struct axes *)sink;
	struct axes_node *known = anim_buffer_extend(&a->nodes, sizeof *known, error);
	const struct axes_node *nodes = (const struct axes_node *)(const void *)a->nodes.data;
	const bool in_space = !(node->has & ANIM_HAS_2D);
	struct anim_node out = *node;

	anim_arena_reset(&a->node_arena);
	if (known == NULL || anim_rests_add(&a->rests, node, error) != 0)
		return -1;

	/* Record the facts about the node. A mirror of Z already reverses the direction in which cameras look. */
	known->flat = !in_space;
	a->has_solids |= node->kind == ANIM_NODE_BONE || node->kind == ANIM_NODE_MESH || node->kind == ANIM_NODE_LIGHT;
	known->turned = in_space && is_camera_or_light(node->kind) && !a->flat && a->options.mirror == ANIM_MIRROR_X;
	known->below_turned = in_space && node->parent < a->rests.count - 1 && nodes[node->parent].turned;
	if (in_space && a->flattens_tree && anim_text_is_one_of(node->type, flat_classes, ANIM_COUNT(flat_classes))) {
		known->flat = !(node->has & ANIM_HAS_ROTATION) || !(fabs((double)node->rotation[0]) > AXES_LEAN ||
								    fabs((double)node->rotation[1]) > AXES_LEAN);
		if (!known->flat) {
			if (anim_diagnostics_warn(a->options.diagnostics, "node", error,
						  "'%s': rotated about x or y, so still three-dimensional",
						  node->path) != 0)
				return -1;
		} else if (node->position[2] != 0 && node->kind != ANIM_NODE_CAMERA &&
			   anim_diagnostics_warn(
			       a->options.diagnostics, "node", error,
			       "'%s': the depth (z) was dropped; use z_index for the draw order in Godot",
			       node->path) != 0) {
			return -1;
		}
	}
	if (a->changes_tree && known->flat == a->flat &&
	    (a->flat ? change_in_plane(a, &out, error) : change_in_space(a, known, &out, error)) != 0)
		return -1;
	return anim_filter_node(sink, &out, error);
}

static bool is_varied(const struct anim_track *track, unsigned first, unsigned last)
{
	for (size_t k = 1; k < track->n; k++)
		for (unsigned i = first; i <= last; i++)
			if (anim_component(track->type, track->value, k, i) !=
			    anim_component(track->type, track->value, 0, i))
				return true;
	return false;
}

/* Find out whether the track moves its node in the plane z = 0, or out of it. */
static void check_plane(struct axes *a, const struct anim_track *track)
{
	unsigned components = anim_types[track->type].components;
	bool position = strcmp(track->property, "position") == 0, euler = strcmp(track->property, "euler") == 0;
	bool rotation = strcmp(track->property, "rotation") == 0, whole = track->component == ANIM_WHOLE, stays, moves;

	if (!(position || euler || rotation) || !anim_type_is_real(track->type) || !anim_track_is_transform(track)) {
		a->in_space |= strncmp(track->property, "blend_shape/", 12) == 0;
		return;
	}
	if (whole && components < 3)
		return;
	if (position) {
		stays = whole ? is_still(track, track->value, 2, 0) : track->component < 2 || is_zero(track, 0);
		moves = is_varied(track, 0, whole ? 1 : 0);
	} else {
		stays = whole ? rotates_in_plane(track, AXES_LEAN) : track->component >= 2 || is_zero(track, 0);
		/* Many clips of space have only quaternions about z. */
		moves = euler && (whole ? is_varied(track, 2, 2) : is_varied(track, 0, 0));
	}
	a->in_plane |= stays && moves;
	a->in_space |= !stays;
}

/* Add the note about the clip that ends, if it needs one. Returns 0 or -1. */
static int ask_about_plane(struct axes *a, struct anim_error *error)
{
	struct anim_diagnostics *diagnostics = a->options.diagnostics;
	const struct anim_scope *now = diagnostics->scope;
	int result = 0;

	if (a->in_plane && !a->in_space && !((a->filter.clip.flags & ANIM_IN_TREE) && a->has_solids) &&
	    !a->changes_clip && !anim_source_is_godot(a->filter.clip.source)) {
		diagnostics->scope = a->scope;
		result =
		    anim_diagnostics_note(diagnostics, "clip", error,
					  "motion only in the plane z = 0; if that is two-dimensional, " ANIM_ADVICE_TO(
					      FLAT_AXES, "godot2d"));
		diagnostics->scope = now;
	}
	a->in_plane = a->in_space = false;
	a->scope = now;
	return result;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_clip out = *clip;
	bool stays;
	int changes;

	follow(a, clip->axes);
	if (ask_about_plane(a, error) != 0)
		return -1;
	/* A two-dimensional file keeps its axes until they become Godot's two-dimensional axes, and only such a file. */
	a->clip_is_2d = is_2d(&clip->attrs, clip->axes2d) ||
			((clip->flags & ANIM_IN_TREE) && a->is_2d && clip->axes2d == ANIM_AXES2D_UNITY);
	stays = a->flat ? a->options.by_default && a->options.target2d == ANIM_AXES2D_GODOT && !a->clip_is_2d &&
			      strcmp(clip->source, "unity") == 0
			: a->clip_is_2d;
	changes = stays ? 0 : resolve(a, &out.axes, &out.axes2d, "clip", clip->name, error);
	if (changes < 0)
		return -1;
	if (anim_filter_keep(&a->filter, clip, error) != 0)
		return -1;
	a->changes_clip = changes == 1;
	a->from = clip->axes;
	if (out.axes != clip->axes || out.axes2d != clip->axes2d)
		out.record = NULL;
	return anim_filter_clip(sink, &out, error);
}

/* Report a change of pixels once per clip. Clips with the same message are reported together. */
static int report_change(struct axes *a, struct anim_error *error)
{
	bool is_first = a->from != ANIM_AXES_UNKNOWN;
	char ppu[ANIM_NUMBER_MAX];

	a->from = ANIM_AXES_UNKNOWN;
	if (!a->options.by_default || !is_first || !a->flat)
		return 0;
	ppu[anim_number_print_double(ppu, a->options.ppu)] = '\0';
	if (a->options.target2d == ANIM_AXES2D_GODOT)
		return anim_diagnostics_note(a->options.diagnostics, NULL, error,
					     "converted from units with +Y up to Godot's pixels with +Y down: one unit "
					     "is %s pixels (" ANIM_OPTION("axes", "ppu") ")",
					     ppu);
	return anim_diagnostics_note(a->options.diagnostics, NULL, error,
				     "converted from Godot's pixels with +Y down to units with +Y up: %s "
				     "pixels are one unit (" ANIM_OPTION("axes", "ppu") ")",
				     ppu);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_track out = *track;
	enum axes_verdict verdict = AXES_PASS;

	anim_arena_reset(&a->track_arena);
	if (a->options.asks && !a->in_space)
		check_plane(a, track);
	if (a->changes_clip)
		verdict = (a->flat ? flat_track : space_track)(a, track, &out, error);
	if (verdict == AXES_FAILED || (verdict != AXES_PASS && report_change(a, error) != 0))
		return -1;
	return verdict == AXES_DROPPED ? 0 : anim_filter_track(sink, &out, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;

	if (anim_rests_check(&a->rests, error) != 0 || ask_about_plane(a, error) != 0 ||
	    (a->options.scene != NULL && anim_rests_check(a->options.scene, error) != 0))
		return -1;
	if (a->options.mirror_given && !a->mirrors &&
	    anim_diagnostics_note(a->options.diagnostics, NULL, error,
				  ANIM_OPTION("axes", "flip") " has no effect, because no axis has to be mirrored") !=
		0)
		return -1;
	if (a->options.from_given && !a->lacks &&
	    anim_diagnostics_note(a->options.diagnostics, NULL, error,
				  ANIM_OPTION("axes", "from") " has no effect, because all clips name their axes") != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct axes *a = (struct axes *)sink;

	anim_arena_clear(&a->node_arena);
	anim_arena_clear(&a->track_arena);
	anim_rests_clear(&a->rests);
	anim_buffer_clear(&a->nodes);
	for (int i = 0; i < AXES_COLUMNS; i++)
		anim_buffer_clear(&a->columns[i]);
	anim_filter_free(sink);
}

struct anim_sink *anim_axes_new(const struct anim_axes_options *options, struct anim_sink *next,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, NULL, on_end, on_free};
	struct axes *a = anim_filter_new(sizeof *a, &ops, next, error);

	if (a == NULL)
		return NULL;
	a->options = *options;
	a->flat = options->target2d != ANIM_AXES2D_UNKNOWN;
	a->filter.clip.root = ".";
	return &a->filter.sink;
}
