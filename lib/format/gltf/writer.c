/* writer.c: the sink that writes glTF. Tracks become channels, and their keys accessors. The document is written at the end. */
#include "format/gltf/writer.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/hash.h"
#include "base/text.h"
#include "clip/engine_names.h"
#include "clip/face.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "math/curve.h"
#include "math/elementary.h"

#define LABEL_MAX 256u /* maximum bytes of a track's name in a message */
#define BLEND_SHAPE "blend_shape/"
#define EXPRESSION "expression/"

static size_t clip_count(const struct gltf_writer *writer)
{
	return writer->clips.size / sizeof(struct gltf_out_clip);
}

/* Return the current clip. */
static struct gltf_out_clip *this_clip(const struct gltf_writer *writer)
{
	return gltf_writer_clip(writer, clip_count(writer) - 1);
}

/* ---- Conversion limits ---- */

#define BIT(type) ((uint64_t)1 << (type))
#define DOUBLES (BIT(ANIM_DOUBLE) | BIT(ANIM_DOUBLE2) | BIT(ANIM_DOUBLE3) | BIT(ANIM_DOUBLE4) | BIT(ANIM_DOUBLEQ))
#define MATRICES                                                                                                    \
	(BIT(ANIM_FLOAT2X2) | BIT(ANIM_FLOAT3X3) | BIT(ANIM_FLOAT4X4) | BIT(ANIM_DOUBLE2X2) | BIT(ANIM_DOUBLE3X3) | \
	 BIT(ANIM_DOUBLE4X4))

/*
 * Return whether the track can become part of a file. Euler angles and matrices of nodes can, because convert changes
 * them to rotations and scales.
 */
static bool has_place(const struct anim_track *t)
{
	static const char *const properties[] = {"position",  "rotation", "scale",   "euler", "angle",
						 "transform", "basis",    "visible", "fov"};

	return t->property[0] == '@' || t->property[0] == '/' ||
	       anim_text_is_one_of(t->property, properties, ANIM_COUNT(properties)) ||
	       anim_text_after(t->property, BLEND_SHAPE) != NULL || anim_text_after(t->property, EXPRESSION) != NULL;
}

const struct anim_caps anim_gltf_caps = {.format = "gltf",
					 .engine = ANIM_ENGINE_GODOT4,
					 .kinds = 1u << ANIM_RAW | 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					 .types = (BIT(ANIM_TYPE_COUNT) - 1) & ~DOUBLES & ~MATRICES,
					 .interps = 1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE,
					 .rules = ANIM_RULES_PLAIN,
					 .whole_transforms = true,
					 .regular = true,
					 .holds = has_place};

/* ---- Messages ---- */

static int drop(const struct gltf_writer *writer, const struct anim_track *t, const char *why)
{
	return anim_diagnostics_drop(writer->options.diagnostics, t, why, writer->error);
}

/* ---- Accessors (times that several samplers share are written once) ---- */

static struct gltf_out_accessor *accessor_at(const struct gltf_out_data *data, size_t number)
{
	return (struct gltf_out_accessor *)(void *)data->accessors.data + number;
}

static size_t padding(size_t size)
{
	return (size_t)-size & 3;
}

/* Add an accessor of `count` elements. The caller then appends their bytes, without padding, to the spool. Return 0 or -1. */
static int begin_accessor(struct gltf_out_data *data, enum gltf_component component, unsigned components, size_t count,
			  uint32_t *number, struct anim_error *error)
{
	size_t width = component == GLTF_U8 ? 1 : component == GLTF_U16 ? 2 : 4, size;
	struct gltf_out_accessor accessor = {.at = anim_spool_size(&data->spool),
					     .count = (uint32_t)count,
					     .component = (uint16_t)component,
					     .components = (uint8_t)components,
					     .like = GLTF_NONE};

	if (anim_size_multiply(count, width * components, &size, error) != 0)
		return -1;
	if (count > UINT32_MAX || (data->most != 0 && (size > data->most || accessor.at > data->most - size)))
		return anim_fail(
		    error, ANIM_TOO_LARGE,
		    "a .glb can hold only 4 GiB; write a .gltf with a separate file of numbers, with " ANIM_OPTION(
			"emit", "bin"));
	if (anim_spool_begin(&data->spool, size + padding(size), error) != 0)
		return -1;

	*number = (uint32_t)gltf_out_count(data);
	return anim_buffer_append(&data->accessors, &accessor, sizeof accessor, error);
}

/* Pad the bytes of the accessor. Return 0 or -1. */
static int end_accessor(struct gltf_out_data *data, struct anim_error *error)
{
	static const uint8_t zeros[4];
	size_t count = padding((size_t)anim_spool_size(&data->spool));

	return count == 0 ? 0 : anim_spool_append(&data->spool, zeros, count, error);
}

/* Return whether the accessor has these times, or -1. */
static int has_times(struct gltf_out_data *data, uint32_t number, const float *time, size_t n, struct anim_error *error)
{
	const struct gltf_out_accessor *accessor = accessor_at(data, number);
	const uint8_t *bytes;

	if (accessor->count != n)
		return 0;
	bytes = anim_spool_read(&data->spool, accessor->at, n * sizeof *time, error);
	return bytes == NULL ? -1 : memcmp(bytes, time, n * sizeof *time) == 0;
}

/* Find an accessor with the same increasing times, or add one. Return 0 or -1. */
static int add_times_once(struct gltf_out_data *data, const float *time, size_t n, uint32_t *number,
			  struct anim_error *error)
{
	uint32_t first = GLTF_NONE;
	struct gltf_out_accessor *accessor;
	uint64_t hash;
	int same = 0;

	/* Most tracks have the times of the one before. */
	if (data->has_input)
		same = has_times(data, *number = data->input, time, n, error);
	if (same != 0)
		return same < 0 ? -1 : 0;
	hash = anim_hash(0, time, n * sizeof *time);
	(void)anim_map_get(&data->inputs, hash, "", 0, &first);
	for (*number = first; *number != GLTF_NONE; *number = accessor_at(data, *number)->like)
		if ((same = has_times(data, *number, time, n, error)) != 0) {
			data->input = *number;
			return same < 0 ? -1 : 0;
		}
	if (begin_accessor(data, GLTF_F32, 1, n, number, error) != 0 ||
	    anim_spool_append(&data->spool, time, n * sizeof *time, error) != 0)
		return -1;
	accessor = accessor_at(data, *number);
	accessor->is_input = true;
	accessor->like = first;
	data->input = *number;
	data->has_input = true;
	accessor->low = time[0];
	accessor->high = time[n - 1];
	return anim_map_put(&data->inputs, hash, "", 0, *number, error);
}

/* ---- Keys ---- */

/* The keys of a sampler, all converted to floats. */
struct keys {
	size_t n;
	unsigned components;
	bool scalars; /* each component is a separate element, as for weights */
	enum anim_interp mode;
	const float *time;                 /* relative to the start of the clip */
	const float *value, *left, *right; /* slopes only for ANIM_HERMITE */
	const float *last;                 /* value of an additional key at last_s, or NULL */
	float last_s;
};

