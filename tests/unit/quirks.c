/* quirks.c: one test for each odd file that two engines were given. */
#include "tap.h"

#include <stdio.h>
#include <string.h>

#include "quirks_check.h"

/*
 * What becomes of each file, the first message, the texts of keys that JSON spells otherwise, and why we differ where we
 * do. What the engines made of it comes from godot-4.7.json and godot-4.2.json.
 */
static const struct quirk quirks[] = {
    {.name = "anim_plain", .verdict = QUIRK_SAME, .texts = {"{\"clip\":\"a\"}", "{\"clip\":\"b\"}"}},
    {.name = "audio_missing_ext",
     .verdict = QUIRK_SAME,
     .texts = {"{\"stream\":\"Resource(\\\"res://nope.wav\\\")\",\"start_offset\":0,\"end_offset\":0}"},
     .reason = "whether a sound is there is not asked"},
    {.name = "audio_null", .verdict = QUIRK_SAME, .texts = {"{\"stream\":null,\"start_offset\":0,\"end_offset\":0}"}},
    {.name = "bad_utf8",
     .verdict = QUIRK_SAME,
     .says = "8:26: bytes that are not UTF-8, here and possibly later, became U+FFFD"},
    {.name = "base", .verdict = QUIRK_SAME},
    {.name = "bez_bad",
     .verdict = QUIRK_SAME,
     .says = "11:1: track 'N:x': no key is read, because a Bezier track needs five numbers in 'points' for each time, "
	     "as in "
	     "Godot: 2 times, 2 numbers"},
    {.name = "bez_modes", .verdict = QUIRK_SAME},
    {.name = "bez_modes_short", .verdict = QUIRK_SAME},
    {.name = "bez_no_modes", .verdict = QUIRK_SAME},
    {.name = "bez_six",
     .verdict = QUIRK_SAME,
     .says = "11:1: track 'N:x': no key is read, because a Bezier track needs five numbers in 'points' for each time, "
	     "as in "
	     "Godot: 2 times, 12 numbers"},
    {.name = "ble_dict",
     .verdict = QUIRK_SAME,
     .says = "11:1: track 'N:x' (blend_shape): no key is read, because the keys are not an array of numbers"},
    {.name = "ble_plain_array", .verdict = QUIRK_SAME},
    {.name = "comment_hash", .verdict = QUIRK_SAME},
    {.name = "comment_inside", .verdict = QUIRK_SAME},
    {.name = "comment_semicolon", .verdict = QUIRK_SAME},
    {.name = "dict_no_comma", .verdict = QUIRK_REFUSED, .says = "13:1: expected ',' or '}', found '\"'"},
    {.name = "dup_key", .verdict = QUIRK_SAME},
    {.name = "empty_file", .verdict = QUIRK_REFUSED, .says = "1:1: empty, not a Godot scene or resource"},
    {.name = "escaped_quote_key", .verdict = QUIRK_SAME},
    {.name = "format_2", .verdict = QUIRK_SAME},
    {.name = "format_none", .verdict = QUIRK_SAME},
    {.name = "garbage", .verdict = QUIRK_REFUSED, .says = "1:1: expected '[' and a tag's name, found 'h'"},
    {.name = "interp_missing", .verdict = QUIRK_SAME},
    {.name = "interp_str", .verdict = QUIRK_SAME},
    {.name = "length_huge", .verdict = QUIRK_SAME},
    {.name = "length_int", .verdict = QUIRK_SAME},
    {.name = "length_late", .verdict = QUIRK_SAME},
    {.name = "length_neg", .verdict = QUIRK_SAME},
    {.name = "length_str", .verdict = QUIRK_SAME},
    {.name = "load_steps", .verdict = QUIRK_SAME},
    {.name = "loop_mode_9", .verdict = QUIRK_SAME, .says = "5:1: an unknown loop mode is read as none: 9"},
    {.name = "loop_true", .verdict = QUIRK_SAME},
    {.name = "method_noargs",
     .verdict = QUIRK_SAME,
     .says = "11:1: track 'N:x': a key without a required entry is dropped, as in Godot (needed in a track of type "
	     "method: 'method' "
	     "or 'args')",
     .texts = {"{\"method\":\"b\",\"args\":[1]}"}},
    {.name = "method_unsorted",
     .verdict = QUIRK_SAME,
     .texts = {"{\"method\":\"b\",\"args\":[]}", "{\"method\":\"a\",\"args\":[]}"}},
    {.name = "no_final_newline", .verdict = QUIRK_SAME},
    {.name = "no_resource",
     .verdict = QUIRK_REFUSED,
     .says = "3:1: 'length' precedes the first section; is '[resource]' missing?"},
    {.name = "no_spaces", .verdict = QUIRK_SAME},
    {.name = "no_times",
     .verdict = QUIRK_SAME,
     .says = "11:1: track 'N:x' (no times): no key is read, because times or values are missing, as in Godot"},
    {.name = "no_update", .verdict = QUIRK_SAME},
    {.name = "num_boolcap", .verdict = QUIRK_REFUSED, .says = "13:12: unknown word 'True'"},
    {.name = "num_dot1", .verdict = QUIRK_SAME},
    {.name = "num_dot2", .verdict = QUIRK_REFUSED, .says = "13:12: expected a value, found '.'"},
    {.name = "num_exp2", .verdict = QUIRK_SAME},
    {.name = "num_hex", .verdict = QUIRK_REFUSED, .says = "13:13: expected ',' or ']', found 'x'"},
    {.name = "num_hexf", .verdict = QUIRK_REFUSED, .says = "13:13: expected ',' or ']', found 'x'"},
    {.name = "num_inf", .verdict = QUIRK_SAME},
    {.name = "num_infcap", .verdict = QUIRK_REFUSED, .says = "13:12: unknown word 'INF'"},
    {.name = "num_int64", .verdict = QUIRK_SAME},
    {.name = "num_leading0", .verdict = QUIRK_SAME},
    {.name = "num_long_float", .verdict = QUIRK_SAME},
    {.name = "num_minus_space", .verdict = QUIRK_REFUSED, .says = "13:12: expected a value, found '-'"},
    {.name = "num_neginf", .verdict = QUIRK_SAME},
    {.name = "num_plus", .verdict = QUIRK_REFUSED, .says = "13:12: expected a value, found '+'"},
    {.name = "num_tiny", .verdict = QUIRK_SAME},
    {.name = "num_underscore", .verdict = QUIRK_REFUSED, .says = "13:13: expected ',' or ']', found '_'"},
    {.name = "path_missing", .verdict = QUIRK_SAME},
    {.name = "path_string", .verdict = QUIRK_SAME},
    {.name = "pos_dict",
     .verdict = QUIRK_SAME,
     .says = "11:1: track 'N:x' (position_3d): no key is read, because the keys are not an array of numbers"},
    {.name = "pos_empty", .verdict = QUIRK_SAME},
    {.name = "pos_plain_array", .verdict = QUIRK_SAME},
    {.name = "pos_short",
     .verdict = QUIRK_SAME,
     .says = "11:1: track 'N:x': no key is read, because the last one is incomplete, as in Godot: 11 numbers are not a "
	     "multiple of 5"},
    {.name = "rot_dict",
     .verdict = QUIRK_SAME,
     .says = "11:1: track 'N:x' (rotation_3d): no key is read, because the keys are not an array of numbers"},
    {.name = "rot_empty", .verdict = QUIRK_SAME},
    {.name = "rot_ok",
     .verdict = QUIRK_SAME,
     .reason = "it complains of sampling, not of the file",
     .no_samples = true},
    {.name = "rot_plain_array",
     .verdict = QUIRK_SAME,
     .reason = "it complains of sampling, not of the file",
     .no_samples = true},
    {.name = "rot_short",
     .verdict = QUIRK_SAME,
     .says = "11:1: track 'N:x': no key is read, because the last one is incomplete, as in Godot: 13 numbers are not a "
	     "multiple of 6"},
    {.name = "sca_dict",
     .verdict = QUIRK_SAME,
     .says = "11:1: track 'N:x' (scale_3d): no key is read, because the keys are not an array of numbers"},
    {.name = "sca_empty", .verdict = QUIRK_SAME},
    {.name = "sca_ok", .verdict = QUIRK_SAME},
    {.name = "sca_short",
     .verdict = QUIRK_SAME,
     .says = "11:1: track 'N:x': no key is read, because the last one is incomplete, as in Godot: 11 numbers are not a "
	     "multiple of 5"},
    {.name = "sections_after", .verdict = QUIRK_REFUSED, .says = "18:1: a second [resource]"},
    {.name = "spaces", .verdict = QUIRK_SAME},
    {.name = "step_neg", .verdict = QUIRK_SAME},
    {.name = "times_equal", .verdict = QUIRK_SAME},
    {.name = "times_float_array", .verdict = QUIRK_SAME},
    {.name = "times_packed64", .verdict = QUIRK_SAME},
    {.name = "times_pool", .verdict = QUIRK_SAME},
    {.name = "times_short",
     .verdict = QUIRK_SAME,
     .says =
	 "11:1: track 'N:x' (1 times, 2 values): no key is read, because the numbers of times and values differ, as "
	 "in Godot"},
    {.name = "times_unsorted", .verdict = QUIRK_SAME},
    {.name = "track_gap",
     .verdict = QUIRK_SAME,
     .says = "5:1: 7 properties: not read, because the track does not exist yet, as in Godot (first 'type')"},
    {.name = "track_huge_index",
     .verdict = QUIRK_SAME,
     .says = "5:1: 7 properties: not read, because the track does not exist yet, as in Godot (first 'type')"},
    {.name = "trailing_comma_array", .verdict = QUIRK_SAME},
    {.name = "trailing_comma_dict", .verdict = QUIRK_SAME},
    {.name = "trans_short",
     .verdict = QUIRK_SAME,
     .says =
	 "11:1: track 'N:x' (2 times, 1 transitions): the transitions are not read, because their number differs, as "
	 "in Godot"},
    {.name = "transform_godot3",
     .verdict = QUIRK_OTHERWISE,
     .says = "5:1: a Godot 3 transform track is read as position, rotation and scale, but Godot 4 would drop it and "
	     "all later tracks of this Godot 4 file",
     .tracks = 3,
     .reason = "the engine drops what its predecessor wrote"},
    {.name = "truncated", .verdict = QUIRK_SAME, .says = "9:1: the file ends inside the name of a property"},
    {.name = "type_late",
     .verdict = QUIRK_SAME,
     .says = "5:1: 6 properties: not read, because the track does not exist yet, as in Godot (first 'imported')"},
    {.name = "type_unknown",
     .verdict = QUIRK_ANYWAY,
     .says = "0:0: no animation in this file",
     .tracks = 0,
     .reason = "what is no animation is passed over"},
    {.name = "type_unknown_track", .verdict = QUIRK_SAME, .says = "5:1: an unknown type of track is not read: 'foo'"},
    {.name = "type_wrong", .verdict = QUIRK_SAME, .says = "0:0: no animation in this file"},
    {.name = "unclosed_string", .verdict = QUIRK_REFUSED, .says = "12:2: expected ')', found 't'"},
    {.name = "unknown_prop", .verdict = QUIRK_SAME},
    {.name = "update_3", .verdict = QUIRK_SAME},
    {.name = "update_9", .verdict = QUIRK_SAME},
    {.name = "update_neg", .verdict = QUIRK_SAME},
    {.name = "val_atpath", .verdict = QUIRK_SAME},
    {.name = "val_callable", .verdict = QUIRK_SAME, .texts = {"Callable()", "Signal()"}},
    {.name = "val_color3", .verdict = QUIRK_REFUSED, .says = "13:12: Color takes 4 numbers, found 3"},
    {.name = "val_color4", .verdict = QUIRK_SAME},
    {.name = "val_colorname", .verdict = QUIRK_REFUSED, .says = "13:18: expected a number, found '\"'"},
    {.name = "val_hashcolor", .verdict = QUIRK_SAME},
    {.name = "val_ident", .verdict = QUIRK_REFUSED, .says = "13:12: unknown word 'foo'"},
    {.name = "val_matrix3", .verdict = QUIRK_SAME},
    {.name = "val_nodepath_short", .verdict = QUIRK_REFUSED, .says = "13:12: expected a value, found '^'"},
    {.name = "val_object", .verdict = QUIRK_SAME, .texts = {"Object(Curve,\"min_value\":2.0)", "null"}},
    {.name = "val_packed_b64", .verdict = QUIRK_SAME, .texts = {"PackedByteArray(1, 2, 3)", "PackedByteArray(1, 2)"}},
    {.name = "val_packed_vec4",
     .verdict = QUIRK_SAME,
     .says = "5:1: track 'N:x': arrays are held, but Godot interpolates them",
     .texts = {"PackedVector4Array(1, 2, 3, 4)", "PackedVector4Array(1, 2, 3, 5)"}},
    {.name = "val_resource",
     .verdict = QUIRK_ANYWAY,
     .says = "13:12: Godot does not load a file that refers to a missing resource: Resource(\"res://nope.tres\")",
     .texts = {"Resource(\"res://nope.tres\")", "null"},
     .tracks = 1,
     .reason = "the clip is whole without what a key names"},
    {.name = "val_str_badesc", .verdict = QUIRK_SAME},
    {.name = "val_str_bell", .verdict = QUIRK_SAME},
    {.name = "val_str_crlf", .verdict = QUIRK_SAME},
    {.name = "val_str_nl", .verdict = QUIRK_SAME},
    {.name = "val_str_uni",
     .verdict = QUIRK_OTHERWISE,
     .texts = {"é\n\t\\", "😀"},
     .tracks = 1,
     .reason = "the engine squeezes escapes into Latin-1"},
    {.name = "val_string_ctor", .verdict = QUIRK_REFUSED, .says = "13:12: unknown word 'String'"},
    {.name = "val_strname", .verdict = QUIRK_SAME},
    {.name = "val_subres",
     .verdict = QUIRK_ANYWAY,
     .says = "13:12: Godot does not load a file that refers to a missing resource: SubResource(\"nope\")",
     .texts = {"SubResource(\"nope\")", "null"},
     .tracks = 1,
     .reason = "the clip is whole without what a key names"},
    {.name = "val_typed_arr",
     .verdict = QUIRK_SAME,
     .says = "5:1: track 'N:x': arrays are held, but Godot interpolates them",
     .texts = {"Array[int]([1, 2])", "Array[int]([3, 4])"}},
    {.name = "val_typed_dict", .verdict = QUIRK_SAME, .texts = {"Dictionary[String, int]({\n\"a\": 1\n})", "{}"}},
    {.name = "val_unknown", .verdict = QUIRK_REFUSED, .says = "13:12: unknown word 'Foo'"},
    {.name = "val_vec2_nl", .verdict = QUIRK_SAME},
    {.name = "val_vec2_nospace", .verdict = QUIRK_SAME},
    {.name = "val_vec2_one", .verdict = QUIRK_REFUSED, .says = "13:12: Vector2 takes 2 numbers, found 1"},
    {.name = "val_vec_inf", .verdict = QUIRK_SAME},
    {.name = "wrap_missing", .verdict = QUIRK_SAME},
};
#define QUIRKS (sizeof quirks / sizeof *quirks)

