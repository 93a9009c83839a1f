/* writer.c: the sink that writes clips as a Godot .tres or .tscn, and the body of one Animation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/input.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "clip/sample.h"
#include "format/godot/writer.h"
#include "math/elementary.h"
#include "math/quaternion.h"

/* ---- One track: tracks/N/type and the properties after it ---- */

static void print_name_of(const struct godot_track_out *out, size_t number, const char *name)
{
	godot_print_format(out->print, "tracks/%u/%s = ", number, name);
}

static void print_flag(const struct godot_track_out *out, size_t number, const char *name, bool value)
{
	print_name_of(out, number, name);
	godot_print_text(out->print, value ? "true\n" : "false\n");
}

static bool is_true(const struct anim_track *t, const char *key)
{
	const char *value = anim_attrs_get(&t->attrs, key);

	return value != NULL && strcmp(value, "true") == 0;
}

/*
 * Return the path of a track that is written with this type, in the arena: "A/B:position:x", "A/Skeleton3D:Hips",
 * "Mesh:smile". Returns NULL if out of memory.
 */
static const char *written_path(const struct godot_names *names, const struct anim_track *t, enum godot_track_type type,
				struct anim_arena *arena, struct anim_error *error)
{
	const char *node = godot_written_track_node(names, t, arena, error), *property;

	if (node == NULL)
		return NULL;
	if (type == GODOT_TRACK_BLEND_SHAPE)
		property = godot_written_shape(names, t, arena, error);
	else if (type == GODOT_TRACK_VALUE || type == GODOT_TRACK_BEZIER)
		property = godot_written_property(names, t, arena, error);
	else
		return node;
	if (property != NULL && property[0] == '\0')
		return strcmp(node, ".") == 0 ? property : node;
	return property == NULL ? NULL : anim_arena_printf(arena, error, "%s:%s", node, property);
}

static void print_editor_flags(const struct godot_track_out *out, size_t number, const struct anim_track *t)
{
	print_flag(out, number, "imported", is_true(t, "godot.imported"));
	print_flag(out, number, "enabled", !(t->flags & ANIM_DISABLED));
}

/*
 * Print the settings of a track up to `keys = `. Godot 3 has `imported` and `enabled` after `loop_wrap`. Godot 2 has
 * only `imported`.
 */
static void print_settings(const struct godot_track_out *out, size_t number, const struct anim_track *t,
			   const struct godot_plan *plan, const char *path)
{
	print_name_of(out, number, "type");
	godot_print_format(out->print, "\"%s\"\n", godot_track_type_names[plan->type]);
	if (!out->names->godot3)
		print_editor_flags(out, number, t);
	print_name_of(out, number, "path");
	godot_print_format(out->print, "NodePath(%q)\n", path);
	print_name_of(out, number, "interp");
	godot_print_format(out->print, "%d\n", plan->interp);
	if (out->print->godot2) {
		print_flag(out, number, "imported", is_true(t, "godot.imported"));
	} else {
		print_flag(out, number, "loop_wrap", (t->flags & ANIM_LOOP_WRAP_KEYS) != 0);
		if (out->names->godot3)
			print_editor_flags(out, number, t);
	}
	print_name_of(out, number, "keys");
}

static int print_track(const struct godot_track_out *out, size_t number, const struct anim_track *source,
		       const struct anim_track *box)
{
	struct anim_track track = *source;
	struct godot_plan plan;
	const char *path;

	godot_plan_track(out->names, source, &plan);
	if (box != NULL) {
		size_t length = strlen(track.property), tail = strlen(":position");

		/* Remove ":position" from the property of an AABB, which is named after its first half. */
		if (length > tail) {
			track.property = anim_arena_text(out->scratch, track.property, length - tail, out->error);
			if (track.property == NULL)
				return -1;
		}
	}
	path = written_path(out->names, &track, plan.type, out->scratch, out->error);
	if (path == NULL)
		return -1;
	print_settings(out, number, &track, &plan, path);
	if (godot_print_keys(out, source, &plan, box) != 0)
		return -1;
	godot_print_text(out->print, "\n");
	if (plan.type == GODOT_TRACK_AUDIO && !out->names->godot3)
		print_flag(out, number, "use_blend",
			   anim_attrs_get(&track.attrs, "godot.use_blend") == NULL ||
			       is_true(&track, "godot.use_blend"));
	return out->print->out.failed ? -1 : 0;
}

/* ---- Transform tracks of Godot 3: position, rotation and scale in one row per key ---- */

#define PARTS 3             /* position, rotation, scale */
#define ROW (2 + 3 + 4 + 3) /* the numbers of a key: time, transition, parts */

static const struct {
	const char *property;
	enum anim_type type;
	unsigned components;
} parts[PARTS] = {{"position", ANIM_FLOAT3, 3}, {"rotation", ANIM_FLOATQ, 4}, {"scale", ANIM_FLOAT3, 3}};

/* The tracks that are combined. n is 0 for a missing track. */
struct transform_rows {
	struct anim_track track[PARTS];
	const float *time; /* of all keys, on the time axis of the clip */
	size_t n;
	const float *value[PARTS];
	const float *ease;
};

/* Read the tracks of the node that have not been written yet. Returns 0 or -1. */
static int gather_parts(struct godot_writer *writer, size_t clip, size_t first, uint8_t *done,
			struct transform_rows *out)
{
	const char *node = anim_store_track_at(writer->store, clip, first)->node;

	for (size_t part = 0; part < PARTS; part++) {
		struct anim_track track;
		ptrdiff_t at = (ptrdiff_t)first - 1;

		do {
			at = anim_store_find(writer->store, clip, (size_t)(at + 1), node, parts[part].property);
		} while (at >= 0 &&
			 (done[at] || anim_store_track_at(writer->store, clip, (size_t)at)->component != ANIM_WHOLE ||
			  anim_store_track_at(writer->store, clip, (size_t)at)->type != parts[part].type));
		if (at < 0)
			continue;
		if (anim_store_read(writer->store, clip, (size_t)at, &track, writer->error) != 0 ||
		    anim_track_copy(&out->track[part], &track, &writer->scratch, writer->error) != 0)
			return -1;
		done[at] = 1;
	}
	return 0;
}

/* Return the track whose settings the combined track gets: the first with keys, otherwise the first. */
static const struct anim_track *leader(const struct transform_rows *transform)
{
	const struct anim_track *empty = NULL;

	for (size_t part = 0; part < PARTS; part++) {
		const struct anim_track *t = &transform->track[part];

		if (t->n > 0)
			return t;
		if (empty == NULL && t->property[0] != '\0')
			empty = t;
	}
	return empty;
}

/* Return true if all tracks have keys at the same times, with the same modes and transitions. */
static bool is_together(const struct transform_rows *transform)
{
	const struct anim_track *first = leader(transform);

	for (size_t part = 0; part < PARTS; part++) {
		const struct anim_track *t = &transform->track[part];

		if (t->n == 0)
			continue;
		if (t->n != first->n || t->interp != first->interp || t->kind != first->kind ||
		    memcmp(t->time, first->time, t->n * sizeof *t->time) != 0)
			return false;
		for (size_t k = 0; k < t->n; k++)
			if ((t->ease == NULL ? 1 : t->ease[k]) != (first->ease == NULL ? 1 : first->ease[k]))
				return false;
	}
	return true;
}

/* Find the number of a node, seen from `root`, or GODOT_NO_PARENT if it is not in the table. Returns 0 or -1. */
static int find_below(struct godot_writer *writer, const char *root, const char *node, uint32_t *number)
{
	const char *path;

	if (anim_tree_path_find(root, node, &path, &writer->scratch, writer->error) != 0)
		return -1;
	*number = path == NULL ? GODOT_NO_PARENT : godot_nodes_find(&writer->nodes, path);
	return 0;
}

/* Do the same for the node of a track. */
static int find_node(struct godot_writer *writer, size_t clip, const struct anim_track *t, uint32_t *number)
{
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	const char *node = godot_written_track_node(&written->names, t, &writer->scratch, writer->error);

	return node == NULL ? -1 : find_below(writer, written->root, godot_source_node(&written->names, node), number);
}

/*
 * Set the value of a part without a track. For a bone it is the identity, which does not change the rest pose. For a
 * node it is the transform in the tree. Returns 0 or -1.
 */
