/* tracks.c: tracks with the keys of a motion. Curves between keys stay curves. */
#include <math.h>
#include <string.h>

#include "format/mmd/mmd.h"
#include "format/mmd/reading.h"
#include "math/curve.h"
#include "math/elementary.h"
#include "math/quaternion.h"

#define DEGREES (ANIM_PI / 180)

static float time_of(const void *key)
{
	return (float)((double)((const struct mmd_key *)key)->frame / MMD_RATE);
}

static int push_keys(struct mmd_reading *reading, struct anim_track *track)
{
	anim_keys_finish(&reading->keys, track);
	return anim_sink_track(reading->sink, track, reading->error);
}

/* ---- Numbers with curves ---- */

/* Keys of up to three numbers, each with a curve. */
struct eased {
	const struct mmd_section *section;
	const struct mmd_track *track;
	unsigned components;
	void (*get)(const struct mmd_reading *, const void *context, const void *key, float *out);
	const struct mmd_curve *(*curves)(const void *key);
	uint8_t curve_of[3]; /* of each component */
	bool cuts;           /* keys one frame apart are cuts, as MikuMikuDance has them in cameras */
	const void *context;
};

/*
 * The shortest handle of a curve that has none in time, because a Weighted key has slopes, which must be finite. It moves
 * the curve by less than the rounding of a float32 time.
 */
#define HANDLE_MIN 0x1p-30

/* The handles on both sides of a key. */
struct handles {
	float left[3], left_x[3], right[3], right_x[3];
};

/* Return the mode of the segment to the next key, and set its handles. */
static enum anim_interp set_segment(const struct eased *eased, const void *from, const void *to, const float *values,
				    const float *next, struct handles *at, struct handles *after)
{
	const struct mmd_key *key = from, *next_key = to;
	const struct mmd_curve *curves = eased->curves(to);
	double seconds = (double)time_of(to) - (double)time_of(from);
	bool is_line = true;

	if (!(seconds > 0) || (eased->cuts && next_key->frame == key->frame + 1))
		return ANIM_HOLD;
	for (unsigned i = 0; i < eased->components; i++)
		is_line = is_line && (mmd_curve_is_line(curves[eased->curve_of[i]]) || values[i] == next[i]);
	if (is_line)
		return ANIM_LINEAR;
	for (unsigned i = 0; i < eased->components; i++) {
		const struct mmd_curve curve = curves[eased->curve_of[i]];
		double change = (double)next[i] - (double)values[i];
		double out_x = fmax(curve.x1 / 127.0, HANDLE_MIN), in_x = fmax((127 - curve.x2) / 127.0, HANDLE_MIN);

		if (mmd_curve_is_line(curve)) {
			at->right[i] = after->left[i] = (float)(change / seconds);
			continue;
		}
		at->right_x[i] = (float)out_x;
		after->left_x[i] = (float)in_x;
		at->right[i] = (float)(curve.y1 / 127.0 * change / (out_x * seconds));
		after->left[i] = (float)((127 - curve.y2) / 127.0 * change / (in_x * seconds));
	}
	return ANIM_WEIGHTED;
}

static const struct handles no_handles = {.left_x = {1 / 3.0F, 1 / 3.0F, 1 / 3.0F},
					  .right_x = {1 / 3.0F, 1 / 3.0F, 1 / 3.0F}};

