/* writer_keys.c: the hot loop of the .anim writer: the keyframes of one curve. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "format/unity/writer_internal.h"

#define ROOM ((size_t)64 << 10) /* what an output hands out at once */
#define KEY_MAX 2048u           /* more than the longest keyframe */
#define THIRD 0.333333343f      /* the weight of a side that is not weighted, 0.33333334 */
#define LANES 4u

/* Bits of weightedMode. */
#define WEIGHTED_IN 1u
#define WEIGHTED_OUT 2u

/* Modes of a side in tangentMode, and its bit for sides of their own. */
enum { TANGENT_FREE = 0, TANGENT_LINEAR = 2, TANGENT_CONSTANT = 3 };
#define TANGENT_BROKEN 1u

/* One number of the key before and its text: lanes that rest are copied instead of printed. All-zero: none. */
struct memory {
	uint32_t bits;
	uint8_t length;
	char text[UNITY_FLOAT_MAX];
};

enum { VALUE, IN_SLOPE, OUT_SLOPE, IN_WEIGHT, OUT_WEIGHT, ROWS };

struct run {
	struct unity_curve curve;
	unsigned stride; /* lanes of the track's value */
	bool turns;      /* signs of neighbouring quaternions are made to agree */
	struct memory memory[ROWS][LANES];
};

/* A keyframe as it is printed. */
struct key {
	float rows[ROWS][LANES];
	unsigned weighted;
	int32_t tangents;
};

static char *put(char *at, const char *text, size_t length)
{
	memcpy(at, text, length);
	return at + length;
}
#define PUT(at, literal) put(at, literal, sizeof literal - 1)

static char *put_number(char *at, struct memory *memory, float number)
{
	uint32_t bits;
	char text[ANIM_NUMBER_MAX];

	memcpy(&bits, &number, sizeof bits);
	if (memory->length == 0 || memory->bits != bits) {
		memory->length = (uint8_t)unity_format_float(text, number);
		memory->bits = bits;
		memcpy(memory->text, text, sizeof memory->text);
	}
	memcpy(at, memory->text, sizeof memory->text);
	return at + memory->length;
}

/* A number, or "{x: 0, y: 0, z: 0}". */
static char *put_row(char *at, struct run *run, const struct key *key, unsigned row)
{
	static const char names[LANES][6] = {"{x: ", ", y: ", ", z: ", ", w: "};
	struct memory *memory = run->memory[row];

	if (run->curve.lanes == 1)
		return put_number(at, memory, key->rows[row][0]);
	for (unsigned i = 0; i < run->curve.lanes; i++) {
		memcpy(at, names[i], 5);
		at = put_number(at + (i == 0 ? 4 : 5), &memory[i], key->rows[row][i]);
	}
	*at++ = '}';
	return at;
}

static char *put_key(char *at, struct run *run, const struct key *key, float time_s)
{
	at = PUT(at, "      - serializedVersion: 3\n        time: ");
	at += unity_format_float(at, time_s);
	at = put_row(PUT(at, "\n        value: "), run, key, VALUE);
	at = put_row(PUT(at, "\n        inSlope: "), run, key, IN_SLOPE);
	at = put_row(PUT(at, "\n        outSlope: "), run, key, OUT_SLOPE);
	at = PUT(at, "\n        tangentMode: ");
	at += anim_number_print_int64(at, key->tangents);
	at = PUT(at, "\n        weightedMode: ");
	*at++ = (char)('0' + key->weighted);
	at = put_row(PUT(at, "\n        inWeight: "), run, key, IN_WEIGHT);
	at = put_row(PUT(at, "\n        outWeight: "), run, key, OUT_WEIGHT);
	*at++ = '\n';
	return at;
}

/* Lanes of key k of a column, in Unity's units. */
static void load(const struct run *run, const void *column, size_t k, float out[LANES])
{
	const float *from = (const float *)column + k * run->stride + run->curve.first;

	if (run->curve.about_z) {
		out[0] = out[1] = 0;
		out[2] = (float)((double)*from * run->curve.scale);
		return;
	}
	for (unsigned i = 0; i < run->curve.lanes; i++)
		out[i] = run->curve.scale == 1 ? from[i] : (float)((double)from[i] * run->curve.scale);
}

/* The value of key k; a quaternion on the side of the one before. */
static void load_value(const struct run *run, size_t k, const float before[LANES], float out[LANES])
{
	double dot = 0;

	load(run, run->curve.track->value, k, out);
	if (!run->turns || before == NULL)
		return;
	for (unsigned i = 0; i < LANES; i++)
		dot += (double)before[i] * (double)out[i];
	for (unsigned i = 0; i < LANES && dot < 0; i++)
		out[i] = 0 - out[i]; /* no -0 */
}

static void fill(float row[LANES], float number)
{
	for (unsigned i = 0; i < LANES; i++)
		row[i] = number;
}

/* The slope of the line from one key to the next; steps where no time passes, as the player would. */
static float line_slope(float from, float to, float from_s, float to_s)
{
	double slope = ((double)to - (double)from) / ((double)to_s - (double)from_s);

	if (!(to_s != from_s))
		return INFINITY;
	if (isfinite(slope) && fabs(slope) > (double)FLT_MAX)
		return slope < 0 ? -FLT_MAX : FLT_MAX;
	return (float)slope;
}

static void line_slopes(const struct run *run, const float from[LANES], const float to[LANES], size_t k,
			float row[LANES])
{
	const float *time = run->curve.track->time;

	for (unsigned i = 0; i < run->curve.lanes; i++)
		row[i] = line_slope(from[i], to[i], time[k], time[k + 1]);
}

