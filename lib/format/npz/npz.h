/* npz.h: reads and writes NumPy arrays: .npy files, and .npz, zip archives of them. */
#ifndef ANIM_FORMAT_NPZ_NPZ_H
#define ANIM_FORMAT_NPZ_NPZ_H

#include "format/read.h"
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

/* Return whether the bytes begin such an archive, and whether they begin any array or archive of arrays. */
bool anim_npz_is(const uint8_t *bytes, size_t size);
bool anim_npy_is(const uint8_t *bytes, size_t size);

/*
 * Read one file into the sink, but do not end the sink. Three kinds are read. An archive of anim_npz_writer_new becomes
 * its clip, without a tree. An archive with the rotations of a SMPL, SMPL-H or SMPL-X body becomes a tree of bones with
 * mean offsets, and a clip of source "smpl": Raw tracks `rotation` of each joint and `position` of the root, in metres
 * and glTF axes. A single array holds such rotations or positions of joints, from which rotations are computed. Memory
 * use depends on a tile of frames and on one track. Return 0, or -1 with the byte.
 */
int anim_npz_read(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);

#endif
