/* join.c: finds the clips that become one, keeps everything until it is known, and writes it. */
#include "filter/cat/join.h"

#include <string.h>

#include "base/map.h"
#include "filter/cat/join_internal.h"
#include "filter/clip_names.h"
#include "filter/filter.h"

/* A tree that is kept, in the order in which they came. */
struct tree {
	struct anim_kept_tree kept;
	size_t before; /* the clip that came next */
	bool used;     /* a clip belongs to it */
	struct tree *next;
};

/* Groups of one name, or of one name and player, in the order in which they began. */
struct row {
	struct anim_join_group *first, *last;
	struct anim_join_group *left; /* those before it are what the input `input` has joined or begun */
	size_t input;
};

struct join {
	struct anim_filter filter;
	struct anim_join_options options;
	struct anim_store *store;
	struct anim_arena arena; /* trees, parts and groups */
	struct tree *first_tree, *last_tree;
	struct anim_join_part **parts; /* of each clip in the store; in the arena */
	size_t part_capacity;
	size_t input; /* of the records that come */
	const char *file;
	bool one_each; /* no input has more than one clip beside RESET */
	size_t last_counted;
	struct anim_map row_numbers;         /* by name in scope 0, by player in those of the rows of names */
	struct row *rows;                    /* in the arena */
	struct anim_join_group **group_list; /* of the clip that leads it, else NULL; in the arena */
	struct anim_join_work work;
};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct join *join = (struct join *)sink;
	struct tree *kept = anim_arena_zeroed(&join->arena, 1, sizeof *kept, error);

	if (kept == NULL || anim_tree_copy(&kept->kept.head, tree, &join->arena, error) != 0)
		return -1;
	kept->kept.file = join->file;
	kept->before = anim_store_clips(join->store);
	if (join->last_tree == NULL)
		join->first_tree = kept;
	else
		join->last_tree->next = kept;
	join->last_tree = kept;
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct join *join = (struct join *)sink;

	return anim_kept_tree_add(&join->last_tree->kept, node, &join->arena, error);
}

/* Room for one more part; what it outgrows stays in the arena. */
static int grow_parts(struct join *join, size_t count, struct anim_error *error)
{
	size_t capacity = join->part_capacity == 0 ? 16 : 2 * join->part_capacity;
	struct anim_join_part **parts;

	if (count < join->part_capacity)
		return 0;
	parts = anim_arena_zeroed(&join->arena, capacity, sizeof(struct anim_join_part *), error);
	if (parts == NULL)
		return -1;
	if (count > 0)
		memcpy(parts, join->parts, count * sizeof *parts);
	join->parts = parts;
	join->part_capacity = capacity;
	return 0;
}

