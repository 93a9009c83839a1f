/* archive_open.c: an open archive: access to its bytes by position, its index, its records. */
#include "base/advice.h"
#include "stream/columns.h"
#include "stream/members.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/limits.h"
#include "base/named.h"
#include "base/system.h"

/* ---- Members: inflated bytes by position, one member at a time ---- */

#define PACKED_CHUNK ((size_t)64 * 1024)
#define WINDOW_BITS_GZIP (15 + 16) /* zlib's largest window; 16 more select gzip's header and trailer */
#define MEMBER_MIN (ANIM_MEMBER_HEAD + 2 + ANIM_MEMBER_TAIL) /* an empty deflate block is 2 bytes */

static void clear_members(struct anim_members *members)
{
	if (members->has_zip)
		inflateEnd(&members->zip);
	for (size_t i = 0; i < ANIM_MEMBERS_KEPT; i++)
		free(members->kept[i].bytes);
	free(members->packed);
	memset(members, 0, sizeof *members);
}

static int init_members(struct anim_members *members, int fd, const char *name, uint64_t limit,
			struct anim_error *error)
{
	memset(members, 0, sizeof *members);
	members->fd = fd;
	members->name = name;
	members->limit = limit;
	members->packed = malloc(PACKED_CHUNK);
	members->has_zip = inflateInit2(&members->zip, WINDOW_BITS_GZIP) == Z_OK;
	if (members->packed != NULL && members->has_zip)
		return 0;
	clear_members(members);
	return anim_fail_memory(error);
}

int anim_members_place(const struct anim_members *members, uint64_t member, struct anim_error *error)
{
	if (error != NULL) {
		error->at = ANIM_AT_BYTE;
		error->offset = member;
	}
	return anim_error_in_file(error, members->name);
}

int anim_members_fail(const struct anim_members *members, uint64_t member, struct anim_error *error, const char *format,
		      ...)
{
	va_list args;

	va_start(args, format);
	anim_fail_va(error, ANIM_BAD_INPUT, NULL, format, args);
	va_end(args);
	return anim_members_place(members, member, error);
}

static int read_file(struct anim_members *members, uint64_t offset, void *to, size_t size, struct anim_error *error)
{
	ssize_t count = anim_read_at(members->fd, to, size, offset);

	if (count < 0) {
		anim_fail_system(error, "cannot read");
		return anim_error_in_file(error, members->name);
	}
	if ((size_t)count < size)
		return anim_members_fail(members, offset + (uint64_t)count, error,
					 "the file became shorter while it was read");
	members->bytes_read += size;
	return 0;
}

static uint32_t get_u32(const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof value);
	return value;
}

/*
 * Check the first bytes of a member: AX must be first in FEXTRA, and no other flag may be set. Get its length from
 * AX.
 */
static int check_head(const struct anim_members *members, uint64_t member, const uint8_t head[ANIM_MEMBER_HEAD],
		      uint64_t *length, struct anim_error *error)
{
	static const uint8_t expected[] = {0x1f, 0x8b, 8, 4}, field[] = {'A', 'X', 4, 0};

	if (memcmp(head, expected, sizeof expected) != 0 || memcmp(head + 12, field, sizeof field) != 0 ||
	    (head[10] < 8 && head[11] == 0))
		return anim_members_fail(members, member, error, "no member of the archive begins here");
	*length = (uint64_t)get_u32(head + ANIM_MEMBER_AX_AT) + 1;
	if (*length < MEMBER_MIN || *length > members->limit - member)
		return anim_members_fail(members, member, error, "a member with the impossible size of %llu bytes",
					 (unsigned long long)*length);
	return 0;
}

static int check_offset(const struct anim_members *members, uint64_t member, struct anim_error *error)
{
	if (member >= members->limit || members->limit - member < MEMBER_MIN)
		return anim_members_fail(members, member, error, "the archive ends too early");
	return 0;
}

/* Inflate until the member ends or exceeds its maximum size. Its header is in members->packed. */
static int inflate_member(struct anim_members *members, uint64_t member, uint64_t length, uint8_t *to,
			  struct anim_error *error)
{
	z_stream *zip = &members->zip;
	uint64_t taken = ANIM_MEMBER_HEAD;
	int status = Z_OK;

