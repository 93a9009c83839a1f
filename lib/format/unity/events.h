/* events.h: an AnimationEvent <-> one JSON object with Unity's field names. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_EVENTS_H
#define ANIM_FORMAT_UNITY_EVENTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"

/* All but the time. Texts are borrowed by the printer; the parser puts them into the arena. Never NULL but guid. */
struct unity_event {
	const char *function, *data;
	int64_t file_id, type; /* objectReferenceParameter */
	const char *guid;      /* of it; NULL: {fileID: ...} alone */
	float number;    /* floatParameter; JSON has no infinities, they are "Infinity", "-Infinity", "NaN" in quotes */
	int64_t integer; /* intParameter */
	int64_t options; /* messageOptions */
};

/* Appends {"functionName":"Step","data":"", ...} without blanks, all fields in Unity's order. 0 or -1. */
int unity_event_print(const struct unity_event *, struct anim_buffer *, struct anim_error *);

/*
 * 0: read; members that are missing are 0 or empty, unknown ones are passed over. 1: no event of Unity's (no JSON object,
 * no functionName, a member of the wrong type). -1: out of memory.
 */
int unity_event_parse(const char *json, size_t length, struct unity_event *, struct anim_arena *, struct anim_error *);

#endif
