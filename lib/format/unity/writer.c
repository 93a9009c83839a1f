/* writer.c: the sinks that write one clip as an .anim, and that put clips into an existing .anim. */
#include "format/unity/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/input.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/system.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "format/unity/clip.h"
#include "format/unity/event.h"
#include "format/unity/names.h"
#include "format/unity/unity.h"

/* The result of finding a path, for messages. */
enum placing {
	PLACED,
	LOOSE_BONE, /* no tree has the bone's parents, so it became a child of its skeleton */
	LOOSE_NAME, /* a name without a path, or an unknown "%Name": it became a child of the root */
	OUTSIDE     /* above or beside the animation's root, so that it has no path */
};

/* ---- Messages ---- */

#define warn(writer, noun, ...) anim_diagnostics_warn((writer)->options.diagnostics, noun, (writer)->error, __VA_ARGS__)
#define note(writer, noun, ...) anim_diagnostics_note((writer)->options.diagnostics, noun, (writer)->error, __VA_ARGS__)

static int warn_of_track(struct unity_writer *writer, const char *what, const char *label)
{
	return warn(writer, "track", "'%s': %s", label, what);
}

/* Warn that Unity has no curve for the track. Returns 0 or -1. */
static int report_unbound(struct unity_writer *writer, const struct anim_track *t, const char *label)
{
	if (t->type == ANIM_STRING && t->property[0] == '@')
		return warn_of_track(writer, "left out: calls or events of another engine", label);
	if (anim_text_is_word("frame frame_coords region_rect hframes vframes texture", t->property))
		return warn_of_track(writer, "left out, because Unity's clips choose images by references to assets",
				     label);
	if (t->type == ANIM_STRING)
		return warn_of_track(writer, "left out, because Unity cannot animate text", label);
	return warn_of_track(writer, "left out, because Unity does not have such a property", label);
}

/* ---- The path of a curve in Unity's hierarchy for a node of the stream ---- */

struct target_node {
	const char *path;
	const char *bone; /* name of a skeleton's bone, after the ':' of the path; NULL: not a bone */
	uint32_t parent;
	uint8_t kind;
};

/* Scopes of the map. A last name that several nodes share has the number SEVERAL. */
enum { BY_PATH, BY_NAME };
#define SEVERAL 0xFFFFFFFFu

static const struct target_node *node_at(const struct unity_target *target, uint32_t number)
{
	return &((const struct target_node *)(const void *)target->nodes.data)[number];
}

static const char *own_name(const struct target_node *node)
{
	return node->bone == NULL ? anim_path_last(node->path) : node->bone;
}

/*
 * Call anim_tree_path, but distinguish an error from a path that leaves the tree, for which *path is NULL. Returns 0 or
 * -1.
 */
static int tree_path(const char *root, const char *node, const char **path, struct anim_arena *arena,
		     struct anim_error *error)
{
	struct anim_error memory = {0};

	*path = anim_tree_path(root, node, arena, &memory);
	return *path == NULL && memory.code != ANIM_OK ? anim_fail_memory(error) : 0;
}

/*
 * Return the node with its last "%Name" replaced by the path of the one node with that name. If that node does not
 * exist, *known is false and only the '%' is removed. NULL if out of memory.
 */
static const char *without_unique(const struct unity_target *target, const char *node, bool *known,
				  struct anim_arena *arena, struct anim_error *error)
{
	const char *name = NULL, *slash = node;
	uint32_t number = SEVERAL;
	size_t length;

	for (; slash != NULL; slash = strchr(slash, '/')) {
		slash += *slash == '/';
		if (slash[0] == '%' && slash[1] != '\0' && slash[1] != '/')
			name = slash + 1;
	}
	*known = true;
	if (name == NULL)
		return node;
	length = strcspn(name, "/");
	*known = target->in_tree && anim_map_get(&target->names, BY_NAME, name, length, &number) && number != SEVERAL;
	if (!*known)
		return name;
	return anim_arena_printf(arena, error, "/%s%s", node_at(target, number)->path, name + length);
}

/* Return the path relative to the root, or NULL if it is not below the root. */
static const char *below(const char *root, const char *path)
{
	size_t length = strlen(root);

	if (strcmp(path, ".") == 0)
		path = "";
	if (strcmp(root, ".") == 0)
		return path;
	if (strncmp(path, root, length) != 0)
		return NULL;
	if (path[length] == '\0')
		return "";
	return path[length] == '/' ? path + length + 1 : NULL;
}

/*
 * Return "Spine/Chest/" for a bone's parents, without the path of the skeleton. NULL if out of memory or longer than a
 * name may be.
 */
static char *parents_of(const struct unity_target *target, uint32_t bone, struct anim_arena *arena,
			struct anim_error *error)
{
	size_t length = 0;
	char *text, *at;

	for (uint32_t i = node_at(target, bone)->parent;
	     i != ANIM_NO_PARENT && node_at(target, i)->kind == ANIM_NODE_BONE; i = node_at(target, i)->parent) {
		length += strlen(own_name(node_at(target, i))) + 1;
		if (length > ANIM_NAME_MAX) {
			anim_fail(error, ANIM_TOO_LARGE, "the path of bone '%.200s' is too long",
				  node_at(target, bone)->path);
			return NULL;
		}
	}
	text = anim_arena_alloc(arena, length + 1, error);
	if (text == NULL)
		return NULL;
	at = text + length;
	*at = '\0';
	for (uint32_t i = node_at(target, bone)->parent; at > text; i = node_at(target, i)->parent) {
		const char *name = own_name(node_at(target, i));

		*--at = '/';
		at -= strlen(name);
		memcpy(at, name, strlen(name));
	}
	return text;
}

