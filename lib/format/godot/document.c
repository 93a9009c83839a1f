/* document.c: reads one file section by section into a document, and opens the other files that it refers to. */
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "format/godot/document.h"
#include "format/godot/godot.h"
#include "format/godot/text.h"

/* ---- Targets of res:// and relative paths ---- */

static int is_project(void *context, const char *folder, struct anim_arena *arena, struct anim_error *error)
{
	(void)context;
	return anim_path_holds(folder, "project.godot", false, arena, error);
}

/*
 * Return the file name for a path, for opening it. If it is NULL, *why is the reason; if both are NULL, memory is out.
 */
static const char *file_name(struct godot_context *context, const struct godot_document *from, const char *path,
			     const char **why)
{
	*why = NULL;
	if (context->options->no_external)
		*why = "other files are not followed";
	else if (context->project.at.folder == NULL || from->location.real == NULL)
		*why = "input from a pipe has no folder to search";
	else if (strncmp(path, "res://", 6) == 0)
		return anim_path_join(&context->arena, context->project.at.shown_folder, path + 6, context->error);
	else if (strncmp(path, "uid://", 6) == 0 || path[0] == '\0')
		*why = "only the Godot editor can resolve a uid://";
	else if (strstr(path, "://") != NULL)
		*why = "only res:// and relative paths are followed";
	else if (path[0] == '/')
		return path;
	else
		return anim_path_join(&context->arena, from->location.shown_folder, path, context->error);
	return NULL;
}

/*
 * Resolve `path`, as `from` spells it: res:// from the folder of the project, other paths from the folder of `from`.
 * Returns 1 with the location and the name for messages, 0 with the reason in *why, or -1 if out of memory.
 */
static int resolve_file(struct godot_context *context, const struct godot_document *from, const char *path,
			struct anim_location *location, const char **shown, const char **why)
{
	int found;

	*location = (struct anim_location){0};
	*shown = file_name(context, from, path, why);
	if (*shown == NULL)
		return *why == NULL ? -1 : 0;
	found = anim_path_real(&context->arena, *shown, &location->real, context->error);
	if (found < 0)
		return -1;
	if (found == 0 && anim_path_is_refused(errno)) {
		anim_fail_system(context->error, "cannot open");
		return anim_read_refused(context->options, *shown, &context->arena, why, context->error);
	}
	if (found == 0)
		*why = errno == ENOENT ? ANIM_NO_SUCH_FILE : "it cannot be reached";
	else if (!anim_path_is_below(location->real, context->project.at.folder))
		*why = "it is outside the project folder";
	if (*why != NULL)
		return 0;
	return anim_locate_folders(location, *shown, &context->arena, context->error) == 0 ? 1 : -1;
}

/* ---- Imported and exported files: the .import or .remap file contains their path ---- */

static int open_other(struct godot_context *context, const char *real, const char *shown, struct anim_input **input,
		      int *fd, const char **why)
{
	*input = NULL;
	*fd = anim_open_regular(real, why);
	if (*fd < 0 && *why == NULL) {
		anim_fail_system(context->error, "cannot open");
		return anim_read_refused(context->options, shown, &context->arena, why, context->error);
	}
	return *fd < 0 ? 0 : anim_read_open(context->options, *fd, shown, input, context->error);
}

/* Close an input and its file descriptor, both opened by open_other. Both may be unset. */
static void close_other(struct anim_input *input, int fd)
{
	anim_input_close(input);
	if (fd >= 0)
		close(fd);
}

/*
 * Read [remap] path="res://..." into *target, or NULL if the text has none or is not valid. Returns 0, or -1 if out of
 * memory.
 */
static int read_remap(struct godot_context *context, struct anim_input *input, const char **target)
{
	struct anim_error ignored = {0};
	struct anim_arena scratch = {0};
	struct godot_text *text;
	struct godot_value value;
	struct godot_tag tag;
	const char *name;
	int result = 0;

	*target = NULL;
	if (godot_text_new(&text, input, &ignored) != 0)
		return anim_fail_memory(context->error);
	if (godot_text_tag(text, &tag) == 1 && strcmp(tag.name, "remap") == 0)
		while (godot_text_property(text, &name, NULL) == 1)
			if (strcmp(name, "path") == 0 && godot_text_value(text, &scratch, &value) == 0 &&
			    value.type == GODOT_STRING) {
				*target = godot_keep(context, &value.text);
				result = *target != NULL ? 0 : -1;
				break;
			}
	godot_text_free(text);
	anim_arena_clear(&scratch);
	return result;
}

/*
 * Read the .import or .remap file of `path`, which has that suffix. *made is the path in it, or NULL. Returns 0 or -1.
 */
static int follow_remap(struct godot_context *context, const struct godot_document *from, const char *path,
			const char *suffix, const char **made)
{
	const char *file = anim_arena_printf(&context->arena, context->error, "%s%s", path, suffix), *shown, *why;
	struct anim_location location;
	struct anim_input *input;
	int found, fd, result;

	*made = NULL;
	found = file == NULL ? -1 : resolve_file(context, from, file, &location, &shown, &why);
	if (found <= 0)
		return found;
	result = open_other(context, location.real, shown, &input, &fd, &why);
	if (result == 0 && input != NULL)
		result = read_remap(context, input, made);
	close_other(input, fd);
	return result;
}

/*
 * Find the file that replaces `path`, as `from` spells it: the result of its import by Godot, or its file in an
 * exported project. *made is NULL if it does not exist. Each file is looked for once. Returns 0, or -1 if the run must
 * stop.
 */
