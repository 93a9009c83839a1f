/* pair.c: two clips: brought into the same axes, their tracks paired and compared. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "clip/keys.h"
#include "filter/compare/internal.h"

/* What has to be done to a side so that both are in the same axes. A side without tree is not turned where the other has one. */
static bool choose_axes(const struct anim_compare *c, const struct compare_view *views, int side, bool flat,
			struct anim_axes_options *axes)
{
	const struct anim_clip *own = views[side].head, *other = views[!side].head;
	bool trees[2] = {views[0].root_name != NULL, views[1].root_name != NULL};
	int turned = trees[0] && !trees[1] ? 0 : 1;

	*axes = (struct anim_axes_options){.mirror = c->options.mirror,
					   .ppu = c->options.ppu,
					   .losses = c->options.losses,
					   .from = (enum anim_axes)own->axes,
					   .from2d = (enum anim_axes2d)own->axes2d};
	if (c->options.axes_keep)
		return false;
	axes->target = flat ? ANIM_AXES_UNKNOWN : (enum anim_axes)other->axes;
	axes->target2d = flat ? (enum anim_axes2d)other->axes2d : ANIM_AXES2D_UNKNOWN;
	if (flat) /* only Godot's trees tell what is two-dimensional */
		return own->axes2d == ANIM_AXES2D_GODOT && other->axes2d == ANIM_AXES2D_UNITY;
	return side == turned && anim_axes_differ((enum anim_axes)own->axes, (enum anim_axes)other->axes);
}

/* Puts the turned clip in the place of a view's, where the axes ask for it. 0 or -1. */
static int turn(struct anim_compare *c, struct compare_view views[2], int side, bool flat, struct anim_error *error)
{
	struct compare_turn *turns = c->turns[side];
	struct compare_view *view = &views[side];
	struct anim_axes_options axes;

	if (!choose_axes(c, views, side, flat, &axes))
		return 0;
	if (!compare_turn_fits(&turns[flat], view, &axes)) {
		for (int i = flat; i < 2; i++) /* the second's tree may be the first's */
			if (compare_turn_end(&turns[i], error) != 0)
				return -1;
		if (compare_turn_begin(&turns[flat], view, &axes, c->options.store_memory, error) != 0)
			return -1;
	}
	return compare_view_turn(view, &turns[flat], error);
}

static enum anim_unit unit_of(const struct compare_source *s, const struct anim_clip *clip)
{
	if (s->text)
		return ANIM_UNIT_KEYS;
	if (s->angle)
		return ANIM_UNIT_ANGLE;
	if (strcmp(s->first->property, "position") != 0 || !anim_track_is_transform(s->first))
		return ANIM_UNIT_PLAIN;
	return s->lanes == 2 && clip->axes2d == ANIM_AXES2D_GODOT ? ANIM_UNIT_PIXELS : ANIM_UNIT_LENGTH;
}

/* The unit and the limit, whichever side tells them: Resonite's Position of two numbers is a field like any other. */
static void choose_limit(const struct anim_compare *c, const struct compare_source s[2], struct compare_row *row)
{
	const struct anim_clip *clips[2] = {s[0].play.clip, s[1].play.clip};
	enum anim_unit units[2] = {unit_of(&s[0], clips[0]), unit_of(&s[1], clips[1])};
	int teller = units[0] == ANIM_UNIT_PLAIN && units[1] != ANIM_UNIT_PLAIN ? 1 : 0;

	row->unit = units[teller];
	row->limit = anim_limits_find(&c->options.limits, row->unit, row->items[teller]->property);
}

/* The lanes that both know; what one of them has alone is said. */
static unsigned common_lanes(const struct compare_source s[2], struct compare_row *row)
{
	unsigned common = s[0].known & s[1].known, tracks[2] = {0, 0};

	for (int side = 0; side < 2; side++) {
		for (unsigned i = 0; i < s[side].lanes && !s[side].angle; i++) {
			bool there = !s[side].play.joined || (i < CONVERT_LANES && s[side].play.tracks[i] != NULL);

			tracks[side] |= there ? 1u << i : 0;
		}
	}
	if (((tracks[0] | tracks[1]) & ~common) != 0) {
		row->status = COMPARE_DIFFERS;
		row->note = "lanes of one side are not known on the other";
	}
	return common;
}

/* Brings what only one side has relative to its rest to the other's form. */
static void settle_rests(struct compare_source s[2], const struct anim_rest *const rests[2], struct compare_row *row)
{
	if (s[0].relative == s[1].relative)
		return;
	if (!compare_source_absolute(&s[s[0].relative ? 0 : 1], rests[s[0].relative ? 0 : 1]))
		row->note = "relative to a rest that no tree tells of";
}

