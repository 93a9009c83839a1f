/* names.c: Unity's classes, attributes and fields <-> the model's properties. */
#include "format/unity/names.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "math/quaternion.h"

/* ---- Humanoids: an Animator's curves for muscles, root, goals and bones (others are parameters) ---- */

/* The 95 muscles are these, the limb muscles of both sides, and the finger muscles of both hands. */
static const char *const muscles[] = {
    "Spine Front-Back",
    "Spine Left-Right",
    "Spine Twist Left-Right",
    "Chest Front-Back",
    "Chest Left-Right",
    "Chest Twist Left-Right",
    "UpperChest Front-Back",
    "UpperChest Left-Right",
    "UpperChest Twist Left-Right",
    "Neck Nod Down-Up",
    "Neck Tilt Left-Right",
    "Neck Turn Left-Right",
    "Head Nod Down-Up",
    "Head Tilt Left-Right",
    "Head Turn Left-Right",
    "Jaw Close",
    "Jaw Left-Right",
};
static const char *const limb_muscles[] = {
    "Eye Down-Up",
    "Eye In-Out",
    "Upper Leg Front-Back",
    "Upper Leg In-Out",
    "Upper Leg Twist In-Out",
    "Lower Leg Stretch",
    "Lower Leg Twist In-Out",
    "Foot Up-Down",
    "Foot Twist In-Out",
    "Toes Up-Down",
    "Shoulder Down-Up",
    "Shoulder Front-Back",
    "Arm Down-Up",
    "Arm Front-Back",
    "Arm Twist In-Out",
    "Forearm Stretch",
    "Forearm Twist In-Out",
    "Hand Down-Up",
    "Hand In-Out",
};
static const char *const fingers[] = {"Thumb.", "Index.", "Middle.", "Ring.", "Little."};
static const char *const finger_muscles[] = {"1 Stretched", "Spread", "2 Stretched", "3 Stretched"};

/* A translation in three components, a rotation in four. */
static const char *const roots[] = {"Root", "Motion"};
static const char *const goals[] = {"LeftFoot", "RightFoot", "LeftHand", "RightHand"};

static bool is_finger(const char *text)
{
	const char *of_hand = anim_text_after(text, "LeftHand.");

	if (of_hand == NULL)
		of_hand = anim_text_after(text, "RightHand.");
	for (size_t i = 0; i < ANIM_COUNT(fingers); i++)
		if (anim_text_is_one_of(anim_text_after(of_hand, fingers[i]), finger_muscles,
					ANIM_COUNT(finger_muscles)))
			return true;
	return false;
}

/* Return true for NAMET.x .y .z and NAMEQ.x .y .z .w. */
static bool is_pose(const char *text, const char *const *table, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *rest = anim_text_after(text, table[i]);

		if (rest != NULL && strlen(rest) == 3 && (rest[0] == 'T' || rest[0] == 'Q') && rest[1] == '.' &&
		    strchr(rest[0] == 'T' ? "xyz" : "xyzw", rest[2]) != NULL)
			return true;
	}
	return false;
}

/* Return the target of an Animator's curve with this name: "muscle", "root", "goal", "tdof", or NULL. */
static const char *humanoid_of(const char *attribute)
{
	size_t length = strlen(attribute);

	if (anim_text_is_one_of(attribute, muscles, ANIM_COUNT(muscles)) ||
	    anim_text_is_one_of(anim_text_after(attribute, "Left "), limb_muscles, ANIM_COUNT(limb_muscles)) ||
	    anim_text_is_one_of(anim_text_after(attribute, "Right "), limb_muscles, ANIM_COUNT(limb_muscles)) ||
	    is_finger(attribute))
		return "muscle";
	if (is_pose(attribute, roots, ANIM_COUNT(roots)))
		return "root";
	if (is_pose(attribute, goals, ANIM_COUNT(goals)))
		return "goal";
	/* BONETDOF.x .y .z */
	return length > 6 && memcmp(attribute + length - 6, "TDOF.", 5) == 0 &&
		       strchr("xyz", attribute[length - 1]) != NULL
		   ? "tdof"
		   : NULL;
}

