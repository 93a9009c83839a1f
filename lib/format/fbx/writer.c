/* writer.c: the sink that makes nodes of a stream models, and its tracks curves. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/advice.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/text.h"
#include "clip/keys.h"
#include "format/fbx/curve.h"
#include "format/fbx/scene.h"
#include "format/fbx/writer.h"
#include "math/elementary.h"

#define LABEL_MAX 256u               /* bytes of a track's name in a message */
#define TICKS_MAX (INT64_C(1) << 60) /* 289 days, as far as the reader takes them */
#define DEGREES (180 / ANIM_PI)      /* of a radian */
#define WEIGHT_UNITS 10000           /* of a handle's length, in a third of a segment 3333 */
#define THIRD (1.0f / 3)             /* what a handle says that is not weighted */
#define THIRDS UINT32_C(0x0d050d05)  /* both lengths, packed */
#define NAMED "fbx.name"             /* attribute of a NODE: what an FBX file called it */
#define DEFAULT_SIZE 0.1             /* of a bone, in metres */
#define NESTED 3                     /* rotated nodes below each other that are bones without being called so */

static struct fbx_writer *writer_of(struct anim_sink *sink, struct anim_error *error)
{
	struct fbx_writer *writer = (struct fbx_writer *)sink;

	writer->error = error;
	return writer;
}

/* ---- What conversion makes of tracks ---- */

#define BIT(type) ((uint64_t)1 << (type))

/* Whether a user property may have this name: FBX gives it no other meaning. */
static bool is_free(const char *name)
{
	static const char *const names[] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling", "Visibility"};

	return fbx_property_is_own(name) && !anim_text_is_one_of(name, names, sizeof names / sizeof *names);
}

/* Whether it may come to have a place. Matrices become parts of a transform. */
static bool has_place(const struct anim_track *track)
{
	static const char *const transforms[] = {"position", "rotation",  "scale", "euler",
						 "angle",    "transform", "basis", "visible"};
	bool is_transform = anim_text_is_one_of(track->property, transforms, sizeof transforms / sizeof *transforms);
	unsigned components = anim_types[track->type].components;

	if (track->property[0] == '@' || track->type == ANIM_STRING)
		return false;
	if (is_transform && anim_track_is_transform(track))
		return true;
	return is_free(track->property) && components <= 3 && !anim_types[track->type].matrix;
}

/*
 * Weights of handles are whole ten-thousandths in FBX. Curves of components stay apart; rotations are Euler angles.
 */
const struct anim_caps anim_fbx_caps = {
    .format = "fbx",
    .kinds = 1u << ANIM_RAW | 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
    .types = BIT(ANIM_BOOL) | BIT(ANIM_FLOAT) | BIT(ANIM_FLOAT2) | BIT(ANIM_FLOAT3) | BIT(ANIM_FLOATQ),
    .interps = 1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE | 1u << ANIM_WEIGHTED,
    .flags = ANIM_DEGREES,
    .rules = ANIM_RULES_PLAIN,
    .mixed_interps = true,
    .components = true,
    .joined_rotations = true,
    .euler_only = true,
    .weight_units = WEIGHT_UNITS,
    .euler = true,
    .angle = true,
    .ends = true,
    .negative_times = true,
    .raw_start = true,
    .holds = has_place};

/* ---- Nodes ---- */

static uint32_t node_count(const struct fbx_writer *writer)
{
	return FBX_OUT_COUNT(writer->nodes, struct fbx_out_node);
}

static struct fbx_out_node *node_at(const struct fbx_writer *writer, uint32_t number)
{
	return FBX_OUT_AT(writer->nodes, struct fbx_out_node, number);
}

bool fbx_out_is_model(const struct fbx_writer *writer, uint32_t number)
{
	const struct fbx_out_node *node = node_at(writer, number);
	bool moves = node->is_driven || node->is_bone || node->kind != ANIM_NODE || node->first_property != FBX_NOTHING;

	if (strcmp(writer->rests.items[number].path, ".") != 0)
		return true;
	for (unsigned i = 0; i < 3; i++)
		moves |= node->position[i] != 0 || node->rotation[i] != 0 || node->scale[i] != 1;
	return moves;
}

const struct fbx_axes *fbx_out_axes(const struct fbx_writer *writer, uint32_t number, uint32_t what)
{
	const struct fbx_out_node *node = node_at(writer, number);
	unsigned kind = what == FBX_OUT_R || what == FBX_OUT_S ? node->kind : ANIM_NODE;

	if (what == FBX_OUT_T && node->parent != FBX_NOTHING)
		kind = node_at(writer, node->parent)->kind;
	return fbx_axes_of(kind);
}

void fbx_out_vector(const struct fbx_writer *writer, uint32_t number, uint32_t what, double v[3])
{
	const struct fbx_out_node *node = node_at(writer, number);
	const struct fbx_axes *axes = fbx_out_axes(writer, number, what);
	double angles[3];

	anim_euler_from_quat_double(angles, node->rotation, node->order);
	for (unsigned i = 0; i < 3; i++) {
		double own = what == FBX_OUT_T   ? node->position[i] * axes->sign[i]
			     : what == FBX_OUT_R ? angles[i] * DEGREES * axes->sign[i]
						 : node->scale[i];

		v[axes->from[i]] = own == 0 ? 0 : own;
	}
}

