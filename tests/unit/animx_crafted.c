/* animx_crafted.c: the crafted AnimX files: each verdict, and each value of those that are read. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "animx_help.h"
#include "clip/keys.h"
#include "json.h"
#include "tap.h"

#define LEAVES_MAX 4096

/* The scalars of nested arrays, in order. */
static size_t leaves(const struct json *json, int node, int out[LEAVES_MAX])
{
	size_t count = 0;

	if (node < 0)
		return 0;
	for (int at = node; at < json->tokens[node].next && count < LEAVES_MAX; at++)
		if (json->tokens[at].kind != '[')
			out[count++] = at;
	return count;
}

static bool same_text(const struct json *json, int node, const struct anim_strings *strings, size_t k)
{
	char *text;
	bool same;

	if (strings->length[k] == ANIM_NULL_STRING)
		return json->tokens[node].kind == 'n';
	text = json_text(json, node);
	same = json->tokens[node].kind == '"' && strlen(text) == strings->length[k] &&
	       memcmp(text, strings->bytes + strings->start[k], strings->length[k]) == 0;
	free(text);
	return same;
}

static bool same_component(const struct json *json, int node, enum anim_type type, const void *column, size_t k,
			   unsigned component)
{
	double wanted, is;

	if (anim_types[type].scalar == ANIM_SCALAR_U64)
		return (uint64_t)anim_component_integer(type, column, k, component) ==
		       strtoull(json->text + json->tokens[node].start, NULL, 10);
	if (anim_types[type].scalar == ANIM_SCALAR_I64)
		return anim_component_integer(type, column, k, component) ==
		       strtoll(json->text + json->tokens[node].start, NULL, 10);
	wanted = json_number(json, node);
	is = anim_component(type, column, k, component);
	return wanted == is && signbit(wanted) == signbit(is);
}

static bool same_column(const struct json *json, int node, const struct anim_track *track, const void *column)
{
	unsigned components = anim_types[track->type].components;
	int leaf[LEAVES_MAX];
	size_t count = leaves(json, node, leaf);

	if (track->type == ANIM_STRING)
		components = 1;
	if (count != track->n * components)
		return false;
	for (size_t i = 0; i < count; i++)
		if (track->type == ANIM_STRING ? !same_text(json, leaf[i], track->strings, i)
					       : !same_component(json, leaf[i], track->type, column, i / components,
								 (unsigned)(i % components)))
			return false;
	return true;
}

static bool same_times(const struct json *json, int expected, const struct anim_track *track)
{
	int leaf[LEAVES_MAX];
	size_t count = leaves(json, json_member(json, expected, "time"), leaf);

	if (track->kind == ANIM_RAW) {
		double step = track->rate_num != 0 ? track->rate_den / (double)track->rate_num : track->step_s;

		return (double)(float)step == json_number(json, json_member(json, expected, "interval"));
	}
	for (size_t k = 0; k < count; k++)
		if ((double)track->time[k] != json_number(json, leaf[k]))
			return false;
	return count == track->n;
}

/* Strings have no tangents, so their keys hold where the file says more than Linear. */
static bool same_modes(const struct json *json, int expected, const struct anim_track *track)
{
	int leaf[LEAVES_MAX];
	size_t count = leaves(json, json_member(json, expected, "interpolation"), leaf);

	for (size_t k = 0; track->kind == ANIM_CURVE && k < track->n; k++) {
		int mode = (int)json_number(json, leaf[count == 1 ? 0 : k]);

		if (track->type == ANIM_STRING && mode > ANIM_LINEAR)
			mode = ANIM_HOLD;
		if ((int)anim_track_interp(track, k) != mode)
			return false;
	}
	return true;
}

static bool same_tangents(const struct json *json, int expected, const struct anim_track *track)
{
	int left = json_member(json, expected, "leftTangent"), right = json_member(json, expected, "rightTangent");

	if (track->type == ANIM_STRING || left < 0)
		return true;
	return track->left != NULL && same_column(json, left, track, track->left) &&
	       same_column(json, right, track, track->right);
}

static void check_track(const struct json *json, int expected, const struct anim_track *track, const char *name)
{
	const char *type = anim_types[track->type].name;

	CHECKF(json_is(json, json_member(json, expected, "valueType"), type), "%s: type %s", name, type);
	CHECKF(json_is(json, json_member(json, expected, "trackType"), anim_kind_names[track->kind]), "%s: kind", name);
	CHECKF(json_is(json, json_member(json, expected, "property"), track->property), "%s: %s", name,
	       track->property);
	CHECKF((double)track->n == json_number(json, json_member(json, expected, "count")), "%s: keys", name);
	CHECKF(same_times(json, expected, track), "%s: times of %s", name, type);
	CHECKF(same_column(json, json_member(json, expected, "value"), track, track->value), "%s: values of %s", name,
	       type);
	CHECKF(same_modes(json, expected, track), "%s: modes of %s", name, type);
	CHECKF(same_tangents(json, expected, track), "%s: tangents of %s", name, type);
}

static void check_values(struct animx_trial *trial, const char *name)
{
	char path[300];
	struct json json;
	struct anim_track track;
	int expected;
	size_t i = 0;

	snprintf(path, sizeof path, "good/%s.expect.json", name);
	if (!CHECKF(json_read(&json, animx_path(path)), "%s", path))
		return;
	for (expected = json_first(&json, 0); expected >= 0; expected = json_next(&json, 0, expected), i++)
		if (CHECKF(i < anim_store_tracks(trial->store, 0) &&
			       anim_store_read(trial->store, 0, i, &track, NULL) == 0,
			   "%s: track %zu", name, i))
			check_track(&json, expected, &track, name);
	CHECKF(i == anim_store_tracks(trial->store, 0), "%s: %zu tracks", name, i);
	json_free(&json);
}

static void check_verdict(const struct json *json, int entry, const char *folder, const char *name)
{
	struct animx_trial trial = {0};
	int verdict = json_member(json, entry, "verdict");
	char path[300];
	bool read;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	read = animx_read_file(&trial, animx_path(path));
	if (json_is(json, verdict, "refuse"))
		CHECKF(!read, "%s was read", name);
	else if (json_is(json, verdict, "accept") || json_is(json, verdict, "warn") || strcmp(folder, "good") == 0)
		CHECKF(read, "%s: %s", name, trial.error.message);
	if (json_is(json, verdict, "warn"))
		CHECKF(trial.diagnostics.warnings > 0, "%s: no warning", name);
	if (!read)
		CHECKF(trial.error.message[0] != '\0' && trial.error.at == ANIM_AT_BYTE &&
			   strstr(trial.error.file, name) != NULL,
		       "%s: %s", name, trial.error.message);
	if (read && strcmp(folder, "good") == 0)
		check_values(&trial, name);
	animx_clear(&trial);
}

static void check_folder(const char *folder, int least)
{
	char path[300];
	struct json json;
	int count = 0;

	snprintf(path, sizeof path, "%s/manifest.json", folder);
	if (!CHECKF(json_read(&json, animx_path(path)), "%s", path))
		return;
	for (int entry = json_first(&json, 0); entry >= 0; entry = json_next(&json, 0, entry), count++) {
		char *name = json_text(&json, json_member(&json, entry, "file"));

		check_verdict(&json, entry, folder, name);
		free(name);
	}
	CHECKF(count >= least, "%d files", count);
	json_free(&json);
}

TEST(animx_good, "every good AnimX file is read with the values that it was made of")
{
	check_folder("good", 49);
}

TEST(animx_bad, "every bad AnimX file gets its verdict, and a place where it is refused")
{
	check_folder("bad", 45);
}
