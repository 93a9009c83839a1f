/*
 * mutate.c: makes a damaged file, the same one for the same seed.
 *   mutate [-c] SEED OUTPUT FILE...    takes one of the files and changes it in one to six places
 * Places are flipped, cut out, doubled, moved, overwritten with a piece of another file; numbers and marks of a text are
 * swapped for ones that readers stumble over. With -c the file is a stream and every record's CRC is made right again,
 * so that what lies behind the CRC is reached too; most changes then keep all in its place.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define CHANGES_MAX 6
#define PIECE_MAX 4096

struct bytes {
	uint8_t *at;
	size_t size;
};

static void die(const char *what)
{
	perror(what);
	exit(2);
}

/* SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators". */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t limit)
{
	return limit == 0 ? 0 : draw(state) % limit;
}

static struct bytes load(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct bytes bytes = {0};

	if (file == NULL || fseek(file, 0, SEEK_END) != 0)
		die(path);
	bytes.size = (size_t)ftell(file);
	rewind(file);
	bytes.at = malloc(bytes.size + 1);
	if (bytes.at == NULL || fread(bytes.at, 1, bytes.size, file) != bytes.size)
		die(path);
	fclose(file);
	return bytes;
}

/* Puts `count` bytes in the place of `gone` ones at `from`. `piece` may lie in the bytes themselves. */
static void splice(struct bytes *bytes, size_t from, size_t gone, const void *piece, size_t count)
{
	uint8_t *made = malloc(bytes->size - gone + count + 1);

	if (made == NULL)
		die("malloc");
	memcpy(made, bytes->at, from);
	if (count > 0)
		memcpy(made + from, piece, count);
	memcpy(made + from + count, bytes->at + from + gone, bytes->size - from - gone);
	free(bytes->at);
	bytes->at = made;
	bytes->size += count - gone;
}

/* A piece of at most PIECE_MAX bytes, short ones more often. */
static size_t piece(uint64_t *state, const struct bytes *bytes, size_t *from)
{
	size_t longest = (size_t)1 << below(state, 13), rest;

	*from = below(state, bytes->size);
	rest = bytes->size - *from;
	return rest == 0 ? 0 : 1 + below(state, rest < longest ? rest : longest);
}

static void flip(uint64_t *state, struct bytes *bytes)
{
	if (bytes->size > 0)
		bytes->at[below(state, bytes->size)] ^= (uint8_t)(1 << below(state, 8));
}

static void cut_end(uint64_t *state, struct bytes *bytes)
{
	bytes->size = below(state, bytes->size + 1);
}

static void cut_out(uint64_t *state, struct bytes *bytes)
{
	size_t from, count = piece(state, bytes, &from);

	splice(bytes, from, count, NULL, 0);
}

static void copy_within(uint64_t *state, struct bytes *bytes)
{
	size_t from, count = piece(state, bytes, &from);

	splice(bytes, below(state, bytes->size + 1), 0, bytes->at + from, count);
}

static void copy_over(uint64_t *state, struct bytes *bytes, const struct bytes *other)
{
	size_t from, count = piece(state, other, &from), to, gone = piece(state, bytes, &to);

	splice(bytes, to, gone, other->at + from, count);
}

static int is_number(int c)
{
	return isdigit(c) || c == '.' || c == '-' || c == '+';
}

static void swap_number(uint64_t *state, struct bytes *bytes)
{
	static const char *const numbers[] = {
	    "0",
	    "-1",
	    "1",
	    "2147483647",
	    "2147483648",
	    "-2147483649",
	    "4294967295",
	    "4294967296",
	    "9007199254740993",
	    "9223372036854775807",
	    "18446744073709551616",
	    "1e38",
	    "3.5e38",
	    "1e-46",
	    "1e308",
	    "1e999",
	    "-0.0",
	    "nan",
	    "inf",
	    "-inf",
	    "inf_neg",
	    "0.1",
	    "65536",
	    "1000000000",
	    "1e",
	    ".",
	    "0x7f",
	    "--1",
	    "128",
	    "255",
	    "1.5e-7",
	    "",
	};
	const char *number = numbers[below(state, sizeof numbers / sizeof *numbers)];
	size_t from = below(state, bytes->size), to;

	while (from < bytes->size && !isdigit(bytes->at[from]))
		from++;
	while (from > 0 && is_number(bytes->at[from - 1]))
		from--;
	for (to = from; to < bytes->size && is_number(bytes->at[to]);)
		to++;
	splice(bytes, from, to - from, number, strlen(number));
}

