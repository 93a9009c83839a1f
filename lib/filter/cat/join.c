/* join.c: finds the clips of several streams that become one, and writes them merged or one after another. */
#include "filter/cat/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/buffer.h"
#include "filter/clips.h"
#include "filter/filter.h"

/* ---- Trees that are kept, and merged by the paths of their nodes ---- */

/* Add a node. Its texts must outlive the tree. */
static int add_node(struct anim_kept_tree *tree, const struct anim_node *node, struct anim_error *error)
{
	uint32_t number;

	if (tree->count == tree->capacity) {
		size_t capacity = tree->capacity == 0 ? 16 : tree->capacity * 2, bytes;
		struct anim_node *moved;

		if (tree->count >= ANIM_NO_PARENT)
			return anim_fail(error, ANIM_TOO_LARGE, "the merged tree has too many nodes");
		if (anim_size_multiply(capacity, sizeof *moved, &bytes, error) != 0)
			return -1;
		moved = realloc(tree->nodes, bytes);
		if (moved == NULL)
			return anim_fail_memory(error);
		tree->nodes = moved;
		tree->capacity = capacity;
	}
	tree->nodes[tree->count] = *node;
	if (!anim_map_get(&tree->numbers, 0, node->path, strlen(node->path), &number) &&
	    anim_map_put(&tree->numbers, 0, node->path, strlen(node->path), (uint32_t)tree->count, error) != 0)
		return -1;
	tree->count++;
	return 0;
}

/*
 * Add the nodes of `from` whose paths are not in `to` (texts are shared). *differ is the number of nodes that are in
 * both with a different position, rotation or scale. For these, `to` stays unchanged. If `from` was also the last tree
 * to be merged, nothing is done. Returns 0 or -1.
 */
static int kept_tree_unite(struct anim_kept_tree *to, const struct anim_kept_tree *from, size_t *differ,
			   struct anim_error *error)
{
	uint32_t *numbers; /* of the nodes of `from` in `to`. Parents come before children. */
	int result = 0;

	*differ = 0;
	if (to->united == from && to->united_count == from->count)
		return 0;
	numbers = calloc(from->count + 1, sizeof *numbers);
	if (numbers == NULL)
		return anim_fail_memory(error);
	to->united = from;
	to->united_count = from->count;
	for (size_t i = 0; i < from->count && result == 0; i++) {
		struct anim_node node = from->nodes[i];

		if (anim_map_get(&to->numbers, 0, node.path, strlen(node.path), &numbers[i])) {
			const struct anim_node *kept = &to->nodes[numbers[i]];

			*differ += kept->has != node.has ||
				   memcmp(kept->position, node.position, sizeof node.position) != 0 ||
				   memcmp(kept->rotation, node.rotation, sizeof node.rotation) != 0 ||
				   memcmp(kept->scale, node.scale, sizeof node.scale) != 0;
			continue;
		}
		numbers[i] = (uint32_t)to->count;
		if (to->count > 0)
			node.parent = node.parent == ANIM_NO_PARENT ? 0 : numbers[node.parent];
		result = add_node(to, &node, error);
	}
	free(numbers);
	return result;
}

static int kept_tree_replay(const struct anim_kept_tree *tree, struct anim_sink *sink, struct anim_error *error)
{
	if (anim_sink_tree(sink, &tree->head, error) != 0)
		return -1;
	for (size_t i = 0; i < tree->count; i++)
		if (anim_sink_node(sink, &tree->nodes[i], error) != 0)
			return -1;
	return 0;
}

/* ---- Which tracks of several clips are the same track ---- */

/* A name of tracks. Tracks of a clip with the same node, property and component differ by their order. */
struct track_name {
	size_t part, seen; /* number of such tracks so far in the current part */
	uint32_t *numbers; /* identity of the first, second ... track; in the arena */
	size_t capacity;
};

struct identity_work {
	struct anim_join_identities *identities;
	struct anim_map names;   /* "node\0property" in the scope of its component -> number of the name */
	struct track_name *name; /* one for each name */
	size_t name_capacity;
	struct anim_error *error;
};

