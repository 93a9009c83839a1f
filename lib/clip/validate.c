/* validate.c: the invariants of clips, trees, nodes and tracks. */
#include "clip/track.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"

/* ---- Columns: every key is checked, so the loops use blocks that compilers vectorise ---- */

const char *const anim_column_names[ANIM_COLUMN_COUNT] = {"time",   "value",   "interp", "left",     "right",
							  "left_x", "right_x", "ease",   "weighted", "hint"};

/* Keys per block before a loop checks the result: -O2 vectorises a constant count. */
#define BLOCK 64

#define BIT(column) (1u << (column))
#define PAIR_Y (BIT(ANIM_COLUMN_LEFT) | BIT(ANIM_COLUMN_RIGHT))
#define PAIR_X (BIT(ANIM_COLUMN_LEFT_X) | BIT(ANIM_COLUMN_RIGHT_X))

/* Set the field and fail. */
#define REFUSE(which, ...) return *field = (which), anim_fail(error, ANIM_BAD_INPUT, __VA_ARGS__)

static const unsigned modes_with_slopes =
    BIT(ANIM_TANGENT) | BIT(ANIM_CUBIC_BEZIER) | BIT(ANIM_HERMITE) | BIT(ANIM_WEIGHTED) | BIT(ANIM_BEZIER_2D);
static const unsigned modes_with_x = BIT(ANIM_WEIGHTED) | BIT(ANIM_BEZIER_2D);
static const unsigned modes_of_reals = BIT(ANIM_HERMITE) | BIT(ANIM_WEIGHTED) | BIT(ANIM_BEZIER_2D);
static const unsigned modes_of_one_component = BIT(ANIM_BEZIER_2D) | BIT(ANIM_LINEAR_ANGLE) | BIT(ANIM_CUBIC_ANGLE);
static const unsigned modes_of_strings = BIT(ANIM_HOLD) | BIT(ANIM_LINEAR);

/* Return the columns that a track with these modes needs. */
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

/* Get the modes of all keys as bits. Returns 0, or -1 if a key has an unknown mode. */
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

static int check_presence(const struct anim_track *track, unsigned present, unsigned modes, enum anim_field *field,
			  struct anim_error *error)
{
	unsigned missing = columns_needed(track, modes) & ~present, extra = present & ~columns_allowed(track, modes);

	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++) {
		if (missing & BIT(i))
			REFUSE(ANIM_FIELD_RECORD, "column %u of a TRAK is missing", i);
		if (extra & BIT(i))
			REFUSE(ANIM_FIELD_COLUMN + i, "column %u is not allowed for this track (%s, %s)", i,
			       anim_kind_names[track->kind], anim_types[track->type].name);
	}
	if ((present & PAIR_Y) != 0 && (present & PAIR_Y) != PAIR_Y)
		REFUSE(ANIM_FIELD_RECORD, "one of columns 3 and 4 without the other");
	if ((present & PAIR_X) != 0 && (present & PAIR_X) != PAIR_X)
		REFUSE(ANIM_FIELD_RECORD, "one of columns 5 and 6 without the other");
	return 0;
}

/* Return true if no time is smaller than the previous one; false also for NaN. */
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

/* Return the bitwise OR of all bytes. */
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
			return anim_fail(error, ANIM_BAD_INPUT, "string %zu is outside its column", i);
		if (anim_utf8_prefix(strings->bytes + strings->start[i], length) != length)
			return anim_fail(error, ANIM_BAD_INPUT, "string %zu is not UTF-8 or holds a NUL", i);
	}
	return 0;
}

unsigned anim_track_columns(const struct anim_track *track)
{
	unsigned modes = track->interp == ANIM_INTERP_COLUMN ? 0 : BIT(track->interp);
	unsigned present = track->strings != NULL && track->type == ANIM_STRING ? BIT(ANIM_COLUMN_VALUE) : 0;

	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++)
		present |= track->column[i] != NULL ? BIT(i) : 0;
	return present | (track->n == 0 ? columns_needed(track, modes) : 0);
}