/* Return the number of the node of a path of the tree; FBX_NOTHING: there is none. */
static uint32_t find_node(struct fbx_writer *writer, const char *path)
{
	const struct anim_rest *rest = anim_rests_find(&writer->rests, ".", path);

	return rest == NULL ? FBX_NOTHING : (uint32_t)(rest - writer->rests.items);
}

/* A bone, and all above it, are in the bind pose. */
static void pose(struct fbx_writer *writer, uint32_t number)
{
	for (; number != FBX_NOTHING && !node_at(writer, number)->is_posed; number = node_at(writer, number)->parent)
		node_at(writer, number)->is_posed = true;
}

/* Return whether the source names the node as a bone of a human (`lookAt` is not one), or it is a plain node below one. */
static bool is_human(const struct fbx_writer *writer, const struct anim_node *node, uint32_t parent)
{
	const char *bone = anim_attrs_get(&node->attrs, "gltf.vrm");

	return (bone != NULL && strcmp(bone, "lookAt") != 0) || anim_attrs_get(&node->attrs, "unity.human") != NULL ||
	       (parent != FBX_NOTHING && node_at(writer, parent)->is_human && node->kind == ANIM_NODE);
}

/* Append a node. Return 0 or -1. */
static int append_node(struct fbx_writer *writer, const struct anim_node *from, const char *name, uint32_t parent)
{
	uint32_t number = node_count(writer);
	bool of_human = is_human(writer, from, parent);
	bool has_own_axes =
	    !of_human && !(from->has & ANIM_HAS_2D) && fbx_axes_of(from->kind) != fbx_axes_of(ANIM_NODE);
	struct fbx_out_node node = {.parent = parent,
				    .is_bone = from->kind == ANIM_NODE_BONE || of_human,
				    .kind = has_own_axes ? from->kind : ANIM_NODE,
				    .light = strncmp(from->type, "Directional", 11) == 0 ? FBX_DIRECTIONAL_LIGHT
					     : strncmp(from->type, "Spot", 4) == 0       ? FBX_SPOT_LIGHT
											 : FBX_POINT_LIGHT,
				    .is_human = of_human,
				    .order = ANIM_EULER_ZYX,
				    .first_property = FBX_NOTHING,
				    .last = FBX_NOTHING};

	anim_quat_unit_double(node.rotation, from->rotation);
	for (unsigned i = 0; i < 3; i++) {
		node.position[i] = (double)from->position[i];
		node.scale[i] = (double)from->scale[i];
	}
	if (number == FBX_NOTHING - 1)
		return anim_fail(writer->error, ANIM_TOO_LARGE, "there are too many nodes");
	node.name = anim_arena_text(&writer->kept, name, strlen(name), writer->error);
	if (node.name == NULL || anim_buffer_append(&writer->nodes, &node, sizeof node, writer->error) != 0 ||
	    anim_rests_add(&writer->rests, from, writer->error) != 0)
		return -1;
	if (node.is_bone)
		pose(writer, number);
	return 0;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct fbx_writer *writer = writer_of(sink, error);

	writer->numbers.size = 0;
	writer->root_name = tree->root_name;
	return anim_text_keep(&writer->root_name, &writer->kept, error);
}

/* What the file that the tree is of called the node, else its name in the stream. */
static const char *name_of(const struct fbx_writer *writer, const struct anim_node *node, uint32_t parent)
{
	const char *own = anim_attrs_get(&node->attrs, NAMED), *bone;

	if (own != NULL)
		return own;
	if (parent == FBX_NOTHING)
		return writer->root_name != NULL && writer->root_name[0] != '\0' ? writer->root_name : "Root";
	bone = anim_node_bone(node->path, writer->rests.items[parent].path);
	return bone != NULL ? bone : anim_path_last(node->path);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct fbx_writer *writer = writer_of(sink, error);
	uint32_t number = find_node(writer, node->path);
	uint32_t parent =
	    node->parent == ANIM_NO_PARENT ? FBX_NOTHING : *FBX_OUT_AT(writer->numbers, uint32_t, node->parent);

	if (number == FBX_NOTHING) {
		number = node_count(writer);
		if (append_node(writer, node, name_of(writer, node, parent), parent) != 0)
			return -1;
	}
	return anim_buffer_append(&writer->numbers, &number, sizeof number, error);
}

/* Make a node that no tree has. Return 0 or -1. */
static int make_node(struct fbx_writer *writer, const char *path, const char *name, bool is_bone, uint32_t parent)
{
	const struct anim_node node = {.kind = is_bone ? ANIM_NODE_BONE : ANIM_NODE,
				       .parent = parent == FBX_NOTHING ? ANIM_NO_PARENT : 0,
				       .rotation = {0, 0, 0, 1},
				       .scale = {1, 1, 1},
				       .path = path,
				       .type = ""};

	if (append_node(writer, &node, name, parent) != 0)
		return -1;
	node_at(writer, node_count(writer) - 1)->is_made = true;
	return 0;
}

