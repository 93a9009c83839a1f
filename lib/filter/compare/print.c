/* print.c: prints the result of anim-diff, as rows for people or as JSON. */
#include <string.h>

#include "filter/common/summary.h"
#include "filter/compare/comparison.h"
#include "filter/filter.h"

/* --- The result of anim-diff as aligned rows for people --- */

enum column { NODE, PROPERTY, LARGEST, RMS, AT, LIMIT, BEYOND, NOTES, COLUMNS };

#define BOLD "\033[1m"
#define RED "\033[31m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

#define REMARK_MAX 512

struct cells {
	const char *text[COLUMNS];
};

static const struct cells heading = {{"node", "property", "largest", "rms", "at", "limit", "exceeded for", "notes"}};

/*
 * Return a text that is safe to show, in the scratch arena. Returns "" if out of memory, and marks the print as
 * failed.
 */
static const char *safe(struct compare_report *report, const char *text)
{
	const char *out = anim_safe_copy(&report->scratch, text, report->print.error);

	report->print.failed |= out == NULL;
	return out == NULL ? "" : out;
}

static const char *safe_number(struct compare_report *report, double value, const char *unit)
{
	char text[TEXT_NUMBER_MAX];

	text_of_number(text, value, unit);
	return safe(report, text);
}

static const char *safe_label(struct compare_report *report, const struct compare_item *item, bool with_node)
{
	const char *label = compare_label(item, with_node, &report->scratch, report->print.error);

	report->print.failed = report->print.failed || label == NULL;
	return label == NULL ? "" : safe(report, label);
}

/* Return two texts joined. */
static const char *joined(struct compare_report *report, const char *before, const char *text)
{
	const char *out = anim_arena_printf(&report->scratch, report->print.error, "%s%s", before, text);

	report->print.failed |= out == NULL;
	return out == NULL ? "" : out;
}

/* Return the remark of a row with its advices as words. */
static const char *remark_of(struct compare_report *report, const struct compare_row *row)
{
	char text[REMARK_MAX];

	anim_advice_print(report->options->advisor, row->note, text, sizeof text);
	return joined(report, "", text);
}

static const char *note_of(struct compare_report *report, const struct compare_row *row)
{
	const struct compare_item *a = row->items[0], *b = row->items[1];
	bool other_node, other_property;

	if (a == NULL || b == NULL)
		return joined(report, "only in ", safe(report, report->options->names[a == NULL]));
	other_node = strcmp(a->node, b->node) != 0;
	other_property = strcmp(a->property, b->property) != 0;
	if (row->note != NULL || (!other_node && !other_property))
		return row->note == NULL ? "" : safe(report, remark_of(report, row));
	return joined(report, "against ", other_property ? safe_label(report, b, other_node) : safe(report, b->node));
}

static void fill(struct compare_report *report, const struct compare_row *row, struct cells *cells)
{
	const struct compare_item *item = row->items[0] != NULL ? row->items[0] : row->items[1];
	const char *unit = anim_unit_names[row->unit];
	bool measured = row->status <= COMPARE_DIFFERS;

	*cells = (struct cells){{"", "", "", "", "", "", "", ""}};
	cells->text[NODE] = safe(report, item->node);
	cells->text[PROPERTY] = safe_label(report, item, false);
	cells->text[NOTES] = note_of(report, row);
	if (!measured)
		return;
	cells->text[LARGEST] = safe_number(report, row->worst, unit);
	cells->text[RMS] = row->unit == ANIM_UNIT_KEYS ? "" : safe_number(report, row->rms, unit);
	cells->text[AT] = row->worst > 0 ? safe_number(report, row->at_s, "s") : "";
	cells->text[LIMIT] = row->limit > 0 ? safe_number(report, row->limit, unit) : "";
	if (row->limit > 0 && row->worst > row->limit && row->beyond_s > 0)
		cells->text[BEYOND] = safe_number(report, row->beyond_s, "s");
}

/* Print a row. Columns that are empty in all rows are left out, and the last cell is not padded. */
static void print_cells(struct compare_report *report, const struct cells *cells, const size_t widths[COLUMNS],
			const char *style)
{
	struct anim_print *print = &report->print;
	int last = COLUMNS - 1;

	while (last > 0 && cells->text[last][0] == '\0')
		last--;
	anim_print_text(print, report->options->color ? style : "");
	for (int i = 0; i <= last; i++) {
		if (widths[i] == 0)
			continue;
		anim_print_text(print, "  ");
		text_print_cell(print, cells->text[i], i < last ? widths[i] : 0, false);
	}
	anim_print_text(print, report->options->color && *style != '\0' ? PLAIN "\n" : "\n");
}

static bool is_shown(const struct compare_report *report, const struct compare_row *row)
{
	return report->options->all_tracks || row->status > COMPARE_WITHIN;
}

static void print_count(struct anim_print *print, uint64_t count, const char *one, const char *many)
{
	anim_print_uint64(print, count);
	anim_print_text(print, count == 1 ? one : many);
}

