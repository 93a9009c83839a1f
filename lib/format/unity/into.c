/* into.c: the sink that puts clips into an existing .anim, which keeps its other lines. */
#include "format/unity/writer.h"

#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/input.h"
#include "base/path.h"
#include "base/system.h"
#include "format/unity/clip.h"
#include "format/unity/unity.h"

/* ---- The clips of the file ---- */

#define LISTED 10 /* names in a message */

/* The sink, with one writer per clip. */
struct into_sink {
	struct anim_sink sink;
	struct anim_write_options options;
	struct anim_output *out;
	struct anim_stat info; /* of the file when it was read */
	struct anim_arena arena;
	struct anim_buffer kept;           /* struct unity_kept */
	struct unity_writer *first, *last; /* the last one gets the records */
};

static struct unity_kept *kept_at(const struct into_sink *into, size_t number)
{
	return (struct unity_kept *)(void *)into->kept.data + number;
}

static size_t kept_count(const struct into_sink *into)
{
	return into->kept.size / sizeof(struct unity_kept);
}

/* Read the current clip. Returns 0 or -1. */
static int read_clip(struct into_sink *into, struct unity_file *file, const struct unity_document *document,
		     struct anim_error *error)
{
	struct anim_diagnostics found = {0};
	struct anim_store *store = anim_store_new(into->options.store_memory, error);
	const struct unity_clip_options options = {
	    .base_name = "", .store = store, .arena = &into->arena, .diagnostics = &found};
	struct unity_clip clip = {.id = 0};
	struct unity_kept kept = {.line = document->line};
	const struct anim_diagnostic *lost;
	char text[512];
	int result = store == NULL ? -1 : unity_clip_read(file, document, &options, &clip, error);

	kept.store = store;
	kept.name = clip.head.name == NULL ? "" : clip.head.name;
	kept.attrs = clip.head.attrs;
	kept.faulty = clip.faulty;
	lost = anim_diagnostics_first(&found, clip.faulty ? ANIM_FAULT : ANIM_WARNING);
	if (result == 0 && lost != NULL) {
		kept.place = lost->place;
		kept.place.file = into->options.into.file;
		anim_diagnostic_print(lost, text, sizeof text);
		kept.lost = anim_arena_text(&into->arena, text, strlen(text), error);
		result = kept.lost == NULL ? -1 : 0;
	}
	if (result == 0)
		result = anim_buffer_append(&into->kept, &kept, sizeof kept, error);
	if (result != 0)
		anim_store_free(store);
	anim_diagnostics_clear(&found);
	return result;
}

/* Read all clips, or only count them if `into` is NULL. Returns their number, or -1. */
static long read_clips(struct into_sink *into, const char *path, struct anim_error *error)
{
	struct anim_input *input = NULL;
	struct unity_file *file = NULL;
	struct unity_document document;
	long count = 0;
	int result = anim_input_open(&input, path, NULL, error);

	if (result == 0)
		result = unity_file_open(&file, input, error);
	while (result == 0 && (result = unity_file_next(file, &document)) > 0) {
		result = 0;
		if (document.class_id != UNITY_CLIP_CLASS || document.stripped)
			continue;
		count++;
		if (into != NULL)
			result = read_clip(into, file, &document, error);
	}
	unity_file_close(file);
	anim_input_close(input);
	return result == 0 ? count : anim_error_in_file(error, path);
}

int anim_unity_into(struct anim_write_options *options, struct anim_error *error)
{
	long count = read_clips(NULL, options->into.file, error);

	options->into.several = count > 1;
	if (count != 0)
		return count < 0 ? -1 : 0;
	anim_fail(error, ANIM_BAD_INPUT, "it contains no clip that could be replaced");
	return anim_error_in_file(error, options->into.file);
}

/* Return the clip of the file that this one replaces: the only one, or the one with its name. NULL on failure. */
static struct unity_kept *find_clip(struct into_sink *into, const char *name, struct anim_error *error)
{
	struct unity_kept *found = NULL;
	size_t count = kept_count(into), fits = 0;
	const char *list = "";

	for (size_t i = 0; i < count; i++) {
		if (count > 1 && strcmp(kept_at(into, i)->name, name) != 0)
			continue;
		found = kept_at(into, i);
		fits++;
	}
	if (fits == 1 && found->faulty)
		anim_fail_at(error, ANIM_BAD_INPUT, &found->place, "%s", found->lost == NULL ? "" : found->lost);
	else if (fits == 1 && found->replaced)
		anim_fail(error, ANIM_BAD_INPUT,
			  "several clips came for its '%s'; choose one with " ANIM_OPTION_TO("parse", "clip", "NAME"),
			  found->name);
	else if (fits == 1 && found->lost != NULL && !into->options.into.force)
		anim_fail(error, ANIM_BAD_INPUT,
			  "its clip cannot be read completely, and parts would be lost: %s; " ANIM_OPTION(
			      "emit", "force") " replaces it",
			  found->lost);
	else if (fits == 1)
		return found;
	else if (fits > 1)
		anim_fail(error, ANIM_BAD_INPUT, "it has %zu clips named '%s'", fits, name);
	else {
		for (size_t i = 0; i < count && i <= LISTED && list != NULL; i++)
			list = anim_arena_printf(&into->arena, error, "%s%s%s", list, i == 0 ? "" : ", ",
						 i < LISTED ? kept_at(into, i)->name : "...");
		if (list != NULL)
			anim_fail(error, ANIM_BAD_INPUT,
				  "it has no clip '%s' to replace (available: %s); clips cannot be added to it", name,
				  list);
	}
	anim_error_in_file(error, into->options.into.file);
	return NULL;
}

