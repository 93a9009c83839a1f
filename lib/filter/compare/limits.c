/* limits.c: limits of errors as people type them: "0.1mm,rotation=0.05deg". */
#include "filter/compare/compare.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

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

/* Return false for a property whose unit is known to be another one. */
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
			 "'%.*s' is not a limit. Use for example 0.1mm, 0.05deg, 1%%, position=0.1mm, or 1mm@10cm "
			 "for joints in space",
			 length < 100 ? (int)length : 100, text);
}

static int read_value(struct anim_limit *limit, const char *text, size_t length)
{
	size_t number = anim_number_typed(text, length, &limit->value), after = length - number;

	if (number == 0 || !(limit->value >= 0) || !isfinite(limit->value))
		return -1;
	limit->any_unit = after == 0;
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		if (strlen(suffixes[i].text) != after || memcmp(text + number, suffixes[i].text, after) != 0)
			continue;
		limit->unit = suffixes[i].unit;
		limit->value = limit->value * suffixes[i].times / suffixes[i].divided;
		return 0;
	}
	return limit->any_unit ? 0 : -1;
}

int anim_length_parse(double *metres, const char *text, struct anim_error *error)
{
	struct anim_limit limit = {.property = ""};

	if (read_value(&limit, text, strlen(text)) != 0 || limit.any_unit || limit.unit != ANIM_UNIT_LENGTH)
		return anim_fail(error, ANIM_BAD_INPUT, "'%.100s' is not a length. Use for example 10cm or 0.1m", text);
	*metres = limit.value;
	return 0;
}

/* Read "1mm@10cm": the limit for points at that distance from their joint. */
static int read_world(struct anim_limits *limits, struct anim_limit *limit, const char *text, const char *at,
		      size_t length, struct anim_error *error)
{
	struct anim_limit shell = {.property = ""};

	*limit = (struct anim_limit){.property = ANIM_LIMIT_WORLD};
	if (read_value(limit, text, (size_t)(at - text)) != 0 || limit->any_unit || limit->unit != ANIM_UNIT_LENGTH ||
	    read_value(&shell, at + 1, length - (size_t)(at + 1 - text)) != 0 || shell.any_unit ||
	    shell.unit != ANIM_UNIT_LENGTH)
		return anim_fail(error, ANIM_BAD_INPUT,
				 "'%.*s' is not a limit for points around a joint. Use for example 1mm@10cm",
				 length < 100 ? (int)length : 100, text);
	limits->world = true;
	limits->shell_m = shell.value;
	return 0;
}

static int read_limit(struct anim_limit *limit, const char *text, size_t length, struct anim_error *error)
{
	const char *equals = memchr(text, '=', length);
	size_t name = equals == NULL ? 0 : (size_t)(equals - text), after = equals == NULL ? 0 : name + 1;

	*limit = (struct anim_limit){.property = ""};
	if (name >= sizeof limit->property || (equals != NULL && name == 0))
		return bad(text, length, error);
	memcpy(limit->property, text, name);
	if (read_value(limit, text + after, length - after) != 0)
		return bad(text, length, error);

	/* Other properties have plain numbers: "light_energy=0.5". */
	if (limit->any_unit && limit->value != 0) {
		static const char *const transforms[] = {"position", "rotation", "euler", "angle"};

		for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++)
			if (limit->property[0] == '\0' || anim_glob_match(limit->property, transforms[i]))
				return anim_fail(
				    error, ANIM_BAD_INPUT,
				    "'%.*s' has no unit, so it could be metres. Use for example 1mm, 1deg or 1%%",
				    length < 100 ? (int)length : 100, text);
	}

	if (name == 0 || limit->any_unit || suits(limit->property, limit->unit))
		return 0;
	return anim_fail(error, ANIM_BAD_INPUT, "'%.*s': errors of %s have another unit", (int)length, text,
			 limit->property);
}

int anim_limits_parse(struct anim_limits *limits, const char *text, struct anim_error *error)
{
	const char *at;

	for (;;) {
		size_t length = strcspn(text, ",");

		if (limits->count == ANIM_LIMITS_MAX)
			return anim_fail(error, ANIM_BAD_INPUT, "more than %u limits", ANIM_LIMITS_MAX);
		at = memchr(text, '@', length);
		if ((at != NULL ? read_world(limits, &limits->items[limits->count], text, at, length, error)
				: read_limit(&limits->items[limits->count], text, length, error)) != 0)
			return -1;
		limits->count++;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

bool anim_limits_get(const struct anim_limits *limits, enum anim_unit unit, const char *property, double *value)
{
	int best = 0;

	if (anim_property_is_angle(property))
		property = unit == ANIM_UNIT_ANGLE ? "rotation" : property;
	for (size_t i = 0; i < limits->count; i++) {
		const struct anim_limit *limit = &limits->items[i];
		bool named = limit->property[0] != '\0';
		int rank = named ? 3 : limit->any_unit ? 1 : 2;

		if (named && !anim_glob_match(limit->property, property))
			continue;
		/* A number without unit applies to values, but not to texts or lengths of clips. */
		if (limit->any_unit ? !named && unit >= ANIM_UNIT_KEYS : limit->unit != unit)
			continue;
		if (rank >= best) {
			best = rank;
			*value = limit->value;
		}
	}
	return best > 0;
}

double anim_limits_find(const struct anim_limits *limits, enum anim_unit unit, const char *property)
{
	double value = 0;

	anim_limits_get(limits, unit, property, &value);
	return value;
}
