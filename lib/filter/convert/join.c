/* join.c: tracks of single components, kept until the clip ends and joined to whole values. */
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/convert/internal.h"
#include "math/elementary.h"

#define LABEL_MAX 256u /* bytes of a track's name in a message */

/* What a component became goes into the store. */
struct keeper {
	struct anim_sink sink;
	struct convert *convert;
};

static int keep(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct convert *c = ((struct keeper *)sink)->convert;

	return anim_components_keep(&c->components, &c->clip, track, error);
}

/*
 * What the target can hold of a component that moves alone is best told by the component: it becomes a curve of the target's with
 * its own keys and handles first, and those are merged.
 */
int convert_keep_component(struct convert *c, const struct anim_track *track, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.track = keep};
	struct keeper keeper = {{&ops}, c};
	struct anim_sink *next = c->next;
	int result;

	if (!convert_stands_alone(c, track))
		return anim_components_keep(&c->components, &c->clip, track, error);
	c->next = &keeper.sink;
	result = convert_whole(c, track, error);
	c->next = next;
	return result;
}

/* The components of one property while they are joined. */
struct group {
	struct anim_component_group found;
	unsigned components; /* of the whole value */
	enum anim_type type; /* of the whole value */
};

static int leave_out(struct convert *c, const struct anim_track *t, const char *many, const char *why,
		     struct anim_error *error)
{
	char label[LABEL_MAX];

	anim_track_label(t, label, sizeof label);
	return anim_diagnostics_add(c->diagnostics, ANIM_WARNING, NULL, many, error, "track '%s' %s", label, why);
}

/* What a component shows that nothing tells of. */
static double neutral(const char *property, unsigned component)
{
	return strcmp(property, "scale") == 0 || (strcmp(property, "rotation") == 0 && component == 3);
}

/*
 * Fills what is missing in a target that stores whole transforms: from the rest, which is what is seen there anyway, and is
 * neutral where the components count from it. 1 or -1.
 */
static int complete_whole(struct convert *c, const struct group *group, struct convert_source *s,
			  struct anim_error *error)
{
	const struct anim_track *first = anim_components_first(&group->found);
	bool relative = (first->flags & ANIM_REST_RELATIVE) != 0;
	unsigned known = relative ? 0 : anim_components_of_rest(convert_rest(c, first->node), first, s->fixed);
	char label[LABEL_MAX];

	for (unsigned i = known; i < group->components; i++)
		s->fixed[i] = neutral(first->property, i);
	for (unsigned i = known; i < group->components && !relative; i++) {
		if (group->found.there[i])
			continue;
		anim_track_label(first, label, sizeof label);
		return anim_diagnostics_add(
			   c->diagnostics, ANIM_WARNING, NULL,
			   "single lanes were joined with 0 (scales with 1), since no rest tells the "
			   "others; give rests with --rest FILE",
			   error,
			   "track '%s' is one lane and was joined with %d for those that no rest tells; "
			   "give rests with --rest FILE",
			   label, (int)neutral(first->property, 0)) != 0
			   ? -1
			   : 1;
	}
	return 1;
}

/* Fills what is missing from the rest. 1, 0 where nothing tells (the group is then left out and told), -1. */
static int complete(struct convert *c, const struct group *group, struct convert_source *s, struct anim_error *error)
{
	const struct anim_track *first = anim_components_first(&group->found);
	unsigned missing = 0, known = anim_components_of_rest(convert_rest(c, first->node), first, s->fixed);
	bool relative = (first->flags & ANIM_REST_RELATIVE) != 0;

	if (convert_is_whole_part(c, first))
		return complete_whole(c, group, s, error);
	for (unsigned i = 0; i < group->components; i++)
		missing += !group->found.there[i];
	if (missing == 0)
		return 1;
	if (known < group->components || relative) {
		int told = leave_out(c, first, "single lanes, whose others have neither track nor rest, are left out",
				     "is one lane, whose others have neither track nor rest, and left out", error);

		return told != 0 ? -1 : 0;
	}
	return leave_out(c, first, "single lanes were joined with the rest's lanes",
			 "is one lane and was joined with the rest's others", error) != 0
		   ? -1
		   : 1;
}

