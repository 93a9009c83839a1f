/* fbx.c: the tangents of FBX curves, their ends, and the cursor over records. */
#include "format/fbx/cursor.h"

#include <math.h>
#include <string.h>

#include "clip/track.h"
#include "format/fbx/curve.h"
#include "tap.h"

#define TICK_S (1.0 / 1000)
#define MOST (1u << 17) /* copies of spans */
#define AT(spans, i) ((const struct fbx_span *)(const void *)(spans).data + (i))
#define COUNT(spans) ((spans).size / sizeof(struct fbx_span))

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9;
}

static struct anim_buffer solve(const struct fbx_key *keys, size_t n)
{
	struct anim_buffer spans = {0};
	struct anim_error error = {0};

	CHECK(fbx_keys_solve(keys, n, TICK_S, &spans, &error) == 0);
	return spans;
}

/* Four keys at 0, 1, 3 and 4 s whose flags are these. */
static struct anim_buffer solve_four(uint32_t flags, const double data[3])
{
	static const double values[4] = {0, 30, 40, -10};
	static const int64_t times[4] = {0, 1000, 3000, 4000};
	struct fbx_key keys[4];

	for (unsigned k = 0; k < 4; k++)
		keys[k] = (struct fbx_key){
		    .time = times[k], .value = values[k], .flags = flags, .data = {data[0], data[1], data[2]}};
	return solve(keys, 4);
}

TEST(fbx_steps, "a constant key holds its value or the next one's, which is not held before the first key")
{
	const struct fbx_key keys[3] = {{.time = 0, .value = 1, .flags = FBX_KEY_CONSTANT | FBX_KEY_NEXT},
					{.time = 1000, .value = 2, .flags = FBX_KEY_CONSTANT},
					{.time = 2000, .value = 5, .flags = FBX_KEY_LINEAR}};
	struct anim_buffer spans = solve(keys, 3);
	const struct {
		double time, value, before;
	} wanted[] = {{-1, 1, 1}, {0, 2, 1}, {500, 2, 2}, {1000, 2, 2}, {1999, 2, 2}, {2000, 5, 2}, {9999, 5, 5}};
	size_t near_span = 7;

	CHECK(COUNT(spans) == 3);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		double after = fbx_spans_at(AT(spans, 0), COUNT(spans), wanted[i].time, false, TICK_S, &near_span);
		double before = fbx_spans_at(AT(spans, 0), COUNT(spans), wanted[i].time, true, TICK_S, &near_span);

		CHECKF(after == wanted[i].value && before == wanted[i].before, "at %g: %g, before %g", wanted[i].time,
		       after, before);
	}
	anim_buffer_clear(&spans);
}

TEST(fbx_auto, "automatic tangents weigh both sides by time, lie straight at the ends, and bend with their bias")
{
	static const double none[3], half[3] = {50, -50, 0}, far[3] = {600, -600, 0};
	struct anim_buffer spans = solve_four(FBX_KEY_CUBIC | FBX_KEY_AUTO, none);

	CHECK(near(AT(spans, 0)->right, 30) && near(AT(spans, 2)->left, -50));
	CHECK(near(AT(spans, 0)->left, (40.0 / 3 + 30 * (2.0 / 3) + 5 * (1.0 / 3)) / 2));
	CHECK(near(AT(spans, 0)->left, AT(spans, 1)->right));
	anim_buffer_clear(&spans);
	/* Half of the way to the straight line after the key. */
	spans = solve_four(FBX_KEY_CUBIC | FBX_KEY_AUTO, half);
	CHECK(near(AT(spans, 0)->left, ((40.0 / 3 + 20 + 5.0 / 3) / 2 + 5) / 2));
	CHECK(near(AT(spans, 0)->right, 30));
	anim_buffer_clear(&spans);
	/* Beyond 500 it goes on by a constant, at the ends too. */
	spans = solve_four(FBX_KEY_CUBIC | FBX_KEY_AUTO, far);
	CHECK(near(AT(spans, 0)->right, 30 + 40) && near(AT(spans, 2)->left, -50 + 40));
	anim_buffer_clear(&spans);
	spans = solve_four(FBX_KEY_CUBIC | FBX_KEY_AUTO | FBX_KEY_TIME_INDEPENDENT, half);
	CHECK(near(AT(spans, 0)->left, 40.0 / 3) && near(AT(spans, 1)->left, -40.0 / 3));
	anim_buffer_clear(&spans);
}