/*
 * Write the slopes of a key. Write zeros if a slope is not finite, which is possible only if it is not used, or if
 * `zero` is set, because the next segment is constant.
 */
static int put_slopes(struct gltf_writer *writer, const float *slopes, size_t components, bool zero)
{
	static const float none[4];
	size_t size = components * sizeof *slopes;

	for (size_t i = 0; i < components && !zero; i++)
		zero = !isfinite(slopes[i]);
	if (!zero)
		return anim_spool_append(&writer->data.spool, slopes, size, writer->error);
	for (size_t i = 0; i < components; i += 4)
		if (anim_spool_append(&writer->data.spool, none,
				      (components - i < 4 ? components - i : 4) * sizeof *none, writer->error) != 0)
			return -1;
	return 0;
}

/* Write in-tangents, value and out-tangents of each key. */
static int put_cubic(struct gltf_writer *writer, const struct keys *keys)
{
	size_t components = keys->components, size = components * sizeof(float);

	for (size_t k = 0; k < keys->n; k++) {
		bool ends = keys->last != NULL && k + 1 == keys->n;

		if (put_slopes(writer, keys->left + k * components, components, false) != 0 ||
		    anim_spool_append(&writer->data.spool, keys->value + k * components, size, writer->error) != 0 ||
		    put_slopes(writer, keys->right + k * components, components, ends) != 0)
			return -1;
	}
	if (keys->last == NULL)
		return 0;
	return put_slopes(writer, keys->last, components, true) != 0 ||
		       anim_spool_append(&writer->data.spool, keys->last, size, writer->error) != 0 ||
		       put_slopes(writer, keys->last, components, true) != 0
		   ? -1
		   : 0;
}

/* Write the keys as the accessors *input and *output. Return 0 or -1. */
static int put_keys(struct gltf_writer *writer, const struct keys *keys, uint32_t *input, uint32_t *output)
{
	struct anim_spool *spool = &writer->data.spool;
	bool cubic = keys->mode == ANIM_HERMITE;
	size_t n = keys->n + (keys->last != NULL), size = keys->components * sizeof(float);
	unsigned components = keys->scalars ? 1 : keys->components;
	const float *times = keys->time;

	if (keys->last != NULL) {
		float *more = anim_arena_zeroed(&writer->scratch, n, sizeof *more, writer->error);

		if (more == NULL)
			return -1;
		memcpy(more, keys->time, keys->n * sizeof *more);
		more[keys->n] = keys->last_s;
		times = more;
	}
	if (add_times_once(&writer->data, times, n, input, writer->error) != 0 ||
	    begin_accessor(&writer->data, GLTF_F32, components, n * (cubic ? 3 : 1) * (keys->components / components),
			   output, writer->error) != 0)
		return -1;
	if (cubic) {
		if (put_cubic(writer, keys) != 0)
			return -1;
	} else if (anim_spool_append(spool, keys->value, keys->n * size, writer->error) != 0 ||
		   (keys->last != NULL && anim_spool_append(spool, keys->last, size, writer->error) != 0)) {
		return -1;
	}
	return end_accessor(&writer->data, writer->error);
}

/* ---- A track's times ---- */

/*
 * Return times relative to the clip's start, each later than the one before. They are in the scratch arena unless the
 * track's own times are used.
 */
static const float *times_of(struct gltf_writer *writer, const struct anim_track *t)
{
	double start = (double)writer->clip.start_s;
	float *times;

	if (t->kind != ANIM_RAW && start == 0)
		return t->time;
	times = anim_arena_zeroed(&writer->scratch, t->n, sizeof *times, writer->error);
	for (size_t k = 0; times != NULL && k < t->n; k++) {
		times[k] = (float)(anim_track_time(t, k) - start);
		if (k > 0 && !(times[k] > times[k - 1]))
			times[k] = nextafterf(times[k - 1], INFINITY);
	}
	return times;
}

/* Return the length of the current clip in seconds. */
static float clip_length(const struct gltf_writer *writer)
{
	return (float)((double)writer->clip.end_s - (double)writer->clip.start_s);
}

#define WHOLE 1e-3 /* fraction of the sampling interval: a sample so near to the clip's end counts as the end */

/*
 * Replace samples after the clip's end. Samples continue up to the first one at or after the end. A key exactly at the
 * end, with the interpolated value, replaces the ones after it. Return 0 or -1.
 */
static int cut_samples(struct gltf_writer *writer, const struct anim_track *t, struct keys *keys, float *times)
{
	double end = (double)writer->clip.end_s, step = anim_track_step(t);
	float length = clip_length(writer), *last;
	struct anim_sample_state state = {0};
	uint8_t present;
	int result;

	if (keys->n < 2 || !(times[keys->n - 1] > length) || !(writer->clip.end_s > writer->clip.start_s))
		return 0;
	while (keys->n > 2 && times[keys->n - 2] >= length)
		keys->n--;
	if (anim_track_time(t, keys->n - 1) - end <= WHOLE * step && times[keys->n - 2] < length) {
		times[keys->n - 1] = length;
		return 0;
	}
	last = anim_arena_zeroed(&writer->scratch, 1, ANIM_VALUE_MAX, writer->error);
	if (last == NULL)
		return -1;
	result = anim_sample(&writer->clip, t, &end, 1, last, &present, &state, writer->error);
	anim_sample_state_clear(&state);
	keys->n--;
	keys->last = last;
	keys->last_s = length;
	return result;
}

/* ---- A track's values ---- */

/* largest error of the length of a rotation's key, at most what the format's own validator allows */
#define UNIT 5e-3

/*
 * Return rotations of length 1, in the scratch arena if some have another length. A rotation of length 0 becomes no
 * rotation.
 */
static const float *unit_values(struct gltf_writer *writer, const float *value, size_t n)
{
	float *unit = NULL;

	for (size_t k = 0; k < n; k++) {
		const float *q = value + 4 * k;
		double length = sqrt((double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] +
				     (double)q[2] * (double)q[2] + (double)q[3] * (double)q[3]);

		if (fabs(length - 1) <= UNIT)
			continue;
		if (unit == NULL) {
			if ((unit = anim_arena_zeroed(&writer->scratch, n, 4 * sizeof *unit, writer->error)) == NULL)
				return NULL;
			memcpy(unit, value, n * 4 * sizeof *unit);
		}
		for (int i = 0; i < 4; i++)
			unit[4 * k + i] = length > 0 ? (float)((double)q[i] / length) : i == 3;
	}
	return unit == NULL ? value : unit;
}

static bool are_finite(const float *numbers, size_t count)
{
	bool finite = true;

	for (size_t i = 0; i < count; i++)
		finite &= fabsf(numbers[i]) <= FLT_MAX;
	return finite;
}

