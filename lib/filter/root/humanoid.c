/* humanoid.c: the motion of the body in clips of Unity's humanoid, whose curves RootT and RootQ take the place of hips. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/limits.h"
#include "filter/filter.h"
#include "filter/resample.h"
#include "filter/retarget/muscle.h"
#include "filter/root/root.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "stream/store.h"

#define SETTINGS "unity.m_AnimationClipSettings."
#define WAITING ((size_t)1 << 20) /* bytes of a clip's tracks in memory. The rest is in a file */
#define CURVES ANIM_MUSCLE_ROOTS
#define RATE 60  /* samples a second of clips without a rate */
#define FINE 120 /* samples a second, at least, if the rotation changes */

struct humanoid {
	struct anim_filter filter; /* next: the filter for bones */
	struct anim_root_options options;
	struct anim_store *store; /* the current clip, as long as it may be humanoid */
	bool found;               /* it is */
	struct anim_arena arena;
	/* Of a clip whose body is computed at samples: */
	struct anim_grid grid;
	struct anim_buffer samples[CURVES], times; /* doubles, and floats */
};

/* Return the number of a curve of the body, or CURVES. */
static unsigned curve_of(const struct anim_track *track)
{
	if (strcmp(track->node, ".") != 0 || track->component != ANIM_WHOLE ||
	    anim_types[track->type].components != 1 || !anim_type_is_real(track->type))
		return CURVES;
	return anim_muscle_root(track->property);
}

/* ---- Curves of the body ---- */

static int put_keys(struct humanoid *h, const struct anim_track *track, const float *times, const float *values,
		    size_t count, struct anim_error *error)
{
	const struct anim_track out = {.kind = ANIM_CURVE,
				       .type = ANIM_FLOAT,
				       .rules = ANIM_RULES_PLAIN,
				       .node = track->node,
				       .property = track->property,
				       .component = ANIM_WHOLE,
				       .interp = ANIM_LINEAR,
				       .n = count,
				       .time = times,
				       .value = values,
				       .attrs = track->attrs};

	return anim_sink_track(h->filter.next, &out, error);
}

/* ---- Samples ---- */

static double *column_of(const struct humanoid *h, unsigned curve)
{
	return (double *)(void *)h->samples[curve].data;
}

/* Remove the motion from the samples. The yaw is the twist of RootQ about y. *yaw_rad is how far it rotates. */
static void remove_motion(struct humanoid *h, double *yaw_rad)
{
	double *t[3] = {column_of(h, 0), column_of(h, 1), column_of(h, 2)}, before = 0, first = 0;
	double *q[4] = {column_of(h, 3), column_of(h, 4), column_of(h, 5), column_of(h, 6)};

	for (size_t k = 0; k < h->grid.count; k++) {
		double turn[4] = {q[0][k], q[1][k], q[2][k], q[3][k]}, place[3] = {t[0][k], t[1][k], t[2][k]}, back[4];
		double yaw = 2 * anim_atan2(turn[1], turn[3]);

		if (turn[1] == 0 && turn[3] == 0)
			yaw = before;
		yaw += ANIM_TAU * anim_round((before - yaw) / ANIM_TAU);
		first = k == 0 ? yaw : first;
		*yaw_rad = yaw - first;
		before = yaw;
		for (int i = 0; i < 3 && h->options.in_place; i++)
			place[i] = h->options.axes[i] ? (i == 1 ? 1 : 0) : place[i];
		if (h->options.in_place && h->options.yaw) {
			memcpy(back, (const double[4]){0, 0, 0, 1}, sizeof back);
			anim_sincos(-yaw / 2, &back[1], &back[3]);
			anim_quat_multiply_double(turn, back, turn);
			anim_quat_rotate_double(place, back, place);
		}
		for (int i = 0; i < 3; i++)
			t[i][k] = place[i];
		for (int i = 0; i < 4; i++)
			q[i][k] = turn[i];
	}
}

