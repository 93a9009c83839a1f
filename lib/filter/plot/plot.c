/* plot.c: the view of curves: selects the tracks of a clip, measures a panel for each, and lists the others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "clip/keys.h"
#include "clip/rules.h"
#include "filter/common/summary.h"
#include "filter/compare/compare.h"
#include "filter/filter.h"
#include "filter/plot/panel.h"
#include "filter/select.h"

#define ROUNDING 8e-7 /* of a float: several rounding steps, as computed values have them */

#define NOISE 0.02       /* of the largest error */
#define NOISE_SHARE 0.01 /* of a range */
#define NOTHING 1e-4     /* of the largest error, whatever the cause is */
#define NAMED 8          /* tracks that are listed by name instead of drawn */
#define SVG_DOTS 500     /* keys of a panel that are drawn one by one */
#define WAITING 4096     /* keys of a track that is copied until it is known whether it is drawn */

struct plot {
	struct plot_view view;
	struct anim_arena scratch; /* for the current track */
	struct plot_sheet sheet;
	size_t tracks;             /* number received so far */
	struct anim_buffer panels; /* struct plot_panel *, owned */
};

/* --- The words of a clip --- */

/* Print "9 deg, 0.1 m, 1". Errors with a unit come first. */
static void put_errors(struct plot_page *page, const char *before, const double errors[ANIM_UNIT_COUNT])
{
	for (unsigned i = 1; i <= ANIM_UNIT_COUNT; i++) {
		unsigned unit = i % ANIM_UNIT_COUNT;

		if (!(errors[unit] > 0))
			continue;
		plot_number(page, before, errors[unit], anim_unit_names[unit], "");
		before = ", ";
	}
}

/* Print the number of tracks in words. */
static void put_counts(struct plot_page *page, const struct plot_sheet *sheet)
{
	const struct plot_apart *apart = &sheet->clip->apart;
	bool paired = sheet->paired;

	if (apart->alone != NULL) {
		anim_print_text(&page->print, apart->alone);
		return;
	}
	plot_count(page, paired ? sheet->off : sheet->count + sheet->hidden, paired ? "track is off" : "track moves",
		   paired ? "tracks are off" : "tracks move");
	if (paired)
		put_errors(page, ", by up to ", sheet->worst);
	if (sheet->hidden > 0 && paired && sheet->count == 1)
		plot_put(page, "; this one is farthest off, " ANIM_OPTION("plot", "all") " shows the others");
	else if (sheet->hidden > 0)
		plot_put(page, "; these %zu%s, " ANIM_OPTION("plot", "all") " shows the others", sheet->count,
			 paired ? " are farthest off" : " travel farthest");
	if (paired) {
		/* Print the number of errors beyond the limits, and the cause that all errors share. */
		if (sheet->limited && sheet->beyond == 0)
			anim_print_text(&page->print, "; all are within their limits");
		else if (sheet->limited)
			plot_put(page, "; %zu %s", sheet->beyond,
				 sheet->beyond == 1 ? "exceeds its limit" : "exceed their limits");
		if (*sheet->cause != '\0') {
			if (sheet->hidden > 0)
				anim_print_text(&page->print, "; all of these: ");
			else
				plot_put(page, "; all %zu: ", sheet->count);
			anim_print_text(&page->print, sheet->cause);
		}

		plot_apart(&page->print, apart);
	}
}

static void put_list(struct plot_page *page, const char *what, const struct plot_list *list)
{
	if (list->count > 0)
		plot_names(page, what, (const char *)list->text.data, list->text.size, list->count - list->listed);
}

/* --- Names of tracks that are not drawn --- */

static int add_name(struct plot *plot, struct plot_list *names, const char *label, const char *value,
		    struct anim_error *error)
{
	const char *pieces[] = {names->listed > 0 ? ", " : "", anim_safe_copy(&plot->scratch, label, error), value};

	names->count++;
	if (names->listed == NAMED && !plot->view.page.options.all)
		return 0;
	names->listed++;
	if (pieces[1] == NULL)
		return -1;
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
		if (anim_buffer_append_text(&names->text, pieces[i], error) != 0)
			return -1;
	return 0;
}

