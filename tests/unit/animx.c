/* animx.c: AnimX bytes, both ways. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "animx_help.h"
#include "base/advice.h"
#include "base/text.h"
#include "tap.h"

static const struct anim_write_options plain;

static struct anim_clip make_clip(float end_s)
{
	return (struct anim_clip){
	    .end_s = end_s, .axes = ANIM_AXES_RESONITE, .name = "test", .root = ".", .source = "animx"};
}

/* The file that the notes on the format take apart byte by byte, put together from them: 140 bytes. */
static size_t worked_example(uint8_t out[140])
{
	static const uint8_t head[] = {5, 'A', 'n',  'i',  'm', 'X', 1,   0,   0,   0, 2,
				       0, 0,   0xa0, 0x40, 4,   't', 'e', 's', 't', 0};
	static const char ints[] = "\1\12\11listtrack\3int\6", texts[] = "\1\47\11listtrack\6string\3";
	static const char *const words[] = {"first", "second", "third"};
	static const int32_t numbers[] = {1, 76, 2, -3, 4, 5};
	uint8_t *at = out;

	at = (uint8_t *)memcpy(at, head, sizeof head) + sizeof head;
	at = (uint8_t *)memcpy(at, ints, sizeof ints - 1) + sizeof ints - 1;
	for (int k = 0; k < 6; k++) {
		float time = (float)k;

		memcpy(at, &time, 4);
		memcpy(at + 4, &numbers[k], 4);
		at += 8;
	}
	at = (uint8_t *)memcpy(at, texts, sizeof texts - 1) + sizeof texts - 1;
	for (int k = 0; k < 3; k++) {
		float time = (float)k;

		memcpy(at, &time, 4);
		at[4] = 1;
		at[5] = (uint8_t)strlen(words[k]);
		memcpy(at + 6, words[k], at[5]);
		at += 6 + at[5];
	}
	return (size_t)(at - out);
}

TEST(animx_example, "the worked example of 140 bytes is read to its last byte and written the same")
{
	struct animx_trial read = {0}, written = {0};
	struct anim_track track;
	uint8_t bytes[160];
	const uint8_t *again;
	size_t size = worked_example(bytes);

	CHECK(size == 140);
	if (CHECKF(animx_read_bytes(&read, bytes, size), "%s", read.error.message)) {
		CHECK(anim_store_tracks(read.store, 0) == 2 && read.diagnostics.count == 0);
		CHECK(anim_store_clip(read.store, 0)->end_s == 5);
		CHECK(anim_store_read(read.store, 0, 0, &track, NULL) == 0 && track.n == 6 && track.type == ANIM_INT);
		CHECK(track.time[1] == 1 && ((const int32_t *)track.value)[1] == 76);
		CHECK(anim_store_read(read.store, 0, 1, &track, NULL) == 0 && track.strings->length[1] == 6 &&
		      memcmp(track.strings->bytes + track.strings->start[1], "second", 6) == 0);
		CHECKF(animx_write_store(&written, &plain, read.store), "%s", written.error.message);
		again = anim_output_memory(written.out, &size);
		CHECK(size == 140 && memcmp(again, bytes, size) == 0);
	}
	animx_clear(&read);
	animx_clear(&written);
}

TEST(animx_prefixes, "every proper prefix of a file is refused, and one byte more, in each encoding")
{
	uint8_t bytes[160], *more;
	size_t size = worked_example(bytes), full;
	struct animx_trial read = {0};

	CHECK(animx_read_bytes(&read, bytes, size));
	for (int encoding = 0; encoding < ANIM_ANIMX_ENCODING_COUNT; encoding++) {
		const struct anim_write_options options = {.encoding = (enum anim_animx_encoding)encoding};
		struct animx_trial written = {0};
		const uint8_t *file;

		if (!CHECKF(animx_write_store(&written, &options, read.store), "%s", written.error.message))
			continue;
		file = anim_output_memory(written.out, &full);
		more = calloc(1, full + 1);
		memcpy(more, file, full);
		for (size_t cut = 0; cut <= full + 1; cut++) {
			struct animx_trial trial = {0};
			bool good = animx_read_bytes(&trial, more, cut);

			CHECKF(good == (cut == full), "encoding %d, %zu of %zu bytes: %s", encoding, cut, full,
			       trial.error.message);
			animx_clear(&trial);
		}
		free(more);
		animx_clear(&written);
	}
	animx_clear(&read);
}

