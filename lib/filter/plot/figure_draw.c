/* figure_draw.c: stick figures, in the terminal and as SVG. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filter/plot/figure.h"
#include "filter/summary.h"

#define NONE UINT32_MAX

/* How points come onto the page, in dots or in tenths of a pixel, from the left and from above. */
struct stage {
	const struct figure_clip *clip;
	double scale, cell; /* of the tree's unit; between poses that stand side by side */
	double high;
};

/* `wide` in all, `most` high at most. */
static struct stage stage_of(const struct figure_clip *clip, double wide, double most)
{
	bool onion = clip->onion;
	double across = fmax(clip->most.x - clip->least.x, 1e-9) * (onion ? 1 : 1.06);
	double down = fmax(clip->most.y - clip->least.y, 1e-9);
	struct stage stage = {.clip = clip, .cell = wide / (double)(onion ? 1 : clip->poses)};

	stage.scale = fmin(stage.cell / across, most / down);
	if (!onion) /* figures that are high and narrow stand no farther apart than they are wide */
		stage.cell = fmin(stage.cell, 2 * across * stage.scale);
	stage.high = down * stage.scale;
	return stage;
}

static double across(const struct stage *stage, size_t cell, double x)
{
	double middle = (stage->clip->least.x + stage->clip->most.x) / 2;

	return ((double)cell + 0.5) * stage->cell + (x - middle) * stage->scale;
}

static double down(const struct stage *stage, double y)
{
	return (stage->clip->most.y - y) * stage->scale;
}

/* A root's place on the ground at sample k, as seen from a pose that stands by itself (NONE: where it was). */
static struct figure_point path_at(const struct figure_clip *clip, const struct figure_body *body, size_t k,
				   size_t pose)
{
	const struct figure_point *from;
	struct figure_point p = body->path[k];

	if (pose == NONE)
		return p;
	from = &clip->bodies[0].path[pose * FIGURE_STEPS];
	return (struct figure_point){p.x - from->x + clip->feet[pose].x, p.y - from->y + clip->feet[pose].y};
}

/* The first sample that is still in the pose's own place on the page. */
static size_t path_start(const struct stage *stage, const struct figure_body *body, size_t pose)
{
	size_t k = pose * FIGURE_STEPS;

	for (; k > 0; k--) {
		struct figure_point p = path_at(stage->clip, body, k - 1, pose);
		double x = across(stage, pose, p.x), y = down(stage, p.y);

		if (x < (double)pose * stage->cell || x > (double)(pose + 1) * stage->cell || y < 0 || y > stage->high)
			break;
	}
	return k;
}

/* Seen from above a line is no ground where figures stand at several places; their path is. */
static bool has_ground(const struct figure_clip *clip)
{
	return !clip->onion || clip->side != ANIM_PLOT_THREE_QUARTER;
}

/* The line of it: from above, feet that are nearer than the root stand below it on the page, and the line below them all. */
static double ground_of(const struct figure_clip *clip)
{
	const struct figure_body *first = &clip->bodies[0];
	double ground = clip->feet[0].y;

	for (size_t i = 0; clip->side == ANIM_PLOT_THREE_QUARTER && i < clip->poses * first->count; i++)
		ground = fmin(ground, first->points[i].y);
	return ground;
}

/* What lies pale behind the result. */
static bool is_source(const struct figure_clip *clip, const struct figure_body *body)
{
	return clip->count > 1 && body == clip->bodies;
}

/* "; 3 joints are off; worst: LeftFoot 3.2 mm at 1.433 s; beyond the limit: 2" */
static void print_off(struct anim_print *print, const struct figure_clip *clip,
		      void (*print_name)(struct anim_print *, const char *))
{
	anim_print_text(print, "; ");
	plot_print_count(print, clip->apart.off, "joint is off", "joints are off");
	if (clip->worst != NULL) {
		anim_print_text(print, "; worst: ");
		plot_print_worst(print, print_name, clip->worst, clip->apart.unit, clip->apart.worst_off,
				 clip->apart.at_s, clip->apart.shell);
	}
	if (clip->apart.beyond > 0) {
		anim_print_text(print, "; beyond the limit: ");
		anim_print_uint64(print, clip->apart.beyond);
	}
	plot_print_apart(print, &clip->clip);
}

