/* rest.c: finding the rest of a node by the path of a track. */
#include <stdio.h>
#include <string.h>

#include "clip/rest.h"
#include "tap.h"

static int add(struct anim_rests *rests, const char *path, float x)
{
	struct anim_node node = {.path = path, .type = "", .has = ANIM_HAS_POSITION, .position = {x, 0, 0}};
	struct anim_error error;

	return anim_rests_add(rests, &node, &error);
}

TEST(rests_found, "each of thousands of nodes is found by its path below the clip's root, others are not")
{
	struct anim_rests rests = {0};
	const struct anim_rest *rest;
	char path[32];
	int wrong = 0;

	CHECK(anim_rests_find(&rests, ".", "A") == NULL);
	for (int i = 0; i < 5000; i++) {
		(void)snprintf(path, sizeof path, "A/N%d", i);
		wrong += add(&rests, path, (float)i) != 0;
	}
	for (int i = 0; i < 5000; i++) {
		(void)snprintf(path, sizeof path, "N%d", i);
		rest = anim_rests_find(&rests, "A", path);
		wrong += rest == NULL || rest->position[0] != (float)i;
		wrong += anim_rests_find(&rests, ".", path) != NULL;
	}
	CHECK(wrong == 0);
	anim_rests_clear(&rests);
	CHECK(anim_rests_find(&rests, "A", "N1") == NULL);
}

TEST(rests_of_one_path, "of nodes with the same path the first counts, whatever was looked up before")
{
	struct anim_rests rests = {0};
	const struct anim_rest *rest;

	CHECK(add(&rests, "A", 1) == 0 && add(&rests, "B", 2) == 0 && add(&rests, "A", 3) == 0);
	for (int i = 0; i < 3; i++) {
		rest = anim_rests_find(&rests, ".", "B");
		CHECK(rest != NULL && rest->position[0] == 2);
		rest = anim_rests_find(&rests, ".", "A");
		CHECK(rest != NULL && rest->position[0] == 1);
	}
	anim_rests_clear(&rests);
}

TEST(rests_value, "a rest is that of a transform, of a node that is known")
{
	struct anim_attr class = {"unity.class", "114"};
	struct anim_track track = {.type = ANIM_FLOAT, .node = "A", .property = "position", .component = 0};
	struct anim_rests rests = {0};
	float value = 0;

	CHECK(add(&rests, "A", 5) == 0);
	CHECK(anim_rest_value(anim_rests_find(&rests, ".", track.node), &track, &value) && value == 5);
	track.attrs = (struct anim_attrs){.items = &class, .count = 1};
	CHECK(!anim_rest_value(anim_rests_find(&rests, ".", track.node), &track, &value));
	track.attrs.count = 0;
	track.node = "B";
	CHECK(!anim_rest_value(anim_rests_find(&rests, ".", track.node), &track, &value));
	anim_rests_clear(&rests);
}
