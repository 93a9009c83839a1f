/* keys.c: a Curve track that grows key by key. */
#include <string.h>

#include "filter/convert/internal.h"

#define THIRD (1.0f / 3) /* what a handle that is not weighted says */

void convert_keys_reset(struct convert_keys *keys, enum anim_type type, enum anim_interp cubic, enum anim_interp even)
{
	struct anim_buffer *columns[] = {&keys->time,  &keys->mode,   &keys->value,   &keys->left,
					 &keys->right, &keys->left_x, &keys->right_x, &keys->weighted};

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		columns[i]->size = 0;
	keys->type = type;
	keys->cubic = cubic;
	keys->even = even;
	keys->arrives = false;
	keys->n = 0;
}

void convert_keys_clear(struct convert_keys *keys)
{
	struct anim_buffer *columns[] = {&keys->time,  &keys->mode,   &keys->value,   &keys->left,
					 &keys->right, &keys->left_x, &keys->right_x, &keys->weighted};

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		anim_buffer_clear(columns[i]);
}

void convert_controls(const struct convert_piece *piece, enum anim_interp cubic, double right[ANIM_COMPONENTS_MAX],
		      double left[ANIM_COMPONENTS_MAX], float *right_x, float *left_x)
{
	double duration = (double)piece->to_s - (double)piece->from_s;
	double first = piece->weighted ? piece->share[0] * duration : duration / 3;
	double last = piece->weighted ? piece->share[1] * duration : duration / 3;

	*right_x = (float)first;
	*left_x = (float)-last;
	if (cubic != ANIM_BEZIER_2D) {
		*right_x = piece->weighted ? (float)piece->share[0] : THIRD;
		*left_x = piece->weighted ? (float)piece->share[1] : THIRD;
	}
	for (int i = 0; i < ANIM_COMPONENTS_MAX; i++) {
		right[i] = piece->inner[0][i];
		left[i] = piece->inner[1][i];
		if (cubic == ANIM_CUBIC_BEZIER)
			continue;
		right[i] -= piece->from[i];
		left[i] -= piece->to[i];
		if (cubic == ANIM_BEZIER_2D)
			continue;
		right[i] = first > 0 ? right[i] / first : 0;
		left[i] = last > 0 ? left[i] / -last : 0;
	}
}

static int append(struct anim_buffer *column, enum anim_type type, const double components[ANIM_COMPONENTS_MAX],
		  struct anim_error *error)
{
	void *at = anim_buffer_extend(column, anim_types[type].size, error);

	if (at == NULL)
		return -1;
	anim_value_store(type, components, at);
	return 0;
}

int convert_keys_add(struct convert_keys *keys, const struct convert_piece *piece, struct anim_error *error)
{
	static const double none[ANIM_COMPONENTS_MAX];
	const double *rest = keys->cubic == ANIM_CUBIC_BEZIER ? piece->from : none;
	double right[ANIM_COMPONENTS_MAX], left[ANIM_COMPONENTS_MAX];
	float none_x = keys->cubic == ANIM_BEZIER_2D ? 0 : THIRD, right_x = none_x, next_x = none_x;
	float left_x = keys->arrives ? keys->arriving_x : none_x;
	uint8_t mode = (uint8_t)piece->mode, weighted = keys->arrives ? keys->arriving_weighted : 0;
	bool cubic = piece->mode == keys->cubic;

	memcpy(right, rest, sizeof right);
	memcpy(left, rest, sizeof left);
	if (cubic)
		convert_controls(piece, keys->cubic, right, left, &right_x, &next_x);
	if (cubic && piece->weighted)
		weighted |= 2;
	if (anim_buffer_append(&keys->time, &piece->from_s, sizeof piece->from_s, error) != 0 ||
	    anim_buffer_append(&keys->mode, &mode, 1, error) != 0 ||
	    append(&keys->value, keys->type, piece->from, error) != 0 ||
	    append(&keys->left, keys->type, keys->arrives ? keys->arriving : rest, error) != 0 ||
	    append(&keys->right, keys->type, right, error) != 0 ||
	    anim_buffer_append(&keys->left_x, &left_x, sizeof left_x, error) != 0 ||
	    anim_buffer_append(&keys->right_x, &right_x, sizeof right_x, error) != 0 ||
	    anim_buffer_append(&keys->weighted, &weighted, 1, error) != 0)
		return -1;
	memcpy(keys->arriving, left, sizeof left);
	keys->arriving_x = next_x;
	keys->arriving_weighted = cubic && piece->weighted;
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

/* Whether handles have lengths of their own; where Weighted keys have none they get the simpler mode. */
static bool settle_handles(struct convert_keys *keys)
{
	uint8_t *mode = keys->mode.data, weighted = 0;

	if (keys->cubic != ANIM_WEIGHTED)
		return keys->cubic == ANIM_BEZIER_2D;
	for (size_t k = 0; k < keys->n; k++)
		weighted |= keys->weighted.data[k];
	if (weighted != 0)
		return true;
	for (size_t k = 0; k < keys->n; k++)
		mode[k] = mode[k] == ANIM_WEIGHTED ? (uint8_t)keys->even : mode[k];
	keys->cubic = keys->even;
	return false;
}

void convert_keys_track(struct convert_keys *keys, struct anim_track *out)
{
	const uint8_t *mode = keys->mode.data;
	bool same = true, cubic = false, handles;

	settle_last(keys);
	handles = settle_handles(keys);
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
	out->left_x = cubic && handles ? (const float *)(const void *)keys->left_x.data : NULL;
	out->right_x = cubic && handles ? (const float *)(const void *)keys->right_x.data : NULL;
	out->weighted = cubic && handles && keys->cubic == ANIM_WEIGHTED ? keys->weighted.data : NULL;
}
