/* reader_json.c: jsmn over whole values, and the check of everything that it lets through. */
#include <assert.h>
#include <jsmn.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "format/animj/reader_json.h"

#define TOKENS_FIRST ((size_t)1024)
#define TOKENS_MAX ((size_t)1 << 20) /* of one batch: 20 MB */

static const jsmntok_t *token_at(const struct animj_json *json, size_t token)
{
	return (const jsmntok_t *)json->tokens.data + token;
}

struct animj_token animj_token(const struct animj_json *json, size_t token)
{
	static const enum animj_token_type types[] = {[JSMN_OBJECT] = ANIMJ_OBJECT,
						      [JSMN_ARRAY] = ANIMJ_ARRAY,
						      [JSMN_STRING] = ANIMJ_STRING,
						      [JSMN_PRIMITIVE] = ANIMJ_PRIMITIVE};
	const jsmntok_t *found = token_at(json, token);

	return (struct animj_token){types[found->type], (uint32_t)found->start, (uint32_t)found->end};
}

const uint8_t *animj_token_text(const struct animj_json *json, size_t token)
{
	return json->text.data + token_at(json, token)->start;
}

size_t animj_token_size(const struct animj_json *json, size_t token)
{
	return (size_t)(token_at(json, token)->end - token_at(json, token)->start);
}

/* The check's cursor. */
struct check {
	struct animj_reader *reader;
	const uint8_t *at;
	size_t token; /* the next one */
	unsigned depth;
};

static int refuse(struct check *check, const uint8_t *at, const char *needed, struct anim_error *error)
{
	const struct animj_json *json = &check->reader->json;
	const uint8_t *end = json->text.data + json->text.size;
	struct anim_place place = animj_json_place(check->reader, at < end ? at : end);

	return animj_unexpected(check->reader, &place, at < end ? at : end, end, needed, error);
}

static void skip_blanks(struct check *check)
{
	while (*check->at == ' ' || *check->at == '\n' || *check->at == '\r' || *check->at == '\t')
		check->at++;
}

/* Blanks, the byte, blanks. */
static int expect(struct check *check, char byte, const char *needed, struct anim_error *error)
{
	skip_blanks(check);
	if (*check->at != byte)
		return refuse(check, check->at, needed, error);
	check->at++;
	skip_blanks(check);
	return 0;
}

static int check_string(struct check *check, struct anim_error *error)
{
	struct animj_reader *reader = check->reader;
	size_t token = check->token++;
	const uint8_t *bad;
	const char *why;
	struct anim_place place;

	check->at += 1 + animj_token_size(&reader->json, token) + 1;
	reader->scalar.size = 0;
	if (anim_json_decode(animj_token_text(&reader->json, token), animj_token_size(&reader->json, token),
			     &reader->scalar, &bad, &why) == 0)
		return 0;
	if (bad == NULL)
		return anim_fail_memory(error);
	place = animj_json_place(reader, bad);
	return animj_refuse(reader, &place, error, "%s", why);
}

static bool is_word(const uint8_t *text, size_t size, const char *word)
{
	return size == strlen(word) && memcmp(text, word, size) == 0;
}

static int check_primitive(struct check *check, struct anim_error *error)
{
	const struct animj_json *json = &check->reader->json;
	const uint8_t *text = animj_token_text(json, check->token);
	size_t size = animj_token_size(json, check->token++);
	struct anim_place place;

	check->at += size;
	if (animj_number_end(text, text + size) != text + size && !is_word(text, size, "true") &&
	    !is_word(text, size, "false") && !is_word(text, size, "null")) {
		place = animj_json_place(check->reader, text);
		return animj_bad_word(check->reader, &place, text, size, error);
	}
	return 0;
}

static int check_value(struct check *check, struct anim_error *error);

static int check_member(struct check *check, struct anim_error *error)
{
	const struct animj_json *json = &check->reader->json;

	if (*check->at != '"' || check->token >= json->count || animj_token_text(json, check->token) != check->at + 1)
		return refuse(check, check->at, "a member's name in double quotes", error);
	if (check->depth == ANIMJ_DEPTH_OF_KEYS + 1)
		animj_path_name(check->reader, animj_token_text(json, check->token),
				animj_token_size(json, check->token));
	if (check_string(check, error) != 0 || expect(check, ':', "':'", error) != 0)
		return -1;
	return check_value(check, error);
}

/* Elements or members up to the closing bracket. */
static int check_inside(struct check *check, bool object, struct anim_error *error)
{
	const struct animj_json *json = &check->reader->json;
	const uint8_t *close = json->text.data + token_at(json, check->token++)->end - 1;

	check->at++;
	skip_blanks(check);
	for (bool first = true; check->at != close; first = false) {
		if (!first && expect(check, ',', object ? "',' or '}'" : "',' or ']'", error) != 0)
			return -1;
		if ((object ? check_member(check, error) : check_value(check, error)) != 0)
			return -1;
		skip_blanks(check);
	}
	check->at++;
	return 0;
}

/* A value at the cursor, which must be the next token. */
static int check_value(struct check *check, struct anim_error *error)
{
	const struct animj_json *json = &check->reader->json;
	const jsmntok_t *token = token_at(json, check->token);
	int result;

	if (check->token >= json->count || json->text.data + token->start != check->at + (token->type == JSMN_STRING))
		return refuse(check, check->at, "a value", error);
	if (token->type == JSMN_STRING)
		return check_string(check, error);
	if (token->type == JSMN_PRIMITIVE)
		return check_primitive(check, error);
	assert(check->depth < ANIM_NESTING_JSON); /* animj_take_text lets nothing deeper through */
	check->depth++;
	result = check_inside(check, token->type == JSMN_OBJECT, error);
	check->depth--;
	return result;
}

