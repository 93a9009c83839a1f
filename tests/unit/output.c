/* output.c: what is committed is whole and in its place, what is not leaves nothing. */
#include "base/output.h"
#include "base/output_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static char folder[64];

static const char *in_folder(const char *name)
{
	static char paths[4][512];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

static void make_folder(void)
{
	strcpy(folder, "/tmp/anim-output-XXXXXX");
	CHECK(mkdtemp(folder) != NULL);
}

/* How many entries the folder has; all of them are removed where `empty`. */
static int entries(bool empty)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int count = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		count++;
		if (empty)
			unlink(in_folder(entry->d_name));
	}
	if (dir != NULL)
		closedir(dir);
	if (empty)
		rmdir(folder);
	return count;
}

static bool holds(const char *path, const char *text)
{
	char bytes[256] = "";
	FILE *file = fopen(path, "r");
	size_t size;

	if (file == NULL)
		return false;
	size = fread(bytes, 1, sizeof bytes - 1, file);
	fclose(file);
	return size == strlen(text) && memcmp(bytes, text, size) == 0;
}

static int put(const char *path, const char *text)
{
	struct anim_output *output;
	struct anim_error error;
	int result = anim_output_open(&output, path, &error);

	if (result != 0)
		return result;
	result = anim_output_write(output, text, strlen(text), &error) != 0 || anim_output_commit(output, &error) != 0;
	anim_output_free(output);
	return result;
}

TEST(output_commit, "a committed file stands under its name with the mode of the umask, alone in its folder")
{
	struct stat info;
	mode_t before = umask(027);

	make_folder();
	CHECK(put(in_folder("a"), "one") == 0 && holds(in_folder("a"), "one"));
	CHECK(stat(in_folder("a"), &info) == 0 && (info.st_mode & 0777) == 0640);
	CHECK(put(in_folder("a"), "two") == 0 && holds(in_folder("a"), "two"));
	umask(before);
	CHECK(entries(true) == 1);
}

TEST(output_abandon, "a file that is not committed leaves what was there, and nothing else")
{
	struct anim_output *output;
	struct anim_error error;

	make_folder();
	CHECK(put(in_folder("a"), "old") == 0);
	CHECK(anim_output_open(&output, in_folder("a"), &error) == 0);
	CHECK(anim_output_write(output, "new", 3, &error) == 0 && entries(false) == 2);
	anim_output_free(output);
	CHECK(holds(in_folder("a"), "old") && entries(false) == 1);
	CHECK(anim_output_open(&output, in_folder("b"), &error) == 0);
	anim_output_unlink_all();
	CHECK(entries(false) == 1);
	anim_output_free(output);
	CHECK(entries(true) == 1);
}

TEST(output_seal, "a sealed file takes its name only at commit")
{
	struct anim_output *output;
	struct anim_error error;

	make_folder();
	CHECK(anim_output_open(&output, in_folder("a"), &error) == 0);
	CHECK(anim_output_write(output, "text", 4, &error) == 0 && anim_output_seal(output, &error) == 0);
	CHECK(access(in_folder("a"), F_OK) != 0);
	CHECK(anim_output_commit(output, &error) == 0 && holds(in_folder("a"), "text"));
	anim_output_free(output);
	CHECK(entries(true) == 1);
}

TEST(output_links, "a symbolic link stays one, its target is written, even where that is not there yet")
{
	struct stat info;

	make_folder();
	CHECK(put(in_folder("real"), "old") == 0);
	CHECK(symlink("real", in_folder("link")) == 0 && symlink("absent", in_folder("dangling")) == 0);
	CHECK(put(in_folder("link"), "new") == 0 && holds(in_folder("real"), "new"));
	CHECK(lstat(in_folder("link"), &info) == 0 && S_ISLNK(info.st_mode));
	CHECK(put(in_folder("dangling"), "made") == 0 && holds(in_folder("absent"), "made"));
	CHECK(lstat(in_folder("dangling"), &info) == 0 && S_ISLNK(info.st_mode));
	CHECK(symlink("loop", in_folder("loop")) == 0 && put(in_folder("loop"), "x") != 0);
	CHECK(entries(true) == 5);
}

