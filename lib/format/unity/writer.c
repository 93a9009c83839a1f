/* writer.c: the sink that writes one clip as a .anim of Unity's. */
#include "format/unity/writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/text.h"
#include "format/unity/names.h"
#include "format/unity/unity.h"

/* ---- Messages ---- */

static int warn(struct unity_writer *writer, const char *many, const char *one, const char *label,
		struct anim_error *error)
{
	return anim_diagnostics_add(writer->options.diagnostics, ANIM_WARNING, NULL, many, error, "track '%s' %s",
				    label, one);
}

static int tell_clip(struct unity_writer *writer, const struct anim_clip *clip, struct anim_error *error)
{
	const char *legacy = anim_attrs_get(&clip->attrs, "unity.m_Legacy");

	if (clip->loop == ANIM_LOOP_PINGPONG && (legacy == NULL || strcmp(legacy, "0") == 0) &&
	    anim_diagnostics_add(writer->options.diagnostics, ANIM_NOTE, NULL,
				 "clips will loop from their start: unity's Animator plays no ping-pong", error,
				 "unity's Animator plays no ping-pong: '%s' will loop from its start", clip->name) != 0)
		return -1;
	if (anim_attrs_get(&clip->attrs, "godot.autoplay") == NULL)
		return 0;
	return anim_diagnostics_add(
	    writer->options.diagnostics, ANIM_NOTE, NULL, "clips' autoplay is not kept; the Animator sets it", error,
	    "unity's clips have no autoplay: that of '%s' is not kept; the Animator sets it", clip->name);
}

static int tell_place(struct unity_writer *writer, enum unity_placing place, const char *label,
		      struct anim_error *error)
{
	static const struct {
		const char *many, *one;
	} texts[] = {
	    [UNITY_LOOSE_BONE] =
		{"tracks are of bones whose parents no tree tells; they are written as children of their skeletons",
		 "is of a bone whose parents no tree tells; it is written as a child of its skeleton"},
	    [UNITY_LOOSE_NAME] =
		{"tracks name their nodes without a path, which Unity looks for right below the animated object",
		 "names its node without a path, which Unity looks for right below the animated object"},
	    [UNITY_OUTSIDE] =
		{"tracks are of nodes beside the animation's root, which no path of Unity's reaches, and left out",
		 "is of a node beside the animation's root, which no path of Unity's reaches, and left out"},
	};

	return place == UNITY_PLACED ? 0 : warn(writer, texts[place].many, texts[place].one, label, error);
}

/* gltf's axes are godot's; resonite's are Unity's own. */
static int tell_axes(struct unity_writer *writer, const struct anim_track *t, const char *label,
		     struct anim_error *error)
{
	enum anim_axes axes = (enum anim_axes)unity_writer_clip(writer)->axes;
	bool gltf = axes == ANIM_AXES_GLTF;
	bool placed = strcmp(t->property, "position") == 0 || strcmp(t->property, "rotation") == 0 ||
		      strcmp(t->property, "euler") == 0;
	bool flat = anim_attrs_get(&t->attrs, ANIM_ATTR_FLAT) != NULL;
	bool spatial = !flat && (t->component != ANIM_WHOLE || anim_types[t->type].components >= 3);

	if (writer->options.axes_keep || !(axes == ANIM_AXES_GODOT || gltf) || !placed || !spatial)
		return 0;
	return anim_diagnostics_add(
	    writer->options.diagnostics, ANIM_WARNING, NULL,
	    gltf ? "tracks are in gltf axes, unity plays in unity axes: put 'anim-axes unity' before this, or --axes "
		   "keep"
		 : "tracks are in godot axes, unity plays in unity axes: put 'anim-axes unity' before this, or --axes "
		   "keep",
	    error,
	    "track '%s' is in %s axes, unity plays in unity axes: put 'anim-axes unity' before this, or --axes keep",
	    label, anim_axes_names[axes]);
}

static int tell_left_out(struct unity_writer *writer, const struct anim_track *t, const char *label,
			 struct anim_error *error)
{
	int result;

