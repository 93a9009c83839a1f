/* names.h: shared by reader and writer: names of curves, fields of a clip. Internal to format/unity. */
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
#define UNITY_LIGHT 108
#define UNITY_MONO_BEHAVIOUR 114
#define UNITY_SKINNED_MESH_RENDERER 137
#define UNITY_RECT_TRANSFORM 224

/*
 * Return whether a component only occurs in two dimensions, such as a SpriteRenderer or a Collider2D, or only in three,
 * such as meshes, lights and an Animator's muscles.
 */
bool unity_class_is_flat(int64_t class_id);
bool unity_class_is_solid(int64_t class_id);

/* Attributes of curves. */
#define UNITY_BLEND_SHAPE "blendShape."
#define UNITY_ACTIVE "m_IsActive"

/* Attributes of tracks, shared by reader and writer. */
#define UNITY_ATTR_ATTRIBUTE "unity.attribute"   /* as in the file, if the rules below do not restore it */
#define UNITY_ATTR_CLASS "unity.class"           /* classID, if the property does not determine it */
#define UNITY_ATTR_COMPRESSED "unity.compressed" /* "1": came from m_CompressedRotationCurves */
#define UNITY_ATTR_FLAGS "unity.flags"           /* if not unity_default_flags */
#define UNITY_ATTR_HUMANOID "unity.humanoid"     /* muscle, root, goal, tdof */
#define UNITY_ATTR_PATH "unity.path"             /* the path of a node that became a bone (filter/rename) */
#define UNITY_ATTR_SCRIPT "unity.script"         /* {fileID: 11500000, guid: ..., type: 3} */

/*
 * The meaning of a curve of m_FloatCurves or m_PPtrCurves in the model. Texts are constants, or in the arena, or the
 * attribute itself.
 */
struct unity_meaning {
	const char *property;
	uint8_t component;
	unsigned flags;       /* ANIM_DEGREES of euler, ANIM_PERCENT of blend_shape */
	const char *order;    /* of euler, otherwise NULL */
	const char *humanoid; /* value of UNITY_ATTR_HUMANOID or NULL */
	bool keep_class;      /* needs UNITY_ATTR_CLASS */
	bool keep_attribute;  /* needs UNITY_ATTR_ATTRIBUTE */
};

/*
 * Find the meaning of a class and an attribute. `reference`: it is a PPtr curve, whose attribute is always a whole
 * property. A Unity property with the name of a model property ("scale" of a script) becomes "field:scale". Returns 0,
 * or -1 if out of memory.
 */
int unity_name_read(int64_t class_id, const char *attribute, bool reference, struct unity_meaning *,
		    struct anim_arena *, struct anim_error *);

/* The list of the clip that contains a track. */
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

/* A track, or one component of it, as Unity names it. Texts as in struct unity_meaning, or borrowed from the track. */
struct unity_binding {
	enum unity_list list;
	int64_t class_id;      /* of float and PPtr curves */
	const char *attribute; /* of float and PPtr curves */
	const char *script;    /* of float and PPtr curves: "{fileID: 0}" without a script */
	int64_t flags;         /* of float and PPtr curves */
};

/*
 * Do the inverse. `component` is ANIM_WHOLE, or a component of a track of several components. A track that is a
 * component itself is requested with ANIM_WHOLE. Complete position, rotation, scale, euler and angle have their own
 * lists. A property that has no UNITY_ATTR_CLASS and no canonical name gets the list UNITY_NO_LIST. UNITY_ATTR_ATTRIBUTE is used only if it means this property and component,
 * so that a renamed track gets its new name. Returns 0, or -1 if out of memory.
 */
int unity_name_write(const struct anim_track *, uint8_t component, struct unity_binding *, struct anim_arena *,
		     struct anim_error *);

/* Return the `flags` of a curve without such an attribute: 16 for m_IsActive of a GameObject, otherwise 0. */
int64_t unity_default_flags(int64_t class_id, const char *attribute);

/*
 * Return the name of m_RotationOrder (0 to 5) in the stream, which is the order of the matrix product: reversed. NULL:
 * none.
 */
const char *unity_order_name(int64_t order);

/* Return the number for a track's attribute `order`, or Unity's own order if it is missing. */
int unity_order_of(const struct anim_track *);
#define UNITY_ORDER_DEFAULT 4 /* ZXY */

/* ---- Rates and loops ---- */

/* Return the loop of a legacy clip from m_WrapMode, its own or that of the Animation component that plays it. */
#define UNITY_WRAP_LOOP 2
enum anim_loop unity_loop_of_wrap(int64_t wrap);

/*
 * Find the exact fraction of a rate: n/1001 for NTSC rates, otherwise the simplest one whose float32 is the rate.
 * Returns false and 0/0 if no fraction with 32-bit terms matches (the rate is not positive, not finite, or far from 1).
 */
bool unity_rate_fraction(float rate_hz, uint32_t *num, uint32_t *den);

/* ---- The scalar fields of an AnimationClip that are kept as attributes ---- */

#define UNITY_ATTR_PREFIX "unity."
#define UNITY_SETTINGS "m_AnimationClipSettings"

/*
 * In this version of the clip and later ones, all float and PPtr curves have flags. The version of a clip is kept; the
 * default is 6.
 */
#define UNITY_VERSION "serializedVersion"
#define UNITY_VERSION_FLAGS 7

/*
 * One row per field, in the order of the file. `path`: names joined by dots ("m_AnimationClipSettings.m_Level"). The
 * attribute is UNITY_ATTR_PREFIX and the path. `value`: the text to write if the attribute is missing, or NULL to write
 * nothing. own: the clip's own members contain it (name, rate, start, stop, loop). The writer computes it unless an
 * attribute differs, and `value` is NULL.
 */
struct unity_clip_field {
	const char *path;
	const char *value;
	bool own;
};

extern const struct unity_clip_field unity_clip_fields[];
extern const size_t unity_clip_field_count;

/* Return the row of a path, or NULL if it is not in the table. */
const struct unity_clip_field *unity_clip_field_find(const char *path);

/*
 * Return true for top-level fields that are derived, foreign or read in another way (curve lists, bindings, prefab
 * links).
 */
bool unity_clip_field_is_foreign(const char *name);

#endif
