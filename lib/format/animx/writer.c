/* writer.c: the sink that writes one clip as an AnimX file. */
#include "base/advice.h"
#include "format/animx/animx.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clip/resonite.h"
#include "format/animx/codec.h"
#include "stream/store.h"

struct animx_writer {
	struct anim_resonite_target target;
	struct anim_write_options options;
	struct anim_output *out;
	struct anim_store *store; /* the prepared tracks, kept because their number is written before them */
	/*
	 * Readers must guess the order of time and value in Curve keys. If no track decides it, the first Curve with a
	 * single mode gets a mark: it stores the mode once per key. Every reader accepts this, and our reader
	 * recognises the mark as a sign of this writer.
	 */
	bool order_decided, needs_mark, has_candidate;
	size_t candidate; /* number of the track that gets the mark */
};

/* ---- Preparing a track, or the reason why AnimX cannot store it ---- */

static int check_units(const struct animx_writer *writer, const struct anim_track *t, struct anim_error *error)
{
	bool angles = anim_property_is_angle(t->property);

	if ((t->flags & ANIM_UNSORTED) != 0)
		return anim_resonite_target_refuse(&writer->target, "unsorted", error);
	if (writer->options.source_names)
		return 0;
	if (angles && t->component == ANIM_WHOLE && t->type != ANIM_STRING && !anim_types[t->type].quaternion)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "track '%s' has angles, but Resonite rotates with quaternions: " ANIM_ADVICE(
				     BAKE) ", or use " ANIM_OPTION_TO("emit", "names", "source"),
				 writer->target.label);
	if ((t->flags & ANIM_PERCENT) != 0)
		return anim_resonite_target_refuse(&writer->target, "in percent", error);
	return 0;
}

/* Convert samples to keys if they do not begin with the clip, or if they hold. */
static int time_samples(struct animx_writer *writer, struct anim_track *t, struct anim_error *error)
{
	struct anim_resonite_target *target = &writer->target;
	double step_s = anim_track_step(t);
	bool holds = t->interp == ANIM_HOLD;

	if (step_s == 0)
		return anim_resonite_target_warn_of_interval(target, error);
	if (t->start_s != (double)target->start_s || (holds && anim_type_is_real(t->type))) {
		if (anim_resonite_target_key_samples(target, t, holds ? ANIM_DISCRETE : ANIM_CURVE, error) != 0)
			return -1;
		return anim_resonite_target_warn_of_end(target, t, error);
	}
	if ((float)step_s == 0 || !anim_resonite_target_keeps_samples(target, t))
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%s': its interval is out of animx's range",
				 target->label);
	return 0;
}

/*
 * Prepare a copy of a track for AnimX: times and Raw tracks relative to the start of the clip, Godot's doubles as
 * floats. Tracks that AnimX cannot store are refused. New columns are in the scratch arena. Returns 0 or -1.
 */
static int prepare(struct animx_writer *writer, struct anim_track *t, struct anim_error *error)
{
	int result;

	if (t->kind == ANIM_CURVE) {
		for (int mode = 0; mode < ANIM_INTERP_COUNT; mode++)
			if (anim_track_has_interp(t, (enum anim_interp)mode) &&
			    anim_resonite_target_check_mode(&writer->target, (enum anim_interp)mode, error) != 0)
				return -1;
		for (size_t k = 0; t->ease != NULL && k < t->n; k++)
			if (t->ease[k] != 1)
				return anim_resonite_target_refuse(&writer->target, "eased", error);
	}
	if (check_units(writer, t, error) != 0)
		return -1;
	result = t->kind == ANIM_RAW ? time_samples(writer, t, error)
				     : anim_resonite_target_time_keys(&writer->target, t, error);
	if (result != 0 || anim_resonite_target_narrow(
			       &writer->target, t,
			       "too large for a float; " ANIM_OPTION("emit", "double") " keeps doubles", error) != 0)
		return -1;
	anim_resonite_target_switch_visible(&writer->target, t, t->interp == ANIM_HOLD);
	t->start_s = 0;
	t->record = NULL;
	t->rules = ANIM_RULES_RESONITE;
	t->component = ANIM_WHOLE;
	t->pre = t->post = ANIM_EXTRAPOLATION_HOLD;
	t->flags = 0;
	t->ease = NULL;
	t->hint = NULL;
	t->attrs = (struct anim_attrs){0};
	return 0;
}

