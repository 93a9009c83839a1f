/* track.c: types, attributes, times, names and invariants of the model. */
#include "clip/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axs.h"
#include "base/limits.h"
#include "tap.h"

TEST(types_have_sizes, "a value of each type has lanes times lane bytes, bools one byte, strings none")
{
	for (int i = 0; i < ANIM_TYPE_COUNT; i++) {
		const struct anim_type_info *info = &anim_types[i];

		CHECKF(info->size == info->stored_components * info->component_size, "%s", info->name);
		CHECKF(anim_type_find(info->name, strlen(info->name)) == i, "%s", info->name);
		CHECKF(info->scalar == ANIM_SCALAR_BOOL || info->scalar == ANIM_SCALAR_TEXT ||
			   info->components == info->stored_components,
		       "%s", info->name);
	}
	CHECK(anim_types[ANIM_DOUBLEQ].size == 32);
	CHECK(anim_types[ANIM_DOUBLE4X4].size == 128);
	CHECK(anim_types[ANIM_BOOL4].size == 1 && anim_types[ANIM_BOOL4].components == 4);
	CHECK(anim_types[ANIM_STRING].size == 0);
	CHECK(ANIM_STRING == 39 && ANIM_FLOATQ == 25 && ANIM_COLOR32 == 38);
}

TEST(types_unknown, "a type that is not spelled as in the table is not found")
{
	CHECK(anim_type_find("floatq", 6) == -1);
	CHECK(anim_type_find("float", 4) == -1);
	CHECK(anim_type_find("", 0) == -1);
}

TEST(types_of_components, "a lane's type is the one-lane type of what the value is made of")
{
	CHECK(anim_type_of_component(ANIM_FLOATQ) == ANIM_FLOAT);
	CHECK(anim_type_of_component(ANIM_COLOR) == ANIM_FLOAT);
	CHECK(anim_type_of_component(ANIM_COLOR32) == ANIM_BYTE);
	CHECK(anim_type_of_component(ANIM_BOOL3) == ANIM_BOOL);
	CHECK(anim_type_of_component(ANIM_LONG4) == ANIM_LONG);
	CHECK(anim_type_of_component(ANIM_DOUBLE2X2) == ANIM_DOUBLE);
	CHECK(anim_type_is_real(ANIM_COLOR) && anim_type_is_real(ANIM_DOUBLEQ));
	CHECK(!anim_type_is_real(ANIM_COLOR32) && !anim_type_is_real(ANIM_STRING) && !anim_type_is_real(ANIM_INT2));
}

TEST(attrs_stay_sorted, "attributes are set, replaced and taken out, and stay sorted")
{
	struct anim_arena arena = {0};
	struct anim_attrs attrs = {0};

	CHECK(anim_attrs_get(&attrs, "order") == NULL);
	CHECK(anim_attrs_with(&attrs, &attrs, "order", "YXZ", &arena, NULL) == 0);
	CHECK(anim_attrs_with(&attrs, &attrs, "godot.type", "value", &arena, NULL) == 0);
	CHECK(anim_attrs_with(&attrs, &attrs, "unity.x", "", &arena, NULL) == 0);
	CHECK(attrs.count == 3 && strcmp(attrs.items[0].key, "godot.type") == 0);
	CHECK(strcmp(anim_attrs_get(&attrs, "order"), "YXZ") == 0);
	CHECK(strcmp(anim_attrs_get(&attrs, "unity.x"), "") == 0);
	CHECK(anim_attrs_with(&attrs, &attrs, "order", "XYZ", &arena, NULL) == 0);
	CHECK(attrs.count == 3 && strcmp(anim_attrs_get(&attrs, "order"), "XYZ") == 0);
	CHECK(anim_attrs_with(&attrs, &attrs, "order", NULL, &arena, NULL) == 0);
	CHECK(attrs.count == 2 && anim_attrs_get(&attrs, "order") == NULL);
	CHECK(anim_attrs_with(&attrs, &attrs, "none", NULL, &arena, NULL) == 0 && attrs.count == 2);
	CHECK(strcmp(attrs.items[1].key, "unity.x") == 0);
	anim_arena_clear(&arena);
}

TEST(attrs_lists, "a line of an attribute is found if it ends, and nothing is read after the text")
{
	static const char text[] = "A\nB/C\nD\0E\n"; /* a stream need not end the last line */
	const struct anim_attr items[] = {{"list", text}};
	const struct anim_attrs attrs = {items, 1};

	CHECK(anim_attrs_list(&attrs, "list", "A") && anim_attrs_list(&attrs, "list", "B/C"));
	CHECK(!anim_attrs_list(&attrs, "list", "B") && !anim_attrs_list(&attrs, "list", "C"));
	CHECK(!anim_attrs_list(&attrs, "list", "D") && !anim_attrs_list(&attrs, "list", "E"));
	CHECK(!anim_attrs_list(&attrs, "other", "A"));
}

