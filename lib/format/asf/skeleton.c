/* skeleton.c: reads the bones of an .asf, and sends them as a tree. */
#include "format/asf/skeleton.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include "format/asf/asf.h"
#include "math/elementary.h"

/*
 * The descriptions of the format that this reader follows: "Acclaim Skeleton File Definition V1.10" by M. Schafer of
 * Acclaim, and "Acclaim Format - ASF line Details" of Carnegie Mellon University.
 */

/* ---- Lines of words ---- */

void asf_lines_init(struct asf_lines *lines, struct anim_input *input, struct anim_error *error)
{
	*lines = (struct asf_lines){.lines = {.input = input}, .error = error};
}

/* Old editors end a text with Ctrl-Z, and some programs with NULs. */
static bool is_blank(char c)
{
	return c == '\0' || c == '\x1a' || c == ' ' || (c >= '\t' && c <= '\r') || c == ',' || c == '(' || c == ')';
}

bool asf_next_word(struct asf_lines *lines)
{
	const char *at = lines->at;

	while (at < lines->end && is_blank(*at))
		at++;
	if (at < lines->end && *at == '#')
		at = lines->end;
	lines->word = at;
	while (at < lines->end && !is_blank(*at))
		at++;
	lines->length = (size_t)(at - lines->word);
	lines->at = at;
	return lines->length > 0;
}

int asf_next_line(struct asf_lines *lines)
{
	int got;

	while ((got = anim_lines_next(&lines->lines, lines->error)) > 0) {
		lines->at = lines->lines.at;
		lines->end = lines->lines.end;
		if (lines->lines.number == 1 &&
		    anim_bytes_begin(lines->at, (size_t)(lines->end - lines->at), "\xef\xbb\xbf"))
			lines->at += 3;
		if (asf_next_word(lines))
			return 1;
	}
	return got;
}

bool asf_is_word(const struct asf_lines *lines, const char *word)
{
	return strlen(word) == lines->length && strncasecmp(lines->word, word, lines->length) == 0;
}

/* Read the current word as a number. Programs also write a plus sign before it. */
static bool read_number(const struct asf_lines *lines, float *value)
{
	size_t plus = lines->length > 1 && lines->word[0] == '+' && lines->word[1] != '-';
	double number;

	if (anim_number_typed(lines->word + plus, lines->length - plus, &number) != lines->length - plus)
		return false;
	*value = (float)number;
	return isfinite(*value);
}

int asf_numbers(struct asf_lines *lines, float *values, size_t count)
{
	size_t done = 0;

	while (asf_next_word(lines)) {
		if (done == count)
			return (int)done + 1;
		if (!read_number(lines, &values[done++])) {
			char shown[64];

			anim_text_safe(shown, sizeof shown, lines->word, lines->length);
			return asf_fail(lines, "'%s' is not a number", shown);
		}
	}
	return (int)done;
}

int asf_fail(struct asf_lines *lines, const char *format, ...)
{
	struct anim_place place = anim_lines_place(&lines->lines, lines->word);
	va_list args;

	if (place.line == 0)
		place.line = place.column = 1; /* the file has no line */
	va_start(args, format);
	anim_fail_va(lines->error, ANIM_BAD_INPUT, &place, format, args);
	va_end(args);
	return -1;
}

/* ---- Reading the sections ---- */

#define NAME_MAX_BYTES ((size_t)ANIM_BVH_NAME_MAX)
#define BONES_MAX (1u << 16)

struct skeleton_reading {
	struct asf_skeleton *skeleton;
	struct asf_lines lines;
	const struct anim_read_options *options;
	struct anim_error *error;
	double length; /* of the units */
	bool has_hierarchy;
	float angles[3]; /* of the root's orientation */
	enum anim_euler_order angle_order;
};

/* Fail unless the line has exactly `count` numbers. Return 0 or -1. */
static int read_numbers(struct skeleton_reading *reading, float *values, size_t count, const char *of)
{
	int got = asf_numbers(&reading->lines, values, count);

	if (got < 0)
		return -1;
	return (size_t)got == count
		   ? 0
		   : asf_fail(&reading->lines, "%s needs %zu number%s", of, count, count == 1 ? "" : "s");
}

