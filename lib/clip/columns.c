/* columns.c: the invariants of a track's columns; on the way of every key, so written in blocks that vectorise. */
#include <float.h>

#include "base/limits.h"
#include "base/text.h"
#include "clip/check.h"

const char *const anim_column_names[ANIM_COLUMN_COUNT] = {"time",   "value",   "interp", "left",     "right",
							  "left_x", "right_x", "ease",   "weighted", "hint"};

/* Keys looked at before a loop asks whether all was well: a constant count is what -O2 vectorises. */
#define BLOCK 64

#define BIT(column) (1u << (column))
#define PAIR_Y (BIT(ANIM_COLUMN_LEFT) | BIT(ANIM_COLUMN_RIGHT))
#define PAIR_X (BIT(ANIM_COLUMN_LEFT_X) | BIT(ANIM_COLUMN_RIGHT_X))

#define REFUSE(which, ...) return *field = (which), anim_fail(error, ANIM_BAD_INPUT, __VA_ARGS__)

static const unsigned modes_with_slopes =
    BIT(ANIM_TANGENT) | BIT(ANIM_CUBIC_BEZIER) | BIT(ANIM_HERMITE) | BIT(ANIM_WEIGHTED) | BIT(ANIM_BEZIER_2D);
static const unsigned modes_with_x = BIT(ANIM_WEIGHTED) | BIT(ANIM_BEZIER_2D);
static const unsigned modes_of_reals = BIT(ANIM_HERMITE) | BIT(ANIM_WEIGHTED) | BIT(ANIM_BEZIER_2D);
static const unsigned modes_of_one_lane = BIT(ANIM_BEZIER_2D) | BIT(ANIM_LINEAR_ANGLE) | BIT(ANIM_CUBIC_ANGLE);
static const unsigned modes_of_strings = BIT(ANIM_HOLD) | BIT(ANIM_LINEAR);

/* What is demanded of a track with these modes. */
static unsigned columns_needed(const struct anim_track *track, unsigned modes)
{
	unsigned need = BIT(ANIM_COLUMN_VALUE);

	if (track->kind != ANIM_RAW)
		need |= BIT(ANIM_COLUMN_TIME);
	if (track->interp == ANIM_INTERP_COLUMN)
		need |= BIT(ANIM_COLUMN_INTERP);
	if (modes & modes_with_slopes)
		need |= PAIR_Y;
	if (modes & BIT(ANIM_BEZIER_2D))
		need |= PAIR_X;
	return need;
}

static unsigned columns_allowed(const struct anim_track *track, unsigned modes)
{
	unsigned may = BIT(ANIM_COLUMN_VALUE);

	if (track->kind != ANIM_RAW)
		may |= BIT(ANIM_COLUMN_TIME) | BIT(ANIM_COLUMN_HINT);
	if (track->kind != ANIM_CURVE)
		return may;
	may |= BIT(ANIM_COLUMN_EASE);
	if (track->interp == ANIM_INTERP_COLUMN)
		may |= BIT(ANIM_COLUMN_INTERP);
	if (track->type == ANIM_STRING)
		return may;
	may |= PAIR_Y;
	if (modes & modes_with_x)
		may |= PAIR_X;
	if (modes & BIT(ANIM_WEIGHTED))
		may |= BIT(ANIM_COLUMN_WEIGHTED);
	return may;
}

/* The modes of all keys as bits; -1 where a key has none of them. */
static int modes_of(const struct anim_track *track, unsigned *modes, struct anim_error *error)
{
	uint8_t seen[256] = {0};

	*modes = 0;
	if (track->interp != ANIM_INTERP_COLUMN) {
		*modes = BIT(track->interp);
		return 0;
	}
	for (size_t i = 0; i < track->n; i++)
		seen[track->interps[i]] = 1;
	for (unsigned mode = 0; mode < 256; mode++) {
		if (seen[mode] && mode >= ANIM_INTERP_COUNT)
			return anim_fail(error, ANIM_BAD_INPUT, "interpolation mode %u of a key", mode);
		*modes |= seen[mode] ? BIT(mode) : 0;
	}
	return 0;
}

/* The lowest mode of a set that is not empty. */
static const char *first_mode(unsigned modes)
{
	unsigned mode = 0;

	while (!(modes & BIT(mode)))
		mode++;
	return anim_interp_names[mode];
}

static int check_modes(const struct anim_track *track, unsigned modes, struct anim_error *error)
{
	unsigned bad = 0;

	if (track->type == ANIM_STRING)
		bad = modes & ~modes_of_strings;
	else if (!anim_type_is_real(track->type))
		bad = modes & modes_of_reals;
	if (anim_types[track->type].lanes != 1)
		bad |= modes & modes_of_one_lane;
	if (bad != 0)
		return anim_fail(error, ANIM_BAD_INPUT, "%s in a track of type %s", first_mode(bad),
				 anim_types[track->type].name);
	return 0;
}

static int check_presence(const struct anim_track *track, unsigned present, unsigned modes, enum anim_field *field,
			  struct anim_error *error)
{
	unsigned missing = columns_needed(track, modes) & ~present, extra = present & ~columns_allowed(track, modes);

	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++) {
		if (missing & BIT(i))
			REFUSE(ANIM_FIELD_RECORD, "column %u of a TRAK is missing", i);
		if (extra & BIT(i))
			REFUSE(ANIM_FIELD_COLUMN + i, "column %u where it has no meaning (%s, %s)", i,
			       anim_kind_names[track->kind], anim_types[track->type].name);
	}
	if ((present & PAIR_Y) != 0 && (present & PAIR_Y) != PAIR_Y)
		REFUSE(ANIM_FIELD_RECORD, "one of columns 3 and 4 without the other");
	if ((present & PAIR_X) != 0 && (present & PAIR_X) != PAIR_X)
		REFUSE(ANIM_FIELD_RECORD, "one of columns 5 and 6 without the other");
	return 0;
}

