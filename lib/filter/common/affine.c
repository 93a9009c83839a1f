/* affine.c: apply matrices to columns, and matrices of quaternion products. */
#include "filter/common/affine.h"

#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "math/basis.h"

#define EXACT 1e-12 /* rounding error of products near 0 and 1 */

/* ---- Matrices ---- */

void anim_affine_join(struct anim_affine *out, const struct anim_affine *second, const struct anim_affine *first)
{
	struct anim_affine product = {.components = first->components};

	for (unsigned row = 0; row < first->components; row++) {
		product.offset[row] = second->offset[row];
		for (unsigned k = 0; k < first->components; k++) {
			product.offset[row] += second->m[row][k] * first->offset[k];
			for (unsigned column = 0; column < first->components; column++)
				product.m[row][column] += second->m[row][k] * first->m[k][column];
		}
	}
	*out = product;
}

void anim_affine_rotation(struct anim_affine *out, const double a[4], const double b[4])
{
	const struct anim_affine left = {.components = 4,
					 .m = {{a[3], -a[2], a[1], a[0]},
					       {a[2], a[3], -a[0], a[1]},
					       {-a[1], a[0], a[3], a[2]},
					       {-a[0], -a[1], -a[2], a[3]}}};
	const struct anim_affine right = {.components = 4,
					  .m = {{b[3], b[2], -b[1], b[0]},
						{-b[2], b[3], b[0], b[1]},
						{b[1], -b[0], b[3], b[2]},
						{-b[0], -b[1], -b[2], b[3]}}};

	anim_affine_join(out, &left, &right);
}

/* A mirror keeps rotations about its normal and reverses rotations about axes in its plane. */
void anim_affine_mirror(struct anim_affine *out, unsigned normal)
{
	*out = (struct anim_affine){.components = 4};
	for (unsigned i = 0; i < 4; i++)
		out->m[i][i] = i == normal || i == 3 ? 1 : -1;
}

void anim_affine_basis(struct anim_affine *out, const double *rows)
{
	*out = (struct anim_affine){.components = 3};
	for (unsigned row = 0; row < 3; row++)
		for (unsigned column = 0; column < 3; column++)
			out->m[row][column] = rows == NULL ? row == column : rows[4 * row + column];
}

void anim_affine_about(struct anim_affine *affine, const double from[3], const double to[3])
{
	for (unsigned i = 0; i < 3; i++) {
		affine->offset[i] = to[i];
		for (unsigned k = 0; k < 3; k++)
			affine->offset[i] -= affine->m[i][k] * from[k];
	}
}

/* Return whether each output component depends on at most one input component. */
static bool is_separable(const struct anim_affine *affine)
{
	for (unsigned row = 0; row < affine->components; row++) {
		unsigned from = 0;

		for (unsigned column = 0; column < affine->components; column++)
			from += affine->m[row][column] != 0;
		if (from > 1)
			return false;
	}
	return true;
}

bool anim_affine_is_none(const struct anim_affine *affine)
{
	for (unsigned row = 0; row < affine->components; row++) {
		if (affine->offset[row] != 0)
			return false;
		for (unsigned column = 0; column < affine->components; column++)
			if (affine->m[row][column] != (row == column))
				return false;
	}
	return true;
}

void anim_affine_snap(struct anim_affine *affine)
{
	for (unsigned i = 0; i < affine->components; i++)
		for (unsigned k = 0; k < affine->components; k++)
			if (fabs(affine->m[i][k] - round(affine->m[i][k])) < EXACT)
				affine->m[i][k] = round(affine->m[i][k]);
}

bool anim_affine_invert(struct anim_affine *affine)
{
	return anim_basis_invert(affine->m[0], 4);
}

bool anim_affine_component(struct anim_affine *affine, unsigned component)
{
	if (component >= affine->components)
		return false;
	for (unsigned i = 0; i < affine->components; i++)
		if (i != component && (affine->m[component][i] != 0 || affine->m[i][component] != 0))
			return false;
	affine->m[0][0] = affine->m[component][component];
	affine->offset[0] = affine->offset[component];
	affine->components = 1;
	return true;
}

/* Angles about axes only change their signs if the axes do. Otherwise no angles follow the same path. */
bool anim_affine_angles(struct anim_affine *affine)
{
	if (!is_separable(affine) || affine->m[3][3] == 0)
		return false;
	for (unsigned i = 0; i < 3; i++)
		if (affine->m[i][i] == 0)
			return false;
	for (unsigned i = 0; i < 3; i++)
		affine->m[i][i] *= affine->m[3][3];
	affine->components = 3;
	return true;
}

/* ---- Columns ---- */

/* Return whether the offset applies: to values, and to handles that are stored as values (CubicBezier). */
static bool moves(const struct anim_track *track, enum anim_column id, size_t k)
{
	if (id == ANIM_COLUMN_VALUE)
		return true;
	if (id == ANIM_COLUMN_LEFT && k > 0)
		k--;
	return anim_track_interp(track, k) == ANIM_CUBIC_BEZIER;
}

static bool are_finite(const double *numbers, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!isfinite(numbers[i]))
			return false;
	return true;
}

/* Reserve n elements of the column, which becomes the column of *out. Returns NULL on failure. */
static void *room(struct anim_buffer *buffer, const struct anim_track *track, enum anim_column id,
		  struct anim_track *out, struct anim_error *error)
{
	size_t bytes;
	void *to;

	buffer->size = 0;
	if (anim_size_multiply(track->n, anim_column_size(id, track->type), &bytes, error) != 0)
		return NULL;
	to = anim_buffer_extend(buffer, bytes, error);
	out->column[id] = to;
	return to;
}

