/* describe.c: the error of a result in words: its part of the range, its time, and its kind. */
#include <math.h>
#include <string.h>

#include "clip/keys.h"
#include "filter/common/summary.h"
#include "filter/compare/compare.h"
#include "filter/plot/panel.h"

#define PROBES 32       /* evenly distributed over the drawn part */
#define AT_ONCE 4       /* times per call */
#define LATEST_S 0.2    /* seconds that a result may be late or early in the search; at most an eighth of the part */
#define STEPS 12        /* in each direction */
#define CLOSER 16       /* golden-section steps between two of them */
#define LATE_LEAST 1e-3 /* seconds */
#define STRETCH 200     /* times of the search for the largest errors */
#define EXPLAINED 0.2   /* part of the error that may remain after an explanation */

struct description {
	const struct anim_compare_shown *shown;
	const struct plot_panel *panel;
	const struct plot_clip *clip;
	double from, to,
	    at;       /* the drawn part and the time of the largest error, in seconds from the starts of the clips */
	double range; /* of the source; 0: not known */
	struct anim_print print;
	bool failed;
};

#define SMALL 0.01 /* of the range of the source: the time of such an error is of no interest */

/*
 * Measure the distance between side `one` and side `other`, which is played `later` seconds later, at up to AT_ONCE
 * times.
 */
static void measure_distance(struct description *f, int one, int other, const double *t, unsigned count, double later,
			     double *off)
{
	const int sides[2] = {one, other};

	for (unsigned i = 0; i < count; i++)
		off[i] = 0;
	f->failed = f->failed || anim_compare_errors(f->shown, sides, t, count, later, off, f->print.error) != 0;
}

/* Return the distance between a side and itself that much later. */
static double change_of(struct description *f, int side, double t, double later)
{
	double off;

	measure_distance(f, side, side, &t, 1, later, &off);
	return off;
}

static void say_number(struct description *f, const char *before, double value, const char *unit, const char *after)
{
	char number[TEXT_NUMBER_MAX];

	text_of_number(number, value, unit);
	anim_print_texts(&f->print, before, number, after);
}

/* --- Late or early --- */

/* Return the mean squared error if the result is played that much later, away from both ends. */
static double square_at(struct description *f, double later, double most)
{
	double step = (f->to - f->from - 2 * most) / (PROBES - 1), t[AT_ONCE], off[AT_ONCE], sum = 0;

	for (unsigned i = 0; i < PROBES; i += AT_ONCE) {
		for (unsigned j = 0; j < AT_ONCE; j++)
			t[j] = f->from + most + step * (i + j);
		measure_distance(f, 0, 1, t, AT_ONCE, later, off);
		for (unsigned j = 0; j < AT_ONCE; j++)
			sum += off[j] * off[j];
	}
	return sum / PROBES;
}

/*
 * Return the delay between two values with the smallest squared error: golden-section search, one new evaluation per
 * step.
 */
static double least_between(struct description *f, double low, double high, double most)
{
	const double golden = 0.6180339887498949;
	double late[2] = {high - golden * (high - low), low + golden * (high - low)};
	double squares[2] = {square_at(f, late[0], most), square_at(f, late[1], most)};

	for (int i = 0; i < CLOSER; i++) {
		int keep = squares[0] < squares[1] ? 0 : 1;

		*(keep == 0 ? &high : &low) = late[!keep];
		late[!keep] = late[keep];
		squares[!keep] = squares[keep];
		late[keep] = keep == 0 ? high - golden * (high - low) : low + golden * (high - low);
		squares[keep] = square_at(f, late[keep], most);
	}
	return low + (high - low) / 2;
}

