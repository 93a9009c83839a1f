/* reverse.c: keys in the other order: what a key began it ends now. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/retime/internal.h"

static bool is_godot(const struct anim_track *track)
{
	return track->rules == ANIM_RULES_GODOT4 || track->rules == ANIM_RULES_GODOT3;
}

bool retime_wraps(const struct anim_clip *clip, const struct anim_track *track)
{
	return track->kind != ANIM_RAW && is_godot(track) && clip->loop != ANIM_LOOP_NONE &&
	       (track->flags & ANIM_LOOP_WRAP_KEYS) != 0 && track->interp != ANIM_BEZIER_2D;
}

/* A transition of 0 holds, for players that heed transitions. */
static bool ease_holds(const struct anim_track *track, size_t k)
{
	return track->ease != NULL && track->ease[k] == 0 && track->rules != ANIM_RULES_RESONITE &&
	       !(is_godot(track) && track->interp == ANIM_BEZIER_2D);
}

/* True where the segment that key k opens shows nothing but that key. */
static bool holds(const struct anim_track *track, size_t k)
{
	if (anim_track_is_event(track))
		return false;
	return track->kind == ANIM_DISCRETE || anim_track_interp(track, k) == ANIM_HOLD || ease_holds(track, k);
}

static bool steps_lane(const struct anim_track *track, size_t k, unsigned lane)
{
	enum anim_interp mode;

	if (holds(track, k))
		return true;
	mode = track->kind == ANIM_CURVE ? anim_track_interp(track, k) : ANIM_HOLD;
	if ((mode != ANIM_HERMITE && mode != ANIM_WEIGHTED) || k + 1 >= track->n)
		return false;
	return !isfinite(anim_lane(track->type, track->right, k, lane)) ||
	       !isfinite(anim_lane(track->type, track->left, k + 1, lane));
}

static unsigned stepping_lanes(const struct anim_track *track, size_t k)
{
	unsigned count = 0;

	for (unsigned lane = 0; lane < anim_types[track->type].lanes; lane++)
		count += steps_lane(track, k, lane);
	return count;
}

static bool steps_all(const struct anim_track *track, size_t k)
{
	return holds(track, k) || stepping_lanes(track, k) == anim_types[track->type].lanes;
}

static bool has_cubics(const struct anim_track *track)
{
	return track->kind == ANIM_CURVE &&
	       (anim_track_has_interp(track, ANIM_CUBIC_TIME) || anim_track_has_interp(track, ANIM_CUBIC_UNIFORM) ||
		anim_track_has_interp(track, ANIM_CUBIC_ANGLE));
}

/* Blends that favour the key they come from: Godot's of texts, 3.x's of bools and planes. */
static bool is_lopsided(const struct anim_track *track)
{
	const char *variant = anim_attrs_get(&track->attrs, "godot.variant");

	if (track->kind != ANIM_CURVE || !is_godot(track) || track->interp == ANIM_HOLD || anim_track_is_event(track))
		return false;
	if (track->type == ANIM_STRING)
		return true;
	return track->rules == ANIM_RULES_GODOT3 && (anim_types[track->type].scalar == ANIM_SCALAR_BOOL ||
						     (variant != NULL && strcmp(variant, "Plane") == 0));
}

bool retime_reverse_wants_alone(const struct anim_clip *clip, const struct anim_track *track)
{
	if (is_lopsided(track))
		return true;
	if (!has_cubics(track))
		return false;
	if (retime_wraps(clip, track) && clip->loop == ANIM_LOOP_PINGPONG)
		return true;
	for (size_t k = 0; k < track->n; k++)
		if (holds(track, k))
			return true;
	return false;
}

/* x^c backwards is 1 - (1 - x)^c, which is the transition 1/c; those that bend on both sides are their own mirror. */
static float turned_ease(float ease)
{
	return ease > 0 ? (float)(1 / (double)ease) : ease;
}

struct turn {
	struct retime_keys *keys;
	const struct anim_track *track;
	bool wraps;
	float last_s;
	struct anim_error *error;
};

/* The segment that leads to key k, which key k opens in the other order; -1: none. */
static ptrdiff_t segment_behind(const struct turn *turn, size_t k)
{
	return k > 0 ? (ptrdiff_t)k - 1 : turn->wraps ? (ptrdiff_t)turn->track->n - 1 : -1;
}

