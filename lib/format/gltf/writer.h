/* writer.h: the shared declarations of the glTF writer. Private to this folder. */
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

/* ---- Accessors and their bytes ---- */

struct gltf_out_accessor {
	uint64_t at;    /* offset in the data, a multiple of 4 (GLTF_OUT_ZEROS: all zeros, without bytes) */
	uint32_t count; /* number of elements */
	uint16_t component;
	uint8_t components;
	bool is_input;   /* it holds times, from `low` to `high` */
	uint32_t like;   /* the previous input with the same hash, or GLTF_NONE */
	float low, high; /* the first and the last time */
};

#define GLTF_OUT_ZEROS UINT64_MAX

/* All-zero after anim_spool_init is empty. */
struct gltf_out_data {
	struct anim_spool spool;      /* places are offsets in the buffer */
	uint64_t most;                /* maximum number of bytes (0: no limit) */
	struct anim_buffer accessors; /* struct gltf_out_accessor */
	struct anim_map inputs;       /* hash of times -> the last input that has it */
	bool has_input;
	uint32_t input; /* the last one that was used, if there is one */
};

static inline size_t gltf_out_count(const struct gltf_out_data *data)
{
	return data->accessors.size / sizeof(struct gltf_out_accessor);
}

/* ---- writer_nodes.c: the nodes of the file ---- */

struct gltf_out_node {
	const char *name;     /* or NULL */
	const char *human;    /* its VRM bone of a human, or NULL */
	bool is_noted;        /* it is in the writer's list of expressions */
	bool has_look_offset; /* it is the node of the gaze and has this offset */
	float look_offset[3];
	uint32_t parent, first, last, next; /* numbers of nodes, or GLTF_NONE */
	uint8_t kind, has;
	bool shows, hidden;                 /* shows: write its visibility, hidden: it is invisible */
	uint32_t targets;                   /* number of animated weights of its mesh */
	uint32_t first_target, last_target; /* numbers in the writer's list of targets */
	const float *weights;               /* weights of the targets without animation, or NULL for 0 */
	float position[3], rotation[4], scale[3];
	uint32_t camera; /* 1 + its number, or 0 */
	float yfov;      /* of the camera, in radians */
};

/* All-zero is empty. */
struct gltf_out_nodes {
	struct anim_rests rests; /* one rest pose for each node, to find nodes by their paths */
	struct anim_buffer items;
	bool show;                  /* some nodes have a visibility */
	struct anim_buffer cameras; /* uint32_t: their nodes */
	struct anim_arena arena;
	/* 1 + the number of a root that is not written, so that its children become roots (0: none) */
	uint32_t passed;
	const char *root_name;       /* of the current tree */
	struct anim_buffer numbers;  /* uint32_t: the nodes of the current tree */
	struct anim_map expressions; /* name -> node */
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

/* Find the node that a track of a clip drives, or make it. Return 1, 0 if its path leaves the tree, or -1. */
int gltf_out_nodes_find(struct gltf_out_nodes *, const struct anim_clip *, const struct anim_track *, uint32_t *,
			struct anim_error *);

/* Find the node of an expression, or make it below the root. No track has it as its own node. Return 0 or -1. */
int gltf_out_nodes_expression(struct gltf_out_nodes *, const char *name, uint32_t *, struct anim_error *);

/* Add a root if there is no node, or if a single node without a parent is not the root. Return 0 or -1. */
int gltf_out_nodes_add_root(struct gltf_out_nodes *, struct anim_error *);

void gltf_out_nodes_clear(struct gltf_out_nodes *);

/* ---- The writer ---- */

#define GLTF_GLB_MAX UINT32_MAX /* maximum bytes of a .glb */

enum gltf_form { GLTF_TEXT, GLTF_BINARY, GLTF_VRMA };

struct gltf_out_channel {
	uint32_t clip, node;
	uint32_t next;          /* the next channel of the clip, or GLTF_NONE */
	uint32_t input, output; /* accessors */
	const char *pointer;    /* for GLTF_POINTER, or NULL for the visibility of the node */
	uint8_t path, mode;     /* mode: ANIM_HOLD, ANIM_LINEAR, ANIM_HERMITE */
	/*
	 * Text of the channel that this one replaces, as gltf_into_bind finds it, or NULL. It begins with a comma for
	 * members.
	 */
	const char *kept_target, *kept_members, *kept_sampler_members;
};

struct gltf_out_clip {
	const char *name;
	float start_s, end_s; /* times in the stream */
	size_t channels;      /* number of channels, including weights */
	uint32_t first, last; /* first and last channel, or GLTF_NONE */
	bool ended;           /* one of its channels lasts to its end */
	bool events;          /* it has events */
	bool unnamed;         /* it had no name in its file */
	const struct anim_scope *scope;
};

struct gltf_writer {
	struct anim_sink sink;
	struct anim_write_options options;
	enum gltf_form form;
	struct anim_output *out;
	struct anim_error *error; /* of the current call */
	struct gltf_out_nodes nodes;
	struct gltf_out_data data;
	struct anim_buffer clips;        /* struct gltf_out_clip */
	struct anim_buffer channels;     /* struct gltf_out_channel (the channels of weights are made at the end) */
	struct anim_store *later;        /* tracks of weights and events, by clip */
	struct anim_map targets;         /* (node, name of a blend shape) -> number of its target */
	struct anim_buffer target_names; /* struct gltf_out_target */
	struct anim_buffer expressions;  /* struct gltf_expression */
	struct gltf_into *into;          /* or NULL if a new file is written */
	/* uint32_t: numbers of the first accessors, which are reused from deleted accessors */
	struct anim_buffer slots;
	uint32_t first_accessor, view; /* number of the first of the other accessors, and of the view */
	struct anim_text_set driven;   /* the properties that already have a channel */
	uint32_t zeros;                /* the accessor of the vertices of meshes, or GLTF_NONE */
	bool points;                   /* KHR_animation_pointer is used */

