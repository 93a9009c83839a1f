/* binary.c: a binary Godot file as a source of tags and properties: header, tables, resources one by one, nodes. */
#include <stdlib.h>

#include "base/text.h"
#include "format/godot/binary.h"
#include "format/godot/binary_internal.h"
#include "format/godot/godot.h"

bool anim_godot_is_binary(const uint8_t *bytes, size_t size)
{
	return size >= 4 && (memcmp(bytes, "RSRC", 4) == 0 || memcmp(bytes, "RSCC", 4) == 0);
}

static void note(struct godot_binary *binary, struct godot_oddity *oddity)
{
	struct anim_place place;

	godot_binary_place(binary, &place);
	godot_note(oddity, &place);
}

/* ---- The header and its tables ---- */

#define NEWEST_FORMAT 6u /* since Godot 4.3 */
#define RESERVED_BYTES 44

static int read_u64(struct godot_binary *binary, uint64_t *value)
{
	const uint8_t *at = godot_binary_bytes(binary, 8);

	if (at != NULL)
		*value = godot_read_u64(at, binary->big);
	return at != NULL ? 0 : -1;
}

/*
 * Print a uid: 63 bits in base 34, with the digits a to y and 0 to 8. The text is empty for the number that means no
 * uid.
 */
static int print_uid(struct godot_binary *binary, uint64_t uid, struct godot_string *text)
{
	static const char digits[] = "abcdefghijklmnopqrstuvwxy012345678";
	char reversed[16], out[32] = "uid://";
	size_t count = 0, at = 6;

	*text = (struct godot_string){"", 0};
	if (uid > INT64_MAX)
		return 0;
	do
		reversed[count++] = digits[uid % 34];
	while ((uid /= 34) > 0);
	while (count > 0)
		out[at++] = reversed[--count];
	text->bytes = anim_arena_text(&binary->tables, out, at, binary->error);
	text->length = at;
	return text->bytes != NULL ? 0 : -1;
}

/* Read the header and the table of names. Formats 0 to 3 have unused bytes in place of the flags of later formats. */
static int read_head(struct godot_binary *binary)
{
	struct godot_string string;
	uint32_t big, skipped, format, count;
	uint64_t unused;

	if (godot_binary_u32(binary, &big) != 0 || godot_binary_u32(binary, &skipped) != 0)
		return -1;
	binary->big = big != 0;
	if (binary->big)
		note(binary, &binary->lexer->oddities.big_endian);
	if (godot_binary_pass(binary, 8) != 0 || godot_binary_u32(binary, &format) != 0)
		return -1;
	if (format > NEWEST_FORMAT)
		return godot_binary_fail(binary, ANIM_UNSUPPORTED,
					 "format %u is newer than the newest supported format, %u", (unsigned)format,
					 NEWEST_FORMAT);
	binary->format = format;
	if (godot_binary_string(binary, &binary->tables, &binary->class) != 0 ||
	    read_u64(binary, &binary->metadata) != 0 || godot_binary_u32(binary, &binary->flags) != 0 ||
	    read_u64(binary, &unused) != 0)
		return -1;
	if (binary->format > 1)
		binary->metadata = 0;
	if (binary->format < 4)
		binary->flags = 0;
	binary->wide = (binary->flags & GODOT_DOUBLES) != 0;
	if (binary->format >= 5 && (binary->flags & GODOT_SCRIPT_CLASS) &&
	    godot_binary_string(binary, &binary->tables, &string) != 0)
		return -1;
	if (godot_binary_pass(binary, RESERVED_BYTES) != 0 || godot_binary_count(binary, 4, "names", &count) != 0)
		return -1;
	for (; count > 0; count--)
		if (godot_binary_string(binary, &binary->tables, &string) != 0 ||
		    anim_buffer_append(&binary->strings, &string, sizeof string, binary->error) != 0)
			return -1;
	return 0;
}

