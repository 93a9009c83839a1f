/* convert_join.c: tracks of single lanes, kept until the clip ends and joined to whole values. */
#include <stdlib.h>
#include <string.h>

#include "filter/convert_internal.h"
#include "math/elementary.h"

#define LABEL_MAX 256u /* bytes of a track's name in a message */
#define STORE_MEMORY ((size_t)1 << 20)

int convert_keep_lane(struct convert *c, const struct anim_track *track, struct anim_error *error)
{
	if (c->lanes == NULL) {
		c->lanes = anim_store_new(STORE_MEMORY, error);
		if (c->lanes == NULL || anim_sink_clip(anim_store_sink(c->lanes), &c->clip, error) != 0)
			return -1;
	}
	return anim_sink_track(anim_store_sink(c->lanes), track, error);
}

/* The lanes of one property while they are joined. */
struct group {
	struct anim_track tracks[CONVERT_LANES]; /* columns in the scratch arena */
	bool there[CONVERT_LANES];
	unsigned lanes;      /* of the whole value */
	enum anim_type type; /* of the whole value */
};

static bool is_called(const struct anim_store_track *t, const char *property)
{
	return strcmp(t->property, property) == 0;
}

/* How many lanes the whole value has by its name; 0 where the name does not tell. */
static unsigned lanes_by_name(struct convert *c, const struct anim_store_track *t)
{
	const struct anim_rest *rest = anim_rests_find(&c->rests, c->clip.root, t->node);
	bool flat = rest != NULL && (rest->has & ANIM_HAS_2D);

	if (is_called(t, "rotation"))
		return 4;
	if (is_called(t, "euler"))
		return 3;
	if (is_called(t, "position") || is_called(t, "scale"))
		return flat ? 2 : 3;
	return strcmp(anim_component_name(t->property, 0), "r") == 0 ? 4 : 0;
}

/* The type of so many lanes of a lane's type; -1 where there is none. */
static int whole_type(const struct convert *c, enum anim_type lane, const char *property, unsigned lanes)
{
	static const struct {
		enum anim_type lane, two;
	} rows[] = {{ANIM_BOOL, ANIM_BOOL2}, {ANIM_INT, ANIM_INT2},     {ANIM_UINT, ANIM_UINT2},
		    {ANIM_LONG, ANIM_LONG2}, {ANIM_FLOAT, ANIM_FLOAT2}, {ANIM_DOUBLE, ANIM_DOUBLE2}};

	if (anim_type_is_real(lane) && strcmp(property, "rotation") == 0)
		return convert_type(&c->caps, ANIM_FLOATQ);
	if (anim_type_is_real(lane) && strcmp(anim_component_name(property, 0), "r") == 0)
		return convert_type(&c->caps, ANIM_COLOR);
	/* Lanes come from fields of float32, whatever their text held. */
	lane = lane == ANIM_DOUBLE ? ANIM_FLOAT : lane;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].lane == lane && lanes >= 2 && lanes <= 4)
			return convert_type(&c->caps, (enum anim_type)(rows[i].two + lanes - 2));
	return -1;
}

static const void *keep(struct convert *c, const void *column, size_t n, size_t size, struct anim_error *error)
{
	void *copy = column != NULL ? anim_arena_zeroed(&c->scratch, n, size, error) : NULL;

	return copy != NULL ? memcpy(copy, column, n * size) : NULL;
}

static int keep_attrs(struct convert *c, const struct anim_attrs *from, struct anim_attrs *to, struct anim_error *error)
{
	struct anim_attr *items = anim_arena_zeroed(&c->scratch, from->count + 1, sizeof *items, error);

	for (size_t i = 0; items != NULL && i < from->count; i++) {
		const char *key = from->items[i].key, *value = from->items[i].value;

		items[i].key = anim_arena_text(&c->scratch, key, strlen(key), error);
		items[i].value = anim_arena_text(&c->scratch, value, strlen(value), error);
		if (items[i].key == NULL || items[i].value == NULL)
			return -1;
	}
	to->items = items;
	to->count = from->count;
	return items != NULL ? 0 : -1;
}

