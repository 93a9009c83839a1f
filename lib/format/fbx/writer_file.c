/* writer_file.c: the records of a binary FBX file of version 7400. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/advice.h"
#include "base/count.h"
#include "format/fbx/curve.h"
#include "format/fbx/scene.h"
#include "format/fbx/writer.h"
#include "math/elementary.h"

/*
 * Arrays are not packed: zlib packs the same numbers into other bytes from version to version, and the same input is to give the
 * same file everywhere. Numbers are written as the machine has them, which is little endian (base/machine.h).
 */

#define VERSION 7400u
#define HEAD 12u /* bytes of a record's head before its name's length: end, number of values, bytes of values */
#define DEPTH 8  /* of the records that are written */

/* An open record. */
struct open_record {
	size_t at, values_at; /* in `bytes` */
	uint32_t values;
	bool is_closed; /* its values are over */
};

/* A file that grows. If `counting`, only its size is of interest. */
struct out {
	struct fbx_writer *writer;
	struct anim_buffer bytes; /* not written yet */
	uint64_t base;            /* their place in the file */
	uint64_t skipped;         /* if counting: bytes of arrays that were not put */
	bool counting, failed;
	struct open_record open[DEPTH];
	unsigned depth;
};

static uint64_t place_of(const struct out *out)
{
	return out->base + out->skipped + out->bytes.size;
}

static void put(struct out *out, const void *bytes, size_t size)
{
	if (!out->failed && anim_buffer_append(&out->bytes, bytes, size, out->writer->error) != 0)
		out->failed = true;
}

static void patch(struct out *out, size_t at, uint32_t number)
{
	if (!out->failed)
		memcpy(out->bytes.data + at, &number, sizeof number);
}

/* Pass on the bytes of whole records. */
static void flush(struct out *out)
{
	uint64_t end = place_of(out);

	if (!out->failed && end > UINT32_MAX) {
		anim_fail(out->writer->error, ANIM_TOO_LARGE,
			  "an FBX file of version 7400 holds 4 GiB; write a file for each clip, with " ANIM_OPTION_TO(
			      "emit", "each", "'%%c.fbx'"));
		out->failed = true;
	}
	if (!out->failed && !out->counting &&
	    anim_output_write(out->writer->output, out->bytes.data, out->bytes.size, out->writer->error) != 0)
		out->failed = true;
	out->base = end;
	out->skipped = 0;
	out->bytes.size = 0;
}

/* ---- Records and values ---- */

/* The values of the open record are over. */
static void close_values(struct out *out)
{
	struct open_record *record = &out->open[out->depth - 1];

	if (record->is_closed)
		return;
	record->is_closed = true;
	patch(out, record->at + 4, record->values);
	patch(out, record->at + 8, (uint32_t)(out->bytes.size + out->skipped - record->values_at));
}

static void begin(struct out *out, const char *name)
{
	static const uint8_t head[HEAD];
	uint8_t length = (uint8_t)strlen(name);
	struct open_record *record = &out->open[out->depth];

	if (out->depth > 0)
		close_values(out);
	*record = (struct open_record){.at = out->bytes.size};
	out->depth++;
	put(out, head, sizeof head);
	put(out, &length, 1);
	put(out, name, length);
	record->values_at = out->bytes.size + (size_t)out->skipped;
}

static void put_end_of_list(struct out *out)
{
	static const uint8_t zeros[HEAD + 1];

	put(out, zeros, sizeof zeros);
}

/* End the record that was begun last. A list, empty or not, has an end of its own. */
static void end(struct out *out)
{
	struct open_record *record = &out->open[out->depth - 1];

	if (record->is_closed || record->values == 0) {
		close_values(out);
		put_end_of_list(out);
	}
	close_values(out);
	patch(out, record->at, (uint32_t)place_of(out));
	out->depth--;
}

static void put_value(struct out *out, char type, const void *bytes, size_t size)
{
	put(out, &type, 1);
	put(out, bytes, size);
	out->open[out->depth - 1].values++;
}

static void put_int(struct out *out, int32_t number)
{
	put_value(out, 'I', &number, sizeof number);
}

static void put_long(struct out *out, int64_t number)
{
	put_value(out, 'L', &number, sizeof number);
}

static void put_double(struct out *out, double number)
{
	put_value(out, 'D', &number, sizeof number);
}

static void put_char(struct out *out, char letter)
{
	put_value(out, 'C', &letter, 1);
}

static void put_bytes(struct out *out, char type, const void *bytes, size_t length)
{
	uint32_t size = (uint32_t)length;

	put_value(out, type, &size, sizeof size);
	put(out, bytes, length);
}

