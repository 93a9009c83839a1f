/* writer.h: what the parts of the glTF writer share. Internal to gltf. */
#ifndef ANIM_FORMAT_GLTF_WRITER_H
#define ANIM_FORMAT_GLTF_WRITER_H

#include "base/map.h"
#include "base/print.h"
#include "clip/caps.h"
#include "clip/rest.h"
#include "format/gltf/asset.h"
#include "format/gltf/gltf.h"
#include "format/write.h"
#include "stream/store.h"

/* ---- Accessors, and the bytes that they are of ---- */

struct gltf_out_accessor {
	uint64_t at;    /* in the data, a multiple of 4; GLTF_OUT_ZEROS: all zeros, without bytes */
	uint32_t count; /* of elements */
	uint16_t component;
	uint8_t lanes;
	bool is_input;   /* times, with `low` and `high` */
	uint32_t like;   /* the input before it of the same hash; GLTF_NONE: there is none */
	float low, high; /* the first and the last time */
};

#define GLTF_OUT_ZEROS UINT64_MAX

/* All-zero but for anim_spool_init is empty. */
struct gltf_out_data {
	struct anim_spool spool;      /* places are offsets in the buffer */
	uint64_t most;                /* bytes at most; 0: any */
	struct anim_buffer accessors; /* struct gltf_out_accessor */
	struct anim_map inputs;       /* the last one of each hash of times */
};

static inline size_t gltf_out_count(const struct gltf_out_data *data)
{
	return data->accessors.size / sizeof(struct gltf_out_accessor);
}

/* ---- writer_nodes.c: the nodes of the file ---- */

struct gltf_out_node {
	const char *name;     /* NULL: none */
	const char *human;    /* the bone of a human that VRM knows it as; NULL: none */
	bool has_look_offset; /* of the gaze */
	float look_offset[3];
	uint32_t parent, first, last, next; /* numbers of nodes; GLTF_NONE */
	uint8_t kind, has;
	bool shows, hidden;                 /* its visibility is told; it is not seen */
	uint32_t targets;                   /* of its mesh: how many weights are animated */
	uint32_t first_target, last_target; /* of them, numbers in the writer's list */
	const float *weights;               /* of the targets where nothing moves them; NULL: 0 */
	float position[3], rotation[4], scale[3];
};

/* All-zero is empty. */
struct gltf_out_nodes {
	struct anim_rests rests; /* finds the nodes by their paths; one for each */
	struct anim_buffer items;
	bool show; /* some are told to be seen or not */
	struct anim_arena arena;
	uint32_t passed;       /* 1 + the number of a root that is not written, its children being roots; 0: none */
	const char *root_name; /* of the tree at hand */
	struct anim_buffer numbers; /* uint32_t: of the nodes of the tree at hand */
};

static inline size_t gltf_out_nodes_count(const struct gltf_out_nodes *nodes)
{
	return nodes->items.size / sizeof(struct gltf_out_node);
}

static inline struct gltf_out_node *gltf_out_nodes_at(const struct gltf_out_nodes *nodes, size_t number)
{
	return (struct gltf_out_node *)(void *)nodes->items.data + number;
}

/* Return the node's number in the file. */
static inline uint32_t gltf_out_nodes_number(const struct gltf_out_nodes *nodes, uint32_t node)
{
	return node - (nodes->passed != 0 && node >= nodes->passed ? 1 : 0);
}

int gltf_out_nodes_tree(struct gltf_out_nodes *, const struct anim_tree *, struct anim_error *);
int gltf_out_nodes_add(struct gltf_out_nodes *, const struct anim_node *, struct anim_error *);

/* The node that a track of a clip drives, made where there is none. 1, 0: its path leaves the tree, -1. */
int gltf_out_nodes_find(struct gltf_out_nodes *, const struct anim_clip *, const struct anim_track *, uint32_t *,
			struct anim_error *);

/* A node of that name below the root, made for what has no other. 0 or -1. */
int gltf_out_nodes_make(struct gltf_out_nodes *, const char *name, uint32_t *, struct anim_error *);