static int fill_rest(struct godot_writer *writer, size_t clip, const struct anim_track *t, size_t part, float value[4])
{
	static const float none[PARTS][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 0}};
	const struct godot_scene_node *found;
	uint32_t number;

	memcpy(value, none[part], sizeof none[part]);
	if (find_node(writer, clip, t, &number) != 0)
		return -1;
	if (number == GODOT_NO_PARENT || godot_nodes_at(&writer->nodes, number)->bone)
		return 0;
	found = godot_nodes_at(&writer->nodes, number);
	memcpy(value,
	       part == 0   ? found->position
	       : part == 1 ? found->rotation
			   : found->scale,
	       parts[part].components * sizeof *value);
	return 0;
}

/* Sample a part at all times. Returns 0 or -1. */
static int sample_part(struct godot_writer *writer, size_t clip, struct transform_rows *transform, size_t part)
{
	const struct anim_clip *head = anim_store_clip(writer->store, clip);
	struct anim_arena *arena = &writer->scratch;
	float *values =
	    anim_arena_zeroed(arena, transform->n + 1, parts[part].components * sizeof *values, writer->error);
	double *times = anim_arena_zeroed(arena, transform->n + 1, sizeof *times, writer->error);
	uint8_t *present = anim_arena_zeroed(arena, transform->n + 1, 1, writer->error);
	struct anim_sample_state state = {0};
	int result;

	if (values == NULL || times == NULL || present == NULL)
		return -1;
	for (size_t k = 0; k < transform->n; k++)
		times[k] = (double)transform->time[k];
	result =
	    anim_sample(head, &transform->track[part], times, transform->n, values, present, &state, writer->error);
	anim_sample_state_clear(&state);
	for (size_t k = 0; k < transform->n; k++) /* before the first key, Godot 3 shows the value of the first key */
		if (!present[k])
			memcpy(values + k * parts[part].components, transform->track[part].value,
			       parts[part].components * sizeof *values);
	transform->value[part] = values;
	return result;
}

/* Give all three tracks keys at all times. This does not change straight segments. Returns 0 or -1. */
static int unite(struct godot_writer *writer, size_t clip, struct transform_rows *transform)
{
	size_t next[PARTS] = {0}, most = 1;
	bool straight = true;
	float *times;

	/* Merge the times of all keys in increasing order, without repetitions. */
	for (size_t part = 0; part < PARTS; part++)
		most += transform->track[part].n;
	times = anim_arena_zeroed(&writer->scratch, most, sizeof *times, writer->error);
	if (times == NULL)
		return -1;
	for (;;) {
		float least = INFINITY;

		for (size_t part = 0; part < PARTS; part++)
			if (next[part] < transform->track[part].n)
				least = fminf(least, transform->track[part].time[next[part]]);
		if (!(least < INFINITY))
			break;
		times[transform->n++] = least;
		for (size_t part = 0; part < PARTS; part++)
			while (next[part] < transform->track[part].n &&
			       !(transform->track[part].time[next[part]] > least))
				next[part]++;
	}
	transform->time = times;

	for (size_t part = 0; part < PARTS; part++) {
		struct anim_track *t = &transform->track[part];

		if (t->n > 0 && sample_part(writer, clip, transform, part) != 0)
			return -1;
		straight =
		    straight && (t->n < 2 || (t->kind == ANIM_CURVE && t->interp == ANIM_LINEAR && t->ease == NULL));
	}
	if (straight)
		return 0;
	writer->options.diagnostics->scope = godot_writer_clip(writer, clip)->scope;
	return godot_writer_warn(
	    writer, "node",
	    "'%s': additional keys in the transform track, with straight lines between the keys of curves",
	    leader(transform)->node);
}

/*
 * Write track `first`, a position, rotation or scale, and the other two tracks of its node as one transform track of
 * Godot 3. Written tracks are marked in `done`. Returns 0 or -1.
 */
static int writer_transform(struct godot_writer *writer, const struct godot_track_out *out, size_t clip, size_t first,
			    uint8_t *done, size_t number)
{
	struct transform_rows transform = {0};
	float row[ROW], rest[4];
	struct godot_plan plan;
	struct anim_track like;
	const char *path;

	for (size_t part = 0; part < PARTS; part++)
		transform.track[part] = (struct anim_track){.node = "", .property = ""};
	if (gather_parts(writer, clip, first, done, &transform) != 0)
		return -1;
	like = *leader(&transform);
	if (is_together(&transform)) {
		transform.time = like.time;
		transform.n = like.n;
		transform.ease = like.ease;
		for (size_t part = 0; part < PARTS; part++)
			transform.value[part] = transform.track[part].n > 0 ? transform.track[part].value : NULL;
	} else if (unite(writer, clip, &transform) != 0) {
		return -1;
	} else {
		like.kind = ANIM_CURVE;
		like.interp = ANIM_LINEAR;
	}

	/* A part without a track has its rest value in all keys. */
	for (size_t part = 0; part < PARTS; part++) {
		size_t size = parts[part].components * sizeof(float);
		uint8_t *values;

		if (transform.value[part] != NULL)
			continue;
		values = anim_arena_zeroed(&writer->scratch, transform.n + 1, size, writer->error);
		if (values == NULL || fill_rest(writer, clip, leader(&transform), part, rest) != 0)
			return -1;
		for (size_t k = 0; k < transform.n; k++)
			memcpy(values + k * size, rest, size);
		transform.value[part] = (const float *)(const void *)values;
	}

	godot_plan_track(out->names, &like, &plan);
	path = written_path(out->names, &like, plan.type, out->scratch, out->error);
	if (path == NULL)
		return -1;
	print_settings(out, number, &like, &plan, path);
	godot_print_format(out->print, "%s%(", godot_print_word(out->print, &godot_types[GODOT_PACKED_FLOAT32]));
	for (size_t k = 0; k < transform.n; k++) {
		float *at = row + 2;

		row[0] = (float)((double)transform.time[k] - (double)out->start_s);
		row[1] = transform.ease != NULL ? transform.ease[k] : 1;
		for (size_t part = 0; part < PARTS; at += parts[part++].components)
			memcpy(at, transform.value[part] + k * parts[part].components,
			       parts[part].components * sizeof *at);
		godot_print_run(out->print, k == 0, row, ROW, ROW);
	}
	godot_print_format(out->print, "%)\n");
	return out->print->out.failed ? -1 : 0;
}

/* ---- All tracks ---- */

static bool is_box(const struct anim_track *t, const char *tail)
{
	const char *variant = anim_attrs_get(&t->attrs, "godot.variant");

	return variant != NULL && strcmp(variant, "AABB") == 0 && t->type == ANIM_FLOAT3 &&
	       anim_text_ends(t->property, tail);
}

/*
 * Return 1 if track i holds the positions of an AABB and track i + 1 its sizes. The sizes are read into `size`, owned
 * by the store, and the positions are then copied to the arena. Otherwise returns 0 or -1.
 */
static int find_box(struct godot_writer *writer, size_t clip, size_t i, struct anim_track *track,
		    struct anim_track *size)
{
	struct anim_track copy;

	if (!is_box(track, ":position") || i + 1 >= anim_store_tracks(writer->store, clip))
		return 0;
	if (anim_track_copy(&copy, track, &writer->scratch, writer->error) != 0 ||
	    anim_store_read(writer->store, clip, i + 1, size, writer->error) != 0)
		return -1;
	if (!is_box(size, ":size") || size->n != copy.n || strcmp(size->node, copy.node) != 0 ||
	    size->kind != copy.kind || size->interp != copy.interp ||
	    (copy.time != NULL && memcmp(size->time, copy.time, copy.n * sizeof *copy.time) != 0))
		return anim_store_read(writer->store, clip, i, track, writer->error);
	*track = copy;
	return 1;
}

/*
 * Return whether the node of the track is 3-D: judged by the property name in the source, the node, the other tracks of
 * the node, and the engine. Returns 1, 0 or -1.
 */
static int is_in_space(struct godot_writer *writer, size_t clip, const struct anim_track *t)
{
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	const struct anim_clip *head = anim_store_clip(writer->store, clip);
	uint32_t number;

	if (anim_attrs_get(&t->attrs, "godot.property") != NULL || written->names.from3)
		return anim_attrs_get(&t->attrs, "godot.property") != NULL;
	if (find_node(writer, clip, t, &number) != 0)
		return -1;
	if (number != GODOT_NO_PARENT && (godot_nodes_at(&writer->nodes, number)->has & ANIM_HAS_2D))
		return 0;
	if (number != GODOT_NO_PARENT && ((godot_nodes_at(&writer->nodes, number)->has & ANIM_HAS_POSITION) ||
					  godot_nodes_at(&writer->nodes, number)->source == GODOT_CLASS_KNOWN))
		return 1;
	return anim_map_get(&writer->spaces, clip, t->node, strlen(t->node), &number) ||
	       (!written->names.from_godot && head->axes2d != ANIM_AXES2D_GODOT);
}

