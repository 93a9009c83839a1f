/* feed.c: the lines of a Unity text file, and the text of a document for libfyaml. */
#include "format/unity/feed.h"

#include <stdarg.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"

/* ---- Lines of the file ---- */

/* Maximum number of bytes at the start of a line that are examined to recognise it. */
#define LINE_START ((size_t)4096)

/* Fail at the line of the cursor. Returns -1. */
__attribute__((format(printf, 4, 5))) static int lines_fault(const struct unity_lines *lines, uint32_t column,
							     struct anim_error *error, const char *format, ...)
{
	struct anim_place place = {
	    .file = anim_input_name(lines->input), .at = ANIM_AT_LINE, .line = lines->line, .column = column};
	va_list arguments;

	va_start(arguments, format);
	anim_fail_va(error, ANIM_BAD_INPUT, &place, format, arguments);
	va_end(arguments);
	return -1;
}

int unity_lines_more(struct unity_lines *lines, size_t want, struct anim_error *error)
{
	size_t known = lines->left;
	ssize_t got;

	if (lines->window != NULL)
		anim_input_skip(lines->input, (size_t)(lines->at - lines->window));
	got = anim_input_peek(lines->input, want, &lines->window, error);
	lines->at = lines->window;
	if (got < 0) {
		lines->window = lines->at = NULL;
		lines->left = 0;
		lines->broken = true;
		return -1;
	}
	lines->left = (size_t)got;
	lines->all = lines->left < want;
	/* A NUL that was found before and not passed yet is still at the same distance. */
	if (lines->has_zero)
		known = 0;
	lines->zero = memchr(lines->at + known, 0, lines->left - known);
	lines->has_zero = lines->zero != NULL;
	return 0;
}

/* Refuse a NUL at the cursor or before `end`. Both are in the same line. */
static int check_zero(struct unity_lines *lines, const uint8_t *end, struct anim_error *error)
{
	if (!lines->has_zero || lines->zero >= end)
		return 0;
	lines->broken = true;
	return lines_fault(lines, 1, error,
			   "a NUL byte: the asset is binary or damaged; set Asset Serialization to Force Text in "
			   "Unity and save it again");
}

/* Return the end of the line at the cursor, after its line feed, or NULL if it is not in the window. */
static const uint8_t *line_end(struct unity_lines *lines)
{
	const uint8_t *feed = memchr(lines->at, '\n', lines->left), *at = lines->at;

	if (!lines->lone_cr)
		return feed == NULL ? NULL : feed + 1;
	at = memchr(at, '\r', feed == NULL ? lines->left : (size_t)(feed - at));
	if (at == NULL || at + 1 == feed)
		return feed == NULL ? NULL : feed + 1;
	/* The line feed of a carriage return at the end of the window may be in the next window. */
	return at + 1 == lines->at + lines->left && !lines->all ? NULL : at + 1;
}

/*
 * Return the length of the line at the cursor with its end, for lines that are examined. If only a part is in the
 * window, returns its length (at least LINE_START bytes), and *whole is false. Returns -1 for a NUL.
 */
static ptrdiff_t lines_length(struct unity_lines *lines, bool *whole, struct anim_error *error)
{
	const uint8_t *end = line_end(lines);

	if (end == NULL && !lines->all) {
		if (unity_lines_more(lines, lines->left + LINE_START, error) != 0)
			return -1;
		end = line_end(lines);
	}
	*whole = end != NULL || lines->all;
	if (end == NULL) {
		end = lines->at + lines->left;
		if (lines->lone_cr && !lines->all && end[-1] == '\r')
			end--;
	}
	if (check_zero(lines, end, error) != 0)
		return -1;
	return end - lines->at;
}

void unity_lines_pass(struct unity_lines *lines, size_t length, bool whole)
{
	lines->at += length;
	lines->left -= length;
	lines->line += whole && length > 0 && lines->line < UINT32_MAX;
}

int unity_lines_start(struct unity_lines *lines, struct anim_error *error)
{
	if (lines->left < LINE_START && !lines->all && unity_lines_more(lines, LINE_START, error) != 0)
		return -1;
	return lines->left > 0 && !lines->broken;
}

