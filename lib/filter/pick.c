/* pick.c: one clip out of a stream, or one sink per clip, for targets that hold one. */
#include "filter/pick.h"

#include <stdlib.h>
#include <string.h>

#include "filter/clip_names.h"
#include "stream/store.h"

/* How much a clip is wanted. A second choice is taken only where no first one comes; it waits in a store until then. */
enum choice { NOT_WANTED, SECOND_CHOICE, FIRST_CHOICE };

struct pick {
	struct anim_sink sink;
	struct anim_pick_options options;
	struct anim_store *tree;        /* the last TREE with its nodes; NULL: none came */
	bool in_tree;                   /* nothing but nodes came behind it */
	struct anim_store *waiting;     /* the second choice, its tree before it */
	struct anim_sink *live;         /* of the clip that is written */
	const struct anim_scope *scope; /* of the clip that is written, or waits */
	struct anim_sink *current;      /* where the tracks of the clip at hand go; NULL: nowhere. Borrowed */
	struct anim_clip_names all, first, second;
};

static enum choice choose(const struct pick *pick, const struct anim_clip *clip)
{
	if (pick->options.clip == NULL)
		return anim_clip_is_reset(clip) ? SECOND_CHOICE : FIRST_CHOICE;
	switch (anim_clip_match(clip, pick->options.clip)) {
	case ANIM_CLIP_EXACT:
		return FIRST_CHOICE;
	case ANIM_CLIP_BY_GLOB:
		return SECOND_CHOICE;
	case ANIM_CLIP_OTHER:
		break;
	}
	return NOT_WANTED;
}

/* Begins a clip in a sink: its tree, where it belongs to one and the sink takes trees, then its head. */
static int begin(struct anim_store *tree, struct anim_sink *to, const struct anim_clip *clip, struct anim_error *error)
{
	if (tree != NULL && to->ops->tree != NULL && (clip->flags & ANIM_IN_TREE) &&
	    anim_store_replay_trees(tree, to, error) != 0)
		return -1;
	return anim_sink_clip(to, clip, error);
}

static int open_live(struct pick *pick, const struct anim_clip *clip, struct anim_error *error)
{
	pick->live = pick->options.make(pick->options.context, clip, error);
	return pick->live == NULL ? -1 : 0;
}

static int close_live(struct pick *pick, struct anim_error *error)
{
	const struct anim_scope *now = pick->options.losses->scope;
	int result;

	pick->options.losses->scope = pick->scope;
	result = anim_sink_end(pick->live, error);
	pick->options.losses->scope = now;
	anim_sink_free(pick->live);
	pick->live = pick->current = NULL;
	return result != 0 ? -1 : pick->options.finish(pick->options.context, error);
}

static void drop_live(struct pick *pick)
{
	anim_sink_free(pick->live);
	pick->live = NULL;
}

static void drop_waiting(struct pick *pick)
{
	anim_store_free(pick->waiting);
	pick->waiting = NULL;
}

static int write_clip(struct pick *pick, const struct anim_clip *clip, struct anim_error *error)
{
	if (open_live(pick, clip, error) != 0)
		return -1;
	pick->current = pick->live;
	pick->scope = pick->options.losses->scope;
	return begin(pick->tree, pick->live, clip, error);
}

static int let_wait(struct pick *pick, const struct anim_clip *clip, struct anim_error *error)
{
	pick->waiting = anim_store_new(pick->options.store_memory, error);
	if (pick->waiting == NULL)
		return -1;
	pick->current = anim_store_sink(pick->waiting);
	pick->scope = pick->options.losses->scope;
	return begin(pick->tree, pick->current, clip, error);
}

/* The only first choice is written as it comes; of several, none. */
static int on_first_choice(struct pick *pick, const struct anim_clip *clip, struct anim_error *error)
{
	anim_clip_names_add(&pick->first, clip);
	drop_waiting(pick);
	if (pick->first.count == 1)
		return write_clip(pick, clip, error);
	drop_live(pick);
	return 0;
}