/*
 * Find the motion_scale of the skeleton at the path of the node, in the tree of the stream. It is 0 if the node does
 * not exist. Returns 0 or -1.
 */
static int find_scale(struct godot_writer *writer, const struct godot_written_clip *written, const char *node,
		      float *scale)
{
	const char *root = written->root;
	uint32_t number;

	node = godot_source_node(&written->names, node);
	if (node[0] == '%') {
		size_t length = strcspn(node, "/:") - 1;

		if (!anim_map_get(&writer->nodes.by_unique, 0, node + 1, length, &number))
			return 0;
		root = godot_nodes_at(&writer->nodes, number)->path;
		node += 1 + length + (node[1 + length] == '/');
	}
	node = anim_arena_text(&writer->scratch, node, strcspn(node, ":"), writer->error);
	if (node == NULL || find_below(writer, root, node[0] == '\0' ? "." : node, &number) != 0)
		return -1;
	if (number != GODOT_NO_PARENT)
		*scale = godot_nodes_at(&writer->nodes, number)->motion_scale;
	return 0;
}

/*
 * Convert bone positions from metres to the units of their skeleton, which is in the file that is edited, or in the
 * tree of the stream. Godot clips from a stream without a tree are in these units already. Returns 0 or -1.
 */
static int to_motion_scale(struct godot_writer *writer, size_t clip, const struct godot_plan *plan,
			   struct anim_track *track)
{
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	const struct anim_track metres = *track;
	const char *node;
	float scale = 0;

	if (plan->type != GODOT_TRACK_POSITION || !godot_is_scaled(track) ||
	    (written->names.from_godot && !(anim_store_clip(writer->store, clip)->flags & ANIM_IN_TREE)))
		return 0;
	node = godot_written_track_node(&written->names, track, &writer->scratch, writer->error);
	if (node == NULL)
		return -1;
	if (writer->into != NULL)
		scale = godot_into_motion_scale(writer->into, written, node);
	if (scale == 0 && find_scale(writer, written, node, &scale) != 0)
		return -1;
	if (scale == 0 || scale == 1)
		return 0;
	return godot_positions_divide(track, &metres, scale, &writer->scratch, writer->error);
}

/*
 * Write track i, and the tracks that are combined with it, which are marked in `done`. *number becomes the next free
 * track number. Returns 0 or -1.
 */
static int write_track(struct godot_writer *writer, const struct godot_track_out *out, size_t clip, size_t i,
		       uint8_t *done, size_t *number)
{
	struct godot_names names = *out->names;
	struct godot_track_out own = *out;
	struct anim_track track, size;
	struct godot_plan plan;
	size_t rows, lost;
	int box, result;

	own.names = &names;
	anim_arena_reset(&writer->scratch);
	if (anim_store_read(writer->store, clip, i, &track, writer->error) != 0)
		return -1;
	if (godot_is_sprite_part(&track) && (result = godot_sprite_wants(writer, clip, &track)) <= 0)
		return result;
	godot_plan_track(out->names, &track, &plan);
	if (plan.type == GODOT_TRACK_TRANSFORM)
		return writer_transform(writer, out, clip, i, done, (*number)++);
	if (to_motion_scale(writer, clip, &plan, &track) != 0)
		return -1;
	box = find_box(writer, clip, i, &track, &size);
	if (box < 0)
		return -1;
	if (box > 0)
		done[i + 1] = 1;
	if (out->names->godot3 && track.component != ANIM_WHOLE && strcmp(track.property, "position") == 0) {
		int spatial = is_in_space(writer, clip, &track);

		if (spatial < 0)
			return -1;
		names.spatial = spatial > 0;
	}
	if (godot_call_rows(out, &track, &rows, &lost) != 0)
		return -1;
	do
		result = print_track(&own, (*number)++, &track, box > 0 ? &size : NULL);
	while (result == 0 && ++own.row < rows);
	return result;
}

/* Find the number of a text in its scope. A new text gets the number `next`. Returns 0 or -1. */
static int number_of(struct godot_writer *writer, uint64_t scope, const char *text, uint32_t *next, uint32_t *number)
{
	if (anim_map_get(&writer->groups, scope, text, strlen(text), number))
		return 0;
	*number = (*next)++;
	return anim_map_put(&writer->groups, scope, text, strlen(text), *number, writer->error);
}

/* ---- Rest keys: parts of nodes that other clips of the player animate ---- */

/* Return the name of the part in the group of its clip. Returns NULL if out of memory. */
static const char *part_name(const struct godot_writer *writer, const char *node, const char *property,
			     unsigned component, struct anim_arena *arena)
{
	bool row =
	    writer->names.godot3 && component == ANIM_WHOLE && anim_text_is_word("position rotation scale", property);

	return anim_arena_printf(arena, writer->error, "%s\n%s\n%u", node, row ? "transform" : property, component);
}

/* Return the name of the part that the track animates, with the path that its node has in the file. */
static const char *track_part(struct godot_writer *writer, size_t clip, size_t track)
{
	const struct anim_store_track *stored = anim_store_track_at(writer->store, clip, track);
	const struct anim_track t = {
	    .node = stored->node, .property = stored->property, .type = stored->type, .component = stored->component};
	const char *node =
	    godot_written_track_node(&godot_writer_clip(writer, clip)->names, &t, &writer->scratch, writer->error);

	return node == NULL ? NULL : part_name(writer, node, t.property, t.component, &writer->scratch);
}

static struct godot_part *part_at(const struct godot_writer *writer, uint32_t number)
{
	return (struct godot_part *)(void *)writer->parts.data + number;
}

/* Return the numbers + 1 of the first and the last part of the group, or 0. */
static uint32_t *part_list(const struct godot_writer *writer, uint32_t group)
{
	return (uint32_t *)(void *)writer->part_lists.data + 2 * (size_t)group;
}

/*
 * Record the part that the next track of the last clip animates, if clips share it. Returns 0 or -1.
 *
 * If a clip animates one part of a transform (position, rotation or scale) of a Node3D, Godot's mixer sets the parts
 * that only other clips animate to 0, not to the transform in the scene. If a clip animates no part, the node keeps
 * the pose from the previous clip. So each part gets a key with its rest value in the clips that lack it. A RESET
 * animation would only help in the first case. Clips from Godot only get keys for parts that other engines' clips
 * animate.
 */
static int note_part(struct godot_writer *writer, const struct anim_track *t)
{
	uint32_t clip = (uint32_t)(writer->clips.size / sizeof(struct godot_written_clip)) - 1;
	const struct godot_part part = {.clip = clip,
					.track = (uint32_t)anim_store_tracks(writer->store, clip),
					.reset = strcmp(godot_writer_clip(writer, clip)->name, "RESET") == 0,
					.foreign = !writer->names.from_godot};

	if (t->n == 0 || (t->flags & ANIM_DISABLED) || !anim_type_is_real(t->type) || anim_track_is_placed(t))
		return 0;
	if (strncmp(t->property, "blend_shape/", 12) != 0 &&
	    !(anim_track_is_transform(t) && anim_text_is_word("position rotation scale euler angle", t->property)))
		return 0;
	return anim_buffer_append(&writer->parts, &part, sizeof part, writer->error);
}

/* Put a part into the list of its group, or join it with the same part of another clip. Returns 0 or -1. */
static int list_part(struct godot_writer *writer, uint32_t number)
{
	struct godot_part *part = part_at(writer, number);
	uint32_t group = godot_writer_clip(writer, part->clip)->group, *list = part_list(writer, group), same;
	const char *name;

	anim_arena_reset(&writer->scratch);
	name = track_part(writer, part->clip, part->track);
	if (name == NULL)
		return -1;
	if (anim_map_get(&writer->by_part, group, name, strlen(name), &same)) {
		struct godot_part *known = part_at(writer, same);

		known->foreign = known->foreign || part->foreign;
		if (part->reset && !known->reset) {
			known->reset = true;
			known->clip = part->clip;
			known->track = part->track;
		}
		return 0;
	}
	name = anim_arena_text(&writer->kept, name, strlen(name), writer->error);
	if (name == NULL)
		return -1;
	*(list[1] == 0 ? list : &part_at(writer, list[1] - 1)->next) = number + 1;
	list[1] = number + 1;
	part->listed = true;
	return anim_map_put(&writer->by_part, group, name, strlen(name), number, writer->error);
}

