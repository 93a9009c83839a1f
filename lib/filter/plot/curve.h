/* curve.h: the values that a player shows of a track, measured in the columns of a picture. Private to this folder. */
#ifndef ANIM_FILTER_PLOT_CURVE_H
#define ANIM_FILTER_PLOT_CURVE_H

#include "base/arena.h"
#include "clip/source.h"
#include "filter/plot/plot.h"

#define PLOT_COMPONENTS ANIM_COMPONENTS_MAX

struct plot_curve {
	struct anim_source *play;
	bool rotates; /* the components describe a rotation */
	enum anim_plot_rotation rotation;
	enum anim_euler_order order;
	unsigned components;
	double factor; /* for numbers: converts to the unit of the component */
	bool straight; /* only lines and steps */
	/* for rotations: the first key, and the components seen last, which the next ones continue */
	double first[4], last[PLOT_COMPONENTS];
};

/* Begin with a source. The caller opened `play`, which must outlive the curve. Returns 0 or -1. */
int plot_curve_open(struct plot_curve *, struct anim_source *play, enum anim_plot_rotation, struct anim_error *);

/*
 * Return the components at `count` times, at most ANIM_SOURCE_SAMPLES. They are NaN if the player sets no value at a
 * time. Returns 0 or -1.
 */
int plot_curve_at(struct plot_curve *, const double *t, unsigned count, double (*out)[PLOT_COMPONENTS],
		  struct anim_error *);

/*
 * The values of a component: column c has all values from least[c] to most[c] (none if least > most), and edge[c] at
 * its left border.
 */
struct plot_component {
	double *least, *most, *edge; /* `columns`, `columns` and `columns` + 1 elements */
};

/*
 * Widen a range by the values of that many columns of a component. Values that are not finite are drawn at its ends.
 */
void plot_component_widen(const struct plot_component *, size_t columns, double *least, double *most);

struct plot_columns {
	double start_s, end_s;
	size_t count;
	unsigned components;
	struct plot_component component[PLOT_COMPONENTS];
};

/* Allocate that many columns in the arena. Returns 0 or -1. */
int plot_columns_init(struct plot_columns *, double start_s, double end_s, size_t count, unsigned components,
		      struct anim_arena *, struct anim_error *);

/* Return the time of the left border of column c. */
double plot_column_time(const struct plot_columns *, size_t c);
/* Return the column of a time, or `count` for a time outside all columns. */
size_t plot_column_of(const struct plot_columns *, double t);

/*
 * Fill all columns, by playing the keys and a fixed number of times in each column. The minimum and maximum of all
 * columns are exact to the digits that are printed. Other values are exact to one row of a picture. Returns 0 or -1.
 */
int plot_measure(struct plot_curve *, struct plot_columns *, struct anim_error *);

/* Return the row in which a value is drawn, of so many rows from top to bottom. Row 0 is the top one. */
static inline unsigned plot_row_of(double top, double bottom, double value, unsigned rows)
{
	double at = (top - value) / (top - bottom) * rows;

	return at < 0 ? 0 : at < rows - 1 ? (unsigned)at : rows - 1;
}

/* Return the unit in which the components of a track are drawn: "deg", "m", "px", "%" or "". */
const char *plot_unit_of(const struct anim_clip *, const struct anim_track *, enum anim_plot_rotation);
/* Return the factor from a number in the track to the number that is drawn, for example from radians to degrees. */
double plot_factor_of(const struct anim_track *);

#endif
