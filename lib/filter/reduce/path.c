/* path.c: the fewest keys of one track of a joint under the limits of all points that the joint carries. */
#include <string.h>

#include "filter/common/pose_rows.h"
#include "filter/reduce/joints.h"
#include "math/lanes.h"

/*
 * If a track differs from its source by a small rotation w (or a shift), a point that its joint carries is off by E + w x D,
 * and the sphere around it is rotated by B + w. E and B are the errors that other tracks cause, and D is the distance from the
 * joint, all in the space of the joint's parent. A shift w only adds to E. So w is free within a convex set at each frame, and
 * errors of several joints may compensate each other. The fewest keys are a shortest path over all pairs of keys between which
 * the line stays in these sets. Of several such paths the one with the smallest errors leaves most room for other tracks.
 */
#define BLOCK REDUCE_ROUND
#define NUMBERS 10u /* of a point: E, D, B, and the radius of its sphere, as parts of its tolerance */
#define WINDOW 32u  /* keys that a shortest path looks ahead. Longer lines are found by doubling and halving */
/* Keys without a line to them, besides as many as the longest line has, after which no other keys are tried. */
#define FAILURES 6u
#define BACK 4u   /* keys before the end of a longer line from which others may begin */
#define WIDE 2.0f /* radians from the first key of a line to the last */

int reduce_path_begin(struct reduce_path *path, size_t frames, size_t points, struct anim_error *error)
{
	path->padded = (points + BLOCK - 1) / BLOCK * BLOCK;
	path->count = points;
	path->numbers.size = path->nodes.size = path->points.size = 0;
	if (anim_buffer_extend(&path->numbers, frames * path->padded * NUMBERS * sizeof(float), error) == NULL ||
	    anim_buffer_extend(&path->nodes, (frames + 1) * sizeof(struct reduce_path_node), error) == NULL ||
	    anim_buffer_extend(&path->points, (points + 1) * sizeof(struct reduce_path_point), error) == NULL)
		return -1;
	return 0;
}

/* ---- Points ---- */

ANIM_INLINE struct reduce_path_node *nodes_of(const struct reduce_path *path)
{
	return (struct reduce_path_node *)(void *)path->nodes.data;
}

struct reduce_path_node *reduce_path_nodes(struct reduce_path *path)
{
	return nodes_of(path);
}

struct reduce_path_point *reduce_path_points(struct reduce_path *path)
{
	return (struct reduce_path_point *)(void *)path->points.data;
}

/* Return the numbers of a block of points of a frame. */
ANIM_INLINE float *block_at(const struct reduce_path *path, size_t frame, size_t point)
{
	return (float *)(void *)path->numbers.data + (frame * path->padded + point) * NUMBERS;
}

/* Set out to the inverse of a transform that only rotates and moves. */
ANIM_INLINE void invert(double out[ANIM_POSE_NUMBERS], const double a[ANIM_POSE_NUMBERS])
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++)
			out[4 * i + j] = a[4 * j + i];
		out[4 * i + 3] = -(a[i] * a[3] + a[4 + i] * a[7] + a[8 + i] * a[11]);
	}
}

/* Return a part of the rotation from a to b: the cross product of two of their rows. */
ANIM_INLINE float rotation_part(const anim_pose_row a[3], const anim_pose_row b[3], unsigned i, unsigned j)
{
	const anim_pose_row product = b[j] * a[i] - a[j] * b[i];

	return (float)(product[0] + product[1] + product[2]);
}

/* Set a point from the transforms of source and result in the parent's space, times the factor. */
ANIM_INLINE void put_point(float *at, const double *source, const double *result, const double origin[3], float by,
			   double shell)
{
	anim_pose_row a[3], b[3];
	float half = 0.5f * (float)shell * by;

	memcpy(a, source, sizeof a);
	memcpy(b, result, sizeof b);
	for (unsigned i = 0; i < 3; i++) {
		at[i * BLOCK] = (float)(b[i][3] - a[i][3]) * by;
		at[(i + 3) * BLOCK] = (float)(b[i][3] - origin[i]) * by;
	}
	at[6 * BLOCK] = rotation_part(a, b, 1, 2) * half;
	at[7 * BLOCK] = rotation_part(a, b, 2, 0) * half;
	at[8 * BLOCK] = rotation_part(a, b, 0, 1) * half;
	at[9 * BLOCK] = (float)shell * by;
}

