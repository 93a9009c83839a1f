/* prepare.c: a track as AnimX has it, or the reason why it has no place there. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "format/animx/writer.h"

/* What a track is, said after "track 'x' is"; NULL: AnimX has the mode. */
static const char *const mode_phrases[ANIM_INTERP_COUNT] = {
    [ANIM_HERMITE] = "a Hermite curve",
    [ANIM_WEIGHTED] = "a weighted curve",
    [ANIM_BEZIER_2D] = "a Bezier curve with handles in time",
    [ANIM_CUBIC_TIME] = "cubic (Godot 4)",
    [ANIM_CUBIC_UNIFORM] = "cubic (Godot 3)",
    [ANIM_LINEAR_ANGLE] = "linear by the shortest angle",
    [ANIM_CUBIC_ANGLE] = "cubic by the shortest angle",
};

static int refuse(const char *label, const char *phrase, struct anim_error *error)
{
	return anim_fail(error, ANIM_UNSUPPORTED,
			 "track '%s' is %s; animx cannot hold it: put 'anim-resample 30' before this", label, phrase);
}

static int check_modes(const struct anim_track *t, const char *label, struct anim_error *error)
{
	if (t->kind != ANIM_CURVE)
		return 0;
	for (int mode = 0; mode < ANIM_INTERP_COUNT; mode++)
		if (mode_phrases[mode] != NULL && anim_track_has_interp(t, (enum anim_interp)mode))
			return refuse(label, mode_phrases[mode], error);
	for (size_t k = 0; t->ease != NULL && k < t->n; k++)
		if (t->ease[k] != 1)
			return refuse(label, "eased", error);
	return 0;
}

static int check_units(const struct animx_writer *writer, const struct anim_track *t, const char *label,
		       struct anim_error *error)
{
	bool angles = strcmp(t->property, "euler") == 0 || strcmp(t->property, "angle") == 0;

	if ((t->flags & ANIM_UNSORTED) != 0)
		return refuse(label, "of keys out of order", error);
	if (writer->options.source_names)
		return 0;
	if (angles && t->component == ANIM_WHOLE && t->type != ANIM_STRING && !anim_types[t->type].quaternion)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "track '%s' is of angles and Resonite turns by quaternions: put 'anim-bake' before "
				 "this, or --names source",
				 label);
	if ((t->flags & ANIM_PERCENT) != 0)
		return refuse(label, "in percent", error);
	return 0;
}

static int refuse_negative(const char *label, float first_s, struct anim_error *error)
{
	char text[ANIM_NUMBER_MAX];
	int length = (int)anim_number_print_float(text, -first_s);

	return anim_fail(error, ANIM_UNSUPPORTED,
			 "track '%s' has keys up to %.*s s before the clip's start, animx has no such times: put "
			 "'anim-retime --shift %.*s' or 'anim-resample 30' before this",
			 label, length, text, length, text);
}

/* Times from the clip's start; they must be there and be numbers. */
static int check_times(struct animx_writer *writer, const struct anim_track *t, const char *label,
		       struct anim_error *error)
{
	float first_s = t->time[0], last_s = t->time[t->n - 1];
	double length_s = (double)writer->end_s - (double)writer->start_s;

	if (!isfinite(first_s) || !isfinite(last_s))
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%s': a time is too large for animx", label);
	if (first_s < 0)
		return refuse_negative(label, first_s, error);
	if (writer->last_s < last_s)
		writer->last_s = last_s;
	if ((double)last_s <= length_s)
		return 0;
	return anim_losses_add(
	    writer->options.losses, ANIM_WARNING, NULL,
	    "tracks have keys past their clip's end, which Resonite plays: put 'anim-resample 30' before this", error,
	    "track '%s' has keys past its clip's end, which Resonite plays: put 'anim-resample 30' before this", label);
}

static int shift_keys(struct animx_writer *writer, struct anim_track *t, const char *label, struct anim_error *error)
{
	float *times;

	if (writer->start_s != 0 || signbit(t->time[0])) {
		times = anim_arena_alloc(&writer->scratch, t->n * sizeof *times, error);
		if (times == NULL)
			return -1;
		for (size_t k = 0; k < t->n; k++)
			times[k] = (float)((double)t->time[k] - (double)writer->start_s) + 0.0f; /* no -0 */
		t->time = times;
	}
	return check_times(writer, t, label, error);
}

