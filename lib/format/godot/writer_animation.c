/* writer_animation.c: the body of one Animation: its settings, and its tracks, some of which are one in Godot. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/keys.h"
#include "clip/sample.h"
#include "format/godot/motion_scale.h"
#include "format/godot/writer.h"

/* ---- One track: tracks/N/type and all behind it ---- */

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

static void print_editor_flags(const struct godot_track_out *out, size_t number, const struct anim_track *t)
{
	print_flag(out, number, "imported", is_true(t, "godot.imported"));
	print_flag(out, number, "enabled", !(t->flags & ANIM_DISABLED));
}

/* Godot 3 puts imported and enabled behind loop_wrap; Godot 2 has the first alone. */
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

/* A box's property without the ":position" of its first half; the frames of a sprite have a name of their own. */
static int rename(const struct godot_track_out *out, struct anim_track *t, const struct godot_plan *plan, bool box)
{
	size_t length = strlen(t->property), tail = strlen(":position");

	if (plan->sprite)
		t->property = "frame";
	if (!box || length <= tail)
		return 0;
	t->property = anim_arena_text(out->scratch, t->property, length - tail, out->error);
	return t->property == NULL ? -1 : 0;
}

static int print_track(const struct godot_track_out *out, size_t number, const struct anim_track *source,
		       const struct anim_track *box)
{
	struct anim_track track = *source;
	struct godot_plan plan;
	const char *path;

	godot_plan_track(out->names, source, &plan);
	if (rename(out, &track, &plan, box != NULL) != 0)
		return -1;
	path = godot_written_path(out->names, &track, plan.type, out->scratch, out->error);
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

static int print_track_head(const struct godot_track_out *out, size_t number, const struct anim_track *t)
{
	struct godot_plan plan;
	const char *path;

	godot_plan_track(out->names, t, &plan);
	path = godot_written_path(out->names, t, plan.type, out->scratch, out->error);
	if (path == NULL)
		return -1;
	print_settings(out, number, t, &plan, path);
	return 0;
}

/* ---- Godot 3's transform tracks: position, rotation and scale in one row a key ---- */

#define PARTS 3 /* position, rotation, scale */

static const struct {
	const char *property;
	enum anim_type type;
	unsigned components;
} parts[PARTS] = {{"position", ANIM_FLOAT3, 3}, {"rotation", ANIM_FLOATQ, 4}, {"scale", ANIM_FLOAT3, 3}};

/* The tracks that become one; n is 0 where there is none. */
struct transform_rows {
	struct anim_track track[PARTS];
	const float *time; /* of all keys, on the clip's axis */
	size_t n;
	const float *value[PARTS];
	const float *ease;
};

/* Reads the tracks of the node that are not written yet. 0 or -1. */
static int gather(struct godot_writer *writer, size_t clip, size_t first, uint8_t *done, struct transform_rows *out)
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

/* The track whose settings the whole has: the first with keys, else the first there is. */
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

static bool same_ease(const struct anim_track *a, const struct anim_track *b)
{
	for (size_t k = 0; k < a->n; k++)
		if ((a->ease == NULL ? 1 : a->ease[k]) != (b->ease == NULL ? 1 : b->ease[k]))
			return false;
	return true;
}

/* True where all tracks have their keys together. */
static bool is_together(const struct transform_rows *transform)
{
	const struct anim_track *first = leader(transform);

	for (size_t part = 0; part < PARTS; part++) {
		const struct anim_track *t = &transform->track[part];

		if (t->n > 0 && (t->n != first->n || t->interp != first->interp || t->kind != first->kind ||
				 memcmp(t->time, first->time, t->n * sizeof *t->time) != 0 || !same_ease(t, first)))
			return false;
	}
	return true;
}

/* The number of the track's node in the table, GODOT_NO_PARENT where it has none. 0 or -1. */
static int find_node(struct godot_writer *writer, size_t clip, const struct anim_track *t, uint32_t *number)
{
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	const char *node = godot_written_track_node(&written->names, t, &writer->scratch, writer->error), *path;
	struct anim_error trouble = {0};

	if (node == NULL)
		return -1;
	path = anim_tree_path(written->root, node, &writer->scratch, &trouble);
	if (trouble.code != ANIM_OK) { /* else the path leaves the scene */
		*writer->error = trouble;
		return -1;
	}
	*number = path == NULL ? GODOT_NO_PARENT : godot_nodes_find(&writer->nodes, path);
	return 0;
}

/* What shows where a part has no track: of a bone no change of its rest, of a node its placement in the tree. 0 or -1. */
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

static int fill_absent(struct godot_writer *writer, size_t clip, struct transform_rows *transform, size_t part)
{
	unsigned components = parts[part].components;
	float *values =
		  anim_arena_zeroed(&writer->scratch, transform->n + 1, components * sizeof *values, writer->error),
	      rest[4];

	if (values == NULL || fill_rest(writer, clip, leader(transform), part, rest) != 0)
		return -1;
	for (size_t k = 0; k < transform->n; k++)
		memcpy(values + k * components, rest, components * sizeof *values);
	transform->value[part] = values;
	return 0;
}

/* The times of all keys, rising, each once. 0 or -1. */
static int unite_times(struct godot_writer *writer, struct transform_rows *transform)
{
	size_t next[PARTS] = {0}, most = 1;
	float *times;

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
	return 0;
}

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
	for (size_t k = 0; k < transform->n;
	     k++) /* Godot 3 shows nothing before the first key: the first key's value */
		if (!present[k])
			memcpy(values + k * parts[part].components, transform->track[part].value,
			       parts[part].components * sizeof *values);
	transform->value[part] = values;
	return result;
}