/* Push a track. Columns of handles exist only if a segment is Weighted. Return 0 or -1. */
static int push_eased(struct mmd_reading *reading, const struct eased *eased, const char *node, const char *property,
		      const struct anim_attr *attr)
{
	static const enum anim_type types[] = {ANIM_FLOAT, ANIM_FLOAT, ANIM_FLOAT2, ANIM_FLOAT3};
	static const uint8_t both_sides = 3;
	struct handles at = no_handles, after = no_handles;
	struct anim_keys *keys = &reading->keys;
	struct anim_error *error = reading->error;
	bool weighted = false;
	float values[3], next[3] = {0};
	struct anim_track track = {.kind = ANIM_CURVE,
				   .node = node,
				   .property = property,
				   .component = ANIM_WHOLE,
				   .attrs = {attr, attr != NULL}};

	anim_keys_reset(keys, types[eased->components]);
	eased->get(reading, eased->context, mmd_key_at(eased->section, eased->track, 0), values);
	for (size_t k = 0; k < eased->track->count; k++) {
		const void *key = mmd_key_at(eased->section, eased->track, k);
		enum anim_interp mode = ANIM_LINEAR;
		bool was_weighted = weighted;

		weighted = false;
		if (k + 1 < eased->track->count) {
			const void *to = mmd_key_at(eased->section, eased->track, k + 1);

			eased->get(reading, eased->context, to, next);
			mode = set_segment(eased, key, to, values, next, &at, &after);
			weighted = mode == ANIM_WEIGHTED;
		}
		if (anim_keys_add(keys, time_of(key), values, mode, error) != 0)
			return -1;
		if ((weighted || was_weighted) && (anim_keys_set(keys, ANIM_COLUMN_LEFT, at.left, error) != 0 ||
						   anim_keys_set(keys, ANIM_COLUMN_RIGHT, at.right, error) != 0 ||
						   anim_keys_set(keys, ANIM_COLUMN_LEFT_X, at.left_x, error) != 0 ||
						   anim_keys_set(keys, ANIM_COLUMN_RIGHT_X, at.right_x, error) != 0 ||
						   anim_keys_set(keys, ANIM_COLUMN_WEIGHTED, &both_sides, error) != 0))
			return -1;
		at = after;
		after = no_handles;
		memcpy(values, next, sizeof values);
	}

	track.type = keys->type;
	return push_keys(reading, &track);
}

/* ---- Positions of bones ---- */

static const struct mmd_curve *bone_curves(const void *key)
{
	return ((const struct mmd_bone_key *)key)->curves;
}

static void get_position(const struct mmd_reading *reading, const void *context, const void *key, float *out)
{
	const struct mmd_bone_key *bone = key;
	const float *rest = context;
	double at[3];

	for (size_t i = 0; i < 3; i++)
		at[i] = (double)rest[i] + (double)bone->position[i];
	mmd_to_metres(reading, at, out);
}

int mmd_push_position(struct mmd_reading *reading, uint32_t number, const char *node, const float rest[3])
{
	const struct mmd_section *bones = &reading->motion.bones;
	const struct eased eased = {.section = bones,
				    .track = mmd_track_at(bones, number),
				    .components = 3,
				    .get = get_position,
				    .curves = bone_curves,
				    .curve_of = {MMD_CURVE_X, MMD_CURVE_Y, MMD_CURVE_Z},
				    .context = rest};
	bool moves = false;

	for (size_t k = 0; k < eased.track->count && !moves; k++) {
		const struct mmd_bone_key *key = mmd_key_at(bones, eased.track, k);

		moves = key->position[0] != 0 || key->position[1] != 0 || key->position[2] != 0;
	}
	return moves ? push_eased(reading, &eased, node, "position", NULL) : 0;
}

/* ---- Rotations of bones ---- */

/*
 * A rotation with a curve follows the same arc as without it, so inserted keys are on the arc, and the error of the
 * straight pieces between them is the angle of the arc times the error of the curve.
 */
#define CHORD_ERROR (0.0035 * DEGREES)  /* of pieces between points of the curve */
#define POINTS_ERROR (0.0015 * DEGREES) /* between those points */
#define POINTS_MAX 1024u
#define POINTS_FIRST 8u /* intervals of the curve's parameter that are halved until they are straight enough */
#define POINTS_DEPTH 16u

static uint32_t hint_of(struct mmd_curve curve)
{
	return (uint32_t)curve.x1 | (uint32_t)curve.y1 << 8 | (uint32_t)curve.x2 << 16 | (uint32_t)curve.y2 << 24;
}

