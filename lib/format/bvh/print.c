/* print.c: the file as text: the joints, then the motion frame by frame. */
#include <string.h>

#include "base/number.h"
#include "format/bvh/writer.h"

#define TILE_FLOATS ((size_t)1 << 17) /* numbers that are put in the frames' order at once */

/* ---- The joints ---- */

static void put_indent(struct anim_print *print, unsigned depth)
{
	while (depth-- > 0)
		anim_print_text(print, "\t");
}

/* Whether the tree's name of a node is what the reader made of this one of the file's. */
static bool is_made_of(const char *name, const char *original)
{
	for (; *original != '\0'; original++, name++)
		if (*name != (*original == '/' ? '_' : *original))
			return false;
	return *name == '\0' || (*name == '-' && name[1 + strspn(name + 1, "0123456789")] == '\0');
}

/* Blanks would end a name for most who read it, braces for all. */
static void put_name(struct anim_print *print, const char *name)
{
	for (; *name != '\0'; name++)
		anim_print_bytes(print, strchr(" \t{}", *name) != NULL || (unsigned char)*name < ' ' ? "_" : name, 1);
}

static const char *name_of(const struct bvh_writer *writer, const struct bvh_bone *bone)
{
	const char *original = anim_attrs_get(&bone->node.attrs, BVH_ATTR_NAME);
	const char *name = bone->node.parent == ANIM_NO_PARENT
			       ? NULL
			       : anim_node_bone(bone->node.path, bvh_bone_at(writer, bone->node.parent)->node.path);

	if (strcmp(bone->node.path, ".") == 0)
		return writer->root_name[0] != '\0' ? writer->root_name : "root";
	if (name == NULL)
		name = strrchr(bone->node.path, '/') == NULL ? bone->node.path : strrchr(bone->node.path, '/') + 1;
	return original != NULL && original[0] != '\0' && is_made_of(name, original) ? original : name;
}

static void put_offset(struct anim_print *print, const float v[3], unsigned depth)
{
	put_indent(print, depth);
	anim_print_text(print, "OFFSET");
	for (int i = 0; i < 3; i++) {
		anim_print_text(print, " ");
		anim_print_float(print, v[i]);
	}
	anim_print_text(print, "\n");
}

static void put_end(struct anim_print *print, const char *name, const float offset[3], unsigned depth)
{
	put_indent(print, depth);
	anim_print_text(print, name == NULL ? "End Site" : "End Site ");
	put_name(print, name == NULL ? "" : name);
	anim_print_text(print, "\n");
	put_indent(print, depth);
	anim_print_text(print, "{\n");
	put_offset(print, offset, depth + 1);
	put_indent(print, depth);
	anim_print_text(print, "}\n");
}

/* A node that the reader made of an End Site, and that has become nothing else. */
static bool is_end(const struct bvh_bone *bone)
{
	return bone->above != BVH_NO_JOINT && bone->first == BVH_NO_JOINT && !bone->moves.there && !bone->turns.there &&
	       anim_attrs_get(&bone->node.attrs, BVH_ATTR_END) != NULL;
}

static void put_head(struct bvh_writer *writer, const struct bvh_bone *bone)
{
	struct anim_print *print = &writer->print;
	char channels[BVH_CHANNELS_TEXT];
	unsigned depth = bone->depth - 1;

	put_indent(print, depth);
	anim_print_text(print, depth == 0 ? "ROOT " : "JOINT ");
	put_name(print, name_of(writer, bone));
	anim_print_text(print, "\n");
	put_indent(print, depth);
	anim_print_text(print, "{\n");
	put_offset(print, bone->offset, depth + 1);
	bvh_channels_print(&bone->channels, channels);
	put_indent(print, depth + 1);
	anim_print_text(print, "CHANNELS ");
	anim_print_uint64(print, bone->channels.count);
	anim_print_texts(print, bone->channels.count > 0 ? " " : "", channels, "\n");
}

