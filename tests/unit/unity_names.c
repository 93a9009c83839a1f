/* unity_names.c: what Unity's curves animate, and back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/unity/names.h"
#include "tap.h"

/* A curve of Unity's and the track that is made of it: class_kept and attribute_kept are the attributes it needs. */
static const struct curve {
	int64_t class_id;
	const char *attribute, *property;
	unsigned component;
	unsigned flags;
	bool reference, class_kept, attribute_kept;
} curves[] = {
    {1, "m_IsActive", "visible", ANIM_WHOLE, 0, false, false, false},
    {1, "m_Layer", "m_Layer", ANIM_WHOLE, 0, false, true, false},
    {114, "m_IsActive", "m_IsActive", ANIM_WHOLE, 0, false, true, false},
    {137, "blendShape.a.b c", "blend_shape/a.b c", ANIM_WHOLE, ANIM_PERCENT, false, false, false},
    {137, "blendShape.x", "blend_shape/x", ANIM_WHOLE, ANIM_PERCENT, false, false, false},
    {23, "blendShape.x", "blendShape", 0, 0, false, true, true},
    {4, "m_LocalPosition.x", "position", 0, 0, false, false, false},
    {4, "m_LocalPosition.z", "position", 2, 0, false, false, false},
    {4, "m_LocalPosition.w", "m_LocalPosition", 3, 0, false, true, true},
    {4, "m_LocalPosition.r", "m_LocalPosition", 0, 0, false, true, true},
    {4, "m_LocalRotation.w", "rotation", 3, 0, false, false, false},
    {4, "m_LocalScale.y", "scale", 1, 0, false, false, false},
    {4, "localEulerAnglesRaw.x", "euler", 0, ANIM_DEGREES, false, false, false},
    {4, "localEulerAngles.y", "euler", 1, ANIM_DEGREES, false, false, true},
    {4, "m_LocalEulerAngles.z", "euler", 2, ANIM_DEGREES, false, false, true},
    {4, "localEulerAnglesBaked.x", "euler", 0, ANIM_DEGREES, false, false, true},
    {224, "m_LocalPosition.z", "position", 2, 0, false, true, false},
    {224, "localEulerAngles.z", "euler", 2, ANIM_DEGREES, false, true, true},
    {224, "m_AnchoredPosition.x", "m_AnchoredPosition", 0, 0, false, true, true},
    {224, "m_LocalPosition", "m_LocalPosition", ANIM_WHOLE, 0, false, true, false},
    {23, "material._Color.r", "material._Color", 0, 0, false, true, true},
    {23, "material._MainTex_ST.w", "material._MainTex_ST", 3, 0, false, true, true},
    {212, "m_Color.a", "m_Color", 3, 0, false, true, true},
    {108, "m_Intensity", "m_Intensity", ANIM_WHOLE, 0, false, true, false},
    {20, "field of view", "field of view", ANIM_WHOLE, 0, false, true, false},
    {114, "scale", "field:scale", ANIM_WHOLE, 0, false, true, false},
    {114, "position.x", "field:position", 0, 0, false, true, true},
    {114, "angle", "field:angle", ANIM_WHOLE, 0, false, true, false},
    {114, "blend_shape/x", "field:blend_shape/x", ANIM_WHOLE, 0, false, true, false},
    {114, "field:scale", "field:field:scale", ANIM_WHOLE, 0, false, true, false},
    {114, "field:speed", "field:speed", ANIM_WHOLE, 0, false, true, false},
    {114, ".x", ".x", ANIM_WHOLE, 0, false, true, false},
    {114, "", "", ANIM_WHOLE, 0, false, true, false},
    {95, "RootT.x", "RootT.x", ANIM_WHOLE, 0, false, true, false},
    {95, "visible", "field:visible", ANIM_WHOLE, 0, false, true, false},
    {95, "@event", "field:@event", ANIM_WHOLE, 0, false, true, false},
    {212, "m_Sprite", "m_Sprite", ANIM_WHOLE, 0, true, true, false},
    {23, "m_Materials.Array.data[0]", "m_Materials.Array.data[0]", ANIM_WHOLE, 0, true, true, false},
    {114, "icons.x", "icons.x", ANIM_WHOLE, 0, true, true, false},
    {1, "m_IsActive", "m_IsActive", ANIM_WHOLE, 0, true, true, false},
};
#define CURVE_COUNT (sizeof curves / sizeof *curves)