static int read_externals(struct godot_binary *binary)
{
	bool uids = (binary->flags & GODOT_UIDS) != 0;
	struct godot_binary_external external = {.uid = {"", 0}};
	uint32_t count;
	uint64_t uid;

	if (godot_binary_count(binary, uids ? 16 : 8, "external resources", &count) != 0)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		external.id.bytes = anim_arena_printf(&binary->tables, binary->error, "%u", (unsigned)i + 1);
		if (external.id.bytes == NULL || godot_binary_string(binary, &binary->tables, &external.class) != 0 ||
		    godot_binary_string(binary, &binary->tables, &external.path) != 0)
			return -1;
		external.id.length = strlen(external.id.bytes);
		if (uids && (read_u64(binary, &uid) != 0 || print_uid(binary, uid, &external.uid) != 0))
			return -1;
		if (anim_buffer_append(&binary->externals, &external, sizeof external, binary->error) != 0)
			return -1;
	}
	return 0;
}

/*
 * Set the id of a resource: the text after local://. If two resources have the same id, the first keeps it. Returns 0
 * or -1.
 */
static int name_resource(struct godot_binary *binary, size_t number, const struct godot_string *path,
			 struct godot_string *id)
{
	const char *local = anim_text_after(path->bytes, "local://");
	uint32_t before;

	*id = *path;
	if (local != NULL)
		*id = (struct godot_string){local, strlen(local)};
	if (local != NULL && !anim_map_get(&binary->ids, 0, id->bytes, id->length, &before) &&
	    anim_map_put(&binary->ids, 0, id->bytes, id->length, (uint32_t)number, binary->error) != 0)
		return -1;
	if (id->length == 0 || anim_map_get(&binary->ids, 1, id->bytes, id->length, &before)) {
		id->bytes = anim_arena_printf(&binary->tables, binary->error, "%s@%zu", id->bytes, number);
		if (id->bytes == NULL)
			return -1;
		id->length = strlen(id->bytes);
	}
	return anim_map_put(&binary->ids, 1, id->bytes, id->length, (uint32_t)number, binary->error);
}

static int read_resources(struct godot_binary *binary)
{
	struct godot_binary_resource resource;
	uint64_t least = 0;
	struct godot_string path;
	uint32_t count;

	if (godot_binary_count(binary, 12, "resources", &count) != 0)
		return -1;
	if (count == 0)
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "the file has no resource");
	for (uint32_t i = 0; i < count; i++) {
		if (godot_binary_string(binary, &binary->tables, &path) != 0 ||
		    read_u64(binary, &resource.offset) != 0 || name_resource(binary, i, &path, &resource.id) != 0)
			return -1;
		if (resource.offset < least)
			return godot_binary_fail(binary, ANIM_BAD_INPUT,
						 "resource %u does not follow the previous resource", (unsigned)i);
		if (resource.offset > INT64_MAX)
			return godot_binary_fail(binary, ANIM_BAD_INPUT, "resource %u is outside the file",
						 (unsigned)i);
		least = resource.offset + 8; /* the minimum size of a resource: a class and a count */
		if (anim_buffer_append(&binary->resources, &resource, sizeof resource, binary->error) != 0)
			return -1;
	}
	return 0;
}

/* ---- Tags ---- */

/* The next functions begin a tag, add attributes to it, and complete it. The texts of attributes must stay valid. */
static void tag_begin(struct godot_binary *binary, struct godot_tag *tag, const char *name)
{
	*tag = (struct godot_tag){0};
	memcpy(tag->name, name, strlen(name));
	godot_binary_place(binary, &tag->place);
	binary->attributes.size = 0;
	anim_arena_reset(&binary->tag_arena);
}

static int tag_add(struct godot_binary *binary, const char *key, const struct godot_value *value)
{
	struct godot_attribute attribute = {key, *value};

	return anim_buffer_append(&binary->attributes, &attribute, sizeof attribute, binary->error);
}

