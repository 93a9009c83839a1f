/* put.c: the bytes of a track, as version 1 has them. */
#include <string.h>

#include "format/animx/coder.h"
#include "format/animx/keys.h"

#define PAIRS ((size_t)32 << 10) /* bytes of keys put together at a time */
#define KEY_MAX 256              /* a tangent pair of double4x4 */

int animx_put_text(struct animx_coder *coder, const char *text, size_t length, struct anim_error *error)
{
	uint8_t head[10];

	if (animx_coder_write(coder, head, animx_put_varint(head, length), error) != 0)
		return -1;
	return animx_coder_write(coder, text, length, error);
}

static int put_name(struct animx_coder *coder, const char *name, struct anim_error *error)
{
	return animx_put_text(coder, name, strlen(name), error);
}

static int put_head(struct animx_coder *coder, const struct anim_track *t, struct anim_error *error)
{
	uint8_t types[2] = {(uint8_t)t->kind, (uint8_t)t->type}, count[10];

	if (animx_coder_write(coder, types, sizeof types, error) != 0 || put_name(coder, t->node, error) != 0 ||
	    put_name(coder, t->property, error) != 0)
		return -1;
	return animx_coder_write(coder, count, animx_put_varint(count, t->n), error);
}

/* Two columns side by side, a few thousand keys at a time. */
static int put_pairs(struct animx_coder *coder, size_t n, size_t first_size, size_t second_size, const uint8_t *first,
		     const uint8_t *second, struct anim_error *error)
{
	uint8_t pairs[PAIRS + KEY_MAX];
	size_t size = first_size + second_size, most = PAIRS / size;

	for (size_t k = 0; k < n; k += most) {
		size_t count = n - k < most ? n - k : most;

		animx_join(pairs, count, first_size, second_size, first + k * first_size, second + k * second_size);
		if (animx_coder_write(coder, pairs, count * size, error) != 0)
			return -1;
	}
	return 0;
}

static int put_string(struct animx_coder *coder, const struct anim_strings *strings, size_t k, struct anim_error *error)
{
	uint8_t present = strings->length[k] != ANIM_NULL_STRING;

	if (animx_coder_write(coder, &present, 1, error) != 0)
		return -1;
	if (present == 0)
		return 0;
	return animx_put_text(coder, strings->bytes + strings->start[k], strings->length[k], error);
}

static int put_strings(struct animx_coder *coder, const struct anim_track *t, bool value_first,
		       struct anim_error *error)
{
	for (size_t k = 0; k < t->n; k++) {
		if (t->time != NULL && !value_first &&
		    animx_coder_write(coder, &t->time[k], sizeof *t->time, error) != 0)
			return -1;
		if (put_string(coder, t->strings, k, error) != 0)
			return -1;
		if (t->time != NULL && value_first &&
		    animx_coder_write(coder, &t->time[k], sizeof *t->time, error) != 0)
			return -1;
	}
	return 0;
}

static int put_raw(struct animx_coder *coder, const struct anim_track *t, struct anim_error *error)
{
	double step_s = t->rate_num != 0 ? (double)t->rate_den / (double)t->rate_num : t->step_s;
	float interval_s = (float)step_s;

	if (animx_coder_write(coder, &interval_s, sizeof interval_s, error) != 0)
		return -1;
	if (t->type == ANIM_STRING)
		return put_strings(coder, t, false, error);
	return animx_coder_write(coder, t->value, t->n * anim_types[t->type].size, error);
}

static int put_keys(struct animx_coder *coder, const struct anim_track *t, bool value_first, struct anim_error *error)
{
	size_t size = anim_types[t->type].size;
	const uint8_t *time = (const uint8_t *)t->time;

	if (t->type == ANIM_STRING)
		return put_strings(coder, t, value_first, error);
	if (value_first)
		return put_pairs(coder, t->n, size, sizeof *t->time, t->value, time, error);
	return put_pairs(coder, t->n, sizeof *t->time, size, time, t->value, error);
}

/* One mode as often as there are keys. */
static int repeat_mode(struct animx_coder *coder, uint8_t mode, size_t n, struct anim_error *error)
{
	uint8_t bytes[256];

	memset(bytes, mode, sizeof bytes);
	for (size_t left = n; left > 0; left -= left < sizeof bytes ? left : sizeof bytes)
		if (animx_coder_write(coder, bytes, left < sizeof bytes ? left : sizeof bytes, error) != 0)
			return -1;
	return 0;
}

/* Each key's mode only where they differ, or mark the track. */
static int put_modes(struct animx_coder *coder, const struct anim_track *t, bool marked, struct anim_error *error)
{
	bool by_key = marked;
	uint8_t bytes[2] = {0, t->n > 0 ? (uint8_t)anim_track_interp(t, 0) : ANIM_HOLD};

	for (size_t k = 1; t->interp == ANIM_INTERP_COLUMN && k < t->n && !by_key; k++)
		by_key = t->interps[k] != t->interps[0];
	bytes[0] = (uint8_t)((by_key ? 1 : 0) | (t->left != NULL ? 2 : 0));
	if (animx_coder_write(coder, bytes, by_key ? 1 : 2, error) != 0)
		return -1;
	if (by_key && t->interp != ANIM_INTERP_COLUMN)
		return repeat_mode(coder, bytes[1], t->n, error);
	return by_key ? animx_coder_write(coder, t->interps, t->n, error) : 0;
}

static int put_tangents(struct animx_coder *coder, const struct anim_track *t, bool right_first,
			struct anim_error *error)
{
	size_t size = anim_types[t->type].size;

	if (t->left == NULL)
		return 0;
	return put_pairs(coder, t->n, size, size, right_first ? t->right : t->left, right_first ? t->left : t->right,
			 error);
}

int animx_put_track(struct animx_coder *coder, const struct anim_write_options *options, const struct anim_track *t,
		    bool marked, struct anim_error *error)
{
	if (put_head(coder, t, error) != 0)
		return -1;
	if (t->kind == ANIM_RAW)
		return put_raw(coder, t, error);
	if (t->kind == ANIM_DISCRETE)
		return put_keys(coder, t, false, error);
	if (put_modes(coder, t, marked, error) != 0 ||
	    put_keys(coder, t, options->key_order == ANIM_ANIMX_VALUE_TIME, error) != 0)
		return -1;
	return put_tangents(coder, t, options->tangent_order == ANIM_ANIMX_RIGHT_LEFT, error);
}
