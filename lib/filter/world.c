/* world.c: samples of nodes in world space. */
#include "filter/world.h"

#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/common/pose.h"
#include "filter/filter.h"
#include "math/basis.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define PLACED 10         /* numbers per sample of a node: position, rotation (in 2D its angle), scale */
#define SCALE_NOISE 1e-5f /* rounding error of a scale of 1 */

struct world {
	struct anim_filter filter;
	struct anim_diagnostics *diagnostics;
	struct anim_poses poses;
	struct anim_spool placed; /* for each tile, for each moving node: its samples */
	struct anim_track like;   /* head of the output tracks, from the first input track. Before that, n is 0 */
	struct anim_buffer names; /* const char *: the name of each node in the clip's tracks, or NULL */
	struct anim_buffer numbers, columns;
};

/* ---- Input: values of nodes are stored ---- */

static const char **names_of(const struct world *w)
{
	return (const char **)(void *)w->names.data;
}

static int put_values(struct world *w, const struct anim_track *track, uint32_t node, enum anim_pose_part part,
		      struct anim_error *error)
{
	unsigned components = anim_types[track->type].components;
	double unit = track->flags & ANIM_DEGREES ? ANIM_PI / 180 : 1;

	for (size_t k = 0; k < track->n; k++) {
		double value[4] = {0};
		float numbers[4];

		for (unsigned i = 0; i < components; i++)
			value[i] = anim_component(track->type, track->value, k, i);
		if (components == 1) /* an angle */
			anim_quat_from_euler_double(value, (const double[]){0, 0, value[0] * unit}, ANIM_EULER_XYZ);
		anim_components_to_float(numbers, value, 4);
		if (anim_poses_put_value(&w->poses, node, part, numbers, components == 1 ? 4 : components, error) != 0)
			return -1;
	}
	return 0;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct world *w = (struct world *)sink;
	enum anim_pose_part part;
	uint32_t node;
	int opened;

	/* The node is not known yet, so it may be a 2D node. */
	static const struct anim_rest any = {.has = ANIM_HAS_2D};

	if (track->kind != ANIM_RAW || track->component != ANIM_WHOLE || track->n == 0 ||
	    track->flags & ANIM_REST_RELATIVE || !anim_track_is_transform(track) || !anim_type_is_real(track->type) ||
	    anim_pose_part_of(&any, track->property, anim_types[track->type].components) == ANIM_POSE_PARTS)
		return anim_filter_track(sink, track, error);
	node = w->filter.clip.flags & ANIM_IN_TREE ? anim_poses_find(&w->poses, w->filter.clip.root, track->node)
						   : ANIM_POSE_NONE;
	if (node == ANIM_POSE_NONE || (w->like.n > 0 && track->n != w->like.n))
		return anim_diagnostics_track(w->diagnostics, track, error,
					      "still in the space of the parent, because no tree has the node") != 0
			   ? -1
			   : anim_filter_track(sink, track, error);
	part = anim_pose_part_of(&w->poses.rests.items[node], track->property, anim_types[track->type].components);
	if (part == ANIM_POSE_PARTS)
		return anim_filter_track(sink, track, error);

	/* Use the first track's number of samples and times for all tracks. */
	if (w->like.n == 0) {
		const struct anim_attrs none = {0};

		w->like = *track;
		w->like.record = NULL;
		w->like.type = ANIM_FLOAT3;
		w->like.flags = 0;

		/* Reserve an empty name for each node of the tree. */
		size_t size = anim_poses_count(&w->poses) * sizeof(const char *);

		if (w->names.size != size) {
			w->names.size = 0;
			if (anim_buffer_extend(&w->names, size, error) == NULL)
				return -1;
			memset(w->names.data, 0, size);
		}
		if (anim_attrs_with(&w->like.attrs, &none, ANIM_ATTR_SPACE, ANIM_SPACE_ROOT, &w->filter.clip_arena,
				    error) != 0)
			return -1;

		anim_poses_begin(&w->poses, track->n);
	}

	if (anim_track_is_placed(track))
		anim_poses_set_apart(&w->poses, node);
	opened = anim_poses_open(&w->poses, node, part, error);
	if (opened <= 0)
		return opened;
	names_of(w)[node] = anim_arena_text(&w->filter.clip_arena, track->node, strlen(track->node), error);
	return names_of(w)[node] == NULL ? -1 : put_values(w, track, node, part, error);
}

/* ---- The clip's end: compute each node's samples in tiles, then write its tracks ---- */

static int emit_part(struct world *w, const char *node, const char *property, enum anim_type type, size_t from,
		     struct anim_error *error)
{
	size_t components = anim_types[type].components;
	const float *numbers = (const float *)(const void *)w->numbers.data;
	struct anim_track out = w->like;

	w->columns.size = 0;
	for (size_t k = 0; k < w->like.n; k++)
		if (anim_buffer_append(&w->columns, numbers + PLACED * k + from, components * sizeof *numbers, error) !=
		    0)
			return -1;
	out.node = node;
	out.property = property;
	out.type = type;
	out.interp = ANIM_LINEAR;
	out.value = w->columns.data;
	return anim_sink_track(w->filter.next, &out, error);
}

static bool is_scaled(const struct world *w)
{
	const float *numbers = (const float *)(const void *)w->numbers.data;

	for (size_t k = 0; k < w->like.n; k++)
		for (int i = 7; i < PLACED; i++)
			if (fabsf(numbers[PLACED * k + (size_t)i] - 1) > SCALE_NOISE)
				return true;
	return false;
}

