/* clip.c: one AnimationClip: its fields, and which of its lists are read. */
#include "format/unity/clip.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/limits.h"
#include "format/unity/names.h"

/* --- Messages, and numbers that may be faults --- */

__attribute__((format(printf, 5, 0))) static int add_diagnostic(struct unity_clip_reader *reader,
								enum anim_severity severity,
								const struct unity_node *node, const char *many,
								const char *format, va_list args)
{
	struct anim_place place;
	char text[512];

	vsnprintf(text, sizeof text, format, args);
	unity_place(reader->file, node, &place);
	return anim_diagnostics_add(reader->options->diagnostics, severity, &place, many, reader->error, "%s", text);
}

int unity_clip_fault(struct unity_clip_reader *reader, const struct unity_node *node, const char *format, ...)
{
	va_list args;
	int result;

	reader->clip->faulty = true;
	va_start(args, format);
	result = add_diagnostic(reader, ANIM_FAULT, node, NULL, format, args);
	va_end(args);
	return result;
}

int unity_clip_fault_again(struct unity_clip_reader *reader, const struct unity_node *node)
{
	char text[sizeof reader->error->message];

	if (!anim_error_is_of_input(reader->error))
		return -1;
	memcpy(text, reader->error->message, sizeof text);
	return unity_clip_fault(reader, node, "%s", text);
}

int unity_clip_say(struct unity_clip_reader *reader, enum anim_severity severity, const struct unity_node *node,
		   const char *many, const char *one, ...)
{
	va_list args;
	int result;

	va_start(args, one);
	result = add_diagnostic(reader, severity, node, many, one, args);
	va_end(args);
	return result;
}

int unity_clip_float(struct unity_clip_reader *reader, const struct unity_node *map, const char *key, float *value)
{
	return unity_float(map, key, value, reader->error) < 0 ? unity_clip_fault_again(reader, unity_get(map, key))
							       : 0;
}

int unity_clip_integer(struct unity_clip_reader *reader, const struct unity_node *map, const char *key, int64_t *value)
{
	return unity_int64(map, key, value, reader->error) < 0 ? unity_clip_fault_again(reader, unity_get(map, key))
							       : 0;
}

/* --- Rates --- */

#define NTSC_DEN 1001u
#define NTSC_STEP 1000u

static bool is_rate(double num, double den, float rate_hz)
{
	return num >= 1 && den >= 1 && num <= UINT32_MAX && den <= UINT32_MAX && (float)(num / den) == rate_hz;
}

/* Nearly half way from a positive float32 to the next one: what rounds to it. */
static double towards(float x, int step)
{
	uint32_t bits;
	float next;

	memcpy(&bits, &x, sizeof bits);
	bits += (uint32_t)step;
	memcpy(&next, &bits, sizeof next);
	return x + ((double)next - x) * 0.49;
}

/*
 * The fraction of the smallest denominator in low..high by continued fractions: their terms agree up to the first
 * integer that lies between the two.
 */
static void simplest(double low, double high, double *num, double *den)
{
	double p0 = 0, q0 = 1, p1 = 1, q1 = 0; /* the convergents before */

	for (int i = 0; i < 64; i++) {
		double whole = floor(low), term = whole < low && whole + 1 <= high ? whole + 1 : whole;
		double p = term * p1 + p0, q = term * q1 + q0, rest;

		p0 = p1;
		q0 = q1;
		p1 = p;
		q1 = q;
		if (term != whole || low == whole || p > UINT32_MAX || q > UINT32_MAX)
			break;
		rest = low - whole;
		low = 1 / (high - whole);
		high = 1 / rest;
	}
	*num = p1;
	*den = q1;
}

bool unity_rate_fraction(float rate_hz, uint32_t *num, uint32_t *den)
{
	double n, d = NTSC_DEN;

	*num = *den = 0;
	if (!(rate_hz >= FLT_MIN && rate_hz < (float)UINT32_MAX))
		return false;
	n = rint((double)rate_hz * NTSC_DEN / NTSC_STEP) * NTSC_STEP;
	if (floor(rate_hz) == rate_hz) {
		n = rate_hz;
		d = 1;
	} else if (!is_rate(n, d, rate_hz))
		simplest(towards(rate_hz, -1), towards(rate_hz, 1), &n, &d);
	if (!is_rate(n, d, rate_hz))
		return false;
	*num = (uint32_t)n;
	*den = (uint32_t)d;
	return true;
}

