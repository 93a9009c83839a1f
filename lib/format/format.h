/* format.h: the formats, a row each: how a file of one is known, read, judged and written. */
#ifndef ANIM_FORMAT_FORMAT_H
#define ANIM_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clip/caps.h"
#include "format/read.h"
#include "format/write.h"

/*
 * Rows are of three sorts: formats that are read, written or both; other names of one of these ("tres" beside "godot");
 * and kinds of files that have no name here, but are known, so that a message can say what they are.
 */
enum anim_format_sort {
	ANIM_FORMAT_OTHER,
	ANIM_FORMAT_EMPTY, /* nothing at all */
	ANIM_FORMAT_STREAM,
	ANIM_FORMAT_LINES, /* a stream as text */
	ANIM_FORMAT_JSON,  /* some other, or AnimJ that tells so late */
	ANIM_FORMAT_HTML
};

struct anim_format {
	const char *name; /* for -f: "unity"; NULL: a kind of file that is neither read nor written */
	enum anim_format_sort sort;
	const char *
	    title; /* in messages, with its article where it takes one: "a Godot scene"; NULL: another name of a format */
	/* What to do where it is not read, or, with a name, not written; NULL: nothing can be said. */
	const char *way;

	/* What a file of it looks like. */
	bool (*is)(const uint8_t *bytes, size_t size); /* by its first bytes; NULL: by `magics` alone */
	const char *magics[3];                         /* what it begins with */
	const char *suffixes; /* "anim prefab": of files whose content tells nothing; NULL: none */
	const char *axes;     /* that its player has, as anim-axes calls them; NULL: those of the clips in it */

	/* Reading, as read.h has it; NULL: not read. */
	int (*read)(struct anim_input *, const struct anim_read_options *, struct anim_sink *, struct anim_error *);
	const char *read_options; /* "unit up": of anim-parse's, those that not every format takes; NULL: none */
	bool ours;                /* what these programs write: nobody's work is lost with such a file */
	/*
	 * What a file holds beside animation, in words, empty: nothing; *clips: those in it; NULL: all of it is what `title`
	 * and `ours` say.
	 */
	int (*describe)(struct anim_input *, size_t store_memory, size_t *clips, char *text, size_t capacity,
			struct anim_error *);

	/* Writing, as write.h has it; NULL: not written. */
	struct anim_sink *(*writer)(struct anim_output *, const struct anim_write_options *, struct anim_error *);
	/* Looks at the file that options->into names before conversion is asked for; NULL: clips are put into no file of it. */
	int (*into)(struct anim_write_options *, struct anim_error *);
	const char *suffix; /* of the files that are written: "anim" */
	/* What conversion makes of tracks in front of the writer; NULL: it holds whatever a stream does. */
	void (*caps)(const struct anim_write_options *, struct anim_caps *);
	const char
	    *options;     /* "pretty encoding": of anim-emit's, those that not every format takes; set with `writer` */
	const char *lint; /* the command that names all tracks that would go wrong in it; NULL: none */
	bool holds_many;  /* clips in one file */
	bool is_binary;   /* not for a terminal */
	bool is_ordered;  /* its player binds tracks by their numbers */
	bool takes_tree;  /* a writer takes the nodes of the one before it: see `last` of its options */
};

/*
 * The row that a file's first bytes tell, also of a file that is not read; NULL where they tell nothing. A few hundred
 * bytes are enough, more let JSON be told apart. Any beginning of a stream's first bytes is a stream.
 */
const struct anim_format *anim_format_of(const uint8_t *bytes, size_t size);

/* The row that a file's name promises, ".gz" left out; NULL: none. */
const struct anim_format *anim_format_of_name(const char *name);

/* By its name, in capitals or not, among those that are read or, `written`, written; NULL: none. */
const struct anim_format *anim_format_find(const char *name, bool written);

/* By the suffix of a file that is to be written; NULL: none, or no name. */
const struct anim_format *anim_format_to_write(const char *file);

/* The next format (NULL: the first) that has a name and is read or, `written`, written; NULL behind the last. */
const struct anim_format *anim_format_next(const struct anim_format *, bool written);

#endif
