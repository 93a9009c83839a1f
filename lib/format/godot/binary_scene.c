/* binary_scene.c: the one value that holds the nodes of a binary scene, as the tags and properties that text has. */
#include "base/text.h"
#include "format/godot/binary_internal.h"

#define IS_PATH (1 << 30) /* of a parent: a path of node_paths; of a property's name: its value stands for a node */
#define NOTHING 0x7fffffff
#define INDEX_MASK 0xffffff
#define NAME_MASK 0x3ffff
#define NODE_HEAD 6 /* parent, owner, type, name, instance, number of properties */
#define NODE_INTS 7 /* a node without properties and groups */
#define CONNECTION_INTS 6
#define DEPTH_MAX 1000

void godot_bundle_clear(struct godot_bundle *bundle)
{
	anim_buffer_clear(&bundle->bytes);
	anim_arena_clear(&bundle->arena);
	anim_buffer_clear(&bundle->variants);
	anim_buffer_clear(&bundle->known);
	anim_buffer_clear(&bundle->path);
}

/* Goes to an offset of the file that lies in the bundle. */
static void go_to(struct godot_binary *binary, uint64_t offset)
{
	binary->memory.at = binary->memory.window + (size_t)(offset - binary->bundle.offset);
}

/* ---- What the dictionary holds ---- */

/* Arrays of texts: names, or paths. 0 or -1. */
static int read_texts(struct godot_binary *binary, struct godot_string **texts, size_t *count)
{
	struct anim_arena *arena = &binary->bundle.arena;
	struct godot_value value, element;

	if (godot_binary_value(binary, arena, &value) != 0)
		return -1;
	*count = godot_array_count(&value);
	*texts = anim_arena_zeroed(arena, *count + 1, sizeof **texts, binary->error);
	if (*texts == NULL)
		return -1;
	for (size_t i = 0; i < *count; i++) {
		godot_array_element(&value, i, &element);
		(*texts)[i] = element.text.bytes != NULL ? element.text : (struct godot_string){"", 0};
	}
	return 0;
}

/* An array of any kind as ints; NULL on failure. */
static int32_t *read_ints(struct godot_binary *binary, size_t *count)
{
	struct anim_arena scratch = {0};
	struct godot_value value, element;
	int32_t *ints = NULL;

	if (godot_binary_value(binary, &scratch, &value) == 0) {
		*count = godot_array_count(&value);
		ints = anim_arena_zeroed(&binary->bundle.arena, *count + 1, sizeof *ints, binary->error);
		for (size_t i = 0; ints != NULL && i < *count; i++) {
			godot_array_element(&value, i, &element);
			ints[i] = (int32_t)(uint32_t)(uint64_t)godot_to_int(&element);
		}
	}
	anim_arena_clear(&scratch);
	return ints;
}

static int read_int(struct godot_binary *binary, int64_t *number)
{
	struct anim_arena scratch = {0};
	struct godot_value value;
	int result = godot_binary_value(binary, &scratch, &value);

	if (result == 0)
		*number = godot_to_int(&value);
	anim_arena_clear(&scratch);
	return result;
}

/* Where each of the variants begins; they are read when a node has them. */
static int find_variants(struct godot_binary *binary)
{
	struct anim_buffer *variants = &binary->bundle.variants;
	int got = godot_binary_enter(binary, GODOT_ARRAY);

	variants->size = 0;
	while (got == 1 && (got = godot_binary_next(binary, NULL, NULL)) == 1) {
		uint64_t at = godot_frame_position(binary->in);

		if (anim_buffer_append(variants, &at, sizeof at, binary->error) != 0)
			return -1;
	}
	return got;
}

#define SAW_NAMES 1u
#define SAW_VARIANTS 2u
#define SAW_NODE_COUNT 4u
#define SAW_NODES 8u
#define SAW_CONN_COUNT 16u
#define SAW_CONNS 32u

/* What is counted, before it is checked. */
struct bundle_counts {
	int64_t nodes, connections;
	size_t connection_ints;
};