static int find_made_file(struct godot_context *context, const struct godot_document *from, const char *path,
			  const char **made)
{
	const char *why, *shown, *file = file_name(context, from, path, &why);
	uint32_t number = (uint32_t)(context->makes.size / sizeof *made);
	struct anim_location location;
	int found;

	*made = NULL;
	if (file == NULL)
		return why == NULL ? -1 : 0;
	if (anim_map_get(&context->made, 0, file, strlen(file), &number)) {
		*made = ((const char **)(void *)context->makes.data)[number];
		return 0;
	}
	found = resolve_file(context, from, path, &location, &shown, &why);
	if (found < 0 || follow_remap(context, from, path, ".import", made) != 0)
		return -1;
	if (*made == NULL && found == 0 && strcmp(why, ANIM_NO_SUCH_FILE) == 0 &&
	    follow_remap(context, from, path, ".remap", made) != 0)
		return -1;
	if (anim_buffer_append(&context->makes, made, sizeof *made, context->error) != 0)
		return -1;
	return anim_map_put(&context->made, 0, file, strlen(file), number, context->error);
}

/* ---- An outline: positions of sections, and of the properties of Animations without their tracks ---- */

/* Return the number of the section that is being read, in an outline. */
static size_t section_last(const struct godot_document *document)
{
	return document->sections.size / sizeof(struct godot_section) - 1;
}

static struct godot_section *last_section(struct godot_document *document)
{
	return (struct godot_section *)(void *)document->sections.data + section_last(document);
}

void godot_section_node(struct godot_document *document, uint32_t node)
{
	if (document->sections.size > 0)
		last_section(document)->node = node;
}

/* Read the next tag. In an outline, end the previous section and begin a new one. Returns 1, 0 at the end, or -1. */
static int next_section(struct godot_parse *parse, struct godot_tag *tag)
{
	struct godot_document *document = parse->document;
	int got = godot_text_tag(parse->text, tag);
	struct godot_section section = {.node = GODOT_NO_NODE};

	if (!parse->context->outline || document->is_binary || got < 0)
		return got;
	if (document->sections.size > 0)
		last_section(document)->end = godot_text_marks(parse->text).end;
	if (got == 0)
		return 0;
	section.tag = tag->place.offset;
	section.body = section.end = godot_text_marks(parse->text).cursor;
	snprintf(section.name, sizeof section.name, "%s", tag->name);
	document->load_steps |= godot_tag_get(tag, "load_steps") != NULL;
	return anim_buffer_append(&document->sections, &section, sizeof section, parse->error) != 0 ? -1 : 1;
}

/* Record the positions of the properties of an Animation, and its name. Returns 0 or -1. */
static int outline_animation(struct godot_parse *parse, struct godot_clip *clip)
{
	struct godot_document *document = parse->document;
	struct anim_buffer *runs = &document->runs;
	struct godot_run *run = NULL;
	struct godot_value value;
	const char *property;
	int got;

	clip->head.resource_name = "";
	clip->section = section_last(document);
	clip->first_run = runs->size / sizeof(struct godot_run);
	while ((got = godot_text_property(parse->text, &property, NULL)) > 0) {
		const struct godot_marks marks = godot_text_marks(parse->text);
		bool track = strncmp(property, "tracks/", 7) == 0;
		/* Other properties, such as the name and metadata, are kept if the Animation is replaced. */
		bool is_written =
		    track || anim_text_is_word("length loop loop_mode markers _compression capture_included", property);

		anim_arena_reset(&parse->scratch);
		if (strcmp(property, "resource_name") != 0) {
			if (godot_text_skip(parse->text) != 0)
				return -1;
		} else if (godot_text_value(parse->text, &parse->scratch, &value) != 0 ||
			   (clip->head.resource_name = godot_keep(parse->context, &value.text)) == NULL) {
			return -1;
		}
		if (!is_written || document->is_binary)
			continue;
		/* Extend the last run by the property, or begin a run. */
		if (run == NULL || run->to != marks.end) {
			run = anim_buffer_extend(runs, sizeof *run, parse->error);
			if (run == NULL)
				return -1;
			*run = (struct godot_run){.before = marks.end, .from = marks.begin};
			clip->runs++;
		}
		run->to = godot_text_marks(parse->text).cursor;
		run->tracks |= track;
	}
	return got;
}

/* ---- Parts that no stream can hold ---- */

/* Return true if the class name ends with the word, optionally followed by "2D" or "3D". */
static bool ends(const char *type, const char *with)
{
	size_t length = strlen(type), size = strlen(with);

	if (length > 2 && (anim_text_ends(type, "2D") || anim_text_ends(type, "3D")))
		length -= 2;
	return length >= size && memcmp(type + length - size, with, size) == 0;
}

/*
 * Classify a resource by its class name, for example BoxMesh, ConvexPolygonShape3D, ShaderMaterial,
 * CompressedTexture2D.
 */
static enum godot_lost_kind lost_resource(const char *type, bool external)
{
	if (ends(type, "Script"))
		return GODOT_LOST_SCRIPT;
	if (ends(type, "Mesh"))
		return GODOT_LOST_MESH;
	if (ends(type, "Shape"))
		return GODOT_LOST_SHAPE;
	if (ends(type, "Material"))
		return GODOT_LOST_MATERIAL;
	if (ends(type, "Texture"))
		return GODOT_LOST_TEXTURE;
	if (strcmp(type, "PackedScene") == 0)
		return GODOT_LOST_SCENE;
	return external ? GODOT_LOST_EXTERNAL : GODOT_LOST_SUB;
}