static void *grown(struct anim_arena *arena, const void *old, size_t count, size_t size, struct anim_error *error)
{
	void *moved = anim_arena_zeroed(arena, 2 * count + 4, size, error);

	if (moved != NULL && count > 0)
		memcpy(moved, old, count * size);
	return moved;
}

/* Return the name of a track, a new one if necessary. NULL if out of memory. */
static struct track_name *name_of(struct identity_work *work, const struct anim_store_track *track)
{
	struct anim_arena *arena = &work->identities->arena;
	size_t length;
	char *key = anim_key_join(arena, (const char *const[]){track->node, track->property}, 2, &length, work->error);
	uint32_t number;

	if (key == NULL)
		return NULL;
	if (anim_map_get(&work->names, track->component, key, length, &number))
		return &work->name[number];
	number = (uint32_t)work->names.count;
	if (number == work->name_capacity) {
		work->name = grown(arena, work->name, work->name_capacity, sizeof *work->name, work->error);
		work->name_capacity = 2 * work->name_capacity + 4;
	}
	if (work->name == NULL || anim_map_put(&work->names, track->component, key, length, number, work->error) != 0)
		return NULL;
	return &work->name[number];
}

/* Set the identity of a track of a part. Returns 0 or -1. */
static int identify(struct identity_work *work, const struct anim_store_track *track, size_t part, uint32_t *identity)
{
	struct track_name *name = name_of(work, track);
	size_t at;

	if (name == NULL)
		return -1;
	if (name->part != part + 1)
		name->seen = 0;
	name->part = part + 1;
	at = name->seen++;
	if (at >= name->capacity) {
		name->numbers =
		    grown(&work->identities->arena, name->numbers, name->capacity, sizeof *name->numbers, work->error);
		if (name->numbers == NULL)
			return -1;
		name->capacity = 2 * name->capacity + 4;
	}
	if (name->numbers[at] == 0)
		name->numbers[at] = (uint32_t)++work->identities->count;
	*identity = name->numbers[at] - 1;
	return 0;
}

int join_identify(struct anim_join_identities *identities, const struct anim_store *store,
		  const struct anim_join_group *group, struct anim_error *error)
{
	struct identity_work work = {.identities = identities, .error = error};
	size_t number = 0;
	int result;

	memset(identities, 0, sizeof *identities);
	identities->of = anim_arena_zeroed(&identities->arena, group->count, sizeof *identities->of, error);
	result = identities->of == NULL ? -1 : 0;
	for (const struct anim_join_part *part = group->first; part != NULL && result == 0;
	     part = part->next, number++) {
		size_t count = anim_store_tracks(store, part->clip);
		uint32_t *of = anim_arena_zeroed(&identities->arena, count + 1, sizeof *of, error);

		identities->of[number] = of;
		result = of == NULL ? -1 : 0;
		for (size_t i = 0; i < count && result == 0; i++)
			result = identify(&work, anim_store_track_at(store, part->clip, i), number, &of[i]);
	}
	anim_map_clear(&work.names);
	return result;
}

void join_identities_clear(struct anim_join_identities *identities)
{
	anim_arena_clear(&identities->arena);
	memset(identities, 0, sizeof *identities);
}

/* ---- The head of a clip that is made of several ---- */

/* Check the axes: clips cannot be joined if their axes are known and differ. */
static int join_axes(uint8_t *axes, uint8_t other, const char *const *names, const struct anim_clip *clip,
		     const struct anim_join_part *part, struct anim_error *error)
{
	if (*axes == 0)
		*axes = other;
	if (other == 0 || other == *axes)
		return 0;
	return anim_fail(error, ANIM_BAD_INPUT,
			 "clip '%.100s' is in %s axes, but in %.100s it is in %s axes; " ANIM_ADVICE(SAME_AXES),
			 clip->name, names[*axes], part->file, names[other]);
}

