/* dump.c: the sink of anim-dump: each record as lines of exact text. */
#include "filter/dump/dump.h"

#include <stdlib.h>
#include <string.h>

#include "filter/dump/text.h"
#include "stream/record.h"

struct dump {
	struct anim_sink sink;
	struct anim_print print;
	struct anim_arena scratch;
	bool began;
};

/* The sink's printer for this call, behind the line that begins the text. */
static struct anim_print *begin(struct anim_sink *sink, struct anim_error *error)
{
	struct dump *dump = (struct dump *)sink;

	dump->print.error = error;
	if (!dump->began)
		anim_print_text(&dump->print, "anim-dump 1\n");
	dump->began = true;
	anim_arena_reset(&dump->scratch);
	return &dump->print;
}

static void dump_floats(struct anim_print *print, const char *name, const float *numbers, int count)
{
	dump_name(print, name);
	for (int i = 0; i < count; i++) {
		anim_print_text(print, i > 0 ? "," : "");
		anim_print_exact_float(print, numbers[i]);
	}
}

static void dump_rate(struct anim_print *print, uint32_t num, uint32_t den)
{
	dump_count(print, "rate", num);
	anim_print_text(print, "/");
	anim_print_uint64(print, den);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	anim_print_text(print, "tree");
	dump_text(print, "root", tree->root_name);
	dump_text(print, "source", tree->source_file);
	dump_word(print, "axes", anim_axes_names[tree->axes]);
	dump_word(print, "axes2d", anim_axes2d_names[tree->axes2d]);
	anim_print_text(print, "\n");
	dump_attrs(print, &tree->attrs);
	return print->failed ? -1 : 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	anim_print_text(print, "node");
	dump_text(print, "path", node->path);
	dump_text(print, "type", node->type);
	dump_word(print, "kind", anim_node_kind_names[node->kind]);
	dump_bits(print, "has", node->has, anim_node_has_names, ANIM_NODE_HAS_COUNT);
	if (node->parent == ANIM_NO_PARENT)
		dump_word(print, "parent", "-");
	else
		dump_count(print, "parent", node->parent);
	dump_floats(print, "position", node->position, 3);
	dump_floats(print, "rotation", node->rotation, 4);
	dump_floats(print, "scale", node->scale, 3);
	anim_print_text(print, "\n");
	dump_attrs(print, &node->attrs);
	return print->failed ? -1 : 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	anim_print_text(print, "clip");
	dump_text(print, "name", clip->name);
	dump_text(print, "root", clip->root);
	dump_text(print, "source", clip->source);
	dump_floats(print, "start", &clip->start_s, 1);
	dump_floats(print, "end", &clip->end_s, 1);
	dump_word(print, "loop", anim_loop_names[clip->loop]);
	dump_word(print, "axes", anim_axes_names[clip->axes]);
	dump_word(print, "axes2d", anim_axes2d_names[clip->axes2d]);
	dump_bits(print, "flags", clip->flags, anim_clip_flag_names, ANIM_CLIP_FLAG_COUNT);
	dump_rate(print, clip->rate_num, clip->rate_den);
	anim_print_text(print, "\n");
	dump_attrs(print, &clip->attrs);
	return print->failed ? -1 : 0;
}

static void dump_head(struct anim_print *print, const struct anim_track *track)
{
	bool by_key = track->interp == ANIM_INTERP_COLUMN;

	anim_print_text(print, "track");
	dump_text(print, "node", track->node);
	dump_text(print, "property", track->property);
	if (track->component == ANIM_WHOLE)
		dump_word(print, "component", "-");
	else
		dump_count(print, "component", track->component);
	dump_word(print, "kind", anim_kind_names[track->kind]);
	dump_word(print, "type", anim_types[track->type].name);
	dump_word(print, "rules", anim_rules_names[track->rules]);
	dump_bits(print, "flags", track->flags, anim_track_flag_names, ANIM_TRACK_FLAG_COUNT);
	dump_word(print, "before", anim_ends_names[track->before]);
	dump_word(print, "after", anim_ends_names[track->after]);
	dump_word(print, "interp", by_key ? "column" : anim_interp_names[track->interp]);
	dump_count(print, "keys", track->n);
	if (track->kind == ANIM_RAW) {
		dump_name(print, "start");
		anim_print_exact_double(print, track->start_s);
		dump_name(print, "step");
		anim_print_exact_double(print, track->step_s);
		dump_rate(print, track->rate_num, track->rate_den);
	}
	anim_print_text(print, "\n");
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct dump *dump = (struct dump *)sink;
	struct anim_print *print = begin(sink, error);

	dump_head(print, track);
	dump_attrs(print, &track->attrs);
	if (dump_layout(print, track, &dump->scratch, error) != 0)
		return -1;
	return dump_columns(print, track);
}

static int on_prog(struct dump *dump, const struct anim_record *record, struct anim_error *error)
{
	struct anim_print *print = &dump->print;
	struct anim_prog prog;

	if (anim_record_prog(record, &prog, &dump->scratch, error) != 0)
		return -1;
	anim_print_text(print, "prog");
	dump_text(print, "program", prog.program);
	dump_text(print, "version", prog.version);
	anim_print_text(print, "\n");
	dump_attrs(print, &prog.attrs);
	return print->failed ? -1 : 0;
}

/* Records that are not known, and the index of an archive: as bytes. */
static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	if (strcmp(record->tag, "prog") == 0)
		return on_prog((struct dump *)sink, record, error);
	anim_print_text(print, "record");
	dump_text(print, "tag", record->tag);
	dump_count(print, "bytes", record->length);
	anim_print_text(print, "\n");
	dump_bytes(print, "\t", record->bytes + ANIM_RECORD_HEAD, (size_t)record->length);
	return print->failed ? -1 : 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	anim_print_text(print, "end\n");
	return print->failed ? -1 : 0;
}

static void free_dump(struct anim_sink *sink)
{
	struct dump *dump = (struct dump *)sink;

	anim_arena_clear(&dump->scratch);
	free(dump);
}

struct anim_sink *anim_dump_new(struct anim_output *out, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, free_dump};
	struct dump *dump = calloc(1, sizeof *dump);

	if (dump == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	dump->sink.ops = &ops;
	dump->print.out = out;
	return &dump->sink;
}