/*
 * Make bones of the nodes without a tree that form a skeleton, for example in a Unity clip. Such nodes are
 * called hips, or rotate below each other. Programs show other nodes as single objects.
 */
static void find_skeletons(struct fbx_writer *writer)
{
	for (uint32_t i = 0; i < node_count(writer); i++) {
		struct fbx_out_node *node = node_at(writer, i);
		const struct fbx_out_node *parent = node->parent == FBX_NOTHING ? NULL : node_at(writer, node->parent);
		size_t length = strlen(node->name);
		bool has_hips = (length >= 4 && strcasecmp(node->name + length - 4, "hips") == 0) ||
				(length >= 6 && strcasecmp(node->name + length - 6, "pelvis") == 0);

		node->skeleton = FBX_NOTHING;
		if (parent == NULL || !node->is_made)
			continue;
		if (parent->is_made)
			node->skeleton = parent->skeleton;
		if (node->skeleton == FBX_NOTHING && (node->is_rotated || has_hips))
			node->skeleton = i;
		node->nested = parent->nested + node->is_rotated;
		if (node->skeleton != FBX_NOTHING && (node->nested >= NESTED || has_hips))
			node_at(writer, node->skeleton)->is_bone = true;
	}
	for (uint32_t i = 0; i < node_count(writer); i++) {
		struct fbx_out_node *node = node_at(writer, i);

		node->is_bone |= node->skeleton != FBX_NOTHING && node_at(writer, node->skeleton)->is_bone &&
				 node->first_property == FBX_NOTHING;
		if (node->is_bone)
			pose(writer, i);
	}
	for (uint32_t i = 0; i < node_count(writer); i++) {
		struct fbx_out_node *node = node_at(writer, i), *parent;
		double length = sqrt(node->position[0] * node->position[0] + node->position[1] * node->position[1] +
				     node->position[2] * node->position[2]);

		if (!node->is_bone)
			continue;
		parent = node->parent == FBX_NOTHING ? NULL : node_at(writer, node->parent);
		node->size = parent != NULL && parent->is_bone && length > 0 ? length : DEFAULT_SIZE;
		if (parent != NULL && parent->is_bone && !parent->is_sized && length > 0) {
			parent->size = length;
			parent->is_sized = true;
		}
	}
}

/*
 * Find the node of a path, or make it and all that are missing above it. `bone`: where the name of a bone begins; NULL: it is none.
 * Return its number; FBX_NOTHING on failure.
 */
static uint32_t reach_node(struct fbx_writer *writer, char *path, const char *bone)
{
	uint32_t parent = find_node(writer, "."), number;
	char *at = path;

	if (parent == FBX_NOTHING) {
		parent = node_count(writer);
		if (make_node(writer, ".", name_of(writer, &(struct anim_node){.path = "."}, FBX_NOTHING), false,
			      FBX_NOTHING) != 0)
			return FBX_NOTHING;
	}
	if (strcmp(path, ".") == 0)
		return parent;
	for (;;) {
		char *end = at + strcspn(at, "/"), between;

		if (bone != NULL && at < bone && bone <= end)
			end = path + (bone - path) - 1; /* the skeleton before the ':' */
		between = *end;
		*end = '\0';
		number = find_node(writer, path);
		if (number == FBX_NOTHING) {
			number = node_count(writer);
			if (make_node(writer, path, at, at == bone, parent) != 0)
				return FBX_NOTHING;
		}
		*end = between;
		if (between == '\0')
			return number;
		parent = number;
		at = end + 1;
	}
}

/* Find or make the node that a track drives. Return 1; 0: its path leaves the tree; -1. */
static int node_of(struct fbx_writer *writer, const struct anim_track *track, uint32_t *number)
{
	const struct anim_rest *rest = anim_rests_find(&writer->rests, writer->clip.root, track->node);
	const char *bone;
	char *path;

	if (rest != NULL) {
		*number = (uint32_t)(rest - writer->rests.items);
		return 1;
	}
	path = anim_tree_path(writer->clip.root, track->node, &writer->scratch, writer->error);
	if (path == NULL)
		return writer->error->code == ANIM_NO_MEMORY ? -1 : 0;
	bone = anim_track_bone(writer->clip.source, track);
	if (bone != NULL)
		bone = path + strlen(path) - strlen(bone);
	*number = reach_node(writer, path, bone);
	return *number == FBX_NOTHING ? -1 : 1;
}

/* ---- Times ---- */

/*
 * Return the tick of a time of a key (a float) or a sample. Times that equal a frame within the precision of a float get the
 * exact tick of this frame. So programs show whole frames, and ticks of an FBX file stay the same.
 */