/* The components are curves of the target's already. Rests tell of angles in radians. */
static int emit_merged(struct convert *c, const struct group *group, const struct convert_source *source,
		       const struct anim_track *like, struct anim_error *error)
{
	double fixed[ANIM_COMPONENTS_JOINED] = {0};
	bool degrees = source->radians && (anim_components_first(&group->found)->flags & ANIM_DEGREES);

	for (unsigned i = 0; i < group->components; i++)
		fixed[i] = degrees ? source->fixed[i] * (180 / ANIM_PI) : source->fixed[i];
	return convert_merge(c, &group->found, fixed, like, error);
}

/* Components of a node of two dimensions. */
static int mark_flat(struct convert *c, struct anim_track *like, struct anim_error *error)
{
	const struct anim_rest *rest = convert_rest(c, like->node);
	struct anim_attrs before = like->attrs;

	if (!convert_is_whole_part(c, like) || rest == NULL || !(rest->has & ANIM_HAS_2D))
		return 0;
	return anim_attrs_with(&like->attrs, &before, ANIM_ATTR_FLAT, "1", &c->scratch, error);
}

static int emit(struct convert *c, struct group *group, struct anim_error *error)
{
	const struct anim_track *first = anim_components_first(&group->found);
	struct anim_track like = *first;
	int result;
	struct convert_source source = {.clip = &c->clip,
					.count = group->components,
					.joined = true,
					.order = (enum anim_euler_order)anim_track_order(first),
					.radians = strcmp(first->property, "euler") == 0,
					.fraction = !(c->caps.flags & ANIM_PERCENT),
					.unit_length = anim_types[group->type].quaternion};
	struct convert_target targets[3];

	like.component = ANIM_WHOLE;
	like.type = group->type;
	like.flags &= ~(ANIM_DEGREES | ANIM_PERCENT);
	if (anim_attrs_with(&like.attrs, &first->attrs, "unity.attribute", NULL, &c->scratch, error) != 0 ||
	    mark_flat(c, &like, error) != 0)
		return -1;
	for (unsigned i = 0; i < group->components; i++)
		source.tracks[i] = group->found.there[i] ? &group->found.tracks[i] : NULL;
	result = complete(c, group, &source, error);
	if (result != 1)
		return result;
	if (convert_may_merge(c, &group->found))
		return emit_merged(c, group, &source, &like, error);
	if (convert_targets(c, &like, targets) != 1)
		return leave_out(c, first, "single lanes make values that the target cannot hold and are left out",
				 "makes a value that the target cannot hold and is left out", error);
	if (convert_prepare_rest(c, &source, &like, &targets[0], error) != 0)
		return -1;
	return convert_track(c, &source, &like, &targets[0], error);
}

/* A lone component of a property of one: an `angle.x` and the like is the whole. */
static int emit_lone(struct convert *c, struct group *group, struct anim_error *error)
{
	struct anim_track whole = *anim_components_first(&group->found);

	whole.component = ANIM_WHOLE;
	return convert_whole(c, &whole, error);
}

static int leave_stray(void *context, const struct anim_track *t, struct anim_error *error)
{
	return leave_out(context, t, "single lanes that cannot be joined are left out",
			 "is one lane that cannot be joined and is left out", error);
}

/* The whole value's type for the target, or -1. */
static int whole_type(const struct convert *c, const struct group *group)
{
	const struct anim_track *first = anim_components_first(&group->found);
	int type = anim_components_type(first->type, first->property, group->components);

	return type < 0 ? -1 : convert_type(&c->caps, (enum anim_type)type);
}

/* Positions and scales of two dimensions, for a target that has but three. */
static bool is_of_three(const struct convert *c, const struct anim_track *t)
{
	return convert_is_whole_part(c, t) &&
	       (strcmp(t->property, "position") == 0 || strcmp(t->property, "scale") == 0);
}

