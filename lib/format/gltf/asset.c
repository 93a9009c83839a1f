/* asset.c: the document, object by object, into its index; what it does not need is passed over. */
#include "format/gltf/asset.h"

#include <math.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "format/gltf/members.h"
#include "format/gltf/uri.h"
#include "math/basis.h"

/* ---- nodes ---- */

/* How far a product may be off the matrix, in parts of the largest of its nine numbers: float32's, many times over. */
#define SHEAR 1e-4f

/* Whether the three parts make the matrix again. */
static bool is_product(const struct gltf_node *node, const float rows[16])
{
	float made[16], largest = 0;
	bool same = rows[12] == 0 && rows[13] == 0 && rows[14] == 0 && rows[15] == 1;

	anim_transform_compose(made, node->position, node->rotation, node->scale);
	for (int i = 0; i < 12; i++)
		largest = i % 4 == 3 ? largest : fmaxf(largest, fabsf(rows[i]));
	for (int i = 0; i < 12; i++)
		same = same && (i % 4 == 3 || fabsf(made[i] - rows[i]) <= SHEAR * largest);
	return same;
}

/* Column-major there, row-major here. */
static int take_matrix(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_node *node = object;
	float columns[16], rows[16];
	uint64_t at = r->member_at;

	node->is_first = r->is_first;
	if (gltf_take_vector(r, columns, 16, error) != 0)
		return -1;
	for (int i = 0; i < 16; i++)
		rows[i] = columns[i % 4 * 4 + i / 4];
	anim_transform_decompose(node->position, node->rotation, node->scale, rows);
	node->matrix_text = node->is_matrix ? (struct gltf_range){0, 0} : (struct gltf_range){at, gltf_cursor(r)};
	node->is_sheared = !is_product(node, rows);
	node->is_matrix = true;
	return 0;
}

static int take_light(struct gltf_reading *r, void *node, struct anim_error *error)
{
	((struct gltf_node *)node)->is_light = true;
	return gltf_skip(r, error);
}

static int take_visible(struct gltf_reading *r, void *node, struct anim_error *error)
{
	bool visible;

	if (gltf_take_flag(r, &visible, error) != 0)
		return -1;
	((struct gltf_node *)node)->hidden = !visible;
	return 0;
}

static int take_visibility(struct gltf_reading *r, void *node, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"visible", GLTF_TAKEN, 0, take_visible},
						     {NULL, GLTF_TAKEN, 0, NULL}};

	return gltf_take_object(r, members, node, error);
}

static int take_node_extensions(struct gltf_reading *r, void *node, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"KHR_lights_punctual", GLTF_TAKEN, 0, take_light},
						     {"KHR_node_visibility", GLTF_TAKEN, 0, take_visibility},
						     {NULL, GLTF_TAKEN, 0, NULL}};

	return gltf_take_object(r, members, node, error);
}

static int take_node(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"name", GLTF_TEXT, offsetof(struct gltf_node, name), NULL},
	    {"children", GLTF_INDICES, offsetof(struct gltf_node, children), NULL},
	    {"mesh", GLTF_INDEX, offsetof(struct gltf_node, mesh), NULL},
	    {"skin", GLTF_INDEX, offsetof(struct gltf_node, skin), NULL},
	    {"camera", GLTF_INDEX, offsetof(struct gltf_node, camera), NULL},
	    {"translation", GLTF_VECTOR3, offsetof(struct gltf_node, position), NULL},
	    {"rotation", GLTF_VECTOR4, offsetof(struct gltf_node, rotation), NULL},
	    {"scale", GLTF_VECTOR3, offsetof(struct gltf_node, scale), NULL},
	    {"matrix", GLTF_TAKEN, 0, take_matrix},
	    {"weights", GLTF_NUMBERS, offsetof(struct gltf_node, weights), NULL},
	    {"extensions", GLTF_TAKEN, 0, take_node_extensions},
	    {NULL, GLTF_TAKEN, 0, NULL}};
	struct gltf_node node = {.mesh = GLTF_NONE,
				 .skin = GLTF_NONE,
				 .camera = GLTF_NONE,
				 .parent = GLTF_NONE,
				 .rotation = {0, 0, 0, 1},
				 .scale = {1, 1, 1}};

	(void)unused;
	if (gltf_take_object(r, members, &node, error) != 0)
		return -1;
	return anim_buffer_append(&r->asset->nodes, &node, sizeof node, error);
}

static int take_scene(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"nodes", GLTF_INDICES, 0, NULL}, {NULL, GLTF_TAKEN, 0, NULL}};
	struct gltf_run nodes = {0};

	(void)unused;
	if (gltf_take_object(r, members, &nodes, error) != 0)
		return -1;
	return anim_buffer_append(&r->asset->scenes, &nodes, sizeof nodes, error);
}

static int add_joint(struct gltf_reading *r, void *skin, struct anim_error *error)
{
	uint32_t joint;

	((struct gltf_skin *)skin)->joints.count++;
	if (gltf_take_index(r, &joint, error) != 0)
		return -1;
	return anim_buffer_append(&r->asset->joints, &joint, sizeof joint, error);
}