/* Keys of all three on one row of times: on straight segments this changes nothing. */
static int unite(struct godot_writer *writer, size_t clip, struct transform_rows *transform)
{
	bool straight = true;

	if (unite_times(writer, transform) != 0)
		return -1;
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
	    writer, "transform tracks of Godot 3 were given keys on the lines between their curves' own",
	    "the transform track of '%s' was given keys on the lines between its curves' own", leader(transform)->node);
}

static void print_rows(const struct godot_track_out *out, const struct transform_rows *transform)
{
	godot_print_format(out->print, "%s%(", godot_print_word(out->print, &godot_types[GODOT_PACKED_FLOAT32]));
	for (size_t k = 0; k < transform->n; k++) {
		float row[2 + 3 + 4 + 3], *at = row + 2;

		row[0] = (float)((double)transform->time[k] - (double)out->start_s);
		row[1] = transform->ease != NULL ? transform->ease[k] : 1;
		for (size_t part = 0; part < PARTS; at += parts[part++].components)
			memcpy(at, transform->value[part] + k * parts[part].components,
			       parts[part].components * sizeof *at);
		godot_print_run(out->print, k == 0, row, 2 + 3 + 4 + 3);
	}
	godot_print_format(out->print, "%)\n");
}

/*
 * Track `first`, a position, rotation or scale, and the other two of its node as one transform track
 * of Godot 3; those taken are marked in `done`. 0 or -1.
 */
static int writer_transform(struct godot_writer *writer, const struct godot_track_out *out, size_t clip, size_t first,
			    uint8_t *done, size_t number)
{
	struct transform_rows transform = {0};
	struct anim_track like;
	bool together;

	for (size_t part = 0; part < PARTS; part++)
		transform.track[part] = (struct anim_track){.node = "", .property = ""};
	if (gather(writer, clip, first, done, &transform) != 0)
		return -1;
	like = *leader(&transform);
	together = is_together(&transform);
	if (together) {
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
	for (size_t part = 0; part < PARTS; part++)
		if (transform.value[part] == NULL && fill_absent(writer, clip, &transform, part) != 0)
			return -1;
	if (print_track_head(out, number, &like) != 0)
		return -1;
	print_rows(out, &transform);
	return out->print->out.failed ? -1 : 0;
}

/* ---- All tracks ---- */

static int print_markers(struct godot_writer *writer, size_t clip, const struct godot_track_out *out)
{
	struct anim_track track;
	size_t bad;

	for (size_t i = 0; i < anim_store_tracks(writer->store, clip); i++) {
		if (strcmp(anim_store_track_at(writer->store, clip, i)->property, "@marker") != 0)
			continue;
		if (anim_store_read(writer->store, clip, i, &track, writer->error) != 0)
			return -1;
		anim_arena_reset(&writer->scratch);
		return godot_print_markers(out, &track, &bad);
	}
	return 0;
}

static bool is_box(const struct anim_track *t, const char *tail)
{
	const char *variant = anim_attrs_get(&t->attrs, "godot.variant");

	return variant != NULL && strcmp(variant, "AABB") == 0 && t->type == ANIM_FLOAT3 &&
	       anim_text_ends(t->property, tail);
}

/*
 * 1: track i holds the positions of an AABB, and track i + 1, read into `size` (the store's), its sizes; the positions
 * are copied to the arena then. 0 or -1.
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

/* Of three dimensions, by what the source called it, by its node, by the node's other tracks, by its engine. 1, 0 or -1. */
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
					  godot_nodes_at(&writer->nodes, number)->source == GODOT_CLASS_TOLD))
		return 1;
	return anim_map_get(&writer->spaces, clip, t->node, strlen(t->node), &number) ||
	       (!written->names.from_godot && head->axes2d != ANIM_AXES2D_GODOT);
}

