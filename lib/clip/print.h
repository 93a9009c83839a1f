/* print.h: the parts of tracks that are printed, as text or JSON. */
#ifndef ANIM_CLIP_PRINT_H
#define ANIM_CLIP_PRINT_H

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

/* Print the further member "attributes" of an object: an object of texts. */
void anim_print_attrs_member(struct anim_print *, const struct anim_attrs *);

/* Print the first members of an object: node, property, component (null: all components), kind, type. */
void anim_print_track_members(struct anim_print *, const struct anim_track *);

#endif
