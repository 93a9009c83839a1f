/* document.c: a Unity text file document by document, whole or field by field. */
#include "format/unity/document_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "format/unity/document.h"

/* ---- What is no UnityYAML ---- */

#define PATH_LENGTH 1024

struct magic {
	const char *bytes, *what;
};

static bool is_utf16(const struct unity_lines *lines)
{
	const uint8_t *at = lines->at;

	if (lines->left < 4)
		return false;
	return (at[0] == 0xff && at[1] == 0xfe) || (at[0] == 0xfe && at[1] == 0xff) ||
	       (at[0] != 0 && at[1] == 0 && at[2] != 0 && at[3] == 0) ||
	       (at[0] == 0 && at[1] != 0 && at[2] == 0 && at[3] != 0);
}

/*
 * A short line without ": ", with a slash or a suffix, and none of YAML's own: what Git leaves of a symbolic link where the
 * file system has none.
 */
static bool is_link_text(const struct unity_lines *lines)
{
	const char *text = (const char *)lines->at;
	size_t length = lines->left;

	while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
		length--;
	if (!lines->all || length == 0 || text[0] == '%' || length > PATH_LENGTH ||
	    memchr(text, '\n', length) != NULL || memchr(text, ':', length) != NULL ||
	    anim_utf8_prefix(text, length) != length)
		return false;
	return memchr(text, '/', length) != NULL || memchr(text, '.', length) != NULL;
}

static bool has_document(const struct unity_lines *lines)
{
	struct unity_lines at = *lines;

	while (at.left > 0) {
		size_t length = 0;

		if (unity_is_document(&at))
			return true;
		while (length < at.left && at.at[length] != '\n' && at.at[length] != '\r')
			length++;
		length += length < at.left;
		unity_lines_pass(&at, length, true);
	}
	return false;
}

/* Names what is no UnityYAML by its first window. 0 or -1. */
static int refuse_others(const struct unity_lines *lines, struct anim_error *error)
{
	static const struct magic magics[] = {
	    {"UnityFS", "an asset bundle; unpack it first"},
	    {"UnityRaw", "an asset bundle; unpack it first"},
	    {"UnityWeb", "an asset bundle; unpack it first"},
	    {"UnityArchive", "an asset bundle; unpack it first"},
	    {"version https://git-lfs", "a Git LFS pointer, not the file itself; run 'git lfs pull'"},
	};

	if (lines->left == 0)
		return anim_fail(error, ANIM_BAD_INPUT, "the file is empty");
	for (size_t i = 0; i < ANIM_COUNT(magics); i++)
		if (anim_bytes_begin(lines->at, lines->left, magics[i].bytes))
			return anim_fail(error, ANIM_BAD_INPUT, "%s", magics[i].what);
	if (is_utf16(lines))
		return anim_fail(error, ANIM_BAD_INPUT, "UTF-16; save it as UTF-8");
	if (lines->has_zero && !has_document(lines))
		return anim_fail(error, ANIM_BAD_INPUT,
				 "a binary Unity asset; set Asset Serialization to Force Text in Unity and save it "
				 "again");
	if (has_document(lines))
		return 0;
	if (is_link_text(lines))
		return anim_fail(error, ANIM_BAD_INPUT, "the text of a symbolic link; read the file that it names");
	return anim_fail(error, ANIM_BAD_INPUT, "not a Unity text file: no line begins with '--- '");
}

/* ---- The line that begins a document ---- */

static const struct {
	const char *name;
	int32_t class_id;
} types[] = {
    {"GameObject", 1},
    {"Transform", 4},
    {"Camera", 20},
    {"Material", 21},
    {"MeshRenderer", 23},
    {"MeshFilter", 33},
    {"AnimationClip", 74},
    {"AnimatorController", 91},
    {"Animator", 95},
    {"Light", 108},
    {"Animation", 111},
    {"MonoBehaviour", 114},
    {"SkinnedMeshRenderer", 137},
    {"BlendTree", 206},
    {"SpriteRenderer", 212},
    {"AnimatorOverrideController", 221},
    {"RectTransform", 224},
    {"PrefabInstance", 1001},
    {"Prefab", 1001},
    {"AnimatorTransition", 1101},
    {"AnimatorState", 1102},
    {"AnimatorStateMachine", 1107},
};

