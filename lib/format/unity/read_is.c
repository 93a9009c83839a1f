/* read_is.c: knows a Unity text file by its first bytes. */
#include <string.h>

#include "format/unity/unity.h"

static bool begins(const uint8_t *at, const uint8_t *end, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(end - at) >= length && memcmp(at, text, length) == 0;
}

/* Lines that may stand before the first document: directives, comments, blank ones. */
static bool is_passed_over(const uint8_t *at, const uint8_t *end)
{
	return *at == '%' || *at == '#' || *at == '\r' || *at == '\n' || begins(at, end, "...");
}

bool anim_unity_is(const uint8_t *bytes, size_t size)
{
	const uint8_t *at = bytes, *end = bytes + size;

	if (begins(at, end, "\xef\xbb\xbf"))
		at += 3;
	while (at < end && is_passed_over(at, end)) {
		if (begins(at, end, "%TAG !u! tag:unity3d.com") || begins(at, end, "%YAML 1.1"))
			return true;
		at = memchr(at, '\n', (size_t)(end - at));
		if (at == NULL)
			return false;
		at++;
	}
	return begins(at, end, "--- !u!");
}