/* A row as a test. */
struct quirk_test {
	struct tap_test test; /* first: the running test leads to its row */
	const struct quirk *quirk;
	char title[160];
};

static void run(void)
{
	quirk_check(((const struct quirk_test *)tap_current())->quirk);
}

__attribute__((constructor)) static void register_quirks(void)
{
	static const char *const titles[QUIRK_VERDICTS] = {
	    [QUIRK_SAME] = "is read as Godot reads it",
	    [QUIRK_OTHERWISE] = "is read with more than Godot keeps of it",
	    [QUIRK_REFUSED] = "is refused with its place, as Godot refuses it",
	    [QUIRK_ANYWAY] = "is read, though Godot refuses it",
	};
	static struct quirk_test tests[QUIRKS];

	for (size_t i = 0; i < QUIRKS; i++) {
		tests[i].quirk = &quirks[i];
		tests[i].test = (struct tap_test){.file = __FILE__, .title = tests[i].title, .run = run};
		snprintf(tests[i].title, sizeof tests[i].title, "%s.tres %s%s", quirks[i].name,
			 titles[quirks[i].verdict],
			 quirks[i].says != NULL && quirks[i].verdict != QUIRK_REFUSED ? ", with a warning" : "");
		tap_register(&tests[i].test);
	}
}

static void find(const char *name, void *context)
{
	size_t *found = context, before = *found;

	for (size_t i = 0; i < QUIRKS; i++)
		*found += strcmp(quirks[i].name, name) == 0;
	CHECKF(*found == before + 1, "%s.tres has %zu tests", name, *found - before);
}

TEST(every_quirk, "each odd file that the engines were given has one test of its own")
{
	size_t found = 0;

	quirk_names(find, &found);
	CHECKF(found == 124 && QUIRKS == 124, "%zu files, %zu tests", found, QUIRKS);
}
