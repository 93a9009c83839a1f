/* compare.c: compares two inputs clip by clip, and prints the result. */
#include "filter/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "filter/clips.h"
#include "filter/compare/internal.h"
#include "filter/filter.h"
#include "filter/summary.h"

/* ======== Printing ======== */

/* --- The result of anim-diff as aligned rows for people --- */

enum column { NODE, PROPERTY, LARGEST, RMS, AT, LIMIT, BEYOND, NOTES, COLUMNS };

#define BOLD "\033[1m"
#define RED "\033[31m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

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

static const char *note_of(struct compare_report *report, const struct compare_row *row)
{
	const struct compare_item *a = row->items[0], *b = row->items[1];
	bool other_node, other_property;

	if (a == NULL || b == NULL)
		return joined(report, "only in ", safe(report, report->options->names[a == NULL]));
	other_node = strcmp(a->node, b->node) != 0;
	other_property = strcmp(a->property, b->property) != 0;
	if (row->note != NULL || (!other_node && !other_property))
		return row->note == NULL ? "" : safe(report, row->note);
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

static const char *style_of(const struct compare_row *row)
{
	if (row->status == COMPARE_ONLY_A || row->status == COMPARE_ONLY_B)
		return YELLOW;
	return row->status > COMPARE_WITHIN ? RED : "";
}

/*
 * Go through the rows twice: once for the widths, then to print. The texts of a row are built twice rather than
 * kept.
 */
static void print_rows(struct compare_report *report, const struct compare_pair *pair)
{
	size_t widths[COLUMNS] = {0}, shown = 0;
	struct cells cells, top = heading;

	for (size_t i = 0; i < pair->count; i++) {
		if (!is_shown(report, &pair->rows[i]))
			continue;
		fill(report, &pair->rows[i], &cells);
		text_widen(widths, cells.text, COLUMNS);
		anim_arena_reset(&report->scratch);
		shown++;
	}
	if (shown == 0)
		return;
	for (int i = 0; i < COLUMNS; i++)
		top.text[i] = widths[i] == 0 ? "" : top.text[i];
	text_widen(widths, top.text, COLUMNS);
	print_cells(report, &top, widths, BOLD);
	for (size_t i = 0; i < pair->count; i++) {
		if (!is_shown(report, &pair->rows[i]))
			continue;
		fill(report, &pair->rows[i], &cells);
		print_cells(report, &cells, widths, style_of(&pair->rows[i]));
		anim_arena_reset(&report->scratch);
	}
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

static void print_counts(struct compare_report *report, const uint64_t counts[COMPARE_STATUS_COUNT])
{
	struct anim_print *print = &report->print;
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
}

static double length_of(const struct anim_clip *clip)
{
	return (double)clip->end_s - (double)clip->start_s;
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
	print_counts(report, pair->statuses);
	anim_print_text(print, "\n");
	print_rows(report, pair);
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
		anim_print_number_member(print, "largest", row->worst, false);
		anim_print_number_member(print, "rms", row->rms, false);
		anim_print_number_member(print, "at", row->at_s, false);
		anim_print_number_member(print, "limit", row->limit, false);
		if (row->limit > 0 && row->worst > row->limit)
			anim_print_number_member(print, "exceeded_s", row->beyond_s, false);
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
	anim_print_member(print, "tracks");
	anim_print_text(print, "[");
	for (size_t i = 0; i < pair->count; i++) {
		anim_print_text(print, i > 0 ? ",\n" : "\n");
		print_row(print, &pair->rows[i]);
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

/* ======== Two inputs and the pairs of their clips ======== */

struct compare_clip {
	size_t tree, first; /* number of its tree from 1 on, 0: none; index of its first track in `kinds` */
};

/* --- One of two inputs, kept in a store, and its clips as they are compared --- */

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct compare_side *side = (struct compare_side *)sink;
	const char *name = anim_arena_text(&side->arena, tree->root_name, strlen(tree->root_name), error);

	if (name == NULL || anim_buffer_append(&side->roots, &name, sizeof name, error) != 0)
		return -1;
	return anim_sink_tree(anim_store_sink(side->store), tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(anim_store_sink(((struct compare_side *)sink)->store), node, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct compare_side *side = (struct compare_side *)sink;
	bool in_tree = (clip->flags & ANIM_IN_TREE) != 0;
	struct compare_clip entry = {.tree = in_tree ? side->roots.size / sizeof(const char *) : 0,
				     .first = side->kinds.size / sizeof(const char *)};

	side->bare_names = strcmp(clip->source, "animj") == 0 || strcmp(clip->source, "animx") == 0;
	if (anim_buffer_append(&side->clips, &entry, sizeof entry, error) != 0)
		return -1;
	return anim_sink_clip(anim_store_sink(side->store), clip, error);
}

/* Return the Unity component and script, which distinguish two properties with the same name. */
static const char *kind_of(struct compare_side *side, const struct anim_track *track, struct anim_error *error)
{
	const char *class = anim_attrs_get(&track->attrs, "unity.class");
	const char *script = anim_attrs_get(&track->attrs, "unity.script");

	if ((class == NULL || *class == '\0') && (script == NULL || *script == '\0'))
		return "";
	return anim_arena_printf(&side->arena, error, "%s %s", class == NULL ? "" : class,
				 script == NULL ? "" : script);
}

/*
 * Restore the name and component of a track. "RootT.x" is component x of RootT in formats whose readers know
 * components, and a plain name in the others. "field:" is a remainder of the model's names in Resonite files of
 * `anim-emit --names source`: the reader takes "position" for a field with that name. "Euler.y" is the name that
 * writers for Resonite give to a component of Euler angles.
 */
static int restore_name(struct compare_side *side, struct anim_track *track, struct anim_error *error)
{
	static const char letters[] = "xyzwrgba", field[] = "field:";
	size_t length;
	const char *letter;

	if (side->bare_names && strncmp(track->property, field, sizeof field - 1) == 0) {
		track->property += sizeof field - 1;
		track->record = NULL;
	}
	length = strlen(track->property);
	if (track->component != ANIM_WHOLE || anim_types[track->type].components != 1 || track->type == ANIM_STRING ||
	    length < 3 || track->property[length - 2] != '.' || strncmp(track->property, "blend_shape/", 12) == 0)
		return 0;
	if ((letter = strchr(letters, track->property[length - 1])) == NULL)
		return 0;
	track->component = (uint8_t)((letter - letters) % 4);
	track->property = anim_arena_text(&side->arena, track->property, length - 2, error);
	track->record = NULL;
	if (side->bare_names && track->property != NULL && strcmp(track->property, "Euler") == 0)
		track->property = "euler";
	return track->property == NULL ? -1 : 0;
}

/* Store a track, except disabled ones, which are not played, and those without keys, which have no values. */
static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct compare_side *side = (struct compare_side *)sink;
	struct anim_track out = *track;
	const char *kind;

	if ((track->flags & ANIM_DISABLED) || track->n == 0)
		return 0;
	if (restore_name(side, &out, error) != 0 || (kind = kind_of(side, track, error)) == NULL ||
	    anim_buffer_append(&side->kinds, &kind, sizeof kind, error) != 0)
		return -1;
	return anim_sink_track(anim_store_sink(side->store), &out, error);
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	return anim_sink_end(anim_store_sink(((struct compare_side *)sink)->store), error);
}

static void on_free(struct anim_sink *sink)
{
	(void)sink;
}

/* Initialise a side. Returns 0 or -1. The side must be cleared in both cases. */
static int compare_side_init(struct compare_side *side, size_t store_memory, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, NULL, on_end, on_free};

	memset(side, 0, sizeof *side);
	side->sink.ops = &ops;
	side->store = anim_store_new(store_memory, error);
	return side->store == NULL ? -1 : 0;
}

static void compare_side_clear(struct compare_side *side)
{
	anim_store_free(side->store);
	anim_rests_clear(&side->rests);
	anim_arena_clear(&side->arena);
	anim_buffer_clear(&side->clips);
	anim_buffer_clear(&side->kinds);
	anim_buffer_clear(&side->roots);
	memset(side, 0, sizeof *side);
}

static const struct compare_clip *clip_of(const struct compare_side *side, size_t clip)
{
	return (const struct compare_clip *)(const void *)side->clips.data + clip;
}

/* Load the rest poses of a tree, or none for 0. Clips of one tree share them. Returns 0 or -1. */
static int load_rests(struct compare_side *side, size_t tree, struct anim_error *error)
{
	struct anim_sink *sink;
	int result;

	if (tree == side->rests_tree)
		return 0;
	anim_rests_clear(&side->rests);
	side->rests_tree = 0;
	if (tree == 0)
		return 0;
	sink = anim_rests_sink_new(&side->rests, error);
	if (sink == NULL)
		return -1;
	result = anim_store_replay_tree(side->store, tree - 1, sink, error);
	anim_sink_free(sink);
	side->rests_tree = result == 0 ? tree : 0;
	return result;
}

/* The sink after anim-axes. It passes the tree and the current clip to different sides. */
static int keep_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	return anim_sink_tree(&((struct compare_conversion *)sink)->trees.sink, tree, error);
}

static int keep_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	return anim_sink_node(&((struct compare_conversion *)sink)->trees.sink, node, error);
}

static int keep_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_sink_clip(&((struct compare_conversion *)sink)->clip.sink, clip, error);
}

