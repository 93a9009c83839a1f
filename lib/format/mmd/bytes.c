/* bytes.c: reading bytes of a file, with a message if it is too short. */
#include "format/mmd/bytes.h"

int mmd_fail(struct mmd_bytes *bytes, const char *format, ...)
{
	struct anim_place place = {
	    .file = anim_input_name(bytes->input), .at = ANIM_AT_BYTE, .offset = anim_input_offset(bytes->input)};
	va_list arguments;

	va_start(arguments, format);
	anim_fail_va(bytes->error, ANIM_BAD_INPUT, &place, format, arguments);
	va_end(arguments);
	return -1;
}

const uint8_t *mmd_read(struct mmd_bytes *bytes, size_t count)
{
	const uint8_t *at;
	ssize_t got = anim_input_peek(bytes->input, count, &at, bytes->error);

	if (got < 0)
		return NULL;
	if ((size_t)got < count) {
		anim_input_skip(bytes->input, (size_t)got);
		mmd_fail(bytes, "the file ends inside %s", bytes->part);
		return NULL;
	}
	anim_input_skip(bytes->input, count);
	return at;
}

int mmd_skip(struct mmd_bytes *bytes, uint64_t count)
{
	while (count > 0) {
		const uint8_t *at;
		ssize_t got = anim_input_peek(bytes->input, 1, &at, bytes->error);

		if (got < 0)
			return -1;
		if (got == 0)
			return mmd_fail(bytes, "the file ends inside %s", bytes->part);
		count -= anim_input_pass(bytes->input, count);
	}
	return 0;
}

int mmd_more(struct mmd_bytes *bytes)
{
	const uint8_t *at;
	ssize_t got = anim_input_peek(bytes->input, 1, &at, bytes->error);

	return got < 0 ? -1 : got > 0;
}
