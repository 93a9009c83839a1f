/* codec.c: reads the body piece by piece, and again from a mark; writes a plain one. */
#include "format/animx/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"

/* ---- reading ---- */

#define CHUNK ((size_t)256 << 10) /* bytes by which a block grows whose size is not proven */

void animx_body_init(struct animx_body *body, struct anim_input *input)
{
	*body = (struct animx_body){.input = input};
}

void animx_body_clear(struct animx_body *body)
{
	if (body->codec != NULL)
		body->codec->free(body->state);
	anim_buffer_clear(&body->kept);
	anim_buffer_clear(&body->replay);
}

struct anim_place animx_body_place(const struct animx_body *body, uint64_t offset)
{
	return (struct anim_place){.file = anim_input_name(body->input),
				   .at = ANIM_AT_BYTE,
				   .offset = body->codec == NULL ? offset : body->base};
}

int animx_body_fail(const struct animx_body *body, uint64_t offset, struct anim_error *error, const char *format, ...)
{
	struct anim_place place = animx_body_place(body, offset);
	size_t length;
	va_list args;

	va_start(args, format);
	anim_fail_va(error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	if (error == NULL || body->codec == NULL)
		return -1;
	length = strlen(error->message);
	snprintf(error->message + length, sizeof error->message - length, " (byte %llu of the inflated body)",
		 (unsigned long long)offset);
	return -1;
}

int animx_body_fail_raw(const struct animx_body *body, struct anim_error *error, int code, const char *format, ...)
{
	struct anim_place place = {
	    .file = anim_input_name(body->input), .at = ANIM_AT_BYTE, .offset = anim_input_offset(body->input)};
	va_list args;

	va_start(args, format);
	anim_fail_va(error, code, &place, format, args);
	va_end(args);
	return -1;
}

ssize_t animx_body_some(struct animx_body *body, uint64_t most, const uint8_t **at, struct anim_error *error)
{
	ssize_t size;

	anim_input_skip(body->input, body->peeked);
	body->peeked = 0;
	if (most == 0)
		return 0;
	size = anim_input_peek(body->input, 1, at, error);
	if (size > 0)
		body->peeked = (uint64_t)size < most ? (size_t)size : (size_t)most;
	return size < 0 ? -1 : (ssize_t)body->peeked;
}

int animx_body_raw(struct animx_body *body, size_t size, const uint8_t **at, struct anim_error *error)
{
	ssize_t there;

	anim_input_skip(body->input, body->peeked);
	body->peeked = 0;
	there = anim_input_peek(body->input, size, at, error);
	if (there < 0)
		return -1;
	if ((size_t)there < size) {
		anim_input_skip(body->input, (size_t)there);
		return animx_body_fail_raw(body, error, ANIM_BAD_INPUT, "the file is cut inside a compressed body");
	}
	body->peeked = size;
	return 0;
}

/* A few kilobytes can hold gigabytes. */
static int check_expansion(const struct animx_body *body, struct anim_error *error)
{
	uint64_t inflated = body->offset + body->left;
	uint64_t taken = anim_input_offset(body->input) + body->peeked - body->base;

	if (body->trust_size || inflated <= ANIM_ANIMX_INFLATED_MAX || inflated / ANIM_ANIMX_EXPANSION_MAX <= taken)
		return 1;
	return animx_body_fail_raw(body, error, ANIM_TOO_LARGE,
				   "more than %llu bytes come out of %llu; anim-parse -x trust-size reads them",
				   (unsigned long long)ANIM_ANIMX_INFLATED_MAX, (unsigned long long)taken);
}

/* The next window: 1, 0 at the end, -1. */
static int fill(struct animx_body *body, struct anim_error *error)
{
	ssize_t size;

	if (body->replaying) {
		body->replaying = false;
		body->at = body->next;
		body->left = body->next_size;
		if (body->left > 0)
			return 1;
	}
	if (body->codec != NULL) {
		int more = body->codec->fill(body, &body->at, &body->left, error);

		return more > 0 ? check_expansion(body, error) : more;
	}
	size = animx_body_some(body, UINT64_MAX, &body->at, error);
	body->left = size < 0 ? 0 : (size_t)size;
	return size < 0 ? -1 : size > 0;
}

int animx_body_more(struct animx_body *body, struct anim_error *error)
{
	return body->left > 0 ? 1 : fill(body, error);
}

static int take(struct animx_body *body, void *to, size_t size, struct anim_error *error)
{
	if (body->marking && anim_buffer_append(&body->kept, body->at, size, error) != 0)
		return -1;
	memcpy(to, body->at, size);
	body->at += size;
	body->left -= size;
	body->offset += size;
	return 0;
}

int animx_body_read(struct animx_body *body, void *to, size_t size, struct anim_error *error)
{
	uint8_t *out = to;

	while (size > 0) {
		int more = animx_body_more(body, error);
		size_t part = size < body->left ? size : body->left;

		if (more <= 0)
			return more < 0 ? -1 : animx_body_fail(body, body->offset, error, "the file is cut");
		if (take(body, out, part, error) != 0)
			return -1;
		out += part;
		size -= part;
	}
	return 0;
}

/* Bytes that the file is known to hold still; UINT64_MAX where that is not known. */
static uint64_t known_left(const struct animx_body *body)
{
	uint64_t size = anim_input_source_bytes(body->input);

	if (body->codec != NULL || body->replaying || size == 0 || anim_input_was_gzip(body->input))
		return UINT64_MAX;
	return size > body->offset ? size - body->offset : 0;
}

int animx_body_block(struct animx_body *body, struct anim_buffer *to, size_t count, size_t each,
		     struct anim_error *error)
{
	uint64_t known = known_left(body);
	size_t size;

	to->size = 0;
	if (anim_size_multiply(count, each, &size, error) != 0)
		return -1;
	if (size <= known && known != UINT64_MAX && anim_buffer_reserve(to, size, error) != 0)
		return -1;
	while (size > 0) {
		size_t part = size < CHUNK ? size : CHUNK;
		void *at = anim_buffer_extend(to, part, error);

		if (at == NULL || animx_body_read(body, at, part, error) != 0)
			return -1;
		size -= part;
	}
	return 0;
}

size_t animx_varint(const uint8_t *bytes, size_t size, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < size && i < ANIMX_VARINT_MAX; i++) {
		if (i == ANIMX_VARINT_MAX - 1 && bytes[i] > 1)
			break;
		*value |= (uint64_t)(bytes[i] & 127) << (7 * i);
		if (bytes[i] < 128)
			return i + 1;
	}
	return size < ANIMX_VARINT_MAX ? 0 : ANIMX_VARINT_MAX + 1;
}

