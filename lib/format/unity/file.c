/* file.c: open a Unity text file, and find its documents, one by one. */
#include "format/unity/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"

/* ---- Files that are not UnityYAML ---- */

#define PATH_LENGTH 1024

struct foreign_start {
	const char *bytes, *what;
};

/*
 * Return true for a single short line without ':' that has a slash or a dot and does not begin with '%'. Git writes
 * such a line for a symbolic link on a file system without links.
 */
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

		if (unity_lines_are_document(&at))
			return true;
		while (length < at.left && at.at[length] != '\n' && at.at[length] != '\r')
			length++;
		length += length < at.left;
		unity_lines_pass(&at, length, true);
	}
	return false;
}

/* Name the kind of a file that is not UnityYAML, by its first window. Returns 0 or -1. */
static int refuse_others(const struct unity_lines *lines, struct anim_error *error)
{
	static const struct foreign_start magics[] = {
	    {"UnityFS", "an asset bundle; unpack it first"},
	    {"UnityRaw", "an asset bundle; unpack it first"},
	    {"UnityWeb", "an asset bundle; unpack it first"},
	    {"UnityArchive", "an asset bundle; unpack it first"},
	    {"version https://git-lfs", "a Git LFS pointer, not the file itself; run 'git lfs pull'"},
	};
	const uint8_t *at = lines->at;

	if (lines->left == 0)
		return anim_fail(error, ANIM_BAD_INPUT, "the file is empty");
	for (size_t i = 0; i < ANIM_COUNT(magics); i++)
		if (anim_bytes_begin(lines->at, lines->left, magics[i].bytes))
			return anim_fail(error, ANIM_BAD_INPUT, "%s", magics[i].what);
	if (lines->left >= 4 && ((at[0] == 0xff && at[1] == 0xfe) || (at[0] == 0xfe && at[1] == 0xff) ||
				 (at[0] != 0 && at[1] == 0 && at[2] != 0 && at[3] == 0) ||
				 (at[0] == 0 && at[1] != 0 && at[2] == 0 && at[3] != 0)))
		return anim_fail(error, ANIM_BAD_INPUT, "UTF-16; save it as UTF-8");
	if (has_document(lines))
		return 0;
	if (lines->has_zero)
		return anim_fail(error, ANIM_BAD_INPUT,
				 "a binary Unity asset; set Asset Serialization to Force Text in Unity and save it "
				 "again");
	if (is_link_text(lines))
		return anim_fail(error, ANIM_BAD_INPUT, "the text of a symbolic link; read the file that it names");
	return anim_fail(error, ANIM_BAD_INPUT, "not a Unity text file: no line begins with '--- '");
}

/* ---- The line that begins a document ---- */

static const struct {
	const char *name;
	int32_t class_id;
} types[] = {
    {"GameObject", 1},
    {"Transform", 4},
    {"Camera", 20},
    {"Material", 21},
    {"MeshRenderer", 23},
    {"MeshFilter", 33},
    {"AnimationClip", 74},
    {"AnimatorController", 91},
    {"Animator", 95},
    {"Light", 108},
    {"Animation", 111},
    {"MonoBehaviour", 114},
    {"SkinnedMeshRenderer", 137},
    {"BlendTree", 206},
    {"SpriteRenderer", 212},
    {"AnimatorOverrideController", 221},
    {"RectTransform", 224},
    {"PrefabInstance", 1001},
    {"Prefab", 1001},
    {"AnimatorTransition", 1101},
    {"AnimatorState", 1102},
    {"AnimatorStateMachine", 1107},
};

static const char *blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

static const char *id_end(const char *at)
{
	at += *at == '-' || *at == '+';
	while (*at >= '0' && *at <= '9')
		at++;
	return at;
}

