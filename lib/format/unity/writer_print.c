/* writer_print.c: the text of an .anim: the document, its lists, the keys of a curve. */
#include "format/unity/writer.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "format/unity/event.h"
#include "format/unity/names.h"
#include "math/elementary.h"

/* ---- The hot loop: the keyframes of one curve ---- */

#define ROOM ((size_t)64 << 10) /* bytes to reserve in the output at once */
#define KEY_MAX 2048u           /* more than the longest keyframe */
#define THIRD 0.333333343f      /* 0.33333334, the weight of a side that is not weighted */
#define COMPONENTS 4u

/* Bits of weightedMode. */
#define WEIGHTED_IN 1u
#define WEIGHTED_OUT 2u

/* Modes of a side in tangentMode, and the bit for broken tangents. */
enum { TANGENT_FREE = 0, TANGENT_LINEAR = 2, TANGENT_CONSTANT = 3 };
#define TANGENT_BROKEN 1u

/*
 * A number of the previous key and its text. Components that do not change are copied instead of printed. All-zero:
 * none.
 */
struct printed_number {
	uint32_t bits;
	uint8_t length;
	char text[UNITY_FLOAT_MAX];
};

enum { VALUE, IN_SLOPE, OUT_SLOPE, IN_WEIGHT, OUT_WEIGHT, ROWS };

/* The part of a track that is written as one curve. */
struct printed_curve {
	const struct anim_track *track;
	unsigned first, components; /* components of the value */
	double scale;               /* factor for values and slopes */
	bool about_z;               /* the track's only component is z of three; the others stay 0 */
};

struct curve_run {
	struct printed_curve curve;
	unsigned stride; /* components of the track's value */
	bool continuous; /* make the signs of neighbouring quaternions continuous */
	struct printed_number memory[ROWS][COMPONENTS];
};

/* A keyframe to print. */
struct keyframe {
	float rows[ROWS][COMPONENTS];
	unsigned weighted;
	int32_t tangents;
};

static char *put(char *at, const char *text, size_t length)
{
	memcpy(at, text, length);
	return at + length;
}
#define PUT(at, literal) put(at, literal, sizeof literal - 1)

static char *put_number(char *at, struct printed_number *memory, float number)
{
	uint32_t bits;
	char text[ANIM_NUMBER_MAX];

	memcpy(&bits, &number, sizeof bits);
	if (memory->length == 0 || memory->bits != bits) {
		memory->length = (uint8_t)unity_format_float(text, number);
		memory->bits = bits;
		memcpy(memory->text, text, sizeof memory->text);
	}
	memcpy(at, memory->text, sizeof memory->text);
	return at + memory->length;
}

/* Print a number, or "{x: 0, y: 0, z: 0}". */
static char *put_row(char *at, struct curve_run *run, const struct keyframe *key, unsigned row)
{
	static const char names[COMPONENTS][6] = {"{x: ", ", y: ", ", z: ", ", w: "};
	struct printed_number *memory = run->memory[row];

	if (run->curve.components == 1)
		return put_number(at, memory, key->rows[row][0]);
	for (unsigned i = 0; i < run->curve.components; i++) {
		memcpy(at, names[i], 5);
		at = put_number(at + (i == 0 ? 4 : 5), &memory[i], key->rows[row][i]);
	}
	*at++ = '}';
	return at;
}

static char *put_key(char *at, struct curve_run *run, const struct keyframe *key, float time_s)
{
	at = PUT(at, "      - serializedVersion: 3\n        time: ");
	at += unity_format_float(at, time_s);
	at = put_row(PUT(at, "\n        value: "), run, key, VALUE);
	at = put_row(PUT(at, "\n        inSlope: "), run, key, IN_SLOPE);
	at = put_row(PUT(at, "\n        outSlope: "), run, key, OUT_SLOPE);
	at = PUT(at, "\n        tangentMode: ");
	at += anim_number_print_int64(at, key->tangents);
	at = PUT(at, "\n        weightedMode: ");
	*at++ = (char)('0' + key->weighted);
	at = put_row(PUT(at, "\n        inWeight: "), run, key, IN_WEIGHT);
	at = put_row(PUT(at, "\n        outWeight: "), run, key, OUT_WEIGHT);
	*at++ = '\n';
	return at;
}

