/* oracle_reader.c: files that Godot engines wrote, read, sampled, and compared with what the engines showed. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/godot/godot.h"
#include "oracle_compare.h"
#include "stream/store.h"

/* A file as it was read, and the next track of its clip. */
struct reading {
	struct anim_store *store;
	size_t clip, track;
};

static bool read_scene(struct reading *reading, const char *folder, const char *name, struct anim_error *error)
{
	const char *data = getenv("ANIM_DATA") != NULL ? getenv("ANIM_DATA") : "tests/data";
	struct anim_diagnostics diagnostics = {0};
	struct anim_read_options options = {.diagnostics = &diagnostics, .store_memory = 1 << 20};
	struct anim_input *input = NULL;
	char path[512];
	bool good;

	snprintf(path, sizeof path, "%s/oracle/%s/%s", data, folder, name);
	memset(reading, 0, sizeof *reading);
	reading->store = anim_store_new(1 << 20, error);
	good = reading->store != NULL && anim_input_open(&input, path, NULL, error) == 0 &&
	       anim_godot_read(input, &options, anim_store_sink(reading->store), error) == 0;
	anim_input_close(input);
	anim_diagnostics_clear(&diagnostics);
	return good;
}

/* Moves to the clip that the engine calls library/name; a file of one clip has that one. */
static bool find_clip(struct reading *reading, const struct json *json, int animation)
{
	char *library = json_text(json, json_member(json, animation, "library"));
	char *name = json_text(json, json_member(json, animation, "name")), full[512];
	size_t clips = anim_store_clips(reading->store);

	snprintf(full, sizeof full, "%s%s%s", library, library[0] != '\0' ? "/" : "", name);
	free(library);
	free(name);
	reading->track = 0;
	for (reading->clip = 0; reading->clip < clips; reading->clip++)
		if (clips == 1 || strcmp(anim_store_clip(reading->store, reading->clip)->name, full) == 0)
			return true;
	return CHECKF(false, "no clip is called %s", full);
}

static bool fetch(void *context, unsigned part, struct anim_track *track)
{
	struct reading *reading = context;

	(void)part;
	return reading->track < anim_store_tracks(reading->store, reading->clip) &&
	       anim_store_read(reading->store, reading->clip, reading->track++, track, NULL) == 0;
}

static bool is_event(const struct json *json, int track)
{
	int type = json_member(json, track, "type");

	return json_is(json, type, "method") || json_is(json, type, "audio") || json_is(json, type, "animation");
}

static void check_clip(struct reading *reading, const struct json *json, int animation, const char *version,
		       struct oracle_tally *tally)
{
	int times_node = json_member(json, animation, "sample_times"), tracks = json_member(json, animation, "tracks");
	struct anim_clip clip = *anim_store_clip(reading->store, reading->clip);
	struct oracle_case c = {.json = json, .want = json, .clip = &clip, .fetch = fetch, .context = reading};
	struct anim_arena arena = {0};
	double *times;

	c.count = (size_t)json->tokens[times_node].children;
	c.times = times = calloc(c.count + 1, sizeof *times);
	json_numbers(json, times_node, times, c.count);
	if (version != NULL)
		anim_attrs_with(&clip.attrs, &clip.attrs, "godot.version", version, &arena, NULL);
	for (c.node = json_first(json, tracks); c.node >= 0; c.node = json_next(json, tracks, c.node)) {
		if (is_event(json, c.node)) {
			reading->track++;
			continue;
		}
		c.samples = json_member(json, c.node, "samples");
		c.slack = 0;
		if (json_true(json, json_member(json, c.node, "compressed")))
			c.slack = 2e-5; /* the times of pages are float32 here */
		c.faults = c.slack > 0 && c.count > 600 ? 16 : 0;
		oracle_check(&c, tally, &arena);
	}
	free(times);
	anim_arena_clear(&arena);
}

static void check_file(const char *folder, const char *file, const char *version, struct oracle_tally *tally)
{
	struct reading reading;
	struct anim_error error = {0};
	struct json json;
	char name[64];
	int animations;

	snprintf(name, sizeof name, "%s.30.json", file);
	tally->file = file;
	if (!oracle_open(&json, folder, name))
		return;
	if (CHECKF(read_scene(&reading, folder, file, &error), "%s:%u: %s", file, error.line, error.message)) {
		animations = json_member(&json, 0, "animations");
		for (int a = json_first(&json, animations); a >= 0; a = json_next(&json, animations, a))
			if (find_clip(&reading, &json, a))
				check_clip(&reading, &json, a, version, tally);
	}
	anim_store_free(reading.store);
	json_free(&json);
}

static void check_engine(const char *folder, const char *version)
{
	struct oracle_tally total = {0};

	for (size_t i = 0; i < oracle_file_count; i++)
		check_file(folder, oracle_files[i], version, &total);
	CHECKF(total.tracks > 900 && total.samples > 30000, "only %zu tracks, %zu samples", total.tracks,
	       total.samples);
	printf("# %s: %zu tracks, %zu samples, %.2g at most off below 1\n", folder, total.tracks, total.samples,
	       total.worst);
}

TEST(read_47, "every file of Godot 4.7, read and sampled, has the values that Godot showed")
{
	check_engine("godot-4.7", NULL);
}

TEST(read_42, "every file of Godot 4.2, read and sampled by its rules, has the values that Godot showed")
{
	check_engine("godot-4.2", "4.2");
}
