/* stream.c: records, reader, writer: what is refused and where, and that what was written reads back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../recode.h"
#include "axs.h"
#include "base/advice.h"
#include "base/limits.h"
#include "stream/fields.h"
#include "stream/record.h"
#include "tap.h"

TEST(crc_agrees, "the wide CRC gives zlib's result for every length, place and start")
{
	enum { SIZE = 4096 + 64 };
	uint8_t *bytes = malloc(SIZE);
	uint32_t state = 1;

	for (size_t i = 0; i < SIZE; i++) {
		state = state * 1664525 + 1013904223;
		bytes[i] = (uint8_t)(state >> 24);
	}
	for (size_t size = 0; size <= 1100; size++)
		for (size_t place = 0; place < 3; place++)
			CHECKF(anim_crc32(state + (uint32_t)size, bytes + place, size) ==
				   anim_crc32_plain(state + (uint32_t)size, bytes + place, size),
			       "%zu bytes at %zu", size, place);
	for (size_t place = 0; place < 64; place++)
		CHECK(anim_crc32(0, bytes + place, 4096) == anim_crc32_plain(0, bytes + place, 4096));
	CHECK(anim_crc32(0, "123456789", 9) == 0xCBF43926);
	CHECK(anim_crc32(0xCBF43926, NULL, 0) == 0xCBF43926);
	free(bytes);
}

/* Reads, copies and re-encodes; what comes out must be the same bytes, and a stream that encodes to itself. */
static void check_accepted(const char *file, const struct anim_buffer *bytes)
{
	struct anim_error error = {0};
	struct anim_output *copy, *first, *second;
	const uint8_t *a, *b;
	size_t a_size, b_size;

	anim_output_open_memory(&copy, NULL);
	anim_output_open_memory(&first, NULL);
	anim_output_open_memory(&second, NULL);
	CHECKF(rewrite_bytes(bytes->data, bytes->size, NULL, false, copy, &error) == 0, "%s: byte %llu: %s", file,
	       (unsigned long long)error.offset, error.message);
	a = anim_output_memory(copy, &a_size);
	CHECKF(a_size == bytes->size && memcmp(a, bytes->data, a_size) == 0, "%s: copied with other bytes", file);
	CHECKF(rewrite_bytes(bytes->data, bytes->size, NULL, true, first, &error) == 0, "%s: written anew: %s", file,
	       error.message);
	a = anim_output_memory(first, &a_size);
	CHECKF(rewrite_bytes(a, a_size, NULL, true, second, &error) == 0, "%s: read back: %s", file, error.message);
	b = anim_output_memory(second, &b_size);
	CHECKF(a_size == b_size && memcmp(a, b, a_size) == 0, "%s: written twice with other bytes", file);
	anim_output_free(copy);
	anim_output_free(first);
	anim_output_free(second);
}

static void check_refused(const struct axs_verdict *verdict, const struct anim_buffer *bytes)
{
	struct anim_error error = {0};
	struct anim_output *copy;

	anim_output_open_memory(&copy, NULL);
	CHECKF(rewrite_bytes(bytes->data, bytes->size, NULL, false, copy, &error) == -1, "%s: accepted", verdict->file);
	CHECKF(error.message[0] != '\0' && error.at == ANIM_AT_BYTE && strcmp(error.file, "test.axs") == 0,
	       "%s: no place: %s", verdict->file, error.message);
	CHECKF(verdict->offset < 0 || error.offset == (uint64_t)verdict->offset, "%s: byte %llu, not %ld: %s",
	       verdict->file, (unsigned long long)error.offset, verdict->offset, error.message);
	CHECKF(error.offset <= bytes->size, "%s: a place outside", verdict->file);
	if (getenv("ANIM_SHOW") != NULL)
		printf("# %s: byte %llu: %s\n", verdict->file, (unsigned long long)error.offset, error.message);
	anim_output_free(copy);
}

static size_t check_manifest(const char *folder)
{
	struct anim_buffer manifest = {0};
	struct axs_verdict verdict;
	const char *at;
	size_t count = 0;

	if (!axs_load(&manifest, folder, "manifest.json"))
		return 0;
	anim_buffer_append(&manifest, "", 1, NULL);
	for (at = (const char *)manifest.data; (at = axs_next_verdict(at, &verdict)) != NULL; count++) {
		struct anim_buffer bytes = {0};

		if (!axs_load(&bytes, folder, verdict.file))
			continue;
		if (verdict.accept)
			check_accepted(verdict.file, &bytes);
		else
			check_refused(&verdict, &bytes);
		anim_buffer_clear(&bytes);
	}
	anim_buffer_clear(&manifest);
	return count;
}

