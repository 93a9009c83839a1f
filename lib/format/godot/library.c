/* library.c: reads what players and libraries name: libraries, libraries/NAME, anims/NAME, _data. */
#include "format/godot/library.h"

#include <string.h>

#include "format/godot/document.h"

static bool begins(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool godot_player_is(const char *property)
{
	return strcmp(property, "libraries") == 0 || begins(property, "libraries/") || begins(property, "anims/") ||
	       strcmp(property, "root_node") == 0 || strcmp(property, "root/root") == 0 ||
	       strcmp(property, "autoplay") == 0;
}

static int make_reference(struct godot_parse *parse, const struct godot_value *value, struct godot_reference *out,
			  struct anim_error *error)
{
	*out = (struct godot_reference){.id = "", .document = parse->document, .place = value->place};
	out->place.file = parse->document->shown;
	if (value->type == GODOT_SUB_RESOURCE)
		out->kind = GODOT_REFERENCE_SUB;
	else if (value->type == GODOT_EXT_RESOURCE)
		out->kind = GODOT_REFERENCE_EXTERNAL;
	else if (value->type == GODOT_RESOURCE)
		out->kind = GODOT_REFERENCE_PATH;
	else
		return 0;
	if (value->type == GODOT_EXT_RESOURCE)
		godot_externals_play(&parse->document->externals, value->text.bytes, value->text.length);
	out->id = godot_keep(parse->context, &value->text, error);
	return out->id == NULL ? -1 : 0;
}

static struct godot_slot *slot_at(const struct godot_context *context, uint32_t number)
{
	return (struct godot_slot *)context->slots.data + number;
}

/* Puts the reference under its name; a name that was there keeps its place in the order. */
static int put(struct godot_context *context, struct godot_slots *slots, const char *name,
	       const struct godot_reference *to, struct anim_error *error)
{
	uint32_t number = (uint32_t)(context->slots.size / sizeof(struct godot_slot)), old;
	struct godot_slot slot = {.name = name, .to = *to};

	if (slots->scope == 0)
		slots->scope = ++context->scopes;
	if (anim_map_get(&context->names, slots->scope, name, strlen(name), &old)) {
		slot_at(context, old)->to = *to;
		return 0;
	}
	if (anim_buffer_append(&context->slots, &slot, sizeof slot, error) != 0)
		return -1;
	if (slots->last != 0)
		slot_at(context, slots->last - 1)->next = number + 1;
	else
		slots->first = number + 1;
	slots->last = number + 1;
	return anim_map_put(&context->names, slots->scope, name, strlen(name), number, error);
}

/* Reads the value at the cursor as a reference under the name, which is kept. */
static int read_reference(struct godot_parse *parse, struct godot_slots *slots, const struct godot_string *name,
			  struct anim_error *error)
{
	const char *kept = godot_keep(parse->context, name, error);
	struct godot_reference to;
	struct godot_value value;

	if (kept == NULL)
		return -1;
	anim_arena_reset(&parse->scratch);
	if (godot_text_value(parse->text, &parse->scratch, &value, error) != 0 ||
	    make_reference(parse, &value, &to, error) != 0)
		return -1;
	return put(parse->context, slots, kept, &to, error);
}

/* A dictionary of references at the cursor; anything else is passed over. */
static int read_dictionary(struct godot_parse *parse, struct godot_slots *slots, struct anim_error *error)
{
	struct godot_value key;
	int got = godot_text_dictionary(parse->text, error);

	if (got <= 0)
		return got;
	for (;;) {
		anim_arena_reset(&parse->scratch);
		got = godot_text_dictionary_next(parse->text, &parse->scratch, &key, error);
		if (got <= 0)
			return got;
		if (godot_value_is_name(&key) && read_reference(parse, slots, &key.text, error) != 0)
			return -1;
	}
}

static struct godot_player *player_of(struct godot_parse *parse, uint32_t node, struct anim_error *error)
{
	struct anim_arena *arena = &parse->context->arena;
	struct godot_node_extra *extra = godot_tree_extra(&parse->document->tree, node, arena, error);

	if (extra == NULL)
		return NULL;
	if (extra->player == NULL)
		extra->player = anim_arena_zeroed(arena, 1, sizeof *extra->player, error);
	if (extra->player != NULL)
		extra->player->node = node;
	return extra->player;
}

/* Players stand in the order in which they first name a library or an animation. */
static void enlist(struct godot_document *document, struct godot_player *player)
{
	if (player->listed)
		return;
	player->listed = true;
	*document->last_player = player;
	document->last_player = &player->next;
}

static int read_setting(struct godot_parse *parse, const char **setting, bool path, struct anim_error *error)
{
	struct godot_value value;

	anim_arena_reset(&parse->scratch);
	if (godot_text_value(parse->text, &parse->scratch, &value, error) != 0)
		return -1;
	if (!godot_value_is_name(&value) && !(path && value.type == GODOT_NODE_PATH))
		return 0;
	*setting = godot_keep(parse->context, &value.text, error);
	return *setting == NULL ? -1 : 0;
}

int godot_player_read(struct godot_parse *parse, uint32_t node, const char *property, struct anim_error *error)
{
	struct godot_player *player = player_of(parse, node, error);
	struct godot_string name;

	if (player == NULL)
		return -1;
	if (strcmp(property, "autoplay") == 0)
		return read_setting(parse, &player->autoplay, false, error);
	if (!begins(property, "libraries") && !begins(property, "anims/"))
		return read_setting(parse, &player->root_node, true, error);
	enlist(parse->document, player);
	if (strcmp(property, "libraries") == 0) {
		if (player->inherited) /* the engine takes away what is there; libraries/NAME adds to it */
			player->libraries = (struct godot_slots){0};
		player->inherited = false;
		return read_dictionary(parse, &player->libraries, error);
	}
	name.bytes = strchr(property, '/') + 1;
	name.length = strlen(name.bytes);
	if (begins(property, "libraries/"))
		return read_reference(parse, &player->libraries, &name, error);
	name.length = strcspn(name.bytes, "/");
	return read_reference(parse, &player->own, &name, error);
}

static int inherit_slots(struct godot_context *context, struct godot_slots *slots, const struct godot_slots *base,
			 const char *file, struct anim_error *error)
{
	for (uint32_t at = base->first, next; at != 0; at = next) {
		struct godot_slot slot = *slot_at(context, at - 1);

		next = slot.next;
		if (slot.to.file == NULL)
			slot.to.file = file;
		if (put(context, slots, slot.name, &slot.to, error) != 0)
			return -1;
	}
	return 0;
}

int godot_player_inherit(struct godot_parse *parse, uint32_t node, const struct godot_player *base, const char *file,
			 struct anim_error *error)
{
	struct godot_player *player = player_of(parse, node, error);

	if (player == NULL || inherit_slots(parse->context, &player->libraries, &base->libraries, file, error) != 0 ||
	    inherit_slots(parse->context, &player->own, &base->own, file, error) != 0)
		return -1;
	player->inherited = true;
	enlist(parse->document, player);
	return 0;
}

int godot_library_read(struct godot_parse *parse, struct godot_library *library, struct anim_error *error)
{
	struct anim_place place;
	const char *property;
	int got;

	while ((got = godot_text_property(parse->text, &property, &place, error)) > 0)
		if (strcmp(property, "_data") == 0 && read_dictionary(parse, &library->animations, error) != 0)
			return -1;
	return got;
}
