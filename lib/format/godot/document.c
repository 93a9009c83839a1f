/* document.c: reads one file section by section into a document. */
#include "format/godot/document.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/number.h"

#define NEWEST_FORMAT 4

struct godot_clip *godot_document_clip(const struct godot_document *document, size_t number)
{
	return (struct godot_clip *)document->clips.data + number;
}

struct godot_library *godot_document_library(const struct godot_document *document, size_t number)
{
	return (struct godot_library *)document->libraries.data + number;
}

int godot_document_say(const struct godot_context *context, const struct godot_document *document,
		       enum anim_severity severity, const struct anim_place *place, const char *many,
		       struct anim_error *error, const char *format, ...)
{
	struct anim_place here = {.at = ANIM_AT_FILE};
	char text[sizeof error->message];
	va_list args;

	if (place != NULL)
		here = *place;
	here.file = document->shown;
	if (severity == ANIM_FAULT && (context->options->keep_going || document->want == GODOT_WANT_NODES))
		severity = ANIM_WARNING;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return anim_losses_add(context->options->losses, severity, &here, many, error, "%s", text);
}

/* Makes a fault of the error, if it is one that reading can go on after. 0 reported, -1: it is not, or one too many. */
static int report(const struct godot_context *context, const struct godot_document *document, struct anim_error *error)
{
	const struct anim_error fault = *error;
	struct anim_place place = {.at = fault.at, .line = fault.line, .column = fault.column, .offset = fault.offset};

	if (fault.at != ANIM_AT_LINE || fault.code == ANIM_NO_MEMORY || fault.code == ANIM_SYSTEM)
		return -1;
	if (godot_document_say(context, document, ANIM_FAULT, &place, NULL, error, "%s", fault.message) != 0)
		return -1;
	*error = (struct anim_error){0};
	return 0;
}

const char *godot_keep(struct godot_context *context, const struct godot_string *text, struct anim_error *error)
{
	return text->length == 0 ? "" : anim_arena_text(&context->arena, text->bytes, text->length, error);
}

/* The text of a resource id, which may be a number or a string; NULL out of memory, empty where it is neither. */
static const char *id_text(struct godot_context *context, const struct godot_value *value, struct anim_error *error)
{
	char number[ANIM_NUMBER_MAX];

	if (value == NULL)
		return "";
	if (value->type == GODOT_INT)
		return anim_arena_text(&context->arena, number, anim_number_print_int64(number, value->integer), error);
	return godot_keep(context, &value->text, error);
}

/* An attribute as text, kept; empty where the tag has none, NULL out of memory. */
static const char *attribute(struct godot_parse *parse, const struct godot_tag *tag, const char *key,
			     struct anim_error *error)
{
	return id_text(parse->context, godot_tag_get(tag, key), error);
}

static int fault(struct godot_parse *parse, const struct anim_place *place, struct anim_error *error, const char *text)
{
	return godot_document_say(parse->context, parse->document, ANIM_FAULT, place, NULL, error, "%s", text);
}

static int read_external(struct godot_parse *parse, const struct godot_tag *tag, struct anim_error *error)
{
	struct godot_external external;
	const char *id = attribute(parse, tag, "id", error);

	external.played = false;
	external.path = attribute(parse, tag, "path", error);
	external.uid = attribute(parse, tag, "uid", error);
	external.type = attribute(parse, tag, "type", error);
	if (id == NULL || external.path == NULL || external.uid == NULL || external.type == NULL)
		return -1;
	if (id[0] == '\0')
		return fault(parse, &tag->place, error, "an [ext_resource] without an id");
	if (external.path[0] == '\0' && external.uid[0] == '\0')
		return fault(parse, &tag->place, error, "an [ext_resource] without a path");
	return godot_externals_add(&parse->document->externals, id, &external, error);
}

/* Notes the id of a resource; of two with one id the later counts, as in the engine. *before: number + 1 of the earlier. */
static int register_id(struct godot_parse *parse, uint64_t scope, const char *id, size_t number,
		       const struct anim_place *place, size_t *before, struct anim_error *error)
{
	uint32_t old;

	*before = 0;
	if (anim_map_get(&parse->document->ids, scope, id, strlen(id), &old)) {
		*before = (size_t)old + 1;
		if (godot_document_say(parse->context, parse->document, ANIM_WARNING, place, NULL, error,
				       "two sub_resources have the id '%s': the later one counts", id) != 0)
			return -1;
	}
	return anim_map_put(&parse->document->ids, scope, id, strlen(id), (uint32_t)number, error);
}