/* Return whether all values and slopes are finite, except the slopes before the first and after the last key. */
static bool is_finite(const struct anim_track *t, enum anim_interp mode)
{
	size_t components = anim_types[t->type].components, slopes = t->n > 0 ? (t->n - 1) * components : 0;

	if (!anim_type_is_real(t->type))
		return true;
	return are_finite(t->value, t->n * components) &&
	       (mode != ANIM_HERMITE ||
		(are_finite((const float *)t->left + components, slopes) && are_finite(t->right, slopes)));
}

/* Return the interpolation mode of all keys, or ANIM_INTERP_COUNT if it is not in glTF or if keys have different modes. */
static enum anim_interp mode_of(const struct anim_track *t)
{
	if (t->kind == ANIM_DISCRETE)
		return ANIM_HOLD;
	if (t->interp != ANIM_HOLD && t->interp != ANIM_LINEAR && t->interp != ANIM_HERMITE)
		return ANIM_INTERP_COUNT;
	return t->interp == ANIM_HERMITE && t->n < 2 ? ANIM_LINEAR : (enum anim_interp)t->interp;
}

/* Fail if convert should have changed the track. Return 0 or -1. */
static int check(const struct gltf_writer *writer, const struct anim_track *t)
{
	const char *what = NULL;
	char label[LABEL_MAX];

	anim_track_label(t, label, sizeof label);
	if (t->kind == ANIM_RAW && t->n > 1 && !(anim_track_step(t) > 0))
		return anim_fail(
		    writer->error, ANIM_UNSUPPORTED,
		    "%s: the time between the samples is not known; set it with " ANIM_OPTION("retime", "rate"), label);
	if (mode_of(t) == ANIM_INTERP_COUNT)
		what = "mixed or unsupported interpolation modes";
	else if (t->flags & (ANIM_UNSORTED | ANIM_REST_RELATIVE | ANIM_DEGREES | ANIM_PERCENT))
		what = "unsupported keys or units";
	else if (anim_track_time(t, 0) < (double)writer->clip.start_s)
		what = "keys before the clip's start";
	if (what == NULL)
		return 0;
	return anim_fail(writer->error, ANIM_UNSUPPORTED,
			 "track '%s' has %s, which glTF cannot hold; " ANIM_ADVICE_TO(SAMPLE, "30"), label, what);
}

/*
 * Prepare the keys of a float track of the current clip. If `lasts` is set and the track ends before the clip, add a
 * key at the clip's end. The keys are borrowed from the track and the scratch arena. Return 0 or -1.
 */
static int prepare(struct gltf_writer *writer, const struct anim_track *t, bool lasts, struct keys *keys)
{
	const float *times = times_of(writer, t);
	union {
		const float *read;
		float *write; /* the times of samples are in the scratch arena */
	} own = {times};

	*keys = (struct keys){.n = t->n,
			      .components = anim_types[t->type].components,
			      .mode = mode_of(t),
			      .time = times,
			      .value = t->value,
			      .left = t->left,
			      .right = t->right};
	if (times == NULL)
		return -1;
	if (t->type == ANIM_FLOATQ && (keys->value = unit_values(writer, t->value, t->n)) == NULL)
		return -1;
	if (t->kind == ANIM_RAW && cut_samples(writer, t, keys, own.write) != 0)
		return -1;
	if (lasts && keys->last == NULL && keys->time[keys->n - 1] < clip_length(writer)) {
		keys->last = keys->value + (keys->n - 1) * keys->components;
		keys->last_s = clip_length(writer);
	}
	return 0;
}

/* ---- Channels ---- */

/* Fill an existing channel with the keys of a track. Return 0 or -1. */
static int fill(struct gltf_writer *writer, const struct anim_track *t, size_t channel, bool lasts)
{
	struct gltf_out_channel *filled = gltf_writer_channel(writer, channel);
	struct keys keys;

	if (prepare(writer, t, lasts, &keys) != 0)
		return -1;
	filled->mode = (uint8_t)keys.mode;
	return put_keys(writer, &keys, &filled->input, &filled->output);
}

/* Write the track that was held back. Return 0 or -1. */
static int release(struct gltf_writer *writer, bool lasts)
{
	if (!writer->holds)
		return 0;
	writer->holds = false;
	return fill(writer, &writer->held, writer->held_channel, lasts);
}

/* Return the time of the last key of a track, relative to the clip's start. */
static float last_of(const struct gltf_writer *writer, const struct anim_track *t)
{
	return (float)(anim_track_time(t, t->n - 1) - (double)writer->clip.start_s);
}

/*
 * Write the keys of a track. Players take the largest time of all keys as the clip's end. So, if no track lasts to the
 * end, the one that ends last gets an additional key there, and is held back until it is known. Return 0 or -1.
 */
static int put_floats(struct gltf_writer *writer, const struct anim_track *t, size_t channel)
{
	struct gltf_out_clip *clip = this_clip(writer);
	float last = last_of(writer, t);

	clip->ended = clip->ended || last >= clip_length(writer);
	if (clip->ended || (writer->holds && last <= writer->held_last))
		return fill(writer, t, channel, false);
	if (release(writer, false) != 0)
		return -1;
	anim_arena_reset(&writer->held_arena);
	if (anim_track_copy(&writer->held, t, &writer->held_arena, writer->error) != 0)
		return -1;
	writer->held_channel = channel;
	writer->held_last = last;
	writer->holds = true;
	return 0;
}

/* Return the component type of an integer or bool property, or 0 if glTF has none for the type. */
static unsigned whole_component(enum anim_type type)
{
	switch (type) {
	case ANIM_BOOL:
	case ANIM_BYTE:
		return GLTF_U8;
	case ANIM_USHORT:
		return GLTF_U16;
	case ANIM_UINT:
		return GLTF_U32;
	default:
		return 0;
	}
}

/* Return 1 if no other track of the clip drives this, 0 after a message if one does, or -1. */
static int claim(struct gltf_writer *writer, const struct anim_track *t, uint32_t node, enum gltf_path path,
		 const char *what)
{
	char *key =
	    anim_arena_printf(&writer->scratch, writer->error, "%zu %u %d %s", clip_count(writer), node, path, what);
	int added = key == NULL ? -1 : anim_text_set_add(&writer->driven, key, strlen(key), writer->error);

	if (added != 0)
		return added;
	return drop(writer, t, "left out, because an earlier track of the clip sets the same property");
}

/* ---- The counterpart of a track in glTF ---- */

#define NO_PLACE (-1)
#define EVENTS (-2)

static int transform_of(const struct anim_track *t)
{
	if (!anim_track_is_transform(t))
		return NO_PLACE;
	if (strcmp(t->property, "position") == 0 && t->type == ANIM_FLOAT3)
		return GLTF_TRANSLATION;
	if (strcmp(t->property, "rotation") == 0 && t->type == ANIM_FLOATQ)
		return GLTF_ROTATION;
	return strcmp(t->property, "scale") == 0 && t->type == ANIM_FLOAT3 ? GLTF_SCALE : NO_PLACE;
}