static int64_t tick_of(const struct fbx_writer *writer, double time_s)
{
	double rate = writer->clip.rate_num == 0 ? 0 : (double)writer->clip.rate_num / (double)writer->clip.rate_den;
	int64_t tick;

	if (rate > 0) {
		tick = (int64_t)rint(rint(time_s * rate) * (double)FBX_TICKS / rate);
		if ((float)((double)tick * (1.0 / (double)FBX_TICKS)) == (float)time_s)
			return tick;
	}
	return (int64_t)rint(time_s * (double)FBX_TICKS);
}

static int check_time(const struct fbx_writer *writer, double time_s, const char *label)
{
	if (fabs(time_s) * (double)FBX_TICKS < (double)TICKS_MAX)
		return 0;
	return anim_fail(writer->error, ANIM_UNSUPPORTED,
			 "'%s' has a time of %g s; FBX holds 289 days: " ANIM_ADVICE(CUT_TIME), label, time_s);
}

/*
 * The ticks of all keys. Of several at one time, which are a jump, the last one has that time and those before it a tick less each:
 * times of FBX must rise. Return 0 or -1.
 */
static int put_times(struct fbx_writer *writer, const struct anim_track *track, const char *label)
{
	int64_t *ticks, jump = 0;

	writer->times.size = 0;
	ticks = anim_buffer_extend(&writer->times, track->n * sizeof *ticks, writer->error);
	if (ticks == NULL)
		return -1;
	for (size_t k = track->n; k-- > 0;) {
		double time_s = anim_track_shown_s(track, k, &writer->clip);

		if (check_time(writer, time_s, label) != 0)
			return -1;
		ticks[k] = tick_of(writer, time_s);
		jump = k + 1 < track->n && time_s == anim_track_time(track, k + 1) ? jump + 1 : 0;
		ticks[k] -= jump;
	}
	for (size_t k = 1; k < track->n; k++)
		if (ticks[k] <= ticks[k - 1])
			ticks[k] = ticks[k - 1] + 1;
	return 0;
}

/* ---- Keys ---- */

/* What a curve is made of. */
struct fbx_part {
	const struct anim_track *track;
	unsigned component;
	double factor; /* of values and slopes */
};

/* Flags and data of a key: how the curve goes on from it, and how it comes to the next. */
struct attributes {
	int32_t flags;
	uint32_t data[4];
};

static uint32_t bits_of(double number)
{
	float narrow = (float)number;
	uint32_t bits;

	memcpy(&bits, &narrow, sizeof bits);
	return bits;
}

/* The length of a handle of the component; false: it is a third. */
static bool is_weighted(const struct fbx_part *part, const float *lengths, size_t k, unsigned bit, uint32_t *units)
{
	const struct anim_track *track = part->track;
	float length;

	if (track->weighted == NULL || lengths == NULL || (track->weighted[k] & bit) == 0)
		return false;
	length = lengths[k * anim_types[track->type].components + part->component];
	if (length == THIRD)
		return false;
	*units = (uint32_t)rint(fmin(fmax((double)length, 0), 6) * WEIGHT_UNITS);
	return true;
}

/* Set the attributes of key k. Return false if FBX has none for its mode. */
static bool set_attributes(const struct fbx_part *part, size_t k, struct attributes *attributes)
{
	const struct anim_track *track = part->track;
	enum anim_interp mode = track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(track, k);
	uint32_t units[2] = {THIRDS & 0xffff, THIRDS >> 16};

	*attributes = (struct attributes){.flags = FBX_KEY_LINEAR, .data = {0, 0, THIRDS, 0}};
	if (mode == ANIM_HOLD || track->n == 1)
		attributes->flags = FBX_KEY_CONSTANT;
	else if ((mode == ANIM_HERMITE || mode == ANIM_WEIGHTED) && k + 1 == track->n)
		attributes->flags = FBX_KEY_CUBIC | FBX_KEY_USER;
	else if (mode == ANIM_HERMITE || mode == ANIM_WEIGHTED) {
		double right = anim_component(track->type, track->right, k, part->component) * part->factor;
		double next = anim_component(track->type, track->left, k + 1, part->component) * part->factor;
		bool weighs = mode == ANIM_WEIGHTED;

		attributes->flags = FBX_KEY_CONSTANT; /* players hold the value if a slope is not finite */
		if (isfinite((float)right) && isfinite((float)next)) {
			attributes->flags = FBX_KEY_CUBIC | FBX_KEY_USER | FBX_KEY_BROKEN;
			attributes->data[0] = bits_of(right);
			attributes->data[1] = bits_of(next);
			if (weighs && is_weighted(part, track->right_x, k, 2, &units[0]))
				attributes->flags |= FBX_KEY_RIGHT_WEIGHTED;
			if (weighs && is_weighted(part, track->left_x, k + 1, 1, &units[1]))
				attributes->flags |= FBX_KEY_LEFT_WEIGHTED;
			attributes->data[2] = units[0] | units[1] << 16;
		}
	}
	return mode == ANIM_HOLD || mode == ANIM_LINEAR || mode == ANIM_HERMITE || mode == ANIM_WEIGHTED;
}

