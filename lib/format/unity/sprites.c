/* sprites.c: the sprites that the .meta file of an image describes, which PPtr curves refer to. */
#include "format/unity/run.h"

#include <math.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/image.h"
#include "base/input.h"
#include "base/path.h"
#include "base/text.h"
#include "format/unity/document.h"
#include "format/unity/package.h"

/* ---- The sprites in the .meta file of an image ---- */

#define FIRST_SPRITE INT64_C(21300000) /* the class Sprite times 100000 */

/* A .meta file that is being read. */
struct sprite_sheet {
	struct anim_error *error;
	struct anim_arena *arena; /* for the names */
	struct anim_buffer *sprites;
	struct anim_map ids, names; /* (fileID, ""), (0, name) -> number in sprites */
	int64_t order;              /* entries of the table of names so far */
	int64_t mode;               /* 1 if the image is one sprite */
	int64_t alignment;          /* of that sprite */
	float pivot[2], pixels_per_unit;
};

static struct unity_sprite *sprite_at(const struct sprite_sheet *sheet, size_t number)
{
	return (struct unity_sprite *)sheet->sprites->data + number;
}

/* Record a sprite by its fileID. An existing one keeps its name. Returns it, or NULL if out of memory. */
static struct unity_sprite *note(struct sprite_sheet *sheet, int64_t file_id, const char *name, int64_t index)
{
	uint32_t number = (uint32_t)(sheet->sprites->size / sizeof(struct unity_sprite)), old;
	struct unity_sprite sprite = {.file_id = file_id, .index = index, .pivot = {0.5f, 0.5f}};

	if (anim_map_get(&sheet->ids, (uint64_t)file_id, "", 0, &old)) {
		sprite_at(sheet, old)->index = index;
		return sprite_at(sheet, old);
	}
	if (name != NULL && (sprite.name = anim_arena_text(sheet->arena, name, strlen(name), sheet->error)) == NULL)
		return NULL;
	if (anim_buffer_append(sheet->sprites, &sprite, sizeof sprite, sheet->error) != 0 ||
	    anim_map_put(&sheet->ids, (uint64_t)file_id, "", 0, number, sheet->error) != 0 ||
	    (name != NULL &&
	     anim_map_put(&sheet->names, 0, sprite.name, strlen(sprite.name), number, sheet->error) != 0))
		return NULL;
	return sprite_at(sheet, number);
}

/*
 * Record an entry of a table of names: in Unity 2019 the list item {first: {213: ID}, second: NAME}, before it "ID:
 * NAME".
 */
static int note_entry(struct sprite_sheet *sheet, const char *id_text, const char *name)
{
	int64_t id;

	if (!unity_parse_id(id_text, strlen(id_text), &id) || name[0] == '\0')
		return 0;
	return note(sheet, id, name, sheet->order++) == NULL ? -1 : 0;
}

/* Return a number of a map, or `otherwise` if it is missing or not a finite number. */
static float number_of(const struct unity_node *map, const char *key, float otherwise)
{
	float number;

	return unity_float(map, key, &number, NULL) > 0 && isfinite(number) ? number : otherwise;
}

/* Set the pivot of a sprite: the nine alignments, in rows from the top, or a point of its own (9). */
static void set_pivot(struct unity_sprite *sprite, int64_t alignment, float x, float y)
{
	static const float points[][2] = {{0.5f, 0.5f}, {0, 1}, {0.5f, 1}, {1, 1}, {0, 0.5f},
					  {1, 0.5f},    {0, 0}, {0.5f, 0}, {1, 0}};
	bool named = alignment >= 0 && alignment < (int64_t)ANIM_COUNT(points);

	sprite->pivot[0] = named ? points[alignment][0] : x;
	sprite->pivot[1] = named ? points[alignment][1] : y;
}

/* Read the part of the image that the sprite shows, and its pivot. */
static void read_shape(struct unity_sprite *sprite, const struct unity_node *item)
{
	static const char *const sides[] = {"x", "y", "width", "height"};
	const struct unity_node *rect = unity_get(item, "rect"), *pivot = unity_get(item, "pivot");
	int64_t alignment = 9;

	for (size_t i = 0; i < ANIM_COUNT(sides); i++)
		sprite->rect[i] = number_of(rect, sides[i], -1);
	if (sprite->rect[0] < 0 || sprite->rect[1] < 0 || !(sprite->rect[2] > 0 && sprite->rect[3] > 0))
		sprite->rect[2] = 0;
	if (unity_int64(item, "alignment", &alignment, NULL) < 0)
		alignment = 0;
	set_pivot(sprite, alignment, number_of(pivot, "x", 0.5f), number_of(pivot, "y", 0.5f));
}

/*
 * Read the sprites of the sheet. A sprite's number is its position in the sheet. Older sheets have no ids, but the
 * table of names has them. In the newest, the sheet has such a table as well.
 */
