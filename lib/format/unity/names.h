/* names.h: what reader and writer both know: names of curves, fields of a clip, events as JSON. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_NAMES_H
#define ANIM_FORMAT_UNITY_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "clip/track.h"

/* ---- Curves ---- */

/* Classes that the names depend on. */
#define UNITY_GAME_OBJECT 1
#define UNITY_TRANSFORM 4
#define UNITY_ANIMATOR 95
#define UNITY_MONO_BEHAVIOUR 114
#define UNITY_SKINNED_MESH_RENDERER 137
#define UNITY_RECT_TRANSFORM 224

/* Attributes of curves. */
#define UNITY_BLEND_SHAPE "blendShape."
#define UNITY_ACTIVE "m_IsActive"

/* Attributes of tracks, which reader and writer share. */
#define UNITY_ATTR_ATTRIBUTE "unity.attribute"   /* as in the file, where the rules below do not give it back */
#define UNITY_ATTR_CLASS "unity.class"           /* classID, where the property does not tell it */
#define UNITY_ATTR_COMPRESSED "unity.compressed" /* "1": came from m_CompressedRotationCurves */
#define UNITY_ATTR_FLAGS "unity.flags"           /* where not unity_default_flags */
#define UNITY_ATTR_HUMANOID "unity.humanoid"     /* muscle, root, goal, tdof */
#define UNITY_ATTR_PATH "unity.path"             /* of a bone that was a node: where it lay (filter/rename) */
#define UNITY_ATTR_SCRIPT "unity.script"         /* {fileID: 11500000, guid: ..., type: 3} */

/* What a curve of m_FloatCurves or m_PPtrCurves is to the model. Texts: constants, or in the arena, or the attribute. */
struct unity_meaning {
	const char *property;
	uint8_t component;
	unsigned flags;       /* ANIM_DEGREES of euler, ANIM_PERCENT of blend_shape */
	const char *order;    /* of euler, else NULL */
	const char *humanoid; /* value of UNITY_ATTR_HUMANOID or NULL */
	bool keep_class;      /* needs UNITY_ATTR_CLASS */
	bool keep_attribute;  /* needs UNITY_ATTR_ATTRIBUTE */
};

/*
 * class_id, attribute -> meaning. `reference`: of a PPtr curve, whose attribute is always a whole property. A property of
 * Unity's that the model would take for its own ("scale" of a script) becomes "field:scale". 0, or -1 out of memory.
 */
int unity_name_read(int64_t class_id, const char *attribute, bool reference, struct unity_meaning *,
		    struct anim_arena *, struct anim_error *);

/* Which list of the clip a track goes into. */
enum unity_list {
	UNITY_NO_LIST, /* Unity has no such curve: a bone's matrix, a property of unknown class */
	UNITY_ROTATION_CURVES,
	UNITY_EULER_CURVES,
	UNITY_POSITION_CURVES,
	UNITY_SCALE_CURVES,
	UNITY_FLOAT_CURVES,
	UNITY_PPTR_CURVES,
	UNITY_EVENTS
};

/* A track, or one component of it, in Unity's terms. Texts as in struct unity_meaning, or borrowed from the track. */
struct unity_binding {
	enum unity_list list;
	int64_t class_id;      /* of float and PPtr curves */
	const char *attribute; /* of float and PPtr curves */
	const char *script;    /* of float and PPtr curves: "{fileID: 0}" where none is told */
	int64_t flags;         /* of float and PPtr curves */
};

/*
 * The inverse. `component`: ANIM_WHOLE, or which component of a track of several components is asked for (a track that is a
 * component itself is asked for with ANIM_WHOLE); position, rotation, scale, euler and angle as wholes have their own lists.
 * class_hint: the class of a property that has no UNITY_ATTR_CLASS and no canonical name, -1 where nothing is known (then the
 * list is UNITY_NO_LIST). UNITY_ATTR_ATTRIBUTE is taken where it means this property and component, so that a renamed track gets
 * its new name. 0, or -1 out of memory.
 */
int unity_name_write(const struct anim_track *, uint8_t component, int64_t class_hint, struct unity_binding *,
		     struct anim_arena *, struct anim_error *);

/* What `flags` of a curve is where no attribute tells it: 16 for m_IsActive of a GameObject, else 0. */
int64_t unity_default_flags(int64_t class_id, const char *attribute);

/* m_RotationOrder (0 to 5) as the order's name in the stream, which is that of the matrix product: reversed. NULL: none. */
const char *unity_order_name(int64_t order);

/* The number by a track's attribute `order`; where none tells it, Unity's own. */
int unity_order_of(const struct anim_track *);
#define UNITY_ORDER_DEFAULT 4 /* ZXY */

/* ---- Rates and loops ---- */

/* The loop of a legacy clip by m_WrapMode, its own or that of the Animation component that plays it. */
enum anim_loop unity_loop_of_wrap(int64_t wrap);

/*
 * The fraction that is meant: n/1001 for the rates of NTSC, else the simplest one whose float32 is the rate. False, and
 * 0/0, where none with terms of 32 bits is (the rate is not positive, not finite, or far from 1).
 */
bool unity_rate_fraction(float rate_hz, uint32_t *num, uint32_t *den);

/* ---- The scalar fields of an AnimationClip that travel as attributes ---- */

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
const struct unity_clip_field *unity_clip_field_find(const char *path);

/* True for top-level fields that are derived, foreign or read otherwise (curve lists, bindings, prefab links). */
bool unity_clip_field_is_foreign(const char *name);

/* ---- An AnimationEvent <-> one JSON object with Unity's field names ---- */

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
