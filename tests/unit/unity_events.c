/* unity_events.c: AnimationEvents as JSON, both ways. */
#include <math.h>
#include <string.h>

#include "format/unity/event.h"
#include "tap.h"

static bool prints(const struct unity_event *event, const char *wanted)
{
	struct anim_buffer out = {0};
	bool same = unity_event_print(event, &out, NULL) == 0 && out.size == strlen(wanted) &&
		    memcmp(out.data, wanted, out.size) == 0;

	CHECKF(same, "%.*s", (int)out.size, (const char *)out.data);
	anim_buffer_clear(&out);
	return same;
}

static int parse(const char *json, struct unity_event *event, struct anim_arena *arena)
{
	return unity_event_parse(json, strlen(json), event, arena, NULL);
}

static const char step[] = "{\"functionName\":\"Step\",\"data\":\"\",\"objectReferenceParameter\":{\"fileID\":0},"
			   "\"floatParameter\":0,\"intParameter\":0,\"messageOptions\":0}";
static const char full[] =
    "{\"functionName\":\"Say \\\"\\u0001\xc3\xa4\",\"data\":\"a\\nb\",\"objectReferenceParameter\":{\"fileID\":"
    "-7183674891237468912,\"guid\":\"0123456789abcdef0123456789abcdef\",\"type\":2},\"floatParameter\":0.1,"
    "\"intParameter\":-5,\"messageOptions\":1}";

TEST(event_print, "an event has Unity's names in Unity's order, a reference its guid only where it has one")
{
	struct unity_event event = {.function = "Step", .data = ""};

	prints(&event, step);
	event = (struct unity_event){.function = "Say \"\x01\xc3\xa4",
				     .data = "a\nb",
				     .file_id = -7183674891237468912,
				     .guid = "0123456789abcdef0123456789abcdef",
				     .type = 2,
				     .number = 0.1f,
				     .integer = -5,
				     .options = 1};
	prints(&event, full);
}

TEST(event_round, "what was printed is parsed to the same event, infinities and NaN too")
{
	static const float numbers[] = {0, -0.0f, 1e-30f, 3.4028235e38f, INFINITY, -INFINITY, NAN};
	struct anim_arena arena = {0};
	struct unity_event event, again;

	CHECK(parse(full, &event, &arena) == 0);
	prints(&event, full);
	CHECK(parse(step, &event, &arena) == 0 && event.guid == NULL);
	prints(&event, step);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		struct anim_buffer out = {0};

		event.number = numbers[i];
		CHECK(unity_event_print(&event, &out, NULL) == 0);
		CHECK(unity_event_parse((const char *)out.data, out.size, &again, &arena, NULL) == 0);
		CHECKF(isnan(numbers[i]) ? isnan(again.number) : memcmp(&again.number, &numbers[i], sizeof(float)) == 0,
		       "%g: %g", (double)numbers[i], (double)again.number);
		anim_buffer_clear(&out);
	}
	anim_arena_clear(&arena);
}

TEST(event_lenient, "members may be missing, in any order, and unknown ones are passed over with all that is in them")
{
	struct anim_arena arena = {0};
	struct unity_event event;

	CHECK(parse(" { \"intParameter\" : 3 , \"x\":{\"intParameter\":[1,{\"functionName\":\"no\"}],\"y\":\"\"}, "
		    "\"z\" : [], \"functionName\" : \"F\" } ",
		    &event, &arena) == 0);
	CHECK(event.integer == 3 && strcmp(event.function, "F") == 0 && strcmp(event.data, "") == 0 &&
	      event.number == 0);
	anim_arena_clear(&arena);
}

TEST(event_foreign, "texts that are no event of Unity's are told from it")
{
	static const char *const texts[] = {
	    "",
	    "null",
	    "[]",
	    "{}",
	    "\"functionName\"",
	    "{\"method\":\"hit\",\"args\":[]}",
	    "{\"functionName\":1}",
	    "{\"functionName\",\"F\"}",
	    "{\"functionName\":\"F\",\"intParameter\":\"1\"}",
	    "{\"functionName\":\"F\",\"intParameter\":1.5}",
	    "{\"functionName\":\"F\",\"intParameter\":1e3}",
	    "{\"functionName\":\"F\",\"floatParameter\":true}",
	    "{\"functionName\":\"F\",\"floatParameter\":\"big\"}",
	    "{\"functionName\":\"F\",\"objectReferenceParameter\":0}",
	    "{\"functionName\":\"F\",\"objectReferenceParameter\":{\"fileID\":\"a\"}}",
	    "{\"functionName\":\"\\u0000\"}",
	    "{\"functionName\":\"F\"",
	    "{\"functionName\":\"\\q\"}",
	};
	struct anim_arena arena = {0};
	struct unity_event event;
	char deep[70000];

	memset(deep, '[', sizeof deep);
	memcpy(deep, "{\"x\":", 5);
	CHECK(unity_event_parse(deep, sizeof deep, &event, &arena, NULL) == 1);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		CHECKF(parse(texts[i], &event, &arena) == 1, "%s", texts[i]);
	anim_arena_clear(&arena);
}

TEST(event_prefixes, "no prefix of an event is one, and one with a byte changed is read or refused cleanly")
{
	struct anim_arena arena = {0};
	struct unity_event event;
	char bytes[sizeof full];
	size_t length = strlen(full);

	for (size_t i = 0; i < length; i++)
		CHECKF(unity_event_parse(full, i, &event, &arena, NULL) == 1, "%zu", i);
	for (size_t i = 0; i < length; i++)
		for (int bit = 0; bit < 8; bit++) {
			memcpy(bytes, full, length);
			bytes[i] = (char)(bytes[i] ^ (1 << bit));
			CHECK(unity_event_parse(bytes, length, &event, &arena, NULL) >= 0);
			anim_arena_reset(&arena);
		}
	anim_arena_clear(&arena);
}