/* Get the components of key k of a column, in Unity's units. */
static void load(const struct curve_run *run, const void *column, size_t k, float out[COMPONENTS])
{
	const float *from = (const float *)column + k * run->stride + run->curve.first;

	if (run->curve.about_z) {
		out[0] = out[1] = 0;
		out[2] = (float)((double)*from * run->curve.scale);
		return;
	}
	for (unsigned i = 0; i < run->curve.components; i++)
		out[i] = run->curve.scale == 1 ? from[i] : (float)((double)from[i] * run->curve.scale);
}

/* Get the value of key k. A quaternion gets the sign that is nearer to the previous one. */
static void load_value(const struct curve_run *run, size_t k, const float before[COMPONENTS], float out[COMPONENTS])
{
	double dot = 0;

	load(run, run->curve.track->value, k, out);
	if (!run->continuous || before == NULL)
		return;
	for (unsigned i = 0; i < COMPONENTS; i++)
		dot += (double)before[i] * (double)out[i];
	for (unsigned i = 0; i < COMPONENTS && dot < 0; i++)
		out[i] = 0 - out[i]; /* avoids -0 */
}

static void fill(float row[COMPONENTS], float number)
{
	for (unsigned i = 0; i < COMPONENTS; i++)
		row[i] = number;
}

/*
 * Get the slopes of the line from key k to the next. If no time passes, they are infinite, so that the player steps.
 */
static void line_slopes(const struct curve_run *run, const float from[COMPONENTS], const float to[COMPONENTS], size_t k,
			float row[COMPONENTS])
{
	const float *time = run->curve.track->time;

	for (unsigned i = 0; i < run->curve.components; i++) {
		double slope = ((double)to[i] - (double)from[i]) / ((double)time[k + 1] - (double)time[k]);

		if (!(time[k + 1] != time[k]))
			row[i] = INFINITY;
		else if (isfinite(slope) && fabs(slope) > (double)FLT_MAX)
			row[i] = slope < 0 ? -FLT_MAX : FLT_MAX;
		else
			row[i] = (float)slope;
	}
}

static enum anim_interp mode_of(const struct curve_run *run, size_t k)
{
	return run->curve.track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(run->curve.track, k);
}

static bool is_hermite(enum anim_interp mode)
{
	return mode == ANIM_HERMITE || mode == ANIM_WEIGHTED;
}

/*
 * Set the slopes of key k. The side towards a neighbour belongs to the segment there. An outer side, which is not
 * played, is the same as the other side, or comes from the column.
 */
static void set_slopes(const struct curve_run *run, size_t k, const float before[COMPONENTS],
		       const float after[COMPONENTS], struct keyframe *key)
{
	const struct anim_track *t = run->curve.track;
	enum anim_interp in = mode_of(run, k > 0 ? k - 1 : 0), out = mode_of(run, k);

	if (is_hermite(in))
		load(run, t->left, k, key->rows[IN_SLOPE]);
	else if (in == ANIM_HOLD)
		fill(key->rows[IN_SLOPE], INFINITY);
	else if (k > 0)
		line_slopes(run, before, key->rows[VALUE], k - 1, key->rows[IN_SLOPE]);
	if (is_hermite(out))
		load(run, t->right, k, key->rows[OUT_SLOPE]);
	else if (out == ANIM_HOLD)
		fill(key->rows[OUT_SLOPE], INFINITY);
	else if (k + 1 < t->n)
		line_slopes(run, key->rows[VALUE], after, k, key->rows[OUT_SLOPE]);
	else
		memcpy(key->rows[OUT_SLOPE], key->rows[IN_SLOPE], sizeof key->rows[OUT_SLOPE]);
	if (in == ANIM_LINEAR && k == 0)
		memcpy(key->rows[IN_SLOPE], key->rows[OUT_SLOPE], sizeof key->rows[IN_SLOPE]);
}

static void set_weight(const struct curve_run *run, const float *column, size_t k, float row[COMPONENTS])
{
	const float *from = column + k * run->stride + run->curve.first;

	if (run->curve.about_z)
		row[2] = *from;
	else
		memcpy(row, from, run->curve.components * sizeof *row);
}

