/* rename_help.c: trees and tracks through the filters of anim-rename into a capture. */
#include "rename_help.h"

#include <string.h>

#include "filter/rename/rename.h"
#include "tap.h"

void rename_run_init(struct rename_run *run)
{
	memset(run, 0, sizeof *run);
	run->options.diagnostics = &run->diagnostics;
	run->options.expressions = run->expressions;
	run->clip = (struct anim_clip){.end_s = 1, .name = "c", .root = ".", .source = "unity"};
}

void rename_run_expression(struct rename_run *run, const char *text)
{
	struct anim_error error = {0};

	CHECKF(anim_expression_parse(&run->expressions[run->options.expression_count++], text, &error) == 0, "%s: %s",
	       text, error.message);
}

void rename_run_map(struct rename_run *run, const char *csv)
{
	struct anim_error error = {0};
	struct anim_input *input = NULL;

	CHECK(anim_input_open_memory(&input, csv, strlen(csv), "m.csv", &error) == 0);
	CHECKF(anim_rename_map_read(&run->map, input, &error) == 0, "%s", error.message);
	anim_input_close(input);
	run->options.map = &run->map;
}

void rename_run_open(struct rename_run *run)
{
	run->filter = anim_rename_new(&run->options, capture_sink(&run->out), NULL);
}

void rename_run_bones(struct rename_run *run, const char *path)
{
	struct anim_bones_options options = {
	    .path = path, .select = run->options.select, .store_memory = 1 << 16, .diagnostics = &run->diagnostics};

	run->filter = anim_bones_new(&options, capture_sink(&run->out), NULL);
}

void rename_run_tree(struct rename_run *run)
{
	struct anim_tree tree = {.axes = ANIM_AXES_GODOT, .root_name = "R", .source_file = "r"};

	CHECK(anim_sink_tree(run->filter, &tree, NULL) == 0);
	run->clip.flags |= ANIM_IN_TREE;
	run->nodes = 0;
	rename_run_node(run, ".", ANIM_NODE, ANIM_NO_PARENT);
}

void rename_run_node(struct rename_run *run, const char *path, unsigned kind, uint32_t parent)
{
	struct anim_node node = {.kind = (uint8_t)kind,
				 .has = ANIM_HAS_POSITION,
				 .parent = parent,
				 .position = {(float)run->nodes, 0, 0},
				 .rotation = {0, 0, 0, 1},
				 .scale = {1, 1, 1},
				 .path = path,
				 .type = kind == ANIM_NODE_BONE ? "" : "Transform"};
	struct anim_error error = {0};

	CHECKF(anim_node_validate(&node, run->nodes, &error) == 0, "%s", error.message);
	CHECKF(anim_sink_node(run->filter, &node, &error) == 0, "%s", error.message);
	run->nodes++;
}

void rename_run_clip(struct rename_run *run)
{
	struct anim_error error = {0};

	CHECKF(anim_sink_clip(run->filter, &run->clip, &error) == 0, "%s", error.message);
}

void rename_run_track(struct rename_run *run, const char *node, const char *property)
{
	static const float time[1] = {0}, value[1] = {0.5f};
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = ANIM_FLOAT,
				   .node = node,
				   .property = property,
				   .component = strcmp(property, "visible") == 0 ? ANIM_WHOLE : 0,
				   .interp = ANIM_LINEAR,
				   .n = 1,
				   .time = time,
				   .value = value};
	struct anim_error error = {0};

	CHECKF(anim_sink_track(run->filter, &track, &error) == 0, "%s", error.message);
}

void rename_run_end(struct rename_run *run)
{
	struct anim_error error = {0};

	CHECKF(anim_sink_end(run->filter, &error) == 0 && run->out.ended, "%s", error.message);
	for (size_t i = 0; i < run->out.node_count; i++)
		CHECKF(anim_node_validate(&run->out.nodes[i], (uint32_t)i, &error) == 0, "%s", error.message);
}

void rename_run_close(struct rename_run *run)
{
	anim_sink_free(run->filter);
	CHECK(run->out.freed);
	anim_diagnostics_clear(&run->diagnostics);
	capture_clear(&run->out);
	for (size_t i = 0; i < run->options.expression_count; i++)
		anim_expression_clear(&run->expressions[i]);
	anim_rename_map_clear(&run->map);
}

void rename_run_has_node(const struct rename_run *run, size_t number, const char *path, const char *parent)
{
	const struct anim_node *node = &run->out.nodes[number];

	if (!CHECKF(number < run->out.node_count, "there are only %zu nodes", run->out.node_count))
		return;
	CHECKF(strcmp(node->path, path) == 0, "node %zu is '%s', not '%s'", number, node->path, path);
	CHECKF(node->parent < number && strcmp(run->out.nodes[node->parent].path, parent) == 0,
	       "node '%s' is below node %u, not below '%s'", path, node->parent, parent);
}

void rename_run_has_track(const struct rename_run *run, size_t number, const char *node)
{
	if (CHECKF(number < run->out.track_count, "there are only %zu tracks", run->out.track_count))
		CHECKF(strcmp(run->out.tracks[number].node, node) == 0, "track %zu is of '%s', not '%s'", number,
		       run->out.tracks[number].node, node);
}

void rename_run_warned(const struct rename_run *run, const char *message)
{
	char found[700] = "";

	if (run->diagnostics.count > 0)
		anim_diagnostic_print(&run->diagnostics.items[0], found, sizeof found);
	CHECKF(run->diagnostics.count == (message != NULL), "%zu kinds of warnings, the first: %s",
	       run->diagnostics.count, found);
	if (message != NULL)
		CHECKF(strcmp(found, message) == 0, "warned: %s", found);
}
