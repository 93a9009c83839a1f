/* reader.c: anim_vmc_read: messages become frames, and frames become tracks. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/arena.h"
#include "base/count.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/text.h"
#include "format/vmc/names.h"
#include "format/vmc/osc.h"
#include "format/vmc/vmc.h"
#include "math/elementary.h"
#include "math/quaternion.h"
#include "stream/store.h"

#define MODEL_PEEK 65536u     /* bytes of a model, to recognise it */
#define TILE 128u             /* values of an item in memory, before they are moved to the spool */
#define NAME_MAX_BYTES 256u   /* of an expression */
#define EXPRESSIONS_MAX 1024u /* of a take */
#define UNIT_TOLERANCE 0.01   /* of |q|^2 */
#define CLOCK_TOLERANCE 0.05  /* between the sender's clock and the arrivals */
#define CLOCK_MAX_S 16384     /* later a step of the sender's float clock is above a millisecond */
#define PLACE_COUNT 7u        /* x, y, z of a position, x to w of a rotation */

/* A bone, the root or an expression: its value in each frame that has one. */
struct item {
	const char *name; /* of an expression, in the arena */
	size_t width;     /* numbers of a value */
	uint64_t count;   /* frames with a value */
	uint32_t seen;    /* number of the last frame with a value, from 1, or 0 */
	float first[PLACE_COUNT];
	bool moves, rotates; /* of bones and the root: the position, or the rotation, differs from the first one */
	struct anim_buffer latest; /* struct value, without the numbers that it does not have */
	struct anim_buffer places; /* uint64_t: full tiles in the spool */
};
struct value {
	uint32_t frame; /* from 0 */
	float numbers[PLACE_COUNT];
};

struct frame {
	uint64_t arrival_ns, bones; /* bones: a bit for each bone with a value */
	float clock_s;              /* of the sender, or NaN */
};
_Static_assert(VMC_BONES <= 64, "a frame has a bit for each bone");

/* The rest pose of a bone in the model, in Unity's axes. */
struct rest {
	bool has;
	float position[3], rotation[4];
};

struct reader {
	struct anim_input *input;
	const struct anim_read_options *options;
	struct anim_error *error;
	struct anim_arena arena;
	struct item bones[VMC_BONES], root;
	struct anim_buffer expressions; /* struct item */
	struct anim_map names;          /* of expressions -> number */
	struct rest rests[VMC_BONES];
	const char *paths[VMC_BONES]; /* of the bones in the tree */
	struct anim_spool spool;
	struct anim_buffer frames; /* struct frame */
	struct anim_buffer times;  /* double: of the frames, from the first one, and NaN for frames that are left out */
	/* The current frame. */
	bool has_items, has_places; /* the current frame has values, also of bones or the root */
	float clock_s;
	uint64_t frame_ns, arrival_ns, frame_bones;
	/* How many there are of each. */
	size_t datagrams, damaged, dropped, mistyped, strange, incomplete, missing, late;
	bool cut;
	uint64_t cut_at; /* byte of the take */
	struct anim_clip clip;
	bool is_regular;
	double step_s;
	uint32_t rate_num, rate_den;
	struct anim_buffer values, keys; /* of the current track */
};

static struct item *expression_at(const struct reader *r, size_t number)
{
	return (struct item *)(void *)r->expressions.data + number;
}

static size_t expression_count(const struct reader *r)
{
	return r->expressions.size / sizeof(struct item);
}

static struct frame *frame_at(const struct reader *r, size_t number)
{
	return (struct frame *)(void *)r->frames.data + number;
}

static size_t frame_count(const struct reader *r)
{
	return r->frames.size / sizeof(struct frame);
}

/* ---- Messages become frames ---- */

#define SAME_FRAME_NS UINT64_C(2000000) /* messages of one frame arrive within this time, frames never do */

/*
 * Nothing in the protocol marks the end of a frame. The sender's time is its last message, and no bone comes twice. Neither does
 * an expression if the sender has no body.
 */
