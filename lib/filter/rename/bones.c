/* bones.c: nodes that tracks move become bones of a skeleton. */
#include "filter/rename/bones.h"

#include <string.h>

#include "filter/clip_names.h"
#include "filter/filter.h"
#include "filter/rename/bones_plan.h"
#include "filter/rename/identity.h"
#include "filter/rename/name.h"
#include "stream/store.h"

struct bones {
	struct anim_filter filter;
	struct anim_bones_options options;
	struct anim_sink replayed; /* what the store gives back comes in here */
	struct anim_store *store;  /* of the clips of the tree at hand; NULL: none came */
	struct anim_new_tree tree;
	struct anim_bones_plan plan;
	struct anim_identities identities;
	struct anim_arena head, arena; /* of the clip at hand, of its track at hand */
	struct anim_clip clip;
	bool selected, any;
};

static struct bones *of_replayed(struct anim_sink *sink)
{
	return (struct bones *)(void *)((char *)(void *)sink - offsetof(struct bones, replayed));
}

static enum anim_bones_scope scope_of(const struct bones *bones)
{
	return (bones->clip.flags & ANIM_IN_TREE) != 0 ? ANIM_BONES_IN_TREE : ANIM_BONES_LOOSE;
}

static int keep_clip(struct bones *bones, const struct anim_clip *clip, struct anim_error *error)
{
	const struct anim_rename_selection *select = &bones->options.select;

	anim_arena_reset(&bones->head);
	bones->selected = select->clip_count == 0;
	for (size_t i = 0; i < select->clip_count; i++)
		bones->selected |= anim_clip_match(clip, select->clips[i]) != ANIM_CLIP_OTHER;
	return anim_clip_copy(&bones->clip, clip, &bones->head, error);
}

/* Whether the track is meant; one of a bone already is not. */
static bool selects(const struct bones *bones, const struct anim_track *track)
{
	const struct anim_rename_selection *select = &bones->options.select;

	if (strncmp(bones->clip.source, "godot", 5) == 0 && strchr(track->node, ':') != NULL)
		return false;
	return bones->selected && anim_rename_selects(select->nodes, select->node_count, track->node) &&
	       anim_rename_selects(select->properties, select->property_count, track->property);
}

/* True for transforms in space; RectTransforms (class 224) lie in a canvas. */
static bool moves(const struct anim_track *track)
{
	static const char *const parts[] = {"position", "rotation", "euler", "scale"};
	const char *class = anim_attrs_get(&track->attrs, "unity.class");

	if (class != NULL && strcmp(class, "224") == 0)
		return false;
	if (track->component == ANIM_WHOLE && anim_types[track->type].lanes < 3)
		return false;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strcmp(track->property, parts[i]) == 0)
			return anim_track_is_transform(track);
	return false;
}

static int replay_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct bones *bones = of_replayed(sink);

	anim_identities_clear(&bones->identities);
	if (keep_clip(bones, clip, error) != 0)
		return -1;
	return anim_sink_clip(bones->filter.next, clip, error);
}

/*
 * That the ':' parts a bone, as it does in Godot alone. Unity binds by the way through all Transforms, which a bone's name
 * does not tell: it is kept for its writer. 0 or -1.
 */
static int tell_bone(struct bones *bones, const struct anim_track *track, struct anim_track *out,
		     struct anim_error *error)
{
	if (strncmp(bones->clip.source, "godot", 5) != 0 &&
	    anim_attrs_with(&out->attrs, &track->attrs, "godot.bone", "true", &bones->arena, error) != 0)
		return -1;
	if (strcmp(bones->clip.source, "unity") != 0 || anim_attrs_get(&track->attrs, "unity.path") != NULL)
		return 0;
	return anim_attrs_with(&out->attrs, &out->attrs, "unity.path", track->node, &bones->arena, error);
}

static int replay_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct bones *bones = of_replayed(sink);
	struct anim_track out = *track;
	bool bone;

	anim_arena_reset(&bones->arena);
	if (selects(bones, track)) {
		out.node = anim_bones_plan_node(&bones->plan, scope_of(bones), bones->clip.root, track->node,
						moves(track), &bone, &bones->arena, error);
		if (out.node == NULL)
			return -1;
		bones->any |= bone;
		if (out.node != track->node)
			out.record = NULL;
		if (out.node != track->node && bone && tell_bone(bones, track, &out, error) != 0)
			return -1;
	}
	if (anim_identities_add(&bones->identities, track, &out, bones->options.losses, error) != 0)
		return -1;
	return anim_sink_track(bones->filter.next, &out, error);
}

static int flush(struct bones *bones, struct anim_error *error)
{
	size_t clips = bones->store == NULL ? 0 : anim_store_clips(bones->store);

	if (anim_bones_plan_make(&bones->plan, &bones->tree, error) != 0 ||
	    anim_new_tree_write(&bones->tree, bones->options.losses, bones->filter.next, error) != 0)
		return -1;
	for (size_t i = 0; i < clips; i++)
		if (anim_store_replay(bones->store, i, NULL, &bones->replayed, error) != 0)
			return -1;
	anim_store_free(bones->store);
	bones->store = NULL;
	anim_bones_plan_reset(&bones->plan);
	return 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct bones *bones = (struct bones *)sink;

	return flush(bones, error) != 0 ? -1 : anim_new_tree_begin(&bones->tree, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_new_tree_add(&((struct bones *)sink)->tree, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct bones *bones = (struct bones *)sink;

	if (bones->store == NULL && (bones->store = anim_store_new(bones->options.store_memory, error)) == NULL)
		return -1;
	if (keep_clip(bones, clip, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(bones->store), clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct bones *bones = (struct bones *)sink;

	if (selects(bones, track) &&
	    anim_bones_plan_add(&bones->plan, scope_of(bones), bones->clip.root, track->node, moves(track), error) != 0)
		return -1;
	return anim_sink_track(anim_store_sink(bones->store), track, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct bones *bones = (struct bones *)sink;

	return bones->tree.held && bones->store == NULL ? anim_new_tree_record(&bones->tree, record, error)
							: anim_filter_record(sink, record, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct bones *bones = (struct bones *)sink;
	struct anim_place nowhere = {.file = "", .at = ANIM_AT_FILE};

	if (flush(bones, error) != 0)
		return -1;
	if (!bones->any && anim_losses_add(bones->options.losses, ANIM_WARNING, &nowhere, NULL, error,
					   "no track became one of a bone of '%s'", bones->options.path) != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct bones *bones = (struct bones *)sink;

	anim_store_free(bones->store);
	anim_new_tree_clear(&bones->tree);
	anim_bones_plan_clear(&bones->plan);
	anim_identities_clear(&bones->identities);
	anim_arena_clear(&bones->head);
	anim_arena_clear(&bones->arena);
	anim_filter_free(sink);
}

struct anim_sink *anim_bones_new(const struct anim_bones_options *options, struct anim_sink *next,
				 struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};
	static const struct anim_sink_ops replayed = {.clip = replay_clip, .track = replay_track};
	struct bones *bones = anim_filter_new(sizeof *bones, &ops, next, error);

	if (bones == NULL)
		return NULL;
	bones->options = *options;
	bones->plan.path = options->path;
	bones->replayed.ops = &replayed;
	return &bones->filter.sink;
}
