/* keys_template.c: the text of a key as Unity writes it, taken apart into what stays and what changes. */
#include "format/unity/keys_template.h"

#include <string.h>

static const struct {
	const char *name;
	bool integer;
	enum unity_column column;
} members[UNITY_MEMBER_COUNT] = {
    {"serializedVersion", true, 0}, {"time", false, UNITY_TIME},       {"value", false, UNITY_VALUE},
    {"inSlope", false, UNITY_LEFT}, {"outSlope", false, UNITY_RIGHT},  {"tangentMode", true, 0},
    {"weightedMode", true, 0},      {"inWeight", false, UNITY_LEFT_X}, {"outWeight", false, UNITY_RIGHT_X},
};

#define REQUIRED \
	(1u << UNITY_MEMBER_TIME | 1u << UNITY_MEMBER_VALUE | 1u << UNITY_MEMBER_LEFT | 1u << UNITY_MEMBER_RIGHT)

/* A key while it is learnt. */
struct lesson {
	struct unity_template *template;
	const uint8_t *at, *end; /* what may be read */
	const uint8_t *kept;     /* up to here the text is in the template */
	size_t used;             /* of its text */
	size_t piece;            /* where in it the text before the next number begins */
	unsigned changing;
	int member; /* the last one, -1 none */
};

const char *unity_scan_fraction(const char *at, struct anim_decimal *decimal)
{
	uint64_t mantissa = 0;
	const char *end = anim_scan_digits(at + 1, &mantissa);

	if (end == at + 1 || end - at > 19 || (*end | 0x20) == 'e')
		return NULL;
	*decimal = (struct anim_decimal){.mantissa = mantissa, .exponent = at + 1 - end, .unit = at + 1 - end};
	decimal->first = at;
	decimal->last = end;
	return end;
}

const uint8_t *unity_scan_bits(const uint8_t *at, uint32_t *bits)
{
	bool negative = *at == '-';
	const uint8_t *start = at += negative;
	uint64_t value = 0;

	for (; anim_is_digit((char)*at) && at - start < 10; at++)
		value = value * 10 + (uint64_t)(*at - '0');
	if (at == start || anim_is_digit((char)*at) || value > (negative ? UINT64_C(1) << 31 : UINT32_MAX))
		return NULL;
	*bits = negative ? 0 - (uint32_t)value : (uint32_t)value;
	return at;
}

void unity_set_rest(struct unity_key_rest *rest, enum unity_member member, uint32_t bits)
{
	if (member == UNITY_MEMBER_HINT)
		rest->hint = bits;
	else if (member == UNITY_MEMBER_MODE)
		rest->weighted = bits & 3;
	else
		rest->version = (int32_t)bits < 1 ? 1 : bits > UINT8_MAX ? UINT8_MAX : (uint8_t)bits;
}

static bool literal(struct lesson *lesson, const char *text)
{
	size_t length = strlen(text);

	if ((size_t)(lesson->end - lesson->at) < length || memcmp(lesson->at, text, length) != 0)
		return false;
	lesson->at += length;
	return true;
}

static bool spaces(struct lesson *lesson, uint32_t count)
{
	if ((size_t)(lesson->end - lesson->at) < count)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (lesson->at[i] != ' ')
			return false;
	lesson->at += count;
	return true;
}

/* Copies the text up to `to` into the template. */
static bool keep(struct lesson *lesson, const uint8_t *to)
{
	size_t length = (size_t)(to - lesson->kept);

	if (length > UNITY_TEMPLATE_TEXT - lesson->used)
		return false;
	memcpy(lesson->template->text + lesson->used, lesson->kept, length);
	lesson->used += length;
	lesson->kept = to;
	return true;
}

/* A number that changes, between the cursor and `end`. */
static bool add_slot(struct lesson *lesson, int member, unsigned lane, const uint8_t *end)
{
	struct unity_template *template = lesson->template;
	struct unity_slot *slot = &template->slots[template->count];

	if (template->count == UNITY_SLOTS_MAX || !keep(lesson, lesson->at))
		return false;
	template->count++;
	slot->at = (uint16_t)lesson->piece;
	slot->length = (uint16_t)(lesson->used - lesson->piece);
	slot->member = (uint8_t)member;
	slot->is_integer = members[member].integer;
	slot->column = (uint8_t)members[member].column;
	slot->lane = (uint8_t)lane;
	lesson->piece = lesson->used;
	lesson->kept = end;
	return true;
}

static bool stays(const struct lesson *lesson, int member)
{
	return (UNITY_MEMBERS_CONSTANT & ~lesson->changing) >> member & 1;
}

static bool number(struct lesson *lesson, int member, unsigned lane)
{
	const uint8_t *end;
	float value = 0;
	uint32_t bits = 0;

	end = members[member].integer ? unity_scan_bits(lesson->at, &bits) : unity_scan_float(lesson->at, &value);
	if (end == NULL || end > lesson->end)
		return false;
	if (!stays(lesson, member)) {
		if (!add_slot(lesson, member, lane, end))
			return false;
	} else if (members[member].integer) {
		unity_set_rest(&lesson->template->rest, (enum unity_member)member, bits);
	} else {
		lesson->template->weights[member - UNITY_MEMBER_LEFT_X][lane] = value;
	}
	lesson->at = end;
	return true;
}

