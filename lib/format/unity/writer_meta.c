/* writer_meta.c: guids, and the .meta file that gives one to an .anim. */
#include <string.h>
#include <sys/stat.h>

#include "base/input.h"
#include "base/path.h"
#include "base/print.h"
#include "format/unity/assets.h"
#include "format/unity/writer.h"

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool anim_unity_guid_is(const char *text)
{
	size_t length = 0;

	while (is_hex(text[length]))
		length++;
	return length == ANIM_UNITY_GUID - 1 && text[length] == '\0';
}

struct hash {
	uint64_t high, low;
};

/* FNV-1a with 128 bits: the prime is 2^88 + 0x13b (Fowler, Noll, Vo). */
static void hash_text(struct hash *hash, const char *text, size_t length)
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
	struct hash hash = {0x6c62272e07bb0142u, 0x62b821756295c58du};

	hash_text(&hash, file, strlen(file) + 1);
	hash_text(&hash, clip, strlen(clip));
	for (unsigned i = 0; i < 32; i++)
		guid[i] = "0123456789abcdef"[(i < 16 ? hash.high : hash.low) >> (60 - 4 * (i % 16)) & 15];
	guid[32] = '\0';
}

#define META_MAX 512u /* more than a .meta of ours */

static size_t put(char *out, const char *text)
{
	size_t length = strlen(text);

	memcpy(out, text, length);
	return length;
}

/* The text of a .meta with this guid; its length. */
static size_t write_text(const char *guid, char out[META_MAX])
{
	size_t length = put(out, "fileFormatVersion: 2\nguid: ");

	for (unsigned i = 0; i + 1 < ANIM_UNITY_GUID; i++)
		out[length++] = (char)(guid[i] >= 'A' && guid[i] <= 'F' ? guid[i] + ('a' - 'A') : guid[i]);
	return length + put(out + length, "\nNativeFormatImporter:\n  externalObjects: {}\n"
					  "  mainObjectFileID: 7400000\n  userData: \n  assetBundleName: \n"
					  "  assetBundleVariant: \n");
}

/* The file's path below the folder that holds Assets/, its last name where there is none. 0 or -1. */
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
	found = unity_project_find(&project, &location, arena, error);
	if (found <= 0)
		return found;
	if (anim_path_is_below(folder, project.folder))
		*name = folder + strlen(project.folder) + (project.folder[1] != '\0');
	return 0;
}

/* 1 where the file holds exactly these bytes, 0 where others, -1. */
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

/* 0 where it may be written, 1 where it is there as it would be written, -1. */
static int look(const char *path, const char *text, size_t length, bool force, struct anim_error *error)
{
	struct stat info;
	int same;

	if (force || lstat(path, &info) != 0)
		return 0;
	same = holds(path, text, length, error);
	if (same != 0)
		return same;
	anim_fail(error, ANIM_UNSUPPORTED, "is there already and says something else; --force overwrites");
	return anim_error_in_file(error, path);
}

static int write_meta(struct anim_output **out, const char *file, const char *guid, bool force,
		      struct anim_error *error)
{
	char text[META_MAX];
	size_t length = write_text(guid, text);
	int there = look(file, text, length, force, error);

	*out = NULL;
	if (there != 0)
		return there < 0 ? -1 : 0;
	if (anim_output_open(out, file, error) != 0)
		return -1;
	return anim_output_write(*out, text, length, error);
}

int anim_unity_meta_open(struct anim_output **out, const char *path, const char *guid, const char *clip, bool force,
			 struct anim_error *error)
{
	struct anim_arena arena = {0};
	char own[ANIM_UNITY_GUID] = "", *file = anim_arena_alloc(&arena, strlen(path) + sizeof ".meta", error);
	const char *name;
	int result = file == NULL ? -1 : 0;

	*out = NULL;
	if (result == 0 && guid == NULL && (result = project_path(path, &name, &arena, error)) == 0) {
		anim_unity_guid(name, clip, own);
		guid = own;
	}
	if (result == 0) {
		memcpy(file, path, strlen(path));
		memcpy(file + strlen(path), ".meta", sizeof ".meta");
		result = write_meta(out, file, guid, force, error);
	}
	anim_arena_clear(&arena);
	return result;
}