ANIM_INLINE void put_frame(struct reduce_path *path, size_t frame, const double *above,
			   const double own[ANIM_POSE_NUMBERS], const double now[ANIM_POSE_NUMBERS], double allowed)
{
	static const double one[ANIM_POSE_NUMBERS] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
	const struct reduce_path_point *points = reduce_path_points(path);
	const double origin[3] = {own[3], own[7], own[11]};
	double inverse[ANIM_POSE_NUMBERS], changed[ANIM_POSE_NUMBERS], source[ANIM_POSE_NUMBERS],
	    result[ANIM_POSE_NUMBERS];

	/* from the world to the parent's space, with the joint's transform replaced by its own */
	invert(inverse, now);
	anim_pose_rows_multiply(changed, own, inverse);
	invert(inverse, above != NULL ? above : one);
	for (size_t i = 0; i < path->padded; i++) {
		float *at = block_at(path, frame, i / BLOCK * BLOCK) + i % BLOCK;

		if (i >= path->count) {
			for (unsigned n = 0; n < NUMBERS; n++)
				at[n * BLOCK] = 0;
			continue;
		}
		anim_pose_rows_multiply(source, inverse, points[i].source + points[i].source_on * frame);
		anim_pose_rows_multiply(result, changed, points[i].result + ANIM_POSE_NUMBERS * frame);
		put_point(at, source, result, origin, (float)(1 / (points[i].tolerance * allowed)), points[i].shell);
	}
	/* a shift moves all points alike */
	for (size_t i = 0; i < path->count && !path->rotates; i++)
		block_at(path, frame, i / BLOCK * BLOCK)[3 * BLOCK + i % BLOCK] =
		    (float)(1 / (points[i].tolerance * allowed));
}

static void put_plain(struct reduce_path *path, size_t frame, const double *above, const double own[ANIM_POSE_NUMBERS],
		      const double now[ANIM_POSE_NUMBERS], double allowed)
{
	put_frame(path, frame, above, own, now, allowed);
}

ANIM_AVX2 static void put_avx2(struct reduce_path *path, size_t frame, const double *above,
			       const double own[ANIM_POSE_NUMBERS], const double now[ANIM_POSE_NUMBERS], double allowed)
{
	put_frame(path, frame, above, own, now, allowed);
}

void reduce_path_put(struct reduce_path *path, size_t frame, const double *above, const double own[ANIM_POSE_NUMBERS],
		     const double now[ANIM_POSE_NUMBERS], double allowed)
{
	(path->wide ? put_avx2 : put_plain)(path, frame, above, own, now, allowed);
}

/* ---- Lines ---- */

/*
 * Return whether all points of a frame are within their tolerance if the value is off by w. Adds the fourth powers of their
 * errors to the sums.
 */
ANIM_INLINE bool is_near(const struct reduce_path *path, size_t frame, const float w[3], bool rotates,
			 float sums[BLOCK])
{
	int32_t far = 0;

	for (size_t point = 0; point < path->padded && far == 0; point += BLOCK) {
		const float *at = block_at(path, frame, point);
		int32_t off[BLOCK];

		for (unsigned n = 0; n < BLOCK; n++) {
			const float *p = at + n;
			float s = rotates ? p[9 * BLOCK] : 0;
			float dx = p[3 * BLOCK], dy = p[4 * BLOCK], dz = p[5 * BLOCK];
			float x = p[0] + (rotates ? w[1] * dz - w[2] * dy : w[0] * dx);
			float y = p[BLOCK] + (rotates ? w[2] * dx - w[0] * dz : w[1] * dx);
			float z = p[2 * BLOCK] + (rotates ? w[0] * dy - w[1] * dx : w[2] * dx);
			float u = p[6 * BLOCK] + w[0] * s, v = p[7 * BLOCK] + w[1] * s, t = p[8 * BLOCK] + w[2] * s;
			float moved = x * x + y * y + z * z, rotated = u * u + v * v + t * t, both = moved + rotated;
			float room = 1 - both;

			/* the roots of both add up to at most 1 */
			off[n] = room < 0 || 4 * moved * rotated > room * room ? -1 : 0;
			sums[n] += both * both;
		}
		for (unsigned n = 0; n < BLOCK; n++)
			far |= off[n];
	}
	return far == 0;
}

