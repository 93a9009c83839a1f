/* zip.c: the headers of an archive of files that are not packed (APPNOTE 4.3). */
#include "format/npz/zip.h"

#include <assert.h>
#include <string.h>

#define VERSION 20u       /* that is needed: 2.0 */
#define VERSION_ZIP64 45u /* 4.5 */
#define DATE 0x21u        /* 1980-01-01, the first one there is, at 0:00 */
#define ZIP64 1u          /* the extra field of long sizes */

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

static bool is_long(const struct npz_zip *zip, const struct npz_entry *entry)
{
	return entry->size >= zip->large || entry->place >= zip->large;
}

/* What the header before the file and its line in the list have in common; a long size stands behind the name. */
static void put_common(const struct npz_zip *zip, struct bytes *bytes, const struct npz_entry *entry, unsigned extra)
{
	uint64_t size = is_long(zip, entry) ? UINT32_MAX : entry->size;

	put(bytes, is_long(zip, entry) ? VERSION_ZIP64 : VERSION, 2);
	put(bytes, 0, 2); /* flags */
	put(bytes, 0, 2); /* stored */
	put(bytes, 0, 2); /* time */
	put(bytes, DATE, 2);
	put(bytes, entry->crc, 4);
	put(bytes, size, 4);
	put(bytes, size, 4);
	put(bytes, strlen(entry->name), 2);
	put(bytes, is_long(zip, entry) ? extra : 0, 2);
}

static int write_name(struct npz_zip *zip, const struct npz_entry *entry, struct anim_error *error)
{
	return anim_output_write(zip->out, entry->name, strlen(entry->name), error);
}

/* The long sizes, `with_place` also where the file begins. 0 or -1. */
static int write_extra(struct npz_zip *zip, const struct npz_entry *entry, bool with_place, struct anim_error *error)
{
	struct bytes bytes = {.size = 0};

	if (!is_long(zip, entry))
		return 0;
	put(&bytes, ZIP64, 2);
	put(&bytes, with_place ? 24 : 16, 2);
	put(&bytes, entry->size, 8);
	put(&bytes, entry->size, 8);
	if (with_place)
		put(&bytes, entry->place, 8);
	return write_bytes(zip, &bytes, error);
}

int npz_zip_begin(struct npz_zip *zip, const char *name, uint64_t size, uint32_t crc, struct anim_error *error)
{
	struct npz_entry *entry = &zip->entries[zip->count++];
	struct bytes bytes = {.size = 0};

	assert(zip->count <= NPZ_ENTRIES_MAX);
	*entry = (struct npz_entry){name, size, anim_output_offset(zip->out), crc};
	put(&bytes, 0x04034b50, 4);
	put_common(zip, &bytes, entry, 20);
	if (write_bytes(zip, &bytes, error) != 0 || write_name(zip, entry, error) != 0)
		return -1;
	return write_extra(zip, entry, false, error);
}

static int write_entry(struct npz_zip *zip, const struct npz_entry *entry, struct anim_error *error)
{
	struct bytes bytes = {.size = 0};

	put(&bytes, 0x02014b50, 4);
	put(&bytes, VERSION_ZIP64, 2); /* made by: of no system in particular */
	put_common(zip, &bytes, entry, 28);
	put(&bytes, 0, 2); /* comment */
	put(&bytes, 0, 2); /* disk */
	put(&bytes, 0, 2); /* attributes, inner */
	put(&bytes, 0, 4); /* and outer */
	put(&bytes, is_long(zip, entry) ? UINT32_MAX : entry->place, 4);
	if (write_bytes(zip, &bytes, error) != 0 || write_name(zip, entry, error) != 0)
		return -1;
	return write_extra(zip, entry, true, error);
}

/* Where the list lies, once more in 64 bits. */
static void put_long_end(struct bytes *bytes, const struct npz_zip *zip, uint64_t place, uint64_t size)
{
	put(bytes, 0x06064b50, 4);
	put(bytes, 44, 8); /* what is left of this record */
	put(bytes, VERSION_ZIP64, 2);
	put(bytes, VERSION_ZIP64, 2);
	put(bytes, 0, 4); /* this disk */
	put(bytes, 0, 4); /* that of the list */
	put(bytes, zip->count, 8);
	put(bytes, zip->count, 8);
	put(bytes, size, 8);
	put(bytes, place, 8);
	put(bytes, 0x07064b50, 4);
	put(bytes, 0, 4);
	put(bytes, place + size, 8);
	put(bytes, 1, 4); /* disks */
}

int npz_zip_end(struct npz_zip *zip, struct anim_error *error)
{
	uint64_t place = anim_output_offset(zip->out), size;
	struct bytes bytes = {.size = 0};

	for (unsigned i = 0; i < zip->count; i++)
		if (write_entry(zip, &zip->entries[i], error) != 0)
			return -1;
	size = anim_output_offset(zip->out) - place;
	if (place >= zip->large)
		put_long_end(&bytes, zip, place, size);
	put(&bytes, 0x06054b50, 4);
	put(&bytes, 0, 2); /* this disk */
	put(&bytes, 0, 2); /* that of the list */
	put(&bytes, zip->count, 2);
	put(&bytes, zip->count, 2);
	put(&bytes, size, 4);
	put(&bytes, place >= zip->large ? UINT32_MAX : place, 4);
	put(&bytes, 0, 2); /* comment */
	return write_bytes(zip, &bytes, error);
}