static int tag_text(struct godot_binary *binary, const char *key, const struct godot_string *text)
{
	return tag_add(binary, key, &(struct godot_value){.type = GODOT_STRING, .text = *text});
}

static void tag_end(struct godot_binary *binary, struct godot_tag *tag)
{
	tag->attributes = (const struct godot_attribute *)(const void *)binary->attributes.data;
	tag->count = binary->attributes.size / sizeof(struct godot_attribute);
}

static bool is_scene(const struct godot_binary *binary)
{
	return godot_string_is(&binary->class, "PackedScene");
}

static int head_tag(struct godot_binary *binary, struct godot_tag *tag)
{
	/* the format of a text file of the same engine */
	static const int text_formats[NEWEST_FORMAT + 1] = {1, 1, 2, 2, 3, 3, 4};
	struct godot_value format = {.type = GODOT_INT};

	binary->broken = godot_frame_open(&binary->frame, binary->frame.input, binary->error) != 0 ||
			 read_head(binary) != 0 || read_externals(binary) != 0 || read_resources(binary) != 0;
	if (binary->broken)
		return -1;
	format.integer = text_formats[binary->format];
	tag_begin(binary, tag, is_scene(binary) ? "gd_scene" : "gd_resource");
	if (tag_text(binary, "type", &binary->class) != 0 || tag_add(binary, "format", &format) != 0)
		return -1;
	tag_end(binary, tag);
	binary->stage = GODOT_STAGE_EXTERNALS;
	return 1;
}

static int external_tag(struct godot_binary *binary, struct godot_tag *tag)
{
	size_t count;
	const struct godot_binary_external *external = godot_binary_externals(binary, &count) + binary->next;

	if (binary->next == count) {
		binary->stage = GODOT_STAGE_RESOURCES;
		binary->next = 0;
		return 0;
	}
	binary->next++;
	tag_begin(binary, tag, "ext_resource");
	if (tag_text(binary, "type", &external->class) != 0 || tag_text(binary, "path", &external->path) != 0 ||
	    tag_text(binary, "uid", &external->uid) != 0 || tag_text(binary, "id", &external->id) != 0)
		return -1;
	tag_end(binary, tag);
	return 1;
}

/* ---- The nodes of a scene: one value, converted to tags and properties as in a text file ---- */

/* in a parent: it is a path in node_paths; in the name of a property: its value refers to a node */
#define IS_PATH (1 << 30)
#define NOTHING 0x7fffffff
#define INDEX_MASK 0xffffff
#define NAME_MASK 0x3ffff
#define NODE_HEAD 6 /* parent, owner, type, name, instance, number of properties */
#define NODE_INTS 7 /* minimum for a node, without properties and groups */
#define CONNECTION_INTS 6
#define DEPTH_MAX 1000

/* Move to an offset of the file that is inside the bundle. */
static void go_to(struct godot_binary *binary, uint64_t offset)
{
	binary->memory.at = binary->memory.window + (size_t)(offset - binary->bundle.offset);
}

/* Read an array of texts: names or paths. Returns 0 or -1. */
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

/* Read an array of any type as ints. Returns NULL on failure. */
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

/* Find the start of each variant. A variant is read when a node uses it. */
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

#define NEEDED 6 /* the first of the names in the bundle are required */

