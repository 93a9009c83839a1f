/* rects.c: write rectangles of a RectTransform of Unity as rectangles of a Control of Godot. */
/*
 * Along each axis, the ends of both rectangles are (Unity's manual of RectTransform, Godot's class reference of Control)
 *
 *     Unity:  anchor * size of the parent + m_AnchoredPosition - m_SizeDelta * m_Pivot                 (low end)
 *             anchor * size of the parent + m_AnchoredPosition + m_SizeDelta * (1 - m_Pivot)           (high end)
 *     Godot:  anchor * size of the parent + offset
 *
 * so anchors are anchors and the rest is an offset, whatever the size of the parent is. y points up in Unity and down in Godot. A
 * sum of a curve and numbers is exact, and so is the sum of two curves with the same keys.
 */
#include "filter/rects.h"

#include <string.h>

#include "base/count.h"
#include "base/input.h"
#include "base/number.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "clip/keys.h"
#include "filter/filter.h"
#include "filter/select.h"
#include "stream/store.h"

/* The order of ANIM_ATTR_RECT. */
enum rect_part { ANCHOR_MIN, ANCHOR_MAX, POSITION, SIZE, PIVOT, PART_COUNT };

static const char *const names[PART_COUNT] = {"m_AnchorMin", "m_AnchorMax", "m_AnchoredPosition", "m_SizeDelta",
					      "m_Pivot"};

/* The tracks of one node. */
struct rect_group {
	const char *node;
	size_t track[PART_COUNT][2]; /* number in the store + 1, or 0 */
	bool moves[PART_COUNT][2];   /* the track is not constant */
	bool known;                  /* the node says the values of parts without a track */
	double value[PART_COUNT][2]; /* of parts that do not move */
};

struct rects {
	struct anim_filter filter;
	struct anim_rests own, *other;
	struct anim_diagnostics *diagnostics;
	size_t store_memory;
	struct anim_store *store; /* the tracks of the current clip, or NULL */
	struct anim_keys keys;
	struct anim_arena arena, scratch; /* of a clip, of a comparison */
};

static int part_of(const struct anim_track *track)
{
	const char *class = anim_attrs_get(&track->attrs, "unity.class");

	if (class == NULL || strcmp(class, "224") != 0 || track->type != ANIM_FLOAT || track->kind != ANIM_CURVE ||
	    track->component > 1 || (track->flags & ANIM_UNSORTED) != 0 || track->n == 0)
		return -1;
	for (int i = 0; i < PART_COUNT; i++)
		if (strcmp(track->property, names[i]) == 0)
			return i;
	return -1;
}

/* Read the numbers of the node. Returns false if it has none. */
static bool read_rest(struct rects *rects, const char *node, double value[PART_COUNT][2])
{
	const struct anim_rest *rest = anim_rests_find(&rects->own, rects->filter.clip.root, node);
	char text[10 * (ANIM_NUMBER_MAX + 1) + ANIM_INPUT_SLACK] = {0};
	const char *at = text, *end;
	size_t length;

	if ((rest == NULL || rest->rect == NULL) && rects->other != NULL)
		rest = anim_rests_find_either(rects->other, NULL, rects->filter.clip.root, node);
	if (rest == NULL || rest->rect == NULL)
		return false;
	length = strlen(rest->rect);
	if (length > sizeof text - ANIM_INPUT_SLACK)
		return false;
	memcpy(text, rest->rect, length);
	end = text + length;
	for (unsigned i = 0; i < 2 * PART_COUNT && at != NULL; i++) {
		at += i > 0 && *at == ' ';
		at = anim_number_double(at, end, &value[i / 2][i % 2]);
	}
	return at == end;
}

/* ---- Writing ---- */

