/* wide.h: the tracks of one clip as columns of one table, for formats of numbers: a row a time, a column a component. */
#ifndef ANIM_FORMAT_WIDE_H
#define ANIM_FORMAT_WIDE_H

#include "clip/diagnostics.h"
#include "clip/track.h"
#include "stream/store.h"

/* What the cells of a column are. */
enum anim_wide_scalar { ANIM_WIDE_FLOAT, ANIM_WIDE_SMALL, ANIM_WIDE_DOUBLE, ANIM_WIDE_SIGNED, ANIM_WIDE_UNSIGNED };

/* _SMALL: bools, and whole numbers of up to 16 bits, which floats hold; _SIGNED and _UNSIGNED: larger ones. */
struct anim_wide_column {
	enum anim_wide_scalar scalar;
	size_t name;    /* where it begins in `names` */
	uint64_t place; /* of its cells in the spool */
};

/*
 * The table. The values wait in a spool, in memory up to a size; held beside it are the times and, of each column, about 24
 * bytes and its name.
 */
struct anim_wide {
	struct anim_diagnostics *diagnostics; /* borrowed */
	struct anim_spool values;
	struct anim_buffer times;   /* double: of the first track, and so of all */
	struct anim_buffer columns; /* struct anim_wide_column */
	struct anim_buffer names;   /* "Skeleton3D:Hips position.x", each with its NUL */
	struct anim_track grid;     /* how the first track tells its times; of its other members none is used */
	bool has_clip, has_grid;
};

void anim_wide_init(struct anim_wide *, size_t memory_max, struct anim_diagnostics *);
void anim_wide_clear(struct anim_wide *);

/* The clip begins; a second one is an error, which says of `holder` ("a table") that it holds one. 0 or -1. */
int anim_wide_clip(struct anim_wide *, const struct anim_clip *, const char *holder, struct anim_error *);

/*
 * Adds a track's components behind the others. Texts and disabled tracks are left out, warned; a track at other times than
 * the first one, or at times that are not known, is an error that says what to do. 0 or -1.
 */
int anim_wide_add(struct anim_wide *, const struct anim_track *, struct anim_error *);

/* Nothing comes any more: 0, or -1 where no clip came or what was told is to be an error. */
int anim_wide_end(const struct anim_wide *, struct anim_error *);

size_t anim_wide_rows(const struct anim_wide *);
size_t anim_wide_column_count(const struct anim_wide *);
const struct anim_wide_column *anim_wide_columns(const struct anim_wide *);
const double *anim_wide_times(const struct anim_wide *);
const char *anim_wide_name(const struct anim_wide *, size_t column);

/* The cells of a column from row `first` on: float for _FLOAT and _SMALL, else double, int64_t or uint64_t. 0 or -1. */
int anim_wide_read(struct anim_wide *, size_t column, size_t first, size_t count, void *cells, struct anim_error *);
size_t anim_wide_cell_size(enum anim_wide_scalar);

#endif
