/* writer_transform.c: Godot 3's transform tracks: position, rotation and scale in one row a key. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "clip/sample.h"
#include "format/godot/writer_internal.h"

#define PARTS 3 /* position, rotation, scale */

static const struct {
	const char *property;
	enum anim_type type;
	unsigned lanes;
} parts[PARTS] = {{"position", ANIM_FLOAT3, 3}, {"rotation", ANIM_FLOATQ, 4}, {"scale", ANIM_FLOAT3, 3}};

/* The tracks that become one; n is 0 where there is none. */
struct transform {
	struct anim_track track[PARTS];
	const float *time; /* of all keys, on the clip's axis */
	size_t n;
	const float *value[PARTS];
	const float *ease;
};

/* Reads the tracks of the node that are not written yet. 0 or -1. */
static int gather(struct godot_writer *writer, size_t clip, size_t first, uint8_t *done, struct transform *out,
		  struct anim_error *error)
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
		if (anim_store_read(writer->store, clip, (size_t)at, &track, error) != 0 ||
		    anim_track_copy(&out->track[part], &track, &writer->scratch, error) != 0)
			return -1;
		done[at] = 1;
	}
	return 0;
}

/* The track whose settings the whole has: the first with keys, else the first there is. */
static const struct anim_track *leader(const struct transform *transform)
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
static bool is_together(const struct transform *transform)
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

/* What shows where a part has no track: of a bone no change of its rest, of a node its placement in the tree. 0 or -1. */
static int fill_rest(struct godot_writer *writer, size_t clip, const struct anim_track *t, size_t part, float value[4],
		     struct anim_error *error)
{
	const struct godot_written_clip *written = godot_writer_clip(writer, clip);
	const char *node = godot_emit_track_node(&written->names, t, &writer->scratch, error);
	static const float none[PARTS][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 0}};
	struct anim_error memory = {0};
	const struct godot_scene_node *found = NULL;
	uint32_t number = GODOT_NO_PARENT;
	const char *path;

	memcpy(value, none[part], sizeof none[part]);
	if (node == NULL)
		return -1;
	if (strchr(node, ':') != NULL)
		return 0;
	path = anim_tree_path(written->root, node, &writer->scratch, &memory);
	if (path == NULL && memory.code != ANIM_OK) {
		*error = memory;
		return -1;
	}
	if (path != NULL)
		number = godot_nodes_find(&writer->nodes, path);
	if (number == GODOT_NO_PARENT)
		return 0;
	found = godot_nodes_at(&writer->nodes, number);
	memcpy(value,
	       part == 0   ? found->position
	       : part == 1 ? found->rotation
			   : found->scale,
	       parts[part].lanes * sizeof *value);
	return 0;
}

static int fill_absent(struct godot_writer *writer, size_t clip, struct transform *transform, size_t part,
		       struct anim_error *error)
{
	unsigned lanes = parts[part].lanes;
	float *values = anim_arena_zeroed(&writer->scratch, transform->n + 1, lanes * sizeof *values, error), rest[4];

	if (values == NULL || fill_rest(writer, clip, leader(transform), part, rest, error) != 0)
		return -1;
	for (size_t k = 0; k < transform->n; k++)
		memcpy(values + k * lanes, rest, lanes * sizeof *values);
	transform->value[part] = values;
	return 0;
}