/* Print "0.03333 s late (1 frame)". */
static bool say_late(struct description *f)
{
	const struct anim_clip *head = &f->clip->head;

	/* The delay of the result. */
	double most = fmin(LATEST_S, (f->to - f->from) / 8), step = most / STEPS, best = 0;
	double still = square_at(f, 0, most), least = still;

	for (int i = -STEPS; i <= STEPS; i++) {
		double square = square_at(f, i * step, most);

		best = square < least ? i * step : best;
		least = fmin(square, least);
	}
	best = least_between(f, best - step, best + step, most);
	least = square_at(f, best, most);
	double late = still > 0 && least <= EXPLAINED * EXPLAINED * still && fabs(best) < most ? best : 0;
	double frames = 0, off[2];

	/* The largest error must disappear at the source's value and at the result's value. */
	if (late == 0 || !(fabs(late) >= LATE_LEAST))
		return false;
	measure_distance(f, 0, 1, (const double[2]){f->at, f->at - late}, 2, late, off);
	if (!(fmax(off[0], off[1]) <= EXPLAINED * f->panel->worst))
		return false;
	late = rint(late * 1e4) / 1e4; /* the search is not more accurate than this */
	if (head->rate_num != 0)
		frames = rint(fabs(late) * 100 * (double)head->rate_num / (double)head->rate_den) / 100;
	if (frames > 0 && frames == rint(frames))
		late = copysign(frames * (double)head->rate_den / (double)head->rate_num, late);
	say_number(f, "", fabs(late), "s", late > 0 ? " late" : " early");
	if (frames > 0)
		say_number(f, " (", frames, "", frames == 1 ? " frame)" : " frames)");
	return true;
}

/* --- Constant or growing --- */

/* Return true if the errors of the columns follow a line from `start` to `end`, as parts of the largest error. */
static bool follows(const struct plot_panel *panel, double start, double end)
{
	size_t last = panel->columns.count - 1;

	for (size_t c = 0; c <= last; c++) {
		double wanted = start + (end - start) * (double)c / (double)last;

		if (fabs((double)panel->error[c] / panel->worst - wanted) > EXPLAINED)
			return false;
	}
	return true;
}

/* --- At one place --- */

/* Print the keys of the result around the largest error, if the quaternion changes its sign between them. */
static bool say_sign(struct description *f)
{
	const struct anim_track *track = f->shown->plays[1]->tracks[0];
	double start = (double)f->shown->plays[1]->clip->start_s, at = f->at + start, off[2];
	double shift = start - (double)f->shown->plays[0]->clip->start_s; /* printed times are relative to the source */

	if (f->shown->plays[1]->joined || !anim_types[track->type].quaternion)
		return false;
	for (size_t k = 0; k + 1 < track->n; k++) {
		double from = anim_track_time(track, k), to = anim_track_time(track, k + 1), dot = 0;

		if (!(from <= at && at <= to))
			continue;
		for (unsigned i = 0; i < 4; i++)
			dot += anim_component(track->type, track->value, k, i) *
			       anim_component(track->type, track->value, k + 1, i);
		if (!(dot < 0))
			continue;
		measure_distance(f, 0, 1, (const double[]){from - start, to - start}, 2, 0, off);
		say_number(f,
			   fmax(off[0], off[1]) <= f->panel->worst / 10 ? "its keys are right, but between those at "
									: "between its keys at ",
			   from - shift, "", "");
		say_number(f, " and ", to - shift, "s", " its quaternion changes sign and goes the long way round");
		return true;
	}
	return false;
}

/* Print whether one side has a step there and the other has none. */
static bool say_step(struct description *f)
{
	double epsilon = 1e-4 + 1e-6 * fabs(f->at), jumps[2];

	if (f->at - epsilon < f->from || f->at + epsilon > f->to)
		return false;
	for (int side = 0; side < 2; side++)
		jumps[side] = change_of(f, side, f->at - epsilon, 2 * epsilon);
	for (int side = 0; side < 2; side++)
		if (jumps[side] > f->panel->worst / 2 && jumps[!side] < jumps[side] / 10) {
			anim_print_text(&f->print, side == 0 ? "the source steps there and the result does not"
							     : "the result steps there and the source does not");
			return true;
		}
	return false;
}

