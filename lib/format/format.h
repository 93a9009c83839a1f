/* format.h: the table of formats. A row says how a file of its format is recognised, read, described and written. */
#ifndef ANIM_FORMAT_FORMAT_H
#define ANIM_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/caps.h"
#include "format/read.h"
#include "format/write.h"

struct anim_graph;

/*
 * A row is one of three sorts. It is a format that can be read, written or both. Or it is another name of such a format
 * ("tres" beside "godot"). Or it is a kind of file without a name here, which is known only so that a message can name
 * it.
 */
enum anim_format_sort {
	ANIM_FORMAT_OTHER,
	ANIM_FORMAT_EMPTY, /* no bytes */
	ANIM_FORMAT_STREAM,
	ANIM_FORMAT_LINES, /* a stream as text */
	ANIM_FORMAT_JSON,  /* other JSON, or AnimJ that only a later byte identifies */
	ANIM_FORMAT_HTML
};

struct anim_format {
	const char *name; /* for -f ("unity"), or NULL for a kind of file that can be neither read nor written */
	enum anim_format_sort sort;
	/* for messages, with its article if it needs one ("a Godot scene"), or NULL if the row is another name of a format */
	const char *title;
	/* The remedy if the format cannot be read, or, for a row with a name, cannot be written. NULL if none is known. */
	const char *way;

	/* Recognition. */
	bool (*is)(const uint8_t *bytes, size_t size); /* test of the first bytes, or NULL if only `magics` count */
	const char *magics[3];                         /* possible beginnings of a file */
	const char *suffixes; /* "anim prefab": for files whose content does not identify them, or NULL */
	/* the axes of its player, by their names in anim-axes, or NULL for the axes of the clips in the file */
	const char *axes;
	/* the files are skeletons for the formats with the option `model` of anim-parse, whose clips are for any such file */
	bool is_model;

	/* Read a file, as read.h describes. NULL if the format cannot be read. */
	int (*read)(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);
	const char *read_options; /* "unit up": the options of anim-parse that only some formats take, or NULL */
	bool ours;                /* these programs write such files, so overwriting one loses no work of a user */
	/*
	 * Read the structure of a controller (clip/graph.h). Returns 1, 0 if the file has none, or -1. NULL if no file of the
	 * format has one.
	 */
	int (*graph)(struct anim_input *, const struct anim_read_options *, struct anim_graph *, struct anim_error *);
	/* Describe the content of a file. The result is zeroed before. Returns 0 or -1. NULL if `title` and `ours` say everything. */
	int (*describe)(struct anim_input *, size_t store_memory, struct anim_held *, struct anim_error *);

	/* Write a file, as write.h describes. NULL if the format cannot be written. */
	struct anim_sink *(*writer)(struct anim_output *, const struct anim_write_options *, struct anim_error *);
	/*
	 * Check the file that options->into names, before conversion needs it. NULL if clips cannot be put into an
	 * existing file.
	 */
	int (*into)(struct anim_write_options *, struct anim_error *);
	const char *suffix; /* suffix of the files that are written: "anim" */
	/*
	 * The limits to which conversion adapts tracks before the writer. NULL if the format holds everything that a
	 * stream does. adjust_caps changes them as options require, or is NULL.
	 */
	const struct anim_caps *caps;
	void (*adjust_caps)(const struct anim_write_options *, struct anim_caps *);
	/* "pretty encoding": the options of anim-emit that only some formats take, set if and only if `writer` is */
	const char *options;
	const char *lint; /* the engine whose rules anim-lint applies to this format, or NULL */
	/* the name in anim-retarget of the skeleton on which humans are put before they are written, or NULL */
	const char *skeleton;
	unsigned frames_hz; /* keys are at whole frames of this rate, or at any time if it is 0 */
	bool holds_many;    /* one file can hold several clips */
	bool is_binary;     /* not to be written to a terminal */
	bool is_ordered;    /* its player binds tracks by their numbers */
	bool starts_at_0;   /* clips in its files have no start: time 0 is the start of the clip */
	bool takes_tree;    /* a writer can take over the nodes of the writer before it: see `last` in its options */
};

/*
 * Bytes that distinguish all kinds of JSON: AnimJ is recognised by the text after its name, which may have 64 KiB, and
 * six times that if escaped.
 */
#define ANIM_FORMAT_LOOK_AT ((size_t)512 * 1024)

/*
 * Return the row of a file by its first bytes, even if such files cannot be read, or NULL if the bytes do not identify
 * it. A few hundred bytes are enough. More bytes help to distinguish kinds of JSON. Any prefix of the first bytes of a
 * stream counts as a stream.
 */
const struct anim_format *anim_format_of(const uint8_t *bytes, size_t size);

/* Return the row whose suffix the file name has, ignoring ".gz", or NULL. */
const struct anim_format *anim_format_of_name(const char *name);

/*
 * Find a row by its name, ignoring case, among the formats that can be written (`written`) or read. Return NULL if the
 * name is unknown.
 */
const struct anim_format *anim_format_find(const char *name, bool written);

/* Return the row to write for the suffix of a file name, or NULL if the suffix is unknown or `file` is NULL. */
const struct anim_format *anim_format_to_write(const char *file);

/* Return the next row (NULL: the first) that has a name and can be written (`written`) or read. Return NULL after the last. */
const struct anim_format *anim_format_next(const struct anim_format *, bool written);

/* Set the limits of a format that has some, as the options require. */
void anim_format_caps(const struct anim_format *, const struct anim_write_options *, struct anim_caps *);

#endif