static void put_text(struct out *out, const char *text)
{
	put_bytes(out, 'S', text, strlen(text));
}

/* A record that is an array of `count` numbers of `width` bytes each; NULL if counting. */
static void put_array(struct out *out, const char *name, char type, const void *numbers, size_t count, size_t width)
{
	const uint32_t head[] = {(uint32_t)count, 0, (uint32_t)(count * width)};

	begin(out, name);
	put_value(out, type, head, sizeof head);
	if (numbers != NULL)
		put(out, numbers, count * width);
	else
		out->skipped += count * width;
	end(out);
}

static void int_record(struct out *out, const char *name, int32_t number)
{
	begin(out, name);
	put_int(out, number);
	end(out);
}

static void text_record(struct out *out, const char *name, const char *text)
{
	begin(out, name);
	put_text(out, text);
	end(out);
}

/* ---- Properties ---- */

/* Begin a property, whose values follow. */
static void begin_property(struct out *out, const char *name, const char *type, const char *label, const char *flags)
{
	begin(out, "P");
	put_text(out, name);
	put_text(out, type);
	put_text(out, label);
	put_text(out, flags);
}

static void int_property(struct out *out, const char *name, const char *type, const char *label, int32_t number)
{
	begin_property(out, name, type, label, "");
	put_int(out, number);
	end(out);
}

static void double_property(struct out *out, const char *name, double number)
{
	begin_property(out, name, "double", "Number", "");
	put_double(out, number);
	end(out);
}

static void time_property(struct out *out, const char *name, int64_t ticks)
{
	begin_property(out, name, "KTime", "Time", "");
	put_long(out, ticks);
	end(out);
}

static void vector_property(struct out *out, const char *name, const char *type, const char *label, const char *flags,
			    const double v[3])
{
	begin_property(out, name, type, label, flags);
	for (unsigned i = 0; i < 3; i++)
		put_double(out, v[i]);
	end(out);
}

/* ---- Numbers of objects ---- */

enum object { DOCUMENT = 1, MODEL, ATTRIBUTE, POSE, STACK, LAYER, CURVE_NODE, CURVE, MESH, SHAPES, CHANNEL, SHAPE };

static int64_t id_of(enum object kind, uint32_t number)
{
	return (int64_t)kind << 32 | number;
}

/* ---- What comes before the objects ---- */

/*
 * The creation time is no time: what the SDK takes from it agrees with the FileId and with the end of the file, whose bytes are those
 * that exporters other than the SDK write.
 */
static const uint8_t file_id[16] = {0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2,
				    0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1};
static const uint8_t foot_id[16] = {0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66,
				    0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e};
static const uint8_t foot[16] = {0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e,
				 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b};
#define CREATION_TIME "1970-01-01 10:00:00:000"

static void put_header(struct out *out)
{
	static const char *const parts[] = {"Year", "Month", "Day", "Hour", "Minute", "Second", "Millisecond"};
	static const int32_t numbers[] = {1970, 1, 1, 10, 0, 0, 0};
	static const char magic[] = "Kaydara FBX Binary  \0\x1a";
	const uint32_t version = VERSION;

	put(out, magic, sizeof magic);
	put(out, &version, sizeof version);
	begin(out, "FBXHeaderExtension");
	int_record(out, "FBXHeaderVersion", 1003);
	int_record(out, "FBXVersion", VERSION);
	int_record(out, "EncryptionType", 0);
	begin(out, "CreationTimeStamp");
	int_record(out, "Version", 1000);
	for (size_t i = 0; i < ANIM_COUNT(parts); i++)
		int_record(out, parts[i], numbers[i]);
	end(out);
	text_record(out, "Creator", FBX_CREATOR);
	end(out);
	begin(out, "FileId");
	put_bytes(out, 'R', file_id, sizeof file_id);
	end(out);
	text_record(out, "CreationTime", CREATION_TIME);
	text_record(out, "Creator", FBX_CREATOR);
	flush(out);
}

