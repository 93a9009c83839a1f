/* map.c: columns through a map of lanes. */
#include "filter/axes/map.h"

#include <math.h>
#include <string.h>

void axes_map_init(struct axes_map *map, unsigned lanes)
{
	map->lanes = lanes;
	for (unsigned i = 0; i < AXES_LANES; i++) {
		map->from[i] = (uint8_t)i;
		map->factor[i] = map->divisor[i] = 1;
		map->offset[i] = 0;
	}
}

bool axes_map_pick(struct axes_map *map, uint8_t *component)
{
	unsigned i = 0;

	while (i < map->lanes && map->from[i] != *component)
		i++;
	if (i == map->lanes)
		return false;
	map->lanes = 1;
	map->from[0] = 0;
	map->factor[0] = map->factor[i];
	map->divisor[0] = map->divisor[i];
	map->offset[0] = map->offset[i];
	*component = (uint8_t)i;
	return true;
}

/* No lane changes its place, or more than its sign. */
static bool only_flips(const struct axes_map *map, unsigned lanes)
{
	for (unsigned i = 0; i < map->lanes; i++)
		if (map->from[i] != i || fabs(map->factor[i]) != 1 || map->divisor[i] != 1)
			return false;
	return map->lanes == lanes;
}

bool axes_map_is_identity(const struct axes_map *map, unsigned lanes)
{
	for (unsigned i = 0; i < map->lanes; i++)
		if (map->factor[i] != 1 || map->offset[i] != 0)
			return false;
	return only_flips(map, lanes);
}

/* What is added to a mirrored lane so that its zeros are 0 and never -0; what is not mirrored keeps its zeros' signs. */
static float zero_of(const struct axes_map *map, unsigned lane)
{
	return map->factor[lane] < 0 ? 0.0f : -0.0f;
}

bool axes_map_floats(const struct axes_map *map, const float *from, float *to)
{
	float out[AXES_LANES] = {0};
	bool finite = true;

	for (unsigned i = 0; i < map->lanes; i++) {
		out[i] = (float)((double)from[map->from[i]] * map->factor[i] / map->divisor[i]) + zero_of(map, i);
		finite = finite && isfinite(out[i]);
	}
	memcpy(to, out, map->lanes * sizeof *out);
	return finite;
}

/* to = from times the sign of each lane; exact, also for infinities. */
static void flip_floats(const struct axes_map *map, float *restrict to, const float *restrict from, size_t n)
{
	float sign[AXES_LANES], zero[AXES_LANES];

	for (unsigned i = 0; i < map->lanes; i++) {
		sign[i] = (float)map->factor[i];
		zero[i] = zero_of(map, i);
	}
	if (map->lanes == 3) {
		for (size_t k = 0; k < n; k++)
			for (unsigned i = 0; i < 3; i++)
				to[3 * k + i] = from[3 * k + i] * sign[i] + zero[i];
	} else if (map->lanes == 4) {
		for (size_t k = 0; k < n; k++)
			for (unsigned i = 0; i < 4; i++)
				to[4 * k + i] = from[4 * k + i] * sign[i] + zero[i];
	} else {
		for (size_t k = 0; k < n; k++)
			for (unsigned i = 0; i < map->lanes; i++)
				to[map->lanes * k + i] = from[map->lanes * k + i] * sign[i] + zero[i];
	}
}

static void map_floats(const struct axes_map *map, float *restrict to, const float *restrict from, size_t n,
		       unsigned lanes)
{
	for (size_t k = 0; k < n; k++)
		for (unsigned i = 0; i < map->lanes; i++)
			to[map->lanes * k + i] =
			    (float)((double)from[lanes * k + map->from[i]] * map->factor[i] / map->divisor[i]) +
			    zero_of(map, i);
}

