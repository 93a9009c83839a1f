/* lattice.c: column form 2: values as integers on a lattice, in blocks with their own lattice. */
#include "stream/lattice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stream/columns.h"

/* ---- The lattice of a block ---- */

#define FARTHEST 0.9 /* the smallest real part of a rotation relative to the mean is minus this: 3.4 radians from it */
#define POINT_MAX 1.0e9  /* largest integer, so that differences of order 3 fit 32 bits only by their low bits */
#define MEAN_SCALE 127.0 /* largest component of a mean */

bool anim_lattice_can(enum anim_type type)
{
	const struct anim_type_info *info = &anim_types[type];

	return info->scalar == ANIM_SCALAR_F32 && !info->matrix && info->components <= ANIM_LATTICE_COORDINATES &&
	       type != ANIM_STRING;
}

static void init(struct anim_lattice *lattice, enum anim_type type)
{
	memset(lattice, 0, sizeof *lattice);
	lattice->rotation = anim_types[type].quaternion;
	lattice->coordinates = lattice->rotation ? 3 : anim_types[type].components;
}

static void read_mean(const struct anim_lattice *lattice, double q[4])
{
	double square = 0;

	for (int i = 0; i < 4; i++)
		square += (double)lattice->mean[i] * (double)lattice->mean[i];
	for (int i = 0; i < 4; i++)
		q[i] = (double)lattice->mean[i] / sqrt(square);
}

/* Set the mean to the sum of the rotations, in bytes. Returns false if it has no direction. */
static bool find_mean(struct anim_lattice *lattice, const float *values, size_t keys)
{
	double sum[4] = {0}, most = 0;

	for (size_t k = 0; k < keys; k++)
		for (int i = 0; i < 4; i++)
			sum[i] += (double)values[4 * k + i];
	for (int i = 0; i < 4; i++)
		most = fmax(most, fabs(sum[i]));
	if (!(most > 0) || !isfinite(most))
		return false;
	for (int i = 0; i < 4; i++)
		lattice->mean[i] = (int8_t)floor(sum[i] / most * MEAN_SCALE + 0.5);
	return true;
}

/* Get the coordinates v of a rotation relative to the mean. Returns the real part of that rotation. */
static double rotation_coordinates(const double mean[4], const float q[4], double v[3])
{
	double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
	double r[3] = {mean[3] * x - mean[0] * w - mean[1] * z + mean[2] * y,
		       mean[3] * y - mean[1] * w - mean[2] * x + mean[0] * z,
		       mean[3] * z - mean[2] * w - mean[0] * y + mean[1] * x};
	double real = mean[3] * w + mean[0] * x + mean[1] * y + mean[2] * z;
	double length = sqrt(x * x + y * y + z * z + w * w), by = 1 / (length + real);

	for (int i = 0; i < 3; i++)
		v[i] = r[i] * by;
	return real / length;
}

static bool fits_rotations(const struct anim_lattice *lattice, const float *values, size_t keys)
{
	double mean[4], v[3];

	read_mean(lattice, mean);
	for (size_t k = 0; k < keys; k++) {
		if (!(rotation_coordinates(mean, values + 4 * k, v) > -FARTHEST))
			return false;
		for (int i = 0; i < 3; i++)
			if (!(fabs(v[i]) < POINT_MAX * (double)lattice->step))
				return false;
	}
	return true;
}

bool anim_lattice_fit(struct anim_lattice *lattice, enum anim_type type, const float *values, size_t keys, float step)
{
	const unsigned count = anim_types[type].components;

	init(lattice, type);
	lattice->step = step;
	if (lattice->rotation)
		return find_mean(lattice, values, keys) && fits_rotations(lattice, values, keys);
	memcpy(lattice->base, values, lattice->coordinates * sizeof *values);
	for (unsigned i = 0; i < count; i++)
		if (!isfinite(lattice->base[i]))
			return false;
	for (size_t k = 0; k < keys; k++)
		for (unsigned i = 0; i < count; i++) {
			double off = (double)values[count * k + i] - (double)lattice->base[i];

			if (!(off == 0 || fabs(off) < POINT_MAX * (double)lattice->step))
				return false;
		}
	return true;
}

