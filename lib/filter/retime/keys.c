/* keys.c: tracks that grow key by key with all their columns. */
#include <string.h>

#include "clip/lane.h"
#include "filter/retime/internal.h"

static void load_lanes(const struct anim_track *track, const void *column, size_t k, double out[ANIM_LANES_MAX])
{
	for (unsigned lane = 0; column != NULL && lane < anim_types[track->type].lanes; lane++)
		out[lane] = anim_lane(track->type, column, k, lane);
}

static void load_floats(const struct anim_track *track, const float *column, size_t k, float out[ANIM_LANES_MAX])
{
	size_t lanes = anim_types[track->type].lanes;

	if (column != NULL)
		memcpy(out, column + k * lanes, lanes * sizeof *out);
}

void retime_key_load(const struct anim_track *track, size_t k, struct retime_key *key)
{
	memset(key, 0, sizeof *key);
	key->time_s = track->time[k];
	key->mode = track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(track, k);
	anim_value_copy(track, k, &key->value);
	load_lanes(track, track->left, k, key->left);
	load_lanes(track, track->right, k, key->right);
	load_floats(track, track->left_x, k, key->left_x);
	load_floats(track, track->right_x, k, key->right_x);
	key->ease = track->ease == NULL ? 1 : track->ease[k];
	key->weighted = track->weighted == NULL ? 0 : track->weighted[k];
}

static struct anim_buffer *const *columns_of(struct retime_keys *keys, struct anim_buffer *list[7])
{
	struct anim_buffer *all[7] = {&keys->modes,   &keys->left, &keys->right,   &keys->left_x,
				      &keys->right_x, &keys->ease, &keys->weighted};

	memcpy(list, all, sizeof all);
	return list;
}

static void reset(struct retime_keys *keys)
{
	struct anim_buffer *list[7];

	anim_steps_reset(&keys->steps);
	columns_of(keys, list);
	for (int i = 0; i < 7; i++)
		list[i]->size = 0;
	keys->bends = keys->reaches = keys->weighs = false;
}

void retime_keys_clear(struct retime_keys *keys)
{
	struct anim_buffer *list[7];

	anim_steps_clear(&keys->steps);
	columns_of(keys, list);
	for (int i = 0; i < 7; i++)
		anim_buffer_clear(list[i]);
}

int retime_keys_begin(struct retime_keys *keys, const struct anim_track *like, struct anim_error *error)
{
	size_t n = like->n, size = anim_types[like->type].size, x_size = anim_types[like->type].lanes * sizeof(float);
	bool text = like->type == ANIM_STRING, curve = like->kind == ANIM_CURVE;
	const struct {
		struct anim_buffer *buffer;
		size_t size;
	} columns[] = {
	    {&keys->steps.time, sizeof(float)},
	    {&keys->steps.value, text ? 0 : size},
	    {&keys->modes, curve},
	    {&keys->left, curve && like->left != NULL ? size : 0},
	    {&keys->right, curve && like->left != NULL ? size : 0},
	    {&keys->left_x, curve && like->left_x != NULL ? x_size : 0},
	    {&keys->right_x, curve && like->left_x != NULL ? x_size : 0},
	    {&keys->ease, curve && like->ease != NULL ? sizeof(float) : 0},
	    {&keys->weighted, curve && like->weighted != NULL},
	};

	reset(keys);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (columns[i].size > 0 && anim_buffer_reserve(columns[i].buffer, n * columns[i].size, error) != 0)
			return -1;
	return 0;
}

/* A slope of key `before` + 1; those before it are 0 where they were not wanted so far. */
static int add_tangent(struct anim_buffer *to, enum anim_type type, size_t before, const double lanes[ANIM_LANES_MAX],
		       struct anim_error *error)
{
	size_t size = anim_types[type].size, missing = before * size - to->size;
	uint8_t *at = anim_buffer_extend(to, missing + size, error);

	if (at == NULL)
		return -1;
	memset(at, 0, missing);
	anim_value_store(type, lanes, at + missing);
	return 0;
}

int retime_keys_add(struct retime_keys *keys, const struct anim_track *like, const struct retime_key *key,
		    struct anim_error *error)
{
	const uint8_t mode = (uint8_t)key->mode;
	size_t before = keys->steps.n, x_bytes = anim_types[like->type].lanes * sizeof(float);

	keys->bends |= key->mode >= ANIM_TANGENT && key->mode <= ANIM_BEZIER_2D;
	keys->reaches |= key->mode == ANIM_WEIGHTED || key->mode == ANIM_BEZIER_2D;
	keys->weighs |= key->mode == ANIM_WEIGHTED;
	if (anim_steps_add(&keys->steps, like->type, key->time_s, &key->value, error) != 0)
		return -1;
	if (like->kind == ANIM_DISCRETE)
		return 0;
	if (anim_buffer_append(&keys->modes, &mode, 1, error) != 0 ||
	    (like->ease != NULL && anim_buffer_append(&keys->ease, &key->ease, sizeof key->ease, error) != 0) ||
	    (like->weighted != NULL && anim_buffer_append(&keys->weighted, &key->weighted, 1, error) != 0))
		return -1;
	if ((like->left != NULL || keys->bends) &&
	    (add_tangent(&keys->left, like->type, before, key->left, error) != 0 ||
	     add_tangent(&keys->right, like->type, before, key->right, error) != 0))
		return -1;
	if (like->left_x != NULL && (anim_buffer_append(&keys->left_x, key->left_x, x_bytes, error) != 0 ||
				     anim_buffer_append(&keys->right_x, key->right_x, x_bytes, error) != 0))
		return -1;
	return 0;
}

/* One mode for all keys stands once. */
static void set_modes(const struct retime_keys *keys, struct anim_track *out)
{
	const uint8_t *modes = keys->modes.data;

	out->interp = modes[0];
	out->interps = NULL;
	for (size_t k = 1; k < out->n; k++)
		if (modes[k] != modes[0]) {
			out->interp = ANIM_INTERP_COLUMN;
			out->interps = modes;
			return;
		}
}

static const float *floats(const struct anim_buffer *buffer, bool stands)
{
	return stands ? (const float *)(const void *)buffer->data : NULL;
}

void retime_keys_track(struct retime_keys *keys, const struct anim_track *like, struct anim_track *out)
{
	struct anim_track steps;
	bool bends = keys->bends || (like->left != NULL && like->kind == ANIM_CURVE);

	anim_steps_track(&keys->steps, like, &steps);
	*out = *like;
	out->record = NULL;
	out->flags &= ~ANIM_UNSORTED;
	out->n = keys->steps.n;
	if (out->n == 0)
		return;
	out->time = steps.time;
	out->value = steps.value;
	out->strings = steps.strings;
	out->hint = NULL;
	if (like->kind == ANIM_DISCRETE)
		return;
	set_modes(keys, out);
	out->left = bends ? keys->left.data : NULL;
	out->right = bends ? keys->right.data : NULL;
	out->left_x = floats(&keys->left_x, like->left_x != NULL && keys->reaches);
	out->right_x = floats(&keys->right_x, like->right_x != NULL && keys->reaches);
	out->weighted = like->weighted != NULL && keys->weighs ? keys->weighted.data : NULL;
	out->ease = floats(&keys->ease, like->ease != NULL);
}