static void count_clip(struct join *join, const struct anim_clip *clip)
{
	if (anim_clip_is_reset(clip))
		return;
	if (join->last_counted == join->input)
		join->one_each = false;
	join->last_counted = join->input;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct join *join = (struct join *)sink;
	size_t number = anim_store_clips(join->store);
	struct anim_join_part *part = anim_arena_zeroed(&join->arena, 1, sizeof *part, error);

	if (part == NULL || grow_parts(join, number, error) != 0)
		return -1;
	part->clip = number;
	part->input = join->input;
	part->file = join->file;
	if (clip->flags & ANIM_IN_TREE) {
		part->tree = &join->last_tree->kept;
		join->last_tree->used = true;
	}
	join->parts[number] = part;
	count_clip(join, clip);
	return anim_sink_clip(anim_store_sink(join->store), clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(anim_store_sink(((struct join *)sink)->store), track, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return memcmp(record->tag, "prog", 4) == 0 ? anim_filter_record(sink, record, error) : 0;
}

/* The name under which a clip is joined: one for all where each input has but one to append. */
static const char *joint_name(const struct join *join, const struct anim_clip *clip)
{
	bool any = join->options.how == ANIM_JOIN_APPEND && join->one_each && !anim_clip_is_reset(clip);

	return any ? "" : clip->name;
}

/* The row of a text in a scope; an empty one where there is none. NULL out of memory. */
static struct row *row_of(struct join *join, uint64_t scope, const char *text, struct anim_error *error)
{
	size_t length = strlen(text);
	uint32_t number;

	if (!anim_map_get(&join->row_numbers, scope, text, length, &number)) {
		number = (uint32_t)join->row_numbers.count;
		if (anim_map_put(&join->row_numbers, scope, text, length, number, error) != 0)
			return NULL;
	}
	return &join->rows[number];
}

/* The rows that a clip's group is in: that of its name, and that of its name and player. 0 or -1. */
static int find_rows(struct join *join, const struct anim_clip *clip, struct row *rows[ANIM_JOIN_ROWS],
		     struct anim_error *error)
{
	const char *player = anim_attrs_get(&clip->attrs, "player");
	uint64_t scope;

	rows[ANIM_JOIN_OF_NAME] = row_of(join, 0, joint_name(join, clip), error);
	if (rows[ANIM_JOIN_OF_NAME] == NULL)
		return -1;
	scope = 2 * (uint64_t)(rows[ANIM_JOIN_OF_NAME] - join->rows + 1) + (player != NULL);
	rows[ANIM_JOIN_OF_PLAYER] = row_of(join, scope, player != NULL ? player : "", error);
	return rows[ANIM_JOIN_OF_PLAYER] == NULL ? -1 : 0;
}

/* The first group of a row that an earlier input began and this one has not joined; NULL: none. */
static struct anim_join_group *first_left(struct row *row, enum anim_join_row which, size_t input)
{
	if (row->input != input)
		row->left = row->first;
	row->input = input;
	while (row->left != NULL && row->left->last->input == input)
		row->left = row->left->next[which];
	return row->left;
}

static int begin_group(struct join *join, struct anim_join_part *part, struct row *const rows[ANIM_JOIN_ROWS],
		       struct anim_error *error)
{
	struct anim_join_group *group = anim_arena_zeroed(&join->arena, 1, sizeof *group, error);

	if (group == NULL)
		return -1;
	group->first = group->last = part;
	group->count = 1;
	group->tree = part->tree;
	join->group_list[part->clip] = group;
	for (int i = 0; i < ANIM_JOIN_ROWS; i++) {
		if (rows[i]->last == NULL)
			rows[i]->first = group;
		else
			rows[i]->last->next[i] = group;
		rows[i]->last = group;
	}
	return 0;
}

static int unite(struct join *join, struct anim_kept_tree *to, const struct anim_kept_tree *from,
		 struct anim_error *error)
{
	size_t differ;

	if (anim_kept_tree_unite(to, from, &differ, error) != 0)
		return -1;
	if (differ == 0)
		return 0;
	return anim_losses_add(join->options.losses, ANIM_WARNING, NULL, NULL, error,
			       "%zu nodes of %.100s rest elsewhere than in %.100s, whose rests are kept", differ,
			       from->file, to->file);
}

static int join_group(struct join *join, struct anim_join_group *group, struct anim_join_part *part,
		      struct anim_error *error)
{
	group->last->next = part;
	group->last = part;
	group->count++;
	if (group->tree == NULL)
		group->tree = part->tree;
	if (part->tree == NULL || part->tree == group->tree)
		return 0;
	return unite(join, group->tree, part->tree, error);
}

/* Joins a clip to the group of its name and player, or of its name, or begins one. */
static int place_part(struct join *join, struct anim_join_part *part, struct anim_error *error)
{
	struct row *rows[ANIM_JOIN_ROWS];
	struct anim_join_group *group;

	if (find_rows(join, anim_store_clip(join->store, part->clip), rows, error) != 0)
		return -1;
	group = first_left(rows[ANIM_JOIN_OF_PLAYER], ANIM_JOIN_OF_PLAYER, part->input);
	if (group == NULL)
		group = first_left(rows[ANIM_JOIN_OF_NAME], ANIM_JOIN_OF_NAME, part->input);
	return group == NULL ? begin_group(join, part, rows, error) : join_group(join, group, part, error);
}

static int find_groups(struct join *join, struct anim_error *error)
{
	size_t count = anim_store_clips(join->store);

	join->group_list = anim_arena_zeroed(&join->arena, count + 1, sizeof(struct anim_join_group *), error);
	join->rows = anim_arena_zeroed(&join->arena, count + 1, ANIM_JOIN_ROWS * sizeof *join->rows, error);
	if (join->group_list == NULL || join->rows == NULL)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (place_part(join, join->parts[i], error) != 0)
			return -1;
	return 0;
}

static int write_group(struct join *join, struct anim_join_group *group, struct anim_error *error)
{
	const struct anim_clip *first = anim_store_clip(join->store, group->first->clip);
	bool append = join->options.how == ANIM_JOIN_APPEND && !anim_clip_is_reset(first);
	struct anim_clip head;

	if (anim_join_head(&join->work, group, append, &head, error) != 0)
		return -1;
	if (group->count == 1)
		return anim_store_replay(join->store, group->first->clip, &head, join->filter.next, error);
	if (anim_sink_clip(join->filter.next, &head, error) != 0)
		return -1;
	return append ? anim_join_append(&join->work, group, error) : anim_join_merge(&join->work, group, error);
}

/* Trees that no clip belongs to, and that came before clip `before`. */
static int write_loose(struct join *join, struct tree **tree, size_t before, struct anim_kept_tree **last,
		       struct anim_error *error)
{
	for (; *tree != NULL && (*tree)->before <= before; *tree = (*tree)->next) {
		if ((*tree)->used)
			continue;
		*last = &(*tree)->kept;
		if (anim_kept_tree_replay(*last, join->filter.next, error) != 0)
			return -1;
	}
	return 0;
}

static int write_all(struct join *join, struct anim_error *error)
{
	struct anim_kept_tree *last = NULL;
	struct tree *loose = join->first_tree;

	for (size_t i = 0; i < anim_store_clips(join->store); i++) {
		struct anim_join_group *group = join->group_list[i];

		if (write_loose(join, &loose, i, &last, error) != 0)
			return -1;
		if (group == NULL)
			continue;
		if (group->tree != NULL && group->tree != last &&
		    anim_kept_tree_replay(group->tree, join->filter.next, error) != 0)
			return -1;
		last = group->tree != NULL ? group->tree : last;
		if (write_group(join, group, error) != 0)
			return -1;
	}
	return write_loose(join, &loose, SIZE_MAX, &last, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct join *join = (struct join *)sink;

	if (find_groups(join, error) != 0 || write_all(join, error) != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct join *join = (struct join *)sink;

	for (struct tree *tree = join->first_tree; tree != NULL; tree = tree->next)
		anim_kept_tree_clear(&tree->kept);
	anim_store_free(join->store);
	anim_map_clear(&join->row_numbers);
	anim_arena_clear(&join->work.arena);
	anim_arena_clear(&join->arena);
	anim_filter_free(sink);
}

void anim_join_begin(struct anim_sink *sink, const char *name)
{
	struct join *join = (struct join *)sink;

	join->input++;
	join->file = name;
}

struct anim_sink *anim_join_new(const struct anim_join_options *options, struct anim_sink *next,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};
	struct join *join = anim_filter_new(sizeof *join, &ops, next, error);

	if (join == NULL)
		return NULL;
	join->options = *options;
	join->file = "-";
	join->one_each = true;
	join->last_counted = SIZE_MAX;
	join->store = anim_store_new(options->store_memory, error);
	if (join->store == NULL) {
		anim_sink_free(&join->filter.sink);
		return NULL;
	}
	join->work = (struct anim_join_work){.store = join->store, .losses = options->losses, .next = next};
	return &join->filter.sink;
}
