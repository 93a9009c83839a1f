/* archive_write.c: archives written and read as any gzip, member by member, and through what they say of themselves. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "../recode.h"
#include "axs.h"
#include "stream/archive.h"
#include "stream/columns.h"
#include "stream/members.h"
#include "tap.h"

/* The stream packed into `archive` (memory); NULL and a failed check where that fails. */
static struct anim_output *pack(const struct anim_buffer *stream, unsigned jobs, int level)
{
	const struct anim_archive_writer_options options = {.jobs = jobs, .level = level};
	struct anim_error error = {0};
	struct anim_output *archive = NULL;
	struct anim_sink *sink;

	anim_output_open_memory(&archive, NULL);
	sink = anim_archive_writer_new(archive, &options, &error);
	if (!CHECKF(sink != NULL && pump_bytes(stream->data, stream->size, sink, &error) == 0, "%s", error.message)) {
		anim_output_free(archive);
		archive = NULL;
	}
	anim_sink_free(sink);
	return archive;
}

/* The bytes of the stream with every record encoded anew and nothing that describes others. */
static struct anim_output *plain(const void *bytes, size_t size)
{
	const struct anim_stream_writer_options options = {.changes = true};
	struct anim_error error = {0};
	struct anim_output *output = NULL;

	anim_output_open_memory(&output, NULL);
	CHECKF(rewrite_bytes(bytes, size, &options, true, output, &error) == 0, "%s", error.message);
	return output;
}

static bool equal_outputs(struct anim_output *a, struct anim_output *b)
{
	size_t a_size, b_size;
	const uint8_t *a_bytes = anim_output_memory(a, &a_size), *b_bytes = anim_output_memory(b, &b_size);

	return a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0;
}

/* True where the archive, read as any gzip, holds the same records with the same content. */
static bool holds(struct anim_output *archive, const struct anim_buffer *stream)
{
	size_t size;
	const uint8_t *bytes = anim_output_memory(archive, &size);
	struct anim_output *before = plain(stream->data, stream->size), *after = plain(bytes, size);
	bool same = equal_outputs(before, after);

	anim_output_free(before);
	anim_output_free(after);
	return same;
}

/* A clip with tracks of many blocks, smooth, at random, of strings, and some that are small. */
static void large_stream(struct axs *axs)
{
	static float values[4 * 30000], times[30000];
	struct anim_clip clip = axs_clip();
	struct anim_track raw = axs_raw(), curve = axs_curve(), strings = axs_strings();
	uint32_t noise = 1;

	for (size_t k = 0; k < 30000; k++) {
		times[k] = (float)k / 60;
		for (size_t i = 0; i < 4; i++) {
			noise = noise * 1664525 + 1013904223;
			values[4 * k + i] = (float)((double)(k * k) * 1e-5 + (double)(noise >> 8) * 1e-9);
		}
	}
	axs_begin(axs);
	clip.end_s = 1000;
	axs_encode_clip(axs, &clip, false);
	raw.type = ANIM_FLOATQ;
	raw.value = values;
	raw.n = 30000;
	axs_encode_track(axs, &raw);
	axs_encode_track(axs, &strings);
	curve.time = times;
	curve.value = values;
	curve.n = 20000;
	axs_encode_track(axs, &curve);
	axs_encode_track(axs, &raw);
	axs_end(axs);
}

TEST(archive_holds, "an archive holds every stream of tests/data/axs/good, record for record, at every level")
{
	struct anim_buffer manifest = {0};
	struct axs_verdict verdict;
	const char *at;
	int count = 0;

	if (!axs_load(&manifest, "good", "manifest.json"))
		return;
	anim_buffer_append(&manifest, "", 1, NULL);
	for (at = (const char *)manifest.data; (at = axs_next_verdict(at, &verdict)) != NULL; count++) {
		struct anim_buffer stream = {0};
		struct anim_output *archive;

		if (!verdict.accept || !axs_load(&stream, "good", verdict.file))
			continue;
		archive = pack(&stream, 1 + (unsigned)count % 2, count % 10);
		/* Unknown records behind an index that is replaced go with it. */
		if (archive != NULL && strcmp(verdict.file, "stale_index.axs") != 0)
			CHECKF(holds(archive, &stream), "%s", verdict.file);
		anim_output_free(archive);
		anim_buffer_clear(&stream);
	}
	CHECK(count == 50);
	anim_buffer_clear(&manifest);
}