/* {x: 0, y: 0, z: 0, w: 1}. How many lanes, 0 where it is something else. */
static unsigned vector(struct lesson *lesson, int member)
{
	static const char *const before[UNITY_LANES_MAX] = {"{x: ", ", y: ", ", z: ", ", w: "};
	unsigned lanes = 0;

	while (lanes < UNITY_LANES_MAX && literal(lesson, before[lanes]))
		if (!number(lesson, member, lanes++))
			return 0;
	return literal(lesson, "}") ? lanes : 0;
}

static bool value_of(struct lesson *lesson, int member)
{
	struct unity_template *template = lesson->template;
	const uint8_t *start = lesson->at;
	unsigned lanes = 1;

	if (lesson->at < lesson->end && *lesson->at == '{')
		lanes = members[member].integer ? 0 : vector(lesson, member);
	else if (!number(lesson, member, 0))
		return false;
	if (lanes == 0)
		return false;
	if (member == UNITY_MEMBER_VALUE)
		template->lanes = lanes;
	if (stays(lesson, member)) {
		if (!keep(lesson, lesson->at))
			return false;
		template->value[member][1] = (uint16_t)(lesson->at - start);
		template->value[member][0] = (uint16_t)(lesson->used - template->value[member][1]);
	}
	return members[member].integer || member <= UNITY_MEMBER_TIME ? lanes == 1 : lanes == template->lanes;
}

/* One line behind its indent. */
static bool line(struct lesson *lesson)
{
	for (int member = lesson->member + 1; member < UNITY_MEMBER_COUNT; member++) {
		if (!literal(lesson, members[member].name))
			continue;
		lesson->member = member;
		lesson->template->members |= 1u << member;
		lesson->template->lines++;
		return literal(lesson, ": ") && value_of(lesson, member) &&
		       (literal(lesson, "\n") || literal(lesson, "\r\n"));
	}
	return false;
}

/* Whether the line at the cursor has a member in the column: it belongs to the key. */
static bool goes_on(struct lesson *lesson, uint32_t column)
{
	const uint8_t *start = lesson->at;

	if (spaces(lesson, column) && lesson->at < lesson->end && *lesson->at != ' ' && *lesson->at != '-')
		return true;
	lesson->at = start;
	return false;
}

static unsigned needs(const struct unity_template *template, unsigned changing)
{
	unsigned weights = 1u << UNITY_MEMBER_LEFT_X | 1u << UNITY_MEMBER_RIGHT_X, with = 0;

	changing &= template->members;
	if (changing & weights)
		with |= UNITY_WITH_WEIGHTS;
	for (unsigned i = 0; i < template->lanes; i++)
		if (template->weights[0][i] != UNITY_WEIGHT || template->weights[1][i] != UNITY_WEIGHT)
			with |= UNITY_WITH_WEIGHTS;
	if (changing & 1u << UNITY_MEMBER_HINT || template->rest.hint != 0)
		with |= UNITY_WITH_HINTS;
	if (changing & 1u << UNITY_MEMBER_MODE || template->rest.weighted != 0)
		with |= UNITY_WITH_MODES;
	if (changing & 1u << UNITY_MEMBER_VERSION)
		with |= UNITY_WITH_VERSIONS;
	return with;
}

bool unity_template_learn(struct unity_template *template, const uint8_t *at, uint32_t column, unsigned changing)
{
	struct lesson lesson = {
	    .template = template, .at = at, .end = at + UNITY_KEY_MAX, .kept = at, .changing = changing, .member = -1};

	*template = (struct unity_template){.column = column, .rest.version = 1};
	for (unsigned i = 0; i < UNITY_LANES_MAX; i++)
		template->weights[0][i] = template->weights[1][i] = UNITY_WEIGHT;
	if (column < 2 || !spaces(&lesson, column - 2) || !literal(&lesson, "- "))
		return false;
	do
		if (!line(&lesson))
			return false;
	while (goes_on(&lesson, column));
	if ((template->members & REQUIRED) != REQUIRED || !keep(&lesson, lesson.at))
		return false;
	template->tail = (uint16_t)lesson.piece;
	template->tail_length = (uint16_t)(lesson.used - lesson.piece);
	template->with = needs(template, changing);
	return true;
}

unsigned unity_template_changes(const struct unity_template *a, const struct unity_template *b)
{
	unsigned changes = 0;

	if (a->column != b->column || a->members != b->members || a->lanes != b->lanes)
		return ~0u;
	for (int i = 0; i < UNITY_MEMBER_COUNT; i++)
		if (a->value[i][1] != b->value[i][1] ||
		    memcmp(a->text + a->value[i][0], b->text + b->value[i][0], a->value[i][1]) != 0)
			changes |= 1u << i;
	return changes;
}
