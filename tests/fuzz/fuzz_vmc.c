/*
 * fuzz_vmc.c: a take of the VMC protocol. It is refused with a message or gives a valid stream, which is the same with a store in
 * memory and in a file. The stream becomes a take, which is read again.
 */
#include "filter/convert/convert.h"
#include "format/vmc/vmc.h"
#include "fuzz.h"
#include "stream/store.h"
#include "stream/stream.h"

/* Read the take into the output. Return 0, or -1 with the error. */
static int read_into(struct anim_output *output, const uint8_t *data, size_t size, size_t memory,
		     struct anim_error *error)
{
	static const struct anim_stream_writer_options plain;
	struct anim_diagnostics diagnostics = {0};
	const struct anim_read_options options = {
	    .store_memory = memory, .diagnostics = &diagnostics, .no_external = true};
	struct anim_sink *writer = anim_stream_writer_new(output, &plain, error);
	struct anim_input *input = NULL;
	int result;

	DEMAND(writer != NULL && anim_input_open_memory(&input, data, size, "x", error) == 0);
	result = anim_vmc_read(input, &options, writer, error);
	if (result == 0)
		result = anim_sink_end(writer, error);
	anim_sink_free(writer);
	anim_input_close(input);
	anim_diagnostics_clear(&diagnostics);
	return result;
}

/* Write the stream as a take. Return 0, or -1 with the error. */
static int write_take(const struct anim_output *stream, size_t memory, struct anim_output *output,
		      struct anim_error *error)
{
	struct anim_diagnostics diagnostics = {0};
	const struct anim_write_options options = {
	    .store_memory = memory, .diagnostics = &diagnostics, .one_packet = memory == 0};
	struct anim_sink *writer = anim_vmc_writer_new(output, &options, error);
	struct anim_sink *convert = anim_convert_new(&anim_vmc_caps, 1e-3, false, &diagnostics, writer, error);
	size_t size;
	const uint8_t *bytes = anim_output_memory(stream, &size);
	int result;

	DEMAND(writer != NULL && convert != NULL);
	result = pump_bytes(bytes, size, convert, error);
	anim_sink_free(convert);
	anim_diagnostics_clear(&diagnostics);
	DEMAND(result == 0 || error->message[0] != '\0');
	return result;
}

#define FRAMES_MOST 2000

/* Return whether the clip has few frames, so that writing them takes little time. */
static bool is_short(const struct anim_output *stream)
{
	struct anim_error error = {0};
	struct anim_store *store = anim_store_new(1 << 20, &error);
	const struct anim_clip *clip;
	const uint8_t *bytes;
	double rate;
	size_t size;
	bool is;

	bytes = anim_output_memory(stream, &size);
	DEMAND(store != NULL && pump_bytes(bytes, size, anim_store_sink(store), &error) == 0);
	clip = anim_store_clip(store, 0);
	rate = clip->rate_num > 0 ? (double)clip->rate_num / (double)clip->rate_den : 30;
	is = (double)(clip->end_s - clip->start_s) * rate < FRAMES_MOST;
	anim_store_free(store);
	return is;
}

/* A take that is written is read again, with datagrams of each size. */
static void check_take(const struct anim_output *stream)
{
	for (size_t memory = 0; memory <= 1 << 20; memory += 1 << 20) {
		struct anim_output *outputs[2];
		struct anim_error error = {0};
		size_t size;

		for (int i = 0; i < 2; i++)
			DEMAND(anim_output_open_memory(&outputs[i], NULL) == 0);
		if (write_take(stream, memory, outputs[0], &error) == 0) {
			const uint8_t *bytes = anim_output_memory(outputs[0], &size);

			DEMAND(read_into(outputs[1], bytes, size, memory, &error) == 0);
		}
		for (int i = 0; i < 2; i++)
			anim_output_free(outputs[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct anim_output *outputs[2];
	struct anim_error errors[2] = {{0}, {0}};
	size_t sizes[2];
	int results[2];

	if (is_gzip(data, size))
		return 0;
	for (int i = 0; i < 2; i++) {
		DEMAND(anim_output_open_memory(&outputs[i], NULL) == 0);
		results[i] = read_into(outputs[i], data, size, i == 0 ? 1 << 20 : 0, &errors[i]);
	}
	DEMAND(results[0] == results[1]);
	if (results[0] == 0) {
		const uint8_t *a = anim_output_memory(outputs[0], &sizes[0]);
		const uint8_t *b = anim_output_memory(outputs[1], &sizes[1]);

		DEMAND(sizes[0] == sizes[1] && memcmp(a, b, sizes[0]) == 0);
		check_stream(outputs[0]);
		if (is_short(outputs[0]))
			check_take(outputs[0]);
	} else {
		DEMAND(errors[0].message[0] != '\0' && strcmp(errors[0].message, errors[1].message) == 0);
	}
	anim_output_free(outputs[0]);
	anim_output_free(outputs[1]);
	return 0;
}
