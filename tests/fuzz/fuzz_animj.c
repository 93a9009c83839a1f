/*
 * fuzz_animj.c: any bytes are refused with a message and a place, or read as AnimJ: to the same stream by templates, by
 * tokens, and byte by byte. The stream reads back.
 */
#include <stdint.h>
#include <stdlib.h>

#include "../animj_reading.h"
#include "../recode.h"

#define NARROW_MAX 4096 /* bytes of input that are also read one by one */

#define DEMAND(condition)         \
	do {                      \
		if (!(condition)) \
			abort();  \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_stream(const struct anim_output *output)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct animj_reading readings[ANIMJ_WAYS];
	int ways = size <= NARROW_MAX ? ANIMJ_WAYS : BY_BYTES;

	if (size >= 2 && data[0] == 0x1f && data[1] == 0x8b)
		return 0; /* gzip: its inflation is the input's business, and a tiny file may become a huge one */
	for (int way = 0; way < ways; way++) {
		struct animj_reading *reading = &readings[way];

		DEMAND(animj_reading_do(reading, (enum animj_way)way, data, size));
		DEMAND(reading->result == 0 || (reading->error.code != ANIM_OK && reading->error.message[0] != '\0'));
		DEMAND(animj_reading_same(&readings[0], reading, (enum animj_way)way));
	}
	if (readings[0].result == 0)
		check_stream(readings[0].output);
	for (int way = 0; way < ways; way++)
		animj_reading_clear(&readings[way]);
	return 0;
}
