/* filter.c: the base of all filters, and small filters. */
#include "filter/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/rest.h"
#include "filter/common/pose.h"
#include "stream/archive.h"

/* --- Passing input on --- */

static struct anim_sink *next_of(struct anim_sink *sink)
{
	return ((struct anim_filter *)sink)->next;
}

static void forget_nodes(struct anim_filter *filter)
{
	if (filter->rests != NULL)
		anim_rests_clear(filter->rests);
	if (filter->poses != NULL)
		anim_poses_clear(filter->poses);
}

int anim_filter_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_filter *filter = (struct anim_filter *)sink;

	forget_nodes(filter);
	if (filter->poses != NULL)
		filter->poses->axes = tree->axes;
	return anim_sink_tree(filter->next, tree, error);
}

int anim_filter_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct anim_filter *filter = (struct anim_filter *)sink;

	if ((filter->rests != NULL && anim_rests_add(filter->rests, node, error) != 0) ||
	    (filter->poses != NULL && anim_poses_add(filter->poses, node, error) != 0))
		return -1;
	return anim_sink_node(filter->next, node, error);
}

int anim_filter_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_sink_clip(next_of(sink), clip, error);
}

int anim_filter_keep(struct anim_filter *filter, const struct anim_clip *clip, struct anim_error *error)
{
	anim_arena_reset(&filter->clip_arena);
	return anim_clip_copy(&filter->clip, clip, &filter->clip_arena, error);
}

int anim_filter_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(next_of(sink), track, error);
}

int anim_filter_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return anim_sink_record(next_of(sink), record, error);
}

int anim_filter_end(struct anim_sink *sink, struct anim_error *error)
{
	struct anim_filter *filter = (struct anim_filter *)sink;

	if ((filter->rests != NULL && anim_rests_check(filter->rests, error) != 0) ||
	    (filter->poses != NULL && anim_rests_check(&filter->poses->rests, error) != 0))
		return -1;
	return anim_sink_end(filter->next, error);
}

void anim_filter_free(struct anim_sink *sink)
{
	forget_nodes((struct anim_filter *)sink);
	anim_arena_clear(&((struct anim_filter *)sink)->clip_arena);
	anim_sink_free(next_of(sink));
	free(sink);
}

void *(anim_filter_new)(size_t size, const struct anim_sink_ops *ops, struct anim_sink *next, struct anim_error *error)
{
	struct anim_filter *filter = anim_zeroed(size, error);

	if (filter == NULL) {
		anim_sink_free(next);
		return NULL;
	}
	filter->ops = (struct anim_sink_ops){
	    .tree = ops->tree != NULL ? ops->tree : anim_filter_tree,
	    .node = ops->node != NULL ? ops->node : anim_filter_node,
	    .clip = ops->clip != NULL ? ops->clip : anim_filter_clip,
	    .track = ops->track != NULL ? ops->track : anim_filter_track,
	    .record = ops->record != NULL ? ops->record : anim_filter_record,
	    .end = ops->end != NULL ? ops->end : anim_filter_end,
	    .free = ops->free != NULL ? ops->free : anim_filter_free,
	};
	filter->sink.ops = &filter->ops;
	filter->next = next;
	return filter;
}

/* --- Sorting keys --- */

int anim_track_sort(const struct anim_track *track, struct anim_track *out, struct anim_arena *arena,
		    struct anim_diagnostics *diagnostics, struct anim_error *error)
{
	if (anim_track_sorted(out, track, arena, error) != 0)
		return -1;
	return anim_diagnostics_track(diagnostics, track, error, "keys out of order were sorted");
}

/* --- Names --- */

char *anim_key_join(struct anim_arena *arena, const char *const *texts, size_t count, size_t *length,
		    struct anim_error *error)
{
	size_t size = 0, at = 0;
	char *key;

	for (size_t i = 0; i < count; i++)
		size += strlen(texts[i]) + 1;
	if ((key = anim_arena_alloc(arena, size, error)) == NULL)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		memcpy(key + at, texts[i], strlen(texts[i]) + 1);
		at += strlen(texts[i]) + 1;
	}
	*length = size - 1;
	return key;
}

char *anim_safe_copy(struct anim_arena *arena, const char *text, struct anim_error *error)
{
	size_t length = strlen(text), capacity = 4 * length + 1; /* at worst, \xNN for each byte */
	char *safe = anim_arena_alloc(arena, capacity, error);

	if (safe != NULL)
		anim_text_safe(safe, capacity, text, length);
	return safe;
}

char *anim_label_copy(struct anim_arena *arena, const char *node, const char *property, uint8_t component,
		      struct anim_error *error)
{
	const struct anim_track track = {.node = node, .property = property, .component = component};
	size_t capacity = anim_track_label(&track, NULL, 0) + 1;
	char *label = anim_arena_alloc(arena, capacity, error);

	if (label != NULL)
		anim_track_label(&track, label, capacity);
	return label;
}

/* --- Tracks that a filter does not support --- */

