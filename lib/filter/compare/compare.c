/* compare.c: pairs the clips of two inputs, compares their tracks, and has what comes of it printed. */
#include "filter/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "filter/compare/internal.h"

const char *const compare_status_names[COMPARE_STATUS_COUNT] = {"same",  "within", "differs",
								"types", "only-a", "only-b"};

struct anim_compare *anim_compare_new(const struct anim_compare_options *options, struct anim_error *error)
{
	struct anim_compare *c = calloc(1, sizeof *c);

	if (c == NULL) {
		anim_fail_memory(error);
		return NULL;
	}
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
			compare_turn_clear(&c->turns[i][flat]);
		anim_buffer_clear(&c->measure.breaks[i]);
	}
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
	unsigned lanes = 0, lane = 0;

	for (unsigned i = 0; i < CONVERT_LANES && item->joined; i++) {
		lanes += item->tracks[i] != COMPARE_NONE;
		lane = item->tracks[i] != COMPARE_NONE ? i : lane;
	}
	return lanes == 1 ? (uint8_t)lane : item->component;
}

const char *compare_label(const struct compare_item *item, bool with_node, struct anim_arena *arena,
			  struct anim_error *error)
{
	const struct anim_track track = {
	    .node = with_node ? item->node : "", .property = item->property, .component = compare_component(item)};
	size_t length = anim_track_label(&track, NULL, 0);
	char *out = anim_arena_alloc(arena, length + 1, error);

	if (out != NULL)
		anim_track_label(&track, out, length + 1);
	return out;
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

	pair->differs = pair->lengths_differ;
	for (size_t i = 0; i < pair->count; i++) {
		pair->differs = pair->differs || pair->rows[i].status > COMPARE_WITHIN;
		sums->tracks[pair->rows[i].status]++;
		if (keep_worst(report, &pair->rows[i], pair->heads[0]->name, error) != 0)
			return -1;
	}
	for (int side = 0; side < 2; side++) {
		bool lone = pair->heads[!side] == NULL;

		pair->differs = pair->differs || lone;
		sums->clips_only[side] += lone;
	}
	sums->clips += pair->heads[0] != NULL && pair->heads[1] != NULL;
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
	if (couple->clips[0] != COMPARE_NONE && couple->clips[1] != COMPARE_NONE)
		result = compare_clips(c, couple, views, &pair, error);
	for (int i = 0; i < 2 && result == 0; i++)
		if (pair.heads[i] == NULL && couple->clips[i] != COMPARE_NONE)
			pair.heads[i] = anim_store_clip(c->sides[i].store, couple->clips[i]);
	if (result == 0 && (result = sum_up(report, &pair, error)) == 0) {
		form->pair(report, &pair);
		result = report->print.failed ? -1 : 0;
	}
	for (int i = 0; i < 2; i++)
		compare_view_clear(&views[i]);
	return result;
}

int anim_compare_run(struct anim_compare *c, struct anim_output *out, bool *differ, struct anim_error *error)
{
	struct compare_report *report = calloc(1, sizeof *report);
	const struct compare_form *form = c->options.json ? &compare_json : &compare_table;
	int result;

	if (report == NULL)
		return anim_fail_memory(error);
	report->options = &c->options;
	report->print.out = out;
	report->print.error = error;
	form->begin(report);
	result = compare_couple_clips(c, error);
	for (size_t i = 0; i < c->couples.size / sizeof(struct couple) && result == 0; i++)
		result = compare_couple(c, (const struct couple *)(const void *)c->couples.data + i, report, error);
	for (int i = 0; i < 4 && result == 0; i++)
		result = compare_turn_end(&c->turns[i % 2][i / 2], error);
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
