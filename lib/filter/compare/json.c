/* json.c: what anim-diff found, as one JSON document. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "filter/compare/internal.h"

/* JSON has no infinities: null. */
static void number_member(struct anim_print *print, const char *name, double value)
{
	anim_print_member(print, name);
	if (isfinite(value))
		anim_print_double(print, value);
	else
		anim_print_text(print, "null");
}

/* The first member of an object. */
static void first_text(struct anim_print *print, const char *before, const char *text)
{
	anim_print_text(print, before);
	anim_print_json_text(print, text);
}

/* The file's name; one that is not UTF-8, which a document must be, as it is shown to people. */
static const char *file_name(struct compare_report *report, int side)
{
	const char *name = report->options->names[side];
	size_t length = strlen(name), capacity = 4 * length + 1; /* \xNN for each byte at worst */
	char *safe;

	if (anim_utf8_prefix(name, length) == length)
		return name;
	if ((safe = anim_arena_alloc(&report->scratch, capacity, report->print.error)) == NULL) {
		report->print.failed = true;
		return "";
	}
	anim_text_safe(safe, capacity, name, length);
	return safe;
}

static void begin(struct compare_report *report)
{
	first_text(&report->print, "{\"a\":", file_name(report, 0));
	anim_print_text_member(&report->print, "b", file_name(report, 1));
	anim_print_member(&report->print, "clips");
	anim_print_text(&report->print, "[");
}

/* {"node":..,"property":..,"component":..}: null where there is no track. */
static void print_item(struct anim_print *print, const struct compare_item *item)
{
	uint8_t component;

	if (item == NULL) {
		anim_print_text(print, "null");
		return;
	}
	component = compare_component(item);
	first_text(print, "{\"node\":", item->node);
	anim_print_text_member(print, "property", item->property);
	anim_print_member(print, "component");
	if (component != ANIM_WHOLE)
		anim_print_uint64(print, component);
	else
		anim_print_text(print, "null");
	anim_print_text(print, "}");
}

static void print_row(struct anim_print *print, const struct compare_row *row)
{
	bool measured = row->status <= COMPARE_DIFFERS;

	first_text(print, "{\"status\":", compare_status_names[row->status]);
	anim_print_member(print, "a");
	print_item(print, row->items[0]);
	anim_print_member(print, "b");
	print_item(print, row->items[1]);
	if (measured) {
		anim_print_text_member(print, "unit", anim_unit_names[row->unit]);
		number_member(print, "largest", row->worst);
		number_member(print, "rms", row->rms);
		number_member(print, "at", row->at_s);
		number_member(print, "limit", row->limit);
	}
	anim_print_text_member(print, "note", row->note);
	anim_print_text(print, "}");
}

static void print_head(struct anim_print *print, const struct anim_clip *head)
{
	if (head == NULL) {
		anim_print_text(print, "null");
		return;
	}
	first_text(print, "{\"name\":", head->name);
	anim_print_text_member(print, "player", anim_attrs_get(&head->attrs, "player"));
	number_member(print, "start", (double)head->start_s);
	number_member(print, "end", (double)head->end_s);
	anim_print_text(print, "}");
}

static void on_pair(struct compare_report *report, const struct compare_pair *pair)
{
	struct anim_print *print = &report->print;

	anim_print_text(print, report->pairs++ > 0 ? ",\n{\"a\":" : "\n{\"a\":");
	print_head(print, pair->heads[0]);
	anim_print_member(print, "b");
	print_head(print, pair->heads[1]);
	anim_print_bool_member(print, "differs", pair->differs);
	anim_print_bool_member(print, "lengths_differ", pair->lengths_differ);
	anim_print_member(print, "tracks");
	anim_print_text(print, "[");
	for (size_t i = 0; i < pair->count; i++) {
		anim_print_text(print, i > 0 ? ",\n" : "\n");
		print_row(print, &pair->rows[i]);
	}
	anim_print_text(print, "]}");
}

static void print_worst(struct compare_report *report)
{
	struct anim_print *print = &report->print;
	const char *before = "[{\"unit\":";

	anim_print_member(print, "worst");
	for (int unit = 0; unit < ANIM_UNIT_COUNT; unit++) {
		if (!report->sums.worst[unit].there)
			continue;
		first_text(print, before, anim_unit_names[unit]);
		number_member(print, "largest", report->sums.worst[unit].error);
		number_member(print, "at", report->sums.worst[unit].at_s);
		anim_print_text_member(print, "clip", (const char *)report->sums.worst[unit].clip.data);
		anim_print_text_member(print, "track", (const char *)report->sums.worst[unit].track.data);
		anim_print_text(print, "}");
		before = ",{\"unit\":";
	}
	anim_print_text(print, *before == '[' ? "[]" : "]");
}

static void end(struct compare_report *report)
{
	struct anim_print *print = &report->print;

	anim_print_text(print, "]");
	print_worst(report);
	anim_print_text(print, ",\"counts\":{\"clips\":");
	anim_print_uint64(print, report->sums.clips);
	anim_print_count_member(print, "clips_only_a", report->sums.clips_only[0]);
	anim_print_count_member(print, "clips_only_b", report->sums.clips_only[1]);
	for (int i = 0; i < COMPARE_STATUS_COUNT; i++)
		anim_print_count_member(print, compare_status_names[i], report->sums.tracks[i]);
	anim_print_text(print, "}");
	anim_print_bool_member(print, "differs", report->sums.differ);
	anim_print_text(print, "}\n");
}

const struct compare_form compare_json = {begin, on_pair, end};