/* --- How far a track travels from key to key, in metres, radians, hundreds of pixels or its own numbers --- */

const char *plot_unit_of(const struct anim_clip *clip, const struct anim_track *track, enum anim_plot_rotation rotation)
{
	const char *property = track->property;

	if (anim_types[track->type].quaternion)
		return rotation == ANIM_PLOT_QUAT ? "" : "deg";
	if (track->flags & ANIM_PERCENT)
		return "%";
	if (!anim_track_is_transform(track))
		return "";
	if (anim_property_is_angle(property))
		return "deg";
	if (strcmp(property, "position") != 0)
		return "";
	return clip->axes2d == ANIM_AXES2D_GODOT && anim_types[track->type].components == 2 ? "px" : "m";
}

static double weight_of(const struct anim_track *track, const char *unit)
{
	if (anim_types[track->type].quaternion)
		return 2; /* a rotation by a small angle changes the quaternion by half of the angle */
	if (track->flags & ANIM_DEGREES)
		return 3.14159265358979323846 / 180;
	return strcmp(unit, "px") == 0 || strcmp(unit, "%") == 0 ? 0.01 : 1;
}

/*
 * Return the distance travelled from key to key. q and -q are the same rotation. Differences that are not finite are
 * ignored.
 */
static double distance_of(const struct anim_track *track, bool *finite)
{
	unsigned components = anim_types[track->type].components;
	double keys[2][ANIM_COMPONENTS_MAX], distance = 0;

	*finite = true;
	anim_components(track->type, track->value, 0, keys[0]);
	for (size_t k = 1; k < track->n; k++) {
		const double *at = keys[k % 2], *before = keys[(k - 1) % 2];
		double same = 0, other = 0;

		anim_components(track->type, track->value, k, keys[k % 2]);
		for (unsigned i = 0; i < components; i++) {
			bool known = isfinite(at[i] - before[i]);

			same += known ? fabs(at[i] - before[i]) : 0;
			other += known ? fabs(at[i] + before[i]) : 0;
			*finite = *finite && known;
		}
		distance += anim_types[track->type].quaternion ? fmin(same, other) : same;
	}
	return distance;
}

/* --- The panels that are kept --- */

static struct plot_panel **panels_of(const struct plot *plot, size_t *count)
{
	*count = plot->panels.size / sizeof(struct plot_panel *);
	return (struct plot_panel **)(void *)plot->panels.data;
}

static void panel_free(struct plot_panel *panel)
{
	anim_arena_clear(&panel->arena);
	free(panel);
}

/* Return the panel that the next one would replace, or NULL if there is room. */
static struct plot_panel **least_of(const struct plot *plot)
{
	size_t count;
	struct plot_panel **panels = panels_of(plot, &count), **least = panels;

	if (plot->view.page.options.all || count < ANIM_PLOT_SHOWN)
		return NULL;
	for (size_t i = 1; i < count; i++)
		if (panels[i]->distance < (*least)->distance ||
		    (panels[i]->distance == (*least)->distance && panels[i]->number > (*least)->number))
			least = &panels[i];
	return least;
}

static int keep(struct plot *plot, struct plot_panel *panel, struct anim_error *error)
{
	struct plot_panel **least = least_of(plot);

	if (least == NULL)
		return anim_buffer_append(&plot->panels, &panel, sizeof panel, error);
	panel_free(*least);
	*least = panel;
	return 0;
}

/* --- From a track to a panel --- */

static void mark_keys(struct plot_panel *panel, const struct anim_track *track)
{
	bool rises = (track->flags & ANIM_UNSORTED) == 0;

	panel->keys += track->n;
	panel->samples = track->kind == ANIM_RAW;
	for (size_t k = 0, next; k < track->n && !panel->samples; k = next) {
		size_t c = plot_column_of(&panel->columns, (double)track->time[k]);

		next = k + 1;
		if (c == panel->columns.count)
			continue;
		panel->keyed[c] = 1;
		if (rises) { /* the other keys of the column mark the same column */
			/*
			 * The first key after key k that is not before t. The time of key k is before t, and times
			 * increase.
			 */
			double t = plot_column_time(&panel->columns, c + 1);
			size_t at = k + 1 + (size_t)(anim_find_key(track->time + k + 1, track->n - k - 1, t) + 1);

			while (at > k + 1 && (double)track->time[at - 1] >= t)
				at--;
			next = at;
		}
	}
}

