/* unity_packed.c: bit-packed rotations, and sample rates as fractions. */
#include <math.h>
#include <string.h>

#include "format/unity/clip.h"
#include "tap.h"

static struct unity_packed packed(uint64_t count, unsigned bits, const char *data)
{
	return (struct unity_packed){.count = count, .bits = bits, .data = data, .digits = strlen(data)};
}

TEST(packed_times, "times are steps of a hundredth of a second that add up, whatever their width")
{
	static const struct {
		unsigned bits;
		const char *data;
		float wanted[4];
	} cases[] = {
	    {6, "802cCB", {0, 0.5f, 1.0f, 1.5f}},
	    {8, "00010203", {0, 0.01f, 0.03f, 0.06f}},
	    {1, "0d", {0.01f, 0.01f, 0.02f, 0.03f}},
	    {32, "00000000ffffffff0000000001000000", {0, 42949672.95f, 42949672.95f, 42949672.96f}},
	    {0, "", {0, 0, 0, 0}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct unity_packed times = packed(4, cases[i].bits, cases[i].data);
		float got[4];

		CHECK(unity_packed_times(&times, got, NULL) == 0);
		CHECKF(memcmp(got, cases[i].wanted, sizeof got) == 0, "%u: %g %g %g %g", cases[i].bits, (double)got[0],
		       (double)got[1], (double)got[2], (double)got[3]);
	}
}

TEST(packed_quats, "a rotation is within a step of what was packed, of length 1, its dropped part with its sign")
{
	static const float wanted[][4] = {
	    {0, 0, 0, 1}, {0, .3827f, 0, .9239f}, {0, .7071f, 0, .7071f}, {.5f, .5f, .5f, -.5f}};
	struct unity_packed values = packed(4, 0, "0308208003382c8003983680f8fb2f40");
	float got[16];

	CHECK(unity_packed_quats(&values, got, NULL) == 0);
	for (size_t i = 0; i < 4; i++) {
		double length = 0;

		for (size_t j = 0; j < 4; j++) {
			double off = fabs((double)got[4 * i + j]) - fabs((double)wanted[i][j]);

			length += (double)got[4 * i + j] * got[4 * i + j];
			CHECKF(fabs(off) < 1.0 / 256, "%zu %zu: %g", i, j, (double)got[4 * i + j]);
		}
		CHECKF(fabs(length - 1) < 1e-6, "%zu: %g", i, length);
	}
	/* x, the dropped one, is positive as its sign bit says, w of the other sign. */
	CHECK(got[12] * got[15] < 0 && got[12] * got[13] > 0 && got[12] * got[14] > 0);
}

TEST(packed_quat_widths, "the component behind the dropped one has 9 bits, the other two 10; all four can be dropped")
{
	/* All fields full: each is 1, and the radicand would be -2. */
	static const char *const full[] = {"f8ffffff", "f9ffffff", "faffffff", "fbffffff"};
	/* y, z, w of a dropped x: 0 but for rounding where the field is half of its range. */
	struct unity_packed half = packed(1, 0, "f80f0080");
	float got[4];

	for (unsigned dropped = 0; dropped < 4; dropped++) {
		struct unity_packed values = packed(1, 0, full[dropped]);

		CHECK(unity_packed_quats(&values, got, NULL) == 0);
		for (unsigned j = 0; j < 4; j++)
			CHECKF(j == dropped ? got[j] == 0 : fabs((double)got[j] - 1 / sqrt(3.0)) < 1e-6, "%u %u: %g",
			       dropped, j, (double)got[j]);
	}
	CHECK(unity_packed_quats(&half, got, NULL) == 0);
	/* 9 bits 511 -> 1, then 10 bits 0 -> -1, then 10 bits 512 -> 1/1023. */
	CHECKF(fabs((double)got[1] - 1 / sqrt(2.0)) < 1e-5 && fabs((double)got[2] + 1 / sqrt(2.0)) < 1e-5 &&
		   fabs((double)got[3] - 1 / 1023.0 / sqrt(2.0)) < 1e-6,
	       "%g %g %g", (double)got[1], (double)got[2], (double)got[3]);
}

TEST(packed_quat_sign, "the dropped component has the sign of its bit")
{
	static const char *const texts[] = {"f8fb2f40", "fcfb2f40"};
	float got[2][4];

	for (int i = 0; i < 2; i++) {
		struct unity_packed values = packed(1, 0, texts[i]);

		CHECK(unity_packed_quats(&values, got[i], NULL) == 0);
	}
	CHECK(got[0][0] > 0.5f && got[1][0] == -got[0][0] && memcmp(got[0] + 1, got[1] + 1, 12) == 0);
}

TEST(packed_refused, "data that are cut, no hexadecimal or too wide are refused, and never read beyond their end")
{
	static const struct {
		uint64_t count;
		unsigned bits;
		const char *data;
	} cases[] = {
	    {4, 6, "802c"},        {4, 6, "802ccb0"},      {4, 6, "802cxb"},
	    {1, 33, "0000000000"}, {UINT64_MAX, 32, "00"}, {1, 1, ""},
	};
	struct unity_packed cut = packed(2, 0, "0308208003382c");
	struct anim_error error;
	float got[8];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct unity_packed bad = packed(cases[i].count, cases[i].bits, cases[i].data);

		CHECKF(unity_packed_check(&bad, &error) == -1 && error.code == ANIM_BAD_INPUT, "%zu", i);
	}
	CHECK(unity_packed_quats(&cut, got, &error) == -1 && error.code == ANIM_BAD_INPUT);
}

