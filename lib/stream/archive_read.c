/* archive_read.c: opens an archive through its trailer and reads what is wanted of it. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "stream/archive_read_internal.h"
#include "stream/order.h"

const uint8_t anim_archive_trailer[ANIM_TRAILER_SIZE] = {0x1f, 0x8b, 8, 4, 0,  0, 0, 0, 0,   0xff, 20, 0,
							 'A',  'X',  4, 0, 41, 0, 0, 0, 'A', 'I',  8,  0,
							 0,    0,    0, 0, 0,  0, 0, 0, 3,   0};

/*
 * Opens the file and learns its size. 1: a regular file at its first byte; 0: something else, or what is wrong with it is for
 * the ordinary input to say; -1. A FIFO is not opened: that would be noticed at its other end.
 */
static int open_file(struct anim_archive *archive, const char *path, struct anim_error *error)
{
	bool is_stdin = path == NULL || strcmp(path, "-") == 0;
	struct stat info;

	archive->name = strdup(is_stdin ? "-" : path);
	if (archive->name == NULL)
		return anim_fail_memory(error);
	if ((is_stdin ? fstat(STDIN_FILENO, &info) : stat(path, &info)) != 0 || !S_ISREG(info.st_mode))
		return 0;
	archive->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	archive->owns_fd = !is_stdin;
	archive->size = (uint64_t)info.st_size;
	return archive->fd >= 0 && lseek(archive->fd, 0, SEEK_CUR) == 0;
}

static bool begins_with_ax(const uint8_t head[ANIM_MEMBER_HEAD])
{
	return head[0] == 0x1f && head[1] == 0x8b && head[2] == 8 && (head[3] & 4) && head[12] == 'A' &&
	       head[13] == 'X';
}

/* Looks at both ends of the file. 1: an archive, its trailer found; 0: none; -1. */
static int find_trailer(struct anim_archive *archive, struct anim_error *error)
{
	uint8_t head[ANIM_MEMBER_HEAD], last[ANIM_TRAILER_SIZE];
	struct anim_members *members = &archive->members;
	uint64_t limit = archive->size - ANIM_TRAILER_SIZE;

	if (archive->size < ANIM_MEMBER_HEAD)
		return 0;
	if (anim_members_pread(members, 0, head, sizeof head, error) != 0)
		return -1;
	if (!begins_with_ax(head))
		return 0;
	if (archive->size >= ANIM_TRAILER_SIZE && anim_members_pread(members, limit, last, sizeof last, error) != 0)
		return -1;
	memcpy(&archive->index_at, last + ANIM_TRAILER_OFFSET_AT, 8);
	memset(last + ANIM_TRAILER_OFFSET_AT, 0, 8);
	if (archive->size < ANIM_TRAILER_SIZE || memcmp(last, anim_archive_trailer, sizeof last) != 0)
		return anim_members_fail(members, archive->size, error,
					 "the archive is cut: its last member is missing");
	if (archive->index_at >= limit)
		return anim_members_fail(members, limit, error, "the archive's trailer points behind the archive");
	members->limit = limit;
	return 1;
}

int anim_archive_record_head(struct anim_archive *archive, const struct anim_archive_place *place,
			     struct anim_record *record, struct anim_error *error)
{
	struct anim_archive_place at = *place;
	uint64_t length;

	archive->record.size = 0;
	if (anim_members_advance(&archive->members, &at, 0, error) != 0 ||
	    anim_members_append(&archive->members, &at, ANIM_RECORD_HEAD, &archive->record, error) != 0)
		return -1;
	memcpy(&length, archive->record.data + 8, 8);
	if (!anim_tag_is(archive->record.data) || length > ANIM_RECORD_MAX)
		return anim_members_fail(&archive->members, place->member, error,
					 "no record begins at byte %lu of the member here",
					 (unsigned long)place->inner);
	anim_record_at(archive->record.data, 0, record);
	return 0;
}

static int check_record(const struct anim_archive *archive, uint64_t member, const struct anim_record *record,
			struct anim_error *error)
{
	size_t end = ANIM_RECORD_HEAD + (size_t)record->length;
	uint32_t crc, stored;