/* Y up, X to the right, metres: the space of the stream, whose numbers stay. */
static void put_settings(struct out *out)
{
	static const struct {
		const char *name;
		int32_t number;
	} axes[] = {{"UpAxis", 1},    {"UpAxisSign", 1},    {"FrontAxis", 2},      {"FrontAxisSign", 1},
		    {"CoordAxis", 0}, {"CoordAxisSign", 1}, {"OriginalUpAxis", 1}, {"OriginalUpAxisSign", 1}};
	const struct fbx_writer *writer = out->writer;
	static const struct {
		uint32_t num, den;
		int32_t mode;
	} modes[] = {{120, 1, 1},       {100, 1, 2},      {60, 1, 3},  {50, 1, 4},       {48, 1, 5},
		     {30, 1, 6},        {30000, 1001, 9}, {25, 1, 10}, {24, 1, 11},      {1000, 1, 12},
		     {24000, 1001, 13}, {96, 1, 15},      {72, 1, 16}, {60000, 1001, 17}};
	/* 14: another rate. If no rate is known, it is 30, which readers assume anyway. */
	int32_t mode = writer->rate_num == 0 ? 6 : 14;
	const struct fbx_out_clip *clip = FBX_OUT_ALL(writer->clips, struct fbx_out_clip);

	for (size_t i = 0; i < ANIM_COUNT(modes) && mode == 14; i++)
		if ((uint64_t)writer->rate_num * modes[i].den == (uint64_t)modes[i].num * writer->rate_den)
			mode = modes[i].mode;
	begin(out, "GlobalSettings");
	int_record(out, "Version", 1000);
	begin(out, "Properties70");
	for (size_t i = 0; i < ANIM_COUNT(axes); i++)
		int_property(out, axes[i].name, "int", "Integer", axes[i].number);
	double_property(out, "UnitScaleFactor", 100);
	double_property(out, "OriginalUnitScaleFactor", 100);
	int_property(out, "TimeMode", "enum", "", mode);
	time_property(out, "TimeSpanStart", clip->start);
	time_property(out, "TimeSpanStop", clip->end);
	double_property(out, "CustomFrameRate", mode == 14 ? (double)writer->rate_num / (double)writer->rate_den : -1);
	end(out);
	end(out);
	flush(out);
}

static void put_documents(struct out *out)
{
	const struct fbx_out_clip *clip = FBX_OUT_ALL(out->writer->clips, struct fbx_out_clip);

	begin(out, "Documents");
	int_record(out, "Count", 1);
	begin(out, "Document");
	put_long(out, id_of(DOCUMENT, 0));
	put_text(out, "");
	put_text(out, "Scene");
	begin(out, "Properties70");
	begin_property(out, "SourceObject", "object", "", "");
	end(out);
	begin_property(out, "ActiveAnimStackName", "KString", "", "");
	put_text(out, clip->name);
	end(out);
	end(out);
	begin(out, "RootNode");
	put_long(out, 0);
	end(out);
	end(out);
	end(out);
	begin(out, "References");
	end(out);
	flush(out);
}

static uint32_t count_models(const struct fbx_writer *writer, bool posed)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < FBX_OUT_COUNT(writer->nodes, struct fbx_out_node); i++)
		count += fbx_out_is_model(writer, i) &&
			 (!posed || FBX_OUT_AT(writer->nodes, struct fbx_out_node, i)->is_posed);
	return count;
}

static uint32_t count_meshes(const struct fbx_writer *writer)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < FBX_OUT_COUNT(writer->nodes, struct fbx_out_node); i++)
		count += FBX_OUT_AT(writer->nodes, struct fbx_out_node, i)->has_shapes;
	return count;
}

static uint32_t count_channels(const struct fbx_writer *writer)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < FBX_OUT_COUNT(writer->properties, struct fbx_out_property); i++)
		count += FBX_OUT_AT(writer->properties, struct fbx_out_property, i)->is_channel;
	return count;
}

/* How many objects of each type there are. What templates could say, each object says itself. */
static void put_definitions(struct out *out)
{
	const struct fbx_writer *writer = out->writer;
	uint32_t meshes = count_meshes(writer), channels = count_channels(writer);
	uint32_t models = count_models(writer, false), clips = FBX_OUT_COUNT(writer->clips, struct fbx_out_clip);
	const struct {
		const char *type;
		uint32_t count;
	} types[] = {{"GlobalSettings", 1},
		     {"Model", models},
		     {"NodeAttribute", models - meshes},
		     {"Geometry", meshes + channels},
		     {"Deformer", meshes + channels},
		     {"Pose", count_models(writer, true) > 0},
		     {"AnimationStack", clips},
		     {"AnimationLayer", clips},
		     {"AnimationCurveNode", FBX_OUT_COUNT(writer->curve_nodes, struct fbx_out_curve_node)},
		     {"AnimationCurve", FBX_OUT_COUNT(writer->curves, struct fbx_out_curve)}};
	uint32_t count = 0;

	for (size_t i = 0; i < ANIM_COUNT(types); i++)
		count += types[i].count;
	begin(out, "Definitions");
	int_record(out, "Version", 100);
	int_record(out, "Count", (int32_t)count);
	for (size_t i = 0; i < ANIM_COUNT(types); i++) {
		if (types[i].count == 0)
			continue;
		begin(out, "ObjectType");
		put_text(out, types[i].type);
		int_record(out, "Count", (int32_t)types[i].count);
		end(out);
	}
	end(out);
	flush(out);
}

