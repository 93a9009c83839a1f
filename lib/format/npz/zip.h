/* zip.h: the files of a zip archive, one after the other, from an input that need not be seekable. */
#ifndef ANIM_FORMAT_NPZ_ZIP_H
#define ANIM_FORMAT_NPZ_ZIP_H

#include <stdbool.h>
#include <zlib.h>

#include "base/buffer.h"
#include "base/input.h"

/* All-zero except the first three members is an archive before its first file. */
struct zip_reader {
	struct anim_input *input; /* borrowed */
	bool trust_size;          /* accept files that inflate to far more than their bytes in the archive */
	struct anim_error *error; /* borrowed */

	/* the current file */
	struct anim_buffer name; /* with its NUL, as UTF-8 if it is valid */
	uint64_t size, packed;   /* bytes of the file, and of the file in the archive */
	uint64_t left, left_packed;
	uint32_t crc, wanted_crc;
	bool deflated, inflating;
	z_stream zip;

	struct anim_buffer entries; /* struct zip_entry: facts that the directory must repeat */
};

/*
 * Move to the next file, which makes `name` and `size` valid. Unread bytes of the current file are passed over without
 * a check. Return 1, 0 after the last file, if the directory agrees with the files and ends the input, or -1 with the
 * byte. Stored and deflated files and zip64 are read. Encrypted files, and files whose size follows their bytes, are
 * refused.
 */
int zip_next(struct zip_reader *);

/* Read exactly `size` bytes of the file. The CRC is checked with the last byte. Return 0 or -1. */
int zip_read(struct zip_reader *, void *to, size_t size);

void zip_clear(struct zip_reader *);

#endif
