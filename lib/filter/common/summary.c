/* summary.c: the data of a track for one row of a list, and the width of texts. */
#include "filter/common/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "clip/keys.h"
#include "clip/track.h"

/* --- The number of terminal columns of a text --- */

struct range {
	uint32_t first, last;
};

/* Marks above the previous character, and joiners: approximately the Unicode 15 general categories Mn, Me and Cf. */
static const struct range combining[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C7},   {0x0610, 0x061A},
    {0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06DC}, {0x06DF, 0x06E4}, {0x06E7, 0x06ED},   {0x0900, 0x0902},
    {0x093A, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A},   {0x0E47, 0x0E4E},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x2060, 0x2064}, {0x20D0, 0x20FF},   {0x302A, 0x302D},
    {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0x1F3FB, 0x1F3FF}, {0xE0100, 0xE01EF},
};

/* East Asian Width W and F. */
static const struct range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
    {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};

static bool is_in(const struct range *ranges, size_t count, uint32_t code)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (code > ranges[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && code >= ranges[low].first;
}

size_t text_width(const char *text)
{
	size_t size = strlen(text), width = 0;
	const uint8_t *at = (const uint8_t *)text;

	while (size > 0) {
		uint32_t code = *at;
		size_t length = anim_utf8_decode(at, size, &code);

		length = length == 0 ? 1 : length;
		if (!is_in(combining, sizeof combining / sizeof *combining, code))
			width += is_in(wide, sizeof wide / sizeof *wide, code) ? 2 : 1;
		at += length;
		size -= length;
	}
	return width;
}

void text_widen(size_t *widths, const char *const *cells, int count)
{
	for (int i = 0; i < count; i++) {
		size_t width = text_width(cells[i]);

		width = width < TEXT_WIDEST ? width : TEXT_WIDEST;
		widths[i] = width > widths[i] ? width : widths[i];
	}
}

void text_print_cell(struct anim_print *print, const char *text, size_t width, bool right)
{
	size_t own = text_width(text), pad = width > own ? width - own : 0;

	anim_print_spaces(print, right ? pad : 0);
	anim_print_text(print, text);
	anim_print_spaces(print, right ? 0 : pad);
}

void text_of_number(char out[TEXT_NUMBER_MAX], double value, const char *unit)
{
	/* Print a number with at most four significant digits. */
	double scale = 1, rounded = value;

	if (value != 0 && fabs(value) < 1e4 && fabs(value) > 1e-15) {
		while (fabs(value) * scale < 1000)
			scale *= 10;
		rounded = rint(value * scale) / scale;
	}
	size_t length = anim_number_print_double(out, rounded);

	snprintf(out + length, TEXT_NUMBER_MAX - length, "%s%s", *unit == '\0' ? "" : " ", unit);
}

/* --- The ranges of a track's times and values --- */

/* Extend least..most by a finite value. The first value sets both. */
static void widen(double value, bool *has, double *least, double *most)
{
	if (!isfinite(value))
		return;
	if (!*has || value < *least)
		*least = value;
	if (!*has || value > *most)
		*most = value;
	*has = true;
}

void summary_of(const struct anim_track *track, struct summary *summary)
{
	bool sorted, has = track->type != ANIM_STRING;
	int interp = track->interp;
	size_t step;

	/* The size in the stream. The texts of strings begin at a multiple of 8 after their lengths. */
	const struct anim_type_info *info = &anim_types[track->type];
	unsigned present = anim_track_columns(track);
	const uint64_t sizes[ANIM_COLUMN_COUNT] = {
	    [ANIM_COLUMN_TIME] = 4,
	    [ANIM_COLUMN_VALUE] = track->type == ANIM_STRING ? 4 : info->size,
	    [ANIM_COLUMN_INTERP] = 1,
	    [ANIM_COLUMN_LEFT] = info->size,
	    [ANIM_COLUMN_RIGHT] = info->size,
	    [ANIM_COLUMN_LEFT_X] = 4u * info->components,
	    [ANIM_COLUMN_RIGHT_X] = 4u * info->components,
	    [ANIM_COLUMN_EASE] = 4,
	    [ANIM_COLUMN_WEIGHTED] = 1,
	    [ANIM_COLUMN_HINT] = 4,
	};
	uint64_t bytes = track->strings != NULL ? track->strings->bytes_size + 4 * (track->n % 2) : 0;

	for (unsigned i = 0; i < ANIM_COLUMN_COUNT; i++)
		bytes += (present >> i & 1) != 0 ? sizes[i] * track->n : 0;

	/* The mode of all keys, if they have one. Weighted keys without weights are Hermite keys. */
	if (interp == ANIM_WEIGHTED && track->weighted == NULL) {
		interp = ANIM_HERMITE;
	} else if (interp == ANIM_INTERP_COLUMN && track->n > 0) {
		interp = track->interps[0];
		for (size_t k = 1; k < track->n && interp != ANIM_INTERP_COLUMN; k++)
			interp = track->interps[k] == interp ? interp : ANIM_INTERP_COLUMN;
	}
	*summary = (struct summary){.interp = interp, .bytes = bytes};

	sorted = (track->flags & ANIM_UNSORTED) == 0;
	step = sorted && track->n > 1 ? track->n - 1 : 1;
	for (size_t k = 0; k < track->n; k += step)
		widen(anim_track_time(track, k), &summary->has_times, &summary->first_s, &summary->last_s);
	for (unsigned component = 0; component < info->components && has; component++) {
		has = false;
		for (size_t k = 0; k < track->n; k++)
			widen(anim_component(track->type, track->value, k, component), &has, &summary->least[component],
			      &summary->most[component]);
	}
	summary->has_range = has && info->components > 0;
	for (size_t k = 0; track->ease != NULL && k < track->n && !summary->eased; k++)
		summary->eased = track->ease[k] != 1;
}

const char *text_of_first(const struct anim_track *track, struct anim_arena *arena, struct anim_error *error)
{
	const char *text = "";

	for (unsigned i = 0; i < anim_types[track->type].components && text != NULL; i++) {
		char number[TEXT_NUMBER_MAX];

		text_of_number(number, anim_component(track->type, track->value, 0, i), "");
		text = anim_arena_printf(arena, error, "%s%s%s", text, i > 0 ? " " : "", number);
	}
	return text;
}