static const struct mmd_curve default_line = {20, 20, 107, 107};

static bool is_default(struct mmd_curve curve)
{
	return hint_of(curve) == hint_of(default_line);
}

static int add_rotation(struct mmd_reading *reading, float time_s, const double rotation[4], uint32_t hint, bool hints)
{
	float value[4];

	mmd_to_axes(rotation, value);
	if (anim_keys_add(&reading->keys, time_s, value, ANIM_LINEAR, reading->error) != 0)
		return -1;
	return hints ? anim_keys_set(&reading->keys, ANIM_COLUMN_HINT, &hint, reading->error) : 0;
}

struct curve_point {
	double share, weight; /* of the time and of the change */
};

struct curve_points {
	struct mmd_curve curve;
	double error, shortest; /* allowed error of the weight, and the share of time that a float32 resolves */
	unsigned count;
	struct curve_point items[POINTS_MAX];
};

static struct curve_point point_at(struct mmd_curve curve, double u)
{
	return (struct curve_point){anim_bezier(0, curve.x1 / 127.0, curve.x2 / 127.0, 1, u),
				    anim_bezier(0, curve.y1 / 127.0, curve.y2 / 127.0, 1, u)};
}

/* Return whether the curve between two parameters is nearly the straight line between its ends. */
static bool is_straight(const struct curve_points *points, double from_u, double to_u)
{
	struct curve_point from = point_at(points->curve, from_u), to = point_at(points->curve, to_u);
	double run = to.share - from.share;

	if (!(run > points->shortest))
		return true;
	for (int i = 1; i <= 3; i++) {
		struct curve_point at = point_at(points->curve, from_u + (to_u - from_u) * i / 4);

		if (fabs(from.weight + (to.weight - from.weight) * (at.share - from.share) / run - at.weight) >
		    points->error)
			return false;
	}
	return true;
}

/* List points of the curve between which it is nearly straight, from parameter 0 to 1. */
static void list_points(struct curve_points *points)
{
	double ends[POINTS_DEPTH + 2];

	points->items[points->count++] = point_at(points->curve, 0);
	for (unsigned i = 0; i < POINTS_FIRST; i++) {
		double at = (double)i / POINTS_FIRST;
		unsigned depth = 0;

		ends[0] = (double)(i + 1) / POINTS_FIRST;
		for (;;) {
			if (depth < POINTS_DEPTH && points->count + POINTS_DEPTH + POINTS_FIRST < POINTS_MAX &&
			    !is_straight(points, at, ends[depth])) {
				ends[depth + 1] = (at + ends[depth]) / 2;
				depth++;
				continue;
			}
			at = ends[depth];
			points->items[points->count++] = point_at(points->curve, at);
			if (depth == 0)
				break;
			depth--;
		}
	}
}

/*
 * Return the farthest point, after `from`, to which a straight piece stays within the error at all points between. The
 * slopes that it may have become fewer with each point that it passes.
 */
static unsigned reach(const struct curve_point *points, unsigned from, unsigned last, double error)
{
	double low = -INFINITY, high = INFINITY;
	unsigned best = from + 1;

	for (unsigned k = from + 1; k <= last; k++) {
		double run = points[k].share - points[from].share, rise = points[k].weight - points[from].weight;

		if (!(run > 0))
			continue;
		if (rise / run >= low && rise / run <= high)
			best = k;
		low = fmax(low, (rise - error) / run);
		high = fmin(high, (rise + error) / run);
		if (low > high)
			break;
	}
	return best;
}

/* A segment of rotations that is cut into pieces. */
struct arc {
	struct mmd_curve curve;
	double first_s, seconds, angle, from[4], to[4];
	float end_s, last_s; /* last_s: of the last key so far */
};

static double arc_weight(const struct arc *arc, float time_s)
{
	return mmd_curve_at(arc->curve, ((double)time_s - arc->first_s) / arc->seconds);
}

