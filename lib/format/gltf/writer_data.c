/* writer_data.c: accessors and the bytes that they are of; times that several samplers share stand once. */
#include <string.h>

#include "base/hash.h"
#include "format/gltf/writer.h"

static struct gltf_out_accessor *accessor_at(const struct gltf_out_data *data, size_t number)
{
	return (struct gltf_out_accessor *)(void *)data->accessors.data + number;
}

size_t gltf_out_data_count(const struct gltf_out_data *data)
{
	return data->accessors.size / sizeof(struct gltf_out_accessor);
}

const struct gltf_out_accessor *gltf_out_data_accessor(const struct gltf_out_data *data, size_t number)
{
	return accessor_at(data, number);
}

static int add(struct gltf_out_data *data, const struct gltf_out_accessor *accessor, uint32_t *number,
	       struct anim_error *error)
{
	*number = (uint32_t)gltf_out_data_count(data);
	return anim_buffer_append(&data->accessors, accessor, sizeof *accessor, error);
}

static size_t padding(size_t size)
{
	return (size_t)-size & 3;
}

int gltf_out_data_begin(struct gltf_out_data *data, enum gltf_component component, unsigned lanes, size_t count,
			uint32_t *number, struct anim_error *error)
{
	size_t width = component == GLTF_U8 ? 1 : component == GLTF_U16 ? 2 : 4, size;
	struct gltf_out_accessor accessor = {.at = anim_spool_size(&data->spool),
					     .count = (uint32_t)count,
					     .component = (uint16_t)component,
					     .lanes = (uint8_t)lanes,
					     .like = GLTF_NONE};

	if (anim_size_multiply(count, width * lanes, &size, error) != 0)
		return -1;
	if (count > UINT32_MAX || (data->most != 0 && (size > data->most || accessor.at > data->most - size)))
		return anim_fail(error, ANIM_TOO_LARGE,
				 "a .glb holds 4 GiB; write a .gltf with its numbers beside it: --bin -o FILE.gltf");
	if (anim_spool_begin(&data->spool, size + padding(size), error) != 0)
		return -1;
	return add(data, &accessor, number, error);
}

int gltf_out_data_end(struct gltf_out_data *data, struct anim_error *error)
{
	static const uint8_t zeros[4];
	size_t count = padding((size_t)anim_spool_size(&data->spool));

	return count == 0 ? 0 : anim_spool_append(&data->spool, zeros, count, error);
}

int gltf_out_data_zeros(struct gltf_out_data *data, unsigned lanes, size_t count, uint32_t *number,
			struct anim_error *error)
{
	struct gltf_out_accessor accessor = {.at = GLTF_OUT_ZEROS,
					     .count = (uint32_t)count,
					     .component = GLTF_F32,
					     .lanes = (uint8_t)lanes,
					     .like = GLTF_NONE};

	return add(data, &accessor, number, error);
}

/* 1 where the accessor has these times, 0, -1. */
static int is_same(struct gltf_out_data *data, const struct gltf_out_accessor *accessor, const float *time, size_t n,
		   struct anim_error *error)
{
	const uint8_t *bytes;

	if (accessor->count != n)
		return 0;
	bytes = anim_spool_read(&data->spool, accessor->at, n * sizeof *time, error);
	return bytes == NULL ? -1 : memcmp(bytes, time, n * sizeof *time) == 0;
}

int gltf_out_data_times(struct gltf_out_data *data, const float *time, size_t n, uint32_t *number,
			struct anim_error *error)
{
	uint64_t hash = anim_hash(0, time, n * sizeof *time);
	uint32_t first = GLTF_NONE;
	struct gltf_out_accessor *accessor;

	(void)anim_map_get(&data->inputs, hash, "", 0, &first);
	for (*number = first; *number != GLTF_NONE; *number = accessor->like) {
		int same = is_same(data, accessor = accessor_at(data, *number), time, n, error);

		if (same != 0)
			return same < 0 ? -1 : 0;
	}
	if (gltf_out_data_begin(data, GLTF_F32, 1, n, number, error) != 0 ||
	    anim_spool_append(&data->spool, time, n * sizeof *time, error) != 0)
		return -1;
	accessor = accessor_at(data, *number);
	accessor->is_input = true;
	accessor->like = first;
	accessor->low = time[0];
	accessor->high = time[n - 1];
	return anim_map_put(&data->inputs, hash, "", 0, *number, error);
}

const uint8_t *gltf_out_data_read(struct gltf_out_data *data, uint64_t place, size_t most, size_t *size,
				  struct anim_error *error)
{
	uint64_t in_memory = data->spool.memory.size, end = anim_spool_size(&data->spool);

	if (place < in_memory)
		end = in_memory;
	*size = end - place < most ? (size_t)(end - place) : most;
	return anim_spool_read(&data->spool, place, *size, error);
}

void gltf_out_data_clear(struct gltf_out_data *data)
{
	anim_spool_clear(&data->spool);
	anim_buffer_clear(&data->accessors);
	anim_map_clear(&data->inputs);
}
