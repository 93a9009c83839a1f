/* reader_text.c: windows of a JSON text, places in it, and how its strings and numbers are spelled. */
#include "format/animj/reader_text.h"

#include <string.h>

#include "base/limits.h"
#include "base/text.h"

#define VALUE_MAX ((size_t)256 << 20) /* bytes of one value that is held; longer than any string with all escapes */
#define BLOCK 64

void animj_text_init(struct animj_text *text, struct anim_input *input)
{
	*text = (struct animj_text){.input = input, .line = 1};
}

void animj_text_init_inside(struct animj_text *text, struct anim_input *input, const struct anim_place *place)
{
	*text = (struct animj_text){.input = input, .line = place->line, .line_start = 1 - (uint64_t)place->column};
}

/* Blocks of a constant size are what the compiler vectorises. */
size_t animj_count_lines(const uint8_t *at, size_t size)
{
	size_t count = 0;

	for (; size >= BLOCK; size -= BLOCK, at += BLOCK) {
		uint8_t some = 0;

		for (size_t i = 0; i < BLOCK; i++)
			some = (uint8_t)(some + (at[i] == '\n'));
		count += some;
	}
	for (; size > 0; size--)
		count += *at++ == '\n';
	return count;
}

/* Counts the lines up to the cursor. */
static void count_to_cursor(struct animj_text *text)
{
	const uint8_t *from = text->window + (text->counted - text->offset), *newline;
	size_t size = (size_t)(text->at - from), lines = size > 0 ? animj_count_lines(from, size) : 0;

	if (lines > 0) {
		newline = anim_byte_last(from, size, '\n');
		text->line += (uint32_t)lines;
		text->line_start = text->offset + (uint64_t)(newline + 1 - text->window);
	}
	text->counted += size;
}

void animj_place(struct animj_text *text, struct anim_place *place)
{
	uint64_t offset = text->offset + (uint64_t)(text->at - text->window);

	if (text->window != NULL)
		count_to_cursor(text);
	*place = (struct anim_place){.file = anim_input_name(text->input),
				     .at = ANIM_AT_LINE,
				     .line = text->line,
				     .column = (uint32_t)(offset - text->line_start + 1),
				     .offset = offset};
}

ssize_t animj_more(struct animj_text *text, size_t want, struct anim_error *error)
{
	const uint8_t *window;
	ssize_t got;

	if (text->window != NULL) {
		count_to_cursor(text);
		anim_input_skip(text->input, (size_t)(text->at - text->window));
		text->offset += (uint64_t)(text->at - text->window);
		text->window = text->at;
	}
	got = anim_input_peek(text->input, want, &window, error);
	if (got < 0)
		return -1;
	text->window = text->at = window;
	text->end = window + got;
	return got;
}

static inline bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

int animj_blank(struct animj_text *text, struct anim_error *error)
{
	int byte;

	do {
		while (text->at < text->end && is_blank(*text->at))
			text->at++;
		byte = animj_byte(text, error);
	} while (byte >= 0 && is_blank((uint8_t)byte));
	return byte;
}

/* What animj_take_text knows of the value it passes over. */
struct span {
	size_t depth, levels; /* as many as there may be */
	bool in_string, escaped, begun;
};

/* The end of what belongs to the value; *done where the value ends there or is nested too deep. */
static const uint8_t *pass_over(struct span *span, const uint8_t *at, const uint8_t *end, bool *done)
{
	*done = false;
	for (; at < end; at++) {
		if (span->in_string) {
			span->in_string = span->escaped || *at != '"';
			span->escaped = !span->escaped && *at == '\\';
		} else if (*at == '"') {
			span->in_string = span->begun = true;
			continue;
		} else if (*at == '{' || *at == '[') {
			*done = ++span->depth > span->levels;
			if (*done)
				return at + 1;
		} else if (span->depth == 0 && (*at == ',' || *at == ']' || *at == '}' || is_blank(*at))) {
			*done = true;
			return at;
		} else if ((*at == '}' || *at == ']') && --span->depth == 0) {
			*done = true;
			return at + 1;
		}
		if (span->begun && !span->in_string && span->depth == 0) {
			*done = true; /* a string alone */
			return at + 1;
		}
	}
	return at;
}

/* Makes True and False, which Python prints and Resonite's own pages show, what JSON has. */
static void lower_capitals(uint8_t *at, size_t size, size_t *capitals)
{
	bool in_string = false;

	for (size_t i = 0; i < size; i++) {
		if (at[i] == '"')
			in_string = !in_string;
		else if (in_string && at[i] == '\\')
			i++;
		else if (!in_string && ((size - i >= 4 && memcmp(at + i, "True", 4) == 0) ||
					(size - i >= 5 && memcmp(at + i, "False", 5) == 0))) {
			at[i] |= 0x20;
			++*capitals;
		}
	}
}

/* What is nested too deep is not read to its end: jsmn would look for the partner of each bracket among all of them. */
int animj_take_text(struct animj_text *text, struct anim_buffer *buffer, unsigned depth, size_t *capitals,
		    struct anim_error *error)
{
	struct span span = {.levels = ANIM_NESTING_JSON - depth};
	size_t before = buffer->size;
	bool done = false;

	while (!done) {
		int byte = animj_byte(text, error);
		const uint8_t *end;

		if (byte == ANIMJ_ERROR)
			return -1;
		if (byte == ANIMJ_END)
			break;
		end = pass_over(&span, text->at, text->end, &done);
		if (anim_buffer_append(buffer, text->at, (size_t)(end - text->at), error) != 0)
			return -1;
		text->at = end;
		if (buffer->size - before > VALUE_MAX)
			return anim_fail(error, ANIM_TOO_LARGE, "a value of more than %zu bytes", VALUE_MAX);
	}
	if (!done && (span.depth > 0 || span.in_string))
		return ANIMJ_CUT;
	if (buffer->size > before)
		lower_capitals(buffer->data + before, buffer->size - before, capitals);
	return span.depth > span.levels ? ANIMJ_DEEP : 0;
}

static const uint8_t *digits(const uint8_t *at, const uint8_t *end)
{
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return at;
}

/* RFC 8259, section 6. */
const uint8_t *animj_number_end(const uint8_t *at, const uint8_t *end)
{
	const uint8_t *from;

	at += at < end && *at == '-';
	from = at;
	at = digits(at, end);
	if (at == from || (*from == '0' && at - from > 1))
		return NULL;
	if (at < end && *at == '.') {
		from = ++at;
		at = digits(at, end);
		if (at == from)
			return NULL;
	}
	if (at < end && (*at == 'e' || *at == 'E')) {
		at++;
		at += at < end && (*at == '+' || *at == '-');
		from = at;
		at = digits(at, end);
		if (at == from)
			return NULL;
	}
	return at;
}