static int end_frame(struct reader *r)
{
	const struct frame frame = {.arrival_ns = r->frame_ns, .bones = r->frame_bones, .clock_s = r->clock_s};

	if (!r->has_items)
		return 0;
	r->has_items = r->has_places = false;
	r->frame_bones = 0;
	r->clock_s = NAN;
	if (frame_count(r) >= ANIM_KEYS_MAX)
		return anim_fail(r->error, ANIM_TOO_LARGE, "more than %u frames", ANIM_KEYS_MAX);
	return anim_buffer_append(&r->frames, &frame, sizeof frame, r->error);
}

static size_t value_size(const struct item *item)
{
	return offsetof(struct value, numbers) + item->width * sizeof(float);
}

/* Add the value of an item to the current frame. Return 0 or -1. */
static int add_value(struct reader *r, struct item *item, const float *numbers, bool ends)
{
	size_t size = value_size(item);
	struct value value = {.frame = 0};
	uint64_t place;

	if (ends && item->seen == frame_count(r) + 1 && end_frame(r) != 0)
		return -1;
	if (!r->has_items)
		r->frame_ns = r->arrival_ns;
	r->has_items = true;
	value.frame = (uint32_t)frame_count(r);
	memcpy(value.numbers, numbers, item->width * sizeof *numbers);
	if (item->count == 0)
		memcpy(item->first, numbers, item->width * sizeof *numbers);
	for (size_t i = 0; i < item->width; i++)
		if (numbers[i] != item->first[i])
			*(i < 3 ? &item->moves : &item->rotates) = true;
	if (item->seen == value.frame + 1) { /* an expression that comes twice */
		memcpy(item->latest.data + item->latest.size - size, &value, size);
		return 0;
	}
	item->seen = value.frame + 1;
	item->count++;
	if (item->latest.size == TILE * size) {
		place = anim_spool_size(&r->spool);
		if (anim_spool_begin(&r->spool, item->latest.size, r->error) != 0 ||
		    anim_spool_append(&r->spool, item->latest.data, item->latest.size, r->error) != 0 ||
		    anim_buffer_append(&item->places, &place, sizeof place, r->error) != 0)
			return -1;
		item->latest.size = 0;
	}
	return anim_buffer_append(&item->latest, &value, size, r->error);
}

static int on_place(struct reader *r, struct item *item, struct vmc_osc *osc)
{
	float numbers[PLACE_COUNT];
	double length = 0;
	bool finite = true;

	for (unsigned i = 0; i < PLACE_COUNT; i++) {
		if (!vmc_osc_float(osc, &numbers[i])) {
			r->mistyped++;
			return 0;
		}
		finite &= isfinite(numbers[i]) != 0;
		if (i >= 3)
			length += (double)numbers[i] * (double)numbers[i];
	}
	if (!finite || fabs(length - 1) > UNIT_TOLERANCE) {
		r->dropped++;
		return 0;
	}
	item->width = PLACE_COUNT;
	if (add_value(r, item, numbers, true) != 0)
		return -1;
	r->has_places = true;
	return 0;
}

static int on_expression(struct reader *r, const char *name, float weight)
{
	size_t length = strlen(name);
	struct item item = {.width = 1};
	uint32_t number;

	if (!isfinite(weight)) {
		r->dropped++;
		return 0;
	}
	if (!anim_map_get(&r->names, 0, name, length, &number)) {
		number = (uint32_t)expression_count(r);
		if (length == 0 || length > NAME_MAX_BYTES || number >= EXPRESSIONS_MAX ||
		    anim_utf8_prefix(name, length) != length) {
			r->strange++;
			return 0;
		}
		item.name = anim_arena_text(&r->arena, name, length, r->error);
		if (item.name == NULL || anim_map_put(&r->names, 0, item.name, length, number, r->error) != 0 ||
		    anim_buffer_append(&r->expressions, &item, sizeof item, r->error) != 0)
			return -1;
	}
	/* a sender may send an expression twice in a frame, by its names in VRM 0.x and 1.0 */
	return add_value(r, expression_at(r, number), &weight,
			 !r->has_places && r->arrival_ns > r->frame_ns + SAME_FRAME_NS);
}