/* Return true if the bone has the name of the node, except for ':', which bones cannot have in their names. */
static bool is_called(const char *bone, const char *name)
{
	while (*bone != '\0' && (*bone == *name || (*bone == '_' && *name == ':'))) {
		bone++;
		name++;
	}
	return *bone == *name;
}

/*
 * Find the path of the track's curves ("" for the root), in the arena of the track, and the result for messages. The path
 * is NULL if the node is outside. Returns 0 or -1.
 */
static int find_path(struct unity_writer *writer, const struct anim_track *track, const char **path,
		     enum placing *place)
{
	const struct unity_target *target = &writer->target;
	struct anim_arena *arena = &writer->scratch;
	const char *kept = anim_attrs_get(&track->attrs, UNITY_ATTR_PATH),
		   *bone = anim_track_bone(target->source, track);
	const char *part = track->node, *full = NULL, *seen, *key, *parents = "";
	bool known = true;
	uint32_t number;

	/* A bone that was a Unity node has the path of the node, with the bone's present name. */
	*place = PLACED;
	if (kept != NULL && bone != NULL && strcmp(kept, ".") != 0 && writer->is_unity) {
		const char *last = anim_path_last(kept);

		*path = is_called(bone, last)
			    ? kept
			    : anim_arena_printf(arena, writer->error, "%.*s%s", (int)(last - kept), kept, bone);
		return *path == NULL ? -1 : 0;
	}
	if (target->kind == UNITY_NODES_PATHS || target->kind == UNITY_NODES_BARE) {
		*path = strcmp(part, ".") == 0 ? "" : part;
		if (target->kind == UNITY_NODES_BARE && **path != '\0')
			*place = LOOSE_NAME;
		return 0;
	}

	/* Find the part before the bone in the tree. A part that begins with '/' is already a path in the tree. */
	if (bone != NULL)
		part = anim_arena_text(arena, part, (size_t)(bone - 1 - part), writer->error);
	if (part != NULL && target->kind == UNITY_NODES_GODOT)
		part = without_unique(target, part, &known, arena, writer->error);
	if (part == NULL || (target->root != NULL &&
			     tree_path(part[0] == '/' ? "." : target->root, part, &full, arena, writer->error) != 0))
		return -1;
	*path = seen = full == NULL ? NULL : below(target->root, full);
	*place = seen == NULL ? OUTSIDE : known ? PLACED : LOOSE_NAME;
	if (seen == NULL || bone == NULL || bone[0] == '\0')
		return 0;

	/* Append the bone and its parents to the path of its skeleton. */
	key = anim_arena_printf(arena, writer->error, "%s:%s", full, bone);
	if (key == NULL)
		return -1;
	if (target->in_tree && anim_map_get(&target->names, BY_PATH, key, strlen(key), &number))
		parents = parents_of(target, number, arena, writer->error);
	else
		*place = LOOSE_BONE;
	*path = parents == NULL ? NULL
				: anim_arena_printf(arena, writer->error, "%s%s%s%s", seen, seen[0] == '\0' ? "" : "/",
						    parents, bone);
	return *path == NULL ? -1 : 0;
}

/* ---- m_ClipBindingConstant, the table of curves that a player searches first ---- */

#define CUSTOM_BLEND_SHAPE 20 /* the attribute is the CRC of the shape's own name */

static uint32_t crc_of(const char *text)
{
	return (uint32_t)crc32(0, (const unsigned char *)text, (unsigned)strlen(text));
}

/* Make the row of a curve. Returns false if no known file shows the row of such a curve. */
static bool row_of(const struct anim_track *t, const struct unity_binding *binding, struct unity_generic_binding *row)
{
	static const uint32_t numbers[] = {[UNITY_POSITION_CURVES] = 1,
					   [UNITY_ROTATION_CURVES] = 2,
					   [UNITY_SCALE_CURVES] = 3,
					   [UNITY_EULER_CURVES] = 4};
	const char *shape = NULL;

	if (binding->list != UNITY_FLOAT_CURVES && binding->list != UNITY_PPTR_CURVES) {
		row->class_id = UNITY_TRANSFORM;
		row->attribute = numbers[binding->list];
		row->custom = binding->list == UNITY_EULER_CURVES ? unity_order_of(t) : 0;
		return true;
	}
	if (binding->class_id == UNITY_SKINNED_MESH_RENDERER)
		shape = anim_text_behind(binding->attribute, UNITY_BLEND_SHAPE);
	row->class_id = (int32_t)binding->class_id;
	row->attribute = crc_of(shape != NULL ? shape : binding->attribute);
	row->custom = shape != NULL ? CUSTOM_BLEND_SHAPE : 0;
	return shape != NULL ||
	       (binding->class_id == UNITY_GAME_OBJECT && strcmp(binding->attribute, UNITY_ACTIVE) == 0);
}

/* ---- References to other assets, the values of PPtr curves ---- */

#define INTEGER_MAX 20u
#define GUID_MAX 64u /* Unity's have 32 digits, but other lengths are kept unchanged */

/* Return the text after `word`, which may follow blanks, or NULL if `word` is not there. */
static const char *after_word(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);

	while (at < end && *at == ' ')
		at++;
	return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 ? at + length : NULL;
}

/* The text after a member's name, not NUL-terminated. */
struct member_text {
	const char *at;
	int length;
};

/*
 * Read up to `most` characters of `set` after "NAME:" at `at`. Returns their end. Returns NULL if it finds none or
 * more, or if `at` is NULL.
 */
static const char *read_member(const char *at, const char *end, const char *name, const char *set, size_t most,
			       struct member_text *text)
{
	const char *from = at == NULL ? NULL : after_word(at, end, name);
	size_t count = 0;

