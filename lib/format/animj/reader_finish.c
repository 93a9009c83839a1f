/* reader_finish.c: the columns of an AnimJ track and its names as a track of the model. */
#include <math.h>
#include <string.h>

#include "clip/resonite.h"
#include "format/animj/reader.h"

#define RATE_MAX 1000u /* of the rates that an interval is recognised as */

/* A rate of whole frames whose interval is the same float as this one; 0 where there is none. */
static uint32_t rate_of(double interval_s)
{
	double rate = rint(1 / interval_s);

	if (!(rate >= 1 && rate <= RATE_MAX) || (float)(1 / rate) != (float)interval_s)
		return 0;
	return (uint32_t)rate;
}

/* The clip's rate is that of its Raw tracks where they have one in common. */
static void join_rate(struct animj_reader *reader, uint32_t rate)
{
	struct anim_clip *clip = &reader->clip;

	if (clip->rate_num == 0)
		clip->rate_num = rate;
	if (rate != clip->rate_num)
		reader->rates_differ = true;
	clip->rate_den = clip->rate_num != 0;
}

static void reach(double *most_s, double to_s)
{
	*most_s = to_s > *most_s ? to_s : *most_s;
}

static int fill_raw(struct animj_reader *reader, struct anim_track *track, const struct anim_place *place,
		    struct anim_error *error)
{
	double interval_s = reader->head.interval_s;
	uint32_t rate = interval_s > 0 ? rate_of(interval_s) : 0;
	double last_s = track->n > 0 ? interval_s * (double)(track->n - 1) : 0;

	track->interp = ANIM_LINEAR;
	track->rate_num = rate;
	track->rate_den = rate > 0;
	track->step_s = rate > 0 ? 0 : interval_s;
	if (rate > 0 && track->n > 0)
		last_s = (double)(track->n - 1) / rate;
	join_rate(reader, rate);
	if (!isfinite((float)last_s))
		return animj_refuse(reader, place, error, "samples beyond the largest time");
	reach(&reader->last_s, (double)(float)last_s);
	reach(&reader->inner_s, last_s - interval_s);
	if (interval_s > 0)
		return 0;
	return animj_warn(reader, place, "Raw tracks without interval: their samples have no times", error,
			  "a Raw track without interval: its samples have no times");
}

static int check_times(struct animj_reader *reader, struct anim_track *track, const struct anim_place *place,
		       struct anim_error *error)
{
	const float *time = track->time;
	size_t falls = 0;
	float least = 0, most = 0;

	for (size_t i = 0; i < track->n; i++) {
		falls += i > 0 && time[i] < time[i - 1];
		least = time[i] < least ? time[i] : least;
		most = time[i] > most ? time[i] : most;
	}
	reach(&reader->last_s, (double)most);
	reach(&reader->key_s, (double)most);
	if (least < 0 && animj_warn(reader, place, "tracks have keys before time 0, which Resonite refuses", error,
				    "keys before time 0, which Resonite refuses") != 0)
		return -1;
	if (falls == 0)
		return 0;
	track->flags |= ANIM_UNSORTED;
	return animj_warn(reader, place, "tracks have keys that are not sorted by time", error,
			  "keys that are not sorted by time");
}

/* Whether the segment that key k opens uses tangents. */
static bool uses_tangents(const struct anim_track *track, size_t k)
{
	return track->interps[k] == ANIM_TANGENT || track->interps[k] == ANIM_CUBIC_BEZIER;
}

static int warn_of_tangents(struct animj_reader *reader, const struct anim_place *place, size_t k, const char *side,
			    struct anim_error *error)
{
	return animj_warn(reader, place, "tangents are missing; zeros are read", error,
			  "keyframes[%zu] has no %sTangent; zeros are read", k, side);
}

/* A segment takes the right tangent of its first key and the left one of its second. */
static int check_tangents(struct animj_reader *reader, const struct anim_track *track, const struct anim_place *place,
			  struct anim_error *error)
{
	const uint8_t *given = reader->columns.given.data;

	for (size_t k = 0; k + 1 < track->n; k++) {
		if (!uses_tangents(track, k))
			continue;
		if (!(given[k] & ANIMJ_HAS_RIGHT) && warn_of_tangents(reader, place, k, "right", error) != 0)
			return -1;
		if (!(given[k + 1] & ANIMJ_HAS_LEFT) && warn_of_tangents(reader, place, k + 1, "left", error) != 0)
			return -1;
	}
	return 0;
}

