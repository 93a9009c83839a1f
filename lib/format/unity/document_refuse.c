/* document_refuse.c: names what a file is that is no UnityYAML, before anything is parsed. */
#include <string.h>

#include "base/text.h"
#include "format/unity/document_internal.h"

#define PATH_LENGTH 1024

struct magic {
	const char *bytes, *what;
};

static int refuse(struct anim_error *error, const char *what)
{
	return anim_fail(error, ANIM_BAD_INPUT, "%s", what);
}

static bool begins(const struct unity_lines *lines, const char *text)
{
	size_t length = strlen(text);

	return lines->left >= length && memcmp(lines->at, text, length) == 0;
}

static bool is_utf16(const struct unity_lines *lines)
{
	const uint8_t *at = lines->at;

	if (lines->left < 4)
		return false;
	return (at[0] == 0xff && at[1] == 0xfe) || (at[0] == 0xfe && at[1] == 0xff) ||
	       (at[0] != 0 && at[1] == 0 && at[2] != 0 && at[3] == 0) ||
	       (at[0] == 0 && at[1] != 0 && at[2] == 0 && at[3] != 0);
}

/* A short line without ": ", with a slash or a suffix, and none of YAML's own: what Git leaves of a symbolic link where there are none. */
static bool is_link_text(const struct unity_lines *lines)
{
	const char *text = (const char *)lines->at;
	size_t length = lines->left;

	while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
		length--;
	if (!lines->all || length == 0 || text[0] == '%' || length > PATH_LENGTH ||
	    memchr(text, '\n', length) != NULL || memchr(text, ':', length) != NULL ||
	    anim_utf8_prefix(text, length) != length)
		return false;
	return memchr(text, '/', length) != NULL || memchr(text, '.', length) != NULL;
}

static bool has_document(const struct unity_lines *lines)
{
	struct unity_lines at = *lines;

	while (at.left > 0) {
		size_t length = 0;

		if (unity_is_document(&at))
			return true;
		while (length < at.left && at.at[length] != '\n' && at.at[length] != '\r')
			length++;
		length += length < at.left;
		unity_lines_pass(&at, length, true);
	}
	return false;
}

int unity_refuse(const struct unity_lines *lines, struct anim_error *error)
{
	static const struct magic magics[] = {
	    {"UnityFS", "an asset bundle; unpack it first"},
	    {"UnityRaw", "an asset bundle; unpack it first"},
	    {"UnityWeb", "an asset bundle; unpack it first"},
	    {"UnityArchive", "an asset bundle; unpack it first"},
	    {"version https://git-lfs", "a Git LFS pointer, not the file itself; run 'git lfs pull'"},
	};

	if (lines->left == 0)
		return refuse(error, "the file is empty");
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (begins(lines, magics[i].bytes))
			return refuse(error, magics[i].what);
	if (is_utf16(lines))
		return refuse(error, "UTF-16; save it as UTF-8");
	if (lines->has_zero && !has_document(lines))
		return refuse(error, "a binary Unity asset; set Asset Serialization to Force Text in Unity and save it "
				     "again");
	if (has_document(lines))
		return 0;
	if (is_link_text(lines))
		return refuse(error, "the text of a symbolic link; read the file that it names");
	return refuse(error, "not a Unity text file: no line begins with '--- '");
}