/* ---- The bytes of a track in version 1 ---- */

#define PAIRS ((size_t)32 << 10) /* bytes of keys joined at a time */
#define KEY_MAX 256              /* a tangent pair of double4x4 */

static int coder_write(struct animx_coder *coder, const void *bytes, size_t size)
{
	coder->size += size;
	if (size > 0 && coder->ops != NULL)
		return coder->ops->write(coder, bytes, size);
	return size > 0 && coder->out != NULL ? anim_output_write(coder->out, bytes, size, coder->error) : 0;
}

/* Write the length of a text, then the text. */
static int put_text(struct animx_coder *coder, const char *text, size_t length)
{
	uint8_t head[10];

	if (coder_write(coder, head, animx_put_varint(head, length)) != 0)
		return -1;
	return coder_write(coder, text, length);
}

static int put_name(struct animx_coder *coder, const char *name)
{
	return put_text(coder, name, strlen(name));
}

/* Write two columns as pairs, a few thousand keys at a time. */
static int put_pairs(struct animx_coder *coder, size_t n, size_t first_size, size_t second_size, const uint8_t *first,
		     const uint8_t *second)
{
	uint8_t pairs[PAIRS + KEY_MAX];
	size_t size = first_size + second_size, most = PAIRS / size;

	for (size_t k = 0; k < n; k += most) {
		size_t count = n - k < most ? n - k : most;

		animx_join(pairs, count, first_size, second_size, first + k * first_size, second + k * second_size);
		if (coder_write(coder, pairs, count * size) != 0)
			return -1;
	}
	return 0;
}

static int put_strings(struct animx_coder *coder, const struct anim_track *t, bool value_first)
{
	for (size_t k = 0; k < t->n; k++) {
		const struct anim_strings *strings = t->strings;
		uint8_t present = strings->length[k] != ANIM_NULL_STRING;

		if (t->time != NULL && !value_first && coder_write(coder, &t->time[k], sizeof *t->time) != 0)
			return -1;
		if (coder_write(coder, &present, 1) != 0)
			return -1;
		if (present != 0 && put_text(coder, strings->bytes + strings->start[k], strings->length[k]) != 0)
			return -1;
		if (t->time != NULL && value_first && coder_write(coder, &t->time[k], sizeof *t->time) != 0)
			return -1;
	}
	return 0;
}

static int put_keys(struct animx_coder *coder, const struct anim_track *t, bool value_first)
{
	size_t size = anim_types[t->type].size;
	const uint8_t *time = (const uint8_t *)t->time;

	if (t->type == ANIM_STRING)
		return put_strings(coder, t, value_first);
	if (value_first)
		return put_pairs(coder, t->n, size, sizeof *t->time, t->value, time);
	return put_pairs(coder, t->n, sizeof *t->time, size, time, t->value);
}

static bool is_mixed(const struct anim_track *t)
{
	for (size_t k = 1; t->interp == ANIM_INTERP_COLUMN && k < t->n; k++)
		if (t->interps[k] != t->interps[0])
			return true;
	return false;
}

/*
 * Write a track as version 1: times from 0, Resonite's names, Raw with start 0. A marked Curve stores a mode for each
 * key, even if all are the same. Returns 0 or -1.
 */