/* Report the differences of a clip from the first one that do not prevent a join. Returns 0 or -1. */
static int report_differences(struct anim_join_work *work, const struct anim_clip *head, const struct anim_clip *clip,
			      const struct anim_join_part *part, bool append, struct anim_error *error)
{
	if (strcmp(head->root, clip->root) != 0 &&
	    anim_diagnostics_warn(work->diagnostics, "clip", error,
				  "'%.100s' of %.100s (root '%.100s'): another root than the first clip, at which node "
				  "paths now start" ANIM_DETAIL " ('%.100s')",
				  clip->name, part->file, clip->root, head->root) != 0)
		return -1;
	if (head->loop != clip->loop &&
	    anim_diagnostics_note(work->diagnostics, "clip", error,
				  "'%.100s' of %.100s (%s): another loop mode than the first clip, whose mode is "
				  "kept" ANIM_DETAIL " (%s)",
				  clip->name, part->file, anim_loop_names[clip->loop],
				  anim_loop_names[head->loop]) != 0)
		return -1;
	/* a loop that has become longer repeats later than before */
	if (append || head->loop == ANIM_LOOP_NONE || (head->start_s == clip->start_s && head->end_s == clip->end_s))
		return 0;
	return anim_diagnostics_warn(
	    work->diagnostics, "looping clip", error,
	    "'%.100s' of %.100s: another start or end than the first clip; the longer time is kept", clip->name,
	    part->file);
}

/* Return whether all tracks of a part are shapes of a face. A clip without tracks is not a face: its tree may be a skeleton. */
static bool is_face(const struct anim_join_part *part)
{
	return part->shapes && !part->places;
}

/*
 * Make the head of the joined clip: it has the settings of the first part, and it lasts to the end of the others.
 * Differences that prevent a join are errors, all others are reported.
 */
static int join_head(struct anim_join_work *work, struct anim_join_group *group, bool append, struct anim_clip *head,
		     struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(work->store, group->first->clip);
	double end_s = (double)clip->end_s;
	const char *last = clip->name; /* clips of blends have the name of the clip before them or after them */

	*head = *clip;
	if (group->owner != NULL && group->owner != group->first && is_face(group->first))
		head->root = anim_store_clip(work->store, group->owner->clip)->root;
	for (struct anim_join_part *part = group->first->next; part != NULL; part = part->next) {
		clip = anim_store_clip(work->store, part->clip);
		if (join_axes(&head->axes, clip->axes, anim_axes_names, head, part, error) != 0 ||
		    join_axes(&head->axes2d, clip->axes2d, anim_axes2d_names, head, part, error) != 0 ||
		    report_differences(work, head, clip, part, append, error) != 0)
			return -1;
		if (append && strcmp(head->name, clip->name) != 0 && strcmp(last, clip->name) != 0 &&
		    anim_diagnostics_note(
			work->diagnostics, "clip", error,
			"'%.100s' of %.100s: joined to a clip of another name, which is kept" ANIM_DETAIL " ('%.100s')",
			clip->name, part->file, head->name) != 0)
			return -1;
		last = clip->name;
		if (append) {
			part->shift_s = end_s - (double)clip->start_s;
			head->end_s = (float)((double)clip->end_s + part->shift_s);
		} else {
			head->start_s = clip->start_s < head->start_s ? clip->start_s : head->start_s;
			head->end_s = clip->end_s > head->end_s ? clip->end_s : head->end_s;
		}
		if (!(clip->flags & ANIM_END_DERIVED))
			head->flags &= (uint8_t)~ANIM_END_DERIVED;
		if (head->rate_num == 0) {
			head->rate_num = clip->rate_num;
			head->rate_den = clip->rate_den;
		}
		end_s += (double)clip->end_s - (double)clip->start_s;
		head->record = NULL;
	}
	if (group->tree != NULL && !(head->flags & ANIM_IN_TREE)) {
		head->flags |= ANIM_IN_TREE;
		head->record = NULL;
	}
	return 0;
}

/* ---- The tracks of several clips merged ---- */