	zip->next_in = members->packed;
	zip->avail_in = ANIM_MEMBER_HEAD;
	zip->next_out = to;
	zip->avail_out = (uInt)ANIM_MEMBER_MAX + 1;
	while (status == Z_OK && zip->avail_out > 0) {
		size_t most = length - taken < PACKED_CHUNK ? (size_t)(length - taken) : PACKED_CHUNK;

		if (zip->avail_in == 0 && most > 0) {
			if (read_file(members, member + taken, members->packed, most, error) != 0)
				return -1;
			taken += most;
			zip->next_in = members->packed;
			zip->avail_in = (uInt)most;
		}
		status = inflate(zip, Z_NO_FLUSH);
	}
	if (status == Z_MEM_ERROR)
		return anim_fail_memory(error);
	if (zip->avail_out == 0)
		return anim_members_fail(members, member, error, "a member of more than %zu bytes", ANIM_MEMBER_MAX);
	if (status != Z_STREAM_END && status != Z_BUF_ERROR)
		return anim_members_fail(members, member, error, "the member that begins here is damaged%s%s",
					 zip->msg == NULL ? "" : ": ", zip->msg == NULL ? "" : zip->msg);
	if (status == Z_BUF_ERROR || zip->total_in != length)
		return anim_members_fail(members, member, error, "a member whose length differs from its AX field");
	return 0;
}

/* Return the member if it is kept, otherwise NULL. */
static struct anim_loaded_member *find(struct anim_members *members, uint64_t member)
{
	for (size_t i = 0; i < ANIM_MEMBERS_KEPT; i++)
		if (members->kept[i].at == member && members->kept[i].next > member)
			return &members->kept[i];
	return NULL;
}

static const struct anim_loaded_member *load_member(struct anim_members *members, uint64_t member,
						    struct anim_error *error)
{
	struct anim_loaded_member *kept = find(members, member);
	uint64_t length;

	members->clock++;
	if (kept != NULL) {
		kept->used = members->clock;
		return kept;
	}
	/* The member that was not used for the longest time makes room. */
	kept = &members->kept[0];
	for (size_t i = 1; i < ANIM_MEMBERS_KEPT; i++)
		if (members->kept[i].used < kept->used)
			kept = &members->kept[i];
	kept->at = kept->next = 0;
	if (kept->bytes == NULL && (kept->bytes = malloc(ANIM_MEMBER_MAX + 1)) == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	if (check_offset(members, member, error) != 0 ||
	    read_file(members, member, members->packed, ANIM_MEMBER_HEAD, error) != 0 ||
	    check_head(members, member, members->packed, &length, error) != 0)
		return NULL;
	if (inflateReset(&members->zip) != Z_OK) {
		anim_fail_memory(error);
		return NULL;
	}
	if (inflate_member(members, member, length, kept->bytes, error) != 0)
		return NULL;
	members->inflated++;
	if (members->progress != NULL &&
	    members->progress(members->progress_context, members->bytes_read, members->progress_of) != 0) {
		anim_fail(error, ANIM_CANCELLED, "cancelled");
		return NULL;
	}
	kept->at = member;
	kept->next = member + length;
	kept->size = members->zip.total_out;
	kept->used = members->clock;
	return kept;
}

/*
 * Get the position of the next member and the size of the contents. If the member is not inflated, its stated size is
 * used.
 */
static int measure(struct anim_members *members, uint64_t member, uint64_t *next, uint32_t *size,
		   struct anim_error *error)
{
	const struct anim_loaded_member *kept = find(members, member);
	uint8_t head[ANIM_MEMBER_HEAD], tail[4];
	uint64_t length;

	if (kept != NULL) {
		*next = kept->next;
		*size = (uint32_t)kept->size;
		return 0;
	}
	if (check_offset(members, member, error) != 0 || read_file(members, member, head, sizeof head, error) != 0 ||
	    check_head(members, member, head, &length, error) != 0 ||
	    read_file(members, member + length - sizeof tail, tail, sizeof tail, error) != 0)
		return -1;
	*next = member + length;
	*size = get_u32(tail);
	if (*size > ANIM_MEMBER_MAX)
		return anim_members_fail(members, member, error, "a member of more than %zu bytes", ANIM_MEMBER_MAX);
	return 0;
}

int anim_members_advance(struct anim_members *members, struct anim_archive_place *place, uint64_t bytes,
			 struct anim_error *error)
{
	uint64_t next, inner = place->inner;
	uint32_t size;

