/* read.h: what every format's reader is given. */
#ifndef ANIM_FORMAT_READ_H
#define ANIM_FORMAT_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/input.h"
#include "clip/diagnostics.h"
#include "clip/sink.h"

/* Which half of an AnimX Curve key comes first. ANY: by what the file tells. */
enum anim_key_order { ANIM_KEY_ORDER_ANY, ANIM_KEY_ORDER_TIME_VALUE, ANIM_KEY_ORDER_VALUE_TIME };

/* All-zero but for diagnostics is the default. */
struct anim_read_options {
	size_t store_memory;     /* bytes that finished clips may take before they go to a file; 0: all in the file */
	const char *source_name; /* base name of the source (TREE, clip names); NULL: the input's, none for a pipe */
	bool no_external;        /* do not follow references to other files */
	enum anim_key_order key_order;
	bool trust_size; /* read what is far larger than any clip, or than its compressed file tells */
	bool keep_going; /* leave faulty clips out instead of failing */
	struct anim_diagnostics *diagnostics; /* faults, warnings, notes; must be there */
	/* Told of every other file opened; may be NULL. 0 or -1. */
	int (*opened)(void *context, const char *path, struct anim_error *);
	void *opened_context;
	const struct anim_input_options *input_options; /* for other files; NULL: defaults */
	bool bind_rests; /* FBX, glTF: the rest poses of joints are those in which their skins were bound */
	/* What files of BVH tell nothing of. */
	struct {
		const char *unit; /* as anim_bvh_unit takes it: values become metres; NULL: they stay */
		/* How the program spells the option of the unit, for a note if none is known; NULL: no note. */
		const char *unit_option;
		bool z_up;       /* Z points up, not Y */
		bool add_offset; /* positions count from the joint's OFFSET */
	} bvh;
};

/* The base name of the source; empty for a pipe without source_name. Borrowed. */
const char *anim_read_source_file(const struct anim_read_options *, const struct anim_input *);

/*
 * A sink in front of a reader's: clips whose file neither they nor their TREE tell get the attribute `file`. Nothing is
 * owned but what _clear frees; an empty file names nothing. All members are private.
 */
struct anim_naming_sink {
	struct anim_sink sink;
	struct anim_sink *next;
	const char *file;
	bool tree_tells; /* of the last TREE */
	struct anim_arena arena;
};
struct anim_sink *anim_naming_sink_init(struct anim_naming_sink *, const char *file, struct anim_sink *next);
void anim_naming_sink_clear(struct anim_naming_sink *);

/* What a clip without any name is called: "walk" for walk.tres and walk.tres.gz, "clip" for ""; NULL out of memory. */
const char *anim_read_base_name(const char *source_file, struct anim_arena *, struct anim_error *);

/*
 * What to make of another file that the system does not let us open or read: `error` (ANIM_SYSTEM) ends the run, with the
 * file's name in it; under --keep-going it is only why that file is not read. 0: *why, in the arena, the error cleared; -1.
 */
int anim_read_refused(const struct anim_read_options *, const char *shown, struct anim_arena *, const char **why,
		      struct anim_error *error);

#endif
