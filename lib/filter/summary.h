/* summary.h: what rows of a list tell of a track. */
#ifndef ANIM_FILTER_SUMMARY_H
#define ANIM_FILTER_SUMMARY_H

#include "clip/rules.h"

struct summary {
	bool has_times, has_range;
	double first_s, last_s; /* of the keys, smallest and largest finite time */
	double least[ANIM_COMPONENTS_MAX], most[ANIM_COMPONENTS_MAX]; /* of each component's finite values */
	int interp;                                                   /* of all keys; ANIM_INTERP_COLUMN: they differ */
	bool eased;
	uint64_t bytes; /* of the columns */
};

void summary_of(const struct anim_track *, struct summary *);

/* Text in the width that a terminal gives it: East Asian wide characters count 2, combining ones 0. UTF-8, safe. */
size_t text_width(const char *text);

#endif