TEST(good_streams, "every stream of tests/data/axs/good is read, copied byte by byte and written anew")
{
	CHECK(check_manifest("good") == 50);
}

TEST(bad_streams, "every stream of tests/data/axs/bad is refused at the byte that the manifest names")
{
	CHECK(check_manifest("bad") == 122);
}

/* A stream with each kind of record. */
static void make_sample(struct axs *axs)
{
	struct anim_buffer record = {0};
	struct anim_tree tree = axs_tree();
	struct anim_node root = axs_node(0), box = axs_node(1);
	struct anim_clip clip = axs_clip();
	struct anim_track curve = axs_curve(), raw = axs_raw(), strings = axs_strings();
	static const struct anim_attr items[] = {{"files", "walk.tscn"}};
	struct anim_prog prog = {"anim-parse", "1.0.0", {items, 1}};

	clip.flags = ANIM_IN_TREE;
	axs_begin(axs);
	CHECK(anim_encode_prog(&record, &prog, NULL) == 0);
	axs_append(axs, &record);
	record.size = 0;
	CHECK(anim_encode_tree(&record, &tree, NULL) == 0);
	axs_append(axs, &record);
	record.size = 0;
	CHECK(anim_encode_node(&record, &root, 0, NULL) == 0);
	axs_append(axs, &record);
	record.size = 0;
	CHECK(anim_encode_node(&record, &box, 1, NULL) == 0);
	axs_append(axs, &record);
	axs_encode_clip(axs, &clip, true);
	axs_encode_track(axs, &curve);
	axs_encode_track(axs, &raw);
	axs_record(axs, "abcd", "unknown", 7);
	axs_encode_track(axs, &strings);
	axs_end(axs);
	anim_buffer_clear(&record);
}

/* Whether the stream is accepted; the error says why not. */
static bool accepts(const void *bytes, size_t size, struct anim_error *error)
{
	struct anim_output *output;
	bool accepted;

	anim_output_open_memory(&output, NULL);
	accepted = rewrite_bytes(bytes, size, NULL, true, output, error) == 0;
	anim_output_free(output);
	return accepted;
}

TEST(every_prefix, "every proper prefix of a stream is refused, a missing END at the length of the input")
{
	struct axs axs;
	struct anim_error error;

	make_sample(&axs);
	CHECK(accepts(axs.bytes.data, axs.bytes.size, &error));
	for (size_t size = 0; size < axs.bytes.size; size++)
		CHECKF(!accepts(axs.bytes.data, size, &error) && error.offset <= size, "%zu bytes", size);
	CHECK(!accepts(axs.bytes.data, axs.bytes.size - 32, &error));
	CHECK(error.offset == axs.bytes.size - 32 && strstr(error.message, "no END") != NULL);
	CHECK(!accepts(axs.bytes.data, axs.bytes.size - 1, &error) && error.offset == axs.bytes.size - 32);
	CHECK(!accepts(axs.bytes.data, axs.bytes.size - 20, &error) && error.offset == axs.bytes.size - 32);
	axs_clear(&axs);
}

TEST(every_byte, "a stream with any bit flipped is refused")
{
	struct axs axs;
	struct anim_error error;

	make_sample(&axs);
	for (size_t at = 0; at < axs.bytes.size; at++)
		for (unsigned bit = 0; bit < 8; bit++) {
			axs.bytes.data[at] ^= (uint8_t)(1u << bit);
			CHECKF(!accepts(axs.bytes.data, axs.bytes.size, &error), "bit %u of byte %zu", bit, at);
			axs.bytes.data[at] ^= (uint8_t)(1u << bit);
		}
	axs_clear(&axs);
}

TEST(one_more_byte, "a byte after END is refused, a second stream with the advice to join files")
{
	struct axs axs;
	struct anim_error error;
	size_t size;

	make_sample(&axs);
	size = axs.bytes.size;
	anim_buffer_append(&axs.bytes, "", 1, NULL);
	CHECK(!accepts(axs.bytes.data, size + 1, &error) && error.offset == size);
	axs.bytes.size = size;
	anim_buffer_reserve(&axs.bytes, size, NULL);
	anim_buffer_append(&axs.bytes, axs.bytes.data, size, NULL);
	CHECK(!accepts(axs.bytes.data, 2 * size, &error) && error.offset == size);
	CHECK(strstr(error.message, ANIM_ADVICE(JOIN_FILES)) != NULL);
	axs_clear(&axs);
}

