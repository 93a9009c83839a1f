/*
 * fuzz_animj.c: any bytes are refused with a message and a place, or read as AnimJ: to the same stream by templates, by
 * tokens, and byte by byte. The stream reads back.
 */
#include "../animj_reading.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct animj_reading readings[ANIMJ_WAYS];
	int ways = size <= NARROW_MAX ? ANIMJ_WAYS : BY_BYTES;

	if (is_gzip(data, size))
		return 0;
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
