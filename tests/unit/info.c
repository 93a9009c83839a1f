/* info.c: what anim-info says of records built by hand. */
#include <math.h>
#include <string.h>

#include "filter/common/summary.h"
#include "report.h"
#include "tap.h"

TEST(info_table_rows, "the table aligns its columns and sums up")
{
	struct report r;
	struct anim_clip clip = report_make_clip();
	struct anim_track a = report_make_track(), b = report_make_track();
	const struct anim_attr player = {"player", "AnimationPlayer"};

	clip.attrs = (struct anim_attrs){&player, 1};
	b.node = "Armature/Skeleton3D:Hips";
	b.property = "energy";
	b.type = ANIM_FLOAT;
	b.kind = ANIM_DISCRETE;
	b.flags = ANIM_DISABLED;
	report_open_info(&r, ANIM_INFO_TABLE);
	report_prog(&r);
	report_clip(&r, &clip);
	report_track(&r, &a);
	report_track(&r, &b);
	report_unknown(&r, "abcd");
	report_check(&r, "walk: 1.5 s, ping-pong, from godot4, godot axes, player AnimationPlayer\n"
			 "  node                      property  type    kind          keys  time    values  notes\n"
			 "  Box                       scale     float3  Curve Linear     2  0 .. 1  0 .. 1\n"
			 "  Armature/Skeleton3D:Hips  energy    float   Discrete         2  0 .. 1  1       disabled\n"
			 "\n1 clip, 2 tracks, 4 keys, 48 bytes\nmade by anim-resample 1.0.0\nother records: 1 abcd\n");
}

TEST(info_table_raw, "a Raw track shows its rate, a mixed one that it is")
{
	struct report r;
	struct anim_clip clip = report_make_clip();
	struct anim_track a = report_make_track(), b = report_make_track();
	const uint8_t modes[] = {ANIM_HOLD, ANIM_LINEAR};
	const float scales[] = {1, -2}, quaternions[8] = {0};

	a.kind = ANIM_RAW;
	a.time = NULL;
	a.rate_num = 30000;
	a.rate_den = 1001;
	b.interp = ANIM_INTERP_COLUMN;
	b.interps = modes;
	b.ease = scales;
	b.type = ANIM_FLOATQ;
	b.value = quaternions;
	report_open_info(&r, ANIM_INFO_TABLE);
	report_clip(&r, &clip);
	report_track(&r, &a);
	report_track(&r, &b);
	report_finish(&r);
	CHECKF(strstr(r.text, "  Box   scale     float3  Raw 29.97/s     2  0 .. 0.0334  0 .. 1\n") != NULL, "%s",
	       r.text);
	CHECKF(strstr(r.text, "  Curve mixed     2  0 .. 1               eased\n") != NULL, "%s", r.text);
}

TEST(info_table_safe, "control characters of names are shown as bytes")
{
	struct report r;
	struct anim_clip clip = report_make_clip();
	struct anim_track t = report_make_track();

	clip.name = "a\033[2Jb";
	t.node = "n\nm";
	report_open_info(&r, ANIM_INFO_TABLE);
	report_clip(&r, &clip);
	report_track(&r, &t);
	report_finish(&r);
	CHECKF(strstr(r.text, "a\\x1b[2Jb: ") != NULL, "%s", r.text);
	CHECKF(strstr(r.text, "  n\\x0am  ") != NULL, "%s", r.text);
}

TEST(info_table_wide, "East Asian names take two columns a letter, combining marks none")
{
	struct report r;
	struct anim_clip clip = report_make_clip();
	struct anim_track a = report_make_track(), b = report_make_track();

	a.node = "日本";
	b.node = "abcde\xcc\x81"; /* e with an acute accent above */
	report_open_info(&r, ANIM_INFO_TABLE);
	report_clip(&r, &clip);
	report_track(&r, &a);
	report_track(&r, &b);
	report_finish(&r);
	CHECKF(strstr(r.text, "\n  日本   scale") != NULL && strstr(r.text, "\n  abcde\xcc\x81  scale") != NULL, "%s",
	       r.text);
	CHECKF(strstr(r.text, "  keys  time    values\n") != NULL, "%s", r.text);
	CHECK(text_width("日本") == 4 && text_width("e\xcc\x81") == 1 && text_width("") == 0);
}