/* "8 poses, each 0.25 s; 1.7 m high, travels 2.3 m" */
static void print_words(struct anim_print *print, const struct figure_clip *clip,
			void (*print_name)(struct anim_print *, const char *))
{
	char text[TEXT_NUMBER_MAX];

	if (clip->count == 0) {
		anim_print_text(print, clip->clip.apart.alone);
		return;
	}
	anim_print_text(print, clip->alone ? "a lone joint, " : "");
	plot_print_count(print, clip->poses, clip->alone ? "place" : "pose", clip->alone ? "places" : "poses");
	if (clip->poses > 1) {
		text_of_number(text, clip->step_s, "s");
		anim_print_texts(print, ", one each ", text);
	}
	if (!clip->alone) {
		text_of_number(text, clip->height, clip->length_unit);
		anim_print_texts(print, "; ", text, " high");
	}
	text_of_number(text, clip->travel, clip->length_unit);
	anim_print_texts(print, clip->alone ? "; travels " : ", travels ", text);
	if (clip->count > 1)
		print_off(print, clip, print_name);
}

static double time_of(const struct figure_clip *clip, size_t pose)
{
	return clip->clip.start_s + (double)pose * clip->step_s;
}

/* --- In the terminal --- */

#define ROWS 24 /* characters that figures are high at most */

enum ink { INK_NONE, INK_GROUND, INK_SOURCE, INK_PATH, INK_MIDDLE, INK_RIGHT, INK_LEFT };

struct canvas {
	enum anim_plot_charset charset;
	unsigned wide, high; /* dots of a character */
	size_t columns, rows;
	uint8_t *bits, *inks; /* of each character */
	bool from_right;      /* what is nearer covers the other */
};

static unsigned rank_of(const struct canvas *canvas, enum ink ink)
{
	return canvas->from_right && ink >= INK_RIGHT ? INK_RIGHT + INK_LEFT - ink : ink;
}

static void dot(struct canvas *canvas, long x, long y, enum ink ink)
{
	size_t at;

	if (x < 0 || y < 0 || (size_t)x >= canvas->columns * canvas->wide || (size_t)y >= canvas->rows * canvas->high)
		return;
	at = (size_t)y / canvas->high * canvas->columns + (size_t)x / canvas->wide;
	canvas->bits[at] |= (uint8_t)plot_dot(canvas->charset, (unsigned)x % canvas->wide, (unsigned)y % canvas->high);
	if (rank_of(canvas, ink) > rank_of(canvas, (enum ink)canvas->inks[at]))
		canvas->inks[at] = (uint8_t)ink;
}

/* What lies behind is dotted, so that it can be told without colours. */
static void line(struct canvas *canvas, double x0, double y0, double x1, double y1, enum ink ink)
{
	double steps = ceil(fmax(fabs(x1 - x0), fabs(y1 - y0)));

	for (double i = 0; i <= steps; i += ink == INK_SOURCE ? 2 : 1) {
		double part = steps > 0 ? i / steps : 0;

		dot(canvas, lrint(x0 + (x1 - x0) * part), lrint(y0 + (y1 - y0) * part), ink);
	}
}

static void draw_pose(struct canvas *canvas, const struct stage *stage, const struct figure_body *body, size_t pose,
		      size_t cell)
{
	const struct figure_point *points = body->points + pose * body->count;

	for (size_t i = 0; i < body->count; i++) {
		const struct figure_joint *joint = &body->joints[i];
		const struct figure_point *from;

		if (joint->parent == NONE && body->count > 1)
			continue;
		from = &points[joint->parent == NONE ? i : joint->parent];
		line(canvas, across(stage, cell, from->x), down(stage, from->y), across(stage, cell, points[i].x),
		     down(stage, points[i].y),
		     is_source(stage->clip, body) ? INK_SOURCE : (enum ink)(INK_MIDDLE + joint->side));
	}
}

