/* sprites.c: references to Unity's sprites become tracks of Godot's sprites. */
/*
 * A track of references becomes up to four candidates: the frame in a regular sheet, the part of the image, the offset
 * of the image from its pivot, and the image itself. Which of them the node needs is known when all clips have come,
 * because one node shows one sheet in all of them: godot_sprite_wants.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/input.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/keys.h"
#include "format/godot/writer.h"

#define SIDE_MAX 16384u /* largest hframes and vframes in the editor */
#define MARK "godot.sprite"

/* ---- The texts of references, as the reader of Unity writes them ---- */

struct sprite {
	const char *text; /* the reference */
	bool shows;       /* false: the reference is to nothing */
	const char *path; /* of the image, "" if unknown */
	bool whole;       /* it shows the whole image */
	bool has_index, has_region;
	uint32_t index;                       /* in the list of the .meta file */
	double region[4], image[2], pivot[2]; /* pixels from the upper left corner. The pivot is as in Unity. */
	double pixels_per_unit;
};

/* Return the value of a member of the flow map, or NULL. Names in quoted texts do not count. */
static const char *member(const char *text, const char *name)
{
	size_t length = strlen(name);
	bool quoted = false;

	for (; *text != '\0'; text++) {
		if (quoted && *text == '\\' && text[1] != '\0')
			text++;
		else if (*text == '"')
			quoted = !quoted;
		else if (!quoted && *text == ' ' && strncmp(text + 1, name, length) == 0 &&
			 strncmp(text + 1 + length, ": ", 2) == 0)
			return text + length + 3;
	}
	return NULL;
}

/* Read "[1, 2]", or one number. Returns true if there are `count` finite numbers. */
static bool numbers_of(const char *text, const char *end, const char *name, double *numbers, size_t count)
{
	const char *at = member(text, name);

	for (size_t i = 0; i < count && at != NULL; i++) {
		at += strspn(at, "[, ");
		at = anim_number_double(at, end, &numbers[i]);
		if (at != NULL && !isfinite(numbers[i]))
			at = NULL;
	}
	return at != NULL;
}

/* Read the reference of key k. Texts are in the arena. Returns 0 or -1. */
static int read_sprite(const struct anim_track *t, size_t k, struct sprite *sprite, struct anim_arena *arena,
		       struct anim_error *error)
{
	uint32_t length = t->strings->length[k] == ANIM_NULL_STRING ? 0 : t->strings->length[k];
	char *text = anim_arena_zeroed(arena, length + ANIM_INPUT_SLACK, 1, error);
	const char *path, *end;
	double number;

	if (text == NULL)
		return -1;
	memcpy(text, t->strings->bytes + (length == 0 ? 0 : t->strings->start[k]), length);
	end = text + length;
	path = member(text, "path");
	/* The path is a JSON string without escapes, as names of files are. */
	path = path == NULL || *path != '"' ? "" : anim_arena_text(arena, path + 1, strcspn(path + 1, "\""), error);
	*sprite = (struct sprite){.text = text,
				  .shows = member(text, "guid") != NULL || *path != '\0',
				  .path = path,
				  .whole = member(text, "whole") != NULL,
				  .pivot = {0.5, 0.5},
				  .pixels_per_unit = 100};
	if (path == NULL)
		return -1;
	sprite->has_index = numbers_of(text, end, "index", &number, 1) && number >= 0 && number < GODOT_FRAMES_MAX;
	sprite->index = sprite->has_index ? (uint32_t)number : 0;
	sprite->has_region = numbers_of(text, end, "region", sprite->region, 4) &&
			     numbers_of(text, end, "image", sprite->image, 2) && sprite->region[2] > 0 &&
			     sprite->region[3] > 0;
	if (!numbers_of(text, end, "pivot", sprite->pivot, 2))
		sprite->pivot[0] = sprite->pivot[1] = 0.5;
	if (!numbers_of(text, end, "pixelsPerUnit", &sprite->pixels_per_unit, 1) || !(sprite->pixels_per_unit > 0))
		sprite->pixels_per_unit = 100;
	return 0;
}