static int read_entry(struct godot_binary *binary, const struct godot_value *key, struct bundle_counts *counts,
		      unsigned *seen)
{
	static const char *const names[] = {"names",      "variants", "node_count", "nodes",
					    "conn_count", "conns",    "node_paths", "base_scene"};
	struct godot_bundle *bundle = &binary->bundle;
	unsigned which = 0;

	while (which < 8 && (!godot_value_is_name(key) || !godot_string_is(&key->text, names[which])))
		which++;
	*seen |= 1u << which;
	switch (which) {
	case 0:
		return read_texts(binary, &bundle->names, &bundle->name_count);
	case 1:
		return find_variants(binary);
	case 2:
		return read_int(binary, &counts->nodes);
	case 3:
		bundle->nodes = read_ints(binary, &bundle->node_ints);
		return bundle->nodes != NULL ? 0 : -1;
	case 4:
		return read_int(binary, &counts->connections);
	case 5:
		return read_ints(binary, &counts->connection_ints) != NULL ? 0 : -1;
	case 6:
		return read_texts(binary, &bundle->paths, &bundle->path_count);
	case 7:
		return read_int(binary, &bundle->base_scene);
	default:
		return 0;
	}
}

static int check_bundle(struct godot_binary *binary, const struct bundle_counts *counts, unsigned seen)
{
	static const char *const needed[] = {"names", "variants", "node_count", "nodes", "conn_count", "conns"};
	struct godot_bundle *bundle = &binary->bundle;

	for (unsigned i = 0; i < 6; i++)
		if ((seen >> i & 1) == 0)
			return godot_binary_fail(binary, ANIM_BAD_INPUT, "the scene has no '%s'", needed[i]);
	if (counts->nodes < 0 || (uint64_t)counts->nodes > bundle->node_ints / NODE_INTS)
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "%lld nodes do not fit into %zu numbers",
					 (long long)counts->nodes, bundle->node_ints);
	if (counts->connections < 0 || (uint64_t)counts->connections > counts->connection_ints / CONNECTION_INTS)
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "%lld connections do not fit into %zu numbers",
					 (long long)counts->connections, counts->connection_ints);
	bundle->node_count = (size_t)counts->nodes;
	bundle->connections = (size_t)counts->connections;
	return 0;
}

int godot_bundle_read(struct godot_binary *binary)
{
	struct godot_bundle *bundle = &binary->bundle;
	struct bundle_counts counts = {0};
	struct anim_arena scratch = {0};
	struct godot_value key;
	unsigned seen = 0;
	int got;

	binary->memory = (struct godot_frame){.error = binary->error,
					      .window = bundle->bytes.data,
					      .at = bundle->bytes.data,
					      .end = bundle->bytes.data + bundle->bytes.size,
					      .offset = bundle->offset};
	binary->in = &binary->memory;
	bundle->base_scene = -1;
	got = godot_binary_enter(binary, GODOT_DICTIONARY);
	while (got == 1 && (got = godot_binary_next(binary, &scratch, &key)) == 1)
		if (read_entry(binary, &key, &counts, &seen) != 0)
			got = -1;
	anim_arena_clear(&scratch);
	return got < 0 ? -1 : check_bundle(binary, &counts, seen);
}

/* ---- Nodes ---- */

static int bad_index(struct godot_binary *binary, const char *what, int64_t index, size_t count)
{
	return godot_binary_fail(binary, ANIM_BAD_INPUT, "node %zu names %s %lld of %zu", binary->bundle.node - 1, what,
				 (long long)index, count);
}

/* The text that a node's number stands for; NULL where there is none. */
static const struct godot_string *name_at(struct godot_binary *binary, int32_t index)
{
	struct godot_bundle *bundle = &binary->bundle;

	if (index >= 0 && (size_t)index < bundle->name_count)
		return &bundle->names[index];
	bad_index(binary, "name", index, bundle->name_count);
	return NULL;
}