int animx_body_varint(struct animx_body *body, uint64_t *value, struct anim_error *error)
{
	uint8_t bytes[ANIMX_VARINT_MAX] = {0};
	uint64_t offset = body->offset;
	size_t size = 0, used = 0;

	while (used == 0 && size < ANIMX_VARINT_MAX) {
		if (animx_body_read(body, &bytes[size++], 1, error) != 0)
			return -1;
		used = animx_varint(bytes, size, value);
	}
	return used <= ANIMX_VARINT_MAX && used > 0
		   ? 0
		   : animx_body_fail(body, offset, error, "a number of more than 64 bits");
}

int animx_body_text(struct animx_body *body, size_t limit, struct anim_buffer *to, uint32_t *length,
		    struct anim_error *error)
{
	uint64_t offset = body->offset, size, left;
	size_t start = to->size;

	if (animx_body_varint(body, &size, error) != 0)
		return -1;
	if (size > limit)
		return animx_body_fail(body, offset, error, "a text of %llu bytes, at most %zu are allowed",
				       (unsigned long long)size, limit);
	for (left = size; left > 0;) {
		size_t part = left < CHUNK ? (size_t)left : CHUNK;
		void *at = anim_buffer_extend(to, part, error);

		if (at == NULL || animx_body_read(body, at, part, error) != 0)
			return -1;
		left -= part;
	}
	*length = (uint32_t)size;
	if (size > 0 && anim_utf8_prefix(to->data + start, (size_t)size) != size)
		return animx_body_fail(body, offset, error, "a text that is not UTF-8 or holds a NUL");
	return 0;
}

static int rewind_to_mark(struct animx_body *body, struct anim_error *error)
{
	struct anim_buffer again = body->kept;

	if (body->replaying && anim_buffer_append(&again, body->at, body->left, error) != 0) {
		body->kept = again;
		return -1;
	}
	if (!body->replaying) {
		body->next = body->at;
		body->next_size = body->left;
	}
	body->kept = body->replay;
	body->kept.size = 0;
	body->replay = again;
	body->at = again.data;
	body->left = again.size;
	body->replaying = true;
	body->offset = body->marked;
	return 0;
}

int animx_body_mark(struct animx_body *body, enum animx_mark what, struct anim_error *error)
{
	if (what == ANIMX_MARK_AGAIN)
		return rewind_to_mark(body, error);
	body->marking = what == ANIMX_MARK_HERE;
	body->marked = body->offset;
	anim_buffer_clear(&body->kept);
	return 0;
}

/* ---- writing ---- */

struct plain_coder {
	struct animx_coder coder;
	struct anim_output *out;
};

static int write_plain(struct animx_coder *coder, const void *bytes, size_t size, struct anim_error *error)
{
	return anim_output_write(((struct plain_coder *)coder)->out, bytes, size, error);
}

static int finish_plain(struct animx_coder *coder, struct anim_error *error)
{
	(void)coder;
	(void)error;
	return 0;
}

static void free_plain(struct animx_coder *coder)
{
	free(coder);
}

static struct animx_coder *plain_new(struct anim_output *out, uint64_t size, size_t store_memory,
				     struct anim_error *error)
{
	static const struct animx_coder_ops ops = {write_plain, finish_plain, free_plain};
	struct plain_coder *plain = anim_zeroed(sizeof *plain, error);

	(void)size;
	(void)store_memory;
	if (plain == NULL)
		return NULL;
	plain->coder.ops = &ops;
	plain->out = out;
	return &plain->coder;
}

int animx_coder_write(struct animx_coder *coder, const void *bytes, size_t size, struct anim_error *error)
{
	coder->size += size;
	return size == 0 || coder->ops == NULL ? 0 : coder->ops->write(coder, bytes, size, error);
}

size_t animx_put_varint(uint8_t *to, uint64_t value)
{
	size_t size = 0;

	for (; value > 127; value >>= 7)
		to[size++] = (uint8_t)(value | 128);
	to[size++] = (uint8_t)value;
	return size;
}

static const struct animx_encoding plain = {.coder_new = plain_new};
const struct animx_encoding *const animx_encodings[] = {
    [ANIM_ANIMX_PLAIN] = &plain, [ANIM_ANIMX_LZ4] = &animx_lz4, [ANIM_ANIMX_LZMA] = &animx_lzma};