TEST(times_of_raw, "a Raw sample stands at start + k * den / num, or start + k * step, in double")
{
	struct anim_track track = axs_raw();

	track.start_s = -1;
	track.rate_num = 30000;
	track.rate_den = 1001;
	CHECK(anim_track_time(&track, 0) == -1);
	CHECK(anim_track_time(&track, 3) == -1 + 3003.0 / 30000);
	track.rate_num = track.rate_den = 0;
	track.step_s = 0.1;
	CHECK(anim_track_time(&track, 3) == -1 + 3 * 0.1);
	track.step_s = 0;
	CHECK(isnan(anim_track_time(&track, 0)));
}

TEST(modes_of_keys, "a key's mode comes from the track or from the column")
{
	static const uint8_t modes[] = {0, 1, 4};
	struct anim_track track = axs_curve();

	CHECK(anim_track_interp(&track, 2) == ANIM_LINEAR && anim_track_has_interp(&track, ANIM_LINEAR));
	CHECK(!anim_track_has_interp(&track, ANIM_HOLD));
	track.interp = ANIM_INTERP_COLUMN;
	track.interps = modes;
	CHECK(anim_track_interp(&track, 2) == ANIM_HERMITE && anim_track_has_interp(&track, ANIM_HOLD));
	CHECK(!anim_track_has_interp(&track, ANIM_WEIGHTED));
}

TEST(labels, "a track is called by its node, property and lane")
{
	struct anim_track track = axs_curve();
	char label[64];

	CHECK(anim_track_label(&track, label, sizeof label) == 12 && strcmp(label, "Box position") == 0);
	track.component = 1;
	anim_track_label(&track, label, sizeof label);
	CHECK(strcmp(label, "Box position.y") == 0);
	track.node = "";
	track.property = "light_color";
	anim_track_label(&track, label, sizeof label);
	CHECK(strcmp(label, "light_color.g") == 0);
	CHECK(anim_track_label(&track, label, 4) == 13 && strcmp(label, "lig") == 0);
	CHECK(strcmp(anim_component_name("self_modulate", 3), "a") == 0);
	CHECK(strcmp(anim_component_name("m_Color", 0), "r") == 0);
	CHECK(strcmp(anim_component_name("col", 0), "x") == 0);
	CHECK(strcmp(anim_component_name("color", 15), "15") == 0);
	CHECK(strcmp(anim_component_name("rotation", 16), "?") == 0);
}

static bool valid(const struct anim_track *track)
{
	return anim_track_validate(track, NULL) == 0;
}

TEST(valid_tracks, "the tracks that the tests are made of are valid")
{
	struct anim_track curve = axs_curve(), raw = axs_raw(), strings = axs_strings();

	CHECK(valid(&curve) && valid(&raw) && valid(&strings));
}

TEST(refused_times,
     "a time that decreases or is not finite is refused at any place of a long column, unless flag 16 says so")
{
	enum { KEYS = 300 };
	float time[KEYS];
	static const float odd[] = {NAN, INFINITY, -INFINITY, -1};
	float *value = calloc(KEYS, sizeof *value);
	struct anim_track track = axs_curve();

	track.type = ANIM_FLOAT;
	track.n = KEYS;
	track.time = time;
	track.value = value;
	for (size_t at = 0; at < KEYS; at++)
		for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
			struct anim_error error = {0};
			char expected[32];

			for (size_t k = 0; k < KEYS; k++)
				time[k] = (float)(k / 2);
			CHECK(valid(&track));
			if (at == 0 && odd[i] == -1)
				continue;
			time[at] = odd[i];
			snprintf(expected, sizeof expected, "the time of key %zu ", at);
			CHECKF(anim_track_validate(&track, &error) != 0 &&
				   strncmp(error.message, expected, strlen(expected)) == 0,
			       "key %zu: %s", at, error.message);
			track.flags = ANIM_UNSORTED;
			CHECK(valid(&track));
			track.flags = 0;
		}
	free(value);
}

TEST(refused_bools, "a bool with more than its bits is refused at any place")
{
	uint8_t value[200] = {0};
	float time[200] = {0};
	struct anim_track track = axs_curve();

	track.type = ANIM_BOOL3;
	track.interp = ANIM_HOLD;
	track.n = sizeof value;
	track.time = time;
	track.value = value;
	for (size_t i = 0; i < sizeof value; i++) {
		value[i] = 7;
		CHECK(valid(&track));
		value[i] = 8;
		CHECKF(!valid(&track), "key %zu", i);
		value[i] = 0;
	}
}

