/* writer.c: the sink that writes one clip as an .anim. */
#include "format/unity/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/advice.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/text.h"
#include "clip/engine_names.h"
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
	if (part == NULL || (target->root != NULL && anim_tree_path_find(part[0] == '/' ? "." : target->root, part,
									 &full, arena, writer->error) != 0))
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
		shape = anim_text_after(binding->attribute, UNITY_BLEND_SHAPE);
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

		if (anim_text_after(attr->key, UNITY_ATTR_PREFIX) != NULL &&
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
	if (target->source == NULL || anim_tree_path_find(clip->root, ".", &target->root, &target->arena, error) != 0)
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

struct unity_writer *unity_writer_new(struct anim_output *out, const struct anim_write_options *options,
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

struct anim_sink *anim_unity_writer_new(struct anim_output *out, const struct anim_write_options *options,
					struct anim_error *error)
{
	struct unity_writer *writer;

	if (options->into.file != NULL)
		return unity_into_new(out, options, error);
	writer = unity_writer_new(out, options, NULL, error);
	return writer == NULL ? NULL : &writer->sink;
}