	if (measure(members, place->member, &next, &size, error) != 0)
		return -1;
	if (inner >= size && inner > 0)
		return anim_members_fail(members, place->member, error,
					 "iNDX points at byte %llu of a member that holds %lu",
					 (unsigned long long)inner, (unsigned long)size);
	inner += bytes;
	while (inner >= size) {
		inner -= size;
		place->member = next;
		/*
		 * The position after the last byte of the last member is also valid, although nothing can be read
		 * there.
		 */
		if (inner == 0 && next == members->limit)
			break;
		if (measure(members, next, &next, &size, error) != 0)
			return -1;
	}
	place->inner = (uint32_t)inner;
	return 0;
}

int anim_members_append(struct anim_members *members, struct anim_archive_place *place, uint64_t size,
			struct anim_buffer *out, struct anim_error *error)
{
	while (size > 0) {
		const struct anim_loaded_member *member = load_member(members, place->member, error);
		size_t count;

		if (member == NULL)
			return -1;
		if (place->inner > member->size)
			return anim_members_fail(members, place->member, error,
						 "iNDX points at byte %lu of a member that holds %zu",
						 (unsigned long)place->inner, member->size);
		count = member->size - place->inner < size ? member->size - place->inner : (size_t)size;
		if (anim_buffer_append(out, member->bytes + place->inner, count, error) != 0)
			return -1;
		size -= count;
		place->inner += (uint32_t)count;
		if (place->inner == member->size)
			*place = (struct anim_archive_place){member->next, 0};
	}
	return 0;
}

/* ---- iNDX ---- */

/* The fewest bytes of an entry, so that a count can be checked against the available bytes. */
#define CLIP_LEAST (1 + 8 + 12 + 12 + 1)
#define TRACK_LEAST (5 + 1 + 8 + 12 + 4 + 1)
#define COLUMN_LEAST (2 + 16)
#define BLOCK_SIZE 16
_Static_assert(sizeof(struct anim_archive_block) == BLOCK_SIZE, "blocks are copied from the file without changes");

struct index_reader {
	struct anim_cursor cursor;
	uint64_t limit;
	struct anim_archive_place record, last; /* of the previous clip or track, and the last position in it */
};

/* Read a count of entries of at least `least` bytes each. */
static int read_count(struct anim_cursor *cursor, size_t least, size_t *count)
{
	const uint8_t *at = cursor->at;
	uint64_t value;

	if (anim_cursor_varint(cursor, &value) != 0)
		return -1;
	if (value > (uint64_t)(cursor->end - cursor->at) / least)
		return anim_cursor_fail(cursor, at, "iNDX counts more than it holds");
	*count = (size_t)value;
	return 0;
}

static int check_place(const struct index_reader *reader, const uint8_t *at, uint64_t member, uint32_t inner)
{
	if (member >= reader->limit || inner >= ANIM_MEMBER_MAX)
		return anim_cursor_fail(&reader->cursor, at, "iNDX points past the archive's members");
	return 0;
}

static bool is_before(struct anim_archive_place a, struct anim_archive_place b)
{
	return a.member < b.member || (a.member == b.member && a.inner < b.inner);
}

/*
 * Clips, tracks and their blocks must be in the order of the stream, without duplicates or overlaps. Columns without
 * bytes have the position of the next item.
 */
static int check_order(struct index_reader *reader, const uint8_t *at, struct anim_archive_place place)
{
	if (!is_before(reader->record, place) || is_before(place, reader->last))
		return anim_cursor_fail(&reader->cursor, at, "places in iNDX that are not in order");
	reader->last = place;
	return 0;
}

static int read_place(struct index_reader *reader, bool may_be_none, struct anim_archive_place *place)
{
	const uint8_t *at = reader->cursor.at;

	if (anim_cursor_get(&reader->cursor, &place->member, 8) != 0 ||
	    anim_cursor_get(&reader->cursor, &place->inner, 4) != 0)
		return -1;
	if (may_be_none && place->member == ANIM_ARCHIVE_NOWHERE && place->inner == UINT32_MAX)
		return 0;
	return check_place(reader, at, place->member, place->inner);
}

/* Read the position of a clip or a track. */
static int read_record_place(struct index_reader *reader, struct anim_archive_place *place)
{
	const uint8_t *at = reader->cursor.at;

	if (read_place(reader, false, place) != 0 || check_order(reader, at, *place) != 0)
		return -1;
	reader->record = *place;
	return 0;
}

static int read_column(struct index_reader *reader, const struct anim_archive_track *track, int last_id,
		       struct anim_archive_column *column)
{
	struct anim_cursor *cursor = &reader->cursor;
	const uint64_t keys = track->block_keys;
	const uint8_t *at = cursor->at;