/* ---- Curves ---- */

#define BLEND_SHAPE "blend_shape/"
#define FIELD "field:"
#define ACTIVE_FLAGS 16         /* usual value for m_IsActive in version 7 (0 for other curves) */
#define NO_SCRIPT "{fileID: 0}" /* of every class except MonoBehaviour */

/* Curves of a Transform or RectTransform. If a property has several spellings, the first one is written. */
static const struct transform_name {
	const char *attribute, *property;
	unsigned components;
	enum unity_list list;
} spellings[] = {
    {"m_LocalPosition", "position", 3, UNITY_POSITION_CURVES},
    {"m_LocalRotation", "rotation", 4, UNITY_ROTATION_CURVES},
    {"m_LocalScale", "scale", 3, UNITY_SCALE_CURVES},
    {"localEulerAnglesRaw", "euler", 3, UNITY_EULER_CURVES},
    {"localEulerAngles", "euler", 3, UNITY_EULER_CURVES},
    {"m_LocalEulerAngles", "euler", 3, UNITY_EULER_CURVES},
    {"localEulerAnglesBaked", "euler", 3, UNITY_EULER_CURVES},
};
#define SPELLING_COUNT ANIM_COUNT(spellings)

/* m_RotationOrder names the axis of the first rotation, and the stream the axis of the last. */
static const enum anim_euler_order orders[] = {ANIM_EULER_ZYX, ANIM_EULER_YZX, ANIM_EULER_XZY,
					       ANIM_EULER_ZXY, ANIM_EULER_YXZ, ANIM_EULER_XYZ};
#define ORDER_COUNT ((int)ANIM_COUNT(orders))

static const struct transform_name *spelling_of_property(const char *property)
{
	for (size_t i = 0; i < SPELLING_COUNT; i++)
		if (strcmp(spellings[i].property, property) == 0)
			return &spellings[i];
	return NULL;
}

/* Return true for a Unity name that is a property of the model, with any number of "field:" marks before it. */
static bool is_taken(const char *name)
{
	while (anim_text_after(name, FIELD) != NULL)
		name += sizeof FIELD - 1;
	return spelling_of_property(name) != NULL || strcmp(name, "visible") == 0 || strcmp(name, "angle") == 0 ||
	       anim_text_after(name, BLEND_SHAPE) != NULL || name[0] == '@';
}

/* Return the component that the last letter of the text names after a dot, or ANIM_WHOLE. */
static uint8_t component_of(const char *text, size_t length)
{
	static const char letters[] = "xyzwrgba";
	const char *letter;

	if (length < 3 || text[length - 2] != '.')
		return ANIM_WHOLE;
	letter = strchr(letters, text[length - 1]);
	return letter == NULL ? ANIM_WHOLE : (uint8_t)((unsigned)(letter - letters) % 4);
}

/* Return true if it was a component of a transform. */
static bool read_transform(int64_t class_id, const char *attribute, struct unity_meaning *meaning)
{
	size_t length = strlen(attribute);
	uint8_t component = component_of(attribute, length);

	for (size_t i = 0; i < SPELLING_COUNT && component != ANIM_WHOLE; i++) {
		const struct transform_name *spelling = &spellings[i];

		/* "NAME.x", .y, .z, and also .w if the property has four components */
		if (length - 2 != strlen(spelling->attribute) ||
		    memcmp(attribute, spelling->attribute, length - 2) != 0 || component >= spelling->components ||
		    "xyzw"[component] != attribute[length - 1])
			continue;
		meaning->property = spelling->property;
		meaning->component = component;
		meaning->keep_class = class_id != UNITY_TRANSFORM;
		meaning->keep_attribute = spelling != spelling_of_property(spelling->property);
		if (spelling->list == UNITY_EULER_CURVES) {
			meaning->flags = ANIM_DEGREES;
			meaning->order = unity_order_name(UNITY_ORDER_DEFAULT);
		}
		return true;
	}
	return false;
}

