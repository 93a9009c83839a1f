/* fields.h: the scalar fields of an AnimationClip that travel as attributes, with what stands where none tells. Internal. */
#ifndef ANIM_FORMAT_UNITY_FIELDS_H
#define ANIM_FORMAT_UNITY_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#define UNITY_ATTR_PREFIX "unity."
#define UNITY_SETTINGS "m_AnimationClipSettings"

/* From this version of the clip on float and PPtr curves all have flags; kept where a clip has it, else 6 is written. */
#define UNITY_VERSION "serializedVersion"
#define UNITY_VERSION_FLAGS 7

/*
 * One row a field, in the order of the file. `path`: names joined by dots ("m_AnimationClipSettings.m_Level"); the
 * attribute is UNITY_ATTR_PREFIX and the path. `value`: the text that the writer writes where the attribute is missing;
 * NULL: it writes nothing then. own: the clip's own members say it (name, rate, start, stop, loop), the writer
 * computes it unless an attribute tells otherwise; `value` is NULL.
 */
struct unity_clip_field {
	const char *path;
	const char *value;
	bool own;
};

extern const struct unity_clip_field unity_clip_fields[];
extern const size_t unity_clip_field_count;

/* The row of a path, NULL where it is not in the table. */
const struct unity_clip_field *unity_clip_field(const char *path);

/* True for top-level fields that are derived, foreign or read otherwise (curve lists, bindings, prefab links). */
bool unity_clip_field_is_foreign(const char *name);

/* True where the writer would write this text anyway, so that no attribute is needed. */
bool unity_clip_field_is_default(const char *path, const char *text);

#endif