int unity_lines_skip(struct unity_lines *lines, struct anim_error *error)
{
	const uint8_t *end = line_end(lines);

	while (end == NULL && !lines->all) {
		size_t keep = lines->lone_cr && lines->left > 0; /* a carriage return at the end */

		if (check_zero(lines, lines->at + lines->left, error) != 0)
			return -1;
		unity_lines_pass(lines, lines->left - keep, false);
		if (unity_lines_more(lines, LINE_START, error) != 0)
			return -1;
		end = line_end(lines);
	}
	if (end == NULL)
		end = lines->at + lines->left;
	if (check_zero(lines, end, error) != 0)
		return -1;
	unity_lines_pass(lines, (size_t)(end - lines->at), true);
	return 0;
}

int unity_lines_check(struct unity_lines *lines, struct anim_error *error)
{
	const uint8_t *at = lines->at;

	if ((at[0] != '<' && at[0] != '=' && at[0] != '>') || lines->left < 7)
		return 0;
	for (int i = 1; i < 7; i++)
		if (at[i] != at[0])
			return 0;
	if (at[7] != ' ' && at[7] != '\n' && at[7] != '\r' && at[7] != '\0')
		return 0;
	lines->broken = true;
	return lines_fault(lines, 1, error, "an unresolved merge conflict; resolve it with the version control first");
}

bool unity_lines_are_document(const struct unity_lines *lines)
{
	const uint8_t *at = lines->at; /* the slack may be read */

	return at[0] == '-' && at[1] == '-' && at[2] == '-' &&
	       (at[3] == ' ' || at[3] == '\n' || at[3] == '\r' || at[3] == '\t' || at[3] == '\0');
}

/* ---- Text for libfyaml ---- */

#define PARTS_MAX 65536u                                  /* of a value in brackets (Unity writes three or four) */
#define SILENT_MAX ((uint64_t)ANIM_TEXT_MAX + (64 << 10)) /* a scalar, and the text around it */

static void note_jump(struct unity_feed *feed)
{
	size_t at = feed->jumped++ % UNITY_FEED_JUMPS;

	feed->jumps[at].given = feed->given;
	feed->jumps[at].line = feed->lines->line;
}

int unity_feed_begin(struct unity_feed *feed, struct unity_lines *lines, struct anim_error *error)
{
	*feed = (struct unity_feed){.lines = lines};
	if (unity_lines_skip(lines, error) != 0)
		return -1;
	note_jump(feed);
	return 0;
}

int unity_feed_leave(struct unity_feed *feed, struct anim_error *error)
{
	bool within = feed->taken > 0 ? !feed->whole : feed->in_line;

	unity_lines_pass(feed->lines, feed->taken, feed->whole);
	feed->taken = 0;
	feed->ended = true;
	return within && !feed->lines->broken ? unity_lines_skip(feed->lines, error) : 0;
}

void unity_feed_jumped(struct unity_feed *feed)
{
	feed->taken = 0;
	feed->nesting = (struct unity_nesting){0};
	note_jump(feed);
}

uint32_t unity_feed_line(const struct unity_feed *feed, uint32_t given)
{
	size_t entries = feed->jumped < UNITY_FEED_JUMPS ? feed->jumped : UNITY_FEED_JUMPS, at = 0;

	for (size_t i = 1; i <= entries; i++) {
		at = (feed->jumped - i) % UNITY_FEED_JUMPS;
		if (feed->jumps[at].given <= given)
			break;
	}
	return feed->jumps[at].line + (given - feed->jumps[at].given);
}

static void set_piece(struct unity_feed *feed, int piece, const void *text, size_t length)
{
	feed->pieces[piece].text = text;
	feed->pieces[piece].length = length;
}

/*
 * Return true for a bare " - " with nothing below it that belongs to it. libfyaml 0.7 refuses such an empty item in
 * some places.
 */
static bool is_empty_item(const struct unity_lines *lines, size_t length, size_t *dash)
{
	const uint8_t *at = lines->at;
	size_t i = 0, next;

	while (i < length && at[i] == ' ')
		i++;
	*dash = i;
	if (i == length || at[i] != '-')
		return false;
	for (i++; i < length; i++)
		if (at[i] != ' ' && at[i] != '\t' && at[i] != '\r' && at[i] != '\n')
			return false;
	for (next = 0; length + next < lines->left && at[length + next] == ' '; next++)
		;
	return next <= *dash && length + next < lines->left && at[length + next] != '\t' && at[length + next] != '\r' &&
	       at[length + next] != '\n' && at[length + next] != '#';
}

/* Return true at the end of the document: its end mark, or the line of the next document. */
static bool is_end(const struct unity_lines *lines)
{
	const uint8_t *at = lines->at;

	if (at[0] == '.' && at[1] == '.' && at[2] == '.')
		return at[3] == ' ' || at[3] == '\n' || at[3] == '\r' || at[3] == '\t' || at[3] == '\0';
	return unity_lines_are_document(lines);
}