/* Fill values, flags, data and counts: equal attributes that follow each other are one run. Return 0 or -1. */
static int put_keys(struct fbx_writer *writer, const struct fbx_part *part)
{
	const struct anim_track *track = part->track;
	const struct anim_type_info *type = &anim_types[track->type];
	const int32_t cubic = FBX_KEY_CUBIC | FBX_KEY_BROKEN;
	/* The attributes depend only on the mode of the first key. */
	const bool has_one_run =
	    track->kind == ANIM_DISCRETE || track->interp == ANIM_HOLD || track->interp == ANIM_LINEAR;
	float *values;
	struct attributes last = {0}, attributes;
	int32_t *count = NULL, one = 1;

	writer->flags.size = writer->data.size = writer->counts.size = 0;
	writer->values.size = 0;
	values = anim_buffer_extend(&writer->values, track->n * sizeof *values, writer->error);
	if (values == NULL)
		return -1;
	for (size_t k = 0; k < track->n && type->scalar == ANIM_SCALAR_F32; k++)
		values[k] = (float)((double)((const float *)track->value)[k * type->components + part->component] *
				    part->factor);
	for (size_t k = 0; k < track->n && type->scalar != ANIM_SCALAR_F32; k++)
		values[k] = (float)(anim_component(track->type, track->value, k, part->component) * part->factor);

	for (size_t k = 0; k < (has_one_run ? 1 : track->n); k++) {
		if (!set_attributes(part, k, &attributes))
			return anim_fail(
			    writer->error, ANIM_UNSUPPORTED,
			    "track '%s %s' has keys of a mode that FBX does not have; " ANIM_ADVICE_TO(SAMPLE, "30"),
			    track->node, track->property);
		/* Tangents whose two sides are one slope stay one in editors. */
		if (k > 0 && (last.flags & FBX_KEY_CUBIC) != 0 && (attributes.flags & cubic) == cubic &&
		    last.data[1] == attributes.data[0])
			attributes.flags &= ~FBX_KEY_BROKEN;
		if (k > 0 && memcmp(&attributes, &last, sizeof last) == 0) {
			++*count;
			continue;
		}
		last = attributes;
		if (anim_buffer_append(&writer->flags, &attributes.flags, sizeof attributes.flags, writer->error) !=
			0 ||
		    anim_buffer_append(&writer->data, attributes.data, sizeof attributes.data, writer->error) != 0 ||
		    anim_buffer_append(&writer->counts, &one, sizeof one, writer->error) != 0)
			return -1;
		count = FBX_OUT_AT(writer->counts, int32_t, writer->counts.size / sizeof one - 1);
	}
	if (has_one_run)
		*count = (int32_t)track->n;
	return 0;
}

static char letter_of_end(uint8_t end)
{
	return end == ANIM_EXTRAPOLATION_LOOP ? 'R' : end == ANIM_EXTRAPOLATION_PINGPONG ? 'M' : 'C';
}

/* Keep the curve whose columns are at hand. Return 0 or -1. */
static int keep_curve(struct fbx_writer *writer, uint8_t pre, uint8_t post, uint32_t *number)
{
	const struct anim_buffer *columns[] = {&writer->times, &writer->values, &writer->flags, &writer->data,
					       &writer->counts};
	const struct fbx_out_curve curve = {.place = anim_spool_size(&writer->spool),
					    .n = FBX_OUT_COUNT(writer->times, int64_t),
					    .runs = FBX_OUT_COUNT(writer->flags, int32_t),
					    .first = *FBX_OUT_ALL(writer->values, float),
					    .ends = {letter_of_end(pre), letter_of_end(post)}};
	uint64_t size = 0;

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		size += columns[i]->size;
	if (anim_spool_begin(&writer->spool, size, writer->error) != 0)
		return -1;
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (anim_spool_append(&writer->spool, columns[i]->data, columns[i]->size, writer->error) != 0)
			return -1;
	*number = FBX_OUT_COUNT(writer->curves, struct fbx_out_curve);
	return anim_buffer_append(&writer->curves, &curve, sizeof curve, writer->error);
}

/* Keep a curve that has one value at the times of another curve. Return 0 or -1. */
static int keep_constant(struct fbx_writer *writer, uint32_t like, float value, uint32_t *number)
{
	const struct fbx_out_curve *curve = FBX_OUT_AT(writer->curves, struct fbx_out_curve, like);
	const int32_t flags = FBX_KEY_LINEAR, count = (int32_t)curve->n;
	const uint32_t data[4] = {0, 0, THIRDS, 0};
	size_t size = curve->n * sizeof(int64_t);
	float *values;

	writer->times.size = writer->values.size = writer->flags.size = writer->data.size = writer->counts.size = 0;
	values = anim_buffer_extend(&writer->values, curve->n * sizeof *values, writer->error);
	if (values == NULL || anim_buffer_extend(&writer->times, size, writer->error) == NULL ||
	    anim_spool_copy(&writer->spool, curve->place, writer->times.data, size, writer->error) != 0 ||
	    anim_buffer_append(&writer->flags, &flags, sizeof flags, writer->error) != 0 ||
	    anim_buffer_append(&writer->data, data, sizeof data, writer->error) != 0 ||
	    anim_buffer_append(&writer->counts, &count, sizeof count, writer->error) != 0)
		return -1;
	for (size_t k = 0; k < curve->n; k++)
		values[k] = value;
	return keep_curve(writer, ANIM_EXTRAPOLATION_HOLD, ANIM_EXTRAPOLATION_HOLD, number);
}