void anim_lattice_coordinates(const struct anim_lattice *lattice, const float *value,
			      double v[ANIM_LATTICE_COORDINATES])
{
	double mean[4];

	if (lattice->rotation) {
		read_mean(lattice, mean);
		(void)rotation_coordinates(mean, value, v);
		return;
	}
	for (unsigned i = 0; i < lattice->coordinates; i++)
		v[i] = (double)value[i] - (double)lattice->base[i];
}

static int32_t nearest(double number)
{
	return (int32_t)floor(number + 0.5);
}

void anim_lattice_find(const struct anim_lattice *lattice, const float *values, size_t keys, int32_t *points)
{
	const unsigned count = lattice->coordinates;
	double by = lattice->step > 0 ? 1 / (double)lattice->step : 0, mean[4], v[3];

	if (lattice->rotation) {
		read_mean(lattice, mean);
		for (size_t k = 0; k < keys; k++) {
			(void)rotation_coordinates(mean, values + 4 * k, v);
			for (unsigned i = 0; i < 3; i++)
				points[i * keys + k] = nearest(v[i] * by);
		}
		return;
	}
	for (size_t k = 0; k < keys; k++)
		for (unsigned i = 0; i < count; i++)
			points[i * keys + k] = nearest(((double)values[count * k + i] - (double)lattice->base[i]) * by);
}

static void rotation_values(const struct anim_lattice *lattice, const int32_t *points, size_t keys, float *values)
{
	double m[4], step = (double)lattice->step;

	read_mean(lattice, m);
	for (size_t k = 0; k < keys; k++) {
		double x = (double)points[k] * step, y = (double)points[keys + k] * step;
		double z = (double)points[2 * keys + k] * step, square = x * x + y * y + z * z, by = 1 / (1 + square);
		double w = (1 - square) * by;

		by += by;
		x *= by;
		y *= by;
		z *= by;
		values[4 * k] = (float)(m[3] * x + m[0] * w + m[1] * z - m[2] * y);
		values[4 * k + 1] = (float)(m[3] * y + m[1] * w + m[2] * x - m[0] * z);
		values[4 * k + 2] = (float)(m[3] * z + m[2] * w + m[0] * y - m[1] * x);
		values[4 * k + 3] = (float)(m[3] * w - m[0] * x - m[1] * y - m[2] * z);
	}
}

static void number_values(const struct anim_lattice *lattice, const int32_t *points, size_t keys, float *values)
{
	const unsigned count = lattice->coordinates;

	for (unsigned i = 0; i < count; i++)
		for (size_t k = 0; k < keys; k++)
			values[count * k + i] =
			    (float)((double)lattice->base[i] + (double)points[i * keys + k] * (double)lattice->step);
}

void anim_lattice_values(const struct anim_lattice *lattice, const int32_t *points, size_t keys, float *values)
{
	(lattice->rotation ? rotation_values : number_values)(lattice, points, keys, values);
}

/* ---- Codes of integers ---- */

/*
 * Differences are coded as zigzag numbers z with Rice codes: z >> k as so many 0 bits and a 1, then the low k bits. k
 * follows the mean of the last numbers: `mean` is four times this mean. Bits are filled from the lowest on.
 */
#define UNARY_MOST 24u /* after so many 0 bits the number follows in 32 bits */
#define ORDER_MOST 3u
#define LENGTH_BITS 6u /* the first point of a coordinate is a number of bits, and these bits of its zigzag */
#define MEAN_CAP (1u << 20)
#define MEAN_BITS_MOST 22u
#define CODE_BITS_MOST (UNARY_MOST + 32)

/* A mode byte of a coordinate is its order plus 4 times the exponent of the initial mean. */
static unsigned order_of(uint8_t mode)
{
	return mode & 3u;
}

static uint32_t first_mean(uint8_t mode)
{
	return 1u << (mode >> 2);
}

static unsigned bit_length(uint32_t number)
{
	return number == 0 ? 0 : 32 - (unsigned)__builtin_clz(number);
}