/* ---- Models ---- */

/* Begin an object. */
static void begin_object(struct out *out, const char *record, int64_t id, const char *name, const char *type,
			 const char *class)
{
	uint32_t size = (uint32_t)(strlen(name) + 2 + strlen(type));

	begin(out, record);
	put_long(out, id);
	put_value(out, 'S', &size, sizeof size);
	put(out, name, strlen(name));
	put(out, "\0\1", 2); /* between a name and its type */
	put(out, type, strlen(type));
	put_text(out, class);
}

static const char *class_of(const struct fbx_out_node *node)
{
	return node->has_shapes                 ? "Mesh"
	       : node->is_bone                  ? "LimbNode"
	       : node->kind == ANIM_NODE_CAMERA ? "Camera"
	       : node->kind == ANIM_NODE_LIGHT  ? "Light"
						: "Null";
}

static void put_attribute(struct out *out, uint32_t number)
{
	const struct fbx_out_node *node = FBX_OUT_AT(out->writer->nodes, struct fbx_out_node, number);
	const char *class = class_of(node);

	begin_object(out, "NodeAttribute", id_of(ATTRIBUTE, number), node->name, "NodeAttribute", class);
	if (node->is_bone || node->kind != ANIM_NODE) {
		begin(out, "Properties70");
		if (node->is_bone)
			double_property(out, "Size", node->size);
		else if (node->kind == ANIM_NODE_LIGHT)
			int_property(out, "LightType", "enum", "", node->light);
		end(out);
	}
	text_record(out, "TypeFlags", node->is_bone ? "Skeleton" : class);
	end(out);
	flush(out);
}

/* Return the number of the order of a node's angles in FBX. */
static int32_t order_of(const struct fbx_writer *writer, uint32_t number)
{
	/* The orders of FBX, by their letters in a stream: the last one is applied first. */
	static const char *const orders[] = {"ZYX", "YZX", "XZY", "ZXY", "YXZ", "XYZ"};
	const struct fbx_out_node *node = FBX_OUT_AT(writer->nodes, struct fbx_out_node, number);
	const unsigned *from = fbx_out_axes(writer, number, FBX_OUT_R)->from;
	char order[4] = "";
	int32_t found = 0;

	for (unsigned i = 0; i < 3; i++)
		order[i] = (char)('X' + from[anim_euler_order_names[node->order][i] - 'X']);
	while (strcmp(orders[found], order) != 0)
		found++;
	return found;
}

static void put_model(struct out *out, uint32_t number)
{
	const struct fbx_writer *writer = out->writer;
	const struct fbx_out_node *node = FBX_OUT_AT(writer->nodes, struct fbx_out_node, number);
	double degrees[3], position[3], scale[3], before[3];
	const struct fbx_axes *own = fbx_out_axes(writer, number, FBX_OUT_R),
			      *above = fbx_out_axes(writer, number, FBX_OUT_T);
	double q[4];

	/*
	 * The rotation before the node's own one: let r be the rotation of the axes of a kind of node. A camera with the
	 * rotation q has the rotation q r^-1 in FBX, which is r^-1 (r q r^-1), and r q r^-1 has the same angles about the
	 * axes of FBX. So all keys stay. A post-rotation r would also do, but Blender does not invert it.
	 */
	anim_quat_conjugate_double(q, own->rotation);
	anim_quat_multiply_double(q, above->rotation, q);
	anim_euler_from_quat_double(before, q, ANIM_EULER_ZYX);
	for (unsigned i = 0; i < 3; i++)
		before[i] = 90 * rint(before[i] / (ANIM_PI / 2));
	fbx_out_vector(writer, number, FBX_OUT_T, position);
	fbx_out_vector(writer, number, FBX_OUT_R, degrees);
	fbx_out_vector(writer, number, FBX_OUT_S, scale);
	begin_object(out, "Model", id_of(MODEL, number), node->name, "Model", class_of(node));
	int_record(out, "Version", 232);
	begin(out, "Properties70");
	int_property(out, "RotationOrder", "enum", "", order_of(writer, number));
	int_property(out, "RotationActive", "bool", "", 1);
	int_property(out, "InheritType", "enum", "", 1); /* a scale is part of the matrix, as in all other formats */
	if (own != above)
		vector_property(out, "PreRotation", "Vector3D", "Vector", "", before);
	vector_property(out, "Lcl Translation", "Lcl Translation", "", "A", position);
	vector_property(out, "Lcl Rotation", "Lcl Rotation", "", "A", degrees);
	vector_property(out, "Lcl Scaling", "Lcl Scaling", "", "A", scale);
	begin_property(out, "Visibility", "Visibility", "", "A");
	put_double(out, 1);
	end(out);
	for (uint32_t i = node->first_property; i != FBX_NOTHING;) {
		const struct fbx_out_property *property = FBX_OUT_AT(writer->properties, struct fbx_out_property, i);

		if (property->is_vector && !property->is_channel) {
			vector_property(out, property->name, "Vector", "", "A+U", property->value);
		} else if (!property->is_channel) {
			begin_property(out, property->name, "Number", property->is_shape ? FBX_SHAPE_LABEL : "", "A+U");
			put_double(out, property->value[0]);
			end(out);
		}
		i = property->next;
	}
	end(out);
	begin(out, "Shading");
	put_char(out, 'Y');
	end(out);
	text_record(out, "Culling", "CullingOff");
	end(out);
	flush(out);
}

