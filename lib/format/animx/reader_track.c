/* reader_track.c: one track: its head, its modes, its columns, into the store. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "clip/resonite.h"
#include "format/animx/reader.h"

#define TRACK_BEZIER 3
#define FLAG_MODES 1u    /* each key its own interpolation */
#define FLAG_TANGENTS 2u /* tangents behind the keys */
#define RATE_MAX 1000    /* samples per second that an interval is recognised as */

int animx_warn(struct animx_reader *reader, uint64_t offset, const char *many, struct anim_error *error,
	       const char *one, ...)
{
	struct anim_place place = animx_body_place(&reader->body, offset);
	char text[sizeof error->message];
	va_list args;

	va_start(args, one);
	vsnprintf(text, sizeof text, one, args);
	va_end(args);
	return anim_losses_add(reader->options->losses, ANIM_WARNING, &place, many, error, "%s", text);
}

/* Version 0 has one byte for both. */
static int read_types(struct animx_reader *reader, struct anim_track *track, struct anim_error *error)
{
	struct animx_body *body = &reader->body;
	uint64_t offset = body->offset;
	uint8_t bytes[2];

	if (animx_body_read(body, bytes, reader->version == 0 ? 1 : 2, error) != 0)
		return -1;
	if (reader->version == 0) {
		bytes[1] = bytes[0] >> 1;
		bytes[0] = (bytes[0] & 1) != 0 ? ANIM_CURVE : ANIM_RAW;
	}
	if (bytes[0] == TRACK_BEZIER)
		return animx_body_fail(body, offset, error,
				       "a track of Bezier keys, whose layout is nowhere told and which Resonite does "
				       "not read");
	if (bytes[0] > TRACK_BEZIER)
		return animx_body_fail(body, offset, error, "track type %u", bytes[0]);
	if (bytes[1] >= ANIM_TYPE_COUNT)
		return animx_body_fail(body, offset, error, "value type %u", bytes[1]);
	track->kind = (enum anim_kind)bytes[0];
	track->type = (enum anim_type)bytes[1];
	return 0;
}

/* A name, in the arena. */
static int read_name(struct animx_reader *reader, const char **name, struct anim_error *error)
{
	struct anim_buffer *bytes = &reader->columns.pairs;
	uint32_t length;

	bytes->size = 0;
	if (animx_body_text(&reader->body, ANIM_NAME_MAX, bytes, &length, error) != 0)
		return -1;
	*name = anim_arena_text(&reader->names, length == 0 ? "" : (const char *)bytes->data, length, error);
	return *name == NULL ? -1 : 0;
}

static int read_head(struct animx_reader *reader, struct anim_track *track, struct anim_error *error)
{
	const char *node, *property;
	uint64_t offset, n;

	anim_arena_reset(&reader->names);
	if (read_types(reader, track, error) != 0 || read_name(reader, &node, error) != 0 ||
	    read_name(reader, &property, error) != 0)
		return -1;
	offset = reader->body.offset;
	if (animx_body_varint(&reader->body, &n, error) != 0)
		return -1;
	if (n > ANIM_KEYS_MAX)
		return animx_body_fail(&reader->body, offset, error, "%llu keys, at most %u are allowed",
				       (unsigned long long)n, ANIM_KEYS_MAX);
	track->n = (size_t)n;
	track->node = anim_resonite_node_read(node);
	track->property = anim_resonite_property_read(property, track->type, &reader->names, error);
	return track->property == NULL ? -1 : 0;
}

/* Seconds a sample, as a rate where it is the float of one. */
static void set_interval(struct anim_track *track, float interval_s)
{
	double rate = rint(1 / (double)interval_s);

	if (rate >= 1 && rate <= RATE_MAX && (float)(1 / rate) == interval_s) {
		track->rate_num = (uint32_t)rate;
		track->rate_den = 1;
	} else {
		track->step_s = (double)interval_s;
	}
}