static int read_body(struct godot_parse *parse, struct godot_clip *clip, struct anim_error *error)
{
	struct godot_context *context = parse->context;
	struct godot_document *document = parse->document;
	int result;

	clip->clip = anim_store_clips(context->store);
	result = godot_animation_read(parse->text, &document->externals, document->format <= 2, context->store,
				      context->options->losses, &context->arena, &clip->head, error);
	clip->faulty = result != 0;
	if (clip->faulty && anim_store_clips(context->store) > clip->clip)
		anim_store_drop_last(context->store);
	if (context->options->keep_going) /* what the body complained of only costs this animation */
		anim_losses_forgive(context->options->losses);
	return result < 0 ? -1 : 0;
}

static int read_animation(struct godot_parse *parse, const char *id, const struct anim_place *place,
			  struct anim_error *error)
{
	struct godot_document *document = parse->document;
	struct anim_place at = *place;
	size_t number = document->clips.size / sizeof(struct godot_clip), before;
	struct godot_clip *clip = anim_buffer_extend(&document->clips, sizeof *clip, error);

	if (clip == NULL)
		return -1;
	*clip = (struct godot_clip){.id = id};
	if (id[0] == '\0')
		document->main_clip = number + 1;
	else if (register_id(parse, GODOT_SCOPE_ANIMATION, id, number, &at, &before, error) != 0)
		return -1;
	else if (before != 0)
		godot_document_clip(document, before - 1)->replaced = true;
	return read_body(parse, clip, error);
}

static int read_library(struct godot_parse *parse, const char *id, const struct anim_place *place,
			struct anim_error *error)
{
	struct godot_document *document = parse->document;
	struct anim_place at = *place;
	size_t number = document->libraries.size / sizeof(struct godot_library), before;
	struct godot_library *library = anim_buffer_extend(&document->libraries, sizeof *library, error);

	if (library == NULL)
		return -1;
	*library = (struct godot_library){.id = id};
	if (id[0] == '\0')
		document->main_library = number + 1;
	else if (register_id(parse, GODOT_SCOPE_LIBRARY, id, number, &at, &before, error) != 0)
		return -1;
	else if (before != 0)
		godot_document_library(document, before - 1)->used = true;
	return godot_library_read(parse, library, error);
}

/* Reads the resource at the cursor if it is animation; what is left unread the next tag passes over. */
static int read_resource(struct godot_parse *parse, const char *type, const char *id, const struct anim_place *place,
			 struct anim_error *error)
{
	if (parse->document->want == GODOT_WANT_NODES)
		return 0;
	if (strcmp(type, "Animation") == 0)
		return read_animation(parse, id, place, error);
	if (strcmp(type, "AnimationLibrary") == 0)
		return read_library(parse, id, place, error);
	return 0;
}

/* A mesh of nothing but blend shapes' names is what the scene writer makes for its tracks. */
static int count_mesh(struct godot_parse *parse, struct anim_error *error)
{
	struct anim_place place;
	const char *name;
	int got;

	while ((got = godot_text_property(parse->text, &name, &place, error)) > 0)
		if (strcmp(name, "_blend_shape_names") != 0 && strcmp(name, "blend_shape/names") != 0) {
			parse->document->lost.count[GODOT_LOST_MESH]++;
			return 0;
		}
	return got;
}

/* What is no animation is only counted. */
static int count_sub(struct godot_parse *parse, const char *type, struct anim_error *error)
{
	if (strcmp(type, "ArrayMesh") == 0)
		return count_mesh(parse, error);
	parse->document->lost.count[godot_lost_resource(type, false)]++;
	return 0;
}

static int read_sub_resource(struct godot_parse *parse, const struct godot_tag *tag, struct anim_error *error)
{
	const struct godot_value *type = godot_tag_get(tag, "type");
	const char *id;

	if (type == NULL || type->text.length == 0)
		return fault(parse, &tag->place, error, "a [sub_resource] without a type");
	id = attribute(parse, tag, "id", error);
	if (id == NULL || godot_externals_add_sub(&parse->document->externals, id, error) != 0)
		return -1;
	if (!godot_string_is(&type->text, "Animation") && !godot_string_is(&type->text, "AnimationLibrary"))
		return count_sub(parse, type->text.bytes, error);
	if (id[0] == '\0')
		return fault(parse, &tag->place, error, "a [sub_resource] without an id");
	return read_resource(parse, godot_string_is(&type->text, "Animation") ? "Animation" : "AnimationLibrary", id,
			     &tag->place, error);
}