int anim_track_check_columns(const struct anim_track *track, unsigned present, enum anim_field *field,
			     struct anim_error *error)
{
	static const unsigned of_values[] = {ANIM_COLUMN_VALUE, ANIM_COLUMN_LEFT, ANIM_COLUMN_RIGHT};
	const struct anim_type_info *info = &anim_types[track->type];
	const float *time = track->time;
	unsigned modes, bad = 0, mode = 0;
	bool by_key = track->interp == ANIM_INTERP_COLUMN;
	size_t at = 0;

	*field = by_key ? ANIM_FIELD_COLUMN + ANIM_COLUMN_INTERP : ANIM_FIELD_INTERP;
	if (by_key && !(present & BIT(ANIM_COLUMN_INTERP)))
		REFUSE(ANIM_FIELD_RECORD, "column 2 of a TRAK is missing");
	if (modes_of(track, &modes, error) != 0)
		return -1;
	if (track->type == ANIM_STRING)
		bad = modes & ~modes_of_strings;
	else if (!anim_type_is_real(track->type))
		bad = modes & modes_of_reals;
	if (info->components != 1)
		bad |= modes & modes_of_one_component;
	while (bad != 0 && !(bad & BIT(mode)))
		mode++;
	if (bad != 0)
		return anim_fail(error, ANIM_BAD_INPUT, "%s in a track of type %s", anim_interp_names[mode],
				 info->name);
	if (check_presence(track, present, modes, field, error) != 0)
		return -1;
	*field = ANIM_FIELD_COLUMN + ANIM_COLUMN_TIME;
	if (track->kind != ANIM_RAW && !(track->flags & ANIM_UNSORTED) && !anim_times_are_sorted(time, track->n)) {
		while (time[at] >= -FLT_MAX && time[at] <= FLT_MAX && (at == 0 || time[at] >= time[at - 1]))
			at++;
		return anim_fail(error, ANIM_BAD_INPUT,
				 "the time of key %zu is not finite, or before the time of the key before it", at);
	}
	*field = ANIM_FIELD_COLUMN + ANIM_COLUMN_VALUE;
	if (check_strings(track, error) != 0)
		return -1;
	*field = ANIM_FIELD_COLUMN + ANIM_COLUMN_WEIGHTED;
	if ((present & BIT(ANIM_COLUMN_WEIGHTED)) && union_of_bytes(track->weighted, track->n) > 3)
		return anim_fail(error, ANIM_BAD_INPUT, "unknown bits in column 8 of a TRAK");
	for (size_t i = 0; i < ANIM_COUNT(of_values) && info->scalar == ANIM_SCALAR_BOOL && track->n > 0; i++)
		if ((present & BIT(of_values[i])) &&
		    union_of_bytes(track->column[of_values[i]], track->n) >> info->components)
			REFUSE(ANIM_FIELD_COLUMN + of_values[i], "a %s of more than its bits", info->name);
	return 0;
}

/* ---- Heads ---- */

static int check_text(const char *text, size_t limit, const char *what, struct anim_error *error)
{
	size_t length = text == NULL ? 0 : strlen(text);

	if (length > limit)
		return anim_fail(error, ANIM_BAD_INPUT, "%s of %zu bytes, at most %zu are allowed", what, length,
				 limit);
	if (length > 0 && anim_utf8_prefix(text, length) != length)
		return anim_fail(error, ANIM_BAD_INPUT, "%s that is not UTF-8", what);
	return 0;
}

/* Check a name in the field `which`. */
static int check_name(const char *name, enum anim_field which, enum anim_field *field, struct anim_error *error)
{
	*field = which;
	return check_text(name, ANIM_NAME_MAX, "a name", error);
}

static int check_attrs(const struct anim_attrs *attrs, enum anim_field *field, struct anim_error *error)
{
	*field = ANIM_FIELD_ATTRS;
	if (attrs->count > ANIM_ATTRS_MAX)
		return anim_fail(error, ANIM_BAD_INPUT, "%zu attributes, at most %u are allowed", attrs->count,
				 ANIM_ATTRS_MAX);
	for (size_t i = 0; i < attrs->count; i++) {
		if (check_text(attrs->items[i].key, ANIM_NAME_MAX, "an attribute's name", error) != 0 ||
		    check_text(attrs->items[i].value, ANIM_TEXT_MAX, "an attribute's value", error) != 0)
			return -1;
		if (i > 0 && strcmp(attrs->items[i - 1].key, attrs->items[i].key) >= 0)
			return anim_fail(error, ANIM_BAD_INPUT, "attributes not sorted or not unique");
	}
	return 0;
}

