/* unity_packed.c: bit-packed rotations, and sample rates as fractions. */
#include <math.h>
#include <string.h>

#include "format/unity/clip.h"
#include "format/unity/names.h"
#include "tap.h"

static struct unity_packed packed(uint64_t count, unsigned bits, const char *data)
{
	return (struct unity_packed){.count = count, .bits = bits, .data = data, .digits = strlen(data)};
}

#define KEYS_MAX 4

/* The columns of a curve, copied. */
struct unpacked {
	size_t n;
	float time[KEYS_MAX], q[4 * KEYS_MAX], slopes[4 * KEYS_MAX];
};

static bool unpack(struct unity_packed times, struct unity_packed rotations, struct unpacked *out)
{
	struct anim_arena arena = {0};
	struct anim_track track = {.n = 0};
	bool good = CHECK(unity_packed_read(&times, &rotations, &arena, &track, NULL) == 0 && track.n <= KEYS_MAX);

	if (good) {
		out->n = track.n;
		memcpy(out->time, track.time, track.n * sizeof(float));
		memcpy(out->q, track.value, 4 * track.n * sizeof(float));
		memcpy(out->slopes, track.left, 4 * track.n * sizeof(float));
		CHECK(track.left == track.right);
	}
	anim_arena_clear(&arena);
	return good;
}

/* Rotations alone, all at 0 s. */
static bool unpack_rotations(uint64_t count, const char *data, struct unpacked *out)
{
	return unpack(packed(count, 0, ""), packed(count, 0, data), out);
}

#define FOUR "0308208003382c8003983680f8fb2f40"

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
	struct unpacked got;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (unpack(packed(4, cases[i].bits, cases[i].data), packed(4, 0, FOUR), &got))
			CHECKF(memcmp(got.time, cases[i].wanted, sizeof got.time) == 0, "%u: %g %g %g %g",
			       cases[i].bits, (double)got.time[0], (double)got.time[1], (double)got.time[2],
			       (double)got.time[3]);
}

TEST(packed_quats, "a rotation is within a step of what was packed, of length 1, its dropped part with its sign")
{
	static const float wanted[][4] = {
	    {0, 0, 0, 1}, {0, .3827f, 0, .9239f}, {0, .7071f, 0, .7071f}, {.5f, .5f, .5f, -.5f}};
	struct unpacked got;

	if (!unpack_rotations(4, FOUR, &got))
		return;
	for (size_t i = 0; i < 4; i++) {
		double length = 0;

		for (size_t j = 0; j < 4; j++) {
			double off = fabs((double)got.q[4 * i + j]) - fabs((double)wanted[i][j]);

			length += (double)got.q[4 * i + j] * got.q[4 * i + j];
			CHECKF(fabs(off) < 1.0 / 256, "%zu %zu: %g", i, j, (double)got.q[4 * i + j]);
		}
		CHECKF(fabs(length - 1) < 1e-6, "%zu: %g", i, length);
	}
	/* x, the dropped one, is positive as its sign bit says, w of the other sign. */
	CHECK(got.q[12] * got.q[15] < 0 && got.q[12] * got.q[13] > 0 && got.q[12] * got.q[14] > 0);
}

TEST(packed_quat_widths, "the component behind the dropped one has 9 bits, the other two 10; all four can be dropped")
{
	/* All fields full: each is 1, and the radicand would be -2. */
	static const char *const full[] = {"f8ffffff", "f9ffffff", "faffffff", "fbffffff"};
	struct unpacked got;

	for (unsigned dropped = 0; dropped < 4; dropped++)
		for (unsigned j = 0; j < 4 && unpack_rotations(1, full[dropped], &got); j++)
			CHECKF(j == dropped ? got.q[j] == 0 : fabs((double)got.q[j] - 1 / sqrt(3.0)) < 1e-6,
			       "%u %u: %g", dropped, j, (double)got.q[j]);
	/* y, z, w of a dropped x: 9 bits 511 -> 1, then 10 bits 0 -> -1, then 10 bits 512 -> 1/1023. */
	if (unpack_rotations(1, "f80f0080", &got))
		CHECKF(fabs((double)got.q[1] - 1 / sqrt(2.0)) < 1e-5 && fabs((double)got.q[2] + 1 / sqrt(2.0)) < 1e-5 &&
			   fabs((double)got.q[3] - 1 / 1023.0 / sqrt(2.0)) < 1e-6,
		       "%g %g %g", (double)got.q[1], (double)got.q[2], (double)got.q[3]);
}