TEST(unity_curve_read, "a curve's class and attribute become property and lane, and what these do not tell is kept")
{
	struct anim_arena arena = {0};
	struct unity_meaning meaning;

	for (size_t i = 0; i < CURVE_COUNT; i++) {
		const struct curve *curve = &curves[i];

		CHECK(unity_name_read(curve->class_id, curve->attribute, curve->reference, &meaning, &arena, NULL) ==
		      0);
		CHECKF(strcmp(meaning.property, curve->property) == 0 && meaning.component == curve->component,
		       "%s: %s %u", curve->attribute, meaning.property, meaning.component);
		CHECKF(meaning.flags == curve->flags && meaning.keep_class == curve->class_kept &&
			   meaning.keep_attribute == curve->attribute_kept,
		       "%s: %u %d %d", curve->attribute, meaning.flags, meaning.keep_class, meaning.keep_attribute);
		CHECKF((strcmp(curve->property, "euler") == 0) ==
			   (meaning.order != NULL && strcmp(meaning.order, "YXZ") == 0),
		       "%s", curve->attribute);
	}
	anim_arena_clear(&arena);
}

/* The track that a reader would make of the curve; attrs has room for four. */
static struct anim_track track_of(const struct curve *curve, struct anim_attr *attrs, char class_id[24])
{
	struct anim_track track = {.kind = curve->reference ? ANIM_DISCRETE : ANIM_CURVE,
				   .type = curve->reference ? ANIM_STRING : ANIM_FLOAT,
				   .node = ".",
				   .property = curve->property,
				   .component = (uint8_t)curve->component};
	size_t count = 0;

	snprintf(class_id, 24, "%lld", (long long)curve->class_id);
	if (curve->reference)
		attrs[count++] = (struct anim_attr){"literal", "PPtr"};
	if (curve->attribute_kept)
		attrs[count++] = (struct anim_attr){UNITY_ATTR_ATTRIBUTE, curve->attribute};
	if (curve->class_kept)
		attrs[count++] = (struct anim_attr){UNITY_ATTR_CLASS, class_id};
	track.attrs = (struct anim_attrs){attrs, count};
	return track;
}

TEST(unity_curve_written, "what was read of a curve gives its class and attribute back")
{
	struct anim_arena arena = {0};
	struct unity_binding binding;
	struct anim_attr attrs[4];
	char class_id[24];

	for (size_t i = 0; i < CURVE_COUNT; i++) {
		const struct curve *curve = &curves[i];
		struct anim_track track = track_of(curve, attrs, class_id);

		CHECK(unity_name_write(&track, ANIM_WHOLE, &binding, &arena, NULL) == 0);
		CHECKF(binding.list == (curve->reference ? UNITY_PPTR_CURVES : UNITY_FLOAT_CURVES), "%s: list %d",
		       curve->attribute, binding.list);
		CHECKF(binding.class_id == curve->class_id && binding.attribute != NULL &&
			   strcmp(binding.attribute, curve->attribute) == 0,
		       "%s: %lld %s", curve->attribute, (long long)binding.class_id, binding.attribute);
		CHECKF(strcmp(binding.script, "{fileID: 0}") == 0 &&
			   binding.flags ==
			       (curve->class_id == 1 && strcmp(curve->attribute, "m_IsActive") == 0 ? 16 : 0),
		       "%s", curve->attribute);
	}
	anim_arena_clear(&arena);
}

