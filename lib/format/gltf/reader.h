/* reader.h: one file while it is read. Private to this folder. */
#ifndef ANIM_FORMAT_GLTF_READER_H
#define ANIM_FORMAT_GLTF_READER_H

#include "base/path.h"
#include "format/gltf/accessor.h"
#include "format/gltf/container.h"
#include "format/gltf/gltf.h"
#include "format/gltf/tree.h"

/* What a channel drives. */
enum gltf_goal {
	GLTF_GOAL_NONE,   /* nothing that is kept: `why` */
	GLTF_GOAL_WHOLE,  /* a property of `type`; 1 to 4 floats where `lanes` is 0 */
	GLTF_GOAL_SHAPES, /* all weights of a node's mesh */
	GLTF_GOAL_SHAPE,  /* weight `shape` of it */
	GLTF_GOAL_FACE,   /* the first lane, an expression of a VRM animation */
	GLTF_GOAL_FLAG,   /* a bool */
	GLTF_GOAL_FOV     /* an angle in radians, degrees in the stream */
};
struct gltf_target {
	enum gltf_goal goal;
	uint32_t node;        /* GLTF_NONE: the file as a whole, "." */
	const char *property; /* NULL: by the morph target, or by the name of the expression */
	enum anim_type type;
	unsigned lanes; /* of the values; 0: any */
	uint32_t shape;
	const char *why; /* static: "channels without a node are left out" */
};

/* What is known of an accessor of times. */
struct gltf_times {
	float last_s; /* the largest */
	bool known, unsorted;
};

struct gltf_reader {
	struct anim_input *input;
	const struct anim_read_options *options;
	struct anim_error *error;
	const char *file, *base_name; /* of the source */
	struct gltf_container container;
	struct gltf_asset asset;
	struct gltf_tree tree;
	struct gltf_data data;
	struct anim_location location; /* NULLs for a pipe */
	struct anim_arena arena;       /* of the run */
	bool has_bin;                  /* a BIN chunk came */
	bool *left_out;                /* animations at fault, under keep_going */
	struct gltf_times *times;      /* by accessor */
	/* The channel at hand. */
	struct anim_sink *sink;        /* where its clip goes */
	struct anim_arena names;       /* of its clip */
	struct anim_map driven;        /* (node, property) of its clip */
	uint32_t time_accessor;        /* whose times `time` holds; GLTF_NONE */
	struct anim_buffer time;       /* float */
	struct anim_buffer columns[3]; /* value, left, right */
	struct anim_buffer piece;
};

/* A warning about the file; `many` as anim_diagnostics_add has it. 0 or -1. */
int gltf_warn(struct gltf_reader *, const char *many, const char *one, ...) __attribute__((format(printf, 3, 4)));

/* reader_bind.c: the rests of joints by their skins: asks for the matrices; takes them, once they came. 0 or -1. */
int gltf_bind_want(struct gltf_reader *);
int gltf_bind_set(struct gltf_reader *);

/* reader_target.c: what a channel drives; a node or sampler that is not there is an error. 0 or -1. */
int gltf_target_find(struct gltf_reader *, const struct gltf_channel *, struct gltf_target *);

/* reader_clip.c: writes an animation and all its tracks. 0 or -1. */
int gltf_clip_write(struct gltf_reader *, uint32_t number, const char *name, struct anim_sink *);
/* Does it to the sampler of every channel that is kept. 0, or -1 with the channel that is at fault in front. */
typedef int gltf_sampler_act(struct gltf_reader *, const struct gltf_sampler *, void *with);
int gltf_for_channels(struct gltf_reader *, uint32_t number, gltf_sampler_act *act, void *with);

#endif