/* Read any other property, complete or with its component removed. */
static int read_field(const char *attribute, bool components, struct unity_meaning *meaning, struct anim_arena *arena,
		      struct anim_error *error)
{
	size_t length = strlen(attribute);

	meaning->component = components ? component_of(attribute, length) : ANIM_WHOLE;
	meaning->keep_class = true;
	meaning->keep_attribute = meaning->component != ANIM_WHOLE;
	meaning->property = attribute;
	if (meaning->component != ANIM_WHOLE)
		meaning->property = anim_arena_text(arena, attribute, length - 2, error);
	if (meaning->property != NULL && is_taken(meaning->property))
		meaning->property = anim_arena_printf(arena, error, FIELD "%s", meaning->property);
	return meaning->property == NULL ? -1 : 0;
}

int unity_name_read(int64_t class_id, const char *attribute, bool reference, struct unity_meaning *meaning,
		    struct anim_arena *arena, struct anim_error *error)
{
	bool is_transform = class_id == UNITY_TRANSFORM || class_id == UNITY_RECT_TRANSFORM;

	*meaning = (struct unity_meaning){.property = attribute, .component = ANIM_WHOLE};
	if (reference)
		return read_field(attribute, false, meaning, arena, error);
	if (class_id == UNITY_GAME_OBJECT && strcmp(attribute, UNITY_ACTIVE) == 0) {
		meaning->property = "visible";
		return 0;
	}
	if (class_id == UNITY_SKINNED_MESH_RENDERER && anim_text_after(attribute, UNITY_BLEND_SHAPE) != NULL) {
		meaning->flags = ANIM_PERCENT;
		meaning->property =
		    anim_arena_printf(arena, error, BLEND_SHAPE "%s", attribute + sizeof UNITY_BLEND_SHAPE - 1);
		return meaning->property == NULL ? -1 : 0;
	}
	if (is_transform && read_transform(class_id, attribute, meaning))
		return 0;
	if (class_id == UNITY_ANIMATOR)
		meaning->humanoid = humanoid_of(attribute);
	return read_field(attribute, class_id != UNITY_ANIMATOR, meaning, arena, error);
}

static bool is_one_of(int64_t class_id, const int16_t *classes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (classes[i] == class_id)
			return true;
	return false;
}

bool unity_class_is_flat(int64_t class_id)
{
	/* Rigidbody2D, the colliders Circle, Polygon, Box, Edge and Capsule, SpriteRenderer, SpriteMask */
	static const int16_t classes[] = {50, 58, 60, 61, 68, 70, 212, 331};

	return is_one_of(class_id, classes, ANIM_COUNT(classes));
}

bool unity_class_is_solid(int64_t class_id)
{
	/* MeshRenderer, MeshFilter, SkinnedMeshRenderer, Light, Rigidbody, the colliders Mesh, Box, Sphere, Capsule */
	static const int16_t classes[] = {23, 33, 137, 108, 54, 64, 65, 135, 136};

	return is_one_of(class_id, classes, ANIM_COUNT(classes));
}

/* Return 1 if the curve would be read as this property and component, 0 if not, or -1 if out of memory. */
static int means(int64_t class_id, const char *attribute, const struct anim_track *track, uint8_t component,
		 struct anim_arena *arena, struct anim_error *error)
{
	struct unity_meaning meaning;
	bool reference = track->type == ANIM_STRING;

	if (unity_name_read(class_id, attribute, reference, &meaning, arena, error) != 0)
		return -1;
	return strcmp(meaning.property, track->property) == 0 && meaning.component == component;
}

/* Get Unity's spelling; *attribute is NULL if it has none. Returns 0 or -1. */
static int spell(const char *property, uint8_t component, const char **attribute, struct anim_arena *arena,
		 struct anim_error *error)
{
	const struct transform_name *spelling = spelling_of_property(property);
	const char *shape = anim_text_after(property, BLEND_SHAPE), *before = "", *name = property;
	char letter[3] = {0};

