/* asset.c: reads a document into its index, object by object, and skips everything else. */
#include "format/gltf/asset.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "base/text.h"
#include "format/gltf/data.h"
#include "format/gltf/members.h"
#include "math/basis.h"

/* ---- Values of a document at the cursor ---- */

/* Print the path of the cursor, such as "animations[3].channels[7].target", for anim_json. */
static void print_path(const struct anim_json *json, char *out)
{
	const struct gltf_reading *r = (const struct gltf_reading *)json;
	size_t used = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < r->depth && used < ANIM_JSON_WHERE_MAX; i++) {
		const struct gltf_step *step = &r->steps[i];

		if (step->name != NULL)
			used += (size_t)snprintf(out + used, ANIM_JSON_WHERE_MAX - used, "%s%s", used > 0 ? "." : "",
						 step->name);
		if (step->element >= 0 && used < ANIM_JSON_WHERE_MAX)
			used += (size_t)snprintf(out + used, ANIM_JSON_WHERE_MAX - used, "[%lld]",
						 (long long)step->element);
	}
	if (json->member != NULL && used < ANIM_JSON_WHERE_MAX)
		snprintf(out + used, ANIM_JSON_WHERE_MAX - used, "%s%s", used > 0 ? "." : "", json->member);
}

int gltf_reading_begin(struct gltf_reading *r, struct anim_json_text *text, const struct gltf_container *container,
		       struct anim_error *error)
{
	ssize_t got;

	*r = (struct gltf_reading){.json = {.text = text, .where = print_path, .element = -1}, .error = error};
	anim_json_text_init(text, container->input, NULL);
	text->limit = container->json_size;
	got = anim_json_more(text, 3, error);
	if (got >= 3 && memcmp(text->at, "\xef\xbb\xbf", 3) == 0)
		text->at += 3;
	return got < 0 ? -1 : 0;
}

uint64_t gltf_cursor(const struct gltf_reading *r)
{
	return r->json.text->offset + (uint64_t)(r->json.text->at - r->json.text->window);
}

static int byte_at(struct gltf_reading *r)
{
	return anim_json_byte(r->json.text, r->error);
}

static int refuse(struct gltf_reading *r, const struct anim_place *place, const char *what)
{
	return anim_json_refuse(&r->json, place, r->error, "%s", what);
}

static int skip(struct gltf_reading *r)
{
	int result = anim_json_skip(&r->json, r->nesting, r->error);

	r->json.member = NULL;
	return result;
}

/* Read an integer from 0 to `most`. "100.0" and "1e2" are also integers. */
static int read_whole(struct gltf_reading *r, double most, uint64_t *value)
{
	struct anim_place place = anim_json_here(&r->json);
	double number;

	if (anim_json_read_number(&r->json, &number, "a number", r->error) != 0)
		return -1;
	if (!(number >= 0) || number != floor(number))
		return refuse(r, &place, "an integer of at least 0 is needed");
	if (number > most)
		return refuse(r, &place, "the number is too large");
	*value = (uint64_t)number;
	return 0;
}

int gltf_read_natural(struct gltf_reading *r, void *value)
{
	return read_whole(r, GLTF_NATURAL_MAX, value);
}

int gltf_read_index(struct gltf_reading *r, void *index)
{
	uint64_t value;

	if (read_whole(r, (double)(GLTF_NONE - 1), &value) != 0)
		return -1;
	*(uint32_t *)index = (uint32_t)value;
	return 0;
}

static int read_float(struct gltf_reading *r, void *value)
{
	double wide;

	if (anim_json_read_number(&r->json, &wide, "a number", r->error) != 0)
		return -1;
	*(float *)value = (float)wide;
	return 0;
}

static int read_flag(struct gltf_reading *r, void *value)
{
	ssize_t got = anim_json_more(r->json.text, 5, r->error);
	bool flag;

	if (got < 0)
		return -1;
	flag = anim_bytes_begin(r->json.text->at, (size_t)got, "true");
	if (!flag && !anim_bytes_begin(r->json.text->at, (size_t)got, "false"))
		return anim_json_unexpected_here(&r->json, "true or false", r->error);
	r->json.text->at += flag ? 4 : 5;
	*(bool *)value = flag;
	return 0;
}

/* Return a string of at most `most` bytes, in the arena, or NULL on error. */
static char *read_string(struct gltf_reading *r, size_t most)
{
	struct anim_place place = anim_json_here(&r->json);
	bool is_null;

	if (anim_json_read_string(&r->json, &r->json.name, &is_null, "a string", r->error) != 0)
		return NULL;
	if (is_null)
		refuse(r, &place, "a string is needed, found null");
	else if (r->json.name.size > most)
		anim_json_refuse(&r->json, &place, r->error, "a text of %zu bytes, at most %zu are allowed",
				 r->json.name.size, most);
	else
		return anim_arena_text(&r->asset->arena, (const char *)r->json.name.data, r->json.name.size, r->error);
	return NULL;
}

static int read_text(struct gltf_reading *r, void *out)
{
	const char *text = read_string(r, ANIM_NAME_MAX);

	*(const char **)out = text;
	return text == NULL ? -1 : 0;
}

/* Read a text. Names and `extras` can hold anything in files of careless exporters, so other values are skipped. */
static int read_any_text(struct gltf_reading *r, void *text)
{
	return byte_at(r) == '"' ? read_text(r, text) : skip(r);
}

/* Read a text and find it among the words. *found is `count` if it is not one of them. */
static int read_word(struct gltf_reading *r, const char *const *words, unsigned count, unsigned *found,
		     const char **text)
{
	if (read_text(r, text) != 0)
		return -1;
	for (*found = 0; *found < count && strcmp(words[*found], *text) != 0;)
		++*found;
	return 0;
}

/* ---- Arrays ---- */

static int begin_array(struct gltf_reading *r)
{
	r->nesting++;
	return anim_json_expect(&r->json, '[', "an array", r->error);
}

/* Move to the next element. Return 1, 0 after the end of the array, or -1. */
static int next_element(struct gltf_reading *r, bool *first)
{
	struct gltf_step *step = &r->steps[r->depth - 1];
	int more = anim_json_next_element(&r->json, first, r->error);

	step->element = more == 1 ? step->element + 1 : more == 0 ? -1 : step->element;
	r->nesting -= more == 0;
	return more;
}