int anim_tree_check(const struct anim_tree *tree, enum anim_field *field, struct anim_error *error)
{
	if (tree->axes >= ANIM_AXES_COUNT)
		REFUSE(ANIM_FIELD_AXES, "axes %d of a TREE", tree->axes);
	if (tree->axes2d >= ANIM_AXES2D_COUNT)
		REFUSE(ANIM_FIELD_AXES2D, "two-dimensional axes %d of a TREE", tree->axes2d);
	if (check_name(tree->root_name, ANIM_FIELD_ROOT, field, error) != 0 ||
	    check_name(tree->source_file, ANIM_FIELD_SOURCE, field, error) != 0)
		return -1;
	return check_attrs(&tree->attrs, field, error);
}

static bool all_finite(const float *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(numbers[i]))
			return false;
	return true;
}

int anim_node_check(const struct anim_node *node, uint32_t number, enum anim_field *field, struct anim_error *error)
{
	if (node->kind >= ANIM_NODE_KIND_COUNT)
		REFUSE(ANIM_FIELD_KIND, "kind %d of a NODE", node->kind);
	if (node->has & ~15)
		REFUSE(ANIM_FIELD_FLAGS, "unknown bits in `has` of a NODE: %d", node->has);
	if ((number == 0) != (node->parent == ANIM_NO_PARENT))
		REFUSE(ANIM_FIELD_PARENT, number == 0 ? "the first NODE of a TREE has a parent"
						      : "a second NODE without parent in a TREE");
	if (number != 0 && node->parent >= number)
		REFUSE(ANIM_FIELD_PARENT, "NODE %u has parent %u, which does not come before it", (unsigned)number,
		       (unsigned)node->parent);
	if (!all_finite(node->position, 3) || !all_finite(node->rotation, 4) || !all_finite(node->scale, 3))
		REFUSE(ANIM_FIELD_TRANSFORM, "a number of a NODE is not finite");
	if (check_name(node->path, ANIM_FIELD_NODE, field, error) != 0 ||
	    check_name(node->type, ANIM_FIELD_TYPE, field, error) != 0)
		return -1;
	return check_attrs(&node->attrs, field, error);
}

int anim_clip_check(const struct anim_clip *clip, bool tree_before, enum anim_field *field, struct anim_error *error)
{
	if (!isfinite(clip->start_s))
		REFUSE(ANIM_FIELD_START, "the start of a CLIP is not finite");
	if (!isfinite(clip->end_s))
		REFUSE(ANIM_FIELD_END, "the end of a CLIP is not finite");
	if (clip->end_s < clip->start_s)
		REFUSE(ANIM_FIELD_END, "a CLIP ends before it starts");
	if (clip->loop >= ANIM_LOOP_COUNT)
		REFUSE(ANIM_FIELD_LOOP, "loop mode %d of a CLIP", clip->loop);
	if (clip->axes >= ANIM_AXES_COUNT)
		REFUSE(ANIM_FIELD_AXES, "axes %d of a CLIP", clip->axes);
	if (clip->axes2d >= ANIM_AXES2D_COUNT)
		REFUSE(ANIM_FIELD_AXES2D, "two-dimensional axes %d of a CLIP", clip->axes2d);
	if (clip->flags & ~(ANIM_END_DERIVED | ANIM_IN_TREE))
		REFUSE(ANIM_FIELD_FLAGS, "unknown flags of a CLIP: %d", clip->flags);
	if ((clip->flags & ANIM_IN_TREE) && !tree_before)
		REFUSE(ANIM_FIELD_FLAGS, "a CLIP that belongs to a TREE, but no TREE comes before it");
	if ((clip->rate_num == 0) != (clip->rate_den == 0))
		REFUSE(ANIM_FIELD_RATE, "rate %u/%u of a CLIP", (unsigned)clip->rate_num, (unsigned)clip->rate_den);
	if (check_name(clip->name, ANIM_FIELD_NAME, field, error) != 0 ||
	    check_name(clip->root, ANIM_FIELD_ROOT, field, error) != 0 ||
	    check_name(clip->source, ANIM_FIELD_SOURCE, field, error) != 0)
		return -1;
	return check_attrs(&clip->attrs, field, error);
}

