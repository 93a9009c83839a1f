/* writer.c: the sink that writes one clip as an AnimJ document. */
#include "format/animj/writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_MAX 256u /* bytes of a track's name in a message */

#define BIT(type) ((uint64_t)1 << (type))
#define MATRICES                                                                                                    \
	(BIT(ANIM_FLOAT2X2) | BIT(ANIM_FLOAT3X3) | BIT(ANIM_FLOAT4X4) | BIT(ANIM_DOUBLE2X2) | BIT(ANIM_DOUBLE3X3) | \
	 BIT(ANIM_DOUBLE4X4))

/* Raw tracks that begin elsewhere become keys here, for their times are the writer's to shift. */
const struct anim_caps anim_animj_caps = {
    .format = "animj",
    .kinds = 1u << ANIM_RAW | 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
    .types = (BIT(ANIM_TYPE_COUNT) - 1) & ~MATRICES,
    .interps = 1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_TANGENT | 1u << ANIM_CUBIC_BEZIER,
    .rules = ANIM_RULES_RESONITE,
    .mixed_interps = true,
    .raw_start = true,
    .continuous_rotations = true,
};

static int keep_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct animj_writer *writer = (struct animj_writer *)sink;

	return writer->in_clip ? 0 : anim_resonite_target_tree(&writer->target, tree, error);
}

/* The document up to the first track. A clip of length 0 gets its duration behind the tracks: keys may go on past it. */
static int begin_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct animj_writer *writer = (struct animj_writer *)sink;
	struct anim_print print = {.out = writer->out, .error = error};
	float length_s = (float)((double)clip->end_s - (double)clip->start_s);
	const char *line = writer->options.pretty ? ",\n\t" : ",", *colon = writer->options.pretty ? ": " : ":";

	if (writer->in_clip)
		return anim_fail(error, ANIM_UNSUPPORTED, "animj holds one clip; '%s' is a second one", clip->name);
	if (!isfinite(length_s))
		return anim_fail(error, ANIM_UNSUPPORTED, "clip '%s' is too long for animj", clip->name);
	if (anim_resonite_target_clip(&writer->target, clip, error) != 0)
		return -1;
	writer->clip = (struct animj_clip){.start_s = clip->start_s,
					   .end_s = clip->end_s,
					   .loop = (enum anim_loop)clip->loop,
					   .from_godot = strncmp(clip->source, "godot", 5) == 0};
	writer->in_clip = true;
	writer->has_duration = length_s > 0;
	anim_print_text(&print, writer->options.pretty ? "{\n\t\"name\": " : "{\"name\":");
	anim_print_json_text(&print, clip->name);
	anim_print_text(&print, line);
	if (writer->has_duration) {
		anim_print_text(&print, "\"globalDuration\"");
		anim_print_text(&print, colon);
		anim_print_float(&print, length_s);
		anim_print_text(&print, line);
	}
	anim_print_text(&print, "\"tracks\"");
	anim_print_text(&print, colon);
	anim_print_text(&print, "[");
	return print.failed ? -1 : 0;
}

/* Warns of a track that has no place in AnimJ. 1: left out, 0: it stays, -1. */
static int leave_out(struct animj_writer *writer, const struct anim_track *t, const char *label,
		     struct anim_error *error)
{
	int result = anim_resonite_target_leaves_out(&writer->target, t, label, error);

	if (result != 0 || !anim_types[t->type].matrix)
		return result;
	result = anim_losses_add(
	    writer->options.losses, ANIM_WARNING, NULL, "tracks of matrices, which animj cannot hold, are left out",
	    error, "track '%s' is %s, which animj cannot hold, and left out", label, anim_types[t->type].name);
	return result != 0 ? -1 : 1;
}