/* Add a root if there is no node, or if a single node without a parent is not the root. Return 0 or -1. */
int gltf_out_nodes_settle(struct gltf_out_nodes *, struct anim_error *);

void gltf_out_nodes_clear(struct gltf_out_nodes *);

/* ---- The writer ---- */

#define GLTF_GLB_MAX UINT32_MAX /* bytes of a .glb */

enum gltf_form { GLTF_TEXT, GLTF_BINARY, GLTF_VRMA };

struct gltf_out_channel {
	uint32_t clip, node;
	uint32_t next;          /* the clip's next channel; GLTF_NONE: it is the last */
	uint32_t input, output; /* accessors */
	const char *pointer;    /* of GLTF_POINTER; NULL: the visibility of the node */
	uint8_t path, mode;     /* mode: ANIM_HOLD, ANIM_LINEAR, ANIM_HERMITE */
	/* Text of the channel whose place it takes, as gltf_into_bind finds it; NULL: none. Members begin with a comma. */
	const char *kept_target, *kept_members, *kept_sampler_members;
};

struct gltf_out_clip {
	const char *name;
	float start_s, end_s; /* as the stream has them */
	size_t channels;      /* so many, weights too */
	uint32_t first, last; /* of them; GLTF_NONE: there are none */
	bool ended;           /* a channel lasts to its end */
	bool events;          /* there are some */
	bool unnamed;         /* it had no name in the file that it came from */
	const struct anim_scope *scope;
};

struct gltf_writer {
	struct anim_sink sink;
	struct anim_write_options options;
	enum gltf_form form;
	struct anim_output *out;
	struct anim_error *error; /* of the call at hand */
	struct gltf_out_nodes nodes;
	struct gltf_out_data data;
	struct anim_buffer clips;        /* struct gltf_out_clip */
	struct anim_buffer channels;     /* struct gltf_out_channel; those of weights are made at the end */
	struct anim_store *later;        /* tracks of weights and of events, by clip */
	struct anim_map targets;         /* (node, name of a blend shape) -> number of the target */
	struct anim_buffer target_names; /* struct gltf_out_target */
	struct anim_buffer expressions;  /* struct gltf_expression */
	struct gltf_into *into;          /* NULL: a file of its own */
	struct anim_buffer slots;        /* uint32_t: numbers of the first accessors that are written */
	uint32_t first_accessor, view;   /* number of the first accessor behind those, of the view */
	struct anim_text_set driven;     /* what has a channel */
	uint32_t zeros;                  /* the accessor of meshes' vertices; GLTF_NONE */
	bool points;                     /* KHR_animation_pointer is used */

	/* The clip at hand. */
	struct anim_clip clip;
	bool in_clip, is_human;
	bool has_muscles; /* curves of Unity's humanoid came */
	/* The track that ends last so far where none lasts to the clip's end: it gets a key there. */
	struct anim_track held;
	size_t held_channel;
	float held_last;
	bool holds;
	struct anim_arena clip_arena, held_arena, scratch, kept;
};

/* Of a human's face: the node that tells its weight. */
struct gltf_expression {
	const char *name;
	uint32_t node;
};

struct gltf_out_target {
	uint32_t node, number;
	uint32_t next; /* of the same node; GLTF_NONE: it is the last */
	const char *name;
};

static inline struct gltf_out_clip *gltf_writer_clip(const struct gltf_writer *writer, size_t number)
{
	return (struct gltf_out_clip *)(void *)writer->clips.data + number;
}

static inline struct gltf_out_channel *gltf_writer_channel(const struct gltf_writer *writer, size_t number)
{
	return (struct gltf_out_channel *)(void *)writer->channels.data + number;
}

/* ---- writer_print.c: the document, and the data with it ---- */

/* A document may be printed twice, where its size comes first: once to be counted. */
struct gltf_document {
	struct gltf_writer *writer;
	struct anim_output *out; /* NULL: it is counted */
	struct anim_buffer text; /* not yet passed on; to be cleared */
	struct anim_print print;
	uint64_t size;
	const char *list; /* a member that gets a list if an element comes; NULL: none */
	bool some;        /* the object at hand has a member, the list an element */
	bool stands;      /* the first element stands where it is, not on a line of its own */
};