static int read_raw(struct animx_reader *reader, struct anim_track *track, struct anim_error *error)
{
	uint64_t offset = reader->body.offset;
	float interval_s;

	if (animx_body_read(&reader->body, &interval_s, sizeof interval_s, error) != 0)
		return -1;
	if (!isfinite(interval_s) || interval_s < 0)
		return animx_body_fail(&reader->body, offset, error, "an interval that is not a length of time");
	track->interp = ANIM_LINEAR;
	if (interval_s > 0)
		set_interval(track, interval_s);
	else if (animx_warn(reader, offset, "Raw tracks have no interval; 'anim-retime --rate' sets one", error,
			    "Raw track '%s' '%s' has no interval; 'anim-retime --rate' sets one", track->node,
			    track->property) != 0)
		return -1;
	return animx_read_samples(reader, track, error);
}

/* One mode for all keys where they have the same. */
static int set_modes(struct animx_reader *reader, struct anim_track *track, struct anim_error *error)
{
	const uint8_t *modes = reader->columns.interps.data;
	uint64_t offset = reader->body.offset - reader->columns.interps.size;
	size_t count = reader->columns.interps.size, same = 0;

	for (size_t k = 0; k < count; k++) {
		if (modes[k] > ANIM_CUBIC_BEZIER)
			return animx_body_fail(&reader->body, offset + k, error, "interpolation %u", modes[k]);
		same += modes[k] == modes[0];
	}
	track->interp = count == 0 ? ANIM_HOLD : modes[0];
	if (same == count)
		return 0;
	track->interp = ANIM_INTERP_COLUMN;
	track->interps = modes;
	return 0;
}

/* Strings cannot be bent: what says so is held. */
static int hold_strings(struct animx_reader *reader, struct anim_track *track, struct anim_error *error)
{
	uint8_t *modes = reader->columns.interps.data;
	size_t held = 0;

	if (track->type != ANIM_STRING)
		return 0;
	for (size_t k = 0; k < reader->columns.interps.size; k++)
		if (modes[k] > ANIM_LINEAR) {
			modes[k] = ANIM_HOLD;
			held++;
		}
	if (held == 0)
		return 0;
	if (track->interp != ANIM_INTERP_COLUMN)
		track->interp = ANIM_HOLD;
	return animx_warn(reader, reader->body.offset, "tracks of strings have keys with tangents, read as Hold", error,
			  "track '%s' '%s' of strings has keys with tangents, read as Hold", track->node,
			  track->property);
}

/* Keys that need tangents in a track without them: zeros, as members that are missing have in Resonite. */
static int add_tangents(struct animx_reader *reader, struct anim_track *track, struct anim_error *error)
{
	struct animx_columns *columns = &reader->columns;
	size_t size = anim_types[track->type].size;

	if (track->left != NULL ||
	    !(anim_track_has_interp(track, ANIM_TANGENT) || anim_track_has_interp(track, ANIM_CUBIC_BEZIER)))
		return 0;
	if (animx_resize(&columns->left, track->n, size, error) != 0 ||
	    animx_resize(&columns->right, track->n, size, error) != 0)
		return -1;
	track->left = memset(columns->left.data, 0, columns->left.size);
	track->right = memset(columns->right.data, 0, columns->right.size);
	if (track->n == 0)
		return 0;
	return animx_warn(reader, reader->body.offset, "tracks lack the tangents of their keys, taken as zeros", error,
			  "track '%s' '%s' lacks the tangents of its keys, taken as zeros", track->node,
			  track->property);
}

static int read_curve(struct animx_reader *reader, struct anim_track *track, bool *doubtful, float *other_end_s,
		      struct anim_error *error)
{
	uint64_t offset = reader->body.offset;
	uint8_t flags;
	size_t modes;