TEST(animx_flips, "a file with any byte changed is refused or read, and what is read can be written")
{
	uint8_t bytes[160];
	size_t size = worked_example(bytes);

	for (size_t at = 0; at < 8 * size; at++) {
		struct animx_trial read = {0}, written = {0};

		bytes[at / 8] ^= (uint8_t)(1u << at % 8);
		if (animx_read_bytes(&read, bytes, size))
			CHECKF(animx_write_store(&written, &plain, read.store) ||
				   written.error.code == ANIM_UNSUPPORTED,
			       "bit %zu: %s", at, written.error.message);
		else
			CHECKF(read.error.message[0] != '\0', "bit %zu: no message", at);
		bytes[at / 8] ^= (uint8_t)(1u << at % 8);
		animx_clear(&read);
		animx_clear(&written);
	}
}

/* A Curve of two float keys in a file of its own: 21 + 7 + 2 + 16 bytes. */
static size_t two_keys(uint8_t out[64], const float halves[4])
{
	static const char head[] = "\5AnimX\1\0\0\0\1\0\0\200\77\4test\0\2\25\1A\1P\2\0\1";

	memcpy(out, head, sizeof head - 1);
	memcpy(out + sizeof head - 1, halves, 16);
	return sizeof head - 1 + 16;
}

static void check_order(const float halves[4], const float times[2], size_t warnings, const char *what)
{
	struct animx_trial read = {0};
	struct anim_track track;
	uint8_t bytes[64];
	size_t size = two_keys(bytes, halves);

	if (CHECKF(animx_read_bytes(&read, bytes, size) == (times != NULL), "%s: %s", what, read.error.message) &&
	    times != NULL && CHECK(anim_store_read(read.store, 0, 0, &track, NULL) == 0)) {
		CHECKF(track.time[0] == times[0] && track.time[1] == times[1], "%s: %g, %g", what,
		       (double)track.time[0], (double)track.time[1]);
		CHECKF(read.diagnostics.warnings == warnings, "%s: %zu warnings", what, read.diagnostics.warnings);
	}
	animx_clear(&read);
}

TEST(animx_key_order, "the half of Curve keys that rises is the time; where both do it is the first, with a warning")
{
	check_order((const float[]){0, 5, 1, 4}, (const float[]){0, 1}, 0, "time first");
	check_order((const float[]){5, 0, 4, 1}, (const float[]){0, 1}, 1, "value first");
	check_order((const float[]){0, 0.25f, 0.5f, 0.75f}, (const float[]){0, 0.5f}, 1, "both");
	check_order((const float[]){0, 5, 1, 6}, (const float[]){0, 1}, 0, "both, but only one within the duration");
	check_order((const float[]){5, 0, 6, 1}, (const float[]){0, 1}, 1, "the other within the duration");
	check_order((const float[]){0.25f, 0, 0.5f, 1}, (const float[]){0, 1}, 1, "both, but one ends with the clip");
	check_order((const float[]){3, -1, 2, -2}, NULL, 0, "neither");
}