int godot_writer_group(struct godot_writer *writer)
{
	for (size_t i = 0; i < writer->clips.size / sizeof(struct godot_written_clip); i++) {
		struct godot_written_clip *written = godot_writer_clip(writer, i);
		const char *root = writer->into == NULL ? written->root : "";
		const char *name = anim_arena_printf(&writer->kept, writer->error, "%s\n%s", written->player, root);
		const uint32_t none[2] = {0, 0};
		uint32_t before = writer->part_groups;

		/* Find the group of the clip. Clips that get into a file have their player there. */
		if (name == NULL || number_of(writer, UINT64_MAX, name, &writer->part_groups, &written->group) != 0)
			return -1;
		if (writer->part_groups != before &&
		    anim_buffer_append(&writer->part_lists, none, sizeof none, writer->error) != 0)
			return -1;
	}
	for (size_t i = 0; i < writer->parts.size / sizeof(struct godot_part); i++)
		if (list_part(writer, (uint32_t)i) != 0)
			return -1;
	return 0;
}

/*
 * Find the node of a track, whose transform is its rest: in the edited file if its clips are known, in the tree of the
 * stream otherwise. *found is NULL if it is in neither. Returns 0 or -1.
 */
static int find_rest(struct godot_writer *writer, size_t clip, const struct anim_track *t,
		     const struct godot_scene_node **found)
{
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	struct godot_writer *const beside = writer->beside, *const order[2] = {writer->into == NULL ? writer : beside,
									       writer->into == NULL ? beside : writer};
	const char *path = godot_written_track_node(&written->names, t, &writer->scratch, writer->error);

	*found = NULL;
	for (size_t i = 0; i < 2 && path != NULL && *found == NULL; i++) {
		size_t same = order[i] == writer ? clip : written->beside > 0 ? written->beside - 1 : 0;
		uint32_t number = GODOT_NO_PARENT;
		const struct godot_written_clip *at;

		if (order[i] == NULL || (order[i] != writer && writer->into != NULL && written->beside == 0))
			continue;
		at = godot_writer_clip(order[i], same);
		if (find_below(order[i], at->root, godot_source_node(&at->names, path), &number) != 0)
			return -1;
		if (number != GODOT_NO_PARENT)
			*found = godot_nodes_at(&order[i]->nodes, number);
	}
	return path == NULL ? -1 : 0;
}

/*
 * Get the value that the scene shows without any clip. RESET has it in its first key. Blend shapes are 0.
 * Returns 1, 0 if it is unknown, or -1.
 */
static int rest_of(struct godot_writer *writer, const struct godot_part *part, const struct anim_track *t,
		   double *value)
{
	const struct godot_scene_node *node;
	bool angles = t->property[0] == 'e' || t->property[0] == 'a';
	double rotation[4], euler[3];
	int order;

	for (unsigned i = 0; i < anim_types[t->type].components; i++)
		value[i] = part->reset ? anim_component(t->type, t->value, 0, i) : 0;
	if (part->reset || t->property[0] == 'b')
		return 1;
	if (find_rest(writer, part->clip, t, &node) != 0)
		return -1;
	if (node == NULL)
		return 0;
	for (unsigned i = 0; i < 4; i++)
		rotation[i] = (double)node->rotation[i];
	order = anim_euler_order_find(anim_attrs_get(&t->attrs, "order"));
	anim_euler_from_quat_double(euler, rotation, order < 0 ? ANIM_EULER_YXZ : (enum anim_euler_order)order);
	for (unsigned i = 0; i < anim_types[t->type].components; i++) {
		unsigned at = t->component == ANIM_WHOLE ? i : t->component;

		if (at >= (t->property[0] == 'r' ? 4 : 3))
			return 0;
		value[i] = t->property[0] == 'p'   ? (double)node->position[at]
			   : t->property[0] == 's' ? (double)node->scale[at]
			   : t->property[0] == 'r' ? rotation[at]
			   : t->property[0] == 'a' ? 2 * anim_atan2(rotation[2], rotation[3])
						   : euler[at];
		if (angles && (t->flags & ANIM_DEGREES))
			value[i] *= 180 / ANIM_PI;
	}
	return 1;
}

/* Write the rest key of a transform track of Godot 3. A bone has the identity, relative to its rest pose. */
static int write_rest_row(struct godot_writer *writer, const struct godot_track_out *out, const struct godot_part *part,
			  const struct anim_track *t, const struct godot_plan *plan, size_t number)
{
	const char *path = written_path(out->names, t, plan->type, out->scratch, out->error);
	float row[ROW] = {0, 1}, *at = row + 2;

	for (size_t i = 0; i < PARTS; at += parts[i++].components) {
		float value[4];

		if (path == NULL || fill_rest(writer, part->clip, t, i, value) != 0)
			return -1;
		memcpy(at, value, parts[i].components * sizeof *at);
	}
	print_settings(out, number, t, plan, path);
	godot_print_format(out->print, "%s%(", godot_print_word(out->print, &godot_types[GODOT_PACKED_FLOAT32]));
	godot_print_run(out->print, true, row, ROW, ROW);
	godot_print_format(out->print, "%)\n");
	return out->print->out.failed ? -1 : 0;
}

/* Write a track of one key, in the form that the part has in the other clips. Returns 0 or -1. */
static int write_rest(struct godot_writer *writer, const struct godot_track_out *out, const struct anim_scope *scope,
		      const struct godot_part *part, size_t *number)
{
	struct godot_track_out own = *out;
	const float time_s = out->start_s;
	double components[ANIM_COMPONENTS_MAX];
	union {
		uint8_t bytes[ANIM_VALUE_MAX];
		double aligned;
	} value;
	struct anim_track track;
	struct godot_plan plan;
	int known;

	anim_arena_reset(&writer->scratch);
	own.names = &godot_writer_clip(writer, part->clip)->names;
	own.scratch = &writer->scratch;
	if (anim_store_read(writer->store, part->clip, part->track, &track, writer->error) != 0)
		return -1;
	track.n = 1;
	track.time = &time_s;
	track.ease = NULL;
	godot_plan_track(own.names, &track, &plan);
	known = rest_of(writer, part, &track, components);
	if (known < 0)
		return -1;
	if (known == 0) {
		char label[GODOT_LABEL_MAX];

		anim_track_label(&track, label, sizeof label);
		writer->options.diagnostics->scope = scope;
		return godot_writer_warn(
		    writer, "track",
		    "'%s': no key in this clip, unlike in others, because the rest pose is unknown; Godot then sets 0 "
		    "or keeps the pose of the previous clip; convert the clips with their model",
		    label);
	}
	if (plan.type == GODOT_TRACK_TRANSFORM)
		return write_rest_row(writer, &own, part, &track, &plan, (*number)++);
	anim_value_store(track.type, components, value.bytes);
	track.value = value.bytes;
	if (to_motion_scale(writer, part->clip, &plan, &track) != 0)
		return -1;
	return print_track(&own, (*number)++, &track, NULL);
}

/*
 * Add the part that a track animates to a set, or, with `lacks`, find out whether the set lacks it. Euler angles and
 * quaternions are the same part, and a whole has all its components. Returns 1 if it is in the set, 0 or -1.
 */
static int cover(struct godot_writer *writer, size_t clip, size_t track, struct anim_text_set *set, bool lacks)
{
	const struct anim_store_track *stored = anim_store_track_at(writer->store, clip, track);
	const struct anim_track t = {
	    .node = stored->node, .property = stored->property, .type = stored->type, .component = stored->component};
	const unsigned whole = ANIM_WHOLE, any = ANIM_WHOLE + 1;
	const char *node, *property = t.property, *names[3];

	anim_arena_reset(&writer->scratch);
	node = godot_written_track_node(&godot_writer_clip(writer, clip)->names, &t, &writer->scratch, writer->error);
	if (anim_text_is_word("euler angle", property))
		property = "rotation";
	if (strncmp(property, "blend_shape/", 12) == 0)
		property =
		    godot_written_shape(&godot_writer_clip(writer, clip)->names, &t, &writer->scratch, writer->error);
	for (unsigned i = 0; i < 3 && node != NULL; i++) {
		names[i] = property == NULL ? NULL
					    : part_name(writer, node, property,
							i == 0   ? t.component
							: i == 1 ? whole
								 : any,
							&writer->scratch);
		if (names[i] == NULL)
			return -1;
	}
	if (node == NULL)
		return -1;
	if (!lacks)
		return anim_text_set_add(set, names[0], strlen(names[0]), writer->error) < 0 ||
			       anim_text_set_add(set, names[2], strlen(names[2]), writer->error) < 0
			   ? -1
			   : 1;
	return anim_text_set_has(set, names[0], strlen(names[0])) ||
	       anim_text_set_has(set, names[1], strlen(names[1])) ||
	       (t.component == ANIM_WHOLE && anim_text_set_has(set, names[2], strlen(names[2])));
}

