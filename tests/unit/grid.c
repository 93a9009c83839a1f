/* grid.c: where samples lie, and what a rate looks like. */
#include "filter/resample.h"

#include "tap.h"

static struct anim_grid grid_of(float start_s, float end_s, const char *rate, enum anim_grid_end end)
{
	struct anim_clip clip = {.start_s = start_s, .end_s = end_s, .name = "clip"};
	struct anim_grid grid = {0};
	uint32_t num, den;

	CHECK(anim_rate_parse(rate, &num, &den, NULL) == 0);
	CHECK(anim_grid_of_clip(&grid, &clip, num, den, end, NULL) == 0);
	return grid;
}

TEST(rates, "a rate is a whole number, a decimal, a ratio, with or without fps, or source")
{
	static const struct {
		const char *text;
		uint32_t num, den;
	} good[] = {{"30", 30, 1},
		    {"29.97", 2997, 100},
		    {"30000/1001", 30000, 1001},
		    {"24fps", 24, 1},
		    {"60000/1000", 60, 1},
		    {"0.5", 1, 2},
		    {".5", 1, 2},
		    {".5fps", 1, 2},
		    {"source", 0, 0},
		    {"23.976023976", 2997002997, 125000000},
		    {"29.97002997002997", 30000, 1001},
		    {"23.976023976023978", 24000, 1001},
		    {"59.94005994005994", 60000, 1001},
		    {"33.333333333333336", 100, 3},
		    {"0.3333333333333333", 1, 3},
		    {"30.00003000003", 10000000, 333333},
		    {"30.0000000000000001", 30, 1},
		    {"4294967295.0000000000", 4294967295, 1}};
	static const char *const bad[] = {"",
					  "walk.axs",
					  "0",
					  "-30",
					  "30/0",
					  "0/5",
					  "30 ",
					  "1e3",
					  "30.",
					  ".",
					  ".fps",
					  "./5",
					  "-.5",
					  "+30",
					  "0x1e",
					  "30fp",
					  "inf",
					  "nan",
					  "24/1/1",
					  "99999999999",
					  "18446744073.709551617",
					  "42949672950.999999999",
					  "4294967296.0000000000",
					  "0.00000000001"};
	uint32_t num, den;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		CHECKF(anim_rate_parse(good[i].text, &num, &den, NULL) == 0, "%s", good[i].text);
		CHECKF(num == good[i].num && den == good[i].den, "%s is %u/%u", good[i].text, num, den);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECKF(anim_rate_parse(bad[i], &num, &den, NULL) == -1, "%s", bad[i]);
}

TEST(reduced, "a ratio in lowest terms is of numbers from 1 on that 32 bits can hold")
{
	uint32_t num = 7, den = 7;

	CHECK(!anim_rate_reduce(0, 5, &num, &den) && !anim_rate_reduce(5, 0, &num, &den));
	CHECK(!anim_rate_reduce((uint64_t)UINT32_MAX + 1, 3, &num, &den) && num == 7 && den == 7);
	CHECK(anim_rate_reduce((uint64_t)UINT32_MAX * 4, 12, &num, &den) && num == UINT32_MAX / 3 && den == 1);
}

TEST(whole_frames, "an end that is a whole frame up to float32 is a sample, and nothing is past it")
{
	static const float lengths[] = {1.5f, 0.8f, 0.1f, 3.3333333f, 10.0f, 0.033333335f, 1234.5f};

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		struct anim_grid grid = grid_of(0, lengths[i], "30", ANIM_END_COVER);
		size_t frames = (size_t)(lengths[i] * 30 + 0.5f);

		CHECKF(grid.count == frames + 1 && !grid.past_end, "%g: %zu samples", lengths[i], grid.count);
	}
}

TEST(ends, "cover goes past the end, grid stops before it, fit bends the rate, loop leaves the first sample's copy out")
{
	struct anim_grid grid;
	double t[64];

	grid = grid_of(0, 1.02f, "30", ANIM_END_COVER);
	CHECK(grid.count == 32 && grid.past_end);
	anim_grid_times(&grid, 0, grid.count, t);
	CHECK(t[30] == 1.0 && t[31] == (double)1.02f);
	grid = grid_of(0, 1.02f, "30", ANIM_END_GRID);
	CHECK(grid.count == 31);
	grid = grid_of(0, 1.02f, "30", ANIM_END_FIT);
	CHECK(grid.count == 32 && grid.rate_num == 0);
	anim_grid_times(&grid, 0, grid.count, t);
	CHECK(t[31] == (double)1.02f);
	grid = grid_of(0, 1, "30", ANIM_END_LOOP);
	CHECK(grid.count == 30);
	grid = grid_of(0, 1.02f, "30", ANIM_END_LOOP);
	CHECK(grid.count == 31);
}

TEST(poses, "a clip of length 0 takes one sample, whatever the end")
{
	for (int end = ANIM_END_COVER; end <= ANIM_END_LOOP; end++) {
		struct anim_grid grid = grid_of(2, 2, "30", (enum anim_grid_end)end);
		double t;

		anim_grid_times(&grid, 0, 1, &t);
		CHECKF(grid.count == 1 && t == 2, "end %d: %zu at %g", end, grid.count, t);
	}
}

TEST(starts, "times begin at the clip's start")
{
	struct anim_grid grid = grid_of(-0.5f, 0.5f, "4", ANIM_END_COVER);
	double t[5];

	CHECK(grid.count == 5);
	anim_grid_times(&grid, 0, 5, t);
	CHECK(t[0] == -0.5 && t[2] == 0 && t[4] == 0.5);
}

TEST(too_many, "more samples than a track may have are refused before anything is sampled")
{
	struct anim_clip clip = {.end_s = 1e30f, .name = "long"};
	struct anim_grid grid;
	struct anim_error error;

	CHECK(anim_grid_of_clip(&grid, &clip, 30, 1, ANIM_END_COVER, &error) == -1 && error.code == ANIM_TOO_LARGE);
}
