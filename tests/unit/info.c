/* info.c: what anim-info and anim-dump say of records built by hand. */
#include <math.h>
#include <string.h>

#include "filter/dump.h"
#include "filter/info.h"
#include "filter/summary.h"
#include "stream/record.h"
#include "tap.h"

#define TEXT_MAX 16384

struct report {
	struct anim_output *out;
	struct anim_sink *sink;
	struct anim_losses losses;
	struct anim_error error;
	struct anim_buffer record;
	bool failed;
	char text[TEXT_MAX];
};

static void open_info(struct report *r, enum anim_info_form form)
{
	struct anim_info_options options = {.form = form};

	*r = (struct report){.out = NULL};
	options.losses = &r->losses;
	r->failed = anim_output_open_memory(&r->out, &r->error) != 0 ||
		    (r->sink = anim_info_new(r->out, &options, &r->error)) == NULL;
}

static void open_dump(struct report *r)
{
	*r = (struct report){.out = NULL};
	r->failed =
	    anim_output_open_memory(&r->out, &r->error) != 0 || (r->sink = anim_dump_new(r->out, &r->error)) == NULL;
}

/* Ends the sink; its text, "" where it failed. */
static const char *finish(struct report *r)
{
	const uint8_t *bytes;
	size_t size;

	r->failed = r->failed || anim_sink_end(r->sink, &r->error) != 0;
	if (!r->failed && (bytes = anim_output_memory(r->out, &size)) != NULL && size < TEXT_MAX)
		memcpy(r->text, bytes, size);
	anim_sink_free(r->sink);
	anim_output_free(r->out);
	anim_buffer_clear(&r->record);
	anim_losses_clear(&r->losses);
	return r->text;
}

static void check_text(struct report *r, const char *wanted)
{
	finish(r);
	CHECKF(!r->failed, "%s", r->error.message);
	CHECKF(strcmp(r->text, wanted) == 0, "%s", r->text);
}

static const float times[] = {0, 1};
static const float scales[] = {1, 1, 1, 0, 0.5f, 0.25f};

static struct anim_clip make_clip(void)
{
	return (struct anim_clip){.end_s = 1.5f,
				  .loop = ANIM_LOOP_PINGPONG,
				  .axes = ANIM_AXES_GODOT,
				  .name = "walk",
				  .root = ".",
				  .source = "godot4"};
}

static struct anim_track make_track(void)
{
	return (struct anim_track){.kind = ANIM_CURVE,
				   .type = ANIM_FLOAT3,
				   .rules = ANIM_RULES_GODOT4,
				   .node = "Box",
				   .property = "scale",
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = 2,
				   .time = times,
				   .value = scales};
}

static void send_clip(struct report *r, const struct anim_clip *clip)
{
	r->failed = r->failed || anim_sink_clip(r->sink, clip, &r->error) != 0;
}

static void send_track(struct report *r, const struct anim_track *track)
{
	r->failed = r->failed || anim_sink_track(r->sink, track, &r->error) != 0;
}

static void send_tree(struct report *r)
{
	const struct anim_tree tree = {.axes = ANIM_AXES_GODOT, .root_name = "Hero", .source_file = "hero.tscn"};

	r->failed = r->failed || anim_sink_tree(r->sink, &tree, &r->error) != 0;
}

static void send_node(struct report *r, const char *path, const char *type, unsigned kind, uint32_t parent)
{
	const struct anim_node node = {.kind = (uint8_t)kind,
				       .has = ANIM_HAS_POSITION,
				       .parent = parent,
				       .position = {1, 0.5f, 0},
				       .rotation = {0, 0, 0, 1},
				       .scale = {1, 1, 1},
				       .path = path,
				       .type = type};

	r->failed = r->failed || anim_sink_node(r->sink, &node, &r->error) != 0;
}

static void send_prog(struct report *r)
{
	const struct anim_attr rate = {"rate", "30"};
	const struct anim_prog prog = {"anim-resample", "1.0.0", {&rate, 1}};
	struct anim_record record;

	r->failed = r->failed || anim_encode_prog(&r->record, &prog, &r->error) != 0;
	if (r->failed)
		return;
	anim_record_at(r->record.data, 8, &record);
	r->failed = anim_sink_record(r->sink, &record, &r->error) != 0;
}