static int on_message(void *context, struct vmc_osc *osc)
{
	struct reader *r = context;
	const char *address = anim_text_after(osc->address, "/VMC/Ext/"), *name;
	float number;
	uint64_t before;
	int bone, result;

	if (address == NULL)
		return 0;
	if (strcmp(address, "T") == 0) {
		if (vmc_osc_float(osc, &number)) {
			r->clock_s = isfinite(number) ? number : NAN;
			return end_frame(r);
		}
	} else if (strcmp(address, "Bone/Pos") == 0) {
		if (vmc_osc_string(osc, &name)) {
			bone = vmc_bone_find(name);
			r->strange += bone < 0;
			if (bone < 0)
				return 0;
			before = r->bones[bone].count;
			result = on_place(r, &r->bones[bone], osc);
			if (r->bones[bone].count > before)
				r->frame_bones |= UINT64_C(1) << bone;
			return result;
		}
	} else if (strcmp(address, "Root/Pos") == 0) {
		if (vmc_osc_string(osc, &name))
			return on_place(r, &r->root, osc);
	} else if (strcmp(address, "Blend/Val") == 0) {
		if (vmc_osc_string(osc, &name) && vmc_osc_float(osc, &number))
			return on_expression(r, name, number);
	} else {
		return 0;
	}
	r->mistyped++;
	return 0;
}

/* Read all datagrams. Return 0 or -1. */
static int read_datagrams(struct reader *r)
{
	struct anim_vmc_datagram datagram = {.bytes = NULL};
	bool damaged;
	int more;

	while ((more = anim_vmc_next(r->input, &datagram, r->error)) == 1) {
		r->arrival_ns = datagram.time_ns;
		r->datagrams++;
		if (vmc_osc_read(datagram.bytes, datagram.size, on_message, r, &damaged) != 0)
			return -1;
		r->damaged += damaged;
	}
	r->cut = datagram.is_cut;
	r->cut_at = anim_input_offset(r->input);
	return more < 0 ? -1 : end_frame(r);
}

/* ---- Times ---- */

/* Return whether the sender's clock runs forward, and as fast as the clock of the arrivals. */
static bool has_clock(const struct reader *r, size_t *first)
{
	size_t last = SIZE_MAX, count = frame_count(r), back = 0;
	double sent_s, came_s;

	*first = SIZE_MAX;
	for (size_t k = 0; k < count; k++) {
		const struct frame *frame = frame_at(r, k);

		if (isnan(frame->clock_s))
			continue;
		if (*first == SIZE_MAX)
			*first = k;
		if (last == SIZE_MAX || frame->clock_s > frame_at(r, last)->clock_s)
			last = k;
		else
			back++;
	}
	if (last == SIZE_MAX || *first == last)
		return false;
	sent_s = (double)frame_at(r, last)->clock_s - (double)frame_at(r, *first)->clock_s;
	came_s = (double)(frame_at(r, last)->arrival_ns - frame_at(r, *first)->arrival_ns) * 1e-9;
	return (double)frame_at(r, last)->clock_s < CLOCK_MAX_S && back * 20 <= count &&
	       fabs(sent_s - came_s) <= CLOCK_TOLERANCE * came_s + 0.1;
}