static int take_joints(struct gltf_reading *r, void *skin, struct anim_error *error)
{
	((struct gltf_skin *)skin)->joints = (struct gltf_run){.first = GLTF_COUNT(r->asset, joints, uint32_t)};
	return gltf_take_array(r, add_joint, skin, error);
}

static int take_skin(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"joints", GLTF_TAKEN, 0, take_joints},
	    {"inverseBindMatrices", GLTF_INDEX, offsetof(struct gltf_skin, binds), NULL},
	    {NULL, GLTF_TAKEN, 0, NULL}};
	struct gltf_skin skin = {.binds = GLTF_NONE};

	(void)unused;
	if (gltf_take_object(r, members, &skin, error) != 0)
		return -1;
	return anim_buffer_append(&r->asset->skins, &skin, sizeof skin, error);
}

/* ---- meshes: the number and the names of morph targets ---- */

/* `extras` may hold anything: what is no text is no name. */
static int add_text(struct gltf_reading *r, void *run, struct anim_error *error)
{
	const char *text = NULL;

	((struct gltf_run *)run)->count++;
	if ((anim_json_byte(r->json.text, error) == '"' ? gltf_take_text(r, &text, error) : gltf_skip(r, error)) != 0)
		return -1;
	return anim_buffer_append(&r->asset->texts, &text, sizeof text, error);
}

static int take_target_names(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_mesh *mesh = object;

	mesh->names = (struct gltf_run){.first = GLTF_COUNT(r->asset, texts, const char *)};
	if (anim_json_byte(r->json.text, error) != '[')
		return gltf_skip(r, error);
	return gltf_take_array(r, add_text, &mesh->names, error);
}

static int take_mesh_extras(struct gltf_reading *r, void *mesh, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"targetNames", GLTF_TAKEN, 0, take_target_names},
						     {NULL, GLTF_TAKEN, 0, NULL}};

	if (anim_json_byte(r->json.text, error) != '{')
		return gltf_skip(r, error);
	return gltf_take_object(r, members, mesh, error);
}

/* All primitives of a mesh have as many targets. */
static int take_primitive(struct gltf_reading *r, void *mesh, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"targets", GLTF_AMOUNT, offsetof(struct gltf_mesh, targets), NULL}, {NULL, GLTF_TAKEN, 0, NULL}};

	return gltf_take_object(r, members, mesh, error);
}

static int take_primitives(struct gltf_reading *r, void *mesh, struct anim_error *error)
{
	return gltf_take_array(r, take_primitive, mesh, error);
}

static int take_mesh(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"primitives", GLTF_TAKEN, 0, take_primitives},
	    {"weights", GLTF_NUMBERS, offsetof(struct gltf_mesh, weights), NULL},
	    {"extras", GLTF_TAKEN, 0, take_mesh_extras},
	    {NULL, GLTF_TAKEN, 0, NULL}};
	struct gltf_mesh mesh = {.node = GLTF_NONE};

	(void)unused;
	if (gltf_take_object(r, members, &mesh, error) != 0)
		return -1;
	return anim_buffer_append(&r->asset->meshes, &mesh, sizeof mesh, error);
}

/* ---- accessors, views, buffers ---- */

static int take_type(struct gltf_reading *r, void *object, struct anim_error *error)
{
	static const struct {
		const char *name;
		uint8_t lanes;
		bool is_matrix;
	} types[] = {{"SCALAR", 1, false}, {"VEC2", 2, false}, {"VEC3", 3, false}, {"VEC4", 4, false},
		     {"MAT2", 4, true},    {"MAT3", 9, true},  {"MAT4", 16, true}};
	struct gltf_accessor *accessor = object;
	const char *type;

	if (gltf_take_text(r, &type, error) != 0)
		return -1;
	accessor->lanes = 0;
	for (size_t i = 0; i < ANIM_COUNT(types); i++)
		if (strcmp(types[i].name, type) == 0) {
			accessor->lanes = types[i].lanes;
			accessor->is_matrix = types[i].is_matrix;
		}
	return 0;
}

static const struct gltf_member part_members[] = {
    {"bufferView", GLTF_INDEX, offsetof(struct gltf_sparse_part, view), NULL},
    {"byteOffset", GLTF_NATURAL, offsetof(struct gltf_sparse_part, offset), NULL},
    {"componentType", GLTF_INDEX, offsetof(struct gltf_sparse_part, component), NULL},
    {NULL, GLTF_TAKEN, 0, NULL}};

static int take_sparse_indices(struct gltf_reading *r, void *sparse, struct anim_error *error)
{
	return gltf_take_object(r, part_members, &((struct gltf_sparse *)sparse)->indices, error);
}

static int take_sparse_values(struct gltf_reading *r, void *sparse, struct anim_error *error)
{
	return gltf_take_object(r, part_members, &((struct gltf_sparse *)sparse)->values, error);
}

