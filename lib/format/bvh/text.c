/* text.c: names of channels, units and frame times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/number.h"
#include "format/bvh/bvh.h"
#include "format/bvh/text.h"

/* ---- Channels ---- */

const char *const bvh_channel_names[BVH_CHANNELS_MAX] = {"Xposition", "Yposition", "Zposition",
							 "Xrotation", "Yrotation", "Zrotation"};

int bvh_channel_find(const char *word, size_t length)
{
	for (size_t i = 0; i < ANIM_COUNT(bvh_channel_names); i++)
		if (strlen(bvh_channel_names[i]) == length && strncasecmp(bvh_channel_names[i], word, length) == 0)
			return (int)i;
	return -1;
}

bool bvh_channels_have(const struct bvh_channels *channels, unsigned channel)
{
	return memchr(channels->items, (int)channel, channels->count) != NULL;
}

bool bvh_channels_have_any(const struct bvh_channels *channels, bool rotations)
{
	for (unsigned i = 0; i < channels->count; i++)
		if ((channels->items[i] >= BVH_ROTATION) == rotations)
			return true;
	return false;
}

void bvh_channels_add(struct bvh_channels *channels, unsigned channel)
{
	if (!bvh_channels_have(channels, channel))
		channels->items[channels->count++] = (uint8_t)channel;
}

bool bvh_channels_read(const char *text, struct bvh_channels *channels)
{
	channels->count = 0;
	for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
		size_t length = strcspn(text, " ");
		int channel = bvh_channel_find(text, length);

		if (channel < 0 || bvh_channels_have(channels, (unsigned)channel))
			return false;
		bvh_channels_add(channels, (unsigned)channel);
		text += length;
	}
	return true;
}

void bvh_channels_print(const struct bvh_channels *channels, char text[BVH_CHANNELS_TEXT])
{
	text[0] = '\0';
	for (unsigned i = 0; i < channels->count; i++) {
		if (i > 0)
			strcat(text, " ");
		strcat(text, bvh_channel_names[channels->items[i]]);
	}
}

enum anim_euler_order bvh_channels_order(const struct bvh_channels *channels)
{
	struct bvh_channels all = *channels;
	char order[4] = "";
	size_t used = 0;

	for (unsigned axis = 0; axis < 3; axis++)
		bvh_channels_add(&all, BVH_ROTATION + axis);
	for (unsigned i = 0; i < all.count; i++)
		if (all.items[i] >= BVH_ROTATION)
			order[used++] = bvh_channel_names[all.items[i]][0];
	return (enum anim_euler_order)anim_euler_order_find(order);
}

unsigned bvh_other_axis(unsigned axis)
{
	return axis == 0 ? 0 : 3 - axis;
}

void bvh_channels_exchange_axes(struct bvh_channels *channels)
{
	for (unsigned i = 0; i < channels->count; i++) {
		unsigned first = channels->items[i] < BVH_ROTATION ? 0 : BVH_ROTATION;

		channels->items[i] = (uint8_t)(first + bvh_other_axis(channels->items[i] - first));
	}
}

/* ---- Units and frame times ---- */

/*
 * Read an unsigned decimal with at most one point and perhaps an exponent. Return its number of decimals, or -1 for
 * another text.
 */
static int read_decimal(const char *text, size_t length, double *value)
{
	char copy[BVH_FRAME_TIME_TEXT + 1 + ANIM_INPUT_SLACK] = "0";
	const char *point, *exponent, *end;
	int64_t power = 0;

	if (length == 0 || length >= BVH_FRAME_TIME_TEXT || text[0] == '-')
		return -1;
	memcpy(copy + 1, text, length);
	end = copy + 1 + length;
	if (anim_number_double(copy, end, value) != end || !(*value > 0) || isinf(*value))
		return -1;
	exponent = copy + strcspn(copy, "eE");
	point = memchr(copy, '.', (size_t)(exponent - copy));
	if (exponent < end)
		anim_number_int64(exponent + 1 + (exponent[1] == '+'), end, &power);
	power = (point == NULL ? 0 : exponent - point - 1) - power;
	return power < 0 ? 0 : power > 1000 ? 1000 : (int)power;
}