TEST(packed_slopes, "signs become continuous and slopes are those of the neighbours, 0 where no time passes")
{
	const float times[] = {0, 0.5f, 0.5f, 2}, same[] = {1, 1};
	float q[] = {0, 0, 0, 1, 0, -0.6f, 0, -0.8f, 0, 0.6f, 0, 0.8f, 1, 0, 0, 0}, slopes[16];
	float two[] = {0, 0, 0, 1, 1, 0, 0, 0};

	unity_packed_slopes(times, q, slopes, 4);
	CHECK(q[5] == 0.6f && q[7] == 0.8f && q[9] == 0.6f);
	CHECK(slopes[1] == 0.6f / 0.5f && slopes[3] == (float)(((double)0.8f - 1) / 0.5)); /* one-sided */
	CHECK(slopes[5] == 0.6f / 0.5f);                                                   /* key 2 minus key 0 */
	CHECK(slopes[8] == (float)(1 / 1.5) && slopes[9] == (float)(-(double)0.6f / 1.5)); /* key 3 minus key 1 */
	CHECK(slopes[12] == (float)(1 / 1.5));
	unity_packed_slopes(same, two, slopes, 2);
	CHECK(slopes[0] == 0 && slopes[7] == 0);
	unity_packed_slopes(times, two, slopes, 1);
	CHECK(slopes[3] == 0);
}

TEST(rate_fractions, "a sample rate is the simplest fraction that is the same float, thousands over 1001 first")
{
	static const struct {
		double rate;
		uint32_t num, den;
	} cases[] = {
	    {60, 60, 1},
	    {1, 1, 1},
	    {29.97, 2997, 100},
	    {30000 / 1001.0, 30000, 1001},
	    {23.976, 2997, 125},
	    {12.5, 25, 2},
	    {24000 / 1001.0, 24000, 1001},
	    {60000 / 1001.0, 60000, 1001},
	    {14.985, 2997, 200},
	    {1 / 3.0, 1, 3},
	    {0.1, 1, 10},
	    {120000 / 1001.0, 120000, 1001},
	    {16777215, 16777215, 1},
	    {4294967040.0, 4294967040u, 1},
	    {1000, 1000, 1},
	    {59.94, 2997, 50},
	};
	static const double none[] = {0, -30, INFINITY, -INFINITY, NAN, 4294967296.0, 1e-30};
	uint32_t num, den;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CHECK(unity_rate_fraction((float)cases[i].rate, &num, &den));
		CHECKF(num == cases[i].num && den == cases[i].den, "%g: %u/%u", cases[i].rate, num, den);
	}
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		CHECKF(!unity_rate_fraction((float)none[i], &num, &den) && num == 0 && den == 0, "%g", none[i]);
}

TEST(rate_exact, "whatever fraction is found has the very float as its quotient")
{
	uint64_t state = 1;
	size_t found = 0;

	for (int i = 0; i < 200000; i++) {
		uint32_t bits, num, den;
		float rate;

		state = state * 6364136223846793005u + 1442695040888963407u;
		bits = (uint32_t)(state >> 33);
		memcpy(&rate, &bits, sizeof rate);
		if (!unity_rate_fraction(rate, &num, &den))
			continue;
		found++;
		if (!CHECKF((float)((double)num / den) == rate, "%a: %u/%u", (double)rate, num, den))
			return;
	}
	CHECK(found > 30000);
	for (uint32_t k = 1; k < 100000; k++) {
		uint32_t num, den;
		float rate = (float)k / 100;

		if (!CHECKF(unity_rate_fraction(rate, &num, &den) && den <= 1001, "%u: %u/%u", k, num, den))
			return;
	}
}