/* Insert a key, if the time is between the last key and the end. Return 0 or -1. */
static int insert_key(struct mmd_reading *reading, struct arc *arc, float time_s)
{
	double q[4];

	if (!(time_s > arc->last_s && time_s < arc->end_s))
		return 0;
	anim_quat_slerp_double(q, arc->from, arc->to, arc_weight(arc, time_s));
	anim_quat_normalize_double(q);
	arc->last_s = time_s;
	return add_rotation(reading, time_s, q, ANIM_MMD_INSERTED, true);
}

/* Insert keys between two rotations, so that straight pieces follow the curve. Return 0 or -1. */
static int add_pieces(struct mmd_reading *reading, const struct mmd_bone_key *from, const struct mmd_bone_key *to)
{
	struct arc arc = {.curve = to->curves[MMD_CURVE_ROTATION],
			  .first_s = (double)time_of(from),
			  .seconds = (double)time_of(to) - (double)time_of(from),
			  .angle = anim_quat_angle(from->rotation, to->rotation),
			  .end_s = time_of(to),
			  .last_s = time_of(from)};
	struct curve_points points; /* large, so not zeroed */
	unsigned last;

	if (!(arc.angle > CHORD_ERROR && arc.seconds > 0))
		return 0;
	points.curve = arc.curve;
	points.count = 0;
	points.error = POINTS_ERROR / arc.angle;
	points.shortest = (double)arc.end_s * 0x1p-24 / arc.seconds;
	list_points(&points);
	last = points.count - 1;
	anim_quat_unit_double(arc.from, from->rotation);
	anim_quat_unit_double(arc.to, to->rotation);
	for (unsigned at = 0; at < last;) {
		float time_s, frame_s;

		at = reach(points.items, at, last, CHORD_ERROR / arc.angle);
		time_s = at == last ? arc.end_s : (float)(arc.first_s + arc.seconds * points.items[at].share);

		/*
		 * Insert a key at a whole frame inside the piece if the curve is so steep there that the points do not
		 * show it. The piece is then shorter than a frame.
		 */
		frame_s = (float)(floor((double)time_s * MMD_RATE) / MMD_RATE);
		if (frame_s > arc.last_s && frame_s < time_s && (double)time_s - (double)arc.last_s < 1.0 / MMD_RATE) {
			double low = arc_weight(&arc, arc.last_s), high = arc_weight(&arc, time_s);
			double share = ((double)frame_s - (double)arc.last_s) / ((double)time_s - (double)arc.last_s);

			if (!(fabs(low + share * (high - low) - arc_weight(&arc, frame_s)) * arc.angle <=
			      CHORD_ERROR) &&
			    insert_key(reading, &arc, frame_s) != 0)
				return -1;
		}
		if (insert_key(reading, &arc, time_s) != 0)
			return -1;
	}
	return 0;
}