TEST(other_inputs, "what is no stream is told apart: nothing, AnimX, text, version 0, a later version")
{
	struct anim_error error;

	CHECK(!accepts("", 0, &error) && strstr(error.message, "empty input") != NULL);
	CHECK(!accepts("\5AnimX\1\0\0\0", 10, &error) && strstr(error.message, "AnimX") != NULL);
	CHECK(!accepts("[gd_scene]", 10, &error) && strcmp(error.message, "not a stream") == 0);
	CHECK(!accepts("\5An", 3, &error) && error.offset == 3);
	CHECK(!accepts("\5Ax", 3, &error) && strcmp(error.message, "not a stream") == 0);
	CHECK(!accepts("\5AnimS\0\0", 8, &error) && error.offset == 6);
	CHECK(!accepts("\5AnimS\3\0", 8, &error) && error.offset == 6 && strstr(error.message, "newer") != NULL);
	CHECK(error.code == ANIM_UNSUPPORTED);
	CHECK(anim_stream_is((const uint8_t *)"\5AnimS\1\0", 8) && !anim_stream_is((const uint8_t *)"\5Anim", 5));
}

TEST(unknown_records, "an upper-case record that is not known needs a newer version; END is not known twice")
{
	struct anim_error error;
	struct axs axs;

	axs_begin(&axs);
	axs_record(&axs, "MESH", "", 0);
	axs_end(&axs);
	CHECK(!accepts(axs.bytes.data, axs.bytes.size, &error) && error.offset == 8);
	CHECK(strstr(error.message, "needs a newer version") != NULL && error.code == ANIM_UNSUPPORTED);
	axs_clear(&axs);
}

TEST(end_totals, "an END that tells of more or fewer bytes than came is refused")
{
	struct anim_error error;
	struct axs axs;

	axs_begin(&axs);
	axs_record(&axs, "abcd", "12345678", 8);
	axs.lengths++;
	axs_end(&axs);
	CHECK(!accepts(axs.bytes.data, axs.bytes.size, &error) && error.offset == 32);
	axs_clear(&axs);
}

/* Whether a stream of one record with this payload is accepted. */
static bool accepts_record(const char *tag, const void *payload, size_t size, struct anim_error *error)
{
	struct axs axs;
	bool accepted;

	axs_begin(&axs);
	axs_record(&axs, tag, payload, size);
	axs_end(&axs);
	accepted = accepts(axs.bytes.data, axs.bytes.size, error);
	axs_clear(&axs);
	return accepted;
}

TEST(refused_texts, "a NUL or a byte that is not UTF-8 is refused in every text, where it begins")
{
	struct anim_error error;

	CHECK(accepts_record("prog", "\1p\1v\1\1k\1v", 9, &error));
	CHECK(!accepts_record("prog", "\1\0\1v\1\1k\1v", 9, &error) && error.offset == 24);
	CHECK(!accepts_record("prog", "\1p\1\xff\1\1k\1v", 9, &error) && error.offset == 26);
	CHECK(!accepts_record("prog", "\1p\1v\1\1\0\1v", 9, &error) && error.offset == 29);
	CHECK(!accepts_record("prog", "\1p\1v\1\1k\1\x80", 9, &error) && error.offset == 31);
	CHECK(!accepts_record("prog", "\1p\1v\2\2a\0\0\1a\0", 12, &error));
	CHECK(!accepts_record("prog", "\1p\1v\2\1b\0\1a\0", 11, &error) && error.offset == 32);
	CHECK(accepts_record("prog", "\1p\1v\2\1a\0\2ab\0", 12, &error));
}

TEST(attribute_limit, "a record holds 4,096 attributes and no more, read or written")
{
	struct anim_attr *items = calloc(ANIM_ATTRS_MAX + 1, sizeof *items);
	char(*keys)[8] = calloc(ANIM_ATTRS_MAX + 1, sizeof *keys);
	struct anim_prog prog = {"p", "v", {items, ANIM_ATTRS_MAX}};
	struct anim_buffer buffer = {0}, payload = {0};
	struct anim_error error;

	anim_buffer_append(&payload, "\1p\1v\x81\x20", 6, NULL);
	for (unsigned i = 0; i <= ANIM_ATTRS_MAX; i++) {
		snprintf(keys[i], sizeof keys[i], "%05u", i);
		items[i] = (struct anim_attr){keys[i], ""};
		anim_put_text(&payload, keys[i], NULL);
		anim_put_text(&payload, "", NULL);
	}
	CHECK(anim_encode_prog(&buffer, &prog, &error) == 0);
	CHECK(accepts_record("prog", buffer.data + 16, 6 + 4096 * 7, &error));
	prog.attrs.count++;
	CHECK(anim_encode_prog(&buffer, &prog, &error) == -1);
	CHECK(!accepts_record("prog", payload.data, payload.size, &error) && error.offset == 28);
	anim_buffer_clear(&buffer);
	anim_buffer_clear(&payload);
	free(items);
	free(keys);
}