/* Goes to a variant. 0 or -1. */
static int go_to_variant(struct godot_binary *binary, int64_t index)
{
	const struct anim_buffer *variants = &binary->bundle.variants;
	size_t count = variants->size / sizeof(uint64_t);

	if (index < 0 || (uint64_t)index >= count)
		return bad_index(binary, "value", index, count);
	go_to(binary, ((const uint64_t *)(const void *)variants->data)[index]);
	return 0;
}

static const struct godot_bundle_node *known_node(const struct godot_bundle *bundle, int32_t node)
{
	return (const struct godot_bundle_node *)(const void *)bundle->known.data + node;
}

/* Puts a name in front of the path, which is built from its end; `size` is what it has so far. */
static int prepend(struct godot_binary *binary, const struct godot_string *name, size_t *size)
{
	uint8_t *end = binary->bundle.path.data + binary->bundle.path.size;
	size_t more = name->length + (*size > 0);

	if (*size + more > ANIM_NAME_MAX)
		return godot_binary_fail(binary, ANIM_TOO_LARGE, "a node's path is longer than %u bytes",
					 ANIM_NAME_MAX);
	if (*size > 0)
		*(end - *size - 1) = '/';
	*size += more;
	memcpy(end - *size, name->bytes, name->length);
	return 0;
}

/* The path from the root to a known node: names of its parents, or a path of the file and names below it. */
static int path_of(struct godot_binary *binary, int32_t node, struct godot_string *path)
{
	struct godot_bundle *bundle = &binary->bundle;
	const struct godot_string *name;
	size_t size = 0;

	bundle->path.size = 0;
	if (anim_buffer_extend(&bundle->path, ANIM_NAME_MAX, binary->error) == NULL)
		return -1;
	while (node > 0) {
		int32_t parent = known_node(bundle, node)->parent;

		name = name_at(binary, known_node(bundle, node)->name);
		if (name == NULL || prepend(binary, name, &size) != 0)
			return -1;
		if (parent >= 0 && parent != NOTHING && (parent & IS_PATH)) {
			if (prepend(binary, &bundle->paths[parent & INDEX_MASK], &size) != 0)
				return -1;
			break;
		}
		node = parent == NOTHING ? -1 : parent;
	}
	path->bytes =
	    size == 0 ? "."
		      : anim_arena_text(&binary->tag_arena, (const char *)bundle->path.data + bundle->path.size - size,
					size, binary->error);
	path->length = size == 0 ? 1 : size;
	return path->bytes != NULL ? 0 : -1;
}

/* Attribute `parent`; the root has none, nor has a node whose parent was not saved. */
static int add_parent(struct godot_binary *binary, struct godot_bundle_node *node)
{
	struct godot_bundle *bundle = &binary->bundle;
	size_t index = (size_t)(node->parent & INDEX_MASK), number = bundle->node - 1;
	struct godot_string path;

	if (node->parent < 0 || node->parent == NOTHING)
		return 0;
	if (number == 0)
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "the first node has a parent");
	if (node->parent & IS_PATH) {
		if (index >= bundle->path_count)
			return bad_index(binary, "path", (int64_t)index, bundle->path_count);
		return godot_binary_tag_text(binary, "parent", &bundle->paths[index]);
	}
	if ((size_t)node->parent >= number)
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "node %zu does not stand behind its parent, %d",
					 number, (int)node->parent);
	node->depth = known_node(bundle, node->parent)->depth + 1;
	if (node->depth > DEPTH_MAX)
		return godot_binary_fail(binary, ANIM_TOO_LARGE, "nodes lie deeper than %d", DEPTH_MAX);
	return path_of(binary, node->parent, &path) != 0 ? -1 : godot_binary_tag_text(binary, "parent", &path);
}