static int read_amount(struct gltf_reading *r, void *to)
{
	uint32_t count = 0;
	bool first = true;
	int more;

	if (begin_array(r) != 0)
		return -1;
	for (; (more = next_element(r, &first)) == 1; count++)
		if (skip(r) != 0)
			return -1;
	*(uint32_t *)to = count;
	return more;
}

/* Read an array of exactly `wanted` numbers. */
static int read_vector(struct gltf_reading *r, float *out, unsigned wanted)
{
	struct anim_place place = anim_json_here(&r->json);
	float values[16];
	unsigned count = 0;
	bool first = true;
	int more;

	if (begin_array(r) != 0)
		return -1;
	while ((more = next_element(r, &first)) == 1) {
		struct anim_place here = anim_json_here(&r->json);
		float value;

		if (read_float(r, &value) != 0)
			return -1;
		if (count == ANIM_COUNT(values))
			return refuse(r, &here, "too many numbers");
		values[count++] = value;
	}
	if (more != 0)
		return -1;
	if (count != wanted)
		return anim_json_refuse(&r->json, &place, r->error, "%u numbers are needed, but there are %u", wanted,
					count);
	memcpy(out, values, count * sizeof *out);
	return 0;
}

static int read_vector3(struct gltf_reading *r, void *out)
{
	return read_vector(r, out, 3);
}

static int read_vector4(struct gltf_reading *r, void *out)
{
	return read_vector(r, out, 4);
}

/* ---- Objects, read by tables of their members ---- */

/*
 * A member and the function that takes its value into the object, at `at`, or fails with the value's place. Unknown
 * members are skipped, unless the last row of the table, whose name is NULL, takes them. Of members with the same name
 * the last one counts.
 */
struct gltf_member {
	const char *name;
	int (*read)(struct gltf_reading *, void *to);
	size_t at; /* offset in the object */
	/* offset of a struct gltf_range that receives the place of the value (0: none) */
	size_t text;
	const struct gltf_member *members; /* for read_object and read_extras */
	const struct gltf_list *list;      /* for read_run and read_list */
};

/* The elements of one of the asset's lists. */
struct gltf_list {
	size_t at, size;     /* offset of the list in the asset, and size of its elements */
	const void *initial; /* or NULL for zeros */
	int (*read)(struct gltf_reading *, void *to);
	const struct gltf_member *members; /* instead of `read` */
};

static int begin_object(struct gltf_reading *r)
{
	assert(r->depth < GLTF_STEPS_MAX);
	if (anim_json_expect(&r->json, '{', "an object", r->error) != 0)
		return -1;
	r->steps[r->depth++] = (struct gltf_step){.element = -1};
	r->nesting++;
	return 0;
}

/* Move to the next member. Return 1, 0 after the end of the object, or -1, with the path unchanged for the message. */
static int next_member(struct gltf_reading *r, bool *first)
{
	int more;

	r->member_at = gltf_cursor(r);
	r->is_first = *first;
	more = anim_json_next_member(&r->json, first, r->error);
	r->depth -= more == 0;
	r->nesting -= more == 0;
	return more;
}

/* Return the row with that name, or the last row if it takes other members, or NULL. */
static const struct gltf_member *find_member(const struct gltf_member *members, const struct anim_buffer *name)
{
	for (; members->name != NULL; members++)
		if (strlen(members->name) == name->size && memcmp(members->name, name->data, name->size) == 0)
			return members;
	return members->read != NULL ? members : NULL;
}

static int read_members(struct gltf_reading *r, const struct gltf_member *members, void *object)
{
	bool first = true;
	int more;

	if (begin_object(r) != 0)
		return -1;
	while ((more = next_member(r, &first)) == 1) {
		uint64_t from = gltf_cursor(r);

		r->row = find_member(members, &r->json.name);
		r->steps[r->depth - 1].name = r->row == NULL ? NULL : r->row->name;
		/* A null counts as missing: exporters write it for values that they do not have. */
		if (r->row == NULL || (r->row->name != NULL && byte_at(r) == 'n')) {
			if (skip(r) != 0)
				return -1;
		} else {
			size_t text = r->row->text;

			if (r->row->read(r, (char *)object + r->row->at) != 0)
				return -1;
			if (text != 0)
				*(struct gltf_range *)(void *)((char *)object + text) =
				    (struct gltf_range){from, gltf_cursor(r)};
		}
	}
	return more;
}

static int read_object(struct gltf_reading *r, void *object)
{
	return read_members(r, r->row->members, object);
}

/* Read the object in `extras`. Values of other types are skipped. */
static int read_extras(struct gltf_reading *r, void *object)
{
	return byte_at(r) == '{' ? read_object(r, object) : skip(r);
}

static int read_mark(struct gltf_reading *r, void *flag)
{
	*(bool *)flag = true;
	return skip(r);
}

static int read_copyright(struct gltf_reading *r, void *asset)
{
	(void)asset;
	r->asset->copyrights++;
	return skip(r);
}

/* Count extras that no stream can hold. */
static int read_other_extras(struct gltf_reading *r, void *object)
{
	(void)object;
	r->asset->extras++;
	return skip(r);
}

/* Append an element to a list of the asset. Return it, valid until the next one is appended, or NULL if out of memory. */
static void *add_element(struct gltf_reading *r, const struct gltf_list *list)
{
	struct anim_buffer *buffer = (struct anim_buffer *)(void *)((char *)r->asset + list->at);
	void *element = anim_buffer_extend(buffer, list->size, r->error);

	if (element != NULL && list->initial != NULL)
		memcpy(element, list->initial, list->size);
	else if (element != NULL)
		memset(element, 0, list->size);
	return element;
}

/* Read the elements of an array into a list of the asset, and set `to` to their run. */
static int read_run(struct gltf_reading *r, void *to)
{
	const struct gltf_list *list = r->row->list;
	struct gltf_run *run = to;
	bool first = true;
	int more;

	*run = (struct gltf_run){
	    .first = (uint32_t)(((struct anim_buffer *)(void *)((char *)r->asset + list->at))->size / list->size)};
	if (begin_array(r) != 0)
		return -1;
	for (; (more = next_element(r, &first)) == 1; run->count++) {
		void *element = add_element(r, list);

		if (element == NULL ||
		    (list->members != NULL ? read_members(r, list->members, element) : list->read(r, element)) != 0)
			return -1;
	}
	return more;
}

