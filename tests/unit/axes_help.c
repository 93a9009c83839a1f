/* axes_help.c: trees and tracks through anim-axes into a capture. */
#include "axes_help.h"

#include <string.h>

#include "tap.h"

static void open_run(struct axes_run *run, const struct anim_axes_options *options)
{
	struct anim_axes_options all = *options;

	memset(run, 0, sizeof *run);
	all.ppu = 16;
	all.diagnostics = &run->diagnostics;
	run->clip = (struct anim_clip){.end_s = 1, .name = "c", .root = ".", .source = "x"};
	run->filter = anim_axes_new(&all, capture_sink(&run->out), NULL);
}

void axes_run_open(struct axes_run *run, enum anim_axes target, enum anim_axes2d target2d)
{
	open_run(run, &(struct anim_axes_options){.target = target, .target2d = target2d});
}

void axes_run_mirror_z(struct axes_run *run, enum anim_axes target)
{
	open_run(run, &(struct anim_axes_options){.target = target, .mirror = ANIM_MIRROR_Z});
}

void axes_run_tree(struct axes_run *run, enum anim_axes axes, enum anim_axes2d axes2d)
{
	struct anim_tree tree = {
	    .axes = (uint8_t)axes, .axes2d = (uint8_t)axes2d, .root_name = "R", .source_file = "r"};

	CHECK(anim_sink_tree(run->filter, &tree, NULL) == 0);
	run->clip.flags |= ANIM_IN_TREE;
}

void axes_run_node(struct axes_run *run, const struct anim_node *node)
{
	struct anim_error error = {0};

	CHECKF(anim_node_validate(node, run->nodes, &error) == 0, "%s", error.message);
	CHECKF(anim_sink_node(run->filter, node, &error) == 0, "%s", error.message);
	CHECKF(anim_node_validate(&run->out.nodes[run->nodes], run->nodes, &error) == 0, "%s", error.message);
	run->nodes++;
}

void axes_run_clip(struct axes_run *run, enum anim_axes axes, enum anim_axes2d axes2d)
{
	run->clip.axes = (uint8_t)axes;
	run->clip.axes2d = (uint8_t)axes2d;
	CHECK(anim_sink_clip(run->filter, &run->clip, NULL) == 0);
}

void axes_run_track(struct axes_run *run, const struct anim_track *track)
{
	struct anim_error error = {0};

	CHECKF(anim_track_validate(track, &error) == 0, "%s", error.message);
	CHECKF(anim_sink_track(run->filter, track, &error) == 0, "%s", error.message);
}

void axes_run_end(struct axes_run *run)
{
	CHECK(anim_sink_end(run->filter, NULL) == 0 && run->out.ended);
}

void axes_run_close(struct axes_run *run)
{
	anim_sink_free(run->filter);
	CHECK(run->out.freed);
	anim_diagnostics_clear(&run->diagnostics);
	capture_clear(&run->out);
}

struct anim_node axes_run_make_node(const char *path, unsigned kind, uint32_t parent)
{
	return (struct anim_node){.kind = (uint8_t)kind,
				  .parent = parent,
				  .rotation = {0, 0, 0, 1},
				  .scale = {1, 1, 1},
				  .path = path,
				  .type = "Node3D"};
}

struct anim_track axes_run_make_track(const char *property, enum anim_type type, const void *value)
{
	static const float times[] = {0, 1};

	return (struct anim_track){.kind = ANIM_CURVE,
				   .type = type,
				   .node = "Cam",
				   .property = property,
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = 2,
				   .time = times,
				   .value = value};
}

void axes_run_floats(const char *what, const void *found, const float *wanted, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		float number;

		memcpy(&number, (const float *)found + i, sizeof number);
		CHECKF(memcmp(&number, &wanted[i], sizeof number) == 0, "%s, number %zu: %.9g, not %.9g", what, i,
		       (double)number, (double)wanted[i]);
	}
}