	if (anim_cursor_get(cursor, &column->id, 1) != 0 || read_count(cursor, BLOCK_SIZE, &column->block_count) != 0)
		return -1;
	if (column->id <= last_id)
		return anim_cursor_fail(cursor, at, "column %d after column %d in iNDX", column->id, last_id);
	/* A plain column is one block. A prepared column has as many blocks as its keys need. */
	if (column->block_count != 1 &&
	    (keys == 0 || track->n == 0 || column->block_count != (track->n + keys - 1) / keys))
		return anim_cursor_fail(cursor, at, "column %d has %zu blocks in iNDX, which does not match %llu keys",
					column->id, column->block_count, (unsigned long long)track->n);
	column->blocks = anim_arena_alloc(cursor->arena, column->block_count * BLOCK_SIZE, cursor->error);
	if (column->blocks == NULL || anim_cursor_borrow(cursor, (uint64_t)column->block_count * BLOCK_SIZE, &at) != 0)
		return -1;
	memcpy(column->blocks, at, column->block_count * BLOCK_SIZE);
	for (size_t i = 0; i < column->block_count; i++, at += BLOCK_SIZE) {
		const struct anim_archive_place place = {column->blocks[i].member, column->blocks[i].inner};

		if (check_place(reader, at, place.member, place.inner) != 0 || check_order(reader, at, place) != 0)
			return -1;
	}
	return 0;
}

static int read_track(struct index_reader *reader, struct anim_archive_track *track)
{
	struct anim_cursor *cursor = &reader->cursor;
	const uint8_t *at = cursor->at;
	int last_id = -1;

	if (anim_cursor_get(cursor, &track->kind, 1) != 0 || anim_cursor_get(cursor, &track->type, 1) != 0 ||
	    anim_cursor_name(cursor, &track->node) != 0 || anim_cursor_name(cursor, &track->property) != 0 ||
	    anim_cursor_get(cursor, &track->component, 1) != 0 || anim_cursor_varint(cursor, &track->n) != 0 ||
	    anim_cursor_get(cursor, &track->first_s, 4) != 0 || anim_cursor_get(cursor, &track->last_s, 4) != 0 ||
	    read_record_place(reader, &track->place) != 0 || anim_cursor_get(cursor, &track->block_keys, 4) != 0)
		return -1;
	if (track->kind > ANIM_CURVE || track->type >= ANIM_TYPE_COUNT ||
	    (track->component != ANIM_WHOLE && track->component > 15) || track->n > ANIM_KEYS_MAX)
		return anim_cursor_fail(cursor, at, "iNDX describes an impossible track");
	if (!isfinite(track->first_s) || !isfinite(track->last_s))
		return anim_cursor_fail(cursor, at, "a time in iNDX that is not finite");
	if (track->block_keys != 0 &&
	    (track->block_keys < ANIM_FORM1_KEYS_LEAST || track->block_keys > ANIM_FORM1_KEYS_MOST))
		return anim_cursor_fail(cursor, at, "iNDX describes blocks of %lu keys",
					(unsigned long)track->block_keys);
	if (read_count(cursor, COLUMN_LEAST, &track->column_count) != 0)
		return -1;
	track->columns = anim_arena_zeroed(cursor->arena, track->column_count, sizeof *track->columns, cursor->error);
	if (track->columns == NULL)
		return -1;
	for (size_t i = 0; i < track->column_count; i++) {
		if (read_column(reader, track, last_id, &track->columns[i]) != 0)
			return -1;
		last_id = track->columns[i].id;
	}
	return 0;
}

int anim_archive_index_decode(struct anim_archive_index *index, const struct anim_record *record, uint64_t limit,
			      struct anim_arena *arena, struct anim_error *error)
{
	struct index_reader reader = {.limit = limit};