	/* Find the name before the component's letter, as two consecutive texts. */
	*attribute = NULL;
	if (spelling != NULL
		? component >= spelling->components
		: strcmp(property, "angle") == 0 || property[0] == '@' || (component != ANIM_WHOLE && component >= 4))
		return 0;
	if (spelling != NULL) {
		name = spelling->attribute;
	} else if (strcmp(property, "visible") == 0) {
		name = UNITY_ACTIVE;
	} else if (shape != NULL) {
		before = UNITY_BLEND_SHAPE;
		name = shape;
	} else if (anim_text_after(property, FIELD) != NULL && is_taken(property)) {
		name = property + sizeof FIELD - 1;
	}
	if (component != ANIM_WHOLE) {
		letter[0] = '.';
		letter[1] = anim_component_name(property, component)[0];
	}
	*attribute = anim_arena_printf(arena, error, "%s%s%s", before, name, letter);
	return *attribute == NULL ? -1 : 0;
}

/* Return the integer in an attribute, or `otherwise` if it is missing or not an integer. */
static int64_t number_of(const char *text, int64_t otherwise)
{
	char *end;
	long long number;

	if (text == NULL || strchr("-0123456789", text[0]) == NULL)
		return otherwise;
	number = strtoll(text, &end, 10);
	return *end == '\0' && end > text ? (int64_t)number : otherwise;
}

/* Find class and attribute of a float or PPtr curve. Returns 0 or -1. */
static int bind(const struct anim_track *track, uint8_t component, struct unity_binding *binding,
		struct anim_arena *arena, struct anim_error *error)
{
	const char *kept = anim_attrs_get(&track->attrs, UNITY_ATTR_ATTRIBUTE);
	const char *property = track->property;
	int64_t canonical = strcmp(property, "visible") == 0                 ? UNITY_GAME_OBJECT
			    : anim_text_after(property, BLEND_SHAPE) != NULL ? UNITY_SKINNED_MESH_RENDERER
			    : spelling_of_property(property) != NULL         ? UNITY_TRANSFORM
									     : -1;
	int same = 0;

	binding->class_id = number_of(anim_attrs_get(&track->attrs, UNITY_ATTR_CLASS), -1);
	if (spell(track->property, component, &binding->attribute, arena, error) != 0)
		return -1;
	if (binding->class_id >= 0 && kept != NULL)
		same = means(binding->class_id, kept, track, component, arena, error);
	else if (kept != NULL && canonical >= 0)
		same = means(canonical, kept, track, component, arena, error);
	if (same == 1)
		binding->attribute = kept;
	else if (same == 0 && binding->class_id >= 0 && canonical >= 0 && binding->attribute != NULL) {
		/* If a track got a canonical name later, its class does not belong to that name. */
		same = means(binding->class_id, binding->attribute, track, component, arena, error);
		if (same == 0)
			binding->class_id = canonical;
	}
	/* Formats without classes keep only the name of a humanoid Animator's curve. */
	if (binding->class_id < 0 && canonical < 0 && binding->attribute != NULL && strcmp(track->node, ".") == 0 &&
	    anim_types[track->type].components == 1 && humanoid_of(binding->attribute) != NULL)
		canonical = UNITY_ANIMATOR;
	if (binding->class_id < 0)
		binding->class_id = canonical;
	return same < 0 ? -1 : 0;
}

int unity_name_write(const struct anim_track *track, uint8_t component, struct unity_binding *binding,
		     struct anim_arena *arena, struct anim_error *error)
{
	const char *script = anim_attrs_get(&track->attrs, UNITY_ATTR_SCRIPT);
	const char *flags = anim_attrs_get(&track->attrs, UNITY_ATTR_FLAGS);
	const char *literal = anim_attrs_get(&track->attrs, "literal");
	const struct transform_name *spelling = spelling_of_property(track->property);
	uint8_t asked = component != ANIM_WHOLE ? component : track->component;
	unsigned components = anim_types[track->type].components;