/* Spread the difference between the end and the start over the clip. */
static void close_loop(struct humanoid *h)
{
	const size_t last = h->grid.count - 1;
	double ends[2][4], gap[4], back[4], part[4], turn[4], length_s = h->grid.end_s - h->grid.start_s, t;
	static const double none[4] = {0, 0, 0, 1};

	for (unsigned c = 0; c < 3; c++) {
		double *column = column_of(h, c), off = column[last] - column[0];

		for (size_t k = 0; k <= last && length_s > 0; k++) {
			anim_grid_times(&h->grid, k, 1, &t);
			column[k] -= off * (t - h->grid.start_s) / length_s;
		}
	}
	for (unsigned i = 0; i < 4; i++) {
		ends[0][i] = column_of(h, 3 + i)[0];
		ends[1][i] = column_of(h, 3 + i)[last];
	}
	anim_quat_conjugate_double(back, ends[1]);
	anim_quat_multiply_double(gap, back, ends[0]);
	for (size_t k = 0; k <= last && length_s > 0; k++) {
		anim_grid_times(&h->grid, k, 1, &t);
		anim_quat_slerp_double(part, none, gap, (t - h->grid.start_s) / length_s);
		for (unsigned i = 0; i < 4; i++)
			turn[i] = column_of(h, 3 + i)[k];
		anim_quat_multiply_double(turn, turn, part);
		for (unsigned i = 0; i < 4; i++)
			column_of(h, 3 + i)[k] = turn[i];
	}
}

/* ---- The clip ---- */

/* Measure the motion of the body, and sample it if that is needed. */
static int read_body(struct humanoid *h, bool sampled, double *way, struct anim_error *error)
{
	struct anim_track track;
	double squares = 0;

	if (sampled) {
		const struct anim_clip *clip = &h->filter.clip;
		const bool known = clip->rate_num != 0 && clip->rate_den != 0;
		uint32_t num = known ? clip->rate_num : RATE, den = known ? clip->rate_den : 1;

		while ((double)num / den < FINE && num < UINT32_MAX / 2)
			num *= 2;
		if (anim_grid_of_clip(&h->grid, clip, num, den, ANIM_END_COVER, error) != 0)
			return -1;
		if (h->grid.count > ANIM_SAMPLES_MAX)
			return anim_fail(error, ANIM_TOO_LARGE,
					 "clip '%s' would take %zu samples, more than %u; " ANIM_ADVICE(CUT_TIME),
					 clip->name, h->grid.count, ANIM_SAMPLES_MAX);
		for (unsigned c = 0; c < CURVES; c++) {
			double *column;

			h->samples[c].size = 0;
			column = anim_buffer_extend(&h->samples[c], h->grid.count * sizeof *column, error);
			if (column == NULL)
				return -1;
			for (size_t k = 0; k < h->grid.count; k++)
				column[k] = c == CURVES - 1 ? 1 : 0;
		}
	}

	for (size_t i = 0; i < anim_store_tracks(h->store, 0); i++) {
		unsigned curve;
		double along = 0;

		if (anim_store_read(h->store, 0, i, &track, error) != 0)
			return -1;
		curve = curve_of(&track);

		/* Get the difference of a curve's values at the end and at the start of the clip. */
		if (curve < 3 && h->options.axes[curve]) {
			double from = 0, to = 0;

			if (anim_sample_one(&h->filter.clip, &track, (double)h->filter.clip.start_s, &from, error) <
				0 ||
			    anim_sample_one(&h->filter.clip, &track, (double)h->filter.clip.end_s, &to, error) < 0)
				return -1;
			along = to - from;
		}

		squares += along * along;

		if (sampled && curve < CURVES) {
			double *column = column_of(h, curve);

			for (size_t k = 0; k < h->grid.count; k++) {
				double t;

				anim_grid_times(&h->grid, k, 1, &t);
				anim_sample_times(&track, &t, 1);
				if (anim_sample_one(&h->filter.clip, &track, t, &column[k], error) < 0)
					return -1;
			}
		}
	}
	*way = sqrt(squares);
	return 0;
}

static int put_curve(struct humanoid *h, const struct anim_track *track, unsigned curve, bool sampled,
		     struct anim_error *error)
{
	static const float zero = 0, one = 1; /* the body's centre is at 1 */

	if (curve == CURVES || !(h->options.in_place || h->options.loop))
		return anim_sink_track(h->filter.next, track, error);
	if (sampled) {
		/* Write a curve of the body at all samples. */
		const double *column = column_of(h, curve);
		float *times, *values;

		h->times.size = 0;
		times = anim_buffer_extend(&h->times, 2 * h->grid.count * sizeof *times, error);
		if (times == NULL)
			return -1;
		values = times + h->grid.count;
		for (size_t k = 0; k < h->grid.count; k++) {
			double t;

			anim_grid_times(&h->grid, k, 1, &t);
			times[k] = (float)t;
			values[k] = (float)column[k];
		}
		return put_keys(h, track, times, values, h->grid.count, error);
	}
	if (curve < 3 && h->options.axes[curve])
		return put_keys(h, track, &h->filter.clip.start_s, curve == 1 ? &one : &zero, 1, error);
	return anim_sink_track(h->filter.next, track, error);
}

