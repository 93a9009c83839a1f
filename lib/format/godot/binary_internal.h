/* binary_internal.h: the state of a binary file during reading. Private to binary*.c. */
#ifndef ANIM_FORMAT_GODOT_BINARY_INTERNAL_H
#define ANIM_FORMAT_GODOT_BINARY_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/input.h"
#include "base/limits.h"
#include "base/map.h"
#include "format/godot/binary.h"
#include "format/godot/text_internal.h"

/* ---- binary_frame.c: the bytes, plain or from compressed blocks ---- */

/* Compression method of the blocks in a file that begins with RSCC. */
enum godot_packing { GODOT_FASTLZ, GODOT_DEFLATE, GODOT_ZSTD, GODOT_GZIP, GODOT_BROTLI };

/*
 * Consecutive blocks, each compressed separately. All blocks decompress to block_size bytes except the last, which may
 * be empty.
 */
struct godot_blocks {
	enum godot_packing packing;
	uint32_t block_size, total;
	size_t count, next;      /* number of blocks; number of the next block in the input */
	struct anim_buffer size; /* uint32_t: compressed bytes of each block */
	struct anim_buffer out;  /* the bytes in the window */
	void *zstd;              /* the context of the decoder, NULL until it is needed */
};

/*
 * A cursor over the bytes. The window is at..end. Offsets count from the first byte of a plain file, or from the first
 * decompressed byte of a compressed file. Without an input, it is a window over memory that does not move.
 */
struct godot_frame {
	struct anim_input *input;
	struct anim_error *error;
	const uint8_t *window, *at, *end;
	uint64_t offset;             /* of window[0] */
	struct godot_blocks *blocks; /* NULL for a plain file */
	bool failed;                 /* the framing of the content or the input is damaged */
};

/* Read the magic number and, if the file is compressed, the sizes of its blocks. Returns 0 or -1. */
int godot_frame_open(struct godot_frame *, struct anim_input *, struct anim_error *);
void godot_frame_clear(struct godot_frame *);

static inline uint64_t godot_frame_position(const struct godot_frame *frame)
{
	return frame->offset + (uint64_t)(frame->at - frame->window);
}

/* Return the number of bytes after the cursor, or UINT64_MAX if it is unknown. */
uint64_t godot_frame_left(const struct godot_frame *);

/*
 * Make `want` bytes from the cursor on available, unless the content ends earlier. Returns the number of available
 * bytes, or -1.
 */
ssize_t godot_frame_more(struct godot_frame *, size_t want);

/* The end of a file, after the content. */
struct godot_frame_end {
	bool marked; /* the end mark is present, if the format has one */
	bool more;   /* other bytes follow */
};

/* Move to the end of the input. Returns 0 or -1. */
int godot_frame_finish(struct godot_frame *, struct godot_frame_end *);

