/* yaml_events.h: libfyaml's events with Unity's reading of them. The only user of libfyaml. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_YAML_EVENTS_H
#define ANIM_FORMAT_UNITY_YAML_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/error.h"

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

/*
 * Begins a text that `give` hands out: how much it gave, 0 at the end and where it failed, too (libfyaml asks for ever
 * after -1). 0 or -1.
 */
int unity_yaml_events_begin(struct unity_yaml_events *, ssize_t (*give)(void *context, void *to, size_t room),
			    void *context, struct anim_error *);

/*
 * The next event of the one document there is. 1; 0 behind it; -1: a fault of grammar, with *event's place filled and a
 * message without one, or another error.
 */
int unity_yaml_events_next(struct unity_yaml_events *, struct unity_yaml_event *, struct anim_error *);
void unity_yaml_events_clear(struct unity_yaml_events *);

#endif
