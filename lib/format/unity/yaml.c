/* yaml.c: looking things up in a tree of UnityYAML. */
#include "format/unity/yaml.h"

#include <string.h>

#include "format/unity/number.h"

const struct unity_node *unity_get(const struct unity_node *node, const char *key)
{
	const struct unity_node *found = NULL;

	if (node == NULL || node->kind != UNITY_MAP)
		return NULL;
	for (const struct unity_node *member = node->first; member != NULL; member = member->next)
		if (strcmp(member->key, key) == 0)
			found = member;
	return found;
}

const char *unity_text(const struct unity_node *node, const char *key, const char *otherwise)
{
	const struct unity_node *member = unity_get(node, key);

	return member != NULL && member->kind == UNITY_SCALAR ? member->text : otherwise;
}

static int not_a(const struct unity_node *node, const char *what, struct anim_error *error)
{
	if (node->kind != UNITY_SCALAR)
		return anim_fail(error, ANIM_BAD_INPUT, "%s is not %s", node->key, what);
	return anim_fail(error, ANIM_BAD_INPUT, "%s is not %s: '%.*s'", node->key, what,
			 (int)(node->length < 64 ? node->length : 64), node->text);
}

/* 1, 0 where the node is NULL or empty, -1. */
static int to_float(const struct unity_node *node, float *value, struct anim_error *error)
{
	const char *end;
	float read;

	if (node == NULL || (node->kind == UNITY_SCALAR && node->length == 0))
		return 0;
	end = node->text + node->length;
	if (node->kind != UNITY_SCALAR || unity_number_float(node->text, end, &read) != end)
		return not_a(node, "a number", error);
	*value = read;
	return 1;
}

static int to_int64(const struct unity_node *node, int64_t *value, struct anim_error *error)
{
	if (node == NULL || (node->kind == UNITY_SCALAR && node->length == 0))
		return 0;
	if (node->kind != UNITY_SCALAR || !unity_parse_id(node->text, node->length, value))
		return not_a(node, "an integer", error);
	return 1;
}

int unity_float(const struct unity_node *node, const char *key, float *value, struct anim_error *error)
{
	return to_float(unity_get(node, key), value, error);
}

int unity_int64(const struct unity_node *node, const char *key, int64_t *value, struct anim_error *error)
{
	return to_int64(unity_get(node, key), value, error);
}

int unity_bool(const struct unity_node *node, const char *key, bool *value, struct anim_error *error)
{
	int64_t number;
	int status = to_int64(unity_get(node, key), &number, error);

	if (status > 0)
		*value = number != 0;
	return status;
}

int unity_vector(const struct unity_node *node, const char *key, float values[4], unsigned *count,
		 struct anim_error *error)
{
	static const char names[2][5] = {"xyzw", "rgba"};
	const struct unity_node *member = unity_get(node, key);

	*count = 0;
	if (member == NULL || (member->kind == UNITY_SCALAR && member->length == 0))
		return 0;
	if (member->kind != UNITY_MAP)
		return not_a(member, "a map of components", error);
	for (unsigned i = 0; i < 4; i++)
		for (int spelling = 0; spelling < 2; spelling++) {
			const char name[2] = {names[spelling][i], '\0'};
			const struct unity_node *lane = unity_get(member, name);

			if (to_float(lane, &values[i], error) < 0)
				return -1;
			if (lane != NULL)
				*count = i + 1;
		}
	return *count == 0 ? not_a(member, "a map of components", error) : 1;
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static int read_guid(const struct unity_node *node, char guid[33], struct anim_error *error)
{
	if (node == NULL || (node->kind == UNITY_SCALAR && node->length == 0))
		return 0;
	if (node->kind != UNITY_SCALAR || node->length != 32)
		return not_a(node, "32 hexadecimal digits", error);
	for (int i = 0; i < 32; i++) {
		char c = node->text[i];

		if (!is_hex(c))
			return not_a(node, "32 hexadecimal digits", error);
		guid[i] = c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
	}
	return 0;
}

int unity_reference(const struct unity_node *node, struct unity_reference *reference, struct anim_error *error)
{
	int64_t type = 0;

	*reference = (struct unity_reference){0};
	if (node == NULL || (node->kind == UNITY_SCALAR && node->length == 0))
		return 0;
	if (node->kind != UNITY_MAP || unity_get(node, "fileID") == NULL)
		return not_a(node, "a reference {fileID: ...}", error);
	if (unity_int64(node, "fileID", &reference->file_id, error) < 0 ||
	    unity_int64(node, "type", &type, error) < 0 ||
	    read_guid(unity_get(node, "guid"), reference->guid, error) != 0)
		return -1;
	reference->type = type >= INT32_MIN && type <= INT32_MAX ? (int)type : 0;
	return 1;
}

/* Unsigned first: what is beyond int64 has the same bits as the negative number that Unity holds. */
bool unity_parse_id(const char *text, size_t length, int64_t *id)
{
	bool negative = length > 0 && *text == '-';
	size_t at = length > 0 && (*text == '-' || *text == '+');
	uint64_t magnitude = 0;

	if (at == length)
		return false;
	for (; at < length; at++) {
		unsigned digit = (unsigned)(text[at] - '0');

		if (digit > 9 || magnitude > (UINT64_MAX - digit) / 10)
			return false;
		magnitude = magnitude * 10 + digit;
	}
	if (negative && magnitude > (uint64_t)INT64_MAX + 1)
		return false;
	*id = (int64_t)(negative ? 0 - magnitude : magnitude);
	return true;
}
