/* archive_list.c: shows what an archive's index says. */
#include "filter/archive_list.h"

#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "filter/info/form.h"

enum column { NODE, PROPERTY, TYPE, KIND, KEYS, COLUMNS };

#define WIDEST 40 /* columns of a terminal that one column of the list takes at most; longer cells stick out */

struct list {
	struct anim_print print;
	struct anim_arena arena; /* texts of the row at hand */
	size_t widths[COLUMNS];
};

/* The text made safe to show; NULL out of memory. */
static char *safe_text(struct list *list, const char *text, struct anim_error *error)
{
	const size_t length = strlen(text), need = anim_text_safe(NULL, 0, text, length) + 1;
	char *safe = anim_arena_alloc(&list->arena, need, error);

	if (safe != NULL)
		anim_text_safe(safe, need, text, length);
	return safe;
}

/* "position.x" */
static char *property_text(struct list *list, const struct anim_archive_track *track, struct anim_error *error)
{
	const struct anim_track nameless = {.node = "", .property = track->property, .component = track->component};
	const size_t size = anim_track_label(&nameless, (char[1]){0}, 0) + 1;
	char *label = anim_arena_alloc(&list->arena, size, error);

	if (label == NULL)
		return NULL;
	anim_track_label(&nameless, label, size);
	return safe_text(list, label, error);
}

static char *keys_text(struct list *list, uint64_t n, struct anim_error *error)
{
	char digits[ANIM_NUMBER_MAX];

	return anim_arena_text(&list->arena, digits, anim_number_print_uint64(digits, n), error);
}

/* The cells of a track's line, until the arena is reset. 0, or -1 out of memory. */
static int fill_cells(struct list *list, const struct anim_archive_track *track, const char *cells[COLUMNS],
		      struct anim_error *error)
{
	anim_arena_reset(&list->arena);
	cells[NODE] = safe_text(list, track->node, error);
	cells[PROPERTY] = property_text(list, track, error);
	cells[TYPE] = anim_types[track->type].name;
	cells[KIND] = anim_kind_names[track->kind];
	cells[KEYS] = keys_text(list, track->n, error);
	return cells[NODE] == NULL || cells[PROPERTY] == NULL || cells[KEYS] == NULL ? -1 : 0;
}

static int measure(struct list *list, const struct anim_archive_clip *clip, struct anim_error *error)
{
	const char *cells[COLUMNS];

	memset(list->widths, 0, sizeof list->widths);
	for (size_t t = 0; t < clip->track_count; t++) {
		if (fill_cells(list, &clip->tracks[t], cells, error) != 0)
			return -1;
		for (int i = 0; i < COLUMNS; i++) {
			size_t width = text_width(cells[i]);

			width = width < WIDEST ? width : WIDEST;
			list->widths[i] = width > list->widths[i] ? width : list->widths[i];
		}
	}
	return 0;
}

static void print_number(struct list *list, double value)
{
	char text[ANIM_NUMBER_MAX + 1];

	info_number(text, value);
	anim_print_text(&list->print, text);
}

static void print_range(struct list *list, double from, double to)
{
	print_number(list, from);
	anim_print_text(&list->print, " .. ");
	print_number(list, to);
}

static int print_track(struct list *list, const struct anim_archive_track *track, struct anim_error *error)
{
	const char *cells[COLUMNS];

	if (fill_cells(list, track, cells, error) != 0)
		return -1;
	for (int i = 0; i < COLUMNS; i++) {
		const size_t own = text_width(cells[i]), pad = own < list->widths[i] ? list->widths[i] - own : 0;

		anim_print_text(&list->print, "  ");
		anim_print_spaces(&list->print, i == KEYS ? pad : 0);
		anim_print_text(&list->print, cells[i]);
		anim_print_spaces(&list->print, i == KEYS ? 0 : pad);
	}
	anim_print_text(&list->print, track->n == 1 ? " key " : " keys");
	if (track->first_s <= track->last_s) {
		anim_print_text(&list->print, "  ");
		print_range(list, (double)track->first_s, (double)track->last_s);
	}
	anim_print_text(&list->print, "\n");
	return list->print.failed ? -1 : 0;
}

static int print_clip(struct list *list, const struct anim_archive_clip *clip, struct anim_error *error)
{
	char *name;

	if (measure(list, clip, error) != 0 || (name = safe_text(list, clip->name, error)) == NULL)
		return -1;
	anim_print_text(&list->print, *name == '\0' ? "(no name)" : name);
	anim_print_text(&list->print, ": ");
	print_range(list, (double)clip->start_s, (double)clip->end_s);
	anim_print_text(&list->print, " s, ");
	info_count(&list->print, clip->track_count, "track", "tracks");
	anim_print_text(&list->print, "\n");
	for (size_t t = 0; t < clip->track_count; t++)
		if (print_track(list, &clip->tracks[t], error) != 0)
			return -1;
	return list->print.failed ? -1 : 0;
}

int anim_archive_list(const struct anim_archive_index *index, struct anim_output *output, struct anim_error *error)
{
	struct list list = {.print = {.out = output, .error = error}};
	int status = 0;

	for (size_t i = 0; i < index->clip_count && status == 0; i++) {
		anim_print_text(&list.print, i > 0 ? "\n" : "");
		status = print_clip(&list, &index->clips[i], error);
	}
	anim_arena_clear(&list.arena);
	return status;
}
