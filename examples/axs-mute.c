/* axs-mute.c: leaves out the tracks of one node.
 * cc -o axs-mute axs-mute.c -lz;  axs-mute NODE <in.axs >out.axs */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { HEAD = 16 };
static unsigned char *record; /* head, payload, padding */
static size_t size, capacity;
static uint64_t records_in, bytes_in, records_out, bytes_out;

static void die(const char *what)
{
	fprintf(stderr, "axs-mute: %s\n", what);
	exit(1); /* without END: what was written is not taken for whole */
}

static uint64_t get64(const unsigned char *at)
{
	uint64_t value = 0;

	for (int i = 7; i >= 0; i--)
		value = value << 8 | at[i];
	return value;
}

static void put(unsigned char *at, uint64_t value, int count)
{
	for (int i = 0; i < count; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

static uint32_t crc_of_record(void)
{
	return (uint32_t)crc32_z(crc32_z(0, record, 4), record + 8,
				 size - 8);
}

static int is(const char *tag)
{
	return memcmp(record, tag, 4) == 0;
}

/* Appends `count` bytes of the input; memory grows as bytes arrive, not
 * by what a length promises. */
static int append(uint64_t count)
{
	while (count > 0) {
		size_t part = count < 65536 ? (size_t)count : 65536;

		if (size + part > capacity &&
		    (record = realloc(
			 record, capacity = 2 * (size + part))) == NULL)
			die("out of memory");
		if (fread(record + size, 1, part, stdin) != part)
			return 0;
		size += part;
		count -= part;
	}
	return 1;
}

static void read_record(void)
{
	uint64_t length;

	size = 0;
	if (!append(HEAD))
		die("no END: the stream is cut");
	length = get64(record + 8);
	if (length > (uint64_t)1 << 40 || !append((length + 7) / 8 * 8))
		die("the stream is cut inside a record");
	if (crc_of_record() != (uint32_t)get64(record + 4))
		die("a record is damaged");
	for (size_t i = HEAD + (size_t)length; i < size; i++)
		if (record[i] != 0)
			die("padding that is not zero");
}

static void write_record(void)
{
	records_out++;
	bytes_out += get64(record + 8);
	fwrite(record, 1, size, stdout);
}

/* Makes a record of the payload that was put behind the head, and
 * writes it. */
static void write_new(const char *tag, uint64_t length)
{
	memcpy(record, tag, 4);
	put(record + 8, length, 8);
	size = HEAD + (length + 7) / 8 * 8;
	put(record + 4, crc_of_record(), 4);
	write_record();
}

/* Our provenance: program "axs-mute", version "1", no attributes. The
 * record that is at hand is kept. */
static void write_prog(void)
{
	unsigned char *kept = record, own[HEAD + 16] = {0};
	size_t kept_size = size;

	memcpy(own + HEAD, "\10axs-mute\0011\0", 12);
	record = own;
	write_new("prog", 12);
	record = kept;
	size = kept_size;
}

/* A TRAK begins: u8 kind, u8 type, str node. */
static int is_track_of(const char *node)
{
	const unsigned char *at = record + HEAD + 2,
			    *end = record + HEAD + get64(record + 8);
	uint64_t length = 0;

	for (int shift = 0; at < end && shift < 63; shift += 7) {
		length |= (uint64_t)(*at & 127) << shift;
		if (*at++ < 128)
			return length == strlen(node) &&
			       length <= (uint64_t)(end - at) &&
			       memcmp(at, node, length) == 0;
	}
	die("a TRAK without a node");
	return 0;
}

/* Reads to END and forwards what is to stay. */
static void filter(const char *node)
{
	int prog_written = 0, indexed = 0, dropping = 0;

	for (read_record(); !is("END "); read_record()) {
		int known = is("prog") || is("TREE") || is("NODE") ||
			    is("CLIP") || is("TRAK") || is("iNDX");

		if (!known && record[0] < 'a')
			die("a record that needs a newer program");
		if ((known && indexed) || (is("prog") && prog_written))
			die("a record out of order");
		records_in++;
		bytes_in += get64(record + 8);
		indexed = indexed || is("iNDX");
		if (known && !is("prog") && !prog_written++)
			write_prog();
		if (known) /* what nobody knows goes with the known record before it */
			dropping =
			    indexed || (is("TRAK") && is_track_of(node));
		if (!dropping &&
		    (known ||
		     record[1] >=
			 'a')) /* an upper-case letter: it describes other records */
			write_record();
	}
	if (!prog_written)
		write_prog();
}

int main(int argc, char **argv)
{
	record = malloc(capacity = 65536);
	if (argc != 2 || record == NULL)
		die("usage: axs-mute NODE <in.axs >out.axs");
	if (!append(8) || memcmp(record, "\5AnimS\1\0", 8) != 0)
		die("not a stream of version 1");
	fwrite(record, 1, 8, stdout);
	filter(argv[1]);
	if (get64(record + 8) != 16 ||
	    get64(record + HEAD) != records_in ||
	    get64(record + HEAD + 8) != bytes_in)
		die("END tells of other records than came");
	if (getchar() != EOF || ferror(stdin))
		die("bytes after END");
	put(record + HEAD, records_out, 8);
	put(record + HEAD + 8, bytes_out, 8);
	write_new("END ", 16);
	if (fclose(stdout) != 0)
		die("cannot write");
	return 0;
}