static int put_track(struct animx_coder *coder, const struct anim_write_options *options, const struct anim_track *t,
		     bool marked)
{
	uint8_t types[2] = {(uint8_t)t->kind, (uint8_t)t->type}, count[10], flags[2] = {0}, modes[256];
	bool by_key = marked || is_mixed(t), right_first = options->tangent_order == ANIM_ANIMX_RIGHT_LEFT;
	size_t size = anim_types[t->type].size;

	if (coder_write(coder, types, sizeof types) != 0 || put_name(coder, t->node) != 0 ||
	    put_name(coder, t->property) != 0 || coder_write(coder, count, animx_put_varint(count, t->n)) != 0)
		return -1;
	if (t->kind == ANIM_RAW) {
		float interval_s = (float)anim_track_step(t);

		if (coder_write(coder, &interval_s, sizeof interval_s) != 0)
			return -1;
		if (t->type == ANIM_STRING)
			return put_strings(coder, t, false);
		return coder_write(coder, t->value, t->n * size);
	}
	if (t->kind == ANIM_DISCRETE)
		return put_keys(coder, t, false);

	/* Write one mode per key if they differ or if the track gets the mark, otherwise a single mode. */
	flags[0] = (uint8_t)((by_key ? 1 : 0) | (t->left != NULL ? 2 : 0));
	flags[1] = t->n > 0 ? (uint8_t)anim_track_interp(t, 0) : ANIM_HOLD;
	if (coder_write(coder, flags, by_key ? 1 : 2) != 0)
		return -1;
	if (by_key && t->interp == ANIM_INTERP_COLUMN && coder_write(coder, t->interps, t->n) != 0)
		return -1;
	memset(modes, flags[1], sizeof modes);
	for (size_t k = 0, part; by_key && t->interp != ANIM_INTERP_COLUMN && k < t->n; k += part) {
		part = t->n - k < sizeof modes ? t->n - k : sizeof modes;
		if (coder_write(coder, modes, part) != 0)
			return -1;
	}
	if (put_keys(coder, t, options->key_order == ANIM_ANIMX_VALUE_TIME) != 0)
		return -1;
	if (t->left == NULL)
		return 0;
	return put_pairs(coder, t->n, size, size, right_first ? t->right : t->left, right_first ? t->left : t->right);
}

/* ---- The file ---- */

#define MODES (1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_TANGENT | 1u << ANIM_CUBIC_BEZIER)
#define ALL_TYPES (((uint64_t)1 << ANIM_TYPE_COUNT) - 1)

/* The writer accepts Raw tracks with another start, and converts them to keys itself because it shifts their times. */
const struct anim_caps anim_animx_caps = {.format = "animx",
					  .kinds = 1u << ANIM_RAW | 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					  .types = ALL_TYPES,
					  .interps = MODES,
					  .rules = ANIM_RULES_RESONITE,
					  .mixed_interps = true,
					  .matrices = true,
					  .raw_start = true,
					  .continuous_rotations = true,
					  .lone_components = true,
					  .only_space = true};

static int begin_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct animx_writer *writer = (struct animx_writer *)sink;

	if (anim_resonite_target_clip(&writer->target, clip, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(writer->store), clip, error);
}

/* Track what a reader learns about the order of Curve keys, up to the track that decides it. Returns 0 or -1. */
static int follow_order(struct animx_writer *writer, const struct anim_track *t, struct anim_error *error)
{
	bool time_first, value_first;
	size_t size, bytes;
	uint8_t *pairs;

	if (t->kind != ANIM_CURVE || writer->order_decided || writer->options.key_order == ANIM_ANIMX_VALUE_TIME)
		return 0;
	/* Find the orders in which the keys of the track could be read. */
	size = anim_types[t->type].size;
	time_first = value_first = true;
	if (t->type != ANIM_STRING) {
		if (anim_size_multiply(t->n, size + sizeof *t->time, &bytes, error) != 0)
			return -1;
		pairs = anim_arena_alloc(&writer->target.scratch, bytes, error);
		if (pairs == NULL)
			return -1;
		animx_join(pairs, t->n, sizeof *t->time, size, t->time, t->value);
		animx_key_orders(t->type, pairs, t->n, &time_first, &value_first);
	}
	if (!writer->has_candidate && !is_mixed(t)) {
		writer->has_candidate = true;
		writer->candidate = anim_store_tracks(writer->store, 0);
	}
	writer->order_decided = !(time_first && value_first);
	writer->needs_mark = !time_first || value_first;
	return 0;
}

