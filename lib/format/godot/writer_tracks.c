/* writer_tracks.c: the tracks of one clip out of the store; those that are one in Godot are put together. */
#include <stdlib.h>
#include <string.h>

#include "clip/keys.h"
#include "format/godot/writer_internal.h"

static int emit_markers(struct godot_writer *writer, size_t clip, const struct godot_track_emit *out,
			struct anim_error *error)
{
	struct anim_track track;
	size_t bad;

	for (size_t i = 0; i < anim_store_tracks(writer->store, clip); i++) {
		if (strcmp(anim_store_track_at(writer->store, clip, i)->property, "@marker") != 0)
			continue;
		if (anim_store_read(writer->store, clip, i, &track, error) != 0)
			return -1;
		anim_arena_reset(&writer->scratch);
		return godot_emit_markers(out, &track, &bad);
	}
	return 0;
}

static bool ends_with(const char *text, const char *tail)
{
	size_t length = strlen(text), back = strlen(tail);

	return length >= back && strcmp(text + length - back, tail) == 0;
}

static bool is_box(const struct anim_track *t, const char *tail)
{
	const char *variant = anim_attrs_get(&t->attrs, "godot.variant");

	return variant != NULL && strcmp(variant, "AABB") == 0 && t->type == ANIM_FLOAT3 &&
	       ends_with(t->property, tail);
}

/*
 * 1: track i holds the positions of an AABB, and track i + 1, read into `size` (the store's), its sizes; the positions
 * are copied to the arena then. 0 or -1.
 */
static int find_box(struct godot_writer *writer, size_t clip, size_t i, struct anim_track *track,
		    struct anim_track *size, struct anim_error *error)
{
	struct anim_track copy;

	if (!is_box(track, ":position") || i + 1 >= anim_store_tracks(writer->store, clip))
		return 0;
	if (anim_track_copy(&copy, track, &writer->scratch, error) != 0 ||
	    anim_store_read(writer->store, clip, i + 1, size, error) != 0)
		return -1;
	if (!is_box(size, ":size") || size->n != copy.n || strcmp(size->node, copy.node) != 0 ||
	    size->kind != copy.kind || size->interp != copy.interp ||
	    (copy.time != NULL && memcmp(size->time, copy.time, copy.n * sizeof *copy.time) != 0))
		return anim_store_read(writer->store, clip, i, track, error);
	*track = copy;
	return 1;
}

/* A track that no node of two dimensions has. */
static bool is_of_space(const struct anim_track *t)
{
	if (!anim_track_is_transform(t))
		return false;
	if (strcmp(t->property, "euler") == 0 || strcmp(t->property, "rotation") == 0)
		return true;
	return t->component == ANIM_WHOLE ? anim_types[t->type].lanes == 3 : t->component == 2;
}

int godot_writer_note_space(struct godot_writer *writer, const struct anim_track *t, struct anim_error *error)
{
	size_t clip = writer->clips.size / sizeof(struct godot_written_clip) - 1, length = strlen(t->node);
	uint32_t known;
	char *node;

	if (!writer->names.godot3 || !is_of_space(t) || anim_map_get(&writer->spaces, clip, t->node, length, &known))
		return 0;
	node = anim_arena_text(&writer->kept, t->node, length, error);
	return node == NULL ? -1 : anim_map_put(&writer->spaces, clip, node, length, 1, error);
}

/* Of three dimensions, by what the source called it, by its node, by the node's other tracks, by its engine. 1, 0 or -1. */
static int is_in_space(struct godot_writer *writer, size_t clip, const struct anim_track *t, struct anim_error *error)
{
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	const struct anim_clip *head = anim_store_clip(writer->store, clip);
	struct anim_error trouble = {0};
	const char *node, *path;
	uint32_t number;

	if (anim_attrs_get(&t->attrs, "godot.property") != NULL || written->names.from3)
		return anim_attrs_get(&t->attrs, "godot.property") != NULL;
	node = godot_emit_track_node(&written->names, t, &writer->scratch, error);
	if (node == NULL)
		return -1;
	path = anim_tree_path(written->root, node, &writer->scratch, &trouble);
	if (trouble.code != ANIM_OK) {
		*error = trouble;
		return -1;
	}
	number = path == NULL ? GODOT_NO_PARENT : godot_nodes_find(&writer->nodes, path);
	if (number != GODOT_NO_PARENT && (godot_nodes_at(&writer->nodes, number)->has & ANIM_HAS_2D))
		return 0;
	if (number != GODOT_NO_PARENT && ((godot_nodes_at(&writer->nodes, number)->has & ANIM_HAS_POSITION) ||
					  godot_nodes_at(&writer->nodes, number)->source == GODOT_CLASS_TOLD))
		return 1;
	return anim_map_get(&writer->spaces, clip, t->node, strlen(t->node), &number) ||
	       (!written->names.from_godot && head->axes2d != ANIM_AXES2D_GODOT);
}

/* Track i and what is one with it, which is marked in `done`. 0 or -1. */
static int emit_track(struct godot_writer *writer, const struct godot_track_emit *out, size_t clip, size_t i,
		      uint8_t *done, size_t number, struct anim_error *error)
{
	struct godot_emit_names names = *out->names;
	struct godot_track_emit own = *out;
	struct anim_track track, size;
	struct godot_plan plan;
	int box;

	own.names = &names;
	anim_arena_reset(&writer->scratch);
	if (anim_store_read(writer->store, clip, i, &track, error) != 0)
		return -1;
	godot_plan_track(out->names, &track, &plan);
	if (plan.type == GODOT_TRACK_TRANSFORM)
		return godot_writer_transform(writer, out, clip, i, done, number, error);
	box = find_box(writer, clip, i, &track, &size, error);
	if (box < 0)
		return -1;
	if (box > 0)
		done[i + 1] = 1;
	if (out->names->godot3 && track.component != ANIM_WHOLE && strcmp(track.property, "position") == 0) {
		int spatial = is_in_space(writer, clip, &track, error);

		if (spatial < 0)
			return -1;
		names.spatial = spatial > 0;
	}
	return godot_emit_track(&own, number, &track, box > 0 ? &size : NULL);
}

int godot_writer_tracks(struct godot_writer *writer, size_t clip, struct anim_error *error)
{
	const struct anim_clip *head = anim_store_clip(writer->store, clip);
	struct godot_track_emit out = {&writer->emit, &godot_writer_clip(writer, clip)->names, head->start_s,
				       &writer->scratch, error};
	size_t count = anim_store_tracks(writer->store, clip), number = 0;
	uint8_t *done = calloc(count + 1, 1);
	int result = done == NULL ? anim_fail_memory(error) : 0;

	if (result == 0 && !out.names->godot3)
		result = emit_markers(writer, clip, &out, error);
	for (size_t i = 0; i < count && result == 0; i++) {
		if (done[i] || strcmp(anim_store_track_at(writer->store, clip, i)->property, "@marker") == 0)
			continue;
		result = emit_track(writer, &out, clip, i, done, number++, error);
	}
	free(done);
	return result != 0 || writer->emit.print.failed ? -1 : 0;
}
