/* flat.c: two dimensions: Godot's pixels with +Y down, Unity's units with +Y up. */
#include <string.h>

#include "clip/keys.h"
#include "filter/axes/internal.h"

static const struct {
	const char *property;
	enum axes_meaning meaning;
	bool own; /* Unity has it too, of three lanes */
} meanings[] = {
    {"position", AXES_POINT, true},
    {"global_position", AXES_POINT, false},
    {"transform:origin", AXES_POINT, false},
    {"scale", AXES_SCALE, true},
    {"angle", AXES_TURN, false},
    {"global_rotation", AXES_TURN, false},
    {"skew", AXES_TURN, false},
    {"global_skew", AXES_TURN, false},
    {"euler", AXES_EULER, true},
    {"rotation", AXES_QUATERNION, true},
    {"transform", AXES_MATRIX, false},
    {"global_transform", AXES_MATRIX, false},
};

/* Unity's units become pixels, or pixels units, in lane i. */
static void scale_lane(const struct axes *a, struct axes_map *map, unsigned i)
{
	if (a->options.target2d == ANIM_AXES2D_GODOT)
		map->factor[i] *= a->options.ppu;
	else
		map->divisor[i] = a->options.ppu;
}

void axes_flat_point(const struct axes *a, struct axes_map *map)
{
	axes_map_init(map, 2);
	map->factor[1] = -1;
	scale_lane(a, map, 0);
	scale_lane(a, map, 1);
}

/* Columns x, y and origin, the last row 0 0 1, between two mirrors of y. */
static void map_matrix(const struct axes *a, struct axes_map *map)
{
	axes_map_init(map, 9);
	map->factor[1] = map->factor[3] = map->factor[5] = map->factor[7] = -1;
	scale_lane(a, map, 2);
	scale_lane(a, map, 5);
}

static bool is_of_space(const struct axes *a)
{
	return a->axes == ANIM_AXES_GODOT || a->axes == ANIM_AXES_GLTF;
}

/*
 * What three lanes of Unity's, or one lane of anything, belong to. Unity's nodes do not say whether they are meant in two
 * dimensions: those that no tree tells of are taken to be, for that is what was asked for. Godot's do say, but for one
 * lane of a position.
 */
static int is_flat(struct axes *a, const struct anim_track *track, enum axes_meaning meaning, bool *flat,
		   struct anim_error *error)
{
	const struct axes_node *nearest = axes_find_nearest(a, track->node);
	bool doubtful = is_of_space(a) && meaning == AXES_POINT && track->component != ANIM_WHOLE;

	*flat = nearest != NULL ? nearest->flat : doubtful || !is_of_space(a);
	if (nearest != NULL || !doubtful)
		return 0;
	return anim_losses_add(a->options.losses, ANIM_WARNING, NULL,
			       "single lanes of positions belong to nodes that no tree tells of; they were taken for "
			       "two-dimensional",
			       error,
			       "'%s %s' is one lane, and no tree tells of its node; it was taken for two-dimensional",
			       track->node, track->property);
}

static bool is_zero(const struct anim_track *track, unsigned lane)
{
	size_t k = 0;

	while (k < track->n && anim_lane(track->type, track->value, k, lane) == 0)
		k++;
	return k == track->n;
}

/* z of the positions, in lane `lane`, is left out. */
static int warn_of_depth(struct axes *a, const struct anim_track *track, unsigned lane, struct anim_error *error)
{
	if (is_zero(track, lane))
		return 0;
	return anim_losses_add(a->options.losses, ANIM_WARNING, NULL,
			       "tracks have a depth (z), which is left out; draw order is z_index in Godot", error,
			       "'%s %s' has a depth (z), which is left out; draw order is z_index in Godot",
			       track->node, track->property);
}

static enum axes_verdict apply(struct axes *a, const struct axes_map *map, const struct anim_track *track,
			       enum anim_type type, struct anim_track *out, struct anim_error *error)
{
	return axes_map_track(map, track, type, a->columns, out, error) != 0 ? AXES_FAILED : AXES_CHANGED;
}

/* float3 -> float2, double3 -> double2. */
static enum anim_type without_depth(enum anim_type type)
{
	return type == ANIM_FLOAT3 ? ANIM_FLOAT2 : ANIM_DOUBLE2;
}

/* Three lanes of Unity's. */
static enum axes_verdict flatten(struct axes *a, const struct anim_track *track, enum axes_meaning meaning,
				 struct anim_track *out, struct anim_error *error)
{
	struct axes_map map;