/* Print "2 scripts, a mesh and 3 ext_resources". The text is empty if all counts are 0. */
static void print_lost(const struct godot_lost *lost, char text[GODOT_LEFT_TEXT])
{
	static const struct {
		const char *one, *many;
	} words[GODOT_LOST_KINDS] = {
	    [GODOT_LOST_SCRIPT] = {"a script", "scripts"},
	    [GODOT_LOST_MESH] = {"a mesh", "meshes"},
	    [GODOT_LOST_SHAPE] = {"a shape", "shapes"},
	    [GODOT_LOST_MATERIAL] = {"a material", "materials"},
	    [GODOT_LOST_TEXTURE] = {"a texture", "textures"},
	    [GODOT_LOST_SCENE] = {"an instanced scene", "instanced scenes"},
	    [GODOT_LOST_EXTERNAL] = {"an ext_resource", "ext_resources"},
	    [GODOT_LOST_SUB] = {"a sub_resource", "sub_resources"},
	    [GODOT_LOST_SETTING] = {"a setting of a node", "settings of nodes"},
	    [GODOT_LOST_GROUP] = {"a node's groups", "nodes' groups"},
	    [GODOT_LOST_CONNECTION] = {"a connection", "connections"},
	    [GODOT_LOST_ADDED] = {"a setting of an animation", "settings of animations"},
	};
	size_t used = 0, kinds = 0, shown = 0;

	text[0] = '\0';
	for (size_t i = 0; i < GODOT_LOST_KINDS; i++)
		kinds += lost->count[i] > 0;
	for (size_t i = 0; i < GODOT_LOST_KINDS; i++) {
		const char *between = shown == 0 ? "" : shown + 1 == kinds ? " and " : ", ";

		if (lost->count[i] == 0)
			continue;
		if (lost->count[i] == 1)
			used += (size_t)snprintf(text + used, GODOT_LEFT_TEXT - used, "%s%s", between, words[i].one);
		else
			used += (size_t)snprintf(text + used, GODOT_LEFT_TEXT - used, "%s%zu %s", between,
						 lost->count[i], words[i].many);
		assert(used < GODOT_LEFT_TEXT); /* numbers have few digits */
		shown++;
	}
}

/* ---- ext_resources, and the documents of other files, each of which is read once ---- */

const struct godot_external *godot_externals_find(const struct godot_externals *externals, const char *id,
						  size_t length)
{
	uint32_t number;

	if (!anim_map_get(&externals->ids, 0, id, length, &number))
		return NULL;
	return (const struct godot_external *)externals->items.data + number;
}

/* Find the ext_resource, and record that an animation, a library or a player refers to it. */
static const struct godot_external *externals_play(struct godot_externals *externals, const char *id, size_t length)
{
	struct godot_external *external =
	    (struct godot_external *)(uintptr_t)godot_externals_find(externals, id, length);

	if (external != NULL)
		external->played = true;
	return external;
}

/*
 * Return 1 if Resource("path") refers to a missing file, 0 if the file exists or this is unknown (a pipe), -1 if out of
 * memory. The path may end with "::id", a resource inside that file. Each path is looked for once.
 */
static int is_missing(struct godot_externals *externals, const struct godot_string *path, struct anim_error *error)
{
	struct godot_context *context = externals->context;
	const char *kept, *file, *inside, *shown, *why, *made;
	struct anim_location location;
	uint32_t missing;
	int found;

	if (context == NULL)
		return 0;
	if (anim_map_get(&externals->looked, 0, path->bytes, path->length, &missing))
		return (int)missing;
	kept = file = godot_keep(context, path);
	inside = kept == NULL ? NULL : strstr(kept, "::");
	if (inside != NULL)
		file = anim_arena_text(&context->arena, kept, (size_t)(inside - kept), error);
	if (file == NULL)
		return -1;
	found = resolve_file(context, externals->document, file, &location, &shown, &why);
	missing = found == 0 && strcmp(why, ANIM_NO_SUCH_FILE) == 0;
	if (missing && find_made_file(context, externals->document, file, &made) != 0)
		return -1;
	missing = missing && made == NULL;
	if (found < 0 || anim_map_put(&externals->looked, 0, kept, path->length, missing, error) != 0)
		return -1;
	return (int)missing;
}

int godot_externals_resolve(struct godot_externals *externals, struct godot_value *value, struct anim_error *error)
{
	const struct godot_external *external;
	uint32_t number;

	switch (value->type) {
	case GODOT_EXT_RESOURCE:
		external = externals_play(externals, value->text.bytes, value->text.length);
		if (external == NULL)
			return 1;
		value->type = GODOT_RESOURCE;
		value->text = (struct godot_string){external->path, strlen(external->path)};
		value->text2 = (struct godot_string){external->uid, strlen(external->uid)};
		return 0;
	case GODOT_SUB_RESOURCE:
		return !anim_map_get(&externals->subs, 0, value->text.bytes, value->text.length, &number);
	case GODOT_RESOURCE: /* with a uid, the engine can find the file even if it has moved */
		return value->text2.length > 0 ? 0 : is_missing(externals, &value->text, error);
	default:
		return 0;
	}
}

static int read_document(struct godot_context *, struct godot_document *, struct anim_input *);

/*
 * Read the input of another file into its document, or set document->why if it cannot be read. Returns 0, or -1 if the
 * run must stop.
 */