static int join_from(struct convert *c, size_t from, uint8_t *done, struct anim_error *error)
{
	const struct anim_store_track *t = anim_store_track_at(c->components, 0, from);
	struct group group = {.components = anim_components_by_name(convert_rest(c, t->node), t->property)};
	unsigned there;
	int type;

	anim_arena_reset(&c->scratch);
	if (anim_components_gather(c->components, from, done, &group.found, &c->scratch, leave_stray, c, error) != 0)
		return -1;
	there = anim_components_there(&group.found);
	if (there == 0)
		return 0;
	group.components = there > group.components ? there : group.components;
	if (group.components < 3 && is_of_three(c, anim_components_first(&group.found)))
		group.components = 3;
	if (group.components == 1 && strcmp(anim_components_first(&group.found)->property, "angle") == 0)
		return emit_lone(c, &group, error);
	type = whole_type(c, &group);
	if (type < 0)
		return leave_stray(c, anim_components_first(&group.found), error);
	group.type = (enum anim_type)type;
	return emit(c, &group, error);
}

int convert_join(struct convert *c, struct anim_error *error)
{
	size_t n = anim_store_tracks(c->components, 0);
	uint8_t *done = calloc(n + 1, 1);
	int result = done == NULL ? anim_fail_memory(error) : 0;

	for (size_t i = 0; i < n && result == 0; i++)
		if (!done[i])
			result = join_from(c, i, done, error);
	free(done);
	return result;
}

/* float2 -> float3 and the like; the type itself where there is none. */
static enum anim_type wider(enum anim_type type)
{
	static const enum anim_type twos[] = {ANIM_INT2, ANIM_UINT2, ANIM_LONG2, ANIM_FLOAT2, ANIM_DOUBLE2};

	for (size_t i = 0; i < sizeof twos / sizeof *twos; i++)
		if (twos[i] == type)
			return (enum anim_type)(type + 1);
	return type;
}

/* A column of n values with a third component, from one with two. NULL without memory, or where there is none. */
static const void *widen_column(struct convert *c, const void *column, size_t n, size_t component_size,
				const void *third, struct anim_error *error)
{
	const unsigned char *from = column;
	unsigned char *wide = from == NULL ? NULL : anim_arena_zeroed(&c->scratch, n, 3 * component_size, error);

	for (size_t k = 0; wide != NULL && k < n; k++) {
		memcpy(wide + 3 * k * component_size, from + 2 * k * component_size, 2 * component_size);
		memcpy(wide + (3 * k + 2) * component_size, third, component_size);
	}
	return wide;
}

/* The third component of a node's rest, as every node in space has it. */
static double depth_of(struct convert *c, const struct anim_track *track)
{
	const struct anim_rest *rest = convert_rest(c, track->node);
	bool scale = strcmp(track->property, "scale") == 0;
	unsigned needs = scale ? ANIM_HAS_SCALE : ANIM_HAS_POSITION;

	if (rest == NULL || !(rest->has & needs) || (rest->has & ANIM_HAS_2D))
		return scale;
	return (double)(scale ? rest->scale[2] : rest->position[2]);
}

int convert_widen(struct convert *c, const struct anim_track *t, struct anim_track *out, struct anim_error *error)
{
	static const float third_x = 1.0f / 3;
	enum anim_type type = wider(t->type);
	size_t size = anim_types[t->type].component_size;
	double components[ANIM_COMPONENTS_MAX] = {0};
	unsigned char value[128] = {0}, none[8] = {0};
	bool absolute = anim_track_has_interp(t, ANIM_CUBIC_BEZIER);

	*out = *t;
	if (t->component != ANIM_WHOLE || type == t->type || !is_of_three(c, t))
		return 0;
	components[0] = components[1] = components[2] = depth_of(c, t);
	anim_value_store(type, components, value);
	out->record = NULL;
	if (anim_attrs_with(&out->attrs, &t->attrs, ANIM_ATTR_FLAT, "1", &c->scratch, error) != 0)
		return -1;
	out->type = type;
	out->value = widen_column(c, t->value, t->n, size, value, error);
	out->left = widen_column(c, t->left, t->n, size, absolute ? value : none, error);
	out->right = widen_column(c, t->right, t->n, size, absolute ? value : none, error);
	out->left_x = widen_column(c, t->left_x, t->n, sizeof third_x, &third_x, error);
	out->right_x = widen_column(c, t->right_x, t->n, sizeof third_x, &third_x, error);
	return out->value == NULL || (t->left != NULL && out->left == NULL) ||
		       (t->right != NULL && out->right == NULL) || (t->left_x != NULL && out->left_x == NULL) ||
		       (t->right_x != NULL && out->right_x == NULL)
		   ? -1
		   : 0;
}
