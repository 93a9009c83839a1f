/* writer.c: the sink that writes clips as a .tres or .tscn of Godot's. */
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "format/godot/emit_class.h"
#include "format/godot/writer_internal.h"

#define LABEL_MAX 256u /* bytes of a track's name in a message */

#define BIT(type) ((uint64_t)1 << (type))
#define NUMBERS                                                                                                    \
	(BIT(ANIM_BOOL) | BIT(ANIM_BYTE) | BIT(ANIM_USHORT) | BIT(ANIM_UINT) | BIT(ANIM_SBYTE) | BIT(ANIM_SHORT) | \
	 BIT(ANIM_INT) | BIT(ANIM_LONG) | BIT(ANIM_FLOAT) | BIT(ANIM_DOUBLE))
#define VECTORS                                                                                           \
	(BIT(ANIM_FLOAT2) | BIT(ANIM_FLOAT3) | BIT(ANIM_FLOAT4) | BIT(ANIM_FLOATQ) | BIT(ANIM_FLOAT3X3) | \
	 BIT(ANIM_FLOAT4X4) | BIT(ANIM_COLOR) | BIT(ANIM_STRING))
#define WHOLES (BIT(ANIM_INT2) | BIT(ANIM_INT3) | BIT(ANIM_INT4))
#define MODES (1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_BEZIER_2D)

const struct anim_caps anim_godot_caps = {.format = "godot",
					  .kinds = 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					  .types = NUMBERS | VECTORS | WHOLES,
					  .interps = MODES | 1u << ANIM_CUBIC_TIME | 1u << ANIM_LINEAR_ANGLE |
						     1u << ANIM_CUBIC_ANGLE,
					  .flags = ANIM_LOOP_WRAP_KEYS | ANIM_DISABLED | ANIM_UNSORTED,
					  .rules = ANIM_RULES_GODOT4,
					  .components = true,
					  .euler = true,
					  .angle = true,
					  .ease = true,
					  .matrices = true,
					  .raw_start = true,
					  .own_flags = ANIM_DEGREES,
					  .bones = true,
					  .joined_rotations = true,
					  .source_texts = true,
					  .euler_yxz = true};