/*
 * Find the cell of a sprite in a sheet whose cells have its size and fill the image. Returns false if it fails.
 */
static bool find_cell(const struct sprite *sprite, uint32_t grid[2], uint32_t *frame)
{
	double cell[2];

	for (size_t i = 0; i < 2; i++) {
		double side = sprite->region[2 + i], count = sprite->image[i] / side;

		cell[i] = sprite->region[i] / side;
		if (!sprite->has_region || floor(count) != count || floor(cell[i]) != cell[i] || count < 1 ||
		    count > SIDE_MAX || !(cell[i] >= 0 && cell[i] < count))
			return false;
		grid[i] = (uint32_t)count;
	}
	*frame = (uint32_t)cell[1] * grid[0] + (uint32_t)cell[0];
	return true;
}

/* ---- The sprites of a node ---- */

/* Return the sheet of the node with this path, or NULL. */
static struct godot_sheet *sheet_of(const struct godot_writer *writer, const char *node)
{
	uint32_t number;

	return anim_map_get(&writer->sheet_numbers, 0, node, strlen(node), &number)
		   ? (struct godot_sheet *)(void *)writer->sheets.data + number
		   : NULL;
}

/* Return the path in the scene of the node of a track, or the name that the track has for it if it is outside. */
static const char *node_of(struct godot_writer *writer, size_t clip, const struct anim_track *t)
{
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	struct anim_error trouble = {0};
	const char *node = godot_written_track_node(&written->names, t, &writer->scratch, writer->error), *path;

	if (node == NULL)
		return NULL;
	path = anim_tree_path(written->root, godot_source_node(&written->names, node), &writer->scratch, &trouble);
	if (path == NULL && trouble.code != ANIM_OK)
		*writer->error = trouble;
	return path != NULL || trouble.code != ANIM_OK ? path : node;
}

/* Return the sheet of the node, which is added if it is new. NULL if out of memory. */
static struct godot_sheet *need_sheet(struct godot_writer *writer, const struct anim_track *t)
{
	uint32_t number = (uint32_t)(writer->sheets.size / sizeof(struct godot_sheet));
	struct godot_sheet sheet = {.scope = writer->options.diagnostics->scope, .pixels_per_unit = 100};
	const char *node = node_of(writer, writer->clips.size / sizeof(struct godot_written_clip) - 1, t);
	struct godot_sheet *known = node == NULL ? NULL : sheet_of(writer, node);

	if (node == NULL || known != NULL)
		return known;
	sheet.node = anim_arena_text(&writer->kept, node, strlen(node), writer->error);
	if (sheet.node == NULL || anim_buffer_append(&writer->sheets, &sheet, sizeof sheet, writer->error) != 0 ||
	    anim_map_put(&writer->sheet_numbers, 0, sheet.node, strlen(node), number, writer->error) != 0)
		return NULL;
	return sheet_of(writer, node);
}

/* Note the needs of a sprite. Returns 0 or -1. */
static int note_sprite(struct godot_writer *writer, struct godot_sheet *sheet, const struct sprite *sprite,
		       const float offset[2])
{
	uint32_t grid[2] = {0, 0}, frame;
	bool first = sheet->image == NULL;

	if (!sprite->shows) {
		sheet->blank = true;
		return 0;
	}
	if (first) {
		sheet->image = anim_arena_text(&writer->kept, sprite->path, strlen(sprite->path), writer->error);
		if (sheet->image == NULL)
			return -1;
		sheet->parts = false;
		sheet->pixels_per_unit = (float)sprite->pixels_per_unit;
		memcpy(sheet->offset, offset, sizeof sheet->offset);
		for (size_t i = 0; i < 4; i++)
			sheet->region[i] = (float)sprite->region[i];
	}
	if (strcmp(sprite->path, sheet->image) != 0 && sheet->other == NULL) {
		sheet->other = anim_arena_text(&writer->kept, sprite->path, strlen(sprite->path), writer->error);
		if (sheet->other == NULL)
			return -1;
	}
	sheet->parts |= !sprite->whole;
	sheet->unplaced |= !sprite->has_region;
	if (!find_cell(sprite, grid, &frame))
		sheet->irregular = true;
	else if (first)
		memcpy(sheet->grid, grid, sizeof grid);
	else if (memcmp(sheet->grid, grid, sizeof grid) != 0)
		sheet->irregular = true;
	sheet->moves |= memcmp(sheet->offset, offset, sizeof sheet->offset) != 0;
	return 0;
}

