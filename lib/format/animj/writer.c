/* writer.c: the sink that writes one clip as an AnimJ document. */
#include "base/advice.h"
#include "format/animj/animj.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/number.h"
#include "base/print.h"
#include "clip/keys.h"
#include "clip/resonite.h"

struct animj_writer {
	struct anim_resonite_target target;
	struct anim_write_options options;
	struct anim_output *out;
	bool has_duration;
	size_t tracks;
	struct anim_buffer cells; /* texts of the last track's key times, because tracks often have the same times */
};

/* ---- Modes between two keys that AnimJ can play ---- */

/*
 * Get the mode of key k, with its ease applied: Godot's transition 0 holds; any other except 1 bends a linear segment.
 */
static int eased_mode(const struct animj_writer *writer, const struct anim_track *t, size_t k, uint8_t *mode,
		      struct anim_error *error)
{
	enum anim_interp interp = anim_track_interp(t, k);

	*mode = (uint8_t)interp;
	if (anim_resonite_target_check_mode(&writer->target, interp, error) != 0)
		return -1;
	if (t->ease == NULL || interp != ANIM_LINEAR || t->ease[k] == 1 || k + 1 == t->n)
		return 0;
	if (t->ease[k] != 0)
		return anim_resonite_target_refuse(&writer->target, "eased", error);
	*mode = ANIM_HOLD;
	return 0;
}

static void hold_all(struct anim_track *t)
{
	t->interp = ANIM_HOLD;
	t->interps = NULL;
	t->left = t->right = NULL;
}

static bool any_byte(const void *column, size_t size)
{
	const uint8_t *bytes = column;

	for (size_t i = 0; i < size; i++)
		if (bytes[i] != 0)
			return true;
	return false;
}

/* Refuse modes that AnimJ cannot play, and make eased keys that hold Hold keys. Returns 0 or -1. */
static int set_modes(struct animj_writer *writer, struct anim_track *t, struct anim_error *error)
{
	bool blends = anim_track_has_interp(t, ANIM_LINEAR) && t->n > 1,
	     from_resonite = t->rules == ANIM_RULES_RESONITE;
	bool some_tangents;
	size_t size = t->n * anim_types[t->type].size;
	int result = 0;

	if (t->kind != ANIM_CURVE)
		return 0;
	if (t->type == ANIM_STRING) {
		/* Resonite does not blend strings like Godot's typewriter. Strings from Resonite stay unchanged. */
		if (!from_resonite) {
			hold_all(t);
			if (blends)
				result = anim_diagnostics_warn(
				    writer->options.diagnostics, "track", error,
				    "'%s': animj cannot blend between texts; each text is held", writer->target.label);
		}
	} else if (t->n == 1 && (!from_resonite || anim_resonite_mode_phrase(anim_track_interp(t, 0)) != NULL)) {
		hold_all(t); /* one key is a constant, whatever its mode */
	} else if (t->interp == ANIM_INTERP_COLUMN || t->ease != NULL) {
		uint8_t *modes = anim_arena_alloc(&writer->target.scratch, t->n, error);

		if (modes == NULL)
			return -1;
		for (size_t k = 0; k < t->n; k++)
			if (eased_mode(writer, t, k, &modes[k], error) != 0)
				return -1;
		t->interp = ANIM_INTERP_COLUMN;
		t->interps = modes;
	} else {
		result = anim_resonite_target_check_mode(&writer->target, t->interp, error);
	}
	t->ease = NULL;
	if (result != 0 || anim_track_has_interp(t, ANIM_CUBIC_BEZIER) || anim_track_has_interp(t, ANIM_TANGENT))
		return result;
	/* No key uses tangents. Those from Resonite get a warning; others are left from a conversion. */
	some_tangents = from_resonite && t->left != NULL && t->right != NULL &&
			(any_byte(t->left, size) || any_byte(t->right, size));
	t->left = t->right = NULL;
	if (!some_tangents)
		return 0;
	return anim_diagnostics_warn(writer->options.diagnostics, "track", error,
				     "'%s': tangents that no key uses (Hold and Linear have none) were dropped",
				     writer->target.label);
}