static int take_sparse(struct gltf_reading *r, void *accessor, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"count", GLTF_NATURAL, offsetof(struct gltf_sparse, count), NULL},
						     {"indices", GLTF_TAKEN, 0, take_sparse_indices},
						     {"values", GLTF_TAKEN, 0, take_sparse_values},
						     {NULL, GLTF_TAKEN, 0, NULL}};
	struct gltf_sparse sparse = {.indices = {.view = GLTF_NONE}, .values = {.view = GLTF_NONE}};

	if (gltf_take_object(r, members, &sparse, error) != 0)
		return -1;
	((struct gltf_accessor *)accessor)->sparse = GLTF_COUNT(r->asset, sparses, struct gltf_sparse);
	return anim_buffer_append(&r->asset->sparses, &sparse, sizeof sparse, error);
}

static int take_accessor(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"bufferView", GLTF_INDEX, offsetof(struct gltf_accessor, view), NULL},
	    {"byteOffset", GLTF_NATURAL, offsetof(struct gltf_accessor, offset), NULL},
	    {"componentType", GLTF_INDEX, offsetof(struct gltf_accessor, component), NULL},
	    {"normalized", GLTF_FLAG, offsetof(struct gltf_accessor, normalized), NULL},
	    {"count", GLTF_NATURAL, offsetof(struct gltf_accessor, count), NULL},
	    {"type", GLTF_TAKEN, 0, take_type},
	    {"sparse", GLTF_TAKEN, 0, take_sparse},
	    {NULL, GLTF_TAKEN, 0, NULL}};
	struct gltf_accessor accessor = {.view = GLTF_NONE, .sparse = GLTF_NONE};

	(void)unused;
	if (gltf_take_object(r, members, &accessor, error) != 0)
		return -1;
	return anim_buffer_append(&r->asset->accessors, &accessor, sizeof accessor, error);
}

static int take_mode(struct gltf_reading *r, void *packed, struct anim_error *error)
{
	const char *mode;

	if (gltf_take_text(r, &mode, error) != 0)
		return -1;
	((struct gltf_packed *)packed)->is_attributes = strcmp(mode, "ATTRIBUTES") == 0;
	return 0;
}

static int take_filter(struct gltf_reading *r, void *packed, struct anim_error *error)
{
	static const char *const names[] = {"NONE", "QUATERNION", "EXPONENTIAL", NULL};
	const char *filter;
	int found = 0;

	if (gltf_take_text(r, &filter, error) != 0)
		return -1;
	while (names[found] != NULL && strcmp(names[found], filter) != 0)
		found++;
	((struct gltf_packed *)packed)->filter = (enum gltf_filter)found;
	return 0;
}

static int take_packed(struct gltf_reading *r, struct gltf_view *view, bool is_khr, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"buffer", GLTF_INDEX, offsetof(struct gltf_packed, buffer), NULL},
	    {"byteOffset", GLTF_NATURAL, offsetof(struct gltf_packed, offset), NULL},
	    {"byteLength", GLTF_NATURAL, offsetof(struct gltf_packed, length), NULL},
	    {"byteStride", GLTF_INDEX, offsetof(struct gltf_packed, stride), NULL},
	    {"count", GLTF_NATURAL, offsetof(struct gltf_packed, count), NULL},
	    {"mode", GLTF_TAKEN, 0, take_mode},
	    {"filter", GLTF_TAKEN, 0, take_filter},
	    {NULL, GLTF_TAKEN, 0, NULL}};
	struct gltf_packed packed = {.buffer = GLTF_NONE, .is_khr = is_khr};

	if (gltf_take_object(r, members, &packed, error) != 0)
		return -1;
	view->packed = GLTF_COUNT(r->asset, packed, struct gltf_packed);
	return anim_buffer_append(&r->asset->packed, &packed, sizeof packed, error);
}

static int take_packed_ext(struct gltf_reading *r, void *view, struct anim_error *error)
{
	return take_packed(r, view, false, error);
}

static int take_packed_khr(struct gltf_reading *r, void *view, struct anim_error *error)
{
	return take_packed(r, view, true, error);
}

static int take_view_extensions(struct gltf_reading *r, void *view, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"EXT_meshopt_compression", GLTF_TAKEN, 0, take_packed_ext},
						     {"KHR_meshopt_compression", GLTF_TAKEN, 0, take_packed_khr},
						     {NULL, GLTF_TAKEN, 0, NULL}};

	return gltf_take_object(r, members, view, error);
}

static int take_view(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"buffer", GLTF_INDEX, offsetof(struct gltf_view, buffer), NULL},
	    {"byteOffset", GLTF_NATURAL, offsetof(struct gltf_view, offset), NULL},
	    {"byteLength", GLTF_NATURAL, offsetof(struct gltf_view, length), NULL},
	    {"byteStride", GLTF_INDEX, offsetof(struct gltf_view, stride), NULL},
	    {"extensions", GLTF_TAKEN, 0, take_view_extensions},
	    {NULL, GLTF_TAKEN, 0, NULL}};
	struct gltf_view view = {.buffer = GLTF_NONE, .packed = GLTF_NONE, .place = UINT64_MAX};

	(void)unused;
	if (gltf_take_object(r, members, &view, error) != 0)
		return -1;
	return anim_buffer_append(&r->asset->views, &view, sizeof view, error);
}

