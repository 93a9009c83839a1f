/* map.c: times through the map, and with them what is counted per second or in seconds. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/retime/internal.h"

double retime_scale(const struct retime_map *map)
{
	double scale = (double)map->den / (double)map->num;

	return map->reverse ? -scale : scale;
}

double retime_time(const struct retime_map *map, double t)
{
	double elapsed = map->reverse ? map->from_s - t : t - map->from_s;

	return map->to_s + elapsed * (double)map->den / (double)map->num;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

bool retime_multiply_rate(uint32_t *num, uint32_t *den, uint32_t by_num, uint32_t by_den)
{
	uint64_t n = (uint64_t)*num * by_num, d = (uint64_t)*den * by_den, divisor = common_divisor(n, d);

	if (n == 0 || d == 0)
		return false;
	n /= divisor;
	d /= divisor;
	if (n > UINT32_MAX || d > UINT32_MAX)
		return false;
	*num = (uint32_t)n;
	*den = (uint32_t)d;
	return true;
}

/* The mode of the segment that ends at key k; before the first key that of the last, where the track goes on. */
static enum anim_interp mode_before(const struct anim_track *track, size_t k)
{
	return anim_track_interp(track, k > 0 ? k - 1 : track->n - 1);
}

static bool is_slope(enum anim_interp mode)
{
	return mode == ANIM_HERMITE || mode == ANIM_WEIGHTED;
}

/* Slopes per second; `scale` has the sign of time. Tangents per segment change with the sign alone. */
static const void *map_slopes(const struct anim_track *track, const void *column, bool before, double scale,
			      struct anim_arena *arena, struct anim_error *error)
{
	const struct anim_type_info *info = &anim_types[track->type];
	uint8_t *out = anim_arena_zeroed(arena, track->n, info->size, error);

	for (size_t k = 0; out != NULL && k < track->n; k++) {
		enum anim_interp mode = before ? mode_before(track, k) : anim_track_interp(track, k);
		double lanes[ANIM_LANES_MAX], factor = is_slope(mode) ? scale : copysign(1, scale);

		memcpy(out + k * info->size, (const uint8_t *)column + k * info->size, info->size);
		if (!is_slope(mode) && mode != ANIM_TANGENT)
			continue;
		for (unsigned lane = 0; lane < info->lanes; lane++)
			lanes[lane] = anim_lane(track->type, column, k, lane) / factor;
		anim_value_store(track->type, lanes, out + k * info->size);
	}
	return out;
}

/* Handles of Bezier2D in seconds; shares of segments stay. */
static const float *map_handles(const struct anim_track *track, const float *column, bool before, double scale,
				struct anim_arena *arena, struct anim_error *error)
{
	size_t lanes = anim_types[track->type].lanes;
	float *out = anim_arena_zeroed(arena, track->n, lanes * sizeof *out, error);

	for (size_t i = 0; out != NULL && i < track->n * lanes; i++) {
		enum anim_interp mode = before ? mode_before(track, i / lanes) : anim_track_interp(track, i / lanes);

		out[i] = mode == ANIM_BEZIER_2D ? (float)((double)column[i] * scale) : column[i];
	}
	return out;
}

static int map_sides(const struct anim_track *track, struct anim_track *out, double scale, struct anim_arena *arena,
		     struct anim_error *error)
{
	if (track->left != NULL) {
		out->left = map_slopes(track, track->left, true, scale, arena, error);
		out->right = map_slopes(track, track->right, false, scale, arena, error);
		if (out->left == NULL || out->right == NULL)
			return -1;
	}
	if (track->left_x != NULL) {
		out->left_x = map_handles(track, track->left_x, true, scale, arena, error);
		out->right_x = map_handles(track, track->right_x, false, scale, arena, error);
		if (out->left_x == NULL || out->right_x == NULL)
			return -1;
	}
	return 0;
}

int retime_map_track(const struct retime_map *map, const struct anim_track *track, struct anim_track *out,
		     struct anim_arena *arena, struct anim_error *error)
{
	double scale = retime_scale(map);
	float *time;

	*out = *track;
	out->record = NULL;
	if (track->n == 0)
		return 0;
	if ((time = anim_arena_zeroed(arena, track->n, sizeof *time, error)) == NULL)
		return -1;
	for (size_t k = 0; k < track->n; k++) {
		time[k] = (float)retime_time(map, (double)track->time[k]);
		if (!isfinite(time[k]))
			return anim_fail(error, ANIM_UNSUPPORTED,
					 "track '%.100s %.100s': key %zu would come to no finite time", track->node,
					 track->property, k);
	}
	out->time = time;
	return scale == 1 || track->kind != ANIM_CURVE ? 0 : map_sides(track, out, scale, arena, error);
}