/* Write the merged tracks of a group, after its head was written: of each identity the last one. Returns 0 or -1. */
static int join_merge(struct anim_join_work *work, const struct anim_join_group *group, struct anim_error *error)
{
	struct anim_join_identities identities;
	const struct anim_join_part *part;
	size_t *last, number; /* last[identity]: the last part that has it */
	int result = -1;

	if (join_identify(&identities, work->store, group, error) != 0 ||
	    (last = anim_arena_zeroed(&identities.arena, identities.count + 1, sizeof *last, error)) == NULL)
		goto done;
	for (part = group->first, number = 0; part != NULL; part = part->next, number++)
		for (size_t i = 0; i < anim_store_tracks(work->store, part->clip); i++)
			last[identities.of[number][i]] = number;
	for (part = group->first, number = 0; part != NULL; part = part->next, number++)
		for (size_t i = 0; i < anim_store_tracks(work->store, part->clip); i++) {
			const struct anim_store_track *at = anim_store_track_at(work->store, part->clip, i);
			struct anim_track track;

			if (last[identities.of[number][i]] != number) {
				if (anim_diagnostics_warn(work->diagnostics, "track", error,
							  "'%.100s %.100s' of clip '%.100s' in %.100s: also in a later "
							  "input, which is used",
							  at->node, at->property,
							  anim_store_clip(work->store, part->clip)->name,
							  part->file) != 0)
					goto done;
				continue;
			}
			if (anim_store_read(work->store, part->clip, i, &track, error) != 0 ||
			    anim_sink_track(work->next, &track, error) != 0)
				goto done;
		}
	result = 0;
done:
	join_identities_clear(&identities);
	return result;
}

/* ---- The filter: finds the clips that become one, stores everything until then, and writes it ---- */

/* A stored tree. Trees are in the order in which they arrived. */
struct join_tree_item {
	struct anim_kept_tree kept;
	size_t before; /* number of the next clip */
	bool used;     /* a clip belongs to it */
	struct join_tree_item *next;
};

/* Groups of one name, or of one name and player, in the order in which they began. */
struct join_row {
	struct anim_join_group *first, *last;
	struct anim_join_group *left; /* input `input` has already joined or begun the groups before this one */
	size_t input;
};

struct join {
	struct anim_filter filter;
	struct anim_join_options options;
	struct anim_store *store;
	struct anim_arena arena; /* trees, parts and groups */
	struct join_tree_item *first_tree, *last_tree;
	struct anim_join_part **parts; /* of each clip in the store; in the arena */
	size_t part_capacity;
	size_t input; /* number of the current input */
	const char *file;
	bool one_each; /* no input has more than one clip, not counting RESET */
	bool in_turn;  /* all clips of the only input are appended */
	struct anim_clips_wanted order;
	size_t last_counted;
	struct anim_map row_numbers;         /* by name in scope 0, by player in the scopes of the name rows */
	struct join_row *rows;               /* in the arena */
	struct anim_join_group **group_list; /* the group that each clip begins, or NULL; in the arena */
	struct anim_join_work work;
};

static int join_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct join *join = (struct join *)sink;
	struct join_tree_item *kept = anim_arena_zeroed(&join->arena, 1, sizeof *kept, error);

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

static int join_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct join *join = (struct join *)sink;
	struct anim_node copy;

	/* The node's parent is already in the tree. */
	return anim_node_copy(&copy, node, &join->arena, error) != 0 ? -1
								     : add_node(&join->last_tree->kept, &copy, error);
}

