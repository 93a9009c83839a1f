/* writer.c: the sink that writes one clip as a .anim of Unity's. */
#include "format/unity/writer.h"

#include <stdlib.h>
#include <string.h>

#include "format/unity/writer_internal.h"

#define LABEL_MAX 256u /* bytes of a track's name in a message */

#define BIT(type) ((uint64_t)1 << (type))
#define TYPES                                                                                          \
	(BIT(ANIM_FLOAT) | BIT(ANIM_FLOAT2) | BIT(ANIM_FLOAT3) | BIT(ANIM_FLOAT4) | BIT(ANIM_FLOATQ) | \
	 BIT(ANIM_COLOR) | BIT(ANIM_STRING))
#define MODES (1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE | 1u << ANIM_WEIGHTED)

/* Keys out of order are Unity's own where they come this far: as it reads them, it plays them. */
const struct anim_caps anim_unity_caps = {.format = "unity",
					  .source_texts = true,
					  .kinds = 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					  .types = TYPES,
					  .interps = MODES,
					  .flags = ANIM_DEGREES | ANIM_PERCENT | ANIM_UNSORTED,
					  .rules = ANIM_RULES_UNITY,
					  .mixed_interps = true,
					  .components = true,
					  .euler = true,
					  .angle = true,
					  .ends = true,
					  .negative_times = true,
					  .whole_transforms = true,
					  .continuous_rotations = true};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct unity_writer *writer = (struct unity_writer *)sink;

	(void)tree;
	(void)error;
	if (!writer->in_clip)
		unity_target_tree(&writer->target);
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct unity_writer *writer = (struct unity_writer *)sink;

	return writer->in_clip ? 0 : unity_target_node(&writer->target, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct unity_writer *writer = (struct unity_writer *)sink;

	if (writer->in_clip)
		return anim_fail(error, ANIM_UNSUPPORTED, "unity's .anim holds one clip; '%s' is a second one",
				 clip->name);
	writer->in_clip = true;
	writer->is_unity = strcmp(clip->source, "unity") == 0;
	if (unity_target_clip(&writer->target, clip, error) != 0 || unity_tell_clip(writer, clip, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(writer->store), clip, error);
}

/* What convert should have changed. */
static int check(const struct anim_track *t, const char *label, struct anim_error *error)
{
	const char *what = NULL;

	if (!(anim_unity_caps.kinds & 1u << t->kind))
		what = "of samples";
	else if (!(anim_unity_caps.types & BIT(t->type)))
		what = anim_types[t->type].name;
	else if (t->ease != NULL)
		what = "eased";
	for (int mode = 0; mode < ANIM_INTERP_COUNT && t->kind == ANIM_CURVE && what == NULL; mode++)
		if (!(MODES & 1u << mode) && anim_track_has_interp(t, (enum anim_interp)mode))
			what = anim_interp_names[mode];
	if (what == NULL)
		return 0;
	return anim_fail(error, ANIM_UNSUPPORTED,
			 "track '%s' is %s; unity cannot hold it: put 'anim-resample "
			 "30' before this",
			 label, what);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct unity_writer *writer = (struct unity_writer *)sink;
	struct unity_plan plan = {UNITY_NO_LIST, NULL, NULL, -1};
	char label[LABEL_MAX];
	int planned;

	anim_arena_reset(&writer->scratch);
	anim_track_label(track, label, sizeof label);
	planned = unity_tell_left_out(writer, track, label, error);
	if (planned != 0)
		return planned < 0 ? -1 : 0;
	if (check(track, label, error) != 0)
		return -1;
	planned = unity_plan_track(writer, track, label, &plan, error);
	if (planned <= 0)
		return planned;
	if (plan.list == UNITY_EVENTS)
		return unity_events_add(writer, track, label, error);
	if (unity_tell_axes(writer, track, label, error) != 0 ||
	    anim_buffer_append(&writer->plans, &plan, sizeof plan, error) != 0)
		return -1;
	return anim_sink_track(anim_store_sink(writer->store), track, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct unity_writer *writer = (struct unity_writer *)sink;

	if (!writer->in_clip)
		return anim_fail(error, ANIM_BAD_INPUT, "there is no clip to write");
	if (anim_losses_check(writer->options.losses, error) != 0)
		return -1;
	return unity_document_print(writer, error);
}

static void on_free(struct anim_sink *sink)
{
	struct unity_writer *writer = (struct unity_writer *)sink;

	anim_store_free(writer->store);
	unity_target_clear(&writer->target);
	anim_arena_clear(&writer->kept);
	anim_arena_clear(&writer->scratch);
	anim_buffer_clear(&writer->plans);
	anim_buffer_clear(&writer->bindings);
	anim_buffer_clear(&writer->mapping);
	anim_buffer_clear(&writer->events);
	anim_buffer_clear(&writer->event_texts);
	anim_text_set_clear(&writer->curves);
	anim_text_set_clear(&writer->references);
	free(writer);
}

struct anim_sink *anim_unity_writer_new(struct anim_output *out, const struct anim_unity_options *options,
					struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct unity_writer *writer = calloc(1, sizeof *writer);

	if (writer == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	writer->sink.ops = &ops;
	writer->options = *options;
	writer->out = out;
	writer->store = anim_store_new(options->store_memory, error);
	if (writer->store == NULL) {
		on_free(&writer->sink);
		return NULL;
	}
	return &writer->sink;
}
