/* form1.c: columns prepared for compression, made here by the definition and undone by the decoder. */
#include <stdlib.h>
#include <string.h>

#include "axs.h"
#include "stream/fields.h"
#include "stream/record.h"
#include "tap.h"

/* Bytes of the pattern for one component of key k. */
static uint64_t component_value(size_t k, unsigned component)
{
	uint64_t x = (k * 2654435761u + component * 40503u) * 0x9E3779B97F4A7C15u;

	return k % 7 == 0 ? ~(uint64_t)0 : x >> (k % 40);
}

/* The order-th difference at place i of x, with 0 before the block; binomial coefficients written out. */
static uint64_t difference(const uint64_t *x, size_t i, unsigned order)
{
	static const uint64_t weight[4][4] = {
	    {1, 0, 0, 0}, {1, (uint64_t)-1, 0, 0}, {1, (uint64_t)-2, 1, 0}, {1, (uint64_t)-3, 3, (uint64_t)-1}};
	uint64_t sum = 0;

	for (unsigned back = 0; back <= order && back <= i; back++)
		sum += weight[order][back] * x[i - back];
	return sum;
}

static void put_block(struct anim_buffer *out, size_t from, size_t keys, unsigned components, unsigned width,
		      unsigned seed)
{
	uint64_t *x = malloc(keys * sizeof *x);
	uint64_t top = (uint64_t)1 << (8 * width - 1), mask = top | (top - 1);

	for (unsigned component = 0; component < components; component++)
		anim_buffer_append(out, &(uint8_t){(uint8_t)((component + seed) & 3)}, 1, NULL);
	anim_buffer_align8(out, NULL);
	for (unsigned component = 0; component < components; component++) {
		for (size_t i = 0; i < keys; i++)
			x[i] = component_value(from + i, component) & mask;
		for (unsigned byte = 0; byte < width; byte++)
			for (size_t i = 0; i < keys; i++) {
				uint64_t d = difference(x, i, (component + seed) & 3) & mask;
				uint64_t z = (d << 1 & mask) ^ (d & top ? mask : 0);

				anim_buffer_append(out, &(uint8_t){(uint8_t)(z >> 8 * byte)}, 1, NULL);
			}
	}
	anim_buffer_align8(out, NULL);
	free(x);
}

/* A Raw track of n keys whose value column is prepared. */
static void put_track(struct anim_buffer *out, enum anim_type type, size_t n, uint32_t block_keys)
{
	const struct anim_type_info *info = &anim_types[type];
	uint8_t row[16] = {1, 1};
	uint32_t head[2] = {block_keys, 0};
	struct anim_buffer column = {0};
	uint64_t size;

	anim_buffer_append(&column, head, sizeof head, NULL);
	for (size_t from = 0; from < n; from += block_keys)
		put_block(&column, from, n - from < block_keys ? n - from : block_keys, info->stored_components,
			  info->component_size, (unsigned)(from / block_keys));
	size = column.size;
	memcpy(row + 8, &size, 8);
	anim_put_head(out, "TRAK", NULL);
	anim_buffer_append(out, &(uint8_t[4]){0, (uint8_t)type, 0, 0}, 4, NULL);
	anim_put_varint(out, n, NULL);
	anim_buffer_append(out, (uint8_t[8]){255, 0, 0, 0, 0, 0, 0, 1}, 8, NULL);
	anim_buffer_align8(out, NULL);
	anim_buffer_append(out, (uint8_t[24]){0}, 24, NULL);
	anim_buffer_append(out, row, sizeof row, NULL);
	anim_buffer_append(out, column.data, column.size, NULL);
	anim_put_finish(out, 0, NULL);
	anim_buffer_clear(&column);
}

static size_t count_wrong(const struct anim_track *track)
{
	const struct anim_type_info *info = &anim_types[track->type];
	const uint8_t *value = track->value;
	size_t wrong = 0;

	for (size_t k = 0; k < track->n; k++)
		for (unsigned component = 0; component < info->stored_components; component++) {
			uint64_t x = component_value(k, component);

			wrong += memcmp(value + k * info->size + component * info->component_size, &x,
					info->component_size) != 0;
		}
	return wrong;
}

TEST(form1_undone, "prepared columns of every width, order and block border come back as they were")
{
	static const enum anim_type types[] = {ANIM_BYTE, ANIM_USHORT, ANIM_FLOAT,   ANIM_DOUBLE,   ANIM_COLOR32,
					       ANIM_INT3, ANIM_FLOATQ, ANIM_DOUBLEQ, ANIM_FLOAT4X4, ANIM_DOUBLE3X3};
	static const size_t counts[] = {1, 255, 256, 257, 513, 700};

	for (size_t t = 0; t < sizeof types / sizeof *types; t++)
		for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
			struct anim_buffer bytes = {0};
			struct anim_arena arena = {0};
			struct anim_record record;
			struct anim_track track;
			struct anim_error error = {0};

			put_track(&bytes, types[t], counts[c], c % 2 ? 256 : 300);
			anim_record_at(bytes.data, 0, &record);
			if (CHECKF(anim_record_track(&record, &track, &arena, &error) == 0, "%s", error.message))
				CHECKF(count_wrong(&track) == 0, "%s, %zu keys: %zu wrong", anim_types[types[t]].name,
				       counts[c], count_wrong(&track));
			anim_arena_clear(&arena);
			anim_buffer_clear(&bytes);
		}
}

TEST(form1_sizes, "a prepared column whose size does not fit its keys is refused before anything is undone")
{
	struct anim_buffer bytes = {0};
	struct anim_arena arena = {0};
	struct anim_record record;
	struct anim_track track;
	struct anim_error error = {0};
	size_t row, size;

	put_track(&bytes, ANIM_FLOAT, 700, 256);
	size = bytes.size;
	for (row = 0; memcmp(bytes.data + row, "\1\1\0\0\0\0\0\0", 8) != 0;)
		row += 8;
	for (int off = -8; off <= 8; off += 16) {
		uint64_t stored;

		memcpy(&stored, bytes.data + row + 8, 8);
		stored += (uint64_t)off;
		memcpy(bytes.data + row + 8, &stored, 8);
		bytes.size = ANIM_RECORD_HEAD;
		anim_buffer_reserve(&bytes, size, NULL);
		bytes.size = size + (size_t)(off > 0 ? off : 0);
		anim_put_finish(&bytes, 0, NULL);
		anim_record_at(bytes.data, 0, &record);
		CHECK(anim_record_track(&record, &track, &arena, &error) == -1 &&
		      strstr(error.message, "700 keys") != NULL);
		stored -= (uint64_t)off;
		memcpy(bytes.data + row + 8, &stored, 8);
	}
	anim_arena_clear(&arena);
	anim_buffer_clear(&bytes);
}

TEST(form1_blocks, "blocks of 256 to 65,536 keys are undone, of fewer or more refused")
{
	static const uint32_t sizes[] = {255, 256, 65536, 65537};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct anim_buffer bytes = {0};
		struct anim_arena arena = {0};
		struct anim_record record;
		struct anim_track track;
		bool legal = i == 1 || i == 2;

		put_track(&bytes, ANIM_USHORT, 65540, sizes[i]);
		anim_record_at(bytes.data, 0, &record);
		CHECKF((anim_record_track(&record, &track, &arena, NULL) == 0) == legal, "blocks of %u",
		       (unsigned)sizes[i]);
		CHECK(!legal || count_wrong(&track) == 0);
		anim_arena_clear(&arena);
		anim_buffer_clear(&bytes);
	}
}