/* Return the time of the last key of a side, on the axis of the first side. Returns -INFINITY if it has none. */
static double last_key_of(const struct description *f, int side)
{
	const struct anim_source *play = f->shown->plays[side];
	double last = -(double)INFINITY;

	for (unsigned i = 0; i < play->count; i++)
		if (play->tracks[i] != NULL && play->tracks[i]->n > 0)
			last = fmax(last, anim_track_time(play->tracks[i], play->tracks[i]->n - 1));
	return last - (double)play->clip->start_s + (double)f->shown->plays[0]->clip->start_s;
}

/* Print that the largest error is after the last key of the result, and that the source continues. */
static bool say_cut(struct description *f)
{
	double last[2] = {last_key_of(f, 0), last_key_of(f, 1)};

	if (!(last[1] < f->panel->at_s && last[1] < last[0] - LATE_LEAST))
		return false;
	say_number(f, "cut off ", last[0] - last[1], "s", " early: ");
	say_number(f, "its last key is at ", last[1], "s", "");
	say_number(f, ", the source's at ", last[0], "s", "");
	return true;
}

static double length_of(const struct description *f)
{
	return (double)f->clip->head.end_s - (double)f->clip->head.start_s;
}

/*
 * Return the i-th time of the search for the largest errors. The times cover the whole clip, so they are the same in
 * every picture.
 */
static double stretch_time(const struct description *f, int i)
{
	return length_of(f) / STRETCH * i;
}

/*
 * Print the time range in which the error is at least half of the largest error, unless the error is too small. A
 * range includes the interval before and after each such time, and the interval with the largest error.
 */
static void say_stretch(struct description *f)
{
	double start = (double)f->clip->head.start_s, place = floor(f->at / stretch_time(f, 1));
	int worst = (int)fmin(fmax(place, 0), STRETCH - 1), first = -1, last = 0, count = 0;
	double t[AT_ONCE], off[AT_ONCE];
	bool mostly[STRETCH + 1];
	char number[TEXT_NUMBER_MAX];

	if (f->range > 0 && f->panel->worst < SMALL * f->range)
		return;
	for (int i = 0; i <= STRETCH; i += AT_ONCE) {
		unsigned some = (unsigned)(STRETCH + 1 - i < AT_ONCE ? STRETCH + 1 - i : AT_ONCE);

		for (unsigned j = 0; j < some; j++)
			t[j] = stretch_time(f, i + (int)j);
		measure_distance(f, 0, 1, t, some, 0, off);
		for (unsigned j = 0; j < some; j++)
			mostly[i + (int)j] = off[j] >= f->panel->worst / 2;
	}
	for (int i = 0; i < STRETCH; i++) {
		if (!mostly[i] && !mostly[i + 1] && i != worst)
			continue;
		count += first < 0 || last < i || !mostly[i];
		first = first < 0 ? i : first;
		last = i + 1;
	}
	text_of_number(number, count, "");
	anim_print_texts(&f->print, "mostly at ", count > 1 ? number : "", count > 1 ? " places in " : "");
	say_number(f, "", start + stretch_time(f, first), "", " .. ");
	say_number(f, "", start + stretch_time(f, last), "s", "");
}

/* --- At the end --- */

/* Return the words so far, in the arena of the panel. Returns NULL on failure. */
static const char *keep_words(struct description *f, struct plot_panel *panel)
{
	const char *out = f->failed || f->print.failed ? NULL : "";

	if (out != NULL && f->print.buffer->size > 0)
		out = anim_arena_text(&panel->arena, (const char *)f->print.buffer->data, f->print.buffer->size,
				      f->print.error);
	f->print.buffer->size = 0;
	return out;
}

int plot_describe(struct plot_panel *panel, const struct plot_clip *clip, const struct anim_compare_shown *shown,
		  struct anim_error *error)
{
	double start = (double)clip->head.start_s;
	struct anim_buffer text = {0};

