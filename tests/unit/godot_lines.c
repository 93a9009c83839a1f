/* godot_lines.c: a sink that writes what the Godot reader gives it as short lines. */
#include "godot_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "clip/diagnostics.h"
#include "tap.h"

__attribute__((format(printf, 2, 3))) static void add(struct lines *lines, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(lines->text + lines->size, sizeof lines->text - lines->size, format, args);
	va_end(args);
	if (length > 0 && (size_t)length < sizeof lines->text - lines->size)
		lines->size += (size_t)length;
}

static void add_numbers(struct lines *lines, const char *name, const float *numbers, size_t count)
{
	char digits[ANIM_NUMBER_MAX];

	add(lines, " %s", name);
	for (size_t i = 0; i < count; i++)
		add(lines, "%s%.*s", i == 0 ? "" : ",", (int)anim_number_print_float(digits, numbers[i]), digits);
}

static void add_attrs(struct lines *lines, const struct anim_attrs *attrs)
{
	for (size_t i = 0; i < attrs->count; i++)
		add(lines, " %s=%s", attrs->items[i].key, attrs->items[i].value);
	add(lines, "\n");
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	add((struct lines *)sink, "tree %s from %s\n", tree->root_name, tree->source_file);
	return anim_tree_validate(tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct lines *lines = (struct lines *)sink;

	add(lines, "node %s", node->path);
	if (node->parent != ANIM_NO_PARENT)
		add(lines, " <%u", node->parent);
	if (node->type[0] != '\0')
		add(lines, " %s", node->type);
	if (node->kind != ANIM_NODE)
		add(lines, " (%s)", anim_node_kind_names[node->kind]);
	if (node->has & ANIM_HAS_2D)
		add(lines, " 2d");
	if (node->has & ANIM_HAS_POSITION)
		add_numbers(lines, "p", node->position, 3);
	if (node->has & ANIM_HAS_ROTATION)
		add_numbers(lines, "r", node->rotation, 4);
	if (node->has & ANIM_HAS_SCALE)
		add_numbers(lines, "s", node->scale, 3);
	add_attrs(lines, &node->attrs);
	return anim_node_validate(node, node->parent == ANIM_NO_PARENT ? 0 : UINT32_MAX, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct lines *lines = (struct lines *)sink;

	add(lines, "clip %s at %s %s%s", clip->name, clip->root, clip->source,
	    clip->flags & ANIM_IN_TREE ? " in tree" : "");
	if (clip->loop != ANIM_LOOP_NONE)
		add(lines, " %s", anim_loop_names[clip->loop]);
	add_numbers(lines, "end", &clip->end_s, 1);
	add_attrs(lines, &clip->attrs);
	return anim_clip_validate(clip, true, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct lines *lines = (struct lines *)sink;
	const char *order = anim_attrs_get(&track->attrs, "order");

	add(lines, "track %s %s n=%zu", track->node, track->property, track->n);
	add(lines, order == NULL ? "%s\n" : " %s\n", order == NULL ? "" : order);
	return anim_track_validate(track, error);
}

static const struct anim_sink_ops lines_ops = {.tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track};

static void add_diagnostics(struct lines *lines, const struct anim_diagnostics *diagnostics)
{
	static const char *const severities[] = {"note", "warning", "fault"};

	for (size_t i = 0; i < diagnostics->count; i++) {
		const struct anim_diagnostic *item = &diagnostics->items[i];
		char text[600];

		add(lines, "%s", severities[item->severity]);
		if (item->place.at == ANIM_AT_LINE)
			add(lines, " %s:%u:%u", item->place.file, item->place.line, item->place.column);
		anim_diagnostic_print(item, text, sizeof text);
		add(lines, ": %s\n", text);
	}
}

static void read_input(struct lines *lines, lines_reader *read, struct anim_input *input,
		       struct anim_read_options *options)
{
	struct anim_diagnostics diagnostics = {0};

	lines->sink.ops = &lines_ops;
	options->diagnostics = &diagnostics;
	lines->result = read(input, options, &lines->sink, &lines->error);
	add_diagnostics(lines, &diagnostics);
	if (lines->result != 0)
		add(lines, "error: %s\n", lines->error.message);
	anim_diagnostics_clear(&diagnostics);
	anim_input_close(input);
}

void lines_read_by(struct lines *lines, lines_reader *read, const char *name, const char *text,
		   struct anim_read_options *options)
{
	struct anim_input *input;

	memset(lines, 0, sizeof *lines);
	if (CHECK(anim_input_open_memory(&input, text, strlen(text), name, &lines->error) == 0))
		read_input(lines, read, input, options);
}

void lines_read_with(struct lines *lines, const char *text, struct anim_read_options *options)
{
	lines_read_by(lines, anim_godot_read, "walk.tscn", text, options);
}

struct lines *lines_read(const char *text)
{
	static struct lines lines;
	struct anim_read_options options = {.store_memory = 1 << 20};

	lines_read_with(&lines, text, &options);
	return &lines;
}

void lines_expect(const struct lines *lines, const char *text)
{
	CHECKF(strcmp(lines->text, text) == 0, "got:\n%s# wanted:\n%s", lines->text, text);
}
