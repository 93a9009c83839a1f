/* keys.c: the hot loop of the AnimJ writer: keys and samples as JSON. */
#include <string.h>

#include "base/number.h"
#include "clip/keys.h"
#include "format/animj/writer.h"

#define ROOM ((size_t)64 << 10) /* what an output hands out at once */
#define KEY_MAX 1024u           /* more than the longest key of numbers: three doubleQ, and the time */
#define BEFORE 5u               /* bytes of {"x": and ,"y": */
#define CELLS ((size_t)1 << 16) /* keys whose time's text is kept */

/* A time and its text. All-zero is no time. */
struct cell {
	float time_s;
	uint8_t length;
	char text[19];
};

/* How a value is spelled: what stands before each lane and behind the last. */
struct spelling {
	enum anim_type type;
	enum anim_scalar scalar;
	unsigned lanes;
	char before[4][8]; /* 8 bytes are copied, BEFORE of them count; none where there is one lane */
	bool braces;
};

static void spell(struct spelling *spelling, enum anim_type type)
{
	const struct anim_type_info *info = &anim_types[type];
	const char *names = type == ANIM_COLOR || type == ANIM_COLOR32 ? "rgba" : "xyzw";

	*spelling = (struct spelling){.type = type, .scalar = info->scalar, .lanes = info->lanes};
	if (info->lanes == 1)
		return;
	spelling->braces = true;
	for (unsigned i = 0; i < info->lanes; i++) {
		memcpy(spelling->before[i], i == 0 ? "{\"x\":" : ",\"x\":", BEFORE);
		spelling->before[i][2] = names[i];
	}
}

static char *put(char *at, const char *text, size_t length)
{
	memcpy(at, text, length);
	return at + length;
}
#define PUT(at, literal) put(at, literal, sizeof literal - 1)

/* The texts of a column's floats for the keys from `first` up to `end`. */
struct texts {
	size_t first, end;
	struct anim_number_texts texts;
};

/* Makes the texts from key k on. */
static void print_texts(struct texts *texts, const struct spelling *spelling, const float *values, size_t k, size_t n)
{
	size_t most = ANIM_NUMBER_TEXTS / spelling->lanes, count = n - k < most ? n - k : most;

	anim_number_print_floats(values + k * spelling->lanes, count * spelling->lanes, spelling->lanes, &texts->texts);
	texts->first = k;
	texts->end = k + count;
}

/* `lanes` is a constant where this is called: the loop is unrolled. */
static inline char *put_lanes_of(char *at, const struct spelling *spelling, const struct texts *texts, size_t k,
				 unsigned lanes)
{
	size_t from = (k - texts->first) * lanes;

	for (unsigned i = 0; i < lanes; i++) {
		memcpy(at, spelling->before[i], 8);
		at += lanes > 1 ? BEFORE : 0;
		memcpy(at, texts->texts.bytes[from + i], sizeof texts->texts.bytes[0]);
		at += texts->texts.length[from + i];
	}
	return at;
}

static inline char *put_floats(char *at, const struct spelling *spelling, const struct texts *texts, size_t k)
{
	switch (spelling->lanes) {
	case 1:
		return put_lanes_of(at, spelling, texts, k, 1);
	case 2:
		return put_lanes_of(at, spelling, texts, k, 2);
	case 3:
		return put_lanes_of(at, spelling, texts, k, 3);
	default:
		return put_lanes_of(at, spelling, texts, k, 4);
	}
}

/* The types that are not made of floats. */
static char *put_lanes(char *at, const struct spelling *spelling, const void *column, size_t k)
{
	for (unsigned i = 0; i < spelling->lanes; i++) {
		memcpy(at, spelling->before[i], 8);
		at += spelling->braces ? BEFORE : 0;
		if (spelling->scalar == ANIM_SCALAR_BOOL)
			at = anim_lane_integer(spelling->type, column, k, i) != 0 ? PUT(at, "true") : PUT(at, "false");
		else if (spelling->scalar == ANIM_SCALAR_F64)
			at += anim_number_print_double(at, anim_lane(spelling->type, column, k, i));
		else if (spelling->scalar == ANIM_SCALAR_U64)
			at += anim_number_print_uint64(at, (uint64_t)anim_lane_integer(spelling->type, column, k, i));
		else
			at += anim_number_print_int64(at, anim_lane_integer(spelling->type, column, k, i));
	}
	return at;
}

/* What is the same for all keys of a track. */
struct run {
	const struct anim_track *track;
	struct spelling spelling;
	struct cell *cells;
	size_t cell_count;
	char between[8]; /* ",", and the line break of --pretty */
	size_t between_length;
	struct texts texts[3];
};

