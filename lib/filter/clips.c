/* clips.c: keeps the clips that are wanted by name. */
#include "filter/clips.h"

#include <stdlib.h>
#include <string.h>

#include "filter/clip_names.h"
#include "filter/filter.h"

struct clips {
	struct anim_filter filter;
	const char *const *patterns;
	bool *fitted; /* one a pattern */
	size_t count;
	bool dropping; /* the clip at hand and what stands in it */
	struct anim_clip_names names;
};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	((struct clips *)sink)->dropping = false;
	return anim_filter_tree(sink, tree, error);
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
	return clips->dropping ? 0 : anim_filter_clip(sink, clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return ((struct clips *)sink)->dropping ? 0 : anim_filter_track(sink, track, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return ((struct clips *)sink)->dropping ? 0 : anim_filter_record(sink, record, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct clips *clips = (struct clips *)sink;
	char list[320];

	for (size_t i = 0; i < clips->count; i++) {
		if (clips->fitted[i])
			continue;
		anim_clip_names_print(&clips->names, clips->patterns[i], list, sizeof list);
		return anim_fail(error, ANIM_BAD_INPUT, "no clip is called '%.100s'; there %s%s", clips->patterns[i],
				 clips->names.count == 0 ? "is none at all" : "are: ", list);
	}
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	free(((struct clips *)sink)->fitted);
	anim_filter_free(sink);
}

static bool name_may_fit(const struct anim_clip *clip, const char *pattern)
{
	if (anim_clip_match(clip, pattern) != ANIM_CLIP_OTHER)
		return true;
	while ((pattern = strchr(pattern, ':')) != NULL)
		if (anim_clip_match(clip, ++pattern) != ANIM_CLIP_OTHER)
			return true;
	return false;
}

bool anim_clips_may_fit(struct anim_sink *sink, const char *name)
{
	struct clips *clips = (struct clips *)sink;
	const struct anim_clip clip = {.name = name};

	for (size_t i = 0; i < clips->count; i++)
		if (name_may_fit(&clip, clips->patterns[i]))
			return true;
	anim_clip_names_add(&clips->names, &clip);
	return false;
}

struct anim_sink *anim_clips_new(const char *const *patterns, size_t count, struct anim_sink *next,
				 struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree,   anim_filter_node, on_clip, on_track,
						 on_record, on_end,           on_free};
	struct clips *clips = anim_filter_new(sizeof *clips, &ops, next, error);

	if (clips == NULL)
		return NULL;
	clips->patterns = patterns;
	clips->count = count;
	clips->fitted = calloc(count + 1, sizeof *clips->fitted);
	if (clips->fitted == NULL) {
		anim_fail_memory(error);
		anim_sink_free(&clips->filter.sink);
		return NULL;
	}
	return &clips->filter.sink;
}