/*
 * Prepare the next line, or the next piece of a long one. Returns 1, 0 at the end of the document, or -1 with
 * feed->error.
 */
static int next_line(struct unity_feed *feed)
{
	struct unity_lines *lines = feed->lines;
	const uint8_t *at, *end;
	ptrdiff_t got;
	size_t length, good, dash;
	int status;

	unity_lines_pass(lines, feed->taken, feed->whole);
	feed->taken = 0;
	status = unity_lines_start(lines, &feed->error);
	if (status <= 0)
		return status;
	if (!feed->in_line && is_end(lines))
		return 0;
	if (!feed->in_line && unity_lines_check(lines, &feed->error) != 0)
		return -1;
	got = lines_length(lines, &feed->whole, &feed->error);
	if (got < 0)
		return -1;
	length = (size_t)got;

	/*
	 * Refuse everything except UTF-8, because libfyaml 0.7 treats some other bytes as the end of the input. The end of
	 * a window may cut a character.
	 */
	good = anim_utf8_prefix(lines->at, length);
	if (good < length && (feed->whole || length - good >= 4 || good == 0))
		return lines_fault(lines, feed->in_line ? 1 : (uint32_t)good + 1, &feed->error,
				   "bytes that are not UTF-8");
	length = good;

	set_piece(feed, 1, "", 0);
	set_piece(feed, 2, "", 0);
	if (!feed->in_line && feed->whole && is_empty_item(lines, length, &dash)) {
		set_piece(feed, 0, lines->at, dash + 1);
		set_piece(feed, 1, " \"\"", 3);
		set_piece(feed, 2, lines->at + dash + 1, length - dash - 1);
	} else if (!feed->in_line && lines->left > 5 &&
		   (memcmp(lines->at, "%YAML", 5) == 0 || memcmp(lines->at, "%TAG ", 5) == 0)) {
		/* a directive becomes a comment */
		set_piece(feed, 0, "#", 1);
		set_piece(feed, 1, lines->at + 1, length - 1);
	} else {
		set_piece(feed, 0, lines->at, length);
	}
	feed->given += !feed->in_line;
	/* libfyaml also ends a line at a carriage return without a line feed. */
	end = lines->at + length;
	for (at = lines->at; !lines->lone_cr && (at = memchr(at, '\r', (size_t)(end - at))) != NULL;) {
		at++;
		feed->given += at < end && *at != '\n';
	}
	feed->in_line = !feed->whole;
	feed->taken = length;
	feed->silent += length;
	return 1;
}

enum nesting_state {
	AT_LINE,       /* in the blanks before the text of a line */
	AT_VALUE,      /* a node may begin */
	AT_DASH,       /* after a '-' or '?' */
	IN_PROPERTY,   /* in an anchor, a tag or an alias */
	IN_PLAIN,      /* in a text without quotes, which may be a key */
	AFTER_NODE,    /* after quotes and brackets */
	IN_REST,       /* in a comment, or a text that contains nothing relevant */
	AT_FLOW,       /* like AT_VALUE, but inside brackets */
	AT_COLON,      /* after a ':' that is a mark or begins a text */
	IN_FLOW_PLAIN, /* brackets still count in it */
	IN_FLOW_REST,
	IN_SINGLE,
	AFTER_SINGLE, /* after a quote that ends the text or is half of an escaped quote */
	IN_DOUBLE
};

static bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}

static void end_nesting_line(struct unity_nesting *at)
{
	if (at->state == AFTER_SINGLE)
		at->state = at->back;
	if (at->state == AT_FLOW || at->state == AT_COLON || at->state == IN_FLOW_REST)
		at->state = AT_FLOW;
	else if (at->state < AT_FLOW) {
		if (at->state == IN_PLAIN && at->before == ':')
			at->parent = at->start;
		if (at->state == AT_DASH)
			at->parent = at->column - 1;
		if (at->state != IN_REST && at->state != AT_LINE)
			at->continues = at->state == IN_PLAIN && at->before != ':';
		at->state = AT_LINE;
	}
	at->escaped = false;
	at->column = at->items = 0;
}

static void open_bracket(struct unity_nesting *at)
{
	at->depth++;
	at->json = false;
	at->state = AT_FLOW;
}

