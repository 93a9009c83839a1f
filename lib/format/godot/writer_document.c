/* writer_document.c: the file: its head, the resources it refers to, Animations, and what holds them. */
#include <string.h>

#include "base/input.h"
#include "base/number.h"
#include "format/godot/writer_internal.h"

#define LENGTH_DEFAULT_S 1.0f
#define LENGTH_MIN_S 0.001f

static void emit_setting(struct godot_emit *emit, const char *name)
{
	godot_emit_text(emit, name);
	godot_emit_text(emit, " = ");
}

static void emit_length(struct godot_emit *emit, const struct anim_clip *clip)
{
	float length = (float)((double)clip->end_s - (double)clip->start_s);

	if (!(length >= LENGTH_MIN_S))
		length = LENGTH_MIN_S;
	if (length == LENGTH_DEFAULT_S)
		return;
	emit_setting(emit, "length");
	godot_emit_float(emit, (double)length, true);
	godot_emit_text(emit, "\n");
}

static void emit_loop(struct godot_emit *emit, const struct anim_clip *clip)
{
	if (clip->loop == ANIM_LOOP_NONE)
		return;
	if (godot_emit_is_3(emit)) {
		godot_emit_text(emit, "loop = true\n");
		return;
	}
	emit_setting(emit, "loop_mode");
	godot_emit_number(emit, clip->loop);
	godot_emit_text(emit, "\n");
}

/* The editor's snapping, a number as the reader printed it. */
static void emit_step(struct godot_emit *emit, const struct anim_clip *clip)
{
	const char *step = anim_attrs_get(&clip->attrs, "godot.step");
	size_t length = step == NULL ? 0 : strlen(step);
	char copy[ANIM_NUMBER_MAX + ANIM_INPUT_SLACK] = {0};
	float value;

	if (length == 0 || length > ANIM_NUMBER_MAX)
		return;
	memcpy(copy, step, length);
	if (anim_number_float(copy, copy + length, &value) != copy + length)
		return;
	emit_setting(emit, "step");
	godot_emit_float(emit, (double)value, true);
	godot_emit_text(emit, "\n");
}

/* A clip of Godot's has the name that its file gave it, if any; others keep theirs here. */
static void emit_name(struct godot_writer *writer, const struct anim_clip *clip, size_t number)
{
	const char *own = anim_attrs_get(&clip->attrs, "godot.resource_name");
	const char *name = godot_writer_clip(writer, number)->names.from_godot ? own : clip->name;

	if (name == NULL || name[0] == '\0')
		return;
	emit_setting(&writer->emit, "resource_name");
	godot_emit_quoted(&writer->emit, name, strlen(name), true);
	godot_emit_text(&writer->emit, "\n");
}

int godot_writer_animation(struct godot_writer *writer, size_t clip, struct anim_error *error)
{
	const struct anim_clip *head = anim_store_clip(writer->store, clip);

	emit_name(writer, head, clip);
	emit_length(&writer->emit, head);
	emit_loop(&writer->emit, head);
	emit_step(&writer->emit, head);
	if (godot_writer_clip(writer, clip)->captures && writer->emit.version != ANIM_GODOT_4_2)
		godot_emit_text(&writer->emit, "capture_included = true\n");
	return godot_writer_tracks(writer, clip, error);
}

/* load_steps counts the resources and the file itself; Godot 4.6 left it out. */
static void emit_head(struct godot_writer *writer, const char *type, size_t subs)
{
	struct godot_emit *emit = &writer->emit;
	size_t externals = emit->externals.items.size / sizeof(struct godot_emit_external),
	       steps = externals + subs + 1;

	godot_emit_text(emit, writer->options.scene ? "[gd_scene" : "[gd_resource type=\"");
	if (!writer->options.scene) {
		godot_emit_text(emit, type);
		godot_emit_text(emit, "\"");
	}
	if (steps > 1 && emit->version != ANIM_GODOT_4_6) {
		godot_emit_text(emit, " load_steps=");
		godot_emit_number(emit, steps);
	}
	godot_emit_text(emit, " format=");
	godot_emit_text(emit, godot_emit_is_3(emit) ? "2" : emit->needs_format4 ? "4" : "3");
	godot_emit_text(emit, "]\n\n");
	godot_emit_external_tags(emit);
}