/* A copy of a lane track that outlives the store's next call. 0 or -1. */
static int read_lane(struct convert *c, size_t number, struct anim_track *out, struct anim_error *error)
{
	struct anim_track t;
	size_t size;

	if (anim_store_read(c->lanes, 0, number, &t, error) != 0)
		return -1;
	size = anim_types[t.type].size;
	*out = t;
	out->record = NULL;
	out->node = anim_arena_text(&c->scratch, t.node, strlen(t.node), error);
	out->property = anim_arena_text(&c->scratch, t.property, strlen(t.property), error);
	out->time = keep(c, t.time, t.n, sizeof *t.time, error);
	out->value = keep(c, t.value, t.n, size, error);
	out->interps = keep(c, t.interps, t.n, 1, error);
	out->left = keep(c, t.left, t.n, size, error);
	out->right = keep(c, t.right, t.n, size, error);
	out->left_x = keep(c, t.left_x, t.n, sizeof *t.left_x, error);
	out->right_x = keep(c, t.right_x, t.n, sizeof *t.right_x, error);
	out->ease = keep(c, t.ease, t.n, sizeof *t.ease, error);
	out->weighted = keep(c, t.weighted, t.n, 1, error);
	out->hint = NULL;
	if (out->node == NULL || out->property == NULL || (t.time != NULL && out->time == NULL) ||
	    (t.value != NULL && out->value == NULL) || (t.interps != NULL && out->interps == NULL) ||
	    (t.left != NULL && out->left == NULL) || (t.right != NULL && out->right == NULL) ||
	    (t.left_x != NULL && out->left_x == NULL) || (t.right_x != NULL && out->right_x == NULL) ||
	    (t.ease != NULL && out->ease == NULL) || (t.weighted != NULL && out->weighted == NULL))
		return -1;
	return keep_attrs(c, &t.attrs, &out->attrs, error);
}

static int leave_out(struct convert *c, const struct anim_track *t, const char *many, const char *why,
		     struct anim_error *error)
{
	char label[LABEL_MAX];

	anim_track_label(t, label, sizeof label);
	return anim_losses_add(c->losses, ANIM_WARNING, NULL, many, error, "track '%s' %s", label, why);
}

/* The rest's lanes of the property; how many, 0 where the tree does not tell. */
static unsigned rest_lanes(struct convert *c, const struct anim_track *t, double out[4])
{
	const struct anim_rest *rest = anim_rests_find(&c->rests, c->clip.root, t->node);
	int order = anim_euler_order_find(anim_attrs_get(&t->attrs, "order"));
	bool euler = strcmp(t->property, "euler") == 0, rotation = strcmp(t->property, "rotation") == 0;
	bool position = strcmp(t->property, "position") == 0;
	double angles[3], turn[4];

	if (rest == NULL)
		return 0;
	if (euler && (rest->has & ANIM_HAS_ROTATION)) {
		for (int i = 0; i < 4; i++)
			turn[i] = (double)rest->rotation[i];
		anim_euler_from_quat_double(angles, turn, order < 0 ? ANIM_EULER_YXZ : (enum anim_euler_order)order);
		memcpy(out, angles, sizeof angles);
		return 3;
	}
	if (rotation && (rest->has & ANIM_HAS_ROTATION)) {
		for (int i = 0; i < 4; i++)
			out[i] = (double)rest->rotation[i];
		return 4;
	}
	if ((position && (rest->has & ANIM_HAS_POSITION)) ||
	    (strcmp(t->property, "scale") == 0 && (rest->has & ANIM_HAS_SCALE))) {
		for (int i = 0; i < 3; i++)
			out[i] = (double)(position ? rest->position[i] : rest->scale[i]);
		return 3;
	}
	return 0;
}

/* The first lane that is there. */
static const struct anim_track *first_of(const struct group *group)
{
	unsigned i = 0;

	while (!group->there[i])
		i++;
	return &group->tracks[i];
}