/* Samples without the time between them: no player plays them. */
static bool has_no_times(const struct anim_track *track)
{
	return track != NULL && track->kind == ANIM_RAW && isnan(anim_track_time(track, 0));
}

/* Both sides are samples of unknown times, and as many. */
static bool are_bare_samples(const struct compare_source s[2])
{
	return !s[0].play.joined && !s[1].play.joined && has_no_times(s[0].first) && has_no_times(s[1].first) &&
	       s[0].first->n == s[1].first->n && s[0].first->interp == s[1].first->interp;
}

/* A track that no player plays is a difference of its own, and the others are compared all the same. */
static int leave_unplayed(struct anim_compare *c, const struct compare_source s[2], struct compare_row *row,
			  struct anim_error *error)
{
	bool unknown = false;

	if (error->code != ANIM_UNSUPPORTED)
		return -1;
	for (int i = 0; i < 2; i++)
		for (unsigned k = 0; k < s[i].play.count; k++)
			unknown = unknown || has_no_times(s[i].play.tracks[k]);
	row->status = COMPARE_TYPES;
	row->note = unknown ? "the time between its samples is not known; set it with anim-retime --rate"
			    : anim_arena_text(&c->notes, error->message,
					      anim_utf8_prefix(error->message, strlen(error->message)), error);
	if (row->note == NULL)
		return -1;
	*error = (struct anim_error){0};
	return 0;
}

/* The values of both, once their types agree. 0 or -1. */
static int compare_values(struct anim_compare *c, struct compare_source s[2], const struct anim_rest *const rests[2],
			  struct compare_row *row, struct anim_error *error)
{
	unsigned lanes;

	settle_rests(s, rests, row);
	lanes = common_lanes(s, row);
	if (are_bare_samples(s)) {
		compare_samples(&s[0], &s[1], lanes, row);
		return 0;
	}
	return compare_measure(&c->measure, &s[0], &s[1], lanes, row, error);
}

static const char *types_note(struct anim_compare *c, enum anim_type one, enum anim_type other,
			      struct anim_error *error)
{
	char text[64];
	int length = snprintf(text, sizeof text, "%s against %s", anim_types[one].name, anim_types[other].name);

	return anim_arena_text(&c->notes, text, (size_t)length, error);
}

/* Limits were given, but none for what differs here: said once of each unit, with what would be one. */
static int tell_no_limit(struct anim_compare *c, const struct compare_row *row, struct anim_error *error)
{
	static const struct {
		const char *what, *limit;
	} units[ANIM_UNIT_COUNT] = {[ANIM_UNIT_PLAIN] = {"plain numbers", "1%"},
				    [ANIM_UNIT_LENGTH] = {"positions", "0.1mm"},
				    [ANIM_UNIT_PIXELS] = {"pixels", "0.1px"},
				    [ANIM_UNIT_ANGLE] = {"rotations", "0.05deg"}};
	const struct compare_item *item = row->items[0] != NULL ? row->items[0] : row->items[1];

	if (row->status != COMPARE_DIFFERS || row->limit > 0 || c->options.limits.count == 0 ||
	    units[row->unit].what == NULL || (c->told >> row->unit & 1))
		return 0;
	c->told |= 1u << row->unit;
	return anim_losses_add(c->options.losses, ANIM_NOTE, NULL, NULL, error,
			       "--max has no limit for %s such as '%s %s'; '%s' or '%s=%s' is one",
			       units[row->unit].what, item->node, item->property, units[row->unit].limit,
			       item->property, units[row->unit].limit);
}

/* A position or scale in space that stays in its plane: Unity has no other for what is two-dimensional in Godot. */
static bool stays_flat(const struct compare_source *s)
{
	const struct anim_track *track = s->first;

	if (s->play.joined || s->lanes != 3 || track->type != ANIM_FLOAT3 || !anim_track_is_transform(track) ||
	    (strcmp(track->property, "position") != 0 && strcmp(track->property, "scale") != 0))
		return false;
	for (size_t k = 0; k < track->n; k++)
		if (anim_lane(track->type, track->value, k, 2) != anim_lane(track->type, track->value, 0, 2))
			return false;
	return true;
}

/* Brings a value in space that stays in its plane to the two lanes of the other side. */
static void flatten(struct compare_source s[2])
{
	for (int i = 0; i < 2; i++)
		if (!s[0].text && !s[1].text && s[!i].lanes == 2 && stays_flat(&s[i])) {
			s[i].lanes = 2;
			s[i].known &= 3;
		}
}

static int compare_sources(struct anim_compare *c, struct compare_source s[2], const struct anim_rest *const rests[2],
			   struct compare_row *row, struct anim_error *error)
{
	const struct anim_clip *clips[2] = {s[0].play.clip, s[1].play.clip};

