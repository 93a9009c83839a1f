/* contents.c: the contents of a file, and the part that another file does not have. */
#include "format/contents.h"

#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/map.h"
#include "base/text.h"
#include "clip/keys.h"
#include "format/load.h"

/* A clip, a node or a track. */
struct item {
	const char *name; /* a path for a node, "CLIP\nNODE PROPERTY" for a track */
	const char *type; /* of a node, if it is more than a place in space, otherwise empty */
};

struct collector {
	struct anim_sink sink;
	struct anim_contents *to;
	const char *clip; /* in the arena */
	bool fills;       /* the format has values of all nodes */
};

static int add(struct anim_contents *contents, struct anim_buffer *list, const char *name, const char *type,
	       struct anim_error *error)
{
	const struct item item = {anim_arena_text(&contents->arena, name, strlen(name), error),
				  anim_arena_text(&contents->arena, type, strlen(type), error)};

	return item.name == NULL || item.type == NULL ? -1 : anim_buffer_append(list, &item, sizeof item, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct anim_contents *to = ((struct collector *)sink)->to;
	bool is_plain =
	    node->type[0] == '\0' || anim_text_is_word("Node Node3D Spatial Node2D GameObject Transform", node->type);

	if (is_plain && strcmp(node->path, ".") == 0) /* every tree has a root */
		return 0;
	return add(to, &to->nodes, node->path, is_plain ? "" : node->type, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct collector *collector = (struct collector *)sink;
	struct anim_contents *to = collector->to;

	collector->clip = anim_arena_text(&to->arena, clip->name, strlen(clip->name), error);
	return collector->clip == NULL ? -1 : add(to, &to->clips, clip->name, "", error);
}

/* Return whether the track is constant in a BVH file, which stores values for every joint, even if nothing animates it. */
static bool says_nothing(const struct collector *collector, const struct anim_track *track)
{
	unsigned components = anim_types[track->type].components;

	for (size_t k = 1; collector->fills && k < track->n; k++)
		for (unsigned i = 0; i < components; i++)
			if (anim_component(track->type, track->value, k, i) !=
			    anim_component(track->type, track->value, 0, i))
				return false;
	return collector->fills;
}

/*
 * Return the components of a property as bits. The ways to write a rotation are equal: a quaternion has no w, and an angle
 * in the plane has all.
 */
static uint32_t components_of(const struct anim_track *track, bool rotation)
{
	unsigned count = anim_types[track->type].components;

	if (track->component != ANIM_WHOLE && strcmp(track->property, "angle") != 0)
		return track->component < (rotation ? 3 : 31) ? 1u << track->component : 0;
	return rotation || count < 31 ? (1u << (rotation ? 3 : count)) - 1 : UINT32_MAX;
}

/* Components of one property are one item, because conversions join them. */
static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	const struct collector *collector = (const struct collector *)sink;
	struct anim_contents *to = collector->to;
	bool rotation = anim_text_is_word("rotation euler angle", track->property);
	const struct item item = {anim_arena_printf(&to->arena, error, "%s\n%s%s%s", collector->clip, track->node,
						    track->node[0] == '\0' ? "" : " ",
						    rotation ? "rotation" : track->property),
				  ""};
	uint32_t components = components_of(track, rotation), before = 0;
	bool is_known;

	if (item.name == NULL)
		return -1;
	if (says_nothing(collector, track))
		return 0;
	is_known = anim_map_get(&to->track_names, 0, item.name, strlen(item.name), &before);
	if (anim_map_put(&to->track_names, 0, item.name, strlen(item.name), before | components, error) != 0)
		return -1;
	return is_known ? 0 : anim_buffer_append(&to->tracks, &item, sizeof item, error);
}

static void on_free(struct anim_sink *sink)
{
	(void)sink;
}

static int read_names(struct anim_contents *contents, struct anim_input *input, const struct anim_format *format,
		      const char *name, size_t store_memory, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.node = on_node, .clip = on_clip, .free = on_free},
					  with_tracks = {
					      .node = on_node, .clip = on_clip, .track = on_track, .free = on_free};
	struct collector collector = {.sink.ops = contents->with_tracks ? &with_tracks : &ops,
				      .to = contents,
				      .clip = "",
				      .fills = strcmp(format->name, "bvh") == 0};
	struct anim_diagnostics diagnostics = {0};
	const struct anim_load_options options = {.format = format,
						  .streams = true,
						  .heads = true,
						  .read = {.store_memory = store_memory,
							   .source_name = name,
							   .no_external = true,
							   .trust_size = true,
							   .keep_going = true,
							   .outline = true,
							   .diagnostics = &diagnostics}};
	int result = anim_load(input, &options, &collector.sink, error);

