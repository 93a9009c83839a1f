/* yaml_flow.c: nodes and scalars as Unity writes them. */
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "format/unity/yaml.h"

/* A text that YAML would not read back as a plain scalar of this text. */
static bool needs_quotes(const char *text, size_t length, bool inside)
{
	char first = length > 0 ? text[0] : ' ', second = length > 1 ? text[1] : ' ';

	if (strchr("@`%&*!|>'\"{}[],#", first) != NULL)
		return true;
	if ((first == '-' || first == '?' || first == ':') && second == ' ')
		return true;
	if (first == ' ' || text[length - 1] == ' ' || text[length - 1] == ':')
		return true;
	for (size_t i = 0; i + 1 < length; i++)
		if ((text[i] == ':' && text[i + 1] == ' ') || (text[i] == ' ' && text[i + 1] == '#'))
			return true;
	return inside && strpbrk(text, "{}[],") != NULL;
}

static bool needs_escapes(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] >= 0x7f)
			return true;
	return false;
}

static int put(struct anim_buffer *buffer, const char *text, struct anim_error *error)
{
	return anim_buffer_append(buffer, text, strlen(text), error);
}

/* \xNN, \uNNNN or \UNNNNNNNN, by the digits: YAML has no pairs of surrogates. */
static int print_unit(struct anim_buffer *buffer, uint32_t unit, unsigned digits, struct anim_error *error)
{
	static const char hex[] = "0123456789ABCDEF";
	char text[10] = {'\\', digits == 2 ? 'x' : digits == 4 ? 'u' : 'U'};

	for (unsigned i = 0; i < digits; i++)
		text[2 + i] = hex[unit >> 4 * (digits - 1 - i) & 15];
	return anim_buffer_append(buffer, text, 2 + digits, error);
}

static int print_escaped_code(struct anim_buffer *buffer, uint32_t code, struct anim_error *error)
{
	char plain = (char)code;

	if (code == '"' || code == '\\')
		return put(buffer, code == '"' ? "\\\"" : "\\\\", error);
	if (code == '\n' || code == '\t' || code == '\r')
		return put(buffer, code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r", error);
	if (code >= 0x20 && code < 0x7f)
		return anim_buffer_append(buffer, &plain, 1, error);
	return print_unit(buffer, code, code < 0x100 ? 2 : code < 0x10000 ? 4 : 8, error);
}

static int print_escaped(struct anim_buffer *buffer, const char *text, size_t length, struct anim_error *error)
{
	if (put(buffer, "\"", error) != 0)
		return -1;
	for (size_t i = 0; i < length;) {
		uint32_t code;
		size_t size = anim_utf8_decode((const uint8_t *)text + i, length - i, &code);

		if (size == 0) {
			code = 0xfffd;
			size = 1;
		}
		if (print_escaped_code(buffer, code, error) != 0)
			return -1;
		i += size;
	}
	return put(buffer, "\"", error);
}

static int print_single(struct anim_buffer *buffer, const char *text, size_t length, struct anim_error *error)
{
	if (put(buffer, "'", error) != 0)
		return -1;
	for (size_t i = 0; i < length; i++)
		if ((text[i] == '\'' && put(buffer, "'", error) != 0) ||
		    anim_buffer_append(buffer, text + i, 1, error) != 0)
			return -1;
	return put(buffer, "'", error);
}

int unity_print_scalar(struct anim_buffer *buffer, const char *text, size_t length, bool inside,
		       struct anim_error *error)
{
	if (length == 0)
		return 0;
	if (needs_escapes(text, length))
		return print_escaped(buffer, text, length, error);
	if (needs_quotes(text, length, inside))
		return print_single(buffer, text, length, error);
	return anim_buffer_append(buffer, text, length, error);
}

static int print_node(struct anim_buffer *, const struct unity_node *, unsigned depth, struct anim_error *);

static int print_members(struct anim_buffer *buffer, const struct unity_node *node, unsigned depth,
			 struct anim_error *error)
{
	bool map = node->kind == UNITY_MAP;

	if (put(buffer, map ? "{" : "[", error) != 0)
		return -1;
	for (const struct unity_node *member = node->first; member != NULL; member = member->next) {
		if (member != node->first && put(buffer, ", ", error) != 0)
			return -1;
		if (map && (unity_print_scalar(buffer, member->key, strlen(member->key), true, error) != 0 ||
			    put(buffer, ": ", error) != 0))
			return -1;
		if (print_node(buffer, member, depth + 1, error) != 0)
			return -1;
	}
	return put(buffer, map ? "}" : "]", error);
}

/* The depth is that of the tree, which has a limit; a tree of other making has the same. */
static int print_node(struct anim_buffer *buffer, const struct unity_node *node, unsigned depth,
		      struct anim_error *error)
{
	if (depth > ANIM_NESTING_YAML)
		return anim_fail(error, ANIM_TOO_LARGE, "nested more than %d deep", ANIM_NESTING_YAML);
	if (node->kind == UNITY_SCALAR)
		return unity_print_scalar(buffer, node->text, node->length, true, error);
	return print_members(buffer, node, depth, error);
}

const char *unity_flow_text(const struct unity_node *node, struct anim_arena *arena, struct anim_error *error)
{
	struct anim_buffer buffer = {0};
	const char *text = NULL;

	if (print_node(&buffer, node, 0, error) == 0)
		text = anim_arena_text(arena, (const char *)buffer.data, buffer.size, error);
	anim_buffer_clear(&buffer);
	return text;
}
