/* document_internal.h: shared by file.c, document.c and keys.c: lines, feed, events, growing keys. */
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

/* ---- The text of a document for libfyaml: file.c ---- */

#define UNITY_FEED_JUMPS 8u

/*
 * The nesting depth of the text that was given to libfyaml. libfyaml keeps a value in brackets, with hundreds of bytes
 * per item, until it knows whether it is a key. It reports the depth only then, so the depth must be found before.
 * All-zero is the start of a line.
 */
struct unity_nesting {
	uint8_t state, back;            /* enum nesting_state; the state after a quoted text */
	uint8_t before;                 /* the previous byte */
	bool escaped;                   /* by a backslash in double quotes */
	bool json;                      /* after a quoted text or a closing bracket, so a colon may follow directly */
	bool continues;                 /* a deeper line continues a plain text */
	bool block_text;                /* a deeper line belongs to a text after '|' or '>' */
	unsigned depth, items;          /* open brackets; "- " and "? " of the line */
	uint32_t column, start, parent; /* of the next byte, of the node, of the key or dash that it belongs to */
	size_t parts;                   /* brackets and commas since the last event */
};

/*
 * libfyaml asks for text only if it cannot continue without it. So the last line that it got contains its newest event.
 * That line stays in the window until the next one is requested. unity_feed_is_at returns whether a node begins in it.
 * The text after it may then be skipped (unity_feed_skip, unity_fast_read).
 */
struct unity_feed {
	struct unity_lines *lines; /* borrowed; the cursor is at the line given last */
	struct {
		const char *text;
		size_t length;
	} pieces[3];     /* of the line, not given yet */
	size_t taken;    /* bytes of the window to pass before the next line */
	bool whole;      /* `taken` includes the end of the line */
	bool in_line;    /* the next piece belongs to the same line */
	bool ended;      /* the text has ended */
	bool failed;     /* `error` has the reason */
	uint32_t given;  /* number of lines given, as libfyaml counts them; the last is given - 1 */
	uint64_t silent; /* bytes given since the last event */
	size_t jumped;   /* total number of jumps; the newest is at (jumped - 1) % UNITY_FEED_JUMPS */
	struct {
		uint32_t given, line; /* line `given` of libfyaml is line `line` of the file, and so on from there */
	} jumps[UNITY_FEED_JUMPS];
	struct unity_nesting nesting;
	struct anim_error error;
};

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
 * 1; 0 if it does not match (nothing was skipped); or -1.
 */
int unity_feed_skip(struct unity_feed *, uint32_t given, uint32_t column, struct anim_error *);

/* Record that the cursor was moved over whole lines, which libfyaml does not get. */
void unity_feed_jumped(struct unity_feed *);

/* ---- libfyaml's events, interpreted as Unity does: document.c, the only user of libfyaml ---- */

enum unity_yaml_event_type {
	UNITY_EVENT_SCALAR,
	UNITY_EVENT_MAP,
	UNITY_EVENT_MAP_END,
	UNITY_EVENT_LIST,
	UNITY_EVENT_LIST_END
};

/* Aliases, anchors and tags are texts, because a name may begin with '*', '&' or '!'. */
struct unity_yaml_event {
	enum unity_yaml_event_type type;
	bool quoted;      /* a scalar in quotes, or a block text */
	const char *text; /* of a scalar; UTF-8 without NUL and not NUL-terminated, borrowed until the next event */
	size_t length;
	/*
	 * Its place: the line among those given, and the number of bytes before it, from 0. The place of an empty value
	 * is that of its key.
	 */
	uint32_t given, column;
};

struct fy_parser;
struct fy_diag;
struct fy_event;

/* All-zero before the first use. */
struct unity_yaml_events {
	struct fy_parser *parser;
	struct fy_diag *faults;
	struct fy_event *held; /* its text is borrowed */
	struct anim_buffer text;
	uint32_t given, column; /* of the last event */
	bool began, ended;      /* the document began; all events were returned */
	bool failed;            /* the parser cannot be used again */
};

void unity_yaml_events_clear(struct unity_yaml_events *);

/* ---- The growing keys of a curve: keys.c ---- */

struct unity_keys {
	struct anim_keys columns; /* all Weighted: members that a key lacks are 1/3 */
	unsigned components;      /* of the first key's value: 1, 3, 4 (2 can be read); 0 before the first key */
	struct anim_track track;  /* the result: kind, type, mode and columns */
};

/* All-zero is empty. Nodes still borrow the first `used`; used = 0 releases them. */
struct unity_keys_pool {
	struct unity_keys **items;
	size_t count, used;
};

/* ---- Reading keys by comparing their text with an earlier key: keys.c ---- */

/* Texts that keys share are compared, and the numbers between them are read. */
struct unity_fast_keys;

int unity_fast_new(struct unity_fast_keys **, struct anim_error *); /* returns 0 or -1 */
void unity_fast_free(struct unity_fast_keys *);                     /* NULL is allowed */

/*
 * Read keys from the cursor on. The cursor is at the first line of a list item whose members begin in this column (from
 * 0). It reads as many keys as are written in Unity's form and certainly end where they seem to. They are appended to
 * the columns, and the cursor moves after them. Returns their number (0: nothing changed), or -1.
 */
ptrdiff_t unity_fast_read(struct unity_fast_keys *, struct unity_lines *, struct unity_keys *, uint32_t column,
			  struct anim_error *);

/* ---- The file ---- */

/* Progress in reading a document. */
enum unity_stage {
	UNITY_AT_START,  /* nothing was read */
	UNITY_IN_FIELDS, /* between two fields of its type */
	UNITY_IN_LIST,   /* between two items of a field */
	UNITY_DONE
};

struct unity_file {
	struct anim_error *error; /* the caller's; later failures are reported in it */
	struct unity_lines lines;
	struct unity_document document;
	bool in_document;
	struct unity_feed feed;
	struct unity_yaml_events events;
	/* state of unity_clip_next */
	enum unity_stage stage;
	bool (*wanted)(void *context, const char *name);
	void *wanted_context;
	const char *entered;      /* the names of fields whose fields count as the document's own; NULL: none */
	bool inside;              /* inside that field */
	struct anim_buffer field; /* its name with a NUL */
	size_t item;
	struct unity_keys_pool pool;
	struct unity_fast_keys *fast; /* NULL: libfyaml reads all keys */
	struct anim_arena key_arena;  /* for one key that libfyaml reads */
};

/* Get the next event, which must exist. Returns 0 or -1. */
int unity_need_event(struct unity_file *, struct unity_yaml_event *);

/* Skip the node that begins with this event. Returns 0 or -1. */
int unity_node_drop(struct unity_file *, const struct unity_yaml_event *first);

/*
 * Read the node that begins with this event, to its end; `key` is borrowed. If `curves`, lists under "m_Curve" become
 * keys. Returns 0 or -1.
 */
int unity_node_build(struct unity_file *, struct anim_arena *, const struct unity_yaml_event *first, const char *key,
		     bool curves, struct unity_node **);

/* Read the items after the event of a list as keys, to the end of the list. Returns 0 or -1. */
int unity_keys_build(struct unity_file *, struct unity_node *list);
/* Free the memory that a file uses for keys. */
void unity_keys_clear(struct unity_file *);

#endif