/* Set the vector from key a to a frame: a rotation in the space of the parent, or a difference. */
ANIM_INLINE void set_vector(const struct reduce_path *path, size_t a, size_t frame, bool rotates)
{
	struct reduce_path_node *to = &nodes_of(path)[frame];
	const float *p = nodes_of(path)[a].value, *q = to->value;
	float dot, sine, ratio, square;

	if (!rotates) {
		for (unsigned i = 0; i < 3; i++)
			to->vector[i] = q[i] - p[i];
		return;
	}
	dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
	to->vector[0] = p[3] * q[0] - q[3] * p[0] - (q[1] * p[2] - q[2] * p[1]);
	to->vector[1] = p[3] * q[1] - q[3] * p[1] - (q[2] * p[0] - q[0] * p[2]);
	to->vector[2] = p[3] * q[2] - q[3] * p[2] - (q[0] * p[1] - q[1] * p[0]);
	square = to->vector[0] * to->vector[0] + to->vector[1] * to->vector[1] + to->vector[2] * to->vector[2];
	/* the angle over the sine, in a series up to WIDE */
	ratio =
	    2 * (1 + square * (1.0f / 6 + square * (3.0f / 40 + square * (15.0f / 336 + square * (105.0f / 3456)))));
	sine = dot < 0 ? -ratio : ratio;
	for (unsigned i = 0; i < 3; i++)
		to->vector[i] *= sine;
}

/* Return the weight of a line at a time, as an angle from its first key, if the player shows chords. */
ANIM_INLINE float weight_on_chord(float w, float square)
{
	return w - w * (1 - w) * (1 - 2 * w) * square * (1.0f / 24);
}

