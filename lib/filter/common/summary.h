/* summary.h: the data of a track for one row of a list. */
#ifndef ANIM_FILTER_COMMON_SUMMARY_H
#define ANIM_FILTER_COMMON_SUMMARY_H

#include "base/number.h"
#include "base/print.h"
#include "clip/rules.h"

struct summary {
	bool has_times, has_range;
	double first_s, last_s;                                       /* smallest and largest finite time of the keys */
	double least[ANIM_COMPONENTS_MAX], most[ANIM_COMPONENTS_MAX]; /* over each component's finite values */
	int interp;                                                   /* of all keys; ANIM_INTERP_COLUMN: they differ */
	bool eased;
	uint64_t bytes; /* of the columns */
};

void summary_of(const struct anim_track *, struct summary *);

/*
 * Return the number of terminal columns of a text: East Asian wide characters count 2, combining characters 0. The text
 * must be safe UTF-8.
 */
size_t text_width(const char *text);

/* Widen the columns of a table to their cells, up to TEXT_WIDEST terminal columns. */
#define TEXT_WIDEST 40
void text_widen(size_t *widths, const char *const *cells, int count);

/* Print a number such as "0.013 deg", with at most four significant digits and the unit ("": none). */
#define TEXT_NUMBER_MAX (ANIM_NUMBER_MAX + 16)
void text_of_number(char out[TEXT_NUMBER_MAX], double value, const char *unit);

/* Return the components of the track's first key, such as "0 2 0", in the arena. Returns NULL on failure. */
const char *text_of_first(const struct anim_track *, struct anim_arena *, struct anim_error *);

/* Print a cell, padded on the right or (`right`) on the left. */
void text_print_cell(struct anim_print *, const char *text, size_t width, bool right);

#endif