static void emit_sub_tag(struct godot_emit *emit, const char *type, size_t number)
{
	godot_emit_text(emit, "[sub_resource type=\"");
	godot_emit_text(emit, type);
	godot_emit_text(emit, "\" id=");
	godot_emit_sub_id(emit, type, number);
	godot_emit_text(emit, "]\n");
}

/* One clip's Animation as a sub_resource; its number is its place among them, from 1. */
static int emit_sub(struct godot_writer *writer, size_t clip, size_t number, struct anim_error *error)
{
	emit_sub_tag(&writer->emit, "Animation", number);
	if (godot_writer_animation(writer, clip, error) != 0)
		return -1;
	godot_emit_text(&writer->emit, "\n");
	return 0;
}

/* _data of a library: the clips order[from] .. order[to - 1]. */
static void emit_data(struct godot_writer *writer, const uint32_t *order, size_t from, size_t to)
{
	struct godot_emit *emit = &writer->emit;

	godot_emit_text(emit, "_data = {\n");
	for (size_t i = from; i < to; i++) {
		godot_emit_key(emit, godot_writer_clip(writer, order[i])->name);
		godot_emit_text(emit, ": ");
		godot_emit_sub(emit, "Animation", i + 1);
		godot_emit_text(emit, i + 1 < to ? ",\n" : "\n}\n");
	}
}

static int emit_resource(struct godot_writer *writer, const uint32_t *order, size_t count, struct anim_error *error)
{
	bool library = writer->options.library || count > 1;

	emit_head(writer, library ? "AnimationLibrary" : "Animation", library ? count : 0);
	for (size_t i = 0; library && i < count; i++)
		if (emit_sub(writer, order[i], i + 1, error) != 0)
			return -1;
	godot_emit_text(&writer->emit, "[resource]\n");
	if (!library)
		return godot_writer_animation(writer, 0, error);
	emit_data(writer, order, 0, count);
	return 0;
}

/* Behind the clips of order[from]'s player and library. */
static size_t library_end(const struct godot_writer *writer, const uint32_t *order, size_t from, size_t count)
{
	uint32_t library = godot_writer_clip(writer, order[from])->library_number;
	size_t to = from + 1;

	while (to < count && godot_writer_clip(writer, order[to])->library_number == library)
		to++;
	return to;
}

static size_t count_libraries(const struct godot_writer *writer, const uint32_t *order, size_t count)
{
	size_t libraries = 0;

	for (size_t i = 0; i < count; i = library_end(writer, order, i, count))
		libraries++;
	return libraries;
}

static int emit_scene(struct godot_writer *writer, const uint32_t *order, size_t count, struct anim_error *error)
{
	bool old = godot_emit_is_3(&writer->emit);
	size_t libraries = old ? 0 : count_libraries(writer, order, count), number = 0;

	emit_head(writer, NULL, count + libraries + godot_writer_count_meshes(writer, count));
	godot_writer_meshes(writer);
	for (size_t from = 0, to; from < count; from = to) {
		to = library_end(writer, order, from, count);
		for (size_t i = from; i < to; i++)
			if (emit_sub(writer, order[i], i + 1, error) != 0)
				return -1;
		if (old)
			continue;
		emit_sub_tag(&writer->emit, "AnimationLibrary", ++number);
		emit_data(writer, order, from, to);
		godot_emit_text(&writer->emit, "\n");
	}
	return godot_writer_nodes(writer, order, count, error);
}

int godot_writer_document(struct godot_writer *writer, struct anim_error *error)
{
	size_t count;
	uint32_t *order = godot_writer_order(writer, &count, error);

	if (order == NULL)
		return -1;
	return writer->options.scene ? emit_scene(writer, order, count, error)
				     : emit_resource(writer, order, count, error);
}
