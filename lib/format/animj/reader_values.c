/* reader_values.c: tokens as values of the 37 types that AnimJ has. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/number.h"
#include "format/animj/reader_json.h"

/* A scalar's whole numbers: unsigned ones up to `most`, signed ones from -most - 1 to most. */
struct range {
	bool is_signed;
	uint64_t most;
};

static const struct range ranges[] = {
    [ANIM_SCALAR_U8] = {false, UINT8_MAX},   [ANIM_SCALAR_U16] = {false, UINT16_MAX},
    [ANIM_SCALAR_U32] = {false, UINT32_MAX}, [ANIM_SCALAR_U64] = {false, UINT64_MAX},
    [ANIM_SCALAR_I8] = {true, INT8_MAX},     [ANIM_SCALAR_I16] = {true, INT16_MAX},
    [ANIM_SCALAR_I32] = {true, INT32_MAX},   [ANIM_SCALAR_I64] = {true, INT64_MAX},
};

static int refuse_kind(struct animj_reader *reader, size_t token, const char *needed, struct anim_error *error)
{
	struct anim_place place = animj_json_place(reader, animj_token_text(&reader->json, token));

	if (animj_token(&reader->json, token).type == ANIMJ_STRING)
		place.column--;
	return animj_refuse(reader, &place, error, "a %s needs %s, found %s", anim_types[reader->head.type].name,
			    needed, animj_token_name(&reader->json, token));
}

static int refuse_number(struct animj_reader *reader, size_t token, const char *why, struct anim_error *error)
{
	struct anim_place place = animj_json_place(reader, animj_token_text(&reader->json, token));
	int size = (int)(animj_token_size(&reader->json, token) < 40 ? animj_token_size(&reader->json, token) : 40);

	return animj_refuse(reader, &place, error, "%.*s%s %s %s", size,
			    (const char *)animj_token_text(&reader->json, token), size == 40 ? "..." : "", why,
			    anim_types[reader->head.type].name);
}