static int take_length(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_buffer *buffer = object;

	buffer->length_text.from = gltf_cursor(r);
	if (gltf_take_natural(r, GLTF_NATURAL_MAX, &buffer->length, error) != 0)
		return -1;
	buffer->length_text.to = gltf_cursor(r);
	return 0;
}

static int take_uri(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_buffer *buffer = object;
	uint64_t from = gltf_cursor(r);
	size_t head;

	if (gltf_take_uri(&r->json, buffer, r->source->data, &r->asset->arena, &head, error) != 0)
		return -1;
	buffer->data_text = (struct gltf_range){from + head, gltf_cursor(r) - 1};
	return 0;
}

static int take_buffer(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"byteLength", GLTF_TAKEN, 0, take_length}, {"uri", GLTF_TAKEN, 0, take_uri}, {NULL, GLTF_TAKEN, 0, NULL}};
	struct gltf_buffer buffer = {.length = 0};

	(void)unused;
	if (gltf_take_object(r, members, &buffer, error) != 0)
		return -1;
	return anim_buffer_append(&r->asset->buffers, &buffer, sizeof buffer, error);
}

/* ---- animations ---- */

/* Passes over a member that no table names, and keeps its place. 0 or -1. */
static int add_other(struct gltf_reading *r, struct gltf_run *run, struct anim_error *error)
{
	struct gltf_range text = {.from = r->member_at};

	if (gltf_skip(r, error) != 0)
		return -1;
	text.to = gltf_cursor(r);
	if (run->count++ == 0)
		run->first = GLTF_COUNT(r->asset, members, struct gltf_range);
	return anim_buffer_append(&r->asset->members, &text, sizeof text, error);
}

static int take_sampler_other(struct gltf_reading *r, void *sampler, struct anim_error *error)
{
	return add_other(r, &((struct gltf_sampler *)sampler)->others, error);
}

static int take_channel_other(struct gltf_reading *r, void *channel, struct anim_error *error)
{
	return add_other(r, &((struct gltf_channel *)channel)->others, error);
}

static int take_interpolation(struct gltf_reading *r, void *sampler, struct anim_error *error)
{
	static const char *const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
	static const uint8_t interps[] = {ANIM_HOLD, ANIM_LINEAR, ANIM_HERMITE};
	struct anim_place place = anim_json_here(&r->json);
	const char *name;

	if (gltf_take_text(r, &name, error) != 0)
		return -1;
	for (size_t i = 0; i < ANIM_COUNT(names); i++)
		if (strcmp(names[i], name) == 0) {
			((struct gltf_sampler *)sampler)->interp = interps[i];
			return 0;
		}
	return anim_json_refuse(&r->json, &place, error,
				"'%.40s' is no interpolation; there are STEP, LINEAR and CUBICSPLINE", name);
}

static int take_sampler(struct gltf_reading *r, void *animation, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"input", GLTF_INDEX, offsetof(struct gltf_sampler, input), NULL},
	    {"output", GLTF_INDEX, offsetof(struct gltf_sampler, output), NULL},
	    {"interpolation", GLTF_TAKEN, 0, take_interpolation},
	    {NULL, GLTF_TAKEN, 0, take_sampler_other}};
	struct gltf_sampler sampler = {.input = GLTF_NONE, .output = GLTF_NONE, .interp = ANIM_LINEAR};

	if (gltf_take_object(r, members, &sampler, error) != 0)
		return -1;
	((struct gltf_animation *)animation)->samplers.count++;
	return anim_buffer_append(&r->asset->samplers, &sampler, sizeof sampler, error);
}

static int take_samplers(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_animation *animation = object;

	animation->samplers = (struct gltf_run){.first = GLTF_COUNT(r->asset, samplers, struct gltf_sampler)};
	animation->samplers_text.from = gltf_cursor(r);
	if (gltf_take_array(r, take_sampler, animation, error) != 0)
		return -1;
	animation->samplers_text.to = gltf_cursor(r);
	return 0;
}

static int take_path(struct gltf_reading *r, void *object, struct anim_error *error)
{
	static const char *const names[] = {"translation", "rotation", "scale", "weights", "pointer"};
	struct gltf_channel *channel = object;
	const char *path;

	if (gltf_take_text(r, &path, error) != 0)
		return -1;
	channel->path = GLTF_PATH_OTHER;
	for (size_t i = 0; i < ANIM_COUNT(names); i++)
		if (strcmp(names[i], path) == 0)
			channel->path = (enum gltf_path)i;
	if (channel->path == GLTF_PATH_OTHER)
		channel->pointer = path;
	return 0;
}

/* A mark until the whole target was read: it has members that no table names. */
static int take_target_other(struct gltf_reading *r, void *channel, struct anim_error *error)
{
	((struct gltf_channel *)channel)->target_text.to = UINT64_MAX;
	return gltf_skip(r, error);
}

