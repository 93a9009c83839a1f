/* print.h: the parts of tracks that are printed, as text or JSON. */
#ifndef ANIM_CLIP_PRINT_H
#define ANIM_CLIP_PRINT_H

#include "base/number.h"
#include "base/print.h"
#include "clip/track.h"

enum anim_cell_kind {
	ANIM_CELL_FLOAT,   /* in `single` */
	ANIM_CELL_DOUBLE,  /* in `wide` */
	ANIM_CELL_BOOL,    /* in `natural`: 0 or 1 */
	ANIM_CELL_INTEGER, /* in `whole` */
	ANIM_CELL_NATURAL, /* in `natural` */
	ANIM_CELL_WORD,    /* in `text`: the name of a mode */
	ANIM_CELL_TEXT     /* `text`, not terminated, and its `length`; NULL: a null string */
};

struct anim_cell {
	enum anim_cell_kind kind;
	union {
		float single;
		double wide;
		int64_t whole;
		uint64_t natural;
		size_t length;
	};
	const char *text; /* borrowed from the track */
};

/* Return how many cells each element of the column has. */
unsigned anim_cell_components(const struct anim_track *, enum anim_column);

/* Return component `component` of element k of a column that is present. */
struct anim_cell anim_cell_at(const struct anim_track *, enum anim_column, size_t k, unsigned component);

/*
 * The texts of a column of floats, several of which are printed at once when the first of them is needed. `values` is
 * NULL for other columns.
 */
struct anim_cell_texts {
	const float *values;
	size_t count, components; /* of all values */
	size_t first, end;        /* values first..end-1 are printed */
	struct anim_number_texts texts;
};

void anim_cell_texts_begin(struct anim_cell_texts *, const struct anim_track *, enum anim_column);

/* Print the texts from value i on. */
void anim_cell_texts_fill(struct anim_cell_texts *, size_t i);

/*
 * Append the text of value i, as base/number.h prints floats, and return its end. ANIM_NUMBER_MAX bytes may be
 * overwritten. Consecutive calls need increasing i.
 */
static inline char *anim_cell_texts_put(struct anim_cell_texts *cells, size_t i, char *at)
{
	if (i >= cells->end)
		anim_cell_texts_fill(cells, i);
	memcpy(at, cells->texts.bytes[i - cells->first], sizeof cells->texts.bytes[0]);
	return at + cells->texts.length[i - cells->first];
}

/*
 * Append a cell that is not a text, and return its end: numbers as base/number.h prints them, bools as 0 and 1.
 * ANIM_NUMBER_MAX bytes may be overwritten.
 */
char *anim_cell_put(const struct anim_cell *, char *at);

/* Print the further member "attributes" of an object: an object of texts. */
void anim_print_attrs_member(struct anim_print *, const struct anim_attrs *);

/* Print the first members of an object: node, property, component (null: all components), kind, type. */
void anim_print_track_members(struct anim_print *, const struct anim_track *);

#endif
