/*
 * fuzz_bvh.c: any bytes are refused with a message and a place, or read as BVH, the same with a store in memory and in a file;
 * what was read is written, and reads back and is written the same, with the other axis up too.
 */
#include "format/bvh/bvh.h"
#include "fuzz.h"
#include "stream/stream.h"

/* Reads the file into the sink (owned) and ends it. 0, or -1 with the error. */
static int read_into(struct anim_sink *sink, const uint8_t *data, size_t size, size_t memory, bool z_up,
		     struct anim_error *error)
{
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options options = {
	    .store_memory = memory, .diagnostics = &diagnostics, .bvh = {.unit_option = "--unit", .z_up = z_up}};
	struct anim_input *input = NULL;
	int result;

	DEMAND(sink != NULL && anim_input_open_memory(&input, data, size, "x.bvh", error) == 0);
	result = anim_bvh_read(input, &options, sink, error);
	if (result == 0)
		result = anim_sink_end(sink, error);
	anim_sink_free(sink);
	anim_input_close(input);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

/* Reads a file that is right, and writes it. */
static struct anim_output *rewrite(const uint8_t *data, size_t size, size_t memory, bool z_up)
{
	struct anim_diagnostics diagnostics = {0};
	const struct anim_write_options options = {.store_memory = memory, .diagnostics = &diagnostics};
	struct anim_output *output;
	struct anim_error error = {0};

	DEMAND(anim_output_open_memory(&output, NULL) == 0);
	DEMAND(read_into(anim_bvh_writer_new(output, &options, &error), data, size, memory, z_up, &error) == 0);
	DEMAND(diagnostics.count == 0);
	anim_diagnostics_clear(&diagnostics);
	return output;
}

static bool same(const struct anim_output *a, const struct anim_output *b)
{
	size_t a_size, b_size;
	const uint8_t *a_bytes = anim_output_memory(a, &a_size), *b_bytes = anim_output_memory(b, &b_size);

	return a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0;
}

static void check_written(const uint8_t *data, size_t size)
{
	struct anim_output *first = rewrite(data, size, 1 << 20, false), *again, *turned;
	const uint8_t *bytes;

	bytes = anim_output_memory(first, &size);
	again = rewrite(bytes, size, 0, false);
	turned = rewrite(bytes, size, 1 << 20, true);
	DEMAND(same(first, again) && same(first, turned));
	anim_output_free(first);
	anim_output_free(again);
	anim_output_free(turned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct anim_stream_writer_options plain;
	struct anim_output *outputs[2];
	struct anim_error errors[2] = {{0}, {0}};
	int results[2];

	if (is_gzip(data, size))
		return 0;
	for (int i = 0; i < 2; i++) {
		DEMAND(anim_output_open_memory(&outputs[i], NULL) == 0);
		results[i] = read_into(anim_stream_writer_new(outputs[i], &plain, &errors[i]), data, size,
				       i == 0 ? 1 << 20 : 0, false, &errors[i]);
	}
	DEMAND(results[0] == results[1]);
	if (results[0] == 0) {
		DEMAND(same(outputs[0], outputs[1]));
		check_stream(outputs[0]);
		check_written(data, size);
	} else {
		DEMAND(errors[0].message[0] != '\0' && errors[0].file[0] != '\0' && errors[0].line > 0);
		DEMAND(strcmp(errors[0].message, errors[1].message) == 0 && errors[0].column == errors[1].column);
	}
	anim_output_free(outputs[0]);
	anim_output_free(outputs[1]);
	return 0;
}