static int read_input(struct godot_context *context, struct godot_document *document, struct anim_input *input)
{
	/* files that Godot imports, which other programs have made */
	static const char *const imported[] = {".glb", ".gltf", ".fbx", ".blend", ".dae", ".obj"};
	const uint8_t *bytes;
	ssize_t size = anim_input_peek(input, 4096, &bytes, context->error);

	if (size >= 0 && !anim_godot_is(bytes, (size_t)size) && !anim_godot_is_binary(bytes, (size_t)size))
		document->why = "it is not a Godot file";
	if (document->why != NULL && anim_path_has_suffix(document->shown, imported, ANIM_COUNT(imported)))
		document->why = "Godot has not imported it; open the project in Godot once, or give the file itself";
	if (document->why != NULL || (size >= 0 && read_document(context, document, input) == 0))
		return 0;
	/* An error of the run must stop it. An error of the file would only become a warning. */
	if (context->error->code == ANIM_NO_MEMORY || context->options->diagnostics->faults >= ANIM_FAULTS_SHOWN)
		return -1;
	if (context->error->code == ANIM_SYSTEM)
		return anim_read_refused(context->options, document->shown, &context->arena, &document->why,
					 context->error);
	document->why =
	    godot_keep(context, &(struct godot_string){context->error->message, strlen(context->error->message)});
	if (document->why == NULL)
		return -1;
	*context->error = (struct anim_error){0};
	return 0;
}

/*
 * Create a document of the context, which is not read yet. Returns NULL if a limit forbids it, with *why set, or if out
 * of memory, with *why NULL.
 */
static struct godot_document *new_document(struct godot_context *context, const struct godot_document *from,
					   enum godot_want want, const char **why)
{
	struct godot_document *document;

	*why = NULL;
	if (from->depth >= ANIM_EXTERNAL_DEPTH)
		*why = "files refer to other files too deeply";
	else if (context->project.files >= ANIM_EXTERNAL_FILES)
		*why = "too many other files are referred to";
	if (*why != NULL)
		return NULL;
	document = anim_arena_zeroed(&context->arena, 1, sizeof *document, context->error);
	if (document == NULL)
		return NULL;
	context->project.files++;
	document->want = want;
	document->depth = from->depth + 1;
	document->next = context->documents->next;
	context->documents->next = document;
	return document;
}

int godot_external_document(struct godot_context *context, const struct godot_document *from, const char *path,
			    enum godot_want want, struct godot_document **out, const char **why)
{
	struct anim_location location;
	const char *shown, *made;
	struct godot_document *document = context->documents;
	int got = find_made_file(context, from, path, &made);

	if (got == 0)
		got = resolve_file(context, from, made != NULL ? made : path, &location, &shown, why);
	if (got == 0 && made != NULL && strcmp(*why, ANIM_NO_SUCH_FILE) == 0)
		*why = "its imported file does not exist; open the project in Godot once, or give the file itself";
	if (got <= 0)
		return got;
	while (document != NULL &&
	       (document->location.real == NULL || strcmp(document->location.real, location.real) != 0 ||
		(document->want != want && document->want != GODOT_WANT_ALL)))
		document = document->next;
	if (document == NULL) {
		struct anim_input *input;
		int fd;

		document = new_document(context, from, want, why);
		if (document == NULL)
			return *why == NULL ? -1 : 0;
		document->location = location;
		document->shown = shown;
		got = open_other(context, location.real, shown, &input, &fd, &document->why);
		if (got == 0 && input != NULL && context->outline && anim_sys_fstat(fd, &document->info) != 0)
			got = anim_fail_system(context->error, "read");
		if (got == 0 && input != NULL)
			got = read_input(context, document, input);
		close_other(input, fd);
		if (got != 0)
			return -1;
	}
	*out = document;
	*why = document->reading ? "the files refer to each other in a cycle" : document->why;
	return *why == NULL;
}

/* ---- References of players and libraries ---- */

/*
 * Add the reference under its name, which is borrowed. A reference with an existing name replaces it at its position.
 * Returns 0 or -1.
 */
static int slots_put(struct godot_context *context, struct godot_slots *slots, struct godot_slot slot)
{
	uint32_t number = (uint32_t)(context->slots.size / sizeof(struct godot_slot)), old;

	if (slots->scope == 0)
		slots->scope = ++context->scopes;
	if (anim_map_get(&context->names, slots->scope, slot.name, strlen(slot.name), &old)) {
		slot.next = godot_slot_at(context, old)->next;
		*godot_slot_at(context, old) = slot;
		return 0;
	}
	slot.next = 0;
	if (anim_buffer_append(&context->slots, &slot, sizeof slot, context->error) != 0)
		return -1;
	if (slots->last != 0)
		godot_slot_at(context, slots->last - 1)->next = number + 1;
	else
		slots->first = number + 1;
	slots->last = number + 1;
	return anim_map_put(&context->names, slots->scope, slot.name, strlen(slot.name), number, context->error);
}

/* Read the value at the cursor as a reference with this name, which is copied. Returns 0 or -1. */
static int slot_read(struct godot_parse *parse, struct godot_slots *slots, const struct godot_string *name)
{
	const struct godot_marks marks = godot_text_marks(parse->text);
	struct godot_slot slot = {.name = godot_keep(parse->context, name), .from = marks.end, .comma = marks.comma};
	struct godot_reference *to = &slot.to;
	struct godot_value value;

	if (slot.name == NULL)
		return -1;
	anim_arena_reset(&parse->scratch);
	if (godot_text_value(parse->text, &parse->scratch, &value) != 0)
		return -1;
	*to = (struct godot_reference){.id = "", .document = parse->document, .place = value.place};
	to->place.file = parse->document->shown;
	if (value.type == GODOT_SUB_RESOURCE)
		to->kind = GODOT_REFERENCE_SUB;
	else if (value.type == GODOT_EXT_RESOURCE)
		to->kind = GODOT_REFERENCE_EXTERNAL;
	else if (value.type == GODOT_RESOURCE)
		to->kind = GODOT_REFERENCE_PATH;
	if (value.type == GODOT_EXT_RESOURCE)
		externals_play(&parse->document->externals, value.text.bytes, value.text.length);
	if (to->kind != GODOT_REFERENCE_NONE && (to->id = godot_keep(parse->context, &value.text)) == NULL)
		return -1;
	slot.to_end = godot_text_marks(parse->text).cursor;
	return slots_put(parse->context, slots, slot);
}