TEST(refused_modes, "a mode that a type cannot hold, or that lacks its columns, is refused")
{
	static const float ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
	static const uint8_t unknown[] = {1, 11, 1};
	struct anim_track track = axs_curve();

	track.interp = ANIM_HERMITE;
	CHECK(!valid(&track));
	track.left = track.right = ones;
	CHECK(valid(&track));
	track.interp = ANIM_BEZIER_2D;
	CHECK(!valid(&track));
	track.type = ANIM_FLOAT;
	CHECK(!valid(&track));
	track.left_x = track.right_x = ones;
	CHECK(valid(&track));
	track.interp = ANIM_HERMITE;
	CHECK(!valid(&track));
	track.left_x = track.right_x = NULL;
	track.type = ANIM_INT;
	CHECK(!valid(&track));
	track.interp = ANIM_LINEAR_ANGLE;
	CHECK(valid(&track));
	track.interp = ANIM_INTERP_COLUMN;
	CHECK(!valid(&track));
	track.interps = unknown;
	CHECK(!valid(&track));
	track.interp = 11;
	CHECK(!valid(&track));
}

TEST(refused_heads, "an unknown kind, type, rule, flag, end or component is refused")
{
	struct anim_track track;

#define BREAK(field, number)    \
	track = axs_curve();    \
	track.field = (number); \
	CHECK(!valid(&track))
	BREAK(kind, 3);
	BREAK(type, ANIM_TYPE_COUNT);
	BREAK(rules, ANIM_RULES_COUNT);
	BREAK(flags, 128);
	BREAK(pre, ANIM_EXTRAPOLATION_COUNT);
	BREAK(post, ANIM_EXTRAPOLATION_COUNT);
	BREAK(component, 0);
	BREAK(n, (size_t)ANIM_KEYS_MAX + 1);
	BREAK(node, "\xff");
	BREAK(time, NULL);
	BREAK(value, NULL);
	BREAK(weighted, (const uint8_t *)"\1\1\1");
#undef BREAK
}

TEST(refused_raw, "a Raw track's numbers are finite, the step is not negative and not beside a rate")
{
	struct anim_track track = axs_raw();

	track.start_s = NAN;
	CHECK(!valid(&track));
	track = axs_raw();
	track.step_s = 1;
	CHECK(!valid(&track));
	track.rate_num = 0;
	CHECK(!valid(&track));
	track.rate_den = 0;
	CHECK(valid(&track));
	track.step_s = -1;
	CHECK(!valid(&track));
}

TEST(long_names, "a name of 65,535 bytes is accepted, one of 65,536 refused")
{
	char *name = malloc(ANIM_NAME_MAX + 2);
	struct anim_track track = axs_curve();

	memset(name, 'n', ANIM_NAME_MAX + 1);
	name[ANIM_NAME_MAX] = '\0';
	track.node = name;
	CHECK(valid(&track));
	name[ANIM_NAME_MAX] = 'n';
	name[ANIM_NAME_MAX + 1] = '\0';
	CHECK(!valid(&track));
	free(name);
}

TEST(no_keys, "a track without keys needs no column pointers")
{
	struct anim_track track = axs_curve(), strings = axs_strings();

	track.n = strings.n = 0;
	track.time = NULL;
	track.value = NULL;
	track.interp = ANIM_HERMITE;
	strings.time = NULL;
	strings.strings = NULL;
	CHECK(valid(&track) && valid(&strings));
}

TEST(refused_weights, "bits of a weighted column that mean nothing are refused")
{
	static const float ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
	uint8_t weighted[] = {1, 3, 2};
	struct anim_track track = axs_curve();

	track.interp = ANIM_WEIGHTED;
	track.left = track.right = ones;
	track.weighted = weighted;
	CHECK(valid(&track));
	weighted[1] = 4;
	CHECK(!valid(&track));
}

TEST(long_strings, "a string of 16 MiB is accepted, a longer one and one outside its column refused")
{
	static const uint64_t start[] = {0, 0, 0};
	uint32_t length[] = {ANIM_TEXT_MAX, ANIM_NULL_STRING, 0};
	struct anim_strings strings = {length, start, NULL, (uint64_t)ANIM_TEXT_MAX + 1};
	struct anim_track track = axs_strings();
	char *bytes = malloc(ANIM_TEXT_MAX + 1);

	memset(bytes, 'x', ANIM_TEXT_MAX + 1);
	strings.bytes = bytes;
	track.strings = &strings;
	CHECK(valid(&track));
	length[0]++;
	CHECK(!valid(&track));
	length[0] = 8;
	strings.bytes_size = 7;
	CHECK(!valid(&track));
	length[0] = 7;
	bytes[6] = '\0';
	CHECK(!valid(&track));
	free(bytes);
}