/* The class of a type's name, -1 where it is not one of those that matter here. */
static int32_t class_of_name(const char *name, size_t length)
{
	for (size_t i = 0; i < ANIM_COUNT(types); i++)
		if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0)
			return types[i].class_id;
	return -1;
}

static const char *blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

static const char *id_end(const char *at)
{
	at += *at == '-' || *at == '+';
	while (*at >= '0' && *at <= '9')
		at++;
	return at;
}

/* Digits behind "!u!"; -1 where they are no class. */
static const char *read_class(const char *at, int32_t *class_id)
{
	const char *end = id_end(at);
	int64_t id;

	if (unity_parse_id(at, (size_t)(end - at), &id) && id >= 0 && id <= INT32_MAX)
		*class_id = (int32_t)id;
	return end;
}

/* The type's name on the line below, where the document's own line does not tell its class. */
static int32_t class_below(const struct unity_lines *lines)
{
	const char *end = memchr(lines->at, '\n', lines->left), *name, *colon;

	if (end == NULL)
		return -1;
	name = end + 1;
	end = (const char *)lines->at + lines->left;
	colon = memchr(name, ':', (size_t)(end - name) < 64 ? (size_t)(end - name) : 64);
	return colon == NULL ? -1 : class_of_name(name, (size_t)(colon - name));
}

/* The slack behind the window is 0, so that no end needs to be looked for. */
static void read_head(const struct unity_lines *lines, struct unity_document *document)
{
	const char *at = blanks((const char *)lines->at + 3);

	*document = (struct unity_document){.class_id = -1, .line = lines->line};
	if (strncmp(at, "!u!", 3) == 0)
		at = blanks(read_class(at + 3, &document->class_id));
	if (*at == '&') {
		const char *end = id_end(at + 1);

		unity_parse_id(at + 1, (size_t)(end - at - 1), &document->id);
		at = blanks(end);
	}
	document->stripped = strncmp(at, "stripped", 8) == 0;
	if (document->class_id < 0)
		document->class_id = class_below(lines);
}

/* ---- Nodes out of events ---- */

/* A map or list that is being read. */
struct frame {
	struct unity_node *node, *last;
	const char *key; /* of a map, where its value comes next */
};

struct builder {
	struct unity_file *file;
	struct anim_arena *arena;
	struct anim_error *error;
	bool curves;
	unsigned depth; /* frames */
	struct frame stack[ANIM_NESTING_YAML];
};

/* A fault at a line that libfyaml was given, from 0 as the column is. Returns -1. */
static int fault_at(struct unity_file *file, uint32_t given, uint32_t column, struct anim_error *error)
{
	struct anim_place place = {.file = anim_input_name(file->lines.input),
				   .at = ANIM_AT_LINE,
				   .line = unity_feed_line(&file->feed, given),
				   .column = column + 1};
	struct anim_error plain;

	if (error == NULL || error->at != ANIM_AT_FILE || error->code == ANIM_SYSTEM || error->code == ANIM_NO_MEMORY)
		return -1;
	plain = *error;
	return anim_fail_at(error, plain.code, &place, "%s", plain.message);
}

/* The next event, its faults with their place. As unity_yaml_events_next. */
static int next_event(struct unity_file *file, struct unity_yaml_event *event, struct anim_error *error)
{
	int status = unity_yaml_events_next(&file->events, event, error);

	file->feed.silent = file->feed.nesting.parts = 0;
	if (file->feed.failed) {
		if (error != NULL)
			*error = file->feed.error;
		return -1;
	}
	if (status >= 0)
		return status;
	return fault_at(file, event->given, event->column, error);
}

/* The next event, of which there must be one. 0 or -1. */
static int need_event(struct unity_file *file, struct unity_yaml_event *event, struct anim_error *error)
{
	int status = next_event(file, event, error);

	if (status == 0)
		anim_fail(error, ANIM_BAD_INPUT, "not UnityYAML: it ends too early");
	return status > 0 ? 0 : -1;
}