/* Read the bundle, whose bytes are in memory. Returns 0 or -1. */
static int read_bundle(struct godot_binary *binary)
{
	static const char *const names[] = {"names",      "variants", "node_count", "nodes",
					    "conn_count", "conns",    "node_paths", "base_scene"};
	struct godot_bundle *bundle = &binary->bundle;
	int64_t nodes = 0, connections = 0; /* counts that have not been checked yet */
	size_t connection_ints = 0;
	struct anim_arena scratch = {0};
	struct godot_value key;
	unsigned seen = 0; /* a bit for each name */
	int got;

	binary->memory = (struct godot_frame){.error = binary->error,
					      .window = bundle->bytes.data,
					      .at = bundle->bytes.data,
					      .end = bundle->bytes.data + bundle->bytes.size,
					      .offset = bundle->offset};
	binary->in = &binary->memory;
	bundle->base_scene = -1;
	got = godot_binary_enter(binary, GODOT_DICTIONARY);
	while (got == 1 && (got = godot_binary_next(binary, &scratch, &key)) == 1) {
		unsigned which = 0;
		int result = 0;

		while (which < 8 && (!godot_value_is_name(&key) || !godot_string_is(&key.text, names[which])))
			which++;
		seen |= 1u << which;
		switch (which) {
		case 0:
			result = read_texts(binary, &bundle->names, &bundle->name_count);
			break;
		case 1:
			result = find_variants(binary);
			break;
		case 2:
			result = read_int(binary, &nodes);
			break;
		case 3:
			bundle->nodes = read_ints(binary, &bundle->node_ints);
			result = bundle->nodes != NULL ? 0 : -1;
			break;
		case 4:
			result = read_int(binary, &connections);
			break;
		case 5:
			result = read_ints(binary, &connection_ints) != NULL ? 0 : -1;
			break;
		case 6:
			result = read_texts(binary, &bundle->paths, &bundle->path_count);
			break;
		case 7:
			result = read_int(binary, &bundle->base_scene);
			break;
		default:
			break;
		}
		if (result != 0)
			got = -1;
	}
	anim_arena_clear(&scratch);
	if (got < 0)
		return -1;
	for (unsigned i = 0; i < NEEDED; i++)
		if ((seen >> i & 1) == 0)
			return godot_binary_fail(binary, ANIM_BAD_INPUT, "the scene has no '%s'", names[i]);
	if (nodes < 0 || (uint64_t)nodes > bundle->node_ints / NODE_INTS)
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "%lld nodes do not fit into %zu numbers",
					 (long long)nodes, bundle->node_ints);
	if (connections < 0 || (uint64_t)connections > connection_ints / CONNECTION_INTS)
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "%lld connections do not fit into %zu numbers",
					 (long long)connections, connection_ints);
	bundle->node_count = (size_t)nodes;
	bundle->connections = (size_t)connections;
	return 0;
}

/* ---- The nodes of a scene, one by one ---- */

static int bad_index(struct godot_binary *binary, const char *what, int64_t index, size_t count)
{
	return godot_binary_fail(binary, ANIM_BAD_INPUT, "node %zu refers to %s %lld, but there are %zu",
				 binary->bundle.node - 1, what, (long long)index, count);
}

/* Return the text of a name number in a node, or NULL with an error if it does not exist. */
static const struct godot_string *name_at(struct godot_binary *binary, int32_t index)
{
	struct godot_bundle *bundle = &binary->bundle;

	if (index >= 0 && (size_t)index < bundle->name_count)
		return &bundle->names[index];
	bad_index(binary, "name", index, bundle->name_count);
	return NULL;
}

/* Move to a variant. Returns 0 or -1. */
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

/* Put a name in front of the path, which is built from its end. `size` is the current length of the path. */
static int prepend(struct godot_binary *binary, const struct godot_string *name, size_t *size)
{
	uint8_t *end = binary->bundle.path.data + binary->bundle.path.size;
	size_t more = name->length + (*size > 0);

	if (*size + more > ANIM_NAME_MAX)
		return godot_binary_fail(binary, ANIM_TOO_LARGE, "the path of a node is longer than %u bytes",
					 ANIM_NAME_MAX);
	if (*size > 0)
		*(end - *size - 1) = '/';
	*size += more;
	memcpy(end - *size, name->bytes, name->length);
	return 0;
}

/*
 * Return the path from the root to a known node. It consists of the names of its parents, or of a path in the file and
 * the names below it.
 */
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

