/* bones.c: convert animated nodes to bones of a skeleton. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "filter/clips.h"
#include "filter/filter.h"
#include "filter/rename/identities.h"
#include "filter/rename/new_tree.h"
#include "stream/store.h"

/* --- Selecting the bones, and new paths at and below them --- */

/* Separates the nodes of the tree from the nodes of clips without a tree. */
enum anim_bones_scope { ANIM_BONES_LOOSE, ANIM_BONES_IN_TREE };

/*
 * The nodes that become bones. All-zero is empty, except for the path. Paths are tree paths and never "". First add all
 * tracks, then call plan_make, then query.
 */
struct anim_bones_plan {
	const char *path;          /* path of the skeleton, from the root of a clip */
	struct anim_buffer moved;  /* struct driven: nodes with transform tracks */
	struct anim_buffer others; /* struct driven: nodes with other tracks */
	struct anim_text_set seen; /* keys of `moved` and `others` */
	struct anim_map bones;     /* by scope and path */
	struct anim_map kept;      /* nodes of the tree that cannot become bones */
	struct anim_map attached;  /* attachments that exist */
	struct anim_arena arena;   /* cleared by plan_reset */
};

/* A node that tracks animate. The texts are in the arena. */
struct driven {
	enum anim_bones_scope scope;
	const char *root, *path; /* paths in the tree */
};

static void plan_reset(struct anim_bones_plan *plan)
{
	plan->moved.size = plan->others.size = 0;
	anim_text_set_clear(&plan->seen);
	anim_map_clear(&plan->bones);
	anim_map_clear(&plan->kept);
	anim_map_clear(&plan->attached);
	anim_arena_reset(&plan->arena);
}

/* Join two paths with `between`. A first path "." is left out. Returns NULL if out of memory. */
static char *join(const char *first, const char *between, const char *second, struct anim_arena *arena,
		  struct anim_error *error)
{
	bool is_root = strcmp(first, ".") == 0 && between[0] == '/';
	size_t length = is_root ? 0 : strlen(first), middle = is_root ? 0 : strlen(between), size = strlen(second) + 1;
	char *out = anim_arena_alloc(arena, length + middle + size, error);

	if (out == NULL)
		return NULL;
	memcpy(out, first, length);
	memcpy(out + length, between, middle);
	memcpy(out + length + middle, second, size);
	return out;
}

/* Find the skeleton's path in the tree. In Godot, "%Name" is a node named Name. Returns 0 or -1. */
static int skeleton_path(const struct anim_bones_plan *plan, const char *root, const char **path,
			 struct anim_arena *arena, struct anim_error *error)
{
	if (anim_tree_path_find(root, plan->path + (plan->path[0] == '%'), path, arena, error) != 0)
		return -1;
	if (*path == NULL)
		return anim_fail(error, ANIM_BAD_INPUT, "the skeleton '%.200s' is not below the root '%.200s'",
				 plan->path, root);
	return 0;
}

/* Add a track of the node, from a clip with this root. Returns 0 or -1. */
static int plan_add(struct anim_bones_plan *plan, enum anim_bones_scope scope, const char *root, const char *node,
		    bool transform, struct anim_error *error)
{
	struct driven driven = {.scope = scope};
	char *key;
	int is_new;

	if (anim_tree_path_find(root, ".", &driven.root, &plan->arena, error) != 0 ||
	    anim_tree_path_find(root, node, &driven.path, &plan->arena, error) != 0)
		return -1;
	if (driven.root == NULL || driven.path == NULL)
		return 0;
	key = join(scope == ANIM_BONES_IN_TREE ? "t" : "l", transform ? "t" : "o", driven.path, &plan->arena, error);
	if (key == NULL)
		return -1;
	is_new = anim_text_set_add(&plan->seen, key, strlen(key), error);
	if (is_new <= 0)
		return is_new;
	return anim_buffer_append(transform ? &plan->moved : &plan->others, &driven, sizeof driven, error);
}