/* Return true if images change, or are set by tracks because no node is written. */
static bool wants_textures(const struct godot_writer *writer, const struct godot_sheet *sheet)
{
	return writer->options.images != NULL && (sheet->other != NULL || sheet->blank || !godot_writes_nodes(writer));
}

/* The tracks that show the sprites of a node. */
enum sheet_kind {
	FRAMES,  /* `frame`, in a regular sheet */
	REGIONS, /* `region_rect`, for any parts of an image */
	IMAGES,  /* `texture` only */
	COUNTED, /* `frame`, counted in the list of the .meta, because the sheet is unknown */
	LOST     /* none, because a texture is needed, but the folder of the images is unknown */
};

static enum sheet_kind kind_of(const struct godot_writer *writer, const struct godot_sheet *sheet)
{
	bool textures = wants_textures(writer, sheet);

	if (sheet->control ? !sheet->parts && writer->options.images != NULL : !sheet->parts && textures)
		return IMAGES;
	if (sheet->control || (!sheet->parts && sheet->other != NULL))
		return LOST;
	if (sheet->unplaced)
		return COUNTED;
	return sheet->irregular || (sheet->blank && !textures) ? REGIONS : FRAMES;
}

/* ---- The candidates ---- */

bool godot_is_sprites(const struct anim_track *t)
{
	const char *literal = anim_attrs_get(&t->attrs, "literal"), *class = anim_attrs_get(&t->attrs, "unity.class");

	return t->type == ANIM_STRING && literal != NULL && strcmp(literal, "PPtr") == 0 &&
	       strcmp(t->property, "m_Sprite") == 0 && (class == NULL || anim_text_is_word("114 212", class));
}

bool godot_is_sprite_part(const struct anim_track *t)
{
	return anim_attrs_get(&t->attrs, MARK) != NULL;
}

/* Return the path of an image in the Godot project, whose folder `images` has the files of Unity's folder Assets. */
static const char *godot_path(const char *images, const char *path, struct anim_arena *arena, struct anim_error *error)
{
	const char *below = anim_text_after(path, "Assets/");

	return anim_arena_printf(arena, error, "%s%s%s", images, anim_text_ends(images, "/") ? "" : "/",
				 below == NULL ? path : below);
}

/* Add a key with the text of an image, or null, if it is not the image of the last key. Returns 0 or -1. */
static int add_texture(struct anim_keys *keys, const char **last, const char *images, const struct sprite *sprite,
		       float time_s, struct anim_arena *arena, struct anim_error *error)
{
	size_t start = keys->texts.bytes.size;
	const char *path =
	    sprite->shows && sprite->path[0] != '\0' ? godot_path(images, sprite->path, arena, error) : "";
	const char *text = path == NULL    ? NULL
			   : *path == '\0' ? "null"
					   : anim_arena_printf(arena, error, "Resource(\"%s\")", path);

	if (text == NULL)
		return -1;
	if (*last != NULL && strcmp(*last, text) == 0)
		return 0;
	*last = text;
	if (anim_buffer_append_text(&keys->texts.bytes, text, error) != 0)
		return -1;
	return anim_keys_add_text(keys, time_s, start, ANIM_HOLD, error);
}

/* The columns of the candidates. */
struct columns {
	int32_t *frame;
	float (*region)[4], (*offset)[2];
	struct anim_keys textures;
};

/*
 * Fill the columns. If a sprite has neither a place in its image nor a number, the frames of the track are the ranks of
 * the references in their order.
 */
static int fill_columns(struct godot_writer *writer, const struct anim_track *t, struct godot_sheet *sheet,
			struct columns *columns, struct anim_arena *arena)
{
	struct anim_map seen = {0};
	int32_t *rank = anim_arena_zeroed(arena, t->n + 1, sizeof *rank, writer->error);
	const char *last = NULL;
	bool numbered = true;
	int result = rank == NULL ? -1 : 0;