	if ((t->flags & ANIM_DISABLED) != 0)
		result = warn(writer, "disabled tracks are left out", "is disabled and left out", label, error);
	else if (t->n == 0 && t->rules != ANIM_RULES_UNITY)
		result = warn(writer, "tracks without keys are left out", "has no keys and is left out", label, error);
	else
		return 0;
	return result != 0 ? -1 : 1;
}

/* That Unity has no curve for it. 0 or -1. */
static int tell_unbound(struct unity_writer *writer, const struct anim_track *t, const char *label,
			struct anim_error *error)
{
	if (t->type == ANIM_STRING && t->property[0] == '@')
		return warn(writer, "tracks of another engine's calls and events are left out",
			    "is of another engine's calls or events and left out", label, error);
	if (t->type == ANIM_STRING)
		return warn(writer, "tracks of text, which Unity cannot animate, are left out",
			    "is of text, which Unity cannot animate, and left out", label, error);
	return warn(writer, "tracks drive properties that Unity does not have and are left out",
		    "drives a property that Unity does not have and is left out", label, error);
}

/* ---- m_ClipBindingConstant, the table of curves that a player looks through first ---- */

#define CUSTOM_BLEND_SHAPE 20 /* the attribute is the CRC of the shape's own name */

static uint32_t crc_of(const char *text)
{
	return (uint32_t)crc32(0, (const unsigned char *)text, (unsigned)strlen(text));
}

/* False where no file told how the row of such a curve looks. */
static bool row_of(const struct anim_track *t, const struct unity_binding *binding, struct unity_generic_binding *row)
{
	static const uint32_t numbers[] = {[UNITY_POSITION_CURVES] = 1,
					   [UNITY_ROTATION_CURVES] = 2,
					   [UNITY_SCALE_CURVES] = 3,
					   [UNITY_EULER_CURVES] = 4};
	const char *shape = NULL;

	if (binding->list != UNITY_FLOAT_CURVES && binding->list != UNITY_PPTR_CURVES) {
		row->class_id = UNITY_TRANSFORM;
		row->attribute = numbers[binding->list];
		row->custom = binding->list == UNITY_EULER_CURVES ? unity_order_of(t) : 0;
		return true;
	}
	if (binding->class_id == UNITY_SKINNED_MESH_RENDERER)
		shape = anim_text_behind(binding->attribute, UNITY_BLEND_SHAPE);
	row->class_id = (int32_t)binding->class_id;
	row->attribute = crc_of(shape != NULL ? shape : binding->attribute);
	row->custom = shape != NULL ? CUSTOM_BLEND_SHAPE : 0;
	return shape != NULL ||
	       (binding->class_id == UNITY_GAME_OBJECT && strcmp(binding->attribute, UNITY_ACTIVE) == 0);
}

static int add_binding(struct unity_writer *writer, const struct anim_track *t, const struct unity_binding *binding,
		       const char *path, struct anim_error *error)
{
	struct unity_generic_binding row = {.path = crc_of(path)};

	if (path[0] == '\0' && binding->list != UNITY_FLOAT_CURVES && binding->list != UNITY_PPTR_CURVES)
		writer->root_moves = true;
	if (!row_of(t, binding, &row)) {
		writer->unknown_binding = true;
		return 0;
	}
	return anim_buffer_append(&writer->bindings, &row, sizeof row, error);
}

static void print_row(struct anim_print *print, const struct unity_generic_binding *row)
{
	anim_print_text(print, "    - serializedVersion: 2\n      path: ");
	anim_print_uint64(print, row->path);
	anim_print_text(print, "\n      attribute: ");
	anim_print_uint64(print, row->attribute);
	anim_print_text(print, "\n      script: {fileID: 0}\n      typeID: ");
	anim_print_int64(print, row->class_id);
	anim_print_text(print, "\n      customType: ");
	anim_print_int64(print, row->custom);
	anim_print_text(print, "\n      isPPtrCurve: 0\n");
}

