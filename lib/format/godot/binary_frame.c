/* binary_frame.c: bytes and numbers of a binary Godot file, plain or compressed (FastLZ, zlib, gzip, zstd). */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef ANIM_HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/advice.h"
#include "base/limits.h"
#include "format/godot/binary_internal.h"

/* Set an error at the current byte of the input. Returns -1. */
static int fail(struct godot_frame *frame, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int fail(struct godot_frame *frame, int code, const char *format, ...)
{
	struct anim_place place = {
	    .file = anim_input_name(frame->input), .at = ANIM_AT_BYTE, .offset = anim_input_offset(frame->input)};
	va_list args;

	frame->failed = true;
	va_start(args, format);
	anim_fail_va(frame->error, code, &place, format, args);
	va_end(args);
	return -1;
}

/*
 * Return the next `size` bytes of the input, valid until the next call. Returns NULL if the input ends earlier, or on
 * an error.
 */
static const uint8_t *raw(struct godot_frame *frame, size_t size)
{
	const uint8_t *bytes;
	ssize_t got = anim_input_peek(frame->input, size, &bytes, frame->error);

	if (got < 0)
		frame->failed = true;
	else if ((size_t)got < size)
		fail(frame, ANIM_BAD_INPUT, "the file is cut");
	return got < 0 || (size_t)got < size ? NULL : bytes;
}

/* ---- FastLZ ---- */

struct fastlz {
	const uint8_t *in, *in_end;
	uint8_t *begin, *out, *out_end;
};

/*
 * Copy earlier output as the control byte and the bytes after it specify. Level 2 allows longer copies from larger
 * distances.
 */
static bool fastlz_match(struct fastlz *lz, unsigned control, bool level2)
{
	size_t length = control >> 5, high = control & 31, distance;
	unsigned more = 255;

	if (length == 7)
		do {
			if (lz->in == lz->in_end)
				return false;
			more = *lz->in++;
			length += more;
		} while (level2 && more == 255);
	if (lz->in == lz->in_end)
		return false;
	distance = high * 256 + *lz->in++;
	if (level2 && distance == 31 * 256 + 255) {
		if (lz->in_end - lz->in < 2)
			return false;
		distance = 8191 + ((size_t)lz->in[0] << 8 | lz->in[1]);
		lz->in += 2;
	}
	distance++;
	length += 2;
	if (distance > (size_t)(lz->out - lz->begin) || length > (size_t)(lz->out_end - lz->out))
		return false; /* the source is before the block, or the result does not fit */
	for (; length > 0; length--, lz->out++)
		*lz->out = lz->out[-(ptrdiff_t)distance];
	return true;
}

/* Decompress a block. Returns the number of bytes written, at most `room`, or -1 if the block is damaged. */
static ptrdiff_t fastlz(const uint8_t *in, size_t size, uint8_t *out, size_t room)
{
	struct fastlz lz = {in, in + size, out, out, out + room};
	unsigned control, level;

	if (size == 0)
		return 0;
	level = *lz.in >> 5;
	control = *lz.in++ & 31;
	if (level > 1)
		return -1;
	for (;;) {
		size_t count = control + 1;

		if (control >= 32) {
			if (!fastlz_match(&lz, control, level == 1))
				return -1;
		} else {
			/* literal bytes */
			if (count > (size_t)(lz.in_end - lz.in) || count > (size_t)(lz.out_end - lz.out))
				return -1;
			memcpy(lz.out, lz.in, count);
			lz.in += count;
			lz.out += count;
		}
		if (lz.in == lz.in_end)
			return lz.out - out;
		control = *lz.in++;
	}
}

/* ---- One block ---- */

#define FASTLZ_LEAST 16u /* shorter blocks are padded with zeros before compression */

/*
 * Decompress with zlib, with either header. Returns the number of bytes, or -1 if the data are damaged or do not fit
 * into `room`.
 */
static ptrdiff_t unzip(int window_bits, const uint8_t *in, size_t size, uint8_t *out, size_t room)
{
	z_stream zip = {.next_in = (Bytef *)(uintptr_t)in, .avail_in = (uInt)size, .next_out = out};
	int status;

	zip.avail_out = (uInt)room;
	if (inflateInit2(&zip, window_bits) != Z_OK)
		return -1;
	status = inflate(&zip, Z_FINISH);
	inflateEnd(&zip);
	return status == Z_STREAM_END ? (ptrdiff_t)(room - zip.avail_out) : -1;
}

#ifdef ANIM_HAVE_ZSTD
static ptrdiff_t unzstd(struct godot_blocks *blocks, const uint8_t *in, size_t size, uint8_t *out, size_t room)
{
	size_t count;

	if (blocks->zstd == NULL)
		blocks->zstd = ZSTD_createDCtx();
	if (blocks->zstd == NULL)
		return -1;
	count = ZSTD_decompressDCtx(blocks->zstd, out, room, in, size);
	return ZSTD_isError(count) ? -1 : (ptrdiff_t)count;
}

static void free_zstd(void *context)
{
	ZSTD_freeDCtx(context);
}
#else
static ptrdiff_t unzstd(struct godot_blocks *blocks, const uint8_t *in, size_t size, uint8_t *out, size_t room)
{
	(void)blocks, (void)in, (void)size, (void)out, (void)room;
	return -1; /* such files have been rejected before */
}

static void free_zstd(void *context)
{
	(void)context;
}
#endif

static ptrdiff_t unpack(struct godot_blocks *blocks, const uint8_t *in, size_t size, uint8_t *out, size_t room)
{
	switch (blocks->packing) {
	case GODOT_FASTLZ:
		return fastlz(in, size, out, room);
	case GODOT_DEFLATE:
		return unzip(15, in, size, out, room);
	case GODOT_GZIP:
		return unzip(15 + 16, in, size, out, room);
	case GODOT_ZSTD:
		return unzstd(blocks, in, size, out, room);
	case GODOT_BROTLI:
		break;
	}
	return -1;
}

static uint32_t packed_size(const struct godot_blocks *blocks, size_t block)
{
	return ((const uint32_t *)(const void *)blocks->size.data)[block];
}

/* Decompress the next block, and append it to blocks->out. Returns 0 or -1. */
static int read_block(struct godot_frame *frame)
{
	struct godot_blocks *blocks = frame->blocks;
	size_t block = blocks->next, size = packed_size(blocks, block), wanted = blocks->block_size, room;
	const uint8_t *in = raw(frame, size);
	ptrdiff_t got;

	if (in == NULL)
		return -1;
	if (block + 1 == blocks->count)
		wanted = blocks->total % blocks->block_size;
	room = blocks->packing == GODOT_FASTLZ && wanted < FASTLZ_LEAST ? FASTLZ_LEAST : wanted;
	if (anim_buffer_reserve(&blocks->out, room + 1, frame->error) != 0) {
		frame->failed = true;
		return -1;
	}
	got = unpack(blocks, in, size, blocks->out.data + blocks->out.size, room);
	if (got != (ptrdiff_t)wanted && got != (ptrdiff_t)room)
		return fail(frame, ANIM_BAD_INPUT, "compressed block %zu is damaged", block + 1);
	anim_input_skip(frame->input, size);
	blocks->out.size += wanted;
	blocks->next++;
	return 0;
}

/* ---- The window ---- */

static void set_window(struct godot_frame *frame, uint64_t offset, const uint8_t *bytes, size_t size)
{
	frame->offset = offset;
	frame->window = frame->at = bytes;
	frame->end = bytes + size;
}

ssize_t godot_frame_more(struct godot_frame *frame, size_t want)
{
	static const uint8_t nothing[1];
	const uint8_t *bytes;
	ssize_t got;

	if ((size_t)(frame->end - frame->at) >= want || frame->input == NULL)
		return frame->end - frame->at;
	if (frame->blocks != NULL) {
		struct godot_blocks *blocks = frame->blocks;
		uint64_t position = godot_frame_position(frame);
		size_t held = (size_t)(frame->end - frame->at);

		if (held > 0)
			memmove(blocks->out.data, frame->at, held);
		blocks->out.size = held;
		while (blocks->out.size < want && blocks->next < blocks->count) {
			if (read_block(frame) != 0) {
				set_window(frame, position, blocks->out.data, 0);
				return -1;
			}
		}
		set_window(frame, position, blocks->out.data, blocks->out.size);
		return (ssize_t)blocks->out.size;
	}
	frame->offset = godot_frame_position(frame);
	anim_input_skip(frame->input, (size_t)(frame->at - frame->window));
	got = anim_input_peek(frame->input, want, &bytes, frame->error);
	frame->failed |= got < 0;
	set_window(frame, frame->offset, got > 0 ? bytes : nothing, got > 0 ? (size_t)got : 0);
	return got;
}

uint64_t godot_frame_left(const struct godot_frame *frame)
{
	uint64_t size;

	if (frame->input == NULL)
		return (uint64_t)(frame->end - frame->at);
	size = frame->blocks != NULL ? frame->blocks->total : anim_input_source_bytes(frame->input);
	if (frame->blocks == NULL && (size == 0 || anim_input_was_gzip(frame->input)))
		return UINT64_MAX;
	return size > godot_frame_position(frame) ? size - godot_frame_position(frame) : 0;
}

/* Skip bytes of the input. Returns 0 or -1. */
static int pass(struct godot_frame *frame, uint64_t count)
{
	const uint8_t *bytes;

	while (count > 0) {
		ssize_t got = anim_input_peek(frame->input, 1, &bytes, frame->error);

		if (got <= 0)
			return raw(frame, 1) == NULL ? -1 : 0;
		if ((uint64_t)got > count)
			got = (ssize_t)count;
		anim_input_skip(frame->input, (size_t)got);
		count -= (uint64_t)got;
	}
	return 0;
}

/*
 * Move to an offset at or after the cursor without decompressing the blocks in between. Returns 1, 0 if the content
 * ends earlier, or -1.
 */
static int seek(struct godot_frame *frame, uint64_t offset)
{
	uint64_t there = frame->offset + (uint64_t)(frame->end - frame->window);

	if (frame->blocks != NULL && offset > frame->blocks->total)
		return 0;
	if (frame->blocks != NULL && offset > there && offset / frame->blocks->block_size >= frame->blocks->next) {
		struct godot_blocks *blocks = frame->blocks;
		uint64_t block = offset / blocks->block_size, packed = 0;

		/* Move to the block that contains the offset, which is after the window. */
		for (; blocks->next < block; blocks->next++)
			packed += packed_size(blocks, blocks->next);
		set_window(frame, block * blocks->block_size, blocks->out.data, 0);
		if (pass(frame, packed) != 0)
			return -1;
	}
	while (godot_frame_position(frame) < offset) {
		uint64_t left = offset - godot_frame_position(frame);
		ssize_t got = godot_frame_more(frame, 1);

		if (got <= 0)
			return got < 0 ? -1 : 0;
		frame->at += (uint64_t)got < left ? (size_t)got : (size_t)left;
	}
	return 1;
}

int godot_frame_finish(struct godot_frame *frame, struct godot_frame_end *end)
{
	const uint8_t *bytes;
	ssize_t got;

	*end = (struct godot_frame_end){.marked = true};
	if (frame->blocks == NULL) {
		got = godot_frame_more(frame, 1);
	} else {
		/* Decompress the last blocks, and check the mark after them. */
		end->more = godot_frame_left(frame) > 0;
		got = seek(frame, frame->blocks->total);
		while (got >= 0 && frame->blocks->next < frame->blocks->count)
			got = read_block(frame);
		if (got >= 0)
			got = anim_input_peek(frame->input, 4, &bytes, frame->error);
		end->marked = got >= 4 && memcmp(bytes, "RSCC", 4) == 0;
		if (end->marked)
			anim_input_skip(frame->input, 4);
		if (got >= 0)
			got = anim_input_peek(frame->input, 1, &bytes, frame->error);
	}
	end->more |= got > 0;
	frame->failed |= got < 0;
	return got < 0 ? -1 : 0;
}

/* ---- The start of a file ---- */

/* Read the head of a compressed file, and the sizes of its blocks. Returns 0 or -1. */
static int open_blocks(struct godot_frame *frame)
{
	const uint8_t *bytes = raw(frame, 16);
	struct godot_blocks *blocks;
	uint32_t packing;
	uint64_t count, sum = 0, most;

	if (bytes == NULL)
		return -1;
	packing = godot_read_u32(bytes + 4, false);
	if (packing > GODOT_BROTLI)
		return fail(frame, ANIM_UNSUPPORTED, "it has the unknown compression method %u", (unsigned)packing);
	if (packing == GODOT_BROTLI)
		return fail(frame, ANIM_UNSUPPORTED,
			    "it is compressed with Brotli, which is not supported; save it in Godot again");
#ifndef ANIM_HAVE_ZSTD
	if (packing == GODOT_ZSTD)
		return fail(frame, ANIM_UNSUPPORTED,
			    "it is compressed with zstd, which this build does not read; " ANIM_ADVICE_TO(BUILD_WITH,
													  "libzstd"));
#endif
	blocks = frame->blocks = anim_zeroed(sizeof *blocks, frame->error);
	if (blocks == NULL || anim_buffer_reserve(&blocks->out, 1, frame->error) != 0)
		return -1;
	blocks->packing = (enum godot_packing)packing;
	blocks->block_size = godot_read_u32(bytes + 8, false);
	blocks->total = godot_read_u32(bytes + 12, false);
	if (blocks->block_size == 0 || blocks->block_size > ANIM_GODOT_BLOCK_MAX)
		return fail(frame, ANIM_BAD_INPUT, "its block size is %u bytes, not 1 to %u",
			    (unsigned)blocks->block_size, ANIM_GODOT_BLOCK_MAX);
	count = (uint64_t)blocks->total / blocks->block_size + 1;
	if (count > ANIM_GODOT_BLOCKS_MAX)
		return fail(frame, ANIM_TOO_LARGE, "more than %u compressed blocks", ANIM_GODOT_BLOCKS_MAX);
	blocks->count = (size_t)count;
	anim_input_skip(frame->input, 16);
	set_window(frame, 0, blocks->out.data, 0);

	/* Read the sizes of the compressed blocks, which precede the blocks. */
	most = 2 * (uint64_t)blocks->block_size + 1024;
	for (size_t i = 0; i < blocks->count; i++) {
		uint32_t size;

		bytes = raw(frame, 4);
		if (bytes == NULL)
			return -1;
		size = godot_read_u32(bytes, false);
		sum += size;
		if (size > most)
			return fail(frame, ANIM_BAD_INPUT,
				    "compressed block %zu of %u bytes is larger than its content", i + 1,
				    (unsigned)size);
		if (anim_buffer_append(&blocks->size, &size, sizeof size, frame->error) != 0)
			return -1;
		anim_input_skip(frame->input, 4);
	}
	if (blocks->total > ANIM_GODOT_INFLATED_MAX && blocks->total / ANIM_GODOT_EXPANSION_MAX > sum)
		return fail(frame, ANIM_TOO_LARGE, "it claims that its %llu compressed bytes expand to %u bytes",
			    (unsigned long long)sum, (unsigned)blocks->total);
	return 0;
}

int godot_frame_open(struct godot_frame *frame, struct anim_input *input, struct anim_error *error)
{
	const uint8_t *bytes;

	*frame = (struct godot_frame){.input = input, .error = error};
	bytes = raw(frame, 4);
	if (bytes == NULL)
		return -1;
	if (memcmp(bytes, "RSCC", 4) == 0)
		return open_blocks(frame);
	set_window(frame, anim_input_offset(input), bytes, 4);
	frame->at += 4;
	return 0;
}

void godot_frame_clear(struct godot_frame *frame)
{
	if (frame->blocks == NULL)
		return;
	free_zstd(frame->blocks->zstd);
	anim_buffer_clear(&frame->blocks->size);
	anim_buffer_clear(&frame->blocks->out);
	free(frame->blocks);
	frame->blocks = NULL;
}

/* ---- Bytes and numbers from the cursor on ---- */

void godot_binary_place(const struct godot_binary *binary, struct anim_place *place)
{
	*place = (struct anim_place){.file = anim_input_name(binary->frame.input),
				     .at = ANIM_AT_BYTE,
				     .offset = godot_frame_position(binary->in)};
}

int godot_binary_fail(struct godot_binary *binary, int code, const char *format, ...)
{
	struct anim_place place;
	va_list args;

	godot_binary_place(binary, &place);
	va_start(args, format);
	anim_fail_va(binary->error, code, &place, format, args);
	va_end(args);
	return -1;
}

static int is_cut(struct godot_binary *binary)
{
	binary->ended = true;
	return godot_binary_fail(binary, ANIM_BAD_INPUT, "the file ends before the end of its content");
}

const uint8_t *godot_binary_bytes(struct godot_binary *binary, size_t size)
{
	ssize_t got = godot_frame_more(binary->in, size);
	const uint8_t *at = binary->in->at;

	if (got >= 0 && (size_t)got < size)
		is_cut(binary);
	if (got < 0 || (size_t)got < size)
		return NULL;
	if (binary->copy != NULL && anim_buffer_append(binary->copy, at, size, binary->error) != 0)
		return NULL;
	binary->in->at += size;
	return at;
}

int godot_binary_pass(struct godot_binary *binary, uint64_t size)
{
	int got;

	while (binary->copy != NULL && size > 0) {
		ssize_t some = godot_frame_more(binary->in, 1);

		if (some > 0 && (uint64_t)some > size)
			some = (ssize_t)size;
		if (godot_binary_bytes(binary, some > 0 ? (size_t)some : 1) == NULL)
			return -1;
		size -= (uint64_t)some;
	}
	got = size == 0 ? 1 : seek(binary->in, godot_frame_position(binary->in) + size);
	return got > 0 ? 0 : got < 0 ? -1 : is_cut(binary);
}

int godot_binary_u32(struct godot_binary *binary, uint32_t *value)
{
	const uint8_t *at = godot_binary_bytes(binary, 4);

	if (at != NULL)
		*value = godot_read_u32(at, binary->big);
	return at != NULL ? 0 : -1;
}

int godot_binary_fits(struct godot_binary *binary, uint64_t count, unsigned size, const char *what)
{
	uint64_t left = godot_frame_left(binary->in);

	if (count <= left / size)
		return 0;
	return godot_binary_fail(binary, ANIM_BAD_INPUT, "%llu %s do not fit into the remaining %llu bytes",
				 (unsigned long long)count, what, (unsigned long long)left);
}

int godot_binary_count(struct godot_binary *binary, unsigned size, const char *what, uint32_t *count)
{
	return godot_binary_u32(binary, count) != 0 ? -1 : godot_binary_fits(binary, *count, size, what);
}
