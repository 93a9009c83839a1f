/* meta.c: .meta files: the member of an importer, and the file that gives a guid to an .anim. */
#include "format/unity/run.h"

#include <stdio.h>
#include <string.h>

#include "base/advice.h"
#include "base/input.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "format/unity/document.h"
#include "format/unity/unity.h"

/* ---- The member of an importer ---- */

int unity_text_read(struct anim_input *meta, struct anim_buffer *text, struct anim_error *error)
{
	const uint8_t *at;
	ssize_t size = 0;

	while (text->size < ANIM_TEXT_MAX && (size = anim_input_peek(meta, 1, &at, error)) > 0) {
		if (anim_buffer_append(text, at, (size_t)size, error) != 0)
			return -1;
		anim_input_skip(meta, (size_t)size);
	}
	return size < 0 ? -1 : 0;
}

bool unity_bytes_are_model(const void *bytes, size_t size)
{
	/* the importer follows a few lines */
	size = size < UNITY_META_HEAD ? size : UNITY_META_HEAD;
	return anim_bytes_begin(bytes, size, "fileFormatVersion:") &&
	       anim_text_find(bytes, size, "\nModelImporter:") != NULL;
}

/* A .meta file has several members at the top level, so only the importer's member is read as a document. */
int unity_meta_open(struct unity_meta_file *meta, struct anim_input *from, const char *importer,
		    struct anim_error *error)
{
	static const char head[] = "--- !u!1006 &0\n";
	struct anim_buffer all = {0};
	const uint8_t *at = NULL, *above;
	char line[64];
	int result;

	*meta = (struct unity_meta_file){0};
	snprintf(line, sizeof line, "\n%s:", importer);
	result = unity_text_read(from, &all, error);
	if (result == 0 && all.size > 0)
		at = anim_text_find(all.data, all.size, line);
	if (result == 0 && at != NULL) {
		at++;
		/* The document begins after as many lines as the file has above the importer, so that places are right. */
		above = all.data;
		while (result == 0 && (above = memchr(above, '\n', (size_t)(at - above))) != NULL && ++above < at)
			result = anim_buffer_append(&meta->text, "\n", 1, error);
		if (result == 0)
			result = anim_buffer_append(&meta->text, head, sizeof head - 1, error);
		if (result == 0)
			result = anim_buffer_append(&meta->text, at, (size_t)(all.data + all.size - at), error);
		if (result == 0)
			result = anim_input_open_memory(&meta->input, meta->text.data, meta->text.size,
							anim_input_name(from), error);
		if (result == 0)
			result = unity_file_open(&meta->file, meta->input, error);
	}
	anim_buffer_clear(&all);
	return result != 0 ? -1 : at != NULL;
}

void unity_meta_close(struct unity_meta_file *meta)
{
	unity_file_close(meta->file);
	anim_input_close(meta->input);
	anim_buffer_clear(&meta->text);
}

/* ---- The .meta file that gives a guid to an .anim ---- */

bool anim_unity_guid_is(const char *text)
{
	size_t length = 0;

	while (anim_hex_digit(text[length]) >= 0)
		length++;
	return length == ANIM_UNITY_GUID - 1 && text[length] == '\0';
}

struct guid_hash {
	uint64_t high, low;
};

/* Hash with FNV-1a of 128 bits. The prime is 2^88 + 0x13b (Fowler, Noll, Vo). */
static void hash_text(struct guid_hash *hash, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		uint64_t low, carry;

		hash->low ^= (uint8_t)text[i];
		low = (hash->low & 0xffffffffu) * 0x13b;
		carry = (hash->low >> 32) * 0x13b + (low >> 32);
		hash->high = hash->high * 0x13b + (hash->low << 24) + (carry >> 32);
		hash->low = carry << 32 | (low & 0xffffffffu);
	}
}

