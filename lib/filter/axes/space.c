/* space.c: three dimensions: a mirror, and half a turn for what looks along the other way of its Z. */
#include <string.h>

#include "filter/axes/internal.h"
#include "math/elementary.h"
#include "math/quaternion.h"

static const struct {
	const char *property;
	enum axes_meaning meaning;
	unsigned lanes;
	bool global; /* not seen from the node above */
} meanings[] = {
    {"position", AXES_POINT, 3, false},         {"global_position", AXES_POINT, 3, true},
    {"transform:origin", AXES_POINT, 3, false}, {"rotation", AXES_QUATERNION, 4, false},
    {"quaternion", AXES_QUATERNION, 4, false},  {"euler", AXES_EULER, 3, false},
    {"global_rotation", AXES_EULER, 3, true},   {"transform", AXES_MATRIX, 0, false},
    {"global_transform", AXES_MATRIX, 0, true}, {"basis", AXES_MATRIX, 0, false},
    {"global_basis", AXES_MATRIX, 0, true},
};

/* What a track is, and which halves of a turn about Y stand before and behind it. */
struct role {
	enum axes_meaning meaning;
	unsigned lanes; /* of the whole property */
	bool left, right;
};

/* The mirror's diagonal, with 1 for what is no axis. */
static double mirror_of(const struct axes *a, unsigned i)
{
	return i == (a->options.mirror == ANIM_MIRROR_X ? 0u : 2u) ? -1 : 1;
}

/* That of half a turn about Y. */
static double half_turn_of(unsigned i)
{
	return i == 0 || i == 2 ? -1 : 1;
}

void axes_space_point(const struct axes *a, bool below_turned, struct axes_map *map)
{
	axes_map_init(map, 3);
	for (unsigned i = 0; i < 3; i++)
		map->factor[i] = mirror_of(a, i) * (below_turned ? half_turn_of(i) : 1);
}

/* Lane i becomes what was lane from[i], times sign[i]. */
static void permute(struct axes_map *map, const uint8_t from[4], const double sign[4])
{
	const struct axes_map old = *map;

	for (unsigned i = 0; i < 4; i++) {
		map->from[i] = old.from[from[i]];
		map->factor[i] = old.factor[from[i]] * sign[i];
	}
}

/*
 * Conjugation by the mirror F keeps the turn about the mirrored axis and reverses the other two. With h = (0, 1, 0, 0),
 * half a turn about Y, what looks the other way is F q F h, and what hangs below it h^-1 F q F. Each undoes itself: the
 * mirror reverses h, too.
 */
void axes_space_rotation(const struct axes *a, bool below_turned, bool turned, struct axes_map *map)
{
	static const uint8_t other_end[4] = {2, 3, 0, 1};

	axes_map_init(map, 4);
	for (unsigned i = 0; i < 3; i++)
		map->factor[i] = -mirror_of(a, i);
	if (turned)
		permute(map, other_end, (const double[4]){-1, 1, 1, -1});
	if (below_turned)
		permute(map, other_end, (const double[4]){-1, -1, 1, 1});
}

/*
 * Half a turn about Y goes through turns about X and Z by reversing them, and is added to the one about Y. So it may
 * come from either side of the three, whatever their order.
 */
static void map_euler(const struct axes *a, const struct anim_track *track, const struct role *role,
		      struct axes_map *map)
{
	int known = anim_euler_order_find(anim_attrs_get(&track->attrs, "order"));
	const char *order = anim_euler_order_names[known < 0 ? ANIM_EULER_YXZ : known];
	const char *y = strchr(order, 'Y');

	axes_map_init(map, 3);
	for (unsigned i = 0; i < 3; i++)
		map->factor[i] = -mirror_of(a, i);
	for (const char *axis = order; *axis != '\0'; axis++)
		if ((axis < y && role->left) || (axis > y && role->right))
			map->factor[*axis - 'X'] *= -1;
	if (role->left != role->right)
		map->offset[1] = track->flags & ANIM_DEGREES ? 180 : ANIM_PI;
}

static void map_matrix(const struct axes *a, unsigned lanes, const struct role *role, struct axes_map *map)
{
	unsigned width = lanes == 16 ? 4 : 3;

	axes_map_init(map, lanes);
	for (unsigned i = 0; i < lanes; i++) {
		unsigned row = i / width, column = i % width;

		map->factor[i] = mirror_of(a, row) * mirror_of(a, column);
		map->factor[i] *= (role->left ? half_turn_of(row) : 1) * (role->right ? half_turn_of(column) : 1);
	}
}