static int emit_node(struct world *w, uint32_t node, size_t slot, struct anim_error *error)
{
	const char *name =
	    names_of(w)[node] != NULL
		? names_of(w)[node]
		: anim_tree_name(w->filter.clip.root, anim_poses_path(&w->poses, node), &w->filter.clip_arena, error);

	if (name == NULL)
		return -1;

	/* Gather all samples of the `slot`th moving node. */
	w->numbers.size = 0;
	for (size_t first = 0; first < w->like.n; first += w->poses.tile) {
		size_t left = w->like.n - first, count = left < w->poses.tile ? left : w->poses.tile;
		size_t size = count * PLACED * sizeof(float);
		const uint8_t *block = anim_spool_read(
		    &w->placed, (uint64_t)first * w->poses.moving * PLACED * sizeof(float) + (uint64_t)slot * size,
		    size, error);

		if (block == NULL || anim_buffer_append(&w->numbers, block, size, error) != 0)
			return -1;
	}

	if (anim_poses_is_flat(&w->poses, node)) {
		float *angles = (float *)(void *)w->numbers.data + 3;

		/* Make angles continuous, so that interpolation between them takes the short way. */
		for (size_t k = 1; k < w->like.n; k++) {
			double before = (double)angles[PLACED * (k - 1)], angle = (double)angles[PLACED * k];

			angles[PLACED * k] = (float)(angle + 2 * ANIM_PI * round((before - angle) / (2 * ANIM_PI)));
		}
		if (emit_part(w, name, "position", ANIM_FLOAT2, 0, error) != 0 ||
		    emit_part(w, name, "angle", ANIM_FLOAT, 3, error) != 0)
			return -1;
		return is_scaled(w) ? emit_part(w, name, "scale", ANIM_FLOAT2, 7, error) : 0;
	}
	if (emit_part(w, name, "position", ANIM_FLOAT3, 0, error) != 0 ||
	    emit_part(w, name, "rotation", ANIM_FLOATQ, 3, error) != 0)
		return -1;
	return is_scaled(w) ? emit_part(w, name, "scale", ANIM_FLOAT3, 7, error) : 0;
}

static int finish_clip(struct world *w, struct anim_error *error)
{
	if (w->like.n == 0)
		return 0;
	anim_spool_truncate(&w->placed, 0);
	if (anim_poses_ready(&w->poses, error) != 0)
		return -1;
	for (size_t first = 0; first < w->like.n; first += w->poses.tile) {
		size_t left = w->like.n - first, count = left < w->poses.tile ? left : w->poses.tile;

		if (anim_poses_tile(&w->poses, first, count, error) != 0)
			return -1;

		for (size_t i = 0; i < w->poses.moving; i++) {
			uint32_t node = anim_poses_moved(&w->poses, i);

			if (anim_spool_begin(&w->placed, count * PLACED * sizeof(float), error) != 0)
				return -1;
			for (size_t k = 0; k < count; k++) {
				const double *from = anim_poses_at(&w->poses, node, k);
				float m[16] = {[15] = 1}, placed[PLACED];

				for (int n = 0; n < ANIM_POSE_NUMBERS; n++)
					m[n] = (float)from[n];
				if (anim_poses_is_flat(&w->poses, node)) {
					/*
					 * Decompose a 2D transform. The x axis gives the angle and the scale. The scale
					 * of y is negative if the transform mirrors.
					 */
					double mirror = from[0] * from[5] - from[1] * from[4] < 0 ? -1 : 1;

					memset(placed, 0, PLACED * sizeof *placed);
					placed[0] = (float)from[3];
					placed[1] = (float)from[7];
					placed[3] = (float)anim_atan2(from[4], from[0]);
					placed[7] = (float)sqrt(from[0] * from[0] + from[4] * from[4]);
					placed[8] = (float)(mirror * sqrt(from[1] * from[1] + from[5] * from[5]));
					placed[9] = 1;
				} else
					anim_transform_decompose(placed, placed + 3, placed + 7, m);
				if (anim_spool_append(&w->placed, placed, sizeof placed, error) != 0)
					return -1;
			}
		}
	}
	for (size_t i = 0; i < w->poses.moving; i++) {
		uint32_t node = anim_poses_moved(&w->poses, i);

		if (emit_node(w, node, i, error) != 0)
			return -1;
		names_of(w)[node] = NULL;
	}
	w->like.n = 0;
	return 0;
}

/* ---- The sink ---- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct world *w = (struct world *)sink;

	if (finish_clip(w, error) != 0)
		return -1;
	w->names.size = 0;
	return anim_filter_tree(sink, tree, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct world *w = (struct world *)sink;

	if (finish_clip(w, error) != 0)
		return -1;
	return anim_filter_keep(&w->filter, clip, error) != 0 ? -1 : anim_filter_clip(sink, clip, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return finish_clip((struct world *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct world *w = (struct world *)sink;

	anim_spool_clear(&w->placed);
	anim_buffer_clear(&w->names);
	anim_buffer_clear(&w->numbers);
	anim_buffer_clear(&w->columns);
	anim_filter_free(sink);
}

struct anim_sink *anim_world_new(size_t memory_max, struct anim_diagnostics *diagnostics, struct anim_sink *next,
				 struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct world *w = anim_filter_new(sizeof *w, &ops, next, error);

	if (w == NULL)
		return NULL;
	w->diagnostics = diagnostics;
	anim_poses_init(&w->poses, memory_max);
	w->filter.poses = &w->poses;
	anim_spool_init(&w->placed, memory_max);
	return &w->filter.sink;
}