/* All rows or none: an incomplete table is worse than none, which the editor fills. */
void unity_bindings_print(const struct unity_writer *writer, struct anim_print *print)
{
	const struct unity_generic_binding *rows = (const void *)writer->bindings.data;
	size_t count = writer->unknown_binding ? 0 : writer->bindings.size / sizeof *rows;

	anim_print_text(print, "  m_ClipBindingConstant:\n    genericBindings:");
	anim_print_text(print, count == 0 ? " []\n" : "\n");
	for (size_t i = 0; i < count && !print->failed; i++)
		print_row(print, &rows[i]);
	anim_print_text(print, "    pptrCurveMapping:");
	anim_print_text(print, writer->mapping.size == 0 ? " []\n" : "\n");
	anim_print_bytes(print, writer->mapping.data, writer->mapping.size);
}

/* ---- References to other assets, the values of PPtr curves ---- */

#define INTEGER_MAX 20u
#define GUID_MAX 64u
#define REFERENCE_MAX 160u

/* The text behind `word`, blanks before it passed over; NULL where it does not stand there. */
static const char *behind(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);

	while (at < end && *at == ' ')
		at++;
	return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 ? at + length : NULL;
}

/*
 * Appends ", NAME: " and the characters of `set` that stand behind "NAME:" at `at`. Where they end, NULL where there
 * are none.
 */
static const char *copy_member(const char *at, const char *end, const char *name, const char *set, size_t most,
			       char **out)
{
	const char *from = at == NULL ? NULL : behind(at, end, name);
	size_t count = 0;

	if (from == NULL)
		return NULL;
	while (from < end && *from == ' ')
		from++;
	while (from + count < end && from[count] != '\0' && strchr(set, from[count]) != NULL)
		count++;
	if (count == 0 || count > most)
		return NULL;
	memcpy(*out, name, strlen(name));
	*out += strlen(name);
	*(*out)++ = ' ';
	memcpy(*out, from, count);
	*out += count;
	return from + count;
}

static char *put_text(char *at, const char *text)
{
	memcpy(at, text, strlen(text));
	return at + strlen(text);
}

/* ", guid: ..., type: N"; the text behind it, NULL where it is spelled otherwise. */
static const char *copy_asset(const char *at, const char *end, char **out)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	*out = put_text(*out, ", ");
	at = copy_member(at, end, "guid:", digits, GUID_MAX, out);
	at = at == NULL ? NULL : behind(at, end, ",");
	*out = put_text(*out, ", ");
	return copy_member(at, end, "type:", "-0123456789", INTEGER_MAX, out);
}

static void write_reference(const char *text, size_t length, char out[REFERENCE_MAX], bool *bad)
{
	const char *end = text + length, *at = behind(text, end, "{"), *more;
	char *to = put_text(out, "{");

	at = copy_member(at, end, "fileID:", "-0123456789", INTEGER_MAX, &to);
	more = at == NULL ? NULL : behind(at, end, ",");
	if (more != NULL)
		at = copy_asset(more, end, &to);
	if (at == NULL || (behind(at, end, "}") == NULL && behind(at, end, ",") == NULL)) {
		*bad = *bad || length > 0;
		to = put_text(out, "{fileID: 0");
	}
	to = put_text(to, "}");
	*to = '\0';
}

/* Key k of a string track as a reference. */
static void reference_of(const struct anim_track *t, size_t k, char out[REFERENCE_MAX], bool *bad)
{
	uint32_t length = t->strings->length[k];

	write_reference(t->strings->bytes + t->strings->start[k], length == ANIM_NULL_STRING ? 0 : length, out, bad);
}

static int add_references(struct unity_writer *writer, const struct anim_track *t, const char *label,
			  struct anim_error *error)
{
	char text[REFERENCE_MAX];
	bool bad = false;

	for (size_t k = 0; k < t->n; k++) {
		int added;

		reference_of(t, k, text, &bad);
		added = anim_text_set_add(&writer->references, text, strlen(text), error);
		if (added < 0 || (added == 1 && (anim_buffer_append(&writer->mapping, "    - ", 6, error) != 0 ||
						 anim_buffer_append(&writer->mapping, text, strlen(text), error) != 0 ||
						 anim_buffer_append(&writer->mapping, "\n", 1, error) != 0)))
			return -1;
	}
	if (!bad)
		return 0;
	return warn(writer, "tracks have keys that are no references; they became {fileID: 0}",
		    "has keys that are no references; they became {fileID: 0}", label, error);
}