static int print_head(struct animj_writer *writer, const struct animj_track *track, struct anim_error *error)
{
	static const char *const compact[] = {"\n{\"trackType\":\"", "\",\"valueType\":\"", "\",\"data\":{\"node\":",
					      ",\"property\":",      ",\"interval\":",      ",\"keyframes\":["};
	static const char *const pretty[] = {"\n\t\t{\n\t\t\t\"trackType\": \"",
					     "\",\n\t\t\t\"valueType\": \"",
					     "\",\n\t\t\t\"data\": {\n\t\t\t\t\"node\": ",
					     ",\n\t\t\t\t\"property\": ",
					     ",\n\t\t\t\t\"interval\": ",
					     ",\n\t\t\t\t\"keyframes\": [\n\t\t\t\t\t"};
	const char *const *part = writer->options.pretty ? pretty : compact;
	struct anim_print print = {.out = writer->out, .error = error};

	if (writer->tracks > 0)
		anim_print_text(&print, ",");
	anim_print_text(&print, part[0]);
	anim_print_text(&print, anim_kind_names[track->track.kind]);
	anim_print_text(&print, part[1]);
	anim_print_text(&print, anim_types[track->track.type].name);
	anim_print_text(&print, part[2]);
	anim_print_json_text(&print, track->node);
	anim_print_text(&print, part[3]);
	anim_print_json_text(&print, track->property);
	if (track->has_interval) {
		anim_print_text(&print, part[4]);
		anim_print_float(&print, track->interval_s);
	}
	anim_print_text(&print, part[5]);
	return print.failed ? -1 : 0;
}

static int print_track(struct animj_writer *writer, const struct animj_track *track, struct anim_error *error)
{
	struct anim_print print = {.out = writer->out, .error = error};

	if (print_head(writer, track, error) != 0 || animj_keys(writer, track, error) != 0)
		return -1;
	anim_print_text(&print, writer->options.pretty ? "\n\t\t\t\t]\n\t\t\t}\n\t\t}" : "]}}");
	writer->tracks++;
	return print.failed ? -1 : 0;
}

static int write_track(struct anim_sink *sink, const struct anim_track *source, struct anim_error *error)
{
	struct animj_writer *writer = (struct animj_writer *)sink;
	char label[LABEL_MAX];
	struct animj_track track = {.track = *source, .label = label};
	int left_out;

	anim_arena_reset(&writer->scratch);
	anim_track_label(source, label, sizeof label);
	track.track.record = NULL;
	if ((left_out = leave_out(writer, source, label, error)) != 0)
		return left_out < 0 ? -1 : 0;
	if (animj_modes(writer, &track, error) != 0 || animj_timing(writer, &track, error) != 0 ||
	    animj_values(writer, &track, error) != 0 ||
	    anim_resonite_target_track(&writer->target, source, track.track.type, label, &track.node, &track.property,
				       &writer->scratch, error) != 0)
		return -1;
	return print_track(writer, &track, error);
}

static int end(struct anim_sink *sink, struct anim_error *error)
{
	struct animj_writer *writer = (struct animj_writer *)sink;
	struct anim_print print = {.out = writer->out, .error = error};
	bool pretty = writer->options.pretty, some = writer->tracks > 0;

	if (!writer->in_clip)
		return anim_fail(error, ANIM_BAD_INPUT, "there is no clip to write");
	if (anim_losses_check(writer->options.losses, error) != 0)
		return -1;
	if (some)
		anim_print_text(&print, pretty ? "\n\t" : "\n");
	anim_print_text(&print, "]");
	if (!writer->has_duration) {
		anim_print_text(&print, pretty ? ",\n\t\"globalDuration\": " : ",\"globalDuration\":");
		anim_print_float(&print, writer->last_s);
	}
	anim_print_text(&print, pretty ? "\n}\n" : "}\n");
	return print.failed ? -1 : 0;
}

static void free_writer(struct anim_sink *sink)
{
	struct animj_writer *writer = (struct animj_writer *)sink;

	anim_resonite_target_clear(&writer->target);
	animj_times_clear(&writer->times);
	anim_arena_clear(&writer->scratch);
	free(writer);
}

struct anim_sink *anim_animj_writer_new(struct anim_output *out, const struct anim_write_options *options,
					struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = keep_tree, .clip = begin_clip, .track = write_track, .end = end, .free = free_writer};
	struct animj_writer *writer = calloc(1, sizeof *writer);

	if (writer == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	writer->sink.ops = &ops;
	writer->options = *options;
	writer->out = out;
	writer->target = (struct anim_resonite_target){.format = "animj",
						       .losses = options->losses,
						       .source_names = options->source_names,
						       .axes_keep = options->axes_keep};
	return &writer->sink;
}
