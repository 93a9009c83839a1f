/* writer.c: the sink that prints the stream as JSON Lines. */
#include <math.h>

#include "base/print.h"
#include "clip/print.h"
#include "format/json/json.h"

struct jsonl_writer {
	struct anim_sink sink;
	struct anim_print print;
	const struct anim_diagnostics *diagnostics;
	bool began, some; /* the first line is out; a tree or a clip came */
};

static struct anim_print *begin(struct anim_sink *sink, struct anim_error *error)
{
	struct jsonl_writer *writer = (struct jsonl_writer *)sink;

	writer->print.error = error;
	if (!writer->began)
		anim_print_text(&writer->print, "{\"anim_json\":1}\n");
	writer->began = true;
	return &writer->print;
}

/*
 * JSON has no infinities and no NaN: they are strings. And -0 is a whole number to many of its readers, which then drop
 * the sign.
 */
static void print_double(struct anim_print *print, double value)
{
	const char *quote = isfinite(value) ? "" : "\"";

	anim_print_text(print, quote);
	anim_print_exact_double(print, value);
	anim_print_text(print, value == 0 && signbit(value) ? ".0" : quote);
}

static void print_float(struct anim_print *print, float value)
{
	const char *quote = isfinite(value) ? "" : "\"";

	anim_print_text(print, quote);
	anim_print_exact_float(print, value);
	anim_print_text(print, value == 0 && signbit(value) ? ".0" : quote);
}

static void floats_member(struct anim_print *print, const char *name, const float *numbers, int count)
{
	anim_print_member(print, name);
	for (int i = 0; i < count; i++) {
		anim_print_text(print, i == 0 ? "[" : ",");
		print_float(print, numbers[i]);
	}
	anim_print_text(print, "]");
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	((struct jsonl_writer *)sink)->some = true;
	anim_print_text(print, "{\"tree\":{\"root\":");
	anim_print_json_text(print, tree->root_name);
	anim_print_text_member(print, "source", tree->source_file);
	anim_print_text_member(print, "axes", anim_axes_names[tree->axes]);
	anim_print_text_member(print, "axes2d", anim_axes2d_names[tree->axes2d]);
	anim_print_attrs_member(print, &tree->attrs);
	anim_print_text(print, "}}\n");
	return print->failed ? -1 : 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	anim_print_text(print, "{\"node\":{\"path\":");
	anim_print_json_text(print, node->path);
	anim_print_text_member(print, "type", node->type);
	anim_print_text_member(print, "kind", anim_node_kind_names[node->kind]);
	anim_print_bits_member(print, "has", node->has, anim_node_has_names, ANIM_NODE_HAS_COUNT);
	anim_print_natural_member(print, "parent", node->parent != ANIM_NO_PARENT, node->parent);
	floats_member(print, "position", node->position, 3);
	floats_member(print, "rotation", node->rotation, 4);
	floats_member(print, "scale", node->scale, 3);
	anim_print_attrs_member(print, &node->attrs);
	anim_print_text(print, "}}\n");
	return print->failed ? -1 : 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	((struct jsonl_writer *)sink)->some = true;
	anim_print_text(print, "{\"clip\":{\"name\":");
	anim_print_json_text(print, clip->name);
	anim_print_text_member(print, "root", clip->root);
	anim_print_text_member(print, "source", clip->source);
	anim_print_member(print, "start");
	print_float(print, clip->start_s);
	anim_print_member(print, "end");
	print_float(print, clip->end_s);
	anim_print_text_member(print, "loop", anim_loop_names[clip->loop]);
	anim_print_text_member(print, "axes", anim_axes_names[clip->axes]);
	anim_print_text_member(print, "axes2d", anim_axes2d_names[clip->axes2d]);
	anim_print_bits_member(print, "flags", clip->flags, anim_clip_flag_names, ANIM_CLIP_FLAG_COUNT);
	anim_print_rate_member(print, clip->rate_num, clip->rate_den);
	anim_print_attrs_member(print, &clip->attrs);
	anim_print_text(print, "}}\n");
	return print->failed ? -1 : 0;
}

