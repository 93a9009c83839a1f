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

/* The plain way: the only item whose path ends in the same name. */
static const struct anim_rest *find_plain(const struct anim_rests *rests, const char *node, bool bone)
{
	const struct anim_rest *found = NULL;

	for (size_t i = 0; i < rests->count; i++) {
		if ((bone && rests->items[i].kind != ANIM_NODE_BONE) ||
		    !anim_node_same_name(rests->items[i].path, node))
			continue;
		if (found != NULL)
			return NULL;
		found = &rests->items[i];
	}
	return found;
}

/* Paths of up to seven letters, of which most part names. */
static const char *make_path(char path[8], uint32_t *seed)
{
	size_t length;

	*seed = *seed * 1664525u + 1013904223u;
	length = (*seed >> 24) % 8;
	for (size_t i = 0; i < length; i++) {
		*seed = *seed * 1664525u + 1013904223u;
		path[i] = "ab:._/"[(*seed >> 24) % 6];
	}
	path[length] = '\0';
	return path;
}

TEST(rests_names, "the only node and the only bone of a name are those that a look at every node finds")
{
	struct anim_error error;
	uint32_t seed = 1;
	size_t wrong = 0, found = 0;
	char path[8];

	for (int round = 0; round < 300; round++) {
		struct anim_rests rests = {0};

		for (int i = 0; i < 24; i++) {
			struct anim_node node = {.path = make_path(path, &seed), .type = "", .kind = i % 3 == 0};

			wrong += anim_rests_add(&rests, &node, &error) != 0;
			for (int look = 0; look < (i > 12 ? 20 : 1); look++) {
				const char *name = make_path(path, &seed);
				const struct anim_rest *rest = anim_rests_find_name(&rests, name);

				wrong += rest != find_plain(&rests, name, false);
				wrong += anim_rests_find_bone(&rests, name) != find_plain(&rests, name, true);
				found += rest != NULL;
			}
		}
		anim_rests_clear(&rests);
	}
	CHECK(wrong == 0);
	CHECK(found > 10000);
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