TEST(output_refusals, "a folder, a name in a folder that is not there and a full disk are errors with their names")
{
	struct anim_output *output;
	struct anim_error error;

	make_folder();
	CHECK(anim_output_open(&output, folder, &error) == -1 && strcmp(error.file, folder) == 0);
	CHECKF(strcmp(error.message, "cannot write: Is a directory") == 0, "%s", error.message);
	CHECK(anim_output_open(&output, in_folder("no/x"), &error) == -1);
	CHECKF(strcmp(error.message, "cannot create: No such file or directory") == 0, "%s", error.message);
	CHECK(anim_output_open(&output, in_folder("new/"), &error) == -1 &&
	      anim_output_open(&output, "", &error) == -1);
	if (access("/dev/full", W_OK) != 0) {
		tap_skip("no /dev/full here");
		return;
	}
	CHECK(anim_output_open(&output, "/dev/full", &error) == 0);
	CHECK(anim_output_write(output, "x", 1, &error) == 0 && anim_output_commit(output, &error) == -1);
	CHECKF(strcmp(error.message, "cannot write: No space left on device") == 0, "%s", error.message);
	CHECK(error.code == ANIM_SYSTEM);
	anim_output_free(output);
	CHECK(entries(true) == 0);
}

TEST(output_pieces, "pieces of every size come out in order, reserved or written")
{
	static const size_t sizes[] = {1, 100, 65535, 65536, 200000, 262144, 600000, 3};
	struct anim_output *file, *memory;
	struct anim_error error;
	uint8_t *bytes = malloc(600000);
	size_t total = 0, size;
	FILE *back;

	make_folder();
	CHECK(anim_output_open(&file, in_folder("a"), &error) == 0 && anim_output_open_memory(&memory, &error) == 0);
	for (int i = 0; i < 24; i++) {
		size = sizes[i % 8];
		memset(bytes, 'a' + i, size);
		CHECK(anim_output_write(file, bytes, size, &error) == 0);
		CHECK(anim_output_write(memory, bytes, size, &error) == 0);
		memset(anim_output_reserve(file, 60000, &error), '0' + i, 60000);
		anim_output_advance(file, (size_t)i * 10);
		memset(anim_output_reserve(memory, 60000, &error), '0' + i, 60000);
		anim_output_advance(memory, (size_t)i * 10);
		total += size + (size_t)i * 10;
		CHECK(anim_output_offset(file) == total);
	}
	CHECK(anim_output_commit(file, &error) == 0 && anim_output_commit(memory, &error) == 0);
	CHECK(anim_output_memory(memory, &size) != NULL && size == total);
	back = fopen(in_folder("a"), "r");
	for (size_t at = 0; back != NULL && at < total; at += size) {
		size = fread(bytes, 1, 600000, back);
		if (!CHECK(size > 0 && memcmp(bytes, anim_output_memory(memory, &(size_t){0}) + at, size) == 0))
			break;
	}
	if (back != NULL)
		fclose(back);
	anim_output_free(file);
	anim_output_free(memory);
	anim_output_free(NULL);
	free(bytes);
	CHECK(entries(true) == 1);
}

TEST(output_many, "hundreds of sealed outputs wait for their commit at once")
{
	struct anim_output *outputs[400];
	struct anim_error error;
	char name[32];

	make_folder();
	for (int i = 0; i < 400; i++) {
		snprintf(name, sizeof name, "f%d", i);
		CHECK(anim_output_open(&outputs[i], in_folder(name), &error) == 0);
		CHECK(anim_output_write(outputs[i], name, strlen(name), &error) == 0);
		CHECK(anim_output_seal(outputs[i], &error) == 0);
	}
	CHECK(entries(false) == 400);
	for (int i = 0; i < 400; i++) {
		CHECK(anim_output_commit(outputs[i], &error) == 0);
		anim_output_free(outputs[i]);
	}
	CHECK(holds(in_folder("f399"), "f399") && entries(true) == 400);
}

/* The number of the entry that the next temporary gets; a large one where there is none. */
static unsigned next_number(void)
{
	struct anim_temporary *temporary;
	struct dirent *entry;
	unsigned number = 1u << 30;
	int fd = anim_temporary_open(in_folder("next"), &temporary);
	DIR *dir = opendir(folder);

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		(void)sscanf(entry->d_name, ".anim-%*d-%u-", &number);
	if (dir != NULL)
		closedir(dir);
	if (fd >= 0) {
		close(fd);
		CHECK(anim_temporary_remove(temporary, NULL));
	}
	return number;
}

TEST(output_link, "what cannot get a second name takes no place among the temporaries")
{
	struct anim_temporary *temporary;
	unsigned number;

	make_folder();
	number = next_number();
	CHECK(number < 1u << 30);
	CHECK(anim_temporary_link(in_folder("none"), &temporary) == -1);
	CHECK(next_number() == number);
	CHECK(entries(true) == 0);
}
