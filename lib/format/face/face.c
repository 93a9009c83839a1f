/* face.c: finds out which kind of file a face capture is, and reads it. */
#include "format/face/face.h"

#include <string.h>

#include "base/text.h"
#include "format/face/take.h"

#define SHAPES_LEAST 3 /* fewer names of shapes can be a coincidence */

/* Return the text after a byte order mark and blanks. */
static const char *skip_blanks(const char *at, const char *end)
{
	at = anim_bytes_begin(at, (size_t)(end - at), "\xef\xbb\xbf") ? at + 3 : at;
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
		at++;
	return at;
}

static bool is_json(const char *at, const char *end)
{
	return at < end && (*at == '[' || *at == '{');
}

/* glTF, AnimJ and JSON of anim-emit can also hold names of shapes. */
bool anim_face_is(const uint8_t *bytes, size_t size)
{
	const char *end = (const char *)bytes + size, *at = skip_blanks((const char *)bytes, end);

	if (!is_json(at, end))
		return face_table_shapes(at, (size_t)(end - at)) >= SHAPES_LEAST;
	if (anim_text_find(bytes, size, "\"asset\"") != NULL || anim_text_find(bytes, size, "\"tracks\"") != NULL ||
	    anim_text_find(bytes, size, "\"anim_json\"") != NULL)
		return false;
	return anim_text_find(bytes, size, "\"facsNames\"") != NULL ||
	       face_json_shapes(at, (size_t)(end - at)) >= SHAPES_LEAST;
}

int anim_face_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		   struct anim_error *error)
{
	struct face_take take;
	const uint8_t *at;
	ssize_t size = anim_input_peek(input, 4096, &at, error);
	const char *begin = (const char *)at, *end;
	int result = -1;

	face_take_init(&take, input, options, error);
	if (size >= 0) {
		end = begin + size;
		result = (is_json(skip_blanks(begin, end), end) ? face_json_read : face_table_read)(&take);
	}
	if (result == 0)
		result = face_take_push(&take, sink);
	if (result != 0)
		anim_error_in_file(error, anim_input_name(input));
	face_take_clear(&take);
	return result;
}