/* Add the attribute `parent`. The root has none, and neither has a node whose parent was not saved. */
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
		return tag_text(binary, "parent", &bundle->paths[index]);
	}
	if ((size_t)node->parent >= number)
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "node %zu does not follow its parent, %d", number,
					 (int)node->parent);
	node->depth = known_node(bundle, node->parent)->depth + 1;
	if (node->depth > DEPTH_MAX)
		return godot_binary_fail(binary, ANIM_TOO_LARGE, "nodes are nested deeper than %d", DEPTH_MAX);
	return path_of(binary, node->parent, &path) != 0 ? -1 : tag_text(binary, "parent", &path);
}

/* Add the attribute `instance`, or the path of a placeholder. The root may inherit a scene. */
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
	return tag_add(binary, placeholder ? "instance_placeholder" : "instance", &value);
}

/* Find the numbers of the properties and groups of a node. Returns 0 or -1. */
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

/* Read the next node of the bundle as a tag. Returns 1, 0 if connections follow, or -1. */
static int node_tag(struct godot_binary *binary, struct godot_tag *tag)
{
	static const struct godot_string no_type = {"Node", 4};
	struct godot_bundle *bundle = &binary->bundle;
	const int32_t *ints = bundle->nodes + bundle->at;
	const struct godot_string *name, *type = &no_type;
	struct godot_bundle_node node;

	if (godot_binary_leave_value(binary) != 0)
		return -1;
	if (bundle->node == bundle->node_count) {
		binary->stage = GODOT_STAGE_CONNECTIONS;
		binary->next = 0;
		return 0;
	}
	go_to(binary, bundle->offset);
	if (span_node(binary) != 0)
		return -1;
	bundle->node++;
	node = (struct godot_bundle_node){.parent = ints[0], .name = ints[3] & NAME_MASK};
	tag_begin(binary, tag, "node");
	name = name_at(binary, node.name);
	if (name == NULL)
		return -1;
	if (ints[2] != NOTHING && ((type = name_at(binary, ints[2])) == NULL || tag_text(binary, "type", type) != 0))
		return -1;
	/* Godot 1 saved roots without a name. They get the name of their class. */
	if (tag_text(binary, "name", name->length > 0 ? name : type) != 0 || add_parent(binary, &node) != 0 ||
	    add_instance(binary, ints[4]) != 0)
		return -1;
	if (bundle->nodes[bundle->last] > 0 &&
	    tag_add(binary, "groups", &(struct godot_value){.type = GODOT_ARRAY}) != 0)
		return -1;
	if (anim_buffer_append(&bundle->known, &node, sizeof node, binary->error) != 0)
		return -1;
	tag_end(binary, tag);
	return 1;
}

/* Read the next property of the node. Returns 1, 0 after the last, or -1. */
static int next_property(struct godot_binary *binary, const char **name)
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

/* ---- The end of the file ---- */

/* Skip the import metadata: editor, sources, options. */
static int pass_metadata(struct godot_binary *binary)
{
	struct anim_arena arena = {0};
	struct godot_string text;
	uint32_t count = 0;
	int result;

	if (binary->metadata != godot_frame_position(binary->in))
		return 0;
	result = godot_binary_string(binary, &arena, &text);
	if (result == 0)
		result = godot_binary_count(binary, 8, "sources", &count);
	for (count *= 2; count > 0 && result == 0; count--, anim_arena_reset(&arena))
		result = godot_binary_string(binary, &arena, &text);
	if (result == 0)
		result = godot_binary_count(binary, 8, "options", &count);
	for (; count > 0 && result == 0; count--, anim_arena_reset(&arena)) {
		result = godot_binary_string(binary, &arena, &text);
		if (result == 0)
			result = godot_binary_value_skip(binary, 0);
	}
	anim_arena_clear(&arena);
	return result;
}

