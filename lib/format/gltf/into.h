/* into.h: a glTF file that clips are put into, as it is. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_INTO_H
#define ANIM_FORMAT_GLTF_INTO_H

#include <sys/stat.h>

#include "format/gltf/data.h"
#include "format/gltf/writer.h"

/* A chunk of a GLB: where its bytes lie in the file. */
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
	/* Scope 0: of nodes, by which they are found where one alone has it; GLTF_NONE: several have. 1: of expressions. */
	struct anim_map names;
	struct anim_buffer chunks; /* struct gltf_chunk, behind the JSON */
	struct anim_arena arena;
	struct gltf_data data;    /* the bytes of data URIs, where some may go */
	uint32_t *bound;          /* of each animation of the file the clip that takes its place; GLTF_NONE */
	uint32_t unnamed;         /* of the file the only animation without a name; GLTF_NONE: it has none or several */
	struct anim_buffer added; /* size_t: the clips that are new in the file */
	/* The stream's tree: its nodes, and which of the file's they are. */
	struct anim_rests rests;
	struct anim_buffer numbers; /* uint32_t; GLTF_NONE: the file has none */
	const char *missed;         /* the first node of a track that the file does not have; NULL: none */
};

/* Return whether it has channels and samplers, which alone are replaced; another is replaced as a whole. */
static inline bool gltf_is_animation(const struct gltf_animation *animation)
{
	return animation->channels_text.to != 0 && animation->samplers_text.to != 0;
}

#endif