/* Set the times of all frames. Frames that are late have none. Return 0 or -1. */
static int set_times(struct reader *r)
{
	size_t count = frame_count(r), first;
	double *times, origin_s = 0, latest_s = 0;
	bool by_clock = has_clock(r, &first), is_first = true;

	if (count == 0)
		return anim_fail(r->error, ANIM_BAD_INPUT,
				 "no motion: none of %zu datagrams has bones or expressions of VMC", r->datagrams);
	times = anim_buffer_extend(&r->times, count * sizeof *times, r->error);
	if (times == NULL)
		return -1;
	/* The difference between the clocks is known from the last frame that has both. */
	if (by_clock)
		origin_s = (double)frame_at(r, first)->clock_s - (double)frame_at(r, first)->arrival_ns * 1e-9;
	for (size_t k = 0; k < count; k++) {
		const struct frame *frame = frame_at(r, k);
		double came_s = (double)frame->arrival_ns * 1e-9;

		times[k] = came_s + origin_s;
		if (by_clock && !isnan(frame->clock_s)) {
			times[k] = (double)frame->clock_s;
			if (is_first || times[k] > latest_s)
				origin_s = times[k] - came_s;
		}
		if (!is_first && !(times[k] > latest_s)) {
			r->late++;
			times[k] = NAN;
			continue;
		}
		latest_s = times[k];
		is_first = false;
	}
	origin_s = times[0];
	for (size_t k = 0; k < count; k++)
		times[k] -= origin_s;
	r->clip.end_s = (float)(latest_s - origin_s);
	return 0;
}

/* Find the rate, if the frames are regular. */
static void find_rate(struct reader *r)
{
	const double *times = (const double *)(const void *)r->times.data;
	size_t last = frame_count(r) - 1;
	double end_s = times[last], precision;

	r->is_regular = r->late == 0;
	r->step_s = last == 0 ? 1.0 / 60 : end_s / (double)last;
	for (size_t k = 0; k <= last; k++)
		r->is_regular &= fabs(times[k] - (double)k * r->step_s) <= r->step_s / 100;
	precision = last == 0 ? ANIM_READ_RATE_FLOAT : fmax(fmin(1e-3, 2e-4 / end_s), ANIM_READ_RATE_FLOAT);
	r->is_regular &= r->step_s > 1e-6;
	if (!r->is_regular || !anim_read_rate(1 / r->step_s, precision, &r->rate_num, &r->rate_den))
		r->rate_num = r->rate_den = 0;
	else
		r->clip.end_s = (float)((double)last * (double)r->rate_den / (double)r->rate_num);
}

/* Count about how many frames are missing: the time between two frames is then a multiple of the usual one. Return 0 or -1. */
static int count_missing(struct reader *r)
{
	const double *times = (const double *)(const void *)r->times.data;
	size_t count = 0, last = 0;
	double *gaps, usual_s;

	r->values.size = 0;
	gaps = anim_buffer_extend(&r->values, r->times.size, r->error);
	if (gaps == NULL)
		return -1;
	for (size_t k = 1; k < frame_count(r); k++)
		if (!isnan(times[k])) {
			gaps[count++] = times[k] - times[last];
			last = k;
		}
	qsort(gaps, count, sizeof *gaps, anim_compare_doubles);
	usual_s = count == 0 ? 0 : gaps[count / 2];
	for (size_t i = 0; i < count && usual_s > 0; i++)
		if (gaps[i] > 1.6 * usual_s && gaps[i] < 1e6 * usual_s)
			r->missing += (size_t)anim_round(gaps[i] / usual_s) - 1;
	return 0;
}

/* ---- Losses of the take ---- */

/*
 * Count the frames that lack bones. Some bones are in few frames, such as fingers of a hand that the camera seldom sees, so
 * only bones of more than half of the frames count, and only from their first frame to their last one.
 */
static void count_incomplete(struct reader *r)
{
	size_t frames = frame_count(r), last[VMC_BONES] = {0};
	uint64_t usual = 0, begun = 0;

	for (int i = 0; i < VMC_BONES; i++)
		if (r->bones[i].count > frames / 2) {
			usual |= UINT64_C(1) << i;
			last[i] = r->bones[i].seen - 1;
		}
	for (size_t k = 0; k < frames; k++) {
		uint64_t bones = frame_at(r, k)->bones & usual, lacks;

		begun |= bones;
		lacks = begun & ~bones;
		for (int i = 0; lacks != 0 && i < VMC_BONES; i++)
			if ((lacks >> i & 1) != 0 && k > last[i])
				lacks &= ~(UINT64_C(1) << i);
		r->incomplete += lacks != 0;
	}
}

