/* animj_document.c: an AnimJ document in the making. */
#include "animj_document.h"

#include <string.h>

#include "tap.h"

const float animj_two_times[2] = {0, 0.5f};

void animj_start(struct animj_document *d)
{
	*d = (struct animj_document){.clip = {.end_s = 1,
					      .axes = ANIM_AXES_RESONITE,
					      .axes2d = ANIM_AXES2D_GODOT,
					      .name = "walk",
					      .root = ".",
					      .source = "godot4"}};
}

void animj_document_open(struct animj_document *d)
{
	struct anim_tree tree = {.root_name = d->root_name, .source_file = ""};

	if (d->sink != NULL || d->failed)
		return;
	d->options.diagnostics = &d->diagnostics;
	d->failed = anim_output_open_memory(&d->out, &d->error) != 0 ||
		    (d->sink = anim_animj_writer_new(d->out, &d->options, &d->error)) == NULL;
	if (!d->failed && d->root_name != NULL) {
		d->clip.flags = ANIM_IN_TREE;
		d->failed = anim_sink_tree(d->sink, &tree, &d->error) != 0;
	}
	d->failed = d->failed || anim_sink_clip(d->sink, &d->clip, &d->error) != 0;
}

void animj_add(struct animj_document *d, const struct anim_track *track)
{
	animj_document_open(d);
	d->failed = d->failed || anim_sink_track(d->sink, track, &d->error) != 0;
}

const char *animj_finish(struct animj_document *d)
{
	const uint8_t *bytes;
	size_t size;

	animj_document_open(d);
	d->failed = d->failed || anim_sink_end(d->sink, &d->error) != 0;
	if (!d->failed && (bytes = anim_output_memory(d->out, &size)) != NULL && size < ANIMJ_TEXT_MAX)
		memcpy(d->text, bytes, size);
	anim_sink_free(d->sink);
	anim_output_free(d->out);
	return d->text;
}

void animj_discard(struct animj_document *d)
{
	anim_diagnostics_clear(&d->diagnostics);
}

void animj_check_keys(struct animj_document *d, const char *keys)
{
	const char *text = animj_finish(d), *from = strstr(text, "\"keyframes\":["), *to = strstr(text, "]}}\n]}\n");

	CHECKF(!d->failed, "%s", d->error.message);
	if (CHECK(from != NULL && to != NULL)) {
		from += strlen("\"keyframes\":[");
		CHECKF((size_t)(to - from) == strlen(keys) && memcmp(from, keys, strlen(keys)) == 0, "%s", text);
	}
	animj_discard(d);
}

void animj_check_error(struct animj_document *d, const char *message)
{
	animj_finish(d);
	CHECK(d->failed && d->error.code == ANIM_UNSUPPORTED);
	CHECKF(strcmp(d->error.message, message) == 0, "%s", d->error.message);
	animj_discard(d);
}

const char *animj_diagnostic(const struct animj_document *d, size_t i)
{
	static char text[700];

	text[0] = '\0';
	if (i < d->diagnostics.count)
		anim_diagnostic_print(&d->diagnostics.items[i], text, sizeof text);
	return text;
}

struct anim_track animj_make(enum anim_kind kind, enum anim_type type, const char *property, size_t n,
			     const float *time, const void *value)
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