static int keep_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	return anim_sink_track(&((struct compare_conversion *)sink)->clip.sink, track, error);
}

/* A sink before anim-axes. Tracks that must not be converted bypass it. Its free function does nothing. */
struct passing {
	struct anim_sink sink, *axes, *past;
	const uint8_t *stays; /* for each track; NULL: all tracks are converted */
	size_t number;        /* of the next track */
};

static int pass_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return anim_sink_clip(((struct passing *)sink)->axes, clip, error);
}

static int pass_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct passing *passing = (struct passing *)sink;
	bool stays = passing->stays != NULL && passing->stays[passing->number];

	passing->number++;
	return anim_sink_track(stays ? passing->past : passing->axes, track, error);
}

/*
 * Mark the positions with three components. Single components of Godot do not say whether they belong to two or
 * three dimensions, and anim-axes sees one at a time. A position with a third component is not flat.
 */
static int find_spatial(struct compare_view *view, const uint8_t **stays, struct anim_error *error)
{
	size_t count, tracks = anim_store_tracks(view->side->store, view->clip);
	const struct compare_item *items = compare_items(view, &count);
	uint8_t *marks = anim_arena_zeroed(&view->arena, tracks + 1, sizeof *marks, error);

	if (marks == NULL)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (!items[i].joined || items[i].tracks[2] == COMPARE_NO_TRACK ||
		    strcmp(items[i].property, "position") != 0)
			continue;
		for (unsigned component = 0; component < ANIM_COMPONENTS_JOINED; component++)
			if (items[i].tracks[component] != COMPARE_NO_TRACK)
				marks[items[i].tracks[component]] = 1;
	}
	*stays = marks;
	return 0;
}