	/* The range of the component that moves most. */
	double range = 0;

	for (unsigned i = 0; i < panel->source.components; i++) {
		const struct plot_component *component = &panel->source.component[i];
		double least = (double)INFINITY, most = -(double)INFINITY;

		for (size_t c = 0; c < panel->source.count; c++) {
			least = fmin(least, component->least[c]);
			most = fmax(most, component->most[c]);
		}
		range = fmax(range, most - least);
	}
	struct description f = {.shown = shown,
				.panel = panel,
				.clip = clip,
				.from = clip->start_s - start,
				.to = clip->end_s - start,
				.at = panel->at_s - start,
				.range = isfinite(range) && strcmp(panel->unit, panel->error_unit) == 0 ? range : 0,
				.print = {.buffer = &text, .error = error}};

	bool late, drift, sign, step;

	panel->part = panel->cause = panel->rest = "";
	if (!(panel->worst > 0) || !isfinite(panel->worst) || !(f.to > f.from))
		return 0;
	late = say_late(&f);
	drift = !late && follows(panel, 0, 1);
	if (drift)
		say_number(&f, "drifts by ", panel->worst / (f.to - f.from), panel->error_unit, " per second");
	sign = !late && !drift && say_sign(&f);
	step = !late && !drift && !sign && say_step(&f);
	panel->shared = late || (!drift && !sign && !step && say_cut(&f));
	panel->named = panel->shared || drift || sign || step;
	panel->cause = keep_words(&f, panel);
	if (!panel->named && follows(panel, 1 - EXPLAINED / 2, 1 - EXPLAINED / 2))
		anim_print_text(&f.print, "the same error all the time");
	else if (!panel->named)
		say_stretch(&f);
	if (!late && !drift) {
		/* Print if the source ends at its first value and the result does not. */
		double gaps[2];

		for (int side = 0; side < 2; side++)
			gaps[side] = change_of(&f, side, 0, length_of(&f));
		if (gaps[0] <= fmax(f.range, f.panel->worst) / 100 &&
		    gaps[1] > fmax(f.range / 100, f.panel->worst / 4)) {
			/* Separate the next words from the words before. */
			anim_print_text(&f.print, f.print.buffer->size > 0 ? "; " : "");
			say_number(&f, "the source ends at its first value, the result ends ", gaps[1],
				   f.panel->error_unit, " away from it");
			if (f.shown->plays[1]->clip->loop == ANIM_LOOP_WRAP)
				anim_print_text(&f.print, ", a jump in each loop");
		}
	}
	panel->rest = keep_words(&f, panel);
	panel->share = f.range > 0 ? panel->worst / f.range : 0;
	if (panel->share > 0 && !sign) {
		/* The range is then known only for this part. */
		say_number(&f, "", panel->share * 100, "%",
			   (clip->start_s > (double)clip->head.start_s || clip->end_s < (double)clip->head.end_s)
			       ? " of the source's range in that time"
			       : " of the source's range");
	}
	panel->part = keep_words(&f, panel);
	anim_buffer_clear(&text);
	return panel->part == NULL || panel->cause == NULL || panel->rest == NULL ? -1 : 0;
}

const char *plot_shared_cause(struct plot_panel *const *panels, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!panels[i]->shared || strcmp(panels[i]->cause, panels[0]->cause) != 0)
			return "";
	return count > 1 ? panels[0]->cause : "";
}

int plot_join_description(struct plot_panel *panel, bool shared, struct anim_error *error)
{
	const char *parts[3] = {panel->part, shared ? "" : panel->cause, panel->rest};

	panel->description = "";
	for (size_t i = 0; i < 3 && panel->description != NULL; i++)
		if (*parts[i] != '\0')
			panel->description = anim_arena_printf(&panel->arena, error, "%s%s%s", panel->description,
							       *panel->description == '\0' ? "" : "; ", parts[i]);
	return panel->description == NULL ? -1 : 0;
}