	if (from == NULL)
		return NULL;
	while (from < end && *from == ' ')
		from++;
	while (from + count < end && from[count] != '\0' && strchr(set, from[count]) != NULL)
		count++;
	if (count == 0 || count > most)
		return NULL;
	*text = (struct member_text){from, (int)count};
	return from + count;
}

/* The reference is written as Unity spells it, without the members that readers add. */
bool unity_reference_of(const struct anim_track *t, size_t k, char out[UNITY_REFERENCE_MAX])
{
	static const char digits[] = "-0123456789";
	struct member_text id = {"", 0}, guid = {"", 0}, type = {"", 0};
	uint32_t length = t->strings->length[k] == ANIM_NULL_STRING ? 0 : t->strings->length[k];
	const char *text = t->strings->bytes + t->strings->start[k], *end = text + length;
	const char *at = after_word(text, end, "{"), *more;

	at = read_member(at, end, "fileID:", digits, INTEGER_MAX, &id);
	more = at == NULL ? NULL : after_word(at, end, ",");
	if (more != NULL) {
		at = read_member(more, end, "guid:", "0123456789abcdefABCDEF", GUID_MAX, &guid);
		at = at == NULL ? NULL : after_word(at, end, ",");
		at = read_member(at, end, "type:", digits, INTEGER_MAX, &type);
	}
	if (at == NULL || (after_word(at, end, "}") == NULL && after_word(at, end, ",") == NULL)) {
		snprintf(out, UNITY_REFERENCE_MAX, "{fileID: 0}");
		return length == 0;
	}
	if (more == NULL)
		snprintf(out, UNITY_REFERENCE_MAX, "{fileID: %.*s}", id.length, id.at);
	else
		snprintf(out, UNITY_REFERENCE_MAX, "{fileID: %.*s, guid: %.*s, type: %.*s}", id.length, id.at,
			 guid.length, guid.at, type.length, type.at);
	return true;
}

/* Add the references of a track to the writer's mapping. Returns 0 or -1. */
static int add_references(struct unity_writer *writer, const struct anim_track *t, const char *label)
{
	char text[UNITY_REFERENCE_MAX];
	struct anim_print mapping = {.buffer = &writer->mapping, .error = writer->error};
	bool bad = false;

	for (size_t k = 0; k < t->n; k++) {
		int added;

		bad |= !unity_reference_of(t, k, text);
		added = anim_text_set_add(&writer->references, text, strlen(text), writer->error);
		if (added == 1) {
			anim_print_text(&mapping, "    - ");
			anim_print_text(&mapping, text);
			anim_print_text(&mapping, "\n");
		}
		if (added < 0 || mapping.failed)
			return -1;
	}
	if (!bad)
		return 0;
	return warn_of_track(writer, "keys that are not references became {fileID: 0}", label);
}

/* ---- AnimationEvents from @event tracks ---- */

static int add_events(struct unity_writer *writer, const struct anim_track *t, const char *label)
{
	size_t foreign = 0;

	writer->event_tracks++;
	for (size_t k = 0; k < t->n; k++) {
		const char *text = t->strings->bytes + t->strings->start[k];
		uint32_t length = t->strings->length[k];
		struct unity_event event;
		int status = 1;

		anim_arena_reset(&writer->scratch);
		if (length != ANIM_NULL_STRING)
			status = unity_event_parse(text, length, &event, &writer->scratch, writer->error);
		foreign += status > 0;
		if (status == 0) {
			const struct unity_queued_event queued = {.time_s = t->time[k],
								  .length = length,
								  .at = writer->event_texts.size,
								  .number = writer->events.size / sizeof queued};

			if (anim_buffer_append(&writer->event_texts, text, length, writer->error) != 0 ||
			    anim_buffer_append(&writer->events, &queued, sizeof queued, writer->error) != 0)
				return -1;
		}
		if (status < 0)
			return -1;
	}
	if (foreign == 0)
		return 0;
	return warn(writer, "track", "'%s': events of other engines are left out" ANIM_DETAIL " (%zu)", label, foreign);
}

/* ---- The list and the path of a track in the clip ---- */

#define COMPONENTS_MAX 4u /* of the types that the writer supports */

/*
 * Check for a curve with the same path, class and attribute. Returns 1 if it exists, 0 if it is new, or -1. Clips from
 * Unity may have duplicates.
 */
static int is_double(struct unity_writer *writer, const struct unity_plan *plan, const struct unity_binding *binding)
{
	const char *attribute = binding->attribute != NULL ? binding->attribute : "";
	size_t path = strlen(plan->path) + 1, name = strlen(attribute) + 1;
	int64_t key[2] = {(int64_t)binding->list, binding->class_id};
	char *text;
	int added;

	if (writer->is_unity)
		return 0;
	text = anim_arena_alloc(&writer->scratch, path + name + sizeof key, writer->error);
	if (text == NULL)
		return -1;
	memcpy(text, plan->path, path);
	memcpy(text + path, attribute, name);
	memcpy(text + path + name, key, sizeof key);
	added = anim_text_set_add(&writer->curves, text, path + name + sizeof key, writer->error);
	return added < 0 ? -1 : !added;
}

/*
 * Find the names of the track's curve, or of the curves of its components. Returns 1, 0 if Unity lacks one (with a
 * warning), or -1.
 */
static int bind(struct unity_writer *writer, const struct anim_track *t, const char *label,
		struct unity_binding bindings[COMPONENTS_MAX])
{
	unsigned count = anim_types[t->type].components;

