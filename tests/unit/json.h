/* json.h: a JSON file in memory for tests: tokens, members, numbers, texts. */
#ifndef ANIM_TESTS_JSON_H
#define ANIM_TESTS_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* A parsed file; freed by json_free. A node is the number of a token, -1 where there is none. */
struct json {
	char *text;
	size_t size;
	struct json_token *tokens;
	int count;
};
struct json_token {
	int start, end; /* in text; of strings without the quotes */
	char kind;      /* { [ " or a first letter of what else it is */
	int children;   /* pairs of an object, elements of an array */
	int next;       /* the token behind this value */
};

bool json_read(struct json *, const char *path); /* false: not there or not JSON */
void json_free(struct json *);

int json_member(const struct json *, int object, const char *name);
int json_first(const struct json *, int container);             /* -1 where it is empty */
int json_next(const struct json *, int container, int element); /* -1 behind the last */

bool json_is(const struct json *, int node, const char *text); /* a string of this text */
bool json_true(const struct json *, int node);
double json_number(const struct json *, int node); /* numbers, booleans, "inf", "-inf", "nan" */

/* The numbers of nested arrays in their order, at most `capacity`; returns how many there are. */
size_t json_numbers(const struct json *, int node, double *out, size_t capacity);

/* A string with its escapes resolved, in UTF-8, as a new text; the source text of anything else. */
char *json_text(const struct json *, int node);

#endif