static void set_weights(const struct curve_run *run, size_t k, struct keyframe *key)
{
	const struct anim_track *t = run->curve.track;
	bool in = mode_of(run, k > 0 ? k - 1 : 0) == ANIM_WEIGHTED, out = mode_of(run, k) == ANIM_WEIGHTED;
	unsigned bits = t->weighted == NULL ? 0 : t->weighted[k];

	key->weighted = (in ? bits & WEIGHTED_IN : 0) | (out ? bits & WEIGHTED_OUT : 0);
	fill(key->rows[IN_WEIGHT], THIRD);
	fill(key->rows[OUT_WEIGHT], THIRD);
	if (in && t->left_x != NULL)
		set_weight(run, t->left_x, k, key->rows[IN_WEIGHT]);
	if (out && t->right_x != NULL)
		set_weight(run, t->right_x, k, key->rows[OUT_WEIGHT]);
}

static unsigned tangent_of(enum anim_interp mode)
{
	return mode == ANIM_HOLD ? TANGENT_CONSTANT : mode == ANIM_LINEAR ? TANGENT_LINEAR : TANGENT_FREE;
}

/* Return the editor's tangentMode, or the default for the modes. In Unity, curves of several components have none. */
static int32_t tangents_of(const struct curve_run *run, size_t k)
{
	const struct anim_track *t = run->curve.track;
	unsigned in = tangent_of(mode_of(run, k > 0 ? k - 1 : 0)), out = tangent_of(mode_of(run, k));

	if (t->hint != NULL)
		return (int32_t)t->hint[k];
	if (run->curve.components > 1 || (in == TANGENT_FREE && out == TANGENT_FREE))
		return 0;
	return (int32_t)(in << 1 | out << 5 | TANGENT_BROKEN);
}

/* Convert line feeds to CR LF, for which there is enough space. Returns the end of the text. */
static char *end_lines(char *text, char *end)
{
	char *from = end, *to;

	for (const char *at = text; at < from; at++)
		end += *at == '\n';
	for (to = end; to > from;) {
		*--to = *--from;
		if (*to == '\n')
			*--to = '\r';
	}
	return end;
}

/* Print the items of m_Curve. Returns 0 or -1. */
static int print_keys(const struct anim_print *print, const struct printed_curve *curve)
{
	const struct anim_track *t = curve->track;
	bool own_signs = t->rules == ANIM_RULES_UNITY || t->rules == ANIM_RULES_RESONITE;
	struct curve_run run = {.curve = *curve,
				.stride = anim_types[t->type].components,
				.continuous = anim_types[t->type].quaternion && t->component == ANIM_WHOLE &&
					      !own_signs && !anim_track_has_interp(t, ANIM_HERMITE) &&
					      !anim_track_has_interp(t, ANIM_WEIGHTED)};
	float before[COMPONENTS] = {0}, after[COMPONENTS] = {0};
	struct keyframe key = {{{0}}, 0, 0};
	size_t k = 0, most = print->crlf ? ROOM / 2 : ROOM;

	if (t->n > 0)
		load_value(&run, 0, NULL, after);
	while (k < t->n) {
		char *room = (char *)anim_output_reserve(print->out, ROOM, print->error), *at = room;

		if (room == NULL)
			return -1;
		for (; k < t->n && (size_t)(at - room) <= most - KEY_MAX; k++) {
			memcpy(before, key.rows[VALUE], sizeof before);
			memcpy(key.rows[VALUE], after, sizeof after);
			if (k + 1 < t->n)
				load_value(&run, k + 1, key.rows[VALUE], after);
			set_slopes(&run, k, before, after, &key);
			set_weights(&run, k, &key);
			key.tangents = tangents_of(&run, k);
			at = put_key(at, &run, &key, t->time[k]);
		}
		if (print->crlf)
			at = end_lines(room, at);
		anim_output_advance(print->out, (size_t)(at - room));
	}
	return 0;
}

/* ---- Lines of one member ---- */

static void put_float(struct anim_print *print, float value)
{
	char text[ANIM_NUMBER_MAX];

	anim_print_bytes(print, text, unity_format_float(text, value));
}