	for (size_t k = 0; k < t->n && result == 0; k++) {
		uint32_t grid[2], frame, known = (uint32_t)seen.count;
		float *region = columns->region[k], *offset = columns->offset[k];
		struct sprite sprite;

		result = read_sprite(t, k, &sprite, arena, writer->error);
		if (result != 0)
			break;
		if (!anim_map_get(&seen, 0, sprite.text, strlen(sprite.text), &known))
			result = anim_map_put(&seen, 0, sprite.text, strlen(sprite.text), known, writer->error);
		rank[k] = (int32_t)known;
		numbered = numbered && (sprite.has_region || sprite.has_index || !sprite.shows);
		columns->frame[k] = (int32_t)(find_cell(&sprite, grid, &frame) ? frame : sprite.index);
		for (size_t i = 0; i < 4; i++)
			region[i] = sprite.has_region ? (float)sprite.region[i] : 0;
		/* Unity puts the pivot at the origin of the node, Godot the centre. y points down here. */
		offset[0] = (float)((0.5 - sprite.pivot[0]) * (double)region[2]) + 0.0f;
		offset[1] = (float)((sprite.pivot[1] - 0.5) * (double)region[3]) + 0.0f;
		if (result == 0)
			result = note_sprite(writer, sheet, &sprite, offset);
		if (result == 0 && writer->options.images != NULL)
			result = add_texture(&columns->textures, &last, writer->options.images, &sprite, t->time[k],
					     arena, writer->error);
	}
	anim_map_clear(&seen);
	if (!numbered && result == 0)
		columns->frame = rank;
	return result;
}

/* Send the candidates of a track to the writer. Returns 0 or -1. */
static int send(struct godot_writer *writer, const struct anim_track *t, const struct godot_sheet *sheet,
		struct columns *columns, struct anim_error *error)
{
	static const struct anim_attr plain[] = {{MARK, "1"}, {"godot.type", "value"}},
				      rect[] = {{MARK, "1"}, {"godot.type", "value"}, {"godot.variant", "Rect2"}},
				      object[] = {{MARK, "1"}, {"godot.type", "value"}, {"literal", "Object"}};
	const struct {
		const char *property;
		enum anim_type type;
		const void *value;
		struct anim_attrs attrs;
	} candidates[] = {{"frame", ANIM_INT, columns->frame, {plain, 2}},
			  {"region_rect", ANIM_FLOAT4, columns->region, {rect, 3}},
			  {"offset", ANIM_FLOAT2, columns->offset, {plain, 2}},
			  {"texture", ANIM_STRING, NULL, {object, 3}}};

	for (size_t i = 0; i < ANIM_COUNT(candidates); i++) {
		bool texture = candidates[i].type == ANIM_STRING;
		struct anim_track part = *t;

		if (texture ? writer->options.images == NULL || (sheet->control && sheet->parts) : sheet->control)
			continue;
		if (texture) {
			anim_keys_finish_steps(&columns->textures, t, &part);
		} else {
			part.type = candidates[i].type;
			part.value = candidates[i].value;
			part.strings = NULL;
		}
		part.property = candidates[i].property;
		part.attrs = candidates[i].attrs;
		part.record = NULL;
		if (anim_sink_track(&writer->sink, &part, error) != 0)
			return -1;
	}
	return 0;
}

int godot_sprites_add(struct godot_writer *writer, const struct anim_track *t, struct anim_error *error)
{
	const char *class = anim_attrs_get(&t->attrs, "unity.class");
	struct anim_arena arena = {0};
	struct columns columns = {
	    .frame = anim_arena_zeroed(&arena, t->n + 1, sizeof *columns.frame, error),
	    .region = anim_arena_zeroed(&arena, t->n + 1, sizeof *columns.region, error),
	    .offset = anim_arena_zeroed(&arena, t->n + 1, sizeof *columns.offset, error),
	    .textures = {.type = ANIM_STRING},
	};
	struct godot_sheet *sheet = need_sheet(writer, t);
	int result = -1;

	if (columns.frame != NULL && columns.region != NULL && columns.offset != NULL && sheet != NULL) {
		sheet->control |= class != NULL && strcmp(class, "114") == 0;
		result = fill_columns(writer, t, sheet, &columns, &arena);
	}
	if (result == 0 && kind_of(writer, sheet) == LOST)
		anim_diagnostics_leave_out(writer->options.diagnostics);
	if (result == 0)
		result = send(writer, t, sheet, &columns, error);
	anim_keys_clear(&columns.textures);
	anim_arena_clear(&arena);
	return result;
}

