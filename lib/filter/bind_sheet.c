/* bind_sheet.c: the list of tracks by number, for people and programs that bind the fields of Resonite's Animator. */
#include <string.h>

#include "base/count.h"
#include "base/print.h"
#include "base/text.h"
#include "clip/resonite.h"
#include "filter/bind.h"
#include "filter/filter.h"

#define NODE_WIDTH 24 /* of the columns of the text */
#define PROPERTY_WIDTH 20

struct sheet {
	struct anim_filter filter;
	struct anim_bind_sheet *to;
	struct anim_arena tree, scratch;
	char *root_name; /* of the last tree, or NULL */
	struct anim_resonite_names names;
	uint64_t number; /* of the next track */
};

static int sheet_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct sheet *sheet = (struct sheet *)sink;

	anim_arena_reset(&sheet->tree);
	sheet->root_name = anim_arena_text(&sheet->tree, tree->root_name, strlen(tree->root_name), error);
	return sheet->root_name == NULL ? -1 : anim_filter_tree(sink, tree, error);
}

static void end_list(struct anim_bind_sheet *to, struct anim_print *print)
{
	if (to->form == ANIM_BIND_JSON && to->clips > 0)
		anim_print_text(print, "\n]}");
}

static int sheet_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct sheet *sheet = (struct sheet *)sink;
	struct anim_bind_sheet *to = sheet->to;
	struct anim_print print = {.buffer = &to->text, .error = error};

	if (anim_filter_keep(&sheet->filter, clip, error) != 0)
		return -1;
	anim_resonite_names_init(&sheet->names, &sheet->filter.clip, sheet->root_name);
	sheet->number = 0;
	end_list(to, &print);
	if (to->form == ANIM_BIND_JSON) {
		anim_print_text(&print, to->clips > 0 ? ",\n{\"clip\":" : "[\n{\"clip\":");
		anim_print_json_text(&print, clip->name);
		anim_print_text(&print, ",\"tracks\":[");
	} else if (to->form == ANIM_BIND_TEXT) {
		char name[200];

		anim_text_safe(name, sizeof name, clip->name, strlen(clip->name));
		anim_print_texts(&print, to->clips > 0 ? "\n" : "", "clip '", name, "'\n");
	} else if (to->clips == 0) {
		anim_print_text(&print, "clip,number,node,path,property,type,field,why\n");
	}
	to->clips++;
	return print.failed ? -1 : anim_filter_clip(sink, clip, error);
}

/* Print a column of the text, with at least two blanks after it. */
static void print_column(struct anim_print *print, const char *text, size_t width)
{
	char safe[256];
	size_t length = anim_text_safe(safe, sizeof safe, text, strlen(text));

	anim_print_text(print, safe);
	anim_print_spaces(print, length < width ? width - length : 2);
}

static void print_row(struct sheet *sheet, struct anim_print *print, const struct anim_track *track, const char *node,
		      const char *path, const char *property, const char *why)
{
	const char *cells[] = {
	    node, path, property, anim_types[track->type].name, why == NULL ? property : "", why == NULL ? "" : why};
	static const char *const members[] = {"node", "path", "property", "type", "field", "why"};

	if (sheet->to->form == ANIM_BIND_TEXT) {
		anim_print_spaces(print, sheet->number < 10 ? 3 : sheet->number < 100 ? 2 : 1);
		anim_print_uint64(print, sheet->number);
		anim_print_text(print, "  ");
		print_column(print, node, NODE_WIDTH);
		print_column(print, property, PROPERTY_WIDTH);
		anim_print_texts(print, why == NULL ? "field " : "not bound: ", why == NULL ? property : why);
		/* Several slots can have one name. */
		if (strcmp(path, node) != 0) {
			char safe[1024];

			anim_text_safe(safe, sizeof safe, path, strlen(path));
			anim_print_texts(print, "  (", safe, ")");
		}
		anim_print_text(print, "\n");
	} else if (sheet->to->form == ANIM_BIND_CSV) {
		anim_print_csv(print, sheet->filter.clip.name, strlen(sheet->filter.clip.name));
		anim_print_text(print, ",");
		anim_print_uint64(print, sheet->number);
		for (size_t i = 0; i < ANIM_COUNT(cells); i++) {
			anim_print_text(print, ",");
			if (cells[i][0] != '\0')
				anim_print_csv(print, cells[i], strlen(cells[i]));
		}
		anim_print_text(print, "\n");
	} else {
		anim_print_text(print, sheet->number == 0 ? "\n{\"number\":" : ",\n{\"number\":");
		anim_print_uint64(print, sheet->number);
		for (size_t i = 0; i < ANIM_COUNT(cells); i++)
			anim_print_text_member(print, members[i], i > 3 && cells[i][0] == '\0' ? NULL : cells[i]);
		anim_print_text(print, "}");
	}
}

static int sheet_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct sheet *sheet = (struct sheet *)sink;
	struct anim_print print = {.buffer = &sheet->to->text, .error = error};
	const char *node, *path, *property;

	/* The writer leaves these out, so they have no number. */
	if (track->n == 0 || (track->flags & ANIM_DISABLED) != 0)
		return anim_filter_track(sink, track, error);
	anim_arena_reset(&sheet->scratch);
	node = anim_resonite_node(&sheet->names, track->node, anim_track_is_bone(track), &sheet->scratch, error);
	property = anim_resonite_property(track->property, track->component, &sheet->scratch, error);
	if (node == NULL || property == NULL)
		return -1;
	path = sheet->names.bare_nodes ? NULL
				       : anim_tree_path(sheet->filter.clip.root, track->node, &sheet->scratch, error);
	if (path == NULL && error->code == ANIM_NO_MEMORY)
		return -1;
	print_row(sheet, &print, track, node, path == NULL ? node : path, property,
		  anim_resonite_unbound(track->property, track->type, track->component));
	sheet->number++;
	return print.failed ? -1 : anim_filter_track(sink, track, error);
}

static void sheet_free(struct anim_sink *sink)
{
	struct sheet *sheet = (struct sheet *)sink;

	anim_arena_clear(&sheet->tree);
	anim_arena_clear(&sheet->scratch);
	anim_filter_free(sink);
}

struct anim_sink *anim_bind_sheet_new(struct anim_bind_sheet *to, struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {sheet_tree, NULL, sheet_clip, sheet_track, NULL, NULL, sheet_free};
	struct sheet *sheet = anim_filter_new(sizeof *sheet, &ops, next, error);

	if (sheet == NULL)
		return NULL;
	if (next->ops->node == NULL) /* the caller need not decode nodes */
		sheet->filter.ops.node = NULL;
	sheet->to = to;
	return &sheet->filter.sink;
}

int anim_bind_sheet_end(struct anim_bind_sheet *to, struct anim_error *error)
{
	struct anim_print print = {.buffer = &to->text, .error = error};

	end_list(to, &print);
	if (to->form == ANIM_BIND_JSON)
		anim_print_text(&print, to->clips > 0 ? "\n]\n" : "[]\n");
	return print.failed ? -1 : 0;
}