/* ---- Times: sorted, relative to the start of the clip, or an interval ---- */

/* Return true if the source engine continues beyond the outer keys within the clip, while AnimJ holds. */
static bool extrapolates(const struct animj_writer *writer, const struct anim_track *t)
{
	size_t size = anim_types[t->type].size;
	float length_s = writer->target.end_s - writer->target.start_s;
	bool late = t->time[0] > 0, early = t->time[t->n - 1] < length_s;

	if (t->kind != ANIM_CURVE || t->n < 2)
		return false;
	if ((late && t->pre != ANIM_EXTRAPOLATION_HOLD) || (early && t->post != ANIM_EXTRAPOLATION_HOLD))
		return true;
	if (!anim_rules_are_godot((enum anim_rules)t->rules) || writer->target.loop != ANIM_LOOP_WRAP ||
	    (t->flags & ANIM_LOOP_WRAP_KEYS) == 0)
		return false;
	if (size > 0 && memcmp(t->value, (const unsigned char *)t->value + (t->n - 1) * size, size) == 0)
		return false;
	return late || (early && anim_track_interp(t, t->n - 1) != ANIM_HOLD);
}

/* Sort the keys and make their times relative to the start of the clip. Returns 0 or -1. */
static int time_keys(struct animj_writer *writer, struct anim_track *t, struct anim_error *error)
{
	/* Sort a track whose times are out of order, with a warning. */
	if ((t->flags & ANIM_UNSORTED) != 0) {
		struct anim_track unsorted = *t;

		if (anim_track_sorted(t, &unsorted, &writer->target.scratch, error) != 0)
			return -1;
		if (anim_diagnostics_warn(writer->options.diagnostics, "track", error,
					  "'%s': keys out of order were sorted", writer->target.label) != 0)
			return -1;
	}
	if (anim_resonite_target_time_keys(&writer->target, t, error) != 0)
		return -1;
	if (!extrapolates(writer, t))
		return 0;
	return anim_diagnostics_warn(
	    writer->options.diagnostics, "track", error,
	    "'%s': extrapolated beyond the outer keys, but animj holds: " ANIM_ADVICE_TO(SAMPLE, "30"),
	    writer->target.label);
}

/*
 * Convert samples that do not begin with the clip to keys, because AnimJ's Raw tracks begin at 0 and are interpolated.
 */
static int time_samples(struct animj_writer *writer, struct anim_track *t, struct anim_error *error)
{
	struct anim_resonite_target *target = &writer->target;
	bool real = anim_type_is_real(t->type), holds = t->interp == ANIM_HOLD || !real;

	if (anim_track_step(t) == 0)
		return anim_resonite_target_warn_of_interval(target, error);
	if (writer->options.raw_as_curve || t->start_s != (double)target->start_s || (real && holds)) {
		t->interp = holds ? ANIM_HOLD : ANIM_LINEAR;
		return anim_resonite_target_key_samples(target, t, holds ? ANIM_DISCRETE : ANIM_CURVE, error);
	}
	if (!anim_resonite_target_keeps_samples(target, t))
		return anim_fail(error, ANIM_UNSUPPORTED, "track '%s': its interval is too large for animj",
				 target->label);
	return 0;
}

/* ---- Values: finite, floats, 0..1 ---- */

/* Value, left and right tangent are processed in the same way: columns 0, 1, 2. Columns 1 and 2 may be NULL. */
#define COLUMNS 3
static const void **column_of(struct anim_track *t, int i)
{
	return i == 0 ? &t->value : i == 1 ? &t->left : &t->right;
}

/*
 * Components per iteration before the result is checked. The count is constant so that the compiler vectorises at -O2.
 */
#define BLOCK 64

