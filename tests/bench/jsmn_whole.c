/*
 * jsmn_whole.c: the reference of the AnimJ reader: a process that reads a whole file into memory and has jsmn cut it into
 * tokens, an array that doubles where it is full. Prints how many.  bench_jsmn_whole FILE
 */
#include <fcntl.h>
#include <jsmn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file's bytes, NULL where it cannot be read. */
static char *read_whole(const char *path, size_t *size)
{
	struct stat info;
	char *text = NULL;
	ssize_t got = 1;
	int fd = open(path, O_RDONLY);

	*size = 0;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &info) == 0)
		text = malloc((size_t)info.st_size + 1);
	while (text != NULL && *size < (size_t)info.st_size && got > 0) {
		got = read(fd, text + *size, (size_t)info.st_size - *size);
		*size += got > 0 ? (size_t)got : 0;
	}
	close(fd);
	return text;
}

int main(int argc, char **argv)
{
	size_t size, capacity = 1 << 16;
	char *text = argc == 2 ? read_whole(argv[1], &size) : NULL;
	jsmntok_t *tokens = malloc(capacity * sizeof *tokens);
	jsmn_parser parser;
	int count;

	if (text == NULL || tokens == NULL) {
		fputs("usage: bench_jsmn_whole FILE\n", stderr);
		return 2;
	}
	jsmn_init(&parser);
	while ((count = jsmn_parse(&parser, text, size, tokens, (unsigned)capacity)) == JSMN_ERROR_NOMEM) {
		jsmntok_t *moved = realloc(tokens, 2 * capacity * sizeof *tokens);

		if (moved == NULL)
			return 1;
		tokens = moved;
		capacity *= 2;
	}
	printf("%d\n", count);
	free(tokens);
	free(text);
	return count < 0;
}