TEST(fbx_clamped, "clamped tangents do not lead beyond a neighbour's value")
{
	static const double none[3];
	struct anim_buffer spans =
	    solve_four(FBX_KEY_CUBIC | FBX_KEY_AUTO | FBX_KEY_TIME_INDEPENDENT | FBX_KEY_CLAMP_PROGRESSIVE, none);

	/* 40 / 3 is less than three times the slopes 30 and 5; the third key is the highest one. */
	CHECK(near(AT(spans, 0)->left, 40.0 / 3) && AT(spans, 1)->left == 0);
	CHECK(AT(spans, 0)->right == 0 && AT(spans, 2)->left == 0);
	anim_buffer_clear(&spans);
}

TEST(fbx_tcb, "tension, continuity and bias make both slopes of a key")
{
	static const double tcb[3] = {0.5, 0.25, -0.5};
	struct anim_buffer spans = solve_four(FBX_KEY_CUBIC | FBX_KEY_TCB, tcb);

	CHECK(near(AT(spans, 0)->left, 0.25 * (0.5 * 0.75 * 30 + 1.5 * 1.25 * 5)));
	CHECK(near(AT(spans, 1)->right, 0.25 * (0.5 * 1.25 * 30 + 1.5 * 0.75 * 5)));
	CHECK(near(AT(spans, 0)->right, 0.5 * (1.5 * 0.75 * 30)));
	anim_buffer_clear(&spans);
}

/* The value at a time of a curve with this end on both sides. */
static double unrolled(char type, int32_t repetitions, double time)
{
	const struct fbx_key keys[3] = {{.time = 0, .value = 1, .flags = FBX_KEY_LINEAR},
					{.time = 1000, .value = 3, .flags = FBX_KEY_CONSTANT},
					{.time = 2000, .value = 2, .flags = FBX_KEY_LINEAR}};
	const struct fbx_end ends[2] = {{type, repetitions}, {type, repetitions}};
	struct anim_buffer spans = solve(keys, 3), all = {0};
	struct anim_error error = {0};
	size_t near_span = 0;
	double value;

	CHECK(fbx_spans_unroll(AT(spans, 0), COUNT(spans), ends, -5000, 7000, MOST, TICK_S, &all, &error) == 0);
	for (size_t i = 1; i < COUNT(all); i++)
		CHECK(AT(all, i - 1)->end == AT(all, i)->start);
	value = fbx_spans_at(AT(all, 0), COUNT(all), time, false, TICK_S, &near_span);
	anim_buffer_clear(&spans);
	anim_buffer_clear(&all);
	return value;
}

TEST(fbx_ends, "ends repeat, mirror, go on from their last value or straight, as often as they say")
{
	CHECK(unrolled('C', -1, -500) == 1 && unrolled('C', -1, 2500) == 2);
	CHECK(unrolled('R', -1, 2500) == 2 && unrolled('R', -1, 4500) == 2 && unrolled('R', -1, -1500) == 2);
	CHECK(unrolled('R', 1, 2500) == 2 && unrolled('R', 1, 4500) == 2 && unrolled('R', 1, 3500) == 3);
	CHECK(unrolled('R', 0, 2500) == 2 && unrolled('R', 0, 3500) == 2);
	CHECK(unrolled('A', -1, 2500) == 3 && unrolled('A', -1, 4500) == 4 && unrolled('A', -1, -1500) == 1);
	CHECK(unrolled('M', -1, 3500) == 2 && unrolled('M', -1, 2500) == 3 && unrolled('M', -1, -500) == 2);
	CHECK(unrolled('K', -1, -1000) == -1 && unrolled('K', -1, 3000) == 2);
	CHECK(unrolled('?', -1, -1000) == 1);
}

TEST(fbx_ends_limit, "ends that would repeat too often are held, and that is told")
{
	const struct fbx_key keys[2] = {{.time = 0, .value = 1, .flags = FBX_KEY_LINEAR},
					{.time = 1, .value = 3, .flags = FBX_KEY_LINEAR}};
	const struct fbx_end ends[2] = {{'R', -1}, {'R', -1}};
	struct anim_buffer spans = solve(keys, 2), all = {0};
	struct anim_error error = {0};

	CHECK(fbx_spans_unroll(AT(spans, 0), 1, ends, 0, MOST + 1, MOST, TICK_S, &all, &error) == 0);
	CHECK(COUNT(all) == MOST + 1);
	all.size = 0;
	CHECK(fbx_spans_unroll(AT(spans, 0), 1, ends, 0, MOST + 2, MOST, TICK_S, &all, &error) == 1);
	CHECK(COUNT(all) == 1);
	anim_buffer_clear(&spans);
	anim_buffer_clear(&all);
}

