/* npz.c: the sink that writes a clip as NumPy arrays: files of numbers in an archive without compression. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/limits.h"
#include "base/text.h"
#include "clip/keys.h"
#include "format/npz/npz.h"
#include "format/wide.h"

/* ---- The archive: headers of files that are stored without compression (APPNOTE 4.3) ---- */

#define ENTRIES_MAX 3
#define LARGE UINT32_MAX /* from here on a size or place needs the 64-bit form (zip64) */

struct npz_entry {
	const char *name; /* ASCII, must outlive the archive */
	uint64_t size, place;
	uint32_t crc;
};

struct npz_zip {
	struct anim_output *out; /* borrowed */
	struct npz_entry entries[ENTRIES_MAX];
	unsigned count;
};

#define VERSION 20u       /* version needed to unpack: 2.0 */
#define VERSION_ZIP64 45u /* 4.5 */
#define DATE 0x21u        /* 1980-01-01, the first possible date, at 0:00 */
#define ZIP64 1u          /* the extra field of 64-bit sizes */

struct bytes {
	uint8_t at[128];
	size_t size;
};

static void put(struct bytes *bytes, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes->at[bytes->size++] = (uint8_t)(value >> 8 * i);
}

static int write_bytes(struct npz_zip *zip, const struct bytes *bytes, struct anim_error *error)
{
	return anim_output_write(zip->out, bytes->at, bytes->size, error);
}

static bool is_long(const struct npz_entry *entry)
{
	return entry->size >= LARGE || entry->place >= LARGE;
}

/*
 * Write the header of a file, or its entry in the directory: fixed fields, of which both share the middle part, its name,
 * and 64-bit sizes if it needs them. Return 0 or -1.
 */
static int write_head(struct npz_zip *zip, const struct npz_entry *entry, bool in_directory, struct anim_error *error)
{
	struct bytes head = {.size = 0}, extra = {.size = 0};
	uint64_t size = is_long(entry) ? UINT32_MAX : entry->size;

	if (is_long(entry)) {
		put(&extra, ZIP64, 2);
		put(&extra, in_directory ? 24 : 16, 2);
		put(&extra, entry->size, 8);
		put(&extra, entry->size, 8);
		if (in_directory)
			put(&extra, entry->place, 8);
	}
	put(&head, in_directory ? 0x02014b50 : 0x04034b50, 4);
	if (in_directory)
		put(&head, VERSION_ZIP64, 2); /* made by this version, on no particular system */
	put(&head, is_long(entry) ? VERSION_ZIP64 : VERSION, 2);
	put(&head, 0, 2); /* flags */
	put(&head, 0, 2); /* method: stored */
	put(&head, 0, 2); /* time */
	put(&head, DATE, 2);
	put(&head, entry->crc, 4);
	put(&head, size, 4);
	put(&head, size, 4);
	put(&head, strlen(entry->name), 2);
	put(&head, extra.size, 2);
	if (in_directory) {
		put(&head, 0, 2); /* comment */
		put(&head, 0, 2); /* disk */
		put(&head, 0, 2); /* internal attributes */
		put(&head, 0, 4); /* external attributes */
		put(&head, is_long(entry) ? UINT32_MAX : entry->place, 4);
	}
	if (write_bytes(zip, &head, error) != 0 ||
	    anim_output_write(zip->out, entry->name, strlen(entry->name), error) != 0)
		return -1;
	return extra.size == 0 ? 0 : write_bytes(zip, &extra, error);
}

/* Write the directory of all files, which ends the archive. Return 0 or -1. */
static int end_archive(struct npz_zip *zip, struct anim_error *error)
{
	uint64_t place = anim_output_offset(zip->out), size;
	struct bytes bytes = {.size = 0};

	for (unsigned i = 0; i < zip->count; i++)
		if (write_head(zip, &zip->entries[i], true, error) != 0)
			return -1;
	size = anim_output_offset(zip->out) - place;
	if (place >= LARGE) {
		/* Put the place of the directory once more, in 64 bits. */
		put(&bytes, 0x06064b50, 4);
		put(&bytes, 44, 8); /* size of the rest of this record */
		put(&bytes, VERSION_ZIP64, 2);
		put(&bytes, VERSION_ZIP64, 2);
		put(&bytes, 0, 4); /* this disk */
		put(&bytes, 0, 4); /* disk of the directory */
		put(&bytes, zip->count, 8);
		put(&bytes, zip->count, 8);
		put(&bytes, size, 8);
		put(&bytes, place, 8);
		put(&bytes, 0x07064b50, 4);
		put(&bytes, 0, 4);
		put(&bytes, place + size, 8);
		put(&bytes, 1, 4); /* disks */
	}
	put(&bytes, 0x06054b50, 4);
	put(&bytes, 0, 2); /* this disk */
	put(&bytes, 0, 2); /* disk of the directory */
	put(&bytes, zip->count, 2);
	put(&bytes, zip->count, 2);
	put(&bytes, size, 4);
	put(&bytes, place >= LARGE ? UINT32_MAX : place, 4);
	put(&bytes, 0, 2); /* comment */
	return write_bytes(zip, &bytes, error);
}

