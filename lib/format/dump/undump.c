/* undump.c: the text of anim-dump as records: the frame, and all records but tracks. */
#include "format/dump/undump.h"

#include <string.h>

#include "format/dump/undump_internal.h"
#include "stream/fields.h"

int undump_record(struct undump *undump, struct anim_record *record)
{
	anim_record_at(undump->bytes.data, 0, record);
	return anim_order_next(&undump->order, record->tag, record->length, undump->error) != 0 ? undump_place(undump)
												: 0;
}

static int read_prog(struct undump *undump)
{
	struct anim_prog prog;
	struct anim_record record;

	if (undump_text(undump, " program=", &prog.program) != 0 ||
	    undump_text(undump, " version=", &prog.version) != 0 || undump_ended(undump) != 0 ||
	    undump_attrs(undump, &prog.attrs) != 0)
		return -1;
	if (anim_encode_prog(&undump->bytes, &prog, undump->error) != 0)
		return undump_place(undump);
	return undump_record(undump, &record) != 0 ? -1 : anim_sink_record(undump->sink, &record, undump->error);
}

static int read_tree(struct undump *undump)
{
	struct anim_record record;
	struct anim_tree tree = {.record = &record};

	if (undump_text(undump, " root=", &tree.root_name) != 0 ||
	    undump_text(undump, " source=", &tree.source_file) != 0 ||
	    undump_word(undump, " axes=", anim_axes_names, ANIM_AXES_COUNT, &tree.axes) != 0 ||
	    undump_word(undump, " axes2d=", anim_axes2d_names, ANIM_AXES2D_COUNT, &tree.axes2d) != 0 ||
	    undump_ended(undump) != 0 || undump_attrs(undump, &tree.attrs) != 0)
		return -1;
	if (anim_encode_tree(&undump->bytes, &tree, undump->error) != 0)
		return undump_place(undump);
	return undump_record(undump, &record) != 0 ? -1 : anim_sink_tree(undump->sink, &tree, undump->error);
}

static int read_parent(struct undump *undump, uint32_t *parent)
{
	uint64_t number = ANIM_NO_PARENT;

	if (!undump_accept(undump, " parent=-") && undump_count(undump, " parent=", ANIM_NO_PARENT - 1, &number) != 0)
		return -1;
	*parent = (uint32_t)number;
	return 0;
}

static int read_node(struct undump *undump)
{
	struct anim_record record;
	struct anim_node node = {.record = &record};
	unsigned has;

	if (undump_text(undump, " path=", &node.path) != 0 || undump_text(undump, " type=", &node.type) != 0 ||
	    undump_word(undump, " kind=", anim_node_kind_names, ANIM_NODE_KIND_COUNT, &node.kind) != 0 ||
	    undump_bits(undump, " has=", anim_node_has_names, ANIM_NODE_HAS_COUNT, &has) != 0 ||
	    read_parent(undump, &node.parent) != 0 || undump_floats(undump, " position=", node.position, 3) != 0 ||
	    undump_floats(undump, " rotation=", node.rotation, 4) != 0 ||
	    undump_floats(undump, " scale=", node.scale, 3) != 0 || undump_ended(undump) != 0 ||
	    undump_attrs(undump, &node.attrs) != 0)
		return -1;
	node.has = (uint8_t)has;
	if (anim_encode_node(&undump->bytes, &node, undump->order.nodes, undump->error) != 0)
		return undump_place(undump);
	return undump_record(undump, &record) != 0 ? -1 : anim_sink_node(undump->sink, &node, undump->error);
}

static int read_clip(struct undump *undump)
{
	struct anim_record record;
	struct anim_clip clip = {.record = &record};
	unsigned flags;

	if (undump_text(undump, " name=", &clip.name) != 0 || undump_text(undump, " root=", &clip.root) != 0 ||
	    undump_text(undump, " source=", &clip.source) != 0 ||
	    undump_floats(undump, " start=", &clip.start_s, 1) != 0 ||
	    undump_floats(undump, " end=", &clip.end_s, 1) != 0 ||
	    undump_word(undump, " loop=", anim_loop_names, ANIM_LOOP_COUNT, &clip.loop) != 0 ||
	    undump_word(undump, " axes=", anim_axes_names, ANIM_AXES_COUNT, &clip.axes) != 0 ||
	    undump_word(undump, " axes2d=", anim_axes2d_names, ANIM_AXES2D_COUNT, &clip.axes2d) != 0 ||
	    undump_bits(undump, " flags=", anim_clip_flag_names, ANIM_CLIP_FLAG_COUNT, &flags) != 0 ||
	    undump_rate(undump, &clip.rate_num, &clip.rate_den) != 0 || undump_ended(undump) != 0 ||
	    undump_attrs(undump, &clip.attrs) != 0)
		return -1;
	clip.flags = (uint8_t)flags;
	if (anim_encode_clip(&undump->bytes, &clip, undump->order.tree, undump->error) != 0)
		return undump_place(undump);
	return undump_record(undump, &record) != 0 ? -1 : anim_sink_clip(undump->sink, &clip, undump->error);
}

