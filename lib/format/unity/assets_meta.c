/* assets_meta.c: the sub-sprites that the .meta file of a texture names. */
#include <string.h>

#include "base/limits.h"
#include "format/unity/assets.h"
#include "format/unity/document.h"

#define FIRST_SPRITE INT64_C(21300000) /* the class Sprite times 100000 */

/* One .meta file while it is read. */
struct sheet {
	struct anim_arena *arena; /* of the names */
	struct anim_buffer *sprites;
	struct anim_map ids, names; /* (fileID, ""), (0, name) -> number in sprites */
	int64_t order;              /* entries of the table of names so far */
};

static struct unity_sprite *sprite_at(const struct sheet *sheet, size_t number)
{
	return (struct unity_sprite *)sheet->sprites->data + number;
}

/* Notes a sprite by its fileID; one that is there already keeps its name. 0 or -1. */
static int note(struct sheet *sheet, int64_t file_id, const char *name, int64_t index, struct anim_error *error)
{
	uint32_t number = (uint32_t)(sheet->sprites->size / sizeof(struct unity_sprite)), old;
	struct unity_sprite sprite = {file_id, NULL, index};

	if (anim_map_get(&sheet->ids, (uint64_t)file_id, "", 0, &old)) {
		sprite_at(sheet, old)->index = index;
		return 0;
	}
	sprite.name = anim_arena_text(sheet->arena, name, strlen(name), error);
	if (sprite.name == NULL || anim_buffer_append(sheet->sprites, &sprite, sizeof sprite, error) != 0 ||
	    anim_map_put(&sheet->ids, (uint64_t)file_id, "", 0, number, error) != 0)
		return -1;
	return anim_map_put(&sheet->names, 0, sprite.name, strlen(sprite.name), number, error);
}

/* An entry of the tables of names: Unity 2019's list item {first: {213: ID}, second: NAME}, or before "ID: NAME". */
static int note_entry(struct sheet *sheet, const char *id_text, const char *name, struct anim_error *error)
{
	int64_t id;

	if (!unity_parse_id(id_text, strlen(id_text), &id) || name[0] == '\0')
		return 0;
	return note(sheet, id, name, sheet->order++, error);
}

static int read_table_item(struct sheet *sheet, const struct unity_node *item, struct anim_error *error)
{
	const struct unity_node *first = unity_get(item, "first");

	first = first == NULL || first->kind != UNITY_MAP ? NULL : first->first;
	return first == NULL ? 0 : note_entry(sheet, first->text, unity_text(item, "second", ""), error);
}

static int read_old_table(struct sheet *sheet, const struct unity_node *map, struct anim_error *error)
{
	const struct unity_node *entry = map->kind == UNITY_MAP ? map->first : NULL;

	for (; entry != NULL; entry = entry->next)
		if (note_entry(sheet, entry->key, entry->text, error) != 0)
			return -1;
	return 0;
}

/* Where neither the sprite nor a table says it: those of Unity 4.3 are numbered by their order. */
static bool counts_by_order(const struct sheet *sheet, const struct unity_node *item, const char *name)
{
	return sheet->order == 0 && name[0] != '\0' && unity_get(item, "internalID") == NULL;
}

/* The sheet's own order is what a sprite's number means; older sheets give no ids, the table of names does. */
static int read_sprites(struct sheet *sheet, const struct unity_node *list, struct anim_error *error)
{
	const struct unity_node *item = list == NULL || list->kind != UNITY_LIST ? NULL : list->first;

	for (int64_t index = 0; item != NULL; item = item->next, index++) {
		const char *name = unity_text(item, "name", "");
		int64_t id = 0;
		uint32_t number;

		if (unity_int64(item, "internalID", &id, NULL) > 0 && id != 0) {
			if (note(sheet, id, name, index, error) != 0)
				return -1;
		} else if (counts_by_order(sheet, item, name)) {
			if (note(sheet, FIRST_SPRITE + 2 * index, name, index, error) != 0)
				return -1;
		} else if (anim_map_get(&sheet->names, 0, name, strlen(name), &number)) {
			sprite_at(sheet, number)->index = index;
		}
	}
	return 0;
}