/* The scale of the skeleton that the node's path leads to, by the stream's tree; 0: there is none. 0 or -1. */
static int find_scale(struct godot_writer *writer, const struct godot_written_clip *written, const char *node,
		      float *scale)
{
	const char *root = written->root, *path;
	struct anim_error trouble = {0};
	uint32_t number;

	if (node[0] == '%') {
		size_t length = strcspn(node, "/:") - 1;

		if (!anim_map_get(&writer->nodes.by_unique, 0, node + 1, length, &number))
			return 0;
		root = godot_nodes_at(&writer->nodes, number)->path;
		node += 1 + length + (node[1 + length] == '/');
	}
	node = anim_arena_text(&writer->scratch, node, strcspn(node, ":"), writer->error);
	path = node == NULL ? NULL : anim_tree_path(root, node[0] == '\0' ? "." : node, &writer->scratch, &trouble);
	if (node == NULL || trouble.code != ANIM_OK) {
		if (node != NULL)
			*writer->error = trouble;
		return -1;
	}
	number = path == NULL ? GODOT_NO_PARENT : godot_nodes_find(&writer->nodes, path);
	if (number != GODOT_NO_PARENT)
		*scale = godot_nodes_at(&writer->nodes, number)->motion_scale;
	return 0;
}

/*
 * Turns positions of a bone from metres into the units of its skeleton: of the file that is written into, else of the tree
 * that came. Clips of Godot's that came without a tree are in such units already. 0 or -1.
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

/* Track i and what is one with it, which is marked in `done`; *number is the next one's then. 0 or -1. */
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

static int print_tracks(struct godot_writer *writer, size_t clip)
{
	const struct anim_clip *head = anim_store_clip(writer->store, clip);
	struct godot_track_out out = {&writer->print,
				      &godot_writer_clip(writer, clip)->names,
				      head->start_s,
				      &writer->scratch,
				      writer->error,
				      NULL,
				      0};
	size_t count = anim_store_tracks(writer->store, clip), number = 0;
	uint8_t *done = calloc(count + 1, 1);
	int result = done == NULL ? anim_fail_memory(writer->error) : 0;

	if (result == 0 && !out.names->godot3)
		result = print_markers(writer, clip, &out);
	for (size_t i = 0; i < count && result == 0; i++) {
		if (done[i] || strcmp(anim_store_track_at(writer->store, clip, i)->property, "@marker") == 0)
			continue;
		result = write_track(writer, &out, clip, i, done, &number);
	}
	free(done);
	return result != 0 || writer->print.out.failed ? -1 : 0;
}

/* ---- All properties ---- */

#define LENGTH_DEFAULT_S \
	1.0f /* what the engine takes where a file says nothing; its own files leave it out, but Godot 2's */
#define LENGTH_MIN_S 0.001f /* the engine has no shorter Animation */

static void print_length(struct godot_print *print, const struct anim_clip *clip)
{
	float length = (float)((double)clip->end_s - (double)clip->start_s);

	if (!(length >= LENGTH_MIN_S))
		length = LENGTH_MIN_S;
	if (length != LENGTH_DEFAULT_S || print->godot2)
		godot_print_format(print, "length = %f\n", (double)length);
}

static void print_loop(struct godot_print *print, const struct anim_clip *clip)
{
	if (godot_print_is_3(print) && (clip->loop != ANIM_LOOP_NONE || print->godot2))
		godot_print_text(print, clip->loop != ANIM_LOOP_NONE ? "loop = true\n" : "loop = false\n");
	else if (clip->loop != ANIM_LOOP_NONE)
		godot_print_format(print, "loop_mode = %u\n", (size_t)clip->loop);
}

/* The editor's snapping, a number as the reader printed it. */
static void print_step(struct godot_print *print, const struct anim_clip *clip)
{
	const char *step = anim_attrs_get(&clip->attrs, "godot.step");
	size_t length = step == NULL ? 0 : strlen(step);
	char copy[ANIM_NUMBER_MAX + ANIM_INPUT_SLACK] = {0};
	float value;

	if (length == 0 || length > ANIM_NUMBER_MAX)
		return;
	memcpy(copy, step, length);
	if (anim_number_float(copy, copy + length, &value) == copy + length)
		godot_print_format(print, "step = %f\n", (double)value);
}

/* A clip of Godot's has the name that its file gave it, if any; others keep theirs here. */
static void print_resource_name(struct godot_writer *writer, const struct anim_clip *clip, size_t number)
{
	const char *own = anim_attrs_get(&clip->attrs, "godot.resource_name");
	const char *name = godot_writer_clip(writer, number)->names.from_godot ? own : clip->name;

	if (name != NULL && name[0] != '\0')
		godot_print_format(&writer->print,
				   writer->print.godot2 ? "resource/name = %Q\n" : "resource_name = %Q\n", name);
}

int godot_writer_animation(struct godot_writer *writer, size_t clip, enum godot_write what)
{
	const struct anim_clip *head = anim_store_clip(writer->store, clip);

	writer->print.subs = godot_writer_clip(writer, clip)->subs;
	if (what == GODOT_WRITE_ALL)
		print_resource_name(writer, head, clip);
	if (what != GODOT_WRITE_TRACKS) {
		print_length(&writer->print, head);
		print_loop(&writer->print, head);
	}
	if (what == GODOT_WRITE_ALL)
		print_step(&writer->print, head);
	if (what == GODOT_WRITE_HEAD)
		return 0;
	if (godot_writer_clip(writer, clip)->captures && writer->print.version != ANIM_GODOT_4_2)
		godot_print_text(&writer->print, "capture_included = true\n");
	return print_tracks(writer, clip);
}