	anim_diagnostics_clear(&diagnostics);
	return result;
}

int anim_contents_read(struct anim_contents *contents, const char *path, const char *name,
		       const struct anim_input_options *options, size_t store_memory, struct anim_error *error)
{
	const struct anim_format *format = NULL;
	struct anim_input *input = NULL;
	const uint8_t *bytes;
	ssize_t size = -1;
	int result = -1;

	if (anim_input_open(&input, path, options, error) == 0)
		size = anim_input_peek(input, ANIM_FORMAT_LOOK_AT, &bytes, error);
	if (size > 0)
		format = anim_format_guess(bytes, (size_t)size, name);
	if (size >= 0)
		result = 0;
	/* Files of unknown formats have no clips and nodes that can be read. */
	if (format != NULL && (format->read != NULL || format->sort == ANIM_FORMAT_STREAM))
		result = read_names(contents, input, format, name, store_memory, error);
	anim_input_close(input);
	input = NULL;
	if (result != 0 || format == NULL || format->describe == NULL)
		return result;
	result = anim_input_open(&input, path, options, error);
	if (result == 0)
		result = format->describe(input, store_memory, &contents->held, error);
	anim_input_close(input);
	return result;
}

/* ---- Losses ---- */

#define SHOWN 3 /* names that a message shows */

/*
 * Map the names of the list: a clip to the number of clips with that name, a node to 1, or to 2 if it has a type. Returns
 * 0 or -1.
 */
static int map_names(struct anim_map *map, const struct anim_buffer *list, bool is_clips, struct anim_error *error)
{
	const struct item *items = (const struct item *)(const void *)list->data;

	for (size_t i = 0; i < list->size / sizeof *items; i++) {
		size_t length = strlen(items[i].name);
		uint32_t before = 0;

		(void)anim_map_get(map, 0, items[i].name, length, &before);
		if (anim_map_put(map, 0, items[i].name, length,
				 is_clips                   ? before + 1
				 : items[i].type[0] == '\0' ? 1
							    : 2,
				 error) != 0)
			return -1;
	}
	return 0;
}

/* Return whether the map has the item. A clip is taken away. A node with a type must not have become one without. */
static bool claim_item(struct anim_map *map, const struct item *item, bool is_clips)
{
	struct anim_error unused;
	uint32_t left = 0;

	if (!anim_map_get(map, 0, item->name, strlen(item->name), &left))
		return false;
	if (!is_clips)
		return item->type[0] == '\0' || left == 2;
	return left > 0 && anim_map_put(map, 0, item->name, strlen(item->name), left - 1, &unused) == 0;
}

/* Print the items of `had` that `now` does not have: "2 clips (walk, run)". Returns 0 or -1. */
static int list_lost(const struct anim_buffer *had, const struct anim_buffer *now, bool is_clips, char *text,
		     size_t capacity, struct anim_error *error)
{
	const struct item *items = (const struct item *)(const void *)had->data;
	struct anim_map map = {0};
	char list[400] = "";
	size_t used = 0, lost = 0;
	int result = map_names(&map, now, is_clips, error);

	for (size_t i = 0; result == 0 && i < had->size / sizeof *items; i++) {
		bool typed = items[i].type[0] != '\0';
		char name[80], type[40];

		if (claim_item(&map, &items[i], is_clips) || lost++ >= SHOWN)
			continue;
		anim_text_safe(name, sizeof name, items[i].name, strlen(items[i].name));
		anim_text_safe(type, sizeof type, items[i].type, strlen(items[i].type));
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%s%s%s%s", used == 0 ? "" : ", ", name,
					 typed ? " (" : "", type, typed ? ")" : "");
	}
	anim_map_clear(&map);
	if (lost > 0)
		snprintf(text, capacity, "%zu %s%s (%s%s)", lost, is_clips ? "clip" : "node", lost == 1 ? "" : "s",
			 list, lost > SHOWN ? ", ..." : "");
	return result;
}

