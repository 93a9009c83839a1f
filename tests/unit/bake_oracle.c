/* bake_oracle.c: single components of scenes that Godot wrote, joined, against what Godot showed of each component. */
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/bake.h"
#include "format/godot/godot.h"
#include "oracle_compare.h"
#include "stream/store.h"

/* A file that was baked at the rate of the engine's samples; the filter owns the store. */
struct baked {
	struct anim_store *store;
	struct anim_sink *filter;
	struct anim_diagnostics diagnostics;
	size_t clip;
};

struct tally {
	size_t components, samples;
	double worst;
};

static bool bake_file(struct baked *baked, const char *folder, const char *name)
{
	const char *data = getenv("ANIM_DATA") != NULL ? getenv("ANIM_DATA") : "tests/data";
	struct anim_read_options read = {.diagnostics = &baked->diagnostics, .store_memory = 1 << 20};
	struct anim_bake_options bake = {.rate_num = 30, .rate_den = 1, .diagnostics = &baked->diagnostics};
	struct anim_input *input = NULL;
	char path[512];
	bool good;

	memset(baked, 0, sizeof *baked);
	baked->store = anim_store_new(1 << 20, NULL);
	baked->filter = anim_bake_new(&bake, anim_store_sink(baked->store), NULL);
	snprintf(path, sizeof path, "%s/oracle/%s/%s", data, folder, name);
	good = anim_input_open(&input, path, NULL, NULL) == 0 &&
	       anim_godot_read(input, &read, baked->filter, NULL) == 0 && anim_sink_end(baked->filter, NULL) == 0;
	anim_input_close(input);
	return good;
}

static void baked_clear(struct baked *baked)
{
	anim_sink_free(baked->filter);
	anim_diagnostics_clear(&baked->diagnostics);
}

/* The clip that the engine calls library/name; a file of one clip has that one. */
static bool find_clip(struct baked *baked, const struct json *json, int animation)
{
	char *library = json_text(json, json_member(json, animation, "library"));
	char *name = json_text(json, json_member(json, animation, "name")), full[512];
	size_t clips = anim_store_clips(baked->store);

	snprintf(full, sizeof full, "%s%s%s", library, library[0] != '\0' ? "/" : "", name);
	free(library);
	free(name);
	for (baked->clip = 0; baked->clip < clips; baked->clip++)
		if (clips == 1 || strcmp(anim_store_clip(baked->store, baked->clip)->name, full) == 0)
			return true;
	return false;
}

/* "Node:property:x" taken apart in place; the component's number, -1 where the path is of no single position or scale. */
static int take_apart(char *path, char **property)
{
	char *component = strrchr(path, ':'), *letter = component != NULL ? strchr("xyz", component[1]) : NULL;

	if (letter == NULL || component[1] == '\0' || component[2] != '\0')
		return -1;
	*component = '\0';
	*property = strrchr(path, ':');
	if (*property == NULL)
		return -1;
	*(*property)++ = '\0';
	if (strcmp(*property, "position") != 0 && strcmp(*property, "scale") != 0)
		return -1;
	return (int)(letter[0] - 'x');
}

/* All samples of one component; `node` is the engine's track. */
static void check_component(struct baked *baked, const struct json *json, int node, struct tally *tally)
{
	char *path = json_text(json, json_member(json, node, "path")), *property = NULL;
	int component = take_apart(path, &property), samples = json_member(json, node, "samples");
	struct anim_track track;
	ptrdiff_t number = component < 0 ? -1 : anim_store_find(baked->store, baked->clip, 0, path, property);
	double want[4096];
	size_t count;

	if (component >= 0 && json_true(json, json_member(json, node, "enabled")) && samples >= 0 &&
	    CHECKF(number >= 0, "%s %s", path, property) &&
	    CHECK(anim_store_read(baked->store, baked->clip, (size_t)number, &track, NULL) == 0)) {
		count = json_numbers(json, samples, want, 4096);
		CHECK(track.component == ANIM_WHOLE && track.kind == ANIM_RAW && track.n == count);
		for (size_t k = 0; k < count && k < track.n; k++) {
			double off = fabs(anim_component(track.type, track.value, k, (unsigned)component) - want[k]);

			CHECKF(off <= 1e-6 * fmax(1, fabs(want[k])), "%s sample %zu: %g off", path, k, off);
			tally->worst = fmax(tally->worst, off / fmax(1, fabs(want[k])));
		}
		tally->components++;
		tally->samples += count;
	}
	free(path);
}

static void check_folder(const char *folder, struct tally *tally)
{
	for (size_t i = 0; i < oracle_file_count; i++) {
		char name[64];
		struct json json;
		struct baked baked;
		int animations, tracks;

		snprintf(name, sizeof name, "%s.30.json", oracle_files[i]);
		if (!oracle_open(&json, folder, name))
			continue;
		CHECKF(bake_file(&baked, folder, oracle_files[i]), "%s", oracle_files[i]);
		animations = json_member(&json, 0, "animations");
		for (int a = json_first(&json, animations); a >= 0; a = json_next(&json, animations, a)) {
			tracks = json_member(&json, a, "tracks");
			for (int t = find_clip(&baked, &json, a) ? json_first(&json, tracks) : -1; t >= 0;
			     t = json_next(&json, tracks, t))
				check_component(&baked, &json, t, tally);
		}
		baked_clear(&baked);
		json_free(&json);
	}
}

TEST(godot_components, "joined lanes hold what both Godots showed of each")
{
	struct tally tally = {0};

	check_folder("godot-4.7", &tally);
	check_folder("godot-4.2", &tally);
	CHECKF(tally.components >= 10 && tally.samples > 300, "%zu lanes, %zu samples", tally.components,
	       tally.samples);
	printf("# %zu lanes, %zu samples, %.2g at most off below 1\n", tally.components, tally.samples, tally.worst);
}