	memcpy(&stored, record->bytes + 4, 4);
	crc = anim_crc32(anim_crc32(0, record->bytes, 4), record->bytes + 8, record->size - 8);
	if (crc != stored)
		return anim_members_fail(&archive->members, member, error, "%s is damaged: its CRC does not agree",
					 record->tag);
	for (size_t i = end; i < record->size; i++)
		if (record->bytes[i] != 0)
			return anim_members_fail(&archive->members, member, error, "the padding after %s is not zero",
						 record->tag);
	return 0;
}

int anim_archive_record(struct anim_archive *archive, struct anim_archive_place *place, const char *tag,
			struct anim_record *record, struct anim_error *error)
{
	const struct anim_archive_place from = *place;

	if (anim_archive_record_head(archive, place, record, error) != 0)
		return -1;
	if (tag != NULL && memcmp(record->tag, tag, 4) != 0)
		return anim_members_fail(&archive->members, from.member, error, "iNDX points at %s where %s should be",
					 record->tag, tag);
	archive->record.size = 0;
	if (anim_members_append(&archive->members, place, record->size, &archive->record, error) != 0)
		return -1;
	anim_record_at(archive->record.data, 0, record);
	return check_record(archive, from.member, record, error);
}

/*
 * The index lies where the trailer says, and only END and others' records come behind it: what else there is, a second
 * archive joined to the first, is not what the trailer speaks of.
 */
static int check_end(struct anim_archive *archive, struct anim_archive_place place, struct anim_error *error)
{
	struct anim_record record = {.tag = ""};

	while (place.member < archive->members.limit && memcmp(record.tag, "END ", 4) != 0) {
		if (anim_archive_record_head(archive, &place, &record, error) != 0 ||
		    anim_members_advance(&archive->members, &place, record.size, error) != 0)
			return -1;
		if (record.tag[0] < 'a' && memcmp(record.tag, "END ", 4) != 0)
			break;
	}
	if (place.member == archive->members.limit)
		return 0;
	return anim_members_fail(&archive->members, place.member, error,
				 "bytes after the END; to put archives together use anim-cat");
}

static int read_index(struct anim_archive *archive, struct anim_error *error)
{
	struct anim_archive_place place = {archive->index_at, 0};
	struct anim_record record = {.tag = ""};

	if (anim_archive_record_head(archive, &place, &record, error) != 0 && error != NULL &&
	    error->code != ANIM_BAD_INPUT)
		return -1;
	if (memcmp(record.tag, "iNDX", 4) != 0)
		return anim_members_fail(&archive->members, archive->index_at, error,
					 "no iNDX where the archive's trailer points; to put archives together use "
					 "anim-cat");
	if (anim_archive_record(archive, &place, NULL, &record, error) != 0)
		return -1;
	if (anim_archive_index_decode(&archive->index, &record, archive->members.limit, &archive->index_arena, error) !=
	    0)
		return anim_members_place(&archive->members, archive->index_at, error);
	anim_buffer_clear(&archive->record);
	return check_end(archive, place, error);
}

/* 1, 0: no archive, -1. */
static int begin(struct anim_archive *archive, const char *path, struct anim_error *error)
{
	int status = open_file(archive, path, error);

	if (status != 1)
		return status;
	if (anim_members_init(&archive->members, archive->fd, archive->name, archive->size, error) != 0)
		return -1;
	status = find_trailer(archive, error);
	if (status != 1)
		return status;
	return read_index(archive, error) != 0 ? -1 : 1;
}

int anim_archive_open(struct anim_archive **out, const char *path, struct anim_error *error)
{
	struct anim_archive *archive = calloc(1, sizeof *archive);
	int status;

	*out = NULL;
	if (archive == NULL)
		return anim_fail_memory(error);
	archive->fd = -1;
	status = begin(archive, path, error);
	if (status == 1)
		*out = archive;
	else
		anim_archive_close(archive);
	return status;
}