TEST(animx_key_order_of_file, "a track that can be read one way only settles the order of the tracks before it")
{
	static const char head[] = "\5AnimX\1\0\0\0\2\0\0\200\77\4test\0\2\25\1A\1P\2\0\1";
	static const char next[] = "\2\25\1B\1P\2\0\1";
	const float both[] = {0, 5, 1, 6}, second[] = {9, 0, 8, 2};
	struct animx_trial read = {0};
	struct anim_track track;
	uint8_t bytes[128];
	size_t size = sizeof head - 1;

	memcpy(bytes, head, size);
	memcpy(bytes + size, both, 16);
	memcpy(bytes + size + 16, next, sizeof next - 1);
	memcpy(bytes + size + 16 + sizeof next - 1, second, 16);
	if (CHECKF(animx_read_bytes(&read, bytes, size + 32 + sizeof next - 1), "%s", read.error.message)) {
		CHECK(anim_store_read(read.store, 0, 0, &track, NULL) == 0 && track.time[0] == 5 && track.time[1] == 6);
		CHECK(((const float *)track.value)[1] == 1);
		CHECK(anim_store_clip(read.store, 0)->end_s == 6);
		CHECK(read.diagnostics.warnings == 1);
	}
	animx_clear(&read);
}

static const float quarter[] = {0, 0.25f};

static struct anim_track make_curve(enum anim_type type, const void *values, uint8_t mode)
{
	return (struct anim_track){.kind = ANIM_CURVE,
				   .type = type,
				   .rules = ANIM_RULES_RESONITE,
				   .node = "A/B",
				   .property = "position",
				   .component = ANIM_WHOLE,
				   .interp = mode,
				   .n = 2,
				   .time = quarter,
				   .value = values};
}

TEST(animx_bytes, "a Curve is written with its flags, modes, keys and tangents, in the orders asked for")
{
	static const char head[] = "\5AnimX\1\0\0\0\1\0\0\200\77\4test\0\2\25\1B\6energy\2\3\2\3";
	const float values[] = {1, 2}, left[] = {3, 4}, right[] = {5, 6};
	const float usual[] = {0, 1, 0.25f, 2, 3, 5, 4, 6}, other[] = {1, 0, 2, 0.25f, 5, 3, 6, 4};
	const uint8_t modes[] = {ANIM_TANGENT, ANIM_CUBIC_BEZIER};
	const struct anim_write_options swapped = {.key_order = ANIM_ANIMX_VALUE_TIME,
						   .tangent_order = ANIM_ANIMX_RIGHT_LEFT};
	struct anim_track track = make_curve(ANIM_FLOAT, values, ANIM_INTERP_COLUMN);
	struct anim_clip clip = make_clip(1);

	clip.source = "unity";
	track.interps = modes;
	track.left = left;
	track.right = right;
	track.property = "energy";
	for (int i = 0; i < 2; i++) {
		struct animx_trial written = {0};
		const uint8_t *bytes;
		size_t size;

		if (CHECKF(animx_write(&written, i == 0 ? &plain : &swapped, &clip, &track, 1), "%s",
			   written.error.message)) {
			bytes = anim_output_memory(written.out, &size);
			CHECK(size == sizeof head - 1 + 32 && memcmp(bytes, head, sizeof head - 1) == 0);
			CHECK(memcmp(bytes + sizeof head - 1, i == 0 ? usual : other, 32) == 0);
		}
		animx_clear(&written);
	}
}

static void check_refusal(const struct anim_track *track, float start_s, const char *part)
{
	struct animx_trial written = {0};
	struct anim_clip clip = make_clip(start_s + 1);

	clip.start_s = start_s;
	CHECKF(!animx_write(&written, &plain, &clip, track, 1) && strstr(written.error.message, part) != NULL,
	       "'%s' instead of '%s'", written.error.message, part);
	animx_clear(&written);
}

TEST(animx_refusals, "what AnimX has no place for is refused with the way round")
{
	const float values[] = {0, 0, 0, 1, 1, 1};
	struct anim_track hermite = make_curve(ANIM_FLOAT3, values, ANIM_HERMITE);
	struct anim_track late = make_curve(ANIM_FLOAT3, values, ANIM_LINEAR);
	struct anim_track euler = make_curve(ANIM_FLOAT3, values, ANIM_LINEAR);

	hermite.left = hermite.right = values;
	euler.property = "euler";
	check_refusal(&hermite, 0,
		      "track 'A/B position' is a Hermite curve; animx cannot hold it: " ANIM_ADVICE_TO(SAMPLE, "30"));
	check_refusal(&late, 0.5f, "has keys up to 0.5 s before the clip's start");
	check_refusal(&euler, 0, "has angles, but Resonite rotates with quaternions: " ANIM_ADVICE(BAKE));
}