/*
 * Return whether the track is a camera's view angle, which is in degrees here and in radians there. A new file gets a camera
 * for its node. An existing file only has the camera that its own track names.
 */
static bool is_view_angle(const struct gltf_writer *writer, const struct anim_track *t)
{
	return strcmp(t->property, "fov") == 0 && t->type == ANIM_FLOAT && t->component == ANIM_WHOLE &&
	       (writer->into == NULL || anim_attrs_get(&t->attrs, "gltf.pointer") != NULL);
}

static int place_of(const struct gltf_writer *writer, const struct anim_track *t)
{
	unsigned components = anim_types[t->type].components;

	if (t->property[0] == '@')
		return EVENTS;
	if (t->component != ANIM_WHOLE)
		return NO_PLACE;
	if (transform_of(t) != NO_PLACE)
		return transform_of(t);
	if (writer->form == GLTF_VRMA)
		return anim_text_after(t->property, EXPRESSION) != NULL && t->type == ANIM_FLOAT ? GLTF_TRANSLATION
												 : NO_PLACE;
	if (anim_text_after(t->property, BLEND_SHAPE) != NULL && t->type == ANIM_FLOAT)
		return GLTF_WEIGHTS;
	if ((strcmp(t->property, "visible") == 0 && t->type == ANIM_BOOL) || is_view_angle(writer, t))
		return GLTF_POINTER;
	if (t->property[0] != '/' || strcmp(t->node, ".") != 0)
		return NO_PLACE;
	/* KHR_animation_pointer does not support all types. */
	return (anim_type_is_real(t->type) ? components <= 4 : whole_component(t->type) != 0) ? GLTF_POINTER : NO_PLACE;
}

/* Return whether the track is a morph of MikuMikuDance that means an expression of VRM. */
static bool is_preset_of_mmd(const struct gltf_writer *writer, const struct anim_track *t)
{
	const char *name = anim_text_after(t->property, BLEND_SHAPE);
	int shape;

	if (name == NULL || writer->form != GLTF_VRMA || strcmp(writer->clip.source, "mmd") != 0)
		return false;
	shape = anim_face_find(ANIM_FACE_MMD, name, strlen(name));
	return shape >= 0 && anim_face_name(ANIM_FACE_VRM, (unsigned)shape) != NULL;
}

/* Return 1 if the track is left out, after a message if anybody can see that, 0 if not, or -1. */
static int leave_out(const struct gltf_writer *writer, const struct anim_track *t, int place)
{
	bool pointer = place == GLTF_POINTER;
	int reported;

	/* without pointers, only a node that is hidden at rest sets nodes.show */
	if ((place == NO_PLACE || (pointer && !writer->options.pointers)) && !writer->nodes.show &&
	    anim_track_only_shows(t))
		return 1;
	reported = anim_diagnostics_gate(writer->options.diagnostics, t, false, writer->error);
	if (reported != 0)
		return reported;
	/* the conversion warned once about all muscles of the clip */
	if (place == NO_PLACE && anim_attrs_get(&t->attrs, "unity.humanoid") != NULL)
		anim_diagnostics_leave_out(writer->options.diagnostics);
	else if (place == NO_PLACE)
		reported = drop(writer, t,
				is_preset_of_mmd(writer, t)
				    ? "left out, because a VRM animation has expressions instead of blend "
				      "shapes; " ANIM_OPTION_TO("rename", "face", "mmd:vrm") " makes them"
				: writer->form == GLTF_VRMA
				    ? "left out, because a VRM animation has only bones, expressions and the gaze"
				: strcmp(t->property, "fov") == 0
				    ? "left out, because the file does not say which of its cameras this is"
				    : "left out, because glTF does not have the property");
	else if (place == EVENTS && !writer->options.extras)
		reported =
		    drop(writer, t, "events are left out; " ANIM_OPTION("emit", "extras") " writes them as extras");
	else if (pointer && !writer->options.pointers)
		reported = drop(writer, t,
				"left out, because only players that support KHR_animation_pointer can play "
				"such properties; " ANIM_OPTION("emit", "pointer") " writes them");
	else if (pointer && strcmp(t->property, "visible") == 0 && writer->into != NULL &&
		 !gltf_into_uses(writer->into, "KHR_node_visibility"))
		reported = drop(writer, t, "left out, because the file does not use KHR_node_visibility");
	else if (place != EVENTS && !is_finite(t, mode_of(t)))
		reported = drop(writer, t, "left out, because of values that are not finite");
	else
		return 0;
	return reported != 0 ? -1 : 1;
}

/* Append a channel to the list and to its clip. Return 0 or -1. */
static int append_channel(struct gltf_writer *writer, struct gltf_out_channel channel)
{
	struct gltf_out_clip *clip = gltf_writer_clip(writer, channel.clip);
	uint32_t number = (uint32_t)(writer->channels.size / sizeof channel);

	channel.next = GLTF_NONE;
	if (anim_buffer_append(&writer->channels, &channel, sizeof channel, writer->error) != 0)
		return -1;
	if (clip->first == GLTF_NONE)
		clip->first = number;
	else
		gltf_writer_channel(writer, clip->last)->next = number;
	clip->last = number;
	return 0;
}

/* Add a channel to the current clip, to be filled later. Return 0 or -1. */
static int add_channel(struct gltf_writer *writer, uint32_t node, enum gltf_path path, size_t *number)
{
	*number = writer->channels.size / sizeof(struct gltf_out_channel);
	this_clip(writer)->channels++;
	return append_channel(
	    writer,
	    (struct gltf_out_channel){.clip = (uint32_t)(clip_count(writer) - 1), .node = node, .path = (uint8_t)path});
}

static int add_transform(struct gltf_writer *writer, const struct anim_track *t, uint32_t node, enum gltf_path path)
{
	size_t channel;
	int free = claim(writer, t, node, path, "");

	if (free <= 0)
		return free;
	return add_channel(writer, node, path, &channel) != 0 ? -1 : put_floats(writer, t, channel);
}

/*
 * Replace the columns of floats by columns of `components` components. Each number times `factor` becomes the first
 * component, and the others are 0. They are in the scratch arena. Return 0 or -1.
 */
static int replace_columns(struct gltf_writer *writer, struct anim_track *t, double factor, size_t components)
{
	const void **columns[3] = {&t->value, &t->left, &t->right};

	t->record = NULL;
	for (int i = 0; i < 3; i++) {
		const float *from = *columns[i];
		float *to;

		if (from == NULL)
			continue;
		to = anim_arena_zeroed(&writer->scratch, t->n, components * sizeof *to, writer->error);
		for (size_t k = 0; to != NULL && k < t->n; k++)
			to[k * components] = (float)((double)from[k] * factor);
		if ((*columns[i] = to) == NULL)
			return -1;
	}
	return 0;
}