void anim_archive_close(struct anim_archive *archive)
{
	if (archive == NULL)
		return;
	if (archive->owns_fd && archive->fd >= 0)
		(void)close(archive->fd);
	anim_members_clear(&archive->members);
	anim_arena_clear(&archive->index_arena);
	anim_arena_clear(&archive->arena);
	anim_buffer_clear(&archive->record);
	for (size_t i = 0; i < ANIM_COLUMN_COUNT; i++)
		anim_buffer_clear(&archive->columns[i]);
	anim_buffer_clear(&archive->texts);
	anim_buffer_clear(&archive->scratch);
	anim_buffer_clear(&archive->starts);
	free(archive->name);
	free(archive);
}

const struct anim_archive_index *anim_archive_index(const struct anim_archive *archive)
{
	return &archive->index;
}

void anim_archive_watch(struct anim_archive *archive,
			void (*progress)(void *context, uint64_t read_bytes, uint64_t source_bytes), void *context)
{
	archive->members.progress = progress;
	archive->members.progress_context = context;
}

void anim_archive_stats(const struct anim_archive *archive, struct anim_archive_stats *stats)
{
	stats->file_bytes = archive->size;
	stats->bytes_read = archive->members.bytes_read;
	stats->members_inflated = archive->members.inflated;
}

int anim_archive_stream_head(struct anim_archive *archive, struct anim_archive_place *place, struct anim_error *error)
{
	const uint8_t *head;

	archive->record.size = 0;
	if (anim_members_append(&archive->members, place, ANIM_STREAM_HEAD, &archive->record, error) != 0)
		return -1;
	head = archive->record.data;
	if (memcmp(head, anim_stream_head, 6) != 0)
		return anim_members_fail(&archive->members, 0, error, "an archive of something else than a stream");
	if (memcmp(head, anim_stream_head, ANIM_STREAM_HEAD) != 0) {
		anim_fail(error, ANIM_UNSUPPORTED, "stream version %u: needs newer anim-tools", head[6] | head[7] << 8);
		return anim_members_place(&archive->members, 0, error);
	}
	return 0;
}

/* The prog records; others' records between them are passed over, the first known one ends them. */
static int push_progs(struct anim_archive *archive, struct anim_sink *sink, struct anim_error *error)
{
	struct anim_archive_place place = {0, 0};
	struct anim_record record;
	struct anim_prog prog;

	if (anim_archive_stream_head(archive, &place, error) != 0)
		return -1;
	for (;;) {
		if (anim_archive_record_head(archive, &place, &record, error) != 0)
			return -1;
		if (record.tag[0] < 'a' || memcmp(record.tag, "iNDX", 4) == 0)
			return 0;
		if (memcmp(record.tag, "prog", 4) != 0) {
			if (anim_members_advance(&archive->members, &place, record.size, error) != 0)
				return -1;
			continue;
		}
		anim_arena_reset(&archive->arena);
		if (anim_archive_record(archive, &place, NULL, &record, error) != 0)
			return -1;
		if (anim_record_prog(&record, &prog, &archive->arena, error) != 0)
			return anim_members_place(&archive->members, 0, error);
		if (anim_sink_record(sink, &record, error) != 0)
			return -1;
	}
}

/* The nodes behind a TREE, until a record of another known tag. */
static int push_nodes(struct anim_archive *archive, struct anim_archive_place place, struct anim_sink *sink,
		      struct anim_error *error)
{
	struct anim_record record;
	struct anim_node node;
	uint32_t number = 0;

	for (;;) {
		const uint64_t member = place.member;

		if (anim_archive_record_head(archive, &place, &record, error) != 0)
			return -1;
		if (record.tag[0] >= 'a' && memcmp(record.tag, "iNDX", 4) != 0) {
			if (anim_members_advance(&archive->members, &place, record.size, error) != 0)
				return -1;
			continue;
		}
		if (memcmp(record.tag, "NODE", 4) != 0)
			return 0;
		anim_arena_reset(&archive->arena);
		if (anim_archive_record(archive, &place, NULL, &record, error) != 0)
			return -1;
		if (anim_record_node(&record, number++, &node, &archive->arena, error) != 0)
			return anim_members_place(&archive->members, member, error);
		if (anim_sink_node(sink, &node, error) != 0)
			return -1;
	}
}