/* Read the end of the file after the last resource. The engine accepts a file without end marks. */
static int finish(struct godot_binary *binary)
{
	struct godot_oddities *odd = &binary->lexer->oddities;
	struct godot_frame_end end;
	ssize_t got;
	bool marked;

	if (pass_metadata(binary) != 0)
		return -1;
	got = godot_frame_more(binary->in, 4);
	if (got < 0)
		return -1;
	marked = got >= 4 && memcmp(binary->in->at, "RSRC", 4) == 0;
	if (marked)
		binary->in->at += 4;
	if (godot_frame_finish(binary->in, &end) != 0)
		return -1;
	if (!marked || !end.marked)
		note(binary, &odd->no_end);
	else if (end.more)
		note(binary, &odd->after_end);
	return 0;
}

/* ---- Resources, and their properties ---- */

/* Read the name of the next property into its arena. Returns 1, 0 after the last, or -1. */
static int next_name(struct godot_binary *binary, struct godot_string *name)
{
	if (binary->properties == 0)
		return 0;
	anim_arena_reset(&binary->name);
	if (godot_binary_name(binary, &binary->name, name) != 0)
		return -1;
	if (name->length == 0)
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "a property has no name");
	if (name->length > ANIM_NAME_MAX)
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "the name of a property is longer than %u bytes",
					 ANIM_NAME_MAX);
	binary->properties--;
	binary->pending = true;
	return 1;
}

int godot_binary_property(struct godot_binary *binary, const char **name, struct anim_place *place)
{
	struct godot_string text = {"", 0};
	int got;

	if (godot_binary_leave_value(binary) != 0)
		return -1;
	if (place != NULL)
		godot_binary_place(binary, place);
	if (binary->stage == GODOT_STAGE_NODES)
		return next_property(binary, name);
	got = binary->inside ? next_name(binary, &text) : 0;
	*name = text.bytes;
	return got;
}

/* Move to the next resource. Its offset allows skipping the rest of the previous one. Returns 0 or -1. */
static int begin_resource(struct godot_binary *binary, uint64_t offset, struct godot_string *class)
{
	uint64_t position = godot_frame_position(binary->in);
	bool whole = binary->next == 1 || (binary->inside && binary->properties == 0 && !binary->pending);

	binary->pending = binary->inside = false;
	binary->depth = 0;
	if (position > offset)
		return godot_binary_fail(binary, ANIM_BAD_INPUT, "resource %zu does not follow the previous resource",
					 binary->next - 1);
	if (position < offset && whole)
		note(binary, &binary->lexer->oddities.gap);
	if (godot_binary_pass(binary, offset - position) != 0 ||
	    godot_binary_string(binary, &binary->tag_arena, class) != 0 ||
	    godot_binary_count(binary, 8, "properties", &binary->properties) != 0)
		return -1;
	binary->inside = true;
	return 0;
}

/* Read the properties of the scene, and copy the one with all nodes. Returns 1, 0 if it is missing, or -1. */
static int copy_bundle(struct godot_binary *binary)
{
	struct godot_string name;
	int got, result = 0;

	while ((got = next_name(binary, &name)) == 1) {
		bool is_bundle = godot_string_is(&name, "_bundled");

		if (is_bundle) {
			binary->bundle.bytes.size = 0;
			binary->bundle.offset = godot_frame_position(binary->in);
			binary->copy = &binary->bundle.bytes;
			result = 1;
		}
		got = godot_binary_skip(binary);
		binary->copy = NULL;
		if (got != 0)
			return -1;
	}
	return got < 0 ? -1 : result;
}