	if (unity_name_write(t, ANIM_WHOLE, bindings, &writer->scratch, writer->error) != 0)
		return -1;
	if (bindings->list == UNITY_FLOAT_CURVES && bindings->class_id == UNITY_TRANSFORM &&
	    t->component == ANIM_WHOLE && count > 3)
		return warn_of_track(writer, "left out, because Unity's Transform has other components", label);
	/* A track of several components without a list of its own becomes one curve per component. */
	if (count <= 1 || (bindings->list != UNITY_FLOAT_CURVES && bindings->list != UNITY_NO_LIST))
		return bindings->list != UNITY_NO_LIST ? 1 : report_unbound(writer, t, label);
	for (unsigned i = 0; i < count; i++) {
		if (unity_name_write(t, (uint8_t)i, &bindings[i], &writer->scratch, writer->error) != 0)
			return -1;
		if (bindings[i].list == UNITY_NO_LIST)
			return report_unbound(writer, t, label);
	}
	return 1;
}

/* Plan a track. Returns 1 if it has a plan (and its rows of bindings), 0 if it is dropped with a warning, or -1. */
static int plan_track(struct unity_writer *writer, const struct anim_track *track, const char *label,
		      struct unity_plan *plan)
{
	static const char *const texts[] = {
	    [LOOSE_BONE] = "the parents of the bone are unknown; it is written as a child of its skeleton",
	    [LOOSE_NAME] = "no path of the node; Unity expects it directly below the animated object",
	    [OUTSIDE] = "left out, because nodes outside the animation's root have no path in Unity",
	};
	struct unity_binding bindings[COMPONENTS_MAX];
	enum placing place;
	unsigned count;
	int bound = bind(writer, track, label, bindings);

	if (bound <= 0)
		return bound;
	plan->list = bindings[0].list;
	if (find_path(writer, track, &plan->path, &place) != 0)
		return -1;
	if (plan->list == UNITY_EVENTS)
		return 1;
	if (place != PLACED && warn_of_track(writer, texts[place], label) != 0)
		return -1;
	if (plan->path == NULL)
		return 0;

	/* Add the row of each curve, with a warning if it is a duplicate. */
	count = plan->list == UNITY_FLOAT_CURVES ? anim_types[track->type].components : 1;
	for (unsigned i = 0; i < count; i++) {
		struct unity_generic_binding row = {.path = crc_of(plan->path)};
		int twice = is_double(writer, plan, &bindings[i]);

		if (twice < 0 || (twice > 0 && warn_of_track(writer, "same path and property as another track in Unity",
							     label) != 0))
			return -1;
		if (plan->path[0] == '\0' && bindings[i].list != UNITY_FLOAT_CURVES &&
		    bindings[i].list != UNITY_PPTR_CURVES)
			writer->root_moves = true;
		if (!row_of(track, &bindings[i], &row))
			writer->unknown_binding = true;
		else if (anim_buffer_append(&writer->bindings, &row, sizeof row, writer->error) != 0)
			return -1;
	}
	if (plan->list == UNITY_PPTR_CURVES && add_references(writer, track, label) != 0)
		return -1;
	plan->path = anim_arena_text(&writer->kept, plan->path, strlen(plan->path), writer->error);
	return plan->path == NULL ? -1 : 1;
}

/* ---- Data that --into keeps from the file: settings, version, other fields ---- */

/* A clip of the file. Texts are in the sink's arena. */
struct unity_kept {
	const char *name;
	uint32_t line; /* of its document */
	struct anim_attrs attrs;
	bool faulty, taken;
	struct anim_store *store, *came; /* its tracks in the file, and those of the clip that replaces it */
	const char *lost;                /* warning about data that replacing it would lose; NULL: none */
	struct anim_place place;
};

/* Set the attribute, or remove it if value is NULL. Returns 0 or -1. */
static int set_attr(struct unity_writer *writer, struct anim_clip *clip, const char *key, const char *value)
{
	const struct anim_attrs before = clip->attrs;

	clip->record = NULL;
	return anim_attrs_with(&clip->attrs, &before, key, value, &writer->kept, writer->error);
}

/* ---- The sink ---- */

#define LABEL_MAX 256u /* bytes of a track's name in a message */

#define BIT(type) ((uint64_t)1 << (type))
#define TYPES                                                                                          \
	(BIT(ANIM_FLOAT) | BIT(ANIM_FLOAT2) | BIT(ANIM_FLOAT3) | BIT(ANIM_FLOAT4) | BIT(ANIM_FLOATQ) | \
	 BIT(ANIM_COLOR) | BIT(ANIM_STRING))
#define MODES (1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE | 1u << ANIM_WEIGHTED)

/*
 * Unsorted keys that arrive here are Unity's own. They stay unsorted, because Unity plays them in the order of the
 * file.
 */
const struct anim_caps anim_unity_caps = {.format = "unity",
					  .engine = ANIM_ENGINE_UNITY,
					  .source_texts = true,
					  .kinds = 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					  .types = TYPES,
					  .interps = MODES,
					  .flags = ANIM_DEGREES | ANIM_PERCENT | ANIM_UNSORTED,
					  .rules = ANIM_RULES_UNITY,
					  .mixed_interps = true,
					  .components = true,
					  .euler = true,
					  .angle = true,
					  .ends = true,
					  .negative_times = true,
					  .whole_transforms = true,
					  .continuous_rotations = true};

