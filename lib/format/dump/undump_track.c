/* undump_track.c: the lines of a track before its keys, read. */
#include <string.h>

#include "base/limits.h"
#include "format/dump/undump_internal.h"
#include "stream/fields.h"

static int read_component(struct undump *undump, uint8_t *component)
{
	uint64_t number = ANIM_WHOLE;

	if (!undump_accept(undump, " component=-") && undump_count(undump, " component=", 254, &number) != 0)
		return -1;
	*component = (uint8_t)number;
	return 0;
}

static int read_type(struct undump *undump, enum anim_type *type)
{
	const char *word;
	int found;

	if (undump_expect(undump, " type=") != 0)
		return -1;
	word = undump->at;
	while (undump->at < undump->lines.end && *undump->at != ' ')
		undump->at++;
	found = anim_type_find(word, (size_t)(undump->at - word));
	if (found < 0)
		return undump_fail(undump, word, "not a type of values");
	*type = (enum anim_type)found;
	return 0;
}

static int read_interp(struct undump *undump, uint8_t *interp)
{
	*interp = ANIM_INTERP_COLUMN;
	if (undump_accept(undump, " interp=column"))
		return 0;
	return undump_word(undump, " interp=", anim_interp_names, ANIM_INTERP_COUNT, interp);
}

static int read_raw(struct undump *undump, struct anim_track *track)
{
	if (track->kind != ANIM_RAW)
		return 0;
	if (undump_expect(undump, " start=") != 0 || undump_double(undump, &track->start_s) != 0 ||
	    undump_expect(undump, " step=") != 0 || undump_double(undump, &track->step_s) != 0)
		return -1;
	return undump_rate(undump, &track->rate_num, &track->rate_den);
}

int undump_track_head(struct undump *undump)
{
	struct anim_track *track = &undump->track.head;
	uint8_t kind, rules;
	uint64_t n;

	memset(track, 0, sizeof *track);
	if (undump_text(undump, " node=", &track->node) != 0 ||
	    undump_text(undump, " property=", &track->property) != 0 ||
	    read_component(undump, &track->component) != 0 ||
	    undump_word(undump, " kind=", anim_kind_names, ANIM_CURVE + 1, &kind) != 0 ||
	    read_type(undump, &track->type) != 0 ||
	    undump_word(undump, " rules=", anim_rules_names, ANIM_RULES_COUNT, &rules) != 0 ||
	    undump_bits(undump, " flags=", anim_track_flag_names, ANIM_TRACK_FLAG_COUNT, &track->flags) != 0 ||
	    undump_word(undump, " before=", anim_ends_names, ANIM_ENDS_COUNT, &track->before) != 0 ||
	    undump_word(undump, " after=", anim_ends_names, ANIM_ENDS_COUNT, &track->after) != 0 ||
	    read_interp(undump, &track->interp) != 0 || undump_count(undump, " keys=", ANIM_KEYS_MAX, &n) != 0)
		return -1;
	track->kind = (enum anim_kind)kind;
	track->rules = (enum anim_rules)rules;
	track->n = (size_t)n;
	return read_raw(undump, track) != 0 ? -1 : undump_ended(undump);
}

/* The orders of one block. */
static int read_orders(struct undump *undump, unsigned lanes, struct anim_buffer *orders)
{
	for (unsigned i = 0; i < lanes; i++) {
		uint64_t order;
		uint8_t byte;

		if (undump_count(undump, i == 0 ? " " : ",", 3, &order) != 0)
			return -1;
		byte = (uint8_t)order;
		if (anim_buffer_append(orders, &byte, 1, undump->error) != 0)
			return -1;
	}
	return 0;
}

/* "prepared COLUMN block=KEYS ORDERS...", behind the first word. */
static int read_prepared(struct undump *undump)
{
	struct undump_track *track = &undump->track;
	const char *at = undump->at;
	struct anim_column_shape shape;
	uint64_t keys, blocks;
	uint8_t id;

	if (undump_word(undump, "", anim_column_names, ANIM_COLUMN_COUNT, &id) != 0)
		return -1;
	shape = anim_column_shape((enum anim_column)id, track->head.type);
	if (track->prepared >> id != 0 || track->other_count > 0)
		return undump_fail(undump, at, "columns are not in order");
	if (shape.lanes == 0 || track->head.n == 0)
		return undump_fail(undump, at, "a column that cannot be prepared");
	if (undump_count(undump, " block=", ANIM_FORM1_KEYS_MOST, &keys) != 0)
		return -1;
	if (keys < ANIM_FORM1_KEYS_LEAST)
		return undump_fail(undump, at, "a block has %u keys at least", ANIM_FORM1_KEYS_LEAST);
	track->prepared |= 1u << id;
	track->block_keys[id] = (uint32_t)keys;
	track->orders[id].size = 0;
	blocks = (track->head.n + keys - 1) / keys;
	for (uint64_t i = 0; i < blocks; i++)
		if (read_orders(undump, shape.lanes, &track->orders[id]) != 0)
			return -1;
	return undump_ended(undump);
}

/* "other column=ID bytes=COUNT", behind the first word, and the bytes. */
static int read_other(struct undump *undump)
{
	struct undump_track *track = &undump->track;
	const char *at = undump->at;
	struct undump_other *other;
	uint64_t id, size;

	if (undump_count(undump, " column=", 255, &id) != 0)
		return -1;
	if (id < ANIM_COLUMN_OTHERS || (track->other_count > 0 && id <= track->other[track->other_count - 1].id))
		return undump_fail(undump, at, "columns of others are %d to 255, in order", ANIM_COLUMN_OTHERS);
	if (undump_count(undump, " bytes=", INT64_MAX, &size) != 0 || undump_ended(undump) != 0)
		return -1;
	other = &track->other[track->other_count++];
	*other = (struct undump_other){.id = (uint8_t)id, .at = track->others.size, .size = (size_t)size};
	return undump_bytes(undump, "\t\t", size, &track->others);
}

int undump_layout(struct undump *undump)
{
	struct undump_track *track = &undump->track;
	int below;

	track->prepared = 0;
	track->other_count = 0;
	track->others.size = 0;
	while ((below = undump_below(undump)) == 1) {
		int result;

		if (undump_accept(undump, "\tprepared "))
			result = read_prepared(undump);
		else if (undump_accept(undump, "\tother"))
			result = read_other(undump);
		else
			return 0;
		if (result != 0)
			return -1;
	}
	return below;
}

void undump_track_clear(struct undump_track *track)
{
	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++) {
		anim_buffer_clear(&track->column[i]);
		anim_buffer_clear(&track->orders[i]);
	}
	anim_buffer_clear(&track->strings);
	anim_buffer_clear(&track->others);
}