static void find_range(struct plot_panel *panel)
{
	panel->bottom = (double)INFINITY;
	panel->top = -(double)INFINITY;
	for (unsigned i = 0; i < panel->columns.components; i++) {
		panel->least[i] = (double)INFINITY;
		panel->most[i] = -(double)INFINITY;
		plot_component_widen(&panel->columns.component[i], panel->columns.count, &panel->least[i],
				     &panel->most[i]);
		panel->bottom = fmin(panel->bottom, panel->least[i]);
		panel->top = fmax(panel->top, panel->most[i]);
	}
	for (unsigned i = 0; i < panel->source.components; i++)
		plot_component_widen(&panel->source.component[i], panel->source.count, &panel->bottom, &panel->top);
	if (!(panel->bottom <= panel->top))
		panel->bottom = panel->top = 0;
}

static void name_components(struct plot_panel *panel, const struct anim_track *track, const struct plot_curve *curve)
{
	static const char *const forms[][2] = {
	    [ANIM_PLOT_ROTVEC] = {" vector", " as rotation vector"},
	    [ANIM_PLOT_QUAT] = {" quaternion", " as quaternion"},
	    [ANIM_PLOT_EULER] = {" Euler angles", " as Euler angles"},
	    [ANIM_PLOT_ANGLE] = {" angle", " as rotation angle"},
	};
	/* the number of components of the source, which may be larger or smaller */
	unsigned own = panel->columns.components, others = panel->source.components;

	panel->rotates = curve->rotates;
	panel->form = curve->rotates ? forms[curve->rotation][strcmp(track->property, "rotation") != 0] : "";
	for (unsigned i = 0; i < own || i < others; i++) {
		bool alone = own == 1;
		unsigned component = track->component != ANIM_WHOLE && alone ? track->component : i;

		panel->names[i] = alone ? "" : anim_component_name(track->property, i);
		panel->colors[i] = (uint8_t)(curve->rotation == ANIM_PLOT_ANGLE && curve->rotates ? 3 : component % 4);
	}
}

/* Find the values that are shown at the keys. A rotation continues from the value at the start of its column. */
static int find_dots(struct plot_panel *panel, struct plot_curve *curve, const struct anim_track *track,
		     struct anim_error *error)
{
	unsigned components = panel->columns.components;

	panel->dot_times = anim_arena_zeroed(&panel->arena, track->n, sizeof *panel->dot_times, error);
	panel->dot_values = anim_arena_zeroed(&panel->arena, track->n * components, sizeof *panel->dot_values, error);
	if (panel->dot_times == NULL || panel->dot_values == NULL)
		return -1;
	for (size_t k = 0; k < track->n; k++) {
		double t = (double)track->time[k], v[1][PLOT_COMPONENTS] = {{0}};
		size_t c = plot_column_of(&panel->columns, t);

		if (c == panel->columns.count)
			continue;
		for (unsigned i = 0; i < components; i++)
			curve->last[i] = panel->columns.component[i].edge[c];
		if (plot_curve_at(curve, &t, 1, v, error) != 0)
			return -1;
		panel->dot_times[panel->dots] = t;
		memcpy(panel->dot_values + panel->dots++ * components, v[0], components * sizeof v[0][0]);
	}
	return 0;
}

static int fill_panel(struct plot *plot, struct plot_panel *panel, const struct anim_track *track,
		      struct anim_error *error)
{
	struct anim_source play = {.clip = &plot->view.clip.head, .tracks = {track}, .count = 1};
	size_t columns = plot_panel_columns(&plot->view.page);
	struct plot_curve curve;
	double end = plot->view.clip.end_s;
	int result;

	if (end <= plot->view.clip.start_s && !plot->view.page.options.range.given)
		end = fmax(end, anim_track_time(track, track->n - 1));
	anim_source_open(&play, NULL);

