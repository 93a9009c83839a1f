/*
 * fuzz_stream.c: any bytes are refused with a message and a place, or read; what was read is written, reads back, and is
 * then written with the same bytes; a store gives it back.
 */
#include "crcs.h"
#include "fuzz.h"
#include "stream/store.h"

static void check_store(const uint8_t *data, size_t size)
{
	struct anim_error error = {0};
	struct anim_store *store = anim_store_new(4096, &error);
	struct anim_track track;

	DEMAND(store != NULL);
	DEMAND(pump_bytes(data, size, anim_store_sink(store), &error) == 0);
	for (size_t clip = 0; clip < anim_store_clips(store); clip++)
		for (size_t i = 0; i < anim_store_tracks(store, clip); i++) {
			DEMAND(anim_store_read(store, clip, i, &track, &error) == 0);
			DEMAND(anim_track_validate(&track, &error) == 0);
		}
	anim_store_free(store);
}

static void check(const uint8_t *data, size_t size)
{
	struct anim_error error = {0};
	struct anim_output *first, *second;
	const uint8_t *a, *b;
	size_t a_size, b_size;

	DEMAND(anim_output_open_memory(&first, NULL) == 0 && anim_output_open_memory(&second, NULL) == 0);
	if (rewrite_bytes(data, size, NULL, true, first, &error) == 0) {
		a = anim_output_memory(first, &a_size);
		DEMAND(rewrite_bytes(a, a_size, NULL, true, second, &error) == 0);
		b = anim_output_memory(second, &b_size);
		DEMAND(a_size == b_size && memcmp(a, b, a_size) == 0);
		check_store(data, size);
	} else {
		DEMAND(error.code != ANIM_OK && error.message[0] != '\0');
	}
	anim_output_free(first);
	anim_output_free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *right;

	check(data, size);
	right = with_crcs(data, size);
	check(right, size);
	free(right);
	return 0;
}