/* ---- Arrays ---- */

#define CHUNK 8192u
#define HEAD_MAX 256u
#define HEAD_STEP 64u /* the size of a header is a multiple of it, so that the numbers after it are aligned */

struct npz_writer {
	struct anim_sink sink;
	struct npz_zip zip;
	struct anim_wide wide;
	bool is_double;
	size_t name_size; /* of the longest name, in characters, at least 1 */
};

/* The bytes of an array, which are either only counted or written to the output. */
struct array {
	struct anim_output *out; /* NULL: only counted */
	uint64_t size;
	uint32_t crc;
};

static int add(struct array *array, const void *bytes, size_t size, struct anim_error *error)
{
	array->size += size;
	if (array->out != NULL)
		return anim_output_write(array->out, bytes, size, error);
	array->crc = (uint32_t)crc32_z(array->crc, bytes, size);
	return 0;
}

/* An .npy file has a header, which is a Python literal, and the numbers. */

static int add_head(struct array *array, const char *type, bool by_columns, const char *shape, struct anim_error *error)
{
	char head[HEAD_MAX] = "\x93NUMPY\x01\0\0";
	size_t used = 10, size;

	used +=
	    (size_t)snprintf(head + used, sizeof head - used, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }",
			     type, by_columns ? "True" : "False", shape);
	size = (used + HEAD_STEP) / HEAD_STEP * HEAD_STEP;
	memset(head + used, ' ', size - used - 1);
	head[size - 1] = '\n';
	head[8] = (char)(size - 10);
	head[9] = (char)((size - 10) >> 8);
	return add(array, head, size, error);
}

static int add_times(struct npz_writer *npz, struct array *array, struct anim_error *error)
{
	size_t rows = anim_wide_rows(&npz->wide);
	char shape[32];

	snprintf(shape, sizeof shape, "%zu,", rows);
	if (add_head(array, "<f8", false, shape, error) != 0)
		return -1;
	return rows == 0 ? 0 : add(array, anim_wide_times(&npz->wide), rows * sizeof(double), error);
}

static int add_names(struct npz_writer *npz, struct array *array, struct anim_error *error)
{
	size_t columns = anim_wide_column_count(&npz->wide);
	char shape[32], type[32];

	snprintf(shape, sizeof shape, "%zu,", columns);
	snprintf(type, sizeof type, "<U%zu", npz->name_size);
	if (add_head(array, type, false, shape, error) != 0)
		return -1;
	for (size_t i = 0; i < columns; i++) {
		const char *name = anim_wide_name(&npz->wide, i);
		size_t left = strlen(name), written = 0;
		uint32_t codes[64];

		/* Add a name as UTF-32, padded with zeros. */
		while (written < npz->name_size) {
			size_t count = 0, room = npz->name_size - written;
			for (; count < room && count < sizeof codes / sizeof *codes; count++) {
				size_t size =
				    left == 0 ? 0 : anim_utf8_decode((const uint8_t *)name, left, &codes[count]);

				if (size == 0)
					codes[count] = 0;
				name += size;
				left -= size;
			}
			if (add(array, codes, count * sizeof *codes, error) != 0)
				return -1;
			written += count;
		}
	}
	return 0;
}

/* Add one row per time, but stored by columns: tracks arrive in this order, so no row needs the last track. */
static int add_values(struct npz_writer *npz, struct array *array, struct anim_error *error)
{
	size_t columns = anim_wide_column_count(&npz->wide);
	char shape[64];

	snprintf(shape, sizeof shape, "%zu, %zu", anim_wide_rows(&npz->wide), columns);
	if (add_head(array, npz->is_double ? "<f8" : "<f4", true, shape, error) != 0)
		return -1;
	for (size_t i = 0; i < columns; i++) {
		enum anim_wide_scalar scalar = anim_wide_columns(&npz->wide)[i].scalar;
		size_t rows = anim_wide_rows(&npz->wide), cell = npz->is_double ? sizeof(double) : sizeof(float);
		double cells[CHUNK];
		const void *bytes = cells;

		for (size_t first = 0; first < rows; first += CHUNK) {
			size_t count = rows - first < CHUNK ? rows - first : CHUNK;
			if (anim_wide_read(&npz->wide, i, first, count, cells, error) != 0)
				return -1;
			/* Cells of 8 or 4 bytes become doubles in place, from the last one on. */
			for (size_t k = count; npz->is_double && k-- > 0;) {
				if (scalar <= ANIM_WIDE_SMALL)
					cells[k] = (double)((const float *)bytes)[k];
				else if (scalar == ANIM_WIDE_SIGNED)
					cells[k] = (double)((const int64_t *)bytes)[k];
				else if (scalar == ANIM_WIDE_UNSIGNED)
					cells[k] = (double)((const uint64_t *)bytes)[k];
			}
			if (add(array, cells, count * cell, error) != 0)
				return -1;
		}
	}
	return 0;
}