static void map_doubles(const struct axes_map *map, double *restrict to, const double *restrict from, size_t n,
			unsigned lanes)
{
	for (size_t k = 0; k < n; k++)
		for (unsigned i = 0; i < map->lanes; i++)
			to[map->lanes * k + i] =
			    from[lanes * k + map->from[i]] * map->factor[i] / map->divisor[i] + (double)zero_of(map, i);
}

/* Room for n elements of so many bytes, to be filled; NULL on failure. */
static void *room(struct anim_buffer *buffer, size_t n, size_t size, struct anim_error *error)
{
	size_t bytes;

	buffer->size = 0;
	return anim_size_multiply(n, size, &bytes, error) != 0 ? NULL : anim_buffer_extend(buffer, bytes, error);
}

/* *column becomes its image. NULL stays NULL. */
static int map_column(const struct axes_map *map, const struct anim_track *track, struct anim_buffer *buffer,
		      const void **column, struct anim_error *error)
{
	const struct anim_type_info *type = &anim_types[track->type];
	void *to;

	if (*column == NULL || track->n == 0)
		return 0;
	if ((to = room(buffer, track->n, (size_t)map->lanes * type->lane_size, error)) == NULL)
		return -1;
	if (type->scalar == ANIM_SCALAR_F64)
		map_doubles(map, to, *column, track->n, type->lanes);
	else if (only_flips(map, type->lanes))
		flip_floats(map, to, *column, track->n);
	else
		map_floats(map, to, *column, track->n, type->lanes);
	*column = to;
	return 0;
}

/* Weights and times of handles go with their lanes, and have no sign. */
static int map_times(const struct axes_map *map, const struct anim_track *track, struct anim_buffer *buffer,
		     const float **column, struct anim_error *error)
{
	unsigned lanes = anim_types[track->type].lanes;
	float *to;

	if (*column == NULL || track->n == 0 || only_flips(map, lanes))
		return 0;
	if ((to = room(buffer, track->n, map->lanes * sizeof *to, error)) == NULL)
		return -1;
	for (size_t k = 0; k < track->n; k++)
		for (unsigned i = 0; i < map->lanes; i++)
			to[map->lanes * k + i] = (*column)[lanes * k + map->from[i]];
	*column = to;
	return 0;
}

static void add_offset(const struct axes_map *map, const struct anim_track *track, struct anim_buffer *buffer, size_t k)
{
	bool doubles = anim_types[track->type].scalar == ANIM_SCALAR_F64;

	for (unsigned i = 0; i < map->lanes; i++) {
		size_t at = map->lanes * k + i;
		float *number = (float *)(void *)buffer->data + at;

		if (map->offset[i] == 0) /* a zero would lose its sign */
			continue;
		if (doubles)
			((double *)(void *)buffer->data)[at] += map->offset[i];
		else
			*number = (float)((double)*number + map->offset[i]);
	}
}

/* Values move, and so do handles that are told as values: those of CubicBezier. */
static void add_offsets(const struct axes_map *map, const struct anim_track *track,
			struct anim_buffer columns[AXES_COLUMNS])
{
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

static bool has_offset(const struct axes_map *map)
{
	unsigned i = 0;

	while (i < map->lanes && map->offset[i] == 0)
		i++;
	return i < map->lanes;
}

int axes_map_track(const struct axes_map *map, const struct anim_track *track, enum anim_type type,
		   struct anim_buffer columns[AXES_COLUMNS], struct anim_track *out, struct anim_error *error)
{
	out->record = NULL;
	out->type = type;
	if (map_column(map, track, &columns[AXES_VALUE], &out->value, error) != 0 ||
	    map_column(map, track, &columns[AXES_LEFT], &out->left, error) != 0 ||
	    map_column(map, track, &columns[AXES_RIGHT], &out->right, error) != 0 ||
	    map_times(map, track, &columns[AXES_LEFT_X], &out->left_x, error) != 0 ||
	    map_times(map, track, &columns[AXES_RIGHT_X], &out->right_x, error) != 0)
		return -1;
	if (has_offset(map))
		add_offsets(map, track, columns);
	return 0;
}