/* Return whether the path is strictly below the other path. */
static bool is_below(const char *path, const char *above)
{
	size_t length = strlen(above);

	if (strcmp(above, ".") == 0)
		return strcmp(path, ".") != 0;
	return strncmp(path, above, length) == 0 && path[length] == '/';
}

static const struct driven *driven_at(const struct anim_buffer *list, size_t i)
{
	return (const struct driven *)(const void *)list->data + i;
}

static size_t driven_count(const struct anim_buffer *list)
{
	return list->size / sizeof(struct driven);
}

static bool any_below(const struct anim_bones_plan *plan, const struct driven *like, const char *above)
{
	for (size_t i = 0; i < driven_count(&plan->moved); i++) {
		const struct driven *driven = driven_at(&plan->moved, i);

		if (driven->scope == like->scope && strcmp(driven->root, like->root) == 0 &&
		    is_below(driven->path, above))
			return true;
	}
	return false;
}

/*
 * Return the node below which bones are searched for tracks of clips with this root. The text is in the arena. Returns
 * NULL if out of memory.
 */
static const char *anchor_of(struct anim_bones_plan *plan, const struct driven *like, const char *skeleton,
			     struct anim_error *error)
{
	const char *slash = strrchr(skeleton, '/'), *above;

	if (any_below(plan, like, skeleton))
		return skeleton;
	if (slash == NULL)
		return like->root;
	above = anim_arena_text(&plan->arena, skeleton, (size_t)(slash - skeleton), error);
	return above == NULL || any_below(plan, like, above) ? above : like->root;
}

static bool plan_is_bone(const struct anim_bones_plan *plan, enum anim_bones_scope scope, const char *path,
			 size_t length)
{
	uint32_t unused;

	return anim_map_get(&plan->bones, scope, path, length, &unused);
}

static int mark(struct anim_bones_plan *plan, enum anim_bones_scope scope, const char *path, size_t length,
		struct anim_error *error)
{
	return anim_map_put(&plan->bones, scope, path, length, 1, error);
}

/* Mark a node and all nodes between it and the anchor, except nodes between the root and the skeleton. */
static int mark_chain(struct anim_bones_plan *plan, const struct driven *driven, const char *anchor,
		      const char *skeleton, struct anim_error *error)
{
	size_t length = strlen(driven->path), top = strcmp(anchor, ".") == 0 ? 0 : strlen(anchor), kept;
	uint32_t unused;

	if (!is_below(driven->path, anchor) ||
	    (driven->scope == ANIM_BONES_IN_TREE && anim_map_get(&plan->kept, 0, driven->path, length, &unused)))
		return 0;
	for (; length > top; length = kept) {
		bool on_the_way = strncmp(skeleton, driven->path, length) == 0 &&
				  (skeleton[length] == '/' || skeleton[length] == '\0');

		if (on_the_way || plan_is_bone(plan, driven->scope, driven->path, length))
			return 0;
		if (mark(plan, driven->scope, driven->path, length, error) != 0)
			return -1;
		for (kept = length - 1; kept > top && driven->path[kept] != '/';)
			kept--;
	}
	return 0;
}

/* Tracks with the same root are usually adjacent, so the result for the last root is kept. */
static int mark_moved(struct anim_bones_plan *plan, struct anim_error *error)
{
	const struct driven *last = NULL;
	const char *skeleton = NULL, *anchor = NULL;

	for (size_t i = 0; i < driven_count(&plan->moved); i++) {
		const struct driven *driven = driven_at(&plan->moved, i);

		if (last == NULL || last->scope != driven->scope || strcmp(last->root, driven->root) != 0) {
			if (skeleton_path(plan, driven->root, &skeleton, &plan->arena, error) != 0 ||
			    (anchor = anchor_of(plan, driven, skeleton, error)) == NULL)
				return -1;
			last = driven;
		}
		if (mark_chain(plan, driven, anchor, skeleton, error) != 0)
			return -1;
	}
	return 0;
}