/* Passes over the node that begins with that event. 0 or -1. */
static int drop(struct unity_file *file, const struct unity_yaml_event *first, struct anim_error *error)
{
	struct unity_yaml_event event = *first;
	size_t depth = 0;

	for (;;) {
		if (event.type == UNITY_EVENT_MAP || event.type == UNITY_EVENT_LIST)
			depth++;
		else if (event.type != UNITY_EVENT_SCALAR)
			depth--;
		if (depth == 0)
			return 0;
		if (depth > ANIM_NESTING_YAML) {
			anim_fail(error, ANIM_TOO_LARGE, "nested more than %d deep", ANIM_NESTING_YAML);
			return fault_at(file, event.given, event.column, error);
		}
		if (need_event(file, &event, error) != 0)
			return -1;
	}
}

/* A node that begins with that event, without members. NULL out of memory. */
static struct unity_node *new_node(struct unity_file *file, struct anim_arena *arena,
				   const struct unity_yaml_event *event, const char *key, struct anim_error *error)
{
	struct unity_node *node = anim_arena_zeroed(arena, 1, sizeof *node, error);

	if (node == NULL)
		return NULL;
	node->key = key;
	node->text = "";
	node->line = unity_feed_line(&file->feed, event->given);
	node->column = event->column + 1;
	node->kind = event->type == UNITY_EVENT_MAP    ? UNITY_MAP
		     : event->type == UNITY_EVENT_LIST ? UNITY_LIST
						       : UNITY_SCALAR;
	return node;
}

/* Hangs the node into the innermost frame. */
static void hang(struct builder *builder, struct unity_node *node)
{
	struct frame *frame;

	if (builder->depth == 0)
		return;
	frame = &builder->stack[builder->depth - 1];
	if (frame->last == NULL)
		frame->node->first = node;
	else
		frame->last->next = node;
	frame->last = node;
	frame->node->count++;
	frame->key = NULL;
}

static int set_text(struct builder *builder, struct unity_node *node, const struct unity_yaml_event *event)
{
	node->quoted = event->quoted;
	node->length = event->length;
	node->text =
	    event->length == 0 ? "" : anim_arena_text(builder->arena, event->text, event->length, builder->error);
	return node->text == NULL ? -1 : 0;
}

/* "{fileID:6}" is a key "fileID:6" without value to YAML. */
static int split_key(struct builder *builder, struct unity_node *node)
{
	const char *colon = strchr(node->key, ':');

	if (colon == NULL || builder->depth == 0 || builder->stack[builder->depth - 1].node->kind != UNITY_MAP)
		return 0;
	node->text = colon + 1;
	node->length = strlen(node->text);
	node->key = anim_arena_text(builder->arena, node->key, (size_t)(colon - node->key), builder->error);
	return node->key == NULL ? -1 : 0;
}

static int push(struct builder *builder, struct unity_node *node, const struct unity_yaml_event *event)
{
	if (builder->depth == ANIM_NESTING_YAML) {
		anim_fail(builder->error, ANIM_TOO_LARGE, "nested more than %d deep", ANIM_NESTING_YAML);
		return fault_at(builder->file, event->given, event->column, builder->error);
	}
	builder->stack[builder->depth++] = (struct frame){.node = node};
	return 0;
}

static int build_keys(struct unity_file *, struct unity_node *, struct anim_error *);

/* Adds what begins with the event below the innermost frame, whose key is `key`. 0 or -1. */
static int add(struct builder *builder, const struct unity_yaml_event *event, const char *key, struct unity_node **made)
{
	struct unity_node *node = new_node(builder->file, builder->arena, event, key, builder->error);

	if (node == NULL)
		return -1;
	*made = node;
	if (event->type == UNITY_EVENT_SCALAR) {
		if (set_text(builder, node, event) != 0)
			return -1;
		if (node->length == 0 && !node->quoted && split_key(builder, node) != 0)
			return -1;
		hang(builder, node);
		return 0;
	}
	hang(builder, node);
	if (event->type == UNITY_EVENT_LIST && builder->curves && strcmp(key, "m_Curve") == 0)
		return build_keys(builder->file, node, builder->error);
	return push(builder, node, event);
}

