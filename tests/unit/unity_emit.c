/* unity_emit.c: a .anim in the making. */
#include "unity_emit.h"

#include <string.h>

#include "tap.h"

void emit_start(struct unity_emit *d)
{
	*d = (struct unity_emit){
	    .clip = {.end_s = 1, .axes = ANIM_AXES_UNITY, .name = "walk", .root = ".", .source = "godot4"}};
}

static void open_sink(struct unity_emit *d)
{
	if (d->sink != NULL || d->failed)
		return;
	d->options.diagnostics = &d->diagnostics;
	d->failed = anim_output_open_memory(&d->out, &d->error) != 0 ||
		    (d->sink = anim_unity_writer_new(d->out, &d->options, &d->error)) == NULL;
}

void emit_node(struct unity_emit *d, enum anim_node_kind kind, uint32_t parent, const char *path, const char *type)
{
	const struct anim_tree tree = {.root_name = "Root", .source_file = ""};
	const struct anim_node node = {
	    .kind = (uint8_t)kind, .parent = parent, .rotation = {0, 0, 0, 1}, .path = path, .type = type};
	bool first = d->sink == NULL;

	open_sink(d);
	d->clip.flags = ANIM_IN_TREE;
	if (first && !d->failed)
		d->failed = anim_sink_tree(d->sink, &tree, &d->error) != 0;
	d->failed = d->failed || anim_sink_node(d->sink, &node, &d->error) != 0;
}

static void open_clip(struct unity_emit *d)
{
	open_sink(d);
	if (!d->in_clip)
		d->failed = d->failed || anim_sink_clip(d->sink, &d->clip, &d->error) != 0;
	d->in_clip = true;
}

void emit_track(struct unity_emit *d, const struct anim_track *track)
{
	open_clip(d);
	d->failed = d->failed || anim_sink_track(d->sink, track, &d->error) != 0;
}

const char *emit_finish(struct unity_emit *d)
{
	const uint8_t *bytes;
	size_t size;

	open_clip(d);
	d->failed = d->failed || anim_sink_end(d->sink, &d->error) != 0;
	if (!d->failed && (bytes = anim_output_memory(d->out, &size)) != NULL && size < EMIT_TEXT_MAX)
		memcpy(d->text, bytes, size);
	anim_sink_free(d->sink);
	anim_output_free(d->out);
	return d->text;
}

void emit_discard(struct unity_emit *d)
{
	anim_diagnostics_clear(&d->diagnostics);
}

void emit_check(struct unity_emit *d, const char *lines)
{
	const char *text = emit_finish(d);

	CHECKF(!d->failed, "%s", d->error.message);
	CHECKF(strstr(text, lines) != NULL, "%s", text);
	emit_discard(d);
}

void emit_check_error(struct unity_emit *d, const char *message)
{
	emit_finish(d);
	CHECK(d->failed && d->error.code == ANIM_UNSUPPORTED);
	CHECKF(strcmp(d->error.message, message) == 0, "%s", d->error.message);
	emit_discard(d);
}

const char *emit_diagnostic(const struct unity_emit *d, size_t i)
{
	static char text[700];

	text[0] = '\0';
	if (i < d->diagnostics.count)
		anim_diagnostic_print(&d->diagnostics.items[i], text, sizeof text);
	return text;
}

struct anim_track emit_make(enum anim_kind kind, enum anim_type type, const char *property, size_t n, const float *time,
			    const void *value)
{
	return (struct anim_track){.kind = kind,
				   .type = type,
				   .node = "A/Box",
				   .property = property,
				   .component = ANIM_WHOLE,
				   .interp = kind == ANIM_DISCRETE ? ANIM_HOLD : ANIM_LINEAR,
				   .n = n,
				   .time = time,
				   .value = value};
}