/* Read "XYZ". Files list the axes in the order in which they rotate the bone, the reverse of a product of matrices. */
static int read_order(struct skeleton_reading *reading, enum anim_euler_order *order)
{
	char name[4] = "";
	int found;

	if (reading->lines.length == 3)
		for (size_t i = 0; i < 3; i++)
			name[i] = (char)(reading->lines.word[2 - i] & ~0x20);
	found = anim_euler_order_find(name);
	if (found < 0)
		return asf_fail(&reading->lines, "an order of axes such as XYZ expected");
	*order = (enum anim_euler_order)found;
	return 0;
}

static void set_rotation(const struct skeleton_reading *reading, double q[4], const float angles[3],
			 enum anim_euler_order order)
{
	const double unit = reading->skeleton->in_radians ? 1 : ANIM_PI / 180;
	double radians[3];

	for (size_t i = 0; i < 3; i++)
		radians[i] = (double)angles[i] * unit;
	anim_quat_from_euler_double(q, radians, order);
}

static int read_unit(struct skeleton_reading *reading)
{
	struct asf_lines *lines = &reading->lines;
	float value;

	if (asf_is_word(lines, "angle")) {
		if (!asf_next_word(lines))
			return asf_fail(lines, "deg or rad expected");
		reading->skeleton->in_radians = asf_is_word(lines, "rad") || asf_is_word(lines, "radians");
		return 0;
	}
	if (!asf_is_word(lines, "length"))
		return 0;
	if (read_numbers(reading, &value, 1, "length") != 0)
		return -1;
	if (!(value > 1e-6F && value < 1e6F))
		return asf_fail(lines, "a length unit from 1e-6 to 1e6 expected");
	reading->length = (double)value;
	return 0;
}

/* Read the degrees of freedom, which also say in which order the rotations apply to the bone. */
static int read_dofs(struct skeleton_reading *reading, struct asf_bone *bone)
{
	static const char *const names[ASF_DOFS] = {"tx", "ty", "tz", "rx", "ry", "rz", "l"};
	char order[4] = "";
	size_t rotation_count = 0;

	bone->dof_count = 0;
	while (asf_next_word(&reading->lines)) {
		int dof = 0;

		while (dof < ASF_DOFS && !asf_is_word(&reading->lines, names[dof]))
			dof++;
		if (dof == ASF_DOFS)
			return asf_fail(&reading->lines, "a degree of freedom expected: tx ty tz rx ry rz l");
		if (memchr(bone->dofs, dof, bone->dof_count) != NULL)
			return asf_fail(&reading->lines, "a degree of freedom is listed twice");
		bone->dofs[bone->dof_count++] = (uint8_t)dof;
		if (dof >= ASF_ROTATION && dof < ASF_LENGTH)
			order[2 - rotation_count++] = "XYZ"[dof - ASF_ROTATION];
	}
	for (char axis = 'X'; axis <= 'Z'; axis++)
		if (memchr(order, axis, 3) == NULL)
			order[2 - rotation_count++] = axis;
	bone->order = (enum anim_euler_order)anim_euler_order_find(order);
	return 0;
}

static int read_root_line(struct skeleton_reading *reading)
{
	struct asf_lines *lines = &reading->lines;

	if (asf_is_word(lines, "order"))
		return read_dofs(reading, asf_bone_at(reading->skeleton, 0));
	if (asf_is_word(lines, "axis") && asf_next_word(lines))
		return read_order(reading, &reading->angle_order);
	if (asf_is_word(lines, "position"))
		return read_numbers(reading, reading->skeleton->position, 3, "position");
	if (asf_is_word(lines, "orientation"))
		return read_numbers(reading, reading->angles, 3, "orientation");
	return 0;
}

/* Read the axis of a bone: three angles, and perhaps their order. */
static int read_axis(struct skeleton_reading *reading, struct asf_bone *bone)
{
	struct asf_lines *lines = &reading->lines;
	enum anim_euler_order order = ANIM_EULER_ZYX;
	float angles[3];

	for (size_t i = 0; i < 3; i++)
		if (!asf_next_word(lines) || !read_number(lines, &angles[i]))
			return asf_fail(lines, "axis needs 3 numbers and an order");
	if (asf_next_word(lines) && read_order(reading, &order) != 0)
		return -1;
	set_rotation(reading, bone->axis, angles, order);
	return 0;
}