bool anim_bvh_unit(const char *text, double *metres)
{
	static const struct {
		const char *name;
		double metres;
	} units[] = {{"cm", 0.01}, {"m", 1}, {"in", 0.0254}, {"cmu", 0.0254 / 0.45}};

	for (size_t i = 0; i < ANIM_COUNT(units); i++) {
		*metres = units[i].metres;
		if (strcmp(units[i].name, text) == 0)
			return true;
	}
	return read_decimal(text, strlen(text), metres) >= 0 && *metres >= 1e-9 && *metres <= 1e9;
}

/*
 * Return whether the frame time of a rate is time_s, with a rounding error of at most half_unit and the precision of a
 * double.
 */
static bool rounds_to(double rate, double time_s, double half_unit)
{
	return fabs(1 / rate - time_s) <= half_unit + 4e-16 * time_s;
}

/* Return the usual whole rate that matches best, or if `any`, the whole rate up to 1000 that does, or 0. */
static uint32_t whole_rate(double time_s, double half_unit, bool any)
{
	static const uint16_t usual[] = {12,  15,  24,  25,  30,  48,  50,  60,  72,  90,
					 100, 120, 144, 150, 200, 240, 250, 300, 500, 1000};
	double nearest = rint(1 / time_s), best = 0;

	for (size_t i = 0; i < ANIM_COUNT(usual); i++)
		if (rounds_to(usual[i], time_s, half_unit) &&
		    (best == 0 || fabs(1.0 / usual[i] - time_s) < fabs(1 / best - time_s)))
			best = usual[i];
	if (any && best == 0 && nearest >= 1 && nearest <= 1000 && rounds_to(nearest, time_s, half_unit))
		best = nearest;
	return (uint32_t)best;
}

/* Return the n for which n * 1000/1001, or that rate rounded to three decimals, matches, or 0. */
static uint32_t ntsc_rate(double time_s, double half_unit, bool any)
{
	static const uint16_t usual[] = {24, 30, 48, 60, 120};
	double n = rint(1.001 / time_s), rate = n * 1000 / 1001;

	for (size_t i = 0; i < ANIM_COUNT(usual); i++)
		any |= n == usual[i];
	return any && n >= 1 && n <= 1000 &&
		       (rounds_to(rate, time_s, half_unit) || rounds_to(rint(rate * 1000) / 1000, time_s, half_unit))
		   ? (uint32_t)n
		   : 0;
}

bool bvh_frame_time_read(const char *text, size_t length, uint32_t *num, uint32_t *den, double *step_s)
{
	double power = 1, half_unit = 0.5, count;
	int decimals = read_decimal(text, length, step_s);
	bool any; /* the text has so many digits that no rate matches by chance */

	if (decimals < 0 || !(*step_s >= 1e-9 && *step_s <= 1e9))
		return false;
	for (int i = 0; i < decimals; i++) {
		half_unit /= 10;
		power *= 10;
	}
	count = rint(*step_s * power);
	if (count < 10) /* 0.03 is 0.03 s: a single digit is not the rounding of 1/30 */
		half_unit = 0;
	any = half_unit > 0 && half_unit <= 1e-4 * *step_s;
	*den = 1;
	if ((*num = whole_rate(*step_s, half_unit, any)) == 0 && (*num = ntsc_rate(*step_s, half_unit, any)) > 0) {
		*num *= 1000;
		*den = 1001;
	} else if (*num == 0 && decimals <= 9 && count >= 1 && count <= UINT32_MAX) {
		/* The decimal itself, as a reduced fraction. */
		uint32_t a = (uint32_t)power, b = (uint32_t)count;

		while (b != 0) {
			uint32_t rest = a % b;

			a = b;
			b = rest;
		}
		*num = (uint32_t)power / a;
		*den = (uint32_t)count / a;
	} else if (*num == 0) {
		*den = 0;
	}
	return true;
}