	flatten(s);
	choose_limit(c, s, row);
	if (s[0].text != s[1].text || (!s[0].text && (s[0].angle != s[1].angle || s[0].lanes != s[1].lanes))) {
		row->status = COMPARE_TYPES;
		row->note = types_note(c, s[0].first->type, s[1].first->type, error);
		return row->note == NULL ? -1 : 0;
	}
	if (s[0].text) {
		if (compare_texts(clips, s[0].first, s[1].first, row, error) != 0)
			return -1;
	} else if (compare_values(c, s, rests, row, error) != 0) {
		return leave_unplayed(c, s, row, error);
	}
	if (row->status != COMPARE_DIFFERS)
		row->status = row->worst == 0            ? COMPARE_SAME
			      : row->worst <= row->limit ? COMPARE_WITHIN
							 : COMPARE_DIFFERS;
	return tell_no_limit(c, row, error);
}

static int compare_items_of(struct anim_compare *c, struct compare_view views[2], struct compare_row *row,
			    struct anim_error *error)
{
	const struct anim_rest *rests[2];
	struct compare_source s[2];
	int result = 0;

	memset(s, 0, sizeof s);
	for (int i = 0; i < 2; i++)
		rests[i] = anim_rests_find(views[i].rests, views[i].head->root, row->items[i]->node);
	for (int i = 0; i < 2 && result == 0; i++) {
		result = compare_source_open(&s[i], &views[i], row->items[i], rests[!i], error);
		if (result != 0)
			anim_error_in_file(error, c->options.names[i]);
	}
	if (result == 0)
		result = compare_sources(c, s, rests, row, error);
	for (int i = 0; i < 2; i++)
		compare_source_close(&s[i]);
	return result;
}

static int compare_all(struct anim_compare *c, struct compare_view views[2], struct anim_error *error)
{
	size_t counts[2];
	const struct compare_item *items[2] = {compare_items(&views[0], &counts[0]),
					       compare_items(&views[1], &counts[1])};

	c->rows.size = 0;
	anim_arena_reset(&c->notes);
	for (size_t i = 0; i < counts[0]; i++) {
		size_t partner = compare_partners(&views[0])[i];
		struct compare_row row = {.status = COMPARE_ONLY_A, .items = {&items[0][i], NULL}};

		if (partner != COMPARE_NONE) {
			row.status = COMPARE_SAME;
			row.items[1] = &items[1][partner];
			if (compare_items_of(c, views, &row, error) != 0)
				return -1;
		}
		if (anim_buffer_append(&c->rows, &row, sizeof row, error) != 0)
			return -1;
	}
	for (size_t i = 0; i < counts[1]; i++) {
		const struct compare_row row = {.status = COMPARE_ONLY_B, .items = {NULL, &items[1][i]}};

		if (compare_partners(&views[1])[i] == COMPARE_NONE &&
		    anim_buffer_append(&c->rows, &row, sizeof row, error) != 0)
			return -1;
	}
	return 0;
}

/* Clips that are not of one length, but for what float32 makes of it. */
static bool lengths_differ(const struct anim_compare *c, const struct anim_clip *a, const struct anim_clip *b)
{
	double one = (double)a->end_s - (double)a->start_s, other = (double)b->end_s - (double)b->start_s;

	return fabs(one - other) >
	       anim_limits_find(&c->options.limits, ANIM_UNIT_TIME, "") + 1e-6 * fmax(1, fmax(one, other));
}

static int warn_of_guesses(const struct anim_compare *c, const char *clip, size_t guesses, struct anim_error *error)
{
	if (guesses == 0)
		return 0;
	return anim_losses_add(
	    c->options.losses, ANIM_WARNING, NULL, NULL, error,
	    "clip '%s': the last names of %zu %s fit several others; these were matched in their order", clip, guesses,
	    guesses == 1 ? "track" : "tracks");
}

int compare_clips(struct anim_compare *c, const struct couple *couple, struct compare_view views[2],
		  struct compare_pair *pair, struct anim_error *error)
{
	size_t guesses;

	for (int i = 0; i < 2; i++)
		if (compare_view_open(&views[i], &c->sides[i], couple->clips[i], error) != 0)
			return -1;
	for (int i = 0; i < 4; i++)
		if (turn(c, views, i % 2, i >= 2, error) != 0)
			return -1;
	if (compare_match(views, c->options.match, &guesses, error) != 0 ||
	    warn_of_guesses(c, views[0].head->name, guesses, error) != 0 || compare_all(c, views, error) != 0)
		return -1;
	for (int i = 0; i < 2; i++)
		pair->heads[i] = views[i].head;
	pair->rows = (struct compare_row *)(void *)c->rows.data;
	pair->count = c->rows.size / sizeof *pair->rows;
	pair->lengths_differ = lengths_differ(c, pair->heads[0], pair->heads[1]);
	return 0;
}