/* Add a channel for the visibility of a node, or for a property that a JSON pointer names. */
static int add_pointer(struct gltf_writer *writer, const struct anim_track *track, uint32_t node)
{
	struct anim_track changed = *track, *t = &changed;
	bool angle = is_view_angle(writer, t), shows = !angle && t->property[0] != '/';
	bool own_camera = angle && writer->into == NULL;
	const char *name = angle && !own_camera ? anim_attrs_get(&t->attrs, "gltf.pointer") : t->property;
	const char *pointer = NULL;
	int free = claim(writer, t, node, GLTF_POINTER, name);
	size_t channel;
	struct gltf_out_channel *filled;
	const float *times;
	size_t n;

	if (free <= 0)
		return free;
	if (angle && replace_columns(writer, t, ANIM_PI / 180, 1) != 0)
		return -1;
	if (own_camera) {
		/* Find or make the camera of the node. */
		struct gltf_out_node *with = gltf_out_nodes_at(&writer->nodes, node);
		struct anim_buffer *cameras = &writer->nodes.cameras;

		if (with->camera == 0) {
			if (anim_buffer_append(cameras, &node, sizeof node, writer->error) != 0)
				return -1;
			with->camera = (uint32_t)(cameras->size / sizeof node);
			with->yfov = t->n > 0 ? (float)anim_component(t->type, t->value, 0, 0) : 1;
		}
		name = anim_arena_printf(&writer->scratch, writer->error, "/cameras/%u/perspective/yfov",
					 with->camera - 1);
		if (name == NULL)
			return -1;
	}
	if (!shows && (pointer = anim_arena_text(&writer->kept, name, strlen(name), writer->error)) == NULL)
		return -1;
	if (pointer != NULL && !own_camera && writer->into == NULL && anim_text_after(pointer, "/nodes/") == NULL &&
	    anim_diagnostics_track(writer->options.diagnostics, track, writer->error,
				   "a new file does not have the property" ANIM_DETAIL ": %s", pointer) != 0)
		return -1;
	if (add_channel(writer, node, GLTF_POINTER, &channel) != 0)
		return -1;
	gltf_writer_channel(writer, channel)->pointer = pointer;
	writer->points = true;
	if (shows)
		writer->nodes.show = gltf_out_nodes_at(&writer->nodes, node)->shows = true;
	if (anim_type_is_real(t->type))
		return put_floats(writer, t, channel);
	/* Write the keys of an integer or bool track, whose values are constant between keys. */
	filled = gltf_writer_channel(writer, channel);
	times = times_of(writer, t);
	n = t->n;
	if (times == NULL)
		return -1;
	while (n > 1 && times[n - 1] > clip_length(writer))
		n--;
	filled->mode = ANIM_HOLD;
	if (add_times_once(&writer->data, times, n, &filled->input, writer->error) != 0 ||
	    begin_accessor(&writer->data, whole_component(t->type), 1, n, &filled->output, writer->error) != 0 ||
	    anim_spool_append(&writer->data.spool, t->value, n * anim_types[t->type].size, writer->error) != 0)
		return -1;
	return end_accessor(&writer->data, writer->error);
}

/*
 * Find the target of this name in the node's mesh. A new file gets one. An existing file that has none gets a message.
 * Return 1, 0 after a message, or -1.
 */
static int find_target(struct gltf_writer *writer, const struct anim_track *t, uint32_t node, const char *name)
{
	struct gltf_out_node *mesh = gltf_out_nodes_at(&writer->nodes, node);
	struct gltf_out_target target = {.node = node, .number = mesh->targets, .next = GLTF_NONE};
	uint32_t number = (uint32_t)(writer->target_names.size / sizeof target), known;

	if (writer->into != NULL) {
		target.number = gltf_into_target(writer->into, node, name);
		if (target.number == GLTF_NONE)
			return drop(writer, t, "left out, because the mesh in the file does not have the blend shape");
	} else if (anim_map_get(&writer->targets, node, name, strlen(name), &known)) {
		return 1;
	}
	target.name = anim_arena_text(&writer->kept, name, strlen(name), writer->error);
	if (target.name == NULL ||
	    anim_map_put(&writer->targets, node, target.name, strlen(name), target.number, writer->error) != 0)
		return -1;
	if (writer->into != NULL)
		return 1;
	if (anim_buffer_append(&writer->target_names, &target, sizeof target, writer->error) != 0)
		return -1;
	if (mesh->targets++ == 0)
		mesh->first_target = number;
	else
		((struct gltf_out_target *)(void *)writer->target_names.data)[mesh->last_target].next = number;
	mesh->last_target = number;
	return 1;
}

/* ---- The sink ---- */

static struct gltf_writer *writer_of(struct anim_sink *sink, struct anim_error *error)
{
	struct gltf_writer *writer = (struct gltf_writer *)sink;

	writer->error = error;
	return writer;
}

static int finish_clip(struct gltf_writer *writer)
{
	const struct anim_scope *now = writer->options.diagnostics->scope;
	struct gltf_out_clip *clip;
	bool longer;
	int result;

	if (!writer->in_clip)
		return 0;
	clip = this_clip(writer);
	anim_arena_reset(&writer->scratch);
	longer = writer->holds && !clip->ended && writer->held_last < clip_length(writer);
	writer->in_clip = false;
	result = release(writer, longer);
	clip->ended = clip->ended || longer;
	writer->options.diagnostics->scope = clip->scope;
	if (result == 0 && clip->channels == 0)
		result = anim_diagnostics_warn(
		    writer->options.diagnostics, "clip", writer->error,
		    clip->events ? "'%s': left out with its events, because glTF can hold no other part"
				 : "'%s': left out, because glTF can hold no part",
		    writer->clip.name);
	writer->options.diagnostics->scope = now;
	return result;
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct gltf_writer *writer = writer_of(sink, error);

	if (finish_clip(writer) != 0)
		return -1;
	if (writer->into == NULL)
		return gltf_out_nodes_tree(&writer->nodes, tree, error);
	gltf_into_tree(writer->into);
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct gltf_writer *writer = writer_of(sink, error);

	return writer->into == NULL ? gltf_out_nodes_add(&writer->nodes, node, error)
				    : gltf_into_node(writer->into, node, error);
}

/*
 * Return the name of the clip in the file. A clip that loops keeps the name that said so in its source, unless it was
 * renamed. *says_loop is set if the name says so. NULL if out of memory.
 */