static int take_key(struct builder *builder, struct frame *frame, const struct unity_yaml_event *event)
{
	if (event->type != UNITY_EVENT_SCALAR) {
		anim_fail(builder->error, ANIM_BAD_INPUT, "a key of a map that is no text");
		return fault_at(builder->file, event->given, event->column, builder->error);
	}
	frame->key = anim_arena_text(builder->arena, event->text, event->length, builder->error);
	return frame->key == NULL ? -1 : 0;
}

/* One event behind the first. 0 or -1. */
static int take(struct builder *builder, const struct unity_yaml_event *event)
{
	struct frame *frame = &builder->stack[builder->depth - 1];
	struct unity_node *made;

	if (event->type == UNITY_EVENT_MAP_END || event->type == UNITY_EVENT_LIST_END) {
		builder->depth--;
		return 0;
	}
	if (frame->node->kind == UNITY_MAP && frame->key == NULL)
		return take_key(builder, frame, event);
	return add(builder, event, frame->node->kind == UNITY_MAP ? frame->key : frame->node->key, &made);
}

/*
 * The node that begins with that event, read to its end; `key` is borrowed. With `curves`, lists under "m_Curve" become
 * keys. 0 or -1.
 */
static int build(struct unity_file *file, struct anim_arena *arena, const struct unity_yaml_event *first,
		 const char *key, bool curves, struct unity_node **node, struct anim_error *error)
{
	struct builder builder = {.file = file, .arena = arena, .error = error, .curves = curves};
	struct unity_yaml_event event;

	if (add(&builder, first, key, node) != 0)
		return -1;
	while (builder.depth > 0)
		if (need_event(file, &event, error) != 0 || take(&builder, &event) != 0)
			return -1;
	return 0;
}

/* ---- The keys of a curve ---- */

/* A key that libfyaml reads. 0 or -1. */
static int read_slowly(struct unity_file *file, struct unity_keys *keys, const struct unity_yaml_event *event,
		       const char *name, struct anim_error *error)
{
	const struct unity_node *culprit = NULL;
	struct unity_node *node;
	struct anim_place place;

	anim_arena_reset(&file->key_arena);
	if (build(file, &file->key_arena, event, name, false, &node, error) != 0)
		return -1;
	if (unity_keys_add(keys, node, &culprit, error) == 0)
		return 0;
	if (error->code == ANIM_NO_MEMORY)
		return -1;
	unity_place(file, culprit, &place);
	error->at = place.at;
	error->line = place.line;
	error->column = place.column;
	return anim_error_in_file(error, place.file);
}

/*
 * An item begins with the event. Where it is the line last given, as many keys from there on as the fast way knows are
 * read; libfyaml then sees no more of them than the first line of the first. 0 or -1.
 */
static int read_item(struct unity_file *file, struct unity_keys *keys, const struct unity_yaml_event *event,
		     const char *name, struct anim_error *error)
{
	if (event->type == UNITY_EVENT_MAP && file->fast != NULL && unity_feed_is_at(&file->feed, event->given)) {
		ptrdiff_t count = unity_fast_read(file->fast, &file->lines, keys, event->column, error);

		if (count < 0)
			return -1;
		if (count > 0) {
			unity_feed_jumped(&file->feed);
			return drop(file, event, error);
		}
	}
	return read_slowly(file, keys, event, name, error);
}

/* The items of a list of keys behind its event, to its end. 0 or -1. */
static int build_keys(struct unity_file *file, struct unity_node *node, struct anim_error *error)
{
	struct unity_keys *keys = unity_keys_take(&file->pool, error);
	struct unity_yaml_event event;

	if (keys == NULL || need_event(file, &event, error) != 0)
		return -1;
	while (event.type != UNITY_EVENT_LIST_END)
		if (read_item(file, keys, &event, node->key, error) != 0 || need_event(file, &event, error) != 0)
			return -1;
	unity_keys_finish(keys);
	node->kind = UNITY_KEYS;
	node->count = keys->columns.n;
	node->keys = &keys->track;
	return 0;
}