static int take_pointer(struct gltf_reading *r, void *channel, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"pointer", GLTF_TEXT, offsetof(struct gltf_channel, pointer), NULL},
	    {NULL, GLTF_TAKEN, 0, take_target_other}};

	return gltf_take_object(r, members, channel, error);
}

static int take_target_extensions(struct gltf_reading *r, void *channel, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"KHR_animation_pointer", GLTF_TAKEN, 0, take_pointer},
						     {NULL, GLTF_TAKEN, 0, take_target_other}};

	return gltf_take_object(r, members, channel, error);
}

static int take_target(struct gltf_reading *r, void *object, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"node", GLTF_INDEX, offsetof(struct gltf_channel, node), NULL},
						     {"path", GLTF_TAKEN, 0, take_path},
						     {"extensions", GLTF_TAKEN, 0, take_target_extensions},
						     {NULL, GLTF_TAKEN, 0, take_target_other}};
	struct gltf_channel *channel = object;
	uint64_t from = gltf_cursor(r);

	channel->target_text.to = 0;
	if (gltf_take_object(r, members, channel, error) != 0)
		return -1;
	if (channel->target_text.to != 0)
		channel->target_text = (struct gltf_range){from, gltf_cursor(r)};
	return 0;
}

static int take_channel(struct gltf_reading *r, void *animation, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"sampler", GLTF_INDEX, offsetof(struct gltf_channel, sampler), NULL},
	    {"target", GLTF_TAKEN, 0, take_target},
	    {NULL, GLTF_TAKEN, 0, take_channel_other}};
	struct gltf_channel channel = {.sampler = GLTF_NONE, .node = GLTF_NONE, .path = GLTF_PATH_OTHER};

	if (gltf_take_object(r, members, &channel, error) != 0)
		return -1;
	((struct gltf_animation *)animation)->channels.count++;
	return anim_buffer_append(&r->asset->channels, &channel, sizeof channel, error);
}

static int take_channels(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_animation *animation = object;

	animation->channels = (struct gltf_run){.first = GLTF_COUNT(r->asset, channels, struct gltf_channel)};
	animation->channels_text.from = gltf_cursor(r);
	if (gltf_take_array(r, take_channel, animation, error) != 0)
		return -1;
	animation->channels_text.to = gltf_cursor(r);
	return 0;
}

static int take_events(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_animation *animation = object;

	animation->extras_has_members = true;
	animation->events_text.from = gltf_cursor(r);
	if (gltf_skip(r, error) != 0)
		return -1;
	animation->events_text.to = gltf_cursor(r);
	return 0;
}

static int take_extras_other(struct gltf_reading *r, void *animation, struct anim_error *error)
{
	((struct gltf_animation *)animation)->extras_has_members = true;
	return gltf_skip(r, error);
}

static int take_animation_extras(struct gltf_reading *r, void *object, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"events", GLTF_TAKEN, 0, take_events},
						     {NULL, GLTF_TAKEN, 0, take_extras_other}};
	struct gltf_animation *animation = object;

	animation->extras_text.from = gltf_cursor(r);
	animation->events_text = (struct gltf_range){0, 0};
	animation->extras_is_object = anim_json_byte(r->json.text, error) == '{';
	if ((animation->extras_is_object ? gltf_take_object(r, members, animation, error) : gltf_skip(r, error)) != 0)
		return -1;
	animation->extras_text.to = gltf_cursor(r);
	return 0;
}

static int take_animation_other(struct gltf_reading *r, void *animation, struct anim_error *error)
{
	((struct gltf_animation *)animation)->has_others = true;
	return gltf_skip(r, error);
}

static int take_animation(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"name", GLTF_TEXT, offsetof(struct gltf_animation, name), NULL},
						     {"samplers", GLTF_TAKEN, 0, take_samplers},
						     {"channels", GLTF_TAKEN, 0, take_channels},
						     {"extras", GLTF_TAKEN, 0, take_animation_extras},
						     {NULL, GLTF_TAKEN, 0, take_animation_other}};
	struct gltf_animation animation = {.text.from = gltf_cursor(r)};

	(void)unused;
	if (gltf_take_object(r, members, &animation, error) != 0)
		return -1;
	animation.text.to = gltf_cursor(r);
	return anim_buffer_append(&r->asset->animations, &animation, sizeof animation, error);
}

/* ---- VRMC_vrm_animation: {name: {node}}, whatever the names are ---- */

static int take_vrms(struct gltf_reading *r, bool is_expression, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"node", GLTF_INDEX, offsetof(struct gltf_vrm, node), NULL},
						     {NULL, GLTF_TAKEN, 0, NULL}};
	bool first = true;
	int more;

	if (anim_json_expect(&r->json, '{', "an object", error) != 0)
		return -1;
	gltf_push(r);
	while ((more = anim_json_next_member(&r->json, &first, error)) == 1) {
		struct gltf_vrm vrm = {.node = GLTF_NONE, .is_expression = is_expression};

		vrm.name = anim_arena_text(&r->asset->arena, (const char *)r->json.name.data, r->json.name.size, error);
		if (vrm.name == NULL)
			return -1;
		r->steps[r->depth - 1].name = vrm.name;
		if (gltf_take_object(r, members, &vrm, error) != 0 ||
		    anim_buffer_append(&r->asset->vrms, &vrm, sizeof vrm, error) != 0)
			return -1;
	}
	if (more == 0)
		gltf_pop(r);
	return more;
}

