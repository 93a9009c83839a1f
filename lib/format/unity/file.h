/* file.h: an open Unity text file: libfyaml's events, keys of curves, and the progress of reading. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_FILE_H
#define ANIM_FORMAT_UNITY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "clip/keys.h"
#include "format/unity/document.h"
#include "format/unity/feed.h"
#include "format/unity/yaml.h"

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
	const char *text; /* of a scalar: UTF-8 without NUL and not NUL-terminated, borrowed until the next event */
	size_t length;
	/*
	 * Its place: the line among those given, and the number of bytes before it, from 0. An empty value has the
	 * place of its key.
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
	bool began, ended;      /* the document began. All events were returned */
	bool failed;            /* the parser cannot be used again */
};

void unity_yaml_events_clear(struct unity_yaml_events *);

/* ---- The growing keys of a curve: keys.c ---- */

struct unity_keys {
	struct anim_keys columns; /* all Weighted: members that a key lacks are 1/3 */
	unsigned components;      /* of the first key's value: 1, 3, 4 (2 can be read), 0 before the first key */
	struct anim_track track;  /* the result: kind, type, mode and columns */
};

/* All-zero is empty. Nodes still borrow the first `used`. Setting used = 0 releases them. */
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
 * 0). It reads as many keys as are written in Unity's form and whose end is certain. They are appended to
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
	struct anim_error *error; /* the caller's. Later failures are reported in it */
	struct unity_lines lines;
	struct unity_document document;
	bool in_document;
	struct unity_feed feed;
	struct unity_yaml_events events;
	/* state of unity_clip_next */
	enum unity_stage stage;
	bool (*wanted)(void *context, const char *name);
	void *wanted_context;
	const char *entered;      /* the names of fields whose fields count as the document's own, NULL: none */
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
 * Read the node that begins with this event, to its end. `key` is borrowed. If `curves`, lists under "m_Curve" become
 * keys. Returns 0 or -1.
 */
int unity_node_build(struct unity_file *, struct anim_arena *, const struct unity_yaml_event *first, const char *key,
		     bool curves, struct unity_node **);

/* Read the items after the event of a list as keys, to the end of the list. Returns 0 or -1. */
int unity_keys_build(struct unity_file *, struct unity_node *list);
/* Free the memory that a file uses for keys. */
void unity_keys_clear(struct unity_file *);

#endif