static void open_quote(struct unity_nesting *at, uint8_t c)
{
	at->back = at->depth == 0 ? AFTER_NODE : AT_FLOW;
	at->json = true;
	at->state = c == '"' ? IN_DOUBLE : IN_SINGLE;
}

/* Examine a byte that may begin a node, outside brackets. */
static void begin_node(struct unity_nesting *at, uint8_t c)
{
	if (is_blank(c))
		return;
	at->start = at->column;
	if (c == '-' || c == '?')
		at->state = AT_DASH;
	else if (c == '[' || c == '{')
		open_bracket(at);
	else if (c == '"' || c == '\'')
		open_quote(at, c);
	else if (c == '&' || c == '!' || c == '*')
		at->state = IN_PROPERTY;
	else if (c == '|' || c == '>')
		at->block_text = true;
	if (at->state == AT_VALUE)
		at->state =
		    at->block_text || (c == '#' && (at->column == 0 || is_blank(at->before))) ? IN_REST : IN_PLAIN;
}

static void begin_value(struct unity_nesting *at)
{
	at->parent = at->start;
	at->state = AT_VALUE;
}

/* Examine a byte inside brackets. In a plain text, only bytes that end it are relevant. */
static void pass_flow(struct unity_nesting *at, uint8_t c)
{
	bool plain = at->state == IN_FLOW_PLAIN;

	if (c == '[' || c == '{')
		open_bracket(at);
	else if (c == ']' || c == '}') {
		at->depth--;
		at->json = true;
		at->state = at->depth == 0 ? AFTER_NODE : AT_FLOW;
	} else if (c == ',' || (plain && is_blank(c) && at->before == ':')) {
		at->json = false;
		at->state = AT_FLOW;
	} else if (c == '#' && (at->column == 0 || is_blank(at->before)))
		at->state = IN_FLOW_REST;
	else if (plain || is_blank(c))
		return;
	else if (c == '"' || c == '\'')
		open_quote(at, c);
	else if (c != ':')
		at->state = IN_FLOW_PLAIN;
	else if (!at->json)
		at->state = AT_COLON;
	else
		at->json = false;
}

static void pass_byte(struct unity_nesting *at, uint8_t c)
{
	bool doubled = at->state == AFTER_SINGLE && c == '\'', blank = is_blank(c);

	/* Leave states that end only at the next byte, which is then examined again. */
	if (at->state == AT_LINE && c != ' ') {
		/* The continuation of a text does not belong to a node. */
		if ((at->continues || at->block_text) && at->column > at->parent) {
			at->continues = at->continues && c != '#';
			at->state = IN_REST;
		} else {
			at->continues = at->block_text = false;
			at->parent = at->column;
			at->state = AT_VALUE;
		}
	} else if (at->state == AFTER_SINGLE && c != '\'') {
		at->state = at->back;
	} else if (at->state == IN_PROPERTY && (blank || c == '[' || c == '{')) {
		at->state = AT_VALUE;
	} else if (at->state == AT_COLON) {
		at->state = blank || strchr(",[]{}", c) != NULL ? AT_FLOW : IN_FLOW_PLAIN;
	} else if (at->state == AT_DASH && blank) {
		at->items++;
		at->parent = at->column - 1;
		at->state = AT_VALUE;
	} else if (at->state == AT_DASH) {
		at->state = IN_PLAIN;
	}

	if (doubled)
		at->state = IN_SINGLE;
	else if (at->state == AT_VALUE)
		begin_node(at, c);
	else if (at->state == IN_PLAIN && blank && at->before == ':')
		begin_value(at);
	else if (at->state == IN_PLAIN && c == '#' && is_blank(at->before))
		at->state = IN_REST;
	else if (at->state == AFTER_NODE && c == ':')
		begin_value(at);
	else if (at->state == AFTER_NODE && !blank)
		at->state = c == '#' ? IN_REST : IN_PLAIN;
	else if (at->state == AT_FLOW || at->state == IN_FLOW_PLAIN)
		pass_flow(at, c);
	else if (at->state == IN_SINGLE && c == '\'')
		at->state = AFTER_SINGLE;
	else if (at->state == IN_DOUBLE && c == '"' && !at->escaped)
		at->state = at->back;
	at->escaped = at->state == IN_DOUBLE && c == '\\' && !at->escaped;
	at->before = c;
	at->column++;
}

