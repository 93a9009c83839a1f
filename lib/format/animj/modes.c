/* modes.c: what AnimJ can play between two keys, and what it cannot. */
#include <string.h>

#include "format/animj/writer.h"

/* What a track is, said after "track 'x' is"; NULL: AnimJ holds the mode. */
static const char *const mode_phrases[ANIM_INTERP_COUNT] = {
    [ANIM_HERMITE] = "a Hermite curve",
    [ANIM_WEIGHTED] = "a weighted curve",
    [ANIM_BEZIER_2D] = "a Bezier curve with handles in time",
    [ANIM_CUBIC_TIME] = "cubic (Godot 4)",
    [ANIM_CUBIC_UNIFORM] = "cubic (Godot 3)",
    [ANIM_LINEAR_ANGLE] = "linear by the shortest angle",
    [ANIM_CUBIC_ANGLE] = "cubic by the shortest angle",
};

static int refuse(const struct animj_track *track, const char *phrase, struct anim_error *error)
{
	return anim_fail(error, ANIM_UNSUPPORTED,
			 "track '%s' is %s; animj cannot hold it: put 'anim-resample 30' before this", track->label,
			 phrase);
}

/* The mode of key k with its ease taken in: Godot's transition 0 holds; another one than 1 bends a linear segment. */
static int eased_mode(const struct animj_track *track, size_t k, uint8_t *mode, struct anim_error *error)
{
	const struct anim_track *t = &track->track;
	enum anim_interp interp = anim_track_interp(t, k);

	*mode = (uint8_t)interp;
	if (mode_phrases[interp] != NULL)
		return refuse(track, mode_phrases[interp], error);
	if (t->ease == NULL || interp != ANIM_LINEAR || t->ease[k] == 1 || k + 1 == t->n)
		return 0;
	if (t->ease[k] != 0)
		return refuse(track, "eased", error);
	*mode = ANIM_HOLD;
	return 0;
}

static int modes_of_keys(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;
	uint8_t *modes = anim_arena_alloc(&writer->scratch, t->n, error);

	if (modes == NULL)
		return -1;
	for (size_t k = 0; k < t->n; k++)
		if (eased_mode(track, k, &modes[k], error) != 0)
			return -1;
	t->interp = ANIM_INTERP_COLUMN;
	t->interps = modes;
	return 0;
}

static void hold_all(struct anim_track *t)
{
	t->interp = ANIM_HOLD;
	t->interps = NULL;
	t->left = t->right = NULL;
}

/* Strings: Resonite does not blend them as Godot's typewriter does; what came from it stays. */
static int hold_strings(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;
	bool blends = anim_track_has_interp(t, ANIM_LINEAR) && t->n > 1;

	if (t->rules == ANIM_RULES_RESONITE)
		return 0;
	hold_all(t);
	if (!blends)
		return 0;
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
			       "string tracks that blend from text to text are held in animj", error,
			       "track '%s' blends from text to text; animj holds each", track->label);
}

static bool any_byte(const void *column, size_t size)
{
	const uint8_t *bytes = column;

	for (size_t i = 0; i < size; i++)
		if (bytes[i] != 0)
			return true;
	return false;
}

/* Tangents that no key of the track uses: Resonite's own are told, others are what a conversion left. */
static int drop_tangents(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;
	size_t size = t->n * anim_types[t->type].size;
	bool some = t->rules == ANIM_RULES_RESONITE && t->left != NULL && t->right != NULL &&
		    (any_byte(t->left, size) || any_byte(t->right, size));

	t->left = t->right = NULL;
	if (!some)
		return 0;
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
			       "tracks have tangents that no key uses (Hold and Linear have none); dropped", error,
			       "track '%s' has tangents that no key uses (Hold and Linear have none); dropped",
			       track->label);
}

int animj_modes(struct animj_writer *writer, struct animj_track *track, struct anim_error *error)
{
	struct anim_track *t = &track->track;
	int result = 0;

	if (t->kind != ANIM_CURVE)
		return 0;
	if (t->type == ANIM_STRING)
		result = hold_strings(writer, track, error);
	else if (t->n == 1 && (t->rules != ANIM_RULES_RESONITE || mode_phrases[anim_track_interp(t, 0)] != NULL))
		hold_all(t); /* one key is a constant, whatever its mode */
	else if (t->interp == ANIM_INTERP_COLUMN || t->ease != NULL)
		result = modes_of_keys(writer, track, error);
	else if (mode_phrases[t->interp] != NULL)
		result = refuse(track, mode_phrases[t->interp], error);
	if (result == 0 && !anim_track_has_interp(t, ANIM_CUBIC_BEZIER) && !anim_track_has_interp(t, ANIM_TANGENT))
		result = drop_tangents(writer, track, error);
	t->ease = NULL;
	return result;
}