static uint32_t next_mean(uint32_t mean, uint32_t z)
{
	return mean - (mean >> 2) + (z < MEAN_CAP ? z : MEAN_CAP);
}

static uint32_t zigzag(uint32_t d)
{
	return (d << 1) ^ (0 - (d >> 31));
}

static uint32_t unzigzag(uint32_t z)
{
	return (z >> 1) ^ (0 - (z & 1));
}

/* Return the bytes of the head of a block, before its codes. */
static size_t block_head(enum anim_type type)
{
	return 12 + (anim_types[type].quaternion ? 4 : 4 * (size_t)anim_types[type].components);
}

static unsigned coordinates_of(enum anim_type type)
{
	return anim_types[type].quaternion ? 3 : anim_types[type].components;
}

/* ---- Decoding ---- */

/* The codes of a block. `window` holds the next `held` bits, at least 56 until the end is near. */
struct bits {
	const uint8_t *at, *end;
	uint64_t window;
	unsigned held;
	bool ended; /* more bits were read than there are */
};

static inline void refill(struct bits *bits)
{
	if (bits->end - bits->at >= 8) {
		uint64_t next;

		memcpy(&next, bits->at, 8);
		bits->window |= next << bits->held;
		bits->at += (63 - bits->held) >> 3;
		bits->held |= 56;
		return;
	}
	for (; bits->held <= 56 && bits->at < bits->end; bits->held += 8)
		bits->window |= (uint64_t)*bits->at++ << bits->held;
}

static inline uint32_t read_bits(struct bits *bits, unsigned count)
{
	uint32_t value = (uint32_t)(bits->window & (((uint64_t)1 << count) - 1));

	bits->ended = bits->ended || count > bits->held;
	bits->window >>= count;
	bits->held -= count < bits->held ? count : bits->held;
	return value;
}

/* Read one number. It needs at most CODE_BITS_MOST bits, which is one refill. */
static inline uint32_t read_code(struct bits *bits, unsigned k)
{
	unsigned zeros;

	refill(bits);
	zeros = bits->window == 0 ? 64 : (unsigned)__builtin_ctzll(bits->window);
	if (zeros >= UNARY_MOST) {
		(void)read_bits(bits, UNARY_MOST);
		return read_bits(bits, 32);
	}
	(void)read_bits(bits, zeros + 1);
	return zeros << k | read_bits(bits, k);
}

/* Read the points of a coordinate. */
static void read_points(struct bits *bits, uint8_t mode, size_t keys, int32_t *points)
{
	uint32_t mean = first_mean(mode), x, speed = 0, change = 0;
	const unsigned order = order_of(mode);
	unsigned length;

	refill(bits);
	length = read_bits(bits, LENGTH_BITS);
	bits->ended = bits->ended || length > 32;
	x = unzigzag(read_bits(bits, length < 32 ? length : 32));
	points[0] = (int32_t)x;
	for (size_t i = 1; i < keys; i++) {
		uint32_t z = read_code(bits, bit_length(mean >> 3)), d = unzigzag(z);

		mean = next_mean(mean, z);
		change = order == 3 ? change + d : d;
		speed = order >= 2 ? speed + change : d;
		x = order >= 1 ? x + speed : points[0] + d;
		points[i] = (int32_t)x;
	}
}