/* ---- Records ---- */

/* Opens a cursor over a text. */
static struct anim_input *open_text(struct fbx_cursor *cursor, const char *text)
{
	struct anim_error error = {0};
	struct anim_input *input = NULL;

	CHECK(anim_input_open_memory(&input, text, strlen(text), "x", &error) == 0);
	*cursor = (struct fbx_cursor){.input = input};
	CHECK(fbx_open(cursor, &error) == 0);
	return input;
}

TEST(fbx_cursor, "records are visited or passed over, with values of all kinds between")
{
	static const char text[] =
	    "; FBX 7.4.0 project file\n"
	    "A: 1, 2.5,\"x&quot;y\" , T,yes,1.#INF { B: { C: \"}\" ; }\n } \"D e\": *3 {\n a: 1,2\n,3 } }\n"
	    "E:\nF: ,7\n";
	struct anim_buffer numbers = {0};
	struct anim_error error = {0};
	struct fbx_cursor cursor;
	struct fbx_value value;
	struct anim_input *input = open_text(&cursor, text);

	CHECK(cursor.version == 7400 && fbx_next(&cursor, &error) == 1 && strcmp(cursor.name, "A") == 0);
	CHECK(fbx_value(&cursor, &value, &error) == 1 && value.kind == FBX_INT && value.integer == 1);
	CHECK(fbx_value(&cursor, &value, &error) == 1 && value.kind == FBX_REAL && value.real == 2.5);
	CHECK(fbx_value(&cursor, &value, &error) == 1 && value.kind == FBX_TEXT && strcmp(value.text, "x\"y") == 0);
	CHECK(fbx_value(&cursor, &value, &error) == 1 && value.is_letter && value.integer == 'T');
	CHECK(fbx_value(&cursor, &value, &error) == 1 && value.kind == FBX_TEXT && strcmp(value.text, "yes") == 0);
	CHECK(fbx_value(&cursor, &value, &error) == 1 && value.kind == FBX_REAL && value.real == (double)INFINITY);
	CHECK(fbx_value(&cursor, &value, &error) == 0 && fbx_enter(&cursor, &error) == 1);
	CHECK(fbx_next(&cursor, &error) == 1 && strcmp(cursor.name, "B") == 0);
	CHECK(fbx_next(&cursor, &error) == 1 && strcmp(cursor.name, "D e") == 0);
	CHECK(fbx_numbers(&cursor, FBX_AS_INT64, &numbers, &error) == 0 && numbers.size == 3 * sizeof(int64_t));
	CHECK(((const int64_t *)(const void *)numbers.data)[2] == 3 && fbx_enter(&cursor, &error) == 0);
	CHECK(fbx_next(&cursor, &error) == 0);
	CHECK(fbx_next(&cursor, &error) == 1 && strcmp(cursor.name, "E") == 0 && fbx_enter(&cursor, &error) == 0);
	CHECK(fbx_next(&cursor, &error) == 1 && strcmp(cursor.name, "F") == 0);
	CHECK(fbx_value(&cursor, &value, &error) == 1 && value.integer == 7 && fbx_next(&cursor, &error) == 0);
	CHECKF(error.code == ANIM_OK, "%s", error.message);
	anim_buffer_clear(&numbers);
	fbx_cursor_clear(&cursor);
	anim_input_close(input);
}

TEST(fbx_bits, "packed floats are bits: told as floats before 7200, as whole numbers from there on")
{
	static const char *const texts[2] = {"; FBX 7.1.0 project file\nA: *2 {\na: 4.09994609e-31,1\n}\n",
					     "; FBX 7.2.0 project file\nA: *2 {\na: 218434821,1065353216\n}\n"};

	for (unsigned i = 0; i < 2; i++) {
		struct anim_buffer numbers = {0};
		struct anim_error error = {0};
		struct fbx_cursor cursor;
		struct anim_input *input = open_text(&cursor, texts[i]);
		const uint32_t *bits;

		CHECK(fbx_next(&cursor, &error) == 1);
		CHECK(fbx_numbers(&cursor, FBX_AS_BITS, &numbers, &error) == 0 && numbers.size == 8);
		bits = (const uint32_t *)(const void *)numbers.data;
		CHECKF(bits[0] == 218434821 && bits[1] == 0x3f800000, "%u %u", (unsigned)bits[0], (unsigned)bits[1]);
		anim_buffer_clear(&numbers);
		fbx_cursor_clear(&cursor);
		anim_input_close(input);
	}
}