/* Count the nesting of text before libfyaml reads it. Returns 0, or -1 with feed->error. */
static int count_nesting(struct unity_feed *feed, const uint8_t *text, size_t length)
{
	struct unity_nesting *at = &feed->nesting;

	for (size_t i = 0; i < length; i++) {
		uint8_t c = text[i];

		if (c == '\n' || c == '\r') {
			end_nesting_line(at);
			continue;
		}
		pass_byte(at, c);
		at->parts += at->depth > 0 && (c == ',' || c == '[' || c == '{');
		/* The limit is one lower because the object's own map is around all brackets. */
		if (at->depth < ANIM_NESTING_YAML && at->items <= ANIM_NESTING_YAML && at->parts <= PARTS_MAX)
			continue;
		if (at->parts > PARTS_MAX)
			lines_fault(feed->lines, at->column, &feed->error, "a value in brackets of more than %u parts",
				    PARTS_MAX);
		else
			lines_fault(feed->lines, at->column, &feed->error, "nested more than %d deep",
				    ANIM_NESTING_YAML);
		feed->error.code = ANIM_TOO_LARGE;
		return -1;
	}
	return 0;
}

/* Give text after counting its nesting. A failure is reported in `failed`. */
static ssize_t give(struct unity_feed *feed, char *to, size_t room)
{
	size_t given = 0;

	for (int i = 0; i < 3; i++) {
		size_t count = feed->pieces[i].length < room - given ? feed->pieces[i].length : room - given;

		if (count == 0)
			continue;
		memcpy(to + given, feed->pieces[i].text, count);
		feed->pieces[i].text += count;
		feed->pieces[i].length -= count;
		given += count;
	}
	feed->failed = count_nesting(feed, (const uint8_t *)to, given) != 0;
	return feed->failed ? 0 : (ssize_t)given;
}

ssize_t unity_feed_give(void *context, void *to, size_t room)
{
	struct unity_feed *feed = context;
	ssize_t given;
	int status;

	if (feed->failed || feed->ended)
		return 0; /* libfyaml asks for ever after a failure, so next_event checks `failed` */
	given = give(feed, to, room);
	if (given > 0 || room == 0 || feed->failed)
		return given;
	if (feed->silent > SILENT_MAX) {
		lines_fault(feed->lines, 1, &feed->error, "a value of more than %u bytes", ANIM_TEXT_MAX);
		feed->error.code = ANIM_TOO_LARGE;
		feed->failed = true;
		return 0;
	}
	status = next_line(feed);
	feed->failed = status < 0;
	feed->ended = status == 0;
	return status > 0 ? give(feed, to, room) : 0;
}

bool unity_feed_is_at(const struct unity_feed *feed, uint32_t given)
{
	return !feed->failed && !feed->ended && feed->whole && feed->given == given + 1 &&
	       feed->pieces[0].length == 0 && feed->pieces[1].length == 0 && feed->pieces[2].length == 0;
}

/* Return the length of "name:" in this column of the line at the cursor with its indent, or 0 if the line differs. */
static size_t name_in_column(const struct unity_lines *lines, uint32_t column)
{
	const uint8_t *at = lines->at;
	size_t length = 0;

	if (column + (size_t)2 >= lines->left || column >= LINE_START / 2)
		return 0;
	for (uint32_t i = 0; i < column; i++)
		if (at[i] != ' ')
			return 0;
	at += column;
	while (length < LINE_START / 4 &&
	       ((at[length] >= 'a' && at[length] <= 'z') || (at[length] >= 'A' && at[length] <= 'Z') ||
		(at[length] >= '0' && at[length] <= '9') || at[length] == '_'))
		length++;
	if (length == 0 || at[length] != ':')
		return 0;
	at += ++length;
	return *at == ' ' || *at == '\n' || *at == '\r' || *at == '\0' ? column + length : 0;
}

int unity_feed_skip(struct unity_feed *feed, uint32_t given, uint32_t column, struct anim_error *error)
{
	struct unity_lines *lines = feed->lines;
	size_t length = unity_feed_is_at(feed, given) ? name_in_column(lines, column) : 0;
	int status;

	if (length == 0)
		return 0;
	for (; length < feed->taken; length++)
		if (lines->at[length] != ' ' && lines->at[length] != '\r' && lines->at[length] != '\n')
			return 0;
	unity_lines_pass(lines, feed->taken, true);
	while ((status = unity_lines_start(lines, error)) > 0 && !is_end(lines) && name_in_column(lines, column) == 0)
		if (unity_lines_check(lines, error) != 0 || unity_lines_skip(lines, error) != 0)
			return -1;
	unity_feed_jumped(feed);
	return status < 0 ? -1 : 1;
}