/* Read an array of the document. An object in its place means glTF 1.x. */
static int read_list(struct gltf_reading *r, void *asset)
{
	struct anim_place place = anim_json_here(&r->json);
	struct gltf_run run;

	if (((struct gltf_asset *)asset)->version == NULL && byte_at(r) == '{')
		return refuse(r, &place,
			      "an object, as in glTF 1.x; convert the file to 2.0: gltf-pipeline -i OLD -o NEW");
	((struct anim_buffer *)(void *)((char *)asset + r->row->list->at))->size = 0;
	return read_run(r, &run);
}

static const struct gltf_list indices = {
    .at = offsetof(struct gltf_asset, indices), .size = sizeof(uint32_t), .read = gltf_read_index};
static const struct gltf_list numbers = {
    .at = offsetof(struct gltf_asset, numbers), .size = sizeof(float), .read = read_float};

/* ---- Nodes, scenes, skins ---- */

/*
 * The largest error of the product, as a fraction of the largest of the matrix's nine numbers. It is far above the
 * rounding errors of float32.
 */
#define SHEAR 1e-4f

/* Return whether position, rotation and scale together give the matrix. */
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

/* Read a matrix, which is column-major in the file and row-major here. */
static int read_matrix(struct gltf_reading *r, void *object)
{
	struct gltf_node *node = object;
	float columns[16], rows[16];
	uint64_t at = r->member_at;

	node->is_first = r->is_first;
	if (read_vector(r, columns, 16) != 0)
		return -1;
	for (int i = 0; i < 16; i++)
		rows[i] = columns[i % 4 * 4 + i / 4];
	anim_transform_decompose(node->position, node->rotation, node->scale, rows);
	node->matrix_text = node->is_matrix ? (struct gltf_range){0, 0} : (struct gltf_range){at, gltf_cursor(r)};
	node->is_sheared = !is_product(node, rows);
	node->is_matrix = true;
	return 0;
}

static const struct gltf_member visibility_members[] = {
    {"visible", read_flag, .at = offsetof(struct gltf_node, is_visible)}, {NULL}};
static const struct gltf_member light_members[] = {{"light", gltf_read_index, .at = offsetof(struct gltf_node, light)},
						   {NULL}};
static const struct gltf_member node_extension_members[] = {
    {"KHR_lights_punctual", read_object, .members = light_members},
    {"KHR_node_visibility", read_object, .members = visibility_members},
    {NULL}};
static const struct gltf_member node_members[] = {
    {"name", read_any_text, .at = offsetof(struct gltf_node, name)},
    {"children", read_run, .at = offsetof(struct gltf_node, children), .list = &indices},
    {"mesh", gltf_read_index, .at = offsetof(struct gltf_node, mesh)},
    {"skin", gltf_read_index, .at = offsetof(struct gltf_node, skin)},
    {"camera", gltf_read_index, .at = offsetof(struct gltf_node, camera)},
    {"translation", read_vector3, .at = offsetof(struct gltf_node, position)},
    {"rotation", read_vector4, .at = offsetof(struct gltf_node, rotation)},
    {"scale", read_vector3, .at = offsetof(struct gltf_node, scale)},
    {"matrix", read_matrix, .at = 0},
    {"weights", read_run, .at = offsetof(struct gltf_node, weights), .list = &numbers},
    {"extensions", read_object, .members = node_extension_members},
    {"extras", read_other_extras, .at = 0},
    {NULL}};
static const struct gltf_node no_node = {.mesh = GLTF_NONE,
					 .skin = GLTF_NONE,
					 .camera = GLTF_NONE,
					 .light = GLTF_NONE,
					 .parent = GLTF_NONE,
					 .rotation = {0, 0, 0, 1},
					 .scale = {1, 1, 1},
					 .is_visible = true};
static const struct gltf_list nodes = {.at = offsetof(struct gltf_asset, nodes),
				       .size = sizeof(struct gltf_node),
				       .initial = &no_node,
				       .members = node_members};

static const struct gltf_member scene_members[] = {
    {"nodes", read_run, .list = &indices}, {"extras", read_other_extras, .at = 0}, {NULL}};
static const struct gltf_list scenes = {
    .at = offsetof(struct gltf_asset, scenes), .size = sizeof(struct gltf_run), .members = scene_members};

static const struct gltf_list joints = {
    .at = offsetof(struct gltf_asset, joints), .size = sizeof(uint32_t), .read = gltf_read_index};
static const struct gltf_member skin_members[] = {
    {"joints", read_run, .at = offsetof(struct gltf_skin, joints), .list = &joints},
    {"inverseBindMatrices", gltf_read_index, .at = offsetof(struct gltf_skin, binds)},
    {NULL}};
static const struct gltf_skin no_skin = {.binds = GLTF_NONE};
static const struct gltf_list skins = {.at = offsetof(struct gltf_asset, skins),
				       .size = sizeof(struct gltf_skin),
				       .initial = &no_skin,
				       .members = skin_members};

static int read_skins(struct gltf_reading *r, void *asset)
{
	((struct gltf_asset *)asset)->joints.size = 0;
	return read_list(r, asset);
}

/* ---- Meshes: number and names of morph targets ---- */

static int read_target_names(struct gltf_reading *r, void *run)
{
	*(struct gltf_run *)run = (struct gltf_run){0, 0};
	return byte_at(r) == '[' ? read_run(r, run) : skip(r);
}

/* In older files, names are in the extras of the primitives instead of the mesh. */
static int read_primitive_names(struct gltf_reading *r, void *run)
{
	return ((const struct gltf_run *)run)->count > 0 ? skip(r) : read_target_names(r, run);
}

static const struct gltf_list target_names = {
    .at = offsetof(struct gltf_asset, texts), .size = sizeof(const char *), .read = read_any_text};
static const struct gltf_member primitive_extras_members[] = {
    {"targetNames", read_primitive_names, .at = offsetof(struct gltf_mesh, names), .list = &target_names}, {NULL}};
static const struct gltf_member attribute_members[] = {
    {"POSITION", gltf_read_index, .at = offsetof(struct gltf_mesh, positions)}, {NULL}};
static const struct gltf_member primitive_members[] = {
    {"attributes", read_object, .at = 0, .members = attribute_members},
    {"targets", read_amount, .at = offsetof(struct gltf_mesh, targets)},
    {"extras", read_extras, .members = primitive_extras_members},
    {NULL}};

/* All primitives of a mesh have the same number of targets, so any of them can set it. */
static int read_primitives(struct gltf_reading *r, void *mesh)
{
	bool first = true;
	int more;

	if (begin_array(r) != 0)
		return -1;
	while ((more = next_element(r, &first)) == 1)
		if (read_members(r, primitive_members, mesh) != 0)
			return -1;
	return more;
}

