/* source.c: what is compared as one, made ready to be played in units that both sides share. */
#include <math.h>
#include <string.h>

#include "filter/compare/internal.h"
#include "math/elementary.h"

/* A copy of a stored track that outlives the store's next call: its record, decoded again. 0 or -1. */
static int keep_track(struct compare_view *view, size_t number, struct anim_track *out, struct anim_error *error)
{
	struct anim_record record;
	struct anim_track track;
	uint8_t *bytes;

	if (anim_store_read(view->side->store, view->clip, number, &track, error) != 0)
		return -1;
	if ((bytes = anim_arena_alloc(&view->arena, track.record->size, error)) == NULL)
		return -1;
	memcpy(bytes, track.record->bytes, track.record->size);
	anim_record_at(bytes, track.record->offset, &record);
	return anim_record_track(&record, out, &view->arena, error);
}

static int read_tracks(struct compare_source *s, struct compare_view *view, const struct compare_item *item,
		       struct anim_error *error)
{
	unsigned highest = 0;

	anim_arena_reset(&view->arena);
	s->play.joined = item->joined;
	for (unsigned i = 0; i < CONVERT_LANES; i++) {
		if (item->tracks[i] == COMPARE_NONE)
			continue;
		if ((item->joined
			 ? keep_track(view, item->tracks[i], &s->tracks[i], error)
			 : anim_store_read(view->side->store, view->clip, item->tracks[i], &s->tracks[i], error)) != 0)
			return -1;
		s->play.tracks[i] = &s->tracks[i];
		highest = i;
	}
	s->play.count = highest + 1;
	s->first = convert_source_first(&s->play);
	return 0;
}

/* The rest's number for a lane without track; false where the tree does not tell. */
static bool rest_lane(const struct anim_rest *rest, const char *property, enum anim_euler_order order, unsigned lane,
		      double *out)
{
	struct anim_track like = {
	    .property = property, .type = ANIM_FLOAT, .component = (uint8_t)lane, .kind = ANIM_DISCRETE};
	_Alignas(16) uint8_t bytes[128];
	double turn[4], angles[3];
	float value, rotation[4];

	if (strcmp(property, "euler") != 0) {
		if (!anim_rest_value(rest, &like, bytes))
			return false;
		memcpy(&value, bytes, sizeof value);
		*out = (double)value;
		return true;
	}
	like.property = "rotation";
	like.type = ANIM_FLOATQ;
	like.component = ANIM_WHOLE;
	if (!anim_rest_value(rest, &like, bytes))
		return false;
	memcpy(rotation, bytes, sizeof rotation);
	for (int i = 0; i < 4; i++)
		turn[i] = (double)rotation[i];
	anim_euler_from_quat_double(angles, turn, order);
	*out = lane < 3 ? angles[lane] : 0;
	return lane < 3;
}

/* Lanes of a value that has tracks for some of them: the others have their rest, else what changes nothing. */
static void fill_lanes(struct compare_source *s, const struct anim_rest *rest, const struct anim_rest *fallback)
{
	const char *property = s->first->property;
	bool euler = strcmp(property, "euler") == 0, rotation = strcmp(property, "rotation") == 0;
	unsigned least = rotation                                                                       ? 4
			 : euler || strcmp(property, "scale") == 0 || strcmp(property, "position") == 0 ? 3
													: 0;

	if ((rest != NULL ? rest->has : fallback != NULL ? fallback->has : 0) & ANIM_HAS_2D)
		least = least == 3 && !euler ? 2 : least;
	s->lanes = s->play.count > least ? s->play.count : least;
	s->play.count = s->lanes;
	for (unsigned i = 0; i < s->lanes; i++) {
		bool known = s->play.tracks[i] != NULL;

		s->play.fixed[i] = (rotation && i == 3) || strcmp(property, "scale") == 0 ? 1 : 0;
		known = known || rest_lane(rest, property, s->play.order, i, &s->play.fixed[i]) ||
			rest_lane(fallback, property, s->play.order, i, &s->play.fixed[i]);
		s->known |= known ? 1u << i : 0;
	}
}

/* Rotations of all spellings become quaternions. */
static void choose_step(struct compare_source *s)
{
	const char *property = s->first->property;
	bool real = anim_type_is_real(s->first->type) && anim_track_is_transform(s->first);

	s->angle = true;
	if (real && strcmp(property, "euler") == 0 && s->lanes == 3)
		s->play.step = CONVERT_EULER;
	else if (real && strcmp(property, "angle") == 0 && s->lanes == 1)
		s->play.step = CONVERT_ANGLE;
	else
		s->angle =
		    real && s->lanes == 4 &&
		    (anim_types[s->first->type].quaternion || (s->play.joined && strcmp(property, "rotation") == 0));
	s->play.unit_length = s->angle && s->play.step == CONVERT_KEEP && s->play.joined;
	s->play.radians = s->angle;
	if (!s->angle)
		return;
	s->lanes = 4;
	s->known = 15;
}

int compare_source_open(struct compare_source *s, struct compare_view *view, const struct compare_item *item,
			const struct anim_rest *fallback, struct anim_error *error)
{
	const struct anim_rest *rest = anim_rests_find(view->rests, view->head->root, item->node);
	int order;

	memset(s, 0, sizeof *s);
	if (anim_rests_check(view->rests, error) != 0 || read_tracks(s, view, item, error) != 0)
		return -1;
	order = anim_euler_order_find(anim_attrs_get(&s->first->attrs, "order"));
	s->play.clip = view->head;
	s->play.order = order < 0 ? ANIM_EULER_YXZ : (enum anim_euler_order)order;
	s->play.fraction = true;
	s->play.bytes = s->first->type == ANIM_COLOR32;
	s->text = s->first->type == ANIM_STRING;
	s->relative = (s->first->flags & ANIM_REST_RELATIVE) != 0;
	if (s->text)
		return 0;
	s->lanes = anim_types[s->first->type].lanes;
	s->known = (1u << s->lanes) - 1;
	if (item->joined) {
		s->known = 0;
		fill_lanes(s, s->relative ? NULL : rest, s->relative ? NULL : fallback);
	}
	s->logic = anim_types[s->first->type].scalar == ANIM_SCALAR_BOOL ||
		   (strcmp(s->first->property, "visible") == 0 && s->lanes == 1);
	choose_step(s);
	convert_source_open(&s->play, rest != NULL ? rest : fallback);
	return 0;
}

void compare_source_close(struct compare_source *s)
{
	convert_source_close(&s->play);
}

bool compare_source_absolute(struct compare_source *s, const struct anim_rest *rest)
{
	static const struct {
		const char *property;
		enum convert_step step;
		unsigned has, lanes;
	} rows[] = {{"position", CONVERT_REST_POSITION, ANIM_HAS_POSITION, 3},
		    {"rotation", CONVERT_REST_ROTATION, ANIM_HAS_ROTATION, 4},
		    {"scale", CONVERT_REST_SCALE, ANIM_HAS_SCALE, 3}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(s->first->property, rows[i].property) != 0)
			continue;
		if (rest == NULL || !(rest->has & rows[i].has) || s->lanes != rows[i].lanes)
			return false;
		s->play.rest = *rest;
		s->play.step = rows[i].step;
		return true;
	}
	return false;
}
