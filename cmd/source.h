/* source.h: a command line's files into a sink; shared by the programs that look at files. */
#ifndef ANIM_CMD_SOURCE_H
#define ANIM_CMD_SOURCE_H

#include "cli/cli.h"
#include "clip/rest.h"
#include "filter/pose.h"
#include "filter/rename/rename.h"
#include "format/load.h"

/* The options every program starts from: the store's memory, the diagnostics, the input's. */
void source_options_init(struct anim_load_options *, struct cli *);

/*
 * Reads one file ("-" or NULL: standard input) into the sink, without its end. 0 or -1; what cannot be read is named,
 * with a way round.
 */
int source_read(struct cli *, const struct anim_load_options *, const char *path, struct anim_sink *,
		struct anim_error *);

/* --merge and --append, and several files as one stream: filters of filter/cat/cat.h. All-zero: none. */
struct source_join {
	struct anim_sink *join, *cat; /* borrowed; NULL: not there */
};

/* The filter of --merge or --append in front of `next` (owned), or `next` if neither was given. NULL on failure. */
struct anim_sink *source_join_new(struct source_join *, struct cli *, bool merge, bool append, struct anim_sink *next,
				  struct anim_error *);
/* The filter in front of `next` (owned; NULL: NULL) that makes one stream of several. NULL on failure. */
struct anim_sink *source_cat_new(struct source_join *, struct anim_sink *next, struct anim_error *);
/* Tell both that the next file begins. 0 or -1. */
int source_join_next(struct source_join *, const char *path, struct anim_error *);

/* 1: the input is a stream; 0: it is not; -1. */
int source_is_stream(struct anim_input *, struct anim_error *);

/* How the operands are read one after another. */
struct source_files {
	struct cli *cli;
	const struct anim_load_options *options;
	/* Called before each file is read. With several files that is twice: for the prog records, then for the rest. 0 or -1. */
	int (*begin)(void *context, const char *path, struct anim_error *);
	int (*failed)(void *context, struct anim_error *); /* 0: go on without the file; NULL: fail */
	void (*done)(void *context);                       /* called after each file; may be NULL */
	void *context;
};

/*
 * Read the operands or standard input into the sink, without its end. Regular files are opened twice, so that any number can be
 * given. Pipes stay open. 0 or -1.
 */
int source_read_files(const struct source_files *, struct anim_sink *, struct anim_error *);

/*
 * Reads a file of any format or a stream into a sink (owned, freed; NULL: -1) for what it tells beside the stream that is
 * worked at; what its reader warns of is not told. 0 or -1.
 */
int source_read_aside(struct cli *, const char *path, struct anim_sink *, struct anim_error *);

/*
 * The rests of the nodes that a file of any format or a stream holds, added to `rests`. 0, or -1 also where it holds no nodes.
 */
int source_read_rests(struct cli *, const char *path, struct anim_rests *, struct anim_error *);
/* The same with the tree that they form. */
int source_read_poses(struct cli *, const char *path, struct anim_poses *, struct anim_error *);

/* The rows of a CSV file of names, added to the map. 0 or -1. */
int source_read_map(struct cli *, const char *path, struct anim_rename_map *, struct anim_error *);

/* The sink with what passes only these clips in front, itself where none are named. NULL on failure, `sink` freed. */
struct anim_sink *source_pick(struct anim_sink *sink, const struct cli_texts *clips, struct anim_error *);

/* Reads the operands, or standard input where there are none, asks the diagnostics, ends the sink. 0 or -1. */
int source_read_all(struct cli *, const struct anim_load_options *, struct anim_sink *, struct anim_error *);

#endif
