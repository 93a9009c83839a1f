/* source.h: reads the files of a command line into a sink. Shared by the programs. */
#ifndef ANIM_RUN_SOURCE_H
#define ANIM_RUN_SOURCE_H

#include "cli/cli.h"
#include "clip/rest.h"
#include "filter/common/pose.h"
#include "filter/rename/rename.h"
#include "format/load.h"

/* Set the default options of every program: the memory of the store, the diagnostics, the input options. */
void source_options_init(struct anim_load_options *, struct cli *);

/*
 * Read one file ("-" or NULL: standard input) into the sink, without its end. Returns 0 or -1. The error for
 * unsupported contents suggests what to do instead.
 */
int source_read(struct cli *, const struct anim_load_options *, const char *path, struct anim_sink *,
		struct anim_error *);

/* --merge and --append, and several files as one stream, with the filters of filter/cat/cat.h. All-zero: none. */
struct source_join {
	bool
	    converts_axes; /* set by the caller: convert later files to the axes of the first, which needs all values */
	struct anim_sink *join, *cat; /* borrowed; NULL: not used */
};

/* Check the text of --blend (NULL: none), before any output is opened. A wrong one ends the program. */
void source_check_blend(const struct cli *, bool append, const char *blend);

/*
 * Return the filter of --merge or --append, with the text of --blend (NULL: none), in front of `next` (owned), or `next`
 * if neither was given. `order` (borrowed) has patterns of clips in their order, or is NULL. NULL on failure.
 */
struct anim_sink *source_join_new(struct source_join *, struct cli *, bool merge, bool append, const char *blend,
				  const struct cli_texts *order, struct anim_sink *next, struct anim_error *);
/* Return the filter in front of `next` (owned; NULL: NULL) that makes one stream of several. NULL on failure. */
struct anim_sink *source_cat_new(struct source_join *, struct anim_sink *next, struct anim_error *);
/* Announce the next file to both filters. Returns 0 or -1. */
int source_join_next(struct source_join *, const char *path, struct anim_error *);

/* Return 1 if the input is a stream, 0 if it is not, or -1. */
int source_is_stream(struct anim_input *, struct anim_error *);

/* How the operands are read, one after another. */
struct source_files {
	struct cli *cli;
	const struct anim_load_options *options;
	/*
	 * Called before each file is read. With several files it is called twice: for the prog records, then for the
	 * rest. Returns 0 or -1.
	 */
	int (*begin)(void *context, const char *path, struct anim_error *);
	int (*failed)(void *context, struct anim_error *); /* return 0 to continue without the file; NULL: fail */
	void (*done)(void *context);                       /* called after each file; may be NULL */
	void *context;
};

/*
 * Read the operands or standard input into the sink, without its end. Regular files are opened twice, so that any
 * number can be given. Pipes stay open. Returns 0 or -1.
 */
int source_read_files(const struct source_files *, struct anim_sink *, struct anim_error *);

/* Return whether a file of this format (NULL: unknown) can be read in another length unit. */
bool source_has_unit(const struct anim_format *);

/* --unit for side inputs. */
struct source_unit {
	const char *name; /* as anim_bvh_unit reads it, or NULL */
	bool taken;       /* set when a file of a format with a unit is read */
};

/* Check the name, and report a wrong one as a usage error. */
void source_check_unit(struct cli *, const struct source_unit *);

/*
 * Read a file of any format or a stream as a side input into a sink (owned, freed; NULL: -1). The unit can be NULL.
 * Warnings of the reader are dropped. Its first fault is the error. Returns 0 or -1.
 */
int source_read_aside(struct cli *, const char *path, struct source_unit *, struct anim_sink *, struct anim_error *);

/* The same, with joints in the pose in which their skin was bound. */
int source_read_bound(struct cli *, const char *path, struct source_unit *, struct anim_sink *, struct anim_error *);

/*
 * If the name of a file ends in "@SECONDS", set the time and return the length of the name before it. Returns 0 otherwise,
 * and if there is a file with the whole name.
 */
size_t source_find_time(const char *path, double *time_s);

/*
 * Add the rest poses of the nodes in a file of any format or a stream to `rests`. Returns 0, or -1, also if it has no
 * nodes.
 */
int source_read_rests(struct cli *, const char *path, struct anim_rests *, struct anim_error *);
/* The same for a model, with the paths that its nodes have in the scene that Godot imports. The rests may be empty. */
int source_read_imported(struct cli *, const char *path, struct anim_rests *, struct anim_error *);
/*
 * The same with the tree of the nodes. FILE@SECONDS: in the pose of its first clip at this time. The poses are empty before.
 * The unit can be NULL.
 */
int source_read_poses(struct cli *, const char *path, struct source_unit *, struct anim_poses *, struct anim_error *);

/* Add the rows of a CSV file of names to the map. Returns 0 or -1. */
int source_read_map(struct cli *, const char *path, struct anim_rename_map *, struct anim_error *);

/*
 * Put a filter that passes only these clips in front of the sink; without names, return the sink itself. Returns NULL
 * on failure, with `sink` freed.
 */
struct anim_sink *source_pick(struct anim_sink *sink, const struct cli_texts *clips, struct anim_error *);

/* Read the operands, or standard input if there are none, check the diagnostics and end the sink. Returns 0 or -1. */
int source_read_all(struct cli *, const struct anim_load_options *, struct anim_sink *, struct anim_error *);

#endif
