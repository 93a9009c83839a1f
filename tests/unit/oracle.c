/* oracle.c: tracks built from what Godot engines wrote, sampled, and compared with what those engines showed. */
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle_compare.h"

static double *times_of(const struct json *json, int animation, size_t *count)
{
	int node = json_member(json, animation, "sample_times");
	double *times;

	*count = (size_t)json->tokens[node].children;
	times = calloc(*count + 1, sizeof *times);
	json_numbers(json, node, times, *count);
	return times;
}

/*
 * Keys that an engine compressed: it keeps a page's time in double, the stream's times are float32 (1e-6 s apart at 20
 * s; nothing moves faster than 20 a second here). At borders of its packets the engine shows a wrong value, from 19.4
 * s to 19.9 s it holds one: those 15 samples cannot be had from the keys.
 */
static void allow_for_compression(struct oracle_case *c)
{
	if (!json_true(c->json, json_member(c->json, c->node, "compressed")))
		return;
	c->slack = 2e-5;
	c->faults = c->count > 600 ? 16 : 0;
}

static void check_animation(const struct json *json, int animation, const char *version, struct oracle_tally *tally)
{
	int tracks = json_member(json, animation, "tracks");
	struct anim_arena arena = {0};
	struct anim_clip clip;
	struct oracle_case c = {.json = json, .want = json, .clip = &clip};
	double *times = times_of(json, animation, &c.count);

	c.times = times;
	oracle_clip(json, animation, version, &clip, &arena);
	for (c.node = json_first(json, tracks); c.node >= 0; c.node = json_next(json, tracks, c.node)) {
		c.samples = json_member(json, c.node, "samples");
		c.slack = 0;
		c.faults = 0;
		allow_for_compression(&c);
		oracle_check(&c, tally, &arena);
	}
	free(times);
	anim_arena_clear(&arena);
}

static void check_engine(const char *folder, const char *version)
{
	struct oracle_tally total = {0};

	for (size_t i = 0; i < oracle_file_count; i++) {
		char name[64];
		struct json json;
		int animations;

		snprintf(name, sizeof name, "%s.30.json", oracle_files[i]);
		total.file = name;
		if (!oracle_open(&json, folder, name))
			continue;
		animations = json_member(&json, 0, "animations");
		for (int a = json_first(&json, animations); a >= 0; a = json_next(&json, animations, a))
			check_animation(&json, a, version, &total);
		json_free(&json);
	}
	CHECKF(total.tracks > 900 && total.samples > 30000 && total.held < 1000, "%zu tracks, %zu samples, %zu held",
	       total.tracks, total.samples, total.held);
	printf("# %s: %zu tracks, %zu samples, %.2g at most off below 1\n", folder, total.tracks, total.samples,
	       total.worst);
}

TEST(godot_47, "every track that Godot 4.7 wrote has the values that it showed")
{
	check_engine("godot-4.7", NULL);
}

TEST(godot_42, "every track that Godot 4.2 wrote has the values that it showed, by its own rules for cubics")
{
	check_engine("godot-4.2", "4.2");
}

/* The animation that a player calls `name`: library/name, or name in the library without one. */
static int find_animation(const struct json *json, const char *name)
{
	int animations = json_member(json, 0, "animations"), found = -1;

	for (int a = json_first(json, animations); a >= 0 && found < 0; a = json_next(json, animations, a)) {
		char *library = json_text(json, json_member(json, a, "library"));
		char *own = json_text(json, json_member(json, a, "name"));
		size_t length = strlen(library);
		const char *rest = length == 0 ? name : strncmp(name, library, length) == 0 ? name + length + 1 : "";

		if (strcmp(rest, own) == 0)
			found = a;
		free(library);
		free(own);
	}
	return found;
}

static int nth(const struct json *json, int array, int index)
{
	int node = json_first(json, array);

	while (index-- > 0)
		node = json_next(json, array, node);
	return node;
}

static void check_played(const struct json *scene, const struct json *played, int animation, const char *version,
			 struct oracle_tally *tally)
{
	char *name = json_text(played, json_member(played, animation, "name"));
	int described = find_animation(scene, name), tracks = json_member(played, animation, "tracks");
	struct anim_arena arena = {0};
	struct anim_clip clip;
	struct oracle_case c = {.json = scene, .want = played, .clip = &clip, .either_sign = true};
	double *times = times_of(played, animation, &c.count);