static int check_all(struct animj_reader *reader, struct anim_error *error)
{
	const struct animj_json *json = &reader->json;
	struct check check = {.reader = reader, .at = json->text.data, .depth = ANIMJ_DEPTH_OF_KEYS};
	const uint8_t *end = json->text.data + json->text.size;

	skip_blanks(&check);
	for (bool first = true; check.at < end; first = false) {
		if (!first && expect(&check, ',', "',' or ']'", error) != 0)
			return -1;
		if (check_value(&check, error) != 0)
			return -1;
		skip_blanks(&check);
		reader->path.member = NULL;
		if (reader->path.key >= 0)
			reader->path.key++;
	}
	return 0;
}

/* Room for more tokens than there is now. 0 or -1. */
static int grow(struct animj_reader *reader, struct anim_error *error)
{
	struct animj_json *json = &reader->json;
	size_t have = json->tokens.size / sizeof(jsmntok_t), want = have == 0 ? TOKENS_FIRST : have;

	if (have >= TOKENS_MAX)
		return animj_refuse(reader, &json->begin, error, "a key of more than %zu values", TOKENS_MAX);
	return anim_buffer_extend(&json->tokens, want * sizeof(jsmntok_t), error) == NULL ? -1 : 0;
}

int animj_explain(struct animj_reader *reader, const uint8_t *from, size_t size, const struct anim_place *begin,
		  unsigned depth, struct anim_error *error)
{
	struct animj_text *outer = reader->text, text;
	struct anim_input *input;
	int byte = ',', result = 0;

	if (anim_input_open_memory(&input, from, size, begin->file, error) != 0)
		return -1;
	animj_text_init_inside(&text, input, begin);
	reader->text = &text;
	while (result == 0 && byte == ',') {
		result = animj_blank(&text, error) == ANIMJ_ERROR ? -1 : 0;
		if (result == 0)
			result = animj_skip(reader, depth, error);
		if (result == 0 && (byte = animj_blank(&text, error)) == ',') {
			text.at++;
			reader->path.key += reader->path.key >= 0;
		}
	}
	reader->text = outer;
	anim_input_close(input);
	return result;
}

/* What jsmn refuses without a reason is read by hand, to say what is wrong. -1. */
static int explain(struct animj_reader *reader, unsigned position, struct anim_error *error)
{
	const struct animj_json *json = &reader->json;
	struct check check = {.reader = reader};
	int result = animj_explain(reader, json->text.data, json->text.size, &json->begin, ANIMJ_DEPTH_OF_KEYS, error);

	if (result != 0)
		return result;
	return refuse(&check, json->text.data + position, "another character", error);
}

int animj_tokenise(struct animj_reader *reader, struct anim_error *error)
{
	struct animj_json *json = &reader->json;
	int64_t key = reader->path.key;
	jsmn_parser parser;
	int count;

	/* jsmn ends a number only where something follows; the blank is no part of the text. */
	if (anim_buffer_append(&json->text, " ", 2, error) != 0)
		return -1;
	json->text.size -= 2;
	jsmn_init(&parser);
	while ((count = jsmn_parse(&parser, (const char *)json->text.data, json->text.size + 1,
				   (jsmntok_t *)json->tokens.data,
				   (unsigned)(json->tokens.size / sizeof(jsmntok_t)))) == JSMN_ERROR_NOMEM ||
	       json->tokens.size == 0) {
		if (json->tokens.size == 0)
			jsmn_init(&parser);
		if (grow(reader, error) != 0)
			return -1;
	}
	json->count = parser.toknext;
	if (count < 0)
		return explain(reader, parser.pos, error);
	if (check_all(reader, error) != 0)
		return -1;
	reader->path.key = key;
	return 0;
}

size_t animj_behind(const struct animj_json *json, size_t token)
{
	int end = token_at(json, token)->end;

	do
		token++;
	while (token < json->count && token_at(json, token)->start < end);
	return token;
}

bool animj_is_null(const struct animj_json *json, size_t token)
{
	return token_at(json, token)->type == JSMN_PRIMITIVE && *animj_token_text(json, token) == 'n';
}

bool animj_is_number(const struct animj_json *json, size_t token)
{
	uint8_t first = *animj_token_text(json, token);

	return token_at(json, token)->type == JSMN_PRIMITIVE && (first == '-' || (first >= '0' && first <= '9'));
}

const char *animj_token_name(const struct animj_json *json, size_t token)
{
	switch (token_at(json, token)->type) {
	case JSMN_OBJECT:
		return "an object";
	case JSMN_ARRAY:
		return "an array";
	case JSMN_STRING:
		return "a string";
	default:
		break;
	}
	if (animj_is_null(json, token))
		return "null";
	return animj_is_number(json, token) ? "a number" : "true or false";
}

/* Names with escapes are rare: only those are decoded. */
bool animj_is_named(const struct animj_json *json, size_t token, const char *name)
{
	const uint8_t *text = animj_token_text(json, token);
	size_t size = animj_token_size(json, token), length = strlen(name);
	struct anim_buffer decoded = {0};
	const uint8_t *bad;
	const char *why;
	bool same;

	if (size == length)
		return memcmp(text, name, length) == 0;
	if (size < length || memchr(text, '\\', size) == NULL)
		return false;
	same = anim_json_decode(text, size, &decoded, &bad, &why) == 0 && decoded.size == length &&
	       memcmp(decoded.data, name, length) == 0;
	anim_buffer_clear(&decoded);
	return same;
}
