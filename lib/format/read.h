/* read.h: the options that every reader gets. */
#ifndef ANIM_FORMAT_READ_H
#define ANIM_FORMAT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/input.h"
#include "base/map.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

/* The half of an AnimX Curve key that comes first. ANY: the file decides. */
enum anim_key_order { ANIM_KEY_ORDER_ANY, ANIM_KEY_ORDER_TIME_VALUE, ANIM_KEY_ORDER_VALUE_TIME };

/* The axis that points up. ANY: the file decides. */
enum anim_read_up { ANIM_READ_UP_ANY, ANIM_READ_UP_Y, ANIM_READ_UP_Z };

/* The meaning of numbers, which files do not say. 0: their values decide. */
enum anim_read_as {
	/* npz: numbers of joints */
	ANIM_AS_POSITIONS = 1 << 0,
	ANIM_AS_ROTATIONS = 1 << 1,
	ANIM_AS_WXYZ = 1 << 2,
	ANIM_AS_XYZW = 1 << 3,
	ANIM_AS_6D_ROWS = 1 << 4,
	ANIM_AS_6D_COLUMNS = 1 << 5,
	ANIM_AS_6D_PAIRS = 1 << 6,
	/* faces: weights and times */
	ANIM_AS_PERCENT = 1 << 7,
	ANIM_AS_WEIGHTS = 1 << 8,
	ANIM_AS_SECONDS = 1 << 9,
	ANIM_AS_MILLISECONDS = 1 << 10,
};

/* Read words such as "positions" or "percent,seconds" into a set of anim_read_as. Return false for another text. */
bool anim_read_as_parse(const char *text, unsigned *set);
#define ANIM_READ_AS_WORDS \
	"positions, rotations, wxyz, xyzw, 6d-rows, 6d-columns, 6d-pairs, percent, weights, seconds, milliseconds"

struct anim_read_options;

/* Files of other programs that an archive may hold. */
struct anim_read_other {
	bool (*is)(const uint8_t *bytes, size_t size);
	int (*read)(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);
};

/* Memory that a reader keeps for the next file, such as the index of a project. All-zero is empty. */
struct anim_read_kept {
	void *what;
	void (*free)(void *what);
};
void anim_read_kept_clear(struct anim_read_kept *);

/* The options of a reader. All members 0, except `diagnostics`, are the defaults. */
struct anim_read_options {
	/* bytes of memory for finished clips, before they are moved to a file (0: always use a file) */
	size_t store_memory;
	/* base name of the source (TREE, clip names), or NULL for the name of the input, which a pipe does not have */
	const char *source_name;
	bool no_external; /* do not follow references to other files */
	bool outline; /* only the tree and the names of clips and tracks are needed: a reader may leave out the rest */
	enum anim_key_order key_order;
	/* accept a size far above any usual clip, or above the one that the compressed file announces */
	bool trust_size;
	bool keep_going;                      /* leave out clips with errors instead of failing */
	struct anim_diagnostics *diagnostics; /* for errors, warnings and notes (required) */
	/* Called with every other file that is opened. May be NULL. Returns 0 or -1. */
	int (*opened)(void *context, const char *path, struct anim_error *);
	void *opened_context;
	struct anim_read_kept *kept;                    /* for several files, one after the other, or NULL */
	const struct anim_input_options *input_options; /* for other files, or NULL for the defaults */
	const char *asf; /* AMC: the file of the skeleton, or NULL for the one beside the motion */
	/* VMD: the file of the model, or NULL for the only one beside the motion. VMC: the VRM model of the sender, or NULL. */
	const char *model;
	const char *asset; /* Unity packages: read the assets whose path matches this glob, or NULL for all clips */
	/*
	 * Unity: create a filter in front of `next` (owned, also freed on failure) that converts clips of bones to clips of
	 * muscles, for clips of humans in models. NULL: they keep their bones. Returns NULL on failure.
	 */
	struct anim_sink *(*muscles)(const struct anim_read_options *, struct anim_sink *next, struct anim_error *);
	bool states;      /* Unity: a state of a controller is a clip of its own, with its speed and other settings */
	bool bind_rests;  /* FBX, glTF: the rest poses of joints are their bind poses, not their nodes' transforms */
	bool keep_root;   /* glTF: the scene is the root of the tree, also if it has one node at the top */
	bool godot_paths; /* FBX, glTF: arrange and name the nodes as Godot's importer does (not in a .vrma) */
	/* Unity packages, and models of VMC: other files, or NULL if no other formats are known */
	const struct anim_read_other *other;
	/* Facts that a BVH file does not contain. */
	struct {
		const char *unit; /* as anim_bvh_unit reads it, to convert values to metres, or NULL to keep them */
		/*
		 * The program's name for the option of the unit, for a note if the unit is unknown. NULL: no notes about
		 * facts that the file does not contain.
		 */
		const char *unit_option;
		bool z_up;       /* the Z axis points up, not the Y axis */
		bool add_offset; /* positions are relative to the joint's OFFSET */
	} bvh;
	/* Facts that a file of AMC, npz or a table of a face may not contain. */
	enum anim_read_up up;        /* npz */
	double unit_m;               /* ASF, npz: the unit of lengths in metres, or 0 for the unit of the file */
	unsigned read_as;            /* npz and faces: a set of anim_read_as */
	uint32_t rate_num, rate_den; /* of AMC, npz and faces, or 0, 0 for the rate of the file */
	/* Receives the number of clips of an FBX or glTF file before the first of them. May be NULL. */
	size_t *clip_count;
	double *file_unit_m; /* receives the unit of length of an FBX file, in metres. May be NULL. */
	/* Receives the compression of an AnimX file before its clip: plain, lz4, lzma. NULL for other files. May be NULL. */
	const char **encoding;
};

