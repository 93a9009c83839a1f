/* input_gzip.c: inflates gzip members one after another, and proves that the last one is whole. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/input_internal.h"

#define TRAILER_SIZE 42u
#define EXTRA_KEPT 64u
#define WINDOW_BITS_GZIP (15 + 16)

struct anim_gzip {
	struct anim_source *source;
	z_stream zip;
	gz_header head; /* of the first member */
	uint8_t extra[EXTRA_KEPT];
	bool is_archive, in_member, at_end, has_failed;
	struct anim_error failure; /* told once what came before it has been handed on */
	size_t members;
	uint64_t came, member_at;   /* compressed bytes read so far; where the current member begins */
	uint8_t last[TRAILER_SIZE]; /* the last bytes that came */
	uint8_t bytes[ANIM_GZIP_AHEAD];
};

bool anim_gzip_is(const uint8_t *bytes, size_t size, bool *sure)
{
	*sure = size == 0 || bytes[0] != 0x1f || size > 1;
	return size > 1 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

/* Keeps the last bytes of the file: the archive's trailer, where it is one. */
static void take(struct anim_gzip *gzip, size_t count)
{
	size_t kept = count < TRAILER_SIZE ? TRAILER_SIZE - count : 0;

	memmove(gzip->last, gzip->last + (TRAILER_SIZE - kept), kept);
	memcpy(gzip->last + kept, gzip->bytes + (count - (TRAILER_SIZE - kept)), TRAILER_SIZE - kept);
	gzip->came += count;
	gzip->zip.next_in = gzip->bytes;
	gzip->zip.avail_in = (uInt)count;
}

struct anim_gzip *anim_gzip_new(struct anim_source *source, const uint8_t *ahead, size_t size, struct anim_error *error)
{
	struct anim_gzip *gzip = calloc(1, sizeof *gzip);

	if (gzip == NULL || inflateInit2(&gzip->zip, WINDOW_BITS_GZIP) != Z_OK) {
		free(gzip);
		anim_fail_memory(error);
		return NULL;
	}
	gzip->source = source;
	gzip->head.extra = gzip->extra;
	gzip->head.extra_max = EXTRA_KEPT;
	inflateGetHeader(&gzip->zip, &gzip->head);
	memcpy(gzip->bytes, ahead, size);
	take(gzip, size);
	gzip->in_member = true;
	return gzip;
}

/* The archive's members name their length in a subfield "AX". */
static bool has_ax(const gz_header *head)
{
	size_t size = head->extra_len < EXTRA_KEPT ? head->extra_len : EXTRA_KEPT;

	for (size_t at = 0; head->extra != NULL && at + 4 <= size;) {
		const uint8_t *field = head->extra + at;

		if (field[0] == 'A' && field[1] == 'X')
			return true;
		at += 4 + (size_t)(field[2] | field[3] << 8);
	}
	return false;
}

/* True where the last bytes are the trailer, a member of their own, and its offset lies before it. */
static bool ends_with_trailer(const struct anim_gzip *gzip)
{
	static const uint8_t expected[TRAILER_SIZE] = {0x1f, 0x8b, 8, 4, 0,  0, 0, 0, 0,   0xff, 20, 0,
						       'A',  'X',  4, 0, 41, 0, 0, 0, 'A', 'I',  8,  0};
	const size_t offset_at = 24, body_at = 32;
	uint64_t offset = 0;

	if (gzip->came - gzip->member_at != TRAILER_SIZE || memcmp(gzip->last, expected, offset_at) != 0 ||
	    gzip->last[body_at] != 3)
		return false;
	for (size_t i = 0; i < 8; i++)
		offset |= (uint64_t)gzip->last[offset_at + i] << (8 * i);
	return offset < gzip->member_at;
}

/* After the last byte of the file. 0: all was well; -1. */
static int check_end(struct anim_gzip *gzip, struct anim_error *error)
{
	if (gzip->in_member)
		return anim_fail(error, ANIM_BAD_INPUT, "the gzip data are cut");
	gzip->at_end = true;
	if (gzip->is_archive && !ends_with_trailer(gzip))
		return anim_fail(error, ANIM_BAD_INPUT, "the archive is cut: its last member is missing");
	return 0;
}

/* Makes compressed bytes available, beginning a member where none is open. 1, 0 at the end of the file, -1. */
static int fill(struct anim_gzip *gzip, struct anim_error *error)
{
	if (gzip->zip.avail_in == 0) {
		ssize_t count = anim_source_read(gzip->source, gzip->bytes, sizeof gzip->bytes, error);

		if (count <= 0)
			return count < 0 ? -1 : check_end(gzip, error);
		take(gzip, (size_t)count);
	}
	if (gzip->in_member)
		return 1;
	if (gzip->zip.next_in[0] != 0x1f)
		return anim_fail(error, ANIM_BAD_INPUT, "bytes after the gzip data that are no gzip member");
	if (inflateReset(&gzip->zip) != Z_OK)
		return anim_fail(error, ANIM_BAD_INPUT, "the gzip data are damaged");
	gzip->in_member = true;
	gzip->member_at = gzip->came - gzip->zip.avail_in;
	return 1;
}

static int fail_inflate(const struct anim_gzip *gzip, int status, struct anim_error *error)
{
	const char *why = gzip->zip.msg;

	if (status == Z_MEM_ERROR)
		return anim_fail_memory(error);
	if (gzip->members > 0 && why != NULL && strcmp(why, "incorrect header check") == 0)
		return anim_fail(error, ANIM_BAD_INPUT, "bytes after the gzip data that are no gzip member");
	return anim_fail(error, ANIM_BAD_INPUT, "the gzip data are damaged%s%s", why == NULL ? "" : ": ",
			 why == NULL ? "" : why);
}

/* Inflates what is there, also what zlib still holds without new input. A failure waits until the next call. */
static void pour(struct anim_gzip *gzip)
{
	int status = inflate(&gzip->zip, Z_NO_FLUSH);

	if (status == Z_STREAM_END) {
		gzip->is_archive |= gzip->members++ == 0 && has_ax(&gzip->head);
		gzip->in_member = false;
	} else if (status != Z_OK && status != Z_BUF_ERROR) {
		gzip->has_failed = true;
		fail_inflate(gzip, status, &gzip->failure);
	}
}

ssize_t anim_gzip_read(struct anim_gzip *gzip, uint8_t *to, size_t room, struct anim_error *error)
{
	const size_t most = room < (1u << 30) ? room : (1u << 30);

	gzip->zip.next_out = to;
	gzip->zip.avail_out = (uInt)most;
	while (!gzip->at_end && !gzip->has_failed) {
		if (gzip->in_member)
			pour(gzip);
		if (gzip->zip.avail_out < most || gzip->has_failed)
			break;
		if ((!gzip->in_member || gzip->zip.avail_in == 0) && fill(gzip, error) < 0)
			return -1;
	}
	if (gzip->has_failed && gzip->zip.avail_out == most) {
		if (error != NULL)
			*error = gzip->failure;
		return -1;
	}
	return (ssize_t)(most - gzip->zip.avail_out);
}

uint64_t anim_gzip_members(const struct anim_gzip *gzip)
{
	return gzip->members;
}

void anim_gzip_free(struct anim_gzip *gzip)
{
	if (gzip == NULL)
		return;
	inflateEnd(&gzip->zip);
	free(gzip);
}