/* Read the name of a bone, which must be new. Paths of the stream must be able to contain it. */
static int name_bone(struct skeleton_reading *reading, struct asf_bone *bone)
{
	struct asf_skeleton *skeleton = reading->skeleton;
	struct asf_lines *lines = &reading->lines;
	bool is_valid;
	char *lower;

	if (!asf_next_word(lines) || lines->length > NAME_MAX_BYTES)
		return asf_fail(lines, "a name of 1 to %zu bytes expected", NAME_MAX_BYTES);
	is_valid = lines->word[0] != '.' && anim_utf8_prefix(lines->word, lines->length) == lines->length;
	for (size_t i = 0; i < lines->length; i++)
		is_valid &= (unsigned char)lines->word[i] >= ' ' && lines->word[i] != '/' && lines->word[i] != 0x7f;
	if (!is_valid)
		return asf_fail(lines, "a bone cannot have this name");
	if (asf_bone_find(skeleton, lines->word, lines->length) != ASF_NO_BONE)
		return asf_fail(lines, "a second bone with this name");
	bone->name = anim_arena_text(&skeleton->arena, lines->word, lines->length, reading->error);
	lower = anim_arena_text(&skeleton->arena, lines->word, lines->length, reading->error);
	if (bone->name == NULL || lower == NULL)
		return -1;
	for (char *at = lower; *at != '\0'; at++)
		*at = (char)(*at >= 'A' && *at <= 'Z' ? *at | 0x20 : *at);
	return anim_map_put(&skeleton->names, 0, lower, strlen(lower), asf_bone_count(skeleton), reading->error);
}

static struct asf_bone new_bone(const struct skeleton_reading *reading)
{
	return (struct asf_bone){.parent = ASF_NO_BONE,
				 .line = reading->lines.lines.number,
				 .first_child = ASF_NO_BONE,
				 .last_child = ASF_NO_BONE,
				 .next = ASF_NO_BONE,
				 .axis = {0, 0, 0, 1},
				 .order = ANIM_EULER_ZYX};
}

/* Read the lines of a bone up to its end. */
static int read_bone(struct skeleton_reading *reading)
{
	struct asf_lines *lines = &reading->lines;
	struct asf_bone bone = new_bone(reading);
	int got;

	while ((got = asf_next_line(lines)) > 0 && !asf_is_word(lines, "end")) {
		int result = 0;

		if (asf_is_word(lines, "name"))
			result = bone.name != NULL ? asf_fail(lines, "a second name of '%s'", bone.name)
						   : name_bone(reading, &bone);
		else if (asf_is_word(lines, "direction"))
			result = read_numbers(reading, bone.direction, 3, "direction");
		else if (asf_is_word(lines, "length"))
			result = read_numbers(reading, &bone.length, 1, "length");
		else if (asf_is_word(lines, "axis"))
			result = read_axis(reading, &bone);
		else if (asf_is_word(lines, "dof"))
			result = read_dofs(reading, &bone);
		if (result != 0)
			return -1;
	}
	if (got < 0)
		return -1;
	if (got == 0)
		return asf_fail(lines, "the file ends inside a bone");
	if (bone.name == NULL)
		return asf_fail(lines, "a bone without a name");
	if (asf_bone_count(reading->skeleton) >= BONES_MAX)
		return asf_fail(lines, "more than %u bones", BONES_MAX);
	return anim_buffer_append(&reading->skeleton->bones, &bone, sizeof bone, reading->error);
}

/* Return the bone that the current word names, or ASF_NO_BONE with an error. */
static uint32_t named_bone(struct skeleton_reading *reading)
{
	uint32_t bone = asf_bone_find(reading->skeleton, reading->lines.word, reading->lines.length);
	char shown[64];

	if (bone == ASF_NO_BONE) {
		anim_text_safe(shown, sizeof shown, reading->lines.word, reading->lines.length);
		asf_fail(&reading->lines, "unknown bone '%s'", shown);
	}
	return bone;
}

/* Read a line of the hierarchy: a bone and its children. */
static int read_children(struct skeleton_reading *reading)
{
	struct asf_skeleton *skeleton = reading->skeleton;
	uint32_t parent = named_bone(reading), child;

	if (parent == ASF_NO_BONE)
		return -1;
	while (asf_next_word(&reading->lines)) {
		child = named_bone(reading);
		if (child == ASF_NO_BONE)
			return -1;
		if (child == 0 || asf_bone_at(skeleton, child)->parent != ASF_NO_BONE)
			return asf_fail(&reading->lines,
					child == 0 ? "the root is not a child" : "a second parent of this bone");
		asf_bone_at(skeleton, child)->parent = parent;
		if (asf_bone_at(skeleton, parent)->first_child == ASF_NO_BONE)
			asf_bone_at(skeleton, parent)->first_child = child;
		else
			asf_bone_at(skeleton, asf_bone_at(skeleton, parent)->last_child)->next = child;
		asf_bone_at(skeleton, parent)->last_child = child;
	}
	return 0;
}