/* Write the clip with its new body. */
static int put_clip(struct humanoid *h, struct anim_error *error)
{
	struct anim_clip head = h->filter.clip;
	const bool sampled = h->options.loop || (h->options.yaw && !h->options.fold);
	double way = 0, yaw_rad = 0;
	struct anim_track track;

	if (read_body(h, sampled, &way, error) != 0)
		return -1;
	if (sampled)
		remove_motion(h, &yaw_rad);
	if (h->options.loop)
		close_loop(h);

	/* A part that stays on the spot is baked. */
	const struct anim_root_options *options = &h->options;
	const bool moves = !options->in_place && !options->fold;
	const struct anim_attr settings[] = {
	    {SETTINGS "m_LoopBlendOrientation", moves && options->yaw ? "0" : "1"},
	    {SETTINGS "m_LoopBlendPositionY", moves && options->axes[1] ? "0" : "1"},
	    {SETTINGS "m_LoopBlendPositionXZ", moves && (options->axes[0] || options->axes[2]) ? "0" : "1"}};

	head.record = NULL;
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (anim_attrs_with(&head.attrs, &head.attrs, settings[i].key, settings[i].value, &h->arena, error) !=
		    0)
			return -1;
	if (anim_sink_clip(h->filter.next, &head, error) != 0)
		return -1;

	for (size_t i = 0; i < anim_store_tracks(h->store, 0); i++)
		if (anim_store_read(h->store, 0, i, &track, error) != 0 ||
		    put_curve(h, &track, curve_of(&track), sampled, error) != 0)
			return -1;
	return h->options.fold ? 0
			       : anim_diagnostics_note(h->options.diagnostics, NULL, error,
						       "%s %.4g times the height of the body's centre and %.4g degrees",
						       h->options.in_place ? "removed a motion of"
									   : "Unity now moves the object by",
						       way, (h->options.yaw ? yaw_rad : 0) * (180 / ANIM_PI));
}

/* Pass on the clip that waits. */
static int finish_clip(struct humanoid *h, struct anim_error *error)
{
	int result = 0;

	if (h->store == NULL)
		return 0;
	result = h->found ? put_clip(h, error) : anim_store_replay(h->store, 0, &h->filter.clip, h->filter.next, error);
	anim_store_free(h->store);
	h->store = NULL;
	return result;
}

/* ---- The sink ---- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return finish_clip((struct humanoid *)sink, error) != 0 ? -1 : anim_filter_tree(sink, tree, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct humanoid *h = (struct humanoid *)sink;

	if (finish_clip(h, error) != 0)
		return -1;
	anim_arena_reset(&h->arena);
	h->found = false;
	h->store = anim_store_new(WAITING, error);
	if (h->store == NULL || anim_filter_keep(&h->filter, clip, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(h->store), clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct humanoid *h = (struct humanoid *)sink;
	enum anim_human_bone bone;
	unsigned axis;

	/* The name of a curve alone is enough if it is on the root. */
	h->found = h->found || anim_attrs_get(&track->attrs, "unity.humanoid") != NULL ||
		   (strcmp(track->node, ".") == 0 && anim_muscle_find(track->property, &bone, &axis));
	/* a clip that moves nodes of its tree is one of bones */
	if (h->store != NULL && !h->found && (h->filter.clip.flags & ANIM_IN_TREE) != 0 &&
	    anim_track_is_transform(track) && finish_clip(h, error) != 0)
		return -1;
	return h->store != NULL ? anim_sink_track(anim_store_sink(h->store), track, error)
				: anim_filter_track(sink, track, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return finish_clip((struct humanoid *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct humanoid *h = (struct humanoid *)sink;

	anim_store_free(h->store);
	anim_arena_clear(&h->arena);
	for (unsigned c = 0; c < CURVES; c++)
		anim_buffer_clear(&h->samples[c]);
	anim_buffer_clear(&h->times);
	anim_filter_free(sink);
}

struct anim_sink *anim_root_humanoid_new(const struct anim_root_options *options, struct anim_sink *next,
					 struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct humanoid *h = next == NULL ? NULL : anim_filter_new(sizeof *h, &ops, next, error);

	if (h == NULL)
		return NULL;
	h->options = *options;
	return &h->filter.sink;
}