/* Samples that begin elsewhere than the clip, or hold, become keys. */
static int keys_of_samples(struct animx_writer *writer, struct anim_track *t, const char *label,
			   struct anim_error *error)
{
	bool holds = t->interp == ANIM_HOLD;
	float *times = anim_arena_alloc(&writer->scratch, t->n * sizeof *times, error);

	if (times == NULL)
		return -1;
	for (size_t k = 0; k < t->n; k++)
		times[k] = (float)(anim_track_time(t, k) - (double)writer->start_s);
	t->kind = holds ? ANIM_DISCRETE : ANIM_CURVE;
	t->time = times;
	t->rate_num = t->rate_den = 0;
	t->start_s = t->step_s = 0;
	return check_times(writer, t, label, error);
}

static int time_samples(struct animx_writer *writer, struct anim_track *t, const char *label, struct anim_error *error)
{
	double step_s = t->rate_num != 0 ? (double)t->rate_den / (double)t->rate_num : t->step_s;
	bool holds = t->interp == ANIM_HOLD && anim_type_is_real(t->type);
	float last_s;

	if (step_s == 0) {
		t->start_s = 0;
		return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
				       "tracks have samples of unknown interval and are written without one", error,
				       "track '%s' has samples of unknown interval and is written without one", label);
	}
	if (t->start_s != (double)writer->start_s || holds)
		return keys_of_samples(writer, t, label, error);
	last_s = (float)(anim_track_time(t, t->n - 1) - (double)writer->start_s);
	if (!isfinite((float)step_s) || (float)step_s == 0 || !isfinite(last_s))
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%s': its interval is out of animx's range", label);
	if (writer->last_s < last_s)
		writer->last_s = last_s;
	t->start_s = 0;
	return 0;
}

/* Godot's scalars are doubles only because its text is: every field that they drive elsewhere is a float. */
static int narrow(struct animx_writer *writer, struct anim_track *t, const char *label, struct anim_error *error)
{
	const void **columns[] = {&t->value, &t->left, &t->right};

	if (t->type != ANIM_DOUBLE || !writer->from_godot || writer->options.keep_double)
		return 0;
	for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
		const double *wide = *columns[c];
		float *narrowed;

		if (wide == NULL)
			continue;
		narrowed = anim_arena_alloc(&writer->scratch, t->n * sizeof *narrowed, error);
		if (narrowed == NULL)
			return -1;
		for (size_t k = 0; k < t->n; k++) {
			narrowed[k] = (float)wide[k];
			if (isinf(narrowed[k]) && !isinf(wide[k]))
				return anim_fail(error, ANIM_UNSUPPORTED,
						 "track '%s': key %zu is too large for a float; --double keeps "
						 "doubles",
						 label, k);
		}
		*columns[c] = narrowed;
	}
	t->type = ANIM_FLOAT;
	return 0;
}

/* Active is a bool that switches: no curve. */
static void switch_visible(const struct animx_writer *writer, struct anim_track *t)
{
	if (writer->options.source_names || t->kind != ANIM_CURVE || t->type != ANIM_BOOL ||
	    strcmp(t->property, "visible") != 0 || t->interp != ANIM_HOLD || t->rules == ANIM_RULES_RESONITE)
		return;
	t->kind = ANIM_DISCRETE;
	t->left = t->right = NULL;
}

int animx_prepare(struct animx_writer *writer, struct anim_track *t, const char *label, struct anim_error *error)
{
	int result;

	if (check_modes(t, label, error) != 0 || check_units(writer, t, label, error) != 0)
		return -1;
	result = t->kind == ANIM_RAW ? time_samples(writer, t, label, error) : shift_keys(writer, t, label, error);
	if (result != 0 || narrow(writer, t, label, error) != 0)
		return -1;
	switch_visible(writer, t);
	t->record = NULL;
	t->rules = ANIM_RULES_RESONITE;
	t->component = ANIM_WHOLE;
	t->before = t->after = ANIM_ENDS_HOLD;
	t->flags = 0;
	t->ease = NULL;
	t->hint = NULL;
	t->attrs = (struct anim_attrs){0};
	return 0;
}
