/* archive_read.c: archives through their index: the same as the stream, or refused. */
#include <string.h>

#include "archive_subject.h"
#include "axs.h"
#include "tap.h"

/* The text of a member of the manifest's object at `at`: accept, refuse, any. */
static bool verdict_is(const char *at, const char *end, const char *name, bool accepted)
{
	const char *found = strstr(at, name);

	if (found == NULL || found > end)
		return true;
	found += strlen(name);
	return strncmp(found, "any", 3) == 0 || strncmp(found, accepted ? "accept" : "refuse", 6) == 0;
}

TEST(archive_verdicts, "crafted archives are read or refused as told, by the index, as streams and by a full check")
{
	static const struct anim_cut_options all = {.was_cut = false};
	struct anim_buffer manifest = {0};
	size_t count = 0;

	axs_load(&manifest, "../archive", "manifest.json");
	anim_buffer_append(&manifest, "", 1, NULL);
	for (const char *at = (const char *)manifest.data; (at = strstr(at, "\"file\": \"")) != NULL; count++) {
		const char *end = strchr(at, '}');
		char name[128];
		struct subject subject;
		struct outcome outcome;
		bool checked;

		at += strlen("\"file\": \"");
		snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "\""), at);
		subject_load(&subject, name);
		read_both(&subject, &all, &outcome);
		checked = archive_check(subject.file.path, &outcome.index_error) == 0;
		CHECKF(verdict_is(at, end, "\"verdict\": \"", outcome.stream == 0), "%s as a stream: %d %s", name,
		       outcome.stream, outcome.stream_error.message);
		CHECKF(verdict_is(at, end, "\"index_verdict\": \"", outcome.index == 0), "%s by index: %d %s", name,
		       outcome.index, outcome.index_error.message);
		CHECKF(verdict_is(at, end, "\"check_verdict\": \"", checked), "%s by a check", name);
		CHECKF(!checked || (outcome.same && outcome.index == 0), "%s is checked, but not the same", name);
		CHECKF(outcome.index >= 0 || outcome.index_error.at == ANIM_AT_BYTE, "%s: no byte in '%s'", name,
		       outcome.index_error.message);
		subject_clear(&subject);
	}
	CHECK(count == 32);
	anim_buffer_clear(&manifest);
}

static void flip(struct subject *subject, size_t at, uint8_t bits)
{
	subject->bytes.data[at] ^= bits;
	CHECK(pwrite(subject->file.fd, subject->bytes.data + at, 1, (off_t)at) == 1);
}

/* The plain stream of what is in the file, NULL where it is refused; to be freed. */
static struct anim_output *plain_of(struct subject *subject, bool by_index)
{
	const struct anim_cut_options all = {.diagnostics = &subject->diagnostics};
	struct anim_output *output = NULL;
	int status;

	if (anim_output_open_memory(&output, NULL) != 0)
		return NULL;
	status = by_index ? archive_by_index(subject->file.path, &all, output, NULL)
			  : archive_by_stream(subject->bytes.data, subject->bytes.size, &all, output, NULL);
	if (status == 0)
		return output;
	anim_output_free(output);
	return NULL;
}

static bool is_refused(struct subject *subject)
{
	struct anim_output *output = plain_of(subject, false);

	anim_output_free(output);
	return output == NULL;
}

static bool same_output(struct anim_output *a, struct anim_output *b)
{
	size_t a_size, b_size;
	const uint8_t *a_bytes = anim_output_memory(a, &a_size), *b_bytes = anim_output_memory(b, &b_size);

	return a_size == b_size && memcmp(a_bytes, b_bytes, a_size) == 0;
}

TEST(archive_flips, "a flipped bit of an archive is refused or changes nothing, by the index and as a stream")
{
	static const char *const names[] = {"archive_small.axs.gz", "archive_prog.axs.gz", "archive_end_only.axs.gz"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct subject subject;
		struct anim_output *whole;
		size_t harmless = 0;

		subject_load(&subject, names[i]);
		whole = plain_of(&subject, true);
		for (size_t at = 0; at < subject.bytes.size * 8 && CHECK(whole != NULL); at++) {
			flip(&subject, at / 8, (uint8_t)(1u << at % 8));
			for (int way = 0; way < 2; way++) {
				struct anim_output *changed = plain_of(&subject, way);

				harmless += changed != NULL;
				CHECKF(changed == NULL || same_output(whole, changed), "%s: bit %zu, %s", names[i], at,
				       way ? "index" : "stream");
				anim_output_free(changed);
			}
			flip(&subject, at / 8, (uint8_t)(1u << at % 8));
		}
		CHECKF(harmless < subject.bytes.size * 4, "%s: %zu harmless flips", names[i], harmless);
		anim_output_free(whole);
		subject_clear(&subject);
	}
}

