/* event.h: an AnimationEvent <-> one JSON object with Unity's field names. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_EVENT_H
#define ANIM_FORMAT_UNITY_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"

/* All except the time. The printer borrows the texts. The parser puts them into the arena. Only guid may be NULL. */
struct unity_event {
	const char *function, *data;
	int64_t file_id, type; /* objectReferenceParameter */
	const char *guid;      /* of it, NULL: only {fileID: ...} */
	/* floatParameter. JSON has no infinities, so they are "Infinity", "-Infinity", "NaN" in quotes */
	float number;
	int64_t integer; /* intParameter */
	int64_t options; /* messageOptions */
};

/* Append {"functionName":"Step","data":"", ...} without blanks, all fields in Unity's order. Returns 0 or -1. */
int unity_event_print(const struct unity_event *, struct anim_buffer *, struct anim_error *);

/*
 * Parse an event. Missing members are 0 or empty, unknown ones are skipped. Returns 0, 1 if it is not a Unity event
 * (not a JSON object, no functionName, a member of the wrong type), or -1 if out of memory.
 */
int unity_event_parse(const char *json, size_t length, struct unity_event *, struct anim_arena *, struct anim_error *);

#endif