int anim_track_check_head(const struct anim_track *track, enum anim_field *field, struct anim_error *error)
{
	const uint8_t interp = track->interp;

	if ((unsigned)track->kind > ANIM_CURVE)
		REFUSE(ANIM_FIELD_KIND, "kind %u of a TRAK", (unsigned)track->kind);
	if ((unsigned)track->type >= ANIM_TYPE_COUNT)
		REFUSE(ANIM_FIELD_TYPE, "value type %u of a TRAK", (unsigned)track->type);
	if (check_name(track->node, ANIM_FIELD_NODE, field, error) != 0 ||
	    check_name(track->property, ANIM_FIELD_PROPERTY, field, error) != 0)
		return -1;
	if (track->n > ANIM_KEYS_MAX)
		REFUSE(ANIM_FIELD_KEYS, "a track of %zu keys", track->n);
	if (track->component != ANIM_WHOLE && track->component > 15)
		REFUSE(ANIM_FIELD_COMPONENT, "component %d of a TRAK", track->component);
	if (track->component != ANIM_WHOLE && (anim_types[track->type].components != 1 || track->type == ANIM_STRING))
		REFUSE(ANIM_FIELD_COMPONENT, "component %d of a track of type %s", track->component,
		       anim_types[track->type].name);
	if ((unsigned)track->rules >= ANIM_RULES_COUNT)
		REFUSE(ANIM_FIELD_RULES, "rules %u of a TRAK", (unsigned)track->rules);
	if (track->flags & ~127u)
		REFUSE(ANIM_FIELD_FLAGS, "unknown flags of a TRAK: %u", track->flags);
	if (track->pre >= ANIM_EXTRAPOLATION_COUNT)
		REFUSE(ANIM_FIELD_PRE, "`before` %d of a TRAK", track->pre);
	if (track->post >= ANIM_EXTRAPOLATION_COUNT)
		REFUSE(ANIM_FIELD_POST, "`after` %d of a TRAK", track->post);
	if (interp >= ANIM_INTERP_COUNT && interp != ANIM_INTERP_COLUMN)
		REFUSE(ANIM_FIELD_INTERP, "interpolation mode %d of a TRAK", interp);
	if ((track->kind == ANIM_DISCRETE && interp != ANIM_HOLD) || (track->kind == ANIM_RAW && interp > ANIM_LINEAR))
		REFUSE(ANIM_FIELD_INTERP, "interpolation mode %d of a %s track", interp, anim_kind_names[track->kind]);
	if (check_attrs(&track->attrs, field, error) != 0)
		return -1;
	if (track->kind != ANIM_RAW)
		return 0;
	if (!isfinite(track->start_s))
		REFUSE(ANIM_FIELD_START, "the start of a Raw track is not finite");
	if (!isfinite(track->step_s) || track->step_s < 0)
		REFUSE(ANIM_FIELD_STEP, "the step of a Raw track is negative or not finite");
	if ((track->rate_num == 0) != (track->rate_den == 0))
		REFUSE(ANIM_FIELD_RATE, "rate %u/%u of a Raw track", (unsigned)track->rate_num,
		       (unsigned)track->rate_den);
	if (track->rate_num != 0 && track->step_s != 0)
		REFUSE(ANIM_FIELD_STEP, "a step beside a rate in a Raw track");
	return 0;
}

int anim_track_validate(const struct anim_track *track, struct anim_error *error)
{
	enum anim_field field;

	if (anim_track_check_head(track, &field, error) != 0)
		return -1;
	return anim_track_check_columns(track, anim_track_columns(track), &field, error);
}

int anim_clip_validate(const struct anim_clip *clip, bool tree_before, struct anim_error *error)
{
	enum anim_field field;

	return anim_clip_check(clip, tree_before, &field, error);
}

int anim_tree_validate(const struct anim_tree *tree, struct anim_error *error)
{
	enum anim_field field;

	return anim_tree_check(tree, &field, error);
}

int anim_node_validate(const struct anim_node *node, uint32_t number, struct anim_error *error)
{
	enum anim_field field;

	return anim_node_check(node, number, &field, error);
}