/* Return true if a number of the block is infinite or NaN: its exponent bits are all set. */
static bool has_bad_float(const float *floats)
{
	uint32_t bits[BLOCK], bad = 0;

	memcpy(bits, floats, sizeof bits);
	for (int i = 0; i < BLOCK; i++)
		bad |= (bits[i] & 0x7f800000u) == 0x7f800000u;
	return bad != 0;
}

/* Return the index of the first component that is not finite, or `count`. */
static size_t first_bad(const void *column, enum anim_scalar scalar, size_t count)
{
	const float *floats = column;
	const double *doubles = column;
	size_t i = 0;

	while (scalar == ANIM_SCALAR_F32 && i + BLOCK <= count && !has_bad_float(floats + i))
		i += BLOCK;
	for (; i < count; i++)
		if (scalar == ANIM_SCALAR_F32 ? !isfinite(floats[i]) : !isfinite(doubles[i]))
			return i;
	return count;
}

#define NOT_FINITE "not a finite number, which JSON cannot store"

/* Convert percent and doubles, and refuse numbers that are not finite. Returns 0 or -1. */
static int set_values(struct animj_writer *writer, struct anim_track *t, struct anim_error *error)
{
	const struct anim_type_info *info = &anim_types[t->type];
	size_t count = t->n * info->components, k = 0;

	for (int c = 0; c < COLUMNS && anim_type_is_real(t->type); c++) {
		const void *column = *column_of(t, c);
		size_t bad = column == NULL ? count : first_bad(column, info->scalar, count);

		if (bad < count)
			return anim_fail(error, ANIM_UNSUPPORTED, "track '%s': key %zu is " NOT_FINITE,
					 writer->target.label, bad / info->components);
	}
	if (anim_resonite_target_narrow(&writer->target, t, NOT_FINITE, error) != 0)
		return -1;
	if (t->type == ANIM_FLOAT && (t->flags & ANIM_PERCENT) != 0 && !writer->options.source_names) {
		for (int c = 0; c < COLUMNS; c++) {
			const float *percent = *column_of(t, c);
			float *fraction;

			if (percent == NULL)
				continue;
			*column_of(t, c) = fraction =
			    anim_arena_alloc(&writer->target.scratch, t->n * sizeof *fraction, error);
			if (fraction == NULL)
				return -1;
			for (size_t i = 0; i < t->n; i++)
				fraction[i] = (float)((double)percent[i] / 100);
		}
	}
	anim_resonite_target_switch_visible(&writer->target, t, !anim_track_has_interp(t, ANIM_LINEAR));
	if (!info->quaternion)
		return 0;
	/* Warn about a zero quaternion. It is not a rotation, and Resonite's reading of it is unknown. */
	while (k < t->n &&
	       (anim_component(t->type, t->value, k, 3) != 0 || anim_component(t->type, t->value, k, 2) != 0 ||
		anim_component(t->type, t->value, k, 1) != 0 || anim_component(t->type, t->value, k, 0) != 0))
		k++;
	if (k == t->n)
		return 0;
	return anim_diagnostics_warn(writer->options.diagnostics, "track", error,
				     "'%s' (key %zu): a zero quaternion, which is not a rotation", writer->target.label,
				     k);
}

/* ---- Keys and samples as JSON: the hot loop ---- */

#define ROOM ((size_t)64 << 10) /* bytes to reserve in the output at once */
#define KEY_MAX 1024u           /* more than the longest key of numbers: three doubleQ, and the time */
#define BEFORE 5u               /* bytes of {"x": and ,"y": */
#define CELLS ((size_t)1 << 16) /* maximum number of times whose text is kept */

/* A time and its text. All-zero: no time. */
struct time_text {
	float time_s;
	uint8_t length;
	char text[19];
};

/* The spelling of a value: the text before each component, and whether it has braces. */
struct spelling {
	enum anim_type type;
	enum anim_scalar scalar;
	unsigned components;
	char before[4][8]; /* 8 bytes are copied, of which BEFORE are used; empty for a single component */
	bool braces;
};

static char *put(char *at, const char *text, size_t length)
{
	memcpy(at, text, length);
	return at + length;
}
#define PUT(at, literal) put(at, literal, sizeof literal - 1)

