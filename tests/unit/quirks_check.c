/* quirks_check.c: reads one odd file and compares clip, tracks, keys, samples and messages with the engines' verdicts. */
#include "quirks_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "format/godot/godot.h"
#include "oracle_compare.h"
#include "stream/store.h"
#include "tap.h"

/* One file, read, and what the engine that counts said of it. */
struct trial {
	const struct quirk *quirk;
	struct json json;
	int verdict; /* in json */
	bool loaded; /* by that engine */
	struct anim_store *store;
	struct anim_diagnostics diagnostics;
	struct anim_error error;
	int result;
	struct anim_track track; /* the one that is compared */
};

/* The newer engine's word counts; the older one's where only that loads the file. */
static bool ask_engines(struct trial *trial)
{
	static const char *const engines[] = {"godot-4.7.json", "godot-4.2.json"};

	for (int i = 0; i < 2 && !trial->loaded; i++) {
		json_free(&trial->json);
		if (!oracle_open(&trial->json, "quirks", engines[i]))
			return false;
		trial->verdict = json_member(&trial->json, 0, trial->quirk->name);
		if (!CHECKF(trial->verdict >= 0, "%s does not know the file", engines[i]))
			return false;
		trial->loaded = json_true(&trial->json, json_member(&trial->json, trial->verdict, "loaded"));
	}
	return true;
}

static void read_file(struct trial *trial)
{
	const char *data = getenv("ANIM_DATA") != NULL ? getenv("ANIM_DATA") : "tests/data";
	struct anim_read_options options = {.diagnostics = &trial->diagnostics, .store_memory = 1 << 20};
	struct anim_input *input = NULL;
	char path[512];

	snprintf(path, sizeof path, "%s/oracle/quirks/%s.tres", data, trial->quirk->name);
	trial->result = -1;
	trial->store = anim_store_new(1 << 20, &trial->error);
	if (CHECK(trial->store != NULL) &&
	    CHECKF(anim_input_open(&input, path, NULL, &trial->error) == 0, "%s cannot be opened", path))
		trial->result = anim_godot_read(input, &options, anim_store_sink(trial->store), &trial->error);
	anim_input_close(input);
}

/* The first thing said: a diagnostic, or the error that stopped the reader. */
static void check_message(const struct trial *trial)
{
	const struct anim_diagnostic *first = trial->diagnostics.items;
	const char *says = trial->quirk->says != NULL ? trial->quirk->says : "";
	char text[700] = "", line[600];

	if (trial->diagnostics.count > 0) {
		anim_diagnostic_print(first, line, sizeof line);
		snprintf(text, sizeof text, "%u:%u: %s", first->place.line, first->place.column, line);
	} else if (trial->result != 0)
		snprintf(text, sizeof text, "%u:%u: %s", trial->error.line, trial->error.column, trial->error.message);
	CHECKF(strcmp(text, says) == 0, "says '%s'", text);
	CHECKF(trial->diagnostics.count < 2, "says %zu things", trial->diagnostics.count);
}

/* Where an engine printed an error while it loaded an animation, we speak too, or the row says why not. */
static void check_complaint(const struct trial *trial)
{
	int errors = json_member(&trial->json, trial->verdict, "errors");

	if (json_first(&trial->json, errors) >= 0)
		CHECK(trial->quirk->says != NULL || trial->quirk->reason != NULL);
}

/* "N:x" as the reader spells it: bones keep their path whole, shapes and values are node and property. */
static void expected_names(const char *type, char *path, const char **node, char *property, size_t capacity)
{
	static const char *const events[] = {"method", "audio", "animation"};
	char *colon = strrchr(path, ':');
	size_t length = strlen(type);

	*node = path[0] == '\0' ? "." : path;
	property[0] = '\0';
	for (int i = 0; i < 3; i++)
		if (strcmp(type, events[i]) == 0)
			snprintf(property, capacity, "@%s", type);
	if (length > 3 && strcmp(type + length - 3, "_3d") == 0)
		snprintf(property, capacity, "%.*s", (int)length - 3, type);
	if (property[0] != '\0' || colon == NULL)
		return;
	*colon = '\0';
	snprintf(property, capacity, "%s%s", strcmp(type, "blend_shape") == 0 ? "blend_shape/" : "", colon + 1);
}

static void check_names(const struct trial *trial, int node)
{
	char *type = json_text(&trial->json, json_member(&trial->json, node, "type"));
	char *path = json_text(&trial->json, json_member(&trial->json, node, "path")), property[64];
	const char *name;

	expected_names(type, path, &name, property, sizeof property);
	CHECKF(strcmp(trial->track.node, name) == 0, "node '%s'", trial->track.node);
	CHECKF(strcmp(trial->track.property, property) == 0, "property '%s'", trial->track.property);
	CHECKF(strcmp(anim_attrs_get(&trial->track.attrs, "godot.type"), type) == 0, "type %s", type);
	free(type);
	free(path);
}