int mmd_push_rotation(struct mmd_reading *reading, uint32_t number, const char *node)
{
	const struct mmd_section *bones = &reading->motion.bones;
	const struct mmd_track *from = mmd_track_at(bones, number);
	struct anim_track track = {
	    .kind = ANIM_CURVE, .type = ANIM_FLOATQ, .node = node, .property = "rotation", .component = ANIM_WHOLE};
	struct anim_attr attr = {ANIM_MMD_CURVES, NULL};
	static const char hex[] = "0123456789abcdef";
	/* loses_curves: the track of the position does not show its curves */
	bool hints = false, loses_curves = false;

	for (size_t k = 0; k < from->count; k++) {
		const struct mmd_bone_key *key = mmd_key_at(bones, from, k);

		hints |= !is_default(key->curves[MMD_CURVE_ROTATION]);
		for (size_t i = 0; i < 3 && !loses_curves; i++)
			loses_curves = !is_default(key->curves[i]) && (k == 0 || mmd_curve_is_line(key->curves[i]) ||
								       key->position[i] == key[-1].position[i]);
	}
	anim_keys_reset(&reading->keys, ANIM_FLOATQ);
	for (size_t k = 0; k < from->count; k++) {
		const struct mmd_bone_key *key = mmd_key_at(bones, from, k);
		double rotation[4];

		for (size_t i = 0; i < 4; i++)
			rotation[i] = (double)key->rotation[i];
		if (add_rotation(reading, time_of(key), rotation, hint_of(key->curves[MMD_CURVE_ROTATION]), hints) != 0)
			return -1;
		if (k + 1 < from->count && !mmd_curve_is_line(key[1].curves[MMD_CURVE_ROTATION]) &&
		    add_pieces(reading, key, key + 1) != 0)
			return -1;
	}

	if (loses_curves) {
		char *to;

		reading->text.size = 0;
		to = anim_buffer_extend(&reading->text, 24 * from->count + 1, reading->error);
		if (to == NULL)
			return -1;
		for (size_t i = 0; i < 12 * from->count; i++) {
			const struct mmd_bone_key *key = mmd_key_at(bones, from, i / 12);
			uint32_t byte = hint_of(key->curves[i / 4 % 3]) >> 8 * (i % 4) & 0xFF;

			*to++ = hex[byte >> 4];
			*to++ = hex[byte & 15];
		}
		*to = '\0';
		attr.value = (const char *)reading->text.data;
		track.attrs = (struct anim_attrs){&attr, 1};
	}
	return push_keys(reading, &track);
}

int mmd_push_physics(struct mmd_reading *reading, uint32_t number, const char *node)
{
	const struct mmd_section *bones = &reading->motion.bones;
	const struct mmd_track *from = mmd_track_at(bones, number);
	struct anim_track track = {.kind = ANIM_DISCRETE,
				   .type = ANIM_BOOL,
				   .node = node,
				   .property = ANIM_MMD_PHYSICS,
				   .component = ANIM_WHOLE};
	bool before = true;

	anim_keys_reset(&reading->keys, ANIM_BOOL);
	for (size_t k = 0; k < from->count; k++) {
		const struct mmd_bone_key *key = mmd_key_at(bones, from, k);
		const uint8_t on = !key->no_physics;

		if ((k == 0 || on != before) &&
		    anim_keys_add(&reading->keys, time_of(key), &on, ANIM_HOLD, reading->error) != 0)
			return -1;
		before = on;
	}
	return before && reading->keys.n == 1 ? 0 : push_keys(reading, &track);
}

/* ---- Morphs ---- */

/* Return the value of ANIM_MMD_MORPH for a morph of the model, or NULL if it moves no bones. */
static const char *morph_kind(const struct mmd_model *model, uint32_t number)
{
	const struct mmd_morph *morph = mmd_morph_at(model, number);
	size_t bones = 0;

	for (size_t k = 0; k < morph->part_count && morph->kind == MMD_MORPH_GROUP; k++) {
		uint32_t item = mmd_part_at(model, morph, k)->item;

		bones += item < mmd_morph_count(model) && mmd_morph_at(model, item)->kind == MMD_MORPH_BONE;
	}
	if (morph->kind == MMD_MORPH_BONE || (bones > 0 && bones == morph->part_count))
		return "bones";
	return bones > 0 ? "also" : NULL;
}