static void load_turned(const struct turn *turn, size_t k, struct retime_key *key)
{
	const struct anim_track *track = turn->track;
	size_t before = k > 0 ? k - 1 : track->n - 1;
	struct retime_key own;

	retime_key_load(track, k, &own);
	*key = own;
	memcpy(key->left, own.right, sizeof key->left);
	memcpy(key->right, own.left, sizeof key->right);
	memcpy(key->left_x, own.right_x, sizeof key->left_x);
	memcpy(key->right_x, own.left_x, sizeof key->right_x);
	key->weighted = (uint8_t)((own.weighted & 1) << 1 | (own.weighted & 2) >> 1);
	key->mode = track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(track, before);
	key->ease = track->ease == NULL ? 1 : turned_ease(track->ease[before]);
}

/* Gives the key the values of the one before it in all lanes that hold those. */
static void take_held(const struct turn *turn, size_t segment, struct retime_key *key)
{
	const struct anim_track *track = turn->track;
	double lanes[ANIM_LANES_MAX] = {0};
	struct anim_track one = *track;

	if (steps_all(track, segment)) {
		anim_value_copy(track, segment, &key->value);
		return;
	}
	one.value = &key->value;
	anim_value_load(&one, 0, lanes);
	for (unsigned lane = 0; lane < anim_types[track->type].lanes; lane++)
		if (steps_lane(track, segment, lane))
			lanes[lane] = anim_lane(track->type, track->value, segment, lane);
	anim_value_store(track->type, lanes, &key->value);
}

/* Lanes that hold from the twin on hold until it; all do where the twin comes later. */
static void hold_until_twin(const struct turn *turn, size_t segment, bool later, struct retime_key *key)
{
	for (unsigned lane = 0; lane < anim_types[turn->track->type].lanes; lane++)
		if ((key->mode == ANIM_HERMITE || key->mode == ANIM_WEIGHTED) &&
		    (later || steps_lane(turn->track, segment, lane)))
			key->right[lane] = INFINITY;
}

static bool end_holds(const struct anim_track *track, uint8_t ends)
{
	return ends == ANIM_ENDS_HOLD || track->rules == ANIM_RULES_RESONITE || is_godot(track);
}

/* The value of key k itself is seen nowhere in the other order: what lies on both of its sides steps. */
static bool is_hidden(const struct turn *turn, size_t k)
{
	const struct anim_track *track = turn->track;
	ptrdiff_t behind = segment_behind(turn, k);
	bool ahead_steps = k + 1 < track->n ? steps_all(track, k) : turn->wraps && steps_all(track, k);

	if (!ahead_steps)
		return false;
	return behind >= 0 ? steps_all(track, (size_t)behind) : end_holds(track, track->before);
}

/*
 * Key k, and where lanes step, a second key with what they hold from here on. What the last key shows to the clip's end
 * is seen from the clip's start on.
 */
static int add_turned(const struct turn *turn, size_t k)
{
	const struct anim_track *track = turn->track;
	ptrdiff_t behind = segment_behind(turn, k);
	bool steps = behind >= 0 && (steps_all(track, (size_t)behind) || stepping_lanes(track, (size_t)behind) > 0);
	bool hidden = is_hidden(turn, k);
	struct retime_key key, twin;

	load_turned(turn, k, &key);
	twin = key;
	if (steps) {
		bool later =
		    k + 1 == track->n && !turn->wraps && end_holds(track, track->after) && key.time_s < turn->last_s;

		take_held(turn, (size_t)behind, &twin);
		hold_until_twin(turn, (size_t)behind, later, &key);
		key.time_s = later ? turn->last_s : key.time_s;
	}
	if (!hidden && retime_keys_add(turn->keys, track, &key, turn->error) != 0)
		return -1;
	if (!steps || (!hidden && anim_value_equal(track->type, &key.value, &twin.value)))
		return 0;
	return retime_keys_add(turn->keys, track, &twin, turn->error);
}

int retime_reverse(struct retime_keys *keys, const struct anim_clip *clip, const struct anim_track *track, float last_s,
		   struct anim_track *out, struct anim_error *error)
{
	/* A ping-pong clip comes back the way it went: past its ends the outermost keys hold. */
	bool wraps = retime_wraps(clip, track) && clip->loop == ANIM_LOOP_WRAP;
	const struct turn turn = {keys, track, wraps, last_s, error};

	if (retime_keys_begin(keys, track, error) != 0)
		return -1;
	for (size_t k = track->n; k-- > 0;)
		if (add_turned(&turn, k) != 0)
			return -1;
	retime_keys_track(keys, track, out);
	out->before = track->after;
	out->after = track->before;
	return 0;
}