/* Whether one lane of a property belongs to a node in space. One lane alone does not say: the tree must. */
static int is_spatial_lane(struct axes *a, const struct anim_track *track, enum axes_meaning meaning, bool *spatial,
			   struct anim_error *error)
{
	const struct axes_node *nearest = axes_find_nearest(a, track->node);
	bool left_handed = a->axes == ANIM_AXES_UNITY || a->axes == ANIM_AXES_RESONITE;

	/* What of Unity's no tree tells of was taken for two-dimensional when two dimensions were brought over. */
	*spatial = nearest != NULL ? !nearest->flat : !(left_handed && a->axes2d == ANIM_AXES2D_GODOT);
	if (meaning != AXES_POINT || !*spatial || axes_find(a, track->node) != NULL ||
	    (track->rules != ANIM_RULES_GODOT4 && track->rules != ANIM_RULES_GODOT3))
		return 0;
	return anim_losses_add(a->options.losses, ANIM_WARNING, NULL,
			       "single lanes of positions belong to nodes that no tree tells of; they were taken for "
			       "three-dimensional",
			       error,
			       "'%s %s' is one lane, and no tree tells of its node; it was taken for three-dimensional",
			       track->node, track->property);
}

/* What the track's property is; AXES_NOTHING where a mirror does not touch it. */
static int meaning_of(struct axes *a, const struct anim_track *track, size_t row, struct role *role,
		      struct anim_error *error)
{
	const struct anim_type_info *type = &anim_types[track->type];
	bool holds;

	role->lanes = meanings[row].lanes;
	if (meanings[row].meaning == AXES_MATRIX) {
		holds = type->matrix && type->lanes > 4 && anim_attrs_get(&track->attrs, "godot.variant") == NULL;
		role->lanes = type->lanes;
	} else if (track->component == ANIM_WHOLE) {
		holds = type->lanes == role->lanes;
	} else if (is_spatial_lane(a, track, meanings[row].meaning, &holds, error) != 0) {
		return -1;
	}
	role->meaning = holds ? meanings[row].meaning : AXES_NOTHING;
	return 0;
}

/* Where the node or the one above it is turned: told by the tree alone. What is relative to a rest has its turn there. */
static void find_turns(struct axes *a, const struct anim_track *track, bool global, struct role *role)
{
	const struct axes_node *own = axes_find(a, track->node),
			       *above = own == NULL ? axes_find_above(a, track->node) : NULL;
	bool turned = own != NULL && own->turned;
	bool below = own != NULL ? own->below_turned : above != NULL && above->turned;

	role->left = below && !global;
	role->right = turned;
	if (track->flags & ANIM_REST_RELATIVE)
		role->left = turned;
}

static int role_of(struct axes *a, const struct anim_track *track, struct role *role, struct anim_error *error)
{
	size_t row = 0, count = sizeof meanings / sizeof *meanings;

	*role = (struct role){.meaning = AXES_NOTHING};
	while (row < count && strcmp(track->property, meanings[row].property) != 0)
		row++;
	if (row == count || !anim_type_is_real(track->type) || !anim_track_is_transform(track))
		return 0;
	if (meaning_of(a, track, row, role, error) != 0)
		return -1;
	if (role->meaning != AXES_NOTHING)
		find_turns(a, track, meanings[row].global, role);
	return 0;
}

static void map_of(const struct axes *a, const struct anim_track *track, const struct role *role, struct axes_map *map)
{
	if (role->meaning == AXES_POINT)
		axes_space_point(a, role->left, map);
	else if (role->meaning == AXES_QUATERNION)
		axes_space_rotation(a, role->left, role->right, map);
	else if (role->meaning == AXES_EULER)
		map_euler(a, track, role, map);
	else
		map_matrix(a, role->lanes, role, map);
}

enum axes_verdict axes_space_track(struct axes *a, const struct anim_track *track, struct anim_track *out,
				   struct anim_error *error)
{
	struct axes_map map;
	struct role role;

	if (role_of(a, track, &role, error) != 0)
		return AXES_FAILED;
	if (role.meaning == AXES_NOTHING)
		return AXES_PASS;
	map_of(a, track, &role, &map);
	if (track->component != ANIM_WHOLE && !axes_map_pick(&map, &out->component))
		return AXES_PASS;
	if (out->component == track->component && axes_map_is_identity(&map, anim_types[track->type].lanes))
		return AXES_PASS;
	return axes_map_track(&map, track, track->type, a->columns, out, error) != 0 ? AXES_FAILED : AXES_CHANGED;
}