static int put_track(struct rects *rects, const struct rect_group *group, const struct anim_track *like,
		     const char *property, struct anim_error *error)
{
	struct anim_track out = *like;

	out.node = group->node;
	out.property = property;
	out.component = ANIM_WHOLE;
	out.attrs = (struct anim_attrs){NULL, 0};
	anim_keys_finish(&rects->keys, &out);
	return anim_sink_track(rects->filter.next, &out, error);
}

/* Add the factor times the values and slopes of a track to the keys, which have the same times. */
static void add_values(struct anim_keys *keys, const struct anim_track *track, double factor)
{
	const float *from[] = {track->value, track->left, track->right};
	static const enum anim_column columns[] = {ANIM_COLUMN_VALUE, ANIM_COLUMN_LEFT, ANIM_COLUMN_RIGHT};

	for (size_t i = 0; i < ANIM_COUNT(columns); i++) {
		float *to = (float *)(void *)keys->column[columns[i]].data;

		for (size_t k = 0; k < track->n && from[i] != NULL && to != NULL && keys->column[columns[i]].size > 0;
		     k++)
			to[k] = (float)((double)to[k] + factor * (double)from[i][k]);
	}
}

/*
 * Write an end of the rectangle: `base` plus the factors times the tracks of the parts that move, of which there are one or two,
 * or a track of one key if none moves.
 */
static int put_end(struct rects *rects, const struct rect_group *group, int axis, const char *property, double base,
		   const double factors[PART_COUNT], struct anim_error *error)
{
	static const enum anim_column columns[] = {ANIM_COLUMN_VALUE, ANIM_COLUMN_LEFT, ANIM_COLUMN_RIGHT};
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = ANIM_FLOAT,
				   .rules = ANIM_RULES_UNITY,
				   .pre = ANIM_EXTRAPOLATION_HOLD,
				   .post = ANIM_EXTRAPOLATION_HOLD};
	bool any = false;

	anim_keys_reset(&rects->keys, ANIM_FLOAT);
	for (int i = 0; i < PART_COUNT; i++) {
		if (factors[i] == 0 || !group->moves[i][axis])
			continue;
		if (anim_store_read(rects->store, 0, group->track[i][axis] - 1, &track, error) != 0)
			return -1;
		if (any) {
			add_values(&rects->keys, &track, factors[i]);
			continue;
		}
		if (anim_keys_add_part(&rects->keys, &track, 0, track.n, 0, error) != 0)
			return -1;
		any = true;
		for (size_t c = 0; c < ANIM_COUNT(columns); c++) {
			struct anim_buffer *column = &rects->keys.column[columns[c]];
			float *to = (float *)(void *)column->data;

			for (size_t k = 0; k < column->size / sizeof *to; k++)
				to[k] = (float)((double)to[k] * factors[i] + (c == 0 ? base : 0)) + 0.0f;
		}
	}
	if (!any) {
		const float value = (float)base + 0.0f;

		if (anim_keys_add(&rects->keys, rects->filter.clip.start_s, &value, ANIM_LINEAR, error) != 0)
			return -1;
	}
	return put_track(rects, group, &track, property, error);
}

static int put_anchors(struct rects *rects, const struct rect_group *group, int axis, struct anim_error *error)
{
	static const char *const ends[2][2] = {{"anchor_left", "anchor_right"}, {"anchor_bottom", "anchor_top"}};

	for (int i = ANCHOR_MIN; i <= ANCHOR_MAX; i++) {
		double factors[PART_COUNT] = {0}, sign = axis == 0 ? 1 : -1, base = axis == 0 ? 0 : 1;

		if (!group->moves[i][axis] && !group->known && group->track[i][axis] == 0)
			continue;
		factors[i] = sign;
		base += group->moves[i][axis] ? 0 : sign * group->value[i][axis];
		if (put_end(rects, group, axis, ends[axis][i], base, factors, error) != 0)
			return -1;
	}
	return 0;
}