static void print_line(struct anim_print *print, const char *name, int64_t number)
{
	anim_print_text(print, name);
	anim_print_int64(print, number);
	anim_print_text(print, "\n");
}

static void print_float_line(struct anim_print *print, const char *name, float number)
{
	anim_print_text(print, name);
	put_float(print, number);
	anim_print_text(print, "\n");
}

static void print_scalar_line(struct anim_print *print, const char *name, const char *text)
{
	anim_print_text(print, name);
	unity_put_scalar(print, text);
	anim_print_text(print, "\n");
}

/* ---- Lists of curves ---- */

#define HOLD_INFINITY 2 /* these numbers differ from WrapMode, where 2 is a loop */

/* m_PreInfinity and m_PostInfinity for the model's extrapolation. */
static const int infinities[ANIM_EXTRAPOLATION_COUNT] = {[ANIM_EXTRAPOLATION_HOLD] = HOLD_INFINITY,
							 [ANIM_EXTRAPOLATION_LOOP] = 1,
							 [ANIM_EXTRAPOLATION_PINGPONG] = 0,
							 [ANIM_EXTRAPOLATION_NONE] = HOLD_INFINITY};

/* Return the factor for values: Unity's angles are degrees, and its blend shapes percent. */
static double scale_of(const struct anim_track *t)
{
	if (anim_property_is_angle(t->property) && !(t->flags & ANIM_DEGREES))
		return 180 / ANIM_PI;
	return strncmp(t->property, "blend_shape/", 12) == 0 && !(t->flags & ANIM_PERCENT) ? 100 : 1;
}

/* Print an AnimationCurve, indented by six blanks. */
static void print_curve(struct anim_print *print, const struct printed_curve *curve, enum unity_list list)
{
	const struct anim_track *t = curve->track;

	anim_print_text(print, "      serializedVersion: 2\n      m_Curve:");
	anim_print_text(print, t->n == 0 ? " []\n" : "\n");
	if (!print->failed)
		print->failed = print_keys(print, curve) != 0;
	print_line(print, "      m_PreInfinity: ", infinities[t->pre]);
	print_line(print, "      m_PostInfinity: ", infinities[t->post]);
	print_line(print,
		   "      m_RotationOrder: ", list == UNITY_EULER_CURVES ? unity_order_of(t) : UNITY_ORDER_DEFAULT);
}

/* Print the fields after the keys of a float or PPtr curve. Only later versions have `flags`. */
static void print_binding(struct anim_print *print, const struct unity_binding *binding, const char *path,
			  bool has_flags)
{
	print_scalar_line(print, "    attribute: ", binding->attribute);
	print_scalar_line(print, "    path: ", path);
	print_line(print, "    classID: ", binding->class_id);
	anim_print_text(print, "    script: ");
	unity_put_kept(print, binding->script);
	anim_print_text(print, "\n");
	if (has_flags)
		print_line(print, "    flags: ", binding->flags);
}

/* Print "- curve:". An item with flags has its version first. */
static void print_item(struct anim_print *print, bool has_flags)
{
	anim_print_text(print, has_flags ? "  - serializedVersion: 2\n    curve:" : "  - curve:");
}

/*
 * Return true if the curve gets flags. In later versions all curves have them, and in earlier versions only curves that
 * already had them.
 */
static bool has_flags_of(const struct unity_writer *writer, const struct anim_track *t)
{
	return writer->all_flags || anim_attrs_get(&t->attrs, UNITY_ATTR_FLAGS) != NULL;
}