static int join_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct join *join = (struct join *)sink;
	size_t number = anim_store_clips(join->store);
	struct anim_join_part *part = anim_arena_zeroed(&join->arena, 1, sizeof *part, error);

	if (part == NULL)
		return -1;
	if (number >= join->part_capacity) {
		/* the old array stays in the arena */
		size_t capacity = join->part_capacity == 0 ? 16 : 2 * join->part_capacity;
		struct anim_join_part **parts =
		    anim_arena_zeroed(&join->arena, capacity, sizeof(struct anim_join_part *), error);

		if (parts == NULL)
			return -1;
		if (number > 0)
			memcpy(parts, join->parts, number * sizeof *parts);
		join->parts = parts;
		join->part_capacity = capacity;
	}
	part->clip = number;
	part->input = join->input;
	part->file = join->file;
	(void)anim_clips_wanted_match(&join->order, clip);
	part->rank = join->order.first;
	if (clip->flags & ANIM_IN_TREE) {
		part->tree = &join->last_tree->kept;
		join->last_tree->used = true;
	}
	join->parts[number] = part;
	if (!anim_clip_is_reset(clip)) {
		if (join->last_counted == join->input)
			join->one_each = false;
		join->last_counted = join->input;
	}
	return anim_sink_clip(anim_store_sink(join->store), clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct join *join = (struct join *)sink;
	const bool shape = strcmp(track->node, ".") == 0 && anim_track_is_shape(track);
	struct anim_join_part *part = join->parts[anim_store_clips(join->store) - 1];

	part->shapes |= shape;
	part->places |= !shape;
	return anim_sink_track(anim_store_sink(join->store), track, error);
}

static int join_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return memcmp(record->tag, "prog", 4) == 0 ? anim_filter_record(sink, record, error) : 0;
}

/* Return the row of a text in a scope, a new empty one if necessary. NULL if out of memory. */
static struct join_row *row_of(struct join *join, uint64_t scope, const char *text, struct anim_error *error)
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

/* Return the first group of a row that an earlier input began and this input has not joined, or NULL. */
static struct anim_join_group *first_left(struct join_row *row, enum anim_join_row which, size_t input)
{
	if (row->input != input)
		row->left = row->first;
	row->input = input;
	while (row->left != NULL && row->left->last->input == input)
		row->left = row->left->next[which];
	return row->left;
}

/* Begin a group with a clip, at the end of its rows. */
static int begin_group(struct join *join, struct anim_join_part *part, struct join_row *const rows[ANIM_JOIN_ROWS],
		       struct anim_error *error)
{
	struct anim_join_group *group = anim_arena_zeroed(&join->arena, 1, sizeof *group, error);

	if (group == NULL)
		return -1;
	group->first = group->last = part;
	group->count = 1;
	group->tree = part->tree;
	group->owner = part->tree == NULL ? NULL : part;
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

/*
 * Add a clip to a group, and its tree to the tree of the group. If one of the two is only a face, such as the morphs of a dance of
 * MikuMikuDance, its tree is left out: it would be a second skeleton beside the one of the body.
 */
static int join_group(struct join *join, struct anim_join_group *group, struct anim_join_part *part,
		      struct anim_error *error)
{
	size_t differ;

