/* spark.c: anim-info --spark: a line of blocks for each track. */
#include <string.h>

#include "clip/keys.h"
#include "filter/info/internal.h"
#include "filter/plot/plot.h"
#include "filter/select.h"

enum { NODE, PROPERTY, BLOCKS, VALUES, COLUMNS };

#define KEPT 1000 /* rows that are printed together: as wide as the widest of them, and of those before */

/* Blocks of a line: two parts in five of its width. */
static size_t blocks_of(const struct info *info)
{
	size_t count = info->options.width * 2u / 5;

	return count < ANIM_SPARK_MOST ? count : ANIM_SPARK_MOST;
}

static const char *draw(struct info *info, const struct anim_spark *spark, size_t count, struct anim_error *error)
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const letters[] = {" ", "_", ".", ":", "-", "=", "+", "*", "#"};
	char text[4 * ANIM_SPARK_MOST];
	size_t size = 0;

	for (size_t c = 0; c < count; c++) {
		const char *block = info->options.utf8 ? blocks[spark->levels[c]] : letters[spark->levels[c]];

		memcpy(text + size, block, strlen(block));
		size += strlen(block);
	}
	return anim_arena_text(&info->scratch, text, size, error);
}

/* "x 0 .. 1 m" */
static const char *range_text(struct info *info, const struct anim_spark *spark, struct anim_error *error)
{
	char least[TEXT_NUMBER_MAX], most[TEXT_NUMBER_MAX];

	text_of_number(least, spark->least, "");
	text_of_number(most, spark->most, spark->unit);
	return anim_arena_printf(&info->scratch, error, "%s%s%s .. %s", spark->lane, *spark->lane == '\0' ? "" : " ",
				 least, most);
}

/* The blocks and the values of a track; without a value for what cannot be played. 0 or -1. */
static int play(struct info *info, const struct anim_track *track, const char *cells[COLUMNS], struct anim_error *error)
{
	struct anim_spark spark;

	cells[BLOCKS] = "";
	cells[VALUES] = anim_plot_refusal(track);
	if (cells[VALUES] != NULL)
		return 0;
	if (anim_track_is_constant(track)) {
		cells[VALUES] = text_of_first(track, &info->scratch, error);
		return cells[VALUES] == NULL ? -1 : 0;
	}
	if (anim_spark(&info->posed, track, blocks_of(info), &spark, error) != 0) {
		if (error->code != ANIM_UNSUPPORTED)
			return -1;
		*error = (struct anim_error){0};
		cells[VALUES] = "not played";
		return 0;
	}
	cells[BLOCKS] = draw(info, &spark, blocks_of(info), error);
	cells[VALUES] = spark.least <= spark.most ? range_text(info, &spark, error) : "no value";
	return cells[BLOCKS] == NULL || cells[VALUES] == NULL ? -1 : 0;
}

/* The rows that are kept. */
static int flush(struct info *info, struct anim_error *error)
{
	const char *const *rows = (const char *const *)(const void *)info->rows.data;
	size_t count = info->rows.size / sizeof *rows;

	(void)error;
	for (size_t i = 0; i < count; i += COLUMNS)
		text_widen(info->widths, rows + i, VALUES);
	for (size_t i = 0; i < count; i += COLUMNS) {
		for (int cell = 0; cell < COLUMNS; cell++) {
			anim_print_text(&info->print, "  ");
			text_print_cell(&info->print, rows[i + (size_t)cell], cell == VALUES ? 0 : info->widths[cell],
					false);
		}
		anim_print_text(&info->print, "\n");
	}
	info->rows.size = 0;
	anim_arena_reset(&info->scratch);
	return info->print.failed ? -1 : 0;
}

static int spark_track(struct info *info, const struct anim_track *track, const struct summary *summary,
		       struct anim_error *error)
{
	const char **cells, *label;

	(void)summary;
	if (info->rows.size >= KEPT * COLUMNS * sizeof *cells && flush(info, error) != 0)
		return -1;
	cells = anim_buffer_extend(&info->rows, COLUMNS * sizeof *cells, error);
	if (cells == NULL)
		return -1;
	label = anim_label_copy(&info->scratch, "", track->property, track->component, error);
	cells[NODE] = anim_safe_copy(&info->scratch, track->node, error);
	cells[PROPERTY] = label == NULL ? NULL : anim_safe_copy(&info->scratch, label, error);
	if (cells[NODE] == NULL || cells[PROPERTY] == NULL)
		return -1;
	return play(info, track, cells, error);
}

static int spark_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	if (flush(info, error) != 0)
		return -1;
	memset(info->widths, 0, sizeof info->widths);
	if (info->clips > 1)
		anim_print_text(&info->print, "\n");
	if (info_print_clip(info, clip, error) != 0)
		return -1;
	anim_print_text(&info->print, "\n");
	anim_arena_reset(&info->posed_texts);
	return anim_clip_copy(&info->posed, clip, &info->posed_texts, error);
}

const struct info_form info_spark = {.clip = spark_clip, .track = spark_track, .end = flush};
