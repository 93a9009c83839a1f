/* take.c: frames, their times, and the tracks that they become. */
#include "format/face/take.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/advice.h"
#include "base/count.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/scan.h"
#include "clip/face.h"
#include "math/elementary.h"

void face_take_init(struct face_take *take, struct anim_input *input, const struct anim_read_options *options,
		    struct anim_error *error)
{
	*take = (struct face_take){.options = options, .error = error, .input = input};
	anim_frames_init(&take->kept, options->store_memory);
}

void face_take_clear(struct face_take *take)
{
	anim_buffer_clear(&take->columns);
	anim_map_clear(&take->names);
	anim_arena_clear(&take->texts);
	anim_buffer_clear(&take->times);
	anim_buffer_clear(&take->row);
	anim_buffer_clear(&take->values);
	anim_frames_clear(&take->kept);
}

size_t face_take_width(const struct face_take *take)
{
	return take->columns.size / sizeof(const char *);
}

float *face_take_row(const struct face_take *take)
{
	return (float *)(void *)take->row.data;
}

/* ---- Columns ---- */

static bool has_property(const struct face_take *take, const char *property)
{
	uint32_t column;

	return anim_map_get(&take->names, FACE_PROPERTY, property, strlen(property), &column);
}

/*
 * Return the property of a column, or NULL if out of memory. Two names can mean the same shape. The second one keeps its
 * own spelling, so that no column is lost.
 */
static const char *property_of(struct face_take *take, const char *own, size_t length)
{
	static const char *const angles[] = {"yaw", "pitch", "roll"};
	int shape = anim_face_guess(own, length);
	const char *property;

	/* Angles of the head and the eyes, as Live Link Face names them, are not weights. */
	for (size_t i = 0; i < ANIM_COUNT(angles); i++) {
		size_t size = strlen(angles[i]);

		if (length >= size && strncasecmp(own + length - size, angles[i], size) == 0)
			return own;
	}
	if (shape >= 0) {
		property = anim_arena_printf(&take->texts, take->error, "blend_shape/%s",
					     anim_face_name(ANIM_FACE_ARKIT, (unsigned)shape));
		if (property == NULL || !has_property(take, property))
			return property;
	}
	return anim_arena_printf(&take->texts, take->error, "blend_shape/%s", own);
}

ptrdiff_t face_take_add(struct face_take *take, const char *name, size_t length)
{
	const char *property, *own = anim_arena_text(&take->texts, name, length, take->error);
	const float zero = 0;
	size_t column = face_take_width(take);
	uint32_t before;

	if (own == NULL)
		return -1;
	if (column >= ANIM_FACE_COLUMNS_MAX)
		return anim_fail(take->error, ANIM_TOO_LARGE, "more than %u columns", ANIM_FACE_COLUMNS_MAX);
	property = property_of(take, own, length);
	if (property == NULL)
		return -1;
	if (length > 0 && (anim_map_get(&take->names, FACE_NAME, own, length, &before) || has_property(take, property)))
		return anim_fail(take->error, ANIM_BAD_INPUT, "'%.80s' appears twice", own);
	if (anim_buffer_append(&take->columns, &property, sizeof property, take->error) != 0 ||
	    anim_buffer_append(&take->row, &zero, sizeof zero, take->error) != 0 ||
	    anim_map_put(&take->names, FACE_NAME, own, length, (uint32_t)column, take->error) != 0 ||
	    anim_map_put(&take->names, FACE_PROPERTY, property, strlen(property), (uint32_t)column, take->error) != 0)
		return -1;
	return (ptrdiff_t)column;
}

/* ---- Frames ---- */

static bool is_weight(const struct face_take *take, size_t column)
{
	const char *const *properties = (const char *const *)(const void *)take->columns.data;

	return strncmp(properties[column], "blend_shape/", 12) == 0;
}

int face_take_end_frame(struct face_take *take, struct face_time time)
{
	size_t width = face_take_width(take);

	float *frame;

	take->kept.width = width;
	if (take->frames >= ANIM_KEYS_MAX)
		return anim_fail(take->error, ANIM_TOO_LARGE, "more than %u frames", ANIM_KEYS_MAX);
	frame = anim_frames_add(&take->kept, take->error);
	if (frame == NULL || anim_buffer_append(&take->times, &time, sizeof time, take->error) != 0)
		return -1;
	if (width > 0)
		memcpy(frame, take->row.data, width * sizeof *frame);
	for (size_t i = 0; i < width; i++)
		if (is_weight(take, i) && face_take_row(take)[i] > take->most)
			take->most = face_take_row(take)[i];
	take->frames++;
	return 0;
}