static int add_tangents(struct animj_reader *reader, struct anim_track *track, struct anim_error *error)
{
	struct animj_columns *columns = &reader->columns;

	if (!columns->tangents && animj_begin_tangents(columns, anim_types[track->type].size, error) != 0)
		return -1;
	track->left = columns->column[ANIMJ_LEFT].data;
	track->right = columns->column[ANIMJ_RIGHT].data;
	return 0;
}

static bool any_byte(const struct anim_buffer *bytes)
{
	for (size_t i = 0; i < bytes->size; i++)
		if (bytes->data[i] != 0)
			return true;
	return false;
}

/* Tangents, other than zeros, of a track that has no mode with tangents. */
static int tell_dropped_tangents(struct animj_reader *reader, const struct anim_place *place, struct anim_error *error)
{
	const struct animj_columns *columns = &reader->columns;

	if (!columns->string_tangents &&
	    !(columns->tangents && (any_byte(&columns->column[ANIMJ_LEFT]) || any_byte(&columns->column[ANIMJ_RIGHT]))))
		return 0;
	return animj_warn(reader, place, "tracks have tangents that no key uses (Hold and Linear have none); dropped",
			  error, "tangents that no key uses (Hold and Linear have none); dropped");
}

/* One mode for all keys where they agree, tangents where a mode has them. */
static int fill_curve(struct animj_reader *reader, struct anim_track *track, const struct anim_place *place,
		      struct anim_error *error)
{
	const uint8_t *interps = reader->columns.interps.data;
	bool mixed = false, tangents = false;

	track->interps = interps;
	for (size_t k = 0; k < track->n; k++) {
		mixed |= interps[k] != interps[0];
		tangents |= uses_tangents(track, k);
	}
	if (!tangents && tell_dropped_tangents(reader, place, error) != 0)
		return -1;
	if (tangents && (check_tangents(reader, track, place, error) != 0 || add_tangents(reader, track, error) != 0))
		return -1;
	track->interp = mixed ? ANIM_INTERP_COLUMN : track->n > 0 ? interps[0] : ANIM_LINEAR;
	if (!mixed)
		track->interps = NULL;
	return 0;
}

static int fill(struct animj_reader *reader, struct anim_track *track, const struct anim_place *place,
		struct anim_error *error)
{
	const struct animj_track_head *head = &reader->head;
	const char *property = anim_resonite_property_read(head->property == NULL ? "" : head->property,
							   (enum anim_type)head->type, &reader->names, error);

	if (property == NULL)
		return -1;
	*track = (struct anim_track){.kind = (enum anim_kind)head->kind,
				     .type = (enum anim_type)head->type,
				     .rules = ANIM_RULES_RESONITE,
				     .node = anim_resonite_node_read(head->node == NULL ? "" : head->node),
				     .property = property,
				     .component = ANIM_WHOLE,
				     .n = reader->columns.n};
	if (track->n == 0 && animj_warn(reader, place, "tracks without keys, which are said to crash Resonite", error,
					"a track without keys, which is said to crash Resonite") != 0)
		return -1;
	if (track->kind == ANIM_RAW)
		return fill_raw(reader, track, place, error);
	track->time = (const void *)reader->columns.column[ANIMJ_TIME].data;
	if (check_times(reader, track, place, error) != 0)
		return -1;
	return track->kind == ANIM_CURVE ? fill_curve(reader, track, place, error) : 0;
}

int animj_finish_track(struct animj_reader *reader, const struct anim_place *place, struct anim_error *error)
{
	const struct animj_strings *from = &reader->columns.strings;
	struct anim_strings strings = {.length = (const uint32_t *)from->length.data,
				       .start = (const uint64_t *)from->start.data,
				       .bytes = from->bytes.data == NULL ? "" : (const char *)from->bytes.data,
				       .bytes_size = from->bytes.size};
	struct anim_track track;

	if (fill(reader, &track, place, error) != 0)
		return -1;
	if (track.type == ANIM_STRING)
		track.strings = &strings;
	else
		track.value = reader->columns.column[ANIMJ_VALUE].data;
	return anim_sink_track(anim_store_sink(reader->store), &track, error);
}