static int read_sprites(struct sprite_sheet *sheet, const struct unity_node *map)
{
	const struct unity_node *item = unity_items(unity_get(map, "sprites")),
				*names = unity_get(map, "nameFileIdTable");

	for (names = names != NULL && names->kind == UNITY_MAP ? names->first : NULL; names != NULL;
	     names = names->next)
		if (note_entry(sheet, names->text, names->key) != 0)
			return -1;
	for (int64_t index = 0; item != NULL; item = item->next, index++) {
		const char *name = unity_text(item, "name", "");
		struct unity_sprite *sprite = NULL;
		int64_t id = 0;
		uint32_t number;
		bool own = unity_int64(item, "internalID", &id, NULL) > 0 && id != 0;

		/* Unity 4.3 numbers sprites in their order if neither the sprite nor a table has an id. */
		if (own || (sheet->order == 0 && name[0] != '\0' && unity_get(item, "internalID") == NULL)) {
			sprite = note(sheet, own ? id : FIRST_SPRITE + 2 * index, name, index);
			if (sprite == NULL)
				return -1;
		} else if (anim_map_get(&sheet->names, 0, name, strlen(name), &number)) {
			sprite = sprite_at(sheet, number);
			sprite->index = index;
		}
		if (sprite != NULL)
			read_shape(sprite, item);
	}
	return 0;
}

static bool is_wanted(void *context, const char *name)
{
	(void)context;
	return anim_text_is_word("internalIDToNameTable fileIDToRecycleName spriteMode alignment spritePivot "
				 "spritePixelsToUnits spriteSheet",
				 name);
}

static int read_field(struct sprite_sheet *sheet, const struct unity_field *field)
{
	const struct unity_node *node = field->node;

	if (strcmp(field->name, "spriteSheet") == 0)
		return read_sprites(sheet, node);
	if (strcmp(field->name, "fileIDToRecycleName") == 0) {
		const struct unity_node *entry = node->kind == UNITY_MAP ? node->first : NULL;

		for (; entry != NULL; entry = entry->next)
			if (note_entry(sheet, entry->key, entry->text) != 0)
				return -1;
		return 0;
	}
	if (strcmp(field->name, "internalIDToNameTable") == 0) {
		const struct unity_node *first;

		if (!field->is_item)
			return 0;
		first = unity_get(node, "first");
		first = first == NULL || first->kind != UNITY_MAP ? NULL : first->first;
		return first == NULL ? 0 : note_entry(sheet, first->text, unity_text(node, "second", ""));
	}
	if (strcmp(field->name, "spriteMode") == 0)
		unity_parse_id(node->text, node->length, &sheet->mode);
	else if (strcmp(field->name, "alignment") == 0)
		unity_parse_id(node->text, node->length, &sheet->alignment);
	else if (strcmp(field->name, "spritePivot") == 0) {
		sheet->pivot[0] = number_of(node, "x", 0.5f);
		sheet->pivot[1] = number_of(node, "y", 0.5f);
	} else if (unity_number_float(node->text, node->text + node->length, &sheet->pixels_per_unit) == NULL ||
		   !(sheet->pixels_per_unit > 0 && isfinite(sheet->pixels_per_unit)))
		sheet->pixels_per_unit = UNITY_PIXELS_PER_UNIT;
	return 0;
}

int unity_meta_sprites(struct anim_input *meta, struct anim_arena *arena, struct anim_buffer *sprites,
		       struct anim_error *error)
{
	struct sprite_sheet sheet = {.error = error,
				     .arena = arena,
				     .sprites = sprites,
				     .pivot = {0.5f, 0.5f},
				     .pixels_per_unit = UNITY_PIXELS_PER_UNIT};
	struct unity_meta_file file;
	struct anim_arena scratch = {0};
	struct unity_document document;
	struct unity_field field;
	struct unity_sprite *whole;
	int got = unity_meta_open(&file, meta, "TextureImporter", error);

	if (got > 0) {
		got = unity_file_next(file.file, &document);
		unity_clip_want(file.file, is_wanted, NULL);
	}
	while (got > 0 && (got = unity_clip_next(file.file, &scratch, &field)) > 0) {
		if (read_field(&sheet, &field) != 0)
			got = -1;
		anim_arena_reset(&scratch);
	}
	/* An image of one sprite may still have an old list of others. */
	if (got == 0 && sheet.mode == 1) {
		sprites->size = 0;
		anim_map_clear(&sheet.ids);
		whole = note(&sheet, FIRST_SPRITE, NULL, -1);
		if (whole == NULL)
			got = -1;
		else
			set_pivot(whole, sheet.alignment, sheet.pivot[0], sheet.pivot[1]);
	}
	for (size_t i = 0; i < sprites->size / sizeof *whole && got == 0; i++)
		sprite_at(&sheet, i)->pixels_per_unit = sheet.pixels_per_unit;
	anim_arena_clear(&scratch);
	unity_meta_close(&file);
	anim_map_clear(&sheet.ids);
	anim_map_clear(&sheet.names);
	if (got == 0 || error->code == ANIM_NO_MEMORY)
		return got;
	*error = (struct anim_error){0}; /* unreadable names count as missing */
	return 0;
}

/* ---- The sheets of a run, which name the sprites of references ---- */

