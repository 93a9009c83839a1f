/* tree.c: anim-info --tree: the nodes, indented, with types and rest poses. */
#include <string.h>

#include "base/number.h"
#include "filter/info/form.h"

#define NONE 0xFFFFFFFFu
#define DEEPEST 64u /* steps of indentation that are shown */

/* A node of the tree that is being read; numbers are those of the stream. */
struct tree_row {
	uint32_t parent, first_child, last_child, next;
	uint8_t kind, has;
	float position[3], rotation[4], scale[3];
	const char *name, *type; /* safe */
};

static struct tree_row *rows_of(const struct info *info)
{
	return (struct tree_row *)(void *)info->rows.data;
}

/* The part of the path that the parent's does not say: a bone's own name, a node's last. */
static const char *own_name(const char *path)
{
	const char *colon = strchr(path, ':'), *slash = strrchr(path, '/');

	if (colon != NULL)
		return colon + 1;
	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static void print_numbers(struct anim_print *print, const char *name, const float *numbers, int count)
{
	anim_print_text(print, name);
	for (int i = 0; i < count; i++) {
		char text[ANIM_NUMBER_MAX + 1];

		info_number(text, (double)numbers[i]);
		anim_print_text(print, i == 0 ? " (" : ", ");
		anim_print_text(print, text);
	}
	anim_print_text(print, ")");
}

static void print_row(struct info *info, const struct tree_row *row, size_t depth)
{
	struct anim_print *print = &info->print;

	anim_print_spaces(print, 2 * (depth < DEEPEST ? depth : DEEPEST) + 2);
	anim_print_text(print, row->name);
	anim_print_text(print, row->kind == ANIM_NODE && *row->type == '\0' ? "" : " ");
	anim_print_text(print, row->kind == ANIM_NODE ? "" : anim_node_kind_names[row->kind]);
	anim_print_text(print, row->kind == ANIM_NODE || *row->type == '\0' ? "" : " ");
	anim_print_text(print, row->type);
	if ((row->has & ANIM_HAS_POSITION) != 0)
		print_numbers(print, " position", row->position, (row->has & ANIM_HAS_2D) != 0 ? 2 : 3);
	if ((row->has & ANIM_HAS_ROTATION) != 0)
		print_numbers(print, " rotation", row->rotation, 4);
	if ((row->has & ANIM_HAS_SCALE) != 0)
		print_numbers(print, " scale", row->scale, (row->has & ANIM_HAS_2D) != 0 ? 2 : 3);
	anim_print_text(print, "\n");
}

/* Nodes may stand anywhere behind their parents; printed are each one's children behind it. */
static void flush(struct info *info)
{
	const struct tree_row *rows = rows_of(info);
	size_t count = info->rows.size / sizeof *rows, depth = 0;
	uint32_t at = count > 0 ? 0 : NONE;

	while (at != NONE && !info->print.failed) {
		print_row(info, &rows[at], depth);
		if (rows[at].first_child != NONE) {
			at = rows[at].first_child;
			depth++;
			continue;
		}
		while (at != NONE && rows[at].next == NONE) {
			at = rows[at].parent;
			depth--;
		}
		at = at == NONE ? NONE : rows[at].next;
	}
	info->rows.size = 0;
	anim_arena_reset(&info->scratch);
}

static int on_tree(struct info *info, const struct anim_tree *tree, struct anim_error *error)
{
	char *name, *file;

	flush(info);
	if (info->trees > 1)
		anim_print_text(&info->print, "\n");
	if ((name = info_safe(info, tree->root_name, error)) == NULL ||
	    (file = info_safe(info, tree->source_file, error)) == NULL)
		return -1;
	anim_print_text(&info->print, "tree of ");
	anim_print_text(&info->print, *name == '\0' ? "(no name)" : name);
	anim_print_text(&info->print, *file == '\0' ? "" : ", from ");
	anim_print_text(&info->print, file);
	if (tree->axes != ANIM_AXES_UNKNOWN) {
		anim_print_text(&info->print, ", ");
		anim_print_text(&info->print, anim_axes_names[tree->axes]);
		anim_print_text(&info->print, " axes");
	}
	anim_print_text(&info->print, "\n");
	return info->print.failed ? -1 : 0;
}

static void link_to_parent(struct tree_row *rows, uint32_t number)
{
	uint32_t parent = rows[number].parent;

	if (parent == NONE)
		return;
	if (rows[parent].first_child == NONE)
		rows[parent].first_child = number;
	else
		rows[rows[parent].last_child].next = number;
	rows[parent].last_child = number;
}

static int on_node(struct info *info, const struct anim_node *node, struct anim_error *error)
{
	uint32_t number = (uint32_t)(info->rows.size / sizeof(struct tree_row));
	struct tree_row *row = anim_buffer_extend(&info->rows, sizeof *row, error);

	if (row == NULL)
		return -1;
	if (number > 0 && node->parent >= number)
		return anim_fail(error, ANIM_BAD_INPUT, "node '%s' comes before its parent", node->path);
	*row = (struct tree_row){.parent = number > 0 ? node->parent : NONE,
				 .first_child = NONE,
				 .last_child = NONE,
				 .next = NONE,
				 .kind = node->kind,
				 .has = node->has};
	memcpy(row->position, node->position, sizeof row->position);
	memcpy(row->rotation, node->rotation, sizeof row->rotation);
	memcpy(row->scale, node->scale, sizeof row->scale);
	row->name = info_safe(info, own_name(node->path), error);
	row->type = info_safe(info, node->type, error);
	if (row->name == NULL || row->type == NULL)
		return -1;
	link_to_parent(rows_of(info), number);
	return 0;
}

static int on_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	(void)clip;
	(void)error;
	flush(info);
	return info->print.failed ? -1 : 0;
}

static int on_track(struct info *info, const struct anim_track *track, const struct summary *summary,
		    struct anim_error *error)
{
	(void)info;
	(void)track;
	(void)summary;
	(void)error;
	return 0;
}

static int on_end(struct info *info, struct anim_error *error)
{
	(void)error;
	flush(info);
	if (info->trees == 0)
		anim_print_text(&info->print, "no node tree\n");
	return info->print.failed ? -1 : 0;
}

const struct info_form info_tree = {on_tree, on_node, on_clip, on_track, on_end};
