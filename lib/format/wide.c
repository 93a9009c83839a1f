/* wide.c: tracks as columns of one table, in a spool. */
#include "format/wide.h"

#include <math.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "clip/keys.h"

#define CHUNK 1024u
#define LABEL_MAX 256u

void anim_wide_init(struct anim_wide *wide, size_t memory_max, struct anim_diagnostics *diagnostics)
{
	*wide = (struct anim_wide){.diagnostics = diagnostics};
	anim_spool_init(&wide->values, memory_max);
}

void anim_wide_clear(struct anim_wide *wide)
{
	anim_spool_clear(&wide->values);
	anim_buffer_clear(&wide->times);
	anim_buffer_clear(&wide->columns);
	anim_buffer_clear(&wide->names);
}

size_t anim_wide_rows(const struct anim_wide *wide)
{
	return wide->times.size / sizeof(double);
}

size_t anim_wide_column_count(const struct anim_wide *wide)
{
	return wide->columns.size / sizeof(struct anim_wide_column);
}

const struct anim_wide_column *anim_wide_columns(const struct anim_wide *wide)
{
	return (const struct anim_wide_column *)(const void *)wide->columns.data;
}

const double *anim_wide_times(const struct anim_wide *wide)
{
	return (const double *)(const void *)wide->times.data;
}

const char *anim_wide_name(const struct anim_wide *wide, size_t column)
{
	return (const char *)wide->names.data + anim_wide_columns(wide)[column].name;
}

size_t anim_wide_cell_size(enum anim_wide_scalar scalar)
{
	return scalar <= ANIM_WIDE_SMALL ? sizeof(float) : sizeof(double);
}

/* ---- the shared times ---- */

static bool is_on_grid(const struct anim_wide *wide, const struct anim_track *track)
{
	const double *times = anim_wide_times(wide);

	if (track->n != anim_wide_rows(wide))
		return false;
	if (wide->grid.kind == ANIM_RAW && track->kind == ANIM_RAW && wide->grid.start_s == track->start_s &&
	    wide->grid.step_s == track->step_s && wide->grid.rate_num == track->rate_num &&
	    wide->grid.rate_den == track->rate_den)
		return true;
	for (size_t k = 0; k < track->n; k++)
		if (anim_track_time(track, k) != times[k])
			return false;
	return true;
}

static int check_times(struct anim_wide *wide, const struct anim_track *track, struct anim_error *error)
{
	char label[LABEL_MAX];

	if (!wide->has_grid && (track->kind != ANIM_RAW || anim_track_step(track) > 0 || track->n < 2)) {
		double *times = NULL;
		size_t size;

		if (anim_size_multiply(track->n, sizeof *times, &size, error) != 0 ||
		    (track->n > 0 && (times = anim_buffer_extend(&wide->times, size, error)) == NULL))
			return -1;
		if (track->n > 0)
			anim_track_times(track, times);
		wide->grid = *track;
		wide->has_grid = true;
		return 0;
	}
	if (wide->has_grid && is_on_grid(wide, track))
		return 0;
	anim_track_label(track, label, sizeof label);
	if (track->kind == ANIM_RAW && anim_track_step(track) <= 0)
		return anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "track '%s': the time between its samples is unknown; set their rate first, with " ANIM_OPTION(
			"retime", "rate"),
		    label);
	return anim_fail(
	    error, ANIM_UNSUPPORTED,
	    "track '%s' has its own times, but a table has the same times for all: " ANIM_ADVICE_TO(SAMPLE_ALL, "30"),
	    label);
}

/* ---- columns ---- */

static enum anim_wide_scalar scalar_of(enum anim_type type)
{
	switch (anim_types[type].scalar) {
	case ANIM_SCALAR_F32:
		return ANIM_WIDE_FLOAT;
	case ANIM_SCALAR_F64:
		return ANIM_WIDE_DOUBLE;
	case ANIM_SCALAR_U64:
		return ANIM_WIDE_UNSIGNED;
	case ANIM_SCALAR_U32:
	case ANIM_SCALAR_I32:
	case ANIM_SCALAR_I64:
		return ANIM_WIDE_SIGNED;
	default:
		return ANIM_WIDE_SMALL;
	}
}