/* The digits of a whole number whose sign was passed over; false where they make more than `most`. */
static bool whole(const uint8_t *at, size_t size, uint64_t most, uint64_t *value)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < size; i++) {
		unsigned digit = at[i] - '0';

		if (sum > (most - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*value = sum;
	return true;
}

/* Two's complement in as many bytes as the scalar has, in the host's order. */
static void store_whole(uint8_t *out, size_t size, uint64_t value)
{
	uint8_t byte = (uint8_t)value;
	uint16_t two = (uint16_t)value;
	uint32_t four = (uint32_t)value;

	memcpy(out,
	       size == 1   ? (void *)&byte
	       : size == 2 ? (void *)&two
	       : size == 4 ? (void *)&four
			   : (void *)&value,
	       size);
}

static int integer(struct animj_reader *reader, size_t token, const struct anim_type_info *info, uint8_t *out,
		   struct anim_error *error)
{
	const struct range *range = &ranges[info->scalar];
	const uint8_t *text = animj_token_text(&reader->json, token);
	size_t size = animj_token_size(&reader->json, token);
	bool negative = *text == '-';
	uint64_t value;

	for (size_t i = negative; i < size; i++)
		if (text[i] < '0' || text[i] > '9')
			return refuse_number(reader, token, "is not a whole number, as needed for", error);
	if (!whole(text + negative, size - negative, range->most + (negative && range->is_signed), &value) ||
	    (negative && !range->is_signed && value != 0))
		return refuse_number(reader, token, "is beyond the range of", error);
	store_whole(out, info->lane_size, negative ? 0 - value : value);
	return 0;
}

static int real(struct animj_reader *reader, size_t token, const struct anim_type_info *info, uint8_t *out,
		struct anim_error *error)
{
	const char *text = (const char *)animj_token_text(&reader->json, token);
	const char *end = text + animj_token_size(&reader->json, token);
	double wide = 0;
	float narrow = 0;

	if (info->scalar == ANIM_SCALAR_F64) {
		anim_number_double(text, end, &wide);
		memcpy(out, &wide, sizeof wide);
	} else {
		anim_number_float(text, end, &narrow);
		memcpy(out, &narrow, sizeof narrow);
	}
	if (!isfinite(wide) || !isfinite(narrow))
		return refuse_number(reader, token, "is beyond the range of", error);
	return 0;
}

static void log_number(struct animj_reader *reader, size_t token, struct animj_key *key, int column, unsigned lane)
{
	struct animj_token at = animj_token(&reader->json, token);

	if (key->slot_count < ANIMJ_SLOTS_MAX)
		key->slots[key->slot_count] = (struct animj_slot){at.start, at.end, (uint8_t)column, (uint8_t)lane};
	if (key->slot_count <= ANIMJ_SLOTS_MAX)
		key->slot_count++;
}

static int boolean(struct animj_reader *reader, size_t token, uint8_t *out, unsigned lane, struct anim_error *error)
{
	uint8_t first = *animj_token_text(&reader->json, token);

	if (animj_token(&reader->json, token).type != ANIMJ_PRIMITIVE || (first != 't' && first != 'f'))
		return refuse_kind(reader, token, "true or false", error);
	*out = (uint8_t)((*out & ~(1u << lane)) | (unsigned)(first == 't') << lane);
	return 0;
}

/* One lane of the value at `out`. */
static int lane_of(struct animj_reader *reader, size_t token, struct animj_key *key, int column, unsigned lane,
		   struct anim_error *error)
{
	const struct anim_type_info *info = &anim_types[reader->head.type];
	uint8_t *out = key->value[column];

	if (info->scalar == ANIM_SCALAR_BOOL)
		return boolean(reader, token, out, lane, error);
	if (!animj_is_number(&reader->json, token))
		return refuse_kind(reader, token, info->lanes > 1 ? "numbers in its members" : "a number", error);
	log_number(reader, token, key, column, lane);
	if (info->scalar == ANIM_SCALAR_F32 || info->scalar == ANIM_SCALAR_F64)
		return real(reader, token, info, out + lane * info->lane_size, error);
	return integer(reader, token, info, out + lane * info->lane_size, error);
}

/* The lane called so, or -1. */
static int find_lane(const struct animj_json *json, size_t token, enum anim_type type, const char **name)
{
	static const char *const space[] = {"x", "y", "z", "w"}, *const color[] = {"r", "g", "b", "a"};
	const char *const *names = type == ANIM_COLOR || type == ANIM_COLOR32 ? color : space;

	for (int i = 0; i < anim_types[type].lanes; i++)
		if (animj_is_named(json, token, names[i])) {
			*name = names[i];
			return i;
		}
	return -1;
}

/* What Resonite's constructors take for members that are missing: 0, and full opacity. */
static void set_defaults(uint8_t *out, enum anim_type type)
{
	static const float opaque = 1;

	memset(out, 0, ANIMJ_VALUE_MAX);
	if (type == ANIM_COLOR)
		memcpy(out + 3 * sizeof opaque, &opaque, sizeof opaque);
	if (type == ANIM_COLOR32)
		out[3] = UINT8_MAX;
}

static int object(struct animj_reader *reader, size_t token, struct animj_key *key, int column,
		  struct anim_error *error)
{
	const struct animj_json *json = &reader->json;
	size_t end = animj_behind(json, token);
	unsigned seen = 0;

	set_defaults(key->value[column], (enum anim_type)reader->head.type);
	for (size_t name = token + 1; name < end; name = animj_behind(json, name + 1)) {
		int lane = find_lane(json, name, (enum anim_type)reader->head.type, &reader->path.lane);
		struct anim_place place;

		if (lane < 0)
			continue;
		if (seen & 1u << lane) {
			key->odd = true;
			place = animj_json_place(reader, animj_token_text(json, name));
			if (animj_warn(reader, &place, "members stand twice; the last of each counts", error,
				       "stands twice; the last one counts") != 0)
				return -1;
		}
		seen |= 1u << lane;
		if (lane_of(reader, name + 1, key, column, (unsigned)lane, error) != 0)
			return -1;
	}
	reader->path.lane = NULL;
	return 0;
}

static int refuse_length(struct animj_reader *reader, size_t token, struct anim_error *error)
{
	struct anim_place place = animj_json_place(reader, animj_token_text(&reader->json, token));

	place.column--; /* its quote */
	return animj_refuse(reader, &place, error, "a string of more than %u bytes", ANIM_TEXT_MAX);
}

static int string(struct animj_reader *reader, size_t token, struct anim_error *error)
{
	struct animj_strings *strings = &reader->columns.strings;
	const struct animj_json *json = &reader->json;
	uint64_t start = strings->bytes.size;
	uint32_t length = ANIM_NULL_STRING;
	const uint8_t *bad;
	const char *why;

	if (!animj_is_null(json, token)) {
		if (animj_token(json, token).type != ANIMJ_STRING)
			return refuse_kind(reader, token, "a string or null", error);
		if (anim_json_decode(animj_token_text(json, token), animj_token_size(json, token), &strings->bytes,
				     &bad, &why) != 0)
			return anim_fail_memory(error);
		if (strings->bytes.size - start > ANIM_TEXT_MAX)
			return refuse_length(reader, token, error);
		length = (uint32_t)(strings->bytes.size - start);
	}
	if (anim_buffer_append(&strings->length, &length, sizeof length, error) != 0)
		return -1;
	return anim_buffer_append(&strings->start, &start, sizeof start, error);
}

/* Tangents of strings are checked and not kept. */
static int string_tangent(struct animj_reader *reader, size_t token, struct anim_error *error)
{
	if (animj_is_null(&reader->json, token))
		return 0;
	reader->columns.string_tangents = true;
	if (animj_token(&reader->json, token).type == ANIMJ_STRING)
		return 0;
	return refuse_kind(reader, token, "a string or null", error);
}

int animj_value(struct animj_reader *reader, size_t token, struct animj_key *key, int column, struct anim_error *error)
{
	const struct anim_type_info *info = &anim_types[reader->head.type];

	if (info->scalar == ANIM_SCALAR_TEXT)
		return column == ANIMJ_VALUE ? string(reader, token, error) : string_tangent(reader, token, error);
	if (info->lanes == 1) {
		memset(key->value[column], 0, ANIMJ_VALUE_MAX);
		return lane_of(reader, token, key, column, 0, error);
	}
	if (animj_token(&reader->json, token).type != ANIMJ_OBJECT)
		return refuse_kind(reader, token, "an object of its members", error);
	return object(reader, token, key, column, error);
}

int animj_time(struct animj_reader *reader, size_t token, struct animj_key *key, struct anim_error *error)
{
	const char *text = (const char *)animj_token_text(&reader->json, token);
	struct anim_place place;

	if (animj_is_number(&reader->json, token)) {
		log_number(reader, token, key, ANIMJ_TIME, 0);
		anim_number_float(text, text + animj_token_size(&reader->json, token), &key->time_s);
		if (isfinite(key->time_s))
			return 0;
	}
	place = animj_json_place(reader, animj_token_text(&reader->json, token));
	if (animj_is_number(&reader->json, token))
		return animj_refuse(reader, &place, error, "a time beyond the largest float");
	return animj_refuse(reader, &place, error, "a time needs a number, found %s",
			    animj_token_name(&reader->json, token));
}
