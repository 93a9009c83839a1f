/* assets.h: a guid <-> the file that has it, through the .meta files of a project. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_ASSETS_H
#define ANIM_FORMAT_UNITY_ASSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/input.h"
#include "base/map.h"
#include "base/path.h"
#include "format/unity/document.h"
#include "format/unity/unity.h"

/*
 * The .meta files of one project (or package, or folder). They are read only as far as guids are requested, folder by
 * folder: first the folder of the requesting file, then those below Assets and Packages, breadth first, names in byte
 * order. Links, and names that Unity ignores (.name, name~), are skipped. No folder is searched more than twice. Memory
 * holds 24 bytes per .meta file, the names of the folders, and the paths of all assets of a folder that was searched a
 * second time. If they are kept for the next file, it holds the paths of all assets, and each .meta file is read once.
 */
enum unity_root { UNITY_ROOT_PROJECT, UNITY_ROOT_PACKAGE, UNITY_ROOT_FOLDER };
struct unity_package;
struct unity_assets {
	struct anim_arena *arena; /* of the run */
	/* the archive with the assets, so that no folder is searched (NULL: the assets are files) */
	struct unity_package *package;
	enum unity_root root;        /* the kind of project.folder */
	struct anim_project project; /* folder NULL: not found */
	const char *own_folder;      /* real path, searched first */
	struct anim_buffer folders;  /* const char *: those found so far, relative to the project's ("" is itself) */
	struct anim_buffer metas;    /* struct unity_meta */
	struct anim_map answers;  /* (0, guid) -> number in found, UINT32_MAX: not found. If kept: (1, folder) -> 0 */
	struct anim_buffer found; /* const char *: paths relative to the project's folder */
	bool is_kept;             /* for the next file */
	bool has_doubles;         /* If kept: two assets have the same guid, so the order of folders matters */
	size_t next;              /* the folder to search next */
	size_t metas_max;         /* 0: UNITY_METAS_MAX (tests set less) */
	bool truncated;           /* there were more */
	int refused;              /* errno of the first folder or .meta file that could not be read, otherwise 0 */
	const char *refused_path; /* relative to the project's folder, in the arena */
};

#define UNITY_METAS_MAX ((size_t)1 << 20) /* 24 MB of memory */
#define UNITY_FOLDERS_MAX ((size_t)1 << 18)
/* Limit below a file outside any project or package, because the folder may contain all files of a user. */
#define UNITY_LOOSE_FOLDERS_MAX ((size_t)1 << 12)

/*
 * Find the folder to search: the project, or the package (the nearest folder above with a package.json), or otherwise
 * the file's own folder and those in it. Returns 0 or -1.
 */
int unity_assets_init(struct unity_assets *, const struct anim_location *, struct anim_arena *, struct anim_error *);
void unity_assets_clear(struct unity_assets *);

/*
 * Find the path of the asset with this guid, relative to the project's folder ("Assets/run.anim"). Returns 1, 0 if
 * not found, or -1.
 */
int unity_assets_find(struct unity_assets *, const char *guid, const char **path, struct anim_error *);

/*
 * Search all folders, and return whether a kept index gives the same answers to a file in the folder `own` (relative to
 * the project's folder), although its search begins in another folder. Returns 1, 0 or -1.
 */
int unity_assets_fit(struct unity_assets *, const char *own, struct anim_error *);

/*
 * Find the project of a location (its `real` may be a file that does not exist yet): the folder whose Assets or
 * Packages contain it. Folders inside may have the same names. Of several candidates, the nearest one with a folder
 * ProjectSettings is used, or the outermost one if they have none. Returns 1, 0 if not found, or -1.
 */
int unity_project_of(struct anim_project *, const struct anim_location *, struct anim_arena *, struct anim_error *);

/* Get the guid in "<file>.meta". It is empty if the file does not exist or contains no guid. */
void unity_assets_guid_of(const char *file, char guid[ANIM_UNITY_GUID]);

#define UNITY_META ".meta" /* suffix */

/* An importer's member of a .meta file, as a document on the lines of the file. */
struct unity_meta_file {
	struct unity_file *file;
	struct anim_input *input;
	struct anim_buffer text;
};

/* Open the member of this importer, such as "ModelImporter". Returns 1, 0 if the file does not have it, or -1. */
int unity_meta_open(struct unity_meta_file *, struct anim_input *from, const char *importer, struct anim_error *);
void unity_meta_close(struct unity_meta_file *); /* after any result of _open */

/* Return true for the beginning of a .meta file of a model, of which the first bytes are needed. */
#define UNITY_META_HEAD ((size_t)4096)
bool unity_bytes_are_model(const void *bytes, size_t size);

/*
 * Append the sprites (struct unity_sprite) that a .meta file describes, with names in the arena and without the size of
 * the image. Returns 0, also if it has none, or -1.
 */
int unity_meta_sprites(struct anim_input *meta, struct anim_arena *, struct anim_buffer *sprites, struct anim_error *);

#endif