static int read_track(struct undump *undump)
{
	struct anim_record record;
	struct anim_track track;

	if (undump_track_head(undump) != 0 || undump_attrs(undump, &undump->track.head.attrs) != 0 ||
	    undump_layout(undump) != 0 || undump_keys(undump) != 0 || undump_encode(undump) != 0 ||
	    undump_record(undump, &record) != 0)
		return -1;
	if (anim_record_track(&record, &track, &undump->arena, undump->error) != 0)
		return undump_place(undump);
	return anim_sink_track(undump->sink, &track, undump->error);
}

/* A record that is not known, or an archive's index: those that a stream may hold unread. */
static int read_other(struct undump *undump)
{
	struct anim_record record;
	const char *at = undump->at, *tag;
	uint64_t size;

	if (undump_text(undump, " tag=", &tag) != 0)
		return -1;
	if (strlen(tag) != 4 || !anim_tag_is((const uint8_t *)tag) || tag[0] < 'a' || strcmp(tag, "prog") == 0)
		return undump_fail(undump, at + 1, "not the tag of a record that is shown as bytes");
	if (undump_count(undump, " bytes=", INT64_MAX, &size) != 0 || undump_ended(undump) != 0 ||
	    anim_put_head(&undump->bytes, tag, undump->error) != 0 ||
	    undump_bytes(undump, "\t", size, &undump->bytes) != 0 ||
	    anim_put_finish(&undump->bytes, 0, undump->error) != 0)
		return -1;
	return undump_record(undump, &record) != 0 ? -1 : anim_sink_record(undump->sink, &record, undump->error);
}

static const struct {
	const char *word;
	int (*read)(struct undump *);
} records[] = {{"prog", read_prog}, {"tree", read_tree},   {"node", read_node},
	       {"clip", read_clip}, {"track", read_track}, {"record", read_other}};

/* A record by the word that its line begins with: 1; 0 for the last line; -1. */
static int read_record(struct undump *undump)
{
	int got = undump_line(undump);

	if (got < 0)
		return -1;
	if (got == 0)
		return undump_fail(undump, undump->lines.end, "the text is cut: there is no line 'end'");
	if (undump_accept(undump, "end"))
		return undump_ended(undump);
	undump->place = anim_lines_place(&undump->lines, undump->at);
	undump->bytes.size = 0;
	anim_arena_reset(&undump->arena);
	for (size_t i = 0; i < sizeof records / sizeof *records; i++)
		if (undump_accept(undump, records[i].word))
			return records[i].read(undump) != 0 ? -1 : 1;
	return undump_fail(undump, undump->at, "a line that begins no record");
}

static int read_first_line(struct undump *undump)
{
	static const char begin[] = "anim-dump ";
	size_t length = sizeof begin - 1;
	uint64_t version;
	int got = anim_lines_next(&undump->lines, undump->error);

	if (got < 0)
		return -1;
	if (got == 0)
		return anim_fail(undump->error, ANIM_BAD_INPUT, "the input is empty");
	if ((size_t)(undump->lines.end - undump->lines.at) < length || memcmp(undump->lines.at, begin, length) != 0)
		return undump_fail(undump, undump->lines.at, "not the text of anim-dump, which begins 'anim-dump 1'");
	if (undump_begin_line(undump) != 0 || undump_count(undump, begin, UINT32_MAX, &version) != 0)
		return -1;
	if (version != 1) {
		undump->place = anim_lines_place(&undump->lines, undump->lines.at);
		anim_fail(undump->error, ANIM_UNSUPPORTED, "version %llu of anim-dump's text: needs newer anim-tools",
			  (unsigned long long)version);
		return undump_place(undump);
	}
	return undump_ended(undump);
}

static int read_all(struct undump *undump)
{
	int got = read_first_line(undump) == 0 ? 1 : -1;

	while (got == 1)
		got = read_record(undump);
	if (got == 0 && (got = undump_line(undump)) == 1)
		return undump_fail(undump, undump->at, "more text behind the line 'end'");
	return got;
}

int anim_undump(struct anim_input *input, struct anim_sink *sink, struct anim_error *error)
{
	struct undump undump = {.lines = {.input = input}, .sink = sink, .error = error};
	int result = read_all(&undump);

	undump_track_clear(&undump.track);
	anim_buffer_clear(&undump.text);
	anim_buffer_clear(&undump.attrs);
	anim_buffer_clear(&undump.bytes);
	anim_arena_clear(&undump.arena);
	return result == 0 ? 0 : anim_error_in_file(error, anim_input_name(input));
}