static int warn_of_counts(struct reader *r)
{
	struct anim_diagnostics *diagnostics = r->options->diagnostics;
	const struct anim_place place = {.file = anim_input_name(r->input),
					 .at = anim_input_was_gzip(r->input) ? ANIM_AT_UNPACKED : ANIM_AT_BYTE,
					 .offset = r->cut_at};
	size_t frames = frame_count(r);
	int result = 0;

	if (r->cut)
		result = anim_diagnostics_add(diagnostics, ANIM_WARNING, &place, NULL, r->error, "%s", ANIM_VMC_CUT);
	if (result == 0 && r->damaged > 0)
		result = anim_diagnostics_warn(diagnostics, NULL, r->error,
					       "datagrams that are damaged or not OSC: %zu of %zu, left out",
					       r->damaged, r->datagrams);
	if (result == 0 && r->dropped > 0)
		result = anim_diagnostics_warn(
		    diagnostics, NULL, r->error,
		    "messages with infinite numbers, or rotations that are not of length 1: %zu, left out", r->dropped);
	if (result == 0 && r->mistyped > 0)
		result = anim_diagnostics_warn(
		    diagnostics, NULL, r->error,
		    "messages with arguments that are missing or of wrong types: %zu, left out", r->mistyped);
	if (result == 0 && r->strange > 0)
		result =
		    anim_diagnostics_note(diagnostics, NULL, r->error,
					  "messages with unknown bones or unsuitable names: %zu, left out", r->strange);
	if (result == 0 && r->late > 0)
		result =
		    anim_diagnostics_warn(diagnostics, NULL, r->error,
					  "frames that arrived late or twice: %zu of %zu, left out", r->late, frames);
	if (result == 0 && r->incomplete > 0)
		result = anim_diagnostics_warn(
		    diagnostics, NULL, r->error,
		    "frames that lack bones of other frames: %zu of %zu; their values are interpolated", r->incomplete,
		    frames);
	if (result == 0 && r->missing > 0)
		result = anim_diagnostics_warn(
		    diagnostics, NULL, r->error,
		    "frames that are missing: about %zu, beside %zu; their values are interpolated", r->missing,
		    frames);
	for (int i = 0; i < VMC_BONES && result == 0; i++)
		if (r->bones[i].count > 0 && r->bones[i].count <= frames / 2)
			result = anim_diagnostics_note(diagnostics, "bone", r->error,
						       "'%s': sent in at most half of the frames" ANIM_DETAIL
						       " (%" PRIu64 " of %zu)",
						       vmc_bones[i].name, r->bones[i].count, frames);
	return result != 0 ? -1 : 0;
}

/* ---- The model ---- */

/* A sink that takes the rest poses of the bones of a VRM model, and the places of its nodes in space. */
struct model {
	struct anim_sink sink;
	struct reader *reader;
	struct anim_buffer nodes; /* struct placed */
	double hips_x, left_x;    /* of the hips and the left leg */
};
struct placed {
	double position[3], rotation[4];
};

static int model_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	static const struct placed none = {.rotation = {0, 0, 0, 1}};
	struct model *model = (struct model *)sink;
	int bone = vmc_bone_of(node->path, &node->attrs);
	struct placed above = none, placed;
	double position[3], rotation[4];

	if (node->parent != ANIM_NO_PARENT)
		above = ((const struct placed *)(const void *)model->nodes.data)[node->parent];
	for (int i = 0; i < 3; i++)
		position[i] = (double)node->position[i];
	anim_quat_unit_double(rotation, node->rotation);
	anim_quat_rotate_double(position, above.rotation, position);
	anim_quat_multiply_double(placed.rotation, above.rotation, rotation);
	for (int i = 0; i < 3; i++)
		placed.position[i] = above.position[i] + position[i];
	if (anim_buffer_append(&model->nodes, &placed, sizeof placed, error) != 0)
		return -1;
	if (bone < 0)
		return 0;
	model->reader->rests[bone].has = true;
	memcpy(model->reader->rests[bone].position, node->position, sizeof node->position);
	memcpy(model->reader->rests[bone].rotation, node->rotation, sizeof node->rotation);
	if (bone == 0)
		model->hips_x = placed.position[0];
	if (strcmp(vmc_bones[bone].name, "LeftUpperLeg") == 0)
		model->left_x = placed.position[0];
	return 0;
}