/* ---- A document whole, or field by field ---- */

static const struct unity_yaml_event nothing = {.type = UNITY_EVENT_SCALAR, .text = ""};

static int fault(struct unity_file *file, const struct unity_yaml_event *event, struct anim_error *error,
		 const char *message)
{
	anim_fail(error, ANIM_BAD_INPUT, "%s", message);
	return fault_at(file, event->given, event->column, error);
}

/* Begins to read the document and goes to the type's name. 1; 0 where there is nothing; -1. */
static int begin(struct unity_file *file, struct unity_yaml_event *name, struct anim_error *error)
{
	struct unity_yaml_event event;
	int status;

	if (unity_yaml_events_begin(&file->events, unity_feed_give, &file->feed, error) != 0)
		return -1;
	status = next_event(file, &event, error);
	if (status <= 0 || (event.type == UNITY_EVENT_SCALAR && event.length == 0 && !event.quoted))
		return status < 0 ? -1 : 0;
	if (event.type != UNITY_EVENT_MAP)
		return fault(file, &event, error, "an object that does not begin with its type's name");
	status = next_event(file, name, error);
	if (status < 0)
		return -1;
	if (status == 0 || name->type != UNITY_EVENT_SCALAR)
		return fault(file, &event, error, "an object that does not begin with its type's name");
	return 1;
}

/* Behind the type's map nothing more may come. 0 or -1. */
static int finish(struct unity_file *file, struct anim_error *error)
{
	struct unity_yaml_event event;
	int status = next_event(file, &event, error);

	if (status > 0 && event.type != UNITY_EVENT_MAP_END)
		return fault(file, &event, error, "more than one type in an object");
	while (status > 0)
		status = next_event(file, &event, error);
	return status;
}

/* The field's or type's name, kept in file->field. 0 or -1. */
static int keep_name(struct unity_file *file, const struct unity_yaml_event *event, struct anim_error *error)
{
	if (event->type != UNITY_EVENT_SCALAR)
		return fault(file, event, error, "a key of a map that is no text");
	file->field.size = 0;
	if (anim_buffer_append(&file->field, event->text, event->length, error) != 0)
		return -1;
	return anim_buffer_append(&file->field, "", 1, error);
}

static const char *copy_name(const struct unity_file *file, struct anim_arena *arena, struct anim_error *error)
{
	return anim_arena_text(arena, (const char *)file->field.data, file->field.size - 1, error);
}

int unity_document_tree(struct unity_file *file, struct anim_arena *arena, const struct unity_node **root,
			struct anim_error *error)
{
	struct unity_yaml_event name = nothing, value = nothing;
	struct unity_node *node;
	const char *key;
	int status;

	if (file->stage != UNITY_AT_START)
		return anim_fail(error, ANIM_BAD_INPUT, "an object is read once");
	file->stage = UNITY_DONE;
	status = begin(file, &name, error);
	if (status < 0 || keep_name(file, &name, error) != 0)
		return -1;
	key = copy_name(file, arena, error);
	if (key == NULL || (status > 0 && next_event(file, &value, error) < 0) ||
	    build(file, arena, &value, key, false, &node, error) != 0)
		return -1;
	*root = node;
	return status > 0 ? finish(file, error) : 0;
}

void unity_clip_want(struct unity_file *file, bool (*wanted)(void *context, const char *name), void *context)
{
	file->wanted = wanted;
	file->wanted_context = context;
	file->entered = NULL;
	file->inside = false;
}

void unity_clip_enter(struct unity_file *file, const char *name)
{
	file->entered = name;
}

/* True where the value of the field at hand is not handed out, but what is in it. */
static bool enters(struct unity_file *file, const struct unity_yaml_event *value)
{
	if (value->type != UNITY_EVENT_MAP || file->entered == NULL || file->inside ||
	    strcmp((const char *)file->field.data, file->entered) != 0)
		return false;
	file->inside = true;
	return true;
}