TEST(archive_threads, "the bytes do not depend on how many threads made them")
{
	static const unsigned jobs[] = {2, 3, 8};
	struct axs axs;
	struct anim_output *first;

	large_stream(&axs);
	first = pack(&axs.bytes, 1, 0);
	CHECK(holds(first, &axs.bytes));
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
		struct anim_output *other = pack(&axs.bytes, jobs[i], 0);

		CHECKF(equal_outputs(first, other), "%u threads", jobs[i]);
		anim_output_free(other);
	}
	anim_output_free(first);
	axs_clear(&axs);
}

/* Inflates the member at `bytes`: its inflated size, -1 where it is no member of an archive; *packed is what AX says. */
static long inflate_member(const uint8_t *bytes, size_t left, uint8_t *to, size_t room, size_t *packed)
{
	static const uint8_t head[] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff};
	z_stream zip = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)left};
	uint32_t less_one;
	long size = -1;

	if (left < ANIM_TRAILER_SIZE || memcmp(bytes, head, sizeof head) != 0 || memcmp(bytes + 12, "AX\4\0", 4) != 0)
		return -1;
	memcpy(&less_one, bytes + ANIM_MEMBER_AX_AT, 4);
	*packed = (size_t)less_one + 1;
	zip.next_out = to;
	zip.avail_out = (uInt)room;
	if (*packed <= left && inflateInit2(&zip, 31) == Z_OK) {
		zip.avail_in = (uInt)*packed;
		if (inflate(&zip, Z_FINISH) == Z_STREAM_END && zip.avail_in == 0)
			size = (long)zip.total_out;
		inflateEnd(&zip);
	}
	return size;
}

TEST(archive_members, "members are of at most 256 KiB, tell their size, and end with the trailer that names iNDX")
{
	uint8_t *inflated = malloc(ANIM_MEMBER_MAX + 1);
	struct anim_output *archive;
	const uint8_t *bytes;
	size_t size, at = 0, packed = 0, members = 0;
	uint64_t index_at;
	struct axs axs;
	bool found = false;

	large_stream(&axs);
	archive = pack(&axs.bytes, 2, 0);
	bytes = anim_output_memory(archive, &size);
	memcpy(&index_at, bytes + size - ANIM_TRAILER_SIZE + ANIM_TRAILER_OFFSET_AT, 8);
	for (; at < size - ANIM_TRAILER_SIZE; at += packed, members++) {
		long got = inflate_member(bytes + at, size - at, inflated, ANIM_MEMBER_MAX + 1, &packed);

		if (!CHECKF(got > 0 && got <= (long)ANIM_MEMBER_MAX, "the member at %zu", at))
			break;
		CHECK((at == index_at) == (memcmp(inflated, "iNDX", 4) == 0));
		found = found || at == index_at;
	}
	CHECK(found && members > 10 && at == size - ANIM_TRAILER_SIZE);
	CHECK(inflate_member(bytes + at, size - at, inflated, 1, &packed) == 0 && packed == ANIM_TRAILER_SIZE);
	anim_output_free(archive);
	axs_clear(&axs);
	free(inflated);
}

TEST(archive_stored, "what cannot be made smaller is stored: hardly more bytes than went in")
{
	static uint8_t noise[300000];
	uint32_t state = 7;
	struct axs axs;
	struct anim_output *archive;
	size_t size;

	for (size_t i = 0; i < sizeof noise; i++) {
		state = state * 1664525 + 1013904223;
		noise[i] = (uint8_t)(state >> 24);
	}
	axs_begin(&axs);
	axs_record(&axs, "nois", noise, sizeof noise);
	axs_end(&axs);
	archive = pack(&axs.bytes, 1, 0);
	anim_output_memory(archive, &size);
	CHECKF(size < axs.bytes.size + 400, "%zu bytes of %zu", size, axs.bytes.size);
	CHECK(holds(archive, &axs.bytes));
	anim_output_free(archive);
	axs_clear(&axs);
}

