/* validate.c: the invariants of clips, trees, nodes and of a track's head. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "base/text.h"
#include "clip/check.h"

/* Sets the field and fails. */
#define REFUSE(which, ...) return *field = (which), anim_fail(error, ANIM_BAD_INPUT, __VA_ARGS__)

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

/* A name in the field `which`. */
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

static int check_component(const struct anim_track *track, enum anim_field *field, struct anim_error *error)
{
	if (track->component == ANIM_WHOLE)
		return 0;
	if (track->component > 15)
		REFUSE(ANIM_FIELD_COMPONENT, "component %d of a TRAK", track->component);
	if (anim_types[track->type].lanes != 1 || track->type == ANIM_STRING)
		REFUSE(ANIM_FIELD_COMPONENT, "component %d of a track of type %s", track->component,
		       anim_types[track->type].name);
	return 0;
}

static int check_interp(const struct anim_track *track, enum anim_field *field, struct anim_error *error)
{
	uint8_t interp = track->interp;

	if (interp >= ANIM_INTERP_COUNT && interp != ANIM_INTERP_COLUMN)
		REFUSE(ANIM_FIELD_INTERP, "interpolation mode %d of a TRAK", interp);
	if ((track->kind == ANIM_DISCRETE && interp != ANIM_HOLD) || (track->kind == ANIM_RAW && interp > ANIM_LINEAR))
		REFUSE(ANIM_FIELD_INTERP, "interpolation mode %d of a %s track", interp, anim_kind_names[track->kind]);
	return 0;
}

static int check_raw(const struct anim_track *track, enum anim_field *field, struct anim_error *error)
{
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

int anim_track_check_head(const struct anim_track *track, enum anim_field *field, struct anim_error *error)
{
	if ((unsigned)track->kind > ANIM_CURVE)
		REFUSE(ANIM_FIELD_KIND, "kind %u of a TRAK", (unsigned)track->kind);
	if ((unsigned)track->type >= ANIM_TYPE_COUNT)
		REFUSE(ANIM_FIELD_TYPE, "value type %u of a TRAK", (unsigned)track->type);
	if (check_name(track->node, ANIM_FIELD_NODE, field, error) != 0 ||
	    check_name(track->property, ANIM_FIELD_PROPERTY, field, error) != 0)
		return -1;
	if (track->n > ANIM_KEYS_MAX)
		REFUSE(ANIM_FIELD_KEYS, "a track of %zu keys", track->n);
	if (check_component(track, field, error) != 0)
		return -1;
	if ((unsigned)track->rules >= ANIM_RULES_COUNT)
		REFUSE(ANIM_FIELD_RULES, "rules %u of a TRAK", (unsigned)track->rules);
	if (track->flags & ~63u)
		REFUSE(ANIM_FIELD_FLAGS, "unknown flags of a TRAK: %u", track->flags);
	if (track->before >= ANIM_ENDS_COUNT)
		REFUSE(ANIM_FIELD_BEFORE, "`before` %d of a TRAK", track->before);
	if (track->after >= ANIM_ENDS_COUNT)
		REFUSE(ANIM_FIELD_AFTER, "`after` %d of a TRAK", track->after);
	if (check_interp(track, field, error) != 0 || check_attrs(&track->attrs, field, error) != 0)
		return -1;
	return track->kind == ANIM_RAW ? check_raw(track, field, error) : 0;
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