static bool is_wanted(void *context, const char *name)
{
	(void)context;
	return strcmp(name, "internalIDToNameTable") == 0 || strcmp(name, "fileIDToRecycleName") == 0 ||
	       strcmp(name, "spriteSheet") == 0;
}

static int read_field(struct sheet *sheet, const struct unity_field *field, struct anim_error *error)
{
	if (strcmp(field->name, "spriteSheet") == 0)
		return read_sprites(sheet, unity_get(field->node, "sprites"), error);
	if (strcmp(field->name, "fileIDToRecycleName") == 0)
		return read_old_table(sheet, field->node, error);
	return field->is_item ? read_table_item(sheet, field->node, error) : 0;
}

static int read_importer(struct sheet *sheet, struct unity_file *file, struct anim_error *error)
{
	struct anim_arena scratch = {0};
	struct unity_document document;
	struct unity_field field;
	int got = unity_file_next(file, &document, error);

	unity_clip_want(file, is_wanted, NULL);
	while (got > 0 && (got = unity_clip_next(file, &scratch, &field, error)) > 0) {
		if (read_field(sheet, &field, error) != 0)
			got = -1;
		anim_arena_reset(&scratch);
	}
	anim_arena_clear(&scratch);
	return got;
}

/* All of the file, at most ANIM_TEXT_MAX bytes; a longer one is cut. 0 or -1. */
static int read_text(struct anim_input *meta, struct anim_buffer *text, struct anim_error *error)
{
	const uint8_t *at;
	ssize_t size = 0;

	while (text->size < ANIM_TEXT_MAX && (size = anim_input_peek(meta, 1, &at, error)) > 0) {
		if (anim_buffer_append(text, at, (size_t)size, error) != 0)
			return -1;
		anim_input_skip(meta, (size_t)size);
	}
	return size < 0 ? -1 : 0;
}

/* Where "TextureImporter:" begins a line; the text's end where it does not. */
static size_t find_importer(const struct anim_buffer *text)
{
	static const char name[] = "\nTextureImporter:";
	const uint8_t *at = text->size == 0 ? NULL : memmem(text->data, text->size, name, sizeof name - 1);

	return at == NULL ? text->size : (size_t)(at - text->data) + 1;
}

/* A .meta file has several members at its top: the importer's alone is read, as if it were a document. */
static int read_as_document(struct sheet *sheet, const struct anim_buffer *text, struct anim_error *error)
{
	static const char head[] = "--- !u!1006 &0\n";
	size_t from = find_importer(text);
	struct anim_buffer document = {0};
	struct anim_input *input = NULL;
	struct unity_file *file = NULL;
	int result;

	if (from == text->size)
		return 0;
	result = anim_buffer_append(&document, head, sizeof head - 1, error);
	if (result == 0)
		result = anim_buffer_append(&document, text->data + from, text->size - from, error);
	if (result == 0)
		result = anim_input_open_memory(&input, document.data, document.size, ".meta", error);
	if (result == 0)
		result = unity_file_open(&file, input, error);
	if (result == 0)
		result = read_importer(sheet, file, error);
	unity_file_close(file);
	anim_input_close(input);
	anim_buffer_clear(&document);
	return result;
}

int unity_meta_sprites(struct anim_input *meta, struct anim_arena *arena, struct anim_buffer *sprites,
		       struct anim_error *error)
{
	struct sheet sheet = {.arena = arena, .sprites = sprites};
	struct anim_buffer text = {0};
	int result = read_text(meta, &text, error);

	if (result == 0)
		result = read_as_document(&sheet, &text, error);
	anim_map_clear(&sheet.ids);
	anim_map_clear(&sheet.names);
	anim_buffer_clear(&text);
	if (result == 0 || error->code == ANIM_NO_MEMORY)
		return result;
	*error = (struct anim_error){0}; /* names that cannot be read are none */
	return 0;
}