/* Check that each bone hangs from the root, not too deep. Cycles do not, because a bone has one parent. */
static int check_tree(struct skeleton_reading *reading)
{
	struct asf_skeleton *skeleton = reading->skeleton;
	uint32_t count = asf_bone_count(skeleton);

	if (!reading->has_hierarchy)
		return asf_fail(&reading->lines, "the file ends before :hierarchy");
	for (uint32_t i = 1; i < count; i++) {
		const struct asf_bone *bone = asf_bone_at(skeleton, i);
		struct anim_place place = {
		    .file = skeleton->shown, .at = ANIM_AT_LINE, .line = bone->line, .column = 1};
		uint32_t at = i;
		unsigned depth = 0;

		while (at != ASF_NO_BONE && at != 0 && depth++ < ANIM_NESTING_BVH)
			at = asf_bone_at(skeleton, at)->parent;
		if (at != 0)
			return anim_fail_at(reading->error, ANIM_BAD_INPUT, &place,
					    at == ASF_NO_BONE ? "'%s' is not connected to the root"
							      : "'%s' is in a cycle, or deeper than %d bones",
					    bone->name, ANIM_NESTING_BVH);
	}
	return 0;
}

int asf_skeleton_read(struct asf_skeleton *skeleton, struct anim_input *input, const struct anim_read_options *options,
		      struct anim_error *error)
{
	enum { NO_SECTION, UNITS, ROOT, BONES, HIERARCHY } section = NO_SECTION;
	static const uint8_t root_dofs[] = {0, 1, 2, ASF_ROTATION, ASF_ROTATION + 1, ASF_ROTATION + 2};
	struct skeleton_reading reading = {
	    .skeleton = skeleton, .options = options, .error = error, .length = 1, .angle_order = ANIM_EULER_ZYX};
	struct asf_lines *lines = &reading.lines;
	const char *name = anim_input_name(input);
	const float *angles = reading.angles;
	struct asf_bone root;
	int got;

	*skeleton = (struct asf_skeleton){.orientation = {0, 0, 0, 1}};
	asf_lines_init(lines, input, error);
	skeleton->shown = anim_arena_text(&skeleton->arena, name, strlen(name), error);
	if (skeleton->shown == NULL)
		goto failed;

	/* The root is not in the list of bones. */
	root = new_bone(&reading);
	root.name = "root";
	memcpy(root.dofs, root_dofs, sizeof root_dofs);
	root.dof_count = sizeof root_dofs;
	if (anim_map_put(&skeleton->names, 0, root.name, strlen(root.name), 0, error) != 0 ||
	    anim_buffer_append(&skeleton->bones, &root, sizeof root, error) != 0)
		goto failed;

	while ((got = asf_next_line(lines)) > 0) {
		bool begins = asf_is_word(lines, "begin");
		int result = 0;

		if (lines->word[0] == ':') {
			section = asf_is_word(lines, ":units")       ? UNITS
				  : asf_is_word(lines, ":root")      ? ROOT
				  : asf_is_word(lines, ":bonedata")  ? BONES
				  : asf_is_word(lines, ":hierarchy") ? HIERARCHY
								     : NO_SECTION;
			continue;
		}
		switch (section) {
		case UNITS:
			result = read_unit(&reading);
			break;
		case ROOT:
			result = read_root_line(&reading);
			break;
		case BONES:
			result = begins ? read_bone(&reading) : asf_fail(lines, "begin expected");
			break;
		case HIERARCHY:
			reading.has_hierarchy = true;
			result = begins || asf_is_word(lines, "end") ? 0 : read_children(&reading);
			break;
		case NO_SECTION:
			break;
		}
		if (result != 0)
			goto failed;
	}
	if (got < 0 || check_tree(&reading) != 0)
		goto failed;