	c.times = times;
	if (CHECKF(described >= 0, "no animation %s", name)) {
		oracle_clip(scene, described, version, &clip, &arena);
		for (int t = json_first(played, tracks); t >= 0; t = json_next(played, tracks, t)) {
			if (json_is(played, json_member(played, t, "sample_types"), "Nil"))
				continue; /* the scene has no such property */
			c.node = nth(scene, json_member(scene, described, "tracks"),
				     (int)json_number(played, json_member(played, t, "index")));
			c.samples = json_member(played, t, "samples");
			oracle_check(&c, tally, &arena);
		}
	}
	anim_arena_clear(&arena);
	free(times);
	free(name);
}

static void check_player(const char *folder, const char *version)
{
	struct oracle_tally total = {.file = "scene_libs.tscn.play30.json"};
	struct json scene, played;
	int animations;

	if (!oracle_open(&scene, folder, "scene_libs.tscn.30.json") || !oracle_open(&played, folder, total.file))
		return;
	animations = json_member(&played, 0, "animations");
	for (int a = json_first(&played, animations); a >= 0; a = json_next(&played, animations, a))
		check_played(&scene, &played, a, version, &total);
	CHECKF(total.tracks > 30 && total.samples > 900, "only %zu tracks, %zu samples", total.tracks, total.samples);
	json_free(&scene);
	json_free(&played);
}

TEST(played, "the properties of a playing scene have the values that are sampled, but for a quaternion's sign")
{
	check_player("godot-4.7", NULL);
	check_player("godot-4.2", "4.2");
}

/* Debug engines refuse to blend quaternions that are no rotations and return none; games do blend them. */
static bool is_no_rotation(const struct json *json, int track)
{
	double numbers[8] = {0}, length = 0;

	if (!json_is(json, json_member(json, track, "type"), "rotation_3d"))
		return false;
	json_numbers(json, json_member(json, track, "values"), numbers, 8);
	for (int i = 4; i < 8; i++)
		length += numbers[i] * numbers[i];
	return fabs(length - 1) > 1e-3;
}

/* An update mode that does not exist: 4.2 holds such keys, later engines blend them, and so does the stream. */
static bool is_no_update(const struct json *json, int track)
{
	int update = json_member(json, track, "update");

	return update >= 0 && json_number(json, update) > 2;
}

/* Sampled every quarter of a second; a time behind the clip's end is that end. */
static void check_quirk(const struct json *json, int quirk, const char *version, struct oracle_tally *tally)
{
	int tracks = json_member(json, quirk, "tracks");
	struct anim_arena arena = {0};
	struct anim_clip clip;
	struct oracle_case c = {.json = json, .want = json, .clip = &clip};
	double *times;

	if (tracks < 0 || json->tokens[tracks].kind != '[' || json_member(json, quirk, "length") < 0)
		return;
	oracle_clip(json, quirk, version, &clip, &arena);
	for (c.node = json_first(json, tracks); c.node >= 0; c.node = json_next(json, tracks, c.node)) {
		c.samples = json_member(json, c.node, "samples");
		if (c.samples < 0 || is_no_rotation(json, c.node) || (version != NULL && is_no_update(json, c.node)))
			continue;
		c.count = (size_t)json->tokens[c.samples].children;
		c.times = times = calloc(c.count + 1, sizeof *times);
		for (size_t i = 0; i < c.count; i++)
			times[i] = 0.25 * (double)i < (double)clip.end_s ? 0.25 * (double)i : (double)clip.end_s;
		oracle_check(&c, tally, &arena);
		free(times);
	}
	anim_arena_clear(&arena);
}

static void check_quirks(const char *name, const char *version)
{
	struct oracle_tally total = {.file = name};
	struct json json;
	int key = 1;

	if (!oracle_open(&json, "quirks", name))
		return;
	for (int i = 0; i < json.tokens[0].children; i++, key = json.tokens[key].next) {
		char *quirk = json_text(&json, key);

		total.file = quirk;
		check_quirk(&json, key + 1, version, &total);
		free(quirk);
	}
	CHECKF(total.tracks > 50, "only %zu tracks", total.tracks);
	json_free(&json);
}

TEST(quirks, "what both engines made of odd files is sampled alike")
{
	check_quirks("godot-4.7.json", NULL);
	check_quirks("godot-4.2.json", "4.2");
}