/* The root's way up to a pose that stands by itself; NONE: all of it. */
static void draw_path(struct canvas *canvas, const struct stage *stage, const struct figure_body *body, size_t pose,
		      size_t cell)
{
	size_t first = pose == NONE ? 0 : path_start(stage, body, pose);
	size_t last = pose == NONE ? stage->clip->path_count - 1 : pose * FIGURE_STEPS;

	for (size_t k = first; k < last; k++) {
		struct figure_point a = path_at(stage->clip, body, k, pose),
				    b = path_at(stage->clip, body, k + 1, pose);

		line(canvas, across(stage, cell, a.x), down(stage, a.y), across(stage, cell, b.x), down(stage, b.y),
		     INK_PATH);
	}
}

static void draw_canvas(struct canvas *canvas, const struct stage *stage)
{
	const struct figure_clip *clip = stage->clip;
	bool onion = clip->onion;
	long ground = lrint(down(stage, ground_of(clip))), wide = (long)(canvas->columns * canvas->wide);

	for (long x = 0; has_ground(clip) && x < wide && (double)x < stage->cell * (double)(onion ? 1 : clip->poses);
	     x += 2)
		dot(canvas, x, ground, INK_GROUND);
	for (const struct figure_body *body = clip->bodies; body < clip->bodies + clip->count; body++) {
		bool source = is_source(clip, body);

		if (onion && !source)
			draw_path(canvas, stage, body, NONE, 0);
		for (size_t pose = 0; pose < clip->poses; pose++) {
			if (!onion && !source)
				draw_path(canvas, stage, body, pose, pose);
			draw_pose(canvas, stage, body, pose, onion ? 0 : pose);
		}
	}
}

static const char *color_of(const struct anim_plot_options *options, enum ink ink)
{
	static const char *const few[] = {"",
					  "\033[38;5;240m",
					  "\033[38;5;244m",
					  "\033[38;5;71m",
					  "\033[38;5;250m",
					  "\033[38;5;74m",
					  "\033[38;5;214m"};
	static const char *const many[] = {"",
					   "\033[38;2;95;95;95m",
					   "\033[38;2;125;125;125m",
					   "\033[38;2;80;170;80m",
					   "\033[38;2;185;185;185m",
					   "\033[38;2;86;180;233m",
					   "\033[38;2;230;159;0m"};

	if (options->color == ANIM_PLOT_PLAIN)
		return "";
	return options->color == ANIM_PLOT_RGB ? many[ink] : few[ink];
}

static void print_canvas(struct anim_print *print, const struct anim_plot_options *options, const struct canvas *canvas)
{
	for (size_t row = 0; row < canvas->rows; row++) {
		const uint8_t *bits = canvas->bits + row * canvas->columns,
			      *inks = canvas->inks + row * canvas->columns;
		size_t count = canvas->columns;
		uint8_t last = INK_NONE;

		while (count > 0 && bits[count - 1] == 0)
			count--;
		for (size_t i = 0; i < count; i++) {
			if (bits[i] != 0 && inks[i] != last)
				anim_print_text(print, color_of(options, (enum ink)(last = inks[i])));
			plot_print_dots(print, options->charset, bits[i]);
		}
		anim_print_text(print, last != INK_NONE && options->color != ANIM_PLOT_PLAIN ? "\033[0m\n" : "\n");
	}
}

/* The time of each pose below it, where there is room. */
static void print_times(struct anim_print *print, const struct stage *stage, unsigned dots)
{
	size_t behind = 0;

	for (size_t pose = 0; pose < stage->clip->poses; pose++) {
		char text[TEXT_NUMBER_MAX];
		size_t middle = (size_t)(((double)pose + 0.5) * stage->cell / dots), length, at;

		text_of_number(text, time_of(stage->clip, pose), "s");
		length = strlen(text);
		at = middle > length / 2 ? middle - length / 2 : 0;
		if (at < behind + (behind > 0))
			continue;
		anim_print_spaces(print, at - behind);
		anim_print_text(print, text);
		behind = at + length;
	}
	anim_print_text(print, "\n");
}

