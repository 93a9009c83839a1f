/* assets.h: a guid <-> the file that bears it, through the .meta files of a project. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_ASSETS_H
#define ANIM_FORMAT_UNITY_ASSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/path.h"
#include "format/unity/unity.h"

/*
 * The .meta files of one project (or package, or folder), looked at only as far as guids are asked for: folder by folder,
 * the asking file's own first, then below Assets and Packages, breadth first, names in the order of their bytes. Links, and
 * what Unity hides from itself (.name, name~), are passed over. No folder is looked through more than twice. What stays in
 * memory is 24 bytes a .meta file, the folders' names, and the paths of all assets of a folder that was asked for a second
 * one.
 */
enum unity_root { UNITY_ROOT_PROJECT, UNITY_ROOT_PACKAGE, UNITY_ROOT_FOLDER };
struct unity_assets {
	struct anim_arena *arena;    /* of the run */
	enum unity_root root;        /* what project.folder is */
	struct anim_project project; /* folder NULL: there is none */
	const char *own_folder;      /* real; looked through first */
	struct anim_buffer folders;  /* const char *: those found so far, below the project's; "" is itself */
	struct anim_buffer metas;    /* struct unity_meta */
	struct anim_map answers;     /* (0, guid) -> number in found; UINT32_MAX: nowhere */
	struct anim_buffer found;    /* const char *: paths below the project's folder */
	size_t next;                 /* the folder to be looked through next */
	size_t metas_max;            /* 0: UNITY_METAS_MAX; tests set less */
	bool truncated;              /* there were more */
	int refused;                 /* errno of the first folder or .meta file that could not be read, else 0 */
	const char *refused_path;    /* below the project's folder, in the arena */
};

#define UNITY_METAS_MAX ((size_t)1 << 20) /* 24 MB of memory */
#define UNITY_FOLDERS_MAX ((size_t)1 << 18)
#define UNITY_LOOSE_FOLDERS_MAX \
	((size_t)1 << 12) /* below a file that lies anywhere, perhaps above all that a user has */

/*
 * Finds what is searched: the project; where there is none, the package, the nearest folder above with a package.json; where
 * there is none either, the file's own folder and those in it. 0, or -1.
 */
int unity_assets_init(struct unity_assets *, const struct anim_location *, struct anim_arena *, struct anim_error *);
void unity_assets_clear(struct unity_assets *);

/* The path of the asset with this guid, below the project's folder ("Assets/run.anim"). 1; 0 there is none; -1. */
int unity_assets_find(struct unity_assets *, const char *guid, const char **path, struct anim_error *);

/* The guid that "<file>.meta" gives; empty where there is no such file or no guid in it. */
void unity_assets_guid_of(const char *file, char guid[ANIM_UNITY_GUID]);

/* A sub-asset as its texture's .meta names it. */
struct unity_sprite {
	int64_t file_id;
	const char *name;
	int64_t index; /* in the sheet */
};

/* Appends the sub-assets (struct unity_sprite) that a .meta file names; names in the arena. 0, none too, or -1. */
int unity_meta_sprites(struct anim_input *meta, struct anim_arena *, struct anim_buffer *sprites, struct anim_error *);

#endif