	anim_cursor_init(&reader.cursor, record, arena, error);
	if (read_count(&reader.cursor, CLIP_LEAST, &index->clip_count) != 0)
		return -1;
	index->clips = anim_arena_zeroed(arena, index->clip_count, sizeof *index->clips, error);
	if (index->clips == NULL)
		return -1;
	for (size_t i = 0; i < index->clip_count; i++) {
		struct anim_archive_clip *clip = &index->clips[i];
		struct anim_cursor *cursor = &reader.cursor;
		const uint8_t *at = cursor->at;

		if (anim_cursor_name(cursor, &clip->name) != 0 || anim_cursor_get(cursor, &clip->start_s, 4) != 0 ||
		    anim_cursor_get(cursor, &clip->end_s, 4) != 0)
			return -1;
		if (!isfinite(clip->start_s) || !isfinite(clip->end_s) || clip->end_s < clip->start_s)
			return anim_cursor_fail(cursor, at, "iNDX describes an impossible clip");
		if (read_record_place(&reader, &clip->place) != 0 || read_place(&reader, true, &clip->tree) != 0 ||
		    read_count(cursor, TRACK_LEAST, &clip->track_count) != 0)
			return -1;
		clip->tracks = anim_arena_zeroed(arena, clip->track_count, sizeof *clip->tracks, error);
		if (clip->tracks == NULL)
			return -1;
		for (size_t k = 0; k < clip->track_count; k++)
			if (read_track(&reader, &clip->tracks[k]) != 0)
				return -1;
	}
	return anim_cursor_done(&reader.cursor);
}

/* ---- bOND ---- */

#define ROW_LEAST (1 + 1 + 12)

int anim_archive_bounds_encode(struct anim_buffer *out, const struct anim_archive_bounds *bounds,
			       struct anim_error *error)
{
	const size_t start = out->size;

	if (anim_put_head(out, ANIM_BOUNDS_TAG, error) != 0 || anim_put_text(out, bounds->limits, error) != 0 ||
	    anim_put_varint(out, bounds->override_count, error) != 0)
		return -1;
	for (size_t i = 0; i < bounds->override_count; i++)
		if (anim_put_text(out, bounds->overrides[i], error) != 0)
			return -1;
	if (anim_put_varint(out, bounds->clip_count, error) != 0)
		return -1;
	for (size_t i = 0; i < bounds->clip_count; i++) {
		if (anim_put_varint(out, bounds->clips[i].count, error) != 0)
			return -1;
		for (size_t k = 0; k < bounds->clips[i].count; k++) {
			const struct anim_archive_bound *bound = &bounds->clips[i].rows[k];
			const uint8_t unit = (uint8_t)bound->unit;
			const float numbers[3] = {bound->asked, bound->shell_m, bound->reached};

			if (anim_put_text(out, bound->nodes, error) != 0 ||
			    anim_buffer_append(out, &unit, 1, error) != 0 ||
			    anim_buffer_append(out, numbers, sizeof numbers, error) != 0)
				return -1;
		}
	}
	return anim_put_finish(out, start, error);
}

static int read_bound(struct anim_cursor *cursor, struct anim_archive_bound *bound)
{
	const uint8_t *at = cursor->at;
	uint8_t unit;

	if (anim_cursor_name(cursor, &bound->nodes) != 0 || anim_cursor_get(cursor, &unit, 1) != 0 ||
	    anim_cursor_get(cursor, &bound->asked, 4) != 0 || anim_cursor_get(cursor, &bound->shell_m, 4) != 0 ||
	    anim_cursor_get(cursor, &bound->reached, 4) != 0)
		return -1;
	bound->unit = (enum anim_bound_unit)unit;
	if (unit >= ANIM_BOUND_UNIT_COUNT || !(bound->asked >= 0) || !(bound->shell_m >= 0) || !(bound->reached >= 0))
		return anim_cursor_fail(cursor, at, "an impossible error in bOND");
	return 0;
}

int anim_archive_bounds_decode(struct anim_archive_bounds *bounds, const struct anim_record *record,
			       struct anim_arena *arena, struct anim_error *error)
{
	struct anim_cursor cursor;

