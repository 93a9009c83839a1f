/* into_beside.c: the clips of an edited file that stay, whose players also play the new clips. */
#include <string.h>

#include "base/advice.h"
#include "base/input.h"
#include "format/godot/godot.h"
#include "format/godot/into.h"

/* A sink before writer->beside, which only gets the clips that stay. */
struct staying_sink {
	struct anim_sink sink;
	const struct godot_into *into;
	struct anim_sink *next;
	bool skips;
};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return anim_sink_tree(((struct staying_sink *)sink)->next, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(((struct staying_sink *)sink)->next, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct staying_sink *staying = (struct staying_sink *)sink;
	const struct godot_into *into = staying->into;
	const char *player = anim_attrs_get(&clip->attrs, "player");
	uint64_t scope = 0;
	uint32_t number;

	if (player != NULL && anim_map_get(&into->nodes, 0, player, strlen(player), &number))
		scope = 1 + (uint64_t)number;
	staying->skips = !anim_map_get(&into->by_name, scope, clip->name, strlen(clip->name), &number) ||
			 godot_document_clip(cue_at(into, number)->document, cue_at(into, number)->animation)->replaced;
	return staying->skips ? 0 : anim_sink_clip(staying->next, clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct staying_sink *staying = (struct staying_sink *)sink;

	return staying->skips ? 0 : anim_sink_track(staying->next, track, error);
}

/* Read the file. A file with faults outside of the edited parts has no such clips. Returns 0 or -1. */
static int read_staying(struct godot_into *into, struct godot_writer *writer)
{
	static const struct anim_sink_ops ops = {.tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track};
	struct anim_diagnostics quiet = {0};
	struct anim_write_options options = *into->options;
	const struct anim_read_options read = {
	    .store_memory = options.store_memory, .diagnostics = &quiet, .keep_going = true};
	struct staying_sink staying = {.sink.ops = &ops, .into = into};
	struct anim_error trouble = {0};
	struct anim_input *input = NULL;
	int result = -1;

	options.into = (struct anim_into){.file = NULL};
	options.diagnostics = &quiet;
	options.last = NULL;
	options.scene = false;
	options.version = writer->print.version;
	staying.next = anim_godot_writer_new(NULL, &options, &trouble);
	writer->beside = (struct godot_writer *)staying.next;
	if (writer->beside != NULL) {
		writer->beside->print.godot2 = writer->print.godot2;
		result = godot_into_open(into, &input);
	}
	if (result == 0)
		result = anim_godot_read(input, &read, &staying.sink, &trouble);
	anim_input_close(input);
	anim_diagnostics_clear(&quiet);
	if (writer->beside != NULL) {
		writer->beside->error = into->context.error;
		writer->beside->options.diagnostics = writer->options.diagnostics;
		writer->beside->beside = writer;
	}
	if (result != 0 && trouble.code != ANIM_OK && trouble.code != ANIM_BAD_INPUT)
		*into->context.error = trouble;
	return result != 0 && trouble.code == ANIM_BAD_INPUT ? 0 : result;
}

/* Warn if clips that stay lack parts of new clips. Returns 0 or -1. */
static int report_lacks(struct godot_into *into, struct godot_writer *writer)
{
	struct anim_error *error = into->context.error;
	char label[GODOT_LABEL_MAX], first[GODOT_LABEL_MAX];
	size_t count = 0, from, first_from = 0, at = 0;

	for (size_t i = 0; i < writer->beside->clips.size / sizeof(struct godot_written_clip); i++) {
		int lacks = strcmp(godot_writer_clip(writer->beside, i)->name, "RESET") == 0
				? 0
				: godot_writer_lacks(writer, i, label, &from);

		if (lacks < 0)
			return -1;
		if (lacks == 0 || count++ > 0)
			continue;
		memcpy(first, label, sizeof first);
		first_from = from;
		at = i;
	}
	if (count == 0)
		return 0;
	return anim_diagnostics_warn(
	    into->options->diagnostics, NULL, error,
	    "%zu of the other clips of %s (first '%.100s') have no key for tracks of new clips (first '%s' of "
	    "'%.100s'), so that Godot plays them in wrong poses; also name %s as an input, and they get keys with rest "
	    "values; " ANIM_ADVICE(OTHER_CHARACTER),
	    count, into->own.path, godot_writer_clip(writer->beside, at)->name, first,
	    godot_writer_clip(writer, first_from)->name, into->own.path);
}

int godot_into_read_beside(struct godot_into *into, struct godot_writer *writer)
{
	size_t count = writer->clips.size / sizeof(struct godot_written_clip);
	bool foreign = false, stays = false;

	/* The clips are needed if a clip of another engine gets into a file in which other clips stay. */
	for (size_t i = 0; i < count; i++)
		foreign = foreign || !godot_writer_clip(writer, i)->names.from_godot;
	for (size_t i = 0; i < cue_count(into); i++)
		stays = stays || !godot_document_clip(cue_at(into, i)->document, cue_at(into, i)->animation)->replaced;
	if (!foreign || !stays || into->options->into.only)
		return 0;
	if (read_staying(into, writer) != 0 || (writer->beside != NULL && godot_writer_group(writer->beside) != 0))
		return -1;

	/* Find for each clip of another engine a clip that stays and that its player also has. */
	for (size_t i = 0; i < count; i++) {
		struct godot_written_clip *written = godot_writer_clip(writer, i);
		const char *player = written->plays == NULL ? NULL : written->plays->path;

		if (written->names.from_godot || (player == NULL && into->document.kind != GODOT_RESOURCE_FILE))
			continue;
		for (size_t k = 0; k < writer->beside->clips.size / sizeof *written && written->beside == 0; k++)
			if (player == NULL || strcmp(godot_writer_clip(writer->beside, k)->player, player) == 0)
				written->beside = (uint32_t)k + 1;
	}
	return report_lacks(into, writer);
}