/* Read "--- !u!74 &7400000 stripped". The slack after the window is 0, so it ends every search. */
static void read_head(const struct unity_lines *lines, struct unity_document *document)
{
	const char *at = blanks((const char *)lines->at + 3), *end, *name, *colon;
	size_t length;
	int64_t id;

	*document = (struct unity_document){.class_id = -1, .line = lines->line};
	if (strncmp(at, "!u!", 3) == 0) {
		end = id_end(at + 3);
		if (unity_parse_id(at + 3, (size_t)(end - at - 3), &id) && id >= 0 && id <= INT32_MAX)
			document->class_id = (int32_t)id;
		at = blanks(end);
	}
	if (*at == '&') {
		end = id_end(at + 1);
		unity_parse_id(at + 1, (size_t)(end - at - 1), &document->id);
		at = blanks(end);
	}
	document->stripped = strncmp(at, "stripped", 8) == 0;
	name = memchr(lines->at, '\n', lines->left);
	if (document->class_id >= 0 || name == NULL)
		return;

	/* If the line has no class, the type on the line below has its name. */
	name++;
	length = (size_t)((const char *)lines->at + lines->left - name);
	colon = memchr(name, ':', length < 64 ? length : 64);
	for (size_t i = 0; i < ANIM_COUNT(types) && colon != NULL; i++)
		if (strlen(types[i].name) == (size_t)(colon - name) &&
		    memcmp(types[i].name, name, (size_t)(colon - name)) == 0)
			document->class_id = types[i].class_id;
}

/* ---- The file ---- */

#define REFUSE_WINDOW ((size_t)64 * 1024)

int unity_file_open(struct unity_file **opened, struct anim_input *input, struct anim_error *error)
{
	struct unity_file *file = anim_zeroed(sizeof *file, error);
	struct unity_lines *lines;

	*opened = NULL;
	if (file == NULL)
		return -1;
	file->error = error;
	lines = &file->lines;
	*lines = (struct unity_lines){.input = input, .line = 1};
	if (unity_lines_more(lines, REFUSE_WINDOW, error) != 0)
		goto failed;
	if (lines->left >= 3 && lines->at[0] == 0xef && lines->at[1] == 0xbb && lines->at[2] == 0xbf)
		unity_lines_pass(lines, 3, false);
	if (refuse_others(lines, error) != 0) {
		anim_error_in_file(error, anim_input_name(input));
		goto failed;
	}
	/* An old form of line ends is a carriage return without a line feed. */
	for (size_t i = 0; i < lines->left && !lines->lone_cr; i++) {
		const uint8_t *at = memchr(lines->at + i, '\r', lines->left - i);

		i = at == NULL ? lines->left - 1 : (size_t)(at - lines->at);
		lines->lone_cr = at != NULL && (i + 1 < lines->left ? at[1] != '\n' : lines->all);
	}
	if (unity_fast_new(&file->fast, error) != 0)
		goto failed;
	*opened = file;
	return 0;
failed:
	unity_file_close(file);
	return -1;
}

void unity_file_close(struct unity_file *file)
{
	if (file == NULL)
		return;
	unity_yaml_events_clear(&file->events);
	unity_keys_clear(file);
	anim_buffer_clear(&file->field);
	free(file);
}

bool unity_file_is_broken(const struct unity_file *file)
{
	return file->lines.broken;
}

void unity_file_slow(struct unity_file *file)
{
	unity_fast_free(file->fast);
	file->fast = NULL;
}

int unity_file_next(struct unity_file *file, struct unity_document *document)
{
	struct unity_lines *lines = &file->lines;
	int status;

	if (file->in_document && unity_feed_leave(&file->feed, file->error) != 0)
		return -1;
	file->in_document = false;
	file->pool.used = 0;
	while ((status = unity_lines_start(lines, file->error)) > 0 && !unity_lines_are_document(lines))
		if (unity_lines_check(lines, file->error) != 0 || unity_lines_skip(lines, file->error) != 0)
			return -1;
	if (status <= 0)
		return status;
	read_head(lines, &file->document);
	*document = file->document;
	file->in_document = true;
	file->stage = UNITY_AT_START;
	file->feed = (struct unity_feed){.lines = lines};
	if (unity_feed_begin(&file->feed, lines, file->error) != 0)
		return -1;
	return 1;
}

void unity_place(const struct unity_file *file, const struct unity_node *node, struct anim_place *place)
{
	*place = (struct anim_place){
	    .file = anim_input_name(file->lines.input), .at = ANIM_AT_LINE, .line = node->line, .column = node->column};
}