	group->last->next = part;
	group->last = part;
	group->count++;
	if (part->tree != NULL && (group->tree == NULL || (!is_face(part) && is_face(group->owner)))) {
		group->tree = part->tree;
		group->owner = part;
	}
	if (part->tree == NULL || part->tree == group->tree || (is_face(part) && !is_face(group->owner)))
		return 0;
	if (kept_tree_unite(group->tree, part->tree, &differ, error) != 0)
		return -1;
	if (differ == 0)
		return 0;
	if (anim_diagnostics_warn(join->options.diagnostics, "node", error,
				  "another rest pose in %.100s than in %.100s, which is kept", part->tree->file,
				  group->tree->file) != 0)
		return -1;
	anim_diagnostics_repeat(join->options.diagnostics, differ - 1);
	return 0;
}

/* Add a clip to the group of its name and player, otherwise to the group of its name, or begin a group. */
static int place_part(struct join *join, struct anim_join_part *part, struct anim_error *error)
{
	const struct anim_clip *clip = anim_store_clip(join->store, part->clip);
	const char *player = anim_attrs_get(&clip->attrs, "player");
	/* the name is the same for all clips if each input has only one, or with in_turn */
	bool any = (join->one_each || join->in_turn) && !anim_clip_is_reset(clip);
	struct join_row *name = row_of(join, 0, any ? "" : clip->name, error), *rows[ANIM_JOIN_ROWS];
	struct anim_join_group *group;
	uint64_t scope;

	if (name == NULL)
		return -1;
	scope = 2 * (uint64_t)(name - join->rows + 1) + (player != NULL);
	rows[ANIM_JOIN_OF_NAME] = name;
	rows[ANIM_JOIN_OF_PLAYER] = row_of(join, scope, player != NULL ? player : "", error);
	if (rows[ANIM_JOIN_OF_PLAYER] == NULL)
		return -1;
	if (join->in_turn)
		group = rows[ANIM_JOIN_OF_PLAYER]->last;
	else if ((group = first_left(rows[ANIM_JOIN_OF_PLAYER], ANIM_JOIN_OF_PLAYER, part->input)) == NULL)
		group = first_left(rows[ANIM_JOIN_OF_NAME], ANIM_JOIN_OF_NAME, part->input);
	return group == NULL ? begin_group(join, part, rows, error) : join_group(join, group, part, error);
}

static bool has_one_input(const struct join *join)
{
	size_t count = anim_store_clips(join->store);

	for (size_t i = 0; i < count; i++)
		if (join->parts[i]->input != join->parts[0]->input)
			return false;
	return true;
}

static int compare_ranks(const void *a, const void *b)
{
	const struct anim_join_part *one = *(struct anim_join_part *const *)a,
				    *two = *(struct anim_join_part *const *)b;

	if (one->rank != two->rank)
		return one->rank < two->rank ? -1 : 1;
	return one->clip < two->clip ? -1 : 1;
}

/* Find the clips that become one. Returns 0 or -1. */
static int find_groups(struct join *join, struct anim_error *error)
{
	size_t count = anim_store_clips(join->store);
	struct anim_join_part **parts =
	    anim_arena_zeroed(&join->arena, count + 1, sizeof(struct anim_join_part *), error);

	join->group_list = anim_arena_zeroed(&join->arena, count + 1, sizeof(struct anim_join_group *), error);
	join->rows = anim_arena_zeroed(&join->arena, count + 1, ANIM_JOIN_ROWS * sizeof *join->rows, error);
	if (parts == NULL || join->group_list == NULL || join->rows == NULL)
		return -1;
	if (count > 0)
		memcpy(parts, join->parts, count * sizeof *parts);
	join->in_turn = join->options.how == ANIM_JOIN_APPEND && has_one_input(join);
	if (join->in_turn)
		qsort(parts, count, sizeof *parts, compare_ranks);
	for (size_t i = 0; i < count; i++)
		if (place_part(join, parts[i], error) != 0)
			return -1;
	return 0;
}

/* Write a group whose clips overlap. Returns 0 or -1. */
static int write_blended(struct join *join, struct anim_join_group *group, struct anim_error *error)
{
	struct anim_join_work work = join->work;
	struct anim_arena arena = {0};
	struct anim_join_group parts;
	struct anim_clip head;
	int result = join_blend(&join->work, group, join->options.blend_s, &parts, &work.store,
				join->options.store_memory, &arena, error);

	work.arena = (struct anim_arena){0};
	if (result == 0)
		result = join_head(&work, &parts, true, &head, error);
	if (result == 0)
		result = anim_sink_clip(join->filter.next, &head, error);
	if (result == 0)
		result = join_append(&work, &parts, error);
	anim_store_free(work.store);
	anim_arena_clear(&work.arena);
	anim_arena_clear(&arena);
	return result;
}

/* Write the clip of a group. Returns 0 or -1. */
static int write_group(struct join *join, struct anim_join_group *group, struct anim_error *error)
{
	const struct anim_clip *first = anim_store_clip(join->store, group->first->clip);
	bool append = join->options.how == ANIM_JOIN_APPEND && !anim_clip_is_reset(first);
	struct anim_clip head;

	if (append && join->options.blend_s > 0 && group->count > 1)
		return write_blended(join, group, error);
	if (join_head(&join->work, group, append, &head, error) != 0)
		return -1;
	if (group->count == 1)
		return anim_store_replay(join->store, group->first->clip, &head, join->filter.next, error);
	if (anim_sink_clip(join->filter.next, &head, error) != 0)
		return -1;
	return append ? join_append(&join->work, group, error) : join_merge(&join->work, group, error);
}

/* Write the trees that came before clip `before` and have no clip. */
static int write_loose(struct join *join, struct join_tree_item **tree, size_t before, struct anim_kept_tree **last,
		       struct anim_error *error)
{
	for (; *tree != NULL && (*tree)->before <= before; *tree = (*tree)->next) {
		if ((*tree)->used)
			continue;
		*last = &(*tree)->kept;
		if (kept_tree_replay(*last, join->filter.next, error) != 0)
			return -1;
	}
	return 0;
}

/* Warn if no clips were joined. Returns 0 or -1. */
static int warn_apart(struct join *join, struct anim_error *error)
{
	static const char names[] = "no clips were joined: inputs with several clips are joined by the names of the "
				    "clips, and these differ; " ANIM_ADVICE(RENAME_CLIPS);
	static const char merge[] = "no clips were joined: only clips of different inputs are merged, and there is one "
				    "input; write each clip to a file first, and name every file as an input";
	size_t count = anim_store_clips(join->store), counted = 0;

	for (size_t i = 0; i < count; i++) {
		if (join->group_list[i] == NULL || join->group_list[i]->count > 1)
			return 0;
		counted += !anim_clip_is_reset(anim_store_clip(join->store, i));
	}
	if (count == 0)
		return 0;
	return anim_diagnostics_warn(join->options.diagnostics, NULL, error, "%s",
				     !has_one_input(join)                   ? names
				     : join->options.how == ANIM_JOIN_MERGE ? merge
				     : counted < 2 ? "no clips were joined: the input has only one"
						   : "no clips were joined: each is of another player");
}

static int join_end(struct anim_sink *sink, struct anim_error *error)
{
	struct join *join = (struct join *)sink;
	struct join_tree_item *loose = join->first_tree;
	struct anim_kept_tree *last = NULL;

	if (find_groups(join, error) != 0 || warn_apart(join, error) != 0)
		return -1;
	for (size_t i = 0; i < anim_store_clips(join->store); i++) {
		struct anim_join_group *group = join->group_list[i];

		if (write_loose(join, &loose, i, &last, error) != 0)
			return -1;
		if (group == NULL)
			continue;
		if (group->tree != NULL && group->tree != last &&
		    kept_tree_replay(group->tree, join->filter.next, error) != 0)
			return -1;
		last = group->tree != NULL ? group->tree : last;
		if (write_group(join, group, error) != 0)
			return -1;
	}
	return write_loose(join, &loose, SIZE_MAX, &last, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void join_free(struct anim_sink *sink)
{
	struct join *join = (struct join *)sink;

	for (struct join_tree_item *tree = join->first_tree; tree != NULL; tree = tree->next) {
		free(tree->kept.nodes);
		anim_map_clear(&tree->kept.numbers);
		tree->kept = (struct anim_kept_tree){.nodes = NULL};
	}
	anim_store_free(join->store);
	anim_map_clear(&join->row_numbers);
	free(join->order.fitted);
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
	static const struct anim_sink_ops ops = {join_tree,   join_node, join_clip, on_track,
						 join_record, join_end,  join_free};
	struct join *join = anim_filter_new(sizeof *join, &ops, next, error);

	if (join == NULL)
		return NULL;
	join->options = *options;
	join->file = "-";
	join->one_each = true;
	join->last_counted = SIZE_MAX;
	join->store = anim_store_new(options->store_memory, error);
	if (join->store == NULL ||
	    anim_clips_wanted_init(&join->order, options->order, options->order_count, error) != 0) {
		anim_sink_free(&join->filter.sink);
		return NULL;
	}
	join->work = (struct anim_join_work){.store = join->store, .diagnostics = options->diagnostics, .next = next};
	return &join->filter.sink;
}
