/* fuzz.h: what fuzz targets share: demands that end the run, and the check that a stream reads back. */
#ifndef ANIM_TESTS_FUZZ_H
#define ANIM_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../recode.h"

#define NARROW_MAX 4096 /* bytes of input that are also read one by one */

#define DEMAND(condition)         \
	do {                      \
		if (!(condition)) \
			abort();  \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Gzip is left to the input's own tests: a tiny file may become a huge one. */
static inline bool is_gzip(const uint8_t *data, size_t size)
{
	return size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
}

/* The stream reads back, and encoded anew it has the same bytes. */
static inline void check_stream(const struct anim_output *output)
{
	struct anim_output *again;
	struct anim_error error = {0};
	const uint8_t *bytes, *copy;
	size_t size, copy_size;

	bytes = anim_output_memory(output, &size);
	DEMAND(anim_output_open_memory(&again, NULL) == 0);
	DEMAND(rewrite_bytes(bytes, size, NULL, true, again, &error) == 0);
	copy = anim_output_memory(again, &copy_size);
	DEMAND(size == copy_size && memcmp(bytes, copy, size) == 0);
	anim_output_free(again);
}

#endif