	panel->rounding = anim_types[track->type].scalar == ANIM_SCALAR_F32 ? ROUNDING : 0;
	panel->unit = plot_unit_of(&plot->view.clip.head, track, plot->view.page.options.rotation);
	panel->title = anim_label_copy(&panel->arena, track->node, track->property, track->component, error);
	panel->property = anim_arena_text(&panel->arena, track->property, strlen(track->property), error);
	result = panel->title == NULL || panel->property == NULL ? -1 : 0;

	if (result == 0)
		result = plot_curve_open(&curve, &play, plot->view.page.options.rotation, error);
	if (result == 0)
		result = plot_columns_init(&panel->columns, plot->view.clip.start_s, end, columns, curve.components,
					   &panel->arena, error);
	if (result == 0)
		result = plot_measure(&curve, &panel->columns, error);
	if (result == 0 && (panel->keyed = anim_arena_zeroed(&panel->arena, columns, 1, error)) == NULL)
		result = -1;
	if (result == 0 && plot->view.page.options.svg && track->n <= SVG_DOTS && track->kind != ANIM_RAW)
		result = find_dots(panel, &curve, track, error);
	anim_source_close(&play);
	if (result != 0)
		return -1;
	mark_keys(panel, track);
	find_range(panel);
	name_components(panel, track, &curve);
	return 0;
}

/* List a track that no player plays, so that the others can be drawn. Returns 0 or -1. */
static int list_failed(struct plot *plot, const char *label, struct anim_error *error)
{
	if (error->code != ANIM_UNSUPPORTED)
		return -1;
	*error = (struct anim_error){0};
	plot->sheet.hidden--;
	return add_name(plot, &plot->sheet.unplayed, label, "", error);
}

/* --- The end of a clip --- */

static int by_distance(const void *a, const void *b)
{
	const struct plot_panel *one = *(struct plot_panel *const *)a, *other = *(struct plot_panel *const *)b;

	if (one->distance != other->distance)
		return one->distance > other->distance ? -1 : 1;
	return one->number < other->number ? -1 : 1;
}

/* Return the largest range of the panels of this property. */
static double largest_of(const struct plot_sheet *sheet, const char *property)
{
	double largest = 0;

	for (size_t i = 0; i < sheet->count; i++) {
		double range = sheet->panels[i]->top - sheet->panels[i]->bottom;

		if (strcmp(sheet->panels[i]->property, property) == 0 && range > largest)
			largest = range;
	}
	return largest;
}

/* Forget the clip, but keep the memory of its lists. */
static void forget_clip(struct plot *plot)
{
	struct plot_list *lists[] = {&plot->sheet.constant, &plot->sheet.texts, &plot->sheet.unplayed};
	size_t count;
	struct plot_panel **panels = panels_of(plot, &count);

	for (size_t i = 0; i < count; i++)
		panel_free(panels[i]);
	plot->panels.size = 0;
	plot->tracks = 0;
	plot->sheet = (struct plot_sheet){
	    .constant = plot->sheet.constant, .texts = plot->sheet.texts, .unplayed = plot->sheet.unplayed};
	for (size_t i = 0; i < 3; i++)
		lists[i]->text.size = lists[i]->count = lists[i]->listed = 0;
}

/*
 * Return true if an error has no known cause and is tiny compared with the largest error of its unit, or as a part
 * of a range. An error that exceeds its limit is never noise.
 */
static bool is_noise(const struct plot_sheet *sheet, const struct plot_panel *panel, double largest)
{
	double worst = sheet->worst[panel->measure];

	if (panel->limit > 0 && panel->worst > panel->limit)
		return false;
	if (panel->named)
		return panel->worst < NOTHING * worst;
	return panel->worst < NOISE * worst ||
	       (panel->share > 0 && panel->share < NOISE_SHARE && panel->share < NOISE * largest);
}

/* Count noise instead of drawing it, unless the user selected tracks or a time. */
static void drop_noise(struct plot *plot)
{
	struct plot_sheet *sheet = &plot->sheet;
	double largest = 0;
	size_t count, kept = 0;
	struct plot_panel **panels = panels_of(plot, &count);

	if (plot->view.page.options.all || plot->view.page.options.picked || plot->view.page.options.range.given)
		return;
	for (size_t i = 0; i < count; i++)
		largest = fmax(largest, panels[i]->named ? panels[i]->share : 0);
	for (size_t i = 0; i < count; i++)
		if (is_noise(sheet, panels[i], largest)) {
			sheet->rest[panels[i]->measure] = fmax(sheet->rest[panels[i]->measure], panels[i]->worst);
			panel_free(panels[i]);
		} else {
			panels[kept++] = panels[i];
		}
	plot->panels.size = kept * sizeof *panels;
}