struct compare_item *compare_items(const struct compare_view *view, size_t *count)
{
	*count = view->items.size / sizeof(struct compare_item);
	return (struct compare_item *)(void *)view->items.data;
}

/* Return the item of the component's value if it has room for the component, otherwise COMPARE_NONE. */
static size_t item_of_component(const struct compare_view *view, const struct anim_map *map, const char *key,
				size_t length, uint8_t component)
{
	size_t count;
	struct compare_item *items = compare_items(view, &count);
	uint32_t number;

	if (!anim_map_get(map, 0, key, length, &number) || items[number].tracks[component] != COMPARE_NO_TRACK)
		return COMPARE_NONE;
	return number;
}

static int add_track(struct compare_view *view, struct anim_map *map, size_t number, struct anim_error *error)
{
	const struct anim_store_track *track = anim_store_track_at(view->side->store, view->clip, number);
	size_t first = clip_of(view->side, view->clip)->first, count, length, at;
	struct compare_item item = {.node = track->node,
				    .property = track->property,
				    .kind = ((const char *const *)(const void *)view->side->kinds.data)[first + number],
				    .tracks = {(uint32_t)number, COMPARE_NO_TRACK, COMPARE_NO_TRACK, COMPARE_NO_TRACK},
				    .component = ANIM_WHOLE,
				    .bone = track->bone};
	struct compare_item *items = compare_items(view, &count);
	const char *key;

	if (track->component >= ANIM_COMPONENTS_JOINED || track->type == ANIM_STRING) {
		item.component = track->component;
		return anim_buffer_append(&view->items, &item, sizeof item, error);
	}
	key =
	    anim_key_join(&view->arena, (const char *const[]){item.node, item.property, item.kind}, 3, &length, error);
	if (key == NULL)
		return -1;
	at = item_of_component(view, map, key, length, track->component);
	if (at != COMPARE_NONE) {
		items[at].tracks[track->component] = (uint32_t)number;
		return 0;
	}
	item.joined = true;
	item.tracks[0] = COMPARE_NO_TRACK;
	item.tracks[track->component] = (uint32_t)number;
	if (anim_map_put(map, 0, key, length, (uint32_t)count, error) != 0)
		return -1;
	return anim_buffer_append(&view->items, &item, sizeof item, error);
}

