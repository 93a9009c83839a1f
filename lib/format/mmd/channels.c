/* channels.c: the keys of a track at whole frames: its own, or samples. */
#include "format/mmd/channels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "clip/keys.h"
#include "clip/source.h"
#include "format/mmd/mmd.h"
#include "math/quaternion.h"

#define WHOLE 0.02 /* of 127: the largest distance of a point of a curve from a whole number, after rounding */
#define FRAME 1e-3 /* of a frame: the largest distance of a key's time from a whole frame */
#define LINE 1e-5  /* of the change: slopes of a line differ by less */

void vmd_channel_clear(struct vmd_channel *channel)
{
	anim_buffer_clear(&channel->keys);
}

static int add_key(struct vmd_channel *channel, uint32_t frame, const double *value, struct anim_error *error)
{
	struct vmd_key key = {.frame = frame};

	for (unsigned i = 0; i < channel->components; i++)
		key.value[i] = (float)value[i];
	for (unsigned i = 0; i < 3; i++)
		key.curves[i] = vmd_line;
	return anim_buffer_append(&channel->keys, &key, sizeof key, error);
}

/* ---- Unchanged keys ---- */

/* Find a point of a curve. Returns false if it is not at whole numbers. */
static bool find_point(double x, double y, uint8_t *out_x, uint8_t *out_y)
{
	if (!(fabs(x - rint(x)) <= WHOLE && fabs(y - rint(y)) <= WHOLE && x > -1 && x < 128 && y > -1 && y < 128))
		return false;
	*out_x = (uint8_t)rint(x);
	*out_y = (uint8_t)rint(y);
	return *out_x <= 127 && *out_y <= 127;
}

/* Set the curves of the last key, which ends segment k - 1. Returns false if they cannot be written. */
static bool set_curves(struct vmd_channel *channel, size_t k)
{
	struct vmd_key *key = vmd_channel_key(channel, vmd_channel_count(channel) - 1);
	const struct anim_track *track = channel->track;
	enum anim_interp mode = k == 0 ? ANIM_LINEAR : anim_track_interp(track, k - 1);

	if (channel->hints)
		key->curves[0] = (struct mmd_curve){track->hint[k] & 127, track->hint[k] >> 8 & 127,
						    track->hint[k] >> 16 & 127, track->hint[k] >> 24 & 127};
	if (channel->components > 3 && mode == ANIM_WEIGHTED)
		return false;
	for (unsigned i = 0; i < channel->components && mode == ANIM_WEIGHTED; i++) {
		size_t from = (k - 1) * channel->components + i, to = from + channel->components;
		double change = anim_component(track->type, track->value, k, i) -
				anim_component(track->type, track->value, k - 1, i);
		double seconds = (double)track->time[k] - (double)track->time[k - 1];
		double out = anim_component(track->type, track->right, k - 1, i) * seconds / change;
		double in = anim_component(track->type, track->left, k, i) * seconds / change;
		double right_x, left_x;
		struct mmd_curve *curve = &key->curves[i];

		*curve = vmd_line;
		if (change == 0 || (fabs(out - 1) <= LINE && fabs(in - 1) <= LINE))
			continue;
		right_x = (double)track->right_x[from];
		left_x = (double)track->left_x[to];
		if (!find_point(127 * right_x, 127 * out * right_x, &curve->x1, &curve->y1) ||
		    !find_point(127 - 127 * left_x, 127 - 127 * in * left_x, &curve->x2, &curve->y2))
			return false;
	}
	for (unsigned i = 0; i < 3 && k > 0; i++)
		channel->curved |= !mmd_curve_is_line(key->curves[i]);
	return mode == ANIM_WEIGHTED || mode == ANIM_LINEAR || mode == ANIM_HOLD;
}

