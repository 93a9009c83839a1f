/* kind.h: what a file seems to be, by its first bytes: for messages that name it. */
#ifndef ANIM_CLI_KIND_H
#define ANIM_CLI_KIND_H

#include <stddef.h>
#include <stdint.h>

enum cli_kind_of_file {
	CLI_FILE_UNKNOWN,
	CLI_FILE_EMPTY,
	CLI_FILE_STREAM, /* or the beginning of one */
	CLI_FILE_GODOT,
	CLI_FILE_GODOT_BINARY,
	CLI_FILE_ANIMJ,
	CLI_FILE_ANIMX,
	CLI_FILE_UNITY,
	CLI_FILE_GLTF,
	CLI_FILE_FBX,
	CLI_FILE_BVH,
	CLI_FILE_COLLADA,
	CLI_FILE_BLEND,
	CLI_FILE_USD,
	CLI_FILE_JSON,
	CLI_FILE_LINES, /* of anim-emit json */
	CLI_FILE_DUMP,
	CLI_FILE_HTML,
	CLI_FILE_ZIP,
	CLI_FILE_UTF16,
	CLI_FILE_UNITY_BUNDLE,
	CLI_FILE_LFS, /* what Git LFS leaves in the place of a file */
	CLI_FILE_KINDS
};

/* What to say of each. */
struct cli_kind_info {
	const char *name; /* "a Godot scene", with its article where it takes one */
	const char *way;  /* what to do where it is not read; NULL: nothing can be said */
};
extern const struct cli_kind_info cli_kind_infos[CLI_FILE_KINDS];

/* By content alone; a few hundred bytes are enough, more let JSON be told apart. */
enum cli_kind_of_file cli_kind_of(const uint8_t *bytes, size_t size);

#endif