void figure_terminal_clip(struct anim_print *print, const struct anim_plot_options *options,
			  const struct figure_clip *clip, bool first)
{
	struct canvas canvas = {
	    .charset = options->charset, .columns = options->width, .from_right = clip->side == ANIM_PLOT_SIDE};
	struct anim_arena arena = {0};
	struct stage stage;

	anim_print_text(print, first ? "" : "\n");
	plot_terminal_heading(print, options, &clip->clip);
	print_words(print, clip, plot_print_safe);
	anim_print_text(print, "\n");
	if (clip->count == 0)
		return;
	plot_dots_of(options->charset, &canvas.wide, &canvas.high);
	stage = stage_of(clip, (double)(canvas.columns * canvas.wide - 1), ROWS * canvas.high - 1);
	canvas.rows = (size_t)lrint(stage.high) / canvas.high + 1;
	canvas.bits = anim_arena_zeroed(&arena, canvas.rows * canvas.columns, 1, print->error);
	canvas.inks = anim_arena_zeroed(&arena, canvas.rows * canvas.columns, 1, print->error);
	print->failed |= canvas.bits == NULL || canvas.inks == NULL;
	if (!print->failed) {
		draw_canvas(&canvas, &stage);
		print_canvas(print, options, &canvas);
		if (!clip->onion)
			print_times(print, &stage, canvas.wide);
	}
	anim_arena_clear(&arena);
}

/* --- As SVG: in tenths of a pixel --- */

#define HIGH 3000 /* figures are high at most */
#define DOT 60    /* a lone joint's width */
#define SWAY 60   /* of the root, which has no trail then */
#define MARGIN 26 /* pixels above, for heads */

const char figure_svg_light[] =
    ".l,.r,.m,.p{fill:none;stroke-linecap:round;stroke-linejoin:round}.l{stroke:#e69f00}"
    ".r{stroke:#2f8fd0}.m{stroke:#777}.p{stroke:#3a9a5c;stroke-width:18;stroke-dasharray:1 45}"
    ".b{fill:none;stroke:#888;stroke-linecap:round;stroke-linejoin:round}.e{fill:#888}"
    ".g{stroke:#aaa;stroke-width:8}.d{fill:#777}";
const char figure_svg_dark[] = ".r{stroke:#56b4e9}.m{stroke:#b5b5b5}.d{fill:#b5b5b5}.g{stroke:#666}.p{stroke:#5fc287}";

/* The limbs of one side (FIGURE_SIDES: of all), those that follow each other as one line. */
static void draw_limbs(struct anim_print *print, const struct stage *stage, const struct figure_body *body, size_t pose,
		       size_t cell, enum figure_side side, const char *class)
{
	const struct figure_point *points = body->points + pose * body->count;
	uint32_t last = NONE;
	char text[128];
	bool any = false;

	for (uint32_t i = 0; i < body->count; i++) {
		uint32_t above = body->joints[i].parent;
		long x = lrint(across(stage, cell, points[i].x)), y = lrint(down(stage, points[i].y));

		if ((side != FIGURE_SIDES && body->joints[i].side != side) || (above == NONE && body->count > 1))
			continue;
		above = above == NONE ? i : above;
		anim_print_texts(print, any ? "" : "<path class=\"", any ? "" : class, any ? "" : "\" d=\"");
		if (above != last) {
			snprintf(text, sizeof text, "M%ld %ld", lrint(across(stage, cell, points[above].x)),
				 lrint(down(stage, points[above].y)));
			anim_print_text(print, text);
		}
		snprintf(text, sizeof text, "L%ld %ld", x, y);
		anim_print_text(print, text);
		last = i;
		any = true;
	}
	anim_print_text(print, any ? "\"/>" : "");
}

/* What a head ends with, where the skeleton has it: the farthest joint that hangs on it, on neither side. NONE: nothing. */
static uint32_t end_of(const struct figure_body *body, const struct figure_point *points, uint32_t head, double *length)
{
	uint32_t end = NONE;

	*length = 0;
	for (uint32_t i = 0; i < body->count; i++) {
		double dx = points[i].x - points[head].x, dy = points[i].y - points[head].y;

		if (body->joints[i].parent != head || body->joints[i].side != FIGURE_MIDDLE ||
		    sqrt(dx * dx + dy * dy) <= *length)
			continue;
		*length = sqrt(dx * dx + dy * dy);
		end = i;
	}
	return end;
}