/* Copy the keys of the track. Returns 1, 0 if it has to be sampled, or -1. */
static int copy_keys(struct vmd_channel *channel, struct anim_error *error)
{
	const struct anim_track *track = channel->track;
	const double start_s = (double)channel->clip->start_s, end_s = (double)channel->clip->end_s;
	double first_s = anim_track_time(track, 0), last_s = anim_track_time(track, track->n - 1);
	double value[ANIM_COMPONENTS_MAX];
	uint32_t frame, before = 0;

	/* The track must end with its keys. */
	if ((track->flags & ANIM_UNSORTED) != 0 || !(first_s >= start_s) || !(last_s <= end_s))
		return 0;
	if (track->n > 1 && ((track->pre != ANIM_EXTRAPOLATION_HOLD && first_s != start_s) ||
			     (track->post != ANIM_EXTRAPOLATION_HOLD && last_s != end_s)))
		return 0;
	for (size_t k = 0; k < track->n; k++) {
		bool first = channel->keys.size == 0;
		double at = (anim_track_time(track, k) - start_s) * MMD_RATE, whole = rint(at);

		if (channel->hints && track->hint[k] == ANIM_MMD_INSERTED)
			continue;
		/* The key must be at a whole frame. Times are floats. */
		if (!(whole >= 0 && whole < UINT32_MAX && fabs(at - whole) <= fmax(FRAME, whole * 0x1p-22)))
			return 0;
		frame = (uint32_t)whole;
		if (!first && frame <= before)
			return 0;
		/* A value that holds needs a second key, one frame before the next value. */
		if (!first && anim_track_interp(track, k - 1) == ANIM_HOLD && frame > before + 1) {
			struct vmd_key last = *vmd_channel_key(channel, vmd_channel_count(channel) - 1);

			last.frame = frame - 1;
			for (unsigned i = 0; i < 3; i++)
				last.curves[i] = vmd_line;
			if (anim_buffer_append(&channel->keys, &last, sizeof last, error) != 0)
				return -1;
		}
		anim_components(track->type, track->value, k, value);
		if (add_key(channel, frame, value, error) != 0)
			return -1;
		if (!set_curves(channel, k))
			return 0;
		before = frame;
	}
	return channel->keys.size > 0;
}

/* ---- Samples ---- */

static int sample(struct vmd_channel *channel, struct anim_error *error)
{
	const double start_s = (double)channel->clip->start_s, end_s = (double)channel->clip->end_s;
	const double last = ceil((end_s - start_s) * MMD_RATE - FRAME);
	double times[ANIM_SOURCE_SAMPLES], values[ANIM_SOURCE_SAMPLES][ANIM_COMPONENTS_MAX] = {{0}};
	struct anim_source source = {.clip = channel->clip,
				     .tracks = {channel->track},
				     .count = 1,
				     .radians = true,
				     .fraction = true,
				     .unit_length = channel->components == 4};
	const bool is_rotation = channel->components == 4;
	const size_t size = channel->components * sizeof(float);
	struct vmd_key *keys;
	size_t count, kept = 0;
	int result = 0;

	if (!(last < ANIM_SAMPLES_MAX))
		return anim_fail(error, ANIM_TOO_LARGE, "the clip is longer than %u frames", ANIM_SAMPLES_MAX);
	channel->keys.size = 0;
	channel->curved = false;
	channel->sampled = true;
	anim_source_open(&source, NULL);
	for (uint32_t first = 0; first <= (uint32_t)fmax(last, 0) && result == 0; first += ANIM_SOURCE_SAMPLES) {
		count = 0;
		for (uint32_t f = first; f <= (uint32_t)fmax(last, 0) && count < ANIM_SOURCE_SAMPLES; f++)
			times[count++] = fmin(start_s + (double)f / MMD_RATE, end_s);
		result = anim_source_sample(&source, times, count, values, error);
		for (size_t i = 0; i < count && result == 0; i++) {
			double along = 0;

			for (unsigned c = 0; c < 4 && is_rotation && channel->keys.size > 0; c++)
				along += (double)vmd_channel_key(channel, vmd_channel_count(channel) - 1)->value[c] *
					 values[i][c];
			for (unsigned c = 0; c < 4 && along < 0; c++)
				values[i][c] = -values[i][c];
			result = add_key(channel, first + (uint32_t)i, values[i], error);
		}
	}
	anim_source_close(&source);

	/* Drop samples that are equal to their neighbours. */
	keys = vmd_channel_key(channel, 0);
	count = vmd_channel_count(channel);
	for (size_t k = 0; k < count; k++) {
		bool same = k > 0 && memcmp(keys[k].value, keys[kept - 1].value, size) == 0;

		if (!same || (k + 1 < count && memcmp(keys[k].value, keys[k + 1].value, size) != 0))
			keys[kept++] = keys[k];
	}
	channel->keys.size = kept * sizeof *keys;
	return result;
}