/* The times of all keys, rising, each once. 0 or -1. */
static int unite_times(struct godot_writer *writer, struct transform *transform, struct anim_error *error)
{
	size_t next[PARTS] = {0}, most = 1;
	float *times;

	for (size_t part = 0; part < PARTS; part++)
		most += transform->track[part].n;
	times = anim_arena_zeroed(&writer->scratch, most, sizeof *times, error);
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

static int sample_part(struct godot_writer *writer, size_t clip, struct transform *transform, size_t part,
		       struct anim_error *error)
{
	const struct anim_clip *head = anim_store_clip(writer->store, clip);
	struct anim_arena *arena = &writer->scratch;
	float *values = anim_arena_zeroed(arena, transform->n + 1, parts[part].lanes * sizeof *values, error);
	double *times = anim_arena_zeroed(arena, transform->n + 1, sizeof *times, error);
	uint8_t *present = anim_arena_zeroed(arena, transform->n + 1, 1, error);
	struct anim_sample_state state = {0};
	int result;

	if (values == NULL || times == NULL || present == NULL)
		return -1;
	for (size_t k = 0; k < transform->n; k++)
		times[k] = (double)transform->time[k];
	result = anim_sample(head, &transform->track[part], times, transform->n, values, present, &state, error);
	anim_sample_state_clear(&state);
	for (size_t k = 0; k < transform->n;
	     k++) /* Godot 3 shows nothing before the first key: the first key's value */
		if (!present[k])
			memcpy(values + k * parts[part].lanes, transform->track[part].value,
			       parts[part].lanes * sizeof *values);
	transform->value[part] = values;
	return result;
}

/* Keys of all three on one row of times: on straight segments this changes nothing. */
static int unite(struct godot_writer *writer, size_t clip, struct transform *transform, struct anim_error *error)
{
	bool straight = true;

	if (unite_times(writer, transform, error) != 0)
		return -1;
	for (size_t part = 0; part < PARTS; part++) {
		struct anim_track *t = &transform->track[part];

		if (t->n > 0 && sample_part(writer, clip, transform, part, error) != 0)
			return -1;
		straight =
		    straight && (t->n < 2 || (t->kind == ANIM_CURVE && t->interp == ANIM_LINEAR && t->ease == NULL));
	}
	if (straight)
		return 0;
	writer->options.losses->scope = godot_writer_clip(writer, clip)->scope;
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
			       "transform tracks of Godot 3 were given keys on the lines between their curves' own",
			       error, "the transform track of '%s' was given keys on the lines between its curves' own",
			       leader(transform)->node);
}

static void emit_rows(const struct godot_track_emit *out, const struct transform *transform)
{
	godot_emit_open(out->emit, "PoolRealArray");
	for (size_t k = 0; k < transform->n; k++) {
		double time = (double)transform->time[k] - (double)out->start_s;

		godot_emit_text(out->emit, k > 0 ? ", " : "");
		godot_emit_real(out->emit, time, true);
		godot_emit_text(out->emit, ", ");
		godot_emit_real(out->emit, transform->ease != NULL ? (double)transform->ease[k] : 1, true);
		for (size_t part = 0; part < PARTS; part++)
			for (unsigned lane = 0; lane < parts[part].lanes; lane++) {
				godot_emit_bytes(out->emit, ", ", 2);
				godot_emit_real(out->emit, (double)transform->value[part][k * parts[part].lanes + lane],
						true);
			}
	}
	godot_emit_close(out->emit);
	godot_emit_text(out->emit, "\n");
}

int godot_writer_transform(struct godot_writer *writer, const struct godot_track_emit *out, size_t clip, size_t first,
			   uint8_t *done, size_t number, struct anim_error *error)
{
	struct transform transform = {0};
	struct anim_track like;
	bool together;

	for (size_t part = 0; part < PARTS; part++)
		transform.track[part] = (struct anim_track){.node = "", .property = ""};
	if (gather(writer, clip, first, done, &transform, error) != 0)
		return -1;
	like = *leader(&transform);
	together = is_together(&transform);
	if (together) {
		transform.time = like.time;
		transform.n = like.n;
		transform.ease = like.ease;
		for (size_t part = 0; part < PARTS; part++)
			transform.value[part] = transform.track[part].n > 0 ? transform.track[part].value : NULL;
	} else if (unite(writer, clip, &transform, error) != 0) {
		return -1;
	} else {
		like.kind = ANIM_CURVE;
		like.interp = ANIM_LINEAR;
	}
	for (size_t part = 0; part < PARTS; part++)
		if (transform.value[part] == NULL && fill_absent(writer, clip, &transform, part, error) != 0)
			return -1;
	if (godot_emit_track_head(out, number, &like) != 0)
		return -1;
	emit_rows(out, &transform);
	return out->emit->print.failed ? -1 : 0;
}
