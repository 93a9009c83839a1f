/* summary.h: what rows of a list tell of a track. */
#ifndef ANIM_FILTER_SUMMARY_H
#define ANIM_FILTER_SUMMARY_H

#include "base/number.h"
#include "base/print.h"
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

/* Columns of a table: each as wide as its widest cell, but for those that stick out of TEXT_WIDEST columns of a terminal. */
#define TEXT_WIDEST 40
void text_widen(size_t *widths, const char *const *cells, int count);

/* "0.013 deg": at most four digits that say something, with the unit ("": none) behind them. */
#define TEXT_NUMBER_MAX (ANIM_NUMBER_MAX + 16)
void text_of_number(char out[TEXT_NUMBER_MAX], double value, const char *unit);

/* "0 2 0": the components of the track's first key, in the arena. NULL on failure. */
const char *text_of_first(const struct anim_track *, struct anim_arena *, struct anim_error *);

/* A cell, padded on its right or its left. */
void text_print_cell(struct anim_print *, const char *text, size_t width, bool right);

#endif