const struct anim_caps anim_godot3_caps = {.format = "godot 3",
					   .kinds = 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					   .types = NUMBERS | VECTORS,
					   .interps = MODES | 1u << ANIM_CUBIC_UNIFORM,
					   .flags = ANIM_LOOP_WRAP_KEYS | ANIM_DISABLED | ANIM_UNSORTED | ANIM_DEGREES |
						    ANIM_REST_RELATIVE,
					   .rules = ANIM_RULES_GODOT3,
					   .components = true,
					   .euler = true,
					   .angle = true,
					   .ease = true,
					   .matrices = true,
					   .raw_start = true,
					   .bones = true,
					   .joined_rotations = true,
					   .relative_bones = true,
					   .source_texts = true,
					   .euler_yxz = true};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct godot_writer *writer = (struct godot_writer *)sink;

	writer->names.own_bones = writer->names.from_godot =
	    tree->axes == ANIM_AXES_GODOT && tree->axes2d == ANIM_AXES2D_GODOT;
	if (writer->options.scene && godot_writer_tell_left(writer, tree, error) != 0)
		return -1;
	return godot_nodes_tree(&writer->nodes, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct godot_writer *writer = (struct godot_writer *)sink;
	const char *written;

	if (godot_class_is_unity(node->type)) /* a tree of Unity's that anim-axes turned */
		writer->names.from_godot = writer->names.own_bones = false;
	if (godot_nodes_add(&writer->nodes, &writer->names, node, &written, error) != 0)
		return -1;
	return writer->options.scene ? godot_writer_tell_names(writer, node->path, written, error) : 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct godot_writer *writer = (struct godot_writer *)sink;
	struct godot_written_clip written = {.autoplay = anim_attrs_get(&clip->attrs, "godot.autoplay") != NULL,
					     .scope = writer->options.losses->scope};

	written.names = (struct godot_emit_names){.godot3 = godot_emit_is_3(&writer->emit),
						  .from_godot = strncmp(clip->source, "godot", 5) == 0,
						  .own_bones = clip->source[0] == '\0',
						  .from_unity = strcmp(clip->source, "unity") == 0,
						  .keep = writer->options.keep_names};
	written.names.own_bones |= written.names.from_godot;
	written.names.from3 = written.names.from_godot && strcmp(clip->source, "godot4") != 0;
	writer->names = written.names;
	writer->axes = (enum anim_axes)clip->axes;
	writer->in_tree = (clip->flags & ANIM_IN_TREE) != 0;
	if (godot_writer_tell_clip(writer, clip, error) != 0 ||
	    godot_writer_place(writer, clip, &written, error) != 0 ||
	    anim_buffer_append(&writer->clips, &written, sizeof written, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(writer->store), clip, error);
}

/* What convert should have changed; it leaves tracks without keys as they are. */
static int check(const struct godot_writer *writer, const struct anim_track *t, const char *label,
		 struct anim_error *error)
{
	const struct anim_caps *caps = godot_emit_is_3(&writer->emit) ? &anim_godot3_caps : &anim_godot_caps;
	const char *what = NULL;

	if (t->n == 0)
		return 0;
	if (!(caps->kinds & 1u << t->kind))
		what = "of samples";
	else if (!(caps->types & BIT(t->type)))
		what = anim_types[t->type].name;
	else if (t->kind == ANIM_CURVE && t->interp == ANIM_INTERP_COLUMN)
		what = "of several modes";
	else if (t->kind == ANIM_CURVE && !(caps->interps & 1u << t->interp))
		what = anim_interp_names[t->interp];
	if (what == NULL)
		return 0;
	return anim_fail(error, ANIM_UNSUPPORTED,
			 "track '%s' is %s; %s cannot hold it: put 'anim-resample 30' before this", label, what,
			 caps->format);
}

/* What the texts of a track refer to must be known before the first line is written. */
static int gather(struct godot_writer *writer, const struct anim_track *t, const struct godot_plan *plan,
		  const char *label, struct anim_error *error)
{
	struct godot_track_emit out = {&writer->emit, &writer->names, 0, &writer->scratch, error};
	size_t bad = 0;
	int result;

	if (t->type != ANIM_STRING)
		return 0;
	writer->emit.print.error = error;
	writer->emit.gathering = true;
	if (strcmp(t->property, "@marker") == 0)
		result = godot_emit_markers(&out, t, &bad);
	else if (t->property[0] == '@')
		result = godot_emit_event_keys(&out, t, plan->type, &bad);
	else
		result = godot_emit_keys(&out, t, plan, NULL);
	writer->emit.gathering = false;
	return result != 0 || writer->emit.print.failed ? -1 : godot_writer_tell_bad(writer, bad, label, error);
}

/* Angles of Godot 2 grow the other way round. */
static bool is_turned(const struct godot_writer *writer, const struct anim_track *t)
{
	return strcmp(t->property, "transform/rot") == 0 && writer->names.from3 && !writer->names.keep;
}

static int turn(struct godot_writer *writer, const struct anim_track *t, struct anim_track *out,
		struct anim_error *error)
{
	union {
		const void *value;
		void *own;
	} column;

	if (anim_track_copy(out, t, &writer->scratch, error) != 0)
		return -1;
	column.value = out->value;
	for (size_t k = 0; k < t->n; k++)
		if (t->type == ANIM_FLOAT)
			((float *)column.own)[k] *= -1;
		else if (t->type == ANIM_DOUBLE)
			((double *)column.own)[k] *= -1;
		else if (t->type == ANIM_INT)
			((uint32_t *)column.own)[k] = -((uint32_t *)column.own)[k];
		else if (t->type == ANIM_LONG)
			((uint64_t *)column.own)[k] = -((uint64_t *)column.own)[k];
	return 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct godot_writer *writer = (struct godot_writer *)sink;
	struct godot_plan plan;
	struct anim_track turned;
	char label[LABEL_MAX];
	int told;

	anim_arena_reset(&writer->scratch);
	anim_track_label(track, label, sizeof label);
	if (is_turned(writer, track)) {
		if (turn(writer, track, &turned, error) != 0)
			return -1;
		track = &turned;
	}
	if (check(writer, track, label, error) != 0)
		return -1;
	godot_plan_track(&writer->names, track, &plan);
	if (plan.type == GODOT_TRACK_VALUE && plan.update == GODOT_CAPTURE_4 && !godot_emit_is_3(&writer->emit))
		godot_writer_clip(writer, writer->clips.size / sizeof(struct godot_written_clip) - 1)->captures = true;
	told = godot_writer_tell(writer, track, &plan, label, error);
	if (told != 0)
		return told < 0 ? -1 : 0;
	if (godot_writer_note_space(writer, track, error) != 0 || gather(writer, track, &plan, label, error) != 0 ||
	    (writer->options.scene && godot_writer_need(writer, track, &plan, error) != 0))
		return -1;
	return anim_sink_track(anim_store_sink(writer->store), track, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct godot_writer *writer = (struct godot_writer *)sink;

	if (writer->clips.size == 0)
		return anim_fail(error, ANIM_BAD_INPUT, "there is no clip to write");
	if (anim_losses_check(writer->options.losses, error) != 0)
		return -1;
	writer->emit.print.error = error;
	if (godot_writer_document(writer, error) != 0)
		return -1;
	return writer->emit.print.failed ? -1 : 0;
}

static void on_free(struct anim_sink *sink)
{
	struct godot_writer *writer = (struct godot_writer *)sink;

	anim_store_free(writer->store);
	godot_emit_clear(&writer->emit);
	anim_arena_clear(&writer->scratch);
	anim_arena_clear(&writer->kept);
	anim_buffer_clear(&writer->clips);
	godot_nodes_clear(&writer->nodes);
	anim_text_set_clear(&writer->taken);
	anim_text_set_clear(&writer->told);
	anim_map_clear(&writer->spaces);
	anim_map_clear(&writer->numbers);
	anim_map_clear(&writer->groups);
	free(writer);
}

struct anim_sink *anim_godot_writer_new(struct anim_output *out, const struct anim_write_options *options,
					struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct godot_writer *writer = calloc(1, sizeof *writer);

	if (writer == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	writer->sink.ops = &ops;
	writer->options = *options;
	writer->emit.print.out = out;
	writer->emit.version = options->version;
	writer->emit.digits = options->digits;
	writer->nodes.godot3 = options->version == ANIM_GODOT_3;
	writer->store = anim_store_new(options->store_memory, error);
	if (writer->store == NULL) {
		on_free(&writer->sink);
		return NULL;
	}
	return &writer->sink;
}
