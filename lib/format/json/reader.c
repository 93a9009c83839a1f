/* reader.c: anim_json_read: the lines, and all objects but tracks. */
#include "format/json/reader.h"

#include <string.h>

#include "format/json/json.h"

static const char first_member[] = "\"anim_json\"";

bool anim_json_is(const uint8_t *bytes, size_t size)
{
	size_t at = 0, length = sizeof first_member - 1;

	while (at < size && (bytes[at] == ' ' || bytes[at] == '\t'))
		at++;
	if (at == size || bytes[at++] != '{')
		return false;
	while (at < size && (bytes[at] == ' ' || bytes[at] == '\t'))
		at++;
	return size - at >= length && memcmp(bytes + at, first_member, length) == 0;
}

static int read_tree(struct jsonl_reader *reader)
{
	static const char *const names[] = {"root", "source", "axes", "axes2d", "attributes", NULL};
	struct anim_tree tree = {.root_name = "", .source_file = ""};
	struct jsonl_object object;
	const char *behind;

	if (jsonl_members(reader, names, &object) != 0)
		return -1;
	behind = reader->at;
	if (jsonl_text_of(reader, &object, 0, &tree.root_name) != 0 ||
	    jsonl_text_of(reader, &object, 1, &tree.source_file) != 0 ||
	    jsonl_word_of(reader, &object, 2, anim_axes_names, ANIM_AXES_COUNT, &tree.axes) != 0 ||
	    jsonl_word_of(reader, &object, 3, anim_axes2d_names, ANIM_AXES2D_COUNT, &tree.axes2d) != 0 ||
	    jsonl_attrs_of(reader, &object, 4, &tree.attrs) != 0)
		return -1;
	reader->at = behind;
	reader->tree = true;
	reader->nodes = 0;
	reader->stage = ANIM_STAGE_TREE;
	if (anim_tree_validate(&tree, reader->error) != 0)
		return jsonl_place(reader);
	return anim_sink_tree(reader->sink, &tree, reader->error);
}

static int read_node_fields(struct jsonl_reader *reader, const struct jsonl_object *object, struct anim_node *node)
{
	uint64_t parent = ANIM_NO_PARENT;
	unsigned has = 0;

	if (jsonl_needs(reader, object, 0) != 0 || jsonl_text_of(reader, object, 0, &node->path) != 0 ||
	    jsonl_text_of(reader, object, 1, &node->type) != 0 ||
	    jsonl_word_of(reader, object, 2, anim_node_kind_names, ANIM_NODE_KIND_COUNT, &node->kind) != 0 ||
	    jsonl_bits_of(reader, object, 3, anim_node_has_names, ANIM_NODE_HAS_COUNT, &has) != 0 ||
	    jsonl_count_of(reader, object, 4, ANIM_NO_PARENT - 1, &parent) != 0 ||
	    jsonl_floats_of(reader, object, 5, node->position, 3) != 0 ||
	    jsonl_floats_of(reader, object, 6, node->rotation, 4) != 0 ||
	    jsonl_floats_of(reader, object, 7, node->scale, 3) != 0)
		return -1;
	node->parent = (uint32_t)parent;
	node->has = (uint8_t)has;
	return jsonl_attrs_of(reader, object, 8, &node->attrs);
}

