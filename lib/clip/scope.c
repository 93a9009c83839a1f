/* scope.c: tells losses which file and clip they are about, from what flows by. */
#include "clip/scope.h"

#include <stddef.h>
#include <string.h>

/* Clips of a later TREE may be of another file, those without a TREE of one that is not known. */
static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct anim_scope_sink *scope = (struct anim_scope_sink *)sink;
	const char *file = tree->source_file[0] != '\0' ? tree->source_file : scope->input;

	scope->tree = anim_losses_enter(scope->losses, file, NULL, error);
	return scope->tree == NULL ? -1 : anim_sink_tree(scope->next, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(((struct anim_scope_sink *)sink)->next, node, error);
}

static bool is_other(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a != b : strcmp(a, b) != 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct anim_scope_sink *scope = (struct anim_scope_sink *)sink;
	const char *file = anim_clip_file(clip, scope->tree == NULL ? NULL : scope->tree->file);

	if (file[0] == '\0')
		file = scope->input;
	scope->several = scope->several || (scope->clip != NULL && is_other(scope->clip->file, file));
	scope->clip = anim_losses_enter(scope->losses, file, clip->name, error);
	return scope->clip == NULL ? -1 : anim_sink_clip(scope->next, clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct anim_scope_sink *scope = (struct anim_scope_sink *)sink;

	scope->losses->scope = scope->clip;
	return anim_sink_track(scope->next, track, error);
}

static int on_record(struct anim_sink *sink, const struct anim_record *record, struct anim_error *error)
{
	return anim_sink_record(((struct anim_scope_sink *)sink)->next, record, error);
}

/* What is told at the end is about all that came; filters that held a clip back know its scope. */
static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct anim_scope_sink *scope = (struct anim_scope_sink *)sink;

	const char *file = scope->clip == NULL ? scope->input : scope->clip->file;

	if (anim_losses_enter(scope->losses, scope->several ? NULL : file, NULL, error) == NULL)
		return -1;
	return anim_sink_end(scope->next, error);
}

static void on_free(struct anim_sink *sink)
{
	(void)sink;
}

struct anim_sink *anim_scope_sink_init(struct anim_scope_sink *scope, struct anim_losses *losses, const char *input,
				       struct anim_sink *next)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, on_record, on_end, on_free};

	*scope = (struct anim_scope_sink){.sink = {&ops}, .next = next, .losses = losses, .input = input};
	return &scope->sink;
}