TEST(archive_stored_member, "a member that deflating would make larger is kept in stored blocks, to the byte")
{
	struct anim_deflater *deflater = anim_deflater_new(0, NULL);
	struct anim_member member;
	uint8_t back[2000];
	size_t packed = 0;

	CHECK(anim_member_init(&member, NULL) == 0);
	for (size_t i = 0; i < 1000; i++) {
		const struct anim_stretch alone = {1, ANIM_DEFLATE_RUNS, false};

		member.plain[i] = (uint8_t)(i * i * 31 >> 3);
		anim_stretches_add(&member.stretches, &alone, NULL);
	}
	member.plain_size = 1000;
	anim_deflater_run(deflater, &member);
	CHECK(member.packed_size == ANIM_MEMBER_HEAD + 5 + 1000 + ANIM_MEMBER_TAIL);
	CHECK(inflate_member(member.packed, member.packed_size, back, sizeof back, &packed) == 1000);
	CHECK(packed == member.packed_size && memcmp(back, member.plain, 1000) == 0);
	anim_member_clear(&member);
	anim_deflater_free(deflater);
}

/* True where these four bytes stand anywhere in what the archive inflates to. */
static bool contains(struct anim_output *archive, const char *tag)
{
	size_t size;
	const uint8_t *bytes = anim_output_memory(archive, &size), *at;
	struct anim_input *input = NULL;
	bool found = false;

	CHECK(anim_input_open_memory(&input, bytes, size, "test", NULL) == 0);
	size = (size_t)anim_input_peek(input, 100000, &at, NULL);
	CHECK(size > 100 && size < 100000);
	for (size_t i = 0; i + 4 <= size && !found; i += 8)
		found = memcmp(at + i, tag, 4) == 0;
	anim_input_close(input);
	return found;
}

TEST(archive_records, "unknown records keep their place; those that describe others, and an old iNDX, are left out")
{
	struct axs axs, expected;
	struct anim_clip clip = axs_clip();
	struct anim_track track = axs_curve();
	struct anim_output *archive, *again;
	struct anim_buffer once = {0};
	const uint8_t *bytes;

	axs_begin(&axs);
	axs_begin(&expected);
	axs_record(&axs, "note", "hello", 5);
	axs_record(&expected, "note", "hello", 5);
	axs_record(&axs, "nOte", "sizes", 5);
	axs_encode_clip(&axs, &clip, false);
	axs_encode_clip(&expected, &clip, false);
	axs_record(&axs, "last", "x", 1);
	axs_record(&expected, "last", "x", 1);
	axs_encode_track(&axs, &track);
	axs_encode_track(&expected, &track);
	axs_record(&axs, "iNDX", "", 1);
	axs_record(&axs, "tail", "goes with the index", 19);
	axs_end(&axs);
	axs_end(&expected);
	archive = pack(&axs.bytes, 1, 0);
	CHECK(holds(archive, &expected.bytes));
	CHECK(contains(archive, "note") && contains(archive, "last") && contains(archive, "iNDX"));
	CHECK(!contains(archive, "nOte") && !contains(archive, "tail"));
	bytes = anim_output_memory(archive, &once.size);
	once.data = (uint8_t *)(uintptr_t)bytes;
	again = pack(&once, 1, 0);
	CHECK(again != NULL && equal_outputs(archive, again));
	anim_output_free(again);
	anim_output_free(archive);
	axs_clear(&axs);
	axs_clear(&expected);
}

TEST(archive_unfinished, "an archive that was not ended has no trailer, and no reader takes it")
{
	const struct anim_archive_writer_options options = {.jobs = 2};
	struct anim_error error = {0};
	struct anim_output *archive = NULL, *copy = NULL;
	struct anim_sink *sink;
	struct axs axs;
	const uint8_t *bytes;
	size_t size;

	large_stream(&axs);
	anim_output_open_memory(&archive, NULL);
	anim_output_open_memory(&copy, NULL);
	sink = anim_archive_writer_new(archive, &options, &error);
	CHECK(pump_bytes(axs.bytes.data, axs.bytes.size - 8, sink, &error) == -1);
	anim_sink_free(sink);
	bytes = anim_output_memory(archive, &size);
	CHECK(size > 1000 && rewrite_bytes(bytes, size, NULL, true, copy, &error) == -1);
	anim_output_free(archive);
	anim_output_free(copy);
	axs_clear(&axs);
}