/* Key k of a column: 0 the values, 1 and 2 the tangents. */
static inline char *put_value(char *at, struct run *run, int column, size_t k)
{
	const struct spelling *spelling = &run->spelling;
	const struct anim_track *t = run->track;
	const void *values = column == 0 ? t->value : column == 1 ? t->left : t->right;
	struct texts *texts = &run->texts[column];

	if (spelling->scalar != ANIM_SCALAR_F32) {
		at = put_lanes(at, spelling, values, k);
	} else {
		if (k >= texts->end)
			print_texts(texts, spelling, values, k, t->n);
		at = put_floats(at, spelling, texts, k);
	}
	if (spelling->braces)
		*at++ = '}';
	return at;
}

/* The cells grow with the longest track so far, to CELLS; new ones are empty. NULL out of memory. */
static struct cell *cells_for(struct animj_times *times, size_t n, size_t *count, struct anim_error *error)
{
	size_t wanted = n < CELLS ? n : CELLS, have = times->cells.size / sizeof(struct cell);

	if (have < wanted) {
		void *added = anim_buffer_extend(&times->cells, (wanted - have) * sizeof(struct cell), error);

		if (added == NULL)
			return NULL;
		memset(added, 0, (wanted - have) * sizeof(struct cell));
	}
	*count = wanted;
	return (struct cell *)(void *)times->cells.data;
}

void animj_times_clear(struct animj_times *times)
{
	anim_buffer_clear(&times->cells);
}

static char *put_time(char *at, struct cell *cell, float time_s)
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

static char *put_interp(char *at, enum anim_interp interp)
{
	if (interp == ANIM_LINEAR)
		return PUT(at, ",\"interpolation\":\"Linear\"");
	if (interp == ANIM_HOLD)
		return PUT(at, ",\"interpolation\":\"Hold\"");
	if (interp == ANIM_TANGENT)
		return PUT(at, ",\"interpolation\":\"Tangent\"");
	return PUT(at, ",\"interpolation\":\"CubicBezier\"");
}

static char *put_start(char *at, const struct run *run, size_t k)
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

/* Hold and Linear keys have none, but for the left one where it ends the segment before. */
static char *put_tangents(char *at, struct run *run, size_t k)
{
	const struct anim_track *t = run->track;
	bool own = t->interp != ANIM_INTERP_COLUMN || has_tangents(t, k);

	if (own || (k > 0 && has_tangents(t, k - 1)))
		at = put_value(PUT(at, ",\"leftTangent\":"), run, 1, k);
	if (own)
		at = put_value(PUT(at, ",\"rightTangent\":"), run, 2, k);
	return at;
}

static char *put_end(char *at, struct run *run, size_t k)
{
	const struct anim_track *t = run->track;

	if (t->kind == ANIM_RAW)
		return at;
	if (t->kind == ANIM_CURVE)
		at = put_interp(at, anim_track_interp(t, k));
	if (t->left != NULL && t->right != NULL)
		at = put_tangents(at, run, k);
	*at++ = '}';
	return at;
}

static int print_numbers(struct anim_output *out, struct run *run, struct anim_error *error)
{
	size_t k = 0, n = run->track->n;

	while (k < n) {
		char *room = (char *)anim_output_reserve(out, ROOM, error), *at = room;

		if (room == NULL)
			return -1;
		for (; k < n && (size_t)(at - room) <= ROOM - KEY_MAX; k++) {
			at = put_start(at, run, k);
			at = put_value(at, run, 0, k);
			at = put_end(at, run, k);
		}
		anim_output_advance(out, (size_t)(at - room));
	}
	return 0;
}

static int print_strings(struct anim_output *out, struct run *run, struct anim_error *error)
{
	const struct anim_strings *strings = run->track->strings;
	struct anim_print print = {.out = out, .error = error};
	char text[KEY_MAX];

	for (size_t k = 0; k < run->track->n && !print.failed; k++) {
		anim_print_bytes(&print, text, (size_t)(put_start(text, run, k) - text));
		if (strings->length[k] == ANIM_NULL_STRING)
			anim_print_text(&print, "null");
		else
			anim_print_json(&print, strings->bytes + strings->start[k], strings->length[k]);
		anim_print_bytes(&print, text, (size_t)(put_end(text, run, k) - text));
	}
	return print.failed ? -1 : 0;
}

int animj_keys(struct animj_writer *writer, const struct animj_track *track, struct anim_error *error)
{
	struct run run;

	run.track = &track->track;
	run.cells = NULL;
	run.cell_count = 0;
	run.between_length = writer->options.pretty ? 7 : 1;
	memcpy(run.between, ",\n\t\t\t\t\t", sizeof run.between);
	for (int i = 0; i < 3; i++)
		run.texts[i].end = 0;
	spell(&run.spelling, track->track.type);
	if (track->track.kind != ANIM_RAW) {
		run.cells = cells_for(&writer->times, track->track.n, &run.cell_count, error);
		if (run.cells == NULL)
			return -1;
	}
	if (track->track.type == ANIM_STRING)
		return print_strings(writer->out, &run, error);
	return print_numbers(writer->out, &run, error);
}