/* Merge the attributes that the file keeps into a new clip. Returns 0 or -1. */
static int merge_kept(struct unity_writer *writer, const struct anim_clip *clip, struct anim_clip *out)
{
	/* these belong to the file, not to the clip */
	static const char *const of_file[] = {UNITY_ATTR_PREFIX UNITY_VERSION, UNITY_ATTR_PREFIX "m_Legacy"};
	const struct anim_attrs *kept = &writer->kept_clip->attrs;

	*out = *clip;
	for (size_t i = 0; i < sizeof of_file / sizeof *of_file; i++)
		if (set_attr(writer, out, of_file[i], NULL) != 0)
			return -1;
	for (size_t i = 0; i < kept->count; i++) {
		const struct anim_attr *attr = &kept->items[i];

		if (anim_text_behind(attr->key, UNITY_ATTR_PREFIX) != NULL &&
		    anim_attrs_get(&out->attrs, attr->key) == NULL &&
		    set_attr(writer, out, attr->key, attr->value) != 0)
			return -1;
	}
	return 0;
}

static struct unity_writer *writer_of(struct anim_sink *sink, struct anim_error *error)
{
	struct unity_writer *writer = (struct unity_writer *)sink;

	writer->error = error;
	return writer;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct unity_writer *writer = writer_of(sink, error);

	(void)tree;
	if (writer->in_clip)
		return 0;
	writer->target.nodes.size = 0;
	anim_map_clear(&writer->target.names);
	anim_arena_reset(&writer->target.arena);
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct unity_writer *writer = writer_of(sink, error);
	struct unity_target *target = &writer->target;
	uint32_t number = (uint32_t)(target->nodes.size / sizeof(struct target_node)), other;
	struct target_node added = {.parent = node->parent, .kind = node->kind};
	const char *name;