static void send_unknown(struct report *r, const char *tag)
{
	static const uint8_t bytes[24] = {'a', 'b', 'c', 'd', 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0xca, 0xfe};
	struct anim_record record = {.length = 2, .bytes = bytes, .size = sizeof bytes};

	memcpy(record.tag, tag, 5);
	r->failed = r->failed || anim_sink_record(r->sink, &record, &r->error) != 0;
}

TEST(info_table_rows, "the table aligns its columns and sums up")
{
	struct report r;
	struct anim_clip clip = make_clip();
	struct anim_track a = make_track(), b = make_track();
	const struct anim_attr player = {"player", "AnimationPlayer"};

	clip.attrs = (struct anim_attrs){&player, 1};
	b.node = "Armature/Skeleton3D:Hips";
	b.property = "energy";
	b.type = ANIM_FLOAT;
	b.kind = ANIM_DISCRETE;
	b.flags = ANIM_DISABLED;
	open_info(&r, ANIM_INFO_TABLE);
	send_prog(&r);
	send_clip(&r, &clip);
	send_track(&r, &a);
	send_track(&r, &b);
	send_unknown(&r, "abcd");
	check_text(&r, "walk: 1.5 s, ping-pong, from godot4, godot axes, player AnimationPlayer\n"
		       "  node                      property  type    kind          keys  time    values  notes\n"
		       "  Box                       scale     float3  Curve Linear     2  0 .. 1  0 .. 1\n"
		       "  Armature/Skeleton3D:Hips  energy    float   Discrete         2  0 .. 1  1       disabled\n"
		       "\n1 clip, 2 tracks, 4 keys, 48 bytes\nmade by anim-resample 1.0.0\nother records: 1 abcd\n");
}

TEST(info_table_raw, "a Raw track shows its rate, a mixed one that it is")
{
	struct report r;
	struct anim_clip clip = make_clip();
	struct anim_track a = make_track(), b = make_track();
	const uint8_t modes[] = {ANIM_HOLD, ANIM_LINEAR};

	a.kind = ANIM_RAW;
	a.time = NULL;
	a.rate_num = 30000;
	a.rate_den = 1001;
	b.interp = ANIM_INTERP_COLUMN;
	b.interps = modes;
	b.component = 255;
	open_info(&r, ANIM_INFO_TABLE);
	send_clip(&r, &clip);
	send_track(&r, &a);
	send_track(&r, &b);
	finish(&r);
	CHECKF(strstr(r.text, "  Box   scale     float3  Raw 29.97/s     2  0 .. 0.0334  0 .. 1\n") != NULL, "%s",
	       r.text);
	CHECKF(strstr(r.text, "  Curve mixed  ") != NULL, "%s", r.text);
}

TEST(info_table_safe, "control characters of names are shown as bytes")
{
	struct report r;
	struct anim_clip clip = make_clip();
	struct anim_track t = make_track();

	clip.name = "a\033[2Jb";
	t.node = "n\nm";
	open_info(&r, ANIM_INFO_TABLE);
	send_clip(&r, &clip);
	send_track(&r, &t);
	finish(&r);
	CHECKF(strstr(r.text, "a\\x1b[2Jb: ") != NULL || strstr(r.text, "a\\x1B[2Jb: ") != NULL, "%s", r.text);
	CHECKF(strstr(r.text, "  n\\x0am  ") != NULL || strstr(r.text, "  n\\x0Am  ") != NULL, "%s", r.text);
}

TEST(info_table_wide, "East Asian names take two columns a letter, combining marks none")
{
	struct report r;
	struct anim_clip clip = make_clip();
	struct anim_track a = make_track(), b = make_track();

	a.node = "日本";
	b.node = "abcde\xcc\x81";
	open_info(&r, ANIM_INFO_TABLE);
	send_clip(&r, &clip);
	send_track(&r, &a);
	send_track(&r, &b);
	finish(&r);
	CHECKF(strstr(r.text, "\n  日本   scale") != NULL && strstr(r.text, "\n  abcde\xcc\x81  scale") != NULL, "%s",
	       r.text);
	CHECK(text_width("日本") == 4 && text_width("e\xcc\x81") == 1 && text_width("") == 0);
}