/* Set the tree to which the clip belongs, or 0 for none. Returns 0 or -1. */
static int set_tree(struct compare_view *view, struct compare_side *trees, size_t tree, struct anim_error *error)
{
	view->trees = trees;
	view->tree = tree;
	view->root_name = tree == 0 ? NULL : ((const char *const *)(const void *)trees->roots.data)[tree - 1];
	view->rests = &trees->rests;
	return load_rests(trees, tree, error);
}

int compare_view_open(struct compare_view *view, struct compare_side *side, size_t clip, struct anim_error *error)
{
	size_t tracks = anim_store_tracks(side->store, clip);
	struct anim_map map = {0};
	int result;

	memset(view, 0, sizeof *view);
	view->side = side;
	view->clip = clip;
	view->head = anim_store_clip(side->store, clip);
	result = set_tree(view, side, clip_of(side, clip)->tree, error);
	if (result == 0) /* most items have one track */
		result = anim_buffer_reserve(&view->items, tracks * sizeof(struct compare_item), error);
	for (size_t i = 0; i < tracks && result == 0; i++)
		result = add_track(view, &map, i, error);
	anim_map_clear(&map);
	return result;
}

static void compare_view_clear(struct compare_view *view)
{
	anim_buffer_clear(&view->items);
	anim_buffer_clear(&view->partners);
	anim_buffer_clear(&view->placed);
	anim_arena_clear(&view->arena);
}

static bool conversion_fits(const struct compare_conversion *conversion, const struct compare_view *view,
			    const struct anim_axes_options *options)
{
	return conversion->axes != NULL && conversion->from == view->trees && conversion->tree == view->tree &&
	       conversion->options.from == options->from && conversion->options.target == options->target &&
	       conversion->options.from2d == options->from2d && conversion->options.target2d == options->target2d;
}

static int conversion_begin(struct compare_conversion *conversion, const struct compare_view *view,
			    const struct anim_axes_options *options, size_t store_memory, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {keep_tree, keep_node, keep_clip, keep_track, NULL, NULL, on_free};

	*conversion = (struct compare_conversion){
	    .sink = {&ops}, .options = *options, .from = view->trees, .tree = view->tree, .store_memory = store_memory};
	if (compare_side_init(&conversion->trees, store_memory, error) != 0)
		return -1;
	conversion->axes = anim_axes_new(options, &conversion->sink, error);
	if (conversion->axes == NULL || conversion->tree == 0)
		return conversion->axes == NULL ? -1 : 0;
	return anim_store_replay_tree(view->trees->store, conversion->tree - 1, conversion->axes, error);
}

static void compare_conversion_clear(struct compare_conversion *conversion)
{
	anim_sink_free(conversion->axes);
	conversion->axes = NULL;
	compare_side_clear(&conversion->trees);
	compare_side_clear(&conversion->clip);
}

