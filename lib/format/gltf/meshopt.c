/* meshopt.c: decodes meshopt-compressed attributes, codec versions 0 and 1. */
#include "format/gltf/meshopt.h"

#include <math.h>
#include <string.h>

/*
 * A block has up to 256 elements. For every byte of an element it has a plane of differences, which are added to the
 * baseline in the tail.
 */
#define BLOCK_BYTES 8192u
#define BLOCK_ELEMENTS 256u
#define GROUP 16u
#define STRIDE_MAX 256u
/* Bytes. A packed block is smaller: a group has at most 24 bytes, the header of a plane at most 4. */
#define PACKED_MAX ((size_t)16384)

enum { HEAD = 1, VERSION_0 = 0xa0, VERSION_1 = 0xa1, TAIL_LEAST_0 = 32, TAIL_LEAST_1 = 24 };

struct unpacking {
	const struct gltf_packed *packed;
	const uint8_t *at, *end;         /* the rest of the current block, and the bytes after it */
	uint64_t tail;                   /* bytes of the tail, including the padding before it */
	unsigned version, stride, count; /* count: elements of the current block */
	uint8_t last[STRIDE_MAX];        /* the previous element */
	uint8_t channels[STRIDE_MAX / 4];
	uint8_t planes[BLOCK_BYTES + GROUP]; /* byte k of all elements of the block, then byte k + 1 */
	uint8_t out[BLOCK_BYTES];
};

static int refuse(struct anim_error *error, const char *what)
{
	return anim_fail(error, ANIM_BAD_INPUT, "%s", what);
}

static int need(const struct unpacking *u, size_t bytes, struct anim_error *error)
{
	return (size_t)(u->end - u->at) >= bytes ? 0 : refuse(error, "the data end too early");
}

/* ---- planes ---- */

/* Read sixteen differences. A code with all bits set means that the difference is the next byte after the codes. */
static int read_group(struct unpacking *u, unsigned width, uint8_t out[GROUP], struct anim_error *error)
{
	const uint8_t *codes = u->at, escape = (uint8_t)((1u << width) - 1);

	memset(out, 0, GROUP);
	if (need(u, 2 * (size_t)width, error) != 0)
		return -1;
	u->at += 2 * width;
	if (width == 8)
		memcpy(out, codes, GROUP);
	if (width == 0 || width == 8)
		return 0;
	for (unsigned i = 0; i < GROUP; i++) {
		/*
		 * A byte holds several codes of one, two or four bits. Single bits start at its low end, the others at its
		 * high end.
		 */
		unsigned per_byte = 8 / width, low = i % per_byte * width, shift = width > 1 ? 8 - width - low : low;
		unsigned code = codes[i / per_byte] >> shift & ((1u << width) - 1);

		if (code == escape) {
			if (need(u, 1, error) != 0)
				return -1;
			code = *u->at++;
		}
		out[i] = (uint8_t)code;
	}
	return 0;
}

/* Read the groups, whose widths are given by two bits each in the header of the plane. */
static int read_groups(struct unpacking *u, const uint8_t widths[4], uint8_t *plane, struct anim_error *error)
{
	unsigned groups = (u->count + GROUP - 1) / GROUP;
	const uint8_t *head = u->at;
	uint8_t group[GROUP];

	if (need(u, (groups + 3) / 4, error) != 0)
		return -1;
	u->at += (groups + 3) / 4;
	for (unsigned i = 0; i < groups; i++) {
		unsigned left = u->count - i * GROUP;

		if (read_group(u, widths[head[i / 4] >> (i % 4 * 2) & 3], group, error) != 0)
			return -1;
		memcpy(plane + (size_t)i * GROUP, group, left < GROUP ? left : GROUP);
	}
	return 0;
}

