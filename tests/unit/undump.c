/* undump.c: the text of anim-dump is exact: read back it is the same stream, and nothing else is taken for one. */
#include <string.h>

#include "../text_reading.h"
#include "axs.h"
#include "base/input.h"
#include "base/number.h"
#include "clip/keys.h"
#include "tap.h"

#define SMALL 20000u /* bytes of a stream that is also read byte by byte */

static void check_round(const char *name, const struct anim_buffer *stream)
{
	struct anim_output *text = NULL, *again = NULL;
	struct anim_error error = {0};
	const uint8_t *bytes, *made;
	size_t size, made_size;
	int ways = stream->size < SMALL ? 2 : 1;

	if (!CHECKF(text_of_stream(TEXT_DUMP, stream->data, stream->size, &text, &error) == 0, "%s: %s", name,
		    error.message))
		return;
	bytes = anim_output_memory(text, &size);
	for (int way = 0; way < ways; way++) {
		if (CHECKF(stream_of_text(TEXT_DUMP, bytes, size, way == 1, &again, &error) == 0, "%s:%u:%u: %s", name,
			   error.line, error.column, error.message)) {
			made = anim_output_memory(again, &made_size);
			CHECKF(made_size == stream->size && memcmp(made, stream->data, made_size) == 0,
			       "%s is another stream", name);
		}
		anim_output_free(again);
	}
	anim_output_free(text);
}

TEST(undump_round, "the dump of every crafted stream is turned back into its bytes, from memory and byte by byte")
{
	struct anim_buffer manifest = {0};
	struct axs_verdict verdict;
	const char *at;
	size_t count = 0;

	if (!axs_load(&manifest, "good", "manifest.json"))
		return;
	anim_buffer_append(&manifest, "", 1, NULL);
	for (at = (const char *)manifest.data; (at = axs_next_verdict(at, &verdict)) != NULL; count++) {
		struct anim_buffer stream = {0};

		if (axs_load(&stream, "good", verdict.file))
			check_round(verdict.file, &stream);
		anim_buffer_clear(&stream);
	}
	CHECK(count >= 40);
	anim_buffer_clear(&manifest);
}

/* The dump of a small stream with all kinds of records. */
static struct anim_output *small_text(const char *name)
{
	struct anim_buffer stream = {0};
	struct anim_output *text = NULL;
	struct anim_error error = {0};

	if (axs_load(&stream, "good", name))
		CHECKF(text_of_stream(TEXT_DUMP, stream.data, stream.size, &text, &error) == 0, "%s", error.message);
	anim_buffer_clear(&stream);
	return text;
}

static const char *const cut_ones[] = {"optional_columns.axs", "unknown_column.axs",   "stale_index.axs",
				       "strings_all_null.axs", "prepared_bool3_1.axs", "no_keys.axs"};

TEST(undump_prefixes, "every proper prefix of a dump is refused with its line, and so is one byte more")
{
	for (size_t i = 0; i < sizeof cut_ones / sizeof *cut_ones; i++) {
		struct anim_output *text = small_text(cut_ones[i]), *stream;
		size_t size;
		const uint8_t *bytes = anim_output_memory(text, &size);
		struct anim_buffer longer = {0};
		struct anim_error error = {0};

		for (size_t cut = 0; cut < size; cut++) {
			if (!CHECKF(stream_of_text(TEXT_DUMP, bytes, cut, false, &stream, &error) != 0,
				    "%s: %zu of %zu bytes are taken", cut_ones[i], cut, size))
				cut = size;
			CHECKF(error.at == ANIM_AT_LINE || cut == 0, "%zu: %s", cut, error.message);
			anim_output_free(stream);
		}
		anim_buffer_append(&longer, bytes, size, NULL);
		anim_buffer_append(&longer, "\n", 1, NULL);
		CHECK(stream_of_text(TEXT_DUMP, longer.data, longer.size, false, &stream, &error) != 0);
		anim_output_free(stream);
		anim_buffer_clear(&longer);
		anim_output_free(text);
	}
}

TEST(undump_flips, "a dump with a byte changed is refused with a place, or is the dump of another stream")
{
	for (size_t i = 0; i < sizeof cut_ones / sizeof *cut_ones; i++) {
		struct anim_output *text = small_text(cut_ones[i]), *stream, *other, *again;
		size_t size, made;
		const uint8_t *bytes = anim_output_memory(text, &size);
		struct anim_buffer copy = {0};
		struct anim_error error = {0};

		anim_buffer_append(&copy, bytes, size, NULL);
		for (size_t at = 0; at < size; at++) {
			copy.data[at] ^= (uint8_t)(1u << at % 7);
			if (stream_of_text(TEXT_DUMP, copy.data, size, false, &stream, &error) == 0) {
				const uint8_t *records = anim_output_memory(stream, &made);

				CHECK(text_of_stream(TEXT_DUMP, records, made, &other, &error) == 0);
				records = anim_output_memory(other, &made);
				CHECK(stream_of_text(TEXT_DUMP, records, made, false, &again, &error) == 0);
				CHECKF(same_memory(stream, again), "%s: byte %zu", cut_ones[i], at);
				anim_output_free(again);
				anim_output_free(other);
			} else {
				CHECKF(error.message[0] != '\0' && error.at == ANIM_AT_LINE, "%s: byte %zu: %s",
				       cut_ones[i], at, error.message);
			}
			anim_output_free(stream);
			copy.data[at] = bytes[at];
		}
		anim_buffer_clear(&copy);
		anim_output_free(text);
	}
}