static int conversion_end(struct compare_conversion *conversion, struct anim_error *error)
{
	int result = conversion->axes == NULL ? 0 : anim_sink_end(conversion->axes, error);

	compare_conversion_clear(conversion);
	return result;
}

static int convert_view(struct compare_view *view, struct compare_conversion *conversion, struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.clip = pass_clip, .track = pass_track, .free = on_free};
	struct passing passing = {.sink = {&ops}, .axes = conversion->axes, .past = &conversion->sink};

	compare_side_clear(&conversion->clip);
	if (conversion->options.target2d != ANIM_AXES2D_UNKNOWN && find_spatial(view, &passing.stays, error) != 0)
		return -1;
	if (compare_side_init(&conversion->clip, conversion->store_memory, error) != 0 ||
	    anim_store_replay(view->side->store, view->clip, NULL, &passing.sink, error) != 0)
		return -1;
	compare_view_clear(view);
	if (compare_view_open(view, &conversion->clip, 0, error) != 0)
		return -1;
	return set_tree(view, &conversion->trees, conversion->tree == 0 ? 0 : 1, error);
}

/*
 * Choose the conversion of a side that brings both sides to the same axes. If only one side has a tree, that side is
 * converted.
 */
static bool choose_axes(const struct anim_compare *c, const struct compare_view *views, int side, bool flat,
			struct anim_axes_options *axes)
{
	const struct anim_clip *own = views[side].head, *other = views[!side].head;
	bool trees[2] = {views[0].root_name != NULL, views[1].root_name != NULL};
	int converted = trees[0] && !trees[1] ? 0 : 1;

	*axes = (struct anim_axes_options){.mirror = c->options.mirror,
					   .ppu = c->options.ppu,
					   .diagnostics = c->options.diagnostics,
					   .from = (enum anim_axes)own->axes,
					   .from2d = (enum anim_axes2d)own->axes2d};
	if (c->options.axes_keep)
		return false;
	axes->target = flat ? ANIM_AXES_UNKNOWN : (enum anim_axes)other->axes;
	axes->target2d = flat ? (enum anim_axes2d)other->axes2d : ANIM_AXES2D_UNKNOWN;
	if (flat) /* only the trees of Godot say which nodes are two-dimensional */
		return own->axes2d == ANIM_AXES2D_GODOT && other->axes2d == ANIM_AXES2D_UNITY;
	return side == converted && anim_axes_differ((enum anim_axes)own->axes, (enum anim_axes)other->axes);
}

/* Replace the clip of a view by the converted clip if the axes require it. Returns 0 or -1. */
int compare_convert_axes(struct anim_compare *c, struct compare_view views[2], int side, bool flat,
			 struct anim_error *error)
{
	struct compare_conversion *conversions = c->conversions[side];
	struct compare_view *view = &views[side];
	struct anim_axes_options axes;

	if (!choose_axes(c, views, side, flat, &axes))
		return 0;
	if (!conversion_fits(&conversions[flat], view, &axes)) {
		for (int i = flat; i < 2; i++) /* the tree of the second conversion may be the output of the first */
			if (conversion_end(&conversions[i], error) != 0)
				return -1;
		compare_world_forget(c->world);
		if (conversion_begin(&conversions[flat], view, &axes, c->options.store_memory, error) != 0)
			return -1;
	}
	return convert_view(view, &conversions[flat], error);
}

/* --- The pairs of clips of two inputs --- */

static const struct anim_clip *clip_at(const struct anim_compare *c, int side, size_t clip)
{
	return anim_store_clip(c->sides[side].store, clip);
}

static size_t clips_of(const struct anim_compare *c, int side)
{
	return anim_store_clips(c->sides[side].store);
}

/*
 * The rounds in which clips are matched: by name and player, then by name. "walk" also matches "lib/walk" if no
 * other clip is called exactly so, because formats with one clip per file do not keep the library.
 */
enum naming { NAMING_PLAYER, NAMING_NAME, NAMING_LIBRARY_FIRST, NAMING_LIBRARY_SECOND, NAMINGS };

struct naming_round {
	const struct anim_compare *c;
	unsigned naming;
};