/* ---- Writing: the file line by line, with the fields of the clip replaced ---- */

/* Return the name of a field of the document, or NULL if the line continues the field before it. */
static const char *key_of(const struct anim_lines *lines, char *key, size_t capacity)
{
	size_t length = (size_t)(lines->end - lines->at), end = 2;

	if (length < 4 || lines->at[0] != ' ' || lines->at[1] != ' ')
		return NULL;
	while (end < length && end - 2 < capacity - 1 && lines->at[end] != ':' && lines->at[end] != ' ' &&
	       lines->at[end] != '-')
		end++;
	if (end == 2 || end == length || lines->at[end] != ':')
		return NULL;
	memcpy(key, lines->at + 2, end - 2);
	key[end - 2] = '\0';
	return key;
}

/* Print fields that the document of the file lacks. Returns 0 or -1. */
static int end_document(struct unity_writer *writer)
{
	if (writer->keeps_tracks)
		return 0;
	return unity_document_part(writer, "m_RotationCurves") < 0 ||
		       (!writer->wrote_events && unity_document_part(writer, "m_Events") < 0)
		   ? -1
		   : 0;
}

/* Write the lines of the file, with the data of the writers' clips in place of the fields that they replace. */
static int write_lines(struct unity_writer *first, struct anim_lines *lines, struct anim_error *error)
{
	struct unity_writer *writer = NULL; /* of the clip that replaces this document, or NULL if the document stays */
	bool replaces = false;              /* this line */
	char key[64];
	int got;

	while ((got = anim_lines_next(lines, error)) > 0) {
		if (lines->end - lines->at >= 3 && memcmp(lines->at, "---", 3) == 0) {
			if (writer != NULL && end_document(writer) != 0)
				return -1;
			writer = first;
			while (writer != NULL &&
			       (writer->kept_clip == NULL || writer->kept_clip->line != lines->number))
				writer = writer->next;
			replaces = false;
		}
		if (writer != NULL) {
			writer->crlf = lines->end > lines->at && lines->end[-1] == '\r';
			if (key_of(lines, key, sizeof key) != NULL) {
				int part = unity_document_part(writer, key);

				if (part < 0)
					return -1;
				replaces = part > 0;
			}
		}
		if (!replaces &&
		    (anim_output_write(first->out, lines->at, (size_t)(lines->end - lines->at), error) != 0 ||
		     (lines->is_whole && anim_output_write(first->out, "\n", 1, error) != 0)))
			return -1;
	}
	return got < 0 || (writer != NULL && end_document(writer) != 0) ? -1 : 0;
}

/* ---- The sink that puts clips into a file ---- */

/* Add a writer for the next clip. Returns 0 or -1. */
static int begin_writer(struct into_sink *into, struct anim_error *error)
{
	struct unity_writer *writer =
	    unity_writer_new(into->out, &into->options, into->first == NULL ? NULL : into->first->store, error);

	if (writer == NULL)
		return -1;
	if (into->first == NULL)
		into->first = writer;
	else
		into->last->next = writer;
	into->last = writer;
	return 0;
}

static int into_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct into_sink *into = (struct into_sink *)sink;

	if (into->last->in_clip && begin_writer(into, error) != 0)
		return -1;
	return anim_sink_tree(&into->last->sink, tree, error);
}

static int into_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(&((struct into_sink *)sink)->last->sink, node, error);
}

static int into_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct into_sink *into = (struct into_sink *)sink;
	struct unity_writer *before = into->last;
	struct unity_kept *kept = find_clip(into, clip->name, error);

	if (kept == NULL)
		return -1;
	if (before->in_clip) { /* of the same tree */
		if (begin_writer(into, error) != 0)
			return -1;
		into->last->target = before->target;
		before->target = (struct unity_target){.root = NULL};
	}
	if (anim_into_replaces(&into->options.into, kept->name, error) != 0)
		return -1;
	kept->replaced = true;
	into->last->kept_clip = kept;
	kept->came = anim_store_new(into->options.store_memory, error);
	if (kept->came == NULL || anim_sink_clip(anim_store_sink(kept->came), clip, error) != 0)
		return -1;
	return anim_sink_clip(&into->last->sink, clip, error);
}