static int read_main_resource(struct godot_parse *parse, const struct godot_tag *tag, struct anim_error *error)
{
	struct godot_document *document = parse->document;

	if (document->kind == GODOT_SCENE)
		return fault(parse, &tag->place, error, "a [resource] in a scene");
	if (document->has_resource)
		return fault(parse, &tag->place, error, "a second [resource]");
	document->has_resource = true;
	return read_resource(parse, document->resource_type, "", &tag->place, error);
}

static int read_node(struct godot_parse *parse, const struct godot_tag *tag, struct anim_error *error)
{
	if (parse->document->kind == GODOT_RESOURCE_FILE)
		return fault(parse, &tag->place, error, "a [node] in a resource file");
	if (parse->document->want == GODOT_WANT_ANIMATIONS)
		return 0;
	return godot_scene_node(parse, tag, error);
}

static int read_section(struct godot_parse *parse, const struct godot_tag *tag, struct anim_error *error)
{
	if (strcmp(tag->name, "ext_resource") == 0)
		return read_external(parse, tag, error);
	if (strcmp(tag->name, "sub_resource") == 0)
		return read_sub_resource(parse, tag, error);
	if (strcmp(tag->name, "resource") == 0)
		return read_main_resource(parse, tag, error);
	if (strcmp(tag->name, "node") == 0)
		return read_node(parse, tag, error);
	if (strcmp(tag->name, "connection") == 0)
		parse->document->lost.count[GODOT_LOST_CONNECTION]++;
	if (strcmp(tag->name, "connection") == 0 || strcmp(tag->name, "editable") == 0)
		return 0;
	return godot_document_say(parse->context, parse->document, ANIM_FAULT, &tag->place, NULL, error,
				  "unknown section [%s]", tag->name);
}

/* Nothing may stand between the header and the first section. */
static int check_header_end(struct godot_parse *parse, struct anim_error *error)
{
	struct anim_place place;
	const char *name;
	int got = godot_text_property(parse->text, &name, &place, error);

	if (got <= 0)
		return got;
	parse->document->has_resource = true; /* it is missing, but that was said with this */
	return godot_document_say(parse->context, parse->document, ANIM_FAULT, &place, NULL, error,
				  "'%s' stands before any section; is '[resource]' missing?", name);
}

static int read_header(struct godot_parse *parse, const struct godot_tag *tag, struct anim_error *error)
{
	struct godot_document *document = parse->document;
	const struct godot_value *format = godot_tag_get(tag, "format");

	document->kind = strcmp(tag->name, "gd_scene") == 0 ? GODOT_SCENE : GODOT_RESOURCE_FILE;
	if (format != NULL && format->type == GODOT_INT && format->integer > NEWEST_FORMAT)
		return anim_fail_at(error, ANIM_UNSUPPORTED, &tag->place,
				    "format %lld is newer than what is read here, %d", (long long)format->integer,
				    NEWEST_FORMAT);
	if (format != NULL && format->type == GODOT_INT && format->integer > 0)
		document->format = (int)format->integer;
	document->resource_type = attribute(parse, tag, "type", error);
	if (document->resource_type == NULL)
		return -1;
	if (document->kind == GODOT_RESOURCE_FILE && document->resource_type[0] == '\0' &&
	    fault(parse, &tag->place, error, "[gd_resource] has no type") != 0)
		return -1;
	return 0;
}

/* Reports the error as a fault and moves behind it. 1: go on at the next tag, 0: the end came, -1. */
static int recover(struct godot_parse *parse, struct anim_error *error)
{
	if (report(parse->context, parse->document, error) != 0)
		return -1;
	return godot_text_recover(parse->text, error);
}

static int read_sections(struct godot_parse *parse, struct anim_error *error)
{
	struct godot_tag tag;
	int got = 1;

	while (got > 0) {
		got = godot_text_tag(parse->text, &tag, error);
		if (got > 0 && read_section(parse, &tag, error) != 0)
			got = -1;
		if (got < 0)
			got = recover(parse, error);
	}
	return got;
}