/* Times and transitions are float32 in the engine: no tolerance. */
static void check_times(const struct trial *trial, int node)
{
	const struct anim_track *track = &trial->track;
	double times[8] = {0}, eases[8] = {0};
	size_t n = json_numbers(&trial->json, json_member(&trial->json, node, "times"), times, 8);

	json_numbers(&trial->json, json_member(&trial->json, node, "transitions"), eases, 8);
	CHECKF(track->n == n, "%zu keys instead of %zu", track->n, n);
	for (size_t i = 0; i < n && i < track->n; i++) {
		CHECKF(track->time[i] == (float)times[i], "key %zu at %g", i, (double)track->time[i]);
		CHECKF((track->ease == NULL ? 1 : track->ease[i]) == (float)eases[i], "ease of key %zu", i);
	}
}

/* The texts of a string track, where the row has them. */
static void check_texts(const struct trial *trial)
{
	const struct anim_strings *strings = trial->track.strings;

	for (size_t i = 0; i < trial->track.n && i < 3; i++) {
		const char *want = trial->quirk->texts[i], *got = strings->bytes + strings->start[i];

		CHECKF(want != NULL && strings->length[i] == strlen(want) && memcmp(got, want, strlen(want)) == 0,
		       "key %zu is %.*s", i, (int)strings->length[i], got);
	}
}

static void check_strings(const struct trial *trial, const struct oracle_track *made, int values)
{
	const struct anim_strings *strings = trial->track.strings;
	size_t i = 0;

	for (int v = json_first(&trial->json, values); v >= 0 && i < trial->track.n;
	     v = json_next(&trial->json, values, v), i++) {
		char *want = oracle_text(made, &trial->json, v);

		CHECKF(strings->length[i] == strlen(want) &&
			   memcmp(strings->bytes + strings->start[i], want, strlen(want)) == 0,
		       "key %zu is not '%s'", i, want);
		free(want);
	}
}

/* A number is the engine's, or that one as float32 where the track holds float32; int64 does not go through double. */
static bool same_component(const struct anim_track *track, const struct anim_track *made, size_t key,
			   unsigned component)
{
	double got = anim_component(track->type, track->value, key, component);
	double want = anim_component(made->type, made->value, key, component);

	if (track->type == ANIM_LONG && made->type == ANIM_LONG)
		return ((const int64_t *)track->value)[key] == ((const int64_t *)made->value)[key];
	return got == want || (got != got && want != want) || got == (double)(float)want;
}

static bool is_whole(enum anim_type type)
{
	return type == ANIM_INT || type == ANIM_LONG;
}

static void check_numbers(const struct anim_track *track, const struct anim_track *made)
{
	const struct anim_type_info *type = &anim_types[track->type], *want = &anim_types[made->type];

	if (made->n == 0)
		return; /* of what type no value is, the engine does not say */
	if (!CHECKF(type->components == want->components && is_whole(track->type) == is_whole(made->type) &&
			anim_type_is_real(track->type) == anim_type_is_real(made->type) &&
			type->quaternion == want->quaternion,
		    "type %s instead of %s", type->name, want->name))
		return;
	for (size_t i = 0; i < track->n && i < made->n; i++)
		for (unsigned component = 0; component < type->components; component++)
			CHECKF(same_component(track, made, i, component), "lane %u of key %zu is %g", component, i,
			       anim_component(track->type, track->value, i, component));
}

static void check_handles(const struct anim_track *track, const struct anim_track *made)
{
	const void *got[] = {track->left, track->left_x, track->right, track->right_x};
	const void *want[] = {made->left, made->left_x, made->right, made->right_x};

	if (made->interp == ANIM_BEZIER_2D && CHECK(track->interp == ANIM_BEZIER_2D))
		for (int i = 0; i < 4; i++)
			CHECKF(memcmp(got[i], want[i], made->n * sizeof(float)) == 0, "handles %d differ", i);
}

static bool fetch(void *context, unsigned part, struct anim_track *track)
{
	struct trial *trial = context;

	*track = trial->track;
	return part == 0;
}

/* The engine sampled every quarter of a second, at most to the clip's end. */
static void check_samples(struct trial *trial, int node, struct anim_arena *arena)
{
	struct anim_clip clip = *anim_store_clip(trial->store, 0);
	struct oracle_tally tally = {.file = trial->quirk->name};
	struct oracle_case c = {.json = &trial->json,
				.want = &trial->json,
				.node = node,
				.samples = json_member(&trial->json, node, "samples"),
				.clip = &clip,
				.fetch = fetch,
				.context = trial};
	double *times;

	if (c.samples < 0 || trial->quirk->no_samples)
		return;
	c.count = (size_t)trial->json.tokens[c.samples].children;
	c.times = times = calloc(c.count + 1, sizeof *times);
	for (size_t i = 0; i < c.count; i++)
		times[i] = 0.25 * (double)i < (double)clip.end_s ? 0.25 * (double)i : (double)clip.end_s;
	oracle_check(&c, &tally, arena);
	CHECK(tally.tracks == 1);
	free(times);
}

