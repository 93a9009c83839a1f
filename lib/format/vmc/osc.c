/* osc.c: packets of Open Sound Control 1.0. All numbers are big-endian, and all parts begin at multiples of four bytes. */
#include "format/vmc/osc.h"

#include <string.h>

static uint32_t get_u32(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | (uint32_t)at[3];
}

/* Read a text with its NUL and padding. Return NULL if it does not end. */
static const char *read_text(const uint8_t **at, const uint8_t *end)
{
	const uint8_t *text = *at, *nul = memchr(text, 0, (size_t)(end - text));
	size_t size;

	if (nul == NULL)
		return NULL;
	size = ((size_t)(nul - text) + 4) & ~(size_t)3;
	if (size > (size_t)(end - text))
		return NULL;
	*at += size;
	return (const char *)text;
}

static int read_packet(const uint8_t *at, const uint8_t *end, unsigned depth,
		       int (*message)(void *context, struct vmc_osc *), void *context, bool *damaged)
{
	struct vmc_osc osc = {.types = "", .end = end};
	int result = 0;

	if (end - at >= (ptrdiff_t)VMC_OSC_BUNDLE && memcmp(at, "#bundle", 8) == 0) {
		*damaged |= depth >= VMC_OSC_DEPTH;
		for (at += VMC_OSC_BUNDLE; at < end && !*damaged && result == 0;) {
			uint32_t size = end - at < 4 ? UINT32_MAX : get_u32(at);

			if (size > (size_t)(end - at) - 4 || size % 4 != 0) {
				*damaged = true;
			} else {
				result = read_packet(at + 4, at + 4 + size, depth + 1, message, context, damaged);
				at += 4 + size;
			}
		}
		return result;
	}
	osc.address = read_text(&at, end);
	if (osc.address == NULL || osc.address[0] != '/') {
		*damaged = true;
		return 0;
	}
	if (at < end && *at == ',') {
		osc.types = read_text(&at, end);
		if (osc.types == NULL) {
			*damaged = true;
			return 0;
		}
		osc.types++;
	}
	osc.at = at;
	return message(context, &osc);
}

int vmc_osc_read(const uint8_t *packet, size_t size, int (*message)(void *context, struct vmc_osc *), void *context,
		 bool *damaged)
{
	*damaged = false;
	return read_packet(packet, packet + size, 0, message, context, damaged);
}

bool vmc_osc_string(struct vmc_osc *osc, const char **text)
{
	if (osc->types[0] != 's' || (*text = read_text(&osc->at, osc->end)) == NULL)
		return false;
	osc->types++;
	return true;
}

bool vmc_osc_float(struct vmc_osc *osc, float *value)
{
	uint32_t bits;

	if (osc->types[0] != 'f' || osc->end - osc->at < 4)
		return false;
	bits = get_u32(osc->at);
	memcpy(value, &bits, sizeof *value);
	osc->types++;
	osc->at += 4;
	return true;
}

/* ---- Writing ---- */

static int append_u32(struct anim_buffer *out, uint32_t number, struct anim_error *error)
{
	const uint8_t bytes[4] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8),
				  (uint8_t)number};

	return anim_buffer_append(out, bytes, sizeof bytes, error);
}

static int append_text(struct anim_buffer *out, const char *text, struct anim_error *error)
{
	size_t length = strlen(text);

	return anim_buffer_append(out, text, length, error) != 0
		   ? -1
		   : anim_buffer_append(out, "\0\0\0", 4 - length % 4, error);
}

int vmc_osc_append(struct anim_buffer *bundle, const struct vmc_osc_out *message, struct anim_error *error)
{
	size_t place = bundle->size, size;
	char types[16] = ",", *type = types + 1;
	uint32_t bits;

	if (message->text != NULL)
		*type++ = 's';
	for (size_t i = 0; i < message->count; i++)
		*type++ = 'f';
	if (message->has_int)
		*type = 'i';
	if (append_u32(bundle, 0, error) != 0 || append_text(bundle, message->address, error) != 0 ||
	    append_text(bundle, types, error) != 0 ||
	    (message->text != NULL && append_text(bundle, message->text, error) != 0))
		return -1;
	for (size_t i = 0; i < message->count; i++) {
		memcpy(&bits, &message->values[i], sizeof bits);
		if (append_u32(bundle, bits, error) != 0)
			return -1;
	}
	if (message->has_int && append_u32(bundle, message->number, error) != 0)
		return -1;
	size = bundle->size - place - 4;
	for (int i = 0; i < 4; i++)
		bundle->data[place + (size_t)i] = (uint8_t)(size >> (24 - 8 * i));
	return 0;
}

int vmc_osc_begin(struct anim_buffer *bundle, struct anim_error *error)
{
	static const uint8_t head[VMC_OSC_BUNDLE] = "#bundle\0\0\0\0\0\0\0\0\1";

	bundle->size = 0;
	return anim_buffer_append(bundle, head, sizeof head, error);
}