/* The index of an archive in memory, in the arena. */
static bool read_index(struct anim_output *archive, struct anim_archive_index *index, struct anim_arena *arena)
{
	uint8_t *inflated = anim_arena_alloc(arena, ANIM_MEMBER_MAX, NULL);
	struct anim_record record;
	size_t size, packed;
	const uint8_t *bytes = anim_output_memory(archive, &size);
	uint64_t at;

	memcpy(&at, bytes + size - ANIM_TRAILER_SIZE + ANIM_TRAILER_OFFSET_AT, 8);
	if (inflate_member(bytes + at, size - at, inflated, ANIM_MEMBER_MAX, &packed) < 0)
		return false;
	anim_record_at(inflated, 0, &record);
	return anim_archive_index_decode(index, &record, size - ANIM_TRAILER_SIZE, arena, NULL) == 0;
}

TEST(archive_index, "iNDX tells every track with its times, and the place of each block, small ones within a member")
{
	struct anim_arena arena = {0};
	struct anim_archive_index index;
	struct anim_archive_track *tracks;
	struct anim_output *archive;
	struct axs axs;

	large_stream(&axs);
	archive = pack(&axs.bytes, 2, 0);
	if (CHECK(read_index(archive, &index, &arena) && index.clip_count == 1 && index.clips[0].track_count == 4)) {
		tracks = index.clips[0].tracks;
		CHECK(index.clips[0].tree.member == ANIM_ARCHIVE_NOWHERE && index.clips[0].place.inner == 8);
		CHECK(tracks[0].n == 30000 && tracks[0].block_keys == 8192 && tracks[0].columns[0].block_count == 4);
		CHECK(tracks[0].columns[0].blocks[1].inner == 0 && tracks[0].columns[0].blocks[2].inner == 0);
		CHECK(tracks[0].columns[0].blocks[2].member > tracks[0].columns[0].blocks[1].member);
		CHECK(tracks[0].columns[0].blocks[1].time_s == (float)(8192.0 / 30));
		CHECK(tracks[1].block_keys == 0 && tracks[1].n == 3);
		CHECK(tracks[2].column_count == 2 && tracks[2].first_s == 0 &&
		      tracks[2].last_s == (float)(19999.0f / 60));
	}
	anim_arena_clear(&arena);
	anim_output_free(archive);
	axs_clear(&axs);
}

TEST(archive_index_empty, "a column without bytes at the very end lies where iNDX begins, not behind the last member")
{
	struct anim_arena arena = {0};
	struct anim_archive_index index;
	struct anim_track track = axs_curve();
	struct anim_clip clip = axs_clip();
	struct anim_output *archive;
	const uint8_t *bytes;
	struct axs axs;
	uint64_t at;
	size_t size;

	axs_begin(&axs);
	axs_encode_clip(&axs, &clip, false);
	track.n = 0;
	axs_encode_track(&axs, &track);
	axs_end(&axs);
	archive = pack(&axs.bytes, 1, 0);
	bytes = anim_output_memory(archive, &size);
	memcpy(&at, bytes + size - ANIM_TRAILER_SIZE + ANIM_TRAILER_OFFSET_AT, 8);
	if (CHECK(read_index(archive, &index, &arena))) {
		const struct anim_archive_track *only = index.clips[0].tracks;

		CHECK(only->first_s == 0 && only->last_s == -1 && only->columns[1].blocks[0].time_s == 0);
		CHECK(only->columns[1].blocks[0].member == at && only->columns[1].blocks[0].inner == 0);
	}
	anim_arena_clear(&arena);
	anim_output_free(archive);
	axs_clear(&axs);
}

TEST(archive_cut, "an archive cut anywhere is refused by who reads it as a stream")
{
	struct axs axs;
	struct anim_clip clip = axs_clip();
	struct anim_track track = axs_curve();
	struct anim_output *archive, *copy = NULL;
	const uint8_t *bytes;
	size_t size;

	axs_begin(&axs);
	axs_encode_clip(&axs, &clip, false);
	axs_encode_track(&axs, &track);
	axs_end(&axs);
	archive = pack(&axs.bytes, 1, 0);
	bytes = anim_output_memory(archive, &size);
	for (size_t cut = 0; cut < size; cut++) {
		struct anim_error error = {0};

		anim_output_open_memory(&copy, NULL);
		CHECKF(rewrite_bytes(bytes, cut, NULL, true, copy, &error) == -1, "cut at %zu of %zu", cut, size);
		anim_output_free(copy);
	}
	anim_output_free(archive);
	axs_clear(&axs);
}