static int take_bones(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	(void)unused;
	return take_vrms(r, false, error);
}

static int take_faces(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	(void)unused;
	return take_vrms(r, true, error);
}

static int take_humanoid(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"humanBones", GLTF_TAKEN, 0, take_bones},
						     {NULL, GLTF_TAKEN, 0, NULL}};

	return gltf_take_object(r, members, unused, error);
}

static int take_expressions(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"preset", GLTF_TAKEN, 0, take_faces}, {"custom", GLTF_TAKEN, 0, take_faces}, {NULL, GLTF_TAKEN, 0, NULL}};

	return gltf_take_object(r, members, unused, error);
}

static int take_look_offset(struct gltf_reading *r, void *asset, struct anim_error *error)
{
	((struct gltf_asset *)asset)->has_look_offset = true;
	return gltf_take_vector(r, ((struct gltf_asset *)asset)->look_offset, 3, error);
}

static int take_look(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"node", GLTF_INDEX, offsetof(struct gltf_asset, look), NULL},
						     {"offsetFromHeadBone", GLTF_TAKEN, 0, take_look_offset},
						     {NULL, GLTF_TAKEN, 0, NULL}};

	(void)unused;
	return gltf_take_object(r, members, r->asset, error);
}

static int take_vrm(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"humanoid", GLTF_TAKEN, 0, take_humanoid},
						     {"expressions", GLTF_TAKEN, 0, take_expressions},
						     {"lookAt", GLTF_TAKEN, 0, take_look},
						     {NULL, GLTF_TAKEN, 0, NULL}};

	r->asset->is_vrm = true;
	r->asset->vrms.size = 0;
	r->asset->look = GLTF_NONE;
	r->asset->has_look_offset = false;
	return gltf_take_object(r, members, unused, error);
}

/* ---- Models: VRMC_vrm has {name: {node}}, too, VRM 0.x a list of {bone, node} ---- */

static int take_model_node(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_vrm *vrm = object;
	double number;

	if (anim_json_take_number(&r->json, &number, "a number", error) != 0)
		return -1;
	vrm->node = number >= 0 && number < (double)GLTF_NONE ? (uint32_t)number : GLTF_NONE;
	return 0;
}

/* VRM 0.x counts the bones of the thumb as those of other fingers. */
static int rename_thumb(struct gltf_vrm *vrm, struct anim_arena *arena, struct anim_error *error)
{
	static const char *const names[][2] = {{"ThumbProximal", "ThumbMetacarpal"},
					       {"ThumbIntermediate", "ThumbProximal"}};

	for (unsigned i = 0; i < 2; i++) {
		size_t length = strlen(vrm->name), tail = strlen(names[i][0]);

		if (length < tail || strcmp(vrm->name + length - tail, names[i][0]) != 0)
			continue;
		vrm->name = anim_arena_printf(arena, error, "%.*s%s", (int)(length - tail), vrm->name, names[i][1]);
		return vrm->name == NULL ? -1 : 0;
	}
	return 0;
}

static int take_old_bone(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"bone", GLTF_TEXT, offsetof(struct gltf_vrm, name), NULL},
						     {"node", GLTF_TAKEN, 0, take_model_node},
						     {NULL, GLTF_TAKEN, 0, NULL}};
	struct gltf_vrm vrm = {.node = GLTF_NONE, .is_model = true};

	(void)unused;
	if (gltf_take_object(r, members, &vrm, error) != 0)
		return -1;
	if (vrm.name == NULL)
		return 0;
	return rename_thumb(&vrm, &r->asset->arena, error) != 0
		   ? -1
		   : anim_buffer_append(&r->asset->vrms, &vrm, sizeof vrm, error);
}

/* Either form. */
static int take_model_bones(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	size_t first = GLTF_COUNT(r->asset, vrms, struct gltf_vrm);

	if (anim_json_byte(r->json.text, error) == '[')
		return gltf_take_array(r, take_old_bone, unused, error);
	if (take_vrms(r, false, error) != 0)
		return -1;
	for (size_t i = first; i < GLTF_COUNT(r->asset, vrms, struct gltf_vrm); i++)
		GLTF_AT(r->asset, vrms, struct gltf_vrm, i)->is_model = true;
	return 0;
}

static int take_model_humanoid(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"humanBones", GLTF_TAKEN, 0, take_model_bones},
						     {NULL, GLTF_TAKEN, 0, NULL}};

	return gltf_take_object(r, members, unused, error);
}