static int into_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct unity_writer *writer = ((struct into_sink *)sink)->last;

	if (anim_sink_track(anim_store_sink(writer->kept_clip->came), track, error) != 0)
		return -1;
	return anim_sink_track(&writer->sink, track, error);
}

/* Return 1 if the clip has exactly the same tracks as in the file, 0 if not, or -1. */
static int has_same_tracks(const struct unity_kept *kept, struct anim_error *error)
{
	size_t count = anim_store_tracks(kept->store, 0);
	bool same = anim_store_tracks(kept->came, 0) == count;

	for (size_t i = 0; i < count && same; i++) {
		struct anim_track before, now;

		if (anim_store_read(kept->store, 0, i, &before, error) != 0 ||
		    anim_store_read(kept->came, 0, i, &now, error) != 0)
			return -1;
		same = before.record->size == now.record->size &&
		       memcmp(before.record->bytes, now.record->bytes, now.record->size) == 0;
	}
	return same;
}

/*
 * Warn about a clip that moves none of the nodes that the clip in the file moved. An .anim has no nodes of its own, so
 * those nodes are the only information about its character. Returns 0 or -1.
 */
static int check_nodes(const struct into_sink *into, const struct unity_kept *kept, struct anim_error *error)
{
	size_t before = anim_store_tracks(kept->store, 0), now = anim_store_tracks(kept->came, 0);
	struct anim_map nodes = {0};
	int result = 0;
	bool shared = before == 0 || now == 0;
	uint32_t known;

	for (size_t i = 0; i < before && !shared && result == 0; i++) {
		const char *node = anim_store_track_at(kept->store, 0, i)->node;

		result = anim_map_put(&nodes, 0, node, strlen(node), 0, error);
	}
	for (size_t i = 0; i < now && !shared && result == 0; i++) {
		const char *node = anim_store_track_at(kept->came, 0, i)->node;

		shared = anim_map_get(&nodes, 0, node, strlen(node), &known);
	}
	anim_map_clear(&nodes);
	if (result != 0 || shared)
		return result;
	return anim_diagnostics_warn(
	    into->options.diagnostics, NULL, error,
	    "clip '%.100s' moves none of the nodes that it moved before (now '%.100s', before '%.100s'); " ANIM_ADVICE(
		OTHER_CHARACTER),
	    kept->name, anim_store_track_at(kept->came, 0, 0)->node, anim_store_track_at(kept->store, 0, 0)->node);
}

static int into_end(struct anim_sink *sink, struct anim_error *error)
{
	struct into_sink *into = (struct into_sink *)sink;
	const char *file = into->options.into.file;
	struct anim_lines lines = {0};
	int result;

	if (!into->first->in_clip)
		return anim_fail_no_clip(error);
	if (anim_diagnostics_check(into->options.diagnostics, error) != 0)
		return -1;
	for (struct unity_writer *writer = into->first; writer != NULL; writer = writer->next)
		writer->error = error;

	/* Find the clips that keep the lines of their curves and events. */
	for (struct unity_writer *writer = into->first; writer != NULL; writer = writer->next) {
		int same = has_same_tracks(writer->kept_clip, error);
		if (same < 0)
			return -1;
		writer->keeps_tracks = same > 0;
	}
	for (size_t i = 0; i < kept_count(into); i++)
		if (kept_at(into, i)->replaced && check_nodes(into, kept_at(into, i), error) != 0)
			return -1;
	result = anim_input_open(&lines.input, file, NULL, error);
	if (result == 0)
		result = write_lines(into->first, &lines, error);
	if (result == 0)
		result = anim_path_unchanged(file, &into->info, error);
	anim_input_close(lines.input);
	return result;
}

static void into_free(struct anim_sink *sink)
{
	struct into_sink *into = (struct into_sink *)sink;

	for (struct unity_writer *writer = into->first, *next; writer != NULL; writer = next) {
		next = writer->next;
		anim_sink_free(&writer->sink);
	}
	for (size_t i = 0; i < kept_count(into); i++) {
		anim_store_free(kept_at(into, i)->store);
		anim_store_free(kept_at(into, i)->came);
	}
	anim_buffer_clear(&into->kept);
	anim_arena_clear(&into->arena);
	free(into);
}

struct anim_sink *unity_into_new(struct anim_output *out, const struct anim_write_options *options,
				 struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.tree = into_tree,
						 .node = into_node,
						 .clip = into_clip,
						 .track = into_track,
						 .end = into_end,
						 .free = into_free};
	struct into_sink *into = anim_sink_new(sizeof *into, &ops, error);

	if (into == NULL)
		return NULL;
	into->out = out;
	into->options = *options;
	if (anim_sys_stat(options->into.file, &into->info) != 0) {
		anim_fail_system(error, "cannot open");
		anim_error_in_file(error, options->into.file);
	} else if (read_clips(into, options->into.file, error) >= 0 && begin_writer(into, error) == 0) {
		return &into->sink;
	}
	into_free(&into->sink);
	return NULL;
}