/* Return the number of letters of the name of a track's clip. */
static size_t clip_length(const struct item *track)
{
	return strcspn(track->name, "\n");
}

/* Count the tracks of each clip in the map. Returns 0 or -1. */
static int count_tracks(struct anim_map *map, const struct anim_contents *contents, struct anim_error *error)
{
	const struct item *items = (const struct item *)(const void *)contents->tracks.data;
	int result = 0;

	for (size_t i = 0; result == 0 && i < contents->tracks.size / sizeof *items; i++) {
		size_t length = clip_length(&items[i]);
		uint32_t before = 0;

		(void)anim_map_get(map, 0, items[i].name, length, &before);
		result = anim_map_put(map, 0, items[i].name, length, before + 1, error);
	}
	return result;
}

int anim_contents_lost_tracks(const struct anim_contents *had, const struct anim_contents *now, char *text,
			      size_t capacity, struct anim_error *error)
{
	const struct item *items = (const struct item *)(const void *)had->tracks.data;
	struct anim_map clips = {0}, before = {0}, after = {0};
	char list[400] = "";
	size_t used = 0, lost = 0;
	int result = map_names(&clips, &now->clips, true, error);

	if (result == 0)
		result = count_tracks(&before, had, error);
	if (result == 0)
		result = count_tracks(&after, now, error);
	for (size_t i = 0; result == 0 && i < had->tracks.size / sizeof *items; i++) {
		size_t length = clip_length(&items[i]);
		const char *track = items[i].name + length + 1;
		uint32_t was = 0, is = 0, known, components = 0;
		char name[80];

		(void)anim_map_get(&before, 0, items[i].name, length, &was);
		(void)anim_map_get(&after, 0, items[i].name, length, &is);
		if (!anim_map_get(&clips, 0, items[i].name, length, &known))
			continue;
		(void)anim_map_get(&had->track_names, 0, items[i].name, strlen(items[i].name), &components);
		if (anim_map_get(&now->track_names, 0, items[i].name, strlen(items[i].name), &known)
			? (components & ~known) == 0
			: was <= is)
			continue;
		result = anim_map_put(&before, 0, items[i].name, length, was - 1, error);
		if (lost++ >= SHOWN)
			continue;
		anim_text_safe(name, sizeof name, track, strlen(track));
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used == 0 ? "" : ", ", name);
	}
	anim_map_clear(&clips);
	anim_map_clear(&before);
	anim_map_clear(&after);
	text[0] = '\0';
	if (lost > 0)
		snprintf(text, capacity, "%zu track%s (%s%s)", lost, lost == 1 ? "" : "s", list,
			 lost > SHOWN ? ", ..." : "");
	return result;
}

int anim_contents_lost(const struct anim_contents *had, const struct anim_contents *now, char *text, size_t capacity,
		       struct anim_error *error)
{
	char clips[480] = "", tracks[480] = "", nodes[480] = "";
	const char *const parts[] = {clips, tracks, nodes, had->held.text, had->held.has_uid ? "a uid" : ""};
	size_t used = 0;

	if (list_lost(&had->clips, &now->clips, true, clips, sizeof clips, error) != 0 ||
	    anim_contents_lost_tracks(had, now, tracks, sizeof tracks, error) != 0 ||
	    list_lost(&had->nodes, &now->nodes, false, nodes, sizeof nodes, error) != 0)
		return -1;
	text[0] = '\0';
	for (size_t i = 0; i < ANIM_COUNT(parts) && used < capacity; i++)
		if (parts[i][0] != '\0')
			used += (size_t)snprintf(text + used, capacity - used, "%s%s", used == 0 ? "" : ", ", parts[i]);
	return 0;
}

void anim_contents_clear(struct anim_contents *contents)
{
	anim_buffer_clear(&contents->clips);
	anim_buffer_clear(&contents->nodes);
	anim_buffer_clear(&contents->tracks);
	anim_map_clear(&contents->track_names);
	anim_text_set_clear(&contents->held.parts);
	anim_arena_clear(&contents->arena);
}