static int read_plane(struct unpacking *u, unsigned control, uint8_t *plane, struct anim_error *error)
{
	static const uint8_t widths[3][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}, {0, 2, 4, 8}};

	switch (u->version == 0 ? 4 : control) {
	case 0:
		return read_groups(u, widths[0], plane, error);
	case 1:
		return read_groups(u, widths[1], plane, error);
	case 2:
		memset(plane, 0, u->count);
		return 0;
	case 3:
		if (need(u, u->count, error) != 0)
			return -1;
		memcpy(plane, u->at, u->count);
		u->at += u->count;
		return 0;
	default:
		return read_groups(u, widths[2], plane, error);
	}
}

static int read_planes(struct unpacking *u, struct anim_error *error)
{
	const uint8_t *controls = u->at;
	size_t size = u->version == 0 ? 0 : u->stride / 4;

	if (need(u, size, error) != 0)
		return -1;
	u->at += size;
	for (unsigned k = 0; k < u->stride; k++) {
		unsigned control = size > 0 ? controls[k / 4] >> (k % 4 * 2) & 3 : 0;

		if (read_plane(u, control, u->planes + (size_t)k * u->count, error) != 0)
			return -1;
	}
	return 0;
}

/* ---- differences ---- */

static uint32_t load(const uint8_t *at, size_t step, unsigned width)
{
	uint32_t value = 0;

	for (unsigned b = 0; b < width; b++)
		value |= (uint32_t)at[b * step] << 8 * b;
	return value;
}

static void store(uint8_t *at, unsigned width, uint32_t value)
{
	for (unsigned b = 0; b < width; b++)
		at[b] = (uint8_t)(value >> 8 * b);
}

/* Add up differences of `width` bytes from byte k on. */
static void add_up(struct unpacking *u, unsigned k, unsigned width)
{
	uint32_t value = load(u->last + k, 1, width);

	for (unsigned i = 0; i < u->count; i++) {
		uint32_t z = load(u->planes + k * u->count + i, u->count, width);

		value += z >> 1 ^ -(z & 1);
		store(u->out + i * u->stride + k, width, value);
	}
}

/* Combine each group of four bytes, rotated by `bits` bits, with the previous one by XOR. */
static void xor_up(struct unpacking *u, unsigned k, unsigned bits)
{
	uint32_t value = load(u->last + k, 1, 4);

	for (unsigned i = 0; i < u->count; i++) {
		uint32_t z = load(u->planes + k * u->count + i, u->count, 4);

		value ^= bits == 0 ? z : z >> bits | z << (32 - bits);
		store(u->out + i * u->stride + k, 4, value);
	}
}

/* ---- filters ---- */

static int16_t get16(const uint8_t *at)
{
	return (int16_t)load(at, 1, 2);
}

static int rounded(float x)
{
	return (int)(x + (x >= 0 ? 0.5f : -0.5f));
}

/*
 * Decode a quaternion from three components and the scale of their integers, whose low bits are the number of the
 * fourth component.
 */
static void undo_quaternion(uint8_t *at)
{
	const float scale = 32767.0f / 1.41421356237f, one = (float)(get16(at + 6) | 3);
	int dropped = get16(at + 6) & 3, out[4];
	float x = (float)get16(at) * (scale / one), y = (float)get16(at + 2) * (scale / one),
	      z = (float)get16(at + 4) * (scale / one), rest = 32767.0f * 32767.0f - x * x - y * y - z * z;

	out[(dropped + 1) & 3] = rounded(x);
	out[(dropped + 2) & 3] = rounded(y);
	out[(dropped + 3) & 3] = rounded(z);
	out[dropped] = rounded(sqrtf(rest >= 0 ? rest : 0));
	for (int i = 0; i < 4; i++)
		store(at + 2 * i, 2, (uint32_t)out[i]);
}

/* Decode a number from an integer of 24 bits and a power of two. */
static int undo_exponent(uint8_t *at, struct anim_error *error)
{
	int exponent = (int8_t)at[3];
	int32_t mantissa = (int32_t)load(at, 1, 3);
	uint32_t bits;
	float value;

	if (exponent < -100 || exponent > 100)
		return refuse(error, "an exponent beyond 100");
	mantissa -= mantissa >= 1 << 23 ? 1 << 24 : 0;
	value = ldexpf((float)mantissa, exponent);
	memcpy(&bits, &value, sizeof bits);
	store(at, 4, bits);
	return 0;
}