/* ---- The sink ---- */

typedef int add_array(struct npz_writer *, struct array *, struct anim_error *);

/* Write an array. Its size and CRC precede its bytes, so the bytes are made twice. */
static int write_array(struct npz_writer *npz, const char *name, add_array *make, struct anim_error *error)
{
	struct npz_zip *zip = &npz->zip;
	struct npz_entry *entry = &zip->entries[zip->count];
	struct array array = {0};

	assert(zip->count < ENTRIES_MAX);
	if (make(npz, &array, error) != 0)
		return -1;
	zip->count++;
	*entry = (struct npz_entry){name, array.size, anim_output_offset(zip->out), array.crc};
	if (write_head(zip, entry, false, error) != 0)
		return -1;
	array.out = zip->out;
	return make(npz, &array, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_wide_clip(&((struct npz_writer *)sink)->wide, clip, "npz", error);
}

/* Return whether a 64-bit integer of the track cannot be stored exactly in a double. */
static bool is_rounded(const struct anim_track *track)
{
	bool natural = anim_types[track->type].scalar == ANIM_SCALAR_U64;
	unsigned components = anim_types[track->type].components;

	if (!natural && anim_types[track->type].scalar != ANIM_SCALAR_I64)
		return false;
	for (size_t i = 0; i < track->n * components; i++) {
		int64_t whole =
		    anim_component_integer(track->type, track->value, i / components, (unsigned)(i % components));
		uint64_t size = !natural && whole < 0 ? -(uint64_t)whole : (uint64_t)whole;

		while (size >> 53 != 0 && (size & 1) == 0)
			size >>= 1;
		if (size >> 53 != 0)
			return true;
	}
	return false;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct anim_wide *wide = &((struct npz_writer *)sink)->wide;

	if (anim_wide_add(wide, track, error) != 0)
		return -1;
	return !is_rounded(track)
		   ? 0
		   : anim_diagnostics_track(wide->diagnostics, track, error, "large integers are rounded to doubles");
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct npz_writer *npz = (struct npz_writer *)sink;
	const struct anim_wide_column *columns;
	size_t count;

	if (anim_wide_end(&npz->wide, error) != 0)
		return -1;
	/* Find the type of numbers and the length of names that suit all columns. */
	columns = anim_wide_columns(&npz->wide);
	count = anim_wide_column_count(&npz->wide);

	npz->name_size = 1;
	for (size_t i = 0; i < count; i++) {
		size_t size = 0;

		for (const char *at = anim_wide_name(&npz->wide, i); *at != '\0'; at++)
			size += ((unsigned char)*at & 0xC0) != 0x80;
		npz->name_size = size > npz->name_size ? size : npz->name_size;
		npz->is_double |= columns[i].scalar > ANIM_WIDE_SMALL;
	}
	if (count > 0 && npz->name_size > ANIM_NPZ_NAMES_MAX / 4 / count)
		return anim_fail(error, ANIM_TOO_LARGE,
				 "the names of %zu columns are too large, because numpy stores each with the length of "
				 "the longest (%zu)",
				 count, npz->name_size);
	if (write_array(npz, "times.npy", add_times, error) != 0 ||
	    write_array(npz, "names.npy", add_names, error) != 0 ||
	    write_array(npz, "values.npy", add_values, error) != 0)
		return -1;
	return end_archive(&npz->zip, error);
}

static void on_free(struct anim_sink *sink)
{
	struct npz_writer *npz = (struct npz_writer *)sink;

	anim_wide_clear(&npz->wide);
	free(npz);
}

struct anim_sink *anim_npz_writer_new(struct anim_output *out, const struct anim_write_options *options,
				      struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct npz_writer *npz = anim_sink_new(sizeof *npz, &ops, error);

	if (npz == NULL)
		return NULL;
	npz->zip.out = out;
	anim_wide_init(&npz->wide, options->store_memory, options->diagnostics);
	return &npz->sink;
}

bool anim_npz_is(const uint8_t *bytes, size_t size)
{
	return size >= 39 && memcmp(bytes, "PK\003\004", 4) == 0 && memcmp(bytes + 30, "times.npy", 9) == 0;
}
