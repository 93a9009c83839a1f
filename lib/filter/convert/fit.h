/* fit.h: keys under the target's rules that play as the source does, within a tolerance. Internal to convert. */
#ifndef ANIM_FILTER_CONVERT_FIT_H
#define ANIM_FILTER_CONVERT_FIT_H

#include "clip/caps.h"
#include "filter/convert/keys.h"
#include "filter/convert/source.h"

struct convert_fit {
	struct convert_source *source;
	const struct anim_caps *caps;
	struct convert_keys *keys;
	struct anim_buffer *breaks; /* scratch */
	enum anim_type type;        /* of the target, made of floats or doubles */
	bool rotation;              /* values are rotations, or (with one or three components) radians */
	bool rigid;                 /* no keys may be added */
	double tolerance;           /* degrees where rotation is set, else the value's unit */
	/* Found by the fit: */
	double worst;    /* largest error that was accepted, 0 where all is exact up to rounding */
	bool not_finite; /* some values were no finite numbers and the value before them was held */
};

/* Fills the keys. 1, 0 where the target has no mode that could hold it (rigid: without more keys), -1. */
int convert_fit(struct convert_fit *, struct anim_error *);

/* mode.c: how the target writes cubics that are even in time; ANIM_INTERP_COUNT where it has none. */
enum anim_interp convert_even_cubic(const struct convert_fit *);
/* The same, or a mode with handles of any length for a source that has them. */
enum anim_interp convert_best_cubic(const struct convert_fit *);

#endif