/* A head is round: from its joint to its end, where that is known. */
static void draw_head(struct anim_print *print, const struct stage *stage, const struct figure_body *body, size_t pose,
		      size_t cell)
{
	const struct figure_point *points = body->points + pose * body->count;
	bool source = is_source(stage->clip, body);
	char text[128];

	for (uint32_t i = 0; i < body->count; i++) {
		double radius = stage->clip->height * 0.05, length, part;
		uint32_t above = body->joints[i].parent, end = end_of(body, points, i, &length);
		struct figure_point p = points[i], toward;

		if (!body->joints[i].head || above == NONE)
			continue;
		if (length < radius) { /* no end, or seen from above */
			end = NONE;
			length = fmax(sqrt((p.x - points[above].x) * (p.x - points[above].x) +
					   (p.y - points[above].y) * (p.y - points[above].y)),
				      1e-9);
		}
		toward = end == NONE ? (struct figure_point){p.x - points[above].x, p.y - points[above].y}
				     : (struct figure_point){points[end].x - p.x, points[end].y - p.y};
		radius = end == NONE ? radius : length * 0.58; /* over the round end of its line */
		part = end == NONE ? 0.7 * radius / length : 0.5;
		snprintf(text, sizeof text, "<circle class=\"%c\" cx=\"%ld\" cy=\"%ld\" r=\"%ld\"/>",
			 source ? 'e' : 'd', lrint(across(stage, cell, p.x + toward.x * part)),
			 lrint(down(stage, p.y + toward.y * part)), lrint(radius * stage->scale * (source ? 1.2 : 1)));
		anim_print_text(print, text);
	}
}

/* A root that sways by some pixels goes nowhere: what is drawn of that looks like dirt. */
static bool goes_on(const struct stage *stage, const struct figure_body *body)
{
	const struct figure_point *path = body->path;
	double way = 0;

	for (size_t k = 1; k < stage->clip->path_count; k++)
		way = fmax(way, fmax(fabs(path[k].x - path[0].x), fabs(path[k].y - path[0].y)));
	return way * stage->scale > SWAY;
}

/* The root's way up to a pose that stands by itself; NONE: all of it. */
static void draw_trail(struct anim_print *print, const struct stage *stage, const struct figure_body *body, size_t pose,
		       size_t cell)
{
	size_t first = pose == NONE ? 0 : path_start(stage, body, pose);
	size_t last = pose == NONE ? stage->clip->path_count - 1 : pose * FIGURE_STEPS;
	char text[64];
	long from_x = 0, from_y = 0;
	bool any = false;

	if (!goes_on(stage, body))
		return;
	for (size_t k = first; k <= last; k++) {
		struct figure_point p = path_at(stage->clip, body, k, pose);
		long x = lrint(across(stage, cell, p.x)), y = lrint(down(stage, p.y));

		if (any && x == from_x && y == from_y)
			continue;
		snprintf(text, sizeof text, any ? "l%ld %ld" : "<path class=\"p\" d=\"M%ld %ld", x - from_x,
			 y - from_y);
		anim_print_text(print, text);
		from_x = x;
		from_y = y;
		any = true;
	}
	anim_print_text(print, any ? "\"/>" : "");
}

static void draw_body(struct anim_print *print, const struct stage *stage, const struct figure_body *body, size_t pose,
		      size_t cell)
{
	bool from_right = stage->clip->side == ANIM_PLOT_SIDE;

	draw_limbs(print, stage, body, pose, cell, from_right ? FIGURE_LEFT : FIGURE_RIGHT, from_right ? "l" : "r");
	draw_limbs(print, stage, body, pose, cell, FIGURE_MIDDLE, "m");
	draw_head(print, stage, body, pose, cell);
	draw_limbs(print, stage, body, pose, cell, from_right ? FIGURE_RIGHT : FIGURE_LEFT, from_right ? "r" : "l");
}

