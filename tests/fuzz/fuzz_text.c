/*
 * fuzz_text.c: any bytes are refused with a message, or read as the text of anim-dump or of anim-emit json: from memory and
 * byte by byte to the same stream, whose text is read back to that stream.
 */
#include <stdint.h>
#include <stdlib.h>

#include "../text_reading.h"

#define NARROW_MAX 4096 /* bytes of input that are also read one by one */

#define DEMAND(condition)         \
	do {                      \
		if (!(condition)) \
			abort();  \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The text of the stream is the stream's. One without tree and clip has no JSON. */
static void check_text(enum text_kind kind, const struct anim_output *stream)
{
	struct anim_output *text = NULL, *again = NULL;
	struct anim_error error = {0};
	const uint8_t *bytes;
	size_t size;

	bytes = anim_output_memory(stream, &size);
	if (text_of_stream(kind, bytes, size, &text, &error) == 0) {
		bytes = anim_output_memory(text, &size);
		DEMAND(stream_of_text(kind, bytes, size, false, &again, &error) == 0);
		DEMAND(same_memory(stream, again));
		anim_output_free(again);
	} else {
		DEMAND(kind == TEXT_JSON);
	}
	anim_output_free(text);
}

static void check(enum text_kind kind, const uint8_t *data, size_t size)
{
	struct anim_output *whole = NULL, *narrow = NULL;
	struct anim_error error = {0}, narrow_error = {0};
	int result = stream_of_text(kind, data, size, false, &whole, &error);

	DEMAND(result == 0 || (error.code != ANIM_OK && error.message[0] != '\0'));
	if (size <= NARROW_MAX) {
		DEMAND(stream_of_text(kind, data, size, true, &narrow, &narrow_error) == result);
		DEMAND(error.line == narrow_error.line && error.column == narrow_error.column);
		DEMAND(strcmp(error.message, narrow_error.message) == 0);
		anim_output_free(narrow);
	}
	if (result == 0)
		check_text(kind, whole);
	anim_output_free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= 2 && data[0] == 0x1f && data[1] == 0x8b)
		return 0; /* gzip: its inflation is the input's business, and a tiny file may become a huge one */
	check(TEXT_DUMP, data, size);
	check(TEXT_JSON, data, size);
	return 0;
}