/* Print ", 3 only in walk.tscn". */
static void print_only(struct compare_report *report, uint64_t count, int side)
{
	if (count == 0)
		return;
	anim_print_text(&report->print, ", ");
	anim_print_uint64(&report->print, count);
	anim_print_texts(&report->print, " only in ", safe(report, report->options->names[side]));
}

static double length_of(const struct anim_clip *clip)
{
	return (double)clip->end_s - (double)clip->start_s;
}

/* Return the rate of a clip, or 0 if it has none. */
static double rate_of(const struct anim_clip *clip)
{
	return clip->rate_den == 0 ? 0 : (double)clip->rate_num / clip->rate_den;
}

/* Return whether both clips have a frame rate, and the rates are not equal. */
static bool rates_differ(const struct anim_clip *a, const struct anim_clip *b)
{
	return rate_of(a) > 0 && rate_of(b) > 0 &&
	       (uint64_t)a->rate_num * b->rate_den != (uint64_t)b->rate_num * a->rate_den;
}

static void on_pair(struct compare_report *report, const struct compare_pair *pair)
{
	static const char *const loops[] = {[ANIM_LOOP_NONE] = "played once",
					    [ANIM_LOOP_WRAP] = "looping",
					    [ANIM_LOOP_PINGPONG] = "playing back and forth"};
	struct anim_print *print = &report->print;
	const struct anim_clip *a, *b;
	const char *name;

	if (report->options->quiet && !pair->differs)
		return;
	/* "walk", or "walk against run" */
	a = pair->clips.heads[0];
	b = pair->clips.heads[1];
	name = safe(report, pair->clips.heads[a == NULL]->name);
	anim_print_texts(&report->print, report->options->color ? BOLD : "", *name == '\0' ? "(no name)" : name,
			 report->options->color ? PLAIN : "");
	if (a != NULL && b != NULL && strcmp(a->name, b->name) != 0)
		anim_print_texts(&report->print, " against ", safe(report, b->name));
	anim_print_text(&report->print, ": ");
	if (pair->clips.heads[0] == NULL || pair->clips.heads[1] == NULL) {
		anim_print_texts(print, "only in ", safe(report, report->options->names[pair->clips.heads[0] == NULL]),
				 "\n");
		return;
	}
	if (pair->clips.lengths_differ)
		anim_print_texts(print, safe_number(report, length_of(pair->clips.heads[0]), "s"), " against ",
				 safe_number(report, length_of(pair->clips.heads[1]), "s, "));
	if (pair->clips.loops_differ)
		anim_print_texts(print, loops[pair->clips.heads[0]->loop], " against ",
				 loops[pair->clips.heads[1]->loop], ", ");
	if (rates_differ(a, b))
		anim_print_texts(print, safe_number(report, rate_of(a), "fps"), " against ",
				 safe_number(report, rate_of(b), "fps, "));

	const uint64_t *counts = pair->statuses;
	uint64_t differ = counts[COMPARE_DIFFERS] + counts[COMPARE_TYPES];

	print_count(print, counts[COMPARE_SAME] + counts[COMPARE_WITHIN] + differ, " track compared",
		    " tracks compared");
	if (counts[COMPARE_WITHIN] > 0) {
		anim_print_text(print, ", ");
		print_count(print, counts[COMPARE_WITHIN], " off within its limit", " off within their limits");
	}
	if (differ > 0) {
		anim_print_text(print, ", ");
		print_count(print, differ, " differs", " differ");
	}
	print_only(report, counts[COMPARE_ONLY_A], 0);
	print_only(report, counts[COMPARE_ONLY_B], 1);

	anim_print_text(print, "\n");

	/*
	 * Go through the rows twice: once for the widths, then to print. The texts of a row are built twice rather than
	 * kept.
	 */
	size_t widths[COLUMNS] = {0}, shown = 0;
	struct cells cells, top = heading;
	const char *style;

	for (size_t i = 0; i < pair->count; i++) {
		if (!is_shown(report, &pair->rows[i]))
			continue;
		fill(report, &pair->rows[i], &cells);
		text_widen(widths, cells.text, COLUMNS);
		anim_arena_reset(&report->scratch);
		shown++;
	}
	if (shown != 0) {
		for (int i = 0; i < COLUMNS; i++)
			top.text[i] = widths[i] == 0 ? "" : top.text[i];
		text_widen(widths, top.text, COLUMNS);
		print_cells(report, &top, widths, BOLD);
		for (size_t i = 0; i < pair->count; i++) {
			if (!is_shown(report, &pair->rows[i]))
				continue;
			fill(report, &pair->rows[i], &cells);
			style = pair->rows[i].status > COMPARE_WITHIN ? RED : "";
			if (pair->rows[i].status == COMPARE_ONLY_A || pair->rows[i].status == COMPARE_ONLY_B)
				style = YELLOW;
			print_cells(report, &cells, widths, style);
			anim_arena_reset(&report->scratch);
		}
	}

	anim_arena_reset(&report->scratch);
}

