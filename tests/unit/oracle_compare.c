/* oracle_compare.c: our samples of a track against an engine's. */
#include "oracle_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "clip/sample.h"
#include "math/elementary.h"
#include "tap.h"

/* 4 ulp of float32 or 1e-6, whichever is larger: engines and we round at different places. */
static bool is_near(double got, double want, double slack)
{
	double ulp = ldexp(fabs(want), -23);

	if (want != want || isinf(want))
		return want != want ? got != got : got == want;
	return fabs(got - want) <= (4 * ulp > 1e-6 ? 4 * ulp : 1e-6) + slack;
}

bool oracle_is_rounded(const struct json *json, int node)
{
	int types = json_member(json, node, "value_types"), update = json_member(json, node, "update");

	return types >= 0 && json->tokens[types].kind == '[' && json_is(json, json_first(json, types), "int") &&
	       update >= 0 && json_number(json, update) != 1;
}

static bool same_numbers(const struct oracle_case *c, const struct oracle_track *made, int want_node, const void *at,
			 struct oracle_tally *tally)
{
	const struct anim_type_info *info = &anim_types[made->track.type];
	double want[16], got[16], along = 0;
	bool same = true;

	oracle_components(made, c->want, want_node, want);
	if (c->fetch != NULL && oracle_is_rounded(c->json, c->node)) { /* only readers know the player */
		bool angle = made->track.interp == ANIM_LINEAR_ANGLE || made->track.interp == ANIM_CUBIC_ANGLE;

		got[0] = anim_component(made->track.type, at, 0, 0);
		want[0] -= got[0];
		if (angle) /* angles that differ by 360 degrees are equal */
			want[0] = remainder(want[0], 2 * ANIM_PI);
		return got[0] == round(got[0]) && fabs(want[0]) <= 0.501; /* a step is up to 1e-5 s off */
	}
	for (unsigned component = 0; component < info->components; component++) {
		got[component] = anim_component(made->track.type, at, 0, component);
		along += got[component] * want[component];
	}
	for (unsigned component = 0; component < info->components; component++) {
		double sign = info->quaternion && c->either_sign && along < 0 ? -1 : 1, off;

		off = fabs(sign * got[component] - want[component]);
		same = same &&
		       (anim_type_is_real(made->track.type) ? is_near(sign * got[component], want[component], c->slack)
							    : got[component] == want[component]);
		if (off > tally->worst && fabs(want[component]) <= 1 && c->faults == 0)
			tally->worst = off;
	}
	return same;
}

/*
 * Text of values that the stream does not blend is held from its key on, which is the player's rule too; the engine's
 * raw call, which the samples are from, switches half-way.
 */
static bool same_text(const struct oracle_case *c, const struct oracle_track *made, int want_node, double t,
		      const struct anim_text *got, struct oracle_tally *tally)
{
	int values = json_member(c->json, c->node, "values"), key = json_first(c->json, values);
	char *want;
	bool same;

	for (size_t k = 1; made->literal && k < made->track.n && (double)made->track.time[k] < t + 1e-5; k++)
		key = json_next(c->json, values, key);
	tally->held += made->literal;
	want = made->literal ? oracle_text(made, c->json, key) : oracle_text(made, c->want, want_node);
	same = got->length == strlen(want) && memcmp(got->bytes, want, got->length) == 0;
	free(want);
	return same;
}

static bool same_sample(const struct oracle_case *c, const struct oracle_track *made, int want, double t,
			const char *at, bool present, struct oracle_tally *tally)
{
	if (c->want->tokens[want].kind == 'n' && !made->literal)
		return !present;
	if (!present)
		return false;
	if (made->track.type == ANIM_STRING)
		return same_text(c, made, want, t, (const struct anim_text *)at, tally);
	return same_numbers(c, made, want, at, tally);
}

static void compare(const struct oracle_case *c, const struct oracle_track *made, const char *values,
		    const uint8_t *present, struct oracle_tally *tally)
{
	size_t i = 0, wrong = 0, first = 0, size = anim_types[made->track.type].size;

	if (made->track.type == ANIM_STRING)
		size = sizeof(struct anim_text);
	for (int want = json_first(c->want, c->samples); want >= 0 && i < c->count;
	     want = json_next(c->want, c->samples, want), i++)
		if (!same_sample(c, made, want, c->times[i], values + i * size, present[i], tally) && wrong++ == 0)
			first = i;
	CHECKF(wrong <= c->faults, "%s: '%s' %s interp %d: %zu of %zu samples are off, the first at t = %.9g",
	       tally->file, made->track.node, anim_types[made->track.type].name, made->track.interp, wrong, i,
	       c->times[first]);
	tally->samples += i;
}

void oracle_check(const struct oracle_case *c, struct oracle_tally *tally, struct anim_arena *arena)
{
	char *values = calloc(c->count + 1, 128);
	uint8_t *present = calloc(c->count + 1, 1);
	struct anim_sample_state state = {0};
	struct anim_error error = {0};
	struct oracle_track made;

	for (unsigned part = 0; oracle_track(c->json, c->node, part, &made, arena) == 1; part++) {
		int status;

		if (c->fetch != NULL && (!CHECKF(c->fetch(c->context, part, &made.track), "no track") || made.literal))
			continue; /* literals are in another spelling */
		status = anim_sample(c->clip, &made.track, c->times, c->count, values, present, &state, &error);
		CHECKF(status == 0, "%s: %s", tally->file, error.message);
		tally->tracks++;
		if (status == 0 && c->samples >= 0 && c->want->tokens[c->samples].kind == '[')
			compare(c, &made, values, present, tally);
	}
	anim_sample_state_clear(&state);
	free(values);
	free(present);
}

bool oracle_open(struct json *json, const char *folder, const char *name)
{
	const char *data = getenv("ANIM_DATA") != NULL ? getenv("ANIM_DATA") : "tests/data";
	char path[512];

	snprintf(path, sizeof path, "%s/oracle/%s/%s", data, folder, name);
	return CHECKF(json_read(json, path), "%s cannot be read", path);
}

const char *const oracle_files[] = {"bezier_loop0.tres",
				    "bezier_loop1.tres",
				    "easing.tres",
				    "empty.tres",
				    "events.tres",
				    "interp_edge_loop0.tres",
				    "interp_edge_loop2.tres",
				    "interp_loop0_wrap0.tres",
				    "interp_loop1_wrap1.tres",
				    "interp_loop2_wrap1.tres",
				    "library.tres",
				    "odd.tres",
				    "range_loop0.tres",
				    "range_loop1.tres",
				    "rotations.tres",
				    "scene_ext.tscn",
				    "scene_libs.tscn",
				    "update_modes.tres",
				    "value_types.tres",
				    "walk.tres",
				    "compressed.tres",
				    "compressed_pages.tres"};
const size_t oracle_file_count = sizeof oracle_files / sizeof *oracle_files;