/* Return the node's own name as a valid bone name in Godot. Returns NULL if out of memory. */
static const char *bone_name(const char *path, size_t length, struct anim_arena *arena, struct anim_error *error)
{
	const char *end = path + length, *from = end;
	char *name;

	while (from > path && from[-1] != '/')
		from--;
	name = anim_arena_text(arena, from, (size_t)(end - from), error);
	for (char *at = name; at != NULL && *at != '\0'; at++)
		if (*at == ':')
			*at = '_';
	return name;
}

/* Return the path of a bone's attachment and create it in the tree on the first call. Returns NULL on failure. */
static const char *attach(struct anim_bones_plan *plan, struct anim_new_tree *tree, const char *skeleton,
			  const char *name, struct anim_error *error)
{
	char *path = join(skeleton, "/", name, &tree->arena, error);
	uint32_t unused;

	if (path == NULL)
		return NULL;
	if (anim_map_get(&plan->attached, 0, path, strlen(path), &unused))
		return path;
	if (anim_map_put(&plan->attached, 0, path, strlen(path), 1, error) != 0 ||
	    anim_new_tree_make(tree, path, "BoneAttachment3D", name, error) != 0)
		return NULL;
	return path;
}

/* Give a node that does not become a bone the path that follows from its parent's path. */
static int follow_parent(struct anim_bones_plan *plan, struct anim_new_tree *tree, size_t place, const char *skeleton,
			 struct anim_error *error)
{
	const struct anim_new_node *node = anim_new_tree_at(tree, place), *parent;
	const char *above, *base, *name, *rest = node->node.path;
	size_t length;

	if (node->node.parent == ANIM_NO_PARENT)
		return 0;
	parent = anim_new_tree_at(tree, node->node.parent);
	above = parent->node.path;
	base = parent->path;
	length = strlen(above);
	if (plan_is_bone(plan, ANIM_BONES_IN_TREE, above, length)) {
		name = bone_name(above, length, &tree->arena, error);
		base = name == NULL ? NULL : attach(plan, tree, skeleton, name, error);
		if (base == NULL)
			return -1;
	}
	if (strcmp(base, above) == 0 || !is_below(rest, above))
		return 0;
	rest += strcmp(above, ".") == 0 ? 0 : length + 1;
	name = join(base, "/", rest, &tree->arena, error);
	if (name == NULL)
		return -1;
	anim_new_tree_at(tree, place)->path = name; /* not through `node`: the list may have moved in memory */
	return 0;
}

static int make_bone(struct anim_new_node *node, const char *skeleton, struct anim_arena *arena,
		     struct anim_error *error)
{
	const char *name = bone_name(node->node.path, strlen(node->node.path), arena, error);

	node->path = name == NULL ? NULL : join(skeleton, ":", name, arena, error);
	node->parted = true;
	node->node.kind = ANIM_NODE_BONE;
	node->node.type = "";
	return node->path == NULL ? -1 : 0;
}

/*
 * Record the nodes of the tree that cannot become bones: nodes that are more than a transform, bones of other
 * skeletons, and if the file knows its bones, nodes that neither are bones nor have bones below them. Returns 0 or -1.
 */
static int keep_others(struct anim_bones_plan *plan, const struct anim_new_tree *tree, struct anim_error *error)
{
	size_t count = anim_new_tree_count(tree);
	bool *leads = anim_zeroed(count + 1, error), knows = false;
	int result = leads == NULL ? -1 : 0;

	for (size_t i = count; i-- > 0 && result == 0;) {
		const struct anim_new_node *node = anim_new_tree_at(tree, i);

		leads[i] |= node->node.kind == ANIM_NODE_BONE;
		knows |= node->node.kind == ANIM_NODE_BONE && !node->parted;
		if (leads[i] && node->node.parent != ANIM_NO_PARENT)
			leads[node->node.parent] = true;
	}
	for (size_t i = 0; i < count && result == 0; i++) {
		const struct anim_new_node *node = anim_new_tree_at(tree, i);
		const char *path = node->node.path;
		/* For engines other than Godot, a bone outside of a skeleton is a plain node. */
		bool bare = node->node.kind == ANIM_NODE || (node->node.kind == ANIM_NODE_BONE && !node->parted);
		bool plain =
		    bare && (node->node.has & ANIM_HAS_2D) == 0 && strcmp(node->node.type, "RectTransform") != 0;

		if (!plain || (knows && !leads[i]))
			result = anim_map_put(&plan->kept, 0, path, strlen(path), 1, error);
	}
	free(leads);
	return result;
}

