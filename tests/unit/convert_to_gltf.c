/* convert_to_gltf.c: what glTF's one mode a track makes of others. */
#include <math.h>
#include <string.h>

#include "convert_help.h"
#include "format/gltf/gltf.h"
#include "sample_help.h"
#include "tap.h"

static struct convert_bench b;

static size_t run(const struct anim_track *t, float end_s)
{
	struct anim_clip clip = sample_clip(end_s, ANIM_LOOP_NONE);

	convert_begin(&b, &anim_gltf_caps, &clip);
	convert_add(&b, t);
	convert_finish(&b);
	CHECKF(!b.failed, "%s", b.error.message);
	return b.capture.track_count;
}

static bool has_floats(const void *column, const float *wanted, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (((const float *)column)[i] != wanted[i])
			return false;
	return true;
}

TEST(to_gltf_straight, "straight segments beside Hermite ones get their own slope, to the last bit")
{
	static const float times[3] = {0, 0.5f, 2}, values[3] = {1, 4, 10}, zeros[3] = {0, 0, 0};
	static const uint8_t modes[3] = {ANIM_LINEAR, ANIM_HERMITE, ANIM_HERMITE};
	static const float right[2] = {6, 0}, left[3] = {0, 6, 0};
	struct anim_track t = sample_curve(ANIM_RULES_PLAIN, ANIM_INTERP_COLUMN, ANIM_FLOAT, 3, times, values);
	const struct anim_track *got = b.capture.tracks;

	t.property = "blend_shape/x";
	t.interps = modes;
	t.left = t.right = zeros;
	CHECK(run(&t, 2) == 1 && got->interp == ANIM_HERMITE && got->n == 3 && b.diagnostics.count == 0);
	CHECK(has_floats(got->value, values, 3) && has_floats(got->right, right, 2) && has_floats(got->left, left, 3));
	convert_clear(&b);
}

TEST(to_gltf_steps, "a step among straight keys is a key at the float before it")
{
	static const float times[4] = {0, 1, 2, 3}, values[4] = {1, 4, 10, 11};
	static const uint8_t modes[4] = {ANIM_LINEAR, ANIM_HOLD, ANIM_LINEAR, ANIM_LINEAR};
	struct anim_track t = sample_curve(ANIM_RULES_PLAIN, ANIM_INTERP_COLUMN, ANIM_FLOAT, 4, times, values);
	const struct anim_track *got = b.capture.tracks;

	t.property = "blend_shape/x";
	t.interps = modes;
	CHECK(run(&t, 3) == 1 && got->interp == ANIM_LINEAR && got->n == 5 && b.diagnostics.count == 0);
	CHECK(got->time[2] == nextafterf(2, 0) && got->time[3] == 2);
	CHECK(has_floats(got->value, (const float[]){1, 4, 4, 10, 11}, 5));
	convert_clear(&b);
}

TEST(to_gltf_twice, "of keys at one time the first moves to the float before it; keys that rise stay untouched")
{
	static const float times[4] = {0, 1, 1, 2}, values[4] = {1, 4, 10, 11}, rising[4] = {0, 1, 1.5f, 2};
	struct anim_track t = sample_curve(ANIM_RULES_PLAIN, ANIM_LINEAR, ANIM_FLOAT, 4, times, values);
	const struct anim_track *got = b.capture.tracks;

	t.property = "blend_shape/x";
	CHECK(run(&t, 2) == 1 && got->interp == ANIM_LINEAR && got->n == 4 && b.diagnostics.count == 0);
	CHECK(got->time[1] == nextafterf(1, 0) && got->time[2] == 1 && has_floats(got->value, values, 4));
	convert_clear(&b);
	t.time = rising;
	t.record = (const struct anim_record *)(const void *)&t;
	CHECK(run(&t, 2) == 1 && got->record == t.record);
	convert_clear(&b);
}

TEST(to_gltf_infinite, "a component that an infinite slope holds steps, beside others that bend")
{
	static const float times[2] = {0, 1}, values[6] = {1, 0, 0, 2, 1, 0};
	static const float right[6] = {INFINITY, 0, 0, 0, 0, 0}, left[6] = {0, 0, 0, 0, 3, 0};
	struct anim_track t = sample_curve(ANIM_RULES_UNITY, ANIM_HERMITE, ANIM_FLOAT3, 2, times, values);
	const struct anim_track *got = b.capture.tracks;

	t.property = "position";
	t.left = left;
	t.right = right;
	CHECK(run(&t, 1) == 1 && got->interp == ANIM_HERMITE && got->n == 3);
	CHECK(convert_compare(&b, &t, 0, 500) < 1e-5);
	for (size_t i = 0; i < 3 * got->n; i++)
		CHECK(isfinite(((const float *)got->right)[i]) && isfinite(((const float *)got->left)[i]));
	convert_clear(&b);
}

TEST(to_gltf_place, "what glTF has no place for goes through as it is, whatever its mode")
{
	static const float times[2] = {0, 1}, values[2] = {1, 0};
	struct anim_track t = sample_curve(ANIM_RULES_GODOT4, ANIM_CUBIC_TIME, ANIM_FLOAT, 2, times, values);
	const struct anim_track *got = b.capture.tracks;

	t.property = "light_energy";
	t.record = (const struct anim_record *)(const void *)&t;
	CHECK(run(&t, 1) == 1 && got->record == t.record && b.diagnostics.count == 0);
	convert_clear(&b);
}