void unity_references_print(struct anim_print *print, const struct anim_track *t)
{
	char text[REFERENCE_MAX];
	bool bad = false;

	for (size_t k = 0; k < t->n && !print->failed; k++) {
		reference_of(t, k, text, &bad);
		anim_print_text(print, "    - time: ");
		unity_put_float(print, t->time[k]);
		anim_print_text(print, "\n      value: ");
		anim_print_text(print, text);
		anim_print_text(print, "\n");
	}
}

/* ---- AnimationEvents out of @event tracks ---- */

/* One event and where its JSON lies in event_texts. */
struct event {
	float time_s;
	uint32_t length;
	size_t at, number;
};

static int tell_foreign(struct unity_writer *writer, const char *label, size_t count, struct anim_error *error)
{
	if (count == 0)
		return 0;
	return anim_diagnostics_add(writer->options.diagnostics, ANIM_WARNING, NULL,
				    "tracks have events that are not Unity's and are left out", error,
				    "track '%s' has %zu events that are not Unity's and are left out", label, count);
}

static int add(struct unity_writer *writer, float time_s, const char *text, uint32_t length, struct anim_error *error)
{
	struct event event = {.time_s = time_s,
			      .length = length,
			      .at = writer->event_texts.size,
			      .number = writer->events.size / sizeof event};

	if (anim_buffer_append(&writer->event_texts, text, length, error) != 0)
		return -1;
	return anim_buffer_append(&writer->events, &event, sizeof event, error);
}

static int add_events(struct unity_writer *writer, const struct anim_track *t, const char *label,
		      struct anim_error *error)
{
	size_t foreign = 0;

	writer->event_tracks++;
	for (size_t k = 0; k < t->n; k++) {
		const char *text = t->strings->bytes + t->strings->start[k];
		uint32_t length = t->strings->length[k];
		struct unity_event event;
		int status = 1;

		anim_arena_reset(&writer->scratch);
		if (length != ANIM_NULL_STRING)
			status = unity_event_parse(text, length, &event, &writer->scratch, error);
		foreign += status > 0;
		if (status < 0 || (status == 0 && add(writer, t->time[k], text, length, error) != 0))
			return -1;
	}
	return tell_foreign(writer, label, foreign, error);
}