TEST(undump_same_modes, "a column of modes that are all the same stays a column")
{
	struct axs made = {0};
	struct anim_buffer record = {0};
	struct anim_track track = axs_curve();
	const uint8_t modes[] = {ANIM_LINEAR, ANIM_HOLD, ANIM_LINEAR};
	struct anim_clip clip = axs_clip();
	size_t at, changed = 0;

	track.interp = ANIM_INTERP_COLUMN;
	track.interps = modes;
	axs_begin(&made);
	axs_encode_clip(&made, &clip, false);
	at = made.bytes.size;
	axs_encode_track(&made, &track);
	/* The middle mode becomes that of the others, as no encoder of ours would write it. */
	for (size_t i = at; i + 3 < made.bytes.size; i++)
		if (memcmp(made.bytes.data + i, modes, 3) == 0) {
			made.bytes.data[i + 1] = ANIM_LINEAR;
			changed++;
		}
	CHECK(changed == 1);
	anim_buffer_append(&record, made.bytes.data + at, made.bytes.size - at, NULL);
	made.bytes.size = at;
	made.records--;
	made.lengths -= record.size - 16;
	axs_record(&made, "TRAK", record.data + 16, record.size - 16);
	axs_end(&made);
	check_round("modes", &made.bytes);
	anim_buffer_clear(&record);
	axs_clear(&made);
}

TEST(lines_of_any_length, "lines are told apart whatever windows they come in, the last one with or without its end")
{
	static const char text[] = "a\n\nccc\nlast";
	static const struct anim_input_options one_byte = {.read_max = 1};
	FILE *file = tmpfile();
	struct anim_lines lines = {0};
	struct anim_error error = {0};

	fwrite(text, 1, sizeof text - 1, file);
	rewind(file);
	CHECK(anim_input_open_fd(&lines.input, fileno(file), "x", &one_byte, &error) == 0);
	CHECK(anim_lines_next(&lines, &error) == 1 && lines.end - lines.at == 1 && *lines.at == 'a' && lines.is_whole);
	CHECK(anim_lines_next(&lines, &error) == 1 && lines.end == lines.at && lines.number == 2);
	CHECK(anim_lines_next(&lines, &error) == 1 && lines.end - lines.at == 3 && memcmp(lines.at, "ccc", 3) == 0);
	CHECK(anim_lines_place(&lines, lines.at + 2).line == 3 && anim_lines_place(&lines, lines.at + 2).column == 3);
	CHECK(anim_lines_next(&lines, &error) == 1 && lines.end - lines.at == 4 && !lines.is_whole);
	CHECK(anim_lines_next(&lines, &error) == 0);
	anim_input_close(lines.input);
	fclose(file);
}

TEST(number_special, "infinities and NaNs are read with their bits, and no number is taken for one")
{
	static const char text[] = "-inf nan nan:ffc12345 nan:7f800000 nan:7FC00000 in nan:7ff8000000000001";
	const char *end = text + sizeof text - 1;
	float value;
	double wide;
	uint32_t bits;
	uint64_t wide_bits;

	CHECK(anim_number_special_float(text, end, &value) == text + 4 && value < -3e38f);
	CHECK(anim_number_special_float(text + 5, end, &value) == text + 8 && value != value);
	CHECK(anim_number_special_float(text + 9, end, &value) == text + 21);
	memcpy(&bits, &value, sizeof bits);
	CHECK(bits == 0xffc12345);
	CHECK(anim_number_special_float(text + 22, end, &value) == NULL); /* an infinity's bits */
	CHECK(anim_number_special_float(text + 35, end, &value) == NULL); /* upper case */
	CHECK(anim_number_special_float(text + 48, text + 50, &value) == NULL);
	CHECK(anim_number_special_double(text + 51, end, &wide) == end);
	memcpy(&wide_bits, &wide, sizeof wide_bits);
	CHECK(wide_bits == 0x7ff8000000000001u);
	CHECK(anim_number_special_double(text + 51, end - 1, &wide) == NULL);
}

TEST(component_store, "whole numbers are stored where they fit their type, and nowhere else")
{
	static const struct {
		enum anim_type type;
		bool negative;
		uint64_t most, beyond;
	} limits[] = {
	    {ANIM_BYTE, false, 255, 256},
	    {ANIM_SBYTE, false, 127, 128},
	    {ANIM_SBYTE, true, 128, 129},
	    {ANIM_USHORT, true, 0, 1},
	    {ANIM_INT, true, 2147483648u, 2147483649u},
	    {ANIM_UINT, false, 4294967295u, 4294967296u},
	    {ANIM_LONG, false, INT64_MAX, (uint64_t)INT64_MAX + 1},
	    {ANIM_LONG, true, (uint64_t)INT64_MAX + 1, (uint64_t)INT64_MAX + 2},
	    {ANIM_BOOL, false, 1, 2},
	};
	uint8_t value[8];

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		int64_t wanted = (int64_t)(limits[i].negative ? 0 - limits[i].most : limits[i].most);

		memset(value, 0, sizeof value);
		CHECKF(anim_component_store(limits[i].type, value, 0, limits[i].negative, limits[i].most), "row %zu",
		       i);
		CHECKF(anim_component_integer(limits[i].type, value, 0, 0) == wanted, "row %zu", i);
		CHECKF(!anim_component_store(limits[i].type, value, 0, limits[i].negative, limits[i].beyond), "row %zu",
		       i);
	}
	memset(value, 0, sizeof value);
	CHECK(anim_component_store(ANIM_ULONG, value, 0, false, UINT64_MAX) && value[7] == 255);
	memset(value, 0, sizeof value);
	CHECK(anim_component_store(ANIM_BOOL3, value, 2, false, 1) && value[0] == 4);
	CHECK(anim_component_store(ANIM_COLOR32, value, 3, false, 9) && value[3] == 9);
}
