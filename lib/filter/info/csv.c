/* csv.c: anim-info --csv: a row for each track. */
#include <string.h>

#include "filter/info/form.h"

static const char head[] =
    "clip,player,node,property,component,type,kind,interp,rate,keys,first,last,min,max,bytes,flags,source\n";

static void cell(struct anim_print *print, const char *text)
{
	if (*text != '\0')
		anim_print_csv(print, text, strlen(text));
	anim_print_text(print, ",");
}

static void number_cell(struct anim_print *print, double value, bool single, bool there)
{
	if (there && single)
		anim_print_float(print, (float)value);
	else if (there)
		anim_print_double(print, value);
	anim_print_text(print, ",");
}

static void count_cell(struct anim_print *print, uint64_t count)
{
	anim_print_uint64(print, count);
	anim_print_text(print, ",");
}

/* What rows of the clip show of it as the rows of the clip begin. */
static int on_clip(struct info *info, const struct anim_clip *clip, struct anim_error *error)
{
	const char *player = anim_attrs_get(&clip->attrs, "player"), *file = anim_clip_file(clip, info->tree_file);

	if (info->clips == 1)
		anim_print_text(&info->print, head);
	anim_arena_reset(&info->scratch);
	info->clip_name = anim_arena_text(&info->scratch, clip->name, strlen(clip->name), error);
	info->clip_player = player == NULL ? "" : anim_arena_text(&info->scratch, player, strlen(player), error);
	info->clip_file = anim_arena_text(&info->scratch, file, strlen(file), error);
	return info->clip_name == NULL || info->clip_player == NULL || info->clip_file == NULL || info->print.failed
		   ? -1
		   : 0;
}

/* Samples a second, of Raw tracks. */
static void rate_cell(struct anim_print *print, const struct anim_track *track)
{
	double rate = 0;

	if (track->kind == ANIM_RAW && track->rate_num != 0)
		rate = (double)track->rate_num / (double)track->rate_den;
	else if (track->kind == ANIM_RAW && track->step_s != 0)
		rate = 1 / track->step_s;
	number_cell(print, rate, false, rate != 0);
}

/* The smallest and the largest number in any lane. */
static void range_cells(struct anim_print *print, const struct anim_track *track, const struct summary *summary)
{
	const struct anim_type_info *info = &anim_types[track->type];
	double least = summary->least[0], most = summary->most[0];

	for (unsigned i = 1; summary->has_range && i < info->lanes; i++) {
		least = summary->least[i] < least ? summary->least[i] : least;
		most = summary->most[i] > most ? summary->most[i] : most;
	}
	number_cell(print, least, info->scalar == ANIM_SCALAR_F32, summary->has_range);
	number_cell(print, most, info->scalar == ANIM_SCALAR_F32, summary->has_range);
}

/* Words with blanks between them. */
static void print_flags(struct anim_print *print, unsigned flags)
{
	const char *between = "";

	for (unsigned i = 0; i < ANIM_TRACK_FLAG_COUNT; i++) {
		if ((flags >> i & 1) == 0)
			continue;
		anim_print_text(print, between);
		anim_print_text(print, anim_track_flag_names[i]);
		between = " ";
	}
}

static int on_track(struct info *info, const struct anim_track *track, const struct summary *summary,
		    struct anim_error *error)
{
	struct anim_print *print = &info->print;

	(void)error;
	cell(print, info->clip_name);
	cell(print, info->clip_player);
	cell(print, track->node);
	cell(print, track->property);
	if (track->component != ANIM_WHOLE)
		anim_print_uint64(print, track->component);
	anim_print_text(print, ",");
	cell(print, anim_types[track->type].name);
	cell(print, anim_kind_names[track->kind]);
	cell(print, summary->interp == ANIM_INTERP_COLUMN ? "mixed" : anim_interp_names[summary->interp]);
	rate_cell(print, track);
	count_cell(print, track->n);
	number_cell(print, summary->first_s, track->kind != ANIM_RAW, summary->has_times);
	number_cell(print, summary->last_s, track->kind != ANIM_RAW, summary->has_times);
	range_cells(print, track, summary);
	count_cell(print, summary->bytes);
	print_flags(print, track->flags);
	anim_print_text(print, ",");
	if (info->clip_file[0] != '\0')
		anim_print_csv(print, info->clip_file, strlen(info->clip_file));
	anim_print_text(print, "\n");
	return print->failed ? -1 : 0;
}

static int on_end(struct info *info, struct anim_error *error)
{
	(void)error;
	if (info->clips == 0)
		anim_print_text(&info->print, head);
	return info->print.failed ? -1 : 0;
}

const struct info_form info_csv = {.clip = on_clip, .track = on_track, .end = on_end};