TEST(attrs_limit, "the 4,097th attribute of a record is refused")
{
	struct anim_arena arena = {0};
	struct anim_attrs attrs = {0};
	struct anim_error error = {0};
	char key[8];

	for (unsigned i = 0; i < ANIM_ATTRS_MAX; i++) {
		snprintf(key, sizeof key, "%u", i);
		CHECK(anim_attrs_with(&attrs, &attrs, key, "", &arena, &error) == 0);
	}
	CHECK(attrs.count == ANIM_ATTRS_MAX && strcmp(attrs.items[0].key, "0") == 0);
	CHECK(anim_attrs_with(&attrs, &attrs, "0", "1", &arena, &error) == 0);
	CHECK(anim_attrs_with(&attrs, &attrs, "one more", "", &arena, &error) == -1 && error.code == ANIM_TOO_LARGE);
	anim_arena_clear(&arena);
}

TEST(track_own_name, "a node's own name stands behind the last '/' or ':' of its path")
{
	CHECK(strcmp(anim_node_own_name("A/Skeleton3D:Hips"), "Hips") == 0);
	CHECK(strcmp(anim_node_own_name("A/B"), "B") == 0);
	CHECK(strcmp(anim_node_own_name("."), ".") == 0);
	CHECK(strcmp(anim_node_own_name("A/"), "") == 0);
}

TEST(track_same_name, "two paths end in one name where own names are the same, or a ':' of one is a '_' of the other")
{
	CHECK(anim_node_same_name("A/Skeleton3D:Hips", "B/Hips"));
	CHECK(anim_node_same_name("a:Hips", "b:Hips"));
	CHECK(anim_node_same_name("A/Skeleton3D:m_Hips", "m:Hips"));
	CHECK(anim_node_same_name("m:Hips", "A/m_Hips"));
	CHECK(anim_node_same_name(".", "."));
	CHECK(!anim_node_same_name("m_Hips", "Hips"));
	CHECK(!anim_node_same_name("a:Hips", "b_Hips"));
	CHECK(!anim_node_same_name("m:Hips", "m_Hip"));
	CHECK(!anim_node_same_name("A/m/Hips", "m_Hips"));
}

static bool is(const char *got, const char *wanted)
{
	return got == NULL || wanted == NULL ? got == wanted : strcmp(got, wanted) == 0;
}

TEST(track_bone_name, "a ':' parts a bone in Godot's clips, behind Godot's names of skeletons and where that is told; "
		      "else it is a letter")
{
	CHECK(is(anim_bone_name("godot4", "A/Rig:Hips", false), "Hips"));
	CHECK(is(anim_bone_name("", "A/Rig:Hips", false), "Hips"));
	CHECK(is(anim_bone_name("bvh", "A/Rig:Hips", false), NULL));
	CHECK(is(anim_bone_name("bvh", "A/Rig:Hips", true), "Hips"));
	CHECK(is(anim_bone_name("bvh", "m:A/m:Rig", true), "Rig"));
	CHECK(is(anim_bone_name("bvh", "m:Hips/Spine", true), NULL));
	CHECK(is(anim_bone_name("gltf", "m:A/Skeleton3D:m:Hips", false), "m:Hips"));
	CHECK(is(anim_bone_name("gltf", "%Rig:Hips", false), "Hips"));
	CHECK(is(anim_bone_name("gltf", "Skeleton3D:", false), NULL));
	CHECK(is(anim_bone_name("gltf", "Skeleton3D/:Hips", false), NULL));
}

TEST(track_node_bone, "a node is a skeleton's bone where its parent is that or another of its bones")
{
	CHECK(is(anim_node_bone("A/Rig:Hips", "A/Rig"), "Hips"));
	CHECK(is(anim_node_bone("A/Rig:m:Spine", "A/Rig:m:Hips"), "m:Spine"));
	CHECK(is(anim_node_bone(".:Hips", "."), "Hips"));
	CHECK(is(anim_node_bone("m:Hips", "."), NULL));
	CHECK(is(anim_node_bone("m:Hips/m:Spine", "m:Hips"), NULL));
	CHECK(is(anim_node_bone("A/m:Hips", "A"), NULL));
	CHECK(is(anim_node_bone("A/Rig:Hips", "A/Rig2"), NULL));
	CHECK(is(anim_node_bone("A/Rig:Hips", "A/Rig:Hips/B"), NULL));
	CHECK(is(anim_node_bone("A/Rig", "A"), NULL));
	CHECK(is(anim_node_bone(".", ""), NULL));
}