static int on_second_choice(struct pick *pick, const struct anim_clip *clip, struct anim_error *error)
{
	anim_clip_names_add(&pick->second, clip);
	if (pick->first.count > 0)
		return 0;
	if (pick->second.count == 1)
		return let_wait(pick, clip, error);
	drop_waiting(pick);
	return 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct pick *pick = (struct pick *)sink;

	pick->current = NULL;
	pick->in_tree = false;
	anim_clip_names_add(&pick->all, clip);
	if (pick->options.each) {
		if (pick->live != NULL && close_live(pick, error) != 0)
			return -1;
		return write_clip(pick, clip, error);
	}
	switch (choose(pick, clip)) {
	case FIRST_CHOICE:
		return on_first_choice(pick, clip, error);
	case SECOND_CHOICE:
		return on_second_choice(pick, clip, error);
	case NOT_WANTED:
		break;
	}
	return 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct pick *pick = (struct pick *)sink;

	pick->current = NULL;
	if (pick->options.saw_tree != NULL && pick->options.saw_tree(pick->options.context, tree, error) != 0)
		return -1;
	anim_store_free(pick->tree);
	pick->tree = anim_store_new(pick->options.store_memory, error);
	pick->in_tree = true;
	return pick->tree == NULL ? -1 : anim_sink_tree(anim_store_sink(pick->tree), tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(anim_store_sink(((struct pick *)sink)->tree), node, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct pick *pick = (struct pick *)sink;

	return pick->current == NULL ? 0 : anim_sink_track(pick->current, track, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	struct pick *pick = (struct pick *)sink;

	if (pick->in_tree)
		return anim_store_keep_record(pick->tree, record, error);
	return pick->current == NULL ? 0 : anim_sink_record(pick->current, record, error);
}

static int fail_several(const struct pick *pick, const struct anim_clip_names *names, struct anim_error *error)
{
	const char *way = anim_clip_names_same(names) ? NULL : anim_clip_names_collide(names) ? "PLAYER:NAME" : "NAME";
	const char *suffix = pick->options.suffix != NULL ? pick->options.suffix : pick->options.format;
	char list[300];

	anim_clip_names_print(names, NULL, list, sizeof list);
	if (way == NULL)
		return anim_fail(error, ANIM_BAD_INPUT,
				 "%s holds one clip, %zu %s: %s; some have one player and name, which "
				 "--each '%%c.%s' writes all",
				 pick->options.format, names->count,
				 pick->options.clip != NULL ? "fit -c" : "are in the stream", list, suffix);
	if (pick->options.clip != NULL)
		return anim_fail(error, ANIM_BAD_INPUT, "%zu clips fit -c '%.60s': %s; pick one with -c %s",
				 names->count, pick->options.clip, list, way);
	return anim_fail(error, ANIM_BAD_INPUT,
			 "%s holds one clip, the stream has %zu: %s; pick one with -c %s, or --each '%%c.%s'",
			 pick->options.format, names->count, list, way, suffix);
}

static int fail_none(const struct pick *pick, struct anim_error *error)
{
	char list[300];

	if (pick->all.count == 0)
		return anim_fail(error, ANIM_BAD_INPUT, "the stream holds no clip");
	anim_clip_names_print(&pick->all, pick->options.clip, list, sizeof list);
	return anim_fail(error, ANIM_BAD_INPUT, "no clip is called '%.60s'; the stream has: %s", pick->options.clip,
			 list);
}

static int write_waiting(struct pick *pick, struct anim_error *error)
{
	pick->options.losses->scope = pick->scope;
	if (open_live(pick, anim_store_clip(pick->waiting, 0), error) != 0)
		return -1;
	if (anim_store_replay_trees(pick->waiting, pick->live, error) != 0 ||
	    anim_store_replay(pick->waiting, 0, NULL, pick->live, error) != 0)
		return -1;
	return close_live(pick, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct pick *pick = (struct pick *)sink;

	if (pick->live != NULL)
		return close_live(pick, error);
	if (pick->waiting != NULL)
		return write_waiting(pick, error);
	if (pick->first.count > 0 || pick->second.count > 0)
		return fail_several(pick, pick->first.count > 0 ? &pick->first : &pick->second, error);
	return fail_none(pick, error);
}

static void on_free(struct anim_sink *sink)
{
	struct pick *pick = (struct pick *)sink;

	drop_live(pick);
	drop_waiting(pick);
	anim_store_free(pick->tree);
	free(pick);
}

static const struct anim_sink_ops pick_ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};

struct anim_sink *anim_pick_new(const struct anim_pick_options *options, struct anim_error *error)
{
	struct pick *pick = calloc(1, sizeof *pick);

	if (pick == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	pick->sink.ops = &pick_ops;
	pick->options = *options;
	return &pick->sink;
}