/* A track from elsewhere, or one that was renamed. */
static const struct other {
	enum anim_type type;
	const char *property;
	unsigned track_component, component;
	const char *class_id, *attribute; /* attributes, or NULL */
	enum unity_list list;
	int64_t wanted_class;
	const char *wanted;
} others[] = {
    {ANIM_FLOAT3, "position", ANIM_WHOLE, ANIM_WHOLE, NULL, NULL, UNITY_POSITION_CURVES, -1, NULL},
    {ANIM_FLOATQ, "rotation", ANIM_WHOLE, ANIM_WHOLE, NULL, NULL, UNITY_ROTATION_CURVES, -1, NULL},
    {ANIM_FLOAT3, "scale", ANIM_WHOLE, ANIM_WHOLE, NULL, NULL, UNITY_SCALE_CURVES, -1, NULL},
    {ANIM_FLOAT3, "euler", ANIM_WHOLE, ANIM_WHOLE, NULL, NULL, UNITY_EULER_CURVES, -1, NULL},
    {ANIM_FLOAT2, "position", ANIM_WHOLE, ANIM_WHOLE, NULL, NULL, UNITY_NO_LIST, -1, NULL},
    {ANIM_FLOAT2, "position", ANIM_WHOLE, 1, NULL, NULL, UNITY_FLOAT_CURVES, 4, "m_LocalPosition.y"},
    {ANIM_FLOAT, "angle", ANIM_WHOLE, ANIM_WHOLE, NULL, NULL, UNITY_EULER_CURVES, -1, NULL},
    {ANIM_COLOR, "m_Color", ANIM_WHOLE, 2, "212", NULL, UNITY_FLOAT_CURVES, 212, "m_Color.b"},
    {ANIM_FLOAT4, "material._MainTex_ST", ANIM_WHOLE, 3, "23", NULL, UNITY_FLOAT_CURVES, 23, "material._MainTex_ST.w"},
    {ANIM_FLOAT, "m_Intensity", ANIM_WHOLE, ANIM_WHOLE, "108", NULL, UNITY_FLOAT_CURVES, 108, "m_Intensity"},
    {ANIM_FLOAT, "m_Intensity", ANIM_WHOLE, ANIM_WHOLE, NULL, NULL, UNITY_NO_LIST, -1, NULL},
    {ANIM_FLOAT, "m_Intensity", ANIM_WHOLE, ANIM_WHOLE, "x", NULL, UNITY_NO_LIST, -1, NULL},
    {ANIM_FLOAT4X4, "bones", ANIM_WHOLE, 7, "114", NULL, UNITY_NO_LIST, -1, NULL},
    /* Renamed: the attribute kept from the file means something else now. */
    {ANIM_FLOAT, "m_Tint", 1, ANIM_WHOLE, "212", "m_Color.g", UNITY_FLOAT_CURVES, 212, "m_Tint.y"},
    {ANIM_FLOAT, "visible", ANIM_WHOLE, ANIM_WHOLE, "23", NULL, UNITY_FLOAT_CURVES, 1, "m_IsActive"},
    {ANIM_FLOAT, "position", 1, ANIM_WHOLE, "23", "m_Offset.y", UNITY_FLOAT_CURVES, 4, "m_LocalPosition.y"},
    {ANIM_STRING, "@event", ANIM_WHOLE, ANIM_WHOLE, NULL, NULL, UNITY_EVENTS, -1, NULL},
    {ANIM_STRING, "@method", ANIM_WHOLE, ANIM_WHOLE, NULL, NULL, UNITY_NO_LIST, -1, NULL},
    {ANIM_STRING, "texture", ANIM_WHOLE, ANIM_WHOLE, "212", NULL, UNITY_NO_LIST, -1, NULL},
};

TEST(unity_other_tracks, "tracks from elsewhere go where Unity would bind them, renamed ones under their new name")
{
	struct anim_arena arena = {0};
	struct unity_binding binding;

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		const struct other *other = &others[i];
		struct anim_attr attrs[2];
		struct anim_track track = {.type = other->type,
					   .node = ".",
					   .property = other->property,
					   .component = (uint8_t)other->track_component};
		size_t count = 0;

		if (other->attribute != NULL)
			attrs[count++] = (struct anim_attr){UNITY_ATTR_ATTRIBUTE, other->attribute};
		if (other->class_id != NULL)
			attrs[count++] = (struct anim_attr){UNITY_ATTR_CLASS, other->class_id};
		track.attrs = (struct anim_attrs){attrs, count};
		CHECK(unity_name_write(&track, (uint8_t)other->component, &binding, &arena, NULL) == 0);
		CHECKF(binding.list == other->list, "%zu %s: list %d", i, other->property, binding.list);
		if (other->wanted == NULL)
			continue;
		CHECKF(binding.class_id == other->wanted_class && strcmp(binding.attribute, other->wanted) == 0,
		       "%zu %s: %lld %s", i, other->property, (long long)binding.class_id, binding.attribute);
	}
	anim_arena_clear(&arena);
}