TEST(animx_left_out, "no empty track is written, and disabled ones are left out; nothing of an empty one is lost")
{
	const float values[] = {0, 0, 0, 1, 1, 1};
	struct anim_track tracks[3];
	struct anim_clip clip = make_clip(1);
	struct animx_trial written = {0}, read = {0};
	const uint8_t *bytes;
	size_t size;

	for (int i = 0; i < 3; i++)
		tracks[i] = make_curve(ANIM_FLOAT3, values, ANIM_LINEAR);
	tracks[0].n = 0;
	tracks[1].flags = ANIM_DISABLED;
	CHECKF(animx_write(&written, &plain, &clip, tracks, 3), "%s", written.error.message);
	CHECK(written.diagnostics.warnings == 1 && written.diagnostics.count == 2);
	bytes = anim_output_memory(written.out, &size);
	CHECK(animx_read_bytes(&read, bytes, size) && anim_store_tracks(read.store, 0) == 1);
	animx_clear(&written);
	animx_clear(&read);
}

TEST(animx_one_clip, "a second clip is an error, and so is none")
{
	struct animx_trial written = {0}, none = {0};
	const struct anim_write_options options = {.diagnostics = &none.diagnostics};
	struct anim_clip clip = make_clip(1);
	struct anim_sink *sink;

	CHECK(anim_output_open_memory(&none.out, NULL) == 0);
	sink = anim_animx_writer_new(none.out, &options, &none.error);
	CHECK(anim_sink_end(sink, &none.error) == -1 && none.error.code == ANIM_BAD_INPUT);
	anim_sink_free(sink);
	sink = anim_animx_writer_new(none.out, &options, &none.error);
	CHECK(anim_sink_clip(sink, &clip, &none.error) == 0 && anim_sink_clip(sink, &clip, &none.error) == -1);
	CHECK(strcmp(none.error.message, "animx holds one clip; 'test' is a second one") == 0);
	anim_sink_free(sink);
	animx_clear(&written);
	animx_clear(&none);
}

TEST(animx_names, "canonical names are Resonite's in the file and come back, others stay")
{
	static const struct {
		const char *model, *field;
		enum anim_type type;
	} names[] = {{"position", "Position", ANIM_FLOAT3}, {"rotation", "Rotation", ANIM_FLOATQ},
		     {"scale", "Scale", ANIM_FLOAT3},       {"visible", "Active", ANIM_BOOL},
		     {"Rotation", "Rotation", ANIM_FLOAT3}, {"blend_shape/Smile", "BlendShape.Smile", ANIM_FLOAT},
		     {"energy", "energy", ANIM_FLOAT}};
	const float values[8] = {0, 0, 0, 1, 0, 0, 0, 1};
	const uint8_t bools[] = {0, 1};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct anim_track track =
		    make_curve(names[i].type, names[i].type == ANIM_BOOL ? (const void *)bools : values, ANIM_HOLD);
		struct anim_clip clip = make_clip(1);
		struct animx_trial written = {0}, read = {0};
		const uint8_t *bytes;
		size_t size;

		track.property = names[i].model;
		CHECKF(animx_write(&written, &plain, &clip, &track, 1), "%s", written.error.message);
		bytes = anim_output_memory(written.out, &size);
		CHECKF(anim_text_find(bytes, size, names[i].field) != NULL, "%s", names[i].field);
		CHECKF(animx_read_bytes(&read, bytes, size) && anim_store_read(read.store, 0, 0, &track, NULL) == 0 &&
			   strcmp(track.property, names[i].model) == 0,
		       "%s came back as %s", names[i].model, track.property);
		animx_clear(&written);
		animx_clear(&read);
	}
}