/* ---- Tracks ---- */

static int leave_out(const struct fbx_writer *writer, const struct anim_track *track, const char *why)
{
	return anim_diagnostics_drop(writer->options.diagnostics, track, why, writer->error);
}

/*
 * Find or make the property of a node that FBX does not know, or the blend shape. A bone cannot have a mesh, so the
 * weights of its blend shapes are user properties. Return 0 or -1.
 */
static int property_of(struct fbx_writer *writer, const struct anim_track *track, uint32_t number, uint32_t *property)
{
	struct fbx_out_property made = {
	    .next = FBX_NOTHING, .is_vector = track->component != ANIM_WHOLE || anim_types[track->type].components > 1};
	struct fbx_out_node *node = node_at(writer, number);
	size_t length = strlen(track->property);
	const char *shape;

	if (anim_map_get(&writer->property_numbers, number, track->property, length, property))
		return 0;
	*property = FBX_OUT_COUNT(writer->properties, struct fbx_out_property);
	made.name = anim_arena_text(&writer->kept, track->property, length, writer->error);
	if (made.name == NULL ||
	    anim_map_put(&writer->property_numbers, number, made.name, length, *property, writer->error) != 0)
		return -1;
	shape = anim_text_after(made.name, "blend_shape/");
	made.is_channel =
	    shape != NULL && shape[0] != '\0' && !made.is_vector && !node->is_bone && node->kind == ANIM_NODE;
	made.is_shape = shape != NULL && is_free(shape) && !made.is_channel;
	if (made.is_channel || made.is_shape)
		made.name = shape;
	node->has_shapes |= made.is_channel;
	for (unsigned i = 0; i < (track->component == ANIM_WHOLE ? anim_types[track->type].components : 0); i++)
		made.value[i] = anim_component(track->type, track->value, 0, i);
	if (node->first_property == FBX_NOTHING)
		node->first_property = *property;
	else
		FBX_OUT_AT(writer->properties, struct fbx_out_property, node->last)->next = *property;
	node->last = *property;
	if (anim_buffer_append(&writer->properties, &made, sizeof made, writer->error) != 0)
		return -1;
	if (!made.is_shape)
		return 0;
	return anim_diagnostics_track(writer->options.diagnostics, track, writer->error,
				      "weights of blend shapes of a bone, which has no mesh, became user properties");
}

/* What a track drives: 1; 0: nothing that FBX has; -1. */
static int what_of(struct fbx_writer *writer, const struct anim_track *track, uint32_t node, uint32_t *what)
{
	static const char *const names[] = {"position", "euler", "scale", "visible", "angle"};
	static const uint32_t numbers[] = {FBX_OUT_T, FBX_OUT_R, FBX_OUT_S, FBX_OUT_VISIBLE, FBX_OUT_R};
	bool is_transform = anim_track_is_transform(track);

	for (size_t i = 0; i < sizeof names / sizeof *names && is_transform; i++)
		if (strcmp(track->property, names[i]) == 0) {
			*what = numbers[i];
			return 1;
		}
	if (!is_free(track->property))
		return 0;
	if (property_of(writer, track, node, what) != 0)
		return -1;
	*what += FBX_OUT_USER;
	return 1;
}

/* Find or make the curve node that a track belongs to. Return its number; FBX_NOTHING on failure. */
static uint32_t curve_node_of(struct fbx_writer *writer, uint32_t node, uint32_t what)
{
	const struct fbx_out_curve_node made = {.clip = FBX_OUT_COUNT(writer->clips, struct fbx_out_clip) - 1,
						.node = node,
						.what = what,
						.curves = {FBX_NOTHING, FBX_NOTHING, FBX_NOTHING}};
	uint32_t number = FBX_OUT_COUNT(writer->curve_nodes, struct fbx_out_curve_node);
	uint64_t key = (uint64_t)node << 32 | what;

	if (anim_map_get(&writer->driven, key, "", 0, &number))
		return number;
	if (anim_map_put(&writer->driven, key, "", 0, number, writer->error) != 0 ||
	    anim_buffer_append(&writer->curve_nodes, &made, sizeof made, writer->error) != 0)
		return FBX_NOTHING;
	return number;
}

/* What values of the track are multiplied by: angles are degrees in FBX. */
static double factor_of(const struct anim_track *track)
{
	bool is_angle = anim_property_is_angle(track->property);

	return is_angle && (track->flags & ANIM_DEGREES) == 0 ? DEGREES : 1;
}

/* Return whether the curves of a curve node are the weights of a blend shape, in percent. */
bool fbx_out_is_channel(const struct fbx_writer *writer, uint32_t what)
{
	return what >= FBX_OUT_USER &&
	       FBX_OUT_AT(writer->properties, struct fbx_out_property, what - FBX_OUT_USER)->is_channel;
}

