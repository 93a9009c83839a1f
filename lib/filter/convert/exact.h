/* exact.h: what is a cubic already, as a piece of the target without loss. Internal to convert. */
#ifndef ANIM_FILTER_CONVERT_EXACT_H
#define ANIM_FILTER_CONVERT_EXACT_H

#include "filter/convert/measure.h"

/* One component between two times: control values, and their places in the segment from 0 to 1. */
struct convert_component {
	double x[4], y[4];
	bool cubic; /* by its mode */
	bool steps; /* an infinite slope holds it */
	bool whole; /* a segment from key to key */
};

/* A component of the segment from key k to key k + 1 of a sorted track; false where it is no polynomial of third degree. */
bool convert_read_segment(const struct anim_track *, size_t k, unsigned component, struct convert_component *);

/* True where both handles take a third of the segment up to the rounding of a float. */
bool convert_is_even(const struct convert_component *);

/* Makes a component its part from `from` to `to`, which are 0..1 in it; x is 0..1 in the part then. */
void convert_cut_component(struct convert_component *, double from, double to);

/*
 * Where between the span's times every component of the source is one polynomial of third degree, and some component by its mode
 * (Hermite, Tangent, CubicBezier, Weighted with handles of a third, Bezier2D with handles at a third of the segment):
 * sets the inner control values of the piece, and where the span jumps the value that it comes to. A component that an
 * infinite slope makes step stays what it is. `type` is the target's.
 *
 * uneven: the target has handles of any length. Then a single component with such handles, none longer than the segment, is a
 * piece too: `weighted`, with its shares.
 */
bool convert_exact(const struct convert_source *, enum anim_type type, bool uneven, struct convert_span *);

#endif
