/* input.c: windows over files, pipes and memory; gzip members; the archive's trailer. */
#include "base/input.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buffer.h"
#include "base/progress.h"
#include "tap.h"

/* Bytes that do not repeat within a window. */
static void fill_pattern(uint8_t *bytes, size_t size)
{
	uint32_t state = 12345;

	for (size_t i = 0; i < size; i++) {
		state = state * 1664525 + 1013904223;
		bytes[i] = (uint8_t)(state >> 24);
	}
}

static int temporary_file(const void *bytes, size_t size)
{
	char path[] = "/tmp/anim-input-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0)
		return -1;
	unlink(path);
	if (write(fd, bytes, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Appends one gzip member that holds the bytes, with `extra` as its FEXTRA where that is not NULL. */
static void append_member(struct anim_buffer *out, const void *bytes, size_t size, uint8_t *extra, unsigned extra_size)
{
	z_stream zip = {0};
	gz_header head = {.extra = extra, .extra_len = extra_size, .os = 255};
	size_t bound;

	CHECK(deflateInit2(&zip, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	if (extra != NULL)
		deflateSetHeader(&zip, &head);
	bound = deflateBound(&zip, size) + extra_size;
	CHECK(anim_buffer_reserve(out, bound, NULL) == 0);
	zip.next_in = (Bytef *)bytes;
	zip.avail_in = (uInt)size;
	zip.next_out = out->data + out->size;
	zip.avail_out = (uInt)bound;
	CHECK(deflate(&zip, Z_FINISH) == Z_STREAM_END);
	out->size += bound - zip.avail_out;
	deflateEnd(&zip);
}

/* Reads to the end with windows of `want` bytes and `step` bytes a skip; compares. The last peek's result is returned. */
static ssize_t read_through(struct anim_input *input, size_t want, size_t step, const uint8_t *expected, size_t size,
			    struct anim_error *error)
{
	const uint8_t *at;
	size_t done = 0;
	ssize_t count;

	while ((count = anim_input_peek(input, want, &at, error)) > 0) {
		size_t use = (size_t)count < step ? (size_t)count : step;
		uint64_t offset = anim_input_offset(input);
		static const uint8_t zeros[ANIM_INPUT_SLACK];

		if (!CHECKF(offset == done, "offset %llu after %zu bytes", (unsigned long long)offset, done) ||
		    !CHECK((uintptr_t)at % 16 == offset % 16) ||
		    !CHECK((size_t)count >= want || done + (size_t)count == size) ||
		    !CHECK(done + (size_t)count <= size && memcmp(at, expected + done, (size_t)count) == 0) ||
		    !CHECK(memcmp(at + count, zeros, sizeof zeros) == 0))
			return -2;
		anim_input_skip(input, use);
		done += use;
	}
	CHECKF(count < 0 || done == size, "%zu of %zu bytes", done, size);
	return count;
}

#define BIG ((size_t)1500 * 1000)

TEST(input_windows, "windows of any size over file, memory and gzip give the same bytes, aligned, with zeros behind")
{
	static const size_t wants[] = {1, 17, 4096, 300000, 2000000}, steps[] = {5000, 1, 4096, 299999, 70001};
	uint8_t *bytes = malloc(BIG);
	struct anim_buffer zip = {0};
	struct anim_input *input;

	fill_pattern(bytes, BIG);
	append_member(&zip, bytes, 1000, NULL, 0);
	append_member(&zip, bytes + 1000, 0, NULL, 0);
	append_member(&zip, bytes + 1000, BIG - 1000, NULL, 0);
	for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
		struct anim_error error = {0};
		size_t size = steps[i] == 1 ? 30000 : BIG;
		int fd = temporary_file(bytes, size);

		CHECK(anim_input_open_fd(&input, fd, "x", NULL, &error) == 0);
		CHECK(anim_input_source_bytes(input) == size && !anim_input_is_pipe(input));
		CHECK(read_through(input, wants[i], steps[i], bytes, size, &error) == 0);
		CHECK(!anim_input_was_gzip(input));
		anim_input_close(input);
		close(fd);
		CHECK(anim_input_open_memory(&input, bytes, size, "x", &error) == 0);
		CHECK(read_through(input, wants[i], steps[i], bytes, size, &error) == 0);
		anim_input_close(input);
		CHECK(anim_input_open_memory(&input, zip.data, zip.size, "x", &error) == 0);
		CHECK(read_through(input, wants[i], steps[i] == 1 ? 4999 : steps[i], bytes, BIG, &error) == 0);
		CHECK(anim_input_was_gzip(input));
		anim_input_close(input);
	}
	anim_buffer_clear(&zip);
	free(bytes);
}

TEST(input_read_max, "one byte a read gives the same bytes, of plain files and of gzip")
{
	struct anim_input_options options = {.read_max = 1};
	uint8_t bytes[3000];
	struct anim_buffer zip = {0};
	struct anim_input *input;
	struct anim_error error;

	fill_pattern(bytes, sizeof bytes);
	append_member(&zip, bytes, 1234, NULL, 0);
	append_member(&zip, bytes + 1234, sizeof bytes - 1234, NULL, 0);
	for (size_t want = 1; want < 200; want += 33) {
		int plain = temporary_file(bytes, sizeof bytes), packed = temporary_file(zip.data, zip.size);
		const uint8_t *at;

		CHECK(anim_input_open_fd(&input, plain, "x", &options, &error) == 0);
		CHECK(anim_input_peek(input, want, &at, &error) == (ssize_t)want);
		CHECK(read_through(input, want, want, bytes, sizeof bytes, &error) == 0);
		anim_input_close(input);
		CHECK(anim_input_open_fd(&input, packed, "x", &options, &error) == 0);
		CHECK(anim_input_peek(input, want, &at, &error) == (ssize_t)want);
		CHECK(read_through(input, want, want, bytes, sizeof bytes, &error) == 0);
		anim_input_close(input);
		close(plain);
		close(packed);
	}
	anim_buffer_clear(&zip);
}

TEST(input_edges, "empty input, a lone 1f and a kept gzip are read as they are, and a huge wish allocates nothing huge")
{
	struct anim_input_options keep = {.keep_gzip = true};
	struct anim_input *input;
	struct anim_error error = {0};
	const uint8_t lone[1] = {0x1f}, *at;
	struct anim_buffer zip = {0};
	int fd;

	CHECK(anim_input_open_memory(&input, lone, 0, "x", &error) == 0);
	CHECK(anim_input_peek(input, 100, &at, &error) == 0);
	CHECK(anim_input_peek(input, 1, &at, &error) == 0);
	anim_input_close(input);
	CHECK(anim_input_open_memory(&input, lone, 1, "x", &error) == 0);
	CHECK(read_through(input, 8, 1, lone, 1, &error) == 0);
	anim_input_close(input);
	CHECK(anim_input_open_memory(&input, "abc", 3, "x", &error) == 0);
	CHECK(anim_input_peek(input, SIZE_MAX, &at, &error) == 3 && memcmp(at, "abc", 3) == 0);
	anim_input_close(input);
	append_member(&zip, "abc", 3, NULL, 0);
	fd = temporary_file(zip.data, zip.size);
	CHECK(anim_input_open_fd(&input, fd, "x", &keep, &error) == 0);
	CHECK(read_through(input, 8, 5, zip.data, zip.size, &error) == 0);
	CHECK(anim_input_was_gzip(input));
	anim_input_close(input);
	close(fd);
	anim_buffer_clear(&zip);
}

TEST(input_gzip_cut, "every proper prefix of a gzip, and every byte behind it, is an error and stays one")
{
	uint8_t bytes[600];
	struct anim_buffer zip = {0};
	struct anim_input *input;
	struct anim_error error;
	const uint8_t *at;

	fill_pattern(bytes, sizeof bytes);
	append_member(&zip, bytes, 300, NULL, 0);
	for (size_t size = 2; size < zip.size; size++) {
		CHECK(anim_input_open_memory(&input, zip.data, size, "x.gz", &error) == 0);
		CHECK(read_through(input, 64, 64, bytes, 300, &error) == -1);
		CHECK(error.code == ANIM_BAD_INPUT && strcmp(error.file, "x.gz") == 0);
		CHECKF(strstr(error.message, "cut") != NULL, "%zu: %s", size, error.message);
		CHECK(anim_input_peek(input, 1000, &at, &error) == -1 && error.at == ANIM_AT_UNPACKED);
		anim_input_close(input);
	}
	for (int byte = 0; byte < 256; byte++) {
		struct anim_buffer more = {0};
		uint8_t tail[2] = {(uint8_t)byte, 7};

		CHECK(anim_buffer_append(&more, zip.data, zip.size, NULL) == 0);
		CHECK(anim_buffer_append(&more, tail, byte == 0x1f || byte % 2 == 0 ? 2 : 1, NULL) == 0);
		CHECK(anim_input_open_memory(&input, more.data, more.size, "x.gz", &error) == 0);
		CHECK(read_through(input, 64, 64, bytes, 300, &error) == -1);
		CHECKF(strstr(error.message, "bytes after the gzip data") != NULL, "%d: %s", byte, error.message);
		CHECK(error.offset == 300);
		anim_input_close(input);
		anim_buffer_clear(&more);
	}
	anim_buffer_clear(&zip);
}

TEST(input_gzip_damage, "a flipped byte in a gzip is refused or changes nothing")
{
	uint8_t bytes[400];
	struct anim_buffer zip = {0};

	fill_pattern(bytes, sizeof bytes);
	append_member(&zip, bytes, sizeof bytes, NULL, 0);
	for (size_t i = 10; i < zip.size; i++) {
		struct anim_input *input;
		struct anim_error error = {0};
		const uint8_t *at;
		ssize_t count;

		zip.data[i] ^= 0x10;
		CHECK(anim_input_open_memory(&input, zip.data, zip.size, "x", &error) == 0);
		count = anim_input_peek(input, 1000, &at, &error);
		CHECK(count == -1 || (count == (ssize_t)sizeof bytes && memcmp(at, bytes, sizeof bytes) == 0));
		anim_input_close(input);
		zip.data[i] ^= 0x10;
	}
	anim_buffer_clear(&zip);
}

/* A small archive: one member with AX, then the trailer. */
static void make_archive(struct anim_buffer *zip)
{
	static const uint8_t trailer[42] = {0x1f, 0x8b, 8,  4, 0, 0, 0,   0,   0, 0xff, 20, 0, 'A', 'X',
					    4,    0,    41, 0, 0, 0, 'A', 'I', 8, 0,    0,  0, 0,   0,
					    0,    0,    0,  0, 3, 0, 0,   0,   0, 0,    0,  0, 0,   0};
	uint8_t extra[8] = {'A', 'X', 4, 0, 0, 0, 0, 0};

	append_member(zip, "stream", 6, extra, sizeof extra);
	CHECK(anim_buffer_append(zip, trailer, sizeof trailer, NULL) == 0);
}

TEST(input_archive, "an archive without its whole trailer is cut, even between members")
{
	struct anim_buffer zip = {0};
	struct anim_input *input;
	struct anim_error error;
	const uint8_t *bytes = (const uint8_t *)"stream", *at;

	make_archive(&zip);
	CHECK(anim_input_open_memory(&input, zip.data, zip.size, "x", &error) == 0);
	CHECK(read_through(input, 4, 6, bytes, 6, &error) == 0);
	anim_input_close(input);
	for (size_t size = 2; size < zip.size; size++) {
		CHECK(anim_input_open_memory(&input, zip.data, size, "x", &error) == 0);
		CHECK(read_through(input, 4, 6, bytes, 6, &error) == -1);
		if (size == zip.size - 42)
			CHECKF(strstr(error.message, "archive is cut") != NULL, "%s", error.message);
		CHECK(anim_input_peek(input, 100, &at, &error) == -1);
		anim_input_close(input);
	}
	zip.data[zip.size - 18] = 200;
	CHECK(anim_input_open_memory(&input, zip.data, zip.size, "x", &error) == 0);
	CHECK(read_through(input, 4, 6, bytes, 6, &error) == -1);
	anim_input_close(input);
	anim_buffer_clear(&zip);
}

TEST(input_refusals, "a folder and a file that is not there are refused in plain words")
{
	struct anim_input *input;
	struct anim_error error = {0};

	CHECK(anim_input_open(&input, "/", NULL, &error) == -1 && input == NULL);
	CHECK(strcmp(error.message, "is a folder, not a file; name the files in it, as in FOLDER/*.glb") == 0 &&
	      strcmp(error.file, "/") == 0);
	CHECK(anim_input_open(&input, "/nowhere/x", NULL, &error) == -1);
	CHECK(strcmp(error.message, "cannot open: No such file or directory") == 0);
	CHECK(strcmp(error.file, "/nowhere/x") == 0 && error.code == ANIM_SYSTEM);
}

TEST(input_pipe, "a pipe is read to its end and has no base name")
{
	uint8_t bytes[5000];
	struct anim_input *input;
	struct anim_error error;
	int ends[2];

	fill_pattern(bytes, sizeof bytes);
	CHECK(pipe(ends) == 0);
	CHECK(write(ends[1], bytes, sizeof bytes) == (ssize_t)sizeof bytes);
	close(ends[1]);
	CHECK(anim_input_open_fd(&input, ends[0], "-", NULL, &error) == 0);
	CHECK(anim_input_is_pipe(input) && anim_input_source_bytes(input) == 0);
	CHECK(read_through(input, 16, 16, bytes, sizeof bytes, &error) == 0);
	anim_input_close(input);
	close(ends[0]);
}

struct told {
	uint64_t read, source;
	int times;
};

static int tell(void *context, uint64_t read_bytes, uint64_t source_bytes)
{
	struct told *told = context;

	told->read = read_bytes;
	told->source = source_bytes;
	told->times++;
	return 0;
}

TEST(input_progress, "progress is told of what was read of how much")
{
	uint8_t bytes[1000] = {0};
	struct told told = {0};
	struct anim_input_options options = {.read_max = 100, .progress = tell, .progress_context = &told};
	struct anim_input *input;
	int fd = temporary_file(bytes, sizeof bytes);

	CHECK(anim_input_open_fd(&input, fd, "x", &options, NULL) == 0);
	CHECK(read_through(input, 1, 100, bytes, sizeof bytes, NULL) == 0);
	CHECK(told.read == 1000 && told.source == 1000 && told.times == 11);
	anim_input_close(input);
	close(fd);
}

static int count_and_cancel(void *context)
{
	return ++((struct told *)context)->times >= 2;
}

TEST(progress_report, "work reports at most ten times a second, and is cancelled by its owner")
{
	struct told told = {0};
	struct anim_error error = {0};

	CHECK(anim_progress_report(&error) == 0);
	anim_progress_use(count_and_cancel, &told);
	for (int i = 0; i < 10; i++)
		CHECK(anim_progress_report(&error) == 0 || told.times > 1);
	CHECK(told.times >= 1);
	anim_progress_use(count_and_cancel, &told);
	told.times = 1;
	CHECK(anim_progress_report(&error) == -1 && error.code == ANIM_CANCELLED);
	anim_progress_use(NULL, NULL);
	CHECK(anim_progress_report(&error) == 0 && told.times == 2);
}

TEST(input_read_max_gzip, "one byte a read holds for the compressed bytes and for the window")
{
	uint8_t bytes[3000] = {0};
	struct told told = {0};
	struct anim_input_options options = {.read_max = 1, .progress = tell, .progress_context = &told};
	struct anim_buffer zip = {0};
	struct anim_input *input;
	const uint8_t *at;
	int fd;

	append_member(&zip, bytes, sizeof bytes, NULL, 0);
	fd = temporary_file(zip.data, zip.size);
	CHECK(anim_input_open_fd(&input, fd, "x", &options, NULL) == 0);
	CHECK(anim_input_peek(input, 1, &at, NULL) == 1 && anim_input_peek(input, 5, &at, NULL) == 5);
	CHECK(read_through(input, 3, 3, bytes, sizeof bytes, NULL) == 0);
	CHECK(told.times == (int)zip.size + 1);
	anim_input_close(input);
	close(fd);
	anim_buffer_clear(&zip);
}

/* Pass over `bytes` bytes, in as many calls as necessary, and return how many there were. */
static uint64_t pass_all(struct anim_input *input, uint64_t bytes)
{
	uint64_t passed = 0;
	const uint8_t *at;

	while (passed < bytes && anim_input_peek(input, 1, &at, NULL) > 0)
		passed += anim_input_pass(input, bytes - passed);
	return passed;
}

TEST(input_pass, "bytes of files and of memory are passed over, within a window and beyond it, up to the end")
{
	enum { SIZE = 3 << 20 };
	uint8_t *bytes = malloc(SIZE);
	const uint64_t steps[] = {10, 700000, 1, 300000, 1 << 20, 16};
	struct anim_error error = {0};

	CHECK(bytes != NULL);
	fill_pattern(bytes, SIZE);
	for (int from_file = 0; from_file < 2; from_file++) {
		int fd = temporary_file(bytes, SIZE);
		struct anim_input *input = NULL;
		const uint8_t *at;
		uint64_t offset = 0;

		CHECK(fd >= 0);
		CHECK((from_file ? anim_input_open_fd(&input, fd, "x", NULL, &error)
				 : anim_input_open_memory(&input, bytes, SIZE, "x", &error)) == 0);
		for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
			CHECK(pass_all(input, steps[i]) == steps[i]);
			offset += steps[i];
			CHECK(anim_input_offset(input) == offset);
			CHECK(anim_input_peek(input, 1000, &at, &error) >= 1000);
			CHECK(memcmp(at, bytes + offset, 1000) == 0 && (uintptr_t)at % 16 == offset % 16);
		}
		CHECK(pass_all(input, UINT64_MAX) == SIZE - offset);
		CHECK(anim_input_peek(input, 1, &at, &error) == 0);
		anim_input_close(input);
		close(fd);
	}
	free(bytes);
}

/* A source of bytes that fails at a place. */
struct part_source {
	const uint8_t *bytes;
	uint64_t fails_at; /* 0: never */
};

static int copy_from(void *context, uint64_t place, void *to, size_t size, struct anim_error *error)
{
	const struct part_source *source = context;

	if (source->fails_at > 0 && place + size > source->fails_at)
		return anim_fail(error, ANIM_SYSTEM, "broken");
	memcpy(to, source->bytes + place, size);
	return 0;
}

TEST(part, "a part is read like a file, in windows of any size, and gzip in it stays as it is")
{
	static const size_t read_max[] = {0, 1, 7};
	size_t size = 700000, from = 1000;
	uint8_t *bytes = malloc(size);
	struct part_source source = {bytes, 0};

	fill_pattern(bytes, size);
	memcpy(bytes + from, "\x1f\x8b\x08", 3);
	for (size_t i = 0; i < 3; i++) {
		const struct anim_input_part part = {copy_from, &source, from, size - 2 * from};
		const struct anim_input_options options = {.read_max = read_max[i]};
		struct anim_input *input;
		uint64_t done = 0;
		const uint8_t *at;
		ssize_t got;

		CHECK(anim_input_open_part(&input, &part, "a:b", &options, NULL) == 0);
		CHECK(!anim_input_is_pipe(input) && anim_input_source_bytes(input) == part.size);
		while ((got = anim_input_peek(input, 1, &at, NULL)) > 0 &&
		       memcmp(at, bytes + from + done, (size_t)got) == 0) {
			anim_input_skip(input, (size_t)got);
			done += (uint64_t)got;
		}
		CHECK(got == 0 && done == part.size);
		anim_input_close(input);
	}
	free(bytes);
}

TEST(part_fails, "an error of the source of a part is reported with the name of the input")
{
	uint8_t bytes[100] = {1};
	struct part_source source = {bytes, 50};
	const struct anim_input_part part = {copy_from, &source, 0, sizeof bytes};
	struct anim_error error = {0};
	struct anim_input *input;
	const uint8_t *at;

	CHECK(anim_input_open_part(&input, &part, "a:b", NULL, NULL) == 0);
	CHECK(anim_input_peek(input, 1, &at, &error) < 0);
	CHECK(error.code == ANIM_SYSTEM && strcmp(error.file, "a:b") == 0 && strcmp(error.message, "broken") == 0);
	anim_input_close(input);
}