/* A joint without any below it needs a length that nothing tells, unless the file that it is from had none. */
static void put_tail(struct anim_print *print, const struct bvh_bone *bone)
{
	float tip[3];

	for (int i = 0; i < 3; i++)
		tip[i] = bone->offset[i] / 10;
	if (bone->first == BVH_NO_JOINT && !bone->told)
		put_end(print, NULL, tip, bone->depth);
	put_indent(print, bone->depth - 1);
	anim_print_text(print, "}\n");
}

/* A joint, or an End Site, up to what stands below it. */
static void put_joint(struct bvh_writer *writer, const struct bvh_bone *bone)
{
	const char *end = anim_attrs_get(&bone->node.attrs, BVH_ATTR_END);

	if (!is_end(bone))
		put_head(writer, bone);
	else
		put_end(&writer->print, strcmp(end, "named") == 0 ? name_of(writer, bone) : NULL, bone->offset,
			bone->depth - 1);
}

/* The joint whose braces come next behind one that has none below it; closes those that end. */
static uint32_t go_on(struct bvh_writer *writer, uint32_t at)
{
	if (!is_end(bvh_bone_at(writer, at)))
		put_tail(&writer->print, bvh_bone_at(writer, at));
	while (bvh_bone_at(writer, at)->next == BVH_NO_JOINT) {
		at = bvh_bone_at(writer, at)->above;
		if (at == BVH_NO_JOINT)
			return at;
		put_tail(&writer->print, bvh_bone_at(writer, at));
	}
	return bvh_bone_at(writer, at)->next;
}

/* The joints' numbers in the order of the text are needed for the motion, too. 0 or -1. */
static int put_joints(struct bvh_writer *writer, struct anim_buffer *order, struct anim_error *error)
{
	anim_print_text(&writer->print, "HIERARCHY\n");
	for (uint32_t root = 0; root < bvh_bone_count(writer); root++) {
		const struct bvh_bone *bone = bvh_bone_at(writer, root);
		uint32_t at = bone->joint && bone->above == BVH_NO_JOINT ? root : BVH_NO_JOINT;

		while (at != BVH_NO_JOINT) {
			bone = bvh_bone_at(writer, at);
			put_joint(writer, bone);
			if (!is_end(bone) && anim_buffer_append(order, &at, sizeof at, error) != 0)
				return -1;
			at = bone->first != BVH_NO_JOINT ? bone->first : go_on(writer, at);
		}
	}
	return writer->print.failed ? -1 : 0;
}

/* ---- The motion ---- */

/* The frame time as the source's file had it where it is still that, else a text of the rate. */
static void put_frame_time(struct bvh_writer *writer)
{
	const char *told = anim_attrs_get(&writer->clip.attrs, BVH_ATTR_FRAME_TIME);
	char text[BVH_FRAME_TIME_TEXT];
	uint32_t num, den;
	double step_s;

	if (told != NULL && bvh_frame_time_read(told, strlen(told), &num, &den, &step_s) && num == writer->rate_num &&
	    den == writer->rate_den && (num > 0 || step_s == writer->step_s)) {
		anim_print_text(&writer->print, told);
		return;
	}
	bvh_frame_time_print(writer->rate_num, writer->rate_den, writer->step_s, text);
	anim_print_text(&writer->print, text);
}

/* A joint's three numbers of `frames` frames from `first` on. */
static int read_column(struct bvh_writer *writer, const struct bvh_column *column, size_t first, size_t frames,
		       float *values, struct anim_error *error)
{
	bool stays = column->n == 1;
	size_t size = 3 * sizeof *values;

	if (anim_spool_copy(&writer->motion, column->place + (stays ? 0 : first * size), values,
			    (stays ? 1 : frames) * size, error) != 0)
		return -1;
	for (size_t k = 1; stays && k < frames; k++)
		memcpy(values + 3 * k, values, size);
	return 0;
}

/* Fills in what a column's channels show, the offset where it has none; `scratch` has room for its values. */
static int fill_column(struct bvh_writer *writer, const struct bvh_bone *bone, bool turns, size_t first, size_t frames,
		       float *scratch, float *to, size_t width, struct anim_error *error)
{
	static const float no_turn[3];
	const struct bvh_column *column = turns ? &bone->turns : &bone->moves;
	const float *other = turns ? no_turn : bone->offset;

	if (column->there && read_column(writer, column, first, frames, scratch, error) != 0)
		return -1;
	for (unsigned i = 0; i < bone->channels.count; i++) {
		unsigned channel = bone->channels.items[i], axis = channel % BVH_TURNS;

		for (size_t k = 0; (channel >= BVH_TURNS) == turns && k < frames; k++)
			to[k * width + i] = column->there ? scratch[3 * k + axis] : other[axis];
	}
	return 0;
}