TEST(info_table_strings, "a string track shows how its first text begins")
{
	struct report r;
	struct anim_clip clip = make_clip();
	struct anim_track t = make_track();
	const uint32_t lengths[] = {ANIM_NULL_STRING, 40};
	const uint64_t starts[] = {0, 0};
	const struct anim_strings strings = {lengths, starts, "0123456789012345678901234567890123456789", 40};

	t.type = ANIM_STRING;
	t.kind = ANIM_DISCRETE;
	t.value = NULL;
	t.strings = &strings;
	open_info(&r, ANIM_INFO_TABLE);
	send_clip(&r, &clip);
	send_track(&r, &t);
	CHECKF(strstr(finish(&r), "  0123456789012345678901234567...\n") != NULL, "%s", r.text);
}

TEST(info_table_empty, "a stream of nothing has totals of 0")
{
	struct report r;

	open_info(&r, ANIM_INFO_TABLE);
	check_text(&r, "0 clips, 0 tracks, 0 keys, 0 bytes\n");
}

TEST(info_tree_rows, "the tree shows children below their parents wherever they stood")
{
	struct report r;

	open_info(&r, ANIM_INFO_TREE);
	send_tree(&r);
	send_node(&r, ".", "Node3D", ANIM_NODE, ANIM_NO_PARENT);
	send_node(&r, "A", "Skeleton3D", ANIM_NODE, 0);
	send_node(&r, "B", "Camera3D", ANIM_NODE_CAMERA, 0);
	send_node(&r, "A:Hips", "", ANIM_NODE_BONE, 1);
	send_node(&r, "B/C", "", ANIM_NODE, 2);
	check_text(&r, "tree of Hero, from hero.tscn, godot axes\n"
		       "  . Node3D position (1, 0.5, 0)\n"
		       "    A Skeleton3D position (1, 0.5, 0)\n"
		       "      Hips bone position (1, 0.5, 0)\n"
		       "    B camera Camera3D position (1, 0.5, 0)\n"
		       "      C position (1, 0.5, 0)\n");
}

TEST(info_tree_none, "a stream without a tree says so")
{
	struct report r;
	struct anim_clip clip = make_clip();

	open_info(&r, ANIM_INFO_TREE);
	send_clip(&r, &clip);
	check_text(&r, "no node tree\n");
}

TEST(info_tree_order, "a node before its parent is refused")
{
	struct report r;

	open_info(&r, ANIM_INFO_TREE);
	send_tree(&r);
	send_node(&r, ".", "", ANIM_NODE, ANIM_NO_PARENT);
	send_node(&r, "A", "", ANIM_NODE, 7);
	finish(&r);
	CHECK(r.failed && r.error.code == ANIM_BAD_INPUT);
}