/* Of a model that is an animation, too, the animation's bones count. */
static int take_model(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	static const struct gltf_member members[] = {{"humanoid", GLTF_TAKEN, 0, take_model_humanoid},
						     {NULL, GLTF_TAKEN, 0, NULL}};

	r->asset->others++;
	return r->asset->is_vrm ? gltf_skip(r, error) : gltf_take_object(r, members, unused, error);
}

/* Extensions of the document that hold more than animation are counted. */
static int take_extensions(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	bool first = true;
	int more, result = 0;

	if (anim_json_expect(&r->json, '{', "an object", error) != 0)
		return -1;
	r->asset->others = 0;
	gltf_push(r);
	while (result == 0 && (more = anim_json_next_member(&r->json, &first, error)) == 1) {
		if (strcmp((const char *)r->json.name.data, "VRMC_vrm_animation") == 0) {
			r->steps[r->depth - 1].name = "VRMC_vrm_animation";
			result = take_vrm(r, unused, error);
		} else if (strcmp((const char *)r->json.name.data, "VRMC_vrm") == 0 ||
			   strcmp((const char *)r->json.name.data, "VRM") == 0) {
			r->steps[r->depth - 1].name = "VRM";
			result = take_model(r, unused, error);
		} else {
			r->asset->others++;
			r->steps[r->depth - 1].name = NULL;
			result = gltf_skip(r, error);
		}
	}
	if (result != 0 || more != 0)
		return -1;
	gltf_pop(r);
	return 0;
}

/* ---- the document ---- */

/* The arrays of the document; in glTF 1.x they are objects. */
static int take_list(struct gltf_reading *r, struct anim_buffer *list, struct gltf_range *text,
		     int (*take)(struct gltf_reading *, void *, struct anim_error *), struct anim_error *error)
{
	struct anim_place place = anim_json_here(&r->json);
	uint64_t from = gltf_cursor(r);

	if (r->asset->version == NULL && anim_json_byte(r->json.text, error) == '{')
		return gltf_refuse(r, &place, "an object, as glTF 1.x has it; make it 2.0: gltf-pipeline -i OLD -o NEW",
				   error);
	if (list != NULL)
		list->size = 0;
	if (gltf_take_array(r, take, NULL, error) != 0)
		return -1;
	if (text != NULL)
		*text = (struct gltf_range){from, gltf_cursor(r)};
	return 0;
}

static int take_nodes(struct gltf_reading *r, void *asset, struct anim_error *error)
{
	return take_list(r, &((struct gltf_asset *)asset)->nodes, NULL, take_node, error);
}

static int take_meshes(struct gltf_reading *r, void *asset, struct anim_error *error)
{
	return take_list(r, &((struct gltf_asset *)asset)->meshes, NULL, take_mesh, error);
}

static int take_skins(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_asset *asset = object;

	asset->joints.size = 0;
	return take_list(r, &asset->skins, NULL, take_skin, error);
}

static int take_scenes(struct gltf_reading *r, void *asset, struct anim_error *error)
{
	return take_list(r, &((struct gltf_asset *)asset)->scenes, NULL, take_scene, error);
}

static int take_accessors(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_asset *asset = object;

	return take_list(r, &asset->accessors, &asset->accessors_text, take_accessor, error);
}

static int take_views(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_asset *asset = object;

	return take_list(r, &asset->views, &asset->views_text, take_view, error);
}

static int take_buffers(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_asset *asset = object;

	return take_list(r, &asset->buffers, &asset->buffers_text, take_buffer, error);
}

static int take_animations(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_asset *asset = object;

	return take_list(r, &asset->animations, &asset->animations_text, take_animation, error);
}

static int add_used(struct gltf_reading *r, void *unused, struct anim_error *error)
{
	const char *text;

	(void)unused;
	if (gltf_take_text(r, &text, error) != 0)
		return -1;
	return anim_buffer_append(&r->asset->used, &text, sizeof text, error);
}

static int take_used(struct gltf_reading *r, void *object, struct anim_error *error)
{
	struct gltf_asset *asset = object;

	return take_list(r, &asset->used, &asset->used_text, add_used, error);
}

/* The version decides what all else means. */
static int take_version(struct gltf_reading *r, const char **version, struct anim_error *error)
{
	struct anim_place place = anim_json_here(&r->json);

	if (gltf_take_text(r, version, error) != 0)
		return -1;
	if (anim_text_behind(*version, "2.") != NULL || strcmp(*version, "2") == 0)
		return 0;
	if (anim_text_behind(*version, "1.") != NULL || anim_text_behind(*version, "0.") != NULL)
		return anim_json_refuse(&r->json, &place, error,
					"glTF %.8s is not read; make it 2.0: gltf-pipeline -i OLD -o NEW", *version);
	return anim_json_refuse(&r->json, &place, error, "glTF '%.20s' is not read; 2.0 is", *version);
}

static int take_asset_version(struct gltf_reading *r, void *asset, struct anim_error *error)
{
	return take_version(r, &((struct gltf_asset *)asset)->version, error);
}

