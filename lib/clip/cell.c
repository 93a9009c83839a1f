/* cell.c: takes a column apart into what is printed of it. */
#include "clip/cell.h"

#include "clip/lane.h"

unsigned anim_cell_lanes(const struct anim_track *track, enum anim_column column)
{
	if (track->type == ANIM_STRING)
		return 1;
	switch (column) {
	case ANIM_COLUMN_VALUE:
	case ANIM_COLUMN_LEFT:
	case ANIM_COLUMN_RIGHT:
	case ANIM_COLUMN_LEFT_X:
	case ANIM_COLUMN_RIGHT_X:
		return anim_types[track->type].lanes;
	default:
		return 1;
	}
}

static struct anim_cell of_float(float value)
{
	return (struct anim_cell){.kind = ANIM_CELL_FLOAT, .single = value};
}

static struct anim_cell of_natural(uint64_t value)
{
	return (struct anim_cell){.kind = ANIM_CELL_NATURAL, .natural = value};
}

static struct anim_cell of_value(enum anim_type type, const void *column, size_t k, unsigned lane)
{
	const struct anim_type_info *info = &anim_types[type];
	size_t at = k * info->lanes + lane;

	switch (info->scalar) {
	case ANIM_SCALAR_F32:
		return of_float(((const float *)column)[at]);
	case ANIM_SCALAR_F64:
		return (struct anim_cell){.kind = ANIM_CELL_DOUBLE, .wide = ((const double *)column)[at]};
	case ANIM_SCALAR_BOOL:
		return (struct anim_cell){.kind = ANIM_CELL_BOOL,
					  .natural = (uint64_t)anim_lane_integer(type, column, k, lane)};
	case ANIM_SCALAR_U64:
		return of_natural((uint64_t)anim_lane_integer(type, column, k, lane));
	default:
		return (struct anim_cell){.kind = ANIM_CELL_INTEGER, .whole = anim_lane_integer(type, column, k, lane)};
	}
}

static struct anim_cell of_text(const struct anim_strings *strings, size_t k)
{
	if (strings->length[k] == ANIM_NULL_STRING)
		return (struct anim_cell){.kind = ANIM_CELL_TEXT};
	return (struct anim_cell){
	    .kind = ANIM_CELL_TEXT, .length = strings->length[k], .text = strings->bytes + strings->start[k]};
}

struct anim_cell anim_cell_at(const struct anim_track *track, enum anim_column column, size_t k, unsigned lane)
{
	size_t at = k * anim_types[track->type].lanes + lane;

	switch (column) {
	case ANIM_COLUMN_TIME:
		return of_float(track->time[k]);
	case ANIM_COLUMN_VALUE:
		return track->type == ANIM_STRING ? of_text(track->strings, k)
						  : of_value(track->type, track->value, k, lane);
	case ANIM_COLUMN_INTERP:
		return (struct anim_cell){.kind = ANIM_CELL_WORD, .text = anim_interp_names[track->interps[k]]};
	case ANIM_COLUMN_LEFT:
		return of_value(track->type, track->left, k, lane);
	case ANIM_COLUMN_RIGHT:
		return of_value(track->type, track->right, k, lane);
	case ANIM_COLUMN_LEFT_X:
		return of_float(track->left_x[at]);
	case ANIM_COLUMN_RIGHT_X:
		return of_float(track->right_x[at]);
	case ANIM_COLUMN_EASE:
		return of_float(track->ease[k]);
	case ANIM_COLUMN_WEIGHTED:
		return of_natural(track->weighted[k]);
	default:
		return of_natural(track->hint[k]);
	}
}
