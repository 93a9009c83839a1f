/* join.c: tracks of single lanes, kept until the clip ends and joined to whole values. */
#include <stdlib.h>
#include <string.h>

#include "filter/convert/internal.h"
#include "filter/lanes.h"

#define LABEL_MAX 256u /* bytes of a track's name in a message */

int convert_keep_lane(struct convert *c, const struct anim_track *track, struct anim_error *error)
{
	return anim_lanes_keep(&c->lanes, &c->clip, track, error);
}

/* The lanes of one property while they are joined. */
struct group {
	struct anim_lane_group found;
	unsigned lanes;      /* of the whole value */
	enum anim_type type; /* of the whole value */
};

static int leave_out(struct convert *c, const struct anim_track *t, const char *many, const char *why,
		     struct anim_error *error)
{
	char label[LABEL_MAX];

	anim_track_label(t, label, sizeof label);
	return anim_losses_add(c->losses, ANIM_WARNING, NULL, many, error, "track '%s' %s", label, why);
}

/* Fills what is missing from the rest. 1, 0 where nothing tells (the group is then left out and told), -1. */
static int complete(struct convert *c, const struct group *group, struct convert_source *s, struct anim_error *error)
{
	const struct anim_track *first = anim_lanes_first(&group->found);
	unsigned missing = 0, known = anim_lanes_of_rest(convert_rest(c, first->node), first, s->fixed);
	bool relative = (first->flags & ANIM_REST_RELATIVE) != 0;

	for (unsigned i = 0; i < group->lanes; i++)
		missing += !group->found.there[i];
	if (missing == 0)
		return 1;
	if (known < group->lanes || relative) {
		int told = leave_out(c, first, "single lanes, whose others have neither track nor rest, are left out",
				     "is one lane, whose others have neither track nor rest, and left out", error);

		return told != 0 ? -1 : 0;
	}
	return leave_out(c, first, "single lanes were joined with the rest's lanes",
			 "is one lane and was joined with the rest's others", error) != 0
		   ? -1
		   : 1;
}

static int emit(struct convert *c, struct group *group, struct anim_error *error)
{
	const struct anim_track *first = anim_lanes_first(&group->found);
	struct anim_track like = *first;
	int result;
	struct convert_source source = {.clip = &c->clip,
					.count = group->lanes,
					.joined = true,
					.order = (enum anim_euler_order)anim_track_order(first),
					.radians = strcmp(first->property, "euler") == 0,
					.fraction = !(c->caps.flags & ANIM_PERCENT),
					.unit_length = anim_types[group->type].quaternion};
	struct convert_target targets[3];

	like.component = ANIM_WHOLE;
	like.type = group->type;
	like.flags &= ~(ANIM_DEGREES | ANIM_PERCENT);
	if (anim_attrs_with(&like.attrs, &first->attrs, "unity.attribute", NULL, &c->scratch, error) != 0)
		return -1;
	for (unsigned i = 0; i < group->lanes; i++)
		source.tracks[i] = group->found.there[i] ? &group->found.tracks[i] : NULL;
	result = complete(c, group, &source, error);
	if (result != 1)
		return result;
	if (convert_targets(c, &like, targets) != 1)
		return leave_out(c, first, "single lanes make values that the target cannot hold and are left out",
				 "makes a value that the target cannot hold and is left out", error);
	if (convert_needs_rest(targets[0].step)) {
		const struct anim_rest *rest = convert_rest(c, like.node);

		if (rest != NULL)
			source.rest = *rest;
		else
			targets[0].step = CONVERT_KEEP;
	}
	return convert_track(c, &source, &like, &targets[0], error);
}

/* A lone lane of a property of one: an `angle.x` and the like is the whole. */
static int emit_lone(struct convert *c, struct group *group, struct anim_error *error)
{
	struct anim_track whole = *anim_lanes_first(&group->found);

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
	const struct anim_track *first = anim_lanes_first(&group->found);
	int type = anim_lanes_type(first->type, first->property, group->lanes);

	return type < 0 ? -1 : convert_type(&c->caps, (enum anim_type)type);
}

static int join_from(struct convert *c, size_t from, uint8_t *done, struct anim_error *error)
{
	const struct anim_store_track *t = anim_store_track_at(c->lanes, 0, from);
	struct group group = {.lanes = anim_lanes_by_name(convert_rest(c, t->node), t->property)};
	unsigned there;
	int type;

	anim_arena_reset(&c->scratch);
	if (anim_lanes_gather(c->lanes, from, done, &group.found, &c->scratch, leave_stray, c, error) != 0)
		return -1;
	there = anim_lanes_there(&group.found);
	if (there == 0)
		return 0;
	group.lanes = there > group.lanes ? there : group.lanes;
	if (group.lanes == 1 && strcmp(anim_lanes_first(&group.found)->property, "angle") == 0)
		return emit_lone(c, &group, error);
	type = whole_type(c, &group);
	if (type < 0)
		return leave_stray(c, anim_lanes_first(&group.found), error);
	group.type = (enum anim_type)type;
	return emit(c, &group, error);
}

int convert_join(struct convert *c, struct anim_error *error)
{
	size_t n = anim_store_tracks(c->lanes, 0);
	uint8_t *done = calloc(n + 1, 1);
	int result = done == NULL ? anim_fail_memory(error) : 0;

	for (size_t i = 0; i < n && result == 0; i++)
		if (!done[i])
			result = join_from(c, i, done, error);
	free(done);
	return result;
}
