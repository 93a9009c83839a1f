/* document_internal.h: what file.c, document.c and keys.c share: lines, feed, events, keys while they grow. */
#ifndef ANIM_FORMAT_UNITY_DOCUMENT_INTERNAL_H
#define ANIM_FORMAT_UNITY_DOCUMENT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/input.h"
#include "clip/keys.h"
#include "format/unity/document.h"
#include "format/unity/yaml.h"

/* ---- Lines of the file: file.c ---- */

/*
 * The cursor is at `at`, `left` bytes of the window from there on; behind them are ANIM_INPUT_SLACK bytes that are 0. The
 * input itself is behind by what was passed over since the window was asked for.
 */
struct unity_lines {
	struct anim_input *input; /* borrowed */
	const uint8_t *at, *window;
	size_t left;
	bool all;      /* the window goes to the end of the input */
	bool lone_cr;  /* lines end with a carriage return alone, too */
	bool broken;   /* a fault of the whole file was found: nothing more is read */
	bool has_zero; /* the window has a NUL, the first at `zero` */
	const uint8_t *zero;
	uint32_t line; /* of the cursor, from 1 */
};

/* At least `want` bytes from the cursor on, fewer only at the end of the input. 0 or -1. */
int unity_lines_more(struct unity_lines *, size_t want, struct anim_error *);

/* Moves on in a line, or with `whole` over its end. */
void unity_lines_pass(struct unity_lines *, size_t length, bool whole);

/* ---- The text of a document as libfyaml is given it: file.c ---- */

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
 * begins in it, and the text behind it may then be passed over (unity_feed_skip, unity_fast_read).
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

/* ---- libfyaml's events with Unity's reading of them: document.c, the only user of libfyaml ---- */

enum unity_yaml_event_type {
	UNITY_EVENT_SCALAR,
	UNITY_EVENT_MAP,
	UNITY_EVENT_MAP_END,
	UNITY_EVENT_LIST,
	UNITY_EVENT_LIST_END
};

/* Aliases, anchors and tags are texts: a name may begin with '*', '&' or '!'. */
struct unity_yaml_event {
	enum unity_yaml_event_type type;
	bool quoted;      /* a scalar in quotes or a block text */
	const char *text; /* of a scalar; UTF-8 without NUL, borrowed until the next event; no NUL behind it */
	size_t length;
	/* Where it begins, an empty value where its key does: the line among those given and the bytes before it, from 0. */
	uint32_t given, column;
};

struct fy_parser;
struct fy_diag;
struct fy_event;

/* All-zero before the first use. */
struct unity_yaml_events {
	struct fy_parser *parser;
	struct fy_diag *faults;
	struct fy_event *held; /* whose text is borrowed */
	struct anim_buffer text;
	uint32_t given, column; /* of the last event */
	bool began, ended;      /* the document began; all events were handed out */
	bool failed;            /* the parser cannot be used again */
};

void unity_yaml_events_clear(struct unity_yaml_events *);

/* ---- The keys of a curve while they grow: keys.c ---- */

struct unity_keys {
	struct anim_keys columns; /* all of them Weighted: what a key does not have is 1/3 */
	unsigned components;      /* of the first key's value: 1, 3, 4 (2 can be read); 0 before there is one */
	struct anim_track track;  /* what became of them: kind, type, mode and columns */
};

/* All-zero is empty. The first `used` belong to nodes that are still borrowed; used = 0 gives them back. */
struct unity_keys_pool {
	struct unity_keys **items;
	size_t count, used;
};

/* ---- Keys by comparing their text with that of a key before: keys.c ---- */

/* Texts that keys share are compared, the numbers between them read. */
struct unity_fast_keys;

int unity_fast_new(struct unity_fast_keys **, struct anim_error *); /* 0 or -1 */
void unity_fast_free(struct unity_fast_keys *);                     /* NULL is allowed */

/*
 * Reads keys from the cursor on, which is at the first line of a list's item whose members begin in that column (from 0), as
 * many as are written as Unity does and certainly end where they seem to. Appends them to the columns and moves the cursor
 * behind them. How many (0: nothing was changed), -1.
 */
ptrdiff_t unity_fast_read(struct unity_fast_keys *, struct unity_lines *, struct unity_keys *, uint32_t column,
			  struct anim_error *);

/* ---- The file ---- */

/* How far a document was read. */
enum unity_stage {
	UNITY_AT_START,  /* nothing of it */
	UNITY_IN_FIELDS, /* between two fields of its type */
	UNITY_IN_LIST,   /* between two items of a field */
	UNITY_DONE
};

struct unity_file {
	struct anim_error *error; /* of whoever opened it: what fails later tells it */
	struct unity_lines lines;
	struct unity_document document;
	bool in_document;
	struct unity_feed feed;
	struct unity_yaml_events events;
	/* unity_clip_next */
	enum unity_stage stage;
	bool (*wanted)(void *context, const char *name);
	void *wanted_context;
	const char *entered;      /* the field whose fields count as the document's own; NULL: none */
	bool inside;              /* of that */
	struct anim_buffer field; /* its name with a NUL */
	size_t item;
	struct unity_keys_pool pool;
	struct unity_fast_keys *fast; /* NULL: all by libfyaml */
	struct anim_arena key_arena;  /* of one key that libfyaml reads */
};

/* The next event, of which there must be one. 0 or -1. */
int unity_need_event(struct unity_file *, struct unity_yaml_event *);

/* Passes over the node that begins with that event. 0 or -1. */
int unity_node_drop(struct unity_file *, const struct unity_yaml_event *first);

/*
 * The node that begins with that event, read to its end; `key` is borrowed. With `curves`, lists under "m_Curve" become
 * keys. 0 or -1.
 */
int unity_node_build(struct unity_file *, struct anim_arena *, const struct unity_yaml_event *first, const char *key,
		     bool curves, struct unity_node **);

/* Makes keys of a list: of its items behind the list's event, to its end. 0 or -1. */
int unity_keys_build(struct unity_file *, struct unity_node *list);
/* What a file holds for keys. */
void unity_keys_clear(struct unity_file *);

#endif
