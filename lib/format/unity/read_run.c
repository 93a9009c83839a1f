/* read_run.c: messages, texts and other files of a run. */
#include "format/unity/read_run.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The sub-assets of one file, as its .meta names them. */
struct unity_sheet {
	const struct unity_sprite *sprites; /* in the run's arena */
	size_t count;
	struct anim_map ids; /* (fileID, "") -> number */
};

const char *unity_keep(struct unity_run *run, const char *text, struct anim_error *error)
{
	return anim_arena_text(&run->arena, text, strlen(text), error);
}

int unity_say(const struct unity_run *run, const struct unity_source *source, enum anim_severity severity,
	      uint32_t line, const char *many, struct anim_error *error, const char *format, ...)
{
	struct anim_place place = {.file = source->shown, .at = line == 0 ? ANIM_AT_FILE : ANIM_AT_LINE};
	char text[sizeof error->message];
	va_list args;

	place.line = line;
	place.column = 1;
	if (severity == ANIM_FAULT && run->options->keep_going)
		severity = ANIM_WARNING;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return anim_losses_add(run->options->losses, severity, &place, many, error, "%s", text);
}

int unity_report(const struct unity_run *run, const struct unity_source *source, enum anim_severity severity,
		 struct anim_error *error)
{
	const struct anim_error fault = *error;
	struct anim_place place = {
	    .file = source->shown, .at = fault.at, .line = fault.line, .column = fault.column, .offset = fault.offset};

	if (fault.at != ANIM_AT_LINE ||
	    (fault.code != ANIM_BAD_INPUT && fault.code != ANIM_TOO_LARGE && fault.code != ANIM_UNSUPPORTED))
		return -1;
	if (severity == ANIM_FAULT && run->options->keep_going)
		severity = ANIM_WARNING;
	if (anim_losses_add(run->options->losses, severity, &place, NULL, error, "%s", fault.message) != 0)
		return -1;
	*error = (struct anim_error){0};
	return 0;
}

int unity_run_open(struct unity_run *run, const char *path, int *fd, const char **shown, const char **why,
		   struct anim_error *error)
{
	const struct anim_project *project = &run->assets.project;
	const char *real;
	int found;

	*shown = anim_path_join(&run->arena, project->shown_folder, path, error);
	if (*shown == NULL)
		return -1;
	found = anim_path_real(&run->arena, *shown, &real, error);
	if (found < 0)
		return -1;
	*fd = -1;
	*why = NULL;
	if (found == 0 && !anim_path_is_refused(errno))
		*why = errno == ENOENT ? "no such file" : "it cannot be reached";
	else if (found > 0 && !anim_path_is_below(real, project->folder))
		*why = "it lies outside the project's folder";
	else if (found > 0)
		*fd = anim_open_regular(real, why);
	if (*fd >= 0 || *why != NULL)
		return *fd >= 0;
	anim_fail_system(error, "cannot open");
	return anim_read_refused(run->options, *shown, &run->arena, why, error);
}

static int read_meta(struct unity_run *run, int fd, const char *shown, struct anim_buffer *sprites,
		     struct anim_error *error)
{
	struct anim_input_options options = {0};
	struct anim_input *meta = NULL;
	int result = 0;

	if (run->options->input_options != NULL)
		options = *run->options->input_options;
	options.name = NULL;
	if (run->options->opened != NULL)
		result = run->options->opened(run->options->opened_context, shown, error);
	if (result == 0)
		result = anim_input_open_fd(&meta, fd, shown, &options, error);
	if (result == 0)
		result = unity_meta_sprites(meta, &run->arena, sprites, error);
	anim_input_close(meta);
	return result;
}

/* The sprites in the arena, found by fileID. */
static int keep_sprites(struct unity_run *run, struct unity_sheet *sheet, const struct anim_buffer *sprites,
			struct anim_error *error)
{
	struct unity_sprite *kept;