/* ---- Writing ---- */

/*
 * Return true if y of the node points down. In a new scene its class decides. Otherwise the node is 3-D if the clip moves
 * it in space.
 */
static bool is_flat(const struct godot_writer *writer, size_t clip, const char *path, const char *node)
{
	uint32_t number = godot_writes_nodes(writer) ? godot_nodes_find(&writer->nodes, path) : GODOT_NO_PARENT;

	if (number != GODOT_NO_PARENT)
		return strcmp(godot_nodes_at(&writer->nodes, number)->class, "Sprite3D") != 0;
	return anim_store_clip(writer->store, clip)->axes2d == ANIM_AXES2D_GODOT ||
	       (anim_store_find(writer->store, clip, 0, node, "position") < 0 &&
		anim_store_find(writer->store, clip, 0, node, "rotation") < 0 &&
		anim_store_find(writer->store, clip, 0, node, "scale") < 0);
}

int godot_sprite_wants(struct godot_writer *writer, size_t clip, struct anim_track *t)
{
	const char *node = node_of(writer, clip, t);
	const struct godot_sheet *sheet = node == NULL ? NULL : sheet_of(writer, node);
	enum sheet_kind kind;
	struct anim_track up;
	bool still;

	if (sheet == NULL)
		return -1;
	kind = kind_of(writer, sheet);
	if (strcmp(t->property, "texture") == 0)
		return kind != LOST && wants_textures(writer, sheet);
	if (strcmp(t->property, "frame") == 0)
		return kind == FRAMES || kind == COUNTED;
	if (strcmp(t->property, "region_rect") == 0)
		return kind == REGIONS;
	still = !sheet->moves && (godot_writes_nodes(writer) || (sheet->offset[0] == 0 && sheet->offset[1] == 0));
	if (!sheet->moves && t->n > 1)
		t->n = 1;
	if (still || kind == LOST || is_flat(writer, clip, node, t->node))
		return !still && kind != LOST;
	if (anim_track_copy(&up, t, &writer->scratch, writer->error) != 0)
		return -1;
	for (size_t k = 0; k < up.n; k++)
		((float(*)[2])(uintptr_t)up.value)[k][1] *= -1;
	*t = up;
	return 1;
}

void godot_sprite_print(struct godot_writer *writer, const struct godot_scene_node *node)
{
	const struct godot_sheet *sheet = sheet_of(writer, node->path);
	struct godot_print *print = &writer->print;
	bool space = strcmp(node->class, "Sprite3D") == 0;
	enum sheet_kind kind;
	const char *path;

	if (sheet == NULL || sheet->image == NULL) {
		if (node->frames > 1)
			godot_print_format(print, "hframes = %u\n", (size_t)node->frames);
		return;
	}
	kind = kind_of(writer, sheet);
	if (writer->options.images != NULL && kind != LOST) {
		path = godot_path(writer->options.images, sheet->image, &writer->scratch, writer->error);
		path =
		    path == NULL ? NULL : anim_arena_printf(&writer->scratch, writer->error, "Resource(\"%s\")", path);
		if (path == NULL) {
			print->out.failed = true;
			return;
		}
		godot_print_text(print, "texture = ");
		godot_print_literal(print, path, strlen(path));
		godot_print_text(print, "\n");
	}
	if (sheet->control || kind == LOST)
		return;
	if (space && sheet->pixels_per_unit != 100)
		godot_print_format(print, "pixel_size = %f\n", 1 / (double)sheet->pixels_per_unit);
	if (!sheet->moves && (sheet->offset[0] != 0 || sheet->offset[1] != 0)) {
		const float offset[2] = {sheet->offset[0], space ? 0.0f - sheet->offset[1] : sheet->offset[1]};

		godot_print_text(print, "offset = ");
		godot_print_reals(print, "Vector2", offset, 2);
		godot_print_text(print, "\n");
	}
	if (kind == REGIONS) {
		godot_print_text(print, "region_enabled = true\nregion_rect = ");
		godot_print_reals(print, "Rect2", sheet->region, 4);
		godot_print_text(print, "\n");
	} else if (kind == COUNTED && node->frames > 1) {
		godot_print_format(print, "hframes = %u\n", (size_t)node->frames);
	} else if (kind == FRAMES) {
		if (sheet->grid[0] > 1)
			godot_print_format(print, "hframes = %u\n", (size_t)sheet->grid[0]);
		if (sheet->grid[1] > 1)
			godot_print_format(print, "vframes = %u\n", (size_t)sheet->grid[1]);
	}
}