	if (writer->in_clip)
		return 0;
	added.path = anim_arena_text(&target->arena, node->path, strlen(node->path), error);
	if (added.path != NULL && node->parent != ANIM_NO_PARENT)
		added.bone = anim_node_bone(added.path, node_at(target, node->parent)->path);
	if (added.path == NULL || anim_buffer_append(&target->nodes, &added, sizeof added, error) != 0 ||
	    anim_map_put(&target->names, BY_PATH, added.path, strlen(added.path), number, error) != 0)
		return -1;
	if (node->kind == ANIM_NODE_BONE)
		return 0;
	name = anim_path_last(added.path);
	if (anim_map_get(&target->names, BY_NAME, name, strlen(name), &other))
		number = SEVERAL;
	return anim_map_put(&target->names, BY_NAME, name, strlen(name), number, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct unity_writer *writer = writer_of(sink, error);
	struct unity_target *target = &writer->target;
	const char *source = clip->source, *legacy = anim_attrs_get(&clip->attrs, "unity.m_Legacy");
	struct anim_clip merged;

	if (writer->in_clip)
		return anim_fail(error, ANIM_UNSUPPORTED, "unity's .anim holds one clip; '%s' is a second one",
				 clip->name);
	writer->in_clip = true;
	writer->is_unity = strcmp(source, "unity") == 0;
	if (writer->is_unity)
		target->kind = UNITY_NODES_PATHS;
	else if (strcmp(source, "animj") == 0 || strcmp(source, "animx") == 0)
		target->kind = UNITY_NODES_BARE;
	else
		target->kind = anim_source_is_godot(source) ? UNITY_NODES_GODOT : UNITY_NODES_OTHER;
	target->in_tree = (clip->flags & ANIM_IN_TREE) != 0;
	target->source = anim_arena_text(&target->arena, source, strlen(source), error);
	if (target->source == NULL || tree_path(clip->root, ".", &target->root, &target->arena, error) != 0)
		return -1;
	if (clip->loop == ANIM_LOOP_PINGPONG && (legacy == NULL || strcmp(legacy, "0") == 0) &&
	    note(writer, "clip", "'%s': will loop from the start, because Unity's Animator does not support ping-pong",
		 clip->name) != 0)
		return -1;
	if (anim_diagnostics_playback(writer->options.diagnostics, clip, "a clip of Unity", true,
				      "; the Animator sets it", error) != 0)
		return -1;
	if (writer->options.into.file != NULL) {
		if (merge_kept(writer, clip, &merged) != 0)
			return -1;
		clip = &merged;
	}
	return anim_sink_clip(anim_store_sink(writer->store), clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct unity_writer *writer = writer_of(sink, error);
	struct unity_plan plan = {UNITY_NO_LIST, NULL};
	struct anim_track kept = *track;
	const char *what = NULL;
	char label[LABEL_MAX];
	int planned;

	anim_arena_reset(&writer->scratch);
	anim_track_label(track, label, sizeof label);
	planned = anim_diagnostics_gate(writer->options.diagnostics, track, track->rules == ANIM_RULES_UNITY, error);
	if (planned != 0)
		return planned < 0 ? -1 : 0;
	/* Refuse tracks that filter/convert would have changed. */
	if (!(anim_unity_caps.kinds & 1u << track->kind))
		what = "of samples";
	else if (!(anim_unity_caps.types & BIT(track->type)))
		what = anim_types[track->type].name;
	else if (track->ease != NULL)
		what = "eased";
	for (int mode = 0; mode < ANIM_INTERP_COUNT && track->kind == ANIM_CURVE && what == NULL; mode++)
		if (!(MODES & 1u << mode) && anim_track_has_interp(track, (enum anim_interp)mode))
			what = anim_interp_names[mode];
	if (what != NULL)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "track '%s' is %s; unity cannot hold it: " ANIM_ADVICE_TO(SAMPLE, "30"), label, what);
	planned = plan_track(writer, track, label, &plan);
	if (planned == 0)
		anim_diagnostics_leave_out(writer->options.diagnostics);
	if (planned <= 0)
		return planned;
	if (plan.list == UNITY_EVENTS)
		return add_events(writer, track, label);
	if (anim_buffer_append(&writer->plans, &plan, sizeof plan, error) != 0)
		return -1;
	if (!writer->is_unity && track->rules != ANIM_RULES_UNITY &&
	    track->hint != NULL) { /* such a hint is not a tangentMode */
		kept.hint = NULL;
		kept.record = NULL;
	}
	return anim_sink_track(anim_store_sink(writer->store), &kept, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct unity_writer *writer = writer_of(sink, error);

	if (!writer->in_clip)
		return anim_fail_no_clip(error);
	if (anim_diagnostics_check(writer->options.diagnostics, error) != 0)
		return -1;
	return unity_document_print(writer);
}

static void on_free(struct anim_sink *sink)
{
	struct unity_writer *writer = (struct unity_writer *)sink;

	if (!writer->borrows_store)
		anim_store_free(writer->store);
	anim_buffer_clear(&writer->target.nodes);
	anim_map_clear(&writer->target.names);
	anim_arena_clear(&writer->target.arena);
	anim_arena_clear(&writer->kept);
	anim_arena_clear(&writer->scratch);
	anim_buffer_clear(&writer->plans);
	anim_buffer_clear(&writer->bindings);
	anim_buffer_clear(&writer->mapping);
	anim_buffer_clear(&writer->events);
	anim_buffer_clear(&writer->event_texts);
	anim_text_set_clear(&writer->curves);
	anim_text_set_clear(&writer->references);
	free(writer);
}

/* Create a writer. With store NULL it has its own store, otherwise it adds a clip to that one. NULL on failure. */
static struct unity_writer *writer_new(struct anim_output *out, const struct anim_write_options *options,
				       struct anim_store *store, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct unity_writer *writer = anim_sink_new(sizeof *writer, &ops, error);

	if (writer == NULL)
		return NULL;
	writer->options = *options;
	writer->out = out;
	if (options->last != NULL) {
		struct unity_writer *last = (struct unity_writer *)options->last;

		writer->target = last->target;
		last->target = (struct unity_target){.kind = last->target.kind};
	}
	writer->borrows_store = store != NULL;
	writer->store = store != NULL ? store : anim_store_new(options->store_memory, error);
	if (writer->store != NULL) {
		writer->clip = anim_store_clips(writer->store);
		return writer;
	}
	on_free(&writer->sink);
	return NULL;
}

/* ---- The clips of the file ---- */

#define CLIP_CLASS 74
#define LISTED 10 /* names in a message */

/* The sink, with one writer per clip. */
struct into_sink {
	struct anim_sink sink;
	struct anim_write_options options;
	struct anim_output *out;
	struct anim_stat info; /* of the file when it was read */
	struct anim_arena arena;
	struct anim_buffer kept;           /* struct unity_kept */
	struct unity_writer *first, *last; /* the last one gets the records */
};

static struct unity_kept *kept_at(const struct into_sink *into, size_t number)
{
	return (struct unity_kept *)(void *)into->kept.data + number;
}

static size_t kept_count(const struct into_sink *into)
{
	return into->kept.size / sizeof(struct unity_kept);
}

/* Read the current clip. Returns 0 or -1. */
static int read_clip(struct into_sink *into, struct unity_file *file, const struct unity_document *document,
		     struct anim_error *error)
{
	struct anim_diagnostics found = {0};
	struct anim_store *store = anim_store_new(into->options.store_memory, error);
	const struct unity_clip_options options = {
	    .base_name = "", .store = store, .arena = &into->arena, .diagnostics = &found};
	struct unity_clip clip = {.id = 0};
	struct unity_kept kept = {.line = document->line};
	const struct anim_diagnostic *lost;
	char text[512];
	int result = store == NULL ? -1 : unity_clip_read(file, document, &options, &clip, error);

	kept.store = store;
	kept.name = clip.head.name == NULL ? "" : clip.head.name;
	kept.attrs = clip.head.attrs;
	kept.faulty = clip.faulty;
	lost = anim_diagnostics_first(&found, clip.faulty ? ANIM_FAULT : ANIM_WARNING);
	if (result == 0 && lost != NULL) {
		kept.place = lost->place;
		kept.place.file = into->options.into.file;
		anim_diagnostic_print(lost, text, sizeof text);
		kept.lost = anim_arena_text(&into->arena, text, strlen(text), error);
		result = kept.lost == NULL ? -1 : 0;
	}
	if (result == 0)
		result = anim_buffer_append(&into->kept, &kept, sizeof kept, error);
	if (result != 0)
		anim_store_free(store);
	anim_diagnostics_clear(&found);
	return result;
}

/* Read all clips, or only count them if `into` is NULL. Returns their number, or -1. */
static long read_clips(struct into_sink *into, const char *path, struct anim_error *error)
{
	struct anim_input *input = NULL;
	struct unity_file *file = NULL;
	struct unity_document document;
	long count = 0;
	int result = anim_input_open(&input, path, NULL, error);

	if (result == 0)
		result = unity_file_open(&file, input, error);
	while (result == 0 && (result = unity_file_next(file, &document)) > 0) {
		result = 0;
		if (document.class_id != CLIP_CLASS || document.stripped)
			continue;
		count++;
		if (into != NULL)
			result = read_clip(into, file, &document, error);
	}
	unity_file_close(file);
	anim_input_close(input);
	return result == 0 ? count : anim_error_in_file(error, path);
}

int anim_unity_into(struct anim_write_options *options, struct anim_error *error)
{
	long count = read_clips(NULL, options->into.file, error);

	options->into.several = count > 1;
	if (count != 0)
		return count < 0 ? -1 : 0;
	anim_fail(error, ANIM_BAD_INPUT, "it contains no clip that could be replaced");
	return anim_error_in_file(error, options->into.file);
}

/* Return the clip of the file that this one replaces: the only one, or the one with its name. NULL on failure. */
static struct unity_kept *find_clip(struct into_sink *into, const char *name, struct anim_error *error)
{
	struct unity_kept *found = NULL;
	size_t count = kept_count(into), fits = 0;
	const char *list = "";

	for (size_t i = 0; i < count; i++) {
		if (count > 1 && strcmp(kept_at(into, i)->name, name) != 0)
			continue;
		found = kept_at(into, i);
		fits++;
	}
	if (fits == 1 && found->faulty)
		anim_fail_at(error, ANIM_BAD_INPUT, &found->place, "%s", found->lost == NULL ? "" : found->lost);
	else if (fits == 1 && found->taken)
		anim_fail(error, ANIM_BAD_INPUT,
			  "several clips came for its '%s'; choose one with " ANIM_OPTION_TO("parse", "clip", "NAME"),
			  found->name);
	else if (fits == 1 && found->lost != NULL && !into->options.into.force)
		anim_fail(error, ANIM_BAD_INPUT,
			  "its clip cannot be read completely, and parts would be lost: %s; " ANIM_OPTION(
			      "emit", "force") " replaces it",
			  found->lost);
	else if (fits == 1)
		return found;
	else if (fits > 1)
		anim_fail(error, ANIM_BAD_INPUT, "it has %zu clips named '%s'", fits, name);
	else {
		for (size_t i = 0; i < count && i <= LISTED && list != NULL; i++)
			list = anim_arena_printf(&into->arena, error, "%s%s%s", list, i == 0 ? "" : ", ",
						 i < LISTED ? kept_at(into, i)->name : "...");
		if (list != NULL)
			anim_fail(error, ANIM_BAD_INPUT,
				  "it has no clip '%s' to replace (available: %s); clips cannot be added to it", name,
				  list);
	}
	anim_error_in_file(error, into->options.into.file);
	return NULL;
}

/* ---- Writing: the file line by line, with the fields of the clip replaced ---- */

/* Return the name of a field of the document, or NULL if the line continues the field before it. */
static const char *key_of(const struct anim_lines *lines, char *key, size_t capacity)
{
	size_t length = (size_t)(lines->end - lines->at), end = 2;

	if (length < 4 || lines->at[0] != ' ' || lines->at[1] != ' ')
		return NULL;
	while (end < length && end - 2 < capacity - 1 && lines->at[end] != ':' && lines->at[end] != ' ' &&
	       lines->at[end] != '-')
		end++;
	if (end == 2 || end == length || lines->at[end] != ':')
		return NULL;
	memcpy(key, lines->at + 2, end - 2);
	key[end - 2] = '\0';
	return key;
}

/* Print fields that the document of the file lacks. Returns 0 or -1. */
static int end_document(struct unity_writer *writer)
{
	if (writer->keeps_tracks)
		return 0;
	return unity_document_part(writer, "m_RotationCurves") < 0 ||
		       (!writer->wrote_events && unity_document_part(writer, "m_Events") < 0)
		   ? -1
		   : 0;
}

/* Write the lines of the file, with the data of the writers' clips in place of the fields that they replace. */
static int write_lines(struct unity_writer *first, struct anim_lines *lines, struct anim_error *error)
{
	struct unity_writer *writer = NULL; /* of the clip that replaces this document, or NULL if the document stays */
	bool replaces = false;              /* this line */
	char key[64];
	int got;

	while ((got = anim_lines_next(lines, error)) > 0) {
		if (lines->end - lines->at >= 3 && memcmp(lines->at, "---", 3) == 0) {
			if (writer != NULL && end_document(writer) != 0)
				return -1;
			writer = first;
			while (writer != NULL &&
			       (writer->kept_clip == NULL || writer->kept_clip->line != lines->number))
				writer = writer->next;
			replaces = false;
		}
		if (writer != NULL) {
			writer->crlf = lines->end > lines->at && lines->end[-1] == '\r';
			if (key_of(lines, key, sizeof key) != NULL) {
				int part = unity_document_part(writer, key);

				if (part < 0)
					return -1;
				replaces = part > 0;
			}
		}
		if (!replaces &&
		    (anim_output_write(first->out, lines->at, (size_t)(lines->end - lines->at), error) != 0 ||
		     (lines->is_whole && anim_output_write(first->out, "\n", 1, error) != 0)))
			return -1;
	}
	return got < 0 || (writer != NULL && end_document(writer) != 0) ? -1 : 0;
}

/* ---- The sink that puts clips into a file ---- */

/* Add a writer for the next clip. Returns 0 or -1. */
static int begin_writer(struct into_sink *into, struct anim_error *error)
{
	struct unity_writer *writer =
	    writer_new(into->out, &into->options, into->first == NULL ? NULL : into->first->store, error);

	if (writer == NULL)
		return -1;
	if (into->first == NULL)
		into->first = writer;
	else
		into->last->next = writer;
	into->last = writer;
	return 0;
}

static int into_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct into_sink *into = (struct into_sink *)sink;

	if (into->last->in_clip && begin_writer(into, error) != 0)
		return -1;
	return anim_sink_tree(&into->last->sink, tree, error);
}

static int into_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(&((struct into_sink *)sink)->last->sink, node, error);
}

