/* image.c: the size of an image, from the first bytes of its file. */
#include "base/image.h"

#include <string.h>

static uint32_t number_at(const uint8_t *at, unsigned bytes, bool little)
{
	uint32_t number = 0;

	for (unsigned i = 0; i < bytes; i++)
		number = number << 8 | at[little ? bytes - 1 - i : i];
	return number;
}

/*
 * A JPEG is a list of segments: 0xFF, a marker, two bytes of length (which count themselves). The frame has markers
 * 0xC0 to 0xCF except 0xC4, 0xC8 and 0xCC, and has the height at byte 5 and the width at byte 7.
 */
static const uint8_t *jpeg_frame(const uint8_t *at, const uint8_t *end)
{
	for (at += 2; end - at >= 9 && at[0] == 0xFF;) {
		uint8_t marker = at[1];
		uint32_t length = number_at(at + 2, 2, false);

		if (marker == 0xFF) { /* a fill byte */
			at++;
			continue;
		}
		if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC)
			return at;
		if (marker < 0xC0 || (marker >= 0xD0 && marker <= 0xDA) || length < 2 ||
		    (size_t)(end - at) - 2 < length)
			return NULL; /* the picture begins without a frame, or the segment is cut */
		at += 2 + length;
	}
	return NULL;
}

bool anim_image_size(const void *bytes, size_t count, uint32_t size[2])
{
	static const struct {
		const char *magic;
		unsigned magic_size, width, height, bytes;
		bool little;
	} heads[] = {{"\x89PNG\r\n\x1A\n", 8, 16, 20, 4, false},
		     {"GIF8", 4, 6, 8, 2, true},
		     {"BM", 2, 18, 22, 4, true},
		     {"8BPS", 4, 18, 14, 4, false}};
	const uint8_t *head = bytes;

	size[0] = size[1] = 0;
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (count >= 26 && memcmp(head, heads[i].magic, heads[i].magic_size) == 0) {
			size[0] = number_at(head + heads[i].width, heads[i].bytes, heads[i].little);
			size[1] = number_at(head + heads[i].height, heads[i].bytes, heads[i].little);
			if (head[0] == 'B' && size[1] > INT32_MAX) /* a BMP with its first row at the top */
				size[1] = -size[1];
		}
	if (count >= 4 && memcmp(head, "\xFF\xD8\xFF", 3) == 0 && (head = jpeg_frame(head, head + count)) != NULL) {
		size[0] = number_at(head + 7, 2, false);
		size[1] = number_at(head + 5, 2, false);
	}
	return size[0] > 0 && size[1] > 0 && size[0] <= INT32_MAX && size[1] <= INT32_MAX;
}