/* So many numbers, a line for each frame. */
static void put_numbers(struct anim_print *print, const float *values, size_t count, size_t width)
{
	size_t most = width < ANIM_NUMBER_TEXTS ? ANIM_NUMBER_TEXTS / width * width : ANIM_NUMBER_TEXTS;
	struct anim_number_texts texts;
	char lines[ANIM_NUMBER_TEXTS * (sizeof texts.bytes[0] + 1)];

	for (size_t first = 0; first < count; first += most) {
		size_t part = count - first < most ? count - first : most, used = 0;

		anim_number_print_floats(values + first, part, width < most ? width : 1, &texts);
		for (size_t i = 0; i < part; i++) {
			memcpy(lines + used, texts.bytes[i], sizeof texts.bytes[i]);
			used += texts.length[i];
			lines[used++] = (first + i + 1) % width == 0 ? '\n' : ' ';
		}
		anim_print_bytes(print, lines, used);
	}
}

/* Room for a tile, and for a column of it; the joints in the order of the text. */
struct tile {
	const uint32_t *joints;
	size_t joint_count, width, frames;
	float *values, *scratch;
};

static int put_tile(struct bvh_writer *writer, const struct tile *tile, size_t first, size_t frames,
		    struct anim_error *error)
{
	float *to = tile->values;

	for (size_t i = 0; i < tile->joint_count; i++) {
		const struct bvh_bone *bone = bvh_bone_at(writer, tile->joints[i]);

		for (int turns = 0; turns < 2; turns++)
			if (fill_column(writer, bone, turns, first, frames, tile->scratch, to, tile->width, error) != 0)
				return -1;
		to += bone->channels.count;
	}
	put_numbers(&writer->print, tile->values, frames * tile->width, tile->width);
	return writer->print.failed ? -1 : 0;
}

static int put_motion(struct bvh_writer *writer, const struct anim_buffer *order, struct anim_error *error)
{
	struct tile tile = {.joints = (const uint32_t *)(const void *)order->data,
			    .joint_count = order->size / sizeof(uint32_t)};
	struct anim_buffer values = {0}, scratch = {0};
	int result = 0;

	for (size_t i = 0; i < tile.joint_count; i++)
		tile.width += bvh_bone_at(writer, tile.joints[i])->channels.count;
	if (tile.width == 0)
		return 0;
	tile.frames = TILE_FLOATS / tile.width > 0 ? TILE_FLOATS / tile.width : 1;
	tile.frames = tile.frames < writer->frames ? tile.frames : writer->frames;
	tile.values = anim_buffer_extend(&values, tile.frames * tile.width * sizeof(float) + 1, error);
	tile.scratch = anim_buffer_extend(&scratch, tile.frames * 3 * sizeof(float) + 1, error);
	if (tile.values == NULL || tile.scratch == NULL)
		result = -1;
	for (size_t first = 0; result == 0 && first < writer->frames; first += tile.frames)
		result = put_tile(writer, &tile, first,
				  writer->frames - first < tile.frames ? writer->frames - first : tile.frames, error);
	anim_buffer_clear(&values);
	anim_buffer_clear(&scratch);
	return result;
}

int bvh_print(struct bvh_writer *writer, struct anim_error *error)
{
	struct anim_print *print = &writer->print;
	struct anim_buffer order = {0};
	int result;

	print->error = error;
	result = put_joints(writer, &order, error);
	anim_print_text(print, "MOTION\nFrames: ");
	anim_print_uint64(print, writer->frames);
	anim_print_text(print, "\nFrame Time: ");
	put_frame_time(writer);
	anim_print_text(print, "\n");
	if (result == 0)
		result = print->failed ? -1 : put_motion(writer, &order, error);
	anim_buffer_clear(&order);
	return result;
}
