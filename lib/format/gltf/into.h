/* into.h: an existing glTF file that clips are put into. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_INTO_H
#define ANIM_FORMAT_GLTF_INTO_H

#include "base/edit.h"
#include "base/system.h"
#include "format/gltf/data.h"
#include "format/gltf/writer.h"

/* A chunk of a GLB, and the place of its bytes in the file. */
struct gltf_chunk {
	uint64_t at, size;
	uint32_t type;
};

struct gltf_into {
	struct gltf_writer *writer;
	const char *file;
	struct anim_stat info;
	struct gltf_container container;
	struct gltf_asset asset;
	/*
	 * Scope 0: names of nodes. A name is found only if exactly one node has it (GLTF_NONE: several have it). Scope
	 * 1: names of expressions.
	 */
	struct anim_map names;
	struct anim_buffer chunks; /* struct gltf_chunk, after the JSON */
	struct anim_arena arena;
	struct gltf_data data; /* the bytes of data URIs, of which some may be deleted */
	uint32_t *bound;       /* for each animation of the file the clip that replaces it, or GLTF_NONE */
	/* the only animation of the file without a name, or GLTF_NONE if it has none or several */
	uint32_t unnamed;
	struct anim_buffer added; /* size_t: clips that the file does not have yet */
	/* The stream's nodes, and the corresponding nodes of the file. */
	struct anim_rests rests;
	struct anim_buffer numbers; /* uint32_t, or GLTF_NONE if the file does not have the node */
	const char *missed;         /* the first node of a track that the file does not have, or NULL */
};

/* Return whether the animation has channels and samplers. If so, only these are replaced, otherwise the complete animation. */
static inline bool gltf_is_animation(const struct gltf_animation *animation)
{
	return animation->channels_text.to != 0 && animation->samplers_text.to != 0;
}

/* ---- Edits: pieces of the text that are replaced by others, which may be empty ---- */

enum gltf_edit_kind {
	GLTF_EDIT_TEXT,      /* only `before` */
	GLTF_EDIT_NUMBER,    /* the number `value` */
	GLTF_EDIT_ANIMATION, /* clip `value` */
	GLTF_EDIT_CHANNELS,  /* the channels of clip `value`, as a list */
	GLTF_EDIT_SAMPLERS,
	GLTF_EDIT_EVENTS,
	GLTF_EDIT_ACCESSOR,  /* new accessor number `value` */
	GLTF_EDIT_ACCESSORS, /* new accessors from number `value` on */
	GLTF_EDIT_TRANSFORM, /* translation, rotation and scale instead of the matrix of node `value` */
	GLTF_EDIT_DATA,      /* the numbers as base64 */
	GLTF_EDIT_BUFFER     /* the remaining bytes of buffer `value` */
};

struct gltf_edit {
	struct anim_edit place;
	uint64_t value;
	enum gltf_edit_kind kind;
	const char *before, *after; /* texts before and after it, or NULL */
};

/* How the file is copied. */
struct gltf_edits {
	struct gltf_into *into;
	const struct gltf_edit *items; /* sorted, without overlaps */
	size_t count;
	const struct anim_buffer *cuts; /* struct gltf_span: bytes of the buffers that are not copied */
	bool in_chunk;                  /* the numbers are appended to the BIN chunk of the GLB */
	uint64_t data_at;               /* their offset in their buffer */
};

/* Return the BIN chunk of the file, or NULL. */
static inline const struct gltf_chunk *gltf_into_bin(const struct gltf_into *into)
{
	const struct gltf_chunk *chunk = (const struct gltf_chunk *)(const void *)into->chunks.data;

	return into->chunks.size > 0 && chunk->type == GLTF_CHUNK_BIN ? chunk : NULL;
}

/* Write a copy of the file with its edits. It fails if the file has changed since it was read. Return 0 or -1. */
int gltf_write_copy(const struct gltf_edits *);

#endif
