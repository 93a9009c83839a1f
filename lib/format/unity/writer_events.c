/* writer_events.c: AnimationEvents out of @event tracks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/unity/events.h"
#include "format/unity/writer_internal.h"

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
	return anim_losses_add(writer->options.losses, ANIM_WARNING, NULL,
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

int unity_events_add(struct unity_writer *writer, const struct anim_track *t, const char *label,
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