/* The texts of a column's floats for the keys from `first` up to `end`. */
struct column_texts {
	size_t first, end;
	struct anim_number_texts texts;
};

/* Print the texts of a key's components. */
static inline char *put_floats(char *at, const struct spelling *spelling, const struct column_texts *texts, size_t k,
			       unsigned components)
{
	size_t from = (k - texts->first) * components;

	for (unsigned i = 0; i < components; i++) {
		memcpy(at, spelling->before[i], 8);
		at += components > 1 ? BEFORE : 0;
		memcpy(at, texts->texts.bytes[from + i], sizeof texts->texts.bytes[0]);
		at += texts->texts.length[from + i];
	}
	return at;
}

/* Print components that are not floats. */
static char *put_components(char *at, const struct spelling *spelling, const void *column, size_t k)
{
	for (unsigned i = 0; i < spelling->components; i++) {
		memcpy(at, spelling->before[i], 8);
		at += spelling->braces ? BEFORE : 0;
		if (spelling->scalar == ANIM_SCALAR_BOOL)
			at = anim_component_integer(spelling->type, column, k, i) != 0 ? PUT(at, "true")
										       : PUT(at, "false");
		else if (spelling->scalar == ANIM_SCALAR_F64)
			at += anim_number_print_double(at, anim_component(spelling->type, column, k, i));
		else if (spelling->scalar == ANIM_SCALAR_U64)
			at += anim_number_print_uint64(at,
						       (uint64_t)anim_component_integer(spelling->type, column, k, i));
		else
			at += anim_number_print_int64(at, anim_component_integer(spelling->type, column, k, i));
	}
	return at;
}

/* Values that are the same for all keys of a track. */
struct track_printing {
	const struct anim_track *track;
	struct spelling spelling;
	struct time_text *cells;
	size_t cell_count;
	char between[8]; /* ",", and the line break of --pretty */
	size_t between_length;
	struct column_texts texts[3];
};

/* Print key k of a column: 0 the values, 1 and 2 the tangents. */
static inline char *put_value(char *at, struct track_printing *run, int column, size_t k)
{
	const struct spelling *spelling = &run->spelling;
	const struct anim_track *t = run->track;
	const void *values = column == 0 ? t->value : column == 1 ? t->left : t->right;
	struct column_texts *texts = &run->texts[column];

	if (spelling->scalar != ANIM_SCALAR_F32) {
		at = put_components(at, spelling, values, k);
	} else {
		if (k >= texts->end) {
			/* Convert as many keys as there is room for, from k on. */
			size_t most = ANIM_NUMBER_TEXTS / spelling->components,
			       count = t->n - k < most ? t->n - k : most;

			anim_number_print_floats((const float *)values + k * spelling->components,
						 count * spelling->components, spelling->components, &texts->texts);
			texts->first = k;
			texts->end = k + count;
		}
		/* The constants let the compiler unroll the loops. */
		switch (spelling->components) {
		case 1:
			at = put_floats(at, spelling, texts, k, 1);
			break;
		case 2:
			at = put_floats(at, spelling, texts, k, 2);
			break;
		case 3:
			at = put_floats(at, spelling, texts, k, 3);
			break;
		default:
			at = put_floats(at, spelling, texts, k, 4);
		}
	}
	if (spelling->braces)
		*at++ = '}';
	return at;
}

static char *put_time(char *at, struct time_text *cell, float time_s)
{
	if (cell == NULL)
		return at + anim_number_print_float(at, time_s);
	if (cell->length == 0 || memcmp(&cell->time_s, &time_s, sizeof time_s) != 0) {
		char text[ANIM_NUMBER_MAX] = "";
		size_t length = anim_number_print_float(text, time_s);

		if (length > sizeof cell->text)
			return put(at, text, length);
		memcpy(cell->text, text, sizeof cell->text);
		cell->length = (uint8_t)length;
		cell->time_s = time_s;
	}
	memcpy(at, cell->text, sizeof cell->text);
	return at + cell->length;
}

