/* archive_check.c: checks an archive from its first byte to its last, and its index against the contents. */
#include "stream/columns.h"
#include "stream/members.h"

#include <math.h>
#include <string.h>

#include "base/count.h"

/* The progress in the archive and in its index. */
struct archive_check {
	struct anim_archive *archive;
	struct anim_archive_place place; /* of the current record */
	struct anim_archive_place tree;  /* of the last TREE */
	struct anim_order order;
	size_t clips, tracks; /* read so far; tracks of the last clip */
	struct anim_error *error;
};

static int fail(const struct archive_check *check, const char *what)
{
	return anim_members_fail(&check->archive->members, check->place.member, check->error,
				 "iNDX does not match the archive here: %s", what);
}

static bool is_same(struct anim_archive_place a, struct anim_archive_place b)
{
	return a.member == b.member && a.inner == b.inner;
}

/* Set the place of the record in the error of a decoder. */
static int in_record(const struct archive_check *check)
{
	return anim_members_place(&check->archive->members, check->place.member, check->error);
}

/* Return true if all tracks of the current clip in the index were read. */
static bool clip_is_complete(const struct archive_check *check)
{
	return check->clips == 0 || check->tracks == check->archive->index.clips[check->clips - 1].track_count;
}

static int check_clip(struct archive_check *check, const struct anim_decoded *decoded)
{
	const struct anim_archive_index *index = &check->archive->index;
	const struct anim_archive_clip *entry = &index->clips[check->clips];
	struct anim_archive_place none = {ANIM_ARCHIVE_NOWHERE, UINT32_MAX};
	const struct anim_clip *clip = &decoded->clip;

	if (!clip_is_complete(check) || check->clips == index->clip_count)
		return fail(check, "a clip or a track");
	if (strcmp(clip->name, entry->name) != 0 || clip->start_s != entry->start_s || clip->end_s != entry->end_s)
		return fail(check, "a clip's name or times");
	if (!is_same(entry->place, check->place) ||
	    !is_same(entry->tree, clip->flags & ANIM_IN_TREE ? check->tree : none))
		return fail(check, "the place of a clip or of its tree");
	check->clips++;
	check->tracks = 0;
	return 0;
}

/* Check the table of columns, and the place and the time of each block. */
static int check_columns(struct archive_check *check, const struct anim_record *record, const struct anim_track *track,
			 const struct anim_archive_track *entry)
{
	struct anim_track head;
	struct anim_track_rows rows;
	uint64_t at;
	bool prepared = false;

	if (anim_record_track_head(record, &head, &rows, &check->archive->arena, check->error) != 0)
		return in_record(check);
	if (rows.count != entry->column_count)
		return fail(check, "the columns of a track");
	at = rows.size;
	for (size_t row = 0; row < rows.count; row++) {
		const struct anim_track_row *stored = &rows.row[row];
		const struct anim_archive_column *column = &entry->columns[row];
		const bool in_blocks = stored->form != ANIM_FORM_PLAIN;
		struct anim_archive_place place = check->place;
		struct anim_column_shape shape = {0, 0};
		uint64_t blocks = 1, block_at = at, step = at;
		uint32_t keys = 0;

		/* A column in blocks begins with the keys of each. */
		if (in_blocks) {
			memcpy(&keys, record->bytes + at, sizeof keys);
			blocks = (track->n + keys - 1) / keys;
			step = block_at += ANIM_FORM1_HEAD;
		}
		if (stored->id != column->id || blocks != column->block_count ||
		    (in_blocks && keys != entry->block_keys))
			return fail(check, "the columns of a track");
		if (stored->form == ANIM_FORM_PREPARED)
			shape = anim_column_shape_of((enum anim_column)stored->id, track->type);
		for (size_t i = 0; i < column->block_count; i++) {
			const struct anim_archive_block *block = &column->blocks[i];
			float time_s = track->n == 0 ? 0 : (float)anim_archive_key_time(track, i * entry->block_keys);

			if (anim_members_advance(&check->archive->members, &place, step, check->error) != 0)
				return -1;
			if (!is_same(place, (struct anim_archive_place){block->member, block->inner}))
				return fail(check, "the place of a block");
			if (time_s != block->time_s && !(isnan(time_s) && isnan(block->time_s)))
				return fail(check, "the time of a block");
			step = stored->form == ANIM_FORM_PREPARED  ? anim_form1_block_size(entry->block_keys, shape)
			       : stored->form == ANIM_FORM_LATTICE ? anim_lattice_block_bytes(record->bytes + block_at)
								   : 0;
			block_at += step;
		}
		prepared |= in_blocks;
		at += (stored->bytes + 7) & ~(uint64_t)7;
	}
	return prepared == (entry->block_keys != 0) ? 0 : fail(check, "the columns of a track");
}