	/* Programs add an orientation of the root to the motion in different ways. */
	if ((angles[0] != 0 || angles[1] != 0 || angles[2] != 0) &&
	    anim_diagnostics_warn(options->diagnostics, NULL, error,
				  "the root of the skeleton has an orientation, which programs read differently; it "
				  "is applied after the rotation of the motion") != 0)
		goto failed;
	set_rotation(&reading, skeleton->orientation, angles, reading.angle_order);

	/*
	 * Lengths in the file are inches times its length unit: Carnegie Mellon University's "Frequently asked
	 * questions" give (1 / 0.45) * 2.54 / 100 metres for its files.
	 */
	skeleton->z_up = options->bvh.z_up;
	skeleton->metres = options->unit_m > 0 ? options->unit_m : 0.0254 / reading.length;
	if (options->unit_m > 0 || options->bvh.unit_option == NULL || reading.length != 1)
		return 0;
	return anim_diagnostics_note(
	    options->diagnostics, "file", error,
	    "no unit of length, so an inch is assumed; to change it: %s cm, m or the length of the unit in metres",
	    options->bvh.unit_option);

failed:
	return anim_error_in_file(error, name);
}

void asf_skeleton_clear(struct asf_skeleton *skeleton)
{
	anim_arena_clear(&skeleton->arena);
	anim_buffer_clear(&skeleton->bones);
	anim_map_clear(&skeleton->names);
}

/* ---- The bones ---- */

#define ATTR_END "bvh.end" /* the attribute of BVH's End Site, so that a BVH file gets one */

uint32_t asf_bone_find(const struct asf_skeleton *skeleton, const char *name, size_t length)
{
	char lower[NAME_MAX_BYTES];
	uint32_t number;

	if (length > sizeof lower)
		return ASF_NO_BONE;
	for (size_t i = 0; i < length; i++)
		lower[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] | 0x20 : name[i]);
	return anim_map_get(&skeleton->names, 0, lower, length, &number) ? number : ASF_NO_BONE;
}

const char *asf_bone_path(const struct asf_skeleton *skeleton, uint32_t bone, struct anim_buffer *path,
			  struct anim_error *error)
{
	uint32_t chain[ANIM_NESTING_BVH + 1];
	size_t depth = 0;

	path->size = 0;
	for (; bone != ASF_NO_BONE; bone = asf_bone_at(skeleton, bone)->parent)
		chain[depth++] = bone;
	while (depth-- > 0)
		if (anim_buffer_append_text(path, asf_bone_at(skeleton, chain[depth])->name, error) != 0 ||
		    anim_buffer_append(path, depth > 0 ? "/" : "", 1, error) != 0)
			return NULL;
	return (const char *)path->data;
}

void asf_in_space(const struct asf_skeleton *skeleton, float out[3], const float position[3])
{
	double x = (double)position[0], y = (double)position[1], z = (double)position[2];

	out[0] = (float)(x * skeleton->metres);
	out[1] = (float)((skeleton->z_up ? z : y) * skeleton->metres);
	out[2] = (float)((skeleton->z_up ? -y : z) * skeleton->metres);
}

/* Return the end of a bone from its beginning, in the unit of the file. */
static void end_of(const struct asf_bone *bone, float end[3])
{
	for (size_t i = 0; i < 3; i++)
		end[i] = bone->direction[i] * bone->length;
}

/* A bone begins at the end of its parent, except at the root, which has no length. */
void asf_bone_offset(const struct asf_skeleton *skeleton, uint32_t bone, float offset[3])
{
	uint32_t parent = asf_bone_at(skeleton, bone)->parent;
	float end[3];

	if (parent == ASF_NO_BONE)
		memcpy(end, skeleton->position, sizeof end);
	else
		end_of(asf_bone_at(skeleton, parent), end);
	asf_in_space(skeleton, offset, end);
}

/* The tree that is being pushed. */
struct tree_push {
	const struct asf_skeleton *skeleton;
	struct anim_sink *sink;
	struct anim_error *error;
	struct anim_buffer path;
	uint32_t count; /* nodes so far */
};

