/* animj_names.c: nodes and properties in AnimJ. */
#include <stdio.h>
#include <string.h>

#include "animj_document.h"
#include "base/advice.h"
#include "tap.h"

TEST(animj_node_names, "slots have the last name of the path, bones their own, the root the tree's")
{
	static const struct {
		const char *source, *root, *node, *name;
	} cases[] = {
	    {"godot4", ".", "A/B", "B"},           {"godot4", ".", ".", "Scene"},
	    {"godot4", ".", "", "Scene"},          {"godot4", "Hero", ".", "Hero"},
	    {"godot4", "Hero/Body", "..", "Hero"}, {"godot4", "Hero/Body", "../..", "Scene"},
	    {"godot4", "Hero", "../Box", "Box"},   {"godot4", "Hero", "../../..", ""},
	    {"godot4", ".", "A/./B/", "B"},        {"godot4", ".", "A/Skeleton3D:Hips", "Hips"},
	    {"godot4", ".", "A/%Hand", "Hand"},    {"unity", "", "Armature/mixamorig:Hips", "mixamorig:Hips"},
	    {"animj", "", "L/R", "L/R"},           {"animx", ".", "a.b:c/", "a.b:c/"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const float values[] = {1};
		struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 1, animj_two_times, values);
		struct animj_document d;
		char wanted[64];

		animj_start(&d);
		d.root_name = "Scene";
		d.clip.root = cases[i].root;
		d.clip.source = cases[i].source;
		t.node = cases[i].node;
		animj_add(&d, &t);
		snprintf(wanted, sizeof wanted, "\"node\":\"%s\",", cases[i].name);
		CHECKF(strstr(animj_finish(&d), wanted) != NULL, "%s %s: %s", cases[i].root, cases[i].node, d.text);
		animj_discard(&d);
	}
}

TEST(animj_no_tree, "without a tree the root has no name, and so has a slot of Resonite's that had none")
{
	static const char *const sources[] = {"godot4", "animj", "animx"};
	const float values[] = {1};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 1, animj_two_times, values);
	struct animj_document d;

	t.node = ".";
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		animj_start(&d);
		d.clip.source = sources[i];
		animj_add(&d, &t);
		CHECKF(strstr(animj_finish(&d), "\"node\":\"\",") != NULL, "%s: %s", sources[i], d.text);
		animj_discard(&d);
	}
}

TEST(animj_source_names, "names of the source keep both halves, and Euler angles")
{
	const float values[] = {1, 2, 3};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT3, "euler", 1, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	d.options.source_names = true;
	animj_add(&d, &t);
	animj_finish(&d);
	CHECKF(strstr(d.text, "\"float3\",\"data\":{\"node\":\"A/Box\",\"property\":\"euler\"") != NULL, "%s", d.text);
	CHECK(d.diagnostics.count == 0);
	animj_discard(&d);
}

TEST(animj_doubles, "two nodes or two tracks with one name are warned of once each")
{
	const float values[] = {1};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "energy", 1, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	animj_add(&d, &t);
	t.property = "color";
	animj_add(&d, &t);
	CHECK(d.diagnostics.warnings == 0); /* a note says that nothing binds them */
	animj_add(&d, &t);
	CHECKF(strcmp(animj_diagnostic(&d, 1),
		      "track 'A/Box color': another track has the same node and property (animj: 'Box' 'color')") == 0,
	       "%s", animj_diagnostic(&d, 1));
	t.node = "B/Box";
	t.property = "range";
	animj_add(&d, &t);
	CHECKF(strcmp(animj_diagnostic(&d, 2),
		      "node 'B/Box' (named 'Box' in animj): same name as another node; " ANIM_ADVICE(RENAME_NODES)) ==
		   0,
	       "%s", animj_diagnostic(&d, 2));
	t.property = "size";
	animj_add(&d, &t);
	CHECK(d.diagnostics.count == 3 && d.diagnostics.items[2].count == 1);
	animj_finish(&d);
	animj_discard(&d);
}

TEST(animj_component, "a lone lane is written under its name and warned of")
{
	const float values[] = {1};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "position", 1, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	t.component = 0;
	animj_add(&d, &t);
	CHECK(strstr(animj_finish(&d), "\"property\":\"Position.x\"") != NULL);
	CHECKF(strcmp(animj_diagnostic(&d, 0),
		      "track 'A/Box position.x': single components, which Resonite cannot bind; animate the whole "
		      "value") == 0,
	       "%s", animj_diagnostic(&d, 0));
	animj_discard(&d);
}

TEST(animj_euler_component, "an Euler lane does not pass for one of the quaternion's")
{
	const float values[] = {1};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT, "euler", 1, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	t.component = 2;
	animj_add(&d, &t);
	CHECKF(strstr(animj_finish(&d), "\"property\":\"Euler.z\"") != NULL, "%s", d.text);
	animj_discard(&d);
}

TEST(animj_binding, "a track that is not of its field's type is warned of")
{
	const float values[] = {1, 2};
	struct anim_track t = animj_make(ANIM_DISCRETE, ANIM_FLOAT2, "position", 1, animj_two_times, values);
	struct animj_document d;

	animj_start(&d);
	animj_add(&d, &t);
	animj_finish(&d);
	CHECKF(
	    strcmp(animj_diagnostic(&d, 0),
		   "track 'A/Box position' (float2, but Resonite's Position is float3): another type than the field, "
		   "so it will not bind") == 0,
	    "%s", animj_diagnostic(&d, 0));
	animj_discard(&d);
}