/* ---- Times ---- */

bool face_time_read(const char *text, size_t length, enum face_clock *clock, struct face_time *time)
{
	double parts[4];
	unsigned count = 0;
	bool is_drop = false;
	size_t digits = 0;

	for (size_t at = 0; count < 4; at++) {
		size_t used = at < length ? anim_number_typed(text + at, length - at, &parts[count]) : 0;

		if (used == 0 || !(parts[count] >= 0 && parts[count] < 1e19) || (count > 0 && parts[count] >= 1000))
			return false;
		count++;
		digits = 0;
		while (digits < used && anim_is_digit(text[at + digits]))
			digits++;
		at += used;
		if (at == length)
			break;
		if ((text[at] != ':' && text[at] != ';') || count == 4)
			return false;
		is_drop = text[at] == ';';
	}
	*time = (struct face_time){.is_clock = count > 1};
	*clock = count == 4 ? FACE_TIMECODE : FACE_SECONDS;
	for (unsigned i = 0; i < (count < 3 ? count : 3); i++)
		time->seconds = time->seconds * 60 + parts[i];
	if (count < 4)
		return true;
	time->frames = parts[3];
	time->digits = (uint8_t)(digits < 9 ? digits : 9);
	time->is_drop = is_drop;
	return true;
}

static struct face_time *time_at(const struct face_take *take, size_t frame)
{
	return (struct face_time *)(void *)take->times.data + frame;
}

static int note(const struct face_take *take, const char *text)
{
	if (take->options->bvh.unit_option == NULL)
		return 0;
	return anim_diagnostics_note(take->options->diagnostics, NULL, take->error, "%s", text);
}

#define FRAMES_MOST 240 /* largest rate of timecodes */

/* Timecodes that end with three digits, or with too large numbers for frames, end with milliseconds. Return 0 or -1. */
static int find_millisecond_field(struct face_take *take)
{
	bool all_three = true;
	double most = 0;

	for (size_t k = 0; k < take->frames; k++) {
		const struct face_time *time = time_at(take, k);

		all_three &= time->digits == 3;
		most = fmax(most, time->frames);
	}
	if (take->clock != FACE_TIMECODE || (!all_three && most < FRAMES_MOST))
		return 0;
	for (size_t k = 0; k < take->frames; k++) {
		time_at(take, k)->seconds += time_at(take, k)->frames / 1000;
		time_at(take, k)->frames = 0;
	}
	take->clock = FACE_SECONDS;
	return note(take, "the last numbers of timecodes are read as milliseconds, because they have three digits");
}

/* Find the unit of plain times: frames come at a rate between 0.25 and 250 per second. Return 0 or -1. */
static int find_time_unit(struct face_take *take)
{
	static const struct {
		double step, unit_s;
		const char *name;
	} units[] = {{4e6, 1e-9, "nanoseconds"}, {4e3, 1e-6, "microseconds"}, {4, 1e-3, "milliseconds"}};
	unsigned as = take->options->read_as;
	double step, unit_s = 1;
	const char *name = NULL;

	if (take->clock != FACE_SECONDS || take->has_unit || take->frames < 2 || time_at(take, 0)->is_clock)
		return 0;
	step = (time_at(take, take->frames - 1)->seconds - time_at(take, 0)->seconds) / (double)(take->frames - 1);
	for (size_t i = 0; i < ANIM_COUNT(units); i++)
		if (name == NULL && step >= units[i].step) {
			name = units[i].name;
			unit_s = units[i].unit_s;
		}
	if ((as & (ANIM_AS_SECONDS | ANIM_AS_MILLISECONDS)) != 0) {
		name = NULL;
		unit_s = (as & ANIM_AS_SECONDS) != 0 ? 1 : 1e-3;
	}
	for (size_t k = take->frames; unit_s != 1 && k-- > 0;)
		time_at(take, k)->seconds = (time_at(take, k)->seconds - time_at(take, 0)->seconds) * unit_s;
	if (name == NULL || take->options->bvh.unit_option == NULL)
		return 0;
	return anim_diagnostics_note(
	    take->options->diagnostics, "file", take->error,
	    "no unit of times" ANIM_DETAIL
	    ": %s are assumed, because frames are %.6g apart; for seconds, use " ANIM_OPTION_TO("parse", "read-as",
												"seconds"),
	    name, step);
}