/* Add all parts of the clip to the set: its tracks, and the parts of its group, which it gets. Returns 0 or -1. */
static int cover_clip(struct godot_writer *writer, size_t clip, struct anim_text_set *set)
{
	uint32_t at = *part_list(writer, godot_writer_clip(writer, clip)->group);

	for (size_t i = 0; i < anim_store_tracks(writer->store, clip); i++)
		if (cover(writer, clip, i, set, false) < 0)
			return -1;
	for (; at != 0 && writer->into != NULL; at = part_at(writer, at - 1)->next)
		if (cover(writer, part_at(writer, at - 1)->clip, part_at(writer, at - 1)->track, set, false) < 0)
			return -1;
	return 0;
}

int godot_writer_lacks(struct godot_writer *writer, size_t clip, char label[GODOT_LABEL_MAX], size_t *from)
{
	struct godot_writer *beside = writer->beside;
	struct anim_text_set set = {0};
	int result;

	result = cover_clip(beside, clip, &set) != 0 ? -1 : 1;
	for (size_t i = 0; i < writer->parts.size / sizeof(struct godot_part) && result > 0; i++) {
		const struct godot_part *part = part_at(writer, (uint32_t)i);
		const struct godot_written_clip *written = godot_writer_clip(writer, part->clip);
		struct anim_track track;

		if (!part->listed || written->beside == 0 || !part->foreign ||
		    godot_writer_clip(beside, written->beside - 1)->group != godot_writer_clip(beside, clip)->group)
			continue;
		result = cover(writer, part->clip, part->track, &set, true);
		if (result != 0)
			continue;
		if (anim_store_read(writer->store, part->clip, part->track, &track, writer->error) != 0)
			result = -1;
		else
			anim_track_label(&track, label, GODOT_LABEL_MAX);
		*from = part->clip;
	}
	anim_text_set_clear(&set);
	return result < 0 ? -1 : result == 0;
}

/*
 * Write rest values for parts that this clip does not animate. They are animated by clips of its group or of the edited file.
 * Returns 0 or -1.
 */
static int write_rests(struct godot_writer *writer, const struct godot_track_out *out, size_t clip, size_t *number)
{
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	struct godot_writer *beside = writer->beside;
	struct anim_text_set set = {0};
	uint32_t at;
	int result;

	for (size_t i = 0; i < anim_store_tracks(writer->store, clip); i++) {
		const char *name;

		anim_arena_reset(&writer->scratch);
		name = track_part(writer, clip, i);
		if (name == NULL)
			return -1;
		if (anim_map_get(&writer->by_part, written->group, name, strlen(name), &at))
			part_at(writer, at)->seen = (uint32_t)clip + 1;
	}
	for (at = *part_list(writer, written->group); at != 0; at = part_at(writer, at - 1)->next) {
		const struct godot_part *part = part_at(writer, at - 1);

		if (part->seen != clip + 1 && (part->foreign || !out->names->from_godot) &&
		    write_rest(writer, out, written->scope, part, number) != 0)
			return -1;
	}
	if (out->names->from_godot || beside == NULL || written->beside == 0)
		return 0;

	at = *part_list(beside, godot_writer_clip(beside, written->beside - 1)->group);
	result = cover_clip(writer, clip, &set);
	for (; at != 0 && result >= 0; at = part_at(beside, at - 1)->next) {
		const struct godot_part *part = part_at(beside, at - 1);

		result = cover(beside, part->clip, part->track, &set, true);
		if (result == 0)
			result = write_rest(beside, out, written->scope, part, number);
	}
	anim_text_set_clear(&set);
	return result < 0 ? -1 : 0;
}

/* ---- All properties ---- */

#define LENGTH_DEFAULT_S 1.0f /* the default of the engine; files omit it, except files of Godot 2 */
#define LENGTH_MIN_S 0.001f   /* the minimum in the engine */

int godot_writer_animation(struct godot_writer *writer, size_t clip, enum godot_write what)
{
	const struct anim_clip *head = anim_store_clip(writer->store, clip);
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	const char *step = anim_attrs_get(&head->attrs, "godot.step");
	float length = (float)((double)head->end_s - (double)head->start_s);
	struct godot_print *print = &writer->print;
	bool old = godot_print_is_3(print), loops = head->loop != ANIM_LOOP_NONE;
	struct godot_track_out out = {print, &written->names, head->start_s, &writer->scratch, writer->error, NULL, 0};
	size_t count = anim_store_tracks(writer->store, clip), number = 0;
	uint8_t *done;
	int result = 0;

	if (!(length >= LENGTH_MIN_S))
		length = LENGTH_MIN_S;
	print->subs = written->subs;
	if (what == GODOT_WRITE_ALL) {
		const char *own = anim_attrs_get(&head->attrs, "godot.resource_name");
		const char *name = written->names.from_godot ? own : head->name;

		/* Godot clips keep the name from their file, if any. Other clips get the name of the clip. */
		if (name != NULL && name[0] != '\0')
			godot_print_format(print, print->godot2 ? "resource/name = %Q\n" : "resource_name = %Q\n",
					   name);
	}
	if (what != GODOT_WRITE_TRACKS) {
		if (length != LENGTH_DEFAULT_S || print->godot2)
			godot_print_format(print, "length = %f\n", (double)length);
		if (old && (loops || print->godot2))
			godot_print_text(print, loops ? "loop = true\n" : "loop = false\n");
		else if (loops)
			godot_print_format(print, "loop_mode = %u\n", (size_t)head->loop);
	}
	if (what == GODOT_WRITE_ALL && step != NULL && strlen(step) <= ANIM_NUMBER_MAX) {
		char copy[ANIM_NUMBER_MAX + ANIM_INPUT_SLACK] = {0};
		const char *end = copy + strlen(step);
		float value;

		/* Print the snapping step of the editor, a number as the reader printed it. */
		memcpy(copy, step, strlen(step));
		if (end > copy && anim_number_float(copy, end, &value) == end)
			godot_print_format(print, "step = %f\n", (double)value);
	}
	if (what == GODOT_WRITE_HEAD)
		return 0;
	if (written->captures && print->version != ANIM_GODOT_4_2)
		godot_print_text(print, "capture_included = true\n");

	/* The markers come before the tracks. */
	done = calloc(count + 1, 1);
	if (done == NULL)
		return anim_fail_memory(writer->error);
	for (size_t i = 0; i < count && result == 0 && !written->names.godot3; i++) {
		struct anim_track markers;
		size_t bad;

		if (strcmp(anim_store_track_at(writer->store, clip, i)->property, "@marker") != 0)
			continue;
		result = anim_store_read(writer->store, clip, i, &markers, writer->error);
		anim_arena_reset(&writer->scratch);
		if (result == 0)
			result = godot_print_markers(&out, &markers, &bad);
		break;
	}
	for (size_t i = 0; i < count && result == 0; i++)
		if (!done[i] && strcmp(anim_store_track_at(writer->store, clip, i)->property, "@marker") != 0)
			result = write_track(writer, &out, clip, i, done, &number);
	if (result == 0)
		result = write_rests(writer, &out, clip, &number);
	free(done);
	return result != 0 || print->out.failed ? -1 : 0;
}

/* ---- The names of clips and libraries in a file ---- */

/* Return whether the name needs quotes, like property_name_encode of Godot. */
static bool wants_quotes(const char *name)
{
	for (; *name != '\0'; name++)
		if ((unsigned char)*name < 33 || (unsigned char)*name > 126 || strchr("=\";[]", *name) != NULL)
			return true;
	return false;
}

void godot_writer_named(struct godot_writer *writer, const char *prefix, const char *name)
{
	const char *text = anim_arena_printf(&writer->scratch, writer->error, "%s%s", prefix, name);

	if (text == NULL)
		writer->print.out.failed = true;
	else
		godot_print_format(&writer->print, wants_quotes(text) ? "%Q = " : "%s = ", text);
}

void godot_writer_entry(struct godot_writer *writer, size_t clip, size_t number)
{
	godot_print_format(&writer->print, "%k: ", godot_writer_clip(writer, clip)->name);
	godot_print_sub(&writer->print, "Animation", number);
}

void godot_writer_own(struct godot_writer *writer, size_t clip, size_t number)
{
	godot_writer_named(writer, "anims/", godot_writer_clip(writer, clip)->name);
	godot_print_sub(&writer->print, "Animation", number);
}