/* Read a dictionary of references at the cursor. Any other value is skipped. Returns 0 or -1. */
static int slots_read(struct godot_parse *parse, struct godot_slots *slots)
{
	struct godot_value key;
	int got = godot_text_dictionary(parse->text);

	if (got <= 0)
		return got;
	for (;;) {
		anim_arena_reset(&parse->scratch);
		got = godot_text_dictionary_next(parse->text, &parse->scratch, &key);
		if (got <= 0)
			break;
		parse->document->name_keys |= key.type == GODOT_STRING_NAME;
		parse->document->string_keys |= key.type == GODOT_STRING;
		if (godot_value_is_name(&key) && slot_read(parse, slots, &key.text) != 0)
			return -1;
	}
	slots->insert = godot_text_marks(parse->text).end;
	return got;
}

/* ---- Players ---- */

/*
 * Append a player to the list of the document. The order is that of the first references to libraries and animations.
 */
static void enlist(struct godot_document *document, struct godot_player *player)
{
	if (player->listed)
		return;
	player->listed = true;
	*document->last_player = player;
	document->last_player = &player->next;
}

static int read_setting(struct godot_parse *parse, const char **setting, bool path)
{
	struct godot_value value;

	anim_arena_reset(&parse->scratch);
	if (godot_text_value(parse->text, &parse->scratch, &value) != 0)
		return -1;
	if (!godot_value_is_name(&value) && !(path && value.type == GODOT_NODE_PATH))
		return 0;
	*setting = godot_keep(parse->context, &value.text);
	return *setting == NULL ? -1 : 0;
}

int godot_player_read(struct godot_parse *parse, struct godot_player *player, const char *property)
{
	struct godot_string name;

	if (strcmp(property, "autoplay") == 0)
		return read_setting(parse, &player->autoplay, false);
	if (anim_text_after(property, "libraries") == NULL && anim_text_after(property, "anims/") == NULL)
		return read_setting(parse, &player->root_node, true);
	enlist(parse->document, player);
	player->section = section_last(parse->document);
	if (strcmp(property, "libraries") == 0) {
		/* the engine replaces the inherited libraries here, while libraries/NAME adds one */
		if (player->inherited)
			player->libraries = (struct godot_slots){0};
		player->inherited = false;
		return slots_read(parse, &player->libraries);
	}
	name.bytes = strchr(property, '/') + 1;
	name.length = strlen(name.bytes);
	if (anim_text_after(property, "libraries/") != NULL) {
		player->by_name = true;
		return slot_read(parse, &player->libraries, &name);
	}
	name.length = strcspn(name.bytes, "/");
	return slot_read(parse, &player->own, &name);
}

static int inherit_slots(struct godot_context *context, struct godot_slots *slots, const struct godot_slots *base,
			 const char *file)
{
	for (uint32_t at = base->first, next; at != 0; at = next) {
		struct godot_slot slot = *godot_slot_at(context, at - 1);

		next = slot.next;
		if (slot.to.file == NULL)
			slot.to.file = file;
		if (slots_put(context, slots, slot) != 0)
			return -1;
	}
	return 0;
}

int godot_player_inherit(struct godot_parse *parse, struct godot_player *player, const struct godot_player *base,
			 const char *file)
{
	if (inherit_slots(parse->context, &player->libraries, &base->libraries, file) != 0 ||
	    inherit_slots(parse->context, &player->own, &base->own, file) != 0)
		return -1;
	player->inherited = true;
	player->by_name = base->by_name;
	enlist(parse->document, player);
	return 0;
}

/* ---- The sections of a file ---- */

#define NEWEST_FORMAT 4 /* since Godot 4.3; the engine also rejects newer formats */

struct godot_clip *godot_document_clip(const struct godot_document *document, size_t number)
{
	return (struct godot_clip *)document->clips.data + number;
}

struct godot_library *godot_document_library(const struct godot_document *document, size_t number)
{
	return (struct godot_library *)document->libraries.data + number;
}

int godot_document_report(const struct godot_context *context, const struct godot_document *document,
			  enum anim_severity severity, const struct anim_place *place, const char *noun,
			  const char *format, ...)
{
	struct anim_place here = {.at = ANIM_AT_FILE};
	char text[sizeof context->error->message];
	va_list args;

	if (place != NULL)
		here = *place;
	here.file = document->shown;
	if (severity == ANIM_FAULT && (context->options->keep_going || document->want == GODOT_WANT_NODES))
		severity = ANIM_WARNING;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return anim_diagnostics_add(context->options->diagnostics, severity, &here, noun, context->error, "%s", text);
}

const char *godot_keep(struct godot_context *context, const struct godot_string *text)
{
	return text->length == 0 ? "" : anim_arena_text(&context->arena, text->bytes, text->length, context->error);
}

/*
 * Return a string or integer attribute as text, kept by the context. It is empty if the tag has none, and NULL if out
 * of memory.
 */
static const char *attribute(struct godot_parse *parse, const struct godot_tag *tag, const char *key)
{
	const struct godot_value *value = godot_tag_get(tag, key);
	char number[ANIM_NUMBER_MAX];

	if (value == NULL)
		return "";
	if (value->type != GODOT_INT)
		return godot_keep(parse->context, &value->text);
	return anim_arena_text(&parse->context->arena, number, anim_number_print_int64(number, value->integer),
			       parse->error);
}