/* --- Fields that are no lists --- */

#define START UNITY_SETTINGS ".m_StartTime"
#define STOP UNITY_SETTINGS ".m_StopTime"
#define LOOP UNITY_SETTINGS ".m_LoopTime"

#define PATH_BYTES_MAX 1024u
#define FIELDS_MAX 4000u /* attributes of the clip, a few fewer than a record may have */

#define WRAP_LOOP 2
#define WRAP_PING_PONG 4
#define TYPE_LEGACY 1 /* m_AnimationType of Unity 4; 2 is Mecanim, 3 humanoid */

/* The names on the way to a field, joined by dots. */
struct path {
	char text[PATH_BYTES_MAX + 1];
	size_t length;
};

/* Appends a name. False where the path gets too long. */
static bool push(struct path *path, const char *name)
{
	size_t dot = path->length > 0, length = strlen(name);

	if (length > PATH_BYTES_MAX || path->length + dot + length > PATH_BYTES_MAX)
		return false;
	if (dot)
		path->text[path->length] = '.';
	memcpy(path->text + path->length + dot, name, length + 1);
	path->length += dot + length;
	return true;
}

static int keep_text(struct unity_clip_reader *reader, const struct unity_node *node, const char *path,
		     const char *text)
{
	struct anim_arena *arena = reader->options->arena;
	size_t count = reader->texts.size / sizeof(struct unity_clip_text), length = strlen(text);
	struct unity_clip_text kept = {.number = count};

	if (count >= FIELDS_MAX)
		return unity_clip_fault(reader, node, "more than %u fields", FIELDS_MAX);
	if (length > ANIM_TEXT_MAX)
		return unity_clip_fault(reader, node, "a field of more than 16 MiB of text");
	kept.path = anim_arena_text(arena, path, strlen(path), reader->error);
	kept.text = anim_arena_text(arena, text, length, reader->error);
	if (kept.path == NULL || kept.text == NULL)
		return -1;
	return anim_buffer_append(&reader->texts, &kept, sizeof kept, reader->error);
}

static bool is_flat(const struct unity_node *map)
{
	for (const struct unity_node *member = map->first; member != NULL; member = member->next)
		if (member->kind != UNITY_SCALAR)
			return false;
	return true;
}

/* A scalar or a map of scalars is kept as its text, under the names on the way to it; lists are not. */
static int keep_field(struct unity_clip_reader *reader, const struct unity_node *node, struct path *path)
{
	size_t length = path->length;
	const char *text = node->text;
	int result = 0;

	if (!push(path, node->key))
		return unity_clip_fault(reader, node, "the names on the way to a field have more than %u bytes",
					PATH_BYTES_MAX);
	if (node->kind == UNITY_MAP && (!is_flat(node) || strcmp(path->text, UNITY_SETTINGS) == 0)) {
		for (const struct unity_node *member = node->first; member != NULL && result == 0;
		     member = member->next)
			result = keep_field(reader, member, path);
	} else if (node->kind == UNITY_SCALAR || node->kind == UNITY_MAP) {
		if (node->kind == UNITY_MAP)
			text = unity_flow_text(node, &reader->item, reader->error);
		result = text == NULL ? -1 : keep_text(reader, node, path->text, text);
	}
	path->length = length;
	path->text[length] = '\0';
	return result;
}

static int read_flag(struct unity_clip_reader *reader, const struct unity_node *map, const char *key, bool *flag)
{
	int64_t number = *flag;

	if (unity_clip_integer(reader, map, key, &number) != 0)
		return -1;
	*flag = number != 0;
	return 0;
}

/* A time of the settings; one that is not finite counts as not there. */
static int read_time(struct unity_clip_reader *reader, const struct unity_node *settings, const char *key, float *time,
		     bool *has)
{
	float read = 0;

	if (unity_clip_float(reader, settings, key, &read) != 0)
		return -1;
	if (isfinite(read)) {
		*time = read;
		*has = unity_get(settings, key) != NULL;
		return 0;
	}
	return unity_clip_say(reader, ANIM_WARNING, unity_get(settings, key), NULL,
			      "%s is no finite time; the clip's keys tell its length", key);
}

