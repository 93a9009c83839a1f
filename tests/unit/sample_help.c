/* sample_help.c: small tracks for the tests of sampling. */
#include "sample_help.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tap.h"

struct anim_track sample_curve(enum anim_rules rules, enum anim_interp interp, enum anim_type type, size_t n,
			       const float *time, const void *value)
{
	return (struct anim_track){.kind = ANIM_CURVE,
				   .type = type,
				   .rules = rules,
				   .node = "N",
				   .property = "p",
				   .component = ANIM_WHOLE,
				   .interp = (uint8_t)interp,
				   .n = n,
				   .time = time,
				   .value = value};
}

struct anim_clip sample_clip(double end_s, enum anim_loop loop)
{
	return (struct anim_clip){
	    .end_s = (float)end_s, .loop = (uint8_t)loop, .name = "c", .root = "", .source = "godot4"};
}

bool sample_value(const struct anim_clip *clip, const struct anim_track *track, double t, void *out)
{
	struct anim_sample_state state = {0};
	struct anim_error error = {0};
	uint8_t present = 0;
	int status = anim_sample(clip, track, &t, 1, out, &present, &state, &error);

	CHECKF(status == 0, "%s", error.message);
	anim_sample_state_clear(&state);
	return present != 0;
}

float sample_float(const struct anim_clip *clip, const struct anim_track *track, double t)
{
	float value;

	return sample_value(clip, track, t, &value) ? value : NAN;
}

const char *sample_string(const struct anim_clip *clip, const struct anim_track *track, double t)
{
	static char buffer[256];
	struct anim_sample_state state = {0};
	struct anim_error error = {0};
	struct anim_text text;
	uint8_t present = 0;
	int status = anim_sample(clip, track, &t, 1, &text, &present, &state, &error);

	CHECKF(status == 0, "%s", error.message);
	if (!present)
		snprintf(buffer, sizeof buffer, "(none)");
	else if (text.length == ANIM_NULL_STRING)
		snprintf(buffer, sizeof buffer, "(null)");
	else
		snprintf(buffer, sizeof buffer, "%.*s", (int)text.length, text.bytes);
	anim_sample_state_clear(&state);
	return buffer;
}

const struct anim_strings *sample_strings(size_t n, const char *const *texts)
{
	static uint32_t length[16];
	static uint64_t start[16];
	static char bytes[1024];
	static struct anim_strings strings = {length, start, bytes, 0};

	strings.bytes_size = 0;
	for (size_t i = 0; i < n && i < 16; i++) {
		length[i] = texts[i] != NULL ? (uint32_t)strlen(texts[i]) : ANIM_NULL_STRING;
		start[i] = strings.bytes_size;
		if (texts[i] == NULL)
			continue;
		memcpy(bytes + start[i], texts[i], length[i]);
		strings.bytes_size += length[i];
	}
	return &strings;
}