void anim_unity_guid(const char *file, const char *clip, char guid[ANIM_UNITY_GUID])
{
	struct guid_hash hash = {0x6c62272e07bb0142u, 0x62b821756295c58du};

	hash_text(&hash, file, strlen(file) + 1);
	hash_text(&hash, clip, strlen(clip));
	for (unsigned i = 0; i < 32; i++)
		guid[i] = "0123456789abcdef"[(i < 16 ? hash.high : hash.low) >> (60 - 4 * (i % 16)) & 15];
	guid[32] = '\0';
}

#define META_MAX 512u /* more bytes than a .meta file of this writer */

/* Get the path of the file below the folder that contains Assets/, or the last name of the path. Returns 0 or -1. */
static int project_path(const char *path, const char **name, struct anim_arena *arena, struct anim_error *error)
{
	struct anim_location location = {0};
	struct anim_project project = {0};
	const char *folder = anim_path_folder(arena, path, error);
	int found;

	*name = anim_path_last(path);
	if (folder == NULL)
		return -1;
	found = anim_path_real(arena, folder, &location.folder, error);
	location.shown_folder = folder;
	if (found <= 0)
		return found;
	folder = anim_path_join(arena, location.folder, *name, error);
	if (folder == NULL)
		return -1;
	location.real = folder;
	found = unity_project_of(&project, &location, arena, error);
	if (found <= 0)
		return found;
	if (anim_path_is_below(folder, project.folder))
		*name = folder + strlen(project.folder) + (project.folder[1] != '\0');
	return 0;
}

/* Return 1 if the file has exactly these bytes, 0 if not, or -1. */
static int holds(const char *path, const char *text, size_t length, struct anim_error *error)
{
	struct anim_input *input;
	const uint8_t *at;
	ssize_t got;
	int same;

	if (anim_input_open(&input, path, NULL, error) != 0)
		return -1;
	got = anim_input_peek(input, META_MAX, &at, error);
	same = got < 0 ? -1 : (size_t)got == length && memcmp(at, text, length) == 0;
	anim_input_close(input);
	return same;
}

/* Write a .meta file with this guid, unless it already exists with the same contents. Returns 0 or -1. */
static int write_meta(struct anim_output **out, const char *file, const char *guid, bool force,
		      struct anim_error *error)
{
	char text[META_MAX], lower[ANIM_UNITY_GUID] = "";
	struct anim_stat info;
	size_t length;
	int same;

	for (unsigned i = 0; i + 1 < ANIM_UNITY_GUID; i++)
		lower[i] = (char)(guid[i] >= 'A' && guid[i] <= 'F' ? guid[i] + ('a' - 'A') : guid[i]);
	length = (size_t)snprintf(text, sizeof text,
				  "fileFormatVersion: 2\nguid: %s\nNativeFormatImporter:\n  externalObjects: {}\n"
				  "  mainObjectFileID: 7400000\n  userData: \n  assetBundleName: \n"
				  "  assetBundleVariant: \n",
				  lower);
	if (!force && anim_sys_lstat(file, &info) == 0) {
		same = holds(file, text, length, error);
		if (same != 0)
			return same < 0 ? -1 : 0;
		anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "already exists with different contents; use " ANIM_OPTION("emit", "force") " to overwrite it");
		return anim_error_in_file(error, file);
	}
	if (anim_output_open(out, file, error) != 0)
		return -1;
	return anim_output_write(*out, text, length, error);
}

int anim_unity_meta_open(struct anim_output **out, const char *path, const char *guid, const char *clip, bool force,
			 struct anim_error *error)
{
	struct anim_arena arena = {0};
	char own[ANIM_UNITY_GUID] = "";
	const char *name, *file = anim_arena_printf(&arena, error, "%s" UNITY_META, path);
	int result = file == NULL ? -1 : 0;

	*out = NULL;
	if (result == 0 && guid == NULL && (result = project_path(path, &name, &arena, error)) == 0) {
		anim_unity_guid(name, clip, own);
		guid = own;
	}
	if (result == 0)
		result = write_meta(out, file, guid, force, error);
	anim_arena_clear(&arena);
	return result;
}
