/* timeline.c: the part of a clip that a timeline plays, on the time axis of the timeline. */
#include "format/unity/run.h"

#include "clip/keys.h"
#include "clip/span.h"

/* The part of a clip, and its place and speed on the timeline. */
struct placing {
	struct unity_run *run;
	const struct unity_placement *placed;
	struct anim_range range; /* of the clip */
	struct anim_keys keys;
	struct anim_arena arena;
};

/* Push the part of a track to the store, with its keys moved to the timeline. Returns 0 or -1. */
static int place_track(struct placing *at, const struct anim_track *track)
{
	const struct unity_placement *placed = at->placed;
	bool scales;
	float *time_s;
	struct anim_span span;
	struct anim_track out = *track;

	if (track->kind == ANIM_RAW || (track->flags & ANIM_UNSORTED) != 0)
		return anim_sink_track(anim_store_sink(at->run->store), track, at->run->error);
	anim_span_of_track(&span, track, &at->range);
	anim_keys_reset(&at->keys, track->type);
	if (anim_keys_add_part(&at->keys, track, span.first, span.count, 0, at->run->error) != 0)
		return -1;
	time_s = (float *)(void *)at->keys.column[ANIM_COLUMN_TIME].data;
	for (size_t k = 0; k < at->keys.n; k++)
		time_s[k] = (float)((double)placed->start_s +
				    ((double)time_s[k] - (double)placed->clip_in_s) / (double)placed->speed);
	/* Slopes are per second, so they follow the speed. */
	scales = anim_types[track->type].scalar == ANIM_SCALAR_F32 && placed->speed != 1;
	for (enum anim_column id = ANIM_COLUMN_LEFT; id <= ANIM_COLUMN_RIGHT && scales; id++) {
		float *slopes = (float *)(void *)at->keys.column[id].data;

		for (size_t k = 0; k < at->keys.column[id].size / sizeof *slopes; k++)
			slopes[k] *= placed->speed;
	}
	anim_keys_finish(&at->keys, &out);
	return anim_sink_track(anim_store_sink(at->run->store), &out, at->run->error);
}

int unity_timeline_place(struct unity_run *run, const struct unity_placement *placed, const struct unity_source *home,
			 size_t number, struct unity_source *source, size_t *made)
{
	struct unity_source_clip clip = *unity_source_clip_at(home, number);
	const size_t from = clip.clip.clip;
	struct placing at = {.run = run, .placed = placed};
	struct anim_track track, copy;
	double length = (double)clip.clip.head.end_s - (double)clip.clip.head.start_s;
	double duration = placed->duration_s >= 0 ? (double)placed->duration_s : length / (double)placed->speed;
	const struct anim_attrs before = clip.clip.head.attrs;
	int result = 0;

	at.range.start_s = clip.clip.head.start_s + placed->clip_in_s;
	at.range.end_s = at.range.start_s + (float)(duration * (double)placed->speed);
	clip.clip.head.start_s = placed->start_s;
	clip.clip.head.end_s = (float)((double)placed->start_s + duration);
	clip.clip.head.loop = ANIM_LOOP_NONE;
	clip.clip.head.flags &= (uint8_t)~ANIM_END_DERIVED;
	clip.clip.clip = anim_store_clips(run->store);
	clip.used = true;
	/* The part belongs to the file of the clip, although another file places it. */
	if (home->path != NULL)
		result = anim_attrs_with(&clip.clip.head.attrs, &before, "file", home->path, &run->arena, run->error);
	if (result == 0)
		result = anim_sink_clip(anim_store_sink(run->store), &clip.clip.head, run->error);
	for (size_t i = 0; i < anim_store_tracks(run->store, from) && result == 0; i++) {
		anim_arena_reset(&at.arena);
		result = anim_store_read(run->store, from, i, &track, run->error);
		/* the same store gets the part */
		if (result == 0)
			result = anim_track_copy(&copy, &track, &at.arena, run->error);
		if (result == 0)
			result = place_track(&at, &copy);
	}
	*made = source->clips.size / sizeof clip;
	if (result == 0)
		result = anim_buffer_append(&source->clips, &clip, sizeof clip, run->error);
	anim_keys_clear(&at.keys);
	anim_arena_clear(&at.arena);
	return result;
}