static void begin(struct compare_report *report)
{
	(void)report;
}

/* Print the largest error of each unit over all clips. */
static void end(struct compare_report *report)
{
	struct anim_print *print = &report->print;

	for (int unit = 0; unit < ANIM_UNIT_COUNT; unit++) {
		if (!report->sums.worst[unit].there || (report->options->quiet && !report->sums.differ))
			continue;
		anim_print_texts(print,
				 "worst: ", safe_number(report, report->sums.worst[unit].error, anim_unit_names[unit]),
				 ", ", safe(report, (const char *)report->sums.worst[unit].track.data), " at ",
				 safe_number(report, report->sums.worst[unit].at_s, "s"));
		if (report->sums.clips > 1)
			anim_print_texts(print, " of ", safe(report, (const char *)report->sums.worst[unit].clip.data));
		anim_print_text(print, "\n");
	}
}

const struct compare_form compare_table = {begin, on_pair, end};

/* --- The result of anim-diff as one JSON document --- */

/* Print the first member of an object. */
static void first_text(struct anim_print *print, const char *before, const char *text)
{
	anim_print_text(print, before);
	anim_print_json_text(print, text);
}

static void json_begin(struct compare_report *report)
{
	first_text(&report->print, "{\"a\":", report->options->names[0]);
	anim_print_text_member(&report->print, "b", report->options->names[1]);
	anim_print_member(&report->print, "clips");
	anim_print_text(&report->print, "[");
}

/* Print {"node":..,"property":..,"component":..}, or null without a track. */
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
	anim_print_natural_member(print, "component", component != ANIM_WHOLE, component);
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
	anim_print_number_member(print, "start", (double)head->start_s, false);
	anim_print_number_member(print, "end", (double)head->end_s, false);
	anim_print_text_member(print, "loop", anim_loop_names[head->loop]);
	anim_print_text(print, "}");
}

static void json_pair(struct compare_report *report, const struct compare_pair *pair)
{
	struct anim_print *print = &report->print;

	anim_print_text(print, report->pairs++ > 0 ? ",\n{\"a\":" : "\n{\"a\":");
	print_head(print, pair->clips.heads[0]);
	anim_print_member(print, "b");
	print_head(print, pair->clips.heads[1]);
	anim_print_bool_member(print, "differs", pair->differs);
	anim_print_bool_member(print, "lengths_differ", pair->clips.lengths_differ);
	anim_print_bool_member(print, "loops_differ", pair->clips.loops_differ);
	anim_print_bool_member(print, "rates_differ",
			       pair->clips.heads[0] != NULL && pair->clips.heads[1] != NULL &&
				   rates_differ(pair->clips.heads[0], pair->clips.heads[1]));
	anim_print_member(print, "tracks");
	anim_print_text(print, "[");
	for (size_t i = 0; i < pair->count; i++) {
		anim_print_text(print, i > 0 ? ",\n" : "\n");

		const struct compare_row *row = &pair->rows[i];
		bool measured = row->status <= COMPARE_DIFFERS;

		first_text(print, "{\"status\":", compare_status_names[row->status]);
		anim_print_member(print, "a");
		print_item(print, row->items[0]);
		anim_print_member(print, "b");
		print_item(print, row->items[1]);
		if (measured) {
			anim_print_text_member(print, "unit", anim_unit_names[row->unit]);
			anim_print_number_member(print, "largest", row->worst, false);
			anim_print_number_member(print, "rms", row->rms, false);
			anim_print_number_member(print, "at", row->at_s, false);
			anim_print_number_member(print, "limit", row->limit, false);
			if (row->limit > 0 && row->worst > row->limit)
				anim_print_number_member(print, "exceeded_s", row->beyond_s, false);
		}
		anim_print_text_member(print, "note", row->note == NULL ? NULL : remark_of(report, row));
		anim_print_text(print, "}");
	}
	anim_print_text(print, "]}");
}

static void json_end(struct compare_report *report)
{
	struct anim_print *print = &report->print;
	const char *before = "[{\"unit\":";

	anim_print_text(print, "]");
	anim_print_member(print, "worst");
	for (int unit = 0; unit < ANIM_UNIT_COUNT; unit++) {
		if (!report->sums.worst[unit].there)
			continue;
		first_text(print, before, anim_unit_names[unit]);
		anim_print_number_member(print, "largest", report->sums.worst[unit].error, false);
		anim_print_number_member(print, "at", report->sums.worst[unit].at_s, false);
		anim_print_text_member(print, "clip", (const char *)report->sums.worst[unit].clip.data);
		anim_print_text_member(print, "track", (const char *)report->sums.worst[unit].track.data);
		anim_print_text(print, "}");
		before = ",{\"unit\":";
	}
	anim_print_text(print, *before == '[' ? "[]" : "]");
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

const struct compare_form compare_json = {json_begin, json_pair, json_end};
