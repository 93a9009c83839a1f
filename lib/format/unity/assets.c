/* assets.c: find the assets of a project by their guids, and open the files of a run. */
#include "format/unity/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/input.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "format/unity/package.h"
#include "format/unity/unity.h"

/* ---- Searching the folders of a project for a guid ---- */

#define HEAD_BYTES 4096 /* of a .meta file; its guid is in the second line */
#define NOWHERE UINT32_MAX

struct unity_meta {
	uint8_t guid[16];
	uint32_t folder;
};

/* The search of one folder. */
struct folder_scan {
	struct anim_error *error;
	struct unity_assets *assets;
	uint32_t folder;
	bool first;              /* record folders and guids */
	const uint8_t *wanted;   /* the guid */
	const char *found;       /* path of the asset, in the arena */
	struct anim_arena names; /* of this search */
};

static const char *folder_path(const struct unity_assets *assets, uint32_t folder)
{
	return ((const char *const *)assets->folders.data)[folder];
}

static bool pack_guid(const char *text, size_t length, uint8_t guid[16])
{
	if (length < 32)
		return false;
	for (int i = 0; i < 16; i++) {
		int high = anim_hex_digit(text[2 * i]), low = anim_hex_digit(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		guid[i] = (uint8_t)(high << 4 | low);
	}
	return length == 32 || anim_hex_digit(text[32]) < 0;
}

/* Find the guid in the line "guid: ..." in the first bytes of a .meta file. */
static bool find_guid(const char *text, size_t size, uint8_t guid[16])
{
	const char *end = text + size, *line = text;

	while (line != NULL && end - line > 5) {
		if (memcmp(line, "guid:", 5) == 0) {
			for (line += 5; line < end && *line == ' '; line++)
				;
			return pack_guid(line, (size_t)(end - line), guid);
		}
		line = memchr(line, '\n', (size_t)(end - line));
		if (line != NULL)
			line++;
	}
	return false;
}

/* Read the guid of a .meta file, which must be a regular file. *sys is errno if the system refused it, otherwise 0. */
static bool read_guid(struct anim_folder *folder, const char *name, uint8_t guid[16], int *sys)
{
	char head[HEAD_BYTES];
	struct anim_stat info;
	ssize_t size = -1;
	int fd = folder == NULL ? anim_sys_open(name, ANIM_OPEN_PLAIN) : anim_folder_open_file(folder, name),
	    opened = errno;

	errno = 0;
	if (fd >= 0 && anim_sys_fstat(fd, &info) == 0 && info.kind == ANIM_FILE)
		size = anim_read_at(fd, head, sizeof head, 0);
	*sys = fd < 0 ? opened : size < 0 ? errno : 0;
	if (fd >= 0)
		close(fd);
	return size > 0 && find_guid(head, (size_t)size, guid);
}

void unity_assets_guid_of(const char *file, char guid[ANIM_UNITY_GUID])
{
	struct anim_arena arena = {0};
	const char *meta = anim_arena_printf(&arena, NULL, "%s" UNITY_META, file);
	uint8_t bytes[16];
	int sys;

	guid[0] = '\0';
	if (meta != NULL && read_guid(NULL, meta, bytes, &sys))
		for (int i = 0; i < 16; i++)
			snprintf(guid + 2 * i, 3, "%02x", bytes[i]);
	anim_arena_clear(&arena);
}

static int add_folder(struct unity_assets *assets, const char *path, struct anim_error *error)
{
	if (assets->folders.size / sizeof path >=
	    (assets->root == UNITY_ROOT_FOLDER ? UNITY_LOOSE_FOLDERS_MAX : UNITY_FOLDERS_MAX)) {
		assets->truncated = true;
		return 0;
	}
	if (anim_buffer_append(&assets->folders, &path, sizeof path, error) != 0)
		return -1;
	return assets->is_kept ? anim_map_put(&assets->answers, 1, path, strlen(path), 0, error) : 0;
}

/* Return true if the folder is the requesting file's own, which was searched first. */
static bool is_own(const struct unity_assets *assets, const char *path)
{
	return assets->own_folder != NULL && strcmp(folder_path(assets, 0), path) == 0;
}

static size_t metas_max(const struct unity_assets *assets)
{
	return assets->metas_max == 0 ? UNITY_METAS_MAX : assets->metas_max;
}

/* Record the answer for a guid. If several assets have it, the first one stays. */
static int remember(struct unity_assets *assets, const uint8_t guid[16], const char *path, struct anim_error *error)
{
	uint32_t number = path == NULL ? NOWHERE : (uint32_t)(assets->found.size / sizeof path), known;
	char *key;

	if (anim_map_get(&assets->answers, 0, guid, 16, &known)) {
		assets->has_doubles |= path != NULL && known != NOWHERE &&
				       strcmp(((const char *const *)assets->found.data)[known], path) != 0;
		return 0;
	}
	key = anim_arena_text(assets->arena, (const char *)guid, 16, error);
	if (key == NULL || (path != NULL && anim_buffer_append(&assets->found, &path, sizeof path, error) != 0))
		return -1;
	return anim_map_put(&assets->answers, 0, key, 16, number, error);
}

/*
 * Record the first folder or file that the system refuses, because it may contain a guid that is found nowhere. Returns
 * 0 or -1.
 */
static int note_refused(struct unity_assets *assets, const char *folder, const char *name, int sys,
			struct anim_error *error)
{
	if (assets->refused != 0 || !anim_path_is_refused(sys))
		return 0;
	assets->refused_path = anim_path_join(assets->arena, folder, name, error);
	assets->refused = sys;
	return assets->refused_path == NULL ? -1 : 0;
}

/*
 * Read one .meta file. If a folder is searched a second time, its other assets will probably be requested next, so all
 * of them are recorded. For several files, that is done the first time.
 */
static int check_meta(struct folder_scan *scan, struct anim_folder *folder, const char *name)
{
	struct unity_assets *assets = scan->assets;
	struct unity_meta meta = {.folder = scan->folder};
	size_t length = strlen(name) - (sizeof UNITY_META - 1);
	const char *asset, *path;
	uint8_t guid[16];
	bool wanted, records = assets->is_kept || !scan->first;
	int sys;

	if (!read_guid(folder, name, guid, &sys))
		return note_refused(assets, folder_path(assets, scan->folder), name, sys, scan->error);
	if (scan->first && assets->metas.size / sizeof meta >= metas_max(assets)) {
		assets->truncated = true;
	} else if (scan->first) {
		memcpy(meta.guid, guid, sizeof meta.guid);
		if (anim_buffer_append(&assets->metas, &meta, sizeof meta, scan->error) != 0)
			return -1;
	}
	wanted = scan->found == NULL && memcmp(guid, scan->wanted, sizeof guid) == 0;
	if (!records && !wanted)
		return 0;
	asset = anim_arena_text(&scan->names, name, length, scan->error);
	path =
	    asset == NULL ? NULL : anim_path_join(assets->arena, folder_path(assets, scan->folder), asset, scan->error);
	if (path == NULL)
		return -1;
	if (wanted)
		scan->found = path;
	return !records || assets->answers.count >= metas_max(assets) ? 0 : remember(assets, guid, path, scan->error);
}

static int check_entry(struct folder_scan *scan, struct anim_folder *folder, const char *name)
{
	size_t length = strlen(name);
	struct anim_stat info;
	struct unity_assets *assets;
	char *path;

	if (length > sizeof UNITY_META - 1 && strcmp(name + length - (sizeof UNITY_META - 1), UNITY_META) == 0)
		return check_meta(scan, folder, name);
	/* Unity imports nothing from folders with such names. */
	if (!scan->first || name[0] == '.' || name[length - 1] == '~')
		return 0;
	if (anim_folder_lstat(folder, name, &info) != 0)
		return note_refused(scan->assets, folder_path(scan->assets, scan->folder), name, errno, scan->error);
	if (info.kind != ANIM_FOLDER)
		return 0;
	assets = scan->assets;
	path = anim_path_join(assets->arena, folder_path(assets, scan->folder), name, scan->error);
	if (path == NULL)
		return -1;
	return is_own(assets, path) ? 0 : add_folder(assets, path, scan->error);
}

/* Search one folder for the guid. A folder that does not exist (any more) is empty. Returns 1, 0 or -1. */
static int scan_folder(struct unity_assets *assets, uint32_t number, bool first, const uint8_t wanted[16],
		       const char **found, struct anim_error *error)
{
	struct folder_scan scan = {
	    .assets = assets, .error = error, .folder = number, .first = first, .wanted = wanted};
	char *path = anim_path_join(&scan.names, assets->project.folder, folder_path(assets, number), error);
	struct anim_folder *folder = path == NULL ? NULL : anim_folder_open(path, false);
	struct anim_buffer names = {0};
	int sys, result = path == NULL ? -1 : 0;

	if (folder != NULL) {
		result = anim_folder_names(folder, &scan.names, &names, &sys, error);
		if (result == 0)
			result = note_refused(assets, folder_path(assets, number), "", sys, error);
		for (size_t i = 0; i < names.size / sizeof(char *) && result == 0; i++)
			result = check_entry(&scan, folder, ((char **)names.data)[i]);
	} else if (path != NULL) {
		result = errno == ENOMEM ? anim_fail_memory(error)
					 : note_refused(assets, folder_path(assets, number), "", errno, error);
	}
	anim_buffer_clear(&names);
	anim_folder_close(folder);
	anim_arena_clear(&scan.names);
	*found = scan.found;
	return result != 0 ? -1 : scan.found != NULL;
}

/* Look up the guid in the known .meta files, and then search the remaining folders. Returns 1, 0 or -1. */
static int search(struct unity_assets *assets, const uint8_t guid[16], const char **path, struct anim_error *error)
{
	const struct unity_meta *meta = (const struct unity_meta *)assets->metas.data;
	size_t count = assets->metas.size / sizeof *meta;
	int got = 0;

	for (size_t i = 0; i < count; i++)
		if (memcmp(meta[i].guid, guid, sizeof meta[i].guid) == 0)
			return scan_folder(assets, meta[i].folder, false, guid, path, error);
	while (got == 0 && assets->next < assets->folders.size / sizeof(const char *))
		got = scan_folder(assets, (uint32_t)assets->next++, true, guid, path, error);
	return got;
}

int unity_assets_find(struct unity_assets *assets, const char *text, const char **path, struct anim_error *error)
{
	uint8_t guid[16];
	uint32_t number;
	int got;

	*path = NULL;
	if (assets->package != NULL) {
		const struct unity_package_item *item = unity_package_find(assets->package, text);

		*path = item == NULL ? NULL : item->path;
		return *path != NULL;
	}
	if (assets->project.folder == NULL || !pack_guid(text, strlen(text), guid))
		return 0;
	if (anim_map_get(&assets->answers, 0, guid, sizeof guid, &number)) {
		if (number != NOWHERE)
			*path = ((const char *const *)assets->found.data)[number];
		return number != NOWHERE;
	}
	got = search(assets, guid, path, error);
	return got < 0 || remember(assets, guid, *path, error) != 0 ? -1 : got;
}

int unity_assets_fit(struct unity_assets *assets, const char *own, struct anim_error *error)
{
	static const uint8_t none[16] = {0};
	const char *path;
	uint32_t number;
	int got = 0;

	while (got >= 0 && assets->next < assets->folders.size / sizeof path)
		got = scan_folder(assets, (uint32_t)assets->next++, true, none, &path, error);
	if (got < 0)
		return -1;
	return !assets->has_doubles && !assets->truncated &&
	       anim_map_get(&assets->answers, 1, own, strlen(own), &number);
}

/* Add the requesting file's own folder, except the project's, which has files that are not assets. */
static int add_own(struct unity_assets *assets, const struct anim_location *location, struct anim_error *error)
{
	size_t length = strlen(assets->project.folder);

	if (!anim_path_is_below(location->folder, assets->project.folder) ||
	    strcmp(location->folder, assets->project.folder) == 0)
		return 0;
	assets->own_folder = location->folder;
	length += assets->project.folder[length - 1] != '/';
	return add_folder(assets, location->folder + length, error);
}

static bool is_name(const char *name, size_t length, const char *wanted)
{
	return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

/* Check whether the folder may be the project of the file, by the name in it that leads to the file. Returns 1, 0 or -1. */
static int may_be_project(const char *folder, const char *file, struct anim_arena *arena, struct anim_error *error)
{
	size_t length = strlen(folder);
	const char *name = file + length + (length > 0 && folder[length - 1] != '/');

	length = strcspn(name, "/");
	if (name[length] == '/' && is_name(name, length, "Assets"))
		return 1;
	if (name[length] != '/' || !is_name(name, length, "Packages"))
		return 0;
	return anim_path_holds(folder, "Assets", true, arena, error);
}

static int has_settings(void *file, const char *folder, struct anim_arena *arena, struct anim_error *error)
{
	int got = may_be_project(folder, file, arena, error);

	return got <= 0 ? got : anim_path_holds(folder, "ProjectSettings", true, arena, error);
}

static int is_this(void *wanted, const char *folder, struct anim_arena *arena, struct anim_error *error)
{
	(void)arena;
	(void)error;
	return strcmp(folder, wanted) == 0;
}

static int has_package(void *context, const char *folder, struct anim_arena *arena, struct anim_error *error)
{
	(void)context;
	return anim_path_holds(folder, "package.json", false, arena, error);
}

int unity_project_of(struct anim_project *project, const struct anim_location *location, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct anim_project_test test = {has_settings, (void *)location->real};
	int found = anim_project_find(project, location, test, arena, error);
	const char *folder = NULL;

	if (found != 0)
		return found;
	for (const char *slash = location->real; slash != NULL && found == 0; slash = strchr(slash + 1, '/')) {
		size_t length = slash == location->real ? 1 : (size_t)(slash - location->real);

		folder = anim_arena_text(arena, location->real, length, error);
		found = folder == NULL ? -1 : may_be_project(folder, location->real, arena, error);
	}
	if (found <= 0)
		return found;
	test = (struct anim_project_test){is_this, (void *)folder};
	return anim_project_find(project, location, test, arena, error);
}

int unity_assets_init(struct unity_assets *assets, const struct anim_location *location, struct anim_arena *arena,
		      struct anim_error *error)
{
	static const char *const top[] = {"Assets", "Packages"};
	const struct anim_project_test package = {.is_it = has_package};
	int found;

	assets->arena = arena;
	if (location->real == NULL)
		return 0;
	found = unity_project_of(&assets->project, location, arena, error);
	if (found < 0)
		return -1;
	if (found == 0) {
		/* a file outside any project */
		found = anim_project_find(&assets->project, location, package, arena, error);
		assets->root = found > 0 ? UNITY_ROOT_PACKAGE : UNITY_ROOT_FOLDER;
		if (found == 0)
			assets->project = (struct anim_project){location->folder, location->shown_folder};
		return found < 0 || add_own(assets, location, error) != 0 ? -1 : add_folder(assets, "", error);
	}
	if (add_own(assets, location, error) != 0)
		return -1;
	for (size_t i = 0; i < 2; i++)
		if (!is_own(assets, top[i]) && add_folder(assets, top[i], error) != 0)
			return -1;
	return 0;
}

void unity_assets_clear(struct unity_assets *assets)
{
	anim_buffer_clear(&assets->folders);
	anim_buffer_clear(&assets->metas);
	anim_buffer_clear(&assets->found);
	anim_map_clear(&assets->answers);
	*assets = (struct unity_assets){0};
}

/* ---- Opening the files of a run, by path or guid ---- */

void unity_asset_close(struct unity_opened *asset)
{
	anim_input_close(asset->input);
	if (asset->fd >= 0)
		close(asset->fd);
	*asset = (struct unity_opened){.fd = -1};
}

int unity_asset_open(struct unity_run *run, const char *path, bool meta, struct unity_opened *asset, const char **shown,
		     const char **why)
{
	const struct anim_project *project = &run->assets.project;
	struct unity_package *package = run->assets.package;
	const char *real;
	int found;

	*asset = (struct unity_opened){.fd = -1};
	if (package != NULL) {
		const struct unity_package_item *item = unity_package_find_path(package, path);
		const struct unity_package_part *part = item == NULL ? NULL : meta ? &item->meta : &item->asset;

		*shown = unity_package_shown(package, path, &run->arena, run->error);
		if (*shown != NULL && meta)
			*shown = anim_arena_printf(&run->arena, run->error, "%s" UNITY_META, *shown);
		if (*shown == NULL)
			return -1;
		*why = part == NULL || !part->is_there ? ANIM_NO_SUCH_FILE
		       : part->is_kept                 ? NULL
						       : "it is not text of Unity";
		if (*why != NULL)
			return 0;
		return unity_package_open(package, part, *shown, run->options->input_options, &asset->input,
					  run->error) != 0
			   ? -1
			   : 1;
	}
	if (meta)
		path = anim_arena_printf(&run->arena, run->error, "%s" UNITY_META, path);
	*shown = path == NULL ? NULL : anim_path_join(&run->arena, project->shown_folder, path, run->error);
	found = *shown == NULL ? -1 : anim_path_real(&run->arena, *shown, &real, run->error);
	if (found < 0)
		return -1;
	*why = NULL;
	if (found == 0 && !anim_path_is_refused(errno))
		*why = errno == ENOENT ? ANIM_NO_SUCH_FILE : "it cannot be reached";
	else if (found > 0 && !anim_path_is_below(real, project->folder))
		*why = "it is outside the project folder";
	else if (found > 0)
		asset->fd = anim_open_regular(real, why);
	if (asset->fd < 0 && *why == NULL) {
		anim_fail_system(run->error, "cannot open");
		return anim_read_refused(run->options, *shown, &run->arena, why, run->error);
	}
	if (asset->fd >= 0 && anim_read_open(run->options, asset->fd, *shown, &asset->input, run->error) != 0) {
		unity_asset_close(asset);
		return -1;
	}
	return asset->fd >= 0;
}

/* The index of a project, kept for the next file. A run that uses the assets gives them back. */
struct unity_index {
	bool is_lent;
	struct unity_assets assets;
	struct anim_arena arena;
};

void unity_assets_forget(struct unity_run *run)
{
	unity_sheets_clear(run);
	if (run->index != NULL) {
		run->index->assets = run->assets;
		run->index->is_lent = false;
	} else {
		unity_assets_clear(&run->assets);
	}
	run->index = NULL;
	run->assets = (struct unity_assets){0};
}

bool unity_is_model(const char *path)
{
	static const char *const suffixes[] = {".fbx", ".glb", ".gltf", ".vrm", ".dae", ".blend", ".obj"};

	return anim_path_has_suffix(path, suffixes, ANIM_COUNT(suffixes));
}

/* Read a file. Of a model, its import settings are read. */
static int read_source(struct unity_run *run, struct unity_source *source)
{
	struct unity_opened asset;
	bool meta = unity_is_model(source->path);
	int result, got = unity_asset_open(run, source->path, meta, &asset, &source->shown, &source->why);

	if (got <= 0)
		return got;
	result = unity_source_read(run, source, asset.input);
	unity_asset_close(&asset);
	if (result == 0)
		return 0;
	/* These errors end the run. Errors in the file itself only give a warning. */
	if (run->error->code == ANIM_NO_MEMORY || run->options->diagnostics->faults >= ANIM_FAULTS_SHOWN)
		return -1;
	if (run->error->code == ANIM_SYSTEM)
		return anim_read_refused(run->options, source->shown, &run->arena, &source->why, run->error);
	source->why = unity_keep(run, run->error->message);
	if (source->why == NULL)
		return -1;
	*run->error = (struct anim_error){0};
	return 0;
}

static void free_index(void *what)
{
	struct unity_index *index = what;

	unity_assets_clear(&index->assets);
	anim_arena_clear(&index->arena);
	free(index);
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/*
 * Return whether the index of the previous file, or NULL, is right for a file that would have `own`. Both find the same
 * assets, and show them in the same way. Returns 1, 0 or -1.
 */
static int is_for(struct unity_assets *known, const struct unity_assets *own, struct anim_error *error)
{
	if (known == NULL || known->root != own->root || !is_same_text(known->project.folder, own->project.folder) ||
	    !is_same_text(known->project.shown_folder, own->project.shown_folder))
		return 0;
	if (is_same_text(known->own_folder, own->own_folder))
		return 1;
	return own->own_folder == NULL || known->root == UNITY_ROOT_FOLDER
		   ? 0
		   : unity_assets_fit(known, folder_path(own, 0), error);
}

/*
 * Use the index of the previous file if it is right for this one. Otherwise use a new one, which is kept for the next file.
 * Returns 0 or -1.
 */
static int use_index(struct unity_run *run, const struct anim_input *input)
{
	struct anim_read_kept *kept = run->options->kept;
	struct anim_location location;
	struct unity_index *index;
	int fits;

	index = calloc(1, sizeof *index);
	if (index == NULL)
		return anim_fail_memory(run->error);
	index->assets.is_kept = true;
	/* the texts of the location must last as long as the index */
	if (anim_locate(&location, input, &index->arena, run->error) != 0 ||
	    unity_assets_init(&index->assets, &location, &index->arena, run->error) != 0) {
		free_index(index);
		return -1;
	}
	fits = is_for(kept->free == free_index ? &((struct unity_index *)kept->what)->assets : NULL, &index->assets,
		      run->error);
	if (fits != 0) {
		free_index(index);
	} else {
		anim_read_kept_clear(kept);
		*kept = (struct anim_read_kept){index, free_index};
	}
	if (fits < 0)
		return -1;
	run->index = kept->what;
	run->assets = run->index->assets;
	run->index->assets = (struct unity_assets){0};
	run->index->is_lent = true;
	return 0;
}

/* Find the folder of the project of the run's own file. Returns 0 or -1. */
int unity_project_find(struct unity_run *run, const struct anim_input *input)
{
	struct anim_location location;

	if (anim_locate(&location, input, &run->arena, run->error) != 0)
		return -1;
	if (location.real != NULL)
		unity_assets_guid_of(location.real, run->sources->guid);
	if (run->options->kept != NULL && location.real != NULL &&
	    (run->options->kept->free != free_index || !((struct unity_index *)run->options->kept->what)->is_lent))
		return use_index(run, input);
	return unity_assets_init(&run->assets, &location, &run->arena, run->error);
}

const char *unity_where(const struct unity_run *run)
{
	static const char *const roots[] = {[UNITY_ROOT_PROJECT] = "below the project",
					    [UNITY_ROOT_PACKAGE] = "in the package",
					    [UNITY_ROOT_FOLDER] = "beside or below it, and it is not in a project"};

	return roots[run->assets.root];
}

int unity_source_find(struct unity_run *run, struct unity_source *from, const char *guid, struct unity_source **out,
		      const char **path, const char **why)
{
	const struct unity_assets *assets = &run->assets;
	struct unity_source *source = run->sources;
	const char *refused;
	int got;

	*path = *why = NULL;
	*out = from;
	if (guid[0] == '\0' || strcmp(guid, from->guid) == 0)
		return 1;
	while (source != NULL && strcmp(source->guid, guid) != 0)
		source = source->next;
	*out = source;
	if (source == from)
		return 1;
	if (source == NULL) {
		/* reasons for not searching other files */
		if (run->options->no_external)
			*why = "other files are not followed";
		else if (assets->package == NULL && (run->is_pipe || assets->project.folder == NULL))
			*why = "input from a pipe has no folder to search";
		else if (from->depth >= ANIM_EXTERNAL_DEPTH)
			*why = "files refer to other files too deeply";
		else if (run->files >= ANIM_EXTERNAL_FILES)
			*why = "too many other files are referred to";
		if (*why != NULL)
			return 0;
		got = unity_assets_find(&run->assets, guid, path, run->error);
		/* A guid that is found nowhere may be in a place that the system refused to read. */
		if (got == 0 && assets->refused != 0) {
			refused =
			    anim_path_join(&run->arena, assets->project.shown_folder, assets->refused_path, run->error);
			if (refused == NULL)
				return -1;
			errno = assets->refused;
			anim_fail_system(run->error, "its reference may lead to '%.300s', which cannot be read",
					 refused);
			return anim_read_refused(run->options, from->shown, &run->arena, why, run->error);
		}
		if (got == 0 && assets->truncated)
			*why = "there are too many folders or .meta files";
		if (got <= 0)
			return got;
		source = *out = anim_arena_zeroed(&run->arena, 1, sizeof *source, run->error);
		if (source == NULL)
			return -1;
		memcpy(source->guid, guid, sizeof source->guid);
		source->path = *path;
		source->depth = from->depth + 1;
		source->next = run->sources->next;
		run->sources->next = source;
		run->files++;
		if (read_source(run, source) != 0)
			return -1;
	}
	*path = (*out)->path != NULL ? (*out)->path : anim_path_last((*out)->shown);
	*why = (*out)->reading ? "the files refer to each other in a cycle" : (*out)->why;
	return *why == NULL;
}
