/* package.h: the assets of a .unitypackage, by guid and by path, in a spool. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_PACKAGE_H
#define ANIM_FORMAT_UNITY_PACKAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/input.h"
#include "base/map.h"
#include "format/unity/unity.h"
#include "stream/store.h"

/* One file of the archive. Only text assets and .meta files are kept. */
struct unity_package_part {
	bool is_there, is_kept;
	uint64_t place, size; /* in the spool, if it is kept */
};

struct unity_package_item {
	char guid[ANIM_UNITY_GUID]; /* in lower case */
	const char *path;           /* "Assets/Dance.anim", or NULL if the archive has no path for it */
	struct unity_package_part asset, meta;
	uint32_t image[2];           /* size of the asset, if it is an image */
	bool has_clips, has_players; /* the asset has an AnimationClip, or a component that plays clips */
	bool is_left_out;            /* its path cannot be used, which a warning said */
	bool is_other;               /* a model or motion of another program, kept only if options->asset is set */
};

/* All-zero is empty, except `spool`. */
struct unity_package {
	const char *shown; /* the name of the archive in messages, borrowed */
	struct anim_arena arena;
	struct anim_buffer items;     /* struct unity_package_item, in the order of the archive */
	struct anim_map guids, paths; /* -> number of the item, the first of equal paths */
	struct anim_spool spool;
	size_t path_bytes; /* of all paths */
};

static inline size_t unity_package_count(const struct unity_package *package)
{
	return package->items.size / sizeof(struct unity_package_item);
}

static inline const struct unity_package_item *unity_package_at(const struct unity_package *package, size_t number)
{
	return (const struct unity_package_item *)package->items.data + number;
}

/* Return the item with this guid, in either case of letters, or NULL. */
const struct unity_package_item *unity_package_find(const struct unity_package *, const char *guid);

/* Return the part of an item that is read: the import settings of a model, or otherwise the asset itself. */
const struct unity_package_part *unity_package_part_of(const struct unity_package_item *);

/* Return the item with this path, or NULL. */
const struct unity_package_item *unity_package_find_path(const struct unity_package *, const char *path);

/* Return "x.unitypackage:Assets/Dance.anim" in the arena, or NULL if out of memory. */
const char *unity_package_shown(const struct unity_package *, const char *path, struct anim_arena *,
				struct anim_error *);

/* Open a part that is kept. The input borrows the package. Returns 0 or -1. */
int unity_package_open(struct unity_package *, const struct unity_package_part *, const char *shown,
		       const struct anim_input_options *, struct anim_input **, struct anim_error *);

#endif