static int push_morph(struct mmd_reading *reading, uint32_t number)
{
	const struct mmd_section *morphs = &reading->motion.morphs;
	const struct mmd_track *from = mmd_track_at(morphs, number);
	const char *name = from->name;
	struct anim_track track = {.kind = ANIM_CURVE, .type = ANIM_FLOAT, .node = ".", .component = ANIM_WHOLE};
	struct anim_attr attr = {ANIM_MMD_MORPH, NULL};

	if (reading->model_file != NULL && reading->morph_of[number] != MMD_NONE) {
		name = mmd_morph_at(&reading->model, reading->morph_of[number])->name;
		attr.value = morph_kind(&reading->model, reading->morph_of[number]);
		track.attrs = (struct anim_attrs){&attr, attr.value != NULL};
	} else if (reading->model_file != NULL && mmd_morph_count(&reading->model) > 0) {
		return 0;
	}
	reading->text.size = 0;
	if (anim_buffer_append_text(&reading->text, "blend_shape/", reading->error) != 0 ||
	    anim_buffer_append(&reading->text, name, strlen(name) + 1, reading->error) != 0)
		return -1;
	track.property = (const char *)reading->text.data;
	anim_keys_reset(&reading->keys, ANIM_FLOAT);
	for (size_t k = 0; k < from->count; k++) {
		const struct mmd_morph_key *key = mmd_key_at(morphs, from, k);

		if (anim_keys_add(&reading->keys, time_of(key), &key->weight, ANIM_LINEAR, reading->error) != 0)
			return -1;
	}
	return push_keys(reading, &track);
}

/* ---- The camera ---- */

static const struct mmd_curve *camera_curves(const void *key)
{
	return ((const struct mmd_camera_key *)key)->curves;
}

static void get_target(const struct mmd_reading *reading, const void *context, const void *key, float *out)
{
	const struct mmd_camera_key *camera = key;
	double at[3];

	(void)context;
	for (size_t i = 0; i < 3; i++)
		at[i] = (double)camera->target[i];
	mmd_to_metres(reading, at, out);
}

/* In MikuMikuDance the camera has the rotation Ry(-y) Rx(-x) Rz(-z). The axes of glTF change the first two signs. */
static void get_angles(const struct mmd_reading *reading, const void *context, const void *key, float *out)
{
	const struct mmd_camera_key *camera = key;

	(void)reading;
	(void)context;
	out[0] = camera->angles[0];
	out[1] = camera->angles[1];
	out[2] = -camera->angles[2];
}

static void get_distance(const struct mmd_reading *reading, const void *context, const void *key, float *out)
{
	const double at[3] = {0, 0, (double)((const struct mmd_camera_key *)key)->distance};

	(void)context;
	mmd_to_metres(reading, at, out);
}

static void get_view(const struct mmd_reading *reading, const void *context, const void *key, float *out)
{
	(void)reading;
	(void)context;
	*out = (float)((const struct mmd_camera_key *)key)->view_deg;
}

static int push_camera(struct mmd_reading *reading)
{
	static const struct anim_attr order = {"order", "YXZ"};
	const struct mmd_section *cameras = &reading->motion.cameras;
	struct eased eased = {.section = cameras,
			      .track = mmd_track_at(cameras, 0),
			      .components = 3,
			      .get = get_target,
			      .curves = camera_curves,
			      .curve_of = {MMD_CURVE_X, MMD_CURVE_Y, MMD_CURVE_Z},
			      .cuts = true};

	if (push_eased(reading, &eased, ANIM_MMD_TARGET, "position", NULL) != 0)
		return -1;
	eased.get = get_angles;
	memset(eased.curve_of, MMD_CURVE_ROTATION, sizeof eased.curve_of);
	if (push_eased(reading, &eased, ANIM_MMD_TARGET, "euler", &order) != 0)
		return -1;
	eased.get = get_distance;
	memset(eased.curve_of, MMD_CURVE_DISTANCE, sizeof eased.curve_of);
	if (push_eased(reading, &eased, ANIM_MMD_TARGET "/" ANIM_MMD_CAMERA, "position", NULL) != 0)
		return -1;
	eased.get = get_view;
	eased.components = 1;
	eased.curve_of[0] = MMD_CURVE_VIEW;
	return push_eased(reading, &eased, ANIM_MMD_TARGET "/" ANIM_MMD_CAMERA, "fov", NULL);
}

/* ---- Lights and switches ---- */

