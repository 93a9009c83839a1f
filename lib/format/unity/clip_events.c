/* clip_events.c: AnimationEvents -> one string track of JSON objects. */
#include "format/unity/clip_internal.h"
#include "format/unity/events.h"

/* Numbers that are not there are 0. 0 or -1. */
static int read_numbers(struct unity_clip_reader *reader, const struct unity_node *item, struct unity_event *event,
			float *time)
{
	if (unity_clip_float(reader, item, "time", time) != 0 ||
	    unity_clip_float(reader, item, "floatParameter", &event->number) != 0 ||
	    unity_clip_integer(reader, item, "intParameter", &event->integer) != 0)
		return -1;
	return unity_clip_integer(reader, item, "messageOptions", &event->options);
}

int unity_clip_event(struct unity_clip_reader *reader, const struct unity_node *item)
{
	const struct unity_node *object = unity_get(item, "objectReferenceParameter");
	struct unity_event event = {.function = unity_text(item, "functionName", ""),
				    .data = unity_text(item, "data", "")};
	struct unity_reference reference = {0};
	size_t start = reader->events.bytes.size;
	float time = 0;

	if (read_numbers(reader, item, &event, &time) != 0)
		return -1;
	if (unity_reference(object, &reference, reader->error) < 0 && unity_clip_fault_again(reader, object) != 0)
		return -1;
	event.file_id = reference.file_id;
	event.type = reference.type;
	event.guid = reference.guid[0] != '\0' ? reference.guid : NULL;
	if (anim_buffer_append(&reader->event_time, &time, sizeof time, reader->error) != 0 ||
	    unity_event_print(&event, &reader->events.bytes, reader->error) != 0)
		return -1;
	if (anim_texts_close(&reader->events, start, reader->error) != 0)
		return unity_clip_fault_again(reader, item);
	return 0;
}

int unity_clip_store_events(struct unity_clip_reader *reader)
{
	struct anim_track track = {
	    .kind = ANIM_DISCRETE, .type = ANIM_STRING, .property = "@event", .component = ANIM_WHOLE};
	struct unity_track_attrs attrs = {0};
	struct unity_node document = {.line = reader->clip->line, .column = 1};
	struct anim_strings strings;

	track.n = reader->event_time.size / sizeof(float);
	if (track.n == 0 || reader->clip->faulty)
		return 0;
	anim_texts_view(&reader->events, &strings);
	track.time = (const float *)(const void *)reader->event_time.data;
	track.strings = &strings;
	return unity_clip_store(reader, &document, "", &track, &attrs);
}