/* True at the end of the fields; the end of those within one only leads out of it. */
static bool is_last(struct unity_file *file, const struct unity_yaml_event *event)
{
	return event->type == UNITY_EVENT_MAP_END && !file->inside;
}

/* Goes into the type's map of fields, if there is one. 0 or -1. */
static int enter(struct unity_file *file, struct anim_error *error)
{
	static const char type[] = "AnimationClip";
	struct unity_yaml_event name, value;
	int status = begin(file, &name, error);

	if (status <= 0)
		return status;
	if (file->document.class_id == 74 &&
	    (name.length != sizeof type - 1 || memcmp(name.text, type, sizeof type - 1) != 0))
		return fault(file, &name, error, "an object of class 74 that is not called AnimationClip");
	if (next_event(file, &value, error) < 0)
		return -1;
	if (value.type == UNITY_EVENT_SCALAR && value.length == 0)
		return finish(file, error);
	if (value.type != UNITY_EVENT_MAP)
		return fault(file, &value, error, "an AnimationClip that is no map of fields");
	file->stage = UNITY_IN_FIELDS;
	return 0;
}

static int hand_out(struct unity_file *file, struct anim_arena *arena, const struct unity_yaml_event *event,
		    struct unity_field *field, struct anim_error *error)
{
	struct unity_node *node;

	field->name = copy_name(file, arena, error);
	if (field->name == NULL || build(file, arena, event, field->name, true, &node, error) != 0)
		return -1;
	field->node = node;
	return 1;
}

/* An item of the list, or where there is none an end that leads back to the fields: 1, 0, -1. */
static int take_item(struct unity_file *file, struct anim_arena *arena, struct unity_field *field,
		     struct anim_error *error)
{
	struct unity_yaml_event event;

	if (need_event(file, &event, error) != 0)
		return -1;
	if (event.type == UNITY_EVENT_LIST_END) {
		file->stage = UNITY_IN_FIELDS;
		return 0;
	}
	if (hand_out(file, arena, &event, field, error) < 0)
		return -1;
	file->stage = UNITY_IN_LIST;
	field->is_item = true;
	field->item = file->item++;
	return 1;
}

/* A list: its first item, or itself where it is empty. 1 or -1. */
static int take_list(struct unity_file *file, struct anim_arena *arena, const struct unity_yaml_event *event,
		     struct unity_field *field, struct anim_error *error)
{
	int status;

	file->item = 0;
	status = take_item(file, arena, field, error);
	if (status != 0)
		return status;
	field->name = copy_name(file, arena, error);
	if (field->name == NULL)
		return -1;
	field->node = new_node(file, arena, event, field->name, error);
	return field->node == NULL ? -1 : 1;
}

/* Passes over the value of the field whose name the event was. 0 or -1. */
static int pass_field(struct unity_file *file, const struct unity_yaml_event *name, struct anim_error *error)
{
	struct unity_yaml_event value = nothing;

	if (unity_feed_skip(&file->feed, name->given, name->column, error) < 0 || next_event(file, &value, error) < 0)
		return -1;
	return drop(file, &value, error);
}

/* 1 a field or item, 0 there is no more, -1. */
static int take_field(struct unity_file *file, struct anim_arena *arena, struct unity_field *field,
		      struct anim_error *error)
{
	struct unity_yaml_event event;
	int status;

	while ((status = next_event(file, &event, error)) > 0 && !is_last(file, &event)) {
		struct unity_yaml_event name = event;

		if (event.type == UNITY_EVENT_MAP_END) {
			file->inside = false;
			continue;
		}
		if (keep_name(file, &event, error) != 0)
			return -1;
		if (file->wanted != NULL && !file->wanted(file->wanted_context, (const char *)file->field.data)) {
			if (pass_field(file, &name, error) != 0)
				return -1;
			continue;
		}
		if (next_event(file, &event, error) < 0)
			return -1;
		if (enters(file, &event))
			continue;
		if (event.type == UNITY_EVENT_LIST)
			return take_list(file, arena, &event, field, error);
		return hand_out(file, arena, &event, field, error);
	}
	return status > 0 ? finish(file, error) : status;
}