static int push_light(struct mmd_reading *reading, bool direction)
{
	const struct mmd_section *lights = &reading->motion.lights;
	const struct mmd_track *from = mmd_track_at(lights, 0);
	struct anim_track track = {.kind = ANIM_CURVE,
				   .type = ANIM_FLOAT3,
				   .node = ANIM_MMD_LIGHT,
				   .property = direction ? "direction" : "color",
				   .component = ANIM_WHOLE};

	anim_keys_reset(&reading->keys, ANIM_FLOAT3);
	for (size_t k = 0; k < from->count; k++) {
		const struct mmd_light_key *key = mmd_key_at(lights, from, k);
		const float mirrored[3] = {key->direction[0], key->direction[1], -key->direction[2]};

		if (anim_keys_add(&reading->keys, time_of(key), direction ? mirrored : key->color, ANIM_LINEAR,
				  reading->error) != 0)
			return -1;
	}
	return push_keys(reading, &track);
}

static int push_shadow(struct mmd_reading *reading, bool distance)
{
	const struct mmd_section *shadows = &reading->motion.shadows;
	const struct mmd_track *from = mmd_track_at(shadows, 0);
	struct anim_track track = {.kind = distance ? ANIM_CURVE : ANIM_DISCRETE,
				   .type = distance ? ANIM_FLOAT : ANIM_INT,
				   .node = ANIM_MMD_LIGHT,
				   .property = distance ? ANIM_MMD_SHADOW_DISTANCE : ANIM_MMD_SHADOW_MODE,
				   .component = ANIM_WHOLE};

	anim_keys_reset(&reading->keys, track.type);
	for (size_t k = 0; k < from->count; k++) {
		const struct mmd_shadow_key *key = mmd_key_at(shadows, from, k);
		const int32_t mode = (int32_t)key->mode;

		if (anim_keys_add(&reading->keys, time_of(key), distance ? (const void *)&key->distance : &mode,
				  distance ? ANIM_LINEAR : ANIM_HOLD, reading->error) != 0)
			return -1;
	}
	return push_keys(reading, &track);
}

static int push_switch(struct mmd_reading *reading, const struct mmd_section *section, size_t number, const char *node,
		       const char *property)
{
	const struct mmd_track *from = mmd_track_at(section, number);
	struct anim_track track = {
	    .kind = ANIM_DISCRETE, .type = ANIM_BOOL, .node = node, .property = property, .component = ANIM_WHOLE};

	anim_keys_reset(&reading->keys, ANIM_BOOL);
	for (size_t k = 0; k < from->count; k++) {
		const struct mmd_switch_key *key = mmd_key_at(section, from, k);
		const uint8_t on = key->on != 0;

		if (anim_keys_add(&reading->keys, time_of(key), &on, ANIM_HOLD, reading->error) != 0)
			return -1;
	}
	return push_keys(reading, &track);
}

int mmd_push_others(struct mmd_reading *reading)
{
	const struct mmd_motion *motion = &reading->motion;
	const size_t bones = mmd_track_count(&motion->bones);

	for (uint32_t i = 0; i < mmd_track_count(&motion->morphs); i++)
		if (push_morph(reading, i) != 0)
			return -1;
	if (mmd_track_count(&motion->visible) > 0 && push_switch(reading, &motion->visible, 0, ".", "visible") != 0)
		return -1;
	if (mmd_track_count(&motion->cameras) > 0 && push_camera(reading) != 0)
		return -1;
	if (mmd_track_count(&motion->lights) > 0 && (push_light(reading, false) != 0 || push_light(reading, true) != 0))
		return -1;
	if (mmd_track_count(&motion->shadows) > 0 &&
	    (push_shadow(reading, false) != 0 || push_shadow(reading, true) != 0))
		return -1;
	/* Without a model, the switches of IK stay tracks. */
	for (size_t i = 0; i < mmd_track_count(&motion->ik) && reading->model_file == NULL; i++)
		if (push_switch(reading, &motion->ik, i, reading->own_names[bones + i], ANIM_MMD_IK) != 0)
			return -1;
	return 0;
}
