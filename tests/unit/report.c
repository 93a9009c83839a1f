/* report.c: records built by hand through the sinks of anim-info and anim-dump. */
#include "report.h"

#include <string.h>

#include "stream/record.h"
#include "tap.h"

void report_open_info(struct report *r, enum anim_info_form form)
{
	struct anim_info_options options = {.form = form};

	*r = (struct report){.out = NULL};
	options.diagnostics = &r->diagnostics;
	r->failed = anim_output_open_memory(&r->out, &r->error) != 0 ||
		    (r->sink = anim_info_new(r->out, &options, &r->error)) == NULL;
}

void report_open_dump(struct report *r)
{
	*r = (struct report){.out = NULL};
	r->failed =
	    anim_output_open_memory(&r->out, &r->error) != 0 || (r->sink = anim_dump_new(r->out, &r->error)) == NULL;
}

const char *report_finish(struct report *r)
{
	const uint8_t *bytes;
	size_t size;

	r->failed = r->failed || anim_sink_end(r->sink, &r->error) != 0;
	if (!r->failed && (bytes = anim_output_memory(r->out, &size)) != NULL && size < REPORT_TEXT_MAX)
		memcpy(r->text, bytes, size);
	anim_sink_free(r->sink);
	anim_output_free(r->out);
	anim_buffer_clear(&r->record);
	anim_diagnostics_clear(&r->diagnostics);
	return r->text;
}

void report_check(struct report *r, const char *wanted)
{
	report_finish(r);
	CHECKF(!r->failed, "%s", r->error.message);
	CHECKF(strcmp(r->text, wanted) == 0, "%s", r->text);
}

static const float times[] = {0, 1};
static const float scales[] = {1, 1, 1, 0, 0.5f, 0.25f};

struct anim_clip report_make_clip(void)
{
	return (struct anim_clip){.end_s = 1.5f,
				  .loop = ANIM_LOOP_PINGPONG,
				  .axes = ANIM_AXES_GODOT,
				  .name = "walk",
				  .root = ".",
				  .source = "godot4"};
}

struct anim_track report_make_track(void)
{
	return (struct anim_track){.kind = ANIM_CURVE,
				   .type = ANIM_FLOAT3,
				   .rules = ANIM_RULES_GODOT4,
				   .node = "Box",
				   .property = "scale",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = 2,
				   .time = times,
				   .value = scales};
}

void report_clip(struct report *r, const struct anim_clip *clip)
{
	r->failed = r->failed || anim_sink_clip(r->sink, clip, &r->error) != 0;
}

void report_track(struct report *r, const struct anim_track *track)
{
	r->failed = r->failed || anim_sink_track(r->sink, track, &r->error) != 0;
}

void report_tree(struct report *r)
{
	const struct anim_tree tree = {.axes = ANIM_AXES_GODOT, .root_name = "Hero", .source_file = "hero.tscn"};

	r->failed = r->failed || anim_sink_tree(r->sink, &tree, &r->error) != 0;
}

void report_node(struct report *r, const char *path, const char *type, unsigned kind, uint32_t parent)
{
	const struct anim_node node = {.kind = (uint8_t)kind,
				       .has = ANIM_HAS_POSITION,
				       .parent = parent,
				       .position = {1, 0.5f, 0},
				       .rotation = {0, 0, 0, 1},
				       .scale = {1, 1, 1},
				       .path = path,
				       .type = type};

	r->failed = r->failed || anim_sink_node(r->sink, &node, &r->error) != 0;
}

void report_prog(struct report *r)
{
	const struct anim_attr rate = {"rate", "30"};
	const struct anim_prog prog = {"anim-resample", "1.0.0", {&rate, 1}};
	struct anim_record record;

	r->failed = r->failed || anim_encode_prog(&r->record, &prog, &r->error) != 0;
	if (r->failed)
		return;
	anim_record_at(r->record.data, 8, &record);
	r->failed = anim_sink_record(r->sink, &record, &r->error) != 0;
}

void report_unknown(struct report *r, const char *tag)
{
	static const uint8_t bytes[24] = {'a', 'b', 'c', 'd', 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0xca, 0xfe};
	struct anim_record record = {.length = 2, .bytes = bytes, .size = sizeof bytes};

	memcpy(record.tag, tag, 5);
	r->failed = r->failed || anim_sink_record(r->sink, &record, &r->error) != 0;
}