/* A sink that notes the last track's first values. */
struct noting {
	struct anim_sink sink;
	struct anim_track track;
	char node[64], text[64];
	float value[16];
	bool record_set;
};

static int note_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	(void)sink, (void)clip, (void)error;
	return 0;
}

static int note_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct noting *noting = (struct noting *)sink;

	(void)error;
	noting->track = *track;
	noting->record_set = track->record != NULL;
	snprintf(noting->node, sizeof noting->node, "%s", track->node);
	if (track->value != NULL)
		memcpy(noting->value, track->value, track->n * anim_types[track->type].size);
	if (track->strings != NULL)
		snprintf(noting->text, sizeof noting->text, "%.*s", (int)track->strings->length[0],
			 track->strings->bytes + track->strings->start[0]);
	return 0;
}

static int note_end(struct anim_sink *sink, struct anim_error *error)
{
	(void)sink, (void)error;
	return 0;
}

static const struct anim_sink_ops noting_ops = {.clip = note_clip, .track = note_track, .end = note_end};

/* A stream of one clip and one track through the decoder. */
static void one_track(const struct anim_track *track, struct noting *noting)
{
	struct anim_clip clip = axs_clip();
	struct anim_error error = {0};
	struct axs axs;

	memset(noting, 0, sizeof *noting);
	noting->sink.ops = &noting_ops;
	axs_begin(&axs);
	axs_encode_clip(&axs, &clip, false);
	axs_encode_track(&axs, track);
	axs_end(&axs);
	CHECKF(pump_bytes(axs.bytes.data, axs.bytes.size, &noting->sink, &error) == 0, "%s", error.message);
	axs_clear(&axs);
}

TEST(tracks_read_back, "a track's fields and keys are read back as they were written")
{
	struct anim_track curve = axs_curve(), strings = axs_strings(), raw = axs_raw();
	struct noting noting;

	curve.component = 255;
	curve.rules = ANIM_RULES_GODOT4;
	curve.flags = ANIM_LOOP_WRAP_KEYS | ANIM_DISABLED;
	curve.pre = ANIM_EXTRAPOLATION_LOOP;
	curve.post = ANIM_EXTRAPOLATION_NONE;
	one_track(&curve, &noting);
	CHECK(noting.record_set && strcmp(noting.node, "Box") == 0 && noting.track.n == 3);
	CHECK(noting.track.flags == 33 && noting.track.pre == 1 && noting.track.post == 3 && noting.track.rules == 1);
	CHECK(noting.value[8] == 8 && noting.value[3] == 3);
	one_track(&strings, &noting);
	CHECK(strcmp(noting.text, "one") == 0 && noting.track.kind == ANIM_DISCRETE);
	raw.start_s = -0.25;
	one_track(&raw, &noting);
	CHECK(noting.track.rate_num == 30 && noting.track.start_s == -0.25 && noting.track.time == NULL);
}

TEST(agreeing_modes, "modes of keys that all agree are written as the track's mode")
{
	static const uint8_t same[] = {0, 0, 0}, other[] = {0, 0, 1};
	struct anim_track track = axs_curve();
	struct noting noting;

	track.interp = ANIM_INTERP_COLUMN;
	track.interps = same;
	one_track(&track, &noting);
	CHECK(noting.track.interp == ANIM_HOLD && noting.track.interps == NULL);
	track.interps = other;
	one_track(&track, &noting);
	CHECK(noting.track.interp == ANIM_INTERP_COLUMN && noting.track.interps != NULL);
}

TEST(scattered_strings, "strings that do not lie one after another are written packed")
{
	static const uint64_t start[] = {4, 0, 0};
	static const uint32_t length[] = {3, ANIM_NULL_STRING, 4};
	static const struct anim_strings strings = {length, start,
						    "zero"
						    "one",
						    7};
	struct anim_track track = axs_strings();
	struct anim_buffer record = {0};
	struct noting noting;

	track.strings = &strings;
	one_track(&track, &noting);
	CHECK(strcmp(noting.text, "one") == 0);
	CHECK(anim_encode_track(&record, &track, NULL) == 0);
	CHECK(memcmp(record.data + record.size - 8, "onezero\0", 8) == 0);
	anim_buffer_clear(&record);
}