#define DEFAULT_RATE 30.0
#define DEFAULT_TIMECODE_RATE 60.0 /* of Live Link Face */

/*
 * Find the frames per second by which times are counted, with a note if it is not known. The option is the rate of the
 * frames, of which `per_time` have the same time. A second of timecodes has the usual rate above the largest number of a
 * frame. If no second ends, nothing shows this rate. Return 0 or -1.
 */
static int find_base(struct face_take *take, unsigned per_time, double *base)
{
	static const double usual[] = {24, 25, 30, 48, 50, 60, 100, 120, 240};
	const struct anim_read_options *options = take->options;
	bool is_known = take->clock == FACE_SECONDS || take->rate > 0;
	double most = 0;

	*base = take->rate > 0 ? take->rate : DEFAULT_RATE;
	if (options->rate_num != 0) {
		*base = (double)options->rate_num / options->rate_den / per_time;
		return 0;
	}
	if (take->clock == FACE_TIMECODE) {
		size_t i = 0;

		is_known = take->frames > 0 && time_at(take, 0)->seconds != time_at(take, take->frames - 1)->seconds;
		for (size_t k = 0; k < take->frames; k++)
			most = fmax(most, floor(time_at(take, k)->frames));
		while (i < ANIM_COUNT(usual) &&
		       !(most < usual[i] && (is_known || usual[i] * per_time >= DEFAULT_TIMECODE_RATE)))
			i++;
		*base = i < ANIM_COUNT(usual) ? usual[i] : most + 1;
	}
	if (is_known || options->bvh.unit_option == NULL)
		return 0;
	return anim_diagnostics_note(
	    options->diagnostics, "file", take->error,
	    "no frame rate" ANIM_DETAIL
	    ": %g frames per second are assumed; to choose another one, use " ANIM_OPTION_TO("parse", "fps", "RATE"),
	    *base * per_time);
}

/*
 * Return the number of frames that drop-frame timecodes leave out at the start of a minute, or 0 for other timecodes.
 * They have a semicolon, or leave out these frames wherever the take has a minute's start.
 */
static unsigned find_drop(const struct face_take *take, double base)
{
	unsigned drop = base == 30 ? 2 : base == 60 ? 4 : 0;
	bool has_drops = false;

	if (take->clock != FACE_TIMECODE || drop == 0)
		return 0;
	for (size_t k = 0; k < take->frames; k++) {
		const struct face_time *time = time_at(take, k);
		bool starts = fmod(time->seconds, 60) < 1 && fmod(time->seconds, 600) >= 1;

		if (starts && time->frames < drop)
			return 0;
		has_drops |= time->is_drop;
		if (starts && k > 0 && time->frames < drop + 1) {
			const struct face_time *before = time_at(take, k - 1);

			has_drops |= before->seconds == time->seconds - 1 && before->frames >= base - 1;
		}
	}
	return has_drops ? drop : 0;
}

/*
 * Spread frames of the same time evenly until the next time. The first time may have lost some of its `per_time`
 * frames, so they are moved to its end. Return 0 or -1.
 */
static int spread(struct face_take *take, unsigned per_time)
{
	double step_s = 0, shift_s;
	size_t begin = 0, end;

	if (per_time < 2)
		return 0;
	for (; begin < take->frames; begin = end) {
		double at_s = time_at(take, begin)->seconds;

		for (end = begin + 1; end < take->frames && time_at(take, end)->seconds == at_s; end++)
			continue;
		if (end < take->frames)
			step_s = (time_at(take, end)->seconds - at_s) / (double)(begin > 0 ? end - begin : per_time);
		shift_s = begin == 0 && end < per_time ? step_s * (double)(per_time - end) : 0;
		for (size_t k = begin; k < end; k++)
			time_at(take, k)->seconds = at_s + shift_s + (double)(k - begin) * step_s;
	}
	shift_s = time_at(take, 0)->seconds;
	for (size_t k = 0; k < take->frames; k++)
		time_at(take, k)->seconds -= shift_s;
	return note(take, "several frames have the same time, so they are spread evenly until the next one");
}