static int read_external(struct godot_parse *parse, const struct godot_tag *tag)
{
	const char *id = attribute(parse, tag, "id");
	struct godot_external external = {.id = id,
					  .path = attribute(parse, tag, "path"),
					  .uid = attribute(parse, tag, "uid"),
					  .type = attribute(parse, tag, "type")};
	struct godot_externals *externals = &parse->document->externals;
	uint32_t number;

	if (id == NULL || external.path == NULL || external.uid == NULL || external.type == NULL)
		return -1;
	if (id[0] == '\0')
		return godot_parse_fault(parse, &tag->place, "an [ext_resource] without an id");
	if (external.path[0] == '\0' && external.uid[0] == '\0')
		return godot_parse_fault(parse, &tag->place, "an [ext_resource] without a path");
	number = (uint32_t)(externals->items.size / sizeof external);
	if (anim_buffer_append(&externals->items, &external, sizeof external, parse->error) != 0)
		return -1;
	return anim_map_put(&externals->ids, 0, id, strlen(id), number, parse->error);
}

/*
 * Register the id of a resource, which is empty for the main resource. If two resources have one id, the later one
 * counts, as in the engine. *before is number + 1 of the earlier, or 0.
 */
static int register_id(struct godot_parse *parse, uint64_t scope, const char *id, size_t number,
		       const struct anim_place *place, size_t *before)
{
	struct godot_document *document = parse->document;
	uint32_t old;

	*before = 0;
	if (id[0] == '\0') {
		*(scope == GODOT_SCOPE_ANIMATION ? &document->main_clip : &document->main_library) = number + 1;
		return 0;
	}
	if (anim_map_get(&document->ids, scope, id, strlen(id), &old)) {
		*before = (size_t)old + 1;
		if (godot_parse_warn(parse, place, NULL, "two sub_resources have the id '%s': the later one counts",
				     id) != 0)
			return -1;
	}
	return anim_map_put(&document->ids, scope, id, strlen(id), (uint32_t)number, parse->error);
}

/* Read an Animation, or record its positions in an outline. Returns 0 or -1. */
static int read_animation(struct godot_parse *parse, const char *id, const struct anim_place *place)
{
	struct godot_context *context = parse->context;
	struct godot_document *document = parse->document;
	size_t number = document->clips.size / sizeof(struct godot_clip), before;
	struct godot_clip *clip = anim_buffer_extend(&document->clips, sizeof *clip, parse->error);
	int result;

	if (clip == NULL)
		return -1;
	*clip = (struct godot_clip){.id = id};
	if (register_id(parse, GODOT_SCOPE_ANIMATION, id, number, place, &before) != 0)
		return -1;
	if (before != 0)
		godot_document_clip(document, before - 1)->replaced = true;
	if (context->outline)
		return outline_animation(parse, clip);
	clip->clip = anim_store_clips(context->store);
	result = godot_animation_read(parse->text, &document->externals, document->format <= 2, context->store,
				      context->options->diagnostics, &context->arena, &clip->head, parse->error);
	document->lost.count[GODOT_LOST_ADDED] += clip->head.settings;
	clip->faulty = result != 0;
	if (clip->faulty && anim_store_clips(context->store) > clip->clip)
		anim_store_drop_last(context->store);
	if (context->options->keep_going) /* errors in the body only lose this animation */
		anim_diagnostics_forgive(context->options->diagnostics);
	return result < 0 ? -1 : 0;
}

/* Read the references of an AnimationLibrary. Returns 0 or -1. */
static int read_library(struct godot_parse *parse, const char *id, const struct anim_place *place)
{
	struct godot_document *document = parse->document;
	size_t number = document->libraries.size / sizeof(struct godot_library), before;
	struct godot_library *library = anim_buffer_extend(&document->libraries, sizeof *library, parse->error);
	struct anim_place at;
	const char *property;
	int got;

	if (library == NULL)
		return -1;
	*library = (struct godot_library){.id = id, .section = section_last(document)};
	if (register_id(parse, GODOT_SCOPE_LIBRARY, id, number, place, &before) != 0)
		return -1;
	if (before != 0)
		godot_document_library(document, before - 1)->used = true;
	while ((got = godot_text_property(parse->text, &property, &at)) > 0) {
		int added;

		anim_arena_reset(&parse->scratch);
		added = godot_is_added(parse->text, &parse->scratch, property);
		document->lost.count[GODOT_LOST_ADDED] += added > 0;
		if (added < 0 || (strcmp(property, "_data") == 0 && slots_read(parse, &library->animations) != 0))
			return -1;
	}
	return got;
}

/* Read the resource at the cursor if it is an animation. Reading the next tag skips the rest. */
static int read_resource(struct godot_parse *parse, const char *type, const char *id, const struct anim_place *place)
{
	if (parse->document->want == GODOT_WANT_NODES)
		return 0;
	if (strcmp(type, "Animation") == 0)
		return read_animation(parse, id, place);
	if (strcmp(type, "AnimationLibrary") == 0)
		return read_library(parse, id, place);
	return 0;
}

static int read_sub_resource(struct godot_parse *parse, const struct godot_tag *tag)
{
	const struct godot_value *type = godot_tag_get(tag, "type");
	const char *id, *name;
	bool is_mesh;
	int got = 0;

	if (type == NULL || type->text.length == 0)
		return godot_parse_fault(parse, &tag->place, "a [sub_resource] without a type");
	id = attribute(parse, tag, "id");
	if (id == NULL || anim_map_put(&parse->document->externals.subs, 0, id, strlen(id), 0, parse->error) != 0)
		return -1;
	if (godot_string_is(&type->text, "Animation") || godot_string_is(&type->text, "AnimationLibrary")) {
		if (id[0] == '\0')
			return godot_parse_fault(parse, &tag->place, "a [sub_resource] without an id");
		return read_resource(parse, type->text.bytes, id, &tag->place);
	}

	/* Count it. The scene writer creates meshes with only names of blend shapes, which are not counted. */
	is_mesh = godot_string_is(&type->text, "ArrayMesh");
	while (is_mesh && (got = godot_text_property(parse->text, &name, NULL)) > 0)
		if (strcmp(name, "_blend_shape_names") != 0 && strcmp(name, "blend_shape/names") != 0)
			break;
	if (!is_mesh || got > 0)
		parse->document->lost.count[lost_resource(type->text.bytes, false)]++;
	return got < 0 ? -1 : 0;
}

