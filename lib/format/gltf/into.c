/* into.c: clips put into a glTF file that is there: which of its nodes and blend shapes they drive. */
#include "format/gltf/into.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/path.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "format/read.h"

/* ---- The file as it is ---- */

/* What stands behind the JSON of a GLB. 0 or -1. */
static int find_chunks(struct gltf_into *into, struct anim_input *input, struct anim_error *error)
{
	uint64_t behind = GLTF_HEAD_BYTES + GLTF_CHUNK_HEAD_BYTES + into->container.json_size;
	struct gltf_chunk chunk;
	bool extra = false;
	int result = gltf_container_skip(&into->container, behind - anim_input_offset(input), error);

	while (result == 0 &&
	       (result = gltf_container_next(&into->container, &chunk.type, &chunk.size, &extra, error)) == 1) {
		chunk.at = anim_input_offset(input);
		result = anim_buffer_append(&into->chunks, &chunk, sizeof chunk, error) != 0
			     ? -1
			     : gltf_container_skip(&into->container, chunk.size, error);
	}
	if (result == 0 && extra)
		return anim_fail(error, ANIM_BAD_INPUT, "there are bytes behind the GLB's length of %llu",
				 (unsigned long long)into->container.length);
	return result;
}

static int read_document(struct gltf_into *into, struct anim_input *input, struct anim_error *error)
{
	struct anim_spool *data = into->writer->options.into.compact ? &into->data.spool : NULL;

	if (gltf_container_open(&into->container, input, error) != 0 ||
	    gltf_asset_read(&into->asset, &into->container, data, error) != 0)
		return -1;
	if (into->container.is_glb && find_chunks(into, input, error) != 0)
		return -1;
	return gltf_tree_make(&into->asset, error);
}

static int read_file(struct gltf_into *into, struct anim_error *error)
{
	struct anim_input *input = NULL;
	int result = anim_input_open(&input, into->file, NULL, error);

	if (result == 0 && stat(into->file, &into->info) != 0)
		result = anim_fail_system(error, "read");
	if (result == 0)
		result = read_document(into, input, error);
	if (result == 0 && anim_input_was_gzip(input))
		result = anim_fail(error, ANIM_UNSUPPORTED, "it is gzip: unpack it first");
	anim_input_close(input);
	into->container.input = NULL;
	return result;
}

/* ---- Its nodes, with the numbers that they have there ---- */

static const float *numbers_at(const struct gltf_asset *asset, struct gltf_run run)
{
	return run.count == 0 ? NULL : GLTF_AT(asset, numbers, float, run.first);
}

/* The weights of a node's mesh where nothing moves them: the node's own, else the mesh's. */
static const float *weights_of(const struct gltf_asset *asset, const struct gltf_node *node,
			       const struct gltf_mesh *mesh)
{
	if (node->weights.count >= mesh->targets)
		return numbers_at(asset, node->weights);
	return mesh->weights.count >= mesh->targets ? numbers_at(asset, mesh->weights) : NULL;
}

/* A name that several nodes have is none's. */
static int add_spelling(struct gltf_into *into, const char *name, uint32_t number, struct anim_error *error)
{
	uint32_t other;
	bool known = anim_map_get(&into->names, 0, name, strlen(name), &other);

	return anim_map_put(&into->names, 0, name, strlen(name), known ? GLTF_NONE : number, error);
}

/* By the name itself, and as Godot's importer spells that of a bone and of another node. */
static int add_name(struct gltf_into *into, const char *name, uint32_t number, struct anim_error *error)
{
	char *bone = anim_arena_text(&into->arena, name, strlen(name), error);
	const char *node = anim_godot_node(name, NULL, &into->arena, error);

	for (char *at = bone; at != NULL && *at != '\0'; at++)
		*at = *at == ':' ? '_' : *at;
	if (bone == NULL || node == NULL || add_spelling(into, name, number, error) != 0 ||
	    (strcmp(bone, name) != 0 && add_spelling(into, bone, number, error) != 0))
		return -1;
	return strcmp(node, name) == 0 || strcmp(node, bone) == 0 ? 0 : add_spelling(into, node, number, error);
}