	if (meaning == AXES_EULER)
		return axes_angle_of_euler(a, track, out, error);
	if (meaning == AXES_QUATERNION)
		return axes_angle_of_rotation(a, track, out, error);
	if (meaning == AXES_SCALE)
		axes_map_init(&map, 2);
	else
		axes_flat_point(a, &map);
	if (meaning == AXES_POINT && warn_of_depth(a, track, 2, error) != 0)
		return AXES_FAILED;
	return apply(a, &map, track, without_depth(track->type), out, error);
}

/* A lane of Unity's that two dimensions do not have. */
static enum axes_verdict drop_lane(struct axes *a, const struct anim_track *track, enum axes_meaning meaning,
				   struct anim_error *error)
{
	if (meaning == AXES_POINT)
		return warn_of_depth(a, track, 0, error) != 0 ? AXES_FAILED : AXES_DROPPED;
	if (meaning == AXES_SCALE || is_zero(track, 0))
		return AXES_DROPPED;
	return axes_stays_in_space(a, track, error);
}

static enum axes_verdict change_lane(struct axes *a, const struct anim_track *track, enum axes_meaning meaning,
				     bool from_unity, struct anim_track *out, struct anim_error *error)
{
	struct axes_map map;

	if (meaning == AXES_POINT && track->component < 2) {
		axes_flat_point(a, &map);
		axes_map_pick(&map, &out->component);
		return apply(a, &map, track, track->type, out, error);
	}
	if (!from_unity || (meaning == AXES_SCALE && track->component < 2))
		return AXES_PASS;
	if (meaning == AXES_EULER && track->component == 2)
		return axes_angle_of_euler(a, track, out, error);
	return meaning == AXES_QUATERNION ? axes_stays_in_space(a, track, error) : drop_lane(a, track, meaning, error);
}

/* What is of two dimensions by its type alone. */
static enum axes_verdict change_whole(struct axes *a, const struct anim_track *track, enum axes_meaning meaning,
				      struct anim_track *out, struct anim_error *error)
{
	const char *variant = anim_attrs_get(&track->attrs, "godot.variant");
	unsigned lanes = anim_types[track->type].lanes;
	struct axes_map map;

	if (meaning == AXES_POINT && lanes == 2) {
		axes_flat_point(a, &map);
	} else if (meaning == AXES_TURN && lanes == 1) {
		axes_map_init(&map, 1);
		map.factor[0] = -1;
	} else if (meaning == AXES_MATRIX && lanes == 9 && variant != NULL && strcmp(variant, "Transform2D") == 0) {
		map_matrix(a, &map);
	} else {
		return AXES_PASS;
	}
	return apply(a, &map, track, track->type, out, error);
}

/* Whole numbers of Godot's (Vector2i) have no place for what a scale makes of them. */
static enum axes_verdict refuse_integers(struct axes *a, const struct anim_track *track, enum axes_meaning meaning,
					 struct anim_error *error)
{
	unsigned lanes = anim_types[track->type].lanes;
	int status;

	if (track->type == ANIM_STRING || meaning != AXES_POINT || lanes != 2)
		return AXES_PASS;
	status =
	    anim_losses_add(a->options.losses, ANIM_WARNING, NULL, "tracks are of whole numbers; they stay as they are",
			    error, "'%s %s' is of whole numbers; it stays as it is", track->node, track->property);
	return status != 0 ? AXES_FAILED : AXES_PASS;
}

enum axes_verdict axes_flat_track(struct axes *a, const struct anim_track *track, struct anim_track *out,
				  struct anim_error *error)
{
	size_t row = 0, count = sizeof meanings / sizeof *meanings;
	bool to_godot = a->options.target2d == ANIM_AXES2D_GODOT, flat = false, lane = track->component != ANIM_WHOLE;
	unsigned lanes = anim_types[track->type].lanes;
	enum axes_meaning meaning;

	while (row < count && strcmp(track->property, meanings[row].property) != 0)
		row++;
	if (row == count || !anim_track_is_transform(track))
		return AXES_PASS;
	meaning = meanings[row].meaning;
	if (!anim_type_is_real(track->type))
		return refuse_integers(a, track, meaning, error);
	if (!lane && (lanes < 3 || !meanings[row].own || !to_godot))
		return change_whole(a, track, meaning, out, error);
	if (meaning != AXES_TURN && is_flat(a, track, meaning, &flat, error) != 0)
		return AXES_FAILED;
	if (!flat)
		return AXES_PASS;
	return lane ? change_lane(a, track, meaning, to_godot, out, error) : flatten(a, track, meaning, out, error);
}