/* Attribute `instance`, or the placeholder's path; the root may inherit a scene. */
static int add_instance(struct godot_binary *binary, int32_t instance)
{
	bool placeholder = instance >= 0 && (instance & IS_PATH);
	int64_t variant = instance < 0 ? -1 : instance & INDEX_MASK;
	struct godot_value value;

	if (instance < 0 && binary->bundle.node == 1)
		variant = binary->bundle.base_scene;
	if (variant == -1)
		return 0;
	if (go_to_variant(binary, variant) != 0 || godot_binary_value_read(binary, &binary->tag_arena, &value, 0) != 0)
		return -1;
	return godot_binary_tag_add(binary, placeholder ? "instance_placeholder" : "instance", &value);
}

/* The node's numbers: where its properties and its groups lie. 0 or -1. */
static int span_node(struct godot_binary *binary)
{
	struct godot_bundle *bundle = &binary->bundle;
	size_t left = bundle->node_ints - bundle->at;
	const int32_t *ints = bundle->nodes + bundle->at;
	int32_t properties = left < NODE_HEAD ? -1 : ints[NODE_HEAD - 1], groups = -1;
	size_t used;

	if (properties >= 0 && (left - NODE_HEAD) / 2 >= (size_t)properties) {
		used = NODE_HEAD + 2 * (size_t)properties;
		groups = left > used ? ints[used] : -1;
		if (groups >= 0 && left - used - 1 >= (size_t)groups) {
			bundle->property = bundle->at + NODE_HEAD;
			bundle->last = bundle->at + used;
			bundle->at += used + 1 + (size_t)groups;
			return 0;
		}
	}
	return godot_binary_fail(binary, ANIM_BAD_INPUT,
				 "node %zu has more properties or groups than there are numbers", bundle->node);
}

/* Godot 1 saved roots without a name: they are called by their class. */
static int add_names(struct godot_binary *binary, const int32_t *ints)
{
	static const struct godot_string node = {"Node", 4};
	const struct godot_string *name = name_at(binary, ints[3] & NAME_MASK), *type = &node;

	if (name == NULL)
		return -1;
	if (ints[2] != NOTHING &&
	    ((type = name_at(binary, ints[2])) == NULL || godot_binary_tag_text(binary, "type", type) != 0))
		return -1;
	return godot_binary_tag_text(binary, "name", name->length > 0 ? name : type);
}

static int add_attributes(struct godot_binary *binary, const int32_t *ints)
{
	struct godot_bundle *bundle = &binary->bundle;
	struct godot_bundle_node node = {.parent = ints[0], .name = ints[3] & NAME_MASK};

	if (add_names(binary, ints) != 0)
		return -1;
	if (add_parent(binary, &node) != 0 || add_instance(binary, ints[4]) != 0)
		return -1;
	if (bundle->nodes[bundle->last] > 0 &&
	    godot_binary_tag_add(binary, "groups", &(struct godot_value){.type = GODOT_ARRAY}) != 0)
		return -1;
	return anim_buffer_append(&bundle->known, &node, sizeof node, binary->error);
}

int godot_bundle_node(struct godot_binary *binary, struct godot_tag *tag)
{
	struct godot_bundle *bundle = &binary->bundle;
	const int32_t *ints = bundle->nodes + bundle->at;

	if (bundle->node == bundle->node_count)
		return 0;
	go_to(binary, bundle->offset);
	if (span_node(binary) != 0)
		return -1;
	bundle->node++;
	godot_binary_tag_begin(binary, tag, "node");
	if (add_attributes(binary, ints) != 0)
		return -1;
	godot_binary_tag_end(binary, tag);
	return 1;
}

int godot_bundle_property(struct godot_binary *binary, const char **name)
{
	struct godot_bundle *bundle = &binary->bundle;
	const int32_t *ints = bundle->nodes + bundle->property;
	const struct godot_string *text;

	if (bundle->node == 0 || bundle->property == bundle->last)
		return 0;
	bundle->property += 2;
	text = name_at(binary, ints[0] & ~IS_PATH);
	if (text == NULL || go_to_variant(binary, ints[1]) != 0)
		return -1;
	*name = text->bytes;
	binary->pending = true;
	return 1;
}