int vmd_channel_fill(struct vmd_channel *channel, const struct anim_clip *clip, const struct anim_track *track,
		     struct anim_error *error)
{
	int copied;

	channel->track = track;
	channel->clip = clip;
	channel->components = anim_types[track->type].components;
	channel->hints = track->hint != NULL && strcmp(clip->source, "mmd") == 0;
	channel->keys.size = 0;
	channel->sampled = channel->curved = false;
	copied = copy_keys(channel, error);
	return copied < 0 ? -1 : copied > 0 ? 0 : sample(channel, error);
}

/* ---- Several tracks with the same frames ---- */

static bool has_frame(const struct vmd_channel *channel, uint32_t frame)
{
	size_t low = 0, high = vmd_channel_count(channel);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (vmd_channel_key(channel, middle)->frame < frame)
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 || low == vmd_channel_count(channel) || vmd_channel_key(channel, low)->frame == frame;
}

/* Return whether another channel has a key between two keys of this one. */
static bool is_divided(const struct vmd_channel *channel, struct vmd_channel *const *channels, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < vmd_channel_count(channels[i]) && channels[i] != channel; k++)
			if (!has_frame(channel, vmd_channel_key(channels[i], k)->frame))
				return true;
	return false;
}

static int compare_frames(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void vmd_frames_sort(struct anim_buffer *frames)
{
	uint32_t *list = (uint32_t *)(void *)frames->data;
	size_t total = frames->size / sizeof *list, kept = 0;

	if (total > 0)
		qsort(list, total, sizeof *list, compare_frames);
	for (size_t i = 0; i < total; i++)
		if (kept == 0 || list[i] != list[kept - 1])
			list[kept++] = list[i];
	frames->size = kept * sizeof *list;
}

int vmd_channels_join(struct vmd_channel *const *channels, size_t count, struct anim_buffer *frames,
		      struct anim_error *error)
{
	for (size_t i = 0; i < count; i++)
		if (channels[i]->curved && is_divided(channels[i], channels, count) && sample(channels[i], error) != 0)
			return -1;
	frames->size = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < vmd_channel_count(channels[i]); k++)
			if (anim_buffer_append(frames, &vmd_channel_key(channels[i], k)->frame, sizeof(uint32_t),
					       error) != 0)
				return -1;
	vmd_frames_sort(frames);
	return 0;
}

bool vmd_channel_at(const struct vmd_channel *channel, uint32_t frame, size_t *cursor, struct vmd_key *out)
{
	size_t count = vmd_channel_count(channel);
	const struct vmd_key *a, *b;
	double share;

	if (count == 0)
		return false;
	while (*cursor + 1 < count && vmd_channel_key(channel, *cursor + 1)->frame <= frame)
		(*cursor)++;
	a = vmd_channel_key(channel, *cursor);
	*out = *a;
	out->frame = frame;
	if (a->frame == frame)
		return true;
	for (unsigned i = 0; i < 3; i++)
		out->curves[i] = vmd_line;
	if (frame < a->frame || *cursor + 1 == count)
		return true;
	b = a + 1;
	share = ((double)frame - a->frame) / ((double)b->frame - a->frame);
	if (channel->components == 4) {
		double from[4], to[4], between[4];

		anim_quat_unit_double(from, a->value);
		anim_quat_unit_double(to, b->value);
		anim_quat_slerp_double(between, from, to, share);
		for (unsigned i = 0; i < 4; i++)
			out->value[i] = (float)between[i];
		return true;
	}
	for (unsigned i = 0; i < channel->components; i++)
		out->value[i] = (float)((double)a->value[i] + share * ((double)b->value[i] - (double)a->value[i]));
	return true;
}