TEST(varints, "a number is written in its shortest form, at every border of a byte")
{
	static const uint64_t numbers[] = {0, 127, 128, 16383, 16384, ((uint64_t)1 << 63) - 1};
	static const size_t sizes[] = {1, 1, 2, 2, 3, 9};
	struct anim_buffer buffer = {0};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		buffer.size = 0;
		CHECK(anim_put_varint(&buffer, numbers[i], NULL) == 0 && buffer.size == sizes[i]);
	}
	anim_buffer_clear(&buffer);
}

TEST(refused_before_written, "an invalid record is refused before a byte of it is written")
{
	struct anim_buffer buffer = {0};
	struct anim_track track = axs_curve();
	struct anim_clip clip = axs_clip();
	struct anim_error error = {0};

	track.interp = ANIM_HERMITE;
	CHECK(anim_encode_track(&buffer, &track, &error) == -1 && buffer.size == 0 && error.message[0] != '\0');
	clip.end_s = NAN;
	CHECK(anim_encode_clip(&buffer, &clip, false, &error) == -1 && buffer.size == 0);
	clip = axs_clip();
	clip.flags = ANIM_IN_TREE;
	CHECK(anim_encode_clip(&buffer, &clip, false, &error) == -1 && buffer.size == 0);
	anim_buffer_clear(&buffer);
}

TEST(columns_in_order, "columns whose ids do not rise are refused at the row of the table")
{
	struct anim_buffer record = {0};
	struct anim_track track = axs_curve(), back;
	struct anim_arena arena = {0};
	struct anim_record seen;
	struct anim_error error = {0};
	uint8_t row[16];
	size_t table = 16;

	track.type = ANIM_FLOAT; /* time and value have one size */
	CHECK(anim_encode_track(&record, &track, NULL) == 0);
	while (memcmp(record.data + table, "\0\0\0\0\0\0\0\0\14", 9) != 0)
		table += 8;
	memcpy(row, record.data + table, sizeof row);
	memcpy(record.data + table, record.data + table + 16, sizeof row);
	memcpy(record.data + table + 16, row, sizeof row);
	anim_record_at(record.data, 0, &seen);
	CHECK(anim_record_track(&seen, &back, &arena, &error) == -1 && error.offset == table + 16);
	anim_arena_clear(&arena);
	anim_buffer_clear(&record);
}

/* The tags of a stream as one text: "prog TREE NODE ... END ". */
static const char *tags_of(const uint8_t *bytes, size_t size, char *out, size_t capacity)
{
	size_t used = 0;

	for (size_t at = 8; at < size && used + 6 < capacity; used += 5) {
		struct anim_record record;

		anim_record_at(bytes + at, at, &record);
		snprintf(out + used, capacity - used, "%s ", record.tag);
		at += record.size;
	}
	out[used] = '\0';
	return out;
}

/* Writes `in` with the options and compares the tags of what comes out; what comes out must be whole. */
static void check_tags(const struct axs *in, const struct anim_stream_writer_options *options, const char *expected)
{
	struct anim_output *output;
	struct anim_error error = {0};
	const uint8_t *bytes;
	char tags[512];
	size_t size;

	anim_output_open_memory(&output, NULL);
	CHECKF(rewrite_bytes(in->bytes.data, in->bytes.size, options, false, output, &error) == 0, "%s", error.message);
	bytes = anim_output_memory(output, &size);
	CHECKF(strcmp(tags_of(bytes, size, tags, sizeof tags), expected) == 0, "%s, not %s", tags, expected);
	CHECK(accepts(bytes, size, &error));
	anim_output_free(output);
}