static int print_track(struct unity_writer *writer, struct anim_print *print, const struct anim_track *t,
		       const struct unity_plan *plan)
{
	unsigned components = anim_types[t->type].components;

	anim_arena_reset(&writer->scratch);
	if (plan->list == UNITY_PPTR_CURVES) {
		bool has_flags = has_flags_of(writer, t);
		struct unity_binding binding;
		char text[UNITY_REFERENCE_MAX];

		if (unity_name_write(t, ANIM_WHOLE, &binding, &writer->scratch, print->error) != 0)
			return -1;
		print_item(print, has_flags);
		anim_print_text(print, t->n == 0 ? " []\n" : "\n");
		for (size_t k = 0; k < t->n && !print->failed; k++) {
			unity_reference_of(t, k, text);
			print_float_line(print, "    - time: ", t->time[k]);
			anim_print_text(print, "      value: ");
			anim_print_text(print, text);
			anim_print_text(print, "\n");
		}
		print_binding(print, &binding, plan->path, has_flags);
		return print->failed ? -1 : 0;
	}
	if (plan->list != UNITY_FLOAT_CURVES) {
		bool about_z = plan->list == UNITY_EULER_CURVES && components == 1;
		struct printed_curve curve = {
		    .track = t, .components = about_z ? 3 : components, .scale = scale_of(t), .about_z = about_z};

		anim_print_text(print, "  - curve:\n");
		print_curve(print, &curve, plan->list);
		print_scalar_line(print, "    path: ", plan->path);
		return print->failed ? -1 : 0;
	}
	for (unsigned component = 0; component < components; component++) {
		bool has_flags = has_flags_of(writer, t);
		struct printed_curve curve = {.track = t, .first = component, .components = 1, .scale = scale_of(t)};
		uint8_t asked = anim_types[t->type].components == 1 ? ANIM_WHOLE : (uint8_t)component;
		struct unity_binding binding;

		/* Print one component of a float curve's track, or its only one. */
		if (unity_name_write(t, asked, &binding, &writer->scratch, print->error) != 0)
			return -1;
		print_item(print, has_flags);
		anim_print_text(print, "\n");
		print_curve(print, &curve, UNITY_FLOAT_CURVES);
		print_binding(print, &binding, plan->path, has_flags);
		if (print->failed)
			return -1;
	}
	return 0;
}

/* Print m_RotationCurves to m_PPtrCurves. Reads the store once per list. Returns 0 or -1. */
static int print_lists(struct unity_writer *writer, struct anim_print *print)
{
	static const struct {
		const char *name;
		enum unity_list list;
	} lists[] = {{"  m_RotationCurves:", UNITY_ROTATION_CURVES}, {"  m_CompressedRotationCurves:", UNITY_NO_LIST},
		     {"  m_EulerCurves:", UNITY_EULER_CURVES},       {"  m_PositionCurves:", UNITY_POSITION_CURVES},
		     {"  m_ScaleCurves:", UNITY_SCALE_CURVES},       {"  m_FloatCurves:", UNITY_FLOAT_CURVES},
		     {"  m_PPtrCurves:", UNITY_PPTR_CURVES}};

	const struct unity_plan *plans = (const void *)writer->plans.data;
	size_t count = writer->plans.size / sizeof *plans;

	for (size_t i = 0; i < ANIM_COUNT(lists); i++) {
		bool some = false;

		anim_print_text(print, lists[i].name);
		for (size_t k = 0; k < count && !print->failed; k++) {
			struct anim_track track;

			if (plans[k].list != lists[i].list)
				continue;
			if (!some)
				anim_print_text(print, "\n");
			some = true;
			if (anim_store_read(writer->store, writer->clip, k, &track, print->error) != 0 ||
			    print_track(writer, print, &track, &plans[k]) != 0)
				return -1;
		}
		if (!some)
			anim_print_text(print, " []\n");
		if (print->failed)
			return -1;
	}
	return 0;
}

/* ---- m_ClipBindingConstant, the table of curves that a player searches first ---- */

/* Print all rows or none: an incomplete table is worse than an empty one, which the editor fills. */
static void print_bindings(const struct unity_writer *writer, struct anim_print *print)
{
	const struct unity_generic_binding *rows = (const void *)writer->bindings.data;
	size_t count = writer->unknown_binding ? 0 : writer->bindings.size / sizeof *rows;

	anim_print_text(print, "  m_ClipBindingConstant:\n    genericBindings:");
	anim_print_text(print, count == 0 ? " []\n" : "\n");
	for (size_t i = 0; i < count && !print->failed; i++) {
		const struct unity_generic_binding *row = &rows[i];

		print_line(print, "    - serializedVersion: 2\n      path: ", row->path);
		print_line(print, "      attribute: ", row->attribute);
		print_line(print, "      script: {fileID: 0}\n      typeID: ", row->class_id);
		print_line(print, "      customType: ", row->custom);
		anim_print_text(print, "      isPPtrCurve: 0\n");
	}
	anim_print_text(print, "    pptrCurveMapping:");
	anim_print_text(print, writer->mapping.size == 0 ? " []\n" : "\n");
	anim_print_bytes(print, writer->mapping.data, writer->mapping.size);
}