/* What the engine does with a clip beside playing its curves. */
static int note_settings(struct unity_clip_reader *reader, const struct unity_node *settings)
{
	static const struct {
		const char *key, *many, *one;
	} effects[] = {
	    {"m_LoopBlend", "clips blend their end into their start (loop pose); their curves are read without that",
	     "the clip blends its end into its start (loop pose); its curves are read without that"},
	    {"m_CycleOffset", "clips start at an offset of their cycle; their curves are read without that",
	     "the clip starts at an offset of its cycle; its curves are read without that"},
	    {"m_Mirror", "clips are mirrored by the engine; their curves are read without that",
	     "the clip is mirrored by the engine; its curves are read without that"},
	};

	for (size_t i = 0; i < ANIM_COUNT(effects); i++) {
		float value = 0;

		if (unity_clip_float(reader, settings, effects[i].key, &value) != 0)
			return -1;
		if (value != 0 && unity_clip_say(reader, ANIM_NOTE, unity_get(settings, effects[i].key),
						 effects[i].many, "%s", effects[i].one) != 0)
			return -1;
	}
	return 0;
}

static int read_settings(struct unity_clip_reader *reader, const struct unity_node *settings)
{
	struct unity_clip_told *told = &reader->told;

	if (read_time(reader, settings, "m_StartTime", &told->start_s, &told->has_start) != 0 ||
	    read_time(reader, settings, "m_StopTime", &told->stop_s, &told->has_stop) != 0 ||
	    read_flag(reader, settings, "m_LoopTime", &told->loop_time) != 0)
		return -1;
	return note_settings(reader, settings);
}

/* The version of the clip counts where curves are written otherwise for it. */
static int read_version(struct unity_clip_reader *reader, const struct unity_node *fields)
{
	int64_t version = 0;

	if (unity_clip_integer(reader, fields, UNITY_VERSION, &version) != 0)
		return -1;
	return version < UNITY_VERSION_FLAGS ? 0 : keep_text(reader, fields, UNITY_VERSION, fields->first->text);
}

/* The number of one field. */
static int read_number(struct unity_clip_reader *reader, const struct unity_node *fields, const char *name)
{
	struct unity_clip_told *told = &reader->told;
	int64_t type = 0;

	if (strcmp(name, "m_SampleRate") == 0)
		return unity_clip_float(reader, fields, name, &told->rate_hz);
	if (strcmp(name, "m_WrapMode") == 0)
		return unity_clip_integer(reader, fields, name, &reader->clip->wrap);
	if (strcmp(name, "m_Legacy") == 0)
		return read_flag(reader, fields, name, &told->legacy);
	if (strcmp(name, UNITY_VERSION) == 0)
		return read_version(reader, fields);
	if (strcmp(name, "m_AnimationType") != 0)
		return 0;
	if (unity_clip_integer(reader, fields, name, &type) != 0)
		return -1;
	told->legacy = type == TYPE_LEGACY;
	return told->legacy ? keep_text(reader, fields, "m_Legacy", "1") : 0;
}

static int take_field(struct unity_clip_reader *reader, const struct unity_node *node)
{
	struct unity_node field = *node;
	const struct unity_node fields = {.kind = UNITY_MAP, .key = "", .text = "", .count = 1, .first = &field};
	struct path path = {.length = 0};

	field.next = NULL;
	reader->told.has_first |= strcmp(node->key, "m_ObjectHideFlags") == 0;
	if (strcmp(node->key, "m_Name") == 0) {
		if (node->length > ANIM_NAME_MAX)
			return unity_clip_fault(reader, node, "a name of more than %u bytes", ANIM_NAME_MAX);
		reader->told.name = anim_arena_text(reader->options->arena, node->text, node->length, reader->error);
		return reader->told.name != NULL ? 0 : -1;
	}
	if (read_number(reader, &fields, node->key) != 0)
		return -1;
	if (unity_clip_field_is_foreign(node->key))
		return 0;
	if (strcmp(node->key, UNITY_SETTINGS) == 0 && read_settings(reader, node) != 0)
		return -1;
	return keep_field(reader, node, &path);
}

