/* json.c: a JSON file in memory for tests. */
#include "json.h"

#include <jsmn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	long length;

	if (file == NULL)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0) {
		text = malloc((size_t)length + 1);
		*size = text != NULL ? fread(text, 1, (size_t)length, file) : 0;
		if (text != NULL)
			text[*size] = '\0';
	}
	fclose(file);
	return text;
}

/* jsmn's tokens -> ours, with where each value ends. */
static int take(struct json *json, const jsmntok_t *tokens, int at)
{
	struct json_token *token = &json->tokens[at];
	int next = at + 1;

	token->start = tokens[at].start;
	token->end = tokens[at].end;
	token->kind = tokens[at].type == JSMN_STRING ? '"' : json->text[tokens[at].start];
	token->children = tokens[at].size;
	for (int i = 0; i < tokens[at].size; i++)
		next = take(json, tokens, next);
	token->next = next;
	return next;
}

bool json_read(struct json *json, const char *path)
{
	jsmntok_t *tokens = NULL;
	jsmn_parser parser;

	memset(json, 0, sizeof *json);
	json->text = read_file(path, &json->size);
	if (json->text == NULL)
		return false;
	jsmn_init(&parser);
	json->count = jsmn_parse(&parser, json->text, json->size, NULL, 0);
	if (json->count > 0)
		tokens = calloc((size_t)json->count, sizeof *tokens);
	if (tokens != NULL) {
		jsmn_init(&parser);
		json->count = jsmn_parse(&parser, json->text, json->size, tokens, (unsigned)json->count);
		json->tokens = calloc((size_t)json->count, sizeof *json->tokens);
		if (json->tokens != NULL)
			take(json, tokens, 0);
	}
	free(tokens);
	return json->tokens != NULL;
}

void json_free(struct json *json)
{
	free(json->text);
	free(json->tokens);
	memset(json, 0, sizeof *json);
}

bool json_is(const struct json *json, int node, const char *text)
{
	size_t length = strlen(text);

	return node >= 0 && (size_t)(json->tokens[node].end - json->tokens[node].start) == length &&
	       memcmp(json->text + json->tokens[node].start, text, length) == 0;
}

int json_member(const struct json *json, int object, const char *name)
{
	int key;

	if (object < 0 || json->tokens[object].kind != '{')
		return -1;
	key = object + 1;
	for (int i = 0; i < json->tokens[object].children; i++) {
		if (json_is(json, key, name))
			return key + 1;
		key = json->tokens[key].next;
	}
	return -1;
}

int json_first(const struct json *json, int container)
{
	return container >= 0 && json->tokens[container].children > 0 ? container + 1 : -1;
}

int json_next(const struct json *json, int container, int element)
{
	int next = json->tokens[element].next;

	return next < json->tokens[container].next ? next : -1;
}

bool json_true(const struct json *json, int node)
{
	return node >= 0 && json->tokens[node].kind == 't';
}

double json_number(const struct json *json, int node)
{
	char kind = json->tokens[node].kind;

	if (json_is(json, node, "inf"))
		return (double)INFINITY;
	if (json_is(json, node, "-inf"))
		return -(double)INFINITY;
	if (kind == '"' || kind == 'n')
		return (double)NAN;
	if (kind == 't' || kind == 'f')
		return kind == 't';
	return strtod(json->text + json->tokens[node].start, NULL);
}

size_t json_numbers(const struct json *json, int node, double *out, size_t capacity)
{
	size_t count = 0;

	if (json->tokens[node].kind != '[') {
		if (capacity > 0)
			*out = json_number(json, node);
		return 1;
	}
	for (int i = json_first(json, node); i >= 0; i = json_next(json, node, i))
		count += json_numbers(json, i, out + count, count < capacity ? capacity - count : 0);
	return count;
}

static unsigned hex(const char *at)
{
	char digits[5] = {at[0], at[1], at[2], at[3], '\0'};

	return (unsigned)strtoul(digits, NULL, 16);
}

static char *put_utf8(char *out, unsigned code)
{
	if (code < 0x80) {
		*out++ = (char)code;
		return out;
	}
	if (code >= 0x10000) {
		*out++ = (char)(0xF0 | code >> 18);
		*out++ = (char)(0x80 | (code >> 12 & 0x3F));
	} else if (code >= 0x800) {
		*out++ = (char)(0xE0 | code >> 12);
	} else {
		*out++ = (char)(0xC0 | code >> 6);
		*out++ = (char)(0x80 | (code & 0x3F));
		return out;
	}
	*out++ = (char)(0x80 | (code >> 6 & 0x3F));
	*out++ = (char)(0x80 | (code & 0x3F));
	return out;
}

/* One escape behind its backslash; *at moves to its last letter. */
static unsigned escape(const char **at)
{
	static const char plain[] = "b\bf\fn\nr\rt\t";
	unsigned code;

	for (const char *p = plain; *p != '\0'; p += 2)
		if (**at == *p)
			return (unsigned char)p[1];
	if (**at != 'u')
		return (unsigned char)**at;
	code = hex(*at + 1);
	*at += 4;
	if (code >= 0xD800 && code < 0xDC00 && (*at)[1] == '\\' && (*at)[2] == 'u') {
		code = 0x10000 + ((code - 0xD800) << 10) + (hex(*at + 3) - 0xDC00);
		*at += 6;
	}
	return code;
}

char *json_text(const struct json *json, int node)
{
	const struct json_token *token = &json->tokens[node];
	const char *at = json->text + token->start, *end = json->text + token->end;
	char *text = malloc((size_t)(end - at) + 1), *out = text;

	if (text == NULL)
		return NULL;
	for (; at < end; at++) {
		if (token->kind != '"' || *at != '\\') {
			*out++ = *at;
			continue;
		}
		at++;
		out = put_utf8(out, escape(&at));
	}
	*out = '\0';
	return text;
}
