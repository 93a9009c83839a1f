/* npz.h: a sink that writes a clip as arrays of numpy, a zip archive of .npy files. */
#ifndef ANIM_FORMAT_NPZ_NPZ_H
#define ANIM_FORMAT_NPZ_NPZ_H

#include "format/write.h"

/*
 * The arrays (see anim-emit(1)): `times`, `names` and `values`, of one clip, whose tracks are all at the same times. No part
 * of the archive is packed, none has a date: the same clip gives the same bytes. Output borrowed, not committed. NULL on
 * failure.
 *
 * Sources: .npy is version 1.0 of NEP 1 (numpy.lib.format); the archive PKWARE's APPNOTE 6.3, 4.3 and 4.5.3 (zip64, for
 * what a number of 32 bits does not hold).
 */
struct anim_sink *anim_npz_writer_new(struct anim_output *, const struct anim_write_options *, struct anim_error *);

/* True where the bytes begin such an archive. */
bool anim_npz_is(const uint8_t *bytes, size_t size);

#endif