static char *put_start(char *at, const struct track_printing *run, size_t k)
{
	memcpy(at, run->between, sizeof run->between);
	at += k > 0 ? run->between_length : 0;
	if (run->track->kind == ANIM_RAW)
		return at;
	at = PUT(at, "{\"time\":");
	at = put_time(at, k < run->cell_count ? &run->cells[k] : NULL, run->track->time[k]);
	return PUT(at, ",\"value\":");
}

static bool has_tangents(const struct anim_track *t, size_t k)
{
	return t->interps[k] == ANIM_TANGENT || t->interps[k] == ANIM_CUBIC_BEZIER;
}

static char *put_end(char *at, struct track_printing *run, size_t k)
{
	const struct anim_track *t = run->track;

	if (t->kind == ANIM_RAW)
		return at;
	if (t->kind == ANIM_CURVE) {
		enum anim_interp interp = anim_track_interp(t, k);

		if (interp == ANIM_LINEAR)
			at = PUT(at, ",\"interpolation\":\"Linear\"");
		else if (interp == ANIM_HOLD)
			at = PUT(at, ",\"interpolation\":\"Hold\"");
		else if (interp == ANIM_TANGENT)
			at = PUT(at, ",\"interpolation\":\"Tangent\"");
		else
			at = PUT(at, ",\"interpolation\":\"CubicBezier\"");
	}
	/* Hold and Linear keys have no tangents, except for a left tangent that ends the segment before it. */
	if (t->left != NULL && t->right != NULL) {
		bool own = t->interp != ANIM_INTERP_COLUMN || has_tangents(t, k);

		if (own || (k > 0 && has_tangents(t, k - 1)))
			at = put_value(PUT(at, ",\"leftTangent\":"), run, 1, k);
		if (own)
			at = put_value(PUT(at, ",\"rightTangent\":"), run, 2, k);
	}
	*at++ = '}';
	return at;
}

/* Print the keys, with ',' between them and without brackets. Returns 0 or -1. */
static int print_keys(struct animj_writer *writer, const struct anim_track *t, struct anim_error *error)
{
	struct track_printing run;
	const struct anim_type_info *info = &anim_types[t->type];
	const char *names = t->type == ANIM_COLOR || t->type == ANIM_COLOR32 ? "rgba" : "xyzw";

	run.track = t;
	run.cells = NULL;
	run.cell_count = 0;
	run.between_length = writer->options.pretty ? 7 : 1;
	memcpy(run.between, ",\n\t\t\t\t\t", sizeof run.between);
	for (int i = 0; i < 3; i++)
		run.texts[i].end = 0;
	run.spelling = (struct spelling){.type = t->type, .scalar = info->scalar, .components = info->components};
	if (info->components != 1) {
		run.spelling.braces = true;
		for (unsigned i = 0; i < info->components; i++) {
			memcpy(run.spelling.before[i], i == 0 ? "{\"x\":" : ",\"x\":", BEFORE);
			run.spelling.before[i][2] = names[i];
		}
	}
	if (t->kind != ANIM_RAW) {
		/* Provide cells for the times of the longest track so far, at most CELLS. New cells are empty. */
		size_t have = writer->cells.size / sizeof(struct time_text);

		run.cell_count = t->n < CELLS ? t->n : CELLS;
		if (have < run.cell_count) {
			size_t size = (run.cell_count - have) * sizeof(struct time_text);
			void *added = anim_buffer_extend(&writer->cells, size, error);

			if (added == NULL)
				return -1;
			memset(added, 0, size);
		}
		run.cells = (struct time_text *)(void *)writer->cells.data;
	}
	if (t->type == ANIM_STRING) {
		const struct anim_strings *strings = t->strings;
		struct anim_print print = {.out = writer->out, .error = error};
		char text[KEY_MAX];

		for (size_t k = 0; k < t->n && !print.failed; k++) {
			anim_print_bytes(&print, text, (size_t)(put_start(text, &run, k) - text));
			if (strings->length[k] == ANIM_NULL_STRING)
				anim_print_text(&print, "null");
			else
				anim_print_json(&print, strings->bytes + strings->start[k], strings->length[k]);
			anim_print_bytes(&print, text, (size_t)(put_end(text, &run, k) - text));
		}
		return print.failed ? -1 : 0;
	}
	for (size_t k = 0; k < t->n;) {
		char *room = (char *)anim_output_reserve(writer->out, ROOM, error), *at = room;

		if (room == NULL)
			return -1;
		for (; k < t->n && (size_t)(at - room) <= ROOM - KEY_MAX; k++) {
			at = put_start(at, &run, k);
			at = put_value(at, &run, 0, k);
			at = put_end(at, &run, k);
		}
		anim_output_advance(writer->out, (size_t)(at - room));
	}
	return 0;
}