/* The sub-assets of one file, as its .meta file names them. */
struct unity_sheet {
	const struct unity_sprite *sprites; /* in the run's arena */
	size_t count;
	struct anim_map ids; /* (fileID, "") -> number */
};

/*
 * Read the size of an image, which the sprites need: the .meta file counts rows from its lower edge. Without the image,
 * *size stays 0. Returns 0 or -1.
 */
static int read_image(struct unity_run *run, const char *path, uint32_t size[2])
{
	struct unity_opened image;
	const struct unity_package_item *item;
	const char *shown, *why;
	const uint8_t *at;
	ssize_t count;
	int got;

	if (run->assets.package != NULL) {
		item = unity_package_find_path(run->assets.package, path);
		if (item != NULL)
			memcpy(size, item->image, sizeof item->image);
		return 0;
	}
	got = unity_asset_open(run, path, false, &image, &shown, &why);
	if (got <= 0)
		return got;
	count = anim_input_peek(image.input, ANIM_IMAGE_HEAD, &at, run->error);
	if (count > 0 && !anim_image_size(at, (size_t)count, size))
		size[0] = size[1] = 0;
	unity_asset_close(&image);
	if (count >= 0 || run->error->code == ANIM_NO_MEMORY)
		return count < 0 ? -1 : 0;
	*run->error = (struct anim_error){0}; /* an unreadable image counts as missing */
	return 0;
}

/* Read the .meta file of an asset. If it cannot be read, the sprites have no names. */
static int read_sheet(struct unity_run *run, const char *path, struct unity_sheet *sheet)
{
	struct anim_buffer sprites = {0};
	struct unity_opened meta;
	uint32_t image[2] = {0, 0};
	const char *shown, *why;
	int got = unity_asset_open(run, path, true, &meta, &shown, &why);

	if (got == 0 && strcmp(why, ANIM_NO_SUCH_FILE) != 0)
		return anim_diagnostics_add(run->options->diagnostics, ANIM_WARNING,
					    &(struct anim_place){.file = shown, .at = ANIM_AT_FILE}, "file", run->error,
					    "names of sprites are not read" ANIM_DETAIL ": %s", why);
	if (got <= 0)
		return got;
	got = unity_meta_sprites(meta.input, &run->arena, &sprites, run->error);
	unity_asset_close(&meta);
	if (got == 0 && sprites.size > 0)
		got = read_image(run, path, image);
	for (size_t i = 0; i < sprites.size / sizeof(struct unity_sprite); i++)
		memcpy(((struct unity_sprite *)(void *)sprites.data + i)->image, image, sizeof image);
	if (got == 0) {
		sheet->sprites = unity_keep_items(run, &sprites);
		sheet->count = sprites.size / sizeof *sheet->sprites;
		got = sheet->sprites == NULL ? -1 : 0;
	}
	for (size_t i = sheet->count; i-- > 0 && got == 0;)
		got = anim_map_put(&sheet->ids, (uint64_t)sheet->sprites[i].file_id, "", 0, (uint32_t)i, run->error);
	anim_buffer_clear(&sprites);
	return got;
}

int unity_asset_resolve(void *context, const char *guid, int64_t file_id, struct unity_asset *asset,
			struct anim_error *error)
{
	/* images, which have sub-sprites. Other assets are named only by their path */
	static const char *const suffixes[] = {".png", ".jpg", ".jpeg", ".psd",  ".psb", ".tga",
					       ".bmp", ".gif", ".tif",  ".tiff", ".exr", ".asset"};
	struct unity_run *run = context;
	struct unity_sheet *sheet;
	uint32_t number = (uint32_t)(run->sheet_items.size / sizeof *sheet);
	int got;

	*asset = (struct unity_asset){.path = NULL};
	if (run->options->no_external)
		return 0;
	got = unity_assets_find(&run->assets, guid, &asset->path, error);
	if (got <= 0 || !anim_path_has_suffix(asset->path, suffixes, ANIM_COUNT(suffixes)))
		return got;
	/* The sheet of an asset is read once. */
	if (!anim_map_get(&run->sheets, 0, asset->path, strlen(asset->path), &number)) {
		sheet = anim_buffer_extend(&run->sheet_items, sizeof *sheet, error);
		if (sheet == NULL)
			return -1;
		*sheet = (struct unity_sheet){0};
		if (anim_map_put(&run->sheets, 0, asset->path, strlen(asset->path), number, error) != 0 ||
		    read_sheet(run, asset->path, sheet) != 0)
			return -1;
	}
	sheet = (struct unity_sheet *)run->sheet_items.data + number;
	if (anim_map_get(&sheet->ids, (uint64_t)file_id, "", 0, &number))
		asset->sprite = &sheet->sprites[number];
	return 1;
}

void unity_sheets_clear(struct unity_run *run)
{
	struct unity_sheet *sheets = (struct unity_sheet *)run->sheet_items.data;

	for (size_t i = 0; i < run->sheet_items.size / sizeof *sheets; i++)
		anim_map_clear(&sheets[i].ids);
	anim_map_clear(&run->sheets);
	anim_buffer_clear(&run->sheet_items);
}