enum anim_loop unity_loop_of_wrap(int64_t wrap)
{
	return wrap == WRAP_LOOP ? ANIM_LOOP_WRAP : wrap == WRAP_PING_PONG ? ANIM_LOOP_PINGPONG : ANIM_LOOP_NONE;
}

/* True where a writer makes the field's text of the head's members again. */
static bool head_says(const struct unity_clip_told *told, const struct anim_clip *head, const char *path)
{
	if (strcmp(path, "m_SampleRate") == 0)
		return head->rate_den != 0;
	if (strcmp(path, START) == 0)
		return told->has_start && told->start_s == head->start_s;
	if (strcmp(path, STOP) == 0)
		return told->has_stop && told->stop_s == head->end_s;
	return strcmp(path, LOOP) == 0 && told->loop_time == (head->loop == ANIM_LOOP_WRAP);
}

static int compare_texts(const void *a, const void *b)
{
	const struct unity_clip_text *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

/* Of the texts, sorted by path, those that a writer needs; of several of one path the last. 0 or -1. */
static int fill_attrs(struct unity_clip_reader *reader, struct anim_clip *head)
{
	struct unity_clip_text *texts = (struct unity_clip_text *)(void *)reader->texts.data;
	size_t count = reader->texts.size / sizeof *texts;
	struct anim_attr *items;

	if (count == 0)
		return 0;
	qsort(texts, count, sizeof *texts, compare_texts);
	items = anim_arena_zeroed(reader->options->arena, count, sizeof *items, reader->error);
	if (items == NULL)
		return -1;
	head->attrs.items = items;
	for (size_t i = 0; i < count; i++) {
		const char *path = texts[i].path;

		if ((i + 1 < count && strcmp(path, texts[i + 1].path) == 0) || head_says(&reader->told, head, path) ||
		    unity_clip_field_is_default(path, texts[i].text))
			continue;
		items[head->attrs.count].key =
		    anim_arena_printf(reader->options->arena, reader->error, UNITY_ATTR_PREFIX "%s", path);
		items[head->attrs.count].value = texts[i].text;
		if (items[head->attrs.count++].key == NULL)
			return -1;
	}
	return 0;
}

/* Legacy clips last to their last key, others play what the settings say. */
static void fill_times(const struct unity_clip_reader *reader, struct anim_clip *head)
{
	const struct unity_clip_told *told = &reader->told;
	bool cut = !told->legacy && told->has_stop && told->stop_s > told->start_s;

	head->start_s = told->legacy ? 0 : told->start_s;
	head->end_s = cut ? told->stop_s : reader->last_s > head->start_s ? reader->last_s : head->start_s;
	if (!cut)
		head->flags = ANIM_END_DERIVED;
	head->loop = (uint8_t)(told->legacy      ? unity_loop_of_wrap(reader->clip->wrap)
			       : told->loop_time ? ANIM_LOOP_WRAP
						 : ANIM_LOOP_NONE);
}

/* UnityYAML has no end mark: a file that was cut between two lines, or within a number, is still one. 0 or -1. */
static int check_end(struct unity_clip_reader *reader)
{
	const struct unity_node document = {.line = reader->clip->line, .column = 1};

	if (!reader->told.has_any && !reader->clip->faulty)
		return unity_clip_say(reader, ANIM_WARNING, &document,
				      "clips have no fields; the files may be cut behind their heads",
				      "the clip has no fields; the file may be cut behind its head");
	if (!reader->told.has_first || reader->told.has_last || reader->clip->faulty)
		return 0;
	return unity_clip_say(reader, ANIM_WARNING, &document,
			      "clips end before m_Events, which Unity writes last; the files may be cut",
			      "the clip ends before m_Events, which Unity writes last; the file may be cut");
}

/* Takes a field that is no list. 0 or -1. */
static int make_head(struct unity_clip_reader *reader)
{
	struct anim_clip *head = &reader->clip->head;
	const char *name = reader->told.name;

	*head = (struct anim_clip){.axes = ANIM_AXES_UNITY,
				   .axes2d = ANIM_AXES2D_UNITY,
				   .name = name != NULL && name[0] != '\0' ? name : reader->options->base_name,
				   .root = ".",
				   .source = "unity"};
	reader->clip->legacy = reader->told.legacy;
	if (check_end(reader) != 0)
		return -1;
	fill_times(reader, head);
	unity_rate_fraction(reader->told.rate_hz, &head->rate_num, &head->rate_den);
	return fill_attrs(reader, head);
}

/* --- The clip --- */

/* What the engine derives from the rest is passed over; so are the editor's curves where the clip has its own. */
static bool is_wanted(void *context, const char *name)
{
	const struct unity_clip_reader *reader = context;

	if (strcmp(name, "m_EditorCurves") == 0)
		return reader->curves == 0;
	return strcmp(name, "m_EulerEditorCurves") != 0 && strcmp(name, "m_ClipBindingConstant") != 0;
}

static int read_field(struct unity_clip_reader *reader, const struct unity_field *field)
{
	const struct unity_clip_list *list = unity_clip_list(field->name);

	reader->told.has_any = true;
	reader->told.has_last |= strcmp(field->name, "m_Events") == 0;
	if (list == NULL)
		return field->is_item ? 0 : take_field(reader, field->node);
	if (!field->is_item) {
		if (field->node->count == 0 && field->node->length == 0)
			return 0;
		return unity_clip_fault(reader, field->node, "%s is no list", field->name);
	}
	reader->curves += list->is_curves;
	return list->item(reader, field->node);
}

/* A fault of the document's grammar: told with its own place; nothing more can be read of it. */
static int end_of_document(struct unity_clip_reader *reader)
{
	struct anim_error *error = reader->error;
	struct anim_place place = {
	    .at = error->at, .line = error->line, .column = error->column, .offset = error->offset};
	char file[sizeof error->file], text[sizeof error->message];

	if (!anim_error_is_of_input(error))
		return -1;
	memcpy(file, error->file, sizeof file);
	memcpy(text, error->message, sizeof text);
	place.file = file;
	reader->clip->faulty = true;
	return anim_diagnostics_add(reader->options->diagnostics, ANIM_FAULT, &place, NULL, error, "%s", text);
}

static int read_fields(struct unity_clip_reader *reader)
{
	struct unity_field field;
	int status;

	unity_clip_want(reader->file, is_wanted, reader);
	while ((status = unity_clip_next(reader->file, &reader->item, &field, reader->error)) == 1) {
		if (read_field(reader, &field) != 0)
			return -1;
		anim_arena_reset(&reader->item);
	}
	return status < 0 ? end_of_document(reader) : 0;
}

/* The store wants a clip before its tracks; the caller replaces this head. */
static int begin(struct unity_clip_reader *reader)
{
	struct anim_clip clip = {
	    .axes = ANIM_AXES_UNITY, .axes2d = ANIM_AXES2D_UNITY, .name = "", .root = ".", .source = "unity"};

	reader->clip->clip = anim_store_clips(reader->options->store);
	return anim_sink_clip(anim_store_sink(reader->options->store), &clip, reader->error);
}

static void clear(struct unity_clip_reader *reader)
{
	anim_arena_clear(&reader->item);
	anim_buffer_clear(&reader->texts);
	anim_keys_clear(&reader->events);
}

int unity_clip_read(struct unity_file *file, const struct unity_document *document,
		    const struct unity_clip_options *options, struct unity_clip *clip, struct anim_error *error)
{
	struct unity_clip_reader reader = {
	    .file = file, .options = options, .clip = clip, .error = error, .events.type = ANIM_STRING};
	int result;

	*clip = (struct unity_clip){.id = document->id, .line = document->line};
	result = begin(&reader);
	if (result == 0)
		result = read_fields(&reader);
	if (result == 0)
		result = unity_clip_store_events(&reader);
	if (result == 0)
		result = make_head(&reader);
	if (clip->faulty && anim_store_clips(options->store) > clip->clip)
		anim_store_drop_last(options->store);
	clear(&reader);
	return result;
}
