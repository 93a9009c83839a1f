/* join.c: lanes joined to whole values, gaps filled from RESET, rest or what is neutral. */
#include <stdlib.h>
#include <string.h>

#include "filter/bake/internal.h"
#include "math/elementary.h"

#define LABEL_MAX 256u /* bytes of a track's name in a message */

/* One property whose lanes are joined. */
struct whole {
	struct anim_lane_group found;
	unsigned lanes; /* of the whole value */
	const struct anim_rest *rest;
	const struct bake_reset_value *reset; /* NULL: none */
};

static unsigned larger(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* What RESET and rest know of a property, and so how many lanes it has, of which `there` are known. 0 or -1. */
static int look_up(struct bake *b, const char *node, const char *property, unsigned there, struct whole *whole,
		   struct anim_error *error)
{
	ptrdiff_t number = bake_resets_find(&b->resets, &b->clip);

	whole->reset = NULL;
	whole->rest = bake_rest(b, node);
	if (bake_resets_value(&b->resets, number, node, property, &whole->reset, error) < 0)
		return -1;
	whole->lanes = whole->reset != NULL && whole->reset->whole > 0 ? whole->reset->whole
								       : anim_lanes_by_name(whole->rest, property);
	whole->lanes = larger(whole->lanes, there);
	return 0;
}

/* What a lane shows that nothing else tells. */
static double neutral(const char *property, unsigned lane)
{
	if (strcmp(property, "rotation") == 0)
		return lane == 3;
	return strcmp(property, "scale") == 0 || strcmp(anim_component_name(property, 0), "r") == 0;
}

/* Lane i of the RESET in the unit of the source. False where it does not say. */
static bool from_reset(const struct whole *whole, const struct convert_source *source, unsigned i, double *value)
{
	unsigned relative = anim_lanes_first(&whole->found)->flags & ANIM_REST_RELATIVE;
	const struct anim_track like = {.flags = whole->reset != NULL ? whole->reset->flags : 0};

	if (whole->reset == NULL || !(whole->reset->lanes >> i & 1) ||
	    (whole->reset->flags & ANIM_REST_RELATIVE) != relative)
		return false;
	*value = convert_in_unit(source, &like, whole->reset->value[i]);
	return true;
}

/* Sets what lanes without track hold; *unknown where nothing told of one. */
static void fill(const struct whole *whole, struct convert_source *source, bool *unknown)
{
	const struct anim_track *first = anim_lanes_first(&whole->found);
	bool relative = (first->flags & ANIM_REST_RELATIVE) != 0;
	double rest[ANIM_LANES_JOINED];
	unsigned known = relative ? 0 : anim_lanes_of_rest(whole->rest, first, rest);

	*unknown = false;
	for (unsigned i = 0; i < whole->lanes; i++) {
		if (whole->found.there[i] || from_reset(whole, source, i, &source->fixed[i]))
			continue;
		source->fixed[i] = i < known ? rest[i] : neutral(first->property, i);
		*unknown = *unknown || (i >= known && !relative);
	}
}

static int tell_neutral(struct bake *b, const struct anim_track *first, struct anim_error *error)
{
	char label[LABEL_MAX];

	anim_track_label(first, label, sizeof label);
	return anim_losses_add(b->options.losses, ANIM_WARNING, NULL,
			       "single lanes were joined with neutral values, since neither RESET nor a rest tells the "
			       "others; give rests with --rest FILE",
			       error,
			       "track '%s' was joined with neutral values, since neither RESET nor a rest tells its "
			       "other lanes; give rests with --rest FILE",
			       label);
}

/* What an attribute says of a lane's own track no longer holds of the whole. */
static int without(struct bake *b, struct anim_track *track, const char *key, struct anim_error *error)
{
	struct anim_attrs before = track->attrs;

	return anim_attrs_with(&track->attrs, &before, key, NULL, &b->scratch, error);
}

static int emit(struct bake *b, struct whole *whole, enum anim_type type, struct anim_error *error)
{
	const struct anim_track *first = anim_lanes_first(&whole->found);
	struct anim_track like = *first;
	struct convert_source source = {.clip = &b->clip,
					.count = whole->lanes,
					.joined = true,
					.order = (enum anim_euler_order)anim_track_order(first),
					.radians = strcmp(first->property, "euler") == 0,
					.unit_length = anim_types[type].quaternion};
	bool unknown;

	like.component = ANIM_WHOLE;
	like.type = type;
	like.flags &= source.radians ? ~ANIM_DEGREES : ~0u;
	if (without(b, &like, "unity.attribute", error) != 0 || without(b, &like, "godot.type", error) != 0)
		return -1;
	for (unsigned i = 0; i < whole->lanes; i++)
		source.tracks[i] = whole->found.there[i] ? &whole->found.tracks[i] : NULL;
	fill(whole, &source, &unknown);
	if (unknown && tell_neutral(b, first, error) != 0)
		return -1;
	source.step = bake_step(&like, whole->rest);
	if (whole->rest != NULL)
		source.rest = *whole->rest;
	return bake_sample(b, &source, &like, error);
}

/* What cannot be joined stays what it is: one lane. */
static int pass_lane(void *context, const struct anim_track *track, struct anim_error *error)
{
	struct bake *b = context;
	char label[LABEL_MAX];

	anim_track_label(track, label, sizeof label);
	if (anim_losses_add(b->options.losses, ANIM_WARNING, NULL, "single lanes cannot be joined and stay single",
			    error, "track '%s' is one lane that cannot be joined and stays single", label) != 0)
		return -1;
	return anim_sink_track(b->filter.next, track, error);
}

static int pass_all(struct bake *b, const struct anim_lane_group *group, struct anim_error *error)
{
	for (unsigned i = 0; i < ANIM_LANES_JOINED; i++)
		if (group->there[i] && pass_lane(b, &group->tracks[i], error) != 0)
			return -1;
	return 0;
}

/* An `angle.x` and the like is the whole. */
static int emit_lone(struct bake *b, const struct anim_track *lane, struct anim_error *error)
{
	struct anim_track whole = *lane;

	whole.component = ANIM_WHOLE;
	return bake_whole(b, &whole, error);
}

static int join_from(struct bake *b, size_t from, uint8_t *done, struct anim_error *error)
{
	struct whole whole = {0};
	const struct anim_track *first;
	unsigned there;
	int type;

	anim_arena_reset(&b->scratch);
	if (anim_lanes_gather(b->lanes, from, done, &whole.found, &b->scratch, pass_lane, b, error) != 0)
		return -1;
	if ((there = anim_lanes_there(&whole.found)) == 0)
		return 0;
	first = anim_lanes_first(&whole.found);
	if (look_up(b, first->node, first->property, there, &whole, error) != 0)
		return -1;
	if (whole.lanes == 1 && strcmp(first->property, "angle") == 0)
		return emit_lone(b, first, error);
	type = anim_lanes_type(first->type, first->property, whole.lanes);
	if (type < 0 || anim_types[type].lanes < whole.lanes)
		return pass_all(b, &whole.found, error);
	return emit(b, &whole, (enum anim_type)type, error);
}

int bake_join(struct bake *b, struct anim_error *error)
{
	size_t n = anim_store_tracks(b->lanes, 0);
	uint8_t *done = calloc(n + 1, 1);
	int result = done == NULL ? anim_fail_memory(error) : 0;

	for (size_t i = 0; i < n && result == 0; i++)
		if (!done[i])
			result = join_from(b, i, done, error);
	free(done);
	return result;
}

/* The components of all tracks with the names of track `from`, as bits; those tracks are marked. */
static unsigned lanes_from(const struct bake *b, size_t from, uint8_t *done)
{
	const struct anim_store_track *like = anim_store_track_at(b->lanes, 0, from);
	unsigned lanes = 0;

	for (ptrdiff_t i = (ptrdiff_t)from; i >= 0;
	     i = anim_store_find(b->lanes, 0, (size_t)i + 1, like->node, like->property)) {
		uint8_t component = anim_store_track_at(b->lanes, 0, (size_t)i)->component;

		done[i] = 1;
		lanes |= component < ANIM_LANES_JOINED ? 1u << component : 0;
	}
	return lanes;
}

int bake_has_gap(struct bake *b, bool *gap, struct anim_error *error)
{
	size_t n = anim_store_tracks(b->lanes, 0);
	uint8_t *done = calloc(n + 1, 1);

	*gap = false;
	if (done == NULL)
		return anim_fail_memory(error);
	for (size_t i = 0; i < n && !*gap; i++) {
		const struct anim_store_track *t = anim_store_track_at(b->lanes, 0, i);
		unsigned wanted = anim_lanes_by_name(bake_rest(b, t->node), t->property);
		unsigned lanes = done[i] ? 0 : lanes_from(b, i, done);

		/* Where the name does not tell the number, a RESET of the whole value would. */
		*gap = lanes != 0 && strcmp(t->property, "angle") != 0 &&
		       (wanted == 0 || lanes >> wanted != 0 || lanes != (1u << wanted) - 1);
	}
	free(done);
	return 0;
}