/* Push a bone, or the end of a bone without children, as BVH files have it, so that the bone keeps its length. */
static int push_bone(struct tree_push *push, uint32_t number, uint32_t parent, bool is_end)
{
	static const struct anim_attr attr = {ATTR_END, "true"};
	const struct asf_bone *bone = asf_bone_at(push->skeleton, number);
	struct anim_node node = {.kind = ANIM_NODE_BONE,
				 .has = ANIM_HAS_POSITION,
				 .parent = parent,
				 .rotation = {0, 0, 0, 1},
				 .scale = {1, 1, 1},
				 .type = "",
				 .attrs = {&attr, is_end}};
	float end[3];

	if (asf_bone_path(push->skeleton, number, &push->path, push->error) == NULL)
		return -1;
	if (is_end) {
		push->path.size--; /* the NUL */
		if (anim_buffer_append_text(&push->path, "/", push->error) != 0 ||
		    anim_buffer_append_text(&push->path, bone->name, push->error) != 0 ||
		    anim_buffer_append(&push->path, "_end", sizeof "_end", push->error) != 0)
			return -1;
		end_of(bone, end);
		asf_in_space(push->skeleton, node.position, end);
	} else {
		asf_bone_offset(push->skeleton, number, node.position);
	}
	node.path = (const char *)push->path.data;
	push->count++;
	return anim_sink_node(push->sink, &node, push->error);
}

int asf_skeleton_push(const struct asf_skeleton *skeleton, const char *root_name, const char *source_file,
		      struct anim_sink *sink, struct anim_error *error)
{
	const struct anim_tree tree = {.axes = ANIM_AXES_GLTF, .root_name = root_name, .source_file = source_file};
	const struct anim_node root = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};
	struct tree_push push = {.skeleton = skeleton, .sink = sink, .error = error, .count = 1};
	struct {
		uint32_t bone, node;
	} above[ANIM_NESTING_BVH + 2];
	size_t depth = 0;
	uint32_t bone = 0;
	int result = anim_sink_tree(sink, &tree, error);

	if (result == 0)
		result = anim_sink_node(sink, &root, error);
	/* Each bone comes before its children. */
	while (result == 0 && (bone != ASF_NO_BONE || depth > 0)) {
		const struct asf_bone *at;
		uint32_t node = push.count;

		if (bone == ASF_NO_BONE) {
			bone = asf_bone_at(skeleton, above[--depth].bone)->next;
			continue;
		}
		at = asf_bone_at(skeleton, bone);
		result = push_bone(&push, bone, depth == 0 ? 0 : above[depth - 1].node, false);
		if (result == 0 && at->first_child == ASF_NO_BONE && bone != 0)
			result = push_bone(&push, bone, node, true);
		above[depth].bone = bone;
		above[depth++].node = node;
		bone = at->first_child;
	}
	anim_buffer_clear(&push.path);
	return result;
}

/* ---- A skeleton by itself ---- */

int anim_asf_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		  struct anim_error *error)
{
	struct asf_skeleton skeleton;
	const char *file = anim_read_source_file(options, input);
	int result = asf_skeleton_read(&skeleton, input, options, error);
	const char *name = result != 0 ? NULL : anim_read_base_name(file, &skeleton.arena, error);

	if (name == NULL ||
	    anim_diagnostics_warn(options->diagnostics, NULL, error,
				  "no animation in this file; the motion for the skeleton is in .amc files") != 0)
		result = -1;
	if (result == 0)
		result = asf_skeleton_push(&skeleton, name, file, sink, error);
	asf_skeleton_clear(&skeleton);
	return result;
}

/* Return whether the first line after comments begins with one of the words. */
static bool begins_with(const uint8_t *bytes, size_t size, const char *const *words)
{
	struct asf_lines lines = {.at = (const char *)bytes, .end = (const char *)bytes + size};

	if (anim_bytes_begin(lines.at, size, "\xef\xbb\xbf"))
		lines.at += 3;
	while (lines.at < lines.end && (*lines.at == '#' || is_blank(*lines.at))) {
		const char *feed = memchr(lines.at, '\n', (size_t)(lines.end - lines.at));

		if (*lines.at != '#')
			lines.at++;
		else
			lines.at = feed == NULL ? lines.end : feed + 1;
	}
	asf_next_word(&lines);
	for (; *words != NULL; words++)
		if (asf_is_word(&lines, *words))
			return true;
	return false;
}

bool anim_asf_is(const uint8_t *bytes, size_t size)
{
	static const char *const words[] = {":version", ":name",     ":units", ":documentation",
					    ":root",    ":bonedata", NULL};

	return begins_with(bytes, size, words);
}

bool anim_amc_is(const uint8_t *bytes, size_t size)
{
	static const char *const words[] = {":fully-specified", ":degrees", ":radians", ":samples-per-second", NULL};

	return begins_with(bytes, size, words);
}
