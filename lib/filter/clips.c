/* clips.c: keeps the clips that are wanted by name. */
#include "filter/clips.h"

#include <stdbool.h>
#include <stdlib.h>

#include "filter/clip_names.h"

struct clips {
	struct anim_sink sink;
	struct anim_sink *next;
	const char *const *patterns;
	bool *fitted; /* one a pattern */
	size_t count;
	bool dropping; /* the clip at hand and what stands in it */
	struct anim_clip_names names;
};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct clips *clips = (struct clips *)sink;

	clips->dropping = false;
	return anim_sink_tree(clips->next, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(((struct clips *)sink)->next, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct clips *clips = (struct clips *)sink;

	anim_clip_names_add(&clips->names, clip);
	clips->dropping = true;
	for (size_t i = 0; i < clips->count; i++) {
		if (anim_clip_match(clip, clips->patterns[i]) == ANIM_CLIP_OTHER)
			continue;
		clips->fitted[i] = true;
		clips->dropping = false;
	}
	return clips->dropping ? 0 : anim_sink_clip(clips->next, clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct clips *clips = (struct clips *)sink;

	return clips->dropping ? 0 : anim_sink_track(clips->next, track, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct clips *clips = (struct clips *)sink;

	return clips->dropping ? 0 : anim_sink_record(clips->next, record, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct clips *clips = (struct clips *)sink;
	char list[320];

	for (size_t i = 0; i < clips->count; i++) {
		if (clips->fitted[i])
			continue;
		anim_clip_names_print(&clips->names, list, sizeof list);
		return anim_fail(error, ANIM_BAD_INPUT, "no clip is called '%.100s'; there %s%s", clips->patterns[i],
				 clips->names.count == 0 ? "is none at all" : "are: ", list);
	}
	return anim_sink_end(clips->next, error);
}

static void on_free(struct anim_sink *sink)
{
	struct clips *clips = (struct clips *)sink;

	anim_sink_free(clips->next);
	free(clips->fitted);
	free(clips);
}

static const struct anim_sink_ops clips_ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};

struct anim_sink *anim_clips_new(const char *const *patterns, size_t count, struct anim_sink *next,
				 struct anim_error *error)
{
	struct clips *clips = calloc(1, sizeof *clips);
	bool *fitted = calloc(count + 1, sizeof *fitted);

	if (clips == NULL || fitted == NULL) {
		free(clips);
		free(fitted);
		anim_sink_free(next);
		anim_fail_memory(error);
		return NULL;
	}
	clips->sink.ops = &clips_ops;
	clips->next = next;
	clips->patterns = patterns;
	clips->fitted = fitted;
	clips->count = count;
	return &clips->sink;
}