static void check_track(struct trial *trial, int node)
{
	int values = json_member(&trial->json, node, "values");
	struct anim_arena arena = {0};
	struct oracle_track made;
	bool is_event = oracle_track(&trial->json, node, 0, &made, &arena) == 0;
	bool is_rounded = oracle_is_rounded(&trial->json, node); /* its keys become steps */

	check_names(trial, node);
	if (!is_rounded)
		check_times(trial, node);
	CHECK((trial->track.flags & ANIM_LOOP_WRAP_KEYS) ==
	      (json_true(&trial->json, json_member(&trial->json, node, "loop_wrap")) ? ANIM_LOOP_WRAP_KEYS : 0));
	CHECKF(trial->track.kind == (is_event ? ANIM_DISCRETE : made.track.kind), "kind %d", (int)trial->track.kind);
	if (!is_event)
		CHECKF(trial->track.interp == made.track.interp, "mode %s", anim_interp_names[trial->track.interp]);
	if (is_event || made.literal || trial->quirk->texts[0] != NULL)
		check_texts(trial);
	else if (trial->track.type == ANIM_STRING)
		check_strings(trial, &made, values);
	else if (!is_rounded)
		check_numbers(&trial->track, &made.track);
	if (!is_event)
		check_handles(&trial->track, &made.track);
	if (!is_event && trial->quirk->texts[0] == NULL)
		check_samples(trial, node, &arena);
	anim_arena_clear(&arena);
}

static void check_clip(const struct trial *trial)
{
	const struct anim_clip *clip = anim_store_clip(trial->store, 0);
	double loop = json_number(&trial->json, json_member(&trial->json, trial->verdict, "loop_mode"));

	CHECKF(strcmp(clip->name, trial->quirk->name) == 0, "named '%s'", clip->name);
	CHECK(clip->start_s == 0);
	CHECKF(clip->end_s == (float)json_number(&trial->json, json_member(&trial->json, trial->verdict, "length")),
	       "ends at %g", (double)clip->end_s);
	CHECKF(clip->loop == (loop <= 2 ? loop : 0), "loop mode %d", clip->loop);
}

/* The engine loads it: so do we, with the same in it. A resource that is no Animation has no clip. */
static void check_same(struct trial *trial)
{
	int tracks = json_member(&trial->json, trial->verdict, "tracks"), node;
	bool is_clip = json_is(&trial->json, json_member(&trial->json, trial->verdict, "class"), "Animation");
	size_t i = 0;

	CHECKF(trial->result == 0, "%s", trial->error.message);
	if (!CHECK(anim_store_clips(trial->store) == is_clip) || !is_clip)
		return;
	check_clip(trial);
	for (node = json_first(&trial->json, tracks); node >= 0; node = json_next(&trial->json, tracks, node), i++)
		if (CHECKF(i < anim_store_tracks(trial->store, 0), "track %zu is missing", i) &&
		    CHECK(anim_store_read(trial->store, 0, i, &trial->track, &trial->error) == 0))
			check_track(trial, node);
	CHECKF(anim_store_tracks(trial->store, 0) == i, "%zu tracks", anim_store_tracks(trial->store, 0));
}

/* What the row says instead of the engine. */
static void check_otherwise(struct trial *trial)
{
	const struct quirk *quirk = trial->quirk;
	size_t tracks = anim_store_clips(trial->store) > 0 ? anim_store_tracks(trial->store, 0) : 0;

	CHECKF(trial->result == 0, "%s", trial->error.message);
	CHECKF(tracks == (size_t)quirk->tracks, "%zu tracks", tracks);
	CHECK(quirk->reason != NULL && (quirk->verdict != QUIRK_ANYWAY || quirk->says != NULL));
	if (quirk->texts[0] != NULL && tracks > 0 &&
	    CHECK(anim_store_read(trial->store, 0, 0, &trial->track, &trial->error) == 0))
		check_texts(trial);
}

/* Nothing is handed on, and the place is told. */
static void check_refused(const struct trial *trial)
{
	CHECK(trial->result != 0);
	CHECK(anim_store_clips(trial->store) == 0);
	CHECK(trial->quirk->says != NULL);
}

void quirk_check(const struct quirk *quirk)
{
	struct trial trial = {.quirk = quirk};

	if (!ask_engines(&trial))
		return;
	CHECK(trial.loaded == (quirk->verdict == QUIRK_SAME || quirk->verdict == QUIRK_OTHERWISE));
	read_file(&trial);
	check_message(&trial);
	if (trial.loaded)
		check_complaint(&trial);
	if (quirk->verdict == QUIRK_SAME)
		check_same(&trial);
	else if (quirk->verdict == QUIRK_REFUSED)
		check_refused(&trial);
	else
		check_otherwise(&trial);
	anim_store_free(trial.store);
	anim_diagnostics_clear(&trial.diagnostics);
	json_free(&trial.json);
}

void quirk_names(void (*each)(const char *name, void *context), void *context)
{
	struct json json;
	int key = 1;

	if (!oracle_open(&json, "quirks", "godot-4.7.json"))
		return;
	for (int i = 0; i < json.tokens[0].children; i++, key = json.tokens[key].next) {
		char *name = json_text(&json, key);

		each(name, context);
		free(name);
	}
	json_free(&json);
}