static int into_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct into_sink *into = (struct into_sink *)sink;
	struct unity_writer *before = into->last;
	struct unity_kept *kept = find_clip(into, clip->name, error);

	if (kept == NULL)
		return -1;
	if (before->in_clip) { /* of the same tree */
		if (begin_writer(into, error) != 0)
			return -1;
		into->last->target = before->target;
		before->target = (struct unity_target){.root = NULL};
	}
	if (anim_into_replaces(&into->options.into, kept->name, error) != 0)
		return -1;
	kept->taken = true;
	into->last->kept_clip = kept;
	kept->came = anim_store_new(into->options.store_memory, error);
	if (kept->came == NULL || anim_sink_clip(anim_store_sink(kept->came), clip, error) != 0)
		return -1;
	return anim_sink_clip(&into->last->sink, clip, error);
}

static int into_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct unity_writer *writer = ((struct into_sink *)sink)->last;

	if (anim_sink_track(anim_store_sink(writer->kept_clip->came), track, error) != 0)
		return -1;
	return anim_sink_track(&writer->sink, track, error);
}

/* Return 1 if the clip has exactly the same tracks as in the file, 0 if not, or -1. */
static int has_same_tracks(const struct unity_kept *kept, struct anim_error *error)
{
	size_t count = anim_store_tracks(kept->store, 0);
	bool same = anim_store_tracks(kept->came, 0) == count;

	for (size_t i = 0; i < count && same; i++) {
		struct anim_track before, now;

		if (anim_store_read(kept->store, 0, i, &before, error) != 0 ||
		    anim_store_read(kept->came, 0, i, &now, error) != 0)
			return -1;
		same = before.record->size == now.record->size &&
		       memcmp(before.record->bytes, now.record->bytes, now.record->size) == 0;
	}
	return same;
}

