/* zip.h: an archive of a few files that are not packed, written from its beginning to its end. */
#ifndef ANIM_FORMAT_NPZ_ZIP_H
#define ANIM_FORMAT_NPZ_ZIP_H

#include "base/output.h"

#define NPZ_ENTRIES_MAX 3
#define NPZ_LARGE 0xFFFFFFFFu /* a size or place from here on takes the longer form (zip64) */

struct npz_entry {
	const char *name; /* ASCII, outlives the archive */
	uint64_t size, place;
	uint32_t crc;
};

/* All-zero but for `out` (borrowed) and `large`, which is NPZ_LARGE but for tests. */
struct npz_zip {
	struct anim_output *out;
	uint64_t large;
	struct npz_entry entries[NPZ_ENTRIES_MAX];
	unsigned count;
};

/* Begins a file of so many bytes, which the caller writes to `out` next, and of that CRC-32. 0 or -1. */
int npz_zip_begin(struct npz_zip *, const char *name, uint64_t size, uint32_t crc, struct anim_error *);

/* The list of all files, with which the archive ends. 0 or -1. */
int npz_zip_end(struct npz_zip *, struct anim_error *);

#endif