static int add_track(struct anim_sink *sink, const struct anim_track *source, struct anim_error *error)
{
	struct animx_writer *writer = (struct animx_writer *)sink;
	struct anim_track track = *source;
	int left_out = anim_resonite_target_begin_track(&writer->target, source, error);

	if (left_out != 0)
		return left_out < 0 ? -1 : 0;
	if (prepare(writer, &track, error) != 0 ||
	    anim_resonite_target_track(&writer->target, source, &track, error) != 0 ||
	    follow_order(writer, &track, error) != 0)
		return -1;
	return anim_sink_track(anim_store_sink(writer->store), &track, error);
}

/* Write all tracks through the coder. */
static int put_tracks(struct animx_writer *writer, struct animx_coder *coder)
{
	size_t count = anim_store_tracks(writer->store, 0);
	struct anim_track track;
	uint64_t place = 0;

	for (size_t i = 0; i < count; i++) {
		bool marked = writer->needs_mark && writer->has_candidate && i == writer->candidate;

		if (anim_store_next(writer->store, &place, &track, coder->error) != 0 ||
		    put_track(coder, &writer->options, &track, marked) != 0)
			return -1;
	}
	return coder->ops == NULL ? 0 : coder->ops->finish(coder);
}

static int put_header(struct animx_writer *writer, struct anim_error *error)
{
	static const uint8_t begin[] = {5, 'A', 'n', 'i', 'm', 'X', 1, 0, 0, 0};
	const char *name = anim_store_clip(writer->store, 0)->name;
	float length_s = (float)((double)writer->target.end_s - (double)writer->target.start_s);
	uint8_t count[10], name_length[10], encoding = (uint8_t)writer->options.encoding;
	size_t length = strlen(name);

	/* If the length of the clip is 0 but it has later keys, the duration is the time of the last key. */
	if (length_s == 0)
		length_s = writer->target.last_s;
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
	const struct animx_encoding *encoding = animx_encodings[writer->options.encoding];
	struct animx_coder counter = {.error = error}, plain = {.out = writer->out, .error = error}, *coder = &plain;
	int result;

	/* LZMA stores the size before the bytes. */
	if (anim_resonite_target_end(&writer->target, error) != 0 ||
	    (encoding->needs_size && put_tracks(writer, &counter) != 0) || put_header(writer, error) != 0)
		return -1;
	if (encoding->coder_new != NULL)
		coder = encoding->coder_new(writer->out, counter.size, writer->options.store_memory, error);
	if (coder == NULL)
		return -1;
	result = put_tracks(writer, coder);
	if (coder->ops != NULL)
		coder->ops->free(coder);
	return result;
}

static void free_writer(struct anim_sink *sink)
{
	struct animx_writer *writer = (struct animx_writer *)sink;

	anim_store_free(writer->store);
	anim_resonite_target_clear(&writer->target);
	free(writer);
}

struct anim_sink *anim_animx_writer_new(struct anim_output *out, const struct anim_write_options *options,
					struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = anim_resonite_target_tree, .clip = begin_clip, .track = add_track, .end = end, .free = free_writer};
	const char *missing = animx_encodings[options->encoding]->missing;
	struct animx_writer *writer = missing == NULL ? anim_zeroed(sizeof *writer, error) : NULL;

	if (missing != NULL)
		anim_fail(error, ANIM_UNSUPPORTED, "%s", missing);
	if (writer == NULL)
		return NULL;
	writer->options = *options;
	writer->out = out;
	writer->target = (struct anim_resonite_target){.sink.ops = &ops,
						       .format = "animx",
						       .diagnostics = options->diagnostics,
						       .source_names = options->source_names,
						       .keep_double = options->keep_double};
	writer->store = anim_store_new_plain(options->store_memory, error);
	if (writer->store == NULL) {
		free_writer(&writer->target.sink);
		return NULL;
	}
	return &writer->target.sink;
}
