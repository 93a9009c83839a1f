/* view.c: code that all views of clips share: the current clip, and the differences of two clips in words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clip/span.h"
#include "filter/compare/compare.h"
#include "filter/filter.h"
#include "filter/plot/internal.h"

/*
 * Begin with a clip: copy its head, with its texts in the arena, and find the selected part of it. Returns 1, 0
 * after a note if the part is empty, or -1.
 */
static int begin_part(struct plot_view *view, const struct anim_clip *clip, struct anim_error *error)
{
	const struct anim_plot_options *options = &view->page.options;
	struct plot_clip *out = &view->clip;
	struct anim_range range;

	*out = (struct plot_clip){.start_s = (double)clip->start_s,
				  .end_s = fmax((double)clip->end_s, (double)clip->start_s)};
	anim_arena_reset(&view->head);
	if (anim_clip_copy(&out->head, clip, &view->head, error) != 0)
		return -1;
	if (!options->ranged)
		return 1;
	if (!anim_range_of_clip(&range, clip, options->from_s, options->to_s))
		return anim_diagnostics_note(options->diagnostics, NULL, error,
					     "clip '%s' is outside the time range of -t", clip->name);
	out->start_s = (double)range.start_s;
	out->end_s = (double)range.end_s;
	return 1;
}

static int finish_clip(struct plot_view *view, struct anim_error *error)
{
	int result = 0;

	view->page.print.error = error;
	if (view->in_clip)
		result = view->kind->finish(view, error);
	view->in_clip = false;
	return result != 0 || view->page.print.failed ? -1 : 0;
}

int plot_view_begin(struct plot_view *view, const struct anim_clip *clip, struct anim_error *error)
{
	int begun;

	if (finish_clip(view, error) != 0)
		return -1;
	begun = begin_part(view, clip, error);
	view->in_clip = begun > 0;
	view->clips += begun > 0;
	if (view->kind->begin != NULL)
		view->kind->begin(view);
	return begun < 0 ? -1 : 0;
}

int plot_view_pair(struct plot_view *view, size_t couple, const struct anim_clip *clip, struct anim_error *error)
{
	if (view->couple == couple)
		return 0;
	view->couple = couple;
	return plot_view_begin(view, clip, error);
}

static int on_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	return plot_view_begin((struct plot_view *)sink, clip, error);
}

static int on_tree(struct anim_sink *sink, const struct anim_tree *tree, struct anim_error *error)
{
	struct plot_view *view = (struct plot_view *)sink;

	if (finish_clip(view, error) != 0)
		return -1;
	return view->kind->tree == NULL ? 0 : view->kind->tree(sink, tree, error);
}

static int on_node(struct anim_sink *sink, const struct anim_node *node, struct anim_error *error)
{
	const struct plot_kind *kind = ((struct plot_view *)sink)->kind;

	return kind->node == NULL ? 0 : kind->node(sink, node, error);
}

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct plot_view *view = (struct plot_view *)sink;

	return view->in_clip ? view->kind->track(sink, track, error) : 0;
}

static int on_end(struct anim_sink *sink, struct anim_error *error)
{
	struct plot_view *view = (struct plot_view *)sink;
	const struct anim_plot_options *options = &view->page.options;

	if (anim_diagnostics_check(options->diagnostics, error) != 0 || finish_clip(view, error) != 0)
		return -1;
	if (view->clips == 0 && !options->ranged && /* a clip outside the range has its own note */
	    anim_diagnostics_note(options->diagnostics, NULL, error, "the input has no clips to draw") != 0)
		return -1;
	if (view->kind->end != NULL && view->kind->end(view, error) != 0)
		return -1;
	return plot_page_end(&view->page, view->kind->light[options->palette], view->kind->dark[options->palette]);
}

static void on_free(struct anim_sink *sink)
{
	struct plot_view *view = (struct plot_view *)sink;

	view->kind->free(view);
	plot_page_close(&view->page);
	anim_arena_clear(&view->head);
	free(view);
}

struct anim_sink *anim_plot_new(struct anim_output *out, const struct anim_plot_options *options,
				struct anim_error *error)
{
	static const struct anim_sink_ops ops = {on_tree, on_node, on_clip, on_track, NULL, on_end, on_free};
	static const struct plot_kind *const kinds[] = {[ANIM_PLOT_CURVES] = &plot_curves,
							[ANIM_PLOT_HEAT] = &plot_heat,
							[ANIM_PLOT_DOPE] = &plot_dope,
							[ANIM_PLOT_FIGURE] = &plot_figure};
	const struct plot_kind *kind = kinds[options->view];
	struct plot_view *view = anim_sink_new(kind->size, &ops, error);