/*
 * Warn about a clip that moves none of the nodes that the clip in the file moved. An .anim has no nodes of its own, so
 * those nodes are the only information about its character. Returns 0 or -1.
 */
static int check_nodes(const struct into_sink *into, const struct unity_kept *kept, struct anim_error *error)
{
	size_t before = anim_store_tracks(kept->store, 0), now = anim_store_tracks(kept->came, 0);
	struct anim_map nodes = {0};
	int result = 0;
	bool shared = before == 0 || now == 0;
	uint32_t known;

	for (size_t i = 0; i < before && !shared && result == 0; i++) {
		const char *node = anim_store_track_at(kept->store, 0, i)->node;

		result = anim_map_put(&nodes, 0, node, strlen(node), 0, error);
	}
	for (size_t i = 0; i < now && !shared && result == 0; i++) {
		const char *node = anim_store_track_at(kept->came, 0, i)->node;

		shared = anim_map_get(&nodes, 0, node, strlen(node), &known);
	}
	anim_map_clear(&nodes);
	if (result != 0 || shared)
		return result;
	return anim_diagnostics_warn(
	    into->options.diagnostics, NULL, error,
	    "clip '%.100s' moves none of the nodes that it moved before (now '%.100s', before '%.100s'); " ANIM_ADVICE(
		OTHER_CHARACTER),
	    kept->name, anim_store_track_at(kept->came, 0, 0)->node, anim_store_track_at(kept->store, 0, 0)->node);
}

static int into_end(struct anim_sink *sink, struct anim_error *error)
{
	struct into_sink *into = (struct into_sink *)sink;
	const char *file = into->options.into.file;
	struct anim_lines lines = {0};
	int result;

	if (!into->first->in_clip)
		return anim_fail_no_clip(error);
	if (anim_diagnostics_check(into->options.diagnostics, error) != 0)
		return -1;
	for (struct unity_writer *writer = into->first; writer != NULL; writer = writer->next)
		writer->error = error;

	/* Find the clips that keep the lines of their curves and events. */
	for (struct unity_writer *writer = into->first; writer != NULL; writer = writer->next) {
		int same = has_same_tracks(writer->kept_clip, error);
		if (same < 0)
			return -1;
		writer->keeps_tracks = same > 0;
	}
	for (size_t i = 0; i < kept_count(into); i++)
		if (kept_at(into, i)->taken && check_nodes(into, kept_at(into, i), error) != 0)
			return -1;
	result = anim_input_open(&lines.input, file, NULL, error);
	if (result == 0)
		result = write_lines(into->first, &lines, error);
	if (result == 0)
		result = anim_path_unchanged(file, &into->info, error);
	anim_input_close(lines.input);
	return result;
}

static void into_free(struct anim_sink *sink)
{
	struct into_sink *into = (struct into_sink *)sink;

	for (struct unity_writer *writer = into->first, *next; writer != NULL; writer = next) {
		next = writer->next;
		anim_sink_free(&writer->sink);
	}
	for (size_t i = 0; i < kept_count(into); i++) {
		anim_store_free(kept_at(into, i)->store);
		anim_store_free(kept_at(into, i)->came);
	}
	anim_buffer_clear(&into->kept);
	anim_arena_clear(&into->arena);
	free(into);
}

/* With options->into.file, the sink puts clips into that file, with one writer per clip. */
struct anim_sink *anim_unity_writer_new(struct anim_output *out, const struct anim_write_options *options,
					struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.tree = into_tree,
						 .node = into_node,
						 .clip = into_clip,
						 .track = into_track,
						 .end = into_end,
						 .free = into_free};
	struct into_sink *into;

	if (options->into.file == NULL) {
		struct unity_writer *writer = writer_new(out, options, NULL, error);

		return writer == NULL ? NULL : &writer->sink;
	}
	into = anim_sink_new(sizeof *into, &ops, error);
	if (into == NULL)
		return NULL;
	into->out = out;
	into->options = *options;
	if (anim_sys_stat(options->into.file, &into->info) != 0) {
		anim_fail_system(error, "cannot open");
		anim_error_in_file(error, options->into.file);
	} else if (read_clips(into, options->into.file, error) >= 0 && begin_writer(into, error) == 0) {
		return &into->sink;
	}
	into_free(&into->sink);
	return NULL;
}