/* Keeps the memory of one that was printed before. */
void gltf_document_begin(struct gltf_document *, struct gltf_writer *, struct anim_output *);
/* Passes on, or counts, what was printed. 0 or -1. */
int gltf_document_flush(struct gltf_document *);

/* Members of a node, with a comma before those that are not its first: the translation, and what else turns or scales it. */
void gltf_print_transform(struct gltf_document *, bool first, const float position[3], const float rotation[4],
			  const float scale[3]);

/* Of a clip that has channels: the animation as an element of a list; its channels, samplers and events as lists. 0 or -1. */
int gltf_print_animation(struct gltf_document *, size_t clip);
void gltf_print_channels(struct gltf_document *, size_t clip);
void gltf_print_samplers(struct gltf_document *, size_t clip);
int gltf_print_events(struct gltf_document *, size_t clip);

/* Print accessors from `first` on, as elements of a list. */
void gltf_print_accessors(struct gltf_document *, size_t first, size_t end);

/*
 * Write the head of a GLB and its JSON, which is printed twice, first to be counted. `chunks`: bytes of what follows. Return 0
 * or -1.
 */
int gltf_put_json(struct gltf_document *, int (*print)(struct gltf_document *, void *), void *with, uint64_t chunks);
int gltf_put_chunk(struct gltf_writer *, uint32_t type, uint64_t size);

/* Write the numbers, as they are or as base64. Return 0 or -1. */
int gltf_put_data(struct gltf_writer *, struct anim_output *);
int gltf_put_base64(struct gltf_writer *);

/* Bytes as base64, to be begun with the writer alone: what lies together need not be a multiple of three. 0 or -1. */
struct gltf_base64 {
	struct gltf_writer *writer;
	uint8_t waits[3];
	char text[4096];
	size_t waiting, used;
};
int gltf_base64_put(struct gltf_base64 *, const uint8_t *, size_t size);
int gltf_base64_end(struct gltf_base64 *);
#define GLTF_DATA_URI "data:application/octet-stream;base64,"

/* The whole file. 0 or -1. */
int gltf_write(struct gltf_writer *);

/* ---- into.c, into_write.c: clips put into an existing file ---- */

struct gltf_into;

/* Reads the file, whose nodes become the writer's. NULL on error. */
struct gltf_into *gltf_into_new(struct gltf_writer *, struct anim_error *);
void gltf_into_free(struct gltf_into *);

/* The stream's tree, whose nodes are found among the file's. 0 or -1. */
void gltf_into_tree(struct gltf_into *);
int gltf_into_node(struct gltf_into *, const struct anim_node *, struct anim_error *);

/* The file's node that a track of a clip drives. 1, 0: it has none, -1. */
int gltf_into_find(struct gltf_into *, const struct anim_clip *, const struct anim_track *, uint32_t *,
		   struct anim_error *);

/* The file's node whose place is the weight of an expression of VRMC_vrm_animation. False: it has none of that name. */
bool gltf_into_expression(const struct gltf_into *, const char *name, uint32_t *node);

/* Whether the file says that it uses an extension. */
bool gltf_into_uses(const struct gltf_into *, const char *extension);

/* The number of a blend shape among those of the node's mesh; GLTF_NONE: it has none of the name. */
uint32_t gltf_into_target(const struct gltf_into *, uint32_t node, const char *name);

/* The file with the clips in it. 0 or -1. */
int gltf_into_write(struct gltf_into *);

/*
 * Find for each clip the animation of the file whose place it takes, and what of that stays; warn of what cannot, and note what
 * is new. To be called before warnings are counted. Return 0 or -1.
 */
int gltf_into_bind(struct gltf_into *);

/* ---- writer_nodes.c: what only a .vrma has ---- */

/* Adds an expression, once. 0 or -1. */
int gltf_human_expression(struct gltf_writer *, const char *name, uint32_t node);
/* Refuses a tree without the bones that VRM demands. 0 or -1. */
int gltf_human_check(struct gltf_writer *);
/* The object of the extension. */
void gltf_human_print(const struct gltf_writer *, struct anim_print *);

#endif