/* True where no time is smaller than the one before it; false for NaN too. */
static bool times_rise(const float *time, size_t n)
{
	size_t i = 1;
	unsigned bad = 0;

	for (; i + BLOCK <= n && !bad; i += BLOCK)
		for (size_t j = 0; j < BLOCK; j++)
			bad |= !(time[i + j] >= time[i + j - 1]);
	for (; i < n; i++)
		bad |= !(time[i] >= time[i - 1]);
	return !bad;
}

bool anim_times_are_sorted(const float *time, size_t n)
{
	return n == 0 || (times_rise(time, n) && time[0] >= -FLT_MAX && time[n - 1] <= FLT_MAX);
}

static int check_times(const struct anim_track *track, struct anim_error *error)
{
	const float *time = track->time;
	size_t at = 0;

	if ((track->flags & ANIM_UNSORTED) || anim_times_are_sorted(time, track->n))
		return 0;
	while (time[at] >= -FLT_MAX && time[at] <= FLT_MAX && (at == 0 || time[at] >= time[at - 1]))
		at++;
	return anim_fail(error, ANIM_BAD_INPUT,
			 "the time of key %zu is not finite, or before the time of the key before it", at);
}

/* All bytes or'ed. */
static unsigned union_of_bytes(const uint8_t *bytes, size_t n)
{
	uint8_t all = 0;
	size_t i = 0;

	for (; i + BLOCK <= n; i += BLOCK)
		for (size_t j = 0; j < BLOCK; j++)
			all |= bytes[i + j];
	for (; i < n; i++)
		all |= bytes[i];
	return all;
}

static int check_bools(const struct anim_track *track, unsigned present, enum anim_field *field,
		       struct anim_error *error)
{
	static const unsigned ids[] = {ANIM_COLUMN_VALUE, ANIM_COLUMN_LEFT, ANIM_COLUMN_RIGHT};

	if (anim_types[track->type].scalar != ANIM_SCALAR_BOOL || track->n == 0)
		return 0;
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		if ((present & BIT(ids[i])) &&
		    union_of_bytes(track->column[ids[i]], track->n) >> anim_types[track->type].lanes)
			REFUSE(ANIM_FIELD_COLUMN + ids[i], "a %s of more than its bits", anim_types[track->type].name);
	return 0;
}

static int check_strings(const struct anim_track *track, struct anim_error *error)
{
	const struct anim_strings *strings = track->strings;

	if (track->type != ANIM_STRING)
		return 0;
	for (size_t i = 0; i < track->n; i++) {
		uint32_t length = strings->length[i];

		if (length == ANIM_NULL_STRING)
			continue;
		if (length > ANIM_TEXT_MAX)
			return anim_fail(error, ANIM_BAD_INPUT, "string %zu of %u bytes, at most %u are allowed", i,
					 (unsigned)length, ANIM_TEXT_MAX);
		if (strings->start[i] > strings->bytes_size || length > strings->bytes_size - strings->start[i])
			return anim_fail(error, ANIM_BAD_INPUT, "string %zu lies outside its column", i);
		if (anim_utf8_prefix(strings->bytes + strings->start[i], length) != length)
			return anim_fail(error, ANIM_BAD_INPUT, "string %zu is not UTF-8 or holds a NUL", i);
	}
	return 0;
}

/* Presence of columns by the track's pointers. */
static unsigned columns_set(const struct anim_track *track)
{
	unsigned present = track->strings != NULL && track->type == ANIM_STRING ? BIT(ANIM_COLUMN_VALUE) : 0;

	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++)
		present |= track->column[i] != NULL ? BIT(i) : 0;
	return present;
}

unsigned anim_track_columns(const struct anim_track *track)
{
	unsigned modes = track->interp == ANIM_INTERP_COLUMN ? 0 : BIT(track->interp);

	return columns_set(track) | (track->n == 0 ? columns_needed(track, modes) : 0);
}

int anim_track_check_columns(const struct anim_track *track, unsigned present, enum anim_field *field,
			     struct anim_error *error)
{
	unsigned modes;
	bool by_key = track->interp == ANIM_INTERP_COLUMN;

	*field = by_key ? ANIM_FIELD_COLUMN + ANIM_COLUMN_INTERP : ANIM_FIELD_INTERP;
	if (by_key && !(present & BIT(ANIM_COLUMN_INTERP)))
		REFUSE(ANIM_FIELD_RECORD, "column 2 of a TRAK is missing");
	if (modes_of(track, &modes, error) != 0 || check_modes(track, modes, error) != 0)
		return -1;
	if (check_presence(track, present, modes, field, error) != 0)
		return -1;
	*field = ANIM_FIELD_COLUMN + ANIM_COLUMN_TIME;
	if (track->kind != ANIM_RAW && check_times(track, error) != 0)
		return -1;
	*field = ANIM_FIELD_COLUMN + ANIM_COLUMN_VALUE;
	if (check_strings(track, error) != 0)
		return -1;
	*field = ANIM_FIELD_COLUMN + ANIM_COLUMN_WEIGHTED;
	if ((present & BIT(ANIM_COLUMN_WEIGHTED)) && union_of_bytes(track->weighted, track->n) > 3)
		return anim_fail(error, ANIM_BAD_INPUT, "unknown bits in column 8 of a TRAK");
	return check_bools(track, present, field, error);
}