/*
 * Convert all times to seconds, in time->seconds. *base becomes the frames per second by which they are counted, or the
 * assumed rate of frames without times. Return 0 or -1.
 */
static int convert_times(struct face_take *take, double *base)
{
	const double day_s = 86400;
	size_t different = take->frames > 0;
	unsigned per_time = 1, drop;
	double days_s = 0, dropped_first = 0;
	struct face_time first;

	/* Times of a clock that fall by more than half a day are of the next day. */
	for (size_t k = 1; k < take->frames && time_at(take, k)->is_clock; k++) {
		struct face_time *time = time_at(take, k);

		time->seconds += days_s;
		if (time->seconds < time_at(take, k - 1)->seconds - day_s / 2) {
			time->seconds += day_s;
			days_s += day_s;
		}
	}
	if (find_millisecond_field(take) != 0 || find_time_unit(take) != 0)
		return -1;

	/* Frames may have the same time. Count how many do so on average, as a whole number. */
	for (size_t k = 1; k < take->frames; k++)
		different += time_at(take, k)->seconds != time_at(take, k - 1)->seconds ||
			     time_at(take, k)->frames != time_at(take, k - 1)->frames;
	if (take->clock != FACE_NO_CLOCK && different > 0)
		per_time = (unsigned)((double)take->frames / (double)different + 0.5);
	if (find_base(take, per_time, base) != 0)
		return -1;

	/* Convert to seconds after the first time. */
	drop = find_drop(take, *base);
	first = take->frames > 0 ? *time_at(take, 0) : (struct face_time){0};
	for (size_t k = 0; k < take->frames; k++) {
		struct face_time *time = time_at(take, k);
		double minutes = floor(time->seconds / 60), dropped = drop * (minutes - floor(minutes / 10));

		dropped_first = k == 0 ? dropped : dropped_first;
		time->seconds =
		    time->seconds - first.seconds + (time->frames - first.frames - (dropped - dropped_first)) / *base;
		if (drop > 0)
			time->seconds *= 1.001;
	}

	*base *= per_time;
	if (drop > 0) {
		*base /= 1.001;
		if (note(take, "timecodes are drop-frame, so their rate is 29.97 or 59.94 per second") != 0)
			return -1;
	}
	return spread(take, per_time);
}

static double time_s(const struct face_take *take, size_t frame)
{
	return time_at(take, frame)->seconds;
}

/*
 * Return whether the frames are at a fixed rate, and set it. Times are rounded to milliseconds or to frames, so a frame
 * may be a bit off.
 */
static bool find_rate(const struct face_take *take, double base, double *rate)
{
	size_t last = take->frames - 1;
	double step_s, off_s, tolerance;

	*rate = base;
	if (take->clock == FACE_NO_CLOCK || take->frames < 2)
		return true;
	step_s = time_s(take, last) / (double)last;
	if (!(step_s > 1e-6))
		return false;
	if (take->clock != FACE_SECONDS && anim_round(step_s * base) >= 1 &&
	    fabs(step_s * base - anim_round(step_s * base)) < 0.01)
		step_s = anim_round(step_s * base) / base;
	tolerance = take->clock == FACE_SECONDS ? fmax(step_s / 100, 1.1e-3) : 0.25 / base;
	tolerance = fmin(tolerance, step_s / 4);
	for (size_t k = 0; k <= last; k++) {
		off_s = time_s(take, k) - (double)k * step_s;
		if (!(fabs(off_s) <= tolerance))
			return false;
	}
	*rate = 1 / step_s;
	return true;
}

/* ---- Tracks ---- */

/* Set the times of all tracks and of the clip. `base` is from convert_times. Return 0 or -1. */
static int set_times(struct face_take *take, double base, struct anim_clip *clip, struct anim_track *track,
		     struct anim_buffer *keys)
{
	double rate, precision;