int unity_clip_next(struct unity_file *file, struct anim_arena *arena, struct unity_field *field,
		    struct anim_error *error)
{
	int status = 0;

	*field = (struct unity_field){0};
	file->pool.used = 0;
	if (file->stage == UNITY_AT_START) {
		file->stage = UNITY_DONE;
		status = enter(file, error);
	}
	if (file->stage == UNITY_IN_LIST)
		status = take_item(file, arena, field, error);
	if (status == 0 && file->stage == UNITY_IN_FIELDS)
		status = take_field(file, arena, field, error);
	if (status <= 0)
		file->stage = UNITY_DONE;
	return status;
}

/* ---- The file ---- */

#define REFUSE_WINDOW ((size_t)64 * 1024)

/* Whether a carriage return stands alone in the first window: an old kind of line end. */
static bool has_lone_return(const struct unity_lines *lines)
{
	for (size_t i = 0; i + 1 < lines->left; i++)
		if (lines->at[i] == '\r' && lines->at[i + 1] != '\n')
			return true;
	return lines->left > 0 && lines->all && lines->at[lines->left - 1] == '\r';
}

int unity_file_open(struct unity_file **opened, struct anim_input *input, struct anim_error *error)
{
	struct unity_file *file = calloc(1, sizeof *file);
	struct unity_lines *lines;

	*opened = NULL;
	if (file == NULL)
		return anim_fail_memory(error);
	lines = &file->lines;
	*lines = (struct unity_lines){.input = input, .line = 1};
	if (unity_lines_more(lines, REFUSE_WINDOW, error) != 0)
		goto failed;
	if (lines->left >= 3 && lines->at[0] == 0xef && lines->at[1] == 0xbb && lines->at[2] == 0xbf)
		unity_lines_pass(lines, 3, false);
	if (refuse_others(lines, error) != 0) {
		anim_error_in_file(error, anim_input_name(input));
		goto failed;
	}
	lines->lone_cr = has_lone_return(lines);
	if (unity_fast_new(&file->fast, error) != 0)
		goto failed;
	*opened = file;
	return 0;
failed:
	unity_file_close(file);
	return -1;
}

void unity_file_close(struct unity_file *file)
{
	if (file == NULL)
		return;
	unity_yaml_events_clear(&file->events);
	unity_keys_pool_clear(&file->pool);
	unity_fast_free(file->fast);
	anim_buffer_clear(&file->field);
	anim_arena_clear(&file->key_arena);
	free(file);
}

bool unity_file_is_broken(const struct unity_file *file)
{
	return file->lines.broken;
}

void unity_file_slow(struct unity_file *file)
{
	unity_fast_free(file->fast);
	file->fast = NULL;
}

int unity_file_next(struct unity_file *file, struct unity_document *document, struct anim_error *error)
{
	struct unity_lines *lines = &file->lines;
	int status;

	if (file->in_document && unity_feed_leave(&file->feed, error) != 0)
		return -1;
	file->in_document = false;
	file->pool.used = 0;
	while ((status = unity_lines_start(lines, error)) > 0 && !unity_is_document(lines))
		if (unity_lines_check(lines, error) != 0 || unity_lines_skip(lines, error) != 0)
			return -1;
	if (status <= 0)
		return status;
	read_head(lines, &file->document);
	*document = file->document;
	file->in_document = true;
	file->stage = UNITY_AT_START;
	file->feed = (struct unity_feed){.lines = lines};
	if (unity_feed_begin(&file->feed, lines, error) != 0)
		return -1;
	return 1;
}

void unity_place(const struct unity_file *file, const struct unity_node *node, struct anim_place *place)
{
	*place = (struct anim_place){
	    .file = anim_input_name(file->lines.input), .at = ANIM_AT_LINE, .line = node->line, .column = node->column};
}