static int key_of(void *context, int side, size_t number, struct anim_arena *keys, const char **key, size_t *length,
		  struct anim_error *error)
{
	const struct naming_round *round = context;
	const struct anim_clip *clip = clip_at(round->c, side, number);
	const char *player = anim_attrs_get(&clip->attrs, "player"), *slash = strrchr(clip->name, '/');

	*key = clip->name;
	*length = strlen(*key) + 1;
	if (round->naming == NAMING_NAME)
		return 1;
	if (round->naming != NAMING_PLAYER) {
		bool has_library = (round->naming == NAMING_LIBRARY_FIRST) == (side == 0);

		*key = has_library && slash != NULL ? slash + 1 : clip->name;
		*length = strlen(*key) + 1;
		return has_library == (slash != NULL);
	}
	*key = anim_key_join(keys, (const char *const[]){clip->name, player}, player == NULL ? 1 : 2, length, error);
	return *key == NULL ? -1 : 1;
}

/* Return whether a clip counts. RESET counts only if it is the only clip, or if all clips are requested. */
static bool counts_beside(const struct anim_compare *c, int side, size_t clip)
{
	return c->options.all_clips || clips_of(c, side) == 1 || !anim_clip_is_reset(clip_at(c, side, clip));
}

/* Return the number of clips that count, and the last of them. */
static size_t counting(const struct anim_compare *c, int side, size_t *the_one)
{
	size_t count = 0, all = clips_of(c, side);

	*the_one = 0;
	for (size_t i = 0; i < all; i++) {
		if (!counts_beside(c, side, i))
			continue;
		count++;
		*the_one = i;
	}
	return count;
}

static int add_couple(struct anim_compare *c, size_t a, size_t b, struct anim_error *error)
{
	const struct couple couple = {{a, b}};

	return anim_buffer_append(&c->couples, &couple, sizeof couple, error);
}

/* Report a single clip if none of the several clips on the other side has its name. */
static int refuse_lone(const struct anim_compare *c, int lone, size_t clip, struct anim_error *error)
{
	struct anim_clip_names names = {.count = 0};
	char list[240];

	for (size_t i = 0; i < clips_of(c, !lone); i++)
		anim_clip_names_add(&names, clip_at(c, !lone, i));
	anim_clip_names_print(&names, NULL, list, sizeof list);
	return anim_fail(error, ANIM_BAD_INPUT,
			 "%s has only the clip '%.80s', and %s has no clip with that name, but has %s. Select a clip "
			 "with -c, or use --all-clips",
			 c->options.names[lone], clip_at(c, lone, clip)->name, c->options.names[!lone], list);
}

/*
 * Add the clips without a namesake. RESET does not count beside others. If one clip of a side was matched and it is
 * the only one there, the other clips of the other side do not count.
 */
static int couple_rest(struct anim_compare *c, size_t *const partners[2], struct anim_error *error)
{
	size_t one[2], counts[2] = {counting(c, 0, &one[0]), counting(c, 1, &one[1])};
	bool all = c->options.all_clips, found[2];

	for (int side = 0; side < 2; side++)
		found[side] = counts[side] == 1 && partners[side][one[side]] != COMPARE_NONE;
	if (!all && (found[0] || found[1]))
		return 0;
	if (counts[0] == 1 && counts[1] == 1 && !found[0] && !found[1])
		return add_couple(c, one[0], one[1], error);
	for (int side = 0; side < 2 && !all; side++)
		if (counts[side] == 1 && counts[!side] > 1)
			return refuse_lone(c, side, one[side], error);
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < clips_of(c, side); i++) {
			if (partners[side][i] != COMPARE_NONE || !counts_beside(c, side, i))
				continue;
			if (add_couple(c, side == 0 ? i : COMPARE_NONE, side == 0 ? COMPARE_NONE : i, error) != 0)
				return -1;
		}
	}
	return 0;
}

