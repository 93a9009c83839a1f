/* axes.c: from one engine's axes to another's: which trees, nodes, clips and tracks change. */
#include "filter/axes/axes.h"

#include <string.h>
#include <strings.h>

#include "filter/axes/internal.h"

int anim_axes_find(const char *name, enum anim_axes *axes, enum anim_axes2d *axes2d)
{
	static const char *const flat[] = {[ANIM_AXES2D_GODOT] = "godot2d", [ANIM_AXES2D_UNITY] = "unity2d"};

	*axes = ANIM_AXES_UNKNOWN;
	*axes2d = ANIM_AXES2D_UNKNOWN;
	for (int i = ANIM_AXES_GODOT; i < ANIM_AXES_COUNT; i++)
		if (strcasecmp(anim_axes_names[i], name) == 0)
			*axes = (enum anim_axes)i;
	for (int i = ANIM_AXES2D_GODOT; i < ANIM_AXES2D_COUNT; i++)
		if (strcasecmp(flat[i], name) == 0)
			*axes2d = (enum anim_axes2d)i;
	return *axes == ANIM_AXES_UNKNOWN && *axes2d == ANIM_AXES2D_UNKNOWN ? -1 : 0;
}

static bool is_left_handed(enum anim_axes axes)
{
	return axes == ANIM_AXES_UNITY || axes == ANIM_AXES_RESONITE;
}

bool anim_axes_differ(enum anim_axes a, enum anim_axes b)
{
	return a != ANIM_AXES_UNKNOWN && b != ANIM_AXES_UNKNOWN && is_left_handed(a) != is_left_handed(b);
}

/*
 * Whether what is in these axes must change, with the axes of the target in their place. 1 or 0; -1 with a message where
 * nobody knows which they are.
 */
static int resolve(const struct axes *a, uint8_t *axes, uint8_t *axes2d, const char *what, const char *name,
		   struct anim_error *error)
{
	unsigned found = a->flat ? *axes2d : *axes;

	if (found == 0)
		found = a->flat ? (unsigned)a->options.from2d : (unsigned)a->options.from;
	if (found == 0)
		return anim_fail(error, ANIM_BAD_INPUT,
				 "%s '%s' does not say which %saxes it is in; tell with --from godot%s (or another)",
				 what, name, a->flat ? "two-dimensional " : "", a->flat ? "2d" : "");
	if (a->flat) {
		*axes2d = (uint8_t)a->options.target2d;
		return found != (unsigned)a->options.target2d;
	}
	*axes = (uint8_t)a->options.target;
	return anim_axes_differ((enum anim_axes)found, a->options.target);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_tree out = *tree;
	int changes = resolve(a, &out.axes, &out.axes2d, "the tree of", tree->source_file, error);

	if (changes < 0)
		return -1;
	anim_rests_clear(&a->rests);
	a->nodes.size = 0;
	a->changes_tree = changes == 1;
	a->flattens_tree = a->flat && a->changes_tree && a->options.target2d == ANIM_AXES2D_GODOT;
	if (out.axes != tree->axes || out.axes2d != tree->axes2d)
		out.record = NULL;
	return anim_filter_tree(sink, &out, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct axes_node *known = anim_buffer_extend(&a->nodes, sizeof *known, error);
	struct anim_node out = *node;

	anim_arena_reset(&a->node_arena);
	if (known == NULL || anim_rests_add(&a->rests, node, error) != 0 || axes_node_enter(a, node, known, error) != 0)
		return -1;
	if (a->changes_tree && axes_node_change(a, known, &out, error) != 0)
		return -1;
	return anim_filter_node(sink, &out, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_clip out = *clip;
	int changes = resolve(a, &out.axes, &out.axes2d, "clip", clip->name, error);

	if (changes < 0)
		return -1;
	anim_arena_reset(&a->clip_arena);
	if ((a->root = anim_arena_text(&a->clip_arena, clip->root, strlen(clip->root), error)) == NULL)
		return -1;
	a->changes_clip = changes == 1;
	a->in_tree = (clip->flags & ANIM_IN_TREE) != 0;
	a->axes = (enum anim_axes)clip->axes;
	a->axes2d = (enum anim_axes2d)clip->axes2d;
	if (out.axes != clip->axes || out.axes2d != clip->axes2d)
		out.record = NULL;
	return anim_filter_clip(sink, &out, error);
}

const struct axes_node *axes_find(struct axes *a, const char *node)
{
	const struct anim_rest *rest = a->in_tree ? anim_rests_find(&a->rests, a->root, node) : NULL;

	return rest == NULL ? NULL : (const struct axes_node *)(const void *)a->nodes.data + (rest - a->rests.items);
}

/* Cuts the last name off a path; what is left of one name is the clip's root. False where nothing is above. */
static bool go_up(char *path)
{
	char *slash = strrchr(path, '/');

	if (strcmp(path, ".") == 0)
		return false;
	if (slash == NULL)
		memcpy(path, ".", 2);
	else
		*slash = '\0';
	return *path != '\0';
}

/* A copy that may be cut, of at least two bytes; NULL without memory, which end() tells of. */
static char *copy_path(struct axes *a, const char *node)
{
	size_t size = strlen(node) + 2;
	char *path = anim_arena_zeroed(&a->track_arena, size, 1, NULL);

	a->rests.lacked_memory |= path == NULL;
	return path == NULL ? NULL : memcpy(path, node, size - 2);
}

const struct axes_node *axes_find_nearest(struct axes *a, const char *node)
{
	const struct axes_node *found = axes_find(a, node);
	char *path = found == NULL && a->in_tree ? copy_path(a, node) : NULL;

	while (found == NULL && path != NULL && go_up(path))
		found = axes_find(a, path);
	return found;
}

const struct axes_node *axes_find_above(struct axes *a, const char *node)
{
	char *path = a->in_tree ? copy_path(a, node) : NULL;

	return path != NULL && go_up(path) ? axes_find(a, path) : NULL;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct axes *a = (struct axes *)sink;
	struct anim_track out = *track;
	enum axes_verdict verdict = AXES_PASS;

	anim_arena_reset(&a->track_arena);
	if (a->changes_clip)
		verdict = (a->flat ? axes_flat_track : axes_space_track)(a, track, &out, error);
	if (verdict == AXES_FAILED)
		return -1;
	return verdict == AXES_DROPPED ? 0 : anim_filter_track(sink, &out, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return anim_rests_check(&((struct axes *)sink)->rests, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct axes *a = (struct axes *)sink;

	anim_arena_clear(&a->clip_arena);
	anim_arena_clear(&a->node_arena);
	anim_arena_clear(&a->track_arena);
	anim_rests_clear(&a->rests);
	anim_buffer_clear(&a->nodes);
	for (int i = 0; i < AXES_COLUMNS; i++)
		anim_buffer_clear(&a->columns[i]);
	anim_filter_free(sink);
}

struct anim_sink *anim_axes_new(const struct anim_axes_options *options, struct anim_sink *next,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, anim_filter_record,
						 on_end,  on_free};
	struct axes *a = anim_filter_new(sizeof *a, &ops, next, error);

	if (a == NULL)
		return NULL;
	a->options = *options;
	a->flat = options->target2d != ANIM_AXES2D_UNKNOWN;
	a->root = ".";
	return &a->filter.sink;
}
