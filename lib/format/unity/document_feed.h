/* document_feed.h: the text of one document as libfyaml is given it, line by line. Internal to document*.c. */
#ifndef ANIM_FORMAT_UNITY_DOCUMENT_FEED_H
#define ANIM_FORMAT_UNITY_DOCUMENT_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "format/unity/document_lines.h"

#define UNITY_FEED_JUMPS 8u

/*
 * How deep what was given is nested. libfyaml holds a value in brackets, at hundreds of bytes an item, until it knows whether
 * that is a key, and tells of its depth only then: it has to be seen before. All-zero is the start of a line.
 */
struct unity_nesting {
	uint8_t state, back;   /* enum nesting_state; where a quoted text leads to */
	uint8_t before;        /* the byte before */
	bool escaped;          /* by a backslash in double quotes */
	bool json;             /* a quoted text or a closing bracket comes before: a colon may stand close to it */
	bool continues;        /* a deeper line continues a plain text */
	bool block_text;       /* a deeper line belongs to a text behind '|' or '>' */
	unsigned depth, items; /* open brackets; "- " and "? " of the line */
	uint32_t column, start, parent; /* of the next byte, of the node, of the key or dash that it belongs to */
	size_t parts;                   /* brackets and commas since the last event */
};

/*
 * libfyaml asks for text only where it cannot go on without, so that the last line that it was given is the one that its
 * newest event stands in. That line stays in the window until the next is asked for: unity_feed_is_at tells whether a node
 * begins in it, and the text behind it may then be passed over (unity_feed_skip, keys_fast.c).
 */
struct unity_feed {
	struct unity_lines *lines; /* borrowed; the cursor is at the line last given */
	struct {
		const char *text;
		size_t length;
	} pieces[3];     /* of the line, still to be given */
	size_t taken;    /* bytes of the window to pass before the next line */
	bool whole;      /* `taken` goes over the line's end */
	bool in_line;    /* the next piece belongs to the same line */
	bool ended;      /* nothing more */
	bool failed;     /* `error` says why */
	uint32_t given;  /* lines given, as libfyaml counts them; the last is given - 1 */
	uint64_t silent; /* bytes given since the last event */
	size_t jumped;   /* entries of jumps in all; the newest at (jumped - 1) % UNITY_FEED_JUMPS */
	struct {
		uint32_t given, line; /* line `given` of libfyaml is line `line` of the file, and so on from there */
	} jumps[UNITY_FEED_JUMPS];
	struct unity_nesting nesting;
	struct anim_error error;
};

/* Begins behind the line at the cursor. 0 or -1. */
int unity_feed_begin(struct unity_feed *, struct unity_lines *, struct anim_error *);

/* Moves the cursor behind the line last given, also where it was given in part. 0 or -1. */
int unity_feed_leave(struct unity_feed *, struct anim_error *);

/*
 * libfyaml's callback; `feed` is a struct unity_feed. A failure is told as the end, and by `failed`: told of one, libfyaml 0.7
 * asks for ever.
 */
ssize_t unity_feed_give(void *feed, void *to, size_t room);

/* The line of the file that libfyaml calls `given` (from 0). */
uint32_t unity_feed_line(const struct unity_feed *, uint32_t given);

/* Whether the line last given, whole, is that one of libfyaml's (from 0). */
bool unity_feed_is_at(const struct unity_feed *, uint32_t given);

/*
 * Where the line last given is that one, and holds "name:" with `column` bytes before the name and nothing behind: passes
 * over the value below it. 1; 0 it is not so, nothing was passed; -1.
 */
int unity_feed_skip(struct unity_feed *, uint32_t given, uint32_t column, struct anim_error *);

/* The cursor was moved over whole lines: they are not given. */
void unity_feed_jumped(struct unity_feed *);

#endif
