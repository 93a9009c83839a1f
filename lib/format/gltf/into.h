/* into.h: an existing glTF file that clips are put into. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_INTO_H
#define ANIM_FORMAT_GLTF_INTO_H

#include <sys/stat.h>

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
	struct stat info;
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

#endif