/* Read the head of a block up to its codes, and set the codes of the cursor's block. */
static int read_block_head(struct anim_cursor *cursor, enum anim_type type, struct anim_lattice *lattice,
			   uint8_t modes[ANIM_LATTICE_COORDINATES], struct bits *bits)
{
	const uint8_t *at = cursor->at, *codes;
	bool has_mean = false, finite = true;
	uint32_t size;

	init(lattice, type);
	if (anim_cursor_get(cursor, &size, 4) != 0 || anim_cursor_get(cursor, &lattice->step, 4) != 0 ||
	    anim_cursor_get(cursor, modes, ANIM_LATTICE_COORDINATES) != 0 ||
	    anim_cursor_get(cursor, lattice->rotation ? (void *)lattice->mean : (void *)lattice->base,
			    lattice->rotation ? 4 : 4 * (size_t)lattice->coordinates) != 0)
		return -1;
	if (size < block_head(type) || size % 8 != 0)
		return anim_cursor_fail(cursor, at, "a block of %lu bytes on a lattice", (unsigned long)size);
	if (anim_cursor_borrow(cursor, size - block_head(type), &codes) != 0)
		return -1;
	*bits = (struct bits){.at = codes, .end = cursor->at};
	for (unsigned i = 0; i < ANIM_LATTICE_COORDINATES; i++) {
		has_mean = has_mean || lattice->mean[i] != 0;
		finite = finite && isfinite(lattice->base[i]);
		if (i < lattice->coordinates ? modes[i] >> 2 > MEAN_BITS_MOST : modes[i] != 0)
			return anim_cursor_fail(cursor, at + 8 + i, "mode %u of coordinate %u of a lattice", modes[i],
						i);
	}
	if (!finite || !isfinite(lattice->step) || !(lattice->step >= 0) || (lattice->rotation && !has_mean))
		return anim_cursor_fail(cursor, at + 4, "a lattice with an impossible step or base");
	return 0;
}

int anim_lattice_undo_block(struct anim_cursor *cursor, enum anim_type type, size_t keys, float *out)
{
	uint8_t modes[ANIM_LATTICE_COORDINATES];
	struct anim_lattice lattice;
	struct bits bits = {.at = NULL};
	const uint8_t *unread;
	int32_t *points;
	uint64_t left;

	if (read_block_head(cursor, type, &lattice, modes, &bits) != 0)
		return -1;
	if ((uint64_t)(bits.end - bits.at) * 8 < (uint64_t)keys * lattice.coordinates)
		return anim_cursor_fail(cursor, bits.at, "a block on a lattice that is too small for %zu keys", keys);
	points = malloc(keys * lattice.coordinates * sizeof *points);
	if (points == NULL)
		return anim_fail_memory(cursor->error);
	for (unsigned i = 0; i < lattice.coordinates; i++)
		read_points(&bits, modes[i], keys, points + i * keys);
	anim_lattice_values(&lattice, points, keys, out);
	free(points);
	/* After the last code, fewer than 64 bits are left, and they are 0. */
	left = bits.window;
	for (unread = bits.at; unread < bits.end; unread++)
		left |= *unread;
	if (bits.ended || left != 0 || (size_t)(bits.end - bits.at) + bits.held / 8 >= 8)
		return anim_cursor_fail(cursor, bits.end, "a block on a lattice whose codes do not match its size");
	return 0;
}

int anim_lattice_undo(struct anim_cursor *parent, const uint8_t *bytes, uint64_t size, size_t n, enum anim_type type,
		      const void **column)
{
	struct anim_cursor cursor = *parent;
	const size_t stored = anim_types[type].components;
	uint32_t head[2];
	float *out;

	cursor.at = bytes;
	cursor.end = bytes + size;
	if (anim_cursor_get(&cursor, head, sizeof head) != 0)
		return -1;
	if (head[0] < ANIM_FORM1_KEYS_LEAST || head[0] > ANIM_FORM1_KEYS_MOST || head[1] != 0)
		return anim_cursor_fail(&cursor, bytes, "a lattice in blocks of %lu keys", (unsigned long)head[0]);
	/* a point has at least one bit */
	if ((uint64_t)n * coordinates_of(type) > size * 8)
		return anim_cursor_fail(&cursor, bytes, "a lattice of %llu bytes, which is too small for %zu keys",
					(unsigned long long)size, n);
	out = anim_arena_alloc(cursor.arena, n * stored * sizeof *out, cursor.error);
	if (out == NULL)
		return -1;
	for (size_t done = 0; done < n; done += head[0]) {
		size_t keys = n - done < head[0] ? n - done : head[0];

		if (anim_lattice_undo_block(&cursor, type, keys, out + done * stored) != 0)
			return -1;
	}
	if (cursor.at != cursor.end)
		return anim_cursor_fail(&cursor, cursor.at, "bytes after the last block of a lattice");
	*column = out;
	return 0;
}

uint32_t anim_lattice_block_bytes(const uint8_t *block)
{
	uint32_t size;

	memcpy(&size, block, sizeof size);
	return size;
}