/* ---- The document ---- */

#define BIT(type) ((uint64_t)1 << (type))
#define MATRICES                                                                                                    \
	(BIT(ANIM_FLOAT2X2) | BIT(ANIM_FLOAT3X3) | BIT(ANIM_FLOAT4X4) | BIT(ANIM_DOUBLE2X2) | BIT(ANIM_DOUBLE3X3) | \
	 BIT(ANIM_DOUBLE4X4))

/* The writer accepts Raw tracks with another start, and converts them to keys itself because it shifts their times. */
const struct anim_caps anim_animj_caps = {
    .format = "animj",
    .kinds = 1u << ANIM_RAW | 1u << ANIM_DISCRETE | 1u << ANIM_CURVE,
    .types = (BIT(ANIM_TYPE_COUNT) - 1) & ~MATRICES,
    .interps = 1u << ANIM_HOLD | 1u << ANIM_LINEAR | 1u << ANIM_TANGENT | 1u << ANIM_CUBIC_BEZIER,
    .rules = ANIM_RULES_RESONITE,
    .mixed_interps = true,
    .raw_start = true,
    .continuous_rotations = true,
    .lone_components = true,
    .only_space = true,
};

/*
 * Print the document up to the first track. If the length of the clip is 0, the duration is printed after the tracks,
 * because keys may continue after it.
 */
static int begin_clip(struct anim_sink *sink, const struct anim_clip *clip, struct anim_error *error)
{
	struct animj_writer *writer = (struct animj_writer *)sink;
	struct anim_print print = {.out = writer->out, .error = error};
	float length_s = (float)((double)clip->end_s - (double)clip->start_s);
	const char *line = writer->options.pretty ? ",\n\t" : ",", *colon = writer->options.pretty ? ": " : ":";

	if (anim_resonite_target_clip(&writer->target, clip, error) != 0)
		return -1;
	writer->has_duration = length_s > 0;
	anim_print_text(&print, writer->options.pretty ? "{\n\t\"name\": " : "{\"name\":");
	anim_print_json_text(&print, clip->name);
	anim_print_text(&print, line);
	if (writer->has_duration) {
		anim_print_text(&print, "\"globalDuration\"");
		anim_print_text(&print, colon);
		anim_print_float(&print, length_s);
		anim_print_text(&print, line);
	}
	anim_print_text(&print, "\"tracks\"");
	anim_print_text(&print, colon);
	anim_print_text(&print, "[");
	return print.failed ? -1 : 0;
}