/* ---- Blend shapes ---- */

/*
 * Programs play weights only on a mesh that has the shapes. The stream has no meshes, so this one is a triangle of size
 * 0, and its shapes move nothing. The curves are the same as on the real mesh.
 */
static void put_mesh(struct out *out, uint32_t number)
{
	static const double points[9], zeros[3], full = 100;
	static const int32_t corners[3] = {0, 1, ~2}, index = 0;
	const struct fbx_writer *writer = out->writer;
	const struct fbx_out_node *node = FBX_OUT_AT(writer->nodes, struct fbx_out_node, number);

	begin_object(out, "Geometry", id_of(MESH, number), node->name, "Geometry", "Mesh");
	put_array(out, "Vertices", 'd', points, 9, sizeof *points);
	put_array(out, "PolygonVertexIndex", 'i', corners, 3, sizeof *corners);
	int_record(out, "GeometryVersion", 124);
	end(out);
	begin_object(out, "Deformer", id_of(SHAPES, number), node->name, "Deformer", "BlendShape");
	int_record(out, "Version", 100);
	end(out);
	flush(out);
	for (uint32_t i = node->first_property, next; i != FBX_NOTHING; i = next) {
		const struct fbx_out_property *property = FBX_OUT_AT(writer->properties, struct fbx_out_property, i);

		next = property->next;
		if (!property->is_channel)
			continue;
		begin_object(out, "Deformer", id_of(CHANNEL, i), property->name, "SubDeformer", "BlendShapeChannel");
		int_record(out, "Version", 100);
		begin(out, "Properties70");
		begin_property(out, "DeformPercent", "Number", "", "A");
		put_double(out, 100 * property->value[0]);
		end(out);
		end(out);
		begin(out, "DeformPercent"); /* Blender reads this one. */
		put_double(out, 100 * property->value[0]);
		end(out);
		put_array(out, "FullWeights", 'd', &full, 1, sizeof full);
		end(out);
		flush(out);
		begin_object(out, "Geometry", id_of(SHAPE, i), property->name, "Geometry", "Shape");
		int_record(out, "Version", 100);
		put_array(out, "Indexes", 'i', &index, 1, sizeof index);
		put_array(out, "Vertices", 'd', zeros, 3, sizeof *zeros);
		put_array(out, "Normals", 'd', zeros, 3, sizeof *zeros);
		end(out);
		flush(out);
	}
}

/* ---- The bind pose ---- */

/* The node's transform below its parent's, by columns. */
static void compose(double world[16], const double parent[16], const struct fbx_out_node *node)
{
	double local[16] = {[15] = 1};

	for (unsigned i = 0; i < 3; i++) {
		double axis[3] = {i == 0, i == 1, i == 2};

		anim_quat_rotate_double(axis, node->rotation, axis);
		for (unsigned row = 0; row < 3; row++)
			local[4 * i + row] = axis[row] * node->scale[i];
		local[12 + i] = node->position[i];
	}
	for (unsigned i = 0; i < 4; i++)
		for (unsigned row = 0; row < 4; row++) {
			world[4 * i + row] = 0;
			for (unsigned k = 0; k < 4; k++)
				world[4 * i + row] += parent[4 * k + row] * local[4 * i + k];
		}
}