/*
 * Read the rest poses of the model. UniVRM mirrors X of VRM 1.0, whose models look along +Z, and Z of VRM 0.x, whose models look
 * along -Z. Return 0 or -1.
 */
static int read_model(struct reader *r)
{
	static const struct anim_sink_ops ops = {.node = model_node};
	struct model model = {.sink = {.ops = &ops}, .reader = r};
	struct anim_diagnostics own = {0};
	struct anim_read_options options = {.diagnostics = &own, .outline = true, .no_external = true};
	const char *path = r->options->model;
	struct anim_input *input = NULL;
	size_t found = 0, mirrored;
	const uint8_t *at;
	ssize_t size;
	int result = -1;

	if (path == NULL)
		return 0;
	if (r->options->opened != NULL && r->options->opened(r->options->opened_context, path, r->error) != 0)
		return -1;
	if (anim_input_open(&input, path, NULL, r->error) != 0)
		return anim_error_in_file(r->error, path);
	size = anim_input_peek(input, MODEL_PEEK, &at, r->error);
	if (size >= 0 && r->options->other != NULL && r->options->other->is(at, (size_t)size))
		result = r->options->other->read(input, &options, &model.sink, r->error);
	else if (size >= 0)
		anim_fail(r->error, ANIM_BAD_INPUT, "not a VRM model");
	anim_input_close(input);
	anim_diagnostics_clear(&own);
	anim_buffer_clear(&model.nodes);
	mirrored = model.left_x < model.hips_x ? 2 : 0;
	for (int i = 0; i < VMC_BONES && result == 0; i++) {
		struct rest *rest = &r->rests[i];

		found += rest->has;
		rest->position[mirrored] = 0 - rest->position[mirrored]; /* no -0 */
		for (size_t axis = 0; axis < 3; axis++)
			if (axis != mirrored)
				rest->rotation[axis] = 0 - rest->rotation[axis];
	}
	if (result == 0 && found == 0)
		result = anim_fail(r->error, ANIM_BAD_INPUT, "not a VRM model: it has no human bones");
	return result != 0 ? anim_error_in_file(r->error, path) : 0;
}

/* ---- The tree ---- */

static bool has_bone(const struct reader *r, int bone)
{
	return r->bones[bone].count > 0 || r->rests[bone].has;
}

static int push_tree(struct reader *r, struct anim_sink *sink)
{
	const char *file = anim_read_source_file(r->options, r->input);
	const struct anim_tree tree = {
	    .axes = ANIM_AXES_UNITY, .root_name = anim_read_base_name(file, &r->arena, r->error), .source_file = file};
	const struct anim_node root = {
	    .parent = ANIM_NO_PARENT, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .path = ".", .type = ""};
	uint32_t numbers[VMC_BONES] = {0}, count = 1;

	r->clip.name = tree.root_name;
	if (tree.root_name == NULL || anim_sink_tree(sink, &tree, r->error) != 0 ||
	    anim_sink_node(sink, &root, r->error) != 0)
		return -1;
	for (int i = 0; i < VMC_BONES; i++) {
		char vrm[VMC_BONE_NAME_MAX];
		const struct anim_attr attr = {"gltf.vrm", vrm};
		int parent = vmc_bones[i].parent;
		struct anim_node node = {.kind = ANIM_NODE_BONE,
					 .has = ANIM_HAS_POSITION | ANIM_HAS_ROTATION,
					 .rotation = {0, 0, 0, 1},
					 .scale = {1, 1, 1},
					 .type = "",
					 .attrs = {&attr, 1}};

		if (!has_bone(r, i))
			continue;
		while (parent >= 0 && !has_bone(r, parent))
			parent = vmc_bones[parent].parent;
		node.parent = parent < 0 ? 0 : numbers[parent];
		vmc_bone_vrm(i, vrm);
		memcpy(node.position, r->rests[i].has ? r->rests[i].position : r->bones[i].first, sizeof node.position);
		if (r->rests[i].has)
			memcpy(node.rotation, r->rests[i].rotation, sizeof node.rotation);
		node.path = parent < 0
				? vmc_bones[i].name
				: anim_arena_printf(&r->arena, r->error, "%s/%s", r->paths[parent], vmc_bones[i].name);
		r->paths[i] = node.path;
		numbers[i] = count++;
		if (node.path == NULL || anim_sink_node(sink, &node, r->error) != 0)
			return -1;
	}
	return 0;
}

