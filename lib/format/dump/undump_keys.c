/* undump_keys.c: the keys of a track, one a line, into columns. */
#include <string.h>

#include "base/limits.h"
#include "base/number.h"
#include "clip/keys.h"
#include "format/dump/undump_internal.h"

/* "columns NAME..." */
static int read_names(struct undump *undump)
{
	struct undump_track *track = &undump->track;
	int below = undump_below(undump);

	if (below < 0)
		return -1;
	if (below == 0 || !undump_accept(undump, "\tcolumns")) {
		anim_fail(undump->error, ANIM_BAD_INPUT, "a track without its line 'columns'");
		return undump_place(undump);
	}
	track->present = 0;
	while (undump_accept(undump, " ")) {
		const char *at = undump->at;
		uint8_t id;

		if (undump_word(undump, "", anim_column_names, ANIM_COLUMN_COUNT, &id) != 0)
			return -1;
		if (track->present >> id != 0)
			return undump_fail(undump, at, "twice, or not in order");
		if (track->head.type == ANIM_STRING && id >= ANIM_COLUMN_LEFT && id <= ANIM_COLUMN_RIGHT_X)
			return undump_fail(undump, at, "strings have no such column");
		track->present |= 1u << id;
	}
	if (track->prepared & ~track->present)
		return undump_fail(undump, undump->at, "a prepared column is missing");
	return undump_ended(undump);
}

/* A whole number that the type's lanes can hold. */
static int read_integer(struct undump *undump, enum anim_type type, uint8_t *value, unsigned lane)
{
	const char *at = undump->at, *end;
	bool negative = at < undump->lines.end && *at == '-';
	uint64_t size;

	end = anim_number_uint64(at + negative, undump->lines.end, &size);
	if (end == NULL || !anim_lane_store(type, value, lane, negative, size))
		return undump_fail(undump, at, "a whole number that %s can hold is expected", anim_types[type].name);
	undump->at = end;
	return 0;
}

static int read_lane(struct undump *undump, enum anim_type type, uint8_t *value, unsigned lane)
{
	const struct anim_type_info *info = &anim_types[type];
	float single;
	double wide;

	if (info->scalar == ANIM_SCALAR_F32) {
		if (undump_float(undump, &single) != 0)
			return -1;
		memcpy(value + lane * sizeof single, &single, sizeof single);
		return 0;
	}
	if (info->scalar == ANIM_SCALAR_F64) {
		if (undump_double(undump, &wide) != 0)
			return -1;
		memcpy(value + lane * sizeof wide, &wide, sizeof wide);
		return 0;
	}
	return read_integer(undump, type, value, lane);
}

/* A value of the type, its lanes joined by commas. */
static int read_value(struct undump *undump, enum anim_type type, struct anim_buffer *column)
{
	uint8_t *value = anim_buffer_extend(column, anim_types[type].size, undump->error);

	if (value == NULL)
		return -1;
	memset(value, 0, anim_types[type].size);
	for (unsigned lane = 0; lane < anim_types[type].lanes; lane++)
		if ((lane > 0 && undump_expect(undump, ",") != 0) || read_lane(undump, type, value, lane) != 0)
			return -1;
	return 0;
}

static int read_string(struct undump *undump, struct undump_track *track)
{
	uint32_t length = ANIM_NULL_STRING;
	size_t start = track->strings.size;

	if (!undump_accept(undump, "null")) {
		if (undump_quoted(undump, ANIM_TEXT_MAX, &track->strings) != 0)
			return -1;
		length = (uint32_t)(track->strings.size - start);
	}
	return anim_buffer_append(&track->column[ANIM_COLUMN_VALUE], &length, sizeof length, undump->error);
}

static int read_floats(struct undump *undump, unsigned count, struct anim_buffer *column)
{
	for (unsigned i = 0; i < count; i++) {
		float value;

		if ((i > 0 && undump_expect(undump, ",") != 0) || undump_float(undump, &value) != 0 ||
		    anim_buffer_append(column, &value, sizeof value, undump->error) != 0)
			return -1;
	}
	return 0;
}

static int read_cell(struct undump *undump, enum anim_column id)
{
	struct undump_track *track = &undump->track;
	struct anim_buffer *column = &track->column[id];
	enum anim_type type = track->head.type;
	uint64_t number;
	uint8_t byte;
	uint32_t word;

	switch (id) {
	case ANIM_COLUMN_VALUE:
	case ANIM_COLUMN_LEFT:
	case ANIM_COLUMN_RIGHT:
		return type == ANIM_STRING ? read_string(undump, track) : read_value(undump, type, column);
	case ANIM_COLUMN_INTERP:
		if (undump_word(undump, "", anim_interp_names, ANIM_INTERP_COUNT, &byte) != 0)
			return -1;
		return anim_buffer_append(column, &byte, 1, undump->error);
	case ANIM_COLUMN_LEFT_X:
	case ANIM_COLUMN_RIGHT_X:
		return read_floats(undump, anim_types[type].lanes, column);
	case ANIM_COLUMN_TIME:
	case ANIM_COLUMN_EASE:
		return read_floats(undump, 1, column);
	default:
		break;
	}
	if (undump_count(undump, "", id == ANIM_COLUMN_WEIGHTED ? 3 : UINT32_MAX, &number) != 0)
		return -1;
	byte = (uint8_t)number;
	word = (uint32_t)number;
	return id == ANIM_COLUMN_WEIGHTED ? anim_buffer_append(column, &byte, 1, undump->error)
					  : anim_buffer_append(column, &word, sizeof word, undump->error);
}

static int read_key(struct undump *undump)
{
	const char *between = "\t";
	int below = undump_below(undump);

	if (below < 0)
		return -1;
	if (below == 0) {
		anim_fail(undump->error, ANIM_BAD_INPUT, "fewer lines of keys than keys=%zu says",
			  undump->track.head.n);
		return undump_place(undump);
	}
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++) {
		if ((undump->track.present >> id & 1) == 0)
			continue;
		if (undump_expect(undump, between) != 0 || read_cell(undump, (enum anim_column)id) != 0)
			return -1;
		between = " ";
	}
	return undump_ended(undump);
}

int undump_keys(struct undump *undump)
{
	struct undump_track *track = &undump->track;
	int below;

	if (read_names(undump) != 0)
		return -1;
	for (unsigned id = 0; id < ANIM_COLUMN_COUNT; id++)
		track->column[id].size = 0;
	track->strings.size = 0;
	for (size_t k = 0; k < track->head.n; k++)
		if (read_key(undump) != 0)
			return -1;
	below = undump_below(undump);
	if (below == 1)
		return undump_fail(undump, undump->at, "more lines of keys than keys=%zu says", track->head.n);
	return below;
}