static inline uint32_t godot_read_u32(const uint8_t *at, bool big)
{
	if (big)
		return (uint32_t)at[3] | (uint32_t)at[2] << 8 | (uint32_t)at[1] << 16 | (uint32_t)at[0] << 24;
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t godot_read_u64(const uint8_t *at, bool big)
{
	uint64_t first = godot_read_u32(at, big), second = godot_read_u32(at + 4, big);

	return big ? first << 32 | second : second << 32 | first;
}

/* ---- A scene: one value of the PackedScene holds all its nodes ---- */

struct godot_bundle_node {
	int32_t parent, name; /* as in the file */
	unsigned depth;
};

/* The value as stored in the file, and its decoded parts. Indices in `nodes` are checked when a node is read. */
struct godot_bundle {
	struct anim_buffer bytes;
	uint64_t offset; /* of bytes[0] in the file */
	struct anim_arena arena;
	/* names of nodes, classes, properties and so on; paths of parents inside instances */
	struct godot_string *names, *paths;
	size_t name_count, path_count;
	struct anim_buffer variants; /* uint64_t: start of each value */
	int32_t *nodes;
	size_t node_ints, node_count, connections;
	int64_t base_scene;       /* -1 means no base scene */
	size_t node, at;          /* number of the next node; index of the next int */
	size_t property, last;    /* numbers of the remaining ints of the properties of the node */
	struct anim_buffer known; /* struct godot_bundle_node, for the nodes read so far */
	struct anim_buffer path;
};

/* ---- The file ---- */

enum godot_binary_stage {
	GODOT_STAGE_HEAD,
	GODOT_STAGE_EXTERNALS,
	GODOT_STAGE_RESOURCES,
	GODOT_STAGE_NODES,
	GODOT_STAGE_CONNECTIONS,
	GODOT_STAGE_END
};

struct godot_binary_external {
	/* id: its number, counted from 1; uid as text, or empty */
	struct godot_string id, class, path, uid;
};

struct godot_binary_resource {
	struct godot_string id; /* unique, like the ids of sub_resources in a text file */
	uint64_t offset;
};

/* A container that is being read element by element. */
struct godot_binary_level {
	uint32_t left; /* remaining elements or pairs */
	bool is_dictionary;
};

struct godot_binary {
	struct godot_frame frame, memory; /* the file; the bundle */
	struct godot_frame *in;           /* the one of both that is being read */
	struct anim_buffer *copy;         /* consumed bytes are appended to it, if it is not NULL */
	struct anim_error *error;
	struct godot_lexer *lexer;
	struct anim_arena tables, tag_arena;
	bool big, wide;     /* big endian; reals are doubles */
	bool ended, broken; /* the file is truncated; a part that everything depends on is damaged */
	unsigned format;
	uint32_t flags;
	uint64_t metadata; /* offset, or 0 */
	struct godot_string class;
	/* arrays of struct godot_string, struct godot_binary_external, struct godot_binary_resource */
	struct anim_buffer strings, externals, resources;
	struct anim_map ids; /* of local resources: (0, N of local://N) -> position; (1, id) -> position */
	enum godot_binary_stage stage;
	size_t next;          /* the next external, resource or connection */
	uint32_t properties;  /* remaining properties of the current resource */
	bool inside, pending; /* inside a resource; at a value that has not been read */
	unsigned depth;
	struct godot_binary_level levels[ANIM_NESTING_GODOT];
	struct anim_arena name;        /* of the current property */
	struct anim_buffer text;       /* temporary: a text before it is copied to an arena */
	struct anim_buffer attributes; /* of the last tag */
	struct anim_buffer values;     /* a stack: elements of the containers being read */
	struct godot_bundle bundle;
};

#define GODOT_NAMED_IDS 1u
#define GODOT_UIDS 2u
#define GODOT_DOUBLES 4u
#define GODOT_SCRIPT_CLASS 8u

/* ---- binary_frame.c: bytes and numbers from the cursor on ---- */

/* Set an error at the cursor. Returns -1. */
int godot_binary_fail(struct godot_binary *, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Consume `size` bytes. They stay valid until the next bytes are consumed. Returns NULL if the file ends earlier. */
const uint8_t *godot_binary_bytes(struct godot_binary *, size_t size);
/* Skip `size` bytes. Returns 0 or -1. */
int godot_binary_pass(struct godot_binary *, uint64_t size);

/* Return 0, or -1 with an error if `count` items of at least `size` bytes do not fit into the file. */
int godot_binary_fits(struct godot_binary *, uint64_t count, unsigned size, const char *what);

/* Read the number of items that follow, which must fit. Returns 0 or -1. */
int godot_binary_count(struct godot_binary *, unsigned size, const char *what, uint32_t *count);

int godot_binary_u32(struct godot_binary *, uint32_t *);

/* ---- binary_value.c: texts and values ---- */

int godot_binary_string(struct godot_binary *, struct anim_arena *, struct godot_string *);
/* Read a name: a number in the table of strings, or the text itself. */
int godot_binary_name(struct godot_binary *, struct anim_arena *, struct godot_string *);

/*
 * Read the value at the cursor. `nesting` containers are open around it. Without an arena, the value is skipped.
 * Returns 0 or -1.
 */
int godot_binary_value_read(struct godot_binary *, struct anim_arena *, struct godot_value *, unsigned nesting);
int godot_binary_value_skip(struct godot_binary *, unsigned nesting);

/* Skip a value that was not read, and leave the containers around it. Returns 0 or -1. */
int godot_binary_leave_value(struct godot_binary *);

static inline struct godot_string *godot_binary_strings(const struct godot_binary *binary, size_t *count)
{
	*count = binary->strings.size / sizeof(struct godot_string);
	return (struct godot_string *)(void *)binary->strings.data;
}

static inline struct godot_binary_external *godot_binary_externals(const struct godot_binary *binary, size_t *count)
{
	*count = binary->externals.size / sizeof(struct godot_binary_external);
	return (struct godot_binary_external *)(void *)binary->externals.data;
}

static inline struct godot_binary_resource *godot_binary_resources(const struct godot_binary *binary, size_t *count)
{
	*count = binary->resources.size / sizeof(struct godot_binary_resource);
	return (struct godot_binary_resource *)(void *)binary->resources.data;
}

#endif
