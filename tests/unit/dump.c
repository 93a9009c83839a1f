/* dump.c: what anim-dump says of records built by hand. */
#include <string.h>

#include "report.h"
#include "tap.h"

TEST(dump_lines, "the dump has a line a record, an attribute and a key")
{
	struct report r;
	struct anim_clip clip = report_make_clip();
	struct anim_track t = report_make_track();
	const struct anim_attr type = {"godot.type", "a\n\"\\\x01\xc3\xa9"};

	t.attrs = (struct anim_attrs){&type, 1};
	clip.rate_num = 30;
	clip.rate_den = 1;
	clip.flags = ANIM_IN_TREE;
	report_open_dump(&r);
	report_prog(&r);
	report_tree(&r);
	report_node(&r, ".", "Node3D", ANIM_NODE, ANIM_NO_PARENT);
	report_clip(&r, &clip);
	report_track(&r, &t);
	report_unknown(&r, "abcd");
	report_check(&r,
		     "anim-dump 1\n"
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
		float components[6];
	} values = {.bits = {0x7fc00001, 0xff800000, 0x80000000, 0x7f800000, 0xffc12345, 0}};
	struct anim_clip clip = report_make_clip();
	struct anim_track t = report_make_track();

	t.value = values.components;
	report_open_dump(&r);
	report_clip(&r, &clip);
	report_track(&r, &t);
	CHECKF(strstr(report_finish(&r), "\t0 nan:7fc00001,-inf,-0\n\t1 inf,nan:ffc12345,0\n") != NULL, "%s", r.text);
}

TEST(dump_all_columns, "every column of a key is on its line")
{
	struct report r;
	const float values[] = {1, 2}, handles[] = {0.25f, 0.5f}, ease[] = {1, -2};
	const uint8_t modes[] = {ANIM_WEIGHTED, ANIM_BEZIER_2D}, weighted[] = {3, 0};
	const uint32_t hint[] = {7, 4294967295u};
	struct anim_clip clip = report_make_clip();
	struct anim_track t = report_make_track();

	t.type = ANIM_FLOAT;
	t.component = 1;
	t.value = values;
	t.interp = ANIM_INTERP_COLUMN;
	t.interps = modes;
	t.left = values;
	t.right = handles;
	t.left_x = handles;
	t.right_x = values;
	t.ease = ease;
	t.weighted = weighted;
	t.hint = hint;
	t.flags = ANIM_DEGREES | ANIM_DISABLED;
	report_open_dump(&r);
	report_clip(&r, &clip);
	report_track(&r, &t);
	CHECKF(strstr(report_finish(&r),
		      "component=1 kind=Curve type=float rules=godot4 flags=degrees,disabled before=hold after=hold "
		      "interp=column keys=2\n"
		      "\tcolumns time value interp left right left_x right_x ease weighted hint\n"
		      "\t0 1 Weighted 1 0.25 0.25 1 1 3 7\n"
		      "\t1 2 Bezier2D 2 0.5 0.5 2 -2 0 4294967295\n") != NULL,
	       "%s", r.text);
}

TEST(dump_raw, "a Raw track shows its grid in double")
{
	struct report r;
	struct anim_clip clip = report_make_clip();
	struct anim_track t = report_make_track();

	t.kind = ANIM_RAW;
	t.time = NULL;
	t.start_s = 0.1;
	t.step_s = 0.30000000000000004;
	report_open_dump(&r);
	report_clip(&r, &clip);
	report_track(&r, &t);
	CHECKF(strstr(report_finish(&r),
		      " keys=2 start=0.1 step=0.30000000000000004 rate=0/0\n\tcolumns value\n\t1,1,1\n") != NULL,
	       "%s", r.text);
}

TEST(dump_strings, "strings are quoted, null is not, and what is not safe to show is escaped")
{
	struct report r;
	const uint32_t lengths[] = {ANIM_NULL_STRING, 7};
	const uint64_t starts[] = {0, 0};
	const struct anim_strings strings = {lengths, starts, "null\xe2\x80\xae", 7};
	struct anim_clip clip = report_make_clip();
	struct anim_track t = report_make_track();

	t.type = ANIM_STRING;
	t.value = NULL;
	t.strings = &strings;
	report_open_dump(&r);
	report_clip(&r, &clip);
	report_track(&r, &t);
	report_finish(&r);
	CHECKF(strstr(r.text, "\t0 null\n\t1 \"null\\xe2\\x80\\xae\"\n") != NULL, "%s", r.text);
}
