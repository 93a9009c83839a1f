/* wide.h: the tracks of one clip as one table, for formats of numbers. It has one row per time and one column per component. */
#ifndef ANIM_FORMAT_WIDE_H
#define ANIM_FORMAT_WIDE_H

#include "clip/diagnostics.h"
#include "clip/track.h"
#include "stream/store.h"

/* The types of the cells of a column. */
enum anim_wide_scalar { ANIM_WIDE_FLOAT, ANIM_WIDE_SMALL, ANIM_WIDE_DOUBLE, ANIM_WIDE_SIGNED, ANIM_WIDE_UNSIGNED };

/* _SMALL: bools, and integers of up to 16 bits, which a float holds exactly. _SIGNED and _UNSIGNED: larger integers. */
struct anim_wide_column {
	enum anim_wide_scalar scalar;
	size_t name;    /* its offset in `names` */
	uint64_t place; /* of its cells in the spool */
};

/*
 * The table. Its values are in a spool, in memory up to a limit. The times, and for each column about 24 bytes and its
 * name, are always in memory.
 */
struct anim_wide {
	struct anim_diagnostics *diagnostics; /* borrowed */
	struct anim_spool values;
	struct anim_buffer times;   /* double: the times of the first track, which all tracks share */
	struct anim_buffer columns; /* struct anim_wide_column */
	struct anim_buffer names;   /* "Skeleton3D:Hips position.x", each with its NUL */
	struct anim_track grid;     /* the times of the first track (other members are not used) */
	bool has_clip, has_grid;
};

void anim_wide_init(struct anim_wide *, size_t memory_max, struct anim_diagnostics *);
void anim_wide_clear(struct anim_wide *);

/* Begin the clip. A second clip is an error, whose message says that `holder` ("a table") holds one clip. Return 0 or -1. */
int anim_wide_clip(struct anim_wide *, const struct anim_clip *, const char *holder, struct anim_error *);

/*
 * Append the components of a track as columns. Leave out text tracks and disabled tracks, with a warning. A track with
 * other times than the first one, or with unknown times, is an error whose message gives the remedy. Return 0 or -1.
 */
int anim_wide_add(struct anim_wide *, const struct anim_track *, struct anim_error *);

/* End the table. Return 0, or -1 if there was no clip or if a message counts as an error. */
int anim_wide_end(const struct anim_wide *, struct anim_error *);

size_t anim_wide_rows(const struct anim_wide *);
size_t anim_wide_column_count(const struct anim_wide *);
const struct anim_wide_column *anim_wide_columns(const struct anim_wide *);
const double *anim_wide_times(const struct anim_wide *);
const char *anim_wide_name(const struct anim_wide *, size_t column);

/*
 * Copy cells of a column, from row `first` on: float for _FLOAT and _SMALL, otherwise double, int64_t or uint64_t.
 * Return 0 or -1.
 */
int anim_wide_read(struct anim_wide *, size_t column, size_t first, size_t count, void *cells, struct anim_error *);
size_t anim_wide_cell_size(enum anim_wide_scalar);

#endif