/* --- The filter --- */

struct bones {
	struct anim_filter filter;
	struct anim_bones_options options;
	struct anim_sink replayed; /* receives the clips from the store */
	struct anim_store *store;  /* clips of the current tree; NULL: none yet */
	struct anim_new_tree tree;
	struct anim_bones_plan plan;
	struct anim_identities identities;
	struct anim_arena head, arena; /* for the current clip, for its current track */
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

/* Return whether the track is selected. A track that belongs to a bone already is not. */
static bool selects(const struct bones *bones, const struct anim_track *track)
{
	const struct anim_rename_selection *select = &bones->options.select;

	if (anim_track_bone(bones->clip.source, track) != NULL)
		return false;
	return bones->selected && anim_rename_selects(select->nodes, select->node_count, track->node) &&
	       anim_rename_selects(select->properties, select->property_count, track->property);
}

/* Return whether the track animates a 3D transform. RectTransforms (class 224) belong to a canvas. */
static bool moves(const struct anim_track *track)
{
	static const char *const parts[] = {"position", "rotation", "euler", "scale"};
	const char *class = anim_attrs_get(&track->attrs, "unity.class");

	if (class != NULL && strcmp(class, "224") == 0)
		return false;
	if (track->component == ANIM_WHOLE && anim_types[track->type].components < 3)
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

static int replay_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct bones *bones = of_replayed(sink);
	struct anim_track out = *track;
	bool bone;

	anim_arena_reset(&bones->arena);
	if (selects(bones, track)) {
		/* Find the track's new node, which is track->node if it is unchanged, or NULL on failure. */
		enum anim_bones_scope scope = scope_of(bones);
		const char *path, *name, *made;
		size_t length;

		bone = false;
		if (anim_tree_path_find(bones->clip.root, track->node, &path, &bones->arena, error) != 0) {
			out.node = NULL;
		} else {
			length = path == NULL ? 0 : strlen(path);
			while (length > 0 && !plan_is_bone(&bones->plan, scope, path, length)) {
				for (length--; length > 0 && path[length] != '/';)
					length--;
			}
			if (length == 0) {
				out.node = track->node;
			} else {
				name = bone_name(path, length, &bones->arena, error);
				bone = moves(track) && path[length] == '\0';
				made = name == NULL
					   ? NULL
					   : join(bones->plan.path, bone ? ":" : "/", name, &bones->arena, error);
				out.node = made == NULL || path[length] == '\0'
					       ? made
					       : join(made, "/", path + length + 1, &bones->arena, error);
			}
		}

		if (out.node == NULL)
			return -1;
		bones->any |= bone;
		if (out.node != track->node)
			out.record = NULL;

		/*
		 * Record that the ':' separates a bone, because only Godot has this meaning without a mark. Unity binds
		 * by the path through all Transforms. The bone's name does not contain this path, so it is kept for the
		 * Unity writer.
		 */
		if (out.node != track->node && bone) {
			if (!anim_source_is_godot(bones->clip.source) &&
			    anim_attrs_with(&out.attrs, &track->attrs, "godot.bone", "true", &bones->arena, error) != 0)
				return -1;
			if (strcmp(bones->clip.source, "unity") == 0 &&
			    anim_attrs_get(&track->attrs, "unity.path") == NULL) {
				if (anim_attrs_with(&out.attrs, &out.attrs, "unity.path", track->node, &bones->arena,
						    error) != 0)
					return -1;
			}
		}
	}
	if (anim_identities_add(&bones->identities, track, &out, bones->options.diagnostics, error) != 0)
		return -1;
	return anim_sink_track(bones->filter.next, &out, error);
}

static int flush(struct bones *bones, struct anim_error *error)
{
	size_t clips = bones->store == NULL ? 0 : anim_store_clips(bones->store);

	/* Find the bones. If there is a tree, give its nodes their kinds and paths. */
	const char *skeleton = NULL;
	uint32_t unused;
	size_t count;

	if (bones->tree.held && keep_others(&bones->plan, &bones->tree, error) != 0)
		return -1;
	if (mark_moved(&bones->plan, error) != 0)
		return -1;
	for (size_t i = 0; i < driven_count(&bones->plan.moved) && skeleton == NULL; i++)
		if (driven_at(&bones->plan.moved, i)->scope == ANIM_BONES_IN_TREE &&
		    skeleton_path(&bones->plan, driven_at(&bones->plan.moved, i)->root, &skeleton, &bones->plan.arena,
				  error) != 0)
			return -1;
	if (bones->tree.held && skeleton != NULL) {
		/* Parents come before their children, so each node can use its parent's new path. */
		count = anim_new_tree_count(&bones->tree);
		for (size_t i = 1; i < count; i++) {
			struct anim_new_node *node = anim_new_tree_at(&bones->tree, i);
			const char *path = node->node.path,
				   *above = anim_new_tree_at(&bones->tree, node->node.parent)->node.path;
			bool bone = plan_is_bone(&bones->plan, ANIM_BONES_IN_TREE, path, strlen(path));

			if (!bone && !anim_map_get(&bones->plan.kept, 0, path, strlen(path), &unused) &&
			    !(strcmp(path, ".") == 0 || strcmp(path, skeleton) == 0 || is_below(skeleton, path)) &&
			    plan_is_bone(&bones->plan, ANIM_BONES_IN_TREE, above, strlen(above))) {
				bone = true;
				if (mark(&bones->plan, ANIM_BONES_IN_TREE, path, strlen(path), error) != 0)
					return -1;
			}

			if ((bone ? make_bone(node, skeleton, &bones->tree.arena, error)
				  : follow_parent(&bones->plan, &bones->tree, i, skeleton, error)) != 0)
				return -1;
		}

		/* Create attachments for bones with other tracks, which animate the attachment. */
		for (size_t i = 0; i < driven_count(&bones->plan.others); i++) {
			const struct driven *driven = driven_at(&bones->plan.others, i);
			size_t length = strlen(driven->path);
			const char *name;

			if (driven->scope != ANIM_BONES_IN_TREE ||
			    !plan_is_bone(&bones->plan, ANIM_BONES_IN_TREE, driven->path, length))
				continue;
			name = bone_name(driven->path, length, &bones->tree.arena, error);
			if (name == NULL || attach(&bones->plan, &bones->tree, skeleton, name, error) == NULL)
				return -1;
		}
	}
	if (anim_new_tree_write(&bones->tree, bones->options.diagnostics, bones->filter.next, error) != 0)
		return -1;

	for (size_t i = 0; i < clips; i++)
		if (anim_store_replay(bones->store, i, NULL, &bones->replayed, error) != 0)
			return -1;
	anim_store_free(bones->store);
	bones->store = NULL;
	plan_reset(&bones->plan);
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
	    plan_add(&bones->plan, scope_of(bones), bones->clip.root, track->node, moves(track), error) != 0)
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
	if (!bones->any && anim_diagnostics_add(bones->options.diagnostics, ANIM_WARNING, &nowhere, NULL, error,
						"no track was moved to a bone of '%s'", bones->options.path) != 0)
		return -1;
	return anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct bones *bones = (struct bones *)sink;

	anim_store_free(bones->store);
	anim_new_tree_clear(&bones->tree);
	plan_reset(&bones->plan);
	anim_buffer_clear(&bones->plan.moved);
	anim_buffer_clear(&bones->plan.others);
	anim_arena_clear(&bones->plan.arena);
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