	*binding = (struct unity_binding){.class_id = -1, .script = script != NULL ? script : NO_SCRIPT};
	binding->list = UNITY_NO_LIST;
	if (track->type == ANIM_STRING && strcmp(track->property, "@event") == 0)
		binding->list = UNITY_EVENTS;
	else if (track->type == ANIM_STRING && literal != NULL && strcmp(literal, "PPtr") == 0)
		binding->list = UNITY_PPTR_CURVES;
	else if (track->type != ANIM_STRING && asked == ANIM_WHOLE && components == 1 &&
		 strcmp(track->property, "angle") == 0)
		binding->list = UNITY_EULER_CURVES; /* a two-dimensional angle rotates about z */
	else if (track->type != ANIM_STRING && asked == ANIM_WHOLE && spelling != NULL &&
		 components == spelling->components)
		binding->list = spelling->list;
	if (binding->list != UNITY_PPTR_CURVES && (binding->list != UNITY_NO_LIST || track->type == ANIM_STRING))
		return 0;
	if (bind(track, asked, binding, arena, error) != 0)
		return -1;
	if (binding->attribute == NULL || binding->class_id < 0)
		binding->list = UNITY_NO_LIST;
	else if (track->type != ANIM_STRING)
		binding->list = UNITY_FLOAT_CURVES;
	if (binding->list != UNITY_NO_LIST)
		binding->flags = number_of(flags, unity_default_flags(binding->class_id, binding->attribute));
	return 0;
}

int64_t unity_default_flags(int64_t class_id, const char *attribute)
{
	return class_id == UNITY_GAME_OBJECT && strcmp(attribute, UNITY_ACTIVE) == 0 ? ACTIVE_FLAGS : 0;
}

const char *unity_order_name(int64_t order)
{
	return order >= 0 && order < ORDER_COUNT ? anim_euler_order_names[orders[order]] : NULL;
}

int unity_order_of(const struct anim_track *track)
{
	const char *name = anim_attrs_get(&track->attrs, "order");
	int found = name == NULL ? -1 : anim_euler_order_find(name);

	for (int i = 0; i < ORDER_COUNT && name != NULL; i++)
		if (found == (int)orders[i])
			return i;
	return UNITY_ORDER_DEFAULT;
}

/* ---- Rates and loops ---- */

#define NTSC_DEN 1001u
#define NTSC_STEP 1000u /* 30000/1001, 24000/1001 ...: the exact rates for 29.97 and 23.976 */

static bool is_rate(double num, double den, float rate_hz)
{
	return num >= 1 && den >= 1 && num <= UINT32_MAX && den <= UINT32_MAX && (float)(num / den) == rate_hz;
}

/* Return nearly the middle between a positive float32 and the next one, which still rounds to it. */
static double towards(float x, int step)
{
	uint32_t bits;
	float next;

	memcpy(&bits, &x, sizeof bits);
	bits += (uint32_t)step;
	memcpy(&next, &bits, sizeof next);
	return x + ((double)next - x) * 0.49;
}

/*
 * Find the fraction with the smallest denominator in low..high by continued fractions. The terms of both limits agree
 * up to the first integer between them.
 */
static void simplest(double low, double high, double *num, double *den)
{
	double p0 = 0, q0 = 1, p1 = 1, q1 = 0; /* the previous convergents */

	for (int i = 0; i < 64; i++) {
		double whole = floor(low), term = whole < low && whole + 1 <= high ? whole + 1 : whole;
		double p = term * p1 + p0, q = term * q1 + q0, rest;

		p0 = p1;
		q0 = q1;
		p1 = p;
		q1 = q;
		if (term != whole || low == whole || p > UINT32_MAX || q > UINT32_MAX)
			break;
		rest = low - whole;
		low = 1 / (high - whole);
		high = 1 / rest;
	}
	*num = p1;
	*den = q1;
}