	anim_cursor_init(&cursor, record, arena, error);
	if (anim_cursor_name(&cursor, &bounds->limits) != 0 || read_count(&cursor, 1, &bounds->override_count) != 0)
		return -1;
	bounds->overrides = anim_arena_zeroed(arena, bounds->override_count, sizeof *bounds->overrides, error);
	for (size_t i = 0; i < bounds->override_count && bounds->overrides != NULL; i++)
		if (anim_cursor_name(&cursor, &bounds->overrides[i]) != 0)
			return -1;
	if (bounds->overrides == NULL || read_count(&cursor, 1, &bounds->clip_count) != 0)
		return -1;
	bounds->clips = anim_arena_zeroed(arena, bounds->clip_count, sizeof *bounds->clips, error);
	if (bounds->clips == NULL)
		return -1;
	for (size_t i = 0; i < bounds->clip_count; i++) {
		struct anim_archive_clip_bounds *clip = &bounds->clips[i];

		if (read_count(&cursor, ROW_LEAST, &clip->count) != 0)
			return -1;
		clip->rows = anim_arena_zeroed(arena, clip->count, sizeof *clip->rows, error);
		if (clip->rows == NULL)
			return -1;
		for (size_t k = 0; k < clip->count; k++)
			if (read_bound(&cursor, &clip->rows[k]) != 0)
				return -1;
	}
	return anim_cursor_done(&cursor);
}

/* Read the record at the place, which has the tag of the bounds. Returns 0 or -1. */
static int read_bounds(struct anim_archive *archive, struct anim_archive_place place, struct anim_error *error)
{
	struct anim_archive_bounds *bounds = anim_arena_zeroed(&archive->index_arena, 1, sizeof *bounds, error);
	const struct anim_archive_place from = place;
	struct anim_record record;

	if (bounds == NULL || anim_archive_record(archive, &place, ANIM_BOUNDS_TAG, &record, error) != 0)
		return -1;
	if (anim_archive_bounds_decode(bounds, &record, &archive->index_arena, error) != 0)
		return anim_members_place(&archive->members, from.member, error);
	archive->index.bounds = bounds;
	return bounds->clip_count == archive->index.clip_count
		   ? 0
		   : anim_members_fail(&archive->members, from.member, error, "bOND has %zu clips, iNDX has %zu",
				       bounds->clip_count, archive->index.clip_count);
}

/* ---- The file and its trailer ---- */

const uint8_t anim_archive_trailer[ANIM_TRAILER_SIZE] = {0x1f, 0x8b, 8, 4, 0,  0, 0, 0, 0,   0xff, 20, 0,
							 'A',  'X',  4, 0, 41, 0, 0, 0, 'A', 'I',  8,  0,
							 0,    0,    0, 0, 0,  0, 0, 0, 3,   0};

/*
 * Open the file and get its size. Returns 1 for a regular file at its first byte, 0 for anything else and for errors
 * that the ordinary input will report, or -1. A FIFO is not opened, because its other end would notice.
 */
static int open_file(struct anim_archive *archive, const char *path, struct anim_error *error)
{
	bool is_stdin = path == NULL || strcmp(path, "-") == 0;
	struct anim_stat info;

	archive->name = strdup(is_stdin ? "-" : path);
	if (archive->name == NULL)
		return anim_fail_memory(error);
	if ((is_stdin ? anim_sys_fstat(STDIN_FILENO, &info) : anim_sys_stat(path, &info)) != 0 ||
	    info.kind != ANIM_FILE)
		return 0;
	archive->fd = is_stdin ? STDIN_FILENO : anim_sys_open(path, ANIM_OPEN_READ);
	archive->owns_fd = !is_stdin;
	archive->size = info.size;
	return archive->fd >= 0 && lseek(archive->fd, 0, SEEK_CUR) == 0;
}

/* Read both ends of the file. Returns 1 if it is an archive with a trailer, 0 if not, or -1. */
static int find_trailer(struct anim_archive *archive, struct anim_error *error)
{
	uint8_t head[ANIM_MEMBER_HEAD], last[ANIM_TRAILER_SIZE];
	struct anim_members *members = &archive->members;
	uint64_t limit = archive->size - ANIM_TRAILER_SIZE;

	if (archive->size < ANIM_MEMBER_HEAD)
		return 0;
	if (read_file(members, 0, head, sizeof head, error) != 0)
		return -1;
	if (head[0] != 0x1f || head[1] != 0x8b || head[2] != 8 || !(head[3] & 4) || head[12] != 'A' || head[13] != 'X')
		return 0;
	if (archive->size >= ANIM_TRAILER_SIZE && read_file(members, limit, last, sizeof last, error) != 0)
		return -1;
	memcpy(&archive->index_at, last + ANIM_TRAILER_OFFSET_AT, 8);
	memset(last + ANIM_TRAILER_OFFSET_AT, 0, 8);
	if (archive->size < ANIM_TRAILER_SIZE || memcmp(last, anim_archive_trailer, sizeof last) != 0)
		return anim_members_fail(members, archive->size, error,
					 "the archive is cut: its last member is missing");
	if (archive->index_at >= limit)
		return anim_members_fail(members, limit, error,
					 "the end of the archive is damaged: its index would be after the file's end");
	members->limit = limit;
	return 1;
}

/* ---- The head of the stream, and records by position ---- */

int anim_archive_stream_head(struct anim_archive *archive, struct anim_archive_place *place, struct anim_error *error)
{
	const uint8_t *head;

	archive->record.size = 0;
	if (anim_members_append(&archive->members, place, ANIM_STREAM_HEAD, &archive->record, error) != 0)
		return -1;
	head = archive->record.data;
	if (memcmp(head, anim_stream_head, 6) != 0)
		return anim_members_fail(&archive->members, 0, error, "an archive that does not contain a stream");
	archive->version = (uint16_t)(head[6] | head[7] << 8);
	if (archive->version < ANIM_STREAM_VERSION || archive->version > ANIM_STREAM_VERSION_LATTICE) {
		anim_fail(error, ANIM_UNSUPPORTED, "stream version %u: it needs a newer version of these programs",
			  (unsigned)archive->version);
		return anim_members_place(&archive->members, 0, error);
	}
	return 0;
}

int anim_archive_record_head(struct anim_archive *archive, const struct anim_archive_place *place,
			     struct anim_record *record, struct anim_error *error)
{
	struct anim_archive_place at = *place;
	uint64_t length;