/* Fills what is missing from the rest. 1, 0 where nothing tells (the group is then left out and told), -1. */
static int complete(struct convert *c, const struct group *group, struct convert_source *s, struct anim_error *error)
{
	const struct anim_track *first = first_of(group);
	unsigned missing = 0, known = rest_lanes(c, first, s->fixed);
	bool relative = (first->flags & ANIM_REST_RELATIVE) != 0;

	for (unsigned i = 0; i < group->lanes; i++)
		missing += !group->there[i];
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
	const struct anim_track *first = first_of(group);
	struct anim_track like = *first;
	int order = anim_euler_order_find(anim_attrs_get(&first->attrs, "order")), result;
	struct convert_source source = {.clip = &c->clip,
					.count = group->lanes,
					.joined = true,
					.order = order < 0 ? ANIM_EULER_YXZ : (enum anim_euler_order)order,
					.radians = strcmp(first->property, "euler") == 0,
					.fraction = !(c->caps.flags & ANIM_PERCENT)};
	struct convert_target targets[3];

	like.component = ANIM_WHOLE;
	like.type = group->type;
	like.flags &= ~(ANIM_DEGREES | ANIM_PERCENT);
	for (unsigned i = 0; i < group->lanes; i++)
		source.tracks[i] = group->there[i] ? &group->tracks[i] : NULL;
	result = complete(c, group, &source, error);
	if (result != 1)
		return result;
	if (convert_targets(c, &like, targets) != 1)
		return leave_out(c, first, "single lanes make values that the target cannot hold and are left out",
				 "makes a value that the target cannot hold and is left out", error);
	if (targets[0].step >= CONVERT_REST_POSITION && targets[0].step <= CONVERT_REST_SCALE) {
		const struct anim_rest *rest = anim_rests_find(&c->rests, c->clip.root, like.node);

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
	struct anim_track whole = *first_of(group);

	whole.component = ANIM_WHOLE;
	return convert_whole(c, &whole, error);
}

/* All tracks with the node and property of track `from`; those taken are marked. */
static int gather(struct convert *c, size_t from, uint8_t *done, struct group *group, struct anim_error *error)
{
	const struct anim_store_track *like = anim_store_track_at(c->lanes, 0, from);

	for (ptrdiff_t i = (ptrdiff_t)from; i >= 0;
	     i = anim_store_find(c->lanes, 0, (size_t)i + 1, like->node, like->property)) {
		const struct anim_store_track *t = anim_store_track_at(c->lanes, 0, (size_t)i);
		struct anim_track extra;

		done[i] = 1;
		if (t->component < CONVERT_LANES && t->type != ANIM_STRING && !group->there[t->component]) {
			if (read_lane(c, (size_t)i, &group->tracks[t->component], error) != 0)
				return -1;
			group->there[t->component] = true;
			continue;
		}
		if (read_lane(c, (size_t)i, &extra, error) != 0 ||
		    leave_out(c, &extra, "single lanes that cannot be joined are left out",
			      "is one lane that cannot be joined and is left out", error) != 0)
			return -1;
	}
	return 0;
}

/* Lanes 0 up to the highest that is there. */
static unsigned lanes_there(const struct group *group)
{
	unsigned lanes = 0;

	for (unsigned i = 0; i < CONVERT_LANES; i++)
		lanes = group->there[i] ? i + 1 : lanes;
	return lanes;
}

static int join_from(struct convert *c, size_t from, uint8_t *done, struct anim_error *error)
{
	struct group group = {.lanes = lanes_by_name(c, anim_store_track_at(c->lanes, 0, from))};
	unsigned there;
	int type;

	anim_arena_reset(&c->scratch);
	if (gather(c, from, done, &group, error) != 0)
		return -1;
	there = lanes_there(&group);
	if (there == 0)
		return 0;
	group.lanes = there > group.lanes ? there : group.lanes;
	if (group.lanes == 1 && strcmp(first_of(&group)->property, "angle") == 0)
		return emit_lone(c, &group, error);
	type = whole_type(c, first_of(&group)->type, first_of(&group)->property, group.lanes);
	if (type < 0)
		return leave_out(c, first_of(&group), "single lanes that cannot be joined are left out",
				 "is one lane that cannot be joined and is left out", error);
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