/* The pose that the stream's tree has: where skins are bound, as far as it is known. */
static void put_pose(struct out *out)
{
	static const double identity[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
	struct fbx_writer *writer = out->writer;
	uint32_t nodes = FBX_OUT_COUNT(writer->nodes, struct fbx_out_node), count = count_models(writer, true);
	double(*worlds)[16];
	size_t size;

	if (count == 0 || out->failed)
		return;
	anim_arena_reset(&writer->scratch);
	worlds = anim_size_multiply(nodes, sizeof *worlds, &size, writer->error) != 0
		     ? NULL
		     : anim_arena_alloc(&writer->scratch, size, writer->error);
	if (worlds == NULL) {
		out->failed = true;
		return;
	}
	begin_object(out, "Pose", id_of(POSE, 0), "BindPose", "Pose", "BindPose");
	text_record(out, "Type", "BindPose");
	int_record(out, "Version", 100);
	int_record(out, "NbPoseNodes", (int32_t)count);
	for (uint32_t i = 0; i < nodes; i++) {
		const struct fbx_out_node *node = FBX_OUT_AT(writer->nodes, struct fbx_out_node, i);
		const struct fbx_axes *axes = fbx_out_axes(writer, i, FBX_OUT_S);
		double matrix[16];

		compose(worlds[i], node->parent == FBX_NOTHING ? identity : worlds[node->parent], node);
		if (!node->is_posed || !fbx_out_is_model(writer, i))
			continue;
		begin(out, "PoseNode");
		begin(out, "Node");
		put_long(out, id_of(MODEL, i));
		end(out);
		memcpy(matrix, worlds[i], sizeof matrix);
		for (unsigned k = 0; k < 12; k++) /* a column for each axis of FBX */
			matrix[4 * axes->from[k / 4] + k % 4] = worlds[i][k] * axes->sign[k / 4];
		put_array(out, "Matrix", 'd', matrix, 16, sizeof(double));
		end(out);
	}
	end(out);
	flush(out);
}

/* ---- Animation ---- */

static const char *const driven_names[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling", "Visibility"};

static void put_stack(struct out *out, uint32_t number)
{
	const struct fbx_out_clip *clip = FBX_OUT_AT(out->writer->clips, struct fbx_out_clip, number);

	begin_object(out, "AnimationStack", id_of(STACK, number), clip->name, "AnimStack", "");
	begin(out, "Properties70");
	time_property(out, "LocalStart", clip->start);
	time_property(out, "LocalStop", clip->end);
	time_property(out, "ReferenceStart", clip->start);
	time_property(out, "ReferenceStop", clip->end);
	end(out);
	end(out);
	begin_object(out, "AnimationLayer", id_of(LAYER, number), "BaseLayer", "AnimLayer", "");
	begin(out, "Properties70");
	begin_property(out, "Weight", "Number", "", "A");
	put_double(out, 100);
	end(out);
	end(out);
	end(out);
	flush(out);
}

/* The property that a curve node drives. */
static const char *driven_name(const struct fbx_writer *writer, const struct fbx_out_curve_node *curve_node)
{
	if (fbx_out_is_channel(writer, curve_node->what))
		return "DeformPercent";
	return curve_node->what < FBX_OUT_USER
		   ? driven_names[curve_node->what]
		   : FBX_OUT_AT(writer->properties, struct fbx_out_property, curve_node->what - FBX_OUT_USER)->name;
}

static bool is_vector(const struct fbx_writer *writer, const struct fbx_out_curve_node *curve_node)
{
	return curve_node->what < FBX_OUT_VISIBLE ||
	       (curve_node->what >= FBX_OUT_USER &&
		FBX_OUT_AT(writer->properties, struct fbx_out_property, curve_node->what - FBX_OUT_USER)->is_vector);
}

/* What a component is called below its curve node. A property called like a component would be taken for that. */
static const char *component_name(const struct fbx_writer *writer, const struct fbx_out_curve_node *curve_node,
				  unsigned component, struct anim_arena *arena, struct anim_error *error)
{
	static const char *const names[] = {"d|X", "d|Y", "d|Z"};
	const char *name = driven_name(writer, curve_node);

	if (is_vector(writer, curve_node) || strlen(name) == 1)
		return names[component];
	return anim_arena_printf(arena, error, "d|%s", name);
}

static void put_curve_node(struct out *out, uint32_t number)
{
	static const char *const names[] = {"T", "R", "S", "Visibility"};
	struct fbx_writer *writer = out->writer;
	const struct fbx_out_curve_node *curve_node =
	    FBX_OUT_AT(writer->curve_nodes, struct fbx_out_curve_node, number);
	double rest[3] = {0};

	/* A component without a curve keeps the value of the node. */
	if (curve_node->what <= FBX_OUT_S)
		fbx_out_vector(writer, curve_node->node, curve_node->what, rest);
	anim_arena_reset(&writer->scratch);
	begin_object(out, "AnimationCurveNode", id_of(CURVE_NODE, number),
		     curve_node->what < FBX_OUT_USER ? names[curve_node->what] : driven_name(writer, curve_node),
		     "AnimCurveNode", "");
	begin(out, "Properties70");
	for (unsigned i = 0; i < (is_vector(writer, curve_node) ? 3 : 1); i++) {
		const char *name = component_name(writer, curve_node, i, &writer->scratch, writer->error);

		out->failed |= name == NULL;
		begin_property(out, name == NULL ? "" : name, "Number", "", "A");
		put_double(out, curve_node->curves[i] == FBX_NOTHING ? rest[i] : (double)curve_node->values[i]);
		end(out);
	}
	end(out);
	end(out);
	flush(out);
}

static void put_end_of_curve(struct out *out, const char *name, char letter)
{
	if (letter == 'C')
		return;
	begin(out, name);
	begin(out, "Type");
	put_char(out, letter);
	end(out);
	int_record(out, "Repetition", -1);
	end(out);
}

static void put_curve(struct out *out, uint32_t number)
{
	struct fbx_writer *writer = out->writer;
	const struct fbx_out_curve *curve = FBX_OUT_AT(writer->curves, struct fbx_out_curve, number);
	size_t n = curve->n, runs = curve->runs, size = n * 12 + runs * 24;
	const uint8_t *at = NULL;

	if (!out->counting && !out->failed) {
		at = anim_spool_read(&writer->spool, curve->place, size, writer->error);
		out->failed |= at == NULL;
	}
	begin_object(out, "AnimationCurve", id_of(CURVE, number), "", "AnimCurve", "");
	begin(out, "Default");
	put_double(out, (double)curve->first);
	end(out);
	int_record(out, "KeyVer", 4008);
	put_array(out, "KeyTime", 'l', at, n, 8);
	put_array(out, "KeyValueFloat", 'f', at == NULL ? NULL : at + 8 * n, n, 4);
	put_array(out, "KeyAttrFlags", 'i', at == NULL ? NULL : at + 12 * n, runs, 4);
	put_array(out, "KeyAttrDataFloat", 'f', at == NULL ? NULL : at + 12 * n + 4 * runs, 4 * runs, 4);
	put_array(out, "KeyAttrRefCount", 'i', at == NULL ? NULL : at + 12 * n + 20 * runs, runs, 4);
	put_end_of_curve(out, "Pre-Extrapolation", curve->ends[0]);
	put_end_of_curve(out, "Post-Extrapolation", curve->ends[1]);
	end(out);
	flush(out);
}

static void put_objects(struct out *out)
{
	const struct fbx_writer *writer = out->writer;
	uint32_t nodes = FBX_OUT_COUNT(writer->nodes, struct fbx_out_node);

	for (uint32_t i = 0; i < nodes; i++)
		if (fbx_out_is_model(writer, i) && !FBX_OUT_AT(writer->nodes, struct fbx_out_node, i)->has_shapes)
			put_attribute(out, i);
	for (uint32_t i = 0; i < nodes; i++)
		if (fbx_out_is_model(writer, i))
			put_model(out, i);
	for (uint32_t i = 0; i < nodes; i++)
		if (FBX_OUT_AT(writer->nodes, struct fbx_out_node, i)->has_shapes)
			put_mesh(out, i);
	put_pose(out);
	for (uint32_t i = 0; i < FBX_OUT_COUNT(writer->clips, struct fbx_out_clip); i++)
		put_stack(out, i);
	for (uint32_t i = 0; i < FBX_OUT_COUNT(writer->curve_nodes, struct fbx_out_curve_node); i++)
		put_curve_node(out, i);
	for (uint32_t i = 0; i < FBX_OUT_COUNT(writer->curves, struct fbx_out_curve); i++)
		put_curve(out, i);
}

/* ---- Connections ---- */

static void connect(struct out *out, int64_t child, int64_t parent, const char *property)
{
	begin(out, "C");
	put_text(out, property == NULL ? "OO" : "OP");
	put_long(out, child);
	put_long(out, parent);
	if (property != NULL)
		put_text(out, property);
	end(out);
}

static void put_connections(struct out *out)
{
	struct fbx_writer *writer = out->writer;

	for (uint32_t i = 0; i < FBX_OUT_COUNT(writer->nodes, struct fbx_out_node); i++) {
		const struct fbx_out_node *node = FBX_OUT_AT(writer->nodes, struct fbx_out_node, i);
		bool is_below = node->parent != FBX_NOTHING && fbx_out_is_model(writer, node->parent);

		if (!fbx_out_is_model(writer, i))
			continue;
		connect(out, id_of(MODEL, i), is_below ? id_of(MODEL, node->parent) : 0, NULL);
		if (!node->has_shapes) {
			connect(out, id_of(ATTRIBUTE, i), id_of(MODEL, i), NULL);
			flush(out);
			continue;
		}
		connect(out, id_of(MESH, i), id_of(MODEL, i), NULL);
		connect(out, id_of(SHAPES, i), id_of(MESH, i), NULL);
		for (uint32_t k = node->first_property, next; k != FBX_NOTHING; k = next) {
			const struct fbx_out_property *property =
			    FBX_OUT_AT(writer->properties, struct fbx_out_property, k);

			next = property->next;
			if (!property->is_channel)
				continue;
			connect(out, id_of(CHANNEL, k), id_of(SHAPES, i), NULL);
			connect(out, id_of(SHAPE, k), id_of(CHANNEL, k), NULL);
			flush(out);
		}
		flush(out);
	}
	for (uint32_t i = 0; i < FBX_OUT_COUNT(writer->clips, struct fbx_out_clip); i++) {
		connect(out, id_of(LAYER, i), id_of(STACK, i), NULL);
		flush(out);
	}
	for (uint32_t i = 0; i < FBX_OUT_COUNT(writer->curve_nodes, struct fbx_out_curve_node); i++) {
		const struct fbx_out_curve_node *curve_node =
		    FBX_OUT_AT(writer->curve_nodes, struct fbx_out_curve_node, i);

		anim_arena_reset(&writer->scratch);
		connect(out, id_of(CURVE_NODE, i), id_of(LAYER, curve_node->clip), NULL);
		connect(out, id_of(CURVE_NODE, i),
			fbx_out_is_channel(writer, curve_node->what) ? id_of(CHANNEL, curve_node->what - FBX_OUT_USER)
								     : id_of(MODEL, curve_node->node),
			driven_name(writer, curve_node));
		for (unsigned k = 0; k < 3; k++) {
			const char *name;

			if (curve_node->curves[k] == FBX_NOTHING)
				continue;
			name = component_name(writer, curve_node, k, &writer->scratch, writer->error);
			out->failed |= name == NULL;
			connect(out, id_of(CURVE, curve_node->curves[k]), id_of(CURVE_NODE, i),
				name == NULL ? "" : name);
		}
		flush(out);
	}
}

/* ---- The file ---- */

/* Write a list that is too long to be held: first its size is counted. */
static void put_list(struct out *out, const char *name, void (*list)(struct out *))
{
	struct out count = {.writer = out->writer, .counting = true, .failed = out->failed};

	list(&count);
	out->failed |= count.failed;
	anim_buffer_clear(&count.bytes);
	begin(out, name);
	close_values(out);
	patch(out, 0, (uint32_t)(place_of(out) + count.base + HEAD + 1));
	out->depth = 0;
	flush(out);
	list(out);
	put_end_of_list(out);
	flush(out);
}

static void put_takes(struct out *out)
{
	const struct fbx_writer *writer = out->writer;

	begin(out, "Takes");
	text_record(out, "Current", FBX_OUT_ALL(writer->clips, struct fbx_out_clip)->name);
	for (uint32_t i = 0; i < FBX_OUT_COUNT(writer->clips, struct fbx_out_clip); i++) {
		const struct fbx_out_clip *clip = FBX_OUT_AT(writer->clips, struct fbx_out_clip, i);

		begin(out, "Take");
		put_text(out, clip->name);
		text_record(out, "FileName", "");
		for (unsigned k = 0; k < 2; k++) {
			begin(out, k == 0 ? "LocalTime" : "ReferenceTime");
			put_long(out, clip->start);
			put_long(out, clip->end);
			end(out);
		}
		end(out);
	}
	end(out);
	put_end_of_list(out);
	flush(out);
}

int fbx_out_write(struct fbx_writer *writer)
{
	static const uint8_t zeros[120];
	const uint32_t version = VERSION;
	struct out out = {.writer = writer};

	put_header(&out);
	put_settings(&out);
	put_documents(&out);
	put_definitions(&out);
	put_list(&out, "Objects", put_objects);
	put_list(&out, "Connections", put_connections);
	put_takes(&out);

	/* The end of the file. */
	put(&out, foot_id, sizeof foot_id);
	put(&out, zeros, 4);
	put(&out, zeros, 16 - place_of(&out) % 16);
	put(&out, &version, sizeof version);
	put(&out, zeros, sizeof zeros);
	put(&out, foot, sizeof foot);
	flush(&out);
	anim_buffer_clear(&out.bytes);
	return out.failed ? -1 : 0;
}