static int finish(struct plot_view *view, struct anim_error *error)
{
	struct plot *plot = (struct plot *)view;
	struct plot_sheet *sheet = &plot->sheet;

	/* Measure the copied tracks, now that the drawn tracks are known. */
	size_t count, kept = 0;
	struct plot_panel **panels = panels_of(plot, &count);
	int result = 0;

	for (size_t i = 0; i < count; i++) {
		struct plot_panel *panel = panels[i];

		if (result != 0 || panel->waiting == NULL || fill_panel(plot, panel, panel->waiting, error) == 0) {
			panels[kept++] = panel;
			continue;
		}
		result = list_failed(plot, panel->title, error);
		panel_free(panel);
	}
	plot->panels.size = kept * sizeof *panels;
	if (result != 0)
		return -1;

	sheet->clip = &view->clip;
	sheet->paired = view->page.options.against;
	if (sheet->paired)
		drop_noise(plot);
	sheet->panels = panels_of(plot, &sheet->count);
	if (!view->page.options.all && sheet->count > 0)
		qsort(sheet->panels, sheet->count, sizeof *sheet->panels, by_distance);
	sheet->hidden -= sheet->count;
	sheet->cause = sheet->paired ? plot_shared_cause(sheet->panels, sheet->count) : "";
	for (size_t i = 0; i < sheet->count; i++) {
		struct plot_panel *panel = sheet->panels[i];

		panel->description = ""; /* a cause that all tracks share is printed once */
		if (sheet->paired && plot_join_description(panel, *sheet->cause != '\0', error) != 0)
			return -1;

		/*
		 * A track is drawn as flat if it moves by less than a millionth of the others of its property, or only
		 * by the rounding of floats.
		 */
		double range = panel->top - panel->bottom, middle = panel->bottom + range / 2;
		double least = fmax(1e-6 * largest_of(sheet, panel->property),
				    panel->rounding * fmax(fabs(panel->top), fabs(panel->bottom)));

		panel->flat = !(range > least);
		if (!panel->flat)
			continue;
		least = least > 0 ? least : 1;
		panel->bottom = middle - least / 2;
		panel->top = middle + least / 2;
	}

	plot_heading(&view->page, sheet->clip);
	put_counts(&view->page, sheet);
	plot_line_end(&view->page);
	if (view->page.options.svg)
		plot_panels_draw(&view->page, sheet);
	else
		plot_panels_print(&view->page, sheet);
	if (sheet->paired && sheet->hidden > 0) {
		plot_line(&view->page);
		plot_count(&view->page, sheet->hidden, "more is off by at most ", "more are off by at most ");
		put_errors(&view->page, "", sheet->rest);
		plot_line_end(&view->page);
	}
	plot_lone(&view->page, &sheet->clip->apart);
	put_list(&view->page, "constant", &sheet->constant);
	put_list(&view->page, "texts", &sheet->texts);
	put_list(&view->page, "not played", &sheet->unplayed);

	forget_clip(plot);
	return 0;
}

/* --- The sink --- */