TEST(archive_cuts, "an archive cut at any byte, or with a byte more, is refused by the index and as a stream")
{
	struct subject subject;
	size_t size;

	subject_load(&subject, "archive_small.axs.gz");
	size = subject.bytes.size;
	anim_buffer_append(&subject.bytes, "", 1, NULL);
	for (subject.bytes.size = 1; subject.bytes.size <= size + 1; subject.bytes.size++) {
		struct anim_archive *archive;

		if (subject.bytes.size == size)
			continue;
		CHECK(archive_file_set(&subject.file, subject.bytes.data, subject.bytes.size));
		CHECKF(is_refused(&subject), "%zu bytes as a stream", subject.bytes.size);
		/* so few bytes that nothing tells of an archive are for the stream reader to refuse */
		CHECKF(anim_archive_open(&archive, subject.file.path, NULL) == (subject.bytes.size < 20 ? 0 : -1),
		       "%zu bytes by the index", subject.bytes.size);
	}
	subject_clear(&subject);
}

/* Where the member behind this one begins, by its AX. */
static size_t next_member(const struct anim_buffer *bytes, size_t at)
{
	uint32_t length;

	memcpy(&length, bytes->data + at + ANIM_MEMBER_AX_AT, sizeof length);
	return at + length + 1;
}

TEST(archive_ax, "a member whose AX is not its length is refused by the index, though its bytes are right")
{
	const struct anim_cut_options all = {.was_cut = false};
	struct subject subject;
	struct outcome outcome;

	subject_load(&subject, "archive_small.axs.gz");
	for (uint8_t bits = 1; bits != 0; bits = (uint8_t)(bits << 1)) {
		flip(&subject, ANIM_MEMBER_AX_AT, bits);
		read_both(&subject, &all, &outcome);
		CHECKF(outcome.index == -1, "AX with bit %u flipped", bits);
		CHECK(outcome.stream == 0);
		flip(&subject, ANIM_MEMBER_AX_AT, bits);
	}
	subject_clear(&subject);
}

TEST(archive_members,
     "an archive without any one of its members, or with one twice, is refused as a stream and by a check")
{
	struct subject subject;
	struct anim_buffer whole;
	size_t count = 0;

	subject_load(&subject, "archive_members_of_37.axs.gz");
	whole = subject.bytes;
	memset(&subject.bytes, 0, sizeof subject.bytes);
	for (size_t at = 0; at < whole.size; at = next_member(&whole, at), count++) {
		size_t next = next_member(&whole, at);

		if (count % 7 != 0 && next < whole.size)
			continue;
		for (size_t copies = 0; copies <= 2; copies += 2) {
			subject.bytes.size = 0;
			anim_buffer_append(&subject.bytes, whole.data, at, NULL);
			for (size_t i = 0; i < copies; i++)
				anim_buffer_append(&subject.bytes, whole.data + at, next - at, NULL);
			anim_buffer_append(&subject.bytes, whole.data + next, whole.size - next, NULL);
			CHECK(archive_file_set(&subject.file, subject.bytes.data, subject.bytes.size));
			CHECKF(archive_check(subject.file.path, NULL) != 0, "member %zu, %zu times", count, copies);
			/* a second trailer holds nothing */
			CHECKF(is_refused(&subject) || (copies == 2 && next == whole.size),
			       "member %zu, %zu times, as a stream", count, copies);
		}
	}
	CHECK(count > 100);
	anim_buffer_clear(&whole);
	subject_clear(&subject);
}

struct watched {
	uint64_t calls, bytes, of;
};

static int watch(void *context, uint64_t read_bytes, uint64_t source_bytes)
{
	struct watched *watched = context;

	CHECK(read_bytes > watched->bytes);
	watched->calls++;
	watched->bytes = read_bytes;
	watched->of = source_bytes;
	return 0;
}

TEST(archive_watch, "who watches an archive hears of each member, and how many bytes there are where all are read")
{
	static const struct anim_cut_options all = {.was_cut = false};
	struct watched checked = {0}, read = {0};
	struct anim_archive_stats stats;
	struct anim_archive *archive;
	struct subject subject;
	struct anim_output *output = NULL;
	struct anim_sink *sink;

	subject_load(&subject, "archive_members_of_37.axs.gz");
	CHECK(anim_archive_open(&archive, subject.file.path, NULL) == 1);
	anim_archive_watch(archive, watch, &checked);
	CHECK(anim_archive_check(archive, NULL) == 0);
	CHECK(checked.calls > 100 && checked.of == subject.bytes.size);
	anim_archive_close(archive);

	CHECK(anim_archive_open(&archive, subject.file.path, NULL) == 1);
	CHECK(anim_output_open_memory(&output, NULL) == 0);
	sink = archive_sink(&all, output, NULL);
	anim_archive_watch(archive, watch, &read);
	CHECK(anim_archive_read(archive, NULL, sink, NULL) == 0);
	anim_archive_stats_get(archive, &stats);
	CHECK(read.calls > 100 && read.bytes <= stats.bytes_read && read.of == 0);
	anim_archive_close(archive);
	anim_sink_free(sink);
	anim_output_free(output);
	subject_clear(&subject);
}