static int push_tree(struct anim_archive *archive, struct anim_archive_place place, struct anim_sink *sink,
		     struct anim_error *error)
{
	const uint64_t member = place.member;
	struct anim_record record;
	struct anim_tree tree;

	anim_arena_reset(&archive->arena);
	if (anim_archive_record(archive, &place, "TREE", &record, error) != 0)
		return -1;
	if (anim_record_tree(&record, &tree, &archive->arena, error) != 0)
		return anim_members_place(&archive->members, member, error);
	if (anim_sink_tree(sink, &tree, error) != 0)
		return -1;
	return push_nodes(archive, place, sink, error);
}

/* The clip's head, which must be the one that the index tells of. */
static int push_clip_head(struct anim_archive *archive, const struct anim_archive_clip *entry, struct anim_clip *clip,
			  struct anim_sink *sink, struct anim_error *error)
{
	struct anim_archive_place place = entry->place;
	bool has_tree = entry->tree.member != ANIM_ARCHIVE_NOWHERE;
	struct anim_record record;

	anim_arena_reset(&archive->arena);
	if (anim_archive_record(archive, &place, "CLIP", &record, error) != 0)
		return -1;
	if (anim_record_clip(&record, has_tree, clip, &archive->arena, error) != 0)
		return anim_members_place(&archive->members, entry->place.member, error);
	if (strcmp(clip->name, entry->name) != 0 || clip->start_s != entry->start_s || clip->end_s != entry->end_s ||
	    ((clip->flags & ANIM_IN_TREE) != 0) != has_tree)
		return anim_members_fail(&archive->members, entry->place.member, error,
					 "a CLIP that is not what iNDX says of it");
	return anim_sink_clip(sink, clip, error);
}

static bool wants_clip(const struct anim_archive_wanted *wanted, const char *name)
{
	return wanted == NULL || wanted->clip == NULL || wanted->clip(wanted->context, name);
}

static bool wants_track(const struct anim_archive_wanted *wanted, const struct anim_archive_track *track)
{
	return wanted == NULL || wanted->track == NULL || wanted->track(wanted->context, track->node, track->property);
}

static int push_clip(struct anim_archive *archive, const struct anim_archive_wanted *wanted,
		     const struct anim_archive_clip *entry, struct anim_sink *sink, struct anim_error *error)
{
	bool ranged = wanted != NULL && wanted->ranged;
	struct anim_range range;
	struct anim_clip clip;

	if (push_clip_head(archive, entry, &clip, sink, error) != 0)
		return -1;
	ranged = ranged && anim_range_of_clip(&range, &clip, wanted->from_s, wanted->to_s) &&
		 !anim_range_is_whole(&range, &clip);
	for (size_t i = 0; i < entry->track_count; i++)
		if (wants_track(wanted, &entry->tracks[i]) &&
		    anim_archive_push_track(archive, &entry->tracks[i], ranged ? &range : NULL, sink, error) != 0)
			return -1;
	return 0;
}

int anim_archive_read(struct anim_archive *archive, const struct anim_archive_wanted *wanted, struct anim_sink *sink,
		      struct anim_error *error)
{
	struct anim_archive_place last_tree = {ANIM_ARCHIVE_NOWHERE, 0};

	if (push_progs(archive, sink, error) != 0)
		return -1;
	for (size_t i = 0; i < archive->index.clip_count; i++) {
		const struct anim_archive_clip *entry = &archive->index.clips[i];
		bool has_tree = entry->tree.member != ANIM_ARCHIVE_NOWHERE;

		if (!wants_clip(wanted, entry->name))
			continue;
		if (has_tree && (entry->tree.member != last_tree.member || entry->tree.inner != last_tree.inner)) {
			last_tree = entry->tree;
			if (push_tree(archive, entry->tree, sink, error) != 0)
				return -1;
		}
		if (push_clip(archive, wanted, entry, sink, error) != 0)
			return -1;
	}
	return 0;
}
