/* limits.h: every limit on the sizes that an input can request, in one place. Each has a test. */
#ifndef ANIM_BASE_LIMITS_H
#define ANIM_BASE_LIMITS_H

#include <stdint.h>

#define ANIM_NAME_MAX 65535u        /* bytes of a name (stream `str`) */
#define ANIM_TEXT_MAX (16u << 20)   /* bytes of a text value, an attribute or a string key */
#define ANIM_SAMPLES_MAX (4u << 20) /* samples of one clip, unless its length is trusted: 38 hours at 30 per second */
#define ANIM_ATTRS_MAX 4096u        /* attributes of one record */
#define ANIM_GLTF_BETWEEN_JOINTS_MAX 64u /* nodes between a skin joint and the joint above it */
#define ANIM_GLTF_SKIN_STEPS (1u << 26)  /* nodes that all skins of a glTF file visit, for the paths of Godot */
#define ANIM_GLTF_ZEROS_MAX (1u << 24)   /* elements of a glTF accessor that has no bytes */
/*
 * Keys or output samples of one track, and payload bytes of one record. With a 32-bit size_t, the product of any of
 * them and a value size (at most 128 bytes) still fits.
 */
#if SIZE_MAX > UINT32_MAX
#define ANIM_KEYS_MAX 2147483647u
#define ANIM_RECORD_MAX ((uint64_t)1 << 40)
#else
#define ANIM_KEYS_MAX (1u << 24)
#define ANIM_RECORD_MAX ((uint64_t)1 << 30)
#endif
#define ANIM_NESTING_JSON 64
#define ANIM_NESTING_GODOT 128
#define ANIM_NESTING_YAML 256
#define ANIM_NESTING_BVH 256
#define ANIM_BVH_NAME_MAX 240u   /* bytes of a joint name, so that the deepest path still fits a name of the stream */
#define ANIM_EXTERNAL_DEPTH 8    /* levels of files that refer to other files */
#define ANIM_EXTERNAL_FILES 1024 /* external files opened in one run, in total */
#define ANIM_INSTANCED_NODES_MAX 262144u /* nodes and bones that instanced scenes add in one run, in total */
#define ANIM_FAULTS_SHOWN 20             /* errors of one input that are reported before reading stops */
#define ANIM_LZMA_DICTIONARY_MAX (64u << 20)
#define ANIM_LZ4_CHUNK_MAX (64u << 20) /* inflated bytes of one LZ4 chunk */
/* Limits of AnimX files, unless their sizes are trusted. No clip of an engine is nearly as large. */
#define ANIM_ANIMX_TRACKS_MAX 262144u
/* bytes of a body; above, at most EXPANSION_MAX times its bytes in the file */
#define ANIM_ANIMX_INFLATED_MAX ((uint64_t)64 << 20)
#define ANIM_ANIMX_EXPANSION_MAX 256u
/* Limits of compressed Godot binary files. Their blocks have 4096 bytes each. */
#define ANIM_GODOT_BLOCK_MAX (16u << 20)
#define ANIM_GODOT_BLOCKS_MAX ((1u << 20) + 1)
#define ANIM_GODOT_INFLATED_MAX (64u << 20) /* bytes; above, at most EXPANSION_MAX times the compressed size */
#define ANIM_GODOT_EXPANSION_MAX 256u
/*
 * Limits of FBX files: bytes of all deflated arrays of curves, and above that at most EXPANSION_MAX times their bytes in the
 * file. A key needs 12 of these bytes, and 260 of memory. Its time, which no file repeats, deflates to 60 %.
 */
#define ANIM_FBX_INFLATED_MAX ((uint64_t)16 << 20)
#define ANIM_FBX_EXPANSION_MAX 16u
/*
 * Limits of npz files: arrays, bytes of a header and of a text, and of a deflated array; above, at most EXPANSION_MAX times its
 * bytes in the file.
 */
#define ANIM_NPZ_ARRAYS_MAX 4096u
#define ANIM_NPZ_HEADER_MAX 65535u
#define ANIM_NPZ_TEXT_MAX 65535u
#define ANIM_NPZ_INFLATED_MAX ((uint64_t)64 << 20)
#define ANIM_NPZ_EXPANSION_MAX 256u
#define ANIM_FACE_COLUMNS_MAX 4096u /* numbers per frame of a face */
/* Limits of Unity packages: assets, bytes of all paths, and bytes of the text that is kept in a temporary file. */
#define ANIM_PACKAGE_ASSETS_MAX (1u << 17)
#define ANIM_PACKAGE_PATHS_MAX ((size_t)16 << 20)
#define ANIM_PACKAGE_KEPT_MAX ((uint64_t)64 << 20) /* above, at most EXPANSION_MAX times the bytes of the package */
#define ANIM_PACKAGE_EXPANSION_MAX 256u
#define ANIM_NPZ_NAMES_MAX ((size_t)256 << 20) /* bytes of the array of names, each padded to the longest name */
#define ANIM_GROWTH_SLACK ((size_t)1 << 20)    /* a buffer may hold at most twice the bytes that arrived plus this */

#endif