static void put_mark(uint64_t *state, struct bytes *bytes)
{
	static const char *const marks[] = {"(",
					    ")",
					    "[",
					    "]",
					    "{",
					    "}",
					    "\"",
					    ",",
					    ":",
					    "=",
					    "\n",
					    "\\",
					    "&\"",
					    "\"\"",
					    "null",
					    "true",
					    "[[[[[[[[",
					    "{{{{",
					    "\\u0000",
					    "\\ud800",
					    "\xff\xfe",
					    "Vector3(",
					    "PackedFloat32Array(",
					    "SubResource(\"1\")",
					    "\n[",
					    "]\n",
					    ";",
					    "\xef\xbb\xbf",
					    "tracks/4294967295/type = \"value\"\n"};
	const char *mark = marks[below(state, sizeof marks / sizeof *marks)];

	splice(bytes, below(state, bytes->size + 1), 0, mark, strlen(mark));
}

/* A little-endian number of 1, 2, 4 or 8 bytes that sizes and offsets are not meant to be. */
static void overwrite(uint64_t *state, struct bytes *bytes)
{
	static const uint64_t numbers[] = {0,         1,          2,          0x7f,       0x80,       0xff,
					   0x7fff,    0xffff,     0x7fffffff, 0x80000000, 0xffffffff, (uint64_t)1 << 40,
					   INT64_MAX, UINT64_MAX, 0x7f800000, 0x7fc00000, 0xff800000};
	uint64_t number = numbers[below(state, sizeof numbers / sizeof *numbers)];
	size_t count = (size_t)1 << below(state, 4);

	if (bytes->size >= count)
		memcpy(bytes->at + below(state, bytes->size - count + 1), &number, count);
}

static void change(uint64_t *state, struct bytes *bytes, const struct bytes *other)
{
	switch (below(state, 10)) {
	case 0:
	case 1:
		flip(state, bytes);
		break;
	case 2:
		cut_out(state, bytes);
		break;
	case 3:
		copy_within(state, bytes);
		break;
	case 4:
		copy_over(state, bytes, other);
		break;
	case 5:
		put_mark(state, bytes);
		break;
	case 6:
	case 7:
		swap_number(state, bytes);
		break;
	case 8:
		overwrite(state, bytes);
		break;
	default:
		if (below(state, 4) == 0)
			cut_end(state, bytes);
		else
			flip(state, bytes);
	}
}

/* Keeps every byte in its place: lengths and offsets of a stream hold each other, and little else gets past them. */
static void change_in_place(uint64_t *state, struct bytes *bytes)
{
	size_t from, count;

	switch (below(state, 4)) {
	case 0:
		overwrite(state, bytes);
		break;
	case 1:
		count = piece(state, bytes, &from);
		memmove(bytes->at + below(state, bytes->size - count + 1), bytes->at + from, count);
		break;
	default:
		flip(state, bytes);
	}
}

/* Where lengths still lead from record to record; see anim-stream(5). */
static void correct_crcs(struct bytes *bytes)
{
	for (size_t at = 8; at < bytes->size && bytes->size - at >= 16;) {
		uint64_t length, size;
		uint32_t crc;

		memcpy(&length, bytes->at + at + 8, sizeof length);
		size = 16 + ((length + 7) & ~(uint64_t)7);
		if (length > bytes->size || size > bytes->size - at)
			break;
		crc = (uint32_t)crc32_z(crc32_z(0, bytes->at + at, 4), bytes->at + at + 8, (size_t)size - 8);
		memcpy(bytes->at + at + 4, &crc, sizeof crc);
		at += (size_t)size;
	}
}

static void save(const char *path, const struct bytes *bytes)
{
	FILE *file = fopen(path, "wb");

	if (file == NULL || fwrite(bytes->at, 1, bytes->size, file) != bytes->size || fclose(file) != 0)
		die(path);
}

int main(int argc, char **argv)
{
	int is_stream = argc > 1 && strcmp(argv[1], "-c") == 0;
	struct bytes bytes, other;
	uint64_t state;
	char **files;
	size_t count;

	argc -= 1 + is_stream;
	argv += 1 + is_stream;
	if (argc < 3) {
		fputs("usage: mutate [-c] SEED OUTPUT FILE...\n", stderr);
		return 2;
	}
	state = strtoull(argv[0], NULL, 10);
	files = argv + 2;
	count = (size_t)argc - 2;
	bytes = load(files[below(&state, count)]);
	other = load(files[below(&state, count)]);
	for (size_t changes = 1 + below(&state, is_stream ? 2 : CHANGES_MAX); changes > 0; changes--)
		if (is_stream && below(&state, 8) > 0)
			change_in_place(&state, &bytes);
		else
			change(&state, &bytes, &other);
	if (is_stream)
		correct_crcs(&bytes);
	save(argv[1], &bytes);
	free(bytes.at);
	free(other.at);
	return 0;
}