static const struct gltf_member mesh_extras_members[] = {
    {"targetNames", read_target_names, .at = offsetof(struct gltf_mesh, names), .list = &target_names}, {NULL}};
static const struct gltf_member mesh_members[] = {
    {"primitives", read_primitives, .at = 0},
    {"weights", read_run, .at = offsetof(struct gltf_mesh, weights), .list = &numbers},
    {"extras", read_extras, .members = mesh_extras_members},
    {NULL}};
static const struct gltf_mesh no_mesh = {.positions = GLTF_NONE, .node = GLTF_NONE};
static const struct gltf_list meshes = {.at = offsetof(struct gltf_asset, meshes),
					.size = sizeof(struct gltf_mesh),
					.initial = &no_mesh,
					.members = mesh_members};

/* ---- Accessors, views ---- */

static int read_type(struct gltf_reading *r, void *object)
{
	static const char *const names[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
	static const uint8_t components[] = {1, 2, 3, 4, 4, 9, 16, 0};
	struct gltf_accessor *accessor = object;
	const char *text;
	unsigned type;

	if (read_word(r, names, ANIM_COUNT(names), &type, &text) != 0)
		return -1;
	accessor->components = components[type];
	if (type < ANIM_COUNT(names))
		accessor->is_matrix = type >= 4;
	return 0;
}

static const struct gltf_member part_members[] = {
    {"bufferView", gltf_read_index, .at = offsetof(struct gltf_sparse_part, view)},
    {"byteOffset", gltf_read_natural, .at = offsetof(struct gltf_sparse_part, offset)},
    {"componentType", gltf_read_index, .at = offsetof(struct gltf_sparse_part, component)},
    {NULL}};
static const struct gltf_member sparse_members[] = {
    {"count", gltf_read_natural, .at = offsetof(struct gltf_sparse, count)},
    {"indices", read_object, .at = offsetof(struct gltf_sparse, indices), .members = part_members},
    {"values", read_object, .at = offsetof(struct gltf_sparse, values), .members = part_members},
    {NULL}};
static const struct gltf_sparse no_sparse = {.indices = {.view = GLTF_NONE}, .values = {.view = GLTF_NONE}};
static const struct gltf_list sparses = {
    .at = offsetof(struct gltf_asset, sparses), .size = sizeof(struct gltf_sparse), .initial = &no_sparse};

static int read_sparse(struct gltf_reading *r, void *number)
{
	struct gltf_sparse *sparse = add_element(r, &sparses);

	*(uint32_t *)number = GLTF_COUNT(r->asset, sparses, struct gltf_sparse) - 1;
	return sparse == NULL ? -1 : read_members(r, sparse_members, sparse);
}

static const struct gltf_member accessor_members[] = {
    {"bufferView", gltf_read_index, .at = offsetof(struct gltf_accessor, view)},
    {"byteOffset", gltf_read_natural, .at = offsetof(struct gltf_accessor, offset)},
    {"componentType", gltf_read_index, .at = offsetof(struct gltf_accessor, component)},
    {"normalized", read_flag, .at = offsetof(struct gltf_accessor, normalized)},
    {"count", gltf_read_natural, .at = offsetof(struct gltf_accessor, count)},
    {"type", read_type, .at = 0},
    {"sparse", read_sparse, .at = offsetof(struct gltf_accessor, sparse)},
    {NULL}};
static const struct gltf_accessor no_accessor = {.view = GLTF_NONE, .sparse = GLTF_NONE};
static const struct gltf_list accessors = {.at = offsetof(struct gltf_asset, accessors),
					   .size = sizeof(struct gltf_accessor),
					   .initial = &no_accessor,
					   .members = accessor_members};

static int read_mode(struct gltf_reading *r, void *is_attributes)
{
	const char *mode;

	if (read_text(r, &mode) != 0)
		return -1;
	*(bool *)is_attributes = strcmp(mode, "ATTRIBUTES") == 0;
	return 0;
}

static int read_filter(struct gltf_reading *r, void *filter)
{
	static const char *const names[] = {"NONE", "QUATERNION", "EXPONENTIAL"};
	const char *text;
	unsigned found;

	if (read_word(r, names, ANIM_COUNT(names), &found, &text) != 0)
		return -1;
	*(enum gltf_filter *)filter = (enum gltf_filter)found;
	return 0;
}

static const struct gltf_member packed_members[] = {
    {"buffer", gltf_read_index, .at = offsetof(struct gltf_packed, buffer)},
    {"byteOffset", gltf_read_natural, .at = offsetof(struct gltf_packed, offset)},
    {"byteLength", gltf_read_natural, .at = offsetof(struct gltf_packed, length)},
    {"byteStride", gltf_read_index, .at = offsetof(struct gltf_packed, stride)},
    {"count", gltf_read_natural, .at = offsetof(struct gltf_packed, count)},
    {"mode", read_mode, .at = offsetof(struct gltf_packed, is_attributes)},
    {"filter", read_filter, .at = offsetof(struct gltf_packed, filter)},
    {NULL}};
static const struct gltf_packed no_packed = {.buffer = GLTF_NONE};
static const struct gltf_list packed_views = {
    .at = offsetof(struct gltf_asset, packed), .size = sizeof(struct gltf_packed), .initial = &no_packed};

static int read_packed(struct gltf_reading *r, void *number)
{
	bool is_khr = r->row->name[0] == 'K';
	struct gltf_packed *packed = add_element(r, &packed_views);

	if (packed == NULL)
		return -1;
	packed->is_khr = is_khr;
	*(uint32_t *)number = GLTF_COUNT(r->asset, packed, struct gltf_packed) - 1;
	return read_members(r, packed_members, packed);
}

static const struct gltf_member view_extension_members[] = {
    {"EXT_meshopt_compression", read_packed, .at = offsetof(struct gltf_view, packed)},
    {"KHR_meshopt_compression", read_packed, .at = offsetof(struct gltf_view, packed)},
    {NULL}};
static const struct gltf_member view_members[] = {
    {"buffer", gltf_read_index, .at = offsetof(struct gltf_view, buffer)},
    {"byteOffset", gltf_read_natural, .at = offsetof(struct gltf_view, offset)},
    {"byteLength", gltf_read_natural, .at = offsetof(struct gltf_view, length)},
    {"byteStride", gltf_read_index, .at = offsetof(struct gltf_view, stride)},
    {"extensions", read_object, .members = view_extension_members},
    {NULL}};
static const struct gltf_view no_view = {.buffer = GLTF_NONE, .packed = GLTF_NONE, .place = UINT64_MAX};
static const struct gltf_list views = {.at = offsetof(struct gltf_asset, views),
				       .size = sizeof(struct gltf_view),
				       .initial = &no_view,
				       .members = view_members};

/* ---- The `uri` of a buffer: base64 data, decoded window by window, or the percent-encoded name of a file ---- */

#define HEAD_MAX 1024  /* maximum length of the text before the data, as in "data:application/octet-stream;base64," */
#define ESCAPE_MAX 6   /* length of \uXXXX */
#define OUT_BYTES 6144 /* decoded at once, a multiple of 3 */
#define NO_DIGIT 64

/* The base64 digits since the last complete byte, and the decoded bytes. */
struct base64 {
	uint32_t bits;
	unsigned digits, padding; /* of the current group */
	size_t size;
	uint8_t out[OUT_BYTES + 3];
};

static unsigned digit_of(uint8_t c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26u;
	if (c >= '0' && c <= '9')
		return c - '0' + 52u;
	return c == '+' ? 62 : c == '/' ? 63 : NO_DIGIT;
}

static void put_group(struct base64 *b, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		b->out[b->size++] = (uint8_t)(b->bits >> (16 - 8 * i));
	b->bits = 0;
	b->digits = 0;
}

/* Decode complete groups of four digits until one is not complete or not plain. */
static const uint8_t *read_groups(struct base64 *b, const uint8_t table[256], const uint8_t *at, const uint8_t *end)
{
	while (end - at >= 4 && b->size + 3 <= OUT_BYTES) {
		unsigned w = table[at[0]], x = table[at[1]], y = table[at[2]], z = table[at[3]];
		uint32_t group = w << 18 | x << 12 | y << 6 | z;

		if ((w | x | y | z) >= NO_DIGIT)
			break;
		b->out[b->size] = (uint8_t)(group >> 16);
		b->out[b->size + 1] = (uint8_t)(group >> 8);
		b->out[b->size + 2] = (uint8_t)group;
		b->size += 3;
		at += 4;
	}
	return at;
}

/* Read the escape sequence at the cursor ("\/", "\u002B"), and return its character, or 0 if base64 cannot contain it. */
static uint8_t read_escape(struct anim_json_text *text)
{
	unsigned value = 0;

	if (text->end - text->at >= 2 && text->at[1] == '/') {
		text->at += 2;
		return '/';
	}
	if (text->end - text->at < ESCAPE_MAX || text->at[1] != 'u')
		return 0;
	for (int i = 2; i < ESCAPE_MAX; i++) {
		int digit = anim_hex_digit((char)text->at[i]);

		if (digit < 0)
			return 0;
		value = value << 4 | (unsigned)digit;
	}
	text->at += ESCAPE_MAX;
	return value < 128 ? (uint8_t)value : 0;
}

static int flush(struct gltf_reading *r, struct base64 *b, struct gltf_buffer *buffer)
{
	buffer->data_size += b->size;
	if (r->data != NULL && gltf_data_append(r->data, b->out, b->size, r->error) != 0)
		return -1;
	b->size = 0;
	return 0;
}

static int refuse_here(struct gltf_reading *r, const char *what)
{
	struct anim_place place = anim_json_here(&r->json);

	return refuse(r, &place, what);
}

/* Read a character that is not in a complete group. Return 1, 0 after the closing quote, or -1. */
static int read_odd(struct gltf_reading *r, struct base64 *b, const uint8_t table[256])
{
	struct anim_json_text *text = r->json.text;
	ssize_t got = text->end - text->at < ESCAPE_MAX ? anim_json_more(text, ESCAPE_MAX, r->error) : 1;
	bool escaped, allowed;
	uint8_t c;

	if (got <= 0)
		return got < 0 ? -1 : anim_json_unexpected_here(&r->json, "the end of a string", r->error);
	c = *text->at;
	if (c == '"') {
		text->at++;
		return 0;
	}
	escaped = c == '\\';
	if (escaped)
		c = read_escape(text);
	if (c == '=') {
		b->padding++;
		allowed = b->digits >= 2 && b->digits + b->padding <= 4;
	} else {
		allowed = table[c] != NO_DIGIT && b->padding == 0;
		b->bits |= allowed ? (uint32_t)table[c] << (18 - 6 * b->digits) : 0;
		b->digits += allowed;
		if (b->digits == 4)
			put_group(b, 3);
	}
	if (!allowed)
		return refuse_here(r, escaped ? "an escape sequence in base64" : "invalid character in base64");
	text->at += !escaped;
	return 1;
}

static int read_base64(struct gltf_reading *r, struct gltf_buffer *buffer)
{
	struct anim_json_text *text = r->json.text;
	struct base64 b = {.size = 0};
	uint8_t table[256];
	int more = 1;

	for (unsigned c = 0; c < 256; c++)
		table[c] = (uint8_t)digit_of((uint8_t)c);
	while (more == 1) {
		if (b.digits == 0 && b.padding == 0)
			text->at = read_groups(&b, table, text->at, text->end);
		if (b.size + 3 <= OUT_BYTES)
			more = read_odd(r, &b, table);
		else if (flush(r, &b, buffer) != 0)
			return -1;
	}
	if (more < 0)
		return -1;
	if (b.digits == 1 || (b.padding > 0 && b.digits + b.padding != 4))
		return refuse_here(r, "impossible length of base64");
	if (b.digits > 1)
		put_group(&b, b.digits - 1);
	return flush(r, &b, buffer);
}

static int read_uri(struct gltf_reading *r, void *object)
{
	static const char begin[] = "\"data:", base64[] = ";base64";
	struct anim_json_text *text = r->json.text;
	struct gltf_buffer *buffer = object;
	uint64_t from = gltf_cursor(r);
	ssize_t got = anim_json_more(text, HEAD_MAX, r->error);
	size_t size = got > HEAD_MAX ? HEAD_MAX : (size_t)got, word = sizeof base64 - 1;
	const uint8_t *comma;

	if (got < 0)
		return -1;
	buffer->uri = NULL;
	buffer->data_size = 0;
	buffer->is_data = anim_bytes_begin(text->at, size, begin);
	if (!buffer->is_data) {
		struct anim_place place = anim_json_here(&r->json);
		char *name = read_string(r, SIZE_MAX);
		char *to;

		if (name == NULL)
			return -1;
		if (strstr(name, "%00") != NULL)
			return refuse(r, &place, "a NUL in the name of a file");
		/* Decode in place. A '%' without two hexadecimal digits stays unchanged. */
		to = name;
		for (const char *at = name; *at != '\0'; at++) {
			int high = *at == '%' ? anim_hex_digit(at[1]) : -1, low = high < 0 ? -1 : anim_hex_digit(at[2]);

			*to++ = (char)(low < 0 ? *at : high << 4 | low);
			at += low < 0 ? 0 : 2;
		}
		*to = '\0';
		buffer->uri = name;
		return 0;
	}
	comma = memchr(text->at, ',', size);
	if (comma == NULL || (size_t)(comma - text->at) < sizeof begin - 1 + word ||
	    memcmp(comma - word, base64, word) != 0)
		return refuse_here(r, "a data URI that is not in base64");
	from += (uint64_t)(comma + 1 - text->at);
	text->at = comma + 1;
	if (r->data != NULL && gltf_data_align(r->data, r->error) != 0)
		return -1;
	buffer->data_place = r->data == NULL ? 0 : anim_spool_size(r->data);
	if (read_base64(r, buffer) != 0)
		return -1;
	buffer->data_text = (struct gltf_range){from, gltf_cursor(r) - 1};
	return 0;
}

static const struct gltf_member buffer_members[] = {{"byteLength", gltf_read_natural,
						     .at = offsetof(struct gltf_buffer, length),
						     .text = offsetof(struct gltf_buffer, length_text)},
						    {"uri", read_uri, .at = 0},
						    {NULL}};
static const struct gltf_list buffers = {
    .at = offsetof(struct gltf_asset, buffers), .size = sizeof(struct gltf_buffer), .members = buffer_members};

/* ---- Animations ---- */

/* Skip a member that is not in the table, and append its place. Return 0 or -1. */
static int read_other(struct gltf_reading *r, void *object)
{
	struct gltf_run *run = object;
	struct gltf_range text = {.from = r->member_at};

	if (skip(r) != 0)
		return -1;
	text.to = gltf_cursor(r);
	if (run->count++ == 0)
		run->first = GLTF_COUNT(r->asset, members, struct gltf_range);
	return anim_buffer_append(&r->asset->members, &text, sizeof text, r->error);
}

/* Values that are not in the specification count as LINEAR, as in three.js and Godot. */
static int read_interpolation(struct gltf_reading *r, void *object)
{
	static const char *const names[] = {"LINEAR", "STEP", "CUBICSPLINE"};
	static const uint8_t interps[] = {ANIM_LINEAR, ANIM_HOLD, ANIM_HERMITE};
	struct gltf_sampler *sampler = object;
	const char *name;
	unsigned found = ANIM_COUNT(names);

	if (byte_at(r) == '"' ? read_word(r, names, ANIM_COUNT(names), &found, &name) != 0 : skip(r) != 0)
		return -1;
	sampler->is_odd = found == ANIM_COUNT(names);
	sampler->interp = interps[sampler->is_odd ? 0 : found];
	return 0;
}

static const struct gltf_member sampler_members[] = {
    {"input", gltf_read_index, .at = offsetof(struct gltf_sampler, input)},
    {"output", gltf_read_index, .at = offsetof(struct gltf_sampler, output)},
    {"interpolation", read_interpolation, .at = 0},
    {NULL, read_other, .at = offsetof(struct gltf_sampler, others)}};
static const struct gltf_sampler no_sampler = {.input = GLTF_NONE, .output = GLTF_NONE, .interp = ANIM_LINEAR};
static const struct gltf_list samplers = {.at = offsetof(struct gltf_asset, samplers),
					  .size = sizeof(struct gltf_sampler),
					  .initial = &no_sampler,
					  .members = sampler_members};

static int read_path(struct gltf_reading *r, void *object)
{
	static const char *const names[] = {"translation", "rotation", "scale", "weights", "pointer"};
	struct gltf_channel *channel = object;
	const char *text;
	unsigned path;

	if (read_word(r, names, ANIM_COUNT(names), &path, &text) != 0)
		return -1;
	channel->path = (enum gltf_path)path;
	if (channel->path == GLTF_PATH_OTHER)
		channel->pointer = text;
	return 0;
}

static const struct gltf_member pointer_members[] = {
    {"pointer", read_text, .at = offsetof(struct gltf_channel, pointer)},
    {NULL, read_mark, .at = offsetof(struct gltf_channel, target_has_others)}};
static const struct gltf_member target_extension_members[] = {
    {"KHR_animation_pointer", read_object, .members = pointer_members},
    {NULL, read_mark, .at = offsetof(struct gltf_channel, target_has_others)}};
static const struct gltf_member target_members[] = {
    {"node", gltf_read_index, .at = offsetof(struct gltf_channel, node)},
    {"path", read_path, .at = 0},
    {"extensions", read_object, .members = target_extension_members},
    {NULL, read_mark, .at = offsetof(struct gltf_channel, target_has_others)}};

static int read_target(struct gltf_reading *r, void *channel)
{
	((struct gltf_channel *)channel)->target_has_others = false;
	return read_members(r, target_members, channel);
}

static const struct gltf_member channel_members[] = {
    {"sampler", gltf_read_index, .at = offsetof(struct gltf_channel, sampler)},
    {"target", read_target, .text = offsetof(struct gltf_channel, target_text)},
    {NULL, read_other, .at = offsetof(struct gltf_channel, others)}};
static const struct gltf_channel no_channel = {.sampler = GLTF_NONE, .node = GLTF_NONE, .path = GLTF_PATH_OTHER};
static const struct gltf_list channels = {.at = offsetof(struct gltf_asset, channels),
					  .size = sizeof(struct gltf_channel),
					  .initial = &no_channel,
					  .members = channel_members};

static int read_animation_extras(struct gltf_reading *r, void *object)
{
	struct gltf_animation *animation = object;

	animation->events_text = (struct gltf_range){0, 0};
	animation->extras_is_object = byte_at(r) == '{';
	return read_extras(r, object);
}

static const struct gltf_member animation_extras_members[] = {
    {"events", read_mark, .at = offsetof(struct gltf_animation, extras_has_members),
     .text = offsetof(struct gltf_animation, events_text)},
    {NULL, read_mark, .at = offsetof(struct gltf_animation, extras_has_members)}};
static const struct gltf_member animation_members[] = {
    {"name", read_any_text, .at = offsetof(struct gltf_animation, name)},
    {"samplers", read_run, .at = offsetof(struct gltf_animation, samplers),
     .text = offsetof(struct gltf_animation, samplers_text), .list = &samplers},
    {"channels", read_run, .at = offsetof(struct gltf_animation, channels),
     .text = offsetof(struct gltf_animation, channels_text), .list = &channels},
    {"extras", read_animation_extras, .text = offsetof(struct gltf_animation, extras_text),
     .members = animation_extras_members},
    {NULL, read_mark, .at = offsetof(struct gltf_animation, has_others)}};

static int read_animation(struct gltf_reading *r, void *object)
{
	struct gltf_animation *animation = object;

	animation->text.from = gltf_cursor(r);
	if (read_members(r, animation_members, animation) != 0)
		return -1;
	animation->text.to = gltf_cursor(r);
	return 0;
}

static const struct gltf_list animations = {
    .at = offsetof(struct gltf_asset, animations), .size = sizeof(struct gltf_animation), .read = read_animation};

/* ---- VRM: animations (VRMC_vrm_animation) and models, VRM 1.0 (VRMC_vrm) or 0.x (VRM) ---- */

static const struct gltf_vrm no_vrm = {.node = GLTF_NONE};
static const struct gltf_list vrms = {
    .at = offsetof(struct gltf_asset, vrms), .size = sizeof(struct gltf_vrm), .initial = &no_vrm};

/* Read {name: {node}} with any names. Return 0 or -1. */
static int read_vrms(struct gltf_reading *r, bool is_expression, bool is_model)
{
	static const struct gltf_member members[] = {{"node", gltf_read_index, .at = offsetof(struct gltf_vrm, node)},
						     {NULL}};
	bool first = true;
	int more;

	if (begin_object(r) != 0)
		return -1;
	while ((more = next_member(r, &first)) == 1) {
		struct gltf_vrm *vrm = add_element(r, &vrms);

		if (vrm == NULL)
			return -1;
		vrm->is_expression = is_expression;
		vrm->is_model = is_model;
		vrm->name =
		    anim_arena_text(&r->asset->arena, (const char *)r->json.name.data, r->json.name.size, r->error);
		r->steps[r->depth - 1].name = vrm->name;
		if (vrm->name == NULL || read_members(r, members, vrm) != 0)
			return -1;
	}
	return more;
}

static int read_bones(struct gltf_reading *r, void *asset)
{
	(void)asset;
	return read_vrms(r, false, false);
}

static int read_faces(struct gltf_reading *r, void *asset)
{
	(void)asset;
	return read_vrms(r, true, false);
}

static int read_look_offset(struct gltf_reading *r, void *asset)
{
	((struct gltf_asset *)asset)->has_look_offset = true;
	return read_vector(r, ((struct gltf_asset *)asset)->look_offset, 3);
}

static const struct gltf_member humanoid_members[] = {{"humanBones", read_bones, .at = 0}, {NULL}};
static const struct gltf_member expression_members[] = {
    {"preset", read_faces, .at = 0}, {"custom", read_faces, .at = 0}, {NULL}};
static const struct gltf_member look_members[] = {{"node", gltf_read_index, .at = offsetof(struct gltf_asset, look)},
						  {"offsetFromHeadBone", read_look_offset, .at = 0},
						  {NULL}};
static const struct gltf_member vrm_members[] = {{"humanoid", read_object, .members = humanoid_members},
						 {"expressions", read_object, .members = expression_members},
						 {"lookAt", read_object, .members = look_members},
						 {NULL}};

static int read_vrm(struct gltf_reading *r, void *object)
{
	struct gltf_asset *asset = object;

	asset->is_vrm = true;
	asset->vrms.size = 0;
	asset->look = GLTF_NONE;
	asset->has_look_offset = false;
	return read_members(r, vrm_members, asset);
}

static int read_old_node(struct gltf_reading *r, void *node)
{
	double number;

	if (anim_json_read_number(&r->json, &number, "a number", r->error) != 0)
		return -1;
	*(uint32_t *)node = number >= 0 && number < (double)GLTF_NONE ? (uint32_t)number : GLTF_NONE;
	return 0;
}

/* Change the names of thumb bones, which VRM 0.x names like the bones of other fingers. */
static int rename_thumb(struct gltf_vrm *vrm, struct anim_arena *arena, struct anim_error *error)
{
	static const char *const names[][2] = {{"ThumbProximal", "ThumbMetacarpal"},
					       {"ThumbIntermediate", "ThumbProximal"}};

	for (unsigned i = 0; i < 2; i++)
		if (anim_text_ends(vrm->name, names[i][0])) {
			vrm->name =
			    anim_arena_printf(arena, error, "%.*s%s", (int)(strlen(vrm->name) - strlen(names[i][0])),
					      vrm->name, names[i][1]);
			return vrm->name == NULL ? -1 : 0;
		}
	return 0;
}

/* Read the bones of a model, which are {name: {node}}, or [{bone, node}] in VRM 0.x. Return 0 or -1. */
static int read_model_bones(struct gltf_reading *r, void *asset)
{
	static const struct gltf_member members[] = {{"bone", read_text, .at = offsetof(struct gltf_vrm, name)},
						     {"node", read_old_node, .at = offsetof(struct gltf_vrm, node)},
						     {NULL}};
	bool first = true;
	int more;

	(void)asset;
	if (byte_at(r) != '[')
		return read_vrms(r, false, true);
	if (begin_array(r) != 0)
		return -1;
	while ((more = next_element(r, &first)) == 1) {
		struct gltf_vrm vrm = {.node = GLTF_NONE, .is_model = true};

		if (read_members(r, members, &vrm) != 0)
			return -1;
		if (vrm.name != NULL && (rename_thumb(&vrm, &r->asset->arena, r->error) != 0 ||
					 anim_buffer_append(&r->asset->vrms, &vrm, sizeof vrm, r->error) != 0))
			return -1;
	}
	return more;
}

static const struct gltf_member model_humanoid_members[] = {{"humanBones", read_model_bones, .at = 0}, {NULL}};
static const struct gltf_member model_members[] = {{"humanoid", read_object, .members = model_humanoid_members},
						   {NULL}};

/* Read the bones of a model. If the document is also a VRM animation, only the animation's bones count. */
static int read_model(struct gltf_reading *r, void *asset)
{
	r->steps[r->depth - 1].name = "VRM";
	r->asset->others++;
	return r->asset->is_vrm ? skip(r) : read_members(r, model_members, asset);
}

static int read_other_extension(struct gltf_reading *r, void *others)
{
	++*(uint32_t *)others;
	return skip(r);
}

static const struct gltf_member light_type_members[] = {{"type", read_any_text, .at = 0}, {NULL}};
static const struct gltf_list lights = {
    .at = offsetof(struct gltf_asset, lights), .size = sizeof(const char *), .members = light_type_members};
static const struct gltf_member lights_members[] = {{"lights", read_list, .list = &lights}, {NULL}};

static int read_lights(struct gltf_reading *r, void *asset)
{
	((struct gltf_asset *)asset)->others++;
	return read_members(r, lights_members, asset);
}

/* Count the extensions of the document that hold more than animation. */
static int read_extensions(struct gltf_reading *r, void *asset)
{
	r->asset->others = 0;
	return read_object(r, asset);
}

static const struct gltf_member extension_members[] = {
    {"VRMC_vrm_animation", read_vrm, .at = 0},
    {"VRMC_vrm", read_model, .at = 0},
    {"VRM", read_model, .at = 0},
    {"KHR_lights_punctual", read_lights, .at = 0},
    {NULL, read_other_extension, .at = offsetof(struct gltf_asset, others)}};

/* ---- The document ---- */

/* Read the version first of all, because it determines the meaning of the document. */
static int read_version(struct gltf_reading *r, void *out)
{
	struct anim_place place = anim_json_here(&r->json);
	const char *version;

	if (read_text(r, out) != 0)
		return -1;
	version = *(const char **)out;
	if (anim_text_after(version, "2.") != NULL || strcmp(version, "2") == 0)
		return 0;
	if (anim_text_after(version, "1.") != NULL || anim_text_after(version, "0.") != NULL)
		return anim_json_refuse(
		    &r->json, &place, r->error,
		    "glTF %.8s is not supported; convert the file to 2.0: gltf-pipeline -i OLD -o NEW", version);
	return anim_json_refuse(&r->json, &place, r->error, "glTF '%.20s' is not supported, only 2.0", version);
}

static int read_least_version(struct gltf_reading *r, void *asset)
{
	struct anim_place place = anim_json_here(&r->json);
	const char *version;

	(void)asset;
	if (read_text(r, &version) != 0)
		return -1;
	if (strcmp(version, "2.0") == 0)
		return 0;
	return anim_json_refuse(&r->json, &place, r->error, "the file needs glTF %.20s, but only 2.0 is supported",
				version);
}

static const struct gltf_list used = {
    .at = offsetof(struct gltf_asset, used), .size = sizeof(const char *), .read = read_text};
static const struct gltf_member asset_members[] = {
    {"version", read_version, .at = offsetof(struct gltf_asset, version)},
    {"minVersion", read_least_version, .at = 0},
    {"generator", read_text, .at = offsetof(struct gltf_asset, generator)},
    {"copyright", read_copyright, .at = 0},
    {"extras", read_other_extras, .at = 0},
    {NULL}};
static const struct gltf_member document_members[] = {
    {"asset", read_object, .members = asset_members},
    {"scene", gltf_read_index, .at = offsetof(struct gltf_asset, scene)},
    {"scenes", read_list, .list = &scenes},
    {"nodes", read_list, .list = &nodes},
    {"meshes", read_list, .list = &meshes},
    {"skins", read_skins, .list = &skins},
    {"cameras", read_amount, .at = offsetof(struct gltf_asset, cameras)},
    {"materials", read_amount, .at = offsetof(struct gltf_asset, materials)},
    {"textures", read_amount, .at = offsetof(struct gltf_asset, textures)},
    {"images", read_amount, .at = offsetof(struct gltf_asset, images)},
    {"accessors", read_list, .text = offsetof(struct gltf_asset, accessors_text), .list = &accessors},
    {"bufferViews", read_list, .text = offsetof(struct gltf_asset, views_text), .list = &views},
    {"buffers", read_list, .text = offsetof(struct gltf_asset, buffers_text), .list = &buffers},
    {"animations", read_list, .text = offsetof(struct gltf_asset, animations_text), .list = &animations},
    {"extensionsUsed", read_list, .text = offsetof(struct gltf_asset, used_text), .list = &used},
    {"extensions", read_extensions, .members = extension_members},
    {"extras", read_other_extras, .at = 0},
    {NULL}};

static int read_document(struct gltf_reading *r, struct gltf_asset *asset)
{
	struct anim_json_text *text = r->json.text;
	struct anim_place place;
	int byte;

	if (anim_json_blank(text, r->error) == ANIM_JSON_ERROR)
		return -1;
	place = anim_json_here(&r->json);
	asset->document.from = gltf_cursor(r);
	if (read_members(r, document_members, asset) != 0)
		return -1;
	asset->document.to = gltf_cursor(r);
	if (asset->version == NULL)
		return refuse(r, &place,
			      "asset.version is missing: the file is glTF 1.0 or not glTF; only 2.0 is supported");
	/* Blanks may follow, and also NULs, which some programs write. */
	while ((byte = anim_json_blank(text, r->error)) == '\0')
		text->at++;
	if (byte == ANIM_JSON_END || byte == ANIM_JSON_ERROR)
		return byte == ANIM_JSON_END ? 0 : -1;
	place = anim_json_here(&r->json);
	return refuse(r, &place, "text after the end of the document");
}

int gltf_asset_read(struct gltf_asset *asset, const struct gltf_container *container, struct anim_spool *data,
		    struct anim_error *error)
{
	struct anim_json_text text;
	struct gltf_reading r;
	int result;

	*asset = (struct gltf_asset){.scene = GLTF_NONE, .look = GLTF_NONE};
	result = gltf_reading_begin(&r, &text, container, error);
	r.asset = asset;
	r.data = data;
	if (result == 0)
		result = read_document(&r, asset);
	if (text.window != NULL)
		anim_input_skip(container->input, (size_t)(text.at - text.window));
	/* In a GLB a byte offset is more useful than a line. */
	if (result != 0 && container->is_glb && error->at == ANIM_AT_LINE) {
		error->at = ANIM_AT_BYTE;
		error->offset += GLTF_HEAD_BYTES + GLTF_CHUNK_HEAD_BYTES;
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
				       &asset->used,    &asset->camera_nodes, &asset->skins,     &asset->members,
				       &asset->roots,   &asset->path,         &asset->lights};

	for (size_t i = 0; i < ANIM_COUNT(lists); i++)
		anim_buffer_clear(lists[i]);
	anim_import_clear(&asset->import);
	anim_arena_clear(&asset->arena);
}
