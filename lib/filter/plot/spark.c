/* spark.c: a track as one line of blocks. */
#include <math.h>

#include "filter/plot/internal.h"

/* Return the minimum and the maximum of the finite values of a component. */
static void range_of(const struct plot_component *component, size_t count, double *least, double *most)
{
	*least = (double)INFINITY;
	*most = -(double)INFINITY;
	plot_component_widen(component, count, least, most);
}

/* Return the component with the largest range. */
static unsigned widest(const struct plot_columns *columns, struct anim_spark *out)
{
	unsigned found = 0;

	range_of(&columns->component[0], columns->count, &out->least, &out->most);
	for (unsigned component = 1; component < columns->components; component++) {
		double least, most;

		range_of(&columns->component[component], columns->count, &least, &most);
		if (!(most - least > out->most - out->least) && out->least <= out->most)
			continue;
		found = component;
		out->least = least;
		out->most = most;
	}
	return found;
}

/*
 * Return the level that a column shows: the level of its minimum or its maximum, whichever is farther from the
 * middle.
 */
static uint8_t level_of(const struct anim_spark *spark, double least, double most)
{
	double range = spark->most - spark->least, middle = spark->least + range / 2, shown;

	if (!(least <= most))
		return 0;
	shown = middle - least > most - middle ? least : most;
	if (!(range > 1e-6 * fmax(fabs(spark->least), fabs(spark->most)))) /* rounding is not drawn as motion */
		return 1;
	shown = fmin(fmax((shown - spark->least) / range, 0), 1) * ANIM_SPARK_LEVELS;
	return (uint8_t)(1 + fmin(floor(shown), ANIM_SPARK_LEVELS - 1));
}

/*
 * Return the value to print. A value that is tiny compared with the range is rounding, so 0 is shown, not 8e-16
 * degrees.
 */
static double printed(double value, double range)
{
	return fabs(value) < 1e-9 * range ? 0 : value;
}

static int play(const struct anim_track *track, struct anim_source *source, size_t count, struct plot_columns *columns,
		struct anim_arena *arena, struct anim_error *error)
{
	const struct anim_clip *clip = source->clip;
	double start = (double)clip->start_s, end = (double)clip->end_s;
	struct plot_curve curve;

	if (!(end > start))
		end = fmax(start, anim_track_time(track, track->n - 1));
	if (plot_curve_open(&curve, source, ANIM_PLOT_ANGLE, error) != 0 ||
	    plot_columns_init(columns, start, end, count, curve.components, arena, error) != 0)
		return -1;
	return plot_measure(&curve, columns, error);
}

int anim_spark(const struct anim_clip *clip, const struct anim_track *track, size_t count, struct anim_spark *out,
	       struct anim_error *error)
{
	struct anim_source source = {.clip = clip, .tracks = {track}, .count = 1};
	struct plot_columns columns;
	struct anim_arena arena = {0};
	int result;

	*out = (struct anim_spark){.lane = "", .unit = plot_unit_of(clip, track, ANIM_PLOT_ANGLE)};
	anim_source_open(&source, NULL);
	result = play(track, &source, count, &columns, &arena, error);
	if (result == 0) {
		unsigned component = widest(&columns, out);
		double range;

		out->lane = columns.components > 1 ? anim_component_name(track->property, component) : "";
		for (size_t c = 0; c < count; c++)
			out->levels[c] =
			    level_of(out, columns.component[component].least[c], columns.component[component].most[c]);
		range = out->most - out->least;
		out->least = printed(out->least, range);
		out->most = printed(out->most, range);
	}
	anim_source_close(&source);
	anim_arena_clear(&arena);
	return result;
}