static int read_node(struct jsonl_reader *reader)
{
	static const char *const names[] = {"path",     "type",     "kind",  "has",        "parent",
					    "position", "rotation", "scale", "attributes", NULL};
	struct anim_node node = {.path = "", .type = "", .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	struct jsonl_object object;
	const char *behind;

	if (reader->stage != ANIM_STAGE_TREE)
		return jsonl_fail(reader, reader->at, "a node before any tree, or behind a clip");
	if (jsonl_members(reader, names, &object) != 0)
		return -1;
	behind = reader->at;
	if (read_node_fields(reader, &object, &node) != 0)
		return -1;
	reader->at = behind;
	if (anim_node_validate(&node, reader->nodes, reader->error) != 0)
		return jsonl_place(reader);
	reader->nodes++;
	return anim_sink_node(reader->sink, &node, reader->error);
}

static int read_clip_fields(struct jsonl_reader *reader, const struct jsonl_object *object, struct anim_clip *clip)
{
	unsigned flags = 0;

	if (jsonl_needs(reader, object, 4) != 0 || jsonl_text_of(reader, object, 0, &clip->name) != 0 ||
	    jsonl_text_of(reader, object, 1, &clip->root) != 0 ||
	    jsonl_text_of(reader, object, 2, &clip->source) != 0 ||
	    jsonl_float_of(reader, object, 3, &clip->start_s) != 0 ||
	    jsonl_float_of(reader, object, 4, &clip->end_s) != 0 ||
	    jsonl_word_of(reader, object, 5, anim_loop_names, ANIM_LOOP_COUNT, &clip->loop) != 0 ||
	    jsonl_word_of(reader, object, 6, anim_axes_names, ANIM_AXES_COUNT, &clip->axes) != 0 ||
	    jsonl_word_of(reader, object, 7, anim_axes2d_names, ANIM_AXES2D_COUNT, &clip->axes2d) != 0 ||
	    jsonl_bits_of(reader, object, 8, anim_clip_flag_names, ANIM_CLIP_FLAG_COUNT, &flags) != 0 ||
	    jsonl_rate_of(reader, object, 9, &clip->rate_num, &clip->rate_den) != 0)
		return -1;
	clip->flags = (uint8_t)flags;
	return jsonl_attrs_of(reader, object, 10, &clip->attrs);
}

static int read_clip(struct jsonl_reader *reader)
{
	static const char *const names[] = {"name", "root",   "source", "start", "end",        "loop",
					    "axes", "axes2d", "flags",  "rate",  "attributes", NULL};
	struct anim_clip clip = {.name = "clip", .root = ".", .source = "json"};
	struct jsonl_object object;
	const char *behind;

	if (jsonl_members(reader, names, &object) != 0)
		return -1;
	behind = reader->at;
	if (read_clip_fields(reader, &object, &clip) != 0)
		return -1;
	reader->at = behind;
	reader->stage = ANIM_STAGE_CLIP;
	if (anim_clip_validate(&clip, reader->tree, reader->error) != 0)
		return jsonl_place(reader);
	return anim_sink_clip(reader->sink, &clip, reader->error);
}

static int read_track(struct jsonl_reader *reader)
{
	if (reader->stage != ANIM_STAGE_CLIP)
		return jsonl_fail(reader, reader->at, "a track before any clip");
	return jsonl_read_track(reader);
}

/* {"end":true}: 1 from the line. */
static int read_end(struct jsonl_reader *reader)
{
	if (reader->lines.end - reader->at < 4 || memcmp(reader->at, "true", 4) != 0)
		return jsonl_fail(reader, reader->at, "true is expected");
	reader->at += 4;
	reader->stage = ANIM_STAGE_END;
	return 0;
}

static int read_version(struct jsonl_reader *reader)
{
	const char *at = reader->at;
	uint64_t version;

	if (jsonl_count(reader, UINT32_MAX, &version) != 0)
		return -1;
	if (version == 1)
		return 0;
	return jsonl_fail(reader, at, "version %llu of these lines: needs newer anim-tools",
			  (unsigned long long)version);
}

/* The one member of a line's object, by its name; the cursor is on the value. */
static int read_object(struct jsonl_reader *reader, bool is_first)
{
	static const char *const names[] = {"anim_json", "tree", "node", "clip", "track", "end"};
	static int (*const read[])(struct jsonl_reader *) = {read_version, read_tree,  read_node,
							     read_clip,    read_track, read_end};
	const char *begin = reader->at;
	uint8_t number;

	reader->place = anim_lines_place(&reader->lines, begin);
	anim_arena_reset(&reader->arena);
	if (jsonl_expect(reader, '{') != 0 || jsonl_word(reader, names, 6, &number) != 0)
		return -1;
	if (is_first != (number == 0))
		return jsonl_fail(reader, begin,
				  is_first ? "the first line is not {\"anim_json\":1}" : "the first line comes again");
	if (jsonl_expect(reader, ':') != 0)
		return -1;
	jsonl_blanks(reader);
	if (read[number](reader) != 0)
		return -1;
	return jsonl_expect(reader, '}');
}

static int read_lines(struct jsonl_reader *reader)
{
	bool is_first = true;
	int more;

	while ((more = anim_lines_next(&reader->lines, reader->error)) == 1) {
		reader->at = reader->lines.at;
		jsonl_blanks(reader);
		if (reader->at == reader->lines.end)
			continue;
		if (reader->stage == ANIM_STAGE_END)
			return jsonl_fail(reader, reader->at, "more text behind the line {\"end\":true}");
		if (read_object(reader, is_first) != 0)
			return -1;
		jsonl_blanks(reader);
		if (reader->at != reader->lines.end)
			return jsonl_fail(reader, reader->at, "an object a line; nothing more is expected");
		is_first = false;
	}
	if (more == 0 && reader->stage != ANIM_STAGE_END)
		return jsonl_fail(reader, reader->lines.end, "the text is cut: there is no line {\"end\":true}");
	return more;
}

int anim_json_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		   struct anim_error *error)
{
	struct jsonl_reader reader = {.lines = {.input = input}, .sink = sink, .error = error};
	int result = read_lines(&reader);

	(void)options;
	jsonl_columns_clear(&reader.columns);
	anim_buffer_clear(&reader.text);
	anim_buffer_clear(&reader.attrs);
	anim_arena_clear(&reader.arena);
	return result == 0 ? 0 : anim_error_in_file(error, anim_input_name(input));
}