static void print_cell(struct anim_print *print, const struct anim_cell *cell)
{
	switch (cell->kind) {
	case ANIM_CELL_FLOAT:
		print_float(print, cell->single);
		break;
	case ANIM_CELL_DOUBLE:
		print_double(print, cell->wide);
		break;
	case ANIM_CELL_BOOL:
		anim_print_text(print, cell->natural != 0 ? "true" : "false");
		break;
	case ANIM_CELL_INTEGER:
		anim_print_int64(print, cell->whole);
		break;
	case ANIM_CELL_NATURAL:
		anim_print_uint64(print, cell->natural);
		break;
	case ANIM_CELL_WORD:
		anim_print_json_text(print, cell->text);
		break;
	case ANIM_CELL_TEXT:
		if (cell->text == NULL)
			anim_print_text(print, "null");
		else
			anim_print_json(print, cell->text, cell->length);
	}
}

/* What the column holds of key k: one value, or an array of the components where there are several. */
static void print_element(struct anim_print *print, const struct anim_track *track, enum anim_column column, size_t k)
{
	unsigned components = anim_cell_components(track, column);

	anim_print_text(print, components > 1 ? "[" : "");
	for (unsigned component = 0; component < components; component++) {
		struct anim_cell cell = anim_cell_at(track, column, k, component);

		anim_print_text(print, component > 0 ? "," : "");
		print_cell(print, &cell);
	}
	anim_print_text(print, components > 1 ? "]" : "");
}

static void print_columns(struct anim_print *print, const struct anim_track *track)
{
	unsigned present = anim_track_columns(track);
	const char *between = "";

	anim_print_member(print, "columns");
	anim_print_text(print, "{");
	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++) {
		if ((present >> i & 1) == 0)
			continue;
		anim_print_text(print, between);
		anim_print_json_text(print, anim_column_names[i]);
		anim_print_text(print, ":[");
		for (size_t k = 0; k < track->n && !print->failed; k++) {
			anim_print_text(print, k > 0 ? "," : "");
			print_element(print, track, (enum anim_column)i, k);
		}
		anim_print_text(print, "]");
		between = ",";
	}
	anim_print_text(print, "}");
}

static void raw_members(struct anim_print *print, const struct anim_track *track)
{
	if (track->kind != ANIM_RAW)
		return;
	anim_print_member(print, "start");
	print_double(print, track->start_s);
	anim_print_member(print, "step");
	print_double(print, track->step_s);
	anim_print_rate_member(print, track->rate_num, track->rate_den);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct anim_print *print = begin(sink, error);

	anim_print_text(print, "{\"track\":{");
	anim_print_track_members(print, track);
	anim_print_text_member(print, "rules", anim_rules_names[track->rules]);
	anim_print_bits_member(print, "flags", track->flags, anim_track_flag_names, ANIM_TRACK_FLAG_COUNT);
	anim_print_text_member(print, "before", anim_extrapolation_names[track->pre]);
	anim_print_text_member(print, "after", anim_extrapolation_names[track->post]);
	anim_print_text_member(print, "interp",
			       track->interp == ANIM_INTERP_COLUMN ? NULL : anim_interp_names[track->interp]);
	anim_print_count_member(print, "keys", track->n);
	raw_members(print, track);
	anim_print_attrs_member(print, &track->attrs);
	print_columns(print, track);
	anim_print_text(print, "}}\n");
	return print->failed ? -1 : 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct jsonl_writer *writer = (struct jsonl_writer *)sink;

	if (!writer->some)
		return anim_fail(error, ANIM_BAD_INPUT, "there is no clip to write");
	if (anim_diagnostics_check(writer->diagnostics, error) != 0)
		return -1;
	writer->print.error = error;
	anim_print_text(&writer->print, "{\"end\":true}\n");
	return writer->print.failed ? -1 : 0;
}

struct anim_sink *anim_json_writer_new(struct anim_output *out, const struct anim_diagnostics *diagnostics,
				       struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end};
	struct jsonl_writer *writer = anim_sink_new(sizeof *writer, &ops, error);

	if (writer == NULL)
		return NULL;
	writer->print.out = out;
	writer->diagnostics = diagnostics;
	return &writer->sink;
}