/* Keep the components of a track as curves. Return 0 or -1. */
static int add_track(struct fbx_writer *writer, const struct anim_track *track, uint32_t node, uint32_t what)
{
	unsigned components = anim_types[track->type].components;
	unsigned first = strcmp(track->property, "angle") == 0 ? 2
			 : track->component == ANIM_WHOLE      ? 0
							       : track->component;
	struct fbx_out_node *to = node_at(writer, node);
	struct fbx_part part = {.track = track};
	char label[LABEL_MAX];
	uint32_t number;

	if (first + components > 3 || (what == FBX_OUT_VISIBLE && components > 1))
		return leave_out(writer, track, "left out, because FBX has fewer components");
	if (what == FBX_OUT_R && strcmp(track->property, "angle") != 0) {
		/* The first track of a node sets the order of its angles. */
		int order = anim_euler_order_find(anim_attrs_get(&track->attrs, "order"));

		order = order < 0 ? ANIM_EULER_YXZ : order;
		if (!to->has_order)
			to->order = (enum anim_euler_order)order;
		to->has_order = true;
		if (to->order != (enum anim_euler_order)order)
			return leave_out(
			    writer, track,
			    "left out, because another track of the node has another order of Euler angles");
	}
	number = curve_node_of(writer, node, what);
	if (number == FBX_NOTHING)
		return -1;
	for (unsigned i = 0; i < components; i++)
		if (FBX_OUT_AT(writer->curve_nodes, struct fbx_out_curve_node, number)
			->curves[fbx_out_axes(writer, node, what)->from[first + i]] != FBX_NOTHING)
			return leave_out(writer, track, "left out, because another track of the clip moves the same");
	to->is_driven = true;
	to->is_rotated |= what == FBX_OUT_R;

	anim_track_label(track, label, sizeof label);
	if (track->kind == ANIM_RAW && track->n > 1 && !(anim_track_step(track) > 0))
		return anim_fail(
		    writer->error, ANIM_UNSUPPORTED,
		    "%s: the time between the samples is not known; set it with " ANIM_OPTION("retime", "rate"), label);
	if (put_times(writer, track, label) != 0)
		return -1;
	for (; part.component < anim_types[track->type].components; part.component++) {
		struct fbx_out_curve_node *curve_node;
		const struct fbx_axes *axes = fbx_out_axes(writer, node, what);
		unsigned axis = axes->from[first + part.component];
		uint32_t curve;

		part.factor = fbx_out_is_channel(writer, what) ? 100 : factor_of(track);
		if (what == FBX_OUT_T || what == FBX_OUT_R)
			part.factor *= axes->sign[first + part.component];
		if (put_keys(writer, &part) != 0 || keep_curve(writer, track->pre, track->post, &curve) != 0)
			return -1;
		curve_node = FBX_OUT_AT(writer->curve_nodes, struct fbx_out_curve_node, number);
		curve_node->curves[axis] = curve;
		curve_node->values[axis] = *FBX_OUT_ALL(writer->values, float);
	}
	return 0;
}

static bool is_finite(const struct anim_track *track)
{
	/* Weights of blend shapes may be written in percent. */
	double factor = anim_text_after(track->property, "blend_shape/") != NULL ? 100 : factor_of(track);

	if (anim_types[track->type].scalar == ANIM_SCALAR_F32) {
		const float *value = track->value;
		bool finite = true;

		for (size_t k = 0; k < track->n * anim_types[track->type].components; k++)
			finite &= fabsf((float)((double)value[k] * factor)) <= FLT_MAX;
		return finite;
	}
	for (size_t k = 0; k < track->n; k++)
		for (unsigned i = 0; i < anim_types[track->type].components; i++)
			if (!isfinite((float)(anim_component(track->type, track->value, k, i) * factor)))
				return false;
	return true;
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct fbx_writer *writer = writer_of(sink, error);
	uint32_t node, what;
	int found;

	anim_arena_reset(&writer->scratch);
	found = anim_diagnostics_gate(writer->options.diagnostics, track, false, error);
	if (found != 0)
		return found < 0 ? -1 : 0;
	if (track->property[0] == '@')
		return leave_out(writer, track, "left out, because FBX has no events");
	if (!has_place(track))
		return leave_out(writer, track,
				 strcmp(track->property, "fov") == 0
				     ? "left out, because the view angle needs a camera, and none is written to FBX"
				     : "left out, because FBX has no place for the property");
	if (!is_finite(track))
		return leave_out(writer, track, "left out, because of values that are not finite");
	found = node_of(writer, track, &node);
	if (found == 0)
		return leave_out(writer, track, "left out, because the node is outside the tree");
	found = found < 0 ? -1 : what_of(writer, track, node, &what);
	if (found == 0)
		return anim_fail(error, ANIM_UNSUPPORTED,
				 "track '%s %s' cannot be held by fbx; " ANIM_ADVICE_TO(SAMPLE, "30"), track->node,
				 track->property);
	return found < 0 ? -1 : add_track(writer, track, node, what);
}