/* ---- Messages about tracks that are written or omitted ---- */

static int report(struct godot_writer *writer, enum anim_severity severity, const char *label, const char *what)
{
	return anim_diagnostics_add(writer->options.diagnostics, severity, NULL, "track", writer->error, "'%s': %s",
				    label, what);
}

/* Record a text of this kind below `root`. Returns 1 if it is new, 0 if not, or -1. */
static int note_text(struct godot_writer *writer, char kind, const char *root, const char *text, size_t length)
{
	struct anim_buffer key = {0};
	int result = -1;

	if (anim_buffer_append(&key, &kind, 1, writer->error) == 0 &&
	    anim_buffer_append(&key, root, strlen(root) + 1, writer->error) == 0 &&
	    anim_buffer_append(&key, text, length, writer->error) == 0)
		result = anim_text_set_add(&writer->reported, key.data, key.size, writer->error);
	anim_buffer_clear(&key);
	return result;
}

/* Report each name in the path that is written differently, once. Returns 0 or -1. */
static int report_names(struct godot_writer *writer, const char *path, const char *written)
{
	size_t length;

	for (size_t at = 0; path != written && path[at] != '\0'; at += length + (path[at + length] == '/')) {
		const char *name = path + at;
		int is_new = 0;

		length = strcspn(name, "/");
		if (memcmp(name, written + at, length) != 0)
			is_new = note_text(writer, '/', "", name, length);
		if (is_new == 0)
			continue;
		if (is_new < 0 ||
		    godot_writer_warn(
			writer, "name",
			"'%.*s': '_' replaces characters that node names in Godot cannot have (. : @ / \" %%)",
			(int)length, name) != 0 ||
		    anim_diagnostics_name(writer->options.diagnostics, writer->error, "'%.*s'", (int)length, name) != 0)
			return -1;
	}
	return 0;
}

/* Report two nodes that get the same name in Godot. The tracks of both then animate one node. */
static int report_node(struct godot_writer *writer, const struct anim_track *t)
{
	size_t clips = writer->clips.size / sizeof(struct godot_written_clip);
	const char *root = godot_writer_clip(writer, clips - 1)->root, *written;
	int is_new;

	if (writer->names.from_godot)
		return 0;
	written = godot_written_track_node(&writer->names, t, &writer->scratch, writer->error);
	if (written == NULL || report_names(writer, t->node, written) != 0)
		return -1;
	is_new = note_text(writer, '<', root, t->node, strlen(t->node));
	if (is_new <= 0)
		return is_new;
	is_new = note_text(writer, '>', root, written, strlen(written));
	if (is_new == 0)
		return godot_writer_warn(writer, "node", "'%s' (now '%s'): same name as another node in Godot", t->node,
					 written);
	return is_new < 0 ? -1 : 0;
}

/*
 * Report a ':' in a name, once per name, because it separates parts of a path in Godot. Tracks from Godot can have it
 * in properties, but not in blend shapes.
 */
static int report_colon(struct godot_writer *writer, const struct anim_track *t)
{
	static const char prefix[] = "blend_shape/";
	bool shape = strncmp(t->property, prefix, sizeof prefix - 1) == 0, own = writer->names.from_godot;
	const char *name = shape ? t->property + sizeof prefix - 1 : t->property, *written;
	int is_new;

	if (t->property[0] == '@' || strchr(name, ':') == NULL || (!shape && own) ||
	    godot_is_foreign(&writer->names, t))
		return 0;
	is_new = note_text(writer, ':', "", t->property, strlen(t->property));
	if (is_new <= 0)
		return is_new;
	if (!shape || own)
		return godot_writer_warn(writer, NULL,
					 "%s '%s' is never found: in Godot, a ':' separates the parts of a path",
					 shape ? "blend shape" : "property", name);
	written = godot_written_shape(&writer->names, t, &writer->scratch, writer->error);
	if (written == NULL)
		return -1;
	return godot_writer_warn(writer, NULL, "blend shape '%s' is written as '%s', as in the importer of Godot", name,
				 written);
}

/* Report what is lost in a track. Returns 1 if the track is omitted, which has been reported, 0 if not, or -1. */
static int report_track(struct godot_writer *writer, const struct anim_track *t, const struct godot_plan *plan,
			const char *label)
{
	bool old = godot_print_is_3(&writer->print);

	if (t->type == ANIM_STRING && strcmp(t->property, "@marker") == 0) {
		if (!old)
			return 0;
		return godot_writer_note(writer, NULL, "Godot 3 has no markers: they are left out") != 0 ? -1 : 1;
	}
	if (plan->type == GODOT_TRACK_UNKNOWN) {
		anim_diagnostics_leave_out(writer->options.diagnostics);
		return godot_writer_warn(writer, "track",
					 "'%s': left out, because Godot has no such track" ANIM_DETAIL " (%s)", label,
					 plan->why) != 0
			   ? -1
			   : 1;
	}
	if (report_node(writer, t) != 0)
		return -1;
	if (t->property[0] != '@' && godot_is_foreign(&writer->names, t) &&
	    anim_attrs_get(&t->attrs, "unity.humanoid") == NULL &&
	    report(writer, ANIM_WARNING, label, "properties of Unity that Godot's nodes do not have") != 0)
		return -1;
	if (report_colon(writer, t) != 0)
		return -1;
	if (strcmp(t->property, "@event") == 0 && report(writer, ANIM_NOTE, label,
							 "Unity events call methods of the animated root, with all "
							 "parameters that an event of the method sets") != 0)
		return -1;
	if (!(t->flags & ANIM_REST_RELATIVE) || old)
		return 0;
	/* It is absolute in Godot 4, but convert had no rest pose to make it so. */
	return report(writer, ANIM_WARNING, label,
		      "relative to an unknown rest pose, but tracks of Godot 4 are absolute; try " ANIM_OPTION_TO(
			  "bake", "rest", "FILE"));
}

/*
 * Collect the references in the texts of a track, which must be known before the first line of the file is written, and
 * report keys that cannot be written. The clip is the last in the store. Returns 0 or -1.
 */
static int gather(struct godot_writer *writer, const struct anim_track *t, const struct godot_plan *plan,
		  const char *label)
{
	struct godot_track_out out = {&writer->print, &writer->names, 0, &writer->scratch, writer->error, NULL, 0};
	bool marker = strcmp(t->property, "@marker") == 0, lost_references, lost_objects;
	size_t bad = 0, lost, rows;
	int result;

	if (t->type != ANIM_STRING)
		return 0;
	writer->print.gathering = true;
	if (marker)
		result = godot_print_markers(&out, t, &bad);
	else if (t->property[0] == '@')
		result = godot_print_event_keys(&out, t, plan->type, &bad);
	else
		result = godot_print_keys(&out, t, plan, NULL);
	writer->print.gathering = false;
	if (result != 0 || writer->print.out.failed)
		return -1;

	out.start_s = anim_store_clip(writer->store, anim_store_clips(writer->store) - 1)->start_s;
	if (godot_call_rows(&out, t, &rows, &lost) != 0)
		return -1;
	if (rows > 1 && marker) {
		if (report(writer, ANIM_WARNING, label, "several markers at the same time; Godot keeps the last") != 0)
			return -1;
	} else {
		if (lost > 0 &&
		    report(writer, ANIM_WARNING, label, "too many calls at the same time; the last are left out") != 0)
			return -1;
		if (rows > 1 && report(writer, ANIM_NOTE, label,
				       "several calls at the same time; Godot keeps one per track, so the others are "
				       "in additional tracks") != 0)
			return -1;
	}

	lost_references = writer->print.lost_references > 0;
	lost_objects = writer->print.lost_objects > 0;
	writer->print.lost_references = writer->print.lost_objects = 0;
	if (bad > 0 && report(writer, ANIM_WARNING, label, "invalid event keys are left out") != 0)
		return -1;
	if (lost_objects &&
	    report(writer, ANIM_WARNING, label,
		   "Unity objects that events pass are left out, because Godot does not have them") != 0)
		return -1;
	if (!lost_references)
		return 0;
	return report(writer, ANIM_WARNING, label,
		      "keys with resources inside the source file, which are not in the stream, are null");
}

/* ---- Players, libraries and names of clips ---- */

char *godot_writer_clean(struct godot_writer *writer, const char *text, size_t length, bool *changed)
{
	char *copy = anim_arena_text(&writer->kept, text, length, writer->error);

	for (char *at = copy; at != NULL && *at != '\0'; at++)
		if (strchr("/:,[", *at) != NULL) {
			*at = '_';
			*changed = true;
		}
	return copy;
}

