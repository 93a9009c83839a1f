/* spark.c: a track as one line of blocks. */
#include <math.h>

#include "filter/plot/curve.h"

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
 * Return the value to print. A value that is tiny compared with the range is rounding, so 0 is shown, not 8e-16
 * degrees.
 */
static double printed(double value, double range)
{
	return fabs(value) < 1e-9 * range ? 0 : value;
}

int anim_spark(const struct anim_clip *clip, const struct anim_track *track, size_t count, struct anim_spark *out,
	       struct anim_error *error)
{
	struct anim_source source = {.clip = clip, .tracks = {track}, .count = 1};
	double start = (double)clip->start_s, end = (double)clip->end_s, range, middle;
	struct plot_columns columns;
	struct plot_curve curve;
	struct anim_arena arena = {0};
	unsigned component;
	int result = -1;

	*out = (struct anim_spark){.component = "", .unit = plot_unit_of(clip, track, ANIM_PLOT_ANGLE)};
	anim_source_open(&source, NULL);
	if (!(end > start))
		end = fmax(start, anim_track_time(track, track->n - 1));
	if (plot_curve_open(&curve, &source, ANIM_PLOT_ANGLE, error) != 0 ||
	    plot_columns_init(&columns, start, end, count, curve.components, &arena, error) != 0 ||
	    plot_measure(&curve, &columns, error) != 0)
		goto done;
	component = widest(&columns, out);
	out->component = columns.components > 1 ? anim_component_name(track->property, component) : "";
	range = out->most - out->least;
	middle = out->least + range / 2;
	for (size_t c = 0; c < count; c++) {
		double least = columns.component[component].least[c], most = columns.component[component].most[c];
		double shown = middle - least > most - middle ? least : most; /* the farther one from the middle */

		if (!(least <= most)) {
			out->levels[c] = 0;
		} else if (!(range > 1e-6 * fmax(fabs(out->least), fabs(out->most)))) {
			out->levels[c] = 1; /* rounding is not drawn as motion */
		} else {
			shown = fmin(fmax((shown - out->least) / range, 0), 1) * ANIM_SPARK_LEVELS;
			out->levels[c] = (uint8_t)(1 + fmin(floor(shown), ANIM_SPARK_LEVELS - 1));
		}
	}
	out->least = printed(out->least, range);
	out->most = printed(out->most, range);
	result = 0;
done:
	anim_source_close(&source);
	anim_arena_clear(&arena);
	return result;
}