	archive->record.size = 0;
	if (anim_members_advance(&archive->members, &at, 0, error) != 0 ||
	    anim_members_append(&archive->members, &at, ANIM_RECORD_HEAD, &archive->record, error) != 0)
		return -1;
	memcpy(&length, archive->record.data + 8, 8);
	if (!anim_tag_is(archive->record.data) || length > ANIM_RECORD_MAX)
		return anim_members_fail(&archive->members, place->member, error,
					 "no record begins at byte %lu of the member here",
					 (unsigned long)place->inner);
	anim_record_at(archive->record.data, 0, record);
	record->version = archive->version;
	return 0;
}

int anim_archive_record(struct anim_archive *archive, struct anim_archive_place *place, const char *tag,
			struct anim_record *record, struct anim_error *error)
{
	const uint64_t member = place->member;

	if (anim_archive_record_head(archive, place, record, error) != 0)
		return -1;
	if (tag != NULL && memcmp(record->tag, tag, 4) != 0)
		return anim_members_fail(&archive->members, member, error, "iNDX points at %s instead of %s",
					 record->tag, tag);
	archive->record.size = 0;
	if (anim_members_append(&archive->members, place, record->size, &archive->record, error) != 0)
		return -1;
	anim_record_at(archive->record.data, 0, record);
	record->version = archive->version;
	if (!anim_record_is_sound(record))
		return anim_members_fail(&archive->members, member, error, "%s is damaged: its CRC does not match",
					 record->tag);
	for (size_t i = ANIM_RECORD_HEAD + (size_t)record->length; i < record->size; i++)
		if (record->bytes[i] != 0)
			return anim_members_fail(&archive->members, member, error, "the padding after %s is not zero",
						 record->tag);
	return 0;
}

/* ---- The index, opening and closing ---- */

/*
 * Read the index at the offset in the trailer. Only END and unknown records may follow it. If there is more, for
 * example a second archive joined to the first, the trailer does not describe it.
 */
static int read_index(struct anim_archive *archive, struct anim_error *error)
{
	struct anim_archive_place place = {archive->index_at, 0};
	struct anim_record record = {.tag = ""};

	if (anim_archive_record_head(archive, &place, &record, error) != 0 && error != NULL &&
	    error->code != ANIM_BAD_INPUT)
		return -1;
	if (!anim_record_is(&record, "iNDX"))
		return anim_members_fail(&archive->members, archive->index_at, error,
					 "the archive's trailer does not point at an iNDX; " ANIM_ADVICE(JOIN_FILES));
	if (anim_archive_record(archive, &place, NULL, &record, error) != 0)
		return -1;
	if (anim_archive_index_decode(&archive->index, &record, archive->members.limit, &archive->index_arena, error) !=
	    0)
		return anim_members_place(&archive->members, archive->index_at, error);
	anim_buffer_clear(&archive->record);
	record = (struct anim_record){.tag = ""};
	while (place.member < archive->members.limit && !anim_record_is(&record, "END ")) {
		if (anim_archive_record_head(archive, &place, &record, error) != 0 ||
		    /* only the tag and the size of the head are used after this */
		    (anim_record_is(&record, ANIM_BOUNDS_TAG) && read_bounds(archive, place, error) != 0) ||
		    anim_members_advance(&archive->members, &place, record.size, error) != 0)
			return -1;
		if (record.tag[0] < 'a' && !anim_record_is(&record, "END "))
			break;
	}
	if (place.member == archive->members.limit)
		return 0;
	return anim_members_fail(&archive->members, place.member, error,
				 "bytes after the END; " ANIM_ADVICE(JOIN_FILES));
}

int anim_archive_open(struct anim_archive **out, const char *path, struct anim_error *error)
{
	struct anim_archive *archive = calloc(1, sizeof *archive);
	int status;

	*out = NULL;
	if (archive == NULL)
		return anim_fail_memory(error);
	archive->fd = -1;
	status = anim_named_is(path) ? 0 : open_file(archive, path, error);
	if (status == 1 && init_members(&archive->members, archive->fd, archive->name, archive->size, error) != 0)
		status = -1;
	if (status == 1)
		status = find_trailer(archive, error);
	if (status == 1 && read_index(archive, error) != 0)
		status = -1;
	if (status == 1)
		*out = archive;
	else
		anim_archive_close(archive);
	return status;
}

void anim_archive_close(struct anim_archive *archive)
{
	if (archive == NULL)
		return;
	if (archive->owns_fd && archive->fd >= 0)
		(void)close(archive->fd);
	clear_members(&archive->members);
	anim_arena_clear(&archive->index_arena);
	anim_arena_clear(&archive->arena);
	anim_buffer_clear(&archive->record);
	for (size_t i = 0; i < ANIM_COLUMN_COUNT; i++)
		anim_buffer_clear(&archive->columns[i]);
	anim_buffer_clear(&archive->texts);
	anim_buffer_clear(&archive->scratch);
	anim_buffer_clear(&archive->starts);
	free(archive->name);
	free(archive);
}

const struct anim_archive_index *anim_archive_index_get(const struct anim_archive *archive)
{
	return &archive->index;
}

void anim_archive_watch(struct anim_archive *archive,
			int (*progress)(void *context, uint64_t read_bytes, uint64_t source_bytes), void *context)
{
	archive->members.progress = progress;
	archive->members.progress_context = context;
}

void anim_archive_stats_get(const struct anim_archive *archive, struct anim_archive_stats *stats)
{
	stats->file_bytes = archive->size;
	stats->bytes_read = archive->members.bytes_read;
	stats->members_inflated = archive->members.inflated;
}
