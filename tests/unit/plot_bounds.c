/* plot_bounds.c: the outermost of many keys and turns, against every key and every segment looked at. */
#include <math.h>
#include <string.h>

#include "filter/plot/internal.h"
#include "tap.h"

#define KEYS 4000

static uint64_t state;

static double uniform(double low, double high)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static float time[KEYS], value[4 * KEYS], left[4 * KEYS], right[4 * KEYS];

/* Waves with noise: few keys are near the outermost. */
static void random_track(struct anim_track *track, unsigned components, enum anim_interp mode)
{
	double noise = uniform(0, 0.3), wave = uniform(0.001, 0.1), t = 0;

	*track = (struct anim_track){.kind = mode == ANIM_HOLD ? ANIM_DISCRETE : ANIM_CURVE,
				     .type = (enum anim_type)(ANIM_FLOAT + components - 1),
				     .interp = (uint8_t)mode,
				     .n = KEYS,
				     .time = time,
				     .value = value,
				     .left = left,
				     .right = right};
	for (size_t k = 0; k < KEYS; k++) {
		time[k] = (float)t;
		t += uniform(0.5, 1.5) / 30;
		for (unsigned i = 0; i < components; i++) {
			size_t at = k * components + i;

			value[at] = (float)(sin(wave * (double)k + i) + noise * uniform(-1, 1));
			left[at] = (float)uniform(-9, 9);
			right[at] = k % 97 == 5 ? INFINITY : (float)uniform(-9, 9);
		}
	}
}

static void look_at_all(const struct anim_track *track, size_t first, size_t last, unsigned lane, double *least,
			double *most)
{
	struct plot_reach reach;

	for (size_t k = first; k <= last; k++) {
		double v = (double)value[k * anim_types[track->type].components + lane];

		*least = fmin(*least, v);
		*most = fmax(*most, v);
		if (k < last && plot_reach_of(track, lane, k, &reach)) {
			*least = fmin(*least, reach.least);
			*most = fmax(*most, reach.most);
		}
	}
}

TEST(plot_bounds, "of many keys and turns the outermost are found")
{
	static const enum anim_interp modes[] = {ANIM_HOLD, ANIM_LINEAR, ANIM_HERMITE, ANIM_CUBIC_TIME,
						 ANIM_CUBIC_UNIFORM};
	struct anim_track track;

	state = 7;
	for (int i = 0; i < 400; i++) {
		unsigned components = 1 + (unsigned)i % 4;
		size_t count = (size_t)uniform(0, i % 3 == 0 ? 20 : KEYS - 3);
		size_t first = 1 + (size_t)uniform(0, (double)(KEYS - 3 - count)), last = first + count;
		struct plot_outer outer[PLOT_PLAIN_LANES] = {{0}};

		random_track(&track, components, modes[i % 5]);
		CHECK(plot_is_plain(&track));
		for (unsigned lane = 0; lane < components; lane++)
			outer[lane] = (struct plot_outer){.least = INFINITY, .most = -INFINITY};
		CHECK(plot_find_outermost(&track, first, last, outer));
		for (unsigned lane = 0; lane < components; lane++) {
			double least = INFINITY, most = -INFINITY;

			look_at_all(&track, first, last, lane, &least, &most);
			CHECKF(fabs(outer[lane].least - least) < 3e-7 && fabs(outer[lane].most - most) < 3e-7,
			       "%d, lane %u: %.9g .. %.9g, not %.9g .. %.9g", i, lane, outer[lane].least,
			       outer[lane].most, least, most);
			CHECK(outer[lane].sinks && outer[lane].rises && outer[lane].lowest >= first &&
			      outer[lane].highest <= last);
		}
	}
}

TEST(plot_bounds_equal_times, "two keys of a curve without slopes at one time are left to the caller")
{
	struct plot_outer outer[PLOT_PLAIN_LANES] = {{0}};
	struct anim_track track;

	random_track(&track, 1, ANIM_CUBIC_TIME);
	time[100] = time[101];
	CHECK(!plot_find_outermost(&track, 90, 110, outer));
	CHECK(plot_find_outermost(&track, 110, 120, outer));
}