ANIM_INLINE void cross(const float a[3], const float b[3], float out[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Set w to the difference of the line from key a to key b from the source. */
ANIM_INLINE void difference_at(const struct reduce_path *path, size_t a, size_t b, size_t frame, bool rotates,
			       float w[3])
{
	const struct reduce_path_node *nodes = nodes_of(path);
	const float *v = nodes[frame].vector, *to = nodes[b].vector;
	float weight = (float)((path->time[frame] - path->time[a]) / (path->time[b] - path->time[a])), d[3], c[3], e[3];
	float square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];

	if (rotates && path->chords)
		weight = weight_on_chord(weight, to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
	for (unsigned i = 0; i < 3; i++)
		w[i] = d[i] = weight * to[i] - v[i];
	if (!rotates)
		return;
	/* exp(v + d) = exp(w) exp(v), to first order in d */
	cross(v, d, c);
	cross(v, c, e);
	for (unsigned i = 0; i < 3; i++)
		w[i] += (0.5f - square * (1.0f / 24)) * c[i] + (1.0f / 6 - square * (1.0f / 120)) * e[i];
}

/* Return whether the line from key a to key b is near at all frames between them, and then set the sum of its errors. */
ANIM_INLINE bool fits(struct reduce_path *path, size_t a, size_t b, bool rotates, float *sum)
{
	size_t count = b - a - 1;
	float sums[BLOCK] = {0}, w[3];

	/* beginning in the middle, because most lines fail there */
	for (size_t i = 0; i < count; i++) {
		size_t frame = a + 1 + (i + count / 2) % count;

		path->work += path->count;
		difference_at(path, a, b, frame, rotates, w);
		if (!is_near(path, frame, w, rotates, sums))
			return false;
	}
	*sum = 0;
	for (unsigned n = 0; n < BLOCK; n++)
		*sum += sums[n];
	return true;
}

/* Extend the vectors from key a up to a frame. Returns false if it rotates too far. */
ANIM_INLINE bool extend_vectors(struct reduce_path *path, size_t a, size_t to, size_t *seen, bool rotates)
{
	for (; *seen < to; ++*seen) {
		const float *v;

		set_vector(path, a, *seen + 1, rotates);
		v = nodes_of(path)[*seen + 1].vector;
		if (rotates && !(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < WIDE * WIDE))
			return false;
	}
	return true;
}

/* ---- Paths ---- */

/* Go to key b from key a if this needs fewer keys, or as many with smaller errors. */
ANIM_INLINE void relax(struct reduce_path *path, size_t a, size_t b, float sum)
{
	struct reduce_path_node *from = &nodes_of(path)[a], *to = &nodes_of(path)[b];

	if (from->count + 1 > to->count || (from->count + 1 == to->count && !(from->sum + sum < to->sum)))
		return;
	to->count = from->count + 1;
	to->sum = from->sum + sum;
	to->from = (uint32_t)a;
}

/* Find the farthest key from a key that a line of WINDOW keys reaches, by doubling and halving. */
ANIM_INLINE size_t reach_far(struct reduce_path *path, size_t a, size_t good, size_t last, size_t *seen, bool rotates)
{
	struct reduce_path_node *nodes = nodes_of(path);
	size_t bad = last + 1, step = good - a, near = good;
	float sum, best = 0;

	while (good < last && bad - good > 1) {
		size_t b = bad > last ? (last - good < step ? last : good + step) : good + (bad - good) / 2;

		while (b < bad && b < last && !nodes[b].can)
			b++;
		if (b < bad && extend_vectors(path, a, b, seen, rotates) && fits(path, a, b, rotates, &sum)) {
			good = b;
			best = sum;
			step *= 2;
		} else {
			bad = bad > last ? b : good + (bad - good) / 2;
		}
	}
	if (good > near)
		relax(path, a, good, best);
	return good;
}

/* Try all lines from key a. Returns the next key from which lines are needed. */
ANIM_INLINE size_t try_lines(struct reduce_path *path, size_t a, size_t last, bool rotates)
{
	struct reduce_path_node *nodes = nodes_of(path);
	size_t seen = a, failures = 0, tried = 0, longest = 0, end;

	for (size_t b = a + 1; b <= last && failures < FAILURES + longest; b++) {
		float sum;

		if (!extend_vectors(path, a, b, &seen, rotates))
			return a + 1;
		if (!nodes[b].can)
			continue;
		if (!fits(path, a, b, rotates, &sum)) {
			failures++;
			continue;
		}
		failures = 0;
		longest = b - a;
		relax(path, a, b, sum);
		if (++tried < WINDOW)
			continue;
		end = reach_far(path, a, b, last, &seen, rotates);
		return end - a > 2 * WINDOW ? end - BACK : a + 1;
	}
	return a + 1;
}

ANIM_INLINE void find_path(struct reduce_path *path, size_t first, size_t last, bool rotates)
{
	struct reduce_path_node *nodes = nodes_of(path);
	const float none[3] = {0};
	float sums[BLOCK];

	for (size_t k = first; k <= last; k++) {
		nodes[k].count = k == first ? 0 : UINT32_MAX;
		nodes[k].sum = 0;
		nodes[k].can = nodes[k].kept || (nodes[k].key && is_near(path, k, none, rotates, sums));
	}
	for (size_t a = first; a < last;) {
		bool reached = nodes[a].count < UINT32_MAX;

		a = reached ? try_lines(path, a, last, rotates) : a + 1;
	}
}

ANIM_INLINE void find_any(struct reduce_path *path, size_t first, size_t last)
{
	if (path->rotates)
		find_path(path, first, last, true);
	else
		find_path(path, first, last, false);
}

static void find_plain(struct reduce_path *path, size_t first, size_t last)
{
	find_any(path, first, last);
}

ANIM_AVX2 static void find_avx2(struct reduce_path *path, size_t first, size_t last)
{
	find_any(path, first, last);
}

bool reduce_path_find(struct reduce_path *path, size_t first, size_t last, uint8_t *keep)
{
	struct reduce_path_node *nodes = nodes_of(path);
	size_t before = 0;

	for (size_t k = first + 1; k <= last; k++)
		before += nodes[k].kept;
	(path->wide ? find_avx2 : find_plain)(path, first, last);
	if (nodes[last].count > before)
		return false;
	memset(keep + first, 0, last - first);
	for (size_t k = last; k > first; k = nodes[k].from)
		keep[k] = 1;
	keep[first] = 1;
	return true;
}

void reduce_path_clear(struct reduce_path *path)
{
	anim_buffer_clear(&path->numbers);
	anim_buffer_clear(&path->points);
	anim_buffer_clear(&path->nodes);
}