	/* The current clip. */
	struct anim_clip clip;
	bool in_clip, is_human;
	bool has_muscles;    /* there were muscle curves of Unity's humanoid */
	bool has_transforms; /* some track moves, rotates or scales a node */
	/* The track that ends last so far, while no track lasts to the end of the clip. It gets an additional key there. */
	struct anim_track held;
	size_t held_channel;
	float held_last;
	bool holds;
	struct anim_arena clip_arena, held_arena, scratch, kept;
};

/* An expression of a human's face, and the node whose position is its weight. */
struct gltf_expression {
	const char *name;
	uint32_t node;
};

struct gltf_out_target {
	uint32_t node, number;
	uint32_t next; /* of the same node, or GLTF_NONE */
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

/* ---- writer_print.c: the document and its data ---- */

#define GLTF_DATA_URI "data:application/octet-stream;base64,"

/* Write the complete file. Return 0 or -1. */
int gltf_write(struct gltf_writer *);

/* ---- into.c, into_write.c: clips put into an existing file ---- */

struct gltf_into;

/* Read the file, whose nodes become the writer's nodes. Return NULL on error. */
struct gltf_into *gltf_into_new(struct gltf_writer *, struct anim_error *);
void gltf_into_free(struct gltf_into *);

/* Begin the tree of the stream, and find each of its nodes among the nodes of the file. gltf_into_node returns 0 or -1. */
void gltf_into_tree(struct gltf_into *);
int gltf_into_node(struct gltf_into *, const struct anim_node *, struct anim_error *);

/* Find the file's node that a track of a clip drives. Return 1, 0 if it has none, or -1. */
int gltf_into_find(struct gltf_into *, const struct anim_clip *, const struct anim_track *, uint32_t *,
		   struct anim_error *);

/*
 * Find the file's node whose position is the weight of an expression of VRMC_vrm_animation. Return false if it does not
 * exist.
 */
bool gltf_into_expression(const struct gltf_into *, const char *name, uint32_t *node);

/* Return whether the file declares that it uses an extension. */
bool gltf_into_uses(const struct gltf_into *, const char *extension);

/* Return the number of a blend shape in the node's mesh, or GLTF_NONE. */
uint32_t gltf_into_target(const struct gltf_into *, uint32_t node, const char *name);

/* Write the file with the clips in it. Return 0 or -1. */
int gltf_into_write(struct gltf_into *);

/*
 * Find for each clip the animation of the file that it replaces, and the text of it that is kept. Warn of text that is
 * lost, and note new clips. It must be called before warnings are counted. Return 0 or -1.
 */
int gltf_into_bind(struct gltf_into *);

/* ---- writer_nodes.c: the parts of a .vrma only ---- */

/* Fail if the tree does not have the bones that VRM requires. Return 0 or -1. */
int gltf_human_check(struct gltf_writer *);
/* Print the object of the extension. */
void gltf_human_print(const struct gltf_writer *, struct anim_print *);

#endif