/* Make the name unique in its library: "walk", or the first free name of "walk-2", "walk-3" ... Returns 0 or -1. */
static int make_unique(struct godot_writer *writer, struct godot_written_clip *written, bool *changed)
{
	const char *name = written->name;
	size_t length = strlen(name), size = length;
	uint32_t number = 2, known;
	char *text;

	if (!anim_map_get(&writer->taken, written->library_number, name, length, &number))
		return anim_map_put(&writer->taken, written->library_number, name, length, number, writer->error);
	*changed = true;
	text = anim_arena_alloc(&writer->kept, length + 2 + ANIM_NUMBER_MAX, writer->error);
	if (text == NULL)
		return -1;
	memcpy(text, name, length);
	text[length] = '-';
	do {
		size = length + 1 + anim_number_print_uint64(text + length + 1, number++);
		text[size] = '\0';
	} while (anim_map_get(&writer->taken, written->library_number, text, size, &known));
	written->name = text;
	if (anim_map_put(&writer->taken, written->library_number, text, size, 2, writer->error) != 0)
		return -1;
	return anim_map_put(&writer->taken, written->library_number, name, length, number, writer->error);
}

/* Set the player, the root and the names of a clip. Changed names are reported. Returns 0 or -1. */
static int writer_place(struct godot_writer *writer, const struct anim_clip *clip, struct godot_written_clip *written)
{
	/* "lib/walk" is a library and a name. A .tres is one library, and Godot 3 has no libraries. */
	const char *slash = godot_print_is_3(&writer->print) ? NULL : strchr(clip->name, '/');
	const char *name = slash == NULL ? clip->name : slash + 1;
	const char *root = godot_written_node(&writer->names, clip->root, NULL, &writer->kept, writer->error);
	const char *player = anim_attrs_get(&clip->attrs, "player");
	size_t library = slash == NULL || !writer->options.scene ? 0 : (size_t)(slash - clip->name);
	bool changed = name[0] == '\0';

	/* A Godot player keeps its path. A Unity Animator gets a player below its node. */
	if (player == NULL || strcmp(player, ".") == 0 || !godot_nodes_can_be(player)) {
		written->player = "AnimationPlayer";
	} else if (writer->names.from_godot) {
		written->player = anim_arena_text(&writer->kept, player, strlen(player), writer->error);
	} else {
		player = godot_written_node(&writer->names, player, NULL, &writer->kept, writer->error);
		written->player = player == NULL
				      ? NULL
				      : anim_arena_printf(&writer->kept, writer->error, "%s/AnimationPlayer", player);
	}
	if (root == NULL || written->player == NULL)
		return -1;
	root = root[0] == '\0' ? "." : root;
	written->root = anim_arena_text(&writer->kept, root, strlen(root), writer->error);
	if (written->root == NULL)
		return -1;

	if (changed)
		name = "animation";
	written->library = godot_writer_clean(writer, clip->name, library, &changed);
	written->name = godot_writer_clean(writer, name, strlen(name), &changed);
	if (written->library == NULL || written->name == NULL ||
	    number_of(writer, 0, writer->options.scene ? written->player : "", &writer->players,
		      &written->player_number) != 0)
		return -1;
	/* Libraries of different players are different, whatever their names are. */
	if (number_of(writer, 1 + (uint64_t)written->player_number, written->library, &writer->libraries,
		      &written->library_number) != 0 ||
	    make_unique(writer, written, &changed) != 0)
		return -1;
	if (!changed)
		return 0;
	return godot_writer_warn(
	    writer, "clip",
	    "'%s' (now '%s'): renamed, because names in Godot are unique and have no '/', ':', ',' or '['", clip->name,
	    written->name);
}

/* ---- The sink ---- */

#define BIT(type) ((uint64_t)1 << (type))
#define NUMBERS                                                                                                    \
	(BIT(ANIM_BOOL) | BIT(ANIM_BYTE) | BIT(ANIM_USHORT) | BIT(ANIM_UINT) | BIT(ANIM_SBYTE) | BIT(ANIM_SHORT) | \
	 BIT(ANIM_INT) | BIT(ANIM_LONG) | BIT(ANIM_FLOAT) | BIT(ANIM_DOUBLE))

#define VECTORS                                                                                           \
	(BIT(ANIM_FLOAT2) | BIT(ANIM_FLOAT3) | BIT(ANIM_FLOAT4) | BIT(ANIM_FLOATQ) | BIT(ANIM_FLOAT3X3) | \
	 BIT(ANIM_FLOAT4X4) | BIT(ANIM_COLOR) | BIT(ANIM_STRING))

#define WHOLES (BIT(ANIM_INT2) | BIT(ANIM_INT3) | BIT(ANIM_INT4))
#define MODES (1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_BEZIER_2D)

const struct anim_caps anim_godot_caps = {.format = "godot",
					  .engine = ANIM_ENGINE_GODOT4,
					  .kinds = 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					  .types = NUMBERS | VECTORS | WHOLES,
					  .interps = MODES | 1u << ANIM_CUBIC_TIME | 1u << ANIM_LINEAR_ANGLE |
						     1u << ANIM_CUBIC_ANGLE,
					  .flags = ANIM_LOOP_WRAP_KEYS | ANIM_DISABLED | ANIM_UNSORTED,
					  .rules = ANIM_RULES_GODOT4,
					  .components = true,
					  .euler = true,
					  .angle = true,
					  .ease = true,
					  .matrices = true,
					  .raw_start = true,
					  .own_flags = ANIM_DEGREES,
					  .bones = true,
					  .one_form = true,
					  .joined_rotations = true,
					  .source_texts = true,
					  .euler_yxz = true};

const struct anim_caps anim_godot3_caps = {.format = "godot 3",
					   .engine = ANIM_ENGINE_GODOT3,
					   .kinds = 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					   .types = NUMBERS | VECTORS,
					   .interps = MODES | 1u << ANIM_CUBIC_UNIFORM,
					   .flags = ANIM_LOOP_WRAP_KEYS | ANIM_DISABLED | ANIM_UNSORTED | ANIM_DEGREES |
						    ANIM_REST_RELATIVE,
					   .rules = ANIM_RULES_GODOT3,
					   .components = true,
					   .euler = true,
					   .angle = true,
					   .ease = true,
					   .matrices = true,
					   .raw_start = true,
					   .bones = true,
					   .one_form = true,
					   .joined_rotations = true,
					   .relative_bones = true,
					   .source_texts = true,
					   .euler_yxz = true};

static struct godot_writer *writer_of(struct anim_sink *sink, struct anim_error *error)
{
	struct godot_writer *writer = (struct godot_writer *)sink;

	writer->error = writer->print.out.error = error;
	return writer;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct godot_writer *writer = writer_of(sink, error);
	struct anim_place place = {.file = tree->source_file, .at = ANIM_AT_FILE};
	const char *left = anim_attrs_get(&tree->attrs, "godot.left");

	writer->names.from_godot = tree->axes == ANIM_AXES_GODOT && tree->axes2d == ANIM_AXES2D_GODOT;
	/* A new scene does not have the scripts and meshes of its source, which no stream can hold. */
	if (godot_writes_nodes(writer) && left != NULL &&
	    anim_diagnostics_add(writer->options.diagnostics, ANIM_NOTE, &place, NULL, error,
				 "only nodes and animation are written; left out: %s", left) != 0)
		return -1;
	writer->nodes.came.size = 0;
	if (writer->nodes.root_name == NULL) /* the name of the first tree; names from Godot are unchanged */
		writer->nodes.root_name = anim_godot_root(tree->root_name, &writer->nodes.arena, error);
	return writer->nodes.root_name == NULL ? -1 : 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct godot_writer *writer = writer_of(sink, error);
	const char *written;

	/*
	 * These are node types of Unity scenes that Godot does not have: the tree is from Unity and was converted by
	 * anim-axes.
	 */
	if (anim_text_is_word(
		"Transform RectTransform GameObject Light MeshRenderer SkinnedMeshRenderer SpriteRenderer MeshFilter",
		node->type))
		writer->names.from_godot = false;
	if (godot_nodes_add(&writer->nodes, &writer->names, node, &written, error) != 0)
		return -1;
	return godot_writes_nodes(writer) ? report_names(writer, node->path, written) : 0;
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct godot_writer *writer = writer_of(sink, error);
	struct godot_written_clip written = {.autoplay = anim_attrs_get(&clip->attrs, "godot.autoplay") != NULL,
					     .in_library =
						 anim_attrs_get(&clip->attrs, ANIM_ATTR_GODOT_LIBRARY) != NULL,
					     .scope = writer->options.diagnostics->scope};

