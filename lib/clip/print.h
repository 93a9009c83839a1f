/* print.h: tracks taken apart into what is printed of them, as text or JSON. */
#ifndef ANIM_CLIP_PRINT_H
#define ANIM_CLIP_PRINT_H

#include "base/print.h"
#include "clip/track.h"

enum anim_cell_kind {
	ANIM_CELL_FLOAT,   /* single */
	ANIM_CELL_DOUBLE,  /* wide */
	ANIM_CELL_BOOL,    /* natural: 0 or 1 */
	ANIM_CELL_INTEGER, /* whole */
	ANIM_CELL_NATURAL, /* natural */
	ANIM_CELL_WORD,    /* text: the name of a mode */
	ANIM_CELL_TEXT     /* text, which is not terminated, and its length; NULL: a null string */
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

/* How many cells each element of the column has. */
unsigned anim_cell_components(const struct anim_track *, enum anim_column);

/* Component `component` of element k of a column that the track has. */
struct anim_cell anim_cell_at(const struct anim_track *, enum anim_column, size_t k, unsigned component);

/* The object's further member "attributes": an object of texts. */
void anim_print_attrs_member(struct anim_print *, const struct anim_attrs *);

/* The object's first members: node, property, component (null: the whole value), kind, type. */
void anim_print_track_members(struct anim_print *, const struct anim_track *);

#endif