TEST(info_table_strings, "a string track shows how its first text begins")
{
	struct report r;
	struct anim_clip clip = report_make_clip();
	struct anim_track t = report_make_track();
	const uint32_t lengths[] = {ANIM_NULL_STRING, 40};
	const uint64_t starts[] = {0, 0};
	const struct anim_strings strings = {lengths, starts, "0123456789012345678901234567890123456789", 40};

	t.type = ANIM_STRING;
	t.kind = ANIM_DISCRETE;
	t.value = NULL;
	t.strings = &strings;
	report_open_info(&r, ANIM_INFO_TABLE);
	report_clip(&r, &clip);
	report_track(&r, &t);
	CHECKF(strstr(report_finish(&r), "  0123456789012345678901234567...\n") != NULL, "%s", r.text);
}

TEST(info_table_empty, "a stream of nothing has totals of 0")
{
	struct report r;

	report_open_info(&r, ANIM_INFO_TABLE);
	report_check(&r, "0 clips, 0 tracks, 0 keys, 0 bytes\n");
}

TEST(info_tree_rows, "the tree shows children below their parents wherever they stood")
{
	struct report r;

	report_open_info(&r, ANIM_INFO_TREE);
	report_tree(&r);
	report_node(&r, ".", "Node3D", ANIM_NODE, ANIM_NO_PARENT);
	report_node(&r, "A", "Skeleton3D", ANIM_NODE, 0);
	report_node(&r, "B", "Camera3D", ANIM_NODE_CAMERA, 0);
	report_node(&r, "A:Hips", "", ANIM_NODE_BONE, 1);
	report_node(&r, "B/C", "", ANIM_NODE, 2);
	report_check(&r, "tree of Hero, from hero.tscn, godot axes\n"
			 "  . Node3D position (1, 0.5, 0)\n"
			 "    A Skeleton3D position (1, 0.5, 0)\n"
			 "      Hips bone position (1, 0.5, 0)\n"
			 "    B camera Camera3D position (1, 0.5, 0)\n"
			 "      C position (1, 0.5, 0)\n");
}

TEST(info_tree_none, "a stream without a tree says so")
{
	struct report r;
	struct anim_clip clip = report_make_clip();

	report_open_info(&r, ANIM_INFO_TREE);
	report_clip(&r, &clip);
	report_check(&r, "no node tree\n");
}

TEST(info_tree_order, "a node before its parent is refused")
{
	struct report r;

	report_open_info(&r, ANIM_INFO_TREE);
	report_tree(&r);
	report_node(&r, ".", "", ANIM_NODE, ANIM_NO_PARENT);
	report_node(&r, "A", "", ANIM_NODE, 7);
	report_finish(&r);
	CHECK(r.failed && r.error.code == ANIM_BAD_INPUT);
}

