/* replay.c: runs a fuzz target over files and folders without a fuzzer: replay_X FILE|FOLDER... */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t inputs;

static int replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL, block[65536];
	size_t size = 0, got;

	if (file == NULL) {
		perror(path);
		return -1;
	}
	while ((got = fread(block, 1, sizeof block, file)) > 0) {
		bytes = realloc(bytes, size + got);
		if (bytes == NULL)
			abort();
		memcpy(bytes + size, block, got);
		size += got;
	}
	fclose(file);
	inputs++;
	/* A target that finds something aborts; the last path printed is the culprit. */
	if (getenv("ANIM_REPLAY_VERBOSE") != NULL)
		fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(bytes != NULL ? bytes : block, size);
	free(bytes);
	return 0;
}

static int replay_path(const char *path);

static int replay_folder(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	int status = 0;

	if (folder == NULL) {
		perror(path);
		return -1;
	}
	while ((entry = readdir(folder)) != NULL) {
		char inside[4096];

		if (entry->d_name[0] == '.')
			continue;
		if ((size_t)snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) >= sizeof inside)
			status = -1;
		else if (replay_path(inside) != 0)
			status = -1;
	}
	closedir(folder);
	return status;
}

static int replay_path(const char *path)
{
	struct stat info;

	if (stat(path, &info) != 0) {
		perror(path);
		return -1;
	}
	return S_ISDIR(info.st_mode) ? replay_folder(path) : replay_file(path);
}

int main(int argc, char **argv)
{
	int status = 0;

	for (int i = 1; i < argc; i++)
		if (replay_path(argv[i]) != 0)
			status = 1;
	printf("%zu inputs\n", inputs);
	return inputs == 0 ? 1 : status;
}
