/* print.c: the parts of tracks that are printed. */
#include "clip/print.h"

#include "clip/keys.h"

/* ---- Columns ---- */

unsigned anim_cell_components(const struct anim_track *track, enum anim_column column)
{
	if (track->type == ANIM_STRING)
		return 1;
	switch (column) {
	case ANIM_COLUMN_VALUE:
	case ANIM_COLUMN_LEFT:
	case ANIM_COLUMN_RIGHT:
	case ANIM_COLUMN_LEFT_X:
	case ANIM_COLUMN_RIGHT_X:
		return anim_types[track->type].components;
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

static struct anim_cell of_value(enum anim_type type, const void *column, size_t k, unsigned component)
{
	const struct anim_type_info *info = &anim_types[type];
	size_t at = k * info->components + component;

	switch (info->scalar) {
	case ANIM_SCALAR_F32:
		return of_float(((const float *)column)[at]);
	case ANIM_SCALAR_F64:
		return (struct anim_cell){.kind = ANIM_CELL_DOUBLE, .wide = ((const double *)column)[at]};
	case ANIM_SCALAR_BOOL:
		return (struct anim_cell){.kind = ANIM_CELL_BOOL,
					  .natural = (uint64_t)anim_component_integer(type, column, k, component)};
	case ANIM_SCALAR_U64:
		return of_natural((uint64_t)anim_component_integer(type, column, k, component));
	default:
		return (struct anim_cell){.kind = ANIM_CELL_INTEGER,
					  .whole = anim_component_integer(type, column, k, component)};
	}
}

static struct anim_cell of_text(const struct anim_strings *strings, size_t k)
{
	if (strings->length[k] == ANIM_NULL_STRING)
		return (struct anim_cell){.kind = ANIM_CELL_TEXT};
	return (struct anim_cell){
	    .kind = ANIM_CELL_TEXT, .length = strings->length[k], .text = strings->bytes + strings->start[k]};
}

struct anim_cell anim_cell_at(const struct anim_track *track, enum anim_column column, size_t k, unsigned component)
{
	size_t at = k * anim_types[track->type].components + component;

	switch (column) {
	case ANIM_COLUMN_TIME:
		return of_float(track->time[k]);
	case ANIM_COLUMN_VALUE:
		return track->type == ANIM_STRING ? of_text(track->strings, k)
						  : of_value(track->type, track->value, k, component);
	case ANIM_COLUMN_INTERP:
		return (struct anim_cell){.kind = ANIM_CELL_WORD, .text = anim_interp_names[track->interps[k]]};
	case ANIM_COLUMN_LEFT:
		return of_value(track->type, track->left, k, component);
	case ANIM_COLUMN_RIGHT:
		return of_value(track->type, track->right, k, component);
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

void anim_cell_texts_begin(struct anim_cell_texts *cells, const struct anim_track *track, enum anim_column column)
{
	struct anim_cell first = {.kind = ANIM_CELL_TEXT};

	if (track->n > 0)
		first = anim_cell_at(track, column, 0, 0);
	cells->components = anim_cell_components(track, column);
	cells->count = track->n * cells->components;
	cells->first = cells->end = 0;
	cells->values = first.kind == ANIM_CELL_FLOAT ? track->column[column] : NULL;
}

void anim_cell_texts_fill(struct anim_cell_texts *cells, size_t i)
{
	size_t count = cells->count - i;

	count = count < ANIM_NUMBER_TEXTS ? count : ANIM_NUMBER_TEXTS;
	anim_number_print_floats(cells->values + i, count, cells->components, &cells->texts);
	cells->first = i;
	cells->end = i + count;
}

char *anim_cell_put(const struct anim_cell *cell, char *at)
{
	size_t length = 0;

	switch (cell->kind) {
	case ANIM_CELL_FLOAT:
		return at + anim_number_print_float(at, cell->single);
	case ANIM_CELL_DOUBLE:
		return at + anim_number_print_double(at, cell->wide);
	case ANIM_CELL_INTEGER:
		return at + anim_number_print_int64(at, cell->whole);
	case ANIM_CELL_BOOL:
	case ANIM_CELL_NATURAL:
		return at + anim_number_print_uint64(at, cell->natural);
	case ANIM_CELL_WORD:
		length = strlen(cell->text);
		memcpy(at, cell->text, length);
		break;
	case ANIM_CELL_TEXT:
		break;
	}
	return at + length;
}

/* ---- JSON ---- */

void anim_print_attrs_member(struct anim_print *print, const struct anim_attrs *attrs)
{
	anim_print_member(print, "attributes");
	anim_print_text(print, "{");
	for (size_t i = 0; i < attrs->count; i++) {
		anim_print_text(print, i == 0 ? "" : ",");
		anim_print_json_text(print, attrs->items[i].key);
		anim_print_text(print, ":");
		anim_print_json_text(print, attrs->items[i].value);
	}
	anim_print_text(print, "}");
}

void anim_print_track_members(struct anim_print *print, const struct anim_track *track)
{
	anim_print_text(print, "\"node\":");
	anim_print_json_text(print, track->node);
	anim_print_text_member(print, "property", track->property);
	anim_print_natural_member(print, "component", track->component != ANIM_WHOLE, track->component);
	anim_print_text_member(print, "kind", anim_kind_names[track->kind]);
	anim_print_text_member(print, "type", anim_types[track->type].name);
}