/* ---- Messages ---- */

static int report_sheet(struct godot_writer *writer, const struct godot_sheet *sheet)
{
	enum sheet_kind kind = kind_of(writer, sheet);
	const char *image =
	    sheet->image == NULL || sheet->image[0] == '\0' ? "its image, which is unknown" : sheet->image;
	bool nodes = godot_writes_nodes(writer), bare = writer->options.images == NULL;
	char settings[96] = "";

	if (sheet->image == NULL) /* it never shows anything */
		return 0;
	if (kind == LOST) {
		if (sheet->control && sheet->parts)
			return godot_writer_warn(writer, "node",
						 "'%s': left out, because a Unity Image shows parts of images, but a "
						 "TextureRect whole ones" ANIM_DETAIL " (%s)",
						 sheet->node, image);
		return godot_writer_warn(writer, "node",
					 "'%s': left out, because whole images are shown" ANIM_DETAIL
					 " (%s%s%s); use " ANIM_OPTION_TO("emit", "images", "res://FOLDER"),
					 sheet->node, image, sheet->other == NULL ? "" : ", ",
					 sheet->other == NULL ? "" : sheet->other);
	}
	if (kind == COUNTED && godot_writer_warn(writer, "sprite",
						 "'%s': the places in an image are unknown" ANIM_DETAIL
						 "; `frame` counts the sprites in a .meta, but %s (PNG or JPEG) and "
						 "its .meta do not have the place of each sprite",
						 sheet->node, image) != 0)
		return -1;
	if (sheet->other != NULL && bare)
		return godot_writer_warn(
		    writer, "sprite",
		    "'%s'" ANIM_DETAIL
		    " (%s, %s): several images, but one texture; use " ANIM_OPTION_TO("emit", "images", "res://FOLDER"),
		    sheet->node, image, sheet->other);
	if (kind == REGIONS && !nodes)
		snprintf(settings, sizeof settings, "set region_enabled");
	else if (kind == FRAMES && !nodes)
		snprintf(settings, sizeof settings, "set hframes to %u and vframes to %u", (unsigned)sheet->grid[0],
			 (unsigned)sheet->grid[1]);
	else if (kind == COUNTED)
		snprintf(settings, sizeof settings, "set hframes and vframes");
	if (bare)
		return godot_writer_note(writer, NULL, "sprite '%s': set the texture to %s%s%s", sheet->node, image,
					 settings[0] == '\0' ? "" : "; ", settings);
	return settings[0] == '\0' ? 0 : godot_writer_note(writer, NULL, "sprite '%s': %s", sheet->node, settings);
}

int godot_sprites_report(struct godot_writer *writer)
{
	struct anim_diagnostics *diagnostics = writer->options.diagnostics;
	const struct anim_scope *scope = diagnostics->scope;
	int result = 0;

	for (size_t i = 0; i < writer->sheets.size / sizeof(struct godot_sheet) && result == 0; i++) {
		const struct godot_sheet *sheet = (const struct godot_sheet *)(const void *)writer->sheets.data + i;

		diagnostics->scope = sheet->scope;
		result = report_sheet(writer, sheet);
	}
	diagnostics->scope = scope;
	return result;
}
