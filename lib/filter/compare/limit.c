/* limit.c: how far errors may go, as people type it: "0.1mm,rotation=0.05deg". */
#include <math.h>
#include <string.h>

#include "base/input.h"
#include "base/number.h"
#include "base/text.h"
#include "filter/compare/compare.h"

const char *const anim_unit_names[ANIM_UNIT_COUNT] = {
    [ANIM_UNIT_PLAIN] = "",    [ANIM_UNIT_LENGTH] = "m",  [ANIM_UNIT_PIXELS] = "px",
    [ANIM_UNIT_ANGLE] = "deg", [ANIM_UNIT_KEYS] = "keys", [ANIM_UNIT_TIME] = "s"};

static const struct suffix {
	const char *text;
	enum anim_unit unit;
	double times, divided; /* a power of ten is exact only as a divisor */
} suffixes[] = {
    {"mm", ANIM_UNIT_LENGTH, 1, 1000}, {"cm", ANIM_UNIT_LENGTH, 1, 100}, {"m", ANIM_UNIT_LENGTH, 1, 1},
    {"px", ANIM_UNIT_PIXELS, 1, 1},    {"deg", ANIM_UNIT_ANGLE, 1, 1},   {"rad", ANIM_UNIT_ANGLE, 57.29577951308232, 1},
    {"%", ANIM_UNIT_PLAIN, 1, 100},    {"ms", ANIM_UNIT_TIME, 1, 1000},  {"s", ANIM_UNIT_TIME, 1, 1},
};

/* Properties whose unit is known. */
static bool suits(const char *property, enum anim_unit unit)
{
	if (strcmp(property, "position") == 0)
		return unit == ANIM_UNIT_LENGTH || unit == ANIM_UNIT_PIXELS;
	if (strcmp(property, "rotation") == 0)
		return unit == ANIM_UNIT_ANGLE;
	return strcmp(property, "scale") != 0 || unit == ANIM_UNIT_PLAIN;
}

static int bad(const char *text, size_t length, struct anim_error *error)
{
	return anim_fail(error, ANIM_BAD_INPUT,
			 "'%.*s' is not a limit; a limit is 0.1mm, 0.05deg, 1%%, 0.001 or position=0.1mm",
			 length < 100 ? (int)length : 100, text);
}

static int read_value(struct anim_limit *limit, const char *text, size_t length)
{
	char padded[64 + ANIM_INPUT_SLACK] = {0};
	const char *end;

	if (length >= 64)
		return -1;
	memcpy(padded, text, length);
	end = anim_number_double(padded, padded + length, &limit->value);
	if (end == NULL || !(limit->value >= 0) || !isfinite(limit->value))
		return -1;
	limit->any_unit = *end == '\0';
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		if (strcmp(end, suffixes[i].text) != 0)
			continue;
		limit->unit = suffixes[i].unit;
		limit->value = limit->value * suffixes[i].times / suffixes[i].divided;
		return 0;
	}
	return limit->any_unit ? 0 : -1;
}

static int read_limit(struct anim_limit *limit, const char *text, size_t length, struct anim_error *error)
{
	const char *equals = memchr(text, '=', length);
	size_t name = equals == NULL ? 0 : (size_t)(equals - text), behind = equals == NULL ? 0 : name + 1;

	*limit = (struct anim_limit){.property = ""};
	if (name >= sizeof limit->property || (equals != NULL && name == 0))
		return bad(text, length, error);
	memcpy(limit->property, text, name);
	if (read_value(limit, text + behind, length - behind) != 0)
		return bad(text, length, error);
	if (name == 0 || limit->any_unit || suits(limit->property, limit->unit))
		return 0;
	return anim_fail(error, ANIM_BAD_INPUT, "'%.*s': errors of %s are not measured in that unit", (int)length, text,
			 limit->property);
}

int anim_limits_parse(struct anim_limits *limits, const char *text, struct anim_error *error)
{
	for (;;) {
		size_t length = strcspn(text, ",");

		if (limits->count == ANIM_LIMITS_MAX)
			return anim_fail(error, ANIM_BAD_INPUT, "more than %u limits", ANIM_LIMITS_MAX);
		if (read_limit(&limits->items[limits->count], text, length, error) != 0)
			return -1;
		limits->count++;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

double anim_limits_find(const struct anim_limits *limits, enum anim_unit unit, const char *property)
{
	double found = 0;
	int best = 0;

	if (strcmp(property, "euler") == 0 || strcmp(property, "angle") == 0)
		property = unit == ANIM_UNIT_ANGLE ? "rotation" : property;
	for (size_t i = 0; i < limits->count; i++) {
		const struct anim_limit *limit = &limits->items[i];
		bool named = limit->property[0] != '\0';
		int rank = named ? 3 : limit->any_unit ? 1 : 2;

		if (named && !anim_glob_match(limit->property, property))
			continue;
		/* A bare number bounds values, not texts or lengths of clips. */
		if (limit->any_unit ? !named && unit >= ANIM_UNIT_KEYS : limit->unit != unit)
			continue;
		if (rank >= best) {
			best = rank;
			found = limit->value;
		}
	}
	return found;
}