size_t anim_lattice_block_most(enum anim_type type, size_t keys)
{
	size_t size = block_head(type) + (keys * coordinates_of(type) * CODE_BITS_MOST + 7) / 8;

	return ((size + 7) & ~(size_t)7) + 8;
}

/* ---- Encoding ---- */

static uint8_t exponent_for(const uint32_t *d, size_t keys)
{
	uint64_t sum = 0;
	size_t count = keys - 1 < 8 ? keys - 1 : 8;

	for (size_t i = 1; i <= count; i++)
		sum += zigzag(d[i]) < MEAN_CAP ? zigzag(d[i]) : MEAN_CAP;
	return count == 0 ? 0 : (uint8_t)(bit_length((uint32_t)(4 * sum / count)) - (4 * sum >= count));
}

/* Return the bits of the codes of differences, of all keys but the first. */
static uint64_t bits_of(const uint32_t *d, size_t keys, uint8_t mode)
{
	uint32_t mean = first_mean(mode);
	uint64_t sum = 0;

	for (size_t i = 1; i < keys; i++) {
		uint32_t z = zigzag(d[i]);
		unsigned k = bit_length(mean >> 3);

		sum += z >> k < UNARY_MOST ? (z >> k) + 1 + k : CODE_BITS_MOST;
		mean = next_mean(mean, z);
	}
	return sum;
}

/*
 * Find the mode with which the points need the fewest bits, and replace them by their differences. Returns these bits,
 * without the bits of the first point.
 */
static uint64_t choose_mode(uint32_t *points, size_t keys, uint8_t *mode)
{
	uint64_t best = UINT64_MAX;
	const uint32_t first = points[0];

	*mode = 0;
	for (size_t i = 0; i < keys; i++)
		points[i] -= first;
	for (unsigned order = 0; order <= ORDER_MOST; order++) {
		uint8_t own = (uint8_t)(order + 4u * exponent_for(points, keys));
		uint64_t bits = bits_of(points, keys, own);

		if (bits < best) {
			best = bits;
			*mode = own;
		}
		if (order == ORDER_MOST)
			break;
		/*
		 * The next higher order. Before the first point are points equal to it, so that the first difference is
		 * 0 and the point itself is coded apart.
		 */
		for (size_t i = keys - 1; i > 0; i--)
			points[i] -= points[i - 1];
		points[0] = 0;
	}
	for (unsigned order = ORDER_MOST; order > order_of(*mode); order--)
		for (size_t k = 1; k < keys; k++)
			points[k] += points[k - 1];
	return best;
}

uint64_t anim_lattice_bits(const struct anim_lattice *lattice, int32_t *points, size_t keys)
{
	uint64_t bits = 0;
	uint8_t mode;

	for (unsigned i = 0; i < lattice->coordinates; i++)
		bits += choose_mode((uint32_t *)points + i * keys, keys, &mode);
	return bits;
}

/* Bits that are appended to a buffer, in complete bytes. */
struct bit_writer {
	struct anim_buffer *out;
	uint64_t window;
	unsigned held;
};

static int put(struct bit_writer *writer, uint64_t bits, unsigned count, struct anim_error *error)
{
	writer->window |= bits << writer->held;
	writer->held += count;
	if (writer->held < 32)
		return 0;
	if (anim_buffer_append(writer->out, &writer->window, 4, error) != 0)
		return -1;
	writer->window >>= 32;
	writer->held -= 32;
	return 0;
}

/* Append a block. The points are replaced by their differences. */
static int put_block(const struct anim_lattice *lattice, int32_t *points, size_t keys, struct anim_buffer *out,
		     struct anim_error *error)
{
	const size_t start = out->size;
	const uint8_t head[12] = {0};
	struct bit_writer writer = {.out = out};
	uint32_t size, mean, z;