static enum anim_interp mode_of(const struct run *run, size_t k)
{
	return run->curve.track->kind == ANIM_DISCRETE ? ANIM_HOLD : anim_track_interp(run->curve.track, k);
}

static bool is_hermite(enum anim_interp mode)
{
	return mode == ANIM_HERMITE || mode == ANIM_WEIGHTED;
}

/*
 * Slopes of key k. The side towards a neighbour belongs to the segment there; an outer side, which plays nothing, is as
 * the other one, or as the column has it.
 */
static void set_slopes(const struct run *run, size_t k, const float before[LANES], const float after[LANES],
		       struct key *key)
{
	const struct anim_track *t = run->curve.track;
	enum anim_interp in = mode_of(run, k > 0 ? k - 1 : 0), out = mode_of(run, k);

	if (is_hermite(in))
		load(run, t->left, k, key->rows[IN_SLOPE]);
	else if (in == ANIM_HOLD)
		fill(key->rows[IN_SLOPE], INFINITY);
	else if (k > 0)
		line_slopes(run, before, key->rows[VALUE], k - 1, key->rows[IN_SLOPE]);
	if (is_hermite(out))
		load(run, t->right, k, key->rows[OUT_SLOPE]);
	else if (out == ANIM_HOLD)
		fill(key->rows[OUT_SLOPE], INFINITY);
	else if (k + 1 < t->n)
		line_slopes(run, key->rows[VALUE], after, k, key->rows[OUT_SLOPE]);
	else
		memcpy(key->rows[OUT_SLOPE], key->rows[IN_SLOPE], sizeof key->rows[OUT_SLOPE]);
	if (in == ANIM_LINEAR && k == 0)
		memcpy(key->rows[IN_SLOPE], key->rows[OUT_SLOPE], sizeof key->rows[IN_SLOPE]);
}

static void set_weight(const struct run *run, const float *column, size_t k, float row[LANES])
{
	const float *from = column + k * run->stride + run->curve.first;

	if (run->curve.about_z)
		row[2] = *from;
	else
		memcpy(row, from, run->curve.lanes * sizeof *row);
}

static void set_weights(const struct run *run, size_t k, struct key *key)
{
	const struct anim_track *t = run->curve.track;
	bool in = mode_of(run, k > 0 ? k - 1 : 0) == ANIM_WEIGHTED, out = mode_of(run, k) == ANIM_WEIGHTED;
	unsigned bits = t->weighted == NULL ? 0 : t->weighted[k];

	key->weighted = (in ? bits & WEIGHTED_IN : 0) | (out ? bits & WEIGHTED_OUT : 0);
	fill(key->rows[IN_WEIGHT], THIRD);
	fill(key->rows[OUT_WEIGHT], THIRD);
	if (in && t->left_x != NULL)
		set_weight(run, t->left_x, k, key->rows[IN_WEIGHT]);
	if (out && t->right_x != NULL)
		set_weight(run, t->right_x, k, key->rows[OUT_WEIGHT]);
}

static unsigned tangent_of(enum anim_interp mode)
{
	return mode == ANIM_HOLD ? TANGENT_CONSTANT : mode == ANIM_LINEAR ? TANGENT_LINEAR : TANGENT_FREE;
}

/* The editor's note; where there is none, what the modes say. Curves of several lanes have none in Unity. */
static int32_t tangents_of(const struct run *run, size_t k)
{
	const struct anim_track *t = run->curve.track;
	unsigned in = tangent_of(mode_of(run, k > 0 ? k - 1 : 0)), out = tangent_of(mode_of(run, k));

	if (t->hint != NULL)
		return (int32_t)t->hint[k];
	if (run->curve.lanes > 1 || (in == TANGENT_FREE && out == TANGENT_FREE))
		return 0;
	return (int32_t)(in << 1 | out << 5 | TANGENT_BROKEN);
}

static bool needs_turns(const struct anim_track *t)
{
	bool own_signs = t->rules == ANIM_RULES_UNITY || t->rules == ANIM_RULES_RESONITE;

	return anim_types[t->type].quaternion && t->component == ANIM_WHOLE && !own_signs &&
	       !anim_track_has_interp(t, ANIM_HERMITE) && !anim_track_has_interp(t, ANIM_WEIGHTED);
}

int unity_keys_print(struct anim_output *out, const struct unity_curve *curve, struct anim_error *error)
{
	const struct anim_track *t = curve->track;
	struct run run = {.curve = *curve, .stride = anim_types[t->type].lanes, .turns = needs_turns(t)};
	float before[LANES] = {0}, after[LANES] = {0};
	struct key key = {{{0}}, 0, 0};
	size_t k = 0;

	if (t->n > 0)
		load_value(&run, 0, NULL, after);
	while (k < t->n) {
		char *room = (char *)anim_output_reserve(out, ROOM, error), *at = room;

		if (room == NULL)
			return -1;
		for (; k < t->n && (size_t)(at - room) <= ROOM - KEY_MAX; k++) {
			memcpy(before, key.rows[VALUE], sizeof before);
			memcpy(key.rows[VALUE], after, sizeof after);
			if (k + 1 < t->n)
				load_value(&run, k + 1, key.rows[VALUE], after);
			set_slopes(&run, k, before, after, &key);
			set_weights(&run, k, &key);
			key.tangents = tangents_of(&run, k);
			at = put_key(at, &run, &key, t->time[k]);
		}
		anim_output_advance(out, (size_t)(at - room));
	}
	return 0;
}