TEST(packed_quat_sign, "the dropped component has the sign of its bit")
{
	struct unpacked plus, minus;

	if (unpack_rotations(1, "f8fb2f40", &plus) && unpack_rotations(1, "fcfb2f40", &minus))
		CHECK(plus.q[0] > 0.5f && minus.q[0] == -plus.q[0] &&
		      memcmp(plus.q + 1, minus.q + 1, 3 * sizeof(float)) == 0);
}

TEST(packed_refused, "data that are cut, no hexadecimal or too wide are refused, and never read beyond their end")
{
	static const struct {
		uint64_t count;
		unsigned bits;
		const char *data;
	} cases[] = {
	    {4, 6, "802c"}, {4, 6, "802ccb0"}, {4, 6, "802cxb"}, {4, 33, "0000000000"}, {4, 1, ""}, {3, 6, "802ccb"},
	};
	struct unity_packed four = packed(4, 0, FOUR), cut = packed(2, 0, "0308208003382c"),
			    many = packed(UINT64_MAX, 0, FOUR), times = packed(2, 0, "");
	struct anim_arena arena = {0};
	struct anim_track track = {.n = 0};
	struct anim_error error;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct unity_packed bad = packed(cases[i].count, cases[i].bits, cases[i].data);

		CHECKF(unity_packed_read(&bad, &four, &arena, &track, &error) == -1 && error.code == ANIM_BAD_INPUT,
		       "%zu", i);
	}
	CHECK(unity_packed_read(&times, &cut, &arena, &track, &error) == -1 && error.code == ANIM_BAD_INPUT);
	times.count = UINT64_MAX;
	CHECK(unity_packed_read(&times, &many, &arena, &track, &error) == -1 && error.code == ANIM_BAD_INPUT);
	anim_arena_clear(&arena);
}

/* The slopes of key k by those before and after it. */
static void check_slopes(const struct unpacked *got, size_t k, size_t before, size_t after)
{
	double duration = (double)got->time[after] - got->time[before];

	for (size_t j = 0; j < 4; j++) {
		double change = (double)got->q[4 * after + j] - got->q[4 * before + j];
		float wanted = duration > 0 ? (float)(change / duration) : 0;

		CHECKF(got->slopes[4 * k + j] == wanted, "%zu %zu: %g", k, j, (double)got->slopes[4 * k + j]);
	}
}

TEST(packed_slopes, "signs become continuous and slopes are those of the neighbours, 0 where no time passes")
{
	/* A rotation, the same with its signs turned, another twice. */
	static const char turned[] = "f8fb2f40"
				     "04040040"
				     "03382c80"
				     "03382c80";
	struct unpacked got;

	if (!unpack(packed(4, 8, "00320064"), packed(4, 0, turned), &got))
		return;
	for (size_t k = 1; k < 4; k++) {
		double dot = 0;

		for (size_t j = 0; j < 4; j++)
			dot += (double)got.q[4 * k + j] * got.q[4 * (k - 1) + j];
		CHECKF(dot >= 0, "%zu: %g", k, dot);
	}
	check_slopes(&got, 0, 0, 1); /* one-sided */
	check_slopes(&got, 1, 0, 2);
	check_slopes(&got, 2, 1, 3);
	check_slopes(&got, 3, 2, 3);
	CHECK(got.slopes[0] != 0 || got.slopes[1] != 0 || got.slopes[2] != 0 || got.slopes[3] != 0);
	if (unpack_rotations(2, "f8fb2f4003382c80", &got))
		CHECK(got.slopes[0] == 0 && got.slopes[7] == 0);
	if (unpack_rotations(1, "f8fb2f40", &got))
		CHECK(got.slopes[3] == 0);
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