static int put_offsets(struct rects *rects, const struct rect_group *group, int axis, struct anim_error *error)
{
	static const char *const ends[2][2] = {{"offset_left", "offset_right"}, {"offset_bottom", "offset_top"}};
	const double size = group->value[SIZE][axis], pivot = group->value[PIVOT][axis];

	for (int i = 0; i < 2; i++) {
		double sign = axis == 0 ? 1 : -1, share = i - (group->moves[PIVOT][axis] ? 0 : pivot), base = 0,
		       factors[PART_COUNT] = {0};

		factors[POSITION] = sign;
		factors[SIZE] = sign * share;
		factors[PIVOT] = -sign * size;
		if (!group->moves[POSITION][axis])
			base += sign * group->value[POSITION][axis];
		if (!group->moves[SIZE][axis])
			base += sign * size * share;
		if (put_end(rects, group, axis, ends[axis][i], base, factors, error) != 0)
			return -1;
	}
	return 0;
}

/* Return whether a sum of the two curves has the same keys. Sets *failed if a track cannot be read. */
static bool have_same_keys(struct rects *rects, size_t one, size_t other, bool *failed, struct anim_error *error)
{
	struct anim_track read, a, b;

	anim_arena_reset(&rects->scratch);
	*failed = anim_store_read(rects->store, 0, one, &read, error) != 0 ||
		  anim_track_copy(&a, &read, &rects->scratch, error) != 0 ||
		  anim_store_read(rects->store, 0, other, &b, error) != 0;
	if (*failed || a.n != b.n || memcmp(a.time, b.time, a.n * sizeof *a.time) != 0 ||
	    (a.left != NULL) != (b.left != NULL) || a.left_x != NULL || b.left_x != NULL || a.ease != NULL ||
	    b.ease != NULL)
		return false;
	for (size_t k = 0; k < a.n; k++)
		if (anim_track_interp(&a, k) != anim_track_interp(&b, k))
			return false;
	return true;
}

/* Find the reason why an axis has no exact offsets: *why, or NULL. Returns 0 or -1. */
static int find_reason(struct rects *rects, const struct rect_group *group, int axis, const char **why,
		       struct anim_error *error)
{
	bool failed = false;

	*why = NULL;
	for (int i = POSITION; i <= PIVOT; i++)
		if (group->track[i][axis] == 0 && !group->known)
			*why = "the rest of its rectangle is unknown; convert the prefab or scene that has it";
	if (*why == NULL && group->moves[PIVOT][axis] && (group->moves[POSITION][axis] || group->moves[SIZE][axis]))
		*why = "its pivot moves together with its position or size";
	if (*why == NULL && group->moves[POSITION][axis] && group->moves[SIZE][axis] &&
	    !have_same_keys(rects, group->track[POSITION][axis] - 1, group->track[SIZE][axis] - 1, &failed, error))
		*why = "its position and size have different keys; bake the clip first";
	return failed ? -1 : 0;
}

/* Write the rectangle of a node. Returns 0 or -1. */
static int put_group(struct rects *rects, const struct rect_group *group, struct anim_error *error)
{
	for (int axis = 0; axis < 2; axis++) {
		bool moves = false; /* it has tracks of the offsets */
		const char *why;

		for (int i = POSITION; i <= PIVOT; i++)
			moves |= group->track[i][axis] != 0;
		if (put_anchors(rects, group, axis, error) != 0)
			return -1;
		if (!moves && !group->known)
			continue;
		if (find_reason(rects, group, axis, &why, error) != 0)
			return -1;
		if (why == NULL && put_offsets(rects, group, axis, error) != 0)
			return -1;
		for (int i = POSITION; i <= PIVOT && why != NULL; i++)
			if (group->track[i][axis] != 0 &&
			    anim_diagnostics_warn(rects->diagnostics, "track", error,
						  "'%.200s %s.%c': not the offset of a Control: %s", group->node,
						  names[i], "xy"[axis], why) != 0)
				return -1;
	}
	return 0;
}