TEST(placed_records, "own provenance stands behind upstream's; what describes other records goes when they change")
{
	struct anim_prog own = {"anim-test", "1", {NULL, 0}};
	struct anim_stream_writer_options copy = {0}, change = {.own = &own, .changes = true},
					  bare = {.no_provenance = true};
	struct anim_clip clip = axs_clip();
	struct axs axs;

	axs_begin(&axs);
	axs_record(&axs, "aaaa", "", 0);
	axs_record(&axs, "prog", "\0\0\0", 3);
	axs_record(&axs, "bbbb", "", 0);
	axs_record(&axs, "cCcc", "", 0);
	axs_encode_clip(&axs, &clip, false);
	axs_record(&axs, "dddd", "x", 1);
	axs_record(&axs, "iNDX", "old", 3);
	axs_record(&axs, "eeee", "", 0);
	axs_end(&axs);
	check_tags(&axs, &copy, "aaaa prog bbbb cCcc CLIP dddd iNDX eeee END  ");
	check_tags(&axs, &change, "aaaa prog bbbb prog CLIP dddd END  ");
	check_tags(&axs, &bare, "aaaa CLIP dddd END  ");
	axs_clear(&axs);
}

TEST(own_provenance_only, "own provenance is written into a stream without any record, unless it is not wanted")
{
	struct anim_prog own = {"anim-test", "1", {NULL, 0}};
	struct anim_stream_writer_options change = {.own = &own}, bare = {.own = &own, .no_provenance = true};
	struct axs axs;

	axs_begin(&axs);
	axs_end(&axs);
	check_tags(&axs, &change, "prog END  ");
	check_tags(&axs, &bare, "END  ");
	axs_clear(&axs);
}

TEST(end_on_success_only, "a warning under --strict, or a fault, leaves the stream without END")
{
	struct anim_diagnostics diagnostics = {.strict = true};
	struct anim_stream_writer_options options = {.diagnostics = &diagnostics};
	struct anim_error error = {0};
	struct anim_output *output;
	struct axs axs;
	size_t size;

	make_sample(&axs);
	CHECK(anim_diagnostics_add(&diagnostics, ANIM_WARNING, NULL, NULL, NULL, "a warning") == 0);
	anim_output_open_memory(&output, NULL);
	CHECK(rewrite_bytes(axs.bytes.data, axs.bytes.size, &options, false, output, &error) == -1);
	CHECK(error.code == ANIM_STRICT);
	anim_output_memory(output, &size);
	CHECK(size == axs.bytes.size - 32);
	anim_output_free(output);
	anim_diagnostics_clear(&diagnostics);
	axs_clear(&axs);
}

TEST(writer_keeps_order, "the writer refuses a track without a clip and a clip in a tree that did not come")
{
	struct anim_output *output;
	struct anim_sink *writer;
	struct anim_track track = axs_curve();
	struct anim_clip clip = axs_clip();

	anim_output_open_memory(&output, NULL);
	writer = anim_stream_writer_new(output, NULL, NULL);
	CHECK(anim_sink_track(writer, &track, NULL) == -1);
	anim_sink_free(writer);
	writer = anim_stream_writer_new(output, NULL, NULL);
	clip.flags = ANIM_IN_TREE;
	CHECK(anim_sink_clip(writer, &clip, NULL) == -1);
	anim_sink_free(writer);
	anim_output_free(output);
}

TEST(large_record, "a track larger than the input's window and the output's buffer is written and read back")
{
	enum { KEYS = 200000 };
	float *time = malloc(KEYS * sizeof *time), *value = malloc(KEYS * 3 * sizeof *value);
	struct anim_track track = axs_curve();
	struct anim_clip clip = axs_clip();
	struct anim_output *output;
	struct anim_sink *writer;
	struct anim_error error = {0};
	struct axs axs;
	const uint8_t *bytes;
	size_t size;

	for (size_t i = 0; i < KEYS; i++) {
		time[i] = (float)i;
		memcpy(value + 3 * i, &(float[3]){(float)i, 1, (float)(i & 7)}, 12);
	}
	track.n = KEYS;
	track.time = time;
	track.value = value;
	axs_begin(&axs);
	axs_encode_clip(&axs, &clip, false);
	axs_encode_track(&axs, &track);
	axs_end(&axs);
	anim_output_open_memory(&output, NULL);
	writer = anim_stream_writer_new(output, NULL, NULL);
	CHECK(anim_sink_clip(writer, &clip, &error) == 0 && anim_sink_track(writer, &track, &error) == 0 &&
	      anim_sink_end(writer, &error) == 0);
	bytes = anim_output_memory(output, &size);
	CHECK(size == axs.bytes.size && memcmp(bytes, axs.bytes.data, size) == 0);
	CHECK(accepts(bytes, size, &error));
	axs.bytes.data[axs.bytes.size - 100] ^= 1;
	CHECK(!accepts(axs.bytes.data, axs.bytes.size, &error));
	anim_sink_free(writer);
	anim_output_free(output);
	axs_clear(&axs);
	free(time);
	free(value);
}