/* ---- Clips ---- */

/* Set a name that no other stack has: "walk", or the first free one of "walk-2", "walk-3" ... Return 0 or -1. */
static int name_clip(struct fbx_writer *writer, const char *name, struct fbx_out_clip *clip)
{
	uint32_t number = 2, other;

	clip->name = anim_arena_text(&writer->kept, name, strlen(name), writer->error);
	if (clip->name == NULL || !anim_map_get(&writer->names, 0, name, strlen(name), &number))
		return clip->name == NULL
			   ? -1
			   : anim_map_put(&writer->names, 0, clip->name, strlen(clip->name), number, writer->error);
	do {
		clip->name = anim_arena_printf(&writer->kept, writer->error, "%s-%" PRIu32, name, number++);
		if (clip->name == NULL)
			return -1;
	} while (anim_map_get(&writer->names, 0, clip->name, strlen(clip->name), &other));
	if (anim_map_put(&writer->names, 0, clip->name, strlen(clip->name), 2, writer->error) != 0 ||
	    anim_map_put(&writer->names, 0, name, strlen(name), number, writer->error) != 0)
		return -1;
	return anim_diagnostics_warn(writer->options.diagnostics, "clip", writer->error,
				     "'%s' (now '%s'): renamed, because another clip has the same name", name,
				     clip->name);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct fbx_writer *writer = writer_of(sink, error);
	struct fbx_out_clip out;

	anim_map_clear(&writer->driven);
	anim_arena_reset(&writer->clip_arena);
	if (anim_clip_copy(&writer->clip, clip, &writer->clip_arena, error) != 0)
		return -1;
	if (writer->rate_num == 0) {
		writer->rate_num = clip->rate_num;
		writer->rate_den = clip->rate_den;
	}
	if (check_time(writer, (double)clip->start_s, clip->name) != 0 ||
	    check_time(writer, (double)clip->end_s, clip->name) != 0)
		return -1;
	out.start = tick_of(writer, (double)clip->start_s);
	out.end = tick_of(writer, (double)clip->end_s);
	if (name_clip(writer, clip->name, &out) != 0 ||
	    anim_buffer_append(&writer->clips, &out, sizeof out, error) != 0)
		return -1;
	return anim_diagnostics_playback(writer->options.diagnostics, clip, "FBX", false, "", writer->error);
}

/*
 * Add constant curves to rotations that have only one or two curves, at the same times. three.js cannot read the file
 * without them. Return 0 or -1.
 */
static int complete_rotations(struct fbx_writer *writer)
{
	for (uint32_t i = 0; i < FBX_OUT_COUNT(writer->curve_nodes, struct fbx_out_curve_node); i++) {
		struct fbx_out_curve_node *node = FBX_OUT_AT(writer->curve_nodes, struct fbx_out_curve_node, i);
		double degrees[3];

		if (node->what != FBX_OUT_R)
			continue;
		fbx_out_vector(writer, node->node, FBX_OUT_R, degrees);
		for (unsigned k = 0; k < 3; k++) {
			unsigned other = node->curves[(k + 1) % 3] != FBX_NOTHING ? (k + 1) % 3 : (k + 2) % 3;

			if (node->curves[k] != FBX_NOTHING)
				continue;
			node->values[k] = (float)degrees[k];
			if (keep_constant(writer, node->curves[other], node->values[k], &node->curves[k]) != 0)
				return -1;
		}
	}
	return 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct fbx_writer *writer = writer_of(sink, error);

	if (writer->clips.size == 0)
		return anim_fail_no_clip(error);
	if (anim_rests_check(&writer->rests, error) != 0 ||
	    anim_diagnostics_check(writer->options.diagnostics, error) != 0)
		return -1;
	find_skeletons(writer);
	if (complete_rotations(writer) != 0)
		return -1;
	return fbx_out_write(writer);
}

static void on_free(struct anim_sink *sink)
{
	struct fbx_writer *writer = (struct fbx_writer *)sink;
	struct anim_buffer *buffers[] = {&writer->nodes,  &writer->numbers,    &writer->clips, &writer->curve_nodes,
					 &writer->curves, &writer->properties, &writer->times, &writer->values,
					 &writer->flags,  &writer->data,       &writer->counts};

	for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
		anim_buffer_clear(buffers[i]);
	anim_rests_clear(&writer->rests);
	anim_map_clear(&writer->driven);
	anim_map_clear(&writer->property_numbers);
	anim_map_clear(&writer->names);
	anim_spool_clear(&writer->spool);
	anim_arena_clear(&writer->kept);
	anim_arena_clear(&writer->scratch);
	anim_arena_clear(&writer->clip_arena);
	free(writer);
}

struct anim_sink *anim_fbx_writer_new(struct anim_output *output, const struct anim_write_options *options,
				      struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct fbx_writer *writer = anim_sink_new(sizeof *writer, &ops, error);

	if (writer == NULL)
		return NULL;
	writer->options = *options;
	writer->output = output;
	anim_spool_init(&writer->spool, options->store_memory);
	return &writer->sink;
}