	if (view == NULL)
		return NULL;
	view->kind = kind;
	plot_page_open(&view->page, out, options);
	if (kind->open != NULL)
		kind->open(view);
	return &view->sink;
}

/* --- Two clips --- */

static const char *const sides[] = {"only in the source", "only in the result"};

/* Return "a position, b scale and 3 more", or NULL on failure. */
static const char *name_lone(const char *const *names, size_t count, struct anim_arena *arena, struct anim_error *error)
{
	const char *out = "";

	for (size_t i = 0; i < count && i < ANIM_COMPARE_NAMED && out != NULL; i++) {
		const char *name = anim_safe_copy(arena, names[i], error);

		out = name == NULL ? NULL : anim_arena_printf(arena, error, "%s%s%s", out, i > 0 ? ", " : "", name);
	}
	return out == NULL || count <= ANIM_COMPARE_NAMED
		   ? out
		   : anim_arena_printf(arena, error, "%s and %zu more", out, count - ANIM_COMPARE_NAMED);
}

int plot_apart_of(struct plot_apart *apart, const struct anim_compare_clips *clips, struct anim_arena *arena,
		  struct anim_error *error)
{
	const struct anim_clip *source = clips->heads[0], *result = clips->heads[1];

	*apart = (struct plot_apart){.lengths_differ = clips->lengths_differ,
				     .loops_differ = clips->loops_differ,
				     .lone = {clips->lone[0], clips->lone[1]},
				     .texts = clips->texts,
				     .unlike = clips->unlike};
	for (int side = 0; side < 2; side++) {
		if (clips->heads[!side] == NULL)
			apart->alone = sides[side];
		if (clips->lone[side] == 0)
			continue;
		apart->named[side] = name_lone(clips->named[side], clips->lone[side], arena, error);
		if (apart->named[side] == NULL)
			return -1;
	}
	if (source != NULL)
		apart->loops[0] = (enum anim_loop)source->loop;
	if (result != NULL) {
		apart->loops[1] = (enum anim_loop)result->loop;
		apart->length_s = (double)result->end_s - (double)result->start_s;
	}
	return 0;
}

int anim_plot_clips(void *sink, const struct anim_compare_clips *clips, struct anim_error *error)
{
	struct plot_view *view = sink;

	if (plot_view_pair(view, clips->couple, clips->heads[clips->heads[0] == NULL], error) != 0)
		return -1;
	return plot_apart_of(&view->clip.apart, clips, &view->head, error);
}

static void put_tracks(struct anim_print *print, size_t count, const char *one, const char *many, const char *where)
{
	if (count == 0)
		return;
	anim_print_text(print, "; ");
	anim_print_uint64(print, count);
	anim_print_texts(print, count == 1 ? one : many, where);
}

void plot_apart(struct anim_print *print, const struct plot_apart *apart)
{
	static const char *const loops[] = {[ANIM_LOOP_NONE] = "is played once",
					    [ANIM_LOOP_WRAP] = "loops",
					    [ANIM_LOOP_PINGPONG] = "plays back and forth"};
	char length[TEXT_NUMBER_MAX];

	if (apart->loops_differ)
		anim_print_texts(print, "; the source ", loops[apart->loops[0]], ", the result ",
				 loops[apart->loops[1]]);
	text_of_number(length, apart->length_s, "s");
	if (apart->lengths_differ)
		anim_print_texts(print, "; the result lasts ", length);
	for (int side = 0; side < 2; side++)
		put_tracks(print, apart->lone[side], " track is ", " tracks are ", sides[side]);
	put_tracks(print, apart->texts, " track of texts differs", " tracks of texts differ", "");
	put_tracks(print, apart->unlike, " track cannot be compared", " tracks cannot be compared", "");
}

void plot_lone(struct plot_page *page, const struct plot_apart *apart)
{
	for (int side = 0; side < 2; side++)
		if (apart->named[side] != NULL)
			plot_names(page, sides[side], apart->named[side], strlen(apart->named[side]), 0);
}

void plot_off(struct plot_page *page, const char *before, enum anim_unit unit, double off)
{
	bool small = unit == ANIM_UNIT_LENGTH && off < 1;

	plot_number(page, before, small ? off * 1000 : off, small ? "mm" : anim_unit_names[unit], "");
}

void plot_worst(struct plot_page *page, const char *name, enum anim_unit unit, double off, double at_s, double shell)
{
	bool metres = unit == ANIM_UNIT_LENGTH;

	plot_name(page, name);
	plot_off(page, " ", unit, off);
	plot_number(page, " at ", at_s, "s", "");
	if (shell > 0)
		plot_number(page, " (of points ", metres ? shell * 100 : shell, metres ? "cm" : anim_unit_names[unit],
			    " around the joint)");
}