/* Warn of bones without lengths: some senders send only rotations. Return 0 or -1. */
static int check_lengths(struct reader *r)
{
	static const float zero[3];
	size_t count = 0;

	for (int i = 1; i < VMC_BONES; i++) {
		if (r->bones[i].count > 0 && (r->bones[i].moves || memcmp(r->bones[i].first, zero, sizeof zero) != 0))
			return 0;
		count += r->bones[i].count > 0;
	}
	if (count == 0 || r->options->model != NULL)
		return 0;
	return anim_diagnostics_warn(r->options->diagnostics, NULL, r->error,
				     "the sender does not send the lengths of bones; add its avatar: " ANIM_OPTION_TO(
					 "parse", "avatar", "MODEL.vrm"));
}

/* ---- Tracks ---- */

/* Copy `width` numbers of each value, from number `from` on, and its time. Return the number of keys, or SIZE_MAX on failure. */
static size_t gather(struct reader *r, const struct item *item, size_t from, size_t width)
{
	const double *times = (const double *)(const void *)r->times.data;
	size_t size = value_size(item), tiles = item->places.size / sizeof(uint64_t), count = 0, room;
	float *numbers, *keys;

	r->values.size = r->keys.size = 0;
	if (anim_size_multiply((size_t)item->count, width * sizeof *numbers, &room, r->error) != 0 ||
	    (numbers = anim_buffer_extend(&r->values, room, r->error)) == NULL ||
	    (keys = anim_buffer_extend(&r->keys, (size_t)item->count * sizeof *keys, r->error)) == NULL)
		return SIZE_MAX;
	for (size_t tile = 0; tile <= tiles; tile++) {
		const uint8_t *at = item->latest.data;
		size_t bytes = item->latest.size;

		if (tile < tiles) {
			bytes = TILE * size;
			at = anim_spool_read(&r->spool, ((const uint64_t *)(const void *)item->places.data)[tile],
					     bytes, r->error);
			if (at == NULL)
				return SIZE_MAX;
		}
		for (const uint8_t *end = at + bytes; at < end; at += size) {
			struct value value;

			memcpy(&value, at, size);
			if (isnan(times[value.frame]))
				continue;
			keys[count] = (float)times[value.frame];
			if (count > 0 && keys[count] <= keys[count - 1])
				continue; /* two frames at one float */
			memcpy(numbers + count * width, value.numbers + from, width * sizeof *numbers);
			count++;
		}
	}
	return count;
}

static int push_track(struct reader *r, const struct item *item, const char *node, const char *property,
		      struct anim_sink *sink)
{
	bool rotation = strcmp(property, "rotation") == 0, whole = item->width == PLACE_COUNT;
	size_t width = !whole ? 1 : rotation ? 4 : 3, count = gather(r, item, rotation ? 3 : 0, width);
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = !whole     ? ANIM_FLOAT
					   : rotation ? ANIM_FLOATQ
						      : ANIM_FLOAT3,
				   .node = node,
				   .property = property,
				   .component = ANIM_WHOLE,
				   .interp = ANIM_LINEAR,
				   .n = count};

	if (node == NULL || property == NULL || count == SIZE_MAX)
		return -1;
	track.value = r->values.data;
	track.time = (const float *)(const void *)r->keys.data;
	if (r->is_regular && count == frame_count(r)) {
		track.kind = ANIM_RAW;
		track.time = NULL;
		track.rate_num = r->rate_num;
		track.rate_den = r->rate_den;
		track.step_s = r->rate_num > 0 ? 0 : r->step_s;
	}
	return count == 0 ? 0 : anim_sink_track(sink, &track, r->error);
}

