/* list.c: what renaming would do, as a list. */
#include "filter/rename/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/print.h"
#include "base/text.h"
#include "filter/filter.h"
#include "filter/summary.h"

/* The names of a clip or a track as they came in. */
struct names {
	const char *name, *property; /* property NULL: of a clip */
};

/* A line of the list; texts are safe to show. */
struct row {
	const char *from, *to;
};

struct anim_rename_list {
	struct anim_buffer names; /* struct names, in order */
	size_t next;              /* the first that has not come out */
	struct anim_buffer rows;  /* struct row */
	struct anim_buffer key;   /* scratch */
	struct anim_text_set seen;
	struct anim_arena waiting, arena; /* of names, of rows */
};

struct front {
	struct anim_filter filter;
	struct anim_rename_list *list;
};

struct back {
	struct anim_sink sink;
	struct anim_rename_list *list;
	struct anim_output *out;
	const struct anim_losses *losses;
};

struct anim_rename_list *anim_rename_list_new(struct anim_error *error)
{
	struct anim_rename_list *list = calloc(1, sizeof *list);

	if (list == NULL)
		anim_fail_memory(error);
	return list;
}

void anim_rename_list_free(struct anim_rename_list *list)
{
	if (list == NULL)
		return;
	anim_buffer_clear(&list->names);
	anim_buffer_clear(&list->rows);
	anim_buffer_clear(&list->key);
	anim_text_set_clear(&list->seen);
	anim_arena_clear(&list->waiting);
	anim_arena_clear(&list->arena);
	free(list);
}

/* Keeps names until they come out; where all have, nothing of them stays. */
static int push(struct anim_rename_list *list, const char *name, const char *property, struct anim_error *error)
{
	struct names names = {NULL, NULL};

	if (list->next == list->names.size / sizeof names) {
		list->names.size = list->next = 0;
		anim_arena_reset(&list->waiting);
	}
	names.name = anim_arena_text(&list->waiting, name, strlen(name), error);
	if (property != NULL)
		names.property = anim_arena_text(&list->waiting, property, strlen(property), error);
	if (names.name == NULL || (property != NULL && names.property == NULL))
		return -1;
	return anim_buffer_append(&list->names, &names, sizeof names, error);
}

static const char *safe(struct anim_rename_list *list, const char *text, struct anim_error *error)
{
	size_t length = strlen(text), size = anim_text_safe(NULL, 0, text, length) + 1;
	char *out = anim_arena_alloc(&list->arena, size, error);

	if (out != NULL)
		(void)anim_text_safe(out, size, text, length);
	return out;
}

static int add_row(struct anim_rename_list *list, const char *from, const char *to, struct anim_error *error)
{
	struct row row;
	int is_new;

	if (strcmp(from, to) == 0)
		return 0;
	list->key.size = 0;
	if (anim_buffer_append(&list->key, from, strlen(from) + 1, error) != 0 ||
	    anim_buffer_append(&list->key, to, strlen(to), error) != 0)
		return -1;
	is_new = anim_text_set_add(&list->seen, list->key.data, list->key.size, error);
	if (is_new <= 0)
		return is_new;
	row.from = safe(list, from, error);
	row.to = safe(list, to, error);
	return row.from == NULL || row.to == NULL ? -1 : anim_buffer_append(&list->rows, &row, sizeof row, error);
}

static const struct names *pop(struct anim_rename_list *list)
{
	return (const struct names *)(const void *)list->names.data + list->next++;
}

static int front_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	if (push(((struct front *)sink)->list, clip->name, NULL, error) != 0)
		return -1;
	return anim_filter_clip(sink, clip, error);
}

static int front_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	if (push(((struct front *)sink)->list, track->node, track->property, error) != 0)
		return -1;
	return anim_filter_track(sink, track, error);
}

struct anim_sink *anim_rename_list_front(struct anim_rename_list *list, struct anim_sink *next,
					 struct anim_error *error)
{
	static const struct anim_sink_ops ops = {anim_filter_tree,   anim_filter_node, front_clip,      front_track,
						 anim_filter_record, anim_filter_end,  anim_filter_free};
	struct front *front = anim_filter_new(sizeof *front, &ops, next, error);

	if (front == NULL)
		return NULL;
	front->list = list;
	return &front->filter.sink;
}

static int back_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_rename_list *list = ((struct back *)sink)->list;

	return add_row(list, pop(list)->name, clip->name, error);
}

static int back_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct anim_rename_list *list = ((struct back *)sink)->list;
	const struct names *names = pop(list);

	if (add_row(list, names->name, track->node, error) != 0)
		return -1;
	return add_row(list, names->property, track->property, error);
}

static int back_end(struct anim_sink *sink, struct anim_error *error)
{
	struct back *back = (struct back *)sink;
	struct anim_print print = {.out = back->out, .error = error};
	const struct row *rows = (const struct row *)(const void *)back->list->rows.data;
	size_t count = back->list->rows.size / sizeof *rows, widest = 0;

	if (anim_losses_check(back->losses, error) != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		widest = text_width(rows[i].from) > widest ? text_width(rows[i].from) : widest;
	for (size_t i = 0; i < count; i++) {
		anim_print_text(&print, rows[i].from);
		anim_print_spaces(&print, widest - text_width(rows[i].from));
		anim_print_text(&print, " -> ");
		anim_print_text(&print, rows[i].to);
		anim_print_text(&print, "\n");
	}
	return print.failed ? -1 : 0;
}

static void back_free(struct anim_sink *sink)
{
	free(sink);
}

struct anim_sink *anim_rename_list_back(struct anim_rename_list *list, struct anim_output *out,
					const struct anim_losses *losses, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .clip = back_clip, .track = back_track, .end = back_end, .free = back_free};
	struct back *back = calloc(1, sizeof *back);

	if (back == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	back->sink.ops = &ops;
	back->list = list;
	back->out = out;
	back->losses = losses;
	return &back->sink;
}