static int couple_namesakes(struct anim_compare *c, struct compare_pairing *p, struct anim_error *error)
{
	struct naming_round *round = p->context;

	for (round->naming = 0; round->naming < NAMINGS; round->naming++) {
		if (round->naming == NAMING_NAME) /* clips with the same name and player differ only in their order */
			p->guesses = 0;
		if (compare_pair_up(p, error) != 0)
			return -1;
	}
	if (p->guesses > 0 &&
	    anim_diagnostics_warn(
		c->options.diagnostics, NULL, error,
		"%zu %s several others, and these were matched in order. Select one with -c PLAYER:NAME", p->guesses,
		p->guesses == 1 ? "clip's name matches" : "clips' names match") != 0)
		return -1;
	for (size_t i = 0; i < p->counts[0]; i++)
		if (p->partners[0][i] != COMPARE_NONE && add_couple(c, i, p->partners[0][i], error) != 0)
			return -1;
	return 0;
}

/* Fill `couples`. Returns 0, or -1 if the only clip of one side has no namesake among several. */
static int compare_couple_clips(struct anim_compare *c, struct anim_error *error)
{
	struct naming_round round = {.c = c};
	struct compare_pairing pairing = {.counts = {clips_of(c, 0), clips_of(c, 1)}, .key = key_of, .context = &round};
	int result = 0;

	for (int side = 0; side < 2 && result == 0; side++) {
		pairing.partners[side] = malloc((pairing.counts[side] + 1) * sizeof(size_t));
		if (pairing.partners[side] == NULL)
			result = anim_fail_memory(error);
		for (size_t i = 0; i < pairing.counts[side] && result == 0; i++)
			pairing.partners[side][i] = COMPARE_NONE;
	}
	if (result == 0)
		result = couple_namesakes(c, &pairing, error);
	if (result == 0)
		result = couple_rest(c, pairing.partners, error);
	free(pairing.partners[0]);
	free(pairing.partners[1]);
	return result;
}

/* --- The comparison: match the clips of two inputs, compare their tracks, and print the result --- */

const char *const compare_status_names[COMPARE_STATUS_COUNT] = {"same",  "within", "differs",
								"types", "only-a", "only-b"};

struct anim_compare *anim_compare_new(const struct anim_compare_options *options, struct anim_error *error)
{
	struct anim_compare *c = anim_zeroed(sizeof *c, error);

	if (c == NULL)
		return NULL;
	c->options = *options;
	c->measure.rate_num = options->rate_num;
	c->measure.rate_den = options->rate_den;
	for (int i = 0; i < 2; i++) {
		if (compare_side_init(&c->sides[i], options->store_memory, error) == 0)
			continue;
		anim_compare_free(c);
		return NULL;
	}
	return c;
}

void anim_compare_free(struct anim_compare *c)
{
	if (c == NULL)
		return;
	for (int i = 0; i < 2; i++) {
		compare_side_clear(&c->sides[i]);
		for (int flat = 0; flat < 2; flat++)
			compare_conversion_clear(&c->conversions[i][flat]);
		anim_buffer_clear(&c->measure.breaks[i]);
	}
	anim_buffer_clear(&c->measure.times);
	compare_world_free(c->world);
	anim_buffer_clear(&c->couples);
	anim_buffer_clear(&c->rows);
	anim_arena_clear(&c->notes);
	free(c);
}

struct anim_sink *anim_compare_input(struct anim_compare *c, int side)
{
	return &c->sides[side].sink;
}

uint8_t compare_component(const struct compare_item *item)
{
	unsigned components = 0, component = 0;

	for (unsigned i = 0; i < ANIM_COMPONENTS_JOINED && item->joined; i++) {
		components += item->tracks[i] != COMPARE_NO_TRACK;
		component = item->tracks[i] != COMPARE_NO_TRACK ? i : component;
	}
	return components == 1 ? (uint8_t)component : item->component;
}

const char *compare_label(const struct compare_item *item, bool with_node, struct anim_arena *arena,
			  struct anim_error *error)
{
	return anim_label_copy(arena, with_node ? item->node : "", item->property, compare_component(item), error);
}

static int keep_text(struct anim_buffer *kept, const char *text, struct anim_error *error)
{
	kept->size = 0;
	return anim_buffer_append(kept, text, strlen(text) + 1, error);
}