bool unity_rate_fraction(float rate_hz, uint32_t *num, uint32_t *den)
{
	double n, d = NTSC_DEN;

	*num = *den = 0;
	if (!(rate_hz >= FLT_MIN && rate_hz < (float)UINT32_MAX))
		return false;
	n = rint((double)rate_hz * NTSC_DEN / NTSC_STEP) * NTSC_STEP;
	if (floor(rate_hz) == rate_hz) {
		n = rate_hz;
		d = 1;
	} else if (!is_rate(n, d, rate_hz))
		simplest(towards(rate_hz, -1), towards(rate_hz, 1), &n, &d);
	if (!is_rate(n, d, rate_hz))
		return false;
	*num = (uint32_t)n;
	*den = (uint32_t)d;
	return true;
}

#define WRAP_PING_PONG 4 /* a value of m_WrapMode */

enum anim_loop unity_loop_of_wrap(int64_t wrap)
{
	return wrap == UNITY_WRAP_LOOP ? ANIM_LOOP_WRAP : wrap == WRAP_PING_PONG ? ANIM_LOOP_PINGPONG : ANIM_LOOP_NONE;
}

/* ---- The fields of a clip ---- */

#define NOWHERE "{x: 0, y: 0, z: 0}"
#define SETTING(name) UNITY_SETTINGS "." name

const struct unity_clip_field unity_clip_fields[] = {
    {"m_ObjectHideFlags", "0", false},
    {"m_Name", NULL, true},
    {"m_Legacy", "0", false},
    {"m_Compressed", "0", false},
    {"m_UseHighQualityCurve", "1", false},
    {"m_SampleRate", NULL, true},
    {"m_WrapMode", "0", false},
    {"m_Bounds.m_Center", NOWHERE, false},
    {"m_Bounds.m_Extent", NOWHERE, false},
    {SETTING("serializedVersion"), "2", false},
    {SETTING("m_AdditiveReferencePoseClip"), "{fileID: 0}", false},
    {SETTING("m_AdditiveReferencePoseTime"), "0", false},
    {SETTING("m_StartTime"), NULL, true},
    {SETTING("m_StopTime"), NULL, true},
    {SETTING("m_OrientationOffsetY"), "0", false},
    {SETTING("m_Level"), "0", false},
    {SETTING("m_CycleOffset"), "0", false},
    {SETTING("m_HasAdditiveReferencePose"), "0", false},
    {SETTING("m_LoopTime"), NULL, true},
    {SETTING("m_LoopBlend"), "0", false},
    {SETTING("m_LoopBlendOrientation"), "0", false},
    {SETTING("m_LoopBlendPositionY"), "0", false},
    {SETTING("m_LoopBlendPositionXZ"), "0", false},
    {SETTING("m_KeepOriginalOrientation"), "0", false},
    {SETTING("m_KeepOriginalPositionY"), "1", false},
    {SETTING("m_KeepOriginalPositionXZ"), "0", false},
    {SETTING("m_HeightFromFeet"), "0", false},
    {SETTING("m_Mirror"), "0", false},
    {"m_HasGenericRootTransform", "0", false},
    {"m_HasMotionFloatCurves", "0", false},
    {"m_GenerateMotionCurves", NULL, false},
};
const size_t unity_clip_field_count = ANIM_COUNT(unity_clip_fields);

static const char *const foreign[] = {
    "m_CorrespondingSourceObject",
    "m_PrefabInstance",
    "m_PrefabAsset",
    "m_PrefabParentObject",
    "m_PrefabInternal",
    "serializedVersion",
    "m_AnimationType",
    "m_RotationCurves",
    "m_CompressedRotationCurves",
    "m_EulerCurves",
    "m_PositionCurves",
    "m_ScaleCurves",
    "m_FloatCurves",
    "m_PPtrCurves",
    "m_ClipBindingConstant",
    "m_EditorCurves",
    "m_EulerEditorCurves",
    "m_Events",
};

const struct unity_clip_field *unity_clip_field_find(const char *path)
{
	for (size_t i = 0; i < unity_clip_field_count; i++)
		if (strcmp(unity_clip_fields[i].path, path) == 0)
			return &unity_clip_fields[i];
	return NULL;
}

bool unity_clip_field_is_foreign(const char *name)
{
	return anim_text_is_one_of(name, foreign, ANIM_COUNT(foreign));
}