	if (animx_body_read(&reader->body, &flags, 1, error) != 0)
		return -1;
	if (flags > (FLAG_MODES | FLAG_TANGENTS))
		return animx_body_fail(&reader->body, offset, error, "unknown flags of a Curve: %u", flags);
	modes = (flags & FLAG_MODES) != 0 ? track->n : 1;
	if (animx_body_block(&reader->body, &reader->columns.interps, modes, 1, error) != 0 ||
	    set_modes(reader, track, error) != 0)
		return -1;
	reader->marked = (flags & FLAG_MODES) != 0 && track->interp != ANIM_INTERP_COLUMN;
	if (hold_strings(reader, track, error) != 0 ||
	    animx_read_keys(reader, track, doubtful, other_end_s, error) != 0)
		return -1;
	if ((flags & FLAG_TANGENTS) != 0 && animx_read_tangents(reader, track, error) != 0)
		return -1;
	return add_tangents(reader, track, error);
}

/* The latest sample; the duration where only that one lies past it: it is there to play up to the end. */
static float end_of_samples(const struct anim_track *track, float duration_s)
{
	double last_s = anim_track_time(track, track->n - 1);
	double inner_s = track->n > 1 ? anim_track_time(track, track->n - 2) : last_s;

	if ((double)duration_s > inner_s && (double)duration_s < last_s)
		return duration_s;
	return last_s > 0 ? (float)last_s : 0;
}

/* The latest key or sample; 0 where there is none. */
static float end_of(const struct anim_track *track, float duration_s)
{
	float end_s = 0;

	if (track->n == 0)
		return 0;
	if (track->kind == ANIM_RAW)
		return end_of_samples(track, duration_s);
	for (size_t k = 0; k < track->n; k++)
		end_s = track->time[k] > end_s ? track->time[k] : end_s;
	return end_s;
}

static void extend(float *end_s, float to_s)
{
	if (*end_s < to_s)
		*end_s = to_s;
}

/* Where a doubtful track ends, read either way: what reader.c decides by. */
static void note_ends(struct animx_reader *reader, float time_first_s, float value_first_s)
{
	const float ends_s[] = {time_first_s, value_first_s};

	for (int i = 0; i < 2; i++) {
		extend(&reader->duration_end_s[i], ends_s[i]);
		if (reader->doubts_count == 0)
			reader->same_end_s[i] = ends_s[i];
		reader->ends_differ[i] |= ends_s[i] != reader->same_end_s[i];
	}
	reader->doubts_count++;
}

static int warn_of_no_keys(struct animx_reader *reader, const struct anim_track *track, uint64_t offset,
			   struct anim_error *error)
{
	return animx_warn(reader, offset, "tracks without keys, which are said to crash Resonite", error,
			  "track '%s' '%s' has no keys, which is said to crash Resonite", track->node, track->property);
}

int animx_read_track(struct animx_reader *reader, struct anim_error *error)
{
	struct anim_track track = {.rules = ANIM_RULES_RESONITE, .component = ANIM_WHOLE};
	uint64_t offset = reader->body.offset;
	uint8_t doubt;
	bool doubtful = false;
	float end_s, other_end_s = 0;
	int result;

	if (read_head(reader, &track, error) != 0)
		return -1;
	if (track.kind == ANIM_RAW)
		result = read_raw(reader, &track, error);
	else if (track.kind == ANIM_DISCRETE)
		result = animx_read_keys(reader, &track, &doubtful, &other_end_s, error);
	else
		result = read_curve(reader, &track, &doubtful, &other_end_s, error);
	if (result != 0 || (track.n == 0 && warn_of_no_keys(reader, &track, offset, error) != 0))
		return -1;
	end_s = end_of(&track, reader->duration_s);
	if (!isfinite(end_s))
		return animx_body_fail(&reader->body, offset, error, "a track that is too long");
	extend(&reader->time_first_s, end_s);
	extend(&reader->value_first_s, doubtful ? other_end_s : end_s);
	reader->doubtful |= doubtful;
	if (doubtful)
		note_ends(reader, end_s, other_end_s);
	doubt = doubtful;
	if (anim_buffer_append(&reader->doubts, &doubt, 1, error) != 0)
		return -1;
	return anim_sink_track(anim_store_sink(reader->store), &track, error);
}