static int add_node(struct gltf_into *into, uint32_t number, struct anim_error *error)
{
	const struct gltf_node *node = gltf_node_at(&into->asset, number);
	const struct gltf_mesh *mesh = gltf_mesh_at(&into->asset, node->mesh);
	struct anim_node from = {.type = "", .rotation = {0, 0, 0, 1}};
	struct gltf_out_node out = {.name = node->name, .human = node->human};

	if (mesh != NULL) {
		out.targets = mesh->targets;
		out.weights = weights_of(&into->asset, node, mesh);
	}
	/* What is in no tree has no path, and no path may be empty. */
	from.path = node->path_name == NULL ? "" : gltf_tree_path(&into->asset, number, error);
	if (from.path == NULL || (node->path_name != NULL && add_name(into, node->path_name, number, error) != 0))
		return -1;
	if (node->expression != NULL &&
	    anim_map_put(&into->names, 1, node->expression, strlen(node->expression), number, error) != 0)
		return -1;
	return anim_buffer_append(&into->writer->nodes.items, &out, sizeof out, error) != 0
		   ? -1
		   : anim_rests_add(&into->writer->nodes.rests, &from, error);
}

static int add_nodes(struct gltf_into *into, struct anim_error *error)
{
	for (uint32_t i = 0; i < gltf_node_count(&into->asset); i++)
		if (add_node(into, i, error) != 0)
			return -1;
	return 0;
}

/* ---- Which of them a stream's nodes are ---- */

void gltf_into_tree(struct gltf_into *into)
{
	anim_rests_clear(&into->rests);
	into->numbers.size = 0;
}

/* The file's own number of the node, where the stream comes from it or a copy: the name must be the same, too. */
static uint32_t by_number(const struct gltf_into *into, const struct anim_node *node)
{
	const char *told = anim_attrs_get(&node->attrs, "gltf.node");
	const struct gltf_node *found;
	uint64_t number;

	if (told == NULL || anim_number_uint64(told, told + strlen(told), &number) == NULL || number >= GLTF_NONE)
		return GLTF_NONE;
	found = gltf_node_at(&into->asset, number);
	if (found == NULL || found->path_name == NULL ||
	    (strcmp(node->path, ".") != 0 && !anim_node_same_name(node->path, found->path_name)))
		return GLTF_NONE;
	return (uint32_t)number;
}

/* By the path, else by the last name where one node alone has it. */
static uint32_t by_path(const struct gltf_into *into, const char *root, const char *node)
{
	struct anim_rests *rests = &into->writer->nodes.rests;
	const struct anim_rest *rest = anim_rests_find(rests, root, node);
	const char *name = anim_path_last(node), *own = anim_node_own_name(node);
	uint32_t number = GLTF_NONE;

	if (rest != NULL)
		return (uint32_t)(rest - rests->items);
	if (!anim_map_get(&into->names, 0, name, strlen(name), &number))
		(void)anim_map_get(&into->names, 0, own, strlen(own), &number);
	return number;
}

int gltf_into_node(struct gltf_into *into, const struct anim_node *node, struct anim_error *error)
{
	uint32_t number = by_number(into, node);

	if (number == GLTF_NONE)
		number = by_path(into, ".", node->path);
	return anim_buffer_append(&into->numbers, &number, sizeof number, error) != 0
		   ? -1
		   : anim_rests_add(&into->rests, node, error);
}

int gltf_into_find(struct gltf_into *into, const struct anim_clip *clip, const struct anim_track *track,
		   uint32_t *number, struct anim_error *error)
{
	const struct anim_rest *rest = anim_rests_find(&into->rests, clip->root, track->node);

	*number = GLTF_NONE;
	if (rest != NULL)
		*number = ((const uint32_t *)(const void *)into->numbers.data)[rest - into->rests.items];
	if (*number == GLTF_NONE)
		*number = by_path(into, clip->root, track->node);
	if (*number == GLTF_NONE && into->missed == NULL &&
	    (into->missed = anim_arena_text(&into->arena, track->node, strlen(track->node), error)) == NULL)
		return -1;
	return anim_rests_check(&into->rests, error) != 0 ? -1 : *number != GLTF_NONE;
}

bool gltf_into_expression(const struct gltf_into *into, const char *name, uint32_t *node)
{
	return anim_map_get(&into->names, 1, name, strlen(name), node);
}

#define NUMBERED "morph_" /* what a blend shape without a name is called, with its number behind it */