	track->n = take->frames;
	if (take->frames > 0 && !find_rate(take, base, &rate)) {
		float *times = anim_buffer_extend(keys, take->frames * sizeof *times + 1, take->error);

		/* Make float keys of the times. */
		if (times == NULL)
			return -1;
		for (size_t k = 0; k < take->frames; k++) {
			times[k] = (float)time_s(take, k);
			if (k > 0 && times[k] < times[k - 1])
				return anim_fail(take->error, ANIM_BAD_INPUT,
						 "frame %zu is earlier than the one before it", k + 1);
		}
		track->kind = ANIM_CURVE;
		track->time = (const float *)(const void *)keys->data;
		clip->end_s = track->time[take->frames - 1];
		return 0;
	}
	if (take->frames == 0)
		rate = base;
	track->kind = ANIM_RAW;
	/* Times are rounded to milliseconds at worst, so a rate near a usual one moves the last frame by one. */
	precision = take->clock != FACE_SECONDS || take->frames < 2
			? ANIM_READ_RATE_FLOAT
			: fmax(fmin(1e-3, 1.2e-3 / time_s(take, take->frames - 1)), ANIM_READ_RATE_FLOAT);
	if (!(rate <= 1e6) || !anim_read_rate(rate, precision, &track->rate_num, &track->rate_den)) {
		track->rate_num = track->rate_den = 0;
		track->step_s = 1 / rate;
	}
	clip->rate_num = track->rate_num;
	clip->rate_den = track->rate_den;
	if (take->frames > 0)
		clip->end_s = (float)anim_track_time(track, take->frames - 1);
	return 0;
}

#define WEIGHT_MOST 4 /* capture rarely gives weights above 1, and never such large ones */
#define PERCENT_MOST 130

/* Find the unit of the weights from the largest one, with a note. Return 0 or -1. */
static int find_weight_unit(struct face_take *take, float *divisor)
{
	unsigned as = take->options->read_as;
	bool are_percent = take->most > WEIGHT_MOST && take->most <= PERCENT_MOST;

	if ((as & (ANIM_AS_PERCENT | ANIM_AS_WEIGHTS)) != 0)
		are_percent = (as & ANIM_AS_PERCENT) != 0;
	*divisor = are_percent ? 100 : 1;
	if (take->most <= WEIGHT_MOST || (as & (ANIM_AS_PERCENT | ANIM_AS_WEIGHTS)) != 0)
		return 0;
	if (are_percent && take->options->bvh.unit_option == NULL)
		return 0;
	return anim_diagnostics_add(
	    take->options->diagnostics, are_percent ? ANIM_NOTE : ANIM_WARNING, NULL, NULL, take->error,
	    are_percent ? "weights of up to %g are read as percent; if they are not, use " ANIM_OPTION_TO(
			      "parse", "read-as", "weights")
			: "weights of up to %g are too large for percent; they stay unchanged, and " ANIM_OPTION_TO(
			      "parse", "read-as", "percent") " divides them by 100",
	    (double)take->most);
}

int face_take_push(struct face_take *take, struct anim_sink *sink)
{
	const char *file = anim_read_source_file(take->options, take->input);
	struct anim_attr attr = {"face.timecode", take->timecode};
	struct anim_clip clip = {
	    .axes = ANIM_AXES_GLTF, .root = ".", .source = "face", .attrs = {&attr, take->timecode != NULL}};
	struct anim_track track = {
	    .kind = ANIM_RAW, .type = ANIM_FLOAT, .node = ".", .component = ANIM_WHOLE, .interp = ANIM_LINEAR};
	const char *const *properties = (const char *const *)(const void *)take->columns.data;
	struct anim_buffer keys = {0};
	double base;
	float divisor;
	int result = -1;

	clip.name = anim_read_base_name(file, &take->texts, take->error);
	if (clip.name == NULL || anim_frames_end(&take->kept, take->error) != 0 || convert_times(take, &base) != 0 ||
	    set_times(take, base, &clip, &track, &keys) != 0 || anim_sink_clip(sink, &clip, take->error) != 0 ||
	    find_weight_unit(take, &divisor) != 0)
		goto done;
	for (size_t i = 0; i < face_take_width(take); i++) {
		float *values;

		take->values.size = 0;
		values = anim_buffer_extend(&take->values, take->frames * sizeof *values + 1, take->error);
		if (values == NULL || anim_frames_copy(&take->kept, i, 1, values, 1, take->error) != 0)
			goto done;
		for (size_t k = 0; divisor != 1 && is_weight(take, i) && k < take->frames; k++)
			values[k] /= divisor;
		track.property = properties[i];
		track.value = take->values.data;
		if (anim_sink_track(sink, &track, take->error) != 0)
			goto done;
	}
	result = 0;
done:
	anim_buffer_clear(&keys);
	return result;
}