	if (anim_buffer_append(out, head, sizeof head, error) != 0 ||
	    anim_buffer_append(out, lattice->rotation ? (const void *)lattice->mean : (const void *)lattice->base,
			       lattice->rotation ? 4 : 4 * (size_t)lattice->coordinates, error) != 0)
		return -1;
	memcpy(out->data + start + 4, &lattice->step, 4);
	for (unsigned i = 0; i < lattice->coordinates; i++) {
		uint32_t *own = (uint32_t *)points + i * keys, first = own[0];
		uint8_t mode;

		(void)choose_mode(own, keys, &mode);
		out->data[start + 8 + i] = mode;
		z = zigzag(first);
		if (put(&writer, bit_length(z), LENGTH_BITS, error) != 0 || put(&writer, z, bit_length(z), error) != 0)
			return -1;
		mean = first_mean(mode);
		for (size_t key = 1; key < keys; key++) {
			const unsigned k = bit_length(mean >> 3);

			z = zigzag(own[key]);
			if (z >> k >= UNARY_MOST
				? put(&writer, 0, UNARY_MOST, error) != 0 || put(&writer, z, 32, error) != 0
				: put(&writer, (uint64_t)1 << (z >> k), (z >> k) + 1, error) != 0 ||
				      put(&writer, z & (((uint32_t)1 << k) - 1), k, error) != 0)
				return -1;
			mean = next_mean(mean, z);
		}
	}
	if (anim_buffer_append(out, &writer.window, (writer.held + 7) / 8, error) != 0 ||
	    anim_buffer_align8(out, error) != 0)
		return -1;
	size = (uint32_t)(out->size - start);
	memcpy(out->data + start, &size, sizeof size);
	return 0;
}

/* The remaining changes of a track. */
struct changes {
	const struct anim_lattice_change *next;
	size_t left;
};

/* Encode a block of values. `values` gets the decoded ones. Returns as anim_lattice_encode. */
static int encode_block(const struct anim_track *track, size_t first, size_t keys, float step, struct changes *changes,
			struct anim_buffer *column, struct anim_buffer *values, struct anim_buffer *points,
			struct anim_error *error)
{
	const size_t components = anim_types[track->type].components;
	const float *from = (const float *)track->value + first * components;
	struct anim_lattice lattice;
	float *to;

	if (!anim_lattice_fit(&lattice, track->type, from, keys, step))
		return 0;
	points->size = 0;
	to = anim_buffer_extend(values, keys * components * sizeof *to, error);
	if (to == NULL || anim_buffer_extend(points, keys * lattice.coordinates * sizeof(int32_t), error) == NULL)
		return -1;
	anim_lattice_find(&lattice, from, keys, (int32_t *)(void *)points->data);
	for (; changes->left > 0 && changes->next->key < first + keys; changes->next++, changes->left--)
		((int32_t *)(void *)points->data)[changes->next->coordinate * keys + (changes->next->key - first)] +=
		    changes->next->by;
	anim_lattice_values(&lattice, (const int32_t *)(const void *)points->data, keys, to);
	return put_block(&lattice, (int32_t *)(void *)points->data, keys, column, error) != 0 ? -1 : 1;
}

int anim_lattice_encode(const struct anim_track *track, const float *steps, const struct anim_lattice_change *changes,
			size_t count, struct anim_buffer *record, struct anim_buffer *values, struct anim_error *error)
{
	const uint32_t head[2] = {ANIM_LATTICE_BLOCK_KEYS, 0};
	struct anim_buffer column = {0}, points = {0};
	struct changes left = {changes, count};
	int status = 0;

	record->size = values->size = 0;
	if (track->n > 0 && anim_lattice_can(track->type))
		status = anim_buffer_append(&column, head, sizeof head, error) != 0 ? -1 : 1;
	for (size_t done = 0; status == 1 && done < track->n; done += ANIM_LATTICE_BLOCK_KEYS) {
		size_t rest = track->n - done, keys = rest < ANIM_LATTICE_BLOCK_KEYS ? rest : ANIM_LATTICE_BLOCK_KEYS;

		status = encode_block(track, done, keys, steps[done / ANIM_LATTICE_BLOCK_KEYS], &left, &column, values,
				      &points, error);
	}
	anim_buffer_clear(&points);
	if (status == 1 && anim_encode_lattice(record, track, column.data, column.size, error) != 0)
		status = -1;
	anim_buffer_clear(&column);
	return status;
}