/* ---- The tracks of a clip ---- */

/* Return the group of a node, which is added if it is new. NULL if out of memory. */
static struct rect_group *need_group(struct rects *rects, struct anim_map *numbers, struct anim_buffer *groups,
				     const char *node, struct anim_error *error)
{
	uint32_t number = (uint32_t)(groups->size / sizeof(struct rect_group));
	struct rect_group group = {.node = anim_arena_text(&rects->arena, node, strlen(node), error)};

	if (!anim_map_get(numbers, 0, node, strlen(node), &number)) {
		if (group.node == NULL || anim_map_put(numbers, 0, group.node, strlen(node), number, error) != 0)
			return NULL;
		group.known = read_rest(rects, node, group.value);
		if (anim_buffer_append(groups, &group, sizeof group, error) != 0)
			return NULL;
	}
	return (struct rect_group *)(void *)groups->data + number;
}

/* Write the rectangles of the clip that ends. Returns 0 or -1. */
static int finish_clip(struct rects *rects, struct anim_error *error)
{
	struct anim_map numbers = {0};
	struct anim_buffer groups = {0};
	struct anim_track track;
	size_t count = rects->store == NULL ? 0 : anim_store_tracks(rects->store, 0);
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		struct rect_group *group;
		int part;

		result = anim_store_read(rects->store, 0, i, &track, error);
		group = result != 0 ? NULL : need_group(rects, &numbers, &groups, track.node, error);
		if (group == NULL) {
			result = -1;
			break;
		}
		part = part_of(&track);
		group->track[part][track.component] = i + 1;
		group->moves[part][track.component] = !anim_track_is_constant(&track);
		if (!group->moves[part][track.component])
			group->value[part][track.component] = (double)*(const float *)track.value;
	}
	for (size_t i = 0; i < groups.size / sizeof(struct rect_group) && result == 0; i++)
		result = put_group(rects, (const struct rect_group *)(const void *)groups.data + i, error);
	anim_map_clear(&numbers);
	anim_buffer_clear(&groups);
	anim_arena_reset(&rects->arena);
	anim_store_free(rects->store);
	rects->store = NULL;
	return result;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return finish_clip((struct rects *)sink, error) != 0 ? -1 : anim_filter_tree(sink, tree, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct rects *rects = (struct rects *)sink;

	if (finish_clip(rects, error) != 0 || anim_filter_keep(&rects->filter, clip, error) != 0)
		return -1;
	return anim_filter_clip(sink, clip, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct rects *rects = (struct rects *)sink;

	if (anim_engine_of(rects->filter.clip.source) != ANIM_ENGINE_UNITY || part_of(track) < 0)
		return anim_filter_track(sink, track, error);
	if (rects->store == NULL && ((rects->store = anim_store_new(rects->store_memory, error)) == NULL ||
				     anim_sink_clip(anim_store_sink(rects->store), &rects->filter.clip, error) != 0))
		return -1;
	return anim_sink_track(anim_store_sink(rects->store), track, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return finish_clip((struct rects *)sink, error) != 0 ? -1 : anim_filter_end(sink, error);
}

static void on_free(struct anim_sink *sink)
{
	struct rects *rects = (struct rects *)sink;

	anim_store_free(rects->store);
	anim_keys_clear(&rects->keys);
	anim_arena_clear(&rects->arena);
	anim_arena_clear(&rects->scratch);
	anim_filter_free(sink);
}

struct anim_sink *anim_rects_new(struct anim_rests *other, size_t store_memory, struct anim_diagnostics *diagnostics,
				 struct anim_sink *next, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct rects *rects = anim_filter_new(sizeof *rects, &ops, next, error);

	if (rects == NULL)
		return NULL;
	rects->filter.rests = &rects->own;
	rects->other = other;
	rects->store_memory = store_memory;
	rects->diagnostics = diagnostics;
	return &rects->filter.sink;
}