static int on_track(struct anim_sink *sink, const struct anim_track *track, struct anim_error *error)
{
	struct plot *plot = (struct plot *)sink;
	const char *label, *why;

	plot->tracks++;
	if (track->n == 0)
		return 0;
	anim_arena_reset(&plot->scratch);
	label = anim_label_copy(&plot->scratch, track->node, track->property, track->component, error);
	if (label == NULL)
		return -1;
	why = anim_plot_refusal(track);
	if (why != NULL && track->type == ANIM_STRING && (track->flags & ANIM_DISABLED) == 0)
		return add_name(plot, &plot->sheet.texts, label, "", error);
	if (why != NULL) {
		const char *reason = anim_arena_printf(&plot->scratch, error, " (%s)", why);

		return reason == NULL ? -1 : add_name(plot, &plot->sheet.unplayed, label, reason, error);
	}
	if (anim_track_is_constant(track)) {
		const char *value = "";

		if (plot->sheet.constant.listed < NAMED || plot->view.page.options.all)
			value = text_of_first(track, &plot->scratch, error);
		if (value != NULL && *value != '\0')
			value = anim_arena_printf(&plot->scratch, error, " = %s", value);
		return value == NULL ? -1 : add_name(plot, &plot->sheet.constant, label, value, error);
	}

	bool finite;
	double distance =
	    distance_of(track, &finite) *
	    weight_of(track, plot_unit_of(&plot->view.clip.head, track, plot->view.page.options.rotation));
	struct plot_panel **least = least_of(plot), *panel;
	struct anim_track *copy;
	int result;

	plot->sheet.hidden++;
	if (least != NULL && distance <= (*least)->distance)
		return 0;
	panel = anim_zeroed(sizeof *panel, error);
	if (panel == NULL)
		return -1;
	panel->distance = distance;
	panel->number = plot->tracks;
	panel->broken = !finite;
	/*
	 * Copy the track, or measure it at once if it is long. Measuring takes longer than copying, so tracks that others
	 * replace are not measured. Long tracks are not copied.
	 */
	if (plot->view.page.options.all || track->n > WAITING) {
		result = fill_panel(plot, panel, track, error);
	} else {
		panel->waiting = copy = anim_arena_zeroed(&panel->arena, 1, sizeof *copy, error);
		result = copy == NULL ? -1 : anim_track_copy(copy, track, &panel->arena, error);
	}
	if (result == 0)
		return keep(plot, panel, error);
	panel_free(panel);
	return list_failed(plot, label, error);
}

static void on_free(struct plot_view *view)
{
	struct plot *plot = (struct plot *)view;

	forget_clip(plot);
	anim_buffer_clear(&plot->panels);
	anim_buffer_clear(&plot->sheet.constant.text);
	anim_buffer_clear(&plot->sheet.unplayed.text);
	anim_buffer_clear(&plot->sheet.texts.text);
	anim_arena_clear(&plot->scratch);
}

const struct plot_kind plot_curves = {.size = sizeof(struct plot),
				      .light = {plot_svg_axes, plot_svg_safe},
				      .dark = {plot_svg_axes_dark, plot_svg_safe_dark},
				      .finish = finish,
				      .free = on_free,
				      .track = on_track};

/* --- Two curves and their error --- */

#define PROBES 4 /* times in a column at which the error is measured, besides its keys */

int plot_errors(const struct plot_clip *clip, size_t count, const struct anim_compare_shown *shown, float *out,
		struct anim_error *error)
{
	const struct plot_columns columns = {.start_s = clip->start_s, .end_s = clip->end_s, .count = count};
	double start = (double)shown->plays[0]->clip->start_s, off[PROBES], t[PROBES];
	size_t worst = plot_column_of(&columns, shown->at_s);

	for (size_t c = 0; c < count; c++) {
		double from = plot_column_time(&columns, c) - start, to = plot_column_time(&columns, c + 1) - start;

		for (unsigned i = 0; i < PROBES; i++)
			t[i] = from + (to - from) * i / (PROBES - 1);
		if (anim_compare_errors(shown, (const int[]){0, 1}, t, PROBES, 0, off, error) != 0)
			return -1;
		for (unsigned i = 0; i < PROBES; i++)
			out[c] = fmaxf(out[c], (float)off[i]);
	}
	if (worst < count) /* the picture includes the peak that the text reports */
		out[worst] = (float)shown->worst;
	return 0;
}

/*
 * Measure the columns of one side. `first` is the curve whose first key is the origin of both sides. NULL means this
 * curve.
 */
static int measure_side(struct plot *plot, struct plot_panel *panel, struct anim_source *play, double shift,
			const struct plot_curve *first, struct plot_curve *curve, struct plot_columns *columns,
			struct anim_error *error)
{
	size_t count = plot_panel_columns(&plot->view.page);