/* Read the section that the tag begins. Returns 0 or -1. */
static int read_section(struct godot_parse *parse, const struct godot_tag *tag)
{
	struct godot_document *document = parse->document;

	if (strcmp(tag->name, "ext_resource") == 0)
		return read_external(parse, tag);
	if (strcmp(tag->name, "sub_resource") == 0)
		return read_sub_resource(parse, tag);
	if (strcmp(tag->name, "resource") == 0) {
		if (document->kind == GODOT_SCENE)
			return godot_parse_fault(parse, &tag->place, "a [resource] in a scene");
		if (document->has_resource)
			return godot_parse_fault(parse, &tag->place, "a second [resource]");
		document->has_resource = true;
		return read_resource(parse, document->resource_type, "", &tag->place);
	}
	if (strcmp(tag->name, "node") == 0) {
		if (document->kind == GODOT_RESOURCE_FILE)
			return godot_parse_fault(parse, &tag->place, "a [node] in a resource file");
		return document->want == GODOT_WANT_ANIMATIONS ? 0 : godot_node_read(parse, tag);
	}
	if (strcmp(tag->name, "connection") == 0)
		document->lost.count[GODOT_LOST_CONNECTION]++;
	if (strcmp(tag->name, "connection") == 0 || strcmp(tag->name, "editable") == 0)
		return 0;
	return godot_parse_fault(parse, &tag->place, "unknown section [%s]", tag->name);
}

/* ---- A whole file ---- */

/*
 * Report the error as an error in the file if reading can continue, and move past it. Returns 1 at the next tag, 0 at
 * the end, or -1.
 */
static int recover(struct godot_parse *parse)
{
	const struct anim_error fault = *parse->error;
	struct anim_place place = {.at = fault.at, .line = fault.line, .column = fault.column, .offset = fault.offset};

	if (!godot_text_can_continue(parse->text, &fault) || godot_parse_fault(parse, &place, "%s", fault.message) != 0)
		return -1;
	*parse->error = (struct anim_error){0};
	return godot_text_recover(parse->text);
}

/* Read the header or, in a fragment, the first section. Returns 1 if sections follow, 0 at the end, or -1. */
static int read_first(struct godot_parse *parse)
{
	struct anim_place start = {.at = ANIM_AT_LINE, .line = 1, .column = 1, .file = parse->document->shown};
	struct godot_document *document = parse->document;
	const struct godot_value *format;
	struct anim_place place;
	struct godot_tag tag;
	const char *name;
	int got = next_section(parse, &tag);

	if (got == 0)
		return anim_fail_at(parse->error, ANIM_BAD_INPUT, &start, "empty, not a Godot scene or resource");
	if (got < 0)
		return recover(parse);
	if (strcmp(tag.name, "gd_scene") != 0 && strcmp(tag.name, "gd_resource") != 0) {
		document->tree.fragment = true;
		if (godot_parse_warn(parse, &tag.place, NULL,
				     "no [gd_scene] or [gd_resource] at the start: read as a fragment") != 0)
			return -1;
		return read_section(parse, &tag) == 0 ? 1 : recover(parse);
	}
	format = godot_tag_get(&tag, "format");
	document->kind = strcmp(tag.name, "gd_scene") == 0 ? GODOT_SCENE : GODOT_RESOURCE_FILE;
	if (format != NULL && format->type == GODOT_INT && format->integer > NEWEST_FORMAT)
		return anim_fail_at(parse->error, ANIM_UNSUPPORTED, &tag.place,
				    "format %lld is newer than the newest supported format, %d",
				    (long long)format->integer, NEWEST_FORMAT);
	if (format != NULL && format->type == GODOT_INT && format->integer > 0)
		document->format = (int)format->integer;
	document->has_uid = godot_tag_get(&tag, "uid") != NULL;
	document->resource_type = attribute(parse, &tag, "type");
	if (document->resource_type == NULL)
		return -1;
	if (document->kind == GODOT_RESOURCE_FILE && document->resource_type[0] == '\0' &&
	    godot_parse_fault(parse, &tag.place, "[gd_resource] has no type") != 0)
		return -1;

	/* No property may precede the first section. */
	got = godot_text_property(parse->text, &name, &place);
	if (got > 0) {
		document->has_resource = true; /* it is missing, but the error below already reports that */
		got =
		    godot_parse_fault(parse, &place, "'%s' precedes the first section; is '[resource]' missing?", name);
	}
	return got == 0 ? 1 : recover(parse);
}