/* By time, those without one last, then as they came. */
static int compare(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (isnan(x->time_s) != isnan(y->time_s))
		return isnan(x->time_s) ? 1 : -1;
	if (x->time_s != y->time_s && !isnan(x->time_s))
		return x->time_s < y->time_s ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static void print_integer(struct anim_print *print, const char *name, int64_t number)
{
	anim_print_text(print, name);
	anim_print_int64(print, number);
}

static void print_object(struct anim_print *print, const struct unity_event *event)
{
	print_integer(print, "\n    objectReferenceParameter: {fileID: ", event->file_id);
	if (event->guid != NULL && anim_unity_guid_is(event->guid)) {
		anim_print_text(print, ", guid: ");
		anim_print_text(print, event->guid);
		print_integer(print, ", type: ", event->type);
	}
	anim_print_text(print, "}");
}

static void print_event(struct anim_print *print, float time_s, const struct unity_event *event)
{
	anim_print_text(print, "  - time: ");
	unity_put_float(print, time_s);
	anim_print_text(print, "\n    functionName: ");
	unity_put_scalar(print, event->function);
	anim_print_text(print, "\n    data: ");
	unity_put_scalar(print, event->data);
	print_object(print, event);
	anim_print_text(print, "\n    floatParameter: ");
	unity_put_float(print, event->number);
	print_integer(print, "\n    intParameter: ", event->integer);
	print_integer(print, "\n    messageOptions: ", event->options);
	anim_print_text(print, "\n");
}

int unity_events_print(struct unity_writer *writer, struct anim_print *print)
{
	struct event *events = (void *)writer->events.data;
	size_t count = writer->events.size / sizeof *events;

	anim_print_text(print, count == 0 ? "  m_Events: []\n" : "  m_Events:\n");
	if (writer->event_tracks > 1 && count > 0)
		qsort(events, count, sizeof *events, compare);
	for (size_t i = 0; i < count && !print->failed; i++) {
		const char *text = (const char *)writer->event_texts.data + events[i].at;
		struct unity_event event;

		anim_arena_reset(&writer->scratch);
		if (unity_event_parse(text, events[i].length, &event, &writer->scratch, print->error) != 0)
			return -1;
		print_event(print, events[i].time_s, &event);
	}
	return print->failed ? -1 : 0;
}

/* ---- Which list of the clip a track goes into, under which path ---- */

/* True where the track becomes a curve for each of its components: it has several and no list of its own. */
static bool is_split(const struct anim_track *t, const struct unity_binding *whole)
{
	return (whole->list == UNITY_FLOAT_CURVES || whole->list == UNITY_NO_LIST) &&
	       anim_types[t->type].components > 1;
}

/*
 * 1: a curve of that path, class and attribute has been met before, 0: it is new, -1. Unity's own may be there twice.
 */
static int is_double(struct unity_writer *writer, const struct unity_plan *plan, const struct unity_binding *binding,
		     struct anim_error *error)
{
	const char *attribute = binding->attribute != NULL ? binding->attribute : "";
	size_t path = strlen(plan->path) + 1, name = strlen(attribute) + 1;
	int64_t key[2] = {(int64_t)binding->list, binding->class_id};
	char *text;
	int added;

	if (writer->is_unity)
		return 0;
	text = anim_arena_alloc(&writer->scratch, path + name + sizeof key, error);
	if (text == NULL)
		return -1;
	memcpy(text, plan->path, path);
	memcpy(text + path, attribute, name);
	memcpy(text + path + name, key, sizeof key);
	added = anim_text_set_add(&writer->curves, text, path + name + sizeof key, error);
	return added < 0 ? -1 : !added;
}

/* The rows of all curves that the track becomes. 0 or -1. */
static int add_curve(struct unity_writer *writer, const struct anim_track *t, const struct unity_binding *binding,
		     const struct unity_plan *plan, const char *label, struct anim_error *error)
{
	int twice = is_double(writer, plan, binding, error);

	if (twice < 0 || (twice > 0 && warn(writer, "tracks have the path and property of another track in Unity",
					    "has the path and property of another track in Unity", label, error) != 0))
		return -1;
	return add_binding(writer, t, binding, plan->path, error);
}

static int add_curves(struct unity_writer *writer, const struct anim_track *t, const struct unity_binding *first,
		      const struct unity_plan *plan, const char *label, struct anim_error *error)
{
	struct unity_binding binding;

	if (add_curve(writer, t, first, plan, label, error) != 0)
		return -1;
	if (plan->list != UNITY_FLOAT_CURVES)
		return plan->list == UNITY_PPTR_CURVES ? add_references(writer, t, label, error) : 0;
	for (unsigned component = 1; component < anim_types[t->type].components; component++)
		if (unity_name_write(t, (uint8_t)component, plan->class_hint, &binding, &writer->scratch, error) != 0 ||
		    add_curve(writer, t, &binding, plan, label, error) != 0)
			return -1;
	return 0;
}

/*
 * The names of the track's only curve, or of its first component; 1, 0 where Unity has none for it or for another component,
 * told, -1.
 */
static int bind(struct unity_writer *writer, const struct anim_track *t, const char *label,
		const struct unity_plan *plan, struct unity_binding *binding, struct anim_error *error)
{
	bool split;

	if (unity_name_write(t, ANIM_WHOLE, plan->class_hint, binding, &writer->scratch, error) != 0)
		return -1;
	if (binding->list == UNITY_FLOAT_CURVES && binding->class_id == UNITY_TRANSFORM && t->component == ANIM_WHOLE &&
	    anim_types[t->type].components > 3)
		return warn(writer, "tracks are parts of a Transform with other lanes than Unity's, and left out",
			    "is a part of a Transform with other lanes than Unity's, and left out", label, error);
	split = is_split(t, binding);
	for (unsigned component = anim_types[t->type].components; split && component-- > 0;) {
		if (unity_name_write(t, (uint8_t)component, plan->class_hint, binding, &writer->scratch, error) != 0)
			return -1;
		if (binding->list == UNITY_NO_LIST)
			break;
	}
	if (binding->list != UNITY_NO_LIST)
		return 1;
	return tell_unbound(writer, t, label, error);
}

static int keep(const char **text, struct unity_writer *writer, struct anim_error *error)
{
	*text = anim_arena_text(&writer->kept, *text, strlen(*text), error);
	return *text == NULL ? -1 : 0;
}

/* Under which path the track's curves go; NULL path where none reaches it. 0 or -1. */
static int find_path(struct unity_writer *writer, const struct anim_track *track, const char **path,
		     enum unity_placing *place, struct anim_error *error)
{
	const char *kept = anim_attrs_get(&track->attrs, UNITY_ATTR_PATH);

	*path = NULL;
	*place = UNITY_PLACED;
	if (kept != NULL && strcmp(kept, ".") != 0 && writer->is_unity &&
	    unity_target_kept(track->node, kept, path, &writer->scratch, error) != 0)
		return -1;
	if (*path != NULL)
		return 0;
	return unity_target_path(&writer->target, track->node, path, place, &writer->scratch, error);
}

/* What becomes of a track. 1: it has a plan (and its rows of bindings), 0: left out, warned of, -1. */
static int plan_track(struct unity_writer *writer, const struct anim_track *source, const char *label,
		      struct unity_plan *plan, struct anim_error *error)
{
	struct anim_track track = *source;
	struct unity_binding binding;
	enum unity_placing place;
	int bound;

	if (unity_target_property(&writer->target, source->node, source->property, &plan->property, &plan->class_hint,
				  &writer->scratch, error) != 0)
		return -1;
	track.property = plan->property;
	bound = bind(writer, &track, label, plan, &binding, error);
	if (bound <= 0)
		return bound;
	plan->list = binding.list;
	if (find_path(writer, source, &plan->path, &place, error) != 0)
		return -1;
	if (plan->list != UNITY_EVENTS && tell_place(writer, place, label, error) != 0)
		return -1;
	if (plan->path == NULL && plan->list != UNITY_EVENTS)
		return 0;
	if (plan->list == UNITY_EVENTS)
		return 1;
	if (add_curves(writer, &track, &binding, plan, label, error) != 0)
		return -1;
	return keep(&plan->path, writer, error) != 0 || keep(&plan->property, writer, error) != 0 ? -1 : 1;
}

/* ---- The sink ---- */

#define LABEL_MAX 256u /* bytes of a track's name in a message */

#define BIT(type) ((uint64_t)1 << (type))
#define TYPES                                                                                          \
	(BIT(ANIM_FLOAT) | BIT(ANIM_FLOAT2) | BIT(ANIM_FLOAT3) | BIT(ANIM_FLOAT4) | BIT(ANIM_FLOATQ) | \
	 BIT(ANIM_COLOR) | BIT(ANIM_STRING))
#define MODES (1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_HERMITE | 1u << ANIM_WEIGHTED)

/* Keys out of order are Unity's own where they come this far: as it reads them, it plays them. */
const struct anim_caps anim_unity_caps = {.format = "unity",
					  .source_texts = true,
					  .kinds = 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
					  .types = TYPES,
					  .interps = MODES,
					  .flags = ANIM_DEGREES | ANIM_PERCENT | ANIM_UNSORTED,
					  .rules = ANIM_RULES_UNITY,
					  .mixed_interps = true,
					  .components = true,
					  .euler = true,
					  .angle = true,
					  .ends = true,
					  .negative_times = true,
					  .whole_transforms = true,
					  .continuous_rotations = true};

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct unity_writer *writer = (struct unity_writer *)sink;

	(void)tree;
	(void)error;
	if (!writer->in_clip)
		unity_target_tree(&writer->target);
	return 0;
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	struct unity_writer *writer = (struct unity_writer *)sink;

	return writer->in_clip ? 0 : unity_target_node(&writer->target, node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct unity_writer *writer = (struct unity_writer *)sink;

	if (writer->in_clip)
		return anim_fail(error, ANIM_UNSUPPORTED, "unity's .anim holds one clip; '%s' is a second one",
				 clip->name);
	writer->in_clip = true;
	writer->is_unity = strcmp(clip->source, "unity") == 0;
	if (unity_target_clip(&writer->target, clip, error) != 0 || tell_clip(writer, clip, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(writer->store), clip, error);
}

/* What convert should have changed. */
static int check(const struct anim_track *t, const char *label, struct anim_error *error)
{
	const char *what = NULL;

	if (!(anim_unity_caps.kinds & 1u << t->kind))
		what = "of samples";
	else if (!(anim_unity_caps.types & BIT(t->type)))
		what = anim_types[t->type].name;
	else if (t->ease != NULL)
		what = "eased";
	for (int mode = 0; mode < ANIM_INTERP_COUNT && t->kind == ANIM_CURVE && what == NULL; mode++)
		if (!(MODES & 1u << mode) && anim_track_has_interp(t, (enum anim_interp)mode))
			what = anim_interp_names[mode];
	if (what == NULL)
		return 0;
	return anim_fail(error, ANIM_UNSUPPORTED,
			 "track '%s' is %s; unity cannot hold it: put 'anim-resample "
			 "30' before this",
			 label, what);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct unity_writer *writer = (struct unity_writer *)sink;
	struct unity_plan plan = {UNITY_NO_LIST, NULL, NULL, -1};
	char label[LABEL_MAX];
	int planned;

	anim_arena_reset(&writer->scratch);
	anim_track_label(track, label, sizeof label);
	planned = tell_left_out(writer, track, label, error);
	if (planned != 0)
		return planned < 0 ? -1 : 0;
	if (check(track, label, error) != 0)
		return -1;
	planned = plan_track(writer, track, label, &plan, error);
	if (planned <= 0)
		return planned;
	if (plan.list == UNITY_EVENTS)
		return add_events(writer, track, label, error);
	if (tell_axes(writer, track, label, error) != 0 ||
	    anim_buffer_append(&writer->plans, &plan, sizeof plan, error) != 0)
		return -1;
	return anim_sink_track(anim_store_sink(writer->store), track, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct unity_writer *writer = (struct unity_writer *)sink;

	if (!writer->in_clip)
		return anim_fail(error, ANIM_BAD_INPUT, "there is no clip to write");
	if (anim_diagnostics_check(writer->options.diagnostics, error) != 0)
		return -1;
	return unity_document_print(writer, error);
}

static void on_free(struct anim_sink *sink)
{
	struct unity_writer *writer = (struct unity_writer *)sink;

	anim_store_free(writer->store);
	unity_target_clear(&writer->target);
	anim_arena_clear(&writer->kept);
	anim_arena_clear(&writer->scratch);
	anim_buffer_clear(&writer->plans);
	anim_buffer_clear(&writer->bindings);
	anim_buffer_clear(&writer->mapping);
	anim_buffer_clear(&writer->events);
	anim_buffer_clear(&writer->event_texts);
	anim_text_set_clear(&writer->curves);
	anim_text_set_clear(&writer->references);
	free(writer);
}

struct anim_sink *anim_unity_writer_new(struct anim_output *out, const struct anim_write_options *options,
					struct anim_error *error)
{
	static const struct anim_sink_ops ops = {
	    .tree = on_tree, .node = on_node, .clip = on_clip, .track = on_track, .end = on_end, .free = on_free};
	struct unity_writer *writer = calloc(1, sizeof *writer);

	if (writer == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
	writer->sink.ops = &ops;
	writer->options = *options;
	writer->out = out;
	writer->store = anim_store_new(options->store_memory, error);
	if (writer->store == NULL) {
		on_free(&writer->sink);
		return NULL;
	}
	return &writer->sink;
}