static int write_track(struct anim_sink *sink, const struct anim_track *source, struct anim_error *error)
{
	static const char *const compact[] = {"\n{\"trackType\":\"", "\",\"valueType\":\"", "\",\"data\":{\"node\":",
					      ",\"property\":",      ",\"interval\":",      ",\"keyframes\":["};
	static const char *const pretty[] = {"\n\t\t{\n\t\t\t\"trackType\": \"",
					     "\",\n\t\t\t\"valueType\": \"",
					     "\",\n\t\t\t\"data\": {\n\t\t\t\t\"node\": ",
					     ",\n\t\t\t\t\"property\": ",
					     ",\n\t\t\t\t\"interval\": ",
					     ",\n\t\t\t\t\"keyframes\": [\n\t\t\t\t\t"};
	struct animj_writer *writer = (struct animj_writer *)sink;
	struct anim_track track = *source, *t = &track;
	struct anim_print print = {.out = writer->out, .error = error};
	const char *const *part = writer->options.pretty ? pretty : compact;
	int result = anim_resonite_target_begin_track(&writer->target, source, error);

	if (result != 0)
		return result < 0 ? -1 : 0;
	if (anim_types[source->type].matrix) {
		anim_diagnostics_leave_out(writer->options.diagnostics);
		return anim_diagnostics_warn(writer->options.diagnostics, "track", error,
					     "'%s': left out, because animj cannot hold matrices" ANIM_DETAIL " (%s)",
					     writer->target.label, anim_types[source->type].name);
	}
	t->record = NULL;
	if (set_modes(writer, t, error) != 0)
		return -1;
	result = t->kind == ANIM_RAW ? time_samples(writer, t, error) : time_keys(writer, t, error);
	if (result != 0 || set_values(writer, t, error) != 0 ||
	    anim_resonite_target_track(&writer->target, source, t, error) != 0)
		return -1;
	if (writer->tracks > 0)
		anim_print_text(&print, ",");
	anim_print_text(&print, part[0]);
	anim_print_text(&print, anim_kind_names[t->kind]);
	anim_print_text(&print, part[1]);
	anim_print_text(&print, anim_types[t->type].name);
	anim_print_text(&print, part[2]);
	anim_print_json_text(&print, t->node);
	anim_print_text(&print, part[3]);
	anim_print_json_text(&print, t->property);
	if (t->kind == ANIM_RAW && anim_track_step(t) != 0) {
		anim_print_text(&print, part[4]);
		anim_print_float(&print, (float)anim_track_step(t));
	}
	anim_print_text(&print, part[5]);
	if (print.failed || print_keys(writer, t, error) != 0)
		return -1;
	anim_print_text(&print, writer->options.pretty ? "\n\t\t\t\t]\n\t\t\t}\n\t\t}" : "]}}");
	writer->tracks++;
	return print.failed ? -1 : 0;
}

static int end(struct anim_sink *sink, struct anim_error *error)
{
	struct animj_writer *writer = (struct animj_writer *)sink;
	struct anim_print print = {.out = writer->out, .error = error};
	bool pretty = writer->options.pretty, some = writer->tracks > 0;

	if (anim_resonite_target_end(&writer->target, error) != 0)
		return -1;
	if (some)
		anim_print_text(&print, pretty ? "\n\t" : "\n");
	anim_print_text(&print, "]");
	if (!writer->has_duration) {
		anim_print_text(&print, pretty ? ",\n\t\"globalDuration\": " : ",\"globalDuration\":");
		anim_print_float(&print, writer->target.last_s);
	}
	anim_print_text(&print, pretty ? "\n}\n" : "}\n");
	return print.failed ? -1 : 0;
}

static void free_writer(struct anim_sink *sink)
{
	struct animj_writer *writer = (struct animj_writer *)sink;

	anim_resonite_target_clear(&writer->target);
	anim_buffer_clear(&writer->cells);
	free(writer);
}

struct anim_sink *anim_animj_writer_new(struct anim_output *out, const struct anim_write_options *options,
					struct anim_error *error)
{
	static const struct anim_sink_ops ops = {.tree = anim_resonite_target_tree,
						 .clip = begin_clip,
						 .track = write_track,
						 .end = end,
						 .free = free_writer};
	struct animj_writer *writer = anim_zeroed(sizeof *writer, error);

	if (writer == NULL)
		return NULL;
	writer->options = *options;
	writer->out = out;
	writer->target = (struct anim_resonite_target){.sink.ops = &ops,
						       .format = "animj",
						       .diagnostics = options->diagnostics,
						       .source_names = options->source_names,
						       .keep_double = options->keep_double};
	return &writer->target.sink;
}
