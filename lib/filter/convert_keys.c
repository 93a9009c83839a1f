/* convert_keys.c: a Curve track that grows key by key. */
#include "filter/convert_keys.h"

#include <string.h>

void convert_keys_reset(struct convert_keys *keys, enum anim_type type, enum anim_interp cubic)
{
	struct anim_buffer *columns[] = {&keys->time,  &keys->mode,   &keys->value,  &keys->left,
					 &keys->right, &keys->left_x, &keys->right_x};

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		columns[i]->size = 0;
	keys->type = type;
	keys->cubic = cubic;
	keys->arrives = false;
	keys->n = 0;
}

void convert_keys_clear(struct convert_keys *keys)
{
	struct anim_buffer *columns[] = {&keys->time,  &keys->mode,   &keys->value,  &keys->left,
					 &keys->right, &keys->left_x, &keys->right_x};

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		anim_buffer_clear(columns[i]);
}

void convert_controls(const struct convert_piece *piece, enum anim_interp cubic, double right[ANIM_LANES_MAX],
		      double left[ANIM_LANES_MAX], float *right_x, float *left_x)
{
	double third = ((double)piece->to_s - (double)piece->from_s) / 3;

	*right_x = (float)third;
	*left_x = -(float)third;
	for (int i = 0; i < ANIM_LANES_MAX; i++) {
		right[i] = piece->inner[0][i];
		left[i] = piece->inner[1][i];
		if (cubic == ANIM_CUBIC_BEZIER)
			continue;
		right[i] -= piece->from[i];
		left[i] -= piece->to[i];
		if (cubic == ANIM_BEZIER_2D)
			continue;
		right[i] /= third;
		left[i] /= -third;
	}
}

static int append(struct anim_buffer *column, enum anim_type type, const double lanes[ANIM_LANES_MAX],
		  struct anim_error *error)
{
	void *at = anim_buffer_extend(column, anim_types[type].size, error);

	if (at == NULL)
		return -1;
	anim_value_store(type, lanes, at);
	return 0;
}

int convert_keys_add(struct convert_keys *keys, const struct convert_piece *piece, struct anim_error *error)
{
	static const double none[ANIM_LANES_MAX];
	const double *rest = keys->cubic == ANIM_CUBIC_BEZIER ? piece->from : none;
	double right[ANIM_LANES_MAX], left[ANIM_LANES_MAX];
	float right_x = 0, left_x = keys->arrives ? keys->arriving_x : 0, next_x = 0;
	uint8_t mode = (uint8_t)piece->mode;
	bool cubic = piece->mode == keys->cubic;

	memcpy(right, rest, sizeof right);
	memcpy(left, rest, sizeof left);
	if (cubic)
		convert_controls(piece, keys->cubic, right, left, &right_x, &next_x);
	if (anim_buffer_append(&keys->time, &piece->from_s, sizeof piece->from_s, error) != 0 ||
	    anim_buffer_append(&keys->mode, &mode, 1, error) != 0 ||
	    append(&keys->value, keys->type, piece->from, error) != 0 ||
	    append(&keys->left, keys->type, keys->arrives ? keys->arriving : rest, error) != 0 ||
	    append(&keys->right, keys->type, right, error) != 0 ||
	    anim_buffer_append(&keys->left_x, &left_x, sizeof left_x, error) != 0 ||
	    anim_buffer_append(&keys->right_x, &right_x, sizeof right_x, error) != 0)
		return -1;
	memcpy(keys->arriving, left, sizeof left);
	keys->arriving_x = next_x;
	keys->arrives = cubic;
	keys->n++;
	return 0;
}

/* The last key opens no segment: it takes the mode before it, so that a track of one mode stays one. */
static void settle_last(struct convert_keys *keys)
{
	uint8_t *mode = keys->mode.data;

	if (keys->n > 1)
		mode[keys->n - 1] = mode[keys->n - 2];
}

void convert_keys_track(struct convert_keys *keys, struct anim_track *out)
{
	const uint8_t *mode = keys->mode.data;
	bool same = true, cubic = false;

	settle_last(keys);
	for (size_t k = 0; k < keys->n; k++) {
		same = same && mode[k] == mode[0];
		cubic = cubic || mode[k] == keys->cubic;
	}
	out->kind = ANIM_CURVE;
	out->type = keys->type;
	out->n = keys->n;
	out->time = (const float *)(const void *)keys->time.data;
	out->value = keys->value.data;
	out->interp = same ? mode[0] : ANIM_INTERP_COLUMN;
	out->interps = same ? NULL : mode;
	out->left = cubic ? keys->left.data : NULL;
	out->right = cubic ? keys->right.data : NULL;
	out->left_x = cubic && keys->cubic == ANIM_BEZIER_2D ? (const float *)(const void *)keys->left_x.data : NULL;
	out->right_x = cubic && keys->cubic == ANIM_BEZIER_2D ? (const float *)(const void *)keys->right_x.data : NULL;
}