/* The content of a file besides nodes and the keys of clips. All-zero is empty. */
struct anim_held {
	size_t clips;   /* the number of its clips */
	bool has_uid;   /* other files refer to it by a uid of its own */
	char text[400]; /* everything else in words, "2 scripts and a mesh", or empty */
	/* Parts that these programs can write, by name: settings of nodes, references, extensions. */
	struct anim_text_set parts;
	const struct anim_held *successor; /* its parts are not in the text (may be NULL) */
};

/* Add a part. Returns 1 if the text has to include it, 0 if the successor has it as well, or -1 if out of memory. */
int anim_held_part(struct anim_held *, const char *name, struct anim_error *);

/* Return the base name of the source, or an empty text for a pipe without source_name. Borrowed. */
const char *anim_read_source_file(const struct anim_read_options *, const struct anim_input *);

/*
 * Find the rate that a number of frames per second means: the nearest whole number, n * 1000/1001 or n/1000 within this
 * relative tolerance. `rate` is above 0 and at most 1e6. Return false if it is another number.
 */
#define ANIM_READ_RATE_FLOAT 2e-6 /* 29.97 for 30000/1001, and rates that passed through a float */
bool anim_read_rate(double rate, double tolerance, uint32_t *num, uint32_t *den);

/*
 * A sink before the sink of a reader. A clip whose name says nothing (name.h) is called after its file. If `adds_file`,
 * a clip gets the attribute `file` if neither its own attributes nor its TREE name its file. An empty `file` changes
 * nothing. It owns only the memory that anim_naming_sink_clear frees. All members are private.
 */
struct anim_naming_sink {
	struct anim_sink sink;
	struct anim_sink *next;
	const char *file;
	bool adds_file, tree_has_file; /* tree: the last TREE names its file */
	struct anim_text_set names;    /* of the clips so far */
	size_t clips;                  /* set through anim_read_options */
	struct anim_arena arena;
};
struct anim_sink *anim_naming_sink_init(struct anim_naming_sink *, const char *file, bool adds_file,
					struct anim_sink *next);
void anim_naming_sink_clear(struct anim_naming_sink *);

/*
 * Return the name for a clip without one: "walk" for walk.tres and walk.tres.gz, "clip" for "". Return NULL if out of
 * memory.
 */
const char *anim_read_base_name(const char *source_file, struct anim_arena *, struct anim_error *);

/*
 * Return the name of a node, or the name and a number ("Hips_2") if a sibling already has it. `names` maps names in a scope,
 * such as a parent, to the number of siblings that asked for them, and is updated. A new name is in the arena. Return NULL
 * if out of memory.
 */
const char *anim_read_unique_name(struct anim_map *names, uint64_t scope, const char *name, struct anim_arena *,
				  struct anim_error *);

/*
 * Open another file, from a descriptor, which stays open, or by its name (fd -1), and report it to options->opened.
 * Returns 0, or -1.
 */
int anim_read_open(const struct anim_read_options *, int fd, const char *name, struct anim_input **,
		   struct anim_error *);

/*
 * Handle another file that the system does not let us open or read. Without keep_going, add the file's name to `error`
 * (ANIM_SYSTEM), which ends the run, and return -1. With keep_going, set *why, in the arena, to the reason, clear the
 * error and return 0.
 */
int anim_read_refused(const struct anim_read_options *, const char *shown, struct anim_arena *, const char **why,
		      struct anim_error *error);

#endif