TEST(info_json_document, "the JSON is one document with what is known")
{
	struct report r;
	struct anim_clip clip = make_clip();
	struct anim_track t = make_track();
	const float values[] = {NAN, 2, 3, 0, INFINITY, 0.1f};
	const struct anim_attr type = {"godot.type", "va\"lue"};

	clip.flags = ANIM_IN_TREE;
	t.value = values;
	t.attrs = (struct anim_attrs){&type, 1};
	t.flags = ANIM_LOOP_WRAP_KEYS | ANIM_DISABLED;
	open_info(&r, ANIM_INFO_JSON);
	send_prog(&r);
	send_tree(&r);
	send_node(&r, ".", "Node3D", ANIM_NODE, ANIM_NO_PARENT);
	send_clip(&r, &clip);
	send_track(&r, &t);
	send_unknown(&r, "abcd");
	check_text(
	    &r,
	    "{\"clips\":[\n{\"name\":\"walk\",\"root\":\".\",\"source\":\"godot4\",\"start\":0,\"end\":1.5,"
	    "\"end_derived\":false,\"loop\":\"ping-pong\",\"axes\":\"godot\",\"axes2d\":\"unknown\",\"rate\":null,"
	    "\"tree\":0,\"attributes\":{},\"tracks\":[\n{\"node\":\"Box\",\"property\":\"scale\",\"component\":null,"
	    "\"kind\":\"Curve\",\"type\":\"float3\",\"interp\":\"Linear\",\"rules\":\"godot4\",\"before\":\"hold\","
	    "\"after\":\"hold\",\"flags\":[\"loop_wrap\",\"disabled\"],\"eased\":false,\"keys\":2,\"first\":0,\"last\":"
	    "1,"
	    "\"min\":[0,2,0.1],\"max\":[0,2,3],\"bytes\":32,\"attributes\":{\"godot.type\":\"va\\\"lue\"}}\n]}\n],"
	    "\"trees\":[\n{\"root\":\"Hero\",\"source\":\"hero.tscn\",\"axes\":\"godot\",\"axes2d\":\"unknown\","
	    "\"attributes\":{},\"nodes\":[\n{\"path\":\".\",\"type\":\"Node3D\",\"kind\":\"node\",\"parent\":null,"
	    "\"position\":[1,0.5,0],\"rotation\":null,\"scale\":null,\"two_dimensional\":false,\"attributes\":{}}\n]}"
	    "\n],"
	    "\"programs\":[\n{\"program\":\"anim-resample\",\"version\":\"1.0.0\",\"attributes\":{\"rate\":\"30\"}}\n],"
	    "\"other_records\":{\"abcd\":1},\"totals\":{\"clips\":1,\"tracks\":1,\"keys\":2,\"bytes\":32,\"trees\":1,"
	    "\"nodes\":1,\"bones\":0}}\n");
}

TEST(info_json_empty, "the JSON of nothing is whole")
{
	struct report r;

	open_info(&r, ANIM_INFO_JSON);
	check_text(&r, "{\"clips\":[],\"trees\":[],\"programs\":[],\"other_records\":{},\"totals\":{\"clips\":0,"
		       "\"tracks\":0,\"keys\":0,\"bytes\":0,\"trees\":0,\"nodes\":0,\"bones\":0}}\n");
}

TEST(info_many_tags, "tags beyond the first ones are counted together")
{
	struct report r;
	char tag[5] = "aaaa";

	open_info(&r, ANIM_INFO_JSON);
	for (int i = 0; i < 40; i++) {
		tag[3] = (char)('A' + i % 26);
		tag[2] = (char)('a' + i / 26);
		send_unknown(&r, tag);
	}
	CHECKF(strstr(finish(&r), "\"...\":9}") != NULL, "%s", r.text);
}

TEST(info_strict, "faults and forbidden warnings keep it from ending")
{
	struct report r;

	open_info(&r, ANIM_INFO_TABLE);
	CHECK(anim_losses_add(&r.losses, ANIM_WARNING, NULL, NULL, &r.error, "look out") == 0);
	r.losses.strict = true;
	finish(&r);
	CHECK(r.failed && r.error.code == ANIM_STRICT);
}

TEST(dump_lines, "the dump has a line a record, an attribute and a key")
{
	struct report r;
	struct anim_clip clip = make_clip();
	struct anim_track t = make_track();
	const struct anim_attr type = {"godot.type", "a\n\"\\\x01\xc3\xa9"};

	t.attrs = (struct anim_attrs){&type, 1};
	clip.rate_num = 30;
	clip.rate_den = 1;
	clip.flags = ANIM_IN_TREE;
	open_dump(&r);
	send_prog(&r);
	send_tree(&r);
	send_node(&r, ".", "Node3D", ANIM_NODE, ANIM_NO_PARENT);
	send_clip(&r, &clip);
	send_track(&r, &t);
	send_unknown(&r, "abcd");
	check_text(&r, "anim-dump 1\n"
		       "prog program=\"anim-resample\" version=\"1.0.0\"\n"
		       "\tattr \"rate\" \"30\"\n"
		       "tree root=\"Hero\" source=\"hero.tscn\" axes=godot axes2d=unknown\n"
		       "node path=\".\" type=\"Node3D\" kind=node has=position parent=- position=1,0.5,0 "
		       "rotation=0,0,0,1 scale=1,1,1\n"
		       "clip name=\"walk\" root=\".\" source=\"godot4\" start=0 end=1.5 loop=ping-pong axes=godot "
		       "axes2d=unknown flags=in_tree rate=30/1\n"
		       "track node=\"Box\" property=\"scale\" component=- kind=Curve type=float3 rules=godot4 flags=- "
		       "before=hold after=hold interp=Linear keys=2\n"
		       "\tattr \"godot.type\" \"a\\n\\\"\\\\\\x01é\"\n"
		       "\tcolumns time value\n"
		       "\t0 1,1,1\n"
		       "\t1 0,0.5,0.25\n"
		       "record tag=\"abcd\" bytes=2\n"
		       "\tcafe\n"
		       "end\n");
}