uint32_t gltf_into_target(const struct gltf_into *into, uint32_t node, const char *name)
{
	const struct gltf_node *from = gltf_node_at(&into->asset, node);
	const struct gltf_mesh *mesh = gltf_mesh_at(&into->asset, from->mesh);
	const char *number = anim_text_behind(name, NUMBERED), *end;
	uint64_t target;

	for (uint32_t i = 0; mesh != NULL && i < mesh->names.count && i < mesh->targets; i++) {
		const char *own = *GLTF_AT(&into->asset, texts, const char *, mesh->names.first + i);

		if (own != NULL && strcmp(own, name) == 0)
			return i;
	}
	if (mesh == NULL || number == NULL)
		return GLTF_NONE;
	end = anim_number_uint64(number, number + strlen(number), &target);
	return end != NULL && *end == '\0' && target < mesh->targets ? (uint32_t)target : GLTF_NONE;
}

/* ---- Its animations ---- */

const char *gltf_into_name(const struct gltf_into *into, uint32_t animation)
{
	return gltf_animation_at(&into->asset, animation)->name;
}

/* Those without a name are called by the file, as its reader calls them. 0 or -1. */
static int name_animations(struct gltf_into *into, struct anim_error *error)
{
	const char *base = anim_read_base_name(anim_path_last(into->file), &into->arena, error);
	unsigned unnamed = 0;

	into->unnamed = GLTF_NONE;
	into->bound = anim_zeroed((gltf_animation_count(&into->asset) + 1) * sizeof *into->bound, error);
	if (base == NULL || into->bound == NULL)
		return -1;
	for (uint32_t i = 0; i < gltf_animation_count(&into->asset); i++) {
		struct gltf_animation *animation = gltf_animation_at(&into->asset, i);

		into->bound[i] = GLTF_NONE;
		if (animation->name != NULL && animation->name[0] != '\0')
			continue;
		into->unnamed = unnamed == 0 ? i : GLTF_NONE;
		animation->name =
		    ++unnamed == 1 ? base : anim_arena_printf(&into->arena, error, "%s-%u", base, unnamed);
		if (animation->name == NULL)
			return -1;
	}
	return 0;
}

/* ---- Beginning and end ---- */

bool gltf_into_uses(const struct gltf_into *into, const char *extension)
{
	for (uint32_t i = 0; i < GLTF_COUNT(&into->asset, used, const char *); i++)
		if (strcmp(*GLTF_AT(&into->asset, used, const char *, i), extension) == 0)
			return true;
	return false;
}

struct gltf_into *gltf_into_new(struct gltf_writer *writer, struct anim_error *error)
{
	struct gltf_into *into = anim_zeroed(sizeof *into, error);

	if (into == NULL)
		return NULL;
	into->writer = writer;
	into->file = writer->options.into.file;
	anim_spool_init(&into->data.spool, writer->options.store_memory);
	if (read_file(into, error) != 0 || add_nodes(into, error) != 0 || name_animations(into, error) != 0) {
		anim_error_in_file(error, into->file);
		gltf_into_free(into);
		return NULL;
	}
	writer->options.pointers |= gltf_into_uses(into, "KHR_animation_pointer"); /* its players know it */
	writer->first_accessor = GLTF_COUNT(&into->asset, accessors, struct gltf_accessor);
	writer->view = GLTF_COUNT(&into->asset, views, struct gltf_view);
	return into;
}

void gltf_into_free(struct gltf_into *into)
{
	if (into == NULL)
		return;
	gltf_asset_clear(&into->asset);
	gltf_data_clear(&into->data);
	anim_buffer_clear(&into->chunks);
	anim_buffer_clear(&into->numbers);
	anim_buffer_clear(&into->added);
	anim_arena_clear(&into->arena);
	anim_rests_clear(&into->rests);
	anim_map_clear(&into->names);
	free(into->bound);
	free(into);
}

int anim_gltf_into(struct anim_write_options *options, struct anim_error *error)
{
	struct anim_input *input = NULL;
	const uint8_t *at;
	int result;

	options->into.several = true;
	result = anim_input_open(&input, options->into.file, NULL, error);

	if (result == 0 && anim_input_peek(input, 1, &at, error) < 0)
		result = -1;
	anim_input_close(input);
	return result == 0 ? 0 : anim_error_in_file(error, options->into.file);
}