/* ---- all together ---- */

static int read_blocks(struct unpacking *u, struct gltf_data *data, uint64_t from, struct anim_error *error)
{
	unsigned most = BLOCK_BYTES / u->stride / GROUP * GROUP;
	uint64_t at = from + HEAD, end = from + u->packed->length - u->tail, left = u->packed->count;

	if (most > BLOCK_ELEMENTS)
		most = BLOCK_ELEMENTS;
	while (left > 0) {
		size_t size = end - at < PACKED_MAX ? (size_t)(end - at) : PACKED_MAX;
		const uint8_t *bytes = gltf_data_read(data, at, size, error);
		size_t out_size;

		if (bytes == NULL)
			return -1;
		u->at = bytes;
		u->end = bytes + size;
		u->count = left < most ? (unsigned)left : most;
		out_size = (size_t)u->count * u->stride;
		if (read_planes(u, error) != 0)
			return -1;
		for (unsigned k = 0; k < u->stride; k += 4) {
			unsigned channel = u->channels[k / 4], mode = channel & 15;

			if (mode > 2 || (mode < 2 && channel > 15))
				return refuse(error, "unknown mode of a channel");
			if (mode == 2)
				xor_up(u, k, channel >> 4);
			for (unsigned b = 0, width = mode + 1; mode < 2 && b < 4; b += width)
				add_up(u, k + b, width);
		}
		memcpy(u->last, u->out + out_size - u->stride, u->stride);
		for (size_t e = 0; u->packed->filter == GLTF_FILTER_QUATERNION && e < out_size; e += 8)
			undo_quaternion(u->out + e);
		for (size_t e = 0; u->packed->filter == GLTF_FILTER_EXPONENTIAL && e < out_size; e += 4)
			if (undo_exponent(u->out + e, error) != 0)
				return -1;
		at += (uint64_t)(u->at - bytes);
		left -= u->count;
		if (gltf_data_append(&data->spool, u->out, out_size, error) != 0)
			return -1;
	}
	return at == end ? 0 : refuse(error, "there are bytes after the last element");
}

int gltf_meshopt_unpack(struct gltf_data *data, const struct gltf_packed *packed, uint64_t from, uint64_t *place,
			struct anim_error *error)
{
	struct unpacking u = {.packed = packed, .stride = packed->stride};
	uint64_t length = packed->length;
	const uint8_t *bytes = gltf_data_read(data, from, 1, error);
	size_t tail, channels;

	/* Read the parts around the blocks: the version, and the tail with the baseline. */
	if (bytes == NULL)
		return -1;
	if (*bytes != VERSION_0 && (*bytes != VERSION_1 || !packed->is_khr))
		return refuse(error, "the first byte is not a known version");
	u.version = *bytes & 15;
	channels = u.version == 0 ? 0 : u.stride / 4;
	tail = u.stride + channels;
	u.tail = tail;
	if (u.tail < (u.version == 0 ? TAIL_LEAST_0 : TAIL_LEAST_1))
		u.tail = u.version == 0 ? TAIL_LEAST_0 : TAIL_LEAST_1;
	if (length < HEAD + u.tail)
		return refuse(error, "the data end too early");
	bytes = gltf_data_read(data, from + length - tail, tail, error);
	if (bytes == NULL)
		return -1;
	memcpy(u.last, bytes, u.stride);
	memcpy(u.channels, bytes + u.stride, channels);
	if (packed->filter == GLTF_FILTER_QUATERNION && u.stride != 8)
		return refuse(error, "rotations must have a stride of 8");
	if (gltf_data_align(&data->spool, error) != 0)
		return -1;
	*place = anim_spool_size(&data->spool);
	return read_blocks(&u, data, from, error);
}
