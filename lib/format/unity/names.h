/* names.h: Unity's class and attribute of a curve <-> property, component and attributes of a track. Internal. */
#ifndef ANIM_FORMAT_UNITY_NAMES_H
#define ANIM_FORMAT_UNITY_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "clip/track.h"

/* Classes that the names depend on. */
#define UNITY_GAME_OBJECT 1
#define UNITY_TRANSFORM 4
#define UNITY_ANIMATOR 95
#define UNITY_MONO_BEHAVIOUR 114
#define UNITY_SKINNED_MESH_RENDERER 137
#define UNITY_RECT_TRANSFORM 224

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

/* "muscle", "root", "goal", "tdof", or NULL: what an Animator's curve of this name drives. */
const char *unity_humanoid(const char *attribute);

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

/* A track, or one lane of it, in Unity's terms. Texts as in struct unity_meaning, or borrowed from the track. */
struct unity_binding {
	enum unity_list list;
	int64_t class_id;      /* of float and PPtr curves */
	const char *attribute; /* of float and PPtr curves */
	const char *script;    /* of float and PPtr curves: "{fileID: 0}" where none is told */
	int64_t flags;         /* of float and PPtr curves */
};

/*
 * The inverse. `lane`: ANIM_WHOLE, or which lane of a track of several lanes is asked for (a track that is a component
 * itself is asked for with ANIM_WHOLE); position, rotation, scale, euler and angle as wholes have their own lists.
 * class_hint: the class of a property that has no UNITY_ATTR_CLASS and no canonical name, -1 where nothing is known (then the list is
 * UNITY_NO_LIST). UNITY_ATTR_ATTRIBUTE is taken where it means this property and component, so that a renamed track gets
 * its new name. 0, or -1 out of memory.
 */
int unity_name_write(const struct anim_track *, uint8_t lane, int64_t class_hint, struct unity_binding *,
		     struct anim_arena *, struct anim_error *);

/* What `flags` of a curve is where no attribute tells it: 16 for m_IsActive of a GameObject, else 0. */
int64_t unity_default_flags(int64_t class_id, const char *attribute);

/*
 * m_RotationOrder (0 to 5) <-> the order's name in the stream, which is that of the matrix product: reversed. NULL and
 * -1 for what is none.
 */
const char *unity_order_name(int64_t order);
int unity_order_number(const char *name);

#endif
