/* take.c: the datagrams of a take and the times of their arrival. */
#include "base/text.h"
#include "format/vmc/vmc.h"

#define MAGIC_SIZE (sizeof ANIM_VMC_MAGIC - 1)

void anim_vmc_head_write(uint8_t head[ANIM_VMC_HEAD], uint64_t time_ns, uint32_t size)
{
	for (unsigned i = 0; i < 8; i++)
		head[i] = (uint8_t)(time_ns >> (8 * i));
	for (unsigned i = 0; i < 4; i++)
		head[8 + i] = (uint8_t)(size >> (8 * i));
}

static uint64_t get_number(const uint8_t *at, unsigned bytes)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < bytes; i++)
		number |= (uint64_t)at[i] << (8 * i);
	return number;
}

static int fail_here(const struct anim_input *input, const char *text, struct anim_error *error)
{
	const struct anim_place place = {
	    .file = anim_input_name(input), .at = ANIM_AT_BYTE, .offset = anim_input_offset(input)};

	anim_fail_at(error, ANIM_BAD_INPUT, &place, "%s", text);
	return anim_input_name_error(input, error);
}

int anim_vmc_fail_cut(const struct anim_input *input, struct anim_error *error)
{
	return fail_here(input, ANIM_VMC_CUT, error);
}

int anim_vmc_next(struct anim_input *input, struct anim_vmc_datagram *datagram, struct anim_error *error)
{
	const uint8_t *at;
	uint64_t time_ns, size;
	ssize_t got;

	if (!datagram->has_begun) {
		got = anim_input_peek(input, MAGIC_SIZE, &at, error);
		if (got < 0)
			return -1;
		if (!anim_bytes_begin(at, (size_t)got, ANIM_VMC_MAGIC))
			return fail_here(input, "not a take of VMC, which begins with " ANIM_VMC_MAGIC, error);
		datagram->has_begun = true;
		anim_input_skip(input, MAGIC_SIZE);
	} else {
		anim_input_skip(input, ANIM_VMC_HEAD + datagram->size);
	}
	datagram->size = 0;
	got = anim_input_peek(input, ANIM_VMC_HEAD, &at, error);
	datagram->is_cut = got > 0;
	if (got < (ssize_t)ANIM_VMC_HEAD)
		return got < 0 ? -1 : 0;
	time_ns = get_number(at, 8);
	size = get_number(at + 8, 4);
	if (size > ANIM_VMC_DATAGRAM_MAX)
		return fail_here(input, "a datagram of more than 65535 bytes", error);
	if (time_ns < datagram->time_ns || time_ns > UINT64_MAX / 4)
		return fail_here(
		    input, "a datagram before the one that precedes it, or after more than a hundred years", error);
	got = anim_input_peek(input, ANIM_VMC_HEAD + (size_t)size, &at, error);
	if (got < (ssize_t)(ANIM_VMC_HEAD + size))
		return got < 0 ? -1 : 0;
	datagram->is_cut = false;
	datagram->time_ns = time_ns;
	datagram->bytes = at + ANIM_VMC_HEAD;
	datagram->size = (size_t)size;
	return 1;
}