/* Lines of a figure; the source's are wide and pale. */
static void draw_figure(struct anim_print *print, const struct stage *stage, const struct figure_body *body,
			size_t pose)
{
	const struct figure_clip *clip = stage->clip;
	bool source = is_source(clip, body);
	double age = !clip->onion || clip->poses == 1 ? 1 : (double)pose / (double)(clip->poses - 1);
	long width = clip->alone ? DOT : lrint(fmin(fmax(clip->height * stage->scale * 0.016, 16), 40));
	long opacity = lrint((30 + 69 * age) * (source ? 0.4 : 1));
	size_t cell = clip->onion ? 0 : pose;
	char text[96];

	snprintf(text, sizeof text, "<g stroke-width=\"%ld\"", source ? 3 * width : width);
	anim_print_text(print, text);
	snprintf(text, sizeof text, " opacity=\".%02ld\"", opacity);
	anim_print_texts(print, clip->onion || source ? text : "", "><title>");
	plot_svg_number(print, time_of(clip, pose), "s");
	anim_print_text(print, "</title>");
	if (source) {
		draw_limbs(print, stage, body, pose, cell, FIGURE_SIDES, "b");
		draw_head(print, stage, body, pose, cell);
	} else {
		draw_body(print, stage, body, pose, cell);
	}
	anim_print_text(print, "</g>\n");
}

/* Times below the poses, as many as have room. */
static void draw_times(struct anim_print *print, const struct stage *stage, size_t y)
{
	double behind = 0;
	char text[96];

	for (size_t pose = 0; pose < stage->clip->poses; pose++) {
		double x = ((double)pose + 0.5) * stage->cell / 10;

		if (x < behind)
			continue;
		snprintf(text, sizeof text, "<text class=\"v\" x=\"%ld\" y=\"%zu\">", PLOT_SVG_GAP + lrint(x), y);
		anim_print_text(print, text);
		plot_svg_number(print, time_of(stage->clip, pose), "s");
		anim_print_text(print, "</text>");
		behind = x + 44;
	}
	anim_print_text(print, "\n");
}

void figure_svg_clip(struct plot_svg *svg, const struct figure_clip *clip, struct anim_error *error)
{
	struct anim_print print = {.buffer = &svg->body, .error = error, .failed = svg->failed};
	struct stage stage;
	char text[128];
	long wide;

	plot_svg_heading(svg, &print, &clip->clip);
	print_words(&print, clip, plot_print_xml);
	plot_svg_text_end(svg, &print);
	svg->failed = print.failed;
	if (clip->count == 0)
		return;
	stage = stage_of(clip, (PLOT_SVG_WIDE - 2 * PLOT_SVG_GAP) * 10, HIGH);
	wide = lrint(stage.cell * (double)(clip->onion ? 1 : clip->poses));
	snprintf(text, sizeof text, "<g transform=\"translate(%d %zu)scale(.1)\">", PLOT_SVG_GAP, svg->high + MARGIN);
	anim_print_text(&print, text);
	snprintf(text, sizeof text, "<path class=\"g\" d=\"M0 %ldh%ld\"/>", lrint(down(&stage, ground_of(clip))), wide);
	anim_print_text(&print, has_ground(clip) ? text : "");
	for (const struct figure_body *body = clip->bodies; body < clip->bodies + clip->count; body++) {
		if (clip->onion && !is_source(clip, body))
			draw_trail(&print, &stage, body, NONE, 0);
		for (size_t pose = 0; pose < clip->poses; pose++) {
			if (!clip->onion && !is_source(clip, body))
				draw_trail(&print, &stage, body, pose, pose);
			draw_figure(&print, &stage, body, pose);
		}
	}
	anim_print_text(&print, "</g>\n");
	svg->high += (size_t)(stage.high / 10) + MARGIN + 4;
	if (!clip->onion) {
		draw_times(&print, &stage, svg->high + 14);
		svg->high += 20;
	}
	svg->high += PLOT_SVG_GAP;
	svg->failed = print.failed;
}