static int take_least_version(struct gltf_reading *r, void *asset, struct anim_error *error)
{
	struct anim_place place = anim_json_here(&r->json);
	const char *version;

	(void)asset;
	if (gltf_take_text(r, &version, error) != 0)
		return -1;
	if (strcmp(version, "2.0") == 0)
		return 0;
	return anim_json_refuse(&r->json, &place, error, "the file needs glTF %.20s; 2.0 is read", version);
}

static int take_asset(struct gltf_reading *r, void *asset, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"version", GLTF_TAKEN, 0, take_asset_version},
	    {"minVersion", GLTF_TAKEN, 0, take_least_version},
	    {"generator", GLTF_TEXT, offsetof(struct gltf_asset, generator), NULL},
	    {NULL, GLTF_TAKEN, 0, NULL}};

	return gltf_take_object(r, members, asset, error);
}

static int take_document(struct gltf_reading *r, struct anim_error *error)
{
	static const struct gltf_member members[] = {
	    {"asset", GLTF_TAKEN, 0, take_asset},
	    {"scene", GLTF_INDEX, offsetof(struct gltf_asset, scene), NULL},
	    {"scenes", GLTF_TAKEN, 0, take_scenes},
	    {"nodes", GLTF_TAKEN, 0, take_nodes},
	    {"meshes", GLTF_TAKEN, 0, take_meshes},
	    {"skins", GLTF_TAKEN, 0, take_skins},
	    {"cameras", GLTF_AMOUNT, offsetof(struct gltf_asset, cameras), NULL},
	    {"materials", GLTF_AMOUNT, offsetof(struct gltf_asset, materials), NULL},
	    {"textures", GLTF_AMOUNT, offsetof(struct gltf_asset, textures), NULL},
	    {"images", GLTF_AMOUNT, offsetof(struct gltf_asset, images), NULL},
	    {"accessors", GLTF_TAKEN, 0, take_accessors},
	    {"bufferViews", GLTF_TAKEN, 0, take_views},
	    {"buffers", GLTF_TAKEN, 0, take_buffers},
	    {"animations", GLTF_TAKEN, 0, take_animations},
	    {"extensionsUsed", GLTF_TAKEN, 0, take_used},
	    {"extensions", GLTF_TAKEN, 0, take_extensions},
	    {NULL, GLTF_TAKEN, 0, NULL}};
	struct gltf_asset *asset = r->asset;
	struct anim_place place;

	if (anim_json_blank(r->json.text, error) == ANIM_JSON_ERROR)
		return -1;
	place = anim_json_here(&r->json);
	asset->document.from = gltf_cursor(r);
	if (gltf_take_object(r, members, asset, error) != 0)
		return -1;
	asset->document.to = gltf_cursor(r);
	if (asset->version == NULL)
		return gltf_refuse(r, &place, "no asset.version: glTF 1.0, or no glTF; 2.0 is read", error);
	return 0;
}

/* Blanks and, as some programs write them, NULs; nothing else. */
static int take_tail(struct gltf_reading *r, struct anim_error *error)
{
	struct anim_json_text *text = r->json.text;
	struct anim_place place;
	int byte;

	while ((byte = anim_json_blank(text, error)) == '\0')
		text->at++;
	if (byte == ANIM_JSON_END || byte == ANIM_JSON_ERROR)
		return byte == ANIM_JSON_END ? 0 : -1;
	place = anim_json_here(&r->json);
	return gltf_refuse(r, &place, "more text behind the document's end", error);
}

int gltf_asset_read(struct gltf_asset *asset, const struct gltf_source *source, struct anim_error *error)
{
	struct anim_json_text text;
	struct gltf_reading r;
	int result;

	*asset = (struct gltf_asset){.scene = GLTF_NONE, .look = GLTF_NONE};
	result = gltf_reading_begin(&r, &text, source, error);
	r.asset = asset;
	if (result == 0)
		result = take_document(&r, error);
	if (result == 0)
		result = take_tail(&r, error);
	if (text.window != NULL)
		anim_input_skip(source->input, (size_t)(text.at - text.window));
	/* The lines of a GLB are none that anybody sees. */
	if (result != 0 && source->base > 0 && error->at == ANIM_AT_LINE) {
		error->at = ANIM_AT_BYTE;
		error->offset += source->base;
	}
	anim_json_clear(&r.json);
	return result;
}

void gltf_asset_clear(struct gltf_asset *asset)
{
	struct anim_buffer *lists[] = {&asset->nodes,   &asset->meshes,       &asset->accessors, &asset->views,
				       &asset->buffers, &asset->animations,   &asset->samplers,  &asset->channels,
				       &asset->sparses, &asset->packed,       &asset->indices,   &asset->numbers,
				       &asset->texts,   &asset->scenes,       &asset->joints,    &asset->vrms,
				       &asset->used,    &asset->camera_nodes, &asset->skins,     &asset->members};

	for (size_t i = 0; i < ANIM_COUNT(lists); i++)
		anim_buffer_clear(lists[i]);
	anim_arena_clear(&asset->arena);
}