static int push_tracks(struct reader *r, struct anim_sink *sink)
{
	static const float still[PLACE_COUNT] = {0, 0, 0, 0, 0, 0, 1};
	const struct item *root = &r->root;
	bool moves = root->count > 0 && (root->moves || memcmp(root->first, still, 3 * sizeof *still) != 0);
	bool rotates = root->count > 0 && (root->rotates || memcmp(root->first + 3, still + 3, 4 * sizeof *still) != 0);

	if ((moves && push_track(r, root, ".", "position", sink) != 0) ||
	    (rotates && push_track(r, root, ".", "rotation", sink) != 0))
		return -1;
	for (int i = 0; i < VMC_BONES; i++) {
		const struct item *bone = &r->bones[i];

		if (bone->count == 0)
			continue;
		if (((i == 0 || bone->moves) && push_track(r, bone, r->paths[i], "position", sink) != 0) ||
		    push_track(r, bone, r->paths[i], "rotation", sink) != 0)
			return -1;
	}
	for (size_t i = 0; i < expression_count(r); i++) {
		const struct item *item = expression_at(r, i);
		const char *vrm1 = vmc_expression_vrm1(item->name);
		uint32_t number;

		/* Skip an expression that the sender also sends under its name in VRM 1.0. */
		if (strcmp(vrm1, item->name) != 0 && anim_map_get(&r->names, 0, vrm1, strlen(vrm1), &number))
			continue;
		if (push_track(r, item, ".", anim_arena_printf(&r->arena, r->error, "expression/%s", vrm1), sink) != 0)
			return -1;
	}
	return 0;
}

static void clear_item(struct item *item)
{
	anim_buffer_clear(&item->latest);
	anim_buffer_clear(&item->places);
}

int anim_vmc_read(struct anim_input *input, const struct anim_read_options *options, struct anim_sink *sink,
		  struct anim_error *error)
{
	struct reader r = {.input = input, .options = options, .error = error, .clock_s = NAN};
	int result = -1;

	anim_spool_init(&r.spool, options->store_memory);
	if (read_datagrams(&r) != 0 || read_model(&r) != 0 || set_times(&r) != 0 || count_missing(&r) != 0)
		goto done;
	find_rate(&r);
	count_incomplete(&r);
	if (warn_of_counts(&r) != 0 || check_lengths(&r) != 0 || push_tree(&r, sink) != 0)
		goto done;
	r.clip.axes = ANIM_AXES_UNITY;
	r.clip.flags = ANIM_IN_TREE;
	r.clip.root = ".";
	r.clip.source = "vmc";
	r.clip.rate_num = r.rate_num;
	r.clip.rate_den = r.rate_den;
	result = anim_sink_clip(sink, &r.clip, error) != 0 ? -1 : push_tracks(&r, sink);
done:
	if (result != 0 && error->file[0] == '\0' && error->code == ANIM_BAD_INPUT)
		anim_error_in_file(error, anim_input_name(input));
	for (int i = 0; i < VMC_BONES; i++)
		clear_item(&r.bones[i]);
	clear_item(&r.root);
	for (size_t i = 0; i < expression_count(&r); i++)
		clear_item(expression_at(&r, i));
	anim_buffer_clear(&r.expressions);
	anim_map_clear(&r.names);
	anim_spool_clear(&r.spool);
	anim_buffer_clear(&r.frames);
	anim_buffer_clear(&r.times);
	anim_buffer_clear(&r.values);
	anim_buffer_clear(&r.keys);
	anim_arena_clear(&r.arena);
	return result;
}
