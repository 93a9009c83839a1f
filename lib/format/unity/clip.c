/* clip.c: walks the fields of one AnimationClip and stores what its lists hold. */
#include "format/unity/clip.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/unity/clip_internal.h"
#include "format/unity/fields.h"

/* The lists of a clip. */
static const struct list {
	const char *name;
	bool is_curves; /* played by the engine; where there are none the editor's stand in for them */
	int (*item)(struct unity_clip_reader *, const struct unity_node *);
} lists[] = {
    {"m_RotationCurves", true, unity_clip_rotation}, {"m_CompressedRotationCurves", true, unity_clip_compressed},
    {"m_EulerCurves", true, unity_clip_euler},       {"m_PositionCurves", true, unity_clip_position},
    {"m_ScaleCurves", true, unity_clip_scale},       {"m_FloatCurves", true, unity_clip_number},
    {"m_PPtrCurves", true, unity_clip_reference},    {"m_EditorCurves", false, unity_clip_number},
    {"m_Events", false, unity_clip_event},
};

static const struct list *find_list(const char *name)
{
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (strcmp(lists[i].name, name) == 0)
			return &lists[i];
	return NULL;
}

/* What the engine derives from the rest is passed over; so are the editor's curves where the clip has its own. */
static bool is_wanted(void *context, const char *name)
{
	const struct unity_clip_reader *reader = context;

	if (strcmp(name, "m_EditorCurves") == 0)
		return reader->curves == 0;
	return strcmp(name, "m_EulerEditorCurves") != 0 && strcmp(name, "m_ClipBindingConstant") != 0;
}

__attribute__((format(printf, 5, 0))) static int add_loss(struct unity_clip_reader *reader, enum anim_severity severity,
							  const struct unity_node *node, const char *many,
							  const char *format, va_list args)
{
	struct anim_place place;
	char text[512];

	vsnprintf(text, sizeof text, format, args);
	unity_place(reader->file, node, &place);
	return anim_losses_add(reader->options->losses, severity, &place, many, reader->error, "%s", text);
}

int unity_clip_fault(struct unity_clip_reader *reader, const struct unity_node *node, const char *format, ...)
{
	va_list args;
	int result;

	reader->clip->faulty = true;
	va_start(args, format);
	result = add_loss(reader, ANIM_FAULT, node, NULL, format, args);
	va_end(args);
	return result;
}

/* True for what is wrong with the document alone. */
static bool is_of_input(const struct anim_error *error)
{
	return error->code == ANIM_BAD_INPUT || error->code == ANIM_TOO_LARGE || error->code == ANIM_UNSUPPORTED;
}

int unity_clip_fault_again(struct unity_clip_reader *reader, const struct unity_node *node)
{
	char text[sizeof reader->error->message];

	if (!is_of_input(reader->error))
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
	result = add_loss(reader, severity, node, many, one, args);
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

static int read_field(struct unity_clip_reader *reader, const struct unity_field *field)
{
	const struct list *list = find_list(field->name);

	reader->told.has_any = true;
	reader->told.has_last |= strcmp(field->name, "m_Events") == 0;
	if (list == NULL)
		return field->is_item ? 0 : unity_clip_field_read(reader, field->node);
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

	if (!is_of_input(error))
		return -1;
	memcpy(file, error->file, sizeof file);
	memcpy(text, error->message, sizeof text);
	place.file = file;
	reader->clip->faulty = true;
	return anim_losses_add(reader->options->losses, ANIM_FAULT, &place, NULL, error, "%s", text);
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
	anim_buffer_clear(&reader->hints);
	anim_buffer_clear(&reader->event_time);
	anim_texts_clear(&reader->events);
}

int unity_clip_read(struct unity_file *file, const struct unity_document *document,
		    const struct unity_clip_options *options, struct unity_clip *clip, struct anim_error *error)
{
	struct unity_clip_reader reader = {.file = file, .options = options, .clip = clip, .error = error};
	int result;

	*clip = (struct unity_clip){.id = document->id, .line = document->line};
	result = begin(&reader);
	if (result == 0)
		result = read_fields(&reader);
	if (result == 0)
		result = unity_clip_store_events(&reader);
	if (result == 0)
		result = unity_clip_head(&reader);
	if (clip->faulty && anim_store_clips(options->store) > clip->clip)
		anim_store_drop_last(options->store);
	clear(&reader);
	return result;
}
