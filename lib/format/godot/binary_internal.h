/* binary_internal.h: the state of a binary file that is read. Private to binary*.c. */
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

/* ---- binary_frame.c: the bytes, plain or out of compressed blocks ---- */

/* How the blocks of a file that begins with RSCC are packed. */
enum godot_packing { GODOT_FASTLZ, GODOT_DEFLATE, GODOT_ZSTD, GODOT_GZIP, GODOT_BROTLI };

/* Blocks back to back, each packed by itself: all inflate to block_size bytes but the last, which may be empty. */
struct godot_blocks {
	enum godot_packing packing;
	uint32_t block_size, total;
	size_t count, next;      /* blocks; the number of the one that comes next in the input */
	struct anim_buffer size; /* uint32_t: packed bytes of each */
	struct anim_buffer out;  /* what the window shows */
	void *zstd;              /* the decoder's context, NULL until it is needed */
};

/*
 * A cursor over the bytes: at..end is the window. Offsets count as the file's own do: from its first byte where it is plain,
 * from the first inflated one where it is packed. Without input it is a window over memory that does not move.
 */
struct godot_frame {
	struct anim_input *input;
	struct anim_error *error;
	const uint8_t *window, *at, *end;
	uint64_t offset;             /* of window[0] */
	struct godot_blocks *blocks; /* NULL: plain */
	bool failed;                 /* what lies around the content is damaged, or the input is */
};

/* Reads the magic and, of a packed file, the sizes of its blocks. 0 or -1. */
int godot_frame_open(struct godot_frame *, struct anim_input *, struct anim_error *);
void godot_frame_clear(struct godot_frame *);

static inline uint64_t godot_frame_position(const struct godot_frame *frame)
{
	return frame->offset + (uint64_t)(frame->at - frame->window);
}

/* Bytes behind the cursor; UINT64_MAX where that cannot be told. */
uint64_t godot_frame_left(const struct godot_frame *);

/* Makes `want` bytes visible from the cursor on, unless the content ends before. Returns how many there are, or -1. */
ssize_t godot_frame_more(struct godot_frame *, size_t want);

/* Moves on to an offset at or behind the cursor; blocks in between are not inflated. 1, 0 the content ends before, -1. */
int godot_frame_seek(struct godot_frame *, uint64_t offset);

/* What stands behind the content. */
struct godot_frame_end {
	bool marked; /* the mark that should be there, if any */
	bool more;   /* other bytes */
};

/* Goes to the input's end. 0 or -1. */
int godot_frame_finish(struct godot_frame *, struct godot_frame_end *);

/* ---- A scene: all its nodes are one value of the PackedScene ---- */

struct godot_bundle_node {
	int32_t parent, name; /* as the file has them */
	unsigned depth;
};

/* The value as it lies in the file, and what is known of it. Indices in `nodes` are checked when a node is read. */
struct godot_bundle {
	struct anim_buffer bytes;
	uint64_t offset; /* of bytes[0] in the file */
	struct anim_arena arena;
	struct godot_string *names, *paths; /* of nodes, classes, properties ...; of parents inside instances */
	size_t name_count, path_count;
	struct anim_buffer variants; /* uint64_t: where each begins */
	int32_t *nodes;
	size_t node_ints, node_count, connections;
	int64_t base_scene;       /* -1: none */
	size_t node, at;          /* the next node; the next int */
	size_t property, last;    /* ints of the node's properties that are left */
	struct anim_buffer known; /* struct godot_bundle_node, those so far */
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
	struct godot_string id, class, path, uid; /* id: its number, from 1 on; uid as text, empty: none */
};

struct godot_binary_resource {
	struct godot_string id; /* unique, as sub_resources of text have them */
	uint64_t offset;
};

/* A container that is being walked. */
struct godot_binary_level {
	uint32_t left; /* elements, or pairs */
	bool is_dictionary;
};

struct godot_binary {
	struct godot_frame frame, memory; /* the file; the bundle */
	struct godot_frame *in;           /* which of them is read */
	struct anim_buffer *copy;         /* what is taken is appended to it; NULL: to nothing */
	struct anim_error *error;
	struct godot_lexer *lexer;
	struct anim_arena tables, tag_arena;
	bool big, wide;     /* big endian; reals are doubles */
	bool ended, broken; /* the file is cut; what all of it hangs on is damaged */
	unsigned format;
	uint32_t flags;
	uint64_t metadata; /* offset; 0: none */
	struct godot_string class;
	struct anim_buffer strings, externals,
	    resources;       /* godot_string, godot_binary_external, godot_binary_resource */
	struct anim_map ids; /* of local resources: (0, N of local://N) -> position; (1, id) -> position */
	enum godot_binary_stage stage;
	size_t next;          /* external, resource or connection to come */
	uint32_t properties;  /* of the resource at hand that are left */
	bool inside, pending; /* in a resource; at a value that nobody has taken */
	unsigned depth;
	struct godot_binary_level levels[ANIM_NESTING_GODOT];
	struct anim_arena name;        /* of the property at hand */
	struct anim_buffer text;       /* on its way into an arena */
	struct anim_buffer attributes; /* of the last tag */
	struct anim_buffer values;     /* a stack: elements of the containers that are being read */
	struct godot_bundle bundle;
};

#define GODOT_NAMED_IDS 1u
#define GODOT_UIDS 2u
#define GODOT_DOUBLES 4u
#define GODOT_SCRIPT_CLASS 8u

/* Fails at the cursor. -1. */
int godot_binary_fail(struct godot_binary *, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Takes `size` bytes, borrowed until the next are taken. NULL where the file ends before. */
const uint8_t *godot_binary_take(struct godot_binary *, size_t size);
/* Passes over them. 0 or -1. */
int godot_binary_pass(struct godot_binary *, uint64_t size);

/* Read how many things of at least `size` bytes follow; an error if so many do not fit. 0 or -1. */
int godot_binary_count(struct godot_binary *, unsigned size, const char *what, uint32_t *count);

int godot_binary_u32(struct godot_binary *, uint32_t *);
int godot_binary_u64(struct godot_binary *, uint64_t *);
int godot_binary_string(struct godot_binary *, struct anim_arena *, struct godot_string *);
/* A name of the table, or one that stands here. */
int godot_binary_name(struct godot_binary *, struct anim_arena *, struct godot_string *);

/* The value at the cursor; `nesting` containers are open around it. Without arena it is passed over. 0 or -1. */
int godot_binary_value_read(struct godot_binary *, struct anim_arena *, struct godot_value *, unsigned nesting);
int godot_binary_value_skip(struct godot_binary *, unsigned nesting);

/* Leaves a value that was not taken, and the containers around it. 0 or -1. */
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
