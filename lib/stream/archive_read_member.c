/* archive_read_member.c: inflated bytes of an archive by their place, one member at a time. */
#include "stream/archive_read_member.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WINDOW_BITS_GZIP (15 + 16)
#define MEMBER_MIN (ANIM_MEMBER_HEAD + 2 + ANIM_MEMBER_TAIL) /* an empty deflate block is 2 bytes */

int anim_members_init(struct anim_members *members, int fd, const char *name, uint64_t limit, struct anim_error *error)
{
	memset(members, 0, sizeof *members);
	members->fd = fd;
	members->name = name;
	members->limit = limit;
	members->packed = malloc(ANIM_PACKED_CHUNK);
	members->has_zip = inflateInit2(&members->zip, WINDOW_BITS_GZIP) == Z_OK;
	if (members->packed != NULL && members->has_zip)
		return 0;
	anim_members_clear(members);
	return anim_fail_memory(error);
}

void anim_members_clear(struct anim_members *members)
{
	if (members->has_zip)
		inflateEnd(&members->zip);
	for (size_t i = 0; i < ANIM_MEMBERS_KEPT; i++)
		free(members->kept[i].bytes);
	free(members->packed);
	memset(members, 0, sizeof *members);
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

int anim_members_pread(struct anim_members *members, uint64_t offset, void *to, size_t size, struct anim_error *error)
{
	uint8_t *at = to;

	while (size > 0) {
		ssize_t count = pread(members->fd, at, size, (off_t)offset);

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0) {
			anim_fail_system(error, "cannot read");
			return anim_error_in_file(error, members->name);
		}
		if (count == 0)
			return anim_members_fail(members, offset, error, "the file became shorter while it was read");
		at += count;
		offset += (uint64_t)count;
		size -= (size_t)count;
		members->bytes_read += (uint64_t)count;
	}
	return 0;
}

static uint32_t get_u32(const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof value);
	return value;
}

/* The first bytes of a member: AX stands first in FEXTRA, and no other flag is set. Its length from there. */
static int check_head(const struct anim_members *members, uint64_t member, const uint8_t head[ANIM_MEMBER_HEAD],
		      uint64_t *length, struct anim_error *error)
{
	static const uint8_t expected[] = {0x1f, 0x8b, 8, 4}, field[] = {'A', 'X', 4, 0};

	if (memcmp(head, expected, sizeof expected) != 0 || memcmp(head + 12, field, sizeof field) != 0 ||
	    (head[10] < 8 && head[11] == 0))
		return anim_members_fail(members, member, error, "no member of the archive begins here");
	*length = (uint64_t)get_u32(head + ANIM_MEMBER_AX_AT) + 1;
	if (*length < MEMBER_MIN || *length > members->limit - member)
		return anim_members_fail(members, member, error, "a member of %llu bytes, which cannot be",
					 (unsigned long long)*length);
	return 0;
}

static int check_offset(const struct anim_members *members, uint64_t member, struct anim_error *error)
{
	if (member >= members->limit || members->limit - member < MEMBER_MIN)
		return anim_members_fail(members, member, error, "the archive ends where it should go on");
	return 0;
}

/* Inflates until the member ends or has more than it may; its head lies in members->packed. */
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
		size_t most = length - taken < ANIM_PACKED_CHUNK ? (size_t)(length - taken) : ANIM_PACKED_CHUNK;

		if (zip->avail_in == 0 && most > 0) {
			if (anim_members_pread(members, member + taken, members->packed, most, error) != 0)
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
		return anim_members_fail(members, member, error, "a member whose length is not what its AX says");
	return 0;
}

/* The member where it is kept, NULL where it is not. */
static struct anim_member *find(struct anim_members *members, uint64_t member)
{
	for (size_t i = 0; i < ANIM_MEMBERS_KEPT; i++)
		if (members->kept[i].at == member && members->kept[i].next > member)
			return &members->kept[i];
	return NULL;
}

/* Room for one more: what was longest not asked for goes. */
static struct anim_member *make_room(struct anim_members *members, struct anim_error *error)
{
	struct anim_member *oldest = &members->kept[0];

	for (size_t i = 1; i < ANIM_MEMBERS_KEPT; i++)
		if (members->kept[i].used < oldest->used)
			oldest = &members->kept[i];
	oldest->at = oldest->next = 0;
	if (oldest->bytes == NULL)
		oldest->bytes = malloc(ANIM_MEMBER_MAX + 1);
	if (oldest->bytes == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	return oldest;
}

const struct anim_member *anim_members_load(struct anim_members *members, uint64_t member, struct anim_error *error)
{
	struct anim_member *kept = find(members, member);
	uint64_t length;

	members->clock++;
	if (kept == NULL) {
		kept = make_room(members, error);
		if (kept == NULL || check_offset(members, member, error) != 0 ||
		    anim_members_pread(members, member, members->packed, ANIM_MEMBER_HEAD, error) != 0 ||
		    check_head(members, member, members->packed, &length, error) != 0)
			return NULL;
		if (inflateReset(&members->zip) != Z_OK) {
			anim_fail_memory(error);
			return NULL;
		}
		if (inflate_member(members, member, length, kept->bytes, error) != 0)
			return NULL;
		members->inflated++;
		if (members->progress != NULL)
			members->progress(members->progress_context, members->bytes_read, members->progress_of);
		kept->at = member;
		kept->next = member + length;
		kept->size = members->zip.total_out;
	}
	kept->used = members->clock;
	return kept;
}

/* Where the next member begins and how many bytes this one holds, by its own words where it is not the one inflated. */
static int measure(struct anim_members *members, uint64_t member, uint64_t *next, uint32_t *size,
		   struct anim_error *error)
{
	const struct anim_member *kept = find(members, member);
	uint8_t head[ANIM_MEMBER_HEAD], tail[4];
	uint64_t length;

	if (kept != NULL) {
		*next = kept->next;
		*size = (uint32_t)kept->size;
		return 0;
	}
	if (check_offset(members, member, error) != 0 ||
	    anim_members_pread(members, member, head, sizeof head, error) != 0 ||
	    check_head(members, member, head, &length, error) != 0 ||
	    anim_members_pread(members, member + length - sizeof tail, tail, sizeof tail, error) != 0)
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
		/* Behind the last byte of the last member is a place too, though nothing can be read there. */
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
		const struct anim_member *member = anim_members_load(members, place->member, error);
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