	if (plot_curve_open(curve, play, plot->view.page.options.rotation, error) != 0)
		return -1;
	if (first != NULL)
		memcpy(curve->first, first->first, sizeof curve->first);
	if (plot_columns_init(columns, plot->view.clip.start_s + shift, plot->view.clip.end_s + shift, count,
			      curve->components, &panel->arena, error) != 0)
		return -1;
	return plot_measure(curve, columns, error);
}

static int fill_pair(struct plot *plot, struct plot_panel *panel, const struct anim_compare_shown *shown,
		     struct anim_error *error)
{
	const struct anim_track *track = anim_source_first(shown->plays[1]);
	struct plot_curve curves[2];
	double shift = (double)shown->plays[1]->clip->start_s - (double)shown->plays[0]->clip->start_s;

	panel->paired = true;
	panel->title = anim_label_copy(&panel->arena, shown->node, shown->property, shown->component, error);
	panel->property = panel->title;
	panel->measure = shown->unit;
	panel->error_unit = anim_unit_names[shown->unit];
	panel->unit = shown->unit == ANIM_UNIT_ANGLE && plot->view.page.options.rotation == ANIM_PLOT_QUAT
			  ? ""
			  : panel->error_unit;
	if (panel->title == NULL ||
	    measure_side(plot, panel, shown->plays[0], 0, NULL, &curves[0], &panel->source, error) != 0 ||
	    measure_side(plot, panel, shown->plays[1], shift, &curves[0], &curves[1], &panel->columns, error) != 0)
		return -1;
	panel->error = anim_arena_zeroed(&panel->arena, panel->columns.count, sizeof *panel->error, error);
	panel->keyed = anim_arena_zeroed(&panel->arena, panel->columns.count, 1, error);
	if (panel->error == NULL || panel->keyed == NULL ||
	    plot_errors(&plot->view.clip, panel->source.count, shown, panel->error, error) != 0)
		return -1;
	for (unsigned i = 0; i < shown->plays[1]->count; i++)
		if (shown->plays[1]->tracks[i] != NULL)
			mark_keys(panel, shown->plays[1]->tracks[i]);
	if (plot_describe(panel, &plot->view.clip, shown, error) != 0)
		return -1;
	find_range(panel);
	name_components(panel, track, &curves[1]);
	if (plot->view.page.options.svg && shown->plays[1]->count == 1 && track->n <= SVG_DOTS &&
	    track->kind != ANIM_RAW)
		return find_dots(panel, &curves[1], track, error);
	return 0;
}

int anim_plot_pair(void *sink, const struct anim_compare_shown *shown, struct anim_error *error)
{
	struct plot *plot = sink;
	struct plot_panel **least, *panel;
	double weight = shown->unit == ANIM_UNIT_ANGLE    ? 3.14159265358979323846 / 180
			: shown->unit == ANIM_UNIT_PIXELS ? 0.01
							  : 1;

	if (plot_view_pair(&plot->view, shown->couple, shown->plays[0]->clip, error) != 0)
		return -1;
	plot->tracks++;
	plot->sheet.limited |= shown->limit > 0;
	plot->sheet.beyond += shown->limit > 0 && shown->worst > shown->limit;
	if (!plot->view.in_clip || (shown->worst == 0 && !plot->view.page.options.all))
		return 0;
	plot->sheet.off += shown->worst > 0;
	plot->sheet.hidden++;
	plot->sheet.worst[shown->unit] = fmax(plot->sheet.worst[shown->unit], shown->worst);
	least = least_of(plot);
	if (least != NULL) {
		bool stays = shown->worst * weight <= (*least)->distance;
		double *rest = &plot->sheet.rest[stays ? shown->unit : (*least)->measure];

		*rest = fmax(*rest, stays ? shown->worst : (*least)->worst);
		if (stays)
			return 0;
	}
	panel = anim_zeroed(sizeof *panel, error);
	if (panel == NULL)
		return -1;
	panel->distance = shown->worst * weight;
	panel->number = plot->tracks;
	panel->worst = shown->worst;
	panel->at_s = shown->at_s;
	panel->limit = shown->limit;
	if (fill_pair(plot, panel, shown, error) == 0)
		return keep(plot, panel, error);
	panel_free(panel);
	return -1;
}