/* Report content that the engine also accepts with a complaint. */
static int report_oddities(struct godot_parse *parse)
{
	const struct godot_oddities *odd = godot_text_oddities(parse->text);
	const struct {
		const struct godot_oddity *oddity;
		enum anim_severity severity;
		const char *text;
	} said[] = {
	    {&odd->bad_utf8, ANIM_WARNING, "bytes that are not UTF-8, here and possibly later, became U+FFFD"},
	    {&odd->bad_colors, ANIM_WARNING, "a colour without 3, 4, 6 or 8 digits is black, as in Godot"},
	    {&odd->cut, ANIM_WARNING, "the file ends inside the name of a property"},
	    {&odd->big_endian, ANIM_WARNING, "a big-endian file; its keys are read correctly here, but not by Godot"},
	    {&odd->lost_references, ANIM_WARNING,
	     "a reference to a resource that follows later, or is not in the file, is null, as in Godot"},
	    {&odd->gap, ANIM_WARNING, "bytes before a resource that belong to no resource are skipped, as in Godot"},
	    {&odd->no_end, ANIM_WARNING, "the end mark is missing; the file may be cut"},
	    {&odd->after_end, ANIM_NOTE, "bytes after the end mark are skipped"}};

	for (size_t i = 0; i < ANIM_COUNT(said); i++)
		if (said[i].oddity->count > 0 &&
		    godot_document_report(parse->context, parse->document, said[i].severity, &said[i].oddity->first,
					  NULL, "%s", said[i].text) != 0)
			return -1;
	return 0;
}

/*
 * Read the input into the document. Syntax errors go to the diagnostics with their place, and reading continues.
 * Returns 0, or -1 on an error that stops the run or if the input is not a Godot file.
 */
static int read_document(struct godot_context *context, struct godot_document *document, struct anim_input *input)
{
	struct godot_parse parse = {.context = context, .error = context->error, .document = document};
	struct anim_place end;
	struct godot_tag tag;
	int result = godot_text_new(&parse.text, input, context->error);

	document->is_binary = result == 0 && godot_text_is_binary(parse.text);
	if (document->is_binary && context->outline && document->depth == 0)
		result = anim_fail(context->error, ANIM_UNSUPPORTED,
				   "a binary file cannot be edited; save it as .tscn or .tres in Godot");

	document->format = NEWEST_FORMAT;
	document->resource_type = "";
	document->last_player = &document->players;
	document->externals.context = context;
	document->externals.document = document;
	document->reading = true;
	if (result == 0)
		result = read_first(&parse);
	while (result > 0) {
		result = next_section(&parse, &tag);
		if (result > 0 && read_section(&parse, &tag) != 0)
			result = -1;
		if (result < 0)
			result = recover(&parse);
	}
	if (result == 0)
		result = report_oddities(&parse);
	if (result == 0 && document->kind == GODOT_RESOURCE_FILE && !document->has_resource) {
		/* The engine does not load it. */
		godot_text_place(parse.text, &end);
		result = godot_parse_fault(&parse, &end, "the file ends before '[resource]'");
	}
	document->reading = false;
	document->gzip = anim_input_was_gzip(input);
	godot_text_free(parse.text);
	anim_arena_clear(&parse.scratch);
	return result;
}

/* ---- The input with all files that it refers to ---- */

int godot_document_left(const struct godot_document *document, char text[GODOT_LEFT_TEXT], struct anim_error *error)
{
	const struct anim_buffer *items = &document->externals.items;
	const struct godot_external *external = (const struct godot_external *)(const void *)items->data;
	size_t count = items->size / sizeof *external;
	struct anim_held *held = document->held;
	struct godot_lost lost = document->lost;

	for (size_t i = 0; i < count; i++) {
		bool clips = anim_text_is_word("Animation AnimationLibrary", external[i].type);
		int counts = 1;

		if (external[i].played && !(clips && held != NULL && held->successor != NULL))
			continue;
		if (held != NULL)
			counts = anim_held_part(held, external[i].path[0] != '\0' ? external[i].path : external[i].uid,
						error);
		if (counts < 0)
			return -1;
		lost.count[lost_resource(external[i].type, true)] += (size_t)counts;
	}
	print_lost(&lost, text);
	return 0;
}

int godot_context_check(const struct godot_context *context)
{
	size_t faults = context->options->diagnostics->faults;

	if (faults == 0)
		return 0;
	anim_fail(context->error, ANIM_BAD_INPUT, "%zu fault%s", faults, faults == 1 ? "" : "s");
	return anim_error_in_file(context->error, context->documents->shown);
}

int godot_context_read(struct godot_context *context, struct anim_input *input)
{
	struct godot_document *document = context->documents;
	struct anim_location *location = &document->location;
	struct anim_project *project = &context->project.at;
	struct anim_error *error = context->error;
	int result;

	document->shown = anim_input_name(input);
	context->base_name =
	    anim_read_base_name(anim_read_source_file(context->options, input), &context->arena, error);
	result = context->base_name == NULL ? -1 : anim_locate(location, input, &context->arena, error);

	/* Find the project of the input. The location of a pipe is NULL. */
	if (result == 0 && location->real != NULL) {
		int found = anim_project_find(project, location, (struct anim_project_test){.is_it = is_project},
					      &context->arena, error);

		if (found == 0)
			*project = (struct anim_project){location->folder, location->shown_folder};
		result = found < 0 ? -1 : 0;
	}
	if (result != 0 || read_document(context, document, input) != 0)
		return anim_error_in_file(error, document->shown);
	return godot_context_check(context);
}

void godot_context_clear(struct godot_context *context)
{
	for (struct godot_document *document = context->documents; document != NULL; document = document->next) {
		anim_map_clear(&document->externals.ids);
		anim_map_clear(&document->externals.subs);
		anim_map_clear(&document->externals.looked);
		anim_buffer_clear(&document->externals.items);
		anim_map_clear(&document->ids);
		anim_buffer_clear(&document->clips);
		anim_buffer_clear(&document->libraries);
		anim_buffer_clear(&document->sections);
		anim_buffer_clear(&document->runs);
		godot_tree_clear(&document->tree);
	}
	anim_store_free(context->store);
	anim_map_clear(&context->names);
	anim_map_clear(&context->made);
	anim_buffer_clear(&context->makes);
	anim_buffer_clear(&context->slots);
	anim_buffer_clear(&context->classes);
	anim_arena_clear(&context->arena);
}
