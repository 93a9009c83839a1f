/* npz.h: a sink that writes a clip as NumPy arrays, in a zip archive of .npy files. */
#ifndef ANIM_FORMAT_NPZ_NPZ_H
#define ANIM_FORMAT_NPZ_NPZ_H

#include "format/write.h"

/*
 * Return a sink that writes the arrays `times`, `names` and `values` of one clip (see anim-emit(1)). All its tracks
 * must have the same times. The files in the archive are not compressed and have no date, so the same clip always gives
 * the same bytes. The output is borrowed and not committed. Return NULL on failure.
 *
 * Sources: .npy is version 1.0 of NEP 1 (numpy.lib.format). The archive follows PKWARE's APPNOTE 6.3, sections 4.3 and
 * 4.5.3 (zip64, for numbers that need more than 32 bits).
 */
struct anim_sink *anim_npz_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/* Return whether the bytes begin such an archive. */
bool anim_npz_is(const uint8_t *bytes, size_t size);

#endif