TEST(unity_script_and_flags, "a script and flags that attributes tell come back")
{
	static const struct anim_attr attrs[] = {{UNITY_ATTR_CLASS, "114"},
						 {UNITY_ATTR_FLAGS, "16"},
						 {UNITY_ATTR_SCRIPT, "{fileID: 11500000, guid: a, type: 3}"}};
	struct anim_track track = {
	    .type = ANIM_FLOAT, .property = "speed", .component = ANIM_WHOLE, .attrs = {attrs, 3}};
	struct anim_arena arena = {0};
	struct unity_binding binding;

	CHECK(unity_name_write(&track, ANIM_WHOLE, &binding, &arena, NULL) == 0);
	CHECK(binding.flags == 16 && strcmp(binding.script, attrs[2].value) == 0);
	anim_arena_clear(&arena);
}

/* m_RotationOrder of a track with that order. */
static int number_of(const char *name)
{
	struct anim_attr attr = {"order", name};
	struct anim_track track = {.attrs = {&attr, 1}};

	return unity_order_of(&track);
}

TEST(unity_orders, "m_RotationOrder is the stream's order read backwards, both ways")
{
	static const char *const unity[] = {"XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"};

	for (int i = 0; i < 6; i++) {
		const char *name = unity_order_name(i);

		CHECKF(name != NULL && name[0] == unity[i][2] && name[1] == unity[i][1] && name[2] == unity[i][0], "%d",
		       i);
		CHECKF(number_of(name) == i, "%d", i);
	}
	CHECK(unity_order_name(6) == NULL && unity_order_name(-1) == NULL);
	CHECK(number_of("XXX") == UNITY_ORDER_DEFAULT &&
	      unity_order_of(&(struct anim_track){.n = 0}) == UNITY_ORDER_DEFAULT);
}

TEST(unity_humanoid_names, "the 95 muscles, root, goals and bone translations are told from an animator's parameters")
{
	struct anim_arena arena = {0};
	const char *data = getenv("ANIM_DATA") != NULL ? getenv("ANIM_DATA") : "tests/data";
	char path[4096], line[256];
	size_t lines = 0, muscles = 0;
	FILE *file;

	snprintf(path, sizeof path, "%s/unity/clip_humanoid.tsv", data);
	file = fopen(path, "rb");
	if (!CHECKF(file != NULL, "cannot open %s", path))
		return;
	for (; fgets(line, sizeof line, file) != NULL; lines++) {
		char *name = strchr(line, '\t');
		struct unity_meaning meaning;
		const char *kind;

		*name++ = '\0';
		name[strcspn(name, "\n")] = '\0';
		CHECK(unity_name_read(UNITY_ANIMATOR, name, false, &meaning, &arena, NULL) == 0);
		kind = meaning.humanoid;
		muscles += kind != NULL && strcmp(kind, "muscle") == 0;
		CHECKF(strcmp(kind != NULL ? kind : "-", line) == 0, "'%s' is %s", name, kind != NULL ? kind : "-");
	}
	fclose(file);
	anim_arena_clear(&arena);
	CHECK(lines > 150 && muscles == 95);
}

TEST(unity_fields, "the table knows what a writer writes by default, and what the clip's own members say")
{
	CHECK(strcmp(unity_clip_field_find("m_AnimationClipSettings.m_KeepOriginalPositionY")->value, "1") == 0);
	CHECK(strcmp(unity_clip_field_find("m_Bounds.m_Center")->value, "{x: 0, y: 0, z: 0}") == 0);
	CHECK(unity_clip_field_find("m_GenerateMotionCurves")->value == NULL);
	CHECK(unity_clip_field_find("m_SampleRate")->own && unity_clip_field_find("m_New") == NULL);
	CHECK(unity_clip_field_is_foreign("m_EditorCurves") && !unity_clip_field_is_foreign("m_Legacy"));
	for (size_t i = 1; i < unity_clip_field_count; i++)
		CHECKF(!unity_clip_fields[i].own || unity_clip_fields[i].value == NULL, "%s",
		       unity_clip_fields[i].path);
}
