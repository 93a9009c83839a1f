/* number_special.c: infinities and NaNs as text. */
#include <math.h>
#include <string.h>

#include "base/number.h"

/* So many lower-case hexadecimal digits. Their end, NULL where they are not there. */
static const char *hexadecimal(const char *text, const char *end, unsigned digits, uint64_t *bits)
{
	if (end - text < (ptrdiff_t)digits)
		return NULL;
	*bits = 0;
	for (unsigned i = 0; i < digits; i++) {
		char c = text[i];

		if (c >= '0' && c <= '9')
			*bits = *bits << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			*bits = *bits << 4 | (uint64_t)(c - 'a' + 10);
		else
			return NULL;
	}
	return text + digits;
}

/* Takes a word where it stands. */
static const char *take(const char *text, const char *end, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(end - text) >= length && memcmp(text, word, length) == 0 ? text + length : NULL;
}

/* Infinity or the usual NaN: 1, *next behind it. "nan:": 2. Else 0. */
static int special(const char *text, const char *end, double *value, const char **next)
{
	if ((*next = take(text, end, "nan:")) != NULL)
		return 2;
	*value = (double)NAN;
	if ((*next = take(text, end, "nan")) != NULL)
		return 1;
	*value = (double)INFINITY;
	if ((*next = take(text, end, "inf")) != NULL)
		return 1;
	*value = -(double)INFINITY;
	return (*next = take(text, end, "-inf")) != NULL;
}

const char *anim_number_special_float(const char *text, const char *end, float *value)
{
	const char *next;
	uint64_t wide;
	uint32_t bits;
	double common;
	int found = special(text, end, &common, &next);

	if (found < 2) {
		*value = (float)common;
		return next;
	}
	if ((next = hexadecimal(next, end, 8, &wide)) == NULL)
		return NULL;
	bits = (uint32_t)wide;
	memcpy(value, &bits, sizeof bits);
	return isnan(*value) ? next : NULL;
}

const char *anim_number_special_double(const char *text, const char *end, double *value)
{
	const char *next;
	uint64_t bits;
	double common;
	int found = special(text, end, &common, &next);

	if (found < 2) {
		*value = common;
		return next;
	}
	if ((next = hexadecimal(next, end, 16, &bits)) == NULL)
		return NULL;
	memcpy(value, &bits, sizeof bits);
	return isnan(*value) ? next : NULL;
}