static int read_fragment(struct godot_parse *parse, const struct godot_tag *first, struct anim_error *error)
{
	parse->document->tree.fragment = true;
	if (godot_document_say(parse->context, parse->document, ANIM_WARNING, &first->place, NULL, error,
			       "no [gd_scene] or [gd_resource] at its head: read as a fragment") != 0)
		return -1;
	return read_section(parse, first, error) == 0 ? 1 : recover(parse, error);
}

/* The header or, in a fragment, the first section. 1: sections follow, 0: the end came, -1. */
static int read_first(struct godot_parse *parse, struct anim_error *error)
{
	struct anim_place start = {.at = ANIM_AT_LINE, .line = 1, .column = 1, .file = parse->document->shown};
	struct godot_tag tag;
	int got = godot_text_tag(parse->text, &tag, error);

	if (got == 0)
		return anim_fail_at(error, ANIM_BAD_INPUT, &start, "empty, not a Godot scene or resource");
	if (got < 0)
		return recover(parse, error);
	if (strcmp(tag.name, "gd_scene") != 0 && strcmp(tag.name, "gd_resource") != 0)
		return read_fragment(parse, &tag, error);
	if (read_header(parse, &tag, error) != 0)
		return -1;
	return check_header_end(parse, error) == 0 ? 1 : recover(parse, error);
}

/* The engine does not load a resource file that ends before its resource. */
static int check_end(struct godot_parse *parse, struct anim_error *error)
{
	struct anim_place place;

	if (parse->document->kind != GODOT_RESOURCE_FILE || parse->document->has_resource)
		return 0;
	godot_text_place(parse->text, &place);
	return fault(parse, &place, error, "the file ends before '[resource]'");
}

/* What the text held that the engine, too, reads with a complaint. */
static int say_oddities(struct godot_parse *parse, struct anim_error *error)
{
	struct anim_place place;

	if (godot_text_bad_utf8(parse->text, &place) > 0 &&
	    godot_document_say(parse->context, parse->document, ANIM_WARNING, &place, NULL, error,
			       "bytes that are no UTF-8, here and perhaps further on, became U+FFFD") != 0)
		return -1;
	if (godot_text_bad_colors(parse->text, &place) > 0 &&
	    godot_document_say(parse->context, parse->document, ANIM_WARNING, &place, NULL, error,
			       "a colour without 3, 4, 6 or 8 digits is black, as in Godot") != 0)
		return -1;
	if (!godot_text_cut(parse->text, &place))
		return 0;
	return godot_document_say(parse->context, parse->document, ANIM_WARNING, &place, NULL, error,
				  "the file ends inside a property's name");
}

static int read_all(struct godot_parse *parse, struct anim_error *error)
{
	int got = read_first(parse, error);

	if (got > 0)
		got = read_sections(parse, error);
	if (got < 0 || say_oddities(parse, error) != 0)
		return -1;
	return check_end(parse, error);
}

int godot_document_read(struct godot_context *context, struct godot_document *document, struct anim_input *input,
			struct anim_error *error)
{
	struct godot_parse parse = {.context = context, .document = document};
	int result = godot_text_new(&parse.text, input, error);

	document->format = NEWEST_FORMAT;
	document->resource_type = "";
	document->last_player = &document->players;
	document->externals.context = context;
	document->externals.document = document;
	document->reading = true;
	if (result == 0)
		result = read_all(&parse, error);
	document->reading = false;
	godot_text_free(parse.text);
	anim_arena_clear(&parse.scratch);
	return result;
}

void godot_document_lost(const struct godot_document *document, struct godot_lost *lost)
{
	const struct anim_buffer *items = &document->externals.items;
	const struct godot_external *external = (const struct godot_external *)(const void *)items->data;
	size_t count = items->size / sizeof *external;

	*lost = document->lost;
	for (size_t i = 0; i < count; i++)
		if (!external[i].played)
			lost->count[godot_lost_resource(external[i].type, true)]++;
}

void godot_document_clear(struct godot_document *document)
{
	godot_externals_clear(&document->externals);
	anim_map_clear(&document->ids);
	anim_buffer_clear(&document->clips);
	anim_buffer_clear(&document->libraries);
	godot_tree_clear(&document->tree);
}
