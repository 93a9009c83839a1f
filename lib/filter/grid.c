/* grid.c: the times at which a clip is sampled. */
#include "filter/grid.h"

#include <math.h>
#include <string.h>

#include "base/limits.h"

/* An end is on the grid where it misses a sample by no more than float32 times explain. */
static bool is_whole(double frames)
{
	double miss = fabs(frames - rint(frames));
	double allowed = fmax(1e-4, frames * 0x1p-23);

	return miss <= fmin(0.01, allowed);
}

/* Frames from the start to the last sample; *fit_s is the length of a frame where the rate is bent. */
static double last_frame(double frames, enum anim_grid_end end, double length_s, double *fit_s)
{
	double whole = rint(frames);
	bool meets = is_whole(frames);

	*fit_s = 0;
	switch (end) {
	case ANIM_END_GRID:
		return meets ? whole : floor(frames);
	case ANIM_END_FIT:
		if (length_s > 0) {
			whole = fmax(whole, 1);
			*fit_s = meets ? 0 : length_s / whole;
		}
		return whole;
	case ANIM_END_LOOP:
		return fmax(meets ? whole - 1 : floor(frames), 0);
	case ANIM_END_COVER:
		break;
	}
	return meets ? whole : ceil(frames);
}

/* How often a clip is run through. */
static double passes_of(const struct anim_clip *clip, unsigned loops)
{
	if (clip->loop == ANIM_LOOP_NONE || !(clip->end_s > clip->start_s))
		return 1;
	return clip->loop == ANIM_LOOP_PINGPONG ? 2.0 * loops : loops;
}

int anim_grid_of_clip(struct anim_grid *grid, const struct anim_clip *clip, uint32_t num, uint32_t den,
		      enum anim_grid_end end, struct anim_error *error)
{
	struct anim_clip once = *clip;

	once.loop = ANIM_LOOP_NONE;
	return anim_grid_of_loops(grid, &once, num, den, end, 1, error);
}

int anim_grid_of_loops(struct anim_grid *grid, const struct anim_clip *clip, uint32_t num, uint32_t den,
		       enum anim_grid_end end, unsigned loops, struct anim_error *error)
{
	double once_s = (double)clip->end_s - (double)clip->start_s, passes = passes_of(clip, loops);
	double length_s = once_s * passes, frames = length_s * num / den;
	double last = last_frame(frames, end, length_s, &grid->step_s);

	if (!(last < (double)ANIM_KEYS_MAX))
		return anim_fail(error, ANIM_TOO_LARGE, "clip '%s' would take %.0f samples; at most %u are possible",
				 clip->name, last + 1, ANIM_KEYS_MAX);
	grid->start_s = clip->start_s;
	grid->end_s = passes > 1 ? clip->start_s + length_s : clip->end_s;
	grid->length_s = once_s;
	grid->passes = (unsigned)fmin(passes, UINT32_MAX);
	grid->back = clip->loop == ANIM_LOOP_PINGPONG;
	grid->rate_num = grid->step_s > 0 ? 0 : num;
	grid->rate_den = grid->step_s > 0 ? 0 : den;
	grid->count = (size_t)last + 1;
	grid->past_end = end == ANIM_END_COVER && last > frames && !is_whole(frames);
	return 0;
}

double anim_grid_at(const struct anim_grid *grid, size_t k)
{
	double num = grid->rate_num, den = grid->rate_den;
	double at = grid->start_s + (grid->rate_num > 0 ? (double)k * den / num : (double)k * grid->step_s);

	return at < grid->end_s ? at : grid->end_s;
}

/* A time of all passes as the time that its pass shows. */
static double fold(const struct anim_grid *grid, double at)
{
	double step = grid->rate_num > 0 ? (double)grid->rate_den / grid->rate_num : grid->step_s;
	double length = grid->length_s, pass, into;

	pass = fmin(floor((at - grid->start_s + 1e-4 * fmin(step, length)) / length), grid->passes - 1.0);
	into = fmin(fmax(at - grid->start_s - pass * length, 0), length);
	return grid->start_s + (grid->back && fmod(pass, 2) == 1 ? length - into : into);
}

void anim_grid_times(const struct anim_grid *grid, size_t first, size_t count, double *t)
{
	for (size_t i = 0; i < count; i++)
		t[i] = anim_grid_at(grid, first + i);
	for (size_t i = 0; i < count && grid->passes > 1; i++)
		t[i] = fold(grid, t[i]);
}

void anim_grid_track(const struct anim_grid *grid, const struct anim_track *like, struct anim_track *out)
{
	static const struct anim_track none;

	*out = none;
	out->kind = ANIM_RAW;
	out->type = like->type;
	out->rules = ANIM_RULES_PLAIN;
	out->node = like->node;
	out->property = like->property;
	out->component = like->component;
	out->flags = like->flags & ~(ANIM_LOOP_WRAP_KEYS | ANIM_UNSORTED);
	out->attrs = like->attrs;
	out->n = grid->count;
	out->step_s = grid->step_s;
	out->rate_num = grid->rate_num;
	out->rate_den = grid->rate_den;
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Digits into *value, at most 10 of them beyond leading zeros; returns what follows, NULL where there is no digit. */
static const char *digits(const char *text, uint64_t *value, unsigned *count)
{
	*value = 0;
	for (*count = 0; *text >= '0' && *text <= '9'; text++, ++*count) {
		if (*value > UINT32_MAX)
			return NULL;
		*value = *value * 10 + (uint64_t)(*text - '0');
	}
	return *count > 0 ? text : NULL;
}

/* "29.97" or "30000/1001" into num/den; returns what follows, NULL where it is neither. */
static const char *ratio(const char *text, uint64_t *num, uint64_t *den)
{
	uint64_t part;
	unsigned count;

	*den = 1;
	if ((text = digits(text, num, &count)) == NULL)
		return NULL;
	if (*text == '/')
		return digits(text + 1, den, &count);
	if (*text != '.')
		return text;
	if ((text = digits(text + 1, &part, &count)) == NULL || count > 9)
		return NULL;
	while (count-- > 0)
		*den *= 10;
	if (__builtin_mul_overflow(*num, *den, num) || __builtin_add_overflow(*num, part, num))
		return NULL;
	return text;
}

int anim_rate_parse(const char *text, uint32_t *num, uint32_t *den, struct anim_error *error)
{
	uint64_t n, d, divisor;
	const char *rest;

	*num = *den = 0;
	if (strcmp(text, "source") == 0)
		return 0;
	rest = ratio(text, &n, &d);
	if (rest == NULL || (*rest != '\0' && strcmp(rest, "fps") != 0) || n == 0 || d == 0)
		return anim_fail(
		    error, ANIM_BAD_INPUT,
		    "'%s' is not a rate; a rate is samples a second: 30, 29.97, 30000/1001, 24fps or source", text);
	divisor = greatest_divisor(n, d);
	n /= divisor;
	d /= divisor;
	if (n > UINT32_MAX || d > UINT32_MAX)
		return anim_fail(error, ANIM_BAD_INPUT, "the rate '%s' has too many digits", text);
	*num = (uint32_t)n;
	*den = (uint32_t)d;
	return 0;
}
