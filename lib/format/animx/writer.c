/* writer.c: the sink that writes one clip as an AnimX file. */
#include "format/animx/writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/animx/keys.h"

#define LABEL_MAX 256u /* bytes of a track's name in a message */

#define MODES (1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_TANGENT | 1u << ANIM_CUBIC_BEZIER)
#define ALL_TYPES (((uint64_t)1 << ANIM_TYPE_COUNT) - 1)

/* Raw tracks that begin elsewhere become keys here, for their times are the writer's to shift. */
const struct anim_caps anim_animx_caps = {.format = "animx",
					  .kinds = 1u << ANIM_RAW | 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					  .types = ALL_TYPES,
					  .interps = MODES,
					  .rules = ANIM_RULES_RESONITE,
					  .mixed_interps = true,
					  .matrices = true,
					  .raw_start = true,
					  .continuous_rotations = true};

static int keep_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct animx_writer *writer = (struct animx_writer *)sink;

	return writer->in_clip ? 0 : anim_resonite_target_tree(&writer->target, tree, error);
}

static int begin_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct animx_writer *writer = (struct animx_writer *)sink;

	if (writer->in_clip)
		return anim_fail(error, ANIM_UNSUPPORTED, "animx holds one clip; '%s' is a second one", clip->name);
	if (!isfinite((float)((double)clip->end_s - (double)clip->start_s)))
		return anim_fail(error, ANIM_UNSUPPORTED, "clip '%s' is too long for animx", clip->name);
	writer->in_clip = true;
	writer->start_s = clip->start_s;
	writer->end_s = clip->end_s;
	writer->from_godot = strncmp(clip->source, "godot", 5) == 0;
	if (anim_resonite_target_clip(&writer->target, clip, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(writer->store), clip, error);
}

static bool is_mixed(const struct anim_track *t)
{
	for (size_t k = 1; t->interp == ANIM_INTERP_COLUMN && k < t->n; k++)
		if (t->interps[k] != t->interps[0])
			return true;
	return false;
}

/* In which order the track's keys could be read. 0 or -1. */
static int find_orders(struct animx_writer *writer, const struct anim_track *t, bool *time_first, bool *value_first,
		       struct anim_error *error)
{
	size_t size = anim_types[t->type].size, bytes;
	uint8_t *pairs;

	*time_first = *value_first = true;
	if (t->type == ANIM_STRING)
		return 0;
	if (anim_size_multiply(t->n, size + sizeof *t->time, &bytes, error) != 0)
		return -1;
	pairs = anim_arena_alloc(&writer->scratch, bytes, error);
	if (pairs == NULL)
		return -1;
	animx_join(pairs, t->n, sizeof *t->time, size, t->time, t->value);
	animx_key_orders(t->type, pairs, t->n, time_first, value_first);
	return 0;
}

/* Follows what a reader makes of the order of the Curve keys, up to the track that settles it. 0 or -1. */
static int follow_order(struct animx_writer *writer, const struct anim_track *t, struct anim_error *error)
{
	bool time_first, value_first;

	if (t->kind != ANIM_CURVE || writer->settled || writer->options.key_order == ANIM_ANIMX_VALUE_TIME)
		return 0;
	if (find_orders(writer, t, &time_first, &value_first, error) != 0)
		return -1;
	if (!writer->has_candidate && !is_mixed(t)) {
		writer->has_candidate = true;
		writer->candidate = anim_store_tracks(writer->store, 0);
	}
	writer->settled = !(time_first && value_first);
	writer->needs_mark = !time_first || value_first;
	return 0;
}

static int add_track(struct anim_sink *sink, const struct anim_track *source, struct anim_error *error)
{
	struct animx_writer *writer = (struct animx_writer *)sink;
	struct anim_track track = *source;
	char label[LABEL_MAX];
	int left_out;

	anim_arena_reset(&writer->scratch);
	anim_track_label(source, label, sizeof label);
	left_out = anim_resonite_target_leaves_out(&writer->target, source, label, error);
	if (left_out != 0)
		return left_out < 0 ? -1 : 0;
	if (animx_prepare(writer, &track, label, error) != 0 ||
	    anim_resonite_target_track(&writer->target, source, track.type, label, &track.node, &track.property,
				       &writer->scratch, error) != 0 ||
	    follow_order(writer, &track, error) != 0)
		return -1;
	return anim_sink_track(anim_store_sink(writer->store), &track, error);
}