/* All rows of a key at once; unused rows are 0. */
typedef double rows_double __attribute__((vector_size(32)));
typedef float rows_float __attribute__((vector_size(16)));

/*
 * Transform values or slopes of floats for many keys, with the same bits as for single keys. Returns false if a result
 * is not finite.
 */
static inline bool map_floats(const struct anim_affine *affine, bool moving, const float *in, float *out, size_t n,
			      unsigned count)
{
	rows_double columns[4] = {{0}}, offset = {0}, sums;
	rows_float numbers, wrong = {0};

	for (unsigned row = 0; row < count; row++) {
		offset[row] = moving ? affine->offset[row] : 0;
		for (unsigned column = 0; column < count; column++)
			columns[column][row] = affine->m[row][column];
	}
	for (size_t k = 0; k < n; k++, in += count, out += count) {
		sums = offset + columns[0] * (double)in[0];
		sums += columns[1] * (double)in[1];
		sums += columns[2] * (double)in[2];
		if (count > 3)
			sums += columns[3] * (double)in[3];
		numbers = __builtin_convertvector(sums, rows_float);
		memcpy(out, &numbers, count * sizeof *out);
		wrong += numbers * 0;
	}
	return wrong[0] + wrong[1] + wrong[2] + wrong[3] == 0;
}

/* Transform one column, with the results of anim_affine_track. A missing column stays missing. */
static int map_column(const struct anim_affine *affine, const struct anim_track *track, enum anim_column id,
		      struct anim_buffer *buffer, struct anim_track *out, struct anim_error *error)
{
	bool parts = is_separable(affine), doubles = anim_types[track->type].scalar == ANIM_SCALAR_F64;
	const bool values = id == ANIM_COLUMN_VALUE;
	unsigned count = affine->components;
	void *to;

	if (track->column[id] == NULL || track->n == 0)
		return 1;
	if ((to = room(buffer, track, id, out, error)) == NULL)
		return -1;
	/* Transform the column as a block if that is possible, otherwise key by key. */
	if (anim_types[track->type].scalar == ANIM_SCALAR_F32 &&
	    (values || !anim_track_has_interp(track, ANIM_CUBIC_BEZIER)) &&
	    ((count == 4 && map_floats(affine, values, track->column[id], to, track->n, 4)) ||
	     (count == 3 && map_floats(affine, values, track->column[id], to, track->n, 3))))
		return 1;
	for (size_t k = 0; k < track->n; k++) {
		const bool offset = moves(track, id, k);
		double in[4], numbers[4];

		anim_components(track->type, track->column[id], k, in);
		for (unsigned row = 0; row < count; row++) {
			numbers[row] = offset ? affine->offset[row] : 0;
			for (unsigned column = 0; column < count; column++)
				if (!parts || affine->m[row][column] != 0) /* with factor 0, it may be infinite */
					numbers[row] += affine->m[row][column] * in[column];
		}
		for (unsigned i = 0; i < count && doubles; i++)
			((double *)to)[count * k + i] = numbers[i];
		for (unsigned i = 0; i < count && !doubles; i++) {
			((float *)to)[count * k + i] = (float)numbers[i];
			numbers[i] = (double)(float)numbers[i];
		}
		if (are_finite(numbers, count))
			continue;
		if (are_finite(in, count))
			return anim_fail(error, ANIM_UNSUPPORTED, "'%s %s' exceeds the range of its number type",
					 track->node, track->property);
		if (!parts)
			return 0;
	}
	return 1;
}

/* Move times and weights of handles with their components. */
static int map_times(const struct anim_affine *affine, const struct anim_track *track, enum anim_column id,
		     struct anim_buffer *buffer, struct anim_track *out, struct anim_error *error)
{
	const float *from = track->column[id];
	bool parts = is_separable(affine);
	unsigned count = affine->components, source[4] = {0, 1, 2, 3};
	float *to;

	if (from == NULL || track->n == 0)
		return 1;
	if ((to = room(buffer, track, id, out, error)) == NULL)
		return -1;
	/* the input component of each component, or any if it has none */
	for (unsigned row = 0; row < count && parts; row++)
		for (unsigned column = count; column-- > 0;)
			if (affine->m[row][column] != 0)
				source[row] = column;
	for (size_t k = 0; k < track->n; k++) {
		const float *times = from + count * k;

		if (!parts) {
			for (unsigned i = 1; i < count; i++)
				if (times[i] != times[0])
					return 0;
		}

		for (unsigned i = 0; i < count; i++)
			to[count * k + i] = from[count * k + source[i]];
	}
	return 1;
}

int anim_affine_track(const struct anim_affine *affine, const struct anim_track *track,
		      struct anim_buffer columns[ANIM_COLUMN_COUNT], struct anim_track *out, struct anim_error *error)
{
	static const enum anim_column values[] = {ANIM_COLUMN_VALUE, ANIM_COLUMN_LEFT, ANIM_COLUMN_RIGHT};
	static const enum anim_column times[] = {ANIM_COLUMN_LEFT_X, ANIM_COLUMN_RIGHT_X};
	int result = 1;

	*out = *track;
	out->record = NULL;
	for (size_t i = 0; i < 3 && result > 0; i++)
		result = map_column(affine, track, values[i], &columns[values[i]], out, error);
	for (size_t i = 0; i < 2 && result > 0; i++)
		result = map_times(affine, track, times[i], &columns[times[i]], out, error);
	return result;
}