int anim_track_refuse(const struct anim_track *track, const char *why, struct anim_error *error)
{
	return anim_fail(error, ANIM_UNSUPPORTED, "'%s %s' %s", track->node, track->property, why);
}

int anim_track_check_local(const struct anim_track *track, struct anim_error *error)
{
	return !anim_track_is_placed(track)
		   ? 0
		   : anim_track_refuse(
			 track, "is in world space instead of its parent's space; " ANIM_ADVICE(WORLD_LATER), error);
}

int anim_track_is_muscle(const struct anim_track *track, struct anim_diagnostics *diagnostics, struct anim_error *error)
{
	if (anim_attrs_get(&track->attrs, "unity.humanoid") == NULL)
		return 0;
	return anim_diagnostics_warn(diagnostics, "humanoid curve", error,
				     "'%s': unchanged, because muscles are not bones; " ANIM_ADVICE(TO_MODEL),
				     track->property) != 0
		   ? -1
		   : 1;
}

/* --- Axes --- */

int anim_clip_in_axes(const struct anim_clip *clip, uint8_t axes, const char *what, struct anim_error *error)
{
	if (axes == ANIM_AXES_UNKNOWN || clip->axes == ANIM_AXES_UNKNOWN || axes == clip->axes)
		return 0;
	return anim_fail(error, ANIM_UNSUPPORTED, "clip '%s' is in %s axes, %s in %s axes; " ANIM_ADVICE(SAME_AXES),
			 clip->name, anim_axes_names[clip->axes], what, anim_axes_names[axes]);
}

/* --- A filter that sets an attribute --- */

struct attribute {
	struct anim_filter filter;
	const char *key, *value;
	struct anim_arena arena; /* for the current clip */
};

static int attribute_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct attribute *attribute = (struct attribute *)sink;
	struct anim_clip changed = *clip;

	anim_arena_reset(&attribute->arena);
	if (anim_attrs_with(&changed.attrs, &clip->attrs, attribute->key, attribute->value, &attribute->arena, error) !=
	    0)
		return -1;
	changed.record = NULL;
	return anim_filter_clip(sink, &changed, error);
}

static void attribute_free(struct anim_sink *sink)
{
	anim_arena_clear(&((struct attribute *)sink)->arena);
	anim_filter_free(sink);
}

struct anim_sink *anim_attribute_new(const char *key, const char *value, struct anim_sink *next,
				     struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = attribute_clip, .free = attribute_free};
	struct attribute *attribute = anim_filter_new(sizeof *attribute, &ops, next, error);

	if (attribute == NULL)
		return NULL;
	attribute->key = key;
	attribute->value = value;
	return &attribute->filter.sink;
}

/* --- A filter that counts tracks --- */

struct count {
	struct anim_filter filter;
	size_t *tracks;
	const struct anim_diagnostics *diagnostics;
};

static int count_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct count *count = (struct count *)sink;
	size_t before = count->diagnostics == NULL ? 0 : count->diagnostics->left_out;
	int result = anim_filter_track(sink, track, error);

	if (!(track->flags & ANIM_DISABLED) && (count->diagnostics == NULL || count->diagnostics->left_out == before))
		*count->tracks += 1;
	return result;
}

struct anim_sink *anim_count_new(size_t *tracks, const struct anim_diagnostics *diagnostics, struct anim_sink *next,
				 struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.track = count_track, .free = anim_filter_free};
	struct count *count = anim_filter_new(sizeof *count, &ops, next, error);

	if (count == NULL)
		return NULL;
	if (next->ops->node == NULL) /* tells callers that replay a tree that nodes are not needed */
		count->filter.ops.node = NULL;
	count->tracks = tracks;
	count->diagnostics = diagnostics;
	return &count->filter.sink;
}

/* --- A filter that undoes the preparation of columns for compression --- */

struct plain {
	struct anim_filter filter;
	struct anim_buffer bytes; /* of the new record */
	struct anim_arena arena;
};

static int plain_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct plain *plain = (struct plain *)sink;
	struct anim_track out = *track;
	struct anim_record record;

	if (track->record == NULL)
		return anim_filter_track(sink, track, error);
	anim_arena_reset(&plain->arena);
	if (anim_track_plain(track, &plain->bytes, &plain->arena, error) != 0)
		return -1;
	if (plain->bytes.size == 0)
		return anim_filter_track(sink, track, error);
	anim_record_at(plain->bytes.data, track->record->offset, &record);
	out.record = &record;
	return anim_filter_track(sink, &out, error);
}

static void plain_free(struct anim_sink *sink)
{
	struct plain *plain = (struct plain *)sink;

	anim_buffer_clear(&plain->bytes);
	anim_arena_clear(&plain->arena);
	anim_filter_free(sink);
}

struct anim_sink *anim_plain_new(struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.track = plain_track, .free = plain_free};
	struct plain *plain = anim_filter_new(sizeof *plain, &ops, next, error);

	return plain == NULL ? NULL : &plain->filter.sink;
}