	written.names = (struct godot_names){.godot3 = godot_print_is_3(&writer->print),
					     .from_godot = anim_source_is_godot(clip->source),
					     .own_bones = clip->source[0] == '\0',
					     .from_unity = strcmp(clip->source, "unity") == 0,
					     .keep = writer->options.keep_names || writer->print.godot2};
	if (writer->print.godot2 && strcmp(clip->source, "godot2") != 0) {
		anim_fail(
		    error, ANIM_UNSUPPORTED,
		    "it is a Godot 2 file, where properties have other names than in '%s'; save it in Godot 3 once",
		    clip->name);
		return anim_error_in_file(error, writer->options.into.file);
	}
	written.names.own_bones |= written.names.from_godot;
	written.names.from3 = written.names.from_godot && strcmp(clip->source, "godot4") != 0;
	writer->names = written.names;
	writer->in_tree = (clip->flags & ANIM_IN_TREE) != 0;
	if (written.names.godot3 && clip->loop == ANIM_LOOP_PINGPONG &&
	    godot_writer_note(writer, "clip", "'%s': will loop from the start, because Godot 3 has no ping-pong",
			      clip->name) != 0)
		return -1;
	if (writer_place(writer, clip, &written) != 0 ||
	    (writer->into != NULL &&
	     godot_into_clip(writer->into, writer, &written, writer->clips.size / sizeof written, error) != 0) ||
	    anim_buffer_append(&writer->clips, &written, sizeof written, error) != 0)
		return -1;
	writer->print.subs = written.subs;
	return anim_sink_clip(anim_store_sink(writer->store), clip, error);
}

/*
 * Check that the format supports the track. convert should have changed it, but leaves tracks without keys unchanged.
 */
static int check(const struct godot_writer *writer, const struct anim_track *t, const char *label)
{
	const struct anim_caps *caps = godot_print_is_3(&writer->print) ? &anim_godot3_caps : &anim_godot_caps;
	const char *what = NULL;

	if (t->n == 0)
		return 0;
	if (!(caps->kinds & 1u << t->kind))
		what = "of samples";
	else if (!(caps->types & BIT(t->type)))
		what = anim_types[t->type].name;
	else if (t->kind == ANIM_CURVE && t->interp == ANIM_INTERP_COLUMN)
		what = "of several modes";
	else if (t->kind == ANIM_CURVE && !(caps->interps & 1u << t->interp))
		what = anim_interp_names[t->interp];
	if (what == NULL)
		return 0;
	return anim_fail(writer->error, ANIM_UNSUPPORTED,
			 "track '%s' is %s; %s cannot hold it: " ANIM_ADVICE_TO(SAMPLE, "30"), label, what,
			 caps->format);
}

/* Negate the angles of a track, because angles of Godot 2 have the opposite sign. */
static int negate(struct godot_writer *writer, const struct anim_track *t, struct anim_track *out)
{
	union {
		const void *value;
		void *own;
	} column;

	if (anim_track_copy(out, t, &writer->scratch, writer->error) != 0)
		return -1;
	column.value = out->value;
	for (size_t k = 0; k < t->n; k++)
		if (t->type == ANIM_FLOAT)
			((float *)column.own)[k] *= -1;
		else if (t->type == ANIM_DOUBLE)
			((double *)column.own)[k] *= -1;
		else if (t->type == ANIM_INT)
			((uint32_t *)column.own)[k] = -((uint32_t *)column.own)[k];
		else if (t->type == ANIM_LONG)
			((uint64_t *)column.own)[k] = -((uint64_t *)column.own)[k];
	return 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct godot_writer *writer = writer_of(sink, error);
	struct godot_plan plan;
	struct anim_track negated;
	char label[GODOT_LABEL_MAX];
	size_t clip = writer->clips.size / sizeof(struct godot_written_clip) - 1, length = strlen(track->node);
	const char *node;
	uint32_t known;
	int reported;

	anim_arena_reset(&writer->scratch);
	if (godot_is_sprites(track))
		return godot_sprites_add(writer, track, error);
	anim_track_label(track, label, sizeof label);
	if (strcmp(track->property, "transform/rot") == 0 && writer->names.from3 && !writer->names.keep) {
		if (negate(writer, track, &negated) != 0)
			return -1;
		track = &negated;
	}
	if (check(writer, track, label) != 0)
		return -1;
	godot_plan_track(&writer->names, track, &plan);
	if (plan.type == GODOT_TRACK_VALUE && plan.update == GODOT_CAPTURE_4 && !godot_print_is_3(&writer->print))
		godot_writer_clip(writer, clip)->captures = true;
	reported = report_track(writer, track, &plan, label);
	if (reported != 0)
		return reported < 0 ? -1 : 0;

	/* Godot 3 has these, but not Godot 2. */
	if (writer->print.godot2 && plan.type != GODOT_TRACK_VALUE && plan.type != GODOT_TRACK_TRANSFORM &&
	    plan.type != GODOT_TRACK_METHOD)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "track '%s' is a %s track; Godot 2 has none: " ANIM_ADVICE_TO(SAMPLE, "30"), label,
				 godot_track_type_names[plan.type]);
	if (writer->print.godot2 && (track->flags & ANIM_DISABLED))
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "track '%s' is disabled, which Godot 2 does not support: leave it out", label);

	/* Record that the node is 3-D, because Godot 3 has another name for positions there. */
	if (writer->names.godot3 && godot_is_of_space(track) &&
	    !anim_map_get(&writer->spaces, clip, track->node, length, &known)) {
		node = anim_arena_text(&writer->kept, track->node, length, error);
		if (node == NULL || anim_map_put(&writer->spaces, clip, node, length, 1, error) != 0)
			return -1;
	}
	if (note_part(writer, track) != 0 || gather(writer, track, &plan, label) != 0 ||
	    (godot_writes_nodes(writer) && godot_writer_need(writer, track, &plan) != 0))
		return -1;
	return anim_sink_track(anim_store_sink(writer->store), track, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct godot_writer *writer = writer_of(sink, error);

	if (writer->clips.size == 0)
		return anim_fail_no_clip(error);
	if (godot_sprites_report(writer) != 0 || anim_diagnostics_check(writer->options.diagnostics, error) != 0 ||
	    (writer->into == NULL && godot_writer_group(writer) != 0) || godot_writer_document(writer) != 0)
		return -1;
	return writer->print.out.failed ? -1 : 0;
}

static void on_free(struct anim_sink *sink)
{
	struct godot_writer *writer = (struct godot_writer *)sink;

	if (writer->into != NULL && writer->beside != NULL)
		on_free(&writer->beside->sink);
	godot_into_free(writer->into);
	anim_store_free(writer->store);
	godot_print_clear(&writer->print);
	anim_arena_clear(&writer->scratch);
	anim_arena_clear(&writer->kept);
	anim_buffer_clear(&writer->clips);
	godot_nodes_clear(&writer->nodes);
	anim_map_clear(&writer->taken);
	anim_text_set_clear(&writer->reported);
	anim_map_clear(&writer->spaces);
	anim_buffer_clear(&writer->sheets);
	anim_map_clear(&writer->sheet_numbers);
	anim_map_clear(&writer->groups);
	anim_buffer_clear(&writer->parts);
	anim_buffer_clear(&writer->part_lists);
	anim_map_clear(&writer->by_part);
	free(writer);
}

struct anim_sink *anim_godot_writer_new(struct anim_output *out, const struct anim_write_options *options,
					struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct godot_writer *writer = anim_sink_new(sizeof *writer, &ops, error);

	if (writer == NULL)
		return NULL;
	writer->options = *options;
	writer->print.out.out = out;
	writer->print.version = options->version;
	writer->print.digits = options->digits;
	if (options->last != NULL) {
		struct godot_writer *last = (struct godot_writer *)options->last;

		writer->nodes = last->nodes;
		last->nodes = (struct godot_nodes){.root_name = NULL};
	}
	writer->nodes.godot3 = options->version == ANIM_GODOT_3;
	writer->store = anim_store_new(options->store_memory, error);
	if (writer->store != NULL && options->into.file != NULL)
		writer->into = godot_into_new(&writer->options, &writer->print, error);
	if (writer->store == NULL || (options->into.file != NULL && writer->into == NULL)) {
		on_free(&writer->sink);
		return NULL;
	}
	return &writer->sink;
}