static int check_track(struct archive_check *check, const struct anim_decoded *decoded)
{
	const struct anim_archive_clip *clip = &check->archive->index.clips[check->clips - 1];
	const struct anim_archive_track *entry = &clip->tracks[check->tracks];
	const struct anim_track *track = &decoded->track;
	float range[2];

	if (check->tracks == clip->track_count)
		return fail(check, "an extra track");
	if (!anim_archive_track_agrees(entry, track))
		return fail(check, "a track's name, type or keys");
	anim_archive_time_range(track, range);
	if (range[0] != entry->first_s || range[1] != entry->last_s)
		return fail(check, "a track's times");
	if (!is_same(entry->place, check->place))
		return fail(check, "the place of a track");
	check->tracks++;
	return check_columns(check, decoded->record, track, entry);
}

static int check_tree(struct archive_check *check, const struct anim_decoded *decoded)
{
	(void)decoded;
	check->tree = check->place;
	return 0;
}

static int check_index(struct archive_check *check, const struct anim_decoded *decoded)
{
	(void)decoded;
	if (check->place.member != check->archive->index_at || check->place.inner != 0)
		return fail(check, "the place of iNDX itself");
	if (!clip_is_complete(check) || check->clips != check->archive->index.clip_count)
		return fail(check, "it has more clips or tracks");
	return 0;
}

static int check_end(struct archive_check *check, const struct anim_decoded *decoded)
{
	const struct anim_record *record = decoded->record;
	uint64_t said[2];

	if (record->length != sizeof said)
		return anim_members_fail(&check->archive->members, check->place.member, check->error,
					 "an END of %llu bytes", (unsigned long long)record->length);
	memcpy(said, record->bytes + ANIM_RECORD_HEAD, sizeof said);
	if (said[0] != check->order.records || said[1] != check->order.bytes)
		return anim_members_fail(&check->archive->members, check->place.member, check->error,
					 "END does not match the records before it");
	return 0;
}

int anim_archive_check(struct anim_archive *archive, struct anim_error *error)
{
	static const struct {
		const char *tag;
		int (*check)(struct archive_check *, const struct anim_decoded *);
	} known[] = {{"TRAK", check_track},
		     {"CLIP", check_clip},
		     {"TREE", check_tree},
		     {"iNDX", check_index},
		     {"END ", check_end}};
	struct archive_check check = {.archive = archive, .error = error};
	struct anim_archive_place at = {0, 0};
	struct anim_decoded decoded;
	struct anim_record record;

	archive->members.progress_of = archive->size;
	if (anim_archive_stream_head(archive, &at, error) != 0)
		return -1;
	while (check.order.stage != ANIM_STAGE_END) {
		if (at.member == archive->members.limit)
			return anim_members_fail(&archive->members, at.member, error, "no END: the stream is cut");
		if (anim_members_advance(&archive->members, &at, 0, error) != 0)
			return -1;
		check.place = at;
		if (anim_archive_record(archive, &at, NULL, &record, error) != 0)
			return -1;
		if (anim_order_next(&check.order, record.tag, record.length, error) != 0 ||
		    anim_record_decode(&decoded, &record, &check.order, &archive->arena, error) != 0)
			return in_record(&check);
		for (size_t i = 0; i < ANIM_COUNT(known); i++)
			if (anim_record_is(&record, known[i].tag) && known[i].check(&check, &decoded) != 0)
				return -1;
	}
	if (at.member != archive->members.limit)
		return anim_members_fail(&archive->members, at.member, error, "bytes after the END");
	return 0;
}