/* ---- m_Events ---- */

/* Order events by time, those without a time last, then in their original order. */
static int compare_events(const void *a, const void *b)
{
	const struct unity_queued_event *x = a, *y = b;

	if (isnan(x->time_s) != isnan(y->time_s))
		return isnan(x->time_s) ? 1 : -1;
	if (x->time_s != y->time_s && !isnan(x->time_s))
		return x->time_s < y->time_s ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static int print_events(struct unity_writer *writer, struct anim_print *print)
{
	struct unity_queued_event *events = (void *)writer->events.data;
	size_t count = writer->events.size / sizeof *events;

	anim_print_text(print, count == 0 ? "  m_Events: []\n" : "  m_Events:\n");
	if (writer->event_tracks > 1 && count > 0)
		qsort(events, count, sizeof *events, compare_events);
	for (size_t i = 0; i < count && !print->failed; i++) {
		const char *text = (const char *)writer->event_texts.data + events[i].at;
		struct unity_event event;

		anim_arena_reset(&writer->scratch);
		if (unity_event_parse(text, events[i].length, &event, &writer->scratch, print->error) != 0)
			return -1;
		print_float_line(print, "  - time: ", events[i].time_s);
		print_scalar_line(print, "    functionName: ", event.function);
		print_scalar_line(print, "    data: ", event.data);
		anim_print_text(print, "    objectReferenceParameter: {fileID: ");
		anim_print_int64(print, event.file_id);
		if (event.guid != NULL && anim_unity_guid_is(event.guid)) {
			anim_print_text(print, ", guid: ");
			anim_print_text(print, event.guid);
			anim_print_text(print, ", type: ");
			anim_print_int64(print, event.type);
		}
		anim_print_text(print, "}\n");
		print_float_line(print, "    floatParameter: ", event.number);
		print_line(print, "    intParameter: ", event.integer);
		print_line(print, "    messageOptions: ", event.options);
	}
	return print->failed ? -1 : 0;
}

/* ---- The document ---- */

#define SETTING(name) UNITY_SETTINGS "." name
#define RATE_DEFAULT 60.0f /* Unity's default for a new clip: the editor's grid, not used for sampling */
#define WRAP_LOOP "2"
#define WRAP_PING_PONG "4"

/* `path` is the field printed last. Its maps are open. */
struct clip_document {
	struct unity_writer *writer;
	const struct anim_clip *clip;
	struct anim_print print;
	const char *path;
	bool legacy;
};

static const char *kept(const struct clip_document *document, const char *path)
{
	const struct anim_attrs *attrs = &document->clip->attrs;

	for (size_t i = 0; i < attrs->count; i++) {
		const char *name = anim_text_after(attrs->items[i].key, UNITY_ATTR_PREFIX);

		if (name != NULL && strcmp(name, path) == 0)
			return attrs->items[i].value;
	}
	return NULL;
}

static void indent(struct anim_print *print, const char *path, size_t at)
{
	size_t depth = 1;

	for (size_t i = 0; i < at; i++)
		depth += path[i] == '.';
	anim_print_spaces(print, 2 * depth);
}

/* Print " m_Level: ", preceded by the maps around it unless they are already open. */
static void print_name(struct clip_document *document, const char *path)
{
	struct anim_print *print = &document->print;
	size_t at = 0;
	const char *dot;

	/* The common part with the last path, in whole names with their dots, is already open. */
	for (size_t i = 0; document->path[i] != '\0' && document->path[i] == path[i]; i++)
		if (path[i] == '.')
			at = i + 1;

	for (; (dot = strchr(path + at, '.')) != NULL; at = (size_t)(dot - path) + 1) {
		indent(print, path, at);
		anim_print_bytes(print, path + at, (size_t)(dot - (path + at)));
		anim_print_text(print, ":\n");
	}
	indent(print, path, at);
	anim_print_text(print, path + at);
	anim_print_text(print, ": ");
	document->path = path;
}

static bool has_list(const struct unity_writer *writer, enum unity_list list)
{
	const struct unity_plan *plans = (const void *)writer->plans.data;

	for (size_t i = 0; i < writer->plans.size / sizeof *plans; i++)
		if (plans[i].list == list)
			return true;
	return false;
}

/* Return the kept mode, unless the clip now has another loop. */
static const char *wrap_mode(const struct clip_document *document)
{
	const char *text = kept(document, "m_WrapMode");
	enum anim_loop loop = (enum anim_loop)document->clip->loop;

	if (text != NULL && (!document->legacy || unity_loop_of_wrap(strtol(text, NULL, 10)) == loop))
		return text;
	if (loop == ANIM_LOOP_PINGPONG)
		return WRAP_PING_PONG;
	return document->legacy && loop == ANIM_LOOP_WRAP ? WRAP_LOOP : "0";
}

/* Print a field that comes from the clip's members. A kept text is used if the members cannot express it. */
static void print_own(struct clip_document *document, const char *path)
{
	const struct anim_clip *clip = document->clip;
	struct anim_print *print = &document->print;
	const char *text = kept(document, path);
	bool derived = document->legacy || (clip->flags & ANIM_END_DERIVED) != 0;
	bool rate = strcmp(path, "m_SampleRate") == 0;

	print_name(document, path);
	if (text != NULL && (rate ? clip->rate_den == 0 : derived))
		unity_put_kept(print, text);
	else if (rate && clip->rate_den == 0)
		put_float(print, RATE_DEFAULT);
	else if (rate)
		put_float(print, (float)((double)clip->rate_num / (double)clip->rate_den));
	else if (strcmp(path, "m_Name") == 0)
		unity_put_scalar(print, clip->name);
	else if (strcmp(path, SETTING("m_StartTime")) == 0)
		put_float(print, clip->start_s);
	else if (strcmp(path, SETTING("m_StopTime")) == 0)
		put_float(print, clip->end_s);
	else
		anim_print_text(print, clip->loop != ANIM_LOOP_NONE ? "1" : "0");
	anim_print_text(print, "\n");
}

static void print_field(struct clip_document *document, const struct unity_clip_field *field)
{
	const struct unity_writer *writer = document->writer;
	const char *text;

	if (field->own) {
		print_own(document, field->path);
		return;
	}
	text = kept(document, field->path);
	if (strcmp(field->path, "m_WrapMode") == 0)
		text = wrap_mode(document);
	else if (strcmp(field->path, "m_Compressed") == 0 && has_list(writer, UNITY_ROTATION_CURVES))
		/* The rotations are not packed, and with another value a player would look for packed ones. */
		text = field->value;
	else if (strcmp(field->path, "m_HasGenericRootTransform") == 0 && !writer->is_unity)
		text = writer->root_moves ? "1" : "0";
	else if (text == NULL)
		text = field->value;
	if (text == NULL)
		return;
	print_name(document, field->path);
	unity_put_kept(&document->print, text);
	anim_print_text(&document->print, "\n");
}

/* Return true for names of Unity fields, joined by dots. */
static bool is_path(const char *path)
{
	static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	size_t length;

	while ((length = strspn(path, good)) > 0) {
		if (path[length] == '\0')
			return true;
		if (path[length] != '.')
			return false;
		path += length + 1;
	}
	return false;
}

/* Print kept fields of other versions: those in the settings, or those outside them. */
static void print_others(struct clip_document *document, bool settings)
{
	const struct anim_attrs *attrs = &document->clip->attrs;

	for (size_t i = 0; i < attrs->count; i++) {
		const char *path = anim_text_after(attrs->items[i].key, UNITY_ATTR_PREFIX);

		if (path == NULL || unity_clip_field_find(path) != NULL || !is_path(path) ||
		    (anim_text_after(path, SETTING("")) != NULL) != settings || unity_clip_field_is_foreign(path))
			continue;
		print_name(document, path);
		unity_put_kept(&document->print, attrs->items[i].value);
		anim_print_text(&document->print, "\n");
	}
}

/* Return a document for printing the writer's clip. */
static struct clip_document document_of(struct unity_writer *writer)
{
	struct clip_document document = {.writer = writer,
					 .clip = unity_writer_clip(writer),
					 .print = {.out = writer->out, .error = writer->error, .crlf = writer->crlf},
					 .path = ""};
	const char *legacy = kept(&document, "m_Legacy"), *version = kept(&document, UNITY_VERSION);

	document.legacy = legacy != NULL && strcmp(legacy, "0") != 0;
	writer->all_flags = version != NULL && strtol(version, NULL, 10) >= UNITY_VERSION_FLAGS;
	return document;
}

int unity_document_part(struct unity_writer *writer, const char *key)
{
	static const char lists[] = "m_RotationCurves m_CompressedRotationCurves m_EulerCurves m_PositionCurves "
				    "m_ScaleCurves m_FloatCurves m_PPtrCurves";
	static const char editor[] = "m_EditorCurves m_EulerEditorCurves";
	static const char fields[] = "m_SampleRate m_WrapMode m_Compressed m_HasGenericRootTransform";
	static const char of_tracks[] = "m_Compressed m_HasGenericRootTransform m_ClipBindingConstant m_Events";
	struct clip_document document = document_of(writer);
	int result = 0;

	if (writer->keeps_tracks &&
	    (anim_text_is_word(lists, key) || anim_text_is_word(editor, key) || anim_text_is_word(of_tracks, key)))
		return 0;
	if (anim_text_is_word(lists, key)) {
		result = writer->wrote_lists ? 0 : print_lists(writer, &document.print);
		writer->wrote_lists = true;
	} else if (anim_text_is_word(editor, key)) {
		print_name(&document, key);
		anim_print_text(&document.print, "[]\n");
	} else if (anim_text_is_word(fields, key)) {
		print_field(&document, unity_clip_field_find(key));
	} else if (strcmp(key, "m_ClipBindingConstant") == 0) {
		print_bindings(writer, &document.print);
	} else if (strcmp(key, UNITY_SETTINGS) == 0) {
		for (size_t i = 0; i < unity_clip_field_count; i++)
			if (anim_text_after(unity_clip_fields[i].path, SETTING("")) != NULL)
				print_field(&document, &unity_clip_fields[i]);
		print_others(&document, true);
	} else if (strcmp(key, "m_Events") == 0) {
		result = print_events(writer, &document.print);
		writer->wrote_events = true;
	} else {
		return 0;
	}
	return result != 0 || document.print.failed ? -1 : 1;
}

int unity_document_print(struct unity_writer *writer)
{
	struct clip_document document = document_of(writer);
	struct anim_print *print = &document.print;

	anim_print_text(print, "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n");
	for (size_t i = 0; i < unity_clip_field_count; i++) {
		const char *path = unity_clip_fields[i].path;

		print_field(&document, &unity_clip_fields[i]);

		/* Print the fields that follow a row of the table. */
		if (strcmp(path, "m_ObjectHideFlags") == 0) {
			anim_print_text(print, "  m_CorrespondingSourceObject: {fileID: 0}\n  "
					       "m_PrefabInstance: {fileID: 0}\n"
					       "  m_PrefabAsset: {fileID: 0}\n");
		} else if (strcmp(path, "m_Name") == 0) {
			anim_print_text(print,
					writer->all_flags ? "  serializedVersion: 7\n" : "  serializedVersion: 6\n");
		} else if (strcmp(path, "m_UseHighQualityCurve") == 0) {
			if (print_lists(writer, print) != 0)
				return -1;
		} else if (strcmp(path, "m_Bounds.m_Extent") == 0) {
			print_bindings(writer, print);
		} else if (strcmp(path, SETTING("m_Mirror")) == 0) {
			print_others(&document, true);
			anim_print_text(print, "  m_EditorCurves: []\n  m_EulerEditorCurves: []\n");
		}
		if (print->failed)
			return -1;
	}
	print_others(&document, false);
	return print_events(writer, &document.print);
}