static const char *name_of(struct gltf_writer *writer, const struct anim_clip *clip, bool *says_loop)
{
	const char *own = anim_attrs_get(&clip->attrs, GLTF_LOOP_NAME), *name;

	if (own != NULL && clip->loop != ANIM_LOOP_NONE) {
		name = gltf_loop_name(own, says_loop, &writer->kept, writer->error);
		if (name == NULL || strcmp(name, clip->name) == 0)
			return name == NULL ? NULL : anim_arena_text(&writer->kept, own, strlen(own), writer->error);
	}
	if (gltf_loop_name(clip->name, says_loop, &writer->kept, writer->error) == NULL)
		return NULL;
	if (clip->loop == ANIM_LOOP_NONE || *says_loop || !writer->options.loop_names)
		return anim_arena_text(&writer->kept, clip->name, strlen(clip->name), writer->error);
	*says_loop = true;
	return anim_arena_printf(&writer->kept, writer->error, "%s-loop", clip->name);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct gltf_writer *writer = writer_of(sink, error);
	struct gltf_out_clip written = {.start_s = clip->start_s,
					.end_s = clip->end_s,
					.first = GLTF_NONE,
					.last = GLTF_NONE,
					.scope = writer->options.diagnostics->scope};
	struct anim_diagnostics *diagnostics = writer->options.diagnostics;
	const char *unnamed = anim_attrs_get(&clip->attrs, GLTF_UNNAMED);
	bool says_loop;

	if (finish_clip(writer) != 0)
		return -1;
	if (!isfinite((float)((double)clip->end_s - (double)clip->start_s)))
		return anim_fail(error, ANIM_UNSUPPORTED, "clip '%s' is too long for glTF", clip->name);
	anim_arena_reset(&writer->clip_arena);
	written.name = name_of(writer, clip, &says_loop);
	written.unnamed = unnamed != NULL && strcmp(unnamed, clip->name) == 0; /* it has not been renamed since */
	if (written.name == NULL || anim_clip_copy(&writer->clip, clip, &writer->clip_arena, error) != 0 ||
	    anim_buffer_append(&writer->clips, &written, sizeof written, error) != 0)
		return -1;
	writer->in_clip = true;
	anim_text_set_reset(&writer->driven);

	/* Players of VRM animations decide themselves whether they loop. */
	if (clip->loop == ANIM_LOOP_PINGPONG && says_loop && writer->form != GLTF_VRMA &&
	    anim_diagnostics_note(diagnostics, "clip", error,
				  "'%s': will loop from the start, because a name cannot mean ping-pong",
				  clip->name) != 0)
		return -1;
	says_loop = says_loop || writer->form == GLTF_VRMA;
	if (anim_diagnostics_playback(
		diagnostics, clip, "glTF", says_loop,
		clip->loop == ANIM_LOOP_NONE || says_loop ? "" : "; for Godot add " ANIM_OPTION("emit", "loop-name"),
		error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(writer->later), clip, error);
}

/* Find the node that a track of the current clip drives. Return 1, 0 if it does not exist, or -1. */
static int find_node(struct gltf_writer *writer, const struct anim_track *t, uint32_t *node)
{
	if (writer->into != NULL)
		return gltf_into_find(writer->into, &writer->clip, t, node, writer->error);
	return gltf_out_nodes_find(&writer->nodes, &writer->clip, t, node, writer->error);
}

static int add_to_node(struct gltf_writer *writer, const struct anim_track *t, int place)
{
	uint32_t node;
	int found = find_node(writer, t, &node);
	const char *name;
	struct gltf_out_clip *clip;
	int free;

	if (found < 0)
		return -1;
	if (found == 0 && writer->into != NULL)
		return drop(writer, t, "left out, because the file does not have the node");
	if (found == 0)
		return drop(writer, t, "left out, because the node is outside the tree");
	if (writer->form == GLTF_VRMA) {
		const char *bone = gltf_out_nodes_at(&writer->nodes, node)->human;

		if (bone == NULL)
			return drop(writer, t, "left out, because the node is not a VRM bone");
		if (place == GLTF_SCALE || (place == GLTF_TRANSLATION && strcmp(bone, "hips") != 0))
			return drop(writer, t, "left out, because VRM has only rotations and the position of the hips");
		return add_transform(writer, t, node, (enum gltf_path)place);
	}
	if (place == GLTF_POINTER)
		return add_pointer(writer, t, node);
	if (place != GLTF_WEIGHTS)
		return add_transform(writer, t, node, (enum gltf_path)place);
	/* Store a track of a weight, because glTF has one sampler for all weights of a mesh, which is made at the end. */
	name = t->property + sizeof BLEND_SHAPE - 1;
	clip = this_clip(writer);
	free = claim(writer, t, node, GLTF_WEIGHTS, name);
	if (free > 0)
		free = find_target(writer, t, node, name);
	if (free <= 0)
		return free;
	clip->ended = clip->ended || last_of(writer, t) >= clip_length(writer);
	clip->channels++;
	return anim_sink_track(anim_store_sink(writer->later), t, writer->error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct gltf_writer *writer = writer_of(sink, error);
	int place = place_of(writer, track), left_out = leave_out(writer, track, place);

	anim_arena_reset(&writer->scratch);
	writer->has_muscles = writer->has_muscles || anim_attrs_get(&track->attrs, "unity.humanoid") != NULL;
	writer->has_transforms = writer->has_transforms || transform_of(track) != NO_PLACE;
	if (left_out != 0)
		return left_out < 0 ? -1 : 0;
	if (place == EVENTS) {
		this_clip(writer)->events = true;
		return anim_sink_track(anim_store_sink(writer->later), track, writer->error);
	}
	if (check(writer, track) != 0)
		return -1;
	if (place == GLTF_POINTER &&
	    (track->property[0] == '/' || (is_view_angle(writer, track) && writer->into != NULL)))
		return add_pointer(writer, track, GLTF_NONE);
	if (writer->form == GLTF_VRMA && transform_of(track) == NO_PLACE) {
		/* Write the weight of an expression as the position of its node. */
		const char *name = track->property + sizeof EXPRESSION - 1;
		struct anim_track moved = *track;
		uint32_t node;

		if (writer->into != NULL && !gltf_into_expression(writer->into, name, &node))
			return drop(writer, track, "left out, because the file does not have the expression");
		if (writer->into == NULL && gltf_out_nodes_expression(&writer->nodes, name, &node, writer->error) != 0)
			return -1;
		if (replace_columns(writer, &moved, 1, 3) != 0)
			return -1;
		/* Add an expression of a new .vrma if it does not have it yet. */
		if (writer->into == NULL && !gltf_out_nodes_at(&writer->nodes, node)->is_noted) {
			struct gltf_expression expression = {.node = node};

			gltf_out_nodes_at(&writer->nodes, node)->is_noted = true;
			expression.name = anim_arena_text(&writer->kept, name, strlen(name), writer->error);
			if (expression.name == NULL || anim_buffer_append(&writer->expressions, &expression,
									  sizeof expression, writer->error) != 0)
				return -1;
		}
		moved.type = ANIM_FLOAT3;
		moved.property = "position";
		return add_transform(writer, &moved, node, GLTF_TRANSLATION);
	}
	return add_to_node(writer, track, place);
}

/* ---- Weights: the stream has a track for each blend shape, glTF one sampler for a complete mesh ---- */

/* The tracks of one mesh in one clip. */
struct shapes {
	struct gltf_writer *writer;
	size_t clip;
	uint32_t node;
	uint32_t first;           /* the first track of the node */
	const uint32_t *next;     /* for each track the next one of the same node, or GLTF_NONE */
	struct anim_buffer times; /* float: the times of all tracks, increasing */
	enum anim_interp mode;
};

/* Return the time of key k. The additional key at the clip's end is the last one. */
static float time_at(const struct keys *keys, size_t k)
{
	return k < keys->n ? keys->time[k] : keys->last_s;
}

static float value_at(const struct keys *keys, size_t k)
{
	return k < keys->n ? keys->value[k] : *keys->last;
}

static size_t count_of(const struct keys *keys)
{
	return keys->n + (keys->last != NULL);
}

struct point {
	float value, left, right;
};

/* Return the slope at a time in the segment after key k. */
static double slope_in(const struct keys *keys, size_t k, double t)
{
	double from = (double)value_at(keys, k), to = (double)value_at(keys, k + 1);
	double start = (double)time_at(keys, k), d = (double)time_at(keys, k + 1) - start, s = (t - start) / d;

	if (keys->mode == ANIM_HOLD)
		return 0;
	if (keys->mode == ANIM_LINEAR)
		return (to - from) / d;
	return (6 * s * s - 6 * s) * (from - to) / d + (3 * s * s - 4 * s + 1) * (double)keys->right[k] +
	       (3 * s * s - 2 * s) * (double)keys->left[k + 1];
}

static double value_in(const struct keys *keys, size_t k, double t)
{
	double from = (double)value_at(keys, k), to = (double)value_at(keys, k + 1);
	double start = (double)time_at(keys, k), d = (double)time_at(keys, k + 1) - start, s = (t - start) / d;

	if (keys->mode == ANIM_HOLD)
		return from;
	if (keys->mode == ANIM_LINEAR)
		return from + (to - from) * s;
	return anim_hermite(from, (double)keys->right[k], to, (double)keys->left[k + 1], d, s);
}

/*
 * Evaluate the keys at a time. *k is the last key at or before the previous time, and only increases. `outer` means that
 * it is the first or the last time of all tracks.
 */
static void evaluate(const struct keys *keys, size_t *k, float t, bool outer, struct point *out)
{
	bool cubic = keys->mode == ANIM_HERMITE, first, last;

	while (*k + 1 < count_of(keys) && time_at(keys, *k + 1) <= t)
		++*k;
	first = *k == 0;
	last = *k + 1 == count_of(keys);
	*out = (struct point){.value = value_at(keys, *k)};
	if (time_at(keys, *k) == t) {
		if (!first)
			out->left = cubic ? keys->left[*k] : (float)slope_in(keys, *k - 1, (double)t);
		else if (cubic && outer)
			out->left = keys->left[*k];
		if (!last)
			out->right = cubic ? keys->right[*k] : (float)slope_in(keys, *k, (double)t);
		else if (cubic && outer)
			out->right = keys->right[*k];
	} else if (t >= time_at(keys, 0) && !last) {
		out->value = (float)value_in(keys, *k, (double)t);
		out->left = out->right = (float)slope_in(keys, *k, (double)t);
	}
}

static int compare_times(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return x < y ? -1 : x > y;
}

static int add_time(struct shapes *shapes, float t)
{
	return anim_buffer_append(&shapes->times, &t, sizeof t, shapes->writer->error);
}

/* Read track i of the clip. Return 0 or -1. */
static int read_keys(struct shapes *shapes, size_t i, struct anim_track *t, struct keys *keys)
{
	struct gltf_writer *writer = shapes->writer;

	anim_arena_reset(&writer->scratch);
	return anim_store_read(writer->later, shapes->clip, i, t, writer->error) != 0 ||
		       prepare(writer, t, false, keys) != 0
		   ? -1
		   : 0;
}

/* Choose a mode that can represent all tracks, and collect their times. Return 0 or -1. */
static int collect_times(struct shapes *shapes)
{
	struct gltf_out_clip *clip = gltf_writer_clip(shapes->writer, shapes->clip);
	struct keys keys;
	struct anim_track t;
	float *times;
	size_t n, kept = 0;

	for (uint32_t i = shapes->first; i != GLTF_NONE; i = shapes->next[i]) {
		if (read_keys(shapes, i, &t, &keys) != 0)
			return -1;
		if (i == shapes->first)
			shapes->mode = keys.mode;
		else if (shapes->mode == ANIM_HERMITE || keys.mode == ANIM_HERMITE)
			shapes->mode = ANIM_HERMITE;
		else if (shapes->mode != keys.mode)
			shapes->mode = ANIM_LINEAR;
	}
	shapes->times.size = 0;
	for (uint32_t i = shapes->first; i != GLTF_NONE; i = shapes->next[i]) {
		bool steps;

		if (read_keys(shapes, i, &t, &keys) != 0)
			return -1;
		/* Add the times of the keys, and a time just before each step, if the mode would interpolate it. */
		steps = keys.mode == ANIM_HOLD && shapes->mode != ANIM_HOLD;
		for (size_t k = 0; k < count_of(&keys); k++) {
			float before = nextafterf(time_at(&keys, k), -INFINITY);

			if (steps && k > 0 && value_at(&keys, k) != value_at(&keys, k - 1) &&
			    before > time_at(&keys, k - 1) && add_time(shapes, before) != 0)
				return -1;
			if (add_time(shapes, time_at(&keys, k)) != 0)
				return -1;
		}
	}
	if (!clip->ended && add_time(shapes, clip_length(shapes->writer)) != 0)
		return -1;
	clip->ended = true;
	times = (float *)(void *)shapes->times.data;
	n = shapes->times.size / sizeof *times;
	qsort(times, n, sizeof *times, compare_times);
	for (size_t k = 0; k < n; k++)
		if (kept == 0 || times[k] != times[kept - 1])
			times[kept++] = times[k];
	shapes->times.size = kept * sizeof *times;
	return 0;
}

/* Write the sampler of one mesh. Return 0 or -1. */
static int put_mesh(struct shapes *shapes)
{
	struct gltf_writer *writer = shapes->writer;
	struct anim_error *error = writer->error;
	const struct gltf_out_node *node = gltf_out_nodes_at(&writer->nodes, shapes->node);
	size_t targets = node->targets, size, n;
	bool cubic;
	struct anim_arena arena = {0};
	float *value, *left = NULL, *right = NULL;
	const float *times;
	struct keys keys;
	struct gltf_out_channel channel = {.clip = (uint32_t)shapes->clip, .node = shapes->node, .path = GLTF_WEIGHTS};
	int result = -1;

	if (collect_times(shapes) != 0)
		return -1;
	times = (const float *)(const void *)shapes->times.data;
	n = shapes->times.size / sizeof *times;
	cubic = shapes->mode == ANIM_HERMITE;

	/* The columns have the weights of all targets at each time. They begin with the rest pose. */
	if (anim_size_multiply(targets, sizeof(float), &size, error) != 0)
		return -1;
	value = anim_arena_zeroed(&arena, n, size, error);
	if (cubic) {
		left = anim_arena_zeroed(&arena, n, size, error);
		right = anim_arena_zeroed(&arena, n, size, error);
	}
	if (value == NULL || (cubic && (left == NULL || right == NULL)))
		goto done;
	for (size_t k = 0; k < n && node->weights != NULL; k++)
		memcpy(value + k * targets, node->weights, size);

	/* Fill the column of each track's target. */
	for (uint32_t i = shapes->first; i != GLTF_NONE; i = shapes->next[i]) {
		struct anim_track t;
		uint32_t target = 0;
		const char *name;
		struct point point;
		size_t at = 0;

		if (read_keys(shapes, i, &t, &keys) != 0)
			goto done;
		name = t.property + sizeof BLEND_SHAPE - 1;
		if (!anim_map_get(&writer->targets, shapes->node, name, strlen(name), &target))
			continue;
		for (size_t k = 0; k < n; k++) {
			evaluate(&keys, &at, times[k], k == 0 || k + 1 == n, &point);
			value[k * targets + target] = point.value;
			if (!cubic)
				continue;
			left[k * targets + target] = point.left;
			right[k * targets + target] = point.right;
		}
	}
	keys = (struct keys){.n = n,
			     .components = (unsigned)targets,
			     .scalars = true,
			     .mode = n > 1 || shapes->mode == ANIM_HOLD ? shapes->mode : ANIM_LINEAR,
			     .time = times,
			     .value = value,
			     .left = left,
			     .right = right};
	channel.mode = (uint8_t)keys.mode;
	if (put_keys(writer, &keys, &channel.input, &channel.output) == 0)
		result = append_channel(writer, channel);
done:
	anim_arena_clear(&arena);
	return result;
}

/*
 * Find the node of each weight track of the clip. Other tracks get GLTF_NONE. Link each track to the next one of the same
 * node, and keep the node only for the first of them. Return 0 or -1.
 */
static int link_tracks(struct gltf_writer *writer, size_t clip, uint32_t *nodes, uint32_t *next, size_t count)
{
	uint32_t *last;

	for (uint32_t i = 0; i < count; i++) {
		const struct anim_store_track *stored = anim_store_track_at(writer->later, clip, i);
		const struct anim_track track = {.node = stored->node, .property = stored->property};

		nodes[i] = next[i] = GLTF_NONE;
		if (stored->property[0] != '@' && find_node(writer, &track, &nodes[i]) < 0)
			return -1;
	}
	last = anim_zeroed((gltf_out_nodes_count(&writer->nodes) + 1) * sizeof *last, writer->error);
	for (uint32_t i = 0; last != NULL && i < count; i++) {
		uint32_t node = nodes[i];

		if (node == GLTF_NONE)
			continue;
		if (last[node] != 0) {
			next[last[node] - 1] = i;
			nodes[i] = GLTF_NONE;
		}
		last[node] = i + 1;
	}
	free(last);
	return last == NULL ? -1 : 0;
}

/* ---- The end ---- */

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct gltf_writer *writer = writer_of(sink, error);

	if (clip_count(writer) == 0)
		return anim_fail_no_clip(error);
	if (finish_clip(writer) != 0)
		return -1;
	/* Write the weights of each mesh. */
	for (size_t clip = 0; clip < anim_store_clips(writer->later); clip++) {
		size_t count = anim_store_tracks(writer->later, clip);
		uint32_t *nodes = anim_zeroed((count + 1) * sizeof *nodes, writer->error);
		uint32_t *next = anim_zeroed((count + 1) * sizeof *next, writer->error);
		struct shapes shapes = {.writer = writer, .clip = clip, .next = next};
		int result = -1;

		writer->clip = *anim_store_clip(writer->later, clip);
		if (nodes != NULL && next != NULL)
			result = link_tracks(writer, clip, nodes, next, count);
		for (uint32_t i = 0; i < count && result == 0; i++) {
			if (nodes[i] == GLTF_NONE)
				continue;
			shapes.node = nodes[i];
			shapes.first = i;
			result = put_mesh(&shapes);
		}
		anim_buffer_clear(&shapes.times);
		free(nodes);
		free(next);
		if (result != 0)
			return -1;
	}
	if (anim_rests_check(&writer->nodes.rests, error) != 0 ||
	    (writer->into != NULL && gltf_into_bind(writer->into) != 0) ||
	    anim_diagnostics_check(writer->options.diagnostics, error) != 0)
		return -1;
	if (writer->form == GLTF_VRMA && writer->into == NULL && gltf_human_check(writer) != 0)
		return -1;
	if (writer->into != NULL)
		return gltf_into_write(writer->into);
	return gltf_out_nodes_add_root(&writer->nodes, error) != 0 ? -1 : gltf_write(writer);
}

static void on_free(struct anim_sink *sink)
{
	struct gltf_writer *writer = (struct gltf_writer *)sink;

	gltf_into_free(writer->into);
	gltf_out_nodes_clear(&writer->nodes);
	anim_spool_clear(&writer->data.spool);
	anim_buffer_clear(&writer->data.accessors);
	anim_map_clear(&writer->data.inputs);
	anim_store_free(writer->later);
	anim_buffer_clear(&writer->clips);
	anim_buffer_clear(&writer->channels);
	anim_buffer_clear(&writer->target_names);
	anim_buffer_clear(&writer->expressions);
	anim_buffer_clear(&writer->slots);
	anim_map_clear(&writer->targets);
	anim_text_set_clear(&writer->driven);
	anim_arena_clear(&writer->clip_arena);
	anim_arena_clear(&writer->held_arena);
	anim_arena_clear(&writer->scratch);
	anim_arena_clear(&writer->kept);
	free(writer);
}

static struct anim_sink *new_writer(struct anim_output *out, const struct anim_write_options *options,
				    enum gltf_form form, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct gltf_writer *writer = anim_sink_new(sizeof *writer, &ops, error);

	if (writer == NULL)
		return NULL;
	writer->options = *options;
	writer->form = form;
	writer->out = out;
	writer->zeros = GLTF_NONE;
	anim_spool_init(&writer->data.spool, options->store_memory);
	writer->data.most = form == GLTF_TEXT ? 0 : GLTF_GLB_MAX;
	writer->later = anim_store_new(options->store_memory, error);
	if (writer->later != NULL && options->into.file != NULL)
		writer->into = gltf_into_new(writer, error);
	if (writer->later == NULL || (options->into.file != NULL && writer->into == NULL)) {
		on_free(&writer->sink);
		return NULL;
	}
	return &writer->sink;
}

struct anim_sink *anim_glb_writer_new(struct anim_output *out, const struct anim_write_options *options,
				      struct anim_error *error)
{
	return new_writer(out, options, GLTF_BINARY, error);
}

struct anim_sink *anim_gltf_writer_new(struct anim_output *out, const struct anim_write_options *options,
				       struct anim_error *error)
{
	return new_writer(out, options, GLTF_TEXT, error);
}

struct anim_sink *anim_vrma_writer_new(struct anim_output *out, const struct anim_write_options *options,
				       struct anim_error *error)
{
	return new_writer(out, options, GLTF_VRMA, error);
}