TEST(dump_bits_of_nan, "numbers that are none keep their bits, and -0 its sign")
{
	struct report r;
	union {
		uint32_t bits[6];
		float lanes[6];
	} values = {.bits = {0x7fc00001, 0xff800000, 0x80000000, 0x7f800000, 0xffc12345, 0}};
	struct anim_clip clip = make_clip();
	struct anim_track t = make_track();

	t.value = values.lanes;
	open_dump(&r);
	send_clip(&r, &clip);
	send_track(&r, &t);
	CHECKF(strstr(finish(&r), "\t0 nan:7fc00001,-inf,-0\n\t1 inf,nan:ffc12345,0\n") != NULL, "%s", r.text);
}

TEST(dump_all_columns, "every column of a key is on its line")
{
	struct report r;
	const float values[] = {1, 2}, handles[] = {0.25f, 0.5f}, ease[] = {1, -2};
	const uint8_t modes[] = {ANIM_WEIGHTED, ANIM_BEZIER_2D}, weighted[] = {3, 0};
	const uint32_t hint[] = {7, 4294967295u};
	struct anim_clip clip = make_clip();
	struct anim_track t = make_track();

	t.type = ANIM_FLOAT;
	t.component = 1;
	t.value = values;
	t.interp = ANIM_INTERP_COLUMN;
	t.interps = modes;
	t.left = t.right = values;
	t.left_x = t.right_x = handles;
	t.ease = ease;
	t.weighted = weighted;
	t.hint = hint;
	t.flags = ANIM_DEGREES | ANIM_DISABLED;
	open_dump(&r);
	send_clip(&r, &clip);
	send_track(&r, &t);
	CHECKF(strstr(finish(&r),
		      "component=1 kind=Curve type=float rules=godot4 flags=degrees,disabled before=hold after=hold "
		      "interp=column keys=2\n"
		      "\tcolumns time value interp left right left_x right_x ease weighted hint\n"
		      "\t0 1 Weighted 1 1 0.25 0.25 1 3 7\n"
		      "\t1 2 Bezier2D 2 2 0.5 0.5 -2 0 4294967295\n") != NULL,
	       "%s", r.text);
}

TEST(dump_raw, "a Raw track shows its grid in double")
{
	struct report r;
	struct anim_clip clip = make_clip();
	struct anim_track t = make_track();

	t.kind = ANIM_RAW;
	t.time = NULL;
	t.start_s = 0.1;
	t.step_s = 0.30000000000000004;
	open_dump(&r);
	send_clip(&r, &clip);
	send_track(&r, &t);
	CHECKF(strstr(finish(&r), " keys=2 start=0.1 step=0.30000000000000004 rate=0/0\n\tcolumns value\n\t1,1,1\n") !=
		   NULL,
	       "%s", r.text);
}

TEST(dump_strings, "strings are quoted, null is not, and what is not safe to show is escaped")
{
	struct report r;
	const uint32_t lengths[] = {ANIM_NULL_STRING, 7};
	const uint64_t starts[] = {0, 0};
	const struct anim_strings strings = {lengths, starts, "null\xe2\x80\xae", 7};
	struct anim_clip clip = make_clip();
	struct anim_track t = make_track();

	t.type = ANIM_STRING;
	t.value = NULL;
	t.strings = &strings;
	open_dump(&r);
	send_clip(&r, &clip);
	send_track(&r, &t);
	finish(&r);
	CHECKF(strstr(r.text, "\t0 null\n\t1 \"null\\xe2\\x80\\xae\"\n") != NULL ||
		   strstr(r.text, "\t0 null\n\t1 \"null\\xE2\\x80\\xAE\"\n") != NULL,
	       "%s", r.text);
}