static int add_column(struct anim_wide *wide, const struct anim_track *track, unsigned component,
		      struct anim_error *error)
{
	enum anim_wide_scalar scalar = scalar_of(track->type);
	struct anim_wide_column column = {scalar, wide->names.size, anim_spool_size(&wide->values)};
	size_t cell = anim_wide_cell_size(scalar);
	size_t components = anim_types[track->type].components;
	double cells[CHUNK];
	void *room = cells;
	float *singles = room;
	double *doubles = room;
	int64_t *wholes = room;
	/* A name is like "Skeleton3D:Hips rotation.x". The ".x" is left out if the whole value has one component. */
	bool parted = track->component != ANIM_WHOLE || components > 1;
	unsigned number = track->component != ANIM_WHOLE ? track->component : component;
	const char *const parts[] = {track->node, " ", track->property, parted ? "." : "",
				     parted ? anim_component_name(track->property, number) : ""};

	if (anim_buffer_append(&wide->columns, &column, sizeof column, error) != 0)
		return -1;
	for (size_t i = 0; i < ANIM_COUNT(parts); i++)
		if (anim_buffer_append_text(&wide->names, parts[i], error) != 0)
			return -1;
	if (anim_buffer_append(&wide->names, "", 1, error) != 0 ||
	    (track->n > 0 && anim_spool_begin(&wide->values, (uint64_t)track->n * cell, error) != 0))
		return -1;
	for (size_t first = 0; first < track->n; first += CHUNK) {
		size_t count = track->n - first < CHUNK ? track->n - first : CHUNK;

		for (size_t k = 0; k < count; k++) {
			size_t at = (first + k) * components + component;

			if (scalar == ANIM_WIDE_FLOAT)
				singles[k] = ((const float *)track->value)[at];
			else if (scalar == ANIM_WIDE_DOUBLE)
				doubles[k] = ((const double *)track->value)[at];
			else if (scalar == ANIM_WIDE_SMALL)
				singles[k] =
				    (float)anim_component_integer(track->type, track->value, first + k, component);
			else
				wholes[k] = anim_component_integer(track->type, track->value, first + k, component);
		}
		if (anim_spool_append(&wide->values, cells, count * cell, error) != 0)
			return -1;
	}
	return 0;
}

int anim_wide_clip(struct anim_wide *wide, const struct anim_clip *clip, const char *holder, struct anim_error *error)
{
	if (wide->has_clip)
		return anim_fail(error, ANIM_UNSUPPORTED, "%s holds one clip, and '%.80s' is a second one", holder,
				 clip->name);
	wide->has_clip = true;
	return 0;
}

int anim_wide_end(const struct anim_wide *wide, struct anim_error *error)
{
	if (!wide->has_clip)
		return anim_fail_no_clip(error);
	return anim_diagnostics_check(wide->diagnostics, error);
}

int anim_wide_add(struct anim_wide *wide, const struct anim_track *track, struct anim_error *error)
{
	int gone = anim_diagnostics_gate(wide->diagnostics, track, true, error);

	if (gone != 0)
		return gone < 0 ? -1 : 0;
	if (track->type == ANIM_STRING)
		return anim_diagnostics_track(wide->diagnostics, track, error,
					      "left out, because a table holds only numbers");
	if (check_times(wide, track, error) != 0)
		return -1;
	for (unsigned component = 0; component < anim_types[track->type].components; component++)
		if (add_column(wide, track, component, error) != 0)
			return -1;
	return 0;
}

int anim_wide_read(struct anim_wide *wide, size_t column, size_t first, size_t count, void *cells,
		   struct anim_error *error)
{
	const struct anim_wide_column *from = &anim_wide_columns(wide)[column];
	size_t cell = anim_wide_cell_size(from->scalar);

	return anim_spool_copy(&wide->values, from->place + (uint64_t)first * cell, cells, count * cell, error);
}
