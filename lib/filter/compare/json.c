/* json.c: what anim-diff found, as one JSON document. */
#include <math.h>

#include "filter/compare/internal.h"

static void text_member(struct anim_print *print, const char *name, const char *text)
{
	anim_print_text(print, name);
	anim_print_json_text(print, text);
}

/* JSON has no infinities: null. */
static void number_member(struct anim_print *print, const char *name, double value)
{
	anim_print_text(print, name);
	if (isfinite(value))
		anim_print_double(print, value);
	else
		anim_print_text(print, "null");
}

static void count_member(struct anim_print *print, const char *name, uint64_t value)
{
	anim_print_text(print, name);
	anim_print_uint64(print, value);
}

static void bool_member(struct anim_print *print, const char *name, bool value)
{
	anim_print_text(print, name);
	anim_print_text(print, value ? "true" : "false");
}

static void begin(struct compare_report *report)
{
	text_member(&report->print, "{\"a\":", report->options->names[0]);
	text_member(&report->print, ",\"b\":", report->options->names[1]);
	anim_print_text(&report->print, ",\"clips\":[");
}

/* {"node":..,"property":..,"component":..}: null where there is no track. */
static void item_member(struct anim_print *print, const char *name, const struct compare_item *item)
{
	unsigned lanes = 0, lane = 0;

	anim_print_text(print, name);
	if (item == NULL) {
		anim_print_text(print, "null");
		return;
	}
	for (unsigned i = 0; i < CONVERT_LANES && item->joined; i++) {
		lanes += item->tracks[i] != COMPARE_NONE;
		lane = item->tracks[i] != COMPARE_NONE ? i : lane;
	}
	if (item->component != ANIM_WHOLE) {
		lanes = 1;
		lane = item->component;
	}
	text_member(print, "{\"node\":", item->node);
	text_member(print, ",\"property\":", item->property);
	if (lanes == 1)
		count_member(print, ",\"component\":", lane);
	else
		anim_print_text(print, ",\"component\":null");
	anim_print_text(print, "}");
}

static void print_row(struct anim_print *print, const struct compare_row *row)
{
	bool measured = row->status <= COMPARE_DIFFERS;

	text_member(print, "{\"status\":", compare_status_names[row->status]);
	item_member(print, ",\"a\":", row->items[0]);
	item_member(print, ",\"b\":", row->items[1]);
	if (measured) {
		text_member(print, ",\"unit\":", anim_unit_names[row->unit]);
		number_member(print, ",\"largest\":", row->worst);
		number_member(print, ",\"rms\":", row->rms);
		number_member(print, ",\"at\":", row->at_s);
		number_member(print, ",\"limit\":", row->limit);
	}
	text_member(print, ",\"note\":", row->note[0] != '\0' ? row->note : NULL);
	anim_print_text(print, "}");
}

static void head_member(struct anim_print *print, const char *name, const struct anim_clip *head)
{
	anim_print_text(print, name);
	if (head == NULL) {
		anim_print_text(print, "null");
		return;
	}
	text_member(print, "{\"name\":", head->name);
	text_member(print, ",\"player\":", anim_attrs_get(&head->attrs, "player"));
	number_member(print, ",\"start\":", (double)head->start_s);
	number_member(print, ",\"end\":", (double)head->end_s);
	anim_print_text(print, "}");
}

static void on_pair(struct compare_report *report, const struct compare_pair *pair)
{
	struct anim_print *print = &report->print;

	anim_print_text(print, report->pairs++ > 0 ? ",\n" : "\n");
	head_member(print, "{\"a\":", pair->heads[0]);
	head_member(print, ",\"b\":", pair->heads[1]);
	bool_member(print, ",\"differs\":", pair->differs);
	bool_member(print, ",\"lengths_differ\":", pair->lengths_differ);
	anim_print_text(print, ",\"tracks\":[");
	for (size_t i = 0; i < pair->count; i++) {
		anim_print_text(print, i > 0 ? ",\n" : "\n");
		print_row(print, &pair->rows[i]);
	}
	anim_print_text(print, "]}");
}

static void print_worst(struct compare_report *report)
{
	struct anim_print *print = &report->print;
	bool some = false;

	anim_print_text(print, ",\"worst\":[");
	for (int unit = 0; unit < ANIM_UNIT_COUNT; unit++) {
		if (!report->sums.worst[unit].there)
			continue;
		text_member(print, some ? ",{\"unit\":" : "{\"unit\":", anim_unit_names[unit]);
		number_member(print, ",\"largest\":", report->sums.worst[unit].error);
		number_member(print, ",\"at\":", report->sums.worst[unit].at_s);
		text_member(print, ",\"clip\":", report->sums.worst[unit].clip);
		text_member(print, ",\"track\":", report->sums.worst[unit].track);
		anim_print_text(print, "}");
		some = true;
	}
	anim_print_text(print, "]");
}

static void end(struct compare_report *report)
{
	struct anim_print *print = &report->print;

	anim_print_text(print, "]");
	print_worst(report);
	count_member(print, ",\"counts\":{\"clips\":", report->sums.clips);
	count_member(print, ",\"clips_only_a\":", report->sums.clips_only[0]);
	count_member(print, ",\"clips_only_b\":", report->sums.clips_only[1]);
	for (int i = 0; i < COMPARE_STATUS_COUNT; i++) {
		text_member(print, ",", compare_status_names[i]);
		count_member(print, ":", report->sums.tracks[i]);
	}
	bool_member(print, "},\"differs\":", report->sums.differ);
	anim_print_text(print, "}\n");
}

const struct compare_form compare_json = {begin, on_pair, end};