	if (sprites->size == 0)
		return 0;
	kept = anim_arena_alloc(&run->arena, sprites->size, error);
	if (kept == NULL)
		return -1;
	memcpy(kept, sprites->data, sprites->size);
	sheet->sprites = kept;
	sheet->count = sprites->size / sizeof *kept;
	for (size_t i = sheet->count; i-- > 0;)
		if (anim_map_put(&sheet->ids, (uint64_t)kept[i].file_id, "", 0, (uint32_t)i, error) != 0)
			return -1;
	return 0;
}

/* Reads the .meta of an asset; one that cannot be read names nothing. */
static int read_sheet(struct unity_run *run, const char *path, struct unity_sheet *sheet, struct anim_error *error)
{
	size_t size = strlen(path) + sizeof ".meta";
	char *name = anim_arena_alloc(&run->arena, size, error);
	struct anim_buffer sprites = {0};
	const char *shown, *why;
	int fd, got;

	if (name == NULL)
		return -1;
	snprintf(name, size, "%s.meta", path);
	got = unity_run_open(run, name, &fd, &shown, &why, error);
	if (got <= 0)
		return got;
	got = read_meta(run, fd, shown, &sprites, error);
	close(fd);
	if (got == 0)
		got = keep_sprites(run, sheet, &sprites, error);
	anim_buffer_clear(&sprites);
	return got;
}

/* The sheet of an asset, read once. NULL on error. */
static const struct unity_sheet *find_sheet(struct unity_run *run, const char *path, struct anim_error *error)
{
	uint32_t number = (uint32_t)(run->sheet_items.size / sizeof(struct unity_sheet));
	struct unity_sheet *sheet;

	if (anim_map_get(&run->sheets, 0, path, strlen(path), &number))
		return (const struct unity_sheet *)run->sheet_items.data + number;
	sheet = anim_buffer_extend(&run->sheet_items, sizeof *sheet, error);
	if (sheet == NULL)
		return NULL;
	*sheet = (struct unity_sheet){0};
	if (anim_map_put(&run->sheets, 0, path, strlen(path), number, error) != 0 ||
	    read_sheet(run, path, sheet, error) != 0)
		return NULL;
	return sheet;
}

void unity_run_clear_sheets(struct unity_run *run)
{
	struct unity_sheet *sheets = (struct unity_sheet *)run->sheet_items.data;

	for (size_t i = 0; i < run->sheet_items.size / sizeof *sheets; i++)
		anim_map_clear(&sheets[i].ids);
	anim_map_clear(&run->sheets);
	anim_buffer_clear(&run->sheet_items);
}

/* Images have sub-sprites; other assets are named by their path alone. */
static bool is_image(const char *path)
{
	static const char *const suffixes[] = {".png", ".jpg", ".jpeg", ".psd",  ".psb", ".tga",
					       ".bmp", ".gif", ".tif",  ".tiff", ".exr", ".asset"};
	size_t length = strlen(path);

	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		size_t tail = strlen(suffixes[i]);

		if (length > tail && strcasecmp(path + length - tail, suffixes[i]) == 0)
			return true;
	}
	return false;
}

int unity_run_resolve(void *context, const char *guid, int64_t file_id, struct unity_asset *asset,
		      struct anim_error *error)
{
	struct unity_run *run = context;
	const struct unity_sheet *sheet;
	uint32_t number;
	int got;

	*asset = (struct unity_asset){.index = -1};
	if (run->options->no_external)
		return 0;
	got = unity_assets_find(&run->assets, guid, &asset->path, error);
	if (got <= 0 || !is_image(asset->path))
		return got;
	sheet = find_sheet(run, asset->path, error);
	if (sheet == NULL)
		return -1;
	if (anim_map_get(&sheet->ids, (uint64_t)file_id, "", 0, &number)) {
		asset->sprite = sheet->sprites[number].name;
		asset->index = sheet->sprites[number].index;
	}
	return 1;
}