static int keep_worst(struct compare_report *report, const struct compare_row *row, const char *clip,
		      struct anim_error *error)
{
	struct compare_sums *sums = &report->sums;
	const char *label;

	if (row->items[0] == NULL || row->items[1] == NULL || !(row->worst > sums->worst[row->unit].error))
		return 0;
	sums->worst[row->unit].there = true;
	sums->worst[row->unit].error = row->worst;
	sums->worst[row->unit].at_s = row->at_s;
	anim_arena_reset(&report->scratch);
	label = compare_label(row->items[0], true, &report->scratch, error);
	if (label == NULL || keep_text(&sums->worst[row->unit].clip, clip, error) != 0)
		return -1;
	return keep_text(&sums->worst[row->unit].track, label, error);
}

static int sum_up(struct compare_report *report, struct compare_pair *pair, struct anim_error *error)
{
	struct compare_sums *sums = &report->sums;

	pair->differs = pair->clips.lengths_differ;
	for (size_t i = 0; i < pair->count; i++) {
		pair->differs = pair->differs || pair->rows[i].status > COMPARE_WITHIN;
		if (keep_worst(report, &pair->rows[i], pair->clips.heads[0]->name, error) != 0)
			return -1;
	}
	for (int status = 0; status < COMPARE_STATUS_COUNT; status++)
		sums->tracks[status] += pair->statuses[status];
	for (int side = 0; side < 2; side++) {
		bool lone = pair->clips.heads[!side] == NULL;

		pair->differs = pair->differs || lone;
		sums->clips_only[side] += lone;
	}
	sums->clips += pair->clips.heads[0] != NULL && pair->clips.heads[1] != NULL;
	sums->differ = sums->differ || pair->differs;
	return 0;
}

static int compare_couple(struct anim_compare *c, const struct couple *couple, struct compare_report *report,
			  struct anim_error *error)
{
	const struct compare_form *form = c->options.json ? &compare_json : &compare_table;
	struct compare_pair pair = {.rows = NULL};
	struct compare_view views[2];
	int result = 0;

	memset(views, 0, sizeof views);
	pair.clips.couple = ++c->couple;
	if (couple->clips[0] != COMPARE_NONE && couple->clips[1] != COMPARE_NONE)
		result = compare_clips(c, couple, views, &pair, error);
	for (int i = 0; i < 2 && result == 0; i++)
		if (pair.clips.heads[i] == NULL && couple->clips[i] != COMPARE_NONE)
			pair.clips.heads[i] = anim_store_clip(c->sides[i].store, couple->clips[i]);
	if (result == 0 && (result = sum_up(report, &pair, error)) == 0) {
		form->pair(report, &pair);
		result = report->print.failed ? -1 : 0;
	}
	if (result == 0 && c->options.show_clips != NULL)
		result = c->options.show_clips(c->options.show_context, &pair.clips, error);
	for (int i = 0; i < 2; i++)
		compare_view_clear(&views[i]);
	return result;
}

int anim_compare_run(struct anim_compare *c, struct anim_output *out, bool *differ, struct anim_error *error)
{
	struct compare_report *report = anim_zeroed(sizeof *report, error);
	const struct compare_form *form = c->options.json ? &compare_json : &compare_table;
	int result;

	if (report == NULL)
		return -1;
	report->options = &c->options;
	report->print.out = out;
	report->print.error = error;
	form->begin(report);
	result = compare_couple_clips(c, error);
	for (size_t i = 0; i < c->couples.size / sizeof(struct couple) && result == 0; i++)
		result = compare_couple(c, (const struct couple *)(const void *)c->couples.data + i, report, error);
	for (int i = 0; i < 4 && result == 0; i++)
		result = conversion_end(&c->conversions[i % 2][i / 2], error);
	if (result == 0)
		form->end(report);
	*differ = report->sums.differ;
	result = report->print.failed ? -1 : result;
	anim_arena_clear(&report->scratch);
	for (int unit = 0; unit < ANIM_UNIT_COUNT; unit++) {
		anim_buffer_clear(&report->sums.worst[unit].clip);
		anim_buffer_clear(&report->sums.worst[unit].track);
	}
	free(report);
	return result;
}