TEST(info_json_document, "the JSON is one document with what is known")
{
	struct report r;
	struct anim_clip clip = report_make_clip();
	struct anim_track t = report_make_track();
	const float values[] = {NAN, 2, 3, 0, INFINITY, 0.1f};
	const struct anim_attr type = {"godot.type", "va\"lue"};

	clip.flags = ANIM_IN_TREE;
	t.value = values;
	t.attrs = (struct anim_attrs){&type, 1};
	t.flags = ANIM_LOOP_WRAP_KEYS | ANIM_DISABLED;
	report_open_info(&r, ANIM_INFO_JSON);
	report_prog(&r);
	report_tree(&r);
	report_node(&r, ".", "Node3D", ANIM_NODE, ANIM_NO_PARENT);
	report_clip(&r, &clip);
	report_track(&r, &t);
	report_unknown(&r, "abcd");
	report_check(
	    &r,
	    "{\"clips\":[\n{\"name\":\"walk\",\"root\":\".\",\"source\":\"godot4\",\"start\":0,\"end\":1.5,"
	    "\"end_derived\":false,\"loop\":\"ping-pong\",\"axes\":\"godot\",\"axes2d\":\"unknown\",\"rate\":null,"
	    "\"tree\":0,\"attributes\":{},\"tracks\":[\n{\"node\":\"Box\",\"property\":\"scale\",\"component\":null,"
	    "\"kind\":\"Curve\",\"type\":\"float3\",\"interp\":\"Linear\",\"rules\":\"godot4\",\"before\":\"hold\","
	    "\"after\":\"hold\",\"flags\":[\"loop_wrap\",\"disabled\"],\"eased\":false,\"keys\":2,\"first\":0,\"last\":"
	    "1,"
	    "\"min\":[0,2,0.1],\"max\":[0,2,3],\"bytes\":32,\"attributes\":{\"godot.type\":\"va\\\"lue\"}}\n],"
	    "\"keys\":2,\"bytes\":32,\"humanoid\":0}\n],"
	    "\"trees\":[\n{\"root\":\"Hero\",\"source\":\"hero.tscn\",\"axes\":\"godot\",\"axes2d\":\"unknown\","
	    "\"attributes\":{},\"nodes\":[\n{\"path\":\".\",\"type\":\"Node3D\",\"kind\":\"node\",\"parent\":null,"
	    "\"position\":[1,0.5,0],\"rotation\":null,\"scale\":null,\"two_dimensional\":false,\"attributes\":{}}\n]}"
	    "\n],"
	    "\"programs\":[\n{\"program\":\"anim-resample\",\"version\":\"1.0.0\",\"attributes\":{\"rate\":\"30\"}}\n],"
	    "\"other_records\":{\"abcd\":1},\"totals\":{\"clips\":1,\"tracks\":1,\"keys\":2,\"bytes\":32,\"trees\":1,"
	    "\"nodes\":1,\"bones\":0,\"humanoid\":0}}\n");
}

TEST(info_json_unknown, "times that are not known are null, and bones are counted")
{
	struct report r;
	struct anim_clip clip = report_make_clip();
	struct anim_track t = report_make_track();

	t.kind = ANIM_RAW;
	t.time = NULL;
	report_open_info(&r, ANIM_INFO_JSON);
	report_tree(&r);
	report_node(&r, ".", "", ANIM_NODE, ANIM_NO_PARENT);
	report_node(&r, "S:Hips", "", ANIM_NODE_BONE, 0);
	report_clip(&r, &clip);
	report_track(&r, &t);
	report_finish(&r);
	CHECKF(strstr(r.text, "\"start\":0,\"step\":0,\"rate\":null,\"first\":null,\"last\":null,") != NULL, "%s",
	       r.text);
	CHECKF(strstr(r.text, "\"nodes\":2,\"bones\":1,") != NULL, "%s", r.text);
}

/* A clip "walk" of two humanoid curves and a parameter, and a clip "run" of one. */
static void send_humanoids(struct report *r)
{
	const struct anim_attr attrs[2] = {{"unity.class", "95"}, {"unity.humanoid", "muscle"}};
	struct anim_clip clip = report_make_clip();
	struct anim_track t = report_make_track();

	clip.source = "unity";
	clip.axes = ANIM_AXES_UNITY;
	report_clip(r, &clip);
	t.rules = ANIM_RULES_UNITY;
	t.attrs = (struct anim_attrs){attrs, 2};
	report_track(r, &t);
	report_track(r, &t);
	t.attrs.count = 1;
	report_track(r, &t);
	clip.name = "run";
	report_clip(r, &clip);
	t.attrs.count = 2;
	report_track(r, &t);
	clip.name = "still";
	report_clip(r, &clip);
}

TEST(info_table_humanoid, "humanoid curves are marked, and counted for each clip and for all")
{
	struct report r;

	report_open_info(&r, ANIM_INFO_TABLE);
	send_humanoids(&r);
	report_check(&r, "walk: 1.5 s, ping-pong, from unity, unity axes\n"
			 "  node  property  type    kind          keys  time    values  notes\n"
			 "  Box   scale     float3  Curve Linear     2  0 .. 1  0 .. 1  humanoid\n"
			 "  Box   scale     float3  Curve Linear     2  0 .. 1  0 .. 1  humanoid\n"
			 "  Box   scale     float3  Curve Linear     2  0 .. 1  0 .. 1  class 95\n"
			 "  3 tracks, 6 keys, 96 bytes\n"
			 "  2 humanoid curves, which need the avatar\n"
			 "\nrun: 1.5 s, ping-pong, from unity, unity axes\n"
			 "  node  property  type    kind          keys  time    values  notes\n"
			 "  Box   scale     float3  Curve Linear     2  0 .. 1  0 .. 1  humanoid\n"
			 "  1 track, 2 keys, 32 bytes\n"
			 "  1 humanoid curve, which needs the avatar\n"
			 "\nstill: 1.5 s, ping-pong, from unity, unity axes\n"
			 "\n3 clips, 4 tracks, 8 keys, 128 bytes, 3 humanoid curves\n");
}

