/* keys.c: tracks that grow key by key with all their columns. */
#include <string.h>

#include "clip/keys.h"
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

void retime_keys_clear(struct retime_keys *keys)
{
	anim_keys_clear(&keys->keys);
}

int retime_keys_begin(struct retime_keys *keys, const struct anim_track *like, struct anim_error *error)
{
	unsigned columns = 0;

	for (enum anim_column id = ANIM_COLUMN_LEFT; id < ANIM_COLUMN_HINT; id++)
		columns |= like->column[id] != NULL ? 1u << id : 0;
	anim_keys_reset(&keys->keys, like->type);
	keys->bends = keys->reaches = keys->weighs = false;
	return anim_keys_reserve(&keys->keys, columns, like->n, error);
}

static int set_lanes(struct retime_keys *keys, enum anim_column id, const double lanes[ANIM_LANES_MAX],
		     struct anim_error *error)
{
	union retime_value value;

	anim_value_store(keys->keys.type, lanes, &value);
	return anim_keys_set(&keys->keys, id, &value, error);
}

int retime_keys_add(struct retime_keys *keys, const struct anim_track *like, const struct retime_key *key,
		    struct anim_error *error)
{
	struct anim_keys *to = &keys->keys;

	keys->bends |= key->mode >= ANIM_TANGENT && key->mode <= ANIM_BEZIER_2D;
	keys->reaches |= key->mode == ANIM_WEIGHTED || key->mode == ANIM_BEZIER_2D;
	keys->weighs |= key->mode == ANIM_WEIGHTED;
	if (anim_keys_add(to, key->time_s, &key->value, key->mode, error) != 0)
		return -1;
	if (like->kind == ANIM_DISCRETE)
		return 0;
	if ((like->left != NULL || keys->bends) && (set_lanes(keys, ANIM_COLUMN_LEFT, key->left, error) != 0 ||
						    set_lanes(keys, ANIM_COLUMN_RIGHT, key->right, error) != 0))
		return -1;
	if (like->left_x != NULL && (anim_keys_set(to, ANIM_COLUMN_LEFT_X, key->left_x, error) != 0 ||
				     anim_keys_set(to, ANIM_COLUMN_RIGHT_X, key->right_x, error) != 0))
		return -1;
	if (like->ease != NULL && anim_keys_set(to, ANIM_COLUMN_EASE, &key->ease, error) != 0)
		return -1;
	return like->weighted == NULL ? 0 : anim_keys_set(to, ANIM_COLUMN_WEIGHTED, &key->weighted, error);
}

void retime_keys_track(struct retime_keys *keys, const struct anim_track *like, struct anim_track *out)
{
	*out = *like;
	out->record = NULL;
	out->flags &= ~ANIM_UNSORTED;
	out->n = keys->keys.n;
	if (out->n == 0)
		return;
	anim_keys_finish(&keys->keys, out);
	if (!keys->reaches)
		out->left_x = out->right_x = NULL;
	if (!keys->weighs)
		out->weighted = NULL;
}