/* All tracks through the coder. */
static int put_tracks(struct animx_writer *writer, struct animx_coder *coder, struct anim_error *error)
{
	size_t count = anim_store_tracks(writer->store, 0);
	struct anim_track track;
	uint64_t place = 0;

	for (size_t i = 0; i < count; i++) {
		bool marked = writer->needs_mark && writer->has_candidate && i == writer->candidate;

		if (anim_store_next(writer->store, &place, &track, error) != 0 ||
		    animx_put_track(coder, &writer->options, &track, marked, error) != 0)
			return -1;
	}
	return animx_coder_finish(coder, error);
}

/* LZMA tells the size before the bytes. */
static int measure(struct animx_writer *writer, uint64_t *size, struct anim_error *error)
{
	struct animx_coder *counter;
	int result;

	*size = 0;
	if (writer->options.encoding != ANIM_ANIMX_LZMA)
		return 0;
	counter = animx_counter_new(size, error);
	if (counter == NULL)
		return -1;
	result = put_tracks(writer, counter, error);
	animx_coder_free(counter);
	return result;
}

static int put_header(struct animx_writer *writer, struct anim_error *error)
{
	static const uint8_t begin[] = {5, 'A', 'n', 'i', 'm', 'X', 1, 0, 0, 0};
	const char *name = anim_store_clip(writer->store, 0)->name;
	float length_s = (float)((double)writer->end_s - (double)writer->start_s);
	uint8_t count[10], name_length[10], encoding = (uint8_t)writer->options.encoding;
	size_t length = strlen(name);

	/* A clip of length 0 whose keys go on lasts as long as they. */
	if (length_s == 0)
		length_s = writer->last_s;
	if (anim_output_write(writer->out, begin, sizeof begin, error) != 0 ||
	    anim_output_write(writer->out, count, animx_put_varint(count, anim_store_tracks(writer->store, 0)),
			      error) != 0 ||
	    anim_output_write(writer->out, &length_s, sizeof length_s, error) != 0 ||
	    anim_output_write(writer->out, name_length, animx_put_varint(name_length, length), error) != 0 ||
	    anim_output_write(writer->out, name, length, error) != 0)
		return -1;
	return anim_output_write(writer->out, &encoding, 1, error);
}

static int end(struct anim_sink *sink, struct anim_error *error)
{
	struct animx_writer *writer = (struct animx_writer *)sink;
	struct animx_coder *coder;
	uint64_t size;
	int result;

	if (!writer->in_clip)
		return anim_fail(error, ANIM_BAD_INPUT, "there is no clip to write");
	if (anim_losses_check(writer->options.losses, error) != 0 || measure(writer, &size, error) != 0 ||
	    put_header(writer, error) != 0)
		return -1;
	coder = animx_coder_new(writer->options.encoding, writer->out, size, writer->options.store_memory, error);
	if (coder == NULL)
		return -1;
	result = put_tracks(writer, coder, error);
	animx_coder_free(coder);
	return result;
}

static void free_writer(struct anim_sink *sink)
{
	struct animx_writer *writer = (struct animx_writer *)sink;

	anim_store_free(writer->store);
	anim_resonite_target_clear(&writer->target);
	anim_arena_clear(&writer->scratch);
	free(writer);
}

struct anim_sink *anim_animx_writer_new(struct anim_output *out, const struct anim_write_options *options,
					struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = keep_tree, .clip = begin_clip, .track = add_track, .end = end, .free = free_writer};
	struct animx_writer *writer;

	if (!animx_coder_is_there(options->encoding, error))
		return NULL;
	writer = calloc(1, sizeof *writer);
	if (writer == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	writer->sink.ops = &ops;
	writer->options = *options;
	writer->out = out;
	writer->target = (struct anim_resonite_target){.format = "animx",
						       .losses = options->losses,
						       .source_names = options->source_names,
						       .axes_keep = options->axes_keep};
	writer->store = anim_store_new_plain(options->store_memory, error);
	if (writer->store == NULL) {
		free_writer(&writer->sink);
		return NULL;
	}
	return &writer->sink;
}
