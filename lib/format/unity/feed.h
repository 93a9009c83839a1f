/* feed.h: the lines of a Unity text file, and the text of a document for libfyaml. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_FEED_H
#define ANIM_FORMAT_UNITY_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/input.h"

/* ---- Lines of the file ---- */

/*
 * The cursor is at `at`, with `left` bytes of the window from there on, followed by ANIM_INPUT_SLACK zero bytes. The
 * bytes that were passed since the window was requested are not yet skipped in the input.
 */
struct unity_lines {
	struct anim_input *input; /* borrowed */
	const uint8_t *at, *window;
	size_t left;
	bool all;      /* the window reaches the end of the input */
	bool lone_cr;  /* a carriage return alone also ends a line */
	bool broken;   /* an error of the whole file was found, so nothing more is read */
	bool has_zero; /* the window has a NUL, the first at `zero` */
	const uint8_t *zero;
	uint32_t line; /* of the cursor, from 1 */
};

/* Get at least `want` bytes from the cursor on, or fewer only at the end of the input. Returns 0 or -1. */
int unity_lines_more(struct unity_lines *, size_t want, struct anim_error *);

/* Move the cursor within a line, or over its end if `whole`. */
void unity_lines_pass(struct unity_lines *, size_t length, bool whole);

/* At the start of a line, read enough of it to recognise it. Returns 1, 0 at the end of the input, or -1. */
int unity_lines_start(struct unity_lines *, struct anim_error *);

/* Pass the rest of the line at the cursor, whatever its length. Returns 0 or -1. */
int unity_lines_skip(struct unity_lines *, struct anim_error *);

/* Refuse the marks of a merge conflict at the start of a line. Returns 0 or -1. */
int unity_lines_check(struct unity_lines *, struct anim_error *);

/* Return true if the line at the cursor is "---", or begins with it and a blank. */
bool unity_lines_are_document(const struct unity_lines *);

/* ---- The text of a document for libfyaml ---- */

#define UNITY_FEED_JUMPS 8u

/*
 * The nesting depth of the text that was given to libfyaml. libfyaml keeps a value in brackets, with hundreds of bytes
 * per item, until it knows whether it is a key. It reports the depth only then, so the depth must be found before.
 * All-zero is the start of a line.
 */
struct unity_nesting {
	uint8_t state, back;            /* enum nesting_state. The state after a quoted text */
	uint8_t before;                 /* the previous byte */
	bool escaped;                   /* by a backslash in double quotes */
	bool json;                      /* after a quoted text or a closing bracket, so a colon may follow directly */
	bool continues;                 /* a deeper line continues a plain text */
	bool block_text;                /* a deeper line belongs to a text after '|' or '>' */
	unsigned depth, items;          /* open brackets. "- " and "? " of the line */
	uint32_t column, start, parent; /* of the next byte, of the node, of the key or dash that it belongs to */
	size_t parts;                   /* brackets and commas since the last event */
};

/*
 * libfyaml asks for text only if it cannot continue without it. So the last line that it got contains its newest event.
 * That line stays in the window until the next one is requested. unity_feed_is_at returns whether a node begins in it.
 * The text after it may then be skipped (unity_feed_skip, unity_fast_read).
 */
struct unity_feed {
	struct unity_lines *lines; /* borrowed. The cursor is at the line given last */
	struct {
		const char *text;
		size_t length;
	} pieces[3];     /* of the line, not given yet */
	size_t taken;    /* bytes of the window to pass before the next line */
	bool whole;      /* `taken` includes the end of the line */
	bool in_line;    /* the next piece belongs to the same line */
	bool ended;      /* the text has ended */
	bool failed;     /* `error` has the reason */
	uint32_t given;  /* number of lines given, as libfyaml counts them. The last is given - 1 */
	uint64_t silent; /* bytes given since the last event */
	size_t jumped;   /* total number of jumps. The newest is at (jumped - 1) % UNITY_FEED_JUMPS */
	struct {
		uint32_t given, line; /* line `given` of libfyaml is line `line` of the file, and so on from there */
	} jumps[UNITY_FEED_JUMPS];
	struct unity_nesting nesting;
	struct anim_error error;
};

/* Begin after the line at the cursor. Returns 0 or -1. */
int unity_feed_begin(struct unity_feed *, struct unity_lines *, struct anim_error *);

/* Move the cursor after the line given last, even if only a part of it was given. Returns 0 or -1. */
int unity_feed_leave(struct unity_feed *, struct anim_error *);

/*
 * Give text to libfyaml: its callback, with a struct unity_feed as `feed`. A failure is reported as the end of the
 * text, with `failed` set, because libfyaml 0.7 asks for ever after an error.
 */
ssize_t unity_feed_give(void *feed, void *to, size_t room);

/* Return the line of the file that libfyaml calls `given` (from 0). */
uint32_t unity_feed_line(const struct unity_feed *, uint32_t given);

/* Return true if libfyaml's line `given` (from 0) is the line given last, and was given completely. */
bool unity_feed_is_at(const struct unity_feed *, uint32_t given);

/*
 * If the line given last is this one, and contains only "name:" after `column` bytes, skip the value below it. Returns
 * 1, 0 if it does not match (nothing was skipped), or -1.
 */
int unity_feed_skip(struct unity_feed *, uint32_t given, uint32_t column, struct anim_error *);

/* Record that the cursor was moved over whole lines, which libfyaml does not get. */
void unity_feed_jumped(struct unity_feed *);

#endif
