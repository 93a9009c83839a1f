/* number.h: numbers in every spelling that Unity reads. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_NUMBER_H
#define ANIM_FORMAT_UNITY_NUMBER_H

#define UNITY_NUMBER_MAX 4096 /* characters of a number; a longer text is none */

/*
 * Reads the number that begins at `text`: decimals ([+-] digits[.digits] or .digits, with an exponent), correctly rounded;
 * IEEE-754 bits (0x and 8 digits of binary32 or 16 of binary64, and a decimal in parentheses that does not count); Infinity,
 * inf, .inf, 1.#INF, nan, .nan, 1.#QNAN, 1.#IND, nan(ind) and the infinity sign in any case. Returns the first byte behind it,
 * NULL where there is none.
 */
const char *unity_number_float(const char *text, const char *end, float *value);

#endif