static int resource_tag(struct godot_binary *binary, struct godot_tag *tag)
{
	size_t count;
	const struct godot_binary_resource *resource = godot_binary_resources(binary, &count) + binary->next;
	struct godot_string class;
	bool is_last = binary->next + 1 == count;
	const char *name;
	int got;

	if (binary->next == count) {
		binary->stage = GODOT_STAGE_END;
		if (!binary->inside)
			return 0;
		/* Skip the rest of the last resource and of the file. */
		while ((got = godot_binary_property(binary, &name, NULL)) == 1)
			continue;
		binary->inside = false;
		return got < 0 ? -1 : finish(binary);
	}
	binary->next++;
	tag_begin(binary, tag, is_last ? "resource" : "sub_resource");
	if (begin_resource(binary, resource->offset, &class) != 0)
		return -1;
	tag->place.offset = resource->offset;
	if (is_last && is_scene(binary)) {
		got = copy_bundle(binary);

		/* The nodes are read from memory, after the end of the file. */
		binary->inside = false;
		if (got < 0 || finish(binary) != 0)
			return -1;
		if (got == 0)
			return godot_binary_fail(binary, ANIM_BAD_INPUT, "the scene has no '_bundled'");
		binary->stage = GODOT_STAGE_NODES;
		return read_bundle(binary);
	}
	if (!is_last && (tag_text(binary, "type", &class) != 0 || tag_text(binary, "id", &resource->id) != 0))
		return -1;
	tag_end(binary, tag);
	return 1;
}

/* Return a tag for each connection, without its content. */
static int connection_tag(struct godot_binary *binary, struct godot_tag *tag)
{
	if (binary->next == binary->bundle.connections) {
		binary->stage = GODOT_STAGE_END;
		return 0;
	}
	binary->next++;
	tag_begin(binary, tag, "connection");
	tag_end(binary, tag);
	return 1;
}

int godot_binary_tag(struct godot_binary *binary, struct godot_tag *tag)
{
	int (*const tags[])(struct godot_binary *, struct godot_tag *) = {head_tag, external_tag, resource_tag,
									  node_tag, connection_tag};
	int got = 0;

	while (got == 0 && binary->stage != GODOT_STAGE_END)
		got = tags[binary->stage](binary, tag);
	return got;
}

/* ---- Errors, opening and closing ---- */

bool godot_binary_can_continue(const struct godot_binary *binary)
{
	return !binary->broken && !binary->frame.failed;
}

int godot_binary_recover(struct godot_binary *binary)
{
	size_t count;

	godot_binary_resources(binary, &count);
	binary->pending = binary->inside = false;
	binary->depth = 0;
	binary->properties = 0;
	binary->values.size = 0;
	binary->copy = NULL;
	if (binary->ended || binary->stage > GODOT_STAGE_RESOURCES ||
	    (binary->stage == GODOT_STAGE_RESOURCES && binary->next == count))
		binary->stage = GODOT_STAGE_END;
	return binary->stage != GODOT_STAGE_END;
}

int godot_binary_new(struct godot_binary **binary, struct anim_input *input, struct godot_lexer *lexer,
		     struct anim_error *error)
{
	*binary = anim_zeroed(sizeof **binary, error);
	if (*binary == NULL)
		return -1;
	(*binary)->frame = (struct godot_frame){.input = input, .error = error};
	(*binary)->in = &(*binary)->frame;
	(*binary)->error = error;
	(*binary)->lexer = lexer;
	if (anim_buffer_reserve(&(*binary)->text, 1, error) == 0 &&
	    anim_buffer_reserve(&(*binary)->externals, 1, error) == 0) /* the pointers must not be NULL */
		return 0;
	godot_binary_free(*binary);
	*binary = NULL;
	return -1;
}

void godot_binary_free(struct godot_binary *binary)
{
	if (binary == NULL)
		return;
	godot_frame_clear(&binary->frame);
	anim_buffer_clear(&binary->bundle.bytes);
	anim_arena_clear(&binary->bundle.arena);
	anim_buffer_clear(&binary->bundle.variants);
	anim_buffer_clear(&binary->bundle.known);
	anim_buffer_clear(&binary->bundle.path);
	anim_arena_clear(&binary->tables);
	anim_arena_clear(&binary->tag_arena);
	anim_arena_clear(&binary->name);
	anim_map_clear(&binary->ids);
	anim_buffer_clear(&binary->strings);
	anim_buffer_clear(&binary->externals);
	anim_buffer_clear(&binary->resources);
	anim_buffer_clear(&binary->text);
	anim_buffer_clear(&binary->attributes);
	anim_buffer_clear(&binary->values);
	free(binary);
}