TEST(info_json_humanoid, "the JSON counts humanoid curves behind each clip's tracks, and in the totals")
{
	struct report r;
	const char *at;

	report_open_info(&r, ANIM_INFO_JSON);
	send_humanoids(&r);
	at = strstr(report_finish(&r), "\n],\"keys\":6,\"bytes\":96,\"humanoid\":2},\n{\"name\":\"run\"");
	CHECKF(at != NULL && strstr(at, "\n],\"keys\":2,\"bytes\":32,\"humanoid\":1},\n{\"name\":\"still\"") != NULL,
	       "%s", r.text);
	CHECKF(strstr(r.text, "],\"keys\":0,\"bytes\":0,\"humanoid\":0}\n],") != NULL, "%s", r.text);
	CHECKF(strstr(r.text, "\"bones\":0,\"humanoid\":3}}\n") != NULL, "%s", r.text);
}

TEST(info_table_notes, "units, a rare order of Euler angles and the class of a component are notes")
{
	struct report r;
	struct anim_clip clip = report_make_clip();
	struct anim_track t = report_make_track();
	struct anim_attr order = {"order", "ZXY"}, class = {"unity.class", "108"};

	report_open_info(&r, ANIM_INFO_TABLE);
	report_clip(&r, &clip);
	t.flags = ANIM_DEGREES;
	t.attrs = (struct anim_attrs){&order, 1};
	report_track(&r, &t);
	t.flags = ANIM_PERCENT;
	t.attrs.items = &class;
	report_track(&r, &t);
	t.flags = 0;
	class.value = "1\n";
	report_track(&r, &t);
	order.value = "YXZ";
	t.attrs.items = &order;
	report_track(&r, &t);
	report_finish(&r);
	CHECKF(strstr(r.text, "  degrees, order ZXY\n") != NULL, "%s", r.text);
	CHECKF(strstr(r.text, "  percent, class 108\n") != NULL, "%s", r.text);
	CHECKF(strstr(r.text, "  0 .. 1\n  Box   scale     float3  Curve Linear     2  0 .. 1  0 .. 1\n\n") != NULL,
	       "%s", r.text);
}

TEST(info_json_empty, "the JSON of nothing is whole")
{
	struct report r;

	report_open_info(&r, ANIM_INFO_JSON);
	report_check(&r, "{\"clips\":[],\"trees\":[],\"programs\":[],\"other_records\":{},\"totals\":{\"clips\":0,"
			 "\"tracks\":0,\"keys\":0,\"bytes\":0,\"trees\":0,\"nodes\":0,\"bones\":0,\"humanoid\":0}}\n");
}

TEST(info_many_tags, "tags beyond the first ones are counted together")
{
	struct report r;
	char tag[5] = "aaaa";

	report_open_info(&r, ANIM_INFO_JSON);
	for (int i = 0; i < 40; i++) {
		tag[3] = (char)('A' + i % 26);
		tag[2] = (char)('a' + i / 26);
		report_unknown(&r, tag);
	}
	CHECKF(strstr(report_finish(&r), "\"...\":9}") != NULL, "%s", r.text);
}

TEST(info_strict, "faults and forbidden warnings keep it from ending")
{
	struct report r;

	report_open_info(&r, ANIM_INFO_TABLE);
	CHECK(anim_diagnostics_add(&r.diagnostics, ANIM_WARNING, NULL, NULL, &r.error, "look out") == 0);
	r.diagnostics.strict = true;
	report_finish(&r);
	CHECK(r.failed && r.error.code == ANIM_STRICT);
}
